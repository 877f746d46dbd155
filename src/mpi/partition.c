// The graph of bodies, its partition by PETSc, and the assignment of contacts and joints.
//
// A body here is a run of adjacent units that the same contacts, joints and entries of a general H touch: a diagonal H
// has one block per velocity of a body, a general one a unit per velocity of a node. In the local form each contact is
// a body.
#include "mpi/partition.h"

#include <petscmat.h>
#include <string.h>

#include "base/hash.h"

enum { BODY_MOST = 12 }; // units

typedef struct body_graph {
    int bodies;
    int *of_unit; // (units)
    int *weight;  // (bodies) unknowns and rows
    int64_t *p;   // (bodies + 1)
    int *neighbour;
} body_graph;

// ---- bodies --------------------------------------------------------------------------------------------------------

static void add_hashes(const vs_rows *A, uint64_t seed, const int *unit_of, uint64_t *hash) {
    for (int g = 0; g < A->groups; g++) {
        int last = -1;
        for (int64_t t = A->start[g]; t < A->start[g + 1]; t++)
            if (unit_of[A->col[t]] != last) {
                last = unit_of[A->col[t]];
                hash[last] += vs_hash_mix((uint64_t)g + seed);
            }
    }
}

static vs_error find_bodies(body_graph *graph, const vs_problem *p, const vs_partition *partition, vs_arena *arena) {
    const int units = partition->units;
    uint64_t *hash = VS_NEW_ZERO(arena, uint64_t, units);
    graph->of_unit = VS_NEW(arena, int, units);
    if (!hash || !graph->of_unit)
        return VS_ERROR_MEMORY;
    if (!p->local) {
        add_hashes(&p->D, 1, partition->unit_of, hash);
        add_hashes(&p->C, (uint64_t)1 << 40, partition->unit_of, hash);
    }
    for (int j = 0; j < p->n && !p->local && !p->block_diagonal; j++)
        for (int64_t t = p->H.p[j]; t < p->H.p[j + 1]; t++)
            hash[j] += vs_hash_mix((uint64_t)p->H.i[t] + ((uint64_t)1 << 41));
    int first = 0;
    for (int k = 0; k < units; k++) {
        if (k == 0 || p->local || hash[k] != hash[k - 1] || k - first >= BODY_MOST) {
            first = k;
            graph->bodies++;
        }
        graph->of_unit[k] = graph->bodies - 1;
    }
    graph->weight = VS_NEW_ZERO(arena, int, graph->bodies);
    if (!graph->weight)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < units; k++)
        graph->weight[graph->of_unit[k]] += partition->unit[k + 1] - partition->unit[k];
    return VS_OK;
}

// ---- neighbours ----------------------------------------------------------------------------------------------------

// Visits every pair of different bodies of a group; pairs of several groups are repeated.
static void each_pair(const vs_rows *A, const body_graph *graph, const int *unit_of, int64_t *at, int *neighbour) {
    for (int g = 0; g < A->groups; g++)
        for (int64_t s = A->start[g]; s < A->start[g + 1]; s++) {
            int a = graph->of_unit[unit_of[A->col[s]]];
            if (s > A->start[g] && a == graph->of_unit[unit_of[A->col[s - 1]]])
                continue;
            for (int64_t t = A->start[g], last = -1; t < A->start[g + 1]; t++) {
                int b = graph->of_unit[unit_of[A->col[t]]];
                if (b == a || b == last)
                    continue;
                last = b;
                if (neighbour)
                    neighbour[at[a]] = b;
                at[a]++;
            }
            if (!neighbour)
                graph->weight[a] += A->row[g + 1] - A->row[g];
        }
}

// The same for the entries of H or N, in both directions: their pattern need not be symmetric.
static void each_entry(const vs_sparse *A, const body_graph *graph, const int *unit_of, int64_t *at, int *neighbour) {
    for (int j = 0; j < A->cols; j++) {
        int a = graph->of_unit[unit_of[j]];
        for (int64_t t = A->p[j], last = -1; t < A->p[j + 1]; t++) {
            int b = graph->of_unit[unit_of[A->i[t]]];
            if (b == a || b == last)
                continue;
            last = b;
            if (neighbour) {
                neighbour[at[a]] = b;
                neighbour[at[b]] = a;
            }
            at[a]++;
            at[b]++;
        }
    }
}

