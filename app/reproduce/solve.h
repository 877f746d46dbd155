// Solves of the entries.
#ifndef VS_APP_REPRODUCE_SOLVE_H
#define VS_APP_REPRODUCE_SOLVE_H

#include <stdbool.h>

#include "reproduce/entry.h"
#include "voussoir/voussoir.h"

double app_repro_cpu(void); // s, processor time of the process: independent of the load of the machine

typedef struct app_repro_solved {
    bool supported; // this build and problem; else nothing below is set
    bool reached;   // the tolerance
    vs_status status;
    int iterations;
    double seconds;   // of processor time, from the problem to its impulses
    double objective; // J, 1/2 l'N l + r'l; relaxed and frictionless
    double error;     // max(sqrt(energy error / e0), natural map)
    vs_measures measures;
} app_repro_solved;
// Stops after `limit` s of processor time, if that is not 0. false: failed. An unsupported method is not a failure.
bool app_repro_solve(app_repro *r, const vs_problem *problem, const vs_solver_options *requested, double limit,
                     app_repro_solved *solved);

#endif
