// The box is two nonnegative variables: every operation is compared with vs_cone_nonneg on each, bit by bit.
#include "advance.h"
#include "cone/cone.h"
#include "kit/random.h"
#include "kit/test.h"

static const vs_cone *const box = &vs_cone_box, *const line = &vs_cone_nonneg;

static uint64_t seed = 20240607;

// Positive, log-uniform in 1e-12 .. 1e3: both bounds far, close and very close.
static double draw(void) {
    return pow(10.0, random_in(&seed, -12, 3));
}

static void sizes_are_those_of_two_half_lines_on_one_row(void **state) {
    (void)state;
    assert_int_equal(box->rows, 1);
    assert_int_equal(box->size, 2);
    assert_int_equal(box->degree, 2);
}

static void every_operation_equals_two_half_lines(void **state) {
    (void)state;
    const int powers[] = {-2, -1, 1, 2};
    for (int trial = 0; trial < 1000; trial++) {
        double l[2] = {draw(), draw()}, y[2] = {draw(), draw()}, x[2] = {draw(), -draw()}, out[2], expected;
        vs_cone_pair pair, half[2];
        assert_true(box->set(&pair, l, y));
        assert_true(line->set(&half[0], &l[0], &y[0]) && line->set(&half[1], &l[1], &y[1]));
        assert_true(pair.eta == half[0].eta && pair.theta == half[1].eta && pair.gap == half[0].gap + half[1].gap);
        for (int i = 0; i < 2; i++) {
            assert_true(pair.z[i] == half[i].z[0]);
            for (int k = 0; k < 4; k++) {
                box->apply(&pair, powers[k], x, out);
                line->apply(&half[i], powers[k], &x[i], &expected);
                assert_true(out[i] == expected);
            }
            box->product(x, y, out);
            assert_true(out[i] == x[i] * y[i]);
            box->divide(&pair, x, out);
            line->divide(&half[i], &x[i], &expected);
            assert_true(out[i] == expected);
            box->project(x, out);
            assert_true(out[i] == (x[i] > 0.0 ? x[i] : 0.0));
        }
        assert_true(box->margin(x) == x[1]);
    }
}

static void step_is_the_shorter_of_the_two(void **state) {
    (void)state;
    for (int trial = 0; trial < 1000; trial++) {
        double l[2] = {draw(), draw()}, y[2] = {draw(), draw()}, d[2] = {-draw(), trial % 2 ? draw() : -draw()};
        vs_cone_pair pair, half[2];
        assert_true(box->set(&pair, l, y));
        assert_true(line->set(&half[0], &l[0], &y[0]) && line->set(&half[1], &l[1], &y[1]));
        double shorter = fmin(line->step(&half[0], &d[0], 1.0), line->step(&half[1], &d[1], 1.0));
        assert_true(box->step(&pair, d, 1.0) == shorter);
    }
}

static void advance_is_refused_when_one_bound_is_crossed(void **state) {
    (void)state;
    const double l[2] = {1.0, 2.0}, y[2] = {3.0, 4.0}, zero[2] = {0.0, 0.0};
    // A little beyond: the bound itself is a matter of rounding.
    const double down[2] = {-1.0 - 1e-12, 1.0}, up[2] = {2.0, -2.0 - 1e-12}, in[2] = {0.5, -0.5};
    vs_cone_pair pair;
    assert_true(box->set(&pair, l, y));
    assert_false(advance_by(box, &pair, 1.0, down, 0.0, zero));
    assert_false(advance_by(box, &pair, 1.0, up, 0.0, zero));
    assert_true(pair.lambda[0] == 1.0 && pair.lambda[1] == 2.0 && pair.y[1] == 4.0);
    assert_true(advance_by(box, &pair, 1.0, in, 0.0, zero));
    // three roundings: through the scaled space and back
    assert_true(fabs(pair.lambda[0] - 1.5) < 1e-15 && fabs(pair.lambda[1] - 1.5) < 1e-15 &&
                fabs(pair.gap - 10.5) < 1e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_those_of_two_half_lines_on_one_row),
        cmocka_unit_test(every_operation_equals_two_half_lines),
        cmocka_unit_test(step_is_the_shorter_of_the_two),
        cmocka_unit_test(advance_is_refused_when_one_bound_is_crossed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
