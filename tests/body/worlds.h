// Worlds for the tests of this folder.
#ifndef VS_TESTS_BODY_WORLDS_H
#define VS_TESTS_BODY_WORLDS_H

#include "body/joint_coordinate.h"
#include "body/joint_projection.h"
#include "body/joint_rows.h"
#include "kit/compare.h"
#include "kit/memory.h"

static inline vs_world *make_world(vs_context *context, vs_vec3 gravity) {
    vs_world_def def = vs_world_def_default();
    def.gravity = gravity;
    vs_world *world = NULL;
    must(vs_world_create(context, &def, &world), context);
    return world;
}

static inline vs_signal constant(double value) {
    return (vs_signal){.kind = VS_SIGNAL_CONSTANT, .value = value};
}

#endif
