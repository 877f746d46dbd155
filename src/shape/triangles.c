// Triangles and their tree of bounding boxes: meshes and height fields.
//
// The tree is built from the top: a range of triangles is divided at the middle of its centres along their longest
// extent or, where that separates nothing, at the middle of the list. Nodes are stored in preorder, each with the index
// of the node that follows its whole branch:
//
//     query:  k = 0; while k < nodes:  k = box meets node k ? k + 1 : skip[k]
//
// so that a query needs neither a stack nor recursion. A height field has two triangles per cell, divided along
// the diagonal from (i, j) to (i + 1, j + 1); its heights are stored only in its vertices.
#include "shape/build.h"
#include "shape/box_tree.h"

#include <math.h>

// ---- checking --------------------------------------------------------------------------------------

bool vs_triangle_has_area(vs_vec3 a, vs_vec3 b, vs_vec3 c) {
    const vs_vec3 u = vs_subtract(b, a), v = vs_subtract(c, b), w = vs_subtract(a, c);
    const double longest = fmax(vs_dot(u, u), fmax(vs_dot(v, v), vs_dot(w, w)));
    // A height below 1e-12 of the base defines no direction after rounding to 1e-16.
    return vs_length(vs_cross(u, v)) > 1e-12 * longest;
}

static vs_error check_mesh(vs_context *context, const vs_triangles *t) {
    const double most = 1e30; // m
    for (int k = 0; k < t->vertices; k++) {
        const vs_vec3 v = t->vertex[k];
        if (!(fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most))
            return vs_fail(context, VS_ERROR_DATA, "vertex[%d] is not finite or too large (%g, %g, %g)", k, v.x, v.y,
                           v.z);
    }
    for (int k = 0; k < t->triangles; k++) {
        const int *corner = t->index + 3 * (int64_t)k;
        for (int c = 0; c < 3; c++)
            if (corner[c] < 0 || corner[c] >= t->vertices)
                return vs_fail(context, VS_ERROR_DATA, "triangle %d: there is no vertex %d (vertices 0 to %d)", k,
                               corner[c], t->vertices - 1);
        if (!vs_triangle_has_area(t->vertex[corner[0]], t->vertex[corner[1]], t->vertex[corner[2]]))
            return vs_fail(context, VS_ERROR_DATA, "triangle %d (%d, %d, %d) has no area", k, corner[0], corner[1],
                           corner[2]);
    }
    return VS_OK;
}

// ---- tree ------------------------------------------------------------------------------------------

// Reorders order[first, first + count) into two ranges; returns the length of the first one, at least 1.
static int cut(vs_triangles *t, const vs_vec3 *centre, int first, int count, int depth) {
    vs_box3 centres = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    int *order = t->order + first;
    if (depth >= VS_BOX_TREE_HALVING_FROM)
        return count / 2;
    for (int k = 0; k < count; k++) {
        const vs_vec3 c = centre[order[k]];
        centres = vs_box_merge(centres, (vs_box3){c, c});
    }
    const vs_vec3 extent = vs_subtract(centres.high, centres.low);
    const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    const double at = vs_component(vs_box_middle(centres), axis);
    int left = 0;
    for (int k = 0; k < count; k++) {
        const int triangle = order[k];
        if (!(vs_component(centre[triangle], axis) < at))
            continue;
        order[k] = order[left];
        order[left++] = triangle;
    }
    return left > 0 && left < count ? left : count / 2;
}

// Appends the branch over order[first, first + count); at most 77 levels deep.
static void build_branch(vs_triangles *t, const vs_vec3 *centre, int first, int count, int depth) {
    const int self = t->nodes++;
    struct vs_box_node *node = t->node + self;
    if (count <= VS_BOX_TREE_LEAF) {
        for (int k = first; k < first + count; k++) {
            t->box[k] = vs_triangle_box(t, t->order[k]);
            node->box = k == first ? t->box[k] : vs_box_merge(node->box, t->box[k]);
        }
        node->first = first;
        node->count = count;
    } else {
        const int left = cut(t, centre, first, count, depth);
        build_branch(t, centre, first, left, depth + 1);
        const int right = t->nodes;
        build_branch(t, centre, first + left, count - left, depth + 1);
        node->box = vs_box_merge(t->node[self + 1].box, t->node[right].box);
        node->first = first;
        node->count = 0;
    }
    node->skip = t->nodes;
}

