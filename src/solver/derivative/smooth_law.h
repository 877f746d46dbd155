// Contact laws at points of the central path with the target tau, J: smooth and strictly inside of the cones.
//
// A contact has pairs (a, x) of cone variables, a linear in its impulses, x in its velocities, a o x = tau e:
//
//     relaxed, per disc   a = (l_n, l_i / m_i),  x = (nu, m_i y_i)      y_n = sum nu        (the path of ipm/)
//     exact, per disc     the same with 10 tau: nu is free in place of sum m_i |y_i|
//     exact, normal       a = l_n,               x = y_n                                    (the path of coulomb/path)
//     without friction    a = l_n,               x = y_n
//     box row             a = l - lo, hi - l,    y = x_1 - x_2
//
// As x = tau a^-1, the velocities u are a function of the impulses. With the Nesterov-Todd scaling W^2 a = x of each pair,
//
//     du = -B dl,    B = sum G'W^2 G,    a = G l + const         (exact: rows of the normal from its own pair alone)
//
// which is also the Newton matrix away from the path.
#ifndef VS_SOLVER_DERIVATIVE_SMOOTH_LAW_H
#define VS_SOLVER_DERIVATIVE_SMOOTH_LAW_H

#include "solver/derivative/modes.h"

typedef struct vs_smooth_pair {
    int size;               // 1 … 6
    int row[VS_MODE_ROWS];  // of the group, of each entry
    double G[VS_MODE_ROWS]; // a_i = G_i l_row + const
    double offset;          // of a_0
    bool normal;            // x_0 is a velocity: not free
    double weight;          // of tau
    double a[VS_MODE_ROWS], x[VS_MODE_ROWS];
    double da[VS_MODE_ROWS], dx[VS_MODE_ROWS];
    double W2[VS_MODE_ROWS * VS_MODE_ROWS];
} vs_smooth_pair;

// A contact, or one row of boxes.
typedef struct vs_smooth_group {
    int contact, first, rows;
    bool active[VS_MODE_ROWS]; // has an impulse that may change
    bool box;
    int pair, pairs; // first, number
} vs_smooth_group;

typedef struct vs_smooth_law {
    vs_smooth_group *group; // (groups)
    vs_smooth_pair *pair;   // (pairs)
    int groups, pairs;
} vs_smooth_law;

// The pairs of all contacts, with a start at which all products are tau: lambda (m).
vs_error vs_smooth_law_create(vs_smooth_law *law, const vs_mass_model *mass, double tau, double *lambda,
                              vs_arena *arena);
// W^2 of all pairs.
void vs_smooth_law_scale(vs_smooth_law *law);
double vs_smooth_law_products(const vs_smooth_law *law); // mean of a'x / weight, J
// u (m) of tau a^-1
void vs_smooth_law_velocities(const vs_smooth_law *law, double tau, double *u);
// da, dx of the direction dl (m) towards tau. Returns the largest step relative to the distance from the boundary.
double vs_smooth_law_direct(vs_smooth_law *law, double tau, const double *dl);
double vs_smooth_law_step(const vs_smooth_law *law); // largest fraction of it, at most 1, that stays inside
void vs_smooth_law_advance(vs_smooth_law *law, double step);

// Modes (modes.h) of the linearized laws, after vs_smooth_law_scale().
vs_error vs_smooth_law_modes(const vs_smooth_law *law, vs_modes *modes, const vs_mass_model *mass, vs_arena *arena);

#endif
