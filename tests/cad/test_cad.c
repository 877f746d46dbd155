// Drawings become blocks: touching ones are told apart, names survive, directions of triangles do not matter, and a lack of
// memory leaks nothing. tests/system/test_import.sh has the formats and their messages.
#include <stdarg.h>
#include <stdio.h>

#include "kit/fixture.h"
#include "kit/random.h"
#include "voussoir/voussoir.h"

enum { ROOM = 1 << 17 };

typedef struct drawing {
    char text[ROOM];
    size_t length;
    int vertices;
} drawing;

static drawing drawn; // too large for a stack

static void add(drawing *d, const char *format, ...) {
    va_list list;
    va_start(list, format);
    d->length += (size_t)vsnprintf(d->text + d->length, ROOM - d->length, format, list);
    va_end(list);
    assert_true(d->length < ROOM);
}

static void begin(drawing *d) {
    d->length = 0;
    d->vertices = 0;
}

// A box as OBJ; inside out: some of its faces.
static void add_box(drawing *d, const double low[3], const double size[3], unsigned inside_out) {
    static const int face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int k = 0; k < 8; k++)
        add(d, "v %.17g %.17g %.17g\n", low[0] + (k & 1) * size[0], low[1] + (k >> 1 & 1) * size[1],
            low[2] + (k >> 2) * size[2]);
    for (int f = 0; f < 6; f++) {
        add(d, "f");
        for (int k = 0; k < 4; k++)
            add(d, " %d", d->vertices + 1 + face[f][inside_out >> f & 1 ? 3 - k : k]);
        add(d, "\n");
    }
    d->vertices += 8;
}

// A box of triangles at a pose, written with `digits` digits after the point; odd: its faces have the other diagonals.
static void add_turned_box(drawing *d, vs_pose pose, vs_vec3 low, vs_vec3 size, int digits, bool odd) {
    static const int face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int k = 0; k < 8; k++) {
        const vs_vec3 v = vs_pose_apply(
            pose, (vs_vec3){low.x + (k & 1) * size.x, low.y + (k >> 1 & 1) * size.y, low.z + (k >> 2) * size.z});
        add(d, "v %.*f %.*f %.*f\n", digits, v.x, digits, v.y, digits, v.z);
    }
    for (int f = 0; f < 6; f++) {
        const int *c = face[f], from = odd, first = d->vertices + 1;
        add(d, "f %d %d %d\nf %d %d %d\n", first + c[from], first + c[from + 1], first + c[(from + 2) % 4],
            first + c[from], first + c[(from + 2) % 4], first + c[(from + 3) % 4]);
    }
    d->vertices += 8;
}

static vs_cad *read_obj(void **state, const vs_cad_options *options) {
    vs_cad *cad = NULL;
    must(vs_cad_parse(context_of(state), drawn.text, drawn.length, "drawn.obj", "obj", options, &cad),
         context_of(state));
    return cad;
}

// ---- solids -----------------------------------------------------------------------------------------------

static void test_touching_boxes_without_names_are_told_apart(void **state) {
    // Eight boxes about one point: the edges between them have eight triangles, the faces inside coincide.
    begin(&drawn);
    for (int k = 0; k < 8; k++)
        add_box(&drawn, (double[]){k & 1, k >> 1 & 1, k >> 2}, (double[]){1, 1, 1}, 0);
    vs_cad *cad = read_obj(state, NULL);
    const vs_cad_report r = vs_cad_get_report(cad);
    assert_int_equal(r.bodies, 8);
    assert_int_equal(r.hulls, 8);
    assert_true(fabs(r.volume - 8) < 1e-12);
    assert_non_null(strstr(vs_cad_get_scene(cad, NULL), "\"block-8\""));
    vs_cad_destroy(cad);
}

