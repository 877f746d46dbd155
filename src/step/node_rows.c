// Rows of flexible solids: contacts of their nodes and faces, and nodes glued to bodies.
//
//     contact, axis d:   D = -+ w_k d' at the nodes of a face (weights w_k) or the node that touches, as of a body
//     elsewhere glue:              v_node - v_body(place) = -(x_node - x_body(place))/h
#include <string.h>

#include "step/simulation_data.h"

// ---- contacts --------------------------------------------------------------------------------------

// What a side of a contact adds to a row: its columns, or, where its velocity is given, a part of the right-hand side.
typedef struct row_sums {
    double u_old, u_free, given;
} row_sums;

static void add_node(const vs_simulation *s, const vs_contact_side *side, int k, vs_vec3 d, double *J, row_sums *sums) {
    const vs_flexible *f = &s->world->flexible[side->flexible];
    int block = vs_coupling_block(s, side->flexible, side->node[k]);
    d = vs_scale(side->weight[k], d);
    sums->u_old += vs_dot(d, f->velocity[side->node[k]]);
    if (block == VS_NO_BLOCK) {
        double u = vs_dot(d, vs_node_given(s->world, f, side->node[k], s->options.step));
        sums->given += u;
        sums->u_free += u;
        return;
    }
    const double *free = (const double *)s->free.data + vs_block_column(s, block);
    d = vs_node_along(f, side->node[k], d);
    J[0] = d.x, J[1] = d.y, J[2] = d.z;
    sums->u_free += d.x * free[0] + d.y * free[1] + d.z * free[2];
}

static void add_body(const vs_simulation *s, int index, vs_vec3 point, vs_vec3 d, double *J, row_sums *sums) {
    const vs_body *body = &s->world->body[index];
    int block = vs_step_block_of(s, index);
    double row[6], now[6];
    vs_step_point_row(body, point, d, 1, row);
    vs_step_velocities(body, now);
    sums->u_old += vs_step_row_times(row, now);
    sums->u_free +=
        vs_step_row_times(row, block == VS_NO_BLOCK ? now : (const double *)s->free.data + 6 * (int64_t)block);
    if (block == VS_NO_BLOCK)
        sums->given += vs_step_row_times(row, now);
    else
        memcpy(J, row, sizeof row);
}

// One row of a contact of a flexible solid along d.
static row_sums fill_node_row(const vs_simulation *s, const vs_node_contact *contact, const vs_group *group, int i,
                              vs_vec3 d) {
    row_sums sums = {.given = vs_dot(d, contact->surface_velocity)};
    double *J = vs_step_values(s, group).J, nowhere[6] = {0};
    int part = 0;
    for (int side = 0; side < 2; side++) {
        const vs_contact_side *at = &contact->side[side];
        vs_vec3 along = vs_scale(side ? 1 : -1, d);
        for (int k = 0; k < at->count; k++) {
            bool given = vs_coupling_block(s, at->flexible, at->node[k]) == VS_NO_BLOCK;
            add_node(s, at, k, along, given ? nowhere : J + 6 * ((int64_t)part * group->rows) + 3 * (int64_t)i, &sums);
            part += !given;
        }
        if (at->flexible < 0) {
            bool given = vs_step_block_of(s, at->body) == VS_NO_BLOCK;
            add_body(s, at->body, contact->point, along, given ? nowhere : J + 6 * ((int64_t)part * group->rows + i),
                     &sums);
            part += !given;
        }
    }
    return sums;
}

vs_error vs_step_add_node_contact(vs_simulation *s, int k) {
    const vs_node_contact *contact = &s->node_contacts->contact[k];
    int index = s->contacts->count + k;
    vs_material material = vs_world_get_material_pair(s->world, contact->material[0], contact->material[1]);
    bool friction = material.mu > 0;
    vs_group group = {.kind = friction ? VS_GROUP_CONTACT : VS_GROUP_SMOOTH,
                      .rows = friction ? 3 : 1,
                      .mu = material.mu,
                      .key = contact->key,
                      .source = index},
             *added;
    for (int side = 0; side < 2; side++) {
        const vs_contact_side *at = &contact->side[side];
        for (int i = 0; i < (at->flexible < 0 ? 1 : at->count); i++) {
            int block =
                at->flexible < 0 ? vs_step_block_of(s, at->body) : vs_coupling_block(s, at->flexible, at->node[i]);
            if (block != VS_NO_BLOCK)
                group.block[group.blocks++] = block;
        }
    }
    vs_error error = vs_step_add_group(s, group, &added);
    if (error)
        return error;
    vs_vec3 *frame = (vs_vec3 *)s->frame.data + 3 * (int64_t)index;
    vs_step_frame(contact->normal, frame);
    vs_group_values values = vs_step_values(s, added);
    for (int i = 0; i < group.rows; i++) {
        row_sums sums = fill_node_row(s, contact, added, i, frame[i]);
        double offset =
            i == 0 ? vs_step_normal_offset(s, contact->gap, contact->size, &material, sums.u_old, sums.u_free) : 0;
        if (i == 0)
            ((double *)s->offset.data)[index] = offset;
        values.b[i] = offset - sums.given;
        values.given[i] = values.booked[i] = sums.given;
    }
    values.E[0] = material.compliance / (s->options.step * s->options.step);
    return VS_OK;
}

// ---- glue ------------------------------------------------------------------------------------------

// A node on a body with mass: x_node - x_body = 0, three rows.
static vs_error add_glue(vs_simulation *s, int flexible, int node) {
    const vs_flexible *f = &s->world->flexible[flexible];
    const vs_body *body = &s->world->body[f->attached[node]];
    vs_group group = {.kind = VS_GROUP_JOINT, .rows = 3, .blocks = 2, .source = -1};
    group.block[0] = vs_step_block_of(s, f->attached[node]);
    group.block[1] = vs_coupling_block(s, flexible, node);
    group.key = UINT64_C(1) << 62 | (uint64_t)flexible << 40 | (uint64_t)node << 4;
    vs_group *added;
    vs_error error = vs_step_add_group(s, group, &added);
    if (error)
        return error;
    vs_group_values values = vs_step_values(s, added);
    vs_vec3 place = vs_pose_apply(body->pose, f->place[node]), apart = vs_subtract(f->position[node], place);
    for (int i = 0; i < 3; i++) {
        vs_vec3 d = {i == 0, i == 1, i == 2};
        vs_step_point_row(body, place, d, -1, values.J + 6 * (int64_t)i);
        values.J[6 * 3 + 3 * i + i] = 1;
        values.b[i] = -vs_component(apart, i) / s->options.step;
        values.damping[i] = -1;
    }
    return VS_OK;
}

vs_error vs_step_add_glue(vs_simulation *s) {
    vs_error error = VS_OK;
    for (int k = 0; k < s->world->flexibles && !error; k++) {
        const vs_flexible *f = &s->world->flexible[k];
        for (int i = 0; i < f->nodes && f->glued_count > 0 && !error; i++)
            if (f->attached[i] >= 0 && vs_coupling_block(s, k, i) != VS_NO_BLOCK)
                error = add_glue(s, k, i);
    }
    return error;
}
