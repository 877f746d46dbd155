// Forces that servos are regulated by.
#ifndef VS_STEP_SERVO_FORCE_H
#define VS_STEP_SERVO_FORCE_H

#include "step/data/simulation_data.h"

// After a step: the force with which the contacts of each body with a servo press, of all processes together.
void vs_servo_forces_measure(vs_simulation *s);

#endif
