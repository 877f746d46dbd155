// Decomposition of a solid into convex hulls, by cuts.
//
// The solid is cut by planes into pieces, and each piece is replaced by its hull. A piece lies in the convex cell between
// its planes, and so does its hull: hulls of different pieces have no volume in common, so that
//
//     error = (sum of V(hull) - V(mesh)) / V(mesh)
//
// is the volume that the hulls have too much, exactly. The piece with the largest excess V(hull) - V(piece) is cut next,
// by the plane that leaves the least excess of the two sides, until the error or the number of parts is reached. Some
// solids, a ring for instance, lose no excess by any one cut: shares of the excess are added for the difference of the
// two volumes and for the area of the section, so that then it is cut in the middle and across. Planes are tried through the sharpest concave edges, along the faces that meet there (a solid of boxes falls apart into boxes,
// Chazelle 1984), and across the axes of the mesh and the principal axes of the piece. No random numbers: the same mesh gives the same parts.
//
// Work is counted and bounded, in proportion to the mesh: when it is used up, the parts so far are the result. A count gives the
// same parts on every machine, a time limit would not. Its unit is about 1 ns.
#include <assert.h>
#include <math.h>

#include "shape/build.h"
#include "shape/decompose/edge_planes.h"
#include "shape/decompose/piece.h"

static const double ON_PLANE = 1e-9; // of the size: points that close to a cut lie on it
static const double THIN = 1e-9;     // of the volume: a part with less is no part
static const double BALANCE = .1;    // of the excess: cost of a cut that leaves one side nothing
static const double SECTION = .1;    // of the excess: cost of a cut with a section like that of a cube in the middle
static const double JOINED = 1e-9;   // of the volume: a common hull of two parts may have this much more
static const double APART = 1e3;     // of the tolerance: distance of parts that are not joined
enum {
    SLICES = 8,          // cuts along each axis, between the bounds
    ROUNDS = 3,          // of halved distances about the best of them
    CUTS_MOST = 24,      // tried through edges
    PARTS_MOST = 1 << 12 //
};

static const double WORK_MOST = 1e10, WORK_PER_TRIANGLE = 1e6; // bound
static const double WORK_OF_PLANES = .1;                       // of it, at most for the choice of planes through edges
static const double WORK_OF_JOINING = .25;                     // of it, kept for the last step
// Work of the parts: per point of a cut, per corner of a cell and triangle of the mesh, per point of a hull and before it.
static const double WORK_CUT = 10, WORK_CORNER = 50, WORK_HULL = 1000, WORK_POINT = 100;

typedef struct cut_part {
    vs_piece piece;
    vs_box3 box;   // of the hull
    double excess; // m^3, of its hull
    bool final;    // no cut reduces it
} cut_part;

typedef struct decomposition {
    vs_context *context;
    const vs_shape *mesh;
    double volume, tolerance;
    double work, most; // done so far, bound
    VS_ARRAY(cut_part) part;
    vs_edge_planes edges;
} decomposition;

// ---- cuts ------------------------------------------------------------------------------------------

typedef struct cut {
    vs_plane3 plane;
    double cost; // m^3, excess of both sides, and imbalance
} cut;

// A coarse hull looks at all points in many directions.
static double hull_work(const vs_piece *piece, bool coarse) {
    const double points = (double)(piece->corner.count + piece->cell_corner.count + piece->skin.count);
    const bool choose = coarse && points > VS_PIECE_DIRECTIONS;
    return choose ? points * (WORK_POINT + VS_PIECE_DIRECTIONS) + VS_PIECE_DIRECTIONS * WORK_HULL
                  : points * (WORK_POINT + WORK_HULL);
}

static double cut_work(const vs_piece *piece) {
    const double points = (double)(piece->corner.count + piece->fan.count + piece->skin.count);
    return points * WORK_CUT + 2 * (double)piece->cell.count * piece->solid->triangles * WORK_CORNER;
}

