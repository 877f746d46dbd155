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
    const double *v;           // (n) J'l of the iterate to be evaluated, where it is known; else null
} vs_sweep_course;

// The last time that an error had fallen, to a half or another share.
typedef struct vs_fall {
    double error;
    int sweep;
} vs_fall;

// Notes the error; returns the sweeps since it last fell to this share.
static inline int vs_fall_note(vs_fall *last, double share, int done, double error) {
    if (error <= share * last->error)
        *last = (vs_fall){error, done};
    return done - last->sweep;
}

// Error of large islands from which sweeps only wait for a last contact to decide: piles that were not solved wandered about
// 1e-3. They may then take more sweeps than permitted.
static const double VS_SWEEP_SMALL = 2e-4;
int vs_sweep_course_most(const vs_sweep_limits *limits); // sweeps with these
// When to evaluate next: after 1/share of the sweeps done, at least `least` and at most 100 of them, but by the end.
int vs_sweep_course_next(int done, int least, int share, int end);

void vs_sweep_course_begin(vs_sweep_course *course);
// The error of l after this many sweeps.
double vs_sweep_course_evaluate(vs_sweep_course *course, int sweeps, const double *l);
// l, y become the best iterate.
void vs_sweep_course_end(vs_sweep_course *course, double *l);

#endif
