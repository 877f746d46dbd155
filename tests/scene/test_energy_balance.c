// The energy balance of every named scene: it closes to rounding, and there is no work where nothing can do any.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes.h"

static const double DURATION = .2; // s; balls of scenes that drop some have landed

// Scenes with motors, kinematic bodies, loads or prescribed nodes.
static bool has_work(const char *name) {
    static const char *const with[] = {"rotating-drum",       "four-bar",     "slider-crank", "gripper",
                                       "three-point-bending", "soft-gripper", "rope-on-drum"};
    for (size_t k = 0; k < sizeof with / sizeof *with; k++)
        if (strcmp(name, with[k]) == 0)
            return true;
    return false;
}

typedef struct balance {
    vs_energy begin, end;
    vs_energy_flow total, sum; // as reported, and summed here
    double work, dissipation;
    int steps;
} balance;

static balance follow(vs_context *context, const char *name, double step, double duration) {
    vs_scene *scene = NULL;
    vs_simulation *simulation = NULL;
    assert_int_equal(vs_scene_make(context, name, NULL, 0, &scene), VS_OK);
    if (step > 0)
        scene->options.step = step;
    assert_int_equal(vs_simulation_create(scene->world, &scene->options, &simulation), VS_OK);
    balance b = {.begin = vs_world_get_energy(scene->world), .steps = (int)ceil(duration / scene->options.step)};
    for (int k = 0; k < b.steps; k++) {
        vs_step_report r;
        assert_int_equal(vs_simulation_step(simulation, &r), VS_OK);
        b.work += r.work, b.dissipation += r.dissipation, b.total = r.total;
        b.sum.loads += r.flow.loads, b.sum.motors += r.flow.motors, b.sum.prescribed += r.flow.prescribed;
        b.sum.friction += r.flow.friction, b.sum.impacts += r.flow.impacts, b.sum.dampers += r.flow.dampers;
        b.sum.discretization += r.flow.discretization;
    }
    b.end = vs_world_get_energy(scene->world);
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    return b;
}

static double largest_term(const balance *b) {
    const vs_energy_flow *t = &b->total;
    const double term[] = {b->begin.kinetic, b->begin.potential, b->end.kinetic,   b->end.potential,
                           t->loads,         t->motors,          t->prescribed,    t->friction,
                           t->impacts,       t->dampers,         t->discretization};
    double most = 0;
    for (size_t k = 0; k < sizeof term / sizeof *term; k++)
        most = fmax(most, fabs(term[k]));
    return most;
}

static void every_balance_closes_to_rounding(void **state) {
    (void)state;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    for (int k = 0; k < vs_scene_count(); k++) {
        const char *name = vs_scene_at(k).name;
        const balance b = follow(context, name, 0, DURATION);
        const vs_energy_flow *t = &b.total;
        const double change = b.end.kinetic + b.end.potential - b.begin.kinetic - b.begin.potential;
        const double parts = t->loads + t->motors + t->prescribed - t->friction - t->impacts - t->dampers;
        const double rest = change - parts - t->discretization;
        printf("  %-20s change %10.3g J, discretization %10.3g J, open %8.1e J\n", name, change, t->discretization,
               rest);
        // 48 steps or more, each with a few roundings of the largest term
        if (!(fabs(rest) <= 1e-12 * largest_term(&b)))
            fail_msg("%s: the balance is open by %g J", name, rest);
        if (memcmp(t, &b.sum, sizeof *t) != 0)
            fail_msg("%s: the totals are not the sums of the steps", name);
        if (!has_work(name) && b.work != 0)
            fail_msg("%s: %g J of work, but nothing does any", name, b.work);
        if (has_work(name) && b.work == 0)
            fail_msg("%s: no work", name);
        assert_true(b.end.elastic >= 0);
    }
    vs_context_destroy(context);
}

// Nothing acts on the chain but gravity, and its joints are ideal: its whole change of energy is the error of the scheme,
// which becomes smaller with the step.
static void the_chain_has_only_the_error_of_the_scheme(void **state) {
    (void)state;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(NULL, &context), VS_OK);
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        const balance b = follow(context, "chain", fine ? 1. / 960 : 1. / 240, .5);
        assert_true(b.work == 0 && b.dissipation == 0);
        error[fine] = b.total.discretization;
    }
    printf("  %g J, with a quarter of the step %g J\n", error[0], error[1]);
    assert_true(error[0] < 0 && error[1] < 0);
    assert_true(error[1] / error[0] < .5); // order 0.6 was seen: 0.43
    vs_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_balance_closes_to_rounding),
        cmocka_unit_test(the_chain_has_only_the_error_of_the_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
