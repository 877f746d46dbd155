// The velocity form of a linear system: see velocity_form.h.
#include "solver/coulomb/linear_system/velocity_form.h"

#include <math.h>
#include <string.h>

#include "solver/coulomb/linear_system/form_parts.h"
#include "solver/impulse/operator.h"
#include "solver/coulomb/linear_system/velocity_pattern.h"

static const double LEAST_P = 1e-9; // of joint rows, in units of N's diagonal
static const double ENOUGH = 1e-9;  // relative residual
enum { REFINEMENTS = 3 };

// The Jacobian of a group, in the island's rows and velocities.
static vs_jacobian jacobian_of(const vs_linear_system *system, int g) {
    const vs_rows *J = &system->island->J;
    return (vs_jacobian){.rows = J->row[g + 1] - J->row[g],
                         .width = (int)(J->start[g + 1] - J->start[g]),
                         .col = J->col + J->start[g],
                         .x = J->x + J->value[g]};
}

static vs_error create(vs_linear_system *system) {
    const vs_impulse_problem *island = system->island;
    vs_error error = vs_velocity_pattern(system);
    system->velocity.P_inverse = VS_NEW(&system->arena, double, vs_impulse_block(island, island->groups));
    system->velocity.M = VS_NEW(&system->arena, double, vs_impulse_block(island, island->groups));
    system->velocity.w = VS_NEW(&system->arena, double, island->n);
    system->velocity.right = VS_NEW(&system->arena, double, island->rows);
    system->velocity.residual = VS_NEW(&system->arena, double, island->rows);
    bool complete = system->velocity.P_inverse && system->velocity.M && system->velocity.w && system->velocity.right &&
                    system->velocity.residual;
    return error ? error : complete ? VS_OK : VS_ERROR_MEMORY;
}

// ---- values ----------------------------------------------------------------------------------------

// A^-1 of a matrix of `rows` rows by elimination with pivoting, both with leading dimension ld; *sign is multiplied by the
// determinant's. False: singular.
static inline bool invert(int rows, int ld, const double *A, double *inverse, int *sign) {
    double M[VS_DISCS_ROWS][2 * VS_DISCS_ROWS];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            M[i][j] = A[ld * i + j];
            M[i][rows + j] = i == j;
        }
    for (int k = 0; k < rows; k++) {
        int p = k;
        for (int i = k + 1; i < rows; i++)
            if (fabs(M[i][k]) > fabs(M[p][k]))
                p = i;
        if (!(fabs(M[p][k]) > 0))
            return false;
        for (int j = 0; j < 2 * rows && p != k; j++) {
            double swap = M[k][j];
            M[k][j] = M[p][j];
            M[p][j] = swap;
        }
        *sign *= (p != k) != (M[k][k] < 0) ? -1 : 1;
        for (int j = 2 * rows - 1; j >= k; j--)
            M[k][j] /= M[k][k];
        for (int i = 0; i < rows; i++)
            for (int j = 2 * rows - 1; j >= k && i != k; j--)
                M[i][j] -= M[i][k] * M[k][j];
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            inverse[ld * i + j] = M[i][rows + j];
    return true;
}

// M = inverse Q; Q null: the identity.
static inline void weigh(int rows, int ld, const double *inverse, const double *Q, double *M) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            double sum = Q ? 0 : inverse[ld * i + j];
            for (int k = 0; k < rows && Q; k++)
                sum += inverse[ld * i + k] * Q[ld * k + j];
            M[ld * i + j] = sum;
        }
}

// P_inverse and M of a group; compliance is part of P here. Sizes of plain contacts are constants, for speed.
static bool invert_group(vs_linear_system *system, int g, int *sign) {
    const vs_impulse_problem *island = system->island;
    const double *P = system->velocity.P, *Q = system->velocity.Q;
    int64_t at = vs_impulse_block(island, g);
    double *inverse = system->velocity.P_inverse + at, *M = system->velocity.M + at;
    int rows = island->row[g + 1] - island->row[g], ld = island->ld;
    double total[VS_DISCS_ROWS * VS_DISCS_ROWS];
    for (int j = 0; j < rows; j++) {
        double E = island->E[island->row[g] + j];
        for (int i = 0; i < rows; i++)
            total[ld * i + j] =
                vs_linear_system_diagonal_entry(island, g, P, Q, i, j) + E * (Q ? Q[at + ld * i + j] : i == j);
    }
    if (rows == 1) {
        double p = total[0];
        if (island->law[g] == VS_LAW_FREE)
            p = fmax(p, LEAST_P);
        if (p == 0)
            return false;
        *sign *= p < 0 ? -1 : 1;
        inverse[0] = 1 / p;
        M[0] = (Q ? Q[at] : 1) / p;
        return true;
    }
    const double *weight = Q ? Q + at : NULL;
    if (rows == 3 && ld == 3) {
        if (!invert(3, 3, total, inverse, sign))
            return false;
        weigh(3, 3, inverse, weight, M);
    } else {
        if (!invert(rows, ld, total, inverse, sign))
            return false;
        weigh(rows, ld, inverse, weight, M);
    }
    return true;
}

