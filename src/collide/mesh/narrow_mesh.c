// A convex shape against a mesh or height field: the triangles near it, one manifold each, combined into one contact
// patch.
//
// A triangle does not know its neighbours: a shape that slides over a flat mesh would collide with inner edges. A
// contact along a face's normal is kept. Any other one assumes that the surface recedes from it on all sides; it is
// dropped if a neighbour rises along its normal m at the point s,
//
//     m . (v - s) > 0   for a vertex v of a triangle that contains s,
//
// because the neighbour is then closer, or so it is for faces. An edge or a corner of the shape can lie in a hollow whose sides
// rise around s and yet touch nothing but s: a contact is kept after all if no triangle that contains s is closer to the
// shape, or as close along its own normal. If that leaves a triangle without contact although a corner of the shape has
// penetrated it near an edge, the shape's corners over the triangle are used instead.
// At a sharp corner or edge, and behind a wall that is thinner than the overlap, some triangles face away from a shape that
// touches from outside; the ways out to their fronts lead through the solid, and do not count.
// Shapes that are entirely behind the surface are not recovered.
#include "collide/mesh/mesh.h"

#include "collide/convex/closest.h"
#include "collide/mesh/narrow_triangle.h"

static const double TOUCH = 1e-6;   // of the shape's size: a point that close to a triangle lies on it
static const double SHALLOW = 1e-3; // of the shape's size: overlaps for which single triangles tell the way out
// The same: overlaps up to which a shape whose centre is on the other side has come through a thin wall. Bodies in touch stop
// within a step when shapes shrunk by a tenth meet (ccd.h).
static const double THROUGH = .1;
static const double ALONG = 1e-12; // 1 - cosine: a normal that close is the face's own (1.4 urad)

typedef struct meeting {
    const vs_shape *convex;
    vs_pose pose;
    const vs_triangles *triangles;
    vs_pose mesh_pose;
    double envelope, tolerance; // m
    vs_mesh_points *points;
    bool failed;
} meeting;

static void corners(const meeting *g, int triangle, vs_vec3 v[3]) {
    vs_triangle_corners(g->triangles, g->mesh_pose, triangle, v);
}

static vs_vec3 face_normal(const vs_vec3 v[3]) {
    return vs_normalize(vs_cross(vs_subtract(v[1], v[0]), vs_subtract(v[2], v[0])));
}

// Whether the shape's centre is in front of a triangle, whose corners are v.
static bool is_in_front(const meeting *g, const vs_vec3 v[3], vs_vec3 normal) {
    return vs_dot(normal, vs_subtract(g->pose.position, v[0])) > 0;
}

// Whether the point s lies on a triangle, whose corners are v.
static bool lies_on(const meeting *g, vs_vec3 s, const vs_vec3 v[3]) {
    return vs_length(vs_subtract(vs_closest_on_triangle(v, s), s)) <= g->tolerance;
}

// Visits the triangles near the point s (world), among them those closer than `reach`.
static void query_around(const meeting *g, vs_vec3 s, double reach, bool (*visit)(void *user, int triangle),
                         void *user) {
    const vs_vec3 local = vs_pose_apply_back(g->mesh_pose, s), around = {reach, reach, reach};
    vs_triangles_query(g->triangles, (vs_box3){vs_subtract(local, around), vs_add(local, around)}, visit, user);
}

// ---- inner edges -----------------------------------------------------------------------------------

typedef struct neighbourhood {
    const meeting *g;
    int triangle;
    vs_vec3 s, m; // world
    bool rises;
} neighbourhood;

static bool visit_neighbour(void *user, int triangle) {
    neighbourhood *n = user;
    if (triangle == n->triangle)
        return true;
    vs_vec3 v[3];
    corners(n->g, triangle, v);
    if (!lies_on(n->g, n->s, v))
        return true;
    for (int k = 0; k < 3; k++) {
        vs_vec3 r = vs_subtract(v[k], n->s);
        n->rises = n->rises || vs_dot(n->m, r) > 1e-6 * vs_length(r) + n->g->tolerance;
    }
    return !n->rises;
}

static bool surface_rises(const meeting *g, int triangle, vs_vec3 s, vs_vec3 m) {
    neighbourhood n = {.g = g, .triangle = triangle, .s = s, .m = m};
    query_around(g, s, g->tolerance, visit_neighbour, &n);
    return n.rises;
}

// ---- hollows ---------------------------------------------------------------------------------------

typedef struct hollow {
    const meeting *g;
    int triangle;
    vs_vec3 s; // world
    double gap;
    bool lowest;
} hollow;

static bool visit_side(void *user, int triangle) {
    hollow *h = user;
    if (triangle == h->triangle)
        return true;
    vs_vec3 v[3];
    corners(h->g, triangle, v);
    if (!lies_on(h->g, h->s, v))
        return true;
    const vs_vec3 normal = face_normal(v);
    vs_manifold m = {.count = 0};
    vs_narrow_triangle(h->g->convex, h->g->pose, v, h->g->envelope, &m);
    for (int k = 0; k < m.count; k++) {
        const bool along = fabs(vs_dot(m.at[k].normal, normal)) >= 1 - ALONG;
        h->lowest = h->lowest && m.at[k].gap >= h->gap + (along ? h->g->tolerance : -h->g->tolerance);
    }
    return h->lowest;
}

// Whether the shape comes closest to the surface at s, or is a little and at s most deeply behind it.
static bool is_lowest(const meeting *g, int triangle, vs_vec3 s, double gap) {
    hollow h = {.g = g, .triangle = triangle, .s = s, .gap = gap, .lowest = gap >= -SHALLOW * g->convex->size};
    if (h.lowest)
        query_around(g, s, g->tolerance, visit_side, &h);
    return h.lowest;
}

