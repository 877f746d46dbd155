// Impacts that follow from impacts within a step. A ball that is struck may meet a third one before the step ends. The row of
// that contact has no restitution, as the two did not approach: it closes the gap,
//
//     u_n >= -gap/h
//
// and takes the rest of the velocity of approach, though the impact is elastic. The solution with it only moves the bodies of the
// island, so that none overlap at the end; the velocities that they keep are those of the step solved again without the
// contact. The two touch then and approach with the velocity of the first impact, and the next step has their impact, with
// restitution: a sequence of impacts (Moreau 1988), one after the other.
//
// Gravity and loads have accelerated the bodies as if they moved with the velocities v that they keep, but v_m moves them. With
// their momentum p within the step and the work W of the impulses (impact_guard.h) the island gains
//
//     W + p'(v - v_m)
//
// Where that is positive, as where bodies fall towards others that a floor throws back, its contacts act again: nothing is
// left to the next step.
//
// Contacts that touch, or close slower than v_min (contact_rows.h), stay: their impacts happen together, which takes no energy
// either.
//
// Not here: steps of controlled accuracy, which end at impacts; worlds with flexible bodies or mortar; several processes.
#ifndef VS_STEP_IMPACT_SEQUENCE_H
#define VS_STEP_IMPACT_SEQUENCE_H

#include "step/contacts/contacts.h"
#include "step/guard/moved_bodies.h"

typedef struct vs_impact_sequence { // work
    VS_ARRAY(int) parent;           // (blocks, at least 1) islands as disjoint sets
    VS_ARRAY(bool) struck;          // (blocks, at least 1) of the roots: the island has a rebound
    VS_ARRAY(bool) moved;           // (blocks, at least 1) of an island with contacts that are left out
    VS_ARRAY(double) gain, energy;  // (blocks, at least 1) J, of the roots: as above; kinetic energy before
    VS_ARRAY(bool) out;             // (contacts)
    VS_ARRAY(vs_contact) left_out;
} vs_impact_sequence;

void vs_impact_sequence_release(vs_context *context, vs_impact_sequence *sequence);
// Evaluates a solution. `again`: contacts are left out, the step is to be assembled and solved without them; the bodies of the
// islands in `moved` move with this solution.
vs_error vs_impact_sequence_check(vs_impact_sequence *sequence, const vs_step_view *step, vs_step_contacts *contacts,
                                  bool *again);
// Evaluates the solution without them, and the motion `bodies` with them. `again`: those of some islands act again, which move as
// they are solved, and the step is to be assembled and solved so.
vs_error vs_impact_sequence_return(vs_impact_sequence *sequence, const vs_step_view *step, vs_step_contacts *contacts,
                                   vs_moved_bodies *bodies, bool *again);

#endif
