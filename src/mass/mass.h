// H^-1 of a problem's velocity form, for the measures and for all solvers that work with impulses.
#ifndef VS_MASS_MASS_H
#define VS_MASS_MASS_H

#include "linalg/linear_solver.h"
#include "problem/problem_data.h"

// Blocks (bodies): an L D L' factor of each, in place. General H: a sparse factor (L L'; unsymmetric H: L U) and one
// step of iterative refinement. In a distributed problem so is the sparse factor, and all functions are collective.
typedef struct vs_mass {
    const vs_problem *problem;
    int64_t *start;           // (blocks) first entry of a block's factor; null for general H
    int *block_of;            // (n) the block that holds each unknown; null for general H
    double *factor;           // the factors, dofs x dofs row-major: D on the diagonal, the unit triangle L below it
    vs_linear_solver *solver; // general H, else null
    int64_t nonzeros;         // of the matrix factored: H's lower triangle; unsymmetric: H on the pattern of H + H'
    int64_t *source;          // (nonzeros) their places in H; -1: H has no such entry
    double *value;            // (nonzeros)
    double *weight;           // (nonzeros) distributed: this process's share of a value; else null
    int *order;               // (n) elimination order, general H only
    double *diagonal;         // (n) of H, general H only
    double *right, *residual; // (n) work, general H only
} vs_mass;

// Allocates in the arena, analyses and factors. VS_ERROR_DATA if H is not positive definite, or unsymmetric and
// singular. Not for the local form. Always, also after an error, call vs_mass_release() before the arena is released.
vs_error vs_mass_create(vs_mass *mass, const vs_problem *problem, vs_arena *arena);
// Factors the values of another problem with the same pattern; allocates nothing of ours.
vs_error vs_mass_update(vs_mass *mass, const vs_problem *problem);
void vs_mass_release(vs_mass *mass); // memory outside the arena

// y = alpha H x + beta y (n)
void vs_mass_multiply(const vs_mass *mass, double alpha, const double *x, double beta, double *y);
// x <- H^-1 x (n). Block-diagonal H never fails.
vs_error vs_mass_solve(vs_mass *mass, double *x);
// The same of one block, x (its unknowns). Block-diagonal H only.
void vs_mass_solve_block(const vs_mass *mass, int block, double *x);
// The same for `count` vectors, one after the other in x (n count), without refinement: accurate enough for matrices
// that a solver iterates with. General H only. With a symmetric H several vectors share each pass over the factor.
vs_error vs_mass_solve_many(vs_mass *mass, int count, double *x);
// Momentum r (n) that rounding may have left out of v = -H^-1 c, and z = H^-1 r (n); the energy of that is r'z, J:
//
//     r = 8 eps (|H||v| + |c|)
//
// General H only: velocities of blocks are exact to their own rounding.
vs_error vs_mass_rounding(vs_mass *mass, const double *v, double *r, double *z);
// d'H^-1 d of a vector d with `count` entries x at the ascending places `col`. For a general H its diagonal stands in,
// which is good enough for a scale.
double vs_mass_inverse_form(const vs_mass *mass, int count, const int *col, const double *x);
// The same, and |H^-1 d| (count) at the places of d: what one rounding of each momentum may change in d'v.
double vs_mass_inverse_sizes(const vs_mass *mass, int count, const int *col, const double *x, double *size);
// The diagonal a (count) of H at these places, if each of them is a block by itself, as all are of a body whose axes are
// principal ones: H^-1 is 1 / a there. False: there are other blocks, and a is not set.
bool vs_mass_find_diagonal(const vs_mass *mass, int count, const int *col, double *a);

#endif
