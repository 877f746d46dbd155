// H^-1: blocks and general matrices against the matrix itself.
#include "kit/compare.h"
#include "kit/fixture.h"
#include "kit/random.h"
#include "mass/mass.h"

enum { N = 30 };

static uint64_t seed = 1;
static double uniform(void) {
    return random_in(&seed, -1, 1);
}

// A diagonally dominant n x n matrix whose entries further than `band` from the diagonal are zero; those above it are
// `above` times their mirrors.
static vs_problem *make_problem(vs_context *context, int band, double factor, double above) {
    static int64_t p[N + 1];
    static int i[N * N], no_column[1];
    static double x[N * N], c[N], A[N][N];
    static int64_t empty[1];
    seed = 7;
    for (int j = 0; j < N; j++)
        for (int k = 0; k <= j; k++) {
            A[j][k] = factor * (j == k ? 2.0 * band + 2.0 : j - k <= band ? uniform() : 0.0);
            A[k][j] = j == k ? A[j][k] : above * A[j][k];
        }
    for (int j = 0; j < N; j++) {
        p[j + 1] = p[j];
        for (int k = 0; k < N; k++)
            if (A[k][j] != 0.0) {
                i[p[j + 1]] = k;
                x[p[j + 1]++] = A[k][j];
            }
    }
    vs_problem_global_def def = vs_problem_global_def_default();
    def.H = (vs_matrix_view){N, N, p, i, x};
    def.c = c;
    def.Dt = (vs_matrix_view){N, 0, empty, no_column, x};
    def.b = def.mu = c;
    vs_problem *problem = NULL;
    assert_int_equal(vs_problem_from_global(context, &def, &problem), VS_OK);
    return problem;
}

static double largest_residual(vs_mass *mass, const vs_problem *problem) {
    double x[N], f[N], worst = 0.0;
    for (int k = 0; k < N; k++)
        x[k] = f[k] = uniform();
    assert_int_equal(vs_mass_solve(mass, x), VS_OK);
    vs_sparse_multiply(&problem->H, -1.0, x, 1.0, f);
    for (int k = 0; k < N; k++)
        worst = fmax(worst, fabs(f[k]));
    return worst;
}

// Symmetric, unsymmetric, and one triangle only (its pattern is completed).
static void solves_diagonal_blocks_and_general_matrices_also_after_an_update(void **state) {
    const int bands[] = {0, 4, 4, 4, 1};
    const double aboves[] = {1.0, 1.0, -0.5, 0.0, 0.0};
    for (int k = 0; k < 5; k++) {
        int band = bands[k];
        vs_problem *first = make_problem(context_of(state), band, 1.0, aboves[k]);
        vs_problem *second = make_problem(context_of(state), band, 3.0, aboves[k]);
        assert_true(first->block_diagonal == (band == 0));
        assert_true(first->symmetric == (aboves[k] == 1.0));
        vs_arena arena;
        vs_arena_init(&arena, context_of(state));
        vs_mass mass;
        assert_int_equal(vs_mass_create(&mass, first, &arena), VS_OK);
        // well-conditioned, entries of size 1: a few roundings
        assert_true(largest_residual(&mass, first) < 1e-14);
        assert_int_equal(vs_mass_update(&mass, second), VS_OK);
        assert_true(largest_residual(&mass, second) < 1e-14);
        vs_mass_release(&mass);
        vs_arena_release(&arena);
        vs_problem_destroy(first);
        vs_problem_destroy(second);
    }
}

