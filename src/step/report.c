// The report of a step: see report.h.
#include "step/report.h"

#include <math.h>

void vs_report_contacts(const vs_simulation *s, vs_step_report *report) {
    const vs_result *result = &s->problem.result;
    for (int k = 0; k < vs_step_contacts_count(&s->contacts); k++) {
        int row = s->groups.group.data[k].row;
        double u = result->y[row] + s->contact_rows.offset.data[k]; // y = u - offset
        report->active += result->lambda[row] > 0;
        report->penetration = fmax(report->penetration, -(vs_step_contacts_gap(&s->contacts, k) + s->options.step * u));
    }
}

void vs_report_certificate(const vs_result *result, vs_step_report *report) {
    report->status = result->status;
    report->status_text = result->status_text;
    report->islands = result->islands;
    report->energy_error = result->measures.energy_error;
    report->energy_scale = result->measures.energy_scale;
    report->natural_map = result->measures.natural_map_relative;
}

void vs_report_sum(const vs_space *space, vs_step_report *report) {
    vs_energy *e = &report->energy;
    double sum[] = {
        report->contacts,      report->active,        report->dissipation,    report->work,  e->kinetic,
        e->potential,          e->momentum.x,         e->momentum.y,          e->momentum.z, e->angular_momentum.x,
        e->angular_momentum.y, e->angular_momentum.z, report->work_prescribed};
    vs_space_sums(space, (int)(sizeof sum / sizeof *sum), sum);
    report->contacts = (int)sum[0], report->active = (int)sum[1];
    report->dissipation = sum[2], report->work = sum[3], report->work_prescribed = sum[12];
    *e = (vs_energy){sum[4], sum[5], {sum[6], sum[7], sum[8]}, {sum[9], sum[10], sum[11]}};
    report->penetration = vs_space_max(space, report->penetration);
    report->joint_drift = vs_space_max(space, report->joint_drift);
}
