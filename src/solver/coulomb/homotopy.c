// Homotopies in compliance and in friction: see homotopy.h.
#include "solver/coulomb/homotopy.h"

#include <math.h>
#include <string.h>

#include "solver/coulomb/semismooth.h"

// From 1e-5 on Newton finds the way to the rigid problem in a few steps, from 1e-4 never (measured).
static const double NEAR[] = {1e-6, 1e-5, 1e-7};
static const double FAR[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
static const double NEARBY = 1e-8; // tolerance of a nearby problem, unless more is allowed

enum { STEPS = 60 };            // of the friction
static const double FIRST = .1; // share of the friction to begin with, and the first step
static const double LONGER = 1.5, SHORTER = .4, JUMP = 6;
static const double LEAST = 1e-4; // step that is given up

vs_error vs_homotopy_create(vs_homotopy *h, int islands, int rows, int most_rows, int most_groups, vs_arena *arena) {
    h->l = VS_NEW_ZERO(arena, double, most_rows);
    h->y = VS_NEW_ZERO(arena, double, most_rows);
    h->kept = VS_NEW_ZERO(arena, double, most_rows);
    h->mu = VS_NEW_ZERO(arena, double, most_groups);
    h->soft = VS_NEW_ZERO(arena, double, rows);
    h->softness = VS_NEW_ZERO(arena, double, islands);
    return h->l && h->y && h->kept && h->mu && h->soft && h->softness ? VS_OK : VS_ERROR_MEMORY;
}

// An attempt at a nearby problem, which does not touch the best iterate of the one asked for.
static vs_attempt make_inner(const vs_homotopy *h, const vs_attempt *attempt, double tolerance) {
    vs_attempt inner = *attempt;
    inner.l = h->l;
    inner.y = h->y;
    inner.error = INFINITY;
    inner.tolerance = fmax(tolerance, attempt->tolerance);
    return inner;
}

// What happened inside counts outside.
static void take_over(vs_attempt *attempt, const vs_attempt *inner) {
    attempt->iterations = inner->iterations;
    attempt->stopped = inner->stopped;
    attempt->broken = inner->broken;
}

static vs_outcome follow_with(vs_homotopy *h, vs_path *path, vs_island *island, vs_attempt *attempt, double epsilon) {
    vs_attempt inner = make_inner(h, attempt, NEARBY);
    vs_outcome outcome = VS_OUTCOME_FAILED;
    island->epsilon = epsilon;
    const vs_path_options *ways[] = {vs_path_wide, vs_path_tight};
    for (int k = 0; k < 2 && outcome == VS_OUTCOME_FAILED; k++)
        outcome = vs_path_follow(path, &ways[k][0], &inner);
    island->epsilon = 0;
    take_over(attempt, &inner);
    return inner.stopped ? VS_OUTCOME_STOPPED : outcome; // also if told to in the moment it was solved
}

static void keep_soft(vs_homotopy *h, const vs_island *island, int k, int first, double epsilon) {
    if (h->softness[k] > 0 && h->softness[k] <= epsilon)
        return;
    h->softness[k] = epsilon;
    memcpy(h->soft + first, h->l, sizeof(double) * (size_t)island->rows);
}

vs_outcome vs_homotopy_compliance(vs_homotopy *h, vs_path *path, vs_island *island, vs_attempt *attempt, int k,
                                  int first) {
    for (size_t j = 0; j < sizeof NEAR / sizeof *NEAR; j++) {
        vs_outcome outcome = follow_with(h, path, island, attempt, NEAR[j]);
        if (outcome == VS_OUTCOME_STOPPED)
            return outcome;
        if (outcome == VS_OUTCOME_FAILED)
            continue;
        keep_soft(h, island, k, first, NEAR[j]);
        outcome = vs_semismooth_solve(&vs_semismooth_cold, attempt, h->l);
        if (outcome != VS_OUTCOME_FAILED)
            return outcome;
    }
    attempt->why = h->softness[k] > 0 ? "solved with compliance only: no way to the rigid problem was found"
                                      : "not even the compliant problems were solved";
    return VS_OUTCOME_FAILED;
}

vs_outcome vs_homotopy_soften(vs_homotopy *h, vs_path *path, vs_island *island, vs_attempt *attempt, int k, int first) {
    vs_outcome outcome = VS_OUTCOME_SOLVED;
    for (size_t j = 0; j < sizeof FAR / sizeof *FAR && outcome == VS_OUTCOME_SOLVED; j++) {
        outcome = follow_with(h, path, island, attempt, FAR[j]);
        if (outcome == VS_OUTCOME_SOLVED)
            keep_soft(h, island, k, first, FAR[j]);
    }
    attempt->why = h->softness[k] > 0 ? "solved with compliance" : "not solved with compliance either";
    return outcome == VS_OUTCOME_STOPPED ? outcome : VS_OUTCOME_FAILED;
}

// ---- friction --------------------------------------------------------------------------------------

static void set_friction(const vs_homotopy *h, vs_island *island, double share) {
    for (int g = 0; g < island->groups; g++)
        island->mu[g] = share * h->mu[g];
}

// Newton with a share of the friction from the kept solution; keeps the new one.
static vs_outcome solve_share(vs_homotopy *h, vs_island *island, vs_attempt *attempt, double share) {
    vs_attempt inner = make_inner(h, attempt, 1e-6);
    set_friction(h, island, share);
    memcpy(h->l, h->kept, sizeof(double) * (size_t)island->rows);
    vs_island_project(island, h->l);
    vs_outcome outcome = vs_semismooth_solve(&vs_semismooth_cold, &inner, h->l);
    if (outcome == VS_OUTCOME_SOLVED)
        memcpy(h->kept, h->l, sizeof(double) * (size_t)island->rows);
    set_friction(h, island, 1);
    take_over(attempt, &inner);
    return inner.stopped ? VS_OUTCOME_STOPPED : outcome;
}

vs_outcome vs_homotopy_friction(vs_homotopy *h, vs_island *island, vs_attempt *attempt) {
    double share = 0, step = FIRST;
    int failures = 0;
    memcpy(h->mu, island->mu, sizeof(double) * (size_t)island->groups);
    memset(h->kept, 0, sizeof(double) * (size_t)island->rows);
    for (int k = 0; k < STEPS && step > LEAST; k++) {
        double next = fmin(1, share + step);
        vs_outcome outcome = solve_share(h, island, attempt, next);
        if (outcome == VS_OUTCOME_STOPPED)
            return outcome;
        if (outcome == VS_OUTCOME_SOLVED && next == 1) {
            return vs_semismooth_solve(&vs_semismooth_cold, attempt, h->kept);
        }
        if (outcome == VS_OUTCOME_SOLVED) {
            share = next;
            step *= LONGER;
            failures = 0;
        } else {
            // every third failure in a row jumps: there may be a fold in between
            failures++;
            step *= failures % 3 == 0 ? JUMP : SHORTER;
        }
    }
    attempt->why = "friction could not be raised to its full value";
    return VS_OUTCOME_FAILED;
}
