// The measures: the rod of the literature, hand-made solutions, units, joints, and random points against a dense
// computation of its own.
#include "kit/compare.h"
#include "kit/fixture.h"
#include "kit/random.h"
#include "dense_measures.h"
#include "measure/measurer.h"

static uint64_t seed;
static double uniform(void) {
    return random_in(&seed, -1, 1);
}

static void fill(int count, double *x) {
    for (int k = 0; k < count; k++)
        x[k] = uniform();
}

static vs_measures measure(const vs_problem *problem, vs_model model, const double *g, const double *l, double *v,
                           double *y) {
    vs_measurer *measurer;
    vs_measures q;
    assert_int_equal(vs_measurer_create(problem, model, &measurer), VS_OK);
    assert_int_equal(vs_measure(measurer, g, l, v, y, &q), VS_OK);
    vs_measurer_destroy(measurer);
    return q;
}

// A contact of one block with the given rows.
static void add_contact(vs_problem_builder *builder, const double *D, double mu, bool frictionless) {
    const int block = 0;
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    contact.blocks = 1;
    contact.block = &block;
    contact.jacobian = (const double *const[]){D};
    contact.mu = mu;
    contact.frictionless = frictionless;
    assert_int_equal(vs_problem_builder_add_contact(builder, &contact, NULL), VS_OK);
}

// ---- hand-made cases -------------------------------------------------------------------------------

// A rod of 1.5 kg and 1.5 m on two points under a moment of 10 N m, h = 0.01 s, no friction.
static void rod_of_the_case_study_has_the_recomputed_errors(void **state) {
    const double m = 1.5, length = 1.5, h = 0.01, I = m * length * length / 12;
    double H[36] = {0}, c[6] = {0, 0, h * m * 9.81, -h * 10, 0, 0}, D[2][6] = {{0}};
    const double diagonal[6] = {m, m, m, I, 1e-3, I};
    for (int k = 0; k < 6; k++)
        H[7 * k] = diagonal[k];
    D[0][2] = D[1][2] = 1;
    D[0][3] = -length / 2;
    D[1][3] = length / 2;
    vs_problem_builder *builder;
    vs_problem *problem;
    assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 6, H, c, NULL), VS_OK);
    add_contact(builder, D[0], 0, true);
    add_contact(builder, D[1], 0, true);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);

    // the guess of the pivoting method: x1 = 0, w2 = 0
    double zero[2] = {0, 0}, y[2];
    measure(problem, VS_MODEL_RELAXED, NULL, zero, NULL, y);
    double x[2] = {0, -y[1] / (4 / m)};
    vs_measures q = measure(problem, VS_MODEL_RELAXED, NULL, x, NULL, y);
    // half a unit of the last digit given
    assert_close(x[1], -0.0632, 5e-5);
    assert_close(y[0], -0.2805, 5e-5);
    assert_close(y[1], 0.0, 1e-15);
    assert_close(y[0] * y[0] / (2 * 4 / m), 1.475e-2, 5e-6);
    assert_close(q.energy_error, 1.475e-2 + 5.33e-3, 1e-5);
    // both literature residuals: |w1| and |x2| are the errors, 2-norm
    assert_relative(q.natural_residual, hypot(y[0], x[1]), 1e-14);
    assert_relative(q.cone_violation, -x[1], 1e-15);
    assert_relative(q.dual_violation, -y[0], 1e-15);
    vs_problem_destroy(problem);
}

