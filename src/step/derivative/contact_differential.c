// Rows of contacts to first order: see contact_differential.h. The rows and right-hand sides are those of contact_rows.h,
//
//     J = s (d, R'(r x d)),  r = p - x         dJ = s (dd, R'(dr x d + r x dd - t x (r x d)))        R turns by t
//     J = s (0, R'd)                           dJ = s (0, R'(dd - t x d))                            rolling, spinning
//     b = -e u_old,  -gap/h                    db = -e du_old,  -dgap/h;  0 while a penetration opens with its largest speed
//
// Gaps and penetrations that count as closed (1e-9 of a body's size) are not an exception here: the derivative is that of larger
// ones.
#include "step/derivative/contact_differential.h"

#include <math.h>
#include <string.h>

#include "step/rows/contact_rows.h"
#include "step/rows/point_jacobian.h"

typedef struct contact_body {
    const vs_body *body;
    vs_vec3 surface; // m/s, world axes
    double sign;
    int block;
} contact_body;

// A contact with the values that its differential is about.
typedef struct linear_contact {
    const vs_simulation *s;
    const vs_row_group *group;
    contact_body side[2];
    vs_vec3 point, frame[3];
    double e;           // restitution of an impact; 0: it closes the gap
    bool level;         // velocities alone: gaps do not count
    bool moreau, opens; // law of impact; a penetration, with the largest speed
    const double *v, *lambda;
} linear_contact;

// A direction: of one body's state, with the motion of the contact.
typedef struct direction {
    int side;                      // whose body moves
    vs_vec3 shift, turn;           // of its pose
    vs_vec3 velocity, spin;        // world axes
    const vs_contact_motion *move; // null: the poses stay
    vs_vec3 frame[3];              // directions of the axes
} direction;

// ---- the contact -----------------------------------------------------------------------------------

static linear_contact make_contact(const vs_simulation *s, int k, const double *v, const double *lambda) {
    const vs_world *world = s->world;
    const vs_contact *contact = &s->contacts.rigid->contact[k];
    linear_contact c = {.s = s,
                        .group = &s->groups.group.data[k],
                        .point = contact->point,
                        .v = v,
                        .lambda = lambda,
                        .level = s->kick.level};
    memcpy(c.frame, s->contact_rows.frame.data + 3 * (int64_t)k, sizeof c.frame);
    for (int i = 0; i < 2; i++) {
        const int index = i ? contact->b : contact->a;
        const vs_collider *collider = &world->collider[i ? contact->collider_b : contact->collider_a];
        c.side[i] =
            (contact_body){&world->body[index], vs_rotate(world->body[index].pose.rotation, collider->surface_velocity),
                           i ? 1 : -1, vs_blocks_of_body(&s->blocks, index)};
    }
    const vs_row_values values = vs_row_groups_values(&s->groups, c.group);
    const double offset = s->contact_rows.offset.data[3 * (int64_t)k], h = s->kick.h;
    vs_material room;
    const vs_material *material = vs_world_material_of(world, contact->collider_a, contact->collider_b, &room);
    if (offset > 0 && !(values.recovery[0] > 0)) {
        c.e = s->contact_rows.restitution.data[k];
        c.moreau = material->impact == VS_IMPACT_MOREAU;
    } else {
        const double slop = vs_contact_rows_slop(s->contact_rows.size.data[k]);
        c.opens = contact->gap < -slop && h * offset < (1 - 1e-9) * (-contact->gap - slop);
    }
    return c;
}

// Axes are a fixed function of the normal: point_jacobian.h.
static void turn_frame(const vs_vec3 frame[3], vs_vec3 dn, vs_vec3 out[3]) {
    const vs_vec3 n = frame[0], axis = fabs(n.x) < .6 ? (vs_vec3){1, 0, 0} : (vs_vec3){0, 1, 0};
    const vs_vec3 dy = vs_cross(dn, axis);
    out[0] = dn;
    out[1] = vs_scale(1 / vs_length(vs_cross(n, axis)), vs_add_scaled(dy, -vs_dot(frame[1], dy), frame[1]));
    out[2] = vs_add(vs_cross(dn, frame[1]), vs_cross(n, out[1]));
}

static direction make_direction(const linear_contact *c, const vs_contact_geometry *geometry, int k) {
    const vs_vec3 axis = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
    const int kind = k % 12 / 3;
    direction d = {.side = k / 12};
    if (kind < 2)
        d.move = &geometry->by[6 * d.side + k % 12];
    if (d.move)
        turn_frame(c->frame, d.move->normal, d.frame);
    *(kind == 0 ? &d.shift : kind == 1 ? &d.turn : kind == 2 ? &d.velocity : &d.spin) = axis;
    return d;
}

// ---- rows ------------------------------------------------------------------------------------------

// Which axis row i is along, and whether it is one of turning: contact_rows.c.
static int axis_of(const vs_row_group *group, int i, bool *turning) {
    *turning = i >= 3;
    return i < 3 ? i : group->rolling > 0 && i < 5 ? i - 2 : 0;
}

static void set_row(const contact_body *side, vs_vec3 linear, vs_vec3 angular, double J[6]) {
    const vs_vec3 turn = vs_rotate_back(side->body->pose.rotation, angular);
    const double all[6] = {linear.x, linear.y, linear.z, turn.x, turn.y, turn.z};
    for (int k = 0; k < 6; k++)
        J[k] = side->sign * all[k];
}

