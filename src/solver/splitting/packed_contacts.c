// Contacts in packs of four: which stand together, and their values. See packed_sweep.h.
#include <math.h>
#include <stdlib.h>

#include "solver/impulse/group_law.h"
#include "solver/splitting/packed_sweep.h"
#include "solver/splitting/packed_sweep_data.h"

bool vs_packed_suits(const vs_impulse_problem *problem) {
    bool rolling = problem->ld > 3;
    return problem->exact && problem->carried && !rolling && !problem->space && problem->scaled->identity;
}

// The first velocities of the bodies of a group: two runs of six, or one. False: it is none of these.
static bool find_bodies(const vs_impulse_problem *p, int g, int *velocity) {
    const int *col = p->J.col + p->J.start[g];
    int width = (int)(p->J.start[g + 1] - p->J.start[g]);
    velocity[0] = velocity[1] = -1;
    if (p->law[g] != VS_LAW_FRICTION || (width != VS_PACK_BODY && width != VS_PACK_COLUMNS))
        return false;
    for (int b = 0; b < width / VS_PACK_BODY; b++, col += VS_PACK_BODY) {
        velocity[b] = col[0];
        if (col[VS_PACK_BODY - 1] != col[0] + VS_PACK_BODY - 1) // ascending
            return false;
    }
    return true;
}

// Four empty lanes: contacts that stay open.
static void clear_pack(vs_pack *k) {
    *k = (vs_pack){.mu = vs_lane_of(1)};
    for (int i = 0; i < 3; i++)
        k->A[4 * i] = vs_lane_of(1);
    k->r[0] = vs_lane_of(1);
    for (int lane = 0; lane < VS_LANES; lane++)
        k->velocity[0][lane] = k->velocity[1][lane] = k->group[lane] = -1;
}

static void load_lane(const vs_impulse_problem *p, int g, vs_pack *k, int lane) {
    int width = (int)(p->J.start[g + 1] - p->J.start[g]), row = p->row[g], velocity[2];
    const double *J = p->J.x + p->J.value[g], *A = p->A + vs_impulse_block(p, g);
    (void)find_bodies(p, g, velocity);
    k->group[lane] = g;
    k->velocity[0][lane] = velocity[0];
    k->velocity[1][lane] = velocity[1];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < width; j++)
            k->J[i][j][lane] = J[i * width + j];
        for (int j = 0; j < 3; j++)
            k->A[3 * i + j][lane] = A[p->ld * i + j] - (i == j ? p->E[row + i] : 0);
        k->E[i][lane] = p->E[row + i];
        k->r[i][lane] = p->r[row + i];
    }
    k->mu[lane] = p->mu[g];
}

static int by_key(const void *a, const void *b) {
    const vs_pack_place *one = a, *two = b;
    return one->key != two->key ? (one->key < two->key ? -1 : 1) : one->group - two->group;
}

// The contacts of a colour, in s->place. Returns how many.
static int collect(const vs_packed *s, int colour, const double *start) {
    const vs_impulse_problem *p = s->problem;
    int contacts = 0;
    for (int k = s->start[colour]; k < s->start[colour + 1]; k++)
        for (int lane = 0; lane < VS_LANES; lane++) {
            int g = s->pack[k].group[lane], row = g >= 0 ? p->row[g] : 0;
            if (g >= 0)
                s->place[contacts++] = (vs_pack_place){start[row] > 0 ? -INFINITY : p->r[row], g};
        }
    return contacts;
}

void vs_packed_load(vs_packed *s, const double *start) {
    s->alpha = 0;
    for (int colour = 0; colour < s->colours; colour++) {
        vs_pack *first = s->pack + s->start[colour];
        int contacts = collect(s, colour, start);
        qsort(s->place, (size_t)contacts, sizeof *s->place, by_key);
        for (int k = 0; k < contacts; k++) {
            if (k % VS_LANES == 0)
                clear_pack(&first[k / VS_LANES]);
            load_lane(s->problem, s->place[k].group, &first[k / VS_LANES], k % VS_LANES);
        }
    }
}

void vs_packed_pull(vs_packed *s, double alpha, const double *centre) {
    const vs_impulse_problem *p = s->problem;
    s->alpha = alpha;
    s->centre = centre;
    for (int k = 0; k < s->packs; k++)
        for (int lane = 0; lane < VS_LANES; lane++) {
            int row = s->pack[k].group[lane] < 0 ? -1 : p->row[s->pack[k].group[lane]];
            for (int i = 0; i < 3 && row >= 0; i++) {
                s->pack[k].E[i][lane] = p->E[row + i] + alpha;
                s->pack[k].r[i][lane] = p->r[row + i] - alpha * centre[row + i];
            }
        }
}

// The packs of one colour, from the groups of the colouring; the others become singles.
static void pack_colour(vs_packed *s, const int *group, int count) {
    int lane = VS_LANES, velocity[2];
    for (int k = 0; k < count; k++) {
        if (!find_bodies(s->problem, group[k], velocity)) {
            s->single[s->singles++] = group[k];
            continue;
        }
        if (lane == VS_LANES) {
            lane = 0;
            clear_pack(&s->pack[s->packs++]);
        }
        s->pack[s->packs - 1].group[lane++] = group[k];
    }
}

vs_error vs_packed_create(const vs_impulse_problem *problem, vs_arena *arena, vs_packed **packed) {
    vs_colouring colouring;
    vs_packed *s = VS_NEW_ZERO(arena, vs_packed, 1);
    if (!s || vs_colouring_create(&colouring, problem, arena))
        return VS_ERROR_MEMORY;
    *s = (vs_packed){.problem = problem,
                     .colours = colouring.colours,
                     .start = VS_NEW_ZERO(arena, int, colouring.colours + 1),
                     .pack = VS_NEW(arena, vs_pack, problem->groups / VS_LANES + colouring.colours),
                     .place = VS_NEW(arena, vs_pack_place, problem->groups),
                     .single = VS_NEW(arena, int, problem->groups),
                     .x = VS_NEW(arena, double, problem->rows),
                     .f = VS_NEW(arena, double, problem->rows),
                     .p = VS_NEW(arena, double, problem->rows),
                     .age = VS_NEW(arena, double, problem->groups),
                     .v = VS_NEW(arena, double, problem->n)};
    if (!s->start || !s->pack || !s->place || !s->single || !s->x || !s->f || !s->p || !s->age || !s->v)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < colouring.colours; k++) {
        pack_colour(s, colouring.group + colouring.start[k], colouring.start[k + 1] - colouring.start[k]);
        s->start[k + 1] = s->packs;
    }
    for (int k = colouring.start[VS_COLOURS_MOST]; k < problem->groups; k++)
        s->single[s->singles++] = colouring.group[k];
    *packed = s;
    return VS_OK;
}
