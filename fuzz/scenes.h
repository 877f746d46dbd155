// Shared by the targets that make scenes: limited memory, and the validity of a scene.
#ifndef VS_FUZZ_SCENES_H
#define VS_FUZZ_SCENES_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "voussoir/scene.h"

static inline void check(bool good) {
    if (!good)
        abort();
}

static const size_t MOST = (size_t)1 << 24; // bytes

typedef struct head {
    size_t bytes, padding; // keeps 16-byte alignment
} head;

static inline void *allocate(void *user, size_t bytes) {
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

static inline void release(void *user, void *memory) {
    head *h = (head *)memory - 1;
    *(size_t *)user -= h->bytes;
    free(h);
}

static inline bool is_finite(vs_vec3 x) {
    return isfinite(x.x) && isfinite(x.y) && isfinite(x.z);
}

static inline void check_scene(const vs_scene *scene) {
    check(scene->options.step > 0 && isfinite(scene->options.step) && scene->duration >= 0 && scene->frame >= 0);
    check(memchr(scene->name, 0, sizeof scene->name) != NULL);
    const int bodies = vs_world_get_body_count(scene->world);
    for (int k = 0; k < bodies; k++) {
        vs_body_state state;
        double mass;
        vs_mat3 inertia;
        const vs_body_id id = vs_world_get_body_at(scene->world, k);
        check(vs_world_get_body_state(scene->world, id, &state) == VS_OK);
        check(vs_world_get_body_mass(scene->world, id, &mass, &inertia) == VS_OK);
        check(is_finite(state.pose.position) && is_finite(state.velocity) && is_finite(state.spin));
        const vs_quat q = state.pose.rotation;
        check(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-9);
        check(mass >= 0 && isfinite(mass));
    }
}

// A context with at most MOST bytes; `used` counts them. Null: there was no memory.
static inline vs_context *make_context(size_t *used) {
    vs_context *context = NULL;
    vs_context_def def = vs_context_def_default();
    *used = 0;
    def.allocate = allocate;
    def.release = release;
    def.allocator_user = used;
    (void)vs_context_create(&def, &context);
    return context;
}

// Exactly one of an error, whose text begins with the file, and a valid scene.
static inline void check_result(const vs_context *context, vs_error error, const vs_scene *scene, const char *begin) {
    check((error == VS_OK) == (scene != NULL));
    if (scene)
        check_scene(scene);
    else
        check(error == VS_ERROR_MEMORY || strncmp(vs_context_get_error_text(context), begin, strlen(begin)) == 0);
}

#endif
