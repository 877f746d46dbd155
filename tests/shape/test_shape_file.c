// Files: what is written as STL or OBJ is read back; malformed files are refused with the place of the mistake.
#include <locale.h>

#include "counted.h"
#include "kit/folder.h"
#include "text.h"

// ---- writing ---------------------------------------------------------------------------------------

static const vs_vec3 HALF = {.5, .25, .125}; // exact in float

static void write_stl(text *t) {
    vs_vec3 v[8];
    cube_vertices(HALF, v);
    t->length = 0;
    add(t, "solid a cube\n");
    for (int k = 0; k < 12; k++) {
        add(t, "facet normal 0 0 0\n outer loop\n");
        for (int c = 0; c < 3; c++) {
            const vs_vec3 x = v[CUBE_TRIANGLES[3 * k + c]];
            add(t, "  vertex %.9g %.9e %.9g\n", x.x, x.y, x.z);
        }
        add(t, " endloop\nendfacet\n");
    }
    add(t, "endsolid a cube\n");
}

// The machine of the test is little-endian.
static void write_binary(text *t) {
    const uint32_t count = 12;
    vs_vec3 v[8];
    cube_vertices(HALF, v);
    memset(t->bytes, 0, TEXT_ROOM);
    memcpy(t->bytes, "solid binary", 12); // as some programs write it
    t->length = 80;
    add_bytes(t, &count, 4);
    for (int k = 0; k < 12; k++) {
        float x[12] = {0};
        for (int c = 0; c < 3; c++) {
            const vs_vec3 y = v[CUBE_TRIANGLES[3 * k + c]];
            x[3 + 3 * c] = (float)y.x, x[4 + 3 * c] = (float)y.y, x[5 + 3 * c] = (float)y.z;
        }
        add_bytes(t, x, sizeof x);
        add_bytes(t, "\1\2", 2);
    }
}

