// A solid of a drawing as a block: a hull with its corners if it is convex, otherwise a mesh.
//
// A closed surface is convex if it is so at every edge (Van Heijenoort 1952): the third corner of the triangle across an edge
// is not above the plane of this one. Coordinates have six or more digits, of which such heights take their tolerance; that
// finely divided hollows do not pass with it, the volumes of the solid and of its hull are compared as well.
//
// Round and warped faces are convex only up to the way in which they were divided into triangles: edges are reentrant by small
// angles, and all vertices lie on the hull. It is then used if its volume differs little; a true hollow has sharp edges or
// vertices inside.
//
// Faces whose edges are divided differently from those of their neighbours are not connected there, although the surface is
// closed: its area vectors then sum up to zero.
#include "base/sort.h"
#include "cad/cad_data.h"

#include <math.h>

static const double RISE = 1e-5;     // of the block's size: heights below it are flat
static const double ROUNDING = 1e-6; // of the coordinates: their digits
static const double FILLED = 1e-4;   // of the hull's volume: what a convex solid may lack
static const double WARPED = .02;    // of it: what a solid may lack whose vertices all lie on the hull
static const double ROUND = .94;     // cosine: normals of neighbours on a round face differ by less than 20 degrees
static const double EMPTY = 1e-9;    // of it, or of the size cubed: no volume
static const double CLOSED = 1e-6;   // of the area
enum { NOTCHES_MOST = 32 };          // sharp reentrant edges whose flat cuts give few exact parts

// ---- vertices --------------------------------------------------------------------------------------

static int find(const int *sorted, int count, int value) {
    int low = 0;
    for (int high = count - 1; low < high;) {
        const int middle = low + (high - low) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Copies the vertices of the solid, in the order of the file, and its triangles.
static vs_error collect(const vs_drawing *d, const vs_solids *s, int solid, vs_arena *arena, vs_cad_block *b) {
    const vs_soup *soup = &d->soup;
    const int triangles = s->start[solid + 1] - s->start[solid];
    int *number = VS_NEW(arena, int, 3 * (int64_t)triangles);
    b->index = VS_NEW(arena, int, 3 * (int64_t)triangles);
    if (!number || !b->index)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < 3 * (int64_t)triangles; k++)
        number[k] = soup->index[3 * (int64_t)s->triangle[s->start[solid] + k / 3] + k % 3];
    vs_sort_ints(number, 3 * (int64_t)triangles);
    int count = 0;
    for (int64_t k = 0; k < 3 * (int64_t)triangles; k++)
        if (count == 0 || number[k] != number[count - 1])
            number[count++] = number[k];
    b->vertex = VS_NEW(arena, vs_vec3, count);
    if (!b->vertex)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < count; k++)
        b->vertex[k] = soup->vertex[number[k]];
    for (int64_t k = 0; k < 3 * (int64_t)triangles; k++)
        b->index[k] = find(number, count, soup->index[3 * (int64_t)s->triangle[s->start[solid] + k / 3] + k % 3]);
    b->vertices = count;
    b->triangles = triangles;
    return VS_OK;
}

// ---- measures --------------------------------------------------------------------------------------

typedef struct measures {
    double size;     // m, half of the largest extent
    double reach;    // m, largest coordinate
    double volume;   // m^3
    double area;     // m^2
    vs_vec3 vectors; // m^2, sum of the area vectors: zero for a closed surface
} measures;

static measures measure(const vs_cad_block *b) {
    measures m = {0};
    vs_vec3 low = b->vertex[0], high = low;
    for (int k = 0; k < b->vertices; k++) {
        const vs_vec3 v = b->vertex[k];
        low = (vs_vec3){fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z)};
        high = (vs_vec3){fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z)};
        m.reach = fmax(m.reach, fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))));
    }
    const vs_vec3 o = vs_scale(.5, vs_add(low, high));
    m.size = .5 * fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    for (int64_t k = 0; k < 3 * (int64_t)b->triangles; k += 3) {
        const vs_vec3 p = vs_subtract(b->vertex[b->index[k]], o), q = vs_subtract(b->vertex[b->index[k + 1]], o),
                      r = vs_subtract(b->vertex[b->index[k + 2]], o);
        const vs_vec3 normal = vs_cross(vs_subtract(q, p), vs_subtract(r, p));
        m.volume += vs_dot(p, vs_cross(q, r)) / 6;
        m.area += .5 * vs_length(normal);
        m.vectors = vs_add_scaled(m.vectors, .5, normal);
    }
    return m;
}

