// What `voussoir run` shows: progress while it runs, the summary at its end, and the summary as JSON.
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/clock.h"
#include "cli/message.h"
#include "cli/report.h"
#include "run/run.h"
#include "voussoir/voussoir.h"

// ---- sums ------------------------------------------------------------------------------------------

static double larger(double a, double b) {
    return a > b ? a : b;
}

void app_run_add(app_run_totals *t, const vs_step_report *r) {
    t->steps++;
    if (r->status != VS_STATUS_CONVERGED) {
        if (t->inaccurate < APP_RUN_LISTED)
            t->listed[t->inaccurate] = r->step;
        t->inaccurate++;
    }
    t->iterations += r->iterations;
    t->factorizations += r->factorizations;
    t->contacts += r->contacts;
    t->contacts_most = r->contacts > t->contacts_most ? r->contacts : t->contacts_most;
    const double relative = r->energy_scale > 0 ? sqrt(r->energy_error / r->energy_scale) : 0;
    if (relative > t->relative_error) {
        t->relative_error = relative;
        t->worst = r->step;
    }
    t->energy_error = larger(t->energy_error, r->energy_error);
    t->penetration = larger(t->penetration, r->penetration);
    t->drift = larger(t->drift, r->joint_drift);
    t->dissipation += r->dissipation;
    t->work += r->work;
    t->prescribed += r->work_prescribed;
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

// ---- progress --------------------------------------------------------------------------------------

enum { LINE = 110, BAR = 20 };

// "12 s", "3 min", "2.5 h"
static void format_rest(double seconds, char text[24]) {
    if (!(seconds >= 0 && seconds < 1e9))
        (void)snprintf(text, 24, "?");
    else if (seconds < 100)
        (void)snprintf(text, 24, "%.0f s", seconds);
    else if (seconds < 6000)
        (void)snprintf(text, 24, "%.0f min", seconds / 60);
    else
        (void)snprintf(text, 24, "%.1f h", seconds / 3600);
}

static void show_line(const app_run_progress *p, const vs_step_report *r, double elapsed, bool bar) {
    const double done = p->end > p->begin ? (r->time - p->begin) / (p->end - p->begin) : 1;
    const double factor = elapsed > 0 ? (r->time - p->begin) / elapsed : 0;
    const int filled = done < 0 ? 0 : done > 1 ? BAR : (int)(BAR * done);
    char rest[24], line[LINE + 60], bars[BAR + 4] = "";
    format_rest(done > 0 ? elapsed * (1 - done) / done : NAN, rest);
    if (bar) {
        memset(bars, '.', BAR + 1);
        memset(bars, '#', (size_t)filled + 1);
        bars[0] = '[';
        memcpy(bars + BAR + 1, "] ", 3);
    }
    (void)snprintf(line, sizeof line,
                   "%s%3.0f %%  step %" PRId64 "  %.3f s  %d contacts  %d it  error %.0e J  %.2g x real time  %s left",
                   bars, 100 * done, r->step, r->time, r->contacts, r->iterations, r->energy_error, factor, rest);
    if (bar)
        (void)fprintf(stderr, "\r%-*.*s", LINE, LINE, line);
    else
        (void)fprintf(stderr, "%s\n", line);
    (void)fflush(stderr);
}

// Five times a second on a terminal; a line every ten seconds elsewhere.
void app_run_show(app_run_progress *p, const vs_step_report *r) {
    const double t = app_now();
    if (p->quiet || t - p->last < (p->terminal ? .2 : 10))
        return;
    show_line(p, r, t - p->start, p->terminal);
    p->last = t;
    p->shown = p->terminal;
}

void app_run_clear(app_run_progress *p) {
    if (p->shown)
        (void)fprintf(stderr, "\r%*s\r", LINE, "");
    p->shown = false;
}

// ---- the summary -----------------------------------------------------------------------------------

static void label(const char *name) {
    printf("  %-16s", name);
}

static void show_division(const vs_division_info *d, const app_run_totals *t) {
    label("ranks");
    printf("%d; %d … %d bodies and %d … %d contacts each at the end, %" PRId64 " copies of bodies\n", d->ranks,
           d->bodies_least, d->bodies_most, d->contacts_least, d->contacts_most, d->ghosts);
    label("");
    printf("%" PRId64 " times balanced, %" PRId64 " moves of bodies, %.3g bytes of states a step\n", d->balanced,
           d->moved, (double)d->bytes / (double)(t->steps > 0 ? t->steps : 1));
}

static void show_accuracy(const app_run_totals *t) {
    label("inaccurate");
    if (t->inaccurate == 0) {
        printf("no step: all met the tolerance\n");
    } else {
        printf("%" PRId64 " of %" PRId64 " steps missed the tolerance:", t->inaccurate, t->steps);
        for (int k = 0; k < APP_RUN_LISTED && k < t->inaccurate; k++)
            printf(" %" PRId64, t->listed[k]);
        printf("%s\n", t->inaccurate > APP_RUN_LISTED ? " …" : "");
    }
    label("energy error");
    printf("%.2e J at most; relative to e0, its root: %.1e", t->energy_error, t->relative_error);
    if (t->worst > 0)
        printf(" (step %" PRId64 ")", t->worst);
    printf("\n");
    label("penetration");
    printf("%.2e m at most\n", t->penetration);
    label("joint drift");
    printf("%.2e m at most\n", t->drift);
}

static void show_energy(const app_run_totals *t) {
    label("energy");
    printf("%.6g J at the start, %.6g J at the end (kinetic %.3g J)\n", t->begin.kinetic + t->begin.potential,
           t->end.kinetic + t->end.potential, t->end.kinetic);
    label("");
    printf("%.3g J dissipated, %.3g J done by loads, motors and driven motion, %.3g J lost to time steps\n",
           t->dissipation, t->work,
           t->begin.kinetic + t->begin.potential + t->work - t->dissipation - t->end.kinetic - t->end.potential);
}

static void show_inverted(const app_run_totals *t, double h) {
    if (t->inverted_first == 0)
        return;
    label("inside out");
    printf("%d element%s at most, first in step %" PRId64 " (%.4g s): what comes after is not to be trusted\n",
           t->inverted, t->inverted == 1 ? "" : "s", t->inverted_first, h * (double)t->inverted_first);
    label("");
    printf("try a finer or more even mesh there, 10 nodes, \"law\": \"neo-hookean\", a smaller step or "
           "--elastic-iterations 20\n");
}

static void show_times(const app_run_summary *ran) {
    const app_run_totals *t = ran->totals;
    char text[4][16];
    app_format_seconds(t->collide, text[0]);
    app_format_seconds(t->assemble, text[1]);
    app_format_seconds(t->solve, text[2]);
    app_format_seconds(ran->wall, text[3]);
    label("time");
    printf("collide %s, assemble %s, solve %s, total %s", text[0], text[1], text[2], text[3]);
    if (ran->wall > 0 && t->steps > 0)
        printf("; %.3g times real time", (ran->time - (double)t->first * ran->scene->options.step) / ran->wall);
    printf("\n");
}

void app_run_report(const app_run_summary *ran) {
    if (!ran->scene)
        return;
    const app_run_totals *t = ran->totals;
    const vs_simulation_options *o = &ran->scene->options;
    printf("%s: %s at %.6g s of %.6g s\n", ran->scene->name, ran->status, ran->time, ran->duration);
    label("world");
    printf("%d bod%s, %d joint%s; %s friction, tolerance %.0e\n", ran->bodies, ran->bodies == 1 ? "y" : "ies",
           ran->joints, ran->joints == 1 ? "" : "s", vs_model_name(o->solver.model), o->solver.tolerance);
    label("steps");
    printf("%" PRId64 " of %.6g s", t->steps, o->step);
    if (t->first > 0)
        printf(" after %" PRId64 " of an earlier run", t->first);
    if (t->steps > 0)
        printf("; %.1f contacts (at most %d) and %.1f iterations a step", (double)t->contacts / (double)t->steps,
               t->contacts_most, (double)t->iterations / (double)t->steps);
    printf("\n");
    if (ran->divided)
        show_division(&ran->division, t);
    show_accuracy(t);
    show_energy(t);
    show_inverted(t, o->step);
    show_times(ran);
    if (ran->options->output && ran->frames > 0) {
        label("written to");
        printf("%s (%" PRId64 " frame%s)\n", ran->options->output, ran->frames, ran->frames == 1 ? "" : "s");
    }
    if (ran->checkpoint) {
        label("checkpoint");
        printf("%s\n", ran->options->checkpoint);
    }
    if (ran->options->capture_every > 0) {
        label("captured");
        printf("%" PRId64 " contact problem%s\n", ran->captured, ran->captured == 1 ? "" : "s");
    }
}

// ---- JSON ------------------------------------------------------------------------------------------

// Takes the value over; what does not exist (NaN, null) is null.
static void put(json_t *object, const char *key, json_t *value) {
    (void)json_object_set_new(object, key, value ? value : json_null());
}

static json_t *number(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *text(const char *s) {
    return s ? json_string(s) : json_null();
}

static json_t *energy_object(const vs_energy *e) {
    json_t *o = json_object();
    put(o, "kinetic", number(e->kinetic));
    put(o, "potential", number(e->potential));
    return o;
}

static void put_totals(json_t *o, const app_run_totals *t) {
    put(o, "steps_before", json_integer(t->first));
    put(o, "steps", json_integer(t->steps));
    put(o, "inaccurate_steps", json_integer(t->inaccurate));
    put(o, "contacts_max", json_integer(t->contacts_most));
    put(o, "contacts_mean", number(t->steps > 0 ? (double)t->contacts / (double)t->steps : 0));
    put(o, "iterations", json_integer(t->iterations));
    put(o, "factorizations", json_integer(t->factorizations));
    put(o, "energy_error_max_J", number(t->energy_error));
    put(o, "relative_error_max", number(t->relative_error));
    put(o, "worst_step", json_integer(t->worst));
    put(o, "penetration_max_m", number(t->penetration));
    put(o, "joint_drift_max_m", number(t->drift));
    put(o, "energy_begin_J", energy_object(&t->begin));
    put(o, "energy_end_J", energy_object(&t->end));
    put(o, "dissipation_J", number(t->dissipation));
    put(o, "work_J", number(t->work));
    put(o, "work_prescribed_J", number(t->prescribed));
    put(o, "inverted_elements_max", json_integer(t->inverted));
    put(o, "inverted_first_step", json_integer(t->inverted_first));
}

static json_t *division_object(const vs_division_info *d) {
    json_t *o = json_object();
    put(o, "count", json_integer(d->ranks));
    put(o, "bodies_min", json_integer(d->bodies_least));
    put(o, "bodies_max", json_integer(d->bodies_most));
    put(o, "contacts_min", json_integer(d->contacts_least));
    put(o, "contacts_max", json_integer(d->contacts_most));
    put(o, "ghosts", json_integer(d->ghosts));
    put(o, "moved", json_integer(d->moved));
    put(o, "balanced", json_integer(d->balanced));
    put(o, "bytes", json_integer(d->bytes));
    return o;
}

static void put_scene(json_t *o, const app_run_summary *ran) {
    const app_run_totals *t = ran->totals;
    put(o, "scene", text(ran->scene->name));
    put(o, "bodies", json_integer(ran->bodies));
    put(o, "joints", json_integer(ran->joints));
    put(o, "model", text(vs_model_name(ran->scene->options.solver.model)));
    put(o, "tolerance", number(ran->scene->options.solver.tolerance));
    put(o, "step_s", number(ran->scene->options.step));
    put(o, "duration_s", number(ran->duration));
    put(o, "time_s", number(ran->time));
    put_totals(o, t);
    if (ran->divided)
        put(o, "ranks", division_object(&ran->division));
    json_t *times = json_object();
    put(times, "collide", number(t->collide));
    put(times, "assemble", number(t->assemble));
    put(times, "solve", number(t->solve));
    put(times, "steps", number(t->total));
    put(times, "total", number(ran->wall));
    put(o, "times_s", times);
    char hash[20];
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, ran->hash);
    put(o, "hash", text(hash));
    put(o, "output", text(ran->frames > 0 ? ran->options->output : NULL));
    put(o, "frames", json_integer(ran->frames));
    put(o, "checkpoint", text(ran->checkpoint ? ran->options->checkpoint : NULL));
    put(o, "captured", json_integer(ran->captured));
}

bool app_run_json(const app_run_summary *ran) {
    json_t *o = json_object();
    put(o, "voussoir", json_string(vs_version()));
    put(o, "status", text(ran->status));
    if (ran->scene)
        put_scene(o, ran);
    put(o, "error", text(ran->error));
    put(o, "exit_code", json_integer(ran->exit_code));
    const bool good = o && json_dumpf(o, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) == 0 && putchar('\n') != EOF;
    json_decref(o);
    if (!good)
        app_complain("the JSON could not be written; check standard output and memory");
    return good;
}
