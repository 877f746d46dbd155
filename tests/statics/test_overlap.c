// Overlap of faces: area, corners and gaps of squares and triangles whose common part is known.
#include "kit/compare.h"
#include "statics/overlap.h"

// A square of side 2 about (x, y, z) that looks up or down.
static vs_face square(vs_vec3 corner[4], double x, double y, double z, bool up) {
    static const int sx[] = {-1, 1, 1, -1}, sy[] = {-1, -1, 1, 1};
    for (int k = 0; k < 4; k++) {
        const int i = up ? k : 3 - k;
        corner[k] = (vs_vec3){x + sx[i], y + sy[i], z};
    }
    return (vs_face){corner, 4, {0, 0, up ? 1 : -1}, up ? z : -z};
}

static void shifted_squares(void **state) {
    (void)state;
    vs_vec3 a[4], b[4];
    vs_overlap_polygon o;
    const vs_face lower = square(a, 0, 0, 0, true), upper = square(b, .5, 1.5, .02, false);
    vs_overlap_find(&lower, &upper, 1e-9, &o);
    assert_int_equal(o.corners, 4);
    assert_close(o.area, 1.5 * .5, 1e-12);
    assert_vec(o.centre, ((vs_vec3){.25, .75, .01}), 1e-12);
    assert_vec(o.normal, ((vs_vec3){0, 0, 1}), 1e-15);
    for (int k = 0; k < 4; k++) {
        assert_close(o.gap[k], .02, 1e-12);
        assert_close(o.corner[k].z, .01, 1e-12);
    }
}

// Equal squares, one of them moved by rounding: four corners, not eight.
static void equal_squares_keep_four_corners(void **state) {
    (void)state;
    vs_vec3 a[4], b[4];
    vs_overlap_polygon o;
    const vs_face lower = square(a, 0, 0, 0, true), upper = square(b, 3e-16, -5e-16, 0, false);
    vs_overlap_find(&lower, &upper, 1e-9, &o);
    assert_int_equal(o.corners, 4);
    assert_close(o.area, 4, 1e-12);
}

// Moved by less than the tolerance: still no corner is outside of a square, where a force would act on nothing.
static void no_corner_is_outside(void **state) {
    (void)state;
    vs_vec3 a[4], b[4];
    vs_overlap_polygon o;
    const vs_face lower = square(a, 0, 0, 0, true), upper = square(b, 5e-10, -3e-10, 0, false);
    vs_overlap_find(&lower, &upper, 1e-9, &o);
    assert_int_equal(o.corners, 4);
    for (int k = 0; k < 4; k++) {
        assert_true(o.corner[k].x <= 1 + 1e-15 && o.corner[k].x >= -1 + 5e-10 - 1e-15);
        assert_true(o.corner[k].y >= -1 - 1e-15 && o.corner[k].y <= 1 - 3e-10 + 1e-15);
    }
}

static void squares_that_share_an_edge_do_not_overlap(void **state) {
    (void)state;
    vs_vec3 a[4], b[4];
    vs_overlap_polygon o;
    const vs_face lower = square(a, 0, 0, 0, true), upper = square(b, 2, 0, 0, false);
    vs_overlap_find(&lower, &upper, 1e-9, &o);
    assert_int_equal(o.corners, 0);
}

// A square turned by 45 degrees cuts the corners of another one: a regular octagon of area 8 (sqrt 2 - 1).
static void turned_square_makes_an_octagon(void **state) {
    (void)state;
    vs_vec3 a[4], b[4];
    vs_overlap_polygon o;
    const vs_face lower = square(a, 0, 0, 0, true);
    const double r = sqrt(2);
    for (int k = 0; k < 4; k++)
        b[k] = (vs_vec3){k == 0 ? r : k == 2 ? -r : 0, k == 1 ? -r : k == 3 ? r : 0, 0};
    const vs_face upper = {b, 4, {0, 0, -1}, 0};
    vs_overlap_find(&lower, &upper, 1e-9, &o);
    assert_int_equal(o.corners, 8);
    assert_close(o.area, 8 * (r - 1), 1e-12);
}

// A face on a plane keeps its corners; the gap is its height.
static void face_on_a_plane(void **state) {
    (void)state;
    vs_vec3 b[4];
    vs_overlap_polygon o;
    const vs_face plane = {.normal = {0, 0, 1}, .offset = 1}, face = square(b, 3, 4, 1.5, false);
    vs_overlap_find(&plane, &face, 1e-9, &o);
    assert_int_equal(o.corners, 4);
    assert_close(o.area, 4, 1e-12);
    assert_close(o.gap[2], .5, 1e-12);
    assert_vec(o.centre, ((vs_vec3){3, 4, 1.25}), 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shifted_squares),
        cmocka_unit_test(equal_squares_keep_four_corners),
        cmocka_unit_test(no_corner_is_outside),
        cmocka_unit_test(squares_that_share_an_edge_do_not_overlap),
        cmocka_unit_test(turned_square_makes_an_octagon),
        cmocka_unit_test(face_on_a_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
