// Writing the groups fclib_global, fclib_local, solution and voussoir: compressed columns, 32-bit counts.
//
// Data that FCLIB has no place for goes to the group `voussoir`, which is written only when needed: one-row contacts
// and boxes, compliance, keys, joints that the columns of G do not determine. Friction contacts are stored without
// their zeros (but with every column, if only as one zero), joints and boxes with them: reading restores the same
// arrays.
#include "problem/fclib_data.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

// State of one write.
typedef struct writing {
    const vs_problem *problem;
    vs_context *context;
    vs_arena arena;
    vs_h5_group root;  // fclib_global or fclib_local
    int64_t rows;      // FCLIB rows, 3 per contact
    const int64_t *at; // (m) FCLIB row of each of our rows
    vs_fclib_info info;
} writing;

static vs_error write_doubles(const vs_h5_group *group, const char *name, int64_t count, const double *x) {
    return vs_h5_write(group, name, H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE, count, x);
}

static vs_error write_ints(const vs_h5_group *group, const char *name, int64_t count, const int *x) {
    return vs_h5_write(group, name, H5T_NATIVE_INT, H5T_NATIVE_INT, count, x);
}

static vs_error write_keys(const vs_h5_group *group, const char *name, int64_t count, const uint64_t *x) {
    return vs_h5_write(group, name, H5T_NATIVE_UINT64, H5T_NATIVE_UINT64, count, x);
}

// ---- matrices -------------------------------------------------------------------------------------------

static vs_error write_matrix(const writing *write, const char *name, const vs_sparse *A) {
    const int64_t count = A->p[A->cols];
    if (count > INT_MAX)
        return vs_fail(write->context, VS_ERROR_UNSUPPORTED, "%s/%s has %lld nonzeros; FCLIB counts up to %d",
                       write->root.path, name, (long long)count, INT_MAX);
    vs_h5_group group;
    vs_error error = vs_h5_group_make(&write->root, name, &group);
    if (!error)
        error = vs_h5_write_int(&group, "nzmax", (int)count);
    if (!error)
        error = vs_h5_write_int(&group, "m", A->rows);
    if (!error)
        error = vs_h5_write_int(&group, "n", A->cols);
    if (!error)
        error = vs_h5_write_int(&group, "nz", -1);
    if (!error)
        error = vs_h5_write(&group, "p", H5T_NATIVE_INT64, H5T_NATIVE_INT, (int64_t)A->cols + 1, A->p);
    if (!error)
        error = write_ints(&group, "i", count, A->i);
    if (!error)
        error = write_doubles(&group, "x", count, A->x);
    vs_h5_group_close(&group);
    return error;
}

// Is entry (r, k) of group g stored? A zero only if `zeros`, or to keep a column without any value.
static bool is_stored(const vs_rows *A, int g, int r, int64_t k, bool zeros) {
    const int64_t width = A->start[g + 1] - A->start[g];
    const double *x = A->x + A->value[g];
    if (zeros || x[r * width + k] != 0)
        return true;
    if (r > 0)
        return false;
    for (int row = 1; row < A->row[g + 1] - A->row[g]; row++)
        if (x[row * width + k] != 0)
            return false;
    return true;
}

// Appends row r of group g as a column; with out null only counts.
static int64_t append_row(const vs_rows *A, int g, int r, bool zeros, int64_t count, vs_sparse *out) {
    const int64_t width = A->start[g + 1] - A->start[g];
    for (int64_t k = 0; k < width; k++) {
        if (!is_stored(A, g, r, k, zeros))
            continue;
        if (out) {
            out->i[count] = A->col[A->start[g] + k];
            out->x[count] = A->x[A->value[g] + r * width + k];
        }
        count++;
    }
    return count;
}

// The transpose with our row k as column at[k] (null: k) of `columns`; kind (groups) null: all zeros are stored.
static vs_error make_transpose(const vs_rows *A, const vs_cone_kind *kind, const int64_t *at, int64_t columns,
                               vs_arena *arena, vs_sparse *At) {
    int64_t count = 0;
    for (int g = 0; g < A->groups; g++)
        for (int r = 0; r < A->row[g + 1] - A->row[g]; r++)
            count = append_row(A, g, r, !kind || kind[g] != VS_CONE_SECOND_ORDER, count, NULL);
    *At = (vs_sparse){.rows = A->cols, .cols = (int)columns};
    At->p = VS_NEW(arena, int64_t, columns + 1);
    At->i = VS_NEW(arena, int, count);
    At->x = VS_NEW(arena, double, count);
    if (!At->p || !At->i || !At->x)
        return VS_ERROR_MEMORY;

    int64_t next = 0; // columns whose start is known
    count = 0;
    for (int g = 0; g < A->groups; g++) {
        for (int r = 0; r < A->row[g + 1] - A->row[g]; r++) {
            const int64_t column = at ? at[A->row[g] + r] : A->row[g] + r;
            while (next <= column)
                At->p[next++] = count;
            count = append_row(A, g, r, !kind || kind[g] != VS_CONE_SECOND_ORDER, count, At);
        }
    }
    while (next <= columns)
        At->p[next++] = count;
    return VS_OK;
}

