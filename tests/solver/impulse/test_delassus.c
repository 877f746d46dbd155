// The Delassus matrix against J H^-1 J' in the user's units: every column by a dense solve with the user's H, every
// entry undone by the row scales. Pattern: whole blocks, symmetric, ascending.
#include "solver/parts.h"

// Between two ways of computing: the condition of H (at most 100 here) times a few rounding errors.
static const double within = 1e-13;

// ---- the reference -----------------------------------------------------------------------------------------

// The user's Jacobian of a stacked row, dense (n), and the row's scale.
static double jacobian_row(const vs_scaled *s, int i, double *x) {
    dense_row(i < s->m_e ? &s->problem->C : &s->problem->D, i < s->m_e ? i : s->source[i - s->m_e], x);
    return i < s->m_e ? s->S_e[i] : s->S[i - s->m_e];
}

// (m_e + m)^2 in the scaled rows, of the global form.
static double *reference_global(const vs_scaled *s) {
    const vs_problem *problem = s->problem;
    int n = problem->n, size = s->m_e + s->m;
    double *H = make_doubles((int64_t)n * n), *x = make_doubles(n), *row = make_doubles(n);
    double *N = make_doubles((int64_t)size * size);
    int *pivot = calloc((size_t)n, sizeof *pivot);
    for (int j = 0; j < n; j++)
        for (int64_t t = problem->H.p[j]; t < problem->H.p[j + 1]; t++)
            H[problem->H.i[t] * n + j] = problem->H.x[t];
    assert_true(dense_factor(n, H, pivot) > 0);
    for (int j = 0; j < size; j++) {
        double scale_j = jacobian_row(s, j, x);
        dense_solve(n, H, pivot, x);
        for (int i = 0; i < size; i++) {
            double scale_i = jacobian_row(s, i, row);
            for (int k = 0; k < n; k++)
                N[i * size + j] += row[k] * x[k] / (scale_i * scale_j);
        }
    }
    free(H), free(x), free(row), free(pivot);
    return N;
}

static double *reference_local(const vs_scaled *s) {
    const vs_sparse *A = &s->problem->N;
    double *N = make_doubles((int64_t)s->m * s->m);
    for (int j = 0; j < s->m; j++)
        for (int i = 0; i < s->m; i++)
            for (int64_t t = A->p[s->source[j]]; t < A->p[s->source[j] + 1]; t++)
                if (A->i[t] == s->source[i])
                    N[i * s->m + j] = A->x[t] / (s->S[i] * s->S[j]);
    return N;
}

// ---- checks ------------------------------------------------------------------------------------------------

static bool has_block(const vs_rows *N, int g, int col) {
    for (int64_t t = N->start[g]; t < N->start[g + 1]; t++)
        if (N->col[t] == col)
            return true;
    return false;
}

static void check_pattern(const vs_delassus *d) {
    const vs_rows *N = &d->N;
    const vs_scaled *s = d->problem;
    assert_int_equal(N->groups, s->m_e + s->cones);
    assert_int_equal(N->rows, s->m_e + s->m);
    assert_int_equal(N->row[N->groups], N->rows);
    for (int g = 0; g < N->groups; g++) {
        int first = N->row[g], rows = N->row[g + 1] - first;
        assert_int_equal(rows, g >= s->m_e && s->kind[g - s->m_e] == VS_CONE_SECOND_ORDER ? 3 : 1);
        assert_true(has_block(N, g, first));
        for (int k = first; k < first + rows; k++)
            assert_int_equal(d->group_of[k], g);
        for (int64_t t = N->start[g]; t < N->start[g + 1]; t++) {
            int col = N->col[t], h = d->group_of[col];
            assert_true(t == N->start[g] || N->col[t - 1] < col);
            assert_int_equal(vs_delassus_find(N, g, col), t - N->start[g]);
            assert_true(has_block(N, h, first));
            for (int k = N->row[h]; k < N->row[h + 1]; k++)
                assert_true(has_block(N, g, k));
        }
        assert_int_equal(N->value[g + 1] - N->value[g], rows * (N->start[g + 1] - N->start[g]));
    }
}

static void check_values(const char *what, const vs_delassus *d, double *reference) {
    int size = d->N.rows;
    double *row = make_doubles(size);
    for (int i = 0; i < size; i++) {
        dense_row(&d->N, i, row);
        for (int j = 0; j < size; j++) {
            double expected = reference[i * size + j];
            double scale = sqrt(reference[i * size + i] * reference[j * size + j]);
            if (!(fabs(row[j] - expected) <= within * scale))
                fail_msg("%s: N[%d][%d] = %.17g, expected %.17g", what, i, j, row[j], expected);
        }
    }
    free(row), free(reference);
}

// Takes the problem over.
static void check_problem(const char *what, vs_problem *problem) {
    parts *p = take_apart(problem);
    const vs_delassus *d = &p->islands.delassus;
    check_pattern(d);
    check_values(what, d, problem->local ? reference_local(&p->run.scaled) : reference_global(&p->run.scaled));
    put_away(p);
}

