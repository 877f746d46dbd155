// Beams: lines of elements between rigid bodies that carry their mass.
//
// A node's body has x along the line (the mean of both neighbours' directions) and half of the mass of each adjacent
// element. Capsules reach from the middle of one element to the middle of the next; those of a node and its next two
// neighbours do not collide with each other.
#include "body/check.h"
#include "body/flexible_data.h"

#include <stdio.h>
#include <string.h>

vs_beam_def vs_beam_def_default(void) {
    return (vs_beam_def){
        .up = {0, 0, 1}, .elastic = *vs_elastic_material_find("steel"), .bending = 1, .group = 1, .mask = UINT32_MAX};
}

static vs_error check_def(vs_context *context, const vs_beam_def *def) {
    if (def->nodes < (def->closed ? 3 : 2) || !def->point)
        return vs_fail(context, VS_ERROR_ARGUMENT, "beam: %d nodes are too few", def->nodes);
    if ((unsigned)def->section > VS_SECTION_RECTANGLE)
        return vs_fail(context, VS_ERROR_ARGUMENT, "beam: unknown section %d", (int)def->section);
    bool pipe = def->section == VS_SECTION_PIPE, circle = def->section == VS_SECTION_CIRCLE;
    if (!(def->along_y > 0 && isfinite(def->along_y)) || (!circle && !(def->along_z > 0 && isfinite(def->along_z))) ||
        (pipe && !(def->along_z < def->along_y)))
        return vs_fail(context, VS_ERROR_ARGUMENT, "beam: invalid section of %g m by %g m", def->along_y, def->along_z);
    if (!(def->bending >= 0 && def->bending <= 1))
        return vs_fail(context, VS_ERROR_ARGUMENT, "beam: bending must be in [0, 1] (is %g)", def->bending);
    if (!(def->contact_radius >= 0) || !isfinite(def->contact_radius))
        return vs_fail(context, VS_ERROR_ARGUMENT, "beam: contact_radius must not be negative (is %g m)",
                       def->contact_radius);
    if (!vs_is_finite3(def->up) || !(vs_length(def->up) > 0))
        return vs_fail(context, VS_ERROR_ARGUMENT, "beam: up must not be zero");
    for (int k = 0; k < def->nodes; k++)
        if (!vs_is_finite3(def->point[k]))
            return vs_fail(context, VS_ERROR_ARGUMENT, "beam: point %d is not finite", k);
    return vs_elastic_material_validate(context, &def->elastic);
}

static vs_beam_section section_of(const vs_beam_def *def) {
    double nu = def->elastic.poisson;
    return def->section == VS_SECTION_CIRCLE ? vs_beam_circular(def->along_y, nu)
           : def->section == VS_SECTION_PIPE ? vs_beam_pipe(def->along_y, def->along_z, nu)
                                             : vs_beam_rectangular(def->along_y, def->along_z, nu);
}

// ---- geometry --------------------------------------------------------------------------------------

// To the next node (zero after the end of an open line).
static vs_vec3 segment(const vs_beam_def *def, int k) {
    if (k < 0)
        k = def->closed ? k + def->nodes : k;
    if (k < 0 || (k >= def->nodes - 1 && !def->closed))
        return VS_ZERO3;
    return vs_subtract(def->point[(k + 1) % def->nodes], def->point[k]);
}

static vs_vec3 tangent(const vs_beam_def *def, int k) {
    vs_vec3 along = vs_add(vs_normalize(segment(def, k - 1)), vs_normalize(segment(def, k)));
    if (!(vs_length(along) > 1e-9)) // it turns back on itself
        along = segment(def, k);
    return vs_normalize(along);
}

// `up` tells how the section is turned about the line, unless the line is almost along it.
static bool is_clear(const vs_beam_def *def, int k) {
    return vs_length(vs_cross(vs_normalize(def->up), tangent(def, k))) > .01;
}

// The frame of node k beside a node with the frame `near`: that one, turned with the line without twist; where `up` is
// clear, z is along it or against it, whichever is nearer. A line that passes the vertical would otherwise be twisted by
// half a turn between two nodes.
static vs_quat next_frame(const vs_beam_def *def, int k, vs_quat near) {
    vs_vec3 along = tangent(def, k), x = vs_rotate(near, (vs_vec3){1, 0, 0}), axis = vs_cross(x, along);
    vs_quat turn = {1 + vs_dot(x, along), axis.x, axis.y, axis.z};
    vs_quat carried = turn.w > 1e-9 ? vs_quat_normalize(vs_quat_multiply(vs_quat_normalize(turn), near)) : near;
    if (!is_clear(def, k))
        return carried;
    vs_quat frame = vs_beam_frame(along, def->up);
    const vs_vec3 z = {0, 0, 1};
    bool against = vs_dot(vs_rotate(frame, z), vs_rotate(carried, z)) < 0;
    return against ? vs_quat_multiply(frame, (vs_quat){0, 1, 0, 0}) : frame;
}

