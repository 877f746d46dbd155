// A distributed simulation: creation, destruction, and gathering on rank 0.
#include "mpi/team_data.h"

#include <petscsys.h>
#include <stdlib.h>
#include <string.h>

#include "base/disjoint_sets.h"
#include "body/period.h"
#include "voussoir/mpi/simulation.h"

enum { TAG = 20, VELOCITIES = 6, CHUNK = 1 << 26 }; // bytes of a message, at most

// ---- the division --------------------------------------------------------------------------------------------------

static vs_error connect(void *user, int owned, int ghosts, const int *ghost_body) {
    vs_team *team = user;
    vs_arena_release(&team->link);
    vs_arena_init(&team->link, team->context);
    const int64_t count = VELOCITIES * (int64_t)ghosts;
    int *owner = VS_NEW(&team->link, int, count), *there = VS_NEW(&team->link, int, count);
    vs_error error = vs_team_agree(team, owner && there ? VS_OK : vs_fail_memory(team->context));
    if (error)
        return error;
    for (int64_t k = 0; k < count; k++) {
        const int body = ghost_body[k / VELOCITIES];
        owner[k] = team->owner[body];
        there[k] = VELOCITIES * team->there[body] + (int)(k % VELOCITIES);
    }
    return vs_exchange_create(&team->exchange, team->comm, VELOCITIES * owned, (int)count, owner, there, &team->link);
}

static void release(void *user) {
    vs_team *team = user;
    vs_context *context = team->context;
    team->simulation->world->place = NULL;
    VS_ARRAY_RELEASE(context, &team->mine);
    VS_ARRAY_RELEASE(context, &team->ghost);
    VS_ARRAY_RELEASE(context, &team->box);
    VS_ARRAY_RELEASE(context, &team->all_boxes);
    VS_ARRAY_RELEASE(context, &team->leaving);
    VS_ARRAY_RELEASE(context, &team->arriving);
    VS_ARRAY_RELEASE(context, &team->to);
    VS_ARRAY_RELEASE(context, &team->sorted);
    if (team->traveller != MPI_DATATYPE_NULL)
        MPI_Type_free(&team->traveller);
    vs_arena_release(&team->link);
    vs_arena_release(&team->arena);
    vs_release(context, team);
}

// ---- creation ------------------------------------------------------------------------------------------------------

static int moving_bodies(const vs_world *world) {
    int count = 0;
    for (int k = 0; k < world->bodies; k++)
        count += world->body[k].alive && world->body[k].motion == VS_MOTION_DYNAMIC;
    return count;
}

static vs_error check(const vs_simulation *s) {
    const vs_world *world = s->world;
    const vs_method method = s->options.solver.method;
    const char *what = NULL, *instead = "a serial run";
    if (s->division)
        return vs_fail(s->context, VS_ERROR_ARGUMENT, "the simulation is already distributed");
    if (world->flexible_slots.used > 0)
        what = "flexible bodies are";
    else if (world->gates > 0)
        what = "factories and sinks are";
    else if (vs_world_repeats(world))
        what = "worlds with a period are";
    else if (s->options.stops > 0)
        what = "stop conditions are";
    else if (s->observers.first) {
        what = "attached trajectories are";
        instead = "vs_simulation_gather() and vs_trajectory_writer_write()";
    }
    if (what)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED, "%s not supported in distributed runs; use %s", what, instead);
    const bool exact = s->options.solver.model == VS_MODEL_EXACT;
    const bool convex = method == VS_METHOD_IPM || method == VS_METHOD_APGD || method == VS_METHOD_SPG;
    if (method != VS_METHOD_AUTO && method != VS_METHOD_GAUSS_SEIDEL && !(exact ? method == VS_METHOD_CASCADE : convex))
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED,
                       "distributed runs support the methods %s with this friction model; use one of them",
                       exact ? "cascade and gauss-seidel" : "ipm, apgd, spg and gauss-seidel");
    return VS_OK;
}

// Bodies connected by joints must be on one rank: finds the lowest one of each group, and the number of groups.
static void join(const vs_world *world, int a, int b, int *leader) {
    if (world->body[a].motion != VS_MOTION_DYNAMIC || world->body[b].motion != VS_MOTION_DYNAMIC)
        return;
    (void)vs_sets_join(leader, a, b);
}

// One of the bodies of a joint, with mass if there is one.
static int moving_end(const vs_world *world, const vs_joint *joint) {
    return world->body[joint->a].motion == VS_MOTION_DYNAMIC ? joint->a : joint->b;
}

