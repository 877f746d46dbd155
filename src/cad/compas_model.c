// Models of COMPAS (compas_model, compas_dem) and problems posed on them.
//
//     {"elements": {GUID: ELEMENT, …}, "materials": {GUID: {"data": {"name": …, "density": …}}, …}, "transformation": T,
//      "tree": {"root": {"children": [{"element": GUID, "children": …}, …]}}, "graph": {"node": {"3": {"element": GUID}, …}}}
//     ELEMENT: {"data": {"geometry": MESH, "transformation": T, "is_support": true, "material": GUID}}
//     T: {"data": {"matrix": 4 x 4}} or null, relative to the element above it in the tree; that of the model comes last
//
//     {"model": …, "boundary_conditions": {"displacements": [{"block_index": 3, "translation": [0, 0, 0], …}, …]},
//      "contact_properties": {"contact_model": {"data": {"mu": 0.5}}}}
//
// Of older files, elements and materials are lists of {"data": …, "guid": GUID}, "geometry" is "shape", and "element_material"
// says which material an element has. Elements are called after their nodes. Not read: features, modifiers, contacts, loads.
#include "base/elementary.h"
#include "cad/compas_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEEP_MOST = 64 }; // levels of the tree

typedef struct model {
    vs_compas *reader;
    const json_t *data;              // of the model
    json_t *element, *material;      // by GUID, borrowed values
    json_t *placed;                  // GUID -> number of its frame
    json_t *read;                    // GUID -> true
    VS_ARRAY(vs_compas_frame) frame; // of elements in the tree
    vs_compas_frame whole;           // of the model
    int features;                    // of all elements
} model;

static vs_error fail(const model *m, const char *guid, const char *what) {
    char name[VS_CAD_NAME_MOST + 1];
    vs_name_clean(guid, strlen(guid), name, VS_CAD_NAME_MOST);
    return vs_fail(m->reader->context, VS_ERROR_DATA, "%s: element %s %s", m->reader->drawing->file, name, what);
}

// ---- transformations -------------------------------------------------------------------------------

static const vs_compas_frame identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

static vs_compas_frame multiply(const vs_compas_frame *a, const vs_compas_frame *b) {
    vs_compas_frame c;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            c.row[i][k] = a->row[i][0] * b->row[0][k] + a->row[i][1] * b->row[1][k] + a->row[i][2] * b->row[2][k] +
                          (k == 3 ? a->row[i][3] : 0);
    return c;
}

// A 4 x 4 matrix without perspective; null is the identity.
static bool read_frame(const json_t *value, vs_compas_frame *frame) {
    *frame = identity;
    if (!value || json_is_null(value))
        return true;
    const json_t *matrix = json_object_get(vs_compas_unwrap(value), "matrix");
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++) {
            const json_t *x = json_array_get(json_array_get(matrix, i), k);
            if (!json_is_number(x))
                return false;
            if (i < 3)
                frame->row[i][k] = json_number_value(x);
            else if (json_number_value(x) != (k == 3))
                return false;
        }
    return true;
}

// ---- lists by GUID ---------------------------------------------------------------------------------

// An object by GUID, or a list of {"guid": …}, as an object by GUID.
static vs_error list_by_guid(const model *m, const json_t *value, json_t **object) {
    int wrong = 0;
    *object = json_object();
    if (!*object)
        return vs_fail_memory(m->reader->context);
    if (json_is_object(value))
        wrong = json_object_update(*object, (json_t *)value);
    for (size_t k = 0; k < json_array_size(value) && !wrong; k++) {
        json_t *item = json_array_get(value, k);
        const json_t *guid = json_object_get(item, "guid");
        if (!json_is_string(guid))
            return vs_fail(m->reader->context, VS_ERROR_DATA, "%s: entry %zu of a list of the model has no \"guid\"",
                           m->reader->drawing->file, k);
        wrong = json_object_set(*object, json_string_value(guid), item);
    }
    return wrong ? vs_fail_memory(m->reader->context) : VS_OK;
}

// ---- the tree --------------------------------------------------------------------------------------

static vs_error place_element(model *m, const char *guid, const vs_compas_frame *above, vs_compas_frame *frame) {
    const json_t *data = vs_compas_unwrap(json_object_get(m->element, guid));
    vs_compas_frame own;
    if (!read_frame(json_object_get(data, "transformation"), &own))
        return fail(m, guid, "has a transformation that is not a 4 x 4 matrix with the last row 0, 0, 0, 1");
    *frame = multiply(above, &own);
    vs_error error = VS_RESERVE(m->reader->context, &m->frame, m->frame.count + 1);
    if (!error && json_object_set_new(m->placed, guid, json_integer(m->frame.count)) != 0)
        error = vs_fail_memory(m->reader->context);
    if (!error)
        m->frame.data[m->frame.count++] = *frame;
    return error;
}

