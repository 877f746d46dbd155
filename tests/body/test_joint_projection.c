// Projection: mechanisms that stay together while they move, and that are put together from scattered bodies.
#include <stdlib.h>

#include "body/projection_memory.h"
#include "body/tree_projection.h"
#include "kit/joint_stepper.h"
#include "kit/random.h"

static const vs_vec3 GRAVITY = {0, 0, -9.81};
static const vs_vec3 INERTIA = {.02, .03, .05};
static const double PI = 3.14159265358979323846;

// Mechanisms move in the x-z plane: axes of revolutes (z of the frames) are along -y, so that a positive turn goes from
// x to z.
static vs_quat axis_frame(void) {
    return vs_quat_exp((vs_vec3){PI / 2, 0, 0});
}

// A bar from p to q (y = 0), axis of the bar along its x.
static vs_body_id add_bar(vs_world *world, vs_vec3 p, vs_vec3 q, double mass) {
    double angle = atan2(q.z - p.z, q.x - p.x);
    vs_pose pose = {vs_scale(.5, vs_add(p, q)), vs_quat_exp((vs_vec3){0, -angle, 0})};
    return add_body(world, VS_MOTION_DYNAMIC, pose, mass, INERTIA);
}

static vs_pose frame_at(double x) {
    return (vs_pose){{x, 0, 0}, axis_frame()};
}

static vs_joint_def define_hinge(vs_body_id a, vs_pose frame_a, vs_body_id b, vs_pose frame_b) {
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_REVOLUTE;
    def.a = a, def.b = b;
    def.frame_a = frame_a, def.frame_b = frame_b;
    return def;
}

static const vs_body_id GROUND = {0, 0};

// ---- a pendulum ------------------------------------------------------------------------------------

static double swing(double h, bool project) {
    memory m;
    vs_context *context = make_context(&m);
    vs_world *world = make_world(context, GRAVITY);
    vs_body_id bar = add_bar(world, VS_ZERO3, (vs_vec3){1, 0, 0}, 2);
    vs_joint_def def = define_hinge(GROUND, frame_at(0), bar, frame_at(-.5));
    add_joint(world, &def);
    stepper s = make_stepper(world, h);
    s.project = project;
    double most = 0;
    for (int k = 0; k < (int)round(1 / h); k++) {
        step(&s);
        most = fmax(most, s.drift);
    }
    vs_world_destroy(world);
    end_context(context, &m);
    return most;
}

static void a_pendulum_keeps_its_length(void **state) {
    (void)state;
    assert_true(swing(1. / 240, true) <= 1e-12);
}

// Psi/h alone leaves h^2 w^2/2 per step: half the step, a quarter of the drift, up to terms of higher order.
static void without_projection_the_drift_is_of_second_order(void **state) {
    (void)state;
    double coarse = swing(1. / 120, false), fine = swing(1. / 240, false);
    print_message("drift without projection: %.3g m (h = 1/120), %.3g m (h = 1/240)\n", coarse, fine);
    assert_true(coarse > 1e-5);
    assert_close(coarse / fine, 4, .3);
}

// ---- a four-bar ------------------------------------------------------------------------------------

// Ground pivots O = 0 and C = (1, 0, 0); crank 0.3 m, coupler 0.9 m, rocker 0.7 m: the crank turns fully (Grashof).
typedef struct four_bar {
    vs_joint_id hinge[4]; // O, A, B, C
} four_bar;

static const double CRANK = .3, COUPLER = .9, ROCKER = .7;

// Angle of the rocker from x, upper branch, for the crank at `angle`.
static double find_rocker(double angle) {
    double x = CRANK * cos(angle) - 1, z = CRANK * sin(angle), d = sqrt(x * x + z * z);
    return atan2(z, x) - acos((d * d + ROCKER * ROCKER - COUPLER * COUPLER) / (2 * d * ROCKER));
}

