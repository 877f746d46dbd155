// A simulation over several processes (ranks), in libvoussoir-mpi. Every rank makes the same world and a simulation of
// it; divided, they step it together: each the bodies in its region of space. Steps, and all functions here, are
// collective: every rank calls them.
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

// Rigid bodies in the relaxed or the frictionless model, by the methods of distributed.h. Bodies that joints hold
// together are always on one rank. VS_ERROR_UNSUPPORTED with flexible bodies, exact friction, or fewer moving bodies
// (those held together count as one) than ranks. Bodies must not be added or removed afterwards.
VS_API vs_error vs_simulation_divide(vs_simulation *simulation);
// States of all bodies into the world of rank 0, contacts of the last step into its simulation: for trajectories and
// checkpoints there. A checkpoint is that of one process and can be resumed by any number of ranks, also by none.
VS_API vs_error vs_simulation_gather(vs_simulation *simulation);

// How the bodies are divided now, and what was done for it so far; over all ranks.
typedef struct vs_division_info {
    int ranks;
    int bodies_least, bodies_most;     // of one rank, with mass
    int contacts_least, contacts_most; // of one rank, in the last step
    int64_t ghosts;                    // copies of bodies, in the last step
    int64_t moved;                     // bodies that changed their rank
    int64_t balanced;                  // how often regions were made
    int64_t bytes;                     // sent for states of bodies
} vs_division_info;
VS_API vs_error vs_simulation_get_division(vs_simulation *simulation, vs_division_info *info);

#ifdef __cplusplus
}
#endif

#endif
