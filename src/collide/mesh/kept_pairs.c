// Lists of pairs of triangles that several searches share: see kept_pairs.h.
#include "collide/mesh/kept_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "shape/box_tree.h"

// Of the smaller size: way for which a list holds. The rounds of a step end within much less of each other, and the next step begins
// there; the way of a whole step would take lists that cost more than they save.
static const double MARGIN = 2e-3;
static const double WIDER = 1.25;    // of the envelope of the step's search, which grows from step to step
static const double ROUNDING = 1e-9; // of the size
enum {
    PAIRS_MOST = 1 << 18,  // of one list
    STORED_MOST = 1 << 23, // of all of them: 100 MB
    PAUSE = 64,            // searches after a list that would be longer
    FORGOTTEN = 32,        // searches
};

// ---- motion ----------------------------------------------------------------------------------------

// Way of any point of the box about the first mesh from one pose to another, at most; *turn: change of its unit vectors.
static double way_between(const vs_triangles *a, const vs_pose *from, const vs_pose *to, double *turn) {
    const vs_box3 box = a->node[0].box;
    const vs_vec3 middle = vs_box_middle(box);
    const vs_quat q = vs_quat_multiply(vs_quat_conjugate(from->rotation), to->rotation);
    *turn = 2 * sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    return vs_length(vs_subtract(vs_pose_apply(*to, middle), vs_pose_apply(*from, middle))) +
           .5 * *turn * sqrt(vs_box_extent(&box));
}

static double arm_of(const vs_triangles *a) {
    return .5 * sqrt(vs_box_extent(&a->node[0].box));
}

static double size_of(const vs_triangles *a, const vs_triangles *b) {
    return fmin(arm_of(a), arm_of(b));
}

// ---- collecting ------------------------------------------------------------------------------------

enum { PLACED = 16 };

// A triangle in the axes of the second mesh.
typedef struct placed_triangle {
    int triangle; // -1: none yet
    vs_vec3 corner[3], normal;
    vs_box3 box;  // about its turned box
    double blunt; // the inverse of the sine of half of its least angle, at most
} placed_triangle;

typedef struct collecting {
    vs_kept_list *list;
    const vs_triangles *a, *b;
    vs_pose pose;
    vs_mat3 rotation;
    vs_box_turn turn;
    double most;  // m; pairs farther apart are left out
    double reach; // m, of any search at least
    double tolerance;
    double depth;   // of crossings
    vs_vec3 centre; // of the first mesh
    double arm;
    placed_triangle placed[PLACED]; // by the lowest bits of the triangle
    bool failed;
} collecting;

static double blunt_of(const vs_vec3 x[3]) {
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        const vs_vec3 r = vs_subtract(x[(k + 1) % 3], x[k]);
        longest = vs_higher(longest, vs_dot(r, r));
    }
    return 2 * longest / vs_length(vs_cross(vs_subtract(x[1], x[0]), vs_subtract(x[2], x[0])));
}

static const placed_triangle *place(collecting *c, int triangle) {
    placed_triangle *p = &c->placed[triangle % PLACED];
    if (p->triangle == triangle)
        return p;
    p->triangle = triangle;
    for (int k = 0; k < 3; k++) {
        const vs_vec3 v = c->a->vertex[c->a->index[3 * (int64_t)triangle + k]];
        p->corner[k] = vs_add(c->pose.position, vs_mat3_apply(&c->rotation, v));
    }
    p->normal = vs_mat3_apply(&c->rotation, c->a->surface.normal[triangle]);
    p->box = vs_box_turned(&c->turn, &c->a->box[c->a->leaf[triangle]], 0);
    p->blunt = blunt_of(p->corner);
    return p;
}

static double gap_of_boxes(const vs_box3 *a, const vs_box3 *b) {
    const double x = vs_higher(a->low.x - b->high.x, b->low.x - a->high.x),
                 y = vs_higher(a->low.y - b->high.y, b->low.y - a->high.y),
                 z = vs_higher(a->low.z - b->high.z, b->low.z - a->high.z);
    return vs_higher(x, vs_higher(y, z));
}

typedef struct extent {
    double low, high;
} extent;

static extent extent_along(const vs_vec3 x[3], vs_vec3 n) {
    const double p = vs_dot(n, x[0]), q = vs_dot(n, x[1]), r = vs_dot(n, x[2]);
    return (extent){vs_lower(p, vs_lower(q, r)), vs_higher(p, vs_higher(q, r))};
}

// Distance of two triangles along a unit vector; negative: they overlap in it.
static double gap_along(const vs_vec3 x[3], const vs_vec3 y[3], vs_vec3 n) {
    const extent a = extent_along(x, n), b = extent_along(y, n);
    return vs_higher(a.low - b.high, b.low - a.high);
}

