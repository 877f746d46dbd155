// Sparse matrices against dense ones, and every refused allocation.
#include "linalg/sparse.h"
#include "arena_fixture.h"

enum { ROWS = 4, COLS = 3, COUNT = 7 };
static const int triplet_row[COUNT] = {3, 0, 3, 1, 0, 0, 3};
static const int triplet_col[COUNT] = {0, 2, 2, 0, 0, 2, 0};
static const double triplet_x[COUNT] = {1, 2, 3, 4, 5, 6, 0.5};
static const double dense[ROWS][COLS] = {{5, 0, 8}, {4, 0, 0}, {0, 0, 0}, {1.5, 0, 3}};

static void make(fixture *f, vs_sparse *A) {
    assert_int_equal(vs_sparse_from_triplets(ROWS, COLS, COUNT, triplet_row, triplet_col, triplet_x, &f->arena, A),
                     VS_OK);
}

static void test_triplets_are_sorted_and_duplicates_summed(void **state) {
    fixture *f = *state;
    vs_sparse A;
    make(f, &A);
    const int64_t p[] = {0, 3, 3, 5};
    const int i[] = {0, 1, 3, 0, 3};
    const double x[] = {5, 4, 1.5, 8, 3};
    assert_int_equal(A.rows, ROWS);
    assert_int_equal(A.cols, COLS);
    assert_memory_equal(A.p, p, sizeof p);
    assert_memory_equal(A.i, i, sizeof i);
    assert_memory_equal(A.x, x, sizeof x);
}

static void test_duplicates_are_summed_in_the_order_they_came(void **state) {
    fixture *f = *state;
    const int row[] = {1, 1, 1}, col[] = {0, 0, 0};
    const double x[] = {1e16, 1, -1e16}; // 0 in this order, 1 in another
    vs_sparse A;
    assert_int_equal(vs_sparse_from_triplets(2, 1, 3, row, col, x, &f->arena, &A), VS_OK);
    assert_int_equal(A.p[1], 1);
    assert_true(A.x[0] == (x[0] + x[1]) + x[2]);
}

static void test_triplets_outside_are_refused_by_number(void **state) {
    fixture *f = *state;
    const double x[] = {1, 1};
    const int rows[][2] = {{0, 2}, {0, -1}, {0, 0}, {0, 0}}, cols[][2] = {{0, 0}, {0, 0}, {0, 3}, {0, -1}};
    for (int k = 0; k < 4; k++) {
        vs_sparse A;
        assert_int_equal(vs_sparse_from_triplets(2, 3, 2, rows[k], cols[k], x, &f->arena, &A), VS_ERROR_DATA);
        assert_non_null(strstr(vs_context_get_error_text(f->context), "triplet 1"));
    }
}

static void test_empty_matrices_work(void **state) {
    fixture *f = *state;
    vs_sparse A, At, copy;
    assert_int_equal(vs_sparse_from_triplets(0, 0, 0, NULL, NULL, NULL, &f->arena, &A), VS_OK);
    assert_int_equal(vs_sparse_transpose(&A, &f->arena, &At), VS_OK);
    assert_int_equal(vs_sparse_copy(&At, &f->arena, &copy), VS_OK);
    vs_sparse_multiply(&copy, 1, NULL, 0, NULL);
    double difference = -1, largest = -1;
    assert_int_equal(vs_sparse_asymmetry(&A, f->context, &difference, &largest), VS_OK);
    assert_true(difference == 0 && largest == 0);

    assert_int_equal(vs_sparse_from_triplets(2, 3, 0, NULL, NULL, NULL, &f->arena, &A), VS_OK);
    double x[3] = {1, 2, 3}, y[2] = {4, 5};
    vs_sparse_multiply(&A, 1, x, 2, y);
    assert_true(y[0] == 8 && y[1] == 10);
}

static void test_transpose_and_copy_hold_the_same_entries(void **state) {
    fixture *f = *state;
    vs_sparse A, At, copy;
    make(f, &A);
    assert_int_equal(vs_sparse_transpose(&A, &f->arena, &At), VS_OK);
    assert_int_equal(vs_sparse_copy(&At, &f->arena, &copy), VS_OK);
    double found[ROWS][COLS] = {0};
    for (int c = 0; c < copy.cols; c++) {
        for (int64_t k = copy.p[c]; k < copy.p[c + 1]; k++) {
            assert_true(k == copy.p[c] || copy.i[k - 1] < copy.i[k]);
            found[c][copy.i[k]] = copy.x[k];
        }
    }
    assert_memory_equal(found, dense, sizeof dense);
    assert_ptr_not_equal(copy.x, At.x);
}

