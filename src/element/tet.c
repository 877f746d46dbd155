// Hyperelastic tetrahedra: sums over the quadrature points (see tet.h).
//
//     W = sum w psi(F),   f_i = -sum w P g_i,   K_ij = sum w g_i . C . g_j,   F = sum x_i g_i'
#include "element/tet.h"

#include "element/tet_corotational.h"

#include <assert.h>
#include <string.h>

static void add_force(int nodes, const double *g, double weight, const vs_mat3 *P, double *force) {
    for (int i = 0; i < nodes; i++)
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                force[3 * i + r] -= weight * P->a[3 * r + c] * g[3 * i + c];
}

// Lower triangle of K += w B'C B with B = dF/dx: row (r, c) of F takes g_i[c] of x_i[r].
static void add_tangent(int nodes, const double *g, double weight, const double C[81], double *K) {
    int n = 3 * nodes;
    for (int j = 0; j < nodes; j++)
        for (int s = 0; s < 3; s++) {
            double column[9]; // w C B e_(j,s)
            for (int k = 0; k < 9; k++)
                column[k] = weight * (C[9 * k + 3 * s] * g[3 * j] + C[9 * k + 3 * s + 1] * g[3 * j + 1] +
                                      C[9 * k + 3 * s + 2] * g[3 * j + 2]);
            for (int i = j; i < nodes; i++)
                for (int r = 0; r < 3; r++)
                    K[(3 * i + r) * n + 3 * j + s] +=
                        column[3 * r] * g[3 * i] + column[3 * r + 1] * g[3 * i + 1] + column[3 * r + 2] * g[3 * i + 2];
        }
}

// The upper triangle from the lower one: symmetric to the last bit.
static void mirror(int n, double *K) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            K[j * n + i] = K[i * n + j];
}

void vs_tet_evaluate(int nodes, const double *rest, const double *x, const vs_elastic *elastic, vs_tangent_kind kind,
                     const vs_element_output *out) {
    assert(nodes == 4 || nodes == 10);
    if (elastic->law == VS_ELASTIC_COROTATIONAL) {
        vs_tet_corotational(nodes, rest, x, elastic, kind, out);
        return;
    }
    int n = 3 * nodes;
    if (out->energy)
        *out->energy = 0;
    if (out->force)
        memset(out->force, 0, (size_t)n * sizeof(double));
    if (out->tangent)
        memset(out->tangent, 0, (size_t)(n * n) * sizeof(double));
    for (int q = 0; q < VS_TET_POINTS(nodes); q++) {
        double weight;
        const double *g = vs_tet_point(nodes, rest, q, &weight);
        vs_mat3 F = vs_tet_deformation(nodes, g, x);
        if (out->energy)
            *out->energy += weight * vs_elastic_energy(elastic, &F);
        if (out->force) {
            vs_mat3 P = vs_elastic_stress(elastic, &F);
            add_force(nodes, g, weight, &P, out->force);
        }
        if (out->tangent) {
            double C[81];
            vs_elastic_tangent(elastic, &F, kind, C);
            add_tangent(nodes, g, weight, C, out->tangent);
        }
    }
    if (out->tangent)
        mirror(n, out->tangent);
}
