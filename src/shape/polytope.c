// Convex polytopes: the box, and the hull of points.
//
//     face f:  normal_f . x <= offset_f for all x of the polytope,  vertices counter-clockwise about normal_f
//     edge e:  vertices i < j; its first face runs from i to j, its second from j to i
//
// Both come from loops of vertices (vs_loops): planes and edges are derived and then checked (every edge once in each
// direction, V - E + F = 2, convex across every edge), so that a polytope that exists is valid whatever the points
// were. All arrays lie in one block, which begins with the vertices: there may be many small hulls.
#include "shape/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Relative to half the largest extent:
static const double COPLANAR = 3e-7; // one face; coordinates of STL files are accurate to 6e-8
static const double FLAT = 1e-6;     // thinner than this is not a solid

void vs_polytope_release(vs_context *context, vs_polytope *polytope) {
    vs_release(context, polytope->vertex);
    *polytope = (vs_polytope){0};
}

// One block for all arrays; the counts are set.
static vs_error allocate(vs_context *context, int vertices, int faces, int corners, int edges, vs_polytope *p) {
    const size_t vectors = 2 * (size_t)vertices + (size_t)faces;
    const size_t ints = (size_t)faces + 1 + (size_t)corners + 4 * (size_t)edges;
    char *block = vs_allocate(context, vectors * sizeof(vs_vec3) + (size_t)faces * sizeof(double) + ints * sizeof(int));
    if (!block) {
        (void)vs_fail_memory(context);
        return VS_ERROR_MEMORY;
    }
    *p = (vs_polytope){.vertices = vertices, .faces = faces, .edges = edges};
    p->vertex = (vs_vec3 *)(void *)block;
    p->inset = p->vertex + vertices;
    p->normal = p->inset + vertices;
    p->offset = (double *)(void *)(p->normal + faces);
    p->face_start = (int *)(void *)(p->offset + faces);
    p->face_vertex = p->face_start + faces + 1;
    p->edge = p->face_vertex + corners;
    return VS_OK;
}

// ---- insets ----------------------------------------------------------------------------------------

static vs_vec3 middle_of(const vs_polytope *p) {
    vs_vec3 sum = VS_ZERO3;
    for (int k = 0; k < p->vertices; k++)
        sum = vs_add(sum, p->vertex[k]);
    return vs_scale(1.0 / p->vertices, sum);
}

// m; how far x is behind the nearest of all faces.
static double depth_of(const vs_polytope *p, vs_vec3 x) {
    double least = INFINITY;
    for (int f = 0; f < p->faces; f++) {
        const double depth = p->offset[f] - vs_dot(p->normal[f], x);
        least = depth < least ? depth : least;
    }
    return least;
}

// The way d of each vertex with n.d = -1 for the faces about it, by least squares,
//
//     (sum n n') d = -sum n
//
// Where faces are so short that they vanish, this may lead out of the polytope: such a vertex moves towards the middle.
static vs_error set_insets(vs_context *context, vs_polytope *p) {
    vs_mat3 *matrix = vs_allocate(context, (size_t)p->vertices * sizeof *matrix);
    if (!matrix)
        return vs_fail_memory(context);
    for (int k = 0; k < p->vertices; k++)
        matrix[k] = (vs_mat3){{0}}, p->inset[k] = VS_ZERO3;
    for (int f = 0; f < p->faces; f++)
        for (int k = p->face_start[f]; k < p->face_start[f + 1]; k++) {
            const int vertex = p->face_vertex[k];
            const double n[3] = {p->normal[f].x, p->normal[f].y, p->normal[f].z};
            for (int i = 0; i < 9; i++)
                matrix[vertex].a[i] += n[i / 3] * n[i % 3];
            p->inset[vertex] = vs_subtract(p->inset[vertex], p->normal[f]);
        }
    const vs_vec3 middle = middle_of(p);
    const double inner = fmax(depth_of(p, middle), 0);
    for (int k = 0; k < p->vertices; k++) {
        const vs_vec3 d = vs_mat3_solve(&matrix[k], p->inset[k]);
        const bool inside = isfinite(vs_dot(d, d)) && depth_of(p, vs_add_scaled(p->vertex[k], .5 * inner, d)) >= 0;
        p->inset[k] = inside ? d : vs_scale(inner > 0 ? 1 / inner : 0, vs_subtract(middle, p->vertex[k]));
    }
    vs_release(context, matrix);
    return VS_OK;
}

