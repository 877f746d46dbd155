// The report of `voussoir run`.
#include "run/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/report.h"
#include "run/damage.h"
#include "run/outcome.h"
#include "run/summary.h"
#include "run/totals.h"

// Of a total that counts.
static int64_t count(double total) {
    return (int64_t)total;
}

static void show_division(const vs_division_info *d, const app_run_totals *t) {
    app_report_name("ranks");
    printf("%d; %d to %d bodies and %d to %d contacts per rank at the end, %" PRId64 " ghost bodies\n", d->ranks,
           d->bodies_least, d->bodies_most, d->contacts_least, d->contacts_most, d->ghosts);
    app_report_name("");
    printf("rebalanced %" PRId64 " times, %" PRId64 " bodies migrated, %.3g bytes of states per step\n", d->balanced,
           d->moved, (double)d->bytes / (double)(t->steps > 0 ? t->steps : 1));
}

// Whether record k would be reported as an earlier one, as when one accelerogram moves several supports.
static bool is_repeated(const vs_scene *scene, int k) {
    const vs_record *r = scene->record[k].record;
    for (int j = 0; j < k; j++) {
        const vs_record *q = scene->record[j].record;
        if (strcmp(scene->record[j].path, scene->record[k].path) == 0 &&
            scene->record[j].integrated == scene->record[k].integrated && q->samples == r->samples &&
            q->begin == r->begin && q->end == r->end && q->peak == r->peak && q->removed[0] == r->removed[0] &&
            q->removed[1] == r->removed[1] && q->peak_integral == r->peak_integral &&
            q->peak_double_integral == r->peak_double_integral)
            return true;
    }
    return false;
}

// Functions of time that were read from files, and what was done to accelerations.
static void show_records(const vs_scene *scene) {
    for (int k = 0; k < scene->records; k++) {
        const vs_record *r = scene->record[k].record;
        if (is_repeated(scene, k))
            continue;
        app_report_name(k == 0 ? "records" : "");
        printf("%s: %d samples from %.4g to %.4g s, at most %.4g", scene->record[k].path, r->samples, r->begin, r->end,
               r->peak);
        if (scene->record[k].integrated)
            printf("; baseline %.3g %+.3g t m/s^2 removed, at most %.3g m/s and %.3g m", r->removed[0], r->removed[1],
                   r->peak_integral, r->peak_double_integral);
        printf("\n");
    }
}

static void show_gates(const vs_world *world) {
    double energy = 0;
    const int gates = vs_world_get_gate_count(world);
    for (int k = 0; k < gates; k++) {
        vs_gate_view g;
        if (vs_world_get_gate_at(world, k, &g) != VS_OK)
            continue;
        app_report_name(g.sink ? "sink" : "factory");
        printf("%s%s%" PRId64 " bod%s, %.4g kg %s", g.name, *g.name ? ": " : "", g.bodies, g.bodies == 1 ? "y" : "ies",
               g.mass, g.sink ? "taken" : "brought");
        if (g.waiting > 0)
            printf("; %" PRId64 " wait%s for room", g.waiting, g.waiting == 1 ? "s" : "");
        printf("\n");
        energy += g.energy;
    }
    if (gates > 0) {
        app_report_name("");
        printf("together they brought %.3g J, which no term of the energy balance contains\n", energy);
    }
}

static void show_accuracy(const app_run_totals *t) {
    app_report_name("inaccurate steps");
    if (t->of.inaccurate == 0) {
        printf("none: all steps met the tolerance\n");
    } else {
        printf("%" PRId64 " of %" PRId64 " missed the tolerance:", t->of.inaccurate, t->first + t->steps);
        for (int k = 0; k < APP_RUN_LISTED && k < t->of.inaccurate; k++)
            if (t->listed[k] > 0)
                printf(" %" PRId64, t->listed[k]);
        printf("%s\n", t->of.inaccurate > APP_RUN_LISTED ? " …" : "");
    }
    if (APP_TOTAL_OF(t, loose_contacts)->steps > 0) {
        app_report_name("granular islands");
        printf("solved to %.0e (docs/howto/certificate.md): %" PRId64 " of %" PRId64 " steps, at most %" PRId64
               " contacts\n",
               APP_TOTAL(t, loose_tolerance), APP_TOTAL_OF(t, loose_contacts)->steps, t->of.steps,
               count(APP_TOTAL(t, loose_contacts)));
        app_report_name("");
        printf("other islands: relative error at most %.1e\n", APP_TOTAL(t, strict_error));
    }
    app_report_name("energy error");
    printf("%.2e J (maximum); relative: %.1e", APP_TOTAL(t, energy_error), APP_TOTAL(t, relative_error));
    if (APP_TOTAL_OF(t, relative_error)->worst > 0)
        printf(" (step %" PRId64 ")", APP_TOTAL_OF(t, relative_error)->worst);
    printf("\n");
    app_report_name("work error");
    printf("%.2e J (maximum)\n", APP_TOTAL(t, work_error));
    app_report_name("penetration");
    printf("%.2e m (maximum)\n", APP_TOTAL(t, penetration));
    app_report_name("constraint drift");
    printf("%.2e m (maximum)\n", APP_TOTAL(t, joint_drift));
}

