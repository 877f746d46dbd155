// Any two convex shapes: signed gap, normal and contact points.
//
// Separate, the gap is the distance of the cores (points of spheres, axes of capsules, else the shapes) minus the round
// layers. If the cores intersect, the gap is the largest value over unit n of
//
//     f(n) = min over B of n.x - max over A of n.x
//
// Starting from a good n, B is moved away along n until the cores are separate; the direction n' between their closest
// points then satisfies f(n') >= f(n) + t (1 - n.n') for the displacement t: the search ascends, and is stationary only
// at an extremum. It starts from slightly shrunk shapes and from faces; deep overlap, which has several local extrema,
// from the best of directions all around. Shallow overlap costs a few distance computations, deep overlap some dozens.
// The penetration of deep overlap is the shortest one found: f has local extrema.
#include "base/elementary.h"
#include "collide/convex/touch.h"
#include "collide/narrow/pairs.h"

// Relative to the smaller shape:
static const double APART_LEAST = 1e-7; // cores closer than this count as overlapping
static const double FACE_BIAS = 5e-7;
static const double SAME_PLACE = 1e-6;
static const double MOVE_LEAST = 1e-3; // distance of moved cores
// Part of the common outline that four points must cover to represent all of them.
static const double SHARE = .95;

// ---- starting directions ---------------------------------------------------------------------------

// The normal between the shapes, shrunk just enough to be separate; zero if they overlap deeply.
static vs_vec3 draw_in(const vs_convex *a, const vs_convex *b) {
    static const double share[] = {.002, .02, .2};
    vs_convex inner_a = *a, inner_b = *b;
    for (int k = 0; k < 3; k++) {
        inner_a.shrink = share[k] * a->inner;
        inner_b.shrink = share[k] * b->inner;
        vs_distance d = vs_convex_distance(&inner_a, &inner_b, VS_ZERO3, INFINITY);
        if (d.distance > 1e-4 * share[k] * fmax(a->inner, b->inner))
            return d.normal;
    }
    return VS_ZERO3;
}

typedef struct candidate {
    vs_vec3 n;
    double gap; // f(n), m
} candidate;

static void try_normal(candidate *best, const vs_convex *a, const vs_convex *b, const vs_vec3 *front, vs_vec3 n) {
    // A direction to the back is replaced by the nearest one that leads sideways, if any.
    double back = front ? vs_dot(n, *front) : 0;
    if (front && back > 0)
        n = vs_add_scaled(n, -back, *front);
    if (!(vs_dot(n, n) > 1e-12))
        return;
    if (back > 0)
        n = vs_normalize(n);
    double gap = vs_convex_gap_along(a, b, n);
    if (gap > best->gap)
        *best = (candidate){n, gap};
}

static void try_faces(candidate *best, const vs_convex *a, const vs_convex *b, const vs_vec3 *front) {
    for (int f = 0; f < vs_convex_faces(a); f++)
        try_normal(best, a, b, front, vs_convex_face_normal(a, f));
    for (int f = 0; f < vs_convex_faces(b); f++)
        try_normal(best, a, b, front, vs_scale(-1, vs_convex_face_normal(b, f)));
    // Sideways out of a triangle, past its edges.
    for (int k = 0; k < 3 && !b->shape; k++) {
        vs_vec3 along = vs_subtract(b->triangle[(k + 1) % 3], b->triangle[k]);
        try_normal(best, a, b, front, vs_normalize(vs_cross(b->normal, along)));
    }
}

// u turned about u x w towards w.
static vs_vec3 turned(vs_vec3 u, vs_vec3 w, double angle) {
    double sine, cosine;
    vs_sincos(angle, &sine, &cosine);
    return vs_add_scaled(vs_scale(cosine, u), sine, w);
}

// The best direction sideways: directions across `front`, one angle, by golden section.
static candidate try_sideways(const vs_convex *a, const vs_convex *b, const vs_vec3 *front) {
    enum { STEPS = 48, NARROWINGS = 60 };
    const double golden = .6180339887498949, step = 6.283185307179586 / STEPS;
    vs_vec3 u = vs_normalize(vs_subtract(b->triangle[1], b->triangle[0])), w = vs_cross(*front, u);
    candidate best = {.gap = -INFINITY};
    double middle = 0;
    for (int k = 0; k < STEPS; k++) {
        double before = best.gap, turn = k * step;
        try_normal(&best, a, b, 0, turned(u, w, turn));
        middle = best.gap > before ? turn : middle;
    }
    double low = middle - step, high = middle + step;
    for (int k = 0; k < NARROWINGS; k++) {
        double x[2] = {high - golden * (high - low), low + golden * (high - low)}, gap[2];
        for (int i = 0; i < 2; i++) {
            vs_vec3 n = turned(u, w, x[i]);
            gap[i] = vs_convex_gap_along(a, b, n);
            try_normal(&best, a, b, 0, n);
        }
        if (gap[0] > gap[1])
            high = x[1];
        else
            low = x[0];
    }
    return best;
}