static vs_error build_tree(vs_arena *arena, vs_triangles *t) {
    // Every leaf has a triangle of its own: no more than 2 triangles - 1 nodes. Halving by count leaves far fewer, but
    // cutting in the middle guarantees nothing.
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    t->nodes = 0;
    t->order = VS_NEW(arena, int, t->triangles);
    t->leaf = VS_NEW(arena, int, t->triangles);
    t->box = VS_NEW(arena, vs_box3, t->triangles);
    t->node = VS_NEW(&scratch, struct vs_box_node, 2 * (int64_t)t->triangles - 1);
    vs_vec3 *centre = VS_NEW(&scratch, vs_vec3, t->triangles);
    if (t->order && t->leaf && t->box && t->node && centre) {
        for (int k = 0; k < t->triangles; k++) {
            t->order[k] = k;
            centre[k] = vs_box_middle(vs_triangle_box(t, k));
        }
        build_branch(t, centre, 0, t->triangles, 0);
        for (int k = 0; k < t->triangles; k++)
            t->leaf[t->order[k]] = k;
        t->node = VS_COPY(arena, struct vs_box_node, t->node, t->nodes);
    }
    vs_arena_release(&scratch);
    return t->order && t->leaf && t->box && t->node && centre ? VS_OK : VS_ERROR_MEMORY;
}

void vs_triangles_search(const vs_triangles *triangles, const vs_box3 *box, bool (*visit)(void *user, int triangle),
                         void *user) {
    int k = 0;
    while (k < triangles->nodes) {
        const struct vs_box_node *node = triangles->node + k;
        if (!vs_boxes_meet(&node->box, box)) {
            k = node->skip;
            continue;
        }
        for (int j = node->first; j < node->first + node->count; j++)
            if (vs_boxes_meet(&triangles->box[j], box) && !visit(user, triangles->order[j]))
                return;
        k++;
    }
}

void vs_triangles_query(const vs_triangles *triangles, vs_box3 box, bool (*visit)(void *user, int triangle),
                        void *user) {
    vs_triangles_search(triangles, &box, visit, user);
}

// ---- pairs of triangles ----------------------------------------------------------------------------

// Two trees, the first one turned into the axes of the second, and its boxes grown by the reach.
typedef struct tree_pair {
    const vs_triangles *a, *b;
    vs_box_turn turn;
    const double *reach;
} tree_pair;

// Two branches; that of a turned.
typedef struct branches {
    int i, j;
    vs_turned_box a;
} branches;

static bool meet(const tree_pair *p, const vs_turned_box *a, const vs_box3 *b) {
    const vs_box3 grown = vs_box_grown(a, *p->reach);
    return vs_boxes_meet(&grown, b);
}

// The pairs of two leaves. False: stopped.
static bool visit_leaves(const tree_pair *p, const struct vs_box_node *a, const struct vs_box_node *b,
                         bool (*visit)(void *user, int triangle_a, int triangle_b), void *user) {
    for (int i = a->first; i < a->first + a->count; i++) {
        const vs_turned_box turned = vs_box_turn_apply(&p->turn, &p->a->box[i]);
        const vs_box3 grown = vs_box_grown(&turned, *p->reach);
        for (int j = b->first; j < b->first + b->count; j++)
            if (vs_boxes_meet(&grown, &p->b->box[j]) && !visit(user, p->a->order[i], p->b->order[j]))
                return false;
    }
    return true;
}

