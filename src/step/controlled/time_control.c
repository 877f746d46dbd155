// Steps of controlled accuracy: see time_control.h.
#include "step/controlled/time_control.h"

#include <math.h>

#include "base/elementary.h"
#include "body/cable/cable.h"
#include "body/joint_coordinate.h"
#include "body/servo/servo.h"
#include "step/scheme/fixed_step.h"
#include "step/controlled/impact_time.h"
#include "step/controlled/rattle.h"
#include "step/account/report.h"
#include "step/controlled/saved_state.h"
#include "step/controlled/time_error.h"

enum {
    // In a step of the simulation:
    TRIALS_MOST = 10000, // chains of 20 bars take 500 with an accuracy of 1e-4 in 50 ms
    EVENTS_MOST = 300,   // impacts and rejected trials; 10 dominoes have 30
    FIXED = 16,          // fixed steps where it has more
    REFINEMENTS = 4      // of the time of an impact
};
static const double ERROR_LEAST = 1e-4; // below, errors are not compared: rounding
static const double SHORTEST = 1e-6;    // of a step of the simulation
static const double ROUNDING = 1e-10;   // of a step of the simulation: nothing is left of it

vs_error vs_time_control_check(const vs_simulation *s) {
    if (s->world->flexible_slots.used > 0)
        return vs_fail(s->context, VS_ERROR_ARGUMENT,
                       "accuracy: the world has flexible bodies, which only fixed steps advance; remove the option");
    if (s->world->mortars > 0)
        return vs_fail(s->context, VS_ERROR_ARGUMENT,
                       "accuracy: the world has mortar, which only fixed steps advance; remove the option");
    if (vs_world_remembers_friction(s->world) || vs_world_has_soft_contacts(s->world))
        return vs_fail(s->context, VS_ERROR_ARGUMENT,
                       "accuracy: a material has %s, which only fixed steps advance; remove the option",
                       vs_world_has_soft_contacts(s->world) ? "stiffness or hertz" : "static_mu");
    if (vs_world_has_servos(s->world))
        return vs_fail(s->context, VS_ERROR_ARGUMENT,
                       "accuracy: the world has servos, which only fixed steps advance; remove the option");
    if (vs_world_has_rope_parts(s->world))
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED,
                       "accuracy: a rope has several rough points, which only fixed steps advance; remove the option");
    if (s->division)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED,
                       "accuracy: a distributed simulation has fixed steps only; remove the option");
    return VS_OK;
}

// A step of the simulation under way.
typedef struct progress {
    double end;          // s
    double h;            // s, of the next trial
    bool settled;        // no impact is due
    int trials, events;  // so far: all, impacts and rejected ones
    int refinements;     // of the present impact's time
    double jump, jumped; // change of velocity of the last rejected trial, and its h; 0: none
} progress;

// ---- the length of a step --------------------------------------------------------------------------

static double clip(double x, double low, double high) {
    return fmin(fmax(x, low), high);
}

// The next trial; no short one is left for the end.
static double choose_length(const vs_simulation *s, const progress *p) {
    const double left = p->end - s->world->time;
    if (p->h >= left * (1 - ROUNDING))
        return left;
    return p->h > .5 * left ? .5 * left : p->h;
}

// After an accepted step of h with the error e; `limited`: something else than the error limited it.
static void lengthen(vs_simulation *s, double h, double e, int order, bool limited) {
    vs_time_control *c = &s->control;
    const double now = fmax(e, ERROR_LEAST), power = 1. / (order + 1);
    const double factor = .9 * vs_pow(now, -.7 * power) * vs_pow(c->last_error, .4 * power);
    c->h = fmax(h * clip(factor, .3, 3), limited ? c->h : 0);
    c->h = fmin(c->h, s->options.step);
    c->last_error = now;
}

// ---- a trial ---------------------------------------------------------------------------------------

static void count_effort(const vs_step_report *from, vs_step_report *to) {
    to->problems = from->problems;
    to->iterations = from->iterations;
    to->factorizations = from->factorizations;
}

static void reject(vs_simulation *s, progress *p, double h) {
    vs_saved_state_restore(s);
    s->control.located.count = 0;
    p->refinements = 0;
    p->h = h;
}

// smooth: the speed counts.
static void accept(vs_simulation *s, progress *p, const vs_time_error *e, bool smooth, vs_step_report *report) {
    vs_joints_remember(s->world);
    report->controlled++;
    report->time_error = fmax(report->time_error, e->position);
    report->time_error_share =
        fmax(report->time_error_share, smooth ? fmax(e->position_share, e->speed_share) : e->position_share);
    if (smooth)
        report->time_error_speed = fmax(report->time_error_speed, e->speed);
    s->control.located.count = 0;
    p->settled = false;
    p->refinements = 0;
    p->jumped = 0;
    p->h = s->control.h;
}

// Is a change of velocity an impact? It does not decrease with the step.
static bool is_shock(const progress *p, const vs_time_error *e, double h) {
    return p->jumped > 0 && h < .75 * p->jumped && e->jump_share > .5 * (1 + h / p->jumped) * p->jump;
}

// The impact of the present state.
static vs_error strike(vs_simulation *s, progress *p, vs_step_report *report) {
    vs_saved_state_restore(s);
    vs_error error = vs_rattle_impact(s, report);
    report->events++;
    p->settled = true;
    p->jumped = 0;
    return error;
}

