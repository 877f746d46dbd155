// Positions projected onto the joints, and how far they are from them.
#ifndef VS_BODY_JOINT_PROJECTION_H
#define VS_BODY_JOINT_PROJECTION_H

#include "body/world_data.h"

// Projects all positions onto the joints in the mass metric, Newton steps until the largest violation is below
// `tolerance` or `steps` are done; returns it. Motors without a limit keep their coordinate if the joints can be
// satisfied with it (else it is dropped, with as many steps again). Joints with compliance are omitted, here and in the
// drift: their Psi is their deflection. Remembers the angles.
vs_error vs_joints_project(vs_world *world, double tolerance, int steps, double *largest);
// The same, and coordinates beyond the limits of their joints are put there. Motors keep nothing.
vs_error vs_joints_project_within_limits(vs_world *world, double tolerance, int steps, double *largest);
// The largest violation now.
double vs_joints_drift(const vs_world *world);

#endif
