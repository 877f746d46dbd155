// Conservative advancement (Mirtich 1996) of two colliders: see ccd.h.
//
// At s the shapes have the distance d along n, from the first to the second. No point of them approaches the other one
// along n faster than
//
//     c = n.(way_a - way_b) + |n x w_a| r_a + |n x w_b| r_b       w: turn in world axes, r: farthest point from the centre
//
// so that the plane across n separates them up to s + d/c. The search steps there, again and again, until d is below the
// target. Of solids of revolution only the turning of the axis counts, |w x axis| r. A plane is compared with the lowest
// point of the other shape, a mesh by the triangles within reach of a short part of the step.
#include "collide/ccd/ccd.h"

#include "collide/ccd/triangles_apart.h"
#include "collide/convex/convex.h"
#include "collide/mesh/mesh_crossing.h"

enum { STEPS_MOST = 400, PARTS_MOST = 4000 };
// Parts of the step in which triangles are searched all along the way, where the reach below would make it more.
enum { PARTS_NEAR = 256 };
// Shorter parts of these, for two triangles that stay close.
enum { SHORT_PARTS = 16 };
// Of the smaller size: way within a part of the step in which triangles are searched.
static const double REACH = .25;
// Of the thickness by which shapes that touch are drawn in. The least one tells those that would pass from those that end
// the step in touch.
static const double DRAWN_IN[] = {.01, .1, .5};
enum { LEVELS = sizeof DRAWN_IN / sizeof *DRAWN_IN };
// Of the smaller size: two meshes that begin the step closer than this have contacts, and overlaps as deep are resolved. If they
// move by less than half of the size, they are compared at its end.
static const double CLOSE = .01;
// Of the smaller size: two triangles that approach by less than this beyond their gap end the step in touch.
static const double IN_TOUCH = 1e-4;
static const double NEVER = 2;

// ---- motion ----------------------------------------------------------------------------------------

// From the centre of mass to any point, at most, m. Not of planes.
static double arm_of(const vs_swept_collider *c) {
    return vs_shape_arm(c->shape, c->pose);
}

static vs_pose pose_at(const vs_swept_collider *c, double s) {
    return vs_pose_multiply(vs_path_at(c->path, s), c->pose);
}

static bool moves(const vs_swept_collider *c, double s) {
    return s < c->path->stop;
}

// The first s' > s at which one of them stops, or 1.
static double next_stop(const vs_swept_collider side[2], double s) {
    double next = 1;
    for (int k = 0; k < 2; k++)
        if (moves(&side[k], s))
            next = fmin(next, side[k].path->stop);
    return next;
}

// ---- two convex parts ------------------------------------------------------------------------------

// A convex shape or a triangle of a moving collider.
typedef struct part {
    const vs_swept_collider *of;
    vs_convex whole, now; // in the collider's axes; as it is compared
    vs_vec3 triangle[3];  // in the collider's axes
    vs_vec3 axis;         // of revolution, body axes; 0: none
    double arm;           // m, from the centre of mass to the farthest point of the core
} part;

static part from_shape(const vs_swept_collider *c) {
    const vs_shape *shape = c->shape;
    part p = {.of = c, .whole = vs_convex_from_shape(shape, VS_IDENTITY_POSE)};
    const vs_vec3 axis = vs_rotate(c->pose.rotation, (vs_vec3){0, 0, 1});
    const double off = vs_length(vs_cross(axis, c->pose.position));
    if (vs_class_of(shape)->revolved && off <= 1e-12 * shape->size)
        p.axis = axis;
    p.arm = vs_length(vs_pose_apply(c->pose, shape->centre)) + vs_class_of(shape)->core(shape).arm;
    return p;
}

