// Inverse effective masses, which turn impulses and velocities of contacts into energies (docs/theory.md, Energy
// scaling):
//
//     energy of an impulse l     a l^2 / 2
//     energy of a velocity y     y^2 / (2a)
#ifndef VS_MASS_ENERGY_SCALE_H
#define VS_MASS_ENERGY_SCALE_H

#include "mass/mass.h"
#include "voussoir/measure.h"

// For each group of rows (a contact, a joint) a matrix S, rows x rows: the size of what is added up for the velocity of
// row k from the impulse of row i, of which rounding is a part.
//
//     S = |D H^-1||D'| + E
//
// That is more than N where H couples velocities strongly. In the local form, where N is given, S is its diagonal.
typedef struct vs_row_sizes {
    int64_t *first; // (groups + 1)
    double *x;      // (first[groups]) >= 0
} vs_row_sizes;

// a = mean of diag(D_i H^-1 D_i' + E_i) over the rows of contact i, 1/kg, all > 0
//
// A contact with rolling or spinning friction has two: a_t of the rows n, u, w and a_r, 1/(kg m^2), of its rotational rows.
// Their ratio is a length, ell^2 = a_t / a_r (for a ball on a plane about its radius), by which rotational rows become
// translational ones: m / ell is an impulse, ell w a velocity, rolling / ell a coefficient of friction.
typedef struct vs_energy_scale {
    double *contact;   // (contacts) frictionless model: of a friction contact the normal row alone
    double *row;       // (m) that of the contact (a_t or a_r); box rows, which may mix units, have their own
    double *joint_row; // (m_e) mean over the rows of the joint
    vs_row_sizes size, joint_size; // of contacts, of joints
    double *work;                  // (largest width of a group) x 2
} vs_energy_scale;

vs_error vs_energy_scale_create(vs_energy_scale *scale, const vs_problem *problem, vs_arena *arena);
// mass: of the same problem; null for the local form.
void vs_energy_scale_compute(vs_energy_scale *scale, const vs_problem *problem, vs_model model, const vs_mass *mass);

#endif
