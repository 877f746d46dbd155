// Judging the iterates of an island: see attempt.h.
#include "solver/coulomb/attempt.h"

#include <math.h>
#include <string.h>

void vs_attempt_note(vs_attempt *attempt, double error, int iterations) {
    vs_run *run = attempt->run;
    double e0 = run->scaled.root_e0 * run->scaled.root_e0, share = attempt->island->share;
    vs_iteration line = {.energy_error = e0 * (attempt->others + error * error * share),
                         .natural_map_relative = error * sqrt(share)};
    attempt->iterations += iterations;
    run->iterations += iterations;
    attempt->stopped = vs_run_note(run, &line);
}

void vs_attempt_accept(vs_attempt *attempt, const double *l, const double *y, double error) {
    size_t bytes = sizeof(double) * (size_t)attempt->island->rows;
    if (error < attempt->error) {
        memcpy(attempt->l, l, bytes);
        memcpy(attempt->y, y, bytes);
        attempt->error = error;
    }
}

double vs_attempt_judge(vs_attempt *attempt, const double *l, const double *y, int iterations) {
    const vs_island *island = attempt->island;
    double error = vs_island_error(island, attempt->both, l, y);
    bool best = error < attempt->error;
    vs_attempt_accept(attempt, l, y, error);
    if (best && error <= attempt->tolerance) {
        // what is returned lies in the cones: is it as good?
        vs_island_project(island, attempt->l);
        vs_island_velocities(island, attempt->l, attempt->y);
        error = attempt->error = vs_island_error(island, attempt->both, attempt->l, attempt->y);
    }
    vs_attempt_note(attempt, error, iterations);
    return error;
}

bool vs_attempt_late(vs_attempt *attempt, bool first) {
    vs_system *system = attempt->system;
    if (vs_run_late(attempt->run, &system->pace, first, vs_system_predict(system, 1)))
        attempt->stopped = true;
    return attempt->stopped;
}
