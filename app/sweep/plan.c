// The plan of a sweep. A directory holds one sweep; a second command with another plan is refused.
#include "sweep/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/json.h"
#include "cli/system/message.h"
#include "cli/system/output.h"
#include "cli/system/path.h"
#include "cli/system/system.h"
#include "run/options.h"
#include "sweep/journal.h"
#include "sweep/options.h"
#include "sweep/quantity.h"
#include "sweep/space.h"
#include "sweep/state.h"

static json_t *axis_object(const app_sweep_axis *axis) {
    json_t *o = json_object();
    app_json_put(o, "name", json_string(axis->name));
    app_json_put(o, "kind", json_string(app_axis_kind_name(axis->kind)));
    if (axis->value) {
        json_t *values = json_array();
        for (int k = 0; k < axis->count; k++)
            (void)json_array_append_new(values, json_real(axis->value[k]));
        app_json_put(o, "values", values);
    } else {
        app_json_put(o, "a", json_real(axis->a));
        app_json_put(o, "b", json_real(axis->b));
    }
    return o;
}

// -1: the value of the scene.
static json_t *run_object(const app_run_options *r) {
    json_t *o = json_object(), *set = json_object();
    for (int k = 0; k < r->settings; k++)
        app_json_put(set, r->setting[k].name, json_real(r->setting[k].value));
    app_json_put(o, "set", set);
    app_json_put(o, "duration", json_real(r->duration));
    app_json_put(o, "step", json_real(r->step));
    app_json_put(o, "tolerance", json_real(r->tolerance));
    app_json_put(o, "max_time", json_real(r->max_time));
    app_json_put(o, "model", json_integer(r->model));
    app_json_put(o, "method", json_integer(r->method));
    app_json_put(o, "warm_start", json_integer(r->warm_start));
    app_json_put(o, "on_inaccurate", json_integer(r->on_inaccurate));
    if (r->overlap != APP_OVERLAP_WARN) // plans of earlier versions have no such field
        app_json_put(o, "on_overlap", json_integer(r->overlap));
    if (r->scheme >= 0) // neither have they this one
        app_json_put(o, "scheme", json_integer(r->scheme));
    if (r->accuracy >= 0)
        app_json_put(o, "accuracy", json_real(r->accuracy));
    if (r->stop_at_fall)
        app_json_put(o, "stop_at_fall", json_true());
    app_json_put(o, "elastic_iterations", json_integer(r->elastic));
    return o;
}

static json_t *plan_object(const app_sweep *s) {
    const app_sweep_options *o = s->options;
    json_t *plan = json_object(), *axes = json_array(), *columns = json_array();
    char text[2 * APP_QUANTITY_NAME];
    const char *unit = NULL;
    app_json_put(plan, "format", json_integer(1));
    app_json_put(plan, "voussoir", json_string(vs_version()));
    app_json_put(plan, "scene", json_string(o->run.scene));
    (void)snprintf(text, sizeof text, "%016" PRIx64, s->scene_hash);
    app_json_put(plan, "scene_hash", json_string(text));
    for (int k = 0; k < o->space.axes; k++)
        (void)json_array_append_new(axes, axis_object(&o->space.axis[k]));
    app_json_put(plan, "varied", axes);
    app_json_put(plan, "seed", json_integer(o->space.seed));
    app_json_put(plan, "samples", json_integer(o->space.samples));
    app_json_put(plan, "run", run_object(&o->run));
    for (int k = 0; k < o->quantities.numbers; k++) {
        app_quantities_column(&o->quantities, k, text, &unit);
        (void)json_array_append_new(columns, json_string(text));
    }
    app_json_put(plan, "quantities", columns);
    app_json_put(plan, "trajectories", json_boolean(o->trajectories));
    return plan;
}

char *app_sweep_plan(const app_sweep *s) {
    json_t *plan = plan_object(s);
    char *text = json_dumps(plan, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    json_decref(plan);
    return text;
}

// The first key in which two plans differ, null if none does. More samples do not count as a difference.
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

static bool write_plan(json_t *plan, const char *path) {
    app_output out;
    if (!app_output_open(&out, path))
        return false;
    return app_output_close(&out, json_dumpf(plan, out.file, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) == 0);
}

static bool compare_plan(const app_sweep *s, const char *path) {
    json_error_t why;
    json_t *old = json_load_file(path, 0, &why), *plan = plan_object(s);
    const char *key = old ? compare(old, plan) : NULL;
    bool good = (old && !key) || !app_sweep_has_results(s);
    if (good && !json_equal(old, plan)) // more samples, or another sweep where there are no results
        good = write_plan(plan, path);
    else if (!good && !old)
        app_complain("%s: line %d: %s; give another --output", path, why.line, why.text);
    else if (!good)
        app_complain("%s: contains a sweep with a different '%s'; repeat its command, or give another --output",
                     s->options->out, key);
    json_decref(old);
    json_decref(plan);
    return good;
}

static bool make_folder(const char *path) {
    if (app_make_directory(path))
        return true;
    app_complain("%s: cannot create the directory (%s); give another --output", path, strerror(errno));
    return false;
}

static bool keep_plan(const app_sweep *s) {
    char path[APP_SWEEP_PATH];
    app_sweep_path(s, "sweep.json", path);
    if (access(path, F_OK) == 0)
        return compare_plan(s, path);
    json_t *plan = plan_object(s);
    const bool good = write_plan(plan, path);
    json_decref(plan);
    return good;
}

bool app_sweep_prepare(const app_sweep *s) {
    char path[APP_SWEEP_PATH];
    if (!make_folder(s->options->out))
        return false;
    app_sweep_path(s, "trajectories", path);
    if (s->options->trajectories && !make_folder(path))
        return false;
    const int lock = app_folder_lock(s->options->out); // only one part of several writes the plan
    const bool good = keep_plan(s);
    app_folder_unlock(lock);
    return good;
}
