// Grouped rows against the sparse matrix they were made from.
#include <float.h>

#include "linalg/rows.h"
#include "arena_fixture.h"
#include "kit/random.h"

// A transpose with `groups` groups of random height and columns. Blocks of 6 as for bodies; `wide`: of a few hundred
// columns. Some entries are left out, so that the rows of a group differ.
static void make_transpose(fixture *f, int groups, int blocks, bool wide, int *row, vs_sparse *At) {
    int limit = groups * 5 * (wide ? 240 : 12);
    int *i = VS_NEW(&f->arena, int, limit), *j = VS_NEW(&f->arena, int, limit);
    double *x = VS_NEW(&f->arena, double, limit);
    int count = 0;
    row[0] = 0;
    for (int g = 0; g < groups; g++) {
        const int heights[] = {3, 3, 3, 1, 5};
        int height = heights[random_below(&f->seed, 5)];
        int touched = wide && g % 3 == 0 ? 40 : 1 + random_below(&f->seed, 2);
        for (int t = 0; t < touched; t++) {
            int block = random_below(&f->seed, blocks);
            for (int k = 0; k < height * 6; k++) {
                if (random_below(&f->seed, 4) == 0)
                    continue;
                i[count] = 6 * block + k % 6;
                j[count] = row[g] + k / 6;
                x[count++] = random_in(&f->seed, -1, 1);
            }
        }
        row[g + 1] = row[g] + height;
    }
    assert_true(count <= limit);
    assert_int_equal(vs_sparse_from_triplets(6 * blocks, row[groups], count, i, j, x, &f->arena, At), VS_OK);
}

static void test_rows_of_a_group_share_the_union_of_their_columns(void **state) {
    fixture *f = *state;
    // rows 0 and 1: columns {4, 1} and {3}; row 2: nothing; row 3: column 0
    const int i[] = {4, 1, 3, 0}, j[] = {0, 0, 1, 3}, row[] = {0, 2, 3, 4};
    const double x[] = {7, 8, 9, 6};
    vs_sparse At;
    vs_rows A;
    assert_int_equal(vs_sparse_from_triplets(5, 4, 4, i, j, x, &f->arena, &At), VS_OK);
    assert_int_equal(vs_rows_from_transpose(&At, 3, row, &f->arena, &A), VS_OK);
    const int64_t start[] = {0, 3, 3, 4}, value[] = {0, 6, 6, 7};
    const int col[] = {1, 3, 4, 0};
    const double values[] = {8, 0, 7, 0, 9, 0, 6};
    assert_int_equal(A.rows, 4);
    assert_int_equal(A.cols, 5);
    assert_int_equal(A.groups, 3);
    assert_memory_equal(A.row, row, sizeof row);
    assert_memory_equal(A.start, start, sizeof start);
    assert_memory_equal(A.value, value, sizeof value);
    assert_memory_equal(A.col, col, sizeof col);
    assert_memory_equal(A.x, values, sizeof values);
}

static void test_transpose_of_the_rows_is_the_original(void **state) {
    fixture *f = *state;
    int row[101];
    for (int wide = 0; wide < 2; wide++) {
        vs_sparse At, back;
        vs_rows A;
        make_transpose(f, 100, 50, wide, row, &At);
        assert_int_equal(vs_rows_from_transpose(&At, 100, row, &f->arena, &A), VS_OK);
        assert_int_equal(vs_rows_to_transpose(&A, &f->arena, &back), VS_OK);
        int64_t nonzeros = At.p[At.cols];
        assert_int_equal(back.rows, At.rows);
        assert_int_equal(back.cols, At.cols);
        assert_memory_equal(back.p, At.p, ((size_t)At.cols + 1) * sizeof *At.p);
        assert_memory_equal(back.i, At.i, (size_t)nonzeros * sizeof *At.i);
        assert_memory_equal(back.x, At.x, (size_t)nonzeros * sizeof *At.x);
    }
}

static void check_products(fixture *f, int groups, int blocks, bool wide) {
    int *row = VS_NEW(&f->arena, int, groups + 1);
    vs_sparse At;
    vs_rows A;
    make_transpose(f, groups, blocks, wide, row, &At);
    assert_int_equal(vs_rows_from_transpose(&At, groups, row, &f->arena, &A), VS_OK);
    double *x = VS_NEW(&f->arena, double, A.cols), *l = VS_NEW(&f->arena, double, A.rows);
    double *y = VS_NEW(&f->arena, double, A.rows), *y_sparse = VS_NEW(&f->arena, double, A.rows);
    double *z = VS_NEW(&f->arena, double, A.cols), *z_sparse = VS_NEW(&f->arena, double, A.cols);
    for (int k = 0; k < A.cols; k++)
        x[k] = random_in(&f->seed, -1, 1);
    for (int k = 0; k < A.rows; k++)
        l[k] = random_in(&f->seed, -1, 1);
    const double betas[] = {0, 1, -0.5};
    for (int b = 0; b < 3; b++) {
        for (int k = 0; k < A.rows; k++)
            y[k] = y_sparse[k] = betas[b] == 0 ? NAN : l[k]; // beta = 0 must not read y
        for (int k = 0; k < A.cols; k++)
            z[k] = z_sparse[k] = x[k];
        vs_rows_multiply(&A, -1.5, x, betas[b], y, f->context);
        vs_sparse_multiply_t(&At, -1.5, x, betas[b], y_sparse);
        vs_rows_multiply_t_add(&A, -1.5, l, z);
        vs_sparse_multiply(&At, -1.5, l, 1, z_sparse);
        // Terms below 1.5, at most a few hundred of them: only the order of the additions differs.
        for (int k = 0; k < A.rows; k++)
            assert_true(fabs(y[k] - y_sparse[k]) <= 300 * 1.5 * 16 * DBL_EPSILON);
        for (int k = 0; k < A.cols; k++)
            assert_true(fabs(z[k] - z_sparse[k]) <= 300 * 1.5 * 16 * DBL_EPSILON);
    }
}

