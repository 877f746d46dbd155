// H^-1: blocks and general matrices against the matrix itself.
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "measure/mass.h"

enum { N = 30 };

static uint64_t seed = 1;
static double uniform(void) // in (-1, 1)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(seed >> 11) / 4503599627370496.0 - 1.0;
}

// A diagonally dominant symmetric n x n matrix whose entries further than `band` from the diagonal are zero.
static vs_problem *make_problem(vs_context *context, int band, double factor) {
    static int64_t p[N + 1];
    static int i[N * N], no_column[1];
    static double x[N * N], c[N], A[N][N];
    static int64_t empty[1];
    seed = 7;
    for (int j = 0; j < N; j++)
        for (int k = 0; k <= j; k++)
            A[j][k] = A[k][j] = factor * (j == k ? 2.0 * band + 2.0 : j - k <= band ? uniform() : 0.0);
    for (int j = 0; j < N; j++) {
        p[j + 1] = p[j];
        for (int k = 0; k < N; k++)
            if (A[j][k] != 0.0) {
                i[p[j + 1]] = k;
                x[p[j + 1]++] = A[j][k];
            }
    }
    vs_global_def def = vs_global_def_default();
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

static void solves_diagonal_blocks_and_general_matrices_also_after_an_update(void **state) {
    for (int band = 0; band <= 4; band += 4) {
        vs_problem *first = make_problem(*state, band, 1.0), *second = make_problem(*state, band, 3.0);
        assert_true(first->block_diagonal == (band == 0));
        vs_arena arena;
        vs_arena_init(&arena, *state);
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

static void inverse_form_of_blocks_is_d_times_solve_of_d(void **state) {
    // two blocks of 6 and 3; d touches a part of the first and all of the second
    double H6[36], H3[9] = {4, 1, 0.5, 1, 3, -1, 0.5, -1, 5}, c[6] = {0};
    for (int j = 0; j < 6; j++)
        for (int k = 0; k < 6; k++)
            H6[6 * j + k] = j == k ? 8.0 + j : 1.0 / (1 + abs(j - k));
    vs_problem_builder *builder;
    vs_problem *problem;
    assert_int_equal(vs_problem_begin(*state, &builder), VS_OK);
    assert_int_equal(vs_problem_add_block(builder, 6, H6, c, NULL), VS_OK);
    assert_int_equal(vs_problem_add_block(builder, 3, H3, c, NULL), VS_OK);
    assert_int_equal(vs_problem_finish(builder, &problem), VS_OK);
    vs_arena arena;
    vs_arena_init(&arena, *state);
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

// The matrix of a finished problem is bent afterwards: validation would not let it in.
static void an_indefinite_matrix_is_a_data_error(void **state) {
    for (int band = 0; band <= 4; band += 4) {
        vs_problem *problem = make_problem(*state, band, 1.0);
        for (int64_t e = 0; e < problem->H.p[N]; e++)
            problem->H.x[e] = -problem->H.x[e];
        vs_arena arena;
        vs_arena_init(&arena, *state);
        vs_mass mass;
        assert_int_equal(vs_mass_create(&mass, problem, &arena), VS_ERROR_DATA);
        assert_non_null(strstr(vs_context_error_text(*state), "H is not positive definite"));
        vs_mass_release(&mass);
        vs_arena_release(&arena);
        vs_problem_destroy(problem);
    }
}

static int make_context(void **state) {
    vs_context *context;
    if (vs_context_create(NULL, &context))
        return -1;
    *state = context;
    return 0;
}

static int drop_context(void **state) {
    vs_context_destroy(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_diagonal_blocks_and_general_matrices_also_after_an_update),
        cmocka_unit_test(inverse_form_of_blocks_is_d_times_solve_of_d),
        cmocka_unit_test(an_indefinite_matrix_is_a_data_error),
    };
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
