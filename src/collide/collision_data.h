// Internals of a search for contacts, shared by its files.
#ifndef VS_COLLIDE_COLLISION_DATA_H
#define VS_COLLIDE_COLLISION_DATA_H

#include "body/period.h"
#include "collide/broad/broad.h"
#include "collide/contact/contact.h"
#include "collide/images.h"
#include "collide/mesh/mesh.h"

// A collider in this step: data needed for pairs, compact in memory.
typedef struct vs_placed_collider {
    vs_pose pose;          // world
    double size;           // m, of its body about the centre of mass; infinite for a plane
    double reach;          // m, part of the envelope due to the body's speed: 1.5 h (|v| + h g + |spin| size)
    double margin;         // m, of its body: vs_collision_widen()
    const vs_shape *shape; //
    int body;              //
    int item;              // its box, -1: a plane
    uint32_t generation, group, mask;
    bool dynamic; // its body
    bool flat;    // it has flat faces
    vs_shape_family family;
} vs_placed_collider;

typedef struct vs_found_pair {
    int a, b;          // colliders
    int lower, higher; // their bodies
} vs_found_pair;

// For each collider k, the entries other[start[k]] … other[start[k + 1] - 1]: colliders.
typedef struct vs_collider_lists {
    int *start; // (colliders + 1)
    int *other;
    int64_t start_capacity, other_capacity;
} vs_collider_lists;

// Which colliders may lie flush with which: neighbours.c.
typedef struct vs_neighbours {
    bool any;                    // may a seam make a contact at all?
    vs_collider_lists partner;   // with flat faces, of pairs
    vs_collider_lists companion; // with flat faces, of the same body or both without mass: never a pair
    vs_broad broad;              // finds the companions
    vs_box3 *box;                // (items) of colliders that may have companions
    int *item;                   // (items) these colliders
    int64_t box_capacity, item_capacity;
} vs_neighbours;

typedef struct vs_collision vs_collision; // collision.h
struct vs_collision {
    vs_world *world;
    vs_context *context;
    double h, envelope;               // of the current search
    const vs_former_contacts *former; // of the current search; may be null
    const double *margin;             // (bodies) m, of the envelopes in addition; null: none
    vs_placed_collider *placed;       // (colliders of the world)
    int *body_of;                     // (colliders) the same as in placed, more compact
    int64_t placed_capacity, body_of_capacity;
    vs_box3 *box; // (items), grown by the margin; exact for all that are in pairs
    bool *loose;  // (items) is the box larger than it need be?
    int *item;    // (items) colliders with a box
    int items;
    int64_t item_capacity, loose_capacity, box_capacity;
    int *plane; // colliders that are planes
    int planes;
    int64_t plane_capacity;
    double *body_size; // (bodies) m
    int *body_start;   // (bodies + 1) into pair
    int64_t body_capacity, start_capacity;
    vs_broad broad;
    vs_images images; // of boxes, where space repeats itself
    int pairs;        // sorted by (a, b)
    int64_t pair_capacity;
    vs_found_pair *pair, *unsorted; // (pairs)
    uint64_t *key, *spare_key;      // (pairs)
    int *order, *spare;             // (pairs)
    vs_neighbours neighbours;
    vs_mesh_points mesh_points;
    vs_kept_store kept; // of pairs of meshes
    vs_contacts contacts;
};

// m, of the image of b that is nearest to a, by boxes (items); planes have no images.
static inline vs_vec3 vs_collision_shift(const vs_collision *c, const vs_box3 *box, int a, int b) {
    const int first = c->placed[a].item, second = c->placed[b].item;
    if (!vs_world_repeats(c->world) || first < 0 || second < 0)
        return VS_ZERO3;
    return vs_images_shift(c->world->period, &box[first], &box[second]);
}

// May two colliders have contacts? With the compact data: vs_world_may_collide().
static inline bool vs_collision_may_collide(const vs_collision *c, int a, int b) {
    const vs_placed_collider *p = &c->placed[a], *q = &c->placed[b];
    return p->body != q->body && (p->dynamic || q->dynamic) && (p->group & q->mask) && (q->group & p->mask) &&
           !vs_world_ignores(c->world, p->body, q->body);
}

#endif
