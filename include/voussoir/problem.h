// The contact problem: the input of a solver.
//
//     minimise    1/2 v'H v + c'v + 1/2 l'E l
//     subject to  C v + E_e g = b_e          joints    (impulses g, free)
//                 D v - b + E l = y in K*    contacts  (impulses l in K)
//
// with K a friction cone { |l_T| <= mu l_n } (3 rows: normal, u, w), the nonnegative orthant (1 row), a box lo <= l <= hi
// per row, or a friction cone with further rows for rolling and spinning friction, of impulses m_R and m_S in N m s:
//
//     K = { |l_T| <= mu l_n,  |m_R| <= rolling l_n,  |m_S| <= spinning l_n }
//
// or elliptic, one cone for all of them: (|l_T| / mu)^2 + (|m_R| / rolling)^2 + (m_S / spinning)^2 <= l_n^2.
//
// The local form has no v: y = N l + r with the Delassus operator N.
// A problem is plain data, constant once finished; rows keep the order in which they were added.
#ifndef VOUSSOIR_PROBLEM_H
#define VOUSSOIR_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "voussoir/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_problem vs_problem;
typedef struct vs_problem_builder vs_problem_builder;

// ---- building from blocks (bodies) and contacts ----------------------------------------------------

// A contact: with friction (3 rows) or, if `frictionless`, one row. A positive coefficient of rolling friction adds two
// rows, the relative angular velocity about u and about w; one of spinning friction adds the last row, about n.
typedef struct vs_problem_contact_def {
    int blocks;                    // number of blocks involved, usually 1 or 2
    const int *block;              // their indices (blocks)
    const double *const *jacobian; // D, one row-major matrix (rows x dofs of the block) per block
    double b[3];                   // right-hand side of the rows n, u, w; m/s
    double mu;                     // friction coefficient >= 0
    bool frictionless;             // one row only; mu, b[1], b[2] are ignored
    double compliance;             // E of the normal row >= 0; 1/kg
    uint64_t key;                  // identity of the contact, for warm starts; 0: none
    double rolling, spinning;      // coefficients of rolling and spinning friction >= 0; m. Ignored if frictionless
    double b_rotation[3];          // right-hand side of the rows about u, w (rolling) and n (spinning); 1/s
    bool elliptic; // sliding, rolling and spinning share one ellipse; needs mu > 0. Default false: separate
} vs_problem_contact_def;

// A joint: any number of bilateral rows.
typedef struct vs_problem_joint_def {
    int rows;                      // >= 1
    int blocks;                    // number of blocks touched
    const int *block;              // their indices (blocks)
    const double *const *jacobian; // C, one row-major matrix (rows x dofs of the block) per block
    const double *b;               // b_e (rows); m/s. Null: zero
    const double *compliance;      // E_e (rows) >= 0; 1/kg. Null: zero
    uint64_t key;                  // for warm start; 0 = none
} vs_problem_joint_def;

// Box constraints lo <= l <= hi: joint friction, motor limits.
typedef struct vs_problem_box_def {
    int rows;                      // >= 1
    int blocks;                    // number of blocks touched
    const int *block;              // their indices (blocks)
    const double *const *jacobian; // one row-major matrix (rows x dofs of the block) per block
    const double *b;               // (rows); null: zero
    const double *lo, *hi;         // (rows), finite, lo <= hi; N s
    const double *compliance;      // (rows) >= 0; null: zero
    uint64_t key;                  // for warm start; 0 = none
} vs_problem_box_def;

VS_API vs_problem_contact_def vs_problem_contact_def_default(void);
VS_API vs_problem_joint_def vs_problem_joint_def_default(void);
VS_API vs_problem_box_def vs_problem_box_def_default(void);

// Starts a problem. The builder ends with vs_problem_builder_finish() or vs_problem_builder_destroy().
VS_API vs_error vs_problem_builder_create(vs_context *context, vs_problem_builder **builder);

// Adds a block of velocities, usually the 6 of a body. H row-major (dofs x dofs), symmetric positive definite; c
// (dofs). Indices are 0, 1, 2, … in the order of the calls. In this and the following functions `index` may be null,
// arrays are copied, and invalid data is VS_ERROR_DATA with a text that names the field.
VS_API vs_error vs_problem_builder_add_block(vs_problem_builder *builder, int dofs, const double *H, const double *c,
                                             int *index);
// Replaces H of all blocks by one matrix, where finite elements couple them: n x n with both triangles, symmetric, with
// a positive diagonal. No block may follow. (vs_matrix_view: below.)
typedef struct vs_matrix_view vs_matrix_view;
VS_API vs_error vs_problem_builder_set_mass(vs_problem_builder *builder, const vs_matrix_view *H);
VS_API vs_error vs_problem_builder_add_contact(vs_problem_builder *builder, const vs_problem_contact_def *contact,
                                               int *index);
VS_API vs_error vs_problem_builder_add_joint(vs_problem_builder *builder, const vs_problem_joint_def *joint,
                                             int *index);
// A group of box constraints counts as a contact: it shares the indices and rows of contacts.
VS_API vs_error vs_problem_builder_add_box(vs_problem_builder *builder, const vs_problem_box_def *bounds, int *index);