// ---- vectors --------------------------------------------------------------------------------------------

// sign * x (count), scattered to FCLIB rows by at; absent rows are zero.
static vs_error write_vector(writing *write, const vs_h5_group *group, const char *name, double sign, const double *x,
                             int count, const int64_t *at) {
    const int64_t size = at ? write->rows : count;
    double *out = VS_NEW_ZERO(&write->arena, double, size);
    if (!out)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < count; k++)
        out[at ? at[k] : k] = sign * x[k];
    return write_doubles(group, name, size, out);
}

// One per FCLIB contact; zero for contacts that stand for single rows.
static vs_error write_mu(writing *write, const vs_h5_group *group) {
    const vs_problem *problem = write->problem;
    double *mu = VS_NEW_ZERO(&write->arena, double, write->rows / 3);
    if (!mu)
        return VS_ERROR_MEMORY;
    for (int i = 0; i < problem->contacts; i++)
        if (vs_problem_has_friction(problem, i))
            mu[write->at[problem->row[i]] / 3] = problem->mu[i];
    return write_doubles(group, "mu", write->rows / 3, mu);
}

static vs_error write_info(const writing *write, bool extended) {
    vs_h5_group group;
    char text[160];
    const vs_problem *problem = write->problem;
    (void)snprintf(text, sizeof text, "%d velocities, %d contact rows, %d joint rows", problem->n, problem->m,
                   problem->m_e);
    const vs_fclib_info *info = &write->info;
    const char *math = extended
                           ? "The group voussoir holds data outside FCLIB: compliance, frictionless "
                             "contacts and boxes of one row, rolling friction, keys. Without it the problem differs."
                           : "";
    vs_error error = vs_h5_group_make(&write->root, "info", &group);
    if (!error)
        error = vs_h5_write_text(&group, "title", info->title ? info->title : "contact problem");
    if (!error)
        error = vs_h5_write_text(&group, "description", info->description ? info->description : text);
    if (!error)
        error = vs_h5_write_text(&group, "math_info", info->math_info ? info->math_info : math);
    vs_h5_group_close(&group);
    return error;
}

// ---- the group voussoir ---------------------------------------------------------------------------------

static bool has_nonzero(const double *x, int count) {
    for (int k = 0; k < count; k++)
        if (x[k] != 0)
            return true;
    return false;
}

static bool has_key(const uint64_t *key, int count) {
    for (int k = 0; k < count; k++)
        if (key[k] != 0)
            return true;
    return false;
}

// Would a reader that ignores the group get a different problem? Ct as written.
static vs_error needs_extension(writing *write, const vs_sparse *Ct, bool *needed) {
    const vs_problem *problem = write->problem;
    *needed = has_nonzero(problem->E, problem->m) || has_nonzero(problem->E_e, problem->m_e) ||
              has_key(problem->key, problem->contacts) || has_key(problem->joint_key, problem->joints);
    for (int i = 0; i < problem->contacts; i++)
        *needed = *needed || problem->kind[i] != VS_CONE_SECOND_ORDER;
    int *row = VS_NEW(&write->arena, int, (int64_t)problem->m_e + 1);
    if (!row)
        return VS_ERROR_MEMORY;
    const int joints = vs_problem_find_joints(Ct, row);
    if (joints != problem->joints || memcmp(row, problem->joint_row, ((size_t)joints + 1) * sizeof(int)) != 0)
        *needed = true;
    return VS_OK;
}

static vs_error write_kinds(writing *write, const vs_h5_group *group) {
    const vs_problem *problem = write->problem;
    int *code = VS_NEW(&write->arena, int, problem->contacts);
    if (!code)
        return VS_ERROR_MEMORY;
    for (int i = 0; i < problem->contacts; i++)
        code[i] = problem->kind[i] == VS_CONE_SECOND_ORDER ? VS_FCLIB_FRICTION
                  : problem->kind[i] == VS_CONE_ROLLING    ? VS_FCLIB_ROLLING
                  : problem->kind[i] == VS_CONE_ELLIPTIC   ? VS_FCLIB_ELLIPTIC
                  : problem->kind[i] == VS_CONE_BOX        ? VS_FCLIB_BOX
                                                           : VS_FCLIB_FRICTIONLESS;
    return write_ints(group, "kind", problem->contacts, code);
}

