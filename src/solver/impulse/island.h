// One island in pure numbers: contacts and joints that are coupled through N and through nothing else. What every stage
// of an exact solve works on:
//
//     y = N l + r        free rows (joints): y = 0;  half lines and boxes: as ever
//     friction:          l in K_mu,  ybar = y + (mu |y_T|, 0, 0) in K*_mu,  l'ybar = 0
//
// Rows are scaled by l = sqrt(a / e0) l_user, y = y_user / sqrt(a e0), one a a contact (theory.md section 2), which
// keeps mu and makes 1/2 |l - P(l - ybar)|^2 the energy error over e0. Diagonal blocks of N have about unit size.
#ifndef VS_SOLVER_IMPULSE_ISLAND_H
#define VS_SOLVER_IMPULSE_ISLAND_H

#include "solver/scale/scaled.h"

typedef enum vs_law {
    VS_LAW_FREE,    // joint row: y = 0
    VS_LAW_NONNEG,  // l >= 0, y >= 0, l y = 0
    VS_LAW_BOX,     // lo <= l <= hi
    VS_LAW_FRICTION // three rows, mu > 0
} vs_law;

vs_law vs_law_of(const vs_scaled *problem, int group); // of a group of stacked rows
// The nearest point of a group's set, in place: x (1, friction 3).
void vs_law_project(vs_law law, double mu, double lo, double hi, double *x);

typedef struct vs_island {
    vs_context *context;
    int groups, rows;  // joint rows first, then contacts
    int contacts;      // groups that are not free
    vs_law *law;       // (groups)
    double *mu;        // (groups) 0 unless friction
    double *lo, *hi;   // (groups) box rows
    vs_rows N;         // rows x rows by groups, compliance included; symmetric pattern, diagonal blocks present
    int *group_of;     // (rows)
    int64_t *diagonal; // (groups) where the diagonal block begins in N.x; its leading dimension is the group's width
    double *r;         // (rows) y of l = 0
    double *unit_l;    // (groups) N s of an impulse 1
    double *unit_y;    // (groups) m/s of a velocity 1
    int *source;       // (rows) the row in the whole problem: joint rows 0 … m_e - 1, contact rows m_e + row kept
    double free_norm;  // m/s; |r| of the whole problem, user's units
    double share;      // of the whole error this island may have: groups / all groups
    bool symmetric;    // N is
    double epsilon;    // compliance added to every contact row by all functions below; 0 but in a homotopy
} vs_island;

// How far l is from a solution: max of sqrt(energy error / e0) and, if `both`, FCLIB's relative natural-map error, each
// over sqrt(share). At most tol for every island means at most tol for the whole. y = N l + r is the caller's.
double vs_island_error(const vs_island *island, bool both, const double *l, const double *y);
// The error that rounding l to doubles may cause by itself: with very different masses a tolerance below it is out of
// reach. To the same scale as vs_island_error().
double vs_island_rounding(const vs_island *island, bool both, const double *l);
// y = (N + epsilon) x
void vs_island_multiply(const vs_island *island, const double *x, double *y);
// y = (N + epsilon) l + r
void vs_island_velocities(const vs_island *island, const double *l, double *y);
// The nearest point of every group's set, in place.
void vs_island_project(const vs_island *island, double *l);

#endif
