// Edges of a mesh through triangles of another one: see mesh_crossing.h.
#include "collide/mesh/mesh_crossing.h"

typedef struct crossing {
    const vs_triangles *a, *b;
    vs_pose relative;
    vs_mat3 rotation; // of it
    double depth;
    int last; // triangle of a, -1: none yet; its corners and normal in the axes of b
    vs_vec3 corner[3], normal, across[3];
    bool found;
    vs_leaf_pair pair; // that was found
} crossing;

// Part of the depth: room for rounding where pairs are told apart by products alone.
static const double ROUNDING = 1e-3;

// Part of the depth. A face that slides on another one has its edges on the border of what adjoins that one: they pierce the end of
// a groove exactly at its rim, where rounding decides.
static const double RIM = .01;

// Is a point of a triangle's plane, with the normal n, farther than `rim` inside of its edge from x to y?
static bool is_inside(vs_vec3 point, vs_vec3 x, vs_vec3 y, vs_vec3 n, double rim) {
    return vs_dot(vs_cross(n, vs_normalize(vs_subtract(y, x))), vs_subtract(point, x)) > rim;
}

// Does an edge of the triangle x pierce the triangle t?
static bool edge_pierces(const vs_vec3 x[3], const vs_vec3 t[3], double depth) {
    const vs_vec3 n = vs_normalize(vs_cross(vs_subtract(t[1], t[0]), vs_subtract(t[2], t[0])));
    double height[3];
    for (int k = 0; k < 3; k++)
        height[k] = vs_dot(n, vs_subtract(x[k], t[0]));
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        const double above = height[k], below = height[next];
        if (!(above * below < 0 && above * above > depth * depth && below * below > depth * depth))
            continue;
        const vs_vec3 point = vs_add_scaled(x[k], above / (above - below), vs_subtract(x[next], x[k]));
        if (is_inside(point, t[0], t[1], n, RIM * depth) && is_inside(point, t[1], t[2], n, RIM * depth) &&
            is_inside(point, t[2], t[0], n, RIM * depth))
            return true;
    }
    return false;
}

// A triangle with its unit normal, and unit vectors in its plane outwards across its sides.
typedef struct framed_triangle {
    const vs_vec3 *corner, *across;
    vs_vec3 normal;
} framed_triangle;

// May an edge of the triangle x pierce t? By products alone, with room for rounding.
static inline bool may_edge_pierce(const vs_vec3 x[3], const framed_triangle *t, double depth) {
    const double least = (1 - ROUNDING) * depth, rim = (1 - ROUNDING) * RIM * depth;
    double height[3];
    for (int k = 0; k < 3; k++)
        height[k] = vs_dot(t->normal, vs_subtract(x[k], t->corner[0]));
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        const double above = height[k], below = height[next];
        if (!((above > least && below < -least) || (above < -least && below > least)))
            continue;
        const vs_vec3 point = vs_add_scaled(x[k], above / (above - below), vs_subtract(x[next], x[k]));
        bool inside = true;
        for (int i = 0; i < 3 && inside; i++)
            inside = vs_dot(t->across[i], vs_subtract(point, t->corner[i])) < -rim;
        if (inside)
            return true;
    }
    return false;
}

// May an edge of one pierce the other? Of most triangles whose boxes meet, none does.
static bool may_pierce(crossing *c, int triangle_a, int triangle_b) {
    const int64_t first_a = 3 * (int64_t)triangle_a, first_b = 3 * (int64_t)triangle_b;
    const int *corner_b = c->b->index + first_b;
    if (c->last != triangle_a) { // pairs come in runs with the same first triangle
        c->last = triangle_a;
        c->normal = vs_mat3_apply(&c->rotation, c->a->surface.normal[triangle_a]);
        for (int k = 0; k < 3; k++) {
            const vs_vec3 v = c->a->vertex[c->a->index[first_a + k]];
            c->corner[k] = vs_add(c->relative.position, vs_mat3_apply(&c->rotation, v));
            c->across[k] = vs_mat3_apply(&c->rotation, c->a->surface.across[first_a + k]);
        }
    }
    const vs_vec3 y[3] = {c->b->vertex[corner_b[0]], c->b->vertex[corner_b[1]], c->b->vertex[corner_b[2]]};
    const framed_triangle a = {c->corner, c->across, c->normal},
                          b = {y, c->b->surface.across + first_b, c->b->surface.normal[triangle_b]};
    return may_edge_pierce(c->corner, &b, c->depth) || may_edge_pierce(y, &a, c->depth);
}

static bool visit(void *user, int triangle_a, int triangle_b) {
    crossing *c = user;
    if (!may_pierce(c, triangle_a, triangle_b))
        return true;
    vs_vec3 x[3], y[3];
    for (int k = 0; k < 3; k++) {
        x[k] = vs_pose_apply(c->relative, c->a->vertex[c->a->index[3 * (int64_t)triangle_a + k]]);
        y[k] = c->b->vertex[c->b->index[3 * (int64_t)triangle_b + k]];
    }
    c->found = edge_pierces(x, y, c->depth) || edge_pierces(y, x, c->depth);
    c->pair = (vs_leaf_pair){triangle_a, triangle_b};
    return !c->found;
}

bool vs_meshes_cross(const vs_triangles *a, vs_pose relative, const vs_triangles *b, double depth,
                     vs_kept_pairs *kept) {
    crossing c = {.a = a,
                  .b = b,
                  .relative = relative,
                  .rotation = vs_quat_matrix(relative.rotation),
                  .depth = depth,
                  .last = -1};
    // Most often the same two again, unless the two meshes are asked for in the other order.
    if (kept && kept->pierced && kept->piercing.a < a->triangles && kept->piercing.b < b->triangles)
        (void)visit(&c, kept->piercing.a, kept->piercing.b);
    if (!c.found)
        vs_kept_crossing_pairs(kept, a, relative, b, depth, visit, &c);
    if (kept && c.found) {
        kept->pierced = true;
        kept->piercing = c.pair;
    }
    return c.found;
}