// J of a row of one body, and its direction.
static void differentiate_row(const linear_contact *c, const direction *d, int i, int k, double J[6], double dJ[6]) {
    const contact_body *side = &c->side[k];
    const bool moves = d->side == k;
    const vs_vec3 t = moves ? d->turn : VS_ZERO3;
    bool turning;
    const int at = axis_of(c->group, i, &turning);
    const vs_vec3 axis = c->frame[at], change = d->frame[at];
    if (turning) {
        set_row(side, VS_ZERO3, axis, J);
        set_row(side, VS_ZERO3, vs_subtract(change, vs_cross(t, axis)), dJ);
        return;
    }
    const vs_vec3 r = vs_subtract(c->point, side->body->pose.position), moment = vs_cross(r, axis);
    const vs_vec3 dr = vs_subtract(d->move ? d->move->point : VS_ZERO3, moves ? d->shift : VS_ZERO3);
    const vs_vec3 dm = vs_add(vs_cross(dr, axis), vs_cross(r, change));
    set_row(side, axis, moment, J);
    set_row(side, change, vs_subtract(dm, vs_cross(t, moment)), dJ);
}

// Directions of the velocity of a row before the step, and of the part of it that is prescribed.
static void differentiate_speed(const linear_contact *c, const direction *d, int i, int k, const double J[6],
                                const double dJ[6], double *old, double *prescribed) {
    const contact_body *side = &c->side[k];
    double now[6], change = 0;
    vs_body_get_velocities(side->body, now);
    if (d->side == k) {
        const vs_quat R = side->body->pose.rotation;
        const vs_vec3 spin = vs_rotate(R, side->body->spin);
        const vs_vec3 w = vs_rotate_back(R, vs_subtract(d->spin, vs_cross(d->turn, spin)));
        const double dv[6] = {d->velocity.x, d->velocity.y, d->velocity.z, w.x, w.y, w.z};
        change = vs_jacobian_times(J, dv);
    }
    const double moved = vs_jacobian_times(dJ, now) + change;
    *old += moved;
    if (side->block == VS_NO_BLOCK)
        *prescribed += moved;
    if (i >= 3)
        return;
    const vs_vec3 carried = d->side == k ? vs_cross(d->turn, side->surface) : VS_ZERO3;
    const double surface = side->sign * (vs_dot(d->frame[i], side->surface) + vs_dot(c->frame[i], carried));
    *old += surface;
    *prescribed += surface;
}

static double offset_of(const linear_contact *c, const direction *d, int i, double old) {
    if (i >= 3)
        return 0;
    if (c->e > 0)
        return i == 0 || c->moreau ? -c->e * old : 0;
    return i == 0 && !c->opens && !c->level && d->move ? -d->move->gap / c->s->kick.h : 0;
}

// Column of one direction.
static void set_column(const linear_contact *c, const direction *d, double *column) {
    for (int i = 0; i < c->group->rows; i++) {
        double old = 0, prescribed = 0, moved = 0;
        for (int k = 0; k < 2; k++) {
            double J[6], dJ[6];
            differentiate_row(c, d, i, k, J, dJ);
            differentiate_speed(c, d, i, k, J, dJ, &old, &prescribed);
            if (c->side[k].block == VS_NO_BLOCK)
                continue;
            moved += vs_jacobian_times(dJ, c->v + vs_blocks_column(&c->s->blocks, c->side[k].block));
            for (int j = 0; j < 6; j++)
                column[(6 * k + j) * VS_CONTACT_IN] -= dJ[j] * c->lambda[c->group->row + i];
        }
        column[(12 + i) * VS_CONTACT_IN] = offset_of(c, d, i, old) - prescribed - moved;
    }
}

// b = -e u_old: by e.
static void set_restitution(const linear_contact *c, vs_contact_differential *d) {
    for (int i = 0; i < 3 && i < c->group->rows && c->e > 0; i++) {
        double old = 0;
        for (int k = 0; k < 2; k++) {
            double row[6], now[6];
            vs_point_jacobian(c->side[k].body, c->point, c->frame[i], c->side[k].sign, row);
            vs_body_get_velocities(c->side[k].body, now);
            old += vs_jacobian_times(row, now) + c->side[k].sign * vs_dot(c->frame[i], c->side[k].surface);
        }
        d->by_restitution[i] = i == 0 || c->moreau ? -old : 0;
    }
}

void vs_contact_differential_set(vs_contact_differential *d, const vs_simulation *s, int k,
                                 const vs_contact_geometry *geometry, const double *v, const double *lambda) {
    const linear_contact c = make_contact(s, k, v, lambda);
    const vs_contact *contact = &s->contacts.rigid->contact[k];
    *d = (vs_contact_differential){.block = {c.side[0].block, c.side[1].block},
                                   .row = c.group->row,
                                   .rows = c.group->rows,
                                   .material = {s->world->collider[contact->collider_a].material,
                                                s->world->collider[contact->collider_b].material},
                                   .slides = c.group->mu > 0,
                                   .rolls = c.group->rolling > 0,
                                   .spins = c.group->spinning > 0};
    set_restitution(&c, d);
    for (int j = 0; j < VS_CONTACT_IN; j++) {
        if (c.side[j / 12].block == VS_NO_BLOCK)
            continue;
        const direction by = make_direction(&c, geometry, j);
        set_column(&c, &by, d->by_state + j);
    }
}
