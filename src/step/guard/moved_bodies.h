// Bodies that move within the step otherwise than with the velocities that they keep: an earlier solution of the step moves
// them, and the last one has their velocities (recovery_guard.h, impact_sequence.h).
#ifndef VS_STEP_MOVED_BODIES_H
#define VS_STEP_MOVED_BODIES_H

#include "step/guard/impact_guard.h"

typedef struct vs_moved_body {
    vs_pose end;
    vs_vec3 velocity, spin; // m/s; rad/s, body axes
    bool shifted;           // the end is that of impacts at their time: impact_shift.h
} vs_moved_body;

typedef struct vs_moved_bodies {
    bool active;                  // some bodies move so
    bool unsolved;                // a solution that moves them misses the tolerance
    VS_ARRAY(bool) moved;         // (blocks, at least 1) all of an island or none
    VS_ARRAY(vs_moved_body) body; // (blocks)
    VS_ARRAY(double) v;           // (n) the velocities that move them
    // Work (blocks, at least 1): islands as disjoint sets; m, sizes of bodies.
    VS_ARRAY(int) parent;
    VS_ARRAY(double) size;
} vs_moved_bodies;

void vs_moved_bodies_release(vs_context *context, vs_moved_bodies *bodies);
void vs_moved_bodies_reset(vs_moved_bodies *bodies);
// The bodies of the chosen blocks move with the present solution, but for those that move with an earlier one.
vs_error vs_moved_bodies_keep(vs_moved_bodies *bodies, const vs_step_view *step, const bool *chosen);
// Contacts that contradict each other, as those of predictions of bodies that turn fast, are opened by wild motions. The last
// solution is in step->result. Islands with a body that would move by more than its size beyond the way of its velocities,
// before or after, move with those that they keep; what would pass then stops (hold.h). Not over processes.
vs_error vs_moved_bodies_limit(vs_moved_bodies *bodies, const vs_step_view *step);
// The motion of a body within the step; null: with the velocities that it has.
const vs_moved_body *vs_moved_bodies_motion(const vs_moved_bodies *bodies, const vs_blocks *blocks, int body);

#endif