static void each_neighbour(const body_graph *graph, const vs_problem *p, const int *unit_of, int64_t *at,
                           int *neighbour) {
    if (p->local) {
        each_entry(&p->N, graph, unit_of, at, neighbour);
        return;
    }
    each_pair(&p->D, graph, unit_of, at, neighbour);
    each_pair(&p->C, graph, unit_of, at, neighbour);
    if (!p->block_diagonal)
        each_entry(&p->H, graph, unit_of, at, neighbour);
}

// Sorted and without repetition, as PETSc requires.
static void tidy_neighbours(body_graph *graph, int *seen) {
    int64_t kept = 0, begin = 0;
    for (int k = 0; k < graph->bodies; k++)
        seen[k] = -1;
    for (int a = 0; a < graph->bodies; a++) {
        int64_t first = kept, end = graph->p[a + 1];
        for (int64_t t = begin; t < end; t++) {
            int b = graph->neighbour[t];
            if (seen[b] == a)
                continue;
            seen[b] = a;
            int64_t at = kept++;
            for (; at > first && graph->neighbour[at - 1] > b; at--)
                graph->neighbour[at] = graph->neighbour[at - 1];
            graph->neighbour[at] = b;
        }
        begin = end;
        graph->p[a + 1] = kept;
    }
}

static vs_error find_neighbours(body_graph *graph, const vs_problem *p, const int *unit_of, vs_arena *arena) {
    int64_t *at = VS_NEW_ZERO(arena, int64_t, graph->bodies);
    int *seen = VS_NEW(arena, int, graph->bodies);
    graph->p = VS_NEW_ZERO(arena, int64_t, (int64_t)graph->bodies + 1);
    if (!at || !seen || !graph->p)
        return VS_ERROR_MEMORY;
    each_neighbour(graph, p, unit_of, at, NULL);
    for (int a = 0; a < graph->bodies; a++) {
        graph->p[a + 1] = graph->p[a] + at[a];
        at[a] = graph->p[a];
    }
    graph->neighbour = VS_NEW(arena, int, graph->p[graph->bodies]);
    if (!graph->neighbour)
        return VS_ERROR_MEMORY;
    each_neighbour(graph, p, unit_of, at, graph->neighbour);
    tidy_neighbours(graph, seen);
    return VS_OK;
}

// ---- parts ---------------------------------------------------------------------------------------------------------

// MatCreateMPIAdj() takes ownership of arrays from PetscMalloc().
static PetscErrorCode partition_graph(const body_graph *graph, int parts, int *part) {
    PetscInt *p, *i, *weight;
    Mat adjacency;
    MatPartitioning partitioning;
    IS found;
    const PetscInt *values;
    PetscFunctionBeginUser;
    PetscCall(PetscMalloc1(graph->bodies + 1, &p));
    PetscCall(PetscMalloc1(graph->p[graph->bodies] + 1, &i));
    PetscCall(PetscMalloc1(graph->bodies, &weight));
    for (int a = 0; a <= graph->bodies; a++)
        p[a] = (PetscInt)graph->p[a];
    for (int64_t t = 0; t < graph->p[graph->bodies]; t++)
        i[t] = graph->neighbour[t];
    for (int a = 0; a < graph->bodies; a++)
        weight[a] = graph->weight[a];
    PetscCall(MatCreateMPIAdj(PETSC_COMM_SELF, graph->bodies, graph->bodies, p, i, NULL, &adjacency));
    PetscCall(MatPartitioningCreate(PETSC_COMM_SELF, &partitioning));
    PetscCall(MatPartitioningSetAdjacency(partitioning, adjacency));
    PetscCall(MatPartitioningSetVertexWeights(partitioning, weight));
    PetscCall(MatPartitioningSetNParts(partitioning, parts));
    PetscCall(MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH));
    PetscCall(MatPartitioningSetFromOptions(partitioning));
    PetscCall(MatPartitioningApply(partitioning, &found));
    PetscCall(ISGetIndices(found, &values));
    for (int a = 0; a < graph->bodies; a++)
        part[a] = (int)values[a];
    PetscCall(ISRestoreIndices(found, &values));
    PetscCall(ISDestroy(&found));
    PetscCall(MatPartitioningDestroy(&partitioning));
    PetscCall(MatDestroy(&adjacency));
    PetscFunctionReturn(0);
}

