// The scheme shake: SHAKE (Ryckaert, Ciccotti and Berendsen 1977; symplectic, of second order) with contact impulses.
//
//     M v(k+1/2) = M v(k-1/2) + h f(q_k) + C(q_k)'g + D(q_k)'l        one contact problem, kick
//     q_(k+1) = q_k (+) h v(k+1/2)                                    drift: vs_body_drift()
//
// It differs from Moreau's scheme in three respects.
//
// 1 Joints hold at the end of the step, Psi(q_(k+1)) = 0, by forces in the directions C(q_k)'. A row is linearized about
//   predicted velocities v_p, which move the bodies to q_p:
//
//     C v = C v_p - Psi(q_p)/h  =  -Psi(q_k)/h + curvature,    curvature = C v_p - (Psi(q_p) - Psi(q_k))/h
//
//   and likewise for motors, limits and springs with the coordinate instead of Psi. The matrix is that of q_k, so that
//   the problem is solved again with v_p = v until the curvature no longer changes. Where bodies turn too far within the
//   step for that, the curvature is left out: Moreau's rows, which remove energy.
//
// 2 Velocities belong to the middle of steps. Bodies show those at q_k, v_k = v(k-1/2) + lead. The lead is half the next
//   kick: h/2 f(q_k), and half the reaction of contacts and joints, extrapolated from the last two. It is limited where
//   they differ, so that an impact is not repeated. The lead is removed before the next kick and has no influence on the
//   motion; but a body that is new, or was placed, starts with velocities at q_k, and its lead is h/2 f(q_k).
//
// 3 In the first step springs, motors and friction act over h/2.
//
// Contacts are those of Moreau's scheme, linear in the velocities. Where they curve, with radius R and speed v, each step
// opens a gap of (h v)^2/(2 R), which the next one closes: the bodies keep that distance, of second order, too. Impacts with
// restitution happen at their time within the step (impact_shift.h), of second order; those without are of first order. Flexible
// bodies: elastic_times.h.
#ifndef VS_STEP_SHAKE_H
#define VS_STEP_SHAKE_H

#include "step/data/simulation_data.h"

// The times of the next step.
vs_kick vs_shake_kick(const vs_simulation *s);
// Velocities of bodies from those at the beginning of the step to those half a step earlier; and back, where it fails.
void vs_shake_begin(vs_simulation *s);
void vs_shake_cancel(vs_simulation *s);
// Sets the curvature of rows for velocities predicted from the last steps.
vs_error vs_shake_predict(vs_simulation *s);
// Sets it for the solution. True: it has changed by more than 1e-5 of the kick (or the tolerance), solve again. All
// processes get the same answer.
bool vs_shake_correct(vs_simulation *s);
// Finds the leads after a kick to the velocities v (n); and moves a body to the end of the step.
void vs_shake_set_leads(vs_simulation *s, const double *v);
void vs_shake_advance(vs_body *body, double h);

#endif
