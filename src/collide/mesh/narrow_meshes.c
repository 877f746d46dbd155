// A mesh against a mesh or a plane: the places where the distance of the two surfaces is least among their neighbours.
//
// Such a place is a vertex over a face, two edges that cross, or, only while the surfaces are apart, a vertex near an
// edge or another vertex. With d the direction from the first to the second, both surfaces recede there:
//
//     vertex v       d . (w - v) <= 0   for its neighbours w
//     edge           d . t <= 0         for the directions t across it into its two triangles
//
// and -d likewise for the other one. That follows from the definition of a local minimum, so that none is missed, and
// it names the features: a contact keeps its identity while the bodies move. Overlapping, the same features are used
// with negative gaps; the normal is that of the face, or across both edges. Almost flat contacts must not lose points
// when they tilt a little: vertices over faces and crossing edges are found with a slack.
//
// A vertex over a valley meets both of its faces, also the one it is not over: the surface rises there, and the plane of
// that face bounds the free space.
//
// Where a vertex is a saddle, the surface rises about it and it meets nothing; the edges that rise to it do. Overlapping, they cross a
// little beyond it, inside their solids.
//
// A closed mesh is a solid: its normals point out, contacts with its concave edges and vertices do not exist, and an
// overlap counts only if no other face lies between the two features. Others are shells with two sides: the direction
// in which the other surface recedes decides on which it lies.
// Not found: solids that overlap by more than DEPTH of the smaller size, or that contain each other.
//
// feature: kind in the bits from 62, the first one's vertex, edge or triangle from 31, the second one's from 0.
#include "collide/mesh/mesh_features.h"

static const double DEPTH = 1e-2; // of the smaller size
static const double TOUCH = 1e-6; // of the smaller size: lengths below it make no difference

// ---- pairs of features -----------------------------------------------------------------------------
//
// Of the pairs of features of two triangles that are close to each other few have a contact, and most of the others show that by a
// product or two: no distance in reach, or no point of crossing. What is left is tried in full (mesh_features.h).

static const double ROUNDING = 1e-9; // of products
static const double UPRIGHT = 1e-9;  // cosine: beyond rounding

static inline double squared(vs_vec3 a) {
    return vs_dot(a, a);
}

// The second mesh is at rest in the working frame.
static inline void place_at_rest(const vs_placed_surface *m, int triangle, vs_placed_triangle *p) {
    const int64_t first = 3 * (int64_t)triangle;
    p->triangle = triangle;
    for (int k = 0; k < 3; k++)
        p->corner[k] = m->t->vertex[m->s->corner[first + k]];
    for (int k = 0; k < 3; k++)
        p->side[k] = vs_subtract(p->corner[(k + 1) % 3], p->corner[k]);
    p->normal = &m->s->normal[triangle];
    p->across = &m->s->across[first];
}

static const vs_turned_triangle *turn_triangle(vs_mesh_meeting *g, int triangle) {
    vs_turned_triangle *p = &g->turned[triangle % VS_TURNED_TRIANGLES];
    const vs_placed_surface *m = &g->side[0];
    const int64_t first = 3 * (int64_t)triangle;
    if (p->at.triangle == triangle)
        return p;
    p->at.triangle = triangle;
    p->normal = vs_mat3_apply(&m->rotation, m->s->normal[triangle]);
    for (int k = 0; k < 3; k++) {
        const int corner = m->s->corner[first + k];
        p->at.corner[k] = vs_surface_place(m, corner);
        p->across[k] = vs_mat3_apply(&m->rotation, m->s->across[first + k]);
        p->outward[k] = vs_mat3_apply(&m->rotation, m->s->outward[corner]);
    }
    for (int k = 0; k < 3; k++)
        p->at.side[k] = vs_subtract(p->at.corner[(k + 1) % 3], p->at.corner[k]);
    p->at.normal = &p->normal;
    p->at.across = p->across;
    return p;
}

// May a vertex at x stand over a triangle of m? Beyond one of its sides it may where the neighbour rises there; no overlap does.
static inline bool may_stand_over(const vs_mesh_meeting *g, const vs_placed_surface *m, const vs_placed_triangle *p,
                                  vs_vec3 x, double height) {
    const double slack = g->tolerance;
    const bool closed = m->s->closed;
    if (closed ? !(height <= g->envelope + slack && height >= -g->depth - slack) : !(fabs(height) <= g->reach))
        return false;
    for (int k = 0; k < 3; k++) {
        if (vs_dot(p->across[k], vs_subtract(x, p->corner[k])) <= g->tolerance + slack)
            continue;
        if (closed && height < -g->tolerance - slack)
            return false;
        const double fold = m->s->edge[m->s->side[3 * (int64_t)p->triangle + k]].fold;
        if (!((closed ? fold : fabs(fold)) > VS_SURFACE_FLAT))
            return false;
    }
    return true;
}

