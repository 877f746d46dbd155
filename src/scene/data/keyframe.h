// Keyframes of a scene: named states of its world.
#ifndef VS_SCENE_KEYFRAME_H
#define VS_SCENE_KEYFRAME_H

#include "voussoir/scene.h"

// Adds the present state of the world as a keyframe; the name is copied.
vs_error vs_scene_add_keyframe(vs_scene *scene, const char *name);
void vs_scene_apply_keyframe(vs_world *world, const vs_keyframe *key); // of this world
void vs_scene_drop_keyframe(vs_scene *scene, int k);

#endif
