// Faces of files into triangles: by ear clipping, in the plane of the mean normal.
#include "shape/build.h"

#include <math.h>
#include <string.h>

typedef struct polygon {
    int count;
    int vertex[VS_POLYGON_MOST];
    double x[VS_POLYGON_MOST], y[VS_POLYGON_MOST]; // in its plane
} polygon;

// Coordinates in the plane of Newell's normal.
static void flatten(polygon *p, const vs_vec3 *vertex) {
    const vs_vec3 o = vertex[p->vertex[0]];
    vs_vec3 n = VS_ZERO3;
    for (int k = 1; k + 1 < p->count; k++)
        n = vs_add(n, vs_cross(vs_subtract(vertex[p->vertex[k]], o), vs_subtract(vertex[p->vertex[k + 1]], o)));
    n = vs_normalize(n);
    const vs_vec3 other = fabs(n.x) < .6 ? (vs_vec3){1, 0, 0} : (vs_vec3){0, 1, 0};
    const vs_vec3 u = vs_normalize(vs_cross(other, n)), w = vs_cross(n, u);
    for (int k = 0; k < p->count; k++) {
        const vs_vec3 r = vs_subtract(vertex[p->vertex[k]], o);
        p->x[k] = vs_dot(u, r);
        p->y[k] = vs_dot(w, r);
    }
}

// Twice the area of three corners, positive when counter-clockwise.
static double turn(const polygon *p, int a, int b, int c) {
    return (p->x[b] - p->x[a]) * (p->y[c] - p->y[a]) - (p->y[b] - p->y[a]) * (p->x[c] - p->x[a]);
}

// Is corner k an ear: convex, and with no other corner in its triangle?
static bool is_ear(const polygon *p, int k) {
    const int a = (k + p->count - 1) % p->count, c = (k + 1) % p->count;
    if (!(turn(p, a, k, c) > 0))
        return false;
    for (int j = 0; j < p->count; j++) {
        const int v = p->vertex[j];
        // Corners of the triangle itself may be repeated (a slit).
        if (v == p->vertex[a] || v == p->vertex[k] || v == p->vertex[c])
            continue;
        if (turn(p, a, k, j) >= 0 && turn(p, k, c, j) >= 0 && turn(p, c, a, j) >= 0)
            return false;
    }
    return true;
}

static void remove_corner(polygon *p, int k) {
    const size_t rest = (size_t)(p->count - 1 - k);
    memmove(p->vertex + k, p->vertex + k + 1, rest * sizeof *p->vertex);
    memmove(p->x + k, p->x + k + 1, rest * sizeof *p->x);
    memmove(p->y + k, p->y + k + 1, rest * sizeof *p->y);
    p->count--;
}

void vs_polygon_cut(const vs_vec3 *vertex, const int *corner, int count, int *index) {
    polygon rest, *p = &rest;
    p->count = count;
    memcpy(p->vertex, corner, (size_t)count * sizeof *corner);
    if (count > 3)
        flatten(p, vertex);
    for (int start = 1; p->count > 3;) {
        // Where there is no ear (a polygon that crosses itself), any corner serves.
        int k = start % p->count, tried = 0;
        while (tried < p->count && !is_ear(p, k)) {
            k = (k + 1) % p->count;
            tried++;
        }
        const int ear[3] = {p->vertex[(k + p->count - 1) % p->count], p->vertex[k], p->vertex[(k + 1) % p->count]};
        memcpy(index, ear, sizeof ear);
        index += 3;
        remove_corner(p, k);
        // Continue after the clipped corner, or a convex polygon would become a fan about one corner.
        start = k + 1;
    }
    memcpy(index, p->vertex, 3 * sizeof *index);
}
