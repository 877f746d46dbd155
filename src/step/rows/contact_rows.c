// Rows of contacts between rigid bodies; frames and right-hand sides of all contacts. See contact_rows.h.
#include "step/rows/contact_rows.h"

#include <math.h>
#include <string.h>

#include "material/friction.h"
#include "material/material.h"
#include "step/rows/friction_coefficient.h"
#include "step/rows/point_jacobian.h"
#include "step/rows/soft_contact.h"

static const double LEAST_GRAIN = 1e-3; // sine of its angle with the normal: less has no direction
static const double SLOP = 1e-9;        // of a body's size
static const double FAR = 10;           // sizes of a body, approached within a step of shake: its impacts have no time
static const double ADHERES = 1e-4;     // of a body's size: gaps over which a contact that touched still adheres
static const int FACE = 3;              // contacts of two colliders from which they are a face
static const double CONTROLLED_SLOP = .1; // of the accuracy
// Of the size: overlaps of contacts that are not located are errors below this, too. A coarse accuracy is no reason to sink
// through a thin wall.
static const double DEEPEST = 1e-3;

void vs_contact_rows_release(vs_context *context, vs_contact_rows *rows) {
    VS_ARRAY_RELEASE(context, &rows->mark);
    VS_ARRAY_RELEASE(context, &rows->frame);
    VS_ARRAY_RELEASE(context, &rows->size);
    VS_ARRAY_RELEASE(context, &rows->offset);
    VS_ARRAY_RELEASE(context, &rows->restitution);
    VS_ARRAY_RELEASE(context, &rows->adhesion);
    VS_ARRAY_RELEASE(context, &rows->impact_time);
    VS_ARRAY_RELEASE(context, &rows->stretch);
}

vs_error vs_contact_rows_reserve(vs_contact_rows *rows, vs_context *context, int contacts) {
    vs_error error = VS_RESERVE(context, &rows->frame, 3 * (int64_t)contacts);
    if (!error)
        error = VS_RESERVE(context, &rows->mark, contacts);
    if (!error)
        error = VS_RESERVE(context, &rows->size, contacts);
    if (!error)
        error = VS_RESERVE(context, &rows->restitution, contacts);
    if (!error)
        error = VS_RESERVE(context, &rows->adhesion, contacts);
    if (!error)
        error = VS_RESERVE(context, &rows->impact_time, contacts);
    if (!error)
        error = VS_RESERVE(context, &rows->stretch, contacts);
    return error ? error : VS_RESERVE(context, &rows->offset, 3 * (int64_t)contacts);
}

// ---- a contact between any two things --------------------------------------------------------------

// Axes of a contact. With a grain u is along it, and w is stretched: contact_rows.h.
static void set_frame(vs_contact_rows *rows, const vs_contact_site *site) {
    vs_vec3 *frame = rows->frame.data + 3 * (int64_t)site->index;
    double *stretch = &rows->stretch.data[site->index];
    vs_contact_frame(site->normal, frame);
    *stretch = 1;
    if (!(site->material->across > 0))
        return;
    const vs_vec3 along = vs_add_scaled(site->grain, -vs_dot(site->grain, site->normal), site->normal);
    if (!(vs_length(along) > LEAST_GRAIN))
        return;
    *stretch = site->material->across / site->material->mu;
    frame[1] = vs_normalize(along);
    frame[2] = vs_scale(*stretch, vs_cross(site->normal, frame[1]));
}

vs_row_group vs_contact_rows_group(const vs_contact_site *site) {
    const vs_material *material = site->material;
    bool rolls = site->point && material->rolling > 0, spins = site->point && material->spinning > 0;
    bool friction = material->mu > 0 || rolls || spins;
    return (vs_row_group){.kind = friction ? VS_GROUP_FRICTION : VS_GROUP_FRICTIONLESS,
                          .rows = friction ? 3 + 2 * rolls + spins : 1,
                          .mu = material->mu,
                          .rolling = rolls ? material->rolling : 0,
                          .spinning = spins ? material->spinning : 0,
                          .elliptic =
                              (rolls || spins) && material->mu > 0 && material->coupling == VS_COUPLING_ELLIPTIC,
                          .key = site->key,
                          .source = site->index};
}

