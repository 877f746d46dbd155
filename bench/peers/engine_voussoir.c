// voussoir as an engine beside the others: default options but for the step, and the same with the tolerance of
// single problems.
#include "engine_voussoir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene_build.h"

static const char FINE[] = "voussoir-fine";

typedef struct voussoir_state {
    vs_context *context;
    vs_world *world;
    vs_simulation *simulation;
} voussoir_state;

static void destroy(void *state) {
    voussoir_state *s = state;
    vs_simulation_destroy(s->simulation);
    vs_world_destroy(s->world);
    vs_context_destroy(s->context);
    free(s);
}

static void *create(const engine_scene *scene, const char *name) {
    voussoir_state *s = calloc(1, sizeof *s);
    vs_simulation_options options = vs_simulation_options_default();
    options.step = scene->step;
    if (strcmp(name, FINE) == 0)
        options.solver.tolerance = 1e-8;
    if (!s)
        return NULL;
    vs_error error = vs_context_create(NULL, &s->context);
    if (!error)
        error = built_scene_world(s->context, scene, &s->world);
    if (!error)
        error = vs_simulation_create(s->world, &options, &s->simulation);
    if (error) {
        (void)fprintf(stderr, "voussoir: %s\n",
                      s->context ? vs_context_get_error_text(s->context) : vs_error_name(error));
        destroy(s);
        return NULL;
    }
    return s;
}

static bool step(void *state) {
    return vs_simulation_step(((voussoir_state *)state)->simulation, NULL) == VS_OK;
}

static void get(void *state, int body, vs_body_state *out) {
    const vs_world *world = ((voussoir_state *)state)->world;
    (void)vs_world_get_body_state(world, vs_world_get_body_at(world, body), out);
}

const engine *engine_voussoir_get(int index) {
    static const engine engines[] = {
        {"voussoir", "defaults: exact friction, tolerance 1e-6", vs_version, create, step, get, destroy},
        {FINE, "exact friction, tolerance 1e-8", vs_version, create, step, get, destroy},
    };
    return index < (int)(sizeof engines / sizeof *engines) ? &engines[index] : NULL;
}
