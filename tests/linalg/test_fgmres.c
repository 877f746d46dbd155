// Flexible GMRES on small dense systems: solves, counts, restarts, and fails without losing what it had.
#include <float.h>

#include "linalg/fgmres.h"
#include "kit/memory.h"
#include "kit/random.h"

enum { N = 40 };

// A dense system with counters and ways to go wrong.
typedef struct problem {
    memory m;
    vs_context *context;
    vs_arena arena;
    double A[N][N], b[N], x[N];
    double scaling[N]; // the preconditioner divides by it
    bool varying;      // the preconditioner changes with every call
    int operators, preconditioners;
    int nan_at, error_at; // number of the call that gives NaN, or fails; -1: never
    bool alternates;      // calls came in the order M, A, M, A, … (a check of the residual adds an A)
    int last;             // 1: M was last, 0: A
} problem;

// A = (I + R) S with |R| < 1 and S diagonal from 1 to 1000: with M = S even GMRES(1) converges.
static int set_up(void **state) {
    problem *p = calloc(1, sizeof *p);
    p->context = make_context(&p->m);
    vs_arena_init(&p->arena, p->context);
    uint64_t random = 7;
    for (int r = 0; r < N; r++) {
        p->scaling[r] = pow(1000, r / (double)(N - 1));
        for (int c = 0; c < N; c++)
            p->A[r][c] = r == c ? p->scaling[r] : 0.4 * random_in(&random, -1, 1) * p->scaling[c] / sqrt(N);
        p->b[r] = random_in(&random, -1, 1);
    }
    p->nan_at = p->error_at = -1;
    p->alternates = true;
    *state = p;
    return 0;
}

static int tear_down(void **state) {
    problem *p = *state;
    vs_arena_release(&p->arena);
    end_context(p->context, &p->m);
    free(p);
    return 0;
}

static void apply(void *user, const double *x, double *y) {
    problem *p = user;
    for (int r = 0; r < N; r++) {
        y[r] = 0;
        for (int c = 0; c < N; c++)
            y[r] += p->A[r][c] * x[c];
    }
    p->operators++;
    p->last = 0;
}

static vs_error precondition(void *user, double *x) {
    problem *p = user;
    int call = p->preconditioners++;
    p->alternates = p->alternates && p->last == 0;
    p->last = 1;
    if (call == p->error_at)
        return VS_ERROR_NUMERICAL;
    for (int k = 0; k < N; k++)
        x[k] /= p->scaling[k] * (p->varying ? 1 + 0.3 * ((k + call) % 3) : 1);
    if (call == p->nan_at)
        x[3] = NAN;
    return VS_OK;
}

static vs_error leave(void *user, double *x) {
    (void)x;
    ((problem *)user)->preconditioners++;
    return VS_OK;
}

static double norm(const double *a) {
    double sum = 0;
    for (int k = 0; k < N; k++)
        sum += a[k] * a[k];
    return sqrt(sum);
}

static double residual(problem *p) {
    double r[N];
    apply(p, p->x, r);
    for (int k = 0; k < N; k++)
        r[k] = p->b[k] - r[k];
    return norm(r);
}

static vs_error solve(problem *p, vs_preconditioner M, int restart, double tolerance, int limit,
                      vs_fgmres_outcome *outcome) {
    vs_fgmres g;
    assert_int_equal(vs_fgmres_init(&g, N, restart, &p->arena), VS_OK);
    for (int k = 0; k < N; k++)
        p->x[k] = NAN; // x starts at zero whatever it held
    p->operators = p->preconditioners = p->last = 0;
    return vs_fgmres_solve(&g, apply, M, p, p->b, p->x, false, tolerance, limit, outcome);
}

// The reported residual and ours are the same sums in another order.
static void check_reported(problem *p, const vs_fgmres_outcome *outcome) {
    assert_true(fabs(outcome->residual - residual(p)) <= 1e-12 * norm(p->b));
}

static void test_reaches_the_tolerance_and_reports_the_true_residual(void **state) {
    problem *p = *state;
    vs_fgmres_outcome outcome;
    assert_int_equal(solve(p, precondition, 30, 1e-10, 100, &outcome), VS_OK);
    assert_true(outcome.residual <= 1e-10);
    assert_true(outcome.iterations < 30);
    check_reported(p, &outcome);
}

static void test_calls_preconditioner_then_operator_once_each_iteration(void **state) {
    problem *p = *state;
    vs_fgmres_outcome outcome;
    assert_int_equal(solve(p, precondition, 30, 1e-10, 100, &outcome), VS_OK);
    assert_int_equal(p->preconditioners, outcome.iterations);
    assert_int_equal(p->operators, outcome.iterations + 1); // one more for the residual at the end
    assert_true(p->alternates);
}

