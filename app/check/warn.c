// Warnings about a scene.
#include "check/warn.h"

#include <string.h>

#include "check/checks.h"
#include "cli/system/message.h"

void app_check_warn(const vs_scene *scene, const char *path, const char *except) {
    app_findings f = {0};
    app_bodies b;
    if (app_bodies_read(scene->world, &b)) {
        app_check_world(scene, &b, &f);
        app_check_file(path, &f);
    }
    app_bodies_release(&b);
    for (int k = 0; k < f.count; k++)
        if (!except || !strstr(except, f.finding[k].kind))
            app_complain("%s: %s", path, f.finding[k].text);
}
