// Scenes: the public functions that read them, and the top level of the reader of JSON files (docs/scenes.md).
//
// Order: parameters, materials, shapes, bodies, flexible bodies, joints, mortar, loads, factories, sinks, stop conditions, options; then the joints are assembled.
// Sizes in the file are checked before memory is allocated; jansson itself uses malloc(), everything else the context.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "body/world_data.h"
#include "scene/data/locked.h"
#include "scene/data/scene_data.h"
#include "scene/read/pointer.h"
#include "scene/read/reader.h"
#include "scene/read/text.h"

// ---- parameters ------------------------------------------------------------------------------------

// Those of the file, then the values that override them.
static void read_parameters(vs_document *d, const vs_node *root, const vs_scene_parameter *parameter, int parameters) {
    vs_node list = vs_node_get(root, "parameters");
    if (list.value && !json_is_object(list.value))
        vs_node_fail(&list, VS_ERROR_DATA, "must be an object {\"name\": number, …}");
    for (void *i = json_object_iter(list.value); i && vs_node_good(root); i = json_object_iter_next(list.value, i)) {
        vs_node node = vs_node_get(&list, json_object_iter_key(i));
        double value = vs_node_number(&node, VS_RANGE_ANY);
        if (vs_node_good(root) && json_object_set_new(d->parameters, node.key, json_real(value)) != 0)
            vs_node_fail(&node, VS_ERROR_MEMORY, "out of memory");
    }
    for (int k = 0; k < parameters && vs_node_good(root); k++) {
        const char *name = parameter[k].name ? parameter[k].name : "";
        if (name[0] == '/')
            continue;
        if (!json_object_get(d->parameters, name))
            vs_node_fail(&list, VS_ERROR_ARGUMENT, "the scene has no parameter '%.60s'", name);
        else if (json_object_set_new(d->parameters, name, json_real(parameter[k].value)) != 0)
            vs_node_fail(&list, VS_ERROR_MEMORY, "out of memory");
    }
}

// A name that begins with '/' sets the value at that JSON pointer.
static void put_numbers(const vs_node *root, const vs_scene_parameter *parameter, int parameters) {
    for (int k = 0; k < parameters && vs_node_good(root); k++) {
        const char *name = parameter[k].name ? parameter[k].name : "";
        if (!isfinite(parameter[k].value))
            vs_node_fail(root, VS_ERROR_ARGUMENT, "the value of '%.60s' is not finite", name);
        else if (name[0] == '/')
            vs_pointer_set(root, name, parameter[k].value);
    }
}

// ---- the file --------------------------------------------------------------------------------------

#define TOP_KEYS                                                                                                       \
    "voussoir name parameters gravity period step solver materials pairs shapes bodies flexible joints mortar loads "  \
    "factories sinks stop output"

static void read_head(vs_reader *reader, const vs_node *root) {
    vs_node version = vs_node_need(root, "voussoir");
    if (version.value)
        (void)vs_node_whole(&version, 1, 1);
    vs_node schema = vs_node_get(root, "$schema");
    vs_node_keys(root, schema.value ? TOP_KEYS " $schema" : TOP_KEYS);
    const char *name = vs_get_text(root, "name");
    if (name && vs_node_good(root))
        (void)snprintf(reader->scene->name, sizeof reader->scene->name, "%s", name);
}

static void read_root(vs_reader *reader, json_t *value, const vs_scene_parameter *parameter, int parameters) {
    vs_node root = {.document = &reader->document, .value = value};
    if (!json_is_object(value))
        vs_node_fail(&root, VS_ERROR_DATA, "a scene is an object {\"voussoir\": 1, …}");
    put_numbers(&root, parameter, parameters);
    if (vs_node_good(&root))
        read_head(reader, &root);
    read_parameters(&reader->document, &root, parameter, parameters);
    void (*const part[])(vs_reader *, const vs_node *) = {
        vs_read_gravity, vs_read_period, vs_read_materials, vs_read_shapes, vs_read_bodies, vs_read_flexible,
        vs_read_joints,  vs_read_mortar, vs_read_loads,     vs_read_gates,  vs_read_stops,  vs_read_options};
    // A wrong key of the scene concerns no part; parts after a wrong one refer to it.
    vs_node_end_item(&root);
    const int errors = reader->document.errors;
    for (size_t k = 0; k < sizeof part / sizeof part[0] && vs_node_good(&root) && reader->document.errors == errors;
         k++)
        part[k](reader, &root);
    vs_node_end_reading(&root);
    vs_node joints = vs_node_get(&root, "joints");
    if (vs_node_good(&root) && reader->joints > 0)
        vs_node_check(&joints, vs_world_assemble(reader->world, VS_SCENE_ASSEMBLED));
    const vs_locked_options locked = {.file = reader->document.name, .keep_asked = true};
    if (vs_node_good(&root))
        vs_node_check(&joints, vs_scene_leave_out_locked(reader->scene, &locked));
}

