// One rank's part of a problem as arrays, extracted on rank 0 and sent. Unknowns (velocities, in the local form rows)
// are renumbered: the part's own first, then its ghosts in the order of their owners.
#ifndef VS_MPI_CUT_H
#define VS_MPI_CUT_H

#include "mpi/partition.h"

typedef struct vs_cut {
    int64_t n, owned, contacts, joints, m, m_e, entries_H, entries_D, entries_C, boxes, rolls;
    int64_t local, general;         // flags: the local form; a general H
    int64_t symmetric;              // flag: H or N of the whole problem is
    double *asymmetry;              // (1) of it
    int *unknown;                   // (n) in the whole problem
    int *contact, *joint;           // (contacts), (joints)
    int *ghost_owner, *ghost_there; // (n - owned) as in exchange.h

    // H (n x n), a general one with the owned columns only; local form: N (m x n), whole blocks per pair of contacts.
    // D' and C' by columns.
    int64_t *H_p, *Dt_p, *Ct_p;
    int *H_i, *Dt_i, *Ct_i;
    double *H_x, *Dt_x, *Ct_x, *c;
    int *row, *kind;     // (contacts + 1), (contacts)
    double *mu;          // (contacts)
    uint64_t *key;       // (contacts)
    double *b, *E;       // (m) local form: b is r
    double *lo, *hi;     // (m) if there are boxes anywhere
    double *rolling;     // (contacts) if there is rolling or spinning friction anywhere
    double *spinning;    // (contacts) likewise
    int *joint_row;      // (joints + 1)
    uint64_t *joint_key; // (joints)
    double *b_e, *E_e;   // (m_e)
} vs_cut;

// One array of a cut: for memory and messages.
typedef struct vs_cut_array {
    void *pointer; // of the array: its address
    size_t size;   // of an entry, bytes
    int64_t count; //
} vs_cut_array;
enum { VS_CUT_ARRAYS = 30, VS_CUT_COUNTS = 14 };
void *vs_cut_data(const vs_cut_array *array);
void vs_cut_list(vs_cut *cut, vs_cut_array list[VS_CUT_ARRAYS]); // by the counts of the cut
void vs_cut_counts(vs_cut *cut, int64_t *list[VS_CUT_COUNTS]);   // the counts, flags among them
vs_error vs_cut_allocate(vs_cut *cut, vs_arena *arena);          // all arrays

// All parts (partition->parts) of a problem.
vs_error vs_cut_create(vs_cut *cuts, const vs_problem *problem, const vs_partition *partition, vs_arena *arena);
// The problem of a part (part.c).
vs_error vs_cut_problem(const vs_cut *cut, vs_context *context, vs_problem **problem);

#endif