static void write_obj(text *t, bool back) {
    // Quadrilaterals with all kinds of slashes; bits of vertices as everywhere in these tests.
    static const int loop[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    static const char *const form[4] = {" %d", " %d/1", " %d//-2", " %d/3/4"};
    vs_vec3 v[8];
    cube_vertices(HALF, v);
    t->length = 0;
    add(t, "# a cube\r\nmtllib none.mtl\no cube\n");
    for (int k = 0; k < 8; k++)
        add(t, "v %.17g\t%.17g %.17g%s\n", v[k].x, v[k].y, v[k].z, k % 2 ? " 1.0" : "  # corner");
    add(t, "vt 0 0\nvn 0 0 1\n\ns off\n");
    for (int f = 0; f < 6; f++) {
        add(t, "f");
        for (int c = 0; c < 4; c++) {
            if (c == 2)
                add(t, " \\\n");
            char word[32];
            (void)snprintf(word, sizeof word, form[f % 4], back ? loop[4 * f + c] - 8 : loop[4 * f + c] + 1);
            add(t, "%s", word);
        }
        add(t, "\r\n");
    }
}

static vs_error read_text(const text *t, vs_mesh_format format, bool hull, vs_shape **shape) {
    char *copy = copy_text(t);
    const vs_error error = vs_shape_from_bytes(context, "t", format, copy, t->length, 2, hull, shape);
    free(copy);
    return error;
}

// ---- good files ------------------------------------------------------------------------------------

static void check_cube(const text *t, vs_mesh_format format) {
    vs_shape *s = NULL;
    vs_mass_properties m;
    if (read_text(t, format, false, &s))
        fail_msg("%s", vs_context_get_error_text(context));
    assert_int_equal(s->kind, VS_SHAPE_MESH);
    assert_int_equal(s->triangles.triangles, 12);
    assert_int_equal(s->triangles.vertices, 8);
    assert_vec(s->bounds.high, vs_scale(2, HALF), 0);
    assert_int_equal(vs_shape_get_mass(s, 1, &m), VS_OK); // closed and the right way out
    assert_close(m.mass, 1, 1e-15);
    vs_shape_release(s);
    if (read_text(t, format, true, &s))
        fail_msg("%s", vs_context_get_error_text(context));
    assert_int_equal(s->kind, VS_SHAPE_HULL);
    assert_int_equal(s->polytope.vertices, 8);
    assert_int_equal(s->polytope.faces, 6);
    vs_shape_release(s);
}

static void test_a_cube_in_every_format_is_the_cube(void **state) {
    (void)state;
    text t = {.length = 0};
    write_stl(&t);
    check_cube(&t, VS_MESH_STL);
    for (size_t k = 0; k < t.length; k++) // words in capitals, too
        if (t.bytes[k] >= 'a' && t.bytes[k] <= 'z' && t.bytes[k] != 'e')
            t.bytes[k] = (char)(t.bytes[k] - 'a' + 'A');
    check_cube(&t, VS_MESH_STL);
    write_binary(&t);
    check_cube(&t, VS_MESH_STL);
    write_obj(&t, false);
    check_cube(&t, VS_MESH_OBJ);
    write_obj(&t, true);
    check_cube(&t, VS_MESH_OBJ);
}

static void test_files_are_found_by_the_end_of_their_name(void **state) {
    (void)state;
    text t = {.length = 0};
    char folder[FOLDER_ROOM], path[PATH_ROOM];
    vs_shape *s;
    write_binary(&t);
    make_folder(folder);
    write_in(folder, "cube.StL", t.bytes, t.length, path);
    assert_int_equal(vs_shape_from_file(context, path, .5, false, &s), VS_OK);
    assert_vec(s->bounds.high, vs_scale(.5, HALF), 0);
    vs_shape_release(s);
    assert_int_equal(vs_shape_from_file(context, path, 0, false, &s), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_shape_from_file(context, path, NAN, false, &s), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_shape_from_file(context, NULL, 1, false, &s), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_shape_from_file(context, path, 1, false, NULL), VS_ERROR_ARGUMENT);
    (void)unlink(path);
    remove_folder(folder);
    assert_int_equal(vs_shape_from_file(context, path, 1, false, &s), VS_ERROR_IO);
    assert_int_equal(vs_shape_from_file(context, "a.ply", 1, false, &s), VS_ERROR_UNSUPPORTED);
    assert_int_equal(vs_shape_from_file(context, ".stl", 1, false, &s), VS_ERROR_UNSUPPORTED);
    assert_null(s);
}

static void test_concave_polygons_are_cut_into_triangles_that_cover_them(void **state) {
    (void)state;
    // An L, a comb and a spiral: a fan about any corner would cover too much.
    static const double shapes[3][24] = {
        {0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2},
        {0, 0, 5, 0, 5, 3, 4, 3, 4, 1, 3, 1, 3, 3, 2, 3, 2, 1, 1, 1, 1, 3, 0, 3},
        {0, 0, 5, 0, 5, 5, 1, 5, 1, 2, 3, 2, 3, 3, 2, 3, 2, 4, 4, 4, 4, 1, 0, 1},
    };
    static const int corners[3] = {6, 12, 12};
    for (int k = 0; k < 3; k++)
        for (int first = 0; first < corners[k]; first++) {
            text t = {.length = 0};
            double area = 0, sum = 0;
            for (int c = 0; c < corners[k]; c++) {
                const double *x = shapes[k] + 2 * c, *y = shapes[k] + 2 * ((c + 1) % corners[k]);
                add(&t, "v %g %g %g\n", x[0], x[1], x[0] / 2); // in a slanted plane
                area += .5 * (x[0] * y[1] - x[1] * y[0]);
            }
            add(&t, "f");
            for (int c = 0; c < corners[k]; c++)
                add(&t, " %d", (first + c) % corners[k] + 1);
            vs_shape *s;
            assert_int_equal(read_text(&t, VS_MESH_OBJ, false, &s), VS_OK);
            const vs_triangles *m = &s->triangles;
            for (int j = 0; j < m->triangles; j++) {
                const vs_vec3 a = m->vertex[m->index[3 * j]], b = m->vertex[m->index[3 * j + 1]];
                const vs_vec3 n = vs_cross(vs_subtract(b, a), vs_subtract(m->vertex[m->index[3 * j + 2]], a));
                assert_true(n.z > 0);
                sum += .5 * n.z;
            }
            // All of the same orientation and no more than the whole: no overlap. Scaled by 2.
            assert_close(sum, 4 * area, 1e-12);
            vs_shape_release(s);
        }
}

static void test_points_without_faces_have_a_hull(void **state) {
    (void)state;
    text t = {.length = 0};
    vs_shape *s;
    add(&t, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv .1 .1 .1\n");
    assert_int_equal(read_text(&t, VS_MESH_OBJ, true, &s), VS_OK);
    assert_int_equal(s->polytope.faces, 4);
    vs_shape_release(s);
    // With faces, vertices beside them do not count.
    add(&t, "v 9 9 9\nf 1 2 3\nf 1 2 4\n");
    assert_int_equal(read_text(&t, VS_MESH_OBJ, true, &s), VS_OK);
    assert_vec(s->bounds.high, ((vs_vec3){2, 2, 2}), 0);
    vs_shape_release(s);
}

static void test_triangles_without_area_are_left_out(void **state) {
    (void)state;
    text t = {.length = 0};
    vs_shape *s;
    add(&t, "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 4\nf 1 2 4\n");
    assert_int_equal(read_text(&t, VS_MESH_OBJ, false, &s), VS_OK);
    assert_int_equal(s->triangles.triangles, 1);
    assert_int_equal(s->triangles.vertices, 3);
    vs_shape_release(s);
}

static void test_numbers_have_a_point_in_every_locale(void **state) {
    (void)state;
    text t = {.length = 0};
    write_stl(&t);
    // Where no such locale is installed, the plain one is tested again.
    const char *const with_comma[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"};
    for (int k = 0; k < 3; k++)
        if (setlocale(LC_ALL, with_comma[k]))
            break;
    check_cube(&t, VS_MESH_STL);
    (void)setlocale(LC_ALL, "C");
}

// ---- malformed files -------------------------------------------------------------------------------

static void expect_error(const text *t, vs_mesh_format format, const char *said) {
    vs_shape *s = NULL;
    const vs_error error = read_text(t, format, false, &s);
    if (error != VS_ERROR_DATA || !strstr(vs_context_get_error_text(context), said))
        fail_msg("'%s' does not say '%s'", vs_context_get_error_text(context), said);
    assert_null(s);
}

static void expect_obj(const char *contents, const char *said) {
    text t = {.length = 0};
    add(&t, "%s", contents);
    expect_error(&t, VS_MESH_OBJ, said);
}

static void expect_stl(const char *contents, const char *said) {
    text t = {.length = 0};
    add(&t, "%s", contents);
    expect_error(&t, VS_MESH_STL, said);
}

static void test_malformed_obj_is_refused_with_its_line(void **state) {
    (void)state;
    expect_obj("", "no vertices");
    expect_obj("# nothing\n", "no vertices");
    expect_obj("v 0 0\n", "t, line 1: expected a finite number, found the end of the line");
    expect_obj("\n\nv 0 0 x", "t, line 3: expected a finite number, found 'x'");
    expect_obj("v 0 0 nan", "found 'nan'");
    expect_obj("v 0 0 1e999", "found '1e999'");
    expect_obj("v 0 0 0 \nv 1 0 0\nv 0 1 0\n", "no triangles");
    expect_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "t, line 4: expected a face with at least 3 corners");
    expect_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "t, line 4: expected a vertex of the file, found '4'");
    expect_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "found '0'");
    expect_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", "found '-4'");
    expect_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999999\n", "a vertex of the file");
    expect_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 /3\n", "found '/3'");
    expect_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3a\n", "found '3a'");
    expect_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3.5\n", "found '3.5'");
    expect_obj("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "no triangles with area");
    text t = {.length = 0};
    add(&t, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf");
    for (int k = 0; k < 600; k++)
        add(&t, " %d", k % 3 + 1);
    expect_error(&t, VS_MESH_OBJ, "line 4: expected a face with at most 512 corners");
    // A zero byte is no number and no end.
    t.length = 0;
    static const char zero[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3";
    add_bytes(&t, zero, sizeof zero);
    expect_error(&t, VS_MESH_OBJ, "line 4");
}

static void test_malformed_text_stl_is_refused_with_its_line(void **state) {
    (void)state;
    expect_stl("", "not an STL file");
    expect_stl("hello", "not an STL file");
    expect_stl("solid", "t, line 1: expected endsolid, found the end of the file");
    expect_stl("solid x\nendsolid x\n", "no triangles");
    expect_stl("solid x\nfacet\nnormal 0 0\nouter", "t, line 4: expected a number, found 'outer'");
    expect_stl("solid x\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nendloop",
               "line 6: expected vertex");
    expect_stl("solid x\nfacet normal 0 0 0\nouter loop\nvertex 0 0 inf\n", "line 4: expected finite numbers");
    expect_stl("solid x\nfacet normal 0 0 0 inner", "line 2: expected outer, found 'inner'");
    // Cut anywhere (but within the last name, which is free), a file is an error, never a smaller mesh.
    text t, part;
    write_stl(&t);
    const size_t complete = t.length - strlen(" a cube\n");
    for (size_t length = 0; length < complete; length += 13) {
        part = t;
        part.length = length;
        expect_error(&part, VS_MESH_STL, "t");
    }
}

static void test_malformed_binary_stl_is_refused_with_its_byte(void **state) {
    (void)state;
    text t = {.length = 0};
    write_binary(&t);
    memcpy(t.bytes, "binary", 6);
    const uint32_t wrong[] = {11, 13, 0, UINT32_MAX, 0x80000000u};
    for (int k = 0; k < 5; k++) {
        memcpy(t.bytes + 80, wrong + k, 4);
        expect_error(&t, VS_MESH_STL, "byte 80");
    }
    const uint32_t none = 0;
    memcpy(t.bytes + 80, &none, 4);
    t.length = 84;
    expect_error(&t, VS_MESH_STL, "no triangles");
    write_binary(&t);
    const float bad = NAN;
    memcpy(t.bytes + 84 + 50 * 3 + 12 + 24 + 4, &bad, 4);
    expect_error(&t, VS_MESH_STL, "byte 270: a vertex of triangle 3"); // 84 + 150 + 12 + 24
}

// ---- memory ----------------------------------------------------------------------------------------

static text kept;
static vs_mesh_format kept_format;

static vs_error make_mesh(vs_context *c, vs_shape **s) {
    return vs_shape_from_bytes(c, "t", kept_format, kept.bytes, kept.length, 1, false, s);
}
static vs_error make_hull(vs_context *c, vs_shape **s) {
    return vs_shape_from_bytes(c, "t", kept_format, kept.bytes, kept.length, 1, true, s);
}

static char kept_path[PATH_ROOM];

static vs_error make_from_file(vs_context *c, vs_shape **s) {
    return vs_shape_from_file(c, kept_path, 1, true, s);
}

static void test_failed_allocations_leak_nothing(void **state) {
    (void)state;
    write_stl(&kept);
    kept_format = VS_MESH_STL;
    refuse_each_of_shape(make_mesh);
    refuse_each_of_shape(make_hull);
    write_obj(&kept, true);
    kept_format = VS_MESH_OBJ;
    kept.bytes[kept.length] = 0;
    refuse_each_of_shape(make_mesh);
    refuse_each_of_shape(make_hull);
    char folder[FOLDER_ROOM];
    make_folder(folder);
    write_in(folder, "cube.obj", kept.bytes, kept.length, kept_path);
    refuse_each_of_shape(make_from_file);
    (void)unlink(kept_path);
    remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_cube_in_every_format_is_the_cube, begin, end),
        cmocka_unit_test_setup_teardown(test_files_are_found_by_the_end_of_their_name, begin, end),
        cmocka_unit_test_setup_teardown(test_concave_polygons_are_cut_into_triangles_that_cover_them, begin, end),
        cmocka_unit_test_setup_teardown(test_points_without_faces_have_a_hull, begin, end),
        cmocka_unit_test_setup_teardown(test_triangles_without_area_are_left_out, begin, end),
        cmocka_unit_test_setup_teardown(test_numbers_have_a_point_in_every_locale, begin, end),
        cmocka_unit_test_setup_teardown(test_malformed_obj_is_refused_with_its_line, begin, end),
        cmocka_unit_test_setup_teardown(test_malformed_text_stl_is_refused_with_its_line, begin, end),
        cmocka_unit_test_setup_teardown(test_malformed_binary_stl_is_refused_with_its_byte, begin, end),
        cmocka_unit_test(test_failed_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
