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
// A closed mesh is a solid: its normals point out, contacts with its concave edges and vertices do not exist, and an
// overlap counts only if no other face lies between the two features. Others are shells with two sides: the direction
// in which the other surface recedes decides on which it lies.
// Not found: solids that overlap by more than DEPTH of the smaller size, or that contain each other.
//
// feature: kind in the bits from 62, the first one's vertex, edge or triangle from 31, the second one's from 0.
#include "collide/convex/closest.h"
#include "collide/mesh/mesh.h"

static const double DEPTH = 1e-2; // of the smaller size
static const double TOUCH = 1e-6; // of the smaller size: lengths below it make no difference
static const double EXACT = 1e-6; // the same where a direction is that of the closest points
static const double CROSS = 1e-3; // sine of the least angle of edges that cross

typedef enum feature_kind { VERTEX_FACE, FACE_VERTEX, EDGE_EDGE, OTHER } feature_kind;

typedef struct placed_triangle {
    int triangle; // -1: none yet
    vs_vec3 corner[3], normal;
} placed_triangle;

typedef struct surface {
    const vs_triangles *t;
    const vs_surface *s;
    vs_mat3 rotation; // to the working frame, the axes of the second mesh
    vs_vec3 position;
} surface;

typedef struct meeting {
    surface side[2];
    vs_pose pose; // working frame in the world
    double envelope, depth, tolerance;
    double reach;         // of the two gaps, and the tolerance
    placed_triangle last; // pairs come in runs with the same first triangle
    vs_mesh_points *points;
    bool failed;
} meeting;

static vs_vec3 place(const surface *m, int vertex) {
    return vs_add(m->position, vs_mat3_apply(&m->rotation, m->t->vertex[vertex]));
}

static vs_vec3 localize(const surface *m, vs_vec3 x) {
    return vs_mat3_apply_t(&m->rotation, vs_subtract(x, m->position));
}

// on_a: the first surface's point; normal from there to the second.
static void keep(meeting *g, vs_vec3 on_a, vs_vec3 normal, double gap, feature_kind kind, int a, int b) {
    const vs_mesh_point point = {vs_pose_apply(g->pose, vs_add_scaled(on_a, .5 * gap, normal)),
                                 vs_rotate(g->pose.rotation, normal), gap,
                                 (uint64_t)kind << 62 | (uint64_t)a << 31 | (uint64_t)b};
    g->failed = g->failed || vs_mesh_points_add(g->points, point);
}

// ---- surfaces that recede --------------------------------------------------------------------------

static bool vertex_recedes(const surface *m, int vertex, vs_vec3 direction, double slack) {
    const vs_vec3 d = vs_mat3_apply_t(&m->rotation, direction), v = m->t->vertex[vertex];
    if (m->s->closed && !(vs_dot(d, m->s->outward[vertex]) > 0))
        return false;
    for (int k = m->s->neighbour_start[vertex]; k < m->s->neighbour_start[vertex + 1]; k++) {
        const vs_vec3 r = vs_subtract(m->t->vertex[m->s->neighbour[k]], v);
        if (vs_dot(d, r) > slack * vs_length(r))
            return false;
    }
    return true;
}

static bool edge_recedes(const surface *m, const vs_surface_edge *edge, vs_vec3 direction, double slack) {
    const vs_vec3 d = vs_mat3_apply_t(&m->rotation, direction);
    double outward = 0;
    for (int k = 0; k < 2 && edge->triangle[k] >= 0; k++) {
        outward += vs_dot(d, m->s->normal[edge->triangle[k]]);
        if (vs_dot(d, vs_surface_across(m->t, edge, k)) > slack)
            return false;
    }
    return !m->s->closed || outward > 0;
}

// ---- overlaps --------------------------------------------------------------------------------------

typedef struct crossing {
    const vs_triangles *t;
    vs_vec3 from, way;
    double margin; // part of the way at both ends that does not count
    bool found;
} crossing;