// 4 kg on four corners, h g = 0.5 m/s: 0.5 N s each, no motion. Numbers are exact in binary, so is zero.
static void box_at_rest_on_four_contacts_has_no_error_in_any_model(void **state) {
    double H[36] = {0}, c[6] = {0, 0, 4 * 0.5, 0, 0, 0}, l[12] = {0}, y[12], v[6];
    for (int k = 0; k < 6; k++)
        H[7 * k] = k < 3 ? 4.0 : 0.5;
    vs_problem_builder *builder;
    vs_problem *problem;
    assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 6, H, c, NULL), VS_OK);
    for (int k = 0; k < 4; k++) {
        double x = k & 1 ? 0.5 : -0.5, yy = k & 2 ? 0.25 : -0.25, z = -0.125;
        // rows n = e_z, u = e_x, w = e_y; angular part r x t
        const double D[18] = {0, 0, 1, yy, -x, 0, 1, 0, 0, 0, z, -yy, 0, 1, 0, -z, 0, x};
        add_contact(builder, D, 0.5, false);
        l[3 * k] = 0.5;
    }
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    for (int model = VS_MODEL_RELAXED; model <= VS_MODEL_EXACT; model++) {
        vs_measures q = measure(problem, (vs_model)model, NULL, l, v, y);
        assert_close(q.energy_error, 0.0, 0.0);
        assert_close(q.natural_map_relative, 0.0, 0.0);
        assert_close(q.natural_residual, 0.0, 0.0);
        assert_close(q.fischer_burmeister, 0.0, 0.0);
        assert_close(q.complementarity, 0.0, 0.0);
        assert_close(q.impulse_balance, 0.0, 0.0);
        assert_close(v[2], 0.0, 0.0);
        assert_true(q.energy_scale > 0.1);
        assert_true(model == VS_MODEL_EXACT ? isnan(q.duality_gap) : q.duality_gap == 0.0);
        // lifting one corner is an error
        l[0] = 0.25;
        assert_true(measure(problem, (vs_model)model, NULL, l, NULL, NULL).energy_error > 1e-3);
        l[0] = 0.5;
    }
    vs_problem_destroy(problem);
}

// 2 kg sliding at 3 m/s along x, h g = 0.5 m/s, mu = 0.5. Exact: l_n = 1 N s, no lift. Relaxed: y_n = mu |y_T| makes
// (L-1)/2 = mu (3 - mu L/2), L = 3.2 N s.
static void sliding_block_solves_its_own_model_and_not_the_other(void **state) {
    const double H[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, c[3] = {-6, 0, 1}, D[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    const double exact[3] = {1, -0.5, 0}, relaxed[3] = {3.2, -1.6, 0};
    vs_problem_builder *builder;
    vs_problem *problem;
    assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 3, H, c, NULL), VS_OK);
    add_contact(builder, D, 0.5, false);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);

    double y[3];
    vs_measures q = measure(problem, VS_MODEL_EXACT, NULL, exact, NULL, y);
    // roundoff of numbers below 10
    assert_close(q.energy_error, 0.0, 1e-29);
    assert_close(q.natural_map_relative, 0.0, 1e-15);
    assert_close(q.complementarity, 0.0, 1e-14);
    assert_close(q.fischer_burmeister, 0.0, 1e-14);
    assert_close(q.dual_violation, 0.0, 1e-14);
    assert_close(y[0], 0.0, 1e-15); // not shifted by mu |y_T|
    assert_close(y[1], 2.75, 1e-15);
    assert_true(isnan(q.duality_gap));
    assert_true(measure(problem, VS_MODEL_RELAXED, NULL, exact, NULL, NULL).energy_error > 0.1);

    q = measure(problem, VS_MODEL_RELAXED, NULL, relaxed, NULL, y);
    assert_close(q.energy_error, 0.0, 1e-29);
    assert_close(q.natural_map_relative, 0.0, 1e-15);
    assert_close(q.duality_gap, 0.0, 1e-14);
    assert_close(q.fischer_burmeister, 0.0, 1e-14);
    assert_close(y[0], 1.1, 1e-15);
    assert_true(measure(problem, VS_MODEL_EXACT, NULL, relaxed, NULL, NULL).energy_error > 0.1);

    // without friction it slides on
    const double normal[3] = {1, 0, 0};
    q = measure(problem, VS_MODEL_FRICTIONLESS, NULL, normal, NULL, y);
    assert_close(q.energy_error, 0.0, 0.0);
    assert_close(q.natural_residual, 0.0, 0.0);
    assert_close(y[1], 3.0, 0.0);
    const double pulled[3] = {-1, 0, 0};
    assert_close(measure(problem, VS_MODEL_FRICTIONLESS, NULL, pulled, NULL, NULL).cone_violation, 1.0, 0.0);
    vs_problem_destroy(problem);
}

// ---- random problems -------------------------------------------------------------------------------

enum { BLOCKS = 3 };
static const int dofs[BLOCKS] = {6, 6, 3};

// Dense jacobians of `rows` rows for two blocks.
typedef struct pair_jacobian {
    int block[2];
    double x[2][18];
    const double *p[2];
} pair_jacobian;

