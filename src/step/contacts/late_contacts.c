// Contacts that only the end of a step shows: bodies turn, and other points of theirs meet than those that were closest
// at its beginning. Contacts are linear in the velocities,
//
//     gap + h n.u >= 0   at one point with one normal,
//
// so that a box that falls on an edge may turn a corner into the floor within the step, and the gaps of points that
// turn are exact only to second order in h. With the solution v the poses at the end of the step are known. Where a pair
// of colliders overlaps there, more than at the beginning, the contact found there, with its gap, becomes one of the
// step: its gap at the beginning is the one that makes the linear condition exact at v,
//
//     gap_0 = gap_end - h n.u(v)
//
// (gap_end relative to the overlap at the beginning, if there was one),
// and the step is solved again: a Newton step on the true condition gap_end >= 0. The point is moved back with the two
// bodies. Pairs that hardly turn are exact and cost nothing, and so are balls, however they turn. An overlap that the rows of
// the pair see as well, gap + h n.u < 0, is no late contact but an error of the solution, within its tolerance: solved again it
// would come again.
#include "step/contacts/late_contacts.h"

#include <math.h>

#include "base/array.h"
#include "base/hash.h"
#include "step/rows/contact_rows.h"
#include "step/rows/island_tolerance.h"

// Cosine: normals are opposed if their angle is 120 degrees or more, which no edge that is not sharper than 60 degrees shows.
static const double BEHIND = .5;

// ---- the end of the step ---------------------------------------------------------------------------

// A body at both ends of the step.
typedef struct moving_body {
    vs_pose begin, end;
    vs_vec3 velocity, spin; // world axes, as solved
} moving_body;

vs_late_motion vs_late_motion_of(const vs_late_search *s, int index) {
    const vs_body *body = &s->step->world->body[index];
    int block = vs_blocks_of_body(s->step->blocks, index);
    vs_vec3 velocity = body->velocity, spin = body->spin;
    if (block != VS_NO_BLOCK) {
        const double *v = s->v + 6 * (int64_t)block;
        velocity = (vs_vec3){v[0], v[1], v[2]};
        spin = (vs_vec3){v[3], v[4], v[5]};
    }
    return (vs_late_motion){velocity, vs_rotate(body->pose.rotation, spin)};
}

// Its image, moved by `shift`.
static moving_body move_body(const vs_late_search *s, int index, vs_vec3 shift) {
    const vs_late_motion motion = vs_late_motion_of(s, index);
    vs_pose begin = s->step->world->body[index].pose;
    vs_pose end =
        vs_blocks_move_body(s->step->blocks, s->step->world, index, s->v, s->step->kick->h, s->step->kick->centred)
            .pose;
    begin.position = vs_add(begin.position, shift);
    end.position = vs_add(end.position, shift);
    return (moving_body){begin, end, motion.velocity, motion.spin};
}

static vs_vec3 move_back(const moving_body *body, vs_vec3 x) {
    return vs_pose_apply(body->begin, vs_pose_apply_back(body->end, x));
}

static vs_vec3 velocity_of(const moving_body *body, vs_vec3 x) {
    return vs_add(body->velocity, vs_cross(body->spin, vs_subtract(x, body->begin.position)));
}

// The way of a point of the body within the step that is due to its turning.
static double turn_of(const moving_body *body, vs_vec3 x, double h) {
    return h * vs_length(body->spin) * vs_length(vs_subtract(x, body->begin.position));
}

// ---- one pair of colliders -------------------------------------------------------------------------

static bool same_bodies(const vs_contact *p, const vs_contact *q) {
    return p->a == q->a && p->b == q->b;
}

static bool same_colliders(const vs_contact *p, const vs_contact *q) {
    return p->collider_a == q->collider_a && p->collider_b == q->collider_b;
}

static bool is_located(const vs_late_search *s, const vs_contact *pair) {
    for (int64_t k = 0; k < s->located_count; k++)
        if (s->located[k].pair == pair->pair)
            return true;
    return false;
}

