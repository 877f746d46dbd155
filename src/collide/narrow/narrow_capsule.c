// A capsule against a capsule, a box or a hull: its axis, a segment, against a segment or a polytope, minus the radii.
//
//     gap = distance of the axis - radii
//
// If the axis is nearly parallel to the other surface, points in addition to the closest one are added, so that a
// capsule rests on a line: with a capsule the ends of either that are beside the other's axis, with a face the two ends
// of the part of the axis that lies over it. Additional points count only within the envelope, each with its own gap.
#include "collide/convex/closest.h"
#include "collide/narrow/pairs.h"

static const double ALONG = .2;   // sine of the angle between two axes up to which ends count
static const double FACING = .98; // cosine of the angle between normal and face up to which the face carries

typedef struct axis {
    vs_vec3 p, d; // p + t d, 0 <= t <= 1; m
    double radius;
} axis;

static axis axis_of(const vs_shape *capsule, vs_pose pose) {
    vs_vec3 half = vs_rotate(pose.rotation, (vs_vec3){0, 0, capsule->half_length});
    return (axis){vs_subtract(pose.position, half), vs_scale(2, half), capsule->radius};
}

// ---- capsule and capsule ---------------------------------------------------------------------------

// The contact between the points s of a and t of b; `across` is the normal if the axes intersect.
static void touch(const axis *a, double s, const axis *b, double t, vs_vec3 across, double envelope, uint32_t feature,
                  vs_manifold *m) {
    vs_vec3 p = vs_add_scaled(a->p, s, a->d), r = vs_subtract(vs_add_scaled(b->p, t, b->d), p);
    double length = vs_length(r);
    // where the axes intersect, r is only roundoff
    vs_vec3 normal = length > 1e-9 * (a->radius + b->radius) ? vs_scale(1 / length, r) : across;
    vs_vec3 surface = vs_add_scaled(p, a->radius, normal);
    // two ends may coincide: the same point twice
    for (int k = 0; k < m->count; k++) {
        vs_vec3 apart =
            vs_subtract(m->at[k].point, vs_add_scaled(surface, .5 * (length - a->radius - b->radius), normal));
        if (vs_length(apart) < 1e-6 * (a->radius + b->radius))
            return;
    }
    vs_manifold_add(m, surface, normal, length - a->radius - b->radius, envelope, feature);
}

// Parameter of x along the line of a, not clamped; outside 0 … 1 if it is beyond an end.
static double beside(const axis *a, vs_vec3 x) {
    double dd = vs_dot(a->d, a->d);
    return dd > 0 ? vs_dot(vs_subtract(x, a->p), a->d) / dd : -1;
}

// Any unit vector across both axes.
static vs_vec3 across_both(const axis *a, const axis *b) {
    vs_vec3 c = vs_cross(a->d, b->d);
    if (vs_dot(c, c) > 0)
        return vs_normalize(c);
    c = vs_cross(a->d, fabs(a->d.x) > .5 * vs_length(a->d) ? (vs_vec3){0, 1, 0} : (vs_vec3){1, 0, 0});
    return vs_dot(c, c) > 0 ? vs_normalize(c) : (vs_vec3){0, 0, 1};
}

static void meet_capsule(const axis *a, const axis *b, double envelope, vs_manifold *m) {
    vs_vec3 across = across_both(a, b), turn = vs_cross(a->d, b->d);
    double s, t, least = INFINITY;
    vs_closest_segments(a->p, a->d, b->p, b->d, &s, &t);
    if (vs_dot(turn, turn) <= ALONG * ALONG * vs_dot(a->d, a->d) * vs_dot(b->d, b->d)) {
        for (uint32_t end = 0; end < 2; end++) {
            double at = beside(b, vs_add_scaled(a->p, end, a->d));
            if (at >= 0 && at <= 1)
                touch(a, end, b, at, across, envelope, 1 + end, m);
            at = beside(a, vs_add_scaled(b->p, end, b->d));
            if (at >= 0 && at <= 1)
                touch(a, at, b, end, across, envelope, 3 + end, m);
        }
        for (int k = 0; k < m->count; k++)
            least = fmin(least, m->at[k].gap);
    }
    // the closest pair, unless an end has it already
    vs_vec3 r = vs_subtract(vs_add_scaled(b->p, t, b->d), vs_add_scaled(a->p, s, a->d));
    double radii = a->radius + b->radius;
    if (vs_length(r) - radii < least - 1e-12 * radii)
        touch(a, s, b, t, across, envelope, 0, m);
}

