// Contacts held at zero impulse in a step: see active_set_correction.h.
#include "solver/ipm/active_set_correction.h"

#include <math.h>
#include <stddef.h>

#include "linalg/dense.h"

enum { MOST = 96 };                   // contacts held
enum { CHANGES = 40 };                // of the set, in one step
static const double ROUNDOFF = 1e-12; // of the largest impulse: not negative
static const double PIVOT = 1e-12;    // of the largest diagonal entry: held contacts depend on each other

vs_error vs_hold_create(vs_hold *hold, int cones, vs_arena *arena) {
    int most = cones < MOST ? cones : MOST;
    *hold = (vs_hold){.most = most,
                      .row = VS_NEW(arena, int, most),
                      .inverse = VS_NEW(arena, double, (int64_t)most *most),
                      .held = VS_NEW(arena, int, most),
                      .low = VS_NEW(arena, int, most),
                      .push = VS_NEW(arena, double, most),
                      .factor = VS_NEW(arena, double, (int64_t)most *most)};
    bool good = hold->row && hold->inverse && hold->held && hold->low && hold->push && hold->factor;
    return good ? VS_OK : VS_ERROR_MEMORY;
}

void vs_hold_begin(vs_hold *hold) {
    hold->known = hold->count = 0;
}

// dg, dl for the residuals, the pushes and, if `unit` is a row, a unit velocity of that alone.
static vs_error solve(const vs_hold *hold, vs_ipm *ipm, int unit, vs_iteration *line) {
    const vs_scaled *problem = ipm->problem;
    for (int k = 0; k < problem->m_e; k++)
        ipm->rhs_e[k] = unit < 0 ? -ipm->r_e[k] : 0;
    for (int k = 0; k < problem->m; k++)
        ipm->rhs_c[k] = unit < 0 && ipm->carries[k] ? -ipm->r_c[k] : 0;
    if (unit >= 0)
        ipm->rhs_c[unit] = 1;
    for (int i = 0; i < hold->count && unit < 0; i++)
        ipm->rhs_c[hold->row[hold->held[i]]] += hold->push[i];
    vs_newton_step move = {ipm->dv, ipm->dg, ipm->dl, ipm->Ddv, 0};
    vs_error error = vs_newton_solve(&ipm->newton, (vs_newton_rhs){NULL, ipm->rhs_e, ipm->rhs_c}, 0, &move);
    line->refinements += move.refinements;
    return error;
}

// Contact `row` with its column of K^-1, symmetric.
static vs_error learn(vs_hold *hold, vs_ipm *ipm, int row, vs_iteration *line) {
    vs_error error = solve(hold, ipm, row, line);
    int new = hold->known++;
    hold->row[new] = row;
    for (int i = 0; i <= new; i++)
        hold->inverse[new * hold->most + i] = hold->inverse[i * hold->most + new] = ipm->dl[hold->row[i]];
    return error;
}

static int find(const vs_hold *hold, int row) {
    for (int i = 0; i < hold->known; i++)
        if (hold->row[i] == row)
            return i;
    return -1;
}

// Is a known contact held now?
static bool holds(const vs_hold *hold, int known) {
    for (int i = 0; i < hold->count; i++)
        if (hold->held[i] == known)
            return true;
    return false;
}

// Pushes that take the held contacts to zero: `before` (rows) are the impulses without any. False: they depend on each
// other.
static bool find_pushes(vs_hold *hold, const double *before) {
    const int most = hold->most;
    double largest = 0;
    for (int i = 0; i < hold->count; i++) {
        const double *row = hold->inverse + (ptrdiff_t)hold->held[i] * most;
        for (int j = 0; j <= i; j++)
            hold->factor[i * most + j] = row[hold->held[j]];
        largest = fmax(largest, row[hold->held[i]]);
        hold->push[i] = -before[hold->row[hold->held[i]]];
    }
    return vs_dense_solve(hold->count, most, PIVOT * largest, hold->factor, hold->push);
}

// Lets go of contacts that pull; whether there were any.
static bool let_go(vs_hold *hold) {
    int kept = 0, all = hold->count;
    for (int i = 0; i < all; i++)
        if (hold->push[i] >= 0) {
            hold->held[kept] = hold->held[i];
            hold->push[kept++] = hold->push[i];
        }
    hold->count = kept;
    return kept < all;
}

// Notes in `low` the carrying contacts that the step in dl makes negative. -1: too many.
static int find_negative(vs_hold *hold, const vs_ipm *ipm) {
    int count = 0;
    double largest = 0;
    for (int k = 0; k < ipm->problem->m; k++)
        largest = fmax(largest, ipm->x[k]);
    for (int k = 0; k < ipm->problem->m; k++) {
        if (!ipm->carries[k] || ipm->x[k] + ipm->dl[k] >= -ROUNDOFF * largest)
            continue;
        int known = find(hold, k);
        if (known >= 0 && holds(hold, known))
            continue;
        if (count == hold->most)
            return -1;
        hold->low[count++] = k;
    }
    return count;
}

// Holds those in `low`, too. False: too many in all, or out of time.
static bool take(vs_hold *hold, vs_ipm *ipm, int count, vs_iteration *line, vs_error *error) {
    for (int i = 0; i < count && !*error; i++) {
        int known = find(hold, hold->low[i]);
        if (known < 0) {
            if (hold->known == hold->most || !vs_run_fits(ipm->run, 0))
                return false;
            *error = learn(hold, ipm, hold->low[i], line);
            known = hold->known - 1;
        }
        hold->held[hold->count++] = known;
    }
    return true;
}

vs_error vs_hold_step(vs_hold *hold, vs_ipm *ipm, vs_iteration *line, bool *good) {
    double *before = ipm->keep + ipm->problem->m_e; // impulses of the step without pushes
    int held = hold->count;
    hold->count = 0;
    vs_error error = solve(hold, ipm, -1, line);
    for (int k = 0; k < ipm->problem->m; k++)
        before[k] = ipm->x[k] + ipm->dl[k];
    hold->count = held; // those of the last step are a good guess
    *good = false;
    for (int change = 0; change < CHANGES && !error && !*good; change++) {
        do
            if (!find_pushes(hold, before))
                return VS_OK;
        while (let_go(hold));
        if (held > 0 || change > 0)
            error = solve(hold, ipm, -1, line);
        int count = find_negative(hold, ipm);
        *good = !error && count == 0;
        if (error || count < 0 || !take(hold, ipm, count, line, &error))
            break;
    }
    return error;
}
