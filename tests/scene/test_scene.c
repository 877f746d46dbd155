// Scene files: each kind of mistake is refused with file, line, path and remedy; what is right becomes the world that
// the file describes, with the centre of mass where the world wants it.
#include "kit/fixture.h"
#include "kit/folder.h"
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static vs_error parse(fixture *f, const char *text, vs_scene **scene) {
    return vs_scene_parse(f->context, text, strlen(text), "s.json", NULL, 0, scene);
}

static vs_scene *need(fixture *f, const char *text) {
    vs_scene *scene = NULL;
    if (parse(f, text, &scene) != VS_OK)
        fail_msg("%s", vs_context_get_error_text(f->context));
    return scene;
}

// ---- mistakes --------------------------------------------------------------------------------------

static void refuse(fixture *f, vs_error error, const char *text, const char *expected) {
    vs_scene *scene = NULL;
    const vs_error got = parse(f, text, &scene);
    const char *said = vs_context_get_error_text(f->context);
    if (got != error || strncmp(said, expected, strlen(expected)) != 0)
        fail_msg("%s\n  said %d: %s\n  instead of %d: %s", text, got, said, error, expected);
    assert_null(scene);
}

#define S "{\"voussoir\": 1, "
#define BODY(text) S "\"bodies\": [\n{" text "}]}"
#define BALL(text) BODY("\"shape\": {\"kind\": \"sphere\", \"radius\": 1}" text)

static void syntax_errors_have_line_and_column(void **state) {
    fixture *f = *state;
    refuse(f, VS_ERROR_DATA, "", "s.json:1: column ");
    refuse(f, VS_ERROR_DATA, "{\n\"voussoir\": 1,,}", "s.json:2: column 15: ");
    refuse(f, VS_ERROR_DATA, "{\"voussoir\": 1, \"voussoir\": 1}", "s.json:1: column ");
    refuse(f, VS_ERROR_DATA, "{\"voussoir\": NaN}", "s.json:1: column ");
    refuse(f, VS_ERROR_DATA, S "\"step\": 1e999}", "s.json:1: column ");
    refuse(f, VS_ERROR_DATA, "[]", "s.json:1: a scene is an object");
    refuse(f, VS_ERROR_DATA, "\n3", "s.json:");
}

static void deep_nesting_is_refused_before_it_is_parsed(void **state) {
    fixture *f = *state;
    char deep[5000] = "\n";
    memset(deep + 1, '[', sizeof deep - 2);
    refuse(f, VS_ERROR_DATA, deep, "s.json:2: brackets nest deeper than 24 levels");
}

static void the_cascade_is_called_by_its_name_only(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, S "\"solver\": {\"method\": \"cascade\"}}");
    assert_int_equal(scene->options.solver.method, VS_METHOD_CASCADE);
    vs_scene_destroy(scene);
    refuse(f, VS_ERROR_DATA, S "\"solver\": {\"method\": \"chain\"}}", "s.json:1: solver.method: ");
    // beginnings of names are not taken for them, but recognized
    refuse(f, VS_ERROR_DATA, S "\"solver\": {\"tol\": 1e-6}}",
           "s.json:1: solver.tol: unknown key; did you mean 'tolerance'?");
    refuse(f, VS_ERROR_DATA, S "\"solver\": {\"warm\": \"none\"}}",
           "s.json:1: solver.warm: unknown key; did you mean 'warm_start'?");
    refuse(f, VS_ERROR_DATA, S "\"solver\": {\"inaccurate\": \"stop\"}}",
           "s.json:1: solver.inaccurate: unknown key; did you mean 'on_inaccurate'?");
}

static void the_head_is_checked(void **state) {
    fixture *f = *state;
    refuse(f, VS_ERROR_DATA, "{}", "s.json:1: voussoir: is missing; add it");
    refuse(f, VS_ERROR_DATA, "{\"voussoir\": 2}", "s.json:1: voussoir: must be an integer from 1 to 1, is 2");
    refuse(f, VS_ERROR_DATA, "{\"voussoir\": 1,\n\n\"gravty\": 3}",
           "s.json:3: gravty: unknown key; did you mean 'gravity'? Known here are: voussoir name");
    refuse(f, VS_ERROR_DATA, S "\"a\\\"b\": 3}", "s.json:1: a\"b: unknown key");
    refuse(f, VS_ERROR_DATA, S "\"name\": 3}", "s.json:1: name: must be a string");
    refuse(f, VS_ERROR_DATA, S "\"gravity\": [1, 2]}", "s.json:1: gravity: has 2 items, must have 3");
    refuse(f, VS_ERROR_DATA, S "\"gravity\": {\"tilt\": 1}}",
           "s.json:1: gravity.tilt: unknown key; did you mean 'tilt_degrees'? Known here are: mag");
    refuse(f, VS_ERROR_DATA, S "\"gravity\": {\"toward\": [0, 0, 1]}}",
           "s.json:1: gravity.toward: must be a horizontal direction");
    refuse(f, VS_ERROR_DATA, S "\"gravity\": 9.81}", "s.json:1: gravity: must be an array");
    refuse(f, VS_ERROR_DATA, S "\"gravity\": [1, 2,\n\"x\"]}",
           "s.json:2: gravity[2]: must be a number or an expression, is \"x\": column 1: 'x' is unknown");
    refuse(f, VS_ERROR_DATA, S "\"gravity\": [1, 2, true]}", "s.json:1: gravity[2]: must be a number");
    refuse(f, VS_ERROR_DATA, S "\"step\": -1}", "s.json:1: step: must be positive, is -1");
    refuse(f, VS_ERROR_DATA, S "\"step\": 1e200}", "s.json:1: step: is 1e+200; the largest number is 1e+30");
    refuse(f, VS_ERROR_DATA, S "\"flexible\": [{}]}", "s.json:1: flexible[0].mesh: is missing; add it");
    refuse(f, VS_ERROR_DATA, S "\"solver\": {\"model\": \"convex\"}}",
           "s.json:1: solver.model: 'convex' is unknown; choose one of: relaxed, frictionless, exact");
    refuse(f, VS_ERROR_DATA, S "\"solver\": {\"linear_solver\": \"magic\"}}",
           "s.json:1: solver.linear_solver: 'magic' is not in this build");
    refuse(f, VS_ERROR_DATA, S "\"output\": {\"frame\": -1}}", "s.json:1: output.frame: must be nonnegative");
    refuse(f, VS_ERROR_DATA, S "\"solver\": {\"project\": 1}}", "s.json:1: solver.project: must be true or false");
}

