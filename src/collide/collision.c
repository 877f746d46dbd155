// The contacts of a world: envelopes, broad phase, narrow phase, identities.
//
//     envelope of a pair = max(1e-3 size of the smaller body, 1.5 h (speed_a + speed_b))
//
// unless the caller specifies one. Speeds are bounds over the whole body, |v| + h g + |spin| size, so that every
// contact that may occur during the step is found before. Boxes grow by margins whose sum for any pair is at least its
// envelope. Planes have no box: each is compared with every box. Pairs are sorted by their bodies, contacts of a pair
// of bodies by their key. The key of a contact is a hash of colliders, generations and features; within a pair of
// bodies it is made unique, and for pairs with one feature each it is unique by construction. Otherwise 64 bits make a
// coincidence improbable (1e-8 for 600 000 contacts).
// There are no contacts between bodies without mass, and of one body with itself.
#include "collide/collision.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/sort.h"
#include "collide/narrow/narrow.h"
#include "collide/neighbours.h"

static const double ENVELOPE_SIZE = 1e-3, ENVELOPE_STEPS = 1.5;
// A dense packing of very different sizes has some dozens of pairs per collider. More than this many mean that bodies
// lie in one place, and would take gigabytes.
static const int64_t PAIRS_EACH = 200, PAIRS_LEAST = 100000;

// The higher body of a pair may be anywhere in memory: prefetched some pairs ahead.
enum { AHEAD = 6 };
static void fetch(const vs_placed_collider *p) {
    __builtin_prefetch(p);
    __builtin_prefetch((const char *)p + 64);
}

vs_error vs_collision_create(vs_world *world, vs_collision **collision) {
    *collision = NULL;
    vs_collision *c = vs_allocate(world->context, sizeof *c);
    if (!c)
        return vs_fail_memory(world->context);
    *c = (vs_collision){.world = world, .context = world->context};
    c->broad.context = c->neighbours.broad.context = c->mesh_points.context = c->kept.context = world->context;
    *collision = c;
    return VS_OK;
}

void vs_collision_destroy(vs_collision *c) {
    if (!c)
        return;
    vs_release(c->context, c->pair);
    vs_release(c->context, c->unsorted);
    vs_release(c->context, c->key);
    vs_release(c->context, c->spare_key);
    vs_release(c->context, c->order);
    vs_release(c->context, c->spare);
    vs_broad_release(&c->broad);
    vs_images_release(c->context, &c->images);
    vs_neighbours_release(&c->neighbours);
    vs_release(c->context, c->placed);
    vs_release(c->context, c->body_of);
    vs_release(c->context, c->box);
    vs_release(c->context, c->loose);
    vs_release(c->context, c->item);
    vs_release(c->context, c->plane);
    vs_release(c->context, c->body_size);
    vs_release(c->context, c->body_start);
    vs_release(c->context, c->mesh_points.at);
    vs_kept_store_release(&c->kept);
    vs_release(c->context, c->contacts.contact);
    vs_release(c->context, c);
}

// ---- memory ----------------------------------------------------------------------------------------

static vs_error reserve_colliders(vs_collision *c) {
    vs_context *context = c->context;
    const int n = c->world->colliders, bodies = c->world->bodies;
    vs_error error = vs_array_reserve(context, &c->placed, &c->placed_capacity, n, sizeof *c->placed);
    if (!error)
        error = vs_array_reserve(context, &c->body_of, &c->body_of_capacity, n, sizeof *c->body_of);
    if (!error)
        error = vs_array_reserve(context, &c->box, &c->box_capacity, n, sizeof *c->box);
    if (!error)
        error = vs_array_reserve(context, &c->loose, &c->loose_capacity, n, sizeof *c->loose);
    if (!error)
        error = vs_array_reserve(context, &c->item, &c->item_capacity, n, sizeof *c->item);
    if (!error)
        error = vs_array_reserve(context, &c->plane, &c->plane_capacity, n, sizeof *c->plane);
    if (!error)
        error = vs_array_reserve(context, &c->body_size, &c->body_capacity, bodies, sizeof *c->body_size);
    if (!error)
        error = vs_array_reserve(context, &c->body_start, &c->start_capacity, bodies + 1, sizeof *c->body_start);
    return error;
}

