// Sums over elements: against dense sums, pattern, fixed blocks, the same bits for any number of threads, failures,
// and growth with the size of the mesh.
#include "structures.h"
#include "kit/fixture.h"

#include <time.h>

// Elements of 1 … 10 blocks with random, symmetric matrices; some blocks fixed.
typedef struct random_mesh {
    int blocks, elements;
    int start[61], block[600];
} random_mesh;

static random_mesh make_mesh(int blocks, uint64_t seed) {
    random_mesh m = {.blocks = blocks, .elements = 60};
    for (int e = 0; e < m.elements; e++) {
        int size = 1 + e % 10, *own = m.block + m.start[e];
        for (int k = 0; k < size; k++) {
            bool again = true;
            while (again) {
                own[k] = (int)(.5 * (random_in(&seed, -1, 1) + 1) * (blocks + 1)) - 1;
                again = false;
                for (int j = 0; j < k; j++)
                    again = again || (own[k] >= 0 && own[j] == own[k]);
            }
        }
        m.start[e + 1] = m.start[e] + size;
    }
    return m;
}

static void random_element(void *user, int e, double *energy, double *force, double *matrix) {
    const random_mesh *m = user;
    uint64_t seed = 1000 + (uint64_t)e;
    int rows = 3 * (m->start[e + 1] - m->start[e]);
    double own = random_in(&seed, -1, 1);
    if (energy)
        *energy = own;
    for (int i = 0; i < rows; i++) {
        own = random_in(&seed, -1, 1);
        if (force)
            force[i] = own;
        for (int j = 0; j <= i; j++) {
            own = random_in(&seed, -1, 1);
            if (matrix)
                matrix[i * rows + j] = matrix[j * rows + i] = own;
        }
    }
}

static void test_sums_are_the_dense_ones(void **state) {
    random_mesh m = make_mesh(25, 1);
    enum { N = 75 };
    vs_assembly *assembly;
    assert_int_equal(
        vs_assembly_create(context_of(state), &(vs_assembly_def){m.blocks, m.elements, m.start, m.block}, &assembly),
        VS_OK);
    vs_linear_pattern pattern = vs_assembly_pattern(assembly);
    assert_int_equal(pattern.n, N);
    double *values = calloc((size_t)pattern.p[N], sizeof *values), force[N] = {0}, energy = 7;
    double dense[N][N] = {{0}}, dense_force[N] = {0}, dense_energy = 0;
    vs_assembly_add(assembly, random_element, &m, &energy, force, values);
    for (int e = 0; e < m.elements; e++) {
        double f[30], K[900], W;
        int size = m.start[e + 1] - m.start[e];
        const int *own = m.block + m.start[e];
        random_element(&m, e, &W, f, K);
        dense_energy += W;
        for (int i = 0; i < 3 * size; i++) {
            if (own[i / 3] < 0)
                continue;
            dense_force[3 * own[i / 3] + i % 3] += f[i];
            for (int j = 0; j < 3 * size; j++)
                if (own[j / 3] >= 0)
                    dense[3 * own[i / 3] + i % 3][3 * own[j / 3] + j % 3] += K[i * 3 * size + j];
        }
    }
    // sums of at most 60 numbers of size 1 in another order
    assert_below(largest_difference(force, dense_force, N), 1e-14 * 60);
    assert_below(fabs(energy - dense_energy), 1e-14 * 60);
    double x[N], y[N], expected[N], spread[N][N] = {{0}};
    uint64_t seed = 3;
    for (int k = 0; k < N; k++) {
        x[k] = random_in(&seed, -1, 1);
        y[k] = expected[k] = random_in(&seed, -1, 1);
    }
    for (int j = 0; j < N; j++) {
        assert_int_equal(pattern.i[pattern.p[j]], j); // required by backends: the diagonal first, rows ascending
        for (int64_t k = pattern.p[j]; k < pattern.p[j + 1]; k++) {
            assert_true(k == pattern.p[j] || pattern.i[k] > pattern.i[k - 1]);
            spread[pattern.i[k]][j] = spread[j][pattern.i[k]] = values[k];
        }
        assert_int_equal(pattern.group[j / 3], j - j % 3);
    }
    for (int i = 0; i < N; i++) {
        assert_below(largest_difference(spread[i], dense[i], N), 1e-14 * 60);
        expected[i] *= .5;
        for (int j = 0; j < N; j++)
            expected[i] += 2 * dense[i][j] * x[j];
    }
    vs_assembly_multiply(assembly, values, 2, x, .5, y);
    assert_below(largest_difference(y, expected, N), 1e-12); // 75 products of size 10
    // added a second time: twice as much
    vs_assembly_add(assembly, random_element, &m, NULL, force, NULL);
    for (int k = 0; k < N; k++)
        assert_below(fabs(force[k] - 2 * dense_force[k]), 1e-12);
    free(values);
    vs_assembly_destroy(assembly);
}

