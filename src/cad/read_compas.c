// Assemblies of COMPAS (compas_assembly, compas_cra) as JSON: each block is an object; `is_support` makes it static.
//
//     {"dtype": …, "data": {"graph": {"data": {"node": {"3": {"block": {"data": MESH}, "is_support": true}}}}}}
//     {"assembly": {"vertex": {"3": {"is_support": true}}}, "blocks": {"3": MESH}}             (until 2020)
//     MESH: {"vertex": {"0": {"x": 1, "y": 2, "z": 3}, …}, "face": {"0": [0, 1, 2], …}}
//
// "data" is "value" in older files, "block" is "part" in some. Blocks are called block-3 after their node: the names that
// COMPAS stores are those of classes. Interfaces, forces and edges are not read.
#include "cad/cad_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRAPPED_MOST = 8 };

typedef struct reader {
    vs_drawing *drawing;
    vs_context *context;
    json_t *number; // of the vertices of a block, by their keys
} reader;

// Through {"dtype": …, "data": …}.
static const json_t *unwrap(const json_t *value) {
    for (int k = 0; k < WRAPPED_MOST; k++) {
        const json_t *data = json_object_get(value, "data");
        data = data ? data : json_object_get(value, "value");
        if (!json_is_object(data))
            break;
        value = data;
    }
    return value;
}

// ---- a block ---------------------------------------------------------------------------------------

static vs_error read_vertices(reader *r, const char *block, const json_t *vertices) {
    static const char *const axis[] = {"x", "y", "z"};
    (void)json_object_clear(r->number);
    for (void *i = json_object_iter((json_t *)vertices); i; i = json_object_iter_next((json_t *)vertices, i)) {
        double x[3] = {0}; // absent: the default of COMPAS
        for (int k = 0; k < 3; k++) {
            const json_t *value = json_object_get(json_object_iter_value(i), axis[k]);
            if (value && !json_is_number(value))
                return vs_fail(r->context, VS_ERROR_DATA, "%s: block %s: vertex %s: %s is not a number",
                               r->drawing->file, block, json_object_iter_key(i), axis[k]);
            x[k] = json_number_value(value);
        }
        if (json_object_set_new(r->number, json_object_iter_key(i), json_integer(r->drawing->vertex.count)) != 0)
            return vs_fail_memory(r->context);
        vs_error error = vs_drawing_add_vertex(r->drawing, (vs_vec3){x[0], x[1], x[2]});
        if (error)
            return error;
    }
    return VS_OK;
}

// The vertex of a key, which is a number in new files and a text in old ones; -1: none.
static int find_vertex(const reader *r, const json_t *key) {
    char text[32];
    if (json_is_integer(key))
        (void)snprintf(text, sizeof text, "%" PRId64, (int64_t)json_integer_value(key));
    const json_t *found = json_object_get(r->number, json_is_string(key) ? json_string_value(key) : text);
    return (json_is_string(key) || json_is_integer(key)) && found ? (int)json_integer_value(found) : -1;
}

static vs_error read_faces(reader *r, const char *block, const json_t *faces) {
    for (void *i = json_object_iter((json_t *)faces); i; i = json_object_iter_next((json_t *)faces, i)) {
        const json_t *list = json_object_iter_value(i);
        const size_t count = json_array_size(list);
        int corner[VS_POLYGON_MOST];
        if (json_is_null(list))
            continue;
        if (count < 3 || count > VS_POLYGON_MOST)
            return vs_fail(r->context, VS_ERROR_DATA, "%s: block %s: face %s has %zu corners; 3 to %d are possible",
                           r->drawing->file, block, json_object_iter_key(i), count, VS_POLYGON_MOST);
        for (size_t k = 0; k < count; k++)
            if ((corner[k] = find_vertex(r, json_array_get(list, k))) < 0)
                return vs_fail(r->context, VS_ERROR_DATA, "%s: block %s: face %s has a vertex that the block has not",
                               r->drawing->file, block, json_object_iter_key(i));
        vs_error error = vs_drawing_add_face(r->drawing, corner, (int)count);
        if (error)
            return error;
    }
    return VS_OK;
}

