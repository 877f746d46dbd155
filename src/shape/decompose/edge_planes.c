// Planes through concave edges: see edge_planes.h.
#include "shape/decompose/edge_planes.h"

#include <math.h>

static const double CONCAVE = .02; // sine of the least fold of an edge through which cuts are tried

// A concave edge by its weight, the sine of its fold times its length.
typedef struct sharp_edge {
    int edge;
    double weight;
} sharp_edge;

static double weight_of(const vs_triangles *t, const vs_surface_edge *edge) {
    const double length = vs_length(vs_subtract(t->vertex[edge->vertex[1]], t->vertex[edge->vertex[0]]));
    return edge->fold > CONCAVE ? edge->fold * length : 0;
}

static bool is_known(const vs_edge_planes *planes, const vs_plane3 *plane) {
    for (int64_t k = 0; k < planes->plane.count; k++) {
        const vs_plane3 *other = &planes->plane.data[k];
        const double cosine = vs_dot(plane->normal, other->normal);
        if (fabs(cosine) > 1 - 1e-9 &&
            fabs(copysign(plane->offset, cosine * plane->offset) - other->offset) < 1e3 * planes->tolerance)
            return true;
    }
    return false;
}

// The planes of the faces at one edge.
static vs_error add_planes(vs_edge_planes *planes, const vs_surface_edge *edge) {
    const vs_triangles *t = planes->mesh;
    vs_error error = VS_OK;
    for (int k = 0; k < 2 && !error; k++) {
        vs_plane3 plane = {.normal = t->surface.normal[edge->triangle[k]]};
        plane.offset = vs_dot(plane.normal, t->vertex[edge->vertex[0]]);
        if (is_known(planes, &plane))
            continue;
        error = VS_RESERVE(planes->context, &planes->plane, planes->plane.count + 1);
        if (!error)
            planes->plane.data[planes->plane.count++] = plane;
    }
    return error;
}

vs_error vs_edge_planes_find(vs_edge_planes *planes, int count, double work) {
    const vs_triangles *t = planes->mesh;
    double below = INFINITY;
    int last = -1;
    vs_error error = VS_OK;
    while (planes->plane.count < count && planes->work < work && !error) {
        sharp_edge best = {-1, 0};
        planes->work += t->surface.edges;
        for (int k = 0; k < t->surface.edges; k++) {
            const double weight = weight_of(t, &t->surface.edge[k]);
            if (weight > best.weight && (weight < below || (weight == below && k > last)))
                best = (sharp_edge){k, weight};
        }
        if (best.edge < 0)
            break;
        below = best.weight;
        last = best.edge;
        error = add_planes(planes, &t->surface.edge[best.edge]);
    }
    return error;
}
