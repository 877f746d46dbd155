// The inside of a simulation: the parts of a step.
#ifndef VS_STEP_SIMULATION_DATA_H
#define VS_STEP_SIMULATION_DATA_H

#include "step/contacts/contacts.h"
#include "step/bond/crushing.h"
#include "step/rows/friction_memory.h"
#include "step/guard/impact_guard.h"
#include "step/guard/impact_sequence.h"
#include "step/problem/impulse_memory.h"
#include "step/data/observer.h"
#include "step/guard/recovery_guard.h"
#include "step/problem/step_problem.h"
#include "voussoir/run.h"

// Of the scheme shake: shake.h.
typedef struct vs_shake {
    VS_ARRAY(vs_pose) pose;    // (bodies) work: at the beginning of the step
    VS_ARRAY(double) velocity; // (n) work: prediction
    double least;              // change of the curvature in this step
    int stalled;               // corrections since it has decreased
    bool straight;             // the corrections have failed: there is none
    VS_ARRAY(double) moved;    // (m + m_e) work: way of the rows of joints within the step; m, rad
    // Of impacts within the step (impact_shift.h):
    VS_ARRAY(int) island;   // (blocks) as disjoint sets
    VS_ARRAY(double) shift; // (blocks) s
    VS_ARRAY(double) base;  // (6 blocks) velocities before the impacts
    bool limited;           // times of impacts are at most these
} vs_shake;

// Bodies that stop within the step: hold.h.
typedef struct vs_hold {
    VS_ARRAY(vs_pose) begin; // (bodies) none: nothing is fast
    VS_ARRAY(vs_vec3) spin;  // (bodies) rad/s, body axes
    VS_ARRAY(int) group;     // (bodies) connected by joints, as disjoint sets
    VS_ARRAY(double) time;   // (pairs) at which they meet, 0 … 1; more: never
} vs_hold;

// Contacts that begin, persist and end: events.h.
typedef struct vs_events {
    VS_ARRAY(vs_contact_event) former, now; // pairs of bodies that touch, ascending
    VS_ARRAY(vs_contact_event) event;       // of the last step, ascending
} vs_events;

// The state before a trial: saved_state.h.
typedef struct vs_saved_body {
    vs_pose pose;
    vs_vec3 velocity, spin, held, free_spin, old_velocity, old_spin; // as in vs_body
} vs_saved_body;
typedef struct vs_saved_joint {
    vs_vec3 force, torque;
    double angle, effort;
} vs_saved_joint;
typedef struct vs_saved_state {
    VS_ARRAY(vs_saved_body) body;
    VS_ARRAY(vs_saved_joint) joint;
    VS_ARRAY(vs_impulse) impulse;
    double time;
    vs_vec3 gravity;
} vs_saved_state;

// A contact that had an impulse in an impact within a controlled step.
typedef struct vs_struck_contact {
    int a, b;       // bodies
    double impulse; // N s
} vs_struck_contact;

// Of steps of controlled accuracy: time_control.h.
typedef struct vs_time_control {
    double h;                           // s, next step; 0: none was taken
    double last_error;                  // of the last accepted step, relative
    VS_ARRAY(vs_contact) located;       // whose impact is at the end of the trial, one per pair of colliders
    VS_ARRAY(bool) fresh;               // (contacts) work: touches, but did not press before
    VS_ARRAY(vs_struck_contact) struck; // in impacts of the present step of the simulation
    VS_ARRAY(double) size;              // (bodies) m: time_error.h
    uint64_t topology;                  // for which the sizes hold
} vs_time_control;

// What energies are compared with.
typedef struct vs_energy_scale {
    double kinetic; // J, after the last step
    double most;    // J, largest kinetic energy
    double scale;   // J, largest reference of a step's solver: less than its square root of the tolerance is not known
} vs_energy_scale;

// Of the revisions of the present step: scheme/revision.h.
enum { VS_REVISIONS_MOST = 16 };
typedef struct vs_revision_state {
    bool slips_apart;              // tensions at cuts of ropes do not agree yet
    int rounds[VS_REVISIONS_MOST]; // of those that are counted over the step
    int searches;                  // for late contacts
    double tolerance;              // of the solver; a rough one while late contacts are to be expected
    double granular;               // the solver's granular_tolerance
} vs_revision_state;

// Told when the problem of a step, or of an impact of a controlled step, is solved, before its bodies move; and when a part of a
// controlled step without impacts was accepted, which began at the saved state (derivative/).
typedef struct vs_solved_hook {
    vs_error (*function)(struct vs_simulation *s, void *user); // null: none
    vs_error (*flown)(struct vs_simulation *s, double h, bool presses, void *user);
    void *user;
} vs_solved_hook;

struct vs_simulation {
    vs_context *context;
    vs_world *world;
    vs_simulation_options options;
    const vs_division *division; // null, or this is one rank's part; owned
    vs_observers observers;
    struct vs_watch *watch; // outcome.h

    vs_step_contacts contacts;
    vs_blocks blocks;
    vs_row_groups groups;
    vs_contact_rows contact_rows;
    vs_bonds bonds;
    vs_crushing crushing;
    vs_friction_memory friction;
    vs_elastic_terms elastic;
    vs_step_problem problem;
    vs_impulse_memory memory;
    vs_impact_guard guard;
    vs_recovery_guard recovery;
    vs_impact_sequence sequence;
    vs_moved_bodies moved;
    VS_ARRAY(double) predicted; // (blocks) work: struck.h
    vs_shake shake;
    vs_hold hold;
    vs_saved_state saved;
    vs_time_control control;
    vs_kick kick; // of the present step
    vs_revision_state revision;
    vs_events events;

    VS_ARRAY(vs_contact_view) gathered; // contacts of all processes, where they were gathered
    int64_t steps, inaccurate;
    int64_t solutions;            // of problems; those of a step that is repeated count again
    vs_energy_flow flow;          // of all steps
    vs_energy_scale energy_scale; // energy_account.h
    VS_ARRAY(char) note;          // of the user, kept by checkpoints, with a zero at the end; empty: none
    vs_run_end end;               // whether the last step ends a run
    vs_solved_hook solved;        // set for single steps
    bool stepping;                // callbacks run in the middle of a step
    bool contacts_unknown;        // of the last step, with problem and result: it failed, or the state was loaded
};

// Fails if a step is under way: `function` was called from one of its callbacks.
static inline vs_error vs_simulation_check_idle(const vs_simulation *s, const char *function) {
    if (!s->stepping)
        return VS_OK;
    return vs_fail(s->context, VS_ERROR_ARGUMENT,
                   "%s: called from a callback of the same simulation; return from the callback first", function);
}

#endif
