// The course of accelerated sweeps: the error of the iterates, and the best of them.
#ifndef VS_SOLVER_SPLITTING_SWEEP_COURSE_H
#define VS_SOLVER_SPLITTING_SWEEP_COURSE_H

#include "solver/splitting/accelerated_sweeps.h"

typedef struct vs_sweep_course {
    const vs_impulse_problem *problem;
    const vs_sweep_limits *limits;
    double *y;                 // (rows) of the iterate evaluated last
    double *best;              // (rows) the best iterate
    vs_sweep_outcome *outcome; // sweeps at the last evaluation, least error
    bool stop;                 // limits->stop() said so
} vs_sweep_course;

void vs_sweep_course_begin(vs_sweep_course *course);
// The error of l after this many sweeps.
double vs_sweep_course_evaluate(vs_sweep_course *course, int sweeps, const double *l);
// l, y become the best iterate.
void vs_sweep_course_end(vs_sweep_course *course, double *l);

#endif
