// Means over the bodies and contacts in a region: what a granular material does as a continuum.
#ifndef VS_OUTPUT_REGION_MEANS_H
#define VS_OUTPUT_REGION_MEANS_H

#include "output/trajectory/history_name.h"

// Volume of each body (m^3): the sum over its shapes; 0: it has none.
vs_error vs_region_means_volumes(const vs_trajectory_reader *r, vs_arena *arena, double *volume);

// A frame: bodies, and contacts with the rows of their bodies.
typedef struct vs_region_frame {
    const vs_trajectory_info *info;
    const double *volume, *pose, *velocity; // (bodies), (7 bodies), (6 bodies)
    int64_t contacts;
    const int *body;                        // (2 contacts)
    const double *point, *normal, *impulse; // (3 contacts)
} vs_region_frame;

// The mean; scalars are in x. NaN where there is nothing to take it of.
vs_vec3 vs_region_mean(vs_history_quantity quantity, const vs_region *whole, const vs_region_frame *f);

#endif
