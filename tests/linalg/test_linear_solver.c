// Linear solvers: every built backend on every kind of matrix that it claims.
#include <pthread.h>

#include "linalg/blas.h"
#include "matrices.h"
#include "kit/fixture.h"

static bool claims(const vs_linear_backend *backend, matrix_kind kind) {
    switch (kind) {
    case DEFINITE:
        return backend->symmetric;
    case QUASI_DEFINITE:
        return backend->symmetric && backend->indefinite;
    default:
        return backend->unsymmetric;
    }
}

// Backward error of a stable factorization: growth times n times the unit roundoff (1e-16, 6e-8), far below this.
static double tolerance(const vs_linear_backend *backend) {
    return backend->single ? 1e-5 : 1e-12;
}

static vs_linear_solver *create(vs_context *context, const vs_linear_backend *backend, const matrix *A) {
    vs_linear_pattern pattern = pattern_of(A);
    vs_linear_solver *solver;
    assert_int_equal(vs_linear_solver_create(context, backend, &pattern, &solver), VS_OK);
    return solver;
}

static double *make_rhs(int n, uint64_t seed) {
    double *b = malloc((size_t)n * sizeof *b);
    for (int k = 0; k < n; ++k)
        b[k] = random_in(&seed, -1, 1);
    return b;
}

static void assert_solves(vs_linear_solver *solver, const matrix *A) {
    double *b = make_rhs(A->n, 3), *x = make_rhs(A->n, 3);
    assert_int_equal(vs_linear_solver_solve(solver, x), VS_OK);
    assert_true(backward_error(A, x, b) <= tolerance(solver->backend));
    free(b);
    free(x);
}

static void assert_reports(const vs_linear_solver *solver, const matrix *A) {
    const vs_linear_report *report = &solver->report;
    assert_true(report->fill >= A->n && report->bytes > 0 && report->flops >= 0 && report->analyse_seconds >= 0);
    assert_int_equal(report->perturbed, 0);
    assert_int_equal(report->sign_det, A->negative % 2 ? -1 : 1);
    if (A->kind != UNSYMMETRIC) {
        assert_int_equal(report->positive, A->n - A->negative);
        assert_int_equal(report->negative, A->negative);
    } else {
        assert_int_equal(report->positive, -1);
        assert_int_equal(report->negative, -1);
    }
}

// Calls a check for every backend and kind that it claims.
static void for_each(vs_context *context, int n, bool random, void (*check)(vs_linear_solver *solver, matrix *A)) {
    for (int kind = 0; kind < KINDS; ++kind) {
        matrix A = random ? make_random((matrix_kind)kind, n) : make_grid((matrix_kind)kind, n);
        for (int k = 0; vs_linear_backends[k]; ++k) {
            if (!claims(vs_linear_backends[k], A.kind) || (vs_linear_backends[k]->dense && n > 600))
                continue;
            fill_values(&A, 7);
            vs_linear_solver *solver = create(context, vs_linear_backends[k], &A);
            check(solver, &A);
            vs_linear_solver_destroy(solver);
        }
        free_matrix(&A);
    }
}

static void check_solution(vs_linear_solver *solver, matrix *A) {
    assert_int_equal(vs_linear_solver_factor(solver, A->x), VS_OK);
    assert_reports(solver, A);
    assert_solves(solver, A);
    assert_solves(solver, A);
}

static void test_solves_and_knows_inertia_for_every_size(void **state) {
    const int sizes[] = {1, 2, 3, 5, 12, 60, 300, 1100, 2000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        for_each(context_of(state), sizes[s], false, check_solution);
        if (sizes[s] <= 1100)
            for_each(context_of(state), sizes[s], true, check_solution);
    }
}

// Blocks of right-hand sides, of changing size, give what single ones give.
static void check_many(vs_linear_solver *solver, matrix *A) {
    enum { MANY = 5 };
    size_t n = (size_t)A->n;
    double *b = make_rhs(MANY * A->n, 3), *x = malloc(MANY * n * sizeof *x);
    assert_int_equal(vs_linear_solver_factor(solver, A->x), VS_OK);
    for (int count = 0; count <= MANY; count++) {
        memcpy(x, b, MANY * n * sizeof *x);
        assert_int_equal(vs_linear_solver_solve_many(solver, count, x), VS_OK);
        for (int k = 0; k < count; k++)
            assert_true(backward_error(A, x + (size_t)k * n, b + (size_t)k * n) <= tolerance(solver->backend));
        assert_memory_equal(x + (size_t)count * n, b + (size_t)count * n, (size_t)(MANY - count) * n * sizeof *x);
        assert_solves(solver, A);
    }
    x[n] = NAN;
    assert_int_equal(vs_linear_solver_solve_many(solver, 2, x), VS_ERROR_NUMERICAL);
    free(b);
    free(x);
}

