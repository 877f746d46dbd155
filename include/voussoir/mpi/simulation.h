// A simulation over several processes (ranks), in libvoussoir-mpi. Every rank creates the same world and a simulation
// of it; once divided, they step it together: each the bodies in its region of space. Steps, and all functions here,
// are collective: every rank must call them.
//
//     vs_scene_read(context, path, NULL, 0, &scene);
//     vs_simulation_create(scene->world, &scene->options, &simulation);
//     vs_simulation_divide(simulation);
//     vs_simulation_step(simulation, &report);            the report is that of all ranks together
//     vs_simulation_gather(simulation);                   rank 0 has all states and contacts
//
// Each rank knows every body's shape and mass, but only the states of the bodies that it owns and of those near them.
#ifndef VOUSSOIR_MPI_SIMULATION_H
#define VOUSSOIR_MPI_SIMULATION_H

#include "voussoir/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

// Divides a simulation of rigid bodies, in any friction model: cascade (the default) or gauss-seidel for exact friction, ipm,
// apgd, spg or gauss-seidel for the others. Bodies connected by joints are always on one rank. VS_ERROR_UNSUPPORTED with
// flexible bodies, other methods, or fewer moving bodies (connected ones count as one) than ranks. Bodies must not be added or
// removed afterwards.
VS_API vs_error vs_simulation_divide(vs_simulation *simulation);
// Collects the states of all bodies in the world of rank 0 and the contacts of the last step in its simulation, for
// trajectories and checkpoints. A checkpoint can be resumed by any number of ranks, also by a serial run.
VS_API vs_error vs_simulation_gather(vs_simulation *simulation);

// Present division of the bodies and its history, over all ranks.
typedef struct vs_division_info {
    int ranks;
    int bodies_least, bodies_most;     // of one rank, with mass
    int contacts_least, contacts_most; // of one rank, in the last step
    int64_t ghosts;                    // copies of bodies, in the last step
    int64_t moved;                     // bodies that changed their rank
    int64_t balanced;                  // number of times the regions were rebuilt
    int64_t bytes;                     // sent for states of bodies
} vs_division_info;
VS_API vs_error vs_simulation_get_division(vs_simulation *simulation, vs_division_info *info);

#ifdef __cplusplus
}
#endif

#endif
