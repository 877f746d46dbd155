// Inverse effective masses: what turns an impulse or a velocity of a contact into an energy (theory.md section 2).
#ifndef VS_MASS_ENERGY_SCALE_H
#define VS_MASS_ENERGY_SCALE_H

#include "mass/mass.h"
#include "voussoir/measure.h"

// a = mean of diag(D_i H^-1 D_i' + E_i) over the rows of a contact, all > 0; 1/kg
typedef struct vs_energy_scale {
    double *contact;   // (contacts) the mean; frictionless model: of a friction contact the normal row alone
    double *row;       // (m) the contact's; box rows, which may mix units: each row its own
    double *joint_row; // (m_e) the mean over the rows of the joint
} vs_energy_scale;

vs_error vs_energy_scale_create(vs_energy_scale *scale, const vs_problem *problem, vs_arena *arena);
// mass: of the same problem; null for the local form.
void vs_energy_scale_compute(vs_energy_scale *scale, const vs_problem *problem, vs_model model, const vs_mass *mass);

#endif
