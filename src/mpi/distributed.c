// A distributed problem: divided on rank 0, sent, and its results gathered there again.
// Everything passes through the memory of rank 0, which limits the size.
#include "voussoir/mpi/distributed.h"

#include <limits.h>
#include <petscsys.h>
#include <stdio.h>
#include <string.h>

#include "mpi/cut.h"
#include "mpi/exchange.h"

enum { TAG = 10, EXIT_OF_FAILURE = 2 };

struct vs_distributed {
    vs_arena arena;
    vs_context *context;
    vs_exchange exchange;
    vs_problem *part;
    vs_cut here;                // this rank's
    vs_cut *cuts;               // (size) rank 0
    const vs_problem *whole;    // rank 0
    double *v, *g, *lambda, *y; // rank 0: gathered
    vs_traffic traffic;         // the part known from the division
};

// ---- MPI -----------------------------------------------------------------------------------------------------------

// A failure inside PETSc may occur on one rank only, and the others would wait for it forever: abort all. The only
// message that is printed here, because there is no caller to return it to.
static PetscErrorCode end_all(MPI_Comm comm, int line, const char *function, const char *file, PetscErrorCode code,
                              PetscErrorType type, const char *message, void *user) {
    (void)comm, (void)line, (void)file, (void)type, (void)user;
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    (void)fprintf(stderr, "voussoir: PETSc failed on rank %d in %s: %s (error %d); check the options after --\n", rank,
                  function ? function : "?", message && *message ? message : "no text", (int)code);
    (void)fflush(stderr);
    MPI_Abort(PETSC_COMM_WORLD, EXIT_OF_FAILURE);
    return code;
}

vs_error vs_mpi_start(int *argc, char ***argv) {
    // PETSc would interpret the command's options as its own.
    int options = 0;
    for (int k = 1; k < *argc && options == 0; k++)
        if (strcmp((*argv)[k], "--") == 0)
            options = k;
    int count = options ? *argc - options : 1;
    char **list = options ? *argv + options : *argv;
    if (options)
        *argc = options;
    PetscOptionsSetValue(NULL, "-no_signal_handler", "true");
    if (PetscInitialize(&count, &list, NULL, NULL))
        return VS_ERROR_UNSUPPORTED;
    return PetscPushErrorHandler(end_all, NULL) ? VS_ERROR_UNSUPPORTED : VS_OK;
}

void vs_mpi_end(void) {
    PetscFinalize();
}

int vs_mpi_rank(void) {
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    return rank;
}

int vs_mpi_size(void) {
    int size = 1;
    MPI_Comm_size(PETSC_COMM_WORLD, &size);
    return size;
}

unsigned vs_mpi_any(unsigned flags) {
    MPI_Allreduce(MPI_IN_PLACE, &flags, 1, MPI_UNSIGNED, MPI_BOR, PETSC_COMM_WORLD);
    return flags;
}

void vs_mpi_abort(int exit_code) {
    MPI_Abort(PETSC_COMM_WORLD, exit_code);
}

static vs_error agree(vs_context *context, vs_error error) {
    return vs_exchange_agree(PETSC_COMM_WORLD, context, error);
}

// ---- sending parts -------------------------------------------------------------------------------------------------

static vs_error check_size(const vs_cut *cut, vs_context *context) {
    if (cut->entries_D > INT_MAX / 8 || cut->entries_H > INT_MAX / 8 || cut->entries_C > INT_MAX / 8)
        return vs_fail(context, VS_ERROR_UNSUPPORTED,
                       "the part of a rank is too large for an MPI message; use more ranks");
    return VS_OK;
}

static void send_part(vs_cut *cut, int to) {
    int64_t counts[VS_CUT_COUNTS], *of[VS_CUT_COUNTS];
    vs_cut_array list[VS_CUT_ARRAYS];
    vs_cut_counts(cut, of);
    for (int k = 0; k < VS_CUT_COUNTS; k++)
        counts[k] = *of[k];
    vs_cut_list(cut, list);
    MPI_Send(counts, VS_CUT_COUNTS, MPI_INT64_T, to, TAG, PETSC_COMM_WORLD);
    for (int k = 0; k < VS_CUT_ARRAYS; k++)
        MPI_Send(vs_cut_data(&list[k]), (int)(list[k].count * (int64_t)list[k].size), MPI_BYTE, to, TAG,
                 PETSC_COMM_WORLD);
}

