// Work of impulses by island, for the guards that keep them from creating energy.
#ifndef VS_STEP_ISLAND_WORK_H
#define VS_STEP_ISLAND_WORK_H

#include "step/guard/impact_guard.h"

typedef struct vs_island_work {
    VS_ARRAY(int) parent;          // (blocks, at least 1) islands as disjoint sets
    VS_ARRAY(double) work, energy; // (blocks, at least 1) J, of the roots: W of impact_guard.h; kinetic energy before
    int64_t solution;              // for which they are: vs_step_view.solution
} vs_island_work;

void vs_island_work_release(vs_context *context, vs_island_work *islands);
// Sets all from the solution, unless they are of this one. Compliant contacts, which return the energy that they absorbed, do not count.
vs_error vs_island_work_find(vs_island_work *islands, const vs_step_view *step);
// Root of a block's island. Over processes there is one.
int vs_island_work_root(vs_island_work *islands, const vs_step_view *step, int block);
// Is an energy that an island gained more than the error of the solver?
bool vs_island_work_is_gain(const vs_island_work *islands, const vs_step_view *step, int root, double gain);

#endif
