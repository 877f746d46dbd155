// Flexible bodies of a scene file: solids from a mesh, lines of beams, and conditions on their nodes.
#include "scene/read/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "scene/data/scene_data.h"
#include "voussoir/flexible.h"

enum { FLEXIBLE_MOST = 10000, ELEMENTS_MOST = 1000000, POINTS_MOST = 100000 };

#define MESH_KEYS "kind size half radius inner outer half_length cells nodes path scale"
#define SOLID_KEYS                                                                                                     \
    "name mesh position rotation velocity spin elastic law mass material group mask collide self_contact hold attach " \
    "load"
#define BEAM_KEYS "name points closed up elastic section radius inner sides bending contact_radius material group mask"

// In the order of the enums.
static const char *const masses[] = {"lumped", "consistent", NULL};
static const char *const kinds[] = {"box", "cylinder", "sphere", "ring", "file", NULL};

// ---- material --------------------------------------------------------------------------------------

// A name of the library, or numbers that replace those of the named one.
static void read_elastic(const vs_node *node, vs_elastic_material *material) {
    vs_node elastic = vs_node_get(node, "elastic");
    if (!elastic.value)
        return;
    bool text = json_is_string(elastic.value);
    vs_node name = text ? elastic : vs_node_get(&elastic, "material");
    if (!text)
        vs_node_keys(&elastic, "material young poisson density alpha beta");
    if (name.value && vs_node_good(node)) {
        const vs_elastic_material *found = vs_elastic_material_find(vs_node_text(&name));
        if (!found)
            vs_node_fail(&name, VS_ERROR_DATA, "there is no elastic material '%.60s'; give young, poisson and density",
                         vs_node_text(&name));
        else
            *material = *found;
    }
    if (text || !vs_node_good(node))
        return;
    material->young = vs_get_number(&elastic, "young", material->young, VS_RANGE_POSITIVE);
    material->poisson = vs_get_number(&elastic, "poisson", material->poisson, VS_RANGE_ANY);
    material->density = vs_get_number(&elastic, "density", material->density, VS_RANGE_POSITIVE);
    material->alpha = vs_get_number(&elastic, "alpha", material->alpha, VS_RANGE_NOT_NEGATIVE);
    material->beta = vs_get_number(&elastic, "beta", material->beta, VS_RANGE_NOT_NEGATIVE);
    material->name = NULL;
}

static uint32_t read_bits(const vs_node *node, const char *key, uint32_t otherwise) {
    double x = vs_get_number(node, key, otherwise, VS_RANGE_NOT_NEGATIVE);
    if (vs_node_good(node) && (x > UINT32_MAX || x != floor(x))) {
        vs_node member = vs_node_get(node, key);
        vs_node_fail(&member, VS_ERROR_DATA, "must be a 32-bit integer, is %g", x);
    }
    return vs_node_good(node) ? (uint32_t)x : otherwise;
}

static int read_surface(vs_reader *reader, const vs_node *node) {
    vs_node name = vs_node_get(node, "material");
    return name.value ? vs_read_material(reader, &name) : 0;
}

// ---- meshes ----------------------------------------------------------------------------------------

static void read_cells(const vs_node *mesh, int count, int *cells) {
    vs_node node = vs_node_need(mesh, "cells");
    if (!node.value)
        return;
    if (count == 1) {
        cells[0] = vs_node_whole(&node, 1, 1000);
        return;
    }
    if (vs_node_count(&node, (size_t)count, (size_t)count) != (size_t)count)
        return;
    for (int k = 0; k < count; k++) {
        vs_node item = vs_node_item(&node, (size_t)k);
        cells[k] = vs_node_whole(&item, 1, 100000);
    }
}

// Checked before memory is allocated.
static void check_elements(const vs_node *mesh, int kind, const int *cells) {
    double x = cells[0], y = cells[1], z = cells[2];
    double elements = kind == 1 ? 24 * x * x * y : kind == 2 ? 48 * x * x * x : 6 * x * y * z;
    vs_node node = vs_node_get(mesh, "cells");
    if (vs_node_good(mesh) && elements > ELEMENTS_MOST)
        vs_node_fail(&node, VS_ERROR_DATA, "makes %.3g elements; the limit of a mesh in a scene is %d", elements,
                     ELEMENTS_MOST);
}

static double need_number(const vs_node *mesh, const char *key) {
    vs_node node = vs_node_need(mesh, key);
    return node.value ? vs_node_number(&node, VS_RANGE_POSITIVE) : 0;
}