static void keeps_the_factor_of_a_general_matrix_while_its_values_stay(void **state) {
    vs_problem *first = make_problem(context_of(state), 4, 1.0, 1.0),
               *same = make_problem(context_of(state), 4, 1.0, 1.0);
    vs_problem *other = make_problem(context_of(state), 4, 3.0, 1.0);
    vs_arena arena;
    vs_arena_init(&arena, context_of(state));
    vs_mass mass;
    assert_int_equal(vs_mass_create(&mass, first, &arena), VS_OK);
    mass.solver->report.positive = -7; // a factorization would overwrite it
    assert_int_equal(vs_mass_update(&mass, same), VS_OK);
    assert_int_equal(mass.solver->report.positive, -7);
    assert_true(largest_residual(&mass, same) < 1e-14);
    assert_int_equal(vs_mass_update(&mass, other), VS_OK);
    assert_int_equal(mass.solver->report.positive, N);
    assert_true(largest_residual(&mass, other) < 1e-14);
    vs_mass_release(&mass);
    vs_arena_release(&arena);
    vs_problem_destroy(first);
    vs_problem_destroy(same);
    vs_problem_destroy(other);
}

static void inverse_form_of_blocks_is_d_times_solve_of_d(void **state) {
    // two blocks of 6 and 3; d touches a part of the first and all of the second
    double H6[36], H3[9] = {4, 1, 0.5, 1, 3, -1, 0.5, -1, 5}, c[6] = {0};
    for (int j = 0; j < 6; j++)
        for (int k = 0; k < 6; k++)
            H6[6 * j + k] = j == k ? 8.0 + j : 1.0 / (1 + abs(j - k));
    vs_problem_builder *builder;
    vs_problem *problem;
    assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 6, H6, c, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 3, H3, c, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    vs_arena arena;
    vs_arena_init(&arena, context_of(state));
    vs_mass mass;
    assert_int_equal(vs_mass_create(&mass, problem, &arena), VS_OK);

    const int col[5] = {1, 4, 6, 7, 8};
    const double d[5] = {1.5, -2, 0.25, 3, 1};
    double x[9] = {0}, sum = 0.0;
    for (int k = 0; k < 5; k++)
        x[col[k]] = d[k];
    assert_int_equal(vs_mass_solve(&mass, x), VS_OK);
    for (int k = 0; k < 5; k++)
        sum += d[k] * x[col[k]];
    assert_relative(vs_mass_inverse_form(&mass, 5, col, d), sum, 1e-14); // roundoff of 9 unknowns
    vs_mass_release(&mass);
    vs_arena_release(&arena);
    vs_problem_destroy(problem);
}

// Where blocks are single unknowns, their diagonal is what the form divides by, to the last bit.
static void diagonal_is_found_where_blocks_are_single(void **state) {
    const double H[36] = {3, 0, 0, 0,  0, 0, 0, 3, 0, 0, 0,  0,  0, 0, 3, 0, 0,  0,
                          0, 0, 0, .1, 0, 0, 0, 0, 0, 0, .7, .2, 0, 0, 0, 0, .2, .9};
    const double c[6] = {0}, d[4] = {1.5, -2, .3, .7};
    const int col[4] = {0, 1, 2, 3}, coupled[2] = {3, 4};
    double a[4] = {0}, sum = 0;
    vs_problem_builder *builder;
    vs_problem *problem;
    assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 6, H, c, NULL), VS_OK);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    vs_arena arena;
    vs_arena_init(&arena, context_of(state));
    vs_mass mass;
    assert_int_equal(vs_mass_create(&mass, problem, &arena), VS_OK);
    assert_true(vs_mass_find_diagonal(&mass, 4, col, a));
    assert_true(a[0] == 3 && a[3] == .1);
    for (int k = 0; k < 4; k++)
        sum += d[k] * d[k] / a[k];
    assert_true(vs_mass_inverse_form(&mass, 4, col, d) == sum);
    assert_false(vs_mass_find_diagonal(&mass, 2, coupled, a));
    vs_mass_release(&mass);
    vs_arena_release(&arena);
    vs_problem_destroy(problem);
}

