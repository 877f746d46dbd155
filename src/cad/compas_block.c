// Blocks of COMPAS files: meshes, placed in the coordinates of the model.
//
//     MESH: {"vertex": {"0": {"x": 1, "y": 2, "z": 3}, …}, "face": {"0": [0, 1, 2], …}}
//
// Blocks are called block-3 after their node, or their place in a list: the names that COMPAS stores are mostly those of classes.
#include "cad/compas_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRAPPED_MOST = 8 };

// ---- what COMPAS wraps -----------------------------------------------------------------------------

const json_t *vs_compas_unwrap(const json_t *value) {
    for (int k = 0; k < WRAPPED_MOST; k++) {
        const json_t *data = json_object_get(value, "data");
        data = data ? data : json_object_get(value, "value");
        if (!json_is_object(data))
            break;
        value = data;
    }
    return value;
}

const char *vs_compas_type(const json_t *value) {
    const json_t *type = json_object_get(value, "dtype");
    type = type ? type : json_object_get(value, "datatype");
    return json_is_string(type) ? json_string_value(type) : "";
}

bool vs_compas_is_true(const json_t *object, const char *key) {
    return json_is_true(json_object_get(object, key));
}

bool vs_compas_is_mesh(const json_t *value) {
    return json_is_object(json_object_get(value, "vertex")) && json_is_object(json_object_get(value, "face"));
}

static int compare(const void *a, const void *b) {
    const vs_compas_entry *p = a, *q = b;
    const size_t m = strlen(p->key), n = strlen(q->key);
    return m != n ? (m > n) - (m < n) : strcmp(p->key, q->key);
}

vs_error vs_compas_sort(vs_compas *r, const json_t *object, vs_compas_entry **list, size_t *count) {
    *count = 0;
    *list = VS_NEW(r->drawing->arena, vs_compas_entry, (int64_t)json_object_size(object));
    if (!*list)
        return VS_ERROR_MEMORY;
    for (void *i = json_object_iter((json_t *)object); i; i = json_object_iter_next((json_t *)object, i))
        (*list)[(*count)++] = (vs_compas_entry){json_object_iter_key(i), json_object_iter_value(i)};
    if (*count > 0)
        qsort(*list, *count, sizeof **list, compare);
    return VS_OK;
}

// ---- a block ---------------------------------------------------------------------------------------

static vs_vec3 place(const vs_compas_frame *frame, const double x[3]) {
    double y[3];
    if (!frame)
        return (vs_vec3){x[0], x[1], x[2]};
    for (int k = 0; k < 3; k++)
        y[k] = frame->row[k][0] * x[0] + frame->row[k][1] * x[1] + frame->row[k][2] * x[2] + frame->row[k][3];
    return (vs_vec3){y[0], y[1], y[2]};
}

static vs_error read_vertices(vs_compas *r, const vs_compas_block *b) {
    static const char *const axis[] = {"x", "y", "z"};
    const json_t *vertices = json_object_get(b->mesh, "vertex");
    (void)json_object_clear(r->number);
    for (void *i = json_object_iter((json_t *)vertices); i; i = json_object_iter_next((json_t *)vertices, i)) {
        double x[3] = {0}; // absent: the default of COMPAS
        for (int k = 0; k < 3; k++) {
            const json_t *value = json_object_get(json_object_iter_value(i), axis[k]);
            if (value && !json_is_number(value))
                return vs_fail(r->context, VS_ERROR_DATA, "%s: block %s: vertex %s: %s is not a number",
                               r->drawing->file, b->key, json_object_iter_key(i), axis[k]);
            x[k] = json_number_value(value);
        }
        if (json_object_set_new(r->number, json_object_iter_key(i), json_integer(r->drawing->vertex.count)) != 0)
            return vs_fail_memory(r->context);
        vs_error error = vs_drawing_add_vertex(r->drawing, place(b->frame, x));
        if (error)
            return error;
    }
    return VS_OK;
}

// The vertex of a key, which is a number in new files and a text in old ones; -1: none.
static int find_vertex(const vs_compas *r, const json_t *key) {
    char text[32];
    if (json_is_integer(key))
        (void)snprintf(text, sizeof text, "%" PRId64, (int64_t)json_integer_value(key));
    const json_t *found = json_object_get(r->number, json_is_string(key) ? json_string_value(key) : text);
    return (json_is_string(key) || json_is_integer(key)) && found ? (int)json_integer_value(found) : -1;
}

static vs_error read_faces(vs_compas *r, const vs_compas_block *b) {
    const json_t *faces = json_object_get(b->mesh, "face");
    for (void *i = json_object_iter((json_t *)faces); i; i = json_object_iter_next((json_t *)faces, i)) {
        const json_t *list = json_object_iter_value(i);
        const size_t count = json_array_size(list);
        int corner[VS_POLYGON_MOST];
        if (json_is_null(list))
            continue;
        if (count < 3 || count > VS_POLYGON_MOST)
            return vs_fail(r->context, VS_ERROR_DATA, "%s: block %s: face %s has %zu corners; 3 to %d are possible",
                           r->drawing->file, b->key, json_object_iter_key(i), count, VS_POLYGON_MOST);
        for (size_t k = 0; k < count; k++)
            if ((corner[k] = find_vertex(r, json_array_get(list, k))) < 0)
                return vs_fail(r->context, VS_ERROR_DATA, "%s: block %s: face %s has a vertex that the block has not",
                               r->drawing->file, b->key, json_object_iter_key(i));
        vs_error error = vs_drawing_add_face(r->drawing, corner, (int)count);
        if (error)
            return error;
    }
    return VS_OK;
}

vs_error vs_compas_add_block(vs_compas *r, const vs_compas_block *block) {
    static const char before[] = "block-";
    vs_drawing *d = r->drawing;
    const size_t length = strlen(before) + strlen(block->key);
    char *name = VS_NEW(d->arena, char, (int64_t)length + 1);
    if (!name)
        return VS_ERROR_MEMORY;
    (void)snprintf(name, length + 1, "%s%s", before, block->key);
    if (!vs_compas_is_mesh(block->mesh))
        return vs_fail(r->context, VS_ERROR_DATA, "%s: block %s is not a mesh with \"vertex\" and \"face\"", d->file,
                       block->key);
    vs_error error = vs_drawing_begin(d, name, length, vs_drawing_count(d));
    if (!error && block->material)
        error = vs_drawing_set_material(d, block->material, strlen(block->material), vs_drawing_count(d));
    if (error)
        return error;
    vs_cad_object *object = &d->object.data[d->current];
    object->fixed = object->fixed || block->support || json_object_get(r->support, block->key);
    object->density = block->density;
    error = read_vertices(r, block);
    return error ? error : read_faces(r, block);
}
