// Ties, rods, plain joints and mortar against closed forms.
#include <string.h>

#include "assemblies.h"
#include "voussoir/bond.h"

static const double g = 9.81;
static const vs_vec3 down = {0, 0, -9.81}, HALF = {.5, .5, .5};
static const vs_body_id ground = {0, 0};

// Between points in the axes of the bodies.
static void join(vs_world *world, vs_joint_def def, vs_body_id a, vs_vec3 at_a, vs_body_id b, vs_vec3 at_b) {
    def.a = a;
    def.b = b;
    def.frame_a = at(at_a.x, at_a.y, at_a.z);
    def.frame_b = at(at_b.x, at_b.y, at_b.z);
    assert_int_equal(vs_world_add_joint(world, &def, NULL), VS_OK);
}

static vs_joint_def make_tie(double length, bool pulls_only) {
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_DISTANCE;
    def.length = length;
    def.limited = pulls_only;
    def.high = length;
    return def;
}

static void push(vs_world *world, vs_body_id body, double x) {
    const vs_signal force[3] = {{.value = x}, {.value = 0}, {.value = 0}}, none[3] = {{.value = 0}};
    assert_int_equal(vs_world_add_load(world, body, force, none), VS_OK);
}

static void set_mortar(vs_world *world, double tension, double cohesion, double compression) {
    vs_mortar_def def = vs_mortar_def_default();
    def.tension = tension;
    def.cohesion = cohesion;
    def.compression = compression;
    assert_int_equal(vs_world_add_mortar(world, &def), VS_OK);
}

// Bounds of the factor of each block's weight along a direction.
static void check_limit(const vs_world *world, vs_vec3 direction, double expected) {
    vs_statics *s = make_statics(world);
    vs_limit_result r;
    assert_int_equal(vs_statics_add_live_weight(s, direction), VS_OK);
    assert_int_equal(vs_statics_find_limit(s, &r), VS_OK);
    assert_int_equal(r.status, VS_LIMIT_FOUND);
    assert_below(r.lower, expected * (1 + 1e-10));
    assert_below(expected * (1 - 1e-10), r.upper);
    assert_below(r.upper - r.lower, 1e-6 * expected);
    vs_statics_destroy(s);
}

// Two blocks on ice, pushed apart or together: a tie pulls only, a rod does both, and a tie that is too long is slack.
static void tie_between_blocks(void **state) {
    static const struct {
        double force, length;
        bool pulls_only;
        vs_verdict expected;
    } cases[] = {
        {500, 2, true, VS_VERDICT_STANDS},  {-500, 2, true, VS_VERDICT_FALLS},   {500, 2.1, true, VS_VERDICT_FALLS},
        {500, 2, false, VS_VERDICT_STANDS}, {-500, 2, false, VS_VERDICT_STANDS},
    };
    vs_context *context = context_of(state);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        vs_world *world = make_world(context, 0, down);
        add_floor(context, world);
        const vs_body_id a = add_box(context, world, HALF, at(-1.5, 0, .5), VS_MOTION_DYNAMIC);
        const vs_body_id b = add_box(context, world, HALF, at(1.5, 0, .5), VS_MOTION_DYNAMIC);
        push(world, a, -cases[k].force);
        push(world, b, cases[k].force);
        join(world, make_tie(cases[k].length, cases[k].pulls_only), a, (vs_vec3){.5, 0, 0}, b, (vs_vec3){-.5, 0, 0});
        vs_statics *s = make_statics(world);
        vs_statics_result r;
        assert_int_equal(vs_statics_solve(s, &r), VS_OK);
        if (r.verdict != cases[k].expected)
            fail_msg("case %d: %s", (int)k, vs_verdict_name(r.verdict));
        assert_int_equal(vs_statics_get_joint_count(s), 1);
        if (r.verdict == VS_VERDICT_STANDS) {
            assert_relative(r.forces.joint[0].tension, cases[k].force, 1e-12);
            assert_vec(r.forces.joint[0].force, ((vs_vec3){-cases[k].force, 0, 0}), 1e-9);
        }
        vs_statics_destroy(s);
        vs_world_destroy(world);
    }
}