vs_error vs_contact_rows_begin(vs_contact_rows *rows, const vs_step_view *view, const vs_contact_site *site,
                               const vs_row_group *group, vs_row_group **added) {
    vs_error error = vs_row_groups_add(view->groups, view->world->context, *group, added);
    if (error)
        return error;
    set_frame(rows, site);
    rows->mark.data[site->index] = site->mark;
    rows->size.data[site->index] = site->size;
    bool closed = site->gap <= (isfinite(site->size) ? ADHERES * site->size : 0);
    rows->adhesion.data[site->index] = closed ? view->kick->push * site->material->adhesion : 0;
    return VS_OK;
}

double vs_contact_rows_slop(double size) {
    return isfinite(size) ? SLOP * size : 0;
}

double vs_contact_rows_controlled_slop(const vs_simulation_options *options, double size) {
    return CONTROLLED_SLOP * vs_contact_rows_deepest(options, size);
}

double vs_contact_rows_deepest(const vs_simulation_options *options, double size) {
    return isfinite(size) ? fmin(options->accuracy, DEEPEST) * size : 0;
}

double vs_contact_rows_least_impact(const vs_simulation_options *options, const vs_world *world, double size) {
    const double gravity = vs_length(world->gravity), depth = isfinite(size) ? options->accuracy * size : 0;
    if (options->restitution_speed >= 0)
        return options->restitution_speed;
    return gravity > 0 ? sqrt(2 * gravity * depth) : depth; // without gravity: depth in a second
}

double vs_contact_rows_slowest_impact(const vs_simulation_options *options, const vs_world *world, double h) {
    return options->restitution_speed < 0 ? 2 * vs_length(world->gravity) * h : options->restitution_speed;
}

// m/s, at most, with which a penetration opens. The body keeps it, and short controlled steps would throw it off: there
// a penetration of a L opens with the speed a sqrt(g L) that may be an error.
static double find_recovery_speed(const vs_step_view *view, const vs_contact_site *site) {
    const double g = vs_length(view->world->gravity), h = view->kick->h, size = site->size;
    if (view->options->recovery_speed > 0)
        return view->options->recovery_speed;
    if (!isfinite(size))
        return 1;
    const double fast = fmin(.1 / h, 1) * size;
    return view->kick->half ? fmin(fast, fmax(-site->gap, 0) * (g > 0 ? sqrt(g / size) : 1)) : fast;
}

// Right-hand side of the normal row without restitution: closes the gap, or opens a penetration.
static double closing_offset(const vs_step_view *view, const vs_contact_site *site, int block) {
    const vs_simulation_options *options = view->options;
    double h = view->kick->h, size = site->size, gap = site->gap;
    double v_rec = find_recovery_speed(view, site);
    // Gaps and penetrations within the tolerance of earlier steps are not corrected: a wall at rest then poses the same
    // problem in each step.
    double slop = view->kick->half ? vs_contact_rows_controlled_slop(options, size) : vs_contact_rows_slop(size);
    const bool calm = view->calm && view->calm[block] && !(site->material->compliance > 0);
    gap = calm ? fmax(gap, 0) : gap;
    if (site->late)
        return -gap / h;
    gap -= fmin(fmax(gap, -slop), slop);
    return -fmax(gap / h, -v_rec);
}

static bool rebounds(const vs_step_view *view, const vs_contact_site *site, double u_old, double u_free) {
    const vs_simulation_options *options = view->options;
    if (vs_material_is_soft(site->material) || site->bonded)
        return false; // its spring does, or it is crushed
    const double h = view->kick->h;
    if (view->kick->half)
        return view->kick->length == 0 && -u_old > vs_contact_rows_least_impact(options, view->world, site->size) &&
               vs_restitution_at(site->material, -u_old) > 0;
    const double v_min = vs_contact_rows_slowest_impact(options, view->world, h);
    return vs_restitution_at(site->material, -u_old) > 0 && site->gap + h * u_free <= 0 && -u_old > v_min;
}

