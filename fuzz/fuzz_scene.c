// Bytes as a scene file. Whatever comes, there is an error with file and line or a scene, and a scene keeps its
// promises: finite states, positive masses, joints that hold. Memory is limited, so that a few bytes that ask for
// a million bodies end early, and failed allocations are met on the way.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "voussoir/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good) {
    if (!good)
        abort();
}

static const size_t MOST = (size_t)1 << 24; // bytes

typedef struct head {
    size_t bytes, padding; // keeps 16-byte alignment
} head;

static void *allocate(void *user, size_t bytes) {
    size_t *used = user;
    if (bytes > MOST || *used + bytes > MOST)
        return NULL;
    head *h = malloc(sizeof *h + bytes);
    if (!h)
        return NULL;
    h->bytes = bytes;
    *used += bytes;
    return h + 1;
}

static void release(void *user, void *memory) {
    head *h = (head *)memory - 1;
    *(size_t *)user -= h->bytes;
    free(h);
}

static bool finite(vs_vec3 x) {
    return isfinite(x.x) && isfinite(x.y) && isfinite(x.z);
}

static void check_scene(const vs_scene *scene) {
    check(scene->options.step > 0 && isfinite(scene->options.step) && scene->duration >= 0 && scene->frame >= 0);
    check(memchr(scene->name, 0, sizeof scene->name) != NULL);
    const int bodies = vs_world_body_count(scene->world);
    for (int k = 0; k < bodies; k++) {
        vs_body_state state;
        double mass;
        vs_mat3 inertia;
        const vs_body_id id = vs_world_body_at(scene->world, k);
        check(vs_world_get_state(scene->world, id, &state) == VS_OK);
        check(vs_world_get_mass(scene->world, id, &mass, &inertia) == VS_OK);
        check(finite(state.pose.position) && finite(state.velocity) && finite(state.spin));
        const vs_quat q = state.pose.rotation;
        check(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-9);
        check(mass >= 0 && isfinite(mass));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t used = 0;
    vs_context *context = NULL;
    vs_context_def def = vs_context_def_default();
    def.allocate = allocate;
    def.release = release;
    def.allocator_user = &used;
    if (vs_context_create(&def, &context))
        return 0;
    vs_scene *scene = NULL;
    const vs_error error = vs_scene_parse(context, (const char *)data, size, "fuzz.json", NULL, 0, &scene);
    check((error == VS_OK) == (scene != NULL));
    if (scene)
        check_scene(scene);
    else
        check(error == VS_ERROR_MEMORY || strncmp(vs_context_error_text(context), "fuzz.json:", 10) == 0);
    vs_scene_destroy(scene);
    vs_context_destroy(context);
    check(used == 0);
    return 0;
}
