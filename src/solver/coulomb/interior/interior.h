// One centre of the proximal point method, solved by an interior point method.
//
// In masonry that moves, most contacts are far from changing their state: bricks slide or part at speeds that are thousands of times
// larger than the error, or they stick, with a velocity of the size of the error. What is left is to find impulses within the
// cones that bring the stuck contacts to rest. They may have to be redistributed by per cents, which changes the states of a
// tenth of the contacts: Newton's method on a friction map takes these one after the other, an interior point method all
// at once. From the best iterate, with the centre c there:
//
//     sliding       l_T = -mu l_0 y_T/|y_T|,    l_0 >= 0, y_0 >= 0, l_0 y_0 = tau
//     undecided     l in K, x in K*, l o x = tau e,    x = y + (s, 0, 0)
//     all           y = N l + r + alpha (l - c)
//
// tau falls to zero, alpha such that alpha |l - c| is a share of the tolerance; where l goes too far for that, a second attempt lets
// the centre follow the iterate. The undecided contacts are those that slip little; their s = mu |y_T|, of the size of the error, is
// kept, and taken anew where little else is left of the error. So there are no folds as on the central path of the exact law, and
// no cone along whose border a sliding contact would have to turn. Sliding contacts whose velocity is lost become undecided.
#ifndef VS_SOLVER_COULOMB_INTERIOR_INTERIOR_H
#define VS_SOLVER_COULOMB_INTERIOR_INTERIOR_H

#include "solver/coulomb/interior/interior_data.h"

// From the best iterate, at most so many iterations of one factorization each.
vs_stage_end vs_interior_solve(vs_interior *in, int iterations, vs_progress *progress);

#endif
