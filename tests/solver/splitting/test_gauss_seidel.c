// Sweeps with Anderson acceleration and with momentum on small islands made from a dense N and a known solution (l, y):
// r = y - N l. Checked by that solution and by vs_impulse_error(), which has tests of its own.
#include "kit/compare.h"
#include "solver/random.h"
#include "solver/impulse/operator.h"
#include "solver/impulse/evaluation.h"
#include "solver/splitting/accelerated_sweeps.h"

enum { MOST = 64 }; // rows

// An island whose groups all see each other, and room for its arrays.
typedef struct dense_island {
    vs_impulse_problem island;
    vs_law law[MOST];
    double mu[MOST], lo[MOST], hi[MOST], r[MOST], unit[MOST];
    int row[MOST + 1], group_of[MOST], source[MOST];
    int col[MOST * MOST];
    int64_t start[MOST + 1], value[MOST + 1], diagonal[MOST];
    double N[MOST * MOST], A[9 * MOST];
} dense_island;

static void begin_island(dense_island *d, vs_context *context) {
    memset(d, 0, sizeof *d);
    d->island.context = context;
}

static void add_group(dense_island *d, vs_law law, double mu) {
    int g = d->island.groups++;
    d->law[g] = law;
    d->mu[g] = mu;
    d->lo[g] = -INFINITY;
    d->hi[g] = INFINITY;
    d->unit[g] = 1.0;
    d->row[g + 1] = d->row[g] + (law == VS_LAW_FRICTION ? 3 : 1);
    for (int k = d->row[g]; k < d->row[g + 1]; k++) {
        d->group_of[k] = g;
        d->source[k] = k;
    }
    d->island.rows = d->row[g + 1];
    *(law == VS_LAW_FREE ? &d->island.joints : &d->island.contacts) += 1;
}

static void multiply(const dense_island *d, const double *l, double *y) {
    int rows = d->island.rows;
    for (int i = 0; i < rows; i++) {
        y[i] = 0.0;
        for (int j = 0; j < rows; j++)
            y[i] += d->N[i * rows + j] * l[j];
    }
}

// With d->N filled: r so that (l, y) solves it.
static vs_impulse_problem *end_island(dense_island *d, const double *l, const double *y) {
    vs_impulse_problem *s = &d->island;
    int rows = s->rows;
    for (int g = 0; g < s->groups; g++) {
        d->start[g + 1] = (int64_t)(g + 1) * rows;
        d->value[g + 1] = (int64_t)d->row[g + 1] * rows;
        d->diagonal[g] = d->value[g] + d->row[g];
        for (int k = 0; k < rows; k++)
            d->col[g * rows + k] = k;
        int size = d->row[g + 1] - d->row[g];
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                d->A[9 * g + 3 * i + j] = d->N[d->diagonal[g] + i * rows + j];
    }
    multiply(d, l, d->r);
    double sum = 0.0;
    for (int k = 0; k < rows; k++) {
        d->r[k] = y[k] - d->r[k];
        sum += d->r[k] * d->r[k];
    }
    s->free_norm = sqrt(sum);
    s->exact = true;
    s->row = d->row;
    s->A = d->A;
    s->ld = 3;
    s->law = d->law;
    s->mu = d->mu;
    s->lo = d->lo;
    s->hi = d->hi;
    s->N = (vs_rows){.groups = s->groups,
                     .rows = rows,
                     .cols = rows,
                     .row = d->row,
                     .start = d->start,
                     .col = d->col,
                     .value = d->value,
                     .x = d->N};
    s->group_of = d->group_of;
    s->diagonal = d->diagonal;
    s->r = d->r;
    s->unit_l = s->unit_y = d->unit;
    s->source = d->source;
    s->share = 1.0;
    return s;
}

// I + s G G', well conditioned
static void fill_random(dense_island *d, uint64_t seed, double s) {
    double G[MOST * 4];
    int rows = d->island.rows;
    for (int k = 0; k < 4 * rows; k++)
        G[k] = random_in(&seed, -1, 1);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = 0; k < 4; k++)
                sum += s * G[4 * i + k] * G[4 * j + k];
            d->N[i * rows + j] = sum;
        }
    }
}

// A chain of rows, each coupled to the next: rate cos^2(pi / (rows + 1)) a sweep. Stiff: to the two next ones.
static void fill_chain(dense_island *d, bool stiff) {
    const double soft[3] = {1.0, -0.5, 0.0}, beam[3] = {1.0, -2.0 / 3.0, 1.0 / 6.0};
    int rows = d->island.rows;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            int away = i > j ? i - j : j - i;
            d->N[i * rows + j] = away > 2 ? 0.0 : stiff ? beam[away] : soft[away];
        }
    }
}

