// Distributed linear systems by PETSc. The matrix is the sum over the ranks; PETSc's options database selects the
// solver: by default one Cholesky or L D L' factor by MUMPS over all ranks (pivoting off, as in linalg/backend/mumps.c), L U
// for unsymmetric matrices. -ksp_type, -pc_type … choose others, -mat_type aij for preconditioners that need all
// entries; a matrix may have a prefix of its own (-mass_pc_type). The remaining residual is removed by FGMRES of the
// Newton system.
#include <petscksp.h>
#include <string.h>

#include "linalg/backend/backend.h"
#include "mpi/exchange.h"

typedef struct petsc_state {
    Mat A;
    Vec x, b;
    KSP ksp;
    bool symmetric;  // one triangle is stored
    bool upper;      // A takes the upper triangle only
    int n;           // unknowns here, ghosts among them
    int velocities;  // the first of them
    int owned;       // velocities of this rank
    PetscInt *index; // (n) numbers in A
    int64_t *p;      // (n + 1) the pattern
    int *i;
} petsc_state;

// ---- creation ------------------------------------------------------------------------------------------------------

// Global numbers of the unknowns: each rank's velocities, then its other unknowns, rank by rank. An exchange provides
// those of ghosts; a double represents them exactly.
static PetscErrorCode number_unknowns(vs_linear_solver *solver, petsc_state *s, PetscInt *local) {
    double *number;
    PetscInt first = 0;
    PetscFunctionBeginUser;
    *local = s->owned + (s->n - s->velocities);
    PetscCallMPI(MPI_Exscan(local, &first, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD));
    PetscCall(PetscMalloc1(s->n, &s->index));
    PetscCall(PetscMalloc1(s->velocities + 1, &number));
    for (int k = 0; k < s->velocities; k++)
        number[k] = k < s->owned ? (double)(first + k) : 0;
    vs_space_assemble_end(solver->space, number);
    for (int k = 0; k < s->n; k++)
        s->index[k] = k < s->velocities ? (PetscInt)number[k] : first + s->owned + (k - s->velocities);
    PetscCall(PetscFree(number));
    PetscFunctionReturn(0);
}

