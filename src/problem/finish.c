// From a builder to the problem: H by columns, and copies of the rows, which build.c has in the form of the problem.
#include "problem/builder_data.h"

#include <string.h>

// One column of a dense block: its nonzeros and the diagonal, both triangles equal. Returns their number.
static int64_t gather_column(const double *H, int dofs, int first, int j, int *i, double *x) {
    int64_t count = 0;
    for (int64_t k = 0; k < dofs; k++) {
        const double a = H[k * dofs + j], b = H[(int64_t)j * dofs + k], mean = a == b ? a : 0.5 * a + 0.5 * b;
        if (mean == 0 && k != j)
            continue;
        if (i) {
            i[count] = first + (int)k;
            x[count] = mean;
        }
        count++;
    }
    return count;
}

static vs_error finish_H(const vs_problem_builder *builder, vs_problem *problem) {
    vs_sparse *H = &problem->H;
    *H = (vs_sparse){.rows = builder->n, .cols = builder->n};
    if (builder->mass.p) {
        int64_t count = builder->mass.p[builder->n];
        H->p = VS_COPY(&problem->arena, int64_t, builder->mass.p, (int64_t)builder->n + 1);
        H->i = VS_COPY(&problem->arena, int, builder->mass.i, count);
        H->x = VS_COPY(&problem->arena, double, builder->mass.x, count);
        return H->p && H->i && H->x ? vs_problem_partition(problem, NULL) : VS_ERROR_MEMORY;
    }
    H->p = VS_NEW(&problem->arena, int64_t, (int64_t)builder->n + 1);
    if (!H->p)
        return VS_ERROR_MEMORY;
    // Twice over the blocks: first to count, then to fill.
    for (int pass = 0; pass < 2; pass++) {
        const double *dense = builder->H.data;
        int64_t count = 0;
        for (int k = 0; k < builder->blocks; k++) {
            const int first = vs_builder_block_begin(builder, k), dofs = vs_builder_block_dofs(builder, k);
            for (int j = 0; j < dofs; j++) {
                H->p[first + j] = count;
                count += gather_column(dense, dofs, first, j, pass ? H->i + count : NULL, pass ? H->x + count : NULL);
            }
            dense += (int64_t)dofs * dofs;
        }
        H->p[builder->n] = count;
        if (pass == 1)
            break;
        H->i = VS_NEW(&problem->arena, int, count);
        H->x = VS_NEW(&problem->arena, double, count);
        if (!H->i || !H->x)
            return VS_ERROR_MEMORY;
    }
    return vs_problem_partition(problem, NULL);
}

// (count + 1) offsets from the ends of the groups.
static int *copy_ends(vs_arena *arena, const vs_int_array *ends) {
    int *offset = VS_NEW(arena, int, ends->count + 1);
    if (!offset)
        return NULL;
    offset[0] = 0;
    if (ends->count > 0)
        memcpy(offset + 1, ends->data, (size_t)ends->count * sizeof(int));
    return offset;
}

static int64_t *copy_ends_long(vs_arena *arena, const vs_long_array *ends) {
    int64_t *offset = VS_NEW(arena, int64_t, ends->count + 1);
    if (!offset)
        return NULL;
    offset[0] = 0;
    if (ends->count > 0)
        memcpy(offset + 1, ends->data, (size_t)ends->count * sizeof(int64_t));
    return offset;
}

#define COPY(arena, array) vs_arena_copy((arena), (array)->data, (array)->count, sizeof *(array)->data)

static vs_error finish_rows(vs_arena *arena, const vs_group_arrays *to, int n, vs_rows *rows) {
    *rows = (vs_rows){.groups = to->groups, .rows = to->rows, .cols = n};
    rows->row = copy_ends(arena, &to->row);
    rows->start = copy_ends_long(arena, &to->start);
    rows->value = copy_ends_long(arena, &to->value);
    rows->col = COPY(arena, &to->col);
    rows->x = COPY(arena, &to->x);
    return rows->row && rows->start && rows->value && rows->col && rows->x ? VS_OK : VS_ERROR_MEMORY;
}

static vs_error finish_reference(const vs_problem_builder *builder, vs_problem *problem) {
    if (!builder->reference)
        return VS_OK;
    if (builder->referenced != builder->n)
        return vs_fail(builder->context, VS_ERROR_ARGUMENT,
                       "vs_problem_builder_set_reference: %d energies were given, but there are %d velocities",
                       builder->referenced, builder->n);
    problem->reference = VS_COPY(&problem->arena, double, builder->reference, builder->n);
    return problem->reference ? VS_OK : VS_ERROR_MEMORY;
}

static vs_error finish_groups(const vs_problem_builder *builder, vs_problem *problem) {
    vs_arena *arena = &problem->arena;
    const vs_group_arrays *contacts = &builder->contacts, *joints = &builder->joints;
    problem->contacts = contacts->groups, problem->m = contacts->rows;
    problem->joints = joints->groups, problem->m_e = joints->rows;
    problem->row = copy_ends(arena, &contacts->row);
    problem->kind = COPY(arena, &contacts->kind);
    problem->mu = COPY(arena, &contacts->mu);
    problem->key = COPY(arena, &contacts->key);
    problem->b = COPY(arena, &contacts->b);
    problem->E = COPY(arena, &contacts->E);
    problem->joint_row = copy_ends(arena, &joints->row);
    problem->joint_key = COPY(arena, &joints->key);
    problem->b_e = COPY(arena, &joints->b);
    problem->E_e = COPY(arena, &joints->E);
    if (!problem->row || !problem->kind || !problem->mu || !problem->key || !problem->b || !problem->E ||
        !problem->joint_row || !problem->joint_key || !problem->b_e || !problem->E_e)
        return VS_ERROR_MEMORY;
    if (builder->bounded) {
        problem->lo = COPY(arena, &contacts->lo);
        problem->hi = COPY(arena, &contacts->hi);
        if (!problem->lo || !problem->hi)
            return VS_ERROR_MEMORY;
    }
    if (builder->rolls) {
        problem->rolling = COPY(arena, &contacts->rolling);
        problem->spinning = COPY(arena, &contacts->spinning);
        if (!problem->rolling || !problem->spinning)
            return VS_ERROR_MEMORY;
    }
    vs_error error = finish_rows(arena, contacts, builder->n, &problem->D);
    if (!error)
        error = finish_rows(arena, joints, builder->n, &problem->C);
    return error;
}

vs_error vs_problem_builder_make(const vs_problem_builder *builder, vs_problem **problem) {
    *problem = NULL;
    if (builder->failed)
        return vs_fail(builder->context, builder->failed, "%s", builder->text);
    vs_problem *made = NULL;
    vs_error error = vs_problem_create(builder->context, &made);
    if (error)
        return error;
    made->n = builder->n;
    made->c = COPY(&made->arena, &builder->c);
    error = made->c ? finish_H(builder, made) : VS_ERROR_MEMORY;
    if (!error)
        error = finish_reference(builder, made);
    if (!error)
        error = finish_groups(builder, made);
    if (error)
        vs_problem_destroy(made);
    else
        *problem = made;
    return error;
}

vs_error vs_problem_builder_finish(vs_problem_builder *builder, vs_problem **problem) {
    if (problem)
        *problem = NULL;
    if (!builder)
        return VS_ERROR_ARGUMENT;
    vs_error error = problem
                         ? vs_problem_builder_make(builder, problem)
                         : vs_fail(builder->context, VS_ERROR_ARGUMENT, "vs_problem_builder_finish: problem is null");
    vs_problem_builder_destroy(builder);
    return error;
}
