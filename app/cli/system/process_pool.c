// A pool of processes: every task in its own child, a few at a time, each with a deadline.
//
// A child sends its result and ends. One that ends without a complete result has crashed; one that exceeds its deadline is killed
// with all its children. Ctrl-C on the terminal does not reach children: the parent decides.
#include "cli/system/process_pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/process_child.h"

typedef struct running {
    const app_pool *pool;
    app_child **child;      // (jobs) null: free
    int *task;              // (jobs)
    double *start;          // (jobs) s
    void *message, *result; // of one task
    int jobs, next, count;  // `count` of them run
} running;

static bool start(running *r, int slot) {
    memset(r->message, 0, r->pool->each.told);
    r->pool->tell(r->pool->user, r->next, r->message);
    r->child[slot] = app_child_start(&r->pool->each, r->message);
    r->task[slot] = r->next;
    r->start[slot] = app_now();
    return r->child[slot] != NULL;
}

static void finish(running *r, int slot, app_end end) {
    char how[APP_CHILD_END] = "";
    memset(r->result, 0, r->pool->each.size);
    const bool complete = app_child_finish(r->child[slot], r->result, how);
    if (end == APP_END_DONE && !complete)
        end = APP_END_CRASHED;
    if (end == APP_END_TIMEOUT)
        (void)snprintf(how, sizeof how, "killed after %.3g s", app_now() - r->start[slot]);
    r->child[slot] = NULL;
    r->count--;
    r->pool->done(r->pool->user, r->task[slot], end, end == APP_END_DONE ? "" : how, r->result);
}

static void start_more(running *r) {
    for (int k = 0; k < r->jobs && r->next < r->pool->tasks; k++) {
        if (r->child[k])
            continue;
        if (start(r, k))
            r->count++;
        else if (r->count == 0)
            r->pool->done(r->pool->user, r->next, APP_END_CRASHED, "no process could be started", r->result);
        else
            return;
        r->next++;
    }
}

static void wait_some(running *r) {
    app_child_wait(r->child, r->jobs);
    for (int k = 0; k < r->jobs; k++)
        if (r->child[k] && app_child_has_ended(r->child[k]))
            finish(r, k, APP_END_DONE);
        else if (r->child[k] && r->pool->limit > 0 && app_now() - r->start[k] > r->pool->limit)
            finish(r, k, APP_END_TIMEOUT);
}

static app_pool_state get_state(const running *r) {
    app_pool_state state = {.finished = r->next - r->count, .running = r->count, .oldest = -1};
    const double now = app_now();
    for (int k = 0; k < r->jobs; k++)
        if (r->child[k] && now - r->start[k] >= state.oldest_seconds) {
            state.oldest = r->task[k];
            state.oldest_seconds = now - r->start[k];
        }
    return state;
}

static void run_all(running *r) {
    while (!app_interrupted() && (r->next < r->pool->tasks || r->count > 0)) {
        start_more(r);
        wait_some(r);
        if (r->pool->show) {
            const app_pool_state state = get_state(r);
            r->pool->show(r->pool->user, &state);
        }
    }
    for (int k = 0; k < r->jobs; k++)
        if (r->child[k])
            finish(r, k, APP_END_INTERRUPTED);
}

bool app_pool_run(const app_pool *pool) {
    running r = {.pool = pool, .jobs = pool->jobs < APP_CHILDREN ? pool->jobs : APP_CHILDREN};
    const size_t jobs = (size_t)r.jobs;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    r.child = calloc(jobs, sizeof *r.child);
    r.task = calloc(jobs, sizeof *r.task);
    r.start = calloc(jobs, sizeof *r.start);
    r.message = calloc(1, pool->each.told + 1);
    r.result = calloc(1, pool->each.size + 1);
    const bool memory = r.child && r.task && r.start && r.message && r.result;
    if (memory)
        run_all(&r);
    else
        app_complain("out of memory; use fewer --jobs");
    free(r.child);
    free(r.task);
    free(r.start);
    free(r.message);
    free(r.result);
    return memory && !app_interrupted();
}
