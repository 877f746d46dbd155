// Named scenes: the list, and making one of them.
#include "scene/named/named.h"

#include <string.h>

#include "base/context.h"
#include "scene/data/scene_data.h"

// ---- the list --------------------------------------------------------------------------------------

static const vs_named *named_at(int index) {
    const vs_named *const lists[] = {vs_named_single,   vs_named_masonry,   vs_named_arches,  vs_named_vaults,
                                     vs_named_granular, vs_named_mechanism, vs_named_flexible};
    for (size_t k = 0; index >= 0 && k < sizeof lists / sizeof lists[0]; k++)
        for (const vs_named *named = lists[k]; named->info.name; named++)
            if (index-- == 0)
                return named;
    return NULL;
}

int vs_scene_count(void) {
    int count = 0;
    while (named_at(count))
        count++;
    return count;
}

vs_scene_info vs_scene_at(int index) {
    const vs_named *named = named_at(index);
    return named ? named->info : (vs_scene_info){0};
}

static const vs_named *find_named(const char *name) {
    const vs_named *named;
    for (int k = 0; (named = named_at(k)); k++)
        if (strcmp(named->info.name, name) == 0)
            return named;
    return NULL;
}

// ---- making ----------------------------------------------------------------------------------------

vs_error vs_scene_make(vs_context *context, const char *name, const vs_scene_parameter *parameter, int parameters,
                       vs_scene **scene) {
    if (!context || !scene)
        return vs_fail(context, VS_ERROR_ARGUMENT, "scene: an argument is null");
    *scene = NULL;
    if (!name || parameters < 0 || (parameters > 0 && !parameter))
        return vs_fail(context, VS_ERROR_ARGUMENT, "scene: the name or the array of parameters is null");
    const vs_named *named = find_named(name);
    if (!named)
        return vs_fail(context, VS_ERROR_ARGUMENT, "there is no scene '%.60s'; vs_scene_at() lists the names", name);
    vs_builder b = {.context = context, .info = &named->info, .group = 1, .mask = UINT32_MAX, .random = 1};
    b.error = vs_scene_new(context, name, &b.scene);
    if (b.error)
        return b.error;
    b.world = b.scene->world;
    vs_take_parameters(&b, parameter, parameters);
    if (!b.error)
        named->build(&b);
    if (!b.error && vs_world_get_joint_count(b.world) > 0)
        b.error = vs_world_assemble(b.world, VS_SCENE_ASSEMBLED);
    for (int k = 0; k < b.shapes; k++)
        vs_shape_release(b.shape[k]);
    if (b.error)
        vs_scene_destroy(b.scene);
    else
        *scene = b.scene;
    return b.error;
}
