// The friction law as an equation: its derivative against central differences in every regime, its zeros at solutions
// written down by hand, and the natural map against the measures' own.
#include "solver/exact.h"
#include "measure/residual.h"
#include "solver/coulomb/friction_map.h"

enum { GROUPS_MOST = 4, ROWS_MOST = 12 };

// Groups of given laws; nothing else of an island is read.
typedef struct bench {
    vs_impulse_problem island;
    vs_law law[GROUPS_MOST];
    double mu[GROUPS_MOST], lo[GROUPS_MOST], hi[GROUPS_MOST];
    vs_discs discs[GROUPS_MOST];
    int row[GROUPS_MOST + 1];
} bench;

static void add_law(bench *b, vs_law law, double mu, double lo, double hi) {
    int g = b->island.groups++;
    b->law[g] = law, b->mu[g] = mu, b->lo[g] = lo, b->hi[g] = hi;
    b->row[g + 1] = b->row[g] + (law == VS_LAW_FRICTION ? 3 : 1);
    b->island.rows = b->row[g + 1];
    b->island.law = b->law, b->island.mu = b->mu, b->island.lo = b->lo, b->island.hi = b->hi;
    b->island.row = b->row, b->island.discs = b->discs;
    b->island.ld = 3;
}

static void make_rolling(bench *b, vs_discs discs) {
    memset(b, 0, sizeof *b);
    add_law(b, VS_LAW_ROLLING, 0, 0, 0);
    b->discs[0] = discs;
    b->row[1] = b->island.rows = discs.rows;
    b->island.ld = VS_DISCS_ROWS;
}

static void make_friction(bench *b, double mu) {
    memset(b, 0, sizeof *b);
    add_law(b, VS_LAW_FRICTION, mu, 0, 0);
}

// ---- regimes -----------------------------------------------------------------------------------------------

typedef enum regime { LIFT, STICK, SLIDE, KINK } regime;

// Of a friction contact; KINK within `margin` of where the map is not differentiable.
static regime regime_of(vs_friction_map map, double mu, const double *l, const double *y, double margin) {
    double slip = hypot(y[1], y[2]), t = hypot(l[1] - y[1], l[2] - y[2]);
    if (map == VS_FRICTION_MAP_NATURAL) {
        double z = l[0] - y[0] - mu * slip;
        if (slip < margin || fabs(mu * t + z) < margin || fabs(t - mu * z) < margin)
            return KINK;
        return mu * t < -z ? LIFT : t < mu * z ? STICK : SLIDE;
    }
    double z = l[0] - y[0];
    if (fabs(z) < margin || fabs(t - mu * fmax(z, 0)) < margin)
        return KINK;
    return z < 0 ? LIFT : t < mu * z ? STICK : SLIDE;
}

// Largest difference between (A, B) and central differences of F.
static double compare_derivative(const bench *b, vs_friction_map map, const double *l, const double *y) {
    const double h = 1e-6;
    const vs_impulse_problem *island = &b->island;
    double F[ROWS_MOST], A[36 * GROUPS_MOST], B[36 * GROUPS_MOST], worst = 0;
    vs_friction_map_evaluate(island, map, l, y, F, A, B);
    for (int k = 0; k < 2 * island->rows; k++) {
        double point[2][ROWS_MOST], high[ROWS_MOST], low[ROWS_MOST], *at = &point[k / island->rows][k % island->rows];
        memcpy(point[0], l, sizeof *l * (size_t)island->rows);
        memcpy(point[1], y, sizeof *y * (size_t)island->rows);
        double middle = *at;
        *at = middle + h;
        vs_friction_map_evaluate(island, map, point[0], point[1], high, NULL, NULL);
        *at = middle - h;
        vs_friction_map_evaluate(island, map, point[0], point[1], low, NULL, NULL);
        int col = k % island->rows;
        for (int g = 0; g < island->groups; g++)
            for (int i = b->row[g]; i < b->row[g + 1]; i++) {
                bool own = col >= b->row[g] && col < b->row[g + 1];
                const double *block = (k < island->rows ? A : B) + vs_impulse_block(island, g);
                double derivative = own ? block[island->ld * (i - b->row[g]) + col - b->row[g]] : 0;
                worst = fmax(worst, fabs((high[i] - low[i]) / (2 * h) - derivative));
            }
    }
    return worst;
}

