// The friction coefficient of a contact: see friction_coefficient.h.
#include "step/rows/friction_coefficient.h"

#include "base/elementary.h"
#include "step/rows/point_jacobian.h"

// Before the step.
static double sliding_speed(const vs_world *world, const vs_contact *contact) {
    const int colliders[2] = {contact->collider_a, contact->collider_b};
    vs_vec3 frame[3];
    double speed[3] = {0};
    vs_contact_frame(contact->normal, frame);
    for (int side = 0; side < 2; side++) {
        vs_body image;
        const vs_body *body = vs_contact_body(world, contact, side, &image);
        const vs_vec3 surface = vs_rotate(body->pose.rotation, world->collider[colliders[side]].surface_velocity);
        double v[6], row[6];
        vs_body_get_velocities(body, v);
        for (int i = 1; i < 3; i++) {
            vs_point_jacobian(body, contact->point, frame[i], side ? 1 : -1, row);
            speed[i] += vs_jacobian_times(row, v) + (side ? 1 : -1) * vs_dot(frame[i], surface);
        }
    }
    return vs_hypot(speed[1], speed[2]);
}

double vs_friction_coefficient(const vs_friction_memory *memory, const vs_world *world, const vs_contact *contact,
                               const vs_material *material) {
    const vs_friction_past past = vs_friction_memory_find(memory, vs_bodies_key(contact->a, contact->b), contact->key);
    return vs_friction_now(material, past, sliding_speed(world, contact));
}
