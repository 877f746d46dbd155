// The scenes of voussoir-peer-scenes, and worlds of voussoir made from them.
#ifndef PEERS_SCENE_BUILD_H
#define PEERS_SCENE_BUILD_H

#include "scenes.h"

// Owns what an engine_scene points at.
typedef struct built_scene {
    engine_scene scene;
    engine_body *body;
    vs_pose *plane;
} built_scene;

// A named scene of voussoir made of spheres, boxes and planes, or one of
//     mass-ratio    two cubes of 0.2 m: 1 kg below, `ratio` kg above (1000); mu 0.5
//     guided-stack  stacked-spheres, each of which can move along z only
// False after a message.
bool built_scene_make(vs_context *context, const char *name, const vs_scene_parameter *parameter, int parameters,
                      double step, built_scene *out);
void built_scene_release(built_scene *built);

// Bodies in the same order: vs_world_get_body_at(world, k).
vs_error built_scene_world(vs_context *context, const engine_scene *scene, vs_world **world);

#endif