// Editors of Windows begin files with a byte order mark.
static void a_byte_order_mark_is_skipped(void **state) {
    fixture *f = *state;
    static const char text[] = "\xef\xbb\xbf" S "\"step\": 0.5}";
    vs_scene *scene = NULL;
    must(vs_scene_parse(f->context, text, strlen(text), "s.json", NULL, 0, &scene), f->context);
    assert_true(scene->options.step == .5);
    vs_scene_destroy(scene);
    refuse(f, VS_ERROR_DATA, "\xef\xbb\xbf" S "\n\"step\": -1}", "s.json:2: step: must be positive, is -1");
    refuse(f, VS_ERROR_DATA, "\xef\xbb", "s.json:1: ");
}

static void parameters_are_checked(void **state) {
    fixture *f = *state;
    refuse(f, VS_ERROR_DATA, S "\"step\": \"$h\"}",
           "s.json:1: step: must be a number or an expression, is \"$h\": column 1: there is no parameter 'h'; add");
    refuse(f, VS_ERROR_DATA, S "\"parameters\": {\"h\": \"x\"}}", "s.json:1: parameters.h: must be a number");
    refuse(f, VS_ERROR_DATA, S "\"parameters\": 1}", "s.json:1: parameters: must be an object");
    const char *text = S "\"parameters\": {\"h\": 0.5}, \"step\": \"$h\"}";
    vs_scene *scene = NULL;
    vs_scene_parameter wrong = {"k", 1}, infinite = {"h", INFINITY};
    assert_int_equal(vs_scene_parse(f->context, text, strlen(text), NULL, &wrong, 1, &scene), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "the scene has no parameter 'k'"));
    assert_int_equal(vs_scene_parse(f->context, text, strlen(text), NULL, &infinite, 1, &scene), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_scene_parse(f->context, text, strlen(text), NULL, NULL, 1, &scene), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_scene_parse(f->context, NULL, 0, NULL, NULL, 0, &scene), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_scene_parse(f->context, text, strlen(text), NULL, NULL, 0, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_scene_read(f->context, "/nowhere/x.json", NULL, 0, &scene), VS_ERROR_IO);
}

static void shapes_and_materials_are_checked(void **state) {
    fixture *f = *state;
    refuse(f, VS_ERROR_DATA, S "\"shapes\": {\"a\": {}}}", "s.json:1: shapes.a.kind: is missing");
    refuse(f, VS_ERROR_DATA, S "\"shapes\": {\"a\": {\"kind\": \"blob\"}}}",
           "s.json:1: shapes.a.kind: 'blob' is unknown; choose one of: sphere, box");
    refuse(f, VS_ERROR_DATA, S "\"shapes\": {\n\"a\": {\"kind\": \"sphere\",\n\"radius\": 0}}}",
           "s.json:3: shapes.a.radius: must be positive, is 0");
    refuse(f, VS_ERROR_DATA, S "\"shapes\": {\"a\": {\"kind\": \"sphere\", \"radius\": 1, \"half_length\": 1}}}",
           "s.json:1: shapes.a.half_length: is not for a sphere; known here are: radius");
    refuse(f, VS_ERROR_DATA, S "\"shapes\": {\"a\": {\"kind\": \"box\"}}}", "s.json:1: shapes.a: a box needs one of");
    refuse(f, VS_ERROR_DATA, S "\"shapes\": {\"a\": {\"kind\": \"hull\", \"points\": [[1, 2, 3]]}}}",
           "s.json:1: shapes.a.points: has 1 items, must have 4 to");
    refuse(f, VS_ERROR_DATA,
           S "\"shapes\": {\"a\": {\"kind\": \"hull\", \"points\": [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}}}",
           "s.json:1: shapes.a: ");
    refuse(f, VS_ERROR_DATA,
           S "\"shapes\": {\"a\": {\"kind\": \"mesh\", \"vertices\": [[0,0,0],[1,0,0],[0,1,0]], \"triangles\": [[0, 1, "
             "3]]}}}",
           "s.json:1: shapes.a.triangles[0][2]: must be an integer from 0 to 2, is 3");
    refuse(f, VS_ERROR_DATA,
           S "\"shapes\": {\"a\": {\"kind\": \"height_field\", \"spacing\": [1, 1], \"heights\": [[0, 0], [0]]}}}",
           "s.json:1: shapes.a.heights[1]: has 1 items, must have 2");
    refuse(f, VS_ERROR_DATA, S "\"shapes\": {\"a\": {\"kind\": \"file\", \"path\": \"a.stl\"}}}",
           "s.json:1: shapes.a.path: files need a scene that is itself a file");
    refuse(f, VS_ERROR_DATA, S "\"materials\": {\"a\": {\"mu\": -1}}}",
           "s.json:1: materials.a.mu: must be nonnegative");
    refuse(f, VS_ERROR_DATA, S "\"materials\": {\"a\": {\"restitution\": 2}}}",
           "s.json:1: materials.a.restitution: must be from 0 to 1, is 2");
    refuse(f, VS_ERROR_DATA, S "\"materials\": {\"a\": {}}, \"pairs\": [{\"between\": [\"a\", \"b\"]}]}",
           "s.json:1: pairs[0].between[1]: there is no material 'b'");
}

