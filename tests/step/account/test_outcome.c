// How a simulation ends: what stands, moves or has left its place, and the step at which each stop condition is met.
#include "step/worlds.h"

#include <math.h>

static vs_outcome run(rig *s, double time) {
    vs_outcome outcome;
    must(vs_simulation_run(s->simulation, time), s->context);
    must(vs_simulation_get_outcome(s->simulation, &outcome), s->context);
    return outcome;
}

static void start_with(rig *s, vs_stop_condition condition) {
    s->options.stop = &condition;
    s->options.stops = 1;
    start_rig(s);
    s->options.stop = NULL; // it was copied
}

static vs_stop_condition when(vs_stop_when kind, vs_body_id body, double limit) {
    vs_stop_condition c = vs_stop_condition_default();
    c.when = kind, c.body = body, c.limit = limit;
    return c;
}

static const vs_body_id any = {0, 0};
static const vs_vec3 half = {.1, .1, .1}, still = {0, 0, 0};

// ---- states ----------------------------------------------------------------------------------------

// tan 16.5 degrees < 0.3 < tan 16.9 degrees: friction holds the box, or does not.
static void a_box_stands_below_the_angle_of_friction_and_moves_above(void **state) {
    (void)state;
    const double angle[] = {16.5, 16.9};
    for (int k = 0; k < 2; k++) {
        rig s;
        open_rig(&s, .3, angle[k] * pi / 180, true);
        add_box(&s, half, 1000, (vs_vec3){0, 0, .1}, still);
        start_rig(&s);
        const vs_outcome o = run(&s, .5);
        assert_int_equal(o.condition, -1);
        assert_int_equal(o.state, k == 0 ? VS_OUTCOME_STANDS : VS_OUTCOME_MOVING);
        assert_int_equal(o.at_rest, k == 0);
        close_rig(&s);
    }
}

static void far_and_turned_bodies_have_left_their_places(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, true);
    const vs_body_id slow = add_box(&s, half, 1000, (vs_vec3){0, 0, .1}, (vs_vec3){.1, 0, 0});
    const vs_body_id fast = add_box(&s, half, 1000, (vs_vec3){0, 1, .1}, (vs_vec3){1, 0, 0});
    start_rig(&s);
    vs_outcome o = run(&s, .3); // 0.3 m, less than the diameter sqrt(3) 0.2 m = 0.346 m
    assert_int_equal(o.state, VS_OUTCOME_MOVING);
    o = run(&s, .4);
    assert_int_equal(o.state, VS_OUTCOME_DISPLACED);
    assert_int_equal(o.displaced.index, fast.index);
    assert_int_equal(o.farthest.index, fast.index);
    assert_true(fabs(o.displacement - .4) < 1e-9 && fabs(o.speed - 1) < 1e-6); // no friction: rounding, contact error
    assert_true(slow.index != fast.index);
    close_rig(&s);

    open_rig(&s, .5, 0, false);
    vs_world_set_gravity(s.world, still);
    const vs_body_id turning = add_box(&s, half, 1000, still, still);
    const vs_body_state spin = {{{0, 0, 0}, {1, 0, 0, 0}}, {0, 0, 0}, {0, 0, 1}};
    must(vs_world_set_body_state(s.world, turning, &spin), s.context);
    start_rig(&s);
    assert_int_equal(run(&s, .75).state, VS_OUTCOME_MOVING);
    o = run(&s, .8); // pi/4 = 0.785
    assert_int_equal(o.state, VS_OUTCOME_DISPLACED);
    assert_true(fabs(o.rotation - .8) < 1e-12 && o.most_turned.index == turning.index && o.displacement == 0);
    o = run(&s, 5); // the largest angle between two rotations is pi
    assert_true(o.rotation > 3.13 && o.rotation <= pi);
    close_rig(&s);
}

// At the top of its flight a ball is slow, but nothing holds it.
static void a_ball_in_the_air_is_never_at_rest(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, false);
    add_ball(&s, .5, 1000, still, (vs_vec3){0, 0, 20 * .0025 * standard_gravity}); // stops for a step after 20
    vs_stop_condition c = when(VS_STOP_REST, any, 0);
    c.hold = .0025 * 2;
    start_with(&s, c);
    const vs_outcome o = run(&s, .2);
    assert_int_equal(o.condition, -1);
    assert_false(o.at_rest);
    close_rig(&s);
}

// ---- conditions ------------------------------------------------------------------------------------

