// Kinds of scenes that commands accept.
#include "cli/scene.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "cli/path.h"
#include "voussoir/cad.h"

bool app_scene_find(const char *name, vs_scene_info *info) {
    for (int k = 0; k < vs_scene_count(); k++) {
        *info = vs_scene_at(k);
        if (strcmp(info->name, name) == 0)
            return true;
    }
    return false;
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

vs_error app_scene_open(vs_context *context, const char *name, vs_scene **scene) {
    vs_scene_info info;
    if (app_scene_find(name, &info))
        return vs_scene_make(context, name, NULL, 0, scene);
    if (app_scene_is_robot(name))
        return vs_scene_import(context, name, scene);
    return vs_scene_read(context, name, NULL, 0, scene);
}
