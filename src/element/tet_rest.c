// Tetrahedra at rest: shape functions, gradients at the quadrature points, volume, mass.
//
// Shape functions of barycentric coordinates b and their gradients, with xi = (b_1, b_2, b_3) and J = dX/dxi:
//
//     4 nodes    N_i = b_i
//     10 nodes   N_i = b_i (2 b_i - 1) at the corners,  N_ij = 4 b_i b_j on the edges
//     dN/dX = J^-T dN/dxi
//
// Quadrature: 4 points of degree 2 for stiffness; 14 points of degree 5 with positive weights for the mass, whose
// integrand has degree 4 (Walkington 2000).
#include "element/tet_rest.h"

#include <string.h>

static const int EDGE[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};

static void shape_values(int nodes, const double b[4], double *N) {
    for (int i = 0; i < 4; i++)
        N[i] = nodes == 4 ? b[i] : b[i] * (2 * b[i] - 1);
    for (int e = 0; e < 6 && nodes == 10; e++)
        N[4 + e] = 4 * b[EDGE[e][0]] * b[EDGE[e][1]];
}

// d (nodes x 3): dN/dxi. b_0 = 1 - b_1 - b_2 - b_3 takes part in every derivative.
static void shape_slopes(int nodes, const double b[4], double *d) {
    double by_b[10][4] = {{0}};
    for (int i = 0; i < 4; i++)
        by_b[i][i] = nodes == 4 ? 1 : 4 * b[i] - 1;
    for (int e = 0; e < 6 && nodes == 10; e++) {
        by_b[4 + e][EDGE[e][0]] = 4 * b[EDGE[e][1]];
        by_b[4 + e][EDGE[e][1]] = 4 * b[EDGE[e][0]];
    }
    for (int i = 0; i < nodes; i++)
        for (int k = 0; k < 3; k++)
            d[3 * i + k] = by_b[i][k + 1] - by_b[i][0];
}

// Gradients g (nodes x 3) by X at b; returns det J, 6 times the volume of a straight element.
static double gradients(int nodes, const double *X, const double b[4], double *g) {
    double d[3 * VS_TET_NODES_MOST];
    shape_slopes(nodes, b, d);
    vs_mat3 J = vs_tet_deformation(nodes, d, X);
    double det = vs_mat3_determinant(&J);
    // rows of cof J over det J = J^-T
    const double *a = J.a;
    const vs_vec3 r0 = {a[0], a[1], a[2]}, r1 = {a[3], a[4], a[5]}, r2 = {a[6], a[7], a[8]};
    const vs_vec3 cof[3] = {vs_cross(r1, r2), vs_cross(r2, r0), vs_cross(r0, r1)};
    for (int i = 0; i < nodes; i++)
        for (int k = 0; k < 3; k++)
            g[3 * i + k] = vs_dot(cof[k], (vs_vec3){d[3 * i], d[3 * i + 1], d[3 * i + 2]}) / det;
    return det;
}

bool vs_tet_prepare(int nodes, const double *X, double *rest) {
    const double near = .58541019662496845446, far = .13819660112501051518; // (5 +- 3 sqrt 5, 5 - sqrt 5)/20
    int points = VS_TET_POINTS(nodes);
    memset(rest, 0, (size_t)VS_TET_REST(nodes) * sizeof *rest);
    for (int q = 0; q < points; q++) {
        double b[4], *at = rest + 1 + 3 * nodes + q * (1 + 3 * nodes);
        for (int i = 0; i < 4; i++)
            b[i] = points == 1 ? .25 : i == q ? near : far;
        double det = gradients(nodes, X, b, at + 1);
        if (!(det > 0))
            return false;
        at[0] = det / 6 / points;
        rest[0] += at[0];
        for (int k = 0; k < 3 * nodes; k++)
            rest[1 + k] += at[0] * at[1 + k];
    }
    for (int k = 0; k < 3 * nodes; k++)
        rest[1 + k] /= rest[0];
    return isfinite(rest[0]) && isfinite(1 / rest[0]);
}

// ---- mass ------------------------------------------------------------------------------------------

enum { MASS_POINTS = 14 };

// The k-th point of the rule of degree 5; returns its weight, of a sum of 1.
static double mass_point(int k, double b[4]) {
    static const double a[3] = {.31088591926330060980, .092735250310891226402, .045503704125649649492};
    static const double weight[3] = {.11268792571801585080, .073493043116361949544, .042546020777081466438};
    int orbit = k < 4 ? 0 : k < 8 ? 1 : 2;
    for (int i = 0; i < 4; i++)
        b[i] = a[orbit];
    if (orbit < 2)
        b[k % 4] = 1 - 3 * a[orbit];
    else
        b[EDGE[k - 8][0]] = b[EDGE[k - 8][1]] = .5 - a[orbit];
    return weight[orbit];
}

double vs_tet_volume(int nodes, const double *X) {
    double sum = 0;
    for (int k = 0; k < MASS_POINTS; k++) {
        double b[4], g[3 * VS_TET_NODES_MOST], weight = mass_point(k, b);
        sum += weight / 6 * gradients(nodes, X, b, g);
    }
    return sum;
}

void vs_tet_mass(int nodes, const double *X, double density, double *M) {
    memset(M, 0, (size_t)(nodes * nodes) * sizeof *M);
    for (int k = 0; k < MASS_POINTS; k++) {
        double b[4], N[VS_TET_NODES_MOST], g[3 * VS_TET_NODES_MOST], weight = mass_point(k, b);
        double mass = density * weight / 6 * gradients(nodes, X, b, g);
        shape_values(nodes, b, N);
        for (int i = 0; i < nodes; i++)
            for (int j = 0; j < nodes; j++)
                M[i * nodes + j] += mass * (N[i] * N[j]);
    }
}

void vs_tet_mass_lumped(int nodes, const double *X, double density, double *m) {
    double M[VS_TET_NODES_MOST * VS_TET_NODES_MOST], total = density * vs_tet_volume(nodes, X), sum = 0;
    vs_tet_mass(nodes, X, density, M);
    for (int i = 0; i < nodes; i++)
        sum += M[i * nodes + i];
    for (int i = 0; i < nodes; i++)
        m[i] = total * (M[i * nodes + i] / sum);
}

// ---- state at a point ------------------------------------------------------------------------------

vs_mat3 vs_tet_gradient(int nodes, const double *X, const double *x, const double b[4]) {
    double g[3 * VS_TET_NODES_MOST];
    gradients(nodes, X, b, g);
    return vs_tet_deformation(nodes, g, x);
}

bool vs_tet_stress(int nodes, const double *X, const double *x, const vs_elastic *elastic, const double b[4],
                   double strain[6], double stress[6]) {
    vs_mat3 F = vs_tet_gradient(nodes, X, x, b);
    vs_green_strain(&F, strain);
    return vs_elastic_cauchy(elastic, &F, stress);
}