static void bodies_are_checked(void **state) {
    fixture *f = *state;
    refuse(f, VS_ERROR_DATA, S "\"bodies\": {}}", "s.json:1: bodies: must be an array");
    refuse(f, VS_ERROR_DATA, S "\"bodies\": [3]}", "s.json:1: bodies[0]: must be an object");
    refuse(f, VS_ERROR_DATA, BODY(""), "s.json:2: bodies[0]: a dynamic body needs shapes, or");
    refuse(f, VS_ERROR_DATA, BODY("\"inertia\": [1, 1, 1]"), "s.json:2: bodies[0].mass: is missing");
    refuse(f, VS_ERROR_DATA, BODY("\"mass\": 1, \"inertia\": [1, 1, 1, 0]"),
           "s.json:2: bodies[0].inertia: must have 3");
    refuse(f, VS_ERROR_DATA, BODY("\"name\": \"disc\", \"mass\": 1, \"inertia\": [1, 1, 3]"),
           "s.json:2: bodies[0]: body \"disc\": the inertia (1, 1, 3, ...) is that of no body");
    refuse(f, VS_ERROR_DATA, BODY("\"mass\": 1, \"inertia\": [1, 1, -1]"),
           "s.json:2: bodies[0].inertia[2]: must be positive");
    refuse(f, VS_ERROR_DATA, BALL(", \"centre\": [0, 0, 0]"),
           "s.json:2: bodies[0].centre: also needs \"mass\" and \"inertia\"");
    refuse(f, VS_ERROR_DATA, BALL(", \"mass\": 0"), "s.json:2: bodies[0].mass: must be positive, is 0");
    refuse(f, VS_ERROR_DATA, BALL(", \"density\": -1"), "s.json:2: bodies[0].density: must be positive, is -1");
    refuse(f, VS_ERROR_DATA, BALL(", \"radius\": 1"), "s.json:2: bodies[0].radius: unknown key");
    refuse(f, VS_ERROR_DATA, BALL(", \"motion\": \"free\""), "s.json:2: bodies[0].motion: 'free' is unknown");
    refuse(f, VS_ERROR_DATA, BALL(", \"rotation\": [2, 0, 0, 0]"),
           "s.json:2: bodies[0].rotation: must be a unit quaternion [w, x, y, z], its length is 2");
    refuse(f, VS_ERROR_DATA, BALL(", \"rotation\": {\"axis\": [0, 0, 0], \"angle\": 1}"),
           "s.json:2: bodies[0].rotation.axis: must not be zero");
    refuse(f, VS_ERROR_DATA, BALL(", \"material\": \"ice\""),
           "s.json:2: bodies[0].material: there is no material 'ice'");
    refuse(f, VS_ERROR_DATA, BALL(", \"name\": \"world\""),
           "s.json:2: bodies[0]: the name 'world' is reserved for the fixed frame");
    refuse(f, VS_ERROR_DATA, BALL(", \"ignore\": [\"x\"]"), "s.json:2: bodies[0].ignore[0]: there is no body 'x'");
    refuse(f, VS_ERROR_DATA, BALL(", \"drive\": {}"), "s.json:2: bodies[0].drive: is for kinematic bodies");
    refuse(f, VS_ERROR_DATA, BALL(", \"shapes\": []"),
           "s.json:2: bodies[0].shapes: give either \"shape\" or \"shapes\"");
    refuse(f, VS_ERROR_DATA, BODY("\"shape\": \"x\""), "s.json:2: bodies[0].shape: there is no shape 'x'");
    refuse(f, VS_ERROR_DATA, BODY("\"shapes\": [{}]"), "s.json:2: bodies[0].shapes[0]: must have one of");
    refuse(f, VS_ERROR_UNSUPPORTED, BODY("\"shape\": {\"kind\": \"plane\"}"), "s.json:2: bodies[0]: ");
    refuse(f, VS_ERROR_DATA, BODY("\"shapes\": [{\"kind\": \"sphere\", \"radius\": 1, \"mask\": 0.5}]"),
           "s.json:2: bodies[0].shapes[0].mask: must be a 32-bit integer");
    refuse(f, VS_ERROR_DATA,
           S "\"shapes\": {\"s\": {\"kind\": \"sphere\", \"radius\": 1}}, \"bodies\": [\n{\"name\": \"a\", \"shape\": "
             "\"s\"},\n"
             "{\"name\": \"a\", \"shape\": \"s\"}]}",
           "s.json:3: bodies[1]: ");
}

