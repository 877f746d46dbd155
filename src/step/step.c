// One step of a simulation: callbacks, a fixed step or steps of controlled accuracy, sums of energy, observers.
#include "base/clock.h"
#include "body/period.h"
#include "step/account/energy_account.h"
#include "step/account/events.h"
#include "step/scheme/fixed_step.h"
#include "step/gate/passage.h"
#include "step/account/outcome.h"
#include "step/account/report.h"
#include "step/account/report_fields.h"
#include "step/account/sensor_steps.h"
#include "step/account/servo_force.h"
#include "step/scheme/shake.h"
#include "step/controlled/time_control.h"

// Bodies may have been added since the last one.
static vs_error check_scheme(const vs_simulation *s) {
    if (vs_world_repeats(s->world) && (s->options.accuracy > 0 || s->options.scheme != VS_SCHEME_MOREAU))
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED,
                       "a world with a period has steps of constant length by the scheme moreau only");
    return s->options.accuracy > 0 ? vs_time_control_check(s) : VS_OK;
}

// Of several reasons the first one counts.
static void end_run(vs_simulation *s, bool over, vs_run_end reason) {
    if (over && s->end == VS_RUN_CONTINUES)
        s->end = reason;
}

// Stop conditions and observers.
static vs_error watch(vs_simulation *s, const vs_step_report *report) {
    bool met = false;
    vs_error error = s->division ? VS_OK : vs_watch_update(s->watch, s, &met);
    if (!error)
        error = vs_observers_take(&s->observers, report);
    end_run(s, met, VS_RUN_CONDITION);
    if (!error && s->options.after)
        end_run(s, !s->options.after(s->options.user, s->world, report), VS_RUN_CALLBACK);
    return error;
}

static vs_error advance(vs_simulation *s, vs_energy *before, vs_step_report *report) {
    if (s->options.accuracy > 0) {
        *before = vs_world_get_energy(s->world);
        return vs_time_control_step(s, report);
    }
    vs_world_drive(s->world, s->options.step);
    s->kick = s->options.scheme == VS_SCHEME_SHAKE ? vs_shake_kick(s) : vs_kick_over(s->world, s->options.step);
    vs_kick_update_gravity(&s->kick, s->world);
    return vs_fixed_step(s, before, report);
}

static vs_error take_step(vs_simulation *s, vs_step_report *out) {
    vs_step_report report = {.step = s->steps + 1, .restitution_factor = 1};
    double begin = vs_clock(), time = s->world->time;
    if (s->options.before && !s->options.before(s->options.user, s->world)) {
        end_run(s, true, VS_RUN_CALLBACK);
        return VS_OK;
    }
    vs_energy before;
    s->contacts_unknown = true;
    s->events.event.count = 0;
    vs_sensor_steps_begin(s);
    vs_error error = vs_gates_act(s->world, s->options.step);
    if (!error)
        error = advance(s, &before, &report);
    if (error)
        return error;
    s->contacts_unknown = false;
    s->world->time = time;
    vs_world_finish_step(s->world, s->options.step);
    s->steps++;
    report.time = s->world->time;
    report.contacts = vs_step_contacts_count(&s->contacts);
    report.energy = vs_world_get_energy(s->world);
    vs_energy_account_close(&before, &report);
    if (s->division)
        vs_report_combine(s->division->space, &report);
    else
        vs_report_created(s, &before, &report);
    if (report.status != VS_STATUS_CONVERGED) {
        s->inaccurate++;
        end_run(s, s->options.on_inaccurate == VS_INACCURATE_STOP, VS_RUN_INACCURATE);
    }
    vs_energy_flow_add(&s->flow, &report.flow);
    report.total = s->flow;
    vs_energy_account_compare(s, &report);
    report.seconds_total = vs_clock() - begin;
    if (out)
        *out = report;
    vs_servo_forces_measure(s);
    error = vs_sensor_steps_end(s);
    if (!error)
        error = vs_events_find(s);
    return error ? error : watch(s, &report);
}

vs_error vs_simulation_step(vs_simulation *s, vs_step_report *out) {
    if (!s)
        return VS_ERROR_ARGUMENT;
    vs_error error = vs_simulation_check_idle(s, "vs_simulation_step");
    if (!error)
        error = check_scheme(s);
    if (error)
        return error;
    s->stepping = true;
    error = take_step(s, out);
    if (error)
        s->contacts_unknown = true, s->events.event.count = 0;
    s->stepping = false;
    return error;
}
