// Connected parts of the graph whose vertices are the entries of a vector of the problem's space (velocities; rows of the
// local form) and whose edges are rows of D, C and entries of H or N: see island_map.h.
//
// Distributed, every process first finds the parts of its own entries, ghosts included. A ghost says which part of its
// owner it belongs to: the parts that meet in this way are numbered over all processes, and each takes the least number
// of all it meets, over and over until nothing changes: at most as many rounds as processes lie in a row.
#include "problem/island_map.h"

#include <assert.h>
#include <string.h>

#include "base/disjoint_sets.h"

// ---- parts of one process ----------------------------------------------------------------------------

static void join_rows(const vs_rows *A, int *parent) {
    for (int g = 0; g < A->groups; g++)
        for (int64_t t = A->start[g] + 1; t < A->start[g + 1]; t++)
            (void)vs_sets_join(parent, A->col[t - 1], A->col[t]);
}

static void join_matrix(const vs_sparse *A, int *parent) {
    for (int j = 0; j < A->cols; j++)
        for (int64_t t = A->p[j]; t < A->p[j + 1]; t++)
            (void)vs_sets_join(parent, j, A->i[t]);
}

static void join_all(const vs_problem *p, int *parent) {
    if (p->local) {
        join_matrix(&p->N, parent);
        for (int i = 0; i < p->contacts; i++)
            for (int row = p->row[i] + 1; row < p->row[i + 1]; row++)
                (void)vs_sets_join(parent, row - 1, row);
        return;
    }
    join_matrix(&p->H, parent);
    join_rows(&p->D, parent);
    if (p->m_e > 0)
        join_rows(&p->C, parent);
}

// An entry that a group of rows acts on; VS_NO_ISLAND if it is empty.
static int first_entry(const vs_rows *A, int g) {
    return A->start[g + 1] > A->start[g] ? A->col[A->start[g]] : VS_NO_ISLAND;
}

static int contact_entry(const vs_problem *p, int i) {
    if (p->local)
        return p->row[i + 1] > p->row[i] ? p->row[i] : VS_NO_ISLAND;
    return first_entry(&p->D, i);
}

// ---- numbers of the islands ---------------------------------------------------------------------------

// number (entries): at roots the islands that are numbered already, else VS_NO_ISLAND. Numbers the island of a contact
// or joint with the given entry.
static int number_island(vs_island_map *map, int *parent, int *number, int entry) {
    if (entry == VS_NO_ISLAND) // acts on nothing: an island of its own
        return map->count++;
    int root = vs_sets_root(parent, entry);
    if (number[root] == VS_NO_ISLAND)
        number[root] = map->count++;
    return number[root];
}

// In the order of joints and contacts, after the shared islands.
static void number_islands(vs_island_map *map, const vs_problem *p, int *parent, int *number, int entries) {
    for (int j = 0; j < p->joints; j++)
        map->joint[j] = number_island(map, parent, number, first_entry(&p->C, j));
    for (int i = 0; i < p->contacts; i++)
        map->contact[i] = number_island(map, parent, number, contact_entry(p, i));
    for (int k = 0; k < entries; k++)
        map->entry[k] = number[vs_sets_root(parent, k)];
}

// ---- parts that several processes share ----------------------------------------------------------------

// The parts here that meet a part of another process, numbered over all processes.
typedef struct meetings {
    int count;        // of all processes
    double *number;   // (entries) of the part of each entry; -1: it meets no other
    double *of_owner; // (entries) of a ghost: number of its part on the process that owns it
    double *label;    // (count) least number met so far
} meetings;

// Marks the roots of parts that meet others: those with a ghost, or with an entry that is a ghost elsewhere.
static void mark_parts(const vs_space *space, int *parent, int entries, double *copies, double *number) {
    for (int k = 0; k < entries; k++) {
        copies[k] = k >= space->owned;
        number[k] = -1;
    }
    vs_space_assemble_end(space, copies);
    for (int k = 0; k < entries; k++)
        if (copies[k] > 0)
            number[vs_sets_root(parent, k)] = 0;
}

// Numbers the marked parts, process after process.
static vs_error number_parts(const vs_space *space, int *parent, int entries, vs_arena *scratch, meetings *m) {
    double *counts = VS_NEW_ZERO(scratch, double, space->size);
    if (vs_space_any(space, !counts))
        return VS_ERROR_MEMORY;
    assert(counts);
    for (int k = 0; k < entries; k++)
        counts[space->rank] += parent[k] == k && m->number[k] == 0;
    vs_space_sums(space, space->size, counts);
    double next = 0;
    for (int q = 0; q < space->size; q++) {
        next += q < space->rank ? counts[q] : 0;
        m->count += (int)counts[q];
    }
    for (int k = 0; k < entries; k++)
        if (parent[k] == k && m->number[k] == 0)
            m->number[k] = next++;
    for (int k = 0; k < entries; k++)
        m->number[k] = m->number[vs_sets_root(parent, k)];
    return VS_OK;
}

