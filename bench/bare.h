// The bare backend: what a program would do that calls the library itself, on matrices that it already has.
//
// MUMPS is called directly (dmumps_c, smumps_c) with values already in its precision: no lock, no check for NaN, no
// conversion. The others are called through the functions of their vs_linear_backend, past the dispatch and its checks.
// The order of elimination is the solver's (vs_ordering()): it belongs to the analysis and is timed with it.
#ifndef BENCH_BARE_H
#define BENCH_BARE_H

#include "bench.h"
#include "linalg/linear_solver.h"

typedef struct bench_bare bench_bare;

// The bare backend of this name; null if memory runs out. Nothing is analysed yet.
bench_bare *bench_bare_create(vs_context *context, const vs_linear_backend *backend, const vs_linear_pattern *pattern);
void bench_bare_destroy(bench_bare *bare);

// Values in the form the backend wants, not timed: (nonzeros) doubles or floats. Null if memory runs out; free() it.
void *bench_bare_values(const bench_bare *bare, const double *x);

// Each adds the time it took; false if the backend failed.
bool bench_bare_analyse(bench_bare *bare, bench_time *time);
bool bench_bare_factor(bench_bare *bare, void *values, bench_time *time);
bool bench_bare_solve(bench_bare *bare, int64_t count, bench_time *time); // `count` solves of one right-hand side
int64_t bench_bare_fill(const bench_bare *bare);                          // nonzeros of the last factor

// ---- backends called directly -----------------------------------------------------------------------

typedef struct bench_direct {
    size_t real; // bytes of a value
    void *(*create)(vs_context *context, const vs_linear_pattern *pattern);
    bool (*analyse)(void *state);
    bool (*factor)(void *state, void *values);
    bool (*solve)(void *state, const double *right);
    int64_t (*fill)(const void *state);
    void (*destroy)(void *state);
} bench_direct;

extern const bench_direct bench_direct_mumps, bench_direct_mumps_single; // bare_mumps.c

#endif