vs_error vs_polytope_box(vs_context *context, vs_vec3 half, vs_polytope *polytope) {
    // Bit k of a vertex: the positive side of axis k. Faces -x, +x, -y, +y, -z, +z.
    static const int loop[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    static const int edge[48] = {0, 1, 2, 4, 0, 2, 4, 0, 0, 4, 0, 2, 1, 3, 1, 4, 1, 5, 2, 1, 2, 3, 4, 3,
                                 2, 6, 3, 0, 3, 7, 1, 3, 4, 5, 5, 2, 4, 6, 0, 5, 5, 7, 5, 1, 6, 7, 3, 5};
    vs_polytope p;
    vs_error error = allocate(context, 8, 6, 24, 12, &p);
    if (error)
        return error;
    for (int k = 0; k < 8; k++)
        p.vertex[k] = (vs_vec3){k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
    for (int f = 0; f < 6; f++) {
        const double side = f & 1 ? 1 : -1;
        p.normal[f] = (vs_vec3){f / 2 == 0 ? side : 0, f / 2 == 1 ? side : 0, f / 2 == 2 ? side : 0};
        p.offset[f] = vs_component(half, f / 2);
    }
    for (int f = 0; f <= 6; f++)
        p.face_start[f] = 4 * f;
    memcpy(p.face_vertex, loop, sizeof loop);
    memcpy(p.edge, edge, sizeof edge);
    for (int k = 0; k < 8; k++)
        p.inset[k] = (vs_vec3){k & 1 ? -1 : 1, k & 2 ? -1 : 1, k & 4 ? -1 : 1};
    *polytope = p;
    return VS_OK;
}

// ---- points ----------------------------------------------------------------------------------------

// The points moved and scaled into [-1, 1]^3, where the tolerances are absolute and nothing overflows.
typedef struct unit_points {
    vs_vec3 centre; // m
    double scale;   // m; half the largest extent
    double *at;     // (3 count)
} unit_points;

static vs_error make_unit(vs_arena *scratch, const vs_vec3 *point, int count, unit_points *out) {
    const double most = 1e30, least = 1e-30; // m
    vs_vec3 low = point[0], high = point[0];
    for (int k = 0; k < count; k++) {
        const vs_vec3 v = point[k];
        if (!(fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most)) {
            (void)vs_fail(scratch->context, VS_ERROR_DATA, "point[%d] is not finite or too large (%g, %g, %g)", k, v.x,
                          v.y, v.z);
            return VS_ERROR_DATA;
        }
        low = (vs_vec3){fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z)};
        high = (vs_vec3){fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z)};
    }
    const vs_vec3 extent = vs_subtract(high, low);
    out->centre = vs_scale(.5, vs_add(low, high));
    out->scale = .5 * fmax(extent.x, fmax(extent.y, extent.z));
    if (out->scale < least) {
        (void)vs_fail(scratch->context, VS_ERROR_DATA, "all %d points are the same", count);
        return VS_ERROR_DATA;
    }
    out->at = VS_NEW(scratch, double, 3 * (int64_t)count);
    if (!out->at)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < count; k++) {
        const vs_vec3 v = vs_subtract(point[k], out->centre);
        double *x = out->at + 3 * (int64_t)k;
        x[0] = v.x / out->scale, x[1] = v.y / out->scale, x[2] = v.z / out->scale;
    }
    return VS_OK;
}

static vs_vec3 unit_at(const unit_points *unit, int k) {
    const double *x = unit->at + 3 * (int64_t)k;
    return (vs_vec3){x[0], x[1], x[2]};
}