// Energies, J, that errors of the result are compared with, besides the problem's own e0: energy (n), one per velocity,
// not negative. A step of a simulation gives the kinetic energies that gravity and loads add to its bodies within the
// step, so that bodies in free flight need no impulses accurate to 1e-30 J. An island (vs_measures) counts the sum over its
// velocities. Call it after the blocks. Default: none.
VS_API vs_error vs_problem_builder_set_reference(vs_problem_builder *builder, const double *energy);

// Creates the problem, or returns the first error of the calls above (a failed call adds nothing). The builder is
// destroyed in every case. Destroy the problem with vs_problem_destroy().
VS_API vs_error vs_problem_builder_finish(vs_problem_builder *builder, vs_problem **problem);
// Destroys an unfinished builder. Null is allowed.
VS_API void vs_problem_builder_destroy(vs_problem_builder *builder);

// ---- building from sparse matrices (as in FCLIB) ----------------------------------------------------

// A sparse matrix in compressed columns; row indices of a column ascending and unique. Borrowed.
struct vs_matrix_view {
    int rows, cols;
    const int64_t *p; // (cols + 1)
    const int *i;     // (p[cols])
    const double *x;  // (p[cols])
};

// Global form: H with both triangles, contact rows as columns of D' (FCLIB: M, H). H is symmetric positive definite, or
// unsymmetric with a positive diagonal: then it is never symmetrized, and the equations H v + c = C'g + D'l are solved
// with this H in place of the minimization.
typedef struct vs_problem_global_def {
    vs_matrix_view H;  // n x n
    const double *c;   // (n)
    vs_matrix_view Dt; // n x 3 contacts
    const double *b;   // (3 contacts)
    const double *mu;  // (contacts)
    const double *E;   // (3 contacts) compliance, null: zero; tangential entries must be zero
    vs_matrix_view Ct; // n x m_e; p = null: no joints
    const double *b_e; // (m_e)
    int contacts;
} vs_problem_global_def;

// Local form: y = N l + r. N may be singular, slightly unsymmetric or indefinite; it is used unchanged.
typedef struct vs_problem_local_def {
    vs_matrix_view N; // 3 contacts x 3 contacts
    const double *r;  // (3 contacts)
    const double *mu; // (contacts)
    int contacts;
} vs_problem_local_def;

VS_API vs_problem_global_def vs_problem_global_def_default(void);
VS_API vs_problem_local_def vs_problem_local_def_default(void);
// Problems from matrices, which are copied; destroy them with vs_problem_destroy(). VS_ERROR_DATA names the array and
// entry.
VS_API vs_error vs_problem_from_global(vs_context *context, const vs_problem_global_def *def, vs_problem **problem);
VS_API vs_error vs_problem_from_local(vs_context *context, const vs_problem_local_def *def, vs_problem **problem);

VS_API void vs_problem_destroy(vs_problem *problem); // null is allowed

// ---- properties of a problem -----------------------------------------------------------------------

typedef struct vs_problem_info {
    bool local;   // no v, only N and r
    int n;        // velocities
    int m;        // contact rows
    int m_e;      // joint rows
    int blocks;   // blocks of v that H does not couple
    int contacts; // contacts and groups of box constraints
    int joints;   // joints as added; from matrices: consecutive rows with the same columns
    int64_t nnz_H, nnz_D, nnz_C, nnz_N;
    double mu_min, mu_max;     // over the friction contacts
    double mass_min, mass_max; // diagonal of H; local form: 1 / diagonal of N
    double asymmetry;          // |N - N'| / |N| or, global form, |H - H'| / |H|, largest entries; 0: symmetric
    bool block_diagonal;       // H is block diagonal and symmetric, with blocks of at most 12 unknowns
    bool compliant;            // E or E_e has a nonzero
    int rolling;               // contacts with rolling or spinning friction
} vs_problem_info;

VS_API vs_problem_info vs_problem_get_info(const vs_problem *problem);
// First row of each contact (contacts + 1).
VS_API const int *vs_problem_get_contact_rows(const vs_problem *problem);
// Key of each contact (contacts).
VS_API const uint64_t *vs_problem_get_contact_keys(const vs_problem *problem);

// Vectors of a problem, which owns them; null: the problem does not have it.
typedef struct vs_problem_vectors {
    const double *c;         // (n)
    const double *reference; // (n) J; null: none
    const double *b;         // (m)
    const double *r;         // (m) local form
    const double *mu;        // (contacts) 0 without friction
    const double *lo, *hi;   // (m) bounds of the box constraints, 0 elsewhere
    const double *rolling;   // (contacts) m; null: no contact has rolling or spinning friction
    const double *spinning;  // (contacts) m
} vs_problem_vectors;

VS_API vs_problem_vectors vs_problem_get_vectors(const vs_problem *problem);

// ---- changing a problem ----------------------------------------------------------------------------

// Changes of a copy; null: unchanged. Sizes and order are those of the original.
typedef struct vs_problem_change_def {
    const double *c;  // (n) global form
    const double *b;  // (m) global form
    const double *r;  // (m) local form
    const double *mu; // (contacts) >= 0; ignored where there is no friction
    const bool *keep; // (contacts) false: the contact is removed
} vs_problem_change_def;

VS_API vs_problem_change_def vs_problem_change_def_default(void);
// A changed copy, created with the problem's context; destroy it with vs_problem_destroy(). Joints, compliance, bounds,
// keys and order are kept.
VS_API vs_error vs_problem_change(const vs_problem *problem, const vs_problem_change_def *change, vs_problem **changed);

#ifdef __cplusplus
}
#endif

#endif
