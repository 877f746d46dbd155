// Cone programs by a homogeneous interior-point method:
//
//     minimise  c'x          subject to  a'x = b,  G x + s = h,  s in L
//     maximise  -b y - h'z   subject to  a y + G'z + c = 0,      z in L
//
// L is a product of nonnegative orthants (groups of G with 1 row) and Lorentz cones (3 rows). There is at most one equation.
// In statics x is a virtual velocity, z are contact forces, and G'z + c = 0 is equilibrium.
//
// Either a pair of optimal solutions is found, or a ray that proves that one of the two has no feasible point:
//
//     x: c'x < 0, a'x = 0, G x + s = 0           no forces z exist
//     z: b y + h'z < 0, a y + G'z = 0            no x exists
//
// A result is as accurate as the method could make it; nothing is proved before it was checked (certificate.h).
#ifndef VS_STATICS_CONE_PROGRAM_H
#define VS_STATICS_CONE_PROGRAM_H

#include "linalg/rows.h"

typedef struct vs_cone_program vs_cone_program;

// The values of one program. Sizes and pattern are those of G.
typedef struct vs_program_data {
    const double *c; // (columns)
    const double *h; // (rows); null: zero
    const double *a; // (columns); null: no equation
    double b;
} vs_program_data;

typedef enum vs_program_status {
    VS_PROGRAM_OPTIMAL,
    VS_PROGRAM_RAY_X, // proves that no z exists
    VS_PROGRAM_RAY_Z, // proves that no x exists
    VS_PROGRAM_KINDS  // their number
} vs_program_status;

// Vectors belong to the program and are valid until its next solve. A ray is scaled to c'x = -1 or b y + h'z = -1.
typedef struct vs_program_result {
    vs_program_status status;
    const double *x, *s, *z;
    double y;
    double primal, dual; // objectives
    double error;        // the largest of the relative residuals and of the relative gap
    int iterations;
} vs_program_result;

// G is borrowed: pattern and values must stay. Destroy the program with vs_cone_program_destroy().
vs_error vs_cone_program_create(vs_context *context, const vs_rows *G, vs_cone_program **program);
void vs_cone_program_destroy(vs_cone_program *p);
// tolerance: of the error at which the iteration ends; it also ends where no further progress is possible.
vs_error vs_cone_program_solve(vs_cone_program *p, const vs_program_data *data, double tolerance,
                               vs_program_result *result);
// Moves an interior point z of L by the least step in its own metric so that G'z = target (columns) holds up to rounding.
// False: it cannot without leaving L; z is then as far as it came.
vs_error vs_cone_program_balance(vs_cone_program *p, const double *target, double *z, bool *inside);
// The next such step, dz (rows) with G'dz = rest (columns) up to rounding, in the metric of that call. Overwrites rest.
vs_error vs_cone_program_correct(vs_cone_program *p, double *rest, double *dz);

#endif
