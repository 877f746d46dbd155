// URDF and MJCF in a build without libxml2: every call says so.
#include "base/context.h"
#include "voussoir/scene.h"

static vs_error refuse(vs_context *context, vs_scene **scene) {
    if (scene)
        *scene = NULL;
    return vs_fail(context, VS_ERROR_UNSUPPORTED, "URDF and MJCF files need libxml2, which is not in this build");
}

vs_error vs_scene_import(vs_context *context, const char *path, vs_scene **scene) {
    (void)path;
    return refuse(context, scene);
}

vs_error vs_scene_import_text(vs_context *context, const char *text, size_t length, const char *name,
                              vs_scene **scene) {
    (void)text, (void)length, (void)name;
    return refuse(context, scene);
}
