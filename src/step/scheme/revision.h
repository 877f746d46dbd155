// The solution of a step and its revisions: one table, from the innermost revision to the outermost. The problem is solved, and
// each revision judges the solution that those before it have left: where it asks for a change, the problem is updated and
// solved again with the revisions that it repeats, until it asks no more or has asked as often as it may. A new revision is
// a function in revisions.c and a row of the table.
#ifndef VS_STEP_REVISION_H
#define VS_STEP_REVISION_H

#include <limits.h>

#include "step/data/simulation_data.h"

// What a revision has changed, and so what has to be made again.
typedef enum vs_invalid {
    VS_INVALID_NOTHING,  // the solution stands
    VS_INVALID_SOLUTION, // the accuracy
    VS_INVALID_RIGHT,    // right-hand sides of rows
    VS_INVALID_ELASTIC,  // H and c, or rows whose pattern stays
    VS_INVALID_ROWS      // contacts or rows: all is assembled again
} vs_invalid;

// `round`: how often it has asked before. All processes give the same answer.
typedef vs_error vs_revise_function(vs_simulation *s, int round, vs_step_report *report, vs_invalid *invalid);

typedef struct vs_revision_def {
    vs_revise_function *revise;
    vs_error (*begin)(vs_simulation *s); // before the first solution; null: nothing to do
    void (*end)(vs_simulation *s);       // after the last one, also after an error; null: likewise
    int most;                            // rounds; INT_MAX: the function ends by itself
    bool per_step;                       // counted over the step, not since the revisions outside asked
    unsigned repeats;                    // revisions inside of this one that follow the solution again, one bit each
} vs_revision_def;

// Contacts can be crushed so often in one solution; numerical damping is raised so often, at last to implicit Euler.
// Tensions agree after 3 to 6 solutions.
enum { VS_CRUSHING_ROUNDS = 10, VS_DAMPING_ROUNDS = 3, VS_ROPE_ROUNDS = 40 };

// ROW(index, function, fields): VS_REVISION_<index> and vs_revise_<function>() follow from it. What an impact or a removed
// overlap changes is small: the contacts stay, late ones are not searched again.
#define VS_REVISION_INNER (1u << VS_REVISION_ROPES | 1u << VS_REVISION_LINEARIZATION | 1u << VS_REVISION_CRUSHING)
#define VS_REVISION_TABLE(ROW)                                                                                         \
    /* tensions on both sides of the cuts of ropes agree */                                                            \
    ROW(ROPES, ropes, .most = VS_ROPE_ROUNDS)                                                                          \
    /* joints hold at the end of the step (shake); elements expanded about the solution */                             \
    ROW(LINEARIZATION, linearization, .most = INT_MAX, .repeats = 1u << VS_REVISION_ROPES)                             \
    /* contacts that carry more than their bonds do */                                                                 \
    ROW(CRUSHING, crushing, .begin = vs_revise_begin_crushing, .end = vs_revise_end_crushing,                          \
        .most = VS_CRUSHING_ROUNDS + 1, .repeats = ~0u)                                                                \
    /* elements that would create energy */                                                                            \
    ROW(DAMPING, damping, .most = VS_DAMPING_ROUNDS, .repeats = ~0u)                                                   \
    /* overlaps that a mechanism cannot leave */                                                                       \
    ROW(FEASIBILITY, feasibility, .most = 1, .per_step = true, .repeats = ~0u)                                         \
    /* contacts that turning bodies do not reach */                                                                    \
    ROW(UNREACHED, unreached, .most = INT_MAX, .per_step = true, .repeats = ~0u)                                       \
    /* contacts that appear only at the end of the step, and pairs that would pass each other */                       \
    ROW(LATE, late, .most = 8, .per_step = true, .repeats = ~0u)                                                       \
    /* where late contacts are expected, a rough solution, which shows them as well, came first */                     \
    ROW(ACCURACY, accuracy, .begin = vs_revise_begin_accuracy, .most = 1, .repeats = ~0u)                              \
    /* contacts that close within the tolerance of their island */                                                     \
    ROW(CLOSING, closing, .most = 2, .per_step = true, .repeats = ~(1u << VS_REVISION_ACCURACY))                       \
    /* impacts that would create energy */                                                                             \
    ROW(RESTITUTION, restitution, .most = INT_MAX, .repeats = VS_REVISION_INNER)                                       \
    /* impacts that would come too late (shake) */                                                                     \
    ROW(IMPACT_TIMES, impact_times, .most = 1, .repeats = VS_REVISION_INNER)                                           \
    /* contacts that impacts of this step close: left to the next step, unless that would create energy */             \
    ROW(IMPACT_SEQUENCE, impact_sequence, .most = 2, .repeats = VS_REVISION_INNER | 1u << VS_REVISION_RESTITUTION)     \
    /* removed overlaps that would create energy */                                                                    \
    ROW(RECOVERIES, recoveries, .most = 1, .repeats = VS_REVISION_INNER | 1u << VS_REVISION_RESTITUTION)               \
    /* gyroscopic reactions that were predicted and did not come */                                                    \
    ROW(PREDICTIONS, predictions, .most = 1, .repeats = VS_REVISION_INNER | 1u << VS_REVISION_RESTITUTION)

#define VS_REVISION_INDEX(index, ...) VS_REVISION_##index,
typedef enum vs_revision_index { VS_REVISION_TABLE(VS_REVISION_INDEX) VS_REVISION_COUNT } vs_revision_index;
#undef VS_REVISION_INDEX

#define VS_REVISION_DECLARE(index, function, ...) vs_revise_function vs_revise_##function;
VS_REVISION_TABLE(VS_REVISION_DECLARE)
#undef VS_REVISION_DECLARE
vs_error vs_revise_begin_crushing(vs_simulation *s);
void vs_revise_end_crushing(vs_simulation *s);
vs_error vs_revise_begin_accuracy(vs_simulation *s);

// Solves the assembled problem. Adds its effort to the report.
vs_error vs_step_solve(vs_simulation *s, vs_step_report *report);

#endif
