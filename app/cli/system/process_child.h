// One task of a pool in a process of its own: a copy of this process where the system has fork(), else the command started again
// with the same line, which reads its options, finds the task waiting for it and does nothing else (cli/start.c).
#ifndef VS_APP_CLI_PROCESS_CHILD_H
#define VS_APP_CLI_PROCESS_CHILD_H

#include <stdbool.h>
#include <stddef.h>

// A task, in a process of its own: it knows the options of the command, which are complete, and what it was told. Message and
// result are plain data; the result starts as zeros.
typedef void app_task(const void *options, const void *message, void *result);

// What tasks have in common.
typedef struct app_each {
    app_task *work;      // the task of the command (app_command.task), or what that calls with `options`
    const void *options; //
    size_t told, size;   // bytes of a message, of a result
    double memory;       // bytes that it may use; 0: no limit
    int own;             // descriptor of a file whose lock tasks must not hold; 0: none
} app_each;

enum { APP_CHILDREN = 1024, APP_CHILD_END = 64 }; // at the same time; bytes of how one ended
typedef struct app_child app_child;

app_child *app_child_start(const app_each *each, const void *message); // null: no process could be started
// Waits until one of the children (null: none) may have news, for a moment at most.
void app_child_wait(app_child *const *child, int children);
bool app_child_has_ended(app_child *child);
// Ends the child with all its children; `how` says how it had ended. false: there is no complete result.
bool app_child_finish(app_child *child, void *result, char how[APP_CHILD_END]);

// For a process that was started for a task: false if this is none, else the task is done.
bool app_child_serve(app_task *work, const void *options);

#endif