// Without memory the messages are not received; the caller ends with an error on all ranks.
static vs_error receive_part(vs_cut *cut, vs_arena *arena) {
    int64_t counts[VS_CUT_COUNTS] = {0}, *of[VS_CUT_COUNTS];
    MPI_Recv(counts, VS_CUT_COUNTS, MPI_INT64_T, 0, TAG, PETSC_COMM_WORLD, MPI_STATUS_IGNORE);
    vs_cut_counts(cut, of);
    for (int k = 0; k < VS_CUT_COUNTS; k++)
        *of[k] = counts[k];
    vs_cut_array list[VS_CUT_ARRAYS];
    vs_error error = vs_cut_allocate(cut, arena);
    vs_cut_list(cut, list);
    for (int k = 0; k < VS_CUT_ARRAYS && !error; k++)
        MPI_Recv(vs_cut_data(&list[k]), (int)(list[k].count * (int64_t)list[k].size), MPI_BYTE, 0, TAG,
                 PETSC_COMM_WORLD, MPI_STATUS_IGNORE);
    return error;
}

// ---- rank 0 --------------------------------------------------------------------------------------------------------

static vs_error check_problem(const vs_problem *whole, vs_context *context) {
    if (!whole)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_distributed_create: rank 0 has no problem");
    return VS_OK;
}

// Quality of the division.
static void describe(vs_distributed *d, const vs_partition *partition, int size) {
    vs_traffic *t = &d->traffic;
    t->ranks = size;
    for (int i = 0; i < d->whole->contacts && d->whole->local; i++) {
        bool across = false;
        for (int64_t k = partition->near[i]; k < partition->near[i + 1]; k++)
            across = across || partition->part[partition->coupled[k]] != partition->part[i];
        t->contacts_cut += across;
    }
    for (int q = 0; q < size; q++) {
        const vs_cut *cut = d->cuts + q;
        t->ghosts += cut->n - cut->owned;
        t->contacts_most = cut->contacts > t->contacts_most ? (int)cut->contacts : t->contacts_most;
        for (int64_t i = 0; i < cut->contacts && !cut->local; i++) {
            // columns of a contact ascend: the last one decides
            int64_t end = cut->Dt_p[cut->row[i] + 1];
            t->contacts_cut += end > cut->Dt_p[cut->row[i]] && cut->Dt_i[end - 1] >= cut->owned;
        }
    }
}

static vs_error cut_whole(vs_distributed *d, int size) {
    const vs_problem *p = d->whole;
    vs_partition partition;
    d->cuts = VS_NEW_ZERO(&d->arena, vs_cut, size);
    d->v = VS_NEW(&d->arena, double, p->n);
    d->g = VS_NEW(&d->arena, double, p->m_e);
    d->lambda = VS_NEW(&d->arena, double, p->m);
    d->y = VS_NEW(&d->arena, double, p->m);
    if (!d->cuts || !d->v || !d->g || !d->lambda || !d->y)
        return VS_ERROR_MEMORY;
    vs_error error = vs_partition_create(&partition, p, size, &d->arena);
    if (!error)
        error = vs_cut_create(d->cuts, p, &partition, &d->arena);
    for (int q = 0; q < size && !error; q++)
        error = check_size(d->cuts + q, d->context);
    if (!error)
        describe(d, &partition, size);
    return error;
}

// ---- life ----------------------------------------------------------------------------------------------------------

static vs_error create(vs_distributed *d) {
    int rank = vs_mpi_rank(), size = vs_mpi_size();
    vs_error error = rank == 0 ? check_problem(d->whole, d->context) : VS_OK;
    if (!error && rank == 0)
        error = cut_whole(d, size);
    error = agree(d->context, error);
    if (error)
        return error;
    for (int q = 1; q < size && rank == 0; q++)
        send_part(d->cuts + q, q);
    if (rank == 0)
        d->here = d->cuts[0];
    else
        error = receive_part(&d->here, &d->arena);
    if (!error)
        error = vs_cut_problem(&d->here, d->context, &d->part);
    error = agree(d->context, error);
    if (error)
        return error;
    error = vs_exchange_create(&d->exchange, PETSC_COMM_WORLD, (int)d->here.owned, (int)(d->here.n - d->here.owned),
                               d->here.ghost_owner, d->here.ghost_there, &d->arena);
    d->part->space = &d->exchange.space;
    return error;
}

vs_error vs_distributed_create(vs_context *context, const vs_problem *whole, vs_distributed **distributed) {
    if (!context || !distributed)
        return VS_ERROR_ARGUMENT;
    *distributed = NULL;
    vs_distributed *d = vs_allocate(context, sizeof *d);
    vs_error error = agree(context, d ? VS_OK : vs_fail_memory(context));
    if (error || !d) {
        vs_release(context, d);
        return error;
    }
    *d = (vs_distributed){.context = context, .whole = whole};
    vs_arena_init(&d->arena, context);
    error = create(d);
    if (error)
        vs_distributed_destroy(d);
    else
        *distributed = d;
    return error;
}

