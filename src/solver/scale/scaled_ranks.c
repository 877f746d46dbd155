// Rows of the distributed scaled problem: see scaled.h. In the local form ranks exchange impulses, in the global one
// velocities: y of a rank's contacts needs the impulses of all contacts that N couples to them. In the global form all
// rows are local.
#include "solver/scale/scaled_ranks.h"

#include <string.h>

static void sum_ranks(void *user, int count, double *x) {
    const vs_ranks *ranks = ((const vs_scaled *)user)->problem->ranks;
    ranks->sum(ranks->user, count, x);
}

static void most_ranks(void *user, int count, double *x) {
    const vs_ranks *ranks = ((const vs_scaled *)user)->problem->ranks;
    ranks->most(ranks->user, count, x);
}

// x (m + ghosts): the problem shares its own rows, including dropped ones.
static void share_rows(void *user, double *x) {
    const vs_scaled *s = user;
    if (!s->local)
        return;
    memset(s->wide, 0, sizeof(double) * (size_t)s->problem->N.cols);
    for (int k = 0; k < s->m; k++)
        s->wide[s->source[k]] = x[k];
    for (int k = 0; k < s->ghosts; k++)
        s->wide[s->ghost_source[k]] = x[s->m + k];
    vs_ranks_share(s->problem->ranks, s->wide);
    for (int k = 0; k < s->m; k++)
        x[k] = s->wide[s->source[k]];
    for (int k = 0; k < s->ghosts; k++)
        x[s->m + k] = s->wide[s->ghost_source[k]];
}

// The ghosts that their owners keep. Each row is sent as its position in its cone, from 1; dropped ones are 0.
static vs_error create_ghosts(vs_scaled *s, const vs_problem *problem, vs_arena *arena) {
    int total = problem->N.cols, m = problem->m;
    s->wide = VS_NEW_ZERO(arena, double, total);
    s->ghost_source = VS_NEW(arena, int, total - m);
    s->ghost_row = VS_NEW(arena, int, total - m + 1);
    if (!s->wide || !s->ghost_source || !s->ghost_row)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < s->cones; k++)
        for (int row = s->row[k]; row < s->row[k + 1]; row++)
            s->wide[s->source[row]] = row - s->row[k] + 1;
    vs_ranks_share(problem->ranks, s->wide);
    for (int j = m; j < total; j++) {
        if (s->wide[j] == 1)
            s->ghost_row[s->ghost_cones++] = s->m + s->ghosts;
        if (s->wide[j] > 0)
            s->ghost_source[s->ghosts++] = j;
    }
    s->ghost_row[s->ghost_cones] = s->m + s->ghosts;
    return VS_OK;
}

vs_error vs_scaled_create_ranks(vs_scaled *s, const vs_problem *problem, vs_arena *arena) {
    const vs_ranks *ranks = problem->ranks;
    if (!ranks)
        return VS_OK;
    s->row_ranks = (vs_ranks){.rank = ranks->rank,
                              .size = ranks->size,
                              .owned = s->m_e + s->m,
                              .user = s,
                              .sum = sum_ranks,
                              .most = most_ranks,
                              .share = share_rows};
    return s->local ? create_ghosts(s, problem, arena) : VS_OK;
}
