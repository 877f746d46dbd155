// The linear systems of all stages: (P + Q N) d = rhs with P, Q block diagonal, in an island's rows. Unsymmetric values
// on the symmetric pattern of N. A few rows: a dense factor of our own without calls; more: an engine, made when it is
// first needed.
#ifndef VS_SOLVER_COULOMB_SYSTEM_H
#define VS_SOLVER_COULOMB_SYSTEM_H

#include "linalg/linear_solver.h"
#include "solver/counts.h"
#include "solver/island.h"

typedef struct vs_system {
    vs_arena arena; // of what is made late
    const vs_island *island;
    const char *engine_name; // asked for, or null
    vs_counts *counts;       // not owned
    bool small;              // dense, by ourselves
    double *dense;           // (rows x rows) shared by all small islands
    int *pivot;              // (rows)
    vs_linear_solver *solver;
    int64_t *at;  // (N's values) place in x
    double *x;    // values of the engine's pattern
    int sign_det; // of the last factorization: -1, 0 (unknown), 1
} vs_system;

enum { VS_SYSTEM_SMALL = 36 }; // rows up to which a system is small

// dense (36 x 36), pivot (36): work that small systems share.
void vs_system_init(vs_system *system, const vs_island *island, const char *engine_name, double *dense, int *pivot,
                    vs_counts *counts);
void vs_system_release(vs_system *system);

// P, Q: 9 a group, row-major 3 x 3 (entry 0 of one-row groups). Q null: identity. VS_ERROR_NUMERICAL if singular.
vs_error vs_system_factor(vs_system *system, const double *P, const double *Q);
// rhs in, d out (rows)
vs_error vs_system_solve(vs_system *system, double *x);

#endif
