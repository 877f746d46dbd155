// From bodies to a contact problem: the only place that knows both worlds. First all groups of rows are gathered, then
// they become a problem: a new one, or, if the pattern is that of the last step, its values are replaced in place.
//
//     contact (a, b), axis d = n, u, w:   D = [-d', -(R_a'(r_a x d))', d', (R_b'(r_b x d))']
//     normal row:      b = -e u_old        if it closes faster than v_min within the step
//                      b = -max(gap/h, -v_rec)  otherwise
//
// Bodies without mass have no columns: their velocity goes to the right-hand side, as does that of moving surfaces.
#include <math.h>
#include <string.h>

#include "step/simulation_data.h"

static const double SLOP = 1e-9; // of a body's size: gaps up to this count as closed

// What decides whether the prepared problem fits.
typedef struct group_shape {
    vs_group_kind kind;
    int rows, blocks;
    int block[VS_GROUP_BLOCKS];
} group_shape;

// ---- blocks ----------------------------------------------------------------------------------------

static vs_error number_blocks(vs_simulation *s) {
    const vs_world *world = s->world;
    vs_error error = vs_list_reserve(s->context, &s->block_of, world->bodies, sizeof(int));
    if (!error)
        error = vs_list_reserve(s->context, &s->body_of, world->bodies, sizeof(int));
    if (error)
        return error;
    int *block_of = s->block_of.data, *body_of = s->body_of.data, count = 0;
    for (int k = 0; k < world->bodies; k++) {
        const vs_body *body = &world->body[k];
        block_of[k] = VS_NO_BLOCK;
        if (vs_world_place(world, k) != VS_PLACE_HERE || !body->alive || body->motion != VS_MOTION_DYNAMIC)
            continue;
        block_of[k] = count;
        body_of[count++] = k;
    }
    s->block_of.count = world->bodies;
    s->body_of.count = s->owned = count;
    error = s->division ? vs_step_number_ghosts(s) : VS_OK;
    return error ? error : vs_coupling_number(s);
}

static void free_nodes(vs_simulation *s, int flexible) {
    const vs_flexible *f = &s->world->flexible[flexible];
    double h = s->options.step, *free = s->free.data, *before = s->before.data;
    for (int k = 0; k < f->nodes && !f->beam; k++) {
        int block = vs_coupling_block(s, flexible, k);
        if (block == VS_NO_BLOCK)
            continue;
        vs_vec3 now = f->velocity[k], then = vs_add_scaled(now, h, s->world->gravity);
        int column = vs_block_column(s, block);
        before[column] = now.x, before[column + 1] = now.y, before[column + 2] = now.z;
        free[column] = then.x, free[column + 1] = then.y, free[column + 2] = then.z;
    }
}

// Velocities before the step, and without what constrains them: of nodes without the elements, too.
static vs_error find_velocities(vs_simulation *s) {
    const vs_world *world = s->world;
    int64_t n = vs_step_size(s);
    vs_error error = vs_list_reserve(s->context, &s->free, n, sizeof(double));
    if (!error)
        error = vs_list_reserve(s->context, &s->before, n, sizeof(double));
    if (!error)
        error = vs_list_reserve(s->context, &s->c, n, sizeof(double));
    if (error)
        return error;
    double *free = s->free.data, *before = s->before.data;
    for (int count = 0; count < (int)s->body_of.count; count++) {
        int k = ((const int *)s->body_of.data)[count];
        const vs_body *body = &world->body[k];
        vs_vec3 velocity, spin;
        vs_body_free(world, k, s->options.step, &velocity, &spin);
        const double now[6] = {body->velocity.x, body->velocity.y, body->velocity.z,
                               body->spin.x,     body->spin.y,     body->spin.z};
        const double then[6] = {velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z};
        memcpy(before + 6 * (int64_t)count, now, sizeof now);
        memcpy(free + 6 * (int64_t)count, then, sizeof then);
    }
    for (int k = 0; k < world->flexibles; k++)
        free_nodes(s, k);
    return VS_OK;
}

int vs_step_block_of(const vs_simulation *s, int body) {
    return ((const int *)s->block_of.data)[body];
}

// ---- groups ----------------------------------------------------------------------------------------