static vs_error parse_json(vs_document *d, json_t **value) {
    int line = 0;
    (void)vs_text_depth(d->text, d->length, VS_TEXT_DEPTH_MOST, &line);
    if (line > 0)
        return vs_fail(d->context, VS_ERROR_DATA, "%s:%d: brackets nest deeper than %d levels", d->name, line,
                       VS_TEXT_DEPTH_MOST);
    json_error_t why;
    *value = json_loadb(d->text, d->length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &why);
    if (*value)
        return VS_OK;
    if (json_error_code(&why) == json_error_out_of_memory)
        return vs_fail_memory(d->context);
    return vs_fail(d->context, VS_ERROR_DATA, "%s:%d: column %d: %s", d->name, why.line < 1 ? 1 : why.line, why.column,
                   why.text);
}

static void close_reader(vs_reader *reader) {
    for (int k = 0; k < reader->shapes; k++)
        vs_shape_release_read(&reader->shape[k]);
    json_decref(reader->document.parameters);
    json_decref(reader->body_names);
    json_decref(reader->joint_names);
    json_decref(reader->shape_names);
    vs_arena_release(&reader->arena);
}

static vs_error parse(vs_context *context, const char *text, size_t length, const char *name, const char *folder,
                      const vs_scene_parameter *parameter, int parameters, vs_scene **out) {
    static const char mark[] = "\xef\xbb\xbf"; // of UTF-8, which some editors write at the beginning
    if (length >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0)
        text += strlen(mark), length -= strlen(mark);
    vs_reader reader = {.folder = folder};
    reader.document = (vs_document){.context = context,
                                    .arena = &reader.arena,
                                    .name = name,
                                    .text = text,
                                    .length = length,
                                    .parameters = json_object()};
    reader.body_names = json_object();
    reader.joint_names = json_object();
    reader.shape_names = json_object();
    vs_arena_init(&reader.arena, context);
    json_t *value = NULL;
    vs_error error = reader.document.parameters && reader.body_names && reader.joint_names && reader.shape_names
                         ? parse_json(&reader.document, &value)
                         : vs_fail_memory(context);
    if (!error)
        error = vs_scene_new(context, name, &reader.scene);
    if (!error) {
        reader.world = reader.scene->world;
        vs_scene_name(reader.scene, name);
        read_root(&reader, value, parameter, parameters);
        error = reader.document.error;
    }
    json_decref(value);
    close_reader(&reader);
    if (error)
        vs_scene_destroy(reader.scene);
    else
        *out = reader.scene;
    return error;
}

static vs_error check_parameters(vs_context *context, const vs_scene_parameter *parameter, int parameters) {
    if (parameters < 0 || (parameters > 0 && !parameter))
        return vs_fail(context, VS_ERROR_ARGUMENT, "scene: the array of %d parameters is null", parameters);
    return VS_OK;
}

vs_error vs_scene_parse(vs_context *context, const char *text, size_t length, const char *name,
                        const vs_scene_parameter *parameter, int parameters, vs_scene **scene) {
    if (!context || !scene)
        return vs_fail(context, VS_ERROR_ARGUMENT, "scene: an argument is null");
    *scene = NULL;
    if (!text)
        return vs_fail(context, VS_ERROR_ARGUMENT, "scene: the text is null");
    vs_error error = check_parameters(context, parameter, parameters);
    return error ? error : parse(context, text, length, name ? name : "scene", NULL, parameter, parameters, scene);
}

// ---- reading files ---------------------------------------------------------------------------------

vs_error vs_scene_read(vs_context *context, const char *path, const vs_scene_parameter *parameter, int parameters,
                       vs_scene **scene) {
    if (!context || !scene)
        return vs_fail(context, VS_ERROR_ARGUMENT, "scene: an argument is null");
    *scene = NULL;
    if (!path)
        return vs_fail(context, VS_ERROR_ARGUMENT, "scene: the path is null");
    vs_error error = check_parameters(context, parameter, parameters);
    if (error)
        return error;
    char *text = NULL, *folder = NULL;
    size_t length = 0;
    error = vs_text_load(context, path, &text, &length);
    if (!error)
        error = vs_text_folder(context, path, &folder);
    if (!error)
        error = parse(context, text, length, path, folder, parameter, parameters, scene);
    if (!error && (error = vs_scene_add_file(*scene, path))) {
        vs_scene_destroy(*scene);
        *scene = NULL;
    }
    vs_release(context, folder);
    vs_release(context, text);
    return error;
}