static void make_frames(const vs_beam_def *def, vs_quat *frame) {
    int first = 0;
    while (first < def->nodes - 1 && !is_clear(def, first))
        first++;
    frame[first] = vs_beam_frame(tangent(def, first), def->up);
    for (int k = first + 1; k < def->nodes; k++)
        frame[k] = next_frame(def, k, frame[k - 1]);
    for (int k = first - 1; k >= 0; k--)
        frame[k] = next_frame(def, k, frame[k + 1]);
}

static vs_error make_elements(vs_flexible *f, const vs_beam_def *def, const vs_quat *frame, double (*inertia)[3]) {
    vs_context *context = f->arena.context;
    for (int e = 0; e < f->elements; e++) {
        const int node[2] = {e, (e + 1) % f->nodes};
        const vs_pose pose[2] = {{def->point[node[0]], frame[node[0]]}, {def->point[node[1]], frame[node[1]]}};
        if (!vs_beam_prepare(pose, &f->beam_rest[e]))
            return vs_fail(context, VS_ERROR_DATA, "beam: nodes %d and %d coincide", node[0], node[1]);
        vs_beam_mass mass = vs_beam_mass_lumped(&f->beam_rest[e], &f->section, f->stuff.density);
        for (int k = 0; k < 2; k++) {
            f->element[2 * e + k] = node[k];
            f->mass[node[k]] += mass.mass;
            for (int i = 0; i < 3; i++)
                inertia[node[k]][i] += mass.inertia[i];
        }
    }
    return VS_OK;
}

// Two blocks per node: velocity and spin.
static vs_error make_assembly(vs_flexible *f) {
    vs_context *context = f->arena.context;
    int *block = vs_allocate(context, sizeof(int) * 4 * (size_t)f->elements);
    if (!block)
        return vs_fail_memory(context);
    for (int k = 0; k < 4 * f->elements; k++)
        block[k] = 2 * f->element[k / 2] + k % 2;
    vs_error error = vs_flexible_make_assembly(f, 2 * f->nodes, 4, block);
    vs_release(context, block);
    return error;
}

// ---- bodies ----------------------------------------------------------------------------------------

static vs_error add_capsule(vs_world *world, const vs_beam_def *def, int k, vs_body_id body) {
    double before = .5 * vs_length(segment(def, k - 1)), after = .5 * vs_length(segment(def, k));
    vs_shape *shape;
    vs_error error = vs_shape_capsule(world->context, def->contact_radius, .5 * (before + after), &shape);
    if (error)
        return error;
    vs_collider_def collider = vs_collider_def_default();
    collider.body = body, collider.shape = shape, collider.material = def->material;
    collider.group = def->group, collider.mask = def->mask;
    // z of the capsule along x of the node
    collider.pose = (vs_pose){{.5 * (after - before), 0, 0}, vs_quat_exp((vs_vec3){0, 1.57079632679489661923, 0})};
    error = vs_world_add_collider(world, &collider, NULL);
    vs_shape_release(shape);
    return error;
}

static vs_error add_node(vs_world *world, const vs_beam_def *def, int k, vs_quat frame, double mass,
                         const double inertia[3], vs_body_id *id) {
    char name[160];
    vs_body_def body = vs_body_def_default();
    body.pose = (vs_pose){def->point[k], frame};
    body.mass = mass;
    body.inertia = (vs_mat3){{inertia[0], 0, 0, 0, inertia[1], 0, 0, 0, inertia[2]}};
    if (def->name && *def->name) {
        (void)snprintf(name, sizeof name, "%.127s.%d", def->name, k);
        body.name = name;
    }
    vs_error error = vs_world_add_body(world, &body, id);
    if (!error && def->contact_radius > 0)
        error = add_capsule(world, def, k, *id);
    return error;
}

