// Bodies that overlap at the start of a run.
#ifndef VS_APP_RUN_OVERLAP_H
#define VS_APP_RUN_OVERLAP_H

#include <stdbool.h>

#include "run/options.h"

// Names the overlaps of the present state and does what --on-overlap says. `stop`: the run must not start.
vs_error app_run_overlaps(vs_simulation *simulation, const vs_world *world, app_on_overlap action, bool *stop);

#endif
