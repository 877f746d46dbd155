// Connected components of the graph of N's blocks, each copied into a problem of its own, or all into one: see
// islands.h.
#include "solver/impulse/islands.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "solver/impulse/group_law.h"
#include "solver/impulse/island_parts.h"
#include "solver/impulse/joint_elimination.h"

// ---- groups ----------------------------------------------------------------------------------------

static vs_error allocate_groups(vs_impulse_problem *p, vs_arena *arena) {
    p->row = VS_NEW(arena, int, p->groups + 1);
    p->law = VS_NEW(arena, vs_law, p->groups);
    p->mu = VS_NEW_ZERO(arena, double, p->groups);
    p->lo = VS_NEW_ZERO(arena, double, p->groups);
    p->hi = VS_NEW_ZERO(arena, double, p->groups);
    p->A = VS_NEW_ZERO(arena, double, vs_impulse_block(p, p->groups));
    if (p->scaled->discs)
        p->discs = VS_NEW_ZERO(arena, vs_discs, p->groups);
    p->diagonal = VS_NEW(arena, int64_t, p->groups);
    p->origin = VS_NEW(arena, int, p->groups);
    p->unit_l = VS_NEW(arena, double, p->groups);
    p->unit_y = VS_NEW(arena, double, p->groups);
    p->own = VS_NEW(arena, double, p->groups);
    p->group_of = VS_NEW(arena, int, p->rows);
    p->source = VS_NEW(arena, int, p->rows);
    p->r = VS_NEW(arena, double, p->rows);
    bool complete = p->row && (p->discs || !p->scaled->discs) && p->law && p->mu && p->lo && p->hi && p->A &&
                    p->diagonal && p->origin && p->unit_l && p->unit_y && p->own && p->group_of && p->source && p->r;
    return complete ? VS_OK : VS_ERROR_MEMORY;
}

// The groups member (count) of the scaled problem's stacked rows, ascending.
static vs_error create_groups(const vs_islands *islands, vs_impulse_problem *p, const int *member, int count,
                              vs_arena *arena) {
    const vs_scaled *scaled = islands->scaled;
    *p = (vs_impulse_problem){.context = arena->context,
                              .scaled = scaled,
                              .space = scaled->problem->space,
                              .exact = scaled->mass->friction == VS_MODEL_EXACT,
                              .symmetric = scaled->symmetric,
                              .groups = count,
                              .ld = 3,
                              .row_scale = islands->row_scale};
    for (int k = 0; k < count; k++) {
        int rows = vs_scaled_group_row(scaled, member[k] + 1) - vs_scaled_group_row(scaled, member[k]);
        p->rows += rows;
        p->ld = vs_law_of(scaled, member[k]) == VS_LAW_ROLLING ? VS_DISCS_ROWS : p->ld;
    }
    if (allocate_groups(p, arena))
        return VS_ERROR_MEMORY;
    int row = 0;
    for (int k = 0; k < count; k++) {
        p->origin[k] = member[k];
        p->law[k] = vs_law_of(scaled, member[k]);
        *(p->law[k] == VS_LAW_FREE ? &p->joints : &p->contacts) += 1;
        p->row[k] = row;
        int end = vs_scaled_group_row(scaled, member[k] + 1);
        for (int from = vs_scaled_group_row(scaled, member[k]); from < end; from++, row++) {
            p->group_of[row] = k;
            p->source[row] = from;
        }
    }
    p->row[count] = row;
    return VS_OK;
}

// ---- carried velocities ----------------------------------------------------------------------------