vs_group_values vs_step_values(const vs_simulation *s, const vs_group *group) {
    double *J = (double *)s->pool.data + group->values, *b = J + 6 * (int64_t)group->rows * group->blocks;
    int rows = group->rows;
    return (vs_group_values){.J = J,
                             .b = b,
                             .E = b + rows,
                             .lo = b + 2 * rows,
                             .hi = b + 3 * rows,
                             .given = b + 4 * rows,
                             .booked = b + 5 * rows,
                             .damping = b + 6 * rows,
                             .direction = b + 7 * rows};
}

// A new group with its values zero.
vs_error vs_step_add_group(vs_simulation *s, vs_group group, vs_group **out) {
    vs_error error = vs_list_reserve(s->context, &s->group, s->group.count + 1, sizeof(vs_group));
    int64_t values = (int64_t)group.rows * (6 * group.blocks + 13);
    if (!error)
        error = vs_list_reserve(s->context, &s->pool, s->pool.count + values, sizeof(double));
    if (error)
        return error;
    group.values = s->pool.count;
    memset((double *)s->pool.data + s->pool.count, 0, sizeof(double) * (size_t)values);
    s->pool.count += values;
    *out = (vs_group *)s->group.data + s->group.count++;
    **out = group;
    return VS_OK;
}

// ---- contacts --------------------------------------------------------------------------------------

// Tangents as a fixed function of the normal, right-handed: n x u = w.
void vs_step_frame(vs_vec3 n, vs_vec3 frame[3]) {
    vs_vec3 axis = fabs(n.x) < .6 ? (vs_vec3){1, 0, 0} : (vs_vec3){0, 1, 0};
    frame[0] = n;
    frame[1] = vs_normalize(vs_cross(n, axis));
    frame[2] = vs_cross(n, frame[1]);
}

// (d, R'(r x d)): how the velocities of a body move its point along d.
void vs_step_point_row(const vs_body *body, vs_vec3 point, vs_vec3 d, double sign, double row[6]) {
    vs_vec3 arm = vs_subtract(point, body->pose.position);
    vs_vec3 turn = vs_rotate_back(body->pose.rotation, vs_cross(arm, d));
    const double all[6] = {d.x, d.y, d.z, turn.x, turn.y, turn.z};
    for (int k = 0; k < 6; k++)
        row[k] = sign * all[k];
}

double vs_step_row_times(const double row[6], const double v[6]) {
    double sum = 0;
    for (int k = 0; k < 6; k++)
        sum += row[k] * v[k];
    return sum;
}

void vs_step_velocities(const vs_body *body, double v[6]) {
    const double all[6] = {body->velocity.x, body->velocity.y, body->velocity.z,
                           body->spin.x,     body->spin.y,     body->spin.z};
    memcpy(v, all, sizeof all);
}

// Velocities of a body without mass: mean of the last step and this one.
static void mean_velocities(const vs_body *body, double v[6]) {
    vs_vec3 a = vs_scale(.5, vs_add(body->old_velocity, body->velocity));
    vs_vec3 w = vs_scale(.5, vs_add(body->old_spin, body->spin));
    const double all[6] = {a.x, a.y, a.z, w.x, w.y, w.z};
    memcpy(v, all, sizeof all);
}

static double smaller_size(const vs_world *world, const vs_contact *contact) {
    return fmin(world->collider[contact->collider_a].shape->size, world->collider[contact->collider_b].shape->size);
}

// Right-hand side of the normal row.
double vs_step_normal_offset(const vs_simulation *s, double gap, double size, const vs_material *material, double u_old,
                             double u_free) {
    double h = s->options.step, gravity = vs_length(s->world->gravity);
    double v_min = s->options.restitution_speed < 0 ? 2 * gravity * h : s->options.restitution_speed;
    if (material->restitution > 0 && gap + h * u_free <= 0 && -u_old > v_min)
        return -material->restitution * u_old;
    double v_rec = s->options.recovery_speed > 0 ? s->options.recovery_speed
                   : isfinite(size)              ? fmin(.1 / h, 1) * size
                                                 : 1;
    // What earlier steps left open or pressed in within their tolerance is not worth a correction, and would keep a
    // wall at rest from ever being the same problem twice.
    double slop = isfinite(size) ? SLOP * size : 0;
    gap -= fmin(fmax(gap, -slop), slop);
    return -fmax(gap / h, -v_rec);
}

