// No impact creates energy. Newton's law, u_n = -e u_n(before), can: where joints or several contacts couple normal and
// tangential velocities, it may take an impulse that does positive work (Kane and Levinson 1985). The work of all impulses
// of an island but those of motors, springs and dampers is
//
//     W = 1/2 l'(u_f + u_1)
//
// with the velocities u_f of the rows before the impulses (after loads and gravity), u_1 after them, both relative to
// prescribed motion, u_1 without the part that removes penetrations. With u_1 = u_f + N l,
//
//     W = l'u_1 - 1/2 l'N l        N: Delassus operator
//
// which is not positive without restitution: contacts press only where u_n <= 0, and friction opposes u_T. If W > 0 in an
// island with a rebound, its restitution is multiplied by the largest factor s in [0, 1] with W <= 0, found by bisection
// to 2^-ROUNDS: each trial is a contact problem like others. So Coulomb's law holds, with Newton's law for s e, and the
// certificate is that of the step.
//
// With friction and several contacts Newton's law may have no solution, and an iterate that solves nothing may have any
// energy. Where such an iterate gains some, s is the largest with which the step was solved, or 0: the problem without
// restitution has a solution.
//
// Not here: worlds with flexible bodies, whose elements take part in an impact. Over processes all islands have one factor.
#ifndef VS_STEP_IMPACT_GUARD_H
#define VS_STEP_IMPACT_GUARD_H

#include "step/rows/contact_rows.h"

typedef struct vs_impact_guard {
    bool active;             // some restitution of this step is reduced
    int rounds;              // so many were tried
    VS_ARRAY(int) parent;    // (blocks, at least 1) islands as disjoint sets
    VS_ARRAY(double) factor; // (blocks, at least 1) s of the block's island
    // Of the roots:
    VS_ARRAY(double) low, high;      // W(low) <= 0 < W(high), solved with low; high > 1: not reduced
    VS_ARRAY(double) work, approach; // J; W, and the normal part of 1/2 |l'u_f| of its rebounds
} vs_impact_guard;

// Number of blocks of bodies, at least 1.
int vs_guarded_blocks(const vs_step_view *step);
// Is it a contact with restitution? The right-hand side of others is not positive, or removes a penetration.
bool vs_guarded_rebounds(const vs_step_view *step, const vs_row_group *group);
// J, work of an impulse's row, relative to prescribed motion, with the part that removes penetrations; 0 of motors, springs and
// dampers. No more than that of the true impulse, without the shift of adhesion.
double vs_guarded_row_work(const vs_step_view *step, const vs_row_group *group, int row);

void vs_impact_guard_release(vs_context *context, vs_impact_guard *guard);
// Forgets the factors of the last step.
void vs_impact_guard_reset(vs_impact_guard *guard);
// Evaluates a solution. `again`: the factors have changed, the step is to be assembled and solved with them. All processes
// get the same answer.
vs_error vs_impact_guard_check(vs_impact_guard *guard, const vs_step_view *step, vs_context *context, bool *again);
// Least factor of all islands, 1: none is reduced.
double vs_impact_guard_least(const vs_impact_guard *guard);

#endif
