// The linear systems of all stages: (P + Q N) d = rhs with P, Q block diagonal, in an island's rows. Unsymmetric values
// on a symmetric pattern. A few rows: a dense factor of our own without calls. More: an engine, made when it is first
// needed, on one of two forms:
//
//     impulse     P + Q N itself
//     velocity    1 + J'P^-1 Q J, N = J J' (H = 1 in scaled units), refined on the impulse form's residual; its
//                 determinant times those of the blocks P is the determinant of P + Q N
#ifndef VS_SOLVER_COULOMB_SYSTEM_H
#define VS_SOLVER_COULOMB_SYSTEM_H

#include "linalg/linear_solver.h"
#include "solver/counts.h"
#include "solver/impulse/islands.h"
#include "solver/run.h"
#include "voussoir/solver.h"

typedef struct vs_system vs_system;

typedef struct vs_system_form {
    const char *name;
    vs_error (*create)(vs_system *system); // pattern and memory in the system's arena
    // Values x of the pattern; *sign: what the determinant of the factored matrix is to be multiplied by.
    vs_error (*assemble)(vs_system *system, const double *P, const double *Q, int *sign);
    vs_error (*solve)(vs_system *system, double *x);
} vs_system_form;

extern const vs_system_form vs_system_impulse, vs_system_velocity;

struct vs_system {
    vs_arena arena; // of what is made late
    const vs_islands *islands;
    const vs_island *island;
    vs_form asked;
    const char *engine_name; // asked for, or null
    vs_counts *counts;       // not owned
    bool small;              // dense, by ourselves
    double *dense;           // (rows x rows) shared by all small islands
    int *pivot;              // (rows)
    const vs_system_form *form;
    vs_linear_pattern pattern;
    vs_linear_solver *solver;
    double *x;    // values of the engine's pattern
    int64_t *at;  // places in x; impulse: of N's values; velocity: of the groups' products J'J
    int sign_det; // of the last factorization: -1, 0 (unknown), 1
    vs_pace pace; // of a stage's iterations, with one factorization each

    // velocity form
    int velocities;           // of the island; 0: not counted yet
    int64_t *start;           // (groups + 1) first column of each group in col
    int *col;                 // the island's velocity of each column of the Jacobian
    int64_t *product;         // (groups + 1) first of each group's places in `at`
    const double *P, *Q;      // of the last factorization, borrowed
    double *P_inverse, *M;    // (9 groups) P^-1, P^-1 Q
    double *w;                // (velocities)
    double *right, *residual; // (rows)
};

enum { VS_SYSTEM_SMALL = 36 }; // rows up to which a system is small

// Of island k. dense (36 x 36), pivot (36): work that small systems share.
void vs_system_init(vs_system *system, const vs_islands *islands, int k, vs_form form, const char *engine_name,
                    double *dense, int *pivot, vs_counts *counts);
void vs_system_release(vs_system *system);

// P, Q: 9 a group, row-major 3 x 3 (entry 0 of one-row groups), kept by the caller until the next factorization.
// Q null: identity. VS_ERROR_NUMERICAL if singular.
vs_error vs_system_factor(vs_system *system, const double *P, const double *Q);
// What so many iterations of a stage, with one factorization each, are expected to take, s.
double vs_system_predict(const vs_system *system, int iterations);
// rhs in, d out (rows)
vs_error vs_system_solve(vs_system *system, double *x);

// ---- parts -----------------------------------------------------------------------------------------

// One solve of the engine, counted.
vs_error vs_system_engine_solve(vs_system *system, double *x);
// The velocities that the island's rows touch (H block diagonal only).
int vs_system_velocities(vs_system *system);
// Row i of Q x for `count` columns; x has the group's rows with leading dimension width. Q null: identity.
void vs_system_multiply_row(const double *x, int64_t width, int rows, const double *Q, int i, int64_t count,
                            double *out);
// Entry of P + epsilon Q of group g; no compliance on joints.
double vs_system_diagonal_entry(const vs_island *island, int g, const double *P, const double *Q, int i, int j);

#endif
