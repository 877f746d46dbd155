// The table of the fields of reports (voussoir/report.h) for those who fill them in.
#ifndef VS_STEP_REPORT_FIELDS_H
#define VS_STEP_REPORT_FIELDS_H

#include "base/space.h"
#include "voussoir/report.h"

// Sets a field that is no text.
void vs_report_field_set(int k, double value, vs_step_report *report);
// All fields over all processes, each by its rule.
void vs_report_combine(const vs_space *space, vs_step_report *report);

// Sum of the terms of one side of the balance.
double vs_energy_flow_sum(const vs_energy_flow *flow, vs_energy_side side);
// Sum of the sizes of all terms, without the discretization.
double vs_energy_flow_exchanged(const vs_energy_flow *flow);
// total += flow
void vs_energy_flow_add(vs_energy_flow *total, const vs_energy_flow *flow);

#endif
