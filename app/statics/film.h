// A mechanism, or forces in equilibrium, as a trajectory.
#ifndef VS_APP_STATICS_FILM_H
#define VS_APP_STATICS_FILM_H

#include "statics/assembly.h"

// Writes the blocks moving with the mechanism from their present position, which stays in the world; the first frame has
// the forces of the joints (contacts; null: none). Complains on failure.
bool app_film_write(app_assembly *a, const vs_mechanism *mechanism, const vs_vec3 *force, const char *path);
// Writes one frame with the forces, N, on the second body of each interface (contacts).
bool app_film_write_forces(app_assembly *a, const vs_vec3 *force, const char *path);

#endif
