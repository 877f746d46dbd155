// Promises of the stepper beside the physics: energy balance, memory, bits, warm start, masonry that stands.
#include <string.h>

#include "worlds.h"

// Bricks 0.25 x 0.12 x 0.06 m in running bond: `rows` rows of `columns`, every second one shifted by half a brick.
static void add_wall(rig *s, int rows, int columns) {
    const vs_vec3 half = {.125, .06, .03};
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++) {
            double x = 2 * half.x * k + (i % 2 ? half.x : 0);
            add_box(s, half, 2000, (vs_vec3){x, 0, half.z * (2 * i + 1)}, VS_ZERO3);
        }
}

static double largest_move(const rig *s, const vs_body_state *from) {
    double most = 0;
    for (int k = 0; k < vs_world_get_body_count(s->world); k++) {
        vs_body_state now = state_of(s, vs_world_get_body_at(s->world, k));
        most = fmax(most, vs_length(vs_subtract(now.pose.position, from[k].pose.position)));
    }
    return most;
}

static void keep_states(const rig *s, vs_body_state *to) {
    for (int k = 0; k < vs_world_get_body_count(s->world); k++)
        to[k] = state_of(s, vs_world_get_body_at(s->world, k));
}

// Twelve rows of bricks stand: nothing moves after the first second, each step is certified to 1e-9 J.
static void brick_wall_stands(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .6, 0, true);
    s.options.step = 1. / 240;
    s.options.solver.tolerance = 1e-8;
    add_wall(&s, 12, 4);
    start_rig(&s);
    vs_body_state start[48];
    double worst = 0;
    for (int k = 0; k < 480; k++) {
        vs_step_report report = take_step(&s);
        worst = fmax(worst, report.energy_error);
        if (k == 239)
            keep_states(&s, start);
    }
    double moved = largest_move(&s, start);
    printf("  wall: moved %.1e m in the second second, worst energy error %.1e J\n", moved, worst);
    assert_true(moved < 1e-6);
    assert_true(worst < 1e-9);
    close_rig(&s);
}

// Two runs of the same scene end in the same bits, and the thread count does not matter.
static void same_scene_same_bits(void **state) {
    (void)state;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        rig s;
        open_rig(&s, .5, 0, true);
        s.options.solver.tolerance = 1e-8;
        for (int i = 0; i < 8; i++)
            add_ball(&s, .05, 1000, (vs_vec3){.07 * (i % 2), .03 * (i % 3), .06 + .11 * i}, (vs_vec3){.1 * i, 0, 0});
        start_rig(&s);
        for (int i = 0; i < 100; i++)
            take_step(&s);
        hash[k] = vs_world_get_hash(s.world);
        close_rig(&s);
    }
    assert_int_equal(hash[0], hash[1]);
}

// Kinetic and potential energy, dissipation and work balance over a slide; the scheme's own error is of first order.
static void energies_add_up(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .3, 0, true);
    vs_body_id box = add_box(&s, (vs_vec3){.2, .2, .05}, 500, (vs_vec3){0, 0, .05}, (vs_vec3){2, 0, 0});
    start_rig(&s);
    vs_energy before = vs_world_get_energy(s.world);
    double lost = 0, work = 0;
    for (int k = 0; k < 100; k++) {
        vs_step_report report = take_step(&s);
        assert_true(report.dissipation > -1e-12);
        lost += report.dissipation;
        work += report.work;
    }
    vs_energy after = vs_world_get_energy(s.world);
    double balance = before.kinetic + before.potential + work - lost - after.kinetic - after.potential;
    assert_near("energy balance", balance, 0, 1e-9 * before.kinetic);
    // the work of friction is mu m g times the distance
    double way = state_of(&s, box).pose.position.x, mass = .4 * .4 * .1 * 500;
    assert_near("friction's work", lost, .3 * mass * standard_gravity * way, 2e-2 * lost);
    close_rig(&s);
}

// A conveyor carries a box until it moves with the belt.
static void belt_carries_a_box(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, false);
    add_belt(&s);
    vs_body_id box = add_box(&s, (vs_vec3){.1, .1, .1}, 500, (vs_vec3){0, 0, .1}, VS_ZERO3);
    start_rig(&s);
    for (int k = 0; k < 200; k++)
        take_step(&s);
    assert_near("speed of the box", state_of(&s, box).velocity.x, 1, 1e-9);
    close_rig(&s);
}

