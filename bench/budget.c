// budget SCENE [NAME=VALUE]… [--steps 1000] [--budget 2e-3] [--model exact] [--method auto] [--tolerance 1e-8] [--warm-start full]
//
// Simulates a named scene with a time budget for the contact problem of every step and prints one row of a table: how
// long the solves took in time of this thread's processor, which leaves out what other processes take; whether what was
// returned is worse than what the solve began with; and how many steps nevertheless met the tolerance.
//
//     time    of vs_solver_solve() alone, to which the budget applies. Preparation (vs_solver_create(), vs_solver_update())
//             is excluded and printed separately
//     start   the warm start, or rest if there is none; measured after the step. Impulses carried over from the last
//             step may lie outside the cones of this step's rotated contacts: their projection is the start
//
// The simulation runs through the public interface. The problems passed to its solver are intercepted by wrapping those
// calls when this program is linked (--wrap).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cone/cone.h"
#include "problem/problem_data.h"
#include "voussoir/voussoir.h"

static const double WITHIN = 1.2; // times the budget
enum { PARAMETERS = 8 };

// ---- calls between the simulation and its solver -----------------------------------------------------

// State of the current step.
static struct {
    double prepare, solve;     // s, of this thread's processor
    bool warm;                 //
    double *g, *lambda;        // the warm start
    size_t g_size, size;       // room
    const vs_problem *problem; //
    vs_result result;
    bool solved;
} seen;

vs_error __real_vs_solver_create(const vs_problem *problem, const vs_solver_options *options, vs_solver **solver);
vs_error __real_vs_solver_update(vs_solver *solver, const vs_problem *problem);
vs_error __real_vs_solver_warm_start(vs_solver *solver, const double *v, const double *g, const double *lambda);
vs_error __real_vs_solver_solve(vs_solver *solver, vs_result *result);
vs_error __wrap_vs_solver_create(const vs_problem *problem, const vs_solver_options *options, vs_solver **solver);
vs_error __wrap_vs_solver_update(vs_solver *solver, const vs_problem *problem);
vs_error __wrap_vs_solver_warm_start(vs_solver *solver, const double *v, const double *g, const double *lambda);
vs_error __wrap_vs_solver_solve(vs_solver *solver, vs_result *result);

