// Contact points of meshes, from many to few: equal points of neighbouring triangles are merged; of flat patches with
// many points the outermost ones are kept.
#include "base/array.h"
#include "collide/contact/manifold.h"
#include "collide/mesh/mesh.h"

static const double TOUCH = 1e-6; // of the size: lengths below it make no difference
static const double SAME = 1e-4;  // of the size: points that close with the same normal are one
static const double LEVEL = 1e-6; // 1 - cosine: normals that close are the same (1.4 mrad)
enum { PATCHES = 64 };            // flat patches that are reduced

vs_error vs_mesh_points_add(vs_mesh_points *points, vs_mesh_point point) {
    vs_error error =
        vs_array_reserve(points->context, &points->at, &points->capacity, points->count + 1, sizeof *points->at);
    if (!error)
        points->at[points->count++] = point;
    return error;
}

// Few points are level in a skew direction.
static double skew(const vs_mesh_point *p) {
    return .267261 * p->point.x + .534522 * p->point.y + .801784 * p->point.z;
}

static bool before(const vs_mesh_point *p, const vs_mesh_point *q, bool by_place) {
    double a = by_place ? skew(p) : 0, b = by_place ? skew(q) : 0;
    return a < b || (a == b && p->feature < q->feature);
}

// Shell sort, in place.
static void sort_points(vs_mesh_points *p, bool by_place) {
    int step = 1;
    while (step < p->count / 3)
        step = 3 * step + 1;
    for (; step > 0; step /= 3) {
        for (int i = step; i < p->count; i++) {
            vs_mesh_point moved = p->at[i];
            int j = i;
            for (; j >= step && before(&moved, &p->at[j - step], by_place); j -= step)
                p->at[j] = p->at[j - step];
            p->at[j] = moved;
        }
    }
}

static bool same_normal(const vs_mesh_point *p, const vs_mesh_point *q) {
    return vs_dot(p->normal, q->normal) > 1 - LEVEL;
}

// Merges equal points; the lowest feature and the least gap stay.
static void merge_points(vs_mesh_points *p, double same) {
    sort_points(p, true);
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        vs_mesh_point q = p->at[i];
        bool known = false;
        for (int j = count - 1; j >= 0 && skew(&q) - skew(&p->at[j]) <= same && !known; j--) {
            known = vs_length(vs_subtract(p->at[j].point, q.point)) <= same && same_normal(&p->at[j], &q);
            if (!known)
                continue;
            p->at[j].feature = q.feature < p->at[j].feature ? q.feature : p->at[j].feature;
            p->at[j].gap = fmin(p->at[j].gap, q.gap);
        }
        if (!known)
            p->at[count++] = q;
    }
    p->count = count;
    sort_points(p, false);
}

// Reduces the points from `begin` that lie in one plane with the first of them; returns the end of those kept. Points
// of other planes move behind them.
static int thin_patch(vs_mesh_points *p, double size, int begin) {
    vs_mesh_point first = p->at[begin];
    vs_extremes extremes;
    vs_extremes_begin(&extremes, first.normal, TOUCH * size);
    int inside = begin;
    for (int k = begin; k < p->count; k++) {
        vs_mesh_point q = p->at[k];
        double height = vs_dot(first.normal, vs_subtract(q.point, first.point)) + .5 * (q.gap - first.gap);
        if (!same_normal(&first, &q) || fabs(height) > 10 * SAME * size)
            continue;
        // stable: the other points keep their order
        for (int j = k; j > inside; j--)
            p->at[j] = p->at[j - 1];
        p->at[inside] = q;
        vs_extremes_offer(&extremes, inside++, q.point, q.gap);
    }
    int chosen[VS_MANIFOLD_MOST], count = vs_extremes_end(&extremes, chosen);
    for (int k = 0; k < count; k++)
        p->at[begin + k] = p->at[chosen[k]];
    const int removed = inside - begin - count;
    for (int k = inside; k < p->count && removed > 0; k++)
        p->at[k - removed] = p->at[k];
    p->count -= removed;
    return begin + count;
}

