// External programs in voussoir compare, through one executable, `voussoir-peer`:
//
//     voussoir-peer list                                   one name per line
//     voussoir-peer solve NAME FILE --tolerance T --max-time S --model M -o OUT.hdf5
//
// The latter writes an FCLIB file with a solution and prints one JSON line, {"iterations": 12, "seconds": 0.1,
// "status": "converged"}; "factorizations", "prepare_seconds" and "message" are optional. Status "unsupported" rejects
// this kind of problem. Its impulses are read back and measured like those of any solver.
#define _GNU_SOURCE
#include "compare/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/process_pool.h"
#include "cli/system/system.h"
#include "compare/comparison.h"
#include "voussoir/voussoir.h"

// ---- where it is ------------------------------------------------------------------------------------------------

static bool is_program(const char *path) {
    return access(path, X_OK) == 0;
}

// In the folder of the command itself.
static bool find_beside(char path[APP_COMPARE_PATH]) {
    char self[APP_SYSTEM_PATH];
    app_system_own_folder(self);
    return snprintf(path, APP_COMPARE_PATH, "%s/voussoir-peer", self) < APP_COMPARE_PATH && is_program(path);
}

static bool find_on_path(char path[APP_COMPARE_PATH]) {
    const char *at = getenv("PATH");
    while (at && *at) {
        const size_t length = strcspn(at, ":");
        const int size = snprintf(path, APP_COMPARE_PATH, "%.*s/voussoir-peer", (int)length, at);
        if (length > 0 && size < APP_COMPARE_PATH && is_program(path))
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static bool find_program(char path[APP_COMPARE_PATH]) {
    const char *named = getenv("VOUSSOIR_PEER");
    if (named && *named) {
        (void)snprintf(path, APP_COMPARE_PATH, "%s", named);
        if (is_program(path))
            return true;
        app_complain("%s: VOUSSOIR_PEER is not a program; correct or unset it", named);
        return false;
    }
    if (find_beside(path) || find_on_path(path))
        return true;
    app_complain("compare: --peers needs the program voussoir-peer; set VOUSSOIR_PEER to its path, or put it beside "
                 "the command or on PATH");
    return false;
}

// ---- running it -------------------------------------------------------------------------------------------------

enum { WORDS = 13 };

// Runs a program with its output in files. Returns the status of waitpid(), -1 if it did not start.
static int run_program(const char *const argv[WORDS], const char *out, const char *err) {
    char *words[WORDS]; // execv() takes pointers to non-const
    memcpy(words, argv, sizeof words);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        app_system_end_with_parent(parent);
        const int to = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666),
                  errors = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (to >= 0 && errors >= 0 && dup2(to, STDOUT_FILENO) >= 0 && dup2(errors, STDERR_FILENO) >= 0)
            (void)execv(argv[0], words);
        _exit(127);
    }
    int status = -1;
    while (pid > 0 && waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return pid > 0 ? status : -1;
}

// The last line of a file that is not empty, "" if there is none.
static void last_line(const char *path, char *line, size_t size) {
    char next[512];
    *line = '\0';
    FILE *file = fopen(path, "r");
    while (file && fgets(next, sizeof next, file)) {
        next[strcspn(next, "\r\n")] = '\0';
        if (*next)
            (void)snprintf(line, size, "%.*s", (int)size - 1, next);
    }
    if (file)
        (void)fclose(file);
}

static void scratch_path(const app_comparison *c, int task, const char *ending, char path[APP_COMPARE_PATH]) {
    if (snprintf(path, APP_COMPARE_PATH, "%s/%d.%s", c->scratch, task, ending) >= APP_COMPARE_PATH)
        path[0] = '\0';
}

void app_peer_tidy(const app_comparison *c, int task) {
    static const char *const endings[] = {"hdf5", "out", "err", NULL};
    char path[APP_COMPARE_PATH];
    for (int k = 0; endings[k]; k++) {
        scratch_path(c, task, endings[k], path);
        (void)unlink(path);
    }
}

// ---- names ------------------------------------------------------------------------------------------------------

enum { LIST = 4096 };

typedef struct listing {
    char text[LIST];
    const app_comparison *c;
} listing;

static void read_list(void *user, int task, void *result) {
    const app_comparison *c = ((listing *)user)->c;
    char out[APP_COMPARE_PATH], err[APP_COMPARE_PATH];
    scratch_path(c, task, "out", out);
    scratch_path(c, task, "err", err);
    const char *const argv[WORDS] = {c->peer, "list"};
    FILE *file = run_program(argv, out, err) == 0 ? fopen(out, "r") : NULL;
    if (!file)
        return; // no names
    const size_t length = fread(result, 1, LIST - 1, file);
    (void)length; // the rest is zeros
    (void)fclose(file);
}

static void keep_list(void *user, int task, app_end end, const char *how, const void *result) {
    (void)task;
    (void)how;
    if (end == APP_END_DONE)
        memcpy(((listing *)user)->text, result, LIST);
}

bool app_peer_find(app_comparison *c, char name[][APP_COMPARE_NAME], int most, int *count) {
    listing l = {.text = "", .c = c};
    *count = 0;
    if (!find_program(c->peer))
        return false;
    // In its own process: it may hang.
    const app_pool pool = {
        .tasks = 1, .jobs = 1, .size = LIST, .limit = 30, .work = read_list, .done = keep_list, .user = &l};
    (void)app_pool_run(&pool);
    app_peer_tidy(c, 0);
    char *rest = l.text;
    for (char *word; (word = strtok_r(rest, " \t\r\n", &rest)) && *count < most;)
        (void)snprintf(name[(*count)++], APP_COMPARE_NAME, "%s", word);
    if (*count == 0 && !app_interrupted())
        app_complain("%s: 'list' names no solver; run it by hand", c->peer);
    return *count > 0;
}

// ---- an entry -----------------------------------------------------------------------------------------------------

static void fail(app_compare_row *row, const char *status, const char *message) {
    (void)snprintf(row->status, sizeof row->status, "%s", status);
    (void)snprintf(row->message, sizeof row->message, "%.255s", message);
}

static double number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void copy_text(const json_t *object, const char *key, char *to, size_t size) {
    const char *text = json_string_value(json_object_get(object, key));
    if (text)
        (void)snprintf(to, size, "%s", text);
}

// The last line of JSON that it printed. false: there is none.
static bool read_answer(const char *out, app_compare_row *row) {
    char line[512];
    last_line(out, line, sizeof line);
    json_t *object = json_loads(line, 0, NULL);
    if (!json_is_object(object)) {
        json_decref(object);
        return false;
    }
    const double iterations = number_of(object, "iterations"), factorizations = number_of(object, "factorizations");
    row->iterations = iterations >= 0 && iterations < 2e9 ? (int)iterations : -1;
    row->factorizations = factorizations >= 0 && factorizations < 2e9 ? (int)factorizations : -1;
    row->seconds = number_of(object, "seconds");
    row->prepare = number_of(object, "prepare_seconds");
    copy_text(object, "status", row->status, sizeof row->status);
    copy_text(object, "message", row->message, sizeof row->message);
    json_decref(object);
    return true;
}

static void describe_end(int status, const char *err, app_compare_row *row) {
    char line[256], text[256];
    last_line(err, line, sizeof line);
    if (status == -1)
        fail(row, "error", "the program did not start");
    else if (WIFSIGNALED(status)) {
        (void)snprintf(text, sizeof text, "killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
        fail(row, "crashed", text);
    } else if (*line)
        fail(row, "error", line);
    else {
        (void)snprintf(text, sizeof text, "no answer, exit code %d", WEXITSTATUS(status));
        fail(row, "error", text);
    }
}

bool app_peer_solve(const app_comparison *c, const app_peer_task *t, const vs_problem *problem, double *g,
                    double *lambda, app_compare_row *row) {
    char out[APP_COMPARE_PATH], err[APP_COMPARE_PATH], solved[APP_COMPARE_PATH], tol[32], time[32];
    scratch_path(c, t->task, "out", out);
    scratch_path(c, t->task, "err", err);
    scratch_path(c, t->task, "hdf5", solved);
    (void)snprintf(tol, sizeof tol, "%.17g", t->tolerance);
    (void)snprintf(time, sizeof time, "%.17g", c->options.max_time);
    const char *const argv[WORDS] = {c->peer, "solve",      t->solver, t->path,   "--tolerance",
                                     tol,     "--max-time", time,      "--model", vs_model_name(c->options.model),
                                     "-o",    solved,       NULL};
    const double start = app_now();
    const int status = run_program(argv, out, err);
    const double wall = app_now() - start;
    const bool answered = status != -1 && WIFEXITED(status) && read_answer(out, row);
    if (!answered) {
        describe_end(status, err, row);
        return false;
    }
    row->seconds = isfinite(row->seconds) ? row->seconds : wall;
    if (access(solved, R_OK) != 0) {
        if (!*row->status || strcmp(row->status, "converged") == 0)
            fail(row, "error", "no solution written");
        return false;
    }
    const bool joints = vs_problem_get_info(problem).m_e > 0;
    if (vs_fclib_read_solution(solved, problem, NULL, joints ? g : NULL, lambda, NULL) == VS_OK)
        return true;
    fail(row, "error", "the solution is not readable");
    return false;
}