static void fill_pair(pair_jacobian *J, int rows, int k) {
    J->block[0] = k % BLOCKS;
    J->block[1] = (k + 1) % BLOCKS;
    for (int j = 0; j < 2; j++) {
        fill(rows * dofs[J->block[j]], J->x[j]);
        J->p[j] = J->x[j];
    }
}

// Three bodies, five contacts (one with mu = 0, one frictionless), a box of two rows, two joints; compliances.
// Masses are multiplied by `factor`.
static vs_problem *make_random(vs_context *context, bool joints, double factor) {
    seed = 12345;
    vs_problem_builder *builder;
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    for (int k = 0; k < BLOCKS; k++) {
        double H[36], c[6];
        int n = dofs[k];
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                H[i * n + j] = H[j * n + i] = factor * (i == j ? 4.0 + 3.0 * k : 0.0) + factor * uniform() / 2;
        fill(n, c);
        for (int i = 0; i < n; i++)
            c[i] *= factor;
        assert_int_equal(vs_problem_builder_add_block(builder, n, H, c, NULL), VS_OK);
    }
    pair_jacobian J;
    for (int k = 0; k < 5; k++) {
        fill_pair(&J, 3, k);
        vs_problem_contact_def contact = vs_problem_contact_def_default();
        contact.blocks = 2;
        contact.block = J.block;
        contact.jacobian = J.p;
        fill(3, contact.b);
        contact.mu = 0.4 * (k % 3);
        contact.frictionless = k == 4;
        contact.compliance = 0.1 * k / factor;
        assert_int_equal(vs_problem_builder_add_contact(builder, &contact, NULL), VS_OK);
    }
    double b[3], lo[2] = {-0.5 * factor, 0.25 * factor}, hi[2] = {0.5 * factor, 0.75 * factor},
                 compliance[3] = {0.5 / factor, 0, 0.25 / factor};
    fill_pair(&J, 2, 1);
    fill(2, b);
    vs_problem_box_def bounds = vs_problem_box_def_default();
    bounds.rows = bounds.blocks = 2;
    bounds.block = J.block;
    bounds.jacobian = J.p;
    bounds.b = b;
    bounds.lo = lo;
    bounds.hi = hi;
    bounds.compliance = compliance;
    assert_int_equal(vs_problem_builder_add_box(builder, &bounds, NULL), VS_OK);
    for (int k = 0; k < (joints ? 2 : 0); k++) {
        vs_problem_joint_def joint = vs_problem_joint_def_default();
        joint.rows = k == 0 ? 3 : 1;
        fill_pair(&J, joint.rows, k);
        fill(joint.rows, b);
        joint.blocks = 2;
        joint.block = J.block;
        joint.jacobian = J.p;
        joint.b = b;
        joint.compliance = compliance;
        assert_int_equal(vs_problem_builder_add_joint(builder, &joint, NULL), VS_OK);
    }
    vs_problem *problem;
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    return problem;
}

// The library's measures of a few random impulses against the dense ones.
static void compare_with_dense(const vs_problem *problem) {
    static dense d;
    double g[DENSE_MOST] = {0}, l[DENSE_MOST] = {0}, v[DENSE_MOST], y[DENSE_MOST];
    dense_init(&d, problem);
    for (int model = VS_MODEL_RELAXED; model <= VS_MODEL_EXACT; model++) {
        memset(g, 0, sizeof g);
        memset(l, 0, sizeof l);
        vs_measures nothing = dense_measure(&d, (vs_model)model, g, l, 0.0), q, e;
        for (int round = 0; round < 4; round++) {
            q = measure(problem, (vs_model)model, g, l, v, y);
            e = dense_measure(&d, (vs_model)model, g, l, nothing.energy_scale);
            // condition numbers below 1e3, sums of 1e3 terms of size 1
            const double tolerance = 1e-11;
            for (int k = 0; k < problem->m; k++)
                assert_close(y[k], d.y[k], tolerance);
            for (int k = 0; k < problem->n; k++)
                assert_close(v[k], d.v[k], tolerance);
            assert_relative(q.energy_error, e.energy_error, tolerance);
            assert_relative(q.energy_scale, nothing.energy_error, tolerance);
            assert_relative(q.natural_map_relative, e.natural_map_relative, tolerance);
            assert_close(q.complementarity, e.complementarity, tolerance);
            assert_close(q.cone_violation, e.cone_violation, tolerance);
            assert_close(q.dual_violation, e.dual_violation, tolerance);
            assert_relative(q.joint_error_energy, e.joint_error_energy, tolerance);
            assert_relative(q.joint_error_velocity, e.joint_error_velocity, tolerance);
            assert_true(isnan(q.duality_gap) == isnan(e.duality_gap));
            if (!isnan(e.duality_gap))
                assert_close(q.duality_gap, e.duality_gap, tolerance);
            assert_true(q.impulse_balance < 1e-25);
            fill(problem->m_e, g);
            fill(problem->m, l);
        }
    }
}