static void test_solves_many_right_hand_sides_at_once(void **state) {
    for_each(context_of(state), 40, true, check_many);
    for_each(context_of(state), 500, false, check_many);
}

static void check_refactor(vs_linear_solver *solver, matrix *A) {
    size_t bytes = (size_t)A->n * sizeof(double);
    double *first = make_rhs(A->n, 5), *again = make_rhs(A->n, 5);
    assert_int_equal(vs_linear_solver_factor(solver, A->x), VS_OK);
    assert_int_equal(vs_linear_solver_solve(solver, first), VS_OK);

    fill_values(A, 1234);
    assert_int_equal(vs_linear_solver_factor(solver, A->x), VS_OK);
    assert_reports(solver, A);
    assert_solves(solver, A);

    fill_values(A, 7);
    assert_int_equal(vs_linear_solver_factor(solver, A->x), VS_OK);
    assert_int_equal(vs_linear_solver_solve(solver, again), VS_OK);
    assert_memory_equal(first, again, bytes);
    free(first);
    free(again);
}

static void test_refactors_new_values_and_repeats_old_ones_bit_for_bit(void **state) {
    for_each(context_of(state), 40, true, check_refactor);
    for_each(context_of(state), 500, false, check_refactor);
}

static void check_not_finite(vs_linear_solver *solver, matrix *A) {
    const double wrong[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; ++k) {
        int64_t place = A->p[A->n] / 2;
        double right = A->x[place];
        A->x[place] = wrong[k];
        assert_int_equal(vs_linear_solver_factor(solver, A->x), VS_ERROR_NUMERICAL);
        assert_true(strlen(vs_context_get_error_text(solver->context)) > 0);
        double b[64] = {0};
        assert_int_equal(vs_linear_solver_solve(solver, b), VS_ERROR_ARGUMENT); // there is no factorization
        A->x[place] = right;
    }
    assert_int_equal(vs_linear_solver_factor(solver, A->x), VS_OK);
    assert_solves(solver, A);
    double b[64] = {NAN};
    assert_int_equal(vs_linear_solver_solve(solver, b), VS_ERROR_NUMERICAL);
    assert_solves(solver, A);
}

static void test_refuses_nan_and_recovers(void **state) {
    for_each(context_of(state), 64, false, check_not_finite);
}

// Singular in exact arithmetic, in every order of elimination and with every scaling by powers of two.
static void make_singular(matrix *A, int how) {
    for (int j = 0; j < A->n; ++j) {
        for (int64_t k = A->p[j]; k < A->p[j + 1]; ++k) {
            int i = A->i[k];
            if (how == 0)
                A->x[k] = 0;
            else if (how == 1) // an unknown without any entry
                A->x[k] = i == A->n / 2 || j == A->n / 2 ? 0 : A->x[k];
            else // the identity, but for [1 1; 1 1]
                A->x[k] = i == j || (i < 2 && j < 2);
        }
    }
}

static void check_singular(vs_linear_solver *solver, matrix *A) {
    for (int how = 0; how < 3; ++how) {
        make_singular(A, how);
        assert_int_equal(vs_linear_solver_factor(solver, A->x), VS_ERROR_NUMERICAL);
        assert_int_equal(solver->report.sign_det, 0);
        fill_values(A, 7);
        assert_int_equal(vs_linear_solver_factor(solver, A->x), VS_OK);
        assert_solves(solver, A);
    }
}

static void test_refuses_singular_matrices_and_recovers(void **state) {
    for_each(context_of(state), 9, false, check_singular);
    for_each(context_of(state), 400, false, check_singular);
}

static void test_refuses_a_negative_pivot_where_definite_is_promised(void **state) {
    const int sizes[] = {10, 1100};
    for (int s = 0; s < 2; ++s) {
        matrix A = make_grid(DEFINITE, sizes[s]);
        A.x[A.p[A.n / 2]] *= -1;
        for (int k = 0; vs_linear_backends[k]; ++k) {
            if (!claims(vs_linear_backends[k], DEFINITE))
                continue;
            vs_linear_solver *solver = create(context_of(state), vs_linear_backends[k], &A);
            assert_int_equal(vs_linear_solver_factor(solver, A.x), VS_ERROR_NUMERICAL);
            vs_linear_solver_destroy(solver);
        }
        free_matrix(&A);
    }
}