static void show_time_error(const app_run_totals *t, double accuracy) {
    if (!(accuracy > 0))
        return;
    app_report_name("time error");
    printf("%.2e m and %.2e m/s (maximum of an accepted step's estimate), %.2g of the accuracy %g\n",
           APP_TOTAL(t, time_error), APP_TOTAL(t, time_error_speed), APP_TOTAL(t, time_error_share), accuracy);
    app_report_name("");
    printf("%" PRId64 " controlled steps, %" PRId64 " rejected, %" PRId64 " events, %" PRId64 " contact problems\n",
           count(APP_TOTAL(t, controlled)), count(APP_TOTAL(t, rejected)), count(APP_TOTAL(t, events)),
           count(APP_TOTAL(t, problems)));
    if (count(APP_TOTAL(t, forced)) == 0)
        return;
    app_report_name("");
    printf("%" PRId64 " forced steps of fixed length, first in step %" PRId64 ": %s\n", count(APP_TOTAL(t, forced)),
           APP_TOTAL_OF(t, forced)->first, t->forced_text);
}

// Energies below the error of the work of one step are not known: 0.
static double above(double x, double floor) {
    return fabs(x) > floor ? x : 0;
}

// The sum of one side of the balance and those of its terms that are not 0: "2 J done on the bodies (1.5 J loads, 0.5 J motors)".
static void show_side(const app_run_totals *t, vs_energy_side side, double sum, const char *what) {
    const vs_energy_flow flow = vs_report_totals_get_flow(&t->of);
    const double floor = APP_TOTAL(t, work_error);
    const char *before = " (";
    printf("%.3g J %s", above(sum, floor), what);
    for (int k = 0; k < vs_energy_term_count(); k++) {
        const vs_energy_term term = vs_energy_term_at(k);
        const double value = vs_energy_term_value(k, &flow);
        if (term.side == side && above(value, floor) != 0) {
            printf("%s%.3g J %s", before, value, term.label);
            before = ", ";
        }
    }
    printf("%s\n", before[0] == ',' ? ")" : "");
}

// Terms that are 0 above although they are not, where steps have missed the tolerance by an energy that counts.
static void show_unknown(const app_run_totals *t, double energy) {
    static const double COUNTS = 1e-6; // of the energy of the world
    const double floor = APP_TOTAL(t, work_error);
    const double sum[] = {APP_TOTAL(t, work), APP_TOTAL(t, dissipation), APP_TOTAL(t, flow.discretization)};
    double hidden = 0;
    for (int k = 0; k < 3; k++)
        hidden = fmax(hidden, fabs(sum[k]) > floor ? 0 : fabs(sum[k]));
    if (t->of.inaccurate == 0 || !(hidden > 0) || !(floor > COUNTS * energy))
        return;
    app_report_name("");
    printf("terms below the work error, %.3g J, are shown as 0, the largest has %.3g J: inaccurate steps took or gave "
           "it\n",
           floor, hidden);
}

