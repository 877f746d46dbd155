// Which contacts stand together in packs: see packed_sweep.h.
#include <math.h>
#include <stdlib.h>

#include "solver/splitting/packed_sweep.h"
#include "solver/splitting/packed_sweep_data.h"

static bool is_elliptic(const vs_impulse_problem *p, int g) {
    return p->law[g] == VS_LAW_ROLLING && vs_discs_are_one(&p->discs[g]);
}

bool vs_packed_suits(const vs_impulse_problem *problem) {
    if (!problem->exact || !problem->carried || problem->space || !problem->scaled->identity)
        return false;
    for (int g = 0; problem->discs && g < problem->groups; g++)
        if (is_elliptic(problem, g))
            return false;
    return true;
}

bool vs_pack_find_bodies(const vs_impulse_problem *p, int g, int *velocity) {
    const int *col = p->J.col + p->J.start[g];
    int width = (int)(p->J.start[g + 1] - p->J.start[g]);
    velocity[0] = velocity[1] = -1;
    const bool contact = p->law[g] == VS_LAW_FRICTION || p->law[g] == VS_LAW_ROLLING;
    if (!contact || (width != VS_PACK_BODY && width != VS_PACK_COLUMNS))
        return false;
    for (int b = 0; b < width / VS_PACK_BODY; b++, col += VS_PACK_BODY) {
        velocity[b] = col[0];
        if (col[VS_PACK_BODY - 1] != col[0] + VS_PACK_BODY - 1) // ascending
            return false;
    }
    return true;
}

// ---- the order in a colour ---------------------------------------------------------------------------

static int by_key(const void *a, const void *b) {
    const vs_pack_place *one = a, *two = b;
    return one->key != two->key ? (one->key < two->key ? -1 : 1) : one->group - two->group;
}

static void sort(vs_packed *s, int *group, int contacts, const double *start) {
    const vs_impulse_problem *p = s->problem;
    for (int k = 0; k < contacts; k++) {
        int row = p->row[group[k]];
        s->place[k] = (vs_pack_place){start[row] > 0 ? -INFINITY : p->r[row], group[k]};
    }
    qsort(s->place, (size_t)contacts, sizeof *s->place, by_key);
    for (int k = 0; k < contacts; k++)
        group[k] = s->place[k].group;
}

void vs_packed_load(vs_packed *s, const double *start, bool rough) {
    s->alpha = 0;
    s->lanes = rough && s->wide ? s->eight : s->four;
    const int lanes = s->lanes->lanes;
    int packs = 0;
    for (int colour = 0; colour < s->colours; colour++) {
        int *group = s->group + s->start[colour], contacts = s->start[colour + 1] - s->start[colour];
        sort(s, group, contacts, start);
        for (int k = 0; k < contacts; k += lanes)
            s->lanes->load(s, packs++, group + k, contacts - k < lanes ? contacts - k : lanes);
        s->first[colour + 1] = packs;
    }
}

void vs_packed_pull(vs_packed *s, double alpha, const double *centre) {
    s->alpha = alpha;
    s->centre = centre;
    s->lanes->pull(s);
}

// ---- memory ------------------------------------------------------------------------------------------

// The contacts of one colour, from the groups of the colouring; the others become singles.
static void take_colour(vs_packed *s, const int *group, int count, int *contacts) {
    for (int k = 0; k < count; k++) {
        int velocity[2];
        if (vs_pack_find_bodies(s->problem, group[k], velocity))
            s->group[(*contacts)++] = group[k];
        else
            s->single[s->singles++] = group[k];
    }
}

// Are all velocities those of rigid bodies, six by six, and all groups in packs?
static bool is_regular(const vs_packed *s) {
    for (int k = 0; k < s->start[s->colours]; k++) {
        int velocity[2];
        (void)vs_pack_find_bodies(s->problem, s->group[k], velocity);
        if (velocity[0] % VS_PACK_BODY != 0 || (velocity[1] >= 0 && velocity[1] % VS_PACK_BODY != 0))
            return false;
    }
    return s->singles == 0 && s->problem->n % VS_PACK_BODY == 0;
}

vs_error vs_packed_create(const vs_impulse_problem *problem, vs_arena *arena, vs_packed **packed) {
    vs_colouring colouring;
    vs_packed *s = VS_NEW_ZERO(arena, vs_packed, 1);
    if (!s || vs_colouring_create(&colouring, problem, arena))
        return VS_ERROR_MEMORY;
    const bool rolling = problem->ld > 3;
    const vs_pack_lanes *four = rolling ? &vs_pack_rolling_by_four : &vs_pack_by_four;
    const vs_pack_lanes *eight = rolling ? &vs_pack_rolling_by_eight : &vs_pack_by_eight;
    const int packs = problem->groups / four->lanes + colouring.colours; // those by eight are fewer
    const size_t bytes = four->bytes > eight->bytes ? four->bytes : eight->bytes;
    *s = (vs_packed){.problem = problem,
                     .four = four,
                     .eight = eight,
                     .colours = colouring.colours,
                     .start = VS_NEW_ZERO(arena, int, colouring.colours + 1),
                     .group = VS_NEW(arena, int, problem->groups),
                     .place = VS_NEW(arena, vs_pack_place, problem->groups),
                     .first = VS_NEW_ZERO(arena, int, colouring.colours + 1),
                     .pack = vs_arena_allocate(arena, packs, bytes),
                     .single = VS_NEW(arena, int, problem->groups),
                     .x = VS_NEW(arena, double, problem->rows),
                     .f = VS_NEW(arena, double, problem->rows),
                     .p = VS_NEW(arena, double, problem->rows),
                     .age = VS_NEW(arena, double, problem->groups),
                     .v = VS_NEW(arena, double, problem->n)};
    if (!s->start || !s->group || !s->place || !s->first || !s->pack || !s->single || !s->x || !s->f || !s->p ||
        !s->age || !s->v)
        return VS_ERROR_MEMORY;
    int contacts = 0;
    for (int k = 0; k < colouring.colours; k++) {
        take_colour(s, colouring.group + colouring.start[k], colouring.start[k + 1] - colouring.start[k], &contacts);
        s->start[k + 1] = contacts;
    }
    for (int k = colouring.start[VS_COLOURS_MOST]; k < problem->groups; k++)
        s->single[s->singles++] = colouring.group[k];
    if (is_regular(s)) {
        s->wide = VS_NEW_ZERO(arena, float, (int64_t)problem->n / VS_PACK_BODY * VS_PACK_WIDE);
        if (!s->wide)
            return VS_ERROR_MEMORY;
    }
    *packed = s;
    return VS_OK;
}
