// Flexible solids: creation from a mesh, names, lookup, removal.
//
// All arrays of one belong to an arena of its own. The surface is kept as triangles: a 6-node face is four of them,
// between its corners and middles, so that every node of it can have contacts.
#include "body/check.h"
#include "body/flexible_data.h"

#include <string.h>

// ---- registry --------------------------------------------------------------------------------------

int vs_world_flexible_index(const vs_world *world, vs_flexible_id id) {
    if (id.index >= (uint32_t)world->flexibles)
        return -1;
    const vs_flexible *f = &world->flexible[id.index];
    return f->alive && f->generation == id.generation ? (int)id.index : -1;
}

vs_error vs_flexible_reserve(vs_world *world, const char *name, int *index) {
    if (vs_names_find(&world->flexible_names, name) >= 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "flexible body: the name \"%s\" is already in use", name);
    return vs_slots_make_room(world->context, &world->flexible_slots, &world->flexible, &world->flexible_capacity,
                              sizeof *world->flexible, index);
}

vs_error vs_flexible_commit(vs_world *world, int index, vs_flexible *made, vs_flexible_id *id) {
    vs_error error = made->name ? vs_names_add(world->context, &world->flexible_names, made->name, index) : VS_OK;
    if (error)
        return error;
    uint32_t generation = world->flexible[index].generation + 1;
    made->generation = generation ? generation : 1;
    made->alive = true;
    world->flexible[index] = *made;
    vs_slots_set(&world->flexible_slots, index, true);
    world->flexibles = index >= world->flexibles ? index + 1 : world->flexibles;
    world->topology++;
    if (id)
        *id = (vs_flexible_id){(uint32_t)index, made->generation};
    return VS_OK;
}

void vs_flexible_release(vs_context *context, vs_flexible *f) {
    for (int k = 0; k < f->motion_count; k++)
        vs_signals_release(context, f->motion[k].velocity);
    vs_release(context, f->motion);
    vs_release(context, f->glued);
    while (f->loads) {
        vs_node_load *load = f->loads;
        f->loads = load->next;
        vs_signals_release(context, load->force);
        vs_signal_copy_release(context, &load->pressure);
        vs_release(context, load->node);
        vs_release(context, load);
    }
    vs_assembly_destroy(f->assembly);
    vs_release(context, f->name);
    vs_arena_release(&f->arena);
}

void vs_flexible_drop(vs_world *world, int index) {
    vs_flexible *f = &world->flexible[index];
    uint32_t generation = f->generation;
    vs_names_remove(&world->flexible_names, f->name);
    vs_flexible_release(world->context, f);
    *f = (vs_flexible){.generation = generation};
    vs_slots_set(&world->flexible_slots, index, false);
    world->topology++;
}

void vs_flexible_forget_body(vs_world *world, int body) {
    for (int index = 0; index < world->flexibles; index++) {
        vs_flexible *f = &world->flexible[index];
        bool gone = false;
        for (int k = 0; k < f->nodes && f->alive; k++) {
            if (f->beam)
                gone = gone || (int)f->body[k].index == body;
            else if (f->attached[k] == body)
                f->attached[k] = -1;
        }
        for (int k = 0; k < f->glued_count; k++) // an index that no body has
            f->glued[k] = f->glued[k] == body ? -1 : f->glued[k];
        if (gone)
            vs_flexible_drop(world, index);
    }
}

int vs_world_get_flexible_count(const vs_world *world) {
    return world ? world->flexible_slots.used : 0;
}

static vs_flexible_id id_of(const vs_world *world, int index) {
    return index < 0 ? (vs_flexible_id){0, 0} : (vs_flexible_id){(uint32_t)index, world->flexible[index].generation};
}

vs_flexible_id vs_world_get_flexible_at(const vs_world *world, int k) {
    return id_of(world,
                 k >= 0 && k < vs_world_get_flexible_count(world) ? vs_slots_find(&world->flexible_slots, k) : -1);
}

vs_flexible_id vs_world_find_flexible(const vs_world *world, const char *name) {
    return id_of(world, world ? vs_names_find(&world->flexible_names, name) : -1);
}

const char *vs_world_get_flexible_name(const vs_world *world, vs_flexible_id id) {
    int index = world ? vs_world_flexible_index(world, id) : -1;
    return index >= 0 && world->flexible[index].name ? world->flexible[index].name : "";
}

// ---- solids ----------------------------------------------------------------------------------------

vs_flexible_def vs_flexible_def_default(void) {
    vs_elastic_material elastic = *vs_elastic_material_find("rubber");
    elastic.poisson = .45;
    return (vs_flexible_def){
        .pose = VS_IDENTITY_POSE, .elastic = elastic, .group = 1, .mask = UINT32_MAX, .collide = true};
}

