// Directions and steps of the interior point method: see interior_direction.h. The rows of dl are, with the pairs eliminated,
//
//     scalar        (u/l) dl_0 + dy_0 = r1/l - (y_0 - u)
//     sliding       the same, and dl_T + mu e dl_0 + mu l_0/|y_T| (1 - e e') dy_T = -(l_T + mu l_0 e),    e = y_T/|y_T|
//     undecided     L W^2 L dl + dy = L W (z \ rz) - (y + s - L x)
//
// with dy = (N + alpha) dl and the Nesterov-Todd scaling z = W l = W^-1 x.
#include "solver/coulomb/interior/interior_direction.h"

#include <math.h>
#include <string.h>

// ---- matrix ------------------------------------------------------------------------------------------

static void block_of_cone(const vs_interior *in, const vs_impulse_problem *island, int g, int ld, double *P) {
    double L[3];
    vs_interior_scale(island->mu[g], L);
    for (int j = 0; j < 3; j++) {
        double unit[3] = {j == 0, j == 1, j == 2};
        vs_cone_second_order.apply(&in->pair[g], 2, unit, unit);
        for (int i = 0; i < 3; i++)
            P[ld * i + j] = L[i] * unit[i] * L[j];
    }
}

static void block_of_sliding(const vs_interior *in, const vs_impulse_problem *island, int g, int ld, double *P,
                             double *Q) {
    double e[2];
    const double mu = island->mu[g], round = mu * in->l[island->row[g]] / vs_interior_sliding(in, island, g, e);
    for (int i = 0; i < 2; i++) {
        P[ld * (1 + i)] = mu * e[i];
        P[ld * (1 + i) + 1 + i] = 1;
        for (int j = 0; j < 2; j++)
            Q[ld * (1 + i) + 1 + j] = round * ((i == j) - e[i] * e[j]);
    }
}

vs_error vs_interior_factor(vs_interior *in, const vs_progress *progress) {
    const vs_impulse_problem *island = progress->island;
    const int ld = island->ld;
    for (int g = 0; g < island->groups; g++) {
        const int row = island->row[g], rows = island->row[g + 1] - row;
        double *P = in->P + vs_impulse_block(island, g), *Q = in->Q + vs_impulse_block(island, g);
        memset(P, 0, sizeof *P * (size_t)(ld * ld));
        memset(Q, 0, sizeof *Q * (size_t)(ld * ld));
        for (int i = 0; i < rows; i++)
            Q[ld * i + i] = 1;
        if (vs_interior_is_scalar(in->kind[g]))
            P[0] = in->u[g] / in->l[row];
        if (in->kind[g] == VS_INTERIOR_SLIDING)
            block_of_sliding(in, island, g, ld, P, Q);
        else if (in->kind[g] == VS_INTERIOR_CONE)
            block_of_cone(in, island, g, ld, P);
        for (int j = 0; j < ld * ld; j++)
            P[j] += in->alpha * Q[j];
    }
    return vs_linear_system_factor(progress->system, in->P, in->Q);
}

// ---- right-hand side ---------------------------------------------------------------------------------

static void right_of(vs_interior *in, const vs_impulse_problem *island, int g) {
    const int row = island->row[g];
    const double *l = in->l + row, *y = in->y + row, mu = island->mu[g];
    double *rhs = in->rhs + row;
    if (in->kind[g] == VS_INTERIOR_JOINT) {
        rhs[0] = -y[0];
    } else if (in->kind[g] == VS_INTERIOR_CONE) {
        double L[3], w[3];
        vs_interior_scale(mu, L);
        vs_cone_second_order.divide(&in->pair[g], in->rz + 3 * g, in->dxt + 3 * g);
        vs_cone_second_order.apply(&in->pair[g], 1, in->dxt + 3 * g, w);
        for (int i = 0; i < 3; i++)
            rhs[i] = L[i] * (w[i] + in->pair[g].y[i]) - y[i];
        rhs[0] -= in->s[g];
    } else {
        rhs[0] = in->r1[g] / l[0] - (y[0] - in->u[g]);
        if (in->kind[g] == VS_INTERIOR_SLIDING) {
            double e[2];
            const double *ahead = in->ahead + 2 * g, round = mu * l[0] / vs_interior_sliding(in, island, g, e);
            const double along = ahead[0] * e[0] + ahead[1] * e[1];
            for (int i = 0; i < 2; i++)
                rhs[1 + i] = round * (ahead[i] - along * e[i]) - (l[1 + i] + mu * l[0] * e[i]);
        }
    }
}

