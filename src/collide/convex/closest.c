// Closest points by features: every face, edge and vertex is tested, no iteration, exact up to roundoff.
//
// Outside, the closest point of a polytope lies on a face that faces x; if x projects into that face, its plane
// decides, else one of its edges. Inside, the nearest face decides. Segments likewise: separate from the polytope, an
// end of the segment or an edge of the polytope is involved; intersecting, the penetration is the least depth over the
// faces of the Minkowski difference, which are the polytope's faces and the products edge x segment whose arc of
// normals crosses the great circle perpendicular to the segment.
// Costs O(faces + edges): intended for polytopes of up to a few hundred faces.
#include "collide/convex/closest.h"

static double clamp01(double t) {
    return t > 0 ? (t < 1 ? t : 1) : 0;
}

double vs_closest_on_segment(vs_vec3 p, vs_vec3 d, vs_vec3 x) {
    double dd = vs_dot(d, d);
    return dd > 0 ? clamp01(vs_dot(vs_subtract(x, p), d) / dd) : 0;
}

void vs_closest_segments(vs_vec3 p, vs_vec3 d, vs_vec3 q, vs_vec3 e, double *s, double *t) {
    vs_vec3 r = vs_subtract(p, q), c = vs_cross(d, e);
    double dd = vs_dot(d, d), ee = vs_dot(e, e), area = vs_dot(c, c);
    // by the common perpendicular, then each parameter clamped with the other one fixed; parallel ones may start
    // anywhere
    *s = area > 1e-24 * dd * ee ? clamp01(vs_dot(vs_cross(e, r), c) / area) : 0;
    *t = vs_closest_on_segment(q, e, vs_add_scaled(p, *s, d));
    *s = vs_closest_on_segment(p, d, vs_add_scaled(q, *t, e));
    *t = vs_closest_on_segment(q, e, vs_add_scaled(p, *s, d));
}

vs_vec3 vs_closest_on_triangle(const vs_vec3 triangle[3], vs_vec3 x) {
    vs_vec3 n = vs_cross(vs_subtract(triangle[1], triangle[0]), vs_subtract(triangle[2], triangle[0]));
    double nn = vs_dot(n, n), best = INFINITY;
    bool over = nn > 0;
    vs_vec3 closest = triangle[0];
    for (int k = 0; k < 3; k++) {
        vs_vec3 v = triangle[k], e = vs_subtract(triangle[(k + 1) % 3], v), r = vs_subtract(x, v);
        over = over && vs_dot(vs_cross(n, e), r) >= 0;
        vs_vec3 y = vs_add_scaled(v, vs_closest_on_segment(v, e, x), e), z = vs_subtract(x, y);
        if (vs_dot(z, z) < best) {
            best = vs_dot(z, z);
            closest = y;
        }
    }
    return over ? vs_add_scaled(x, -vs_dot(n, vs_subtract(x, triangle[0])) / nn, n) : closest;
}

// ---- triangles -------------------------------------------------------------------------------------

typedef struct search {
    const vs_triangles *t;
    vs_vec3 x;
    vs_nearest best;
    vs_box3 box; // about x, as far as the closest one
} search;

static void shrink(search *s) {
    const vs_vec3 around = {s->best.distance, s->best.distance, s->best.distance};
    s->box = (vs_box3){vs_subtract(s->x, around), vs_add(s->x, around)};
}

static bool visit_triangle(void *user, int triangle) {
    search *s = user;
    const int *corner = s->t->index + 3 * (int64_t)triangle;
    const vs_vec3 v[3] = {s->t->vertex[corner[0]], s->t->vertex[corner[1]], s->t->vertex[corner[2]]};
    const vs_vec3 y = vs_closest_on_triangle(v, s->x);
    const double distance = vs_length(vs_subtract(s->x, y));
    if (distance < s->best.distance || (s->best.triangle < 0 && distance <= s->best.distance)) {
        s->best = (vs_nearest){triangle, distance, y};
        shrink(s);
    }
    return true;
}

vs_nearest vs_triangles_nearest(const vs_triangles *t, vs_vec3 x, double reach) {
    search s = {.t = t, .x = x, .best = {-1, reach, VS_ZERO3}};
    shrink(&s);
    vs_triangles_search(t, &s.box, visit_triangle, &s);
    return s.best;
}

// ---- polytopes -------------------------------------------------------------------------------------

