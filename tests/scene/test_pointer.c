// Numbers put in places of a scene file: the world is the one of a file that has these numbers written in it, and a
// pointer that leads nowhere is refused with the step that does not exist.
#include "kit/fixture.h"
#include "scenes.h"

#include <math.h>

static const char scene_text[] =
    "{\"voussoir\": 1, \"parameters\": {\"mu\": 0.4},\n"
    "\"materials\": {\"wood\": {\"mu\": \"$mu\"}, \"a/b~c\": {}},\n"
    "\"bodies\": [\n"
    "{\"name\": \"one\", \"shape\": {\"kind\": \"sphere\", \"radius\": 1}},\n"
    "{\"name\": \"two\", \"shape\": {\"kind\": \"sphere\", \"radius\": 1}, \"position\": [1, 2, 3]}]}";

static vs_error parse(fixture *f, const char *name, double value, vs_scene **scene) {
    const vs_scene_parameter p = {name, value};
    return vs_scene_parse(f->context, scene_text, sizeof scene_text - 1, "s.json", &p, 1, scene);
}

static vs_scene *need(fixture *f, const char *name, double value) {
    vs_scene *scene = NULL;
    if (parse(f, name, value, &scene) != VS_OK)
        fail_msg("%s", vs_context_get_error_text(f->context));
    return scene;
}

static void numbers_arrive_where_the_pointer_says(void **state) {
    fixture *f = *state;
    vs_body_state two;
    vs_scene *scene = need(f, "/bodies/1/position/2", 7.25);
    assert_int_equal(vs_world_get_body_state(scene->world, vs_world_find_body(scene->world, "two"), &two), VS_OK);
    assert_true(two.pose.position.x == 1 && two.pose.position.y == 2 && two.pose.position.z == 7.25);
    vs_scene_destroy(scene);

    // A "$name" gives way, as a number does.
    scene = need(f, "/materials/wood/mu", 0.125);
    assert_true(vs_world_get_material_pair(scene->world, 0, 0).mu == 0.125);
    vs_scene_destroy(scene);

    // A value left at its default is absent; it is added. "~1" and "~0" are a '/' and a '~' of a name.
    scene = need(f, "/materials/a~1b~0c/restitution", 0.5);
    const int other = vs_world_find_material(scene->world, "a/b~c");
    assert_true(vs_world_get_material_pair(scene->world, other, other).restitution == 0.5);
    vs_scene_destroy(scene);

    scene = need(f, "/parameters/mu", 0.75);
    assert_true(vs_world_get_material_pair(scene->world, 0, 0).mu == 0.75);
    vs_scene_destroy(scene);
}

static void refuse(fixture *f, vs_error error, const char *name, double value, const char *expected) {
    vs_scene *scene = NULL;
    const vs_error got = parse(f, name, value, &scene);
    const char *said = vs_context_get_error_text(f->context);
    if (got != error || !strstr(said, expected))
        fail_msg("%s\n  said %d: %s\n  instead of %d: %s", name, got, said, error, expected);
    assert_null(scene);
}

static void pointers_that_lead_nowhere_are_refused(void **state) {
    fixture *f = *state;
    char long_name[300] = "/";
    memset(long_name + 1, 'x', sizeof long_name - 2);
    const vs_error argument = VS_ERROR_ARGUMENT;
    refuse(f, argument, "/materials/wod/mu", 1, "s.json:1: '/materials/wod/mu' does not exist: there is no 'wod'");
    refuse(f, argument, "/bodies/2/mass", 1, "there is no '2'");
    refuse(f, argument, "/bodies/01/mass", 1, "there is no '01'");
    refuse(f, argument, "/bodies/-", 1, "there is no '-'");
    refuse(f, argument, "/bodies/99999999999999999999/mass", 1, "there is no '99999999999999999999'");
    refuse(f, argument, "/bodies/1/position/3", 1, "there is no '3'");
    refuse(f, argument, "/bodies/0", 1, "'/bodies/0' is not a number in the file; refer to a number");
    refuse(f, argument, "/bodies/0/name", 1, "is not a number in the file");
    refuse(f, argument, "/bodies/0/name/0", 1, "there is no '0'");
    refuse(f, argument, "/voussoir/0", 1, "there is no '0'");
    refuse(f, argument, long_name, 1, "has a step that is too long");
    refuse(f, argument, "/materials/wood/mu", (double)INFINITY, "is not finite");
    // The number is then checked as if it were in the file; "/" is the member with the empty name.
    refuse(f, VS_ERROR_DATA, "/materials/wood/mu", -1, "s.json:2: materials.wood.mu: must be nonnegative, is -1");
    refuse(f, VS_ERROR_DATA, "/materials/wood/mo", 1, "materials.wood.mo: unknown key");
    refuse(f, VS_ERROR_DATA, "/", 1, "unknown key");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_arrive_where_the_pointer_says, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pointers_that_lead_nowhere_are_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
