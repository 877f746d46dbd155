// Rest data of tetrahedra: volume, gradients of the shape functions, quadrature weights, mass.
#ifndef VS_ELEMENT_TET_REST_H
#define VS_ELEMENT_TET_REST_H

#include "element/elastic.h"

// Doubles of the rest data: volume, mean gradients (3 nodes), then weight and gradients of each point.
#define VS_TET_POINTS(nodes) ((nodes) == 4 ? 1 : 4)
#define VS_TET_REST(nodes) (1 + 3 * (nodes) + VS_TET_POINTS(nodes) * (1 + 3 * (nodes)))
enum { VS_TET_NODES_MOST = 10, VS_TET_REST_MOST = 155 };

// Rest data (VS_TET_REST(nodes)) of the rest positions X; nodes 4 or 10. False if the element is flat or inverted (at
// any point): its data is then unusable.
bool vs_tet_prepare(int nodes, const double *X, double *rest);

double vs_tet_volume(int nodes, const double *X); // m^3, negative if inverted
// Consistent mass: M (nodes x nodes), kg, the same for each of the three directions. Exact for straight elements.
void vs_tet_mass(int nodes, const double *X, double density, double *M);
// Lumped mass m (nodes), kg, all positive: equal parts (4 nodes), or the consistent diagonal scaled to the total
// (10 nodes; Hinton, Rock, Zienkiewicz 1976: plain row sums are negative at the corners).
void vs_tet_mass_lumped(int nodes, const double *X, double density, double *m);

// Deformation gradient at barycentric coordinates b (4), sum 1.
vs_mat3 vs_tet_gradient(int nodes, const double *X, const double *x, const double b[4]);
// Green's strain and Cauchy stress there (order xx, yy, zz, yz, xz, xy). False and zero stress if inverted.
bool vs_tet_stress(int nodes, const double *X, const double *x, const vs_elastic *elastic, const double b[4],
                   double strain[6], double stress[6]);

// Deformation gradient of gradients g (nodes x 3): sum of (x_i - x_0) g_i'. Differences first, because the gradients
// sum up to zero: nothing is lost far from the origin.
static inline vs_mat3 vs_tet_deformation(int nodes, const double *g, const double *x) {
    vs_mat3 F = {{0}};
    for (int i = 1; i < nodes; i++)
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                F.a[3 * r + c] += (x[3 * i + r] - x[r]) * g[3 * i + c];
    return F;
}

// Views of the rest data.
static inline const double *vs_tet_mean(const double *rest) { // (nodes x 3)
    return rest + 1;
}
static inline const double *vs_tet_point(int nodes, const double *rest, int point, double *weight) { // (nodes x 3)
    const double *at = rest + 1 + 3 * nodes + point * (1 + 3 * nodes);
    *weight = at[0];
    return at + 1;
}

#endif
