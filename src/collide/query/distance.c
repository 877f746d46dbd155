// The distance of two shapes: like their contacts, but without what makes contacts steady from step to step.
//
//     a plane              the farthest point of the other shape towards it
//     convex shapes        the distance of the cores; overlapping, the separating axes of polytopes, else an ascent
//     spheres, capsules    as for contacts, which are exact
//     convex meshes        as their hulls, if they have few corners
//     other meshes         apart, the closest of all pairs of triangles, or triangles and the convex shape; a triangle
//                          of a surface with one side counts if it is seen from its front
//                          overlapping, the deepest contact; 0 if there is none
#include "collide/query/distance.h"

#include "collide/convex/polish.h"
#include "collide/narrow/narrow.h"

static const double TOUCH = 1e-6; // of the smaller size: surfaces that meet have contacts with gaps below it
static const double THIN =
    1e-10; // of both sizes: at smaller distances the direction between closest points is roundoff

// The closest one so far.
typedef struct search {
    double gap; // m
    vs_vec3 point, normal;
    bool found;
} search;

static void offer(search *s, vs_vec3 on_a, vs_vec3 normal, double gap) {
    if (s->found ? !(gap < s->gap) : !(gap <= s->gap))
        return;
    *s = (search){gap, vs_add_scaled(on_a, .5 * gap, normal), normal, true};
}

static void turn_over(search *s) {
    s->normal = vs_scale(-1, s->normal);
}

static void take_deepest(const vs_mesh_points *points, search *s) {
    for (int k = 0; k < points->count; k++)
        if (k == 0 || points->at[k].gap < s->gap)
            *s = (search){points->at[k].gap, points->at[k].point, points->at[k].normal, true};
}

// ---- planes ------------------------------------------------------------------------------------------

static vs_error find_on_plane(const vs_shape *a, vs_pose pose, const vs_shape *b, vs_pose plane, vs_mesh_points *points,
                              search *s) {
    (void)b, (void)points;
    const vs_vec3 n = vs_rotate(plane.rotation, (vs_vec3){0, 0, 1}), down = vs_scale(-1, n);
    const vs_vec3 local = vs_rotate_back(pose.rotation, down);
    const bool convex = vs_shape_is_convex(a);
    for (int k = 0; k < (convex ? 1 : a->triangles.vertices); k++) {
        if (!convex && a->triangles.surface.owner[k] < 0)
            continue;
        const vs_vec3 x = vs_pose_apply(pose, convex ? vs_shape_support(a, local) : a->triangles.vertex[k]);
        offer(s, x, down, vs_dot(n, vs_subtract(x, plane.position)));
    }
    return VS_OK;
}

// ---- convex shapes -----------------------------------------------------------------------------------

static void find_direct(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, search *s) {
    vs_manifold m;
    vs_narrow(a, pose_a, b, pose_b, s->gap, &m);
    for (int k = 0; k < m.count; k++)
        offer(s, vs_add_scaled(m.at[k].point, -.5 * m.at[k].gap, m.at[k].normal), m.at[k].normal, m.at[k].gap);
}

// Polytopes that touch or overlap. Just apart, no axis may give the whole distance: corners close to each other.
static void separate(const vs_convex *a, const vs_convex *b, vs_touch *touch) {
    vs_touch axis = {.gap = -INFINITY};
    vs_touch_separate(a, b, 0, &axis);
    const bool apart = touch->gap > 0;
    if (apart) {
        vs_touch_polish(a, b, touch);
        vs_touch_polish(a, b, &axis);
    }
    if (!apart || axis.gap > touch->gap)
        *touch = axis;
}