// The numbers are small multiples of 1/2: products are exact, so is the comparison.
static void test_products_agree_with_dense_ones(void **state) {
    fixture *f = *state;
    vs_sparse A;
    make(f, &A);
    const double x[COLS] = {1, -2, 3}, u[ROWS] = {2, 1, 7, -1};
    const double betas[] = {0, 1, -2};
    for (int b = 0; b < 3; b++) {
        double beta = betas[b], start = beta == 0 ? NAN : 3; // beta = 0 must not read y
        double y[ROWS] = {start, start, start, start}, z[COLS] = {start, start, start};
        vs_sparse_multiply(&A, 2, x, beta, y);
        vs_sparse_multiply_t(&A, 2, u, beta, z);
        for (int r = 0; r < ROWS; r++) {
            double sum = 0;
            for (int c = 0; c < COLS; c++)
                sum += dense[r][c] * x[c];
            assert_true(y[r] == 2 * sum + (beta == 0 ? 0 : beta * 3));
        }
        for (int c = 0; c < COLS; c++) {
            double sum = 0;
            for (int r = 0; r < ROWS; r++)
                sum += dense[r][c] * u[r];
            assert_true(z[c] == 2 * sum + (beta == 0 ? 0 : beta * 3));
        }
    }
}

static void test_asymmetry_sees_values_and_missing_entries(void **state) {
    fixture *f = *state;
    const int row[] = {0, 1, 0, 2, 1}, col[] = {0, 0, 1, 1, 2};
    double x[] = {-9, 2, 2, 5, 5}, difference, largest;
    vs_sparse A;
    assert_int_equal(vs_sparse_from_triplets(3, 3, 5, row, col, x, &f->arena, &A), VS_OK);
    assert_int_equal(vs_sparse_asymmetry(&A, f->context, &difference, &largest), VS_OK);
    assert_true(difference == 0 && largest == 9);
    x[1] = 2.25;
    assert_int_equal(vs_sparse_from_triplets(3, 3, 5, row, col, x, &f->arena, &A), VS_OK);
    assert_int_equal(vs_sparse_asymmetry(&A, f->context, &difference, &largest), VS_OK);
    assert_true(difference == 0.25);
    assert_int_equal(vs_sparse_from_triplets(3, 3, 4, row, col, x, &f->arena, &A), VS_OK); // (1, 2) is missing
    assert_int_equal(vs_sparse_asymmetry(&A, f->context, &difference, &largest), VS_OK);
    assert_true(difference == 5);
}

// Everything once; a fresh arena so that every object may need a new chunk.
static vs_error do_everything(void *user) {
    fixture *f = user;
    vs_arena arena;
    vs_arena_init(&arena, f->context);
    vs_sparse A = {0}, At, copy;
    int count = 6000; // larger than a first chunk
    int *index = VS_NEW_ZERO(&arena, int, count);
    double *x = VS_NEW_ZERO(&arena, double, count), difference, largest;
    vs_error error = index && x ? VS_OK : VS_ERROR_MEMORY;
    for (int k = 0; k < count && !error; k++)
        index[k] = k;
    if (!error)
        error = vs_sparse_from_triplets(count, count, count, index, index, x, &arena, &A);
    if (!error)
        error = vs_sparse_transpose(&A, &arena, &At);
    if (!error)
        error = vs_sparse_copy(&A, &arena, &copy);
    if (!error)
        error = vs_sparse_asymmetry(&A, f->context, &difference, &largest);
    vs_arena_release(&arena);
    return error;
}

static void test_every_refused_allocation_is_reported_and_leaks_nothing(void **state) {
    fixture *f = *state;
    assert_true(refuse_each(&f->m, f->context, do_everything, f) >= 4);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(test_triplets_are_sorted_and_duplicates_summed),
        CASE(test_duplicates_are_summed_in_the_order_they_came),
        CASE(test_triplets_outside_are_refused_by_number),
        CASE(test_empty_matrices_work),
        CASE(test_transpose_and_copy_hold_the_same_entries),
        CASE(test_products_agree_with_dense_ones),
        CASE(test_asymmetry_sees_values_and_missing_entries),
        CASE(test_every_refused_allocation_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
