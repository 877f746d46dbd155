// Materials, pairs, loads and the options of a scene file.
#include "scene/read/reader.h"

#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "material/field.h"

// ---- materials -------------------------------------------------------------------------------------

enum { KEYS = 400 };

// `first` and the names of all fields.
static const char *material_keys(const char *first, char keys[KEYS]) {
    const vs_material_row *row;
    int length = snprintf(keys, KEYS, "%s", first);
    for (int k = 0; (row = vs_material_row_at(k)) && length < KEYS; k++)
        length += snprintf(keys + length, (size_t)(KEYS - length), "%s%s", length ? " " : "", row->field.name);
    return keys;
}

// A number, or [[speed, value], …]. Not there: as it was.
static void read_over_speed(const vs_node *node, const char *key, vs_range range, double *number,
                            vs_speed_table *table) {
    vs_node member = vs_node_get(node, key);
    if (!member.value)
        return;
    table->count = 0;
    if (!json_is_array(member.value)) {
        *number = vs_node_number(&member, range);
        return;
    }
    *number = 0;
    table->count = (int)vs_node_count(&member, 1, VS_TABLE_POINTS);
    for (int k = 0; k < table->count && vs_node_good(node); k++) {
        vs_node point = vs_node_item(&member, (size_t)k);
        if (vs_node_count(&point, 2, 2) != 2)
            return;
        vs_node speed = vs_node_item(&point, 0), value = vs_node_item(&point, 1);
        table->speed[k] = vs_node_number(&speed, VS_RANGE_NOT_NEGATIVE);
        table->value[k] = vs_node_number(&value, range);
    }
}

static vs_material read_properties(const vs_node *node, vs_material material) {
    const vs_material_row *row;
    for (int k = 0; (row = vs_material_row_at(k)); k++) {
        const vs_material_field *field = &row->field;
        const vs_range range = field->most == 1 ? VS_RANGE_UNIT : VS_RANGE_NOT_NEGATIVE;
        double value = vs_material_get(&material, field);
        if (field->choices)
            value = vs_get_choice(node, field->name, field->choices, (int)value);
        else if (field->over)
            read_over_speed(node, field->name, range, &value, vs_material_table(&material, field));
        else
            value = vs_get_number(node, field->name, value, range);
        vs_material_set(&material, field, value);
    }
    return material;
}

int vs_read_material(vs_reader *reader, const vs_node *name) {
    const char *text = vs_node_text(name);
    int index = vs_node_good(name) ? vs_world_find_material(reader->world, text) : -1;
    if (index < 0)
        vs_node_fail(name, VS_ERROR_DATA, "there is no material '%.60s'; add it to \"materials\"", text);
    return index < 0 ? 0 : index;
}

static void read_pair(vs_reader *reader, const vs_node *node) {
    char keys[KEYS];
    vs_node_keys(node, material_keys("between", keys));
    vs_node between = vs_node_need(node, "between");
    if (!between.value || vs_node_count(&between, 2, 2) != 2)
        return;
    vs_node first = vs_node_item(&between, 0), second = vs_node_item(&between, 1);
    int a = vs_read_material(reader, &first), b = vs_read_material(reader, &second);
    if (!vs_node_good(node))
        return;
    // Properties that the pair does not set follow from the two materials.
    vs_material material = read_properties(node, vs_world_get_material_pair(reader->world, a, b));
    if (vs_node_good(node))
        vs_node_check(node, vs_world_set_material_pair(reader->world, a, b, &material));
}

void vs_read_materials(vs_reader *reader, const vs_node *root) {
    char keys[KEYS];
    vs_node materials = vs_node_get(root, "materials"), pairs = vs_node_get(root, "pairs");
    if (materials.value && !json_is_object(materials.value))
        vs_node_fail(&materials, VS_ERROR_DATA, "must be an object {\"name\": {\"mu\": …}, …}");
    for (void *i = json_object_iter(materials.value); i && vs_node_good(root);
         i = json_object_iter_next(materials.value, i)) {
        vs_node node = vs_node_get(&materials, json_object_iter_key(i));
        vs_node_keys(&node, material_keys("", keys));
        vs_material material = read_properties(&node, vs_material_default());
        int index;
        if (vs_node_good(root))
            vs_node_check(&node, vs_world_add_material(reader->world, &material, node.key, &index));
        vs_node_end_item(&node);
    }
    size_t count = vs_node_count(&pairs, 0, 1000000);
    for (size_t k = 0; k < count && vs_node_good(root); k++) {
        vs_node pair = vs_node_item(&pairs, k);
        read_pair(reader, &pair);
        vs_node_end_item(&pair);
    }
}

// ---- loads -----------------------------------------------------------------------------------------

