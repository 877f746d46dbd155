// From blocks and rows to a contact problem: see step_problem.h.
#include "step/problem/step_problem.h"

#include <string.h>

#include "solver/least.h"
#include "problem/problem_data.h"
#include "step/bond/bond_rows.h"

static void destroy(vs_step_problem *p) {
    vs_solver_destroy(p->solver);
    vs_problem_destroy(p->problem);
    p->solver = NULL;
    p->problem = NULL;
}

void vs_step_problem_release(vs_context *context, vs_step_problem *p) {
    destroy(p);
    vs_problem_builder_destroy(p->builder);
    p->builder = NULL;
    VS_ARRAY_RELEASE(context, &p->c);
    VS_ARRAY_RELEASE(context, &p->shape);
    VS_ARRAY_RELEASE(context, &p->body);
}

// ---- H and c ---------------------------------------------------------------------------------------

// c = -M v_free; M of a body is constant in its own axes.
static void set_body(const vs_step_view *view, int block, double c[6]) {
    const vs_body *body = &view->world->body[view->blocks->body.data[block]];
    const double *v = view->blocks->free.data + 6 * (int64_t)block;
    vs_vec3 turn = vs_mat3_apply(&body->inertia, (vs_vec3){v[3], v[4], v[5]});
    const double all[6] = {-body->mass * v[0], -body->mass * v[1], -body->mass * v[2], -turn.x, -turn.y, -turn.z};
    memcpy(c, all, sizeof all);
}

static void set_cuts(const vs_step_view *view, double *c) {
    const vs_blocks *blocks = view->blocks;
    for (int k = 0; k < (int)blocks->cut.count; k++) {
        const int column = vs_blocks_column(blocks, vs_blocks_first_cut(blocks) + k);
        c[column] = -blocks->cut_mass.data[k] * blocks->free.data[column];
    }
}

vs_error vs_step_problem_set_momentum(vs_step_problem *p, const vs_step_view *view) {
    int n = vs_blocks_size(view->blocks);
    vs_error error = VS_RESERVE(view->world->context, &p->c, n);
    if (error)
        return error;
    for (int k = 0; k < n; k++)
        p->c.data[k] = 0;
    for (int k = 0; k < (int)view->blocks->body.count; k++)
        set_body(view, k, p->c.data + 6 * (int64_t)k);
    set_cuts(view, p->c.data);
    return view->blocks->flexible ? vs_elastic_terms_fill(view->elastic, p->c.data) : VS_OK;
}

void vs_step_problem_add_pulls(vs_step_problem *p, const vs_step_view *view) {
    vs_contact_rows_add_adhesion(view->rows, view->groups, view->blocks, p->c.data);
    vs_bond_rows_add_pull(view->bonds, view->world, view->blocks, view->kick, p->c.data);
    vs_crushing_add_push(view->crushing, view->groups, view->blocks, p->c.data);
}

// ---- a new problem ---------------------------------------------------------------------------------

// Blocks of nodes, and H as a whole.
static vs_error build_elastic(const vs_step_problem *p, const vs_step_view *view, vs_problem_builder *builder) {
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *c = p->c.data + 6 * view->blocks->body.count;
    const vs_elastic_matrix *H = &view->elastic->H;
    vs_error error = VS_OK;
    for (int k = 0; k < view->blocks->nodes && !error; k++)
        error = vs_problem_builder_add_block(builder, 3, one, c + 3 * (int64_t)k, NULL);
    int n = vs_blocks_size(view->blocks);
    const vs_matrix_view mass = {n, n, H->p.data, H->i.data, H->x.data};
    return error ? error : vs_problem_builder_set_mass(builder, &mass);
}

void vs_step_problem_mass(const vs_body *body, double H[36]) {
    memset(H, 0, 36 * sizeof *H);
    for (int i = 0; i < 3; i++) {
        H[7 * i] = body->mass;
        for (int j = 0; j < 3; j++)
            H[6 * (3 + i) + 3 + j] = body->inertia.a[3 * i + j];
    }
}

void vs_step_problem_momentum(const vs_body *body, const double v[6], double momentum[6]) {
    const vs_vec3 turn = vs_mat3_apply(&body->inertia, (vs_vec3){v[3], v[4], v[5]});
    const double all[6] = {v[0], v[1], v[2], turn.x / body->mass, turn.y / body->mass, turn.z / body->mass};
    memcpy(momentum, all, sizeof all);
}

