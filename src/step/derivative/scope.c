// Reasons to refuse the derivative of a step: see scope.h.
#include "step/derivative/scope.h"

#include <math.h>

#include "body/period.h"
#include "body/servo/servo.h"
#include "material/friction.h"
#include "material/material.h"

const char *vs_derivative_scope_simulation(const vs_simulation *s) {
    const vs_world *world = s->world;
    if (s->division)
        return "distributed simulations";
    if (s->options.accuracy > 0 && world->joint_slots.used > 0)
        return "joints in steps of controlled accuracy";
    if (s->options.scheme != VS_SCHEME_MOREAU)
        return "schemes other than moreau";
    if (world->flexible_slots.used > 0)
        return "flexible bodies";
    if (vs_world_repeats(world))
        return "worlds with a period";
    if (world->gates > 0)
        return "factories and sinks";
    if (vs_world_has_servos(world))
        return "servos";
    for (int k = 0; k < world->joints; k++)
        if (world->joint[k].alive && world->joint[k].def.kind == VS_JOINT_CAM)
            return "cams";
    return world->mortars > 0 ? "mortar" : NULL;
}

const char *vs_derivative_scope_contact(const vs_simulation *s, int k) {
    const vs_world *world = s->world;
    const vs_contact *contact = &s->contacts.rigid->contact[k];
    const vs_collider *a = &world->collider[contact->collider_a], *b = &world->collider[contact->collider_b];
    vs_material room;
    const vs_material *material = vs_world_material_between(world, a->material, b->material, &room);
    if (contact->late || contact->moved > 0)
        return "contacts that are found within the step";
    if (vs_shape_has_triangles(a->shape) || vs_shape_has_triangles(b->shape))
        return "contacts of triangle meshes";
    if (vs_material_is_soft(material))
        return "soft contact";
    if (vs_friction_varies(material))
        return "friction that depends on the speed or on earlier steps";
    if (material->across > 0)
        return "friction with a grain";
    if (material->adhesion > 0)
        return "adhesion";
    return material->restitution_table.count > 0 ? "restitution that depends on the speed" : NULL;
}

// A step may ask for more than the tolerance of the user (revision CLOSING), down to rounding, and miss that: its solution is as good as
// one of the user's tolerance, and its certificate says how good (vs_step_derivative_report).
static bool misses_tolerance(const vs_simulation *s) {
    static const double ROUNDING = 1e-11;
    return s->problem.solver && s->problem.result.status != VS_STATUS_CONVERGED &&
           !(s->problem.result.measures.relative_error <= fmax(s->options.solver.tolerance, ROUNDING));
}

const char *vs_derivative_scope_solved(const vs_simulation *s) {
    if (misses_tolerance(s))
        return "steps that miss the tolerance of the solver";
    if (s->guard.active)
        return "impacts whose restitution is reduced as they would create energy";
    if (s->recovery.active || s->moved.active)
        return "overlaps or impacts whose bodies keep other velocities than those that move them";
    for (int64_t k = s->contacts.rigid->count; k < s->groups.group.count; k++)
        if (s->groups.group.data[k].kind == VS_GROUP_ROPE)
            return "ropes with friction";
    return NULL;
}

const char *vs_derivative_scope_report(const vs_step_report *report) {
    if (report->forced > 0)
        return "steps of controlled accuracy that had to be fixed ones";
    return report->held > 0 ? "bodies that stop within the step before they pass through others" : NULL;
}