// The pattern of the Jacobian of its groups, and memory. number (n of the scaled problem): of each velocity among those
// of the island; null: the island has all of them.
static vs_error create_jacobian(vs_impulse_problem *p, const int *number, vs_arena *arena) {
    vs_rows *J = &p->J;
    *J = (vs_rows){.groups = p->groups, .rows = p->rows, .cols = p->n, .row = p->row};
    J->start = VS_NEW_ZERO(arena, int64_t, p->groups + 1);
    J->value = VS_NEW_ZERO(arena, int64_t, p->groups + 1);
    p->work_n = VS_NEW(arena, double, p->n);
    if (!J->start || !J->value || !p->work_n)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < p->groups; g++) {
        int width = vs_scaled_jacobian(p->scaled, p->origin[g]).width;
        J->start[g + 1] = J->start[g] + width;
        J->value[g + 1] = J->value[g] + (int64_t)width * (p->row[g + 1] - p->row[g]);
    }
    J->col = VS_NEW(arena, int, J->start[p->groups]);
    J->x = VS_NEW(arena, double, J->value[p->groups]);
    if (!J->col || !J->x)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < p->groups; g++) {
        vs_jacobian from = vs_scaled_jacobian(p->scaled, p->origin[g]);
        for (int k = 0; k < from.width; k++)
            J->col[J->start[g] + k] = number ? number[from.col[k]] : from.col[k];
    }
    return VS_OK;
}

enum { SPARSE = 16 }; // islands with less than this part of all velocities sort their own

// Numbers the velocities that the island's rows touch, ascending, and lists them. number: negative for all velocities of
// other islands. Returns how many there are.
static int number_velocities(const vs_impulse_problem *p, int *number, int *list) {
    int count = 0;
    for (int g = 0; g < p->groups; g++) {
        vs_jacobian J = vs_scaled_jacobian(p->scaled, p->origin[g]);
        for (int k = 0; k < J.width; k++)
            if (number[J.col[k]] < 0) {
                number[J.col[k]] = 0;
                list[count++] = J.col[k];
            }
    }
    if (count > p->scaled->n / SPARSE) {
        for (int j = 0, next = 0; j < p->scaled->n; j++)
            if (number[j] >= 0)
                list[next++] = j;
    } else {
        vs_sort_ints(list, count);
    }
    for (int k = 0; k < count; k++)
        number[list[k]] = k;
    return count;
}

// Velocities are carried where there are much fewer of them than rows, as in masonry; at equal numbers factors in either
// form cost the same (measured on piles: 1.5 times as many rows, the same flops). Not so with rolling and spinning friction, whose
// rows all turn the same two bodies (heaps of spheres, 1.7 times as many rows: a ninth of the flops). They are also
// carried in large islands, which are swept in packs of contacts (splitting/packed_sweep.h). The joints of mechanisms are
// eliminated instead (joint_elimination.h).
static bool is_carried(const vs_impulse_problem *p, vs_form form, int velocities) {
    const int fifths = p->ld > 3 ? 5 : 3; // of the rows
    const bool few = p->rows > VS_ISLAND_SMALL && 5 * (int64_t)velocities < fifths * (int64_t)p->rows &&
                     !vs_joint_elimination_pays(p);
    const bool large = p->contacts >= VS_ISLAND_LARGE || p->loose;
    return velocities > 0 && (form == VS_FORM_VELOCITY || (form == VS_FORM_AUTO && (few || large)));
}

// ---- islands ---------------------------------------------------------------------------------------

static vs_error allocate_matrix(vs_rows *N, int64_t columns, int64_t values, vs_arena *arena) {
    N->start = VS_NEW(arena, int64_t, N->groups + 1);
    N->value = VS_NEW(arena, int64_t, N->groups + 1);
    N->col = VS_NEW(arena, int, columns);
    N->x = VS_NEW(arena, double, values);
    return N->start && N->value && N->col && N->x ? VS_OK : VS_ERROR_MEMORY;
}

// The pattern of its part of N. place (m_e + m): row of each stacked row in its island.
static vs_error create_matrix(const vs_islands *islands, vs_impulse_problem *p, int *place, vs_arena *arena) {
    const vs_rows *from = &islands->delassus.N;
    vs_rows *N = &p->N;
    int64_t columns = 0, values = 0;
    for (int k = 0; k < p->groups; k++) {
        int64_t width = from->start[p->origin[k] + 1] - from->start[p->origin[k]];
        columns += width;
        values += width * (p->row[k + 1] - p->row[k]);
    }
    *N = (vs_rows){.groups = p->groups, .rows = p->rows, .cols = p->rows, .row = p->row};
    if (allocate_matrix(N, columns, values, arena))
        return VS_ERROR_MEMORY;
    for (int row = 0; row < p->rows; row++)
        place[p->source[row]] = row;
    columns = values = 0;
    for (int k = 0; k < p->groups; k++) {
        int g = p->origin[k], width = (int)(from->start[g + 1] - from->start[g]);
        N->start[k] = columns;
        N->value[k] = values;
        for (int t = 0; t < width; t++) {
            int col = place[from->col[from->start[g] + t]];
            N->col[columns + t] = col;
            if (col == p->row[k])
                p->diagonal[k] = values + t;
        }
        columns += width;
        values += (int64_t)width * (p->row[k + 1] - p->row[k]);
    }
    N->start[p->groups] = columns;
    N->value[p->groups] = values;
    return VS_OK;
}

