// Contacts that the bodies do not reach: see unreached_contacts.h.
#include "step/contacts/unreached_contacts.h"

#include <math.h>

#include "step/rows/contact_rows.h"
#include "step/contacts/swept_contacts.h"

// rad per step, of both bodies: with less the arc is as straight as late contacts are exact, t^2/2 < VS_LATE.
static const double LEAST_TURN = .014;
// Revisions of a step that may leave contacts out, and after which all that were left out act again.
enum { REVISIONS_OUT = 4, REVISIONS_MOST = 8 };

// ---- one pair of colliders -------------------------------------------------------------------------

static bool comes_into_touch(const vs_late_search *s, const vs_contact *c) {
    const vs_path path[2] = {vs_swept_path(s, c->a), vs_path_moved(vs_swept_path(s, c->b), c->shift)};
    const vs_collider *a = &s->step->world->collider[c->collider_a], *b = &s->step->world->collider[c->collider_b];
    return vs_ccd_touches((const vs_swept_collider[2]){{a->shape, a->pose, &path[0]}, {b->shape, b->pose, &path[1]}});
}

// Does its row see the gap close, though bodies that turn may not close it? A ball about its centre moves as its row says.
static bool closes_in_row(const vs_late_search *s, const vs_contact *c) {
    const int bodies[2] = {c->a, c->b}, colliders[2] = {c->collider_a, c->collider_b};
    double turn = 0;
    for (int side = 0; side < 2; side++)
        if (!vs_late_is_ball(&s->step->world->collider[colliders[side]]))
            turn += s->step->kick->h * vs_length(vs_late_motion_of(s, bodies[side]).spin);
    return turn >= LEAST_TURN && vs_late_gap_in_row(s, c) < 0;
}

static bool is_reached(const vs_step_contacts *contacts, uint64_t pair) {
    for (int64_t k = 0; k < contacts->reached.count; k++)
        if (contacts->reached.data[k] == pair)
            return true;
    return false;
}

static vs_error note_reached(vs_step_contacts *contacts, uint64_t pair) {
    if (is_reached(contacts, pair))
        return VS_OK;
    vs_error error = VS_RESERVE(contacts->context, &contacts->reached, contacts->reached.count + 1);
    if (!error)
        contacts->reached.data[contacts->reached.count++] = pair;
    return error;
}

// Those found on the true way are reached, bonds and soft contacts act at any gap.
static bool may_be_unreached(const vs_world *world, const vs_contact *c) {
    return !c->late && c->bond == 0 && c->gap > VS_LATE * vs_contact_size(world, c) &&
           !vs_world_meets_softly(world, c->collider_a, c->collider_b);
}

// Contacts are sorted by bodies: the first of those of the bodies of contact k, and that behind the last.
static void find_bodies(const vs_contacts *all, int k, int *begin, int *end) {
    const vs_contact *c = &all->contact[k];
    for (*begin = k; *begin > 0 && all->contact[*begin - 1].a == c->a && all->contact[*begin - 1].b == c->b;)
        --*begin;
    for (*end = k + 1; *end < all->count && all->contact[*end].a == c->a && all->contact[*end].b == c->b;)
        ++*end;
}

static bool is_left_out(const vs_step_contacts *contacts, uint64_t pair) {
    for (int64_t k = 0; k < contacts->unreached.count; k++)
        if (contacts->unreached.data[k].pair == pair)
            return true;
    return false;
}

// ---- out -------------------------------------------------------------------------------------------

// Does contact k press over a gap that turning bodies may not close? Their other contacts tell whether they touch.
static bool is_doubtful(const vs_step_contacts *contacts, const vs_unreached_inputs *in, int k) {
    const vs_contacts *all = contacts->rigid;
    const vs_contact *c = &all->contact[k];
    const vs_world *world = in->search->step->world;
    if (!(in->search->step->result->lambda[in->search->step->groups->group.data[k].row] > 0) ||
        !may_be_unreached(world, c) || !closes_in_row(in->search, c) || is_reached(contacts, c->pair))
        return false;
    int begin, end;
    find_bodies(all, k, &begin, &end);
    for (int i = begin; i < end; i++)
        if (all->contact[i].pair == c->pair && !may_be_unreached(world, &all->contact[i]))
            return false;
    return true;
}

static vs_error note_unreached(vs_step_contacts *contacts, int k) {
    const vs_contacts *all = contacts->rigid;
    int begin, end;
    find_bodies(all, k, &begin, &end);
    vs_error error = VS_RESERVE(contacts->context, &contacts->unreached, contacts->unreached.count + end - begin);
    for (int i = begin; i < end && !error; i++)
        if (all->contact[i].pair == all->contact[k].pair)
            contacts->unreached.data[contacts->unreached.count++] = all->contact[i];
    return error;
}

static vs_error remove_unreached(vs_step_contacts *contacts) {
    const vs_contacts *all = contacts->rigid;
    const vs_error error = VS_RESERVE(contacts->context, &contacts->out, all->count);
    for (int k = 0; k < all->count && !error; k++)
        contacts->out.data[k] = is_left_out(contacts, all->contact[k].pair);
    return error ? error : vs_step_contacts_remove(contacts, contacts->out.data);
}

// The pairs that press over a gap, and do not close it on their free way.
static vs_error leave_out(vs_step_contacts *contacts, const vs_unreached_inputs *in, bool *changed) {
    vs_unreached_inputs now = *in;
    vs_late_search free = *in->search;
    free.v = in->search->step->blocks->free.data, now.search = &free;
    vs_error error = VS_OK;
    for (int k = 0; k < contacts->rigid->count && !error; k++) {
        const vs_contact *c = &contacts->rigid->contact[k];
        if (!is_doubtful(contacts, &now, k) || is_left_out(contacts, c->pair))
            continue;
        const bool reached = comes_into_touch(&free, c);
        error = reached ? note_reached(contacts, c->pair) : note_unreached(contacts, k);
        *changed = *changed || !reached;
    }
    return error || !*changed ? error : remove_unreached(contacts);
}

// ---- and in again ----------------------------------------------------------------------------------

// The pairs that come into touch with the solution.
static vs_error add_again(vs_step_contacts *contacts, const vs_unreached_inputs *in, bool *changed) {
    const bool all = in->revision >= REVISIONS_MOST;
    contacts->late.count = 0;
    vs_error error = VS_RESERVE(contacts->context, &contacts->late, contacts->unreached.count);
    int64_t left = 0;
    for (int64_t k = 0; k < contacts->unreached.count && !error; k++) {
        const vs_contact contact = contacts->unreached.data[k];
        const bool reached = is_reached(contacts, contact.pair) || all || comes_into_touch(in->search, &contact);
        if (reached) {
            error = note_reached(contacts, contact.pair);
            contacts->late.data[contacts->late.count++] = contact;
        } else {
            contacts->unreached.data[left++] = contact;
        }
    }
    if (error)
        return error;
    contacts->unreached.count = left;
    *changed = contacts->late.count > 0;
    return *changed ? vs_step_contacts_merge(contacts) : VS_OK;
}

vs_error vs_unreached_contacts_revise(vs_step_contacts *contacts, const vs_unreached_inputs *in, bool *changed) {
    *changed = false;
    vs_error error = contacts->unreached.count > 0 ? add_again(contacts, in, changed) : VS_OK;
    // The places of the solution's contacts are those of the list only as long as it is the same.
    if (error || *changed || in->revision >= REVISIONS_OUT)
        return error;
    return leave_out(contacts, in, changed);
}
