// A simulation is created and destroyed.
#include <math.h>
#include <string.h>

#include "body/check.h"
#include "collide/mesh/facing.h"
#include "step/account/events.h"
#include "step/scheme/hold.h"
#include "step/account/margin.h"
#include "step/account/outcome.h"
#include "step/controlled/saved_state.h"

// Contacts of a simulation are known no better than this, and the last digits cost most: 1e-6 of the energy that a step moves is
// a penetration of nanometres.
static const double TOLERANCE = 1e-6;
// Run-out, flow rate and slope of grains are the same from 1e-2 on, within the scatter of runs (bench/results/tolerance.md).
static const double GRANULAR_TOLERANCE = 1e-3;
// Factorizations that a contact island may take in a step: about twice as many as the hardest of 230 captured steps needs at
// TOLERANCE.
enum { PATIENCE = 1000 };
// A tenth of a body's size: beyond it, bodies pass through each other.
static const double ACCURACY_MOST = .1;
// Of the accuracy: the solver's tolerance, so that its error does not count beside that of a step.
static const double SOLVER_SHARE = 1e-2;
// Numerical damping of flexible bodies in the scheme shake: the largest of second order (elastic_times.h).
static const double SHAKE_DAMPING = .5;

vs_simulation_options vs_simulation_options_default(void) {
    vs_solver_options solver = vs_solver_options_default();
    solver.tolerance = 0; // by islands
    solver.exact.patience = PATIENCE;
    return (vs_simulation_options){
        .step = 1.0 / 240,
        .solver = solver,
        .restitution_speed = -1,
        .elastic_iterations = 1,
        .numerical_damping = -1,
        .project = true,
    };
}

static vs_error validate(const vs_simulation_options *options, vs_context *context) {
    if (!(options->step > 0) || isinf(options->step))
        return vs_fail(context, VS_ERROR_ARGUMENT, "step: must be positive and finite, is %g s", options->step);
    if (!(options->envelope >= 0) || isinf(options->envelope))
        return vs_fail(context, VS_ERROR_ARGUMENT, "envelope: must not be negative, is %g m", options->envelope);
    if (!(options->recovery_speed >= 0))
        return vs_fail(context, VS_ERROR_ARGUMENT, "recovery_speed: must not be negative, is %g m/s",
                       options->recovery_speed);
    if (isnan(options->restitution_speed))
        return vs_fail(context, VS_ERROR_ARGUMENT, "restitution_speed: is not a number");
    if (options->elastic_iterations < 1)
        return vs_fail(context, VS_ERROR_ARGUMENT, "elastic_iterations: must be 1 or more, is %d",
                       options->elastic_iterations);
    if (!(options->accuracy >= 0) || options->accuracy > ACCURACY_MOST)
        return vs_fail(context, VS_ERROR_ARGUMENT, "accuracy: must be from 0 (off) to %g, is %g", ACCURACY_MOST,
                       options->accuracy);
    if (options->accuracy > 0 && options->scheme != VS_SCHEME_MOREAU)
        return vs_fail(context, VS_ERROR_ARGUMENT, "accuracy: chooses steps itself, and excludes another scheme");
    if (!(options->numerical_damping <= 1))
        return vs_fail(context, VS_ERROR_ARGUMENT, "numerical_damping: must not exceed 1, is %g",
                       options->numerical_damping);
    if ((unsigned)options->scheme > VS_SCHEME_QUASI_STATIC)
        return vs_fail(context, VS_ERROR_ARGUMENT, "scheme: unknown value %d", (int)options->scheme);
    if ((unsigned)options->on_inaccurate > VS_INACCURATE_STOP)
        return vs_fail(context, VS_ERROR_ARGUMENT, "on_inaccurate: unknown value %d", (int)options->on_inaccurate);
    return VS_OK;
}

static void connect_parts(vs_simulation *s) {
    s->elastic.blocks = &s->blocks, s->elastic.kick = &s->kick;
}

