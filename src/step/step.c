// One step of the Anitescu-Tasora scheme (theory.md section 1):
//
//     free motion -> contacts -> problem -> impulses -> velocities -> poses -> joints
#include "step/simulation_data.h"

#include <string.h>

#include "base/clock.h"

// Nodes that are held, or glued to what has no mass.
static void give_velocities(const vs_world *world, vs_flexible *f, double h) {
    for (int k = 0; k < f->nodes; k++)
        if (!vs_node_is_free(world, f, k))
            f->velocity[k] = vs_node_given(world, f, k, h);
}

// Poses move with the new velocities; what the step could not keep of the joints is put right.
static vs_error integrate(vs_simulation *s, vs_step_report *report) {
    vs_world *world = s->world;
    double h = s->options.step;
    for (int k = 0; k < world->flexibles; k++)
        if (world->flexible[k].alive && !world->flexible[k].beam)
            give_velocities(world, &world->flexible[k], h);
    for (int k = 1; k < world->bodies; k++)
        if (vs_world_place(world, k) == VS_PLACE_HERE && world->body[k].alive &&
            world->body[k].motion != VS_MOTION_STATIC)
            vs_body_advance(&world->body[k], h);
    for (int k = 0; k < world->flexibles; k++)
        if (world->flexible[k].alive && !world->flexible[k].beam)
            vs_flexible_advance(&world->flexible[k], h);
    vs_error error = VS_OK;
    if (s->options.project && world->joints > 0)
        error = vs_joints_project(world, 1e-13, 3, &report->joint_drift);
    else
        report->joint_drift = vs_joints_drift(world);
    for (int k = 0; k < world->flexibles; k++)
        if (world->flexible[k].alive && !world->flexible[k].beam)
            report->inverted += vs_flexible_inverted(&world->flexible[k], NULL);
    vs_world_finish_step(world, h);
    return error;
}

static void certify(vs_simulation *s, vs_step_report *report) {
    const vs_result *result = &s->result;
    report->status = result->status;
    report->status_text = result->status_text;
    report->iterations = s->iterations;
    report->factorizations = s->factorizations;
    report->islands = result->islands;
    report->energy_error = result->measures.energy_error;
    report->energy_scale = result->measures.energy_scale;
    report->natural_map = result->measures.natural_map_relative;
    if (result->status != VS_STATUS_CONVERGED) {
        s->inaccurate++;
        s->stop = s->options.inaccurate == VS_INACCURATE_STOP;
    }
}

static vs_error collide(vs_simulation *s) {
    vs_error error = s->division ? s->division->arrange(s->division->user) : VS_OK;
    if (!error)
        error = vs_collision_find(s->collision, s->options.step, s->options.envelope, &s->contacts);
    if (!error)
        error = vs_node_collision_find(s->node_collision, s->options.step, s->options.envelope, &s->node_contacts);
    return vs_division_agree(s->division, error);
}

static vs_error solve_once(vs_simulation *s) {
    vs_error error = vs_division_agree(s->division, vs_step_warm_start(s));
    if (!error)
        error = vs_solver_solve(s->solver, &s->result);
    s->iterations += error ? 0 : s->result.iterations;
    s->factorizations += error ? 0 : s->result.factorizations;
    if (!error)
        error = vs_step_remember(s);
    return vs_division_agree(s->division, error);
}

// The problem, and again with the elements expanded anew, if this was asked for.
static vs_error solve(vs_simulation *s, int *problems) {
    bool more = s->coupling.needed;
    s->iterations = s->factorizations = 0;
    vs_error error = solve_once(s);
    for (*problems = 1; !error && more && *problems < s->options.elastic_iterations; ++*problems) {
        error = vs_newton_next(s, &more);
        if (error || !more)
            break;
        error = vs_step_assemble_again(s);
        if (!error)
            error = solve_once(s);
    }
    return error;
}

vs_error vs_simulation_step(vs_simulation *s, vs_step_report *out) {
    if (!s)
        return VS_ERROR_ARGUMENT;
    vs_step_report report = {.step = s->steps + 1};
    double begin = vs_clock();
    if (s->options.before && !s->options.before(s->options.user, s->world)) {
        s->stop = true;
        return VS_OK;
    }
    vs_world_drive(s->world, s->options.step);
    vs_error error = collide(s);
    double collided = vs_clock();
    if (!error)
        error = vs_step_assemble(s);
    double assembled = vs_clock();
    if (!error && s->solver)
        error = solve(s, &report.elastic_iterations);
    if (error)
        return error;
    double solved = vs_clock();
    if (s->solver) {
        vs_step_apply(s, &report);
        certify(s, &report);
    } else if (s->division) {
        vs_step_apply_free(s, &report);
    }
    error = vs_division_agree(s->division, integrate(s, &report));
    s->steps++;
    report.time = s->world->time;
    report.contacts = vs_step_contacts(s);
    report.energy = vs_world_get_energy(s->world);
    if (s->division)
        vs_step_sum_report(s, &report);
    report.seconds_collide = collided - begin;
    report.seconds_assemble = assembled - collided;
    report.seconds_solve = solved - assembled;
    report.seconds_total = vs_clock() - begin;
    if (out)
        *out = report;
    if (!error && s->options.after && !s->options.after(s->options.user, s->world, &report))
        s->stop = true;
    return error;
}