// Two bars that lean on each other with their feet on ice, a hinge above and a tie below: it carries W b/(2 h).
static void leaning_bars_with_a_tie(void **state) {
    vs_context *context = context_of(state);
    const double b = 1.5, h = 2, length = sqrt(b * b + h * h), thick = .05, angle = atan2(b, h);
    for (int tied = 0; tied < 2; tied++) {
        vs_world *world = make_world(context, 0, down);
        vs_body_id bar[2];
        add_floor(context, world);
        for (int k = 0; k < 2; k++) {
            const double side = k == 0 ? -1 : 1;
            // turned about y, its lower edge on the floor
            const vs_quat turn = {cos(side * angle / 2), 0, -sin(side * angle / 2), 0};
            const vs_vec3 foot = vs_rotate(turn, (vs_vec3){-side * thick, 0, -length / 2});
            const vs_pose pose = {{side * b - foot.x, 0, -foot.z}, turn};
            bar[k] = add_box(context, world, (vs_vec3){thick, .2, length / 2}, pose, VS_MOTION_DYNAMIC);
        }
        vs_joint_def hinge = vs_joint_def_default();
        hinge.kind = VS_JOINT_SPHERICAL;
        vs_body_state left, right;
        assert_int_equal(vs_world_get_body_state(world, bar[0], &left), VS_OK);
        assert_int_equal(vs_world_get_body_state(world, bar[1], &right), VS_OK);
        const vs_vec3 apex = {0, 0, h};
        join(world, hinge, bar[0], vs_pose_apply_back(left.pose, apex), bar[1], vs_pose_apply_back(right.pose, apex));
        if (tied)
            join(world, make_tie(2 * b, true), bar[0], vs_pose_apply_back(left.pose, (vs_vec3){-b, 0, 0}), bar[1],
                 vs_pose_apply_back(right.pose, (vs_vec3){b, 0, 0}));
        vs_statics *s = make_statics(world);
        vs_statics_result r;
        assert_int_equal(vs_statics_solve(s, &r), VS_OK);
        assert_int_equal(r.verdict, tied ? VS_VERDICT_STANDS : VS_VERDICT_FALLS);
        if (tied) {
            const double weight = 8 * thick * .2 * length / 2 * 1000 * g;
            const double arm = b - fabs(right.pose.position.x), tension = weight * arm / h;
            assert_relative(r.forces.joint[1].tension, tension, 1e-10);
            assert_relative(-r.forces.joint[0].force.x, -tension, 1e-10);
        }
        vs_statics_destroy(s);
        vs_world_destroy(world);
    }
}

// A block on a hinge or fixed to the world, in the air: the fixed one stands with its weight and its moment.
static void block_on_joints(void **state) {
    static const vs_joint_kind kind[] = {VS_JOINT_FIXED, VS_JOINT_REVOLUTE, VS_JOINT_SPHERICAL, VS_JOINT_PRISMATIC};
    vs_context *context = context_of(state);
    for (int k = 0; k < 4; k++) {
        vs_world *world = make_world(context, .5, down);
        const vs_body_id block = add_box(context, world, HALF, at(0, 0, 3), VS_MOTION_DYNAMIC);
        vs_joint_def def = vs_joint_def_default();
        def.kind = kind[k];
        join(world, def, ground, (vs_vec3){-2, 0, 3}, block, (vs_vec3){-2, 0, 0});
        vs_statics *s = make_statics(world);
        vs_statics_result r;
        assert_int_equal(vs_statics_solve(s, &r), VS_OK);
        // The hinge turns about z: it holds, too. The slide along z does not.
        const bool holds = kind[k] == VS_JOINT_FIXED || kind[k] == VS_JOINT_REVOLUTE;
        assert_int_equal(r.verdict, holds ? VS_VERDICT_STANDS : VS_VERDICT_FALLS);
        if (holds) {
            assert_vec(r.forces.joint[0].force, ((vs_vec3){0, 0, 1000 * g}), 1e-7);
            assert_vec(r.forces.joint[0].torque, ((vs_vec3){0, -2000 * g, 0}), 1e-7);
        }
        vs_statics_destroy(s);
        vs_world_destroy(world);
    }
}

