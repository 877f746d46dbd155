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
    VS_ARRAY_RELEASE(context, &p->c);
    VS_ARRAY_RELEASE(context, &p->shape);
    VS_ARRAY_RELEASE(context, &p->body);
}

// ---- H and c ---------------------------------------------------------------------------------------

// c = -M v_free; M of a body is constant in its own axes.
static void set_body(const vs_problem_inputs *in, int block, double c[6]) {
    const vs_body *body = &in->world->body[in->blocks->body.data[block]];
    const double *v = in->blocks->free.data + 6 * (int64_t)block;
    vs_vec3 turn = vs_mat3_apply(&body->inertia, (vs_vec3){v[3], v[4], v[5]});
    const double all[6] = {-body->mass * v[0], -body->mass * v[1], -body->mass * v[2], -turn.x, -turn.y, -turn.z};
    memcpy(c, all, sizeof all);
}

vs_error vs_step_problem_set_momentum(vs_step_problem *p, const vs_problem_inputs *in) {
    int n = vs_blocks_size(in->blocks);
    vs_error error = VS_RESERVE(in->world->context, &p->c, n);
    if (error)
        return error;
    for (int k = 0; k < n; k++)
        p->c.data[k] = 0;
    for (int k = 0; k < (int)in->blocks->body.count; k++)
        set_body(in, k, p->c.data + 6 * (int64_t)k);
    return in->blocks->flexible ? vs_elastic_terms_fill(in->elastic, p->c.data) : VS_OK;
}

void vs_step_problem_add_pulls(vs_step_problem *p, const vs_problem_inputs *in) {
    vs_contact_rows_add_adhesion(in->contact_rows, in->groups, in->blocks, p->c.data);
    vs_bond_rows_add_pull(in->bonds, in->world, in->blocks, in->kick, p->c.data);
    vs_crushing_add_push(in->crushing, in->groups, in->blocks, p->c.data);
}

// ---- a new problem ---------------------------------------------------------------------------------

// Blocks of nodes, and H as a whole.
static vs_error build_elastic(const vs_step_problem *p, const vs_problem_inputs *in, vs_problem_builder *builder) {
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *c = p->c.data + 6 * in->blocks->body.count;
    const vs_elastic_matrix *H = &in->elastic->H;
    vs_error error = VS_OK;
    for (int k = 0; k < in->blocks->nodes && !error; k++)
        error = vs_problem_builder_add_block(builder, 3, one, c + 3 * (int64_t)k, NULL);
    int n = vs_blocks_size(in->blocks);
    const vs_matrix_view view = {n, n, H->p.data, H->i.data, H->x.data};
    return error ? error : vs_problem_builder_set_mass(builder, &view);
}