static void derivative_of_friction_in_every_regime(void **state) {
    (void)state;
    uint64_t seed = 1;
    bench b;
    for (int map = VS_FRICTION_MAP_NATURAL; map <= VS_FRICTION_MAP_ALART_CURNIER; map++) {
        int met[4] = {0};
        for (int k = 0; k < 3000; k++) {
            double mu = pow(10, random_in(&seed, -1, .3)), l[3], y[3];
            make_friction(&b, mu);
            for (int j = 0; j < 3; j++)
                l[j] = random_in(&seed, -1, j == 0 ? 4 : 1), y[j] = random_in(&seed, -1, 1);
            // third derivatives are at most mu / .05^2 there: times h^2 that is 1e-9; rounding: eps / h = 1e-10
            regime r = regime_of((vs_friction_map)map, mu, l, y, .05);
            met[r]++;
            if (r != KINK && !(compare_derivative(&b, (vs_friction_map)map, l, y) <= 1e-8))
                fail_msg("map %d, mu %g, regime %d: derivative off by %.2g", map, mu, r,
                         compare_derivative(&b, (vs_friction_map)map, l, y));
        }
        for (int r = LIFT; r <= SLIDE; r++)
            assert_true(met[r] >= 100);
    }
}

// Rolling and spinning friction. Points where two-sided differences do not agree to 1e-3 are at kinks: a few.
static void derivative_of_rolling_contacts(void **state) {
    (void)state;
    uint64_t seed = 4;
    bench b;
    for (int map = VS_FRICTION_MAP_NATURAL; map <= VS_FRICTION_MAP_ALART_CURNIER; map++) {
        int off = 0;
        for (int k = 0; k < 3000; k++) {
            vs_discs d = k % 5 == 4 ? vs_discs_make_elliptic(4 + k % 3) : vs_discs_make(4 + k % 3);
            double l[6], y[6];
            for (int j = 0; j < VS_DISC_COUNT; j++) {
                int first;
                d.mu[j] = vs_discs_range(&d, j, &first) > 0 ? pow(10, random_in(&seed, -1, .3)) : 0;
            }
            for (int j = 0; j < 6; j++)
                l[j] = random_in(&seed, -1, j == 0 ? 4 : 1), y[j] = random_in(&seed, -1, 1);
            make_rolling(&b, d);
            off += !(compare_derivative(&b, (vs_friction_map)map, l, y) <= 1e-5);
        }
        assert_true(off <= 10);
    }
}

static void derivative_of_rows_in_every_regime(void **state) {
    (void)state;
    bench b = {0};
    add_law(&b, VS_LAW_FREE, 0, 0, 0);
    add_law(&b, VS_LAW_NONNEG, 0, 0, 0);
    add_law(&b, VS_LAW_BOX, 0, -.5, .25);
    uint64_t seed = 2;
    int met[5] = {0};
    for (int k = 0; k < 300; k++) {
        double l[3], y[3];
        for (int j = 0; j < 3; j++)
            l[j] = random_in(&seed, -1, 1), y[j] = random_in(&seed, -1, 1);
        double z = l[1] - y[1], w = l[2] - y[2];
        if (fabs(z) < .01 || fabs(w + .5) < .01 || fabs(w - .25) < .01)
            continue;
        met[z > 0]++, met[w < -.5 ? 2 : w > .25 ? 4 : 3]++;
        // linear on either side
        assert_true(compare_derivative(&b, VS_FRICTION_MAP_NATURAL, l, y) <= 1e-9);
        assert_true(compare_derivative(&b, VS_FRICTION_MAP_ALART_CURNIER, l, y) <= 1e-9);
    }
    for (int r = 0; r < 5; r++)
        assert_true(met[r] >= 30);
}

// Blocks of one group do not reach into another's, in any order of laws.
static void derivative_of_groups_side_by_side(void **state) {
    (void)state;
    bench b = {0};
    add_law(&b, VS_LAW_FREE, 0, 0, 0);
    add_law(&b, VS_LAW_FRICTION, .4, 0, 0);
    add_law(&b, VS_LAW_BOX, 0, -1, 1);
    add_law(&b, VS_LAW_FRICTION, 1.2, 0, 0);
    const double l[8] = {-2, 1, .1, .2, .3, 1, -1, .9}, y[8] = {.3, .2, .1, -.4, .1, -.3, 1, .2};
    for (int map = VS_FRICTION_MAP_NATURAL; map <= VS_FRICTION_MAP_ALART_CURNIER; map++)
        assert_true(compare_derivative(&b, (vs_friction_map)map, l, y) <= 1e-8);
}

