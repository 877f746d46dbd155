// Where a closed surface can be touched, and from which sides: see vs_exposure.
//
// A contact of a vertex or an edge lies along a unit vector d from which the surface recedes,
//
//     r . d <= s    for some unit vectors r and small s,
//
// to its neighbours, or across the edge into its triangles; d points out of the solid. The set of these d is a part of the
// sphere whose sides are arcs of circles. A component of d is greatest on its axis, where the plane through the axis and r cuts
// a circle, or in a corner, where two circles meet: all of these that belong to the set span the box.
// A contact of a face lies along its normal.
#include "shape/box_tree.h"
#include "shape/build.h"

#include <math.h>

enum { LIMITS_MOST = 18 };          // beyond it the box of the whole sphere is taken
static const double MARGIN = 1e-5;  // of r . d, for rounding where two circles almost touch
static const double WIDER = 1e-4;   // of the boxes of directions, likewise
static const double UPRIGHT = 1e-5; // cosine of the angle between an edge and its contacts
static const double SAME = 1e-10;   // sine^2 of the angle between axes of circles that do not cross

static const vs_box3 NOWHERE = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
static const vs_box3 ALL_AROUND = {{-1, -1, -1}, {1, 1, 1}};

typedef struct limits {
    int count;
    vs_vec3 axis[LIMITS_MOST];
    double most[LIMITS_MOST]; // axis . d <= most
} limits;

static void limit(limits *l, vs_vec3 axis, double most) {
    l->axis[l->count] = axis;
    l->most[l->count++] = most;
}

static vs_box3 add_point(vs_box3 box, vs_vec3 x) {
    return vs_box_merge(box, (vs_box3){x, x});
}

// Adds d, if it is within the limits besides i and j, to which it belongs.
static void offer(const limits *l, vs_vec3 d, int i, int j, vs_box3 *box) {
    for (int k = 0; k < l->count; k++)
        if (k != i && k != j && vs_dot(l->axis[k], d) > l->most[k] + MARGIN)
            return;
    *box = add_point(*box, d);
}

static void offer_pair(const limits *l, int i, int j, vs_box3 *box) {
    const vs_vec3 r = l->axis[i], q = l->axis[j];
    const double c = vs_dot(r, q), sine2 = 1 - c * c;
    if (!(sine2 > SAME))
        return;
    const double alpha = (l->most[i] - c * l->most[j]) / sine2, beta = (l->most[j] - c * l->most[i]) / sine2;
    const vs_vec3 middle = vs_add(vs_scale(alpha, r), vs_scale(beta, q));
    const double rest = (1 - vs_dot(middle, middle)) / sine2;
    for (int sign = -1; sign <= 1 && rest >= 0; sign += 2)
        offer(l, vs_add_scaled(middle, sign * sqrt(rest), vs_cross(r, q)), i, j, box);
}

static vs_box3 directions_within(const limits *l) {
    vs_box3 box = NOWHERE;
    for (int k = 0; k < 6; k++) {
        const double sign = k < 3 ? 1 : -1;
        const vs_vec3 e = {sign * (k % 3 == 0), sign * (k % 3 == 1), sign * (k % 3 == 2)};
        offer(l, e, -1, -1, &box);
        for (int i = 0; i < l->count; i++) {
            const vs_vec3 r = l->axis[i], across = vs_normalize(vs_add_scaled(e, -vs_dot(e, r), r));
            const double radius = sqrt(1 - l->most[i] * l->most[i]);
            offer(l, vs_add_scaled(vs_scale(l->most[i], r), radius, across), i, -1, &box);
        }
    }
    for (int i = 0; i < l->count; i++)
        for (int j = 0; j < i; j++)
            offer_pair(l, i, j, &box);
    return box;
}

static vs_box3 directions_of_vertex(const vs_triangles *t, int vertex) {
    const vs_surface *s = &t->surface;
    const int begin = s->neighbour_start[vertex], end = s->neighbour_start[vertex + 1];
    if (end - begin >= LIMITS_MOST)
        return ALL_AROUND;
    limits l = {.count = 0};
    limit(&l, vs_scale(-1, s->outward[vertex]), 0);
    for (int k = begin; k < end; k++)
        limit(&l, vs_normalize(vs_subtract(t->vertex[s->neighbour[k]], t->vertex[vertex])), VS_SURFACE_SLACK);
    return directions_within(&l);
}

