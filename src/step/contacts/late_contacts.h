// Contacts that only the end of a step shows.
#ifndef VS_STEP_LATE_CONTACTS_H
#define VS_STEP_LATE_CONTACTS_H

#include "step/contacts/contacts.h"
#include "step/rows/step_view.h"

// Their tolerance with fixed steps. Velocities to as many digits show it.
static const double VS_LATE = 1e-4;

// The step from which they are searched: velocities v at its end, as solved.
typedef struct vs_late_search {
    const vs_step_view *step;
    const double *v;
    int round;                 // number of earlier searches in this step
    double tolerance;          // depth, relative to the smaller shape, up to which a contact is not late
    const vs_contact *located; // (located_count) whose pairs of colliders are not searched
    int64_t located_count;
    bool settled; // islands with the tolerance of granular ones are not searched
} vs_late_search;

// Velocities of a body with s->v, world axes.
typedef struct vs_late_motion {
    vs_vec3 velocity, spin; // m/s, rad/s
} vs_late_motion;
vs_late_motion vs_late_motion_of(const vs_late_search *s, int index);
// The gap of a contact at the end of the step as its row sees it, gap + h n.u.
double vs_late_gap_in_row(const vs_late_search *s, const vs_contact *c);
// Is it a ball about the centre of mass, which looks the same however its body turns?
bool vs_late_is_ball(const vs_collider *c);

// May there be any? Only bodies that turn have late contacts, and spheres have none.
bool vs_late_contacts_expected(const vs_step_contacts *contacts, const vs_world *world, double h);
// Adds contacts to those of the step where bodies would overlap at its end more than at its beginning; `added`: how many.
vs_error vs_late_contacts_add(vs_step_contacts *contacts, const vs_late_search *s, int *added);

#endif
