// A contact between any two things, bodies or nodes: its axes, and the right-hand sides of its rows (contact_rows.h has the
// equations).
#ifndef VS_STEP_CONTACT_SITE_H
#define VS_STEP_CONTACT_SITE_H

#include "step/rows/step_view.h"

// What a contact is known by in the next step. Zero bodies: a flexible solid takes part.
typedef struct vs_contact_mark {
    uint64_t bodies;        // both indices
    uint64_t pair, feature; // vs_contact
    vs_vec3 point;          // world
} vs_contact_mark;

typedef struct vs_contact_rows {
    VS_ARRAY(vs_contact_mark) mark; // (contacts)
    VS_ARRAY(vs_vec3) frame;        // (3 contacts) normal and tangents
    VS_ARRAY(double) size;          // (contacts) m, of the smaller of the two
    VS_ARRAY(double) offset;        // (3 contacts) m/s, right-hand sides: stabilization or restitution
    VS_ARRAY(double) restitution;   // (contacts) at their speed of approach, times the factor of the guard
    VS_ARRAY(double) adhesion;      // (contacts) N s, shift of the normal impulse
    VS_ARRAY(double) stretch;       // (contacts) of the axis w, across the grain; 1: no grain
    VS_ARRAY(double) impact_time;   // (contacts) s, after the beginning of a step of shake; < 0: no restitution
} vs_contact_rows;

void vs_contact_rows_release(vs_context *context, vs_contact_rows *rows);
// Room for all contacts of a step.
vs_error vs_contact_rows_reserve(vs_contact_rows *rows, vs_context *context, int contacts);

typedef struct vs_contact_site {
    int index;    // of the contact in the step
    uint64_t key; //
    vs_contact_mark mark;
    vs_vec3 normal;              // world axes
    bool late;                   // no limit of recovery: vs_contact
    bool point;                  // it may have rolling and spinning friction
    bool bonded;                 // it has no restitution: bond.h
    vs_vec3 grain;               // world axes; 0: none
    double gap;                  // m
    double size;                 // m, of the smaller of the two; may be infinite
    double inverse_mass;         // 1/kg, sum of both, of soft contacts of rigid bodies; else 0
    const vs_material *material; // mu: of this step
} vs_contact_site;

// Velocities of a row before its impulse; m/s.
typedef struct vs_row_speeds {
    double old, free;                   // before the step, and after it without contacts and joints
    double prescribed, prescribed_mean; // as in vs_row_values
} vs_row_speeds;

// Gaps and penetrations up to this count as closed, m; `size` as above. The second: in steps of controlled accuracy.
double vs_contact_rows_slop(double size);
double vs_contact_rows_controlled_slop(const vs_simulation_options *options, double size);
// m, overlap that is as large as an error of positions may be in steps of controlled accuracy.
double vs_contact_rows_deepest(const vs_simulation_options *options, double size);
// m/s, v_min in steps of controlled accuracy: that of a fall by the accuracy.
double vs_contact_rows_least_impact(const vs_simulation_options *options, const vs_world *world, double size);
// m/s, v_min with fixed steps of h: contacts that close slower have no restitution.
double vs_contact_rows_slowest_impact(const vs_simulation_options *options, const vs_world *world, double h);
// Finds the contact's axes: normal and tangents.
void vs_contact_site_set_frame(vs_contact_rows *rows, const vs_contact_site *site);
// A group without blocks.
vs_row_group vs_contact_rows_group(const vs_contact_site *site);
// Adds the group with its blocks, and finds the contact's axes.
vs_error vs_contact_rows_begin(vs_contact_rows *rows, const vs_step_view *view, const vs_contact_site *site,
                               const vs_row_group *group, vs_row_group **added);
// Sets all of row i but J.
void vs_contact_rows_set(vs_contact_rows *rows, const vs_step_view *view, const vs_contact_site *site,
                         const vs_row_group *added, int i, vs_row_speeds speeds);

#endif