static vs_error read_block(reader *r, const char *key, const json_t *mesh, bool support) {
    static const char before[] = "block-";
    const size_t length = strlen(before) + strlen(key);
    char *name = VS_NEW(r->drawing->arena, char, (int64_t)length + 1);
    const json_t *vertices = json_object_get(mesh, "vertex"), *faces = json_object_get(mesh, "face");
    if (!name)
        return VS_ERROR_MEMORY;
    (void)snprintf(name, length + 1, "%s%s", before, key);
    if (!json_is_object(vertices) || !json_is_object(faces))
        return vs_fail(r->context, VS_ERROR_DATA, "%s: block %s is not a mesh with \"vertex\" and \"face\"",
                       r->drawing->file, key);
    vs_error error = vs_drawing_begin(r->drawing, name, length, vs_drawing_count(r->drawing));
    if (!error && support)
        r->drawing->object.data[r->drawing->current].fixed = true;
    if (!error)
        error = read_vertices(r, key, vertices);
    return error ? error : read_faces(r, key, faces);
}

// ---- the assembly ----------------------------------------------------------------------------------

static bool is_true(const json_t *object, const char *key) {
    return json_is_true(json_object_get(object, key));
}

static vs_error read_node(reader *r, const char *key, const json_t *node) {
    const json_t *block = json_object_get(node, "block");
    const json_t *mesh = unwrap(block ? block : json_object_get(node, "part"));
    const json_t *attributes = json_object_get(mesh, "attributes");
    return read_block(r, key, mesh, is_true(node, "is_support") || is_true(attributes, "is_support"));
}

typedef struct entry {
    const char *key;
    const json_t *value;
} entry;

// By number, then by text: files list nodes in any order.
static int compare(const void *a, const void *b) {
    const entry *p = a, *q = b;
    const size_t m = strlen(p->key), n = strlen(q->key);
    return m != n ? (m > n) - (m < n) : strcmp(p->key, q->key);
}

static vs_error list_entries(reader *r, const json_t *object, entry **list, size_t *count) {
    *count = 0;
    *list = VS_NEW(r->drawing->arena, entry, (int64_t)json_object_size(object));
    if (!*list)
        return VS_ERROR_MEMORY;
    for (void *i = json_object_iter((json_t *)object); i; i = json_object_iter_next((json_t *)object, i))
        (*list)[(*count)++] = (entry){json_object_iter_key(i), json_object_iter_value(i)};
    if (*count > 0)
        qsort(*list, *count, sizeof **list, compare);
    return VS_OK;
}

static vs_error read_assembly(reader *r, const json_t *root) {
    const json_t *assembly = unwrap(root), *old = json_object_get(assembly, "blocks");
    const json_t *graph = unwrap(json_object_get(assembly, "graph"));
    const json_t *nodes = json_object_get(graph ? graph : assembly, "node");
    const json_t *flags = json_object_get(json_object_get(assembly, "assembly"), "vertex");
    entry *list = NULL;
    size_t count = 0;
    if (json_object_get(root, "voussoir"))
        return vs_fail(r->context, VS_ERROR_DATA, "%s: is a scene already; use 'voussoir run' or 'voussoir statics'",
                       r->drawing->file);
    if (!json_is_object(nodes) && !json_is_object(old))
        return vs_fail(
            r->context, VS_ERROR_DATA,
            "%s: neither a scene nor an assembly of COMPAS (no \"graph\" with \"node\", no \"blocks\") nor a scene of "
            "Rigid IPC (no \"rigid_body_problem\")",
            r->drawing->file);
    vs_error error = list_entries(r, json_is_object(old) ? old : nodes, &list, &count);
    for (size_t k = 0; k < count && !error; k++)
        error = json_is_object(old)
                    ? read_block(r, list[k].key, unwrap(list[k].value),
                                 is_true(json_object_get(flags ? flags : nodes, list[k].key), "is_support"))
                    : read_node(r, list[k].key, list[k].value);
    return error;
}

vs_error vs_cad_read_compas(vs_drawing *d, const json_t *root) {
    reader r = {.drawing = d, .context = d->arena->context, .number = json_object()};
    const vs_error error = r.number ? read_assembly(&r, root) : vs_fail_memory(r.context);
    json_decref(r.number);
    return error;
}
