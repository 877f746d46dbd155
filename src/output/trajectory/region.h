// Upright boxes, over which means are taken (region_means.h).
#ifndef VS_OUTPUT_REGION_H
#define VS_OUTPUT_REGION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

// m; infinite where it has no bound
typedef struct vs_region {
    double low[3], high[3];
} vs_region;

// "all", or the ranges of x, y and z, as in "-.1:.1,:,0:.5": a missing end has no bound. False: it is neither.
bool vs_region_read(const char *text, size_t length, vs_region *region);
double vs_region_volume(const vs_region *r); // m^3; infinite unless bounded on all sides
bool vs_region_contains(const vs_region *r, vs_vec3 x);
// Part of the way from p to q within the region, 0 to 1.
double vs_region_share(const vs_region *r, vs_vec3 p, vs_vec3 q);
// The part in the cell, from minus half to half a period; 0: unchanged along this axis.
vs_region vs_region_clip(const vs_region *r, vs_vec3 period);
// vs_region_share() of the way and its images, in a region within the cell.
double vs_region_share_of_images(const vs_region *r, vs_vec3 period, vs_vec3 p, vs_vec3 q);

#endif
