// Bytes as a drawing of another program: OBJ, STL, PLY, DXF, MSH, OFF, COMPAS or Rigid IPC. The first byte chooses the format, the second one
// unit, axis and snapping. The result is an error with a text that begins with the file, or the text of a scene that is JSON and has
// as many bodies as the report says. Memory of the context is limited. The scene itself is the subject of fuzz_scene.
#include <jansson.h>

#include "scenes.h"
#include "voussoir/cad.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const vs_cad *cad) {
    size_t length = 0;
    const char *text = vs_cad_get_scene(cad, &length);
    const vs_cad_report r = vs_cad_get_report(cad);
    check(text && text[length] == '\0');
    json_t *scene = json_loadb(text, length, 0, NULL);
    check(scene != NULL);
    check((int)json_array_size(json_object_get(scene, "bodies")) == r.bodies + r.auxiliary);
    check(r.hulls + r.meshes == r.bodies && (r.volume > 0 || r.simulation) && isfinite(r.volume) && is_finite(r.low) &&
          is_finite(r.high));
    json_decref(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"obj", "stl", "ply", "dxf", "msh", "json", "off"};
    static const double units[] = {0, 1e-3, 1, 1e300};
    if (size < 2)
        return 0;
    size_t used = 0;
    vs_context *context = make_context(&used);
    if (!context)
        return 0;
    vs_cad_options options = vs_cad_options_default();
    const char *format = formats[data[0] % 7];
    options.unit = units[data[1] & 3];
    options.y_up = data[1] & 4;
    options.snap = data[1] & 8 ? .01 : 0;
    // Of the exact length and with the zero byte that the readers need.
    char *bytes = malloc(size - 1);
    check(bytes != NULL);
    memcpy(bytes, data + 2, size - 2);
    bytes[size - 2] = 0;
    vs_cad *cad = NULL;
    const vs_error error = vs_cad_parse(context, bytes, size - 2, "fuzz", format, &options, &cad);
    check((error == VS_OK) == (cad != NULL));
    if (cad)
        check_text(cad);
    else
        check(error == VS_ERROR_MEMORY || strstr(vs_context_get_error_text(context), "fuzz"));
    vs_cad_destroy(cad);
    free(bytes);
    vs_context_destroy(context);
    check(used == 0);
    return 0;
}