static void test_exact_preconditioner_needs_one_iteration(void **state) {
    problem *p = *state;
    for (int r = 0; r < N; r++) {
        for (int c = 0; c < N; c++)
            p->A[r][c] = r == c ? p->scaling[r] : 0;
    }
    vs_fgmres_outcome outcome;
    assert_int_equal(solve(p, precondition, 10, 1e-12, 100, &outcome), VS_OK);
    assert_int_equal(outcome.iterations, 1);
    assert_true(outcome.residual <= 1e-12);
}

static void test_varying_preconditioner_converges(void **state) {
    problem *p = *state;
    p->varying = true;
    vs_fgmres_outcome outcome;
    assert_int_equal(solve(p, precondition, 30, 1e-10, 100, &outcome), VS_OK);
    assert_true(outcome.residual <= 1e-10);
    check_reported(p, &outcome);
}

static void test_restarts_until_the_tolerance(void **state) {
    problem *p = *state;
    for (int restart = 1; restart <= 4; restart++) {
        vs_fgmres_outcome outcome;
        assert_int_equal(solve(p, precondition, restart, 1e-10, 300, &outcome), VS_OK);
        assert_true(outcome.iterations > restart);
        assert_true(outcome.residual <= 1e-10);
        check_reported(p, &outcome);
    }
}

static void test_small_right_hand_side_needs_no_iteration(void **state) {
    problem *p = *state;
    vs_fgmres_outcome outcome;
    assert_int_equal(solve(p, precondition, 10, 2 * norm(p->b), 100, &outcome), VS_OK);
    assert_int_equal(outcome.iterations, 0);
    assert_int_equal(p->operators + p->preconditioners, 0);
    assert_true(norm(p->x) == 0);
    memset(p->b, 0, sizeof p->b);
    assert_int_equal(solve(p, precondition, 10, 0, 100, &outcome), VS_OK);
    assert_int_equal(outcome.iterations, 0);
    assert_true(outcome.residual == 0 && norm(p->x) == 0);
}

static void test_stops_at_the_iteration_limit(void **state) {
    problem *p = *state;
    for (int limit = 0; limit <= 5; limit++) {
        vs_fgmres_outcome outcome;
        assert_int_equal(solve(p, precondition, 3, 1e-14, limit, &outcome), VS_OK);
        assert_int_equal(outcome.iterations, limit);
        assert_true(limit == 0 || outcome.residual < norm(p->b));
        check_reported(p, &outcome);
    }
}

static void test_unreachable_tolerance_ends_at_roundoff(void **state) {
    problem *p = *state;
    vs_fgmres_outcome outcome;
    assert_int_equal(solve(p, precondition, 20, 0, 100000, &outcome), VS_OK);
    // |b| is about 4, the entries of A x up to some tens: a hundred roundings of that
    assert_true(outcome.residual <= 1e-13);
    assert_true(outcome.iterations <= 200); // not the limit: it notices that nothing is gained
    check_reported(p, &outcome);
}

// A maps a space of dimension 3 that contains b into itself: GMRES ends there with the solution.
static void test_invariant_space_ends_with_the_solution(void **state) {
    problem *p = *state;
    for (int r = 0; r < N; r++) {
        for (int c = 0; c < N; c++)
            p->A[r][c] = r == c ? 1 + r % 3 : 0;
    }
    vs_fgmres_outcome outcome;
    assert_int_equal(solve(p, leave, 20, 1e-13, 100, &outcome), VS_OK);
    assert_int_equal(outcome.iterations, 3);
    assert_true(outcome.residual <= 1e-13);
}

// The last row is zero and b is not in the range: what is reachable is kept, nothing becomes NaN.
static void test_singular_matrix_keeps_the_least_residual(void **state) {
    problem *p = *state;
    memset(p->A, 0, sizeof p->A);
    for (int r = 0; r < N - 1; r++)
        p->A[r][r] = 2;
    vs_fgmres_outcome outcome;
    assert_int_equal(solve(p, leave, 20, 1e-13, 100, &outcome), VS_OK);
    assert_true(outcome.iterations <= 40);
    assert_true(outcome.residual >= fabs(p->b[N - 1]) * (1 - 1e-12));
    assert_true(outcome.residual < norm(p->b));
    check_reported(p, &outcome);

    memset(p->A, 0, sizeof p->A); // A = 0: nothing can be done
    assert_int_equal(solve(p, leave, 20, 1e-13, 100, &outcome), VS_OK);
    assert_true(outcome.residual == norm(p->b) || fabs(outcome.residual - norm(p->b)) <= 1e-14);
    assert_true(norm(p->x) == 0);
}

static void test_first_step_without_gain_is_overcome(void **state) {
    problem *p = *state;
    // Rotations by a quarter turn: A v is orthogonal to v, the first step gains nothing, the second solves.
    memset(p->A, 0, sizeof p->A);
    for (int r = 0; r < N; r += 2) {
        p->A[r][r + 1] = -1;
        p->A[r + 1][r] = 1;
    }
    vs_fgmres_outcome outcome;
    assert_int_equal(solve(p, leave, 20, 1e-13, 100, &outcome), VS_OK);
    assert_int_equal(outcome.iterations, 2);
    assert_true(outcome.residual <= 1e-13);
}

