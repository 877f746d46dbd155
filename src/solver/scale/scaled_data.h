// The scaled problem's data, and the space of vectors of its rows: see scaled.h.
#ifndef VS_SOLVER_SCALE_SCALED_DATA_H
#define VS_SOLVER_SCALE_SCALED_DATA_H

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
    vs_discs *discs;      // (cones) of rolling contacts, scaled; null: there are none
    double *unit_row, *unit_joint,
        *unit_v; // (m), (m_e), (n) sqrt(J): root of the energy of the island of a row, joint row, velocity
    double *own_row, *own_joint; // (m), (m_e) references of the own errors of a row's contact, of a joint, over the
                                 // islands' (measure/own_scale.h), at most 1
    bool uneven;                 // one of them is less than 1, on any process
    double free_norm;            // |(y, r_e)| of the free motion, m/s, not scaled

    vs_sparse H;       // n x n, both triangles; not for the identity
    double *c;         // (n)
    vs_rows D;         // m x n, groups = cones
    double *b, *E;     // (m)
    vs_rows C;         // m_e x n, groups = joints
    int *joint;        // (m_e) joint of each joint row
    double *S_e;       // (m_e)
    double *b_e, *E_e; // (m_e)
    double *G;         // (n) sqrt(diag H); for the identity D^1/2 of H = L D L'

    vs_sparse N; // m x m, local form; distributed: m x (m + ghosts)
    double *r;   // (m)

    // Distributed local form: rows of other processes that N couples to rows here, after these.
    int ghosts, ghost_cones; //
    int *ghost_row;          // (ghost_cones + 1) first row of each, counted from m on
    int *ghost_source;       // (ghosts) the problem's
    double *wide;            // (columns of the problem's N) work of share()
    vs_space row_space;      // of vectors of rows (m_e + m + ghosts), as the problem's is of velocities
} vs_scaled;

// The Jacobian of a group of stacked rows, which are the joint rows, each a group of its own, and the cones: its columns,
// and its values row by row. Global form only.
typedef struct vs_jacobian {
    int rows, width;
    const int *col;  // (width) ascending
    const double *x; // rows x width
} vs_jacobian;

static inline vs_jacobian vs_scaled_jacobian(const vs_scaled *s, int g) {
    bool joint = g < s->m_e;
    const vs_rows *A = joint ? &s->C : &s->D;
    int k = joint ? s->joint[g] : g - s->m_e, width = (int)(A->start[k + 1] - A->start[k]);
    return (vs_jacobian){.rows = joint ? 1 : A->row[k + 1] - A->row[k],
                         .width = width,
                         .col = A->col + A->start[k],
                         .x = A->x + A->value[k] + (joint ? (int64_t)(g - A->row[k]) * width : 0)};
}

// The space of vectors of joint rows, rows kept and ghosts, of which the global form has none; null: serial.
static inline const vs_space *vs_scaled_row_space(const vs_scaled *s) {
    return s->problem->space ? &s->row_space : NULL;
}
// Entries of such vectors here.
static inline int vs_scaled_extended_rows(const vs_scaled *s) {
    return s->m_e + s->m + s->ghosts;
}
// x (extended rows): copies the ghosts' entries from their owners. Serial: nothing.
static inline void vs_scaled_extend(const vs_scaled *s, double *x) {
    vs_space_extend(vs_scaled_row_space(s), vs_scaled_extended_rows(s), x);
}

#endif
