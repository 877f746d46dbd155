// External programs in voussoir compare, through one executable, `voussoir-peer`:
//
//     voussoir-peer list                                   one name per line
//     voussoir-peer solve NAME FILE --tolerance T --max-time S --model M -o OUT.hdf5
//
// The latter writes an FCLIB file with a solution and prints one JSON line, {"iterations": 12, "seconds": 0.1,
// "status": "converged"}; "factorizations", "prepare_seconds" and "message" are optional. Status "unsupported" rejects
// this kind of problem. Its impulses are read back and measured like those of any solver.
#include "compare/peer.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/system/message.h"
#include "cli/system/process.h"
#include "cli/system/process_pool.h"
#include "cli/system/system.h"
#include "compare/comparison.h"
#include "voussoir/voussoir.h"

#ifdef _WIN32 // asks for existence only
enum { APP_CAN_RUN = 0, APP_IS_THERE = 0 };
#else
enum { APP_CAN_RUN = X_OK, APP_IS_THERE = F_OK };
#endif

// ---- where it is ------------------------------------------------------------------------------------------------

static bool is_program(const char *path) {
    return access(path, APP_CAN_RUN) == 0;
}

// In the folder of the command itself.
static bool find_beside(char path[APP_COMPARE_PATH]) {
    char self[APP_SYSTEM_PATH];
    app_system_own_folder(self);
    return snprintf(path, APP_COMPARE_PATH, "%s/voussoir-peer", self) < APP_COMPARE_PATH && is_program(path);
}

static bool find_on_path(char path[APP_COMPARE_PATH]) {
    char found[APP_PROCESS_PATH];
    return app_process_find("voussoir-peer", found) && snprintf(path, APP_COMPARE_PATH, "%s", found) < APP_COMPARE_PATH;
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

static void scratch_path(const char *scratch, int number, const char *ending, char path[APP_COMPARE_PATH]) {
    if (snprintf(path, APP_COMPARE_PATH, "%s/%d.%s", scratch, number, ending) >= APP_COMPARE_PATH)
        path[0] = '\0';
}

void app_peer_tidy(const app_comparison *c, int number) {
    static const char *const endings[] = {"hdf5", "out", "err", NULL};
    char path[APP_COMPARE_PATH];
    for (int k = 0; endings[k]; k++) {
        scratch_path(c->scratch, number, endings[k], path);
        (void)remove(path);
    }
}

// ---- names ------------------------------------------------------------------------------------------------------

typedef struct listing {
    char text[APP_PEER_LIST];
    const app_comparison *c;
} listing;

void app_peer_list(const app_compare_task *t, char text[APP_PEER_LIST]) {
    char out[APP_COMPARE_PATH], err[APP_COMPARE_PATH], how[APP_PROCESS_HOW];
    scratch_path(t->scratch, t->number, "out", out);
    scratch_path(t->scratch, t->number, "err", err);
    const char *const argv[] = {t->peer, "list", NULL};
    FILE *file = app_process_call(argv, out, err, how) == 0 ? fopen(out, "r") : NULL;
    if (!file)
        return; // no names
    const size_t length = fread(text, 1, APP_PEER_LIST - 1, file);
    (void)length; // the rest is zeros
    (void)fclose(file);
}

static void tell_task(void *user, int task, void *message) {
    app_compare_task t = app_compare_task_of(((const listing *)user)->c, task, -1, -1, 0);
    t.kind = APP_COMPARE_LIST;
    memcpy(message, &t, sizeof t);
}

static void keep_list(void *user, int task, app_end end, const char *how, const void *result) {
    (void)task;
    (void)how;
    if (end == APP_END_DONE)
        memcpy(((listing *)user)->text, result, APP_PEER_LIST);
}

bool app_peer_find(app_comparison *c, char name[][APP_COMPARE_NAME], int most, int *count) {
    listing l = {.text = "", .c = c};
    *count = 0;
    if (!find_program(c->peer))
        return false;
    // In its own process: it may hang.
    const app_pool pool = {
        .each = {.work = c->work, .options = &c->options, .told = sizeof(app_compare_task), .size = APP_PEER_LIST},
        .tasks = 1,
        .jobs = 1,
        .limit = 30,
        .tell = tell_task,
        .done = keep_list,
        .user = &l};
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

// What became of a program without an answer.
static void describe_end(int code, const char *how, const char *err, app_compare_row *row) {
    char line[256], text[64];
    last_line(err, line, sizeof line);
    (void)snprintf(text, sizeof text, "no answer, exit code %d", code);
    if (code < 0)
        fail(row, strncmp(how, "the program", 11) == 0 ? "error" : "crashed", how);
    else
        fail(row, "error", *line ? line : text);
}

bool app_peer_solve(const app_compare_options *o, const app_compare_task *t, const vs_problem *problem, double *g,
                    double *lambda, app_compare_row *row) {
    char out[APP_COMPARE_PATH], err[APP_COMPARE_PATH], solved[APP_COMPARE_PATH], tol[32], time[32],
        how[APP_PROCESS_HOW];
    scratch_path(t->scratch, t->number, "out", out);
    scratch_path(t->scratch, t->number, "err", err);
    scratch_path(t->scratch, t->number, "hdf5", solved);
    (void)snprintf(tol, sizeof tol, "%.17g", t->tolerance);
    (void)snprintf(time, sizeof time, "%.17g", o->max_time);
    const char *const argv[] = {t->peer, "solve",   t->solver.name,          t->path, "--tolerance", tol, "--max-time",
                                time,    "--model", vs_model_name(o->model), "-o",    solved,        NULL};
    const double start = app_now();
    const int code = app_process_call(argv, out, err, how);
    const double wall = app_now() - start;
    if (code < 0 || !read_answer(out, row)) {
        describe_end(code, how, err, row);
        return false;
    }
    row->seconds = isfinite(row->seconds) ? row->seconds : wall;
    if (access(solved, APP_IS_THERE) != 0) {
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
