// flexible capture DIR        contact problems of scenes with flexible bodies, for `forms` and `engine_ratio`
// flexible columns FILE…      seconds to make H^-1 D': a solve a row, with and without refinement, and blocks of rows
// flexible step STEPS [FILE]  50 000 tetrahedra with 2000 contacts: where the time of a step goes; keeps its problem
//
// What the rule for a general H in src/solver/choose.c rests on: bench/results/flexible.md.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "linalg/blas.h"
#include "measure/mass.h"
#include "voussoir/fclib.h"
#include "voussoir/flexible.h"
#include "voussoir/scene.h"

static const double EDGE = .05; // m, of a cell

static bool fine(vs_error error, vs_context *context, const char *what) {
    if (error)
        (void)fprintf(stderr, "%s: %s\n", what, vs_context_error_text(context));
    return !error;
}

static void print_head(const char *title) {
    char date[16];
    time_t now = time(NULL);
    struct tm parts;
    (void)strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &parts));
    printf("# %s\n\n%s; BLAS: %s.\n\n", title, date, vs_blas_name());
}

// ---- a soft block on pins or on the floor ----------------------------------------------------------

typedef struct block {
    int cells[3];
    int pins; // along each side; 0: a floor
} block;

static vs_error put_below(vs_world *world, vs_shape *shape, vs_vec3 at) {
    vs_collider_def def = vs_collider_def_default();
    vs_collider_id id;
    def.shape = shape;
    def.pose.position = at;
    return vs_world_add_collider(world, &def, &id);
}

static vs_error put_support(vs_context *context, vs_world *world, const block *b, vs_vec3 half) {
    const double radius = .4 * EDGE;
    vs_shape *shape = NULL;
    vs_error error = b->pins > 0 ? vs_shape_sphere(context, radius, &shape) : vs_shape_plane(context, &shape);
    if (!error && b->pins == 0)
        error = put_below(world, shape, (vs_vec3){0, 0, -half.z});
    for (int k = 0; k < b->pins * b->pins && !error; k++) { // under nodes, evenly
        int i = (int)((k / b->pins + .5) * b->cells[0] / b->pins), j = (int)((k % b->pins + .5) * b->cells[1] / b->pins);
        error = put_below(world, shape, (vs_vec3){EDGE * i - half.x, EDGE * j - half.y, -half.z - radius});
    }
    vs_shape_release(shape);
    return error;
}

static vs_error make_block(vs_context *context, const block *b, vs_world **world) {
    vs_vec3 half = {.5 * EDGE * b->cells[0], .5 * EDGE * b->cells[1], .5 * EDGE * b->cells[2]};
    vs_mesh *mesh = NULL;
    vs_error error = vs_world_create(context, NULL, world);
    if (!error)
        error = vs_mesh_box(context, half, b->cells, 4, &mesh);
    vs_flexible_def def = vs_flexible_def_default();
    vs_flexible_id id;
    def.mesh = mesh;
    def.elastic = (vs_elastic_material){.young = 1e6, .poisson = .3, .density = 1000, .beta = .01};
    if (!error)
        error = vs_world_add_flexible(*world, &def, &id);
    vs_mesh_destroy(mesh);
    return error ? error : put_support(context, *world, b, half);
}

// Relaxed friction by the interior point: one way for all, whatever the scene says.
static vs_simulation_options options_of(double step) {
    vs_simulation_options options = vs_simulation_options_default();
    options.step = step;
    options.solver.model = VS_MODEL_RELAXED;
    options.solver.method = VS_METHOD_IPM;
    return options;
}

// ---- capture ---------------------------------------------------------------------------------------

static vs_error keep(vs_world *world, vs_simulation_options options, int steps, const char *path) {
    vs_simulation *simulation = NULL;
    vs_error error = vs_simulation_create(world, &options, &simulation);
    for (int k = 0; k < steps && !error; k++)
        error = vs_simulation_step(simulation, NULL);
    if (!error)
        error = vs_fclib_write(path, vs_simulation_problem(simulation), NULL);
    vs_simulation_destroy(simulation);
    return error;
}

static bool capture_scene(const char *folder, const char *name, vs_parameter parameter, int steps) {
    vs_context *context = NULL;
    vs_scene *scene = NULL;
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s-%g.hdf5", folder, name, parameter.value);
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = vs_scene_make(context, name, &parameter, 1, &scene);
    if (!error)
        error = keep(scene->world, options_of(scene->options.step), steps, path);
    bool good = fine(error, context, path);
    vs_scene_destroy(scene);
    vs_context_destroy(context);
    return good;
}

static bool capture_block(const char *folder, block b, int steps) {
    vs_context *context = NULL;
    vs_world *world = NULL;
    char path[512];
    (void)snprintf(path, sizeof path, "%s/block-%d-%d-%d-pins-%d.hdf5", folder, b.cells[0], b.cells[1], b.cells[2],
                   b.pins * b.pins);
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = make_block(context, &b, &world);
    if (!error)
        error = keep(world, options_of(.005), steps, path);
    bool good = fine(error, context, path);
    vs_world_destroy(world);
    vs_context_destroy(context);
    return good;
}

