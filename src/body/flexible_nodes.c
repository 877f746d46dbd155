// Nodes of flexible solids: queries, prescribed motion, attachment, forces and motion.
#include "body/check.h"
#include "body/flexible_data.h"

#include <string.h>

#include "base/array.h"

// Null, with an error text, if there is no such body; every failure here is VS_ERROR_ARGUMENT.
static vs_flexible *find(const vs_world *world, vs_flexible_id id, const char *what, bool solid) {
    int index = world ? vs_world_flexible_index(world, id) : -1;
    if (index < 0) {
        (void)vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT,
                      "%s: the flexible body (%u, %u) does not exist; it was removed, or the id is of another world",
                      what, (unsigned)id.index, (unsigned)id.generation);
        return NULL;
    }
    vs_flexible *f = &world->flexible[index];
    if (solid && f->beam) {
        (void)vs_fail(world->context, VS_ERROR_ARGUMENT, "%s: %s is a beam: its nodes are bodies, use those", what,
                      f->name ? f->name : "this");
        return NULL;
    }
    return f;
}

static vs_flexible *find_nodes(const vs_world *world, vs_flexible_id id, const char *what, int count, const int *node) {
    vs_flexible *f = find(world, id, what, true);
    if (!f)
        return NULL;
    if (count < 0 || (count > 0 && !node)) {
        (void)vs_fail(world->context, VS_ERROR_ARGUMENT, "%s: count is %d, or node is null", what, count);
        return NULL;
    }
    for (int k = 0; k < count; k++)
        if (node[k] < 0 || node[k] >= f->nodes) {
            (void)vs_fail(world->context, VS_ERROR_ARGUMENT, "%s: node %d does not exist, there are %d", what, node[k],
                          f->nodes);
            return NULL;
        }
    return f;
}

// ---- queries ---------------------------------------------------------------------------------------

vs_error vs_world_get_flexible_view(const vs_world *world, vs_flexible_id id, vs_flexible_view *view) {
    vs_flexible *f = find(world, id, "flexible body", false);
    if (!f)
        return VS_ERROR_ARGUMENT;
    if (!view)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "flexible body: view is null");
    for (int k = 0; k < f->nodes && f->beam; k++) {
        f->position[k] = world->body[f->body[k].index].pose.position;
        f->velocity[k] = world->body[f->body[k].index].velocity;
    }
    *view = (vs_flexible_view){.beam = f->beam,
                               .nodes = f->nodes,
                               .rest = f->rest,
                               .position = f->position,
                               .velocity = f->velocity,
                               .mass = f->mass,
                               .elements = f->elements,
                               .element_nodes = f->element_nodes,
                               .element = f->element,
                               .faces = f->faces,
                               .face = f->face,
                               .body = f->body};
    return VS_OK;
}

vs_error vs_world_set_nodes(vs_world *world, vs_flexible_id id, const vs_vec3 *position, const vs_vec3 *velocity) {
    vs_flexible *f = find(world, id, "nodes", true);
    if (!f)
        return VS_ERROR_ARGUMENT;
    for (int k = 0; k < f->nodes; k++)
        if ((position && !vs_is_finite3(position[k])) || (velocity && !vs_is_finite3(velocity[k])))
            return vs_fail(world->context, VS_ERROR_ARGUMENT, "nodes: position or velocity of node %d is not finite",
                           k);
    if (position)
        memmove(f->position, position, sizeof *position * (size_t)f->nodes);
    if (velocity)
        memmove(f->velocity, velocity, sizeof *velocity * (size_t)f->nodes);
    f->stepped = false, f->lag = 0;
    return VS_OK;
}

// ---- prescribed and attached ----------------------------------------------------------------------

vs_error vs_world_prescribe_nodes(vs_world *world, vs_flexible_id id, int count, const int *node,
                                  const vs_signal velocity[3]) {
    vs_flexible *f = find_nodes(world, id, "prescribed nodes", count, node);
    if (!f)
        return VS_ERROR_ARGUMENT;
    vs_error error =
        vs_array_reserve(world->context, &f->motion, &f->motion_capacity, f->motion_count + 1, sizeof *f->motion);
    if (!error)
        error = vs_signals_copy_from(world->context, velocity, f->motion[f->motion_count].velocity);
    if (error)
        return error;
    for (int k = 0; k < count; k++) {
        f->prescribed[node[k]] = f->motion_count;
        f->attached[node[k]] = -1;
    }
    f->motion_count++;
    world->topology++;
    return VS_OK;
}

