// Parallel loops: every item once, chunks that do not depend on the thread count, no allocation, nesting.
#include <stdatomic.h>

#include <pthread.h>
#include <time.h>

#include "base/context.h"
#include "kit/memory.h"

static vs_context *make(int threads) {
    vs_context_def def = vs_context_def_default();
    def.threads = threads;
    vs_context *context = NULL;
    assert_int_equal(vs_context_create(&def, &context), VS_OK);
    return context;
}

enum { ITEMS = 1003 };

typedef struct visits {
    int count[ITEMS];
    int64_t chunk_begin[ITEMS], chunk_end[ITEMS];
} visits;

static void visit(void *user, int64_t begin, int64_t end) {
    visits *v = user;
    for (int64_t k = begin; k < end; k++) {
        v->count[k]++;
        v->chunk_begin[k] = begin;
        v->chunk_end[k] = end;
    }
}

static void test_every_item_is_visited_once_in_chunks_independent_of_the_thread_count(void **state) {
    (void)state;
    const int64_t counts[] = {0, 1, 7, 64, 1000, ITEMS}, grains[] = {1, 7, 64, 5000};
    for (int threads = 1; threads <= 5; threads++) {
        vs_context *context = make(threads);
        for (size_t c = 0; c < 6; c++) {
            for (size_t g = 0; g < 4; g++) {
                visits v;
                memset(&v, 0, sizeof v);
                vs_parallel_for(context, counts[c], grains[g], visit, &v);
                for (int64_t k = 0; k < ITEMS; k++) {
                    int64_t begin = k / grains[g] * grains[g], end = begin + grains[g];
                    assert_int_equal(v.count[k], k < counts[c]);
                    if (k >= counts[c])
                        continue;
                    assert_int_equal(v.chunk_begin[k], begin);
                    assert_int_equal(v.chunk_end[k], end < counts[c] ? end : counts[c]);
                }
            }
        }
        vs_context_destroy(context);
    }
}

static void add_one(void *user, int64_t begin, int64_t end) {
    int *numbers = user;
    for (int64_t k = begin; k < end; k++)
        numbers[k]++;
}

// Plain memory written by one loop and read by the next, many times: what a lost hand-over would break.
static void test_many_short_loops_follow_each_other_safely(void **state) {
    (void)state;
    vs_context *context = make(4);
    int numbers[16] = {0};
    for (int round = 0; round < 20000; round++)
        vs_parallel_for(context, 16, 2, add_one, numbers);
    for (int k = 0; k < 16; k++)
        assert_int_equal(numbers[k], 20000);
    vs_context_destroy(context);
}

typedef struct meeting {
    atomic_int present;
} meeting;

// Returns only when two threads are inside: proves that the work is shared. Gives up after 10 s.
static void meet(void *user, int64_t begin, int64_t end) {
    (void)begin;
    (void)end;
    meeting *m = user;
    atomic_fetch_add(&m->present, 1);
    const struct timespec moment = {0, 1000000};
    for (int k = 0; k < 10000 && atomic_load(&m->present) < 2; k++)
        nanosleep(&moment, NULL);
}

static void test_two_threads_work_at_the_same_time(void **state) {
    (void)state;
    vs_context *context = make(2);
    meeting m;
    atomic_init(&m.present, 0);
    vs_parallel_for(context, 2, 1, meet, &m);
    assert_int_equal(atomic_load(&m.present), 2);
    vs_context_destroy(context);
}

typedef struct nest {
    vs_context *context;
    int numbers[8][8];
} nest;

static void run_inner(void *user, int64_t begin, int64_t end) {
    nest *n = user;
    for (int64_t k = begin; k < end; k++)
        vs_parallel_for(n->context, 8, 1, add_one, n->numbers[k]);
}

static void test_loop_inside_a_loop_runs(void **state) {
    (void)state;
    nest n = {.context = make(3)};
    for (int round = 0; round < 100; round++)
        vs_parallel_for(n.context, 8, 1, run_inner, &n);
    for (int k = 0; k < 64; k++)
        assert_int_equal(n.numbers[k / 8][k % 8], 100);
    vs_context_destroy(n.context);
}

static void test_loops_allocate_nothing(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_threaded_context(&m, 2);
    int before = m.calls, numbers[100] = {0};
    for (int round = 0; round < 10; round++)
        vs_parallel_for(context, 100, 3, add_one, numbers);
    assert_int_equal(m.calls, before);
    end_context(context, &m);
}

// Another context, used by another thread at the same time.
static void *use_own_context(void *user) {
    int *numbers = user;
    vs_context_def def = vs_context_def_default();
    def.threads = 2;
    vs_context *context = NULL;
    if (vs_context_create(&def, &context))
        return NULL;
    for (int round = 0; round < 2000; round++)
        vs_parallel_for(context, 8, 1, add_one, numbers);
    vs_context_destroy(context);
    return NULL;
}

static void test_two_contexts_work_side_by_side(void **state) {
    (void)state;
    int numbers[2][8] = {0};
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, use_own_context, numbers[1]), 0);
    (void)use_own_context(numbers[0]);
    pthread_join(other, NULL);
    for (int k = 0; k < 16; k++)
        assert_int_equal(numbers[k / 8][k % 8], 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_item_is_visited_once_in_chunks_independent_of_the_thread_count),
        cmocka_unit_test(test_many_short_loops_follow_each_other_safely),
        cmocka_unit_test(test_two_threads_work_at_the_same_time),
        cmocka_unit_test(test_loop_inside_a_loop_runs),
        cmocka_unit_test(test_loops_allocate_nothing),
        cmocka_unit_test(test_two_contexts_work_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
