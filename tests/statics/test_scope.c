// What statics refuses instead of a verdict about another structure, and the text that names it.
#include <string.h>

#include "assemblies.h"

static vs_world *make_block(vs_context *context, double z, vs_body_id *block) {
    vs_world *world = make_world(context, .5, (vs_vec3){0, 0, -9.81});
    add_floor(context, world);
    *block = add_box(context, world, (vs_vec3){.5, .5, .5}, at(0, 0, z), VS_MOTION_DYNAMIC);
    return world;
}

static void expect_text(const vs_context *context, const char *part) {
    if (!strstr(vs_context_get_error_text(context), part))
        fail_msg("'%s' does not say '%s'", vs_context_get_error_text(context), part);
}

// A load that grows from 0 to above the weight: refused without a time, judged with one.
static void loads_that_change_need_a_time(void **state) {
    vs_context *context = context_of(state);
    vs_body_id block;
    vs_world *world = make_block(context, .5, &block);
    const double time[] = {0, 1}, lift[] = {0, 20000};
    const vs_signal up[3] = {
        {.value = 0}, {.value = 0}, {.kind = VS_SIGNAL_TABLE, .time = time, .sample = lift, .count = 2}};
    const vs_signal none[3] = {{.value = 0}};
    vs_statics *s;
    assert_int_equal(vs_world_add_load(world, block, up, none), VS_OK);
    assert_int_equal(vs_statics_create(world, NULL, &s), VS_ERROR_UNSUPPORTED);
    expect_text(context, "a load on body '#0' changes with time");
    for (int k = 0; k < 2; k++) {
        vs_interface_options options = vs_interface_options_default();
        vs_statics_result r;
        options.time = time[k];
        assert_int_equal(vs_statics_create(world, &options, &s), VS_OK);
        assert_int_equal(vs_statics_solve(s, &r), VS_OK);
        assert_int_equal(r.verdict, k == 0 ? VS_VERDICT_STANDS : VS_VERDICT_FALLS);
        vs_statics_destroy(s);
    }
    vs_world_destroy(world);
}

// Gravity as a signal: refused if it changes, taken at its time, and no matter if all its values are the same.
static void gravity_that_changes_needs_a_time(void **state) {
    vs_context *context = context_of(state);
    vs_body_id block;
    vs_world *world = make_block(context, .5, &block);
    vs_signal gravity[3] = {{.kind = VS_SIGNAL_EXPRESSION, .expression = "9.81 * t"}, {.value = 0}, {.value = -9.81}};
    vs_statics *s;
    vs_interface_options options = vs_interface_options_default();
    assert_int_equal(vs_world_set_gravity_signal(world, gravity), VS_OK);
    assert_int_equal(vs_statics_create(world, NULL, &s), VS_ERROR_UNSUPPORTED);
    expect_text(context, "gravity changes with time");
    options.time = 1; // 45 degrees
    assert_int_equal(vs_statics_create(world, &options, &s), VS_OK);
    vs_statics_result r;
    assert_int_equal(vs_statics_solve(s, &r), VS_OK);
    assert_int_equal(r.verdict, VS_VERDICT_FALLS);
    vs_statics_destroy(s);
    gravity[0].expression = "9.81 / 3";
    assert_int_equal(vs_world_set_gravity_signal(world, gravity), VS_OK);
    s = make_statics(world);
    assert_int_equal(vs_statics_solve(s, &r), VS_OK);
    assert_int_equal(r.verdict, VS_VERDICT_STANDS);
    vs_statics_destroy(s);
    vs_world_destroy(world);
}

static void loads_must_be_finite(void **state) {
    vs_context *context = context_of(state);
    vs_body_id block;
    vs_world *world = make_block(context, .5, &block);
    const vs_signal force[3] = {{.kind = VS_SIGNAL_EXPRESSION, .expression = "1 / t"}, {.value = 0}, {.value = 0}};
    const vs_signal none[3] = {{.value = 0}};
    vs_interface_options options = vs_interface_options_default();
    vs_statics *s;
    options.time = 0;
    assert_int_equal(vs_world_add_load(world, block, force, none), VS_OK);
    assert_int_equal(vs_statics_create(world, &options, &s), VS_ERROR_DATA);
    expect_text(context, "the load on body '#0' is not finite at t = 0 s");
    vs_world_destroy(world);
}