// ---- the back of a triangle --------------------------------------------------------------------------

typedef struct back {
    const meeting *g;
    vs_way_out way;
    double reach; // m
    bool deep;    // more than single triangles tell: the centre must be in front
    bool faced;
} back;

static bool visit_facing(void *user, int triangle) {
    back *b = user;
    vs_way_out own;
    vs_vec3 v[3];
    corners(b->g, triangle, v);
    const vs_vec3 normal = face_normal(v);
    // Its own shortest way out must lead to its front, or in deep overlap none would be left.
    b->faced = vs_dot(normal, b->way.normal) < 0 && (!b->deep || is_in_front(b->g, v, normal)) &&
               vs_length(vs_subtract(vs_closest_on_triangle(v, b->way.point), b->way.point)) <= b->reach &&
               vs_triangle_way_out(b->g->convex, b->g->pose, v, &own) && vs_dot(normal, own.normal) <= 0;
    return !b->faced;
}

// Whether the shape has met a corner, an edge or a thin wall from outside, where this triangle faces away from it: the shortest
// way out leads to the back of this triangle, and to the front of one around the same point.
static bool faces_away(const meeting *g, const vs_vec3 v[3], vs_vec3 normal) {
    back b = {.g = g};
    if (!vs_triangle_way_out(g->convex, g->pose, v, &b.way) || !(vs_dot(b.way.normal, normal) > 0))
        return false;
    b.deep = b.way.gap < -SHALLOW * g->convex->size;
    if (b.deep && (b.way.gap < -THROUGH * g->convex->size || is_in_front(g, v, normal)))
        return false;
    // A corner that has sunk in by d cuts the shape's surface in points some d apart.
    b.reach = g->tolerance + 10 * fabs(b.way.gap);
    query_around(g, b.way.point, b.reach, visit_facing, &b);
    return b.faced;
}

// ---- one triangle ----------------------------------------------------------------------------------

static void keep(meeting *g, int triangle, vs_vec3 point, vs_vec3 normal, double gap, uint32_t feature) {
    if (vs_mesh_points_add(g->points, (vs_mesh_point){point, normal, gap, (uint64_t)triangle << 32 | feature}))
        g->failed = true;
}

// The contact of the shape's point x with the face, if x projects into the triangle.
static void stand(meeting *g, int triangle, const vs_vec3 v[3], vs_vec3 normal, vs_vec3 x, uint32_t feature) {
    double gap = vs_dot(normal, vs_subtract(x, v[0]));
    vs_vec3 foot = vs_add_scaled(x, -gap, normal);
    if (gap <= g->envelope && lies_on(g, foot, v))
        keep(g, triangle, vs_add_scaled(x, -.5 * gap, normal), vs_scale(-1, normal), gap, feature);
}

// Contacts along the face's normal alone: of the corners, or of the lowest point of a round shape. Only for shapes
// whose centre is in front of the face.
static void stand_on_face(meeting *g, int triangle, const vs_vec3 v[3], vs_vec3 normal) {
    if (!is_in_front(g, v, normal))
        return;
    const vs_polytope *h = &g->convex->polytope;
    for (int k = 0; k < h->vertices; k++)
        stand(g, triangle, v, normal, vs_pose_apply(g->pose, h->vertex[k]), UINT32_MAX - (uint32_t)k);
    if (h->vertices > 0)
        return;
    vs_vec3 down = vs_rotate_back(g->pose.rotation, vs_scale(-1, normal));
    stand(g, triangle, v, normal, vs_pose_apply(g->pose, vs_shape_support(g->convex, down)), UINT32_MAX);
}

static bool visit_triangle(void *user, int triangle) {
    meeting *g = user;
    vs_vec3 v[3];
    corners(g, triangle, v);
    vs_vec3 normal = face_normal(v);
    vs_manifold m = {.count = 0};
    vs_narrow_triangle(g->convex, g->pose, v, g->envelope, &m);
    int kept = 0;
    bool sunk = false;
    double least = 0;
    for (int k = 0; k < m.count; k++)
        least = fmin(least, m.at[k].gap);
    if (least < -g->tolerance && faces_away(g, v, normal))
        return true;
    for (int k = 0; k < m.count; k++) {
        vs_vec3 s = vs_add_scaled(m.at[k].point, .5 * m.at[k].gap, m.at[k].normal);
        vs_vec3 out = vs_scale(-1, m.at[k].normal);
        if (fabs(vs_dot(out, normal)) < 1 - ALONG && surface_rises(g, triangle, s, out) &&
            !is_lowest(g, triangle, s, m.at[k].gap)) {
            sunk = sunk || m.at[k].gap < 0;
            continue;
        }
        keep(g, triangle, m.at[k].point, m.at[k].normal, m.at[k].gap, m.at[k].feature);
        kept++;
    }
    if (kept == 0 && sunk)
        stand_on_face(g, triangle, v, normal);
    return !g->failed;
}

vs_error vs_narrow_mesh(const vs_shape *convex, vs_pose pose, const vs_shape *mesh, vs_pose mesh_pose, double envelope,
                        vs_mesh_points *points) {
    points->count = 0;
    meeting g = {.convex = convex,
                 .pose = pose,
                 .triangles = &mesh->triangles,
                 .mesh_pose = mesh_pose,
                 .envelope = envelope,
                 .tolerance = TOUCH * convex->size,
                 .points = points};
    vs_pose local = vs_pose_relative(pose, mesh_pose);
    vs_box3 box = vs_shape_bounds(convex, local, envelope + g.tolerance);
    vs_triangles_query(g.triangles, box, visit_triangle, &g);
    if (g.failed)
        return VS_ERROR_MEMORY;
    vs_mesh_points_reduce(points, convex->size);
    return VS_OK;
}
