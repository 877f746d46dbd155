// Batches: the bits of each world are those that it has alone, for any number of threads; arrays, resets, and failures
// of single worlds.
#include "voussoir/batch.h"

#include "kit/snapshot.h"
#include "worlds.h"

enum { WORLDS = 7, BODIES = 3, JOINTS = 1, CALLS = 12, STEPS = 5 };

// A bar with a motor that pushes two boxes over the floor; what differs between worlds is the friction and the command.
static void open_world(rig *s, int k) {
    open_rig(s, .2 + .1 * k, 0, true);
    const vs_vec3 rest = {0, 0, 0};
    const vs_body_id bar = add_box(s, (vs_vec3){.05, .05, .25}, 1000, (vs_vec3){0, 0, .35}, rest);
    (void)add_box(s, (vs_vec3){.1, .1, .1}, 500, (vs_vec3){.16, 0, .1}, rest);
    (void)add_box(s, (vs_vec3){.05, .05, .05}, 500, (vs_vec3){.16, 0, .25}, (vs_vec3){.1 * k, .2, 0});
    vs_joint_def joint = vs_joint_def_default();
    joint.kind = VS_JOINT_REVOLUTE, joint.b = bar, joint.motor_limit = 200;
    joint.frame_a.position.z = .6, joint.frame_b.position.z = .25;
    joint.frame_a.rotation = joint.frame_b.rotation = (vs_quat){sqrt(.5), sqrt(.5), 0, 0}; // about -y
    vs_joint_id id;
    must(vs_world_add_joint(s->world, &joint, &id), s->context);
    vs_control_def control = vs_control_def_default();
    control.joint = id, control.limited = true, control.low = -100, control.high = 100;
    must(vs_world_add_control(s->world, &control, NULL), s->context);
    start_rig(s);
}

static double command(int k, int call) {
    return 30 * sin(1 + k + .7 * call);
}

// Poses and velocities after each call.
typedef struct motion {
    vs_body_state state[CALLS][WORLDS][BODIES];
    double joint[CALLS][WORLDS][JOINTS][2], effort[CALLS][WORLDS][JOINTS];
} motion;

typedef struct crowd {
    memory memory;
    vs_context *context;
    rig world[WORLDS];
    vs_batch *batch;
} crowd;

static void open_crowd(crowd *c, int threads) {
    c->context = make_threaded_context(&c->memory, threads);
    vs_simulation *simulation[WORLDS];
    for (int k = 0; k < WORLDS; k++) {
        open_world(&c->world[k], k);
        simulation[k] = c->world[k].simulation;
    }
    must(vs_batch_create(c->context, simulation, WORLDS, &c->batch), c->context);
}

static void close_crowd(crowd *c) {
    vs_batch_destroy(c->batch);
    for (int k = 0; k < WORLDS; k++)
        close_rig(&c->world[k]);
    end_context(c->context, &c->memory);
}

static void run_crowd(crowd *c, motion *m) {
    for (int call = 0; call < CALLS; call++) {
        double value[WORLDS];
        vs_batch_report report[WORLDS];
        for (int k = 0; k < WORLDS; k++)
            value[k] = command(k, call);
        must(vs_batch_set_controls(c->batch, value), c->context);
        double set[WORLDS];
        must(vs_batch_get_controls(c->batch, set), c->context);
        assert_memory_equal(set, value, sizeof set);
        must(vs_batch_step(c->batch, NULL, STEPS, report), c->context);
        must(vs_batch_get_bodies(c->batch, m->state[call][0]), c->context);
        must(vs_batch_get_joints(c->batch, m->joint[call][0][0]), c->context);
        must(vs_batch_get_efforts(c->batch, m->effort[call][0]), c->context);
        for (int k = 0; k < WORLDS; k++) {
            assert_int_equal(report[k].error, VS_OK);
            assert_int_equal(report[k].end, VS_RUN_CONTINUES);
            assert_int_equal(report[k].status, VS_STATUS_CONVERGED);
            assert_int_equal(report[k].steps, STEPS);
            assert_int_equal(report[k].contacts, vs_simulation_get_contact_count(c->world[k].simulation));
            assert_true(report[k].time == vs_world_get_time(c->world[k].world));
        }
    }
}

