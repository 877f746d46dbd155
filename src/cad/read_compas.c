// JSON files of COMPAS: each block is an object; `is_support` makes it static.
//
//     {"dtype": …, "data": {"graph": {"data": {"node": {"3": {"block": {"data": MESH}, "is_support": true}}}}}}
//                                                                       assemblies (compas_assembly, compas_cra)
//     {"assembly": {"vertex": {"3": {"is_support": true}}}, "blocks": {"3": MESH}}             of before 2020
//     {"data": {"elements": {GUID: {"data": {"geometry": {"data": MESH}, "is_support": true}}}}}   models (compas_model.c)
//     {"data": {"model": …, "boundary_conditions": …}}                                           problems (compas_model.c)
//     [{"data": MESH}, …], {"blocks": [{"data": MESH}, …]}, {"data": MESH}                       meshes, without supports
//
// MESH: see compas_block.c. "data" is "value" in older files, "block" is "part" in some. Interfaces, forces and edges are not read.
#include "cad/compas_data.h"

#include <stdio.h>
#include <string.h>

// ---- assemblies ------------------------------------------------------------------------------------

static vs_error read_node(vs_compas *r, const char *key, const json_t *node) {
    const json_t *block = json_object_get(node, "block");
    const json_t *mesh = vs_compas_unwrap(block ? block : json_object_get(node, "part"));
    return vs_compas_add_block(
        r, &(vs_compas_block){.key = key,
                              .mesh = mesh,
                              .support = vs_compas_is_true(node, "is_support") ||
                                         vs_compas_is_true(json_object_get(mesh, "attributes"), "is_support")});
}

// Nodes that hold blocks, or blocks with flags in another object.
static vs_error read_assembly(vs_compas *r, const json_t *assembly, const json_t *nodes, const json_t *old) {
    const json_t *flags = json_object_get(json_object_get(assembly, "assembly"), "vertex");
    vs_compas_entry *list = NULL;
    size_t count = 0;
    flags = flags ? flags : nodes;
    vs_error error = vs_compas_sort(r, old ? old : nodes, &list, &count);
    for (size_t k = 0; k < count && !error; k++)
        error = old ? vs_compas_add_block(r, &(vs_compas_block){.key = list[k].key,
                                                                .mesh = vs_compas_unwrap(list[k].value),
                                                                .support = vs_compas_is_true(
                                                                    json_object_get(flags, list[k].key), "is_support")})
                    : read_node(r, list[k].key, list[k].value);
    return error;
}

// ---- meshes ----------------------------------------------------------------------------------------

static vs_error read_mesh(vs_compas *r, const char *key, const json_t *value) {
    const json_t *mesh = vs_compas_unwrap(value);
    return vs_compas_add_block(
        r, &(vs_compas_block){.key = key,
                              .mesh = mesh,
                              .support = vs_compas_is_true(json_object_get(mesh, "attributes"), "is_support")});
}

// An entry may be a list itself, of the parts of one block.
static vs_error read_list(vs_compas *r, const json_t *list) {
    vs_error error = VS_OK;
    for (size_t k = 0; k < json_array_size(list) && !error; k++) {
        char key[24];
        const json_t *entry = json_array_get(list, k);
        (void)snprintf(key, sizeof key, "%zu", k);
        if (!json_is_array(entry))
            error = read_mesh(r, key, entry);
        for (size_t i = 0; i < json_array_size(entry) && !error; i++)
            error = read_mesh(r, key, json_array_get(entry, i));
    }
    return error;
}

// Surfaces and diagrams have vertices and faces, too, but are no blocks.
static bool is_solid_type(const char *type) {
    const char *slash = strrchr(type, '/'), *name = slash ? slash + 1 : type;
    return !*name || strstr(name, "Mesh") || strstr(name, "Block");
}

// ---- the file --------------------------------------------------------------------------------------

static vs_error refuse(const vs_compas *r, const json_t *root) {
    const char *type = vs_compas_type(root);
    char name[VS_CAD_NAME_MOST + 1];
    if (json_object_get(root, "voussoir"))
        return vs_fail(r->context, VS_ERROR_DATA, "%s: is a scene already; use 'voussoir run' or 'voussoir statics'",
                       r->drawing->file);
    vs_name_clean(type, strlen(type), name, VS_CAD_NAME_MOST);
    if (*name)
        return vs_fail(r->context, VS_ERROR_DATA,
                       "%s: is a %s, which has no blocks; import the BlockModel, Problem, Assembly or list of meshes "
                       "that belongs to it, as compas.json_dump() writes it",
                       r->drawing->file, name);
    return vs_fail(r->context, VS_ERROR_DATA,
                   "%s: neither a scene nor a model of COMPAS (no \"elements\", no \"graph\" with \"node\", no "
                   "\"blocks\", no mesh) nor a scene of Rigid IPC (no \"rigid_body_problem\")",
                   r->drawing->file);
}

static vs_error read_root(vs_compas *r, const json_t *root) {
    const json_t *value = vs_compas_unwrap(root), *old = json_object_get(value, "blocks");
    const json_t *graph = vs_compas_unwrap(json_object_get(value, "graph"));
    const json_t *nodes = json_object_get(graph ? graph : value, "node");
    if (json_is_array(root) || json_is_array(old))
        return read_list(r, json_is_array(root) ? root : old);
    if (json_is_object(json_object_get(value, "model")))
        return vs_compas_read_problem(r, value);
    if (json_object_get(value, "elements"))
        return vs_compas_read_model(r, value);
    if (json_is_object(old) || json_is_object(nodes))
        return read_assembly(r, value, nodes, json_is_object(old) ? old : NULL);
    if (vs_compas_is_mesh(value) && is_solid_type(vs_compas_type(root)))
        return read_mesh(r, "0", value);
    return refuse(r, root);
}

vs_error vs_cad_read_compas(vs_drawing *d, const json_t *root) {
    vs_compas r = {.drawing = d, .context = d->arena->context, .number = json_object()};
    const vs_error error = r.number ? read_root(&r, root) : vs_fail_memory(r.context);
    json_decref(r.number);
    json_decref(r.support);
    return error;
}
