// The two searches for contacts together: see contacts.h.
#include "step/contacts.h"

vs_error vs_step_contacts_create(vs_step_contacts *contacts, vs_world *world) {
    contacts->context = world->context;
    vs_error error = vs_collision_create(world, &contacts->collision);
    return error ? error : vs_node_collision_create(world, &contacts->node_collision);
}

void vs_step_contacts_destroy(vs_step_contacts *contacts) {
    vs_collision_destroy(contacts->collision);
    vs_node_collision_destroy(contacts->node_collision);
    if (contacts->context) {
        VS_ARRAY_RELEASE(contacts->context, &contacts->former);
        VS_ARRAY_RELEASE(contacts->context, &contacts->late);
        vs_release(contacts->context, contacts->extended.contact);
    }
}

vs_error vs_step_contacts_find(vs_step_contacts *contacts, double h, double envelope) {
    const vs_former_contacts former = {contacts->former.data, contacts->former.count};
    vs_error error = vs_collision_find(contacts->collision, h, envelope, &former, &contacts->rigid);
    return error ? error : vs_node_collision_find(contacts->node_collision, h, envelope, &contacts->nodes);
}
