// Evaluation of the iterates of an island: see progress.h.
#include "solver/coulomb/progress.h"

#include <math.h>
#include <string.h>

#include "solver/impulse/evaluation.h"
#include "solver/impulse/group_law.h"
#include "solver/impulse/operator.h"

void vs_progress_record(vs_progress *progress, double error, int iterations) {
    vs_method_run *run = progress->run;
    const double unit = progress->unit;
    vs_iteration line = {.energy_error = progress->others + error * error * unit * unit, .natural_map_relative = error};
    progress->iterations += iterations;
    run->iterations += iterations;
    progress->stopped = vs_method_run_note(run, &line);
}

void vs_progress_accept(vs_progress *progress, const double *l, const double *y, double error) {
    size_t bytes = sizeof(double) * (size_t)progress->island->rows;
    if (error < progress->error) {
        memcpy(progress->l, l, bytes);
        memcpy(progress->y, y, bytes);
        progress->error = error;
    }
}

// own: y are the velocities of l to the last bit.
static double evaluate(vs_progress *progress, const double *l, const double *y, bool own, int iterations) {
    const vs_impulse_problem *island = progress->island;
    double error = vs_impulse_error(island, progress->both, l, y);
    bool best = error < progress->error;
    vs_progress_accept(progress, l, y, error);
    if (best && error <= progress->tolerance) {
        // the returned impulses lie in the cones: evaluate those
        vs_impulse_project(island, progress->l);
        if (!own || memcmp(progress->l, l, sizeof *l * (size_t)island->rows) != 0) {
            vs_impulse_velocities(island, progress->l, progress->y);
            error = progress->error = vs_impulse_error(island, progress->both, progress->l, progress->y);
        }
    }
    vs_progress_record(progress, error, iterations);
    return error;
}

double vs_progress_evaluate(vs_progress *progress, const double *l, const double *y, int iterations) {
    return evaluate(progress, l, y, false, iterations);
}

double vs_progress_evaluate_own(vs_progress *progress, const double *l, const double *y, int iterations) {
    return evaluate(progress, l, y, true, iterations);
}

bool vs_progress_late(vs_progress *progress, bool first) {
    vs_linear_system *system = progress->system;
    if (vs_method_run_late(progress->run, &system->pace, first, vs_linear_system_predict(system, 1)))
        progress->stopped = true;
    return progress->stopped;
}