// v = 1 m/s: the time is the limit; the step in which it is reached does not exceed it.
static void displacement_stops_at_its_limit(void **state) {
    (void)state;
    rig s;
    for (int named = 0; named < 2; named++) {
        open_rig(&s, 0, 0, false);
        vs_world_set_gravity(s.world, still);
        const vs_body_id fast = add_ball(&s, .1, 1000, still, (vs_vec3){1, 0, 0});
        const vs_body_id slow = add_ball(&s, .1, 1000, (vs_vec3){0, 1, 0}, (vs_vec3){.5, 0, 0});
        start_with(&s, when(VS_STOP_DISPLACEMENT, named ? slow : any, .0999));
        const vs_outcome o = run(&s, 1);
        assert_int_equal(o.condition, 0);
        assert_int_equal(o.met_by.index, named ? slow.index : fast.index);
        assert_true(fabs(vs_world_get_time(s.world) - (named ? .2 : .1)) < 1e-9);
        assert_true(fabs(o.met_value - .1) < 1e-9);
        close_rig(&s);
    }
}

static void speed_and_rotation_stop_at_their_limits(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, false);
    add_ball(&s, .1, 1000, still, still);
    start_with(&s, when(VS_STOP_SPEED, any, .999 * standard_gravity * .1));
    assert_int_equal(run(&s, 1).condition, 0);
    assert_true(fabs(vs_world_get_time(s.world) - .1) < 1e-9); // v = g t
    close_rig(&s);

    open_rig(&s, 0, 0, false);
    vs_world_set_gravity(s.world, still);
    const vs_body_id turning = add_box(&s, half, 1000, still, still);
    const vs_body_state spin = {{{0, 0, 0}, {1, 0, 0, 0}}, {0, 0, 0}, {0, 0, 1}};
    must(vs_world_set_body_state(s.world, turning, &spin), s.context);
    start_with(&s, when(VS_STOP_ROTATION, turning, .0999));
    assert_int_equal(run(&s, 1).condition, 0);
    assert_true(fabs(vs_world_get_time(s.world) - .1) < 1e-9);
    close_rig(&s);
}

// v = 1 m/s, mu g = 4.905 m/s^2: it stops after 0.2039 s, 82 steps, and is at rest 0.1 s later.
static void rest_stops_after_a_slide(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    add_box(&s, half, 1000, (vs_vec3){0, 0, .1}, (vs_vec3){1, 0, 0});
    start_with(&s, when(VS_STOP_REST, any, 0));
    const vs_outcome o = run(&s, 1);
    assert_int_equal(o.condition, 0);
    assert_true(o.at_rest);
    assert_int_equal(o.state, VS_OUTCOME_STANDS);                 // 0.1 m: it did not leave its place
    assert_true(fabs(vs_world_get_time(s.world) - .305) < .0026); // one step
    close_rig(&s);
}

static void contact_stops_when_bodies_meet(void **state) {
    (void)state;
    enum { WITH_ANY, WITH_WORLD, WITH_OTHER, CASES };
    for (int k = 0; k < CASES; k++) {
        rig s;
        open_rig(&s, 0, 0, true);
        const vs_body_id ball = add_ball(&s, .1, 1000, (vs_vec3){0, 0, .1 + .1}, still); // falls 0.1 m: 0.1428 s
        const vs_body_id far = add_ball(&s, .1, 1000, (vs_vec3){1, 0, .1}, still);
        vs_stop_condition c = when(VS_STOP_CONTACT, ball, 0);
        c.pair = k != WITH_ANY;
        c.other = k == WITH_OTHER ? far : any;
        start_with(&s, c);
        const vs_outcome o = run(&s, .3);
        assert_int_equal(o.condition, k == WITH_OTHER ? -1 : 0);
        if (k != WITH_OTHER) {
            assert_int_equal(o.met_by.index, ball.index);
            assert_true(fabs(vs_world_get_time(s.world) - .1428) < .005); // two steps
        }
        close_rig(&s);
    }
}

// A tall box with gravity beyond its edge topples, and the run ends at 45 degrees or after its diameter.
static void a_fall_stops_the_run(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 1, 20 * pi / 180, true);
    const vs_body_id box = add_box(&s, (vs_vec3){.1, .1, .4}, 1000, (vs_vec3){0, 0, .4}, still);
    start_with(&s, when(VS_STOP_FALL, any, 0));
    const vs_outcome o = run(&s, 5);
    assert_int_equal(o.condition, 0);
    assert_int_equal(o.met_by.index, box.index);
    assert_int_equal(o.state, VS_OUTCOME_DISPLACED);
    assert_true(o.rotation > pi / 4 && o.rotation < pi / 3 && vs_world_get_time(s.world) < 2);
    close_rig(&s);
}

