// Flexible solids for the tests of the stepper.
#ifndef VS_TESTS_STEP_SOLIDS_H
#define VS_TESTS_STEP_SOLIDS_H

#include "step/worlds.h"

#include "voussoir/flexible.h"

static inline vs_flexible_id add_block(rig *s, vs_vec3 half, const int *cells, int nodes, vs_flexible_def def) {
    vs_mesh *mesh;
    vs_flexible_id id;
    must(vs_mesh_box(s->context, half, cells, nodes, &mesh), s->context);
    def.mesh = mesh, def.material = s->material;
    must(vs_world_add_flexible(s->world, &def, &id), s->context);
    vs_mesh_destroy(mesh);
    return id;
}

static inline vs_flexible_view view_of(const rig *s, vs_flexible_id id) {
    vs_flexible_view view;
    must(vs_world_get_flexible_view(s->world, id, &view), s->context);
    return view;
}

static inline vs_vec3 mean_of(const vs_flexible_view *view, const vs_vec3 *x) {
    vs_vec3 sum = VS_ZERO3;
    double mass = 0;
    for (int k = 0; k < view->nodes; k++) {
        sum = vs_add_scaled(sum, view->mass[k], x[k]);
        mass += view->mass[k];
    }
    return vs_scale(1 / mass, sum);
}

static inline vs_flexible_def soft(double young, vs_vec3 at) {
    vs_flexible_def def = vs_flexible_def_default();
    def.elastic = (vs_elastic_material){.density = 1000, .young = young, .poisson = .3};
    def.pose.position = at;
    return def;
}

// Sum of the impulses of contacts on flexible bodies by rigid body `index`, over h.
static inline vs_vec3 force_of_body(const rig *s, uint32_t index) {
    vs_vec3 sum = VS_ZERO3;
    for (int k = 0; k < vs_simulation_get_contact_count(s->simulation); k++) {
        vs_contact_view c;
        must(vs_simulation_get_contact_at(s->simulation, k, &c), s->context);
        if (c.flexible_b.generation > 0 && c.flexible_a.generation == 0 && c.a.index == index)
            sum = vs_add_scaled(sum, 1 / s->options.step, c.impulse);
        if (c.flexible_a.generation > 0 && c.flexible_b.generation == 0 && c.b.index == index)
            sum = vs_add_scaled(sum, -1 / s->options.step, c.impulse);
    }
    return sum;
}

#endif
