// Velocities, projection and error of one island: see island.h.
#include "solver/impulse/island.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "cone/cone.h"
#include "measure/residual.h"

static void add_compliance(const vs_island *island, const double *x, double *y) {
    for (int g = 0; g < island->groups && island->epsilon > 0; g++)
        for (int k = island->N.row[g]; k < island->N.row[g + 1] && island->law[g] != VS_LAW_FREE; k++)
            y[k] += island->epsilon * x[k];
}

void vs_island_multiply(const vs_island *island, const double *x, double *y) {
    vs_rows_multiply(&island->N, 1, x, 0, y, island->context);
    add_compliance(island, x, y);
}

void vs_island_velocities(const vs_island *island, const double *l, double *y) {
    memcpy(y, island->r, sizeof(double) * (size_t)island->rows);
    vs_rows_multiply(&island->N, 1, l, 1, y, island->context);
    add_compliance(island, l, y);
}

vs_law vs_law_of(const vs_scaled *problem, int group) {
    if (group < problem->m_e)
        return VS_LAW_FREE;
    switch (problem->kind[group - problem->m_e]) {
    case VS_CONE_NONNEG:
        return VS_LAW_NONNEG;
    case VS_CONE_BOX:
        return VS_LAW_BOX;
    default:
        return VS_LAW_FRICTION;
    }
}

void vs_law_project(vs_law law, double mu, double lo, double hi, double *x) {
    switch (law) {
    case VS_LAW_FREE:
        break;
    case VS_LAW_NONNEG:
        x[0] = fmax(x[0], 0);
        break;
    case VS_LAW_BOX:
        x[0] = fmin(fmax(x[0], lo), hi);
        break;
    case VS_LAW_FRICTION:
        vs_friction_project(mu, x, x);
    }
}

void vs_island_project(const vs_island *island, double *l) {
    for (int g = 0; g < island->groups; g++)
        vs_law_project(island->law[g], island->mu[g], island->lo[g], island->hi[g], l + island->N.row[g]);
}

// |l - P(l - s ybar)|^2 of a group
static double natural_squared(const vs_island *island, int g, const double *l, const double *ybar, double s) {
    double natural;
    switch (island->law[g]) {
    case VS_LAW_FREE:
        natural = ybar[0] * s;
        break;
    case VS_LAW_NONNEG:
        natural = vs_row_natural(l[0], ybar[0] * s, 0, INFINITY);
        break;
    case VS_LAW_BOX:
        natural = vs_row_natural(l[0], ybar[0] * s, island->lo[g], island->hi[g]);
        break;
    default:
        return vs_friction_natural_squared(island->mu[g], l, ybar, s);
    }
    return natural * natural;
}

double vs_island_error(const vs_island *island, bool both, const double *l, const double *y) {
    double energy = 0, natural = 0, l2 = 0, y2 = 0;
    for (int g = 0; g < island->groups; g++, l += 1, y += 1) {
        bool friction = island->law[g] == VS_LAW_FRICTION;
        double ybar[3] = {y[0], 0, 0}, l_squared = l[0] * l[0], y_squared = y[0] * y[0];
        if (friction) {
            double slip_squared = y[1] * y[1] + y[2] * y[2];
            ybar[0] += island->mu[g] * sqrt(slip_squared);
            ybar[1] = y[1];
            ybar[2] = y[2];
            l_squared += l[1] * l[1] + l[2] * l[2];
            y_squared += slip_squared;
        }
        energy += .5 * natural_squared(island, g, l, ybar, 1);
        if (both) {
            // in the user's units: impulses l u, velocities y w
            double u = island->unit_l[g], w = island->unit_y[g];
            natural += u * u * natural_squared(island, g, l, ybar, w / u);
            l2 += island->law[g] != VS_LAW_FREE ? u * u * l_squared : 0;
            y2 += w * w * y_squared;
        }
        if (friction) // three rows
            l += 2, y += 2;
    }
    double size = fmax(island->free_norm, sqrt(fmax(l2, y2)));
    double error = fmax(sqrt(energy), both && size > 0 ? sqrt(natural) / size : 0);
    return isfinite(energy + natural) ? error / sqrt(island->share) : INFINITY;
}

double vs_island_rounding(const vs_island *island, bool both, const double *l) {
    const vs_rows *N = &island->N;
    double energy = 0, natural = 0, l2 = 0;
    for (int g = 0; g < island->groups; g++) {
        int64_t width = N->start[g + 1] - N->start[g];
        for (int row = N->row[g]; row < N->row[g + 1]; row++) {
            const double *x = N->x + N->value[g] + (row - N->row[g]) * width;
            double sum = fabs(island->r[row]);
            for (int64_t k = 0; k < width; k++)
                sum += fabs(x[k] * l[N->col[N->start[g] + k]]);
            double u = island->unit_y[g] * sum, size = island->unit_l[g] * l[row];
            energy += .5 * sum * sum;
            natural += u * u;
            l2 += island->law[g] == VS_LAW_FREE ? 0 : size * size;
        }
    }
    double size = fmax(island->free_norm, sqrt(l2));
    double error = fmax(sqrt(energy), both && size > 0 ? sqrt(natural) / size : 0);
    return DBL_EPSILON * error / sqrt(island->share);
}
