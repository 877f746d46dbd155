// A rope with rough stations 1 ... n is cut between each two of them into parts with one station each, whose law is that of a contact
// with two rows (body/cable/rope_part.c). Both parts at a cut have the same tension: the rope is massless. The speed w of the cut
// along the rope is the multiplier of that condition, and an unknown of the step like the velocity of a body: the cut is a block
// with the mass m and the velocity w0, which moves by
//
//     m (w - w0) = U - T        T, U: impulses of the tensions on its two sides
//
// The solution with w0 = w has no such difference, whatever m is: it is that of the massless rope. Solutions of the step take w of
// the one before as w0 (the proximal point method), until
//
//     |U - T| <= tolerance max((U + T)/2, sqrt(2 m E))
//
// This is the solver's measure, the root of a ratio of energies: that of the difference, (U - T)^2/(2m), and the kinetic one E of
// the rope's bodies, or the rope's own. m is small, 1/100 of what the bodies oppose to the rope's impulses, so that each solution
// divides the difference by some hundred.
//
// w0 is at first that of a rope whose parts become longer alike, which is right for one that is taut, and lets no part of a slack
// one become taut before the others.
#include "step/rows/rope_cuts.h"

#include <math.h>

#include "base/vec.h"
#include "body/joint_coordinate.h"
#include "step/rows/point_jacobian.h"

// Mass of a cut, in inverse mobilities of the rope.
static const double LIGHT = .01;
// Of the impulses, that their differences are rounded to.
static const double ROUNDING = 1e-13;

// ---- blocks ----------------------------------------------------------------------------------------

// The block of a rope's first cut.
static int cut_of_rope(const vs_blocks *blocks, int joint) {
    int k = 0;
    while (blocks->cut.data[k] != joint)
        k++;
    return vs_blocks_first_cut(blocks) + k;
}

static bool is_here(const vs_world *world, int joint) {
    return world->joint[joint].alive && vs_world_joint_is_here(world, &world->joint[joint]);
}

vs_error vs_rope_cuts_number(vs_blocks *blocks, const vs_world *world) {
    blocks->cut.count = 0;
    for (int next = world->first_cable; next > 0; next = world->joint[next - 1].cable->next) {
        const int joint = next - 1,
                  cuts = is_here(world, joint) ? vs_rope_stations(world, &world->joint[joint]) - 1 : 0;
        vs_error error = VS_RESERVE(world->context, &blocks->cut, blocks->cut.count + cuts + 1);
        if (!error)
            error = VS_RESERVE(world->context, &blocks->cut_mass, blocks->cut.count + cuts + 1);
        if (error)
            return error;
        for (int k = 0; k < cuts; k++)
            blocks->cut.data[blocks->cut.count++] = joint;
    }
    if (blocks->cut.count > 0 && blocks->flexible)
        return vs_fail(world->context, VS_ERROR_UNSUPPORTED,
                       "cable: several rough points, in a world with flexible bodies; give one of them friction");
    return VS_OK;
}

// ---- velocities ------------------------------------------------------------------------------------

// The rate of a row, with velocities v (n) of the blocks.
static double rate_of(const vs_blocks *blocks, const vs_world *world, const vs_joint_row *row, const double *v) {
    double sum = 0;
    for (int k = 0; k < row->bodies; k++) {
        const int block = vs_blocks_of_body(blocks, row->body[k]);
        double own[6];
        vs_body_get_velocities(&world->body[row->body[k]], own);
        const double *u = block == VS_NO_BLOCK ? own : v + vs_blocks_column(blocks, block);
        for (int i = 0; i < 6; i++)
            sum += row->J[k][i] * u[i];
    }
    return sum;
}

// Of cuts between parts that become longer alike.
static void predict(const vs_blocks *blocks, const vs_world *world, const vs_rope_part *part, int parts, int first,
                    double *v) {
    double rate[VS_ROPE_PARTS_MOST], mean = 0, w = 0;
    for (int k = 0; k < parts; k++) {
        rate[k] = -rate_of(blocks, world, &part[k].along, v);
        mean += rate[k] / parts;
    }
    for (int k = 0; k + 1 < parts; k++) {
        double *u = v + vs_blocks_column(blocks, first + k);
        w += mean - rate[k];
        u[0] = w, u[1] = u[2] = 0;
    }
}