// The normal row in the stages of rattle.
static void set_half_kick(const vs_step_view *view, const vs_contact_site *site, double u_old, vs_row_values values,
                          bool impact, double *offset) {
    const vs_kick *kick = view->kick;
    const bool soft = site->material->compliance > 0;
    if (soft) {
        offset[0] = u_old - site->gap / kick->mean;
        values.E[0] = site->material->compliance / (kick->mean * kick->length);
    } else if (kick->level && !impact) {
        offset[0] = 0;
    }
    if (soft || kick->level)
        values.recovery[0] = 0;
}

// An impact within a step of shake, at the time t after its beginning. Velocities are those of the middle of steps: forces change
// the speed u by a = u_free - u_old per step, and
//
//     gap + t (u_old + (1 + t/h)/2 a) = 0,    u_- = u_old + (1/2 + t/h) a,    u(k+1/2) = -e u_- + (1/2 - t/h) a
//
// A body that comes from far away within the step meets at its beginning, as with Moreau's scheme: what the impact sets in
// motion could otherwise pass through others in the rest of the step.
static double set_impact(const vs_step_view *view, const vs_contact_site *site, int block, double e,
                         vs_row_speeds speeds, double *time) {
    const double h = view->kick->h, a = speeds.free - speeds.old;
    if (!view->collision || !view->kick->centred || view->kick->half || view->blocks->flexible ||
        -h * speeds.old > FAR * site->size)
        return -e * speeds.old;
    const double latest = view->latest_impact ? fmin(view->latest_impact[block], h) : h;
    double t = 0;
    for (int k = 0; k < 3; k++)
        t = fmin(fmax(-site->gap / (speeds.old + .5 * (1 + t / h) * a), 0), latest);
    *time = t;
    return fmax(-e * (speeds.old + (.5 + t / h) * a) + (.5 - t / h) * a, 0);
}

static void set_soft(const vs_step_view *view, const vs_contact_site *site, double u_old, vs_row_values values,
                     double *offset) {
    const vs_soft_state state = {.gap = site->gap,
                                 .u_old = u_old,
                                 .inverse_mass = site->inverse_mass > 0 ? site->inverse_mass : INFINITY,
                                 .least = isfinite(site->size) ? SLOP * site->size : SLOP};
    vs_soft_contact_row(site->material, &state, view->kick->h, view->kick->length, &values.E[0], &offset[0]);
    values.recovery[0] = 0;
}

void vs_contact_rows_set(vs_contact_rows *rows, const vs_step_view *view, const vs_contact_site *site,
                         const vs_row_group *added, int i, vs_row_speeds speeds) {
    vs_row_values values = vs_row_groups_values(view->groups, added);
    double h = view->kick->h, *offset = rows->offset.data + 3 * (int64_t)site->index;
    double factor = view->restitution_factor ? view->restitution_factor[added->block[0]] : 1;
    double *e = &rows->restitution.data[site->index];
    if (i == 0) {
        bool impact = rebounds(view, site, speeds.old, speeds.free);
        *e = factor * vs_restitution_at(site->material, -speeds.old);
        rows->impact_time.data[site->index] = -1;
        offset[0] = impact ? set_impact(view, site, added->block[0], *e, speeds, &rows->impact_time.data[site->index])
                           : closing_offset(view, site, added->block[0]);
        values.recovery[0] = impact ? 0 : fmax(offset[0], 0);
        values.E[0] = site->material->compliance / (h * h);
        if (view->kick->half)
            set_half_kick(view, site, speeds.old, values, impact, offset);
        if (vs_material_is_soft(site->material))
            set_soft(view, site, speeds.old, values, offset);
    } else if (i < 3) {
        bool impact = offset[0] > 0 && values.recovery[0] == 0;
        offset[i] = impact && site->material->impact == VS_IMPACT_MOREAU ? -*e * speeds.old : 0;
    }
    values.b[i] = (i < 3 ? offset[i] : 0) - speeds.prescribed;
    values.prescribed[i] = speeds.prescribed;
    values.prescribed_mean[i] = speeds.prescribed_mean;
}

