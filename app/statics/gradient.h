// The derivative of a limit load for people and programs: the parameters on which it depends most.
#ifndef VS_APP_STATICS_GRADIENT_H
#define VS_APP_STATICS_GRADIENT_H

#include <jansson.h>

#include "statics/assembly.h"

// A table of the ten parameters whose change by 1 % changes the factor most. false: complained.
bool app_gradient_report(const app_assembly *a, const vs_limit_gradient *gradient);
// {"blocks": [...], "interfaces": [...]}, in the order of the blocks and of the interfaces.
json_t *app_gradient_json(const app_assembly *a, const vs_limit_gradient *gradient);

#endif
