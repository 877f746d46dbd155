// What is kept from one projection of positions onto the joints to the next.
#ifndef VS_BODY_PROJECTION_MEMORY_H
#define VS_BODY_PROJECTION_MEMORY_H

#include "body/world_data.h"
#include "linalg/linear_solver.h"

// The world's solver, prepared for this pattern; it is the world's.
vs_error vs_projection_memory_prepare(vs_world *world, const vs_linear_pattern *pattern, vs_linear_solver **solver);
void vs_projection_memory_release(vs_world *world);

#endif
