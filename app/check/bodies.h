// The bodies of a world with the sizes that their inertia tells.
#ifndef VS_APP_CHECK_BODIES_H
#define VS_APP_CHECK_BODIES_H

#include <stdbool.h>

#include "voussoir/world.h"

// Sizes and density are those of the homogeneous box of the same mass and moments of inertia: exact for a box, within 12 %
// of the volume of a ball, too small for what is hollow.
typedef struct app_body {
    vs_body_id id;
    bool dynamic, joined; // joined: by a joint, or a node of a beam
    double mass;          // kg; 0 unless dynamic
    double side[3];       // m, ascending; 0 unless dynamic
    double density;       // kg/m^3; 0 unless dynamic
    vs_body_state state;
} app_body;

typedef struct app_bodies {
    const vs_world *world;
    int count, dynamic;
    app_body *body; // (count)
} app_bodies;

bool app_bodies_read(const vs_world *world, app_bodies *b); // false: no memory. Release in any case
void app_bodies_release(app_bodies *b);
const char *app_bodies_name(const app_bodies *b, int k, char name[64]); // `name`
int app_bodies_find(const app_bodies *b, vs_body_id id);                // -1: the world, or none

double app_length(vs_vec3 v);
double app_distance(vs_vec3 a, vs_vec3 b);

#endif
