// Support points of convex cores, and the distance of two cores (Gilbert et al. 1988):
//
//     min |v|,  v in B - A,
//
// by simplices of support points. The nearest point of a simplex comes from the normals of its faces instead of a
// linear system, so that v keeps its direction when it is short. Overlap is only detected, never measured.
#include "collide/convex/convex.h"

#include <float.h>

// ---- cores -----------------------------------------------------------------------------------------

vs_convex vs_convex_from_shape(const vs_shape *shape, vs_pose pose) {
    const vs_core core = vs_class_of(shape)->core(shape);
    vs_convex c = {.shape = shape,
                   .position = pose.position,
                   .rotation = vs_quat_matrix(pose.rotation),
                   .radius = core.radius,
                   .size = core.size,
                   .inner = core.inner};
    c.centre = vs_add(c.position, vs_mat3_apply(&c.rotation, core.centre));
    return c;
}

vs_convex vs_convex_from_triangle(const vs_vec3 triangle[3]) {
    vs_convex c = {.rotation = {{1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    for (int k = 0; k < 3; k++)
        c.triangle[k] = triangle[k];
    c.centre = vs_scale(1. / 3, vs_add(vs_add(triangle[0], triangle[1]), triangle[2]));
    for (int k = 0; k < 3; k++)
        c.size = fmax(c.size, vs_length(vs_subtract(triangle[k], c.centre)));
    c.normal = vs_normalize(vs_cross(vs_subtract(triangle[1], triangle[0]), vs_subtract(triangle[2], triangle[0])));
    return c;
}

static int farthest(const vs_vec3 *vertex, int vertices, vs_vec3 direction) {
    int best = 0;
    double most = vs_dot(vertex[0], direction);
    for (int i = 1; i < vertices; i++) {
        double s = vs_dot(vertex[i], direction);
        if (s > most) {
            most = s;
            best = i;
        }
    }
    return best;
}

// The same of vertices that have moved inwards by s.
static int farthest_inset(const vs_polytope *p, double s, vs_vec3 direction, vs_vec3 *point) {
    int best = 0;
    double most = -INFINITY;
    for (int i = 0; i < p->vertices; i++) {
        const vs_vec3 x = vs_add_scaled(p->vertex[i], s, p->inset[i]);
        const double along = vs_dot(x, direction);
        if (along > most) {
            most = along;
            best = i;
            *point = x;
        }
    }
    return best;
}

// In the shape's axes. Boxes number their vertices as their polytope does.
static vs_vec3 support_local(const vs_convex *c, vs_vec3 d, int *vertex) {
    const vs_shape *shape = c->shape;
    const vs_shape_class *kind = vs_class_of(shape);
    double s = c->shrink;
    if (!kind->polytope)
        return kind->core_support(shape, d, s);
    if (s > 0 && c->even) {
        vs_vec3 point = shape->polytope.vertex[0];
        *vertex = farthest_inset(&shape->polytope, s, d, &point);
        return point;
    }
    *vertex = farthest(shape->polytope.vertex, shape->polytope.vertices, d);
    vs_vec3 point = shape->polytope.vertex[*vertex];
    if (s > 0) {
        vs_vec3 centre = vs_mat3_apply_t(&c->rotation, vs_subtract(c->centre, c->position));
        point = vs_add_scaled(point, s / c->inner, vs_subtract(centre, point));
    }
    return point;
}

vs_vec3 vs_convex_support(const vs_convex *c, vs_vec3 direction, int *vertex) {
    int index = -1;
    vs_vec3 point;
    if (c->shape) {
        vs_vec3 local = support_local(c, vs_mat3_apply_t(&c->rotation, direction), &index);
        point = vs_add(c->position, vs_mat3_apply(&c->rotation, local));
    } else {
        index = farthest(c->triangle, 3, direction);
        point = c->triangle[index];
    }
    if (vertex)
        *vertex = index;
    return point;
}

int vs_convex_faces(const vs_convex *c) {
    if (!c->shape)
        return 1;
    const vs_shape_class *kind = vs_class_of(c->shape);
    return kind->polytope ? c->shape->polytope.faces : kind->discs;
}

vs_vec3 vs_convex_face_normal(const vs_convex *c, int face) {
    if (!c->shape)
        return c->normal;
    const vs_shape_class *kind = vs_class_of(c->shape);
    if (!kind->polytope)
        return vs_mat3_apply(&c->rotation, (vs_vec3){0, 0, kind->disc(c->shape, face).side});
    return vs_mat3_apply(&c->rotation, c->shape->polytope.normal[face]);
}

vs_vec3 vs_convex_vertex(const vs_convex *c, int vertex) {
    if (!c->shape)
        return c->triangle[vertex];
    return vs_add(c->position, vs_mat3_apply(&c->rotation, c->shape->polytope.vertex[vertex]));
}

double vs_convex_gap_along(const vs_convex *a, const vs_convex *b, vs_vec3 n) {
    double high = vs_dot(n, vs_convex_support(a, n, 0));
    double low = vs_dot(n, vs_convex_support(b, vs_scale(-1, n), 0));
    return low - high - a->radius - b->radius;
}

// ---- distance --------------------------------------------------------------------------------------

typedef struct corner {
    vs_vec3 v, a, b; // v = b - a
    int vertex_a, vertex_b;
} corner;

// The point of a simplex nearest to the origin: weights of `count` corners.
typedef struct nearest {
    double square; // |v|^2
    vs_vec3 v;
    int count, corner[3];
    double weight[3];
} nearest;

static void consider(nearest *best, nearest candidate) {
    candidate.square = vs_dot(candidate.v, candidate.v);
    if (candidate.square < best->square)
        *best = candidate;
}

static void consider_edge(nearest *best, const corner *s, int i, int j) {
    vs_vec3 e = vs_subtract(s[j].v, s[i].v);
    double ee = vs_dot(e, e), t = -vs_dot(s[i].v, e);
    if (!(t > 0 && t < ee))
        return;
    t /= ee;
    // The component of the nearer end across the edge: exact if the ends are much farther away than the edge is long.
    vs_vec3 end = t < .5 ? s[i].v : s[j].v;
    vs_vec3 v = vs_add_scaled(end, -vs_dot(end, e) / ee, e);
    consider(best, (nearest){.v = v, .count = 2, .corner = {i, j}, .weight = {1 - t, t}});
}

static void consider_face(nearest *best, const corner *s, int i, int j, int k) {
    vs_vec3 p = s[i].v, q = s[j].v, r = s[k].v;
    vs_vec3 n = vs_cross(vs_subtract(q, p), vs_subtract(r, p));
    double nn = vs_dot(n, n);
    if (!(nn > 0))
        return;
    // Barycentric coordinates of the foot of the perpendicular.
    double wi = vs_dot(n, vs_cross(q, r)), wj = vs_dot(n, vs_cross(r, p)), wk = vs_dot(n, vs_cross(p, q));
    if (!(wi > 0 && wj > 0 && wk > 0))
        return;
    double sum = wi + wj + wk;
    vs_vec3 v = vs_scale(vs_dot(n, p) / nn, n);
    consider(best, (nearest){.v = v, .count = 3, .corner = {i, j, k}, .weight = {wi / sum, wj / sum, wk / sum}});
}

// Is the origin inside the tetrahedron: on the inner side of all four faces?
static bool holds_origin(const corner *s, double noise) {
    static const int face[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    for (int f = 0; f < 4; f++) {
        vs_vec3 p = s[face[f][0]].v;
        vs_vec3 n = vs_cross(vs_subtract(s[face[f][1]].v, p), vs_subtract(s[face[f][2]].v, p));
        double other = vs_dot(n, vs_subtract(s[face[f][3]].v, p)), origin = -vs_dot(n, p);
        // In a tetrahedron that is flat to rounding the signs are meaningless.
        if (fabs(other) <= noise * vs_length(n) || fabs(origin) > fabs(other) || (other > 0) != (origin > 0))
            return false;
    }
    return true;
}

static nearest find_nearest(const corner *s, int count) {
    nearest best = {.square = INFINITY};
    for (int i = 0; i < count; i++)
        consider(&best, (nearest){.v = s[i].v, .count = 1, .corner = {i}, .weight = {1}});
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            consider_edge(&best, s, i, j);
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            for (int k = j + 1; k < count; k++)
                consider_face(&best, s, i, j, k);
    return best;
}

static corner find_corner(const vs_convex *a, const vs_convex *b, vs_vec3 shift, vs_vec3 direction) {
    corner c;
    c.b = vs_add(vs_convex_support(b, direction, &c.vertex_b), shift);
    c.a = vs_convex_support(a, vs_scale(-1, direction), &c.vertex_a);
    c.v = vs_subtract(c.b, c.a);
    return c;
}

static bool is_known(const corner *s, int count, const corner *c) {
    for (int i = 0; i < count; i++)
        if (s[i].v.x == c->v.x && s[i].v.y == c->v.y && s[i].v.z == c->v.z)
            return true;
    return false;
}

static vs_distance describe(const corner *s, const nearest *best) {
    vs_distance d = {.distance = sqrt(best->square), .count = best->count};
    d.normal = vs_normalize(best->v);
    for (int i = 0; i < best->count; i++) {
        const corner *c = &s[best->corner[i]];
        d.on_a = vs_add_scaled(d.on_a, best->weight[i], c->a);
        d.on_b = vs_add_scaled(d.on_b, best->weight[i], c->b);
        d.vertex_a[i] = c->vertex_a;
        d.vertex_b[i] = c->vertex_b;
    }
    return d;
}

vs_distance vs_convex_distance(const vs_convex *a, const vs_convex *b, vs_vec3 shift, double far) {
    enum { STEPS_MOST = 200 };
    vs_vec3 start = vs_add(vs_subtract(b->centre, a->centre), shift);
    if (!(vs_dot(start, start) > 0))
        start = (vs_vec3){1, 0, 0};
    corner s[4];
    int count = 1;
    s[0] = find_corner(a, b, shift, vs_scale(-1, start));
    nearest best = find_nearest(s, 1);
    vs_distance result = describe(s, &best);
    double noise = 4 * DBL_EPSILON * (a->size + b->size + vs_length(start)); // of a coordinate, m
    for (int step = 0; step < STEPS_MOST; step++) {
        if (best.square <= noise * noise)
            return (vs_distance){.on_a = result.on_a, .on_b = result.on_b};
        corner next = find_corner(a, b, shift, vs_scale(-1, best.v));
        // n.w bounds the distance from below; the second test ends the search when rounding hides further progress.
        double length = sqrt(best.square), bound = vs_dot(best.v, next.v) / length;
        if (bound > far || length - bound <= 1e-15 * length + .25 * noise || is_known(s, count, &next))
            break;
        corner kept[4];
        for (int i = 0; i < best.count; i++)
            kept[i] = s[best.corner[i]];
        kept[best.count] = next;
        count = best.count + 1;
        for (int i = 0; i < count; i++)
            s[i] = kept[i];
        if (count == 4 && bound <= 0 && holds_origin(s, 16 * noise))
            return (vs_distance){.on_a = result.on_a, .on_b = result.on_b};
        nearest found = find_nearest(s, count);
        if (!(found.square < best.square)) {
            // Rounding ends the search: separate only if a separating plane is known.
            if (bound <= 0)
                return (vs_distance){.on_a = result.on_a, .on_b = result.on_b};
            break;
        }
        best = found;
        result = describe(s, &best);
    }
    return result;
}