static vs_error write_extension(writing *write, const vs_h5_group *file) {
    const vs_problem *problem = write->problem;
    vs_h5_group group;
    vs_error error = vs_h5_group_make(file, VS_FCLIB_EXTENSION, &group);
    if (!error)
        error = vs_h5_write_int(&group, "format", VS_FCLIB_FORMAT);
    if (!error)
        error = write_kinds(write, &group);
    if (!error)
        error = write_ints(&group, "contact_row", (int64_t)problem->contacts + 1, problem->row);
    if (!error)
        error = write_keys(&group, "key", problem->contacts, problem->key);
    if (!error)
        error = write_doubles(&group, "E", problem->m, problem->E);
    if (!error && problem->lo)
        error = write_doubles(&group, "lo", problem->m, problem->lo);
    if (!error && problem->hi)
        error = write_doubles(&group, "hi", problem->m, problem->hi);
    if (!error && problem->rolling)
        error = write_doubles(&group, "rolling", problem->contacts, problem->rolling);
    if (!error && problem->spinning)
        error = write_doubles(&group, "spinning", problem->contacts, problem->spinning);
    if (!error)
        error = write_ints(&group, "joint_row", (int64_t)problem->joints + 1, problem->joint_row);
    if (!error)
        error = write_keys(&group, "joint_key", problem->joints, problem->joint_key);
    if (!error)
        error = write_doubles(&group, "E_e", problem->m_e, problem->E_e);
    vs_h5_group_close(&group);
    return error;
}

// ---- the two forms --------------------------------------------------------------------------------------

static vs_error write_global_vectors(writing *write) {
    const vs_problem *problem = write->problem;
    vs_h5_group group;
    vs_error error = vs_h5_group_make(&write->root, "vectors", &group);
    if (!error)
        error = write_vector(write, &group, "f", -1, problem->c, problem->n, NULL);
    if (!error)
        error = write_vector(write, &group, "w", -1, problem->b, problem->m, write->at);
    if (!error)
        error = write_mu(write, &group);
    if (!error && problem->m_e > 0)
        error = write_vector(write, &group, "b", -1, problem->b_e, problem->m_e, NULL);
    vs_h5_group_close(&group);
    return error;
}

static vs_error write_global(writing *write, const vs_h5_group *file) {
    const vs_problem *problem = write->problem;
    vs_sparse Dt, Ct;
    bool extended = false;
    vs_error error = make_transpose(&problem->D, problem->kind, write->at, write->rows, &write->arena, &Dt);
    if (!error)
        error = make_transpose(&problem->C, NULL, NULL, problem->m_e, &write->arena, &Ct);
    if (!error)
        error = needs_extension(write, &Ct, &extended);
    if (!error)
        error = write_matrix(write, "M", &problem->H);
    if (!error)
        error = write_matrix(write, "H", &Dt);
    if (!error && problem->m_e > 0)
        error = write_matrix(write, "G", &Ct);
    if (!error)
        error = write_global_vectors(write);
    if (!error)
        error = write_info(write, extended);
    if (!error && extended)
        error = write_extension(write, file);
    return error;
}

static vs_error write_local(writing *write) {
    const vs_problem *problem = write->problem;
    vs_h5_group group;
    vs_error error = write_matrix(write, "W", &problem->N);
    if (error)
        return error;
    error = vs_h5_group_make(&write->root, "vectors", &group);
    if (!error)
        error = write_vector(write, &group, "q", 1, problem->r, problem->m, NULL);
    if (!error)
        error = write_mu(write, &group);
    vs_h5_group_close(&group);
    return error ? error : write_info(write, false);
}

static vs_error write_solution(writing *write, const vs_h5_group *file, const vs_solution_view *solution) {
    const vs_problem *problem = write->problem;
    vs_h5_group group;
    vs_error error = vs_h5_group_make(file, "solution", &group);
    if (!error && solution->v && problem->n > 0)
        error = write_vector(write, &group, "v", 1, solution->v, problem->n, NULL);
    if (!error && solution->y)
        error = write_vector(write, &group, "u", 1, solution->y, problem->m, write->at);
    if (!error && solution->lambda)
        error = write_vector(write, &group, "r", 1, solution->lambda, problem->m, write->at);
    if (!error && solution->g && problem->m_e > 0)
        error = write_vector(write, &group, "l", 1, solution->g, problem->m_e, NULL);
    vs_h5_group_close(&group);
    return error;
}

vs_error vs_fclib_write_group(const vs_h5_group *root, const vs_problem *problem, const vs_solution_view *solution,
                              const vs_fclib_info *info) {
    writing write = {.problem = problem, .context = root->context, .root = {.id = -1}};
    if (info)
        write.info = *info;
    vs_arena_init(&write.arena, root->context);
    int64_t *at = VS_NEW(&write.arena, int64_t, problem->m);
    vs_error error = at ? VS_OK : VS_ERROR_MEMORY;
    if (error)
        goto cleanup;
    write.at = at;
    write.rows = vs_fclib_map_rows(problem->contacts, problem->row, problem->kind, at);
    if (write.rows >= INT_MAX) {
        error = vs_fail(root->context, VS_ERROR_UNSUPPORTED, "%lld rows; FCLIB counts up to %d", (long long)write.rows,
                        INT_MAX);
        goto cleanup;
    }
    error = vs_h5_group_make(root, problem->local ? VS_FCLIB_LOCAL : VS_FCLIB_GLOBAL, &write.root);
    if (!error)
        error = vs_h5_write_int(&write.root, "spacedim", 3);
    if (!error)
        error = problem->local ? write_local(&write) : write_global(&write, root);
    if (!error && solution)
        error = write_solution(&write, root, solution);
cleanup:
    vs_h5_group_close(&write.root);
    vs_arena_release(&write.arena);
    return error;
}