// Puts the values (or zeros) into A, summed over the ranks.
static PetscErrorCode fill(petsc_state *s, const double *x) {
    PetscFunctionBeginUser;
    if (x) // without values the matrix only counts
        PetscCall(MatZeroEntries(s->A));
    for (int j = 0; j < s->n; j++)
        for (int64_t t = s->p[j]; t < s->p[j + 1]; t++) {
            PetscInt a = s->index[s->i[t]], b = s->index[j];
            PetscScalar value = x ? x[t] : 0;
            if (!s->symmetric) {
                PetscCall(MatSetValue(s->A, a, b, value, ADD_VALUES));
                continue;
            }
            PetscCall(MatSetValue(s->A, a < b ? a : b, a < b ? b : a, value, ADD_VALUES));
            if (!s->upper && a != b)
                PetscCall(MatSetValue(s->A, a < b ? b : a, a < b ? a : b, value, ADD_VALUES));
        }
    PetscCall(MatAssemblyBegin(s->A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(s->A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

// The pattern is found by a matrix that only counts (MATPREALLOCATOR).
static PetscErrorCode create_matrix(petsc_state *s, PetscInt local, const char *prefix) {
    Mat counter;
    PetscFunctionBeginUser;
    PetscCall(MatCreate(PETSC_COMM_WORLD, &s->A));
    PetscCall(MatSetSizes(s->A, local, local, PETSC_DETERMINE, PETSC_DETERMINE));
    PetscCall(MatSetType(s->A, s->symmetric ? MATSBAIJ : MATAIJ));
    PetscCall(MatSetOptionsPrefix(s->A, prefix));
    if (s->symmetric) // there is no choice for an unsymmetric one
        PetscCall(MatSetFromOptions(s->A));
    PetscBool upper, one;
    PetscCall(PetscObjectTypeCompare((PetscObject)s->A, MATMPISBAIJ, &upper));
    PetscCall(PetscObjectTypeCompare((PetscObject)s->A, MATSEQSBAIJ, &one));
    s->upper = upper || one;

    PetscCall(MatCreate(PETSC_COMM_WORLD, &counter));
    PetscCall(MatSetSizes(counter, local, local, PETSC_DETERMINE, PETSC_DETERMINE));
    PetscCall(MatSetType(counter, MATPREALLOCATOR));
    PetscCall(MatSetUp(counter));
    Mat real = s->A;
    s->A = counter;
    PetscErrorCode failed = fill(s, NULL);
    s->A = real;
    if (!failed)
        PetscCall(MatPreallocatorPreallocate(counter, PETSC_TRUE, real));
    PetscCall(MatDestroy(&counter));
    PetscCall(failed);
    PetscCall(MatSetOption(s->A, MAT_SYMMETRIC, s->symmetric ? PETSC_TRUE : PETSC_FALSE));
    PetscFunctionReturn(0);
}

// No pivoting in symmetric factors, and no ScaLAPACK for the root, which would pivot. Options override this.
static PetscErrorCode configure_mumps(PC pc) {
    Mat factor;
    MatSolverType engine;
    PetscBool cholesky, mumps = PETSC_FALSE;
    PetscFunctionBeginUser;
    PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCCHOLESKY, &cholesky));
    if (cholesky) {
        PetscCall(PCFactorGetMatSolverType(pc, &engine));
        PetscCall(PetscStrcmp(engine, MATSOLVERMUMPS, &mumps));
    }
    if (mumps) {
        PetscCall(PCFactorSetUpMatSolverType(pc));
        PetscCall(PCFactorGetMatrix(pc, &factor));
        PetscCall(MatMumpsSetCntl(factor, 1, 0));
        PetscCall(MatMumpsSetIcntl(factor, 13, 1));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode create_solver(petsc_state *s, bool definite, const char *prefix) {
    PC pc;
    PetscFunctionBeginUser;
    if (s->symmetric)
        PetscCall(MatSetOption(s->A, MAT_SPD, definite ? PETSC_TRUE : PETSC_FALSE));
    PetscCall(MatCreateVecs(s->A, &s->x, &s->b));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &s->ksp));
    PetscCall(KSPSetOperators(s->ksp, s->A, s->A));
    PetscCall(KSPSetType(s->ksp, KSPPREONLY));
    PetscCall(KSPGetPC(s->ksp, &pc));
    PetscCall(PCSetType(pc, s->symmetric ? PCCHOLESKY : PCLU));
    PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    PetscCall(KSPSetOptionsPrefix(s->ksp, prefix));
    PetscCall(KSPSetFromOptions(s->ksp));
    PetscCall(configure_mumps(pc));
    PetscFunctionReturn(0);
}

static PetscErrorCode copy_pattern(petsc_state *s, const vs_linear_pattern *pattern) {
    PetscFunctionBeginUser;
    PetscCall(PetscMalloc1(pattern->n + 1, &s->p));
    PetscCall(PetscMalloc1(pattern->p[pattern->n] + 1, &s->i));
    memcpy(s->p, pattern->p, sizeof *s->p * (size_t)(pattern->n + 1));
    memcpy(s->i, pattern->i, sizeof *s->i * (size_t)pattern->p[pattern->n]);
    PetscFunctionReturn(0);
}

static vs_error create(vs_linear_solver *solver, const vs_linear_pattern *pattern) {
    petsc_state *s = vs_allocate(solver->context, sizeof *s);
    if (!s)
        return vs_fail_memory(solver->context);
    solver->state = s;
    *s = (petsc_state){.symmetric = pattern->symmetric,
                       .n = pattern->n,
                       .velocities = pattern->velocities,
                       .owned = pattern->space->owned};
    PetscInt local = 0;
    PetscErrorCode failed = copy_pattern(s, pattern);
    if (!failed)
        failed = number_unknowns(solver, s, &local);
    if (!failed)
        failed = create_matrix(s, local, pattern->prefix);
    if (!failed)
        failed = create_solver(s, pattern->definite, pattern->prefix);
    return failed
               ? vs_fail(solver->context, VS_ERROR_UNSUPPORTED,
                         "linear solver petsc: the matrix or its solver could not be created (PETSc error %d)", failed)
               : VS_OK;
}

// ---- use -----------------------------------------------------------------------------------------------------------

static vs_error factor(vs_linear_solver *solver, const double *x) {
    petsc_state *s = solver->state;
    PC pc;
    PCFailedReason reason = PC_NOERROR;
    PetscErrorCode failed = fill(s, x);
    if (!failed) // marks the values as new, or factorization would be deferred to the first solve
        failed = KSPSetOperators(s->ksp, s->A, s->A);
    if (!failed)
        failed = KSPSetUp(s->ksp);
    if (!failed)
        failed = KSPGetPC(s->ksp, &pc);
    if (!failed)
        failed = PCGetFailedReason(pc, &reason);
    if (failed || vs_space_any(solver->space, reason != PC_NOERROR))
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "linear solver petsc: the factorization failed");
    return VS_OK;
}

static PetscErrorCode solve_owned(petsc_state *s, double *x) {
    PetscScalar *value;
    const PetscScalar *found;
    PetscFunctionBeginUser;
    PetscCall(VecGetArrayWrite(s->b, &value));
    for (int k = 0; k < s->owned; k++)
        value[k] = x[k];
    for (int k = s->velocities; k < s->n; k++)
        value[s->owned + (k - s->velocities)] = x[k];
    PetscCall(VecRestoreArrayWrite(s->b, &value));
    PetscCall(KSPSolve(s->ksp, s->b, s->x));
    PetscCall(VecGetArrayRead(s->x, &found));
    for (int k = 0; k < s->owned; k++)
        x[k] = found[k];
    for (int k = s->velocities; k < s->n; k++)
        x[k] = found[s->owned + (k - s->velocities)];
    PetscCall(VecRestoreArrayRead(s->x, &found));
    PetscFunctionReturn(0);
}

// An iteration without convergence is still a preconditioner; the caller detects NaN.
static vs_error solve(vs_linear_solver *solver, double *x) {
    petsc_state *s = solver->state;
    if (solve_owned(s, x))
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "linear solver petsc: the solve failed");
    vs_space_assemble_begin(solver->space, s->velocities, x);
    vs_space_assemble_end(solver->space, x);
    return VS_OK;
}

static void destroy(vs_linear_solver *solver) {
    petsc_state *s = solver->state;
    if (!s)
        return;
    KSPDestroy(&s->ksp);
    VecDestroy(&s->x);
    VecDestroy(&s->b);
    MatDestroy(&s->A);
    PetscFree(s->index);
    PetscFree(s->p);
    PetscFree(s->i);
    vs_release(solver->context, s);
}

#define TEXT_OF(x) #x
#define VERSION_OF(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

const vs_linear_backend vs_backend_petsc = {
    .name = "petsc",
    .version = VERSION_OF(PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR),
    .licence = "BSD-2-Clause",
    .purpose = "distributed systems: MUMPS by default, or as PETSc's options select",
    .symmetric = true,
    .unsymmetric = true,
    .indefinite = true,
    .distributed = true,
    .create = create,
    .factor = factor,
    .solve = solve,
    .destroy = destroy,
};
