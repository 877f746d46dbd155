// Problems from sparse matrices, as in FCLIB: H, D', C' (global form) or N (local form).
//
// An H that is symmetric to roundoff is stored as (H + H')/2, exact zeros off the diagonal left out. An unsymmetric H,
// and N, is kept as it is, value for value: it is then part of the equations H v + c = C'g + D'l, without an objective.
// Rows are regrouped into small dense matrices, contact by contact and joint by joint.
#include "problem/problem_data.h"
#include "problem/validate.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

vs_problem_global_def vs_problem_global_def_default(void) {
    return (vs_problem_global_def){0};
}

vs_problem_local_def vs_problem_local_def_default(void) {
    return (vs_problem_local_def){0};
}

// The view as a matrix; nothing writes through it.
static vs_sparse borrow(const vs_matrix_view *A) {
    return (vs_sparse){A->rows, A->cols, (int64_t *)A->p, (int *)A->i, (double *)A->x};
}

int vs_problem_find_joints(const vs_sparse *Ct, int *row) {
    int joints = 0;
    row[0] = 0;
    for (int j = 0; j < Ct->cols; j++) {
        const int64_t first = Ct->p[row[joints]], count = Ct->p[row[joints] + 1] - first;
        const bool same = Ct->p[j + 1] - Ct->p[j] == count &&
                          (count == 0 || memcmp(Ct->i + Ct->p[j], Ct->i + first, (size_t)count * sizeof(int)) == 0);
        if (!same)
            row[++joints] = j;
    }
    if (Ct->cols > 0)
        row[++joints] = Ct->cols;
    return joints;
}

// ---- H --------------------------------------------------------------------------------------------------

// Walks columns j of H and H' together: the next row and the mean of both values; false at the end.
typedef struct merge {
    const vs_sparse *H, *Ht;
    int64_t k, l;
    int j, i;
    double x;
} merge;

static bool merge_next(merge *m) {
    const int64_t end_k = m->H->p[m->j + 1], end_l = m->Ht->p[m->j + 1];
    if (m->k == end_k && m->l == end_l)
        return false;
    const int row_k = m->k < end_k ? m->H->i[m->k] : INT_MAX, row_l = m->l < end_l ? m->Ht->i[m->l] : INT_MAX;
    m->i = row_k < row_l ? row_k : row_l;
    const double a = row_k == m->i ? m->H->x[m->k++] : 0, b = row_l == m->i ? m->Ht->x[m->l++] : 0;
    m->x = a == b ? a : 0.5 * a + 0.5 * b;
    return true;
}

// Entries of (H + H')/2 that stay; written to out when that is not null.
static void symmetrize(const vs_sparse *H, const vs_sparse *Ht, vs_sparse *out, int64_t *count) {
    *count = 0;
    for (int j = 0; j < H->cols; j++) {
        merge m = {.H = H, .Ht = Ht, .k = H->p[j], .l = Ht->p[j], .j = j};
        if (out)
            out->p[j] = *count;
        while (merge_next(&m)) {
            if (m.x == 0 && m.i != j)
                continue;
            if (out) {
                out->i[*count] = m.i;
                out->x[*count] = m.x;
            }
            ++*count;
        }
    }
    if (out)
        out->p[H->cols] = *count;
}

// Stores (H + H')/2, whose small blocks must be definite.
static vs_error set_symmetric(vs_problem *problem, const vs_sparse *H, const vs_sparse *Ht) {
    int64_t count = 0;
    vs_sparse *made = &problem->H;
    symmetrize(H, Ht, NULL, &count);
    *made = (vs_sparse){.rows = H->rows, .cols = H->cols};
    made->p = VS_NEW(&problem->arena, int64_t, (int64_t)H->cols + 1);
    made->i = VS_NEW(&problem->arena, int, count);
    made->x = VS_NEW(&problem->arena, double, count);
    if (!made->p || !made->i || !made->x)
        return VS_ERROR_MEMORY;
    symmetrize(H, Ht, made, &count);
    vs_error error = vs_problem_partition(problem, NULL);
    return error ? error : vs_validate_definite(problem->context, made, problem->blocks, problem->block);
}

