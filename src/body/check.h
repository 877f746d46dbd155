// Checks of arguments that all parts of a world share.
#ifndef VS_BODY_CHECK_H
#define VS_BODY_CHECK_H

#include "base/vec.h"
#include "voussoir/context.h"

#include <stdbool.h>

bool vs_is_finite3(vs_vec3 v);
// Positions and velocities: squares and products of larger ones, which distances and energies need, would not be finite.
// The same limit as for the numbers of a scene.
#define VS_NUMBER_MOST 1e30
bool vs_is_moderate3(vs_vec3 v);
// Finite and of unit length up to 1e-6; then normalized. The error text names `what`.
vs_error vs_check_pose(vs_context *context, const char *what, vs_pose *pose);
vs_error vs_copy_text(vs_context *context, const char *text, char **copy); // null or empty: null

#endif
