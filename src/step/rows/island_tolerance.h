// The tolerance that the solution of a step has at a body: large granular islands may have one of their own
// (vs_solver_options.granular_tolerance).
#ifndef VS_STEP_ISLAND_TOLERANCE_H
#define VS_STEP_ISLAND_TOLERANCE_H

#include "problem/island_map.h"
#include "step/rows/step_view.h"

// Is the tolerance of granular islands another one?
static inline bool vs_tolerance_differs(const vs_solver_options *options) {
    return options->granular_tolerance > options->tolerance;
}

// Of all islands of the problem that has these measures.
static inline double vs_loosest_tolerance(const vs_solver_options *options, const vs_measures *measures) {
    return measures->granular_islands > 0 && vs_tolerance_differs(options) ? options->granular_tolerance
                                                                           : options->tolerance;
}

// Does the block belong to an island with the tolerance of granular ones? islands: of the problem; null: there is none
static inline bool vs_block_is_loose(const vs_solver_options *options, const vs_island_map *islands,
                                     const vs_blocks *blocks, int block) {
    if (!islands || islands->granular_islands == 0 || !vs_tolerance_differs(options) || block == VS_NO_BLOCK)
        return false;
    const int island = islands->entry[vs_blocks_column(blocks, block)];
    return island != VS_NO_ISLAND && islands->granular[island];
}

// Of the root of an island of the guards, which take all processes as one island.
static inline double vs_root_tolerance(const vs_step_view *step, int root) {
    const vs_solver_options *options = &step->options->solver;
    if (step->division)
        return vs_loosest_tolerance(options, &step->result->measures);
    return vs_block_is_loose(options, step->islands, step->blocks, root) ? options->granular_tolerance
                                                                         : options->tolerance;
}

#endif