// At rest nothing is allocated, and a warm start leaves nothing to iterate.
static void resting_scene_allocates_nothing_and_starts_warm(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    s.options.solver.tolerance = 1e-8;
    add_wall(&s, 3, 2);
    start_rig(&s);
    for (int k = 0; k < 50; k++)
        take_step(&s);
    int calls = s.memory.calls, iterations = 0;
    for (int k = 0; k < 50; k++)
        iterations += take_step(&s).iterations;
    assert_int_equal(s.memory.calls, calls);
    printf("  %d iterations in 50 steps at rest\n", iterations);
    assert_true(iterations < 50 * 30);
    close_rig(&s);
}

// Five free balls a millimetre apart, restitution 1: the last leaves with v0, the others rest.
static void five_balls_hand_on_the_speed(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, false);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    vs_material material = vs_material_default();
    material.mu = 0, material.restitution = 1;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    const double r = .05, v0 = 1;
    vs_body_id ball[5];
    for (int k = 0; k < 5; k++)
        ball[k] = add_ball(&s, r, 1000, (vs_vec3){k * (2 * r + .001) - (k == 0 ? .05 : 0), 0, 0},
                           (vs_vec3){k == 0 ? v0 : 0, 0, 0});
    start_rig(&s);
    double before = vs_world_get_energy(s.world).kinetic;
    for (int k = 0; k < 100; k++)
        take_step(&s);
    for (int k = 0; k < 4; k++)
        assert_near("rests", state_of(&s, ball[k]).velocity.x, 0, 1e-9);
    assert_near("leaves", state_of(&s, ball[4]).velocity.x, v0, 1e-9);
    assert_near("energy", vs_world_get_energy(s.world).kinetic / before, 1, 1e-12);
    close_rig(&s);
}

// A pendulum on a spherical joint: the joint is satisfied, its reaction at rest is the weight.
static void joint_holds_and_carries_the_weight(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, false);
    vs_body_def body = vs_body_def_default();
    body.mass = 3, body.pose.position = (vs_vec3){0, 0, -1};
    vs_body_id bob;
    must(vs_world_add_body(s.world, &body, &bob), s.context);
    vs_joint_def joint = vs_joint_def_default();
    joint.kind = VS_JOINT_SPHERICAL, joint.b = bob;
    joint.frame_b.position = (vs_vec3){0, 0, 1};
    vs_joint_id id;
    must(vs_world_add_joint(s.world, &joint, &id), s.context);
    start_rig(&s);
    for (int k = 0; k < 100; k++) {
        vs_step_report report = take_step(&s);
        assert_true(report.joint_drift < 1e-9);
    }
    vs_vec3 force, torque;
    must(vs_world_get_joint_reaction(s.world, id, &force, &torque), s.context);
    assert_near("reaction", force.z, 3 * standard_gravity, 1e-9);
    close_rig(&s);
}

// Bodies added and removed while running; a stale id is an error.
static void bodies_come_and_go(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    s.options.solver.tolerance = 1e-8;
    start_rig(&s);
    take_step(&s); // nothing there
    vs_body_id first = add_ball(&s, .05, 1000, (vs_vec3){0, 0, .05}, VS_ZERO3);
    take_step(&s);
    vs_body_id second = add_ball(&s, .05, 1000, (vs_vec3){0, 0, .15}, VS_ZERO3);
    for (int k = 0; k < 20; k++)
        take_step(&s);
    assert_true(vs_simulation_get_contact_count(s.simulation) == 2);
    must(vs_world_remove_body(s.world, first), s.context);
    for (int k = 0; k < 200; k++)
        take_step(&s);
    assert_near("the upper ball fell", state_of(&s, second).pose.position.z, .05, 1e-6);
    vs_body_state stale;
    assert_int_equal(vs_world_get_body_state(s.world, first, &stale), VS_ERROR_ARGUMENT);
    must(vs_world_remove_body(s.world, second), s.context);
    take_step(&s);
    close_rig(&s);
}

// A callback that calls its own simulation.
typedef struct reentrant {
    rig *rig;
    vs_error step, run;
    int64_t calls;
    bool named;
} reentrant;

static bool step_again(void *user, vs_world *world) {
    reentrant *r = user;
    (void)world;
    r->calls++;
    r->step = vs_simulation_step(r->rig->simulation, NULL);
    r->named = strstr(vs_context_get_error_text(r->rig->context), "vs_simulation_step: called from a callback") != NULL;
    r->run = vs_simulation_run(r->rig->simulation, 1);
    r->named =
        r->named && strstr(vs_context_get_error_text(r->rig->context), "vs_simulation_run: called from a") != NULL;
    return true;
}

static bool step_again_after(void *user, vs_world *world, const vs_step_report *report) {
    (void)report;
    return step_again(user, world);
}