static void huge_arrays_are_refused_before_they_are_made(void **state) {
    fixture *f = *state;
    const int before = f->m.calls;
    refuse(f, VS_ERROR_DATA, BALL(", \"array\": {\"count\": [1000, 1000, 1000], \"spacing\": [1, 1, 1]}"),
           "s.json:2: bodies[0].array.count: makes 1e+09 bodies; the limit is 1000000");
    refuse(f, VS_ERROR_DATA, BALL(", \"array\": {\"count\": [2147483647, 2147483647, 4], \"spacing\": [1, 1, 1]}"),
           "s.json:2: bodies[0].array.count: makes ");
    refuse(f, VS_ERROR_DATA, BALL(", \"array\": {\"count\": [1e10, 1, 1], \"spacing\": [1, 1, 1]}"),
           "s.json:2: bodies[0].array.count[0]: must be an integer");
    refuse(f, VS_ERROR_DATA, BALL(", \"array\": {\"count\": [1, 0, 1], \"spacing\": [1, 1, 1]}"),
           "s.json:2: bodies[0].array.count[1]: must be an integer");
    refuse(f, VS_ERROR_DATA, S "\"bodies\": [{\"array\": {\"count\": [1000000, 1, 1], \"spacing\": [1, 1, 1]}}, {}]}",
           "s.json:1: bodies[1]: makes more than 1000000 bodies in this scene");
    // An empty world and little else, five times.
    assert_true(f->m.calls - before < 5 * 60);
}

#define TWO                                                                                                            \
    S "\"shapes\": {\"s\": {\"kind\": \"sphere\", \"radius\": 1}}, \"bodies\": [{\"name\": \"a\", \"shape\": \"s\"},"  \
      "{\"name\": \"b\", \"shape\": \"s\", \"position\": [3, 0, 0]}],\n"
#define JOINT(text) TWO "\"joints\": [{" text "}]}"

static void joints_and_loads_are_checked(void **state) {
    fixture *f = *state;
    refuse(f, VS_ERROR_DATA, JOINT("\"b\": \"b\""), "s.json:2: joints[0].kind: is missing");
    refuse(f, VS_ERROR_DATA, JOINT("\"kind\": \"glue\""), "s.json:2: joints[0].kind: 'glue' is unknown");
    refuse(f, VS_ERROR_DATA, JOINT("\"kind\": \"fixed\""), "s.json:2: joints[0].b: is missing");
    refuse(f, VS_ERROR_DATA, JOINT("\"kind\": \"fixed\", \"b\": \"c\""), "s.json:2: joints[0].b: there is no body 'c'");
    refuse(f, VS_ERROR_DATA, JOINT("\"kind\": \"fixed\", \"b\": \"b\", \"frame\": {}, \"frame_a\": {}"),
           "s.json:2: joints[0].frame: give \"frame\"");
    refuse(f, VS_ERROR_DATA, JOINT("\"kind\": \"revolute\", \"b\": \"b\", \"frame\": {\"axis\": [0, 0, 0]}"),
           "s.json:2: joints[0].frame.axis: must not be zero");
    refuse(f, VS_ERROR_DATA, JOINT("\"kind\": \"revolute\", \"b\": \"b\", \"frame\": {}, \"limits\": [1, 0]"),
           "s.json:2: joints[0].limits: the low limit 1 is above the high one 0");
    refuse(f, VS_ERROR_DATA, JOINT("\"kind\": \"revolute\", \"b\": \"b\", \"frame\": {}, \"motor\": {}"),
           "s.json:2: joints[0].motor: must have one of");
    refuse(f, VS_ERROR_DATA,
           JOINT("\"kind\": \"revolute\", \"b\": \"b\", \"frame\": {}, \"motor\": {\"speed\": 1, \"effort\": 1}"),
           "s.json:2: joints[0].motor: must have one of");
    refuse(f, VS_ERROR_DATA, JOINT("\"kind\": \"distance\", \"b\": \"b\""), "s.json:2: joints[0].length: is missing");
    refuse(f, VS_ERROR_DATA, JOINT("\"kind\": \"fixed\", \"b\": \"b\", \"length\": 1"),
           "s.json:2: joints[0].length: is for distance joints");
    refuse(f, VS_ERROR_DATA, JOINT("\"kind\": \"gear\", \"joints\": [\"x\", \"y\"]"),
           "s.json:2: joints[0].joints[0]: there is no joint 'x' before this one");
    // a in place, b 3 m away, both fixed in place to the world, then to each other at one point: cannot hold
    refuse(f, VS_ERROR_DATA,
           TWO "\"joints\": [{\"kind\": \"fixed\", \"b\": \"a\", \"frame\": {}}, {\"kind\": \"fixed\", \"b\": \"b\", "
               "\"frame\": {}}, {\"kind\": \"spherical\", \"a\": \"a\", \"b\": \"b\"}]}",
           "s.json:2: joints: ");
    refuse(f, VS_ERROR_DATA, TWO "\"loads\": [{\"body\": \"world\", \"force\": [1, 0, 0]}]}",
           "s.json:2: loads[0].body: the world cannot be loaded");
    refuse(f, VS_ERROR_DATA, TWO "\"loads\": [{\"body\": \"a\", \"force\": [{}, 0, 0]}]}",
           "s.json:2: loads[0].force[0]: must be a number, an expression, or have one of");
    refuse(f, VS_ERROR_DATA,
           TWO "\"loads\": [{\"body\": \"a\", \"force\": [{\"table\": {\"time\": [0, 0], \"value\": [1, 2]}}, 0, 0]}]}",
           "s.json:2: loads[0].force[0].table.time[1]: times must ascend");
    refuse(f, VS_ERROR_DATA,
           TWO "\"loads\": [{\"body\": \"a\", \"force\": [{\"table\": {\"time\": [0, 1], \"value\": [1]}}, 0, 0]}]}",
           "s.json:2: loads[0].force[0].table.value: has 1 items, must have 2");
}

