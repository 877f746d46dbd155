// Neighbours of the colliders of a pair: colliders with flat faces, near both, that move along with one of them.
//
// A neighbour of Q in a pair (P, Q) touches P's surroundings as well as Q. It is searched in the shorter one of two
// lists: the partners of P (from the pairs), or the partners and companions of Q. Companions are the colliders that the
// pairs leave out: those of the same body, and two without mass. They are searched only among colliders with a partner,
// so that a scene without compound bodies and with a single floor has none.
#include "collide/neighbours.h"

#include "base/array.h"

static const int64_t PAIRS_EACH = 200;

// ---- lists -----------------------------------------------------------------------------------------

static vs_error reserve_starts(vs_collision *c, vs_collider_lists *lists) {
    int n = c->world->colliders;
    vs_error error = vs_array_reserve(c->context, &lists->start, &lists->start_capacity, n + 2, sizeof *lists->start);
    for (int k = 0; k < n + 2 && !error; k++)
        lists->start[k] = 0;
    return error;
}

// The numbers of entries are in start[k + 2]; afterwards start[k + 1] is where the next entry of k belongs.
static vs_error reserve_entries(vs_collision *c, vs_collider_lists *lists) {
    int n = c->world->colliders;
    for (int k = 0; k < n; k++)
        lists->start[k + 2] += lists->start[k + 1];
    return vs_array_reserve(c->context, &lists->other, &lists->other_capacity, lists->start[n + 1],
                            sizeof *lists->other);
}

static int length_of(const vs_collider_lists *lists, int k) {
    return lists->start[k + 1] - lists->start[k];
}

static const int *entries_of(const vs_collider_lists *lists, int k) {
    return lists->other + lists->start[k];
}

static vs_error list_partners(vs_collision *c) {
    vs_collider_lists *lists = &c->neighbours.partner;
    vs_error error = reserve_starts(c, lists);
    for (int k = 0; k < c->pairs && !error; k++) {
        int a = c->pair[k].a, b = c->pair[k].b;
        lists->start[a + 2] += c->placed[b].flat;
        lists->start[b + 2] += c->placed[a].flat;
    }
    if (!error)
        error = reserve_entries(c, lists);
    for (int k = 0; k < c->pairs && !error; k++) {
        int a = c->pair[k].a, b = c->pair[k].b;
        if (c->placed[b].flat)
            lists->other[lists->start[a + 1]++] = b;
        if (c->placed[a].flat)
            lists->other[lists->start[b + 1]++] = a;
    }
    return error;
}

// ---- companions ------------------------------------------------------------------------------------

static bool accept_companions(void *user, int first, int second) {
    const vs_collision *c = user;
    const vs_placed_collider *p = &c->placed[c->neighbours.item[first]], *q = &c->placed[c->neighbours.item[second]];
    return p->body == q->body || (!p->dynamic && !q->dynamic);
}

static bool may_have_companions(const vs_collision *c, int collider) {
    const vs_placed_collider *p = &c->placed[collider];
    const vs_collider *first = &c->world->collider[c->world->body[p->body].first_collider];
    return p->flat && (!p->dynamic || first->next >= 0);
}

// Colliders with flat faces that have a partner of any kind, each once, and their boxes.
static vs_error choose_items(vs_collision *c, int *items) {
    vs_neighbours *n = &c->neighbours;
    vs_error error = vs_array_reserve(c->context, &n->item, &n->item_capacity, c->items, sizeof *n->item);
    if (!error)
        error = vs_array_reserve(c->context, &n->box, &n->box_capacity, c->items, sizeof *n->box);
    // in start[k + 1] of the companions' lists: has it a pair?
    int *paired = n->companion.start + 1;
    for (int k = 0; k < c->pairs && !error; k++)
        paired[c->pair[k].a] = paired[c->pair[k].b] = 1;
    *items = 0;
    for (int k = 0; k < c->items && !error; k++) {
        int collider = c->item[k];
        if (paired[collider] && may_have_companions(c, collider)) {
            n->box[*items] = c->box[k];
            n->item[(*items)++] = collider;
        }
    }
    for (int k = 0; k < c->world->colliders && !error; k++)
        paired[k] = 0;
    return error;
}

static vs_error list_companions(vs_collision *c) {
    vs_neighbours *n = &c->neighbours;
    vs_collider_lists *lists = &n->companion;
    int items = 0;
    vs_error error = reserve_starts(c, lists);
    if (!error)
        error = choose_items(c, &items);
    n->broad.pairs = 0;
    n->broad.most = PAIRS_EACH * items;
    if (!error && items > 1)
        error = vs_broad_find(&n->broad, n->box, items, accept_companions, c);
    // Colliders that lie in one place are no floor: some companions suffice.
    if (error == VS_ERROR_DATA)
        error = VS_OK;
    for (int k = 0; k < n->broad.pairs && !error; k++) {
        lists->start[n->item[n->broad.pair[k].first] + 2]++;
        lists->start[n->item[n->broad.pair[k].second] + 2]++;
    }
    if (!error)
        error = reserve_entries(c, lists);
    for (int k = 0; k < n->broad.pairs && !error; k++) {
        int a = n->item[n->broad.pair[k].first], b = n->item[n->broad.pair[k].second];
        lists->other[lists->start[a + 1]++] = b;
        lists->other[lists->start[b + 1]++] = a;
    }
    return error;
}

