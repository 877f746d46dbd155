// Interfaces of small assemblies: number, area, gaps, and what makes none.
#include "assemblies.h"

static const vs_vec3 down = {0, 0, -9.81};
static const vs_vec3 half = {.5, .5, .5};

static vs_interface interface_of(const vs_statics *s, int k) {
    vs_interface i;
    assert_int_equal(vs_statics_get_interface(s, k, &i), VS_OK);
    return i;
}

// Two cubes on each other, the upper one shifted and 0.3 mm above: area, normal and gap.
static void stack_of_two(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .5, down);
    add_floor(context, world);
    const vs_body_id lower = add_box(context, world, half, at(0, 0, .5), VS_MOTION_DYNAMIC);
    const vs_body_id upper = add_box(context, world, half, at(.25, 0, 1.5003), VS_MOTION_DYNAMIC);
    vs_statics *s = make_statics(world);
    const vs_interface_report r = vs_statics_get_report(s);
    assert_int_equal(r.interfaces, 2);
    assert_int_equal(r.contacts, 8);
    assert_int_equal(r.points, 0);
    assert_int_equal(r.faces, 12);
    assert_int_equal(r.unmatched, 9);
    assert_int_equal(r.isolated, 0);
    assert_close(r.gap, 3e-4, 1e-12);
    assert_int_equal(r.gap_at[1].index, upper.index);
    const vs_interface floor = interface_of(s, 0), joint = interface_of(s, 1);
    assert_int_equal(floor.a.index, 0);
    assert_int_equal(floor.b.index, lower.index);
    assert_close(floor.area, 1, 1e-12);
    assert_int_equal(joint.a.index, lower.index);
    assert_int_equal(joint.b.index, upper.index);
    assert_close(joint.area, .75, 1e-12);
    assert_vec(joint.normal, ((vs_vec3){0, 0, 1}), 1e-15);
    assert_vec(joint.centre, ((vs_vec3){.125, 0, 1.00015}), 1e-12);
    assert_close(joint.mu, .5, 0);
    vs_interface none;
    assert_int_equal(vs_statics_get_interface(s, 2, &none), VS_ERROR_ARGUMENT);
    vs_statics_destroy(s);
    vs_world_destroy(world);
}

// Farther apart than the distance, or tilted by more than the angle: no faces meet.
static void far_or_tilted_faces_do_not_meet(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .5, down);
    add_box(context, world, half, at(0, 0, .5), VS_MOTION_STATIC);
    add_box(context, world, half, at(0, 0, 1.503), VS_MOTION_DYNAMIC);
    vs_statics *s = make_statics(world);
    assert_int_equal(vs_statics_get_report(s).interfaces, 0);
    assert_int_equal(vs_statics_get_report(s).isolated, 1);
    vs_statics_destroy(s);
    // The same with a wider search, and at an angle with a finer one.
    vs_interface_options options = vs_interface_options_default();
    options.distance = .01;
    assert_int_equal(vs_statics_create(world, &options, &s), VS_OK);
    assert_int_equal(vs_statics_get_report(s).interfaces, 1);
    vs_statics_destroy(s);
    options.distance = -1;
    assert_int_equal(vs_statics_create(world, &options, &s), VS_ERROR_ARGUMENT);
    vs_world_destroy(world);
}

// Four bricks in two courses: those that touch in an edge only have no interface.
static void bricks_that_share_an_edge_do_not_meet(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .5, down);
    add_box(context, world, half, at(0, 0, .5), VS_MOTION_DYNAMIC);
    add_box(context, world, half, at(1, 0, .5), VS_MOTION_DYNAMIC);
    add_box(context, world, half, at(0, 0, 1.5), VS_MOTION_DYNAMIC);
    add_box(context, world, half, at(1, 0, 1.5), VS_MOTION_DYNAMIC);
    vs_statics *s = make_statics(world);
    const vs_interface_report r = vs_statics_get_report(s);
    assert_int_equal(r.interfaces, 4);
    assert_int_equal(r.points, 0);
    assert_close(r.area, 4, 1e-9);
    vs_statics_destroy(s);
    vs_world_destroy(world);
}

// A body of two boxes has no interface with itself and two with the block below.
static void compound_bodies(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .5, down);
    add_box(context, world, (vs_vec3){2, 1, .5}, at(0, 0, -.5), VS_MOTION_STATIC);
    vs_body_def def = vs_body_def_default();
    vs_body_id id;
    def.pose = at(0, 0, .5);
    assert_int_equal(vs_world_add_body(world, &def, &id), VS_OK);
    for (int side = -1; side <= 1; side += 2) {
        vs_shape *box;
        assert_int_equal(vs_shape_box(context, half, &box), VS_OK);
        add_shape(world, id, box, at(.5 * side, 0, 0));
    }
    vs_statics *s = make_statics(world);
    assert_int_equal(vs_statics_get_report(s).interfaces, 2);
    assert_close(vs_statics_get_report(s).area, 2, 1e-9);
    vs_statics_destroy(s);
    vs_world_destroy(world);
}

