// A copy of a problem with other vectors (c, b, r, mu) or without some of its contacts.
//
// Leaving a contact out removes its rows from D, b, E and the bounds, or its rows and columns from N and rows from r.
// Everything else (H, joints, compliance, keys) is copied value for value, including blocks that nothing touches.
// The matrices themselves cannot be changed here: build another problem for that.
#include "problem/problem_data.h"
#include "problem/validate.h"

#include <string.h>

// The selection: contact i of the copy is contact[i] of the original, row k of it row[k].
typedef struct selection {
    int contacts, m;
    int *contact; // (contacts)
    int *row;     // (m)
} selection;

vs_problem_change_def vs_problem_change_def_default(void) {
    return (vs_problem_change_def){0};
}

static vs_error validate_change(const vs_problem *problem, const vs_problem_change_def *change) {
    vs_context *context = problem->context;
    const vs_where all = {0};
    if (problem->local ? change->c || change->b : change->r != NULL)
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s is given, but the problem has the %s form",
                       problem->local ? "c or b" : "r", problem->local ? "local" : "global");
    vs_error error = VS_OK;
    if (change->c)
        error = vs_validate_vector(context, all, "c", change->c, problem->n, VS_ANY_SIGN);
    if (!error && change->b)
        error = vs_validate_vector(context, all, "b", change->b, problem->m, VS_ANY_SIGN);
    if (!error && change->r)
        error = vs_validate_vector(context, all, "r", change->r, problem->m, VS_ANY_SIGN);
    for (int i = 0; !error && change->mu && i < problem->contacts; i++)
        if (vs_problem_has_friction(problem, i))
            error = vs_validate_number(context, (vs_where){"contact", i}, "mu", change->mu[i], VS_NOT_NEGATIVE);
    return error;
}

static vs_error select_rows(const vs_problem *problem, const bool *keep, vs_arena *arena, selection *s) {
    *s = (selection){.contact = VS_NEW(arena, int, problem->contacts), .row = VS_NEW(arena, int, problem->m)};
    if (!s->contact || !s->row)
        return VS_ERROR_MEMORY;
    for (int i = 0; i < problem->contacts; i++) {
        if (keep && !keep[i])
            continue;
        s->contact[s->contacts++] = i;
        for (int k = problem->row[i]; k < problem->row[i + 1]; k++)
            s->row[s->m++] = k;
    }
    return VS_OK;
}

// x[index[0]], x[index[1]], … (count); null without memory.
static double *gather(vs_arena *arena, const double *x, const int *index, int count) {
    double *out = VS_NEW(arena, double, count);
    for (int k = 0; out && k < count; k++)
        out[k] = x[index[k]];
    return out;
}

// ---- contacts --------------------------------------------------------------------------------------------

static vs_error copy_contacts(vs_problem *made, const vs_problem *problem, const selection *s, const double *mu) {
    vs_arena *arena = &made->arena;
    bool boxes = false, rolls = false;
    made->contacts = s->contacts, made->m = s->m;
    made->row = VS_NEW(arena, int, (int64_t)s->contacts + 1);
    made->kind = VS_NEW(arena, vs_cone_kind, s->contacts);
    made->key = VS_NEW(arena, uint64_t, s->contacts);
    made->mu = VS_NEW(arena, double, s->contacts);
    made->E = gather(arena, problem->E, s->row, s->m);
    if (!made->row || !made->kind || !made->key || !made->mu || !made->E)
        return VS_ERROR_MEMORY;
    made->row[0] = 0;
    for (int i = 0; i < s->contacts; i++) {
        const int from = s->contact[i];
        made->row[i + 1] = made->row[i] + problem->row[from + 1] - problem->row[from];
        made->kind[i] = problem->kind[from];
        made->key[i] = problem->key[from];
        made->mu[i] = mu && vs_problem_has_friction(problem, from) ? mu[from] : problem->mu[from];
        boxes = boxes || made->kind[i] == VS_CONE_BOX;
        if (made->kind[i] == VS_CONE_ELLIPTIC && !(made->mu[i] > 0))
            made->kind[i] = VS_CONE_ROLLING; // an ellipse needs mu
        rolls = rolls || vs_problem_rolls(made, i);
    }
    if (rolls) {
        made->rolling = gather(arena, problem->rolling, s->contact, s->contacts);
        made->spinning = gather(arena, problem->spinning, s->contact, s->contacts);
        if (!made->rolling || !made->spinning)
            return VS_ERROR_MEMORY;
    }
    if (!boxes)
        return VS_OK;
    made->lo = gather(arena, problem->lo, s->row, s->m);
    made->hi = gather(arena, problem->hi, s->row, s->m);
    return made->lo && made->hi ? VS_OK : VS_ERROR_MEMORY;
}

