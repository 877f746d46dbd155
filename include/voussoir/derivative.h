// Derivatives of a certified solution of a contact problem with respect to the problem's data.
//
// At a solution each row of a contact is held (its velocity stays zero), at its limit (on the edge of the friction cone, or
// at a bound), or open (no impulse). As long as no row changes its status, impulses and velocities depend smoothly on
// the data, and their differentials satisfy one linear system per island (docs/derivatives.md), which is factored once:
//
//     tangent   directions of c, b, mu, H, D, …  ->  directions of v, g, lambda, y
//     adjoint   weights of v, g, lambda, y       ->  gradient with respect to c, b, mu, …      (the transpose)
//
// Where a row is between two statuses, the contact is flagged and one of the two is taken: an element of the generalized
// derivative. Where impulses are not unique, their derivatives have the least norm, measured in energy; those of the
// velocities are unique.
#ifndef VOUSSOIR_DERIVATIVE_H
#define VOUSSOIR_DERIVATIVE_H

#include "voussoir/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_derivative vs_derivative;

// What a row does at the solution.
typedef enum vs_row_status {
    VS_ROW_OPEN,    // no impulse
    VS_ROW_HELD,    // no velocity: the impulse follows
    VS_ROW_LIMIT,   // the impulse is as large as friction or a bound allow: sliding, rolling, saturated
    VS_ROW_SMOOTHED // between these: `gap` is positive
} vs_row_status;
VS_API const char *vs_row_status_name(vs_row_status status); // "open", "held", "limit", "smoothed"

// Flags of a contact.
typedef enum vs_derivative_flag {
    VS_DERIVATIVE_BORDER =
        1, // between two statuses: an element of the generalized derivative is taken. Neither impulse
           // nor velocity: open; on the edge of the cone without slip, or at a bound without
           // velocity: held; without friction and slip: no direction of friction
    VS_DERIVATIVE_REDUNDANT = 2 // impulses of its island are not unique: the least-norm derivative is taken
} vs_derivative_flag;

// Start from vs_derivative_options_default().
typedef struct vs_derivative_options {
    vs_model model; // of the solution; default exact
    double
        border; // > 0; an impulse or velocity counts as zero if its energy is below border^2 times the reference of its
                // island (measure.h), or if the solution's own error is larger, ten times that; default 1e-6
    // J, >= 0; if positive, in place of the solution the point of the central path at which the product of each pair of cones
    // is this divided by their number (docs/derivatives.md): differentiable everywhere, without flags, and contacts that are
    // not made yet count, by less the farther they are; default 0
    double gap;
} vs_derivative_options;

// Arrays belong to the derivative.
typedef struct vs_derivative_report {
    vs_measures measures;       // of the solution: its certificate
    double border;              // as used
    int unknowns;               // impulses that may change, in directions
    int rank;                   // of the linear systems; below `unknowns`: impulses are not unique
    int borders;                // contacts with VS_DERIVATIVE_BORDER
    const vs_row_status *row;   // (m)
    const unsigned char *flags; // (contacts) of vs_derivative_flag
    const double *v, *y;        // (n; null: local form), (m) of the solution
    const double *g, *lambda;   // (m_e), (m) the solution, or the point of the path
    int iterations;             // factorizations to the point of the path; 0 without gap
} vs_derivative_report;

// A direction of a problem's data; null, or a matrix without p: that is constant. Matrices have any pattern.
typedef struct vs_problem_direction {
    const double *c;                  // (n)
    const double *b;                  // (m)
    const double *r;                  // (m) local form
    const double *b_e;                // (m_e)
    const double *mu;                 // (contacts)
    const double *rolling, *spinning; // (contacts)
    const double *lo, *hi;            // (m) of box rows
    const double *E;                  // (m)
    const double *E_e;                // (m_e)
    vs_matrix_view H;                 // n x n
    vs_matrix_view Dt;                // n x m
    vs_matrix_view Ct;                // n x m_e
    vs_matrix_view N;                 // m x m, local form
} vs_problem_direction;

// A direction of the solution, or weights of it; null: not wanted, or zero.
typedef struct vs_solution_direction {
    double *v;      // (n)
    double *g;      // (m_e)
    double *lambda; // (m)
    double *y;      // (m)
} vs_solution_direction;

// A gradient with respect to the data; null: not wanted. Those of matrices follow from it:
//
//     H_ij    c_i v_j                         Ct_ij   -c_i g_j - v_i b_e_j
//     Dt_ij   -c_i lambda_j - v_i b_j         N_ij    r_i lambda_j
//
// with c, b, b_e, r of the gradient and v, g, lambda of the solution.
typedef struct vs_problem_gradient {
    double *c;                  // (n)
    double *b;                  // (m)
    double *r;                  // (m) local form
    double *b_e;                // (m_e)
    double *mu;                 // (contacts)
    double *rolling, *spinning; // (contacts)
    double *lo, *hi;            // (m)
    double *E;                  // (m)
    double *E_e;                // (m_e)
} vs_problem_gradient;

VS_API vs_derivative_options vs_derivative_options_default(void);

// Finds the statuses of the solution g (m_e; null without joints), lambda (m) and factors the linear systems; destroy it with
// vs_derivative_destroy(). Null options: the defaults. The problem must outlive it. Solve to 1e-10 or less: statuses that
// the error leaves open are flagged. With a gap, g and lambda are not used and may be null; VS_ERROR_DATA if the path could
// not be followed. VS_ERROR_UNSUPPORTED for a distributed problem.
VS_API vs_error vs_derivative_create(const vs_problem *problem, const vs_derivative_options *options, const double *g,
                                     const double *lambda, vs_derivative **derivative);
VS_API void vs_derivative_destroy(vs_derivative *derivative); // null is allowed
VS_API vs_derivative_report vs_derivative_get_report(const vs_derivative *derivative);

// The direction in which the solution moves as the data move in theirs. residual, unless null: of the linear system relative
// to its right-hand side, as roots of energies. Rounding: there is a derivative. Larger: the contacts cannot keep their
// statuses in this direction (redundant contacts that are held no longer fit), and the result is one of least squares.
VS_API vs_error vs_derivative_tangent(const vs_derivative *derivative, const vs_problem_direction *data,
                                      const vs_solution_direction *solution, double *residual);
// The gradient of sum weights'solution with respect to the data: the transpose of vs_derivative_tangent(). A large
// residual: the weights depend on impulses that are not unique.
VS_API vs_error vs_derivative_adjoint(const vs_derivative *derivative, const vs_solution_direction *weights,
                                      const vs_problem_gradient *gradient, double *residual);

#ifdef __cplusplus
}
#endif

#endif
