// The errors of impulses, in quadruple precision, from the problem's data and the impulses alone. Written from
// voussoir/measure.h and docs/theory.md ("Error measures"), not from src/measure: the two agree only if both are right.
#ifndef FORGE_EVALUATION_H
#define FORGE_EVALUATION_H

#include "quad.h"
#include "specimen.h"

// An island. Energies in J.
typedef struct island_verdict {
    quad energy;     // energy error
    quad rest;       // e0
    quad floor;      // energy of the rounding of its free velocities
    quad factor;     // of a general H: the same for the rounding left in H^-1; else 0
    quad reference;  // what errors are compared with
    quad masses;     // energy of the rounding of H, at the velocities of the impulses: the problem is not known better
    quad noise;      // energy of the rounding of velocities that follow from the impulses, in double precision
    quad work;       // work error
    quad work_noise; // rounding of the work, with these velocities
    quad map;        // square of the natural map; mixes N s and m/s
    bool exact;      // the energy error is not above the floor, or so small that it is no double
} island_verdict;

typedef struct forge_verdict {
    bool finite; // all impulses are
    int islands;
    island_verdict island[MOST_CONTACTS + MOST_JOINTS];
    // Contacts and joints by themselves, where their own energies are the stricter reference. No work.
    int owns;
    island_verdict own[MOST_CONTACTS + MOST_JOINTS];
    // Squares: natural map of the islands that are not exact, its roundings as those of an island, and what they are compared with.
    quad map, map_noise, map_masses, size;
} forge_verdict;

void evaluate(const specimen *s, vs_model model, const impulses *x, forge_verdict *q);

// sqrt(a / b), 0/0 = 0, as a double
double ratio_root(quad a, quad b);

#endif