static void read_rope(vs_blocks *blocks, const vs_world *world, int joint) {
    vs_rope_part part[VS_ROPE_PARTS_MOST];
    const int parts = vs_rope_parts(world, &world->joint[joint], part), first = cut_of_rope(blocks, joint);
    double mobility = 0;
    for (int k = 0; k < parts; k++)
        mobility += vs_joint_row_mobility(world, &part[k].along) + vs_joint_row_mobility(world, &part[k].slip);
    predict(blocks, world, part, parts, first, blocks->before.data);
    predict(blocks, world, part, parts, first, blocks->free.data);
    for (int k = 0; k + 1 < parts; k++) {
        double *moved = blocks->moved.data + vs_blocks_column(blocks, first + k);
        blocks->cut_mass.data[first - vs_blocks_first_cut(blocks) + k] = mobility > 0 ? LIGHT / mobility : LIGHT;
        moved[0] = moved[1] = moved[2] = 0;
    }
}

void vs_rope_cuts_read(vs_blocks *blocks, const vs_world *world) {
    for (int64_t k = 0; k < blocks->cut.count; k++)
        if (k == 0 || blocks->cut.data[k] != blocks->cut.data[k - 1])
            read_rope(blocks, world, blocks->cut.data[k]);
}

// ---- rows ------------------------------------------------------------------------------------------

// The right-hand side and compliance of a part, of those of the whole rope.
static void set_law(const vs_joint_row *whole, const vs_rope_part *part, int parts, vs_joint_row *row) {
    row->spring = whole->spring;
    row->drives = whole->drives;
    row->damping = whole->damping;
    row->b = whole->b / parts;
    row->compliance = whole->compliance * part->share;
    row->sense = whole->sense / parts;
    row->mu = part->mu;
}

void vs_rope_cuts_set_part(const vs_blocks *blocks, const vs_joint_row *whole, const vs_rope_part *part, int parts,
                           int k, vs_joint_row row[2], vs_row_group *group) {
    const int cut = cut_of_rope(blocks, group->source);
    vs_joint_row_copy(&part->along, &row[0]);
    vs_joint_row_copy(&part->slip, &row[1]);
    set_law(whole, part, parts, &row[0]);
    group->mu = part->mu;
    group->blocks = 0;
    if (k > 0)
        group->block[group->blocks++] = cut + k - 1;
    if (k + 1 < parts)
        group->block[group->blocks++] = cut + k;
}

void vs_rope_cuts_fill(const vs_row_groups *groups, const vs_row_group *group, int parts, int k) {
    double *J = vs_row_groups_values(groups, group).J;
    if (k > 0) {
        J[0] = 1, J[3] = -.5;
        J += 6 * group->rows;
    }
    if (k + 1 < parts)
        J[0] = -1, J[3] = -.5;
}

// ---- solutions -------------------------------------------------------------------------------------

// The mean impulse of the parts that meet at a cut.
static double tension_at(const vs_step_view *view, int block) {
    double sum = 0;
    for (int64_t k = 0; k < view->groups->group.count; k++) {
        const vs_row_group *group = &view->groups->group.data[k];
        for (int i = 0; i < group->blocks && group->kind == VS_GROUP_ROPE; i++)
            if (group->block[i] == block)
                sum += .5 * vs_row_group_impulses(group, view->result)[0];
    }
    return sum;
}

// J, of the bodies of a rope without its impulses.
static double kinetic_energy(const vs_step_view *view, int joint) {
    const vs_world *world = view->world;
    const struct vs_cable *cable = world->joint[joint].cable;
    double sum = 0;
    for (int k = 0; k < cable->bodies; k++) {
        const int block = vs_blocks_of_body(view->blocks, cable->body[k]);
        if (block == VS_NO_BLOCK)
            continue;
        const vs_body *body = &world->body[cable->body[k]];
        const double *u = view->blocks->free.data + vs_blocks_column(view->blocks, block);
        const vs_vec3 v = {u[0], u[1], u[2]}, spin = {u[3], u[4], u[5]};
        sum += .5 * (body->mass * vs_dot(v, v) + vs_dot(spin, vs_mat3_apply(&body->inertia, spin)));
    }
    return sum;
}

bool vs_rope_cuts_follow(const vs_step_view *view, vs_blocks *blocks) {
    const double tolerance = fmax(view->options->solver.tolerance, ROUNDING);
    bool changes = false;
    for (int64_t k = 0; k < blocks->cut.count; k++) {
        const int block = vs_blocks_first_cut(blocks) + (int)k, column = vs_blocks_column(blocks, block);
        const double m = blocks->cut_mass.data[k], w = view->result->v[column];
        double *free = blocks->free.data + column;
        const double moving = sqrt(2 * m * kinetic_energy(view, blocks->cut.data[k]));
        const double impulse = fmax(tension_at(view, block), fmax(moving, m * fabs(w)));
        changes = changes || fabs(m * (w - *free)) > tolerance * impulse;
        *free = w;
    }
    return changes;
}
