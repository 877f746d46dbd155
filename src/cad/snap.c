// Closes small gaps and overlaps: corners of a convex block that lie within a distance of a face of another one move onto its
// plane. Faces of fixed blocks and of earlier ones attract, those of later ones follow, so that two blocks do not exchange
// their places. Both blocks must have faces there that look at each other: corners beside a face stay.
//
// A corner that several faces attract is projected onto their planes in turn, which converges to a common point (Kaczmarz).
// All faces are in one tree of triangles, so that the effort grows with the number of corners.
#include "cad/cad_data.h"

#include <math.h>

enum { PLANES_MOST = 8, ROUNDS = 50 };
static const double OPPOSITE = -.9; // cosine between the normals of two faces that look at each other
static const double FARTHEST = 3;   // moves beyond so many distances are not made

typedef struct plane {
    vs_vec3 normal;
    double offset; // m
    int block;
} plane;

typedef struct snapper {
    const char *file; // name in messages
    vs_cad_block *block;
    double distance;
    vs_arena arena;
    vs_polytope *hull;    // (blocks) of convex ones, else empty
    VS_ARRAY(plane) list; // of all faces
    vs_triangles all;     // of all faces, and as it is made of:
    VS_ARRAY(vs_vec3) vertex;
    VS_ARRAY(int) index;
    VS_ARRAY(int) owner; // (triangles) planes
} snapper;

// ---- all faces -------------------------------------------------------------------------------------

static vs_error add_triangle(snapper *s, vs_vec3 a, vs_vec3 b, vs_vec3 c) {
    vs_context *context = s->arena.context;
    if (!vs_triangle_has_area(a, b, c))
        return VS_OK;
    vs_error error = VS_RESERVE(context, &s->vertex, s->vertex.count + 3);
    if (!error)
        error = VS_RESERVE(context, &s->index, s->index.count + 3);
    if (!error)
        error = VS_RESERVE(context, &s->owner, s->owner.count + 1);
    if (error)
        return error;
    const vs_vec3 corner[3] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        s->index.data[s->index.count++] = (int)s->vertex.count;
        s->vertex.data[s->vertex.count++] = corner[k];
    }
    s->owner.data[s->owner.count++] = (int)s->list.count - 1;
    return VS_OK;
}

static vs_error add_faces(snapper *s, int block) {
    const vs_polytope *p = &s->hull[block];
    vs_error error = VS_OK;
    for (int f = 0; f < p->faces && !error; f++) {
        const int *loop = p->face_vertex + p->face_start[f], count = p->face_start[f + 1] - p->face_start[f];
        error = VS_RESERVE(s->arena.context, &s->list, s->list.count + 1);
        if (error)
            break;
        s->list.data[s->list.count++] = (plane){p->normal[f], p->offset[f], block};
        for (int k = 1; k + 1 < count && !error; k++)
            error = add_triangle(s, p->vertex[loop[0]], p->vertex[loop[k]], p->vertex[loop[k + 1]]);
    }
    return error;
}

static vs_error make_hull(const snapper *s, const vs_cad_block *b, vs_polytope *hull) {
    vs_context *context = s->arena.context;
    const vs_error error = vs_polytope_hull(context, b->vertex, b->vertices, hull);
    return error == VS_ERROR_DATA || error == VS_ERROR_NUMERICAL
               ? vs_fail(context, VS_ERROR_DATA, "%s: body '%s': %s; use a smaller --snap, or none", s->file, b->name,
                         vs_context_get_error_text(context))
               : error;
}

static vs_error list_faces(snapper *s, int blocks) {
    vs_error error = VS_OK;
    s->hull = VS_NEW_ZERO(&s->arena, vs_polytope, blocks);
    if (!s->hull)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < blocks && !error; k++) {
        if (!s->block[k].convex)
            continue;
        error = make_hull(s, &s->block[k], &s->hull[k]);
        if (!error)
            error = add_faces(s, k);
    }
    if (!error && s->owner.count > VS_TRIANGLES_MOST / 3)
        error = vs_fail(s->arena.context, VS_ERROR_DATA, "snap: too many faces");
    if (!error && s->owner.count > 0)
        error = vs_triangles_mesh(&s->arena, s->vertex.data, (int)s->vertex.count, s->index.data, (int)s->owner.count,
                                  &s->all);
    return error;
}

// ---- a corner --------------------------------------------------------------------------------------

