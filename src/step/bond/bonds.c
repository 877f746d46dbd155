// Bonds: their state and its changes; see bonds.h. They are made in bond_search.c.
#include "step/bond/bonds.h"

#include <math.h>

#include "base/elementary.h"

void vs_bonds_release(vs_context *context, vs_bonds *bonds) {
    VS_ARRAY_RELEASE(context, &bonds->bond);
    VS_ARRAY_RELEASE(context, &bonds->of_pair);
}

bool vs_bond_exists(const vs_bond *bond, const vs_world *world) {
    const vs_body *a = &world->body[bond->a], *b = &world->body[bond->b];
    return a->alive && b->alive && a->generation == bond->generation[0] && b->generation == bond->generation[1];
}

// d at which an exponential bond breaks, over d_c: where a thousandth of its strength is left, and of its fracture energy.
static const double EXPONENTIAL_END = 3.4538776394910684; // ln(1000)/2

static double strength_at(const vs_bond *bond, double reached) {
    if (bond->broken >= 0)
        return 0;
    if (!(bond->critical > 0))
        return 1;
    return bond->softening == VS_SOFTENING_EXPONENTIAL ? vs_exp(-2 * reached / bond->critical)
                                                       : fmax(1 - reached / bond->critical, 0);
}

// d at which the bond breaks.
static double end_of(const vs_bond *bond) {
    if (!(bond->critical > 0))
        return bond->opens;
    return bond->softening == VS_SOFTENING_EXPONENTIAL ? EXPONENTIAL_END * bond->critical : bond->critical;
}

double vs_bond_strength(const vs_bond *bond) {
    return strength_at(bond, bond->reached);
}

double vs_bond_next_strength(const vs_bond *bond, double h) {
    return strength_at(bond, bond->reached + .5 * h * bond->rate);
}

double vs_bond_find_rise(const vs_bond *bond, vs_vec3 slip, vs_vec3 *gradient) {
    const double length = vs_length(slip), round = bond->opens;
    const double end = bond->dilates > 0 ? bond->dilates : bond->shear > 0 ? end_of(bond) / bond->shear : 0;
    const double root = vs_hypot(fmin(length, end), round);
    *gradient = length < end ? vs_scale(bond->dilatancy / root, slip) : VS_ZERO3;
    return bond->dilatancy * (root - round);
}

vs_bond_place vs_bond_find(const vs_bond *bond, const vs_world *world) {
    const vs_body *a = &world->body[bond->a], *b = &world->body[bond->b];
    const vs_vec3 first = vs_pose_apply(a->pose, bond->anchor[0]), second = vs_pose_apply(b->pose, bond->anchor[1]);
    const vs_vec3 apart = vs_subtract(second, first);
    vs_bond_place place = {.point = vs_scale(.5, vs_add(first, second)),
                           .normal = vs_rotate(a->pose.rotation, bond->normal)};
    const double opening = vs_dot(apart, place.normal);
    place.slip = vs_add_scaled(apart, -opening, place.normal);
    vs_vec3 gradient;
    if (bond->dilatancy > 0)
        place.rise = vs_bond_find_rise(bond, place.slip, &gradient);
    place.opening = opening + (bond->crushed - place.rise);
    return place;
}

static double measure(const vs_bond *bond, const vs_world *world) {
    const vs_bond_place place = vs_bond_find(bond, world);
    return vs_hypot(fmax(place.opening, 0), bond->shear * vs_length(place.slip));
}

void vs_bonds_update(vs_bonds *bonds, const vs_world *world, double h, double end) {
    bonds->broken = 0, bonds->holds = 0, bonds->step = 0;
    for (int64_t k = 0; k < bonds->bond.count; k++) {
        vs_bond *bond = &bonds->bond.data[k];
        if (bond->broken >= 0)
            continue;
        const bool exists = vs_bond_exists(bond, world);
        const double reached = exists ? fmax(measure(bond, world), bond->reached) : bond->reached;
        bond->rate = (reached - bond->reached) / h;
        bond->reached = reached;
        if (bond->critical > 0)
            bonds->step = fmax(bonds->step, h * bond->rate / bond->critical);
        if (!exists || reached >= end_of(bond)) {
            bond->broken = end;
            bonds->broken++;
        } else {
            bonds->holds++;
        }
    }
}