// A support that moves is at rest only if the user says so; a moving surface never is.
static void moving_supports(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .5, (vs_vec3){0, 0, -9.81});
    vs_body_id table = add_box(context, world, (vs_vec3){1, 1, .5}, at(0, 0, .5), VS_MOTION_KINEMATIC);
    add_box(context, world, (vs_vec3){.5, .5, .5}, at(0, 0, 1.5), VS_MOTION_DYNAMIC);
    vs_interface_options options = vs_interface_options_default();
    vs_statics *s = make_statics(world); // kinematic, but at rest
    vs_statics_destroy(s);
    const vs_signal velocity[3] = {{.value = .1}}, none[3] = {{.value = 0}};
    assert_int_equal(vs_world_set_drive(world, table, velocity, none), VS_OK);
    assert_int_equal(vs_statics_create(world, NULL, &s), VS_ERROR_UNSUPPORTED);
    expect_text(context, "body '#0' moves and carries blocks");
    options.time = 1; // its place at that time is not known
    assert_int_equal(vs_statics_create(world, &options, &s), VS_ERROR_UNSUPPORTED);
    options.time = 0;
    assert_int_equal(vs_statics_create(world, &options, &s), VS_OK);
    vs_statics_destroy(s);
    vs_collider_def belt = vs_collider_def_default();
    assert_int_equal(vs_shape_box(context, (vs_vec3){.5, .5, .5}, &belt.shape), VS_OK);
    belt.pose = at(0, 0, 2.5);
    belt.surface_velocity = (vs_vec3){1, 0, 0};
    assert_int_equal(vs_world_add_collider(world, &belt, NULL), VS_OK);
    vs_shape_release(belt.shape);
    assert_int_equal(vs_statics_create(world, &options, &s), VS_ERROR_UNSUPPORTED);
    expect_text(context, "body 'world' has a moving surface");
    vs_world_destroy(world);
}

// Overlaps up to the distance of the options, relative to the smaller stone, are those of a drawing; deeper ones and stones
// that were drawn twice are refused, with names and depth. Interfaces can be looked at.
static void deep_overlaps(void **state) {
    static const double z[] = {.5 - 5e-4, .5 - 5e-3, -10};
    vs_context *context = context_of(state);
    vs_statics_result r;
    vs_limit_result limit;
    vs_law_check law;
    vs_body_id block;
    for (int k = 0; k < 3; k++) {
        vs_world *world = make_block(context, z[k], &block);
        vs_statics *s = make_statics(world);
        assert_int_equal(vs_statics_solve(s, &r), k == 0 ? VS_OK : VS_ERROR_DATA);
        if (k > 0)
            expect_text(context, "bodies 'world' and '#0' overlap by");
        vs_statics_destroy(s);
        vs_world_destroy(world);
    }
    vs_world *world = make_block(context, .5, &block);
    add_box(context, world, (vs_vec3){.5, .5, .5}, at(0, 0, .5), VS_MOTION_DYNAMIC);
    vs_statics *s = make_statics(world);
    assert_true(vs_statics_get_report(s).interfaces > 0);
    assert_int_equal(vs_statics_solve(s, &r), VS_ERROR_DATA);
    expect_text(context, "bodies '#0' and '#1' overlap by 1 m");
    assert_int_equal(vs_statics_add_live_weight(s, (vs_vec3){1, 0, 0}), VS_OK);
    assert_int_equal(vs_statics_find_limit(s, &limit), VS_ERROR_DATA);
    assert_int_equal(vs_statics_check_law(s, &law), VS_ERROR_DATA);
    vs_statics_destroy(s);
    vs_world_destroy(world);
}

// The foot of a needle is a face, however small beside its length.
static void needle_on_the_floor(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .5, (vs_vec3){0, 0, -9.81});
    add_floor(context, world);
    add_box(context, world, (vs_vec3){2.5e-4, 2.5e-4, 5}, at(0, 0, 5), VS_MOTION_DYNAMIC);
    vs_statics *s = make_statics(world);
    vs_statics_result r;
    assert_int_equal(vs_statics_get_report(s).contacts, 4);
    assert_int_equal(vs_statics_solve(s, &r), VS_OK);
    assert_int_equal(r.verdict, VS_VERDICT_STANDS);
    vs_statics_destroy(s);
    vs_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(loads_that_change_need_a_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gravity_that_changes_needs_a_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(loads_must_be_finite, set_up, tear_down),
        cmocka_unit_test_setup_teardown(moving_supports, set_up, tear_down),
        cmocka_unit_test_setup_teardown(deep_overlaps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(needle_on_the_floor, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
