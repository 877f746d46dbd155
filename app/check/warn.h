// Warnings of commands that run or analyse a scene: what looks like a mistake, one line each.
#ifndef VS_APP_CHECK_WARN_H
#define VS_APP_CHECK_WARN_H

#include "voussoir/scene.h"

// `path`: the scene's file or name, which begins each line. Kinds in `except` ("small large", may be null) are not said.
void app_check_warn(const vs_scene *scene, const char *path, const char *except);

#endif
