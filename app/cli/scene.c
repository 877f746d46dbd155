// Kinds of scenes that commands accept.
#include "cli/scene.h"

#include <stdbool.h>
#include <string.h>

#include "cli/path.h"

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
