// Mortar of a world: which bodies it bonds, and its strength. The bonds themselves belong to a simulation (step/bond/bonds.h).
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "body/world_data.h"

vs_mortar_def vs_mortar_def_default(void) {
    return (vs_mortar_def){.cohesion = -1};
}

// Is there a slip at which its bonds break by and by?
static bool has_end(const vs_mortar_def *def) {
    return (def->tension > 0 && def->cohesion != 0 && def->fracture_energy > 0) ||
           (def->cohesion > 0 && (def->fracture_energy > 0 || def->shear_fracture_energy > 0));
}

static vs_error check_mortar(const vs_world *world, const vs_mortar_def *def) {
    vs_context *context = world->context;
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"tension", def->tension},
                   {"fracture_energy", def->fracture_energy},
                   {"shear_fracture_energy", def->shear_fracture_energy},
                   {"area", def->area},
                   {"compression", def->compression},
                   {"dilatancy", def->dilatancy},
                   {"dilatancy_slip", def->dilatancy_slip}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (!(numbers[k].value >= 0) || !isfinite(numbers[k].value))
            return vs_fail(context, VS_ERROR_ARGUMENT, "mortar: %s must not be negative (is %g)", numbers[k].name,
                           numbers[k].value);
    if (!isfinite(def->cohesion))
        return vs_fail(context, VS_ERROR_ARGUMENT, "mortar: cohesion is not finite (%g)", def->cohesion);
    if (!(def->tension > 0) && !(def->cohesion > 0) && !(def->compression > 0) && !(def->dilatancy > 0))
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "mortar: has no strength; give tension, cohesion or compression in Pa, or dilatancy");
    if (def->softening != VS_SOFTENING_LINEAR && def->softening != VS_SOFTENING_EXPONENTIAL)
        return vs_fail(context, VS_ERROR_ARGUMENT, "mortar: softening is linear or exponential (is %d)",
                       (int)def->softening);
    if (!(def->dilatancy < 90))
        return vs_fail(context, VS_ERROR_ARGUMENT, "mortar: dilatancy must be less than 90 degrees (is %g)",
                       def->dilatancy);
    if (def->dilatancy > 0 && !(def->dilatancy_slip > 0) && !has_end(def))
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "mortar: dilatancy needs dilatancy_slip, in m, where mortar is brittle or has no strength");
    if (def->bodies < 0 || def->bodies == 1 || (def->bodies > 0 && !def->body))
        return vs_fail(context, VS_ERROR_ARGUMENT, "mortar: is between two bodies or more, or all of them (are %d)",
                       def->bodies);
    for (int k = 0; k < def->bodies; k++)
        if (vs_world_body_index(world, def->body[k]) < 0)
            return vs_fail(context, VS_ERROR_ARGUMENT,
                           "mortar: body %d of its list does not exist; it was removed, or the id is of another world",
                           k);
    return VS_OK;
}

vs_error vs_world_add_mortar(vs_world *world, const vs_mortar_def *def) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    vs_context *context = world->context;
    if (!def)
        return vs_fail(context, VS_ERROR_ARGUMENT, "mortar: def is null");
    if (world->gates > 0)
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "mortar: factories and sinks do not know its bonds");
    vs_error error = check_mortar(world, def);
    if (!error)
        error = vs_array_reserve(context, &world->mortar, &world->mortar_capacity, world->mortars + 1,
                                 sizeof *world->mortar);
    if (error)
        return error;
    vs_mortar *made = &world->mortar[world->mortars];
    *made = (vs_mortar){.def = *def};
    const size_t bytes = sizeof *def->body * (size_t)def->bodies;
    if (bytes > 0) {
        made->body = vs_allocate(context, bytes);
        if (!made->body)
            return vs_fail_memory(context);
        memcpy(made->body, def->body, bytes);
    }
    made->def.body = made->body;
    world->mortars++;
    return VS_OK;
}

int vs_world_get_mortar_count(const vs_world *world) {
    return world ? world->mortars : 0;
}
