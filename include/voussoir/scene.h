// Scenes: JSON files, robot descriptions (URDF, MJCF) and the named scenes of the library, as a world and the options
// of its simulation.
#ifndef VOUSSOIR_SCENE_H
#define VOUSSOIR_SCENE_H

#include "voussoir/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

// A named state of a scene: of its bodies, joints and controls, in the order of the world.
typedef struct vs_keyframe {
    char *name;          //
    vs_body_state *body; // (bodies)
    double *coordinate;  // (joints) rad or m; angles count turns
    double *control;     // (controls)
    double *activation;  // (controls)
    int bodies, joints, controls;
} vs_keyframe;

// A record that a scene reads: a function of time in a file.
typedef struct vs_scene_record {
    const char *path;        // one of the scene's files
    const vs_record *record; // owned by the scene
    bool integrated;         // accelerations that become a motion
} vs_scene_record;

// A scene; destroy it with vs_scene_destroy().
typedef struct vs_scene {
    vs_world *world;               // owned
    vs_simulation_options options; // of the file, or the defaults
    double duration;               // s; default 1
    double frame;                  // s between recorded frames; 0: every step
    char name[64];                 //
    int ignored;                   // number of ignored elements of an imported file
    char **file;                   // (files) paths of all files read, each once: the scene, meshes, records; owned
    int files;                     //
    vs_stop_condition *stop;       // (options.stops) options.stop of the file; owned
    vs_keyframe *keyframe;         // (keyframes) of MJCF; owned
    int keyframes;                 //
    vs_scene_record *record;       // (records) in the order of the file; owned
    int records;                   //
} vs_scene;

// Value of a parameter of a named scene, or of the "parameters" of a file. A name that begins with '/' is a JSON
// pointer (RFC 6901) to a number in the file: "/materials/wood/mu", "/bodies/2/position/0".
typedef struct vs_scene_parameter {
    const char *name;
    double value;
} vs_scene_parameter;

// Reads a scene from a JSON file or text. Error texts name the file, the line and the remedy. The world is assembled:
// joints are satisfied.
VS_API vs_error vs_scene_read(vs_context *context, const char *path, const vs_scene_parameter *parameter,
                              int parameters, vs_scene **scene);
VS_API vs_error vs_scene_parse(vs_context *context, const char *text, size_t length, const char *name,
                               const vs_scene_parameter *parameter, int parameters, vs_scene **scene);
// Creates one of the named scenes.
VS_API vs_error vs_scene_make(vs_context *context, const char *name, const vs_scene_parameter *parameter,
                              int parameters, vs_scene **scene);
// Imports URDF or MJCF, recognized by the root element. Unsupported elements are ignored if the rest makes sense
// without them: each is a warning in the context's log ("file:line: <element>: ..."), counted by scene->ignored.
// Bodies of one mechanism that overlap wherever its joints move get no contacts with each other: a warning names them.
// VS_ERROR_UNSUPPORTED in a build without libxml2.
VS_API vs_error vs_scene_import(vs_context *context, const char *path, vs_scene **scene);
// Imports from a text in memory, which cannot refer to files.
VS_API vs_error vs_scene_import_text(vs_context *context, const char *text, size_t length, const char *name,
                                     vs_scene **scene);
// Sets the world to a keyframe, by its name. VS_ERROR_ARGUMENT if there is none, or if bodies, joints or controls were
// added or removed since the scene was read.
VS_API vs_error vs_scene_set_keyframe(vs_scene *scene, const char *name);
VS_API void vs_scene_destroy(vs_scene *scene); // with its world; null is allowed

typedef struct vs_scene_info {
    const char *name, *description;
    const vs_scene_parameter *parameters; // names and defaults (parameter_count)
    int parameter_count;
} vs_scene_info;
// All named scenes: index 0 to count - 1. An index out of range gives a structure of zeros.
VS_API int vs_scene_count(void);
VS_API vs_scene_info vs_scene_at(int index);

#ifdef __cplusplus
}
#endif

#endif
