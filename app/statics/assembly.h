// The scene of a command as an assembly of blocks.
#ifndef VS_APP_STATICS_ASSEMBLY_H
#define VS_APP_STATICS_ASSEMBLY_H

#include <stdbool.h>

#include "statics/options.h"
#include "voussoir/voussoir.h"

enum { APP_BODY_NAME = 64 };

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

// A body's name, "#3" without one, "world".
void app_assembly_name(const app_assembly *a, vs_body_id id, char name[APP_BODY_NAME]);
// The body of a name as above, of `length` characters. False: complained, there is none.
bool app_assembly_find(const app_assembly *a, const char *option, const char *name, size_t length, vs_body_id *id);

#endif
