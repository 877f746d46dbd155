// The parts of a state, each of which saves, checks and loads itself (archive.h). simulation_state.c lists them.
#ifndef VS_STEP_PARTS_H
#define VS_STEP_PARTS_H

#include "step/data/simulation_data.h"
#include "step/state/archive.h"
#include "step/state/state.h"

// Of the world.
void vs_visit_world(vs_archive *a, const vs_state *s);
void vs_visit_signals(vs_archive *a, const vs_state *s);
void vs_visit_bodies(vs_archive *a, const vs_state *s);
void vs_visit_joints(vs_archive *a, const vs_state *s);
void vs_visit_commands(vs_archive *a, const vs_state *s);
void vs_visit_controls(vs_archive *a, const vs_state *s);
void vs_visit_activations(vs_archive *a, const vs_state *s);
void vs_visit_sensors(vs_archive *a, const vs_state *s);
void vs_visit_flexibles(vs_archive *a, const vs_state *s);
void vs_visit_gates(vs_archive *a, const vs_state *s);
void vs_visit_servos(vs_archive *a, const vs_state *s);
// Of the simulation, which is not null.
void vs_visit_scheme(vs_archive *a, const vs_state *s);
void vs_visit_counters(vs_archive *a, const vs_state *s);
void vs_visit_leads(vs_archive *a, const vs_state *s);
void vs_visit_impulses(vs_archive *a, const vs_state *s);
void vs_visit_friction(vs_archive *a, const vs_state *s);
void vs_visit_bonds(vs_archive *a, const vs_state *s);
void vs_visit_totals(vs_archive *a, const vs_state *s);
void vs_visit_events(vs_archive *a, const vs_state *s);
void vs_visit_outcome(vs_archive *a, const vs_state *s);
void vs_visit_note(vs_archive *a, const vs_state *s);

// The part of the world that a reader without it understands: the first fields of vs_visit_world().
typedef struct vs_world_counts {
    double time;
    vs_vec3 gravity;
    int64_t bodies, joints, flexibles; // slots
    int64_t nodes;                     // of all flexible bodies
    int64_t controls;
} vs_world_counts;
void vs_visit_counts(vs_archive *a, vs_world_counts *counts);

#endif