// Accepts or rejects a complete trial. A shock without contacts comes from velocities that joints do not admit, at the start,
// after fixed steps, or where a motor's target jumps: they become admissible by an impact.
static vs_error evaluate(vs_simulation *s, progress *p, double h, const vs_rattle_trial *trial,
                         const vs_step_report *attempt, vs_step_report *report) {
    vs_time_error e = vs_time_error_estimate(s, h);
    e.position_share = fmax(e.position_share, trial->overlap);
    const bool shock = is_shock(p, &e, h), closes = trial->closes || (shock && trial->presses);
    const bool smooth = !closes && !trial->recovers;
    const double error = smooth ? fmax(e.position_share, e.speed_share) : e.position_share;
    const int order = !smooth ? 0 : trial->changes ? 1 : 2;
    if (error <= 1) {
        lengthen(s, h, error, order, h < s->control.h);
        *report = *attempt;
        report->events += closes;
        accept(s, p, &e, smooth, report);
        return s->solved.flown ? s->solved.flown(s, h, trial->presses, s->solved.user) : VS_OK;
    }
    count_effort(attempt, report);
    report->rejected++;
    if (shock && !p->settled && !trial->presses) {
        s->control.located.count = 0;
        return strike(s, p, report);
    }
    p->jump = e.jump_share, p->jumped = h;
    s->control.h = h * clip(.9 * vs_pow(error, -1. / (order + 1)), .1, .7);
    reject(s, p, s->control.h);
    return VS_OK;
}

// Finds the time of an impact, and shortens the next trial to it.
static vs_error locate(vs_simulation *s, progress *p, double h, vs_step_report *report) {
    double time;
    vs_saved_state_restore(s);
    vs_error error = vs_impact_time_find(s, h, &time, report);
    p->h = time;
    report->rejected++;
    return error;
}

static vs_error try(vs_simulation *s, progress *p, vs_step_report *report) {
    const double h = choose_length(s, p);
    vs_step_report attempt = *report;
    vs_rattle_trial trial;
    vs_error error = vs_saved_state_take(s);
    if (!error)
        error = vs_rattle_try(s, h, p->settled, &trial, &attempt);
    p->trials++;
    if (error)
        return error;
    if (trial.struck)
        return strike(s, p, report);
    if (trial.strikes) {
        count_effort(&attempt, report);
        return locate(s, p, h, report);
    }
    if (trial.passes <= 1) {
        count_effort(&attempt, report);
        report->rejected++;
        reject(s, p, trial.passes * h);
        return VS_OK;
    }
    const bool deep = trial.deepest > 0 && p->refinements < REFINEMENTS && trial.shorter < .9 * h;
    if (!trial.failed && !deep && !trial.sunk)
        return evaluate(s, p, h, &trial, &attempt, report);
    count_effort(&attempt, report);
    report->rejected++;
    if (trial.failed) {
        reject(s, p, .5 * h);
        s->control.h = p->h;
    } else {
        p->refinements++;
        vs_saved_state_restore(s);
        p->h = deep ? h - trial.shorter : .5 * h;
    }
    return VS_OK;
}

// ---- fixed steps -----------------------------------------------------------------------------------

static vs_error take_fixed(vs_simulation *s, double end, vs_step_report *report) {
    const double left = end - s->world->time;
    const int count = (int)ceil(left / s->options.step * FIXED);
    vs_error error = VS_OK;
    vs_impulse_memory_scale(&s->memory, left / count / s->options.step);
    for (int k = 0; k < count && !error; k++) {
        const vs_status status = report->status;
        vs_world_drive(s->world, left / count);
        s->kick = vs_kick_over(s->world, left / count);
        vs_kick_update_gravity(&s->kick, s->world);
        error = vs_fixed_step(s, NULL, report);
        if (status != VS_STATUS_CONVERGED)
            report->status = status;
        s->world->time += left / count;
        vs_joints_remember(s->world);
        report->forced++;
    }
    vs_impulse_memory_scale(&s->memory, s->options.step * count / left);
    return error;
}

// ---- all -------------------------------------------------------------------------------------------

vs_error vs_time_control_step(vs_simulation *s, vs_step_report *report) {
    const double step = s->options.step, shortest = SHORTEST * step;
    progress p = {.end = s->world->time + step};
    vs_error error = vs_time_error_prepare(s);
    if (!(s->control.h > 0))
        s->control.h = step;
    p.h = s->control.h;
    s->control.located.count = s->control.struck.count = 0;
    while (!error && p.end - s->world->time > ROUNDING * step) {
        const double least =
            s->control.located.count > 0 ? ROUNDING * step : shortest; // the last part before an impact
        if (p.events > EVENTS_MOST || p.trials > TRIALS_MOST || !(p.h >= least)) {
            report->forced_text = p.events > EVENTS_MOST   ? "more than 300 impacts and rejected trials in a step"
                                  : p.trials > TRIALS_MOST ? "more than 10000 trials in a step"
                                                           : "the error does not decrease with the step";
            s->control.h = step / FIXED;
            return take_fixed(s, p.end, report);
        }
        const int before = report->events + report->rejected;
        error = try(s, &p, report);
        p.events += report->events + report->rejected > before;
    }
    if (!error)
        vs_report_contacts(s, report);
    return error;
}