static vs_error find_leaders(vs_team *team) {
    const vs_world *world = team->simulation->world;
    int *leader = team->leader;
    for (int k = 0; k < world->bodies; k++)
        leader[k] = k;
    for (int k = 0; k < world->joints; k++) {
        const vs_joint *joint = &world->joint[k];
        if (!joint->alive)
            continue;
        if (joint->def.kind == VS_JOINT_CABLE)
            return vs_fail(team->context, VS_ERROR_UNSUPPORTED,
                           "joint '%s' is a cable, which several processes do not support; run on one",
                           joint->name ? joint->name : "");
        if (vs_joint_kind_couples(joint->def.kind))
            join(world, moving_end(world, &world->joint[joint->def.joint_a.index]),
                 moving_end(world, &world->joint[joint->def.joint_b.index]), leader);
        else
            join(world, joint->a, joint->b, leader);
    }
    for (int k = 0; k < world->bodies; k++) {
        leader[k] = vs_sets_root(leader, k);
        team->leaders += leader[k] == k && world->body[k].alive && world->body[k].motion == VS_MOTION_DYNAMIC;
    }
    if (team->leaders < team->size)
        return vs_fail(team->context, VS_ERROR_UNSUPPORTED,
                       "%d moving bodies (those connected by joints count as one) cannot be divided among %d "
                       "ranks; use fewer ranks",
                       team->leaders, team->size);
    return VS_OK;
}

// All ranks must have the same scene.
static vs_error check_same(const vs_team *team) {
    uint64_t here = vs_world_get_hash(team->simulation->world), least, most;
    MPI_Allreduce(&here, &least, 1, MPI_UINT64_T, MPI_MIN, team->comm);
    MPI_Allreduce(&here, &most, 1, MPI_UINT64_T, MPI_MAX, team->comm);
    return least == most
               ? VS_OK
               : vs_fail(team->context, VS_ERROR_DATA, "the ranks have different worlds; read the same scene on all");
}

static vs_error allocate(vs_team *team) {
    const vs_world *world = team->simulation->world;
    team->owner = VS_NEW_ZERO(&team->arena, int, world->bodies);
    team->there = VS_NEW_ZERO(&team->arena, int, world->bodies);
    team->place = VS_NEW_ZERO(&team->arena, unsigned char, world->bodies);
    team->load = VS_NEW_ZERO(&team->arena, double, world->bodies);
    team->leader = VS_NEW_ZERO(&team->arena, int, world->bodies);
    team->send = VS_NEW_ZERO(&team->arena, int, team->size);
    team->receive = VS_NEW_ZERO(&team->arena, int, team->size);
    team->send_at = VS_NEW_ZERO(&team->arena, int, team->size);
    team->receive_at = VS_NEW_ZERO(&team->arena, int, team->size);
    if (!team->leader || !team->owner || !team->there || !team->place || !team->load || !team->send || !team->receive ||
        !team->send_at || !team->receive_at)
        return VS_ERROR_MEMORY;
    vs_error error = find_leaders(team);
    if (!error)
        error = vs_regions_create(&team->regions, team->comm, &team->arena);
    return error ? error : VS_RESERVE(team->context, &team->mine, moving_bodies(world));
}

static vs_error start(vs_team *team) {
    vs_error error = vs_team_agree(team, allocate(team));
    if (error)
        return error;
    MPI_Type_contiguous((int)sizeof(vs_traveller), MPI_BYTE, &team->traveller);
    MPI_Type_commit(&team->traveller);
    team->division = (vs_division){.user = team,
                                   .arrange = vs_team_arrange,
                                   .owner = team->owner,
                                   .there = team->there,
                                   .connect = connect,
                                   .space = &team->exchange.space,
                                   .agree = vs_team_agree,
                                   .release = release};
    return connect(team, 0, 0, NULL);
}

vs_error vs_simulation_divide(vs_simulation *simulation) {
    if (!simulation)
        return VS_ERROR_ARGUMENT;
    vs_simulation *s = simulation;
    int size;
    MPI_Comm_size(PETSC_COMM_WORLD, &size);
    vs_team *team = vs_allocate(s->context, sizeof *team);
    vs_error error = team ? check(s) : vs_fail_memory(s->context);
    error = vs_exchange_agree(PETSC_COMM_WORLD, s->context, error);
    if (error || !team) {
        vs_release(s->context, team);
        return error;
    }
    *team = (vs_team){.simulation = s, .context = s->context, .comm = PETSC_COMM_WORLD, .size = size};
    team->traveller = MPI_DATATYPE_NULL;
    team->topology = s->world->topology;
    team->gathered = s->steps;
    MPI_Comm_rank(team->comm, &team->rank);
    vs_arena_init(&team->arena, s->context);
    vs_arena_init(&team->link, s->context);
    error = check_same(team);
    if (!error)
        error = start(team);
    if (error) {
        release(team);
        return error;
    }
    s->division = &team->division;
    return VS_OK;
}

// ---- gathering -----------------------------------------------------------------------------------------------------

// Bytes to or from rank q, in pieces that fit into a message.
static void pass(const vs_team *team, int q, bool send, char *data, int64_t bytes) {
    for (int64_t at = 0; at < bytes; at += CHUNK) {
        const int size = (int)(bytes - at < CHUNK ? bytes - at : CHUNK);
        if (send)
            MPI_Send(data + at, size, MPI_BYTE, q, TAG, team->comm);
        else
            MPI_Recv(data + at, size, MPI_BYTE, q, TAG, team->comm, MPI_STATUS_IGNORE);
    }
}

