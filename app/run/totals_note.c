// Sums over the steps of a run as a note in its checkpoint: a JSON object. Times on the clock are not among them: they are those
// of one process.
#include "run/totals_note.h"

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"

// ---- fields: [value, sum, steps, first, worst] of each --------------------------------------------------

static bool is_kept(const vs_report_field *field) {
    return field->steps != VS_REPORT_SINGLE && !app_run_is_clock(field);
}

static json_t *fields_of(const vs_report_totals *of) {
    json_t *o = json_object();
    for (int k = 0; k < vs_report_field_count(); k++) {
        const vs_report_field field = vs_report_field_at(k);
        const vs_report_total *t = &of->field[k];
        // Fields of later versions only where they are not 0: other runs keep the notes that they had.
        const bool absent = field.later && !field.column && t->steps == 0;
        if (is_kept(&field) && !absent)
            app_json_put(o, field.name,
                         json_pack("[o,o,I,I,I]", app_json_number(t->value), app_json_number(t->sum),
                                   (json_int_t)t->steps, (json_int_t)t->first, (json_int_t)t->worst));
    }
    return o;
}

// Fields that the note does not have begin with zeros.
static void take_fields(const json_t *o, vs_report_totals *of) {
    for (int k = 0; k < vs_report_field_count(); k++) {
        const vs_report_field field = vs_report_field_at(k);
        const json_t *a = json_object_get(o, field.name);
        if (is_kept(&field))
            of->field[k] = (vs_report_total){.value = json_number_value(json_array_get(a, 0)),
                                             .sum = json_number_value(json_array_get(a, 1)),
                                             .steps = json_integer_value(json_array_get(a, 2)),
                                             .first = json_integer_value(json_array_get(a, 3)),
                                             .worst = json_integer_value(json_array_get(a, 4))};
    }
}

// ---- the energy at the start: the fields "energy.…" of a report --------------------------------------------

static bool is_energy(const vs_report_field *field) {
    return strncmp(field->name, "energy.", strlen("energy.")) == 0;
}

static json_t *energy_of(const vs_energy *energy) {
    const vs_step_report report = {.energy = *energy};
    json_t *o = json_object();
    for (int k = 0; k < vs_report_field_count(); k++) {
        const vs_report_field field = vs_report_field_at(k);
        if (is_energy(&field))
            app_json_put(o, field.name, app_json_number(vs_report_field_value(k, &report)));
    }
    return o;
}

static void take_energy(const json_t *o, vs_energy *energy) {
    for (int k = 0; k < vs_report_field_count(); k++) {
        const vs_report_field field = vs_report_field_at(k);
        const double value = json_number_value(json_object_get(o, field.name));
        if (is_energy(&field))
            memcpy((char *)energy + (field.offset - offsetof(vs_step_report, energy)), &value, sizeof value);
    }
}

// ---- all -----------------------------------------------------------------------------------------------

vs_error app_run_totals_save(const app_run_totals *t, vs_simulation *simulation) {
    json_t *o = json_object(), *listed = json_array();
    app_json_put(o, "summed", json_integer(t->of.steps));
    app_json_put(o, "inaccurate", json_integer(t->of.inaccurate));
    for (int k = 0; k < APP_RUN_LISTED && k < t->of.inaccurate; k++)
        (void)json_array_append_new(listed, json_integer(t->listed[k]));
    app_json_put(o, "listed", listed);
    app_json_put(o, "fields", fields_of(&t->of));
    app_json_put(o, "momentum", app_json_number(t->momentum));
    app_json_put(o, "momentum_step", json_integer(t->momentum_step));
    app_json_put(o, "forced_text", app_json_text(t->forced_text ? t->forced_text : ""));
    app_json_put(o, "begin", energy_of(&t->begin));
    char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(17));
    const vs_error error = text ? vs_simulation_set_note(simulation, text) : VS_ERROR_MEMORY;
    free(text);
    json_decref(o);
    return error;
}

void app_run_totals_load(app_run_totals *t, int64_t first, const vs_simulation *simulation) {
    json_t *o = json_loads(vs_simulation_get_note(simulation), 0, NULL);
    const json_t *fields = json_object_get(o, "fields");
    t->first = first;
    t->of.inaccurate = vs_simulation_get_inaccurate_steps(simulation);
    // Of another program's note, and of that of a version before the table of fields, nothing is taken.
    if (fields && json_integer_value(json_object_get(o, "summed")) > 0) {
        t->of.steps = json_integer_value(json_object_get(o, "summed"));
        t->of.inaccurate = json_integer_value(json_object_get(o, "inaccurate"));
        take_fields(fields, &t->of);
        take_energy(json_object_get(o, "begin"), &t->begin);
        t->momentum = json_number_value(json_object_get(o, "momentum"));
        t->momentum_step = json_integer_value(json_object_get(o, "momentum_step"));
        for (size_t k = 0; k < APP_RUN_LISTED; k++)
            t->listed[k] = json_integer_value(json_array_get(json_object_get(o, "listed"), k));
        const char *text = json_string_value(json_object_get(o, "forced_text"));
        (void)snprintf(t->forced_before, sizeof t->forced_before, "%s", text ? text : "");
        t->forced_text = t->forced_before[0] ? t->forced_before : NULL;
    }
    json_decref(o);
}