static void test_products_agree_with_the_sparse_ones(void **state) {
    fixture *f = *state;
    check_products(f, 0, 1, false);
    check_products(f, 1, 1, false);
    check_products(f, 200, 100, false);
    check_products(f, 60, 100, true);
}

static void test_full_contacts_of_two_bodies_agree_with_the_sparse_product(void **state) {
    fixture *f = *state;
    // every entry present: the fast kernels of width 12 and 6
    enum { GROUPS = 50 };
    int i[GROUPS * 36], j[GROUPS * 36], row[GROUPS + 1], count = 0;
    double x[GROUPS * 36], v[60], y[3 * GROUPS], y_sparse[3 * GROUPS], z[60] = {0}, z_sparse[60] = {0};
    for (int g = 0; g <= GROUPS; g++)
        row[g] = 3 * g;
    for (int g = 0; g < GROUPS; g++) {
        int width = g % 2 ? 12 : 6, first = random_below(&f->seed, 9);
        for (int k = 0; k < 3 * width; k++) {
            i[count] = 6 * first + k % width;
            j[count] = 3 * g + k / width;
            x[count++] = random_in(&f->seed, -1, 1);
        }
    }
    for (int k = 0; k < 60; k++)
        v[k] = random_in(&f->seed, -1, 1);
    vs_sparse At;
    vs_rows A;
    assert_int_equal(vs_sparse_from_triplets(60, 3 * GROUPS, count, i, j, x, &f->arena, &At), VS_OK);
    assert_int_equal(vs_rows_from_transpose(&At, GROUPS, row, &f->arena, &A), VS_OK);
    assert_int_equal(A.start[2], 18);
    vs_rows_multiply(&A, 1, v, 0, y, f->context);
    vs_sparse_multiply_t(&At, 1, v, 0, y_sparse);
    vs_rows_multiply_t_add(&A, 1, y_sparse, z);
    vs_sparse_multiply(&At, 1, y_sparse, 0, z_sparse);
    // 12 terms below 1; then at most 150 terms below 12
    for (int k = 0; k < 3 * GROUPS; k++)
        assert_true(fabs(y[k] - y_sparse[k]) <= 12 * 12 * DBL_EPSILON);
    for (int k = 0; k < 60; k++)
        assert_true(fabs(z[k] - z_sparse[k]) <= 150 * 150 * 12 * DBL_EPSILON);
}

static void test_products_have_the_same_bits_for_any_thread_count(void **state) {
    fixture *f = *state;
    enum { GROUPS = 9000, BLOCKS = 400 }; // several grains of 2048 groups
    int *row = VS_NEW(&f->arena, int, GROUPS + 1);
    vs_sparse At;
    vs_rows A;
    make_transpose(f, GROUPS, BLOCKS, false, row, &At);
    assert_int_equal(vs_rows_from_transpose(&At, GROUPS, row, &f->arena, &A), VS_OK);
    double *x = VS_NEW(&f->arena, double, A.cols), *y = VS_NEW(&f->arena, double, A.rows);
    double *y_threads = VS_NEW(&f->arena, double, A.rows);
    for (int k = 0; k < A.cols; k++)
        x[k] = random_in(&f->seed, -1, 1);
    vs_rows_multiply(&A, 1, x, 0, y, f->context);
    for (int threads = 2; threads <= 4; threads++) {
        vs_context_def def = vs_context_def_default();
        def.threads = threads;
        vs_context *context = NULL;
        assert_int_equal(vs_context_create(&def, &context), VS_OK);
        vs_rows_multiply(&A, 1, x, 0, y_threads, context);
        assert_memory_equal(y, y_threads, (size_t)A.rows * sizeof *y);
        vs_context_destroy(context);
    }
}

typedef struct conversion {
    fixture *f;
    int groups;
    const int *row;
    vs_sparse At;
} conversion;

// A fresh arena, so that every object may need a new chunk.
static vs_error convert(void *user) {
    conversion *c = user;
    vs_arena arena;
    vs_arena_init(&arena, c->f->context);
    vs_rows A;
    vs_sparse back;
    vs_error error = vs_rows_from_transpose(&c->At, c->groups, c->row, &arena, &A);
    if (!error)
        error = vs_rows_to_transpose(&A, &arena, &back);
    vs_arena_release(&arena);
    return error;
}

static void test_every_refused_allocation_is_reported_and_leaks_nothing(void **state) {
    fixture *f = *state;
    enum { GROUPS = 2000 };
    int row[GROUPS + 1];
    conversion c = {.f = f, .groups = GROUPS, .row = row};
    make_transpose(f, GROUPS, 500, false, row, &c.At);
    assert_true(refuse_each(&f->m, f->context, convert, &c) >= 4);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(test_rows_of_a_group_share_the_union_of_their_columns),
        CASE(test_transpose_of_the_rows_is_the_original),
        CASE(test_products_agree_with_the_sparse_ones),
        CASE(test_full_contacts_of_two_bodies_agree_with_the_sparse_product),
        CASE(test_products_have_the_same_bits_for_any_thread_count),
        CASE(test_every_refused_allocation_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
