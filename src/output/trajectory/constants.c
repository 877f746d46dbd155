// Constant data of a trajectory: /meta, /bodies with their colliders and shapes, /joints.
//
// A shape that many colliders share is written once, in the order of the colliders: independent of addresses.
// Hulls, meshes and height fields have vertices and triangles for drawing; the other kinds are defined by their sizes.
#include "body/gate/gate.h"
#include "body/period.h"
#include "output/software.h"
#include "output/trajectory/trajectory_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- which bodies and joints ----------------------------------------------------------------------------

static void measure_name(const char *name, size_t *room) {
    const size_t length = name ? strlen(name) : 0;
    if (length > *room)
        *room = length;
}

static vs_error gather_bodies(const vs_world *world, vs_arena *arena, vs_recorded *r) {
    r->slots = world->bodies;
    r->body = VS_NEW(arena, int, world->bodies);
    r->body_generation = VS_NEW(arena, uint32_t, world->bodies);
    r->row = VS_NEW(arena, int, world->bodies);
    if (!r->body || !r->body_generation || !r->row)
        return VS_ERROR_MEMORY;
    for (int i = 0; i < world->bodies; i++) {
        const vs_body *body = &world->body[i];
        r->row[i] = i == 0 ? VS_ROW_WORLD : VS_ROW_UNKNOWN;
        if (i == 0 || !body->alive)
            continue;
        r->row[i] = r->bodies;
        r->body[r->bodies] = i;
        r->body_generation[r->bodies++] = body->generation;
        measure_name(body->name, &r->body_room);
    }
    return VS_OK;
}

static vs_error gather_joints(const vs_world *world, vs_arena *arena, vs_recorded *r) {
    r->joint = VS_NEW(arena, int, world->joints);
    r->joint_generation = VS_NEW(arena, uint32_t, world->joints);
    if (!r->joint || !r->joint_generation)
        return VS_ERROR_MEMORY;
    for (int j = 0; j < world->joints; j++) {
        const vs_joint *joint = &world->joint[j];
        if (!joint->alive)
            continue;
        r->joint[r->joints] = j;
        r->joint_generation[r->joints++] = joint->generation;
        measure_name(joint->name, &r->joint_room);
    }
    return VS_OK;
}

static vs_error gather_solids(const vs_world *world, vs_arena *arena, vs_recorded *r) {
    r->solid = VS_NEW(arena, int, world->flexibles);
    r->solid_generation = VS_NEW(arena, uint32_t, world->flexibles);
    if (!r->solid || !r->solid_generation)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < world->flexibles; k++) {
        const vs_flexible *f = &world->flexible[k];
        if (!f->alive || f->beam)
            continue;
        r->solid[r->solids] = k;
        r->solid_generation[r->solids++] = f->generation;
        r->nodes += f->nodes;
        measure_name(f->name, &r->solid_room);
    }
    return VS_OK;
}

static void put_name(char *to, const char *name) {
    while (name && *name)
        *to++ = *name++;
}

vs_error vs_recorded_gather(const vs_world *world, vs_arena *arena, vs_recorded *r) {
    *r = (vs_recorded){.body_room = 1, .joint_room = 1, .solid_room = 1, .gate_room = 1};
    vs_error error = gather_bodies(world, arena, r);
    if (!error)
        error = gather_joints(world, arena, r);
    if (!error)
        error = gather_solids(world, arena, r);
    if (error)
        return error;
    r->gates = vs_world_get_gate_count(world);
    for (int k = 0; k < r->gates; k++)
        measure_name(world->gate[k].name, &r->gate_room);
    r->gate_name = vs_arena_allocate_zero(arena, r->gates, r->gate_room);
    r->body_name = vs_arena_allocate_zero(arena, r->bodies, r->body_room);
    r->joint_name = vs_arena_allocate_zero(arena, r->joints, r->joint_room);
    r->solid_name = vs_arena_allocate_zero(arena, r->solids, r->solid_room);
    if (!r->body_name || !r->joint_name || !r->solid_name || !r->gate_name)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < r->gates; k++)
        put_name(r->gate_name + (size_t)k * r->gate_room, world->gate[k].name);
    for (int k = 0; k < r->solids; k++)
        put_name(r->solid_name + (size_t)k * r->solid_room, world->flexible[r->solid[k]].name);
    for (int k = 0; k < r->bodies; k++)
        put_name(r->body_name + (size_t)k * r->body_room, world->body[r->body[k]].name);
    for (int k = 0; k < r->joints; k++)
        put_name(r->joint_name + (size_t)k * r->joint_room, world->joint[r->joint[k]].name);
    return VS_OK;
}

