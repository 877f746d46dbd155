// Pairs that may pass through each other within a step: see swept_pairs.h.
#include "collide/ccd/swept_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "collide/collision_data.h"

// Of its own thickness: a collider that moves less is slow. Two slow ones move by less than half of the thicker one's.
static const double SLOW = .25;
// As in the search for contacts (collision.c).
static const int64_t PAIRS_EACH = 200, PAIRS_LEAST = 100000;

void vs_swept_pairs_release(vs_swept_pairs *pairs) {
    vs_context *context = pairs->broad.context;
    if (!context)
        return;
    VS_ARRAY_RELEASE(context, &pairs->bound);
    VS_ARRAY_RELEASE(context, &pairs->path);
    VS_ARRAY_RELEASE(context, &pairs->pair);
    VS_ARRAY_RELEASE(context, &pairs->box);
    vs_images_release(context, &pairs->images);
    vs_broad_release(&pairs->broad);
}

// ---- fast colliders --------------------------------------------------------------------------------

// m, from the centre of mass to any point of a collider that is no plane, at most.
static double arm_of(const vs_collider *c) {
    return vs_shape_arm(c->shape, c->pose);
}

// m, the longest path of a point of such a collider.
static double path_of(const vs_swept_pairs *p, const vs_collision *c, int collider) {
    const vs_motion_bound *bound = &p->bound.data[c->body_of[collider]];
    if (!(bound->turn > 0))
        return bound->way;
    return bound->way + bound->turn * arm_of(&c->world->collider[collider]);
}

static bool is_fast(const vs_swept_pairs *p, const vs_collision *c, int collider) {
    return path_of(p, c, collider) > SLOW * c->placed[collider].shape->thickness;
}

static bool plane_moves(const vs_swept_pairs *p, const vs_collision *c, int plane) {
    const vs_motion_bound *bound = &p->bound.data[c->body_of[plane]];
    return bound->way > 0 || bound->turn > 0;
}

bool vs_swept_pairs_expected(const vs_swept_pairs *p, const vs_collision *c) {
    for (int k = 0; k < c->items; k++)
        if (is_fast(p, c, c->item[k]))
            return true;
    for (int k = 0; k < c->planes && c->items > 0; k++)
        if (plane_moves(p, c, c->plane[k]))
            return true;
    return false;
}

// ---- pairs -----------------------------------------------------------------------------------------

// m; of two meshes a share of the smaller size.
static double thickness_of(const vs_shape *a, const vs_shape *b) {
    const double thick = fmax(isfinite(a->thickness) ? a->thickness : 0, isfinite(b->thickness) ? b->thickness : 0);
    return thick > 0 ? thick : VS_CCD_MESH * fmin(a->size, b->size);
}

// The rank that steps the lower body with mass, as in the search for contacts.
static bool is_ours(const vs_world *world, const vs_placed_collider *p, const vs_placed_collider *q) {
    const vs_placed_collider *lower = !q->dynamic || (p->dynamic && p->body < q->body) ? p : q;
    return vs_world_place(world, lower->body) == VS_PLACE_HERE;
}

static bool may_pass(const vs_swept_pairs *p, const vs_collision *c, int a, int b) {
    if (!vs_collision_may_collide(c, a, b) || !is_ours(c->world, &c->placed[a], &c->placed[b]))
        return false;
    return path_of(p, c, a) + path_of(p, c, b) > 2 * SLOW * thickness_of(c->placed[a].shape, c->placed[b].shape);
}

typedef struct finding {
    const vs_swept_pairs *pairs;
    const vs_collision *c;
} finding;

static bool accept(void *user, int first, int second) {
    const finding *f = user;
    const int a = f->c->item[first], b = f->c->item[second];
    return may_pass(f->pairs, f->c, a, b);
}

// About the path of a collider.
static vs_box3 box_of(const vs_swept_pairs *p, const vs_collision *c, int collider) {
    const vs_placed_collider *placed = &c->placed[collider];
    const vs_collider *it = &c->world->collider[collider];
    const vs_motion_bound *bound = &p->bound.data[placed->body];
    const double margin = fmin(bound->turn, 2) * arm_of(it) + VS_CCD_TARGET * it->shape->size;
    vs_box3 box = vs_shape_bounds(it->shape, placed->pose, margin);
    const vs_vec3 way = p->path.data[placed->body].way;
    const double w[3] = {way.x, way.y, way.z};
    double *low[3] = {&box.low.x, &box.low.y, &box.low.z}, *high[3] = {&box.high.x, &box.high.y, &box.high.z};
    for (int k = 0; k < 3; k++)
        *(w[k] < 0 ? low[k] : high[k]) += w[k];
    return box;
}

