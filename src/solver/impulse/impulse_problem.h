// A contact problem in impulses and in pure numbers: the common input of splitting, first-order, pivoting and barrier
// methods and of all stages of exact friction.
//
//     y = (N + E) l + r      joint rows: y = 0;  other rows: the law of their group
//
//     friction               l in K_mu,  ybar in K*_mu,  l'ybar = 0
//         relaxed            ybar = y
//         exact              ybar = y + (mu |y_T|, 0, 0)
//     rolling                the same with the discs of cone/rolling.c, ybar = y + (sum mu_k |y_k|, 0, …)
//
// Rows are stacked: joint rows, each a group of its own, then the contacts, one group each. With one a per contact
// (docs/theory.md) they are scaled by
//
//     l = sqrt(a) / u l_user,      y = y_user / (sqrt(a) u)        u^2: energy of the island (scaled.h)
//
// which keeps mu, makes 1/2 |l - P(l - ybar)|^2 the energy error over u^2, and gives diagonal blocks of N about unit
// size. islands.h makes such problems: one for each island of a problem, or one for the whole of it.
//
// N is stored by groups. Where masses come in small blocks the whole problem never forms it: velocities v = J'l are
// carried instead, N = J J'; distributed also for a general H, v = H^-1 J'l. Distributed, rows are those of this process,
// and sums over rows go through base/space.h.
#ifndef VS_SOLVER_IMPULSE_IMPULSE_PROBLEM_H
#define VS_SOLVER_IMPULSE_IMPULSE_PROBLEM_H

#include "solver/scale/scaled.h"

typedef enum vs_law {
    VS_LAW_FREE,     // joint row: y = 0
    VS_LAW_NONNEG,   // l >= 0, y >= 0, l y = 0
    VS_LAW_BOX,      // lo <= l <= hi
    VS_LAW_FRICTION, // three rows, mu > 0
    VS_LAW_ROLLING   // four to six rows, discs
} vs_law;

typedef struct vs_impulse_problem {
    vs_context *context;
    const vs_scaled *scaled; // in the units of scaled.h; not owned
    const vs_space *space;   // of the problem; null: serial
    bool exact;              // friction; else relaxed
    bool symmetric;          // N is

    int groups, rows;     // joint rows first, then contacts
    int joints, contacts; // groups that are free, and all others
    int *row;             // (groups + 1) first row of each
    int *group_of;        // (rows)
    vs_law *law;          // (groups)
    double *mu;           // (groups) 0 unless friction
    vs_discs *discs;      // (groups) of rolling contacts; null: there are none
    double *lo, *hi;      // (groups) boxes
    double *r;            // (rows) y of l = 0

    vs_rows N; // (rows x rows) by groups, diagonal blocks present; distributed with columns of ghosts behind the
               // others. Empty if velocities are carried
    int64_t *diagonal; // (groups) where the diagonal block begins in N.x; its leading dimension is the group's width
    vs_rows J;         // (rows x n) if velocities are carried; else empty
    bool carried;      // velocities are
    bool loose;        // a granular island with a looser tolerance than others: swept in packs, however small
    int n;             // velocities carried; else 0
    double *E;         // (rows) >= 0, compliance beside N; null: N contains it
    double epsilon;    // compliance added to every contact row by the functions of operator.h; 0 except in a homotopy
    int ld;            // leading dimension of blocks of a group, in all arrays of them: 3, with rolling contacts 6
    double *A;         // (ld^2 groups) diagonal blocks of N + E, row-major

    // rows and units of the scaled problem
    int *origin;             // (groups) group among the stacked rows of the scaled problem
    int *source;             // (rows) row there: joint rows 0 … m_e - 1, contact rows m_e + row kept
    const double *row_scale; // (all stacked rows, ghosts) from those units to these: l = l' / row_scale[source]
    double *unit_l;          // (groups) N s of an impulse 1
    double *unit_y;          // (groups) m/s of a velocity 1
    double *own;             // (groups) reference of its own error, at most 1 (scaled_data.h); if uneven
    bool uneven;             // one of them, of any island, is less than 1
    double free_norm;        // m/s; |r| of the whole problem, user's units
    double share;            // of the natural map's square, which counts as a whole: its groups / all groups
    const double *slack; // (groups) tolerance of its island over that of the others, by which its errors are divided;
                         // null: 1

    double *work_n;    // (n) velocities of a product
    double *work_rows; // (2 (rows + ghosts)) whole problem only
} vs_impulse_problem;

// Does the group belong to a large granular island of the problem (problem/granular.h)?
static inline bool vs_impulse_is_granular(const vs_impulse_problem *p, int g) {
    const vs_island_map *map = &p->scaled->mass->islands;
    if (map->granular_islands == 0 || p->scaled->local || g >= p->groups)
        return false;
    const vs_jacobian J = vs_scaled_jacobian(p->scaled, p->origin[g]);
    return J.width > 0 && map->granular[map->entry[J.col[0]]];
}

// Where the block of group g begins in an array of blocks; of the number of groups: its size.
static inline int64_t vs_impulse_block(const vs_impulse_problem *p, int g) {
    return (int64_t)(p->ld * p->ld) * g;
}

#endif