static vs_sweep_outcome solve_by(vs_accelerated_sweeps *method, const vs_impulse_problem *s, vs_sweep_limits limits,
                                 double *l, double *y) {
    double room[VS_SWEEP_WORK][MOST], *work[VS_SWEEP_WORK];
    for (int k = 0; k < VS_SWEEP_WORK; k++)
        work[k] = room[k];
    vs_sweep_outcome outcome;
    limits.both = true;
    vs_sweeper sweeper = {.problem = s, .omega = 1};
    method(&sweeper, &limits, l, y, work, &outcome);
    // What is reported is what is returned.
    double again[MOST];
    vs_impulse_velocities(s, l, again);
    assert_memory_equal(again, y, sizeof(double) * (size_t)s->rows);
    assert_true(outcome.error == vs_impulse_error(s, true, l, y));
    return outcome;
}

static vs_sweep_outcome solve(const vs_impulse_problem *s, double tolerance, int sweeps, double *l, double *y) {
    vs_sweep_limits limits = {.tolerance = tolerance, .sweeps = sweeps};
    return solve_by(vs_anderson_sweeps, s, limits, l, y);
}

// `within`: the tolerance times the condition of N, which is at most 100 here.
static void assert_rows_near(const double *value, const double *expected, int count, double within) {
    assert_below(largest_difference(value, expected, count), within);
}

// With momentum, from rest: the same solution.
static void assert_momentum_finds(const vs_impulse_problem *s, const double *l, double within) {
    double x[MOST] = {0.0}, y[MOST];
    vs_sweep_limits limits = {.tolerance = 1e-12, .sweeps = 1000, .most = 1000};
    assert_true(solve_by(vs_nesterov_sweeps, s, limits, x, y).error <= 1e-12);
    assert_rows_near(x, l, s->rows, within);
}

// ---- closed forms ----------------------------------------------------------------------------------

static void contacts_that_do_not_touch_need_one_sweep(void **state) {
    static dense_island d;
    begin_island(&d, *state);
    for (int g = 0; g < 3; g++)
        add_group(&d, VS_LAW_FRICTION, 0.5);
    for (int k = 0; k < 9; k++)
        d.N[10 * k] = 2.0;
    // stick, slide, lift off
    const double l[9] = {1.0, 0.2, -0.3, 2.0, -0.6, 0.8, 0.0, 0.0, 0.0};
    const double y[9] = {0.0, 0.0, 0.0, 0.0, 1.5, -2.0, 0.7, 3.0, -5.0};
    const vs_impulse_problem *s = end_island(&d, l, y);
    double x[9] = {0.0}, v[9];
    vs_sweep_outcome outcome = solve(s, 1e-13, 10, x, v);
    assert_int_equal(outcome.sweeps, 1);
    assert_false(outcome.stalled);
    assert_rows_near(x, l, 9, 1e-13);
}

static void two_coupled_contacts_stick_and_slide(void **state) {
    static dense_island d;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        begin_island(&d, *state);
        add_group(&d, VS_LAW_FRICTION, 0.3);
        add_group(&d, VS_LAW_FRICTION, 0.2);
        fill_random(&d, seed, 0.3);
        const double l[6] = {1.0, 0.1, -0.2, 2.0, -0.24, 0.32}, y[6] = {0.0, 0.0, 0.0, 0.0, 0.6, -0.8};
        const vs_impulse_problem *s = end_island(&d, l, y);
        double x[6] = {0.0}, v[6];
        assert_true(solve(s, 1e-12, 200, x, v).error <= 1e-12);
        assert_rows_near(x, l, 6, 1e-10);
        assert_rows_near(v, y, 6, 1e-10);
        assert_momentum_finds(s, l, 1e-10);
    }
}

static void every_law_is_kept_beside_every_other(void **state) {
    static dense_island d;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        begin_island(&d, *state);
        add_group(&d, VS_LAW_FREE, 0.0);
        add_group(&d, VS_LAW_FREE, 0.0);
        add_group(&d, VS_LAW_NONNEG, 0.0);
        add_group(&d, VS_LAW_NONNEG, 0.0);
        for (int g = 4; g < 7; g++) {
            add_group(&d, VS_LAW_BOX, 0.0);
            d.lo[g] = -1.0;
            d.hi[g] = 2.0;
        }
        add_group(&d, VS_LAW_FRICTION, 0.5);
        fill_random(&d, seed, 0.2);
        const double l[10] = {-3.0, 1.0, 0.0, 1.5, -1.0, 0.5, 2.0, 1.0, -0.3, 0.4};
        const double y[10] = {0.0, 0.0, 2.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.3, -0.4};
        const vs_impulse_problem *s = end_island(&d, l, y);
        double x[10] = {0.0}, v[10];
        assert_true(solve(s, 1e-12, 200, x, v).error <= 1e-12);
        assert_rows_near(x, l, 10, 1e-10);
        assert_rows_near(v, y, 10, 1e-10);
        assert_momentum_finds(s, l, 1e-10);
    }
}