// Apex, edge of the cone, no slip, zero everywhere: numbers, not NaN.
static void derivative_at_kinks_is_finite(void **state) {
    (void)state;
    const double points[][6] = {{0},
                                {1, 0, 0, 0, 0, 0},
                                {1, .5, 0, 0, 0, 0},
                                {0, 0, 0, 1, 0, 0},
                                {0, 0, 0, 0, 1, 0},
                                {1, -.5, 0, 0, 1, 0},
                                {0, 1, 1, 0, 0, 0},
                                {1e-300, 1e-300, 0, 0, 1e-300, 0}};
    bench b;
    make_friction(&b, .5);
    for (size_t k = 0; k < sizeof points / sizeof *points; k++)
        for (int map = VS_FRICTION_MAP_NATURAL; map <= VS_FRICTION_MAP_ALART_CURNIER; map++) {
            double F[3], A[9], B[9];
            double square =
                vs_friction_map_evaluate(&b.island, (vs_friction_map)map, points[k], points[k] + 3, F, A, B);
            assert_true(isfinite(square));
            for (int j = 0; j < 9; j++)
                assert_true(isfinite(A[j]) && isfinite(B[j]) && fabs(A[j]) <= 2 && fabs(B[j]) <= 2);
        }
}

// ---- zeros -------------------------------------------------------------------------------------------------

static double size_of(const bench *b, vs_friction_map map, const double *l, const double *y) {
    double F[ROWS_MOST];
    return sqrt(vs_friction_map_evaluate(&b->island, map, l, y, F, NULL, NULL));
}

// Lift-off, sticking strictly inside the cone and resting without load to the last bit; sliding to roundoff.
static void law_vanishes_at_solutions(void **state) {
    (void)state;
    uint64_t seed = 3;
    bench b;
    for (int k = 0; k < 500; k++) {
        double mu = pow(10, random_in(&seed, -2, 1)), n = random_in(&seed, .1, 2), angle = random_in(&seed, 0, 6.3);
        double c = cos(angle), s = sin(angle), share = random_in(&seed, 0, .99), v = random_in(&seed, .1, 2);
        make_friction(&b, mu);
        const double none[3] = {0}, apart[3] = {v, random_in(&seed, -2, 2), random_in(&seed, -2, 2)};
        const double stuck[3] = {n, share * mu * n * c, share * mu * n * s}, edge[3] = {n, mu * n * c, mu * n * s},
                     slip[3] = {0, -v * c, -v * s};
        for (int map = VS_FRICTION_MAP_NATURAL; map <= VS_FRICTION_MAP_ALART_CURNIER; map++) {
            assert_true(size_of(&b, (vs_friction_map)map, none, apart) == 0);
            assert_true(size_of(&b, (vs_friction_map)map, stuck, none) == 0);
            assert_true(size_of(&b, (vs_friction_map)map, none, none) == 0);
            assert_true(size_of(&b, (vs_friction_map)map, none, slip) <= 1e-15 * v); // slides without load
            assert_true(size_of(&b, (vs_friction_map)map, edge, slip) <= 1e-15 * (1 + mu) * (n + (1 + mu) * v));
        }
    }
}

