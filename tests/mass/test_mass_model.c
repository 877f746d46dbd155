// The mass model: velocities of impulses against dense matrices, free motion, updates, rounding.
#include "kit/compare.h"
#include "kit/fixture.h"
#include "kit/random.h"
#include "dense.h"
#include "mass/mass_model.h"

enum { N = 6, ROWS = 3 };

static uint64_t seed;
static double uniform(void) {
    return random_in(&seed, -1, 1);
}

static void fill(int count, double *x) {
    for (int k = 0; k < count; k++)
        x[k] = uniform();
}

// A full H of 6 unknowns (factored by blocks, or, `general`, as a sparse matrix), one contact, one joint row.
static vs_problem *make_problem(vs_context *context, bool general, double factor) {
    enum { CHAIN = 18 }; // unknowns in a chain: more than a block may have
    const int n = general ? CHAIN : N;
    double H[CHAIN][CHAIN] = {{0}}, c[CHAIN], Dx[ROWS * CHAIN], Cx[CHAIN], b[ROWS], b_e[1], E[ROWS] = {0.25, 0, 0};
    int64_t p[CHAIN + 1], Dp[ROWS + 1], Cp[2] = {0, n};
    int i[CHAIN * CHAIN], Di[ROWS * CHAIN];
    double x[CHAIN * CHAIN];
    const double mu[1] = {0.5};
    seed = 3;
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= j && k >= 0; k++)
            if (j - k <= (general ? 1 : N))
                H[j][k] = H[k][j] = factor * (j == k ? 4.0 + j : uniform() / 2);
    p[0] = 0;
    for (int j = 0; j < n; j++) {
        p[j + 1] = p[j];
        for (int k = 0; k < n; k++)
            if (H[k][j] != 0.0) {
                i[p[j + 1]] = k;
                x[p[j + 1]++] = H[k][j];
            }
    }
    for (int k = 0; k <= ROWS; k++)
        Dp[k] = (int64_t)k * n;
    for (int e = 0; e < ROWS * n; e++)
        Di[e] = e % n;
    fill(n, c);
    fill(ROWS * n, Dx);
    fill(n, Cx);
    fill(ROWS, b);
    fill(1, b_e);
    vs_problem_global_def def = vs_problem_global_def_default();
    def.H = (vs_matrix_view){n, n, p, i, x};
    def.c = c;
    def.Dt = (vs_matrix_view){n, ROWS, Dp, Di, Dx};
    def.b = b, def.mu = mu, def.E = E, def.contacts = 1;
    def.Ct = (vs_matrix_view){n, 1, Cp, Di, Cx};
    def.b_e = b_e;
    vs_problem *problem = NULL;
    assert_int_equal(vs_problem_from_global(context, &def, &problem), VS_OK);
    assert_true(problem->block_diagonal != general);
    return problem;
}

// v, y, r_e against dense matrices; entries of size 1, condition numbers below 10.
static void check_velocities(const vs_problem *problem, const vs_velocities *u, const double *g, const double *l) {
    static dense d;
    dense_init(&d, problem);
    dense_velocities(&d, g, l);
    for (int k = 0; k < problem->n; k++)
        assert_close(u->v[k], d.v[k], 1e-13);
    for (int k = 0; k < problem->m; k++)
        assert_close(u->y[k], d.y[k], 1e-13);
    for (int k = 0; k < problem->m_e; k++)
        assert_close(u->r_e[k], d.r_e[k], 1e-13);
}

static void velocities_of_impulses_are_those_of_dense_matrices(void **state) {
    for (int general = 0; general < 2; general++) {
        vs_problem *problem = make_problem(context_of(state), general, 1.0);
        vs_arena arena;
        vs_arena_init(&arena, context_of(state));
        vs_mass_model mass;
        vs_velocities u;
        assert_int_equal(vs_mass_model_create(&mass, problem, VS_MODEL_EXACT, &arena), VS_OK);
        const double zero[DENSE_MOST] = {0}, g[DENSE_MOST] = {0.75}, l[DENSE_MOST] = {1.5, -0.25, 0.5};
        check_velocities(problem, &mass.free, zero, zero);
        assert_int_equal(vs_velocities_create(&u, problem, true, &arena), VS_OK);
        assert_int_equal(vs_velocities_compute(&u, problem, mass.factor, g, l), VS_OK);
        check_velocities(problem, &u, g, l);
        // p = C'g + D'l - c = H v
        vs_mass_multiply(mass.factor, -1.0, u.v, 1.0, u.p);
        for (int k = 0; k < problem->n; k++)
            assert_close(u.p[k], 0.0, 1e-13);
        vs_mass_model_release(&mass);
        vs_arena_release(&arena);
        vs_problem_destroy(problem);
    }
}