// All arrays have the same capacity.
static vs_error reserve_pairs(vs_collision *c) {
    void *const data[] = {&c->pair, &c->unsorted, &c->key, &c->spare_key, &c->order, &c->spare};
    const size_t size[] = {sizeof *c->pair,      sizeof *c->unsorted, sizeof *c->key,
                           sizeof *c->spare_key, sizeof *c->order,    sizeof *c->spare};
    int64_t capacity = c->pair_capacity;
    for (size_t k = 0; k < sizeof data / sizeof *data; k++) {
        capacity = c->pair_capacity;
        vs_error error = vs_array_reserve(c->context, data[k], &capacity, c->pairs, size[k]);
        if (error)
            return error;
    }
    c->pair_capacity = capacity;
    return VS_OK;
}

// ---- envelopes -------------------------------------------------------------------------------------

static bool takes_part(const vs_world *world, const vs_collider *collider) {
    return collider->alive && !collider->sensor && vs_world_place(world, collider->body) != VS_PLACE_ABSENT &&
           world->body[collider->body].alive;
}

// Radius of each body about its centre of mass.
static void measure_bodies(vs_collision *c) {
    const vs_world *world = c->world;
    for (int k = 0; k < world->bodies; k++)
        c->body_size[k] = 0;
    for (int k = 0; k < world->colliders; k++) {
        const vs_collider *collider = &world->collider[k];
        if (takes_part(world, collider))
            c->body_size[collider->body] =
                fmax(c->body_size[collider->body], vs_shape_arm(collider->shape, collider->pose));
    }
}

// A bound on the displacement of the body's points during the envelope's time. A plane is unbounded: its rotation is
// left to envelope_of_plane().
static double reach_of(const vs_world *world, const vs_body *body, double h, double size) {
    double spin = vs_length(body->spin), fall = body->motion == VS_MOTION_DYNAMIC ? h * vs_length(world->gravity) : 0;
    return ENVELOPE_STEPS * h * (vs_length(body->velocity) + fall + (isfinite(size) ? spin * size : 0));
}

// Margin of a box. Half of the sum of two sizes is at least the smaller one; a little more for roundoff.
static double margin_of(double envelope, double size, double reach) {
    return (envelope > 0 ? .5 * envelope : .5 * ENVELOPE_SIZE * size + reach) * (1 + 1e-12);
}

static double envelope_of(const vs_collision *c, int a, int b) {
    const vs_placed_collider *p = &c->placed[a], *q = &c->placed[b];
    const double chosen = fmax(ENVELOPE_SIZE * fmin(p->size, q->size), p->reach + q->reach);
    return (c->envelope > 0 ? c->envelope : chosen) + (p->margin + q->margin);
}

static double box_margin(const vs_collision *c, const vs_placed_collider *p) {
    return margin_of(c->envelope, p->size, p->reach) + p->margin;
}

