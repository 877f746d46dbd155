// Islands of a distributed problem on one process: see gathered_islands.h.
#include "solver/coulomb/gathered_islands.h"

#include <math.h>

#include "base/clock.h"
#include "problem/gathered.h"
#include "solver/tolerance.h"

// Islands above a share of their tolerance, or all if there is none. Their number; *size: contacts and joints of all processes
static double choose(const vs_method_run *run, double share, bool *island, double *size) {
    const vs_problem *problem = run->problem;
    const vs_island_map *map = &run->mass.islands;
    vs_measurer_compare_islands(run->measurer, share * run->options.tolerance,
                                share * vs_granular_tolerance(&run->options), island);
    bool any = false;
    for (int k = 0; k < map->count; k++)
        any = any || island[k];
    any = vs_space_any(problem->space, any);
    double sums[2] = {0, 0};
    for (int k = 0; k < map->count; k++) {
        island[k] = island[k] || !any;
        sums[0] += island[k] && vs_island_map_counts(map, problem->space, k);
    }
    for (int i = 0; i < problem->contacts; i++)
        sums[1] += island[map->contact[i]];
    for (int j = 0; j < problem->joints; j++)
        sums[1] += island[map->joint[j]];
    vs_space_sums(problem->space, 2, sums);
    *size = sums[1];
    return sums[0];
}

// Options of the serial solve: as asked for, in what is left of the time.
static vs_solver_options serial_options(const vs_method_run *run, double elapsed) {
    vs_solver_options options = run->options;
    options.method = VS_METHOD_AUTO;
    options.linear_solver = "auto";
    options.max_iterations = -1;
    options.max_time = run->max_time > 0 ? fmax(run->max_time - elapsed - run->reserve, 1e-9) : 0;
    options.exact.fallback = VS_FALLBACK_LEAST_ERROR;
    options.warm_start = VS_WARM_START_FULL;
    options.progress = NULL; // of one process
    return options;
}

// Process 0: g, lambda <- the solution from there.
static vs_error solve_whole(const vs_problem *whole, const vs_solver_options *options, double *g, double *lambda,
                            vs_gathered_outcome *outcome) {
    vs_solver *solver = NULL;
    vs_result result = {0};
    vs_error error = vs_solver_create(whole, options, &solver);
    if (!error)
        error = vs_solver_warm_start(solver, NULL, g, lambda);
    if (!error)
        error = vs_solver_solve(solver, &result);
    if (!error) {
        for (int k = 0; k < whole->m_e; k++)
            g[k] = result.g[k];
        for (int k = 0; k < whole->m; k++)
            lambda[k] = result.lambda[k];
        outcome->counts.factorizations = result.factorizations;
        outcome->counts.solves = result.triangular_solves;
        outcome->iterations = result.iterations;
        outcome->status = result.status;
    }
    vs_solver_destroy(solver);
    return error;
}

// What process 0 found, known to all.
static void share_outcome(const vs_space *space, vs_gathered_outcome *outcome) {
    if (space->rank > 0)
        *outcome = (vs_gathered_outcome){.islands = outcome->islands};
    double of[4] = {outcome->counts.factorizations, (double)outcome->counts.solves, outcome->iterations,
                    outcome->status};
    vs_space_sums(space, 4, of);
    outcome->counts.factorizations = (int)of[0];
    outcome->counts.solves = (int64_t)of[1];
    outcome->iterations = (int)of[2];
    outcome->status = (vs_status)(int)of[3];
}

static vs_error solve_gathered(vs_method_run *run, const vs_gathered *gathered, vs_arena *arena,
                               vs_gathered_outcome *outcome) {
    const vs_space *space = run->problem->space;
    const vs_problem *whole = gathered->whole;
    double *g = VS_NEW(arena, double, whole ? whole->m_e : 0), *lambda = VS_NEW(arena, double, whole ? whole->m : 0);
    vs_error error = vs_space_agree(space, g && lambda ? VS_OK : VS_ERROR_MEMORY);
    if (error)
        return error;
    vs_solver_options options = serial_options(run, run->max_time > 0 ? vs_method_run_elapsed(run) : 0);
    vs_gathered_collect(gathered, run->g, run->lambda, g, lambda);
    if (whole)
        error = solve_whole(whole, &options, g, lambda, outcome);
    error = vs_space_agree(space, error);
    if (error)
        return error;
    vs_gathered_spread(gathered, g, lambda, run->g, run->lambda);
    share_outcome(space, outcome);
    return vs_method_run_measure(run);
}

vs_error vs_gathered_islands_solve(vs_method_run *run, double share, vs_gathered_outcome *outcome) {
    const vs_problem *problem = run->problem;
    const double begin = vs_clock();
    vs_arena arena;
    vs_gathered gathered = {0};
    double size = 0;
    *outcome = (vs_gathered_outcome){0};
    vs_arena_init(&arena, run->context);
    bool *island = VS_NEW_ZERO(&arena, bool, run->mass.islands.count);
    vs_error error = vs_space_agree(problem->space, island ? VS_OK : VS_ERROR_MEMORY);
    if (!error)
        outcome->islands = choose(run, share, island, &size);
    if (!error && size <= VS_GATHERED_MOST) {
        error = vs_gathered_create(&gathered, problem, &run->mass.islands, island, &arena);
        if (!error)
            error = solve_gathered(run, &gathered, &arena, outcome);
        vs_gathered_destroy(&gathered);
    } else {
        outcome->islands = 0;
    }
    vs_arena_release(&arena);
    outcome->seconds = vs_clock() - begin;
    return error;
}
