// Block Gauss-Seidel: sweeps over the groups of an island, each solved exactly for the others as they are, with
// Anderson acceleration between the sweeps.
#ifndef VS_SOLVER_SPLITTING_GAUSS_SEIDEL_H
#define VS_SOLVER_SPLITTING_GAUSS_SEIDEL_H

#include "solver/impulse/anderson.h"
#include "solver/impulse/island.h"

enum {
    VS_GAUSS_SEIDEL_DEPTH = 4, // changes that Anderson acceleration remembers
    VS_GAUSS_SEIDEL_WORK = 2 + VS_ANDERSON_VECTORS(VS_GAUSS_SEIDEL_DEPTH) // vectors of work
};

typedef struct vs_gauss_seidel_outcome {
    int sweeps;
    double error; // vs_island_error() of l
    bool stalled; // stopped because the tolerance was out of reach at the rate seen, before max_sweeps
} vs_gauss_seidel_outcome;

typedef struct vs_gauss_seidel_limits {
    bool both; // criterion of the error
    double tolerance;
    int sweeps; // at most, or, with momentum, that are worth it
    int most;   // at most, with momentum
    // Told the error whenever it is looked at, and the sweeps since the last time; true stops. Null: none
    bool (*stop)(void *user, double error, int sweeps);
    bool (*late)(void *user); // asked after every sweep; true: one look at the error and no more sweeps. Null: never
    void *user;
} vs_gauss_seidel_limits;

// What vs_gauss_seidel() is, and vs_momentum().
typedef void (*vs_sweeping)(const vs_island *island, vs_gauss_seidel_limits limits, double *l, double *y,
                            double *const *work, vs_gauss_seidel_outcome *outcome);

// From l (rows) in place, to the least error met; y (rows) receives N l + r. Sweeps forwards until the error is at most
// the tolerance, all sweeps are done, or the rate seen says that they will not do. work: VS_GAUSS_SEIDEL_WORK vectors
// (rows). Checks the error only now and then (it costs about as much as a sweep). Exact Coulomb.
void vs_gauss_seidel(const vs_island *island, vs_gauss_seidel_limits limits, double *l, double *y, double *const *work,
                     vs_gauss_seidel_outcome *outcome);

// ---- parts, for other ways between the sweeps --------------------------------------------------------

// One sweep forwards, l (rows) in place.
void vs_gauss_seidel_sweep(const vs_island *island, double *l);
// The error of l after so many sweeps; y of it, and `best` (rows) if it is the least. The outcome begins as
// {.error = INFINITY} and has the sweeps and the least error from here. *stop: told to.
double vs_gauss_seidel_look(const vs_island *island, const vs_gauss_seidel_limits *limits, int done, const double *l,
                            double *y, double *best, vs_gauss_seidel_outcome *outcome, bool *stop);
// Returns the best: l, y (rows).
void vs_gauss_seidel_end(const vs_island *island, const double *best, double *l, double *y);

#endif