static void random_points_agree_with_dense_computation(void **state) {
    for (int joints = 0; joints < 2; joints++) {
        vs_problem *problem = make_random(context_of(state), joints, 1.0);
        assert_true(problem->block_diagonal);
        compare_with_dense(problem);
        vs_problem_destroy(problem);
    }
}

// BLOCKWISE: 3 of 5 unknowns. COUPLED: a full H. SKEW: full and far from symmetric. TRIANGLE: the upper one of
// BLOCKWISE.
typedef enum mass_kind { BLOCKWISE, COUPLED, SKEW, TRIANGLE, MASS_KINDS } mass_kind;

static double mass_entry(mass_kind kind, int i, int j, double x) {
    bool inside = i / 5 == j / 5;
    if (i == j)
        return 5.0 + i;
    if (kind == BLOCKWISE)
        return inside ? x : 0.0;
    if (kind == TRIANGLE)
        return inside && i < j ? x : 0.0;
    return kind == SKEW && i < j ? -3.0 * x : x;
}

// H of 15 unknowns, 4 contacts and 2 joint rows; all but BLOCKWISE through the sparse factor.
static vs_problem *make_global(vs_context *context, mass_kind kind, bool joints) {
    enum { N = 15, M = 12 };
    static int64_t Hp[N + 1], Dp[M + 1], Cp[3];
    static int Hi[N * N], Di[N * M], Ci[2 * N];
    static double Hx[N * N], c[N], Dx[N * M], b[M], E[M], mu[4], Cx[2 * N], b_e[2], A[N][N];
    seed = 99;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            double x = uniform() / 2;
            A[i][j] = mass_entry(kind, i, j, x);
            A[j][i] = mass_entry(kind, j, i, x);
        }
    for (int j = 0; j < N; j++) {
        Hp[j + 1] = Hp[j];
        for (int i = 0; i < N; i++)
            if (A[i][j] != 0.0) {
                Hi[Hp[j + 1]] = i;
                Hx[Hp[j + 1]++] = A[i][j];
            }
    }
    for (int j = 0; j <= M; j++)
        Dp[j] = j * N;
    for (int e = 0; e < N * M; e++)
        Di[e] = e % N;
    for (int j = 0; j <= 2; j++)
        Cp[j] = j * N;
    for (int e = 0; e < 2 * N; e++)
        Ci[e] = e % N;
    fill(N * M, Dx);
    fill(2 * N, Cx);
    fill(N, c);
    fill(M, b);
    fill(2, b_e);
    for (int k = 0; k < 4; k++) {
        E[3 * k] = 0.2 * k;
        mu[k] = 0.3 * k;
    }
    vs_problem_global_def def = vs_problem_global_def_default();
    def.H = (vs_matrix_view){N, N, Hp, Hi, Hx};
    def.c = c;
    def.Dt = (vs_matrix_view){N, M, Dp, Di, Dx};
    def.b = b;
    def.mu = mu;
    def.E = E;
    def.contacts = 4;
    if (joints) {
        def.Ct = (vs_matrix_view){N, 2, Cp, Ci, Cx};
        def.b_e = b_e;
    }
    vs_problem *problem;
    assert_int_equal(vs_problem_from_global(context, &def, &problem), VS_OK);
    return problem;
}

static void random_points_agree_with_dense_computation_for_coupled_masses(void **state) {
    for (mass_kind kind = BLOCKWISE; kind < MASS_KINDS; kind++) {
        vs_problem *problem = make_global(context_of(state), kind, true);
        assert_true(problem->block_diagonal == (kind == BLOCKWISE));
        assert_true(problem->symmetric == (kind <= COUPLED));
        compare_with_dense(problem);
        vs_problem_destroy(problem);
    }
}

