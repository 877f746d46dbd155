// A convex shape against a mesh or height field: the triangles near it, one manifold each, combined into one contact
// patch.
//
// A triangle does not know its neighbours: a shape that slides over a flat mesh would collide with inner edges. A
// contact along a face's normal is kept. Any other one assumes that the surface recedes from it on all sides; it is
// dropped if a neighbour rises along its normal m at the point s,
//
//     m . (v - s) > 0   for a vertex v of a triangle that contains s,
//
// because the neighbour is then closer. If that leaves a triangle without contact although a corner of the shape has
// penetrated it near an edge, the shape's corners over the triangle are used instead.
// Equal points of neighbouring triangles are merged; of flat patches with many points the outermost ones are kept.
// Shapes that are entirely behind the surface are not recovered.
#include "collide/mesh.h"

#include "base/array.h"
#include "collide/broad.h"
#include "collide/closest.h"
#include "collide/manifold.h"

static const double TOUCH = 1e-6;  // of the shape's size: a point that close to a triangle lies on it
static const double SAME = 1e-4;   // of the shape's size: points that close with the same normal are one
static const double LEVEL = 1e-6;  // 1 - cosine: normals that close are the same (1.4 mrad)
static const double ALONG = 1e-12; // 1 - cosine: a normal that close is the face's own (1.4 urad)
enum { PATCHES = 64 };             // flat patches that are reduced

typedef struct meeting {
    const vs_shape *convex;
    vs_pose pose;
    const vs_triangles *triangles;
    vs_pose mesh_pose;
    double envelope, tolerance, same; // m
    vs_mesh_points *points;
    bool failed;
} meeting;

static void corners(const meeting *g, int triangle, vs_vec3 v[3]) {
    for (int k = 0; k < 3; k++)
        v[k] = vs_pose_apply(g->mesh_pose, g->triangles->vertex[g->triangles->index[3 * triangle + k]]);
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
    if (vs_length(vs_subtract(vs_closest_on_triangle(v, n->s), n->s)) > n->g->tolerance)
        return true;
    for (int k = 0; k < 3; k++) {
        vs_vec3 r = vs_subtract(v[k], n->s);
        n->rises = n->rises || vs_dot(n->m, r) > 1e-6 * vs_length(r) + n->g->tolerance;
    }
    return !n->rises;
}

static bool surface_rises(const meeting *g, int triangle, vs_vec3 s, vs_vec3 m) {
    neighbourhood n = {.g = g, .triangle = triangle, .s = s, .m = m};
    vs_vec3 local = vs_pose_apply_back(g->mesh_pose, s), reach = {g->tolerance, g->tolerance, g->tolerance};
    vs_box3 box = {vs_subtract(local, reach), vs_add(local, reach)};
    vs_triangles_query(g->triangles, box, visit_neighbour, &n);
    return n.rises;
}

// ---- one triangle ----------------------------------------------------------------------------------

static void keep(meeting *g, int triangle, vs_vec3 point, vs_vec3 normal, double gap, uint32_t feature) {
    vs_mesh_points *p = g->points;
    if (vs_array_reserve(p->context, &p->at, &p->capacity, p->count + 1, sizeof *p->at)) {
        g->failed = true;
        return;
    }
    p->at[p->count++] = (vs_mesh_point){point, normal, gap, (uint64_t)triangle << 32 | feature};
}

// The contact of the shape's point x with the face, if x projects into the triangle.
static void stand(meeting *g, int triangle, const vs_vec3 v[3], vs_vec3 normal, vs_vec3 x, uint32_t feature) {
    double gap = vs_dot(normal, vs_subtract(x, v[0]));
    vs_vec3 foot = vs_add_scaled(x, -gap, normal);
    if (gap <= g->envelope && vs_length(vs_subtract(vs_closest_on_triangle(v, foot), foot)) <= g->tolerance)
        keep(g, triangle, vs_add_scaled(x, -.5 * gap, normal), vs_scale(-1, normal), gap, feature);
}

