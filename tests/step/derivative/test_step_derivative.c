// Derivatives of one and of a few steps: tangents against differences of whole steps that are taken again, and adjoints against
// tangents. Differences have the lengths 1e-6, where the truncation of the rule of fourth order is rounding but the errors
// of the solution (1e-12) and of iterated contact geometry (curved shapes, 1e-11) are divided by it, and 1e-4, where it is the
// other way round; the better one counts. The bar is 1e-6; found are the figures that the test prints.
#include <string.h>

#include "step/derivative/step_checks.h"

// A body of unequal moments of inertia that turns fast, with loads that act at a point and turn with it.
static void free_body(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, false);
    const vs_body_id box = add_box(&s, (vs_vec3){.1, .2, .35}, 500, (vs_vec3){0, 0, 1}, (vs_vec3){1, 2, 3});
    place(&s, box, tilt_by(.3, -.5, .8), (vs_vec3){1, 2, 3}, (vs_vec3){60, -90, 150});
    vs_load_def load = vs_load_def_default();
    load.point = (vs_vec3){.05, .1, -.2};
    load.force[0].value = 30, load.force[2].value = 70, load.torque[1].value = 4;
    must(vs_world_add_load_at(s.world, box, &load), s.context);
    load.follows = true;
    must(vs_world_add_load_at(s.world, box, &load), s.context);
    start_rig(&s);
    check_world("free body", &s, (const vs_parameter[]){mass_of(box)}, 1, 1, BAR);
    check_world("free body, steps", &s, (const vs_parameter[]){mass_of(box)}, 1, 5, BAR);
    close_rig(&s);
}

static void sliding_ball(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .3, .2, true);
    const vs_body_id ball = add_ball(&s, .1, 1000, (vs_vec3){0, 0, .101}, (vs_vec3){2, 1, -.8});
    place(&s, ball, tilt_by(0, 0, 0), (vs_vec3){2, 1, -.8}, (vs_vec3){1, -2, 3});
    start_rig(&s);
    const vs_parameter p[] = {mass_of(ball), pair_of(&s, VS_PARAMETER_MU)};
    check_world("sliding ball", &s, p, 2, 1, BAR);
    close_rig(&s);
}

static void rolling_ball(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .8, .2, true);
    vs_material material = vs_material_default();
    material.mu = .8, material.rolling = .002, material.spinning = .001;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    const vs_body_id ball = add_ball(&s, .1, 1000, (vs_vec3){0, 0, .101}, (vs_vec3){2, 1, -.8});
    place(&s, ball, tilt_by(0, 0, 0), (vs_vec3){2, 1, -.8}, (vs_vec3){-10, 20, 3});
    start_rig(&s);
    const vs_parameter p[] = {mass_of(ball), pair_of(&s, VS_PARAMETER_MU), pair_of(&s, VS_PARAMETER_ROLLING),
                              pair_of(&s, VS_PARAMETER_SPINNING)};
    check_world("rolling ball", &s, p, 4, 1, BAR);
    close_rig(&s);
}

// One corner hits, with both laws of impact.
static void impact_of_a_corner(void **state) {
    (void)state;
    for (int law = VS_IMPACT_NEWTON; law <= VS_IMPACT_MOREAU; law++) {
        rig s;
        open_rig(&s, .4, 0, true);
        vs_material material = vs_material_default();
        material.mu = .4, material.restitution = .6, material.impact = (vs_impact_law)law;
        must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
        const vs_body_id box = add_box(&s, (vs_vec3){.1, .15, .2}, 800, (vs_vec3){0, 0, .262}, (vs_vec3){0});
        place(&s, box, tilt_by(.5, .4, .2), (vs_vec3){1.5, .5, -3}, (vs_vec3){1, 2, -1});
        start_rig(&s);
        const vs_parameter p[] = {mass_of(box), pair_of(&s, VS_PARAMETER_MU), pair_of(&s, VS_PARAMETER_RESTITUTION)};
        check_world(law == VS_IMPACT_NEWTON ? "impact of a corner" : "the same, Moreau's law", &s, p, 3, 1, BAR);
        close_rig(&s);
    }
}

// Four corners that land at once and slide: redundant impulses.
static void sliding_box(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .3, .1, true);
    const vs_body_id box = add_box(&s, (vs_vec3){.2, .15, .1}, 800, (vs_vec3){0, 0, .101}, (vs_vec3){2, 1, -.8});
    start_rig(&s);
    const vs_parameter p[] = {mass_of(box), pair_of(&s, VS_PARAMETER_MU)};
    check_world("sliding box", &s, p, 2, 1, BAR);
    close_rig(&s);
}