// Without a batch, one world after the other.
static void run_alone(motion *m) {
    for (int k = 0; k < WORLDS; k++) {
        rig s;
        open_world(&s, k);
        const vs_joint_id joint = vs_world_get_joint_at(s.world, 0);
        for (int call = 0; call < CALLS; call++) {
            must(vs_world_set_control(s.world, 0, command(k, call)), s.context);
            for (int i = 0; i < STEPS; i++)
                (void)take_step(&s);
            for (int i = 0; i < BODIES; i++)
                m->state[call][k][i] = state_of(&s, vs_world_get_body_at(s.world, i));
            double *to = m->joint[call][k][0];
            must(vs_world_get_joint_coordinate(s.world, joint, to, to + 1), s.context);
            must(vs_world_get_joint_effort(s.world, joint, m->effort[call][k]), s.context);
        }
        close_rig(&s);
    }
}

static void each_world_has_the_bits_that_it_has_alone_for_any_number_of_threads(void **state) {
    (void)state;
    motion *alone = calloc(1, sizeof *alone), *together = calloc(1, sizeof *together);
    run_alone(alone);
    assert_true(alone->state[CALLS - 1][0][1].pose.position.x != alone->state[CALLS - 1][1][1].pose.position.x);
    for (int threads = 1; threads <= 3; threads++) {
        crowd c;
        open_crowd(&c, threads);
        run_crowd(&c, together);
        assert_memory_equal(alone, together, sizeof *alone);
        close_crowd(&c);
    }
    free(together);
    free(alone);
}

static void reset_worlds_repeat_their_first_bits(void **state) {
    (void)state;
    motion *first = calloc(1, sizeof *first), *second = calloc(1, sizeof *second);
    crowd c;
    open_crowd(&c, 2);
    run_crowd(&c, first);
    must(vs_batch_reset(c.batch, NULL), c.context);
    run_crowd(&c, second);
    assert_memory_equal(first, second, sizeof *first);

    // One of them alone.
    bool which[WORLDS] = {[3] = true};
    must(vs_batch_reset(c.batch, which), c.context);
    for (int k = 0; k < WORLDS; k++)
        assert_true((vs_world_get_time(c.world[k].world) == 0) == (k == 3));

    vs_batch_report report[WORLDS] = {{0}};
    must(vs_batch_step(c.batch, which, 2, report), c.context);
    for (int k = 0; k < WORLDS; k++)
        assert_int_equal(report[k].steps, k == 3 ? 2 : 0);
    assert_true(fabs(vs_world_get_time(c.world[3].world) - 2 * c.world[3].options.step) < 1e-15);

    // Another start.
    must(vs_batch_reset(c.batch, NULL), c.context);
    must(vs_batch_step(c.batch, NULL, 3, NULL), c.context);
    must(vs_batch_mark_start(c.batch, which), c.context);
    must(vs_batch_step(c.batch, NULL, 3, NULL), c.context);
    must(vs_batch_reset(c.batch, NULL), c.context);
    for (int k = 0; k < WORLDS; k++)
        assert_int_equal((int)round(vs_world_get_time(c.world[k].world) / c.world[k].options.step), k == 3 ? 3 : 0);
    close_crowd(&c);
    free(second);
    free(first);
}

// The worlds differ in what bytes do not contain, their friction, but continue from the same state.
static void restored_worlds_continue_from_one_state(void **state) {
    (void)state;
    crowd c;
    open_crowd(&c, 3);
    must(vs_batch_step(c.batch, NULL, 10, NULL), c.context);
    snapshot s = take_snapshot(c.world[2].simulation, c.world[2].context);
    must(vs_batch_restore(c.batch, NULL, s.bytes, s.count), c.context);
    vs_body_state at[WORLDS][BODIES];
    must(vs_batch_get_bodies(c.batch, at[0]), c.context);
    for (int k = 0; k < WORLDS; k++)
        assert_memory_equal(at[k], at[2], sizeof at[k]);
    assert_int_equal(vs_batch_restore(c.batch, NULL, s.bytes, s.count / 2), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(c.context), "world 0: "));
    free_snapshot(&s);
    close_crowd(&c);
}