double vs_late_gap_in_row(const vs_late_search *s, const vs_contact *c) {
    const int bodies[2] = {c->a, c->b};
    double gap = c->gap;
    for (int side = 0; side < 2; side++) {
        const vs_late_motion m = vs_late_motion_of(s, bodies[side]);
        vs_body image;
        const vs_vec3 arm = vs_subtract(c->point, vs_contact_body(s->step->world, c, side, &image)->pose.position);
        gap += (side ? 1 : -1) * s->step->kick->h * vs_dot(c->normal, vs_add(m.velocity, vs_cross(m.spin, arm)));
    }
    return gap;
}

// The contact of the step that is exact for the solution.
static vs_contact make_contact(const vs_late_search *s, const vs_contact *pair, const moving_body body[2],
                               vs_vec3 point, vs_vec3 normal, double gap) {
    const double h = s->step->kick->h;
    vs_contact late = *pair;
    late.point = vs_scale(.5, vs_add(move_back(&body[0], point), move_back(&body[1], point)));
    late.normal = normal;
    vs_vec3 u = vs_subtract(velocity_of(&body[1], late.point), velocity_of(&body[0], late.point));
    // The linear gap of bodies that were apart is negative only because they turn; a deeper one belongs to an overlap of the
    // beginning, or to another normal than that of the beginning, and would throw the bodies apart. None is deeper than a body,
    // however fast the solution turns it.
    double turn = turn_of(&body[0], late.point, h) + turn_of(&body[1], late.point, h);
    late.gap = fmax(gap - h * vs_dot(normal, u), -fmin(turn, vs_contact_size(s->step->world, pair)));
    late.late = true;
    late.moved = 0; // its place is that of the beginning
    return late;
}

// Two colliders at the beginning of the step.
typedef struct found_pair {
    const vs_contact *first, *end; // of all contacts of the two bodies
    double least;                  // m, gap
    double in_row;                 // m, least gap at the end as the rows see it
    vs_former former;
} found_pair;

// Is a normal opposed to all of the beginning? Then the pair has passed through itself to the other side of a thin part; the search
// along the motion (swept_contacts.h) keeps it on this side, and a contact there would contradict its contacts.
static bool is_behind(const found_pair *found, vs_vec3 normal) {
    bool any = false;
    for (const vs_contact *c = found->first; c < found->end; c++) {
        if (c->late || !same_colliders(c, found->first))
            continue;
        any = true;
        if (vs_dot(c->normal, normal) > -BEHIND)
            return false;
    }
    return any;
}

static vs_error add_pair(vs_step_contacts *contacts, const vs_late_search *s, const found_pair *found,
                         const moving_body body[2]) {
    const vs_contact *pair = found->first;
    const vs_world *world = s->step->world;
    const vs_collider *a = &world->collider[pair->collider_a], *b = &world->collider[pair->collider_b];
    const double tolerance = s->tolerance * vs_contact_size(world, pair);
    vs_manifold m = {.former = &found->former};
    vs_error error = vs_collision_meet(
        contacts->collision, pair->collider_a, pair->collider_b,
        (const vs_pose[2]){vs_pose_multiply(body[0].end, a->pose), vs_pose_multiply(body[1].end, b->pose)}, 0, &m);
    for (int k = 0; k < m.count && !error; k++) {
        double gap = m.at[k].gap - fmin(found->least, 0);
        if (gap >= -tolerance || m.at[k].gap >= found->in_row - tolerance || is_behind(found, m.at[k].normal))
            continue;
        vs_contact late = make_contact(s, pair, body, m.at[k].point, m.at[k].normal, gap);
        late.feature = VS_FEATURE_NONE;
        // The same feature may be late again in the next round, at another place.
        late.key = vs_hash_mix(pair->pair ^ vs_hash_mix((uint64_t)(s->round + 1) << 32 | m.at[k].feature));
        error = VS_RESERVE(world->context, &contacts->late, contacts->late.count + 1);
        if (!error)
            contacts->late.data[contacts->late.count++] = late;
    }
    return error;
}

// ---- all pairs -------------------------------------------------------------------------------------

bool vs_late_is_ball(const vs_collider *c) {
    return c->shape->kind == VS_SHAPE_SPHERE && vs_length(c->pose.position) == 0;
}

