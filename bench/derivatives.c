// derivatives MODEL.xml [--steps 100] [--run 1000]
//
// What derivatives through contact cost: a robot of MJCF in its keyframe `home`, whose joints are held there by servos, takes steps of
// 4 ms with a tolerance of 1e-11 on its feet. Of each step: itself, its derivative (which takes it again), one tangent and one
// adjoint, beside two units, one factorization of its solver (time of the solution over the factorizations in it) and the
// decomposition that the derivative of its contact problem takes. Then a run: tangent and adjoint relative to it, and memory.
// Times are those of the processor, medians over the steps, the least of several where nothing changes in between.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "step/data/simulation_data.h"
#include "voussoir/run_derivative.h"
#include "voussoir/scene.h"

enum { STEPS_MOST = 10000, REPEAT = 20, SETTLE = 25 };
static const double STEP = .004, TOLERANCE = 1e-11, STIFFNESS = 150, DAMPING = 3; // s; N m/rad, N m s/rad

typedef enum quantity { STEP_TIME, SOLVE, DECOMPOSE, CREATE, TANGENT, ADJOINT, QUANTITIES } quantity;
typedef struct table {
    double seconds[QUANTITIES][STEPS_MOST]; // SOLVE: per factorization, of those steps that have one
    int count[QUANTITIES];
    int unknowns, borders;
    double error;
} table;

