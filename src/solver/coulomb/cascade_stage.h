// One stage of the cascade over all islands that it is for.
#ifndef VS_SOLVER_COULOMB_CASCADE_STAGE_H
#define VS_SOLVER_COULOMB_CASCADE_STAGE_H

#include "solver/coulomb/cascade_data.h"

// Text for islands whose error is the rounding of their impulses.
extern const char vs_cascade_at_rounding[];

double vs_cascade_slack(const vs_cascade *c, int k); // of island k: its tolerance over that of the others
// What island k is solved to: a little less than what is asked for.
double vs_cascade_tolerance(const vs_cascade *c, int k);
bool vs_cascade_unsolved(const vs_cascade *c, int k);  // island k: above its tolerance, and not by rounding alone
int vs_cascade_budget(const vs_cascade *c, int k);     // factorizations that are left to island k; INT_MAX: no limit
int vs_cascade_size(const vs_impulse_problem *island); // contacts, or bodies, that stage.h's limits are compared with
// Large, and with several contacts per pair of bodies: see stage.h.
bool vs_cascade_is_masonry(const vs_impulse_problem *island);
// Does the stage run, on any island?
bool vs_cascade_due(const vs_cascade *c, vs_stage_index stage);
// Restricts the run to the stage's share of the time budget.
void vs_cascade_limit_time(vs_cascade *c, vs_stage_index stage);
// Runs the stage on all islands that it is for and that are not solved yet. True: continue with the next stage.
bool vs_cascade_run_stage(vs_cascade *c, vs_stage_index stage, vs_error *error);

#endif
