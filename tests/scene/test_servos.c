// Servos: a wall presses with the force that it should, within the bound of its speed, and what is refused.
#include "kit/fixture.h"
#include "scenes.h"

#include "voussoir/servo.h"

// A ball of 0.1 m on a rigid floor, and a plane half a millimetre above it, whose contact has the stiffness K. Without gravity.
static const double STEP = .001, K = 1e6, GAIN = 1e-4;

#define SCENE(keys, more)                                                                                              \
    "{\"voussoir\": 1, \"step\": 0.001, \"gravity\": [0, 0, 0], \"solver\": {\"tolerance\": 1e-12}, \"materials\": "   \
    "{\"hard\": {\"mu\": 0}, \"soft\": {\"mu\": 0}}, "                                                                 \
    "\"pairs\": [{\"between\": [\"hard\", \"soft\"], \"mu\": 0, \"stiffness\": 1e6}], \"bodies\": ["                   \
    "{\"name\": \"press\", \"motion\": \"kinematic\", \"material\": \"soft\", \"position\": [0, 0, 0.1005], "          \
    "\"rotation\": {\"axis\": [1, 0, 0], \"angle\": 3.141592653589793}, \"shape\": {\"kind\": \"plane\"}" keys "}, "   \
    "{\"motion\": \"static\", \"shape\": {\"kind\": \"plane\"}}, "                                                     \
    "{\"position\": [0, 0, 0.05], \"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}}" more "]}"
#define SERVO(target) ", \"servo\": {\"direction\": [0, 0, -2], " target ", \"gain\": 1e-4, \"speed\": 0.002}"

typedef struct running {
    vs_context *context;
    vs_scene *scene;
    vs_simulation *simulation;
    vs_body_id press;
} running;

static running begin(void **state, const char *text) {
    running r = {.context = context_of(state)};
    must(vs_scene_parse(r.context, text, strlen(text), "servos", NULL, 0, &r.scene), r.context);
    must(vs_simulation_create(r.scene->world, &r.scene->options, &r.simulation), r.context);
    r.press = vs_world_get_body_at(r.scene->world, 0);
    return r;
}

static void end(running *r) {
    vs_simulation_destroy(r->simulation);
    vs_scene_destroy(r->scene);
}

static vs_servo_state step(const running *r, int steps) {
    vs_servo_state state;
    for (int k = 0; k < steps; k++)
        must(vs_simulation_step(r->simulation, NULL), r->context);
    must(vs_world_get_servo(r->scene->world, r->press, &state), r->context);
    return state;
}

static void the_force_follows_its_target(void **state) {
    running r = begin(state, SCENE(SERVO("\"force\": 50"), ""));
    vs_servo_state now = step(&r, 100);
    assert_true(now.force == 0 && now.target == 50);
    assert_close(now.speed, .002, 1e-15); // the bound, along its direction
    while (now.force < 35)
        now = step(&r, 1);
    // From here on within the bound: each step leaves 1 - gain K h of the error.
    for (int k = 0; k < 20; k++) {
        const vs_servo_state next = step(&r, 1);
        assert_close(50 - next.force, (1 - GAIN * K * STEP) * (50 - now.force), 1e-6);
        now = next;
    }
    assert_close(step(&r, 300).force, 50, 1e-6);
    end(&r);
}

static void a_ramp_is_followed_at_a_constant_distance(void **state) {
    running r = begin(state, SCENE(SERVO("\"force\": \"10 + 20*t\""), ""));
    vs_servo_state now = step(&r, 800);
    // Targets are means over a step, with the force of the step before: rate/(gain K) from there, and a step's change less from here.
    const double lag = 20 / (GAIN * K) - 20 * STEP;
    assert_close(10 + 20 * (r.scene->world->time - .5 * STEP) - now.force, lag, 1e-6);
    end(&r);
}

static void a_stress_is_that_of_the_area_between_bodies(void **state) {
    running r =
        begin(state, SCENE(SERVO("\"stress\": 1000, \"across\": [[\"w\", \"e\"], [\"s\", \"n\"]]"),
                           ", {\"name\": \"w\", \"motion\": \"static\", \"position\": [-1, 0, 7]}, {\"name\": \"e\", "
                           "\"motion\": \"static\", \"position\": [-0.8, 0, 0]}, {\"name\": \"s\", \"motion\": "
                           "\"static\", \"position\": [0, 1, 0]}, {\"name\": \"n\", \"motion\": \"static\", "
                           "\"position\": [0, 1.3, 0]}"));
    assert_close(step(&r, 1).target, 60, 1e-9);
    assert_close(step(&r, 700).force, 60, 1e-6);
    end(&r);
}

