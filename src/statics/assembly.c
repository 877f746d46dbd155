// The matrices of an assembly: blocks, loads, and the rows of its contacts.
#include <math.h>

#include "base/vector.h"
#include "statics/statics_data.h"

enum { MOST_WIDTH = 14 }; // columns of a group: two blocks and two bounds

static vs_vec3 column_of(vs_vec3 point, const vs_block *block, vs_vec3 e) {
    return vs_scale(1 / block->size, vs_cross(vs_subtract(point, block->centre), e));
}

int vs_statics_find_block(const vs_statics *s, vs_body_id id) {
    int low = 0, high = s->blocks - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (s->block[middle].id.index < id.index)
            low = middle + 1;
        else
            high = middle;
    }
    return s->blocks > 0 && s->block[low].id.index == id.index && s->block[low].id.generation == id.generation ? low
                                                                                                               : -1;
}

void vs_statics_add_load(const vs_statics *s, int block, vs_vec3 force, vs_vec3 torque, double *f) {
    const vs_block *it = &s->block[block];
    const double of_force = 1 / it->unit, of_torque = 1 / (it->unit * it->size);
    double *at = f + 6 * (int64_t)block;
    at[0] += of_force * force.x;
    at[1] += of_force * force.y;
    at[2] += of_force * force.z;
    at[3] += of_torque * torque.x;
    at[4] += of_torque * torque.y;
    at[5] += of_torque * torque.z;
}

// The lower bound of a contact; -1: none.
static int lower_bound_of(const vs_statics *s, int contact) {
    int low = 0, high = s->bounds;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (s->bound[middle].contact < contact)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->bounds && s->bound[low].contact == contact && s->bound[low].sign > 0 ? low : -1;
}

int vs_statics_normal_row(const vs_statics *s, int contact) {
    const int lower = lower_bound_of(s, contact);
    return s->G.row[lower >= 0 ? s->interfaces.report.contacts + lower : contact];
}

void vs_statics_add_component(const vs_statics *s, int k, vs_vec3 direction, double *q) {
    const vs_interface *it = &s->interfaces.list.data[k];
    const vs_vec3 *axis = s->axis + 3 * (int64_t)k;
    for (int c = it->first; c < it->first + it->corners; c++) {
        const int row = s->G.row[c], rows = s->G.row[c + 1] - row;
        for (int i = 0; i < rows; i++)
            q[i == 0 ? vs_statics_normal_row(s, c) : row + i] +=
                s->cone_unit[c] / s->unit * (i == 0 ? 1 : it->mu) * vs_dot(axis[i], direction);
    }
}

static void show_joints(vs_statics *s, const double *z) {
    for (int k = 0; k < s->joints; k++) {
        s->joint[k].force = s->joint[k].torque = VS_ZERO3;
        s->joint[k].tension = 0;
    }
    for (int k = 0; k < s->links; k++) {
        const vs_link *it = &s->link[k];
        const int group = s->interfaces.report.contacts + s->bounds + k;
        const double size = s->cone_unit[group] * z[s->G.row[group]];
        vs_joint_force *out = &s->joint[it->joint];
        vs_vec3 *sum = it->moment ? &out->torque : &out->force;
        *sum = vs_add_scaled(*sum, size, it->direction);
        const vs_vec3 along = vs_subtract(it->point[0], it->point[1]);
        if (!it->moment && vs_length(along) > 0)
            out->tension += size * vs_dot(it->direction, vs_normalize(along));
    }
}

void vs_statics_show_forces(vs_statics *s, const double *z) {
    for (int c = 0; c < s->interfaces.report.contacts; c++) {
        const int i = s->of_contact[c], row = s->G.row[c], rows = s->G.row[c + 1] - row;
        const vs_vec3 *axis = s->axis + 3 * (int64_t)i;
        vs_vec3 sum = VS_ZERO3;
        if (s->pull[c] > 0)
            sum = vs_scale(-s->pull[c], axis[0]);
        for (int k = 0; k < rows; k++)
            sum = vs_add_scaled(sum,
                                s->cone_unit[c] * (k == 0 ? 1 : s->interfaces.list.data[i].mu) *
                                    z[k == 0 ? vs_statics_normal_row(s, c) : row + k],
                                axis[k]);
        s->force[c] = sum;
    }
    show_joints(s, z);
}

// Scaled so that the largest speed of a block, of its centre or its rotation times its size, is 1 m/s.
void vs_statics_show_mechanism(vs_statics *s, const double *x) {
    const double largest = vs_statics_top_speed(s, x);
    for (int b = 0; b < s->blocks; b++) {
        const double *v = x + 6 * (int64_t)b, scale = largest > 0 ? s->unit / s->block[b].unit / largest : 0;
        s->velocity[b] = vs_scale(scale, (vs_vec3){v[0], v[1], v[2]});
        s->spin[b] = vs_scale(scale / s->block[b].size, (vs_vec3){v[3], v[4], v[5]});
    }
}

