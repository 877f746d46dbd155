// Light blocks beside heavy ones: every block is in equilibrium by its own weight, not up to a part of all weights.
#include "assemblies.h"

static const double g = 9.81, RATIO[] = {1e3, 1e6, 1e9, 1e11, 1e13};
enum { RATIOS = sizeof RATIO / sizeof RATIO[0] };

// A dam of 10 m, with the ratio of its density to that of the small stones.
static vs_world *make_dam(vs_context *context, double z, double ratio) {
    vs_world *world = make_world(context, .5, (vs_vec3){0, 0, -g});
    add_floor(context, world);
    add_dense_box(context, world, (vs_vec3){5, 5, 5}, at(0, 0, z + 5), VS_MOTION_DYNAMIC, 1e-3 * ratio);
    return world;
}

static vs_body_id add_stone(vs_context *context, vs_world *world, vs_pose pose) {
    return add_dense_box(context, world, (vs_vec3){.05, .05, .05}, pose, VS_MOTION_DYNAMIC, 1e-3);
}

static void check_verdict(const vs_world *world, vs_verdict expected, double ratio) {
    vs_statics *s = make_statics(world);
    vs_statics_result r;
    assert_int_equal(vs_statics_solve(s, &r), VS_OK);
    if (r.verdict != expected)
        fail_msg("mass ratio %g: %s, expected %s", ratio, vs_verdict_name(r.verdict), vs_verdict_name(expected));
    vs_statics_destroy(s);
}

// A stone on the edge of the dam falls as soon as its centre is beyond the edge.
static void stone_on_a_dam(void **state) {
    static const double beyond[] = {-.02, -1e-4, 1e-4, .02};
    vs_context *context = context_of(state);
    for (int k = 0; k < RATIOS; k++)
        for (int i = 0; i < 4; i++) {
            vs_world *world = make_dam(context, 0, RATIO[k]);
            add_stone(context, world, at(5 + beyond[i], 0, 10.05));
            check_verdict(world, beyond[i] < 0 ? VS_VERDICT_STANDS : VS_VERDICT_FALLS, RATIO[k]);
            vs_world_destroy(world);
        }
}

// A force at its foot pushes a stone away at mu m g, whatever it stands on.
static void push_of_a_stone(void **state) {
    vs_context *context = context_of(state);
    for (int k = 0; k < RATIOS; k++) {
        vs_world *world = make_dam(context, 0, RATIO[k]);
        const vs_body_id stone = add_stone(context, world, at(0, 0, 10.05));
        vs_statics *s = make_statics(world);
        const vs_vec3 foot = {0, 0, 10}, force = {1, 0, 0};
        const double expected = .5 * 1e-3 * 1e-3 * g;
        vs_limit_result r;
        assert_int_equal(vs_statics_add_live_force(s, stone, force, &foot), VS_OK);
        assert_int_equal(vs_statics_find_limit(s, &r), VS_OK);
        assert_int_equal(r.status, VS_LIMIT_FOUND);
        assert_below(r.lower, expected * (1 + 1e-12));
        assert_below(expected * (1 - 1e-12), r.upper);
        assert_below(r.upper - r.lower, 1e-6 * expected);
        vs_statics_destroy(s);
        vs_world_destroy(world);
    }
}

// The dam on three light stones: what passes through them is far above their weights. It falls if its centre is not between
// them.
static void dam_on_stones(void **state) {
    vs_context *context = context_of(state);
    for (int k = 0; k < RATIOS; k++)
        for (int i = 0; i < 2; i++) {
            vs_world *world = make_dam(context, .1, RATIO[k]);
            add_stone(context, world, at(i == 0 ? -4 : 1, 0, .05));
            add_stone(context, world, at(4, 4, .05));
            add_stone(context, world, at(4, -4, .05));
            check_verdict(world, i == 0 ? VS_VERDICT_STANDS : VS_VERDICT_FALLS, RATIO[k]);
            vs_world_destroy(world);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stone_on_a_dam, set_up, tear_down),
        cmocka_unit_test_setup_teardown(push_of_a_stone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dam_on_stones, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
