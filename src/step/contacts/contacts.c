// The two searches for contacts together: see contacts.h.
#include "step/contacts/contacts.h"

vs_error vs_step_contacts_create(vs_step_contacts *contacts, vs_world *world) {
    contacts->context = contacts->swept.broad.context = world->context;
    vs_error error = vs_collision_create(world, &contacts->collision);
    return error ? error : vs_node_collision_create(world, &contacts->node_collision);
}

void vs_step_contacts_destroy(vs_step_contacts *contacts) {
    vs_collision_destroy(contacts->collision);
    vs_node_collision_destroy(contacts->node_collision);
    if (contacts->context) {
        VS_ARRAY_RELEASE(contacts->context, &contacts->former);
        VS_ARRAY_RELEASE(contacts->context, &contacts->late);
        VS_ARRAY_RELEASE(contacts->context, &contacts->moved);
        VS_ARRAY_RELEASE(contacts->context, &contacts->unreached);
        VS_ARRAY_RELEASE(contacts->context, &contacts->reached);
        VS_ARRAY_RELEASE(contacts->context, &contacts->out);
        VS_ARRAY_RELEASE(contacts->context, &contacts->margin);
        vs_swept_pairs_release(&contacts->swept);
        vs_release(contacts->context, contacts->extended.contact);
    }
}

vs_error vs_step_contacts_find(vs_step_contacts *contacts, double h, double envelope) {
    contacts->moved.count = contacts->unreached.count = contacts->reached.count = 0;
    const vs_former_contacts former = {contacts->former.data, contacts->former.count};
    vs_error error = vs_collision_find(contacts->collision, h, envelope, &former, &contacts->rigid);
    return error ? error : vs_node_collision_find(contacts->node_collision, h, envelope, &contacts->nodes);
}

static bool is_before(const vs_contact *p, const vs_contact *q) {
    return p->a != q->a ? p->a < q->a : p->b != q->b ? p->b < q->b : p->key < q->key;
}

// Contacts that were found late are nearly in order: insertion sort.
static void sort_late(vs_contact *late, int count) {
    for (int k = 1; k < count; k++) {
        const vs_contact moved = late[k];
        int place = k;
        for (; place > 0 && is_before(&moved, &late[place - 1]); place--)
            late[place] = late[place - 1];
        late[place] = moved;
    }
}

vs_error vs_step_contacts_merge(vs_step_contacts *contacts) {
    vs_contacts *all = &contacts->extended;
    const vs_contacts *old = contacts->rigid;
    const int late = (int)contacts->late.count, count = old->count + late;
    vs_error error = vs_array_reserve(contacts->context, &all->contact, &all->capacity, count, sizeof *all->contact);
    if (error)
        return error;
    for (int k = 0; k < old->count && old != all; k++)
        all->contact[k] = old->contact[k];
    sort_late(contacts->late.data, late);
    // from the end, so that nothing is overwritten; the rest is in its place
    for (int place = count - 1, i = old->count - 1, j = late - 1; j >= 0; place--) {
        const vs_contact *next = &contacts->late.data[j];
        if (i >= 0 && is_before(next, &all->contact[i]))
            all->contact[place] = all->contact[i--];
        else
            all->contact[place] = *next, j--;
    }
    all->count = count;
    contacts->rigid = all;
    return VS_OK;
}

vs_error vs_step_contacts_remove(vs_step_contacts *contacts, const bool *out) {
    const vs_contacts *all = contacts->rigid;
    vs_contacts *kept = &contacts->extended;
    vs_error error =
        vs_array_reserve(contacts->context, &kept->contact, &kept->capacity, all->count, sizeof *kept->contact);
    if (error)
        return error;
    int count = 0;
    for (int k = 0; k < all->count; k++)
        if (!out[k])
            kept->contact[count++] = all->contact[k];
    kept->count = count;
    contacts->rigid = kept;
    return VS_OK;
}

// Contacts of two bodies stand together.
vs_former vs_step_contacts_features(const vs_contacts *all, const vs_contact *contact) {
    vs_former former = {0};
    const vs_contact *c = contact, *end = all->contact + all->count;
    while (c > all->contact && c[-1].a == contact->a && c[-1].b == contact->b)
        c--;
    for (; c < end && c->a == contact->a && c->b == contact->b; c++)
        if (c->pair == contact->pair && !c->late && former.count < VS_MANIFOLD_MOST)
            former.feature[former.count++] = (uint32_t)c->feature;
    return former;
}
