// Sums over the steps of a run.
#include "run/totals.h"

#include <math.h>

static double larger(double a, double b) {
    return a > b ? a : b;
}

static void add_flow(vs_energy_flow *sum, const vs_energy_flow *flow) {
    sum->loads += flow->loads;
    sum->motors += flow->motors;
    sum->prescribed += flow->prescribed;
    sum->friction += flow->friction;
    sum->impacts += flow->impacts;
    sum->dampers += flow->dampers;
    sum->discretization += flow->discretization;
    sum->fracture += flow->fracture;
}

static void add_time_error(app_run_totals *t, const vs_step_report *r) {
    t->problems += r->problems;
    t->time_error = larger(t->time_error, r->time_error);
    t->time_error_speed = larger(t->time_error_speed, r->time_error_speed);
    t->time_error_share = larger(t->time_error_share, r->time_error_share);
    t->controlled += r->controlled;
    t->events += r->events;
    t->rejected += r->rejected;
    t->forced += r->forced;
    if (r->forced > 0 && !t->forced_text) {
        t->forced_text = r->forced_text;
        t->forced_first = r->step;
    }
}

void app_run_add(app_run_totals *t, const vs_step_report *r) {
    t->steps++;
    t->summed++;
    if (r->status != VS_STATUS_CONVERGED) {
        if (t->inaccurate < APP_RUN_LISTED)
            t->listed[t->inaccurate] = r->step;
        t->inaccurate++;
    }
    t->iterations += r->iterations;
    t->factorizations += r->factorizations;
    t->contacts += r->contacts;
    t->contacts_most = r->contacts > t->contacts_most ? r->contacts : t->contacts_most;
    if (r->relative_error > t->relative_error) {
        t->relative_error = r->relative_error;
        t->worst = r->step;
    }
    t->energy_error = larger(t->energy_error, r->energy_error);
    t->work_error = larger(t->work_error, r->work_error);
    t->penetration = larger(t->penetration, r->penetration);
    t->drift = larger(t->drift, r->joint_drift);
    t->work += r->work;
    t->dissipation += r->dissipation;
    t->discretization_share = r->discretization_share;
    t->unbalanced += r->unbalanced;
    if (r->unbalanced && t->unbalanced_first == 0)
        t->unbalanced_first = r->step;
    add_flow(&t->flow, &r->flow);
    if (r->restitution_factor < 1) {
        t->restitution_factor =
            t->reduced > 0 ? fmin(t->restitution_factor, r->restitution_factor) : r->restitution_factor;
        t->reduced++;
    }
    add_time_error(t, r);
    t->broken += r->broken;
    t->bonds = r->bonds;
    t->bond_step = larger(t->bond_step, r->bond_step);
    if (r->broken > 0 && t->broken_first == 0)
        t->broken_first = r->step;
    t->swept += r->swept;
    t->held += r->held;
    if (r->held > 0 && t->held_first == 0)
        t->held_first = r->step;
    t->inverted = r->inverted > t->inverted ? r->inverted : t->inverted;
    if (r->inverted > 0 && t->inverted_first == 0)
        t->inverted_first = r->step;
    t->collide += r->seconds_collide;
    t->assemble += r->seconds_assemble;
    t->solve += r->seconds_solve;
    t->total += r->seconds_total;
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
            most = larger(most, mass * length(state.velocity));
    }
    if (most > t->momentum) {
        t->momentum = most;
        t->momentum_step = r->step;
    }
}
