// Space that repeats itself: the one place that knows which image of a thing is the nearest, and what has none.
//
// Positions of bodies are not brought back into a cell: energies and paths stay continuous. Two things meet in the image in
// which they are nearest to each other, at most one, as each is shorter than half a period (collide/images.h).
#ifndef VS_BODY_PERIOD_H
#define VS_BODY_PERIOD_H

#include "body/world_data.h"

static inline bool vs_world_repeats(const vs_world *world) {
    return world->period.x > 0 || world->period.y > 0 || world->period.z > 0;
}
// What brings x next to 0 when it is added: whole periods, at most half of one is left.
vs_vec3 vs_period_shift(vs_vec3 period, vs_vec3 x);
// The image within the cell, from minus half to half a period; without a period x itself.
static inline vs_vec3 vs_world_in_cell(const vs_world *world, vs_vec3 x) {
    return vs_world_repeats(world) ? vs_add(x, vs_period_shift(world->period, x)) : x;
}
// What a world that repeats itself must not have, or null.
const char *vs_period_scope(const vs_world *world);

#endif