static void put_pose(double to[7], vs_pose pose) {
    const double from[7] = {pose.position.x, pose.position.y, pose.position.z, pose.rotation.w,
                            pose.rotation.x, pose.rotation.y, pose.rotation.z};
    (void)memcpy(to, from, sizeof from);
}

// ---- meta, bodies, joints -------------------------------------------------------------------------------

static vs_error write_meta(const vs_h5_group *root, const vs_world *world,
                           const vs_trajectory_writer_options *options) {
    const int format = VS_TRAJECTORY_FORMAT, contacts = options->contacts;
    const vs_vec3 g = world->gravity, p = world->period;
    const double gravity[3] = {g.x, g.y, g.z}, period[3] = {p.x, p.y, p.z};
    vs_error error = vs_h5_group_make_timeless(root, "meta");
    if (!error)
        error = vs_h5_write_table(root, "meta/format", VS_NUMBER_INT, 1, 1, &format);
    if (!error)
        error = vs_h5_write_text(root, "meta/version", vs_version());
    char software[VS_SOFTWARE_TEXT];
    vs_software_describe(software);
    if (!error)
        error = vs_h5_write_text(root, "meta/software", software);
    if (!error)
        error = vs_h5_write_text(root, "meta/title", options->title ? options->title : "");
    if (!error)
        error = vs_h5_write_table(root, "meta/step", VS_NUMBER_DOUBLE, 1, 1, &options->step);
    if (!error)
        error = vs_h5_write_table(root, "meta/gravity", VS_NUMBER_DOUBLE, 3, 1, gravity);
    if (!error && vs_world_repeats(world))
        error = vs_h5_write_table(root, "meta/period", VS_NUMBER_DOUBLE, 3, 1, period);
    if (!error)
        error = vs_h5_write_table(root, "meta/contacts", VS_NUMBER_INT, 1, 1, &contacts);
    return error;
}

static vs_error write_bodies(const vs_h5_group *root, const vs_world *world, const vs_recorded *r, vs_arena *arena) {
    int *motion = VS_NEW(arena, int, r->bodies);
    double *mass = VS_NEW(arena, double, r->bodies), *inertia = VS_NEW(arena, double, 9 * (int64_t)r->bodies);
    if (!motion || !mass || !inertia)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < r->bodies; k++) {
        const vs_body *body = &world->body[r->body[k]];
        motion[k] = (int)body->motion;
        mass[k] = body->mass;
        (void)memcpy(inertia + 9 * (size_t)k, body->inertia.a, sizeof body->inertia.a);
    }
    vs_error error = vs_h5_write_names(root, "bodies/name", r->bodies, r->body_room, r->body_name);
    if (!error)
        error = vs_h5_write_table(root, "bodies/motion", VS_NUMBER_INT, r->bodies, 1, motion);
    if (!error)
        error = vs_h5_write_table(root, "bodies/mass", VS_NUMBER_DOUBLE, r->bodies, 1, mass);
    if (!error)
        error = vs_h5_write_table(root, "bodies/inertia", VS_NUMBER_DOUBLE, r->bodies, 9, inertia);
    return error;
}

