// Live loads and forces asked for, as the user writes them.
#ifndef VS_APP_STATICS_LOAD_H
#define VS_APP_STATICS_LOAD_H

#include "statics/assembly.h"

// "x", "-y", "X,Y,Z", "BODY:X,Y,Z" or "BODY@X,Y,Z:X,Y,Z"; adds it. weight: it is a part of the weights along `direction`.
bool app_load_add(app_assembly *a, const char *text, bool *weight, vs_vec3 *direction);
// The direction of a load in such a text; false: it has none. For round faces: their bounds are tight in it.
bool app_load_direction(const char *text, vs_vec3 *direction);
// "A/B" or "A/B:X,Y,Z": an interface and a direction. Complains and returns false if there is none.
bool app_range_find(app_assembly *a, const char *text, int *interface_number, vs_vec3 *direction);

#endif
