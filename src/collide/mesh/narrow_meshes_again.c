// Two meshes that are searched again at the same poses.
//
// The rounds of a step often ask for that: for bodies that the next solution does not change, and at the beginning of a step for pairs
// that would pass through each other. The answer is kept, and so is the distance within which there was none.
#include "base/array.h"
#include "collide/mesh/mesh.h"

static bool is_empty_again(const vs_kept_pairs *kept, const vs_pose *relative, double envelope) {
    return vs_kept_answer_is_known(&kept->empty, relative) && envelope <= kept->empty_within;
}

static bool is_same_search(const vs_kept_contacts *known, const vs_kept_contacts *asked) {
    return known->count > 0 && known->envelope == asked->envelope &&
           vs_is_same_pose(&known->pose[0], &asked->pose[0]) && vs_is_same_pose(&known->pose[1], &asked->pose[1]);
}

static vs_error recall(const vs_kept_contacts *known, vs_mesh_points *points) {
    vs_error error = VS_OK;
    for (int64_t k = 0; k < known->count && !error; k++)
        error = vs_mesh_points_add(points, known->point[k]);
    return error;
}

// Without memory for it, it is searched again.
static void remember(vs_kept_pairs *kept, const vs_kept_contacts *asked, const vs_pose *relative,
                     const vs_mesh_points *points) {
    vs_kept_contacts *c = &kept->contacts;
    if (points->count == 0) {
        kept->empty = (vs_kept_answer){*relative, true, true};
        kept->empty_within = asked->envelope;
        return;
    }
    c->count = 0;
    if (vs_array_reserve(points->context, &c->point, &c->capacity, points->count, sizeof *c->point))
        return;
    for (int k = 0; k < points->count; k++)
        c->point[k] = points->at[k];
    c->count = points->count;
    c->envelope = asked->envelope;
    c->pose[0] = asked->pose[0];
    c->pose[1] = asked->pose[1];
}

vs_error vs_narrow_meshes_again(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                                vs_kept_pairs *kept, vs_mesh_points *points) {
    if (!kept)
        return vs_narrow_meshes(a, pose_a, b, pose_b, envelope, points);
    const vs_pose relative = vs_pose_relative(pose_a, pose_b);
    const vs_kept_contacts asked = {.pose = {pose_a, pose_b}, .envelope = envelope};
    points->count = 0;
    if (is_empty_again(kept, &relative, envelope))
        return VS_OK;
    if (is_same_search(&kept->contacts, &asked))
        return recall(&kept->contacts, points);
    vs_error error = vs_narrow_meshes_by_lists(a, pose_a, b, pose_b, envelope, kept, points);
    if (!error)
        remember(kept, &asked, &relative, points);
    return error;
}
