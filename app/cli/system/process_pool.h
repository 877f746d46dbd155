// A pool of processes, for commands that run the same task on many inputs.
#ifndef VS_APP_CLI_PROCESS_POOL_H
#define VS_APP_CLI_PROCESS_POOL_H

#include <stdbool.h>

#include "cli/system/process_child.h"

typedef enum app_end { APP_END_DONE, APP_END_CRASHED, APP_END_TIMEOUT, APP_END_INTERRUPTED } app_end;

// The tasks of a pool at a moment.
typedef struct app_pool_state {
    int finished, running;
    int oldest;            // task that has been running longest; -1: none
    double oldest_seconds; // for so long
} app_pool_state;

// Each task runs in its own process, so that a crash affects no other task.
typedef struct app_pool {
    app_each each;
    int tasks, jobs;
    double limit;                                      // s until a task is killed with its children; 0: none
    void (*tell)(void *user, int task, void *message); // in the parent; the message starts as zeros
    // In the parent; `how` describes the end. The result is complete if `end` is done.
    void (*done)(void *user, int task, app_end end, const char *how, const void *result);
    void (*show)(void *user, const app_pool_state *state); // a few times per second; may be null
    void *user;
} app_pool;

// false: interrupted; running tasks were ended, `done` was called for them but not for those that never started.
bool app_pool_run(const app_pool *pool);

#endif
