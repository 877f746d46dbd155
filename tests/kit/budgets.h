// Simulations under budgets of time or of iterations that are far too small: does anything fall through or explode?
#ifndef VS_TESTS_KIT_BUDGETS_H
#define VS_TESTS_KIT_BUDGETS_H

#include <math.h>
#include <string.h>

#include "kit/random.h"
#include "voussoir/scene.h"

typedef struct budget_scene {
    const char *name, *count; // a named scene and the parameter that makes it larger
    int least, most;          // values of it
    double size;              // m, of the smallest body
    double step;              // s
} budget_scene;

static const budget_scene budget_scenes[] = {
    {"balls-in-box", "count", 10, 80, .14, 1. / 240}, {"sphere-pile", "levels", 2, 5, .1, 1. / 240},
    {"hopper", "count", 20, 80, .04, 1. / 240},       {"rotating-drum", "count", 10, 50, .04, 1. / 240},
    {"chute", "count", 10, 50, .04, 1. / 240},        {"primitive-soup", "count", 10, 40, .05, 1. / 240},
    {"stacked-spheres", "count", 2, 6, .2, 1. / 240}, {"brick-wall", "rows", 2, 6, .065, 1. / 240},
    {"arch", "stones", 5, 15, .2, 1. / 240},          {"kapla-tower", "levels", 3, 10, .008, 1. / 240},
    {"domino", "count", 5, 20, .0075, 1. / 240},      {"card-house", "levels", 1, 3, .002, 1. / 240},
    {"newton-cradle", "count", 2, 6, .04, 1. / 240},  {"gripper", NULL, 0, 0, .04, 1. / 240},
    {"four-bar", NULL, 0, 0, .2, 1. / 240},           {"slider-crank", NULL, 0, 0, .1, 1. / 240},
};
enum { BUDGET_SCENES = sizeof budget_scenes / sizeof *budget_scenes };

typedef struct budget_case {
    int scene, count;
    double seconds; // of a contact problem; 0: iterations are limited
    int iterations; // -1: time is
    double tolerance;
    vs_model model;
    int steps;
} budget_case;

typedef struct budget_result {
    vs_error error;
    double depth;  // largest penetration over the size of the smallest body
    double excess; // largest energy beyond that of the start and the work, over weight times that size
    int limited;   // steps that ended by the budget
    int untouched; // of these, steps without a single iteration although their start was bad
} budget_result;

// The case with this number; timed: time is limited in half of them, else in none.
static inline budget_case budget_number(int number, bool timed) {
    uint64_t seed = (uint64_t)number * 0x9e3779b97f4a7c15u + 4711;
    for (int k = 0; k < 4; k++) // neighbours have nothing in common
        seed = (seed ^ seed >> 31) * 0x94d049bb133111ebu;
    const double tolerances[] = {1e-4, 1e-6, 1e-8};
    budget_case c = {.scene = number % BUDGET_SCENES, .iterations = -1, .steps = 120};
    const budget_scene *scene = &budget_scenes[c.scene];
    c.count = scene->least + random_below(&seed, scene->most - scene->least + 1);
    c.tolerance = tolerances[random_below(&seed, 3)];
    c.model = random_unit(&seed) < .2 ? VS_MODEL_RELAXED : VS_MODEL_EXACT;
    const double part = random_unit(&seed);
    if (timed && random_unit(&seed) < .5)
        c.seconds = 1e-5 * pow(5e3, part);
    else
        c.iterations = (int)pow(100, part);
    return c;
}

static inline void budget_watch(const budget_scene *scene, vs_simulation *simulation, vs_world *world,
                                const budget_case *c, budget_result *result) {
    const vs_energy start = vs_world_get_energy(world);
    double weight = 0;
    for (int k = 0; k < vs_world_get_body_count(world); k++) {
        double mass = 0;
        if (!vs_world_get_body_mass(world, vs_world_get_body_at(world, k), &mass, NULL))
            weight += 9.81 * mass;
    }
    for (int k = 0; k < c->steps && !result->error; k++) {
        vs_step_report report;
        result->error = vs_simulation_step(simulation, &report);
        if (result->error)
            return;
        const double work = report.total.loads + report.total.motors + report.total.prescribed;
        const double gained = report.energy.kinetic + report.energy.potential - start.kinetic - start.potential - work;
        result->depth = fmax(result->depth, report.penetration / scene->size);
        result->excess = fmax(result->excess, gained / (weight * scene->size));
        result->limited += report.status == VS_STATUS_TIME_LIMIT || report.status == VS_STATUS_ITERATION_LIMIT;
        result->untouched +=
            report.status != VS_STATUS_CONVERGED && report.iterations == 0 && report.relative_error > .1;
    }
}

static inline budget_result budget_run(vs_context *context, const budget_case *c) {
    const budget_scene *scene = &budget_scenes[c->scene];
    const vs_scene_parameter parameter = {scene->count, c->count};
    budget_result result = {0};
    vs_scene *made = NULL;
    vs_simulation *simulation = NULL;
    result.error = vs_scene_make(context, scene->name, &parameter, scene->count != NULL, &made);
    if (!result.error) {
        made->options.step = scene->step;
        made->options.solver.model = c->model;
        made->options.solver.tolerance = c->tolerance;
        made->options.solver.max_time = c->seconds;
        made->options.solver.max_iterations = c->iterations;
        result.error = vs_simulation_create(made->world, &made->options, &simulation);
    }
    if (!result.error)
        budget_watch(scene, simulation, made->world, c, &result);
    vs_simulation_destroy(simulation);
    vs_scene_destroy(made);
    return result;
}

#endif
