// Contacts of two features of meshes: see mesh_features.h.
#include "collide/mesh/mesh_features.h"

#include "collide/convex/closest.h"

static const double EXACT = 1e-6; // of lengths, where a direction is that of the closest points

typedef enum feature_kind { VERTEX_FACE, FACE_VERTEX, EDGE_EDGE, OTHER } feature_kind;

static vs_vec3 localize(const vs_placed_surface *m, vs_vec3 x) {
    return vs_mat3_apply_t(&m->rotation, vs_subtract(x, m->position));
}

// on_a: the first surface's point; normal from there to the second.
static void keep(vs_mesh_meeting *g, vs_vec3 on_a, vs_vec3 normal, double gap, feature_kind kind, int a, int b) {
    const vs_mesh_point point = {vs_pose_apply(g->pose, vs_add_scaled(on_a, .5 * gap, normal)),
                                 vs_rotate(g->pose.rotation, normal), gap,
                                 (uint64_t)kind << 62 | (uint64_t)a << 31 | (uint64_t)b};
    g->failed = g->failed || vs_mesh_points_add(g->points, point);
}

// ---- surfaces that recede --------------------------------------------------------------------------

bool vs_vertex_recedes(const vs_placed_surface *m, int vertex, vs_vec3 direction, double slack) {
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

static bool edge_recedes(const vs_placed_surface *m, const vs_surface_edge *edge, vs_vec3 direction, double slack) {
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
static bool is_divided(const vs_mesh_meeting *g, vs_vec3 from, vs_vec3 to) {
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

static bool is_in_reach(const vs_mesh_meeting *g, double gap) {
    return gap <= g->envelope && gap >= -g->depth;
}

// ---- a vertex and a face ---------------------------------------------------------------------------

// A point over the plane of a triangle, in the axes of its mesh.
typedef struct stand {
    vs_vec3 x, foot;
    double facing; // 1: in front of the triangle, -1: behind a shell
    bool beyond;   // output: not over the triangle, but its neighbour rises between it and the plane
} stand;

static bool is_over(const vs_mesh_meeting *g, const vs_placed_surface *m, int triangle, stand *over) {
    const int64_t first = 3 * (int64_t)triangle;
    for (int k = 0; k < 3; k++) {
        const vs_surface_edge *edge = &m->s->edge[m->s->side[first + k]];
        const vs_vec3 v = m->t->vertex[m->s->corner[first + k]];
        const double outside = vs_dot(m->s->across[first + k], vs_subtract(over->foot, v));
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
static bool meet_face(vs_mesh_meeting *g, int i, int vertex, int triangle, double facing, double *gap) {
    const vs_placed_surface *m = &g->side[1 - i];
    const vs_vec3 x = localize(m, vs_surface_place(&g->side[i], vertex)),
                  normal = vs_scale(facing, m->s->normal[triangle]);
    *gap = vs_dot(normal, vs_subtract(x, m->t->vertex[m->s->corner[3 * (int64_t)triangle]]));
    if (!is_in_reach(g, *gap))
        return false;
    stand over = {.x = x, .foot = vs_add_scaled(x, -*gap, normal), .facing = facing};
    if (!is_over(g, m, triangle, &over) || (over.beyond && *gap < -g->tolerance))
        return false;
    const vs_vec3 out = vs_mat3_apply(&m->rotation, normal); // from the face to the vertex
    if (!vs_vertex_recedes(&g->side[i], vertex, vs_scale(-1, out), VS_SURFACE_SLACK))
        return false;
    const vs_vec3 from = vs_surface_place(&g->side[i], vertex);
    return *gap >= -g->tolerance || !is_divided(g, from, vs_add_scaled(from, -*gap, out));
}

void vs_meet_vertex_face(vs_mesh_meeting *g, int i, int vertex, int triangle) {
    const vs_placed_surface *m = &g->side[1 - i];
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
    const vs_vec3 x = vs_surface_place(&g->side[i], vertex);
    if (i == 0)
        keep(g, x, vs_scale(-1, out), gap, VERTEX_FACE, vertex, triangle);
    else
        keep(g, vs_add_scaled(x, -gap, out), out, gap, FACE_VERTEX, triangle, vertex);
}

// ---- edges -----------------------------------------------------------------------------------------

typedef struct placed_edge {
    vs_vec3 from, way;
} placed_edge;

static placed_edge place_edge(const vs_placed_surface *m, const vs_surface_edge *edge) {
    const vs_vec3 from = vs_surface_place(m, edge->vertex[0]);
    return (placed_edge){from, vs_subtract(vs_surface_place(m, edge->vertex[1]), from)};
}

// Edges of faces that lie almost flat on each other cross in any direction near the faces' normals: the direction is the
// closest of these, unless it is between those of both edges.
static vs_vec3 straighten(const vs_mesh_meeting *g, const vs_surface_edge *const edge[2], vs_vec3 n) {
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

// Does the edge reach its point of crossing, at the part s of its way? n: out of its surface. Where an edge rises to a vertex of a
// saddle, which itself meets nothing, edges that overlap cross beyond it, inside their solid, by less than they overlap.
static bool reaches(const vs_placed_surface *m, const vs_surface_edge *edge, const placed_edge *e, double s, double gap,
                    vs_vec3 n) {
    if (s >= 0 && s <= 1)
        return true;
    const double beyond = s < 0 ? -s : s - 1, inward = s < 0 ? 1 : -1;
    const int vertex = edge->vertex[s > 1];
    return m->s->closed && gap < 0 && beyond * beyond * vs_dot(e->way, e->way) <= gap * gap &&
           inward * vs_dot(vs_mat3_apply(&m->rotation, m->s->outward[vertex]), e->way) > 0 &&
           !vs_vertex_recedes(m, vertex, n, VS_SURFACE_SLACK);
}

void vs_meet_edges(vs_mesh_meeting *g, int a, int b) {
    const vs_surface_edge *edge[2] = {&g->side[0].s->edge[a], &g->side[1].s->edge[b]};
    const placed_edge p = place_edge(&g->side[0], edge[0]), q = place_edge(&g->side[1], edge[1]);
    const vs_vec3 c = vs_cross(p.way, q.way), r = vs_subtract(q.from, p.from);
    const double cc = vs_dot(c, c);
    if (!(cc > VS_EDGES_CROSS * VS_EDGES_CROSS * vs_dot(p.way, p.way) * vs_dot(q.way, q.way)))
        return;
    const double s = vs_dot(vs_cross(r, q.way), c) / cc, t = vs_dot(vs_cross(r, p.way), c) / cc;
    const double way = vs_dot(c, r) / sqrt(cc);
    if (!(fabs(way) <= fmax(g->envelope, g->depth)))
        return;
    const vs_vec3 on_a = vs_add_scaled(p.from, s, p.way);
    // Apart first: the sides of a shell are not known.
    for (int k = 0; k < 2; k++) {
        const double sign = (way < 0) == (k == 0) ? -1 : 1, gap = sign * way;
        const vs_vec3 n = vs_scale(sign / sqrt(cc), c);
        if (!is_in_reach(g, gap) || !reaches(&g->side[0], edge[0], &p, s, gap, n) ||
            !reaches(&g->side[1], edge[1], &q, t, gap, vs_scale(-1, n)) ||
            !edge_recedes(&g->side[0], edge[0], n, VS_SURFACE_SLACK) ||
            !edge_recedes(&g->side[1], edge[1], vs_scale(-1, n), VS_SURFACE_SLACK) ||
            (gap < -g->tolerance && is_divided(g, on_a, vs_add_scaled(on_a, gap, n))))
            continue;
        const vs_vec3 upright = straighten(g, edge, n);
        keep(g, on_a, upright, gap * vs_dot(n, upright), EDGE_EDGE, a, b);
        return;
    }
}

// The direction between two points that touch is that between the normals about them.
static bool direct(const vs_mesh_meeting *g, vs_vec3 way, vs_vec3 out_a, vs_vec3 out_b, vs_vec3 *d) {
    *d = vs_normalize(vs_length(way) > g->tolerance ? way : vs_subtract(out_a, out_b));
    return vs_dot(*d, *d) > .5;
}

static vs_vec3 vertex_normal(const vs_placed_surface *m, int vertex) {
    return vs_mat3_apply(&m->rotation, m->s->outward[vertex]);
}

// A vertex of side i near an edge of the other side.
void vs_meet_vertex_edge(vs_mesh_meeting *g, int i, int vertex, int edge) {
    const vs_placed_surface *m = &g->side[1 - i];
    const vs_surface_edge *e = &m->s->edge[edge];
    const placed_edge q = place_edge(m, e);
    const vs_vec3 x = vs_surface_place(&g->side[i], vertex);
    const double t = vs_closest_on_segment(q.from, q.way, x);
    const vs_vec3 way = vs_subtract(vs_add_scaled(q.from, t, q.way), x);
    if (!(t > 0 && t < 1) || !(vs_dot(way, way) <= g->envelope * g->envelope))
        return;
    vs_vec3 out = m->s->normal[e->triangle[0]], d;
    if (e->triangle[1] >= 0)
        out = vs_add(out, m->s->normal[e->triangle[1]]);
    if (!direct(g, way, vertex_normal(&g->side[i], vertex), vs_mat3_apply(&m->rotation, out), &d) ||
        !vs_vertex_recedes(&g->side[i], vertex, d, EXACT) || !edge_recedes(m, e, vs_scale(-1, d), EXACT))
        return;
    const double gap = vs_dot(way, d);
    if (i == 0)
        keep(g, x, d, gap, OTHER, vertex, edge);
    else
        keep(g, vs_add_scaled(x, gap, d), vs_scale(-1, d), gap, OTHER, edge, vertex);
}

void vs_meet_vertices(vs_mesh_meeting *g, int a, int b) {
    const vs_vec3 x = vs_surface_place(&g->side[0], a), way = vs_subtract(vs_surface_place(&g->side[1], b), x);
    vs_vec3 d;
    if (!(vs_dot(way, way) <= g->envelope * g->envelope) ||
        !direct(g, way, vertex_normal(&g->side[0], a), vertex_normal(&g->side[1], b), &d) ||
        !vs_vertex_recedes(&g->side[0], a, d, EXACT) || !vs_vertex_recedes(&g->side[1], b, vs_scale(-1, d), EXACT))
        return;
    keep(g, x, d, vs_dot(way, d), OTHER, a, b);
}
