// Tetrahedra with 4 nodes (linear) and 10 nodes (quadratic), 3 displacements per node.
//
// Nodes: 4 corners with positive volume, (x1-x0) x (x2-x0) . (x3-x0) > 0; then the edges 01, 12, 02, 03, 13, 23 (VTK's
// order; gmsh exchanges the last two). Arrays of nodes: x (3 nodes), node by node.
// Quadrature: 1 point (4 nodes, exact), 4 points (10 nodes: exact for the linear stiffness of straight elements, keeps
// the order of convergence for the others, and leaves no mode without stiffness: 4 x 6 strains for 30 - 6 modes).
//
// Forms, by elastic->law:
//
//     corotational  W = 1/2 u'K u with u = R'x - X and one rotation R per element, nearest to its mean deformation
//                   gradient. The force is the exact gradient, including the change of R: no spurious moments.
//                   Semidefinite tangent: R K R', which drops all terms from the change of R.
//     St. Venant,   W = sum of weight psi(F) over the points.
//     neo-Hookean   Semidefinite tangent: dP/dF projected at each point.
//
// 4-node tetrahedra lock: far too stiff in bending, and for Poisson's ratios near 0.5. Use 10 nodes for these.
#ifndef VS_ELEMENT_TET_H
#define VS_ELEMENT_TET_H

#include "element/tet_rest.h"

// Energy, force (3 nodes) and tangent (3 nodes x 3 nodes) at positions x. Defined for every x, also inverted.
void vs_tet_evaluate(int nodes, const double *rest, const double *x, const vs_elastic *elastic, vs_tangent_kind kind,
                     const vs_element_output *out);

#endif