// ---- forms -------------------------------------------------------------------------------------------------

static recipe sample(uint64_t seed, int dofs) {
    recipe r = {.seed = seed, .bodies = 5, .dofs = dofs, .friction = 5, .smooth = 2, .joints = 3, .bounds = 2};
    r.mu = .6, r.compliant = seed % 2; // compliance is no part of N
    return r;
}

static void bodies_joints_and_every_kind_of_row(void **state) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        recipe r = sample(seed, seed % 3 ? 6 : 3);
        scene s = make_random(&r);
        check_problem("bodies", must_build(context_of(state), &s));
        free_scene(&s);
    }
}

// Friction of zero leaves a normal row; a box without an interior is given and no row of N.
static void rows_that_are_dropped_leave_no_trace(void **state) {
    recipe r = sample(7, 6);
    scene s = make_random(&r);
    int dropped = 0;
    for (int k = 0; k < s.links; k++) {
        if (s.link[k].kind == FRICTION && k % 2) {
            s.link[k].mu = 0;
            dropped += 2;
        } else if (s.link[k].kind == BOUNDS) {
            s.link[k].lo[0] = s.link[k].hi[0];
            dropped++;
        }
    }
    parts *p = take_scene_apart(context_of(state), &s);
    assert_int_equal(p->run.scaled.m, p->problem->m - dropped);
    put_away(p);
    check_problem("dropped rows", must_build(context_of(state), &s));
    free_scene(&s);
}

static void general_mass_matrix(void **state) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        vs_problem *problem = make_general(context_of(state), false, seed);
        assert_false(problem->block_diagonal);
        check_problem("general H", problem);
    }
}

// Rows of N are J H^-1, columns J': one way round only. The other would be H^-T.
static void unsymmetric_mass_matrix_is_not_transposed(void **state) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        vs_problem *problem = make_general(context_of(state), true, seed);
        assert_false(problem->symmetric);
        parts *p = take_apart(problem);
        const vs_scaled *s = &p->run.scaled;
        double *N = reference_global(s), most = 0;
        int size = s->m_e + s->m;
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                most = fmax(most, fabs(N[i * size + j] - N[j * size + i]));
        assert_true(most > .01); // the test can tell
        check_values("unsymmetric H", &p->islands.delassus, N);
        put_away(p);
    }
}

static void local_form_is_taken_as_it_is(void **state) {
    for (uint64_t seed = 1; seed <= 3; seed++)
        check_problem("local form", make_local(context_of(state), seed));
}

// ---- update ------------------------------------------------------------------------------------------------

// To other values on the same pattern: the same bits as when created again. Takes both problems over.
static void check_update(vs_problem *from, vs_problem *to) {
    parts *p = take_apart(from), *fresh = take_apart(to);
    const vs_rows *N = &p->islands.delassus.N, *M = &fresh->islands.delassus.N;
    assert_int_equal(N->value[N->groups], M->value[M->groups]);
    size_t bytes = sizeof(double) * (size_t)N->value[N->groups];
    assert_memory_not_equal(N->x, M->x, bytes);
    assert_int_equal(vs_method_run_update(&p->run, to), VS_OK);
    vs_delassus_update(&p->islands.delassus);
    assert_memory_equal(N->x, M->x, bytes);
    put_away(p), put_away(fresh);
}

static void update_equals_a_new_matrix(void **state) {
    recipe r = sample(11, 6);
    scene s = make_random(&r), other = copy_scene(&s);
    uint64_t seed = 5;
    for (int k = 0; k < other.links; k++) {
        other.link[k].mu *= random_in(&seed, .5, 2);
        for (int a = 0; a < other.link[k].blocks; a++)
            for (int t = 0; t < 36; t++)
                other.link[k].J[a][t] *= random_in(&seed, .5, 2);
    }
    for (int k = 0; k < other.bodies; k++)
        for (int t = 0; t < 36; t++)
            other.body[k].H[t] *= 1 + k;
    check_update(must_build(context_of(state), &s), must_build(context_of(state), &other));
    free_scene(&s), free_scene(&other);
    for (int unsymmetric = 0; unsymmetric < 2; unsymmetric++)
        check_update(make_general(context_of(state), unsymmetric, 1), make_general(context_of(state), unsymmetric, 2));
    check_update(make_local(context_of(state), 1), make_local(context_of(state), 2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_joints_and_every_kind_of_row),
        cmocka_unit_test(rows_that_are_dropped_leave_no_trace),
        cmocka_unit_test(general_mass_matrix),
        cmocka_unit_test(unsymmetric_mass_matrix_is_not_transposed),
        cmocka_unit_test(local_form_is_taken_as_it_is),
        cmocka_unit_test(update_equals_a_new_matrix),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
