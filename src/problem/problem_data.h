// Internals of a problem. Constant once made; all arrays belong to its arena.
#ifndef VS_PROBLEM_PROBLEM_DATA_H
#define VS_PROBLEM_PROBLEM_DATA_H

#include "base/space.h"
#include "cone/cone.h"
#include "linalg/rows.h"
#include "voussoir/problem.h"

struct vs_problem {
    vs_arena arena;
    vs_context *context;
    bool local;
    int n, m, m_e;

    // contacts: group i has rows row[i] … row[i+1]-1
    int contacts;
    int *row; // (contacts + 1)
    vs_cone_kind *
        kind; // (contacts) second-order: 3 rows with mu (mu = 0 allowed); nonneg: 1 row; box: any; rolling, elliptic: 4-6
    double *mu;       // (contacts) 0 for nonneg and box
    double *lo, *hi;  // (m) box rows; 0 elsewhere; null if there is no box
    double *rolling;  // (contacts) m, 0 except for rolling; null if there is no such contact
    double *spinning; // (contacts) likewise
    uint64_t *key;    // (contacts)

    int joints;
    int *joint_row;      // (joints + 1)
    uint64_t *joint_key; // (joints)

    // global form (local = false)
    vs_sparse H;         // n x n, both triangles; the pattern of an unsymmetric one may be unsymmetric too
    double *c;           // (n)
    double *reference;   // (n) J, energies that errors are compared with (vs_problem_builder_set_reference()); or null
    vs_rows D;           // m x n, groups = contacts
    double *b;           // (m)
    double *E;           // (m) compliance, zeros if none
    vs_rows C;           // m_e x n, groups = joints
    double *b_e, *E_e;   // (m_e)
    int blocks;          // consecutive unknowns that neither H nor H' couples to others
    int *block;          // (blocks + 1) first unknown of each; the finest such partition
    bool block_diagonal; // H is symmetric and its largest block has at most 12 unknowns

    // local form
    vs_sparse N; // m x m; distributed: m x (m + ghosts), columns of other processes' rows after its own
    double *r;   // (m)

    bool symmetric;   // N, or H, equals its transpose exactly
    double asymmetry; // largest |A - A'| / largest |A| of A = N or H; 0 if symmetric

    // Null, or this is one process's part of a distributed problem; not owned. It is the space of vectors of velocities,
    // in the local form of rows. A general H has the columns of the velocities owned only, those of ghosts are empty.
    const vs_space *space;
};

// The problem of what was added so far; vs_problem_builder_finish() also destroys the builder.
vs_error vs_problem_builder_make(const vs_problem_builder *builder, vs_problem **problem);
// As a new builder, with the memory it has.
void vs_problem_builder_restart(vs_problem_builder *builder);

// An empty problem with its arena, to be filled by finish.c, from_matrices.c or the FCLIB reader.
vs_error vs_problem_create(vs_context *context, vs_problem **problem);
// Finds blocks, block and block_diagonal from H. Ht: the transpose if H is unsymmetric, else null.
vs_error vs_problem_partition(vs_problem *problem, const vs_sparse *Ht);

// A problem as matrices with any grouping of its rows; everything is borrowed. A null pointer means zeros.
typedef struct vs_problem_parts {
    vs_sparse N;               // m x m, local form; one process's part: m x (m + ghosts). b is r then; no joints
    vs_sparse H;               // n x n
    vs_sparse Dt;              // n x m
    vs_sparse Ct;              // n x m_e
    const double *c;           // (n)
    int contacts;              //
    const int *row;            // (contacts + 1)
    const vs_cone_kind *kind;  // (contacts)
    const double *mu;          // (contacts)
    const double *b, *E;       // (m)
    const double *lo, *hi;     // (m)
    const double *rolling;     // (contacts)
    const double *spinning;    // (contacts)
    const uint64_t *key;       // (contacts)
    int joints;                //
    const int *joint_row;      // (joints + 1); the rows of a joint have the same columns
    const uint64_t *joint_key; // (joints)
    const double *b_e, *E_e;   // (m_e)
    bool partial;     // H is one process's columns of a general matrix (N its rows), copied; the next two describe that
    bool symmetric;   //
    double asymmetry; //
} vs_problem_parts;

// Has the contact rolling or spinning friction?
static inline bool vs_problem_rolls(const vs_problem *problem, int contact) {
    return problem->kind[contact] == VS_CONE_ROLLING || problem->kind[contact] == VS_CONE_ELLIPTIC;
}
// Is the contact one with friction of any kind?
static inline bool vs_problem_has_friction(const vs_problem *problem, int contact) {
    return problem->kind[contact] == VS_CONE_SECOND_ORDER || vs_problem_rolls(problem, contact);
}

// Validates values (not patterns: the matrices must be sorted and in range) and makes the problem.
vs_error vs_problem_from_parts(vs_context *context, const vs_problem_parts *parts, vs_problem **problem);
// The same of the local form; values are not validated.
vs_error vs_problem_local_from_parts(vs_context *context, const vs_problem_parts *parts, vs_problem **problem);
// The joints implied by the matrix: runs of rows with the same columns. row (m_e + 1); returns their number.
int vs_problem_find_joints(const vs_sparse *Ct, int *row);

#endif
