// Random contact problems and options of the solver, meant to provoke false certificates.
#ifndef FORGE_DRAW_H
#define FORGE_DRAW_H

#include "random.h"
#include "specimen.h"

// Where a solve starts, what else is done with the solver.
typedef enum forge_start {
    START_COLD,
    START_RANDOM,  // random impulses and velocities, of the size of the problem
    START_HUGE,    // random, up to 1e300 times larger
    START_EQUAL,   // the same normal impulse in every contact: what opposing contacts do not feel
    START_SCALED,  // after a first solve: its impulses, slightly larger
    START_MISSING, // after a first solve: its impulses, without those of one contact
    STARTS
} forge_start;

typedef struct forge_order {
    vs_solver_options options;
    forge_start start;
    double size;   // of a random start, relative to the problem
    bool changed;  // solve again after vs_solver_update() with other velocities
    double factor; // of these
} forge_order;

void draw_specimen(stream *random, specimen *s);
void draw_order(stream *random, forge_order *order);
// Other velocities for the same bodies: c, b or r multiplied.
void change_specimen(specimen *s, double factor);
// A starting point of the size of the problem's impulses; v (n) too.
void draw_start(stream *random, const specimen *s, const forge_order *order, impulses *x, double *v);

const char *start_name(forge_start start);

#endif
