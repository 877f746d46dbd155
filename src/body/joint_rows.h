// The rows of a joint for one step, from which assembly makes the contact problem.
#ifndef VS_BODY_JOINT_ROWS_H
#define VS_BODY_JOINT_ROWS_H

#include "body/joint_row.h"

// Rows for a step from the present state. Returns their number (<= VS_JOINT_BILATERAL_MOST + VS_JOINT_EXTRA_MOST);
// bilateral ones first.
int vs_joint_rows(const vs_world *world, const vs_joint *joint, const vs_kick *kick, vs_joint_row *row);
// Psi of the constrained directions (m, rad times a length of 1 m), for constraint drift and projection; returns their
// number. row (VS_JOINT_BILATERAL_MOST, or null) has the derivative of Psi; its b is 0.
int vs_joint_violation(const vs_world *world, const vs_joint *joint, double *psi, vs_joint_row *row);

#endif
