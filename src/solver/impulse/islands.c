// Connected parts of the graph of N's blocks, each copied into an island of its own: see islands.h.
#include "solver/impulse/islands.h"

#include <math.h>
#include <string.h>

// ---- connected parts -------------------------------------------------------------------------------

static int find_root(int *parent, int g) {
    while (parent[g] != g) {
        parent[g] = parent[parent[g]];
        g = parent[g];
    }
    return g;
}

// part (groups): number of each group's island, counted in the order of their first groups. Returns how many.
static int find_parts(const vs_delassus *d, int *part) {
    const vs_rows *N = &d->N;
    for (int g = 0; g < N->groups; g++)
        part[g] = g;
    for (int g = 0; g < N->groups; g++)
        for (int64_t t = N->start[g]; t < N->start[g + 1]; t++) {
            int h = d->group_of[N->col[t]];
            if (t > N->start[g] && h == d->group_of[N->col[t - 1]])
                continue;
            int a = find_root(part, g), b = find_root(part, h);
            part[a > b ? a : b] = a > b ? b : a; // the root is the first group
        }
    for (int g = 0; g < N->groups; g++)
        part[g] = find_root(part, g);
    // roots come before their members; numbers are kept apart from groups by their sign
    int count = 0;
    for (int g = 0; g < N->groups; g++)
        part[g] = part[g] == g ? -1 - count++ : part[part[g]];
    for (int g = 0; g < N->groups; g++)
        part[g] = -1 - part[g];
    return count;
}

// ---- patterns --------------------------------------------------------------------------------------

// Arrays of an island whose groups, rows and N.start, N.value sizes are known.
static vs_error allocate(vs_island *island, int64_t columns, int64_t values, vs_arena *arena) {
    int groups = island->groups, rows = island->rows;
    vs_rows *N = &island->N;
    *N = (vs_rows){.groups = groups, .rows = rows, .cols = rows};
    N->row = VS_NEW(arena, int, groups + 1);
    N->start = VS_NEW(arena, int64_t, groups + 1);
    N->value = VS_NEW(arena, int64_t, groups + 1);
    N->col = VS_NEW(arena, int, columns);
    N->x = VS_NEW(arena, double, values);
    island->law = VS_NEW(arena, vs_law, groups);
    island->mu = VS_NEW_ZERO(arena, double, groups);
    island->lo = VS_NEW_ZERO(arena, double, groups);
    island->hi = VS_NEW_ZERO(arena, double, groups);
    island->unit_l = VS_NEW(arena, double, groups);
    island->unit_y = VS_NEW(arena, double, groups);
    island->diagonal = VS_NEW(arena, int64_t, groups);
    island->group_of = VS_NEW(arena, int, rows);
    island->source = VS_NEW(arena, int, rows);
    island->r = VS_NEW(arena, double, rows);
    bool complete = N->row && N->start && N->value && N->col && N->x && island->law && island->mu && island->lo &&
                    island->hi && island->unit_l && island->unit_y && island->diagonal && island->group_of &&
                    island->source && island->r;
    return complete ? VS_OK : VS_ERROR_MEMORY;
}

// place (m_e + m): row of each stacked row in its island.
static vs_error create_island(vs_islands *islands, vs_island *island, const int *member, int count, int *place,
                              vs_arena *arena) {
    const vs_delassus *d = &islands->delassus;
    const vs_rows *N = &d->N;
    *island = (vs_island){.context = d->context, .groups = count, .symmetric = d->problem->symmetric};
    int64_t columns = 0, values = 0;
    for (int k = 0; k < count; k++) {
        int g = member[k], rows = N->row[g + 1] - N->row[g];
        columns += N->start[g + 1] - N->start[g];
        values += rows * (N->start[g + 1] - N->start[g]);
        island->rows += rows;
    }
    if (allocate(island, columns, values, arena))
        return VS_ERROR_MEMORY;
    columns = values = 0;
    int row = 0;
    for (int k = 0; k < count; k++) {
        int g = member[k];
        island->law[k] = vs_law_of(d->problem, g);
        island->contacts += island->law[k] != VS_LAW_FREE;
        island->N.row[k] = row;
        for (int from = N->row[g]; from < N->row[g + 1]; from++, row++) {
            place[from] = row;
            island->group_of[row] = k;
            island->source[row] = from;
        }
    }
    island->N.row[count] = row;
    for (int k = 0; k < count; k++) {
        int g = member[k], rows = N->row[g + 1] - N->row[g], width = (int)(N->start[g + 1] - N->start[g]);
        island->N.start[k] = columns;
        island->N.value[k] = values;
        for (int t = 0; t < width; t++) {
            int col = place[N->col[N->start[g] + t]];
            island->N.col[columns + t] = col;
            if (col == island->N.row[k])
                island->diagonal[k] = values + t;
        }
        columns += width;
        values += (int64_t)rows * width;
    }
    island->N.start[count] = columns;
    island->N.value[count] = values;
    return VS_OK;
}