// Has A no nonzero below its diagonal?
static bool is_upper(const vs_sparse *A) {
    for (int j = 0; j < A->cols; j++)
        for (int64_t k = A->p[j]; k < A->p[j + 1]; k++)
            if (A->i[k] > j && A->x[k] != 0)
                return false;
    return true;
}

// Measures how far A = H or N is from its transpose.
static vs_error measure_asymmetry(vs_problem *problem, const vs_sparse *A) {
    double difference = 0, largest = 0;
    vs_error error = vs_sparse_asymmetry(A, problem->context, &difference, &largest);
    problem->symmetric = difference == 0;
    problem->asymmetry = largest > 0 ? difference / largest : 0;
    return error;
}

// Stores H unchanged. Legal, but perhaps not intended: logs a warning.
static vs_error set_unsymmetric(vs_problem *problem, const vs_sparse *H, const vs_sparse *Ht,
                                const vs_mirrored *found) {
    const bool triangle = is_upper(H) || is_upper(Ht);
    vs_log(problem->context, VS_LOG_INFO,
           "H is unsymmetric: entry (%d, %d) is %.17g, its mirror %.17g; solved as it is%s", found->i, found->j,
           found->x, found->mirror, triangle ? "; one triangle only: was a symmetric matrix meant?" : "");
    vs_error error = vs_sparse_copy(H, &problem->arena, &problem->H);
    if (!error)
        error = measure_asymmetry(problem, &problem->H);
    return error ? error : vs_problem_partition(problem, Ht);
}

// Validates and stores H and finds its blocks.
static vs_error set_H(vs_problem *problem, const vs_sparse *H) {
    vs_arena scratch;
    vs_arena_init(&scratch, problem->context);
    vs_sparse Ht;
    vs_mirrored found;
    vs_error error = vs_validate_diagonal(problem->context, H);
    if (!error)
        error = vs_sparse_transpose(H, &scratch, &Ht);
    if (!error && vs_validate_is_symmetric(H, &Ht, &found))
        error = set_symmetric(problem, H, &Ht);
    else if (!error)
        error = set_unsymmetric(problem, H, &Ht, &found);
    vs_arena_release(&scratch);
    return error;
}

// Columns of a general H that were checked on another rank.
static vs_error set_columns(vs_problem *problem, const vs_problem_parts *parts) {
    problem->symmetric = parts->symmetric;
    problem->asymmetry = parts->asymmetry;
    problem->blocks = problem->n > 0;
    problem->block = VS_NEW_ZERO(&problem->arena, int, 2);
    if (!problem->block)
        return VS_ERROR_MEMORY;
    problem->block[1] = problem->n;
    return vs_sparse_copy(&parts->H, &problem->arena, &problem->H);
}

// ---- from parts -----------------------------------------------------------------------------------------

static double *copy_or_zero(vs_arena *arena, const double *x, int64_t count) {
    return x ? VS_COPY(arena, double, x, count) : VS_NEW_ZERO(arena, double, count);
}

static uint64_t *copy_keys(vs_arena *arena, const uint64_t *key, int64_t count) {
    return key ? VS_COPY(arena, uint64_t, key, count) : VS_NEW_ZERO(arena, uint64_t, count);
}

// Rows of groups with more than 3 rows must have equal columns, or their dense matrices could be far larger than the
// input.
static vs_error validate_group(vs_context *context, const char *item, int index, const vs_sparse *At, int first,
                               int end) {
    const int64_t start = At->p[first], count = At->p[first + 1] - start;
    assert(count == 0 || At->i);
    for (int r = first + 1; r < end; r++)
        if (At->p[r + 1] - At->p[r] != count ||
            (count > 0 && memcmp(At->i + At->p[r], At->i + start, (size_t)count * sizeof(int)) != 0))
            return vs_fail(context, VS_ERROR_DATA, "%s %d: rows %d and %d have different columns", item, index, first,
                           r);
    return VS_OK;
}

