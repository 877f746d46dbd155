// Cutting a solid by a plane.
//
// Triangles are clipped one by one. On the plane each leaves the segment of its boundary that lies there, and the sum of
// these is the outline of the section: a fan of triangles from one of its points to all segments closes each side. The
// section need not be convex nor connected: fans of signed triangles are right for every integral, and for further cuts,
// since clipping is linear in the chain. Triangles in the plane itself belong to neither chain, the fan covers them.
//
// The hull of a piece is that of its corners: on the mesh, those of the clipped triangles, also of those in planes of the cell
// (skin) on the side that they bound; inside the solid, corners of the cell, where three planes meet. Triangles of fans have
// corners outside the solid.
#include "shape/decompose/piece.h"

#include <math.h>

#include "shape/build.h"

static const double INWARD = 1e3; // of the tolerance: how far from a corner of a cell the solid is looked for

void vs_piece_release(vs_context *context, vs_piece *piece) {
    VS_ARRAY_RELEASE(context, &piece->corner);
    VS_ARRAY_RELEASE(context, &piece->fan);
    VS_ARRAY_RELEASE(context, &piece->cell);
    VS_ARRAY_RELEASE(context, &piece->cell_corner);
    VS_ARRAY_RELEASE(context, &piece->skin);
}

vs_error vs_piece_of_mesh(vs_context *context, const vs_triangles *triangles, vs_piece *piece) {
    const int64_t count = 3 * (int64_t)triangles->triangles;
    vs_error error = VS_RESERVE(context, &piece->corner, count);
    piece->solid = triangles;
    for (int64_t k = 0; k < count && !error; k++)
        piece->corner.data[k] = triangles->vertex[triangles->index[k]];
    piece->corner.count = error ? 0 : count;
    return error;
}

// 6 times the sum of signed tetrahedra from an apex.
static double sum_of(vs_vec3 apex, const vs_vec3 *v, int64_t count) {
    double sum = 0;
    for (int64_t k = 0; k < count; k += 3)
        sum += vs_dot(vs_subtract(v[k], apex), vs_cross(vs_subtract(v[k + 1], apex), vs_subtract(v[k + 2], apex)));
    return sum;
}

double vs_piece_volume(const vs_piece *piece) {
    if (piece->corner.count == 0)
        return 0;
    const vs_vec3 apex = piece->corner.data[0];
    return (sum_of(apex, piece->corner.data, piece->corner.count) + sum_of(apex, piece->fan.data, piece->fan.count)) /
           6;
}

vs_box3 vs_piece_bounds(const vs_piece *piece) {
    vs_box3 box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int64_t k = 0; k < piece->corner.count; k++) {
        const vs_vec3 v = piece->corner.data[k];
        box.low = (vs_vec3){fmin(box.low.x, v.x), fmin(box.low.y, v.y), fmin(box.low.z, v.z)};
        box.high = (vs_vec3){fmax(box.high.x, v.x), fmax(box.high.y, v.y), fmax(box.high.z, v.z)};
    }
    return box;
}

// ---- cutting ---------------------------------------------------------------------------------------

// One side of a cut while it is made.
typedef struct half {
    vs_piece *piece;
    double sign;  // -1: below
    vs_vec3 apex; // of the fan
    bool started; // the apex is known
    vs_vec3 area; // m^2, of the fan so far
} half;

static vs_error add_points(vs_context *context, vs_points *to, const vs_vec3 *point, int64_t count) {
    vs_error error = VS_RESERVE(context, to, to->count + count);
    for (int64_t k = 0; k < count && !error; k++)
        to->data[to->count++] = point[k];
    return error;
}

static bool are_equal(vs_vec3 a, vs_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The fan's triangle that closes the segment from p to q.
static vs_error close_segment(vs_context *context, half *h, vs_vec3 p, vs_vec3 q) {
    if (!h->started)
        h->apex = p;
    h->started = true;
    h->area = vs_add_scaled(h->area, .5, vs_cross(vs_subtract(q, h->apex), vs_subtract(p, h->apex)));
    if (are_equal(h->apex, p) || are_equal(h->apex, q))
        return VS_OK;
    return add_points(context, &h->piece->fan, (const vs_vec3[3]){h->apex, q, p}, 3);
}

// The point where an edge passes through the plane: from the same end, whichever triangle asks, so that it is the same.
static vs_vec3 cross_plane(vs_vec3 a, vs_vec3 b, double above_a, double above_b) {
    const bool swap = above_a > above_b;
    const vs_vec3 from = swap ? b : a, to = swap ? a : b;
    const double low = swap ? above_b : above_a, high = swap ? above_a : above_b;
    return vs_add_scaled(from, low / (low - high), vs_subtract(to, from));
}

// Arrays of triangles of a piece.
typedef enum chain { CORNER, FAN, SKIN } chain;

static vs_points *points_of(vs_piece *piece, chain which) {
    return which == CORNER ? &piece->corner : which == FAN ? &piece->fan : &piece->skin;
}

// One triangle with the heights of its corners over the plane, of which those on it are 0; `to` has the rest of it.
static vs_error clip(vs_context *context, half *h, const vs_vec3 v[3], const double above[3], chain which) {
    vs_points *to = points_of(h->piece, which);
    vs_vec3 kept[5], on[3]; // the polygon; its corners on the plane
    int count = 0, place[3] = {0}, ons = 0;
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        if (h->sign * above[k] >= 0) {
            if (above[k] == 0 && ons < 3) {
                place[ons] = count;
                on[ons++] = v[k];
            }
            kept[count++] = v[k];
        }
        if (above[k] * above[next] < 0 && ons < 3) {
            place[ons] = count;
            on[ons++] = kept[count] = cross_plane(v[k], v[next], above[k], above[next]);
            count++;
        }
    }
    vs_error error = VS_OK;
    for (int k = 1; k + 1 < count && !error; k++)
        error = add_points(context, to, (const vs_vec3[3]){kept[0], kept[k], kept[k + 1]}, 3);
    if (ons != 2 || count < 3 || error || which == SKIN)
        return error;
    // The segment runs in the direction of the polygon.
    const bool forward = place[1] == place[0] + 1;
    return close_segment(context, h, on[forward ? 0 : 1], on[forward ? 1 : 0]);
}

