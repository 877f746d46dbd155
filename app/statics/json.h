// Results of statics as JSON.
#ifndef VS_APP_STATICS_JSON_H
#define VS_APP_STATICS_JSON_H

#include <jansson.h>

#include "statics/assembly.h"

// {"voussoir": …, "scene": …, "blocks": …, "interfaces": [...]}; force (contacts): null without forces.
json_t *app_statics_json(const app_assembly *a, const char *scene, const vs_vec3 *force);
json_t *app_statics_json_forces(const app_assembly *a, const vs_force_certificate *forces);
json_t *app_statics_json_mechanism(const app_assembly *a, const vs_mechanism *m);

#endif
