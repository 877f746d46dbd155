// Contact pressure on the surface of flexible solids, from the impulses of the last step.
#include <math.h>
#include <string.h>

#include "step/simulation_data.h"

// Normal forces on the nodes of a surface.
static void add_forces(const vs_simulation *s, int flexible, vs_vec3 *push) {
    for (int k = 0; k < s->node_contacts->count; k++) {
        const vs_node_contact *contact = &s->node_contacts->contact[k];
        double force = s->result.lambda[s->problem->row[s->contacts->count + k]] / s->options.step;
        for (int side = 0; side < 2; side++) {
            const vs_contact_side *at = &contact->side[side];
            for (int i = 0; i < at->count && at->flexible == flexible; i++)
                push[at->node[i]] =
                    vs_add_scaled(push[at->node[i]], (side ? 1 : -1) * at->weight[i] * force, contact->normal);
        }
    }
}

// What of the faces around a node looks against the force on it is its area.
static void find_pressure(const vs_flexible *f, const vs_vec3 *push, double *pressure) {
    for (int k = 0; k < f->faces; k++) {
        const int *v = f->face + 3 * (int64_t)k;
        vs_vec3 a = vs_subtract(f->position[v[1]], f->position[v[0]]);
        vs_vec3 area = vs_scale(1. / 6, vs_cross(a, vs_subtract(f->position[v[2]], f->position[v[0]])));
        for (int i = 0; i < 3; i++)
            pressure[v[i]] += fmax(0, -vs_dot(area, vs_normalize(push[v[i]])));
    }
    for (int k = 0; k < f->nodes; k++)
        pressure[k] = pressure[k] > 0 ? vs_length(push[k]) / pressure[k] : 0;
}

vs_error vs_simulation_get_pressure(const vs_simulation *s, vs_flexible_id id, double *pressure) {
    if (!s || !pressure)
        return VS_ERROR_ARGUMENT;
    int index = vs_world_flexible_index(s->world, id);
    if (index < 0 || s->world->flexible[index].beam)
        return vs_fail(s->context, VS_ERROR_ARGUMENT, "pressure: this id is of no flexible solid");
    int nodes = s->world->flexible[index].nodes;
    memset(pressure, 0, sizeof *pressure * (size_t)nodes);
    if (s->steps == 0 || !s->solver)
        return VS_OK;
    vs_vec3 *push = vs_allocate(s->context, sizeof *push * (size_t)nodes);
    if (!push)
        return vs_fail_memory(s->context);
    memset(push, 0, sizeof *push * (size_t)nodes);
    add_forces(s, index, push);
    find_pressure(&s->world->flexible[index], push, pressure);
    vs_release(s->context, push);
    return VS_OK;
}
