// Contacts of a controlled step that count as closed, and those among them that strike: they close faster than a quarter of the
// speed of a fall by the accuracy, and are an impact, at a time of its own.
#ifndef VS_STEP_TOUCHING_H
#define VS_STEP_TOUCHING_H

#include "step/data/simulation_data.h"

// m/s, speed at which a contact closes after so many seconds of free fall from the present velocities; of one within the step
// (swept_contacts.h) with the bodies placed as they meet.
double vs_contact_approach(const vs_simulation *s, const vs_contact *contact, double ahead);
// Is its gap one of a closed contact?
bool vs_contact_touches(const vs_simulation *s, const vs_contact *contact);
// Can it have an impact? A compliant one cannot.
bool vs_contact_is_stiff(const vs_simulation *s, const vs_contact *contact);
// Is it stiff, and closes fast enough for an impact, at present or after so many seconds of free fall?
bool vs_contact_strikes(const vs_simulation *s, const vs_contact *contact, double ahead);

// Keeps the contacts between rigid bodies for which `keep` is true.
typedef bool (*vs_contact_filter)(const vs_simulation *s, const vs_contact *contact);
vs_error vs_contacts_filter(vs_simulation *s, vs_contact_filter keep);

#endif
