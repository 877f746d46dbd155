// The interface of a method behind voussoir/solver.h: one constant of this type each, listed in method.c.
#ifndef VS_SOLVER_METHOD_H
#define VS_SOLVER_METHOD_H

#include "solver/counts.h"
#include "solver/run.h"

enum {
    VS_SOLVES_RELAXED = 1 << VS_MODEL_RELAXED,
    VS_SOLVES_FRICTIONLESS = 1 << VS_MODEL_FRICTIONLESS,
    VS_SOLVES_EXACT = 1 << VS_MODEL_EXACT,
    VS_SOLVES_CONVEX = VS_SOLVES_RELAXED | VS_SOLVES_FRICTIONLESS,
    VS_SOLVES_ALL = VS_SOLVES_CONVEX | VS_SOLVES_EXACT
};

typedef struct vs_method_class {
    const char *name;     // as options and reports call it
    const char *purpose;  // one line
    unsigned models;      // VS_SOLVES_… directly; exact friction is otherwise a fixed point around it
    bool boxes;           // friction cones become boxes, in an iteration of their own
    bool distributed;     // it supports distributed problems
    bool evaluates_start; // it evaluates the warm start itself
    bool rolling;         // it handles contacts with rolling or spinning friction
    int most;             // default limit of iterations
    size_t size;          // of the state, bytes
    // The state is zeroed. Memory comes from the arena; iterations allocate nothing.
    vs_error (*create)(void *state, vs_method_run *run, vs_arena *arena);
    void (*release)(void *state);    // memory outside the arena; accepts an incomplete state of create(). Or null
    vs_error (*update)(void *state); // new values of the problem, same pattern
    void (*begin)(
        void *state); // resets the report of the last solve, for when rest or the warm start is the solution. Or null
    vs_error (*solve)(void *state); // the outcome is in run; run->options.warm_start, run->warm_… describe a warm start
    const vs_counts *(*counts)(const void *state);        // or null: no linear algebra
    void (*report)(const void *state, vs_result *result); // form, linear_solver, choice, …; or null
    bool (*velocities)(const void *state, double *v);     // its own, if they are better than those computed from the
                                                          // impulses; or null
} vs_method_class;

// The methods: ROW(enumerator of vs_method, vs_<name>_class). A row here, and its enumerator, register a class.
#define VS_METHOD_TABLE(ROW)                                                                                           \
    ROW(VS_METHOD_IPM, ipm)                                                                                            \
    ROW(VS_METHOD_CASCADE, cascade)                                                                                    \
    ROW(VS_METHOD_GAUSS_SEIDEL, gauss_seidel)                                                                          \
    ROW(VS_METHOD_JACOBI, jacobi)                                                                                      \
    ROW(VS_METHOD_APGD, apgd)                                                                                          \
    ROW(VS_METHOD_SPG, spg)                                                                                            \
    ROW(VS_METHOD_ADMM, admm)                                                                                          \
    ROW(VS_METHOD_BARRIER, barrier)                                                                                    \
    ROW(VS_METHOD_PIVOTING, pivoting)                                                                                  \
    ROW(VS_METHOD_LEMKE, lemke)
#define VS_METHOD_DECLARE(index, name) extern const vs_method_class vs_##name##_class;
VS_METHOD_TABLE(VS_METHOD_DECLARE)
#undef VS_METHOD_DECLARE
extern const vs_method_class vs_distributed_cascade_class; // the cascade on several processes
extern const vs_method_class vs_fixed_point_class; // exact friction by a class that solves the relaxed model only

// The choice of auto for a prepared run: a measured rule (bench/results/auto.md).
typedef struct vs_method_choice {
    vs_method first, then; // `then` takes over if `first` does not converge; the same: none does
    int most;              // iterations of `first`, if it is a trial; else INT_MAX
    const char *why;       // static text
    bool still;            // `first` is for cold starts, and for warm ones that are almost solutions
} vs_method_choice;
vs_method_choice vs_method_choose(const vs_method_run *run);

// The class of the requested method for a problem and a model; auto chooses. VS_ERROR_UNSUPPORTED (text set) if there
// is none in this build.
vs_error vs_method_find(const vs_solver_options *options, vs_context *context, const vs_method_class **method);

// The class that solves one process's part of a distributed problem; of other problems the method itself.
const vs_method_class *vs_method_of_part(const vs_method_class *method, const vs_problem *problem);

// VS_ERROR_UNSUPPORTED (text set) if the method does not handle the run's problem: one that is distributed, or one with
// rolling or spinning friction.
vs_error vs_method_check(const vs_method_class *method, const vs_method_run *run);

#endif
