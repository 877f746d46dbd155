// Histories of joints as drives, and of wear: what one frame tells of them.
#ifndef VS_OUTPUT_DRIVE_HISTORY_H
#define VS_OUTPUT_DRIVE_HISTORY_H

#include "base/vec.h"

// The state of a frame, as the file has it; of a row below 0, the world, nothing is read.
typedef struct vs_drive_frame {
    const double *pose, *velocity; // (7 bodies), (6 bodies)
    const double *reaction;        // (6 joints)
    const int *joint_body;         // (2 joints)
    const int *joint_kind;         // (joints)
    const double *joint_frame;     // (14 joints)
} vs_drive_frame;

// rad, the angle of the joint's second frame about z of the first one, between -pi and pi; m, its way along that.
double vs_drive_angle(const vs_drive_frame *frame, int joint);
double vs_drive_travel(const vs_drive_frame *frame, int joint);
// W, of the joint's force and torque on both bodies: a motor's, since ideal joints have none.
double vs_drive_power(const vs_drive_frame *frame, int joint);
// m/s, at which two bodies slide on each other at a point with this normal.
double vs_drive_slip(const vs_drive_frame *frame, const int body[2], vs_vec3 point, vs_vec3 normal);

#endif
