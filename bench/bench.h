// Shared by the benchmarks: arguments, reading a file, timing one solve, the head of a table.
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdio.h>

#include "voussoir/voussoir.h"

typedef struct bench_arguments {
    vs_model model;    // --model relaxed | frictionless; default relaxed
    int repeat;        // --repeat, >= 1: each time is the least of this many runs
    double limit;      // --limit, s: stops a solve that takes longer; 0 = none
    int files;         //
    const char **file; // (files) into argv
} bench_arguments;

// False after a message on standard error: wrong usage, or no file. Reorders argv: the files come first.
bool bench_parse(int argc, char **argv, int repeat_default, bench_arguments *arguments);

// "# title", the BLAS, the model and the date.
void bench_print_head(const char *title, const bench_arguments *arguments);
const char *bench_base_name(const char *path);

// Creates a context and reads the file; a message on standard error if it fails. Both must be destroyed.
bool bench_read(const char *path, vs_context **context, vs_problem **problem);

// Wall time, and processor time of this process, which is independent of other processes. With one thread both are the
// same on an idle machine.
typedef struct bench_time {
    double wall, processor; // s
} bench_time;

bench_time bench_now(void);
bench_time bench_since(bench_time begin);
void bench_add(bench_time *sum, bench_time part);
void bench_least(bench_time *least, bench_time time); // of each

typedef struct bench_solve {
    bench_time time;  // create (scaling, choice, analysis, memory) and solve, without destroy
    vs_result result; // without the arrays, which are released with the solver
} bench_solve;

// One solve from creation to result. On failure false and a message if `loud`.
bool bench_run(const vs_problem *problem, const vs_solver_options *options, vs_context *context, bool loud,
               bench_solve *solve);

#endif
