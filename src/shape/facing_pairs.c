// Pairs of triangles of two closed surfaces that may have contacts.
//
// A contact leads along a unit vector d from the point x of one surface to x + g d of the other one, -depth <= g <= envelope.
// Of two branches d is in the box of directions of the first one, and -d in that of the second: where the boxes have nothing
// in common, or no unit vector, the branches face away from each other. Otherwise the box of the first one is moved by all
// g d instead of being grown to all sides: with an envelope of many triangles, those are left that lie in front of each other.
// Where the surfaces touch, the direction between two points is not defined, and only their places count.
#include "shape/box_tree.h"

static const double ROUNDING = 1e-9; // of unit vectors

typedef struct facing {
    const vs_triangles *a, *b;
    vs_box_turn turn, turn_direction; // of a to the axes of b
    const vs_gap_range *range;
    double reach, tolerance, rounding; // m, m, of unit vectors; with the margin and the turn
} facing;

// A branch or a triangle of a, in the axes of b.
typedef struct turned {
    vs_box3 box; // grown by the reach
    vs_exposure exposure;
    bool exposed; // is it known?
} turned;

// Two branches that may meet.
typedef struct branches {
    int i, j;
    turned a;
} branches;

// The triangles of the leaf of a that was visited last.
typedef struct turned_leaf {
    int node; // -1: none
    turned triangle[VS_BOX_TREE_LEAF];
} turned_leaf;

static turned turn_box(const facing *f, const vs_box3 *box) {
    return (turned){.box = vs_box_turned(&f->turn, box, f->reach)};
}

static void expose(const facing *f, turned *a, const vs_exposure *e) {
    if (a->exposed)
        return;
    a->exposure.place = vs_box_turned(&f->turn, &e->place, f->tolerance);
    a->exposure.direction = vs_box_turned(&f->turn_direction, &e->direction, f->rounding);
    a->exposed = true;
}

// One axis: the directions [*low, *high] of the first and the second exposure; false: none. *square: the most of d^2.
static inline bool cut_directions(double low_a, double high_a, double low_b, double high_b, double d[2],
                                  double *square) {
    d[0] = vs_higher(low_a, -high_b);
    d[1] = vs_lower(high_a, -low_b);
    *square += vs_higher(d[0] * d[0], d[1] * d[1]);
    return d[0] <= d[1];
}

// One axis: do places meet after a way of g d?
static inline bool come_together(const vs_gap_range *r, const double d[2], double low_a, double high_a, double low_b,
                                 double high_b) {
    const double least = vs_lower(0, vs_lower(r->envelope * d[0], -r->depth * d[1]));
    const double most = vs_higher(0, vs_higher(r->envelope * d[1], -r->depth * d[0]));
    return low_a + least <= high_b && low_b <= high_a + most;
}

// a: turned.
static bool may_meet(const vs_gap_range *r, const vs_exposure *a, const vs_exposure *b) {
    const vs_box3 *p = &a->place, *q = &b->place, *u = &a->direction, *v = &b->direction;
    double x[2], y[2], z[2], square = 0;
    const bool faced = cut_directions(u->low.x, u->high.x, v->low.x, v->high.x, x, &square) &&
                       cut_directions(u->low.y, u->high.y, v->low.y, v->high.y, y, &square) &&
                       cut_directions(u->low.z, u->high.z, v->low.z, v->high.z, z, &square) && square >= 1 - ROUNDING;
    if (!faced)
        return vs_boxes_meet(p, q);
    return come_together(r, x, p->low.x, p->high.x, q->low.x, q->high.x) &&
           come_together(r, y, p->low.y, p->high.y, q->low.y, q->high.y) &&
           come_together(r, z, p->low.z, p->high.z, q->low.z, q->high.z);
}

// The boxes alone first: most branches and triangles are far from each other.
static bool meet(const facing *f, turned *a, const vs_exposure *exposure, const vs_box3 *box,
                 const vs_exposure *other) {
    if (!vs_boxes_meet(&a->box, box))
        return false;
    expose(f, a, exposure);
    return may_meet(f->range, &a->exposure, other);
}

