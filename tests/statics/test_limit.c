// Limit loads against closed forms, their proved bounds, and factors of Coulomb's law without dilatancy.
#include "assemblies.h"

static const double g = 9.81;
static const vs_vec3 down = {0, 0, -9.81};

static vs_limit_result find(vs_statics *s) {
    vs_limit_result r;
    assert_int_equal(vs_statics_find_limit(s, &r), VS_OK);
    return r;
}

// Bounds include the value, and each other.
static void check_factor(const vs_limit_result *r, double expected) {
    assert_int_equal(r->status, VS_LIMIT_FOUND);
    assert_relative(r->factor, expected, 1e-9);
    assert_true(r->lower <= r->upper);
    assert_below(r->lower, expected * (1 + 1e-12));
    assert_below(expected * (1 - 1e-12), r->upper);
    assert_below(r->upper - r->lower, 1e-7 * expected);
    assert_true(r->forces.holds && r->mechanism.holds && r->mechanism.exact);
}

// A column of drums under a horizontal part of its weight is a monolith: it tips at b/h, or slides at mu.
static void column_of_drums(void **state) {
    static const double friction[] = {.6, .15};
    static const double expected[] = {.2, .15};
    vs_context *context = context_of(state);
    for (int k = 0; k < 2; k++) {
        vs_world *world = make_world(context, friction[k], down);
        add_floor(context, world);
        for (int drum = 0; drum < 5; drum++)
            add_box(context, world, (vs_vec3){.2, .3, .2}, at(0, 0, .2 + .4 * drum), VS_MOTION_DYNAMIC);
        vs_statics *s = make_statics(world);
        assert_int_equal(vs_statics_add_live_weight(s, (vs_vec3){1, 0, 0}), VS_OK);
        const vs_limit_result r = find(s);
        check_factor(&r, expected[k]);
        vs_statics_destroy(s);
        vs_world_destroy(world);
    }
}

// A body of two boxes side by side, the second higher by `step`, as parts of a body whose rounded corners are not in one plane.
static void add_parts(vs_context *context, vs_world *world, vs_vec3 half, double z, double step, vs_motion motion) {
    const vs_body_id body = add_box(context, world, half, at(-half.x, 0, z), motion);
    vs_shape *box;
    assert_int_equal(vs_shape_box(context, half, &box), VS_OK);
    add_shape(world, body, box, at(2 * half.x, 0, step));
}

// Such a slab on such a foundation slides at mu: the strip in which the inside of the one reaches in front of the other's holds nothing.
static void strips_between_parts(void **state) {
    static const double steps[] = {0, 1e-6, 1e-4};
    vs_context *context = context_of(state);
    for (int k = 0; k < 3; k++) {
        vs_world *world = make_world(context, .5, down);
        add_parts(context, world, (vs_vec3){.5, .5, .5}, -.5, steps[k], VS_MOTION_STATIC);
        add_parts(context, world, (vs_vec3){.5, .5, .2}, .2, steps[k], VS_MOTION_DYNAMIC);
        vs_statics *s = make_statics(world);
        assert_int_equal(vs_statics_add_live_weight(s, (vs_vec3){1, 0, 0}), VS_OK);
        const vs_limit_result r = find(s);
        assert_int_equal(r.status, VS_LIMIT_FOUND);
        assert_relative(r.lower, .5, 1e-9);
        assert_relative(r.upper, .5, 1e-7); // as far as bounds may be apart
        vs_statics_destroy(s);
        vs_world_destroy(world);
    }
}

// A force at the top edge of a block tips it at W b/(2 h); one at its foot pushes it away at mu W.
static void force_on_a_block(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .5, down);
    add_floor(context, world);
    const double b = .3, h = .6, weight = 8 * b * .5 * h * 1000 * g;
    const vs_body_id block = add_box(context, world, (vs_vec3){b, .5, h}, at(0, 0, h), VS_MOTION_DYNAMIC);
    vs_statics *s = make_statics(world);
    const vs_vec3 top = {-b, 0, 2 * h}, foot = {-b, 0, 0}, force = {1000, 0, 0};
    assert_int_equal(vs_statics_add_live_force(s, block, force, &top), VS_OK);
    vs_limit_result r = find(s);
    check_factor(&r, weight * b / (2 * h) / 1000);
    vs_statics_clear_live_load(s);
    assert_int_equal(vs_statics_add_live_force(s, block, force, &foot), VS_OK);
    r = find(s);
    check_factor(&r, .5 * weight / 1000);
    vs_statics_destroy(s);
    vs_world_destroy(world);
}

