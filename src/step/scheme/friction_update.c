// What contacts remember of a step: see friction_update.h.
#include "step/scheme/friction_update.h"

#include <math.h>

#include "base/elementary.h"
#include "step/rows/friction_coefficient.h"

// Sliding slower than this fraction of the speed that gravity adds in a step counts as sticking: a solution does not resolve
// it. So does a slip below this fraction of a body's size.
static const double STICKS = 1e-3, STICKS_SIZE = 1e-9;

// What contact k remembers after the step.
static vs_friction_past advance(const vs_simulation *s, int k, const vs_material *material) {
    const vs_contact *contact = &s->contacts.rigid->contact[k];
    const vs_row_group *group = &s->groups.group.data[k];
    const double *y = s->problem.result.y + group->row, size = s->contact_rows.size.data[k], h = s->kick.h;
    const vs_friction_past past =
        vs_friction_memory_find(&s->friction, vs_bodies_key(contact->a, contact->b), contact->key);
    if (group->rows < 3)
        return past;
    const double sticks = h * h * STICKS * vs_length(s->world->gravity) + (isfinite(size) ? STICKS_SIZE * size : 0);
    const vs_friction_step step = {.h = h,
                                   .slip = h * vs_hypot(y[1], y[2] / s->contact_rows.stretch.data[k]),
                                   .sticks = sticks,
                                   .impulse = s->problem.result.lambda[group->row]};
    return vs_friction_after(material, past, &step);
}

vs_error vs_friction_update(vs_simulation *s) {
    if (!vs_world_remembers_friction(s->world))
        return VS_OK;
    if (s->division)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED,
                       "static_mu: a distributed simulation cannot remember friction; use stribeck instead");
    vs_error error = VS_OK;
    vs_friction_memory_begin(&s->friction);
    for (int k = 0; k < s->contacts.rigid->count && !error; k++) {
        const vs_contact *contact = &s->contacts.rigid->contact[k];
        vs_material room;
        const vs_material *material = vs_world_material_of(s->world, contact->collider_a, contact->collider_b, &room);
        if (vs_friction_remembers(material))
            error = vs_friction_memory_add(
                &s->friction, s->context,
                (vs_remembered_friction){vs_bodies_key(contact->a, contact->b), contact->key, advance(s, k, material)});
    }
    if (!error)
        vs_friction_memory_end(&s->friction);
    return error;
}