static vs_mesh *read_file(vs_reader *reader, const vs_node *node) {
    vs_mesh *mesh = NULL;
    const vs_node name = vs_node_need(node, "path");
    const double scale = vs_get_number(node, "scale", 1, VS_RANGE_POSITIVE);
    const char *path = vs_node_good(node) ? vs_read_path(reader, &name) : NULL;
    if (path)
        vs_node_check(&name, vs_mesh_from_file(reader->document.context, path, scale, &mesh));
    return mesh;
}

static vs_mesh *read_mesh(vs_reader *reader, const vs_node *node) {
    vs_context *context = reader->document.context;
    vs_mesh *mesh = NULL;
    vs_node_keys(node, MESH_KEYS);
    int kind = vs_get_choice(node, "kind", kinds, -1), cells[3] = {1, 1, 1},
        nodes = vs_get_whole(node, "nodes", 4, 4, 10);
    if (vs_node_good(node) && kind < 0)
        vs_node_fail(node, VS_ERROR_DATA, "needs \"kind\": box, cylinder, sphere, ring or file");
    if (vs_node_good(node) && nodes != 4 && nodes != 10)
        vs_node_fail(node, VS_ERROR_DATA, "elements must have 4 or 10 nodes, not %d", nodes);
    if (!vs_node_good(node))
        return NULL;
    if (kind == 4)
        return read_file(reader, node);
    static const int counts[] = {3, 2, 1, 3};
    read_cells(node, counts[kind], cells);
    check_elements(node, kind, cells);
    vs_vec3 half = vs_get_vector(node, "half", vs_scale(.5, vs_get_vector(node, "size", VS_ZERO3, VS_RANGE_POSITIVE)),
                                 VS_RANGE_POSITIVE);
    double radius = kind == 1 || kind == 2 ? need_number(node, "radius") : 0;
    double length = kind == 1 || kind == 3 ? need_number(node, "half_length") : 0;
    double inner = kind == 3 ? need_number(node, "inner") : 0, outer = kind == 3 ? need_number(node, "outer") : 0;
    if (!vs_node_good(node))
        return NULL;
    vs_error error = kind == 0   ? vs_mesh_box(context, half, cells, nodes, &mesh)
                     : kind == 1 ? vs_mesh_cylinder(context, radius, length, cells, nodes, &mesh)
                     : kind == 2 ? vs_mesh_sphere(context, radius, cells[0], nodes, &mesh)
                                 : vs_mesh_ring(context, inner, outer, length, cells, nodes, &mesh);
    vs_node_check(node, error);
    return mesh;
}

// ---- nodes -----------------------------------------------------------------------------------------

// {"set": "+x"} of the mesh, or {"within": [[x, y, z], [x, y, z]]}, a box in the world, for the initial positions.
static int *choose_nodes(vs_reader *reader, const vs_node *node, const vs_mesh *mesh, const vs_flexible_view *view,
                         int *count) {
    vs_node set = vs_node_get(node, "set"), within = vs_node_get(node, "within");
    *count = 0;
    if (!set.value == !within.value)
        vs_node_fail(node, VS_ERROR_DATA,
                     "must have one of \"set\" (of the mesh) and \"within\" (two corners of a box)");
    int *chosen = VS_NEW(&reader->arena, int, view->nodes);
    if (!chosen)
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
    if (!vs_node_good(node))
        return NULL;
    if (set.value) {
        int index = vs_mesh_find_set(mesh, VS_MESH_SET_VERTICES, vs_node_text(&set));
        if (index < 0)
            vs_node_fail(&set, VS_ERROR_DATA, "the mesh has no set of vertices '%.60s'", vs_node_text(&set));
        vs_mesh_set found = vs_mesh_get_set_at(mesh, index);
        *count = index < 0 ? 0 : found.count;
        if (*count > 0)
            memcpy(chosen, found.item, sizeof *chosen * (size_t)*count);
        return chosen;
    }
    if (vs_node_count(&within, 2, 2) != 2)
        return NULL;
    vs_node low_node = vs_node_item(&within, 0), high_node = vs_node_item(&within, 1);
    vs_vec3 low = vs_node_vector(&low_node, VS_RANGE_ANY), high = vs_node_vector(&high_node, VS_RANGE_ANY);
    for (int k = 0; k < view->nodes; k++) {
        vs_vec3 x = view->position[k];
        if (x.x >= low.x && x.x <= high.x && x.y >= low.y && x.y <= high.y && x.z >= low.z && x.z <= high.z)
            chosen[(*count)++] = k;
    }
    if (vs_node_good(node) && *count == 0)
        vs_node_fail(&within, VS_ERROR_DATA, "there is no node in this box");
    return chosen;
}

