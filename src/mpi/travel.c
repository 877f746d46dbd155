// Transfer of bodies between ranks: to new owners when they leave their region, and as ghosts to ranks whose bodies
// they may touch in the step. Ghosts are found by boxes: a rank announces one box around all of its bodies, each grown
// by its contact envelope, and gets every body whose own box overlaps it.
#include "mpi/team_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NO_JOINT = -1 };

void vs_team_unpack(vs_team *team, const vs_traveller *traveller) {
    if (traveller->joint >= 0) {
        vs_joint *joint = &team->simulation->world->joint[traveller->joint];
        joint->force = traveller->force, joint->torque = traveller->torque;
        joint->angle = traveller->load;
        return;
    }
    vs_body *b = &team->simulation->world->body[traveller->body];
    b->pose = traveller->pose;
    b->velocity = traveller->velocity, b->spin = traveller->spin, b->held = traveller->held;
    b->force = traveller->force, b->torque = traveller->torque;
    b->lead = traveller->lead;
}

// ---- messages ------------------------------------------------------------------------------------------------------

static vs_error add(vs_team *team, vs_traveller traveller, int to) {
    vs_error error = VS_RESERVE(team->context, &team->leaving, team->leaving.count + 1);
    if (!error)
        error = VS_RESERVE(team->context, &team->to, team->leaving.count + 1);
    if (error)
        return error;
    team->leaving.data[team->leaving.count] = traveller;
    team->to.data[team->leaving.count++] = to;
    return VS_OK;
}

static vs_error leave(vs_team *team, int body, int there, int to) {
    const vs_body *b = &team->simulation->world->body[body];
    return add(team,
               (vs_traveller){.body = body,
                              .joint = NO_JOINT,
                              .there = there,
                              .load = team->load[body],
                              .pose = b->pose,
                              .velocity = b->velocity,
                              .spin = b->spin,
                              .held = b->held,
                              .force = b->force,
                              .torque = b->torque,
                              .lead = b->lead},
               to);
}

// A joint is sent with the first of its bodies that has mass.
vs_error vs_team_leave(vs_team *team, int body, int to) {
    const vs_world *world = team->simulation->world;
    vs_error error = leave(team, body, 0, to);
    for (int end = world->body[body].first_joint; end >= 0 && !error; end = world->joint[end / 2].next[end % 2]) {
        const vs_joint *joint = &world->joint[end / 2];
        if (end % 2 == 1 && world->body[joint->a].motion == VS_MOTION_DYNAMIC)
            continue;
        vs_traveller traveller = {.joint = end / 2, .load = joint->angle, .pose = VS_IDENTITY_POSE};
        traveller.force = joint->force, traveller.torque = joint->torque;
        error = add(team, traveller, to);
    }
    return error;
}

// Counts by rank, and those leaving in the order of their ranks.
static void sort_leaving(vs_team *team) {
    const vs_traveller *leaving = team->leaving.data;
    vs_traveller *sorted = team->sorted.data;
    const int *to = team->to.data;
    memset(team->send, 0, sizeof(int) * (size_t)team->size);
    for (int64_t k = 0; k < team->leaving.count; k++)
        team->send[to[k]]++;
    for (int q = 0, at = 0; q < team->size; at += team->send[q++])
        team->send_at[q] = at;
    for (int64_t k = 0; k < team->leaving.count; k++)
        sorted[team->send_at[to[k]]++] = leaving[k];
    for (int q = 0; q < team->size; q++)
        team->send_at[q] -= team->send[q];
}

// Those leaving, to their ranks; arriving ones are in the order of their source ranks. error: of this rank so far.
static vs_error travel(vs_team *team, vs_error error) {
    if (!error)
        error = VS_RESERVE(team->context, &team->sorted, team->leaving.count);
    error = vs_team_agree(team, error);
    if (error)
        return error;
    sort_leaving(team);
    MPI_Alltoall(team->send, 1, MPI_INT, team->receive, 1, MPI_INT, team->comm);
    int count = 0;
    for (int q = 0; q < team->size; q++) {
        team->receive_at[q] = count;
        count += team->receive[q];
    }
    error = vs_team_agree(team, VS_RESERVE(team->context, &team->arriving, count));
    if (error)
        return error;
    team->arriving.count = count;
    MPI_Alltoallv(team->sorted.data, team->send, team->send_at, team->traveller, team->arriving.data, team->receive,
                  team->receive_at, team->traveller, team->comm);
    team->bytes += team->leaving.count * (int64_t)sizeof(vs_traveller);
    return VS_OK;
}

// ---- new owners ----------------------------------------------------------------------------------------------------

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

