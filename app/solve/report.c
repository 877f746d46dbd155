// The report of `voussoir solve`.
#include "solve/report.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/report.h"
#include "solve/outcome.h"
#include "voussoir/voussoir.h"

static void print_status(const app_solve_outcome *s) {
    const bool colour = app_colour();
    app_report_name("status");
    if (colour)
        printf("%s", s->met ? "\033[32m" : "\033[33m");
    printf("%s", s->met ? "tolerance met" : "TOLERANCE NOT MET");
    if (colour)
        printf("\033[0m");
    printf(" after ");
    app_report_plural(s->result->iterations, "iteration");
    if (s->met)
        printf("\n");
    else
        printf(": %s\n", s->result->status_text);
}

static void print_model(const app_solve_outcome *s) {
    static const char *const meaning[] = {" (convex friction)", "", " (Coulomb friction)"};
    const vs_model model = app_solve_model(s);
    app_report_name("model");
    printf("%s%s", vs_model_name(model), meaning[model]);
    if (model != s->options->solver.model)
        printf(": %s friction missed the tolerance", vs_model_name(s->options->solver.model));
    printf("\n");
    if (s->result->compliance > 0) {
        app_report_name("compliance");
        printf("%.1e of the inverse effective mass added to each contact; errors are evaluated without it\n",
               s->result->compliance);
    }
}

// The number of islands solved by each stage, and of the unsolved ones.
static void print_solved_by(const vs_result *r) {
    int left = r->islands;
    bool first = true;
    if (r->stage_count == 0)
        return;
    app_report_name("solved by");
    for (int k = 0; k < r->stage_count; k++) {
        const vs_stage *stage = &r->stages[k];
        left -= stage->solved;
        if (stage->solved == 0)
            continue;
        printf("%s%s (", first ? "" : ", ", stage->name);
        app_report_plural(stage->solved, "island");
        printf(")");
        first = false;
    }
    if (left > 0) {
        printf("%s", first ? "" : "; ");
        app_report_plural(left, "island");
        printf(" unsolved");
    }
    printf("%s\n", first && left <= 0 ? "no contacts to solve" : "");
}

static void print_stages(const vs_result *r) {
    char seconds[16];
    if (r->stage_count == 0) {
        app_report_name("stages");
        printf("none: this model is solved in one stage, see --history\n");
        return;
    }
    printf("\n  %-25s %6s %6s %10s %14s %9s %9s  %s\n", "stage", "tried", "solved", "iterations", "factorizations",
           "time", "error", "reason for stopping");
    for (int k = 0; k < r->stage_count; k++) {
        const vs_stage *s = &r->stages[k];
        app_format_seconds(s->seconds, seconds);
        printf("  %-25s %6d %6d %10d %14d %9s ", s->name, s->tried, s->solved, s->iterations, s->factorizations,
               seconds);
        if (s->solved < s->tried)
            printf("%9.1e  %s\n", s->error, s->stopped ? s->stopped : "");
        else
            printf("%9s  all solved\n", "-");
    }
    printf("  tried, solved: number of contact islands (%d in total)\n", r->islands);
}

static void print_choice(const app_solve_outcome *s) {
    const vs_result *r = s->result;
    print_model(s);
    app_report_name("method");
    printf("%s", r->method);
    if (r->form && *r->form)
        printf(", %s form", r->form);
    if (r->linear_solver && *r->linear_solver)
        printf(", linear solver %s", r->linear_solver);
    printf("%s\n", s->warm ? ", warm start" : "");
    if (r->choice && *r->choice) {
        app_report_name("");
        printf("%s\n", r->choice);
    }
    print_solved_by(r);
    if (r->factorizations == 0 && r->cg_steps == 0)
        return;
    app_report_name("linear algebra");
    app_report_plural(r->factorizations, "factorization");
    if (r->islands <= 1 && r->fill > 0)
        printf(" of %lld nonzeros, %.1e flops each", (long long)r->fill, r->flops);
    printf("; %lld triangular solves", (long long)r->triangular_solves);
    if (r->cg_steps > 0)
        printf("; %lld conjugate gradient iterations", (long long)r->cg_steps);
    if (r->islands > 1 && r->fill > 0)
        printf("; largest island %lld nonzeros, %.1e flops", (long long)r->fill, r->flops);
    printf("\n");
    if (r->positive < 0)
        return; // no inertia and no backward error of unsymmetric factors
    app_report_name("");
    printf("inertia %d positive, %d negative; regularization %.0e, backward error %.0e\n", r->positive, r->negative,
           r->regularization, r->backward_error);
}

