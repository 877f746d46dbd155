// Margins of boxes on a slope, known by hand: a box of width b and height c on a slope of angle x has T/N = tan x and the
// eccentricity (c/2) tan x.
#include "step/worlds.h"

#include <math.h>

static vs_margin margin_of(rig *s) {
    vs_margin margin;
    must(vs_simulation_get_margin(s->simulation, &margin), s->context);
    return margin;
}

static void margins_of_a_box_on_a_slope_are_those_of_statics(void **state) {
    (void)state;
    const double mu = .5, degree[] = {0, 5, 15, 20};
    for (int k = 0; k < 4; k++) {
        rig s;
        const double slope = tan(degree[k] * pi / 180);
        open_rig(&s, mu, degree[k] * pi / 180, true);
        const vs_body_id box = add_box(&s, (vs_vec3){.1, .1, .2}, 1000, (vs_vec3){0, 0, .2}, (vs_vec3){0, 0, 0});
        start_rig(&s);
        must(vs_simulation_run(s.simulation, .1), s.context);
        const vs_margin m = margin_of(&s);
        // to the tolerance of a step, 1e-6 of the weight; the lever is twice the half width
        assert_close(m.sliding, 1 - slope / mu, 1e-5);
        assert_close(m.tipping, 1 - 2 * slope, 1e-5);
        assert_int_equal(m.sliding_between[1].index, box.index);
        assert_int_equal(m.tipping_between[0].index, 0);
        close_rig(&s);
    }
}

// Three boxes in a tower on the slope: the lowest interface has the longest lever, all have the same T/N.
static void the_least_of_all_interfaces_counts(void **state) {
    (void)state;
    rig s;
    const double slope = tan(4 * pi / 180);
    open_rig(&s, .5, 4 * pi / 180, true);
    vs_body_id box[3];
    for (int k = 0; k < 3; k++)
        box[k] = add_box(&s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){0, 0, .1 + .2 * k}, (vs_vec3){0, 0, 0});
    start_rig(&s);
    must(vs_simulation_run(s.simulation, .1), s.context);
    const vs_margin m = margin_of(&s);
    assert_close(m.tipping, 1 - 3 * slope, 1e-5);
    assert_int_equal(m.tipping_between[0].index, 0);
    assert_int_equal(m.tipping_between[1].index, box[0].index);
    assert_close(m.sliding, 1 - slope / .5, 1e-5);
    close_rig(&s);
}

static void without_interfaces_there_is_none(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    add_box(&s, (vs_vec3){.1, .1, .1}, 1000, (vs_vec3){0, 0, 5}, (vs_vec3){0, 0, 0});
    start_rig(&s);
    assert_true(isnan(margin_of(&s).sliding) && isnan(margin_of(&s).tipping)); // no step yet
    must(vs_simulation_run(s.simulation, .01), s.context);
    assert_true(isnan(margin_of(&s).sliding) && isnan(margin_of(&s).tipping));
    assert_int_equal(vs_simulation_get_margin(s.simulation, NULL), VS_ERROR_ARGUMENT);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(margins_of_a_box_on_a_slope_are_those_of_statics),
        cmocka_unit_test(the_least_of_all_interfaces_counts),
        cmocka_unit_test(without_interfaces_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
