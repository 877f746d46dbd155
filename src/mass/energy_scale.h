// Inverse effective masses, which turn impulses and velocities of contacts into energies (docs/theory.md, Energy
// scaling):
//
//     energy of an impulse l     a l^2 / 2
//     energy of a velocity y     y^2 / (2a)
#ifndef VS_MASS_ENERGY_SCALE_H
#define VS_MASS_ENERGY_SCALE_H

#include "mass/mass.h"
#include "voussoir/measure.h"

// a = mean of diag(D_i H^-1 D_i' + E_i) over the rows of contact i, 1/kg, all > 0
typedef struct vs_energy_scale {
    double *contact;                   // (contacts) frictionless model: of a friction contact the normal row alone
    double *row;                       // (m) that of the contact; box rows, which may mix units, have their own
    double *joint_row;                 // (m_e) mean over the rows of the joint
    double *diagonal, *joint_diagonal; // (m), (m_e) of each row by itself, >= 0; 0 where it is not positive
} vs_energy_scale;

vs_error vs_energy_scale_create(vs_energy_scale *scale, const vs_problem *problem, vs_arena *arena);
// mass: of the same problem; null for the local form.
void vs_energy_scale_compute(vs_energy_scale *scale, const vs_problem *problem, vs_model model, const vs_mass *mass);

#endif
