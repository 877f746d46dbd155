// A scene as its readers and builders make it.
#ifndef VS_SCENE_SCENE_DATA_H
#define VS_SCENE_SCENE_DATA_H

#include "voussoir/scene.h"

// m, tolerance of the joints of a new scene
static const double VS_SCENE_ASSEMBLED = 1e-10;

// A scene with an empty world.
vs_error vs_scene_new(vs_context *context, const char *name, vs_scene **scene);
// Names it after the file without folder and extension.
void vs_scene_name(vs_scene *scene, const char *path);
// Adds a file to the list of those that were read, unless it is there.
vs_error vs_scene_add_file(vs_scene *scene, const char *path);
// Adds a record, of a file in that list, and owns it; after an error it is released.
vs_error vs_scene_add_record(vs_scene *scene, const char *path, vs_record *record, bool integrated);

#endif