static vs_error write_joints(const vs_h5_group *root, const vs_world *world, const vs_recorded *r, vs_arena *arena) {
    int *kind = VS_NEW(arena, int, r->joints), *body = VS_NEW(arena, int, 2 * (int64_t)r->joints);
    double *frame = VS_NEW(arena, double, 14 * (int64_t)r->joints);
    if (!kind || !body || !frame)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < r->joints; k++) {
        const vs_joint *joint = &world->joint[r->joint[k]];
        kind[k] = (int)joint->def.kind;
        body[2 * k] = r->row[joint->a];
        body[2 * k + 1] = r->row[joint->b];
        put_pose(frame + 14 * (size_t)k, joint->def.frame_a);
        put_pose(frame + 14 * (size_t)k + 7, joint->def.frame_b);
    }
    vs_error error = vs_h5_group_make_timeless(root, "joints");
    if (!error)
        error = vs_h5_write_names(root, "joints/name", r->joints, r->joint_room, r->joint_name);
    if (!error)
        error = vs_h5_write_table(root, "joints/kind", VS_NUMBER_INT, r->joints, 1, kind);
    if (!error)
        error = vs_h5_write_table(root, "joints/body", VS_NUMBER_INT, r->joints, 2, body);
    if (!error)
        error = vs_h5_write_table(root, "joints/frame", VS_NUMBER_DOUBLE, r->joints, 14, frame);
    return error;
}

// ---- colliders and shapes -------------------------------------------------------------------------------

typedef struct use {
    const vs_shape *shape;
    int collider; // its position among the existing ones
} use;

// The existing colliders and their distinct shapes.
typedef struct drawing {
    int colliders, shapes;
    const vs_collider **collider; // (colliders)
    int *shape_of;                // (colliders)
    const vs_shape **shape;       // (shapes)
} drawing;

static int compare_uses(const void *a, const void *b) {
    const use *x = a, *y = b;
    const uintptr_t p = (uintptr_t)x->shape, q = (uintptr_t)y->shape;
    if (p != q)
        return p < q ? -1 : 1;
    return (x->collider > y->collider) - (x->collider < y->collider);
}

// Sorting finds equal shapes; they are numbered by the first collider of each, independent of addresses.
static vs_error number_shapes(drawing *d, vs_arena *arena) {
    use *uses = VS_NEW(arena, use, d->colliders);
    if (!uses)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < d->colliders; k++)
        uses[k] = (use){d->collider[k]->shape, k};
    if (d->colliders > 0)
        qsort(uses, (size_t)d->colliders, sizeof *uses, compare_uses);
    for (int k = 0, first = 0; k < d->colliders; k++) {
        if (uses[k].shape != uses[first].shape)
            first = k;
        d->shape_of[uses[k].collider] = uses[first].collider;
    }
    for (int k = 0; k < d->colliders; k++) {
        const int first = d->shape_of[k];
        if (first == k) {
            d->shape[d->shapes] = d->collider[k]->shape;
            d->shape_of[k] = d->shapes++;
        } else
            d->shape_of[k] = d->shape_of[first]; // earlier: already numbered
    }
    return VS_OK;
}

static vs_error gather_drawing(const vs_world *world, drawing *d, vs_arena *arena) {
    *d = (drawing){0};
    d->collider = VS_NEW(arena, const vs_collider *, world->colliders);
    d->shape_of = VS_NEW(arena, int, world->colliders);
    d->shape = VS_NEW(arena, const vs_shape *, world->colliders);
    if (!d->collider || !d->shape_of || !d->shape)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < world->colliders; k++)
        if (world->collider[k].alive)
            d->collider[d->colliders++] = &world->collider[k];
    return number_shapes(d, arena);
}