typedef struct treatment {
    vs_reader *reader;
    vs_flexible_id id;
    int count;       // of
    const int *node; // the chosen nodes
} treatment;

static vs_error hold(const treatment *t, const vs_node *item) {
    vs_signal velocity[3];
    vs_read_motion(t->reader, item, (const char *const[]){"position", "velocity", "acceleration"}, velocity);
    if (!vs_node_good(item))
        return VS_OK;
    return vs_world_prescribe_nodes(t->reader->world, t->id, t->count, t->node, velocity);
}

static vs_error attach(const treatment *t, const vs_node *item) {
    const vs_node name = vs_node_get(item, "body");
    const vs_placed_body *body = vs_find_placed(t->reader, &name);
    return vs_node_good(item) ? vs_world_attach_nodes(t->reader->world, t->id, t->count, t->node, body->id) : VS_OK;
}

static vs_error load(const treatment *t, const vs_node *item) {
    const vs_node force = vs_node_get(item, "force"), pressure = vs_node_get(item, "pressure");
    if (!force.value == !pressure.value)
        vs_node_fail(item, VS_ERROR_DATA, "must have one of \"force\" (N) and \"pressure\" (Pa)");
    if (!vs_node_good(item))
        return VS_OK;
    if (pressure.value) {
        const vs_signal p = vs_read_signal(t->reader, &pressure);
        return vs_node_good(item) ? vs_world_press_nodes(t->reader->world, t->id, t->count, t->node, &p) : VS_OK;
    }
    vs_signal signal[3];
    vs_read_signals(t->reader, item, "force", signal);
    return vs_node_good(item) ? vs_world_load_nodes(t->reader->world, t->id, t->count, t->node, signal) : VS_OK;
}

// What may be done with nodes: the key of the list, the keys of its items, and who does it.
static const struct {
    const char *list, *keys;
    vs_error (*treat)(const treatment *, const vs_node *);
} treatments[] = {{"hold", "set within position velocity acceleration", hold},
                  {"attach", "set within body", attach},
                  {"load", "set within force pressure", load}};

static void treat_nodes(vs_reader *reader, const vs_node *node, const vs_mesh *mesh, vs_flexible_id id, int what) {
    vs_node list = vs_node_get(node, treatments[what].list);
    size_t items = vs_node_count(&list, 0, 10000);
    for (size_t k = 0; k < items && vs_node_good(node); k++) {
        vs_node item = vs_node_item(&list, k);
        vs_flexible_view view;
        treatment t = {.reader = reader, .id = id};
        vs_node_keys(&item, treatments[what].keys);
        vs_node_check(&item, vs_world_get_flexible_view(reader->world, id, &view));
        if (!vs_node_good(node))
            return;
        t.node = choose_nodes(reader, &item, mesh, &view, &t.count);
        if (vs_node_good(node))
            vs_node_check(&item, treatments[what].treat(&t, &item));
    }
}

static void read_solid(vs_reader *reader, const vs_node *node) {
    vs_node_keys(node, SOLID_KEYS);
    vs_flexible_def def = vs_flexible_def_default();
    vs_node mesh_node = vs_node_need(node, "mesh");
    if (!vs_node_good(node))
        return;
    vs_flexible_id id;
    def.name = vs_get_text(node, "name");
    def.pose = vs_get_pose(node);
    def.velocity = vs_get_vector(node, "velocity", VS_ZERO3, VS_RANGE_ANY);
    def.spin = vs_get_vector(node, "spin", VS_ZERO3, VS_RANGE_ANY);
    def.law = (vs_elastic_law)vs_get_choice(node, "law", vs_elastic_law_names(), VS_ELASTIC_COROTATIONAL);
    def.consistent_mass = vs_get_choice(node, "mass", masses, 0) == 1;
    def.collide = vs_get_flag(node, "collide", def.collide);
    def.self_contact = vs_get_flag(node, "self_contact", def.self_contact);
    def.group = read_bits(node, "group", def.group);
    def.mask = read_bits(node, "mask", def.mask);
    def.material = read_surface(reader, node);
    read_elastic(node, &def.elastic);
    vs_mesh *mesh = vs_node_good(node) ? read_mesh(reader, &mesh_node) : NULL;
    if (vs_node_good(node)) {
        def.mesh = mesh;
        vs_node_check(node, vs_world_add_flexible(reader->world, &def, &id));
    }
    for (size_t k = 0; k < sizeof treatments / sizeof *treatments && vs_node_good(node); k++)
        treat_nodes(reader, node, mesh, id, (int)k);
    vs_mesh_destroy(mesh);
}

// ---- beams -----------------------------------------------------------------------------------------

