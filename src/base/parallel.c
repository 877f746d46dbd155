// Parallel loops on a small pool of threads that sleep between loops.
//
// A loop [0, count) is divided into chunks of `grain` items; the caller and every worker that wakes in time take the
// next chunk from an atomic counter until none is left. Which thread runs a chunk is not determined, but where chunks
// begin is: it depends on count and grain only, hence the same bits for any number of threads.
// The caller never waits for a worker that has not joined, only for the chunks that others have begun.
// A loop inside a loop body runs serially. Bodies neither allocate, fail nor log: the context is not locked.
#include "base/parallel.h"

#include "base/context_data.h"
#include "base/system.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct loop {
    void (*body)(void *user, int64_t begin, int64_t end);
    void *user;
    int64_t count, grain, chunks;
} loop;

struct vs_pool {
    pthread_mutex_t mutex; // guards all but next_chunk and running
    pthread_cond_t wake;   // a loop began, or stop
    pthread_cond_t done;   // the last worker left the loop
    loop current;          //
    uint64_t generation;   // number of loops begun
    bool open, stop;       // workers may join the current loop; must end
    int inside;            // workers in the current loop
    atomic_bool running;   // a loop is under way
    _Atomic int64_t next_chunk;
    int workers;        //
    pthread_t worker[]; // (workers)
};

static void run_chunk(const loop *l, int64_t chunk) {
    int64_t begin = chunk * l->grain;
    int64_t end = l->count - begin > l->grain ? begin + l->grain : l->count;
    l->body(l->user, begin, end);
}

static void run_chunks(vs_pool *pool, const loop *l) {
    for (;;) {
        int64_t chunk = atomic_fetch_add_explicit(&pool->next_chunk, 1, memory_order_relaxed);
        if (chunk >= l->chunks)
            return;
        run_chunk(l, chunk);
    }
}

static void *work(void *user) {
    vs_pool *pool = user;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->stop && !(pool->open && pool->generation != seen))
            pthread_cond_wait(&pool->wake, &pool->mutex);
        if (pool->stop)
            break;
        seen = pool->generation;
        loop l = pool->current;
        pool->inside++;
        pthread_mutex_unlock(&pool->mutex);
        run_chunks(pool, &l);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->inside == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static void start_workers(vs_pool *pool, int count) {
    while (pool->workers < count && vs_system_start_thread(&pool->worker[pool->workers], work, pool) == 0)
        pool->workers++;
}

// Mutexes and conditions hold no resources on Linux; elsewhere making one can fail.
static bool make_locks(vs_pool *pool) {
    if (pthread_mutex_init(&pool->mutex, NULL))
        return false;
    if (!pthread_cond_init(&pool->wake, NULL)) {
        if (!pthread_cond_init(&pool->done, NULL))
            return true;
        pthread_cond_destroy(&pool->wake);
    }
    pthread_mutex_destroy(&pool->mutex);
    return false;
}

vs_error vs_pool_create(vs_context *context, int threads, vs_pool **pool) {
    int count = threads - 1;
    vs_pool *made = vs_allocate(context, sizeof *made + (size_t)count * sizeof made->worker[0]);
    if (!made)
        return vs_fail_memory(context);
    *made = (vs_pool){.stop = false};
    if (!make_locks(made)) {
        vs_release(context, made);
        return vs_fail_memory(context);
    }
    start_workers(made, count);
    if (made->workers < count)
        vs_log(context, VS_LOG_WARNING, "%d threads requested, but the system started only %d", threads,
               made->workers + 1);
    *pool = made;
    return VS_OK;
}

void vs_pool_destroy(vs_context *context, vs_pool *pool) {
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->stop = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 0; i < pool->workers; i++)
        pthread_join(pool->worker[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    vs_release(context, pool);
}

static void run_parallel(vs_pool *pool, const loop *l) {
    pthread_mutex_lock(&pool->mutex);
    pool->current = *l;
    pool->generation++;
    pool->open = true;
    atomic_store_explicit(&pool->next_chunk, 0, memory_order_relaxed);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);

    run_chunks(pool, l);

    // Closed before waiting: a worker that wakes late finds nothing to join.
    pthread_mutex_lock(&pool->mutex);
    pool->open = false;
    while (pool->inside > 0)
        pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

void vs_parallel_for(vs_context *context, int64_t count, int64_t grain,
                     void (*body)(void *user, int64_t begin, int64_t end), void *user) {
    if (count <= 0)
        return;
    loop l = {.body = body, .user = user, .count = count, .grain = grain > 0 ? grain : 1};
    l.chunks = (count - 1) / l.grain + 1;
    vs_pool *pool = context->pool;
    if (pool && l.chunks > 1 && !atomic_exchange(&pool->running, true)) {
        run_parallel(pool, &l);
        atomic_store(&pool->running, false);
        return;
    }
    for (int64_t chunk = 0; chunk < l.chunks; chunk++)
        run_chunk(&l, chunk);
}