static vs_error build_blocks(const vs_step_problem *p, const vs_step_view *view, vs_problem_builder *builder) {
    vs_error error = VS_OK;
    for (int k = 0; k < (int)view->blocks->body.count && !error; k++) {
        const vs_body *body = &view->world->body[view->blocks->body.data[k]];
        double H[36];
        vs_step_problem_mass(body, H);
        error = vs_problem_builder_add_block(builder, 6, H, p->c.data + 6 * (int64_t)k, NULL);
    }
    if (!error && view->blocks->flexible)
        error = build_elastic(p, view, builder);
    for (int k = 0; k < (int)view->blocks->cut.count && !error; k++) {
        const double m = view->blocks->cut_mass.data[k], H[9] = {m, 0, 0, 0, m, 0, 0, 0, m};
        const int column = vs_blocks_column(view->blocks, vs_blocks_first_cut(view->blocks) + k);
        error = vs_problem_builder_add_block(builder, 3, H, p->c.data + column, NULL);
    }
    return error ? error : vs_problem_builder_set_reference(builder, view->blocks->moved.data);
}

static vs_error build_group(const vs_row_groups *groups, const vs_row_group *group, vs_problem_builder *builder) {
    vs_row_values values = vs_row_groups_values(groups, group);
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
    memcpy(def.b, values.b, sizeof(double) * (size_t)(group->rows < 3 ? group->rows : 3));
    for (int i = 3; i < group->rows; i++)
        def.b_rotation[group->rolling > 0 ? i - 3 : 2] = values.b[i];
    def.rolling = group->rolling, def.spinning = group->spinning, def.elliptic = group->elliptic;
    def.mu = group->mu, def.frictionless = group->rows == 1;
    def.compliance = values.E[0], def.key = group->key;
    return vs_problem_builder_add_contact(builder, &def, NULL);
}

static vs_error build(vs_step_problem *p, const vs_step_view *view) {
    vs_error error = p->builder ? VS_OK : vs_problem_builder_create(view->world->context, &p->builder);
    if (error)
        return error;
    vs_problem_builder_restart(p->builder);
    error = build_blocks(p, view, p->builder);
    for (int64_t k = 0; k < view->groups->group.count && !error; k++)
        error = build_group(view->groups, &view->groups->group.data[k], p->builder);
    return error ? error : vs_problem_builder_make(p->builder, &p->problem);
}

// Distributed: the velocities of the new problem are connected to those of the other processes.
static vs_error connect(vs_step_problem *p, const vs_step_view *view) {
    const vs_division *division = view->division;
    const vs_blocks *blocks = view->blocks;
    int ghosts = (int)blocks->body.count - blocks->owned;
    vs_error error = VS_RESERVE(view->world->context, &p->body, blocks->body.count);
    error = division->agree(division->user, error);
    if (!error)
        error = division->connect(division->user, blocks->owned, ghosts, blocks->body.data + blocks->owned);
    if (error)
        return error;
    memcpy(p->body.data, blocks->body.data, sizeof(int) * (size_t)blocks->body.count);
    p->body.count = blocks->body.count;
    p->problem->space = division->space;
    return VS_OK;
}

static bool is_free_everywhere(const vs_step_view *view) {
    return view->division && !vs_space_any(view->division->space, view->groups->group.count > 0);
}

static vs_error make(vs_step_problem *p, const vs_step_view *view) {
    destroy(p);
    if (vs_blocks_size(view->blocks) == 0 || is_free_everywhere(view))
        return VS_OK; // nothing to solve
    vs_error error = vs_division_agree(view->division, build(p, view));
    if (!error && view->division)
        error = connect(p, view);
    if (!error)
        error = vs_solver_create(p->problem, &view->options->solver, &p->solver);
    if (!error)
        vs_solver_require_sweeps(p->solver);
    return vs_division_agree(view->division, error);
}

// ---- new values ------------------------------------------------------------------------------------

// The values of a group of rows of the prepared problem; a block named twice is added up.
static void refill_rows(const vs_step_view *view, const vs_row_group *group, const vs_rows *A, int g) {
    const double *J = vs_row_groups_values(view->groups, group).J;
    int64_t width = A->start[g + 1] - A->start[g];
    double *x = A->x + A->value[g];
    memset(x, 0, sizeof(double) * (size_t)(width * group->rows));
    for (int k = 0; k < group->blocks; k++) {
        int64_t at = 0;
        int columns = vs_blocks_width(view->blocks, group->block[k]);
        int column = vs_blocks_column(view->blocks, group->block[k]);
        while (A->col[A->start[g] + at] != column)
            at += 3;
        for (int i = 0; i < group->rows; i++)
            for (int j = 0; j < columns; j++)
                x[i * width + at + j] += J[6 * (int64_t)k * group->rows + columns * i + j];
    }
}

static void refill_contact(const vs_step_view *view, const vs_row_group *group, vs_problem *problem, int g) {
    vs_row_values values = vs_row_groups_values(view->groups, group);
    size_t bytes = sizeof(double) * (size_t)group->rows;
    refill_rows(view, group, &problem->D, g);
    memcpy(problem->b + group->row, values.b, bytes);
    memcpy(problem->E + group->row, values.E, bytes);
    problem->mu[g] = group->mu;
    if (problem->rolling) {
        problem->rolling[g] = group->rolling;
        problem->spinning[g] = group->spinning;
    }
    problem->key[g] = group->key;
    if (group->kind == VS_GROUP_BOX) {
        memcpy(problem->lo + group->row, values.lo, bytes);
        memcpy(problem->hi + group->row, values.hi, bytes);
    }
}