// N l + r is not symmetric in general: the rows are taken as they are.
static void an_unsymmetric_matrix_is_taken_as_it_is(void **state) {
    static dense_island d;
    begin_island(&d, *state);
    add_group(&d, VS_LAW_FRICTION, 0.4);
    add_group(&d, VS_LAW_FRICTION, 0.4);
    fill_random(&d, 3, 0.2);
    d.N[4] += 0.1;
    d.N[24] -= 0.05;
    const double l[6] = {1.0, 0.1, -0.2, 2.0, 0.0, 0.1}, y[6] = {0.0};
    const vs_impulse_problem *s = end_island(&d, l, y);
    double x[6] = {0.0}, v[6];
    assert_true(solve(s, 1e-12, 200, x, v).error <= 1e-12);
    assert_rows_near(x, l, 6, 1e-10);
    assert_momentum_finds(s, l, 1e-10);
}

// ---- joints that say the same twice ----------------------------------------------------------------

static void redundant_joints_and_rows_without_effect_do_no_harm(void **state) {
    static dense_island d;
    begin_island(&d, *state);
    for (int g = 0; g < 3; g++)
        add_group(&d, VS_LAW_FREE, 0.0);
    add_group(&d, VS_LAW_FRICTION, 0.5);
    // rows 0 and 1 are the same, row 2 moves nothing
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            d.N[6 * i + j] = 1.0;
    for (int k = 3; k < 6; k++)
        d.N[7 * k] = 1.0;
    for (int i = 0; i < 2; i++)
        d.N[6 * i + 3] = d.N[18 + i] = 0.4;
    const double l[6] = {0.5, 0.5, 0.0, 1.0, 0.1, 0.2}, y[6] = {0.0};
    const vs_impulse_problem *s = end_island(&d, l, y);
    double x[6] = {0.0}, v[6];
    x[2] = 7.0;
    assert_true(solve(s, 1e-12, 200, x, v).error <= 1e-12);
    assert_true(x[2] == 7.0);
    assert_rows_near(v, y, 6, 1e-11);
    assert_rows_near(x + 3, l + 3, 3, 1e-10);
}

// ---- when to stop ----------------------------------------------------------------------------------

static void a_start_that_is_the_solution_is_left_alone(void **state) {
    static dense_island d;
    begin_island(&d, *state);
    add_group(&d, VS_LAW_FRICTION, 0.5);
    add_group(&d, VS_LAW_FRICTION, 0.5);
    fill_random(&d, 1, 0.3);
    const double l[6] = {1.0, 0.1, 0.2, 0.0, 0.0, 0.0}, y[6] = {0.0, 0.0, 0.0, 0.5, 0.1, 0.3};
    const vs_impulse_problem *s = end_island(&d, l, y);
    double x[6], v[6];
    memcpy(x, l, sizeof x);
    assert_int_equal(solve(s, 1e-13, 100, x, v).sweeps, 0);
    assert_memory_equal(x, l, sizeof x);
}

static vs_sweep_outcome solve_chain_by(vs_accelerated_sweeps *method, vs_context *context, int rows, bool stiff,
                                       vs_law law, vs_sweep_limits limits, double *start) {
    static dense_island d;
    begin_island(&d, context);
    for (int k = 0; k < rows; k++)
        add_group(&d, law, 0.0);
    fill_chain(&d, stiff);
    double l[MOST], y[MOST] = {0.0}, x[MOST] = {0.0}, v[MOST];
    for (int k = 0; k < rows; k++)
        l[k] = 1.0;
    const vs_impulse_problem *s = end_island(&d, l, y);
    vs_impulse_velocities(s, x, v);
    *start = vs_impulse_error(s, true, x, v);
    limits.tolerance = 1e-10;
    return solve_by(method, s, limits, x, v);
}

static vs_sweep_outcome solve_chain(vs_context *context, int rows, bool stiff, vs_law law, int sweeps, double *start) {
    return solve_chain_by(vs_anderson_sweeps, context, rows, stiff, law, (vs_sweep_limits){.sweeps = sweeps}, start);
}