// May the foot of x on a side be within the envelope?
static inline bool may_be_beside(const vs_mesh_meeting *g, vs_vec3 from, vs_vec3 side, vs_vec3 x) {
    const vs_vec3 r = vs_subtract(x, from);
    const double along = vs_dot(side, r), length = squared(side), far = squared(r);
    return along >= -ROUNDING * length && along <= (1 + ROUNDING) * length &&
           far * length - along * along <= (g->envelope * g->envelope + ROUNDING * far) * length;
}

// Part of the way at which two sides cross, times `crossed`: is it on the way, or beyond it by less than they overlap?
static inline bool is_on_side(double part, double crossed, double length, double overlap) {
    const double beyond = part < 0 ? -part : part - crossed;
    return beyond <= ROUNDING * crossed || beyond * beyond * length <= (1 + ROUNDING) * overlap * crossed;
}

static inline bool may_cross(const vs_mesh_meeting *g, vs_vec3 p, vs_vec3 p_side, vs_vec3 q, vs_vec3 q_side) {
    const vs_vec3 c = vs_cross(p_side, q_side), r = vs_subtract(q, p);
    const double crossed = squared(c), way = vs_dot(c, r);
    if (!(way * way <= g->reach * g->reach * crossed))
        return false;
    const double pp = squared(p_side), qq = squared(q_side);
    const double overlap = way * way + g->tolerance * g->tolerance * crossed;
    return crossed > (1 - ROUNDING) * VS_EDGES_CROSS * VS_EDGES_CROSS * pp * qq &&
           is_on_side(vs_dot(vs_cross(r, q_side), c), crossed, pp, overlap) &&
           is_on_side(vs_dot(vs_cross(r, p_side), c), crossed, qq, overlap);
}

// A corner of triangle a of side i, which is its own, and triangle b of the other side; height: over its plane.
static void meet_corner(vs_mesh_meeting *g, int i, int vertex, vs_vec3 x, vs_vec3 outward, const vs_placed_triangle *b,
                        double height) {
    const vs_placed_surface *n = &g->side[1 - i];
    const int other = n->s->own[b->triangle];
    const bool away = n->s->closed && g->side[i].s->closed && vs_dot(*b->normal, outward) > UPRIGHT;
    if (!away && may_stand_over(g, n, b, x, height))
        vs_meet_vertex_face(g, i, vertex, b->triangle);
    for (int j = 0; j < 3; j++)
        if (other & VS_OWN_SIDE << j && may_be_beside(g, b->corner[j], b->side[j], x))
            vs_meet_vertex_edge(g, i, vertex, n->s->side[3 * (int64_t)b->triangle + j]);
}

static void meet_sides(vs_mesh_meeting *g, const vs_placed_triangle *a, int k, const vs_placed_triangle *b) {
    const vs_surface *s[2] = {g->side[0].s, g->side[1].s};
    const int own = s[1]->own[b->triangle];
    for (int j = 0; j < 3; j++)
        if (own & VS_OWN_SIDE << j && may_cross(g, a->corner[k], a->side[k], b->corner[j], b->side[j]))
            vs_meet_edges(g, s[0]->side[3 * (int64_t)a->triangle + k], s[1]->side[3 * (int64_t)b->triangle + j]);
}

static void meet_corners(vs_mesh_meeting *g, const vs_placed_triangle *a, int k, const vs_placed_triangle *b) {
    const vs_surface *s[2] = {g->side[0].s, g->side[1].s};
    const int own = s[1]->own[b->triangle];
    const double near = (1 + ROUNDING) * g->envelope * g->envelope;
    for (int j = 0; j < 3; j++)
        if (own & VS_OWN_CORNER << j && squared(vs_subtract(b->corner[j], a->corner[k])) <= near)
            vs_meet_vertices(g, s[0]->corner[3 * (int64_t)a->triangle + k], s[1]->corner[3 * (int64_t)b->triangle + j]);
}

// ---- pairs of triangles ----------------------------------------------------------------------------

// Are three heights all beyond the reach, on one side?
static inline bool are_beyond(const double height[3], double reach) {
    return (height[0] > reach && height[1] > reach && height[2] > reach) ||
           (height[0] < -reach && height[1] < -reach && height[2] < -reach);
}

static inline void heights_over(const vs_placed_triangle *plane, const vs_placed_triangle *a, double height[3]) {
    for (int k = 0; k < 3; k++)
        height[k] = vs_dot(*plane->normal, vs_subtract(a->corner[k], plane->corner[0]));
}