// x += J'M J; at: places of the entries in x, row by row.
static inline void add_product(int rows, int ld, const vs_jacobian *J, const double *M, const int64_t *at, double *x) {
    enum { PART = 24 };
    const int width = J->width;
    for (int first = 0; first < width; first += PART) {
        double part[VS_DISCS_ROWS][PART]; // M J, some columns
        int count = width - first < PART ? width - first : PART;
        for (int i = 0; i < rows; i++)
            for (int b = 0; b < count; b++) {
                double sum = 0;
                for (int j = 0; j < rows; j++)
                    sum += M[ld * i + j] * J->x[j * width + first + b];
                part[i][b] = sum;
            }
        for (int a = 0; a < width; a++)
            for (int b = 0; b < count; b++) {
                double sum = 0;
                for (int i = 0; i < rows; i++)
                    sum += J->x[i * width + a] * part[i][b];
                x[at[(int64_t)a * width + first + b]] += sum;
            }
    }
}

static void add_group(vs_linear_system *system, int g) {
    const vs_jacobian J = jacobian_of(system, g);
    const double *M = system->velocity.M + vs_impulse_block(system->island, g);
    const int64_t *at = system->at + system->velocity.product[g];
    const int ld = system->island->ld;
    if (J.rows == 3 && ld == 3)
        add_product(3, 3, &J, M, at, system->x);
    else
        add_product(J.rows, ld, &J, M, at, system->x);
}

static vs_error assemble(vs_linear_system *system, const double *P, const double *Q, int *sign) {
    const vs_linear_pattern *pattern = &system->pattern;
    system->velocity.P = P;
    system->velocity.Q = Q;
    memset(system->x, 0, sizeof(double) * (size_t)pattern->p[pattern->n]);
    for (int j = 0; j < pattern->n; j++)
        system->x[vs_velocity_place(pattern->p, pattern->i, j, j)] = 1;
    *sign = 1;
    for (int g = 0; g < system->island->groups; g++) {
        if (!invert_group(system, g, sign))
            return VS_ERROR_NUMERICAL;
        add_group(system, g);
    }
    return VS_OK;
}

// ---- solving ---------------------------------------------------------------------------------------

static inline void multiply(int rows, int ld, const double *A, const double *x, double *y) {
    double out[VS_DISCS_ROWS] = {0};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            out[i] += A[ld * i + j] * x[j];
    memcpy(y, out, sizeof(double) * (size_t)rows);
}

static void multiply_block(const double *A, int ld, int rows, const double *x, double *y) {
    if (rows == 3 && ld == 3)
        multiply(3, 3, A, x, y);
    else
        multiply(rows, ld, A, x, y);
}

// d += the solution for b by the factors; b is overwritten.
static vs_error solve_once(vs_linear_system *system, double *b, double *d) {
    const vs_impulse_problem *island = system->island;
    double *w = system->velocity.w;
    memset(w, 0, sizeof(double) * (size_t)island->n);
    for (int g = 0; g < island->groups; g++) {
        vs_jacobian J = jacobian_of(system, g);
        double *t = b + island->row[g];
        multiply_block(system->velocity.P_inverse + vs_impulse_block(island, g), island->ld, J.rows, t, t);
        for (int i = 0; i < J.rows; i++)
            for (int k = 0; k < J.width; k++)
                w[J.col[k]] += t[i] * J.x[i * J.width + k];
    }
    vs_error error = vs_linear_system_backend_solve(system, w);
    for (int g = 0; g < island->groups; g++) {
        vs_jacobian J = jacobian_of(system, g);
        int row = island->row[g];
        double y[VS_DISCS_ROWS];
        for (int i = 0; i < J.rows; i++) {
            y[i] = 0;
            for (int k = 0; k < J.width; k++)
                y[i] += J.x[i * J.width + k] * w[J.col[k]];
        }
        multiply_block(system->velocity.M + vs_impulse_block(island, g), island->ld, J.rows, y, y);
        for (int i = 0; i < J.rows; i++)
            d[row + i] += b[row + i] - y[i];
    }
    return error;
}

// residual = right - (P + Q N) d; returns its norm
static double find_residual(vs_linear_system *system, const double *d) {
    const vs_impulse_problem *island = system->island;
    double *y = system->velocity.residual, sum = 0;
    vs_impulse_multiply(island, d, y);
    for (int g = 0; g < island->groups; g++) {
        int row = island->row[g], rows = island->row[g + 1] - row;
        double p[VS_DISCS_ROWS];
        multiply_block(system->velocity.P + vs_impulse_block(island, g), island->ld, rows, d + row, p);
        if (system->velocity.Q)
            multiply_block(system->velocity.Q + vs_impulse_block(island, g), island->ld, rows, y + row, y + row);
        for (int i = 0; i < rows; i++) {
            y[row + i] = system->velocity.right[row + i] - p[i] - y[row + i];
            sum += y[row + i] * y[row + i];
        }
    }
    return sqrt(sum);
}

static vs_error solve(vs_linear_system *system, double *x) {
    size_t rows = (size_t)system->island->rows;
    double size = 0, last = INFINITY;
    memcpy(system->velocity.right, x, sizeof(double) * rows);
    memcpy(system->velocity.residual, x, sizeof(double) * rows);
    for (size_t k = 0; k < rows; k++)
        size += x[k] * x[k];
    memset(x, 0, sizeof(double) * rows);
    vs_error error = solve_once(system, system->velocity.residual, x);
    for (int k = 0; k < REFINEMENTS && !error; k++) {
        double left = find_residual(system, x);
        if (!(left > ENOUGH * sqrt(size)) || !(left < .5 * last))
            break;
        last = left;
        error = solve_once(system, system->velocity.residual, x);
    }
    return error;
}

const vs_linear_system_form vs_linear_system_velocity = {
    .name = "velocity", .create = create, .assemble = assemble, .solve = solve};
