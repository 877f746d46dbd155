// Faces of a convex hull, by qhull.
//
// qhull returns facets as sets of vertices with an outward normal; facets that are coplanar to within a tolerance are
// already merged. A facet is a convex polygon, so that the angle about its centre orders its vertices. The result is
// put into an order that depends on the input alone: qhull's own depends on addresses in memory.
// Not done here: checking that the faces form a closed surface (polytope.c).
#include "base/elementary.h"
#include "base/system.h"
#include "shape/build.h"

#include <libqhull_r/libqhull_r.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct corner {
    double angle; // rad
    int vertex;
} corner;

static int compare_corners(const void *a, const void *b) {
    const corner *p = a, *q = b;
    if (p->angle != q->angle)
        return p->angle < q->angle ? -1 : 1;
    return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

static vs_vec3 point_at(const double *coordinates, int k) {
    const double *x = coordinates + 3 * (int64_t)k;
    return (vs_vec3){x[0], x[1], x[2]};
}

// Orders the corners of one face counter-clockwise about n and writes them into loop, the lowest vertex first.
static void order_loop(const double *coordinates, vs_vec3 n, corner *at, int count, int *loop) {
    vs_vec3 centre = VS_ZERO3;
    for (int k = 0; k < count; k++)
        centre = vs_add_scaled(centre, 1. / count, point_at(coordinates, at[k].vertex));
    const vs_vec3 u = vs_normalize(vs_subtract(point_at(coordinates, at[0].vertex), centre)), w = vs_cross(n, u);
    for (int k = 0; k < count; k++) {
        const vs_vec3 r = vs_subtract(point_at(coordinates, at[k].vertex), centre);
        at[k].angle = vs_atan2(vs_dot(w, r), vs_dot(u, r));
    }
    qsort(at, (size_t)count, sizeof *at, compare_corners);
    int first = 0;
    for (int k = 1; k < count; k++)
        if (at[k].vertex < at[first].vertex)
            first = k;
    for (int k = 0; k < count; k++)
        loop[k] = at[(first + k) % count].vertex;
}

typedef struct face {
    int start, count;
    const int *vertex; // of all loops
} face;

// Two faces of a polytope never share a directed edge, hence the first two vertices distinguish them.
static int compare_faces(const void *a, const void *b) {
    const face *p = a, *q = b;
    for (int k = 0; k < 2; k++) {
        const int i = p->vertex[p->start + k], j = q->vertex[q->start + k];
        if (i != j)
            return i < j ? -1 : 1;
    }
    return 0;
}

static void count_corners(qhT *qh, int *faces, int *corners, int *most) {
    facetT *facet;
    *faces = *corners = *most = 0;
    FORALLfacets {
        const int count = qh_setsize(qh, facet->vertices);
        *faces += 1;
        *corners += count;
        if (count > *most)
            *most = count;
    }
}

// Copies qhull's facets into loops.
static vs_error take_facets(qhT *qh, vs_arena *scratch, const double *coordinates, vs_loops *loops) {
    facetT *facet;
    vertexT *vertex, **vertexp;
    int faces, corners, most, used = 0, f = 0;
    count_corners(qh, &faces, &corners, &most);
    int *unsorted = VS_NEW(scratch, int, corners);
    corner *at = VS_NEW(scratch, corner, most);
    face *list = VS_NEW(scratch, face, faces);
    loops->start = VS_NEW(scratch, int, (int64_t)faces + 1);
    loops->vertex = VS_NEW(scratch, int, corners);
    if (!unsorted || !at || !list || !loops->start || !loops->vertex)
        return VS_ERROR_MEMORY;
    FORALLfacets {
        int count = 0;
        // cppcheck-suppress uninitvar ; the macro sets vertex
        FOREACHvertex_(facet->vertices) at[count++] = (corner){0, (int)((vertex->point - coordinates) / 3)};
        if (count < 3 || !facet->normal)
            return VS_ERROR_NUMERICAL;
        // The order of the set depends on qhull's history.
        qsort(at, (size_t)count, sizeof *at, compare_corners);
        const vs_vec3 n = {facet->normal[0], facet->normal[1], facet->normal[2]};
        order_loop(coordinates, n, at, count, unsorted + used);
        list[f++] = (face){used, count, unsorted};
        used += count;
    }
    qsort(list, (size_t)faces, sizeof *list, compare_faces);
    loops->faces = faces;
    loops->start[0] = 0;
    for (f = 0; f < faces; f++) {
        memcpy(loops->vertex + loops->start[f], unsorted + list[f].start, (size_t)list[f].count * sizeof(int));
        loops->start[f + 1] = loops->start[f] + list[f].count;
    }
    return VS_OK;
}

vs_error vs_hull_faces(vs_arena *scratch, double *coordinates, int count, double tolerance, vs_loops *loops) {
    enum { LONGEST = 256 };
    vs_context *context = scratch->context;
    char said[LONGEST] = "", command[LONGEST];
    int left_count, left_bytes;
    // Messages of qhull end up here instead of on the terminal; only the first characters are kept.
    FILE *sink = vs_system_open_text(said, sizeof said);
    if (!sink)
        return vs_fail_memory(context);
    // C-n: merge facets that are coplanar to n; Pp: no warnings about precision.
    (void)snprintf(command, sizeof command, "qhull Pp C-%.3e", tolerance);

    qhT qh;
    qh_zero(&qh, sink);
    vs_error error = VS_ERROR_NUMERICAL;
    const int exit_code = qh_new_qhull(&qh, 3, count, coordinates, False, command, sink, sink);
    if (exit_code == qh_ERRnone)
        error = take_facets(&qh, scratch, coordinates, loops);
    qh_freeqhull(&qh, !qh_ALL);
    qh_memfreeshort(&qh, &left_count, &left_bytes);
    vs_system_close_text(sink, said, sizeof said);
    if (exit_code == qh_ERRmem)
        return vs_fail_memory(context);
    if (error == VS_ERROR_NUMERICAL)
        return vs_fail(context, error, "the hull of %d points failed: %s", count, said);
    return error;
}