// A pad of lead, 0.5 mm thick and 0.2 m wide, under a cube of 1 m whose centre is 0.15 m beside it: the gap that the pad makes
// is within the tolerance of joints, but the cube does not stand on the floor through it. Two pads of half the thickness do not
// hold each other from outside.
static void a_pad_keeps_stones_apart(void **state) {
    vs_context *context = context_of(state);
    const double gap = 5e-4;
    for (int ball = 0; ball < 2; ball++)
        for (int pads = 0; pads < 3; pads++) { // one on the other
            vs_world *world = make_world(context, .5, down);
            const double top = pads > 0 ? pads * gap / 2 : gap / 2;
            vs_statics_result result;
            add_floor(context, world);
            for (int k = 0; k < pads; k++)
                add_box(context, world, (vs_vec3){.1, .5, gap / 4}, at(.15, 0, gap / 4 + k * gap / 2),
                        VS_MOTION_DYNAMIC);
            if (ball) {
                vs_shape *sphere;
                vs_body_id id;
                assert_int_equal(vs_shape_sphere(context, .5, &sphere), VS_OK);
                vs_body_def def = vs_body_def_default();
                def.pose = at(.15, 0, top + .5);
                assert_int_equal(vs_world_add_body(world, &def, &id), VS_OK);
                add_shape(world, id, sphere, VS_IDENTITY_POSE);
            } else
                add_box(context, world, half, at(0, 0, top + .5), VS_MOTION_DYNAMIC);
            vs_statics *s = make_statics(world);
            assert_int_equal(vs_statics_get_report(s).interfaces, pads + 1);
            assert_int_equal(vs_statics_solve(s, &result), VS_OK);
            assert_int_equal(result.verdict, ball || pads == 0 ? VS_VERDICT_STANDS : VS_VERDICT_FALLS);
            vs_statics_destroy(s);
            vs_world_destroy(world);
        }
}

// A drum stands on the inscribed polygon of its cap; a ball on one point; a cube on its edge on two.
static void drums_balls_and_edges(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, .5, down);
    add_floor(context, world);
    vs_shape *drum, *ball;
    vs_body_id id;
    vs_body_def def = vs_body_def_default();
    assert_int_equal(vs_shape_cylinder(context, 1, .5, &drum), VS_OK);
    assert_int_equal(vs_shape_sphere(context, 1, &ball), VS_OK);
    def.pose = at(0, 0, .5);
    assert_int_equal(vs_world_add_body(world, &def, &id), VS_OK);
    add_shape(world, id, drum, VS_IDENTITY_POSE);
    def.pose = at(10, 0, 1);
    assert_int_equal(vs_world_add_body(world, &def, &id), VS_OK);
    add_shape(world, id, ball, VS_IDENTITY_POSE);
    const double eighth = atan(1) / 2;
    const vs_pose edge = {{20, 0, sqrt(.5)}, {cos(eighth), sin(eighth), 0, 0}};
    add_box(context, world, half, edge, VS_MOTION_DYNAMIC);
    vs_statics *s = make_statics(world);
    const vs_interface_report r = vs_statics_get_report(s);
    assert_int_equal(r.interfaces, 3);
    assert_int_equal(r.points, 2);
    assert_int_equal(r.contacts, 64 + 1 + 2);
    assert_close(r.area, 32 * sin(2 * acos(-1.0) / 64), 1e-9);
    vs_statics_destroy(s);
    vs_world_destroy(world);
}

// Interfaces of the named arch: 12 joints of thickness x depth, without gaps.
static void joints_of_an_arch(void **state) {
    vs_statics *s = make_named(context_of(state), "arch", NULL, 0);
    const vs_interface_report r = vs_statics_get_report(s);
    assert_int_equal(r.interfaces, 12);
    assert_int_equal(r.contacts, 48);
    assert_close(r.area, 12 * .3 * .4, 1e-9);
    assert_below(fmax(r.gap, r.overlap), 1e-14);
    assert_int_equal(vs_statics_get_block_count(s), 11);
    vs_statics_destroy(s);
}

static void unsupported_scenes_say_why(void **state) {
    vs_context *context = context_of(state);
    vs_scene *scene;
    vs_statics *s;
    assert_int_equal(vs_scene_make(context, "slider-crank", NULL, 0, &scene), VS_OK);
    assert_int_equal(vs_statics_create(scene->world, NULL, &s), VS_ERROR_UNSUPPORTED);
    assert_non_null(strstr(vs_context_get_error_text(context), "has a motor"));
    assert_null(s);
    vs_scene_destroy(scene);
    vs_world *world = make_world(context, .5, down);
    assert_int_equal(vs_statics_create(world, NULL, &s), VS_ERROR_DATA);
    vs_world_destroy(world);
    // Laws that would change a verdict.
    world = make_world(context, .5, down);
    add_floor(context, world);
    add_box(context, world, half, at(0, 0, .5), VS_MOTION_DYNAMIC);
    vs_material sticky = vs_material_default();
    sticky.adhesion = 1;
    assert_int_equal(vs_world_set_material_pair(world, 0, 0, &sticky), VS_OK);
    assert_int_equal(vs_statics_create(world, NULL, &s), VS_ERROR_UNSUPPORTED);
    assert_non_null(strstr(vs_context_get_error_text(context), "adhesion"));
    vs_world_destroy(world);
}

// Of the fill of a bridge each block touches the next stones of the arch in an edge, too, where faces meet already: no force
// has a direction there. Cards that lean on each other have nothing but their edges.
static void shared_edges(void **state) {
    vs_statics *s = make_named(context_of(state), "filled-bridge", NULL, 0);
    assert_int_equal(vs_statics_get_report(s).points, 6); // the outermost ones stand on the floor with an edge
    vs_statics_destroy(s);
    s = make_named(context_of(state), "card-house", NULL, 0);
    vs_statics_result r;
    assert_int_equal(vs_statics_get_report(s).points, 24);
    assert_int_equal(vs_statics_solve(s, &r), VS_OK);
    assert_int_equal(r.verdict, VS_VERDICT_STANDS);
    vs_statics_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stack_of_two, set_up, tear_down),
        cmocka_unit_test_setup_teardown(far_or_tilted_faces_do_not_meet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bricks_that_share_an_edge_do_not_meet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(compound_bodies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pad_keeps_stones_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(drums_balls_and_edges, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shared_edges, set_up, tear_down),
        cmocka_unit_test_setup_teardown(joints_of_an_arch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unsupported_scenes_say_why, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
