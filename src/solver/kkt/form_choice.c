// Choice of reduction and backend: a measured rule. bench/results/forms.md and flexible.md have the measurements.
#include "solver/kkt/form_choice.h"

#include <stdio.h>
#include <string.h>

enum {
    DENSE_MOST = 60,          // unknowns up to which a dense factor beats a sparse one
    SMALL_MOST = 1200,        // unknowns up to which LDL without BLAS beats MUMPS
    FRICTIONLESS_MOST = 3600, // the same in the impulse form without friction, whose factor is sparser
    UNSYMMETRIC_MOST = 1500,  // unknowns up to which KLU beats MUMPS
    GENERAL_MOST = 3500,      // velocities of flexible bodies up to which CHOLMOD beats MUMPS
    REDUNDANT = 3             // rows per velocity from which contacts are redundant throughout, as in masonry
};

static const vs_reduction *reduction_of(vs_form form) {
    switch (form) {
    case VS_FORM_VELOCITY:
        return &vs_reduction_velocity;
    case VS_FORM_AUGMENTED:
        return &vs_reduction_augmented;
    case VS_FORM_IMPULSE:
        return &vs_reduction_impulse;
    default:
        return NULL;
    }
}

// Entries of the reduced matrices, roughly: the impulse form couples all rows that touch a velocity, the velocity form
// all velocities that a row touches.
static double impulse_entries(const vs_scaled *problem, int *count) {
    const vs_rows *parts[] = {&problem->C, &problem->D};
    double entries = 0;
    for (int j = 0; j < problem->n; j++)
        count[j] = 0;
    for (int k = 0; k < 2; k++)
        for (int g = 0; g < parts[k]->groups; g++)
            for (int64_t t = parts[k]->start[g]; t < parts[k]->start[g + 1]; t++)
                count[parts[k]->col[t]] += parts[k]->row[g + 1] - parts[k]->row[g];
    // a body's velocities share their rows: counted once for the usual six
    for (int j = 0; j < problem->n; j++)
        entries += (double)count[j] * count[j] / 6;
    return entries;
}

static double velocity_entries(const vs_scaled *problem) {
    double entries = problem->n;
    for (int g = 0; g < problem->D.groups; g++) {
        double width = (double)(problem->D.start[g + 1] - problem->D.start[g]);
        entries += width * width;
    }
    return entries;
}

// Cost of the two forms of a general H (flexible bodies), ns on the machine of bench/results/flexible.md; only the
// ratio matters. Impulses: blocked solves with the factor of H for each row, then in every iteration a dense matrix of
// all rows to assemble and factor. Velocities: in every iteration a sparse factor like that of H. The augmented form
// was never the fastest.
static double impulse_share(const vs_scaled *problem) {
    const vs_mass *mass = problem->mass->factor;
    const double iterations = 12, fill = (double)mass->solver->report.fill, flops = mass->solver->report.flops;
    double rows = problem->m + problem->m_e;
    double impulse = rows * (.25 * fill + 10 * problem->n) + iterations * rows * rows * (22 + .018 * rows);
    double velocity = iterations * (40 * fill + .03 * flops + 800 * problem->n);
    return impulse / velocity;
}

// count (n): work. Measured on piles, stacks and few contacts on many bodies: bench/results/forms.md.
static const vs_reduction *choose_reduction(const vs_scaled *problem, int *count, const char **why) {
    int rows = problem->m + problem->m_e;
    if (problem->local) {
        *why = "the problem is local";
        return &vs_reduction_impulse;
    }
    if (!problem->symmetric) {
        *why = "the mass matrix is unsymmetric";
        return &vs_reduction_impulse;
    }
    if (!problem->identity) {
        bool few = impulse_share(problem) <= 1;
        *why = few ? "few contacts on flexible bodies" : "many contacts on flexible bodies";
        return few ? &vs_reduction_impulse : &vs_reduction_velocity;
    }
    if (problem->extreme) {
        *why = "masses so different that impulses do not determine velocities";
        return &vs_reduction_velocity;
    }
    if (rows <= problem->n && impulse_entries(problem, count) <= velocity_entries(problem)) {
        *why = "no more contact and joint rows than velocities";
        return &vs_reduction_impulse;
    }
    *why = "more contact and joint rows than velocities, or many on one body";
    return &vs_reduction_velocity;
}

// Flexible bodies couple so many velocities that BLAS pays off early; their Delassus matrix is dense.
static const vs_linear_backend *choose_general(const vs_scaled *problem, const vs_reduction *reduction, int unknowns,
                                               const char **why) {
    if (reduction == &vs_reduction_impulse) {
        *why = "all rows are coupled";
        const char *dense[] = {"lapack", "mumps", "ldl", NULL};
        return vs_linear_backend_first(dense);
    }
    bool small = unknowns <= GENERAL_MOST && reduction == &vs_reduction_velocity && problem->m_e == 0;
    *why = small ? "small and definite" : "large";
    const char *names[] = {small ? "cholmod" : problem->extreme ? "mumps" : "mumps-single", "mumps", "ldl", NULL};
    return vs_linear_backend_first(names);
}

