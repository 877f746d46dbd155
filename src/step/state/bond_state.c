// Bonds as bytes: see bond_state.h.
#include "step/state/bond_state.h"

#include <math.h>
#include <string.h>

typedef struct head {
    int64_t bonds, mortars;
    double fracture; // J, sum
} head;

size_t vs_bond_state_bytes(const vs_simulation *s) {
    return s->world->mortars > 0 ? sizeof(head) + sizeof(vs_bond) * (size_t)s->bonds.bond.count : 0;
}

void vs_bond_state_save(const vs_simulation *s, char *out) {
    const head first = {s->bonds.bond.count, s->bonds.mortars, s->flow.fracture};
    if (s->world->mortars == 0)
        return;
    memcpy(out, &first, sizeof first);
    if (first.bonds > 0)
        memcpy(out + sizeof first, s->bonds.bond.data, sizeof(vs_bond) * (size_t)first.bonds);
}

static bool is_body(const vs_simulation *s, int64_t body) {
    return body >= 0 && body < s->world->bodies;
}

static bool is_valid(const vs_simulation *s, const vs_bond *bond) {
    const double number[] = {bond->anchor[0].x, bond->anchor[0].y, bond->anchor[0].z, bond->anchor[1].x,
                             bond->anchor[1].y, bond->anchor[1].z, bond->normal.x,    bond->normal.y,
                             bond->normal.z,    bond->area,        bond->pull,        bond->cohesion,
                             bond->critical,    bond->shear,       bond->opens,       bond->reached,
                             bond->rate,        bond->work,        bond->broken,      bond->compression,
                             bond->crushed,     bond->crushing,    bond->dilatancy,   bond->dilates};
    bool valid = is_body(s, bond->a) && is_body(s, bond->b) && bond->mortar >= 0 && bond->mortar < s->world->mortars &&
                 bond->softening >= VS_SOFTENING_LINEAR && bond->softening <= VS_SOFTENING_EXPONENTIAL &&
                 bond->pull >= 0 && bond->cohesion >= 0 && bond->reached >= 0 && bond->rate >= 0 &&
                 bond->compression >= 0 && bond->crushed >= 0 && bond->dilatancy >= 0 && bond->dilates >= 0;
    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        valid = valid && fabs(number[k]) <= 1e150;
    return valid;
}

vs_error vs_bond_state_check(const vs_simulation *s, const char *bytes, size_t rest, size_t before, size_t *count) {
    head first;
    *count = 0;
    if (s->world->mortars == 0)
        return VS_OK;
    if (rest < before + sizeof first)
        return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: the scene has mortar, the checkpoint has no bonds");
    memcpy(&first, bytes + before, sizeof first);
    const size_t room = rest - before - sizeof first;
    if (first.bonds < 0 || first.mortars < 0 || first.mortars > s->world->mortars || !(fabs(first.fracture) <= 1e150) ||
        room % sizeof(vs_bond) != 0 || room / sizeof(vs_bond) != (uint64_t)first.bonds)
        return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: the bonds of mortar have the wrong size");
    for (int64_t k = 0; k < first.bonds; k++) {
        vs_bond bond;
        memcpy(&bond, bytes + before + sizeof first + sizeof bond * (size_t)k, sizeof bond);
        if (!is_valid(s, &bond))
            return vs_fail(s->context, VS_ERROR_DATA, "checkpoint: bond %lld is not valid", (long long)k);
    }
    *count = rest - before;
    return VS_OK;
}

int64_t vs_bond_state_count(const vs_simulation *s, const char *bytes) {
    head first = {0};
    if (s->world->mortars > 0)
        memcpy(&first, bytes, sizeof first);
    return first.bonds;
}

void vs_bond_state_load(vs_simulation *s, const char *bytes) {
    head first;
    if (s->world->mortars == 0)
        return;
    memcpy(&first, bytes, sizeof first);
    if (first.bonds > 0)
        memcpy(s->bonds.bond.data, bytes + sizeof first, sizeof(vs_bond) * (size_t)first.bonds);
    s->bonds.bond.count = first.bonds;
    s->bonds.mortars = (int)first.mortars;
    s->bonds.listed = 0;
    s->flow.fracture = first.fracture;
}
