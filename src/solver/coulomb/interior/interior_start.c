// The start of the interior point method and its residuals: see interior_start.h.
#include "solver/coulomb/interior/interior_start.h"

#include <math.h>

static const double KEPT = .2; // of the velocity of a sliding contact, in its direction: with less it may stick

bool vs_interior_suits(const vs_impulse_problem *island) {
    for (int g = 0; g < island->groups; g++)
        if (island->law[g] == VS_LAW_BOX || island->law[g] == VS_LAW_ROLLING)
            return false;
    return island->contacts > 0;
}

vs_error vs_interior_create(int rows, int groups, vs_arena *arena, vs_interior **out) {
    vs_interior *in = VS_NEW_ZERO(arena, vs_interior, 1);
    if (!in)
        return VS_ERROR_MEMORY;
    in->kind = VS_NEW_ZERO(arena, vs_interior_kind, groups);
    in->pair = VS_NEW_ZERO(arena, vs_cone_pair, groups);
    double **by_rows[] = {&in->l, &in->y, &in->centre, &in->rhs, &in->dl};
    double **by_groups[] = {&in->u, &in->s, &in->r1, &in->du};
    in->ahead = VS_NEW_ZERO(arena, double, 2 * (int64_t)groups);
    double **by_pairs[] = {&in->rz, &in->dlt, &in->dxt};
    in->last = VS_NEW_ZERO(arena, double, 2 * (int64_t)groups);
    bool complete = in->kind && in->pair && in->ahead && in->last;
    for (size_t k = 0; k < sizeof by_rows / sizeof *by_rows; k++)
        complete = complete && (*by_rows[k] = VS_NEW_ZERO(arena, double, rows));
    for (size_t k = 0; k < sizeof by_groups / sizeof *by_groups; k++)
        complete = complete && (*by_groups[k] = VS_NEW_ZERO(arena, double, groups));
    for (size_t k = 0; k < sizeof by_pairs / sizeof *by_pairs; k++)
        complete = complete && (*by_pairs[k] = VS_NEW_ZERO(arena, double, 3 * (int64_t)groups));
    *out = complete ? in : NULL;
    return complete ? VS_OK : VS_ERROR_MEMORY;
}

// ---- pairs -------------------------------------------------------------------------------------------

// l, u >= 0 with a product of tau: the larger one stays as it is.
static void start_scalar(double tau, double *l, double *u) {
    const double root = sqrt(tau);
    if (*l > *u) {
        *l = fmax(*l, root);
        *u = tau / *l;
    } else {
        *u = fmax(*u, root);
        *l = tau / *u;
    }
}

// x = tau l^-1, or l of x
static void invert(double tau, const double *l, double *x) {
    const double t = sqrt(l[1] * l[1] + l[2] * l[2]), factor = tau / ((l[0] - t) * (l[0] + t));
    x[0] = factor * l[0];
    x[1] = -factor * l[1];
    x[2] = -factor * l[2];
}

// A contact at the border of its cone, or without impulse and velocity: spectral values of l and x on the axes (1, f), (1, -f) that
// have the product tau, of which the larger ones stay.
static void start_border(double tau, double slip, const double *axis, double *l, double *x) {
    const double root = sqrt(tau), t = sqrt(l[1] * l[1] + l[2] * l[2]);
    double small = fmax(l[0] - t, 0), part = 2 * slip;
    small = part > root ? fmax(small, tau / part) : fmax(small, root);
    part = fmax(part, tau / small);
    const double large = fmax(l[0] + t, small), rest = tau / large;
    l[0] = .5 * (large + small);
    x[0] = .5 * (part + rest);
    for (int k = 0; k < 2; k++) {
        l[1 + k] = .5 * (large - small) * axis[k];
        x[1 + k] = -.5 * (part - rest) * axis[k];
    }
}

// l, y: Lorentz scale
static bool start_pair(vs_cone_pair *pair, double tau, double clear, double *l, const double *y) {
    const double root = sqrt(tau), t = sqrt(l[1] * l[1] + l[2] * l[2]), slip = sqrt(y[1] * y[1] + y[2] * y[2]);
    double x[3] = {fmax(y[0], 2 * slip), y[1], y[2]}, axis[2] = {1, 0};
    if (y[0] > clear || (l[0] + t <= root && y[0] > root)) {
        invert(tau, x, l);
    } else if (l[0] - t >= fmax(slip, root)) {
        invert(tau, l, x);
    } else {
        const bool pressed = l[0] + t > root && t > 0;
        for (int k = 0; k < 2 && (pressed || slip > 0); k++)
            axis[k] = pressed ? l[1 + k] / t : -y[1 + k] / slip;
        start_border(tau, slip, axis, l, x);
    }
    return vs_cone_second_order.set(pair, l, x);
}

// The impulses of a cone pair, in the island's rows.
static void take_impulses(vs_interior *in, const vs_impulse_problem *island, int g) {
    double L[3];
    vs_interior_scale(island->mu[g], L);
    for (int i = 0; i < 3; i++)
        in->l[island->row[g] + i] = in->pair[g].lambda[i] / L[i];
}