// Deep overlap has several extrema: the best of many directions all around, well separated.
enum { DIRECTIONS = 200, WAYS = 8 };
static void try_all_around(candidate best[WAYS], const vs_convex *a, const vs_convex *b, const vs_vec3 *front) {
    for (int w = 0; w < WAYS; w++)
        best[w].gap = -INFINITY;
    for (int k = 0; k < DIRECTIONS; k++) {
        double z = 1 - (2 * k + 1.) / DIRECTIONS, r = sqrt(1 - z * z), turn = 2.399963229728653 * k; // golden angle
        double sine, cosine;
        candidate c = {.gap = -INFINITY};
        vs_sincos(turn, &sine, &cosine);
        try_normal(&c, a, b, front, (vs_vec3){r * cosine, r * sine, z});
        // It replaces a similar one, if there is one and it is better, else the worst.
        int place = 0;
        for (int w = 1; w < WAYS; w++)
            place = best[w].gap < best[place].gap ? w : place;
        for (int w = 0; w < WAYS; w++)
            place = isfinite(best[w].gap) && vs_dot(best[w].n, c.n) > .9 ? w : place;
        if (c.gap > best[place].gap)
            best[place] = c;
    }
}

// ---- ascent ----------------------------------------------------------------------------------------

// Deep overlap makes small steps in one direction: continue in it while f increases.
static candidate stride(const vs_convex *a, const vs_convex *b, const vs_vec3 *front, vs_vec3 n, candidate next) {
    vs_vec3 step = vs_subtract(next.n, n);
    for (int doublings = 1; doublings < 14; doublings++) {
        double before = next.gap;
        try_normal(&next, a, b, front, vs_normalize(vs_add_scaled(n, (double)(1 << doublings), step)));
        if (!(next.gap > before))
            break;
    }
    return next;
}

static void climb(const vs_convex *a, const vs_convex *b, const vs_vec3 *front, candidate start, double size,
                  vs_touch *touch) {
    enum { STEPS_MOST = 60 };
    candidate now = start;
    for (int step = 0; step < STEPS_MOST; step++) {
        double core_gap = now.gap + a->radius + b->radius;
        double t = fmax(0, -core_gap) + MOVE_LEAST * size;
        vs_vec3 shift = vs_scale(t, now.n);
        vs_distance d = vs_convex_distance(a, b, shift, INFINITY);
        if (!(d.distance > 0))
            break;
        vs_vec3 on_b = vs_subtract(d.on_b, shift);
        if (step == 0 || now.gap > touch->gap) {
            touch->gap = now.gap;
            touch->normal = now.n;
            touch->on_a = vs_add_scaled(d.on_a, a->radius, now.n);
            touch->on_b = vs_add_scaled(on_b, -b->radius, now.n);
            touch->feature = vs_feature_of_vertices(d.vertex_a, d.vertex_b, d.count);
        }
        candidate next = {.gap = -INFINITY};
        try_normal(&next, a, b, front, d.normal);
        if (!(next.gap > now.gap + 1e-15 * size))
            break;
        now = stride(a, b, front, now.n, next);
    }
}

void vs_touch_find_overlap(const vs_convex *a, const vs_convex *b, const vs_vec3 *front, double size, bool thorough,
                           vs_touch *touch) {
    candidate start[WAYS + 3];
    for (int w = 0; w < WAYS + 3; w++)
        start[w].gap = -INFINITY;
    try_faces(&start[WAYS], a, b, front);
    vs_vec3 n = draw_in(a, b);
    // If the nearest exit leads to the back, it says nothing about the others.
    if (!(front && vs_dot(n, *front) > 0))
        try_normal(&start[0], a, b, front, n);
    if (thorough)
        start[WAYS + 2] = start[0];
    if (!isfinite(start[0].gap) || thorough)
        try_all_around(start, a, b, front);
    if (front)
        start[WAYS + 1] = try_sideways(a, b, front);
    touch->gap = -INFINITY;
    for (int w = 0; w < WAYS + 3; w++) {
        vs_touch way = {.gap = -INFINITY, .face_a = -1, .face_b = -1};
        if (isfinite(start[w].gap))
            climb(a, b, front, start[w], size, &way);
        if (way.gap > touch->gap)
            *touch = way;
    }
}

bool vs_touch_find(const vs_convex *a, const vs_convex *b, const vs_vec3 *front, double envelope, vs_touch *touch) {
    double size = fmin(a->size, b->size), layers = a->radius + b->radius;
    vs_distance d = vs_convex_distance(a, b, VS_ZERO3, envelope + layers);
    if (d.distance - layers > envelope)
        return false;
    *touch = (vs_touch){.normal = d.normal, .gap = d.distance - layers, .face_a = -1, .face_b = -1};
    touch->on_a = vs_add_scaled(d.on_a, a->radius, d.normal);
    touch->on_b = vs_add_scaled(d.on_b, -b->radius, d.normal);
    touch->feature = vs_feature_of_vertices(d.vertex_a, d.vertex_b, d.count);
    // Behind a one-sided surface the direction between the closest points leads to the wrong side.
    bool behind = front && touch->gap <= 0 && vs_dot(d.normal, *front) > 1e-9;
    if (!(d.distance > APART_LEAST * size) || behind)
        vs_touch_find_overlap(a, b, front, size, false, touch);
    return touch->gap <= envelope;
}

void vs_narrow_generic(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                       vs_manifold *m) {
    vs_pose relative = vs_pose_relative(pose_b, pose_a);
    vs_convex first = vs_convex_from_shape(a, VS_IDENTITY_POSE), second = vs_convex_from_shape(b, relative);
    double size = fmin(first.size, second.size);
    vs_touch touch;
    if (!vs_touch_find(&first, &second, 0, envelope, &touch))
        return;
    vs_touch_find_faces(&touch, &first, &second, FACE_BIAS * size, m->former);
    vs_meeting meeting = {pose_a, envelope, SAME_PLACE * size, SHARE, m->former};
    vs_touch_contacts(&touch, &first, &second, &meeting, m);
}