// N and r made densely from the global problem, given as a local one.
static vs_problem *condense(vs_context *context, const vs_problem *global, double skew) {
    static dense d;
    static int64_t p[DENSE_MOST + 1];
    static int i[DENSE_MOST * DENSE_MOST];
    static double x[DENSE_MOST * DENSE_MOST], zero[DENSE_MOST];
    int m = global->m;
    dense_init(&d, global);
    dense_velocities(&d, zero, zero);
    for (int k = 0; k < m; k++) {
        p[k + 1] = (int64_t)(k + 1) * m;
        for (int j = 0; j < m; j++) {
            // symmetric to the last bit
            x[k * m + j] = d.N[j < k ? j : k][j < k ? k : j] + (j == k + 1 ? skew : 0.0);
            i[k * m + j] = j;
        }
    }
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = (vs_matrix_view){m, m, p, i, x};
    def.r = d.y;
    def.mu = global->mu;
    def.contacts = global->contacts;
    vs_problem *local;
    assert_int_equal(vs_problem_from_local(context, &def, &local), VS_OK);
    return local;
}

static void condensed_local_form_measures_the_same(void **state) {
    vs_problem *global = make_global(context_of(state), BLOCKWISE, false),
               *local = condense(context_of(state), global, 0.0);
    compare_with_dense(local);
    double l[DENSE_MOST];
    for (int model = VS_MODEL_RELAXED; model <= VS_MODEL_EXACT; model++) {
        fill(global->m, l);
        vs_measures a = measure(global, (vs_model)model, NULL, l, NULL, NULL),
                    b = measure(local, (vs_model)model, NULL, l, NULL, NULL);
        // roundoff of the condensation
        assert_relative(a.energy_error, b.energy_error, 1e-12);
        assert_relative(a.energy_scale, b.energy_scale, 1e-12);
        assert_relative(a.natural_map_relative, b.natural_map_relative, 1e-12);
        assert_relative(a.natural_residual, b.natural_residual, 1e-12);
        assert_relative(a.fischer_burmeister, b.fischer_burmeister, 1e-12);
        assert_relative(a.cone_violation, b.cone_violation, 1e-12);
        assert_relative(a.dual_violation, b.dual_violation, 1e-12);
        if (model != VS_MODEL_EXACT)
            assert_relative(a.duality_gap, b.duality_gap, 1e-11);
        assert_close(b.impulse_balance, 0.0, 0.0);
    }
    vs_problem_destroy(local);
    local = condense(context_of(state), global, 1e-3);
    assert_true(isnan(measure(local, VS_MODEL_RELAXED, NULL, l, NULL, NULL).duality_gap));
    vs_problem_destroy(local);
    vs_problem_destroy(global);
}

// Heavier by 2^20: the same motion by impulses 2^20 times larger. A power of two changes no bit but the exponent.
static void energies_grow_with_the_masses_and_ratios_do_not(void **state) {
    const double factor = 1048576.0;
    vs_problem *light = make_random(context_of(state), true, 1.0),
               *heavy = make_random(context_of(state), true, factor);
    double l[DENSE_MOST], g[DENSE_MOST], big_l[DENSE_MOST], big_g[DENSE_MOST];
    fill(light->m, l);
    fill(light->m_e, g);
    for (int k = 0; k < light->m; k++)
        big_l[k] = factor * l[k];
    for (int k = 0; k < light->m_e; k++)
        big_g[k] = factor * g[k];
    for (int model = VS_MODEL_RELAXED; model <= VS_MODEL_EXACT; model++) {
        vs_measures a = measure(light, (vs_model)model, g, l, NULL, NULL),
                    b = measure(heavy, (vs_model)model, big_g, big_l, NULL, NULL);
        // a few roundings, should a projection scale its argument
        assert_relative(b.energy_error, factor * a.energy_error, 1e-14);
        assert_relative(b.energy_scale, factor * a.energy_scale, 1e-14);
        assert_relative(b.complementarity, factor * a.complementarity, 1e-13);
        assert_relative(b.joint_error_energy, factor * a.joint_error_energy, 1e-14);
        assert_relative(b.joint_error_velocity, a.joint_error_velocity, 1e-14);
        assert_relative(b.dual_violation, a.dual_violation, 1e-14);
        assert_relative(b.cone_violation, factor * a.cone_violation, 1e-14);
        if (model != VS_MODEL_EXACT)
            assert_relative(b.duality_gap, factor * a.duality_gap, 1e-13);
    }
    vs_problem_destroy(light);
    vs_problem_destroy(heavy);
}