#define A_BALL "\"shape\": {\"kind\": \"sphere\", \"radius\": 1}"
#define TWO_BALLS S "\"bodies\": [{\"name\": \"a\", " A_BALL "}, {\"name\": \"b\", " A_BALL "}], \"stop\": ["
#define STOP(text) TWO_BALLS "\n{" text "}]}"

static void stop_conditions_are_checked(void **state) {
    fixture *f = *state;
    refuse(f, VS_ERROR_DATA, S "\"stop\": {}}", "s.json:1: stop: must be an array");
    refuse(f, VS_ERROR_DATA, STOP(""), "s.json:2: stop[0].when: is missing; add it");
    refuse(f, VS_ERROR_DATA, STOP("\"when\": \"fall\""), "s.json:2: stop[0].when: ");
    refuse(f, VS_ERROR_DATA, STOP("\"when\": \"speed\""), "s.json:2: stop[0].above: is missing; add it");
    refuse(f, VS_ERROR_DATA, STOP("\"when\": \"speed\", \"above\": -1"),
           "s.json:2: stop[0].above: must be nonnegative");
    refuse(f, VS_ERROR_DATA, STOP("\"when\": \"speed\", \"above\": 1, \"below\": 1"),
           "s.json:2: stop[0].below: unknown key; known here are: when body above");
    refuse(f, VS_ERROR_DATA, STOP("\"when\": \"rest\", \"body\": \"c\""),
           "s.json:2: stop[0].body: there is no body 'c'");
    refuse(f, VS_ERROR_DATA, STOP("\"when\": \"rest\", \"body\": \"world\""), "s.json:2: stop[0].body: the world does");
    refuse(f, VS_ERROR_DATA, STOP("\"when\": \"contact\""), "s.json:2: stop[0]: give \"body\"");
    refuse(f, VS_ERROR_DATA, STOP("\"when\": \"contact\", \"bodies\": [\"a\", \"a\"]"),
           "s.json:2: stop[0].bodies: are one and the same");
}

// ---- what is right ---------------------------------------------------------------------------------

static void stop_conditions_arrive(void **state) {
    fixture *f = *state;
    vs_scene *scene =
        need(f, TWO_BALLS
             "{\"when\": \"rotation\", \"above\": 0.5},"
             "{\"when\": \"rest\", \"below\": 0.25, \"for\": 2, \"body\": \"b\"},"
             "{\"when\": \"contact\", \"bodies\": [\"world\", \"b\"]}, {\"when\": \"falls\", \"comment\": 1}]}");
    const vs_stop_condition *c = scene->options.stop;
    const vs_body_id b = vs_world_find_body(scene->world, "b");
    assert_int_equal(scene->options.stops, 4);
    assert_true(c[0].when == VS_STOP_ROTATION && c[0].limit == .5 && c[0].body.index == 0);
    assert_true(c[1].when == VS_STOP_REST && c[1].limit == .25 && c[1].hold == 2 && c[1].body.index == b.index);
    assert_true(c[2].when == VS_STOP_CONTACT && c[2].pair && c[2].body.index == b.index && c[2].other.index == 0);
    assert_true(c[3].when == VS_STOP_FALL && c[3].body.index == 0);
    vs_scene_destroy(scene);
}

static void defaults_are_those_of_the_api(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, "{\"voussoir\": 1}");
    assert_string_equal(scene->name, "s");
    assert_int_equal(vs_world_get_body_count(scene->world), 0);
    assert_true(scene->duration == 1 && scene->frame == 0 && scene->options.step == 1.0 / 240);
    assert_true(vs_world_get_gravity(scene->world).z == -9.81);
    vs_scene_destroy(scene);
    vs_scene_destroy(NULL);
}

static void options_and_parameters_arrive(void **state) {
    fixture *f = *state;
    const char *text =
        S "\"$schema\": \"x\", \"comment\": [1], \"name\": \"n\", \"parameters\": {\"h\": 0.5, \"g\": 2},"
          "\"gravity\": [0, \"$g\", 0], \"step\": \"$h\", \"solver\": {\"model\": \"relaxed\", \"tolerance\":"
          "1e-6, \"warm_start\": \"none\", \"on_inaccurate\": \"stop\", \"project\": false, \"scheme\": \"shake\"},"
          "\"output\": {\"duration\": 3, \"frame\": 0.25}}";
    vs_scene_parameter given = {"h", .125};
    vs_scene *scene = NULL;
    assert_int_equal(vs_scene_parse(f->context, text, strlen(text), "x", &given, 1, &scene), VS_OK);
    assert_string_equal(scene->name, "n");
    assert_true(scene->options.step == .125 && vs_world_get_gravity(scene->world).y == 2);
    assert_true(scene->options.solver.model == VS_MODEL_RELAXED && scene->options.solver.tolerance == 1e-6);
    assert_true(scene->options.solver.warm_start == VS_WARM_START_NONE &&
                scene->options.on_inaccurate == VS_INACCURATE_STOP);
    assert_true(scene->options.scheme == VS_SCHEME_SHAKE);
    assert_true(!scene->options.project && scene->duration == 3 && scene->frame == .25);
    vs_scene_destroy(scene);
}