static void the_drive_keeps_the_other_components(void **state) {
    running r =
        begin(state, SCENE(SERVO("\"force\": 50") ", \"drive\": {\"velocity\": [0.1, 0, 7], \"spin\": [0, 0, 1]}", ""));
    (void)step(&r, 50);
    vs_body_state body;
    must(vs_world_get_body_state(r.scene->world, r.press, &body), r.context);
    assert_close(body.velocity.x, .1, 1e-15);
    assert_close(body.velocity.z, -.002, 1e-15);
    assert_close(body.spin.z, 1, 1e-12);
    end(&r);
}

static void a_saved_state_goes_on_with_the_same_bits(void **state) {
    running r = begin(state, SCENE(SERVO("\"force\": 50"), ""));
    (void)step(&r, 275); // presses, but not yet with all of it
    size_t count;
    (void)vs_simulation_save(r.simulation, NULL, 0, &count);
    void *bytes = vs_allocate(r.context, count);
    must(vs_simulation_save(r.simulation, bytes, count, &count), r.context);
    const double first = step(&r, 5).force;
    assert_true(first > 1 && first < 49);
    (void)step(&r, 50);
    must(vs_simulation_restore(r.simulation, bytes, count), r.context);
    assert_true(step(&r, 5).force == first);
    vs_release(r.context, bytes);
    must(vs_simulation_reset(r.simulation, 0), r.context);
    vs_servo_state now;
    must(vs_world_get_servo(r.scene->world, r.press, &now), r.context);
    assert_true(now.force == 0);
    end(&r);
}

// ---- refusals --------------------------------------------------------------------------------------

static void refuse(void **state, const char *text, const char *reason) {
    vs_context *context = context_of(state);
    vs_scene *scene = NULL;
    assert_int_not_equal(vs_scene_parse(context, text, strlen(text), "servos", NULL, 0, &scene), VS_OK);
    if (!strstr(vs_context_get_error_text(context), reason))
        fail_msg("no '%s' in: %s", reason, vs_context_get_error_text(context));
}

static void scenes_without_meaning_are_refused(void **state) {
    refuse(state, SCENE(", \"servo\": {\"direction\": [0, 0, 0], \"force\": 1, \"gain\": 1, \"speed\": 1}", ""),
           "direction");
    refuse(state, SCENE(", \"servo\": {\"direction\": [0, 0, 1], \"gain\": 1, \"speed\": 1}", ""), "either");
    refuse(state, SCENE(SERVO("\"force\": 1, \"stress\": 1"), ""), "either");
    refuse(state, SCENE(SERVO("\"stress\": 1"), ""), "across");
    refuse(state, SCENE(SERVO("\"force\": 1, \"across\": [[\"press\", \"press\"], [\"press\", \"press\"]]"), ""),
           "across");
    refuse(state, SCENE(SERVO("\"stress\": 1, \"across\": [[\"press\", \"world\"], [\"press\", \"press\"]]"), ""),
           "world");
    refuse(state, SCENE(SERVO("\"stress\": 1, \"across\": [[\"press\", \"none\"], [\"press\", \"press\"]]"), ""),
           "none");
    refuse(state, SCENE(", \"servo\": {\"direction\": [0, 0, 1], \"force\": 1, \"gain\": 0, \"speed\": 1}", ""),
           "gain");
    refuse(state,
           SCENE("", ", {\"mass\": 1, \"inertia\": [1, 1, 1], \"servo\": {\"direction\": [0, 0, 1], \"force\": 1, "
                     "\"gain\": 1, \"speed\": 1}}"),
           "kinematic");
}

static void what_has_no_servos_says_so(void **state) {
    running r = begin(state, SCENE(SERVO("\"force\": 50"), ""));
    vs_simulation_options options = r.scene->options;
    options.accuracy = 1e-3;
    vs_simulation *controlled;
    vs_servo_state now;
    const vs_error error = vs_simulation_create(r.scene->world, &options, &controlled);
    if (!error)
        assert_int_not_equal(vs_simulation_step(controlled, NULL), VS_OK);
    vs_simulation_destroy(error ? NULL : controlled);
    assert_int_equal(vs_world_get_servo(r.scene->world, vs_world_get_body_at(r.scene->world, 2), &now),
                     VS_ERROR_ARGUMENT);
    must(vs_world_remove_body(r.scene->world, r.press), r.context);
    assert_int_equal(vs_world_get_servo(r.scene->world, r.press, &now), VS_ERROR_ARGUMENT);
    end(&r);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(the_force_follows_its_target),
        CASE(a_ramp_is_followed_at_a_constant_distance),
        CASE(a_stress_is_that_of_the_area_between_bodies),
        CASE(the_drive_keeps_the_other_components),
        CASE(a_saved_state_goes_on_with_the_same_bits),
        CASE(scenes_without_meaning_are_refused),
        CASE(what_has_no_servos_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