// A partitioner may leave a part empty when there are few bodies: it then gets one from the part with most, if that has
// another.
static void fill_empty(const body_graph *graph, int parts, int *count, int *part) {
    memset(count, 0, sizeof(int) * (size_t)parts);
    for (int a = 0; a < graph->bodies; a++)
        count[part[a]]++;
    for (int q = 0; q < parts; q++) {
        int largest = 0;
        for (int k = 1; k < parts && count[q] == 0; k++)
            if (count[k] > count[largest])
                largest = k;
        for (int a = 0; a < graph->bodies && count[q] == 0 && count[largest] > 1; a++)
            if (part[a] == largest) {
                part[a] = q;
                count[largest]--;
                count[q]++;
            }
    }
}

// Assigns each group to the part of one of its bodies with the fewest rows so far.
static void assign_groups(const vs_rows *A, const int *unit_of, const int *part_of_unit, int64_t *rows, int *part) {
    for (int g = 0; g < A->groups; g++) {
        int chosen = -1;
        for (int64_t t = A->start[g]; t < A->start[g + 1]; t++) {
            int candidate = part_of_unit[unit_of[A->col[t]]];
            if (chosen < 0 || rows[candidate] < rows[chosen])
                chosen = candidate;
        }
        part[g] = chosen < 0 ? 0 : chosen;
        rows[part[g]] += A->row[g + 1] - A->row[g];
    }
}

static vs_error assign(vs_partition *partition, const vs_problem *p, const body_graph *graph, vs_arena *arena) {
    int *part = VS_NEW_ZERO(arena, int, graph->bodies), *count = VS_NEW(arena, int, partition->parts);
    int64_t *rows = VS_NEW_ZERO(arena, int64_t, partition->parts);
    if (!part || !count || !rows)
        return VS_ERROR_MEMORY;
    for (int a = 0; a < graph->bodies && graph->bodies <= partition->parts; a++)
        part[a] = a;
    if (partition->parts > 1 && graph->bodies > partition->parts && partition_graph(graph, partition->parts, part))
        return vs_fail(p->context, VS_ERROR_UNSUPPORTED, "the bodies cannot be divided among %d ranks; use fewer",
                       partition->parts);
    fill_empty(graph, partition->parts, count, part);
    for (int k = 0; k < partition->units; k++)
        partition->part[k] = part[graph->of_unit[k]];
    if (p->local) {
        memcpy(partition->contact, partition->part, sizeof(int) * (size_t)p->contacts);
        partition->near = graph->p;
        partition->coupled = graph->neighbour;
    } else if (p->symmetric) {
        assign_groups(&p->D, partition->unit_of, partition->part, rows, partition->contact);
        assign_groups(&p->C, partition->unit_of, partition->part, rows, partition->joint);
    }
    return VS_OK;
}

static vs_error find_units(vs_partition *partition, const vs_problem *p, vs_arena *arena) {
    const bool single = !p->local && !p->block_diagonal;
    const int count = p->local ? p->m : p->n;
    partition->units = p->local ? p->contacts : single ? p->n : p->blocks;
    partition->unit = VS_NEW(arena, int, (int64_t)partition->units + 1);
    partition->unit_of = VS_NEW(arena, int, count);
    partition->part = VS_NEW(arena, int, partition->units);
    partition->contact = VS_NEW_ZERO(arena, int, p->contacts);
    partition->joint = VS_NEW_ZERO(arena, int, p->joints);
    if (!partition->unit || !partition->unit_of || !partition->part || !partition->contact || !partition->joint)
        return VS_ERROR_MEMORY;
    for (int k = 0; k <= partition->units; k++)
        partition->unit[k] = single ? k : p->local ? p->row[k] : p->block[k];
    for (int k = 0; k < partition->units; k++)
        for (int j = partition->unit[k]; j < partition->unit[k + 1]; j++)
            partition->unit_of[j] = k;
    return VS_OK;
}

vs_error vs_partition_create(vs_partition *partition, const vs_problem *problem, int parts, vs_arena *arena) {
    *partition = (vs_partition){.parts = parts};
    body_graph graph = {0};
    vs_error error = find_units(partition, problem, arena);
    if (!error)
        error = find_bodies(&graph, problem, partition, arena);
    if (!error)
        error = find_neighbours(&graph, problem, partition->unit_of, arena);
    return error ? error : assign(partition, problem, &graph, arena);
}
