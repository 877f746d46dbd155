// Which triangles meet at an edge of one solid?
//
// Most edges have two triangles. Blocks that touch and were saved without names share edges: there, the triangles around the
// edge are sorted by angle, and a pair is one with matter between the two. With the edge along e, a triangle on the side a
// of it and its normal outward:
//
//     runs along  e:  normal e x a,  matter towards smaller angles
//     runs along -e:  normal a x e,  matter towards larger angles
//
// so each triangle of the second kind belongs to the next one of the first kind at a larger angle. Triangles that coincide
// (touching faces) are a full turn apart, whichever of them rounding places first. Files have about six digits: faces that are
// divided by different diagonals coincide only to so many.
#include "base/elementary.h"
#include "cad/cad_data.h"

#include <stdlib.h>

enum { FAN_MOST = 64 }; // triangles at an edge; more are paired in their order
static const double SAME_ANGLE = 1e-4, TURN = 6.283185307179586;

static int compare(const void *a, const void *b) {
    const vs_half_edge *p = a, *q = b;
    if (p->object != q->object)
        return p->object < q->object ? -1 : 1;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return (p->number > q->number) - (p->number < q->number);
}

static void join(int *partner, const vs_half_edge *a, const vs_half_edge *b) {
    partner[a->number] = b->number;
    partner[b->number] = a->number;
}

// Angle of a triangle about its edge from `u`, w = e x u; 0 … 2 pi.
static double angle_of(const vs_soup *soup, const vs_half_edge *h, vs_vec3 u, vs_vec3 w) {
    const int *corner = soup->index + 3 * (int64_t)(h->number / 3);
    const vs_vec3 r = vs_subtract(soup->vertex[corner[(h->number + 2) % 3]], soup->vertex[h->low]);
    const double angle = vs_atan2(vs_dot(w, r), vs_dot(u, r));
    return angle < 0 ? angle + TURN : angle;
}

// From one angle to the next one at a larger angle; more than SAME_ANGLE, at most a turn and as much.
static double turn_between(double from, double to) {
    const double apart = to - from < -SAME_ANGLE ? to - from + TURN : to - from;
    return apart <= SAME_ANGLE ? apart + TURN : apart;
}

static void pair_fan(const vs_soup *soup, const vs_half_edge *fan, int count, int *partner) {
    double angle[FAN_MOST];
    const vs_vec3 e = vs_normalize(vs_subtract(soup->vertex[fan->high], soup->vertex[fan->low]));
    const int third = soup->index[3 * (int64_t)(fan->number / 3) + (fan->number + 2) % 3];
    const vs_vec3 r = vs_subtract(soup->vertex[third], soup->vertex[fan->low]);
    const vs_vec3 u = vs_normalize(vs_add_scaled(r, -vs_dot(r, e), e)), w = vs_cross(e, u);
    for (int k = 0; k < count; k++)
        angle[k] = angle_of(soup, &fan[k], u, w);
    for (int k = 0; k < count; k++) {
        int best = -1;
        double least = 0;
        for (int j = 0; j < count && fan[k].back; j++) {
            const double apart = turn_between(angle[k], angle[j]);
            if (!fan[j].back && partner[fan[j].number] < 0 && (best < 0 || apart < least)) {
                best = j;
                least = apart;
            }
        }
        if (best >= 0)
            join(partner, &fan[k], &fan[best]);
    }
}

// One after the other, in opposite directions.
static void pair_in_order(const vs_half_edge *fan, int64_t count, int *partner) {
    int64_t j = 0;
    for (int64_t k = 0; k < count; k++) {
        if (!fan[k].back)
            continue;
        while (j < count && fan[j].back)
            j++;
        if (j == count)
            return;
        join(partner, &fan[k], &fan[j++]);
    }
}

vs_error vs_edges_pair(vs_arena *arena, const vs_soup *soup, const int *owner, int **partner) {
    const int64_t sides = 3 * (int64_t)soup->triangles;
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    vs_half_edge *edge = VS_NEW(&scratch, vs_half_edge, sides);
    *partner = VS_NEW(arena, int, sides);
    int64_t count = 0;
    for (int64_t k = 0; k < sides && edge && *partner; k++) {
        const int *corner = soup->index + 3 * (k / 3);
        const int i = corner[k % 3], j = corner[(k + 1) % 3];
        (*partner)[k] = -1;
        edge[count++] = (vs_half_edge){owner[k / 3], i < j ? i : j, i < j ? j : i, (int)k, i > j};
    }
    if (!edge || !*partner) {
        vs_arena_release(&scratch);
        return VS_ERROR_MEMORY;
    }
    qsort(edge, (size_t)count, sizeof *edge, compare);
    for (int64_t k = 0, end; k < count; k = end) {
        for (end = k + 1; end < count; end++)
            if (edge[end].object != edge[k].object || edge[end].low != edge[k].low || edge[end].high != edge[k].high)
                break;
        // Two triangles belong together also if one of them is inside out.
        if (end - k == 2)
            join(*partner, &edge[k], &edge[k + 1]);
        else if (end - k > FAN_MOST)
            pair_in_order(edge + k, end - k, *partner);
        else if (end - k > 2)
            pair_fan(soup, edge + k, (int)(end - k), *partner);
    }
    vs_arena_release(&scratch);
    return VS_OK;
}

void vs_triangle_turn_over(vs_soup *soup, int *partner, int triangle) {
    int *corner = soup->index + 3 * (int64_t)triangle, *side = partner + 3 * (int64_t)triangle;
    const int second = corner[1], first = side[0];
    corner[1] = corner[2], corner[2] = second;
    side[0] = side[2], side[2] = first;
    for (int k = 0; k < 3; k++)
        if (side[k] >= 0)
            partner[side[k]] = 3 * triangle + k;
}