typedef struct row_sums {
    double u_old, u_free, given, booked; // m/s; the last two of what has no columns (vs_group_values)
} row_sums;

// Row i of a contact, along d.
static row_sums fill_row(const vs_simulation *s, const vs_contact *contact, const vs_group *group, int i, vs_vec3 d) {
    const vs_world *world = s->world;
    const int bodies[2] = {contact->a, contact->b}, colliders[2] = {contact->collider_a, contact->collider_b};
    double *J = vs_step_values(s, group).J;
    row_sums sums = {0};
    for (int side = 0, part = 0; side < 2; side++) {
        const vs_body *body = &world->body[bodies[side]];
        int block = vs_step_block_of(s, bodies[side]), sign = side ? 1 : -1;
        double row[6], now[6], mean[6];
        vs_step_point_row(body, contact->point, d, sign, row);
        vs_step_velocities(body, now);
        sums.u_old += vs_step_row_times(row, now);
        if (block == VS_NO_BLOCK) {
            mean_velocities(body, mean);
            sums.given += vs_step_row_times(row, now);
            sums.booked += vs_step_row_times(row, mean);
            sums.u_free += vs_step_row_times(row, now);
        } else {
            memcpy(J + 6 * ((int64_t)part++ * group->rows + i), row, sizeof row);
            sums.u_free += vs_step_row_times(row, (const double *)s->free.data + 6 * (int64_t)block);
        }
        double surface = vs_dot(d, vs_rotate(body->pose.rotation, world->collider[colliders[side]].surface_velocity));
        sums.given += sign * surface;
        sums.booked += sign * surface;
    }
    return sums;
}

static vs_error add_contact(vs_simulation *s, int k) {
    const vs_world *world = s->world;
    const vs_contact *contact = &s->contacts->contact[k];
    const vs_collider *collider[2] = {&world->collider[contact->collider_a], &world->collider[contact->collider_b]};
    const int bodies[2] = {contact->a, contact->b};
    vs_material material = vs_world_get_material_pair(world, collider[0]->material, collider[1]->material);
    bool friction = material.mu > 0;
    vs_group group = {.kind = friction ? VS_GROUP_CONTACT : VS_GROUP_SMOOTH,
                      .rows = friction ? 3 : 1,
                      .mu = material.mu,
                      .key = contact->key,
                      .source = k},
             *added;
    for (int side = 0; side < 2; side++)
        if (vs_step_block_of(s, bodies[side]) != VS_NO_BLOCK)
            group.block[group.blocks++] = vs_step_block_of(s, bodies[side]);
    vs_error error = vs_step_add_group(s, group, &added);
    if (error)
        return error;
    vs_vec3 *frame = (vs_vec3 *)s->frame.data + 3 * (int64_t)k;
    vs_step_frame(contact->normal, frame);
    vs_group_values values = vs_step_values(s, added);
    for (int i = 0; i < group.rows; i++) {
        row_sums sums = fill_row(s, contact, added, i, frame[i]);
        double offset = i > 0 ? 0
                              : vs_step_normal_offset(s, contact->gap, smaller_size(world, contact), &material,
                                                      sums.u_old, sums.u_free);
        if (i == 0)
            ((double *)s->offset.data)[k] = offset;
        values.b[i] = offset - sums.given;
        values.given[i] = sums.given;
        values.booked[i] = sums.booked;
    }
    values.E[0] = material.compliance / (s->options.step * s->options.step);
    return VS_OK;
}

static vs_error add_contacts(vs_simulation *s) {
    int count = vs_step_contacts(s);
    vs_error error = vs_list_reserve(s->context, &s->frame, 3 * (int64_t)count, sizeof(vs_vec3));
    if (!error)
        error = vs_list_reserve(s->context, &s->offset, count, sizeof(double));
    for (int k = 0; k < s->contacts->count && !error; k++)
        error = add_contact(s, k);
    for (int k = 0; k < s->node_contacts->count && !error; k++)
        error = vs_step_add_node_contact(s, k);
    return error;
}

// ---- joints ----------------------------------------------------------------------------------------

