// Forces that servos are regulated by: see servo_force.h.
#include "step/account/servo_force.h"

#include "body/servo/servo.h"
#include "step/account/contact_view.h"

// sign: 1, the impulse pushes the body; -1: it pushes the other one.
static void add_push(const vs_simulation *s, vs_body_id id, double sign, vs_vec3 impulse) {
    const int index = vs_world_body_index(s->world, id);
    vs_servo *servo = index > 0 ? s->world->body[index].servo : NULL;
    if (servo)
        servo->force -= sign / s->options.step * vs_dot(servo->direction, impulse);
}

void vs_servo_forces_measure(vs_simulation *s) {
    vs_world *world = s->world;
    if (!vs_world_has_servos(world))
        return;
    for (int k = 1; k < world->bodies; k++)
        if (world->body[k].servo)
            world->body[k].servo->force = 0;
    const int count = s->problem.solver ? vs_step_contacts_count(&s->contacts) : 0; // of this process
    for (int k = 0; k < count; k++) {
        vs_contact_view view;
        vs_contact_view_fill(s, k, &view);
        add_push(s, view.a, -1, view.impulse);
        add_push(s, view.b, 1, view.impulse);
    }
    for (int k = 1; k < world->bodies; k++)
        if (world->body[k].servo)
            world->body[k].servo->force = vs_space_sum(vs_division_space(s->division), world->body[k].servo->force);
}
