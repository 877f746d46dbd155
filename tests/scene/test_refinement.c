// Time steps can be refined: every step of every named scene meets the tolerance with a sixteenth of the step, by either
// scheme, and down to a microsecond, where gravity gives 1e-5 m/s in a step.
#include <stdio.h>
#include <string.h>

#include "scenes.h"
#include "voussoir/flexible.h"

enum { STEPS = 60, FLEXIBLE_STEPS = 5 };

// Steps that miss the tolerance; -1: the scheme has no flexible bodies.
static int count_missed(vs_context *context, const char *name, vs_scheme scheme, double step) {
    vs_scene *scene = NULL;
    vs_simulation *simulation = NULL;
    assert_int_equal(vs_scene_make(context, name, NULL, 0, &scene), VS_OK);
    const bool flexible = vs_world_get_flexible_count(scene->world) > 0;
    scene->options.scheme = scheme;
    scene->options.step = step > 0 ? step : scene->options.step / 16;
    assert_int_equal(vs_simulation_create(scene->world, &scene->options, &simulation), VS_OK);
    int missed = flexible && scheme == VS_SCHEME_SHAKE ? -1 : 0;
    for (int k = 0; k < (flexible ? FLEXIBLE_STEPS : STEPS) && missed >= 0; k++) {
        vs_step_report report;
        assert_int_equal(vs_simulation_step(simulation, &report), VS_OK);
        if (report.status != VS_STATUS_CONVERGED && missed++ == 0)
            printf("  %s, %g s, step %d: %s\n", name, scene->options.step, k + 1, report.status_text);
    }
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    return missed;
}

static void refine(void **state, vs_scheme scheme, double step) {
    (void)state;
    memory m = {0};
    vs_context *context = make_context(&m);
    int missed = 0;
    for (int k = 0; k < vs_scene_count(); k++) {
        int more = count_missed(context, vs_scene_at(k).name, scheme, step);
        missed += more > 0 ? more : 0;
    }
    end_context(context, &m);
    assert_int_equal(missed, 0);
}

static void a_sixteenth_of_the_step_is_certified(void **state) {
    refine(state, VS_SCHEME_MOREAU, 0);
}

static void a_sixteenth_of_the_step_is_certified_with_shake(void **state) {
    refine(state, VS_SCHEME_SHAKE, 0);
}

static void a_microsecond_is_certified(void **state) {
    refine(state, VS_SCHEME_MOREAU, 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sixteenth_of_the_step_is_certified),
        cmocka_unit_test(a_sixteenth_of_the_step_is_certified_with_shake),
        cmocka_unit_test(a_microsecond_is_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
