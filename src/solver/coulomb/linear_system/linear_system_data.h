// The data of a linear system (linear_system.h) that its forms share.
#ifndef VS_SOLVER_COULOMB_LINEAR_SYSTEM_LINEAR_SYSTEM_DATA_H
#define VS_SOLVER_COULOMB_LINEAR_SYSTEM_LINEAR_SYSTEM_DATA_H

#include "linalg/linear_solver.h"
#include "solver/counts.h"
#include "solver/impulse/islands.h"
#include "solver/run.h"
#include "voussoir/solver.h"

typedef struct vs_linear_system vs_linear_system;

typedef struct vs_linear_system_form {
    const char *name;
    vs_error (*create)(vs_linear_system *system); // pattern and memory in the system's arena
    // Values x of the pattern; *sign: factor of the determinant of the factored matrix.
    vs_error (*assemble)(vs_linear_system *system, const double *P, const double *Q, int *sign);
    vs_error (*solve)(vs_linear_system *system, double *x);
} vs_linear_system_form;

// The same for the systems of all islands; nothing is owned.
typedef struct vs_linear_system_shared {
    const char *backend; // asked for, or null
    double *dense;       // (VS_ISLAND_SMALL x VS_ISLAND_SMALL) factor of a small system
    int *pivot;          // (VS_ISLAND_SMALL)
    vs_counts *counts;
} vs_linear_system_shared;

// Of the velocity form.
typedef struct vs_linear_system_velocities {
    int64_t *product;         // (groups + 1) first of each group's places in `at`
    const double *P, *Q;      // of the last factorization, borrowed
    double *P_inverse, *M;    // (9 groups) P^-1, P^-1 Q
    double *w;                // (n)
    double *right, *residual; // (rows)
} vs_linear_system_velocities;

struct vs_linear_system {
    vs_arena arena; // for a backend that is created when it is first needed
    vs_linear_system_shared shared;
    const vs_impulse_problem *island;
    bool small; // factored by dense_lu.c
    const vs_linear_system_form *form;
    vs_linear_pattern pattern;
    vs_linear_solver *solver;
    double *x;    // values of the backend's pattern
    int64_t *at;  // places in x; impulse form: of N's values; velocity form: of the groups' products J'J
    int sign_det; // of the last factorization: -1, 0 (unknown), 1
    vs_pace pace; // of a stage's iterations, with one factorization each
    vs_linear_system_velocities velocity;
};

#endif
