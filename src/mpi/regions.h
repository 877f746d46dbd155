// Space divided among ranks by recursive bisection: planes that halve the weight of bodies, each across the longest
// extent of its part.
#ifndef VS_MPI_REGIONS_H
#define VS_MPI_REGIONS_H

#include <mpi.h>

#include "base/arena.h"
#include "base/vec.h"

// Ranks low … high - 1 are divided at `middle` = low + (high - low) / 2, which is unique: a cut is stored at index
// `middle`.
typedef struct vs_region_cut {
    vs_vec3 normal;
    double at; // below: ranks low … middle - 1
} vs_region_cut;

typedef struct vs_regions {
    MPI_Comm comm;
    int ranks;
    vs_region_cut *cut; // (ranks); the first is not used
} vs_regions;

vs_error vs_regions_create(vs_regions *regions, MPI_Comm comm, vs_arena *arena); // without cuts
// New cuts for `count` bodies here. Collective. Weights must not be negative; of equal weights each rank gets at least
// one body if there are enough.
vs_error vs_regions_balance(vs_regions *regions, int count, const vs_vec3 *position, const double *weight,
                            vs_arena *arena);
// The rank of a position. A body on rank `now` stays there within `margin` (m) of its region.
int vs_regions_find(const vs_regions *regions, vs_vec3 position, int now, double margin);

#endif