// Does the way pass through the triangle, not at one of its own ends?
static bool passes_through(const crossing *c, int triangle) {
    const int *corner = c->t->index + 3 * (int64_t)triangle;
    const vs_vec3 v = c->t->vertex[corner[0]], p = vs_subtract(c->t->vertex[corner[1]], v),
                  q = vs_subtract(c->t->vertex[corner[2]], v), r = vs_subtract(c->from, v);
    const vs_vec3 n = vs_cross(p, q);
    const double slope = vs_dot(n, c->way), s = -vs_dot(n, r) / slope;
    if (!(slope != 0) || !(s > c->margin && s < 1 - c->margin))
        return false;
    const vs_vec3 x = vs_add_scaled(r, s, c->way);
    const double nn = vs_dot(n, n), y = vs_dot(vs_cross(x, q), n) / nn, z = vs_dot(vs_cross(p, x), n) / nn;
    return y > 0 && z > 0 && y + z < 1;
}

static bool visit_crossing(void *user, int triangle) {
    crossing *c = user;
    c->found = passes_through(c, triangle);
    return !c->found;
}

// Is there a face of either surface between the two points of an overlap?
static bool is_divided(const meeting *g, vs_vec3 from, vs_vec3 to) {
    const double length = vs_length(vs_subtract(to, from)), margin = g->tolerance / length;
    bool found = false;
    for (int k = 0; k < 2 && margin < .5 && !found; k++) {
        const vs_vec3 x = localize(&g->side[k], from), y = localize(&g->side[k], to);
        crossing c = {.t = g->side[k].t, .from = x, .way = vs_subtract(y, x), .margin = margin};
        const vs_box3 box = {{fmin(x.x, y.x), fmin(x.y, y.y), fmin(x.z, y.z)},
                             {fmax(x.x, y.x), fmax(x.y, y.y), fmax(x.z, y.z)}};
        vs_triangles_query(c.t, box, visit_crossing, &c);
        found = c.found;
    }
    return found;
}

static bool is_in_reach(const meeting *g, double gap) {
    return gap <= g->envelope && gap >= -g->depth;
}

// ---- a vertex and a face ---------------------------------------------------------------------------

// A point over the plane of a triangle, in the axes of its mesh.
typedef struct stand {
    vs_vec3 x, foot;
    double facing; // 1: in front of the triangle, -1: behind a shell
    bool beyond;   // output: not over the triangle, but its neighbour rises between it and the plane
} stand;

static bool is_over(const meeting *g, const surface *m, int triangle, stand *over) {
    const int64_t first = 3 * (int64_t)triangle;
    const vs_vec3 n = m->s->normal[triangle];
    for (int k = 0; k < 3; k++) {
        const vs_surface_edge *edge = &m->s->edge[m->s->side[first + k]];
        const vs_vec3 v = m->t->vertex[m->s->corner[first + k]];
        const vs_vec3 along = vs_normalize(vs_subtract(m->t->vertex[m->s->corner[first + (k + 1) % 3]], v));
        const double outside = vs_dot(vs_cross(along, n), vs_subtract(over->foot, v));
        if (outside <= g->tolerance)
            continue;
        const int other = edge->triangle[edge->triangle[0] == triangle];
        const crossing down = {.t = m->t, .from = over->x, .way = vs_subtract(over->foot, over->x)};
        if (other < 0 || !(over->facing * edge->fold > VS_SURFACE_FLAT) || !passes_through(&down, other))
            return false;
        over->beyond = true;
    }
    return true;
}

// The contact of a vertex of side i with a triangle of the other side, seen from its front (facing 1) or back.
static bool meet_face(meeting *g, int i, int vertex, int triangle, double facing, double *gap) {
    const surface *m = &g->side[1 - i];
    const vs_vec3 x = localize(m, place(&g->side[i], vertex)), normal = vs_scale(facing, m->s->normal[triangle]);
    *gap = vs_dot(normal, vs_subtract(x, m->t->vertex[m->s->corner[3 * (int64_t)triangle]]));
    if (!is_in_reach(g, *gap))
        return false;
    stand over = {.x = x, .foot = vs_add_scaled(x, -*gap, normal), .facing = facing};
    if (!is_over(g, m, triangle, &over) || (over.beyond && *gap < -g->tolerance))
        return false;
    const vs_vec3 out = vs_mat3_apply(&m->rotation, normal); // from the face to the vertex
    if (!vertex_recedes(&g->side[i], vertex, vs_scale(-1, out), VS_SURFACE_SLACK))
        return false;
    const vs_vec3 from = place(&g->side[i], vertex);
    return *gap >= -g->tolerance || !is_divided(g, from, vs_add_scaled(from, -*gap, out));
}

