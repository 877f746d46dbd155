// Histories of joints as drives, and of wear: what one frame tells of them.
#ifndef VS_OUTPUT_DRIVE_HISTORY_H
#define VS_OUTPUT_DRIVE_HISTORY_H

#include "output/trajectory/frame_state.h"

// rad, the angle of the joint's second frame about z of the first one, between -pi and pi; m, its way along that.
double vs_drive_angle(const vs_frame_state *frame, int joint);
double vs_drive_travel(const vs_frame_state *frame, int joint);
// W, of the joint's force and torque on both bodies: a motor's, since ideal joints have none.
double vs_drive_power(const vs_frame_state *frame, int joint);
// m/s, at which two bodies slide on each other at a point with this normal.
double vs_drive_slip(const vs_frame_state *frame, const int body[2], vs_vec3 point, vs_vec3 normal);

#endif