// What create_part() shares between islands.
typedef struct part_work {
    int *place;         // (m_e + m) row of each stacked row in its island
    int *number, *list; // (n) of velocities: see number_velocities()
    bool *stored;       // (groups) of islands with a stored N
} part_work;

// The island of these groups, without N.
static vs_error create_part(vs_islands *islands, vs_impulse_problem *p, const int *member, int count, vs_form form,
                            bool loose, const part_work *work, vs_arena *arena) {
    if (create_groups(islands, p, member, count, arena))
        return VS_ERROR_MEMORY;
    islands->most_rows = p->rows > islands->most_rows ? p->rows : islands->most_rows;
    islands->most_groups = count > islands->most_groups ? count : islands->most_groups;
    p->loose = loose && vs_impulse_is_granular(p, 0);
    int velocities = work->number ? number_velocities(p, work->number, work->list) : 0;
    p->carried = is_carried(p, form, velocities);
    vs_error error = VS_OK;
    if (p->carried) {
        p->n = velocities;
        islands->most_velocities = velocities > islands->most_velocities ? velocities : islands->most_velocities;
        p->E = VS_NEW_ZERO(arena, double, p->rows);
        error = p->E ? create_jacobian(p, work->number, arena) : VS_ERROR_MEMORY;
    }
    for (int k = 0; k < count; k++)
        work->stored[member[k]] = !p->carried;
    for (int k = 0; k < velocities; k++)
        work->number[work->list[k]] = -1;
    return error;
}

// N of the islands without carried velocities.
static vs_error create_matrices(vs_islands *islands, const part_work *work, vs_arena *arena) {
    vs_error error = vs_delassus_create_some(&islands->delassus, islands->scaled, work->stored, arena);
    for (int k = 0; k < islands->count && !error; k++)
        if (!islands->island[k].carried)
            error = create_matrix(islands, &islands->island[k], work->place, arena);
    return error;
}

static vs_error create_parts(vs_islands *islands, vs_form form, bool loose, vs_arena *arena, vs_arena *scratch) {
    const vs_scaled *scaled = islands->scaled;
    int groups = scaled->m_e + scaled->cones, n = !scaled->local && scaled->identity ? scaled->n : 0;
    int *part = VS_NEW(scratch, int, groups), *member = VS_NEW(scratch, int, groups);
    part_work work = {.place = VS_NEW(scratch, int, scaled->m_e + scaled->m),
                      .list = VS_NEW(scratch, int, n),
                      .stored = VS_NEW(scratch, bool, groups)};
    if (n > 0)
        work.number = VS_NEW(scratch, int, n);
    if (!part || !member || !work.place || !work.list || !work.stored || (n > 0 && !work.number))
        return VS_ERROR_MEMORY;
    for (int k = 0; k < n; k++)
        work.number[k] = -1;
    if (vs_island_parts_find(scaled, part, &islands->count))
        return VS_ERROR_MEMORY;
    int *first = VS_NEW_ZERO(scratch, int, islands->count + 2);
    islands->island = VS_NEW_ZERO(arena, vs_impulse_problem, islands->count);
    if (!first || !islands->island)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < groups; g++)
        first[part[g] + 2]++;
    for (int k = 0; k < islands->count; k++)
        first[k + 2] += first[k + 1];
    for (int g = 0; g < groups; g++)
        member[first[part[g] + 1]++] = g;
    for (int k = 0; k < islands->count; k++) {
        vs_impulse_problem *island = &islands->island[k];
        int size = first[k + 1] - first[k];
        if (create_part(islands, island, member + first[k], size, form, loose, &work, arena))
            return VS_ERROR_MEMORY;
        island->share = (double)size / groups;
    }
    return create_matrices(islands, &work, arena);
}