static vs_error hull_volume(decomposition *d, const vs_piece *piece, bool coarse, double *volume) {
    d->work += hull_work(piece, coarse);
    vs_shape *hull;
    vs_mass_properties mass = {0};
    vs_error error = vs_piece_hull(d->context, piece, coarse, &hull);
    if (!error && hull && vs_shape_get_mass(hull, 1, &mass))
        mass.mass = 0;
    vs_shape_release(hull);
    *volume = mass.mass;
    return error;
}

static void release_sides(const decomposition *d, vs_piece side[2]) {
    vs_piece_release(d->context, &side[0]);
    vs_piece_release(d->context, &side[1]);
}

// Replaces the best cut so far if this one leaves less.
static vs_error try_cut(decomposition *d, const cut_part *part, vs_plane3 plane, cut *best) {
    vs_piece side[2] = {0};
    double hull[2] = {0, 0}, volume[2] = {0, 0};
    double section = 0;
    d->work += cut_work(&part->piece);
    vs_error error = vs_piece_cut(d->context, &part->piece, &plane, d->tolerance, side, &section);
    const bool both = !error && side[0].corner.count > 0 && side[1].corner.count > 0;
    for (int k = 0; k < 2 && both && !error; k++) {
        error = hull_volume(d, &side[k], true, &hull[k]);
        volume[k] = vs_piece_volume(&side[k]);
    }
    const double all = volume[0] + volume[1], face = vs_cbrt(all) * vs_cbrt(all);
    const double shape = BALANCE * fabs(volume[1] - volume[0]) / all + SECTION * section / face;
    const double cost = hull[0] + hull[1] - all + part->excess * shape;
    if (both && !error && hull[0] > THIN * d->volume && hull[1] > THIN * d->volume && cost < best->cost)
        *best = (cut){plane, cost};
    release_sides(d, side);
    return error;
}

// Extent of a piece along a direction.
typedef struct extent {
    double low, high; // m
} extent;

static extent extent_along(const vs_piece *piece, vs_vec3 n) {
    extent e = {INFINITY, -INFINITY};
    for (int64_t k = 0; k < piece->corner.count; k++) {
        const double x = vs_dot(n, piece->corner.data[k]);
        e.low = fmin(e.low, x);
        e.high = fmax(e.high, x);
    }
    return e;
}

// Slices along a direction, then rounds of halves about the best one.
static vs_error try_slices(decomposition *d, const cut_part *part, vs_vec3 n, cut *best) {
    const extent e = extent_along(&part->piece, n);
    const double step = (e.high - e.low) / SLICES;
    cut here = {.cost = INFINITY};
    vs_error error = VS_OK;
    for (int k = 1; k < SLICES && !error; k++)
        error = try_cut(d, part, (vs_plane3){n, e.low + k * step}, &here);
    for (int round = 1; round <= ROUNDS && !error && isfinite(here.cost); round++) {
        const double at = here.plane.offset;
        for (int side = -1; side <= 1 && !error; side += 2)
            error = try_cut(d, part, (vs_plane3){n, at + side * step / (1 << round)}, &here);
    }
    if (here.cost < best->cost)
        *best = here;
    return error;
}

