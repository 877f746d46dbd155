// A mechanism as a trajectory.
#ifndef VS_APP_STATICS_FILM_H
#define VS_APP_STATICS_FILM_H

#include "statics/assembly.h"

// Writes the blocks moving with the mechanism from their present position, which stays in the world. Complains on failure.
bool app_film_write(app_assembly *a, const vs_mechanism *mechanism, const char *path);

#endif
