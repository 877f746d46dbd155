// What a sweep keeps while it runs: the plan, and a journal a part, one line of JSON a member, appended when it ends.
//
// A line is one write() to a file that only this part appends to: whatever is killed, complete lines stay, and a line
// that was cut is not counted. Whoever continues reads the journals of all parts and does what none of them has.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/message.h"
#include "run/run.h"
#include "sweep/sweep.h"
#include "voussoir/voussoir.h"

enum { LOCK_TRIES = 20 };

void app_sweep_path(const app_sweep *s, const char *name, char path[APP_SWEEP_PATH]) {
    if (snprintf(path, APP_SWEEP_PATH, "%s/%s", s->options->out, name) >= APP_SWEEP_PATH)
        path[0] = '\0';
}

// ---- the plan ----------------------------------------------------------------------------------------------

static void put(json_t *object, const char *key, json_t *value) {
    (void)json_object_set_new(object, key, value);
}

static json_t *axis_object(const app_sweep_axis *axis) {
    json_t *o = json_object();
    put(o, "name", json_string(axis->name));
    put(o, "kind", json_string(app_axis_kind_name(axis->kind)));
    if (axis->value) {
        json_t *values = json_array();
        for (int k = 0; k < axis->count; k++)
            (void)json_array_append_new(values, json_real(axis->value[k]));
        put(o, "values", values);
    } else {
        put(o, "a", json_real(axis->a));
        put(o, "b", json_real(axis->b));
    }
    return o;
}

// -1 stands for what the scene says.
static json_t *run_object(const app_run_options *r) {
    json_t *o = json_object(), *set = json_object();
    for (int k = 0; k < r->settings; k++)
        put(set, r->setting[k].name, json_real(r->setting[k].value));
    put(o, "set", set);
    put(o, "duration", json_real(r->duration));
    put(o, "step", json_real(r->step));
    put(o, "tolerance", json_real(r->tolerance));
    put(o, "max_time", json_real(r->max_time));
    put(o, "model", json_integer(r->model));
    put(o, "solver", json_integer(r->method));
    put(o, "warm", json_integer(r->warm));
    put(o, "on_inaccurate", json_integer(r->inaccurate));
    put(o, "elastic_iterations", json_integer(r->elastic));
    return o;
}

static json_t *plan_object(const app_sweep *s) {
    const app_sweep_options *o = s->options;
    json_t *plan = json_object(), *axes = json_array(), *columns = json_array();
    char text[2 * APP_SWEEP_NAME];
    const char *unit = NULL;
    put(plan, "format", json_integer(1));
    put(plan, "voussoir", json_string(vs_version()));
    put(plan, "scene", json_string(o->run.scene));
    (void)snprintf(text, sizeof text, "%016" PRIx64, s->scene_hash);
    put(plan, "scene_hash", json_string(text));
    for (int k = 0; k < o->axes; k++)
        (void)json_array_append_new(axes, axis_object(&o->axis[k]));
    put(plan, "varied", axes);
    put(plan, "seed", json_integer(o->seed));
    put(plan, "samples", json_integer(o->samples));
    put(plan, "run", run_object(&o->run));
    for (int k = 0; k < o->numbers; k++) {
        app_quantity_column(o, k, text, &unit);
        (void)json_array_append_new(columns, json_string(text));
    }
    put(plan, "quantities", columns);
    put(plan, "trajectories", json_boolean(o->trajectories));
    return plan;
}

