// Round faces: polygons inside of them prove that they stand, polygons around them that they fall.
#include "assemblies.h"

static const double g = 9.81, RADIUS = .5, HALF = 1;

static vs_world *make_drum(vs_context *context, double slope, double turn, vs_body_id *drum) {
    vs_world *world = make_world(context, 5, (vs_vec3){g * slope * cos(turn), g * slope * sin(turn), -g});
    add_floor(context, world);
    vs_shape *shape;
    vs_mass_properties mass;
    assert_int_equal(vs_shape_cylinder(context, RADIUS, HALF, &shape), VS_OK);
    assert_int_equal(vs_shape_get_mass(shape, 1000, &mass), VS_OK);
    vs_body_def def = vs_body_def_default();
    def.pose = at(0, 0, HALF);
    def.mass = mass.mass;
    def.inertia = mass.inertia;
    assert_int_equal(vs_world_add_body(world, &def, drum), VS_OK);
    add_shape(world, *drum, shape, VS_IDENTITY_POSE);
    return world;
}

// Under gravity tilted in any direction a drum falls at its radius over half its height, sharp to 1e-6.
static void drum_under_tilted_gravity(void **state) {
    vs_context *context = context_of(state);
    for (int k = 0; k < 40; k++) {
        const double below = k % 2 ? 1 - 1e-6 : 1 + 1e-6;
        vs_body_id drum;
        vs_world *world = make_drum(context, below * RADIUS / HALF, .157 * k, &drum);
        vs_statics *s = make_statics(world);
        vs_statics_result r;
        assert_int_equal(vs_statics_solve(s, &r), VS_OK);
        assert_int_equal(r.verdict, k % 2 ? VS_VERDICT_STANDS : VS_VERDICT_FALLS);
        vs_statics_destroy(s);
        vs_world_destroy(world);
    }
}

// A horizontal load in any direction: the bounds include the factor of the circle, are within 0.25 % of each other, and
// agree to 1e-7 if statics knows the direction.
static void drum_under_a_horizontal_load(void **state) {
    vs_context *context = context_of(state);
    vs_body_id drum;
    vs_world *world = make_drum(context, 0, 0, &drum);
    for (int k = 0; k < 20; k++) {
        const vs_vec3 toward = {cos(.157 * k), sin(.157 * k), 0};
        vs_interface_options options = vs_interface_options_default();
        options.toward = k % 2 ? toward : VS_ZERO3;
        vs_statics *s;
        vs_limit_result r;
        assert_int_equal(vs_statics_create(world, &options, &s), VS_OK);
        assert_int_equal(vs_statics_add_live_weight(s, toward), VS_OK);
        assert_int_equal(vs_statics_find_limit(s, &r), VS_OK);
        assert_int_equal(r.status, VS_LIMIT_FOUND);
        assert_below(r.lower, RADIUS / HALF * (1 + 1e-12));
        assert_below(RADIUS / HALF * (1 - 1e-12), r.upper);
        assert_below(r.upper - r.lower, (k % 2 ? 1e-7 : 2.5e-3) * RADIUS / HALF);
        vs_statics_destroy(s);
    }
    vs_world_destroy(world);
}

// Loads in a direction of which statics does not know: near the limit, between both polygons, the verdict is open.
static void between_the_polygons(void **state) {
    vs_context *context = context_of(state);
    static const double part[] = {.998, 1, 1.002};
    static const vs_verdict expected[] = {VS_VERDICT_STANDS, VS_VERDICT_UNDECIDED, VS_VERDICT_FALLS};
    const double turn = acos(-1.) / 64; // between two corners
    for (int k = 0; k < 3; k++) {
        vs_body_id drum;
        vs_world *world = make_drum(context, 0, 0, &drum);
        const double force = part[k] * acos(-1.) * RADIUS * RADIUS * 2 * HALF * 1000 * g * RADIUS / HALF;
        const vs_signal push[3] = {{.value = force * cos(turn)}, {.value = force * sin(turn)}, {.value = 0}};
        const vs_signal none[3] = {{.value = 0}};
        assert_int_equal(vs_world_add_load(world, drum, push, none), VS_OK);
        vs_statics *s = make_statics(world);
        vs_statics_result r;
        assert_int_equal(vs_statics_solve(s, &r), VS_OK);
        assert_int_equal(r.verdict, expected[k]);
        assert_int_equal(r.between, k == 1);
        vs_statics_destroy(s);
        vs_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(drum_under_tilted_gravity, set_up, tear_down),
        cmocka_unit_test_setup_teardown(drum_under_a_horizontal_load, set_up, tear_down),
        cmocka_unit_test_setup_teardown(between_the_polygons, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
