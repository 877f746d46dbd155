// Steps of the projection and their derivatives: see projection_derivative.h. A step's problem is linear, so that one derivative, at no
// impulses, solves it and differentiates it:
//
//     M x = J'g,  J x = -Psi           M dx = J'dg + dJ'g - dM x,  J dx = -dPsi - dJ x
//     R <- R exp(x_r)                  t <- t + R J(x_r) dx_r               J(r): left Jacobian of the exponential
//
// The angular velocity w is kept in the body's axes: with Q = R_end R', dw <- (t_end - Q t) x w_end + Q dw. A further step has a
// differential where the first one moved by more than a rounding: what it corrects depends on the first one's x times its direction.
#include "step/derivative/projection_derivative.h"

#include <math.h>
#include <string.h>

#include "body/joint_command.h"
#include "body/joint_coordinate.h"
#include "body/joint_projection.h"
#include "body/motion_derivative.h"
#include "step/problem/step_problem.h"

static const double SMALL = 1e-9; // m, rad: a step by less is the last one, its curvature is rounding
static const double KEPT = 1e-9;  // m, rad: joints that are left violated by more were not satisfied

typedef struct projection_work {
    vs_world *world;
    const vs_blocks *blocks;
    vs_arena *arena;
    int joints, rows;  // that take part
    int *slot;         // (joints)
    vs_joint_use *use; // (joints)
    double *held;      // (slots)
    double *b, *g, *x; // (rows), (rows), (6 blocks)
    vs_joint_state state;
} projection_work;

// ---- participants ----------------------------------------------------------------------------------

static int block_of(const projection_work *w, int body) {
    return vs_blocks_of_body(w->blocks, body);
}

static bool moves(const projection_work *w, const vs_joint_row *row) {
    for (int k = 0; k < row->bodies; k++)
        if (block_of(w, row->body[k]) != VS_NO_BLOCK)
            return true;
    return false;
}

static void add_joint(projection_work *w, int slot) {
    const vs_joint *joint = &w->world->joint[slot];
    vs_joint_row row[VS_JOINT_ROWS_MOST];
    if (!joint->alive || joint->def.compliance > 0 || !vs_world_joint_is_here(w->world, joint))
        return;
    double rate;
    vs_joint_coordinate(w->world, joint, &w->held[slot], &rate);
    const int rows = vs_joint_state_rows(&w->state, slot, row);
    if (rows == 0 || !moves(w, row))
        return;
    vs_joint_use *use = &w->use[w->joints];
    use->rows = rows;
    for (int i = 0; i < rows; i++)
        use->row[i] = (vs_joint_use_row){.at = i, .row = w->rows + i, .bilateral = true};
    w->rows += rows;
    w->slot[w->joints++] = slot;
}

static vs_error find_joints(projection_work *w) {
    const int slots = w->world->joints;
    w->slot = VS_NEW(w->arena, int, slots);
    w->use = VS_NEW(w->arena, vs_joint_use, slots);
    w->held = VS_NEW_ZERO(w->arena, double, slots);
    w->x = VS_NEW_ZERO(w->arena, double, 6 * w->blocks->body.count);
    w->state = (vs_joint_state){.world = w->world, .blocks = w->blocks, .v = w->x, .held = w->held};
    if (!w->slot || !w->use || !w->held || !w->x)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < slots; k++)
        add_joint(w, k);
    w->b = VS_NEW_ZERO(w->arena, double, w->rows);
    w->g = VS_NEW_ZERO(w->arena, double, w->rows);
    return w->b && w->g ? VS_OK : VS_ERROR_MEMORY;
}

// ---- the problem of a step -------------------------------------------------------------------------

