// The last resort of continuous collision: bodies that would still pass through each other stop where they meet.
//
// Contacts are linear in the velocities, and at hundreds of sizes or dozens of radians per step a bounded number of
// searches (swept_contacts.h) need not find all that act. So the motion of a step is followed once more as it was
// made, after joints were projected. Where a pair meets, both bodies, with all that joints connect to them, rest from then
// to the end of the step; their velocities stay. Meetings are treated in the order of time, so that a body which comes to
// rest is an obstacle for others. Each one stops a body: there are at most as many as bodies. Bodies with prescribed
// motion do not stop.
// Not over processes, and not in steps of controlled accuracy, which are shortened instead (passing.h).
#ifndef VS_STEP_HOLD_H
#define VS_STEP_HOLD_H

#include "step/data/simulation_data.h"

void vs_hold_release(vs_context *context, vs_hold *hold);
// Before bodies move with their velocities: remembers poses if anything is fast.
vs_error vs_hold_begin(vs_simulation *s);
// After they have moved.
vs_error vs_hold_end(vs_simulation *s, vs_step_report *report);

#endif