// The tolerances that 0 stands for. Steps of controlled accuracy have one for all islands.
static void set_tolerances(vs_simulation_options *options) {
    vs_solver_options *solver = &options->solver;
    if (solver->tolerance == 0) {
        solver->tolerance = TOLERANCE;
        solver->granular_tolerance = GRANULAR_TOLERANCE;
    }
    if (options->accuracy > 0) {
        solver->tolerance = fmin(solver->tolerance, SOLVER_SHARE * options->accuracy);
        solver->granular_tolerance = 0;
    }
}

// Of valid options.
static vs_error make(vs_world *world, const vs_simulation_options *options, vs_simulation **out) {
    vs_simulation *s = vs_allocate(world->context, sizeof *s);
    if (!s)
        return vs_fail_memory(world->context);
    *s = (vs_simulation){.context = world->context, .world = world, .options = *options, .control.last_error = 1};
    set_tolerances(&s->options);
    if (options->on_inaccurate == VS_INACCURATE_RELAXED)
        s->options.solver.exact.fallback = VS_FALLBACK_RELAXED;
    if (s->options.numerical_damping < 0)
        s->options.numerical_damping = options->scheme == VS_SCHEME_SHAKE ? SHAKE_DAMPING : 1;
    s->elastic = (vs_elastic_terms){.world = world, .mid = s->options.numerical_damping < 1};
    connect_parts(s);
    vs_error error = vs_step_contacts_create(&s->contacts, world);
    if (!error)
        error = vs_watch_create(world, &s->options, &s->watch);
    s->options.stop = NULL; // copied
    if (error) {
        vs_simulation_destroy(s);
        return error;
    }
    *out = s;
    return VS_OK;
}

vs_error vs_simulation_create(vs_world *world, const vs_simulation_options *options, vs_simulation **out) {
    if (!out)
        return VS_ERROR_ARGUMENT;
    *out = NULL;
    if (!world)
        return VS_ERROR_ARGUMENT;
    const vs_simulation_options defaults = vs_simulation_options_default();
    options = options ? options : &defaults;
    vs_error error = validate(options, world->context);
    if (!error)
        error = make(world, options, out);
    if (!error)
        vs_facing_check(world);
    return error;
}

// A new one for the present state at `time`. If that fails, nothing has changed.
static vs_error make_again(const vs_simulation *s, double time, vs_simulation **fresh) {
    vs_world *world = s->world;
    const double present = world->time;
    const vs_vec3 gravity = world->gravity;
    vs_simulation_options options = s->options;
    options.stop = vs_watch_conditions(s->watch);
    world->time = time;
    vs_world_update_gravity(world, time, 0);
    vs_error error = make(world, &options, fresh);
    if (error)
        world->time = present, world->gravity = gravity;
    return error;
}

// Every part is made anew, so that no memory can be missed. What knows the simulation by its address stays.
vs_error vs_simulation_reset(vs_simulation *s, double time) {
    if (!s)
        return VS_ERROR_ARGUMENT;
    vs_error error = vs_simulation_check_idle(s, "vs_simulation_reset");
    if (error)
        return error;
    if (!(fabs(time) <= VS_NUMBER_MOST))
        return vs_fail(s->context, VS_ERROR_ARGUMENT, "vs_simulation_reset: the time is %g s", time);
    if (s->division)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED, "vs_simulation_reset: the simulation is distributed");
    vs_simulation *fresh = NULL;
    error = make_again(s, time, &fresh);
    if (error || !fresh)
        return error;
    vs_world_forget_steps(s->world, time);
    const vs_simulation old = *s;
    *s = *fresh, *fresh = old;
    s->observers = old.observers, s->note = old.note;
    fresh->observers = (vs_observers){0};
    memset(&fresh->note, 0, sizeof fresh->note);
    connect_parts(s);
    connect_parts(fresh);
    vs_simulation_destroy(fresh);
    return VS_OK;
}