// Distance of a triangle from a plane; negative: it lies on both sides.
static double gap_to_plane(const vs_vec3 x[3], vs_vec3 n, vs_vec3 on_plane) {
    const extent e = extent_along(x, n);
    const double level = vs_dot(n, on_plane);
    return vs_higher(e.low - level, level - e.high);
}

// At most the distance of two triangles: along their normals, across their sides in their planes, across pairs of sides.
static double distance_bound(const vs_vec3 x[3], vs_vec3 normal_x, const vs_vec3 y[3], vs_vec3 normal_y, double most) {
    double gap = vs_higher(gap_to_plane(x, normal_y, y[0]), gap_to_plane(y, normal_x, x[0]));
    vs_vec3 side_x[3], side_y[3];
    for (int k = 0; k < 3 && gap <= most; k++) {
        side_x[k] = vs_normalize(vs_subtract(x[(k + 1) % 3], x[k]));
        side_y[k] = vs_normalize(vs_subtract(y[(k + 1) % 3], y[k]));
        gap = vs_higher(gap, vs_higher(gap_along(x, y, vs_cross(side_x[k], normal_x)),
                                       gap_along(x, y, vs_cross(side_y[k], normal_y))));
    }
    for (int k = 0; k < 9 && gap <= most; k++) {
        const vs_vec3 n = vs_cross(side_x[k / 3], side_y[k % 3]);
        const double nn = vs_dot(n, n);
        if (nn > 1e-6)
            gap = vs_higher(gap, gap_along(x, y, vs_scale(1 / sqrt(nn), n)));
    }
    return gap;
}

static bool keep(collecting *c, int triangle_a, int triangle_b, double apart) {
    vs_kept_list *list = c->list;
    if (apart > c->most)
        return true;
    const bool full = list->pair.count >= list->pair.capacity || list->pair.count >= list->apart.capacity;
    if (full &&
        (list->pair.count >= PAIRS_MOST || VS_RESERVE(list->store->context, &list->pair, list->pair.count + 1) ||
         VS_RESERVE(list->store->context, &list->apart, list->pair.count + 1))) {
        c->failed = true;
        return false;
    }
    list->apart.data[list->pair.count] = (float)(apart - 1e-6 * fabs(apart)); // rounded down
    list->pair.data[list->pair.count++] = (vs_leaf_pair){c->a->leaf[triangle_a], c->b->leaf[triangle_b]};
    return true;
}

// Points of the second mesh that are no farther from the middle of the first one than twice its size move by at most twice as much,
// as the first one sees it.
static bool is_near(const collecting *c, const vs_vec3 y[3]) {
    const double most = 4 * c->arm * c->arm;
    for (int k = 0; k < 3; k++) {
        const vs_vec3 r = vs_subtract(y[k], c->centre);
        if (vs_dot(r, r) > most)
            return false;
    }
    return true;
}

// Feet of vertices count a little beyond the borders of a triangle. Where a vertex may stand over a valley, its foot is anywhere:
// only the height of the other triangle over the plane counts, and their boxes.
static double facing_apart(const collecting *c, const placed_triangle *p, int triangle_a, int triangle_b) {
    const int *corner = c->b->index + 3 * (int64_t)triangle_b;
    const bool valley_a = c->a->surface.own[triangle_a] & VS_OWN_VALLEY,
               valley_b = c->b->surface.own[triangle_b] & VS_OWN_VALLEY;
    const double boxes = gap_of_boxes(&p->box, &c->b->box[c->b->leaf[triangle_b]]);
    if (boxes > c->most)
        return boxes;
    const vs_vec3 y[3] = {c->b->vertex[corner[0]], c->b->vertex[corner[1]], c->b->vertex[corner[2]]};
    const vs_vec3 n = c->b->surface.normal[triangle_b];
    if (!valley_a && !valley_b) {
        const double wider = c->tolerance * vs_higher(p->blunt, blunt_of(y));
        return vs_higher(boxes, distance_bound(p->corner, p->normal, y, n, c->most + wider) - wider);
    }
    double planes = boxes;
    if (!valley_a)
        planes = vs_higher(planes, gap_to_plane(p->corner, n, y[0]) - c->tolerance);
    if (!valley_b && is_near(c, y))
        planes =
            vs_higher(planes, .5 * (gap_to_plane(y, p->normal, p->corner[0]) - c->reach - c->tolerance) + c->reach);
    return planes;
}

static bool collect_facing(void *user, int triangle_a, int triangle_b) {
    collecting *c = user;
    if (!((c->a->surface.own[triangle_a] | c->b->surface.own[triangle_b]) & ~VS_OWN_VALLEY))
        return true;
    return keep(c, triangle_a, triangle_b, facing_apart(c, place(c, triangle_a), triangle_a, triangle_b));
}

