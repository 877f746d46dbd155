// Sums over all ranks, and the exchange of velocities: contributions of ghosts go to the owner, which adds them in the
// order of the ranks and returns the sum. All copies of a velocity have the same bits, hence so has every decision made
// from them.
#include "mpi/exchange.h"

#include <stdio.h>

#include "base/context.h"

enum { TAG_PARTS = 1, TAG_SUMS = 2, TAG_LIST = 3, TEXT = 512 };

static void sum(void *user, int count, double *x) {
    vs_exchange *e = user;
    e->sums++;
    MPI_Allreduce(MPI_IN_PLACE, x, count, MPI_DOUBLE, MPI_SUM, e->comm);
}

static void max(void *user, int count, double *x) {
    vs_exchange *e = user;
    e->sums++;
    MPI_Allreduce(MPI_IN_PLACE, x, count, MPI_DOUBLE, MPI_MAX, e->comm);
}

// Ghosts to owners (`back` false) or sums to ghosts. x contains the ghosts, buffer the copies of other ranks.
static void pass(vs_exchange *e, bool back, double *x) {
    int going = 0, tag = back ? TAG_SUMS : TAG_PARTS;
    for (int k = 0; k < e->holders; k++) {
        double *at = e->buffer + e->held_start[k];
        int count = e->held_start[k + 1] - e->held_start[k];
        if (back)
            MPI_Isend(at, count, MPI_DOUBLE, e->holder[k], tag, e->comm, &e->going[going++]);
        else
            MPI_Irecv(at, count, MPI_DOUBLE, e->holder[k], tag, e->comm, &e->going[going++]);
        e->bytes += back ? 8 * (int64_t)count : 0;
    }
    for (int k = 0; k < e->owners; k++) {
        int count = e->ghost[k + 1] - e->ghost[k];
        if (back)
            MPI_Irecv(x + e->ghost[k], count, MPI_DOUBLE, e->owner[k], tag, e->comm, &e->going[going++]);
        else
            MPI_Isend(x + e->ghost[k], count, MPI_DOUBLE, e->owner[k], tag, e->comm, &e->going[going++]);
        e->bytes += back ? 0 : 8 * (int64_t)count;
    }
    e->messages += back ? e->holders : e->owners;
    MPI_Waitall(going, e->going, MPI_STATUSES_IGNORE);
}

static void assemble(void *user, double *x) {
    vs_exchange *e = user;
    int held = e->held_start[e->holders];
    e->exchanges++;
    pass(e, false, x);
    for (int k = 0; k < held; k++)
        x[e->held[k]] += e->buffer[k];
    for (int k = 0; k < held; k++)
        e->buffer[k] = x[e->held[k]];
    pass(e, true, x);
}

// ---- rank 0 and all others ------------------------------------------------------------------------------------------

static void tell_counts(vs_exchange *e, int count) {
    e->sums++;
    MPI_Gather(&count, 1, MPI_INT, e->counts, 1, MPI_INT, 0, e->comm);
    for (int q = 0, at = 0; q < e->space.size; at += e->counts[q++])
        e->first[q] = at;
}

static void gather(void *user, int count, const double *here, double *all) {
    vs_exchange *e = user;
    tell_counts(e, count);
    MPI_Gatherv(here, count, MPI_DOUBLE, all, e->counts, e->first, MPI_DOUBLE, 0, e->comm);
    e->messages += e->space.rank > 0;
    e->bytes += e->space.rank > 0 ? 8 * (int64_t)count : 0;
}

static void scatter(void *user, int count, const double *all, double *here) {
    vs_exchange *e = user;
    tell_counts(e, count);
    MPI_Scatterv(all, e->counts, e->first, MPI_DOUBLE, here, count, MPI_DOUBLE, 0, e->comm);
    e->messages += e->space.rank > 0; // as many as rank 0 sends
    e->bytes += e->space.rank > 0 ? 8 * (int64_t)count : 0;
}

// ---- creation ------------------------------------------------------------------------------------------------------

// Owners of the ghosts: runs of equal ranks.
static vs_error find_owners(vs_exchange *e, int owned, int ghosts, const int *ghost_owner, vs_arena *arena) {
    e->owners = 0;
    for (int k = 0; k < ghosts; k++)
        e->owners += k == 0 || ghost_owner[k] != ghost_owner[k - 1];
    e->owner = VS_NEW(arena, int, e->owners);
    e->ghost = VS_NEW(arena, int, (int64_t)e->owners + 1);
    if (!e->owner || !e->ghost)
        return VS_ERROR_MEMORY;
    int count = 0;
    for (int k = 0; k < ghosts; k++)
        if (k == 0 || ghost_owner[k] != ghost_owner[k - 1]) {
            e->owner[count] = ghost_owner[k];
            e->ghost[count++] = owned + k;
        }
    e->ghost[count] = owned + ghosts;
    return VS_OK;
}

