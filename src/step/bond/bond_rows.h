// What bonds add to the problem of a step (bonds.h): the pull h s p along the normal, to the momentum, and the friction q with
// |q| <= h s c', as a friction contact of coefficient 1 of which the normal row has no columns,
//
//     y_n = E l_n - b,   b = E h s c',   0 <= l_n complementary to y_n >= 0:     l_n = h s c'
//
// for any E > 0; taken is the inverse mass of the two bodies. By the relaxed model y_n >= |y_T|: l_n is larger by |y_T|/E while it
// slides.
#ifndef VS_STEP_BOND_ROWS_H
#define VS_STEP_BOND_ROWS_H

#include "step/bond/bonds.h"
#include "step/rows/step_view.h"

// Adds a group of kind VS_GROUP_BOND for each bond with c' > 0 that holds.
vs_error vs_bond_rows_add(const vs_bonds *bonds, const vs_step_view *view);
// Adds the pull to the momentum c (n).
void vs_bond_rows_add_pull(const vs_bonds *bonds, const vs_world *world, const vs_blocks *blocks, const vs_kick *kick,
                           double *c);

// Adds the work that a step did against bonds, and that which prescribed motion did by the pull. The friction of groups with
// prescribed motion: energy_account.c.
void vs_bond_rows_account(vs_bonds *bonds, const vs_step_view *step, vs_energy_flow *flow);

#endif