static vs_box3 directions_of_edge(const vs_triangles *t, const vs_surface_edge *edge) {
    const vs_surface *s = &t->surface;
    const vs_vec3 along = vs_normalize(vs_subtract(t->vertex[edge->vertex[1]], t->vertex[edge->vertex[0]]));
    const vs_vec3 outward = vs_normalize(vs_add(s->normal[edge->triangle[0]], s->normal[edge->triangle[1]]));
    limits l = {.count = 0};
    limit(&l, vs_scale(-1, outward), 0);
    limit(&l, along, UPRIGHT);
    limit(&l, vs_scale(-1, along), UPRIGHT);
    for (int k = 0; k < 2; k++)
        limit(&l, vs_surface_across(t, edge, k), VS_SURFACE_SLACK);
    return directions_within(&l);
}

// A vertex over a valley meets the faces on both sides of it, below the neighbour.
static vs_box3 place_of(const vs_triangles *t, int triangle) {
    const vs_surface *s = &t->surface;
    const vs_vec3 n = s->normal[triangle], v = t->vertex[s->corner[3 * (int64_t)triangle]];
    vs_box3 box = vs_triangle_box(t, triangle);
    for (int k = 0; k < 3; k++) {
        const vs_surface_edge *edge = &s->edge[s->side[3 * (int64_t)triangle + k]];
        if (!(edge->fold > VS_SURFACE_FLAT))
            continue;
        const int *corner = s->corner + 3 * (int64_t)edge->triangle[edge->triangle[0] == triangle];
        for (int i = 0; i < 3; i++) {
            const vs_vec3 x = t->vertex[corner[i]];
            box = add_point(box, vs_add_scaled(x, -vs_dot(n, vs_subtract(x, v)), n));
        }
    }
    return box;
}

static vs_exposure exposure_of(const vs_triangles *t, int triangle) {
    const vs_surface *s = &t->surface;
    vs_exposure e = {place_of(t, triangle), {s->normal[triangle], s->normal[triangle]}};
    for (int64_t k = 3 * (int64_t)triangle; k < 3 * (int64_t)triangle + 3; k++) {
        const vs_surface_edge *edge = &s->edge[s->side[k]];
        if (s->owner[s->corner[k]] == triangle)
            e.direction = vs_box_merge(e.direction, directions_of_vertex(t, s->corner[k]));
        if (edge->triangle[0] == triangle && vs_surface_sticks_out(s, edge))
            e.direction = vs_box_merge(e.direction, directions_of_edge(t, edge));
    }
    const vs_vec3 wider = {WIDER, WIDER, WIDER};
    e.direction = (vs_box3){vs_subtract(e.direction.low, wider), vs_add(e.direction.high, wider)};
    return e;
}

static vs_exposure merge_exposures(vs_exposure a, vs_exposure b) {
    return (vs_exposure){vs_box_merge(a.place, b.place), vs_box_merge(a.direction, b.direction)};
}

vs_error vs_exposures_find(vs_arena *arena, vs_triangles *t) {
    if (!t->surface.closed)
        return VS_OK;
    t->exposure = VS_NEW(arena, vs_exposure, t->triangles);
    t->branch = VS_NEW(arena, vs_exposure, t->nodes);
    if (!t->exposure || !t->branch)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < t->triangles; k++)
        t->exposure[k] = exposure_of(t, t->order[k]);
    for (int k = t->nodes - 1; k >= 0; k--) { // children follow their parents
        const struct vs_box_node *node = &t->node[k];
        if (node->count == 0) {
            t->branch[k] = merge_exposures(t->branch[k + 1], t->branch[t->node[k + 1].skip]);
            continue;
        }
        t->branch[k] = t->exposure[node->first];
        for (int i = 1; i < node->count; i++)
            t->branch[k] = merge_exposures(t->branch[k], t->exposure[node->first + i]);
    }
    return VS_OK;
}