static void a_failing_world_is_named_and_stops_no_other(void **state) {
    (void)state;
    for (int threads = 1; threads <= 2; threads++) {
        crowd c;
        open_crowd(&c, threads);
        refuse_calls_from(&c.world[4].memory, 0); // the first step allocates
        vs_batch_report report[WORLDS];
        assert_int_equal(vs_batch_step(c.batch, NULL, STEPS, report), VS_ERROR_MEMORY);
        assert_string_equal(vs_context_get_error_text(c.context), "world 4: out of memory");
        for (int k = 0; k < WORLDS; k++) {
            assert_int_equal(report[k].error, k == 4 ? VS_ERROR_MEMORY : VS_OK);
            assert_int_equal(report[k].end, k == 4 ? VS_RUN_FAILED : VS_RUN_CONTINUES);
            assert_int_equal(report[k].steps, k == 4 ? 0 : STEPS);
        }
        refuse_none(&c.world[4].memory);
        must(vs_batch_reset(c.batch, NULL), c.context);
        must(vs_batch_step(c.batch, NULL, STEPS, report), c.context);
        assert_int_equal(report[4].steps, STEPS);
        close_crowd(&c);
    }
}

static void joints_are_commanded_and_nan_leaves_them(void **state) {
    (void)state;
    crowd c;
    open_crowd(&c, 1);
    double value[WORLDS];
    for (int k = 0; k < WORLDS; k++)
        value[k] = k == 1 ? NAN : .1 * k;
    must(vs_batch_command_joints(c.batch, VS_MOTOR_POSITION, value), c.context);
    for (int k = 0; k < WORLDS; k++) {
        vs_joint_def def;
        must(vs_world_get_joint_def(c.world[k].world, vs_world_get_joint_at(c.world[k].world, 0), &def), c.context);
        assert_int_equal(def.motor, k == 1 ? VS_MOTOR_EFFORT : VS_MOTOR_POSITION);
        assert_true(k == 1 || def.target.value == value[k]);
    }
    value[5] = INFINITY;
    assert_int_equal(vs_batch_command_joints(c.batch, VS_MOTOR_EFFORT, value), VS_ERROR_ARGUMENT);
    assert_string_equal(vs_context_get_error_text(c.context), "world 5: joint: the command is not finite");
    close_crowd(&c);
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    crowd c;
    open_crowd(&c, 1);
    vs_batch *other = NULL;
    vs_simulation *pair[] = {c.world[0].simulation, c.world[0].simulation};
    assert_int_equal(vs_batch_create(c.context, pair, 2, &other), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_batch_create(c.context, pair, 0, &other), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_batch_create(c.world[0].context, pair, 1, &other), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_batch_step(c.batch, NULL, 0, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_batch_step(NULL, NULL, 1, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_batch_restore(c.batch, NULL, NULL, 0), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_batch_get_bodies(c.batch, NULL), VS_ERROR_ARGUMENT);
    double value[WORLDS] = {0};
    assert_int_equal(vs_batch_command_joints(c.batch, VS_MOTOR_NONE, value), VS_ERROR_ARGUMENT);
    // A world that lost a body no longer fits the arrays.
    must(vs_world_remove_body(c.world[6].world, vs_world_get_body_at(c.world[6].world, 2)), c.world[6].context);
    vs_body_state at[WORLDS][BODIES];
    assert_int_equal(vs_batch_get_bodies(c.batch, at[0]), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(c.context), "world 6: has 2 bodies"));
    vs_simulation *unlike[] = {c.world[0].simulation, c.world[6].simulation};
    assert_int_equal(vs_batch_create(c.context, unlike, 2, &other), VS_ERROR_ARGUMENT);
    assert_null(other);
    close_crowd(&c);
}

static vs_error create_again(void *user) {
    const crowd *c = user;
    vs_simulation *simulation[] = {c->world[0].simulation, c->world[1].simulation};
    vs_batch *batch = NULL;
    const vs_error error = vs_batch_create(c->context, simulation, 2, &batch);
    vs_batch_destroy(batch);
    return error;
}

static void a_lack_of_memory_leaks_nothing(void **state) {
    (void)state;
    crowd c;
    open_crowd(&c, 1);
    assert_true(refuse_each(&c.memory, c.context, create_again, &c) >= 6);
    close_crowd(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_world_has_the_bits_that_it_has_alone_for_any_number_of_threads),
        cmocka_unit_test(reset_worlds_repeat_their_first_bits),
        cmocka_unit_test(restored_worlds_continue_from_one_state),
        cmocka_unit_test(a_failing_world_is_named_and_stops_no_other),
        cmocka_unit_test(joints_are_commanded_and_nan_leaves_them),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(a_lack_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
