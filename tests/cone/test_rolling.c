// The cone of rolling and spinning friction: Moreau's conditions, which determine both projections; the friction cone as
// the case of one disc; derivatives by differences.
#include "cone/cone.h"
#include "kit/random.h"
#include "kit/test.h"

#include <float.h>
#include <string.h>

static uint64_t seed = 91;

static double draw(void) {
    return random_in(&seed, -1, 1);
}

// Discs of 4, 5 or 6 rows with coefficients over four decades, some of them zero; some are one disc.
static vs_discs draw_discs(int trial) {
    vs_discs d = trial % 7 == 3 ? vs_discs_make_elliptic(4 + trial % 3) : vs_discs_make(4 + trial % 3);
    for (int k = 0; k < VS_DISC_COUNT; k++) {
        int first;
        if (vs_discs_range(&d, k, &first) > 0 && random_in(&seed, 0, 1) > .1)
            d.mu[k] = pow(10, random_in(&seed, -3, 1));
    }
    return d;
}

static void draw_point(const vs_discs *d, int trial, double *x) {
    for (int i = 0; i < d->rows; i++)
        x[i] = draw();
    // Parts of a disc in proportion to its radius: all combinations of active discs are met.
    for (int k = 0; k < VS_DISC_COUNT && trial % 2; k++) {
        int first, size = vs_discs_range(d, k, &first);
        for (int i = first; i < first + size && d->mu[k] > 0; i++)
            x[i] *= trial % 4 == 1 ? d->mu[k] : 1 / d->mu[k];
    }
}

static double dot(int rows, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < rows; i++)
        sum += a[i] * b[i];
    return sum;
}

static double part(const vs_discs *d, int k, const double *x) {
    int first, size = vs_discs_range(d, k, &first);
    return sqrt(dot(size, x + first, x + first));
}

static void projections_satisfy_moreau_at_20000_points(void **state) {
    (void)state;
    int met[1 << VS_DISC_COUNT] = {0};
    for (int trial = 0; trial < 20000; trial++) {
        vs_discs d = draw_discs(trial);
        double x[VS_DISCS_ROWS], minus[VS_DISCS_ROWS], p[VS_DISCS_ROWS], q[VS_DISCS_ROWS];
        draw_point(&d, trial, x);
        for (int i = 0; i < d.rows; i++)
            minus[i] = -x[i];
        vs_discs_project(&d, x, p);
        vs_discs_project_dual(&d, minus, q);
        // A dozen roundings, times mu of up to 10 where the slip is summed.
        double size = sqrt(dot(d.rows, x, x)), bound = 200 * DBL_EPSILON * size;
        int active = 0;
        for (int i = 0; i < d.rows; i++)
            assert_true(fabs(x[i] - (p[i] - q[i])) <= bound);
        assert_true(p[0] >= 0);
        for (int k = 0; k < VS_DISC_COUNT; k++) {
            assert_true(part(&d, k, p) <= d.mu[k] * p[0] + bound);
            active |= (part(&d, k, x) > d.mu[k] * p[0]) << k;
        }
        assert_true(q[0] >= vs_discs_slip(&d, q) - bound);
        assert_true(fabs(dot(d.rows, p, q)) <= bound * size);
        met[active]++;
    }
    for (int k = 0; k < 1 << VS_DISC_COUNT; k++)
        assert_true(met[k] > 50);
}

static void one_disc_is_the_friction_cone(void **state) {
    (void)state;
    for (int trial = 0; trial < 4000; trial++) {
        vs_discs d = vs_discs_make(5);
        d.mu[VS_DISC_SLIDING] = pow(10, random_in(&seed, -2, 1));
        double x[5] = {draw(), draw(), draw()}, p[5], expected[3];
        vs_discs_project(&d, x, p);
        vs_friction_project(d.mu[0], x, expected);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(p[i] - expected[i]) <= 20 * DBL_EPSILON);
        assert_true(p[3] == 0 && p[4] == 0);
    }
}

static void the_natural_map_is_the_difference(void **state) {
    (void)state;
    for (int trial = 0; trial < 4000; trial++) {
        vs_discs d = draw_discs(trial);
        double l[VS_DISCS_ROWS], y[VS_DISCS_ROWS], x[VS_DISCS_ROWS], p[VS_DISCS_ROWS], F[VS_DISCS_ROWS];
        draw_point(&d, trial, l);
        draw_point(&d, trial / 2, y);
        double s = pow(10, random_in(&seed, -1, 1)), size = 0;
        for (int i = 0; i < d.rows; i++) {
            x[i] = l[i] - s * y[i];
            size += fabs(l[i]) + s * fabs(y[i]);
        }
        vs_discs_project(&d, x, p);
        vs_discs_natural(&d, l, y, s, F);
        for (int i = 0; i < d.rows; i++)
            assert_true(fabs(F[i] - (l[i] - p[i])) <= 300 * DBL_EPSILON * size);
    }
}

// Impulses of 1e10 beside velocities of 1e-10: their difference alone would be zero.
static void the_natural_map_keeps_small_velocities(void **state) {
    (void)state;
    vs_discs d = vs_discs_make(6);
    d.mu[VS_DISC_SLIDING] = .5, d.mu[VS_DISC_ROLLING] = .1, d.mu[VS_DISC_SPINNING] = .2;
    const double l[6] = {1e10, 1, 2, 3, 4, 5}, y[6] = {1e-10, 2e-10, 0, 3e-10, 0, -1e-10};
    double F[6];
    vs_discs_natural(&d, l, y, 1, F);
    assert_memory_equal(F, y, sizeof F);
}

static void derivatives_are_those_of_differences(void **state) {
    (void)state;
    for (int trial = 0; trial < 2000; trial++) {
        vs_discs d = draw_discs(trial);
        double x[VS_DISCS_ROWS], dP[VS_DISCS_ROWS * VS_DISCS_ROWS], one[VS_DISCS_ROWS * VS_DISCS_ROWS] = {0}, h = 1e-6;
        for (int i = 0; i < d.rows; i++)
            one[i * (d.rows + 1)] = 1;
        for (int i = 0; i < d.rows; i++)
            x[i] = draw();
        vs_discs_differentiate(&d, x, one, dP);
        for (int j = 0; j < d.rows; j++) {
            double a[VS_DISCS_ROWS], b[VS_DISCS_ROWS], pa[VS_DISCS_ROWS], pb[VS_DISCS_ROWS], da[36], db[36];
            memcpy(a, x, sizeof a);
            memcpy(b, x, sizeof b);
            a[j] -= h;
            b[j] += h;
            vs_discs_project(&d, a, pa);
            vs_discs_project(&d, b, pb);
            vs_discs_differentiate(&d, a, one, da);
            vs_discs_differentiate(&d, b, one, db);
            for (int i = 0; i < d.rows; i++) {
                int at = i * d.rows + j;
                // A kink between the two points: the difference lies between the two derivatives there.
                if (fabs(da[at] - db[at]) > 1e-3)
                    continue;
                assert_true(fabs((pb[i] - pa[i]) / (2 * h) - dP[at]) <= 1e-3);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projections_satisfy_moreau_at_20000_points),
        cmocka_unit_test(one_disc_is_the_friction_cone),
        cmocka_unit_test(the_natural_map_is_the_difference),
        cmocka_unit_test(the_natural_map_keeps_small_velocities),
        cmocka_unit_test(derivatives_are_those_of_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