static void meet_vertex_face(meeting *g, int i, int vertex, int triangle) {
    const surface *m = &g->side[1 - i];
    double gap = 0, back = 0, facing = 1;
    bool front = meet_face(g, i, vertex, triangle, 1, &gap);
    if (!m->s->closed && (!front || gap < 0) && meet_face(g, i, vertex, triangle, -1, &back)) {
        front = true;
        gap = back;
        facing = -1;
    }
    if (!front)
        return;
    const vs_vec3 out = vs_scale(facing, vs_mat3_apply(&m->rotation, m->s->normal[triangle]));
    const vs_vec3 x = place(&g->side[i], vertex);
    if (i == 0)
        keep(g, x, vs_scale(-1, out), gap, VERTEX_FACE, vertex, triangle);
    else
        keep(g, vs_add_scaled(x, -gap, out), out, gap, FACE_VERTEX, triangle, vertex);
}

// ---- edges -----------------------------------------------------------------------------------------

typedef struct placed_edge {
    vs_vec3 from, way;
} placed_edge;

static placed_edge place_edge(const surface *m, const vs_surface_edge *edge) {
    const vs_vec3 from = place(m, edge->vertex[0]);
    return (placed_edge){from, vs_subtract(place(m, edge->vertex[1]), from)};
}

// Edges of faces that lie almost flat on each other cross in any direction near the faces' normals: the direction is the
// closest of these, unless it is between those of both edges.
static vs_vec3 straighten(const meeting *g, const vs_surface_edge *const edge[2], vs_vec3 n) {
    if (edge_recedes(&g->side[0], edge[0], n, EXACT) && edge_recedes(&g->side[1], edge[1], vs_scale(-1, n), EXACT))
        return n;
    vs_vec3 closest = n;
    double most = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2 && edge[i]->triangle[k] >= 0; k++) {
            const vs_vec3 out = vs_mat3_apply(&g->side[i].rotation, g->side[i].s->normal[edge[i]->triangle[k]]);
            const double cosine = vs_dot(out, n);
            if (fabs(cosine) <= most || (g->side[i].s->closed && (cosine > 0) != (i == 0)))
                continue;
            most = fabs(cosine);
            closest = vs_scale(cosine > 0 ? 1 : -1, out);
        }
    return closest;
}

static void meet_edges(meeting *g, int a, int b) {
    const vs_surface_edge *edge[2] = {&g->side[0].s->edge[a], &g->side[1].s->edge[b]};
    const placed_edge p = place_edge(&g->side[0], edge[0]), q = place_edge(&g->side[1], edge[1]);
    const vs_vec3 c = vs_cross(p.way, q.way), r = vs_subtract(q.from, p.from);
    const double cc = vs_dot(c, c);
    if (!(cc > CROSS * CROSS * vs_dot(p.way, p.way) * vs_dot(q.way, q.way)))
        return;
    const double s = vs_dot(vs_cross(r, q.way), c) / cc, t = vs_dot(vs_cross(r, p.way), c) / cc;
    const double way = vs_dot(c, r) / sqrt(cc);
    if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1) || !(fabs(way) <= fmax(g->envelope, g->depth)))
        return;
    const vs_vec3 on_a = vs_add_scaled(p.from, s, p.way);
    // Apart first: the sides of a shell are not known.
    for (int k = 0; k < 2; k++) {
        const double sign = (way < 0) == (k == 0) ? -1 : 1, gap = sign * way;
        const vs_vec3 n = vs_scale(sign / sqrt(cc), c);
        if (!is_in_reach(g, gap) || !edge_recedes(&g->side[0], edge[0], n, VS_SURFACE_SLACK) ||
            !edge_recedes(&g->side[1], edge[1], vs_scale(-1, n), VS_SURFACE_SLACK) ||
            (gap < -g->tolerance && is_divided(g, on_a, vs_add_scaled(on_a, gap, n))))
            continue;
        const vs_vec3 upright = straighten(g, edge, n);
        keep(g, on_a, upright, gap * vs_dot(n, upright), EDGE_EDGE, a, b);
        return;
    }
}

