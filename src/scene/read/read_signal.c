// Functions of time in a scene file.
//
//     3.5, "$name", "expression"        a number, or an expression of parameters and the time t
//     {"table": {"time", "value"}}      linear in between, constant outside
//     {"steps": {"time", "value"}}      each value from its time on; the first one also before
//     {"ramp": {"from", "to", "begin", "end"}}
//     {"sine": {"value", "amplitude", "frequency", "phase"}}
//     {"file": path, …}                 a record
//
// Tables stay in the arena of the reader, records in the scene: the world copies both.
#include "scene/read/reader.h"

#include <stdio.h>
#include <string.h>

#include "scene/data/scene_data.h"

enum { SAMPLES_MOST = 10000000 };

static double *make_room(const vs_node *node, size_t count) {
    double *x = VS_NEW_ZERO(node->document->arena, double, (int64_t)count);
    if (!x)
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
    return x;
}

// ---- tables ----------------------------------------------------------------------------------------

static double *read_column(const vs_node *node, size_t count) {
    double *x = make_room(node, count);
    for (size_t k = 0; x && k < count; k++) {
        vs_node item = vs_node_item(node, k);
        x[k] = vs_node_number(&item, VS_RANGE_ANY);
    }
    return x;
}

static vs_signal read_table(vs_reader *reader, const vs_node *node) {
    (void)reader;
    vs_node_keys(node, "time value");
    vs_node time = vs_node_need(node, "time"), value = vs_node_need(node, "value");
    size_t count = vs_node_count(&time, 1, SAMPLES_MOST);
    (void)vs_node_count(&value, count, count);
    if (!vs_node_good(node))
        return (vs_signal){0};
    vs_signal signal = {.kind = VS_SIGNAL_TABLE, .count = (int)count};
    signal.time = read_column(&time, count);
    signal.sample = read_column(&value, count);
    for (size_t k = 1; vs_node_good(node) && k < count; k++)
        if (!(signal.time[k] > signal.time[k - 1])) {
            vs_node item = vs_node_item(&time, k);
            vs_node_fail(&item, VS_ERROR_DATA, "times must ascend, %g follows %g", signal.time[k], signal.time[k - 1]);
        }
    return vs_node_good(node) ? signal : (vs_signal){0};
}

// A table with a jump at each time but the first.
static vs_signal read_steps(vs_reader *reader, const vs_node *node) {
    const vs_signal table = read_table(reader, node);
    if (!table.time || !table.sample)
        return table;
    const int count = 2 * table.count - 1;
    double *time = make_room(node, (size_t)count), *sample = make_room(node, (size_t)count);
    for (int k = 0; time && sample && k < count; k++) {
        time[k] = table.time[(k + 1) / 2];
        sample[k] = table.sample[k / 2];
    }
    return (vs_signal){.kind = VS_SIGNAL_TABLE, .time = time, .sample = sample, .count = count};
}

static vs_signal read_ramp(vs_reader *reader, const vs_node *node) {
    (void)reader;
    vs_node_keys(node, "from to begin end");
    const vs_node to = vs_node_need(node, "to"), end = vs_node_need(node, "end");
    double *time = make_room(node, 2), *sample = make_room(node, 2);
    if (!vs_node_good(node))
        return (vs_signal){0};
    time[0] = vs_get_number(node, "begin", 0, VS_RANGE_ANY);
    time[1] = vs_node_number(&end, VS_RANGE_ANY);
    sample[0] = vs_get_number(node, "from", 0, VS_RANGE_ANY);
    sample[1] = vs_node_number(&to, VS_RANGE_ANY);
    if (vs_node_good(node) && !(time[1] > time[0]))
        vs_node_fail(&end, VS_ERROR_DATA, "must be after \"begin\", %g s, is %g s", time[0], time[1]);
    return (vs_signal){.kind = VS_SIGNAL_TABLE, .time = time, .sample = sample, .count = 2};
}

