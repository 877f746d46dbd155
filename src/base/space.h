// The space of vectors that algorithms are written on, so that a vector over several processes cannot be forgotten: sums,
// inner products, norms and maxima of vectors, and of numbers that every process has a part of, go through it.
//
// A distributed problem is solved by several processes together, each with its contacts and joints, the velocities it
// owns and, behind them, ghosts: copies of others' velocities that its contacts and joints touch. Every process runs the
// same code on its part; only the functions below reach beyond it. All but the first are collective: every process calls
// them, in the same order.
//
// A null vs_space is the usual, serial case: one process with the whole problem. It costs a test of a pointer and
// changes no bit. libvoussoir has no other; src/mpi makes one of MPI.
#ifndef VS_BASE_SPACE_H
#define VS_BASE_SPACE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/vector.h"
#include "voussoir/context.h"

typedef struct vs_space {
    int rank, size; // this process, number of processes
    int owned;      // of the entries of a vector here the first so many are this process's; the others are ghosts
    void *user;
    void (*sum)(void *user, int count, double *x); // x (count) <- sums over all processes, the same bits on each
    void (*max)(void *user, int count, double *x);
    void (*assemble)(void *user, double *x); // x (owned and ghosts) <- sums over all processes that have the entry
    // Numbers of all processes, one process after the other, on process 0, and back; `all` is null elsewhere.
    void (*gather)(void *user, int count, const double *here, double *all);
    void (*scatter)(void *user, int count, const double *all, double *here);
} vs_space;

// Entries of a vector of n that count in its inner products.
static inline int vs_space_owned(const vs_space *space, int n) {
    return space ? space->owned : n;
}

// ---- numbers of which every process has a part ---------------------------------------------------------

static inline void vs_space_sums(const vs_space *space, int count, double *x) {
    if (space)
        space->sum(space->user, count, x);
}

static inline double vs_space_sum(const vs_space *space, double x) {
    vs_space_sums(space, 1, &x);
    return x;
}

static inline void vs_space_maxima(const vs_space *space, int count, double *x) {
    if (space)
        space->max(space->user, count, x);
}

static inline double vs_space_max(const vs_space *space, double x) {
    vs_space_maxima(space, 1, &x);
    return x;
}

static inline double vs_space_min(const vs_space *space, double x) {
    return space ? -vs_space_max(space, -x) : x;
}

static inline bool vs_space_any(const vs_space *space, bool x) {
    return space ? vs_space_max(space, x) > 0 : x;
}

// An error of any process is an error of all.
static inline vs_error vs_space_agree(const vs_space *space, vs_error error) {
    return space ? (vs_error)vs_space_max(space, error) : error;
}

// ---- vectors -------------------------------------------------------------------------------------------

// This process's part of x'y, to be summed with others by one vs_space_sums().
static inline double vs_space_part(const vs_space *space, int n, const double *x, const double *y) {
    return vs_vector_dot(vs_space_owned(space, n), x, y);
}

// x'y of vectors with n entries here, ghosts included: each counts once.
static inline double vs_space_dot(const vs_space *space, int n, const double *x, const double *y) {
    return vs_space_sum(space, vs_space_part(space, n, x, y));
}

static inline double vs_space_norm(const vs_space *space, int n, const double *x) {
    return sqrt(vs_space_dot(space, n, x, x));
}

// The same of vectors without ghosts, such as those of contact and joint rows.
static inline double vs_space_part_rows(int rows, const double *x, const double *y) {
    return vs_space_part(NULL, rows, x, y);
}

static inline double vs_space_dot_rows(const vs_space *space, int rows, const double *x, const double *y) {
    return vs_space_sum(space, vs_space_part_rows(rows, x, y));
}

// A sum over contacts and joints, x += J'l, begins and ends with these: the ghosts are set to zero, the products with
// the rows here are added, and all copies of an entry become the sum over the processes.
static inline void vs_space_assemble_begin(const vs_space *space, int n, double *x) {
    if (space && n > space->owned)
        memset(x + space->owned, 0, sizeof(double) * (size_t)(n - space->owned));
}

static inline void vs_space_assemble_end(const vs_space *space, double *x) {
    if (space)
        space->assemble(space->user, x);
}

// Extends x from the entries owned to the ghosts.
static inline void vs_space_extend(const vs_space *space, int n, double *x) {
    vs_space_assemble_begin(space, n, x);
    vs_space_assemble_end(space, x);
}

#endif