static const vs_linear_backend *choose_backend(const vs_scaled *problem, const vs_reduction *reduction,
                                               const char **why) {
    int unknowns = problem->m_e;
    if (reduction != &vs_reduction_impulse)
        unknowns += problem->n;
    if (reduction != &vs_reduction_velocity)
        unknowns += problem->m;
    if (unknowns <= DENSE_MOST) {
        *why = "small enough for a dense factor";
        const char *names[] = {"lapack", problem->symmetric ? "ldl" : "klu", "frontal", NULL};
        return vs_linear_backend_first(names);
    }
    if (!problem->symmetric) {
        bool small = unknowns <= UNSYMMETRIC_MOST;
        *why = small ? "small and unsymmetric" : "unsymmetric";
        const char *names[] = {small ? "klu" : "mumps", "klu", "frontal", NULL};
        return vs_linear_backend_first(names);
    }
    if (!problem->local && !problem->identity)
        return choose_general(problem, reduction, unknowns, why);
    bool half_lines = reduction == &vs_reduction_impulse && problem->m == problem->cones;
    if (unknowns <= (half_lines ? FRICTIONLESS_MOST : SMALL_MOST)) {
        *why = "small enough for a factor without BLAS";
        const char *names[] = {"ldl", NULL};
        return vs_linear_backend_first(names);
    }
    // Impulses shared by redundant contacts need a smaller regularization than single precision permits (newton.c).
    bool redundant = !problem->local && problem->m >= REDUNDANT * problem->n;
    *why = redundant ? "large, with redundant contacts" : "large";
    if (problem->extreme || redundant) {
        const char *precise[] = {"mumps", "ldl", NULL};
        return vs_linear_backend_first(precise);
    }
    const char *names[] = {"mumps-single", "mumps", "ldl", NULL};
    return vs_linear_backend_first(names);
}

static vs_error check(const vs_scaled *problem, const vs_reduction *reduction, const vs_linear_backend *backend,
                      vs_context *context) {
    if ((problem->local || !problem->symmetric) && reduction != &vs_reduction_impulse)
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "form: a local or unsymmetric problem has only the impulse form");
    bool definite =
        reduction == &vs_reduction_impulse ? !problem->local : reduction == &vs_reduction_velocity && problem->m_e == 0;
    if (!problem->symmetric && !backend->unsymmetric)
        return vs_fail(context, VS_ERROR_UNSUPPORTED,
                       "linear_solver: %s cannot factor this unsymmetric problem; use klu, "
                       "lapack or mumps",
                       backend->name);
    if (problem->symmetric && !backend->symmetric && !backend->unsymmetric)
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "linear_solver: %s cannot be used here", backend->name);
    if (problem->symmetric && !definite && backend->symmetric && !backend->indefinite)
        return vs_fail(context, VS_ERROR_UNSUPPORTED,
                       "linear_solver: %s needs a definite matrix; use the velocity or impulse "
                       "form (velocity: without joints)",
                       backend->name);
    return VS_OK;
}

// Distributed problems have one form each and one backend, with a choice of its own.
static vs_error choose_distributed(const vs_scaled *problem, const vs_solver_options *options, vs_context *context,
                                   vs_choice *choice) {
    const char *asked = options->linear_solver;
    bool impulse = problem->local || !problem->symmetric;
    choice->reduction = impulse ? &vs_reduction_impulse : &vs_reduction_velocity;
    choice->backend = vs_linear_backend_find(!asked || strcmp(asked, "auto") == 0 ? "petsc" : asked);
    bool form = options->form == VS_FORM_AUTO || reduction_of(options->form) == choice->reduction;
    if (!form || !choice->backend || !choice->backend->distributed)
        return vs_fail(context, VS_ERROR_UNSUPPORTED,
                       "distributed runs of this problem support only the %s form and the linear solver "
                       "petsc; use these or auto",
                       choice->reduction->name);
    snprintf(choice->text, sizeof choice->text, "%s form, petsc: distributed%s", choice->reduction->name,
             problem->local ? ", the problem is local"
             : impulse      ? ", the mass matrix is unsymmetric"
                            : "");
    return VS_OK;
}

vs_error vs_choose(const vs_scaled *problem, const vs_solver_options *options, vs_context *context, vs_choice *choice) {
    if (problem->problem->space)
        return choose_distributed(problem, options, context, choice);
    const char *why_form = "requested", *why_backend = "requested";
    choice->reduction = reduction_of(options->form);
    if (!problem->local && problem->symmetric && problem->m + problem->m_e == 0) {
        // the impulse form would have no unknowns
        choice->reduction = &vs_reduction_velocity;
        why_form = "no contacts and no joints";
    }
    if (!choice->reduction) {
        int *count = vs_allocate(context, sizeof(int) * (size_t)problem->n);
        if (!count)
            return vs_fail_memory(context);
        choice->reduction = choose_reduction(problem, count, &why_form);
        vs_release(context, count);
    }
    if (!options->linear_solver || strcmp(options->linear_solver, "auto") == 0)
        choice->backend = choose_backend(problem, choice->reduction, &why_backend);
    else
        choice->backend = vs_linear_backend_find(options->linear_solver);
    if (!choice->backend)
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "linear_solver: \"%s\" is not in this build",
                       options->linear_solver);
    char share[64] = "";
    const vs_mass *mass = problem->mass->factor;
    if (mass && mass->solver && problem->symmetric && problem->m + problem->m_e > 0)
        snprintf(share, sizeof share, " (impulse form costs %.2g of the velocity form)", impulse_share(problem));
    snprintf(choice->text, sizeof choice->text, "%s form: %s%s; %s: %s", choice->reduction->name, why_form, share,
             choice->backend->name, why_backend);
    return check(problem, choice->reduction, choice->backend, context);
}