static vs_error check_def(const vs_world *world, vs_flexible_def *def) {
    vs_context *context = world->context;
    if (!def->mesh)
        return vs_fail(context, VS_ERROR_ARGUMENT, "flexible body: the mesh is null");
    if ((unsigned)def->law > VS_ELASTIC_NEO_HOOKEAN)
        return vs_fail(context, VS_ERROR_ARGUMENT, "flexible body: unknown elastic law %d", (int)def->law);
    if (!vs_is_finite3(def->velocity) || !vs_is_finite3(def->spin))
        return vs_fail(context, VS_ERROR_ARGUMENT, "flexible body: velocity or spin is not finite");
    if (!vs_world_has_material(world, def->material))
        return vs_fail(context, VS_ERROR_ARGUMENT, "flexible body: material %d does not exist, there are %d",
                       def->material, world->materials);
    vs_error error = vs_check_pose(context, "flexible body", &def->pose);
    return error ? error : vs_elastic_material_validate(context, &def->elastic);
}

static vs_error make_nodes(vs_flexible *f, const vs_flexible_def *def, const vs_mesh_view *mesh) {
    vs_arena *arena = &f->arena;
    int n = f->nodes = mesh->vertices;
    f->rest = VS_NEW(arena, vs_vec3, n), f->position = VS_NEW(arena, vs_vec3, n);
    f->velocity = VS_NEW(arena, vs_vec3, n), f->force = VS_NEW_ZERO(arena, vs_vec3, n);
    f->work = VS_NEW(arena, vs_vec3, n), f->earlier = VS_NEW_ZERO(arena, vs_vec3, n);
    f->mass = VS_NEW_ZERO(arena, double, n);
    f->prescribed = VS_NEW(arena, int, n), f->attached = VS_NEW(arena, int, n);
    f->place = VS_NEW_ZERO(arena, vs_vec3, n), f->guided = VS_NEW_ZERO(arena, uint8_t, n);
    if (!f->rest || !f->position || !f->velocity || !f->force || !f->work || !f->earlier || !f->mass ||
        !f->prescribed || !f->attached || !f->guided || !f->place)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < n; k++) {
        vs_vec3 arm = vs_rotate(def->pose.rotation, mesh->vertex[k]);
        f->rest[k] = f->position[k] = vs_add(def->pose.position, arm);
        f->velocity[k] = vs_add(def->velocity, vs_cross(def->spin, arm));
        f->prescribed[k] = f->attached[k] = -1;
    }
    vs_vec3 middle = vs_pose_apply(def->pose, vs_scale(.5, vs_add(mesh->low, mesh->high)));
    for (int k = 0; k < n; k++)
        f->size = fmax(f->size, vs_length(vs_subtract(f->rest[k], middle)));
    return VS_OK;
}

static void gather(const vs_flexible *f, int e, const vs_vec3 *from, double *x) {
    for (int k = 0; k < f->element_nodes; k++) {
        vs_vec3 p = from[f->element[f->element_nodes * e + k]];
        x[3 * k] = p.x, x[3 * k + 1] = p.y, x[3 * k + 2] = p.z;
    }
}

static vs_error make_elements(vs_flexible *f, const vs_mesh_view *mesh) {
    int nodes = f->element_nodes = mesh->nodes;
    f->elements = mesh->elements;
    f->element = VS_COPY(&f->arena, int, mesh->element, (int64_t)nodes * mesh->elements);
    f->tet = VS_NEW(&f->arena, double, (int64_t)VS_TET_REST(nodes) * mesh->elements);
    if (!f->element || !f->tet)
        return VS_ERROR_MEMORY;
    for (int e = 0; e < f->elements; e++) {
        double X[3 * VS_TET_NODES_MOST], m[VS_TET_NODES_MOST];
        gather(f, e, f->rest, X);
        if (!vs_tet_prepare(nodes, X, f->tet + (int64_t)VS_TET_REST(nodes) * e))
            return vs_fail(f->arena.context, VS_ERROR_DATA, "flexible body: element %d is flat or inverted", e);
        vs_tet_mass_lumped(nodes, X, f->stuff.density, m);
        for (int k = 0; k < nodes; k++)
            f->mass[f->element[nodes * e + k]] += m[k];
    }
    return VS_OK;
}

static void add_mass(void *user, int e, double *energy, double *force, double *matrix) {
    const vs_flexible *f = user;
    double X[3 * VS_TET_NODES_MOST] = {0}, M[VS_TET_NODES_MOST * VS_TET_NODES_MOST];
    int nodes = f->element_nodes, rows = 3 * nodes;
    (void)energy, (void)force;
    gather(f, e, f->rest, X);
    vs_tet_mass(nodes, X, f->stuff.density, M);
    for (int a = 0; a < nodes; a++)
        for (int b = 0; b < nodes; b++)
            for (int c = 0; c < 3; c++)
                matrix[(3 * a + c) * rows + 3 * b + c] = M[nodes * a + b];
}

