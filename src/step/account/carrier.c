// The supports of bodies: see carrier.h. Contacts are visited in layers, so that a stone of a wall belongs to what is under
// the wall: first by those that lift a body by at least a share of all that lift it, so that a box that is pushed across
// a floor belongs to the floor and not to the pusher.
#include "step/account/carrier.h"

#include <math.h>

static const double SHARE = .25; // of the lift

void vs_carriers_release(vs_carriers *c, vs_context *context) {
    VS_ARRAY_RELEASE(context, &c->of);
    VS_ARRAY_RELEASE(context, &c->lift);
    VS_ARRAY_RELEASE(context, &c->most);
    VS_ARRAY_RELEASE(context, &c->proposed);
}

vs_error vs_carriers_reserve(vs_carriers *c, const vs_world *world) {
    vs_error error = VS_RESERVE(world->context, &c->of, world->bodies);
    if (!error)
        error = VS_RESERVE(world->context, &c->lift, world->bodies);
    if (!error)
        error = VS_RESERVE(world->context, &c->most, world->bodies);
    if (!error)
        error = VS_RESERVE(world->context, &c->proposed, world->bodies);
    return error;
}

// ---- what connects bodies ----------------------------------------------------------------------------

// A contact as seen from its body b: it is lifted by a.
typedef struct touch {
    int a, b;
    double lift; // N s; without gravity the whole impulse
} touch;

// Contact k from one side or the other; false: it transmits nothing, or belongs to a flexible body.
static bool read_contact(const vs_simulation *s, int k, bool other, touch *t) {
    vs_contact_view view;
    if (vs_simulation_get_contact_at(s, k, &view) != VS_OK || !(vs_length(view.impulse) > 0) ||
        view.flexible_a.generation != 0 || view.flexible_b.generation != 0)
        return false;
    const double g = vs_length(s->world->gravity), sign = other ? 1 : -1;
    *t = (touch){(int)(other ? view.b.index : view.a.index), (int)(other ? view.a.index : view.b.index), 0};
    t->lift = g > 0 ? sign * vs_dot(view.impulse, s->world->gravity) / g : vs_length(view.impulse);
    return true;
}

static void propose(vs_carriers *c, const touch *t) {
    if (t->lift > c->most.data[t->b]) {
        c->most.data[t->b] = t->lift;
        c->proposed.data[t->b] = c->of.data[t->a];
    }
}

static bool reaches(const vs_carriers *c, const touch *t) {
    return c->of.data[t->b] == VS_CARRIER_UNKNOWN && c->of.data[t->a] != VS_CARRIER_UNKNOWN;
}

static void propose_by_contacts(vs_carriers *c, const vs_simulation *s, bool any) {
    const int count = vs_simulation_get_contact_count(s);
    for (int k = 0; k < 2 * count; k++) {
        touch t;
        if (!read_contact(s, k / 2, k % 2 == 1, &t) || !reaches(c, &t))
            continue;
        if (any || (t.lift > 0 && t.lift >= SHARE * c->lift.data[t.b]))
            propose(c, &t);
    }
}

static void propose_by_joints(vs_carriers *c, const vs_world *world) {
    for (int k = 0; k < 2 * world->joints; k++) {
        const vs_joint *joint = &world->joint[k / 2];
        const touch t = {k % 2 == 0 ? joint->a : joint->b, k % 2 == 0 ? joint->b : joint->a, 1};
        if (joint->alive && reaches(c, &t))
            propose(c, &t);
    }
}

// ---- layers ------------------------------------------------------------------------------------------

typedef enum way { BY_LIFT, BY_JOINT, BY_ANY, WAYS } way;

// One layer more; true: it is not empty.
static bool add_layer(vs_carriers *c, const vs_simulation *s, way by) {
    const vs_world *world = s->world;
    bool any = false;
    for (int k = 0; k < world->bodies; k++)
        c->most.data[k] = -INFINITY;
    if (by == BY_JOINT)
        propose_by_joints(c, world);
    else
        propose_by_contacts(c, s, by == BY_ANY);
    for (int k = 1; k < world->bodies; k++)
        if (c->most.data[k] > -INFINITY) {
            c->of.data[k] = c->proposed.data[k];
            any = true;
        }
    return any;
}

void vs_carriers_find(vs_carriers *c, const vs_simulation *s) {
    const vs_world *world = s->world;
    const int count = vs_simulation_get_contact_count(s);
    for (int k = 0; k < world->bodies; k++)
        c->lift.data[k] = 0;
    for (int k = 0; k < 2 * count; k++) {
        touch t;
        if (read_contact(s, k / 2, k % 2 == 1, &t))
            c->lift.data[t.b] += fmax(t.lift, 0);
    }
    // After a layer of a later kind, those before it may go on.
    for (way by = BY_LIFT; by < WAYS; by++)
        while (add_layer(c, s, by))
            by = BY_LIFT;
}
