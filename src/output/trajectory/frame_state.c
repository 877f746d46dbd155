// What every reader of joints needs: their tables, checked, and room for a frame.
#include "output/trajectory/frame_state.h"

vs_error vs_frame_state_prepare(vs_frame_state *frame, const vs_trajectory_reader *reader, vs_arena *arena) {
    const vs_h5_group *root = &reader->file.root;
    int64_t joints = reader->info.joints;
    void *body = NULL, *kind = NULL, *local = NULL;
    vs_error error = vs_h5_read_table(root, "joints/body", VS_NUMBER_INT, 2, arena, &joints, &body);
    if (!error)
        error = vs_h5_read_table(root, "joints/kind", VS_NUMBER_INT, 1, arena, &joints, &kind);
    if (!error)
        error = vs_h5_read_table(root, "joints/frame", VS_NUMBER_DOUBLE, 14, arena, &joints, &local);
    frame->joint_body = body;
    frame->joint_kind = kind;
    frame->joint_frame = local;
    for (int64_t k = 0; !error && k < 2 * joints; k++)
        if (frame->joint_body[k] >= reader->info.bodies)
            error = vs_fail(reader->context, VS_ERROR_DATA, "joints/body is invalid");
    if (error)
        return error;
    frame->pose = VS_NEW(arena, double, 7 * (int64_t)reader->info.bodies);
    frame->velocity = VS_NEW(arena, double, 6 * (int64_t)reader->info.bodies);
    frame->reaction = VS_NEW(arena, double, 6 * joints);
    return frame->pose && frame->velocity && frame->reaction ? VS_OK : VS_ERROR_MEMORY;
}
