// Contact pressure on the surface of flexible solids, from the impulses of the last step.
#include <math.h>
#include <string.h>

#include "problem/problem_data.h"
#include "step/data/simulation_data.h"

// Normal forces on the nodes of a surface.
static void add_forces(const vs_simulation *s, int flexible, vs_vec3 *push) {
    for (int k = 0; k < s->contacts.nodes->count; k++) {
        const vs_node_contact *contact = &s->contacts.nodes->contact[k];
        int row = s->problem.problem->row[s->contacts.rigid->count + k];
        double force = s->problem.result.lambda[row] / s->options.step;
        for (int side = 0; side < 2; side++) {
            const vs_contact_side *at = &contact->side[side];
            for (int i = 0; i < at->count && at->flexible == flexible; i++)
                push[at->node[i]] =
                    vs_add_scaled(push[at->node[i]], (side ? 1 : -1) * at->weight[i] * force, contact->normal);
        }
    }
}

static vs_vec3 area_of(const vs_flexible *f, int face) {
    const int *v = f->face + 3 * (int64_t)face;
    vs_vec3 a = vs_subtract(f->position[v[1]], f->position[v[0]]);
    return vs_scale(.5, vs_cross(a, vs_subtract(f->position[v[2]], f->position[v[0]])));
}

// The area of a node is a third of each face around it, projected onto the direction against the force on it.
static void find_pressure(const vs_flexible *f, const vs_vec3 *push, double *pressure) {
    for (int k = 0; k < f->faces; k++) {
        vs_vec3 area = area_of(f, k);
        for (int i = 0; i < 3; i++) {
            int node = f->face[3 * (int64_t)k + i];
            pressure[node] += fmax(0, -vs_dot(area, vs_normalize(push[node])) / 3);
        }
    }
    for (int k = 0; k < f->nodes; k++)
        pressure[k] = pressure[k] > 0 ? vs_length(push[k]) / pressure[k] : 0;
}

// Faces of 6 nodes: a uniform pressure acts on the midside nodes, a third of the face each, and not on the corners. A
// corner gets the mean of the midside nodes around it. A face is four triangles, the last one between its midside nodes
// (flexible.c).
static void find_pressure_quadratic(const vs_flexible *f, const vs_vec3 *push, double *count, double *pressure) {
    static const int corner[3] = {0, 4, 8}; // of the four triangles' nodes
    for (int k = 0; k < f->faces; k += 4) {
        vs_vec3 area = vs_add(vs_add(area_of(f, k), area_of(f, k + 1)), vs_add(area_of(f, k + 2), area_of(f, k + 3)));
        for (int i = 0; i < 3; i++) {
            int node = f->face[3 * (int64_t)k + 9 + i];
            pressure[node] += fmax(0, -vs_dot(area, vs_normalize(push[node])) / 3);
        }
    }
    for (int k = 0; k < f->nodes; k++)
        pressure[k] = pressure[k] > 0 ? vs_length(push[k]) / pressure[k] : 0;
    for (int k = 0; k < f->faces; k += 4)
        for (int i = 0; i < 9; i++) {
            int from = f->face[3 * (int64_t)k + 9 + i % 3], to = f->face[3 * (int64_t)k + corner[i / 3]];
            count[to] += pressure[from] > 0;
            pressure[to] += pressure[from];
        }
    for (int k = 0; k < f->nodes; k++)
        pressure[k] /= count[k] > 0 ? count[k] : 1;
}

vs_error vs_simulation_get_pressure(const vs_simulation *s, vs_flexible_id id, double *pressure) {
    if (!s || !pressure)
        return VS_ERROR_ARGUMENT;
    int index = vs_world_flexible_index(s->world, id);
    if (index < 0 || s->world->flexible[index].beam)
        return vs_fail(s->context, VS_ERROR_ARGUMENT, "pressure: this id is of no flexible solid");
    int nodes = s->world->flexible[index].nodes;
    memset(pressure, 0, sizeof *pressure * (size_t)nodes);
    if (s->steps == 0 || s->contacts_unknown || !s->problem.solver)
        return VS_OK;
    const vs_flexible *f = &s->world->flexible[index];
    size_t bytes = (sizeof(vs_vec3) + sizeof(double)) * (size_t)nodes;
    vs_vec3 *push = vs_allocate(s->context, bytes);
    if (!push)
        return vs_fail_memory(s->context);
    memset(push, 0, bytes);
    add_forces(s, index, push);
    if (f->element_nodes == 10)
        find_pressure_quadratic(f, push, (double *)(push + nodes), pressure);
    else
        find_pressure(f, push, pressure);
    vs_release(s->context, push);
    return VS_OK;
}
