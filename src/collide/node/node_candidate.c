// Candidates for contacts of flexible solids: which ones matter within a step, their keys, their list.
#include "collide/node/node_data.h"

#include "base/array.h"
#include "base/hash.h"

static const double SIZE_SHARE = 1e-3, EDGE_SHARE = .25, STEPS = 1.5;

double vs_node_margin(double size, double edge) {
    return fmax(isfinite(size) ? SIZE_SHARE * size : 0, EDGE_SHARE * edge);
}

bool vs_node_matters(const vs_node_collision *c, double gap, double u, double size, double edge) {
    if (c->envelope > 0)
        return gap <= c->envelope;
    return gap <= vs_node_margin(size, edge) + STEPS * c->h * (fmax(0, -u) + c->h * vs_length(c->world->gravity));
}

double vs_node_reach(const vs_node_collision *c, double speed) {
    return c->envelope > 0 ? c->envelope : STEPS * c->h * (speed + c->h * vs_length(c->world->gravity));
}

vs_error vs_node_add(vs_node_collision *c, const vs_node_contact *contact) {
    vs_node_contacts *all = &c->contacts;
    if (vs_array_reserve(c->context, &all->contact, &all->capacity, all->count + 1, sizeof *all->contact))
        return VS_ERROR_MEMORY;
    all->contact[all->count++] = *contact;
    return VS_OK;
}

uint64_t vs_node_key(uint64_t kind, uint64_t a, uint64_t b, uint64_t c) {
    return vs_hash_mix(vs_hash_mix(vs_hash_mix(vs_hash_mix(kind + 0x9e3779b97f4a7c15u) ^ a) + b) ^ c);
}

bool vs_node_filter(const vs_world *world, const vs_flexible *f, const vs_collider *collider) {
    if (!(f->group & collider->mask) || !(collider->group & f->mask))
        return false;
    for (int k = 0; k < f->glued_count; k++)
        if (f->glued[k] == collider->body)
            return false;
    return vs_body_takes_part(&world->body[collider->body]);
}