static vs_error validate_parts(vs_context *context, const vs_problem_parts *parts) {
    const vs_where all = {0};
    const int m = parts->Dt.cols, m_e = parts->Ct.cols;
    vs_error error = vs_validate_vector(context, all, "c", parts->c, parts->H.cols, VS_ANY_SIGN);
    if (!error)
        error = vs_validate_vector(context, all, "b", parts->b, m, VS_ANY_SIGN);
    if (!error)
        error = vs_validate_vector(context, all, "mu", parts->mu, parts->contacts, VS_NOT_NEGATIVE);
    if (!error && parts->rolling)
        error = vs_validate_vector(context, all, "rolling", parts->rolling, parts->contacts, VS_NOT_NEGATIVE);
    if (!error && parts->spinning)
        error = vs_validate_vector(context, all, "spinning", parts->spinning, parts->contacts, VS_NOT_NEGATIVE);
    if (!error && parts->E)
        error = vs_validate_compliance(context, parts->E, parts->contacts, parts->row, parts->kind);
    if (!error && parts->b_e)
        error = vs_validate_vector(context, all, "b_e", parts->b_e, m_e, VS_ANY_SIGN);
    if (!error && parts->E_e)
        error = vs_validate_vector(context, all, "E_e", parts->E_e, m_e, VS_NOT_NEGATIVE);
    if (!error && parts->lo)
        error = vs_validate_bounds(context, all, parts->lo, parts->hi, m);
    for (int i = 0; !error && i < parts->contacts; i++)
        if (parts->kind[i] == VS_CONE_BOX)
            error = validate_group(context, "contact", i, &parts->Dt, parts->row[i], parts->row[i + 1]);
    for (int i = 0; !error && i < parts->joints; i++)
        error = validate_group(context, "joint", i, &parts->Ct, parts->joint_row[i], parts->joint_row[i + 1]);
    return error;
}

static vs_error copy_parts(vs_problem *problem, const vs_problem_parts *parts) {
    vs_arena *arena = &problem->arena;
    const int n = problem->n = parts->H.cols, m = problem->m = parts->Dt.cols, m_e = problem->m_e = parts->Ct.cols;
    const int contacts = problem->contacts = parts->contacts, joints = problem->joints = parts->joints;
    problem->row = VS_COPY(arena, int, parts->row, (int64_t)contacts + 1);
    problem->kind = VS_COPY(arena, vs_cone_kind, parts->kind, contacts);
    problem->mu = copy_or_zero(arena, parts->mu, contacts);
    problem->key = copy_keys(arena, parts->key, contacts);
    problem->joint_row = VS_COPY(arena, int, parts->joint_row, (int64_t)joints + 1);
    problem->joint_key = copy_keys(arena, parts->joint_key, joints);
    problem->c = copy_or_zero(arena, parts->c, n);
    problem->b = copy_or_zero(arena, parts->b, m);
    problem->E = copy_or_zero(arena, parts->E, m);
    problem->b_e = copy_or_zero(arena, parts->b_e, m_e);
    problem->E_e = copy_or_zero(arena, parts->E_e, m_e);
    if (!problem->row || !problem->kind || !problem->mu || !problem->key || !problem->joint_row ||
        !problem->joint_key || !problem->c || !problem->b || !problem->E || !problem->b_e || !problem->E_e)
        return VS_ERROR_MEMORY;
    for (int i = 0; i < contacts; i++)
        if (problem->kind[i] == VS_CONE_ELLIPTIC && !(problem->mu[i] > 0))
            problem->kind[i] = VS_CONE_ROLLING; // an ellipse needs mu
    if (parts->rolling) {
        problem->rolling = VS_COPY(arena, double, parts->rolling, contacts);
        problem->spinning = VS_COPY(arena, double, parts->spinning, contacts);
        if (!problem->rolling || !problem->spinning)
            return VS_ERROR_MEMORY;
    }
    if (!parts->lo)
        return VS_OK;
    problem->lo = VS_COPY(arena, double, parts->lo, m);
    problem->hi = VS_COPY(arena, double, parts->hi, m);
    return problem->lo && problem->hi ? VS_OK : VS_ERROR_MEMORY;
}

