// Damage of joints: openings and slips of blocks that are placed by hand.
#include "assemblies.h"
#include "voussoir/damage.h"

static void place(vs_world *world, vs_body_id id, vs_vec3 position, double turn) {
    vs_body_state state;
    assert_int_equal(vs_world_get_body_state(world, id, &state), VS_OK);
    state.pose = (vs_pose){position, {cos(.5 * turn), 0, sin(.5 * turn), 0}};
    assert_int_equal(vs_world_set_body_state(world, id, &state), VS_OK);
}

static vs_interface_damage joint_at(const vs_damage *damage, int k) {
    vs_interface_damage joint;
    assert_int_equal(vs_damage_get_joint(damage, k, &joint), VS_OK);
    return joint;
}

// Two cubes of 1 m on the ground: the upper one slips, tips about an edge, and comes back.
static void stack_that_slips_and_tips(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .5, (vs_vec3){0, 0, -9.81});
    const vs_vec3 half = {.5, .5, .5};
    add_floor(context, world);
    const vs_body_id lower = add_box(context, world, half, at(0, 0, .5), VS_MOTION_DYNAMIC);
    const vs_body_id upper = add_box(context, world, half, at(0, 0, 1.5), VS_MOTION_DYNAMIC);
    vs_damage *damage;
    assert_int_equal(vs_damage_create(world, NULL, &damage), VS_OK);
    assert_int_equal(vs_damage_get_joint_count(damage), 2);
    const vs_interface_damage ground = joint_at(damage, 0), bed = joint_at(damage, 1);
    assert_int_equal(ground.a.index, 0);
    assert_int_equal(bed.a.index, lower.index);
    assert_int_equal(bed.b.index, upper.index);
    assert_close(bed.area, 1, 1e-12);
    assert_vec(bed.centre, ((vs_vec3){0, 0, 1}), 1e-12);
    assert_vec(bed.normal, ((vs_vec3){0, 0, 1}), 1e-12);

    place(world, upper, (vs_vec3){.03, .04, 1.5}, 0);
    vs_damage_update(damage);
    assert_close(joint_at(damage, 1).slip, .05, 1e-12);
    assert_close(joint_at(damage, 1).opening, 0, 1e-12);

    // Turned about y through its edge x = 0.5 by 0.1 rad: the other edge is sin(0.1) above the bed.
    const double turn = .1;
    place(world, upper, (vs_vec3){.5 - .5 * cos(turn) + .5 * sin(turn), 0, 1 + .5 * cos(turn) + .5 * sin(turn)}, turn);
    vs_damage_update(damage);
    assert_close(joint_at(damage, 1).opening, sin(turn), 1e-12);
    assert_close(joint_at(damage, 1).slip, 1 - cos(turn), 1e-12);

    place(world, upper, (vs_vec3){.01, 0, 1.5}, 0);
    vs_damage_update(damage);
    assert_close(joint_at(damage, 1).opening_most, sin(turn), 1e-12);
    assert_close(joint_at(damage, 1).slip_most, .05, 1e-12);
    assert_close(joint_at(damage, 1).slip, .01, 1e-12);
    assert_close(joint_at(damage, 0).slip_most, 0, 1e-12);

    assert_true(vs_damage_dissipate(damage, upper, lower, 2));
    assert_true(vs_damage_dissipate(damage, lower, upper, 3));
    assert_false(vs_damage_dissipate(damage, (vs_body_id){0}, upper, 1));
    assert_close(joint_at(damage, 1).dissipation, 5, 0);
    // an earlier body of the same index
    assert_false(vs_damage_dissipate(damage, lower, (vs_body_id){upper.index, upper.generation + 1}, 1));
    assert_close(joint_at(damage, 1).dissipation, 5, 0);
    vs_interface_damage none;
    assert_int_equal(vs_damage_get_joint(damage, 2, &none), VS_ERROR_ARGUMENT);

    assert_int_equal(vs_world_remove_body(world, upper), VS_OK);
    vs_damage_update(damage);
    assert_close(joint_at(damage, 1).slip, .01, 1e-12);
    vs_damage_destroy(damage);
    vs_world_destroy(world);
}

// A ball on the ground, 0.5 m across, at x = 3: its joint is a point.
static vs_body_id add_ball(vs_context *context, vs_world *world) {
    vs_shape *ball;
    vs_body_id id;
    vs_body_def def = vs_body_def_default();
    def.pose = at(3, 0, .25);
    assert_int_equal(vs_shape_sphere(context, .25, &ball), VS_OK);
    assert_int_equal(vs_world_add_body(world, &def, &id), VS_OK);
    add_shape(world, id, ball, VS_IDENTITY_POSE);
    return id;
}

static void joints_in_points_have_a_place(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .5, (vs_vec3){0, 0, -9.81});
    add_floor(context, world);
    (void)add_ball(context, world);
    vs_damage *damage;
    assert_int_equal(vs_damage_create(world, NULL, &damage), VS_OK);
    assert_int_equal(vs_damage_get_joint_count(damage), 1);
    assert_close(joint_at(damage, 0).area, 0, 0);
    assert_vec(joint_at(damage, 0).centre, ((vs_vec3){3, 0, 0}), 1e-12);
    vs_damage_destroy(damage);
    vs_world_destroy(world);
}

// Openings and slips need no friction model, and bodies without faces have no joints: statics refuses both.
static void any_material_and_shape_is_allowed(void **state) {
    static const vs_vec3 vertex[] = {{-9, -9, -1}, {9, -9, -1}, {9, 9, -1}, {-9, 9, -1}};
    static const int triangle[] = {0, 1, 2, 0, 2, 3};
    vs_context *context = context_of(state);
    for (int k = 0; k < 2; k++) {
        vs_world *world = make_world(context, .5, (vs_vec3){0, 0, -9.81});
        add_floor(context, world);
        if (k == 0) {
            vs_material rolling = vs_material_default();
            rolling.mu = .5;
            rolling.rolling = .01;
            assert_int_equal(vs_world_set_material_pair(world, 0, 0, &rolling), VS_OK);
        } else {
            vs_shape *mesh;
            assert_int_equal(vs_shape_mesh(context, vertex, 4, triangle, 2, &mesh), VS_OK);
            add_shape(world, (vs_body_id){0}, mesh, VS_IDENTITY_POSE);
        }
        (void)add_box(context, world, (vs_vec3){.5, .5, .5}, at(0, 0, .5), VS_MOTION_DYNAMIC);
        vs_damage *damage;
        vs_statics *statics;
        assert_int_equal(vs_damage_create(world, NULL, &damage), VS_OK);
        assert_int_equal(vs_damage_get_joint_count(damage), 1);
        assert_close(joint_at(damage, 0).area, 1, 1e-12);
        assert_int_equal(vs_statics_create(world, NULL, &statics), VS_ERROR_UNSUPPORTED);
        assert_non_null(strstr(vs_context_get_error_text(context), k == 0 ? "rolling" : "mesh"));
        vs_damage_destroy(damage);
        vs_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stack_that_slips_and_tips, set_up, tear_down),
        cmocka_unit_test_setup_teardown(joints_in_points_have_a_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_material_and_shape_is_allowed, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
