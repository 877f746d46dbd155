// Products with the matrix of a problem in impulses, and its impulses in the units of scaled.h.
#ifndef VS_SOLVER_IMPULSE_OPERATOR_H
#define VS_SOLVER_IMPULSE_OPERATOR_H

#include "solver/impulse/impulse_problem.h"

void vs_impulse_multiply(const vs_impulse_problem *p, const double *x, double *y);   // y = (N + E) x
void vs_impulse_velocities(const vs_impulse_problem *p, const double *l, double *y); // y = (N + E) l + r
// The same from v = J'l, if velocities are carried.
void vs_impulse_velocities_from(const vs_impulse_problem *p, const double *l, const double *v, double *y);
int64_t vs_impulse_entries(const vs_impulse_problem *p);                        // that a product or a sweep reads
void vs_impulse_carry(const vs_impulse_problem *p, const double *l, double *v); // v (n) of l, if carried

// Between impulses in the units of scaled.h, g (m_e) and lambda (m), and l (rows).
void vs_impulse_gather(const vs_impulse_problem *p, const double *g, const double *lambda, double *l);
void vs_impulse_scatter(const vs_impulse_problem *p, const double *l, double *g, double *lambda);

#endif
