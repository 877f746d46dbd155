// What sensors remember of a step: accelerations and forces of touch.
#ifndef VS_STEP_SENSOR_STEPS_H
#define VS_STEP_SENSOR_STEPS_H

#include "step/data/simulation_data.h"

// Before a step: the velocities of their frames.
void vs_sensor_steps_begin(vs_simulation *s);
// After it.
vs_error vs_sensor_steps_end(vs_simulation *s);

#endif
