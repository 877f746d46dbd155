// A simulation that was reset takes the same steps as a new one: nothing of the steps before it is left.
#include <string.h>

#include "voussoir/bond.h"
#include "step/worlds.h"

enum { BOXES = 6, WHEEL = BOXES, BODIES = BOXES + 1, STEPS = 60 };

// What the steps of a scene depend on.
typedef struct laws {
    double accuracy;
    vs_scheme scheme;
    bool remembers; // static friction, rolling friction
    bool bonded;    // mortar between the boxes
} laws;

static void add_mortar(rig *s, const vs_body_id *body) {
    vs_mortar_def mortar = vs_mortar_def_default();
    mortar.bodies = BOXES, mortar.body = body;
    mortar.tension = 2e3, mortar.cohesion = 4e3, mortar.fracture_energy = 5;
    must(vs_world_add_mortar(s->world, &mortar), s->context);
}

// A leaning stack that a fast box strikes, and a wheel with a motor that makes more than a turn.
static void build(rig *s, const laws *by, vs_body_id body[BODIES]) {
    open_rig(s, .4, 0, true);
    if (by->remembers) {
        vs_material material = vs_material_default();
        material.mu = .4, material.static_mu = .6, material.weakening = .01, material.rolling = .001;
        must(vs_world_set_material_pair(s->world, s->material, s->material, &material), s->context);
    }
    s->options.scheme = by->scheme, s->options.accuracy = by->accuracy;
    s->options.solver.tolerance = 1e-8;
    s->options.step = .004;
    for (int k = 0; k < BOXES; k++)
        body[k] = add_box(s, (vs_vec3){.1, .1, .05}, 2000, (vs_vec3){.02 * k, .003 * k, .05 + .1 * k},
                          (vs_vec3){k == BOXES - 1 ? 2. : 0, 0, 0});
    body[WHEEL] = add_ball(s, .1, 1000, (vs_vec3){3, 0, .5}, (vs_vec3){0, 0, 0});
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_REVOLUTE, def.b = body[WHEEL], def.frame_a.position = (vs_vec3){3, 0, .5};
    def.motor = VS_MOTOR_POSITION, def.target = (vs_signal){.kind = VS_SIGNAL_CONSTANT, .value = 1};
    def.motor_stiffness = 5, def.motor_damping = .1;
    must(vs_world_add_joint(s->world, &def, NULL), s->context);
    vs_body_state spun = state_of(s, body[WHEEL]);
    spun.spin.z = 60;
    must(vs_world_set_body_state(s->world, body[WHEEL], &spun), s->context);
    if (by->bonded)
        add_mortar(s, body);
    start_rig(s);
}

typedef struct record {
    vs_body_state state[BODIES];
    vs_step_report report;
    double angle;
} record;

static record run(rig *s, const vs_body_id body[BODIES]) {
    record r = {0};
    for (int k = 0; k < STEPS; k++)
        r.report = take_step(s);
    for (int k = 0; k < BODIES; k++)
        r.state[k] = state_of(s, body[k]);
    must(vs_world_get_joint_coordinate(s->world, vs_world_get_joint_at(s->world, 0), &r.angle, NULL), s->context);
    return r;
}

static void assert_same(const record *a, const record *b) {
    assert_memory_equal(a->state, b->state, sizeof a->state);
    assert_memory_equal(&a->angle, &b->angle, sizeof a->angle);
    assert_int_equal(a->report.step, b->report.step);
    assert_memory_equal(&a->report.time, &b->report.time, sizeof a->report.time);
    assert_memory_equal(&a->report.total, &b->report.total, sizeof a->report.total);
    assert_int_equal(a->report.contacts, b->report.contacts);
    assert_int_equal(a->report.bonds, b->report.bonds);
    assert_memory_equal(&a->report.discretization_share, &b->report.discretization_share, sizeof(double));
}

static void a_reset_run_has_the_bits_of_the_first(void **state) {
    (void)state;
    const laws cases[] = {{.scheme = VS_SCHEME_MOREAU},
                          {.scheme = VS_SCHEME_MOREAU, .remembers = true},
                          {.scheme = VS_SCHEME_MOREAU, .bonded = true},
                          {.scheme = VS_SCHEME_SHAKE},
                          {.scheme = VS_SCHEME_MOREAU, .accuracy = 1e-3}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        rig s;
        vs_body_id body[BODIES];
        vs_body_state start[BODIES];
        build(&s, &cases[c], body);
        for (int k = 0; k < BODIES; k++)
            start[k] = state_of(&s, body[k]);
        const record first = run(&s, body);
        assert_true(first.report.contacts > 0);
        for (int again = 0; again < 2; again++) {
            for (int k = 0; k < BODIES; k++)
                must(vs_world_set_body_state(s.world, body[k], &start[k]), s.context);
            must(vs_simulation_reset(s.simulation, 0), s.context);
            assert_int_equal(vs_simulation_get_contact_count(s.simulation), 0);
            assert_null(vs_simulation_get_problem(s.simulation));
            const record second = run(&s, body);
            assert_same(&first, &second);
        }
        close_rig(&s);
    }
}