// Where space repeats itself, none are searched: flush faces across its border would be missed, and contacts depend on where it is.
vs_error vs_neighbours_find(vs_collision *c) {
    c->neighbours.any = false;
    if (vs_world_repeats(c->world))
        return VS_OK;
    vs_error error = list_partners(c);
    if (!error)
        error = list_companions(c);
    // A seam needs two colliders with flat faces that a third one meets.
    c->neighbours.any = c->neighbours.broad.pairs > 0;
    for (int k = 0; k < c->world->colliders && !error && !c->neighbours.any; k++)
        c->neighbours.any = length_of(&c->neighbours.partner, k) > 1;
    return error;
}

void vs_neighbours_release(vs_neighbours *n) {
    vs_context *context = n->broad.context;
    vs_release(context, n->partner.start);
    vs_release(context, n->partner.other);
    vs_release(context, n->companion.start);
    vs_release(context, n->companion.other);
    vs_release(context, n->box);
    vs_release(context, n->item);
    vs_broad_release(&n->broad);
}

// ---- the neighbours of a pair ----------------------------------------------------------------------

static vs_vec3 velocity_at(const vs_world *world, int body, vs_vec3 x) {
    const vs_body *b = &world->body[body];
    vs_vec3 spin = vs_rotate(b->pose.rotation, b->spin);
    return vs_add(b->velocity, vs_cross(spin, vs_subtract(x, b->pose.position)));
}

// Do two colliders move together, to within `reach` in a step, at the middle of one of them?
static bool move_together(const vs_collision *c, const vs_placed_collider *q, const vs_placed_collider *r,
                          double reach) {
    if (q->body == r->body || (q->reach == 0 && r->reach == 0))
        return true;
    vs_vec3 x = q->size < r->size ? q->pose.position : r->pose.position;
    vs_vec3 difference = vs_subtract(velocity_at(c->world, q->body, x), velocity_at(c->world, r->body, x));
    return c->h * vs_length(difference) <= reach;
}

static bool boxes_meet(const vs_collision *c, const vs_placed_collider *p, const vs_placed_collider *q) {
    if (p->item < 0 || q->item < 0)
        return true;
    const vs_box3 *a = &c->box[p->item], *b = &c->box[q->item];
    return vs_boxes_meet(a, b);
}

// Adds those of `count` colliders that are neighbours of `of`.
static void gather_from(const vs_collision *c, const int *collider, int count, int of, int other, vs_seam_side *side) {
    const vs_placed_collider *p = &c->placed[other], *q = &c->placed[of];
    double reach = vs_seam_reach(p->shape, q->shape);
    for (int k = 0; k < count && side->neighbours < VS_SEAM_NEIGHBOURS; k++) {
        const vs_placed_collider *r = &c->placed[collider[k]];
        if (collider[k] == of || collider[k] == other || !boxes_meet(c, r, p) || !boxes_meet(c, r, q) ||
            !vs_collision_may_collide(c, collider[k], other) || !move_together(c, q, r, reach))
            continue;
        side->neighbour[side->neighbours++] = (vs_seam_solid){r->shape, r->pose};
    }
}

static void gather(const vs_collision *c, int of, int other, vs_seam_side *side) {
    const vs_neighbours *n = &c->neighbours;
    side->solid = (vs_seam_solid){c->placed[of].shape, c->placed[of].pose};
    side->neighbours = 0;
    if (!c->placed[of].flat || c->placed[of].item < 0 || length_of(&n->partner, other) < 2)
        return;
    if (length_of(&n->partner, other) <= length_of(&n->partner, of) + length_of(&n->companion, of)) {
        gather_from(c, entries_of(&n->partner, other), length_of(&n->partner, other), of, other, side);
    } else {
        gather_from(c, entries_of(&n->partner, of), length_of(&n->partner, of), of, other, side);
        gather_from(c, entries_of(&n->companion, of), length_of(&n->companion, of), of, other, side);
        gather_from(c, c->plane, c->planes, of, other, side); // they have no companions
    }
}

bool vs_neighbours_gather(const vs_collision *c, int a, int b, vs_seam_side side[2]) {
    if (!c->neighbours.any)
        return false;
    gather(c, a, b, &side[0]);
    gather(c, b, a, &side[1]);
    return side[0].neighbours + side[1].neighbours > 0;
}
