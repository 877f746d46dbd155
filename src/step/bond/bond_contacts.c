// Bonds and the contacts of their faces: see bond_contacts.h.
#include "step/bond/bond_contacts.h"

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"

static const double SAME_SIDE = .866; // cosine of 30 degrees: normals of a bond and of contacts that may be of its face

bool vs_bond_contacts_needed(const vs_world *world) {
    bool needed = false;
    for (int k = 0; k < world->mortars && !needed; k++)
        needed = world->mortar[k].def.compression > 0 || world->mortar[k].def.dilatancy > 0;
    return needed;
}

vs_error vs_bond_contacts_widen(const vs_bonds *bonds, const vs_world *world, vs_step_contacts *contacts) {
    vs_error error = VS_RESERVE(world->context, &contacts->margin, world->bodies);
    if (error)
        return error;
    double *margin = contacts->margin.data;
    for (int k = 0; k < world->bodies; k++)
        margin[k] = 0;
    for (int64_t k = 0; k < bonds->bond.count; k++) {
        const vs_bond *bond = &bonds->bond.data[k];
        if (!(bond->dilatancy > 0) || !vs_bond_exists(bond, world))
            continue;
        const double half = .5 * vs_bond_find(bond, world).rise; // the other body has the other half
        margin[bond->a] = fmax(margin[bond->a], half);
        margin[bond->b] = fmax(margin[bond->b], half);
    }
    vs_collision_widen(contacts->collision, margin);
    return VS_OK;
}

// ---- the bond of a contact -------------------------------------------------------------------------

static int compare(const void *a, const void *b) {
    const vs_bond_of_pair *p = a, *q = b;
    if (p->bodies != q->bodies)
        return p->bodies < q->bodies ? -1 : 1;
    return (p->bond > q->bond) - (p->bond < q->bond);
}

// Bonds by their bodies; they stay until there are more.
static vs_error list_bonds(vs_bonds *bonds, vs_context *context) {
    if (bonds->listed == bonds->bond.count)
        return VS_OK;
    vs_error error = VS_RESERVE(context, &bonds->of_pair, bonds->bond.count);
    if (error)
        return error;
    bonds->of_pair.count = 0;
    for (int64_t k = 0; k < bonds->bond.count; k++) {
        const vs_bond *bond = &bonds->bond.data[k];
        if (bond->compression > 0 || bond->dilatancy > 0)
            bonds->of_pair.data[bonds->of_pair.count++] = (vs_bond_of_pair){vs_bodies_key(bond->a, bond->b), k};
    }
    qsort(bonds->of_pair.data, (size_t)bonds->of_pair.count, sizeof *bonds->of_pair.data, compare);
    bonds->listed = bonds->bond.count;
    return VS_OK;
}

// The nearest bond; -1: none.
static int64_t find_bond(const vs_bonds *bonds, const vs_world *world, const vs_contact *contact) {
    const uint64_t bodies = vs_bodies_key(contact->a, contact->b);
    int64_t nearest = -1;
    double least = INFINITY;
    const vs_bond_of_pair *pair = bonds->of_pair.data;
    for (int64_t k = vs_find_first(pair, bonds->of_pair.count, sizeof *pair, bodies);
         k < bonds->of_pair.count && pair[k].bodies == bodies; k++) {
        const int64_t index = pair[k].bond;
        const vs_bond *bond = &bonds->bond.data[index];
        if (!vs_bond_exists(bond, world))
            continue;
        const vs_bond_place place = vs_bond_find(bond, world);
        const double distance = vs_length(vs_subtract(place.point, contact->point));
        if (distance < least && vs_dot(place.normal, contact->normal) > SAME_SIDE)
            least = distance, nearest = index;
    }
    return nearest;
}

// ---- its gap and normal ----------------------------------------------------------------------------

static vs_vec3 across(vs_vec3 x, vs_vec3 normal) {
    return vs_add_scaled(x, -vs_dot(x, normal), normal);
}

static void change(const vs_bond *bond, const vs_world *world, double h, vs_contact *contact) {
    contact->gap += bond->crushed;
    if (!(bond->dilatancy > 0))
        return;
    const vs_bond_place place = vs_bond_find(bond, world);
    const vs_vec3 velocity = vs_subtract(vs_body_point_velocity(&world->body[contact->b], contact->point),
                                         vs_body_point_velocity(&world->body[contact->a], contact->point));
    const vs_vec3 then = vs_add_scaled(place.slip, .5 * h, velocity);
    vs_vec3 slope;
    (void)vs_bond_find_rise(bond, across(then, contact->normal), &slope);
    const vs_vec3 gradient = vs_subtract(contact->normal, slope);
    contact->gap = (contact->gap - place.rise) / vs_length(gradient);
    contact->normal = vs_normalize(gradient);
}

vs_error vs_bond_contacts_set(vs_bonds *bonds, const vs_world *world, double h, vs_step_contacts *contacts) {
    vs_error error = list_bonds(bonds, world->context);
    if (error || bonds->of_pair.count == 0)
        return error;
    contacts->late.count = 0;
    error = vs_step_contacts_merge(contacts); // a copy of our own
    for (int k = 0; k < contacts->extended.count && !error; k++) {
        vs_contact *contact = &contacts->extended.contact[k];
        const int64_t bond = find_bond(bonds, world, contact);
        if (bond < 0)
            continue;
        contact->bond = (int)bond + 1;
        change(&bonds->bond.data[bond], world, h, contact);
    }
    return error;
}