// The direction between two points that touch is that between the normals about them.
static bool direct(const meeting *g, vs_vec3 way, vs_vec3 out_a, vs_vec3 out_b, vs_vec3 *d) {
    *d = vs_normalize(vs_length(way) > g->tolerance ? way : vs_subtract(out_a, out_b));
    return vs_dot(*d, *d) > .5;
}

static vs_vec3 vertex_normal(const surface *m, int vertex) {
    return vs_mat3_apply(&m->rotation, m->s->outward[vertex]);
}

// A vertex of side i near an edge of the other side.
static void meet_vertex_edge(meeting *g, int i, int vertex, int edge) {
    const surface *m = &g->side[1 - i];
    const vs_surface_edge *e = &m->s->edge[edge];
    const placed_edge q = place_edge(m, e);
    const vs_vec3 x = place(&g->side[i], vertex);
    const double t = vs_closest_on_segment(q.from, q.way, x);
    const vs_vec3 way = vs_subtract(vs_add_scaled(q.from, t, q.way), x);
    if (!(t > 0 && t < 1) || !(vs_dot(way, way) <= g->envelope * g->envelope))
        return;
    vs_vec3 out = m->s->normal[e->triangle[0]], d;
    if (e->triangle[1] >= 0)
        out = vs_add(out, m->s->normal[e->triangle[1]]);
    if (!direct(g, way, vertex_normal(&g->side[i], vertex), vs_mat3_apply(&m->rotation, out), &d) ||
        !vertex_recedes(&g->side[i], vertex, d, EXACT) || !edge_recedes(m, e, vs_scale(-1, d), EXACT))
        return;
    const double gap = vs_dot(way, d);
    if (i == 0)
        keep(g, x, d, gap, OTHER, vertex, edge);
    else
        keep(g, vs_add_scaled(x, gap, d), vs_scale(-1, d), gap, OTHER, edge, vertex);
}

static void meet_vertices(meeting *g, int a, int b) {
    const vs_vec3 x = place(&g->side[0], a), way = vs_subtract(place(&g->side[1], b), x);
    vs_vec3 d;
    if (!(vs_dot(way, way) <= g->envelope * g->envelope) ||
        !direct(g, way, vertex_normal(&g->side[0], a), vertex_normal(&g->side[1], b), &d) ||
        !vertex_recedes(&g->side[0], a, d, EXACT) || !vertex_recedes(&g->side[1], b, vs_scale(-1, d), EXACT))
        return;
    keep(g, x, d, vs_dot(way, d), OTHER, a, b);
}

// ---- pairs of triangles ----------------------------------------------------------------------------

// Vertices and edges that no triangle before this one has: each is met once. Edges that cannot be touched are omitted.
typedef struct own_features {
    int vertices, edges;
    int vertex[3], edge[3];
} own_features;

static own_features features_of(const surface *m, int triangle) {
    own_features own = {.vertices = 0};
    const int64_t first = 3 * (int64_t)triangle;
    const int features = m->s->own[triangle];
    for (int k = 0; k < 3 && features; k++) {
        if (features & VS_OWN_CORNER << k)
            own.vertex[own.vertices++] = m->s->corner[first + k];
        if (features & VS_OWN_SIDE << k)
            own.edge[own.edges++] = m->s->side[first + k];
    }
    return own;
}

// The first one's triangle in the working frame.
static const placed_triangle *place_triangle(meeting *g, int triangle) {
    placed_triangle *p = &g->last;
    const surface *m = &g->side[0];
    if (p->triangle == triangle)
        return p;
    p->triangle = triangle;
    for (int k = 0; k < 3; k++)
        p->corner[k] = place(m, m->s->corner[3 * (int64_t)triangle + k]);
    p->normal = vs_mat3_apply(&m->rotation, m->s->normal[triangle]);
    return p;
}

// Are three heights all beyond the reach, on one side?
static inline bool are_beyond(double x, double y, double z, double reach) {
    return (x > reach && y > reach && z > reach) || (x < -reach && y < -reach && z < -reach);
}