static vs_signal read_sine(vs_reader *reader, const vs_node *node) {
    (void)reader;
    vs_node_keys(node, "value amplitude frequency phase");
    return (vs_signal){.kind = VS_SIGNAL_SINE,
                       .value = vs_get_number(node, "value", 0, VS_RANGE_ANY),
                       .amplitude = vs_get_number(node, "amplitude", 1, VS_RANGE_ANY),
                       .frequency = vs_get_number(node, "frequency", 1, VS_RANGE_NOT_NEGATIVE),
                       .phase = vs_get_number(node, "phase", 0, VS_RANGE_ANY)};
}

// ---- files -----------------------------------------------------------------------------------------

static vs_record_options read_record_options(const vs_node *node, bool acceleration) {
    const vs_baseline standard = acceleration ? VS_BASELINE_DISPLACEMENT : VS_BASELINE_NONE;
    const vs_node baseline = vs_node_get(node, "baseline"), step = vs_node_get(node, "step"),
                  time = vs_node_get(node, "time");
    vs_record_options o = vs_record_options_default();
    vs_node_keys(node, "file column time step skip scale baseline");
    o.column = vs_get_whole(node, "column", step.value ? 1 : o.column, 1, 100000);
    o.time_column = vs_get_whole(node, "time", o.time_column, 1, 100000);
    o.step = vs_get_number(node, "step", 0, VS_RANGE_POSITIVE);
    o.skip = vs_get_whole(node, "skip", 0, 0, 1000000000);
    o.scale = vs_get_number(node, "scale", 1, VS_RANGE_ANY);
    o.baseline = (vs_baseline)vs_get_choice(node, "baseline", vs_baseline_names(), (int)standard);
    if (vs_node_good(node) && baseline.value && !acceleration && o.baseline != VS_BASELINE_NONE)
        vs_node_fail(&baseline, VS_ERROR_DATA, "is for accelerations that become a motion; omit it here");
    if (vs_node_good(node) && step.value && time.value)
        vs_node_fail(&step, VS_ERROR_DATA, "give either \"step\" or the column \"time\"");
    return o;
}

static vs_signal read_file(vs_reader *reader, const vs_node *node, bool acceleration) {
    const vs_node file = vs_node_get(node, "file");
    const vs_record_options options = read_record_options(node, acceleration);
    const char *path = vs_node_good(node) ? vs_read_path(reader, &file) : NULL;
    vs_record *record = NULL;
    if (!path)
        return (vs_signal){0};
    const vs_error error = vs_record_read(reader->document.context, path, &options, &record);
    if (error == VS_ERROR_IO)
        vs_node_fail(&file, VS_ERROR_DATA, "%.300s; check the path, which begins at the folder of the scene",
                     vs_context_get_error_text(reader->document.context));
    else
        vs_node_check(&file, error);
    if (!vs_node_good(node))
        return (vs_signal){0};
    const vs_signal signal = record->signal;
    vs_node_check(&file,
                  vs_scene_add_record(reader->scene, path, record, acceleration)); // which releases it after an error
    return vs_node_good(node) ? signal : (vs_signal){0};
}

// ---- expressions -----------------------------------------------------------------------------------

