// Internals of the search for contacts of flexible solids, shared by node_collision.c and node_faces.c.
#ifndef VS_COLLIDE_NODE_DATA_H
#define VS_COLLIDE_NODE_DATA_H

#include "collide/broad/broad.h"
#include "collide/node/node_contact.h"

// A solid in this step.
typedef struct vs_placed_solid {
    bool active;     // may have contacts
    vs_box3 box;     // of its nodes
    double speed;    // m/s, of the fastest node
    bool faces;      // its faces are needed: other points may touch them
    int first_item;  // its triangles in the list of items
    vs_vec3 *normal; // (nodes) of the surface, area weighted, unit; zero inside
} vs_placed_solid;

// A box of the broad phase: a triangle of a solid, a node of a solid, or a point of a rigid shape.
typedef struct vs_node_item {
    int flexible;  // -1: a rigid point
    int index;     // triangle or node; number of the rigid point
    bool triangle; //
    int collider;  // rigid point
    vs_vec3 x;     // points
    double radius; // m, of a ball about a rigid point
} vs_node_item;

// A point near a triangle.
typedef struct vs_near_face {
    int point;       // item
    int flexible;    // of the triangle
    int face;        //
    double distance; // m, to rank by
    vs_vec3 foot, normal;
    double gap;
} vs_near_face;

struct vs_node_collision {
    vs_world *world;
    vs_context *context;
    double h, envelope;
    vs_placed_solid *solid; // (flexibles of the world)
    int64_t solid_capacity;
    vs_vec3 *normal; // of all solids
    int64_t normal_capacity;
    vs_node_item *item;
    vs_box3 *box; // (items)
    int items;
    int64_t item_capacity, box_capacity;
    vs_near_face *near;
    int nears;
    int64_t near_capacity;
    vs_broad broad;
    vs_node_contacts contacts;
};

// The gap (m) within which bodies at rest have contacts: by the size of the smaller one and the mesh edges there.
double vs_node_margin(double size, double edge);
// Can a contact of this gap, normal velocity u (m/s, negative: closing) and least size close within the step?
bool vs_node_matters(const vs_node_collision *c, double gap, double u, double size, double edge);
vs_error vs_node_add(vs_node_collision *c, const vs_node_contact *contact);
uint64_t vs_node_key(uint64_t kind, uint64_t a, uint64_t b, uint64_t c);
// A bound on the displacement at this speed, for boxes.
double vs_node_reach(const vs_node_collision *c, double speed);
bool vs_node_filter(const vs_world *world, const vs_flexible *f, const vs_collider *collider);
// Points against faces: rigid points, nodes of other solids, its own nodes (node_faces.c).
vs_error vs_node_meet_faces(vs_node_collision *c);

#endif
