// Motors of joints, which commands change while a simulation runs.
#ifndef VS_BODY_JOINT_COMMAND_H
#define VS_BODY_JOINT_COMMAND_H

#include "body/world_data.h"

bool vs_joint_kind_has_coordinate(vs_joint_kind kind);
// Gains make the motor a spring and damper about its target instead of a constraint.
bool vs_joint_has_gains(const vs_joint_def *def);
// Does a motor prescribe the coordinate exactly?
bool vs_joint_is_driven(const vs_joint *joint);

// What commands have changed. Without a command of its motor or its gains: that of the definition; then the values do not count.
typedef struct vs_joint_command {
    bool commanded, tuned; // motor and target; gains
    vs_motor_kind motor;
    double target, stiffness, damping;
} vs_joint_command;
vs_joint_command vs_joint_get_command(const vs_joint *joint);
// Valid values for the joint with this index.
void vs_joint_set_command(vs_world *world, int index, const vs_joint_command *wanted);

#endif