// The text with the values of parameters in the place of their names: the world knows none.
static const char *insert_parameters(const vs_node *node) {
    enum { NUMBER = 32 };
    const char *text = json_string_value(node->value);
    size_t room = 1;
    for (const char *at = text; *at; at++)
        room += *at == '$' ? NUMBER : 1;
    char *out = VS_NEW(node->document->arena, char, (int64_t)room), *to = out;
    if (!out) {
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    for (const char *at = text; *at;) {
        if (*at != '$') {
            *to++ = *at++;
            continue;
        }
        const size_t length = strspn(++at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        const double value = json_number_value(json_object_getn(node->document->parameters, at, length));
        to += snprintf(to, NUMBER, "(%.17g)", value);
        at += length;
    }
    *to = 0;
    return out;
}

static vs_signal read_text(const vs_node *node) {
    vs_signal none = {0};
    double value;
    if (vs_node_is_parameter(node, &value))
        return (vs_signal){.value = value};
    vs_expression *e = vs_node_good(node) ? vs_node_expression(node) : NULL;
    if (!e)
        return none;
    const bool changes = vs_expression_has_time(e);
    value = vs_expression_at(e, 0);
    vs_expression_release(node->document->context, e);
    if (!changes)
        return (vs_signal){.value = value};
    const char *text = insert_parameters(node);
    return text ? (vs_signal){.kind = VS_SIGNAL_EXPRESSION, .expression = text} : none;
}

// ---- any of them -----------------------------------------------------------------------------------

static vs_signal read_any(vs_reader *reader, const vs_node *node, bool acceleration) {
    static const struct {
        const char *key;
        vs_signal (*read)(vs_reader *, const vs_node *);
    } kind[] = {{"table", read_table}, {"steps", read_steps}, {"ramp", read_ramp}, {"sine", read_sine}};
    enum { KINDS = sizeof kind / sizeof *kind };
    const vs_signal none = {0};
    if (json_is_string(node->value))
        return read_text(node);
    if (!json_is_object(node->value))
        return (vs_signal){.value = vs_node_number(node, VS_RANGE_ANY)};
    if (json_object_get(node->value, "file"))
        return read_file(reader, node, acceleration);
    vs_node_keys(node, "table steps ramp sine file");
    int found = -1, given = 0;
    for (int k = 0; k < KINDS; k++)
        if (json_object_get(node->value, kind[k].key))
            found = k, given++;
    if (vs_node_good(node) && given != 1)
        vs_node_fail(node, VS_ERROR_DATA,
                     "must be a number, an expression, or have one of \"table\", \"steps\", \"ramp\", \"sine\" and "
                     "\"file\"");
    if (!vs_node_good(node) || found < 0)
        return none;
    const vs_node member = vs_node_get(node, kind[found].key);
    // cppcheck-suppress returnDanglingLifetime ; tables are in the arena, none in the node
    return kind[found].read(reader, &member);
}

vs_signal vs_read_signal(vs_reader *reader, const vs_node *node) {
    return read_any(reader, node, false);
}

static void read_three(vs_reader *reader, const vs_node *node, vs_signal_use use, vs_signal signal[3]) {
    for (int k = 0; k < 3; k++)
        signal[k] = (vs_signal){0};
    if (!node->value || vs_node_count(node, 3, 3) != 3)
        return;
    for (size_t k = 0; k < 3; k++) {
        const vs_node item = vs_node_item(node, k);
        signal[k] = read_any(reader, &item, use == VS_SIGNAL_INTEGRATED);
        signal[k].use = use;
        if (vs_node_good(node) && use == VS_SIGNAL_INTEGRATED && signal[k].kind == VS_SIGNAL_EXPRESSION)
            vs_node_fail(&item, VS_ERROR_DATA,
                         "an expression of t is not integrated; give its integral as a velocity, or a table");
    }
}

void vs_read_signals(vs_reader *reader, const vs_node *object, const char *key, vs_signal signal[3]) {
    const vs_node node = vs_node_get(object, key);
    read_three(reader, &node, VS_SIGNAL_AS_IS, signal);
}

void vs_read_motion(vs_reader *reader, const vs_node *object, const char *const key[3], vs_signal signal[3]) {
    static const vs_signal_use use[3] = {VS_SIGNAL_DIFFERENTIATED, VS_SIGNAL_AS_IS, VS_SIGNAL_INTEGRATED};
    int found = 1, given = 0;
    for (int k = 0; k < 3; k++)
        if (key[k] && json_object_get(object->value, key[k]))
            found = k, given++;
    const vs_node node = vs_node_get(object, key[found]);
    if (vs_node_good(object) && given > 1)
        vs_node_fail(&node, VS_ERROR_DATA, "give only one of \"%s%s%s\" and \"%s\"", key[0] ? key[0] : "",
                     key[0] ? "\", \"" : "", key[1], key[2]);
    read_three(reader, &node, use[found], signal);
}
