// Certificates: what vs_measure() finds, where it can; errors that it excuses as rounding; wrong impulses.
#include "kit/compare.h"
#include "kit/fixture.h"
#include "voussoir/voussoir.h"

#include <math.h>
#include <string.h>

// A named scene at a step, and the impulses that solve its contact problem to a tolerance.
typedef struct solved {
    vs_scene *scene;
    vs_simulation *simulation;
    const vs_problem *problem;
    vs_solver *solver;
    vs_result result;
} solved;

static solved solve(vs_context *context, const char *name, int steps, double rolling, double tolerance) {
    solved s = {0};
    vs_solver_options options = vs_solver_options_default();
    assert_int_equal(vs_scene_make(context, name, NULL, 0, &s.scene), VS_OK);
    if (rolling > 0) {
        vs_material material = vs_world_get_material_pair(s.scene->world, 0, 0);
        material.rolling = material.spinning = rolling;
        assert_int_equal(vs_world_set_material_pair(s.scene->world, 0, 0, &material), VS_OK);
    }
    assert_int_equal(vs_simulation_create(s.scene->world, &s.scene->options, &s.simulation), VS_OK);
    for (int k = 0; k < steps; k++)
        assert_int_equal(vs_simulation_step(s.simulation, NULL), VS_OK);
    s.problem = vs_simulation_get_problem(s.simulation);
    options.tolerance = tolerance;
    assert_int_equal(vs_solver_create(s.problem, &options, &s.solver), VS_OK);
    assert_int_equal(vs_solver_solve(s.solver, &s.result), VS_OK);
    return s;
}

static void end(solved *s) {
    vs_solver_destroy(s->solver);
    vs_simulation_destroy(s->simulation);
    vs_scene_destroy(s->scene);
}

static const struct {
    const char *name;
    int steps;
    double rolling;
} cases[] = {{"card-house", 5, 0},
             {"sphere-pile", 10, .003},
             {"gripper", 20, 0},
             {"bridge", 60, 0},
             {"elastic-foundation", 5, 0}};

// At 1e-6 rounding is far below the errors: both ways to them agree, in all kinds of rows.
static void agrees_with_the_measures_where_rounding_does_not_count(void **state) {
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        vs_certificate c;
        vs_measurer *measurer;
        vs_measures q;
        solved s = solve(context_of(state), cases[k].name, cases[k].steps, cases[k].rolling, 1e-6);
        const vs_problem_info info = vs_problem_get_info(s.problem);
        double *l = malloc(sizeof *l * (size_t)info.m);
        for (int i = 0; i < info.m; i++)
            l[i] = s.result.lambda[i] * (1 + 1e-4); // an error that is well above all floors
        assert_int_equal(vs_measurer_create(s.problem, VS_MODEL_EXACT, &measurer), VS_OK);
        assert_int_equal(vs_measure(measurer, s.result.g, l, NULL, NULL, &q), VS_OK);
        assert_int_equal(vs_certify(s.problem, VS_MODEL_EXACT, s.result.g, l, NULL, NULL, &c), VS_OK);
        // Sums of doubles: 1e-16 of terms that may be 1e4 times their sum, over an error of 1e-6 and more.
        assert_relative(c.energy_error, q.energy_error, 1e-6);
        assert_relative(c.natural_map_relative, q.natural_map_relative, 1e-6);
        free(l);
        vs_measurer_destroy(measurer);
        end(&s);
    }
}

// A stack whose upper sphere is 1e6 times heavier: the rounding of the impulses is what remains, and is told.
static void tells_the_rounding_of_impulses(void **state) {
    const vs_scene_parameter ratio[] = {{"count", 2}, {"ratio", 1e8}};
    vs_scene *scene;
    vs_simulation *simulation;
    vs_certificate c;
    assert_int_equal(vs_scene_make(context_of(state), "stacked-spheres", ratio, 2, &scene), VS_OK);
    assert_int_equal(vs_simulation_create(scene->world, NULL, &simulation), VS_OK);
    assert_int_equal(vs_simulation_step(simulation, NULL), VS_OK);
    const vs_problem *problem = vs_simulation_get_problem(simulation);
    const vs_result *result = vs_simulation_get_result(simulation);
    assert_int_equal(vs_certify(problem, VS_MODEL_EXACT, result->g, result->lambda, NULL, NULL, &c), VS_OK);
    assert_true(c.rounding > 1e-10);
    assert_below(c.natural_map_relative, 1e-14);
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
}

// Velocities are those of the impulses: H v = D'l - c, here of one block whose rows cancel to the last digits.
static void velocities_keep_the_digits_that_cancel(void **state) {
    const double H = 3, c = 0, one = 1, three = 3;
    const double *D[2] = {&one, &three};
    const int block = 0;
    vs_problem_builder *builder;
    vs_problem *problem;
    assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 1, &H, &c, NULL), VS_OK);
    for (int k = 0; k < 2; k++) {
        vs_problem_contact_def contact = vs_problem_contact_def_default();
        contact.blocks = 1;
        contact.block = &block;
        contact.jacobian = &D[k];
        contact.frictionless = true;
        assert_int_equal(vs_problem_builder_add_contact(builder, &contact, NULL), VS_OK);
    }
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    // v = (l0 + 3 l1)/3 with l0 = 1 + 2^-52, l1 = -1/3 rounded: 1 ulp of 1 and the rounding of a third remain.
    const double l[2] = {1 + 0x1p-52, -1.0 / 3};
    vs_certificate q;
    double v, y[2];
    assert_int_equal(vs_certify(problem, VS_MODEL_EXACT, NULL, l, &v, y, &q), VS_OK);
    const double exact = (0x1p-52 + 0x1p-54) / 3; // 3 fl(1/3) = 1 - 2^-54
    assert_relative(v, exact, 1e-15);
    assert_relative(y[1], 3 * exact, 1e-15);
    assert_int_equal(vs_certify(problem, VS_MODEL_EXACT, NULL, NULL, NULL, NULL, &q), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_certify(problem, (vs_model)7, NULL, l, NULL, NULL, &q), VS_ERROR_ARGUMENT);
    const double wrong[2] = {NAN, 0};
    assert_int_equal(vs_certify(problem, VS_MODEL_EXACT, NULL, wrong, NULL, NULL, &q), VS_OK);
    assert_true(isnan(q.natural_map_relative)); // no comparison with a bound holds
    vs_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(agrees_with_the_measures_where_rounding_does_not_count, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tells_the_rounding_of_impulses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(velocities_keep_the_digits_that_cancel, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
