// The scene from which a run was made, as far as a report needs it.
#ifndef VS_APP_REPORT_ORIGIN_H
#define VS_APP_REPORT_ORIGIN_H

#include <stdbool.h>

#include "check/findings.h"
#include "voussoir/voussoir.h"

typedef struct app_origin {
    const char *path; // null: no scene was given
    vs_scene *scene;
    double mu[2]; // least and largest of the contacts in the first step; NaN: there are none
    app_findings findings;
    bool decided; // by statics, in the initial position with the supports at rest
    vs_statics_result statics;
    vs_interface_report interfaces;
    double weight;       // N
    char undecided[256]; // why statics does not apply
    vs_statics *held;    // owns the arrays
    vs_context *context;
} app_origin;

// Complains and returns the exit code of a failure. Release in any case.
int app_origin_read(const char *path, const vs_scene_parameter *setting, int settings, app_origin *o);
void app_origin_release(app_origin *o);

#endif