// ---- capsule and polytope --------------------------------------------------------------------------

// The part of the axis over a face: false if none.
static bool clip_to_face(const vs_polytope *h, int face, const axis *a, double range[2]) {
    range[0] = 0, range[1] = 1;
    int begin = h->face_start[face], end = h->face_start[face + 1];
    for (int k = begin; k < end; k++) {
        vs_vec3 v = h->vertex[h->face_vertex[k]];
        vs_vec3 e = vs_subtract(h->vertex[h->face_vertex[k + 1 < end ? k + 1 : begin]], v);
        vs_vec3 inward = vs_cross(h->normal[face], e);
        double g = vs_dot(inward, vs_subtract(a->p, v)), slope = vs_dot(inward, a->d);
        if (slope > 0)
            range[0] = fmax(range[0], -g / slope);
        else if (slope < 0)
            range[1] = fmin(range[1], -g / slope);
        else if (g < 0)
            return false;
    }
    return range[0] <= range[1];
}

// The supporting face: the one most along `outward`, by at least the cosine `best`; -1 if none.
static int facing(const vs_polytope *h, vs_vec3 outward, double best) {
    int face = -1;
    for (int f = 0; f < h->faces; f++) {
        double c = vs_dot(h->normal[f], outward);
        if (c > best) {
            best = c;
            face = f;
        }
    }
    return face;
}

// In the polytope's axes; normals from the capsule to the polytope.
static void meet_polytope(const axis *a, const vs_polytope *h, double envelope, vs_manifold *m) {
    vs_closest near = vs_closest_segment_polytope(h, a->p, a->d, a->radius + envelope);
    vs_vec3 inward = vs_scale(-1, near.outward);
    vs_vec3 surface = vs_add_scaled(vs_add_scaled(a->p, near.t, a->d), a->radius, inward);
    double gap = near.distance - a->radius, range[2];
    if (!(gap <= envelope))
        return;
    // an axis inside the solid leaves through one face or edge: other faces would overestimate its depth
    int face = facing(h, near.outward, near.distance > 0 ? FACING : 1 - 1e-12);
    if (face < 0 || !clip_to_face(h, face, a, range)) {
        vs_manifold_add(m, surface, inward, gap, envelope, 0);
        return;
    }
    // the closest pair replaces the end of the supported part at which it lies
    double length = vs_length(a->d);
    bool taken = false;
    vs_vec3 n = h->normal[face];
    for (uint32_t end = 0; end < 2; end++) {
        if (!taken && fabs(range[end] - near.t) * length <= .05 * a->radius) {
            vs_manifold_add(m, surface, inward, gap, envelope, 1 + end);
            taken = true;
            continue;
        }
        if (end == 1 && (range[1] - range[0]) * length <= .05 * a->radius)
            continue;
        vs_vec3 x = vs_add_scaled(a->p, range[end], a->d);
        double over = vs_dot(n, x) - h->offset[face] - a->radius;
        vs_manifold_add(m, vs_add_scaled(x, -a->radius, n), vs_scale(-1, n), over, envelope, 1 + end);
    }
    // between the ends only if it is lower than both: over an edge that rises in the middle
    double least = INFINITY;
    for (int k = 0; k < m->count; k++)
        least = fmin(least, m->at[k].gap);
    if (!taken && gap < least - 1e-12 * a->radius)
        vs_manifold_add(m, surface, inward, gap, envelope, 0);
}

// ---- pairs -----------------------------------------------------------------------------------------

void vs_narrow_capsules(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                        vs_manifold *m) {
    m->count = 0;
    // relative to the first centre: no loss of digits far from the origin
    vs_vec3 origin = pose_a.position;
    pose_a.position = VS_ZERO3;
    pose_b.position = vs_subtract(pose_b.position, origin);
    axis first = axis_of(a, pose_a), second = axis_of(b, pose_b);
    meet_capsule(&first, &second, envelope, m);
    for (int k = 0; k < m->count; k++)
        m->at[k].point = vs_add(m->at[k].point, origin);
}

void vs_narrow_capsule_polytope(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                                vs_manifold *m) {
    m->count = 0;
    axis first = axis_of(a, vs_pose_relative(pose_a, pose_b));
    meet_polytope(&first, &b->polytope, envelope, m);
    for (int k = 0; k < m->count; k++) {
        m->at[k].point = vs_pose_apply(pose_b, m->at[k].point);
        m->at[k].normal = vs_rotate(pose_b.rotation, m->at[k].normal);
    }
}
