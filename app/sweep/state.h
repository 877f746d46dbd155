// The state of a sweep: its runs and the files that hold them.
#ifndef VS_APP_SWEEP_STATE_H
#define VS_APP_SWEEP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sweep/child.h"
#include "sweep/options.h"

typedef struct app_sweep_run {
    enum { APP_SWEEP_MISSING, APP_SWEEP_FAILED, APP_SWEEP_DONE } state;
    app_sweep_result *result; // null: missing. Of `quantity` only the requested numbers are allocated
} app_sweep_run;

typedef struct app_sweep {
    app_sweep_options *options;
    int64_t runs;
    app_sweep_run *run;        // (runs)
    int part, parts;           // this process does runs part, part + parts, …
    int journal;               // descriptor, -1: not open
    char path[APP_SWEEP_PATH]; // of the journal
    char arguments[4096];      // the command line for a shell, without the scheduler options; "": too long
    char title[64];            // of the scene, for messages
    bool named;                // one of the named scenes
    uint64_t scene_hash;       // of the file and those it refers to
    bool sparse;               // only runs with results are rows of the table
} app_sweep;

// DIR/name. An overlong one is empty: no file has this name.
void app_sweep_path(const app_sweep *s, const char *name, char path[APP_SWEEP_PATH]);
bool app_sweep_allocate(app_sweep *s); // `runs` and `run`, for the space of the options; false: complained
void app_sweep_release(app_sweep *s);  // `run`; null is allowed
// Whether the files of the sweep leave scene and table alone, which may be in the same folder. false: complained.
bool app_sweep_spares_inputs(const app_sweep *s);
// Keeps a copy of a result. false: complained.
bool app_sweep_keep(app_sweep *s, int64_t run, bool done, const app_sweep_result *result);

#endif