vs_error vs_world_attach_nodes(vs_world *world, vs_flexible_id id, int count, const int *node, vs_body_id body) {
    vs_flexible *f = find_nodes(world, id, "attached nodes", count, node);
    if (!f)
        return VS_ERROR_ARGUMENT;
    int index = vs_world_body_index(world, body);
    if (index < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       "attached nodes: the body does not exist; it was removed, or the id is of another world");
    if (vs_array_reserve(world->context, &f->glued, &f->glued_capacity, f->glued_count + 1, sizeof *f->glued))
        return VS_ERROR_MEMORY;
    bool known = false;
    for (int k = 0; k < f->glued_count; k++)
        known = known || f->glued[k] == index;
    if (!known)
        f->glued[f->glued_count++] = index;
    for (int k = 0; k < count; k++) {
        f->prescribed[node[k]] = -1;
        f->attached[node[k]] = index;
        f->place[node[k]] = vs_pose_apply_back(world->body[index].pose, f->position[node[k]]);
    }
    world->topology++;
    return VS_OK;
}

vs_error vs_world_fix_nodes(vs_world *world, vs_flexible_id id, int count, const int *node, unsigned axes) {
    vs_flexible *f = find_nodes(world, id, "guided nodes", count, node);
    if (!f)
        return VS_ERROR_ARGUMENT;
    if (axes > 7)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "guided nodes: axes are bits 1, 2 and 4, not %u", axes);
    for (int k = 0; k < count; k++) {
        f->guided[node[k]] = (uint8_t)axes;
        f->velocity[node[k]] = vs_node_along(f, node[k], f->velocity[node[k]]);
    }
    return VS_OK;
}

vs_error vs_world_free_nodes(vs_world *world, vs_flexible_id id, int count, const int *node) {
    vs_flexible *f = find_nodes(world, id, "free nodes", count, node);
    if (!f)
        return VS_ERROR_ARGUMENT;
    for (int k = 0; k < count; k++)
        f->prescribed[node[k]] = f->attached[node[k]] = -1, f->guided[node[k]] = 0;
    world->topology++;
    return VS_OK;
}

bool vs_node_is_free(const vs_world *world, const vs_flexible *f, int node) {
    int body = f->attached[node];
    return f->prescribed[node] < 0 && (body < 0 || world->body[body].motion == VS_MOTION_DYNAMIC);
}

vs_vec3 vs_node_prescribed_velocity(const vs_world *world, const vs_flexible *f, int node, double h) {
    if (f->prescribed[node] >= 0)
        return vs_signals_mean(f->motion[f->prescribed[node]].velocity, world->time, h);
    const vs_body *body = &world->body[f->attached[node]];
    if (body->motion == VS_MOTION_STATIC)
        return VS_ZERO3;
    // to where the body moves it, removing any offset
    vs_pose then = {vs_add_scaled(body->pose.position, h, body->velocity),
                    vs_quat_multiply(body->pose.rotation, vs_quat_exp(vs_scale(h, body->spin)))};
    return vs_scale(1 / h, vs_subtract(vs_pose_apply(then, f->place[node]), f->position[node]));
}

// ---- forces and motion -----------------------------------------------------------------------------

vs_error vs_world_push_nodes(vs_world *world, vs_flexible_id id, int count, const int *node, vs_vec3 force) {
    vs_flexible *f = find_nodes(world, id, "force on nodes", count, node);
    if (!f)
        return VS_ERROR_ARGUMENT;
    if (!vs_is_finite3(force))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "force on nodes: the force is not finite");
    for (int k = 0; k < count; k++)
        f->force[node[k]] = vs_add(f->force[node[k]], force);
    return VS_OK;
}

// A load with room for `nodes` and the corners of `faces`, not in the list yet; null with an error text.
static vs_node_load *make_load(vs_context *context, int nodes, int faces) {
    vs_node_load *load = vs_allocate(context, sizeof *load);
    int *node = vs_allocate(context, sizeof *node * ((size_t)nodes + 3 * (size_t)faces));
    if (!load || !node) {
        vs_release(context, load);
        vs_release(context, node);
        (void)vs_fail_memory(context);
        return NULL;
    }
    *load = (vs_node_load){.count = nodes, .faces = faces, .node = node};
    return load;
}