static vs_error create_all(vs_islands *islands, vs_arena *arena, vs_arena *scratch) {
    const vs_rows *N = &islands->delassus.N;
    int groups = N->groups;
    int *part = VS_NEW(scratch, int, groups), *place = VS_NEW(scratch, int, N->rows),
        *member = VS_NEW(scratch, int, groups);
    if (!part || !place || !member)
        return VS_ERROR_MEMORY;
    islands->count = find_parts(&islands->delassus, part);
    int *first = VS_NEW_ZERO(scratch, int, islands->count + 2);
    islands->island = VS_NEW_ZERO(arena, vs_island, islands->count);
    if (!first || !islands->island)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < groups; g++)
        first[part[g] + 2]++;
    for (int k = 0; k < islands->count; k++)
        first[k + 2] += first[k + 1];
    for (int g = 0; g < groups; g++)
        member[first[part[g] + 1]++] = g;
    for (int k = 0; k < islands->count; k++) {
        vs_island *island = &islands->island[k];
        int size = first[k + 1] - first[k];
        if (create_island(islands, island, member + first[k], size, place, arena))
            return VS_ERROR_MEMORY;
        island->share = (double)size / groups;
        islands->most_rows = island->rows > islands->most_rows ? island->rows : islands->most_rows;
        islands->most_groups = size > islands->most_groups ? size : islands->most_groups;
    }
    return VS_OK;
}

vs_error vs_islands_create(vs_islands *islands, const vs_scaled *problem, vs_arena *arena) {
    memset(islands, 0, sizeof *islands);
    int size = problem->m_e + problem->m;
    vs_error error = vs_delassus_create(&islands->delassus, problem, arena);
    if (error)
        return error;
    islands->free = VS_NEW(arena, double, size);
    islands->row_scale = VS_NEW(arena, double, size);
    islands->wide_n = VS_NEW(arena, double, problem->n);
    if (!islands->free || !islands->row_scale || !islands->wide_n)
        return VS_ERROR_MEMORY;
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    error = create_all(islands, arena, &scratch);
    vs_arena_release(&scratch);
    return error ? error : vs_islands_update(islands);
}

// ---- values ----------------------------------------------------------------------------------------

static void update_group(const vs_islands *islands, vs_island *island, int k) {
    const vs_scaled *problem = islands->delassus.problem;
    const vs_rows *from = &islands->delassus.N;
    vs_rows *N = &island->N;
    int first = island->source[N->row[k]], g = islands->delassus.group_of[first], m_e = problem->m_e;
    int rows = N->row[k + 1] - N->row[k], width = (int)(N->start[k + 1] - N->start[k]);
    double root_a = first < m_e ? problem->S_e[first] : problem->S[first - m_e] / islands->row_scale[first];
    island->unit_l[k] = problem->root_e0 / root_a;
    island->unit_y[k] = problem->root_e0 * root_a;
    if (island->law[k] == VS_LAW_FRICTION)
        island->mu[k] = vs_scaled_friction(problem, g - m_e);
    if (island->law[k] == VS_LAW_BOX) {
        island->lo[k] = problem->lo[first - m_e];
        island->hi[k] = problem->hi[first - m_e];
    }
    for (int i = 0; i < rows; i++) {
        double scale = islands->row_scale[first + i];
        const double *x = from->x + from->value[g] + (int64_t)i * width;
        double *out = N->x + N->value[k] + (int64_t)i * width;
        for (int t = 0; t < width; t++)
            out[t] = x[t] * scale * islands->row_scale[from->col[from->start[g] + t]];
        double E = first < m_e ? problem->E_e[first] : problem->local ? 0 : problem->E[first - m_e + i];
        N->x[island->diagonal[k] + (int64_t)i * width + i] += E * scale * scale;
        island->r[N->row[k] + i] = islands->free[first + i] * scale;
    }
}

vs_error vs_islands_update(vs_islands *islands) {
    vs_delassus_update(&islands->delassus);
    const vs_scaled *problem = islands->delassus.problem;
    vs_scaled_even_rows(problem, islands->row_scale);
    vs_error error = vs_scaled_free_velocities(problem, islands->wide_n, islands->free);
    if (error)
        return error;
    for (int k = 0; k < islands->count; k++) {
        islands->island[k].free_norm = problem->free_norm;
        for (int g = 0; g < islands->island[k].groups; g++)
            update_group(islands, &islands->island[k], g);
    }
    return VS_OK;
}

// ---- to and from the whole -------------------------------------------------------------------------

void vs_islands_gather(const vs_islands *islands, const vs_island *island, const double *g, const double *lambda,
                       double *l) {
    int m_e = islands->delassus.problem->m_e;
    for (int k = 0; k < island->rows; k++) {
        int from = island->source[k];
        l[k] = (from < m_e ? g[from] : lambda[from - m_e]) / islands->row_scale[from];
    }
}

void vs_islands_scatter(const vs_islands *islands, const vs_island *island, const double *l, double *g,
                        double *lambda) {
    int m_e = islands->delassus.problem->m_e;
    for (int k = 0; k < island->rows; k++) {
        int to = island->source[k];
        *(to < m_e ? g + to : lambda + to - m_e) = l[k] * islands->row_scale[to];
    }
}