static vs_error place_children(model *m, const json_t *node, const vs_compas_frame *above, int depth) {
    const json_t *children = json_object_get(node, "children");
    vs_error error = VS_OK;
    if (depth > DEEP_MOST)
        return vs_fail(m->reader->context, VS_ERROR_DATA, "%s: the tree of elements has more than %d levels",
                       m->reader->drawing->file, DEEP_MOST);
    for (size_t k = 0; k < json_array_size(children) && !error; k++) {
        const json_t *child = json_array_get(children, k), *guid = json_object_get(child, "element");
        vs_compas_frame frame = *above;
        if (json_is_string(guid))
            error = place_element(m, json_string_value(guid), above, &frame);
        if (!error)
            error = place_children(m, child, &frame, depth + 1);
    }
    return error;
}

static vs_error place_all(model *m) {
    if (!read_frame(json_object_get(m->data, "transformation"), &m->whole))
        return vs_fail(m->reader->context, VS_ERROR_DATA,
                       "%s: the transformation of the model is not a 4 x 4 matrix with the last row 0, 0, 0, 1",
                       m->reader->drawing->file);
    const json_t *tree = vs_compas_unwrap(json_object_get(m->data, "tree"));
    return place_children(m, vs_compas_unwrap(json_object_get(tree, "root")), &m->whole, 0);
}

// ---- elements --------------------------------------------------------------------------------------

static void find_material(const model *m, const char *guid, const json_t *data, vs_compas_block *block) {
    const json_t *name = json_object_get(data, "material");
    if (!json_is_string(name))
        name = json_object_get(json_object_get(m->data, "element_material"), guid);
    const json_t *material =
        json_is_string(name) ? vs_compas_unwrap(json_object_get(m->material, json_string_value(name))) : NULL;
    const json_t *title = json_object_get(material, "name");
    const double density = json_number_value(json_object_get(material, "density"));
    block->material = json_is_string(title) ? json_string_value(title) : NULL;
    block->density = density > 0 && isfinite(density) ? density : 0;
}

static vs_error refuse_element(const model *m, const char *guid, const json_t *element) {
    char type[VS_CAD_NAME_MOST + 1], text[2 * VS_CAD_NAME_MOST + 80];
    const char *raw = vs_compas_type(element);
    vs_name_clean(raw, strlen(raw), type, VS_CAD_NAME_MOST);
    (void)snprintf(text, sizeof text, "(%s) has no mesh with \"vertex\" and \"face\" as its \"geometry\"",
                   *type ? type : "without dtype");
    return fail(m, guid, text);
}

static bool is_group(const json_t *element) {
    const char *slash = strrchr(vs_compas_type(element), '/');
    return slash && strcmp(slash, "/Group") == 0;
}

static vs_error read_element(model *m, const char *key, const char *guid) {
    const json_t *element = json_object_get(m->element, guid), *data = vs_compas_unwrap(element);
    const json_t *placed = json_object_get(m->placed, guid), *geometry = json_object_get(data, "geometry");
    const json_t *mesh = vs_compas_unwrap(json_is_object(geometry) ? geometry : json_object_get(data, "shape"));
    vs_compas_block block = {.key = key, .mesh = mesh};
    vs_compas_frame frame;
    if (!element)
        return fail(m, guid, "of the graph does not exist");
    if (json_object_get(m->read, guid))
        return fail(m, guid, "is at two nodes of the graph");
    if (json_object_set_new(m->read, guid, json_true()) != 0)
        return vs_fail_memory(m->reader->context);
    if (is_group(element))
        return VS_OK;
    if (!vs_compas_is_mesh(mesh))
        return refuse_element(m, guid, element);
    if (!placed) {
        vs_error error = place_element(m, guid, &m->whole, &frame);
        if (error)
            return error;
        placed = json_object_get(m->placed, guid);
    }
    block.frame = &m->frame.data[json_integer_value(placed)];
    block.support =
        vs_compas_is_true(data, "is_support") || vs_compas_is_true(json_object_get(mesh, "attributes"), "is_support");
    m->features += (int)json_array_size(json_object_get(data, "features"));
    find_material(m, guid, data, &block);
    return vs_compas_add_block(m->reader, &block);
}

