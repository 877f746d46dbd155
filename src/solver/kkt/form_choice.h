// Choice of reduction and backend: a measured rule.
#ifndef VS_SOLVER_KKT_FORM_CHOICE_H
#define VS_SOLVER_KKT_FORM_CHOICE_H

#include "solver/kkt/newton.h"

typedef struct vs_choice {
    const vs_reduction *reduction;
    const vs_linear_backend *backend;
    char text[240]; // the reason, one sentence
} vs_choice;

// The factor of the problem's mass matrix gives the cost of a general H.
// VS_ERROR_UNSUPPORTED (text set) if the options request an impossible combination.
vs_error vs_choose(const vs_scaled *problem, const vs_solver_options *options, vs_context *context, vs_choice *choice);

#endif
