// Boxes and hulls against each other: the signed gap
//
//     g = max over unit n of (min over B of n.x - max over A of n.x)
//
// and the contact points. Separate, n is the direction between the closest points; touching or overlapping, n is among
// the face normals and the cross products of edges that bound the Minkowski difference (separating axes; pairs of edges
// are filtered on the Gauss map). A face whose gap is equal to within 5e-7 of the size is preferred over edges, so that
// stacked bricks keep their four points and exact normals; the reference face of the last step by more, if it is known
// (touch.c). Cost: faces x vertices, and edges x edges if they overlap.
#include "collide/convex/touch.h"
#include "collide/narrow/pairs.h"

// Relative to the smaller shape:
static const double APART_LEAST = 1e-7; // closer than this counts as touching: separating axes
static const double FACE_BIAS = 5e-7;   // a face is preferred if its gap is less by at most this
static const double SAME_PLACE = 1e-6;  // corners this close to an edge lie on it
// Part of the common outline that four points must cover to represent all of them.
static const double SHARE = .95;

// ---- separating axes -------------------------------------------------------------------------------

// The face of `from` with the largest gap to `other`.
static void try_faces(const vs_convex *from, const vs_convex *other, bool from_b, vs_touch *touch) {
    for (int f = 0; f < vs_convex_faces(from); f++) {
        vs_vec3 outward = vs_convex_face_normal(from, f), inward = vs_scale(-1, outward);
        vs_vec3 point = vs_convex_support(other, inward, 0);
        const vs_polytope *p = &from->shape->polytope;
        double gap = vs_dot(outward, vs_subtract(point, from->position)) - p->offset[f];
        if (gap <= touch->gap)
            continue;
        vs_vec3 foot = vs_add_scaled(point, -gap, outward);
        touch->gap = gap;
        touch->normal = from_b ? inward : outward;
        touch->on_a = from_b ? point : foot;
        touch->on_b = from_b ? foot : point;
    }
}

// Do the arcs between the normals p, q of one edge and r, s of the other cross on the unit sphere? sr: s x r. Most arcs do not
// even cross the plane of the other one, which is the cheapest to tell.
static bool arcs_cross(vs_vec3 p, vs_vec3 q, vs_vec3 r, vs_vec3 s, vs_vec3 sr) {
    const double psr = vs_dot(p, sr), qsr = vs_dot(q, sr);
    if (!(psr * qsr < 0))
        return false;
    const vs_vec3 qp = vs_cross(q, p);
    const double rqp = vs_dot(r, qp), sqp = vs_dot(s, qp);
    return rqp * sqp < 0 && rqp * qsr > 0;
}

typedef struct ridge {
    int vertex[2];
    vs_vec3 start, along;
    vs_vec3 normal[2]; // of its faces
} ridge;

static ridge edge_of(const vs_convex *c, int k) {
    const int *e = c->shape->polytope.edge + 4 * (size_t)k;
    vs_vec3 start = vs_convex_vertex(c, e[0]);
    return (ridge){{e[0], e[1]},
                   start,
                   vs_subtract(vs_convex_vertex(c, e[1]), start),
                   {vs_convex_face_normal(c, e[2]), vs_convex_face_normal(c, e[3])}};
}

// Closest points of the lines of two edges, across n.
static void pass(const ridge *a, const ridge *b, vs_vec3 n, vs_touch *touch) {
    vs_vec3 between = vs_subtract(b->start, a->start);
    double t = vs_dot(vs_cross(between, b->along), n) / vs_dot(vs_cross(a->along, b->along), n);
    touch->on_a = vs_add_scaled(a->start, fmin(fmax(t, 0), 1), a->along);
    touch->on_b = vs_add_scaled(touch->on_a, touch->gap, n);
    touch->normal = n;
    touch->feature = vs_feature_of_vertices(a->vertex, b->vertex, 2);
}

static void try_edges(const vs_convex *a, const vs_convex *b, double margin, vs_touch *touch) {
    double best = touch->gap + margin;
    for (int j = 0; j < b->shape->polytope.edges; j++) {
        ridge eb = edge_of(b, j);
        vs_vec3 r = vs_scale(-1, eb.normal[0]), s = vs_scale(-1, eb.normal[1]);
        const vs_vec3 sr = vs_cross(s, r);
        for (int i = 0; i < a->shape->polytope.edges; i++) {
            const int *e = a->shape->polytope.edge + 4 * (size_t)i;
            // The working frame is that of a: its normals need no rotation.
            vs_vec3 p = a->shape->polytope.normal[e[2]], q = a->shape->polytope.normal[e[3]];
            if (!arcs_cross(p, q, r, s, sr))
                continue;
            ridge ea = edge_of(a, i);
            vs_vec3 n = vs_cross(ea.along, eb.along);
            double nn = vs_dot(n, n);
            if (nn <= 1e-16 * vs_dot(ea.along, ea.along) * vs_dot(eb.along, eb.along))
                continue;
            n = vs_scale((vs_dot(n, vs_add(p, q)) < 0 ? -1 : 1) / sqrt(nn), n);
            double gap = vs_dot(n, vs_subtract(eb.start, ea.start));
            if (gap <= best)
                continue;
            best = touch->gap = gap;
            pass(&ea, &eb, n, touch);
        }
    }
}

void vs_touch_separate(const vs_convex *a, const vs_convex *b, double bias, vs_touch *touch) {
    touch->gap = -INFINITY;
    try_faces(a, b, false, touch);
    try_faces(b, a, true, touch);
    try_edges(a, b, bias, touch);
}

void vs_narrow_polytope(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                        vs_manifold *m) {
    vs_pose relative = vs_pose_relative(pose_b, pose_a);
    vs_convex first = vs_convex_from_shape(a, VS_IDENTITY_POSE), second = vs_convex_from_shape(b, relative);
    double size = fmin(first.size, second.size);
    vs_distance d = vs_convex_distance(&first, &second, VS_ZERO3, envelope);
    if (d.distance > envelope)
        return;

    vs_touch touch = {.normal = d.normal, .gap = d.distance, .on_a = d.on_a, .on_b = d.on_b};
    if (d.distance > APART_LEAST * size) {
        touch.feature = vs_feature_of_vertices(d.vertex_a, d.vertex_b, d.count);
    } else {
        vs_touch_separate(&first, &second, FACE_BIAS * size, &touch);
    }
    vs_touch_find_faces(&touch, &first, &second, FACE_BIAS * size, m->former);
    vs_meeting meeting = {pose_a, envelope, SAME_PLACE * size, SHARE, m->former};
    vs_touch_contacts(&touch, &first, &second, &meeting, m);
}
