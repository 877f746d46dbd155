// Manifolds: the contact points of one pair of shapes; adding points, and reducing many to few.
#ifndef VS_COLLIDE_MANIFOLD_H
#define VS_COLLIDE_MANIFOLD_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { VS_MANIFOLD_MOST = 8 }; // points of a pair

// Features that the contacts of a pair had in the last step: ties are broken as they were then.
typedef struct vs_former {
    int count;
    uint32_t feature[VS_MANIFOLD_MOST];
} vs_former;

typedef struct vs_manifold {
    const vs_former *former; // input; null: not known
    int count;
    struct {
        vs_vec3 point, normal;
        double gap;
        uint32_t feature;
    } at[VS_MANIFOLD_MOST];
} vs_manifold;

// Adds the contact of which `surface` is the point on the first shape, unless the manifold is full. NaN gaps are
// dropped like those beyond the envelope.
static inline void vs_manifold_add(vs_manifold *m, vs_vec3 surface, vs_vec3 normal, double gap, double envelope,
                                   uint32_t feature) {
    if (!(gap <= envelope) || m->count == VS_MANIFOLD_MOST)
        return;
    m->at[m->count].point = vs_add_scaled(surface, .5 * gap, normal);
    m->at[m->count].normal = normal;
    m->at[m->count].gap = gap;
    m->at[m->count].feature = feature;
    m->count++;
}

// Chooses at most VS_MANIFOLD_MOST of the points offered: all if they are so few, else the farthest ones in eight
// directions across the normal, and the one of least gap unless it is among them. Differences below `tolerance` do not
// count, so that roundoff does not change the choice; the points offered first win ties.
enum { VS_EXTREMES = 9 };
typedef struct vs_extremes {
    vs_vec3 direction[VS_EXTREMES - 1]; // unit
    double tolerance;                   // m
    double best[VS_EXTREMES];           // m: - least gap, then the farthest along each direction
    double gap[VS_EXTREMES];            // m, of these points
    int at[VS_EXTREMES];                // their indices
    int first[VS_MANIFOLD_MOST];        // the first ones offered
    int offered;
} vs_extremes;

// normal: unit, in the axes of the points; preferably those of the body, so that the choice rotates with it.
void vs_extremes_begin(vs_extremes *extremes, vs_vec3 normal, double tolerance);
void vs_extremes_offer(vs_extremes *extremes, int index, vs_vec3 point, double gap);
int vs_extremes_end(const vs_extremes *extremes, int chosen[VS_MANIFOLD_MOST]); // their number; ascending

#endif
