// The scene of a command as an assembly of blocks.
#ifndef VS_APP_STATICS_ASSEMBLY_H
#define VS_APP_STATICS_ASSEMBLY_H

#include <stdbool.h>

#include "statics/options.h"
#include "voussoir/voussoir.h"

typedef struct app_assembly {
    vs_context *context;
    vs_scene *scene;
    vs_statics *statics;
    int code; // exit code of a failure
} app_assembly;

// Reads the scene with its parameters and finds the interfaces. Complains and returns false on failure. Release in any case.
bool app_assembly_open(app_assembly *a, const app_statics_options *options);
void app_assembly_release(app_assembly *a);
// Complains about a failed call.
bool app_assembly_check(app_assembly *a, vs_error error);

// The body of a name as app_body_name() gives it, of `length` characters. False: complained, there is none.
bool app_assembly_find(const app_assembly *a, const char *option, const char *name, size_t length, vs_body_id *id);

#endif
