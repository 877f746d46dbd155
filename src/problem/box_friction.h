// Box friction: the problem in which every cone |l_T| <= mu l_n is replaced by bounds from known normal impulses,
// |l_u| <= mu l_n and |l_w| <= mu l_n separately (Enzenhöfer et al.: from the previous step). It is a
// mixed linear complementarity problem that every solver and every measure accepts.
#ifndef VS_PROBLEM_BOX_FRICTION_H
#define VS_PROBLEM_BOX_FRICTION_H

#include "voussoir/problem.h"

// lambda (m): impulses in the problem's rows, of which only the normal ones of friction contacts are read; negative
// ones count as zero. A friction contact becomes two contacts of `boxed`, a frictionless one (its key, its compliance)
// and a box of its other rows (no key). Rows keep their order, so that impulses and velocities of both problems are the same
// vectors; everything else is copied. Made with the problem's context.
vs_error vs_problem_box_friction(const vs_problem *problem, const double *lambda, vs_problem **boxed);

#endif