static part from_triangle(const vs_swept_collider *c, int triangle) {
    const vs_triangles *t = &c->shape->triangles;
    part p = {.of = c};
    for (int k = 0; k < 3; k++) {
        p.triangle[k] = t->vertex[t->index[3 * (int64_t)triangle + k]];
        p.arm = fmax(p.arm, vs_length(vs_pose_apply(c->pose, p.triangle[k])));
    }
    p.whole = vs_convex_from_triangle(p.triangle);
    return p;
}

// Places it in the working frame, drawn in by a share of its thickness.
static void place(part *p, vs_pose pose, double share) {
    if (!p->whole.shape) {
        vs_vec3 v[3];
        for (int k = 0; k < 3; k++)
            v[k] = vs_pose_apply(pose, p->triangle[k]);
        p->now = vs_convex_from_triangle(v);
        return;
    }
    p->now = p->whole;
    p->now.rotation = vs_quat_matrix(pose.rotation);
    p->now.position = pose.position;
    p->now.centre = vs_add(pose.position, vs_mat3_apply(&p->now.rotation, p->whole.centre));
    p->now.shrink = share * p->whole.inner;
    p->now.even = true; // a wide plate does not lose its rim
    p->now.radius = (1 - share) * p->whole.radius;
}

typedef struct separation {
    double gap;     // m; <= 0: they meet
    vs_vec3 normal; // world, from the first to the second; 0 if they meet
} separation;

// The working frame is the second's.
static separation find_separation(part side[2], double s, double share) {
    const vs_pose first = pose_at(side[0].of, s), second = pose_at(side[1].of, s);
    place(&side[0], vs_pose_relative(first, second), share);
    place(&side[1], VS_IDENTITY_POSE, share);
    const vs_distance d = vs_convex_distance(&side[0].now, &side[1].now, VS_ZERO3, INFINITY);
    return (separation){d.distance - side[0].now.radius - side[1].now.radius, vs_rotate(second.rotation, d.normal)};
}

// Fastest way of a part along n per s.
static double speed_along(const part *p, double s, vs_vec3 n) {
    const vs_path *path = p->of->path;
    if (!moves(p->of, s))
        return 0;
    const vs_vec3 w = vs_rotate(path->begin.rotation, path->turn);
    double turning = vs_length(vs_cross(n, w));
    if (vs_dot(p->axis, p->axis) > 0)
        turning = fmin(turning, vs_length(vs_cross(path->turn, p->axis)));
    return vs_dot(n, path->way) + turning * p->arm;
}

// From `from` to `to`; the target is a gap. Not ended after STEPS_MOST: counts as a meeting.
static double advance(part side[2], double from, double to, double share, double target, vs_vec3 *normal) {
    double s = from;
    for (int k = 0; k < STEPS_MOST; k++) {
        const separation d = find_separation(side, s, share);
        if (d.gap <= target) {
            *normal = d.normal;
            return s;
        }
        const double next = fmin(next_stop((vs_swept_collider[2]){*side[0].of, *side[1].of}, s), to);
        const double c = speed_along(&side[0], s, d.normal) + speed_along(&side[1], s, vs_scale(-1, d.normal));
        const double left = d.gap - .5 * target;
        *normal = d.normal;
        if (c * (next - s) < left) {
            if (next >= to)
                return NEVER;
            s = next;
        } else {
            s += left / c;
        }
    }
    return s;
}

static bool is_flat(const part *p) {
    return !p->whole.shape;
}

// Do two triangles that come into touch at s approach by more in the rest of the step? Their closest points do.
static bool approach_more(const part side[2], double s, vs_vec3 n, double least) {
    const vs_distance d = vs_convex_distance(&side[0].now, &side[1].now, VS_ZERO3, INFINITY);
    const vs_pose frame = pose_at(side[1].of, s);
    const vs_vec3 point[2] = {vs_pose_apply(frame, d.on_a), vs_pose_apply(frame, d.on_b)};
    double approach = 0;
    for (int k = 0; k < 2; k++) {
        const vs_path *path = side[k].of->path;
        if (!moves(side[k].of, s))
            continue;
        const vs_vec3 w = vs_rotate(path->begin.rotation, path->turn);
        const vs_vec3 arm = vs_subtract(point[k], vs_path_at(path, s).position);
        approach += (k ? -1 : 1) * (path->stop - s) * vs_dot(n, vs_add(path->way, vs_cross(w, arm)));
    }
    return approach > d.distance + least;
}

