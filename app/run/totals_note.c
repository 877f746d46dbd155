// Sums over the steps of a run as a note in its checkpoint: a JSON object of the fields below. Times on the clock are not
// among them: they are those of one process.
#include "run/totals_note.h"

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"

typedef struct field {
    const char *name;
    enum { REAL, WIDE, COUNT } kind; // double, int64_t, int
    size_t at;
} field;

#define FIELD(kind, member)                                                                                            \
    { #member, kind, offsetof(app_run_totals, member) }
static const field fields[] = {
    FIELD(WIDE, summed),
    FIELD(WIDE, inaccurate),
    FIELD(WIDE, iterations),
    FIELD(WIDE, factorizations),
    FIELD(WIDE, contacts),
    FIELD(COUNT, contacts_most),
    FIELD(REAL, energy_error),
    FIELD(REAL, relative_error),
    FIELD(WIDE, worst),
    FIELD(REAL, work_error),
    FIELD(REAL, penetration),
    FIELD(REAL, drift),
    FIELD(REAL, work),
    FIELD(REAL, dissipation),
    FIELD(REAL, discretization_share),
    FIELD(WIDE, unbalanced),
    FIELD(WIDE, unbalanced_first),
    FIELD(REAL, momentum),
    FIELD(WIDE, momentum_step),
    FIELD(REAL, flow.loads),
    FIELD(REAL, flow.motors),
    FIELD(REAL, flow.prescribed),
    FIELD(REAL, flow.friction),
    FIELD(REAL, flow.impacts),
    FIELD(REAL, flow.dampers),
    FIELD(REAL, flow.discretization),
    FIELD(REAL, flow.fracture),
    FIELD(WIDE, reduced),
    FIELD(REAL, restitution_factor),
    FIELD(WIDE, problems),
    FIELD(REAL, time_error),
    FIELD(REAL, time_error_share),
    FIELD(REAL, time_error_speed),
    FIELD(WIDE, controlled),
    FIELD(WIDE, events),
    FIELD(WIDE, rejected),
    FIELD(WIDE, forced),
    FIELD(WIDE, forced_first),
    FIELD(WIDE, broken),
    FIELD(WIDE, broken_first),
    FIELD(REAL, bond_step),
    FIELD(WIDE, swept),
    FIELD(WIDE, held),
    FIELD(WIDE, held_first),
    FIELD(COUNT, inverted),
    FIELD(WIDE, inverted_first),
    FIELD(REAL, begin.kinetic),
    FIELD(REAL, begin.potential),
    FIELD(REAL, begin.elastic),
    FIELD(REAL, begin.momentum.x),
    FIELD(REAL, begin.momentum.y),
    FIELD(REAL, begin.momentum.z),
    FIELD(REAL, begin.angular_momentum.x),
    FIELD(REAL, begin.angular_momentum.y),
    FIELD(REAL, begin.angular_momentum.z),
};
enum { FIELDS = sizeof fields / sizeof *fields };

static json_t *value_of(const field *f, const app_run_totals *t) {
    const char *at = (const char *)t + f->at;
    double real;
    int64_t wide;
    int count;
    switch (f->kind) {
    case REAL:
        memcpy(&real, at, sizeof real);
        return app_json_number(real);
    case WIDE:
        memcpy(&wide, at, sizeof wide);
        return json_integer(wide);
    default:
        memcpy(&count, at, sizeof count);
        return json_integer(count);
    }
}

static void take(const field *f, const json_t *value, app_run_totals *t) {
    char *at = (char *)t + f->at;
    const double real = json_number_value(value); // 0 if it is none
    const int64_t wide = json_integer_value(value);
    const int count = (int)wide;
    if (f->kind == REAL)
        memcpy(at, &real, sizeof real);
    else if (f->kind == WIDE)
        memcpy(at, &wide, sizeof wide);
    else
        memcpy(at, &count, sizeof count);
}

vs_error app_run_totals_save(const app_run_totals *t, vs_simulation *simulation) {
    json_t *o = json_object(), *listed = json_array();
    for (int k = 0; k < FIELDS; k++)
        app_json_put(o, fields[k].name, value_of(&fields[k], t));
    for (int k = 0; k < APP_RUN_LISTED && k < t->inaccurate; k++)
        (void)json_array_append_new(listed, json_integer(t->listed[k]));
    app_json_put(o, "listed", listed);
    app_json_put(o, "forced_text", app_json_text(t->forced_text ? t->forced_text : ""));
    char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(17));
    const vs_error error = text ? vs_simulation_set_note(simulation, text) : VS_ERROR_MEMORY;
    free(text);
    json_decref(o);
    return error;
}

void app_run_totals_load(app_run_totals *t, int64_t first, const vs_simulation *simulation) {
    json_t *o = json_loads(vs_simulation_get_note(simulation), 0, NULL);
    t->first = first;
    t->inaccurate = vs_simulation_get_inaccurate_steps(simulation);
    // Of another program's note nothing is taken.
    if (json_integer_value(json_object_get(o, "summed")) > 0) {
        for (int k = 0; k < FIELDS; k++)
            take(&fields[k], json_object_get(o, fields[k].name), t);
        for (size_t k = 0; k < APP_RUN_LISTED; k++)
            t->listed[k] = json_integer_value(json_array_get(json_object_get(o, "listed"), k));
        const char *text = json_string_value(json_object_get(o, "forced_text"));
        (void)snprintf(t->forced_before, sizeof t->forced_before, "%s", text ? text : "");
        t->forced_text = t->forced_before[0] ? t->forced_before : NULL;
    }
    json_decref(o);
}