static vs_error create_rows(vs_islands *islands, const vs_scaled *problem, vs_arena *arena) {
    int size = problem->m_e + problem->m;
    *islands = (vs_islands){.scaled = problem,
                            .free = VS_NEW(arena, double, size),
                            .row_scale = VS_NEW(arena, double, size + problem->ghosts),
                            .wide_n = VS_NEW(arena, double, problem->n)};
    return islands->free && islands->row_scale && islands->wide_n ? VS_OK : VS_ERROR_MEMORY;
}

vs_error vs_islands_create(vs_islands *islands, const vs_scaled *problem, vs_form form, bool loose, vs_arena *arena) {
    vs_error error = create_rows(islands, problem, arena);
    if (error)
        return error;
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    error = create_parts(islands, form, loose, arena, &scratch);
    vs_arena_release(&scratch);
    return error ? error : vs_islands_update(islands);
}

// ---- the whole -------------------------------------------------------------------------------------

static vs_error create_one(vs_islands *islands, vs_arena *arena, vs_arena *scratch) {
    const vs_scaled *scaled = islands->scaled;
    int groups = scaled->m_e + scaled->cones, *member = VS_NEW(scratch, int, groups);
    vs_impulse_problem *p = VS_NEW_ZERO(arena, vs_impulse_problem, 1);
    if (!member || !p)
        return VS_ERROR_MEMORY;
    for (int g = 0; g < groups; g++)
        member[g] = g;
    if (create_groups(islands, p, member, groups, arena))
        return VS_ERROR_MEMORY;
    islands->count = 1;
    islands->island = p;
    islands->most_rows = p->rows;
    islands->most_groups = groups;
    p->share = 1;
    p->E = VS_NEW_ZERO(arena, double, p->rows);
    p->work_rows = VS_NEW(arena, double, 2 * ((int64_t)p->rows + scaled->ghosts));
    if (!p->E || !p->work_rows)
        return VS_ERROR_MEMORY;
    p->carried = !scaled->local && (scaled->identity || p->space);
    if (p->carried) {
        p->n = scaled->n;
        return create_jacobian(p, NULL, arena);
    }
    vs_error error = vs_delassus_create(&islands->delassus, scaled, arena);
    p->N = islands->delassus.N;
    for (int g = 0; g < groups && !error; g++)
        p->diagonal[g] = p->N.value[g] + vs_delassus_find(&p->N, g, p->row[g]);
    return error;
}

vs_error vs_islands_create_whole(vs_islands *islands, const vs_scaled *problem, vs_arena *arena) {
    vs_error error = create_rows(islands, problem, arena);
    if (error)
        return error;
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    error = create_one(islands, arena, &scratch);
    vs_arena_release(&scratch);
    return error ? error : vs_islands_update(islands);
}

// ---- values ----------------------------------------------------------------------------------------

// Units, law, compliance and free velocities of group k.
static void update_law(const vs_islands *islands, vs_impulse_problem *p, int k) {
    const vs_scaled *scaled = p->scaled;
    int first = p->source[p->row[k]], m_e = scaled->m_e;
    double root_a = first < m_e ? scaled->S_e[first] : scaled->S[first - m_e] / p->row_scale[first];
    double unit = first < m_e ? scaled->unit_joint[first] : scaled->unit_row[first - m_e];
    p->unit_l[k] = unit / root_a;
    p->unit_y[k] = unit * root_a;
    p->own[k] = first < m_e ? scaled->own_joint[first] : scaled->own_row[first - m_e];
    if (p->law[k] == VS_LAW_FRICTION)
        p->mu[k] = vs_scaled_friction(scaled, p->origin[k] - m_e);
    if (p->law[k] == VS_LAW_ROLLING)
        p->discs[k] = scaled->discs[p->origin[k] - m_e];
    if (p->law[k] == VS_LAW_BOX) {
        p->lo[k] = scaled->lo[first - m_e];
        p->hi[k] = scaled->hi[first - m_e];
    }
    for (int row = p->row[k]; row < p->row[k + 1]; row++)
        p->r[row] = islands->free[p->source[row]] * p->row_scale[p->source[row]];
}

