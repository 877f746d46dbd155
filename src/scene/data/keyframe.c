// Keyframes of a scene: named states of its world, to return to.
#include "scene/data/keyframe.h"

#include <stdio.h>
#include <string.h>

#include "body/world_data.h"

static void release_keyframe(vs_context *context, vs_keyframe *key) {
    vs_release(context, key->name);
    vs_release(context, key->body);
    vs_release(context, key->coordinate);
    vs_release(context, key->control);
    vs_release(context, key->activation);
}

static size_t at_least_one(int count) {
    return count > 0 ? (size_t)count : 1;
}

// Memory for the state of the world.
static vs_error make_keyframe(const vs_world *world, const char *name, vs_keyframe *key) {
    vs_context *context = world->context;
    *key = (vs_keyframe){.bodies = vs_world_get_body_count(world),
                         .joints = vs_world_get_joint_count(world),
                         .controls = vs_world_get_control_count(world)};
    key->name = vs_allocate(context, strlen(name) + 1);
    key->body = vs_allocate(context, at_least_one(key->bodies) * sizeof *key->body);
    key->coordinate = vs_allocate(context, at_least_one(key->joints) * sizeof *key->coordinate);
    key->control = vs_allocate(context, at_least_one(key->controls) * sizeof *key->control);
    key->activation = vs_allocate(context, at_least_one(key->controls) * sizeof *key->activation);
    if (!key->name || !key->body || !key->coordinate || !key->control || !key->activation) {
        release_keyframe(context, key);
        return vs_fail_memory(context);
    }
    (void)memcpy(key->name, name, strlen(name) + 1);
    return VS_OK;
}

vs_error vs_scene_add_keyframe(vs_scene *scene, const char *name) {
    const vs_world *world = scene->world;
    vs_context *context = world->context;
    const size_t count = (size_t)scene->keyframes;
    vs_keyframe key = {0}, *list = vs_allocate(context, (count + 1) * sizeof *list);
    if (!list)
        return vs_fail_memory(context);
    vs_error error = make_keyframe(world, name, &key);
    if (error) {
        vs_release(context, list);
        return error;
    }
    // None of these fails: everything exists.
    for (int k = 0; k < key.bodies; k++)
        (void)vs_world_get_body_state(world, vs_world_get_body_at(world, k), &key.body[k]);
    for (int k = 0; k < key.joints; k++)
        (void)vs_world_get_joint_coordinate(world, vs_world_get_joint_at(world, k), &key.coordinate[k], NULL);
    for (int k = 0; k < key.controls; k++)
        (void)vs_world_get_control(world, k, &key.control[k]),
            (void)vs_world_get_activation(world, k, &key.activation[k]);
    if (count > 0)
        (void)memcpy(list, scene->keyframe, count * sizeof *list);
    list[count] = key;
    vs_release(context, scene->keyframe);
    scene->keyframe = list;
    scene->keyframes++;
    return VS_OK;
}

void vs_scene_drop_keyframe(vs_scene *scene, int k) {
    release_keyframe(scene->world->context, &scene->keyframe[k]);
    for (scene->keyframes--; k < scene->keyframes; k++)
        scene->keyframe[k] = scene->keyframe[k + 1];
}

void vs_scene_apply_keyframe(vs_world *world, const vs_keyframe *key) {
    for (int k = 0; k < key->bodies; k++)
        (void)vs_world_set_body_state(world, vs_world_get_body_at(world, k), &key->body[k]);
    for (int k = 0; k < key->joints; k++) {
        vs_joint *joint = &world->joint[vs_world_get_joint_at(world, k).index];
        if (joint->def.kind == VS_JOINT_REVOLUTE)
            joint->angle = key->coordinate[k];
    }
    for (int k = 0; k < key->controls; k++) {
        (void)vs_world_set_control(world, k, key->control[k]);
        (void)vs_world_set_activation(world, k, key->activation[k]);
    }
}

// "the scene has: 'home', 'squat'"
static void list_names(const vs_scene *scene, char *text, size_t room) {
    size_t used = (size_t)snprintf(text, room, "the scene has %s", scene->keyframes > 0 ? "" : "none");
    for (int k = 0; k < scene->keyframes && used < room; k++)
        used += (size_t)snprintf(text + used, room - used, "%s'%s'", k > 0 ? ", " : "", scene->keyframe[k].name);
}

vs_error vs_scene_set_keyframe(vs_scene *scene, const char *name) {
    if (!scene || !name)
        return VS_ERROR_ARGUMENT;
    vs_world *world = scene->world;
    for (int k = 0; k < scene->keyframes; k++) {
        const vs_keyframe *key = &scene->keyframe[k];
        if (strcmp(key->name, name) != 0)
            continue;
        if (key->bodies != vs_world_get_body_count(world) || key->joints != vs_world_get_joint_count(world) ||
            key->controls != vs_world_get_control_count(world))
            return vs_fail(world->context, VS_ERROR_ARGUMENT,
                           "keyframe '%.60s': bodies, joints or controls were added or removed since", name);
        vs_scene_apply_keyframe(world, key);
        return VS_OK;
    }
    char names[200];
    list_names(scene, names, sizeof names);
    return vs_fail(world->context, VS_ERROR_ARGUMENT, "there is no keyframe '%.60s'; %s", name, names);
}