static vs_error copy_joints(vs_problem *made, const vs_problem *problem) {
    vs_arena *arena = &made->arena;
    made->joints = problem->joints, made->m_e = problem->m_e;
    made->joint_row = VS_COPY(arena, int, problem->joint_row, (int64_t)problem->joints + 1);
    made->joint_key = VS_COPY(arena, uint64_t, problem->joint_key, problem->joints);
    return made->joint_row && made->joint_key ? VS_OK : VS_ERROR_MEMORY;
}

// ---- the two forms ---------------------------------------------------------------------------------------

// The groups of A that are selected; group null: all of them.
static vs_error select_groups(const vs_rows *A, const int *group, int groups, vs_arena *arena, vs_rows *out) {
    int64_t columns = 0, values = 0;
    for (int g = 0; g < groups; g++) {
        const int from = group ? group[g] : g;
        columns += A->start[from + 1] - A->start[from];
        values += A->value[from + 1] - A->value[from];
    }
    *out = (vs_rows){.groups = groups, .cols = A->cols};
    out->row = VS_NEW_ZERO(arena, int, (int64_t)groups + 1);
    out->start = VS_NEW_ZERO(arena, int64_t, (int64_t)groups + 1);
    out->value = VS_NEW_ZERO(arena, int64_t, (int64_t)groups + 1);
    out->col = VS_NEW(arena, int, columns);
    out->x = VS_NEW(arena, double, values);
    if (!out->row || !out->start || !out->value || !out->col || !out->x)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < groups; g++) {
        const int from = group ? group[g] : g;
        const int64_t width = A->start[from + 1] - A->start[from], count = A->value[from + 1] - A->value[from];
        if (width > 0)
            memcpy(out->col + out->start[g], A->col + A->start[from], (size_t)width * sizeof(int));
        if (count > 0)
            memcpy(out->x + out->value[g], A->x + A->value[from], (size_t)count * sizeof(double));
        out->row[g + 1] = out->row[g] + A->row[from + 1] - A->row[from];
        out->start[g + 1] = out->start[g] + width;
        out->value[g + 1] = out->value[g] + count;
    }
    out->rows = out->row[groups];
    return VS_OK;
}

static vs_error copy_global(vs_problem *made, const vs_problem *problem, const selection *s,
                            const vs_problem_change_def *change) {
    vs_arena *arena = &made->arena;
    made->n = problem->n;
    made->symmetric = problem->symmetric, made->asymmetry = problem->asymmetry;
    made->blocks = problem->blocks, made->block_diagonal = problem->block_diagonal;
    made->block = VS_COPY(arena, int, problem->block, (int64_t)problem->blocks + 1);
    made->c = VS_COPY(arena, double, change->c ? change->c : problem->c, problem->n);
    made->b = gather(arena, change->b ? change->b : problem->b, s->row, s->m);
    made->b_e = VS_COPY(arena, double, problem->b_e, problem->m_e);
    made->E_e = VS_COPY(arena, double, problem->E_e, problem->m_e);
    if (!made->block || !made->c || !made->b || !made->b_e || !made->E_e)
        return VS_ERROR_MEMORY;
    if (problem->reference && !(made->reference = VS_COPY(arena, double, problem->reference, problem->n)))
        return VS_ERROR_MEMORY;
    vs_error error = vs_sparse_copy(&problem->H, arena, &made->H);
    if (!error)
        error = select_groups(&problem->D, s->contact, s->contacts, arena, &made->D);
    if (!error)
        error = select_groups(&problem->C, NULL, problem->joints, arena, &made->C);
    return error;
}