// Rows first … first + count - 1 of a joint as one group.
static vs_error add_joint_group(vs_simulation *s, int slot, const vs_joint_row *row, int first, int count,
                                vs_group_kind kind) {
    const vs_world *world = s->world;
    const vs_joint *joint = &world->joint[slot];
    const int *body = row[first].body;
    int bodies = row[first].gear ? 4 : 2;
    vs_group group = {.kind = kind, .rows = count, .source = slot, .first = first, .drives = row[first].drives};
    group.key = UINT64_C(1) << 63 | (uint64_t)slot << 24 | (uint64_t)(joint->generation & 0xffff) << 8;
    for (int k = 0; k < bodies; k++)
        if (vs_step_block_of(s, body[k]) != VS_NO_BLOCK)
            group.block[group.blocks++] = vs_step_block_of(s, body[k]);
    if (group.blocks == 0)
        return VS_OK;
    vs_group *added;
    vs_error error = vs_step_add_group(s, group, &added);
    if (error)
        return error;
    vs_group_values values = vs_step_values(s, added);
    for (int i = 0; i < count; i++) {
        const vs_joint_row *from = &row[first + i];
        const double *J[4] = {from->J_a, from->J_b, from->J_c, from->J_d};
        double given = 0, booked = 0;
        for (int k = 0, part = 0; k < bodies; k++) {
            double v[6], mean[6];
            vs_step_velocities(&world->body[body[k]], v);
            mean_velocities(&world->body[body[k]], mean);
            if (vs_step_block_of(s, body[k]) == VS_NO_BLOCK)
                given += vs_step_row_times(J[k], v), booked += vs_step_row_times(J[k], mean);
            else
                memcpy(values.J + 6 * ((int64_t)part++ * count + i), J[k], 6 * sizeof(double));
        }
        values.b[i] = from->b - given;
        values.given[i] = given;
        values.booked[i] = booked;
        values.damping[i] = from->spring ? from->damping : -1;
        values.E[i] = from->compliance;
        values.lo[i] = from->lo;
        values.hi[i] = from->hi;
        memcpy(values.direction + 6 * (int64_t)i, from->direction, sizeof from->direction);
    }
    return VS_OK;
}

// Limits and boxes belong to the contacts of the problem, bilateral rows to its joints.
static vs_error add_joints(vs_simulation *s, bool bilateral) {
    const vs_world *world = s->world;
    vs_error error = VS_OK;
    for (int slot = 0; slot < world->joints && !error; slot++) {
        vs_joint_row row[VS_JOINT_ROWS_MOST];
        if (!world->joint[slot].alive || !vs_world_joint_is_here(world, &world->joint[slot]))
            continue;
        int count = vs_joint_rows(world, &world->joint[slot], s->options.step, row), held = 0;
        while (held < count && row[held].kind == VS_ROW_BILATERAL)
            held++;
        if (bilateral && held > 0)
            error = add_joint_group(s, slot, row, 0, held, VS_GROUP_JOINT);
        for (int k = held; k < count && !bilateral && !error; k++)
            error = add_joint_group(s, slot, row, k, 1, row[k].kind == VS_ROW_BOX ? VS_GROUP_BOX : VS_GROUP_LIMIT);
    }
    return error;
}

// ---- problem ---------------------------------------------------------------------------------------

// c = -M v_free; M of a body is constant in its own axes.
static void find_c(const vs_simulation *s, int block, double c[6]) {
    const vs_body *body = &s->world->body[((const int *)s->body_of.data)[block]];
    const double *v = (const double *)s->free.data + 6 * (int64_t)block;
    vs_vec3 turn = vs_mat3_apply(&body->inertia, (vs_vec3){v[3], v[4], v[5]});
    const double all[6] = {-body->mass * v[0], -body->mass * v[1], -body->mass * v[2], -turn.x, -turn.y, -turn.z};
    memcpy(c, all, sizeof all);
}

// c of all blocks, and H where elements couple them.
static vs_error find_right(vs_simulation *s) {
    double *c = s->c.data;
    for (int k = 0; k < vs_step_size(s); k++)
        c[k] = 0;
    for (int k = 0; k < (int)s->body_of.count; k++)
        find_c(s, k, c + 6 * (int64_t)k);
    return s->coupling.needed ? vs_coupling_fill(s) : VS_OK;
}

