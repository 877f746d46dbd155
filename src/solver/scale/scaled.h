// The problem as solvers see it: a copy in pure numbers, with an exact undo (docs/theory.md).
//
//     rows         l' = S l / u,  y' = y / (S u)
//                  friction S_n = sqrt(a mu), S_T = sqrt(a / mu);  other rows S = sqrt(a), which is another one for the
//                  rotational rows of rolling contacts
//     velocities   v' = G v / u,  H' = G^-T H G^-1
//                  block-diagonal H: G = D^1/2 L' of H = L D L' per block, so that H' = I;  general H: G = sqrt(diag H)
//     data         D' = S^-1 D G^-1,  C' likewise,  E' = S^-1 E S^-1,  N' = S^-1 N S^-1,  b', c', r' divided by u
//
// u is sqrt(e) of each island, e the energy that its errors are relative to (measure/island_errors.h): a slow island has
// the same digits beside a fast one as alone.
//
// Friction cones become Lorentz cones; those of rolling contacts stay as they are, with scaled coefficients. A friction
// contact with mu = 0, and every one in the frictionless model, keeps its normal row only: tangential rows are dropped,
// their impulses are zero. A rolling contact with mu = 0 loses rows u and w.
#ifndef VS_SOLVER_SCALE_SCALED_H
#define VS_SOLVER_SCALE_SCALED_H

#include "solver/scale/scaled_data.h"

// Pattern and memory, then the values. measurer: of the same mass model; both are borrowed.
vs_error vs_scaled_create(vs_scaled *s, vs_mass_model *mass, const vs_measurer *measurer, vs_arena *arena);
// Values of the problem that the mass model was updated to, with the same pattern (the caller has checked it);
// allocates nothing.
void vs_scaled_update(vs_scaled *s, const vs_measurer *measurer);

// Is a box row so narrow that it prescribes the impulse?
bool vs_scaled_is_prescribed(const vs_problem *problem, int row);

// To and from the user's units. lambda, y (m of the problem), v (n), g (m_e); primes are the scaled ones.
void vs_scaled_lambda(const vs_scaled *s, const double *lambda, double *scaled);
void vs_scaled_lambda_undo(const vs_scaled *s, const double *scaled, double *lambda);
void vs_scaled_g(const vs_scaled *s, const double *g, double *scaled);
void vs_scaled_g_undo(const vs_scaled *s, const double *scaled, double *g);
void vs_scaled_v(const vs_scaled *s, const double *v, double *scaled);
void vs_scaled_v_undo(const vs_scaled *s, const double *scaled, double *v);

// ---- joint rows and contact rows stacked, one group per joint row and per cone ----------------------

int vs_scaled_group_row(const vs_scaled *s, int g);      // first stacked row of group g
double vs_scaled_friction(const vs_scaled *s, int cone); // mu: S has sqrt(a mu) and sqrt(a / mu)
// scale (m_e + m): from these rows to rows that keep mu: l = l' / scale, y = scale y'. sqrt(mu) and 1/sqrt(mu), else 1.
void vs_scaled_even_rows(const vs_scaled *s, double *scale);
// y (m_e + m) of no impulses: -b - J H^-1 c. work (n)
vs_error vs_scaled_free_velocities(const vs_scaled *s, double *work, double *y);

#endif