// The user's frame of the body is not that of the centre of mass, which loads refer to.
static void read_load(vs_reader *reader, const vs_node *load) {
    static const char *const frames[] = {"world", "body", NULL};
    vs_node_keys(load, "body force torque point frame");
    const vs_node name = vs_node_need(load, "body"), point = vs_node_get(load, "point");
    if (!vs_node_good(load))
        return;
    const vs_placed_body *body = vs_find_placed(reader, &name);
    vs_load_def def = vs_load_def_default();
    vs_read_signals(reader, load, "force", def.force);
    vs_read_signals(reader, load, "torque", def.torque);
    def.follows = vs_get_choice(load, "frame", frames, 0) == 1;
    if (point.value)
        def.point = vs_subtract(vs_node_vector(&point, VS_RANGE_ANY), body->centre);
    if (vs_node_good(load) && body == reader->placed)
        vs_node_fail(&name, VS_ERROR_DATA, "the world cannot be loaded; name a dynamic body");
    if (vs_node_good(load))
        vs_node_check(load, vs_world_add_load_at(reader->world, body->id, &def));
}

void vs_read_loads(vs_reader *reader, const vs_node *root) {
    vs_node list = vs_node_get(root, "loads");
    size_t count = vs_node_count(&list, 0, 10000000);
    for (size_t k = 0; k < count && vs_node_good(root); k++) {
        const vs_node load = vs_node_item(&list, k);
        read_load(reader, &load);
        vs_node_end_item(&load);
    }
}

// ---- options ---------------------------------------------------------------------------------------

// The backend's own text: that of the file is released before the scene is used.
static const char *read_linear_solver(const vs_node *node) {
    const char *text = vs_get_text(node, "linear_solver");
    if (!text || strcmp(text, "auto") == 0)
        return "auto";
    for (int k = 0; k < vs_backend_count(); k++)
        if (strcmp(vs_backend_at(k).name, text) == 0)
            return vs_backend_at(k).name;
    vs_node member = vs_node_get(node, "linear_solver");
    vs_node_fail(&member, VS_ERROR_DATA, "'%.40s' is not in this build; use \"auto\"", text);
    return "auto";
}

static vs_method read_method(const vs_node *node, vs_method otherwise) {
    enum { MOST = 40 };
    const char *names[MOST + 1] = {NULL};
    for (int k = 0; k < vs_method_count() && k < MOST; k++)
        names[k] = vs_method_at(k).name;
    return (vs_method)vs_get_choice(node, "method", names, (int)otherwise);
}

static void read_solver(const vs_node *node, vs_simulation_options *options) {
    vs_node_keys(node, "model method tolerance criterion max_iterations max_time patience linear_solver warm_start "
                       "on_inaccurate envelope "
                       "recovery_speed restitution_speed project scheme accuracy elastic_iterations numerical_damping");
    vs_solver_options *solver = &options->solver;
    solver->model = (vs_model)vs_get_choice(node, "model", vs_model_names(), (int)solver->model);
    solver->method = read_method(node, solver->method);
    solver->tolerance = vs_get_number(node, "tolerance", solver->tolerance, VS_RANGE_NOT_NEGATIVE);
    solver->criterion = (vs_criterion)vs_get_choice(node, "criterion", vs_criterion_names(), (int)solver->criterion);
    solver->max_iterations = vs_get_whole(node, "max_iterations", solver->max_iterations, -1, INT32_MAX);
    solver->exact.patience = vs_get_whole(node, "patience", solver->exact.patience, 0, INT32_MAX);
    solver->max_time = vs_get_number(node, "max_time", solver->max_time, VS_RANGE_NOT_NEGATIVE);
    solver->linear_solver = read_linear_solver(node);
    solver->warm_start =
        (vs_warm_start)vs_get_choice(node, "warm_start", vs_warm_start_names(), (int)solver->warm_start);
    options->on_inaccurate =
        (vs_on_inaccurate)vs_get_choice(node, "on_inaccurate", vs_on_inaccurate_names(), (int)options->on_inaccurate);
    options->envelope = vs_get_number(node, "envelope", options->envelope, VS_RANGE_NOT_NEGATIVE);
    options->recovery_speed = vs_get_number(node, "recovery_speed", options->recovery_speed, VS_RANGE_NOT_NEGATIVE);
    options->restitution_speed =
        vs_get_number(node, "restitution_speed", options->restitution_speed, VS_RANGE_NOT_NEGATIVE);
    options->scheme = (vs_scheme)vs_get_choice(node, "scheme", vs_scheme_names(), (int)options->scheme);
    options->accuracy = vs_get_number(node, "accuracy", options->accuracy, VS_RANGE_NOT_NEGATIVE);
    options->project = vs_get_flag(node, "project", options->project);
    options->elastic_iterations = vs_get_whole(node, "elastic_iterations", options->elastic_iterations, 1, 1000);
    options->numerical_damping = vs_get_number(node, "numerical_damping", options->numerical_damping, VS_RANGE_UNIT);
}

void vs_read_options(vs_reader *reader, const vs_node *root) {
    vs_scene *scene = reader->scene;
    scene->options.step = vs_get_number(root, "step", scene->options.step, VS_RANGE_POSITIVE);
    vs_node solver = vs_node_get(root, "solver"), output = vs_node_get(root, "output");
    if (solver.value)
        read_solver(&solver, &scene->options);
    if (!output.value)
        return;
    vs_node_keys(&output, "duration frame");
    scene->duration = vs_get_number(&output, "duration", scene->duration, VS_RANGE_NOT_NEGATIVE);
    scene->frame = vs_get_number(&output, "frame", scene->frame, VS_RANGE_NOT_NEGATIVE);
}
