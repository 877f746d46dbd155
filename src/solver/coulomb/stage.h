// The stages of the cascade: one table, in the order in which an island passes through them. A new stage is a file that
// defines its function and a row of the table; another order or budget is a change of rows. All other code refers to a
// stage by its index, and reports take its name from the table.
#ifndef VS_SOLVER_COULOMB_STAGE_H
#define VS_SOLVER_COULOMB_STAGE_H

#include "solver/coulomb/progress.h"
#include "solver/least.h"

typedef struct vs_cascade vs_cascade;

// Works on c->progress, which is at island k, for at most so many iterations.
typedef vs_stage_end vs_stage_function(vs_cascade *c, int k, int iterations);

// When a stage runs on the islands that are not solved yet.
typedef enum vs_stage_when {
    VS_STAGE_ALWAYS,
    VS_STAGE_TIMED,   // only under a time budget, of which every island gets a share
    VS_STAGE_LIMITED, // only where a limit ended the solve before an island had so many sweeps
    VS_STAGE_FALLBACK // only if no other stage converged and the compliant solution was asked for
} vs_stage_when;

typedef struct vs_stage_def {
    const char *name;       // in reports
    vs_stage_function *run; //
    vs_stage_when when;     //
    int from, below;        // contacts, or bodies where velocities are carried, of the islands it is for; 0: no limit
    int iterations;         // budget of a call of run: sweeps, Newton or path iterations, steps of a homotopy
    bool sweeps;            // they are sweeps: no factorizations
    bool plain, rolling;    // not, or only, for islands with rolling or spinning friction
    bool jointed;           // only for mechanisms (joint_elimination.h)
    double time;            // share of the time budget by whose end it stops, if the fallback may follow; else all
} vs_stage_def;

// Contacts from which accelerated sweeps are worth more than factorizations: a sweep costs 1/100 of one in a pile of
// 3000 contacts and 1/1000 in a pile of 60 000. Large islands are swept before the central path is followed, huge ones
// before Newton's method is tried.
enum { VS_STAGE_LARGE = 1000, VS_STAGE_HUGE = 20000 };

// Contacts from which walls that move are solved from their warm start as long as possible. The central path begins at rest:
// it may find another of the many states of redundant impulses, from which sweeps stall in all the steps that follow.
// (Falling wall of 56 bricks, per step: 191 sweeps and 20 factorizations with the path after 400 sweeps in vain and four
// factorizations of the proximal point method, 69 and 2 with few sweeps and all of that method first.)
enum { VS_STAGE_MASONRY = 300, VS_STAGE_MASONRY_SWEEPS = 120 };

// Rounds of a cascade: stages work to a little less than the tolerance, for errors of rounding; if what is measured on the
// unscaled problem does not meet it, again to a smaller one.
static const double VS_CASCADE_MARGIN = .9;
enum { VS_CASCADE_ROUNDS = 3 };

