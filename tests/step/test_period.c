// Space that repeats itself: bodies meet images of each other as they meet each other, and nothing depends on where the cell begins.
#include "step/worlds.h"
#include "voussoir/observe.h"

#include <math.h>
#include <string.h>

static const double length = 2; // m, of the cell
enum { GRAINS = 27, STEPS = 40 };

static void open_cell(rig *s, vs_vec3 period) {
    open_rig(s, .4, 0, false);
    must(vs_world_set_gravity(s->world, (vs_vec3){0, 0, 0}), s->context);
    must(vs_world_set_period(s->world, period), s->context);
}

static void run_steps(rig *s, int steps) {
    for (int k = 0; k < steps; k++)
        must(vs_simulation_step(s->simulation, NULL), s->context);
}

// ---- two bodies ------------------------------------------------------------------------------------

typedef struct two {
    vs_body_id id[2];
} two;

// Two bodies that strike each other off centre, the second one moved by `shift`.
static two add_two(rig *s, bool boxes, vs_vec3 shift, double speed) {
    const vs_vec3 at[2] = {{-.25, 0, 0}, {.25, .0625, 0}};
    two t;
    for (int k = 0; k < 2; k++) {
        const vs_vec3 x = k ? vs_add(at[k], shift) : at[k], v = {k ? -speed : speed, 0, 0};
        t.id[k] = boxes ? add_box(s, (vs_vec3){.125, .0625, .25}, 1000, x, v) : add_ball(s, .125, 1000, x, v);
    }
    return t;
}

// The same bits, wherever the other body is: all lengths are sums of powers of two.
static void check_two(bool boxes, double speed) {
    rig plain, cell;
    open_rig(&plain, .4, 0, false);
    must(vs_world_set_gravity(plain.world, (vs_vec3){0, 0, 0}), plain.context);
    open_cell(&cell, (vs_vec3){length, length, length});
    const vs_vec3 shift = {length, -length, 0};
    const two p = add_two(&plain, boxes, (vs_vec3){0, 0, 0}, speed), q = add_two(&cell, boxes, shift, speed);
    plain.options.step = cell.options.step = .0078125;
    start_rig(&plain);
    start_rig(&cell);
    run_steps(&plain, STEPS);
    run_steps(&cell, STEPS);
    for (int k = 0; k < 2; k++) {
        const vs_body_state a = state_of(&plain, p.id[k]), b = state_of(&cell, q.id[k]);
        const vs_vec3 place = k ? vs_subtract(b.pose.position, shift) : b.pose.position;
        assert_true(k == 0 ? a.velocity.x < speed : a.velocity.x > -speed); // they have met
        assert_true(vs_length(vs_subtract(a.velocity, b.velocity)) < 1e-12 * speed);
        assert_true(vs_length(vs_subtract(a.spin, b.spin)) < 1e-11 * speed / .125);
        assert_true(vs_length(vs_subtract(a.pose.position, place)) < 1e-12 * speed);
    }
    close_rig(&plain);
    close_rig(&cell);
}

static void images_are_met_like_bodies(void **state) {
    (void)state;
    check_two(false, 1);
    check_two(true, 1);
}

// Faster than their size per step: found on the way.
static void fast_images_are_met_on_the_way(void **state) {
    (void)state;
    check_two(false, 16);
    check_two(true, 16);
}

// ---- many ------------------------------------------------------------------------------------------

// Balls and boxes that fly about in a cell that they fill by a third, all moved by `shift`, then into another cell by whole periods.
static void add_many(rig *s, vs_vec3 shift, bool apart, vs_body_id id[GRAINS]) {
    for (int k = 0; k < GRAINS; k++) {
        const int place[3] = {k % 3, k / 3 % 3, k / 9};
        const double apart_by = apart ? length * (k % 5 - 2) : 0;
        const vs_vec3 x = {length / 3 * place[0] + shift.x + apart_by, length / 3 * place[1] + shift.y - apart_by,
                           length / 3 * place[2] + shift.z};
        const vs_vec3 v = {sin(3 * k), cos(5 * k), sin(7 * k + 1)};
        id[k] = k % 2 ? add_ball(s, .3, 1000, x, v) : add_box(s, (vs_vec3){.25, .2, .3}, 1000, x, v);
    }
}

static vs_vec3 momentum_of(const rig *s) {
    return vs_world_get_energy(s->world).momentum;
}