// The side that a triangle in the plane bounds: its normal points away from it.
static int side_of(const vs_vec3 *v, const vs_plane3 *plane) {
    const vs_vec3 normal = vs_cross(vs_subtract(v[1], v[0]), vs_subtract(v[2], v[0]));
    return vs_dot(normal, plane->normal) > 0 ? 0 : 1;
}

// The triangles of an array on both sides.
static vs_error clip_all(vs_context *context, const vs_vec3 *corner, int64_t count, const vs_plane3 *plane,
                         double tolerance, half h[2], chain which) {
    vs_error error = VS_OK;
    for (int64_t k = 0; k < count && !error; k += 3) {
        double above[3], low = INFINITY, high = -INFINITY;
        for (int i = 0; i < 3; i++) {
            above[i] = vs_dot(plane->normal, corner[k + i]) - plane->offset;
            above[i] = fabs(above[i]) <= tolerance ? 0 : above[i];
            low = fmin(low, above[i]);
            high = fmax(high, above[i]);
        }
        for (int i = 0; i < 2 && !error; i++) {
            if (i == 0 ? low < 0 : high > 0)
                error = clip(context, &h[i], corner + k, above, which);
        }
        if (low == 0 && high == 0 && which != FAN && !error)
            error = add_points(context, &h[side_of(corner + k, plane)].piece->skin, corner + k, 3);
    }
    return error;
}

// ---- the cell --------------------------------------------------------------------------------------

static bool is_within(const vs_piece *piece, vs_vec3 x, double tolerance) {
    for (int64_t k = 0; k < piece->cell.count; k++)
        if (vs_dot(piece->cell.data[k].normal, x) > piece->cell.data[k].offset + tolerance)
            return false;
    return true;
}

// Where three planes meet. False: nowhere.
static bool intersect(const vs_plane3 *a, const vs_plane3 *b, const vs_plane3 *c, vs_vec3 *x) {
    const vs_vec3 bc = vs_cross(b->normal, c->normal);
    const double d = vs_dot(a->normal, bc);
    if (fabs(d) < 1e-9)
        return false;
    *x = vs_scale(a->offset / d, bc);
    *x = vs_add_scaled(*x, b->offset / d, vs_cross(c->normal, a->normal));
    *x = vs_add_scaled(*x, c->offset / d, vs_cross(a->normal, b->normal));
    return true;
}

// Is the corner of the cell between three planes in the solid? A point a little inside of the cell decides: the corner itself
// may lie on the surface, for instance on a concave edge.
static bool is_solid(const vs_piece *piece, const vs_plane3 *a, const vs_plane3 *b, const vs_plane3 *c, double inward) {
    const vs_plane3 moved[3] = {
        {a->normal, a->offset - inward}, {b->normal, b->offset - inward}, {c->normal, c->offset - inward}};
    vs_vec3 x;
    return intersect(&moved[0], &moved[1], &moved[2], &x) && vs_triangles_contain(piece->solid, x);
}

// The cell of one side, with its corners: those of before, and those on the new plane.
static vs_error cut_cell(vs_context *context, const vs_piece *piece, vs_plane3 plane, double tolerance,
                         vs_piece *side) {
    side->solid = piece->solid;
    vs_error error = VS_RESERVE(context, &side->cell, piece->cell.count + 1);
    for (int64_t k = 0; k < piece->cell.count && !error; k++)
        side->cell.data[side->cell.count++] = piece->cell.data[k];
    for (int64_t k = 0; k < piece->cell_corner.count && !error; k++)
        if (vs_dot(plane.normal, piece->cell_corner.data[k]) <= plane.offset + tolerance)
            error = add_points(context, &side->cell_corner, &piece->cell_corner.data[k], 1);
    for (int64_t i = 0; i < piece->cell.count && !error; i++)
        for (int64_t j = i + 1; j < piece->cell.count && !error; j++) {
            vs_vec3 x;
            if (intersect(&plane, &piece->cell.data[i], &piece->cell.data[j], &x) && is_within(piece, x, tolerance) &&
                is_solid(piece, &plane, &piece->cell.data[i], &piece->cell.data[j], INWARD * tolerance))
                error = add_points(context, &side->cell_corner, &x, 1);
        }
    if (!error)
        side->cell.data[side->cell.count++] = plane;
    return error;
}

