// Names in a scene file: unique, and found again.
#include "scene/read/reader.h"

#include <string.h>

void vs_add_name(const vs_node *node, json_t *table, const char *name, int value) {
    if (!vs_node_good(node))
        return;
    if (!name[0])
        vs_node_fail(node, VS_ERROR_DATA, "the name is empty; give one or omit it");
    else if (json_object_get(table, name))
        vs_node_fail(node, VS_ERROR_DATA, "the name '%.60s' is already in use; names must be unique", name);
    else if (json_object_set_new(table, name, json_integer(value)) != 0)
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
}

const vs_placed_body *vs_find_placed(vs_reader *reader, const vs_node *name) {
    const char *text = name->value ? vs_node_text(name) : "world";
    const json_t *index = json_object_get(reader->body_names, text);
    if (!index && strcmp(text, "world") != 0)
        vs_node_fail(name, VS_ERROR_DATA, "there is no body '%.60s'; check the name, or use \"world\"", text);
    return &reader->placed[index ? json_integer_value(index) : 0];
}

vs_joint_id vs_find_joint(vs_reader *reader, const vs_node *name) {
    const char *text = vs_node_text(name);
    const json_t *index = json_object_get(reader->joint_names, text);
    if (!index)
        vs_node_fail(name, VS_ERROR_DATA, "there is no joint '%.60s' before this one; check the name", text);
    return index ? reader->joint[json_integer_value(index)] : (vs_joint_id){0, 0};
}
