// The cuts of ropes with several rough stations as unknowns of a step: see rope_cuts.c.
#ifndef VS_STEP_ROPE_CUTS_H
#define VS_STEP_ROPE_CUTS_H

#include "body/cable/rope_part.h"
#include "step/rows/step_view.h"

// Numbers the cuts of all ropes, at the present poses.
vs_error vs_rope_cuts_number(vs_blocks *blocks, const vs_world *world);
// Sets their masses and velocities, those of the bodies being known.
void vs_rope_cuts_read(vs_blocks *blocks, const vs_world *world);
// Part k of a rope: its rows, and of its group, whose source is the rope, the coefficient and the blocks of its cuts, which come before
// those of bodies. whole: the rope's row as of one without friction.
void vs_rope_cuts_set_part(const vs_blocks *blocks, const vs_joint_row *whole, const vs_rope_part *part, int parts,
                           int k, vs_joint_row row[2], vs_row_group *group);
// J of the cuts of the group of part k.
void vs_rope_cuts_fill(const vs_row_groups *groups, const vs_row_group *group, int parts, int k);
// Takes the velocities of the solution as those that cuts have without impulses. Returns whether that changes tensions by more
// than the tolerance.
bool vs_rope_cuts_follow(const vs_step_view *view, vs_blocks *blocks);

#endif
