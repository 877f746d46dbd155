// Bonds in the problem of a step: see bond_rows.h.
#include "step/bond/bond_rows.h"

#include <math.h>
#include <string.h>

#include "step/rows/point_jacobian.h"

static const uint64_t KEY = UINT64_C(3) << 62; // of a bond's rows, with its index times KEY_STEP
enum { KEY_STEP = 256 };

static double inverse_mass(const vs_body *body) {
    return body->mass > 0 ? 1 / body->mass : 0;
}

static bool acts(const vs_bond *bond, const vs_world *world, double h) {
    return vs_bond_next_strength(bond, h) > 0 && vs_bond_exists(bond, world);
}

// Row i of a group, along d; with the velocities of bodies that have no columns.
static void fill_row(const vs_step_view *view, const vs_bond *bond, vs_vec3 point, vs_vec3 d, const vs_row_group *group,
                     int i) {
    const vs_row_values values = vs_row_groups_values(view->groups, group);
    const int64_t bodies[2] = {bond->a, bond->b};
    for (int side = 0, part = 0; side < 2; side++) {
        const vs_body *body = &view->world->body[bodies[side]];
        double row[6], now[6], mean[6];
        vs_point_jacobian(body, point, d, side ? 1 : -1, row);
        if (vs_blocks_of_body(view->blocks, (int)bodies[side]) != VS_NO_BLOCK) {
            memcpy(values.J + 6 * ((int64_t)part++ * group->rows + i), row, sizeof row);
            continue;
        }
        vs_body_get_velocities(body, now);
        vs_body_get_mean_velocities(body, mean);
        values.prescribed[i] += vs_jacobian_times(row, now);
        values.prescribed_mean[i] += vs_jacobian_times(row, mean);
    }
    values.b[i] = -values.prescribed[i];
}

static vs_error add_bond(const vs_bond *bond, int64_t index, const vs_step_view *view) {
    const vs_world *world = view->world;
    const int64_t bodies[2] = {bond->a, bond->b};
    vs_row_group group = {
        .kind = VS_GROUP_BOND, .rows = 3, .mu = 1, .key = KEY | (uint64_t)index * KEY_STEP, .source = -1};
    for (int side = 0; side < 2; side++)
        if (vs_blocks_of_body(view->blocks, (int)bodies[side]) != VS_NO_BLOCK)
            group.block[group.blocks++] = vs_blocks_of_body(view->blocks, (int)bodies[side]);
    if (group.blocks == 0)
        return VS_OK;
    vs_row_group *added;
    vs_error error = vs_row_groups_add(view->groups, world->context, group, &added);
    if (error)
        return error;
    const vs_bond_place place = vs_bond_find(bond, world);
    vs_vec3 frame[3];
    vs_contact_frame(place.normal, frame);
    for (int i = 1; i < 3; i++)
        fill_row(view, bond, place.point, frame[i], added, i);
    const vs_row_values values = vs_row_groups_values(view->groups, added);
    const double strength = vs_bond_next_strength(bond, view->kick->h);
    values.E[0] = inverse_mass(&world->body[bond->a]) + inverse_mass(&world->body[bond->b]);
    values.b[0] = values.E[0] * view->kick->length * strength * bond->cohesion;
    return VS_OK;
}

vs_error vs_bond_rows_add(const vs_bonds *bonds, const vs_step_view *view) {
    vs_error error = VS_OK;
    for (int64_t k = 0; k < bonds->bond.count && !error; k++) {
        const vs_bond *bond = &bonds->bond.data[k];
        if (bond->cohesion > 0 && acts(bond, view->world, view->kick->h))
            error = add_bond(bond, k, view);
    }
    return error;
}

void vs_bond_rows_add_pull(const vs_bonds *bonds, const vs_world *world, const vs_blocks *blocks, const vs_kick *kick,
                           double *c) {
    for (int64_t k = 0; k < bonds->bond.count; k++) {
        const vs_bond *bond = &bonds->bond.data[k];
        if (!acts(bond, world, kick->h))
            continue;
        const vs_bond_place place = vs_bond_find(bond, world);
        const double pull = kick->push * vs_bond_next_strength(bond, kick->h) * bond->pull;
        const int64_t bodies[2] = {bond->a, bond->b};
        for (int side = 0; side < 2; side++) {
            const int block = vs_blocks_of_body(blocks, (int)bodies[side]);
            double row[6];
            vs_point_jacobian(&world->body[bodies[side]], place.point, place.normal, side ? 1 : -1, row);
            for (int j = 0; j < 6 && block != VS_NO_BLOCK; j++)
                c[vs_blocks_column(blocks, block) + j] += pull * row[j];
        }
    }
}

// Mean normal velocity of a step, of which *prescribed is due to prescribed motion.
static double mean_opening(const vs_bond *bond, const vs_step_view *step, double *prescribed) {
    const vs_bond_place place = vs_bond_find(bond, step->world);
    const int64_t bodies[2] = {bond->a, bond->b};
    double mean = *prescribed = 0;
    for (int side = 0; side < 2; side++) {
        const vs_body *body = &step->world->body[bodies[side]];
        const int block = vs_blocks_of_body(step->blocks, (int)bodies[side]);
        double row[6], v[6];
        vs_point_jacobian(body, place.point, place.normal, side ? 1 : -1, row);
        if (block == VS_NO_BLOCK) {
            vs_body_get_mean_velocities(body, v);
            *prescribed += vs_jacobian_times(row, v);
            continue;
        }
        const int first = vs_blocks_column(step->blocks, block);
        mean += .5 * vs_jacobian_times(row, step->blocks->before.data + first);
        mean += .5 * vs_jacobian_times(row, step->result->v + first);
    }
    return mean + *prescribed;
}

void vs_bond_rows_account(vs_bonds *bonds, const vs_step_view *step, vs_energy_flow *flow) {
    for (int64_t k = 0; k < bonds->bond.count; k++) {
        vs_bond *bond = &bonds->bond.data[k];
        if (!acts(bond, step->world, step->kick->h))
            continue;
        const double pull = step->kick->push * vs_bond_next_strength(bond, step->kick->h) * bond->pull;
        double prescribed;
        const double work = pull * mean_opening(bond, step, &prescribed);
        bond->work += work;
        flow->fracture += work;
        flow->prescribed += pull * prescribed;
    }
    for (int64_t k = 0; k < step->groups->group.count; k++) {
        const vs_row_group *group = &step->groups->group.data[k];
        if (group->kind != VS_GROUP_BOND)
            continue;
        const vs_row_values values = vs_row_groups_values(step->groups, group);
        const double *x = vs_row_group_impulses(group, step->result);
        double work = 0;
        for (int i = 1; i < 3; i++) {
            const double before =
                vs_row_groups_velocity(step->groups, step->blocks, group, i, step->blocks->before.data);
            const double after = vs_row_groups_velocity(step->groups, step->blocks, group, i, step->result->v);
            work -= x[i] * (.5 * (before + after) + values.prescribed_mean[i]);
            flow->prescribed -= x[i] * values.prescribed_mean[i];
        }
        bonds->bond.data[(group->key & ~KEY) / KEY_STEP].work += work;
        flow->fracture += work;
    }
}
