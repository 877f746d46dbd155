// Rows of contacts, in axes d = n, u, w:
//
//     friction 3 rows, without 1      D = [-J_a, J_b] along d         (point_jacobian.h)
//     rolling 2 more, spinning 1      D = [-R_a'd, R_b'd]             relative angular velocity along u, w; along n
//     normal row                      b = -s e u_old                  closes faster than v_min within the step; by
//                                                                     Moreau's law the tangential rows, too; for
//                                                                     shake see set_impact()
//                                     b = -max(gap/h, -v_rec)         otherwise
//
// The factor s is 1, but less where an impact would create energy (impact_guard.h). In the stages of rattle (rattle.h) only an
// impact has restitution; at the end of a step b = 0; a compliant contact has a force by the mean position, as springs
// have.
// With a grain, u is along it, and w is stretched by across/mu: in d = n, u, w (across/mu) the ellipse of friction is a circle of
// mu, and impulses along these axes are as they are, velocities times the stretch.
// Rolling and spinning friction are for single points: a face of three or more resists by its corners already.
//
// Adhesion p of a closed contact is a shift: with l + t p in the place of l, t the length of the kick, the law is that
// without adhesion, and t p pulls on the bodies as a load does. Impulses of the problem are shifted ones.
//
// Bodies with prescribed motion have no columns: their velocity goes to the right-hand side, as does that of moving
// surfaces.
#ifndef VS_STEP_CONTACT_ROWS_H
#define VS_STEP_CONTACT_ROWS_H

#include "step/rows/contact_site.h"

// m, of the smaller of the two colliders.
double vs_contact_size(const vs_world *world, const vs_contact *contact);
// Adds those between rigid bodies.
vs_error vs_contact_rows_add(vs_contact_rows *rows, const vs_step_view *view, const vs_contacts *contacts);

// Adds the pull of adhesion to the momentum c (n): c + D_n'(shift).
void vs_contact_rows_add_adhesion(const vs_contact_rows *rows, const vs_row_groups *groups, const vs_blocks *blocks,
                                  double *c);

#endif