typedef struct query {
    const snapper *s;
    int block, corner; // corner: vertex of the hull
    vs_vec3 at;
    int planes;
    int plane[PLANES_MOST];
} query;

// Is the projection inside of the triangle, grown by the distance?
static bool is_over(const snapper *s, int triangle, vs_vec3 normal, vs_vec3 at) {
    for (int k = 0; k < 3; k++) {
        const vs_vec3 a = s->vertex.data[s->index.data[3 * triangle + k]],
                      b = s->vertex.data[s->index.data[3 * triangle + (k + 1) % 3]];
        const vs_vec3 inward = vs_normalize(vs_cross(normal, vs_subtract(b, a)));
        if (vs_dot(inward, vs_subtract(at, a)) < -s->distance)
            return false;
    }
    return true;
}

// Has the corner a face that looks against the normal?
static bool faces_it(const query *q, vs_vec3 normal) {
    const vs_polytope *p = &q->s->hull[q->block];
    for (int f = 0; f < p->faces; f++)
        for (int k = p->face_start[f]; k < p->face_start[f + 1] && vs_dot(p->normal[f], normal) < OPPOSITE; k++)
            if (p->face_vertex[k] == q->corner)
                return true;
    return false;
}

static bool visit(void *user, int triangle) {
    query *q = user;
    const snapper *s = q->s;
    const int face = s->owner.data[triangle];
    const plane *p = &s->list.data[face];
    for (int k = 0; k < q->planes; k++)
        if (q->plane[k] == face)
            return true;
    if (p->block != q->block && (s->block[p->block].fixed || p->block < q->block) && q->planes < PLANES_MOST &&
        fabs(vs_dot(p->normal, q->at) - p->offset) <= s->distance && is_over(s, triangle, p->normal, q->at) &&
        faces_it(q, p->normal))
        q->plane[q->planes++] = face;
    return true;
}

static vs_vec3 move(const query *q) {
    vs_vec3 at = q->at;
    for (int round = 0; round < (q->planes > 1 ? ROUNDS : 1); round++)
        for (int k = 0; k < q->planes; k++) {
            const plane *p = &q->s->list.data[q->plane[k]];
            at = vs_add_scaled(at, p->offset - vs_dot(p->normal, at), p->normal);
        }
    return at;
}

static vs_error measure_again(const snapper *s, vs_cad_block *b) {
    vs_polytope hull = {0};
    const vs_error error = make_hull(s, b, &hull);
    if (!error)
        b->volume = vs_hull_volume(&hull);
    vs_polytope_release(s->arena.context, &hull);
    return error;
}

// Vertices of the hull are those of the block in the same order, as none of them is inside.
static vs_error snap_block(const snapper *s, int block, int *moved, double *most) {
    vs_cad_block *b = &s->block[block];
    const int before = *moved;
    if (!b->convex || b->fixed || s->hull[block].vertices != b->vertices)
        return VS_OK;
    for (int k = 0; k < b->vertices; k++) {
        query q = {.s = s, .block = block, .corner = k, .at = s->hull[block].vertex[k]};
        const vs_vec3 grow = {s->distance, s->distance, s->distance};
        vs_triangles_query(&s->all, (vs_box3){vs_subtract(q.at, grow), vs_add(q.at, grow)}, visit, &q);
        const vs_vec3 to = move(&q);
        const double length = vs_length(vs_subtract(to, q.at));
        if (!(length > 0) || length > FARTHEST * s->distance)
            continue;
        b->vertex[k] = to;
        *moved += 1;
        *most = fmax(*most, length);
    }
    return *moved > before ? measure_again(s, b) : VS_OK;
}

vs_error vs_blocks_snap(const vs_drawing *d, vs_cad_block *block, int blocks, double distance, int *moved,
                        double *most) {
    vs_context *context = d->arena->context;
    snapper s = {.file = d->file, .block = block, .distance = distance};
    vs_arena_init(&s.arena, context);
    vs_error error = list_faces(&s, blocks);
    for (int k = 0; k < blocks && !error; k++)
        error = snap_block(&s, k, moved, most);
    for (int k = 0; k < blocks && s.hull; k++)
        vs_polytope_release(context, &s.hull[k]);
    VS_ARRAY_RELEASE(context, &s.vertex);
    VS_ARRAY_RELEASE(context, &s.index);
    VS_ARRAY_RELEASE(context, &s.owner);
    VS_ARRAY_RELEASE(context, &s.list);
    vs_arena_release(&s.arena);
    return error;
}
