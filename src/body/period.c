// Space that repeats itself: see vs_world_set_period().
#include "body/period.h"

#include <math.h>

#include "body/check.h"

vs_error vs_world_set_period(vs_world *world, vs_vec3 period) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    if (!vs_is_finite3(period) || !(period.x >= 0 && period.y >= 0 && period.z >= 0))
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       "world: the period (%g, %g, %g) must have finite lengths that are not negative", period.x,
                       period.y, period.z);
    world->period = period;
    return VS_OK;
}

vs_vec3 vs_world_get_period(const vs_world *world) {
    return world ? world->period : VS_ZERO3;
}

static double nearest(double x, double period) {
    return period > 0 ? -period * rint(x / period) : 0;
}

vs_vec3 vs_period_shift(vs_vec3 period, vs_vec3 x) {
    return (vs_vec3){nearest(x.x, period.x), nearest(x.y, period.y), nearest(x.z, period.z)};
}

const char *vs_period_scope(const vs_world *world) {
    if (world->flexible_slots.used > 0)
        return "flexible bodies";
    if (world->gates > 0)
        return "factories and sinks";
    if (world->mortars > 0)
        return "mortar";
    if (world->joint_slots.used > 0)
        return "joints";
    if (world->sensors > 0)
        return "sensors";
    for (int k = 0; k < world->colliders; k++) {
        const vs_collider *c = &world->collider[k];
        if (c->alive && c->sensor)
            return "sensors";
        if (c->alive && vs_shape_has_triangles(c->shape))
            return "triangle meshes";
    }
    return NULL;
}
