// The homogeneous interior point: optima of small programs that are known in closed form, and rays where there is none.
#include "kit/compare.h"
#include "kit/fixture.h"
#include "statics/cone_program.h"

// min -x1 - x2, x >= 0, x1 + 2 x2 <= 4, 3 x1 + x2 <= 6: x = (1.6, 1.2), value -2.8.
static void linear_program(void **state) {
    vs_context *context = context_of(state);
    int row[] = {0, 1, 2, 3, 4}, col[] = {0, 1, 0, 1, 0, 1};
    int64_t start[] = {0, 1, 2, 4, 6}, value[] = {0, 1, 2, 4, 6};
    double x[] = {-1, -1, 1, 2, 3, 1}, c[] = {-1, -1}, h[] = {0, 0, 4, 6};
    const vs_rows G = {4, 4, 2, row, start, col, value, x};
    vs_cone_program *p;
    vs_program_result r;
    assert_int_equal(vs_cone_program_create(context, &G, &p), VS_OK);
    assert_int_equal(vs_cone_program_solve(p, &(vs_program_data){.c = c, .h = h}, 1e-11, &r), VS_OK);
    assert_int_equal(r.status, VS_PROGRAM_OPTIMAL);
    assert_close(r.x[0], 1.6, 1e-9);
    assert_close(r.x[1], 1.2, 1e-9);
    assert_close(r.primal, -2.8, 1e-9);
    assert_close(r.dual, -2.8, 1e-9);
    vs_cone_program_destroy(p);
}

// One Lorentz cone: min c'x over |x| <= 1 with x1 + x2 = b, in the form s = (1, x1, x2).
static void least_on_a_chord(vs_cone_program *p, double b, double *value, vs_program_status *status) {
    double c[] = {1, 0}, h[] = {1, 0, 0}, a[] = {1, 1};
    vs_program_result r;
    assert_int_equal(vs_cone_program_solve(p, &(vs_program_data){.c = c, .h = h, .a = a, .b = b}, 1e-11, &r), VS_OK);
    *status = r.status;
    *value = r.primal;
    if (r.status == VS_PROGRAM_RAY_Z) {
        // The ray proves it: a y + G'z = 0, z in L, b y + h'z = -1.
        assert_close(b * r.y + r.z[0], -1, 1e-12);
        assert_close(r.y - r.z[1], 0, 1e-9);
        assert_close(r.y - r.z[2], 0, 1e-9);
        assert_true(r.z[0] >= sqrt(r.z[1] * r.z[1] + r.z[2] * r.z[2]));
    }
}

static void second_order_program(void **state) {
    vs_context *context = context_of(state);
    int row[] = {0, 3}, col[] = {0, 1};
    int64_t start[] = {0, 2}, value[] = {0, 6};
    double x[] = {0, 0, -1, 0, 0, -1};
    const vs_rows G = {1, 3, 2, row, start, col, value, x};
    vs_cone_program *p;
    double least;
    vs_program_status status;
    assert_int_equal(vs_cone_program_create(context, &G, &p), VS_OK);
    // The chord x1 + x2 = 1 ends in (0, 1) and (1, 0).
    least_on_a_chord(p, 1, &least, &status);
    assert_int_equal(status, VS_PROGRAM_OPTIMAL);
    assert_close(least, 0, 1e-9);
    // x1 + x2 = -1.2: x1 = (-1.2 - sqrt(2 - 1.44))/2
    least_on_a_chord(p, -1.2, &least, &status);
    assert_int_equal(status, VS_PROGRAM_OPTIMAL);
    assert_close(least, .5 * (-1.2 - sqrt(.56)), 1e-9);
    // It does not meet the disc.
    least_on_a_chord(p, 1.5, &least, &status);
    assert_int_equal(status, VS_PROGRAM_RAY_Z);
    vs_cone_program_destroy(p);
}

// min -x over x >= 0 has no bound: x is a ray.
static void unbounded_program(void **state) {
    vs_context *context = context_of(state);
    int row[] = {0, 1}, col[] = {0};
    int64_t start[] = {0, 1}, value[] = {0, 1};
    double x[] = {-1}, c[] = {-1};
    const vs_rows G = {1, 1, 1, row, start, col, value, x};
    vs_cone_program *p;
    vs_program_result r;
    assert_int_equal(vs_cone_program_create(context, &G, &p), VS_OK);
    assert_int_equal(vs_cone_program_solve(p, &(vs_program_data){.c = c}, 1e-11, &r), VS_OK);
    assert_int_equal(r.status, VS_PROGRAM_RAY_X);
    assert_close(r.x[0], 1, 1e-9);
    vs_cone_program_destroy(p);
}

// Balance: G'z = target by the least relative change, inside the cone; not if that is impossible.
static void balance_keeps_the_cone(void **state) {
    vs_context *context = context_of(state);
    int row[] = {0, 1, 2}, col[] = {0, 0};
    int64_t start[] = {0, 1, 2}, value[] = {0, 1, 2};
    double x[] = {1, 1}, target = 3, z[] = {1e-6, 1};
    const vs_rows G = {2, 2, 1, row, start, col, value, x};
    vs_cone_program *p;
    bool inside;
    assert_int_equal(vs_cone_program_create(context, &G, &p), VS_OK);
    assert_int_equal(vs_cone_program_balance(p, &target, z, &inside), VS_OK);
    assert_true(inside);
    assert_close(z[0] + z[1], 3, 1e-14);
    assert_true(z[0] > 0 && z[0] < 1e-5);
    target = -1;
    assert_int_equal(vs_cone_program_balance(p, &target, z, &inside), VS_OK);
    assert_false(inside);
    vs_cone_program_destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(linear_program, set_up, tear_down),
        cmocka_unit_test_setup_teardown(second_order_program, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unbounded_program, set_up, tear_down),
        cmocka_unit_test_setup_teardown(balance_keeps_the_cone, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