// What is searched: pairs that would pass through each other, soft ones that would, or all that come into touch.
typedef enum meeting { PASSING, PASSING_SOFTLY, TOUCHING } meeting;

// The first time at which the two touch, if they would pass through each other, and the time of the latter for those that
// touch at s = 0 already.
static double meet_parts(part side[2], double from, double to, meeting sought, vs_vec3 *normal) {
    const double size = fmin(side[0].whole.size, side[1].whole.size), least = VS_CCD_TARGET * size;
    const double touch = advance(side, from, to, 0, least, normal);
    if (touch > to)
        return NEVER;
    if (sought == TOUCHING)
        return touch;
    const bool soft = sought == PASSING_SOFTLY, apart = !soft && find_separation(side, 0, 0).gap > least;
    if (is_flat(&side[0]) && is_flat(&side[1])) {
        (void)find_separation(side, touch, 0);
        return apart && approach_more(side, touch, *normal, IN_TOUCH * size) ? touch : NEVER;
    }
    for (int level = soft ? LEVELS - 1 : 0; level < LEVELS; level++) {
        const double gap = find_separation(side, 0, DRAWN_IN[level]).gap;
        if (!(gap > 0))
            continue;
        vs_vec3 later = *normal;
        const double s = advance(side, touch, 1, DRAWN_IN[level], fmin(least, .5 * gap), &later);
        if (apart)
            return s <= 1 ? touch : NEVER;
        *normal = later;
        return s;
    }
    return NEVER;
}

// ---- a plane ---------------------------------------------------------------------------------------

// The lowest point of a shape over a plane, m.
static double height_over(const vs_shape *shape, vs_pose pose, vs_pose plane) {
    const vs_vec3 n = vs_rotate(plane.rotation, (vs_vec3){0, 0, 1}), local = vs_rotate_back(pose.rotation, n);
    double lowest = INFINITY;
    if (vs_shape_is_convex(shape)) {
        lowest = vs_dot(local, vs_shape_support(shape, vs_scale(-1, local)));
    } else {
        for (int k = 0; k < 3 * shape->triangles.triangles; k++)
            lowest = fmin(lowest, vs_dot(local, shape->triangles.vertex[shape->triangles.index[k]]));
    }
    return lowest + vs_dot(n, vs_subtract(pose.position, plane.position));
}

// Fastest approach of a collider to a plane, per s.
static double speed_to_plane(const vs_swept_collider *c, const vs_swept_collider *plane, double s) {
    const vs_vec3 n = vs_rotate(pose_at(plane, s).rotation, (vs_vec3){0, 0, 1});
    double speed = 0, arm = arm_of(c);
    if (moves(c, s)) {
        const vs_vec3 w = vs_rotate(c->path->begin.rotation, c->path->turn);
        const bool ball = c->shape->kind == VS_SHAPE_SPHERE;
        speed += vs_length(vs_cross(n, w)) * (ball ? vs_length(c->pose.position) : arm) - vs_dot(n, c->path->way);
    }
    if (moves(plane, s)) {
        const vs_vec3 between = vs_subtract(vs_path_at(c->path, s).position, vs_path_at(plane->path, s).position);
        const double far = vs_length(between) + vs_length(c->path->way) + vs_length(plane->path->way) + arm;
        speed += vs_dot(n, plane->path->way) + vs_length(plane->path->turn) * far;
        // Its normal turns while the other one moves.
        speed += vs_length(plane->path->turn) * (vs_length(c->path->way) + vs_length(plane->path->way));
    }
    return speed;
}

