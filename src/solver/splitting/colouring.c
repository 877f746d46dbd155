// Greedy colouring of the groups of a problem in impulses. Two groups are neighbours if they share a velocity (a column
// of J) or, if N is stored, if one has an entry in a column of the other. In the order of their numbers, each takes the
// colour that the fewest groups have of those that no neighbour has, or a new one: colours of about equal size, at most
// one more than the most neighbours of a group.
//
// A set of colours is the bits of one word. A body in contact with hundreds of others needs more colours than that, and
// colours of one group each give threads nothing to do: groups without a colour are left over, to be solved in order.
#include "solver/splitting/colouring.h"

#include <string.h>

typedef struct work {
    const vs_impulse_problem *problem;
    uint64_t *used; // (n) colours at a velocity; or (groups) of neighbours so far
    int *colour;    // (groups) -1: none yet; VS_COLOURS_MOST: left over
    int count[VS_COLOURS_MOST + 1];
    int colours;
} work;

static uint64_t bit(int colour) {
    return colour >= 0 && colour < VS_COLOURS_MOST ? (uint64_t)1 << colour : 0;
}

static uint64_t find_forbidden(const work *w, int g) {
    const vs_impulse_problem *d = w->problem;
    const vs_rows *M = d->n > 0 ? &d->J : &d->N;
    uint64_t forbidden = d->n > 0 ? 0 : w->used[g];
    for (int64_t k = M->start[g]; k < M->start[g + 1]; k++)
        forbidden |= d->n > 0 ? w->used[M->col[k]] : bit(w->colour[d->group_of[M->col[k]]]);
    return forbidden;
}

static void forbid(work *w, int g) {
    const vs_impulse_problem *d = w->problem;
    const vs_rows *M = d->n > 0 ? &d->J : &d->N;
    for (int64_t k = M->start[g]; k < M->start[g + 1]; k++)
        w->used[d->n > 0 ? M->col[k] : d->group_of[M->col[k]]] |= bit(w->colour[g]);
}

static int choose(const work *w, uint64_t forbidden) {
    int best = -1;
    for (int k = 0; k < w->colours; k++)
        if (!(forbidden & bit(k)) && (best < 0 || w->count[k] < w->count[best]))
            best = k;
    return best >= 0 ? best : w->colours; // a new one; if there is none left, VS_COLOURS_MOST
}

static void colour_groups(work *w) {
    for (int g = 0; g < w->problem->groups; g++)
        w->colour[g] = -1;
    for (int g = 0; g < w->problem->groups; g++) {
        int colour = choose(w, find_forbidden(w, g));
        w->colour[g] = colour;
        w->count[colour]++;
        w->colours += colour == w->colours && colour < VS_COLOURS_MOST;
        forbid(w, g);
    }
}

vs_error vs_colouring_create(vs_colouring *c, const vs_impulse_problem *problem, vs_arena *arena) {
    vs_arena room;
    vs_arena_init(&room, arena->context);
    work w = {.problem = problem};
    w.used = VS_NEW_ZERO(&room, uint64_t, problem->n > 0 ? problem->n : problem->groups);
    w.colour = VS_NEW(&room, int, problem->groups);
    c->start = VS_NEW_ZERO(arena, int, VS_COLOURS_MOST + 1);
    c->group = VS_NEW(arena, int, problem->groups);
    vs_error error = w.used && w.colour && c->start && c->group ? VS_OK : VS_ERROR_MEMORY;
    if (!error) {
        colour_groups(&w);
        c->colours = w.colours;
        int next[VS_COLOURS_MOST + 1] = {0};
        for (int k = 0; k < VS_COLOURS_MOST; k++)
            c->start[k + 1] = next[k + 1] = c->start[k] + w.count[k];
        for (int g = 0; g < problem->groups; g++)
            c->group[next[w.colour[g]]++] = g;
    }
    vs_arena_release(&room);
    return error;
}