// A sphere of 1 kg at x = 1 and one of 3 kg at x = 3 in the user's frame: the centre of mass is at x = 2.5.
// 30 degrees towards (3, 4): sin 30 = 1/2, cos 30 = sqrt(3)/2; a few roundings of numbers below 10.
static void gravity_can_be_tilted(void **state) {
    fixture *f = *state;
    vs_scene *scene =
        need(f, S "\"parameters\": {\"tilt\": 30}, \"gravity\": {\"magnitude\": 10, \"tilt_degrees\": \"$tilt\", "
                  "\"toward\": [3, 4, 0]}}");
    const vs_vec3 g = vs_world_get_gravity(scene->world);
    assert_true(fabs(g.x - 3) < 1e-14 && fabs(g.y - 4) < 1e-14 && fabs(g.z + 5 * sqrt(3)) < 1e-14);
    vs_scene_destroy(scene);
}

static void the_world_keeps_the_centre_of_mass(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(
        f,
        S "\"parameters\": {\"unit\": 1}, \"bodies\": [{\"name\": \"dumbbell\", \"position\": [10, 0, 0],"
          "\"rotation\": {\"axis\": [0, 0, 2], \"angle\": 1.5707963267948966}, \"mass\": 4, \"shapes\": ["
          "{\"kind\": \"sphere\", \"radius\": \"$unit\", \"density\": 1, \"position\": [1, 0, 0]},"
          "{\"kind\": \"sphere\", \"radius\": 1, \"density\": 3, \"position\": [3, 0, 0]}]},"
          "{\"name\": \"anchor\", \"motion\": \"static\", \"shape\": {\"kind\": \"plane\"}}],"
          "\"joints\": [{\"name\": \"j\", \"kind\": \"spherical\", \"a\": \"world\", \"b\": \"dumbbell\","
          "\"frame_a\": {\"position\": [10, 1, 0]}, \"frame_b\": {\"position\": [1, 0, 0]}},"
          "{\"name\": \"k\", \"kind\": \"spherical\", \"b\": \"dumbbell\", \"frame\": {\"position\": [10, 0, 0]}}]}");
    vs_body_id id = vs_world_find_body(scene->world, "dumbbell");
    vs_body_state body;
    double mass;
    vs_mat3 inertia;
    assert_int_equal(vs_world_get_body_state(scene->world, id, &body), VS_OK);
    assert_int_equal(vs_world_get_body_mass(scene->world, id, &mass, &inertia), VS_OK);
    // Turned by a quarter about z, x of the user is y of the world. Rounding of a few operations on numbers of 10.
    assert_close(body.pose.position.x, 10, 1e-13);
    assert_close(body.pose.position.y, 2.5, 1e-13);
    assert_close(mass, 4, 1e-14);
    // 2/5 m r^2 for each, and Steiner: 1 * 1.5^2 + 3 * 0.5^2 across the axis
    assert_close(inertia.a[0], 1.6, 1e-14);
    assert_close(inertia.a[4], 1.6 + 3, 1e-14);
    const vs_world *world = scene->world;
    const vs_joint *j = &world->joint[vs_world_find_joint(world, "j").index],
                   *k = &world->joint[vs_world_find_joint(world, "k").index];
    assert_close(j->def.frame_b.position.x, -1.5, 1e-13);
    assert_close(k->def.frame_b.position.x, -2.5, 1e-13);
    assert_int_equal(vs_world_get_body_count(world), 2);
    vs_scene_destroy(scene);
}

static void arrays_name_and_place_their_bodies(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(
        f,
        BALL(", \"name\": \"b\", \"position\": [1, 0, 0], \"array\": {\"count\": [2, 3, 4], \"spacing\": [3, 4, 5]}"));
    vs_body_state body;
    assert_int_equal(vs_world_get_body_count(scene->world), 24);
    assert_int_equal(vs_world_get_body_state(scene->world, vs_world_find_body(scene->world, "b.23"), &body), VS_OK);
    assert_true(body.pose.position.x == 4 && body.pose.position.y == 8 && body.pose.position.z == 15);
    vs_scene_destroy(scene);
}