// Entries that rank 0 needs room for to collect the arrays of all ranks; on other ranks their own. Collective.
static int64_t count_all(const vs_team *team, int64_t count) {
    int64_t total = count;
    MPI_Reduce(&count, &total, 1, MPI_INT64_T, MPI_SUM, 0, team->comm);
    return total;
}

// Arrays of all ranks behind that of rank 0, entries of `size` bytes. Collective.
static void collect(const vs_team *team, void *data, int64_t *count, size_t size) {
    if (team->rank > 0) {
        MPI_Send(count, 1, MPI_INT64_T, 0, TAG, team->comm);
        pass(team, 0, true, data, *count * (int64_t)size);
        return;
    }
    for (int q = 1; q < team->size; q++) {
        int64_t more = 0;
        MPI_Recv(&more, 1, MPI_INT64_T, q, TAG, team->comm, MPI_STATUS_IGNORE);
        if (more == 0)
            continue;
        pass(team, q, false, (char *)data + (size_t)*count * size, more * (int64_t)size);
        *count += more;
    }
}

static vs_error gather_states(vs_team *team) {
    vs_error error = VS_OK;
    team->leaving.count = 0;
    for (int k = 0; k < team->owned && !error; k++)
        error = vs_team_leave(team, team->mine.data[k], 0);
    error = vs_team_agree(team, error);
    if (error)
        return error;
    int64_t all = count_all(team, team->leaving.count);
    error = vs_team_agree(team, VS_RESERVE(team->context, &team->leaving, all));
    if (!error)
        collect(team, team->leaving.data, &team->leaving.count, sizeof(vs_traveller));
    for (int64_t k = 0; k < team->leaving.count && team->rank == 0 && !error; k++)
        vs_team_unpack(team, &team->leaving.data[k]);
    team->leaving.count = 0;
    return error;
}

static int compare_views(const void *a, const void *b) {
    const vs_contact_view *x = a, *y = b;
    if (x->a.index != y->a.index)
        return x->a.index < y->a.index ? -1 : 1;
    if (x->b.index != y->b.index)
        return x->b.index < y->b.index ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

// In the order of a serial run.
static vs_error gather_contacts(vs_team *team) {
    vs_simulation *s = team->simulation;
    const int count = vs_step_contacts_count(&s->contacts);
    int64_t all = count_all(team, count);
    vs_error error = vs_team_agree(team, VS_RESERVE(team->context, &s->gathered, all));
    if (error)
        return error;
    for (int k = 0; k < count; k++)
        vs_contact_view_fill(s, k, &s->gathered.data[k]);
    s->gathered.count = count;
    collect(team, s->gathered.data, &s->gathered.count, sizeof(vs_contact_view));
    if (team->rank > 0)
        s->gathered.count = 0;
    if (s->gathered.count > 0)
        qsort(s->gathered.data, (size_t)s->gathered.count, sizeof(vs_contact_view), compare_views);
    return VS_OK;
}

// All impulses on rank 0, in the order of their keys.
static vs_error gather_impulses(vs_team *team) {
    vs_impulse_memory *memory = &team->simulation->memory;
    int64_t all = count_all(team, memory->impulse.count);
    vs_error error = vs_team_agree(team, VS_RESERVE(team->context, &memory->impulse, all));
    if (error)
        return error;
    collect(team, memory->impulse.data, &memory->impulse.count, sizeof(vs_impulse));
    if (team->rank == 0)
        vs_impulse_memory_sort(memory);
    return VS_OK;
}

vs_error vs_simulation_gather(vs_simulation *simulation) {
    if (!simulation)
        return VS_ERROR_ARGUMENT;
    vs_simulation *s = simulation;
    if (!s->division)
        return VS_OK;
    vs_team *team = s->division->user;
    if (team->gathered == s->steps)
        return VS_OK;
    vs_error error = gather_states(team);
    if (!error)
        error = gather_contacts(team);
    if (!error && s->options.solver.warm_start != VS_WARM_START_NONE)
        error = gather_impulses(team);
    team->gathered = s->steps;
    return error;
}

vs_error vs_simulation_get_division(vs_simulation *simulation, vs_division_info *info) {
    if (!simulation || !info || !simulation->division)
        return VS_ERROR_ARGUMENT;
    const vs_team *team = simulation->division->user;
    const int contacts = simulation->contacts.rigid ? simulation->contacts.rigid->count : 0;
    int most[4] = {team->owned, -team->owned, contacts, -contacts};
    int64_t sum[3] = {team->ghosts, team->moved, team->bytes};
    MPI_Allreduce(MPI_IN_PLACE, most, 4, MPI_INT, MPI_MAX, team->comm);
    MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_INT64_T, MPI_SUM, team->comm);
    *info =
        (vs_division_info){team->size, -most[1], most[0], -most[3], most[2], sum[0], sum[1], team->balanced, sum[2]};
    return VS_OK;
}