// Is x over the face (its projection inside)? If not, updates best (squared distance) from the face's edges.
static bool over_face(const vs_polytope *h, int face, vs_vec3 x, double *best, vs_vec3 *away) {
    bool over = true;
    int begin = h->face_start[face], end = h->face_start[face + 1];
    for (int k = begin; k < end; k++) {
        vs_vec3 v = h->vertex[h->face_vertex[k]];
        vs_vec3 e = vs_subtract(h->vertex[h->face_vertex[k + 1 < end ? k + 1 : begin]], v);
        if (vs_dot(vs_cross(h->normal[face], e), vs_subtract(x, v)) >= 0)
            continue;
        over = false;
        vs_vec3 r = vs_subtract(x, vs_add_scaled(v, vs_closest_on_segment(v, e, x), e));
        if (vs_dot(r, r) < *best) {
            *best = vs_dot(r, r);
            *away = r;
        }
    }
    return over;
}

vs_closest vs_closest_point_polytope(const vs_polytope *h, vs_vec3 x, double reach) {
    vs_closest out = {.distance = -INFINITY};
    for (int f = 0; f < h->faces; f++) {
        double d = vs_dot(h->normal[f], x) - h->offset[f];
        if (d > out.distance)
            out = (vs_closest){.distance = d, .outward = h->normal[f]};
    }
    if (out.distance <= 0 || out.distance > reach)
        return out;
    double best = INFINITY;
    vs_vec3 away = out.outward;
    for (int f = 0; f < h->faces; f++) {
        double d = vs_dot(h->normal[f], x) - h->offset[f];
        if (d > 0 && over_face(h, f, x, &best, &away))
            return (vs_closest){.distance = d, .outward = h->normal[f]};
    }
    double d = sqrt(best);
    // just above a face, but due to roundoff inside none: the plane's result is used
    return d > 0 ? (vs_closest){.distance = d, .outward = vs_scale(1 / d, away)} : out;
}

// ---- segments --------------------------------------------------------------------------------------

// Largest separation of p + t d over the faces of the polytope.
static vs_closest separate_by_faces(const vs_polytope *h, vs_vec3 p, vs_vec3 d) {
    vs_closest out = {.distance = -INFINITY};
    for (int f = 0; f < h->faces; f++) {
        double s0 = vs_dot(h->normal[f], p) - h->offset[f], slope = vs_dot(h->normal[f], d);
        double s = slope < 0 ? s0 + slope : s0;
        if (s > out.distance)
            out = (vs_closest){.distance = s, .outward = h->normal[f], .t = slope < 0 ? 1 : slope > 0 ? 0 : .5};
    }
    return out;
}

// Increases it by the products of edges and the segment.
static void separate_by_edges(const vs_polytope *h, vs_vec3 p, vs_vec3 d, vs_closest *out) {
    for (int k = 0; k < h->edges; k++) {
        const int *edge = &h->edge[4 * k];
        vs_vec3 n0 = h->normal[edge[2]], n1 = h->normal[edge[3]];
        if (vs_dot(n0, d) * vs_dot(n1, d) >= 0)
            continue;
        vs_vec3 v = h->vertex[edge[0]], e = vs_subtract(h->vertex[edge[1]], v);
        vs_vec3 axis = vs_normalize(vs_cross(e, d));
        if (vs_dot(axis, vs_add(n0, n1)) < 0)
            axis = vs_scale(-1, axis);
        double separation = vs_dot(axis, vs_subtract(p, v));
        if (separation > out->distance) {
            double s, t;
            vs_closest_segments(p, d, v, e, &s, &t);
            *out = (vs_closest){.distance = separation, .outward = axis, .t = s};
        }
    }
}

vs_closest vs_closest_segment_polytope(const vs_polytope *h, vs_vec3 p, vs_vec3 d, double reach) {
    vs_closest apart = separate_by_faces(h, p, d);
    if (apart.distance > reach)
        return apart;
    separate_by_edges(h, p, d, &apart);
    if (apart.distance <= 0 || apart.distance > reach)
        return apart;
    // separate: the ends, then the edges
    vs_closest out = vs_closest_point_polytope(h, p, INFINITY);
    vs_closest other = vs_closest_point_polytope(h, vs_add(p, d), INFINITY);
    other.t = 1;
    if (other.distance < out.distance)
        out = other;
    for (int k = 0; k < h->edges; k++) {
        vs_vec3 v = h->vertex[h->edge[4 * k]], e = vs_subtract(h->vertex[h->edge[4 * k + 1]], v);
        double s, t;
        vs_closest_segments(p, d, v, e, &s, &t);
        vs_vec3 r = vs_subtract(vs_add_scaled(p, s, d), vs_add_scaled(v, t, e));
        double length = vs_length(r);
        if (length < out.distance && length > 0)
            out = (vs_closest){.distance = length, .outward = vs_scale(1 / length, r), .t = s};
    }
    return out;
}