static vs_error build_joint(const projection_work *w, int k, vs_problem_builder *builder) {
    vs_joint_row row[VS_JOINT_ROWS_MOST];
    double values[VS_ROW_BODIES_MOST][6 * VS_JOINT_ROWS_MOST];
    const double *J[VS_ROW_BODIES_MOST];
    int block[VS_ROW_BODIES_MOST], blocks = 0;
    const int rows = vs_joint_state_rows(&w->state, w->slot[k], row);
    for (int i = 0; i < rows; i++) {
        w->b[w->use[k].row[i].row] = row[i].b;
        for (int n = 0; n < row[i].bodies; n++) {
            int at = 0;
            const int own = block_of(w, row[i].body[n]);
            while (at < blocks && block[at] != own)
                at++;
            if (own == VS_NO_BLOCK)
                continue;
            if (at == blocks) {
                memset(values[at], 0, sizeof values[at]);
                J[at] = values[at];
                block[blocks++] = own;
            }
            for (int c = 0; c < 6; c++)
                values[at][6 * i + c] += row[i].J[n][c];
        }
    }
    vs_problem_joint_def def = vs_problem_joint_def_default();
    def.rows = rows, def.blocks = blocks, def.block = block, def.jacobian = J;
    return vs_problem_builder_add_joint(builder, &def, NULL);
}

static vs_error build(const projection_work *w, vs_problem **problem) {
    static const double none[6];
    vs_problem_builder *builder;
    vs_error error = vs_problem_builder_create(w->world->context, &builder);
    if (error)
        return error;
    for (int k = 0; k < (int)w->blocks->body.count && !error; k++) {
        double H[36];
        vs_step_problem_mass(&w->world->body[w->blocks->body.data[k]], H);
        error = vs_problem_builder_add_block(builder, 6, H, none, NULL);
    }
    for (int k = 0; k < w->joints && !error; k++)
        error = build_joint(w, k, builder);
    if (!error)
        return vs_problem_builder_finish(builder, problem);
    vs_problem_builder_destroy(builder);
    return error;
}

static vs_error solve(const projection_work *w, vs_projection_part *part) {
    vs_error error = build(w, &part->problem);
    double *none = error ? NULL : VS_NEW_ZERO(w->arena, double, w->rows);
    if (!error && !none)
        error = VS_ERROR_MEMORY;
    if (!error)
        error = vs_derivative_create(part->problem, NULL, none, NULL, &part->solution);
    if (error)
        return error;
    const vs_problem_direction data = {.b_e = w->b};
    const vs_solution_direction solution = {.v = w->x, .g = w->g};
    return vs_derivative_tangent(part->solution, &data, &solution, NULL);
}

// ---- a step ----------------------------------------------------------------------------------------

static vs_error differentiate(const projection_work *w, vs_projection_part *part, bool *lost) {
    vs_error error = VS_OK;
    part->joint = VS_NEW_ZERO(w->arena, vs_joint_differential, w->joints);
    part->joints = part->joint ? w->joints : 0;
    for (int k = 0; k < part->joints && !error && !*lost; k++) {
        for (int i = 0; i < w->use[k].rows; i++)
            w->use[k].row[i].impulse = w->g[w->use[k].row[i].row];
        error = vs_joint_differential_set(&part->joint[k], &w->state, w->slot[k], &w->use[k], w->arena, lost);
    }
    return part->joint ? error : VS_ERROR_MEMORY;
}

// M x/m
static void set_momentum(const projection_work *w, double *momentum) {
    for (int k = 0; k < (int)w->blocks->body.count; k++)
        vs_step_problem_momentum(&w->world->body[w->blocks->body.data[k]], w->x + 6 * (int64_t)k,
                                 momentum + 6 * (int64_t)k);
}

// Moves the bodies; returns the largest move, m or rad.
static double move(const projection_work *w, vs_mat3 *turn) {
    double largest = 0;
    for (int k = 0; k < (int)w->blocks->body.count; k++) {
        const double *x = w->x + 6 * (int64_t)k;
        const vs_vec3 shift = {x[0], x[1], x[2]}, r = {x[3], x[4], x[5]};
        vs_pose *pose = &w->world->body[w->blocks->body.data[k]].pose;
        for (int i = 0; i < 3; i++) {
            const vs_vec3 by = vs_rotate(pose->rotation, vs_exp_left(r, (vs_vec3){i == 0, i == 1, i == 2}));
            turn[k].a[i] = by.x, turn[k].a[3 + i] = by.y, turn[k].a[6 + i] = by.z;
        }
        pose->position = vs_add(pose->position, shift);
        pose->rotation = vs_quat_normalize(vs_quat_multiply(pose->rotation, vs_quat_exp(r)));
        largest = fmax(largest, fmax(vs_length(shift), vs_length(r)));
    }
    vs_joints_remember(w->world);
    return largest;
}