// One of everything that a file may say.
static const char everything[] = S
    "\"materials\": {\"ice\": {\"mu\": 0.1}, \"steel\": {\"mu\": 0.4, \"restitution\": 0.5, \"compliance\": 1e-9, "
    "\"impact\": \"moreau\"}},"
    "\"pairs\": [{\"between\": [\"ice\", \"steel\"], \"mu\": 0.02}],"
    "\"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"block\": {\"kind\": \"box\", \"size\": [1, 1, "
    "1]},"
    "\"pill\": {\"kind\": \"capsule\", \"radius\": 0.1, \"half_length\": 0.2},"
    "\"can\": {\"kind\": \"cylinder\", \"radius\": 0.1, \"half_length\": 0.2},"
    "\"egg\": {\"kind\": \"ellipsoid\", \"semi_axes\": [0.1, 0.2, 0.3]},"
    "\"tetra\": {\"kind\": \"hull\", \"points\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]},"
    "\"floor\": {\"kind\": \"plane\"},"
    "\"tri\": {\"kind\": \"mesh\", \"vertices\": [[0,0,0],[1,0,0],[0,1,0]], \"triangles\": [[0,1,2]]},"
    "\"hill\": {\"kind\": \"height_field\", \"spacing\": [1, 1], \"heights\": [[0, 0, 1], [0, 1, 1]]}},"
    "\"bodies\": [{\"name\": \"ground\", \"motion\": \"static\", \"shapes\": [\"floor\", {\"shape\": \"hill\","
    "\"position\": [40, 0, 0]}, {\"shape\": \"tri\", \"position\": [50, 0, 0], \"material\": \"ice\"}]},"
    "{\"name\": \"belt\", \"motion\": \"kinematic\", \"position\": [20, 0, 0], \"shapes\": [{\"shape\": \"block\","
    "\"surface_velocity\": [1, 0, 0], \"group\": 2, \"mask\": 1}], \"drive\": {\"velocity\": [0, 0, {\"sine\":"
    "{\"amplitude\": 0.1, \"frequency\": 2}}]}},"
    "{\"name\": \"a\", \"shape\": \"ball\", \"position\": [0, 0, 1], \"density\": 500, \"material\": \"steel\"},"
    "{\"name\": \"b\", \"shape\": \"pill\", \"position\": [1, 0, 1], \"mass\": 2, \"velocity\": [0, 0, 1], \"spin\": "
    "[1, 0, 0]},"
    "{\"name\": \"c\", \"shape\": \"can\", \"position\": [2, 0, 1], \"ignore\": [\"a\", \"b\"]},"
    "{\"name\": \"d\", \"shape\": \"egg\", \"position\": [3, 0, 1]},"
    "{\"name\": \"e\", \"shape\": \"tetra\", \"position\": [4, 0, 1], \"mass\": 1, \"inertia\": [1, 2, 2.5, 0.1, 0, 0],"
    "\"centre\": [0.2, 0.2, 0.2]}],"
    "\"joints\": [{\"name\": \"hinge\", \"kind\": \"revolute\", \"a\": \"a\", \"b\": \"b\", \"frame\": {\"position\":"
    "[0.5, 0, 1], \"axis\": [0, 1, 0]}, \"limits\": [-1, 1], \"friction\": 0.1, \"spring\": {\"stiffness\": 3}},"
    "{\"name\": \"rail\", \"kind\": \"prismatic\", \"b\": \"c\", \"frame\": {\"position\": [2, 0, 1]}, \"motor\":"
    "{\"speed\": {\"table\": {\"time\": [0, 1], \"value\": [0, 0.1]}}, \"limit\": 50}},"
    "{\"kind\": \"gear\", \"joints\": [\"hinge\", \"rail\"], \"ratio\": 0.5},"
    "{\"kind\": \"distance\", \"a\": \"c\", \"b\": \"d\", \"length\": 1}],"
    "\"loads\": [{\"body\": \"e\", \"force\": [1, 0, 0], \"torque\": [0, {\"sine\": {}}, 0]}],"
    "\"stop\": [{\"when\": \"rest\", \"below\": 1e-9, \"body\": \"e\"}, {\"when\": \"contact\", \"bodies\": [\"e\", "
    "\"world\"]}]}";

static void friction_and_restitution_may_be_tables(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, S "\"materials\": {\"steel\": {\"restitution\": [[1, 0.8], [5, 0.4]]}, \"wood\": {},"
                                "\"felt\": {\"mu\": [[0, 0.7], [1, 0.3]]}},"
                                "\"pairs\": [{\"between\": [\"steel\", \"wood\"], \"restitution\": 0.3}]}");
    const vs_material steel = vs_world_get_material_pair(scene->world, 0, 0);
    assert_true(steel.restitution_table.count == 2 && steel.restitution_table.speed[1] == 5 &&
                steel.restitution_table.value[1] == .4);
    const vs_material pair = vs_world_get_material_pair(scene->world, 0, 1);
    assert_true(pair.restitution_table.count == 0 && pair.restitution == .3);
    const vs_material felt = vs_world_get_material_pair(scene->world, 2, 2);
    assert_true(felt.mu == .7 && felt.mu_table.count == 2 && felt.mu_table.speed[1] == 1 &&
                felt.mu_table.value[1] == .3);
    vs_scene_destroy(scene);
}

#define WITH_MORTAR(text)                                                                                              \
    S "\"bodies\": [{\"name\": \"floor\", \"motion\": \"static\", \"shape\": {\"kind\": \"plane\"}}, "                 \
      "{\"name\": \"stone\", \"shape\": {\"kind\": \"box\", \"half\": [1, 1, 1]}, \"position\": [0, 0, 1], "           \
      "\"array\": {\"count\": [1, 1, 3], \"spacing\": [0, 0, 2]}}], \n\"mortar\": " text "}"