// ---- the object ------------------------------------------------------------------------------------

// Borrowed or own mass model, updated or new: the same operations.
static void a_measurer_on_an_updated_mass_model_is_a_new_one(void **state) {
    const mass_kind kinds[] = {BLOCKWISE, COUPLED, SKEW, TRIANGLE};
    for (int general = 0; general < 4; general++) {
        vs_problem *first =
            general ? make_global(context_of(state), kinds[general], true) : make_random(context_of(state), true, 1.0);
        vs_problem *second =
            general ? make_global(context_of(state), kinds[general], true) : make_random(context_of(state), true, 3.0);
        for (int k = 0; general && k < second->n; k++)
            second->c[k] += 1.0;
        for (int64_t e = 0; general && e < second->H.p[second->n]; e++)
            second->H.x[e] *= 1.25;
        double l[DENSE_MOST], g[DENSE_MOST];
        fill(first->m, l);
        fill(first->m_e, g);
        vs_arena arena;
        vs_arena_init(&arena, context_of(state));
        vs_mass_model mass;
        vs_measurer *measurer;
        vs_measures q, expected = measure(second, VS_MODEL_RELAXED, g, l, NULL, NULL);
        assert_int_equal(vs_mass_model_create(&mass, first, VS_MODEL_RELAXED, &arena), VS_OK);
        assert_int_equal(vs_measurer_borrow(&mass, &measurer), VS_OK);
        assert_int_equal(vs_mass_model_update(&mass, second), VS_OK);
        assert_int_equal(vs_measurer_update(measurer), VS_OK);
        assert_int_equal(vs_measure(measurer, g, l, NULL, NULL, &q), VS_OK);
        // the same operations: the same bits
        assert_memory_equal(&q, &expected, sizeof q);
        vs_measurer_destroy(measurer);
        vs_mass_model_release(&mass);
        vs_arena_release(&arena);
        vs_problem_destroy(first);
        vs_problem_destroy(second);
    }
}

// A light body on a heavy one, both falling with the speed v; of the light one's impulse a part is missing.
static vs_measures measure_stack(vs_context *context, double heavy, double light, double v, double missing) {
    const double H[2] = {heavy, light}, c[2] = {heavy * v, light * v}, up = 1, down = -1;
    const double l[2] = {(heavy + light) * v, light * v * (1 - missing)};
    vs_problem_builder *builder;
    vs_problem *problem;
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    for (int k = 0; k < 2; k++) {
        vs_problem_contact_def contact = vs_problem_contact_def_default();
        assert_int_equal(vs_problem_builder_add_block(builder, 1, &H[k], &c[k], NULL), VS_OK);
        contact.frictionless = true;
        contact.blocks = k + 1, contact.block = (const int[]){k, 0};
        contact.jacobian = (const double *const[]){&up, &down};
        assert_int_equal(vs_problem_builder_add_contact(builder, &contact, NULL), VS_OK);
    }
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    vs_measures q = measure(problem, VS_MODEL_EXACT, NULL, l, NULL, NULL);
    vs_problem_destroy(problem);
    return q;
}

// Without its impulse the light body falls through, with an energy that is nothing beside that of the heavy one.
static void a_heavy_body_does_not_hide_a_light_one(void **state) {
    const double unit[] = {1, 1e-6, 1e6};
    for (int k = 0; k < 9; k++) {
        double mass = unit[k % 3], v = unit[k / 3];
        vs_measures even = measure_stack(context_of(state), mass, mass, v, 1);
        assert_true(even.relative_error > .5);
        // Two digits less than of an island, whatever the masses and units.
        vs_measures q = measure_stack(context_of(state), 1e9 * mass, 1e-9 * mass, v, 1);
        assert_near("all missing", q.relative_error, 1e-2, 1e-8);
        q = measure_stack(context_of(state), 1e9 * mass, 1e-9 * mass, v, 1e-3);
        assert_near("a thousandth missing", q.relative_error, 1e-5, 1e-8);
        assert_true(fabs(sqrt(q.island_error / q.island_reference) - q.relative_error) < 1e-12);
        q = measure_stack(context_of(state), 1e9 * mass, 1e-9 * mass, v, 0);
        assert_near("none missing", q.relative_error, 0, 1e-12);
    }
}

