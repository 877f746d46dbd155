// Rows of contacts between rigid bodies: see contact_rows.h.
#include "step/rows/contact_rows.h"

#include <math.h>
#include <string.h>

#include "material/friction.h"
#include "material/material.h"
#include "step/rows/friction_coefficient.h"
#include "step/rows/point_jacobian.h"
#include "step/rows/soft_contact.h"

static const int FACE = 3; // contacts of two colliders from which they are a face

double vs_contact_size(const vs_world *world, const vs_contact *contact) {
    return fmin(world->collider[contact->collider_a].shape->size, world->collider[contact->collider_b].shape->size);
}

// What the rows of a contact need of one of its bodies.
typedef struct contact_side {
    const vs_body *at;  // at the pose for which the rows are
    int sign;           //
    double now[6];      // velocities
    double mean[6];     // the same of one with prescribed motion
    const double *free; // velocities; null: its motion is prescribed
    double *J;          // its part of the group's values
    bool moving;        // its surface does
    vs_vec3 surface;    // m/s, world axes
} contact_side;

static contact_side make_side(const vs_step_view *view, const vs_contact *contact, const vs_body *at, int side) {
    const int index = side ? contact->b : contact->a, block = vs_blocks_of_body(view->blocks, index);
    const vs_collider *collider = &view->world->collider[side ? contact->collider_b : contact->collider_a];
    const vs_vec3 surface = collider->surface_velocity;
    contact_side made = {.at = at, .sign = side ? 1 : -1};
    made.moving = surface.x != 0 || surface.y != 0 || surface.z != 0;
    if (made.moving)
        made.surface = vs_rotate(at->pose.rotation, surface);
    vs_body_get_velocities(&view->world->body[index], made.now);
    if (block != VS_NO_BLOCK)
        made.free = view->blocks->free.data + 6 * (int64_t)block;
    else
        vs_body_get_mean_velocities(&view->world->body[index], made.mean);
    return made;
}

static void make_sides(const vs_step_view *view, const vs_contact *contact, const vs_body *const at[2],
                       const vs_row_group *group, contact_side side[2]) {
    double *J = vs_row_groups_values(view->groups, group).J;
    for (int k = 0; k < 2; k++) {
        side[k] = make_side(view, contact, at[k], k);
        side[k].J = J;
        J += side[k].free ? 6 * group->rows : 0;
    }
}

// Adds what one body contributes to row i of a contact: its speeds, and its part of J unless its motion is prescribed.
static void add_side(const contact_side *side, int i, const double row[6], vs_row_speeds *speeds) {
    const double old = vs_jacobian_times(row, side->now);
    speeds->old += old;
    if (!side->free) {
        speeds->prescribed += old;
        speeds->prescribed_mean += vs_jacobian_times(row, side->mean);
        speeds->free += old;
    } else {
        memcpy(side->J + 6 * (int64_t)i, row, 6 * sizeof(double));
        speeds->free += vs_jacobian_times(row, side->free);
    }
}

// J of row i of a contact, along d.
static vs_row_speeds fill_row(const contact_side side[2], vs_vec3 point, int i, vs_vec3 d) {
    vs_row_speeds speeds = {0};
    for (int k = 0; k < 2; k++) {
        double row[6];
        vs_point_jacobian(side[k].at, point, d, side[k].sign, row);
        add_side(&side[k], i, row, &speeds);
        if (!side[k].moving)
            continue;
        double surface = vs_dot(d, side[k].surface);
        speeds.old += side[k].sign * surface;
        speeds.prescribed += side[k].sign * surface;
        speeds.prescribed_mean += side[k].sign * surface;
    }
    return speeds;
}

// The same of a row of relative angular velocity along d.
static vs_row_speeds fill_turning_row(const contact_side side[2], int i, vs_vec3 d) {
    vs_row_speeds speeds = {0};
    for (int k = 0; k < 2; k++) {
        vs_vec3 axis = vs_scale(side[k].sign, vs_rotate_back(side[k].at->pose.rotation, d));
        const double row[6] = {0, 0, 0, axis.x, axis.y, axis.z};
        add_side(&side[k], i, row, &speeds);
    }
    return speeds;
}