static void place_colliders(vs_collision *c) {
    const vs_world *world = c->world;
    c->items = c->planes = 0;
    for (int k = 0; k < world->colliders; k++) {
        const vs_collider *collider = &world->collider[k];
        if (!takes_part(world, collider))
            continue;
        bool plane = !vs_shape_is_bounded(collider->shape);
        // with a plane on the same body the collider's own size counts
        double size = c->body_size[collider->body];
        if (!plane && !isfinite(size))
            size = vs_shape_arm(collider->shape, collider->pose);
        vs_placed_collider *p = &c->placed[k];
        c->body_of[k] = collider->body;
        *p = (vs_placed_collider){.pose = vs_collider_pose(world, collider),
                                  .size = size,
                                  .reach = reach_of(world, &world->body[collider->body], c->h, size),
                                  .margin = c->margin ? c->margin[collider->body] : 0,
                                  .shape = collider->shape,
                                  .body = collider->body,
                                  .item = plane ? -1 : c->items,
                                  .generation = collider->generation,
                                  .group = collider->group,
                                  .mask = collider->mask,
                                  .dynamic = world->body[collider->body].motion == VS_MOTION_DYNAMIC,
                                  .flat = vs_shape_has_flat_faces(collider->shape),
                                  .family = vs_class_of(collider->shape)->family};
        if (plane) {
            c->plane[c->planes++] = k;
            continue;
        }
        c->loose[c->items] = vs_shape_bounds_loosely(collider->shape, p->pose, box_margin(c, p), &c->box[c->items]);
        c->item[c->items++] = k;
    }
}

static vs_box3 everywhere(void) {
    return (vs_box3){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}

bool vs_collision_bounds(const vs_world *world, int body, double h, double envelope, vs_box3 *box) {
    const vs_body *b = &world->body[body];
    double size = 0;
    for (int k = b->first_collider; k >= 0; k = world->collider[k].next)
        size = fmax(size, vs_shape_arm(world->collider[k].shape, world->collider[k].pose));
    *box = isfinite(size) ? (vs_box3){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}} : everywhere();
    const double margin = isfinite(size) ? margin_of(envelope, size, reach_of(world, b, h, size)) : 0;
    for (int k = b->first_collider; k >= 0 && isfinite(size); k = world->collider[k].next) {
        const vs_collider *collider = &world->collider[k];
        vs_box3 one = vs_shape_bounds(collider->shape, vs_collider_pose(world, collider), margin);
        box->low = (vs_vec3){fmin(box->low.x, one.low.x), fmin(box->low.y, one.low.y), fmin(box->low.z, one.low.z)};
        box->high =
            (vs_vec3){fmax(box->high.x, one.high.x), fmax(box->high.y, one.high.y), fmax(box->high.z, one.high.z)};
    }
    return b->first_collider >= 0;
}

// ---- pairs -----------------------------------------------------------------------------------------

// The rank that steps the lower body with mass finds the contacts of a pair. It knows the pairs of others for seams.
static bool is_ours(const vs_world *world, const vs_placed_collider *p, const vs_placed_collider *q) {
    const vs_placed_collider *lower = !q->dynamic || (p->dynamic && p->body < q->body) ? p : q;
    return vs_world_place(world, lower->body) == VS_PLACE_HERE;
}

// The exact box of an item: of hulls with many vertices only for those that may meet something.
static const vs_box3 *tighten(vs_collision *c, int item) {
    const vs_placed_collider *p = &c->placed[c->item[item]];
    if (c->loose[item])
        c->box[item] = vs_shape_bounds(p->shape, p->pose, box_margin(c, p));
    c->loose[item] = false;
    return &c->box[item];
}

static vs_vec3 half_of(const vs_box3 *box) {
    return vs_scale(.5, vs_subtract(box->high, box->low));
}

static vs_vec3 middle_of(const vs_box3 *box) {
    return vs_scale(.5, vs_add(box->low, box->high));
}

