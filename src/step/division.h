// A simulation over several processes (ranks). Every rank has the whole world's description (shapes, masses, names) and
// steps the bodies that it owns, with ghosts, copies of others' bodies that may touch them; of all others it knows no
// state. Bodies without mass are everywhere. A contact belongs to the owner of the lower of its bodies with mass.
//
// A null division is the usual case, one process. src/mpi makes one of MPI.
#ifndef VS_STEP_DIVISION_H
#define VS_STEP_DIVISION_H

#include "base/ranks.h"

typedef struct vs_division {
    void *user;
    // Before contacts are found: bodies that have left go to their new owners, ghosts come. Sets the world's places.
    vs_error (*arrange)(void *user);
    const int *owner, *there; // (bodies) of ghosts: rank, and which of its bodies with mass, in ascending order, it is
    // For the velocities of `owned` bodies and the ghosts with these blocks, ascending owners: makes `ranks` anew.
    vs_error (*connect)(void *user, int owned, int ghosts, const int *ghost_body);
    const vs_ranks *ranks; // sums and maxima always, shares for the velocities of the last connect()
    vs_error (*agree)(void *user, vs_error error); // the first error of any rank, with its text, on all
    void (*release)(void *user);
} vs_division;

// What this rank's step has become, as far as it is of all ranks; without a division as it is.
static inline vs_error vs_division_agree(const vs_division *division, vs_error error) {
    return division ? division->agree(division->user, error) : error;
}
static inline const vs_ranks *vs_division_ranks(const vs_division *division) {
    return division ? division->ranks : NULL;
}

#endif