// Axis of row i of a contact with rolling or spinning friction: u and w for rolling, n for spinning.
static vs_vec3 turning_axis(const vs_row_group *group, int i, const vs_vec3 *frame) {
    const int axis = group->rolling > 0 && i < 5 ? i - 2 : 0;
    return axis == 2 ? vs_cross(frame[0], frame[1]) : frame[axis]; // w without a stretch
}

// Sets the rows of a contact for the bodies at these poses; `site` as it is at the beginning of the step.
static void set_rows(vs_contact_rows *rows, const vs_step_view *view, const vs_contact *contact,
                     const vs_contact_site *site, const vs_body *const at[2], const vs_row_group *group) {
    const vs_vec3 *frame = rows->frame.data + 3 * (int64_t)site->index;
    contact_side side[2];
    make_sides(view, contact, at, group, side);
    for (int i = 0; i < group->rows; i++) {
        vs_row_speeds speeds = i < 3 ? fill_row(side, contact->point, i, frame[i])
                                     : fill_turning_row(side, i, turning_axis(group, i, frame));
        vs_contact_rows_set(rows, view, site, group, i, speeds);
    }
}

typedef struct moved_pair {
    vs_body body[2];
} moved_pair;

// The same features of two convex colliders at the time of their impact within the step: the arms of its impulse are those of then.
// False: they do not meet.
static bool meet_later(const vs_step_view *view, double time, moved_pair *moved, vs_contact *contact) {
    const vs_world *world = view->world;
    const int colliders[2] = {contact->collider_a, contact->collider_b};
    vs_pose pose[2];
    for (int k = 0; k < 2; k++) {
        const vs_collider *c = &world->collider[colliders[k]];
        if (vs_shape_has_triangles(c->shape))
            return false;
        moved->body[k] = vs_blocks_move_body(view->blocks, world, c->body, view->blocks->free.data, time, true);
        pose[k] = vs_pose_multiply(moved->body[k].pose, c->pose);
    }
    const vs_former former = {.count = 1, .feature = {(uint32_t)contact->feature}};
    vs_manifold m = {.former = &former};
    (void)vs_collision_meet(view->collision, colliders[0], colliders[1], pose, vs_contact_size(world, contact), &m);
    for (int k = 0; k < m.count; k++)
        if (m.at[k].feature == (uint32_t)contact->feature) {
            contact->point = m.at[k].point, contact->normal = m.at[k].normal;
            return true;
        }
    return false;
}

// The bodies of a contact found within the step, as they meet: the arms of its impulse are those of then.
static void place_moved(const vs_step_view *view, const vs_contact *contact, moved_pair *moved) {
    const vs_pose *pose = view->moved + 2 * (int64_t)(contact->moved - 1);
    moved->body[0] = view->world->body[contact->a];
    moved->body[1] = view->world->body[contact->b];
    moved->body[0].pose = pose[0];
    moved->body[1].pose = pose[1];
}

// Is the contact one point, or are there others of the same two colliders that make a face? Contacts are sorted by
// bodies.
static bool is_point(const vs_contacts *contacts, int k) {
    const vs_contact *contact = &contacts->contact[k];
    int count = 1;
    for (int step = -1; step <= 1; step += 2)
        for (int j = k + step; j >= 0 && j < contacts->count && count < FACE; j += step) {
            const vs_contact *other = &contacts->contact[j];
            if (other->a != contact->a || other->b != contact->b)
                break;
            count += other->collider_a == contact->collider_a && other->collider_b == contact->collider_b;
        }
    return count < FACE;
}

void vs_contact_rows_add_adhesion(const vs_contact_rows *rows, const vs_row_groups *groups, const vs_blocks *blocks,
                                  double *c) {
    for (int64_t k = 0; k < groups->group.count; k++) {
        const vs_row_group *group = &groups->group.data[k];
        double shift = vs_row_group_is_contact(group) ? rows->adhesion.data[group->source] : 0;
        for (int part = 0; part < group->blocks && shift > 0; part++) {
            int width = vs_blocks_width(blocks, group->block[part]);
            int first = vs_blocks_column(blocks, group->block[part]);
            const double *J = vs_row_groups_values(groups, group).J + 6 * (int64_t)part * group->rows;
            for (int j = 0; j < width; j++)
                c[first + j] += shift * J[j];
        }
    }
}

