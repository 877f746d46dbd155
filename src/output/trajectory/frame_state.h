// Bodies and joints of a frame, as a trajectory has them: rows of numbers and the vectors and poses in them. Of a row below 0,
// the world, nothing is read.
#ifndef VS_OUTPUT_FRAME_STATE_H
#define VS_OUTPUT_FRAME_STATE_H

#include "base/vec.h"
#include "output/trajectory/reader_data.h"

typedef struct vs_frame_state {
    double *pose, *velocity;   // (7 bodies), (6 bodies)
    double *reaction;          // (6 joints)
    const int *joint_body;     // (2 joints)
    const int *joint_kind;     // (joints)
    const double *joint_frame; // (14 joints)
} vs_frame_state;

// Reads what does not change, and makes room for the rest. Fails for bodies of joints that the file does not have.
vs_error vs_frame_state_prepare(vs_frame_state *frame, const vs_trajectory_reader *reader, vs_arena *arena);

static inline vs_vec3 vs_get3(const double *from) {
    return (vs_vec3){from[0], from[1], from[2]};
}

static inline vs_pose vs_get_pose(const double *from) {
    return (vs_pose){vs_get3(from), {from[3], from[4], from[5], from[6]}};
}

static inline vs_pose vs_frame_body(const vs_frame_state *frame, int body) {
    return body >= 0 ? vs_get_pose(frame->pose + 7 * (size_t)body) : VS_IDENTITY_POSE;
}

// The joint's first or second frame in the world.
static inline vs_pose vs_frame_joint(const vs_frame_state *frame, int joint, int side) {
    const vs_pose local = vs_get_pose(frame->joint_frame + 14 * (size_t)joint + 7 * (size_t)side);
    return vs_pose_multiply(vs_frame_body(frame, frame->joint_body[2 * joint + side]), local);
}

#endif
