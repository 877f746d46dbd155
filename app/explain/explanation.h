// All that is known about a scene, as text and as JSON.
#ifndef VS_APP_EXPLAIN_EXPLANATION_H
#define VS_APP_EXPLAIN_EXPLANATION_H

#include "check/bodies.h"
#include "check/findings.h"
#include "explain/first_step.h"
#include "explain/freedom.h"
#include "voussoir/scene.h"
#include "voussoir/statics.h"

typedef struct app_explanation {
    const char *path;
    const vs_scene *scene;
    app_bodies bodies;
    app_freedom freedom;
    app_first_step first;
    bool decided; // by statics, which cannot treat every scene
    vs_verdict verdict;
    app_findings findings;
} app_explanation;

void app_explanation_print(const app_explanation *e);
bool app_explanation_print_json(const app_explanation *e); // false: complained

#endif