// A pier tied to a heavier one by a rod: tilted, both turn about their edges at once, at b (W1 + W2)/(h1 W1 + h2 W2) where the
// rod holds the same distance at the same height.
static void tied_piers(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, 5, down);
    add_floor(context, world);
    const double b[] = {.2, .4}, h = 1;
    const vs_body_id slim = add_box(context, world, (vs_vec3){b[0], .5, h}, at(-2, 0, h), VS_MOTION_DYNAMIC);
    const vs_body_id wide = add_box(context, world, (vs_vec3){b[1], .5, h}, at(2, 0, h), VS_MOTION_DYNAMIC);
    join(world, make_tie(4 - b[0] - b[1], false), slim, (vs_vec3){b[0], 0, .5}, wide, (vs_vec3){-b[1], 0, .5});
    // Power of equal turning: sum W b = lam sum W h, with weights like b.
    check_limit(world, (vs_vec3){1, 0, 0}, (b[0] * b[0] + b[1] * b[1]) / (h * (b[0] + b[1])));
    vs_world_destroy(world);
}

// A brick glued to a wall: its corners carry W l/2 with tension in the upper pair, so that (1 + factor) W l/2 = f A d/2.
static void brick_glued_to_a_wall(void **state) {
    vs_context *context = context_of(state);
    const double l = .25, w = .12, d = .06, weight = l * w * d * 1000 * g, needed = weight * l / (w * d * d);
    for (int k = 0; k < 3; k++) {
        vs_world *world = make_world(context, .6, down);
        add_box(context, world, (vs_vec3){.5, .5, .5}, at(-.5, 0, 0), VS_MOTION_STATIC);
        add_box(context, world, (vs_vec3){l / 2, w / 2, d / 2}, at(l / 2, 0, 0), VS_MOTION_DYNAMIC);
        set_mortar(world, needed * (k == 0 ? 1 - 1e-6 : k == 1 ? 1 + 1e-6 : 3), 1e3 * needed, 0);
        vs_statics *s = make_statics(world);
        vs_statics_result r;
        assert_int_equal(vs_statics_solve(s, &r), VS_OK);
        assert_int_equal(r.verdict, k == 0 ? VS_VERDICT_FALLS : VS_VERDICT_STANDS);
        if (k > 0) {
            double tension = 0;
            for (int c = 0; c < 4; c++)
                tension = fmax(tension, -r.forces.force[c].x);
            assert_below(tension, needed * (k == 1 ? 1 + 1e-6 : 3) * w * d / 4 * (1 + 1e-9));
            assert_below(weight * l / (4 * d) * (1 - 1e-9), tension);
        }
        vs_statics_destroy(s);
        if (k == 2)
            check_limit(world, (vs_vec3){0, 0, -1}, 2);
        vs_world_destroy(world);
    }
}

// A bonded block slides at c A + mu W and is crushed at f A.
static void sliding_and_crushing(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .5, down);
    add_floor(context, world);
    add_box(context, world, (vs_vec3){1, 1, .1}, at(0, 0, .1), VS_MOTION_DYNAMIC);
    const double weight = 800 * g, area = 4;
    set_mortar(world, 0, 3 * weight / area, 7 * weight / area);
    check_limit(world, (vs_vec3){1, 0, 0}, 3.5);
    check_limit(world, (vs_vec3){0, 0, -1}, 6);
    vs_statics *s = make_statics(world);
    vs_law_check law;
    assert_int_equal(vs_statics_check_law(s, &law), VS_ERROR_UNSUPPORTED);
    vs_statics_destroy(s);
    vs_world_destroy(world);
}

// Motors, springs and gears are refused by name.
static void other_joints(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .5, down);
    const vs_body_id block = add_box(context, world, HALF, at(0, 0, 3), VS_MOTION_DYNAMIC);
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_REVOLUTE;
    def.name = "crank";
    def.motor = VS_MOTOR_SPEED;
    join(world, def, ground, (vs_vec3){0, 0, 3}, block, VS_ZERO3);
    vs_statics *s;
    assert_int_equal(vs_statics_create(world, NULL, &s), VS_ERROR_UNSUPPORTED);
    assert_non_null(strstr(vs_context_get_error_text(context), "joint 0, crank has a motor"));
    vs_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tie_between_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaning_bars_with_a_tie, set_up, tear_down),
        cmocka_unit_test_setup_teardown(block_on_joints, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tied_piers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(brick_glued_to_a_wall, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sliding_and_crushing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_joints, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
