// The space of vectors of rows of a distributed problem: see scaled.h. In the local form processes exchange impulses, as
// they exchange velocities in the global form: y of the contacts here takes those of all contacts that N couples to them.
// In the global form rows have no copies.
#include "solver/scale/row_space.h"

#include <string.h>

static void sum(void *user, int count, double *x) {
    vs_space_sums(((const vs_scaled *)user)->problem->space, count, x);
}

static void max(void *user, int count, double *x) {
    vs_space_maxima(((const vs_scaled *)user)->problem->space, count, x);
}

// x (m + ghosts). The problem's space is that of its own rows, dropped ones among them.
static void assemble(void *user, double *x) {
    const vs_scaled *s = user;
    if (!s->local)
        return;
    memset(s->wide, 0, sizeof(double) * (size_t)s->problem->N.cols);
    for (int k = 0; k < s->m; k++)
        s->wide[s->source[k]] = x[k];
    for (int k = 0; k < s->ghosts; k++)
        s->wide[s->ghost_source[k]] = x[s->m + k];
    vs_space_assemble_end(s->problem->space, s->wide);
    for (int k = 0; k < s->m; k++)
        x[k] = s->wide[s->source[k]];
    for (int k = 0; k < s->ghosts; k++)
        x[s->m + k] = s->wide[s->ghost_source[k]];
}

// The ghosts that their owners keep. A row is sent as its place in its cone, from 1 on; dropped ones are 0.
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
    vs_space_assemble_end(problem->space, s->wide);
    for (int j = m; j < total; j++) {
        if (s->wide[j] == 1)
            s->ghost_row[s->ghost_cones++] = s->m + s->ghosts;
        if (s->wide[j] > 0)
            s->ghost_source[s->ghosts++] = j;
    }
    s->ghost_row[s->ghost_cones] = s->m + s->ghosts;
    return VS_OK;
}

vs_error vs_scaled_create_row_space(vs_scaled *s, const vs_problem *problem, vs_arena *arena) {
    const vs_space *space = problem->space;
    if (!space)
        return VS_OK;
    s->row_space = (vs_space){.rank = space->rank,
                              .size = space->size,
                              .owned = s->m_e + s->m,
                              .user = s,
                              .sum = sum,
                              .max = max,
                              .assemble = assemble};
    return s->local ? create_ghosts(s, problem, arena) : VS_OK;
}
