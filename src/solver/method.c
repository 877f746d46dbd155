// The methods of this library, and the choice among them.
#include "solver/method.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

// In the order of vs_method; auto is not a class.
#define VS_METHOD_ROW(index, name) [index] = &vs_##name##_class,
static const vs_method_class *const methods[] = {VS_METHOD_TABLE(VS_METHOD_ROW)};
#undef VS_METHOD_ROW
enum { METHODS = sizeof methods / sizeof methods[0] };

// ---- auto ------------------------------------------------------------------------------------------

enum {
    MASONRY = 3, // ratio of rows to velocities: ADMM factors in velocities, and few iterations suffice
    MASONRY_ROWS = 100,
    MASONRY_LARGE = 900, // rows from which ADMM is not for structures in motion
    CROWDED = 2,         // ratio: redundant contacts, where gradient methods are slow
    PIVOTS_ROWS = 3000   // without friction, up to which pivoting beats the interior point
};
static const double LOOSE = 1e-2;         // tolerance from which gradient methods beat factorizations
static const double IPM_SECONDS = 20e-6;  // per row, of an interior-point solve of small problems to full accuracy
static const double ADMM_SECONDS = 50e-6; // per row, of one by ADMM with as many iterations as it may take
static const char ROLLING[] = "rolling or spinning friction";
enum { ADMM_MOST = 50, APGD_MOST = 300, PIVOTS_MOST = 60 }; // 1.5 times the iterations of successful solves

// Has a contact one ellipse for all of its rows? Those are for the methods that project.
static bool is_elliptic(const vs_method_run *run) {
    const vs_problem *problem = run->problem;
    bool any = false;
    for (int k = 0; k < problem->contacts && run->scaled.discs; k++)
        any = any || problem->kind[k] == VS_CONE_ELLIPTIC;
    return vs_space_any(problem->space, any);
}

// Is there a time budget of less than so many seconds per row?
static bool is_hurried(const vs_method_run *run, double seconds) {
    const double rows = run->scaled.m + run->scaled.m_e;
    return run->options.max_time > 0 && run->options.max_time < seconds * rows;
}

// What follows the cascade where it does not solve exact friction: the fixed point on the slip speeds around the interior point
// method, which has no folds to follow (heavy blocks that fall on a card house: 81 factorizations, of the cascade 5000 in vain). Nothing
// in heaps, where it takes minutes per step without a solution, and the work of a step is to be bounded.
static vs_method choose_last(const vs_method_run *run) {
    enum { HEAP = 1000 }; // contacts
    return run->problem->contacts < HEAP ? VS_METHOD_IPM : VS_METHOD_CASCADE;
}

// Steps of large walls that move are left to the cascade, which solves them from the warm start: ADMM gives up after eight
// iterations that cost a third of the step (56 bricks).
// In a hurry the cascade sweeps, which may be interrupted: of ADMM nothing is left before it has converged.
static vs_method_choice choose_exact(const vs_method_run *run, bool masonry) {
    if (masonry && !is_hurried(run, ADMM_SECONDS))
        return (vs_method_choice){.first = VS_METHOD_ADMM,
                                  .then = VS_METHOD_CASCADE,
                                  .most = ADMM_MOST,
                                  .why = "many more contact rows than velocities, as in masonry",
                                  .still = run->scaled.m >= MASONRY_LARGE};
    return (vs_method_choice){VS_METHOD_CASCADE, choose_last(run), INT_MAX, "exact friction", false};
}

static vs_method_choice choose_convex(const vs_method_run *run, bool masonry) {
    const vs_scaled *problem = &run->scaled;
    double rows = problem->m + problem->m_e;
    bool hurried = is_hurried(run, IPM_SECONDS);
    if (problem->m == problem->cones && rows <= PIVOTS_ROWS) // frictionless contacts and boxes only
        return (vs_method_choice){VS_METHOD_PIVOTING, VS_METHOD_IPM, PIVOTS_MOST, "no friction, and not large", false};
    if (masonry && !is_hurried(run, ADMM_SECONDS))
        return (vs_method_choice){VS_METHOD_ADMM, VS_METHOD_IPM, ADMM_MOST,
                                  "many more contact rows than velocities, as in masonry", false};
    bool loose = run->options.tolerance >= LOOSE && (problem->local || rows < CROWDED * problem->n);
    if (problem->m_e == 0 && (hurried || loose))
        return (vs_method_choice){VS_METHOD_APGD, VS_METHOD_IPM, hurried ? INT_MAX : APGD_MOST,
                                  hurried ? "no time for an interior point" : "few digits are requested", false};
    if (hurried)
        return (vs_method_choice){VS_METHOD_GAUSS_SEIDEL, VS_METHOD_GAUSS_SEIDEL, INT_MAX,
                                  "no time for an interior point", false};
    return (vs_method_choice){VS_METHOD_IPM, VS_METHOD_IPM, INT_MAX, "a convex model to full accuracy", false};
}

