// Points of contact: putting them into a manifold, and choosing few of many.
#ifndef VS_COLLIDE_POINTS_H
#define VS_COLLIDE_POINTS_H

#include "collide/contact.h"

// Adds the contact of which `surface` is the point on the first shape, unless the manifold is full. NaN gaps are left
// out with those beyond the envelope.
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

// Chooses at most VS_MANIFOLD_MOST of the points offered: all while they are so few, else the farthest ones in eight
// directions across the normal, and the one of least gap unless one of them has it. Differences below `tolerance` do
// not count, so that roundoff does not change the choice; the points offered first win ties.
enum { VS_EXTREMES = 9 };
typedef struct vs_extremes {
    vs_vec3 direction[VS_EXTREMES - 1]; // unit
    double tolerance;                   // m
    double best[VS_EXTREMES];           // m: - least gap, then the farthest along each direction
    double gap[VS_EXTREMES];            // m, of these points
    int at[VS_EXTREMES];                // who they are
    int first[VS_MANIFOLD_MOST];        // the first ones offered
    int offered;
} vs_extremes;

// normal: unit, in the axes of the points; better those of the body, so that the choice turns with it.
void vs_extremes_begin(vs_extremes *extremes, vs_vec3 normal, double tolerance);
void vs_extremes_offer(vs_extremes *extremes, int index, vs_vec3 point, double gap);
int vs_extremes_end(const vs_extremes *extremes, int chosen[VS_MANIFOLD_MOST]); // how many; ascending

#endif
