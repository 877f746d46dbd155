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
    double reach; // m
} facing;

static vs_exposure turn_exposure(const facing *f, const vs_exposure *e) {
    return (vs_exposure){vs_box_turned(&f->turn, &e->place, f->range->tolerance),
                         vs_box_turned(&f->turn_direction, &e->direction, ROUNDING)};
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

// The pairs of two leaves. False: stopped.
static bool visit_leaves(const facing *f, const struct vs_box_node *m, const struct vs_box_node *n,
                         bool (*visit)(void *user, int triangle_a, int triangle_b), void *user) {
    for (int i = m->first; i < m->first + m->count; i++) {
        const vs_box3 own = vs_triangle_box(f->a, f->a->order[i]), box = vs_box_turned(&f->turn, &own, f->reach);
        vs_exposure turned;
        bool known = false;
        for (int j = n->first; j < n->first + n->count; j++) {
            const vs_box3 other = vs_triangle_box(f->b, f->b->order[j]);
            if (!vs_boxes_meet(&box, &other))
                continue;
            if (!known)
                turned = turn_exposure(f, &f->a->exposure[i]);
            known = true;
            if (may_meet(f->range, &turned, &f->b->exposure[j]) && !visit(user, f->a->order[i], f->b->order[j]))
                return false;
        }
    }
    return true;
}

// The boxes alone first: most branches are far from each other.
static bool branches_meet(const facing *f, int i, int j) {
    const vs_box3 box = vs_box_turned(&f->turn, &f->a->node[i].box, f->reach);
    if (!vs_boxes_meet(&box, &f->b->node[j].box))
        return false;
    const vs_exposure turned = turn_exposure(f, &f->a->branch[i]);
    return may_meet(f->range, &turned, &f->b->branch[j]);
}

void vs_triangles_facing_pairs(const vs_triangles *a, vs_pose pose, const vs_triangles *b, const vs_gap_range *range,
                               bool (*visit)(void *user, int triangle_a, int triangle_b), void *user) {
    facing f = {.a = a, .b = b, .turn = vs_box_turn_of(pose), .range = range};
    f.turn_direction = f.turn;
    f.turn_direction.position = VS_ZERO3;
    f.reach = vs_higher(range->envelope, range->depth);
    int stack[4 * VS_BOX_TREE_DEPTH_MOST][2] = {{0, 0}}; // one more per level of either tree
    for (int depth = 1; depth > 0;) {
        const int i = stack[--depth][0], j = stack[depth][1];
        const struct vs_box_node *m = a->node + i, *n = b->node + j;
        if (!branches_meet(&f, i, j))
            continue;
        if (m->count > 0 && n->count > 0) {
            if (!visit_leaves(&f, m, n, visit, user))
                return;
            continue;
        }
        // The larger one is divided.
        const bool divide_a = n->count > 0 || (m->count == 0 && vs_box_extent(&m->box) >= vs_box_extent(&n->box));
        const int child[2] = {(divide_a ? i : j) + 1, divide_a ? a->node[i + 1].skip : b->node[j + 1].skip};
        for (int k = 1; k >= 0; k--, depth++) {
            stack[depth][0] = divide_a ? child[k] : i;
            stack[depth][1] = divide_a ? j : child[k];
        }
    }
}
