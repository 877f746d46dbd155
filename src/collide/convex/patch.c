// The part of a convex shape that touches another one: a face, a disc or a side line of a round shape, an edge, a vertex.
// Chosen by the direction of contact alone, so that it stays the same while the shapes move little.
#include "collide/convex/patch.h"

#include "base/elementary.h"

// Below this cosine a face is too steep to touch a plane across n.
static const double FLATTEST_LEAST = .1;
// Round shapes touch a plane with a disc above this cosine between its normal and that of the plane, and with a line of
// their side up to this cosine between the line and the normal.
static const double CAP_LEAST = .7071;

static void set_points(vs_patch *patch, vs_patch_kind kind, int count) {
    patch->kind = kind;
    patch->count = count;
    patch->face = 0;
}

static bool is_polytope(const vs_convex *c) {
    return c->shape && vs_shape_is_polytope(c->shape);
}

void vs_patch_of_face(const vs_convex *c, int face, vs_patch *patch) {
    set_points(patch, VS_PATCH_POLYGON, 3);
    patch->face = face;
    patch->normal = vs_convex_face_normal(c, face);
    if (!c->shape) {
        for (int k = 0; k < 3; k++) {
            patch->point[k] = c->triangle[k];
            patch->id[k] = k;
        }
    } else if (!is_polytope(c)) {
        const vs_disc disc = vs_class_of(c->shape)->disc(c->shape, face);
        set_points(patch, VS_PATCH_DISC, 1);
        patch->face = face;
        patch->point[0] = vs_add_scaled(c->position, disc.offset, patch->normal);
        patch->id[0] = 0;
        patch->u = vs_mat3_apply(&c->rotation, (vs_vec3){1, 0, 0});
        patch->w = vs_mat3_apply(&c->rotation, (vs_vec3){0, 1, 0});
        patch->radius = disc.radius;
    } else {
        const vs_polytope *p = &c->shape->polytope;
        int first = p->face_start[face], all = p->face_start[face + 1] - first;
        patch->count = all < VS_PATCH_POINTS ? all : VS_PATCH_POINTS;
        for (int k = 0; k < patch->count; k++) {
            int step = all <= VS_PATCH_POINTS ? k : (int)((long long)k * all / VS_PATCH_POINTS);
            patch->id[k] = p->face_vertex[first + step];
            patch->point[k] = vs_convex_vertex(c, patch->id[k]);
        }
    }
}

// ---- edges -----------------------------------------------------------------------------------------

// The two farthest apart of the vertices that lie within tolerance of the farthest in direction n.
static void edge_of_vertices(const vs_convex *c, vs_vec3 n, double tolerance, vs_patch *patch) {
    int vertices = c->shape ? c->shape->polytope.vertices : 3, top;
    vs_vec3 farthest = vs_convex_support(c, n, &top);
    double high = vs_dot(n, farthest), longest = tolerance * tolerance;
    set_points(patch, VS_PATCH_POINT, 1);
    patch->point[0] = farthest;
    patch->id[0] = top;
    for (int i = 0; i < vertices; i++) {
        vs_vec3 x = vs_convex_vertex(c, i), along = vs_subtract(x, farthest);
        if (i == top || vs_dot(n, x) < high - tolerance || vs_dot(along, along) <= longest)
            continue;
        longest = vs_dot(along, along);
        set_points(patch, VS_PATCH_SEGMENT, 2);
        patch->point[1] = x;
        patch->id[1] = i;
    }
    if (patch->count == 2 && patch->id[1] < patch->id[0]) {
        patch->point[0] = patch->point[1];
        patch->point[1] = farthest;
        patch->id[0] = patch->id[1];
        patch->id[1] = top;
    }
}

// Cosine between the normal n (shape's axes) and the line of the side towards it, and the length of the line, m.
static double slope_of(const vs_side *side, vs_vec3 n, double *length) {
    const double along = side->z[0] - side->z[1], out = side->radius[0] - side->radius[1];
    *length = fabs(along);
    if (out == 0)
        return fabs(n.z);
    *length = vs_hypot(along, out);
    return fabs(n.z * along + vs_hypot(n.x, n.y) * out) / *length;
}