// Moved off the solution set by d, each in a way that breaks one condition, F is of the size of d.
static void law_does_not_vanish_elsewhere(void **state) {
    (void)state;
    const double mu = .5, d = 1e-3;
    const struct {
        const char *broken;
        double l[3], y[3];
    } points[] = {
        {"penetration", {0, 0, 0}, {-d, 0, 0}},
        {"open under load", {1, .1, 0}, {d, 0, 0}},
        {"loaded and penetrating", {1, .1, 0}, {-d, 0, 0}},
        {"adhesion", {-d, 0, 0}, {1, 0, 0}},
        {"outside the cone", {1, .5 + d, 0}, {0, 0, 0}},
        {"slips inside the cone", {1, .2, 0}, {0, -d, 0}},
        {"friction along the slip", {1, .5, 0}, {0, d, 0}},
        {"friction across the slip", {1, .5, 0}, {0, 0, d}},
        {"slides and lifts", {1, .5, 0}, {mu * d, -d, 0}}, // the relaxed law's solution
        {"friction without load", {0, d, 0}, {0, 0, 0}},
    };
    bench b;
    make_friction(&b, mu);
    for (size_t k = 0; k < sizeof points / sizeof *points; k++)
        for (int map = VS_FRICTION_MAP_NATURAL; map <= VS_FRICTION_MAP_ALART_CURNIER; map++)
            if (!(size_of(&b, (vs_friction_map)map, points[k].l, points[k].y) >= .3 * d))
                fail_msg("%s, map %d: %g", points[k].broken, map,
                         size_of(&b, (vs_friction_map)map, points[k].l, points[k].y) / d);
}

static void rows_vanish_at_their_solutions_only(void **state) {
    (void)state;
    const struct {
        vs_law law;
        double l, y, F;
    } points[] = {{VS_LAW_FREE, 7, 0, 0},        {VS_LAW_FREE, -7, .5, .5},  {VS_LAW_NONNEG, 0, 3, 0},
                  {VS_LAW_NONNEG, 3, 0, 0},      {VS_LAW_NONNEG, 3, .5, .5}, {VS_LAW_NONNEG, .25, 1, .25},
                  {VS_LAW_NONNEG, 0, -1, -1},    {VS_LAW_NONNEG, -1, 0, -1}, {VS_LAW_BOX, -.5, 2, 0},
                  {VS_LAW_BOX, .25, -2, 0},      {VS_LAW_BOX, 0, 0, 0},      {VS_LAW_BOX, -.5, -.125, -.125},
                  {VS_LAW_BOX, .25, .125, .125}, {VS_LAW_BOX, 1.25, -2, 1}};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        bench b = {0};
        add_law(&b, points[k].law, 0, -.5, .25);
        for (int map = VS_FRICTION_MAP_NATURAL; map <= VS_FRICTION_MAP_ALART_CURNIER; map++) {
            double F;
            double square =
                vs_friction_map_evaluate(&b.island, (vs_friction_map)map, &points[k].l, &points[k].y, &F, NULL, NULL);
            assert_true(F == points[k].F && square == F * F);
        }
    }
}

// ---- two ways ----------------------------------------------------------------------------------------------

// What the measures call the natural map, the sum of squares that is returned, and F with and without its derivative.
static void natural_map_is_that_of_the_measures(void **state) {
    (void)state;
    uint64_t seed = 4;
    bench b;
    for (int k = 0; k < 500; k++) {
        double mu = pow(10, random_in(&seed, -1, 1)), l[3], y[3], F[3], again[3], A[9], B[9];
        make_friction(&b, mu);
        for (int j = 0; j < 3; j++)
            l[j] = random_in(&seed, -1, 1), y[j] = random_in(&seed, -1, 1);
        double square = vs_friction_map_evaluate(&b.island, VS_FRICTION_MAP_NATURAL, l, y, F, NULL, NULL);
        assert_true(square == vs_friction_map_evaluate(&b.island, VS_FRICTION_MAP_NATURAL, l, y, again, A, B));
        assert_memory_equal(F, again, sizeof F);
        assert_true(square == F[0] * F[0] + F[1] * F[1] + F[2] * F[2]);
        double ybar[3] = {y[0] + mu * hypot(y[1], y[2]), y[1], y[2]};
        double measured = vs_friction_natural_squared(mu, l, ybar, 1);
        assert_near("|F|^2", square, measured, 1e-13 * (1 + mu * mu)); // a few roundings of numbers up to 1 + mu
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivative_of_friction_in_every_regime), cmocka_unit_test(derivative_of_rolling_contacts),
        cmocka_unit_test(derivative_of_rows_in_every_regime),     cmocka_unit_test(derivative_of_groups_side_by_side),
        cmocka_unit_test(derivative_at_kinks_is_finite),          cmocka_unit_test(law_vanishes_at_solutions),
        cmocka_unit_test(law_does_not_vanish_elsewhere),          cmocka_unit_test(rows_vanish_at_their_solutions_only),
        cmocka_unit_test(natural_map_is_that_of_the_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