// Principal axes of the corners of a piece, weighted by the areas of its triangles: Jacobi's method.
static void find_axes(const vs_piece *piece, vs_vec3 axis[3]) {
    vs_vec3 middle = VS_ZERO3;
    double weight = 0, C[3][3] = {{0}}, Q[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int round = 0; round < 2; round++)
        for (int64_t k = 0; k < piece->corner.count; k++) {
            const vs_vec3 *v = piece->corner.data + k - k % 3;
            const double area = vs_length(vs_cross(vs_subtract(v[1], v[0]), vs_subtract(v[2], v[0])));
            const vs_vec3 x = round == 0 ? piece->corner.data[k] : vs_subtract(piece->corner.data[k], middle);
            weight += round == 0 ? area : 0;
            if (round == 0)
                middle = vs_add_scaled(middle, area, x);
            for (int i = 0; i < 9 && round == 1; i++)
                C[i / 3][i % 3] += area * vs_component(x, i / 3) * vs_component(x, i % 3);
            if (round == 0 && k + 1 == piece->corner.count && weight > 0)
                middle = vs_scale(1 / weight, middle);
        }
    for (int sweep = 0; sweep < 30; sweep++) {
        const int i = sweep % 3 == 2 ? 1 : 0, j = sweep % 3 == 0 ? 1 : 2;
        if (C[i][j] == 0)
            continue;
        const double half = .5 * (C[j][j] - C[i][i]) / C[i][j];
        const double t = copysign(1, half) / (fabs(half) + sqrt(1 + half * half)), c = 1 / sqrt(1 + t * t), s = t * c;
        for (int k = 0; k < 3; k++) {
            const double p = C[k][i], q = C[k][j], u = Q[k][i], w = Q[k][j];
            C[k][i] = c * p - s * q, C[k][j] = s * p + c * q;
            Q[k][i] = c * u - s * w, Q[k][j] = s * u + c * w;
        }
        for (int k = 0; k < 3; k++) {
            const double p = C[i][k], q = C[j][k];
            C[i][k] = c * p - s * q, C[j][k] = s * p + c * q;
        }
    }
    for (int k = 0; k < 3; k++)
        axis[k] = (vs_vec3){Q[0][k], Q[1][k], Q[2][k]};
}

