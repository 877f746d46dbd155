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
    int removed = inside - begin - count;
    for (int k = inside; k < p->count; k++)
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

// How different two contacts are: places relative to the size, and normals.
static double difference(const vs_mesh_point *p, const vs_mesh_point *q, double size) {
    const vs_vec3 way = vs_subtract(p->point, q->point), turn = vs_subtract(p->normal, q->normal);
    return vs_dot(way, way) / (size * size) + vs_dot(turn, turn);
}

// What the choice of one more point goes by.
typedef struct choice {
    double apart; // from the chosen ones: the least difference
    double near;  // 1: as close as the closest one, less for others
} choice;

static void exchange(vs_mesh_point *p, vs_mesh_point *q) {
    const vs_mesh_point kept = *p;
    *p = *q;
    *q = kept;
}

vs_error vs_mesh_points_limit(vs_mesh_points *points, double size, double envelope) {
    if (points->count <= VS_MESH_POINTS_MOST)
        return VS_OK;
    choice *by = vs_allocate(points->context, sizeof *by * (size_t)points->count);
    if (!by)
        return vs_fail_memory(points->context);
    int next = 0;
    for (int k = 0; k < points->count; k++)
        next = points->at[k].gap < points->at[next].gap ? k : next;
    const double lowest = points->at[next].gap;
    for (int k = 0; k < points->count; k++)
        by[k] = (choice){INFINITY, 1 - .9 * fmin((points->at[k].gap - lowest) / envelope, 1)};
    for (int chosen = 0; chosen < VS_MESH_POINTS_MOST; chosen++) {
        exchange(&points->at[next], &points->at[chosen]);
        by[next] = by[chosen]; // that of a chosen point is not needed
        const vs_mesh_point *picked = &points->at[chosen];
        double most = -1;
        for (int k = chosen + 1; k < points->count; k++) {
            const vs_mesh_point *p = &points->at[k];
            const double from_picked = difference(p, picked, size);
            by[k].apart = from_picked < by[k].apart ? from_picked : by[k].apart;
            const double worth = by[k].apart * by[k].near;
            if (worth > most || (worth == most && p->feature < points->at[next].feature)) {
                most = worth;
                next = k;
            }
        }
    }
    points->count = VS_MESH_POINTS_MOST;
    vs_release(points->context, by);
    sort_points(points, false);
    return VS_OK;
}
