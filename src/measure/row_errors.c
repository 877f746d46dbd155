// Errors of single contacts, rows and joints: see row_errors.h.
#include "measure/row_errors.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "measure/residual.h"

// Of a product or a sum, relative.
static const double UNIT_ROUNDOFF = 0.5 * DBL_EPSILON;

void vs_shift_velocity(vs_model model, double mu, const double *y, double *ybar) {
    ybar[0] = model == VS_MODEL_EXACT ? y[0] + mu * vs_hypot(y[1], y[2]) : y[0];
    ybar[1] = y[1];
    ybar[2] = y[2];
}

static double entry(const double *x, int k) {
    return x ? x[k] : 0.0;
}

// What rounding of the impulses l of a group, null: none, leaves in the velocity of its row k, over a and in units of
// 1 / unit.
static double rounding_of_row(const vs_row_sizes *size, int group, int rows, int k, const double *l, double a,
                              double unit) {
    const double *S = size->x + size->first[group] + (int64_t)k * rows;
    double sum = 0.0;
    for (int i = 0; l && i < rows; i++)
        sum += S[i] / a * fabs(l[i] * unit);
    return UNIT_ROUNDOFF * sum;
}

// Square of what it leaves in the natural map of a friction contact, and its work with the impulses. With exact friction the
// shift mu |y_T| is wrong by mu times the error of the velocity, but the projection moves by no more than the distance of l
// to the boundary of the cone.
static double rounding_squared(const vs_mass_model *mass, int i, double mu, const double *l, double *work) {
    double square = 0.0;
    if (l[0] == 0.0 && l[1] == 0.0 && l[2] == 0.0)
        return 0.0;
    for (int k = 0; k < 3; k++) {
        double of_row = rounding_of_row(&mass->scale.size, i, 3, k, l, mass->scale.contact[i], 1.0);
        square += of_row * of_row;
        *work += of_row * fabs(l[k]);
    }
    double r = sqrt(square);
    if (mass->friction == VS_MODEL_EXACT && mu > 0.0) {
        double inside = fmax(0.0, l[0] - vs_hypot(l[1], l[2]) / mu) * (mu / vs_hypot(1.0, mu));
        r += fmin(mu * r, inside);
    }
    return r * r;
}

// A friction contact i: energy and work in the island's unit u, the natural map in the unit `norm`.
vs_row_errors vs_row_errors_friction(const vs_mass_model *mass, int i, const vs_evaluated *e, double u, double norm,
                                     double *sum) {
    int begin = mass->problem->row[i];
    double mu = vs_mass_model_friction(mass, i), root = sqrt(mass->scale.contact[i]), ybar[3], l[3], y[3];
    vs_shift_velocity(mass->friction, mu, e->y + begin, ybar);
    for (int k = 0; k < 3; k++) {
        l[k] = entry(e->l, begin + k) * (root / u);
        y[k] = ybar[k] / root / u;
        sum[VS_SUM_WORK] += l[k] * y[k];
        sum[VS_SUM_IMPULSES] += l[k] * l[k];
    }
    vs_row_errors own = {.energy = 0.5 * vs_friction_natural_squared(mu, l, y, 1.0)};
    own.rounding = 0.5 * rounding_squared(mass, i, mu, l, &own.work);
    sum[VS_SUM_ENERGY] += own.energy;
    sum[VS_SUM_ROUNDING] += own.rounding;
    for (int k = 0; k < 3; k++) {
        l[k] = entry(e->l, begin + k) / norm;
        y[k] = ybar[k] / norm;
    }
    sum[VS_SUM_MAP] += vs_friction_natural_squared(mu, l, y, 1.0);
    return own;
}

