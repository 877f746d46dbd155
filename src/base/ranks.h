// Several processes (ranks) that solve one problem together, each with its part: its contacts and joints, the bodies
// it owns and, as ghosts, copies of the bodies owned by others that its contacts touch. Every rank runs the same code
// on its part; only the functions below communicate. All but the first are collective: every rank calls them, in the
// same order.
//
// A null vs_ranks is the serial case, one process with the whole problem. It costs a test of a pointer and changes no
// bit. libvoussoir has no other; src/mpi makes one from MPI.
#ifndef VS_BASE_RANKS_H
#define VS_BASE_RANKS_H

#include <stdbool.h>
#include <string.h>

#include "voussoir/context.h"

typedef struct vs_ranks {
    int rank, size;
    int owned; // velocities owned by this rank, which come first; the others are ghosts
    void *user;
    void (*sum)(void *user, int count, double *x); // x (count) <- the sums over all ranks, the same bits on each
    void (*most)(void *user, int count, double *x);
    void (*share)(void *user, double *x); // x (velocities) <- the sums over all ranks that have the velocity
} vs_ranks;

// Number of the n velocities that count in a sum over all ranks.
static inline int vs_ranks_owned(const vs_ranks *ranks, int n) {
    return ranks ? ranks->owned : n;
}

static inline void vs_ranks_sum(const vs_ranks *ranks, int count, double *x) {
    if (ranks)
        ranks->sum(ranks->user, count, x);
}

static inline double vs_ranks_total(const vs_ranks *ranks, double x) {
    vs_ranks_sum(ranks, 1, &x);
    return x;
}

static inline double vs_ranks_most(const vs_ranks *ranks, double x) {
    if (ranks)
        ranks->most(ranks->user, 1, &x);
    return x;
}

static inline double vs_ranks_least(const vs_ranks *ranks, double x) {
    return ranks ? -vs_ranks_most(ranks, -x) : x;
}

static inline bool vs_ranks_any(const vs_ranks *ranks, bool x) {
    return ranks ? vs_ranks_most(ranks, x) > 0 : x;
}

// An error of any rank is an error of all.
static inline vs_error vs_ranks_agree(const vs_ranks *ranks, vs_error error) {
    return ranks ? (vs_error)vs_ranks_most(ranks, error) : error;
}

// A sum over contacts and joints, x += J'l, in three parts: x of ghosts to zero, the local products, and
// the sum over the ranks, after which all copies of a velocity are the same again.
static inline void vs_ranks_begin(const vs_ranks *ranks, int n, double *x) {
    if (ranks && n > ranks->owned)
        memset(x + ranks->owned, 0, sizeof(double) * (size_t)(n - ranks->owned));
}

static inline void vs_ranks_share(const vs_ranks *ranks, double *x) {
    if (ranks)
        ranks->share(ranks->user, x);
}

#endif
