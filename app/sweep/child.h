// One run of a sweep, in its own process.
#ifndef VS_APP_SWEEP_CHILD_H
#define VS_APP_SWEEP_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/outcome.h"
#include "sweep/options.h"
#include "sweep/quantity.h"

enum { APP_SWEEP_PATH = 1024 };

// What a process that does a run is told: plain data.
typedef struct app_sweep_task {
    int64_t run;              // -1: the scene with nothing varied
    bool only_make;           // no step is done
    char log[APP_SWEEP_PATH]; // where its messages go; "": nowhere
} app_sweep_task;

// The result of a run, which its process hands back: plain data.
typedef struct app_sweep_result {
    char status[16];                                          // of the run
    char message[256];                                        // the error, "" if there was none
    int exit_code;                                            // of the run
    int64_t steps, inaccurate, unbalanced;                    // app_run_totals
    double discretization_share;                              // the same
    double time;                                              // s, reached
    double kinetic, potential;                                // J, at the end
    double energy_error;                                      // J, largest of a step
    double penetration, drift;                                // m, largest
    char stop[192];                                           // the condition that ended the run, "": none
    char outcome[16];                                         // "stands", "moving", "displaced"
    double displacement, rotation;                            // m, rad; largest of a body
    char farthest[APP_BODY_NAME], most_turned[APP_BODY_NAME]; // these bodies
    double residual;                                          // m, at the end; largest of a body
    char residual_of[APP_BODY_NAME];                          // this body
    double sliding, tipping;                                  // margins of what stands, else NaN
    double wall;                                              // s
    uint64_t hash;                                            // of the final state
    char absent[APP_QUANTITY_NAME];     // the first body or joint of a quantity that does not exist, "" if all do
    double quantity[APP_SWEEP_NUMBERS]; // the last field: only the requested numbers are kept
} app_sweep_result;

extern const app_sweep_result app_sweep_nothing; // nothing was measured: NaN, exit code -1, status "missing"

// DIR/trajectories/RUN.h5
void app_sweep_trajectory_path(const app_sweep_options *options, int64_t run, char *path, size_t size);
// Does a run; an app_task: app_sweep_options, app_sweep_task, app_sweep_result.
void app_sweep_work(const void *all, const void *task, void *to);

#endif
