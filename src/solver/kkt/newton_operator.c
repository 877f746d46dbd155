// The unreduced Newton system as an operator: see newton_operator.h.
#include "solver/kkt/newton_operator.h"

#include <string.h>

// out = T u and add = -M u of all cones.
static void apply_corner(const vs_newton *newton, const double *u, double *scaled, double *corner) {
    const vs_scaled *problem = newton->problem;
    for (int k = 0; k < problem->cones; k++) {
        const double *T = newton->T + 9 * k, *M = newton->M + 9 * k;
        int row = problem->row[k];
        const vs_lifted_block *lifted = vs_newton_lifted(newton, k);
        if (lifted) {
            vs_lifted_multiply(lifted->rows, lifted->T, u + row, scaled + row);
            vs_lifted_multiply(lifted->rows, lifted->M, u + row, corner + row);
            for (int i = 0; i < lifted->rows; i++)
                corner[row + i] = -corner[row + i];
            continue;
        }
        if (problem->kind[k] != VS_CONE_SECOND_ORDER) {
            scaled[row] = T[0] * u[row];
            corner[row] = -M[0] * u[row];
            continue;
        }
        double a = u[row], b = u[row + 1], c = u[row + 2];
        for (int i = 0; i < 3; i++) {
            scaled[row + i] = T[3 * i] * a + T[3 * i + 1] * b + T[3 * i + 2] * c;
            corner[row + i] = -(M[3 * i] * a + M[3 * i + 1] * b + M[3 * i + 2] * c);
        }
    }
}

// T is symmetric except that of lifted cones.
static void scale_rows(const vs_newton *newton, bool transposed, const double *x, double *out) {
    const vs_scaled *problem = newton->problem;
    for (int k = 0; k < problem->cones; k++) {
        const double *T = newton->T + 9 * k;
        int row = problem->row[k];
        const vs_lifted_block *lifted = vs_newton_lifted(newton, k);
        if (lifted) {
            double t[VS_DISCS_ROWS] = {0};
            (transposed ? vs_lifted_multiply_t : vs_lifted_multiply)(lifted->rows, lifted->T, x + row, t);
            memcpy(out + row, t, sizeof(double) * (size_t)lifted->rows);
            continue;
        }
        if (problem->kind[k] != VS_CONE_SECOND_ORDER) {
            out[row] = T[0] * x[row];
            continue;
        }
        double a = x[row], b = x[row + 1], c = x[row + 2];
        out[row] = T[0] * a + T[1] * b + T[2] * c;
        out[row + 1] = T[3] * a + T[4] * b + T[5] * c;
        out[row + 2] = T[6] * a + T[7] * b + T[8] * c;
    }
}

void vs_newton_scale_rows(const vs_newton *newton, const double *x, double *out) {
    scale_rows(newton, false, x, out);
}

void vs_newton_scale_rows_t(const vs_newton *newton, const double *x, double *out) {
    scale_rows(newton, true, x, out);
}

// corner += T'w
static void add_scaled(const vs_newton *newton, const double *w, double *corner) {
    const vs_scaled *problem = newton->problem;
    for (int k = 0; k < problem->cones; k++) {
        const double *T = newton->T + 9 * k;
        int row = problem->row[k];
        const vs_lifted_block *lifted = vs_newton_lifted(newton, k);
        if (lifted) {
            double t[VS_DISCS_ROWS] = {0};
            vs_lifted_multiply_t(lifted->rows, lifted->T, w + row, t);
            for (int i = 0; i < lifted->rows; i++)
                corner[row + i] += t[i];
            continue;
        }
        if (problem->kind[k] != VS_CONE_SECOND_ORDER) {
            corner[row] += T[0] * w[row];
            continue;
        }
        for (int i = 0; i < 3; i++)
            corner[row + i] += T[3 * i] * w[row] + T[3 * i + 1] * w[row + 1] + T[3 * i + 2] * w[row + 2];
    }
}

void vs_newton_apply_saddle(void *user, const double *x, double *y) {
    vs_newton *newton = user;
    const vs_scaled *problem = newton->problem;
    int n = problem->n, m_e = problem->m_e;
    const double *dv = x, *xg = x + n, *u = x + n + m_e;
    double *y_v = y, *y_g = y + n, *y_u = y + n + m_e, *w = newton->wide_m;

    apply_corner(newton, u, w, y_u);
    if (problem->identity)
        memcpy(y_v, dv, sizeof(double) * (size_t)n);
    else
        vs_sparse_multiply_t(&problem->H, 1, dv, 0, y_v); // symmetric
    vs_space_assemble_begin(newton->space, n, y_v);
    vs_rows_multiply_t_add(&problem->C, 1, xg, y_v);
    vs_rows_multiply_t_add(&problem->D, 1, w, y_v);
    vs_space_assemble_end(newton->space, y_v);

    vs_rows_multiply(&problem->C, 1, dv, 0, y_g, newton->context);
    for (int k = 0; k < m_e; k++)
        y_g[k] -= problem->E_e[k] * xg[k];
    if (newton->D_of == x)
        w = newton->D_times;
    else
        vs_rows_multiply(&problem->D, 1, dv, 0, w, newton->context);
    newton->D_of = NULL;
    add_scaled(newton, w, y_u);
}

void vs_newton_weight(const vs_newton *newton, int k, double *weight) {
    const double *T = newton->T + 9 * k, *inverse = newton->M_inverse + 9 * k;
    double product[9];
    if (newton->problem->kind[k] != VS_CONE_SECOND_ORDER) {
        weight[0] = T[0] * inverse[0] * T[0];
        return;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            product[3 * i + j] = T[3 * i] * inverse[j] + T[3 * i + 1] * inverse[3 + j] + T[3 * i + 2] * inverse[6 + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            weight[3 * i + j] = product[3 * i] * T[j] + product[3 * i + 1] * T[3 + j] + product[3 * i + 2] * T[6 + j];
}