static void a_callback_cannot_step_its_own_simulation(void **state) {
    (void)state;
    for (int after = 0; after < 2; after++) {
        rig s;
        open_rig(&s, .5, 0, true);
        reentrant r = {.rig = &s};
        s.options.user = &r;
        if (after)
            s.options.after = step_again_after;
        else
            s.options.before = step_again;
        start_rig(&s);
        (void)add_ball(&s, .05, 1000, (vs_vec3){0, 0, .05}, VS_ZERO3);
        must(vs_simulation_run(s.simulation, 3 * s.options.step), s.context);
        assert_int_equal(r.calls, 3);
        assert_int_equal(r.step, VS_ERROR_ARGUMENT);
        assert_int_equal(r.run, VS_ERROR_ARGUMENT);
        assert_true(r.named);
        assert_near("time", vs_world_get_time(s.world), 3 * s.options.step, 1e-12);
        close_rig(&s);
    }
}

static void look_at_everything(const rig *s, int contacts) {
    vs_contact_view contact;
    vs_margin margin;
    assert_int_equal(vs_simulation_get_contact_count(s->simulation), contacts);
    for (int k = 0; k < contacts; k++)
        must(vs_simulation_get_contact_at(s->simulation, k, &contact), s->context);
    if (contacts > 0) {
        must(vs_simulation_get_margin(s->simulation, &margin), s->context);
        return;
    }
    assert_int_equal(vs_simulation_get_contact_at(s->simulation, 0, &contact), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_simulation_get_margin(s->simulation, &margin), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_simulation_get_event_count(s->simulation), 0);
    assert_null(vs_simulation_get_problem(s->simulation));
    assert_null(vs_simulation_get_result(s->simulation));
}

// The pattern of contacts changes, and the step fails at each of its allocations in turn: until one succeeds there is
// nothing to look at, in particular nothing of a problem that is gone.
static void failed_step_has_no_contacts(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    start_rig(&s);
    int failures = 0;
    (void)add_box(&s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){0, 0, .1}, VS_ZERO3);
    const vs_body_id other = add_box(&s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){1, 0, .1}, VS_ZERO3);
    (void)take_step(&s);
    look_at_everything(&s, 8);
    vs_body_state at = state_of(&s, other);
    for (bool done = false; !done; failures += !done) {
        at.pose.position.z = failures % 2 ? .1 : 5;
        must(vs_world_set_body_state(s.world, other, &at), s.context);
        s.memory.refuse_from = s.memory.calls + failures;
        s.memory.refuse_to = s.memory.refuse_from + 1;
        const vs_error error = vs_simulation_step(s.simulation, NULL);
        s.memory.refuse_to = 0;
        done = error == VS_OK;
        if (!done)
            assert_int_equal(error, VS_ERROR_MEMORY);
        look_at_everything(&s, !done ? 0 : failures % 2 ? 8 : 4);
        assert_true(failures < 10000);
    }
    printf("  %d failed steps\n", failures);
    assert_true(failures > 10);
    close_rig(&s);
}

// A load that is not a number fails a step after its problem was rebuilt.
static void step_without_a_solution_has_no_contacts(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    start_rig(&s);
    const vs_body_id box = add_box(&s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){0, 0, .1}, VS_ZERO3);
    vs_signal force[3] = {{.kind = VS_SIGNAL_CONSTANT}, {.kind = VS_SIGNAL_CONSTANT}, {.kind = VS_SIGNAL_CONSTANT}};
    force[0].kind = VS_SIGNAL_EXPRESSION, force[0].expression = "sqrt(0.004 - t)";
    must(vs_world_add_load(s.world, box, force, NULL), s.context);
    (void)take_step(&s);
    (void)add_box(&s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){1, 0, .1}, VS_ZERO3);
    vs_error error = VS_OK;
    for (int k = 0; k < 3 && !error; k++)
        error = vs_simulation_step(s.simulation, NULL);
    assert_int_not_equal(error, VS_OK);
    look_at_everything(&s, 0);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brick_wall_stands),
        cmocka_unit_test(same_scene_same_bits),
        cmocka_unit_test(energies_add_up),
        cmocka_unit_test(belt_carries_a_box),
        cmocka_unit_test(resting_scene_allocates_nothing_and_starts_warm),
        cmocka_unit_test(five_balls_hand_on_the_speed),
        cmocka_unit_test(joint_holds_and_carries_the_weight),
        cmocka_unit_test(bodies_come_and_go),
        cmocka_unit_test(a_callback_cannot_step_its_own_simulation),
        cmocka_unit_test(failed_step_has_no_contacts),
        cmocka_unit_test(step_without_a_solution_has_no_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