// A ball that falls between three others, which slide apart.
static void pile_of_balls(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .1, 0, true);
    for (int k = 0; k < 3; k++) {
        const double angle = 2 * pi / 3 * k + .1;
        add_ball(&s, .1, 1000 + 100 * k, (vs_vec3){.12 * cos(angle), .12 * sin(angle), .101}, (vs_vec3){0, 0, -.8});
    }
    add_ball(&s, .11, 900, (vs_vec3){.002, .001, .274}, (vs_vec3){.1, .05, -1.5});
    start_rig(&s);
    const vs_parameter p[] = {pair_of(&s, VS_PARAMETER_MU)};
    check_world("pile of balls", &s, p, 1, 1, BAR);
    close_rig(&s);
}

// Two boxes that hit each other in flight: an edge across an edge, then a corner on a face.
static void boxes(void **state) {
    (void)state;
    for (int corner = 0; corner < 2; corner++) {
        rig s;
        open_rig(&s, .4, 0, false);
        const vs_body_id low = add_box(&s, (vs_vec3){.3, .2, .1}, 800, (vs_vec3){0, 0, .1}, (vs_vec3){0});
        const vs_body_id top = add_box(&s, (vs_vec3){.1, .1, .1}, 700, (vs_vec3){0, 0, 0}, (vs_vec3){0});
        // of the edge across y: -.2 / sqrt(2) and .1 + .4 / sqrt(2)
        const vs_vec3 at = corner ? (vs_vec3){.1, .05, .3732} : (vs_vec3){-.11, .02, .101 + .3 * sqrt(2)};
        place(&s, low, corner ? tilt_by(.02, .01, .3) : tilt_by(0, pi / 4, 0), (vs_vec3){0}, (vs_vec3){.1, .3, -.2});
        vs_body_state state_of_top = state_of(&s, top);
        state_of_top.pose.position = at;
        must(vs_world_set_body_state(s.world, top, &state_of_top), s.context);
        place(&s, top, corner ? tilt_by(.6, .7, .1) : tilt_by(pi / 4, 0, 0), (vs_vec3){.5, .1, -2},
              (vs_vec3){.3, .2, .1});
        start_rig(&s);
        const vs_parameter p[] = {mass_of(low), mass_of(top), pair_of(&s, VS_PARAMETER_MU)};
        const chain c = check_world(corner ? "corner on a face" : "edge across an edge", &s, p, 3, 1, BAR);
        assert_int_equal(c.contacts, 1);
        close_rig(&s);
    }
}

static void capsule_on_a_moving_box(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .3, 0, false);
    vs_shape *shape;
    must(vs_shape_box(s.context, (vs_vec3){1, 1, .1}, &shape), s.context);
    vs_body_def floor = vs_body_def_default();
    floor.motion = VS_MOTION_KINEMATIC, floor.velocity = (vs_vec3){.5, 0, .1}, floor.spin = (vs_vec3){.1, .2, .3};
    vs_collider_def collider = vs_collider_def_default();
    must(vs_world_add_body(s.world, &floor, &collider.body), s.context);
    collider.shape = shape, collider.material = s.material, collider.surface_velocity = (vs_vec3){.2, .4, 0};
    must(vs_world_add_collider(s.world, &collider, NULL), s.context);
    vs_shape_release(shape);
    must(vs_shape_capsule(s.context, .1, .3, &shape), s.context);
    const vs_body_id capsule = add_solid(&s, shape, 800, (vs_pose){{.1, .2, .2602}, {1, 0, 0, 0}}, (vs_vec3){0});
    place(&s, capsule, tilt_by(0, 1.35, .3), (vs_vec3){.5, .1, -1}, (vs_vec3){1, 2, 3});
    start_rig(&s);
    const vs_parameter p[] = {mass_of(capsule), pair_of(&s, VS_PARAMETER_MU)};
    check_world("capsule on a moving box", &s, p, 2, 1, BAR);
    close_rig(&s);
}