static void the_cell_may_begin_anywhere(void **state) {
    (void)state;
    rig s[3];
    vs_body_id id[3][GRAINS];
    const vs_vec3 shift[3] = {{0, 0, 0}, {.375, .75, -.25}, {0, 0, 0}};
    for (int k = 0; k < 3; k++) {
        open_cell(&s[k], (vs_vec3){length, length, length});
        add_many(&s[k], shift[k], k == 2, id[k]);
        start_rig(&s[k]);
    }
    const vs_vec3 before = momentum_of(&s[0]);
    int struck = 0;
    for (int step = 0; step < STEPS; step++) {
        for (int k = 0; k < 3; k++)
            run_steps(&s[k], 1);
        for (int k = 1; k < 3; k++)
            for (int i = 0; i < GRAINS; i++) {
                const vs_body_state a = state_of(&s[0], id[0][i]), b = state_of(&s[k], id[k][i]);
                assert_true(vs_length(vs_subtract(a.velocity, b.velocity)) < 1e-8);
            }
        struck += vs_simulation_get_contact_count(s[0].simulation);
    }
    assert_true(struck > 20);
    // as much as leaves on one side comes in on the other
    const vs_vec3 change = vs_subtract(momentum_of(&s[0]), before);
    double mass = 0;
    vs_mat3 inertia;
    must(vs_world_get_body_mass(s[0].world, id[0][0], &mass, &inertia), s[0].context);
    assert_true(vs_length(change) < 1e-12 * GRAINS * mass);
    for (int k = 0; k < 3; k++)
        close_rig(&s[k]);
}

// Forces of contacts on bodies have no torque about the centres of balls without friction, in any image.
static void torques_are_those_of_images(void **state) {
    (void)state;
    rig s;
    open_cell(&s, (vs_vec3){length, 0, 0});
    const vs_body_id a = add_ball(&s, .25, 1000, (vs_vec3){-.8125, 0, 0}, (vs_vec3){-1, 0, 0});
    const vs_body_id b = add_ball(&s, .25, 1000, (vs_vec3){.8125, 0, 0}, (vs_vec3){1, 0, 0});
    s.options.step = .125;
    start_rig(&s);
    run_steps(&s, 1);
    double on[12];
    must(vs_simulation_get_contact_forces(s.simulation, on), s.context);
    assert_true(on[0] > 0 && on[6] < 0);
    for (int k = 3; k < 12; k++)
        assert_true(k == 6 || fabs(on[k]) < 1e-9 * on[0]);
    vs_vec3 force, torque;
    must(vs_simulation_get_pair_force(s.simulation, a, b, &force, &torque), s.context);
    assert_true(force.x < 0 && vs_length(torque) < 1e-9 * on[0]);
    close_rig(&s);
}

// ---- what is refused -------------------------------------------------------------------------------

static void expect_refusal(rig *s, const char *words) {
    start_rig(s);
    assert_true(vs_simulation_step(s->simulation, NULL) != VS_OK);
    if (!strstr(vs_context_get_error_text(s->context), words))
        fail_msg("'%s' instead of '%s'", vs_context_get_error_text(s->context), words);
    close_rig(s);
}

static void what_has_no_images_is_refused(void **state) {
    (void)state;
    rig s;
    open_cell(&s, (vs_vec3){length, 0, 0});
    (void)add_box(&s, (vs_vec3){.5, .1, .1}, 1000, (vs_vec3){0, 0, 0}, (vs_vec3){0, 0, 0});
    expect_refusal(&s, "longer than half a period");

    open_rig(&s, .4, 0, true);
    must(vs_world_set_period(s.world, (vs_vec3){0, 0, length}), s.context);
    (void)add_ball(&s, .1, 1000, (vs_vec3){0, 0, .5}, (vs_vec3){0, 0, 0});
    expect_refusal(&s, "plane across the period");

    open_cell(&s, (vs_vec3){length, 0, 0});
    (void)add_ball(&s, .1, 1000, (vs_vec3){0, 0, 0}, (vs_vec3){0, 0, 0});
    vs_joint_def joint = vs_joint_def_default();
    joint.kind = VS_JOINT_SPHERICAL;
    joint.b = add_ball(&s, .1, 1000, (vs_vec3){.5, 0, 0}, (vs_vec3){0, 0, 0});
    must(vs_world_add_joint(s.world, &joint, NULL), s.context);
    expect_refusal(&s, "joints");

    open_cell(&s, (vs_vec3){length, 0, 0});
    (void)add_ball(&s, .1, 1000, (vs_vec3){0, 0, 0}, (vs_vec3){0, 0, 0});
    s.options.accuracy = 1e-3;
    expect_refusal(&s, "scheme moreau only");

    open_rig(&s, .4, 0, false);
    assert_int_equal(vs_world_set_period(s.world, (vs_vec3){-1, 0, 0}), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_set_period(s.world, (vs_vec3){NAN, 0, 0}), VS_ERROR_ARGUMENT);
    assert_true(vs_world_get_period(s.world).x == 0 && vs_world_get_period(NULL).x == 0);
    assert_int_equal(vs_world_set_period(NULL, (vs_vec3){0, 0, 0}), VS_ERROR_ARGUMENT);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_are_met_like_bodies),    cmocka_unit_test(fast_images_are_met_on_the_way),
        cmocka_unit_test(the_cell_may_begin_anywhere),   cmocka_unit_test(torques_are_those_of_images),
        cmocka_unit_test(what_has_no_images_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
