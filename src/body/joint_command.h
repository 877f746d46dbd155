// Motors of joints, which commands change while a simulation runs.
#ifndef VS_BODY_JOINT_COMMAND_H
#define VS_BODY_JOINT_COMMAND_H

#include "body/world_data.h"

bool vs_joint_kind_has_coordinate(vs_joint_kind kind);
// Gains make the motor a spring and damper about its target instead of a constraint.
bool vs_joint_has_gains(const vs_joint_def *def);
// Does a motor prescribe the coordinate exactly?
bool vs_joint_is_driven(const vs_joint *joint);

#endif