static double processor_time(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(table *t, quantity of) {
    qsort(t->seconds[of], (size_t)t->count[of], sizeof(double), compare);
    return t->count[of] > 0 ? t->seconds[of][t->count[of] / 2] : NAN;
}

static void note(table *t, quantity of, double seconds) {
    t->seconds[of][t->count[of]++] = seconds;
}

// ---- the robot -------------------------------------------------------------------------------------------

static vs_error hold_joints(vs_world *world) {
    vs_error error = VS_OK;
    for (int k = 0; k < vs_world_get_joint_count(world) && !error; k++) {
        const vs_joint_id id = vs_world_get_joint_at(world, k);
        double angle, rate;
        error = vs_world_get_joint_coordinate(world, id, &angle, &rate);
        if (!error)
            error = vs_world_set_joint_gains(world, id, STIFFNESS, DAMPING);
        if (!error)
            error = vs_world_set_joint_target(world, id, angle);
    }
    return error;
}

static vs_error open_robot(vs_context *context, const char *file, vs_scene **scene, vs_simulation **simulation) {
    vs_error error = vs_scene_import(context, file, scene);
    if (!error)
        error = vs_scene_set_keyframe(*scene, "home");
    if (!error)
        error = hold_joints((*scene)->world);
    if (error)
        return error;
    vs_simulation_options options = (*scene)->options;
    options.step = STEP, options.solver.tolerance = TOLERANCE;
    return vs_simulation_create((*scene)->world, &options, simulation);
}

// ---- one step --------------------------------------------------------------------------------------------

// The step as it is, then its contact problem.
static vs_error measure_forward(vs_simulation *s, table *t) {
    vs_step_report report;
    const double begin = processor_time();
    vs_error error = vs_simulation_step(s, &report);
    note(t, STEP_TIME, processor_time() - begin);
    if (error || !s->problem.solver)
        return error;
    if (report.factorizations > 0)
        note(t, SOLVE, report.seconds_solve / report.factorizations);
    double least = INFINITY;
    for (int k = 0; k < 3 && !error; k++) {
        vs_derivative *d = NULL;
        const double started = processor_time();
        error = vs_derivative_create(s->problem.problem, NULL, s->problem.result.g, s->problem.result.lambda, &d);
        least = fmin(least, processor_time() - started);
        t->unknowns = vs_derivative_get_report(d).unknowns;
        vs_derivative_destroy(d);
    }
    note(t, DECOMPOSE, least);
    return error;
}

static vs_error measure_products(const vs_step_derivative *d, int bodies, table *t) {
    double *x = calloc(15 * (size_t)bodies, sizeof *x), least[2] = {INFINITY, INFINITY};
    const vs_state_direction state = {x, x + 6 * (size_t)bodies, x + 12 * (size_t)bodies};
    vs_error error = x ? VS_OK : VS_ERROR_MEMORY;
    for (int k = 0; k < 2 * REPEAT && !error; k++) {
        memset(x, 0, 15 * (size_t)bodies * sizeof *x);
        x[0] = 1;
        const double begin = processor_time();
        error = k % 2 ? vs_step_derivative_adjoint(d, &state, &state, NULL, NULL)
                      : vs_step_derivative_tangent(d, &state, NULL, &state, NULL);
        least[k % 2] = fmin(least[k % 2], processor_time() - begin);
    }
    note(t, TANGENT, least[0]);
    note(t, ADJOINT, least[1]);
    free(x);
    return error;
}

static vs_error measure_step(vs_simulation *s, table *t) {
    size_t count = 0;
    vs_error error = vs_simulation_save(s, NULL, 0, &count);
    char *snapshot = error ? NULL : malloc(count);
    if (snapshot)
        error = vs_simulation_save(s, snapshot, count, &count);
    if (snapshot && !error)
        error = measure_forward(s, t);
    if (snapshot && !error)
        error = vs_simulation_restore(s, snapshot, count);
    free(snapshot);
    vs_step_derivative *d = NULL;
    const double begin = processor_time();
    if (!error)
        error = vs_step_derivative_create(s, NULL, NULL, &d);
    note(t, CREATE, processor_time() - begin);
    const vs_step_derivative_report report = vs_step_derivative_get_report(d);
    t->borders += report.borders, t->error = fmax(t->error, report.relative_error);
    if (!error)
        error = measure_products(d, report.bodies, t);
    vs_step_derivative_destroy(d);
    return error;
}

static vs_error measure_steps(vs_simulation *s, int steps, table *t) {
    vs_error error = VS_OK;
    for (int k = 0; k < SETTLE && !error; k++)
        error = vs_simulation_step(s, NULL);
    for (int k = 0; k < steps && !error; k++)
        error = measure_step(s, t);
    if (error)
        return error;
    const double step = median(t, STEP_TIME), solve = median(t, SOLVE), decompose = median(t, DECOMPOSE);
    const double create = median(t, CREATE), tangent = median(t, TANGENT), adjoint = median(t, ADJOINT);
    printf("%d steps, %d unknowns of the contact problem, %d borders, worst error of a solution %.1e\n\n", steps,
           t->unknowns, t->borders, t->error);
    printf("| | us | decompositions | factorizations of the solver |\n|---|---|---|---|\n");
    const struct {
        const char *name;
        double seconds;
    } rows[] = {{"step", step},
                {"factorization of its solver", solve},
                {"decomposition", decompose},
                {"derivative", create},
                {"tangent", tangent},
                {"adjoint", adjoint}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        printf("| %s | %.0f | %.2f | %.2f |\n", rows[k].name, 1e6 * rows[k].seconds, rows[k].seconds / decompose,
               rows[k].seconds / solve);
    return VS_OK;
}

// ---- a run -----------------------------------------------------------------------------------------------

static vs_error measure_run(vs_simulation *s, int steps) {
    vs_run_derivative *run = NULL;
    double begin = processor_time();
    vs_error error = vs_run_derivative_create(s, steps, NULL, &run);
    const double forward = processor_time() - begin;
    const int bodies = vs_run_derivative_get_report(run).bodies;
    const size_t numbers = 6 * (size_t)bodies, all = numbers * ((size_t)steps + 1);
    double *weights = calloc(all, sizeof *weights), *pose = calloc(all, sizeof *pose), *x = calloc(numbers, sizeof *x);
    if (!weights || !pose || !x)
        error = VS_ERROR_MEMORY;
    if (!error) {
        weights[all - numbers] = x[0] = 1;
        begin = processor_time();
        error = vs_run_derivative_tangent(run, &(vs_run_direction){.velocity = x}, &(vs_run_states){.pose = pose});
    }
    const double tangent = processor_time() - begin, forth = error ? 0 : pose[all - numbers];
    begin = processor_time();
    if (!error)
        error = vs_run_derivative_adjoint(run, &(vs_run_states){.pose = weights}, &(vs_run_direction){.velocity = x});
    const double adjoint = processor_time() - begin;
    const vs_run_derivative_report r = vs_run_derivative_get_report(run);
    if (!error) {
        printf("\nrun of %d steps: %.0f ms; tangent %.1f, adjoint %.1f times this; snapshots %.2f MB, states %.2f MB, "
               "derivatives of steps %.2f MB\n",
               steps, 1e3 * forward, tangent / forward, adjoint / forward, 1e-6 * (double)r.snapshot_bytes,
               1e-6 * (double)r.state_bytes, 1e-6 * (double)r.derivative_bytes);
        printf("borders %d, kinks %d, worst error of a solution %.1e; tangent - adjoint %.1e\n", r.borders, r.kinks,
               r.relative_error, forth - x[0]);
    }
    free(weights), free(pose), free(x);
    vs_run_derivative_destroy(run);
    return error;
}

int main(int argc, char **argv) {
    int steps = 100, run = 1000;
    for (int k = 2; k + 1 < argc; k += 2)
        *(strcmp(argv[k], "--run") == 0 ? &run : &steps) = atoi(argv[k + 1]);
    if (argc < 2 || steps < 1 || steps > STEPS_MOST || run < 1) {
        (void)fprintf(stderr, "usage: derivatives MODEL.xml [--steps 100] [--run 1000]\n");
        return 2;
    }
    vs_context *context = NULL;
    vs_scene *scene = NULL;
    vs_simulation *simulation = NULL;
    table *t = calloc(1, sizeof *t);
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = t ? open_robot(context, argv[1], &scene, &simulation) : VS_ERROR_MEMORY;
    if (!error)
        error = measure_steps(simulation, steps, t);
    if (!error)
        error = measure_run(simulation, run);
    if (error)
        (void)fprintf(stderr, "%s: %s\n", argv[1], vs_context_get_error_text(context));
    free(t);
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    vs_context_destroy(context);
    return error != VS_OK;
}