static void show_energy(const app_run_totals *t) {
    const double begin = t->begin.kinetic + t->begin.potential, end = t->end.kinetic + t->end.potential;
    app_report_name("energy");
    printf("%.6g J at the start, %.6g J at the end (%.3g J kinetic, %.3g J elastic); change %.3g J:\n", begin, end,
           t->end.kinetic, t->end.elastic, end - begin);
    app_report_name("  work");
    show_side(t, VS_ENERGY_WORK, APP_TOTAL(t, work), "done on the bodies");
    app_report_name("  dissipation");
    show_side(t, VS_ENERGY_DISSIPATION, APP_TOTAL(t, dissipation), "dissipated");
    app_report_name("  discretization");
    printf("%.3g J added (< 0: removed) by the time discretization\n",
           above(APP_TOTAL(t, flow.discretization), APP_TOTAL(t, work_error)));
    show_unknown(t, fmax(fabs(begin), fabs(end)));
}

// Motion that the steps do not resolve, where nothing else would tell: a few percent are usual where bodies collide.
static void show_balance(const app_run_totals *t, const vs_simulation_options *o) {
    const bool quasi_static = o->scheme == VS_SCHEME_QUASI_STATIC;
    const int64_t unbalanced = count(APP_TOTAL(t, unbalanced)), first = APP_TOTAL_OF(t, unbalanced)->first;
    if (APP_TOTAL(t, discretization_share) > APP_RUN_COARSE && !quasi_static) {
        app_report_name("");
        printf("%.2g %% of the energies exchanged: the steps are too long for this motion; use a smaller --step%s\n",
               100 * APP_TOTAL(t, discretization_share), o->scheme == VS_SCHEME_MOREAU ? " or --scheme shake" : "");
    }
    if (unbalanced > 0 && !quasi_static) {
        app_report_name("unbalanced steps");
        printf("%" PRId64 " of %" PRId64 " created more than 1 %% of their energy, first step %" PRId64
               " (%.4g s): do not trust what follows; use a smaller --step\n",
               unbalanced, t->first + t->steps, first, o->step * (double)first);
    }
}

// What the scheme did to the motion: forces that are left over would have accelerated the bodies.
static void show_quasi_static(const app_run_totals *t, const vs_simulation_options *o) {
    if (o->scheme != VS_SCHEME_QUASI_STATIC)
        return;
    app_report_name("quasi-static");
    printf("motion removed before every step, %.3g J in all, counted with dampers\n", APP_TOTAL(t, flow.dampers));
    app_report_name("");
    printf("forces out of balance by at most %.3g N (step %" PRId64 ")\n", t->momentum / o->step, t->momentum_step);
}

static void show_restitution(const app_run_totals *t) {
    const vs_report_total *factor = APP_TOTAL_OF(t, restitution_factor);
    if (factor->steps == 0)
        return;
    app_report_name("restitution");
    printf("reduced in %" PRId64 " step%s, at most to %.3g of its value: impacts would have created energy\n",
           factor->steps, factor->steps == 1 ? "" : "s", factor->value);
}

static void show_bonds(const app_run_totals *t, double h) {
    static const double LONGEST = .05; // vs_step_report
    const int64_t bonds = count(APP_TOTAL(t, bonds)), broken = count(APP_TOTAL(t, broken));
    const double growth = APP_TOTAL(t, bond_step);
    if (bonds == 0 && broken == 0)
        return;
    app_report_name("bonds");
    printf("%" PRId64 " of mortar intact, %" PRId64 " broken", bonds, broken);
    if (broken > 0)
        printf(", the first at %.4g s", h * (double)APP_TOTAL_OF(t, broken)->first);
    printf("\n");
    if (!(growth > LONGEST))
        return;
    app_report_name("");
    printf("a bond weakened by %.2g of its strength within a step: fracture energies need steps %.0f times shorter\n",
           growth, ceil(growth / LONGEST));
}

static void show_held(const app_run_totals *t, double h) {
    const int64_t held = count(APP_TOTAL(t, held)), first = APP_TOTAL_OF(t, held)->first;
    if (held == 0)
        return;
    app_report_name("held bodies");
    printf("%" PRId64
           " time%s a body stopped within a step that would have passed through another, first in step %" PRId64
           " (%.4g s): it lost the rest of that motion\n",
           held, held == 1 ? "" : "s", first, h * (double)first);
    app_report_name("");
    printf("try a smaller step\n");
}

