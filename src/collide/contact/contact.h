// A contact between two colliders, found within an envelope before they touch.
#ifndef VS_COLLIDE_CONTACT_H
#define VS_COLLIDE_CONTACT_H

#include "body/world_data.h"

// a < b (indices of bodies); normal from a to b; gap > 0 apart. The point is midway between the two surfaces.
typedef struct vs_contact {
    int a, b; // bodies
    int collider_a, collider_b;
    vs_vec3 point;    // world
    vs_vec3 normal;   // world, unit
    double gap;       // m
    vs_vec3 shift;    // m, of the image of b that a meets: 0 unless space repeats itself (body/period.h)
    uint64_t pair;    // identity of the two colliders
    uint64_t feature; // vertex, edge, face, among those of the pair; VS_FEATURE_NONE: of a late contact
    uint64_t key;     // identity across steps: pair and feature; unique within a step
    bool late; // found at the end of the step (step/contacts/late_contacts.h): its gap is no overlap of the beginning
    int moved; // 0, or 1 + the place of the poses of its bodies when they meet (step/contacts/swept_contacts.h)
    int bond;  // 0, or 1 + the bond that gives its gap and normal (step/bond/bond_contacts.h)
} vs_contact;

static inline bool vs_contact_is_shifted(const vs_contact *contact) {
    return contact->shift.x != 0 || contact->shift.y != 0 || contact->shift.z != 0;
}

// The body of a side (0: a, 1: b) where the contact is: itself, or its image, made in `room`.
static inline const vs_body *vs_contact_body(const vs_world *world, const vs_contact *contact, int side,
                                             vs_body *room) {
    const vs_body *body = &world->body[side ? contact->b : contact->a];
    if (side == 0 || !vs_contact_is_shifted(contact))
        return body;
    *room = *body;
    room->pose.position = vs_add(body->pose.position, contact->shift);
    return room;
}

// Two bodies as one number.
static inline uint64_t vs_bodies_key(int64_t a, int64_t b) {
    return (uint64_t)a << 32 | (uint64_t)b;
}

typedef struct vs_contacts {
    int count;
    int64_t capacity;
    vs_contact *contact; // sorted by (a, b, key)
} vs_contacts;

#define VS_FEATURE_NONE UINT64_MAX

// A contact of the last step: what the search for the next ones needs of it.
typedef struct vs_former_contact {
    uint64_t pair, feature;
} vs_former_contact;
typedef struct vs_former_contacts {
    const vs_former_contact *contact; // ascending pairs
    int64_t count;
} vs_former_contacts;

#endif
