// Which rank owns which body, contact and joint.
#ifndef VS_MPI_PARTITION_H
#define VS_MPI_PARTITION_H

#include "problem/problem_data.h"

typedef struct vs_partition {
    int parts;
    int *block;   // (blocks) the part of each block of H
    int *contact; // (contacts)
    int *joint;   // (joints)
} vs_partition;

// Bodies by PETSc's MatPartitioning (PT-Scotch unless -mat_partitioning_type says otherwise) on the graph of contacts
// and joints, so that parts are of equal work and few contacts are cut; contacts and joints to a part that owns one of
// their bodies. Every part gets a body; VS_ERROR_UNSUPPORTED if there are not enough. Not collective.
vs_error vs_partition_create(vs_partition *partition, const vs_problem *problem, int parts, vs_arena *arena);

#endif