// Half of its size, so that a body that jitters at a boundary stays where it is.
static double margin_of(const vs_world *world, int body) {
    const int collider = world->body[body].first_collider;
    const double size = collider >= 0 ? world->collider[collider].shape->size : 0;
    return isfinite(size) ? .5 * size : 0;
}

vs_error vs_team_migrate(vs_team *team, bool exact) {
    const vs_world *world = team->simulation->world;
    int *mine = team->mine.data, kept = 0, moved = 0;
    vs_error error = VS_OK;
    team->leaving.count = 0;
    for (int k = 0; k < team->owned && !error; k++) {
        const int body = mine[k], leader = team->leader[body], now = exact ? -1 : team->rank;
        const int to = vs_regions_find(&team->regions, world->body[leader].pose.position, now,
                                       exact ? 0 : margin_of(world, leader));
        if (to == team->rank) {
            mine[kept++] = body;
            continue;
        }
        team->place[body] = VS_PLACE_ABSENT;
        error = vs_team_leave(team, body, to);
        moved++;
    }
    error = travel(team, error);
    if (!error)
        error = vs_team_agree(team, VS_RESERVE(team->context, &team->mine, kept + team->arriving.count));
    if (error)
        return error;
    mine = team->mine.data;
    for (int64_t k = 0; k < team->arriving.count; k++) {
        const vs_traveller *traveller = &team->arriving.data[k];
        vs_team_unpack(team, traveller);
        if (traveller->joint >= 0)
            continue;
        team->load[traveller->body] = traveller->load;
        team->place[traveller->body] = VS_PLACE_HERE;
        mine[kept++] = traveller->body;
    }
    team->moved += moved;
    team->owned = kept;
    qsort(mine, (size_t)kept, sizeof *mine, compare);
    return VS_OK;
}

// ---- ghosts --------------------------------------------------------------------------------------------------------

static void include(vs_box3 *box, const vs_box3 *one) {
    box->low = (vs_vec3){fmin(box->low.x, one->low.x), fmin(box->low.y, one->low.y), fmin(box->low.z, one->low.z)};
    box->high =
        (vs_vec3){fmax(box->high.x, one->high.x), fmax(box->high.y, one->high.y), fmax(box->high.z, one->high.z)};
}

// Boxes of the bodies here, and of all ranks.
static vs_error find_boxes(vs_team *team) {
    const vs_simulation *s = team->simulation;
    vs_error error = VS_RESERVE(team->context, &team->box, team->owned);
    if (!error)
        error = VS_RESERVE(team->context, &team->all_boxes, team->size);
    error = vs_team_agree(team, error);
    if (error)
        return error;
    const int *mine = team->mine.data;
    vs_box3 *box = team->box.data, around = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int k = 0; k < team->owned; k++) {
        (void)vs_collision_bounds(s->world, mine[k], s->options.step, s->options.envelope, &box[k]);
        include(&around, &box[k]);
    }
    MPI_Allgather(&around, (int)sizeof around, MPI_BYTE, team->all_boxes.data, (int)sizeof around, MPI_BYTE,
                  team->comm);
    return VS_OK;
}

void vs_team_forget_ghosts(vs_team *team) {
    for (int k = 0; k < team->ghosts; k++)
        team->place[team->ghost.data[k]] = VS_PLACE_ABSENT;
    team->ghosts = 0;
}

static void take_ghosts(vs_team *team) {
    int *ghost = team->ghost.data;
    for (int q = 0; q < team->size; q++)
        for (int k = team->receive_at[q]; k < team->receive_at[q] + team->receive[q]; k++) {
            const vs_traveller *traveller = &team->arriving.data[k];
            const int body = traveller->body;
            vs_team_unpack(team, traveller);
            team->place[body] = VS_PLACE_GHOST;
            team->owner[body] = q;
            team->there[body] = traveller->there;
            ghost[team->ghosts++] = body;
        }
}

vs_error vs_team_copy_ghosts(vs_team *team) {
    vs_error error = find_boxes(team);
    if (error)
        return error;
    const int *mine = team->mine.data;
    const vs_box3 *box = team->box.data, *all = team->all_boxes.data;
    team->leaving.count = 0;
    for (int q = 0; q < team->size; q++)
        for (int k = 0; k < team->owned && q != team->rank && vs_boxes_meet(&all[team->rank], &all[q]) && !error; k++)
            if (vs_boxes_meet(&box[k], &all[q]))
                error = leave(team, mine[k], k, q);
    error = travel(team, error);
    if (!error)
        error = vs_team_agree(team, VS_RESERVE(team->context, &team->ghost, team->arriving.count));
    if (!error)
        take_ghosts(team);
    return error;
}