// A load that presses a block onto the floor has no limit; one on an assembly that falls has none either.
static void without_a_limit(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .5, down);
    add_floor(context, world);
    add_box(context, world, (vs_vec3){.5, .5, .5}, at(0, 0, .5), VS_MOTION_DYNAMIC);
    vs_statics *s = make_statics(world);
    vs_limit_result r;
    assert_int_equal(vs_statics_find_limit(s, &r), VS_ERROR_DATA); // no load yet
    assert_int_equal(vs_statics_add_live_weight(s, (vs_vec3){0, 0, 0}), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_statics_add_live_weight(s, (vs_vec3){.3, 0, -1}), VS_OK);
    r = find(s);
    assert_int_equal(r.status, VS_LIMIT_UNBOUNDED);
    assert_true(r.forces.holds && isinf(r.factor));
    vs_statics_destroy(s);
    add_box(context, world, (vs_vec3){.5, .5, .5}, at(.7, 0, 1.5), VS_MOTION_DYNAMIC);
    s = make_statics(world);
    assert_int_equal(vs_statics_add_live_weight(s, (vs_vec3){1, 0, 0}), VS_OK);
    r = find(s);
    assert_int_equal(r.status, VS_LIMIT_FALLS);
    assert_true(r.mechanism.holds);
    vs_statics_destroy(s);
    vs_world_destroy(world);
}

// The factor of a horizontal part of the weight is the tangent of the tilt at which the same assembly falls.
// A block without friction on a floor: any load across moves it, and zero is a limit that is found.
static void a_limit_of_zero(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, 0, (vs_vec3){0, 0, -9.81});
    vs_limit_result r;
    add_floor(context, world);
    add_box(context, world, (vs_vec3){.5, .5, .5}, at(0, 0, .5), VS_MOTION_DYNAMIC);
    add_dense_box(context, world, (vs_vec3){5, 5, 5}, at(20, 0, 5), VS_MOTION_DYNAMIC, 1e9); // does not bear the load
    vs_statics *s = make_statics(world);
    assert_int_equal(vs_statics_add_live_force(s, vs_statics_get_block(s, 0), (vs_vec3){1, 0, 0}, NULL), VS_OK);
    assert_int_equal(vs_statics_find_limit(s, &r), VS_OK);
    assert_int_equal(r.status, VS_LIMIT_FOUND);
    assert_true(fabs(r.lower) < 1e-5 && fabs(r.upper) < 1e-5); // N, of a block of 9810 N
    vs_statics_destroy(s);
    vs_world_destroy(world);
}

static void tilt_of_a_wall(void **state) {
    vs_context *context = context_of(state);
    vs_scene *scene;
    assert_int_equal(vs_scene_make(context, "brick-wall", NULL, 0, &scene), VS_OK);
    vs_statics *s = make_statics(scene->world);
    assert_int_equal(vs_statics_add_live_weight(s, (vs_vec3){1, 0, 0}), VS_OK);
    const vs_limit_result r = find(s);
    assert_int_equal(r.status, VS_LIMIT_FOUND);
    vs_statics_destroy(s);
    for (int side = -1; side <= 1; side += 2) {
        const double tilt = atan((side < 0 ? r.lower : r.upper) * (1 + 1e-6 * side));
        assert_int_equal(vs_world_set_gravity(scene->world, (vs_vec3){g * sin(tilt), 0, -g * cos(tilt)}), VS_OK);
        s = make_statics(scene->world);
        vs_statics_result verdict;
        assert_int_equal(vs_statics_solve(s, &verdict), VS_OK);
        assert_int_equal(verdict.verdict, side < 0 ? VS_VERDICT_STANDS : VS_VERDICT_FALLS);
        vs_statics_destroy(s);
    }
    vs_scene_destroy(scene);
}

// Such a wall of 5 courses: no solution without dilatancy is above the associated factor, and both sequences end in one.
static void wall_without_dilatancy(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .65, down);
    add_floor(context, world);
    build_wall(context, world, 5, 2);
    vs_statics *s = make_statics(world);
    assert_int_equal(vs_statics_add_live_weight(s, (vs_vec3){1, 0, 0}), VS_OK);
    const vs_limit_result r = find(s);
    assert_int_equal(r.status, VS_LIMIT_FOUND);
    vs_nonassociative high, low;
    assert_int_equal(vs_statics_find_nonassociative(s, &high, &low), VS_OK);
    printf("  associated %.6f, given dilatancy %.6f (error %.1e, %d), given friction %.6f (error %.1e, %d)\n", r.factor,
           high.factor, high.error, high.iterations, low.factor, low.error, low.iterations);
    assert_below(high.factor, r.upper * (1 + 1e-6));
    assert_below(low.factor, r.upper * (1 + 1e-6));
    assert_below(high.error, 1e-3);
    assert_below(low.error, 1e-3);
    vs_statics_destroy(s);
    vs_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(column_of_drums, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strips_between_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(force_on_a_block, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_limit_of_zero, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tilt_of_a_wall, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wall_without_dilatancy, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