// Explicit requests (iterations belong to a method), masses beyond the reach of impulses and unsymmetric problems are
// for the methods that are built for them.
vs_method_choice vs_method_choose(const vs_method_run *run) {
    const vs_scaled *problem = &run->scaled;
    const vs_solver_options *options = &run->options;
    bool exact = options->model == VS_MODEL_EXACT;
    bool asked = options->max_iterations >= 0 || options->form != VS_FORM_AUTO || options->ipm.start != VS_START_AUTO ||
                 options->ipm.correctors >= 0 ||
                 (options->linear_solver && strcmp(options->linear_solver, "auto") != 0);
    vs_method usual = exact ? VS_METHOD_CASCADE : VS_METHOD_IPM;
    if (problem->problem->space && exact)
        return (vs_method_choice){VS_METHOD_CASCADE, VS_METHOD_CASCADE, INT_MAX, "distributed problem", false};
    if (problem->discs && is_elliptic(run))
        return exact ? (vs_method_choice){VS_METHOD_CASCADE, VS_METHOD_CASCADE, INT_MAX, ROLLING, false}
                     : (vs_method_choice){VS_METHOD_APGD, VS_METHOD_GAUSS_SEIDEL, INT_MAX, ROLLING, false};
    if (problem->discs)
        return (vs_method_choice){usual, exact ? choose_last(run) : VS_METHOD_GAUSS_SEIDEL, INT_MAX, ROLLING, false};
    if (problem->problem->space)
        return (vs_method_choice){VS_METHOD_IPM, VS_METHOD_IPM, INT_MAX, "distributed problem", false};
    if (problem->extreme) // the cascade works on impulses alone
        return (vs_method_choice){VS_METHOD_IPM, usual, INT_MAX,
                                  "masses so different that velocities must be part of the state", false};
    if (asked || !problem->symmetric || problem->m == 0)
        return (vs_method_choice){usual, usual, INT_MAX, exact ? "exact friction" : "a convex model", false};
    int rows = problem->m + problem->m_e;
    bool masonry = !problem->local && problem->identity && rows >= MASONRY * problem->n && rows >= MASONRY_ROWS;
    return exact ? choose_exact(run, masonry) : choose_convex(run, masonry);
}

// ---- by name ---------------------------------------------------------------------------------------

vs_error vs_method_find(const vs_solver_options *options, vs_context *context, const vs_method_class **method) {
    unsigned asked = 1U << options->model;
    vs_method name = options->method;
    if (name == VS_METHOD_AUTO)
        name = options->model == VS_MODEL_EXACT ? VS_METHOD_CASCADE : VS_METHOD_IPM;
    *method = methods[name];
    if ((*method)->models & asked)
        return VS_OK;
    if (options->model == VS_MODEL_EXACT && (*method)->models & VS_SOLVES_RELAXED) {
        *method = &vs_fixed_point_class; // looks up the method again, for the relaxed model
        return VS_OK;
    }
    return vs_fail(context, VS_ERROR_UNSUPPORTED, "method: %s does not solve the %s model; use auto", (*method)->name,
                   vs_model_name(options->model));
}

const vs_method_class *vs_method_of_part(const vs_method_class *method, const vs_problem *problem) {
    return problem->space && method == &vs_cascade_class ? &vs_distributed_cascade_class : method;
}

vs_error vs_method_check(const vs_method_class *method, const vs_method_run *run) {
    const vs_problem *problem = run->problem;
    if (problem->space && !method->distributed)
        return vs_fail(
            run->context, VS_ERROR_UNSUPPORTED,
            "method: the %s model by %s does not support distributed problems; use cascade or gauss-seidel for exact "
            "friction, ipm, apgd or spg for the other models, or a serial run",
            vs_model_name(run->options.model), method->name);
    for (int k = 0; run->scaled.discs && !method->rolling && k < problem->contacts; k++)
        if (vs_problem_rolls(problem, k))
            return vs_fail(run->context, VS_ERROR_UNSUPPORTED,
                           "method: %s does not handle rolling and spinning friction, which contact %d has; use auto, "
                           "ipm, cascade, gauss-seidel, jacobi, apgd, spg or admm",
                           method->name, k);
    if (method == &vs_ipm_class && is_elliptic(run))
        return vs_fail(
            run->context, VS_ERROR_UNSUPPORTED,
            "method: ipm does not handle elliptic coupling of sliding, rolling and spinning friction; use auto, "
            "cascade, gauss-seidel, jacobi, apgd, spg or admm");
    return VS_OK;
}

int vs_method_count(void) {
    return METHODS;
}

vs_method_info vs_method_at(int index) {
    if (index < 0 || index >= METHODS)
        return (vs_method_info){0};
    const vs_method_class *method = methods[index];
    if (!method)
        return (vs_method_info){"auto", "chosen by model, size and tolerance", VS_SOLVES_ALL, VS_SOLVES_ALL};
    return (vs_method_info){method->name, method->purpose, method->models,
                            method->boxes ? VS_SOLVES_FRICTIONLESS : method->models};
}
