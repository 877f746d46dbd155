// Scenes: JSON files, robot descriptions (URDF, MJCF) and the named scenes that come with the library, as a world and
// the options of its simulation.
#ifndef VOUSSOIR_SCENE_H
#define VOUSSOIR_SCENE_H

#include "voussoir/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_scene {
    vs_world *world;               // owned
    vs_simulation_options options; // of the file, or the defaults
    double duration;               // s; default 1
    double frame;                  // s between recorded frames; 0: every step
    char name[64];                 //
    int ignored;                   // number of unsupported parts of an imported file
} vs_scene;

// A parameter of a named scene, or of the "parameters" of a file. A name that begins with '/' is a
// JSON pointer (RFC 6901) to a number of the file: "/materials/wood/mu", "/bodies/2/position/0".
typedef struct vs_scene_parameter {
    const char *name;
    double value;
} vs_scene_parameter;

// Errors name the file, the line and the remedy. The world is assembled (joints are satisfied).
VS_API vs_error vs_scene_read(vs_context *context, const char *path, const vs_scene_parameter *parameter,
                              int parameters, vs_scene **scene);
VS_API vs_error vs_scene_parse(vs_context *context, const char *text, size_t length, const char *name,
                               const vs_scene_parameter *parameter, int parameters, vs_scene **scene);
// One of the named scenes.
VS_API vs_error vs_scene_make(vs_context *context, const char *name, const vs_scene_parameter *parameter,
                              int parameters, vs_scene **scene);
// URDF or MJCF, detected by the root element. Unsupported elements are ignored if the rest is meaningful without them:
// each is a warning in the context's log ("file:line: <element>: ..."), and scene->ignored counts them. Without
// libxml2 in the build: VS_ERROR_UNSUPPORTED.
VS_API vs_error vs_scene_import(vs_context *context, const char *path, vs_scene **scene);
// The same for a text in memory; it cannot refer to shape files.
VS_API vs_error vs_scene_import_text(vs_context *context, const char *text, size_t length, const char *name,
                                     vs_scene **scene);
VS_API void vs_scene_destroy(vs_scene *scene); // and its world

typedef struct vs_scene_info {
    const char *name, *description;
    const vs_scene_parameter *parameters; // names and defaults (parameter_count)
    int parameter_count;
} vs_scene_info;
// The named scenes, index 0 to count - 1; zeros if there is none of this index.
VS_API int vs_scene_count(void);
VS_API vs_scene_info vs_scene_at(int index);

#ifdef __cplusplus
}
#endif

#endif
