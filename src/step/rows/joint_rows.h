// Rows of joints (joint_law.h) in groups: the bilateral rows of a joint together, each limit and each box
// constraint by itself. Reactions from their impulses.
#ifndef VS_STEP_JOINT_ROWS_H
#define VS_STEP_JOINT_ROWS_H

#include "step/rows/step_view.h"

// Limits and boxes, which belong to the contacts of the problem; bilateral rows, which are its joints, as groups that come last.
vs_error vs_joint_rows_add(const vs_step_view *view);
// Where joints have nothing to do but to correct the rounding of positions, as in a robot that falls without touching
// anything, they do nothing: no impulses, instead of a problem whose numbers are all rounding.
void vs_joint_rows_ignore_rounding(const vs_step_view *view);
// Force and torque of every joint, the mean over a kick of this length.
void vs_joint_rows_set_reactions(const vs_row_groups *groups, const vs_result *result, double length, vs_world *world);

#endif