// World axes; that of the first collider that has one.
static vs_vec3 find_grain(const vs_world *world, const vs_collider *const collider[2]) {
    for (int side = 0; side < 2; side++)
        if (vs_dot(collider[side]->grain, collider[side]->grain) > 0)
            return vs_rotate(world->body[collider[side]->body].pose.rotation, collider[side]->grain);
    return VS_ZERO3;
}

// The pair with mu and across of this step, in `room`.
static const vs_material *set_friction(const vs_step_view *view, const vs_contact *contact, const vs_material *pair,
                                       vs_material *room) {
    const double now = vs_friction_coefficient(view->friction, view->world, contact, pair);
    if (room != pair)
        *room = *pair;
    if (room->mu > 0)
        room->across *= now / room->mu;
    room->mu = now;
    return room;
}

static double inverse_mass(const vs_body *body) {
    return body->mass > 0 ? 1 / body->mass : 0;
}

static vs_error add_contact(vs_contact_rows *rows, const vs_step_view *view, const vs_contacts *contacts, int k) {
    const vs_world *world = view->world;
    const vs_contact *contact = &contacts->contact[k];
    const vs_collider *collider[2] = {&world->collider[contact->collider_a], &world->collider[contact->collider_b]};
    const int bodies[2] = {contact->a, contact->b};
    vs_material material;
    vs_contact_site site = {
        .index = k,
        .key = contact->key,
        .mark = {vs_bodies_key(contact->a, contact->b), contact->pair, contact->feature, contact->point},
        .normal = contact->normal,
        .gap = contact->gap,
        .late = contact->late,
        .bonded = contact->bond > 0,
        .size = vs_contact_size(world, contact),
        .material = vs_world_material_between(world, collider[0]->material, collider[1]->material, &material)};
    if (vs_friction_varies(site.material))
        site.material = set_friction(view, contact, site.material, &material);
    if (site.material->across > 0)
        site.grain = find_grain(world, collider);
    if (vs_material_is_soft(site.material))
        site.inverse_mass = inverse_mass(&world->body[bodies[0]]) + inverse_mass(&world->body[bodies[1]]);
    site.point = (site.material->rolling > 0 || site.material->spinning > 0) && is_point(contacts, k);
    vs_row_group group = vs_contact_rows_group(&site), *added;
    for (int side = 0; side < 2; side++)
        if (vs_blocks_of_body(view->blocks, bodies[side]) != VS_NO_BLOCK)
            group.block[group.blocks++] = vs_blocks_of_body(view->blocks, bodies[side]);
    vs_error error = vs_contact_rows_begin(rows, view, &site, &group, &added);
    if (error)
        return error;
    moved_pair moved;
    if (contact->moved > 0) {
        place_moved(view, contact, &moved);
        set_rows(rows, view, contact, &site, (const vs_body *[2]){&moved.body[0], &moved.body[1]}, added);
        return VS_OK;
    }
    const vs_body *at[2] = {vs_contact_body(world, contact, 0, NULL),
                            vs_contact_body(world, contact, 1, &moved.body[1])};
    set_rows(rows, view, contact, &site, at, added);
    const double time = rows->impact_time.data[k];
    vs_contact then = *contact;
    if (time > 0 && meet_later(view, time, &moved, &then)) {
        site.normal = then.normal;
        vs_contact_site_set_frame(rows, &site);
        set_rows(rows, view, &then, &site, (const vs_body *[2]){&moved.body[0], &moved.body[1]}, added);
    }
    return VS_OK;
}

vs_error vs_contact_rows_add(vs_contact_rows *rows, const vs_step_view *view, const vs_contacts *contacts) {
    vs_error error = VS_OK;
    for (int k = 0; k < contacts->count && !error; k++)
        error = add_contact(rows, view, contacts, k);
    return error;
}