static double advance_to_plane(const vs_swept_collider *c, const vs_swept_collider *plane, double from, double target) {
    double s = from;
    for (int k = 0; k < STEPS_MOST; k++) {
        const double gap = height_over(c->shape, pose_at(c, s), pose_at(plane, s));
        if (gap <= target)
            return s;
        const double next = next_stop((vs_swept_collider[2]){*c, *plane}, s);
        const double speed = speed_to_plane(c, plane, s), left = gap - target + .5 * fabs(target);
        if (speed * (next - s) < left) {
            if (next >= 1)
                return NEVER;
            s = next;
        } else {
            s += left / speed;
        }
    }
    return s;
}

// As meet_parts().
static double meet_plane(const vs_swept_collider *c, const vs_swept_collider *plane, double from) {
    const double least = VS_CCD_TARGET * c->shape->size;
    const double thickness = fmax(c->shape->thickness, VS_CCD_MESH * c->shape->size);
    const double first = height_over(c->shape, pose_at(c, 0), pose_at(plane, 0));
    if (first <= least)
        return advance_to_plane(c, plane, from, fmin(first, 0) - DRAWN_IN[1] * thickness);
    const double touch = advance_to_plane(c, plane, from, least);
    return touch <= 1 && advance_to_plane(c, plane, touch, -DRAWN_IN[0] * thickness) <= 1 ? touch : NEVER;
}

// ---- meshes ----------------------------------------------------------------------------------------

typedef struct mesh_meeting {
    const vs_swept_collider *side;
    part convex; // the first, if it is
    double from, to, first;
    vs_apart apart;        // of two meshes, between these times
    vs_apart *short_apart; // (SHORT_PARTS)
    int short_parts;       // of them known
    meeting sought;
    double reach; // m, of meshes that are close
    bool close;
} mesh_meeting;

static bool visit_triangle(void *user, int triangle) {
    mesh_meeting *m = user;
    part side[2] = {m->convex, from_triangle(&m->side[1], triangle)};
    vs_vec3 normal;
    const double s = meet_parts(side, m->from, fmin(m->to, m->first), m->sought, &normal);
    if (s > m->to || s >= m->first)
        return true;
    const vs_vec3 front = vs_rotate(pose_at(&m->side[1], s).rotation, side[1].whole.normal);
    const bool faced = !(vs_dot(normal, front) > 1e-6) && vs_dot(front, front) > .5;
    if (faced || m->sought == TOUCHING)
        m->first = s;
    return m->sought != TOUCHING;
}

// Do two triangles stay apart in all short parts of the time? Those that slide and turn close to each other take some hundred
// distances otherwise.
static bool stay_apart(mesh_meeting *m, const int triangle[2]) {
    if (vs_apart_stay(&m->apart, triangle, 0, VS_CCD_TARGET))
        return true;
    const double length = (m->to - m->from) / SHORT_PARTS;
    for (int k = 0; k < SHORT_PARTS; k++) {
        const double from = m->from + k * length, to = k + 1 < SHORT_PARTS ? from + length : m->to;
        if (k == m->short_parts)
            m->short_apart[m->short_parts++] = vs_apart_between(m->side, from, to);
        if (!vs_apart_stay(&m->short_apart[k], triangle, 0, VS_CCD_TARGET))
            return false;
    }
    return true;
}

static bool visit_triangles(void *user, int triangle_a, int triangle_b) {
    mesh_meeting *m = user;
    if (stay_apart(m, (const int[2]){triangle_a, triangle_b}))
        return true;
    part side[2] = {from_triangle(&m->side[0], triangle_a), from_triangle(&m->side[1], triangle_b)};
    vs_vec3 normal;
    const double s = meet_parts(side, m->from, fmin(m->to, m->first), m->sought, &normal);
    if (s <= m->to && s < m->first)
        m->first = s;
    return m->sought != TOUCHING || m->first > 1; // the time does not matter
}