// Does a face of one of the two boxes about the shapes, in the axes of the shapes, have the other one at a distance of more than
// `gap` before it? Costs less than an exact box of a hull with many vertices.
static bool are_apart(const vs_placed_collider *p, const vs_placed_collider *q, double gap) {
    const double rounding = 1e-9; // far above that of the sums, far below what envelopes leave
    const vs_vec3 a = half_of(&p->shape->bounds), b = half_of(&q->shape->bounds);
    const vs_vec3 to = vs_pose_apply_back(p->pose, vs_pose_apply(q->pose, middle_of(&q->shape->bounds)));
    const vs_vec3 way = vs_subtract(to, middle_of(&p->shape->bounds));
    const vs_mat3 R = vs_quat_matrix(vs_quat_multiply(vs_quat_conjugate(p->pose.rotation), q->pose.rotation));
    const double half_p[3] = {a.x, a.y, a.z}, half_q[3] = {b.x, b.y, b.z}, t[3] = {way.x, way.y, way.z};
    for (int i = 0; i < 3; i++) {
        double of_p = half_p[i] + gap, of_q = half_q[i] + gap, along = 0;
        for (int j = 0; j < 3; j++) {
            of_p += fabs(R.a[3 * i + j]) * half_q[j];
            of_q += fabs(R.a[3 * j + i]) * half_p[j];
            along += R.a[3 * j + i] * t[j];
        }
        if (fabs(t[i]) > (1 + rounding) * of_p || fabs(along) > (1 + rounding) * of_q)
            return true;
    }
    return false;
}

// Beyond this distance two shapes neither touch in this step nor lie flush (seam.c).
static double reach_of_pair(const vs_collision *c, int a, int b) {
    return fmax(envelope_of(c, a, b), ENVELOPE_SIZE * fmin(c->placed[a].size, c->placed[b].size));
}

static bool accept_pair(void *user, int first, int second) {
    vs_collision *c = user;
    const int a = c->item[first], b = c->item[second];
    if (!vs_collision_may_collide(c, a, b))
        return false;
    if (!c->loose[first] && !c->loose[second])
        return true;
    if (are_apart(&c->placed[a], &c->placed[b], reach_of_pair(c, a, b)))
        return false;
    return vs_boxes_meet(tighten(c, first), tighten(c, second));
}

// The envelope of a plane and another collider, with the rotation of the plane's body at the other's position.
static double envelope_of_plane(const vs_collision *c, int plane, int other) {
    double envelope = envelope_of(c, plane, other);
    const vs_world *world = c->world;
    const vs_body *turning = &world->body[world->collider[plane].body];
    double spin = vs_length(turning->spin);
    if (c->envelope > 0 || spin == 0)
        return envelope;
    double arm = vs_length(vs_subtract(c->placed[other].pose.position, turning->pose.position)) + c->placed[other].size;
    return envelope + ENVELOPE_STEPS * c->h * spin * arm;
}

// Is the lowest corner of a box within the envelope of a plane?
static bool reaches_plane(const vs_collision *c, int plane, int item, const vs_box3 *box) {
    vs_pose pose = c->placed[plane].pose;
    vs_vec3 n = vs_rotate(pose.rotation, (vs_vec3){0, 0, 1});
    vs_vec3 corner = {n.x > 0 ? box->low.x : box->high.x, n.y > 0 ? box->low.y : box->high.y,
                      n.z > 0 ? box->low.z : box->high.z};
    return vs_dot(n, vs_subtract(corner, pose.position)) <= envelope_of_plane(c, plane, c->item[item]);
}

static bool near_plane(vs_collision *c, int plane, int item) {
    return reaches_plane(c, plane, item, &c->box[item]) &&
           (!c->loose[item] || reaches_plane(c, plane, item, tighten(c, item)));
}

// Names the body with most of the pairs found; they are still pairs of items.
static vs_error fail_crowded(vs_collision *c) {
    const vs_world *world = c->world;
    int *pairs = c->body_start, most = 0;
    for (int k = 0; k < world->bodies; k++)
        pairs[k] = 0;
    for (int k = 0; k < c->broad.pairs; k++) {
        pairs[c->body_of[c->item[c->broad.pair[k].first]]]++;
        pairs[c->body_of[c->item[c->broad.pair[k].second]]]++;
    }
    for (int k = 0; k < world->bodies; k++)
        most = pairs[k] > pairs[most] ? k : most;
    const vs_body *body = &world->body[most];
    const vs_vec3 x = body->pose.position;
    return vs_fail(
        c->context, VS_ERROR_DATA,
        "more than %lld pairs of colliders are close enough to touch (%lld and %lld per collider); body %d%s%s "
        "at (%g, %g, %g) is in %d of them or more: move bodies apart, or reduce the step or their speeds",
        (long long)c->broad.most, (long long)PAIRS_LEAST, (long long)PAIRS_EACH, most, body->name ? " " : "",
        body->name ? body->name : "", x.x, x.y, x.z, pairs[most]);
}

