// Contacts kept at zero impulse in a step: see active_set_correction.h.
#include "solver/ipm/active_set_correction.h"

#include <math.h>
#include <stddef.h>

#include "linalg/dense.h"

enum { MOST = 96 };                   // contacts kept at zero
enum { CHANGES = 40 };                // of the set, in one step
static const double ROUNDOFF = 1e-12; // of the largest impulse: not negative
static const double PIVOT = 1e-12;    // of the largest diagonal entry: the contacts kept at zero are dependent

vs_error vs_correction_create(vs_correction *correction, int cones, vs_arena *arena) {
    int most = cones < MOST ? cones : MOST;
    *correction = (vs_correction){.most = most,
                                  .row = VS_NEW(arena, int, most),
                                  .inverse = VS_NEW(arena, double, (int64_t)most *most),
                                  .held = VS_NEW(arena, int, most),
                                  .low = VS_NEW(arena, int, most),
                                  .push = VS_NEW(arena, double, most),
                                  .factor = VS_NEW(arena, double, (int64_t)most *most)};
    bool good = correction->row && correction->inverse && correction->held && correction->low && correction->push &&
                correction->factor;
    return good ? VS_OK : VS_ERROR_MEMORY;
}

void vs_correction_begin(vs_correction *correction) {
    correction->known = correction->count = 0;
}

// dg, dl for the residuals and the pushes or, if `unit` is a row, for a unit velocity of that row alone.
static vs_error solve(const vs_correction *correction, vs_ipm *ipm, int unit, vs_iteration *line) {
    const vs_scaled *problem = ipm->problem;
    for (int k = 0; k < problem->m_e; k++)
        ipm->rhs_e[k] = unit < 0 ? -ipm->r_e[k] : 0;
    for (int k = 0; k < problem->m; k++)
        ipm->rhs_c[k] = unit < 0 && ipm->carries[k] ? -ipm->r_c[k] : 0;
    if (unit >= 0)
        ipm->rhs_c[unit] = 1;
    for (int i = 0; i < correction->count && unit < 0; i++)
        ipm->rhs_c[correction->row[correction->held[i]]] += correction->push[i];
    vs_newton_step move = {ipm->dv, ipm->dg, ipm->dl, ipm->Ddv, 0};
    vs_error error = vs_newton_solve(&ipm->newton, (vs_newton_rhs){NULL, ipm->rhs_e, ipm->rhs_c}, 0, &move);
    line->refinements += move.refinements;
    return error;
}

// Contact `row` with its column of K^-1, symmetric.
static vs_error learn(vs_correction *correction, vs_ipm *ipm, int row, vs_iteration *line) {
    vs_error error = solve(correction, ipm, row, line);
    int new = correction->known++;
    correction->row[new] = row;
    for (int i = 0; i <= new; i++)
        correction->inverse[new * correction->most + i] = correction->inverse[i * correction->most + new] =
            ipm->dl[correction->row[i]];
    return error;
}

static int find(const vs_correction *correction, int row) {
    for (int i = 0; i < correction->known; i++)
        if (correction->row[i] == row)
            return i;
    return -1;
}

// Is a known contact kept at zero now?
static bool holds(const vs_correction *correction, int known) {
    for (int i = 0; i < correction->count; i++)
        if (correction->held[i] == known)
            return true;
    return false;
}

// Pushes that bring the contacts of the set to zero: `before` (rows) are the impulses without any. False: they are
// dependent.
static bool find_pushes(vs_correction *correction, const double *before) {
    const int most = correction->most;
    double largest = 0;
    for (int i = 0; i < correction->count; i++) {
        const double *row = correction->inverse + (ptrdiff_t)correction->held[i] * most;
        for (int j = 0; j <= i; j++)
            correction->factor[i * most + j] = row[correction->held[j]];
        largest = fmax(largest, row[correction->held[i]]);
        correction->push[i] = -before[correction->row[correction->held[i]]];
    }
    return vs_dense_solve(correction->count, most, PIVOT * largest, correction->factor, correction->push);
}

// Releases contacts that pull; were there any?
static bool let_go(vs_correction *correction) {
    int kept = 0, all = correction->count;
    for (int i = 0; i < all; i++)
        if (correction->push[i] >= 0) {
            correction->held[kept] = correction->held[i];
            correction->push[kept++] = correction->push[i];
        }
    correction->count = kept;
    return kept < all;
}

// Lists in `low` the carrying contacts that the step in dl makes negative. -1: too many.
static int find_negative(vs_correction *correction, const vs_ipm *ipm) {
    int count = 0;
    double largest = 0;
    for (int k = 0; k < ipm->problem->m; k++)
        largest = fmax(largest, ipm->x[k]);
    for (int k = 0; k < ipm->problem->m; k++) {
        if (!ipm->carries[k] || ipm->x[k] + ipm->dl[k] >= -ROUNDOFF * largest)
            continue;
        int known = find(correction, k);
        if (known >= 0 && holds(correction, known))
            continue;
        if (count == correction->most)
            return -1;
        correction->low[count++] = k;
    }
    return count;
}

// Adds those in `low` to the set. False: too many in total, or out of time.
static bool take(vs_correction *correction, vs_ipm *ipm, int count, vs_iteration *line, vs_error *error) {
    for (int i = 0; i < count && !*error; i++) {
        int known = find(correction, correction->low[i]);
        if (known < 0) {
            if (correction->known == correction->most || !vs_method_run_fits(ipm->run, 0))
                return false;
            *error = learn(correction, ipm, correction->low[i], line);
            known = correction->known - 1;
        }
        correction->held[correction->count++] = known;
    }
    return true;
}

vs_error vs_correction_step(vs_correction *correction, vs_ipm *ipm, vs_iteration *line, bool *good) {
    double *before = ipm->keep + ipm->problem->m_e; // impulses of the step without pushes
    int held = correction->count;
    correction->count = 0;
    vs_error error = solve(correction, ipm, -1, line);
    for (int k = 0; k < ipm->problem->m; k++)
        before[k] = ipm->x[k] + ipm->dl[k];
    correction->count = held; // the set of the last step is a good guess
    *good = false;
    for (int change = 0; change < CHANGES && !error && !*good; change++) {
        do
            if (!find_pushes(correction, before))
                return VS_OK;
        while (let_go(correction));
        if (held > 0 || change > 0)
            error = solve(correction, ipm, -1, line);
        int count = find_negative(correction, ipm);
        *good = !error && count == 0;
        if (error || count < 0 || !take(correction, ipm, count, line, &error))
            break;
    }
    return error;
}
