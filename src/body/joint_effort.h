// Efforts that are commanded: to joints, forces and torques along their coordinates on both bodies; and to bodies.
#ifndef VS_BODY_JOINT_EFFORT_H
#define VS_BODY_JOINT_EFFORT_H

#include "body/world_data.h"

// Adds the efforts of all joints of a body and the controls that push it: N, N m, world axes, at its centre of mass.
void vs_motor_efforts_add(const vs_world *world, int body, double time, vs_vec3 *force, vs_vec3 *torque);
// The effort that a joint is commanded at a time (s), within its limits: N or N m.
double vs_joint_effort_at(const vs_joint *joint, double time);

#endif