// ---- where space repeats itself --------------------------------------------------------------------

static double sine_along(vs_vec3 n, vs_vec3 period) {
    return fmax(fmax(period.x > 0 ? fabs(n.x) : 0, period.y > 0 ? fabs(n.y) : 0), period.z > 0 ? fabs(n.z) : 0);
}

static vs_error fail_image(const vs_collision *c, int collider, const char *what) {
    const int index = c->world->collider[collider].body;
    const vs_body *body = &c->world->body[index];
    return vs_fail(c->context, VS_ERROR_DATA, "body %d%s%s %s", index, body->name ? " " : "",
                   body->name ? body->name : "", what);
}

static vs_error check_images(const vs_collision *c) {
    const double level = 1e-9; // rounding of a rotation
    const vs_vec3 period = c->world->period;
    const char *what = vs_period_scope(c->world);
    if (what)
        return vs_fail(c->context, VS_ERROR_UNSUPPORTED, "a world with a period must not have %s", what);
    for (int k = 0; k < c->planes; k++) {
        const vs_vec3 n = vs_rotate(c->placed[c->plane[k]].pose.rotation, (vs_vec3){0, 0, 1});
        if (sine_along(n, period) > level)
            return fail_image(c, c->plane[k], "is a plane across the period: its images would fill space");
    }
    const int item = vs_images_find_long(period, c->box, c->items);
    return item < 0 ? VS_OK
                    : fail_image(c, c->item[item],
                                 "is, with the way of a step, longer than half a period: it would meet "
                                 "others in two images");
}

static vs_error find_box_pairs(vs_collision *c) {
    if (!vs_world_repeats(c->world))
        return vs_broad_find(&c->broad, c->box, c->items, accept_pair, c);
    for (int k = 0; k < c->items; k++)
        (void)tighten(c, k);
    vs_error error = check_images(c);
    return error ? error : vs_images_find(&c->images, &c->broad, c->world->period, c->box, c->items, accept_pair, c);
}

// ---- all pairs -------------------------------------------------------------------------------------

// Adds the pairs of planes to those of boxes; items become colliders.
static vs_error find_pairs(vs_collision *c) {
    c->broad.most = PAIRS_LEAST + PAIRS_EACH * c->items;
    vs_error error = find_box_pairs(c);
    if (error == VS_ERROR_DATA && c->broad.failed)
        return fail_crowded(c);
    c->broad.most = 0; // planes have at most one pair per collider
    for (int k = 0; k < c->broad.pairs && !error; k++) {
        vs_box_pair *pair = &c->broad.pair[k];
        *pair = (vs_box_pair){c->item[pair->first], c->item[pair->second]};
    }
    for (int p = 0; p < c->planes && !error; p++)
        for (int k = 0; k < c->items && !error; k++)
            if (near_plane(c, c->plane[p], k) && vs_collision_may_collide(c, c->plane[p], c->item[k]))
                error = vs_broad_add(&c->broad, c->plane[p], c->item[k]);
    return error;
}

static vs_found_pair by_bodies(const vs_collision *c, vs_box_pair pair) {
    int a = c->body_of[pair.first], b = c->body_of[pair.second];
    return a < b ? (vs_found_pair){pair.first, pair.second, a, b} : (vs_found_pair){pair.second, pair.first, b, a};
}

