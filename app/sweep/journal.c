// Journals of a sweep: one per part, one line of JSON per run, appended when it ends.
//
// A line is one write() to a file that only this part appends to: complete lines survive any kill, and an incomplete
// line is ignored. A continued sweep reads the journals of all parts and does the missing runs.
#include "sweep/journal.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/json.h"
#include "cli/system/message.h"
#include "cli/system/path.h"
#include "cli/system/system.h"
#include "sweep/child.h"
#include "sweep/state.h"
#include "voussoir/voussoir.h"

static bool is_journal(const char *name) {
    return strncmp(name, "part-", 5) == 0 && app_has_extension(name, ".jsonl");
}

// A plan without results may be replaced: a mistaken command leaves one.
bool app_sweep_has_results(const app_sweep *s) {
    char **list = NULL;
    struct stat status;
    char path[APP_SWEEP_PATH];
    const int count = app_list_names(s->options->out, is_journal, &list);
    bool some = count < 0;
    for (int k = 0; k < count; k++) {
        app_sweep_path(s, list[k], path);
        some = some || stat(path, &status) != 0 || status.st_size > 0;
    }
    app_forget_names(list, count);
    return some;
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

// An incomplete line is ignored. A result takes precedence over a failure, the later failure over the earlier.
static bool take_line(app_sweep *s, const char *text, size_t length) {
    json_t *line = json_loadb(text, length, 0, NULL);
    const json_t *run = json_object_get(line, "run"), *numbers = json_object_get(line, "quantities");
    const int64_t k = json_is_integer(run) ? json_integer_value(run) : -1;
    bool good = true;
    if (k >= 0 && k < s->runs && s->run[k].state != APP_SWEEP_DONE) {
        app_sweep_result r = {.exit_code = (int)json_integer_value(json_object_get(line, "exit_code")),
                              .steps = json_integer_value(json_object_get(line, "steps")),
                              .inaccurate = json_integer_value(json_object_get(line, "inaccurate_steps")),
                              .unbalanced = json_integer_value(json_object_get(line, "unbalanced_steps")),
                              .discretization_share = json_number_value(json_object_get(line, "discretization_share")),
                              .time = number_of(line, "time"),
                              .kinetic = number_of(line, "kinetic"),
                              .potential = number_of(line, "potential"),
                              .energy_error = number_of(line, "energy_error"),
                              .penetration = number_of(line, "penetration"),
                              .drift = number_of(line, "drift"),
                              .displacement = number_of(line, "displacement"),
                              .rotation = number_of(line, "rotation"),
                              .residual = number_of(line, "residual"),
                              .sliding = number_of(line, "margin_sliding"),
                              .tipping = number_of(line, "margin_tipping"),
                              .wall = number_of(line, "wall")};
        char hash[20];
        text_of(line, "status", r.status, sizeof r.status);
        text_of(line, "message", r.message, sizeof r.message);
        text_of(line, "stop", r.stop, sizeof r.stop);
        text_of(line, "outcome", r.outcome, sizeof r.outcome);
        text_of(line, "farthest", r.farthest, sizeof r.farthest);
        text_of(line, "most_turned", r.most_turned, sizeof r.most_turned);
        text_of(line, "residual_of", r.residual_of, sizeof r.residual_of);
        text_of(line, "hash", hash, sizeof hash);
        r.hash = strtoull(hash, NULL, 16);
        for (int i = 0; i < s->options->quantities.numbers; i++) {
            const json_t *x = json_array_get(numbers, (size_t)i);
            r.quantity[i] = json_is_number(x) ? json_number_value(x) : (double)NAN;
        }
        good = app_sweep_keep(s, k, json_is_true(json_object_get(line, "done")), &r);
    }
    json_decref(line);
    return good;
}

static bool read_journal(app_sweep *s, const char *path) {
    FILE *file = fopen(path, "rb");
    char *line = NULL;
    size_t room = 0;
    bool good = file != NULL;
    if (!good)
        app_complain("%s: cannot read it (%s); check its permissions", path, strerror(errno));
    for (size_t length; good && (length = app_read_line(file, &line, &room)) > 0;)
        good = line[length - 1] != '\n' || take_line(s, line, length);
    free(line);
    if (file)
        (void)fclose(file);
    return good;
}

// In the order of their names: which of two failures counts does not depend on the file system.
bool app_sweep_read(app_sweep *s) {
    char **list = NULL;
    char path[APP_SWEEP_PATH];
    const int count = app_list_names(s->options->out, is_journal, &list);
    bool good = count >= 0;
    if (!good)
        app_complain("%s: cannot read it (%s); check its permissions", s->options->out, strerror(errno));
    for (int k = 0; k < count; k++) {
        app_sweep_path(s, list[k], path);
        good = good && read_journal(s, path);
    }
    app_forget_names(list, count);
    return good;
}

// ---- writing -----------------------------------------------------------------------------------------------

bool app_sweep_open(app_sweep *s) {
    char name[64], last = '\n';
    (void)snprintf(name, sizeof name, "part-%d-of-%d.jsonl", s->part, s->parts);
    app_sweep_path(s, name, s->path);
    s->journal = app_file_append(s->path);
    if (s->journal < 0) {
        app_complain("%s: cannot write the file (%s); give another --output", s->path, strerror(errno));
        return false;
    }
    if (!app_file_lock(s->journal)) {
        app_complain("%s: another process is running this part; wait until it ends", s->path);
        return false;
    }
    // After an incomplete line, start a new one.
    if (lseek(s->journal, -1, SEEK_END) >= 0 && read(s->journal, &last, 1) == 1 && last != '\n')
        return write(s->journal, "\n", 1) == 1;
    return true;
}

bool app_sweep_append(app_sweep *s, int64_t run, bool done, const app_sweep_result *r) {
    json_t *line = json_object(), *numbers = json_array();
    char hash[20];
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, r->hash);
    app_json_put(line, "run", json_integer(run));
    app_json_put(line, "done", json_boolean(done));
    app_json_put(line, "status", json_string(r->status));
    app_json_put(line, "exit_code", json_integer(r->exit_code));
    app_json_put(line, "steps", json_integer(r->steps));
    app_json_put(line, "inaccurate_steps", json_integer(r->inaccurate));
    app_json_put(line, "unbalanced_steps", json_integer(r->unbalanced));
    app_json_put(line, "discretization_share", app_json_number(r->discretization_share));
    app_json_put(line, "time", app_json_number(r->time));
    app_json_put(line, "kinetic", app_json_number(r->kinetic));
    app_json_put(line, "potential", app_json_number(r->potential));
    app_json_put(line, "energy_error", app_json_number(r->energy_error));
    app_json_put(line, "penetration", app_json_number(r->penetration));
    app_json_put(line, "drift", app_json_number(r->drift));
    app_json_put(line, "stop", app_json_text(r->stop));
    app_json_put(line, "outcome", app_json_text(r->outcome));
    app_json_put(line, "displacement", app_json_number(r->displacement));
    app_json_put(line, "farthest", app_json_text(r->farthest));
    app_json_put(line, "rotation", app_json_number(r->rotation));
    app_json_put(line, "most_turned", app_json_text(r->most_turned));
    app_json_put(line, "residual", app_json_number(r->residual));
    app_json_put(line, "residual_of", app_json_text(r->residual_of));
    app_json_put(line, "margin_sliding", app_json_number(r->sliding));
    app_json_put(line, "margin_tipping", app_json_number(r->tipping));
    app_json_put(line, "wall", app_json_number(r->wall));
    app_json_put(line, "hash", json_string(hash));
    for (int k = 0; k < s->options->quantities.numbers; k++)
        (void)json_array_append_new(numbers, app_json_number(r->quantity[k]));
    app_json_put(line, "quantities", numbers);
    app_json_put(line, "message", app_json_text(r->message));
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(17));
    const size_t length = text ? strlen(text) : 0;
    json_decref(line);
    bool good = text != NULL;
    if (good) {
        text[length] = '\n'; // replaces the final zero: one write
        good = write(s->journal, text, (unsigned)length + 1) == (ssize_t)(length + 1);
    }
    if (!good)
        app_complain("%s: cannot write the file (%s); free disk space and repeat the command", s->path,
                     strerror(errno));
    free(text);
    return good;
}

void app_sweep_close(app_sweep *s) {
    if (s->journal >= 0) {
        (void)app_file_sync(s->journal);
        (void)close(s->journal);
    }
    s->journal = -1;
}