// A box that turns about its corner: its reaction goes on, and is predicted from step to step.
static void corner_that_stays(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 1.5, 0, true);
    const vs_body_id box = add_box(&s, (vs_vec3){.1, .15, .2}, 800, (vs_vec3){0, 0, 0}, (vs_vec3){0});
    const vs_quat q = tilt_by(.5, .4, .2);
    const vs_vec3 corner = vs_rotate(q, (vs_vec3){.1, -.15, -.2}), spin = {1, 2, 6};
    vs_body_state at = state_of(&s, box);
    at.pose.position.z = -corner.z + 1e-3;
    must(vs_world_set_body_state(s.world, box, &at), s.context);
    place(&s, box, q, vs_add(vs_scale(-1, vs_cross(spin, corner)), (vs_vec3){0, 0, -.8}), spin);
    start_rig(&s);
    const vs_parameter p[] = {mass_of(box), pair_of(&s, VS_PARAMETER_MU)};
    check_world("corner that stays", &s, p, 2, 1, BAR);
    check_world("corner that stays, steps", &s, p, 2, 4, BAR);
    assert_true(vs_length(s.world->body[box.index].held) > 1e-3); // rad/s
    close_rig(&s);
}

// ---- held-out: pairs of all convex shapes, and what is refused ---------------------------------------

enum { SHAPES = 6, CYLINDER = 3, ELLIPSOID = 4 };
static vs_shape *make_shape(vs_context *context, int kind) {
    static const vs_vec3 tetrahedron[4] = {{.15, 0, -.06}, {-.08, .12, -.05}, {-.07, -.13, -.05}, {.01, .02, .15}};
    vs_shape *shape = NULL;
    vs_error error = VS_OK;
    switch (kind) {
    case 0:
        error = vs_shape_sphere(context, .12, &shape);
        break;
    case 1:
        error = vs_shape_box(context, (vs_vec3){.1, .15, .08}, &shape);
        break;
    case 2:
        error = vs_shape_capsule(context, .08, .1, &shape);
        break;
    case CYLINDER:
        error = vs_shape_cylinder(context, .1, .12, &shape);
        break;
    case ELLIPSOID:
        error = vs_shape_ellipsoid(context, (vs_vec3){.1, .16, .12}, &shape);
        break;
    default:
        error = vs_shape_hull(context, tetrahedron, 4, &shape);
        break;
    }
    must(error, context);
    return shape;
}

static bool overlap(const rig *s) {
    int count = 0;
    must(vs_simulation_find_overlaps(s->simulation, 1e-9, NULL, 0, &count), s->context);
    return count > 0;
}

// The second body above the first, .5 mm before they touch.
static void approach(const rig *s, vs_body_id upper, double side) {
    double low = 0, high = 1;
    vs_body_state state = state_of(s, upper);
    for (int k = 0; k < 40; k++) {
        state.pose.position = (vs_vec3){side, .5 * side, .5 * (low + high)};
        must(vs_world_set_body_state(s->world, upper, &state), s->context);
        *(overlap(s) ? &low : &high) = .5 * (low + high);
    }
    state.pose.position.z = high + 5e-4;
    must(vs_world_set_body_state(s->world, upper, &state), s->context);
}

// Closest points of rims and ellipsoids are found by comparing distances: normals to the root of rounding, 1e-8, and their
// differences over 1e-3 to 1e-5, times the curvature of the effects.
static const double ITERATED = 1e-4;
static bool is_iterated(int kind) {
    return kind == CYLINDER || kind == ELLIPSOID;
}

static void pairs_of_shapes(void **state) {
    (void)state;
    uint64_t seed = 41;
    for (int i = 0; i < SHAPES; i++)
        for (int j = i; j < SHAPES; j++) {
            rig s;
            open_rig(&s, .4, 0, false);
            s.options.step = 1e-3; // bodies hardly turn: no other point of them comes into touch within the step
            const vs_pose here = {{0, 0, 0}, tilt_by(random_in(&seed, -1, 1), random_in(&seed, -1, 1), .3)};
            const vs_body_id a = add_solid(&s, make_shape(s.context, i), 800, here, (vs_vec3){0});
            const vs_pose there = {{0, 0, 1}, tilt_by(random_in(&seed, -1, 1), random_in(&seed, -1, 1), .2)};
            const vs_body_id b = add_solid(&s, make_shape(s.context, j), 700, there, (vs_vec3){.2, .1, -1});
            start_rig(&s);
            approach(&s, b, random_in(&seed, 0, .03));
            place(&s, a, here.rotation, (vs_vec3){0}, (vs_vec3){.1, .2, -.2});
            const vs_parameter p[] = {mass_of(a), mass_of(b), pair_of(&s, VS_PARAMETER_MU)};
            char name[64];
            snprintf(name, sizeof name, "shapes %d and %d", i, j);
            const chain c = check_world(name, &s, p, 3, 1, is_iterated(i) || is_iterated(j) ? ITERATED : BAR);
            assert_int_equal(c.contacts, 1);
            close_rig(&s);
        }
}

