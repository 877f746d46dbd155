// Curvature of contacts: see contact_curvature.h.
#include "step/scheme/contact_curvature.h"

#include <math.h>

// Shares of a closed contact's gap, and of the error of velocities, that may be left of the curvature.
static const double GAP_LEFT = 1e-2, SPEED_LEFT = 1e-2;
// Of the smaller size: features are searched this far beyond the gap and the way within the step.
static const double REACH = .02;

// The two bodies of a contact at the end of the step, and their colliders.
typedef struct end_pair {
    int collider[2]; // -1: none yet
    vs_body body[2]; // moved
    vs_manifold manifold;
} end_pair;

static bool has_triangles(const vs_world *world, int collider) {
    return vs_shape_has_triangles(world->collider[collider].shape);
}

// ---- the end of the step ---------------------------------------------------------------------------

// Moves the bodies of a contact with the velocities v, and finds where they meet.
static void meet(const vs_simulation *s, const vs_contact *contact, const double *v, end_pair *pair) {
    const vs_world *world = s->world;
    const vs_former former = vs_step_contacts_features(s->contacts.rigid, contact);
    const int colliders[2] = {contact->collider_a, contact->collider_b};
    vs_pose pose[2];
    double way = 0;
    *pair = (end_pair){.collider = {colliders[0], colliders[1]}, .manifold.former = &former};
    for (int k = 0; k < 2; k++) {
        const vs_collider *c = &world->collider[colliders[k]];
        pair->body[k] = vs_blocks_move_body(&s->blocks, world, c->body, v, s->kick.h, true);
        pose[k] = vs_pose_multiply(pair->body[k].pose, c->pose);
        way += vs_length(vs_subtract(pair->body[k].pose.position, world->body[c->body].pose.position));
    }
    const double reach = fabs(contact->gap) + way + REACH * vs_contact_size(world, contact);
    if (!has_triangles(world, colliders[0]) && !has_triangles(world, colliders[1]))
        (void)vs_collision_meet(s->contacts.collision, colliders[0], colliders[1], pose, reach, &pair->manifold);
    pair->manifold.former = NULL;
}

// The contact's features at the end of the step; -1: they do not meet.
static int find_feature(const vs_contact *contact, const vs_manifold *manifold) {
    for (int k = 0; k < manifold->count; k++)
        if (manifold->at[k].feature == (uint32_t)contact->feature)
            return k;
    return -1;
}

// ---- rows ------------------------------------------------------------------------------------------

// A change of the curvature, m/s, that does not matter.
static double tolerance_of(const vs_simulation *s, double size) {
    const double slop = vs_contact_rows_controlled_slop(&s->options, size), g = vs_length(s->world->gravity);
    const double speed = s->options.accuracy * (g > 0 ? sqrt(g * size) : size);
    return fmin(GAP_LEFT * slop / s->kick.h, SPEED_LEFT * speed);
}

// By how much the mean of w x r over the step exceeds its value at the beginning, of a body with the spin of v: the point of contact
// moves from x to y, and a free body that is no ball changes its spin as it turns. By the trapezoidal rule with Euler and
// Maclaurin's next term for a point of the body: a block that a drum carries round does not creep.
static vs_vec3 turn_mean(const vs_simulation *s, const double *v, const vs_body *moved, int index, vs_vec3 x,
                         vs_vec3 y) {
    const vs_body *body = &s->world->body[index];
    const int block = vs_blocks_of_body(&s->blocks, index);
    const double *u = block == VS_NO_BLOCK ? NULL : v + vs_blocks_column(&s->blocks, block) + 3;
    const vs_vec3 spin = vs_rotate(body->pose.rotation, u ? (vs_vec3){u[0], u[1], u[2]} : body->spin);
    const vs_vec3 change = u ? vs_subtract(vs_rotate(moved->pose.rotation, moved->spin), spin) : VS_ZERO3;
    const vs_vec3 before = vs_subtract(x, body->pose.position), after = vs_subtract(y, moved->pose.position);
    const vs_vec3 moves = vs_cross(spin, vs_subtract(after, before));
    const vs_vec3 trapezoidal = vs_scale(.5, vs_add(moves, vs_cross(change, after)));
    return vs_add_scaled(trapezoidal, -s->kick.h / 12, vs_cross(spin, moves));
}

// Curvatures of the rows of a contact, m/s.
static void find_curvature(const vs_simulation *s, int k, const double *v, const end_pair *pair, double curvature[3]) {
    const vs_contact *contact = &s->contacts.rigid->contact[k];
    const vs_row_group *group = &s->groups.group.data[k];
    const int end = find_feature(contact, &pair->manifold);
    curvature[0] = curvature[1] = curvature[2] = 0;
    if (end < 0)
        return;
    const vs_vec3 x = contact->point, y = pair->manifold.at[end].point;
    const vs_vec3 slip = vs_subtract(turn_mean(s, v, &pair->body[1], contact->b, x, y),
                                     turn_mean(s, v, &pair->body[0], contact->a, x, y));
    curvature[0] = vs_row_groups_velocity(&s->groups, &s->blocks, group, 0, v) +
                   vs_row_groups_values(&s->groups, group).prescribed[0] -
                   (pair->manifold.at[end].gap - contact->gap) / s->kick.h;
    for (int i = 1; i < 3; i++)
        curvature[i] = -vs_dot(slip, s->contact_rows.frame.data[3 * (int64_t)k + i]);
}

// Replaces the curvature of a contact; returns its change if it presses, or would.
static double set_rows(vs_simulation *s, int k, const double *v, const end_pair *pair) {
    const vs_row_group *group = &s->groups.group.data[k];
    const vs_row_values values = vs_row_groups_values(&s->groups, group);
    double *offset = s->contact_rows.offset.data + 3 * (int64_t)k, curvature[3], largest = 0;
    const double left = tolerance_of(s, s->contact_rows.size.data[k]);
    const double u = vs_row_groups_velocity(&s->groups, &s->blocks, group, 0, v) + values.prescribed[0];
    const double first = offset[0];
    find_curvature(s, k, v, pair, curvature);
    for (int i = 0; i < group->rows && i < 3; i++) {
        const double change = curvature[i] - values.curvature[i];
        largest = fmax(largest, fabs(change) / left);
        values.b[i] += change;
        values.curvature[i] = curvature[i];
        offset[i] += change;
    }
    return u <= fmax(first, offset[0]) + left ? largest : 0;
}

double vs_contact_curvature_set(vs_simulation *s, const double *v) {
    const vs_contacts *all = s->contacts.rigid;
    end_pair pair = {.collider = {-1, -1}};
    double largest = 0;
    for (int k = 0; k < all->count; k++) {
        const vs_contact *contact = &all->contact[k];
        if (contact->late || vs_row_groups_values(&s->groups, &s->groups.group.data[k]).E[0] > 0)
            continue;
        if (pair.collider[0] != contact->collider_a || pair.collider[1] != contact->collider_b)
            meet(s, contact, v, &pair);
        largest = fmax(largest, set_rows(s, k, v, &pair));
    }
    return largest;
}
