// No correction of positions creates energy. Rows that remove an overlap, one of the beginning of the step or one that bodies
// which turn would make within it (late_contacts.h), require a velocity of separation,
//
//     u_n >= r,    r > 0: recovery of the row
//
// which moves bodies to where they do not overlap, but is no velocity of theirs: kept, it is energy from nothing, up to that
// of the way a body's points turn within a step. The work of the impulses of an island is W = 1/2 l'(u_f + u_1) (impact_guard.h),
// here with that of the recovery. If it is positive, and by more than the solver's accuracy, where rows with a recovery
// press, then the solution only moves the bodies of the island, and the step is solved again without recoveries, u_n >= 0,
// for the velocities that they keep. Without restitution W is not positive then, and the impact guard cares for the rest.
// Recoveries slower than what gravity takes within the step, as those of structures at rest, make W negative: nothing
// changes for them. So it is in the first problem of steps of controlled accuracy (rattle.h), which moves the bodies.
//
// Not here: compliant contacts, which return the energy that they absorbed; worlds with flexible bodies or mortar.
#ifndef VS_STEP_RECOVERY_GUARD_H
#define VS_STEP_RECOVERY_GUARD_H

#include "step/guard/island_work.h"
#include "step/guard/moved_bodies.h"

typedef struct vs_recovery_guard {
    bool active;              // rows of some islands have no recovery
    VS_ARRAY(bool) calm;      // (blocks, at least 1) of such an island
    vs_island_work islands;   // work
    VS_ARRAY(double) pressed; // (blocks, at least 1) work: N s, of the roots: impulses of rows with a recovery
} vs_recovery_guard;

void vs_recovery_guard_release(vs_context *context, vs_recovery_guard *guard);
void vs_recovery_guard_reset(vs_recovery_guard *guard);
// Evaluates a solution. `again`: recoveries of some islands, the calm ones, are off, the step is to be assembled and solved with
// them; their bodies move with this solution. All processes get the same answer.
vs_error vs_recovery_guard_check(vs_recovery_guard *guard, const vs_step_view *step, bool *again);
// The same of a problem that was not solved. Joints may leave bodies no way out of an overlap, and then there are no velocities
// that satisfy all rows; without recoveries rest is such a velocity. Nothing is recovered in this step, and bodies move with
// the solution that follows. Worlds with joints only.
vs_error vs_recovery_guard_drop(vs_recovery_guard *guard, const vs_step_view *step, bool *again);

#endif