static four_bar add_four_bar(vs_world *world, double angle, double speed, bool scattered) {
    double beta = find_rocker(angle);
    vs_vec3 A = {CRANK * cos(angle), 0, CRANK * sin(angle)}, B = {1 + ROCKER * cos(beta), 0, ROCKER * sin(beta)};
    vs_vec3 C = {1, 0, 0};
    vs_body_id crank = add_bar(world, VS_ZERO3, A, 1), coupler = add_bar(world, A, B, 2);
    vs_body_id rocker = add_bar(world, C, B, 3);
    vs_joint_def def[4] = {
        define_hinge(GROUND, frame_at(0), crank, frame_at(-CRANK / 2)),
        define_hinge(crank, frame_at(CRANK / 2), coupler, frame_at(-COUPLER / 2)),
        define_hinge(coupler, frame_at(COUPLER / 2), rocker, frame_at(ROCKER / 2)),
        define_hinge(GROUND, frame_at(1), rocker, frame_at(-ROCKER / 2)),
    };
    four_bar made;
    if (speed != 0)
        def[0].motor = VS_MOTOR_SPEED;
    def[0].target.value = speed;
    for (int k = 0; k < 4; k++)
        made.hinge[k] = add_joint(world, &def[k]);
    if (scattered) {
        static const vs_vec3 shift[3] = {{.2, -.3, .1}, {-.1, .2, .3}, {.1, .1, -.2}};
        for (int k = 0; k < 3; k++) {
            vs_pose *pose = &world->body[crank.index + (uint32_t)k].pose;
            pose->position = vs_add(pose->position, shift[k]);
            pose->rotation = vs_quat_multiply(pose->rotation, vs_quat_exp(vs_scale(2, shift[2 - k])));
        }
    }
    return made;
}

// Four revolutes in space are 20 rows for 18 velocities of which one stays: 3 redundant ones.
static void a_driven_four_bar_follows_its_closed_form(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    four_bar f = add_four_bar(world, .5, 6, false);
    stepper s = make_stepper(world, 1. / 240);
    vs_joints_remember(world);
    for (int k = 0; k < 240; k++) {
        step(&s);
        assert_true(s.drift <= 1e-9);
        assert_close(rate_of(world, f.hinge[0]), 6, 6e-12);
        // 1e-9 m over links of 0.3 m; the difference of angles modulo a turn
        double rocker = find_rocker(coordinate_of(world, f.hinge[0]));
        assert_close(sin(.5 * (coordinate_of(world, f.hinge[3]) - rocker)), 0, 1e-8);
    }
    // One second of 6 rad/s; the coordinate of a motor is held while the joints are projected.
    assert_close(coordinate_of(world, f.hinge[0]), 6.5, 1e-9);
    vs_world_destroy(world);
}

static void a_four_bar_is_put_together_from_scattered_bodies(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    double largest;
    add_four_bar(world, .5, 0, true);
    assert_true(vs_joints_drift(world) > .1);
    assert_int_equal(vs_joints_project(world, 1e-11, 50, &largest), VS_OK);
    assert_true(largest <= 1e-11);
    assert_true(vs_joints_drift(world) == largest);
    vs_world_destroy(world);
}

// The motor's angle of the scattered crank may not be one that closes: it must not keep the rest from closing.
static void a_motor_does_not_keep_a_mechanism_apart(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    double largest;
    four_bar f = add_four_bar(world, .5, 6, true);
    vs_joint *rocker = joint_of(world, f.hinge[3]); // two motors cannot both keep their angle
    rocker->def.motor = VS_MOTOR_SPEED;
    assert_int_equal(vs_joints_project(world, 1e-11, 50, &largest), VS_OK);
    assert_true(largest <= 1e-11);
    vs_world_destroy(world);
}

// ---- a slider-crank --------------------------------------------------------------------------------

