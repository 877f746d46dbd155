// The problem as solvers see it: a copy in pure numbers, with an exact undo (docs/theory.md).
//
//     rows         l' = S l / sqrt(e0),  y' = y / (S sqrt(e0))
//                  friction S_n = sqrt(a mu), S_T = sqrt(a / mu);  other rows S = sqrt(a)
//     velocities   v' = G v / sqrt(e0),  H' = G^-T H G^-1
//                  block-diagonal H: G = D^1/2 L' of H = L D L' per block, so that H' = I;  general H: G = sqrt(diag H)
//     data         D' = S^-1 D G^-1,  C' likewise,  E' = S^-1 E S^-1,  N' = S^-1 N S^-1,  b', c', r' divided by sqrt(e0)
//
// Friction cones become Lorentz cones. A friction contact with mu = 0, and every one in the frictionless model, keeps
// its normal row only: tangential rows are dropped, their impulses are zero.
#ifndef VS_SOLVER_SCALE_SCALED_H
#define VS_SOLVER_SCALE_SCALED_H

#include "measure/measurer.h"

typedef struct vs_scaled {
    const vs_problem *problem;
    vs_mass_model *mass; // of the problem; borrowed
    bool local;          // no velocities: y = N l + r
    bool identity;       // H = I
    bool symmetric;      // N, or H, is; an unsymmetric H is never the identity
    int n, m, m_e;       // velocities, rows kept, joint rows
    bool extreme;        // masses differ so much (1e8) that impulses in doubles do not determine velocities

    int cones;            //
    int *row;             // (cones + 1) first row of each
    vs_cone_kind *kind;   // (cones)
    int *source;          // (m) the problem's row of each row kept
    int prescribed_count; // box rows without an interior: their impulses are prescribed and part of c
    int *prescribed;      // (prescribed_count) the problem's rows
    double *S;            // (m + ghosts)
    double *lo, *hi;      // (m) of box rows, scaled; 0 elsewhere
    double root_e0;       // sqrt(e0), sqrt(J)
    double free_norm;     // |(y, r_e)| of the free motion, m/s, not scaled

    vs_sparse H;       // n x n, both triangles; not for the identity
    double *c;         // (n)
    vs_rows D;         // m x n, groups = cones
    double *b, *E;     // (m)
    vs_rows C;         // m_e x n, groups = joints
    double *S_e;       // (m_e)
    double *b_e, *E_e; // (m_e)
    double *G;         // (n) sqrt(diag H); for the identity D^1/2 of H = L D L'

    vs_sparse N; // m x m, local form; distributed: m x (m + ghosts)
    double *r;   // (m)

    // Distributed local form: rows of other ranks that N couples to rows here, after these.
    int ghosts, ghost_cones; //
    int *ghost_row;          // (ghost_cones + 1) first row of each, counted from m on
    int *ghost_source;       // (ghosts) the problem's
    double *wide;            // (columns of the problem's N) work of share()
    vs_ranks row_ranks;      // the problem's ranks for vectors of rows (m_e + m + ghosts)
} vs_scaled;

// Those ranks; null: serial. Joint rows, rows kept and ghosts can be shared; the global form has no ghosts.
static inline const vs_ranks *vs_scaled_row_ranks(const vs_scaled *s) {
    return s->problem->ranks ? &s->row_ranks : NULL;
}
// x (m_e + m + ghosts): copies the ghosts' entries from their owners. Serial: nothing.
static inline void vs_scaled_extend(const vs_scaled *s, double *x) {
    const vs_ranks *ranks = vs_scaled_row_ranks(s);
    vs_ranks_begin(ranks, s->m_e + s->m + s->ghosts, x);
    vs_ranks_share(ranks, x);
}

// Pattern and memory, then the values. rest: the errors of rest, of the same mass model.
vs_error vs_scaled_create(vs_scaled *s, vs_mass_model *mass, const vs_rest_errors *rest, vs_arena *arena);
// Part of it: ghosts and row_ranks, once the cones are known (scaled_ranks.c).
vs_error vs_scaled_create_ranks(vs_scaled *s, const vs_problem *problem, vs_arena *arena);
// Values of the problem that the mass model was updated to, with the same pattern (the caller has checked it);
// allocates nothing.
void vs_scaled_update(vs_scaled *s, const vs_rest_errors *rest);

// Is a box row so narrow that it prescribes the impulse?
bool vs_scaled_is_prescribed(const vs_problem *problem, int row);

// To and from the user's units. lambda, y (m of the problem), v (n), g (m_e); primes are the scaled ones.
void vs_scaled_lambda(const vs_scaled *s, const double *lambda, double *scaled);
void vs_scaled_lambda_undo(const vs_scaled *s, const double *scaled, double *lambda);
void vs_scaled_g(const vs_scaled *s, const double *g, double *scaled);
void vs_scaled_g_undo(const vs_scaled *s, const double *scaled, double *g);
void vs_scaled_v(const vs_scaled *s, const double *v, double *scaled);
void vs_scaled_v_undo(const vs_scaled *s, const double *scaled, double *v);

// ---- joint rows and contact rows stacked, one group per joint row and per cone ----------------------

int vs_scaled_group_row(const vs_scaled *s, int g);      // first stacked row of group g
double vs_scaled_friction(const vs_scaled *s, int cone); // mu: S has sqrt(a mu) and sqrt(a / mu)
// scale (m_e + m): from these rows to rows that keep mu: l = l' / scale, y = scale y'. sqrt(mu) and 1/sqrt(mu), else 1.
void vs_scaled_even_rows(const vs_scaled *s, double *scale);
// y (m_e + m) of no impulses: -b - J H^-1 c. work (n)
vs_error vs_scaled_free_velocities(const vs_scaled *s, double *work, double *y);

#endif
