// Simulations of the entries.
#ifndef VS_APP_REPRODUCE_SIMULATE_H
#define VS_APP_REPRODUCE_SIMULATE_H

#include <stdbool.h>

#include "reproduce/entry.h"
#include "voussoir/voussoir.h"

// Null: failed, see error. The scene's options may be changed before it is simulated.
vs_scene *app_repro_scene(app_repro *r, const char *name, const vs_scene_parameter *parameter, int parameters);
vs_simulation *app_repro_simulate(app_repro *r, vs_scene *scene);

// Statistics of a sequence of steps.
typedef struct app_repro_steps {
    int steps, inaccurate;
    double iterations, contacts; // sums
    int most;                    // contacts
} app_repro_steps;
// Does some steps and adds to the sums. false: failed or interrupted.
bool app_repro_step(app_repro *r, vs_simulation *simulation, int steps, app_repro_steps *sums);

// Spheres dropped into a box and simulated until they hardly move: by Gauss-Seidel on exact friction, warm started,
// with at most `sweeps` sweeps per step, as in the sources. Returns the problem of the last step, also kept as a file.
typedef struct app_repro_pile {
    int count, sweeps;   // spheres
    double side, mu;     // m, of the box
    double step, time;   // s
    double envelope;     // m, gap within which contacts count in the last step; 0: chosen
    vs_problem *problem; // owned, by the caller
    double kinetic;      // J at the end; NaN if the problem was in the folder
} app_repro_pile;
bool app_repro_settle(app_repro *r, app_repro_pile *pile);

#endif