static void a_slider_crank_follows_its_closed_form(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    double r = .2, l = .7, angle = .3;
    vs_vec3 A = {r * cos(angle), 0, r * sin(angle)}, B = {A.x + sqrt(l * l - A.z * A.z), 0, 0};
    vs_body_id crank = add_bar(world, VS_ZERO3, A, 1), rod = add_bar(world, A, B, 1);
    vs_body_id piston = add_body(world, VS_MOTION_DYNAMIC, (vs_pose){B, {1, 0, 0, 0}}, 2, INERTIA);
    vs_joint_def def = define_hinge(GROUND, frame_at(0), crank, frame_at(-r / 2));
    def.motor = VS_MOTOR_SPEED;
    def.target.value = 8;
    vs_joint_id drive = add_joint(world, &def);
    def = define_hinge(crank, frame_at(r / 2), rod, frame_at(-l / 2));
    add_joint(world, &def);
    def = define_hinge(rod, frame_at(l / 2), piston, frame_at(0));
    add_joint(world, &def);
    vs_quat along = vs_quat_exp((vs_vec3){0, PI / 2, 0}); // z of the frames is the world's x
    def = define_hinge(GROUND, (vs_pose){{0, 0, 0}, along}, piston, (vs_pose){{0, 0, 0}, along});
    def.kind = VS_JOINT_PRISMATIC;
    vs_joint_id slide = add_joint(world, &def);
    stepper s = make_stepper(world, 1. / 240);
    vs_joints_remember(world);
    for (int k = 0; k < 240; k++) {
        step(&s);
        double turn = coordinate_of(world, drive), z = r * sin(turn);
        assert_true(s.drift <= 1e-9);
        assert_close(coordinate_of(world, slide), r * cos(turn) + sqrt(l * l - z * z), 1e-9);
    }
    vs_world_destroy(world);
}

// ---- the metric, redundancy, contradictions --------------------------------------------------------

// Nothing from outside: the centre of mass stays, and the lighter body moves more.
static void bodies_move_by_the_inverse_of_their_mass(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    double largest;
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_SPHERICAL;
    def.a = add_body(world, VS_MOTION_DYNAMIC, VS_IDENTITY_POSE, 9, INERTIA);
    def.b = add_body(world, VS_MOTION_DYNAMIC, (vs_pose){{1, 0, 0}, {1, 0, 0, 0}}, 1, INERTIA);
    add_joint(world, &def);
    assert_int_equal(vs_joints_project(world, 1e-12, 10, &largest), VS_OK);
    // Relative to the distance of 1 m: three Newton steps with mu = 1e-9 leave nothing above rounding.
    assert_close(world->body[1].pose.position.x, .1, 1e-12);
    assert_close(world->body[2].pose.position.x, .1, 1e-12);
    vs_world_destroy(world);
}

static void bodies_without_mass_stay(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    double largest;
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_FIXED;
    def.a = add_body(world, VS_MOTION_KINEMATIC, (vs_pose){{1, 2, 3}, {1, 0, 0, 0}}, 0, INERTIA);
    def.b = add_body(world, VS_MOTION_DYNAMIC, (vs_pose){{0, 2, 3}, {0, 1, 0, 0}}, 2, INERTIA);
    // a little off the half turn, where the direction back is undefined
    world->body[2].pose.rotation = vs_quat_exp((vs_vec3){3.1, 0, .1});
    add_joint(world, &def);
    assert_int_equal(vs_joints_project(world, 1e-12, 50, &largest), VS_OK);
    assert_true(largest <= 1e-12);
    assert_true(world->body[1].pose.position.x == 1 && world->body[1].pose.rotation.w == 1);
    assert_close(world->body[2].pose.position.x, 1, 1e-12);
    vs_world_destroy(world);
}

