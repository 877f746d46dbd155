// The last digits of frictionless problems by an active set: see active_set.c.
#ifndef VS_SOLVER_IPM_ACTIVE_SET_H
#define VS_SOLVER_IPM_ACTIVE_SET_H

#include "solver/ipm/ipm_data.h"

// Is the active-set correction applicable?
bool vs_ipm_can_finish(const vs_ipm *ipm);
// Tries it. True in *stop: the outcome is in run.
vs_error vs_ipm_finish(vs_ipm *ipm, bool *stop);

#endif
