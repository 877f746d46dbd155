// A copy of a problem with boxes in the place of friction cones: see box_friction.h.
#include "problem/box_friction.h"

#include <math.h>
#include <string.h>

#include "problem/problem_data.h"
#include "problem/validate.h"

static bool has_friction(const vs_problem *problem, int i) {
    return vs_problem_has_friction(problem, i);
}

// Coefficient of row k of friction contact i, of which 0 is the normal row.
static double coefficient(const vs_problem *problem, int i, int k) {
    if (k < 3)
        return problem->mu[i];
    return problem->rolling[i] > 0 && k < 5 ? problem->rolling[i] : problem->spinning[i];
}

static vs_error validate_normals(const vs_problem *problem, const double *lambda) {
    for (int i = 0; i < problem->contacts; i++)
        if (has_friction(problem, i)) {
            vs_error error = vs_validate_number(problem->context, (vs_where){"contact", i}, "lambda",
                                                lambda[problem->row[i]], VS_ANY_SIGN);
            if (error)
                return error;
        }
    return VS_OK;
}

// Contacts of the copy: row, kind, mu, keys and bounds.
static vs_error split_contacts(vs_problem *made, const vs_problem *problem, const double *lambda) {
    vs_arena *arena = &made->arena;
    int contacts = problem->contacts, next = 0;
    for (int i = 0; i < problem->contacts; i++)
        contacts += has_friction(problem, i);
    if (contacts == problem->contacts)
        return VS_OK;
    made->contacts = contacts;
    made->row = VS_NEW(arena, int, (int64_t)contacts + 1);
    made->kind = VS_NEW(arena, vs_cone_kind, contacts);
    made->mu = VS_NEW_ZERO(arena, double, contacts);
    made->key = VS_NEW_ZERO(arena, uint64_t, contacts);
    made->lo = problem->lo ? VS_COPY(arena, double, problem->lo, problem->m) : VS_NEW_ZERO(arena, double, problem->m);
    made->hi = problem->hi ? VS_COPY(arena, double, problem->hi, problem->m) : VS_NEW_ZERO(arena, double, problem->m);
    if (!made->row || !made->kind || !made->mu || !made->key || !made->lo || !made->hi)
        return VS_ERROR_MEMORY;
    for (int i = 0; i < problem->contacts; i++) {
        int row = problem->row[i];
        made->row[next] = row;
        made->key[next] = problem->key[i];
        made->kind[next++] = has_friction(problem, i) ? VS_CONE_NONNEG : problem->kind[i];
        if (!has_friction(problem, i))
            continue;
        made->row[next] = row + 1;
        made->kind[next++] = VS_CONE_BOX;
        for (int k = row + 1; k < problem->row[i + 1]; k++) {
            made->hi[k] = coefficient(problem, i, k - row) * fmax(lambda[row], 0);
            made->lo[k] = -made->hi[k];
        }
    }
    made->rolling = made->spinning = NULL;
    made->row[contacts] = problem->m;
    return VS_OK;
}

// D by the new groups; the two parts of a contact have the same columns.
static vs_error split_rows(vs_problem *made, const vs_problem *problem) {
    const vs_rows *D = &problem->D;
    vs_arena *arena = &made->arena;
    int groups = made->contacts;
    int64_t columns = 0;
    for (int i = 0; i < problem->contacts; i++)
        columns += (D->start[i + 1] - D->start[i]) * (1 + has_friction(problem, i));
    vs_rows out = {.groups = groups, .rows = D->rows, .cols = D->cols};
    out.row = VS_COPY(arena, int, made->row, (int64_t)groups + 1);
    out.start = VS_NEW(arena, int64_t, (int64_t)groups + 1);
    out.value = VS_NEW(arena, int64_t, (int64_t)groups + 1);
    out.col = VS_NEW(arena, int, columns);
    out.x = VS_COPY(arena, double, D->x, D->value[D->groups]);
    if (!out.row || !out.start || !out.value || !out.col || !out.x)
        return VS_ERROR_MEMORY;
    out.start[0] = out.value[0] = 0;
    for (int g = 0, i = 0; g < groups; g++) {
        while (problem->row[i + 1] <= out.row[g])
            i++;
        int64_t width = D->start[i + 1] - D->start[i];
        if (width > 0)
            memcpy(out.col + out.start[g], D->col + D->start[i], sizeof(int) * (size_t)width);
        out.start[g + 1] = out.start[g] + width;
        out.value[g + 1] = out.value[g] + width * (out.row[g + 1] - out.row[g]);
    }
    made->D = out;
    return VS_OK;
}

vs_error vs_problem_box_friction(const vs_problem *problem, const double *lambda, vs_problem **boxed) {
    if (boxed)
        *boxed = NULL;
    if (!problem)
        return VS_ERROR_ARGUMENT;
    if (!boxed || !lambda)
        return vs_fail(problem->context, VS_ERROR_ARGUMENT, "vs_problem_box_friction: %s is null",
                       boxed ? "lambda" : "boxed");
    vs_error error = validate_normals(problem, lambda);
    if (error)
        return error;
    vs_problem *made = NULL;
    const vs_problem_change_def nothing = vs_problem_change_def_default();
    error = vs_problem_change(problem, &nothing, &made);
    if (!error)
        error = split_contacts(made, problem, lambda);
    if (!error && !problem->local)
        error = split_rows(made, problem);
    if (error) {
        vs_problem_destroy(made);
        return error;
    }
    *boxed = made;
    return VS_OK;
}
