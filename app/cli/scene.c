// Kinds of scenes that commands accept.
#include "cli/scene.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "cli/system/files.h"
#include "cli/system/message.h"
#include "cli/system/path.h"
#include "voussoir/cad.h"

bool app_scene_find(const char *name, vs_scene_info *info) {
    for (int k = 0; k < vs_scene_count(); k++) {
        *info = vs_scene_at(k);
        if (strcmp(info->name, name) == 0)
            return true;
    }
    return false;
}

const char *app_scene_word(int index) {
    return vs_scene_at(index).name;
}

bool app_scene_is_robot(const char *path) {
    return app_has_extension(path, ".urdf") || app_has_extension(path, ".xml") || app_has_extension(path, ".mjcf");
}

bool app_scene_is_step(const char *path) {
    static const char *const known[] = {".stp", ".step", ".igs", ".iges"};
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot && k < sizeof known / sizeof known[0]; k++)
        if (strcasecmp(dot, known[k]) == 0)
            return true;
    return false;
}

bool app_scene_is_drawing(const char *path) {
    return vs_cad_is_readable(path) || app_scene_is_step(path);
}

static vs_error open_scene(vs_context *context, const char *name, const vs_scene_parameter *setting, int settings,
                           vs_scene **scene) {
    vs_scene_info info;
    if (app_scene_find(name, &info))
        return vs_scene_make(context, name, setting, settings, scene);
    if (app_scene_is_robot(name))
        return vs_scene_import(context, name, scene);
    return vs_scene_read(context, name, setting, settings, scene);
}

vs_error app_scene_open(vs_context *context, const char *name, const vs_scene_parameter *setting, int settings,
                        vs_scene **scene) {
    const vs_error error = open_scene(context, name, setting, settings, scene);
    bool good = true;
    for (int k = 0; !error && good && k < (*scene)->files; k++)
        good = app_reads((*scene)->file[k]);
    if (good)
        return error;
    vs_scene_destroy(*scene);
    *scene = NULL;
    return VS_ERROR_ARGUMENT;
}

bool app_scene_register(const char *name, const vs_scene_parameter *setting, int settings) {
    vs_context *context = NULL;
    vs_scene *scene = NULL;
    if (vs_context_create(NULL, &context) == VS_OK)
        (void)app_scene_open(context, name, setting, settings, &scene);
    vs_scene_destroy(scene);
    vs_context_destroy(context);
    return !app_files_refused();
}

void app_scene_warn(void *user, vs_log_level level, const char *text) {
    (void)user;
    if (level == VS_LOG_WARNING)
        app_complain("%s", text);
}