// Rows and columns s->row of N. at (rows of N): where a row is in the copy, -1 if it is left out.
static vs_error select_square(const vs_sparse *N, const selection *s, const int *at, vs_arena *arena, vs_sparse *out) {
    int64_t count = 0;
    *out = (vs_sparse){.rows = s->m, .cols = s->m, .p = VS_NEW(arena, int64_t, (int64_t)s->m + 1)};
    if (!out->p)
        return VS_ERROR_MEMORY;
    for (int j = 0; j < s->m; j++)
        for (int64_t k = N->p[s->row[j]]; k < N->p[s->row[j] + 1]; k++)
            count += at[N->i[k]] >= 0;
    out->i = VS_NEW(arena, int, count);
    out->x = VS_NEW(arena, double, count);
    if (!out->i || !out->x)
        return VS_ERROR_MEMORY;
    count = 0;
    for (int j = 0; j < s->m; j++) {
        out->p[j] = count;
        for (int64_t k = N->p[s->row[j]]; k < N->p[s->row[j] + 1]; k++) {
            if (at[N->i[k]] < 0)
                continue;
            out->i[count] = at[N->i[k]];
            out->x[count++] = N->x[k];
        }
    }
    out->p[s->m] = count;
    return VS_OK;
}

static vs_error copy_local(vs_problem *made, const vs_problem *problem, const selection *s, const double *r,
                           vs_arena *scratch) {
    int *at = VS_NEW(scratch, int, problem->m);
    made->local = true;
    made->block = VS_NEW_ZERO(&made->arena, int, 1);
    made->r = gather(&made->arena, r ? r : problem->r, s->row, s->m);
    if (!at || !made->block || !made->r)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < problem->m; k++)
        at[k] = -1;
    for (int k = 0; k < s->m; k++)
        at[s->row[k]] = k;
    vs_error error = select_square(&problem->N, s, at, &made->arena, &made->N);
    double difference = 0, largest = 0;
    if (!error)
        error = vs_sparse_asymmetry(&made->N, problem->context, &difference, &largest);
    made->symmetric = difference == 0;
    made->asymmetry = largest > 0 ? difference / largest : 0;
    return error;
}

static vs_error make_copy(const vs_problem *problem, const vs_problem_change_def *change, vs_arena *scratch,
                          vs_problem **changed) {
    selection s;
    vs_problem *made = NULL;
    vs_error error = select_rows(problem, change->keep, scratch, &s);
    if (!error)
        error = vs_problem_create(problem->context, &made);
    if (!error)
        error = copy_contacts(made, problem, &s, change->mu);
    if (!error)
        error = copy_joints(made, problem);
    if (!error)
        error =
            problem->local ? copy_local(made, problem, &s, change->r, scratch) : copy_global(made, problem, &s, change);
    if (error) {
        vs_problem_destroy(made);
        made = NULL;
    }
    *changed = made;
    return error;
}

vs_error vs_problem_change(const vs_problem *problem, const vs_problem_change_def *change, vs_problem **changed) {
    if (changed)
        *changed = NULL;
    if (!problem)
        return VS_ERROR_ARGUMENT;
    vs_context *context = problem->context;
    if (!change || !changed)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_problem_change: %s is null", change ? "changed" : "change");
    vs_error error = validate_change(problem, change);
    if (error)
        return error;
    vs_arena scratch;
    vs_arena_init(&scratch, context);
    error = make_copy(problem, change, &scratch, changed);
    vs_arena_release(&scratch);
    return error;
}