// Is the way of any point by rotation as long as what counts? That of a ball does not matter, unless it meets a mesh, over which it
// moves as it turns.
static bool is_turning(const vs_late_search *s, const vs_contact *c) {
    const int body[2] = {c->a, c->b}, index[2] = {c->collider_a, c->collider_b};
    double turn = 0;
    for (int side = 0; side < 2; side++) {
        const vs_collider *own = &s->step->world->collider[index[side]],
                          *other = &s->step->world->collider[index[!side]];
        if (!vs_late_is_ball(own) || vs_shape_has_triangles(other->shape))
            turn += s->step->kick->h * vs_length(vs_late_motion_of(s, body[side]).spin);
    }
    return turn >= s->tolerance;
}

static bool is_loose(const vs_late_search *s, const vs_contact *c) {
    const vs_step_view *step = s->step;
    const vs_solver_options *options = &step->options->solver;
    return vs_block_is_loose(options, step->islands, step->blocks, vs_blocks_of_body(step->blocks, c->a)) ||
           vs_block_is_loose(options, step->islands, step->blocks, vs_blocks_of_body(step->blocks, c->b));
}

// Searches the pairs of colliders of the contacts [begin, end), all of two bodies.
static vs_error search_bodies(vs_step_contacts *contacts, const vs_late_search *s, int begin, int end) {
    const vs_contact *contact = contacts->rigid->contact;
    vs_error error = VS_OK;
    bool turning = false;
    if (s->settled && is_loose(s, &contact[begin]))
        return VS_OK;
    for (int k = begin; k < end && !turning; k++)
        turning = is_turning(s, &contact[k]);
    if (!turning)
        return VS_OK;
    moving_body body[2] = {move_body(s, contact[begin].a, VS_ZERO3),
                           move_body(s, contact[begin].b, contact[begin].shift)};
    for (int k = begin; k < end && !error; k++) {
        if (vs_contact_is_shifted(&contact[k]) || vs_contact_is_shifted(&contact[begin]))
            body[1] = move_body(s, contact[k].b, contact[k].shift); // other parts of a body meet other images
        bool first = true;
        found_pair found = {.first = &contact[k], .end = contact + end, .least = INFINITY, .in_row = INFINITY};
        if (!is_turning(s, &contact[k]))
            continue;
        for (int i = begin; i < end && first; i++) {
            if (!same_colliders(&contact[i], &contact[k]))
                continue;
            first = i >= k;
            if (contact[i].late)
                continue;
            found.least = fmin(found.least, contact[i].gap);
            found.in_row = fmin(found.in_row, vs_late_gap_in_row(s, &contact[i]));
            if (found.former.count < VS_MANIFOLD_MOST)
                found.former.feature[found.former.count++] = (uint32_t)contact[i].feature;
        }
        // Soft contacts and crushed joints are meant to overlap.
        if (first && contact[k].bond == 0 && !is_located(s, &contact[k]) &&
            !vs_world_meets_softly(s->step->world, contact[k].collider_a, contact[k].collider_b))
            error = add_pair(contacts, s, &found, body);
    }
    return error;
}

// Do other points of the collider come closest when its body turns?
static double turning_spin(const vs_world *world, int index, int collider) {
    const vs_collider *c = &world->collider[collider];
    const vs_body *body = &world->body[index];
    return vs_late_is_ball(c) || body->motion == VS_MOTION_STATIC ? 0 : vs_length(body->spin);
}

bool vs_late_contacts_expected(const vs_step_contacts *contacts, const vs_world *world, double h) {
    for (int k = 0; k < contacts->rigid->count; k++) {
        const vs_contact *c = &contacts->rigid->contact[k];
        if (h * (turning_spin(world, c->a, c->collider_a) + turning_spin(world, c->b, c->collider_b)) >= VS_LATE)
            return true;
    }
    return false;
}

vs_error vs_late_contacts_add(vs_step_contacts *contacts, const vs_late_search *s, int *added) {
    const vs_contacts *rigid = contacts->rigid;
    contacts->late.count = 0;
    vs_error error = VS_OK;
    for (int begin = 0, end = 0; begin < rigid->count && !error; begin = end) {
        while (end < rigid->count && same_bodies(&rigid->contact[begin], &rigid->contact[end]))
            end++;
        error = search_bodies(contacts, s, begin, end);
    }
    *added = (int)contacts->late.count;
    return error || *added == 0 ? error : vs_step_contacts_merge(contacts);
}