static void print_measure(const char *name, double value, const char *unit) {
    app_report_name(name);
    if (isnan(value))
        printf("not defined (no convex objective)\n");
    else
        printf("%.1e%s%s\n", value, *unit ? " " : "", unit);
}

static void print_measures(const app_solve_outcome *s) {
    const vs_measures *m = &s->result->measures;
    const double tol = s->options->solver.tolerance;
    app_report_name("energy error");
    printf("%.1e J (limit %.1e J = tolerance^2 x %.1e J%s)\n", m->island_error,
           fmax(tol * tol * m->island_reference, m->island_floor), m->island_reference,
           m->islands > 1 ? ", the island with the largest relative error" : " at zero impulses");
    app_report_name("work error");
    printf("%.1e J, %.1e relative (limit %.1e)\n", m->work_error, m->relative_work, sqrt(tol));
    app_report_name("natural map");
    if (s->options->solver.criterion == VS_CRITERION_BOTH)
        printf("%.1e relative (limit %.1e)\n", m->natural_map_relative, tol);
    else
        printf("%.1e relative\n", m->natural_map_relative);
    print_measure("duality gap", m->duality_gap, "J");
    print_measure("complementarity", m->complementarity, "J");
    print_measure("impulse balance", m->impulse_balance, "J");
    if (s->info.m_e > 0) {
        print_measure("joint residual", m->joint_error_energy, "J");
        print_measure("joint velocity", m->joint_error_velocity, "m/s (maximum)");
    }
    print_measure("cone violation", m->cone_violation, "N s (maximum)");
    print_measure("dual violation", m->dual_violation, "m/s (maximum)");
    // Evaluated row by row, these two do not vanish at sliding contacts.
    print_measure("natural residual", m->natural_residual, "(mixed units, N s and m/s)");
    print_measure("Fischer-Burmeister", m->fischer_burmeister, "(mixed units, N s and m/s)");
}

// Communication of a distributed solve.
static void print_traffic(const app_solve_outcome *s) {
    const vs_traffic *t = s->traffic;
    if (!t)
        return;
    const double iterations = s->result->iterations > 0 ? s->result->iterations : 1;
    app_report_name("ranks");
    printf("%d, at most %d contacts per rank; ", t->ranks, t->contacts_most);
    app_report_plural(t->contacts_cut, "contact");
    printf(" shared\n");
    app_report_name("communication");
    printf("%.1f exchanges of %s and %.1f reductions per iteration", (double)t->exchanges / iterations,
           s->info.local ? "impulses" : "body velocities", (double)t->sums / iterations);
    if (t->contacts_cut > 0)
        printf("; %.0f messages, %.0f bytes per shared contact", (double)t->messages / iterations,
               (double)t->bytes / iterations / t->contacts_cut);
    printf("\n");
}

static void print_times(const app_solve_outcome *s) {
    const vs_times *t = &s->result->times;
    const struct {
        const char *name;
        double seconds;
    } parts[] = {{"prepare", t->prepare}, {"assemble", t->assemble}, {"factor", t->factor},
                 {"solve", t->solve},     {"other", t->other},       {"total", t->total}};
    char text[16];
    app_report_name("time");
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        app_format_seconds(parts[k].seconds, text);
        printf("%s%s %s", k ? ", " : "", parts[k].name, text);
    }
    app_format_seconds(s->read_seconds, text);
    printf("; read file %s\n", text);
}

static void print_history(const vs_result *r) {
    printf("\n  %4s %11s %11s %9s %8s %8s %8s %6s %8s %9s\n", "iter", "energy, J", "natural map", "gap", "step", "dual",
           "sigma", "refine", "regular", "s");
    for (int k = 0; k < r->history_count; k++) {
        const vs_iteration *i = &r->history[k];
        printf("  %4d %11.3e %11.3e %9.1e %8.4f %8.4f %8.1e %6d %8.1e %9.4f\n", i->iteration, i->energy_error,
               i->natural_map_relative, i->gap, i->step_primal, i->step_dual, i->sigma, i->refinements,
               i->regularization, i->seconds);
    }
}

void app_solve_report(const app_solve_outcome *s) {
    if (!s->result)
        return; // reported on standard error
    printf("%s\n", s->path);
    print_status(s);
    app_report_problem(&s->info);
    print_choice(s);
    print_measures(s);
    print_times(s);
    print_traffic(s);
    if (s->output) {
        app_report_name("written to");
        printf("%s\n", s->output);
    }
    if (s->options->explain)
        print_stages(s->result);
    if (s->options->history)
        print_history(s->result);
}
