// The broad phase of a world that repeats itself (body/period.h): boxes are brought into one cell, those at its low ends get images
// beyond its high ones.
#ifndef VS_COLLIDE_IMAGES_H
#define VS_COLLIDE_IMAGES_H

#include "base/array.h"
#include "body/world_data.h"
#include "collide/broad/broad.h"

// Reusable memory; initialize to zero.
typedef struct vs_images {
    VS_ARRAY(vs_box3) box;          // (images)
    VS_ARRAY(int) item;             // (images) whose they are
    VS_ARRAY(unsigned char) beyond; // (images) bits 1, 2, 4: beyond the end along x, y, z
    bool (*accept)(void *user, int first, int second);
    void *user;
} vs_images;

void vs_images_release(vs_context *context, vs_images *images);
// A box that is longer than half a period, or -1. Without any, two boxes overlap in at most one image.
int vs_images_find_long(vs_vec3 period, const vs_box3 *box, int count);
// vs_broad_find() for the boxes and all of their images; broad->pair has each pair of boxes once.
vs_error vs_images_find(vs_images *images, vs_broad *broad, vs_vec3 period, const vs_box3 *box, int count,
                        bool (*accept)(void *user, int first, int second), void *user);
// m, to be added to the places of b: its image that is nearest to a.
vs_vec3 vs_images_shift(vs_vec3 period, const vs_box3 *a, const vs_box3 *b);

#endif
