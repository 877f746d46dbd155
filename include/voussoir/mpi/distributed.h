// One problem over several processes (ranks), in libvoussoir-mpi. Each rank gets a part of the problem and creates a
// vs_solver of it as usual; the solvers of all ranks then work together, and every rank reports the same iterations and
// measures. All functions here, and those of solvers of a part, are collective: every rank must call them.
//
//     vs_mpi_start(&argc, &argv);
//     if (vs_mpi_rank() == 0)
//         vs_fclib_read(context, path, &whole);
//     vs_distributed_create(context, whole, &distributed);
//     vs_solver_create(vs_distributed_get_part(distributed), &options, &solver);
//     vs_solver_solve(solver, &result);
//     vs_distributed_gather(distributed, &result);
#ifndef VOUSSOIR_MPI_DISTRIBUTED_H
#define VOUSSOIR_MPI_DISTRIBUTED_H

#include "voussoir/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

// Initializes MPI and PETSc, which takes its options (-pc_type …) from $PETSC_OPTIONS and the arguments after "--".
VS_API vs_error vs_mpi_start(int *argc, char ***argv);
VS_API void vs_mpi_end(void);
VS_API int vs_mpi_rank(void); // 0 … vs_mpi_size() - 1
VS_API int vs_mpi_size(void);
VS_API unsigned vs_mpi_any(unsigned flags); // bitwise or over all ranks; collective
// Ends the processes of all ranks, for a failure that the other ranks do not know of.
VS_API void vs_mpi_abort(int exit_code);

typedef struct vs_distributed vs_distributed;

// Partitions the problem of rank 0 (`whole`, null on the others, borrowed until _destroy()): bodies, or the velocities
// of a general H, with their contacts and joints; in the local form contacts. An unsymmetric H has all contacts on rank
// 0. Ranks beyond the number of bodies or contacts get empty parts. A failure on any rank is returned on all, with its
// text.
VS_API vs_error vs_distributed_create(vs_context *context, const vs_problem *whole, vs_distributed **distributed);
VS_API void vs_distributed_destroy(vs_distributed *distributed); // after the solvers of the part; null is allowed
// The part of this rank, owned by `distributed`.
VS_API const vs_problem *vs_distributed_get_part(const vs_distributed *distributed);
// On rank 0, replaces v, g, lambda and y of the part by those of the whole problem, owned by `distributed`; elsewhere
// they become null.
VS_API vs_error vs_distributed_gather(vs_distributed *distributed, vs_result *result);

// Partition and communication so far, over all ranks.
typedef struct vs_traffic {
    int ranks;
    int contacts_most;       // of one rank
    int contacts_cut;        // contacts with a body of another rank; local form: that N couples to one of another
    int64_t ghosts;          // copies of velocities (local form: of impulses), on all ranks
    int64_t exchanges;       // of these
    int64_t messages, bytes; // sent in them
    int64_t sums;            // over all ranks, of a few numbers each
} vs_traffic;
VS_API vs_error vs_distributed_get_traffic(vs_distributed *distributed, vs_traffic *traffic);

#ifdef __cplusplus
}
#endif

#endif