static vs_error find_convex(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b,
                            vs_mesh_points *points, search *s) {
    (void)points;
    if (vs_narrow_is_direct(a, b)) {
        find_direct(a, pose_a, b, pose_b, s);
        return VS_OK;
    }
    const vs_convex first = vs_convex_from_shape(a, VS_IDENTITY_POSE);
    const vs_convex second = vs_convex_from_shape(b, vs_pose_relative(pose_b, pose_a));
    const double layers = first.radius + second.radius, size = fmin(first.size, second.size);
    const vs_distance d = vs_convex_distance(&first, &second, VS_ZERO3, s->gap + layers);
    vs_touch touch = {.normal = d.normal, .gap = d.distance - layers};
    touch.on_a = vs_add_scaled(d.on_a, first.radius, d.normal);
    const bool faces = vs_shape_is_polytope(a) && vs_shape_is_polytope(b), close = touch.gap <= s->gap;
    if (faces && !(d.distance > THIN * (first.size + second.size)))
        separate(&first, &second, &touch);
    else if (!(d.distance > 0))
        vs_touch_find_overlap(&first, &second, NULL, size, true, &touch);
    if (!faces && close)
        vs_touch_polish(&first, &second, &touch);
    offer(s, vs_pose_apply(pose_a, touch.on_a), vs_rotate(pose_a.rotation, touch.normal), touch.gap);
    return VS_OK;
}

// ---- a convex shape and a mesh -------------------------------------------------------------------------

typedef struct mesh_search {
    const vs_triangles *t;
    vs_convex convex; // working frame: its own axes
    vs_pose pose;     // of the mesh in them
    search best;      // working frame; normal from the convex shape to the mesh
    int triangle;     // the closest one
    bool overlap;
    vs_box3 core, box; // bounds of the convex shape, in the mesh's axes; the same grown by the gap of the best
} mesh_search;

static void shrink(mesh_search *m) {
    const vs_vec3 grow = {m->best.gap, m->best.gap, m->best.gap};
    m->box = (vs_box3){vs_subtract(m->core.low, grow), vs_add(m->core.high, grow)};
}

static bool visit_triangle(void *user, int triangle) {
    mesh_search *m = user;
    vs_vec3 v[3];
    vs_triangle_corners(m->t, m->pose, triangle, v);
    const vs_convex other = vs_convex_from_triangle(v);
    const double layer = m->convex.radius;
    const vs_distance d = vs_convex_distance(&m->convex, &other, VS_ZERO3, m->best.gap + layer);
    m->overlap = !(d.distance > layer);
    if (m->overlap) // how deep is not known here
        m->best = (search){0, d.on_b, vs_scale(-1, other.normal), true};
    const double before = m->best.gap;
    if (!m->overlap && !(vs_dot(d.normal, other.normal) > 1e-6))
        offer(&m->best, vs_add_scaled(d.on_a, layer, d.normal), d.normal, d.distance - layer);
    if (m->best.gap < before) {
        m->triangle = triangle;
        shrink(m);
    }
    return !m->overlap;
}

static void polish_on_mesh(mesh_search *m) {
    vs_vec3 v[3];
    vs_triangle_corners(m->t, m->pose, m->triangle, v);
    const vs_convex other = vs_convex_from_triangle(v);
    vs_touch touch = {.normal = m->best.normal};
    vs_touch_polish(&m->convex, &other, &touch);
    m->best.gap = touch.gap;
    m->best.normal = touch.normal;
}

static mesh_search search_mesh(const vs_shape *convex, vs_pose pose, const vs_shape *mesh, vs_pose mesh_pose,
                               double reach) {
    mesh_search m = {.t = &mesh->triangles,
                     .convex = vs_convex_from_shape(convex, VS_IDENTITY_POSE),
                     .pose = vs_pose_relative(mesh_pose, pose),
                     .best = {.gap = reach},
                     .core = vs_shape_bounds(convex, vs_pose_relative(pose, mesh_pose), 0)};
    shrink(&m);
    vs_triangles_search(m.t, &m.box, visit_triangle, &m);
    return m;
}

bool vs_mesh_is_cut(const vs_shape *convex, vs_pose pose, const vs_shape *mesh, vs_pose mesh_pose) {
    return search_mesh(convex, pose, mesh, mesh_pose, 0).overlap;
}