double vs_hull_volume(const vs_polytope *p) {
    double sum = 0;
    for (int f = 0; f < p->faces; f++)
        for (int k = p->face_start[f] + 1; k + 1 < p->face_start[f + 1]; k++) {
            const vs_vec3 o = p->vertex[0], a = vs_subtract(p->vertex[p->face_vertex[p->face_start[f]]], o),
                          b = vs_subtract(p->vertex[p->face_vertex[k]], o),
                          c = vs_subtract(p->vertex[p->face_vertex[k + 1]], o);
            sum += vs_dot(a, vs_cross(b, c)) / 6;
        }
    return sum;
}

static vs_vec3 normal_of(const vs_soup *soup, int triangle) {
    const int *corner = soup->index + 3 * (int64_t)triangle;
    const vs_vec3 a = soup->vertex[corner[0]];
    return vs_normalize(vs_cross(vs_subtract(soup->vertex[corner[1]], a), vs_subtract(soup->vertex[corner[2]], a)));
}

// Height of x over the plane of a triangle of the drawing; 0 if it has no area.
static double height(const vs_soup *soup, int triangle, vs_vec3 x) {
    const vs_vec3 a = soup->vertex[soup->index[3 * (int64_t)triangle]];
    return vs_dot(normal_of(soup, triangle), vs_subtract(x, a));
}

static vs_vec3 third(const vs_soup *soup, int side) {
    return soup->vertex[soup->index[3 * (int64_t)(side / 3) + (side + 2) % 3]];
}

typedef struct edges {
    int unpaired;
    int reentrant; //
    int sharp;     // of those by more than the triangles of a round face
} edges;

// Of two triangles, the one with the larger area has the better plane: the lesser of the two heights counts.
static edges look_at_edges(const vs_soup *soup, const vs_solids *s, int solid, double flat) {
    edges found = {0};
    for (int j = s->start[solid]; j < s->start[solid + 1]; j++)
        for (int k = 3 * s->triangle[j]; k < 3 * s->triangle[j] + 3; k++) {
            const int other = s->partner[k];
            found.unpaired += other < 0;
            if (other < k ||
                fmin(height(soup, k / 3, third(soup, other)), height(soup, other / 3, third(soup, k))) <= flat)
                continue;
            found.reentrant++;
            found.sharp += vs_dot(normal_of(soup, k / 3), normal_of(soup, other / 3)) < ROUND;
        }
    return found;
}

// ---- vertices on the hull ----------------------------------------------------------------------------

typedef struct near_query {
    const vs_triangles *hull;
    vs_vec3 at;
    double tolerance; // m
    bool found;
} near_query;

static bool visit(void *user, int triangle) {
    near_query *q = user;
    q->found = fabs(vs_dot(q->hull->surface.normal[triangle],
                           vs_subtract(q->at, q->hull->vertex[q->hull->index[3 * triangle]]))) <= q->tolerance;
    return !q->found;
}

// Drops triangles without area; the number of those that are left.
static int drop_flat(const vs_vec3 *vertex, int *index, int count) {
    int kept = 0;
    for (int k = 0; k < count; k++) {
        const int *c = index + 3 * (int64_t)k;
        if (!vs_triangle_has_area(vertex[c[0]], vertex[c[1]], vertex[c[2]]))
            continue;
        for (int i = 0; i < 3; i++)
            index[3 * (int64_t)kept + i] = c[i];
        kept++;
    }
    return kept;
}

static vs_error list_triangles(vs_arena *scratch, const vs_polytope *p, vs_triangles *out) {
    int *index = VS_NEW(scratch, int, 3 * (int64_t)vs_polytope_triangles(p, NULL));
    if (!index)
        return VS_ERROR_MEMORY;
    const int count = drop_flat(p->vertex, index, vs_polytope_triangles(p, index));
    return vs_triangles_mesh(scratch, p->vertex, p->vertices, index, count, out);
}