static void the_first_condition_that_is_met_counts_and_a_removed_body_meets_none(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, false);
    const vs_body_id a = add_ball(&s, .1, 1000, still, still), b = add_ball(&s, .1, 1000, (vs_vec3){1, 0, 0}, still);
    const vs_stop_condition list[] = {when(VS_STOP_SPEED, a, .1), when(VS_STOP_SPEED, b, .1)};
    s.options.stop = list, s.options.stops = 2;
    start_rig(&s);
    assert_int_equal(run(&s, 1).condition, 0);
    must(vs_world_remove_body(s.world, a), s.context);
    assert_int_equal(run(&s, 1).condition, 1);
    const vs_body_id late = add_ball(&s, .1, 1000, (vs_vec3){5, 0, 0}, still); // may take the slot of a
    const vs_outcome o = run(&s, 1);
    assert_int_equal(o.condition, 1);
    assert_true(o.farthest.index != late.index || o.displacement < 1); // it begins where it was added
    close_rig(&s);
}

static void conditions_out_of_range_are_refused(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, false);
    const vs_stop_condition wrong[] = {when((vs_stop_when)17, any, 0), when(VS_STOP_SPEED, any, -1),
                                       when(VS_STOP_SPEED, any, INFINITY), when(VS_STOP_SPEED, (vs_body_id){7, 7}, 1)};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        s.options.stop = &wrong[k], s.options.stops = 1;
        assert_int_equal(vs_simulation_create(s.world, &s.options, &s.simulation), VS_ERROR_ARGUMENT);
        assert_non_null(strstr(vs_context_get_error_text(s.context), "stop[0]"));
    }
    s.options.stop = NULL;
    assert_int_equal(vs_simulation_create(s.world, &s.options, &s.simulation), VS_ERROR_ARGUMENT);
    close_rig(&s);
}

// ---- moving supports ---------------------------------------------------------------------------------

// A box of these half sides that moves as told.
static vs_body_id add_support(rig *s, vs_vec3 sides, vs_vec3 at, vs_vec3 velocity, vs_vec3 spin) {
    vs_body_def body = vs_body_def_default();
    body.motion = VS_MOTION_KINEMATIC, body.pose.position = at, body.velocity = velocity, body.spin = spin;
    vs_body_id id;
    must(vs_world_add_body(s->world, &body, &id), s->context);
    vs_shape *shape;
    must(vs_shape_box(s->context, sides, &shape), s->context);
    vs_collider_def collider = vs_collider_def_default();
    collider.body = id, collider.shape = shape, collider.material = s->material;
    must(vs_world_add_collider(s->world, &collider, NULL), s->context);
    vs_shape_release(shape);
    return id;
}

static const vs_vec3 table = {2, 2, .1}, below = {0, 0, -.1};

// Three boxes, one on the other, on a table that glides by five of their sizes.
static void what_rides_on_a_table_stands_on_it(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, false);
    const vs_body_id on = add_support(&s, table, below, (vs_vec3){1, 0, 0}, still);
    for (int k = 0; k < 3; k++)
        add_box(&s, half, 1000, (vs_vec3){0, 0, .1 + .2 * k}, (vs_vec3){1, 0, 0});
    start_with(&s, when(VS_STOP_FALL, any, 0));
    const vs_outcome o = run(&s, 1);
    assert_int_equal(o.condition, -1);
    assert_int_equal(o.state, VS_OUTCOME_STANDS);
    assert_true(o.displacement < 1e-6 && o.residual < 1e-6 && o.speed < 1e-6); // tolerance 1e-12
    assert_int_equal(o.farthest_on.index, on.index);
    close_rig(&s);
}

// The table turns about a horizontal axis by 0.2 rad, below the angle of friction: the box turns with it.
static void what_turns_with_its_support_has_not_turned(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, false);
    add_support(&s, table, below, still, (vs_vec3){0, .2, 0});
    const vs_body_id box = add_box(&s, half, 1000, (vs_vec3){0, 0, .1}, still);
    const vs_body_state turning = {{{0, 0, .1}, {1, 0, 0, 0}}, {.04, 0, 0}, {0, .2, 0}};
    must(vs_world_set_body_state(s.world, box, &turning), s.context);
    start_with(&s, when(VS_STOP_ROTATION, any, .01));
    const vs_outcome o = run(&s, 1);
    assert_int_equal(o.condition, -1);
    assert_true(o.rotation < .01 && o.displacement < .01); // steps of 2.5 ms; the table turned by 0.2
    close_rig(&s);
}

// A table that is pulled away under a box without friction leaves it behind, and that is a displacement on the table.
static void what_a_support_leaves_behind_is_displaced(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, false);
    const vs_body_id on = add_support(&s, table, below, (vs_vec3){1, 0, 0}, still);
    add_box(&s, half, 1000, (vs_vec3){0, 0, .1}, still);
    start_rig(&s);
    const vs_outcome o = run(&s, .5);
    assert_int_equal(o.state, VS_OUTCOME_DISPLACED);
    assert_true(fabs(o.displacement - .5) < 1e-9 && o.farthest_on.index == on.index);
    close_rig(&s);
}