static vs_error ignore_neighbours(vs_world *world, const vs_beam_def *def, const vs_body_id *body) {
    vs_error error = VS_OK;
    for (int k = 0; k < def->nodes; k++)
        for (int step = 1; step <= 2 && !error; step++)
            if (def->closed || k + step < def->nodes)
                error = vs_world_ignore_pair(world, body[k], body[(k + step) % def->nodes]);
    return error;
}

// Bodies, all or none.
static vs_error add_bodies(vs_world *world, const vs_beam_def *def, const vs_quat *frame, vs_flexible *f,
                           double (*inertia)[3]) {
    vs_error error = VS_OK;
    for (int k = 0; k < def->nodes && !error; k++)
        error = add_node(world, def, k, frame[k], f->mass[k], inertia[k], &f->body[k]);
    if (!error && def->contact_radius > 0)
        error = ignore_neighbours(world, def, f->body);
    for (int k = 0; k < def->nodes && error; k++)
        if (f->body[k].index > 0)
            (void)vs_world_remove_body(world, f->body[k]);
    return error;
}

static vs_error make(vs_world *world, const vs_beam_def *def, vs_flexible *f) {
    vs_arena *arena = &f->arena;
    int n = f->nodes;
    f->rest = VS_COPY(arena, vs_vec3, def->point, n), f->position = VS_COPY(arena, vs_vec3, def->point, n);
    f->velocity = VS_NEW_ZERO(arena, vs_vec3, n), f->earlier = VS_NEW_ZERO(arena, vs_vec3, 2 * (int64_t)n);
    f->work = VS_NEW(arena, vs_vec3, 2 * (int64_t)n);
    f->mass = VS_NEW_ZERO(arena, double, n);
    f->element = VS_NEW(arena, int, 2 * (int64_t)f->elements);
    f->beam_rest = VS_NEW(arena, vs_beam_rest, f->elements);
    f->body = VS_NEW_ZERO(arena, vs_body_id, n);
    double(*inertia)[3] = vs_arena_allocate_zero(arena, n, sizeof *inertia);
    vs_quat *frame = VS_NEW(arena, vs_quat, n);
    if (!f->rest || !f->position || !f->velocity || !f->earlier || !f->work || !f->mass || !f->element ||
        !f->beam_rest || !f->body || !inertia || !frame)
        return VS_ERROR_MEMORY;
    make_frames(def, frame);
    vs_error error = make_elements(f, def, frame, inertia);
    if (!error)
        error = make_assembly(f);
    return error ? error : add_bodies(world, def, frame, f, inertia);
}

vs_error vs_world_add_beam(vs_world *world, const vs_beam_def *def, vs_flexible_id *id) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    if (!def)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "beam: def is null");
    int index = 0;
    vs_error error = check_def(world->context, def);
    if (!error)
        error = vs_flexible_reserve(world, def->name, &index);
    if (error)
        return error;
    vs_flexible made = {.beam = true,
                        .stuff = def->elastic,
                        .nodes = def->nodes,
                        .elements = def->closed ? def->nodes : def->nodes - 1,
                        .element_nodes = 2,
                        .section = section_of(def)};
    made.stuff.name = NULL;
    made.stiffness = vs_beam_stiffness_of(&made.stuff, &made.section);
    for (int k = 0; k < 3; k++)
        made.stiffness.bend[k] *= def->bending;
    vs_arena_init(&made.arena, world->context);
    error = vs_copy_text(world->context, def->name, &made.name);
    if (!error)
        error = make(world, def, &made);
    if (!error) {
        error = vs_flexible_commit(world, index, &made, id);
        for (int k = 0; k < made.nodes && error; k++)
            (void)vs_world_remove_body(world, made.body[k]);
    }
    if (error)
        vs_flexible_release(world->context, &made);
    return error;
}

vs_error vs_world_get_beam_forces(const vs_world *world, vs_flexible_id id, int element, double force[6]) {
    if (!world || !force)
        return VS_ERROR_ARGUMENT;
    int index = vs_world_flexible_index(world, id);
    if (index < 0 || !world->flexible[index].beam)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "beam: the id is not that of a beam");
    const vs_flexible *f = &world->flexible[index];
    if (element < 0 || element >= f->elements)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "beam: element %d does not exist, there are %d", element,
                       f->elements);
    const vs_pose pose[2] = {vs_beam_node_pose(world, f, f->element[2 * element]),
                             vs_beam_node_pose(world, f, f->element[2 * element + 1])};
    vs_beam_section_forces(&f->beam_rest[element], &f->stiffness, pose, force);
    return VS_OK;
}