// Compliance of a row.
static double find_compliance(const vs_impulse_problem *p, int row) {
    const vs_scaled *scaled = p->scaled;
    int from = p->source[row], m_e = scaled->m_e;
    double E = scaled->local ? 0 : from < m_e ? scaled->E_e[from] : scaled->E[from - m_e];
    return E * p->row_scale[from] * p->row_scale[from];
}

// Rows of N of group k and its diagonal block. The whole problem's N is scaled where it is.
static void update_matrix(const vs_islands *islands, vs_impulse_problem *p, int k) {
    const vs_rows *from = &islands->delassus.N;
    vs_rows *N = &p->N;
    int g = p->origin[k], first = p->row[k], rows = p->row[k + 1] - first;
    int64_t width = N->start[k + 1] - N->start[k];
    for (int i = 0; i < rows; i++) {
        double scale = p->row_scale[p->source[first + i]];
        const double *x = from->x + from->value[g] + i * width;
        double *out = N->x + N->value[k] + i * width, *block = N->x + p->diagonal[k] + i * width;
        for (int64_t t = 0; t < width; t++)
            out[t] = x[t] * scale * p->row_scale[from->col[from->start[g] + t]];
        if (p->E)
            p->E[first + i] = find_compliance(p, first + i);
        else
            block[i] += find_compliance(p, first + i);
        for (int j = 0; j < rows; j++)
            p->A[vs_impulse_block(p, k) + p->ld * i + j] = block[j] + (p->E && i == j ? p->E[first + i] : 0);
    }
}

// J in these units and the diagonal blocks of J J' + E.
static void update_jacobian(vs_impulse_problem *p) {
    vs_rows *J = &p->J;
    for (int g = 0; g < p->groups; g++) {
        vs_jacobian from = vs_scaled_jacobian(p->scaled, p->origin[g]);
        for (int row = p->row[g]; row < p->row[g + 1]; row++) {
            int64_t first = (int64_t)(row - p->row[g]) * from.width;
            double scale = p->row_scale[p->source[row]];
            for (int k = 0; k < from.width; k++)
                J->x[J->value[g] + first + k] = from.x[first + k] * scale;
        }
    }
    for (int g = 0; g < p->groups; g++) {
        int first = p->row[g], rows = p->row[g + 1] - first;
        int64_t width = J->start[g + 1] - J->start[g];
        const double *x = J->x + J->value[g];
        for (int i = 0; i < rows; i++) {
            p->E[first + i] = find_compliance(p, first + i);
            for (int j = 0; j < rows; j++) {
                double sum = 0;
                for (int64_t t = 0; t < width; t++)
                    sum += x[i * width + t] * x[j * width + t];
                p->A[vs_impulse_block(p, g) + p->ld * i + j] = sum + (i == j ? p->E[first + i] : 0);
            }
        }
    }
}

vs_error vs_islands_update(vs_islands *islands) {
    const vs_scaled *scaled = islands->scaled;
    bool stored = false;
    for (int k = 0; k < islands->count; k++)
        stored = stored || !islands->island[k].carried;
    vs_scaled_even_rows(scaled, islands->row_scale);
    if (stored) {
        vs_delassus_update(&islands->delassus);
        vs_scaled_extend(scaled, islands->row_scale);
    }
    vs_error error = vs_scaled_free_velocities(scaled, islands->wide_n, islands->free);
    if (error)
        return error;
    for (int k = 0; k < islands->count; k++) {
        vs_impulse_problem *p = &islands->island[k];
        p->free_norm = scaled->free_norm;
        p->uneven = scaled->uneven;
        for (int g = 0; g < p->groups; g++) {
            update_law(islands, p, g);
            if (!p->carried)
                update_matrix(islands, p, g);
        }
        if (p->carried)
            update_jacobian(p);
    }
    return VS_OK;
}