static vs_error write_colliders(const vs_h5_group *root, const vs_recorded *r, const drawing *d, vs_arena *arena) {
    int *body = VS_NEW(arena, int, d->colliders);
    double *pose = VS_NEW(arena, double, 7 * (int64_t)d->colliders);
    if (!body || !pose)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < d->colliders; k++) {
        body[k] = r->row[d->collider[k]->body];
        put_pose(pose + 7 * (size_t)k, d->collider[k]->pose);
    }
    vs_error error = vs_h5_group_make_timeless(root, "bodies/collider");
    if (!error)
        error = vs_h5_write_table(root, "bodies/collider/body", VS_NUMBER_INT, d->colliders, 1, body);
    if (!error)
        error = vs_h5_write_table(root, "bodies/collider/shape", VS_NUMBER_INT, d->colliders, 1, d->shape_of);
    if (!error)
        error = vs_h5_write_table(root, "bodies/collider/pose", VS_NUMBER_DOUBLE, d->colliders, 7, pose);
    return error;
}

static void put_bounds(double to[6], const vs_shape *shape) {
    const vs_box3 b = shape->bounds;
    const double from[6] = {b.low.x, b.low.y, b.low.z, b.high.x, b.high.y, b.high.z};
    for (int k = 0; k < 6; k++)
        to[k] = vs_shape_is_bounded(shape) && isfinite(from[k]) ? from[k] : 0;
}

static vs_error write_shape_sizes(const vs_h5_group *root, const drawing *d, vs_arena *arena) {
    int *kind = VS_NEW(arena, int, d->shapes);
    double *size = VS_NEW(arena, double, 3 * (int64_t)d->shapes),
           *bounds = VS_NEW(arena, double, 6 * (int64_t)d->shapes);
    if (!kind || !size || !bounds)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < d->shapes; k++) {
        kind[k] = (int)d->shape[k]->kind;
        const vs_vec3 sizes = vs_shape_sizes(d->shape[k]);
        size[3 * k] = sizes.x, size[3 * k + 1] = sizes.y, size[3 * k + 2] = sizes.z;
        put_bounds(bounds + 6 * (size_t)k, d->shape[k]);
    }
    vs_error error = vs_h5_group_make_timeless(root, "bodies/shape");
    if (!error)
        error = vs_h5_write_table(root, "bodies/shape/kind", VS_NUMBER_INT, d->shapes, 1, kind);
    if (!error)
        error = vs_h5_write_table(root, "bodies/shape/size", VS_NUMBER_DOUBLE, d->shapes, 3, size);
    if (!error)
        error = vs_h5_write_table(root, "bodies/shape/bounds", VS_NUMBER_DOUBLE, d->shapes, 6, bounds);
    return error;
}

// Of shapes that readers do not draw by kind and size.
static vs_shape_surface surface_of(const vs_shape *shape) {
    vs_shape_surface surface = {0};
    if (!vs_class_of(shape)->sized)
        (void)vs_shape_get_surface(shape, &surface); // no argument is null
    return surface;
}

static vs_error write_surfaces(const vs_h5_group *root, const drawing *d, vs_arena *arena) {
    int64_t *vertices = VS_NEW_ZERO(arena, int64_t, d->shapes + 1),
            *triangles = VS_NEW_ZERO(arena, int64_t, d->shapes + 1);
    if (!vertices || !triangles)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < d->shapes; k++) {
        const vs_shape_surface surface = surface_of(d->shape[k]);
        vertices[k + 1] = vertices[k] + surface.vertices;
        triangles[k + 1] = triangles[k] + surface.triangles;
    }
    vs_vec3 *vertex = VS_NEW(arena, vs_vec3, vertices[d->shapes]);
    int *triangle = VS_NEW(arena, int, 3 * triangles[d->shapes]);
    if (!vertex || !triangle)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < d->shapes; k++) {
        vs_shape_surface to = {.vertex = vertex + vertices[k], .triangle = triangle + 3 * triangles[k]};
        if (vertices[k + 1] > vertices[k])
            (void)vs_shape_get_surface(d->shape[k], &to);
    }
    _Static_assert(sizeof(vs_vec3) == 3 * sizeof(double), "rows of three numbers");
    const int64_t nv = vertices[d->shapes], nt = triangles[d->shapes];
    vs_error error = vs_h5_write_table(root, "bodies/shape/vertex_offset", VS_NUMBER_INT64, d->shapes + 1, 1, vertices);
    if (!error)
        error = vs_h5_write_table(root, "bodies/shape/vertex", VS_NUMBER_DOUBLE, nv, 3, vertex);
    if (!error)
        error = vs_h5_write_table(root, "bodies/shape/triangle_offset", VS_NUMBER_INT64, d->shapes + 1, 1, triangles);
    if (!error)
        error = vs_h5_write_table(root, "bodies/shape/triangle", VS_NUMBER_INT, nt, 3, triangle);
    return error;
}

