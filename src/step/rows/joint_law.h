// What a joint does within a step: the rows of its constraints, springs, motors, limits and friction, by the times of a kick.
#ifndef VS_STEP_JOINT_LAW_H
#define VS_STEP_JOINT_LAW_H

#include "body/joint_row.h"
#include "step/rows/kick.h"

// Rows for a step from the present state. Returns their number (<= VS_JOINT_BILATERAL_MOST + VS_JOINT_EXTRA_MOST);
// bilateral ones first.
int vs_joint_rows(const vs_world *world, const vs_joint *joint, const vs_kick *kick, vs_joint_row *row);

#endif