// The direction for r1 and rz.
static vs_error solve(vs_interior *in, const vs_progress *progress) {
    const vs_impulse_problem *island = progress->island;
    for (int g = 0; g < island->groups; g++)
        right_of(in, island, g);
    vs_error error = vs_linear_system_solve(progress->system, in->rhs);
    memcpy(in->dl, in->rhs, sizeof(double) * (size_t)island->rows);
    for (int g = 0; g < island->groups; g++) {
        const double *dl = in->dl + island->row[g];
        if (vs_interior_is_scalar(in->kind[g])) {
            in->du[g] = (in->r1[g] - in->u[g] * dl[0]) / in->l[island->row[g]];
        } else if (in->kind[g] == VS_INTERIOR_CONE) {
            double L[3], *dlt = in->dlt + 3 * g, *dxt = in->dxt + 3 * g;
            vs_interior_scale(island->mu[g], L);
            for (int i = 0; i < 3; i++)
                dlt[i] = L[i] * dl[i];
            vs_cone_second_order.apply(&in->pair[g], 1, dlt, dlt);
            for (int i = 0; i < 3; i++)
                dxt[i] -= dlt[i];
        }
    }
    return error;
}

// ---- directions --------------------------------------------------------------------------------------

vs_error vs_interior_predict(vs_interior *in, const vs_progress *progress) {
    const vs_impulse_problem *island = progress->island;
    for (int g = 0; g < island->groups; g++) {
        if (vs_interior_is_scalar(in->kind[g]))
            in->r1[g] = -in->l[island->row[g]] * in->u[g];
        if (in->kind[g] != VS_INTERIOR_CONE)
            continue;
        double *rz = in->rz + 3 * g;
        vs_cone_second_order.product(in->pair[g].z, in->pair[g].z, rz);
        for (int i = 0; i < 3; i++)
            rz[i] = -rz[i];
    }
    return solve(in, progress);
}

vs_error vs_interior_correct(vs_interior *in, const vs_progress *progress, double sigma) {
    const vs_impulse_problem *island = progress->island;
    for (int g = 0; g < island->groups; g++) {
        if (vs_interior_is_scalar(in->kind[g]))
            in->r1[g] += sigma * in->tau - in->dl[island->row[g]] * in->du[g];
        if (in->kind[g] != VS_INTERIOR_CONE)
            continue;
        double second[3], *rz = in->rz + 3 * g;
        vs_cone_second_order.product(in->dlt + 3 * g, in->dxt + 3 * g, second);
        rz[0] += sigma * in->tau;
        for (int i = 0; i < 3; i++)
            rz[i] -= second[i];
    }
    return solve(in, progress);
}

// ---- steps -------------------------------------------------------------------------------------------

static double scalar_step(double a, double da, double step) {
    return da < 0 ? fmin(step, -a / da) : step;
}

double vs_interior_step(const vs_interior *in, const vs_impulse_problem *island, double fraction) {
    double step = 1 / fraction;
    for (int g = 0; g < island->groups; g++) {
        const int row = island->row[g];
        if (vs_interior_is_scalar(in->kind[g])) {
            step = scalar_step(in->l[row], in->dl[row], step);
            step = scalar_step(in->u[g], in->du[g], step);
        } else if (in->kind[g] == VS_INTERIOR_CONE) {
            step = vs_cone_second_order.step(&in->pair[g], in->dlt + 3 * g, step);
            step = vs_cone_second_order.step(&in->pair[g], in->dxt + 3 * g, step);
        }
    }
    return fraction * step;
}

double vs_interior_tau_after(const vs_interior *in, const vs_impulse_problem *island, double step) {
    double sum = 0;
    int pairs = 0;
    for (int g = 0; g < island->groups; g++) {
        const int row = island->row[g];
        pairs += in->kind[g] != VS_INTERIOR_JOINT;
        if (vs_interior_is_scalar(in->kind[g]))
            sum += (in->l[row] + step * in->dl[row]) * (in->u[g] + step * in->du[g]);
        for (int i = 3 * g; in->kind[g] == VS_INTERIOR_CONE && i < 3 * g + 3; i++)
            sum += (in->pair[g].z[i - 3 * g] + step * in->dlt[i]) * (in->pair[g].z[i - 3 * g] + step * in->dxt[i]);
    }
    return sum / pairs;
}

bool vs_interior_move(vs_interior *in, const vs_impulse_problem *island, double step) {
    bool good = true;
    for (int g = 0; g < island->groups && good; g++) {
        const int row = island->row[g];
        if (in->kind[g] == VS_INTERIOR_CONE) {
            vs_cone_pair *pair = &in->pair[g];
            double L[3];
            vs_interior_scale(island->mu[g], L);
            good = vs_cone_second_order.advance(pair, step, in->dlt + 3 * g, step, in->dxt + 3 * g);
            for (int i = 0; i < 3; i++)
                in->l[row + i] = pair->lambda[i] / L[i];
            continue;
        }
        for (int k = row; k < island->row[g + 1]; k++)
            in->l[k] += step * in->dl[k];
        in->u[g] += vs_interior_is_scalar(in->kind[g]) ? step * in->du[g] : 0;
        for (int i = 2 * g; i < 2 * g + 2; i++)
            in->ahead[i] *= 1 - step;
    }
    return good;
}
