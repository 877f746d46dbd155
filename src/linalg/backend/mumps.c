// Multifrontal LDL' and LU with MUMPS (sequential), in double and in single precision.
//
//     symmetric:   P A P' = L D L'   no pivoting: a quasi-definite matrix has a factor in every order, and pivoting
//                                    would more than double the fill
//     unsymmetric: P A P' = L U      threshold pivoting within the fronts
//
// The code is written once, in mumps_precision.h, and compiled here for both precisions. The caller scales: MUMPS'
// own scaling is off. The order comes from vs_ordering().
//
// MUMPS keeps state outside its instances: a lock lets one call run at a time, whatever the number of contexts.
#include <dmumps_c.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <smumps_c.h>
#include <string.h>

#include "linalg/backend/backend.h"
#include "linalg/blas.h"
#include "linalg/ordering/ordering.h"

enum {
    JOB_END = -2,
    JOB_INIT = -1,
    JOB_ANALYSE = 1,
    JOB_FACTOR = 2,
    JOB_SOLVE = 3,
    WORLD = -987654, // the communicator of the sequential library
    UNSYMMETRIC = 0,
    DEFINITE = 1,
    INDEFINITE = 2,
    ATTEMPTS = 6, // to factor, each with twice the memory reserve
};

// Subnormal numbers, frequent in single-precision factors, cost a hundred times as much as others: flushed to zero
// while MUMPS runs. The caller's setting is restored.
#if defined(__SSE2__)
#include <xmmintrin.h>
enum { FLUSH = 0x8040 }; // flush to zero, denormals are zero

static unsigned flush_subnormals(void) {
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | FLUSH);
    return before;
}

static void restore_subnormals(unsigned before) {
    _mm_setcsr((_mm_getcsr() & ~(unsigned)FLUSH) | (before & FLUSH));
}
#else
static unsigned flush_subnormals(void) {
    return 0;
}

static void restore_subnormals(unsigned before) {
    (void)before;
}
#endif

static pthread_mutex_t mumps_lock = PTHREAD_MUTEX_INITIALIZER;

// Control parameters in the numbering of the manual, which counts from 1.
static void configure(MUMPS_INT *icntl) {
#define ICNTL(k) icntl[(k)-1]
    ICNTL(1) = ICNTL(2) = ICNTL(3) = -1; // no output streams
    ICNTL(4) = 0;                        // silent
    ICNTL(5) = 0;                        // assembled matrix
    ICNTL(6) = 0;                        // no column permutation
    ICNTL(7) = 1;                        // order given in perm_in
    ICNTL(8) = 0;                        // no scaling
    ICNTL(10) = ICNTL(11) = 0;           // no refinement, no error analysis
    ICNTL(12) = 1;                       // usual analysis of symmetric matrices: no search for 2 x 2 pivots
    ICNTL(13) = 1;                       // no parallel root: its negative pivots would not be counted
    ICNTL(14) = 20;                      // per cent of memory in reserve
    ICNTL(18) = 0;                       // centralized matrix
    ICNTL(20) = ICNTL(21) = 0;           // dense centralized right-hand side and solution
    ICNTL(24) = 0;                       // no search for null pivots
    ICNTL(27) = 1;                       // one right-hand side at a time
    ICNTL(28) = 1;                       // sequential analysis
    ICNTL(33) = 1;                       // determinant
#undef ICNTL
}

// Counts that do not fit are given in negative millions.
static int64_t entries(MUMPS_INT count) {
    return count >= 0 ? (int64_t)count : -(int64_t)count * 1000000;
}

static vs_error fail_backend(vs_linear_solver *solver, int info, int detail) {
    switch (info) {
    case -5:
    case -7:
    case -13:
    case -19:
        return vs_fail_memory(solver->context);
    case -6:
    case -10:
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "MUMPS: the matrix is singular (%d pivots of %d)", detail,
                       solver->n);
    default:
        return vs_fail(solver->context, VS_ERROR_NUMERICAL, "MUMPS: failed (INFO %d, %d)", info, detail);
    }
}

#define REAL double
#define SINGLE 0
#define INSTANCE DMUMPS_STRUC_C
#define ENTRY dmumps_c
#define IN_PRECISION(name) name##_double
#include "linalg/backend/mumps_precision.h"

#define REAL float
#define SINGLE 1
#define INSTANCE SMUMPS_STRUC_C
#define ENTRY smumps_c
#define IN_PRECISION(name) name##_single
#include "linalg/backend/mumps_precision.h"

const vs_linear_backend vs_backend_mumps = {
    .name = "mumps",
    .version = MUMPS_VERSION,
    .licence = "CeCILL-C",
    .purpose = "MUMPS: large systems of every kind",
    .symmetric = true,
    .unsymmetric = true,
    .indefinite = true,
    .create = create_double,
    .factor = factor_double,
    .solve = solve_double,
    .solve_many = solve_many_double,
    .destroy = destroy_double,
};

const vs_linear_backend vs_backend_mumps_single = {
    .name = "mumps-single",
    .version = MUMPS_VERSION,
    .licence = "CeCILL-C",
    .purpose = "MUMPS in single precision: large systems in half the memory, as a preconditioner",
    .symmetric = true,
    .unsymmetric = true,
    .indefinite = true,
    .single = true,
    .create = create_single,
    .factor = factor_single,
    .solve = solve_single,
    .destroy = destroy_single,
};