// Way that it takes at least until there are corners beyond the depth on both sides of a plane.
static double way_to_straddle(const vs_vec3 x[3], vs_vec3 n, vs_vec3 on_plane, double depth) {
    return gap_to_plane(x, n, on_plane) + depth;
}

static bool collect_crossing(void *user, int triangle_a, int triangle_b) {
    collecting *c = user;
    const placed_triangle *p = place(c, triangle_a);
    const int *corner = c->b->index + 3 * (int64_t)triangle_b;
    const vs_vec3 y[3] = {c->b->vertex[corner[0]], c->b->vertex[corner[1]], c->b->vertex[corner[2]]};
    const vs_vec3 n = c->b->surface.normal[triangle_b];
    double apart = gap_of_boxes(&p->box, &c->b->box[c->b->leaf[triangle_b]]);
    apart = vs_higher(apart, vs_higher(gap_along(p->corner, y, n), gap_along(p->corner, y, p->normal)));
    if (is_near(c, y))
        apart = vs_higher(apart, vs_lower(way_to_straddle(p->corner, n, y[0], c->depth),
                                          .5 * way_to_straddle(y, p->normal, p->corner[0], c->depth)));
    return keep(c, triangle_a, triangle_b, apart);
}

static void begin_list(collecting *c, vs_kept_list *list, const vs_triangles *a, vs_pose pose, const vs_triangles *b) {
    list->store->pairs -= list->pair.count;
    list->pair.count = 0;
    list->pose = pose;
    *c = (collecting){.list = list,
                      .a = a,
                      .b = b,
                      .pose = pose,
                      .rotation = vs_quat_matrix(pose.rotation),
                      .turn = vs_box_turn_of(pose),
                      .centre = vs_pose_apply(pose, vs_box_middle(a->node[0].box)),
                      .arm = arm_of(a)};
    for (int k = 0; k < PLACED; k++)
        c->placed[k].triangle = -1;
}

static void end_list(const collecting *c) {
    vs_kept_list *list = c->list;
    if (c->failed || list->store->pairs + list->pair.count > STORED_MOST) {
        list->pair.count = 0;
        list->margin = 0;
        list->pause = PAUSE;
    }
    list->store->pairs += list->pair.count;
    list->hits = 0;
}

// ---- searches --------------------------------------------------------------------------------------

typedef enum service { BY_TREES, BY_LIST, BY_NEW_LIST } service;

typedef struct query {
    const vs_triangles *a, *b;
    vs_pose pose;
    double envelope;
} query;

// *way: the motion since the list was collected. A new one is worth it where the one before served another search, or the search
// before was near.
static service service_of(vs_kept_list *list, const query *q, double *way) {
    const double margin = MARGIN * size_of(q->a, q->b);
    double turn;
    *way = INFINITY;
    if (list->margin > 0)
        *way = way_between(q->a, &list->pose, &q->pose, &turn);
    if (*way <= list->margin && q->envelope <= list->envelope) {
        list->hits++;
        return BY_LIST;
    }
    if (list->pause > 0 && list->pause--)
        return BY_TREES;
    const bool near = list->was_asked && way_between(q->a, &list->asked, &q->pose, &turn) <= margin;
    list->asked = q->pose;
    list->was_asked = true;
    if (!near && list->hits == 0)
        return BY_TREES;
    list->margin = margin;
    *way = 0;
    return BY_NEW_LIST;
}

static void collect_faces(vs_kept_list *list, const query *q, const vs_gap_range *range, double envelope) {
    collecting c;
    list->envelope = envelope;
    begin_list(&c, list, q->a, q->pose, q->b);
    c.tolerance = range->tolerance;
    c.reach = range->depth;
    c.most = fmax(list->envelope, range->depth) + list->margin + ROUNDING * c.arm;
    const vs_gap_range wide = {.envelope = list->envelope,
                               .depth = range->depth,
                               .tolerance = range->tolerance,
                               .margin = list->margin,
                               .turn = list->margin / c.arm};
    vs_triangles_facing_pairs(q->a, q->pose, q->b, &wide, collect_facing, &c);
    end_list(&c);
}

void vs_kept_facing_pairs(vs_kept_pairs *kept, const vs_triangles *a, vs_pose pose, const vs_triangles *b,
                          const vs_gap_range *range, vs_visit_triangles *visit, void *user) {
    const query q = {a, b, pose, range->envelope};
    double way = 0;
    service by = BY_TREES;
    const double widest = kept ? WIDER * kept->envelope : 0;
    if (kept && range->envelope <= widest)
        by = service_of(&kept->facing, &q, &way);
    if (by == BY_NEW_LIST)
        collect_faces(&kept->facing, &q, range, widest);
    if (by == BY_TREES || kept->facing.margin == 0) {
        vs_triangles_facing_pairs(a, pose, b, range, visit, user);
        return;
    }
    const vs_kept_list *list = &kept->facing;
    const vs_leaf_pairs among = {list->pair.data, list->apart.data, list->pair.count,
                                 fmax(range->envelope, range->depth) + way + ROUNDING * arm_of(a)};
    vs_triangles_facing_among(a, pose, b, range, &among, visit, user);
}

