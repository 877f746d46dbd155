// Sums over the steps of a run as a note in its checkpoint, so that the report of a resumed run covers all of it.
#ifndef VS_APP_RUN_TOTALS_NOTE_H
#define VS_APP_RUN_TOTALS_NOTE_H

#include "run/totals.h"

// Leaves the sums with the simulation, whose checkpoints then keep them.
vs_error app_run_totals_save(const app_run_totals *t, vs_simulation *simulation);
// After a checkpoint of `first` steps was read. Without a note only the number of inaccurate steps is known: the other
// sums begin at the checkpoint.
void app_run_totals_load(app_run_totals *t, int64_t first, const vs_simulation *simulation);

#endif
