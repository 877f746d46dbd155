// Bytes become a drawing of one of the formats of vs_cad_parse(). The first byte chooses the format, the second the options.
// The result must be a scene with finite sizes, which can be read again, or an error with a text.
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "voussoir/voussoir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good) {
    if (!good)
        abort();
}

static void check_scene(vs_context *context, const vs_cad *cad) {
    const vs_cad_report r = vs_cad_get_report(cad);
    size_t length = 0;
    const char *text = vs_cad_get_scene(cad, &length);
    vs_scene *scene = NULL;
    check(text && length == strlen(text));
    check(r.bodies > 0 && r.bodies == r.hulls + r.meshes && r.fixed <= r.bodies);
    check(isfinite(r.volume) && r.volume >= 0 && isfinite(r.mass) && isfinite(r.snap_most));
    check(r.low.x <= r.high.x && r.low.y <= r.high.y && r.low.z <= r.high.z);
    // Meshes are decomposed while they are read, which fuzz_decompose tests.
    if (r.meshes > 0)
        return;
    const vs_error error = vs_scene_parse(context, text, length, "input", NULL, 0, &scene);
    check(error == VS_OK || vs_context_get_error_text(context)[0] != 0);
    vs_scene_destroy(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const format[] = {"obj", "stl", "ply", "dxf", "msh", "json"};
    static const char *const fixed[] = {"a"};
    vs_context *context = NULL;
    vs_cad *cad = NULL;
    vs_cad_options options = vs_cad_options_default();
    if (size < 2 || vs_context_create(NULL, &context))
        return 0;
    const char *extension = format[data[0] % 6];
    options.y_up = data[1] & 1;
    options.ground = data[1] & 2;
    options.unit = data[1] & 4 ? 1e-3 : 0;
    options.snap = data[1] & 8 ? .1 : 0;
    options.fixed = fixed;
    options.fixed_count = data[1] & 16 ? 1 : 0;
    const vs_error error = vs_cad_parse(context, (const char *)data + 2, size - 2, "input", extension, &options, &cad);
    check((error == VS_OK) == (cad != NULL));
    if (cad)
        check_scene(context, cad);
    else
        check(vs_context_get_error_text(context)[0] != 0);
    vs_cad_destroy(cad);
    vs_context_destroy(context);
    return 0;
}