static vs_error find_on_mesh(const vs_shape *convex, vs_pose pose, const vs_shape *mesh, vs_pose mesh_pose,
                             vs_mesh_points *points, search *s) {
    mesh_search m = search_mesh(convex, pose, mesh, mesh_pose, s->gap);
    if (m.best.found && !m.overlap && !vs_shape_is_polytope(convex))
        polish_on_mesh(&m);
    if (m.best.found)
        *s = (search){m.best.gap, vs_pose_apply(pose, m.best.point), vs_rotate(pose.rotation, m.best.normal), true};
    if (!m.overlap)
        return VS_OK;
    vs_error error = vs_narrow_mesh(convex, pose, mesh, mesh_pose, TOUCH * fmin(convex->size, mesh->size), points);
    if (!error)
        take_deepest(points, s);
    return error;
}

// ---- two meshes --------------------------------------------------------------------------------------

typedef struct meshes_search {
    const vs_triangles *t[2];
    vs_pose pose; // of the first in the axes of the second, the working frame
    search best;
    bool overlap;
} meshes_search;

static bool visit_pair(void *user, int triangle_a, int triangle_b) {
    meshes_search *m = user;
    vs_vec3 p[3], q[3];
    vs_triangle_corners(m->t[0], m->pose, triangle_a, p);
    vs_triangle_corners(m->t[1], VS_IDENTITY_POSE, triangle_b, q);
    const vs_convex a = vs_convex_from_triangle(p), b = vs_convex_from_triangle(q);
    const vs_distance d = vs_convex_distance(&a, &b, VS_ZERO3, m->best.gap);
    m->overlap = !(d.distance > 0);
    if (m->overlap)
        m->best = (search){0, d.on_b, vs_scale(-1, b.normal), true};
    else
        offer(&m->best, d.on_a, d.normal, d.distance);
    return !m->overlap;
}

static vs_error find_on_meshes(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b,
                               vs_mesh_points *points, search *s) {
    meshes_search m = {
        .t = {&a->triangles, &b->triangles}, .pose = vs_pose_relative(pose_a, pose_b), .best = {.gap = s->gap}};
    vs_triangles_pairs(m.t[0], m.pose, m.t[1], &m.best.gap, visit_pair, &m);
    if (m.best.found)
        *s = (search){m.best.gap, vs_pose_apply(pose_b, m.best.point), vs_rotate(pose_b.rotation, m.best.normal), true};
    if (!m.overlap)
        return VS_OK;
    vs_error error = vs_narrow_meshes(a, pose_a, b, pose_b, TOUCH * fmin(a->size, b->size), points);
    if (!error)
        take_deepest(points, s);
    return error;
}

// ---- any ---------------------------------------------------------------------------------------------

typedef vs_error part(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, vs_mesh_points *points,
                      search *s);

// The other order is turned over.
static part *const by_families[VS_FAMILIES][VS_FAMILIES] = {
    [VS_FAMILY_CONVEX] =
        {[VS_FAMILY_CONVEX] = find_convex, [VS_FAMILY_PLANE] = find_on_plane, [VS_FAMILY_TRIANGLES] = find_on_mesh},
    [VS_FAMILY_TRIANGLES] = {[VS_FAMILY_PLANE] = find_on_plane, [VS_FAMILY_TRIANGLES] = find_on_meshes},
};

vs_error vs_shapes_distance(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double reach,
                            vs_mesh_points *points, vs_mesh_point *least, bool *found) {
    search s = {.gap = reach};
    vs_error error = VS_OK;
    a = a->solid ? a->solid : a;
    b = b->solid ? b->solid : b;
    const vs_shape_family f = vs_class_of(a)->family, g = vs_class_of(b)->family;
    if (by_families[f][g]) {
        error = by_families[f][g](a, pose_a, b, pose_b, points, &s);
    } else if (by_families[g][f]) {
        error = by_families[g][f](b, pose_b, a, pose_a, points, &s);
        turn_over(&s);
    }
    *least = (vs_mesh_point){s.point, s.normal, s.gap, 0};
    *found = s.found && !error;
    return error;
}
