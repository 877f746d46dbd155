// Closed and striking contacts: see touching.h.
#include "step/controlled/touching.h"

#include <math.h>

// Of the least speed with restitution. Slower contacts close within a step, in two problems, which lose up to half as much energy
// again as one impact: with 1 a rocking block had errors of up to 8 a L at 0.005, with 0.5 up to 1.9, with this up to 1.3.
static const double LOCATED = .25;

static vs_vec3 velocity_at(const vs_world *world, const vs_body *body, vs_pose pose, vs_vec3 x, double ahead) {
    vs_vec3 spin = vs_rotate(pose.rotation, body->spin);
    vs_vec3 u = vs_add(body->velocity, vs_cross(spin, vs_subtract(x, pose.position)));
    return body->motion == VS_MOTION_DYNAMIC ? vs_add_scaled(u, ahead, world->gravity) : u;
}

double vs_contact_approach(const vs_simulation *s, const vs_contact *contact, double ahead) {
    const vs_body *body[2] = {&s->world->body[contact->a], &s->world->body[contact->b]};
    vs_pose pose[2] = {body[0]->pose, body[1]->pose};
    if (contact->moved > 0)
        for (int k = 0; k < 2; k++)
            pose[k] = s->contacts.moved.data[2 * (contact->moved - 1) + k];
    const vs_vec3 a = velocity_at(s->world, body[0], pose[0], contact->point, ahead);
    const vs_vec3 b = velocity_at(s->world, body[1], pose[1], contact->point, ahead);
    return vs_dot(contact->normal, vs_subtract(a, b));
}

bool vs_contact_touches(const vs_simulation *s, const vs_contact *contact) {
    return contact->gap <= vs_contact_rows_controlled_slop(&s->options, vs_contact_size(s->world, contact));
}

bool vs_contact_is_stiff(const vs_simulation *s, const vs_contact *contact) {
    vs_material room;
    return !(vs_world_material_of(s->world, contact->collider_a, contact->collider_b, &room)->compliance > 0);
}

bool vs_contact_strikes(const vs_simulation *s, const vs_contact *contact, double ahead) {
    const double least = vs_contact_rows_least_impact(&s->options, s->world, vs_contact_size(s->world, contact));
    const double now = vs_contact_approach(s, contact, 0), then = vs_contact_approach(s, contact, ahead);
    return fmax(now, then) > LOCATED * least && vs_contact_is_stiff(s, contact);
}

vs_error vs_contacts_filter(vs_simulation *s, vs_contact_filter keep) {
    vs_contacts *kept = &s->contacts.extended;
    const vs_contacts *all = s->contacts.rigid;
    vs_error error = vs_array_reserve(s->context, &kept->contact, &kept->capacity, all->count, sizeof *kept->contact);
    if (error)
        return error;
    int count = 0;
    for (int k = 0; k < all->count; k++)
        if (keep(s, &all->contact[k]))
            kept->contact[count++] = all->contact[k];
    kept->count = count;
    s->contacts.rigid = kept;
    return VS_OK;
}
