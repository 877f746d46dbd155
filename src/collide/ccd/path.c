// The way of a body within a step: see path.h.
#include "collide/ccd/path.h"

#include "base/elementary.h"

vs_path vs_path_between(vs_pose begin, vs_pose end, vs_vec3 turn) {
    vs_path path = {.begin = begin, .way = vs_subtract(end.position, begin.position), .stop = 1};
    vs_vec3 r = vs_quat_log(vs_quat_multiply(vs_quat_conjugate(begin.rotation), end.rotation));
    const double angle = vs_length(r), whole = vs_length(turn);
    if (whole > VS_PI) {
        const vs_vec3 axis = angle > 0 ? vs_scale(1 / angle, r) : vs_scale(1 / whole, turn);
        r = vs_add_scaled(r, 2 * VS_PI * round((vs_dot(turn, axis) - angle) / (2 * VS_PI)), axis);
    }
    path.turn = r;
    return path;
}

vs_pose vs_path_at(const vs_path *path, double s) {
    const double t = fmin(s, path->stop);
    if (!(t > 0))
        return path->begin;
    if (!(vs_dot(path->turn, path->turn) > 0)) // spares the exponential
        return (vs_pose){vs_add_scaled(path->begin.position, t, path->way), path->begin.rotation};
    return (vs_pose){vs_add_scaled(path->begin.position, t, path->way),
                     vs_quat_multiply(path->begin.rotation, vs_quat_exp(vs_scale(t, path->turn)))};
}