static void read_section(const vs_node *node, vs_beam_def *def) {
    def->section = (vs_section)vs_get_choice(node, "section", vs_section_names(), VS_SECTION_CIRCLE);
    if (def->section == VS_SECTION_RECTANGLE) {
        vs_node sides = vs_node_need(node, "sides");
        if (!sides.value || vs_node_count(&sides, 2, 2) != 2)
            return;
        vs_node y = vs_node_item(&sides, 0), z = vs_node_item(&sides, 1);
        def->along_y = vs_node_number(&y, VS_RANGE_POSITIVE);
        def->along_z = vs_node_number(&z, VS_RANGE_POSITIVE);
        return;
    }
    def->along_y = need_number(node, "radius");
    def->along_z = def->section == VS_SECTION_PIPE ? need_number(node, "inner") : 0;
}

// Points are the beam's nodes in the world. Joints and loads may use the bodies name.0, name.1, ….
static void read_beam(vs_reader *reader, const vs_node *node) {
    vs_node_keys(node, BEAM_KEYS);
    vs_beam_def def = vs_beam_def_default();
    vs_node points = vs_node_need(node, "points");
    size_t count = points.value ? vs_node_count(&points, 2, POINTS_MOST) : 0;
    vs_vec3 *point = VS_NEW(&reader->arena, vs_vec3, (int64_t)count);
    if (!point)
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < count && vs_node_good(node); k++) {
        vs_node item = vs_node_item(&points, k);
        point[k] = vs_node_vector(&item, VS_RANGE_ANY);
    }
    def.name = vs_get_text(node, "name");
    def.nodes = (int)count, def.point = point;
    def.closed = vs_get_flag(node, "closed", false);
    def.up = vs_get_vector(node, "up", def.up, VS_RANGE_ANY);
    def.bending = vs_get_number(node, "bending", def.bending, VS_RANGE_UNIT);
    def.contact_radius = vs_get_number(node, "contact_radius", 0, VS_RANGE_NOT_NEGATIVE);
    def.group = read_bits(node, "group", def.group);
    def.mask = read_bits(node, "mask", def.mask);
    def.material = read_surface(reader, node);
    read_elastic(node, &def.elastic);
    read_section(node, &def);
    vs_flexible_id id;
    if (vs_node_good(node))
        vs_node_check(node, vs_world_add_beam(reader->world, &def, &id));
    if (!vs_node_good(node))
        return;
    vs_flexible_view view;
    vs_node_check(node, vs_world_get_flexible_view(reader->world, id, &view));
    for (int k = 0; k < view.nodes && vs_node_good(node); k++) {
        vs_body_state state;
        vs_node_check(node, vs_world_get_body_state(reader->world, view.body[k], &state));
        if (vs_node_good(node) && def.name)
            vs_add_name(node, reader->body_names, vs_world_get_body_name(reader->world, view.body[k]), reader->places);
        reader->placed[reader->places++] = (vs_placed_body){view.body[k], state.pose, VS_ZERO3};
    }
}

// ---- all -------------------------------------------------------------------------------------------

// Reserves memory for the bodies of beams after those of the file.
static void reserve_places(vs_reader *reader, const vs_node *list, size_t count) {
    int64_t more = 0;
    for (size_t k = 0; k < count; k++) {
        vs_node item = vs_node_item(list, k), points = vs_node_get(&item, "points");
        more += points.value ? (int64_t)vs_node_count(&points, 0, POINTS_MOST) : 0;
    }
    if (more == 0 || !vs_node_good(list))
        return;
    if (reader->places + more > VS_SCENE_BODIES_MOST)
        vs_node_fail(list, VS_ERROR_DATA, "makes more than %d bodies in this scene", VS_SCENE_BODIES_MOST);
    vs_placed_body *larger =
        vs_node_good(list) ? VS_NEW_ZERO(&reader->arena, vs_placed_body, reader->places + more) : NULL;
    if (!larger) {
        vs_node_fail(list, VS_ERROR_MEMORY, "out of memory");
        return;
    }
    memcpy(larger, reader->placed, sizeof *larger * (size_t)reader->places);
    reader->placed = larger;
}

void vs_read_flexible(vs_reader *reader, const vs_node *root) {
    vs_node list = vs_node_get(root, "flexible");
    size_t count = vs_node_count(&list, 0, FLEXIBLE_MOST);
    reserve_places(reader, &list, count);
    for (size_t k = 0; k < count && vs_node_good(root); k++) {
        vs_node item = vs_node_item(&list, k);
        if (vs_node_get(&item, "points").value)
            read_beam(reader, &item);
        else
            read_solid(reader, &item);
        vs_node_end_item(&item);
    }
}
