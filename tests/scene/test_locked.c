// Scenes whose joints hold bodies inside each other: contacts that no position of the joints opens are left out and named.
// import_overlaps has those of robots.
#include "scenes.h"

static char warnings[2000]; // a line each

static void keep_log(void *user, vs_log_level level, const char *text) {
    const size_t used = strlen(warnings);
    (void)user;
    if (level == VS_LOG_WARNING)
        (void)snprintf(warnings + used, sizeof warnings - used, "%s\n", text);
}

// A ball whose axle lies in the floor, and `joint`, which holds it; the floor comes before or after it.
static vs_scene *open_scene(vs_context *context, const char *joint, bool floor_first) {
    static const char floor[] = "{\"name\":\"floor\",\"motion\":\"static\",\"shape\":{\"kind\":\"plane\"}}";
    static const char ball[] = "{\"name\":\"ball\",\"density\":1000,\"position\":[0,0,0.05],"
                               "\"shape\":{\"kind\":\"sphere\",\"radius\":0.1}}";
    char text[1000];
    vs_scene *scene = NULL;
    warnings[0] = 0;
    (void)snprintf(text, sizeof text, "{\"voussoir\":1,\"bodies\":[%s,%s],\"joints\":[{%s\"b\":\"ball\"}]}",
                   floor_first ? floor : ball, floor_first ? ball : floor, joint);
    must(vs_scene_parse(context, text, strlen(text), "s.json", NULL, 0, &scene), context);
    return scene;
}

static int count_missed(const vs_scene *scene, vs_context *context) {
    vs_simulation *simulation;
    int missed = 0;
    must(vs_simulation_create(scene->world, &scene->options, &simulation), context);
    for (int k = 0; k < 5; k++) {
        vs_step_report report;
        must(vs_simulation_step(simulation, &report), context);
        missed += report.status != VS_STATUS_CONVERGED;
    }
    vs_simulation_destroy(simulation);
    return missed;
}

static vs_context *open_context(memory *m) {
    vs_context *context;
    vs_context_def def = context_def_of(m);
    def.log = keep_log;
    assert_int_equal(vs_context_create(&def, &context), VS_OK);
    return context;
}

static void a_wheel_in_the_floor_turns(void **state) {
    (void)state;
    static const char *const joint[] = {
        "\"kind\":\"revolute\",\"frame\":{\"position\":[0,0,0.05],\"axis\":[0,1,0]},",
        "\"kind\":\"revolute\",\"a\":\"floor\",\"frame\":{\"position\":[0,0,0.05],\"axis\":[0,1,0]},"};
    memory m = {0};
    vs_context *context = open_context(&m);
    for (int k = 0; k < 4; k++) {
        vs_scene *scene = open_scene(context, joint[k / 2], k % 2);
        // Bodies that a joint connects have no contacts anyway.
        if (k < 2)
            assert_non_null(
                strstr(warnings, "s.json: 'floor' and 'ball' overlap by 0.05 m wherever their joints move"));
        assert_int_equal(count_missed(scene, context), 0);
        vs_scene_destroy(scene);
    }
    end_context(context, &m);
}

// Those that a joint opens, and those that are asked for.
static void other_contacts_stay(void **state) {
    (void)state;
    static const char *const joint[] = {
        "\"kind\":\"prismatic\",\"frame\":{\"position\":[0,0,0.05],\"axis\":[0,0,1]},",
        "\"kind\":\"revolute\",\"a\":\"floor\",\"collide\":true,\"frame\":{\"position\":[0,0,0.05],\"axis\":[0,1,0]},"};
    memory m = {0};
    vs_context *context = open_context(&m);
    for (int k = 0; k < 2; k++) {
        vs_scene *scene = open_scene(context, joint[k], true);
        vs_simulation *simulation;
        int overlaps = 0;
        must(vs_simulation_create(scene->world, &scene->options, &simulation), context);
        must(vs_simulation_find_overlaps(simulation, 0, NULL, 0, &overlaps), context);
        assert_string_equal(warnings, "");
        assert_int_equal(overlaps, 1);
        vs_simulation_destroy(simulation);
        vs_scene_destroy(scene);
    }
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wheel_in_the_floor_turns),
        cmocka_unit_test(other_contacts_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
