// Differences of the narrow phase: see contact_geometry.h.
#include "step/derivative/contact_geometry.h"

#include <math.h>

static const double STEP = 1e-3;                // d, see contact_geometry.h
static const double REDUCTION = .25;            //
static const int REDUCTIONS = 4;                // then rounding takes five digits
static const double SMOOTH = .1;                // of d, second differences without a kink
static const double SAME = 1e-9;                // of the size: a contact that is found again differs by no more
static const double REACH = .02;                // of the size: features are searched this far beyond the gap
enum { DIRECTIONS = 6, EVALUATIONS = 4 };       // at d, -d, 2d, -2d
static const double factor[4] = {1, -1, 2, -2}; // of d

// A pair of colliders at the present poses.
typedef struct close_pair {
    vs_collision *collision;
    int collider[2];
    vs_body body; // the second one
    vs_pose local, pose[2];
    vs_vec3 centre; // of its rotations
    double size, reach;
    vs_former former;
} close_pair;

typedef struct stencil {
    vs_manifold at[DIRECTIONS][EVALUATIONS];
} stencil;

// Of the first contact of a pair.
static close_pair make_pair(const vs_simulation *s, const vs_contact *contact) {
    const vs_world *world = s->world;
    close_pair pair = {.collision = s->contacts.collision,
                       .collider = {contact->collider_a, contact->collider_b},
                       .body = world->body[contact->b],
                       .local = world->collider[contact->collider_b].pose,
                       .centre = contact->point,
                       .size = vs_contact_size(world, contact),
                       .former = vs_step_contacts_features(s->contacts.rigid, contact)};
    for (int k = 0; k < 2; k++)
        pair.pose[k] = vs_collider_pose(world, &world->collider[pair.collider[k]]);
    pair.reach = REACH * pair.size;
    for (const vs_contact *c = contact; c < s->contacts.rigid->contact + s->contacts.rigid->count; c++)
        if (c->pair == contact->pair && c->a == contact->a && c->b == contact->b)
            pair.reach = fmax(pair.reach, fabs(c->gap) + REACH * pair.size);
    return pair;
}

// With the second body moved by x in one direction.
static void meet(const close_pair *pair, int direction, double x, vs_manifold *m) {
    const vs_vec3 axis = {direction % 3 == 0, direction % 3 == 1, direction % 3 == 2};
    vs_pose body = pair->body.pose, pose[2] = {pair->pose[0], pair->pose[1]};
    if (direction < 3) {
        body.position = vs_add_scaled(body.position, x, axis);
    } else {
        const vs_quat turn = vs_quat_exp(vs_scale(x, axis));
        body.position = vs_add(pair->centre, vs_rotate(turn, vs_subtract(body.position, pair->centre)));
        body.rotation = vs_quat_normalize(vs_quat_multiply(turn, body.rotation));
    }
    if (x != 0)
        pose[1] = vs_pose_multiply(body, pair->local);
    *m = (vs_manifold){.former = &pair->former};
    (void)vs_collision_meet(pair->collision, pair->collider[0], pair->collider[1], pose, pair->reach, m);
    m->former = NULL;
}

static void fill(const close_pair *pair, double d, stencil *all) {
    for (int i = 0; i < DIRECTIONS; i++)
        for (int k = 0; k < EVALUATIONS; k++)
            meet(pair, i, factor[k] * d * (i < 3 ? pair->size : 1), &all->at[i][k]);
}

static bool find(const vs_manifold *m, const vs_contact *contact, vs_contact_motion *out) {
    for (int k = 0; k < m->count; k++)
        if (m->at[k].feature == (uint32_t)contact->feature) {
            *out = (vs_contact_motion){m->at[k].point, m->at[k].normal, m->at[k].gap};
            return true;
        }
    return false;
}

// ---- differences -----------------------------------------------------------------------------------

static vs_vec3 difference(vs_vec3 a, vs_vec3 b, vs_vec3 c, vs_vec3 d, double h) {
    return vs_scale(1 / (12 * h), vs_subtract(vs_scale(8, vs_subtract(a, b)), vs_subtract(c, d)));
}

// |f(d) + f(-d) - 2 f| of gap, point and normal, relative to the size.
static double bend(const vs_contact_motion f[EVALUATIONS], const vs_contact *at, double size) {
    const vs_vec3 point = vs_subtract(vs_add(f[0].point, f[1].point), vs_scale(2, at->point));
    const vs_vec3 normal = vs_subtract(vs_add(f[0].normal, f[1].normal), vs_scale(2, at->normal));
    return fmax(fmax(fabs(f[0].gap + f[1].gap - 2 * at->gap), vs_length(point)) / size, vs_length(normal));
}