// Ranks that have ghosts of this rank's velocities: counts (size) is their number per rank.
static vs_error find_holders(vs_exchange *e, const int *counts, vs_arena *arena) {
    e->holders = 0;
    int64_t held = 0;
    for (int q = 0; q < e->space.size; q++) {
        e->holders += counts[q] > 0;
        held += counts[q];
    }
    e->holder = VS_NEW(arena, int, e->holders);
    e->held_start = VS_NEW(arena, int, (int64_t)e->holders + 1);
    e->held = VS_NEW(arena, int, held);
    e->buffer = VS_NEW(arena, double, held);
    e->going = VS_NEW(arena, MPI_Request, (int64_t)e->holders + e->owners);
    if (!e->holder || !e->held_start || !e->held || !e->buffer || !e->going)
        return VS_ERROR_MEMORY;
    int count = 0;
    e->held_start[0] = 0;
    for (int q = 0; q < e->space.size; q++)
        if (counts[q] > 0) {
            e->holder[count++] = q;
            e->held_start[count] = e->held_start[count - 1] + counts[q];
        }
    return VS_OK;
}

// Sends every owner the list of its velocities that are ghosts here.
static void tell_owners(vs_exchange *e, const int *ghost_there, int owned) {
    int going = 0;
    for (int k = 0; k < e->holders; k++)
        MPI_Irecv(e->held + e->held_start[k], e->held_start[k + 1] - e->held_start[k], MPI_INT, e->holder[k], TAG_LIST,
                  e->comm, &e->going[going++]);
    for (int k = 0; k < e->owners; k++)
        MPI_Isend(ghost_there + (e->ghost[k] - owned), e->ghost[k + 1] - e->ghost[k], MPI_INT, e->owner[k], TAG_LIST,
                  e->comm, &e->going[going++]);
    MPI_Waitall(going, e->going, MPI_STATUSES_IGNORE);
}

vs_error vs_exchange_create(vs_exchange *exchange, MPI_Comm comm, int owned, int ghosts, const int *ghost_owner,
                            const int *ghost_there, vs_arena *arena) {
    vs_exchange *e = exchange;
    *e = (vs_exchange){.comm = comm,
                       .space = {.owned = owned,
                                 .user = e,
                                 .sum = sum,
                                 .max = max,
                                 .assemble = assemble,
                                 .gather = gather,
                                 .scatter = scatter}};
    MPI_Comm_rank(comm, &e->space.rank);
    MPI_Comm_size(comm, &e->space.size);
    e->counts = VS_NEW_ZERO(arena, int, e->space.size);
    e->first = VS_NEW_ZERO(arena, int, e->space.size);
    vs_error error = find_owners(e, owned, ghosts, ghost_owner, arena);
    int *mine = VS_NEW_ZERO(arena, int, e->space.size), *others = VS_NEW_ZERO(arena, int, e->space.size);
    if (!mine || !others || !e->counts || !e->first)
        error = VS_ERROR_MEMORY;
    error = vs_space_agree(&e->space, error);
    if (error)
        return error;
    for (int k = 0; k < e->owners; k++)
        mine[e->owner[k]] = e->ghost[k + 1] - e->ghost[k];
    MPI_Alltoall(mine, 1, MPI_INT, others, 1, MPI_INT, comm);
    error = vs_space_agree(&e->space, find_holders(e, others, arena));
    if (!error)
        tell_owners(e, ghost_there, owned);
    e->sums = 0;
    return error;
}

vs_error vs_exchange_agree(MPI_Comm comm, vs_context *context, vs_error error) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int first = error ? rank : size;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first == size)
        return VS_OK;
    int code = (int)error;
    char text[TEXT] = "";
    if (rank == first)
        (void)snprintf(text, sizeof text, "%s", vs_context_get_error_text(context));
    MPI_Bcast(&code, 1, MPI_INT, first, comm);
    MPI_Bcast(text, TEXT, MPI_CHAR, first, comm);
    return rank == first ? error : vs_fail(context, (vs_error)code, "%s", text);
}