static vs_error build_coupled(const vs_simulation *s, vs_problem_builder *builder) {
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *c = (const double *)s->c.data + 6 * s->body_of.count;
    vs_error error = VS_OK;
    for (int k = 0; k < s->nodes && !error; k++)
        error = vs_problem_builder_add_block(builder, 3, one, c + 3 * (int64_t)k, NULL);
    int n = vs_step_size(s);
    const vs_matrix_view H = {n, n, s->coupling.p.data, s->coupling.i.data, s->coupling.x.data};
    return error ? error : vs_problem_builder_set_mass(builder, &H);
}

static vs_error build_blocks(const vs_simulation *s, vs_problem_builder *builder) {
    vs_error error = VS_OK;
    for (int k = 0; k < (int)s->body_of.count && !error; k++) {
        const vs_body *body = &s->world->body[((const int *)s->body_of.data)[k]];
        double H[36] = {0};
        for (int i = 0; i < 3; i++) {
            H[7 * i] = body->mass;
            for (int j = 0; j < 3; j++)
                H[6 * (3 + i) + 3 + j] = body->inertia.a[3 * i + j];
        }
        error = vs_problem_builder_add_block(builder, 6, H, (const double *)s->c.data + 6 * (int64_t)k, NULL);
    }
    return !error && s->coupling.needed ? build_coupled(s, builder) : error;
}

static vs_error build_group(const vs_simulation *s, vs_problem_builder *builder, const vs_group *group) {
    vs_group_values values = vs_step_values(s, group);
    const double *J[VS_GROUP_BLOCKS];
    for (int k = 0; k < group->blocks; k++)
        J[k] = values.J + 6 * (int64_t)k * group->rows;
    if (group->kind == VS_GROUP_JOINT) {
        vs_problem_joint_def def = vs_problem_joint_def_default();
        def.rows = group->rows, def.blocks = group->blocks, def.block = group->block, def.jacobian = J;
        def.b = values.b, def.compliance = values.E, def.key = group->key;
        return vs_problem_builder_add_joint(builder, &def, NULL);
    }
    if (group->kind == VS_GROUP_BOX) {
        vs_problem_box_def def = vs_problem_box_def_default();
        def.rows = group->rows, def.blocks = group->blocks, def.block = group->block, def.jacobian = J;
        def.b = values.b, def.compliance = values.E, def.lo = values.lo, def.hi = values.hi, def.key = group->key;
        return vs_problem_builder_add_box(builder, &def, NULL);
    }
    vs_problem_contact_def def = vs_problem_contact_def_default();
    def.blocks = group->blocks, def.block = group->block, def.jacobian = J;
    memcpy(def.b, values.b, sizeof(double) * (size_t)group->rows);
    def.mu = group->mu, def.frictionless = group->kind != VS_GROUP_CONTACT;
    def.compliance = values.E[0], def.key = group->key;
    return vs_problem_builder_add_contact(builder, &def, NULL);
}

// The values of a group of rows of the prepared problem; a block named twice is added up.
static void refill_rows(const vs_simulation *s, const vs_group *group, const vs_rows *A, int g) {
    vs_group_values values = vs_step_values(s, group);
    int64_t width = A->start[g + 1] - A->start[g];
    double *x = A->x + A->value[g];
    memset(x, 0, sizeof(double) * (size_t)(width * group->rows));
    for (int k = 0; k < group->blocks; k++) {
        int64_t at = 0;
        int columns = vs_block_width(s, group->block[k]), column = vs_block_column(s, group->block[k]);
        while (A->col[A->start[g] + at] != column)
            at += 3;
        for (int i = 0; i < group->rows; i++)
            for (int j = 0; j < columns; j++)
                x[i * width + at + j] += values.J[6 * (int64_t)k * group->rows + columns * i + j];
    }
}

