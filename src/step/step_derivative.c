// The derivative of a step as an object: takes the step, and keeps what step/derivative records of it.
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "step/derivative/event_chain.h"
#include "step/derivative/linear_step.h"
#include "step/derivative/scope.h"

const char *vs_parameter_kind_name(vs_parameter_kind kind) {
    static const char *const names[] = {"mass", "mu", "restitution", "rolling", "spinning", NULL};
    return vs_name_in(names, (int)kind, "unknown");
}

vs_step_derivative_options vs_step_derivative_options_default(void) {
    return (vs_step_derivative_options){.border = vs_derivative_options_default().border};
}

static vs_error check(const vs_simulation *s, const vs_step_derivative_options *options) {
    const vs_world *world = s->world;
    if (!(options->border > 0) || options->parameters < 0 || (options->parameters > 0 && !options->parameter))
        return vs_fail(s->context, VS_ERROR_ARGUMENT, "step derivative: an option is out of range");
    for (int k = 0; k < options->parameters; k++) {
        const vs_parameter *p = &options->parameter[k];
        const bool mass = p->kind == VS_PARAMETER_MASS;
        const int body = mass ? vs_world_body_index(world, p->body) : 0;
        if (p->kind < VS_PARAMETER_MASS || p->kind > VS_PARAMETER_SPINNING ||
            (mass && (body <= 0 || world->body[body].motion != VS_MOTION_DYNAMIC)) ||
            (!mass && (!vs_world_has_material(world, p->material_a) || !vs_world_has_material(world, p->material_b))))
            return vs_fail(s->context, VS_ERROR_ARGUMENT,
                           "step derivative: parameter %d is not a mass of a dynamic body, nor of two materials", k);
    }
    return VS_OK;
}

static vs_error refuse(const vs_simulation *s, const vs_step_recorder *r, const char *reason) {
    if (r->contact < 0)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED, "step derivative: not of %s (step %lld)", reason,
                       (long long)s->steps);
    return vs_fail(s->context, VS_ERROR_UNSUPPORTED, "step derivative: not of %s (step %lld, contact %d)", reason,
                   (long long)s->steps, r->contact);
}

// A step of several parts reports them together.
static void sum_parts(vs_step_derivative *d) {
    for (int64_t k = 0; k < d->part.count; k++) {
        const vs_step_derivative *part = d->part.data[k];
        const vs_step_derivative_report *own = &part->report;
        d->bodies = part->bodies, d->body = part->body;
        d->contacts += part->contacts;
        d->report.borders += own->borders, d->report.kinks += own->kinks, d->report.redundant += own->redundant;
        d->report.relative_error = fmax(d->report.relative_error, own->relative_error);
        d->report.bytes += sizeof *part + part->arena.bytes;
    }
}

static vs_error take(vs_simulation *s, const vs_step_derivative_options *options, vs_step_report *report,
                     vs_step_derivative *d) {
    bool *held = VS_NEW(&d->arena, bool, s->world->bodies);
    d->parameters = options->parameters;
    d->parameter = VS_COPY(&d->arena, vs_parameter, options->parameter, options->parameters);
    if (!held || !d->parameter)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < s->world->bodies; k++)
        held[k] = vs_length(s->world->body[k].held) > 0;
    vs_step_recorder r = {.derivative = d, .border = options->border, .held = held, .contact = -1};
    vs_step_report own = {0};
    report = report ? report : &own;
    r.reason = vs_derivative_scope_simulation(s);
    if (!r.reason)
        s->solved = s->options.accuracy > 0
                        ? (vs_solved_hook){vs_event_chain_record_impact, vs_event_chain_record_flight, &r}
                        : (vs_solved_hook){vs_linear_step_record, NULL, &r};
    const vs_error error = vs_simulation_step(s, report);
    s->solved = (vs_solved_hook){0};
    if (error)
        return error;
    if (!r.reason && !r.recorded)
        return vs_fail(s->context, VS_ERROR_ARGUMENT, "step derivative: the callback `before` ended the run");
    if (!r.reason)
        r.reason = vs_derivative_scope_report(report);
    if (r.reason)
        return refuse(s, &r, r.reason);
    sum_parts(d);
    d->report.bodies = d->bodies, d->report.body = d->body, d->report.contacts = d->contacts;
    d->report.bytes += sizeof *d + d->arena.bytes;
    return VS_OK;
}

vs_error vs_step_derivative_create(vs_simulation *s, const vs_step_derivative_options *options, vs_step_report *report,
                                   vs_step_derivative **out) {
    if (!out)
        return VS_ERROR_ARGUMENT;
    *out = NULL;
    if (!s)
        return VS_ERROR_ARGUMENT;
    const vs_step_derivative_options defaults = vs_step_derivative_options_default();
    options = options ? options : &defaults;
    vs_error error = check(s, options);
    if (error)
        return error;
    vs_step_derivative *d = vs_allocate(s->context, sizeof *d);
    if (!d)
        return vs_fail_memory(s->context);
    memset(d, 0, sizeof *d);
    d->context = s->context;
    vs_arena_init(&d->arena, s->context);
    error = take(s, options, report, d);
    if (error)
        vs_step_derivative_destroy(d);
    else
        *out = d;
    return error;
}

void vs_step_derivative_destroy(vs_step_derivative *d) {
    if (!d)
        return;
    vs_context *context = d->context;
    for (int64_t k = 0; k < d->part.count; k++)
        vs_step_derivative_destroy(d->part.data[k]);
    VS_ARRAY_RELEASE(context, &d->part);
    vs_projection_derivative_destroy(&d->projection);
    vs_derivative_destroy(d->solution);
    vs_problem_destroy(d->problem);
    vs_arena_release(&d->arena);
    vs_release(context, d);
}

vs_step_derivative_report vs_step_derivative_get_report(const vs_step_derivative *d) {
    return d ? d->report : (vs_step_derivative_report){0};
}

// ---- tangent and adjoint ---------------------------------------------------------------------------

vs_error vs_step_derivative_tangent(const vs_step_derivative *d, const vs_state_direction *before,
                                    const vs_input_direction *input, const vs_state_direction *after,
                                    double *residual) {
    if (!d || !after)
        return VS_ERROR_ARGUMENT;
    return (d->part.count > 0 ? vs_event_chain_tangent : vs_linear_step_tangent)(d, before, input, after, residual);
}

vs_error vs_step_derivative_adjoint(const vs_step_derivative *d, const vs_state_direction *weights,
                                    const vs_state_direction *before, const vs_input_direction *input,
                                    double *residual) {
    if (!d || !weights)
        return VS_ERROR_ARGUMENT;
    return (d->part.count > 0 ? vs_event_chain_adjoint : vs_linear_step_adjoint)(d, weights, before, input, residual);
}
