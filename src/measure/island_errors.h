// Errors of impulses by islands, each relative to the energies of its own island, and by contacts, relative to their own
// (voussoir/measure.h): numbers of order one whatever the masses and velocities, so that squares of representable problems neither overflow nor vanish.
#ifndef VS_MEASURE_ISLAND_ERRORS_H
#define VS_MEASURE_ISLAND_ERRORS_H

#include "mass/mass_model.h"
#include "measure/own_scale.h"
#include "measure/row_errors.h"
#include "voussoir/measure.h"

typedef struct vs_island_errors {
    const vs_mass_model *mass; // borrowed
    double *e0;                // (islands) J; energy error of zero impulses, 0 if it is only rounding
    double *floor;             // (islands) J; rounding of the free velocities
    double *reference;         // (islands) J
    double *unit;              // (islands) sqrt(J); root of the reference, 1 if that is 0
    double *size;              // (islands) sqrt(J); the largest free velocity y, |y|/sqrt(a), and impulse demanded
    bool overflow;             // an island's energies are out of range
    vs_own_scale own;          // of contacts and joints
    double *sum;               // (5 islands) of the impulses evaluated last
} vs_island_errors;

vs_error vs_island_errors_create(vs_island_errors *errors, const vs_mass_model *mass, vs_arena *arena);
// References, floors and units of the mass model's present values. r, z (n): work.
vs_error vs_island_errors_update(vs_island_errors *errors, double *r, double *z);

// island (islands) <- is the relative error of the impulses evaluated last larger than this? granular: of granular islands
void vs_island_errors_compare(const vs_island_errors *errors, double tolerance, double granular, bool *island);

// Fills relative_error, energy_error, energy_scale and all about islands of q. map: square of the natural map over norm^2
// (mixes N s and m/s), of all islands and without the granular ones.
void vs_island_errors_evaluate(vs_island_errors *errors, const vs_evaluated *e, double norm, vs_measures *q,
                               double map[2]);

#endif