// A line of the side of a round shape, at the side that points to n.
static void side_line(const vs_convex *c, const vs_side *side, vs_vec3 n, vs_patch *patch) {
    vs_vec3 axis = vs_mat3_apply(&c->rotation, (vs_vec3){0, 0, 1});
    vs_vec3 out = n;
    if (!(c->radius > 0)) // without a round layer: across the axis
        out = vs_normalize(vs_add_scaled(n, -vs_dot(n, axis), axis));
    set_points(patch, VS_PATCH_SEGMENT, 2);
    for (int k = 0; k < 2; k++) {
        vs_vec3 end = vs_add_scaled(c->position, side->z[k], axis);
        patch->point[k] = vs_add_scaled(end, side->radius[k], out);
        patch->id[k] = k;
    }
}

static void farthest_point(const vs_convex *c, vs_vec3 n, vs_patch *patch) {
    set_points(patch, VS_PATCH_POINT, 1);
    patch->point[0] = vs_add_scaled(vs_convex_support(c, n, &patch->id[0]), c->radius, n);
    patch->id[0] = patch->id[0] < 0 ? 0 : patch->id[0];
}

void vs_patch_of_edge(const vs_convex *c, vs_vec3 n, double tolerance, vs_patch *patch) {
    if (!c->shape || is_polytope(c)) {
        edge_of_vertices(c, n, tolerance, patch);
        return;
    }
    const vs_shape_class *kind = vs_class_of(c->shape);
    if (kind->side) {
        const vs_side side = kind->side(c->shape);
        double length, slope = slope_of(&side, vs_mat3_apply_t(&c->rotation, n), &length);
        if (slope * length <= tolerance) {
            side_line(c, &side, n, patch);
            return;
        }
    }
    farthest_point(c, n, patch);
}

// ---- faces -----------------------------------------------------------------------------------------

// The face of a polytope that is most across n among those that reach the farthest point; -1: all are steep. The first
// of equals is preferred by a margin above rounding.
static int flattest_face(const vs_convex *c, vs_vec3 n, double tolerance) {
    const vs_polytope *p = &c->shape->polytope;
    vs_vec3 local = vs_mat3_apply_t(&c->rotation, n);
    double high = vs_dot(n, vs_subtract(vs_convex_support(c, n, 0), c->position));
    int best = -1;
    double flattest = FLATTEST_LEAST;
    for (int f = 0; f < p->faces; f++) {
        double cosine = vs_dot(p->normal[f], local);
        if (cosine <= flattest + (best < 0 ? 0 : 1e-7))
            continue;
        bool reaches = false;
        for (int k = p->face_start[f]; k < p->face_start[f + 1] && !reaches; k++)
            reaches = vs_dot(p->vertex[p->face_vertex[k]], local) >= high - tolerance;
        if (reaches) {
            best = f;
            flattest = cosine;
        }
    }
    return best;
}

void vs_patch_toward(const vs_convex *c, vs_vec3 n, double tolerance, vs_patch *patch) {
    if (!c->shape || is_polytope(c)) {
        int face = c->shape ? flattest_face(c, n, tolerance) : vs_dot(c->normal, n) > FLATTEST_LEAST ? 0 : -1;
        if (face >= 0)
            vs_patch_of_face(c, face, patch);
        else
            edge_of_vertices(c, n, tolerance, patch);
        return;
    }
    const vs_shape_class *kind = vs_class_of(c->shape);
    const vs_vec3 local = vs_mat3_apply_t(&c->rotation, n);
    for (int k = 0; k < kind->discs; k++)
        if (local.z * kind->disc(c->shape, k).side > CAP_LEAST) {
            vs_patch_of_face(c, k, patch);
            return;
        }
    if (kind->side) {
        const vs_side side = kind->side(c->shape);
        double length;
        if (slope_of(&side, local, &length) <= CAP_LEAST) {
            side_line(c, &side, n, patch);
            return;
        }
    }
    farthest_point(c, n, patch);
}