// Sorts the pairs of one lower body, [begin, end), by the higher one.
static void sort_by_higher(vs_collision *c, int begin, int end) {
    int count = end - begin;
    for (int k = 0; k < count; k++) {
        c->key[k] = (uint64_t)c->pair[begin + k].higher;
        c->order[k] = k;
        c->unsorted[k] = c->pair[begin + k];
    }
    vs_sort_keys(c->key, c->order, c->spare_key, c->spare, count);
    for (int k = 0; k < count; k++)
        c->pair[begin + k] = c->unsorted[c->order[k]];
}

// Pairs by (lower body, higher body): counting sort by the lower one, then sorted within. One pass over memory instead
// of one per digit.
static vs_error sort_pairs(vs_collision *c) {
    c->pairs = c->broad.pairs;
    vs_error error = reserve_pairs(c);
    if (error)
        return error;
    int bodies = c->world->bodies, *start = c->body_start;
    for (int k = 0; k <= bodies; k++)
        start[k] = 0;
    for (int k = 0; k < c->pairs; k++)
        start[by_bodies(c, c->broad.pair[k]).lower + 1]++;
    for (int k = 0; k < bodies; k++)
        start[k + 1] += start[k];
    for (int k = 0; k < c->pairs; k++) {
        vs_found_pair pair = by_bodies(c, c->broad.pair[k]);
        c->pair[start[pair.lower]++] = pair;
    }
    for (int k = 0, begin = 0; k < bodies; begin = start[k++]) // start now has the ends
        if (start[k] - begin > 1)
            sort_by_higher(c, begin, start[k]);
    return VS_OK;
}

// ---- contacts --------------------------------------------------------------------------------------

uint64_t vs_collision_pair(const vs_collision *c, int a, int b) {
    const vs_placed_collider *p = &c->placed[a], *q = &c->placed[b];
    uint64_t generations = vs_hash_mix(((uint64_t)p->generation << 32 | q->generation) + 0x9e3779b97f4a7c15u);
    return vs_hash_mix(((uint64_t)a << 32 | (uint64_t)b) ^ generations);
}

// The features that two colliders had in the last step.
static vs_former former_of(const vs_collision *c, int a, int b) {
    vs_former former = {.count = 0};
    if (!c->former || !vs_narrow_remembers(c->placed[a].shape, c->placed[b].shape))
        return former;
    const uint64_t pair = vs_collision_pair(c, a, b);
    const vs_former_contact *contact = c->former->contact;
    for (int64_t k = vs_find_first(contact, c->former->count, sizeof *contact, pair);
         k < c->former->count && contact[k].pair == pair && former.count < VS_MANIFOLD_MOST; k++)
        former.feature[former.count++] = (uint32_t)contact[k].feature;
    return former;
}

static bool add_contact(vs_collision *c, int a, int b, const vs_mesh_point *at) {
    vs_contacts *all = &c->contacts;
    if (vs_array_reserve(c->context, &all->contact, &all->capacity, all->count + 1, sizeof *all->contact))
        return false;
    uint64_t pair = vs_collision_pair(c, a, b);
    all->contact[all->count++] = (vs_contact){.a = c->placed[a].body,
                                              .b = c->placed[b].body,
                                              .collider_a = a,
                                              .collider_b = b,
                                              .point = at->point,
                                              .normal = at->normal,
                                              .gap = at->gap,
                                              .shift = vs_collision_shift(c, c->box, a, b),
                                              .pair = pair,
                                              .feature = at->feature,
                                              .key = vs_hash_mix(pair ^ vs_hash_mix(at->feature))};
    return true;
}

// Two meshes remember where they came together; envelope of the step's search, 0: of another one.
static vs_error meet_triangles(vs_collision *c, int a, int b, const vs_pose pose[2], double envelope, double of_step) {
    const vs_placed_collider *p = &c->placed[a], *q = &c->placed[b];
    if (p->family != q->family)
        return vs_narrow_any(p->shape, pose[0], q->shape, pose[1], envelope, &c->mesh_points);
    vs_kept_pairs *kept = vs_kept_store_find(&c->kept, vs_collision_pair(c, a, b));
    if (kept && of_step > 0)
        kept->envelope = of_step;
    return vs_narrow_meshes_again(p->shape, pose[0], q->shape, pose[1], envelope, kept, &c->mesh_points);
}