static void impulses_that_are_not_numbers_are_infinitely_wrong(void **state) {
    vs_problem *problem = make_random(context_of(state), true, 1.0);
    double l[DENSE_MOST] = {0}, g[DENSE_MOST] = {0};
    for (int k = 0; k < problem->m; k++) {
        l[k] = k % 2 ? NAN : INFINITY;
        vs_measures q = measure(problem, VS_MODEL_RELAXED, g, l, NULL, NULL);
        assert_true(q.energy_error == INFINITY && q.natural_map_relative == INFINITY && isfinite(q.energy_scale));
        l[k] = 0.0;
    }
    g[1] = NAN;
    assert_true(measure(problem, VS_MODEL_EXACT, g, l, NULL, NULL).energy_error == INFINITY);
    vs_problem_destroy(problem);
}

static void misuse_is_an_error(void **state) {
    vs_problem *problem = make_random(context_of(state), true, 1.0);
    double l[DENSE_MOST] = {0}, g[DENSE_MOST] = {0};
    vs_measurer *measurer = NULL;
    vs_measures q;
    assert_int_equal(vs_measurer_create(NULL, VS_MODEL_EXACT, &measurer), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_measurer_create(problem, (vs_model)7, &measurer), VS_ERROR_ARGUMENT);
    assert_null(measurer);
    assert_int_equal(vs_measurer_create(problem, VS_MODEL_EXACT, &measurer), VS_OK);
    assert_int_equal(vs_measure(measurer, NULL, l, NULL, NULL, &q), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_measure(measurer, g, NULL, NULL, NULL, &q), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_measure(measurer, g, l, NULL, NULL, NULL), VS_ERROR_ARGUMENT);
    vs_measurer_destroy(measurer);
    vs_measurer_destroy(NULL);
    vs_problem_destroy(problem);
}

static void every_failed_allocation_is_reported_and_leaks_nothing(void **state) {
    fixture *f = *state;
    const mass_kind kinds[] = {BLOCKWISE, COUPLED, SKEW};
    for (int general = 0; general < 3; general++) {
        vs_problem *problem =
            general ? make_global(f->context, kinds[general], true) : make_random(f->context, true, 1.0);
        int before = f->m.alive, failures = 0;
        for (vs_error error = VS_ERROR_MEMORY; error; failures++) {
            vs_measurer *measurer;
            refuse_calls_from(&f->m, failures);
            error = vs_measurer_create(problem, VS_MODEL_RELAXED, &measurer);
            assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
            if (!error) {
                // measuring allocates nothing
                double l[DENSE_MOST] = {0}, g[DENSE_MOST] = {0};
                vs_measures q;
                refuse_calls_from(&f->m, 0);
                assert_int_equal(vs_measure(measurer, g, l, NULL, NULL, &q), VS_OK);
                vs_measurer_destroy(measurer);
            }
            assert_int_equal(f->m.alive, before);
        }
        assert_true(failures > 1);
        refuse_none(&f->m);
        vs_problem_destroy(problem);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rod_of_the_case_study_has_the_recomputed_errors),
        cmocka_unit_test(box_at_rest_on_four_contacts_has_no_error_in_any_model),
        cmocka_unit_test(sliding_block_solves_its_own_model_and_not_the_other),
        cmocka_unit_test(random_points_agree_with_dense_computation),
        cmocka_unit_test(random_points_agree_with_dense_computation_for_coupled_masses),
        cmocka_unit_test(condensed_local_form_measures_the_same),
        cmocka_unit_test(energies_grow_with_the_masses_and_ratios_do_not),
        cmocka_unit_test(a_measurer_on_an_updated_mass_model_is_a_new_one),
        cmocka_unit_test(a_heavy_body_does_not_hide_a_light_one),
        cmocka_unit_test(impulses_that_are_not_numbers_are_infinitely_wrong),
        cmocka_unit_test(misuse_is_an_error),
        cmocka_unit_test(every_failed_allocation_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
