// Isotropic elastic laws: energy density psi(F), stress P = dpsi/dF and tangent dP/dF of a deformation gradient F.
//
//     corotational   psi = mu |S - 1|^2 + lambda/2 tr(S - 1)^2,  F = R S, R the nearest rotation
//                    linear in strains, large rotations; the default. Exact for small strains in any position.
//     St. Venant     psi = mu E:E + lambda/2 (tr E)^2,  E = (F'F - 1)/2
//                    large tension and bending; softens under compression and does not resist inversion.
//     neo-Hookean    psi = mu/2 (|F|^2 - 3) - mu (J - 1) + (lambda + mu)/2 (J - 1)^2,  J = det F
//                    rubber; finite and smooth for inverted F, which it restores (Smith et al. 2018, without the
//                    term at the origin; lambda + mu makes it linear elasticity at F = 1).
#ifndef VS_ELEMENT_ELASTIC_H
#define VS_ELEMENT_ELASTIC_H

#include <stdbool.h>

#include "base/vec.h"
#include "element/material.h"
#include "element/eigen.h"

// Kinds of tangents.
typedef enum vs_tangent_kind {
    VS_TANGENT_SEMIDEFINITE, // symmetric positive semidefinite, for H; each element states the terms it drops
    VS_TANGENT_EXACT         // second derivative of the energy, indefinite where the body buckles
} vs_tangent_kind;

typedef struct vs_elastic {
    vs_elastic_law law;
    double lambda, mu; // Lamé's constants, Pa
} vs_elastic;

static inline vs_elastic vs_elastic_of(const vs_elastic_material *material, vs_elastic_law law) {
    return (vs_elastic){law, vs_lame_lambda(material), vs_shear_modulus(material)};
}

// Results of an element. Null: not requested.
typedef struct vs_element_output {
    double *energy;  // J
    double *force;   // (3 per node; beams 6) minus the gradient of the energy, N (N m)
    double *tangent; // (rows x rows) row-major, symmetric, minus the derivative of the force, N/m
} vs_element_output;

double vs_elastic_energy(const vs_elastic *elastic, const vs_mat3 *F);  // J/m^3
vs_mat3 vs_elastic_stress(const vs_elastic *elastic, const vs_mat3 *F); // first Piola-Kirchhoff, Pa
// C[9*k + l] = dP_k/dF_l, entries of F and P numbered by rows. Semidefinite: negative eigenvalues of C become zero.
void vs_elastic_tangent(const vs_elastic *elastic, const vs_mat3 *F, vs_tangent_kind kind, double C[81]);

// Cauchy stress P F'/J; corotational: R sigma R', linear theory. False (and zero) if F is inverted.
// Order of components: xx, yy, zz, yz, xz, xy.
bool vs_elastic_cauchy(const vs_elastic *elastic, const vs_mat3 *F, double stress[6]);
void vs_green_strain(const vs_mat3 *F, double strain[6]); // E = (F'F - 1)/2, tensor components (no factor 2)
double vs_von_mises(const double s[6]);                   // Pa

#endif