vs_error vs_piece_cut(vs_context *context, const vs_piece *piece, const vs_plane3 *plane, double tolerance,
                      vs_piece part[2], double *section) {
    half h[2] = {{.piece = &part[0], .sign = -1}, {.piece = &part[1], .sign = 1}};
    vs_error error = clip_all(context, piece->corner.data, piece->corner.count, plane, tolerance, h, CORNER);
    if (!error)
        error = clip_all(context, piece->fan.data, piece->fan.count, plane, tolerance, h, FAN);
    if (!error)
        error = clip_all(context, piece->skin.data, piece->skin.count, plane, tolerance, h, SKIN);
    if (!error)
        error = cut_cell(context, piece, *plane, tolerance, &part[0]);
    if (!error)
        error = cut_cell(context, piece, (vs_plane3){vs_scale(-1, plane->normal), -plane->offset}, tolerance, &part[1]);
    if (section)
        *section = vs_length(h[0].area);
    return error;
}

vs_error vs_piece_join(vs_context *context, const vs_piece *a, const vs_piece *b, vs_piece *both) {
    const vs_piece *from[2] = {a, b};
    vs_error error = VS_OK;
    both->solid = a->solid;
    for (int k = 0; k < 2 && !error; k++) {
        error = add_points(context, &both->corner, from[k]->corner.data, from[k]->corner.count);
        if (!error)
            error = add_points(context, &both->fan, from[k]->fan.data, from[k]->fan.count);
        if (!error)
            error = add_points(context, &both->cell_corner, from[k]->cell_corner.data, from[k]->cell_corner.count);
        if (!error)
            error = add_points(context, &both->skin, from[k]->skin.data, from[k]->skin.count);
    }
    return error;
}

// ---- hull ------------------------------------------------------------------------------------------

enum { DIRECTIONS = VS_PIECE_DIRECTIONS }; // evenly over the sphere

// Replaces the points by the farthest ones.
static void choose_farthest(vs_vec3 *point, int64_t *count) {
    const double turn = 2.399963229728653; // the golden angle
    vs_vec3 chosen[DIRECTIONS] = {{0}};
    for (int k = 0; k < DIRECTIONS; k++) {
        double sine, cosine, most = -INFINITY;
        const double z = 1 - (2 * k + 1.) / DIRECTIONS, r = sqrt(1 - z * z);
        vs_sincos(turn * k, &sine, &cosine);
        const vs_vec3 d = {r * cosine, r * sine, z};
        for (int64_t i = 0; i < *count; i++) {
            const double reach = vs_dot(d, point[i]);
            if (reach > most) {
                most = reach;
                chosen[k] = point[i];
            }
        }
    }
    *count = DIRECTIONS;
    for (int k = 0; k < DIRECTIONS; k++)
        point[k] = chosen[k];
}

static vs_error drop_equal(vs_arena *scratch, vs_vec3 *point, int64_t *count) {
    int *first = VS_NEW(scratch, int, *count);
    vs_error error = first ? vs_vertices_match(scratch->context, point, (int)*count, first) : VS_ERROR_MEMORY;
    int64_t kept = 0;
    for (int64_t k = 0; k < *count && !error; k++)
        if (first[k] == k)
            point[kept++] = point[k];
    *count = kept;
    return error;
}

vs_error vs_piece_hull(vs_context *context, const vs_piece *piece, bool coarse, vs_shape **hull) {
    *hull = NULL;
    const vs_points *from[3] = {&piece->corner, &piece->cell_corner, &piece->skin};
    int64_t count = piece->corner.count + piece->cell_corner.count + piece->skin.count, filled = 0;
    if (count < 4)
        return VS_OK;
    vs_arena scratch;
    vs_arena_init(&scratch, context);
    vs_vec3 *point = VS_NEW(&scratch, vs_vec3, count);
    for (int k = 0; k < 3 && point; k++)
        for (int64_t i = 0; i < from[k]->count; i++)
            point[filled++] = from[k]->data[i];
    vs_error error = point ? drop_equal(&scratch, point, &count) : VS_ERROR_MEMORY;
    if (!error && coarse && count > DIRECTIONS) {
        choose_farthest(point, &count);
        error = drop_equal(&scratch, point, &count);
    }
    if (!error && count >= 4)
        error = vs_shape_hull(context, point, (int)count, hull);
    vs_arena_release(&scratch);
    return error == VS_ERROR_DATA || error == VS_ERROR_NUMERICAL ? VS_OK : error; // flat: no hull
}