void vs_triangles_pairs(const vs_triangles *a, vs_pose pose, const vs_triangles *b, const double *reach,
                        bool (*visit)(void *user, int triangle_a, int triangle_b), void *user) {
    branches stack[2 * VS_BOX_TREE_DEPTH_MOST + 1]; // one more per level of either tree
    const tree_pair p = {.a = a, .b = b, .turn = vs_box_turn_of(pose), .reach = reach};
    stack[0] = (branches){0, 0, vs_box_turn_apply(&p.turn, &a->node[0].box)};
    for (int depth = 1; depth > 0;) {
        const branches here = stack[--depth];
        const struct vs_box_node *m = a->node + here.i, *n = b->node + here.j;
        if (!meet(&p, &here.a, &n->box))
            continue;
        if (m->count > 0 && n->count > 0) {
            if (!visit_leaves(&p, m, n, visit, user))
                return;
            continue;
        }
        // The larger one is divided; its first child is visited first.
        const bool divide_a = n->count > 0 || (m->count == 0 && vs_box_extent(&m->box) >= vs_box_extent(&n->box));
        const int first = (divide_a ? here.i : here.j) + 1, second = (divide_a ? a : b)->node[first].skip;
        for (int k = 1; k >= 0; k--, depth++) {
            const int child = k ? second : first;
            stack[depth] = divide_a ? (branches){child, here.j, vs_box_turn_apply(&p.turn, &a->node[child].box)}
                                    : (branches){here.i, child, here.a};
        }
    }
}

vs_box3 vs_triangles_bounds(const vs_triangles *triangles) {
    return triangles->node[0].box;
}

double vs_triangles_size(const vs_triangles *triangles, vs_vec3 from) {
    double most = 0;
    for (int64_t k = 0; k < 3 * (int64_t)triangles->triangles; k++) {
        const vs_vec3 v = vs_subtract(triangles->vertex[triangles->index[k]], from);
        most = fmax(most, vs_dot(v, v));
    }
    return sqrt(most);
}

// ---- making ----------------------------------------------------------------------------------------

vs_error vs_triangles_mesh(vs_arena *arena, const vs_vec3 *vertex, int vertices, const int *triangle, int triangles,
                           vs_triangles *out) {
    *out = (vs_triangles){.vertices = vertices, .triangles = triangles};
    out->vertex = VS_COPY(arena, vs_vec3, vertex, vertices);
    out->index = VS_COPY(arena, int, triangle, 3 * (int64_t)triangles);
    if (!out->vertex || !out->index)
        return VS_ERROR_MEMORY;
    vs_error error = check_mesh(arena->context, out);
    if (!error)
        error = build_tree(arena, out);
    if (!error)
        error = vs_surface_connect(arena, out);
    return error ? error : vs_exposures_find(arena, out);
}

vs_error vs_triangles_height_field(vs_arena *arena, int nx, int ny, double dx, double dy, const double *height,
                                   vs_triangles *out) {
    const double most = 1e30; // m
    *out = (vs_triangles){.vertices = nx * ny, .triangles = 2 * (nx - 1) * (ny - 1)};
    out->vertex = VS_NEW(arena, vs_vec3, out->vertices);
    out->index = VS_NEW(arena, int, 3 * (int64_t)out->triangles);
    if (!out->vertex || !out->index)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < out->vertices; k++) {
        if (!(fabs(height[k]) <= most))
            return vs_fail(arena->context, VS_ERROR_DATA, "height[%d] (i = %d, j = %d) is not finite or too large (%g)",
                           k, k % nx, k / nx, height[k]);
        const int i = k % nx, j = k / nx;
        out->vertex[k] = (vs_vec3){i * dx, j * dy, height[k]};
    }
    int *corner = out->index;
    for (int j = 0; j + 1 < ny; j++)
        for (int i = 0; i + 1 < nx; i++) {
            const int here = j * nx + i, above = here + nx;
            const int cell[6] = {here, here + 1, above + 1, here, above + 1, above};
            for (int k = 0; k < 6; k++)
                *corner++ = cell[k];
        }
    vs_error error = build_tree(arena, out);
    return error ? error : vs_surface_connect(arena, out);
}
