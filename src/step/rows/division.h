// A distributed simulation. Every rank has the description of the whole world (shapes, masses, names) and steps the
// bodies that it owns. It has copies of bodies of other ranks that may touch them (ghosts), and no state of all others.
// Bodies with prescribed motion are on every rank. A contact belongs to the owner of the lower of its bodies with mass.
//
// A null division means a serial run, the usual case. src/mpi implements one with MPI.
#ifndef VS_STEP_DIVISION_H
#define VS_STEP_DIVISION_H

#include "base/space.h"

typedef struct vs_division {
    void *user;
    // Before contacts are found: moves bodies to their new owners, and copies ghosts. Sets the world's places.
    vs_error (*arrange)(void *user);
    const int *owner, *there; // (bodies) of ghosts: rank, and index among its bodies with mass in ascending order
    // Rebuilds `space` for the velocities of `owned` bodies and of these ghosts, in ascending order of their owners.
    vs_error (*connect)(void *user, int owned, int ghosts, const int *ghost_body);
    const vs_space *space; // sums and maxima at any time, shares for the velocities of the last connect()
    vs_error (*agree)(void *user, vs_error error); // on all ranks the first error of any rank, with its text
    void (*release)(void *user);
} vs_division;

// An error of any rank; in a serial run the error itself.
static inline vs_error vs_division_agree(const vs_division *division, vs_error error) {
    return division ? division->agree(division->user, error) : error;
}
static inline const vs_space *vs_division_space(const vs_division *division) {
    return division ? division->space : NULL;
}

#endif
