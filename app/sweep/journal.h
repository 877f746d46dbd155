// Journals of a sweep: one per part, one line of JSON per run.
#ifndef VS_APP_SWEEP_JOURNAL_H
#define VS_APP_SWEEP_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "sweep/child.h"
#include "sweep/state.h"

bool app_sweep_has_results(const app_sweep *s); // in any journal of the directory
// Reads all journals of the directory into s->run. false: complained.
bool app_sweep_read(app_sweep *s);
bool app_sweep_open(app_sweep *s); // the journal of this part, for writing; false: complained
bool app_sweep_append(app_sweep *s, int64_t run, bool done, const app_sweep_result *r);
void app_sweep_close(app_sweep *s);

#endif
