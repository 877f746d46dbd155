// Runs: the steps of a simulation until a time, one by one.
//
//     vs_run run = vs_simulation_begin_run(simulation, 10);
//     while (vs_run_next(&run, &report))
//         look_at(&report);
//
// vs_simulation_run(), `voussoir run` and Simulation.run() of Python are this loop.
#ifndef VOUSSOIR_RUN_H
#define VOUSSOIR_RUN_H

#include "voussoir/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether a run continues, or why it is over: the time is reached, with VS_INACCURATE_STOP a step missed the tolerance, a stop
// condition is met, a callback of the simulation returned false, or a step failed. Of several reasons the first in this order
// that the last step gave, and the time only if there is no other.
typedef enum vs_run_end {
    VS_RUN_CONTINUES,
    VS_RUN_REACHED,
    VS_RUN_INACCURATE,
    VS_RUN_CONDITION,
    VS_RUN_CALLBACK,
    VS_RUN_FAILED
} vs_run_end;

typedef struct vs_run {
    vs_simulation *simulation;
    double time;    // s, until which it steps
    vs_run_end end; // also right after the last step
    vs_error error; // of a failed one
} vs_run;

// Until `time` (s) is reached up to half a step, so that rounding neither repeats nor omits the last one. Failed if the time
// is not a number, or in a callback of the simulation.
VS_API vs_run vs_simulation_begin_run(vs_simulation *simulation, double time);
// Takes the next step; report may be null. False: the run is over, and no step was taken.
VS_API bool vs_run_next(vs_run *run, vs_step_report *report);

#ifdef __cplusplus
}
#endif

#endif
