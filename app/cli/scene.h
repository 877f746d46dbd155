// Kinds of scenes that commands accept.
#ifndef VS_APP_CLI_SCENE_H
#define VS_APP_CLI_SCENE_H

#include <stdbool.h>

#include "voussoir/scene.h"

bool app_scene_find(const char *name, vs_scene_info *info); // a built-in scene
const char *app_scene_word(int index);                      // its name, null beyond the last: operands for shells
bool app_scene_is_robot(const char *path);                  // a robot description: URDF, MJCF
// A drawing of another program (OBJ, STL, STEP, …), which is no scene yet.
bool app_scene_is_drawing(const char *path);
bool app_scene_is_step(const char *path); // STEP or IGES, which gmsh has to convert and which states its unit
#define APP_DRAWING_REMEDY "is a drawing, not a scene; make one of it: voussoir import %s --ground -o scene.json"
// A built-in scene by its name, a robot description (which has no parameters) or a JSON file. The files that were read
// are inputs (cli/system/files.h): if an output would overwrite one, VS_ERROR_ARGUMENT, complained.
vs_error app_scene_open(vs_context *context, const char *name, const vs_scene_parameter *setting, int settings,
                        vs_scene **scene);
// Registers the files of a scene that another process will open; false: refused, complained. A scene that cannot be read
// is for that process to report.
bool app_scene_register(const char *name, const vs_scene_parameter *setting, int settings);
// Log function of a context: prints warnings about what a reader replaced or ignored.
void app_scene_warn(void *user, vs_log_level level, const char *text);

#endif