// Coinciding triangles lie at angles of 0 and of a turn, as rounding has it.
static void test_touching_boxes_are_told_apart_at_any_angle(void **state) {
    uint64_t seed = 17;
    for (int k = 0; k < 4 * 500; k++) {
        const int digits = k & 1 ? 6 : 17;
        const bool odd = k & 2;
        const vs_pose pose = random_pose(&seed, 2);
        begin(&drawn);
        add_turned_box(&drawn, pose, (vs_vec3){0, 0, 0}, (vs_vec3){.5, .3, .2}, digits, false);
        add_turned_box(&drawn, pose, (vs_vec3){0, 0, .2}, (vs_vec3){.5, .3, .25}, digits, odd);
        vs_cad *cad = read_obj(state, NULL);
        const vs_cad_report r = vs_cad_get_report(cad);
        if (r.bodies != 2 || r.hulls != 2)
            fail_msg("rotation %d, %d digits%s: %d bodies, %d hulls", k, digits, odd ? ", other diagonals" : "",
                     r.bodies, r.hulls);
        vs_cad_destroy(cad);
    }
}

static void test_directions_of_faces_do_not_matter(void **state) {
    for (unsigned inside_out = 0; inside_out < 64; inside_out++) {
        begin(&drawn);
        add_box(&drawn, (double[]){100, 0, -3}, (double[]){.5, .25, 2}, inside_out);
        vs_cad *cad = read_obj(state, NULL);
        const vs_cad_report r = vs_cad_get_report(cad);
        assert_int_equal(r.bodies, 1);
        assert_int_equal(r.hulls, 1);
        assert_int_equal(r.open, 0);
        assert_true(fabs(r.volume - .25) < 1e-12);
        vs_cad_destroy(cad);
    }
}

static void test_a_small_hollow_is_not_filled(void **state) {
    // A step of 1/1000 of the edge: too little volume to see, but not flat.
    static const double outline[6][2] = {{0, 0}, {1, 0}, {1, .999}, {.999, .999}, {.999, 1}, {0, 1}};
    begin(&drawn);
    for (int z = 0; z < 2; z++)
        for (int k = 0; k < 6; k++)
            add(&drawn, "v %.17g %.17g %d\n", outline[k][0], outline[k][1], z);
    add(&drawn, "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n");
    for (int k = 0; k < 6; k++)
        add(&drawn, "f %d %d %d %d\n", k + 1, (k + 1) % 6 + 1, (k + 1) % 6 + 7, k + 7);
    vs_cad *cad = read_obj(state, NULL);
    assert_int_equal(vs_cad_get_report(cad).meshes, 1);
    vs_cad_destroy(cad);
}

static void test_many_triangles_at_one_edge_are_no_solid(void **state) {
    vs_cad *cad = NULL;
    begin(&drawn);
    add(&drawn, "v 0 0 0\nv 0 0 1\n");
    for (int k = 0; k < 300; k++)
        add(&drawn, "v %d %d 0\nf %s %d\n", 1 + k % 17, 1 + k % 23, k % 3 ? "1 2" : "2 1", k + 3);
    const vs_error error = vs_cad_parse(context_of(state), drawn.text, drawn.length, "drawn.obj", "obj", NULL, &cad);
    assert_true(error == VS_OK || error == VS_ERROR_DATA);
    vs_cad_destroy(cad);
}

// ---- names ------------------------------------------------------------------------------------------------

static void test_any_name_gives_a_scene_that_can_be_read(void **state) {
    static const char *const name[] = {"a \"quoted\\ name",
                                       "\xff\xfe",
                                       "caf\xc3\xa9",
                                       "cut\xc3",
                                       "tab\there",
                                       "world",
                                       "an extremely long name that a program made of the way through all assemblies"};
    vs_cad_options options = vs_cad_options_default();
    vs_scene *scene = NULL;
    size_t length = 0;
    options.ground = true;
    begin(&drawn);
    for (int k = 0; k < 7; k++) {
        add(&drawn, "o %s\nusemtl %s\n", name[k], name[k]);
        add_box(&drawn, (double[]){2. * k, 0, 0}, (double[]){1, 1, 1}, 0);
    }
    vs_cad *cad = read_obj(state, &options);
    const char *text = vs_cad_get_scene(cad, &length);
    must(vs_scene_parse(context_of(state), text, length, "scene", NULL, 0, &scene), context_of(state));
    assert_int_equal(vs_world_get_body_count(scene->world), 8);
    assert_true(vs_world_find_body(scene->world, "a \"quoted\\ name").index > 0);
    assert_true(vs_world_find_body(scene->world, "caf\xc3\xa9").index > 0);
    assert_true(vs_world_find_body(scene->world, "??").index > 0);
    vs_scene_destroy(scene);
    vs_cad_destroy(cad);
}

