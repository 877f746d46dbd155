// Conjugate gradients on blocks: against a dense residual in double precision, on chains, trees and meshes of bodies.
#include "linalg/block_cg.h"
#include "kit/memory.h"
#include "kit/random.h"

enum { MOST = 240 };

typedef struct pile {
    memory m;
    vs_context *context;
    vs_arena arena;
    int n, bodies, first[MOST + 1];
    double A[MOST][MOST], b[MOST];
    int64_t p[MOST + 1];
    int i[MOST * MOST];
    double x[MOST * MOST];
} pile;

static int set_up(void **state) {
    pile *s = calloc(1, sizeof *s);
    s->context = make_context(&s->m);
    vs_arena_init(&s->arena, s->context);
    *state = s;
    return 0;
}

static int tear_down(void **state) {
    pile *s = *state;
    vs_arena_release(&s->arena);
    end_context(s->context, &s->m);
    free(s);
    return 0;
}

// Bodies of 6 unknowns each, of 1 to 7 if mixed; A = 1 so far.
static void place(pile *s, int bodies, bool mixed) {
    s->bodies = bodies;
    for (int k = 0; k < bodies; k++)
        s->first[k + 1] = s->first[k] + (mixed ? 1 + k % 7 : 6);
    s->n = s->first[bodies];
    assert_true(s->n <= MOST);
    for (int k = 0; k < s->n; k++)
        s->A[k][k] = 1;
}

// A += stiffness J'J, J three random rows that touch the two bodies: a contact.
static void touch(pile *s, int a, int b, double stiffness, uint64_t *random) {
    for (int row = 0; row < 3; row++) {
        double J[MOST] = {0};
        for (int k = s->first[a]; k < s->first[a + 1]; k++)
            J[k] = random_in(random, -1, 1);
        for (int k = s->first[b]; k < s->first[b + 1]; k++)
            J[k] = random_in(random, -1, 1);
        for (int i = 0; i < s->n; i++)
            for (int j = 0; j < s->n && J[i] != 0; j++)
                s->A[i][j] += stiffness * J[i] * J[j];
    }
}

static vs_linear_pattern list(pile *s) {
    int64_t count = 0;
    for (int j = 0; j < s->n; j++) {
        s->p[j] = count;
        for (int i = j; i < s->n; i++)
            if (s->A[i][j] != 0) {
                s->i[count] = i;
                s->x[count++] = s->A[i][j];
            }
    }
    s->p[s->n] = count;
    return (vs_linear_pattern){
        .n = s->n, .p = s->p, .i = s->i, .symmetric = true, .definite = true, .groups = s->bodies, .group = s->first};
}

static double length(int n, const double *x) {
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k] * x[k];
    return sqrt(sum);
}

static double residual(const pile *s, const double *x) {
    double r[MOST];
    for (int i = 0; i < s->n; i++) {
        r[i] = s->b[i];
        for (int j = 0; j < s->n; j++)
            r[i] -= s->A[i][j] * x[j];
    }
    return length(s->n, r) / length(s->n, s->b);
}

// Solves for a random right-hand side to the relative tolerance; returns the steps, -1 if it gave up.
static int solve(pile *s, double tolerance, int most, double *x) {
    vs_block_cg cg;
    uint64_t random = 11;
    int steps;
    const vs_linear_pattern pattern = list(s);
    assert_int_equal(vs_block_cg_create(&cg, s->context, &pattern, &s->arena), VS_OK);
    assert_true(vs_block_cg_set(&cg, s->x));
    for (int k = 0; k < s->n; k++)
        x[k] = s->b[k] = random_in(&random, -1, 1);
    return vs_block_cg_solve(&cg, x, tolerance * length(s->n, s->b), most, &steps) ? steps : -1;
}

// Stiffness 10 to 1000: single precision leaves 1e-7 times the condition of about 1e4.
static void make_mesh(pile *s, int bodies, bool mixed) {
    uint64_t random = 3;
    place(s, bodies, mixed);
    for (int k = 0; k < bodies; k++)
        for (int step = 1; step <= 4; step++)
            if (k + step * step < bodies)
                touch(s, k, k + step * step, pow(10, 2 + random_in(&random, -1, 1)), &random);
}

static void test_bodies_and_mixed_blocks_reach_the_tolerance(void **state) {
    for (int mixed = 0; mixed < 2; mixed++) {
        pile *s = *state;
        memset(s->A, 0, sizeof s->A);
        make_mesh(s, 40, mixed);
        double x[MOST];
        int steps = solve(s, 1e-3, 200, x);
        assert_in_range(steps, 2, 60);
        // what single precision adds is far below
        assert_true(residual(s, x) <= 1.1e-3);
    }
}

static void test_tree_is_solved_in_one_step(void **state) {
    pile *s = *state;
    uint64_t random = 5;
    place(s, 40, false);
    for (int k = 1; k < 40; k++) // every body before those it carries: eliminated last
        touch(s, k - 1, k, 100, &random);
    double x[MOST];
    // the incomplete factor is the factor; a second step for rounding
    assert_in_range(solve(s, 1e-3, 10, x), 1, 2);
    assert_true(residual(s, x) <= 1.1e-3);
}

static void test_gives_up_at_the_limit_and_leaves_the_right_hand_side(void **state) {
    pile *s = *state;
    make_mesh(s, 40, false);
    double x[MOST];
    assert_int_equal(solve(s, 1e-3, 1, x), -1);
    assert_memory_equal(x, s->b, sizeof(double) * (size_t)s->n);
}

