// A solution with its statuses and factored systems.
#ifndef VS_SOLVER_DERIVATIVE_DERIVATIVE_DATA_H
#define VS_SOLVER_DERIVATIVE_DERIVATIVE_DATA_H

#include "measure/measurer.h"
#include "solver/derivative/modes.h"
#include "solver/derivative/pseudo_inverse.h"

struct vs_derivative {
    vs_arena arena;
    const vs_problem *problem;
    vs_mass_model mass;
    vs_problem transposed;  // the problem with H'
    vs_mass transposed_own; // factor of H'
    vs_mass *adjoint_mass;  // of H': the same if H is symmetric; null in the local form
    vs_measurer *measurer;
    vs_measures measures;
    double border;
    double *g, *lambda, *v, *y; // the solution
    vs_modes modes;
    vs_pseudo_inverse *inverse; // (islands)
    int rank;
    int iterations; // to the point of the path; 0 without smoothing
};

#endif