// ---- arguments --------------------------------------------------------------------------------------------

static void refuse(void **state, const vs_cad_options *options, const char *text) {
    vs_cad *cad = NULL;
    assert_int_equal(vs_cad_parse(context_of(state), drawn.text, drawn.length, NULL, "obj", options, &cad),
                     VS_ERROR_ARGUMENT);
    assert_null(cad);
    assert_string_equal(vs_context_get_error_text(context_of(state)), text);
}

static void test_wrong_options_are_named(void **state) {
    const vs_cad_options good = vs_cad_options_default();
    vs_cad_options o = good;
    vs_cad *cad = NULL;
    begin(&drawn);
    add_box(&drawn, (double[]){0, 0, 0}, (double[]){1, 1, 1}, 0);
    o.unit = -1;
    refuse(state, &o, "cad: unit must be positive (is -1)");
    o = good, o.density = -1;
    refuse(state, &o, "cad: density must be positive (is -1)");
    o = good, o.mu = -.5;
    refuse(state, &o, "cad: mu must not be negative (is -0.5)");
    o = good, o.snap = -1;
    refuse(state, &o, "cad: snap must not be negative (is -1)");
    o = good, o.fixed_count = 1;
    refuse(state, &o, "cad: fixed is null or fixed_count is negative");
    const char *const none[] = {NULL};
    o.fixed = none;
    refuse(state, &o, "cad: fixed[0] is null");
    assert_int_equal(vs_cad_parse(NULL, "", 0, NULL, "obj", NULL, &cad), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_cad_read(context_of(state), NULL, NULL, &cad), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_cad_read(context_of(state), "/none/drawn.obj", NULL, &cad), VS_ERROR_IO);
    assert_true(vs_cad_is_readable("a/b.OBJ"));
    assert_false(vs_cad_is_readable("scene.json") || vs_cad_is_readable("none") || vs_cad_is_readable(NULL));
    assert_null(vs_cad_get_scene(NULL, NULL));
    vs_cad_destroy(NULL);
}

// ---- memory -----------------------------------------------------------------------------------------------

static const char *kept_format;
static vs_cad_options kept_options;

static vs_error attempt(void *user) {
    vs_cad *cad = NULL;
    const vs_error error = vs_cad_parse(user, drawn.text, drawn.length, "drawn", kept_format, &kept_options, &cad);
    vs_cad_destroy(cad);
    return error;
}

static void refuse_each_of(void **state, const char *format) {
    fixture *f = *state;
    kept_format = format;
    assert_true(refuse_each(&f->m, f->context, attempt, f->context) > 10);
}

static void test_failed_allocations_leak_nothing(void **state) {
    static const char *const fixed[] = {"left"};
    kept_options = vs_cad_options_default();
    kept_options.ground = true;
    kept_options.snap = .01;
    kept_options.fixed = fixed;
    kept_options.fixed_count = 1;
    begin(&drawn);
    add(&drawn, "o left\nusemtl granite\n");
    add_box(&drawn, (double[]){0, 0, 0}, (double[]){1, 1, 1}, 0);
    add(&drawn, "o right\nusemtl oak\n");
    add_box(&drawn, (double[]){1.001, 0, 0}, (double[]){1, 1, 1}, 5);
    refuse_each_of(state, "obj");
    kept_options.fixed_count = 0;
    begin(&drawn);
    add(&drawn, "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float "
                "z\nelement face 4\n"
                "property list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 "
                "3\n3 2 0 3\n");
    refuse_each_of(state, "ply");
    begin(&drawn);
    add(&drawn,
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"1/a/b\"\n$EndPhysicalNames\n$Nodes\n4\n1 0 0 "
        "0\n"
        "2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n4\n1 2 2 1 1 1 3 2\n2 2 2 1 1 1 2 4\n3 2 2 1 1 2 3 4\n"
        "4 2 2 1 1 3 1 4\n$EndElements\n");
    refuse_each_of(state, "msh");
    begin(&drawn);
    add(&drawn, "{\"blocks\": {\"0\": {\"vertex\": {\"0\": {}, \"1\": {\"x\": 1}, \"2\": {\"y\": 1}, \"3\": {\"z\": "
                "1}}, \"face\": "
                "{\"0\": [0, 2, 1], \"1\": [0, 1, 3], \"2\": [1, 2, 3], \"3\": [2, 0, 3]}}}}");
    refuse_each_of(state, "json");
}