static vs_error take_step(const projection_work *w, vs_projection_part *part, double *largest, bool *lost) {
    vs_error error = solve(w, part);
    if (!error)
        error = differentiate(w, part, lost);
    part->turn = VS_NEW(w->arena, vs_mat3, w->blocks->body.count);
    part->momentum = VS_NEW(w->arena, double, 6 * w->blocks->body.count);
    if (!part->turn || !part->momentum)
        return VS_ERROR_MEMORY;
    set_momentum(w, part->momentum);
    if (!error && !*lost)
        *largest = move(w, part->turn);
    return error;
}

// ---- the projection --------------------------------------------------------------------------------

static void set_held(const projection_work *w, int k, vs_held_row *held) {
    vs_joint_row row[VS_JOINT_ROWS_MOST];
    const int rows = vs_joint_state_rows(&w->state, w->slot[k], row);
    const vs_joint_row *last = &row[rows - 1];
    *held = (vs_held_row){.row = w->use[k].row[rows - 1].row, .bodies = last->bodies};
    for (int i = 0; i < last->bodies; i++) {
        const double *J = last->J[i];
        const vs_vec3 turn = vs_rotate(w->world->body[last->body[i]].pose.rotation, (vs_vec3){J[3], J[4], J[5]});
        held->block[i] = block_of(w, last->body[i]);
        memcpy(held->J[i], (const double[6]){J[0], J[1], J[2], turn.x, turn.y, turn.z}, sizeof held->J[i]);
    }
}

static vs_error find_held(vs_projection_derivative *d, const projection_work *w) {
    d->held_row = VS_NEW(w->arena, vs_held_row, w->joints);
    for (int k = 0; k < w->joints && d->held_row; k++)
        if (vs_joint_is_driven(&w->world->joint[w->slot[k]]))
            set_held(w, k, &d->held_row[d->held++]);
    return d->held_row ? VS_OK : VS_ERROR_MEMORY;
}

static vs_error take_steps(vs_projection_derivative *d, const projection_work *w, bool *failed) {
    vs_error error = VS_OK;
    double largest = INFINITY;
    while (d->parts < VS_PROJECTION_STEPS_MOST && largest > SMALL && !error && !*failed)
        error = take_step(w, &d->part[d->parts++], &largest, failed);
    if (!error && vs_joints_drift(w->world) > KEPT)
        *failed = true;
    return error;
}

static vs_error note_end(vs_projection_derivative *d, const projection_work *w, const vs_quat *begin) {
    for (int k = 0; k < d->bodies; k++) {
        const vs_body *body = &w->world->body[w->blocks->body.data[k]];
        d->turned[k] = vs_quat_matrix(vs_quat_multiply(body->pose.rotation, vs_quat_conjugate(begin[k])));
        d->spin[k] = vs_rotate(body->pose.rotation, body->spin);
    }
    return VS_OK;
}

vs_error vs_projection_derivative_create(vs_projection_derivative *d, vs_world *world, const vs_blocks *blocks,
                                         vs_arena *arena, bool *failed) {
    projection_work w = {.world = world, .blocks = blocks, .arena = arena};
    *d = (vs_projection_derivative){.context = world->context, .bodies = (int)blocks->body.count};
    *failed = false;
    vs_joints_remember(world);
    vs_error error = find_joints(&w);
    if (error || w.joints == 0)
        return error;
    vs_quat *begin = VS_NEW(arena, vs_quat, d->bodies);
    d->turned = VS_NEW(arena, vs_mat3, d->bodies);
    d->spin = VS_NEW(arena, vs_vec3, d->bodies);
    if (!begin || !d->turned || !d->spin)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < d->bodies; k++)
        begin[k] = world->body[blocks->body.data[k]].pose.rotation;
    error = find_held(d, &w);
    if (!error)
        error = take_steps(d, &w, failed);
    return error ? error : note_end(d, &w, begin);
}

