// Rows of contacts of flexible solids, and of nodes glued to bodies: see node_rows.h.
#include "step/rows/node_rows.h"

#include <string.h>

#include "step/rows/point_jacobian.h"

// ---- contacts --------------------------------------------------------------------------------------

// Adds the contribution of node k of a side to a row along d: J or, where its velocity is prescribed, a speed.
static void add_node(const vs_step_view *view, const vs_contact_side *side, int k, vs_vec3 d, double *J,
                     vs_row_speeds *speeds) {
    const vs_flexible *f = &view->world->flexible[side->flexible];
    int block = vs_blocks_of_node(view->blocks, side->flexible, side->node[k]);
    d = vs_scale(side->weight[k], d);
    const double old = vs_dot(d, f->velocity[side->node[k]]);
    speeds->old += old;
    if (block == VS_NO_BLOCK) {
        double u = vs_dot(d, vs_node_prescribed_velocity(view->world, f, side->node[k], view->options->step));
        speeds->prescribed += u;
        speeds->prescribed_mean += .5 * (u + old);
        speeds->free += u;
        return;
    }
    const double *free = view->blocks->free.data + vs_blocks_column(view->blocks, block);
    d = vs_node_along(f, side->node[k], d);
    J[0] = d.x, J[1] = d.y, J[2] = d.z;
    speeds->free += d.x * free[0] + d.y * free[1] + d.z * free[2];
}

// The same for a rigid body.
static void add_body(const vs_step_view *view, int index, vs_vec3 point, vs_vec3 d, double *J, vs_row_speeds *speeds) {
    const vs_body *body = &view->world->body[index];
    int block = vs_blocks_of_body(view->blocks, index);
    double row[6], now[6], mean[6];
    vs_point_jacobian(body, point, d, 1, row);
    vs_body_get_velocities(body, now);
    speeds->old += vs_jacobian_times(row, now);
    speeds->free += vs_jacobian_times(row, block == VS_NO_BLOCK ? now : view->blocks->free.data + 6 * (int64_t)block);
    if (block != VS_NO_BLOCK) {
        memcpy(J, row, sizeof row);
        return;
    }
    vs_body_get_mean_velocities(body, mean);
    speeds->prescribed += vs_jacobian_times(row, now);
    speeds->prescribed_mean += vs_jacobian_times(row, mean);
}

// J of row i of a contact, along d.
static vs_row_speeds fill_row(const vs_step_view *view, const vs_node_contact *contact, const vs_row_group *group,
                              int i, vs_vec3 d) {
    double surface = vs_dot(d, contact->surface_velocity);
    vs_row_speeds speeds = {.old = surface, .prescribed = surface, .prescribed_mean = surface};
    double *J = vs_row_groups_values(view->groups, group).J, nowhere[6] = {0};
    int64_t part = 0;
    for (int side = 0; side < 2; side++) {
        const vs_contact_side *at = &contact->side[side];
        vs_vec3 along = vs_scale(side ? 1 : -1, d);
        for (int k = 0; k < at->count; k++) {
            bool free = vs_blocks_of_node(view->blocks, at->flexible, at->node[k]) != VS_NO_BLOCK;
            add_node(view, at, k, along, free ? J + 6 * part * group->rows + 3 * (int64_t)i : nowhere, &speeds);
            part += free;
        }
        if (at->flexible < 0) {
            bool free = vs_blocks_of_body(view->blocks, at->body) != VS_NO_BLOCK;
            add_body(view, at->body, contact->point, along, free ? J + 6 * (part * group->rows + i) : nowhere, &speeds);
            part += free;
        }
    }
    return speeds;
}

static void find_blocks(const vs_blocks *blocks, const vs_node_contact *contact, vs_row_group *group) {
    for (int side = 0; side < 2; side++) {
        const vs_contact_side *at = &contact->side[side];
        for (int i = 0; i < (at->flexible < 0 ? 1 : at->count); i++) {
            int block = at->flexible < 0 ? vs_blocks_of_body(blocks, at->body)
                                         : vs_blocks_of_node(blocks, at->flexible, at->node[i]);
            if (block != VS_NO_BLOCK)
                group->block[group->blocks++] = block;
        }
    }
}

static vs_error add_contact(vs_contact_rows *rows, const vs_step_view *view, const vs_node_contact *contact,
                            int index) {
    vs_material room;
    const vs_contact_site site = {
        .index = index,
        .key = contact->key,
        .mark = {.feature = VS_FEATURE_NONE, .point = contact->point},
        .normal = contact->normal,
        .gap = contact->gap,
        .size = contact->size,
        .material = vs_world_material_between(view->world, contact->material[0], contact->material[1], &room)};
    vs_row_group group = vs_contact_rows_group(&site), *added;
    find_blocks(view->blocks, contact, &group);
    vs_error error = vs_contact_rows_begin(rows, view, &site, &group, &added);
    for (int i = 0; i < group.rows && !error; i++) {
        vs_row_speeds speeds = fill_row(view, contact, added, i, rows->frame.data[3 * (int64_t)index + i]);
        vs_contact_rows_set(rows, view, &site, added, i, speeds);
    }
    return error;
}

vs_error vs_node_rows_add(vs_contact_rows *rows, const vs_step_view *view, const vs_node_contacts *contacts,
                          int first) {
    vs_error error = VS_OK;
    for (int k = 0; k < contacts->count && !error; k++)
        error = add_contact(rows, view, &contacts->contact[k], first + k);
    return error;
}

// ---- glue ------------------------------------------------------------------------------------------

// A node on a body with mass: x_node - x_body = 0, three rows.
static vs_error add_glue(const vs_step_view *view, int flexible, int node) {
    const vs_flexible *f = &view->world->flexible[flexible];
    const vs_body *body = &view->world->body[f->attached[node]];
    vs_row_group group = {.kind = VS_GROUP_JOINT, .rows = 3, .blocks = 2, .source = -1};
    group.block[0] = vs_blocks_of_body(view->blocks, f->attached[node]);
    group.block[1] = vs_blocks_of_node(view->blocks, flexible, node);
    group.key = UINT64_C(1) << 62 | (uint64_t)flexible << 40 | (uint64_t)node << 4;
    vs_row_group *added;
    vs_error error = vs_row_groups_add(view->groups, view->world->context, group, &added);
    if (error)
        return error;
    vs_row_values values = vs_row_groups_values(view->groups, added);
    vs_vec3 place = vs_pose_apply(body->pose, f->place[node]), apart = vs_subtract(f->position[node], place);
    for (int i = 0; i < 3; i++) {
        vs_vec3 d = {i == 0, i == 1, i == 2};
        vs_point_jacobian(body, place, d, -1, values.J + 6 * (int64_t)i);
        values.J[6 * 3 + 3 * i + i] = 1;
        values.b[i] = -vs_component(apart, i) / view->options->step;
        values.damping[i] = -1;
    }
    return VS_OK;
}

vs_error vs_glue_rows_add(const vs_step_view *view) {
    vs_error error = VS_OK;
    for (int k = 0; k < view->world->flexibles && !error; k++) {
        const vs_flexible *f = &view->world->flexible[k];
        for (int i = 0; i < f->nodes && f->glued_count > 0 && !error; i++)
            if (f->attached[i] >= 0 && vs_blocks_of_node(view->blocks, k, i) != VS_NO_BLOCK)
                error = add_glue(view, k, i);
    }
    return error;
}
