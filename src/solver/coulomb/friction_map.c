// Residual and derivative of the friction law: see friction_map.h. Where a map has a kink, one of the limits of its
// derivative is taken; at y_T = 0 the derivative of |y_T| is taken as zero, which lies between them.
#include "solver/coulomb/friction_map.h"

#include <math.h>
#include <string.h>

// F = l - P(z), dz = dl - By dy: A = 1 - dP, B = dP By.
static void from_projection(const double *dP, const double *By, double *A, double *B) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += dP[3 * i + k] * By[3 * k + j];
            B[3 * i + j] = sum;
            A[3 * i + j] = (i == j) - dP[3 * i + j];
        }
}

// dP = ray ray' + radius/|z_T| (0, e_perp)(0, e_perp)', ray = (c, s e)
static void differentiate_cone(const double *z, double t, double k, double c, double s, double *dP) {
    double ex = z[1] / t, ey = z[2] / t, ray[3] = {c, s * ex, s * ey}, round = k * s / t;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            dP[3 * i + j] = ray[i] * ray[j];
    dP[4] += round * ey * ey;
    dP[5] -= round * ex * ey;
    dP[7] -= round * ex * ey;
    dP[8] += round * ex * ex;
}

static void natural_map(double mu, const double *l, const double *y, double *F, double *A, double *B) {
    double slip = sqrt(y[1] * y[1] + y[2] * y[2]);
    double z[3] = {l[0] - y[0] - mu * slip, l[1] - y[1], l[2] - y[2]};
    double t = sqrt(z[1] * z[1] + z[2] * z[2]);
    double dP[9] = {0};
    if (mu * t <= -z[0]) {
        memcpy(F, l, 3 * sizeof *F);
    } else if (t <= mu * z[0]) {
        dP[0] = dP[4] = dP[8] = 1;
        F[0] = y[0] + mu * slip;
        F[1] = y[1];
        F[2] = y[2];
    } else {
        double h = sqrt(1 + mu * mu), c = 1 / h, s = mu / h, k = c * z[0] + s * t;
        F[0] = l[0] - k * c;
        F[1] = l[1] - k * s * z[1] / t;
        F[2] = l[2] - k * s * z[2] / t;
        if (A)
            differentiate_cone(z, t, k, c, s, dP);
    }
    if (!A)
        return;
    double by = slip > 0 ? mu / slip : 0;
    const double By[9] = {1, by * y[1], by * y[2], 0, 1, 0, 0, 0, 1};
    from_projection(dP, By, A, B);
}

static void alart_curnier(double mu, const double *l, const double *y, double *F, double *A, double *B) {
    double zn = l[0] - y[0], z1 = l[1] - y[1], z2 = l[2] - y[2], t = sqrt(z1 * z1 + z2 * z2), radius = mu * zn;
    double dP[9] = {0};
    if (zn <= 0) {
        memcpy(F, l, 3 * sizeof *F);
    } else {
        F[0] = y[0];
        dP[0] = 1;
        if (t <= radius) {
            F[1] = y[1];
            F[2] = y[2];
            dP[4] = dP[8] = 1;
        } else {
            double ex = z1 / t, ey = z2 / t, round = radius / t;
            F[1] = l[1] - radius * ex;
            F[2] = l[2] - radius * ey;
            dP[3] = mu * ex;
            dP[6] = mu * ey;
            dP[4] = round * ey * ey;
            dP[5] = dP[7] = -round * ex * ey;
            dP[8] = round * ex * ex;
        }
    }
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (A)
        from_projection(dP, one, A, B);
}

// l - P(l - y) on [lo, hi]
static void row_map(double lo, double hi, double l, double y, double *F, double *A, double *B) {
    double z = l - y;
    bool between = z > lo && z < hi;
    *F = between ? y : l - (z <= lo ? lo : hi);
    if (A) {
        *A = !between;
        *B = between;
    }
}

double vs_friction_map_evaluate(const vs_impulse_problem *island, vs_friction_map map, const double *l, const double *y,
                                double *F, double *A, double *B) {
    double sum = 0;
    for (int g = 0; g < island->groups; g++) {
        int row = island->row[g], rows = 1;
        double *a = A ? A + 9 * (int64_t)g : NULL, *b = A ? B + 9 * (int64_t)g : NULL;
        switch (island->law[g]) {
        case VS_LAW_FREE:
            row_map(-INFINITY, INFINITY, l[row], y[row], F + row, a, b);
            break;
        case VS_LAW_NONNEG:
            row_map(0, INFINITY, l[row], y[row], F + row, a, b);
            break;
        case VS_LAW_BOX:
            row_map(island->lo[g], island->hi[g], l[row], y[row], F + row, a, b);
            break;
        case VS_LAW_FRICTION:
            rows = 3;
            (map == VS_FRICTION_MAP_NATURAL ? natural_map : alart_curnier)(island->mu[g], l + row, y + row, F + row, a,
                                                                           b);
        }
        for (int k = row; k < row + rows; k++)
            sum += F[k] * F[k];
    }
    return sum;
}