void vs_projection_derivative_destroy(vs_projection_derivative *d) {
    for (int k = 0; k < d->parts; k++) {
        vs_derivative_destroy(d->part[k].solution);
        vs_problem_destroy(d->part[k].problem);
    }
}

// ---- products --------------------------------------------------------------------------------------

typedef struct product_work {
    double *mass; // (bodies) kg, a direction or its gradient
    vs_arena arena;
    double *start; // (15 bodies) directions, or weights, of the state before the first step
    double *c, *v, *b_e;
    vs_joint_product joint;
} product_work;

static vs_error create_product(product_work *w, const vs_projection_derivative *d, double *mass, double *state) {
    const vs_problem_info info = vs_problem_get_info(d->part[0].problem);
    w->start = VS_NEW_ZERO(&w->arena, double, VS_MOTION_STATE * d->bodies);
    w->c = VS_NEW_ZERO(&w->arena, double, info.n);
    w->v = VS_NEW_ZERO(&w->arena, double, info.n);
    w->b_e = VS_NEW_ZERO(&w->arena, double, info.m_e);
    w->mass = mass;
    w->joint = (vs_joint_product){.state = state, .c = w->c, .b_e = w->b_e};
    return w->start && w->c && w->v && w->b_e ? VS_OK : VS_ERROR_MEMORY;
}

static vs_vec3 vector_of(const double *x) {
    return (vs_vec3){x[0], x[1], x[2]};
}

static void add_to(double *x, vs_vec3 by) {
    x[0] += by.x, x[1] += by.y, x[2] += by.z;
}

static void put_in(double *x, vs_vec3 by) {
    x[0] = by.x, x[1] = by.y, x[2] = by.z;
}

static void clear(const vs_projection_part *part, const product_work *w) {
    const vs_problem_info info = vs_problem_get_info(part->problem);
    memset(w->c, 0, sizeof(double) * (size_t)info.n);
    memset(w->b_e, 0, sizeof(double) * (size_t)info.m_e);
}

static vs_error step_forward(const vs_projection_derivative *d, const vs_projection_part *part, const product_work *w,
                             double *state, double *residual) {
    clear(part, w);
    for (int i = 0; i < 6 * d->bodies; i++)
        w->c[i] += part->momentum[i] * w->mass[i / 6];
    for (int k = 0; k < part->joints; k++)
        vs_joint_differential_apply(&part->joint[k], &w->joint);
    for (int k = 0; k < d->held; k++)
        for (int i = 0; i < d->held_row[k].bodies; i++)
            for (int c = 0; c < 6 && d->held_row[k].block[i] != VS_NO_BLOCK; c++)
                w->b_e[d->held_row[k].row] +=
                    d->held_row[k].J[i][c] * w->start[VS_MOTION_STATE * d->held_row[k].block[i] + c];
    const vs_problem_direction data = {.c = w->c, .b_e = w->b_e};
    const vs_solution_direction solution = {.v = w->v};
    double own = 0;
    const vs_error error = vs_derivative_tangent(part->solution, &data, &solution, &own);
    for (int k = 0; k < d->bodies && !error; k++) {
        const double *x = w->v + 6 * (int64_t)k;
        add_to(state + VS_MOTION_STATE * (int64_t)k, vector_of(x));
        add_to(state + VS_MOTION_STATE * (int64_t)k + 3, vs_mat3_apply(&part->turn[k], vector_of(x + 3)));
    }
    *residual = fmax(*residual, own);
    return error;
}