vs_error vs_problem_from_parts(vs_context *context, const vs_problem_parts *parts, vs_problem **problem) {
    vs_problem *made = NULL;
    vs_error error = validate_parts(context, parts);
    if (!error)
        error = vs_problem_create(context, &made);
    if (!error)
        error = copy_parts(made, parts);
    if (!error)
        error = parts->partial ? set_columns(made, parts) : set_H(made, &parts->H);
    if (!error)
        error = vs_rows_from_transpose(&parts->Dt, parts->contacts, parts->row, &made->arena, &made->D);
    if (!error)
        error = vs_rows_from_transpose(&parts->Ct, parts->joints, parts->joint_row, &made->arena, &made->C);
    if (error) {
        vs_problem_destroy(made);
        made = NULL;
    }
    *problem = made;
    return error;
}

// ---- from parts of the local form -----------------------------------------------------------------------

static vs_error copy_local_parts(vs_problem *problem, const vs_problem_parts *parts) {
    vs_arena *arena = &problem->arena;
    int none[1] = {0};
    vs_problem_parts rows = *parts;
    // velocities and joints: none
    rows.H.cols = rows.Ct.cols = rows.joints = 0;
    rows.Dt.cols = parts->N.rows;
    rows.joint_row = none;
    vs_error error = copy_parts(problem, &rows);
    if (error)
        return error;
    problem->local = true;
    problem->r = problem->b;
    problem->b = NULL;
    problem->block = VS_NEW_ZERO(arena, int, 1);
    error = problem->block ? vs_sparse_copy(&parts->N, arena, &problem->N) : VS_ERROR_MEMORY;
    problem->symmetric = parts->symmetric;
    problem->asymmetry = parts->asymmetry;
    return error || parts->partial ? error : measure_asymmetry(problem, &problem->N);
}

vs_error vs_problem_local_from_parts(vs_context *context, const vs_problem_parts *parts, vs_problem **problem) {
    vs_problem *made = NULL;
    vs_error error = vs_problem_create(context, &made);
    if (!error)
        error = copy_local_parts(made, parts);
    if (error) {
        vs_problem_destroy(made);
        made = NULL;
    }
    *problem = made;
    return error;
}

// ---- the public definitions -----------------------------------------------------------------------------

// Contacts of 3 rows each: row and kind in `arena`.
static vs_error make_triples(vs_arena *arena, int contacts, int **row, vs_cone_kind **kind) {
    *row = VS_NEW(arena, int, (int64_t)contacts + 1);
    *kind = VS_NEW(arena, vs_cone_kind, contacts);
    if (!*row || !*kind)
        return VS_ERROR_MEMORY;
    for (int i = 0; i <= contacts; i++)
        (*row)[i] = 3 * i;
    for (int i = 0; i < contacts; i++)
        (*kind)[i] = VS_CONE_SECOND_ORDER;
    return VS_OK;
}

static vs_error validate_contacts(vs_context *context, int contacts) {
    vs_error error = vs_validate_count(context, (vs_where){0}, "contacts", 0, contacts);
    if (!error)
        error = vs_validate_count(context, (vs_where){0}, "contact rows", 0, 3 * (int64_t)contacts);
    return error;
}

static vs_error validate_global(vs_context *context, const vs_problem_global_def *def, int m_e) {
    const int n = def->H.rows, m = 3 * def->contacts;
    vs_error error = vs_validate_count(context, (vs_where){0}, "rows of H", 0, n);
    if (!error)
        error = vs_validate_count(context, (vs_where){0}, "columns of Ct", 0, m_e);
    if (!error)
        error = vs_validate_matrix(context, "H", &def->H, n, n);
    if (!error && (m > 0 || def->Dt.p))
        error = vs_validate_matrix(context, "Dt", &def->Dt, n, m);
    if (!error && def->Ct.p)
        error = vs_validate_matrix(context, "Ct", &def->Ct, n, m_e);
    if (!error && m_e > 0)
        error = vs_validate_vector(context, (vs_where){0}, "b_e", def->b_e, m_e, VS_ANY_SIGN);
    return error;
}