// ---- rigid bodies ----------------------------------------------------------------------------------

double vs_contact_size(const vs_world *world, const vs_contact *contact) {
    return fmin(world->collider[contact->collider_a].shape->size, world->collider[contact->collider_b].shape->size);
}

// Adds what one body contributes to row i of a contact: its speeds, and its part of J unless its motion is prescribed.
static void add_side(const vs_step_view *view, int index, const vs_row_group *group, int i, const double row[6],
                     int *part, vs_row_speeds *speeds) {
    const vs_body *body = &view->world->body[index];
    int block = vs_blocks_of_body(view->blocks, index);
    double now[6], mean[6];
    vs_body_get_velocities(body, now);
    speeds->old += vs_jacobian_times(row, now);
    if (block == VS_NO_BLOCK) {
        vs_body_get_mean_velocities(body, mean);
        speeds->prescribed += vs_jacobian_times(row, now);
        speeds->prescribed_mean += vs_jacobian_times(row, mean);
        speeds->free += vs_jacobian_times(row, now);
    } else {
        double *J = vs_row_groups_values(view->groups, group).J;
        memcpy(J + 6 * ((int64_t)(*part)++ * group->rows + i), row, 6 * sizeof(double));
        speeds->free += vs_jacobian_times(row, view->blocks->free.data + 6 * (int64_t)block);
    }
}

// J of row i of a contact, along d. at: the two bodies at the poses for which it is.
static vs_row_speeds fill_row(const vs_step_view *view, const vs_contact *contact, const vs_body *const at[2],
                              const vs_row_group *group, int i, vs_vec3 d) {
    const vs_world *world = view->world;
    const int bodies[2] = {contact->a, contact->b}, colliders[2] = {contact->collider_a, contact->collider_b};
    vs_row_speeds speeds = {0};
    for (int side = 0, part = 0; side < 2; side++) {
        int sign = side ? 1 : -1;
        double row[6];
        vs_point_jacobian(at[side], contact->point, d, sign, row);
        add_side(view, bodies[side], group, i, row, &part, &speeds);
        double surface =
            vs_dot(d, vs_rotate(at[side]->pose.rotation, world->collider[colliders[side]].surface_velocity));
        speeds.old += sign * surface;
        speeds.prescribed += sign * surface;
        speeds.prescribed_mean += sign * surface;
    }
    return speeds;
}

// The same of a row of relative angular velocity along d.
static vs_row_speeds fill_turning_row(const vs_step_view *view, const vs_contact *contact, const vs_body *const at[2],
                                      const vs_row_group *group, int i, vs_vec3 d) {
    const int bodies[2] = {contact->a, contact->b};
    vs_row_speeds speeds = {0};
    for (int side = 0, part = 0; side < 2; side++) {
        vs_vec3 axis = vs_scale(side ? 1 : -1, vs_rotate_back(at[side]->pose.rotation, d));
        const double row[6] = {0, 0, 0, axis.x, axis.y, axis.z};
        add_side(view, bodies[side], group, i, row, &part, &speeds);
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
    for (int i = 0; i < group->rows; i++) {
        vs_row_speeds speeds = i < 3 ? fill_row(view, contact, at, group, i, frame[i])
                                     : fill_turning_row(view, contact, at, group, i, turning_axis(group, i, frame));
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
    set_rows(rows, view, contact, &site, (const vs_body *[2]){&world->body[bodies[0]], &world->body[bodies[1]]}, added);
    const double time = rows->impact_time.data[k];
    vs_contact then = *contact;
    if (time > 0 && meet_later(view, time, &moved, &then)) {
        site.normal = then.normal;
        set_frame(rows, &site);
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
