// A controlled step: RATTLE (Andersen 1983; symplectic, of second order, starts by itself) with contacts. Velocities belong to
// the ends of the step, and two problems are solved:
//
//     1  M v_h = M v + h/2 f(q, t) + C(q)'g + D(q)'l        Psi(q1) = 0,  gap(q1) >= 0,  q1 = q (+) h v_h
//     2  M v1 = M v_h + h/2 f(q1, t + h) + C(q1)'g + D(q1)'l    C v1 = 0,  D_n v1 >= 0 where it touches
//
// The first is that of shake (shake.h), with the curvature of joints and contacts; in the drift bodies turn by
// vs_body_drift(), so that v_h at q1 is that after it. Contacts touch if their gap is at most a tenth of a L, or if they pressed
// in the first problem.
//
// A contact that closes fast (touching.h) is not part of a step: it would act at the wrong time. A trial in which one shows
// is rejected; its time is found (impact_time.h), the step is repeated up to this time without it, and the next step
// begins with
//
//     3  M v+ = M v- + C'g + D'l        C v+ = 0, D_n v+ >= -e D_n v-, all that touches
//
// Slow contacts close within a step, by an error that is estimated. Contacts with triangle meshes are linear within the step,
// and triangles further on are not searched: an overlap that has grown is an error of positions, too. Not here: flexible
// bodies, several processes.
#ifndef VS_STEP_RATTLE_H
#define VS_STEP_RATTLE_H

#include "step/data/simulation_data.h"

typedef struct vs_rattle_trial {
    // The trial ended early:
    bool struck;   // contacts that touch at the beginning strike: an impact is due
    bool strikes;  // contacts strike within the step; their pairs are in control.located
    bool failed;   // the corrections of joints and contacts do not converge
    double passes; // part of the step after which bodies meet that pass through each other, 0 … 1; more: none do
    // It did not:
    bool closes;    // a slow contact closed
    bool changes;   // contacts stick or press at the end that did not at the beginning, or the other way round
    bool presses;   // any contact or limit
    bool recovers;  // an overlap opens, with a speed that is none of the motion
    double deepest; // m, >= 0: overlap of located contacts beyond what counts as closed
    double shorter; // s: by which the step was too long for that
    bool sunk;      // one of them lies deeper than any at the beginning, by more than an error of positions may be
    double
        overlap; // of other contacts, in multiples of a L, or of 1e-3 L; 0: none lies deeper at the end than any at the beginning
} vs_rattle_trial;

// Tries a step of h from the present state, which is saved, and moves the world to its end, except where the trial ended
// early. settled: contacts that touch have had their impact. Adds to the report.
vs_error vs_rattle_try(vs_simulation *s, double h, bool settled, vs_rattle_trial *trial, vs_step_report *report);
// The first problem without the contacts of located pairs: mean velocities of the step in the result.
vs_error vs_rattle_solve_unlocated(vs_simulation *s, double h, vs_step_report *report);
// The impact of all that touches in the present state, which is saved.
vs_error vs_rattle_impact(vs_simulation *s, vs_step_report *report);

#endif