static void test_backends_agree(void **state) {
    for (int kind = 0; kind < KINDS; ++kind) {
        matrix A = make_random((matrix_kind)kind, 500);
        double *reference = NULL, largest = 0;
        for (int k = 0; vs_linear_backends[k]; ++k) {
            if (!claims(vs_linear_backends[k], A.kind))
                continue;
            vs_linear_solver *solver = create(context_of(state), vs_linear_backends[k], &A);
            double *x = make_rhs(A.n, 11);
            assert_int_equal(vs_linear_solver_factor(solver, A.x), VS_OK);
            assert_int_equal(vs_linear_solver_solve(solver, x), VS_OK);
            for (int j = 0; !reference && j < A.n; ++j)
                largest = fmax(largest, fabs(x[j]));
            // dominant matrices: condition below 1e3, so forward errors stay below 1e3 times the backward errors
            for (int j = 0; reference && j < A.n; ++j)
                assert_true(fabs(x[j] - reference[j]) <= 1e3 * tolerance(vs_linear_backends[k]) * largest);
            if (reference)
                free(x);
            else
                reference = x;
            vs_linear_solver_destroy(solver);
        }
        free(reference);
        free_matrix(&A);
    }
}

// Zeros or next to it on the whole diagonal: pairs of unknowns change places. det = (-1)^pairs.
static bool linked_pair(int i, int j, int n, void *user) {
    (void)n, (void)user;
    return i % 2 == 0 && j == i + 1;
}

static void test_unsymmetric_backends_pivot_where_the_diagonal_is_no_pivot(void **state) {
    const int sizes[] = {6, 8, 1202};
    for (int s = 0; s < 3; ++s) {
        matrix A = make_matrix(UNSYMMETRIC, sizes[s], linked_pair, NULL);
        A.groups = 0;
        for (int k = 0; vs_linear_backends[k]; ++k) {
            if (!claims(vs_linear_backends[k], UNSYMMETRIC))
                continue;
            vs_linear_solver *solver = create(context_of(state), vs_linear_backends[k], &A);
            fill_values(&A, 7); // dominant first: pivots on the diagonal
            assert_int_equal(vs_linear_solver_factor(solver, A.x), VS_OK);
            for (int tiny = 0; tiny < 2; ++tiny) { // 1e-12 as a pivot would cost 12 digits
                for (int j = 0; j < A.n; ++j) {
                    for (int64_t e = A.p[j]; e < A.p[j + 1]; ++e)
                        A.x[e] = A.i[e] == j ? tiny * 1e-12 : 1 + 0.5 * j / A.n;
                }
                assert_int_equal(vs_linear_solver_factor(solver, A.x), VS_OK);
                assert_int_equal(solver->report.sign_det, A.n / 2 % 2 ? -1 : 1);
                assert_solves(solver, &A);
            }
            vs_linear_solver_destroy(solver);
        }
        free_matrix(&A);
    }
}

static void test_refuses_wrong_calls(void **state) {
    matrix A = make_grid(QUASI_DEFINITE, 9);
    vs_linear_pattern good = pattern_of(&A), wrong = good;
    const vs_linear_backend *ldl = vs_linear_backend_find("ldl");
    vs_linear_solver *solver;
    assert_non_null(ldl);
    assert_null(vs_linear_backend_find("no such backend"));
    assert_null(vs_linear_backend_find(NULL));
    assert_int_equal(vs_linear_solver_create(context_of(state), NULL, &good, &solver), VS_ERROR_ARGUMENT);
    wrong.n = 0;
    assert_int_equal(vs_linear_solver_create(context_of(state), ldl, &wrong, &solver), VS_ERROR_ARGUMENT);
    wrong = good;
    wrong.symmetric = false;
    assert_int_equal(vs_linear_solver_create(context_of(state), ldl, &wrong, &solver), VS_ERROR_UNSUPPORTED);
    int wrong_group[] = {0, 5, 5, 9};
    wrong = good;
    wrong.groups = 3;
    wrong.group = wrong_group;
    assert_int_equal(vs_linear_solver_create(context_of(state), ldl, &wrong, &solver), VS_ERROR_ARGUMENT);
    A.i[0] = 1; // no diagonal in column 0
    assert_int_equal(vs_linear_solver_create(context_of(state), ldl, &good, &solver), VS_ERROR_ARGUMENT);
    assert_null(solver);
    A.i[0] = 0;
    assert_int_equal(vs_linear_solver_create(context_of(state), ldl, &good, &solver), VS_OK);
    double b[9] = {0};
    assert_int_equal(vs_linear_solver_solve(solver, b), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_linear_solver_factor(solver, NULL), VS_ERROR_ARGUMENT);
    vs_linear_solver_destroy(solver);
    vs_linear_solver_destroy(NULL);
    free_matrix(&A);
}

