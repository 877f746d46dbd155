// The matrices of an assembly: blocks, loads, and the rows of its contacts.
#include <math.h>

#include "statics/statics_data.h"

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

void vs_statics_add_component(const vs_statics *s, int k, vs_vec3 direction, double *q) {
    const vs_interface *it = &s->interfaces.list.data[k];
    const vs_vec3 *axis = s->axis + 3 * (int64_t)k;
    for (int c = it->first; c < it->first + it->corners; c++) {
        const int row = s->G.row[c], rows = s->G.row[c + 1] - row;
        for (int i = 0; i < rows; i++)
            q[row + i] += s->cone_unit[c] / s->unit * (i == 0 ? 1 : it->mu) * vs_dot(axis[i], direction);
    }
}

void vs_statics_show_forces(vs_statics *s, const double *z) {
    for (int c = 0; c < s->interfaces.report.contacts; c++) {
        const int i = s->of_contact[c], row = s->G.row[c], rows = s->G.row[c + 1] - row;
        const vs_vec3 *axis = s->axis + 3 * (int64_t)i;
        vs_vec3 sum = VS_ZERO3;
        for (int k = 0; k < rows; k++)
            sum = vs_add_scaled(sum, s->cone_unit[c] * (k == 0 ? 1 : s->interfaces.list.data[i].mu) * z[row + k],
                                axis[k]);
        s->force[c] = sum;
    }
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
    G->groups = s->interfaces.report.contacts + 1;
    G->cols = s->columns;
    G->row = VS_NEW_ZERO(&s->arena, int, G->groups + 1);
    G->start = VS_NEW_ZERO(&s->arena, int64_t, G->groups + 1);
    G->value = VS_NEW_ZERO(&s->arena, int64_t, G->groups + 1);
    G->col = VS_NEW(&s->arena, int, 12 * (int64_t)G->groups);
    G->x = VS_NEW(&s->arena, double, 36 * (int64_t)G->groups);
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

static void add_contact(vs_statics *s, int contact, const vs_interface *it, const vs_vec3 *axis) {
    int block[2];
    double sign[2];
    const int count = list_blocks(s, it, block, sign), rows = it->mu > 0 ? 3 : 1;
    double *x = begin_group(&s->G, contact, rows, 6 * count);
    int *col = s->G.col + s->G.start[contact];
    for (int k = 0; k < count; k++)
        for (int i = 0; i < 6; i++)
            col[6 * k + i] = 6 * block[k] + i;
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < count; k++, x += 6) {
            const double unit = s->cone_unit[contact] / s->block[block[k]].unit;
            const double scale = -sign[k] * (r == 0 ? 1 : it->mu) * unit;
            const vs_vec3 turn = column_of(s->interfaces.point.data[contact], &s->block[block[k]], axis[r]);
            const double value[6] = {axis[r].x, axis[r].y, axis[r].z, turn.x, turn.y, turn.z};
            for (int i = 0; i < 6; i++)
                x[i] = scale * value[i];
        }
}

void vs_statics_fill_values(vs_statics *s) {
    for (int i = 0; i < s->interfaces.report.interfaces; i++) {
        const vs_interface *it = &s->interfaces.list.data[i];
        for (int c = it->first; c < it->first + it->corners; c++) {
            s->of_contact[c] = i;
            add_contact(s, c, it, s->axis + 3 * (int64_t)i);
        }
    }
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
