// The tree of bounding boxes over triangles, for the files that walk through it.
#ifndef VS_SHAPE_BOX_TREE_H
#define VS_SHAPE_BOX_TREE_H

#include "shape/shape_data.h"

enum {
    VS_BOX_TREE_HALVING_FROM = 48,                          // depth from which ranges are halved by count
    VS_BOX_TREE_DEPTH_MOST = VS_BOX_TREE_HALVING_FROM + 30, // levels
    VS_BOX_TREE_LEAF = 4,                                   // triangles in a leaf, at most
};

struct vs_box_node {
    vs_box3 box;
    int skip;         // the node after this branch
    int first, count; // of order; count 0: not a leaf
};

// Comparisons instead of fmin and fmax, which are calls: there is no NaN here, and a tree needs 10^8 of them.
static inline double vs_lower(double a, double b) {
    return a < b ? a : b;
}

static inline double vs_higher(double a, double b) {
    return a > b ? a : b;
}

static inline vs_box3 vs_box_merge(vs_box3 a, vs_box3 b) {
    return (vs_box3){{vs_lower(a.low.x, b.low.x), vs_lower(a.low.y, b.low.y), vs_lower(a.low.z, b.low.z)},
                     {vs_higher(a.high.x, b.high.x), vs_higher(a.high.y, b.high.y), vs_higher(a.high.z, b.high.z)}};
}

static inline vs_vec3 vs_box_middle(vs_box3 box) {
    return vs_scale(.5, vs_add(box.low, box.high));
}

static inline double vs_box_extent(const vs_box3 *box) { // m^2
    const vs_vec3 d = vs_subtract(box->high, box->low);
    return vs_dot(d, d);
}

static inline vs_box3 vs_triangle_box(const vs_triangles *t, int triangle) {
    const int *corner = t->index + 3 * (int64_t)triangle;
    vs_box3 box = {t->vertex[corner[0]], t->vertex[corner[0]]};
    for (int c = 1; c < 3; c++)
        box = vs_box_merge(box, (vs_box3){t->vertex[corner[c]], t->vertex[corner[c]]});
    return box;
}

// A pose that turns boxes into the axes of another tree.
typedef struct vs_box_turn {
    vs_mat3 rotation, size; // the absolute values of its entries
    vs_vec3 position;
} vs_box_turn;

static inline vs_box_turn vs_box_turn_of(vs_pose pose) {
    vs_box_turn turn = {.rotation = vs_quat_matrix(pose.rotation), .position = pose.position};
    for (int k = 0; k < 9; k++)
        turn.size.a[k] = turn.rotation.a[k] < 0 ? -turn.rotation.a[k] : turn.rotation.a[k];
    return turn;
}

// The box about a turned box: its middle and half of its sides.
typedef struct vs_turned_box {
    vs_vec3 centre, half;
} vs_turned_box;

static inline vs_turned_box vs_box_turn_apply(const vs_box_turn *turn, const vs_box3 *box) {
    const vs_vec3 half = vs_scale(.5, vs_subtract(box->high, box->low));
    return (vs_turned_box){vs_add(turn->position, vs_mat3_apply(&turn->rotation, vs_box_middle(*box))),
                           vs_mat3_apply(&turn->size, half)};
}

static inline vs_box3 vs_box_grown(const vs_turned_box *turned, double margin) {
    const vs_vec3 extent = vs_add(turned->half, (vs_vec3){margin, margin, margin});
    return (vs_box3){vs_subtract(turned->centre, extent), vs_add(turned->centre, extent)};
}

// The box about the turned box, grown by a margin.
static inline vs_box3 vs_box_turned(const vs_box_turn *turn, const vs_box3 *box, double margin) {
    const vs_turned_box turned = vs_box_turn_apply(turn, box);
    return vs_box_grown(&turned, margin);
}

#endif