static void refill_joint(const vs_step_view *view, const vs_row_group *group, vs_problem *problem, int g) {
    vs_row_values values = vs_row_groups_values(view->groups, group);
    size_t bytes = sizeof(double) * (size_t)group->rows;
    refill_rows(view, group, &problem->C, g);
    memcpy(problem->b_e + group->row, values.b, bytes);
    memcpy(problem->E_e + group->row, values.E, bytes);
}

// H of the cuts, behind all others: their masses change with the path.
static void refill_cuts(const vs_step_view *view, vs_problem *problem) {
    const vs_blocks *blocks = view->blocks;
    for (int k = 0; k < (int)blocks->cut.count; k++) {
        const int column = vs_blocks_column(blocks, vs_blocks_first_cut(blocks) + k);
        for (int i = 0; i < 3; i++)
            for (int64_t at = problem->H.p[column + i]; at < problem->H.p[column + i + 1]; at++)
                problem->H.x[at] = problem->H.i[at] == column + i ? blocks->cut_mass.data[k] : 0;
    }
}

static vs_error refill(vs_step_problem *p, const vs_step_view *view) {
    vs_problem *problem = p->problem;
    const vs_elastic_matrix *H = &view->elastic->H;
    memcpy(problem->c, p->c.data, sizeof(double) * (size_t)vs_blocks_size(view->blocks));
    memcpy(problem->reference, view->blocks->moved.data, sizeof(double) * (size_t)vs_blocks_size(view->blocks));
    refill_cuts(view, problem);
    if (view->blocks->flexible)
        memcpy(problem->H.x, H->x.data, sizeof(double) * (size_t)H->x.count);
    int contacts = 0, joints = 0;
    for (int64_t k = 0; k < view->groups->group.count; k++) {
        const vs_row_group *group = &view->groups->group.data[k];
        if (group->kind == VS_GROUP_JOINT)
            refill_joint(view, group, problem, joints++);
        else
            refill_contact(view, group, problem, contacts++);
    }
    return vs_solver_update(p->solver, problem);
}

// ---- which of the two ------------------------------------------------------------------------------

// A prepared problem is reused only if all processes can. Not with box constraints: where their bounds meet, the solver
// asks for a new problem, and other processes would not know.
static bool is_same_everywhere(const vs_step_problem *p, const vs_step_view *view, bool same) {
    if (!view->division)
        return same;
    for (int64_t k = 0; k < view->groups->group.count && same; k++)
        same = view->groups->group.data[k].kind != VS_GROUP_BOX;
    const vs_blocks *blocks = view->blocks;
    same = same && p->body.count == blocks->body.count &&
           memcmp(p->body.data, blocks->body.data, sizeof(int) * (size_t)blocks->body.count) == 0;
    return !vs_space_any(view->division->space, !same);
}

static vs_group_shape shape_of(const vs_row_group *group) {
    vs_group_shape shape = {
        .kind = group->kind, .rows = group->rows, .blocks = group->blocks, .elliptic = group->elliptic};
    memcpy(shape.block, group->block, sizeof shape.block);
    return shape;
}

static bool is_same_shape(const vs_group_shape *a, const vs_group_shape *b) {
    return a->kind == b->kind && a->rows == b->rows && a->blocks == b->blocks && a->elliptic == b->elliptic &&
           memcmp(a->block, b->block, sizeof a->block) == 0;
}

// Does the prepared problem fit these groups? Remembers them as the pattern in any case.
static vs_error compare_pattern(vs_step_problem *p, const vs_step_view *view, bool *same) {
    int64_t count = view->groups->group.count;
    *same = p->solver && p->topology == view->world->topology && p->shape.count == count;
    vs_error error = VS_RESERVE(view->world->context, &p->shape, count);
    if (error)
        return error;
    for (int64_t k = 0; k < count; k++) {
        vs_group_shape now = shape_of(&view->groups->group.data[k]);
        *same = *same && is_same_shape(&now, &p->shape.data[k]);
        p->shape.data[k] = now;
    }
    p->shape.count = count;
    p->topology = view->world->topology;
    *same = is_same_everywhere(p, view, *same);
    return VS_OK;
}

vs_error vs_step_problem_update(vs_step_problem *p, const vs_step_view *view) {
    bool same = false;
    vs_error error = compare_pattern(p, view, &same);
    if (error)
        return error;
    if (!same)
        return make(p, view);
    error = refill(p, view);
    // An impulse that became or ceased to be determined (a box without width) changes the pattern, too.
    return error == VS_ERROR_DATA ? make(p, view) : error;
}

vs_error vs_step_problem_update_elastic(vs_step_problem *p, const vs_step_view *view) {
    vs_error error = vs_step_problem_set_momentum(p, view);
    if (!error)
        vs_step_problem_add_pulls(p, view);
    return error ? error : refill(p, view);
}
