// Impacts with restitution within a step of the scheme shake. A contact closes after the part r of the step; bodies move with
// the velocities v(k-1/2) until then, and with v(k+1/2) after it. The drift took the latter for the whole step, and is corrected:
//
//     q_(k+1) = q_k (+) h v(k+1/2) (-) r h (v(k+1/2) - v(k-1/2))        all bodies of an island
//
// with the time of its first impact, or an earlier one, so that no contact of the island overlaps, or overlaps more, at the
// end. For bodies on which nothing else acts v(k-1/2) has what loads and gravity add within the step: the impulse of the impact
// alone is shifted, and the bounce of a ball is exact. The velocities are those of contact_rows.h at the time of impact: a
// bounce is then of second order. Where it is earlier than that of a contact, the step is solved again with the velocities of
// then: those of a later impact, and of a lower place, would create energy.
//
// Not here: flexible bodies, several processes; there impacts happen at the beginning of the step.
#ifndef VS_STEP_IMPACT_SHIFT_H
#define VS_STEP_IMPACT_SHIFT_H

#include "step/data/simulation_data.h"

// After a solution. `again`: the times of impacts have limits now, the step is to be assembled and solved with them.
vs_error vs_impact_shift_limit(vs_simulation *s, bool *again);
// Corrects the poses after the drift of a step that was solved.
vs_error vs_impact_shift(vs_simulation *s);
// The same for the chosen blocks (blocks of bodies) whose bodies the present solution moves (moved_bodies.h). The step is to be
// assembled and solved with the times of impacts of this one.
vs_error vs_impact_shift_moved(vs_simulation *s, const bool *chosen);

#endif