vs_error vs_problem_from_global(vs_context *context, const vs_problem_global_def *def, vs_problem **problem) {
    if (!context || !problem)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_problem_from_global: problem is null");
    *problem = NULL;
    if (!def)
        return vs_fail(context, VS_ERROR_ARGUMENT, "def is null");
    const vs_problem_global_def d = *def;
    vs_error error = validate_contacts(context, d.contacts);
    const int m_e = d.Ct.p ? d.Ct.cols : 0;
    if (!error)
        error = validate_global(context, &d, m_e);
    if (error)
        return error;

    vs_arena scratch;
    vs_arena_init(&scratch, context);
    int64_t none[1] = {0};
    int *row = NULL, *joint_row = VS_NEW(&scratch, int, (int64_t)m_e + 1);
    vs_cone_kind *kind = NULL;
    error = joint_row ? make_triples(&scratch, d.contacts, &row, &kind) : VS_ERROR_MEMORY;
    if (!error) {
        vs_problem_parts parts = {.H = borrow(&d.H), .c = d.c, .contacts = d.contacts, .row = row, .kind = kind};
        parts.Dt = d.Dt.p ? borrow(&d.Dt) : (vs_sparse){.rows = d.H.rows, .p = none};
        parts.Ct = d.Ct.p ? borrow(&d.Ct) : (vs_sparse){.rows = d.H.rows, .p = none};
        parts.b = d.b, parts.mu = d.mu, parts.E = d.E, parts.b_e = m_e > 0 ? d.b_e : NULL;
        parts.joints = vs_problem_find_joints(&parts.Ct, joint_row);
        parts.joint_row = joint_row;
        error = vs_problem_from_parts(context, &parts, problem);
    }
    vs_arena_release(&scratch);
    return error;
}

static vs_error copy_local(vs_problem *problem, const vs_problem_local_def *def) {
    vs_arena *arena = &problem->arena;
    const int contacts = problem->contacts = def->contacts, m = problem->m = 3 * contacts;
    problem->local = true;
    vs_error error = make_triples(arena, contacts, &problem->row, &problem->kind);
    problem->mu = copy_or_zero(arena, def->mu, contacts);
    problem->r = copy_or_zero(arena, def->r, m);
    problem->E = VS_NEW_ZERO(arena, double, m);
    problem->key = copy_keys(arena, NULL, contacts);
    problem->joint_row = VS_NEW_ZERO(arena, int, 1);
    problem->joint_key = copy_keys(arena, NULL, 0);
    problem->block = VS_NEW_ZERO(arena, int, 1);
    if (error || !problem->mu || !problem->r || !problem->E || !problem->key || !problem->joint_row ||
        !problem->joint_key || !problem->block)
        return VS_ERROR_MEMORY;

    const vs_sparse N = def->N.p ? borrow(&def->N) : (vs_sparse){.p = (int64_t[1]){0}};
    error = vs_sparse_copy(&N, arena, &problem->N);
    return error ? error : measure_asymmetry(problem, &problem->N);
}

vs_error vs_problem_from_local(vs_context *context, const vs_problem_local_def *def, vs_problem **problem) {
    if (!context || !problem)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_problem_from_local: problem is null");
    *problem = NULL;
    if (!def)
        return vs_fail(context, VS_ERROR_ARGUMENT, "def is null");
    const vs_problem_local_def d = *def;
    vs_error error = validate_contacts(context, d.contacts);
    const int m = error ? 0 : 3 * d.contacts;
    if (!error && (m > 0 || d.N.p))
        error = vs_validate_matrix(context, "N", &d.N, m, m);
    if (!error)
        error = vs_validate_vector(context, (vs_where){0}, "r", d.r, m, VS_ANY_SIGN);
    if (!error)
        error = vs_validate_vector(context, (vs_where){0}, "mu", d.mu, d.contacts, VS_NOT_NEGATIVE);

    vs_problem *made = NULL;
    if (!error)
        error = vs_problem_create(context, &made);
    if (!error)
        error = copy_local(made, &d);
    if (error) {
        vs_problem_destroy(made);
        made = NULL;
    }
    *problem = made;
    return error;
}
