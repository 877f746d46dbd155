// Anderson acceleration: exact on affine maps of few dimensions, harmless where changes depend on each other.
#include "solver/impulse/anderson.h"
#include "solver/solving.h"

enum { SIZE = 6 };

// G(x) = A x + b, |A| < 1 with eigenvalues of both signs; the fixed point is `at`.
typedef struct affine {
    double A[SIZE][SIZE], at[SIZE];
} affine;

static affine make_affine(int rank, double rate, uint64_t seed) {
    affine map = {0};
    for (int k = 0; k < rank; k++)
        map.A[k][k] = (k % 2 ? -1 : 1) * rate * (k + 1) / rank;
    for (int i = 0; i < SIZE; i++) {
        map.at[i] = random_in(&seed, -1, 1);
        for (int j = i + 1; j < rank; j++) // upper triangular: the eigenvalues stay
            map.A[i][j] = random_in(&seed, -.3, .3);
    }
    return map;
}

static void apply(const affine *map, const double *x, double *G) {
    for (int i = 0; i < SIZE; i++) {
        G[i] = map->at[i];
        for (int j = 0; j < SIZE; j++)
            G[i] += map->A[i][j] * (x[j] - map->at[j]);
    }
}

// x with G(x) becomes the next point.
static void step(vs_anderson *a, const double *G, double *x) {
    vs_anderson_observe(a, x, G);
    memcpy(x, G, sizeof(double) * SIZE);
    vs_anderson_extrapolate(a, x);
}

// Steps until x is within 1e-10 of the fixed point; 500 if it never is.
static int count_steps(vs_context *context, const affine *map, int depth) {
    vs_arena arena;
    vs_anderson a;
    double x[SIZE] = {0}, G[SIZE];
    int steps = 0;
    vs_arena_init(&arena, context);
    if (depth > 0)
        assert_int_equal(vs_anderson_create(&a, SIZE, depth, &arena), VS_OK);
    for (; steps < 500 && largest_difference(x, map->at, SIZE) > 1e-10; steps++) {
        apply(map, x, G);
        if (depth > 0)
            step(&a, G, x);
        else
            memcpy(x, G, sizeof x);
    }
    vs_arena_release(&arena);
    return steps;
}

// With as many changes as the map has dimensions the residual can be made zero: one step to begin, one a dimension, and
// one to take it; two more for rounding. A depth less than that is slower, but faster than none.
static void affine_maps_are_solved_in_as_many_steps_as_dimensions(void **state) {
    for (uint64_t seed = 1; seed <= 5; seed++)
        for (int rank = 1; rank <= SIZE; rank++) {
            affine map = make_affine(rank, .9, seed);
            int whole = count_steps(context_of(state), &map, SIZE), plain = count_steps(context_of(state), &map, 0),
                less = count_steps(context_of(state), &map, 2);
            assert_in_range(whole, 1, rank + 4);
            assert_true(plain > 100 && plain < 500 && less < plain / 2);
        }
}

// It need not contract: an eigenvalue of -3 is no obstacle to a memory that spans the map.
static void expanding_maps_are_solved_too(void **state) {
    affine map = make_affine(4, 3, 7);
    assert_int_equal(count_steps(context_of(state), &map, 0), 500);
    assert_in_range(count_steps(context_of(state), &map, 4), 1, 7); // rank + 2, and one for roundoff times 3^4
}

// A map of rank one asked with a memory of eight: all changes are parallel, all but one must drop out.
static void dependent_changes_drop_out(void **state) {
    vs_arena arena;
    vs_anderson a;
    double x[SIZE] = {0}, G[SIZE];
    affine map = make_affine(1, .5, 3);
    vs_arena_init(&arena, context_of(state));
    assert_int_equal(vs_anderson_create(&a, SIZE, VS_ANDERSON_MOST, &arena), VS_OK);
    for (int k = 0; k < 20; k++) {
        apply(&map, x, G);
        step(&a, G, x);
        for (int i = 0; i < SIZE; i++)
            assert_true(isfinite(x[i]));
    }
    assert_true(largest_difference(x, map.at, SIZE) <= 1e-14);
    vs_arena_release(&arena);
}

static void nothing_remembered_means_the_plain_step(void **state) {
    vs_arena arena;
    vs_anderson a;
    double x[SIZE] = {0}, G[SIZE];
    affine map = make_affine(SIZE, .9, 5);
    vs_arena_init(&arena, context_of(state));
    assert_int_equal(vs_anderson_create(&a, SIZE, 3, &arena), VS_OK);
    for (int k = 0; k < 6; k++) {
        if (k == 3)
            vs_anderson_forget(&a);
        apply(&map, x, G);
        step(&a, G, x);
        double apart = largest_difference(x, G, SIZE); // plain: G itself
        assert_true(k % 3 == 0 ? apart == 0 : apart > 1e-6);
    }
    vs_arena_release(&arena);
}

// |f| that grows by more than it may: the map is another one, and what was learnt of the old one is forgotten.
static void growth_empties_the_memory(void **state) {
    vs_arena arena;
    vs_anderson a;
    double x[SIZE] = {0}, G[SIZE];
    affine near = make_affine(SIZE, .9, 5), far = near;
    far.at[0] += 1000;
    vs_arena_init(&arena, context_of(state));
    assert_int_equal(vs_anderson_create(&a, SIZE, 3, &arena), VS_OK);
    a.growth = 100;
    for (int k = 0; k < 6; k++) {
        apply(k < 4 ? &near : &far, x, G);
        step(&a, G, x);
        assert_int_equal(a.count, k < 4 ? (k < 3 ? k : 3) : k - 4);
    }
    vs_arena_release(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(affine_maps_are_solved_in_as_many_steps_as_dimensions),
        cmocka_unit_test(expanding_maps_are_solved_too),
        cmocka_unit_test(dependent_changes_drop_out),
        cmocka_unit_test(nothing_remembered_means_the_plain_step),
        cmocka_unit_test(growth_empties_the_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
