// The constraints of a joint.
#ifndef VS_BODY_JOINT_ROWS_H
#define VS_BODY_JOINT_ROWS_H

#include "body/joint_row.h"

// Psi of the constrained directions (m, rad times a length of 1 m), for constraint drift and projection; returns their
// number. row (VS_JOINT_BILATERAL_MOST, or null) has the derivative of Psi; its b is 0.
int vs_joint_violation(const vs_world *world, const vs_joint *joint, double *psi, vs_joint_row *row);
// The bodies of these rows, in the order of J; returns their number. Of a joint that has such rows.
int vs_joint_bodies(const vs_world *world, const vs_joint *joint, int *body);

#endif
