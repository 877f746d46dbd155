// The whole problem in impulses, as splitting, first-order and pivoting methods see it:
//
//     y = (N + E) l + r        joint rows: y = 0;  half lines and boxes: as ever
//     friction                 l in K_mu, ybar in K*_mu, l'ybar = 0;  ybar = y, exact: y + (mu |y_T|, 0, 0)
//
// Rows stacked: joint rows one by one, then the contacts. Units as in island.h: l = sqrt(a / e0) l_user, y = y_user /
// sqrt(a e0), so that mu stays, 1/2 |l - P(l - ybar)|^2 is the energy error over e0, and diagonal blocks have about
// unit size. Over several ranks rows are those of this rank, and sums over rows go through base/ranks.h. For masses in
// small blocks N = J J' is never formed: v = J'l is carried, over ranks also for a general H, v = H^-1 J'l then. Else N
// is there by groups.
#ifndef VS_SOLVER_IMPULSE_DUAL_H
#define VS_SOLVER_IMPULSE_DUAL_H

#include "solver/impulse/delassus.h"
#include "solver/impulse/island.h"
#include "solver/run.h"

typedef struct vs_dual {
    vs_context *context;
    vs_run *run;           // not owned
    const vs_ranks *ranks; // of the problem
    bool exact;            // friction as said above
    bool carried;          // velocities are; else N is used
    int n;                 // velocities carried
    int groups, rows, joints;
    int *row;        // (groups + 1) first row of each
    int *group_of;   // (rows)
    vs_law *law;     // (groups) the first `joints` are free
    double *mu;      // (groups) 0 unless friction
    double *lo, *hi; // (groups) box rows
    double *r;       // (rows)
    double *E;       // (rows) >= 0
    double *A;       // (9 groups) diagonal blocks of N + E, 3 x 3 row-major; of one row the first entry
    vs_rows J;       // (rows x n) if carried
    vs_rows N;       // (rows x rows) without E; else. Over ranks: columns of ghosts behind the others

    double *row_scale;                // (rows + ghosts) from scaled.h's rows to these
    double *wide;                     // (2 (rows + ghosts)) work
    vs_delassus delassus;             // not carried
    double *v;                        // (n) work
    double *scaled_g, *scaled_lambda; // work of judging
    int last_look;                    // iteration that was measured last
    int last_gain;                    // iteration when the error had fallen by a tenth
    double least;                     // error then
    double look_seconds;              // what a look costs
    double judged;                    // s of the time budget when the last iteration had been judged
} vs_dual;

vs_error vs_dual_create(vs_dual *d, vs_run *run, vs_arena *arena);
vs_error vs_dual_update(vs_dual *d); // new values of the problem

// ---- the operator ----------------------------------------------------------------------------------

void vs_dual_multiply(const vs_dual *d, const double *x, double *y);   // y = (N + E) x
void vs_dual_velocities(const vs_dual *d, const double *l, double *y); // y = (N + E) l + r
// y <- ybar: what is projected and what the cone's dual holds. Does nothing unless exact.
void vs_dual_exact(const vs_dual *d, double *y);
void vs_dual_project(const vs_dual *d, double *l); // the nearest point of every group's set, in place
// sqrt(energy error / e0) of l, given y = N l + r. Free rows included.
double vs_dual_error(const vs_dual *d, const double *l, const double *y);

// One group at a time: v (n) carries N l while sweeping (nothing if n = 0).
void vs_dual_carry(const vs_dual *d, const double *l, double *v);
// y (rows of g) = its velocities for the impulses l that v carries
void vs_dual_group_velocity(const vs_dual *d, int g, const double *l, const double *v, double *y);
// After l of group g has changed by dl (rows of g).
void vs_dual_group_change(const vs_dual *d, int g, const double *dl, double *v);

// ---- the iteration ---------------------------------------------------------------------------------

// l (rows): the warm start if there is one (full), else rest; projected. Begins counting.
void vs_dual_start(vs_dual *d, double *l);
vs_error vs_dual_measure(vs_dual *d, const double *l); // vs_run_measure() of l (rows)
// Counts one iteration, with the impulses l (rows, in their sets). Measures it when it is time (always at limits):
// history, best iterate, progress. True: stop, the outcome is in run; also on *error.
bool vs_dual_judge(vs_dual *dual, const double *l, vs_error *error);

#endif
