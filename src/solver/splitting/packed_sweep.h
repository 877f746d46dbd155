// Gauss-Seidel over the contacts of an island that carries velocities, four contacts at a time, or eight in single precision.
//
// Contacts of one colour (colouring.h) share no body. Four of them form a pack: their rows of J, diagonal blocks and
// impulses stand side by side, and a visit is a few hundred operations on four numbers. Eight numbers of single precision
// cost as much as four; impulses are accurate to 1e-7 of the largest ones then, and errors are evaluated in double precision. Packs of one colour go over
// threads; the same bits for any number of them. Joints, contacts without friction and those on flexible bodies are
// visited one by one after the colours.
//
// With the velocities v = J'x, the impulse s_i that solves contact i alone, and f_i = s_i - x_i, there are two ways to
// be faster than plain sweeps. Each contact goes by itself: what happens at one place must not stop it elsewhere.
//
//     over-relaxation     x_i <- P( x_i + (1 + beta_i) f_i ),   beta_i = most k / (k + 2)
//                         k: visits since f_i last pointed against the one before. Free, since its neighbours see it
//                         in the same sweep; too much of it (most > .8) does not converge
//     extrapolation       after a plain sweep x_i <- P( x_i + beta_i p_i ),  p_i <- beta_i p_i + f_i  of all contacts,
//                         beta_i = k / (k + 2), at most .95: nesterov_sweeps.c. Half a sweep's work; for creep
#ifndef VS_SOLVER_SPLITTING_PACKED_SWEEP_H
#define VS_SOLVER_SPLITTING_PACKED_SWEEP_H

#include "solver/splitting/colouring.h"

typedef struct vs_packed vs_packed;

// Can the contacts of this problem be packed: exact friction, none with elliptic coupling, velocities carried, serial?
bool vs_packed_suits(const vs_impulse_problem *problem);
// Colours and memory; then vs_packed_load() for the values of the problem and the order of contacts: those of a colour that have
// an impulse in `start` (rows) first, then those that are likely to close. Any order gives the same bits, but contacts that
// stay open should share their packs. rough: in single precision, eight contacts at a time, if all are those of rigid bodies.
vs_error vs_packed_create(const vs_impulse_problem *problem, vs_arena *arena, vs_packed **packed);
void vs_packed_load(vs_packed *s, const double *start, bool rough);

// From now on the contacts of y + alpha (l - centre) in place of y, until the next load; centre (rows) is borrowed.
void vs_packed_pull(vs_packed *s, double alpha, const double *centre);

// Begins at l (rows), without memory of earlier sweeps.
void vs_packed_begin(vs_packed *s, const double *l);
// One sweep with over-relaxation up to `most`, 0: plain, which is where an error is evaluated. Packs of open contacts, without
// impulses before and after their last visit, are passed over in seven of eight sweeps, unless `all` are to be visited.
void vs_packed_sweep(vs_packed *s, double most, bool all);
// After a plain sweep.
void vs_packed_extrapolate(vs_packed *s);
// l (rows) as it is; v is summed again from it, since it accumulates roundoff. Returns v.
const double *vs_packed_read(vs_packed *s, double *l);

#endif