static void show_inverted(const app_run_totals *t, double h) {
    const int64_t inverted = count(APP_TOTAL(t, inverted)), first = APP_TOTAL_OF(t, inverted)->first;
    if (inverted == 0)
        return;
    app_report_name("inverted elements");
    printf("at most %" PRId64 " element%s, first in step %" PRId64 " (%.4g s): results after that are unreliable\n",
           inverted, inverted == 1 ? "" : "s", first, h * (double)first);
    app_report_name("");
    printf("try a finer or more regular mesh, 10-node elements, \"law\": \"neo-hookean\", a smaller step or "
           "--elastic-iterations 20\n");
}

static void show_times(const app_run_summary *ran) {
    const app_run_totals *t = ran->totals;
    char text[4][16];
    app_format_seconds(APP_TOTAL(t, seconds_collide), text[0]);
    app_format_seconds(APP_TOTAL(t, seconds_assemble), text[1]);
    app_format_seconds(APP_TOTAL(t, seconds_solve), text[2]);
    app_format_seconds(ran->wall, text[3]);
    app_report_name("time");
    printf("collide %s, assemble %s, solve %s, total %s", text[0], text[1], text[2], text[3]);
    if (ran->wall > 0 && t->steps > 0)
        printf("; %.3g x real time", (ran->time - (double)t->first * ran->scene->options.step) / ran->wall);
    printf("\n");
    if (t->steps == 0)
        return;
    app_format_seconds(ran->times.median, text[0]);
    app_format_seconds(ran->times.p99, text[1]);
    app_format_seconds(ran->times.worst, text[2]);
    app_report_name("time per step");
    printf("median %s, 99 %% below %s, worst %s (step %" PRId64 ")\n", text[0], text[1], text[2],
           t->first + ran->times.worst_step);
}

void app_run_report(const app_run_summary *ran) {
    // What was not begun has no results: the message tells why.
    if (!ran->scene || (ran->error && ran->totals->steps == 0))
        return;
    const app_run_totals *t = ran->totals;
    const vs_simulation_options *o = &ran->scene->options;
    printf("%s: %s at %.6g s of %.6g s%s%s\n", ran->scene->name, ran->status, ran->time, ran->duration,
           ran->outcome.stop[0] ? ": " : "", ran->outcome.stop);
    app_report_name("world");
    printf("%d bod%s, %d joint%s; %s friction, tolerance ", ran->bodies, ran->bodies == 1 ? "y" : "ies", ran->joints,
           ran->joints == 1 ? "" : "s", vs_model_name(o->solver.model));
    printf(o->solver.tolerance > 0 ? "%.0e\n" : "auto\n", o->solver.tolerance);
    app_report_name("steps");
    printf("%" PRId64 " of %.6g s", t->steps, o->step);
    if (t->first > 0)
        printf(" after %" PRId64 " of a previous run", t->first);
    if (t->of.steps > 0)
        printf("; %.1f contacts (at most %d) and %.1f iterations per step",
               APP_TOTAL_OF(t, contacts)->sum / (double)t->of.steps, (int)APP_TOTAL(t, contacts),
               APP_TOTAL(t, iterations) / (double)t->of.steps);
    printf("\n");
    if (t->of.steps < t->first + t->steps) {
        app_report_name("");
        printf("sums and maxima without the %" PRId64 " steps before the checkpoint, which does not have them\n",
               t->first + t->steps - t->of.steps);
    }
    show_records(ran->scene);
    show_gates(ran->scene->world);
    app_run_outcome_report(&ran->outcome);
    if (ran->damage)
        app_damage_report(ran->damage, ran->scene->world, ran->options->damage);
    if (ran->divided)
        show_division(&ran->division, t);
    show_accuracy(t);
    show_time_error(t, o->accuracy);
    show_energy(t);
    show_balance(t, o);
    show_quasi_static(t, o);
    show_restitution(t);
    show_bonds(t, o->step);
    show_held(t, o->step);
    show_inverted(t, o->step);
    show_times(ran);
    if (ran->recorded && ran->frames > 0) {
        app_report_name("written to");
        printf("%s (%" PRId64 " frame%s)\n", ran->options->output, ran->frames, ran->frames == 1 ? "" : "s");
    }
    if (ran->checkpoint) {
        app_report_name("checkpoint");
        printf("%s\n", ran->options->checkpoint);
    }
    if (ran->options->capture) {
        app_report_name("captured");
        printf("%" PRId64 " contact problem%s\n", ran->captured, ran->captured == 1 ? "" : "s");
    }
}