// A chain that resists bending: condition 2e6, more than the acceleration masters.
static void hopeless_sweeps_are_not_made(void **state) {
    double start;
    vs_sweep_outcome outcome = solve_chain(*state, 60, true, VS_LAW_FREE, 300, &start);
    assert_true(outcome.stalled);
    assert_in_range(outcome.sweeps, 60, 150);
    assert_true(outcome.error < start);
}

// 60 links: 0.997 per sweep, so that 1e-10 takes 8000 sweeps without acceleration. It must help, and be trusted to.
static void slow_chains_become_fast(void **state) {
    double start;
    const vs_law laws[2] = {VS_LAW_FREE, VS_LAW_NONNEG};
    for (int k = 0; k < 2; k++) {
        vs_sweep_outcome outcome = solve_chain(*state, 60, false, laws[k], 300, &start);
        assert_false(outcome.stalled);
        assert_true(outcome.error <= 1e-10);
    }
}

static void the_limit_of_sweeps_is_kept(void **state) {
    double start;
    const int limits[3] = {0, 1, 7};
    for (int k = 0; k < 3; k++) {
        vs_sweep_outcome outcome = solve_chain(*state, 20, false, VS_LAW_FREE, limits[k], &start);
        assert_int_equal(outcome.sweeps, limits[k]);
        assert_false(outcome.stalled);
    }
}

// Half of the 8000 sweeps without momentum at most. While the error falls, more sweeps are made than are allowed to one
// that does not: four times as many, and never more than the caller has.
static void momentum_makes_slow_chains_fast(void **state) {
    double start;
    const vs_sweep_limits enough = {.sweeps = 1000, .most = 10000}, few = {.sweeps = 40, .most = 10000},
                          least = {.sweeps = 300, .most = 70};
    const vs_law laws[2] = {VS_LAW_FREE, VS_LAW_NONNEG};
    for (int k = 0; k < 2; k++) {
        vs_sweep_outcome outcome = solve_chain_by(vs_nesterov_sweeps, *state, 60, false, laws[k], enough, &start);
        print_message("  %d sweeps, error %.1e\n", outcome.sweeps, outcome.error);
        assert_true(outcome.error <= 1e-10);
        assert_in_range(outcome.sweeps, 1001, 4000);
        outcome = solve_chain_by(vs_nesterov_sweeps, *state, 60, false, laws[k], few, &start);
        assert_true(outcome.sweeps <= 160 && outcome.error < start);
        outcome = solve_chain_by(vs_nesterov_sweeps, *state, 60, false, laws[k], least, &start);
        assert_int_equal(outcome.sweeps, 70);
    }
}

// N indefinite: every sweep is worse than the one before.
static void the_start_is_returned_if_nothing_is_better(void **state) {
    static dense_island d;
    begin_island(&d, *state);
    add_group(&d, VS_LAW_FREE, 0.0);
    add_group(&d, VS_LAW_FREE, 0.0);
    const double N[4] = {1.0, 3.0, 3.0, 1.0}, l[2] = {1.0, 1.0}, y[2] = {0.0};
    memcpy(d.N, N, sizeof N);
    const vs_impulse_problem *s = end_island(&d, l, y);
    double x[2] = {1.0, 1.01}, v[2];
    vs_sweep_outcome outcome = solve(s, 1e-8, 1000, x, v);
    assert_true(outcome.stalled && outcome.sweeps < 100);
    assert_true(x[0] == 1.0 && x[1] == 1.01);
    outcome = solve_by(vs_nesterov_sweeps, s, (vs_sweep_limits){.sweeps = 100, .most = 10000}, x, v);
    assert_in_range(outcome.sweeps, 100, 132); // the first evaluation after so many
    assert_true(x[0] == 1.0 && x[1] == 1.01);
}

static int set_up(void **state) {
    return vs_context_create(NULL, (vs_context **)state) != VS_OK;
}

static int tear_down(void **state) {
    vs_context_destroy(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_that_do_not_touch_need_one_sweep),
        cmocka_unit_test(two_coupled_contacts_stick_and_slide),
        cmocka_unit_test(every_law_is_kept_beside_every_other),
        cmocka_unit_test(an_unsymmetric_matrix_is_taken_as_it_is),
        cmocka_unit_test(redundant_joints_and_rows_without_effect_do_no_harm),
        cmocka_unit_test(a_start_that_is_the_solution_is_left_alone),
        cmocka_unit_test(hopeless_sweeps_are_not_made),
        cmocka_unit_test(slow_chains_become_fast),
        cmocka_unit_test(the_limit_of_sweeps_is_kept),
        cmocka_unit_test(momentum_makes_slow_chains_fast),
        cmocka_unit_test(the_start_is_returned_if_nothing_is_better),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