// Those of the graph by the numbers of their nodes; then others, by GUID.
static vs_error read_elements(model *m) {
    const json_t *graph = vs_compas_unwrap(json_object_get(m->data, "graph"));
    vs_compas_entry *list = NULL;
    size_t count = 0;
    vs_error error = vs_compas_sort(m->reader, json_object_get(graph, "node"), &list, &count);
    for (size_t k = 0; k < count && !error; k++) {
        const json_t *guid = json_object_get(list[k].value, "element");
        if (json_is_string(guid))
            error = read_element(m, list[k].key, json_string_value(guid));
    }
    if (!error)
        error = vs_compas_sort(m->reader, m->element, &list, &count);
    for (size_t k = 0; k < count && !error; k++)
        if (!json_object_get(m->read, list[k].key))
            error = read_element(m, list[k].key, list[k].key);
    return error;
}

vs_error vs_compas_read_model(vs_compas *r, const json_t *data) {
    model m = {.reader = r, .data = data, .placed = json_object(), .read = json_object()};
    vs_error error = m.placed && m.read ? VS_OK : vs_fail_memory(r->context);
    if (!error)
        error = list_by_guid(&m, json_object_get(data, "elements"), &m.element);
    if (!error)
        error = list_by_guid(&m, json_object_get(data, "materials"), &m.material);
    if (!error)
        error = place_all(&m);
    if (!error)
        error = read_elements(&m);
    if (!error && m.features > 0)
        vs_log(r->context, VS_LOG_WARNING, "%s: %d features of elements (cuts, notches) are not read", r->drawing->file,
               m.features);
    VS_ARRAY_RELEASE(r->context, &m.frame);
    json_decref(m.element);
    json_decref(m.material);
    json_decref(m.placed);
    json_decref(m.read);
    return error;
}

// ---- problems --------------------------------------------------------------------------------------

// Blocks with a prescribed displacement are static; says so of those that should move.
static vs_error hold_blocks(vs_compas *r, const json_t *displacements) {
    int moving = 0;
    r->support = json_object();
    if (!r->support)
        return vs_fail_memory(r->context);
    for (size_t k = 0; k < json_array_size(displacements); k++) {
        const json_t *item = json_array_get(displacements, k), *index = json_object_get(item, "block_index");
        char key[32];
        bool moves = false;
        if (!json_is_integer(index))
            return vs_fail(r->context, VS_ERROR_DATA,
                           "%s: displacement %zu of the boundary conditions has no "
                           "\"block_index\"",
                           r->drawing->file, k);
        for (size_t i = 0; i < 3; i++)
            moves = moves || json_number_value(json_array_get(json_object_get(item, "translation"), i)) != 0 ||
                    json_number_value(json_array_get(json_object_get(item, "rotation"), i)) != 0;
        moving += moves;
        (void)snprintf(key, sizeof key, "%" PRId64, (int64_t)json_integer_value(index));
        if (json_object_set_new(r->support, key, json_true()) != 0)
            return vs_fail_memory(r->context);
    }
    if (moving > 0)
        vs_log(r->context, VS_LOG_WARNING,
               "%s: %d prescribed displacements are not read: these blocks are supports at rest; give them a \"drive\" "
               "in the scene",
               r->drawing->file, moving);
    return VS_OK;
}

static void read_friction(vs_compas *r, const json_t *contact_model) {
    const json_t *mu = json_object_get(contact_model, "mu"), *phi = json_object_get(contact_model, "phi");
    const double value = json_is_number(mu)    ? json_number_value(mu)
                         : json_is_number(phi) ? vs_tan(json_number_value(phi) * VS_PI / 180)
                                               : NAN;
    if (value >= 0 && isfinite(value))
        r->drawing->mu = value;
}

vs_error vs_compas_read_problem(vs_compas *r, const json_t *problem) {
    static const char *const loads[] = {"point_loads", "surface_loads", "body_forces"};
    const json_t *conditions = vs_compas_unwrap(json_object_get(problem, "boundary_conditions"));
    const json_t *contacts = vs_compas_unwrap(json_object_get(problem, "contact_properties"));
    size_t count = 0;
    read_friction(r, vs_compas_unwrap(json_object_get(contacts, "contact_model")));
    vs_error error = hold_blocks(r, json_object_get(conditions, "displacements"));
    if (error)
        return error;
    for (size_t k = 0; k < sizeof loads / sizeof *loads; k++)
        count += json_array_size(json_object_get(conditions, loads[k]));
    if (count > 0)
        vs_log(r->context, VS_LOG_WARNING, "%s: %zu loads are not read; add them to \"loads\" of the scene",
               r->drawing->file, count);
    return vs_compas_read_model(r, vs_compas_unwrap(json_object_get(problem, "model")));
}