vs_error vs_flexible_make_assembly(vs_flexible *f, int blocks, int size, const int *block) {
    vs_context *context = f->arena.context;
    int *start = vs_allocate(context, sizeof(int) * ((size_t)f->elements + 1));
    if (!start)
        return vs_fail_memory(context);
    for (int e = 0; e <= f->elements; e++)
        start[e] = size * e;
    vs_assembly_def def = {.blocks = blocks, .elements = f->elements, .start = start, .block = block};
    vs_error error = vs_assembly_create(context, &def, &f->assembly);
    vs_release(context, start);
    if (error)
        return error;
    vs_linear_pattern pattern = vs_assembly_pattern(f->assembly);
    f->nonzeros = pattern.p[pattern.n];
    f->K = VS_NEW_ZERO(&f->arena, double, f->nonzeros);
    f->f = VS_NEW_ZERO(&f->arena, double, pattern.n);
    return f->K && f->f ? VS_OK : VS_ERROR_MEMORY;
}

static vs_error make_consistent_mass(vs_flexible *f) {
    f->M = VS_NEW_ZERO(&f->arena, double, f->nonzeros);
    if (!f->M)
        return VS_ERROR_MEMORY;
    vs_assembly_add(f->assembly, add_mass, f, NULL, NULL, f->M);
    return VS_OK;
}

static vs_error make_surface(vs_flexible *f, const vs_mesh_view *mesh) {
    // corners, middles of 01, 12, 20
    static const int part[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    int parts = mesh->face_nodes == 6 ? 4 : 1;
    f->faces = parts * mesh->faces;
    f->face = VS_NEW(&f->arena, int, 3 * (int64_t)f->faces);
    f->surface_nodes = mesh->surface_vertices;
    f->surface_node = VS_COPY(&f->arena, int, mesh->surface_vertex, mesh->surface_vertices);
    f->node_edge = VS_NEW_ZERO(&f->arena, double, f->nodes);
    int *count = VS_NEW_ZERO(&f->arena, int, f->nodes);
    if (!f->face || !f->surface_node || !f->node_edge || !count)
        return VS_ERROR_MEMORY;
    double sum = 0;
    for (int k = 0; k < f->faces; k++)
        for (int c = 0; c < 3; c++)
            f->face[3 * k + c] = mesh->face[mesh->face_nodes * (k / parts) + (parts == 4 ? part[k % 4][c] : c)];
    for (int k = 0; k < 3 * f->faces; k++) {
        int next = k % 3 == 2 ? k - 2 : k + 1;
        double edge = vs_length(vs_subtract(f->rest[f->face[k]], f->rest[f->face[next]]));
        sum += edge;
        // every edge has two faces, one per direction: each end is visited once
        f->node_edge[f->face[k]] += edge;
        count[f->face[k]]++;
    }
    for (int k = 0; k < f->nodes; k++)
        f->node_edge[k] /= count[k] > 0 ? count[k] : 1;
    f->edge = sum / (3 * f->faces);
    return VS_OK;
}

vs_error vs_world_add_flexible(vs_world *world, const vs_flexible_def *def, vs_flexible_id *id) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    if (!def)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "flexible body: def is null");
    vs_flexible_def checked = *def;
    vs_error error = check_def(world, &checked);
    int index = 0;
    if (!error)
        error = vs_flexible_reserve(world, def->name, &index);
    const vs_material normal = vs_material_default();
    if (!error && world->materials == 0) // as of colliders: a material added later must not change this body
        error = vs_world_add_material(world, &normal, NULL, NULL);
    if (error)
        return error;
    vs_flexible made = {.stuff = checked.elastic,
                        .elastic = vs_elastic_of(&checked.elastic, checked.law),
                        .material = checked.material,
                        .group = checked.group,
                        .mask = checked.mask,
                        .collide = checked.collide,
                        .self_contact = checked.self_contact};
    made.stuff.name = NULL;
    vs_arena_init(&made.arena, world->context);
    vs_mesh_view mesh = vs_mesh_get_view(def->mesh);
    error = vs_copy_text(world->context, def->name, &made.name);
    if (!error)
        error = make_nodes(&made, &checked, &mesh);
    if (!error)
        error = make_elements(&made, &mesh);
    if (!error)
        error = vs_flexible_make_assembly(&made, made.nodes, made.element_nodes, made.element);
    if (!error && checked.consistent_mass)
        error = make_consistent_mass(&made);
    if (!error)
        error = make_surface(&made, &mesh);
    if (!error)
        error = vs_flexible_commit(world, index, &made, id);
    if (error)
        vs_flexible_release(world->context, &made);
    return error;
}
