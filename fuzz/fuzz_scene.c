// Bytes as a scene file. The result is an error with file and line or a valid scene: finite states, positive masses,
// satisfied joints. Memory is limited, so that a few bytes that request a million bodies end early, and failed
// allocations occur on the way.
#include "scenes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t used = 0;
    vs_context *context = make_context(&used);
    if (!context)
        return 0;
    vs_scene *scene = NULL;
    const vs_error error = vs_scene_parse(context, (const char *)data, size, "fuzz.json", NULL, 0, &scene);
    check_result(context, error, scene, "fuzz.json:");
    vs_scene_destroy(scene);
    vs_context_destroy(context);
    check(used == 0);
    return 0;
}
