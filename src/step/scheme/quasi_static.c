// The scheme quasi-static: see quasi_static.h.
#include "step/scheme/quasi_static.h"

#include "body/flexible_data.h"

void vs_quasi_static_stop(vs_simulation *s, const vs_energy *before, vs_step_report *report) {
    vs_world *world = s->world;
    for (int k = 1; k < world->bodies; k++) {
        vs_body *body = &world->body[k];
        if (body->alive && body->motion == VS_MOTION_DYNAMIC && vs_world_place(world, k) != VS_PLACE_ABSENT)
            body->velocity = body->spin = body->held = VS_ZERO3;
    }
    for (int k = 0; k < world->flexibles; k++) {
        vs_flexible *f = &world->flexible[k];
        for (int node = 0; f->alive && !f->beam && node < f->nodes; node++) // nodes of beams are bodies
            if (vs_node_is_free(world, f, node))
                f->velocity[node] = VS_ZERO3;
    }
    report->flow.dampers += before->kinetic - vs_world_get_energy(world).kinetic;
}