char *app_sweep_plan(const app_sweep *s) {
    json_t *plan = plan_object(s);
    char *text = json_dumps(plan, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    json_decref(plan);
    return text;
}

// The first key in which two plans differ, null if none does. More samples are no difference.
static const char *compare(json_t *old, json_t *now) {
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(now, key, value) {
        const json_t *before = json_object_get(old, key);
        const bool samples = strcmp(key, "samples") == 0;
        if (samples ? json_integer_value(before) > json_integer_value(value) : !before || !json_equal(before, value))
            return key;
    }
    return NULL;
}

static bool write_plan(const app_sweep *s, json_t *plan, const char *path) {
    char temporary[APP_SWEEP_PATH + 32];
    (void)snprintf(temporary, sizeof temporary, "%s.%ld-%d", path, (long)getpid(), s->part);
    if (json_dump_file(plan, temporary, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0 && rename(temporary, path) == 0)
        return true;
    app_complain("%s: cannot be written (%s); give --out another directory", path, strerror(errno));
    (void)unlink(temporary);
    return false;
}

static int is_journal(const struct dirent *entry) {
    const char *ending = strrchr(entry->d_name, '.');
    return strncmp(entry->d_name, "part-", 5) == 0 && ending && strcmp(ending, ".jsonl") == 0;
}

// A plan that nothing was done of stands in nobody's way: a command with a mistake in it leaves one.
static bool has_results(const app_sweep *s) {
    struct dirent **list = NULL;
    struct stat status;
    char path[APP_SWEEP_PATH];
    const int count = scandir(s->options->out, &list, is_journal, alphasort);
    bool some = count < 0;
    for (int k = 0; k < count; k++) {
        app_sweep_path(s, list[k]->d_name, path);
        some = some || stat(path, &status) != 0 || status.st_size > 0;
        free(list[k]);
    }
    free(list);
    return some;
}

static bool compare_plan(const app_sweep *s, const char *path) {
    json_error_t why;
    json_t *old = json_load_file(path, 0, &why), *plan = plan_object(s);
    const char *key = old ? compare(old, plan) : NULL;
    bool good = (old && !key) || !has_results(s);
    if (good && !json_equal(old, plan)) // more samples, or another sweep in the place of nothing
        good = write_plan(s, plan, path);
    else if (!good && !old)
        app_complain("%s: line %d: %s; give --out another directory", path, why.line, why.text);
    else if (!good)
        app_complain("%s: holds a sweep with another '%s'; give the command of that one, or another --out",
                     s->options->out, key);
    json_decref(old);
    json_decref(plan);
    return good;
}

static bool make_folder(const char *path) {
    struct stat status;
    if (mkdir(path, 0777) == 0 || (stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
        return true;
    app_complain("%s: cannot be made a directory (%s); give --out another one", path, strerror(errno));
    return false;
}

bool app_sweep_prepare(const app_sweep *s) {
    char path[APP_SWEEP_PATH];
    if (!make_folder(s->options->out))
        return false;
    app_sweep_path(s, "trajectories", path);
    if (s->options->trajectories && !make_folder(path))
        return false;
    app_sweep_path(s, "sweep.json", path);
    if (access(path, F_OK) == 0)
        return compare_plan(s, path);
    json_t *plan = plan_object(s);
    const bool good = write_plan(s, plan, path);
    json_decref(plan);
    return good;
}

// ---- reading -----------------------------------------------------------------------------------------------

static double number_of(const json_t *line, const char *key) {
    const json_t *value = json_object_get(line, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void text_of(const json_t *line, const char *key, char *to, size_t size) {
    const char *text = json_string_value(json_object_get(line, key));
    (void)snprintf(to, size, "%s", text ? text : "");
}

bool app_sweep_keep(app_sweep *s, int64_t member, bool done, const app_sweep_result *result) {
    app_sweep_member *m = &s->member[member];
    const size_t size = offsetof(app_sweep_result, quantity) + (size_t)s->options->numbers * sizeof(double);
    if (!m->result)
        m->result = malloc(size);
    if (!m->result) {
        app_complain("sweep: out of memory; sweep over fewer members at a time");
        return false;
    }
    memcpy(m->result, result, size);
    m->state = done ? APP_MEMBER_DONE : APP_MEMBER_FAILED;
    return true;
}

// A line that is not whole is not there. A result counts more than a failure, the later of two failures.
static bool take_line(app_sweep *s, const char *text, size_t length) {
    json_t *line = json_loadb(text, length, 0, NULL);
    const json_t *member = json_object_get(line, "member"), *numbers = json_object_get(line, "quantities");
    const int64_t k = json_is_integer(member) ? json_integer_value(member) : -1;
    bool good = true;
    if (k >= 0 && k < s->members && s->member[k].state != APP_MEMBER_DONE) {
        app_sweep_result r = {.exit_code = (int)json_integer_value(json_object_get(line, "exit_code")),
                              .steps = json_integer_value(json_object_get(line, "steps")),
                              .inaccurate = json_integer_value(json_object_get(line, "inaccurate_steps")),
                              .time = number_of(line, "time"),
                              .kinetic = number_of(line, "kinetic"),
                              .potential = number_of(line, "potential"),
                              .energy_error = number_of(line, "energy_error"),
                              .penetration = number_of(line, "penetration"),
                              .drift = number_of(line, "drift"),
                              .wall = number_of(line, "wall")};
        char hash[20];
        text_of(line, "status", r.status, sizeof r.status);
        text_of(line, "message", r.message, sizeof r.message);
        text_of(line, "hash", hash, sizeof hash);
        r.hash = strtoull(hash, NULL, 16);
        for (int i = 0; i < s->options->numbers; i++) {
            const json_t *x = json_array_get(numbers, (size_t)i);
            r.quantity[i] = json_is_number(x) ? json_number_value(x) : (double)NAN;
        }
        good = app_sweep_keep(s, k, json_is_true(json_object_get(line, "done")), &r);
    }
    json_decref(line);
    return good;
}

static bool read_journal(app_sweep *s, const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    bool good = file != NULL;
    if (!good)
        app_complain("%s: cannot be read (%s); check its permissions", path, strerror(errno));
    for (ssize_t length; good && (length = getline(&line, &room, file)) > 0;)
        good = line[length - 1] != '\n' || take_line(s, line, (size_t)length);
    free(line);
    if (file)
        (void)fclose(file);
    return good;
}

// In the order of their names: which of two failures counts does not depend on the file system.
bool app_sweep_read(app_sweep *s) {
    struct dirent **list = NULL;
    char path[APP_SWEEP_PATH];
    const int count = scandir(s->options->out, &list, is_journal, alphasort);
    bool good = count >= 0;
    if (!good)
        app_complain("%s: cannot be read (%s); check its permissions", s->options->out, strerror(errno));
    for (int k = 0; k < count; k++) {
        app_sweep_path(s, list[k]->d_name, path);
        good = good && read_journal(s, path);
        free(list[k]);
    }
    free(list);
    return good;
}

// ---- writing -----------------------------------------------------------------------------------------------

// A process that was killed a moment ago may still have children that are about to end with it and hold the lock.
static bool lock(const app_sweep *s) {
    const struct timespec pause = {.tv_nsec = 100000000};
    for (int k = 0; k < LOCK_TRIES; k++) {
        if (flock(s->journal, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return true; // file systems without locks are trusted
        (void)nanosleep(&pause, NULL);
    }
    return false;
}

bool app_sweep_open(app_sweep *s) {
    char name[64], last = '\n';
    (void)snprintf(name, sizeof name, "part-%d-of-%d.jsonl", s->part, s->parts);
    app_sweep_path(s, name, s->path);
    s->journal = open(s->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (s->journal < 0) {
        app_complain("%s: cannot be written (%s); give --out another directory", s->path, strerror(errno));
        return false;
    }
    if (!lock(s)) {
        app_complain("%s: another process is at work on this part; wait until it has ended", s->path);
        return false;
    }
    // What follows a line that was cut begins on a new one.
    const off_t size = lseek(s->journal, 0, SEEK_END);
    if (size > 0 && pread(s->journal, &last, 1, size - 1) == 1 && last != '\n')
        return write(s->journal, "\n", 1) == 1;
    return true;
}

static json_t *number(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

// A text that was cut inside of a letter, or never was UTF-8, loses what JSON cannot hold.
static json_t *text_value(const char *text) {
    char copy[sizeof((app_sweep_result *)0)->message];
    json_t *value = json_string(text);
    if (value)
        return value;
    (void)snprintf(copy, sizeof copy, "%s", text);
    for (char *c = copy; *c; c++)
        *c = (unsigned char)*c >= 0x80 ? '?' : *c;
    return json_string(copy);
}

bool app_sweep_append(app_sweep *s, int64_t member, bool done, const app_sweep_result *r) {
    json_t *line = json_object(), *numbers = json_array();
    char hash[20];
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, r->hash);
    put(line, "member", json_integer(member));
    put(line, "done", json_boolean(done));
    put(line, "status", json_string(r->status));
    put(line, "exit_code", json_integer(r->exit_code));
    put(line, "steps", json_integer(r->steps));
    put(line, "inaccurate_steps", json_integer(r->inaccurate));
    put(line, "time", number(r->time));
    put(line, "kinetic", number(r->kinetic));
    put(line, "potential", number(r->potential));
    put(line, "energy_error", number(r->energy_error));
    put(line, "penetration", number(r->penetration));
    put(line, "drift", number(r->drift));
    put(line, "wall", number(r->wall));
    put(line, "hash", json_string(hash));
    for (int k = 0; k < s->options->numbers; k++)
        (void)json_array_append_new(numbers, number(r->quantity[k]));
    put(line, "quantities", numbers);
    put(line, "message", text_value(r->message));
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(17));
    const size_t length = text ? strlen(text) : 0;
    json_decref(line);
    bool good = text != NULL;
    if (good) {
        text[length] = '\n'; // in the place of the final zero: one write
        good = write(s->journal, text, length + 1) == (ssize_t)(length + 1);
    }
    if (!good)
        app_complain("%s: cannot be written (%s); make room and give the command again", s->path, strerror(errno));
    free(text);
    return good;
}

void app_sweep_close(app_sweep *s) {
    if (s->journal >= 0) {
        (void)fdatasync(s->journal);
        (void)close(s->journal);
    }
    s->journal = -1;
}