// What lies on the floor belongs to the floor, also if a support pushes it; and what is pushed along with it as well.
static void what_is_pushed_across_the_floor_is_displaced(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .3, 0, true);
    add_support(&s, half, (vs_vec3){-.2, 0, .1}, (vs_vec3){1, 0, 0}, still);
    add_box(&s, half, 1000, (vs_vec3){0, 0, .1}, (vs_vec3){1, 0, 0});
    add_box(&s, half, 1000, (vs_vec3){.2, 0, .1}, (vs_vec3){1, 0, 0});
    start_rig(&s);
    const vs_outcome o = run(&s, .5);
    assert_int_equal(o.state, VS_OUTCOME_DISPLACED);
    assert_true(fabs(o.displacement - .5) < 1e-6 && o.farthest_on.index == 0);
    close_rig(&s);
}

// One foot sinks by a box, the other stays: each box belongs to the foot under it.
static void each_body_belongs_to_its_own_support(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    add_support(&s, half, (vs_vec3){0, 0, 1}, (vs_vec3){0, 0, -.4}, still);
    const vs_body_id rides = add_box(&s, half, 1000, (vs_vec3){0, 0, 1.2}, (vs_vec3){0, 0, -.4});
    const vs_body_id stays = add_box(&s, half, 1000, (vs_vec3){1, 0, .1}, still);
    const vs_body_id joined = add_box(&s, half, 1000, (vs_vec3){2, 0, .1}, still);
    start_rig(&s);
    const vs_outcome o = run(&s, 1);
    assert_int_equal(o.state, VS_OUTCOME_STANDS);
    assert_true(o.displacement < 1e-6);
    assert_true(rides.index != stays.index && stays.index != joined.index);
    close_rig(&s);
}

// A body that comes when its support has moved already begins where it is put.
static void a_body_that_comes_later_begins_on_its_support(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, false);
    add_support(&s, table, below, (vs_vec3){1, 0, 0}, still);
    start_rig(&s);
    (void)run(&s, .5);
    add_box(&s, half, 1000, (vs_vec3){.5, 0, .1}, (vs_vec3){1, 0, 0});
    const vs_outcome o = run(&s, 1);
    assert_int_equal(o.state, VS_OUTCOME_STANDS);
    assert_true(o.displacement < 1e-6);
    close_rig(&s);
}

// A pile whose error is that of the tolerance moves a little at 1e-3 of it: the rest that is looked for is no finer.
static void what_stands_within_a_loose_tolerance_is_at_rest(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double tolerance[] = {1e-8, 1e-5, 1e-4};
        rig s;
        open_rig(&s, .5, 0, true);
        s.options.solver.tolerance = tolerance[k];
        for (int i = 0; i < 6; i++) // heavier above: the light one below has all of the error
            add_box(&s, half, 1000 * (1 << i), (vs_vec3){0, 0, .1 + .2 * i}, still);
        start_rig(&s);
        const vs_outcome o = run(&s, 1);
        print_message("  tolerance %g: %.2e g h\n", tolerance[k], o.speed / (standard_gravity * s.options.step));
        assert_int_equal(o.state, VS_OUTCOME_STANDS);
        close_rig(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_stands_below_the_angle_of_friction_and_moves_above),
        cmocka_unit_test(far_and_turned_bodies_have_left_their_places),
        cmocka_unit_test(a_ball_in_the_air_is_never_at_rest),
        cmocka_unit_test(displacement_stops_at_its_limit),
        cmocka_unit_test(speed_and_rotation_stop_at_their_limits),
        cmocka_unit_test(rest_stops_after_a_slide),
        cmocka_unit_test(contact_stops_when_bodies_meet),
        cmocka_unit_test(a_fall_stops_the_run),
        cmocka_unit_test(the_first_condition_that_is_met_counts_and_a_removed_body_meets_none),
        cmocka_unit_test(conditions_out_of_range_are_refused),
        cmocka_unit_test(what_rides_on_a_table_stands_on_it),
        cmocka_unit_test(what_turns_with_its_support_has_not_turned),
        cmocka_unit_test(what_a_support_leaves_behind_is_displaced),
        cmocka_unit_test(what_is_pushed_across_the_floor_is_displaced),
        cmocka_unit_test(each_body_belongs_to_its_own_support),
        cmocka_unit_test(a_body_that_comes_later_begins_on_its_support),
        cmocka_unit_test(what_stands_within_a_loose_tolerance_is_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
