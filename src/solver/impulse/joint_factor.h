// The factor of the joint rows of an island,
//
//     P N_jj P' = L D L',    L sparse and unit lower triangular, D diagonal
//
// Joints of a tree of bodies, eliminated from the leaves to the root, leave no fill: factor and solve are proportional to
// the number of joints. That is the order in which they are tried first, last joint first; loops and other orders are
// left to a fill-reducing ordering.
//
// Redundant joints make N_jj singular. A row whose pivot vanishes is determined by the rows before it: it is dropped, with
// an impulse of zero. If the rows contradict each other, its residual stays.
#ifndef VS_SOLVER_IMPULSE_JOINT_FACTOR_H
#define VS_SOLVER_IMPULSE_JOINT_FACTOR_H

#include "solver/impulse/impulse_problem.h"

typedef struct vs_joint_factor {
    const vs_impulse_problem *island; // not owned; N stored, joint rows first
    int rows;                         // of joints
    int *order, *place;               // (rows) position -> row, row -> position
    int *parent;                      // (rows) of the elimination tree
    int64_t *p;                       // (rows + 1) L by columns, without its diagonal
    int *i;                           // (p[rows]) positions, ascending
    double *x;                        // (p[rows])
    double *d;                        // (rows) D; infinite where a row is dropped
    int dropped;                      // rows
    int *filled;                      // (rows) entries of each column so far
    int *mark, *path;                 // (rows) work
    double *y;                        // (rows) work
} vs_joint_factor;

// Order, pattern and memory.
vs_error vs_joint_factor_create(vs_joint_factor *f, const vs_impulse_problem *island, vs_arena *arena);
void vs_joint_factor_update(vs_joint_factor *f); // values
// x (rows, by position) <- L^-1 x, and x <- L^-T x
void vs_joint_factor_forward(const vs_joint_factor *f, double *x);
void vs_joint_factor_backward(const vs_joint_factor *f, double *x);

#endif