// The pairs of two leaves. False: stopped.
static bool visit_leaves(const facing *f, const branches *p, turned_leaf *leaf,
                         bool (*visit)(void *user, int triangle_a, int triangle_b), void *user) {
    const vs_triangles *a = f->a, *b = f->b;
    const struct vs_box_node *m = a->node + p->i, *n = b->node + p->j;
    for (int i = 0; i < m->count && leaf->node != p->i; i++)
        leaf->triangle[i] = turn_box(f, &a->box[m->first + i]);
    leaf->node = p->i;
    for (int i = 0; i < m->count; i++) {
        turned *own = &leaf->triangle[i];
        if (!vs_boxes_meet(&own->box, &n->box))
            continue;
        for (int j = n->first; j < n->first + n->count; j++)
            if (meet(f, own, &a->exposure[m->first + i], &b->box[j], &b->exposure[j]) &&
                !visit(user, a->order[m->first + i], b->order[j]))
                return false;
    }
    return true;
}

static bool branches_meet(const facing *f, branches *p) {
    return meet(f, &p->a, &f->a->branch[p->i], &f->b->node[p->j].box, &f->b->branch[p->j]);
}

static facing facing_of(const vs_triangles *a, vs_pose pose, const vs_triangles *b, const vs_gap_range *range) {
    facing f = {.a = a, .b = b, .turn = vs_box_turn_of(pose), .range = range};
    f.turn_direction = f.turn;
    f.turn_direction.position = VS_ZERO3;
    f.reach = vs_higher(range->envelope, range->depth) + range->margin;
    f.tolerance = range->tolerance + range->margin;
    f.rounding = ROUNDING + range->turn;
    return f;
}

void vs_triangles_facing_pairs(const vs_triangles *a, vs_pose pose, const vs_triangles *b, const vs_gap_range *range,
                               bool (*visit)(void *user, int triangle_a, int triangle_b), void *user) {
    const facing f = facing_of(a, pose, b, range);
    turned_leaf leaf = {.node = -1};
    branches stack[2 * VS_BOX_TREE_DEPTH_MOST + 1]; // one more per level of either tree
    stack[0] = (branches){0, 0, turn_box(&f, &a->node[0].box)};
    for (int depth = branches_meet(&f, &stack[0]); depth > 0;) {
        const branches here = stack[--depth];
        const struct vs_box_node *m = a->node + here.i, *n = b->node + here.j;
        if (m->count > 0 && n->count > 0) {
            if (!visit_leaves(&f, &here, &leaf, visit, user))
                return;
            continue;
        }
        // The larger one is divided; its first child is visited first.
        const bool divide_a = n->count > 0 || (m->count == 0 && vs_box_extent(&m->box) >= vs_box_extent(&n->box));
        const int first = (divide_a ? here.i : here.j) + 1, second = (divide_a ? a : b)->node[first].skip;
        for (int k = 1; k >= 0; k--) {
            branches *next = &stack[depth];
            const int child = k ? second : first;
            if (divide_a)
                *next = (branches){child, here.j, turn_box(&f, &a->node[child].box)};
            else
                *next = (branches){here.i, child, here.a};
            depth += branches_meet(&f, next);
        }
    }
}

void vs_triangles_facing_among(const vs_triangles *a, vs_pose pose, const vs_triangles *b, const vs_gap_range *range,
                               const vs_leaf_pairs *among, bool (*visit)(void *user, int triangle_a, int triangle_b),
                               void *user) {
    const facing f = facing_of(a, pose, b, range);
    turned own = {.exposed = false};
    int last = -1; // pairs come in runs with the same first triangle
    for (int64_t k = 0; k < among->count; k++) {
        if ((double)among->apart[k] > among->least)
            continue;
        const vs_leaf_pair p = among->pair[k];
        if (p.a != last)
            own = turn_box(&f, &a->box[p.a]);
        last = p.a;
        if (meet(&f, &own, &a->exposure[p.a], &b->box[p.b], &b->exposure[p.b]) &&
            !visit(user, a->order[p.a], b->order[p.b]))
            return;
    }
}