// Contacts along the face's normal alone: of the corners, or of the lowest point of a round shape. Only for shapes
// whose centre is in front of the face.
static void stand_on_face(meeting *g, int triangle, const vs_vec3 v[3], vs_vec3 normal) {
    if (vs_dot(normal, vs_subtract(g->pose.position, v[0])) <= 0)
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
    vs_vec3 normal = vs_normalize(vs_cross(vs_subtract(v[1], v[0]), vs_subtract(v[2], v[0])));
    vs_manifold m = {.count = 0};
    vs_narrow_triangle(g->convex, g->pose, v, g->envelope, &m);
    int kept = 0;
    bool sunk = false;
    for (int k = 0; k < m.count; k++) {
        vs_vec3 s = vs_add_scaled(m.at[k].point, .5 * m.at[k].gap, m.at[k].normal);
        vs_vec3 out = vs_scale(-1, m.at[k].normal);
        if (fabs(vs_dot(out, normal)) < 1 - ALONG && surface_rises(g, triangle, s, out)) {
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

// ---- one patch -------------------------------------------------------------------------------------

// Few points are level in a skew direction.
static double skew(const vs_mesh_point *p) {
    return .267261 * p->point.x + .534522 * p->point.y + .801784 * p->point.z;
}

static bool before(const vs_mesh_point *p, const vs_mesh_point *q, bool by_place) {
    double a = by_place ? skew(p) : 0, b = by_place ? skew(q) : 0;
    return a < b || (a == b && p->feature < q->feature);
}

// Shell sort, in place.
static void sort_points(vs_mesh_points *p, bool by_place) {
    int step = 1;
    while (step < p->count / 3)
        step = 3 * step + 1;
    for (; step > 0; step /= 3) {
        for (int i = step; i < p->count; i++) {
            vs_mesh_point moved = p->at[i];
            int j = i;
            for (; j >= step && before(&moved, &p->at[j - step], by_place); j -= step)
                p->at[j] = p->at[j - step];
            p->at[j] = moved;
        }
    }
}

static bool same_normal(const vs_mesh_point *p, const vs_mesh_point *q) {
    return vs_dot(p->normal, q->normal) > 1 - LEVEL;
}

// Merges equal points; the lowest feature and the least gap stay.
static void merge_points(const meeting *g) {
    vs_mesh_points *p = g->points;
    sort_points(p, true);
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        vs_mesh_point q = p->at[i];
        bool known = false;
        for (int j = count - 1; j >= 0 && skew(&q) - skew(&p->at[j]) <= g->same && !known; j--) {
            known = vs_length(vs_subtract(p->at[j].point, q.point)) <= g->same && same_normal(&p->at[j], &q);
            if (!known)
                continue;
            p->at[j].feature = q.feature < p->at[j].feature ? q.feature : p->at[j].feature;
            p->at[j].gap = fmin(p->at[j].gap, q.gap);
        }
        if (!known)
            p->at[count++] = q;
    }
    p->count = count;
    sort_points(p, false);
}

// Reduces the points from `begin` that lie in one plane with the first of them; returns the end of those kept. Points
// of other planes move behind them.
static int thin_patch(const meeting *g, int begin) {
    vs_mesh_points *p = g->points;
    vs_mesh_point first = p->at[begin];
    vs_extremes extremes;
    vs_extremes_begin(&extremes, first.normal, g->tolerance);
    int inside = begin;
    for (int k = begin; k < p->count; k++) {
        vs_mesh_point q = p->at[k];
        double height = vs_dot(first.normal, vs_subtract(q.point, first.point)) + .5 * (q.gap - first.gap);
        if (!same_normal(&first, &q) || fabs(height) > 10 * g->same)
            continue;
        // stable: the other points keep their order
        for (int j = k; j > inside; j--)
            p->at[j] = p->at[j - 1];
        p->at[inside] = q;
        vs_extremes_offer(&extremes, inside++, q.point, q.gap);
    }
    int chosen[VS_MANIFOLD_MOST], count = vs_extremes_end(&extremes, chosen);
    for (int k = 0; k < count; k++)
        p->at[begin + k] = p->at[chosen[k]];
    int removed = inside - begin - count;
    for (int k = inside; k < p->count; k++)
        p->at[k - removed] = p->at[k];
    p->count -= removed;
    return begin + count;
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
                 .same = SAME * convex->size,
                 .points = points};
    vs_pose local = vs_pose_relative(pose, mesh_pose);
    vs_box3 box = vs_shape_bounds(convex, local, envelope + g.tolerance);
    vs_triangles_query(g.triangles, box, visit_triangle, &g);
    if (g.failed)
        return vs_fail_memory(points->context);
    merge_points(&g);
    for (int k = 0, patch = 0; points->count - k > VS_MANIFOLD_MOST && patch < PATCHES; patch++)
        k = thin_patch(&g, k);
    return VS_OK;
}
