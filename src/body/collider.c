// Colliders, and which of them may collide. Colliders of a body are a doubly linked list through the array, newest first.
#include "body/check.h"
#include "body/world_data.h"

// ---- colliders -------------------------------------------------------------------------------------

vs_collider_def vs_collider_def_default(void) {
    return (vs_collider_def){.pose = VS_IDENTITY_POSE, .group = 1, .mask = UINT32_MAX};
}

static vs_error check_collider(const vs_world *world, vs_collider_def *def, int *body) {
    vs_context *context = world->context;
    *body = vs_world_body_index(world, def->body);
    if (*body < 0)
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "collider: the body does not exist; it was removed, or the id is of another world");
    if (!def->shape)
        return vs_fail(context, VS_ERROR_ARGUMENT, "collider: the shape is null");
    if (vs_class_of(def->shape)->fixed && world->body[*body].motion == VS_MOTION_DYNAMIC)
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "collider: planes and height fields need a static or kinematic body");
    if (!vs_world_has_material(world, def->material))
        return vs_fail(context, VS_ERROR_ARGUMENT, "collider: material %d does not exist, there are %d", def->material,
                       world->materials);
    if (!vs_is_finite3(def->surface_velocity))
        return vs_fail(context, VS_ERROR_ARGUMENT, "collider: the surface velocity is not finite");
    if (!vs_is_finite3(def->grain))
        return vs_fail(context, VS_ERROR_ARGUMENT, "collider: the grain is not finite");
    return vs_check_pose(context, "collider", &def->pose);
}

static vs_error reserve_collider(vs_world *world, int *index) {
    return vs_slots_make_room(world->context, &world->collider_slots, &world->collider, &world->collider_capacity,
                              sizeof *world->collider, index);
}

vs_error vs_world_add_collider(vs_world *world, const vs_collider_def *def, vs_collider_id *id) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    if (!def)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "collider: def is null");
    vs_collider_def checked = *def;
    int body = 0, index = 0;
    vs_error error = check_collider(world, &checked, &body);
    if (!error)
        error = reserve_collider(world, &index);
    // Material 0 becomes the default one: a material added later must not change this collider.
    const vs_material normal = vs_material_default();
    if (!error && world->materials == 0)
        error = vs_world_add_material(world, &normal, NULL, NULL);
    if (error)
        return error;

    vs_body *owner = &world->body[body];
    vs_collider *collider = &world->collider[index];
    uint32_t generation = collider->generation + 1;
    *collider = (vs_collider){.generation = generation ? generation : 1,
                              .alive = true,
                              .body = body,
                              .next = owner->first_collider,
                              .previous = -1,
                              .shape = checked.shape,
                              .pose = checked.pose,
                              .material = checked.material,
                              .group = checked.group,
                              .mask = checked.mask,
                              .surface_velocity = checked.surface_velocity,
                              .sensor = checked.sensor};
    if (vs_length(checked.grain) > 0)
        collider->grain = vs_normalize(checked.grain);
    vs_shape_retain(checked.shape);
    if (owner->first_collider >= 0)
        world->collider[owner->first_collider].previous = index;
    owner->first_collider = index;
    vs_slots_set(&world->collider_slots, index, true);
    world->colliders = index >= world->colliders ? index + 1 : world->colliders;
    world->topology++;
    if (id)
        *id = (vs_collider_id){(uint32_t)index, collider->generation};
    return VS_OK;
}

void vs_world_drop_collider(vs_world *world, int index) {
    vs_collider *collider = &world->collider[index];
    if (collider->next >= 0)
        world->collider[collider->next].previous = collider->previous;
    if (collider->previous >= 0)
        world->collider[collider->previous].next = collider->next;
    else
        world->body[collider->body].first_collider = collider->next;
    vs_shape_release(collider->shape);
    *collider = (vs_collider){.generation = collider->generation, .next = -1, .previous = -1};
    vs_slots_set(&world->collider_slots, index, false);
    world->topology++;
}

vs_error vs_world_remove_collider(vs_world *world, vs_collider_id id) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    if (id.index >= (uint32_t)world->colliders || !world->collider[id.index].alive ||
        world->collider[id.index].generation != id.generation)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "collider: the id is stale or unknown");
    vs_world_drop_collider(world, (int)id.index);
    return VS_OK;
}

vs_pose vs_collider_pose(const vs_world *world, const vs_collider *collider) {
    return vs_pose_multiply(world->body[collider->body].pose, collider->pose);
}

// ---- collision filters -----------------------------------------------------------------------------

vs_error vs_world_ignore_pair(vs_world *world, vs_body_id a, vs_body_id b) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    int i = vs_world_body_index(world, a), j = vs_world_body_index(world, b);
    if (i < 0 || j < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       "ignored pair: one of the bodies does not exist; it was removed, or the id is of another world");
    if (i == j)
        return VS_OK;
    vs_pair *pair = vs_pair_add(world, i, j);
    if (!pair)
        return VS_ERROR_MEMORY;
    pair->ignored = 1;
    world->topology++;
    return VS_OK;
}

bool vs_world_ignores(const vs_world *world, int a, int b) {
    return vs_pair_find(world, a, b) != NULL;
}

bool vs_world_may_collide(const vs_world *world, const vs_collider *a, const vs_collider *b) {
    if (a->body == b->body || a->sensor || b->sensor || !(a->group & b->mask) || !(b->group & a->mask))
        return false;
    if (world->body[a->body].motion != VS_MOTION_DYNAMIC && world->body[b->body].motion != VS_MOTION_DYNAMIC)
        return false;
    return !vs_world_ignores(world, a->body, b->body);
}