static bool lower(double *label, double number, double least) {
    if (label[(int)number] <= least)
        return false;
    label[(int)number] = least;
    return true;
}

// The least number that each part meets, directly or through others.
static void spread_labels(const vs_space *space, int entries, meetings *m) {
    for (int k = 0; k < m->count; k++)
        m->label[k] = -k; // negative: the space has maxima
    bool changed = m->count > 0;
    while (changed) {
        changed = false;
        for (int k = 0; k < m->count; k++)
            m->label[k] = -m->label[k];
        for (int k = space->owned; k < entries; k++) {
            double a = m->label[(int)m->number[k]], b = m->label[(int)m->of_owner[k]], least = a < b ? a : b;
            bool here = lower(m->label, m->number[k], least), there = lower(m->label, m->of_owner[k], least);
            changed = changed || here || there;
        }
        for (int k = 0; k < m->count; k++)
            m->label[k] = -m->label[k];
        vs_space_maxima(space, m->count, m->label);
        changed = vs_space_any(space, changed);
    }
    for (int k = 0; k < m->count; k++)
        m->label[k] = -m->label[k];
}

// number (entries): the shared islands at the roots of their parts here. Collective.
static vs_error find_shared(vs_island_map *map, const vs_space *space, int *parent, int *number, int entries,
                            vs_arena *scratch) {
    meetings m = {.number = VS_NEW(scratch, double, entries), .of_owner = VS_NEW(scratch, double, entries)};
    if (vs_space_any(space, !m.number || !m.of_owner))
        return VS_ERROR_MEMORY;
    assert(m.number && m.of_owner);
    mark_parts(space, parent, entries, m.of_owner, m.number);
    vs_error error = number_parts(space, parent, entries, scratch, &m);
    if (error)
        return error;
    memcpy(m.of_owner, m.number, sizeof(double) * (size_t)entries);
    vs_space_extend(space, entries, m.of_owner);
    m.label = VS_NEW(scratch, double, m.count);
    int *island = VS_NEW(scratch, int, m.count);
    if (vs_space_any(space, !m.label || !island))
        return VS_ERROR_MEMORY;
    assert(m.label && island);
    spread_labels(space, entries, &m);
    for (int k = 0; k < m.count; k++)
        island[k] = (int)m.label[k] == k ? map->shared++ : island[(int)m.label[k]];
    for (int k = 0; k < entries; k++)
        if (parent[k] == k && m.number[k] >= 0)
            number[k] = island[(int)m.number[k]];
    map->count = map->shared;
    return VS_OK;
}

// ---- the map ------------------------------------------------------------------------------------------

static vs_error create(vs_island_map *map, const vs_problem *p, int entries, vs_arena *scratch) {
    int *parent = VS_NEW(scratch, int, entries), *number = VS_NEW(scratch, int, entries);
    if (vs_space_any(p->space, !parent || !number))
        return VS_ERROR_MEMORY;
    assert(parent && number);
    for (int k = 0; k < entries; k++) {
        parent[k] = k;
        number[k] = VS_NO_ISLAND;
    }
    join_all(p, parent);
    vs_error error = p->space ? find_shared(map, p->space, parent, number, entries, scratch) : VS_OK;
    if (error)
        return error;
    number_islands(map, p, parent, number, entries);
    map->total = vs_space_sum(p->space, map->count - map->shared) + map->shared;
    return VS_OK;
}

vs_error vs_island_map_create(vs_island_map *map, const vs_problem *problem, vs_arena *arena) {
    int entries = problem->local ? problem->N.cols : problem->n;
    *map = (vs_island_map){.contact = VS_NEW(arena, int, problem->contacts),
                           .joint = VS_NEW(arena, int, problem->joints),
                           .entry = VS_NEW(arena, int, entries)};
    if (vs_space_any(problem->space, !map->contact || !map->joint || !map->entry))
        return VS_ERROR_MEMORY;
    vs_arena scratch;
    vs_arena_init(&scratch, arena->context);
    vs_error error = create(map, problem, entries, &scratch);
    vs_arena_release(&scratch);
    return error;
}
