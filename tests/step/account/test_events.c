// Events: contacts begin, persist with the impulse that carries the weight, and end; sensors report and do not push.
#include "step/worlds.h"

typedef struct counts {
    int begin, persist, end;
    double impulse; // N s, along z, of persisting contacts
} counts;

static counts count_events(const rig *s, bool sensor) {
    counts c = {0};
    for (int k = 0; k < vs_simulation_get_event_count(s->simulation); k++) {
        vs_contact_event event;
        must(vs_simulation_get_event_at(s->simulation, k, &event), s->context);
        assert_true(event.a.index < event.b.index);
        if (event.sensor != sensor)
            continue;
        c.begin += event.kind == VS_EVENT_BEGIN;
        c.persist += event.kind == VS_EVENT_PERSIST;
        c.end += event.kind == VS_EVENT_END;
        c.impulse += event.kind == VS_EVENT_PERSIST ? event.impulse.z : 0;
        if (event.kind == VS_EVENT_END || sensor)
            assert_vec(event.impulse, VS_ZERO3, 0);
    }
    return c;
}

static void test_contact_begins_persists_and_ends(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    const vs_body_id box = add_box(&s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){0, 0, .11}, VS_ZERO3);
    start_rig(&s);
    counts sum = {0};
    for (int k = 0; k < 80; k++) { // it falls 1 cm in 45 ms, 18 steps
        (void)take_step(&s);
        const counts c = count_events(&s, false);
        sum.begin += c.begin, sum.persist += c.persist, sum.end += c.end;
        if (k >= 40)
            assert_relative(c.impulse, 8 * standard_gravity * s.options.step, 1e-9);
    }
    assert_int_equal(sum.begin, 1);
    assert_in_range(sum.persist, 55, 65);
    assert_int_equal(sum.end, 0);
    vs_body_state up = state_of(&s, box);
    up.velocity.z = 3;
    must(vs_world_set_body_state(s.world, box, &up), s.context);
    (void)take_step(&s);
    assert_int_equal(count_events(&s, false).end, 1);
    (void)take_step(&s);
    assert_int_equal(vs_simulation_get_event_count(s.simulation), 0);
    vs_contact_event event;
    assert_int_equal(vs_simulation_get_event_at(s.simulation, 0, &event), VS_ERROR_ARGUMENT);
    close_rig(&s);
}

// A ball falls through a sensor as if it were not there.
static void test_sensor_reports_and_does_not_push(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, false);
    const vs_body_id ball = add_ball(&s, .05, 1000, (vs_vec3){0, 0, .5}, VS_ZERO3);
    vs_shape *gate;
    must(vs_shape_box(s.context, (vs_vec3){1, 1, .05}, &gate), s.context);
    vs_collider_def collider = vs_collider_def_default();
    collider.shape = gate, collider.sensor = true;
    must(vs_world_add_collider(s.world, &collider, NULL), s.context);
    vs_shape_release(gate);
    start_rig(&s);
    counts sum = {0};
    for (int k = 0; k < 200; k++) {
        const vs_step_report report = take_step(&s);
        assert_int_equal(report.contacts, 0);
        const counts c = count_events(&s, true);
        sum.begin += c.begin, sum.persist += c.persist, sum.end += c.end;
        const double z = state_of(&s, ball).pose.position.z;
        assert_int_equal(c.begin + c.persist > 0, fabs(z) <= .1); // radius and half of the gate
    }
    assert_int_equal(sum.begin, 1);
    assert_int_equal(sum.end, 1);
    assert_true(sum.persist > 10);
    assert_true(state_of(&s, ball).pose.position.z < -.5);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contact_begins_persists_and_ends),
        cmocka_unit_test(test_sensor_reports_and_does_not_push),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
