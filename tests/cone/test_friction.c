// Projections on the friction cone and its dual: characterised by Moreau (x = p - q, p in K, q in K*, p'q = 0, which
// determines p and q), and compared with a search over the cone that knows no formula.
#include "cone/cone.h"
#include "kit/random.h"
#include "kit/test.h"

#include <float.h>

// Five to eight roundings in a projection; all statements are relative to |x|.
static const double tolerance = 8.0 * DBL_EPSILON;

static const double mus[] = {0.0, 1e-150, 1e-8, 0.1, 0.5, 1.0, 3.0, 1e8, 1e150};
static const int mu_count = (int)(sizeof mus / sizeof *mus);

static uint64_t seed = 77;

static double draw(void) {
    return random_in(&seed, -1, 1);
}

static void draw_point(double mu, int trial, double *x) {
    // Half of the points in proportions where all three regions of the cone at hand are met.
    double scale = trial % 2 && mu > 0.0 ? (trial % 4 == 1 ? mu : 1.0 / mu) : 1.0;
    x[0] = draw();
    x[1] = scale * draw();
    x[2] = scale * draw();
}

static double norm(const double *x) {
    return hypot(hypot(x[0], x[1]), x[2]);
}

// How far x is outside { s |x_T| <= c x_n }, c and s the sine and cosine of the opening: a distance.
static double excess(double c, double s, const double *x) {
    return fmax(0.0, s * hypot(x[1], x[2]) - c * x[0]);
}

static void projections_satisfy_moreau_for_every_mu(void **state) {
    (void)state;
    for (int m = 0; m < mu_count; m++) {
        double h = hypot(1.0, mus[m]), c = 1.0 / h, s = mus[m] / h;
        for (int trial = 0; trial < 4000; trial++) {
            double x[3], minus[3], p[3], q[3];
            draw_point(mus[m], trial, x);
            for (int i = 0; i < 3; i++) {
                minus[i] = -x[i];
            }
            vs_friction_project(mus[m], x, p);
            vs_friction_project_dual(mus[m], minus, q);
            double bound = tolerance * norm(x);
            for (int i = 0; i < 3; i++) {
                assert_true(fabs(x[i] - (p[i] - q[i])) <= bound);
            }
            assert_true(excess(s, c, p) <= bound);
            assert_true(excess(c, s, q) <= bound);
            // Divided by |x| first: 1e150 squared would still be finite, but not by much.
            double r = norm(x), pq = p[0] / r * (q[0] / r) + p[1] / r * (q[1] / r) + p[2] / r * (q[2] / r);
            assert_true(fabs(pq) <= tolerance);
        }
    }
}

// Least distance of x to the cone { |T| <= mu n } (or its dual) by a golden section over the boundary ray and the axis.
static double search(double c, double s, const double *x) {
    double r = hypot(x[1], x[2]), lo = 0.0, hi = 2.0 * (fabs(x[0]) + r) + 1.0;
    const double golden = 0.61803398874989485;
    if (s * x[0] >= c * r) {
        return 0.0;
    }
    while (hi - lo > 1e-12) {
        double k1 = hi - golden * (hi - lo), k2 = lo + golden * (hi - lo);
        if (hypot(x[0] - c * k1, r - s * k1) < hypot(x[0] - c * k2, r - s * k2)) {
            hi = k2;
        } else {
            lo = k1;
        }
    }
    return hypot(x[0] - c * lo, r - s * lo);
}

static void no_point_of_the_cone_is_closer(void **state) {
    (void)state;
    for (int m = 0; m < mu_count; m++) {
        double h = hypot(1.0, mus[m]), c = 1.0 / h, s = mus[m] / h;
        for (int trial = 0; trial < 200; trial++) {
            double x[3] = {draw(), draw(), draw()}, p[3], q[3];
            vs_friction_project(mus[m], x, p);
            vs_friction_project_dual(mus[m], x, q);
            double dp[3] = {x[0] - p[0], x[1] - p[1], x[2] - p[2]}, dq[3] = {x[0] - q[0], x[1] - q[1], x[2] - q[2]};
            // The search stops at 1e-12 along the ray; at distances near zero the distance errs by as much.
            assert_true(fabs(norm(dp) - search(c, s, x)) <= 2e-12);
            assert_true(fabs(norm(dq) - search(s, c, x)) <= 2e-12);
        }
    }
}

static void points_of_the_cone_and_its_boundary_come_back_unchanged(void **state) {
    (void)state;
    // Pythagorean triples: |T| and mu n are exact, so these points are on the boundary exactly.
    const double on[3] = {10.0, 3.0, 4.0}, on_dual[3] = {2.5, 3.0, 4.0}, inside[3] = {10.0, 1.0, 2.0};
    double p[3];
    vs_friction_project(0.5, on, p);
    assert_memory_equal(p, on, sizeof p);
    vs_friction_project_dual(0.5, on_dual, p);
    assert_memory_equal(p, on_dual, sizeof p);
    vs_friction_project(0.5, inside, p);
    assert_memory_equal(p, inside, sizeof p);
    vs_friction_project_dual(0.5, inside, p);
    assert_memory_equal(p, inside, sizeof p);

    // And exactly on the boundary of the polar: zero.
    const double polar[3] = {-2.5, 3.0, 4.0}, polar_dual[3] = {-10.0, 3.0, 4.0}, zero[3] = {0.0, 0.0, 0.0};
    vs_friction_project(0.5, polar, p);
    assert_memory_equal(p, zero, sizeof p);
    vs_friction_project_dual(0.5, polar_dual, p);
    assert_memory_equal(p, zero, sizeof p);
    vs_friction_project(0.5, zero, p);
    assert_memory_equal(p, zero, sizeof p);
}

static void projecting_twice_changes_rounding_only(void **state) {
    (void)state;
    for (int m = 0; m < mu_count; m++) {
        for (int trial = 0; trial < 1000; trial++) {
            double x[3], p[3];
            draw_point(mus[m], trial, x);
            vs_friction_project(mus[m], x, x);
            vs_friction_project(mus[m], x, p);
            for (int i = 0; i < 3; i++) {
                // Componentwise: at mu = 1e8 the small normal impulse keeps its digits beside the large tangential one.
                assert_true(fabs(p[i] - x[i]) <= tolerance * fabs(x[i]));
            }
        }
    }
}

static void without_friction_the_cones_are_the_half_line_and_the_half_space(void **state) {
    (void)state;
    double x[3] = {2.0, 0.3, -0.7}, p[3];
    vs_friction_project(0.0, x, p);
    assert_true(p[0] == 2.0 && p[1] == 0.0 && p[2] == 0.0);
    vs_friction_project_dual(0.0, x, p);
    assert_memory_equal(p, x, sizeof p);
    x[0] = -2.0;
    vs_friction_project(0.0, x, p);
    assert_true(p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0);
    vs_friction_project_dual(0.0, x, p);
    assert_true(p[0] == 0.0 && p[1] == x[1] && p[2] == x[2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projections_satisfy_moreau_for_every_mu),
        cmocka_unit_test(no_point_of_the_cone_is_closer),
        cmocka_unit_test(points_of_the_cone_and_its_boundary_come_back_unchanged),
        cmocka_unit_test(projecting_twice_changes_rounding_only),
        cmocka_unit_test(without_friction_the_cones_are_the_half_line_and_the_half_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