static vs_error try_axes(decomposition *d, const cut_part *part, cut *best) {
    vs_vec3 axis[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    find_axes(&part->piece, axis + 3);
    vs_error error = VS_OK;
    for (int k = 0; k < 6 && !error; k++) {
        const vs_vec3 n = axis[k];
        // Principal axes along those of the mesh are known.
        if (k >= 3 && fmax(fabs(n.x), fmax(fabs(n.y), fabs(n.z))) > 1 - 1e-6)
            continue;
        error = try_slices(d, part, n, best);
    }
    return error;
}

// Does the plane pass through the box?
static bool passes(const vs_plane3 *plane, const vs_box3 *box) {
    const vs_vec3 n = plane->normal, middle = vs_scale(.5, vs_add(box->low, box->high)),
                  half = vs_scale(.5, vs_subtract(box->high, box->low));
    const double reach = fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
    return fabs(vs_dot(n, middle) - plane->offset) < reach;
}

static vs_error find_cut(decomposition *d, const cut_part *part, cut *best) {
    const vs_box3 box = vs_piece_bounds(&part->piece);
    vs_error error = VS_OK;
    *best = (cut){.cost = INFINITY};
    for (int64_t k = 0, tried = 0; k < d->edges.plane.count && tried < CUTS_MOST && !error; k++) {
        if (!passes(&d->edges.plane.data[k], &box))
            continue;
        tried++;
        error = try_cut(d, part, d->edges.plane.data[k], best);
    }
    return error ? error : try_axes(d, part, best);
}

// ---- parts -----------------------------------------------------------------------------------------

// Bounds of all points that the hull of a piece is made of.
static vs_box3 hull_bounds(const vs_piece *piece) {
    vs_box3 box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    const vs_points *from[3] = {&piece->corner, &piece->cell_corner, &piece->skin};
    for (int i = 0; i < 3; i++)
        for (int64_t k = 0; k < from[i]->count; k++) {
            const vs_vec3 v = from[i]->data[k];
            box.low = (vs_vec3){fmin(box.low.x, v.x), fmin(box.low.y, v.y), fmin(box.low.z, v.z)};
            box.high = (vs_vec3){fmax(box.high.x, v.x), fmax(box.high.y, v.y), fmax(box.high.z, v.z)};
        }
    return box;
}

// Takes the piece over, also after an error.
static vs_error add_part(decomposition *d, vs_piece *piece) {
    double hull = 0;
    vs_error error = hull_volume(d, piece, false, &hull);
    const bool thin = !(hull > THIN * d->volume);
    if (!error && !thin)
        error = VS_RESERVE(d->context, &d->part, d->part.count + 1);
    if (error || thin) {
        vs_piece_release(d->context, piece);
        return error;
    }
    assert(d->part.data);
    d->part.data[d->part.count++] = (cut_part){*piece, hull_bounds(piece), hull - vs_piece_volume(piece), false};
    return VS_OK;
}

static double total_excess(const decomposition *d) {
    double sum = 0;
    for (int64_t k = 0; k < d->part.count; k++)
        sum += d->part.data[k].excess;
    return sum;
}

// The part with the largest excess that may be cut; -1: none.
static int64_t worst_part(const decomposition *d) {
    int64_t worst = -1;
    for (int64_t k = 0; k < d->part.count; k++)
        if (!d->part.data[k].final && d->part.data[k].excess > THIN * d->volume &&
            (worst < 0 || d->part.data[k].excess > d->part.data[worst].excess))
            worst = k;
    return worst;
}

// Replaces a part by its two sides.
static vs_error divide(decomposition *d, int64_t k) {
    cut best;
    vs_piece side[2] = {0};
    vs_error error = find_cut(d, &d->part.data[k], &best);
    if (error)
        return error;
    d->part.data[k].final = !isfinite(best.cost);
    if (d->part.data[k].final)
        return VS_OK;
    error = vs_piece_cut(d->context, &d->part.data[k].piece, &best.plane, d->tolerance, side, NULL);
    if (error) {
        release_sides(d, side);
        return error;
    }
    vs_piece_release(d->context, &d->part.data[k].piece);
    d->part.data[k] = d->part.data[--d->part.count];
    error = add_part(d, &side[0]);
    if (error) {
        vs_piece_release(d->context, &side[1]);
        return error;
    }
    return add_part(d, &side[1]);
}

// Joins two parts if their common hull has no more volume than their hulls: cuts in the middle of a solid of boxes were
// in vain. True in *joined: it was done.
static vs_error join(decomposition *d, int64_t i, int64_t j, bool *joined) {
    cut_part *p = &d->part.data[i], *q = &d->part.data[j];
    vs_piece both = {0};
    double hull = INFINITY;
    vs_error error = vs_piece_join(d->context, &p->piece, &q->piece, &both);
    if (!error)
        error = hull_volume(d, &both, false, &hull);
    const double excess = hull - vs_piece_volume(&p->piece) - vs_piece_volume(&q->piece);
    *joined = !error && excess <= p->excess + q->excess + JOINED * d->volume;
    if (!*joined) {
        vs_piece_release(d->context, &both);
        return error;
    }
    vs_piece_release(d->context, &p->piece);
    vs_piece_release(d->context, &q->piece);
    *p = (cut_part){both, hull_bounds(&both), excess, true};
    *q = d->part.data[--d->part.count];
    return VS_OK;
}

// Parts apart from each other have no common hull without what is between them.
static bool are_apart(const decomposition *d, const vs_box3 *a, const vs_box3 *b) {
    const double gap = APART * d->tolerance;
    return a->low.x > b->high.x + gap || b->low.x > a->high.x + gap || a->low.y > b->high.y + gap ||
           b->low.y > a->high.y + gap || a->low.z > b->high.z + gap || b->low.z > a->high.z + gap;
}

static vs_error join_parts(decomposition *d) {
    vs_error error = VS_OK;
    for (int64_t i = 0; i < d->part.count && !error; i++)
        for (int64_t j = i + 1; j < d->part.count && !error && d->work < d->most;) {
            bool joined = false;
            d->work++;
            if (!are_apart(d, &d->part.data[i].box, &d->part.data[j].box))
                error = join(d, i, j, &joined);
            j = joined ? i + 1 : j + 1;
        }
    return error;
}

// ---- public ----------------------------------------------------------------------------------------

vs_decompose_options vs_decompose_options_default(void) {
    return (vs_decompose_options){.error = .01, .parts = 32};
}

static vs_error check(vs_context *context, const vs_shape *mesh, const vs_decompose_options *options) {
    if (!(options->error >= 0 && isfinite(options->error)))
        return vs_fail(context, VS_ERROR_ARGUMENT, "decomposition: error must not be negative (is %g)", options->error);
    if (options->parts < 1 || options->parts > PARTS_MOST)
        return vs_fail(context, VS_ERROR_ARGUMENT, "decomposition: parts must be 1 to %d (is %d)", PARTS_MOST,
                       options->parts);
    if (mesh->kind != VS_SHAPE_MESH)
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "decomposition: only meshes are decomposed");
    if (!mesh->triangles.surface.closed)
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "decomposition: an open mesh is no solid; close it");
    return VS_OK;
}