// ROW(index, name, function, fields of vs_stage_def): VS_STAGE_<index> and vs_stage_<function>() follow from it.
#define VS_STAGE_TABLE(ROW)                                                                                            \
    /* mechanisms: joints slow sweeps down and are most of a factorization, but are eliminated at a small cost */      \
    ROW(JOINT_ELIMINATION, "joint-elimination", joint_elimination, .jointed = true, .below = VS_STAGE_LARGE,           \
        .iterations = 400, .time = .7)                                                                                 \
    /* a sweep costs 1/1000 of a factorization, or less */                                                             \
    ROW(PACKED_GAUSS_SEIDEL, "packed-gauss-seidel", packed_gauss_seidel, .from = VS_STAGE_LARGE, .iterations = 3000,   \
        .sweeps = true, .time = .7)                                                                                    \
    /* soft modes, along which sweeps creep or wander */                                                               \
    ROW(PROXIMAL_SWEEPS, "proximal-sweeps", proximal_sweeps, .from = VS_STAGE_LARGE, .iterations = 6000,               \
        .sweeps = true, .time = .7)                                                                                    \
    /* loose tolerances: Newton's method around centres from there, and all the sweeps that are worth it */            \
    ROW(PROXIMAL_POINT_NEAR, "proximal-point-near", proximal_point_near, .from = VS_STAGE_LARGE,                       \
        .below = VS_STAGE_HUGE, .iterations = 60, .time = .7)                                                          \
    ROW(PACKED_GAUSS_SEIDEL_NEAR, "packed-gauss-seidel", packed_gauss_seidel_near, .from = VS_STAGE_LARGE,             \
        .iterations = 3000, .sweeps = true, .time = .7)                                                                \
    /* cheap; kept only if it converges */                                                                             \
    ROW(GAUSS_SEIDEL, "gauss-seidel", gauss_seidel, .iterations = 400, .sweeps = true, .time = .7)                     \
    ROW(TIME_LIMITED_GAUSS_SEIDEL, "time-limited-gauss-seidel", time_limited_gauss_seidel, .when = VS_STAGE_TIMED,     \
        .iterations = INT_MAX, .sweeps = true, .time = .7)                                                             \
    /* where factorizations cost too much */                                                                           \
    ROW(ACCELERATED_GAUSS_SEIDEL, "accelerated-gauss-seidel", accelerated_gauss_seidel, .from = VS_STAGE_HUGE,         \
        .iterations = 30000, .sweeps = true, .time = .7)                                                               \
    /* joints alone */                                                                                                 \
    ROW(LINEAR, "linear", linear, .below = 1, .iterations = 30, .time = .7)                                            \
    /* the last digits after sweeps */                                                                                 \
    ROW(PROXIMAL_POINT_SHORT, "proximal-point-short", proximal_point_short, .below = VS_STAGE_LARGE, .iterations = 4,  \
        .time = .7)                                                                                                    \
    /* impulses that have to be redistributed until many contacts change their state */                                \
    ROW(INTERIOR_CENTRE, "interior-centre", interior_centre, .plain = true, .below = VS_STAGE_LARGE, .iterations = 60, \
        .time = .7)                                                                                                    \
    ROW(PROXIMAL_POINT_MASONRY, "proximal-point-masonry", proximal_point_masonry, .below = VS_STAGE_LARGE,             \
        .iterations = 200, .time = .7)                                                                                 \
    /* light bodies between heavy ones */                                                                              \
    ROW(FIRM_NEWTON, "firm-newton", firm_newton, .below = VS_STAGE_LARGE, .iterations = 30, .time = .7)                \
    /* solves most of the large islands; in small ones contacts are redundant, and its directions diverge */           \
    ROW(SEMISMOOTH_NEWTON, "semismooth-newton", semismooth_newton, .plain = true, .from = VS_STAGE_LARGE,              \
        .iterations = 60, .time = .7)                                                                                  \
    ROW(GAUSS_SEIDEL_NEWTON, "gauss-seidel-newton", gauss_seidel_newton, .plain = true, .from = VS_STAGE_LARGE,        \
        .below = VS_STAGE_HUGE, .iterations = 10000, .sweeps = true, .time = .7)                                       \
    ROW(ROLLING_GAUSS_SEIDEL, "accelerated-gauss-seidel", accelerated_gauss_seidel, .rolling = true,                   \
        .from = VS_STAGE_LARGE, .below = VS_STAGE_HUGE, .iterations = 4000, .sweeps = true, .time = .7)                \
    /* folds: from here on the central path, in steps from long to short */                                            \
    ROW(CENTRAL_PATH, "central-path", central_path, .iterations = 60, .time = .7)                                      \
    /* redundant contacts: steps of a simulation */                                                                    \
    ROW(PROXIMAL_POINT, "proximal-point", proximal_point, .below = VS_STAGE_LARGE, .iterations = 200, .time = .7)      \
    ROW(PROXIMAL_POINT_RESTART, "proximal-point-restart", proximal_point_restart, .below = VS_STAGE_LARGE,             \
        .iterations = 150, .time = .7)                                                                                 \
    ROW(SEMISMOOTH_NEWTON_LATE, "semismooth-newton", semismooth_newton, .below = VS_STAGE_LARGE, .iterations = 60,     \
        .time = .7)                                                                                                    \
    ROW(CENTRAL_PATH_NARROW, "central-path-narrow", central_path_narrow, .iterations = 300, .time = .7)                \
    ROW(CENTRAL_PATH_EXTENDED, "central-path-extended", central_path_extended, .iterations = 1500, .time = .7)         \
    ROW(COMPLIANCE_HOMOTOPY, "compliance-homotopy", compliance_homotopy, .iterations = 300, .time = .7)                \
    ROW(FRICTION_HOMOTOPY, "friction-homotopy", friction_homotopy, .plain = true, .iterations = 60, .time = .7)        \
    ROW(CENTRAL_PATH_EXHAUSTIVE, "central-path-exhaustive", central_path_exhaustive, .iterations = 10000, .time = .7)  \
    /* what is done at any budget */                                                                                   \
    ROW(LEAST_SWEEPS, "least-sweeps", least_sweeps, .when = VS_STAGE_LIMITED, .iterations = VS_LEAST_SWEEPS,           \
        .sweeps = true, .time = .7)                                                                                    \
    ROW(COMPLIANT_FALLBACK, "compliant-fallback", compliant_fallback, .when = VS_STAGE_FALLBACK, .iterations = 300,    \
        .time = 1)

#define VS_STAGE_INDEX(index, ...) VS_STAGE_##index,
typedef enum vs_stage_index { VS_STAGE_TABLE(VS_STAGE_INDEX) VS_STAGE_COUNT } vs_stage_index;
#undef VS_STAGE_INDEX

#define VS_STAGE_DECLARE(index, name, function, ...) vs_stage_function vs_stage_##function;
VS_STAGE_TABLE(VS_STAGE_DECLARE)
#undef VS_STAGE_DECLARE

extern const vs_stage_def vs_stages[VS_STAGE_COUNT]; // cascade_stage.c

#endif
