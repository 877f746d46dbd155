// Projection of the positions onto the joints by the coordinates of their tree, in time proportional to its bodies.
//
// As joint_projection.h has it: the least displacement in the mass metric after which the joints hold. The joints of the tree hold
// by construction. With the displacement x0 to poses that the tree can have, and x0 + S d after changes d of its coordinates,
//
//     minimise  1/2 (x0 + S d)'M (x0 + S d)    subject to    Psi + J S d = 0        J: the joints that close loops
//
// whose matrix S'M S is factored along the tree, without fill (Featherstone 2005). Further steps correct the closures alone.
#ifndef VS_BODY_TREE_PROJECTION_H
#define VS_BODY_TREE_PROJECTION_H

#include "body/world_data.h"

// *done: the joints hold, and *largest is the largest |Psi| (m, rad times 1 m), of joints of the tree a bound of their rounding.
// Otherwise no pose has changed: there is no such tree, it is too large for dense matrices, or its loops do not close.
vs_error vs_tree_project(vs_world *world, double tolerance, double *largest, bool *done);
void vs_tree_projection_release(vs_world *world);

#endif
