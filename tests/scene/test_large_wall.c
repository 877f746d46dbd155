// A wall of more than 1000 bricks, put up at once: its first step, without a warm start, takes a few factorizations, not
// thousands of sweeps. Later ones begin with its forces.
#include "kit/fixture.h"
#include "voussoir/scene.h"
#include "voussoir/simulation.h"

static void first_step_takes_few_factorizations(void **state) {
    vs_context *context = context_of(state);
    const vs_scene_parameter size[] = {{"rows", 33}, {"columns", 33}};
    vs_scene *scene = NULL;
    vs_simulation *simulation = NULL;
    vs_step_report report;
    assert_int_equal(vs_scene_make(context, "brick-wall", size, 2, &scene), VS_OK);
    assert_true(vs_world_get_body_count(scene->world) > 1000);
    assert_int_equal(vs_simulation_create(scene->world, &scene->options, &simulation), VS_OK);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(vs_simulation_step(simulation, &report), VS_OK);
        assert_int_equal(report.status, VS_STATUS_CONVERGED);
        printf("  step %d: %d contacts, %d iterations, %d factorizations\n", k + 1, report.contacts, report.iterations,
               report.factorizations);
        assert_true(report.factorizations <= 60);
        assert_true(report.iterations <= 1000); // sweeps, too
    }
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(first_step_takes_few_factorizations, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
