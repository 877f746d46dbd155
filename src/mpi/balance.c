// Load balance: regions of space with about the same load, recomputed when it has become uneven.
#include "mpi/team_data.h"

#include <string.h>

static const double UNEVEN = 1.25; // largest load of a rank over the mean from which regions are recomputed,
static const double WORSE = 1.1;   // if it has also grown by this factor since the last time,
enum { STEPS_LEAST = 20 };         // at least so many steps ago
enum { FEW = 8 }; // bodies per rank below which only their number counts (jointed ones as one): each rank must get one

// Contacts of the bodies here in the last step.
static void count_contacts(vs_team *team) {
    const vs_simulation *s = team->simulation;
    const int *mine = team->mine.data;
    for (int k = 0; k < team->owned; k++)
        team->load[mine[k]] = 0;
    const vs_contacts *contacts = s->contacts.rigid;
    for (int k = 0; contacts && k < contacts->count; k++) {
        const vs_contact *contact = &contacts->contact[k];
        const bool first = s->world->body[contact->a].motion == VS_MOTION_DYNAMIC;
        team->load[first ? contact->a : contact->b]++;
    }
}

typedef struct balance {
    double least, most, mean; // load of a rank
    double bodies;            // fewest of any rank
    double all;               // bodies
} balance;

static balance look(const vs_team *team) {
    const int *mine = team->mine.data;
    double load = team->owned;
    for (int k = 0; k < team->owned; k++)
        load += team->load[mine[k]];
    double most[3] = {load, -load, -team->owned}, sum[2] = {load, team->owned};
    const vs_space *space = team->division.space;
    vs_space_maxima(space, 3, most);
    vs_space_sums(space, 2, sum);
    return (balance){-most[1], most[0], sum[0] / team->size, -most[2], sum[1]};
}

static vs_error make_regions(vs_team *team) {
    const bool few = team->leaders < FEW * (int64_t)team->size;
    vs_arena arena;
    vs_arena_init(&arena, team->context);
    const int *mine = team->mine.data;
    vs_vec3 *position = VS_NEW(&arena, vs_vec3, team->owned);
    double *weight = VS_NEW(&arena, double, team->owned);
    vs_error error = vs_team_agree(team, position && weight ? VS_OK : vs_fail_memory(team->context));
    for (int k = 0; k < team->owned && !error; k++) {
        position[k] = team->simulation->world->body[team->leader[mine[k]]].pose.position;
        weight[k] = few ? team->leader[mine[k]] == mine[k] : 1 + team->load[mine[k]];
    }
    if (!error)
        error = vs_regions_balance(&team->regions, team->owned, position, weight, &arena);
    vs_arena_release(&arena);
    if (!error)
        error = vs_team_migrate(team, true);
    if (error)
        return error;
    const balance then = look(team);
    team->uneven = then.most / then.mean;
    team->since = 0;
    team->balanced++;
    if (then.bodies < 1) // the same on all ranks
        return vs_fail(team->context, VS_ERROR_UNSUPPORTED, "a rank has none of the %.0f bodies; use fewer ranks",
                       then.all);
    return VS_OK;
}

// Initially every rank knows all states and takes its share by index.
static void take_share(vs_team *team) {
    const vs_world *world = team->simulation->world;
    int64_t count = 0;
    int *mine = team->mine.data;
    for (int k = 0; k < world->bodies; k++) {
        if (!world->body[k].alive || world->body[k].motion != VS_MOTION_DYNAMIC)
            continue;
        const int leader = team->leader[k];
        const bool here =
            leader < k ? team->place[leader] == VS_PLACE_HERE : count++ * team->size / team->leaders == team->rank;
        team->place[k] = here ? VS_PLACE_HERE : VS_PLACE_ABSENT;
        if (here)
            mine[team->owned++] = k;
    }
}

vs_error vs_team_arrange(void *user) {
    vs_team *team = user;
    if (team->simulation->world->topology != team->topology) // the same on all ranks
        return vs_fail(team->context, VS_ERROR_UNSUPPORTED,
                       "bodies were added, removed or changed; a distributed world must not change");
    vs_error error = VS_OK;
    vs_team_forget_ghosts(team);
    if (!team->divided) {
        take_share(team);
        team->simulation->world->place = team->place;
    } else {
        count_contacts(team);
        error = vs_team_migrate(team, false);
    }
    if (error)
        return error;
    const balance now = look(team);
    const double uneven = now.most / now.mean;
    const bool redo = team->since++ >= STEPS_LEAST && uneven > UNEVEN && uneven > WORSE * team->uneven;
    if (!team->divided || now.bodies < 1 || redo)
        error = make_regions(team);
    team->divided = team->divided || !error;
    return error ? error : vs_team_copy_ghosts(team);
}