// The matrix of a finished problem is bent afterwards: validation would not let it in.
static void an_indefinite_matrix_is_a_data_error(void **state) {
    for (int band = 0; band <= 4; band += 4) {
        vs_problem *problem = make_problem(context_of(state), band, 1.0, 1.0);
        for (int64_t e = 0; e < problem->H.p[N]; e++)
            problem->H.x[e] = -problem->H.x[e];
        vs_arena arena;
        vs_arena_init(&arena, context_of(state));
        vs_mass mass;
        assert_int_equal(vs_mass_create(&mass, problem, &arena), VS_ERROR_DATA);
        assert_non_null(strstr(vs_context_get_error_text(context_of(state)), "H is not positive definite"));
        vs_mass_release(&mass);
        vs_arena_release(&arena);
        vs_problem_destroy(problem);
    }
}

// A chain of unknowns, each driven by the one before; the first two are [1 corner; 0.5 1].
static vs_problem *make_chain(vs_context *context, int n, double corner) {
    int64_t *p = calloc((size_t)n + 1, sizeof *p);
    int *i = calloc(2 * (size_t)n + 1, sizeof *i);
    double *x = calloc(2 * (size_t)n + 1, sizeof *x), *c = calloc((size_t)n, sizeof *c);
    int64_t count = 0;
    for (int j = 0; j < n; j++) {
        if (j == 1)
            i[count] = 0, x[count++] = corner;
        i[count] = j, x[count++] = 1.0;
        if (j + 1 < n)
            i[count] = j + 1, x[count++] = 0.5;
        p[j + 1] = count;
    }
    vs_problem_global_def def = vs_problem_global_def_default();
    def.H = (vs_matrix_view){n, n, p, i, x};
    def.c = c;
    vs_problem *problem = NULL;
    assert_int_equal(vs_problem_from_global(context, &def, &problem), VS_OK);
    free(p);
    free(i);
    free(x);
    free(c);
    return problem;
}

// Small and large: two different factors. The solution for H (1, …, 1)' is (1, …, 1)', all numbers short.
static void unsymmetric_chains_are_solved_and_singular_ones_are_a_data_error(void **state) {
    const int sizes[] = {2, 40, 2000};
    for (int k = 0; k < 3; k++) {
        int n = sizes[k];
        vs_arena arena;
        vs_arena_init(&arena, context_of(state));
        vs_problem *problem = make_chain(context_of(state), n, 1.0), *singular = make_chain(context_of(state), n, 2.0);
        assert_false(problem->symmetric);
        vs_mass mass;
        assert_int_equal(vs_mass_create(&mass, problem, &arena), VS_OK);
        double *one = calloc((size_t)n, sizeof *one), *f = calloc((size_t)n, sizeof *f);
        for (int j = 0; j < n; j++)
            one[j] = 1.0;
        vs_sparse_multiply(&problem->H, 1.0, one, 0.0, f);
        assert_int_equal(vs_mass_solve(&mass, f), VS_OK);
        for (int j = 0; j < n; j++)
            assert_close(f[j], 1.0, 1e-15); // at most a rounding of 1
        // the pattern is the same: the factor of an update finds out as well
        assert_int_equal(vs_mass_update(&mass, singular), VS_ERROR_DATA);
        assert_string_equal(vs_context_get_error_text(context_of(state)), "H is singular");
        vs_mass_release(&mass);
        assert_int_equal(vs_mass_create(&mass, singular, &arena), VS_ERROR_DATA);
        vs_mass_release(&mass);
        free(one);
        free(f);
        vs_arena_release(&arena);
        vs_problem_destroy(problem);
        vs_problem_destroy(singular);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_diagonal_blocks_and_general_matrices_also_after_an_update),
        cmocka_unit_test(keeps_the_factor_of_a_general_matrix_while_its_values_stay),
        cmocka_unit_test(inverse_form_of_blocks_is_d_times_solve_of_d),
        cmocka_unit_test(diagonal_is_found_where_blocks_are_single),
        cmocka_unit_test(an_indefinite_matrix_is_a_data_error),
        cmocka_unit_test(unsymmetric_chains_are_solved_and_singular_ones_are_a_data_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