// Do all vertices lie on the surface of the hull?
static vs_error lie_on_hull(vs_context *context, const vs_cad_block *b, const vs_polytope *p, double tolerance,
                            bool *all) {
    vs_arena scratch;
    vs_triangles hull;
    vs_arena_init(&scratch, context);
    vs_error error = list_triangles(&scratch, p, &hull);
    *all = !error;
    for (int k = 0; k < b->vertices && *all; k++) {
        near_query q = {&hull, b->vertex[k], tolerance, false};
        const vs_vec3 grow = {tolerance, tolerance, tolerance};
        vs_triangles_query(&hull, (vs_box3){vs_subtract(q.at, grow), vs_add(q.at, grow)}, visit, &q);
        *all = q.found;
    }
    vs_arena_release(&scratch);
    return error;
}

// ---- the block -------------------------------------------------------------------------------------

// Corners of the hull: vertices of three or more faces. Others lie on edges, as those of subdivided faces do.
static vs_error take_corners(const vs_polytope *p, vs_arena *arena, vs_cad_block *b) {
    int *faces = VS_NEW_ZERO(arena, int, p->vertices);
    b->vertex = VS_NEW(arena, vs_vec3, p->vertices);
    if (!faces || !b->vertex)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < p->face_start[p->faces]; k++)
        faces[p->face_vertex[k]]++;
    b->vertices = b->triangles = 0;
    for (int k = 0; k < p->vertices; k++)
        if (faces[k] >= 3)
            b->vertex[b->vertices++] = p->vertex[k];
    return VS_OK;
}

// Without a hull, a closed solid is a mesh; nothing can be made of an open one.
static vs_error make_without_hull(const vs_drawing *d, int unpaired, const measures *m, vs_cad_block *b) {
    vs_context *context = d->arena->context;
    if (unpaired > 0 && vs_length(m->vectors) > CLOSED * m->area)
        return vs_fail(context, VS_ERROR_DATA, "%s: object '%.*s' is not closed, and has no hull: %s", d->file,
                       VS_CAD_NAME_MOST, d->object.data[b->object].name, vs_context_get_error_text(context));
    b->volume = m->volume;
    if (m->volume > EMPTY * m->size * m->size * m->size)
        b->triangles = drop_flat(b->vertex, b->index, b->triangles);
    else
        b->vertices = 0;
    return VS_OK;
}

vs_error vs_cad_block_make(const vs_drawing *d, const vs_solids *solids, int solid, vs_arena *arena,
                           vs_cad_block *block) {
    vs_context *context = arena->context;
    vs_polytope hull = {0};
    *block = (vs_cad_block){.object = solids->object[solid], .cavities = solids->cavities[solid]};
    vs_error error = collect(d, solids, solid, arena, block);
    if (error)
        return error;
    const measures m = measure(block);
    error = block->vertices < 4 ? VS_ERROR_DATA : vs_polytope_hull(context, block->vertex, block->vertices, &hull);
    if (error == VS_ERROR_DATA) { // in one plane
        block->vertices = 0;
        return VS_OK;
    }
    if (error == VS_ERROR_NUMERICAL)
        return make_without_hull(d, look_at_edges(&d->soup, solids, solid, 0).unpaired, &m, block);
    if (error)
        return error;
    const double full = vs_hull_volume(&hull), flat = RISE * m.size + ROUNDING * m.reach;
    const edges seen = look_at_edges(&d->soup, solids, solid, flat);
    bool hollow = seen.reentrant > 0 || m.volume < (1 - FILLED) * full;
    if (hollow && seen.sharp == 0 && m.volume >= (1 - WARPED) * full) {
        error = lie_on_hull(context, block, &hull, flat, &block->warped);
        hollow = !block->warped;
    }
    block->open = seen.unpaired > 0 && (hollow || vs_length(m.vectors) > CLOSED * m.area);
    block->convex = block->open || !hollow;
    block->notched = seen.sharp > 0 && seen.reentrant <= NOTCHES_MOST;
    block->volume = block->convex ? full : m.volume;
    if (block->convex && !error)
        error = take_corners(&hull, arena, block);
    else if (m.volume > EMPTY * full)
        block->triangles = drop_flat(block->vertex, block->index, block->triangles);
    else
        block->vertices = 0; // closed, but encloses nothing
    vs_polytope_release(context, &hull);
    return error;
}