// Searches the triangles within `reach` at m->from.
static void meet_triangles(mesh_meeting *m, double reach) {
    const vs_swept_collider *a = &m->side[0], *b = &m->side[1];
    const vs_pose relative = vs_pose_relative(pose_at(a, m->from), pose_at(b, m->from));
    if (vs_shape_is_convex(a->shape)) {
        vs_triangles_query(&b->shape->triangles, vs_shape_bounds(a->shape, relative, reach), visit_triangle, m);
        return;
    }
    vs_apart short_apart[SHORT_PARTS];
    m->apart = vs_apart_between(m->side, m->from, m->to);
    m->short_apart = short_apart;
    m->short_parts = 0;
    vs_triangles_pairs(&a->shape->triangles, relative, &b->shape->triangles, &reach, visit_triangles, m);
}

// Way of any point of one relative to the other, at most, per s.
static double fastest(const vs_swept_collider side[2], double s) {
    vs_vec3 way = VS_ZERO3;
    double turning = 0;
    for (int k = 0; k < 2; k++) {
        if (!moves(&side[k], s))
            continue;
        way = vs_add_scaled(way, k ? 1 : -1, side[k].path->way);
        turning += vs_length(side[k].path->turn) * arm_of(&side[k]);
    }
    return vs_length(way) + turning;
}

// Distance of the ball about one from the box about the other, at most that of the shapes.
static double far_from_box(const vs_swept_collider *ball, const vs_swept_collider *boxed, double s) {
    const vs_vec3 x = vs_pose_apply_back(pose_at(boxed, s), vs_pose_apply(pose_at(ball, s), ball->shape->centre));
    const vs_box3 *box = &boxed->shape->bounds;
    const vs_vec3 out = {fmax(fmax(box->low.x - x.x, x.x - box->high.x), 0),
                         fmax(fmax(box->low.y - x.y, x.y - box->high.y), 0),
                         fmax(fmax(box->low.z - x.z, x.z - box->high.z), 0)};
    return vs_length(out) - ball->shape->size;
}

// The box about a thin wall tells more than the ball about it.
static double far_apart(const vs_swept_collider side[2], double s) {
    return fmax(far_from_box(&side[0], &side[1], s), far_from_box(&side[1], &side[0], s));
}

static bool note_pair(void *user, int triangle_a, int triangle_b) {
    mesh_meeting *m = user;
    const int triangle[2] = {triangle_a, triangle_b};
    if (vs_apart_stay(&m->apart, triangle, m->reach, 0))
        return true;
    part side[2] = {from_triangle(&m->side[0], triangle_a), from_triangle(&m->side[1], triangle_b)};
    m->close = m->close || find_separation(side, 0, 0).gap <= m->reach;
    return !m->close;
}

static bool begin_close(const vs_swept_collider side[2], vs_kept_pairs *kept) {
    mesh_meeting m = {.side = side,
                      .apart = vs_apart_between(side, 0, 0),
                      .reach = CLOSE * fmin(side[0].shape->size, side[1].shape->size)};
    const vs_pose relative = vs_pose_relative(pose_at(&side[0], 0), pose_at(&side[1], 0));
    if (kept && vs_kept_answer_is_known(&kept->close, &relative))
        return kept->close.answer;
    vs_triangles_pairs(&side[0].shape->triangles, relative, &side[1].shape->triangles, &m.reach, note_pair, &m);
    if (kept)
        kept->close = (vs_kept_answer){relative, true, m.close};
    return m.close;
}

static bool cross_at(const vs_swept_collider side[2], double s, vs_kept_pairs *kept) {
    const vs_pose relative = vs_pose_relative(pose_at(&side[0], s), pose_at(&side[1], s));
    const double depth = VS_CCD_MESH * fmin(side[0].shape->size, side[1].shape->size);
    return vs_meshes_cross(&side[0].shape->triangles, relative, &side[1].shape->triangles, depth, kept);
}

