// A scene in memory: its world, its name, and the list of files that were read for it.
#include "scene/data/scene_data.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "body/world_data.h"
#include "scene/data/keyframe.h"

vs_error vs_scene_new(vs_context *context, const char *name, vs_scene **scene) {
    vs_scene *made = vs_allocate(context, sizeof *made);
    if (!made)
        return vs_fail_memory(context);
    *made = (vs_scene){.options = vs_simulation_options_default(), .duration = 1};
    (void)snprintf(made->name, sizeof made->name, "%s", name);
    vs_error error = vs_world_create(context, NULL, &made->world);
    if (error)
        vs_release(context, made);
    else
        *scene = made;
    return error;
}

void vs_scene_destroy(vs_scene *scene) {
    if (!scene)
        return;
    vs_context *context = scene->world->context;
    for (int k = 0; k < scene->files; k++)
        vs_release(context, scene->file[k]);
    vs_release(context, scene->file);
    vs_release(context, scene->stop);
    while (scene->keyframes > 0)
        vs_scene_drop_keyframe(scene, scene->keyframes - 1);
    vs_release(context, scene->keyframe);
    for (int k = 0; k < scene->records; k++)
        vs_record_destroy(context, (vs_record *)scene->record[k].record);
    vs_release(context, scene->record);
    vs_world_destroy(scene->world);
    vs_release(context, scene);
}

// "scenes/arch.json" is called arch unless it sets a name.
void vs_scene_name(vs_scene *scene, const char *path) {
    const char *slash = vs_path_slash(path), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    (void)snprintf(scene->name, sizeof scene->name, "%.*s", length, base);
}

vs_error vs_scene_add_file(vs_scene *scene, const char *path) {
    vs_context *context = scene->world->context;
    const size_t count = (size_t)scene->files, length = strlen(path) + 1;
    for (size_t k = 0; k < count; k++)
        if (strcmp(scene->file[k], path) == 0)
            return VS_OK;
    char **list = vs_allocate(context, (count + 1) * sizeof *list), *copy = vs_allocate(context, length);
    if (!list || !copy) {
        vs_release(context, list);
        vs_release(context, copy);
        return vs_fail_memory(context);
    }
    if (count > 0)
        (void)memcpy(list, scene->file, count * sizeof *list);
    list[count] = memcpy(copy, path, length);
    vs_release(context, scene->file);
    scene->file = list;
    scene->files++;
    return VS_OK;
}

vs_error vs_scene_add_record(vs_scene *scene, const char *path, vs_record *record, bool integrated) {
    vs_context *context = scene->world->context;
    const size_t count = (size_t)scene->records;
    vs_scene_record *list = vs_allocate(context, (count + 1) * sizeof *list);
    if (!list) {
        vs_record_destroy(context, record);
        return vs_fail_memory(context);
    }
    if (count > 0)
        (void)memcpy(list, scene->record, count * sizeof *list);
    list[count] = (vs_scene_record){.record = record, .integrated = integrated};
    for (int k = 0; k < scene->files; k++)
        if (strcmp(scene->file[k], path) == 0)
            list[count].path = scene->file[k];
    vs_release(context, scene->record);
    scene->record = list;
    scene->records++;
    return VS_OK;
}
