// Sums over the steps of a run.
#include "run/totals.h"

#include <math.h>
#include <string.h>

const vs_report_total *app_run_total(const app_run_totals *t, size_t offset) {
    return &t->of.field[vs_report_field_find(offset)];
}

bool app_run_is_clock(const vs_report_field *field) {
    return strncmp(field->name, "seconds_", strlen("seconds_")) == 0;
}

void app_run_add(app_run_totals *t, const vs_step_report *r) {
    t->steps++;
    if (r->status != VS_STATUS_CONVERGED && t->of.inaccurate < APP_RUN_LISTED)
        t->listed[t->of.inaccurate] = r->step;
    if (r->forced > 0 && !t->forced_text)
        t->forced_text = r->forced_text;
    vs_report_totals_add(&t->of, r);
    t->end = r->energy;
    t->last = *r;
}

static double length(vs_vec3 v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

void app_run_add_momenta(app_run_totals *t, const vs_step_report *r, const vs_world *world) {
    double most = length(r->energy.momentum);
    for (int k = 0; k < vs_world_get_body_count(world); k++) {
        const vs_body_id id = vs_world_get_body_at(world, k);
        vs_body_state state;
        vs_mat3 inertia;
        double mass;
        if (vs_world_get_body_mass(world, id, &mass, &inertia) == VS_OK && mass > 0 &&
            vs_world_get_body_state(world, id, &state) == VS_OK)
            most = fmax(most, mass * length(state.velocity));
    }
    if (most > t->momentum) {
        t->momentum = most;
        t->momentum_step = r->step;
    }
}