static void collect_crossings(vs_kept_list *list, const query *q, double depth) {
    collecting c;
    begin_list(&c, list, q->a, q->pose, q->b);
    c.depth = (1 - 1e-3) * depth;
    c.most = list->margin + ROUNDING * c.arm;
    vs_triangles_pairs(q->a, q->pose, q->b, &c.most, collect_crossing, &c);
    end_list(&c);
}

void vs_kept_crossing_pairs(vs_kept_pairs *kept, const vs_triangles *a, vs_pose pose, const vs_triangles *b,
                            double depth, vs_visit_triangles *visit, void *user) {
    const query q = {a, b, pose, 0};
    double way = 0;
    service by = BY_TREES;
    if (kept && kept->envelope > 0)
        by = service_of(&kept->crossing, &q, &way);
    if (by == BY_NEW_LIST)
        collect_crossings(&kept->crossing, &q, depth);
    if (by == BY_TREES || kept->crossing.margin == 0) {
        const double reach = 0;
        vs_triangles_pairs(a, pose, b, &reach, visit, user);
        return;
    }
    const vs_kept_list *list = &kept->crossing;
    const double least = way + ROUNDING * arm_of(a);
    for (int64_t k = 0; k < list->pair.count; k++)
        if ((double)list->apart.data[k] <= least &&
            !visit(user, a->order[list->pair.data[k].a], b->order[list->pair.data[k].b]))
            return;
}

// ---- the store -------------------------------------------------------------------------------------

static void forget(vs_kept_store *store, vs_kept_pairs *kept) {
    store->pairs -= kept->facing.pair.count + kept->crossing.pair.count;
    VS_ARRAY_RELEASE(store->context, &kept->facing.pair);
    VS_ARRAY_RELEASE(store->context, &kept->facing.apart);
    VS_ARRAY_RELEASE(store->context, &kept->crossing.pair);
    VS_ARRAY_RELEASE(store->context, &kept->crossing.apart);
    vs_release(store->context, kept->contacts.point);
    vs_release(store->context, kept);
}

void vs_kept_store_release(vs_kept_store *store) {
    for (int64_t k = 0; k < store->slots; k++)
        if (store->slot[k])
            forget(store, store->slot[k]);
    vs_release(store->context, store->slot);
    *store = (vs_kept_store){.context = store->context};
}

// The slot of a key: its own, or a free one.
static vs_kept_pairs **slot_of(vs_kept_pairs **slot, int64_t slots, uint64_t key) {
    int64_t k = (int64_t)(key & (uint64_t)(slots - 1));
    while (slot[k] && slot[k]->key != key)
        k = (k + 1) & (slots - 1);
    return &slot[k];
}

// Moves those asked for lately to as many slots. Without memory nothing changes.
static bool rebuild(vs_kept_store *store, int64_t slots) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    vs_kept_pairs **slot = vs_allocate(store->context, (size_t)slots * sizeof *slot);
    if (!slot)
        return false;
    for (int64_t k = 0; k < slots; k++)
        slot[k] = NULL;
    store->used = 0;
    for (int64_t k = 0; k < store->slots; k++) {
        vs_kept_pairs *kept = store->slot[k];
        if (!kept)
            continue;
        if (store->search - kept->last > FORGOTTEN) {
            forget(store, kept);
            continue;
        }
        *slot_of(slot, slots, kept->key) = kept;
        store->used++;
    }
    vs_release(store->context, store->slot);
    store->slot = slot;
    store->slots = slots;
    return true;
}

void vs_kept_store_begin(vs_kept_store *store) {
    store->search++;
    if (store->slots > 0 && store->search % FORGOTTEN == 0)
        (void)rebuild(store, store->slots);
}

vs_kept_pairs *vs_kept_store_find(vs_kept_store *store, uint64_t key) {
    enum { SLOTS_LEAST = 16 };
    if (2 * (store->used + 1) > store->slots && !rebuild(store, store->slots > 0 ? 2 * store->slots : SLOTS_LEAST))
        return NULL;
    vs_kept_pairs **slot = slot_of(store->slot, store->slots, key);
    if (!*slot) {
        *slot = vs_allocate(store->context, sizeof **slot);
        if (!*slot)
            return NULL;
        **slot = (vs_kept_pairs){.key = key, .facing = {.store = store}, .crossing = {.store = store}};
        store->used++;
    }
    (*slot)->last = store->search;
    return *slot;
}