// Adds it to the list, or releases it after an error.
static vs_error keep_load(vs_context *context, vs_flexible *f, vs_node_load *load, vs_error error) {
    if (error) {
        vs_release(context, load->node);
        vs_release(context, load);
        return error;
    }
    load->next = f->loads;
    f->loads = load;
    return VS_OK;
}

vs_error vs_world_load_nodes(vs_world *world, vs_flexible_id id, int count, const int *node, const vs_signal force[3]) {
    vs_flexible *f = find_nodes(world, id, "load on nodes", count, node);
    if (!f)
        return VS_ERROR_ARGUMENT;
    vs_context *context = world->context;
    if (count == 0)
        return vs_fail(context, VS_ERROR_ARGUMENT, "load on nodes: count is 0");
    vs_node_load *load = make_load(context, count, 0);
    if (!load)
        return VS_ERROR_MEMORY;
    memcpy(load->node, node, sizeof *node * (size_t)count);
    return keep_load(context, f, load, vs_signals_copy_from(context, force, load->force));
}

static bool is_marked(const unsigned char *mark, const int face[3]) {
    return mark[face[0]] && mark[face[1]] && mark[face[2]];
}

// Corners of the faces of the surface all of whose corners are marked; null: only counts the faces.
static int list_faces(const vs_flexible *f, const unsigned char *mark, int *corner) {
    int faces = 0;
    for (int k = 0; k < f->faces; k++)
        if (is_marked(mark, f->face + 3 * (int64_t)k)) {
            if (corner)
                memcpy(corner + 3 * (int64_t)faces, f->face + 3 * (int64_t)k, 3 * sizeof *corner);
            faces++;
        }
    return faces;
}

vs_error vs_world_press_nodes(vs_world *world, vs_flexible_id id, int count, const int *node,
                              const vs_signal *pressure) {
    vs_flexible *f = find_nodes(world, id, "pressure", count, node);
    if (!f)
        return VS_ERROR_ARGUMENT;
    vs_context *context = world->context;
    unsigned char *mark = vs_allocate(context, (size_t)f->nodes);
    if (!mark)
        return vs_fail_memory(context);
    memset(mark, 0, (size_t)f->nodes);
    for (int k = 0; k < count; k++)
        mark[node[k]] = 1;
    const int faces = list_faces(f, mark, NULL);
    vs_node_load *load = faces > 0 ? make_load(context, 0, faces) : NULL;
    if (load)
        (void)list_faces(f, mark, load->node);
    vs_release(context, mark);
    if (faces == 0)
        return vs_fail(context, VS_ERROR_ARGUMENT, "pressure: no face of the surface has all its corners in the list");
    if (!load)
        return VS_ERROR_MEMORY;
    return keep_load(context, f, load, vs_signal_copy_from(context, pressure, &load->pressure));
}

// Each corner takes a third of the pressure times the area, inwards, as the faces are now.
static void add_pressure(const vs_flexible *f, const vs_node_load *load, double time, vs_vec3 *push) {
    const double share = -vs_signal_at(&load->pressure, time) / 6; // twice the area is the length of the product
    for (int k = 0; k < load->faces; k++) {
        const int *corner = load->node + 3 * (int64_t)k;
        const vs_vec3 a = f->position[corner[0]];
        const vs_vec3 area = vs_cross(vs_subtract(f->position[corner[1]], a), vs_subtract(f->position[corner[2]], a));
        for (int i = 0; i < 3; i++)
            push[corner[i]] = vs_add_scaled(push[corner[i]], share, area);
    }
}

void vs_flexible_push(const vs_flexible *f, double time, vs_vec3 *push) {
    memcpy(push, f->force, sizeof *push * (size_t)f->nodes);
    for (const vs_node_load *load = f->loads; load; load = load->next) {
        const vs_vec3 force = vs_signals_at(load->force, time);
        for (int k = 0; k < load->count; k++)
            push[load->node[k]] = vs_add_scaled(push[load->node[k]], 1. / load->count, force);
        add_pressure(f, load, time, push);
    }
}

void vs_flexible_advance(vs_flexible *f, double h, double lag) {
    f->stepped = true, f->lag = lag;
    for (int k = 0; k < f->nodes && !f->beam; k++)
        f->position[k] = vs_add_scaled(f->position[k], h, f->velocity[k]);
}
