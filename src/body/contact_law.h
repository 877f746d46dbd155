// Laws of contact of materials beyond constant friction: static friction, anisotropy, soft contact.
#ifndef VS_BODY_CONTACT_LAW_H
#define VS_BODY_CONTACT_LAW_H

#include "body/world_data.h"

// Values in range; text set.
vs_error vs_contact_law_check(vs_context *context, const vs_material *m);
// Sets those of a pair of two materials, whose mu is set.
void vs_contact_law_combine(const vs_material *a, const vs_material *b, vs_material *pair);

static inline bool vs_material_is_soft(const vs_material *m) {
    return m->stiffness > 0 || m->hertz > 0;
}
// Has it more friction at rest than mu?
static inline bool vs_material_is_static(const vs_material *m) {
    return m->static_mu > m->mu;
}
// Does its friction coefficient differ from step to step?
static inline bool vs_material_friction_varies(const vs_material *m) {
    return vs_material_is_static(m) || m->mu_table.count > 0;
}
// Does its friction depend on earlier steps?
static inline bool vs_material_remembers(const vs_material *m) {
    return vs_material_is_static(m) && !(m->stribeck > 0);
}
// Is there such a material or pair in the world?
bool vs_world_remembers_friction(const vs_world *world);
bool vs_world_has_soft_contacts(const vs_world *world);

#endif