void vs_distributed_destroy(vs_distributed *distributed) {
    if (!distributed)
        return;
    vs_context *context = distributed->context;
    vs_problem_destroy(distributed->part);
    vs_arena_release(&distributed->arena);
    vs_release(context, distributed);
}

const vs_problem *vs_distributed_get_part(const vs_distributed *distributed) {
    return distributed->part;
}

// ---- results -------------------------------------------------------------------------------------------------------

// rows of a list of groups: to[row of the whole] = from[row of the part]
static void spread(int64_t count, const int *group, const int *row, const double *from, double *to) {
    for (int64_t k = 0, at = 0; k < count; k++)
        for (int r = row[group[k]]; r < row[group[k] + 1]; r++)
            to[r] = from[at++];
}

static void take(vs_distributed *d, const vs_cut *cut, const double *v, const double *g, const double *lambda,
                 const double *y) {
    for (int64_t j = 0; j < cut->owned && !cut->local; j++)
        d->v[cut->unknown[j]] = v[j];
    spread(cut->joints, cut->joint, d->whole->joint_row, g, d->g);
    spread(cut->contacts, cut->contact, d->whole->row, lambda, d->lambda);
    spread(cut->contacts, cut->contact, d->whole->row, y, d->y);
}

// The results of rank q, or of this one.
static void gather_from(vs_distributed *d, int q, double *work, const vs_result *result) {
    const vs_cut *cut = d->cuts + q;
    if (q == 0) {
        take(d, cut, result->v, result->g, result->lambda, result->y);
        return;
    }
    double *v = work, *g = v + cut->owned, *lambda = g + cut->m_e, *y = lambda + cut->m;
    MPI_Recv(v, cut->local ? 0 : (int)cut->owned, MPI_DOUBLE, q, TAG, PETSC_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(g, (int)cut->m_e, MPI_DOUBLE, q, TAG, PETSC_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(lambda, (int)cut->m, MPI_DOUBLE, q, TAG, PETSC_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(y, (int)cut->m, MPI_DOUBLE, q, TAG, PETSC_COMM_WORLD, MPI_STATUS_IGNORE);
    take(d, cut, v, g, lambda, y);
}

vs_error vs_distributed_gather(vs_distributed *distributed, vs_result *result) {
    vs_distributed *d = distributed;
    const vs_space *space = &d->exchange.space;
    int64_t most = 0;
    for (int q = 1; q < space->size && space->rank == 0; q++) {
        int64_t count = d->cuts[q].owned + d->cuts[q].m_e + 2 * d->cuts[q].m;
        most = count > most ? count : most;
    }
    double *work = vs_allocate(d->context, sizeof(double) * (size_t)most);
    vs_error error = agree(d->context, work ? VS_OK : vs_fail_memory(d->context));
    for (int q = 0; q < space->size && space->rank == 0 && !error; q++)
        gather_from(d, q, work, result);
    if (space->rank > 0 && !error) {
        MPI_Send(result->v, d->here.local ? 0 : (int)d->here.owned, MPI_DOUBLE, 0, TAG, PETSC_COMM_WORLD);
        MPI_Send(result->g, (int)d->here.m_e, MPI_DOUBLE, 0, TAG, PETSC_COMM_WORLD);
        MPI_Send(result->lambda, (int)d->here.m, MPI_DOUBLE, 0, TAG, PETSC_COMM_WORLD);
        MPI_Send(result->y, (int)d->here.m, MPI_DOUBLE, 0, TAG, PETSC_COMM_WORLD);
    }
    vs_release(d->context, work);
    result->v = d->here.local ? NULL : d->v;
    result->g = d->g, result->lambda = d->lambda, result->y = d->y;
    return error;
}

vs_error vs_distributed_get_traffic(vs_distributed *distributed, vs_traffic *traffic) {
    if (!distributed || !traffic)
        return VS_ERROR_ARGUMENT;
    const vs_exchange *e = &distributed->exchange;
    int64_t sent[2] = {e->messages, e->bytes};
    *traffic = distributed->traffic;
    MPI_Bcast(traffic, (int)sizeof *traffic, MPI_BYTE, 0, PETSC_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, sent, 2, MPI_INT64_T, MPI_SUM, PETSC_COMM_WORLD);
    traffic->exchanges = e->exchanges;
    traffic->sums = e->sums;
    traffic->messages = sent[0];
    traffic->bytes = sent[1];
    return VS_OK;
}
