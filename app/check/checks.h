// Checks of a scene that need no step: what a unit, a slip or something forgotten looks like.
#ifndef VS_APP_CHECK_CHECKS_H
#define VS_APP_CHECK_CHECKS_H

#include "check/bodies.h"
#include "check/findings.h"
#include "voussoir/scene.h"

// Sizes, masses, speeds, gravity, supports, duplicates and the step.
void app_check_world(const vs_scene *scene, const app_bodies *b, app_findings *f);
// What a scene file states, or does not: friction, density, angles. Other files, and those that cannot be read: nothing.
void app_check_file(const char *path, app_findings *f);

#endif
