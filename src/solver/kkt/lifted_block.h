// The block of a contact with rolling or spinning friction in a Newton system. Its cone is lifted to a product of Lorentz
// cones, one per disc (cone/rolling.c),
//
//     s_k = G_k l = (mu_k l_n, l_k),    y = sum G_k'z_k,    s_k and z_k in L
//
// with a Nesterov-Todd pair each: W^2 of other cones is here
//
//     B = sum G_k' W_k^2 G_k = A'A,     A = (W_1 G_1; W_2 G_2; …)
//
// Its eigenvalues are as far apart as those of W^2. The scaling T must know them all: T = R^-1 with R'R = 1 + B by a QR
// factorization of (A; 1), rows in falling order, which is accurate row by row (Cox and Higham 1998). Then |A T| <= 1, and
//
//     M = T'(B + E) T = (A T)'(A T) + T'E T
//
// loses nothing. T is not symmetric, unlike that of other cones.
#ifndef VS_SOLVER_KKT_LIFTED_BLOCK_H
#define VS_SOLVER_KKT_LIFTED_BLOCK_H

#include "cone/cone.h"

enum { VS_LIFTED_BLOCK = VS_DISCS_ROWS * VS_DISCS_ROWS };

typedef struct vs_lifted_block {
    int rows;
    double T[VS_LIFTED_BLOCK];                        // rows x rows, row-major, as the next two
    double M[VS_LIFTED_BLOCK];                        //
    double inverse[VS_LIFTED_BLOCK];                  // (M + delta)^-1, velocity form
    double scaled[3 * VS_DISC_COUNT * VS_DISCS_ROWS]; // A T (3 discs x rows): W ds of the scaled unknowns
} vs_lifted_block;

// Discs of a lifted cone: those that have rows. Their pairs follow each other.
int vs_lifted_count(const vs_discs *d);
// s = G_k l and l += G_k'z of the disc of pair p, 0 … count - 1: s, z (3).
void vs_lifted_from_rows(const vs_discs *d, int p, const double *l, double *s);
void vs_lifted_add_to_rows(const vs_discs *d, int p, const double *z, double *l);
double vs_lifted_mu(const vs_discs *d, int p); // of that disc

// T and M from the pairs of the discs; E (rows).
void vs_lifted_scale(vs_lifted_block *block, const vs_discs *d, const vs_cone_pair *pairs, const double *E);
void vs_lifted_invert(vs_lifted_block *block, double delta);
void vs_lifted_multiply(int rows, const double *A, const double *x, double *y);   // y = A x; y is not x
void vs_lifted_multiply_t(int rows, const double *A, const double *x, double *y); // y = A'x
// weight = T (M + delta)^-1 T' (rows x rows)
void vs_lifted_weight(const vs_lifted_block *block, double *weight);

#endif
