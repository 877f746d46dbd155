// Eigenvalues by Jacobi's method, nearest rotations by quaternions.
//
// Jacobi: plane rotations annihilate the off-diagonal entries in cyclic order until they are negligible against the
// diagonal (Golub and Van Loan, section 8.5). Slower than tridiagonalization for n = 30, but short, deterministic and
// accurate.
//
// Nearest rotation: R = argmax tr(R'F). As a function of the quaternion q of R, tr(R'F) = q'N q with a symmetric 4 x 4
// matrix N(F): q is the eigenvector of the largest eigenvalue (Davenport 1968; Horn 1987). Its gap to the next one is
// 2 (s2 + s3), with the singular values of F, s3 signed: no square of F is formed and nothing is divided by s3, hence
// flat and inverted F are no special cases. For deformations far from flat, nearly all of them, Newton's iteration
// R <- (R + R^-T)/2 (Higham 1986) is five times faster.
#include "element/eigen.h"

#include <assert.h>
#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "base/elementary.h"

enum {
    SWEEPS_MOST = 30, // about 8 are needed for n = 30; the limit is for NaN
    NEWTON_MOST = 12  // about 5 are needed
};

// Rotates rows and columns p < q so that A_pq = 0.
static void rotate_pair(int n, double *A, double *V, int p, int q) {
    double a = A[p * n + q];
    double ratio = (A[q * n + q] - A[p * n + p]) / (2 * a);
    double t = (ratio < 0 ? -1 : 1) / (fabs(ratio) + sqrt(1 + ratio * ratio));
    double c = 1 / sqrt(1 + t * t), s = t * c;
    for (int k = 0; k < n; k++) {
        double x = A[k * n + p], y = A[k * n + q];
        A[k * n + p] = c * x - s * y;
        A[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        double x = A[p * n + k], y = A[q * n + k];
        A[p * n + k] = c * x - s * y;
        A[q * n + k] = s * x + c * y;
    }
    A[p * n + q] = A[q * n + p] = 0;
    for (int k = 0; k < n; k++) {
        double x = V[k * n + p], y = V[k * n + q];
        V[k * n + p] = c * x - s * y;
        V[k * n + q] = s * x + c * y;
    }
}

void vs_symmetric_eigen(int n, double *A, double *value, double *V) {
    memset(V, 0, (size_t)(n * n) * sizeof *V);
    double largest = 0;
    for (int k = 0; k < n; k++)
        V[k * n + k] = 1;
    for (int k = 0; k < n * n; k++)
        largest = fmax(largest, fabs(A[k]));
    // Entries below this change no eigenvalue by more than roundoff of the largest.
    double small = .1 * DBL_EPSILON * largest;
    bool again = true;
    for (int sweep = 0; again && sweep < SWEEPS_MOST; sweep++) {
        again = false;
        for (int p = 0; p < n - 1; p++)
            for (int q = p + 1; q < n; q++)
                if (fabs(A[p * n + q]) > small) {
                    rotate_pair(n, A, V, p, q);
                    again = true;
                }
    }
    for (int k = 0; k < n; k++)
        value[k] = A[k * n + k];
}

void vs_semidefinite_part(int n, double *A, const double *scale) {
    assert(n <= VS_ELEMENT_ROWS_MOST);
    double work[VS_ELEMENT_ROWS_MOST * VS_ELEMENT_ROWS_MOST], V[VS_ELEMENT_ROWS_MOST * VS_ELEMENT_ROWS_MOST];
    double value[VS_ELEMENT_ROWS_MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = scale ? scale[i] * scale[j] : 1;
            work[i * n + j] = A[i * n + j] / s;
        }
    vs_symmetric_eigen(n, work, value, V);
    for (int k = 0; k < n; k++)
        value[k] = fmax(value[k], 0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += V[i * n + k] * value[k] * V[j * n + k];
            A[i * n + j] = A[j * n + i] = scale ? sum * scale[i] * scale[j] : sum;
        }
}

vs_quat vs_nearest_quaternion(const vs_mat3 *F) {
    const double *f = F->a;
    double xy = f[1] + f[3], xz = f[2] + f[6], yz = f[5] + f[7];
    double wx = f[7] - f[5], wy = f[2] - f[6], wz = f[3] - f[1];
    double N[16] = {f[0] + f[4] + f[8], wx, wy, wz, wx, f[0] - f[4] - f[8], xy, xz, wy, xy,
                    f[4] - f[0] - f[8], yz, wz, xz, yz, f[8] - f[0] - f[4]};
    double value[4], V[16];
    vs_symmetric_eigen(4, N, value, V);
    int best = 0;
    for (int k = 1; k < 4; k++)
        best = value[k] > value[best] ? k : best;
    return vs_quat_normalize((vs_quat){V[best], V[4 + best], V[8 + best], V[12 + best]});
}

// Newton's iteration from F scaled to det 1; false if F is nearly flat or inverted.
static bool polar_newton(const vs_mat3 *F, vs_mat3 *R) {
    double size = 0, det = vs_mat3_determinant(F);
    for (int k = 0; k < 9; k++)
        size += F->a[k] * F->a[k] / 3;
    if (!(det > .05 * size * sqrt(size)))
        return false;
    double scale = 1 / vs_cbrt(det);
    for (int k = 0; k < 9; k++)
        R->a[k] = scale * F->a[k];
    for (int n = 0; n < NEWTON_MOST; n++) {
        const double *a = R->a;
        const vs_vec3 r0 = {a[0], a[1], a[2]}, r1 = {a[3], a[4], a[5]}, r2 = {a[6], a[7], a[8]};
        const vs_vec3 c0 = vs_cross(r1, r2), c1 = vs_cross(r2, r0), c2 = vs_cross(r0, r1);
        const double cofactor[9] = {c0.x, c0.y, c0.z, c1.x, c1.y, c1.z, c2.x, c2.y, c2.z};
        double d = 1 / vs_dot(r0, c0), change = 0;
        for (int k = 0; k < 9; k++) {
            double step = .5 * (d * cofactor[k] - R->a[k]);
            R->a[k] += step;
            change += step * step;
        }
        if (change < 1e-17) // the error is now of the order of its square
            return true;
    }
    return false;
}

vs_mat3 vs_nearest_rotation(const vs_mat3 *F) {
    vs_mat3 R;
    return polar_newton(F, &R) ? R : vs_quat_matrix(vs_nearest_quaternion(F));
}
