// Convex parts and the exact signed gap of two of them, in long double: the reference of bench/pairs.
//
// Nothing here is shared with src/collide. Parts made of points: all features against each other, and separating axes;
// cylinders and ellipsoids: iterations with bounds from both sides (curved.c). The gap is negative if the parts overlap:
//
//     gap = max over unit n of (min over B of n.x - max over A of n.x)
#ifndef PAIRS_PART_H
#define PAIRS_PART_H

#include "real.h"

enum { PART_POINTS = 24, PART_TRIANGLES = 80, PART_EDGES = 160 };

typedef enum part_kind { PART_HULL, PART_CYLINDER, PART_ELLIPSOID } part_kind;

// A convex part: the hull of points with a round layer, a cylinder about z, or an ellipsoid.
typedef struct part {
    part_kind kind;
    int points, triangles, edges;
    vec point[PART_POINTS];
    int triangle[PART_TRIANGLES][3]; // the surface of the hull; of a flat part itself; some overlap
    int edge[PART_EDGES][2];
    real radius; // of the round layer, or of the cylinder
    real half;   // half length of the cylinder
    vec axes;    // semi axes of the ellipsoid
} part;

// Finds triangles and edges from the points: all triples with the other points on one side.
void part_close(part *p);

typedef struct gap_bounds {
    real low, high; // the gap is between them; high - low is 0 for parts of points
    vec normal;     // from a to b, unit; zero: not known
} gap_bounds;

gap_bounds part_gap(const part *a, const frame *fa, const part *b, const frame *fb);

// ---- for curved.c ------------------------------------------------------------------------------------

// Farthest point of the part without its round layer.
vec part_support(const part *p, const frame *f, vec direction);
// Is a round layer outside of the core?
static inline real part_layer(const part *p) {
    return p->kind == PART_HULL ? p->radius : 0;
}
gap_bounds curved_gap(const part *a, const frame *fa, const part *b, const frame *fb);

#endif