// Do the points span a volume? Finds the farthest from a point, from the line through both, from the plane through the
// three.
static vs_error check_solid(vs_context *context, const unit_points *unit, int count) {
    static const char *const where[3] = {"at one point", "on one line", "in one plane"};
    const vs_vec3 origin = unit_at(unit, 0);
    vs_vec3 axis[3]; // orthonormal, as far as known
    for (int known = 0; known < 3; known++) {
        double most = 0;
        vs_vec3 best = VS_ZERO3;
        for (int k = 0; k < count; k++) {
            vs_vec3 r = vs_subtract(unit_at(unit, k), origin);
            for (int j = 0; j < known; j++)
                r = vs_add_scaled(r, -vs_dot(axis[j], r), axis[j]);
            const double far = vs_length(r);
            if (far > most) {
                most = far;
                best = r;
            }
        }
        if (most < FLAT)
            return vs_fail(context, VS_ERROR_DATA, "all %d points lie %s (to within %g of their extent)", count,
                           where[known], FLAT);
        axis[known] = vs_normalize(best);
    }
    return VS_OK;
}

// ---- from loops to a polytope ----------------------------------------------------------------------

typedef struct half_edge {
    int low, high, face;
    int back; // 1: runs from high to low
} half_edge;

static int compare_edges(const void *a, const void *b) {
    const half_edge *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return p->back - q->back;
}

// Numbers the vertices that occur in loops 0, 1, … in the order of the points; returns their number.
static int number_vertices(vs_loops *loops, int *number, int count) {
    const int corners = loops->start[loops->faces];
    int vertices = 0;
    for (int k = 0; k < count; k++)
        number[k] = -1;
    for (int k = 0; k < corners; k++)
        number[loops->vertex[k]] = 0;
    for (int k = 0; k < count; k++)
        if (number[k] == 0)
            number[k] = vertices++;
    for (int k = 0; k < corners; k++)
        loops->vertex[k] = number[loops->vertex[k]];
    return vertices;
}

// Sorted half edges: partners are adjacent. False unless every edge is traversed once in each direction.
static bool pair_edges(const vs_loops *loops, half_edge *list) {
    const int corners = loops->start[loops->faces];
    for (int f = 0; f < loops->faces; f++) {
        const int begin = loops->start[f], end = loops->start[f + 1];
        for (int k = begin; k < end; k++) {
            const int i = loops->vertex[k], j = loops->vertex[k + 1 < end ? k + 1 : begin];
            list[k] = (half_edge){i < j ? i : j, i < j ? j : i, f, i > j};
        }
    }
    qsort(list, (size_t)corners, sizeof *list, compare_edges);
    if (corners % 2)
        return false;
    for (int k = 0; k < corners; k += 2) {
        const half_edge *e = list + k;
        if (e[0].low != e[1].low || e[0].high != e[1].high || e[0].back || !e[1].back)
            return false;
    }
    return true;
}

// Newell's normal, the mean over the loop, in unit coordinates; the plane passes through the outermost corner.
static bool set_planes(const unit_points *unit, const int *point, vs_polytope *p) {
    for (int f = 0; f < p->faces; f++) {
        const int begin = p->face_start[f], end = p->face_start[f + 1];
        const vs_vec3 o = unit_at(unit, point[p->face_vertex[begin]]);
        vs_vec3 area = VS_ZERO3;
        for (int k = begin + 1; k + 1 < end; k++) {
            const vs_vec3 r = vs_subtract(unit_at(unit, point[p->face_vertex[k]]), o);
            const vs_vec3 s = vs_subtract(unit_at(unit, point[p->face_vertex[k + 1]]), o);
            area = vs_add(area, vs_cross(r, s));
        }
        const double length = vs_length(area);
        if (!(length > 0))
            return false;
        p->normal[f] = vs_scale(1 / length, area);
        p->offset[f] = -INFINITY;
        for (int k = begin; k < end; k++)
            p->offset[f] = fmax(p->offset[f], vs_dot(p->normal[f], p->vertex[p->face_vertex[k]]));
    }
    return true;
}

