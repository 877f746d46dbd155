// Owners of unknowns, contacts and joints.
#ifndef VS_MPI_PARTITION_H
#define VS_MPI_PARTITION_H

#include "problem/problem_data.h"

// Units are divided: blocks of H, single velocities of a general H, contacts in the local form.
typedef struct vs_partition {
    int parts;
    int units;
    int *unit;    // (units + 1) first velocity of each; local form: first row
    int *unit_of; // (velocities or rows)
    int *part;    // (units)
    int *contact; // (contacts) the part of each
    int *joint;   // (joints)

    // local form: the contacts that N couples each to, ascending, itself not among them
    int64_t *near; // (contacts + 1)
    int *coupled;
} vs_partition;

// Units by PETSc's MatPartitioning (PT-Scotch, or -mat_partitioning_type) on the graph of contacts,
// joints and masses, so that parts are of equal work and few contacts are cut; contacts and joints to a part that owns
// one of their velocities. With an unsymmetric H all are on part 0. With fewer bodies than parts some parts are empty.
// Not collective.
vs_error vs_partition_create(vs_partition *partition, const vs_problem *problem, int parts, vs_arena *arena);

#endif