static void test_zero_right_hand_side_takes_no_step(void **state) {
    pile *s = *state;
    make_mesh(s, 10, false);
    const vs_linear_pattern pattern = list(s);
    vs_block_cg cg;
    int steps = -1;
    double x[MOST] = {0};
    assert_int_equal(vs_block_cg_create(&cg, s->context, &pattern, &s->arena), VS_OK);
    assert_true(vs_block_cg_set(&cg, s->x));
    assert_true(vs_block_cg_solve(&cg, x, 1e-3, 10, &steps));
    assert_int_equal(steps, 0);
    assert_true(length(s->n, x) == 0);
}

static void test_new_values_replace_old_ones(void **state) {
    pile *s = *state;
    make_mesh(s, 20, false);
    vs_block_cg cg;
    const vs_linear_pattern pattern = list(s);
    assert_int_equal(vs_block_cg_create(&cg, s->context, &pattern, &s->arena), VS_OK);
    uint64_t random = 2;
    for (int round = 0; round < 2; round++) {
        if (round == 1)
            touch(s, 3, 4, 1e3, &random);
        (void)list(s);
        int steps;
        double x[MOST];
        assert_true(vs_block_cg_set(&cg, s->x));
        for (int k = 0; k < s->n; k++)
            x[k] = s->b[k] = random_in(&random, -1, 1);
        assert_true(vs_block_cg_solve(&cg, x, 1e-3 * length(s->n, s->b), 200, &steps));
        assert_true(residual(s, x) <= 1.1e-3);
    }
}

static void test_indefinite_and_nan_blocks_are_refused(void **state) {
    const double wrong[] = {-1, 0, NAN};
    for (int k = 0; k < 3; k++) {
        pile *s = *state;
        memset(s->A, 0, sizeof s->A);
        place(s, 3, false);
        const vs_linear_pattern pattern = list(s);
        vs_block_cg cg;
        assert_int_equal(vs_block_cg_create(&cg, s->context, &pattern, &s->arena), VS_OK);
        s->x[7] = wrong[k]; // the matrix is diagonal
        assert_false(vs_block_cg_set(&cg, s->x));
    }
}

// A square grid of `side` single unknowns per side, neighbours coupled, a little on the diagonal: (rows, lower triangle)
static vs_linear_pattern make_grid(int side, int64_t *p, int *i, double *x, int *group) {
    int n = side * side;
    int64_t count = 0;
    for (int j = 0; j < n; j++) {
        p[j] = count;
        group[j] = j;
        i[count] = j, x[count++] = 4.01;
        if (j % side + 1 < side)
            i[count] = j + 1, x[count++] = -1;
        if (j + side < n)
            i[count] = j + side, x[count++] = -1;
    }
    p[n] = count;
    group[n] = n;
    return (vs_linear_pattern){
        .n = n, .p = p, .i = i, .symmetric = true, .definite = true, .groups = n, .group = group};
}

// So many rows that they are cut into chunks: the same bits on one thread and on three, and a solution.
static void test_chunks_solve_and_give_the_same_bits_on_any_threads(void **state) {
    (void)state;
    enum { SIDE = 300, N = SIDE * SIDE };
    int64_t *p = malloc(sizeof(int64_t) * (N + 1));
    int *i = malloc(sizeof(int) * 3 * N), *group = malloc(sizeof(int) * (N + 1));
    double *values = malloc(sizeof(double) * 3 * N), *x = malloc(sizeof(double) * 2 * N),
           *r = malloc(sizeof(double) * N);
    const vs_linear_pattern grid = make_grid(SIDE, p, i, values, group);
    for (int run = 0; run < 2; run++) {
        vs_context_def options = vs_context_def_default();
        options.threads = run ? 3 : 1;
        vs_context *context;
        assert_int_equal(vs_context_create(&options, &context), VS_OK);
        vs_arena arena;
        vs_arena_init(&arena, context);
        vs_block_cg cg;
        int steps;
        assert_int_equal(vs_block_cg_create(&cg, context, &grid, &arena), VS_OK);
        assert_int_equal(cg.chunks, 2);
        assert_int_equal(cg.chunk[3] - cg.chunk[2], SIDE); // one line of the grid lies between them
        assert_true(vs_block_cg_set(&cg, values));
        for (int k = 0; k < N; k++)
            x[run * N + k] = k % 7 - 3;
        assert_true(vs_block_cg_solve(&cg, x + run * N, 1e-3 * SIDE, 500, &steps));
        vs_arena_release(&arena);
        vs_context_destroy(context);
    }
    assert_memory_equal(x, x + N, sizeof(double) * N);
    for (int k = 0; k < N; k++)
        r[k] = k % 7 - 3;
    for (int j = 0; j < N; j++)
        for (int64_t t = p[j]; t < p[j + 1]; t++) {
            r[i[t]] -= values[t] * x[j];
            if (i[t] != j)
                r[j] -= values[t] * x[i[t]];
        }
    // what was asked for, and the rounding of single precision times the condition, 800
    assert_true(length(N, r) <= 1.1e-3 * SIDE);
    free(p), free(i), free(group), free(values), free(x), free(r);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(test_bodies_and_mixed_blocks_reach_the_tolerance),
        CASE(test_tree_is_solved_in_one_step),
        CASE(test_gives_up_at_the_limit_and_leaves_the_right_hand_side),
        CASE(test_zero_right_hand_side_takes_no_step),
        CASE(test_new_values_replace_old_ones),
        CASE(test_indefinite_and_nan_blocks_are_refused),
        cmocka_unit_test(test_chunks_solve_and_give_the_same_bits_on_any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