static vs_error step_back(const vs_projection_derivative *d, const vs_projection_part *part, const product_work *w,
                          const double *state, double *residual) {
    clear(part, w);
    for (int k = 0; k < d->bodies; k++) {
        const double *y = state + VS_MOTION_STATE * (int64_t)k;
        put_in(w->v + 6 * (int64_t)k, vector_of(y));
        put_in(w->v + 6 * (int64_t)k + 3, vs_mat3_apply_t(&part->turn[k], vector_of(y + 3)));
    }
    const vs_solution_direction solution = {.v = w->v};
    const vs_problem_gradient data = {.c = w->c, .b_e = w->b_e};
    double own = 0;
    const vs_error error = vs_derivative_adjoint(part->solution, &solution, &data, &own);
    *residual = fmax(*residual, own);
    for (int k = 0; k < d->held && !error; k++)
        for (int i = 0; i < d->held_row[k].bodies; i++)
            for (int c = 0; c < 6 && d->held_row[k].block[i] != VS_NO_BLOCK; c++)
                w->start[VS_MOTION_STATE * d->held_row[k].block[i] + c] +=
                    d->held_row[k].J[i][c] * w->b_e[d->held_row[k].row];
    for (int i = 0; i < 6 * d->bodies && !error; i++)
        w->mass[i / 6] += part->momentum[i] * w->c[i];
    for (int k = 0; k < part->joints && !error; k++)
        vs_joint_differential_transpose(&part->joint[k], &w->joint);
    return error;
}

// dw <- (t_end - Q t) x w_end + Q dw
static void turn_spins(const vs_projection_derivative *d, const product_work *w, double *state) {
    for (int k = 0; k < d->bodies; k++) {
        double *x = state + VS_MOTION_STATE * (int64_t)k;
        const vs_vec3 before = vector_of(w->start + VS_MOTION_STATE * (int64_t)k + 3);
        const vs_vec3 turn = vs_subtract(vector_of(x + 3), vs_mat3_apply(&d->turned[k], before));
        const vs_vec3 kept = vs_mat3_apply(&d->turned[k], vector_of(x + 9));
        put_in(x + 9, vs_add(kept, vs_cross(turn, d->spin[k])));
    }
}

static void turn_spins_back(const vs_projection_derivative *d, const product_work *w, double *weights) {
    for (int k = 0; k < d->bodies; k++) {
        double *y = weights + VS_MOTION_STATE * (int64_t)k;
        const vs_vec3 turn = vs_cross(d->spin[k], vector_of(y + 9));
        add_to(y + 3, turn);
        add_to(w->start + VS_MOTION_STATE * (int64_t)k + 3, vs_scale(-1, vs_mat3_apply_t(&d->turned[k], turn)));
        put_in(y + 9, vs_mat3_apply_t(&d->turned[k], vector_of(y + 9)));
    }
}

vs_error vs_projection_derivative_tangent(const vs_projection_derivative *d, double *mass, double *state,
                                          double *residual) {
    if (d->parts == 0)
        return VS_OK;
    product_work w = {0};
    vs_arena_init(&w.arena, d->context);
    vs_error error = create_product(&w, d, mass, state);
    if (!error)
        memcpy(w.start, state, sizeof(double) * (size_t)(VS_MOTION_STATE * d->bodies));
    for (int k = 0; k < d->parts && !error; k++)
        error = step_forward(d, &d->part[k], &w, state, residual);
    if (!error)
        turn_spins(d, &w, state);
    vs_arena_release(&w.arena);
    return error;
}

vs_error vs_projection_derivative_adjoint(const vs_projection_derivative *d, double *weights, double *mass,
                                          double *residual) {
    if (d->parts == 0)
        return VS_OK;
    product_work w = {0};
    vs_arena_init(&w.arena, d->context);
    vs_error error = create_product(&w, d, mass, weights);
    if (!error)
        turn_spins_back(d, &w, weights);
    for (int k = d->parts - 1; k >= 0 && !error; k--)
        error = step_back(d, &d->part[k], &w, weights, residual);
    for (int i = 0; i < VS_MOTION_STATE * d->bodies && !error; i++)
        weights[i] += w.start[i];
    vs_arena_release(&w.arena);
    return error;
}