// The same at the beginning, where it is asked in every round of a step.
static bool begin_crossed(const vs_swept_collider side[2], double from, vs_kept_pairs *kept) {
    const vs_pose relative = vs_pose_relative(pose_at(&side[0], from), pose_at(&side[1], from));
    if (kept && vs_kept_answer_is_known(&kept->crossed, &relative))
        return kept->crossed.answer;
    const bool answer = cross_at(side, from, kept);
    if (kept)
        kept->crossed = (vs_kept_answer){relative, true, answer};
    return answer;
}

// Meshes in touch, whose triangles approach and pass each other all the time: the last time before they cross, if they do at the
// end of the step.
static double meet_close(const vs_swept_collider side[2], double from, vs_kept_pairs *kept) {
    enum { HALVINGS = 10 };
    if (begin_crossed(side, from, kept) || !cross_at(side, 1, kept))
        return NEVER;
    double low = from, high = 1;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = .5 * (low + high);
        *(cross_at(side, middle, kept) ? &high : &low) = middle;
    }
    return low;
}

static double meet_mesh(const vs_swept_collider side[2], double from, meeting sought, vs_kept_pairs *kept) {
    mesh_meeting m = {.side = side, .sought = sought, .first = NEVER};
    if (vs_shape_is_convex(side[0].shape))
        m.convex = from_shape(&side[0]);
    const double size = fmin(side[0].shape->size, side[1].shape->size);
    if (sought != TOUCHING && !m.convex.of && fastest(side, from) < 2 * REACH * size && begin_close(side, kept))
        return meet_close(side, from, kept);
    const double reach = fmax(REACH * size, fastest(side, from) / PARTS_NEAR);
    double s = from;
    for (int k = 0; k < PARTS_MOST && s < 1; k++) {
        const double speed = fastest(side, s), next = next_stop(side, s), far = far_apart(side, s);
        if (!(speed > 0))
            return NEVER;
        if (far > reach) {
            s = fmin(next, s + (far - .5 * reach) / speed);
            continue;
        }
        m.from = s;
        m.to = fmin(next, s + reach / speed);
        meet_triangles(&m, fmin(reach, speed * (m.to - s)) + VS_CCD_TARGET * (reach + size));
        if (m.first <= 1)
            return m.first;
        s = m.to;
    }
    return s < 1 ? s : NEVER;
}

// ---- any two ---------------------------------------------------------------------------------------

static double meet(const vs_swept_collider side[2], double from, meeting sought, vs_kept_pairs *kept) {
    const vs_shape *a = side[0].shape, *b = side[1].shape;
    if (vs_shape_is_convex(a) && vs_shape_is_convex(b)) {
        part parts[2] = {from_shape(&side[0]), from_shape(&side[1])};
        vs_vec3 normal;
        return meet_parts(parts, from, 1, sought, &normal);
    }
    // The convex one first; of two meshes the smaller one.
    const bool swap = vs_shape_is_convex(b) || (!vs_shape_is_convex(a) && a->size > b->size);
    return meet_mesh(swap ? (vs_swept_collider[2]){side[1], side[0]} : side, from, sought, kept);
}

double vs_ccd_meet(const vs_swept_collider side[2], double from, bool soft, vs_kept_pairs *kept) {
    const bool first = vs_shape_is_plane(side[0].shape);
    if (first || vs_shape_is_plane(side[1].shape))
        return meet_plane(&side[first], &side[!first], from);
    return meet(side, from, soft ? PASSING_SOFTLY : PASSING, kept);
}

bool vs_ccd_touches(const vs_swept_collider side[2]) {
    const bool first = vs_shape_is_plane(side[0].shape);
    if (first || vs_shape_is_plane(side[1].shape))
        return advance_to_plane(&side[first], &side[!first], 0, VS_CCD_TARGET * side[first].shape->size) <= 1;
    return meet(side, 0, TOUCHING, NULL) <= 1;
}
