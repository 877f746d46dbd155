// The check of a solver's options: VS_ERROR_ARGUMENT, with a text that names the one that is out of range.
#ifndef VS_SOLVER_OPTIONS_H
#define VS_SOLVER_OPTIONS_H

#include "voussoir/solver.h"

vs_error vs_solver_options_validate(const vs_solver_options *options, vs_context *context);
vs_error vs_tolerance_validate(double tolerance, vs_context *context);

#endif