static void an_updated_model_is_a_new_one(void **state) {
    for (int general = 0; general < 2; general++) {
        vs_problem *first = make_problem(context_of(state), general, 1.0),
                   *second = make_problem(context_of(state), general, 3.0);
        vs_arena arena;
        vs_arena_init(&arena, context_of(state));
        vs_mass_model mass, expected;
        assert_int_equal(vs_mass_model_create(&mass, first, VS_MODEL_RELAXED, &arena), VS_OK);
        assert_int_equal(vs_mass_model_create(&expected, second, VS_MODEL_RELAXED, &arena), VS_OK);
        assert_true(mass.scale.contact[0] != expected.scale.contact[0]);
        assert_int_equal(vs_mass_model_update(&mass, second), VS_OK);
        // the same operations: the same bits
        assert_ptr_equal(mass.problem, second);
        assert_memory_equal(mass.scale.row, expected.scale.row, sizeof(double) * ROWS);
        assert_memory_equal(mass.free.v, expected.free.v, sizeof(double) * (size_t)second->n);
        assert_memory_equal(mass.free.y, expected.free.y, sizeof(double) * ROWS);
        assert_memory_equal(mass.free.r_e, expected.free.r_e, sizeof(double));
        vs_mass_model_release(&mass);
        vs_mass_model_release(&expected);
        vs_arena_release(&arena);
        vs_problem_destroy(first);
        vs_problem_destroy(second);
    }
}

// Some eps^2 of the kinetic energy: neither nothing nor as much as eps.
static void rounding_of_the_free_motion_is_of_the_order_of_eps_squared(void **state) {
    for (int general = 0; general < 2; general++) {
        vs_problem *problem = make_problem(context_of(state), general, 1.0);
        vs_arena arena;
        vs_arena_init(&arena, context_of(state));
        vs_mass_model mass;
        assert_int_equal(vs_mass_model_create(&mass, problem, VS_MODEL_RELAXED, &arena), VS_OK);
        assert_int_equal(mass.islands.count, 1);
        double r[DENSE_MOST], z[DENSE_MOST], energy = 0, contact[ROWS] = {0}, joint[1] = {0}, sum = 0;
        const vs_roundings to = {&energy, contact, joint};
        vs_mass_model_add_rounding(&mass, &to);
        assert_int_equal(vs_mass_model_add_factor_rounding(&mass, r, z, &to), VS_OK);
        assert_true(energy > 1e-33 && energy < 1e-27);
        for (int i = 0; i < problem->contacts; i++)
            sum += contact[i];
        assert_true(fabs(sum + joint[0] - energy) < 1e-12 * energy); // parts of the same sum
        vs_mass_model_release(&mass);
        vs_arena_release(&arena);
        vs_problem_destroy(problem);
    }
}

static void the_local_form_has_no_factor_and_its_free_velocity_is_given(void **state) {
    const double matrix[9] = {2, 0, 0, 0, 3, 0, 0, 0, 4}, r[3] = {-1, 0.5, 0.25}, mu[1] = {0.3}, l[3] = {1, 2, 3};
    const int64_t p[4] = {0, 3, 6, 9};
    const int i[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = (vs_matrix_view){3, 3, p, i, matrix};
    def.r = r, def.mu = mu, def.contacts = 1;
    vs_problem *problem = NULL;
    assert_int_equal(vs_problem_from_local(context_of(state), &def, &problem), VS_OK);
    vs_arena arena;
    vs_arena_init(&arena, context_of(state));
    vs_mass_model mass;
    assert_int_equal(vs_mass_model_create(&mass, problem, VS_MODEL_EXACT, &arena), VS_OK);
    assert_null(mass.factor);
    assert_memory_equal(mass.free.y, r, sizeof r);
    // N l + r, exact in binary
    assert_int_equal(vs_velocities_compute(&mass.free, problem, NULL, NULL, l), VS_OK);
    assert_close(mass.free.y[0], 1.0, 0.0);
    assert_close(mass.free.y[1], 6.5, 0.0);
    assert_close(mass.free.y[2], 12.25, 0.0);
    vs_mass_model_release(&mass);
    vs_arena_release(&arena);
    vs_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_of_impulses_are_those_of_dense_matrices),
        cmocka_unit_test(an_updated_model_is_a_new_one),
        cmocka_unit_test(rounding_of_the_free_motion_is_of_the_order_of_eps_squared),
        cmocka_unit_test(the_local_form_has_no_factor_and_its_free_velocity_is_given),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