// A door on two hinges on one axis: 10 rows, rank 5.
static void redundant_hinges_are_no_obstacle(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    double largest;
    vs_pose off = {{.5, .1, .2}, vs_quat_exp((vs_vec3){.2, -.3, .4})};
    vs_body_id door = add_body(world, VS_MOTION_DYNAMIC, off, 20, INERTIA);
    for (int k = -1; k <= 1; k += 2) {
        vs_joint_def def = vs_joint_def_default();
        def.kind = VS_JOINT_REVOLUTE;
        def.b = door;
        def.frame_a.position = (vs_vec3){0, 0, k};
        def.frame_b.position = (vs_vec3){-.5, 0, k};
        add_joint(world, &def);
    }
    assert_int_equal(vs_joints_project(world, 1e-12, 20, &largest), VS_OK);
    assert_true(largest <= 1e-12);
    stepper s = make_stepper(world, 1. / 240);
    world->body[1].spin.z = 2;
    for (int k = 0; k < 100; k++) {
        step(&s);
        assert_true(s.drift <= 1e-9);
    }
    vs_world_destroy(world);
}

// Two ball joints 2 m apart on points of a body that are 1 m apart: both miss by half a metre; the pendulum beside it
// is corrected nevertheless, and one that is satisfied stays unchanged.
static void a_contradiction_ends_with_the_least_violation_and_alone(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    double largest, psi[VS_JOINT_BILATERAL_MOST];
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_SPHERICAL;
    def.b = add_body(world, VS_MOTION_DYNAMIC, (vs_pose){{.3, .2, -.4}, vs_quat_exp((vs_vec3){.3, .5, 1})}, 2, INERTIA);
    for (int k = -1; k <= 1; k += 2) {
        def.frame_a.position = (vs_vec3){k, 0, 0};
        def.frame_b.position = (vs_vec3){.5 * k, 0, 0};
        add_joint(world, &def);
    }
    vs_joint_def hinge =
        define_hinge(GROUND, frame_at(0), add_bar(world, (vs_vec3){.1, 0, .1}, (vs_vec3){1, 0, 1}, 1), frame_at(-.5));
    vs_joint_id hung = add_joint(world, &hinge);
    hinge = define_hinge(GROUND, frame_at(0), add_bar(world, VS_ZERO3, (vs_vec3){.6, 0, .8}, 1), frame_at(-.5));
    vs_joint_id right = add_joint(world, &hinge);
    vs_pose before = world->body[joint_of(world, right)->b].pose;
    assert_int_equal(vs_joints_project(world, 1e-11, 100, &largest), VS_OK);
    assert_close(largest, .5, 1e-6); // the square root of the merit's relative 1e-12
    int count = vs_joint_violation(world, joint_of(world, hung), psi, NULL);
    for (int k = 0; k < count; k++)
        assert_close(psi[k], 0, 1e-11);
    assert_memory_equal(&before, &world->body[joint_of(world, right)->b].pose, sizeof before);
    vs_world_destroy(world);
}

static void gears_are_projected_with_their_joints(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    double largest;
    vs_joint_def gear = vs_joint_def_default(), def = vs_joint_def_default();
    def.kind = VS_JOINT_REVOLUTE;
    def.b = add_body(world, VS_MOTION_DYNAMIC, (vs_pose){{0, 0, 0}, vs_quat_exp((vs_vec3){0, 0, .5})}, 2, INERTIA);
    gear.joint_a = add_joint(world, &def);
    def.b = add_body(world, VS_MOTION_DYNAMIC, (vs_pose){{0, 0, 1}, vs_quat_exp((vs_vec3){0, 0, .5})}, 2, INERTIA);
    def.frame_a.position.z = 1;
    gear.joint_b = add_joint(world, &def);
    gear.kind = VS_JOINT_GEAR;
    gear.ratio = -2;
    add_joint(world, &gear);
    assert_int_equal(vs_joints_project(world, 1e-12, 20, &largest), VS_OK);
    // Least x'M x of equal wheels: (x_a, x_b) = (.5, .5) on the line x_b = -2 x_a goes to (-.1, .2).
    assert_close(coordinate_of(world, gear.joint_a), -.1, 1e-11);
    assert_close(coordinate_of(world, gear.joint_b), .2, 1e-11);
    vs_world_destroy(world);
}