static void refill(vs_simulation *s) {
    vs_problem *problem = s->problem;
    const vs_group *group = s->group.data;
    memcpy(problem->c, s->c.data, sizeof(double) * (size_t)vs_step_size(s));
    if (s->coupling.needed)
        memcpy(problem->H.x, s->coupling.x.data, sizeof(double) * (size_t)s->coupling.x.count);
    for (int64_t k = 0, contacts = 0, joints = 0; k < s->group.count; k++) {
        vs_group_values values = vs_step_values(s, &group[k]);
        size_t bytes = sizeof(double) * (size_t)group[k].rows;
        if (group[k].kind == VS_GROUP_JOINT) {
            int g = (int)joints++, row = problem->joint_row[g];
            refill_rows(s, &group[k], &problem->C, g);
            memcpy(problem->b_e + row, values.b, bytes);
            memcpy(problem->E_e + row, values.E, bytes);
            continue;
        }
        int g = (int)contacts++, row = problem->row[g];
        refill_rows(s, &group[k], &problem->D, g);
        memcpy(problem->b + row, values.b, bytes);
        memcpy(problem->E + row, values.E, bytes);
        problem->mu[g] = group[k].mu;
        problem->key[g] = group[k].key;
        if (group[k].kind == VS_GROUP_BOX) {
            memcpy(problem->lo + row, values.lo, bytes);
            memcpy(problem->hi + row, values.hi, bytes);
        }
    }
}

static vs_error build(vs_simulation *s) {
    vs_solver_destroy(s->solver);
    vs_problem_destroy(s->problem);
    s->solver = NULL;
    s->problem = NULL;
    if (vs_step_size(s) == 0 || vs_step_is_free(s))
        return VS_OK; // nothing to solve
    vs_problem_builder *builder;
    vs_error error = vs_problem_builder_create(s->context, &builder);
    if (error)
        return error;
    error = build_blocks(s, builder);
    const vs_group *group = s->group.data;
    for (int64_t k = 0; k < s->group.count && !error; k++)
        error = build_group(s, builder, &group[k]);
    if (error)
        vs_problem_builder_destroy(builder);
    else
        error = vs_problem_builder_finish(builder, &s->problem);
    error = vs_division_agree(s->division, error);
    if (!error && s->division)
        error = vs_step_connect(s);
    if (!error)
        error = vs_solver_create(s->problem, &s->options.solver, &s->solver);
    return vs_division_agree(s->division, error);
}

// Is the prepared problem one of these groups? Remembers them as the pattern in any case.
static vs_error compare_pattern(vs_simulation *s, bool *same) {
    *same = s->solver && s->topology == s->world->topology && s->shape.count == s->group.count;
    vs_error error = vs_list_reserve(s->context, &s->shape, s->group.count, sizeof(group_shape));
    if (error)
        return error;
    group_shape *shape = s->shape.data;
    const vs_group *group = s->group.data;
    for (int64_t k = 0; k < s->group.count; k++) {
        group_shape now;
        memset(&now, 0, sizeof now); // padding, too: shapes are compared as bytes
        now.kind = group[k].kind;
        now.rows = group[k].rows;
        now.blocks = group[k].blocks;
        memcpy(now.block, group[k].block, sizeof now.block);
        *same = *same && memcmp(&now, &shape[k], sizeof now) == 0;
        shape[k] = now;
    }
    s->shape.count = s->group.count;
    s->topology = s->world->topology;
    *same = vs_step_is_same_division(s, *same);
    return VS_OK;
}

vs_error vs_step_assemble(vs_simulation *s) {
    bool same = false;
    s->group.count = s->pool.count = 0;
    s->expanded = false;
    vs_error error = number_blocks(s);
    if (!error)
        error = find_velocities(s);
    if (!error)
        error = find_right(s);
    if (!error)
        error = add_contacts(s);
    if (!error)
        error = add_joints(s, false);
    if (!error)
        error = add_joints(s, true);
    if (!error && s->coupling.needed)
        error = vs_step_add_glue(s);
    error = vs_division_agree(s->division, error);
    if (!error)
        error = compare_pattern(s, &same);
    if (error)
        return error;
    if (!same)
        return build(s);
    refill(s);
    error = vs_solver_update(s->solver, s->problem);
    // An impulse that became or ceased to be given (a box without width) changes the pattern, too.
    return error == VS_ERROR_DATA ? build(s) : error;
}

vs_error vs_step_assemble_again(vs_simulation *s) {
    vs_error error = find_right(s);
    if (error)
        return error;
    refill(s);
    return vs_solver_update(s->solver, s->problem);
}