static vs_error meet_mesh(vs_collision *c, int a, int b, double envelope) {
    const bool mesh_first = !vs_shape_is_convex(c->placed[a].shape);
    const vs_placed_collider *p = &c->placed[a], *q = &c->placed[b];
    vs_error error = meet_triangles(c, a, b, (const vs_pose[2]){p->pose, q->pose}, envelope, envelope);
    vs_seam_side side[2];
    // Two meshes, or one and a plane, have no sides of seams.
    const bool convex = vs_shape_is_convex(p->shape) || vs_shape_is_convex(q->shape);
    const bool seams = convex && vs_neighbours_gather(c, mesh_first ? b : a, mesh_first ? a : b, side);
    for (int k = 0; k < c->mesh_points.count && !error; k++) {
        vs_mesh_point at = c->mesh_points.at[k];
        // A seam's normals point to the mesh.
        const double sign = mesh_first ? -1 : 1;
        at.normal = vs_scale(sign, at.normal);
        if (seams && !vs_seam_correct(side, envelope, &at))
            continue;
        at.normal = vs_scale(sign, at.normal);
        error = add_contact(c, a, b, &at) ? VS_OK : vs_fail_memory(c->context);
    }
    return error;
}

static vs_error meet(vs_collision *c, int a, int b) {
    const vs_placed_collider *p = &c->placed[a], *q = &c->placed[b];
    bool plane_a = p->family == VS_FAMILY_PLANE, plane_b = q->family == VS_FAMILY_PLANE;
    double envelope = plane_a   ? envelope_of_plane(c, a, b)
                      : plane_b ? envelope_of_plane(c, b, a)
                                : envelope_of(c, a, b);
    if (p->family == VS_FAMILY_TRIANGLES || q->family == VS_FAMILY_TRIANGLES)
        return meet_mesh(c, a, b, envelope);
    const vs_former former = former_of(c, a, b);
    vs_manifold m = {.former = &former};
    vs_pose pose = q->pose;
    if (vs_world_repeats(c->world))
        pose.position = vs_add(pose.position, vs_collision_shift(c, c->box, a, b));
    vs_narrow_again(p->shape, p->pose, q->shape, pose, envelope, &m);
    vs_seam_side side[2];
    bool seams = m.count > 0 && vs_neighbours_gather(c, a, b, side);
    for (int k = 0; k < m.count; k++) {
        vs_mesh_point at = {m.at[k].point, m.at[k].normal, m.at[k].gap, m.at[k].feature};
        if (seams && !vs_seam_correct(side, envelope, &at))
            continue;
        if (!add_contact(c, a, b, &at))
            return vs_fail_memory(c->context);
    }
    return VS_OK;
}

// The deepest of the points of a mesh.
static vs_error meet_mesh_again(vs_collision *c, int a, int b, const vs_pose pose[2], double envelope, vs_manifold *m) {
    m->count = 0;
    vs_error error = meet_triangles(c, a, b, pose, envelope, 0);
    for (int k = 0; k < c->mesh_points.count && !error; k++) {
        const vs_mesh_point *at = &c->mesh_points.at[k];
        int place = m->count < VS_MANIFOLD_MOST ? m->count++ : VS_MANIFOLD_MOST;
        for (; place > 0 && m->at[place - 1].gap > at->gap; place--)
            if (place < VS_MANIFOLD_MOST)
                m->at[place] = m->at[place - 1];
        if (place == VS_MANIFOLD_MOST)
            continue;
        m->at[place].point = at->point;
        m->at[place].normal = at->normal;
        m->at[place].gap = at->gap;
        m->at[place].feature = (uint32_t)vs_hash_mix(at->feature);
    }
    return error;
}