static void assert_refused(rig *s, const char *words) {
    vs_step_derivative *d = NULL;
    vs_step_report report = {0};
    const double before = vs_world_get_time(s->world);
    assert_int_equal(vs_step_derivative_create(s->simulation, NULL, &report, &d), VS_ERROR_UNSUPPORTED);
    assert_null(d);
    if (!strstr(vs_context_get_error_text(s->context), words))
        fail_msg("'%s' does not name '%s'", vs_context_get_error_text(s->context), words);
    assert_true(vs_world_get_time(s->world) > before); // the step was taken
    close_rig(s);
}

static void refusals(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .3, 0, true);
    s.options.scheme = VS_SCHEME_SHAKE;
    add_ball(&s, .1, 1000, (vs_vec3){0, 0, 1}, (vs_vec3){0});
    start_rig(&s);
    assert_refused(&s, "schemes other than moreau");

    open_rig(&s, .3, 0, true);
    s.options.accuracy = 1e-3;
    add_ball(&s, .1, 1000, (vs_vec3){0, 0, .1}, (vs_vec3){1, 0, 0});
    start_rig(&s);
    assert_refused(&s, "contacts that press between impacts");

    open_rig(&s, .3, 0, true);
    s.options.accuracy = 1e-3;
    vs_joint_def hinge = vs_joint_def_default();
    hinge.kind = VS_JOINT_REVOLUTE;
    hinge.b = add_ball(&s, .1, 1000, (vs_vec3){0, 0, 1}, (vs_vec3){0});
    hinge.frame_a.position = (vs_vec3){0, 0, 1};
    must(vs_world_add_joint(s.world, &hinge, NULL), s.context);
    start_rig(&s);
    assert_refused(&s, "joints in steps of controlled accuracy");

    open_rig(&s, .3, 0, true);
    vs_material soft = vs_material_default();
    soft.stiffness = 1e5;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &soft), s.context);
    add_ball(&s, .1, 1000, (vs_vec3){0, 0, .1}, (vs_vec3){0});
    start_rig(&s);
    assert_refused(&s, "soft contact");
}

// A contact that does not press has no effect: where and of what law it is does not matter.
static void open_contacts(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .3, 0, true);
    vs_material soft = vs_material_default();
    soft.stiffness = 1e5;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &soft), s.context);
    add_ball(&s, .1, 1000, (vs_vec3){0, 0, .1001}, (vs_vec3){0, 0, 1});
    start_rig(&s);
    vs_step_derivative *d = NULL;
    must(vs_step_derivative_create(s.simulation, NULL, NULL, &d), s.context);
    assert_int_equal(vs_step_derivative_get_report(d).contacts, 1);
    double pose[6] = {0}, velocity[6] = {0, 0, 1};
    const vs_state_direction moved = {.pose = pose, .velocity = velocity};
    must(vs_step_derivative_tangent(d, &moved, NULL, &moved, NULL), s.context);
    assert_close(pose[2], s.options.step, 1e-15);
    assert_close(velocity[2], 1, 1e-15);
    vs_step_derivative_destroy(d);
    close_rig(&s);
}

// A parameter that does not exist is an error.
static void wrong_parameters(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .3, 0, true);
    add_ball(&s, .1, 1000, (vs_vec3){0, 0, 1}, (vs_vec3){0});
    start_rig(&s);
    vs_step_derivative *d = NULL;
    const vs_parameter wrong[] = {{.kind = VS_PARAMETER_MASS}, {.kind = VS_PARAMETER_MU, .material_b = 7}};
    for (int k = 0; k < 2; k++) {
        vs_step_derivative_options options = vs_step_derivative_options_default();
        options.parameter = &wrong[k], options.parameters = 1;
        assert_int_equal(vs_step_derivative_create(s.simulation, &options, NULL, &d), VS_ERROR_ARGUMENT);
    }
    assert_string_equal(vs_parameter_kind_name(VS_PARAMETER_RESTITUTION), "restitution");
    vs_step_derivative_destroy(NULL);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_body),
        cmocka_unit_test(sliding_ball),
        cmocka_unit_test(rolling_ball),
        cmocka_unit_test(impact_of_a_corner),
        cmocka_unit_test(sliding_box),
        cmocka_unit_test(pile_of_balls),
        cmocka_unit_test(boxes),
        cmocka_unit_test(capsule_on_a_moving_box),
        cmocka_unit_test(corner_that_stays),
        cmocka_unit_test(pairs_of_shapes),
        cmocka_unit_test(refusals),
        cmocka_unit_test(open_contacts),
        cmocka_unit_test(wrong_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
