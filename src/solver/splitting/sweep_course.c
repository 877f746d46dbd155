// The course of accelerated sweeps: see sweep_course.h.
#include "solver/splitting/sweep_course.h"

#include <math.h>
#include <string.h>

#include "solver/impulse/evaluation.h"
#include "solver/impulse/operator.h"

enum { EXTRA = 4, MOST_INTERVAL = 100 }; // times the permitted sweeps; sweeps between two evaluations

static int smaller(int64_t a, int64_t b) {
    return (int)(a < b ? a : b);
}

int vs_sweep_course_most(const vs_sweep_limits *limits) {
    return smaller(limits->most, (int64_t)EXTRA * limits->sweeps);
}

int vs_sweep_course_next(int done, int least, int share, int end) {
    int more = smaller(MOST_INTERVAL, done / share);
    return smaller(end, (int64_t)done + (more > least ? more : least));
}

void vs_sweep_course_begin(vs_sweep_course *course) {
    *course->outcome = (vs_sweep_outcome){.error = INFINITY};
}

double vs_sweep_course_evaluate(vs_sweep_course *course, int sweeps, const double *l) {
    const vs_impulse_problem *p = course->problem;
    const vs_sweep_limits *limits = course->limits;
    vs_sweep_outcome *outcome = course->outcome;
    if (course->v)
        vs_impulse_velocities_from(p, l, course->v, course->y);
    else
        vs_impulse_velocities(p, l, course->y);
    double error = vs_impulse_error(p, limits->both, l, course->y);
    if (error < outcome->error || sweeps == 0) {
        outcome->error = error;
        memcpy(course->best, l, sizeof(double) * (size_t)p->rows);
    }
    course->stop = limits->stop && limits->stop(limits->user, error, sweeps - outcome->sweeps);
    outcome->sweeps = sweeps;
    return error;
}

void vs_sweep_course_end(vs_sweep_course *course, double *l) {
    size_t bytes = sizeof(double) * (size_t)course->problem->rows;
    if (!vs_space_any(course->problem->space, memcmp(course->best, l, bytes) != 0))
        return;
    memcpy(l, course->best, bytes);
    vs_impulse_velocities(course->problem, l, course->y);
}