static vs_error add(vs_swept_pairs *p, const vs_collision *c, int first, int second) {
    vs_error error = VS_RESERVE(p->broad.context, &p->pair, p->pair.count + 1);
    if (error)
        return error;
    const bool ascending = c->body_of[first] < c->body_of[second];
    const int a = ascending ? first : second, b = ascending ? second : first;
    p->pair.data[p->pair.count++] = (vs_swept_pair){a, b, vs_collision_shift(c, p->box.data, a, b)};
    return VS_OK;
}

static int compare(const void *x, const void *y) {
    const vs_swept_pair *p = x, *q = y;
    return p->a != q->a ? (p->a < q->a ? -1 : 1) : p->b < q->b ? -1 : p->b > q->b;
}

// A plane that rests meets only colliders that are fast; path_of() does not hold for planes.
static bool may_pass_plane(const vs_swept_pairs *p, const vs_collision *c, int plane, int collider) {
    if (!vs_collision_may_collide(c, plane, collider) || !is_ours(c->world, &c->placed[plane], &c->placed[collider]))
        return false;
    const vs_shape *shape = c->placed[collider].shape;
    return plane_moves(p, c, plane) || path_of(p, c, collider) > 2 * SLOW * thickness_of(shape, shape);
}

static vs_error find_box_pairs(vs_swept_pairs *p, const vs_collision *c, finding *f) {
    const vs_vec3 period = c->world->period;
    if (!vs_world_repeats(c->world))
        return vs_broad_find(&p->broad, p->box.data, c->items, accept, f);
    if (vs_images_find_long(period, p->box.data, c->items) >= 0)
        return vs_fail(c->context, VS_ERROR_UNSUPPORTED,
                       "a body moves by half a period within a step: reduce the step or its speed");
    return vs_images_find(&p->images, &p->broad, period, p->box.data, c->items, accept, f);
}

vs_error vs_swept_pairs_find(vs_swept_pairs *p, vs_collision *c) {
    p->pair.count = 0;
    p->found_for = c;
    vs_error error = VS_RESERVE(c->context, &p->box, c->items);
    if (error)
        return error;
    for (int k = 0; k < c->items; k++)
        p->box.data[k] = box_of(p, c, c->item[k]);
    finding f = {p, c};
    p->broad.most = PAIRS_LEAST + PAIRS_EACH * c->items;
    error = find_box_pairs(p, c, &f);
    if (error == VS_ERROR_DATA)
        return vs_fail(c->context, VS_ERROR_DATA,
                       "more than %lld pairs of fast colliders may meet within a step: reduce the step or their speeds",
                       (long long)p->broad.most);
    for (int k = 0; k < p->broad.pairs && !error; k++)
        error = add(p, c, c->item[p->broad.pair[k].first], c->item[p->broad.pair[k].second]);
    for (int i = 0; i < c->planes; i++)
        for (int k = 0; k < c->items && !error; k++)
            if (may_pass_plane(p, c, c->plane[i], c->item[k]))
                error = add(p, c, c->plane[i], c->item[k]);
    if (!error && p->pair.count > 1)
        qsort(p->pair.data, (size_t)p->pair.count, sizeof *p->pair.data, compare);
    return error;
}

double vs_swept_pairs_meet(const vs_swept_pairs *p, const vs_world *world, vs_swept_pair pair, double from, bool soft) {
    const vs_collider *a = &world->collider[pair.a], *b = &world->collider[pair.b];
    const vs_path path = vs_path_moved(p->path.data[b->body], pair.shift);
    const vs_swept_collider side[2] = {{a->shape, a->pose, &p->path.data[a->body]}, {b->shape, b->pose, &path}};
    const bool meshes = vs_shape_has_triangles(a->shape) && vs_shape_has_triangles(b->shape);
    vs_collision *c = p->found_for;
    vs_kept_pairs *kept = meshes ? vs_kept_store_find(&c->kept, vs_collision_pair(c, pair.a, pair.b)) : NULL;
    return vs_ccd_meet(side, from, soft, kept);
}
