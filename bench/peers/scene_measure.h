// What voussoir says about the states of an engine.
#ifndef PEERS_SCENE_MEASURE_H
#define PEERS_SCENE_MEASURE_H

#include "scene_build.h"

typedef struct scene_measures {
    double penetration_max; // m, largest of all steps
    double penetration_end; // m, largest at the end
    double creep;           // m, farthest move of a body's centre from the end of the first second on (of the first
                            // half in runs of up to a second)
    double kinetic_end;     // J
    double energy_change;   // J, kinetic and potential, end minus beginning
    double energy_rise;     // J, largest rise above what it had been before: nothing here gives energy
    double step_error;      // sqrt( mean of |v - v*|_H^2 / |h g|_H^2 ): v after a step of the engine, v* what exact
                            // rigid Coulomb contact makes of the state before that step
    double step_median;     // the median of |v - v*|_H / |h g|_H: where friction has several solutions, v* of a few
                            // steps is another one than the engine's
    double step_energy;     // J, mean of 1/2 |v - v*|_H^2
    int sampled;            // steps that these three are of
} scene_measures;

typedef struct scene_meter scene_meter;

// `steps` of the scene's step will follow; about `samples` of them are compared with v*.
scene_meter *scene_meter_create(vs_context *context, const engine_scene *scene, int steps, int samples);
void scene_meter_destroy(scene_meter *meter);
// The states (bodies) after step k = 1, 2, … False if they are no numbers, or cannot be measured.
bool scene_meter_take(scene_meter *meter, int k, const vs_body_state *state);
void scene_meter_report(const scene_meter *meter, scene_measures *out);

#endif