// Is the centre of each face below its neighbours' planes? tolerance in m.
static bool is_convex(const vs_polytope *p, double tolerance) {
    for (int e = 0; e < p->edges; e++)
        for (int side = 0; side < 2; side++) {
            const int f = p->edge[4 * e + 2 + side], g = p->edge[4 * e + 3 - side];
            const int begin = p->face_start[g], count = p->face_start[g + 1] - begin;
            const vs_vec3 origin = p->vertex[p->edge[4 * e]];
            double above = 0;
            for (int k = begin; k < begin + count; k++)
                above += vs_dot(p->normal[f], vs_subtract(p->vertex[p->face_vertex[k]], origin)) / count;
            if (above > tolerance)
                return false;
        }
    return true;
}

// VS_ERROR_NUMERICAL (without a text) if the loops are not those of a convex polytope.
static vs_error assemble(vs_arena *scratch, const vs_vec3 *point, int count, const unit_points *unit, vs_loops *loops,
                         vs_polytope *out) {
    const int faces = loops->faces, corners = loops->start[faces];
    int *number = VS_NEW(scratch, int, count);
    int *from = VS_NEW(scratch, int, count);
    half_edge *list = VS_NEW(scratch, half_edge, corners);
    if (!number || !from || !list)
        return VS_ERROR_MEMORY;
    const int vertices = number_vertices(loops, number, count);
    for (int k = 0; k < count; k++)
        if (number[k] >= 0)
            from[number[k]] = k;
    if (!pair_edges(loops, list) || vertices - corners / 2 + faces != 2)
        return VS_ERROR_NUMERICAL;

    vs_polytope p;
    vs_error error = allocate(scratch->context, vertices, faces, corners, corners / 2, &p);
    if (error)
        return error;
    for (int k = 0; k < vertices; k++)
        p.vertex[k] = point[from[k]];
    memcpy(p.face_start, loops->start, ((size_t)faces + 1) * sizeof(int));
    memcpy(p.face_vertex, loops->vertex, (size_t)corners * sizeof(int));
    for (int e = 0; e < p.edges; e++) {
        const half_edge *h = list + 2 * e;
        const int edge[4] = {h[0].low, h[0].high, h[0].face, h[1].face};
        memcpy(p.edge + 4 * e, edge, sizeof edge);
    }
    if (!set_planes(unit, from, &p) || !is_convex(&p, 10 * COPLANAR * unit->scale)) {
        vs_polytope_release(scratch->context, &p);
        return VS_ERROR_NUMERICAL;
    }
    error = set_insets(scratch->context, &p);
    if (error)
        vs_polytope_release(scratch->context, &p);
    else
        *out = p;
    return error;
}

vs_error vs_polytope_hull(vs_context *context, const vs_vec3 *point, int count, vs_polytope *polytope) {
    // If merging with a tolerance fails (many nearly coplanar points), merge by rounding alone.
    const double tolerance[2] = {COPLANAR, 0};
    vs_arena scratch;
    unit_points unit = {0};
    vs_arena_init(&scratch, context);
    vs_error error = make_unit(&scratch, point, count, &unit);
    if (error || (error = check_solid(context, &unit, count)))
        goto cleanup;
    for (int attempt = 0; attempt < 2; attempt++) {
        vs_loops loops;
        error = vs_hull_faces(&scratch, unit.at, count, tolerance[attempt], &loops);
        if (!error) {
            error = assemble(&scratch, point, count, &unit, &loops, polytope);
            if (error == VS_ERROR_NUMERICAL)
                (void)vs_fail(context, error, "the hull of %d points is not closed; remove nearly coincident points",
                              count);
        }
        if (error != VS_ERROR_NUMERICAL)
            goto cleanup;
    }
cleanup:
    vs_arena_release(&scratch);
    return error;
}

int vs_polytope_triangles(const vs_polytope *polytope, int *index) {
    const vs_polytope *p = polytope;
    for (int f = 0; index && f < p->faces; f++)
        for (int k = p->face_start[f] + 2; k < p->face_start[f + 1]; k++) {
            *index++ = p->face_vertex[p->face_start[f]];
            *index++ = p->face_vertex[k - 1];
            *index++ = p->face_vertex[k];
        }
    return p->face_start[p->faces] - 2 * p->faces;
}