// Where one triangle is beyond the reach of the plane of the other one, no contact of the two is in reach, but those of vertices that
// stand over a valley, not over its triangle. Vertices and edges are met once, by the triangle that owns them; edges that cannot be
// touched are omitted.
static bool visit_pair(void *user, int triangle_a, int triangle_b) {
    vs_mesh_meeting *g = user;
    const vs_surface *s[2] = {g->side[0].s, g->side[1].s};
    const int own[2] = {s[0]->own[triangle_a], s[1]->own[triangle_b]};
    if (!((own[0] | own[1]) & ~VS_OWN_VALLEY))
        return true;
    const vs_turned_triangle *turned = turn_triangle(g, triangle_a);
    const vs_placed_triangle *a = &turned->at;
    vs_placed_triangle b;
    place_at_rest(&g->side[1], triangle_b, &b);
    double over_b[3], over_a[3];
    heights_over(&b, a, over_b);
    heights_over(a, &b, over_a);
    if ((!(own[0] & VS_OWN_VALLEY) && are_beyond(over_b, g->reach)) ||
        (!(own[1] & VS_OWN_VALLEY) && are_beyond(over_a, g->reach)))
        return true;
    const int64_t first[2] = {3 * (int64_t)triangle_a, 3 * (int64_t)triangle_b};
    for (int k = 0; k < 3; k++) {
        if (own[0] & VS_OWN_CORNER << k) {
            meet_corner(g, 0, s[0]->corner[first[0] + k], a->corner[k], turned->outward[k], &b, over_b[k]);
            meet_corners(g, a, k, &b);
        }
        if (own[1] & VS_OWN_CORNER << k) {
            const int vertex = s[1]->corner[first[1] + k];
            meet_corner(g, 1, vertex, b.corner[k], s[1]->outward[vertex], a, over_a[k]);
        }
        if (own[0] & VS_OWN_SIDE << k)
            meet_sides(g, a, k, &b);
    }
    return !g->failed;
}

static vs_placed_surface surface_of(const vs_shape *mesh, vs_pose pose) {
    return (vs_placed_surface){.t = &mesh->triangles,
                               .s = &mesh->triangles.surface,
                               .rotation = vs_quat_matrix(pose.rotation),
                               .position = pose.position};
}

static void find_points(vs_mesh_meeting *g, vs_pose relative, vs_kept_pairs *kept) {
    const vs_triangles *a = g->side[0].t, *b = g->side[1].t;
    if (a->exposure && b->exposure) {
        const vs_gap_range range = {.envelope = g->envelope, .depth = g->depth, .tolerance = 2 * g->tolerance};
        vs_kept_facing_pairs(kept, a, relative, b, &range, visit_pair, g);
    } else {
        const double reach = fmax(g->envelope, g->depth);
        vs_triangles_pairs(a, relative, b, &reach, visit_pair, g);
    }
}

vs_error vs_narrow_meshes(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                          vs_mesh_points *points) {
    return vs_narrow_meshes_by_lists(a, pose_a, b, pose_b, envelope, NULL, points);
}

vs_error vs_narrow_meshes_by_lists(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b,
                                   double envelope, vs_kept_pairs *kept, vs_mesh_points *points) {
    const vs_pose relative = vs_pose_relative(pose_a, pose_b);
    const double size = fmin(a->size, b->size);
    vs_mesh_meeting g = {.side = {surface_of(a, relative), surface_of(b, VS_IDENTITY_POSE)},
                         .pose = pose_b,
                         .envelope = envelope,
                         .depth = DEPTH * size,
                         .tolerance = TOUCH * size,
                         .reach = fmax(envelope, DEPTH * size) + TOUCH * size,
                         .points = points};
    points->count = 0;
    for (int k = 0; k < VS_TURNED_TRIANGLES; k++)
        g.turned[k].at.triangle = -1;
    find_points(&g, relative, kept);
    if (g.failed)
        return VS_ERROR_MEMORY;
    vs_mesh_points_reduce(points, size);
    return vs_mesh_points_limit(points, size, fmax(envelope, g.tolerance));
}

vs_error vs_narrow_mesh_plane(const vs_shape *mesh, vs_pose mesh_pose, vs_pose plane, double envelope,
                              vs_mesh_points *points) {
    const vs_placed_surface m = surface_of(mesh, vs_pose_relative(mesh_pose, plane));
    const vs_vec3 down = {0, 0, -1}, normal = vs_rotate(plane.rotation, down);
    points->count = 0;
    vs_error error = VS_OK;
    for (int k = 0; k < m.t->vertices && !error; k++) {
        const vs_vec3 x = vs_surface_place(&m, k);
        if (m.s->owner[k] < 0 || !(x.z <= envelope) || !vs_vertex_recedes(&m, k, down, VS_SURFACE_SLACK))
            continue;
        const vs_vec3 middle = {x.x, x.y, .5 * x.z};
        error = vs_mesh_points_add(points, (vs_mesh_point){vs_pose_apply(plane, middle), normal, x.z, (uint64_t)k});
    }
    if (!error)
        vs_mesh_points_reduce(points, mesh->size);
    return error;
}