// Is one triangle beyond the reach of the plane of the other one? Then no contact of the two is in reach, but those of vertices that
// stand over a valley, not over its triangle.
static bool are_apart(meeting *g, int triangle_a, int triangle_b) {
    const placed_triangle *a = place_triangle(g, triangle_a);
    const surface *b = &g->side[1];
    const int *corner = b->s->corner + 3 * (int64_t)triangle_b;
    const vs_vec3 x = b->t->vertex[corner[0]], n = b->s->normal[triangle_b];
    if (!(g->side[0].s->own[triangle_a] & VS_OWN_VALLEY) &&
        are_beyond(vs_dot(n, vs_subtract(a->corner[0], x)), vs_dot(n, vs_subtract(a->corner[1], x)),
                   vs_dot(n, vs_subtract(a->corner[2], x)), g->reach))
        return true;
    return !(b->s->own[triangle_b] & VS_OWN_VALLEY) &&
           are_beyond(vs_dot(a->normal, vs_subtract(x, a->corner[0])),
                      vs_dot(a->normal, vs_subtract(b->t->vertex[corner[1]], a->corner[0])),
                      vs_dot(a->normal, vs_subtract(b->t->vertex[corner[2]], a->corner[0])), g->reach);
}

static bool visit_pair(void *user, int triangle_a, int triangle_b) {
    meeting *g = user;
    const int triangle[2] = {triangle_a, triangle_b};
    if (!((g->side[0].s->own[triangle_a] | g->side[1].s->own[triangle_b]) & ~VS_OWN_VALLEY) ||
        are_apart(g, triangle_a, triangle_b))
        return true;
    const own_features own[2] = {features_of(&g->side[0], triangle_a), features_of(&g->side[1], triangle_b)};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < own[i].vertices; k++) {
            meet_vertex_face(g, i, own[i].vertex[k], triangle[1 - i]);
            for (int j = 0; j < own[1 - i].edges; j++)
                meet_vertex_edge(g, i, own[i].vertex[k], own[1 - i].edge[j]);
        }
    for (int k = 0; k < own[0].vertices; k++)
        for (int j = 0; j < own[1].vertices; j++)
            meet_vertices(g, own[0].vertex[k], own[1].vertex[j]);
    for (int k = 0; k < own[0].edges; k++)
        for (int j = 0; j < own[1].edges; j++)
            meet_edges(g, own[0].edge[k], own[1].edge[j]);
    return !g->failed;
}

static surface surface_of(const vs_shape *mesh, vs_pose pose) {
    return (surface){.t = &mesh->triangles,
                     .s = &mesh->triangles.surface,
                     .rotation = vs_quat_matrix(pose.rotation),
                     .position = pose.position};
}

static void find_points(meeting *g, vs_pose relative, vs_kept_pairs *kept) {
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
    meeting g = {.side = {surface_of(a, relative), surface_of(b, VS_IDENTITY_POSE)},
                 .pose = pose_b,
                 .envelope = envelope,
                 .depth = DEPTH * size,
                 .tolerance = TOUCH * size,
                 .reach = fmax(envelope, DEPTH * size) + TOUCH * size,
                 .last = {.triangle = -1},
                 .points = points};
    points->count = 0;
    find_points(&g, relative, kept);
    if (g.failed)
        return VS_ERROR_MEMORY;
    vs_mesh_points_reduce(points, size);
    return vs_mesh_points_limit(points, size, fmax(envelope, g.tolerance));
}

vs_error vs_narrow_mesh_plane(const vs_shape *mesh, vs_pose mesh_pose, vs_pose plane, double envelope,
                              vs_mesh_points *points) {
    const surface m = surface_of(mesh, vs_pose_relative(mesh_pose, plane));
    const vs_vec3 down = {0, 0, -1}, normal = vs_rotate(plane.rotation, down);
    points->count = 0;
    vs_error error = VS_OK;
    for (int k = 0; k < m.t->vertices && !error; k++) {
        const vs_vec3 x = place(&m, k);
        if (m.s->owner[k] < 0 || !(x.z <= envelope) || !vertex_recedes(&m, k, down, VS_SURFACE_SLACK))
            continue;
        const vs_vec3 middle = {x.x, x.y, .5 * x.z};
        error = vs_mesh_points_add(points, (vs_mesh_point){vs_pose_apply(plane, middle), normal, x.z, (uint64_t)k});
    }
    if (!error)
        vs_mesh_points_reduce(points, mesh->size);
    return error;
}
