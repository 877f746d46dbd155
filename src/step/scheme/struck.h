// Bodies that an impact struck in the solved step: a contact pressed on them that closed, or opened, faster than one at rest
// does, by the speed that gravity gives in two steps. The impulses of an impact tell nothing about those of the next step: neither
// gyroscopic reactions (vs_body_advance()) nor the velocities shown at its end (shake.h) are extrapolated from them.
#ifndef VS_STEP_STRUCK_H
#define VS_STEP_STRUCK_H

#include "step/data/simulation_data.h"

// Marks s->blocks.struck from the solution; before velocities are written.
void vs_struck_find(vs_simulation *s);
// Forgets reactions of struck bodies; after velocities were written.
void vs_struck_forget(vs_simulation *s);
// A body that rolls may leave the ground: the gyroscopic reaction that was predicted for this step, and that its free spin
// is without, does not come, and the body would keep its energy. Where an island would gain so, the prediction stays a part of
// the spin of its bodies without joints, as it was shown. `again`: the step is to be assembled and solved with it. Not over
// processes.
vs_error vs_struck_keep_predictions(vs_simulation *s, const vs_step_view *step, bool *again);

#endif
