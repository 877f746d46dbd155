// Bonds as users see them.
#include "step/data/simulation_data.h"

int vs_simulation_get_bond_count(const vs_simulation *s) {
    return s ? (int)s->bonds.bond.count : 0;
}

vs_error vs_simulation_get_bond_at(const vs_simulation *s, int k, vs_bond_view *view) {
    if (!s || !view)
        return VS_ERROR_ARGUMENT;
    const int count = vs_simulation_get_bond_count(s);
    if (k < 0 || k >= count)
        return vs_fail(s->context, VS_ERROR_ARGUMENT, "bond %d: there are %d", k, count);
    const vs_bond *bond = &s->bonds.bond.data[k];
    *view = (vs_bond_view){.a = {(uint32_t)bond->a, (uint32_t)bond->generation[0]},
                           .b = {(uint32_t)bond->b, (uint32_t)bond->generation[1]},
                           .mortar = (int)bond->mortar,
                           .area = bond->area,
                           .strength = vs_bond_strength(bond),
                           .work = bond->work,
                           .broken = bond->broken,
                           .crushed = bond->crushed};
    if (vs_bond_exists(bond, s->world)) {
        const vs_bond_place place = vs_bond_find(bond, s->world);
        view->point = place.point, view->normal = place.normal;
        view->opening = place.opening, view->dilation = place.rise;
        view->slip = vs_length(place.slip);
    }
    return VS_OK;
}