static vs_error give_always_the_same(void *user, double *x) {
    (void)user;
    for (int k = 0; k < N; k++)
        x[k] = 1;
    return VS_OK;
}

// The second direction repeats the first: the small triangle becomes singular and must not be divided by.
static void test_repeated_direction_is_dropped(void **state) {
    problem *p = *state;
    vs_fgmres_outcome outcome;
    assert_int_equal(solve(p, give_always_the_same, 20, 1e-13, 100, &outcome), VS_OK);
    assert_true(isfinite(norm(p->x)));
    assert_true(outcome.residual < norm(p->b) && outcome.iterations <= 6);
    for (int k = 1; k < N; k++) // a multiple of the only direction; the sums of equal numbers are equal
        assert_true(p->x[k] == p->x[0]);
    check_reported(p, &outcome);
}

static void test_nan_keeps_what_was_reached(void **state) {
    problem *p = *state;
    double best = norm(p->b);
    for (int at = 0; at < 8; at++) {
        p->nan_at = at;
        vs_fgmres_outcome outcome;
        assert_int_equal(solve(p, precondition, 3, 1e-12, 100, &outcome), VS_OK);
        assert_int_equal(outcome.iterations, at + 1);
        assert_true(isfinite(norm(p->x)));
        assert_true(outcome.residual <= best * (1 + 1e-12)); // more steps before the NaN never harm
        check_reported(p, &outcome);
        best = outcome.residual;
    }
    assert_true(best < 0.1 * norm(p->b));
}

static void test_nan_in_the_right_hand_side_gives_zero(void **state) {
    problem *p = *state;
    p->b[5] = NAN;
    vs_fgmres_outcome outcome;
    assert_int_equal(solve(p, precondition, 3, 1e-12, 100, &outcome), VS_OK);
    assert_int_equal(outcome.iterations, 0);
    assert_true(isnan(outcome.residual));
    assert_true(norm(p->x) == 0);
}

static void test_error_of_the_preconditioner_is_returned_with_the_best_x(void **state) {
    problem *p = *state;
    for (int at = 0; at < 6; at++) {
        p->error_at = at;
        vs_fgmres_outcome outcome;
        assert_int_equal(solve(p, precondition, 4, 1e-12, 100, &outcome), VS_ERROR_NUMERICAL);
        assert_int_equal(outcome.iterations, at);
        assert_true(at == 0 || outcome.residual < norm(p->b));
        check_reported(p, &outcome);
    }
}

static void test_starts_from_a_guess_only_if_it_is_nearer(void **state) {
    problem *p = *state;
    vs_fgmres_outcome cold, warm;
    vs_fgmres g;
    assert_int_equal(solve(p, precondition, 30, 1e-6, 100, &cold), VS_OK);
    assert_int_equal(vs_fgmres_init(&g, N, 30, &p->arena), VS_OK);
    assert_int_equal(vs_fgmres_solve(&g, apply, precondition, p, p->b, p->x, true, 1e-8, 100, &warm), VS_OK);
    assert_true(warm.residual <= 1e-8 && warm.iterations < cold.iterations);
    check_reported(p, &warm);
    for (int k = 0; k < N; k++)
        p->x[k] = 1e6;
    assert_int_equal(vs_fgmres_solve(&g, apply, precondition, p, p->b, p->x, true, 1e-6, 100, &warm), VS_OK);
    assert_int_equal(warm.iterations, cold.iterations);
}

static void test_empty_system_is_solved(void **state) {
    problem *p = *state;
    vs_fgmres g;
    vs_fgmres_outcome outcome;
    assert_int_equal(vs_fgmres_init(&g, 0, 5, &p->arena), VS_OK);
    assert_int_equal(vs_fgmres_solve(&g, apply, precondition, p, NULL, NULL, false, 0, 10, &outcome), VS_OK);
    assert_int_equal(outcome.iterations, 0);
    assert_true(outcome.residual == 0);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(test_reaches_the_tolerance_and_reports_the_true_residual),
        CASE(test_calls_preconditioner_then_operator_once_each_iteration),
        CASE(test_exact_preconditioner_needs_one_iteration),
        CASE(test_varying_preconditioner_converges),
        CASE(test_restarts_until_the_tolerance),
        CASE(test_small_right_hand_side_needs_no_iteration),
        CASE(test_stops_at_the_iteration_limit),
        CASE(test_unreachable_tolerance_ends_at_roundoff),
        CASE(test_invariant_space_ends_with_the_solution),
        CASE(test_singular_matrix_keeps_the_least_residual),
        CASE(test_first_step_without_gain_is_overcome),
        CASE(test_repeated_direction_is_dropped),
        CASE(test_nan_keeps_what_was_reached),
        CASE(test_nan_in_the_right_hand_side_gives_zero),
        CASE(test_error_of_the_preconditioner_is_returned_with_the_best_x),
        CASE(test_starts_from_a_guess_only_if_it_is_nearer),
        CASE(test_empty_system_is_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
