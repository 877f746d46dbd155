// The geometry of an assembly in quadruple precision, and where its solids touch. Written from the definition of a contact,
// not from the library's search for interfaces:
//
//     solids a and b touch in p with the normal n (from a to b) if p is in both, and the plane through p across n separates
//     them.
//
// Of contacts there are two kinds: any that satisfies this may carry a force; those that are certain (an area, an edge or a
// corner within a face) have to be respected by a motion. Stones that only share an edge are between the two.
#ifndef FORGE_GEOMETRY_H
#define FORGE_GEOMETRY_H

#include "../quad.h"
#include "assembly.h"

typedef struct q3 {
    quad x, y, z;
} q3;

static inline q3 q3_of(const double v[3]) {
    return (q3){v[0], v[1], v[2]};
}
static inline q3 q3_add(q3 a, q3 b) {
    return (q3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline q3 q3_scale(quad s, q3 a) {
    return (q3){s * a.x, s * a.y, s * a.z};
}
static inline q3 q3_subtract(q3 a, q3 b) {
    return (q3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline quad q3_dot(q3 a, q3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline q3 q3_cross(q3 a, q3 b) {
    return (q3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline quad q3_length(q3 a) {
    return quad_root(q3_dot(a, a));
}
static inline q3 q3_unit(q3 a) {
    return q3_scale(1 / q3_length(a), a);
}

enum { MOST_POINTS = 160, CAP_POINTS = 48, MOST_CONTACTS = 4096 };

// A solid in world axes.
typedef struct q_solid {
    const solid *of;
    int corners, faces;
    q3 corner[MOST_CORNERS]; // box, hull, plane
    q3 normal[MOST_FACES];
    q3 centre;     // of mass; fixed ones: the position
    q3 axis;       // of a cylinder
    quad size;     // largest distance of a point from the centre
    q3 load;       // N: weight and force
    quad rounding; // m: of coordinates
} q_solid;

typedef struct certain_contact {
    int a, b;
    q3 normal, point; // from a to b
    quad mu;
} certain_contact;

typedef struct geometry {
    const assembly *of;
    q_solid solid[MOST_SOLIDS];
    int contacts;
    certain_contact contact[MOST_CONTACTS];
    int island[MOST_SOLIDS];  // of dynamic solids: the least number of a solid connected with it
    quad weight[MOST_SOLIDS]; // N, of the island of this number
} geometry;

void find_geometry(const assembly *a, geometry *g);
// Friction of two solids.
quad find_friction(const assembly *a, int i, int j);
// May solids a and b push each other in p along n? If not, by how much not, m.
bool may_push(const geometry *g, int a, int b, q3 point, q3 normal, quad *off);

#endif