static void deflections_of_compliant_joints_are_left(void **state) {
    vs_context *context = context_of(state);
    vs_world *world = make_world(context, GRAVITY);
    double largest;
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_FIXED;
    def.compliance = 1e-4;
    def.b = add_body(world, VS_MOTION_DYNAMIC, (vs_pose){{.1, 0, 0}, {1, 0, 0, 0}}, 2, INERTIA);
    add_joint(world, &def);
    assert_int_equal(vs_joints_project(world, 1e-12, 20, &largest), VS_OK);
    assert_true(largest == 0 && world->body[1].pose.position.x == .1);
    vs_world_destroy(world);
}

// ---- memory ----------------------------------------------------------------------------------------

static void forget(vs_world *world) {
    vs_projection_memory_release(world);
    vs_tree_projection_release(world);
}

static vs_error project(void *world) {
    double largest;
    const vs_error error = vs_joints_project(world, 1e-11, 50, &largest);
    forget(world);
    return error;
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state) {
    fixture *f = *state;
    vs_world *world = make_world(f->context, GRAVITY);
    add_four_bar(world, .5, 0, true);
    assert_true(refuse_each(&f->m, f->context, project, world) > 3); // the arena, the solver, its state and arena
    vs_world_destroy(world);
}

// Bodies anywhere, then projected. Returns the number of allocations.
static int scatter_and_project(fixture *f, vs_world *world, uint64_t seed) {
    double largest;
    for (int k = 1; k < world->bodies; k++) {
        vs_vec3 *at = &world->body[k].pose.position;
        *at = vs_add(*at, random_vec(&seed, .01));
    }
    const int calls = f->m.calls;
    assert_int_equal(vs_joints_project(world, 1e-11, 50, &largest), VS_OK);
    assert_true(largest <= 1e-11);
    return f->m.calls - calls;
}

// What is kept from one projection to the next saves allocations and changes no bit; a joint less is another pattern.
static void what_the_last_projection_needed_is_used_again(void **state) {
    fixture *f = *state;
    vs_world *with[2];
    for (int k = 0; k < 2; k++) {
        with[k] = make_world(f->context, GRAVITY);
        const four_bar bar = add_four_bar(with[k], .5, 0, true);
        const int first = scatter_and_project(f, with[k], 7);
        if (k == 1)
            forget(with[k]);
        const int again = scatter_and_project(f, with[k], 8);
        assert_true(k == 1 ? again > 3 : again <= first - 3); // the tree, the solver, their state and arenas
        must(vs_world_remove_joint(with[k], bar.hinge[3]), f->context);
        (void)scatter_and_project(f, with[k], 9);
    }
    for (int k = 1; k < with[0]->bodies; k++)
        assert_memory_equal(&with[0]->body[k].pose, &with[1]->body[k].pose, sizeof(vs_pose));
    vs_world_destroy(with[0]);
    vs_world_destroy(with[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_keeps_its_length),
        cmocka_unit_test(without_projection_the_drift_is_of_second_order),
        cmocka_unit_test(a_driven_four_bar_follows_its_closed_form),
        cmocka_unit_test(a_four_bar_is_put_together_from_scattered_bodies),
        cmocka_unit_test(a_motor_does_not_keep_a_mechanism_apart),
        cmocka_unit_test(a_slider_crank_follows_its_closed_form),
        cmocka_unit_test(bodies_move_by_the_inverse_of_their_mass),
        cmocka_unit_test(bodies_without_mass_stay),
        cmocka_unit_test(redundant_hinges_are_no_obstacle),
        cmocka_unit_test(a_contradiction_ends_with_the_least_violation_and_alone),
        cmocka_unit_test(gears_are_projected_with_their_joints),
        cmocka_unit_test(deflections_of_compliant_joints_are_left),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
        cmocka_unit_test(what_the_last_projection_needed_is_used_again),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