static double thread_time(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

vs_error __wrap_vs_solver_create(const vs_problem *problem, const vs_solver_options *options, vs_solver **solver) {
    double begin = thread_time();
    vs_error error = __real_vs_solver_create(problem, options, solver);
    seen.prepare = thread_time() - begin;
    seen.problem = problem;
    return error;
}

vs_error __wrap_vs_solver_update(vs_solver *solver, const vs_problem *problem) {
    double begin = thread_time();
    vs_error error = __real_vs_solver_update(solver, problem);
    seen.prepare = thread_time() - begin;
    seen.problem = problem;
    return error;
}

static void keep(double **to, size_t *room, const double *from, int count) {
    size_t bytes = sizeof(double) * (size_t)count;
    if (!*to || *room < bytes) {
        free(*to);
        *to = malloc(bytes + 1);
        *room = bytes;
    }
    if (*to && from)
        memcpy(*to, from, bytes);
    else if (*to)
        memset(*to, 0, bytes);
}

vs_error __wrap_vs_solver_warm_start(vs_solver *solver, const double *v, const double *g, const double *lambda) {
    vs_problem_info info = vs_problem_get_info(seen.problem);
    keep(&seen.g, &seen.g_size, g, info.m_e);
    keep(&seen.lambda, &seen.size, lambda, info.m);
    seen.warm = seen.g && seen.lambda;
    return __real_vs_solver_warm_start(solver, v, g, lambda);
}

vs_error __wrap_vs_solver_solve(vs_solver *solver, vs_result *result) {
    double begin = thread_time();
    vs_error error = __real_vs_solver_solve(solver, result);
    seen.solve = thread_time() - begin;
    seen.result = *result;
    seen.solved = !error;
    return error;
}

// ---- arguments -----------------------------------------------------------------------------------------

typedef struct arguments {
    const char *scene;
    char name[PARAMETERS][32];
    vs_scene_parameter parameter[PARAMETERS];
    int parameters, steps;
    double budget, tolerance;
    const char *method, *model, *warm;
} arguments;

static bool parse_parameter(arguments *a, const char *word) {
    const char *equals = strchr(word, '=');
    if (!equals || a->parameters == PARAMETERS || equals - word >= 32)
        return false;
    (void)snprintf(a->name[a->parameters], 32, "%.*s", (int)(equals - word), word);
    a->parameter[a->parameters] = (vs_scene_parameter){a->name[a->parameters], atof(equals + 1)};
    a->parameters++;
    return true;
}

static bool parse(int argc, char **argv, arguments *a) {
    *a = (arguments){
        .steps = 1000, .budget = 2e-3, .tolerance = 1e-8, .method = "auto", .model = "exact", .warm = "full"};
    for (int k = 1; k < argc; k++) {
        const char *value = k + 1 < argc ? argv[k + 1] : "";
        if (strncmp(argv[k], "--", 2) != 0) {
            if (!a->scene)
                a->scene = argv[k];
            else if (!parse_parameter(a, argv[k]))
                return false;
            continue;
        }
        if (strcmp(argv[k], "--steps") == 0)
            a->steps = atoi(value);
        else if (strcmp(argv[k], "--budget") == 0)
            a->budget = atof(value);
        else if (strcmp(argv[k], "--tolerance") == 0)
            a->tolerance = atof(value);
        else if (strcmp(argv[k], "--method") == 0)
            a->method = value;
        else if (strcmp(argv[k], "--model") == 0)
            a->model = value;
        else if (strcmp(argv[k], "--warm-start") == 0)
            a->warm = value;
        else
            return false;
        k++;
    }
    return a->scene && a->steps > 0 && a->budget >= 0;
}

static bool choose(const arguments *a, vs_simulation_options *options) {
    int method = 0;
    while (method < vs_method_count() && strcmp(vs_method_at(method).name, a->method) != 0)
        method++;
    options->solver.method = (vs_method)method;
    options->solver.model = strcmp(a->model, "relaxed") == 0        ? VS_MODEL_RELAXED
                            : strcmp(a->model, "frictionless") == 0 ? VS_MODEL_FRICTIONLESS
                                                                    : VS_MODEL_EXACT;
    options->solver.warm_start = strcmp(a->warm, "none") == 0 ? VS_WARM_START_NONE : VS_WARM_START_FULL;
    options->solver.tolerance = a->tolerance;
    options->solver.max_time = a->budget;
    return method < vs_method_count();
}

// ---- measuring -----------------------------------------------------------------------------------------

typedef struct outcome {
    int solves, met, late;
    int worse, worse_given; // more energy error than the start, projected onto the cones and as passed
    int limited;            // ended by the budget
    double *time;           // (solves) s
    double prepare;         // s, sum
    double gain;       // sum of log10 of energy error over the start's, of the steps that did not meet the tolerance
    double most_worse; // largest ratio to the start's energy error
} outcome;

// The nearest point of the cones, in place.
static void project(const vs_problem *problem, vs_model model, double *lambda) {
    for (int i = 0; i < problem->contacts; i++) {
        double *l = lambda + problem->row[i];
        if (problem->kind[i] == VS_CONE_SECOND_ORDER)
            vs_friction_project(model == VS_MODEL_FRICTIONLESS ? 0 : problem->mu[i], l, l);
        else if (problem->kind[i] == VS_CONE_NONNEG)
            l[0] = fmax(l[0], 0);
        for (int k = problem->row[i]; k < problem->row[i + 1] && problem->kind[i] == VS_CONE_BOX; k++)
            lambda[k] = fmin(fmax(lambda[k], problem->lo[k]), problem->hi[k]);
    }
}

// Energy errors of the starting point: as passed, and projected onto the cones.
static void measure_start(const vs_problem *problem, vs_model model, double *given, double *start) {
    vs_measurer *measurer = NULL;
    vs_measures before = {.energy_error = NAN}, after = before;
    vs_problem_info info = vs_problem_get_info(problem);
    if (!seen.warm) {
        keep(&seen.g, &seen.g_size, NULL, info.m_e);
        keep(&seen.lambda, &seen.size, NULL, info.m);
    }
    vs_error error = vs_measurer_create(problem, model, &measurer);
    if (!error)
        error = vs_measure(measurer, seen.g, seen.lambda, NULL, NULL, &before);
    project(problem, model, seen.lambda);
    if (!error)
        error = vs_measure(measurer, seen.g, seen.lambda, NULL, NULL, &after);
    vs_measurer_destroy(measurer);
    *given = error ? NAN : before.energy_error;
    *start = error ? NAN : after.energy_error;
}

static void measure_step(const arguments *a, const vs_simulation_options *options, const vs_simulation *simulation,
                         outcome *out) {
    const vs_result *result = &seen.result;
    double given, start, error = result->measures.energy_error;
    measure_start(vs_simulation_get_problem(simulation), options->solver.model, &given, &start);
    bool met = result->status == VS_STATUS_CONVERGED;
    out->time[out->solves++] = seen.solve;
    out->prepare += seen.prepare;
    out->met += met;
    out->limited += result->status == VS_STATUS_TIME_LIMIT;
    out->late += a->budget > 0 && seen.solve > WITHIN * a->budget;
    out->worse += !(error <= start);
    out->worse_given += !(error <= given);
    if (!(error <= start))
        out->most_worse = fmax(out->most_worse, error / start);
    if (!met)
        out->gain += log10(fmax(error, 1e-300) / fmax(start, 1e-300));
    if (getenv("BUDGET_LINES"))
        printf("%d %s %.4f ms, prepare %.4f, %d it, %d fact, %g of %g, %s %s\n", out->solves, result->method,
               1e3 * seen.solve, 1e3 * seen.prepare, result->iterations, result->factorizations, error, start,
               vs_status_name(result->status), result->stage_count ? result->stages[result->stage_count - 1].name : "");
}

static vs_error simulate(const arguments *a, const vs_simulation_options *options, vs_world *world, outcome *out) {
    vs_simulation *simulation = NULL;
    vs_error error = vs_simulation_create(world, options, &simulation);
    for (int k = 0; k < a->steps && !error; k++) {
        seen.solved = seen.warm = false;
        error = vs_simulation_step(simulation, NULL);
        if (!error && seen.solved)
            measure_step(a, options, simulation, out);
    }
    vs_simulation_destroy(simulation);
    return error;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double share(const outcome *out, double part) {
    int at = (int)ceil(part * out->solves) - 1;
    return 1e3 * out->time[at < 0 ? 0 : at];
}

static void print_row(const arguments *a, outcome *out) {
    int unmet = out->solves - out->met;
    qsort(out->time, (size_t)out->solves, sizeof *out->time, ascending);
    printf("| %s | %s | %s | %s | %d | %.3f | %.3f | %.3f | %.3f | %.2f %% | %d | %d | %d | %d | %.1f | %.3f |\n",
           a->scene, a->model, a->method, a->warm, out->solves, share(out, .5), share(out, .9), share(out, .99),
           share(out, 1), 100. * (out->solves - out->late) / out->solves, out->worse, out->worse_given, out->met,
           out->limited, unmet > 0 ? out->gain / unmet : 0, 1e3 * out->prepare / out->solves);
    if (out->worse > 0)
        printf("largest energy error over the start's: %g\n", out->most_worse);
}

int main(int argc, char **argv) {
    arguments a;
    if (!parse(argc, argv, &a)) {
        (void)fprintf(stderr,
                      "usage: budget SCENE [NAME=VALUE]… [--steps N] [--budget S] [--model NAME] [--method NAME] "
                      "[--tolerance T] [--warm-start full|none]\n");
        return 1;
    }
    vs_context *context = NULL;
    vs_scene *scene = NULL;
    outcome out = {.time = malloc(sizeof(double) * (size_t)a.steps)};
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = vs_scene_make(context, a.scene, a.parameter, a.parameters, &scene);
    if (!error && !choose(&a, &scene->options))
        error = VS_ERROR_ARGUMENT;
    if (!error)
        error = simulate(&a, &scene->options, scene->world, &out);
    if (error)
        (void)fprintf(stderr, "%s: %s\n", a.scene, context ? vs_context_get_error_text(context) : vs_error_name(error));
    if (out.solves > 0)
        print_row(&a, &out);
    vs_scene_destroy(scene);
    vs_context_destroy(context);
    free(out.time);
    free(seen.g);
    free(seen.lambda);
    return error ? 2 : 0;
}
