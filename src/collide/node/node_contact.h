// Contacts of flexible solids: a point against a surface.
#ifndef VS_COLLIDE_NODE_CONTACT_H
#define VS_COLLIDE_NODE_CONTACT_H

#include "body/flexible_data.h"

// One side: a point on a flexible solid, as weights of up to 3 nodes, or a rigid body.
typedef struct vs_contact_side {
    int flexible; // -1: rigid
    int body, collider;
    int count;
    int node[3];
    double weight[3]; // sum 1
} vs_contact_side;

typedef struct vs_node_contact {
    vs_contact_side side[2]; // the surface, then the point that touches it; normal from the first to the second
    vs_vec3 point;           // world: the point that touches the surface
    vs_vec3 normal;          // world, unit
    double gap;              // m
    double size;             // m, of the smaller of both
    int material[2];
    vs_vec3 surface_velocity; // m/s, of a rigid side's surface relative to its body, world axes, second minus first
    uint64_t key;             // identity across steps; unique within a step except for coincidences of 64 bits
} vs_node_contact;

typedef struct vs_node_contacts {
    int count;
    int64_t capacity;
    vs_node_contact *contact;
} vs_node_contacts;

// Finds the contacts of a world for a step of h. envelope 0: chosen automatically. Memory is reused.
typedef struct vs_node_collision vs_node_collision;
vs_error vs_node_collision_create(vs_world *world, vs_node_collision **collision);
void vs_node_collision_destroy(vs_node_collision *c);
vs_error vs_node_collision_find(vs_node_collision *c, double h, double envelope, const vs_node_contacts **contacts);

#endif
