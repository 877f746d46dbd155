// base/space.h by MPI: sums over all ranks, and the exchange of shared velocities.
#ifndef VS_MPI_EXCHANGE_H
#define VS_MPI_EXCHANGE_H

#include <mpi.h>

#include "base/arena.h"
#include "base/space.h"

typedef struct vs_exchange {
    vs_space space; // the interface; space.user is this struct
    MPI_Comm comm;
    int owners;          // ranks that own ghosts of this one
    int *owner;          // (owners)
    int *ghost;          // (owners + 1) first velocity of each here: ghosts are in the order of their owners
    int holders;         // ranks that have ghosts of this one's velocities
    int *holder;         // (holders) ascending
    int *held_start;     // (holders + 1)
    int *held;           // (held_start[holders]) the velocities
    double *buffer;      // (the same)
    MPI_Request *going;  // (owners + holders)
    int *counts, *first; // (ranks) of gather and scatter

    int64_t exchanges, messages, bytes, sums; // so far, sent by this rank
} vs_exchange;

// The first `owned` velocities are this rank's, the next `ghosts` others'. ghost_owner (ghosts): ascending ranks;
// ghost_there (ghosts): its index on the owner. Collective.
vs_error vs_exchange_create(vs_exchange *exchange, MPI_Comm comm, int owned, int ghosts, const int *ghost_owner,
                            const int *ghost_there, vs_arena *arena);

// Returns the error of the lowest rank that has one, with its text, on all ranks. Collective.
vs_error vs_exchange_agree(MPI_Comm comm, vs_context *context, vs_error error);

#endif