// Without the states being set: as a new simulation in another world that is put into this state.
static void a_reset_in_flight_has_the_bits_of_a_new_world(void **state) {
    (void)state;
    for (int scheme = 0; scheme < 2; scheme++) {
        const laws by = {.scheme = (vs_scheme)scheme, .remembers = true};
        rig s, other;
        vs_body_id body[BODIES], twin[BODIES];
        build(&s, &by, body);
        build(&other, &by, twin);
        (void)run(&s, body);
        for (int k = 0; k < BODIES; k++) {
            const vs_body_state now = state_of(&s, body[k]);
            must(vs_world_set_body_state(s.world, body[k], &now), s.context); // rounds the spin as that of the twin
            must(vs_world_set_body_state(other.world, twin[k], &now), other.context);
        }
        must(vs_simulation_reset(s.simulation, 0), s.context);
        const record one = run(&s, body), new = run(&other, twin);
        assert_same(&one, &new);
        close_rig(&s);
        close_rig(&other);
    }
}

// Only by another turn is the coordinate within the limits.
static void limits_tell_the_turn(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .4, 0, false);
    const vs_body_id arm = add_ball(&s, .1, 1000, (vs_vec3){0, 0, 0}, (vs_vec3){0, 0, 0});
    vs_joint_def def = vs_joint_def_default();
    vs_joint_id hinge;
    def.kind = VS_JOINT_REVOLUTE, def.b = arm, def.limited = true, def.low = 0, def.high = 5;
    must(vs_world_add_joint(s.world, &def, &hinge), s.context);
    must(vs_world_set_joint_coordinate(s.world, hinge, 4, 0), s.context);
    start_rig(&s);
    must(vs_simulation_reset(s.simulation, 2), s.context);
    double angle, rate;
    must(vs_world_get_joint_coordinate(s.world, hinge, &angle, &rate), s.context);
    assert_true(fabs(angle - 4) < 1e-12);
    assert_true(vs_world_get_time(s.world) == 2);
    close_rig(&s);
}

static bool count_step(void *user, vs_world *world, const vs_step_report *report) {
    (void)world, (void)report;
    ++*(int *)user;
    return true;
}

// Options stay: a stop condition ends each run at the same time, callbacks are called.
static void options_and_stop_conditions_stay(void **state) {
    (void)state;
    rig s;
    int steps = 0;
    open_rig(&s, .4, 0, true);
    const vs_body_id ball = add_ball(&s, .1, 1000, (vs_vec3){0, 0, 2}, (vs_vec3){0, 0, 0});
    vs_stop_condition stop = vs_stop_condition_default();
    stop.when = VS_STOP_DISPLACEMENT, stop.limit = .5;
    s.options.stop = &stop, s.options.stops = 1;
    s.options.after = count_step, s.options.user = &steps;
    start_rig(&s);
    must(vs_simulation_set_note(s.simulation, "kept"), s.context);
    const vs_body_state start = state_of(&s, ball);
    int taken[2];
    for (int again = 0; again < 2; again++) {
        steps = 0;
        must(vs_simulation_run(s.simulation, 10), s.context);
        taken[again] = steps;
        must(vs_world_set_body_state(s.world, ball, &start), s.context);
        must(vs_simulation_reset(s.simulation, 0), s.context);
        vs_outcome outcome;
        must(vs_simulation_get_outcome(s.simulation, &outcome), s.context);
        assert_int_equal(outcome.condition, -1);
    }
    assert_true(taken[0] > 0 && taken[0] < 200);
    assert_int_equal(taken[0], taken[1]);
    assert_string_equal(vs_simulation_get_note(s.simulation), "kept");
    assert_int_equal(vs_simulation_reset(s.simulation, (double)NAN), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_simulation_reset(NULL, 0), VS_ERROR_ARGUMENT);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reset_run_has_the_bits_of_the_first),
        cmocka_unit_test(a_reset_in_flight_has_the_bits_of_a_new_world),
        cmocka_unit_test(limits_tell_the_turn),
        cmocka_unit_test(options_and_stop_conditions_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
