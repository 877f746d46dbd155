// Which reduction and which engine: a measured rule.
#ifndef VS_SOLVER_KKT_FORM_CHOICE_H
#define VS_SOLVER_KKT_FORM_CHOICE_H

#include "solver/kkt/newton.h"

typedef struct vs_choice {
    const vs_reduction *reduction;
    const vs_linear_backend *backend;
    char text[240]; // why, one sentence
} vs_choice;

// mass: of the problem, already factored (its factor tells what a general H costs); null for the local form.
// VS_ERROR_UNSUPPORTED (text set) if what the options ask for cannot be.
vs_error vs_choose(const vs_scaled *problem, const vs_mass *mass, const vs_solver_options *options, vs_context *context,
                   vs_choice *choice);

#endif