void vs_mesh_points_reduce(vs_mesh_points *points, double size) {
    merge_points(points, SAME * size);
    for (int k = 0, patch = 0; points->count - k > VS_MANIFOLD_MOST && patch < PATCHES; patch++)
        k = thin_patch(points, size, k);
}

// ---- curved contacts -------------------------------------------------------------------------------

// Columns of numbers of the points, so that several of them are compared at once: place, normal, how near they are (1: as close as
// the closest one, less for others), how different from the chosen ones, and the product of these two.
enum { PLACE, NORMAL = PLACE + 3, NEAR = NORMAL + 3, APART, WORTH, COLUMNS };

static void set_columns(double *const column[COLUMNS], int k, const vs_mesh_point *p, double near) {
    const double value[COLUMNS] = {p->point.x, p->point.y, p->point.z, p->normal.x, p->normal.y, p->normal.z,
                                   near,       INFINITY,   0};
    for (int i = 0; i < COLUMNS; i++)
        column[i][k] = value[i];
}

// How different two contacts are: places relative to the size, and normals.
static void set_apart(double *const column[COLUMNS], int from, int count, const vs_mesh_point *picked, double area) {
    const double *restrict x = column[PLACE], *restrict y = column[PLACE + 1], *restrict z = column[PLACE + 2],
                           *restrict u = column[NORMAL], *restrict v = column[NORMAL + 1],
                           *restrict w = column[NORMAL + 2], *restrict near = column[NEAR];
    double *restrict apart = column[APART], *restrict worth = column[WORTH];
    const vs_vec3 at = picked->point, normal = picked->normal;
    for (int k = from; k < count; k++) {
        const double way[3] = {x[k] - at.x, y[k] - at.y, z[k] - at.z},
                     turn[3] = {u[k] - normal.x, v[k] - normal.y, w[k] - normal.z};
        const double different = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) / area +
                                 (turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
        apart[k] = different < apart[k] ? different : apart[k];
        worth[k] = apart[k] * near[k];
    }
}

static void exchange(vs_mesh_points *points, double *const column[COLUMNS], int i, int k) {
    const vs_mesh_point kept = points->at[i];
    points->at[i] = points->at[k];
    points->at[k] = kept;
    for (int c = 0; c < COLUMNS; c++) {
        const double value = column[c][i];
        column[c][i] = column[c][k];
        column[c][k] = value;
    }
}

vs_error vs_mesh_points_limit(vs_mesh_points *points, double size, double envelope) {
    const int count = points->count;
    if (count <= VS_MESH_POINTS_MOST)
        return VS_OK;
    double *work = vs_allocate(points->context, sizeof *work * COLUMNS * (size_t)count), *column[COLUMNS];
    if (!work)
        return vs_fail_memory(points->context);
    for (int c = 0; c < COLUMNS; c++)
        column[c] = work + (int64_t)c * count;
    int next = 0;
    for (int k = 0; k < count; k++)
        next = points->at[k].gap < points->at[next].gap ? k : next;
    const double lowest = points->at[next].gap;
    for (int k = 0; k < count; k++)
        set_columns(column, k, &points->at[k], 1 - .9 * fmin((points->at[k].gap - lowest) / envelope, 1));
    for (int chosen = 0; chosen < VS_MESH_POINTS_MOST; chosen++) {
        exchange(points, column, next, chosen);
        set_apart(column, chosen + 1, count, &points->at[chosen], size * size);
        const double *worth = column[WORTH];
        double most = -1;
        for (int k = chosen + 1; k < count; k++)
            if (worth[k] > most || (worth[k] == most && points->at[k].feature < points->at[next].feature)) {
                most = worth[k];
                next = k;
            }
    }
    points->count = VS_MESH_POINTS_MOST;
    vs_release(points->context, work);
    sort_points(points, false);
    return VS_OK;
}
