// Bytes as a robot description, URDF or MJCF. The result is an error with file and line or a valid
// scene: finite states, positive masses, satisfied joints. Memory of the context is limited.
#include "scenes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t used = 0;
    vs_context *context = make_context(&used);
    if (!context)
        return 0;
    vs_scene *scene = NULL;
    const vs_error error = vs_scene_import_text(context, (const char *)data, size, "fuzz.xml", &scene);
    check_result(context, error, scene, "fuzz.xml:");
    vs_scene_destroy(scene);
    vs_context_destroy(context);
    check(used == 0);
    return 0;
}
