// flexible capture DIR [PART] contact problems of scenes with flexible bodies, for `forms`; PART of their names
// flexible columns FILE…      seconds to make H^-1 D': one solve per row, with and without refinement, and blocks of
// rows flexible forms FILE…        seconds of a solve in every form and by the solver's own choice
// flexible step STEPS [FILE]  50 000 tetrahedra with 2000 contacts: time split of a step; saves its problem
//
// The data behind the rule for a general H in src/solver/kkt/form_choice.c: bench/results/flexible.md.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "linalg/blas.h"
#include "mass/mass.h"
#include "voussoir/fclib.h"
#include "voussoir/flexible.h"
#include "voussoir/scene.h"

static const double EDGE = .05; // m, of a cell

static bool fine(vs_error error, vs_context *context, const char *what) {
    if (error)
        (void)fprintf(stderr, "%s: %s\n", what, vs_context_get_error_text(context));
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
        int i = (int)((k / b->pins + .5) * b->cells[0] / b->pins),
            j = (int)((k % b->pins + .5) * b->cells[1] / b->pins);
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

// Relaxed friction by the interior point: the same for all scenes.
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
        error = vs_fclib_write(path, vs_simulation_get_problem(simulation), NULL);
    vs_simulation_destroy(simulation);
    return error;
}

static bool wanted(const char *path, const char *part) {
    return !part || strstr(bench_base_name(path), part);
}

static bool capture_scene(const char *folder, const char *part, const char *name, int cells) {
    vs_context *context = NULL;
    vs_scene *scene = NULL;
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s-%d.hdf5", folder, name, cells);
    if (!wanted(path, part))
        return true;
    vs_scene_parameter parameter = {"cells", cells};
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = vs_scene_make(context, name, &parameter, 1, &scene);
    if (!error)
        error = keep(scene->world, options_of(scene->options.step), 10, path);
    bool good = fine(error, context, path);
    vs_scene_destroy(scene);
    vs_context_destroy(context);
    return good;
}

static bool capture_block(const char *folder, const char *part, block b) {
    vs_context *context = NULL;
    vs_world *world = NULL;
    char path[512];
    (void)snprintf(path, sizeof path, "%s/block-%d-%d-%d-pins-%d.hdf5", folder, b.cells[0], b.cells[1], b.cells[2],
                   b.pins * b.pins);
    if (!wanted(path, part))
        return true;
    vs_error error = vs_context_create(NULL, &context);
    if (!error)
        error = make_block(context, &b, &world);
    if (!error)
        error = keep(world, options_of(.005), 3, path);
    bool good = fine(error, context, path);
    vs_world_destroy(world);
    vs_context_destroy(context);
    return good;
}

static bool capture(const char *folder, const char *part) {
    static const struct {
        const char *name;
        int cells;
    } scenes[] = {{"three-point-bending", 18}, {"three-point-bending", 26}, {"elastic-foundation", 6},
                  {"elastic-foundation", 16},  {"rolling-ring", 32},        {"rolling-ring", 256}};
    static const int cubes[] = {6, 10, 16}, pins[] = {2, 4, 6, 10, 16}, plates[] = {10, 20, 30};
    bool good = true;
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
        good = capture_scene(folder, part, scenes[k].name, scenes[k].cells) && good;
    for (size_t c = 0; c < sizeof cubes / sizeof *cubes; c++)
        for (size_t p = 0; p < sizeof pins / sizeof *pins && pins[p] <= cubes[c]; p++)
            good = capture_block(folder, part, (block){{cubes[c], cubes[c], cubes[c]}, pins[p]}) && good;
    for (size_t c = 0; c < sizeof plates / sizeof *plates; c++) // on the floor
        good = capture_block(folder, part, (block){{plates[c], plates[c], 2}, 0}) && good;
    return good;
}

// ---- columns ---------------------------------------------------------------------------------------

enum { MOST = 128 }; // columns at a time