static bool capture(const char *folder) {
    bool good = capture_scene(folder, "three-point-bending", (vs_parameter){"cells", 13}, 10) &&
                capture_scene(folder, "three-point-bending", (vs_parameter){"cells", 26}, 10) &&
                capture_scene(folder, "elastic-foundation", (vs_parameter){"cells", 6}, 10) &&
                capture_scene(folder, "elastic-foundation", (vs_parameter){"cells", 16}, 10) &&
                capture_scene(folder, "rolling-ring", (vs_parameter){"cells", 32}, 10) &&
                capture_scene(folder, "rolling-ring", (vs_parameter){"cells", 256}, 10);
    static const int cubes[] = {6, 10, 16}, pins[] = {2, 4, 6, 10, 16};
    for (size_t c = 0; c < sizeof cubes / sizeof *cubes; c++)
        for (size_t p = 0; p < sizeof pins / sizeof *pins && pins[p] <= cubes[c]; p++)
            good = good && capture_block(folder, (block){{cubes[c], cubes[c], cubes[c]}, pins[p]}, 3);
    return good;
}

// ---- columns ---------------------------------------------------------------------------------------

enum { MOST = 128 }; // columns at a time

// Seconds of processor time a row, of all rows of D; block 0: one by one with refinement.
static double time_columns(vs_mass *mass, const vs_problem *p, int width, double *x) {
    bench_time begin = bench_now();
    int n = p->n, at_once = width > 0 ? width : 1, done = 0;
    for (int first = 0; first < p->m; first += at_once) {
        int count = p->m - first < at_once ? p->m - first : at_once;
        memset(x, 0, sizeof(double) * (size_t)n * (size_t)count);
        for (int k = 0; k < count; k++)
            x[(int64_t)k * n + (first + k) * (int64_t)n / p->m] = 1;
        if (width == 0 ? vs_mass_solve(mass, x) : vs_mass_solve_many(mass, count, x))
            return NAN;
        done += count;
    }
    return bench_since(begin).processor / (done > 0 ? done : 1);
}

static bool columns(const char *path) {
    static const int width[] = {0, 1, 8, 16, 32, 64, MOST};
    vs_context *context;
    vs_problem *problem;
    if (!bench_read(path, &context, &problem))
        return false;
    vs_arena arena;
    vs_arena_init(&arena, context);
    vs_mass mass = {0};
    double *x = VS_NEW(&arena, double, (int64_t)MOST * problem->n);
    bool good = x && fine(vs_mass_create(&mass, problem, &arena), context, path);
    if (good && mass.solver) {
        printf("| %s | %d | %d | %.3g |", bench_base_name(path), problem->n, problem->m,
               (double)mass.solver->report.fill);
        for (size_t k = 0; k < sizeof width / sizeof *width; k++) {
            double least = INFINITY;
            for (int repeat = 0; repeat < 3; repeat++)
                least = fmin(least, time_columns(&mass, problem, width[k], x));
            printf(" %.3g |", 1e6 * least);
        }
        printf("\n");
        (void)fflush(stdout);
    }
    vs_mass_release(&mass);
    vs_arena_release(&arena);
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return good;
}

// ---- a large step ----------------------------------------------------------------------------------

static void print_step(const vs_step_report *r) {
    double all = r->seconds_total;
    printf("| %lld | %d | %d, %d | %.3g | %.0f | %.0f | %.0f | %.0f | %s |\n", (long long)r->step, r->contacts,
           r->iterations, r->factorizations, all, 100 * r->seconds_collide / all, 100 * r->seconds_assemble / all,
           100 * r->seconds_solve / all,
           100 * (all - r->seconds_collide - r->seconds_assemble - r->seconds_solve) / all, vs_status_name(r->status));
    (void)fflush(stdout);
}

static bool large_step(int steps, const char *path) {
    const block plate = {{47, 45, 4}, 0};
    vs_context *context = NULL;
    vs_world *world = NULL;
    vs_simulation *simulation = NULL;
    vs_flexible_view view = {0};
    vs_simulation_options options = options_of(.005);
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = make_block(context, &plate, &world);
    if (!error)
        error = vs_world_get_flexible(world, vs_world_flexible_at(world, 0), &view);
    if (!error)
        error = vs_simulation_create(world, &options, &simulation);
    printf("%d tetrahedra, %d nodes.\n\n| step | contacts | iterations, factorizations | s | collide, %% | assemble and "
           "prepare, %% | solve, %% | rest, %% | status |\n|---|---|---|---|---|---|---|---|---|\n",
           view.elements, view.nodes);
    for (int k = 0; k < steps && !error; k++) {
        vs_step_report report;
        error = vs_simulation_step(simulation, &report);
        if (!error)
            print_step(&report);
    }
    if (!error && path)
        error = vs_fclib_write(path, vs_simulation_problem(simulation), NULL);
    bool good = fine(error, context, "step");
    vs_simulation_destroy(simulation);
    vs_world_destroy(world);
    vs_context_destroy(context);
    return good;
}

int main(int argc, char **argv) {
    const char *what = argc > 2 ? argv[1] : "";
    if (strcmp(what, "capture") == 0)
        return capture(argv[2]) ? 0 : 2;
    if (strcmp(what, "columns") == 0) {
        print_head("H^-1 D': microseconds a row");
        printf("| problem | n | rows | fill | refined, 1 | 1 | 8 | 16 | 32 | 64 | 128 |\n|---|---|---|---|---|---|---|---|"
               "---|---|---|\n");
        bool good = true;
        for (int k = 2; k < argc; k++)
            good = columns(argv[k]) && good;
        return good ? 0 : 2;
    }
    if (strcmp(what, "step") == 0) {
        print_head("A large step");
        return large_step(atoi(argv[2]), argc > 3 ? argv[3] : NULL) ? 0 : 2;
    }
    (void)fprintf(stderr, "usage: flexible capture DIR | columns FILE… | step STEPS [FILE]\n");
    return 1;
}
