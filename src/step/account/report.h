// The report of a step: contacts, and the solver's certificate.
#ifndef VS_STEP_REPORT_H
#define VS_STEP_REPORT_H

#include "step/data/simulation_data.h"

// Active contacts, and the largest penetration.
void vs_report_contacts(const vs_simulation *s, vs_step_report *report);
// Does a contact close by more than what counts as closed, and faster than the tolerance of its island allows? On all processes.
typedef struct vs_closing {
    bool strict, loose; // in islands with the tolerance, and with that of granular ones
} vs_closing;
vs_closing vs_report_closing(const vs_simulation *s);
// Status and errors of the step's problem, measured on its unscaled data. A step in which a contact closes, so that bodies
// penetrate, is inaccurate whatever the errors say.
void vs_report_certificate(const vs_simulation *s, vs_step_report *report);
// Does a step of flexible solids create energy, in a balance that is closed? Then it is inaccurate. before: at its beginning.
void vs_report_created(const vs_simulation *s, const vs_energy *before, vs_step_report *report);

#endif