static uint64_t hash(uint64_t h, int64_t count, const double *x) {
    for (int64_t k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &x[k], sizeof bits);
        h = (h ^ bits) * 0x9e3779b97f4a7c15u;
        h ^= h >> 32;
    }
    return h;
}

static void test_threads_do_not_change_a_bit(void **state) {
    (void)state;
    box b = make_box(10, 6, 5, 4, 1, .8, .7);
    b.elastic = vs_elastic_of(vs_elastic_material_find("rubber"), VS_ELASTIC_COROTATIONAL);
    uint64_t seed = 5, hashes[4];
    for (int k = 0; k < 3 * b.nodes; k++)
        b.x[k] += .01 * random_in(&seed, -1, 1);
    for (int threads = 1; threads <= 4; threads++) {
        vs_context_def def = vs_context_def_default();
        def.threads = threads;
        vs_context *context;
        assert_int_equal(vs_context_create(&def, &context), VS_OK);
        structure s = make_clamped_box(context, &b);
        vs_linear_pattern pattern = vs_assembly_pattern(s.assembly);
        for (int repeat = 0; repeat < 3; repeat++) { // the order in which threads come is left to chance
            double energy;
            memset(s.K, 0, (size_t)pattern.p[pattern.n] * sizeof *s.K);
            memset(s.f, 0, (size_t)pattern.n * sizeof *s.f);
            vs_assembly_add(s.assembly, box_element, &b, &energy, s.f, s.K);
            uint64_t h = hash(hash(hash(1, 1, &energy), pattern.n, s.f), pattern.p[pattern.n], s.K);
            if (repeat == 0)
                hashes[threads - 1] = h;
            assert_true(h == hashes[0]);
        }
        free_structure(&s);
        vs_context_destroy(context);
    }
    free_box(&b);
}

typedef struct visits {
    int element[6 * 6 * 6 * 6], count; // in the order of the calls
} visits;

static void note(void *user, int e, double *energy, double *force, double *matrix) {
    visits *seen = user;
    (void)energy, (void)force, (void)matrix;
    seen->element[seen->count++] = e;
}

// Runs of elements that share no block, as one thread visits them colour by colour; `each` blocks of an element, < 0: fixed.
static int count_runs(const visits *seen, const int *block, int each, int blocks) {
    int runs = 0, *last = calloc((size_t)blocks, sizeof *last); // run that had this block
    for (int k = 0; k < seen->count; k++) {
        const int *of = block + each * seen->element[k];
        bool shared = runs == 0;
        for (int a = 0; a < each; a++)
            shared = shared || (of[a] >= 0 && last[of[a]] == runs);
        runs += shared;
        for (int a = 0; a < each; a++)
            if (of[a] >= 0)
                last[of[a]] = runs;
    }
    free(last);
    return runs;
}

static void test_colours_share_no_block(void **state) {
    // A hub in every element: as many colours as elements, more than one word of bits.
    enum { SPOKES = 200 };
    static visits seen;
    int start[SPOKES + 1], block[2 * SPOKES], times[SPOKES] = {0};
    for (int e = 0; e < SPOKES; e++) {
        start[e] = 2 * e;
        block[2 * e] = e % 2 ? SPOKES : e;
        block[2 * e + 1] = e % 2 ? e : SPOKES;
    }
    start[SPOKES] = 2 * SPOKES;
    vs_assembly *assembly;
    assert_int_equal(
        vs_assembly_create(context_of(state), &(vs_assembly_def){SPOKES + 1, SPOKES, start, block}, &assembly), VS_OK);
    double f[3 * SPOKES + 3] = {0};
    seen.count = 0;
    vs_assembly_add(assembly, note, &seen, NULL, f, NULL);
    assert_int_equal(seen.count, SPOKES);
    for (int k = 0; k < SPOKES; k++)
        times[seen.element[k]]++;
    for (int e = 0; e < SPOKES; e++)
        assert_int_equal(times[e], 1);
    assert_int_equal(count_runs(&seen, block, 2, SPOKES + 1), SPOKES);
    vs_assembly_destroy(assembly);
    // Kuhn's mesh: 24 elements at an inner corner, so 24 colours at least, and greedy needs not twice as many.
    box b = make_box(4, 6, 6, 6, 1, 1, 1);
    structure s = make_clamped_box(context_of(state), &b);
    seen.count = 0;
    vs_assembly_add(s.assembly, note, &seen, NULL, s.f, NULL);
    assert_int_equal(seen.count, b.elements);
    for (int k = 0; k < 4 * b.elements; k++)
        b.node[k] = s.number[b.node[k]];
    const int runs = count_runs(&seen, b.node, 4, b.nodes);
    assert_true(runs >= 24 && runs < 48);
    free_structure(&s);
    free_box(&b);
}

