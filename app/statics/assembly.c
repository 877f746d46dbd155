// The scene of a command as an assembly of blocks.
#include "statics/assembly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/body_name.h"
#include "cli/exit_code.h"
#include "cli/system/files.h"
#include "cli/system/message.h"
#include "cli/system/path.h"
#include "cli/scene.h"

bool app_assembly_check(app_assembly *a, vs_error error) {
    if (error == VS_OK)
        return true;
    if (!app_files_refused())
        app_complain("%s", vs_context_get_error_text(a->context));
    a->code = app_exit_code(error);
    return false;
}

bool app_assembly_open(app_assembly *a, const app_statics_options *options) {
    vs_context_def def = vs_context_def_default();
    *a = (app_assembly){.code = APP_DATA};
    def.log = app_scene_warn;
    if (vs_context_create(&def, &a->context) != VS_OK) {
        app_complain("out of memory");
        return false;
    }
    const app_run_options *o = &options->run;
    const char *name = o->scene;
    vs_scene_info info;
    if (!app_scene_find(name, &info) && access(name, R_OK) != 0 && !strchr(name, '.') && app_base_name(name) == name) {
        app_complain("'%s' is neither a readable file nor a built-in scene; 'voussoir scenes' lists those", name);
        a->code = APP_USAGE;
        return false;
    }
    if (app_scene_is_drawing(name)) {
        app_complain("%s: " APP_DRAWING_REMEDY, name, name);
        a->code = APP_USAGE;
        return false;
    }
    if (app_scene_is_robot(name) && o->settings > 0) {
        app_complain("%s has no parameters; omit --set", name);
        a->code = APP_USAGE;
        return false;
    }
    return app_assembly_check(a, app_scene_open(a->context, name, o->setting, o->settings, &a->scene)) &&
           app_assembly_check(a, vs_statics_create(a->scene->world, &options->geometry, &a->statics));
}

void app_assembly_release(app_assembly *a) {
    vs_statics_destroy(a->statics);
    vs_scene_destroy(a->scene);
    vs_context_destroy(a->context);
    *a = (app_assembly){0};
}

bool app_assembly_find(const app_assembly *a, const char *option, const char *name, size_t length, vs_body_id *id) {
    char text[APP_BODY_NAME];
    (void)snprintf(text, sizeof text, "%.*s", (int)length, name);
    *id = (vs_body_id){0, 0};
    if (strcmp(text, "world") == 0)
        return true;
    char *end = NULL;
    const long k = text[0] == '#' ? strtol(text + 1, &end, 10) : -1;
    if (end && end != text + 1 && *end == '\0' && k >= 0 && k < vs_world_get_body_count(a->scene->world))
        *id = vs_world_get_body_at(a->scene->world, (int)k);
    else
        *id = vs_world_find_body(a->scene->world, text);
    if (id->index == 0)
        app_complain("%s: there is no body '%s'; bodies without a name are #0, #1, ... in the order of the scene",
                     option, text);
    return id->index != 0;
}