typedef struct hollow_case {
    const char *what;
    int shells;
    double low[4], size[4]; // of cubes, all in one object
    unsigned inside_out[4];
    int bodies;
    double volume;
} hollow_case;

// A closed surface inside a solid of the same object is a cavity, not a second body, whichever way it faces; a body in a cavity is
// a body again, and stones beside each other or in a hollow from outside are not inside.
static void test_surfaces_inside_a_solid_are_cavities(void **state) {
    static const hollow_case cases[] = {
        {"faces inward", 2, {0, 1}, {3, 1}, {0, 63}, 1, 26},
        {"faces outward", 2, {0, 1}, {3, 1}, {0, 0}, 1, 26},
        {"inside out as a whole", 2, {0, 1}, {3, 1}, {63, 0}, 1, 26},
        {"mixed", 2, {0, 1}, {3, 1}, {5, 18}, 1, 26},
        {"drawn first", 2, {1, 0}, {1, 3}, {63, 0}, 1, 26},
        {"two cavities", 3, {0, .5, 2}, {4, 1, 1}, {0, 63, 63}, 1, 62},
        {"a body in the cavity", 3, {0, 1, 2}, {5, 3, 1}, {0, 63, 0}, 2, 99},
        {"a body that fills the cavity", 3, {0, 1, 1}, {3, 1, 1}, {0, 63, 0}, 2, 27},
        {"a cavity in a body in a cavity", 4, {0, 1, 2, 3}, {7, 5, 3, 1}, {0, 63, 0, 63}, 2, 244},
        {"beside each other", 2, {0, 4}, {3, 1}, {0, 0}, 2, 28},
        {"at a corner", 2, {0, 3}, {3, 1}, {0, 0}, 2, 28},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const hollow_case *c = &cases[k];
        begin(&drawn);
        add(&drawn, "o a\n");
        for (int i = 0; i < c->shells; i++)
            add_box(&drawn, (double[3]){c->low[i], c->low[i], c->low[i]},
                    (double[3]){c->size[i], c->size[i], c->size[i]}, c->inside_out[i]);
        vs_cad *cad = read_obj(state, NULL);
        const vs_cad_report report = vs_cad_get_report(cad);
        if (report.bodies != c->bodies || fabs(report.volume - c->volume) > 1e-9)
            fail_msg("%s: %d bodies of %g m^3", c->what, report.bodies, report.volume);
        size_t length = 0;
        const char *text = vs_cad_get_scene(cad, &length);
        vs_scene *scene = NULL;
        if (k == 0) // its mesh can be divided
            assert_int_equal(vs_scene_parse(context_of(state), text, length, "a.json", NULL, 0, &scene), VS_OK);
        vs_scene_destroy(scene);
        vs_cad_destroy(cad);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_touching_boxes_without_names_are_told_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_touching_boxes_are_told_apart_at_any_angle, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_directions_of_faces_do_not_matter, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_small_hollow_is_not_filled, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_surfaces_inside_a_solid_are_cavities, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_triangles_at_one_edge_are_no_solid, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_any_name_gives_a_scene_that_can_be_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_options_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failed_allocations_leak_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