vs_error vs_collision_meet(vs_collision *c, int a, int b, const vs_pose pose[2], double envelope, vs_manifold *m) {
    if (c->placed[a].family == VS_FAMILY_TRIANGLES || c->placed[b].family == VS_FAMILY_TRIANGLES)
        return meet_mesh_again(c, a, b, pose, envelope, m);
    vs_narrow_again(c->placed[a].shape, pose[0], c->placed[b].shape, pose[1], envelope, m);
    vs_seam_side side[2];
    if (m->count == 0 || !vs_neighbours_gather(c, a, b, side))
        return VS_OK;
    side[0].solid.pose = pose[0];
    side[1].solid.pose = pose[1];
    int kept = 0;
    for (int k = 0; k < m->count; k++) {
        vs_mesh_point at = {m->at[k].point, m->at[k].normal, m->at[k].gap, m->at[k].feature};
        if (!vs_seam_correct(side, 0, &at))
            continue;
        m->at[kept].point = at.point;
        m->at[kept].normal = at.normal;
        m->at[kept].gap = at.gap;
        m->at[kept++].feature = (uint32_t)at.feature;
    }
    m->count = kept;
    return VS_OK;
}

// Sorts the contacts of one pair of bodies by key (Shell) and makes equal keys different.
static void sort_contacts(vs_contact *contact, int count) {
    int step = 1;
    while (step < count / 3)
        step = 3 * step + 1;
    for (; step > 0; step /= 3) {
        for (int i = step; i < count; i++) {
            vs_contact moved = contact[i];
            int j = i;
            for (; j >= step && moved.key < contact[j - step].key; j -= step)
                contact[j] = contact[j - step];
            contact[j] = moved;
        }
    }
    for (int k = 1; k < count; k++)
        if (contact[k].key <= contact[k - 1].key)
            contact[k].key = contact[k - 1].key + 1;
}

static bool same_bodies(vs_found_pair p, vs_found_pair q) {
    return p.lower == q.lower && p.higher == q.higher;
}

static vs_error find_contacts(vs_collision *c) {
    int begin = 0; // of the contacts of the current pair of bodies
    for (int k = 0; k < c->pairs; k++) {
        if (k + AHEAD < c->pairs)
            fetch(&c->placed[c->pair[k + AHEAD].b]);
        if (k > 0 && !same_bodies(c->pair[k - 1], c->pair[k]))
            begin = c->contacts.count;
        const vs_placed_collider *p = &c->placed[c->pair[k].a], *q = &c->placed[c->pair[k].b];
        vs_error error = is_ours(c->world, p, q) ? meet(c, c->pair[k].a, c->pair[k].b) : VS_OK;
        if (error)
            return error;
        bool last = k + 1 == c->pairs || !same_bodies(c->pair[k], c->pair[k + 1]);
        if (last && c->contacts.count > begin)
            sort_contacts(c->contacts.contact + begin, c->contacts.count - begin);
    }
    return VS_OK;
}

void vs_collision_widen(vs_collision *c, const double *margin) {
    c->margin = margin;
}

vs_error vs_collision_find(vs_collision *c, double h, double envelope, const vs_former_contacts *former,
                           const vs_contacts **contacts) {
    *contacts = &c->contacts;
    c->contacts.count = 0;
    c->former = former;
    vs_kept_store_begin(&c->kept);
    if (!(h >= 0) || !(envelope >= 0))
        return vs_fail(c->context, VS_ERROR_ARGUMENT, "collision: step %g and envelope %g must not be negative", h,
                       envelope);
    c->h = h;
    c->envelope = envelope;
    c->broad.failed = VS_OK;
    vs_error error = reserve_colliders(c);
    if (error)
        return error;
    measure_bodies(c);
    place_colliders(c);
    error = find_pairs(c);
    if (!error)
        error = sort_pairs(c);
    if (!error)
        error = vs_neighbours_find(c);
    if (!error)
        error = find_contacts(c);
    if (error)
        c->contacts.count = 0;
    return error;
}