static void test_survives_the_failure_of_every_allocation(void **state) {
    fixture *f = *state;
    for (int kind = 0; kind < KINDS; ++kind) {
        matrix A = make_grid((matrix_kind)kind, 2025);
        vs_linear_pattern pattern = pattern_of(&A);
        for (int k = 0; vs_linear_backends[k]; ++k) {
            if (!claims(vs_linear_backends[k], A.kind))
                continue;
            vs_error error = VS_ERROR_MEMORY;
            for (int allowed = 0; error && allowed < 100; ++allowed) {
                vs_linear_solver *solver = NULL;
                refuse_calls_from(&f->m, allowed);
                error = vs_linear_solver_create(f->context, vs_linear_backends[k], &pattern, &solver);
                assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
                vs_linear_solver_destroy(solver);
                assert_int_equal(f->m.alive, 1); // the context itself
            }
            assert_int_equal(error, VS_OK);
        }
        free_matrix(&A);
    }
    refuse_none(&f->m);
}

typedef struct job {
    const vs_linear_backend *backend;
    const matrix *A;
    double *x;
    bool done;
} job;

static void *run_job(void *user) {
    job *j = user;
    vs_context *context = NULL;
    vs_linear_solver *solver = NULL;
    vs_linear_pattern pattern = pattern_of(j->A);
    j->done = true;
    for (int repeat = 0; repeat < 3 && j->done; ++repeat) {
        double *x = make_rhs(j->A->n, 17);
        j->done = vs_context_create(NULL, &context) == VS_OK &&
                  vs_linear_solver_create(context, j->backend, &pattern, &solver) == VS_OK &&
                  vs_linear_solver_factor(solver, j->A->x) == VS_OK && vs_linear_solver_solve(solver, x) == VS_OK;
        memcpy(j->x, x, (size_t)j->A->n * sizeof *x);
        free(x);
        vs_linear_solver_destroy(solver);
        vs_context_destroy(context);
        solver = NULL;
        context = NULL;
    }
    return NULL;
}

static void test_two_contexts_in_parallel_give_the_bits_of_one(void **state) {
    (void)state;
    matrix A = make_grid(DEFINITE, 2025);
    for (int k = 0; vs_linear_backends[k]; ++k) {
        if (!claims(vs_linear_backends[k], DEFINITE) || vs_linear_backends[k]->dense)
            continue;
        job jobs[3];
        for (int j = 0; j < 3; ++j)
            jobs[j] = (job){vs_linear_backends[k], &A, malloc((size_t)A.n * sizeof(double)), false};
        run_job(&jobs[0]);
        pthread_t threads[2];
        for (int j = 0; j < 2; ++j)
            assert_int_equal(pthread_create(&threads[j], NULL, run_job, &jobs[j + 1]), 0);
        for (int j = 0; j < 2; ++j)
            pthread_join(threads[j], NULL);
        for (int j = 0; j < 3; ++j) {
            assert_true(jobs[j].done);
            assert_memory_equal(jobs[0].x, jobs[j].x, (size_t)A.n * sizeof(double));
        }
        for (int j = 0; j < 3; ++j)
            free(jobs[j].x);
    }
    free_matrix(&A);
}

static void test_backends_describe_themselves(void **state) {
    (void)state;
    for (int k = 0; vs_linear_backends[k]; ++k) {
        const vs_linear_backend *b = vs_linear_backends[k];
        assert_ptr_equal(vs_linear_backend_find(b->name), b);
        assert_true(strlen(b->version) > 0 && strlen(b->licence) > 0 && strlen(b->purpose) > 0);
        if (strcmp(b->name, "cholmod") == 0)
            assert_non_null(strstr(b->licence, "GPL-2.0"));
    }
    assert_true(strlen(vs_blas_name()) > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_backends_describe_themselves),
        cmocka_unit_test(test_solves_and_knows_inertia_for_every_size),
        cmocka_unit_test(test_solves_many_right_hand_sides_at_once),
        cmocka_unit_test(test_refactors_new_values_and_repeats_old_ones_bit_for_bit),
        cmocka_unit_test(test_refuses_nan_and_recovers),
        cmocka_unit_test(test_refuses_singular_matrices_and_recovers),
        cmocka_unit_test(test_refuses_a_negative_pivot_where_definite_is_promised),
        cmocka_unit_test(test_backends_agree),
        cmocka_unit_test(test_unsymmetric_backends_pivot_where_the_diagonal_is_no_pivot),
        cmocka_unit_test(test_refuses_wrong_calls),
        cmocka_unit_test(test_survives_the_failure_of_every_allocation),
        cmocka_unit_test(test_two_contexts_in_parallel_give_the_bits_of_one),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
