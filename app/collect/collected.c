// A problem of a collection: a scene is drawn and simulated to a step, whose contact problem is solved to 1e-12 and certified
// in extended precision. Nothing here looks at a clock: the same draw gives the same bytes.
#include "collect/collected.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/system/files.h"
#include "voussoir/voussoir.h"

const char *const app_difficulties[] = {"easy", "medium", "hard"};

enum { MOST_ATTEMPTS = 40, MOST_CONTACTS = 400, MOST_VELOCITIES = 2000, LEAST_BYTES = 1000, MOST_BYTES = 1000000 };
enum { EASY_SWEEPS = 100, MEDIUM_SWEEPS = 1000 };
static const double DIFFICULTY_TOLERANCE = 1e-4;
// Overlaps that steps leave within their tolerance contradict each other in the next one where bodies are wedged or many contacts
// meet: to less than the error of its history a problem may have no solution. (Of 166 problems of the tuning split from histories
// to 1e-6 19 had none to 1e-8, from those to 1e-9 one, and 16 none to 1e-12.)
static const double HISTORY_TOLERANCE = 1e-12;
// Factorizations: where rounding leaves more than that, as with extreme masses, every step would use them all.
enum { HISTORY_PATIENCE = 100 };
// Ways to a solution, in turn until one is certified.
typedef struct approach {
    double tolerance;
    int patience; // factorizations per island
    bool anew;    // not from the best result so far
} approach;
static const approach APPROACHES[] = {{1e-12, 300, true},  {1e-14, 300, false}, {1e-8, 300, true},
                                      {1e-12, 300, false}, {1e-12, 2000, true}, {1e-14, 300, false}};

// Work on one problem.
typedef struct work {
    const app_recipe *recipe;
    app_draw draw;
    vs_context *context;
    vs_scene *scene;
    vs_simulation *simulation;
    const vs_problem *problem;  // of the simulation
    double *g, *lambda, *v, *y; // solution
    app_collected *out;
} work;

static bool fail(const work *w, const char *what) {
    (void)snprintf(w->out->why, sizeof w->out->why, "%.*s", (int)sizeof w->out->why - 1, what);
    return false;
}

static bool fail_error(const work *w) {
    return fail(w, vs_context_get_error_text(w->context));
}

// ---- the scene --------------------------------------------------------------------------------------------------

static vs_error write_scene(work *w) {
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return VS_ERROR_MEMORY;
    w->recipe->write(to, w->draw.parameter);
    vs_error error = fclose(to) == 0 ? VS_OK : VS_ERROR_MEMORY;
    if (error == VS_OK)
        error = vs_scene_parse(w->context, text, size, w->recipe->family, NULL, 0, &w->scene);
    free(text);
    return error;
}

// Gravity turned away from the vertical.
static vs_error tilt(work *w) {
    const vs_vec3 g = vs_world_get_gravity(w->scene->world);
    const double size = sqrt(g.x * g.x + g.y * g.y + g.z * g.z), aside = size * sin(w->draw.tilt);
    const vs_vec3 turned = {aside * cos(w->draw.heading), aside * sin(w->draw.heading), -size * cos(w->draw.tilt)};
    return w->draw.tilt > 0 ? vs_world_set_gravity(w->scene->world, turned) : VS_OK;
}

// Other velocities for all bodies that have a mass.
static vs_error kick(work *w) {
    vs_world *world = w->scene->world;
    vs_error error = VS_OK;
    for (int k = 0; w->draw.kick > 0 && error == VS_OK && k < vs_world_get_body_count(world); k++) {
        const vs_body_id id = vs_world_get_body_at(world, k);
        vs_body_state state;
        double mass = 0;
        vs_mat3 inertia;
        if (vs_world_get_body_mass(world, id, &mass, &inertia) != VS_OK || !(mass > 0) || !isfinite(mass))
            continue;
        error = vs_world_get_body_state(world, id, &state);
        state.velocity.x += app_draw_uniform(&w->draw, -w->draw.kick, w->draw.kick);
        state.velocity.y += app_draw_uniform(&w->draw, -w->draw.kick, w->draw.kick);
        state.velocity.z += app_draw_uniform(&w->draw, -w->draw.kick, w->draw.kick);
        if (error == VS_OK)
            error = vs_world_set_body_state(world, id, &state);
    }
    return error;
}

static vs_error add_rolling(work *w) {
    if (!(w->draw.rolling > 0))
        return VS_OK;
    vs_material material = vs_world_get_material_pair(w->scene->world, 0, 0);
    material.rolling = w->draw.rolling;
    material.spinning = .5 * w->draw.rolling;
    return vs_world_set_material_pair(w->scene->world, 0, 0, &material);
}