// A contact i with rolling or spinning friction: the same with a of each row, rotational rows scaled to lengths.
vs_row_errors vs_row_errors_rolling(const vs_mass_model *mass, int i, const vs_evaluated *e, double u, double norm,
                                    double *sum) {
    int begin = mass->problem->row[i];
    double ell[VS_DISCS_ROWS], l[VS_DISCS_ROWS] = {0}, y[VS_DISCS_ROWS] = {0}, ybar[VS_DISCS_ROWS],
                               rounding[VS_DISCS_ROWS] = {0};
    vs_discs d = vs_mass_model_discs(mass, i, ell);
    double root = sqrt(mass->scale.contact[i]), square = 0.0;
    vs_row_errors own = {0};
    for (int k = 0; k < d.rows; k++) {
        l[k] = entry(e->l, begin + k) / ell[k];
        y[k] = e->y[begin + k] * ell[k];
    }
    memcpy(ybar, y, sizeof ybar);
    ybar[0] += mass->friction == VS_MODEL_EXACT ? vs_discs_slip(&d, y) : 0.0;
    for (int k = 0; k < d.rows; k++) {
        const double *S = mass->scale.size.x + mass->scale.size.first[i] + (int64_t)k * d.rows;
        rounding[k] = 0.0;
        for (int j = 0; j < d.rows; j++) // S l of the rows as they are, then to lengths and to a root of energy
            rounding[k] += S[j] * fabs(entry(e->l, begin + j));
        rounding[k] *= UNIT_ROUNDOFF * ell[k] / root / u;
        square += rounding[k] * rounding[k];
        own.work += rounding[k] * fabs(l[k] * (root / u));
        y[k] = ybar[k] / root / u;
        sum[VS_SUM_WORK] += l[k] * (root / u) * y[k];
        sum[VS_SUM_IMPULSES] += l[k] * (root / u) * (l[k] * (root / u));
    }
    double scaled[VS_DISCS_ROWS] = {0};
    for (int k = 0; k < d.rows; k++)
        scaled[k] = l[k] * (root / u);
    own.energy = 0.5 * vs_discs_natural_squared(&d, scaled, y, 1.0);
    sum[VS_SUM_ENERGY] += own.energy;
    // The shift of exact friction errs by the slip of the roundings.
    if (mass->friction == VS_MODEL_EXACT)
        square += vs_pow(vs_discs_slip(&d, rounding), 2);
    own.rounding = 0.5 * square;
    sum[VS_SUM_ROUNDING] += own.rounding;
    for (int k = 0; k < d.rows; k++) {
        l[k] /= norm;
        y[k] = ybar[k] / norm;
    }
    sum[VS_SUM_MAP] += vs_discs_natural_squared(&d, l, y, 1.0);
    return own;
}

// Work that a box row should not do: that of its distance from the bound that w allows, but not more than it does. A bound
// far away, such as a motor's limit that is never reached, would make work of a velocity that is only rounding.
static double box_work(double x, double w, double lo, double hi) {
    double slack = w > 0.0 ? x - lo : hi - x;
    return fmin(slack, fabs(x)) * fabs(w);
}

vs_row_errors vs_row_errors_row(const vs_mass_model *mass, int i, int k, const vs_evaluated *e, double u, double norm,
                                double *sum) {
    const vs_problem *p = mass->problem;
    int first = p->row[i];
    bool box = p->kind[i] == VS_CONE_BOX;
    double lo = box ? p->lo[k] : 0.0, hi = box ? p->hi[k] : INFINITY, root = sqrt(mass->scale.row[k]), s = root / u;
    double l = entry(e->l, k), x = l * s, w = e->y[k] / root / u;
    double rounding = rounding_of_row(&mass->scale.size, i, p->row[i + 1] - first, k - first,
                                      e->l ? e->l + first : NULL, mass->scale.row[k], s);
    double map = vs_row_natural(l / norm, e->y[k] / norm, lo / norm, hi / norm);
    vs_row_errors own = {vs_row_energy(1.0, x, w, lo * s, hi * s), 0.5 * rounding * rounding, rounding * fabs(x)};
    sum[VS_SUM_ENERGY] += own.energy;
    sum[VS_SUM_WORK] += box ? box_work(x, w, lo * s, hi * s) : x * w;
    sum[VS_SUM_IMPULSES] += x * x;
    sum[VS_SUM_ROUNDING] += own.rounding;
    sum[VS_SUM_MAP] += map * map;
    return own;
}

// Joints are projected onto their positions after a step: rounding of their work does no harm.
vs_row_errors vs_row_errors_joint(const vs_mass_model *mass, int j, const vs_evaluated *e, double u, double norm,
                                  double *sum) {
    const vs_problem *p = mass->problem;
    vs_row_errors own = {0};
    int first = p->joint_row[j], rows = p->joint_row[j + 1] - first;
    for (int k = first; k < first + rows; k++) {
        double root = sqrt(mass->scale.joint_row[k]), r = e->r_e[k] / root / u, map = e->r_e[k] / norm;
        double g = entry(e->g, k) * (root / u);
        double rounding = rounding_of_row(&mass->scale.joint_size, j, rows, k - first, e->g ? e->g + first : NULL,
                                          mass->scale.joint_row[k], root / u);
        sum[VS_SUM_ENERGY] += 0.5 * r * r;
        sum[VS_SUM_WORK] += g * r;
        sum[VS_SUM_IMPULSES] += g * g;
        sum[VS_SUM_ROUNDING] += 0.5 * rounding * rounding;
        sum[VS_SUM_MAP] += map * map;
        own.energy += 0.5 * r * r;
        own.rounding += 0.5 * rounding * rounding;
    }
    return own;
}
