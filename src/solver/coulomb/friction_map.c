// Residual and derivative of the friction law: see friction_map.h. Where a map has a kink, one of the limits of its
// derivative is taken; at y_T = 0 the derivative of |y_T| is taken as zero, which lies between them.
#include "solver/coulomb/friction_map.h"

#include <math.h>
#include <string.h>

#include "solver/impulse/one_rolling.h"

// A block of a derivative: values at p + ld row + column.
typedef struct block {
    double *p; // null: none is wanted
    int ld;
} block;

// F = l - P(z), dz = dl - By dy: A = 1 - dP, B = dP By.
static inline void from_projection(const double *dP, const double *By, block A, block B) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += dP[3 * i + k] * By[3 * k + j];
            B.p[B.ld * i + j] = sum;
            A.p[A.ld * i + j] = (i == j) - dP[3 * i + j];
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

static void natural_map(double mu, const double *l, const double *y, double *F, block A, block B) {
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
        if (A.p)
            differentiate_cone(z, t, k, c, s, dP);
    }
    if (!A.p)
        return;
    double by = slip > 0 ? mu / slip : 0;
    const double By[9] = {1, by * y[1], by * y[2], 0, 1, 0, 0, 0, 1};
    from_projection(dP, By, A, B);
}

static void alart_curnier(double mu, const double *l, const double *y, double *F, block A, block B) {
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
    if (A.p)
        from_projection(dP, one, A, B);
}

// The discs of Alart-Curnier, whose radii grow with l_n - y_n.
static void alart_curnier_discs(const vs_discs *d, const double *l, const double *y, double *F, block A, block B) {
    double normal = l[0] - y[0];
    int rows = d->rows;
    for (int i = 0; i < rows && A.p; i++)
        for (int j = 0; j < rows; j++) {
            A.p[A.ld * i + j] = i == j;
            B.p[B.ld * i + j] = 0;
        }
    memcpy(F, l, sizeof(double) * (size_t)rows);
    if (normal <= 0)
        return;
    F[0] = y[0];
    if (A.p) {
        A.p[0] = 0;
        B.p[0] = 1;
    }
    for (int k = 0; k < VS_DISC_COUNT; k++) {
        int first, size = vs_discs_range(d, k, &first);
        double z[VS_DISCS_ROWS] = {0}, radius = d->mu[k] * normal;
        for (int i = 0; i < size; i++)
            z[i] = l[first + i] - y[first + i];
        double length = vs_disc_length(size, z), round = radius / length;
        bool stuck = length <= radius;
        for (int i = 0; i < size; i++) {
            F[first + i] = stuck ? y[first + i] : l[first + i] - round * z[i];
            for (int j = 0; j < size && A.p; j++) {
                double part = stuck ? i == j : round * ((i == j) - z[i] * z[j] / (length * length));
                A.p[A.ld * (first + i) + first + j] -= part;
                B.p[B.ld * (first + i) + first + j] = part;
            }
            if (A.p && !stuck) {
                A.p[A.ld * (first + i)] = -d->mu[k] * z[i] / length;
                B.p[B.ld * (first + i)] = d->mu[k] * z[i] / length;
            }
        }
    }
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
        int row = island->row[g], rows = 1, ld = island->ld;
        double *a = A ? A + vs_impulse_block(island, g) : NULL, *b = A ? B + vs_impulse_block(island, g) : NULL;
        const block block_a = {a, ld}, block_b = {b, ld};
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
            (map == VS_FRICTION_MAP_NATURAL ? natural_map : alart_curnier)(island->mu[g], l + row, y + row, F + row,
                                                                           block_a, block_b);
            break;
        case VS_LAW_ROLLING:
            rows = island->discs[g].rows;
            if (map == VS_FRICTION_MAP_NATURAL)
                vs_rolling_map(&island->discs[g], true, l + row, y + row, F + row, a, b, ld);
            else
                alart_curnier_discs(&island->discs[g], l + row, y + row, F + row, block_a, block_b);
        }
        for (int k = row; k < row + rows; k++)
            sum += F[k] * F[k];
    }
    return sum;
}
