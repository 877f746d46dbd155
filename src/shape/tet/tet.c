// One tetrahedron: numbering of its sides and edges, volume, Jacobian.
//
//     straight   6 V = (x1 - x0) x (x2 - x0) . (x3 - x0)
//     10 nodes   x(L) = sum N_a(L) x_a with N = L (2 L - 1) at corners, 4 L_i L_j in the middle of edges; J = dx/dL is
//                linear, det J cubic, and the 5-point rule below integrates it exactly:  6 V = sum w det J
//
// The rule: degree 3 with 5 points (Keast 1986).
#include "shape/mesh_data.h"

#include <math.h>

const int VS_MESH_SIDE[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
const int VS_MESH_EDGE[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

int vs_mesh_tet_middle(int a, int b) {
    static const int middle[4][4] = {{-1, 4, 6, 7}, {4, -1, 5, 8}, {6, 5, -1, 9}, {7, 8, 9, -1}};
    return middle[a][b];
}

static double triple(vs_vec3 a, vs_vec3 b, vs_vec3 c) {
    return vs_dot(vs_cross(a, b), c);
}

double vs_mesh_tet_determinant(const vs_vec3 *vertex, const int *corner) {
    const vs_vec3 o = vertex[corner[0]];
    return triple(vs_subtract(vertex[corner[1]], o), vs_subtract(vertex[corner[2]], o),
                  vs_subtract(vertex[corner[3]], o));
}

double vs_mesh_tet_jacobian(const vs_vec3 *vertex, const int *element, const double at[4]) {
    // dx/dL_i for the four barycentric coordinates, about corner 0 to keep the digits of elements far from the origin.
    const vs_vec3 o = vertex[element[0]];
    vs_vec3 d[4] = {VS_ZERO3, VS_ZERO3, VS_ZERO3, VS_ZERO3};
    for (int i = 1; i < 4; i++)
        d[i] = vs_scale(4 * at[i] - 1, vs_subtract(vertex[element[i]], o));
    for (int k = 0; k < 6; k++) {
        const int i = VS_MESH_EDGE[k][0], j = VS_MESH_EDGE[k][1];
        const vs_vec3 x = vs_subtract(vertex[element[4 + k]], o);
        d[i] = vs_add_scaled(d[i], 4 * at[j], x);
        d[j] = vs_add_scaled(d[j], 4 * at[i], x);
    }
    return triple(vs_subtract(d[1], d[0]), vs_subtract(d[2], d[0]), vs_subtract(d[3], d[0]));
}

double vs_mesh_tet_volume(const vs_vec3 *vertex, const int *element, int nodes) {
    if (nodes == 4)
        return vs_mesh_tet_determinant(vertex, element) / 6;
    static const double centre[4] = {.25, .25, .25, .25};
    double sum = -.8 * vs_mesh_tet_jacobian(vertex, element, centre);
    for (int k = 0; k < 4; k++) {
        double at[4] = {1. / 6, 1. / 6, 1. / 6, 1. / 6};
        at[k] = .5;
        sum += .45 * vs_mesh_tet_jacobian(vertex, element, at);
    }
    return sum / 6;
}
