// The named scenes of masonry: all of them stand, and some have closed forms.
#include "assemblies.h"

static vs_scene *make(vs_context *context, const char *name, const vs_scene_parameter *parameter, int parameters) {
    vs_scene *scene = NULL;
    if (vs_scene_make(context, name, parameter, parameters, &scene) != VS_OK)
        fail_msg("%s: %s", name, vs_context_get_error_text(context));
    return scene;
}

// Neighbours meet in whole faces: no gap is more than rounding, and no stone hangs in the air.
static void all_stand(void **state) {
    static const char *const name[] = {"brick-wall",    "arch",        "stone-bridge", "pointed-arch", "flat-arch",
                                       "filled-bridge", "groin-vault", "rib-vault",    "barrel-vault", "dome",
                                       "colonnade",     "window-wall", "brick-tower"};
    for (size_t k = 0; k < sizeof name / sizeof name[0]; k++) {
        vs_scene *scene = make(context_of(state), name[k], NULL, 0);
        vs_statics *s = make_statics(scene->world);
        const vs_interface_report report = vs_statics_get_report(s);
        assert_int_equal(report.isolated, 0);
        assert_below(report.gap, 1e-13);
        assert_below(report.overlap, 1e-13);
        vs_statics_result r;
        assert_int_equal(vs_statics_solve(s, &r), VS_OK);
        if (r.verdict != VS_VERDICT_STANDS)
            fail_msg("%s: %s, margin %g", name[k], vs_verdict_name(r.verdict), r.margin);
        vs_statics_destroy(s);
        vs_scene_destroy(scene);
    }
}

// Joints of a flat arch that point to one centre carry it without friction: stones of equal weight then need the same
// horizontal force, and the abutments take half of the weight each: N = W / (2 sin(skew)).
static void flat_arch_without_friction(void **state) {
    const double skew = .3;
    vs_scene *scene = make(context_of(state), "flat-arch", (vs_scene_parameter[]){{"mu", 0}, {"skew", skew}}, 2);
    vs_statics *s = make_statics(scene->world);
    int abutments = 0;
    for (int k = 0; k < vs_statics_get_report(s).interfaces; k++) {
        vs_interface joint;
        double range[2];
        assert_int_equal(vs_statics_get_interface(s, k, &joint), VS_OK);
        if (joint.a.index && joint.b.index)
            continue;
        assert_int_equal(vs_statics_find_range(s, k, joint.normal, range), VS_OK);
        const double expected = vs_statics_get_weight(s) / (2 * sin(skew));
        assert_relative(range[0], expected, 1e-8); // the relative gap of the cone program is 1e-9
        assert_relative(range[1], expected, 1e-8);
        abutments++;
    }
    assert_int_equal(abutments, 2);
    vs_statics_destroy(s);
    vs_scene_destroy(scene);
}

static double limit_along_x(vs_context *context, const char *name, const vs_scene_parameter *parameter,
                            int parameters) {
    vs_scene *scene = make(context, name, parameter, parameters);
    vs_statics *s = make_statics(scene->world);
    vs_limit_result r;
    assert_int_equal(vs_statics_add_live_weight(s, (vs_vec3){1, 0, 0}), VS_OK);
    assert_int_equal(vs_statics_find_limit(s, &r), VS_OK);
    assert_int_equal(r.status, VS_LIMIT_FOUND);
    vs_statics_destroy(s);
    vs_scene_destroy(scene);
    return r.factor;
}

// Prismatic drums of twelve sides tip over the side of the lowest one, at the apothem over half of the height.
static void column_tips(void **state) {
    const vs_scene_parameter straight[] = {{"columns", 1}, {"taper", 1}};
    assert_relative(limit_along_x(context_of(state), "colonnade", straight, 2), .5 * cos(acos(-1) / 12) / 2.5, 1e-8);
}

// On a smooth ground a tower slides as a whole.
static void tower_slides(void **state) {
    assert_relative(limit_along_x(context_of(state), "brick-tower", &(vs_scene_parameter){"mu", .2}, 1), .2, 1e-8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_stand, set_up, tear_down),
        cmocka_unit_test_setup_teardown(flat_arch_without_friction, set_up, tear_down),
        cmocka_unit_test_setup_teardown(column_tips, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tower_slides, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