static vs_error build_blocks(const vs_step_problem *p, const vs_problem_inputs *in, vs_problem_builder *builder) {
    vs_error error = VS_OK;
    for (int k = 0; k < (int)in->blocks->body.count && !error; k++) {
        const vs_body *body = &in->world->body[in->blocks->body.data[k]];
        double H[36] = {0};
        for (int i = 0; i < 3; i++) {
            H[7 * i] = body->mass;
            for (int j = 0; j < 3; j++)
                H[6 * (3 + i) + 3 + j] = body->inertia.a[3 * i + j];
        }
        error = vs_problem_builder_add_block(builder, 6, H, p->c.data + 6 * (int64_t)k, NULL);
    }
    if (!error && in->blocks->flexible)
        error = build_elastic(p, in, builder);
    return error ? error : vs_problem_builder_set_reference(builder, in->blocks->moved.data);
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

static vs_error build(vs_step_problem *p, const vs_problem_inputs *in, vs_problem_builder *builder) {
    vs_error error = build_blocks(p, in, builder);
    for (int64_t k = 0; k < in->groups->group.count && !error; k++)
        error = build_group(in->groups, &in->groups->group.data[k], builder);
    if (error)
        vs_problem_builder_destroy(builder);
    else
        error = vs_problem_builder_finish(builder, &p->problem);
    return error;
}

// Distributed: the velocities of the new problem are connected to those of the other processes.
static vs_error connect(vs_step_problem *p, const vs_problem_inputs *in) {
    const vs_division *division = in->division;
    const vs_blocks *blocks = in->blocks;
    int ghosts = (int)blocks->body.count - blocks->owned;
    vs_error error = VS_RESERVE(in->world->context, &p->body, blocks->body.count);
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

static bool is_free_everywhere(const vs_problem_inputs *in) {
    return in->division && !vs_space_any(in->division->space, in->groups->group.count > 0);
}

static vs_error make(vs_step_problem *p, const vs_problem_inputs *in) {
    destroy(p);
    if (vs_blocks_size(in->blocks) == 0 || is_free_everywhere(in))
        return VS_OK; // nothing to solve
    vs_problem_builder *builder;
    vs_error error = vs_problem_builder_create(in->world->context, &builder);
    if (error)
        return error;
    error = vs_division_agree(in->division, build(p, in, builder));
    if (!error && in->division)
        error = connect(p, in);
    if (!error)
        error = vs_solver_create(p->problem, in->solver, &p->solver);
    if (!error)
        vs_solver_require_sweeps(p->solver);
    return vs_division_agree(in->division, error);
}

// ---- new values ------------------------------------------------------------------------------------

// The values of a group of rows of the prepared problem; a block named twice is added up.
static void refill_rows(const vs_problem_inputs *in, const vs_row_group *group, const vs_rows *A, int g) {
    const double *J = vs_row_groups_values(in->groups, group).J;
    int64_t width = A->start[g + 1] - A->start[g];
    double *x = A->x + A->value[g];
    memset(x, 0, sizeof(double) * (size_t)(width * group->rows));
    for (int k = 0; k < group->blocks; k++) {
        int64_t at = 0;
        int columns = vs_blocks_width(in->blocks, group->block[k]);
        int column = vs_blocks_column(in->blocks, group->block[k]);
        while (A->col[A->start[g] + at] != column)
            at += 3;
        for (int i = 0; i < group->rows; i++)
            for (int j = 0; j < columns; j++)
                x[i * width + at + j] += J[6 * (int64_t)k * group->rows + columns * i + j];
    }
}

static void refill_contact(const vs_problem_inputs *in, const vs_row_group *group, vs_problem *problem, int g) {
    vs_row_values values = vs_row_groups_values(in->groups, group);
    size_t bytes = sizeof(double) * (size_t)group->rows;
    refill_rows(in, group, &problem->D, g);
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

static void refill_joint(const vs_problem_inputs *in, const vs_row_group *group, vs_problem *problem, int g) {
    vs_row_values values = vs_row_groups_values(in->groups, group);
    size_t bytes = sizeof(double) * (size_t)group->rows;
    refill_rows(in, group, &problem->C, g);
    memcpy(problem->b_e + group->row, values.b, bytes);
    memcpy(problem->E_e + group->row, values.E, bytes);
}

static vs_error refill(vs_step_problem *p, const vs_problem_inputs *in) {
    vs_problem *problem = p->problem;
    const vs_elastic_matrix *H = &in->elastic->H;
    memcpy(problem->c, p->c.data, sizeof(double) * (size_t)vs_blocks_size(in->blocks));
    memcpy(problem->reference, in->blocks->moved.data, sizeof(double) * (size_t)vs_blocks_size(in->blocks));
    if (in->blocks->flexible)
        memcpy(problem->H.x, H->x.data, sizeof(double) * (size_t)H->x.count);
    int contacts = 0, joints = 0;
    for (int64_t k = 0; k < in->groups->group.count; k++) {
        const vs_row_group *group = &in->groups->group.data[k];
        if (group->kind == VS_GROUP_JOINT)
            refill_joint(in, group, problem, joints++);
        else
            refill_contact(in, group, problem, contacts++);
    }
    return vs_solver_update(p->solver, problem);
}

// ---- which of the two ------------------------------------------------------------------------------

// A prepared problem is reused only if all processes can. Not with box constraints: where their bounds meet, the solver
// asks for a new problem, and other processes would not know.
static bool is_same_everywhere(const vs_step_problem *p, const vs_problem_inputs *in, bool same) {
    if (!in->division)
        return same;
    for (int64_t k = 0; k < in->groups->group.count && same; k++)
        same = in->groups->group.data[k].kind != VS_GROUP_BOX;
    const vs_blocks *blocks = in->blocks;
    same = same && p->body.count == blocks->body.count &&
           memcmp(p->body.data, blocks->body.data, sizeof(int) * (size_t)blocks->body.count) == 0;
    return !vs_space_any(in->division->space, !same);
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
static vs_error compare_pattern(vs_step_problem *p, const vs_problem_inputs *in, bool *same) {
    int64_t count = in->groups->group.count;
    *same = p->solver && p->topology == in->world->topology && p->shape.count == count;
    vs_error error = VS_RESERVE(in->world->context, &p->shape, count);
    if (error)
        return error;
    for (int64_t k = 0; k < count; k++) {
        vs_group_shape now = shape_of(&in->groups->group.data[k]);
        *same = *same && is_same_shape(&now, &p->shape.data[k]);
        p->shape.data[k] = now;
    }
    p->shape.count = count;
    p->topology = in->world->topology;
    *same = is_same_everywhere(p, in, *same);
    return VS_OK;
}

vs_error vs_step_problem_update(vs_step_problem *p, const vs_problem_inputs *in) {
    bool same = false;
    vs_error error = compare_pattern(p, in, &same);
    if (error)
        return error;
    if (!same)
        return make(p, in);
    error = refill(p, in);
    // An impulse that became or ceased to be determined (a box without width) changes the pattern, too.
    return error == VS_ERROR_DATA ? make(p, in) : error;
}

vs_error vs_step_problem_update_elastic(vs_step_problem *p, const vs_problem_inputs *in) {
    vs_error error = vs_step_problem_set_momentum(p, in);
    if (!error)
        vs_step_problem_add_pulls(p, in);
    return error ? error : refill(p, in);
}