static vs_error make_scene(work *w) {
    const app_recipe *r = w->recipe;
    vs_error error = r->scene ? vs_scene_make(w->context, r->scene, w->draw.parameter, w->draw.parameters, &w->scene)
                              : write_scene(w);
    if (error == VS_OK)
        error = tilt(w);
    if (error == VS_OK)
        error = kick(w);
    return error == VS_OK ? add_rolling(w) : error;
}

// Simulates to the step of the draw. A step without contacts is of no use.
static bool run_scene(work *w) {
    vs_step_report report = {0};
    vs_error error = make_scene(w);
    if (error == VS_OK) {
        w->scene->options.solver.tolerance = HISTORY_TOLERANCE;
        w->scene->options.solver.exact.patience = HISTORY_PATIENCE;
        error = vs_simulation_create(w->scene->world, &w->scene->options, &w->simulation);
    }
    for (int step = 0; error == VS_OK && step < w->draw.step; step++) {
        error = vs_simulation_step(w->simulation, &report);
        if (error == VS_OK && report.contacts > MOST_CONTACTS)
            return fail(w, "too many contacts");
    }
    if (error != VS_OK)
        return fail_error(w);
    w->problem = vs_simulation_get_problem(w->simulation);
    return w->problem && report.contacts > 0 ? true : fail(w, "no contacts at the step drawn");
}

// ---- the solution -----------------------------------------------------------------------------------------------

static bool allocate(work *w, const vs_problem_info *info) {
    w->g = calloc((size_t)info->m_e + 1, sizeof *w->g);
    w->lambda = calloc((size_t)info->m + 1, sizeof *w->lambda);
    w->v = calloc((size_t)info->n + 1, sizeof *w->v);
    w->y = calloc((size_t)info->m + 1, sizeof *w->y);
    return w->g && w->lambda && w->v && w->y ? true : fail(w, "out of memory");
}

static bool certifies(const vs_certificate *c) {
    return c->natural_map_relative <= APP_COLLECT_CERTIFIED &&
           c->energy_error_relative <= fmax(APP_COLLECT_CERTIFIED, APP_COLLECT_ROUNDINGS * c->rounding);
}

// Keeps the result if it is better than the best one.
static void solve(work *w, const vs_problem_info *info, const approach *a, vs_certificate *best) {
    vs_solver_options options = vs_solver_options_default();
    vs_solver *solver = NULL;
    vs_result result;
    vs_certificate c;
    options.tolerance = a->tolerance;
    options.exact.patience = a->patience;
    bool solved = vs_solver_create(w->problem, &options, &solver) == VS_OK;
    if (solved && !a->anew && isfinite(best->natural_map_relative))
        solved = vs_solver_warm_start(solver, w->v, w->g, w->lambda) == VS_OK;
    solved = solved && vs_solver_solve(solver, &result) == VS_OK &&
             vs_certify(w->problem, VS_MODEL_EXACT, result.g, result.lambda, NULL, NULL, &c) == VS_OK;
    if (solved && fmax(c.natural_map_relative, c.energy_error_relative) <
                      fmax(best->natural_map_relative, best->energy_error_relative)) {
        if (info->m_e > 0)
            memcpy(w->g, result.g, sizeof *w->g * (size_t)info->m_e);
        memcpy(w->lambda, result.lambda, sizeof *w->lambda * (size_t)info->m);
        (void)vs_certify(w->problem, VS_MODEL_EXACT, w->g, w->lambda, w->v, w->y, best);
    }
    vs_solver_destroy(solver);
}

static void find_solution(work *w, const vs_problem_info *info) {
    vs_certificate best = {.natural_map_relative = INFINITY, .energy_error_relative = INFINITY};
    for (size_t k = 0; k < sizeof APPROACHES / sizeof *APPROACHES && !certifies(&best); k++)
        solve(w, info, &APPROACHES[k], &best);
    w->out->map = best.natural_map_relative;
    w->out->energy = best.energy_error_relative;
    w->out->rounding = best.rounding;
    w->out->certified = certifies(&best);
}

// How many sweeps the plainest method takes to a few digits: a number that does not depend on the machine.
static void rate(work *w) {
    vs_solver_options options = vs_solver_options_default();
    vs_solver *solver = NULL;
    vs_result result;
    options.method = VS_METHOD_GAUSS_SEIDEL;
    options.gauss_seidel.relaxation = 1;
    options.tolerance = DIFFICULTY_TOLERANCE;
    options.max_iterations = MEDIUM_SWEEPS;
    const bool solved = vs_solver_create(w->problem, &options, &solver) == VS_OK &&
                        vs_solver_solve(solver, &result) == VS_OK && result.status == VS_STATUS_CONVERGED;
    w->out->sweeps = solved ? result.iterations : -1;
    w->out->difficulty = !solved ? APP_HARD : w->out->sweeps <= EASY_SWEEPS ? APP_EASY : APP_MEDIUM;
    vs_solver_destroy(solver);
}