// Directions of the second body; false: the contact is lost.
static bool differentiate(const stencil *all, const vs_contact *contact, double d, double size,
                          vs_contact_motion by[DIRECTIONS], bool *kink) {
    *kink = false;
    for (int i = 0; i < DIRECTIONS; i++) {
        const double h = d * (i < 3 ? size : 1);
        vs_contact_motion f[EVALUATIONS];
        for (int k = 0; k < EVALUATIONS; k++)
            if (!find(&all->at[i][k], contact, &f[k]))
                return false;
        by[i].point = difference(f[0].point, f[1].point, f[2].point, f[3].point, h);
        by[i].normal = difference(f[0].normal, f[1].normal, f[2].normal, f[3].normal, h);
        by[i].gap = (8 * (f[0].gap - f[1].gap) - (f[2].gap - f[3].gap)) / (12 * h);
        *kink = *kink || bend(f, contact, size) > SMOOTH * d;
    }
    return true;
}

// ---- both bodies -----------------------------------------------------------------------------------

// From directions about the centre of the rotations to those of both bodies about their centres of mass. A body that turns about x by
// r moves by r x (centre - x) at the centre. If both move alike, so do point and normal, and the gap stays.
static void spread(const vs_simulation *s, const vs_contact *contact, vs_vec3 centre,
                   const vs_contact_motion by[DIRECTIONS], vs_contact_geometry *out) {
    const vs_vec3 xa = s->world->body[contact->a].pose.position, xb = s->world->body[contact->b].pose.position;
    for (int k = 0; k < 12; k++) {
        const vs_vec3 axis = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
        const bool second = k >= 6, turns = k % 6 >= 3;
        const vs_vec3 way = turns ? vs_cross(axis, vs_subtract(centre, second ? xb : xa)) : axis;
        vs_contact_motion sum = {0};
        for (int i = 0; i < DIRECTIONS; i++) {
            const double share = i < 3 ? vs_component(way, i) : turns ? vs_component(axis, i - 3) : 0;
            sum.point = vs_add_scaled(sum.point, share, by[i].point);
            sum.normal = vs_add_scaled(sum.normal, share, by[i].normal);
            sum.gap += share * by[i].gap;
        }
        if (!second) {
            const vs_vec3 carried = turns ? vs_cross(axis, vs_subtract(contact->point, xa)) : axis;
            sum.point = vs_subtract(carried, sum.point);
            sum.normal = vs_subtract(turns ? vs_cross(axis, contact->normal) : VS_ZERO3, sum.normal);
            sum.gap = -sum.gap;
        }
        out->by[k] = sum;
    }
}

// ---- pairs -----------------------------------------------------------------------------------------

static bool is_found_again(const close_pair *pair, const vs_manifold *m, const vs_contact *contact) {
    vs_contact_motion now;
    return find(m, contact, &now) && fabs(now.gap - contact->gap) <= SAME * pair->size &&
           vs_length(vs_subtract(now.point, contact->point)) <= SAME * pair->size &&
           vs_length(vs_subtract(now.normal, contact->normal)) <= SAME;
}

static bool find_contact(const vs_simulation *s, const close_pair *pair, const vs_contact *contact, stencil *all,
                         double *filled, vs_contact_geometry *out) {
    vs_contact_motion by[DIRECTIONS];
    double d = STEP;
    bool complete = false;
    for (int k = 0; k <= REDUCTIONS; k++) {
        if (*filled != d)
            fill(pair, d, all);
        *filled = d;
        bool kink = false;
        complete = differentiate(all, contact, d, pair->size, by, &kink);
        out->kink = kink;
        if (complete && !kink)
            break;
        d *= REDUCTION;
    }
    if (complete)
        spread(s, contact, pair->centre, by, out);
    return complete;
}

static bool is_of_pair(const vs_contact *contact, const vs_contact *other) {
    return contact->a == other->a && contact->b == other->b && contact->pair == other->pair;
}

// Contacts of two bodies stand together.
static bool is_first(const vs_contacts *all, const bool *wanted, int k) {
    const vs_contact *contact = &all->contact[k];
    for (int j = k - 1; j >= 0 && all->contact[j].a == contact->a && all->contact[j].b == contact->b; j--)
        if (wanted[j] && is_of_pair(contact, &all->contact[j]))
            return false;
    return wanted[k];
}

// All wanted contacts of the pair of contact k.
static bool find_pair(const vs_simulation *s, const bool *wanted, int k, vs_contact_geometry *geometry, int *missed) {
    const vs_contacts *all = s->contacts.rigid;
    const close_pair pair = make_pair(s, &all->contact[k]);
    double filled = 0; // the d of the stencil
    stencil around;
    vs_manifold here;
    meet(&pair, 0, 0, &here);
    for (int j = k; j < all->count && all->contact[j].a == all->contact[k].a && all->contact[j].b == all->contact[k].b;
         j++) {
        const vs_contact *contact = &all->contact[j];
        if (!wanted[j] || !is_of_pair(contact, &all->contact[k]))
            continue;
        *missed = j;
        if (!is_found_again(&pair, &here, contact) || !find_contact(s, &pair, contact, &around, &filled, &geometry[j]))
            return false;
    }
    return true;
}

bool vs_contact_geometry_find(const vs_simulation *s, const bool *wanted, vs_contact_geometry *geometry, int *missed) {
    const vs_contacts *all = s->contacts.rigid;
    for (int k = 0; k < all->count; k++)
        if (is_first(all, wanted, k) && !find_pair(s, wanted, k, geometry, missed))
            return false;
    return true;
}