static void test_wrong_meshes_are_refused(void **state) {
    const int start[] = {0, 3}, twice[] = {0, 1, 0}, outside[] = {0, 1, 5}, fixed[] = {-1, -1, 2}, none[] = {0, 0};
    const int many[] = {0, 11}, eleven[11] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    vs_assembly *assembly;
    assert_int_equal(vs_assembly_create(context_of(state), &(vs_assembly_def){3, 1, start, twice}, &assembly),
                     VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(context_of(state)), "more than once"));
    assert_null(assembly);
    assert_int_equal(vs_assembly_create(context_of(state), &(vs_assembly_def){3, 1, start, outside}, &assembly),
                     VS_ERROR_DATA);
    assert_int_equal(vs_assembly_create(context_of(state), &(vs_assembly_def){3, 1, none, outside}, &assembly),
                     VS_ERROR_DATA);
    assert_int_equal(vs_assembly_create(context_of(state), &(vs_assembly_def){11, 1, many, eleven}, &assembly),
                     VS_ERROR_DATA);
    assert_int_equal(vs_assembly_create(context_of(state), &(vs_assembly_def){0, 1, start, fixed}, &assembly),
                     VS_ERROR_ARGUMENT);
    assert_int_equal(vs_assembly_create(context_of(state), &(vs_assembly_def){3, 1, start, fixed}, &assembly), VS_OK);
    vs_assembly_destroy(assembly);
    assert_int_equal(vs_assembly_create(context_of(state), &(vs_assembly_def){3, 0, none, fixed}, &assembly),
                     VS_OK); // no element
    assert_int_equal(vs_assembly_pattern(assembly).p[9], 18);
    double energy = 1;
    vs_assembly_add(assembly, note, NULL, &energy, NULL, NULL);
    assert_true(energy == 0);
    vs_assembly_destroy(assembly);
    vs_assembly_destroy(NULL);
}

static void test_memory_fails_cleanly_and_sums_take_none(void **state) {
    fixture *f = *state;
    random_mesh m = make_mesh(2000, 9); // some arrays get chunks of their own
    vs_error error = VS_ERROR_MEMORY;
    for (int allowed = 0; error && allowed < 100; allowed++) {
        vs_assembly *assembly = NULL;
        refuse_calls_from(&f->m, allowed);
        error = vs_assembly_create(f->context, &(vs_assembly_def){m.blocks, m.elements, m.start, m.block}, &assembly);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        if (!error) {
            double *force = calloc((size_t)(3 * m.blocks), sizeof *force), energy;
            int before = f->m.calls;
            vs_assembly_add(assembly, random_element, &m, &energy, force, NULL);
            assert_int_equal(f->m.calls, before);
            free(force);
        }
        vs_assembly_destroy(assembly);
        assert_int_equal(f->m.alive, 1); // the context itself
    }
    assert_int_equal(error, VS_OK);
    refuse_none(&f->m);
}

static void test_creation_is_linear_in_the_mesh(void **state) {
    double seconds[2];
    for (int k = 0; k < 2; k++) {
        box b = make_box(4, k ? 320 : 20, 4, 4, 1, 1, 1);
        int *start = malloc((size_t)(b.elements + 1) * sizeof *start);
        for (int e = 0; e <= b.elements; e++)
            start[e] = 4 * e;
        seconds[k] = INFINITY;
        for (int repeat = 0; repeat < 10; repeat++) {
            vs_assembly *assembly;
            clock_t begin = clock(); // of this process: other programs do not count
            assert_int_equal(vs_assembly_create(context_of(state),
                                                &(vs_assembly_def){b.nodes, b.elements, start, b.node}, &assembly),
                             VS_OK);
            seconds[k] = fmin(seconds[k], (double)(clock() - begin) / CLOCKS_PER_SEC);
            vs_assembly_destroy(assembly);
        }
        free(start);
        free_box(&b);
    }
    // 16 times the elements: 16 times the time, a few times that with cold caches; a square would be 256 times. Clocks of
    // processes may count milliseconds only; the smaller mesh takes about one.
    assert_below(seconds[1], 100 * fmax(seconds[0], 1e-3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_are_the_dense_ones),
        cmocka_unit_test(test_threads_do_not_change_a_bit),
        cmocka_unit_test(test_colours_share_no_block),
        cmocka_unit_test(test_wrong_meshes_are_refused),
        cmocka_unit_test(test_memory_fails_cleanly_and_sums_take_none),
        cmocka_unit_test(test_creation_is_linear_in_the_mesh),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