static bool presses(const work *w, const vs_problem_info *info) {
    for (int k = 0; k < info->m; k++)
        if (w->lambda[k] != 0)
            return true;
    return false;
}

// Rows of contacts that press, and of joints, over the velocities.
static double find_surplus(const work *w, const vs_problem_info *info) {
    const int *row = vs_problem_get_contact_rows(w->problem);
    int rows = info->m_e;
    for (int i = 0; i < info->contacts; i++)
        rows += w->lambda[row[i]] > 0 ? row[i + 1] - row[i] : 0;
    return info->n > 0 ? (double)rows / info->n : 0;
}

// ---- the file ---------------------------------------------------------------------------------------------------

static bool write_problem(work *w, uint64_t seed, const char *folder) {
    app_collected *c = w->out;
    char path[APP_COLLECT_PATH], text[1200], command[160];
    (void)snprintf(command, sizeof command, "voussoir collect --seed %llu --only %s -o DIR", (unsigned long long)seed,
                   c->name);
    (void)snprintf(text, sizeof text,
                   "%s: %s. Units: kg, m, s; impulses in N s, velocities in m/s. Step of 1/240 s unless the scene says "
                   "otherwise. Difficulty: %s. Split: %s. %s. Made by: %s",
                   w->recipe->holds, c->scene, app_difficulties[c->difficulty], c->held_out ? "held-out" : "tuning",
                   c->certified
                       ? "The solution holds to 1e-12, evaluated with velocities in twice the precision of doubles"
                       : "No solution to 1e-12 is known",
                   command);
    const vs_fclib_info info = {.title = c->name, .description = text};
    const vs_solution_view solution = {.v = w->v, .g = w->g, .lambda = w->lambda, .y = w->y};
    (void)snprintf(path, sizeof path, "%s/%s.hdf5", folder, c->name);
    if (vs_fclib_write_described(path, w->problem, c->certified ? &solution : NULL, &info) != VS_OK)
        return fail_error(w);
    if (!app_sha256_file(path, c->checksum, &c->bytes))
        return fail(w, "the file cannot be read back");
    if (c->bytes >= LEAST_BYTES && c->bytes <= MOST_BYTES)
        return true;
    (void)remove(path);
    return fail(w, "the file is too small or too large");
}

static bool collect(work *w, uint64_t seed, const char *folder) {
    app_collected *c = w->out;
    if (vs_context_create(NULL, &w->context) != VS_OK)
        return fail(w, "out of memory");
    if (!run_scene(w))
        return false;
    const vs_problem_info info = vs_problem_get_info(w->problem);
    if (info.contacts == 0 || info.contacts > MOST_CONTACTS || info.n > MOST_VELOCITIES)
        return fail(w, "no contacts, or too many unknowns");
    if (!allocate(w, &info))
        return false;
    find_solution(w, &info);
    if (!presses(w, &info))
        return fail(w, "nothing presses");
    rate(w);
    c->velocities = info.n, c->contacts = info.contacts, c->rows = info.m, c->joint_rows = info.m_e;
    c->mu_min = info.mu_min, c->mu_max = info.mu_max;
    c->mass_ratio = info.mass_min > 0 ? info.mass_max / info.mass_min : 0;
    c->surplus = find_surplus(w, &info);
    return write_problem(w, seed, folder);
}

static void release(work *w) {
    free(w->g), free(w->lambda), free(w->v), free(w->y);
    vs_simulation_destroy(w->simulation);
    vs_scene_destroy(w->scene);
    vs_context_destroy(w->context);
}

bool app_collect_is_held_out(const char *name) {
    char digits[APP_SHA256];
    app_sha256(name, strlen(name), digits);
    return digits[0] >= '8';
}

void app_collect_one(const app_recipe *recipe, uint64_t seed, int number, const char *folder,
                     app_collected *collected) {
    char name[APP_COLLECT_NAME], path[APP_COLLECT_PATH];
    (void)snprintf(name, sizeof name, "%s-%03d", recipe->family, number);
    *collected = (app_collected){.why = "the path is too long, or an input"};
    bool made = snprintf(path, sizeof path, "%s/%s.hdf5", folder, name) >= (int)sizeof path || !app_writes(path);
    for (int attempt = 0; attempt < MOST_ATTEMPTS && !made; attempt++) {
        work w = {.recipe = recipe, .draw = app_recipe_draw(recipe, seed, number, attempt), .out = collected};
        *collected = (app_collected){.attempt = attempt};
        (void)snprintf(collected->family, sizeof collected->family, "%s", recipe->family);
        memcpy(collected->name, name, sizeof name);
        collected->held_out = app_collect_is_held_out(collected->name);
        app_draw_describe(recipe, &w.draw, collected->scene, sizeof collected->scene);
        made = collect(&w, seed, folder);
        release(&w);
        if (made)
            collected->why[0] = '\0';
    }
}