// Bonds of four corners per joint: of three stones on a floor, of the stones alone, of two of them.
static void mortar_is_between_the_bodies_it_names(void **state) {
    fixture *f = *state;
    const char *const texts[] = {WITH_MORTAR("{\"tension\": 1e6, \"compression\": 1e7, \"dilatancy\": 10, "
                                             "\"dilatancy_slip\": 1e-3}"),
                                 WITH_MORTAR("[{\"between\": [\"stone*\"], \"cohesion\": 1e6}]"),
                                 WITH_MORTAR("[{\"between\": [\"stone.0\", \"floor\"], \"tension\": 1e6}]")};
    const int bonds[] = {12, 8, 4};
    for (int k = 0; k < 3; k++) {
        vs_scene *scene = need(f, texts[k]);
        vs_simulation *simulation = NULL;
        must(vs_simulation_create(scene->world, &scene->options, &simulation), f->context);
        must(vs_simulation_step(simulation, NULL), f->context);
        assert_int_equal(vs_simulation_get_bond_count(simulation), bonds[k]);
        vs_simulation_destroy(simulation);
        vs_scene_destroy(scene);
    }
    refuse(f, VS_ERROR_DATA, WITH_MORTAR("{\"between\": [\"brick*\"], \"tension\": 1}"),
           "s.json:2: mortar.between[0]: there is no body 'brick*'");
    refuse(f, VS_ERROR_DATA, WITH_MORTAR("[{\"tension\": -1}]"), "s.json:2: mortar[0].tension: ");
    refuse(f, VS_ERROR_DATA, WITH_MORTAR("[{\"strength\": 1}]"), "s.json:2: mortar[0].strength: unknown key");
    refuse(f, VS_ERROR_DATA, WITH_MORTAR("[{\"tension\": 1, \"softening\": \"sudden\"}]"),
           "s.json:2: mortar[0].softening: ");
    refuse(f, VS_ERROR_DATA, WITH_MORTAR("[{\"tension\": 1, \"compression\": -1}]"),
           "s.json:2: mortar[0].compression: ");
    refuse(f, VS_ERROR_DATA, WITH_MORTAR("[{\"tension\": 1, \"dilatancy\": 90, \"dilatancy_slip\": 1}]"),
           "s.json:2: mortar[0]: mortar: dilatancy must be less than 90 degrees (is 90)");
    refuse(f, VS_ERROR_DATA, WITH_MORTAR("[{\"tension\": 1, \"dilatancy\": 9}]"),
           "s.json:2: mortar[0]: mortar: dilatancy needs dilatancy_slip");
    refuse(f, VS_ERROR_DATA, WITH_MORTAR("[{}]"), "s.json:2: mortar[0]: mortar: has no strength");
}

static void everything_is_understood(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, everything);
    vs_world *world = scene->world;
    assert_int_equal(vs_world_get_body_count(world), 7);
    assert_int_equal(vs_world_get_joint_count(world), 4);
    int ice = vs_world_find_material(world, "ice"), steel = vs_world_find_material(world, "steel");
    vs_material pair = vs_world_get_material_pair(world, ice, steel);
    assert_true(pair.mu == .02 && pair.restitution == .5 && pair.impact == VS_IMPACT_MOREAU);
    vs_simulation *simulation = NULL;
    assert_int_equal(vs_simulation_create(world, &scene->options, &simulation), VS_OK);
    for (int k = 0; k < 3; k++)
        if (vs_simulation_step(simulation, NULL) != VS_OK)
            fail_msg("%s", vs_context_get_error_text(f->context));
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
}

static void files_and_their_shapes_are_found(void **state) {
    fixture *f = *state;
    static const char cut[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    static const char body[] =
        BODY("\"name\": \"t\", \"shape\": {\"kind\": \"file\", \"path\": \"t.obj\", \"scale\": 2}");
    char folder[FOLDER_ROOM], path[PATH_ROOM], obj[PATH_ROOM];
    make_folder(folder);
    write_in(folder, "t.obj", cut, strlen(cut), obj);
    write_in(folder, "my.scene.json", body, strlen(body), path);
    vs_scene *scene = NULL;
    if (vs_scene_read(f->context, path, NULL, 0, &scene) != VS_OK)
        fail_msg("%s", vs_context_get_error_text(f->context));
    assert_string_equal(scene->name, "my.scene");
    double mass;
    vs_mat3 inertia;
    assert_int_equal(vs_world_get_body_mass(scene->world, vs_world_find_body(scene->world, "t"), &mass, &inertia),
                     VS_OK);
    // a sixth of a cube of side 2, 1000 kg/m^3; sums of a few products
    assert_close(mass, 8000.0 / 6, 1e-9);
    vs_scene_destroy(scene);
    (void)remove(obj);
    assert_int_equal(vs_scene_read(f->context, path, NULL, 0, &scene), VS_ERROR_IO);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "my.scene.json:2: bodies[0].shape: "));
    (void)remove(path);
    remove_folder(folder);
}

static void each_failed_allocation_ends_cleanly(void **state) {
    fixture *f = *state;
    vs_scene *scene = NULL;
    for (int k = 0; k < 100000; k++) {
        refuse_calls_from(&f->m, k);
        const vs_error error = parse(f, everything, &scene);
        refuse_none(&f->m);
        if (error == VS_OK) {
            assert_true(k > 20);
            vs_scene_destroy(scene);
            return;
        }
        assert_int_equal(error, VS_ERROR_MEMORY);
        assert_null(scene);
    }
    fail_msg("never enough memory");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(syntax_errors_have_line_and_column),
        CASE(deep_nesting_is_refused_before_it_is_parsed),
        CASE(the_cascade_is_called_by_its_name_only),
        CASE(the_head_is_checked),
        CASE(a_byte_order_mark_is_skipped),
        CASE(parameters_are_checked),
        CASE(shapes_and_materials_are_checked),
        CASE(bodies_are_checked),
        CASE(huge_arrays_are_refused_before_they_are_made),
        CASE(joints_and_loads_are_checked),
        CASE(stop_conditions_are_checked),
        CASE(stop_conditions_arrive),
        CASE(defaults_are_those_of_the_api),
        CASE(options_and_parameters_arrive),
        CASE(gravity_can_be_tilted),
        CASE(the_world_keeps_the_centre_of_mass),
        CASE(arrays_name_and_place_their_bodies),
        CASE(friction_and_restitution_may_be_tables),
        CASE(mortar_is_between_the_bodies_it_names),
        CASE(everything_is_understood),
        CASE(files_and_their_shapes_are_found),
        CASE(each_failed_allocation_ends_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
