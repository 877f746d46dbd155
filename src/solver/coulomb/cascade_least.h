// What the cascade does at any budget of time or iterations: no island is left as it began.
#ifndef VS_SOLVER_COULOMB_CASCADE_LEAST_H
#define VS_SOLVER_COULOMB_CASCADE_LEAST_H

#include "solver/coulomb/cascade_data.h"

// After a limit has ended the stages: sweeps for the islands that had few or none. The status stays. Nothing after the
// caller's stop.
vs_error vs_cascade_do_least(vs_cascade *c);

#endif