void vs_simulation_destroy(vs_simulation *s) {
    if (!s)
        return;
    vs_observers_detach(&s->observers);
    vs_watch_destroy(s->watch);
    vs_step_problem_release(s->context, &s->problem);
    if (s->division)
        s->division->release(s->division->user);
    vs_impulse_memory_release(s->context, &s->memory);
    vs_impact_guard_release(s->context, &s->guard);
    vs_recovery_guard_release(s->context, &s->recovery);
    vs_impact_sequence_release(s->context, &s->sequence);
    vs_moved_bodies_release(s->context, &s->moved);
    VS_ARRAY_RELEASE(s->context, &s->predicted);
    vs_hold_release(s->context, &s->hold);
    VS_ARRAY_RELEASE(s->context, &s->shake.pose);
    VS_ARRAY_RELEASE(s->context, &s->shake.velocity);
    VS_ARRAY_RELEASE(s->context, &s->shake.moved);
    VS_ARRAY_RELEASE(s->context, &s->shake.island);
    VS_ARRAY_RELEASE(s->context, &s->shake.shift);
    VS_ARRAY_RELEASE(s->context, &s->shake.base);
    vs_saved_state_release(s->context, &s->saved);
    vs_events_release(s->context, &s->events);
    VS_ARRAY_RELEASE(s->context, &s->control.located);
    VS_ARRAY_RELEASE(s->context, &s->control.fresh);
    VS_ARRAY_RELEASE(s->context, &s->control.struck);
    VS_ARRAY_RELEASE(s->context, &s->control.size);
    vs_elastic_terms_release(s->context, &s->elastic);
    vs_contact_rows_release(s->context, &s->contact_rows);
    vs_bonds_release(s->context, &s->bonds);
    vs_crushing_release(s->context, &s->crushing);
    vs_friction_memory_release(s->context, &s->friction);
    vs_row_groups_release(s->context, &s->groups);
    vs_blocks_release(s->context, &s->blocks);
    vs_step_contacts_destroy(&s->contacts);
    VS_ARRAY_RELEASE(s->context, &s->gathered);
    VS_ARRAY_RELEASE(s->context, &s->note);
    vs_release(s->context, s);
}

vs_error vs_simulation_get_margin(const vs_simulation *s, vs_margin *margin) {
    if (!s || !margin)
        return VS_ERROR_ARGUMENT;
    *margin = (vs_margin){0};
    if (s->contacts_unknown)
        return vs_fail(s->context, VS_ERROR_ARGUMENT,
                       "margin: contacts are not known, as the last step failed or the state was loaded; take a step");
    return s->division ? vs_fail(s->context, VS_ERROR_UNSUPPORTED, "margin: the simulation is distributed")
                       : vs_margin_measure(s, margin);
}

vs_error vs_simulation_get_outcome(const vs_simulation *s, vs_outcome *outcome) {
    if (!s || !outcome)
        return VS_ERROR_ARGUMENT;
    *outcome = *vs_watch_outcome(s->watch);
    return s->division ? vs_fail(s->context, VS_ERROR_UNSUPPORTED, "outcome: the simulation is distributed") : VS_OK;
}

vs_error vs_simulation_set_note(vs_simulation *s, const char *text) {
    if (!s)
        return VS_ERROR_ARGUMENT;
    const size_t length = text ? strlen(text) + 1 : 0;
    const vs_error error = VS_RESERVE(s->context, &s->note, (int64_t)length);
    if (error)
        return error;
    if (text)
        (void)memmove(s->note.data, text, length);
    s->note.count = (int64_t)length;
    return VS_OK;
}

const char *vs_simulation_get_note(const vs_simulation *s) {
    return s && s->note.count > 0 ? s->note.data : "";
}

int64_t vs_simulation_get_inaccurate_steps(const vs_simulation *s) {
    return s ? s->inaccurate : 0;
}

const vs_problem *vs_simulation_get_problem(const vs_simulation *s) {
    return s && !s->contacts_unknown ? s->problem.problem : NULL;
}

const vs_result *vs_simulation_get_result(const vs_simulation *s) {
    return s && !s->contacts_unknown && s->problem.problem ? &s->problem.result : NULL;
}
