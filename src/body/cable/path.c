// The path of a cable as a string of straight parts between points and drums.
//
// A drum is passed between the end of the part before and the beginning of the next one. Between two drums these follow from
// each other: they are found in turn, which converges quadratically, since a tangent point moves along its tangent.
//
// The path is the shortest one: to first order its length changes only by the ends of the straight parts, as points of their
// bodies,
//
//     length' = sum along . (velocity of the second end - velocity of the first)
//
// also where the cable slides over a drum or the drum turns under it.
#include "body/cable/path.h"

#include <math.h>

#include "base/elementary.h"
#include "base/vec.h"
#include "body/cable/wrap.h"

enum { TURNS_MOST = 100 }; // of finding the tangents between drums

// A point or drum that the cable touches.
typedef struct station {
    const vs_cable_point *point;
    int body;
    vs_pose pose; // in the world
    vs_wrap wrap; // of drums; ends in the world
} station;

static void pass(const station *all, int count, int k, station *drum) {
    int before = k - 1, after = k + 1;
    while (before > 0 && !all[before].wrap.touches)
        before--;
    while (after < count - 1 && !all[after].wrap.touches)
        after++;
    const vs_vec3 from = vs_pose_apply_back(drum->pose, all[before].wrap.leave);
    const vs_vec3 to = vs_pose_apply_back(drum->pose, all[after].wrap.enter);
    vs_wrap wrap = vs_wrap_find(drum->point, from, to);
    if (wrap.touches) {
        wrap.enter = vs_pose_apply(drum->pose, wrap.enter);
        wrap.leave = vs_pose_apply(drum->pose, wrap.leave);
    }
    drum->wrap = wrap;
}

static double change(const vs_wrap *a, const vs_wrap *b) {
    if (a->touches != b->touches)
        return INFINITY;
    return a->touches ? vs_length(vs_subtract(a->enter, b->enter)) + vs_length(vs_subtract(a->leave, b->leave)) : 0;
}

// Until nothing moves any more; once if no drum follows another.
static void settle(const vs_joint_def *def, station *all) {
    const int count = def->points;
    bool adjacent = false;
    for (int k = 2; k < count; k++)
        adjacent = adjacent || (def->point[k].kind != VS_CABLE_POINT && def->point[k - 1].kind != VS_CABLE_POINT);
    for (int turn = 0; turn < (adjacent ? TURNS_MOST : 1); turn++) {
        double moved = 0, size = 0;
        for (int k = 1; k < count - 1; k++) {
            const vs_wrap old = all[k].wrap;
            if (def->point[k].kind == VS_CABLE_POINT)
                continue;
            pass(all, count, k, &all[k]);
            moved = fmax(moved, change(&old, &all[k].wrap));
            size = fmax(size, vs_length(all[k].pose.position) + def->point[k].radius);
        }
        if (moved <= 1e-16 * size)
            return;
    }
}

static void start(const vs_world *world, const vs_cable_point *point, station *s) {
    const vs_body *body = &world->body[point->body.index];
    s->point = point;
    s->body = (int)point->body.index;
    s->pose = vs_pose_multiply(body->pose, point->pose);
    s->wrap = (vs_wrap){true, s->pose.position, s->pose.position, 0, 0};
}

static void add_leg(const station *from, const station *to, vs_cable_path *path) {
    vs_cable_leg *leg = &path->leg[path->legs++];
    const vs_vec3 way = vs_subtract(to->wrap.enter, from->wrap.leave);
    const double length = vs_length(way);
    *leg = (vs_cable_leg){
        {from->body, to->body}, {from->wrap.leave, to->wrap.enter}, length > 0 ? vs_scale(1 / length, way) : VS_ZERO3};
    path->length += length;
}

// rad, by which the direction changes at a point; of a drum, that of the surface
static double turn_at(const vs_cable_leg *in, const vs_cable_leg *out, const station *at) {
    if (at->point->kind != VS_CABLE_POINT)
        return at->wrap.angle;
    return vs_atan2(vs_length(vs_cross(in->along, out->along)), vs_dot(in->along, out->along));
}

void vs_cable_trace(const vs_world *world, const vs_joint_def *def, vs_cable_path *path) {
    station all[VS_CABLE_POINTS_MOST] = {{0}};
    int last = 0;
    path->length = 0;
    path->legs = 0;
    for (int k = 0; k < def->points; k++)
        start(world, &def->point[k], &all[k]);
    settle(def, all);
    for (int k = 1; k < def->points; k++) {
        if (!all[k].wrap.touches)
            continue;
        add_leg(&all[last], &all[k], path);
        if (path->legs > 1)
            path->angle[path->legs - 2] = turn_at(&path->leg[path->legs - 2], &path->leg[path->legs - 1], &all[last]);
        path->station[path->legs - 1] = k;
        path->length += all[k].wrap.length;
        last = k;
    }
}

// ---- rows ------------------------------------------------------------------------------------------

void vs_cable_add_part(int body, double factor, const double J[6], vs_joint_row *row) {
    int k = 0;
    if (body == 0)
        return;
    while (k < row->bodies && row->body[k] != body)
        k++;
    if (k == row->bodies) {
        row->body[row->bodies++] = body;
        for (int i = 0; i < 6; i++)
            row->J[k][i] = 0;
    }
    for (int i = 0; i < 6; i++)
        row->J[k][i] += factor * J[i];
}

void vs_cable_add_legs(const vs_world *world, const vs_cable_path *path, int first, int last, vs_joint_row *row) {
    for (int k = first; k < last; k++)
        for (int side = 0; side < 2; side++) {
            const vs_cable_leg *leg = &path->leg[k];
            const vs_body *body = &world->body[leg->body[side]];
            const vs_vec3 arm = vs_subtract(leg->end[side], body->pose.position), u = leg->along;
            const vs_vec3 t = vs_rotate_back(body->pose.rotation, vs_cross(arm, u));
            vs_cable_add_part(leg->body[side], side ? 1 : -1, (double[6]){u.x, u.y, u.z, t.x, t.y, t.z}, row);
        }
}

double vs_cable_coefficient(const vs_joint_def *def, const vs_cable_path *path, int k) {
    return 2 * vs_tanh(.5 * def->point[path->station[k]].mu * path->angle[k]);
}