static vs_error make_hulls(const decomposition *d, vs_shape **part, int *parts) {
    vs_error error = VS_OK;
    *parts = 0;
    for (int64_t k = 0; k < d->part.count && !error; k++) {
        error = vs_piece_hull(d->context, &d->part.data[k].piece, false, &part[*parts]);
        *parts += !error;
    }
    for (; error && *parts > 0; (*parts)--)
        vs_shape_release(part[*parts - 1]);
    return error;
}

static void cut_up(decomposition *d, const vs_decompose_options *options, vs_error *failed) {
    const double enough = (1 - WORK_OF_JOINING) * d->most;
    while (!*failed && d->part.count < options->parts && total_excess(d) > options->error * d->volume) {
        const int64_t worst = worst_part(d);
        if (worst < 0)
            return;
        if (d->work >= enough) {
            vs_log(d->context, VS_LOG_WARNING,
                   "decomposition: stops at %d parts, as more of a mesh of %d triangles would take too long; simplify "
                   "the mesh, or allow a larger error",
                   (int)d->part.count, d->mesh->triangles.triangles);
            return;
        }
        *failed = divide(d, worst);
    }
}

vs_error vs_decompose(const vs_shape *mesh, const vs_decompose_options *options, double work, vs_shape **part,
                      vs_decomposed *result) {
    vs_context *context = mesh->arena.context;
    vs_mass_properties mass;
    *result = (vs_decomposed){0};
    vs_error failed = check(context, mesh, options);
    if (!failed)
        failed = vs_shape_get_mass(mesh, 1, &mass);
    if (failed)
        return failed;
    decomposition d = {.context = context,
                       .mesh = mesh,
                       .volume = mass.mass,
                       .tolerance = ON_PLANE * mesh->size,
                       .most = work * (WORK_MOST + WORK_PER_TRIANGLE * mesh->triangles.triangles)};
    vs_piece whole = {0};
    d.edges = (vs_edge_planes){.context = context, .mesh = &mesh->triangles, .tolerance = d.tolerance};
    failed = vs_edge_planes_find(&d.edges, 4 * CUTS_MOST, WORK_OF_PLANES * d.most - d.work);
    d.work += d.edges.work;
    if (!failed && !(failed = vs_piece_of_mesh(context, &mesh->triangles, &whole)))
        failed = add_part(&d, &whole);
    cut_up(&d, options, &failed);
    if (!failed)
        failed = join_parts(&d);
    if (!failed)
        failed = make_hulls(&d, part, &result->parts);
    if (!failed)
        result->error = total_excess(&d) / d.volume;
    for (int64_t k = 0; k < d.part.count; k++)
        vs_piece_release(context, &d.part.data[k].piece);
    VS_ARRAY_RELEASE(context, &d.part);
    VS_ARRAY_RELEASE(context, &d.edges.plane);
    return failed;
}

vs_error vs_shape_decompose(const vs_shape *mesh, const vs_decompose_options *options, vs_shape **part, int *parts,
                            double *error) {
    const vs_decompose_options normal = vs_decompose_options_default();
    vs_decomposed result;
    if (!mesh || !part || !parts)
        return vs_fail(mesh ? mesh->arena.context : NULL, VS_ERROR_ARGUMENT, "decomposition: an argument is null");
    const vs_error failed = vs_decompose(mesh, options ? options : &normal, 1, part, &result);
    *parts = result.parts;
    if (!failed && error)
        *error = result.error;
    return failed;
}