double vs_statics_top_speed(const vs_statics *s, const double *x) {
    double largest = 0;
    for (int k = 0; k < 6 * s->blocks; k++)
        largest = fmax(largest, fabs(x[k]) * (s->unit / s->block[k / 6].unit));
    return largest;
}

// ---- rows --------------------------------------------------------------------------------------------

static void fill_axes(vs_statics *s) {
    for (int i = 0; i < s->interfaces.report.interfaces; i++) {
        vs_vec3 *axis = s->axis + 3 * (int64_t)i;
        const vs_vec3 n = s->interfaces.list.data[i].normal;
        axis[0] = n;
        axis[1] = vs_normalize(vs_cross(n, fabs(n.x) < .7 ? (vs_vec3){1, 0, 0} : (vs_vec3){0, 1, 0}));
        axis[2] = vs_cross(n, axis[1]);
    }
}

// Blocks of an interface in ascending order, with the sign of their velocity in the relative one. Returns their number.
static int list_blocks(const vs_statics *s, const vs_interface *it, int block[2], double sign[2]) {
    const int a = vs_statics_find_block(s, it->a), b = vs_statics_find_block(s, it->b);
    int count = 0;
    if (a >= 0) {
        block[count] = a;
        sign[count++] = -1;
    }
    if (b >= 0) {
        block[count] = b;
        sign[count++] = 1;
    }
    if (count == 2 && block[0] > block[1]) {
        block[0] = b;
        block[1] = a;
        sign[0] = 1;
        sign[1] = -1;
    }
    return count;
}

static bool allocate_rows(vs_statics *s) {
    vs_rows *G = &s->G;
    G->groups = s->interfaces.report.contacts + s->bounds + s->links + 1;
    G->cols = s->columns;
    G->row = VS_NEW_ZERO(&s->arena, int, G->groups + 1);
    G->start = VS_NEW_ZERO(&s->arena, int64_t, G->groups + 1);
    G->value = VS_NEW_ZERO(&s->arena, int64_t, G->groups + 1);
    G->col = VS_NEW(&s->arena, int, MOST_WIDTH *(int64_t)G->groups);
    G->x = VS_NEW(&s->arena, double, 3 * MOST_WIDTH * (int64_t)G->groups);
    s->cone_unit = VS_NEW_ZERO(&s->arena, double, G->groups);
    s->mean = VS_NEW_ZERO(&s->arena, double, G->groups);
    return G->row && G->start && G->value && G->col && G->x && s->cone_unit && s->mean;
}

// The next group: `rows` rows over `width` columns, whose values the caller fills in.
static double *begin_group(vs_rows *G, int group, int rows, int width) {
    G->row[group + 1] = G->row[group] + rows;
    G->start[group + 1] = G->start[group] + width;
    G->value[group + 1] = G->value[group] + (int64_t)rows * width;
    G->rows = G->row[group + 1];
    return G->x + G->value[group];
}

// Number of bounds of a contact, the first of which is *bound; moves on to those of the next one.
static int count_bounds(const vs_statics *s, int contact, int *bound) {
    const int first = *bound;
    while (*bound < s->bounds && s->bound[*bound].contact == contact)
        ++*bound;
    return *bound - first;
}

static bool has_lower(const vs_statics *s, int first, int bounds) {
    return bounds > 0 && s->bound[first].sign > 0;
}

// bound: the first bound of this contact, then of the next one.
static void add_contact(vs_statics *s, int contact, const vs_interface *it, const vs_vec3 *axis, int *bound) {
    int block[2];
    double sign[2];
    const int count = list_blocks(s, it, block, sign), rows = it->mu > 0 ? 3 : 1;
    const int first = *bound, bounds = count_bounds(s, contact, bound);
    double *x = begin_group(&s->G, contact, rows, 6 * count + bounds);
    int *col = s->G.col + s->G.start[contact];
    for (int k = 0; k < bounds; k++)
        col[6 * count + k] = 6 * s->blocks + first + k;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < 6; i++)
            col[6 * k + i] = 6 * block[k] + i;
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < count; k++, x += 6) {
            const double unit = s->cone_unit[contact] / s->block[block[k]].unit;
            const double scale = r == 0 && has_lower(s, first, bounds) ? 0 : -sign[k] * (r == 0 ? 1 : it->mu) * unit;
            const vs_vec3 turn = column_of(s->interfaces.point.data[contact], &s->block[block[k]], axis[r]);
            const double value[6] = {axis[r].x, axis[r].y, axis[r].z, turn.x, turn.y, turn.z};
            for (int i = 0; i < 6; i++)
                x[i] = scale * value[i];
        }
        for (int k = first; k < first + bounds; k++)
            *x++ = r == 0 ? -s->bound[k].sign : 0;
    }
}