static bool start_undecided(vs_interior *in, const vs_impulse_problem *island, int g, double tau, double clear) {
    const double *l = in->l + island->row[g], *y = in->y + island->row[g], mu = island->mu[g];
    double L[3], scaled_l[3], scaled_y[3];
    in->kind[g] = VS_INTERIOR_CONE;
    in->s[g] = mu * sqrt(y[1] * y[1] + y[2] * y[2]);
    vs_interior_scale(mu, L);
    for (int i = 0; i < 3; i++) {
        scaled_l[i] = l[i] * L[i];
        scaled_y[i] = y[i] / L[i];
    }
    const bool good = start_pair(&in->pair[g], tau, clear, scaled_l, scaled_y);
    take_impulses(in, island, g);
    return good;
}

static bool start_friction(vs_interior *in, const vs_impulse_problem *island, int g, double tau, double clear) {
    double *l = in->l + island->row[g], *y = in->y + island->row[g];
    const double slip = sqrt(y[1] * y[1] + y[2] * y[2]), mu = island->mu[g];
    if (slip >= clear) {
        in->kind[g] = VS_INTERIOR_SLIDING;
        l[0] = fmax(l[0], 0);
        in->u[g] = fmax(y[0], 0);
        start_scalar(tau, &l[0], &in->u[g]);
        for (int i = 1; i < 3; i++) {
            l[i] = -mu * l[0] * y[i] / slip;
            in->ahead[2 * g + i - 1] = y[i];
        }
        return true;
    }
    return start_undecided(in, island, g, tau, clear);
}

bool vs_interior_start(vs_interior *in, const vs_impulse_problem *island, double tau, double clear) {
    bool good = true;
    for (int g = 0; g < island->groups && good; g++) {
        const int row = island->row[g];
        in->u[g] = in->s[g] = 0;
        in->kind[g] = VS_INTERIOR_JOINT;
        if (island->law[g] == VS_LAW_FRICTION) {
            good = start_friction(in, island, g, tau, clear);
        } else if (island->law[g] == VS_LAW_NONNEG) {
            in->kind[g] = VS_INTERIOR_SCALAR;
            in->u[g] = fmax(in->y[row], 0);
            in->l[row] = fmax(in->l[row], 0);
            start_scalar(tau, &in->l[row], &in->u[g]);
        }
    }
    return good;
}

void vs_interior_keep_slip(vs_interior *in, const vs_impulse_problem *island) {
    for (int g = 0; g < island->groups; g++)
        for (int i = 2 * g; i < 2 * g + 2 && in->kind[g] == VS_INTERIOR_SLIDING; i++) {
            in->last[i] = in->ahead[i];
            in->ahead[i] -= in->y[island->row[g] + 1 + i - 2 * g];
        }
}

bool vs_interior_review(vs_interior *in, const vs_impulse_problem *island, double clear) {
    bool good = true;
    for (int g = 0; g < island->groups && good; g++) {
        if (in->kind[g] != VS_INTERIOR_SLIDING)
            continue;
        double e[2], *last = in->last + 2 * g;
        const double size = vs_interior_sliding(in, island, g, e), before = sqrt(last[0] * last[0] + last[1] * last[1]);
        if (size * (last[0] * e[0] + last[1] * e[1]) < KEPT * before * before)
            good = start_undecided(in, island, g, in->tau, clear);
        for (int i = 0; i < 2; i++)
            last[i] = size * e[i];
    }
    return good;
}

void vs_interior_renew_slip(vs_interior *in, const vs_impulse_problem *island) {
    for (int g = 0; g < island->groups; g++) {
        const double *y = in->y + island->row[g];
        if (in->kind[g] == VS_INTERIOR_CONE)
            in->s[g] = island->mu[g] * sqrt(y[1] * y[1] + y[2] * y[2]);
    }
}

// ---- residuals ---------------------------------------------------------------------------------------

// What is left of the equations of a group.
static double left_of(const vs_interior *in, const vs_impulse_problem *island, int g) {
    const double *l = in->l + island->row[g], *y = in->y + island->row[g];
    if (in->kind[g] == VS_INTERIOR_JOINT)
        return y[0] * y[0];
    double sum = 0;
    if (in->kind[g] == VS_INTERIOR_CONE) {
        double L[3];
        vs_interior_scale(island->mu[g], L);
        for (int i = 0; i < 3; i++) {
            const double d = y[i] + (i == 0 ? in->s[g] : 0) - L[i] * in->pair[g].y[i];
            sum += d * d;
        }
        return sum;
    }
    sum = (y[0] - in->u[g]) * (y[0] - in->u[g]);
    if (in->kind[g] == VS_INTERIOR_SLIDING) {
        double e[2];
        (void)vs_interior_sliding(in, island, g, e);
        for (int i = 0; i < 2; i++) {
            const double d = l[1 + i] + island->mu[g] * l[0] * e[i], *ahead = in->ahead + 2 * g;
            sum += d * d + ahead[i] * ahead[i];
        }
    }
    return sum;
}

void vs_interior_measure(vs_interior *in, const vs_impulse_problem *island) {
    double products = 0, left = 0;
    int pairs = 0;
    for (int g = 0; g < island->groups; g++) {
        const vs_interior_kind kind = in->kind[g];
        left += left_of(in, island, g);
        pairs += kind != VS_INTERIOR_JOINT;
        if (kind == VS_INTERIOR_CONE)
            products += in->pair[g].gap;
        else if (vs_interior_is_scalar(kind))
            products += in->l[island->row[g]] * in->u[g];
    }
    in->tau = products / pairs;
    in->left = sqrt(left);
}
