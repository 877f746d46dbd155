// The two frames of a joint, its coordinate, and a row from the force that it means.
#ifndef VS_BODY_JOINT_COORDINATE_H
#define VS_BODY_JOINT_COORDINATE_H

#include "body/joint_row.h"

// Frames A and B at present.
typedef struct vs_joint_frame {
    vs_pose a, b; // in the world
    vs_vec3 d;    // origin of B in A, m
    vs_quat q;    // rotation of B in A; of q and -q the one that is continuous in time
} vs_joint_frame;

vs_joint_frame vs_joint_frame_get(const vs_world *world, const vs_joint *joint);
// The row whose unit impulse is `force` and `torque` on B, at B's origin, in frame A: direction, J_a, J_b, body. All
// else is zero.
void vs_joint_row_set(const vs_world *world, const vs_joint *joint, const vs_joint_frame *frame, vs_vec3 force,
                      vs_vec3 torque, vs_joint_row *row);
// Coordinate and the row that is its derivative; false (0, row untouched) if this kind has none. Cables need no frame: null.
bool vs_joint_coordinate_row(const vs_world *world, const vs_joint *joint, const vs_joint_frame *frame,
                             double *coordinate, vs_joint_row *row);
// The row alone, of a joint that is no cable.
bool vs_joint_direction_row(const vs_world *world, const vs_joint *joint, const vs_joint_frame *frame,
                            vs_joint_row *row);
// Adds the coordinate of a cable's term, times its factor and another one, to a row, or to none. Returns that of the coordinate.
double vs_joint_term_add(const vs_world *world, const vs_joint_term *term, double factor, vs_joint_row *row);
// J times the present velocities of all its bodies.
double vs_joint_row_rate(const vs_world *world, const vs_joint_row *row);
// J M^-1 J', 1/kg (1/(kg m^2)); bodies without mass add nothing.
double vs_joint_row_mobility(const vs_world *world, const vs_joint_row *row);
// Coordinate and rate of a joint; 0 for kinds without one (fixed, spherical, universal, planar, gear).
void vs_joint_coordinate(const vs_world *world, const vs_joint *joint, double *coordinate, double *rate);
// A coordinate and the force and torque on B whose power is its rate. In a satisfied joint they are also the motion of B's
// material at B's origin per unit of the rate: they are perpendicular to each other and of unit length.
typedef struct vs_free_motion {
    double coordinate;
    vs_vec3 force, torque; // frame A
} vs_free_motion;
// The motions that a joint allows, as vs_world_get_joint_coordinates() has them. Returns how many there are.
int vs_joint_free_motions(const vs_joint *joint, const vs_joint_frame *frame,
                          vs_free_motion out[VS_JOINT_COORDINATES_MOST]);
// Is the last of its coordinates an angle that counts turns?
bool vs_joint_kind_turns(vs_joint_kind kind);
// All coordinates of a joint and their rates, as vs_world_get_joint_coordinates() has them. Returns how many there are.
int vs_joint_coordinates(const vs_world *world, const vs_joint *joint, double coordinate[VS_JOINT_COORDINATES_MOST],
                         double rate[VS_JOINT_COORDINATES_MOST]);
// Remembers the present angles, relative to which the next ones are counted: call it after every step (less than half a
// turn).
void vs_joints_remember(vs_world *world);
// As they were added: no reactions and efforts of an earlier step, angles in the turn nearest to zero, or within the limits.
void vs_joints_forget(vs_world *world);

#endif