// A bound has the unit of its contact; the lower one is its normal force.
static void add_bound(vs_statics *s, int k) {
    const vs_bound *it = &s->bound[k];
    const vs_interface *at = &s->interfaces.list.data[s->of_contact[it->contact]];
    const int group = s->interfaces.report.contacts + k, column = 6 * s->blocks + k;
    int block[2];
    double sign[2];
    const int count = it->sign > 0 ? list_blocks(s, at, block, sign) : 0;
    s->cone_unit[group] = s->cone_unit[it->contact];
    double *x = begin_group(&s->G, group, 1, 6 * count + 1);
    int *col = s->G.col + s->G.start[group];
    for (int i = 0; i < count; i++) {
        const vs_block *on = &s->block[block[i]];
        const vs_vec3 turn = column_of(s->interfaces.point.data[it->contact], on, at->normal);
        const double value[6] = {at->normal.x, at->normal.y, at->normal.z, turn.x, turn.y, turn.z};
        for (int m = 0; m < 6; m++) {
            *col++ = 6 * block[i] + m;
            *x++ = -sign[i] * s->cone_unit[group] / on->unit * value[m];
        }
    }
    *col = column;
    *x = 1;
    s->load[column] = -it->sign * it->value / s->cone_unit[group];
}

static void add_link(vs_statics *s, int k) {
    const vs_link *it = &s->link[k];
    const int group = s->interfaces.report.contacts + s->bounds + k;
    const bool swapped = it->block[0] > it->block[1] && it->block[1] >= 0;
    double *x = begin_group(&s->G, group, 1, 6 * ((it->block[0] >= 0) + (it->block[1] >= 0)));
    int *col = s->G.col + s->G.start[group];
    for (int i = 0; i < 2; i++) {
        const int side = swapped ? 1 - i : i, block = it->block[side];
        if (block < 0)
            continue;
        const vs_block *on = &s->block[block];
        const double scale = (side == 0 ? 1 : -1) * s->cone_unit[group] / on->unit;
        const vs_vec3 push = it->moment ? VS_ZERO3 : it->direction,
                      turn = it->moment ? vs_scale(1 / on->size, it->direction)
                                        : column_of(it->point[side], on, it->direction);
        const double value[6] = {push.x, push.y, push.z, turn.x, turn.y, turn.z};
        for (int m = 0; m < 6; m++) {
            *col++ = 6 * block + m;
            *x++ = scale * value[m];
        }
    }
}

void vs_statics_fill_values(vs_statics *s) {
    int bound = 0;
    for (int i = 0; i < s->interfaces.report.interfaces; i++) {
        const vs_interface *it = &s->interfaces.list.data[i];
        for (int c = it->first; c < it->first + it->corners; c++) {
            s->of_contact[c] = i;
            add_contact(s, c, it, s->axis + 3 * (int64_t)i, &bound);
        }
    }
    for (int k = 0; k < s->bounds; k++)
        add_bound(s, k);
    for (int k = 0; k < s->links; k++)
        add_link(s, k);
    const int last = s->G.groups - 1;
    *begin_group(&s->G, last, 1, 1) = -1;
    s->G.col[s->G.start[last]] = s->columns - 1;
}

vs_error vs_statics_make_rows(vs_statics *s) {
    if (!allocate_rows(s))
        return VS_ERROR_MEMORY;
    fill_axes(s);
    return VS_OK;
}

// G = -D: D'l + f = D'z + f - D'(pull e_n).
void vs_statics_shift_load(vs_statics *s) {
    const vs_rows *G = &s->G;
    for (int c = 0; c < s->interfaces.report.contacts; c++) {
        const int lower = lower_bound_of(s, c), g = lower >= 0 ? s->interfaces.report.contacts + lower : c;
        for (int64_t k = 0; k < G->start[g + 1] - G->start[g] && s->pull[c] > 0; k++) {
            const int column = G->col[G->start[g] + k];
            if (column < 6 * s->blocks)
                s->shift[column] += G->x[G->value[g] + k] * (s->pull[c] / s->cone_unit[g]);
        }
    }
    for (int k = 0; k < 6 * s->blocks; k++)
        s->load[k] += s->shift[k];
}

double vs_statics_own_load(const vs_statics *s, const double *f, int block) {
    double beside[6];
    for (int k = 0; k < 6; k++)
        beside[k] = f[6 * block + k] - s->shift[6 * block + k];
    const double all = vs_vector_norm(6, f + 6 * (int64_t)block), own = vs_vector_norm(6, beside);
    return all > 0 && own > 0 ? fmin(all, own) : fmax(all, own);
}