// ---- together -------------------------------------------------------------------------------------------

vs_error vs_constants_write(const vs_h5_group *root, const vs_world *world, const vs_recorded *recorded,
                            const vs_trajectory_writer_options *options) {
    vs_arena arena;
    vs_arena_init(&arena, root->context);
    drawing d;
    vs_error error = write_meta(root, world, options);
    if (!error)
        error = vs_h5_group_make_timeless(root, "bodies");
    if (!error)
        error = write_bodies(root, world, recorded, &arena);
    if (!error)
        error = gather_drawing(world, &d, &arena);
    if (!error)
        error = write_colliders(root, recorded, &d, &arena);
    if (!error)
        error = write_shape_sizes(root, &d, &arena);
    if (!error)
        error = write_surfaces(root, &d, &arena);
    if (!error)
        error = write_joints(root, world, recorded, &arena);
    if (!error)
        error = vs_flexible_constants_write(root, world, recorded, &arena);
    if (!error)
        error = vs_gate_constants_write(root, world, recorded, &arena);
    vs_arena_release(&arena);
    return error;
}

vs_error vs_constants_match(const vs_trajectory_file *file, const vs_world *world, const vs_recorded *r) {
    vs_arena arena;
    vs_arena_init(&arena, file->context);
    vs_error error = VS_OK;
    void *data = NULL;
    int64_t bodies = r->bodies;
    if (file->bodies != r->bodies || file->joints != r->joints)
        error = vs_fail(file->context, VS_ERROR_DATA, "has %lld bodies and %lld joints, the world %d and %d",
                        (long long)file->bodies, (long long)file->joints, r->bodies, r->joints);
    else if (file->solids != r->solids || file->nodes != r->nodes)
        error = vs_fail(file->context, VS_ERROR_DATA, "has %lld flexible solids with %lld nodes, the world %d and %d",
                        (long long)file->solids, (long long)file->nodes, r->solids, r->nodes);
    else if (file->gates != r->gates)
        error = vs_fail(file->context, VS_ERROR_DATA, "has %lld factories and sinks, the world %d",
                        (long long)file->gates, r->gates);
    else if (r->solids > 0 &&
             !vs_h5_same_names(&file->root, "flexible/name", r->solids, r->solid_room, r->solid_name, &arena))
        error = vs_fail(file->context, VS_ERROR_DATA, "has flexible solids with other names than the world");
    else if (!vs_h5_same_names(&file->root, "bodies/name", r->bodies, r->body_room, r->body_name, &arena) ||
             !vs_h5_same_names(&file->root, "joints/name", r->joints, r->joint_room, r->joint_name, &arena))
        error = vs_fail(file->context, VS_ERROR_DATA, "has bodies or joints with other names than the world");
    else
        error = vs_h5_read_table(&file->root, "bodies/mass", VS_NUMBER_DOUBLE, 1, &arena, &bodies, &data);
    const double *mass = data;
    for (int k = 0; !error && mass && k < r->bodies; k++)
        if (mass[k] != world->body[r->body[k]].mass)
            error = vs_fail(file->context, VS_ERROR_DATA, "body %d has %g kg in the file, %g kg in the world", k,
                            mass[k], world->body[r->body[k]].mass);
    vs_arena_release(&arena);
    return error;
}