// Seconds of processor time per row, of rows like those of D; width 0: one by one with refinement.
static double time_columns(vs_mass *mass, const vs_problem *p, int width, double *x) {
    bench_time begin = bench_now();
    int n = p->n, at_once = width > 0 ? width : 1, rows = p->m < MOST ? p->m : MOST, done = 0;
    for (int first = 0; first < rows; first += at_once) {
        int count = rows - first < at_once ? rows - first : at_once;
        memset(x, 0, sizeof(double) * (size_t)n * (size_t)count);
        for (int k = 0; k < count; k++)
            x[(int64_t)k * n + (first + k) * (int64_t)n / rows] = 1;
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
        printf("| %s | %d | %d | %.3g | %.3g |", bench_base_name(path), problem->n, problem->m,
               (double)mass.solver->report.fill, mass.solver->report.flops);
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

// ---- forms -----------------------------------------------------------------------------------------

static double time_form(const vs_problem *problem, vs_context *context, vs_form form, const char *engine) {
    vs_solver_options options = vs_solver_options_default();
    options.model = VS_MODEL_RELAXED;
    options.method = VS_METHOD_IPM;
    options.form = form;
    options.linear_solver = engine;
    options.max_time = 30;
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        bench_solve solve;
        if (!bench_run(problem, &options, context, true, &solve) || solve.result.status != VS_STATUS_CONVERGED)
            return NAN;
        least = fmin(least, solve.time.processor);
        if (least > 1.5)
            break;
    }
    printf(" %.4g |", least);
    (void)fflush(stdout);
    return least;
}

// The choice, without the reasons.
static void print_chosen(const vs_problem *problem, vs_context *context, double seconds, double best) {
    vs_solver_options options = vs_solver_options_default();
    options.model = VS_MODEL_RELAXED;
    options.method = VS_METHOD_IPM;
    vs_solver *solver = NULL;
    vs_result result;
    if (fine(vs_solver_create(problem, &options, &solver), context, "auto") && !vs_solver_solve(solver, &result))
        printf(" %s, %s | %d | %.2f |\n", result.form, result.linear_solver, result.iterations, seconds / best);
    (void)fflush(stdout);
    vs_solver_destroy(solver);
}

static bool forms(const char *path) {
    static const struct {
        vs_form form;
        const char *engine;
    } tried[] = {{VS_FORM_VELOCITY, "cholmod"},
                 {VS_FORM_VELOCITY, "mumps-single"},
                 {VS_FORM_AUGMENTED, "mumps-single"},
                 {VS_FORM_IMPULSE, "lapack"}};
    vs_context *context;
    vs_problem *problem;
    if (!bench_read(path, &context, &problem))
        return false;
    printf("| %s | %d | %d |", bench_base_name(path), problem->n, problem->m + problem->m_e);
    double best = INFINITY;
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++)
        best = fmin(best, time_form(problem, context, tried[k].form, tried[k].engine));
    double seconds = time_form(problem, context, VS_FORM_AUTO, "auto");
    print_chosen(problem, context, seconds, best);
    vs_problem_destroy(problem);
    vs_context_destroy(context);
    return true;
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
        error = vs_world_get_flexible_view(world, vs_world_get_flexible_at(world, 0), &view);
    if (!error)
        error = vs_simulation_create(world, &options, &simulation);
    printf(
        "%d tetrahedra, %d nodes.\n\n| step | contacts | iterations, factorizations | s | collide, %% | assemble and "
        "prepare, %% | solve, %% | rest, %% | status |\n|---|---|---|---|---|---|---|---|---|\n",
        view.elements, view.nodes);
    for (int k = 0; k < steps && !error; k++) {
        vs_step_report report;
        error = vs_simulation_step(simulation, &report);
        if (!error)
            print_step(&report);
    }
    if (!error && path)
        error = vs_fclib_write(path, vs_simulation_get_problem(simulation), NULL);
    bool good = fine(error, context, "step");
    vs_simulation_destroy(simulation);
    vs_world_destroy(world);
    vs_context_destroy(context);
    return good;
}

int main(int argc, char **argv) {
    const char *what = argc > 2 ? argv[1] : "";
    if (strcmp(what, "capture") == 0)
        return capture(argv[2], argc > 3 ? argv[3] : NULL) ? 0 : 2;
    if (strcmp(what, "columns") == 0) {
        print_head("H^-1 D': microseconds per row");
        printf("| problem | n | rows | fill | flops | refined, 1 | 1 | 8 | 16 | 32 | 64 | 128 "
               "|\n|---|---|---|---|---|---|---|---|"
               "---|---|---|---|\n");
        bool good = true;
        for (int k = 2; k < argc; k++)
            good = columns(argv[k]) && good;
        return good ? 0 : 2;
    }
    if (strcmp(what, "forms") == 0) {
        print_head("Forms on flexible bodies: seconds");
        printf("| problem | n | rows | velocity, cholmod | velocity, mumps-single | augmented, mumps-single | impulse, "
               "lapack | auto | chosen | iterations | auto : best |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
        bool good = true;
        for (int k = 2; k < argc; k++)
            good = forms(argv[k]) && good;
        return good ? 0 : 2;
    }
    if (strcmp(what, "step") == 0) {
        print_head("A large step");
        return large_step(atoi(argv[2]), argc > 3 ? argv[3] : NULL) ? 0 : 2;
    }
    (void)fprintf(stderr, "usage: flexible capture DIR [PART] | columns FILE… | forms FILE… | step STEPS [FILE]\n");
    return 1;
}
