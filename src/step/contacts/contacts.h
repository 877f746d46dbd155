// The contacts of a step: those between rigid bodies, then those of flexible solids, numbered in this order.
#ifndef VS_STEP_CONTACTS_H
#define VS_STEP_CONTACTS_H

#include "base/array.h"
#include "collide/collision.h"
#include "collide/node/node_contact.h"
#include "collide/ccd/swept_pairs.h"

typedef struct vs_step_contacts {
    vs_collision *collision;
    vs_node_collision *node_collision;
    vs_context *context;
    const vs_contacts *rigid;           // of the present step
    const vs_node_contacts *nodes;      // of flexible solids
    VS_ARRAY(vs_former_contact) former; // of the last step
    VS_ARRAY(vs_contact) late;          // found at the end of the step: late_contacts.h
    vs_contacts extended;               // all between rigid bodies, with late ones
    vs_swept_pairs swept;               // that may pass through each other: swept_contacts.h
    VS_ARRAY(vs_pose) moved;            // two bodies each: vs_contact.moved
    VS_ARRAY(vs_contact) unreached;     // left out, as their bodies do not come into touch: unreached_contacts.h
    VS_ARRAY(uint64_t) reached;         // pairs of colliders that do
    VS_ARRAY(bool) out;                 // (contacts) work: unreached_contacts.c
    VS_ARRAY(double) margin;            // (bodies) m, of the envelopes: bond_contacts.h
} vs_step_contacts;

vs_error vs_step_contacts_create(vs_step_contacts *contacts, vs_world *world);
void vs_step_contacts_destroy(vs_step_contacts *contacts);
// Finds them for a step of h; envelope 0: chosen. Those of the last step are in `former`.
vs_error vs_step_contacts_find(vs_step_contacts *contacts, double h, double envelope);

// Adds `late` to the contacts of the step, in order.
vs_error vs_step_contacts_merge(vs_step_contacts *contacts);

// Removes those between rigid bodies with true in `out` (their number).
vs_error vs_step_contacts_remove(vs_step_contacts *contacts, const bool *out);

// Features of all contacts of the pair of this one that the search found.
vs_former vs_step_contacts_features(const vs_contacts *all, const vs_contact *contact);

static inline int vs_step_contacts_count(const vs_step_contacts *contacts) {
    return contacts->rigid->count + contacts->nodes->count;
}
static inline double vs_step_contacts_gap(const vs_step_contacts *contacts, int64_t k) {
    int64_t rigid = contacts->rigid->count;
    return k < rigid ? contacts->rigid->contact[k].gap : contacts->nodes->contact[k - rigid].gap;
}

#endif
