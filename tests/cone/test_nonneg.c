// The nonnegative orthant of dimension 1 against its definition in long double.
#include "advance.h"
#include "cone/cone.h"
#include "kit/test.h"

#include <float.h>

static const vs_cone *const cone = &vs_cone_nonneg;

// Four roundings at most stand between an input and any result here.
static const double tolerance = 4.0 * DBL_EPSILON;

static void assert_near(double value, long double expected) {
    assert_true(fabsl((long double)value - expected) <= (long double)tolerance * fabsl(expected));
}

static void the_table_gives_every_kind(void **state) {
    (void)state;
    assert_ptr_equal(vs_cone_of(VS_CONE_NONNEG), &vs_cone_nonneg);
    assert_ptr_equal(vs_cone_of(VS_CONE_BOX), &vs_cone_box);
    assert_ptr_equal(vs_cone_of(VS_CONE_SECOND_ORDER), &vs_cone_second_order);
    assert_int_equal(cone->rows, 1);
    assert_int_equal(cone->size, 1);
    assert_int_equal(cone->degree, 1);
}

static void scaling_maps_lambda_to_y_at_any_magnitude(void **state) {
    (void)state;
    const double sizes[] = {1e-200, 1e-30, 3e-12, 0.7, 1.0, 5e8, 1e100};
    const int count = (int)(sizeof sizes / sizeof *sizes);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            vs_cone_pair pair;
            double l = sizes[i], y = sizes[j], out;
            assert_true(cone->set(&pair, &l, &y));
            assert_near(pair.z[0], sqrtl((long double)l * y));
            assert_near(pair.eta, sqrtl((long double)y / l));
            cone->apply(&pair, 1, &l, &out);
            assert_near(out, pair.z[0]);
            cone->apply(&pair, -1, &y, &out);
            assert_near(out, pair.z[0]);
            if (fabs(log10(y / l)) < 150.0) {
                cone->apply(&pair, 2, &l, &out);
                assert_near(out, y);
                cone->apply(&pair, -2, &y, &out);
                assert_near(out, l);
            }
        }
    }
}

static void outside_and_nan_are_refused_and_leave_the_pair(void **state) {
    (void)state;
    vs_cone_pair pair;
    const double good = 4.0, bad[] = {0.0, -1.0, NAN};
    assert_true(cone->set(&pair, &good, &good));
    for (int i = 0; i < 3; i++) {
        assert_false(cone->set(&pair, &bad[i], &good));
        assert_false(cone->set(&pair, &good, &bad[i]));
        double d = bad[i] - good;
        assert_false(advance_by(cone, &pair, 1.0, &d, 0.0, &good));
        assert_false(advance_by(cone, &pair, 0.0, &good, 1.0, &d));
        assert_true(pair.lambda[0] == good && pair.y[0] == good && pair.z[0] == good);
    }
}

static void advance_moves_both_and_rescales(void **state) {
    (void)state;
    vs_cone_pair pair;
    const double l = 2.0, y = 3.0, dl = -1.0, dy = 4.0;
    assert_true(cone->set(&pair, &l, &y));
    assert_true(advance_by(cone, &pair, 0.5, &dl, 0.25, &dy));
    assert_near(pair.lambda[0], 1.5L);
    assert_near(pair.y[0], 4.0L);
    assert_near(pair.gap, 6.0L);
    assert_near(pair.z[0], sqrtl(6.0L));
}

static void division_inverts_the_product(void **state) {
    (void)state;
    vs_cone_pair pair;
    const double l = 1e-9, y = 3e4;
    double x = -0.3, r;
    assert_true(cone->set(&pair, &l, &y));
    cone->product(pair.z, &x, &r);
    cone->divide(&pair, &r, &r);
    assert_near(r, x);
}

static void step_lands_on_zero_or_at_the_cap(void **state) {
    (void)state;
    vs_cone_pair pair;
    const double l = 2.0, y = 8.0;
    double d = -16.0;
    assert_true(cone->set(&pair, &l, &y));
    assert_near(cone->step(&pair, &d, 1.0), 0.25L);
    assert_near(cone->step(&pair, &d, 0.125), 0.125L);
    d = 3.0;
    assert_near(cone->step(&pair, &d, 1.0), 1.0L);
    d = 0.0;
    assert_true(isinf(cone->step(&pair, &d, INFINITY)));
}

static void margin_and_projection_are_those_of_the_half_line(void **state) {
    (void)state;
    double x = -2.0, p;
    assert_true(cone->margin(&x) == -2.0);
    cone->project(&x, &p);
    assert_true(p == 0.0);
    x = 2.0;
    cone->project(&x, &x);
    assert_true(x == 2.0 && cone->margin(&x) == 2.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_gives_every_kind),
        cmocka_unit_test(scaling_maps_lambda_to_y_at_any_magnitude),
        cmocka_unit_test(outside_and_nan_are_refused_and_leave_the_pair),
        cmocka_unit_test(advance_moves_both_and_rescales),
        cmocka_unit_test(division_inverts_the_product),
        cmocka_unit_test(step_lands_on_zero_or_at_the_cap),
        cmocka_unit_test(margin_and_projection_are_those_of_the_half_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
