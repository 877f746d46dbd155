// The largest f(n) = min over B of n.x - max over A of n.x near a direction, by comparing values of f only.
//
// A simplex of support points on a curved shape gets thin, and a shape a thousand times larger multiplies the roundoff of its
// normal; f itself is exact to roundoff for any n, and never larger than the gap. f has creases: across an edge of
// either shape or the axis of a cylinder, n is best perpendicular to it. The search is therefore repeated on the great
// circles across every edge near the contact, and at the normals of faces and of pairs of edges.
// Cost: some thousand support points.
#include "collide/convex/polish.h"

enum { EDGES = 24, NEAR = 8 };
static const double WIDE = 1e-3;  // rad, of the search
static const double FINE = 1e-13; // rad, where it ends
// Vertices that close to the contact, along n, may be part of it:
static const double CLOSE = 1e-3; // of the smaller size
static const double TILT = 1e-5;  // rad, by which n may be wrong: of a shape's own size

typedef struct polish {
    const vs_convex *a, *b;
    vs_vec3 n;
    double gap;
    int edges;
    vs_vec3 edge[EDGES]; // unit
} polish;

static bool try_normal(polish *p, vs_vec3 n) {
    const double gap = vs_convex_gap_along(p->a, p->b, n);
    if (!(gap > p->gap))
        return false;
    p->gap = gap;
    p->n = n;
    return true;
}

// ---- creases -----------------------------------------------------------------------------------------

static void add_edge(polish *p, vs_vec3 along) {
    const double length = vs_length(along);
    if (p->edges == EDGES || !(length > 0))
        return;
    const vs_vec3 e = vs_scale(1 / length, along);
    for (int k = 0; k < p->edges; k++)
        if (fabs(vs_dot(p->edge[k], e)) > 1 - 1e-15)
            return;
    if (fabs(vs_dot(e, p->n)) < .1)
        p->edge[p->edges++] = e;
}

// Lines between the vertices that are farthest along `out`, or almost; the axis of a round shape.
static void add_edges(polish *p, const vs_convex *c, vs_vec3 out) {
    const vs_shape *shape = c->shape;
    if (shape && vs_class_of(shape)->revolved) {
        const vs_vec3 axis = vs_mat3_apply(&c->rotation, (vs_vec3){0, 0, 1});
        add_edge(p, axis);
        try_normal(p, vs_scale(vs_dot(axis, p->n) < 0 ? -1 : 1, axis));
    }
    const int vertices = shape ? shape->polytope.vertices : 3;
    vs_vec3 near[NEAR];
    int count = 0;
    const double most = vertices > 0 ? vs_dot(out, vs_convex_support(c, out, NULL)) : 0;
    const double least = most - CLOSE * fmin(p->a->size, p->b->size) - TILT * c->size;
    for (int k = 0; k < vertices && count < NEAR; k++)
        if (vs_dot(out, vs_convex_vertex(c, k)) >= least)
            near[count++] = vs_convex_vertex(c, k);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            add_edge(p, vs_subtract(near[i], near[j]));
    for (int f = 0; f < vs_convex_faces(c); f++) {
        const vs_vec3 face = vs_convex_face_normal(c, f);
        if (fabs(vs_dot(face, p->n)) > .99)
            try_normal(p, vs_scale(vs_dot(face, p->n) < 0 ? -1 : 1, face));
    }
}

// ---- search ------------------------------------------------------------------------------------------

// Steps of n along u and w (w zero: u only), both ways, as long as f increases, then half as long.
static void climb(polish *p, const vs_vec3 *across, double wide) {
    enum { STEPS_MOST = 2000 };
    int steps = 0;
    double step = wide;
    while (step > FINE && steps < STEPS_MOST) {
        bool better = true;
        while (better && steps++ < STEPS_MOST) {
            const vs_vec3 n = p->n;
            const vs_vec3 other = fabs(n.x) > .6 ? (vs_vec3){0, 1, 0} : (vs_vec3){1, 0, 0};
            const vs_vec3 u = across ? vs_cross(*across, n) : vs_normalize(vs_cross(n, other)), w = vs_cross(n, u);
            better = try_normal(p, vs_normalize(vs_add_scaled(n, step, u))) ||
                     try_normal(p, vs_normalize(vs_add_scaled(n, -step, u)));
            if (!across)
                better = try_normal(p, vs_normalize(vs_add_scaled(n, step, w))) ||
                         try_normal(p, vs_normalize(vs_add_scaled(n, -step, w))) || better;
        }
        step *= .5;
    }
}

// On the great circle across an edge.
static void climb_across(polish *p, vs_vec3 edge) {
    polish q = *p;
    q.n = vs_normalize(vs_add_scaled(p->n, -vs_dot(edge, p->n), edge));
    q.gap = vs_convex_gap_along(p->a, p->b, q.n);
    climb(&q, &edge, WIDE);
    if (q.gap > p->gap) {
        p->gap = q.gap;
        p->n = q.n;
    }
}

void vs_touch_polish(const vs_convex *a, const vs_convex *b, vs_touch *touch) {
    polish p = {.a = a, .b = b, .n = touch->normal, .gap = vs_convex_gap_along(a, b, touch->normal)};
    add_edges(&p, a, touch->normal);
    add_edges(&p, b, vs_scale(-1, touch->normal));
    for (int i = 0; i < p.edges; i++)
        for (int j = 0; j < i; j++) {
            const vs_vec3 n = vs_cross(p.edge[i], p.edge[j]);
            if (vs_dot(n, n) > 1e-12)
                try_normal(&p, vs_scale(vs_dot(n, p.n) < 0 ? -1 : 1, vs_normalize(n)));
        }
    climb(&p, NULL, WIDE);
    for (int k = 0; k < p.edges; k++)
        climb_across(&p, p.edge[k]);
    touch->normal = p.n;
    touch->gap = p.gap;
}
