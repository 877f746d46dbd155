// Blocks of lifted cones: see lifted_block.h.
#include "solver/kkt/lifted_block.h"

#include <math.h>
#include <string.h>

// ---- G -------------------------------------------------------------------------------------------------

int vs_lifted_count(const vs_discs *d) {
    int count = 0, first;
    for (int k = 0; k < VS_DISC_COUNT; k++)
        count += vs_discs_range(d, k, &first) > 0;
    return count;
}

// The disc of pair p.
static int disc_of(const vs_discs *d, int p, int *first, int *size) {
    for (int k = 0; k < VS_DISC_COUNT; k++) {
        *size = vs_discs_range(d, k, first);
        if (*size > 0 && p-- == 0)
            return k;
    }
    return 0;
}

double vs_lifted_mu(const vs_discs *d, int p) {
    int first, size;
    return d->mu[disc_of(d, p, &first, &size)];
}

void vs_lifted_from_rows(const vs_discs *d, int p, const double *l, double *s) {
    int first, size, k = disc_of(d, p, &first, &size);
    s[0] = d->mu[k] * l[0];
    s[1] = l[first];
    s[2] = size == 2 ? l[first + 1] : 0.0;
}

void vs_lifted_add_to_rows(const vs_discs *d, int p, const double *z, double *l) {
    int first, size, k = disc_of(d, p, &first, &size);
    l[0] += d->mu[k] * z[0];
    for (int i = 0; i < size; i++)
        l[first + i] += z[1 + i];
}

// ---- blocks ----------------------------------------------------------------------------------------------

void vs_lifted_multiply(int rows, const double *A, const double *x, double *y) {
    for (int i = 0; i < rows; i++) {
        y[i] = 0.0;
        for (int j = 0; j < rows; j++)
            y[i] += A[i * rows + j] * x[j];
    }
}

void vs_lifted_multiply_t(int rows, const double *A, const double *x, double *y) {
    for (int j = 0; j < rows; j++) {
        y[j] = 0.0;
        for (int i = 0; i < rows; i++)
            y[j] += A[i * rows + j] * x[i];
    }
}

enum { ROWS = VS_DISCS_ROWS, TALL = 3 * VS_DISC_COUNT + ROWS }; // of (A; 1)

// The three rows of W G of a disc, each along an eigenvector q of W: W's eigenvalue times G'q. q (3 x 3) by rows.
static void fill_rows(const vs_discs *d, int p, const vs_cone_pair *pair, double (*q)[3], double (*row)[ROWS]) {
    const double half = sqrt(0.5), c = pair->d[0], s = pair->d[1];
    const double w[3] = {pair->eta * pair->theta, pair->eta / pair->theta, pair->eta};
    const double vectors[3][3] = {{half, half * c, half * s}, {half, -half * c, -half * s}, {0.0, -s, c}};
    memcpy(q, vectors, sizeof vectors);
    for (int i = 0; i < 3; i++) {
        memset(row[i], 0, sizeof row[i]);
        vs_lifted_add_to_rows(d, p, q[i], row[i]);
        for (int j = 0; j < d->rows; j++)
            row[i][j] *= w[i];
    }
}

static double size_of(int rows, const double *row) {
    double most = 0.0;
    for (int j = 0; j < rows; j++)
        most = fmax(most, fabs(row[j]));
    return most;
}

static void sort_rows(int count, int rows, double (*A)[ROWS]) {
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && size_of(rows, A[k]) > size_of(rows, A[k - 1]); k--) {
            double keep[ROWS];
            memcpy(keep, A[k], sizeof keep);
            memcpy(A[k], A[k - 1], sizeof keep);
            memcpy(A[k - 1], keep, sizeof keep);
        }
}

// Householder's QR with column pivoting: R in the upper triangle of A, column j of it is column order[j] of the matrix.
static void factor_rows(int count, int rows, double (*A)[ROWS], int *order) {
    for (int j = 0; j < rows; j++)
        order[j] = j;
    for (int k = 0; k < rows; k++) {
        int best = k;
        double most = -1.0;
        for (int j = k; j < rows; j++) {
            double sum = 0.0;
            for (int i = k; i < count; i++)
                sum += A[i][j] * A[i][j];
            if (sum > most) {
                most = sum;
                best = j;
            }
        }
        for (int i = 0; i < count; i++) {
            double keep = A[i][k];
            A[i][k] = A[i][best];
            A[i][best] = keep;
        }
        int keep = order[k];
        order[k] = order[best];
        order[best] = keep;
        double norm = sqrt(most), head = A[k][k] + copysign(norm, A[k][k]), scale = norm * fabs(head);
        for (int j = k + 1; j < rows && scale > 0.0; j++) {
            double sum = head * A[k][j];
            for (int i = k + 1; i < count; i++)
                sum += A[i][k] * A[i][j];
            sum /= scale;
            A[k][j] -= sum * head;
            for (int i = k + 1; i < count; i++)
                A[i][j] -= sum * A[i][k];
        }
        A[k][k] = -copysign(norm, A[k][k]);
    }
}

// x <- x'P R^-1, a row; P: the columns' order
static void divide_row(int rows, double (*R)[ROWS], const int *order, const double *x, double *out) {
    for (int j = 0; j < rows; j++) {
        double sum = x[order[j]];
        for (int k = 0; k < j; k++)
            sum -= out[k] * R[k][j];
        out[j] = sum / R[j][j];
    }
}

void vs_lifted_scale(vs_lifted_block *block, const vs_discs *d, const vs_cone_pair *pairs, const double *E) {
    int rows = block->rows = d->rows, count = vs_lifted_count(d), order[ROWS];
    double A[3 * VS_DISC_COUNT][ROWS], R[TALL][ROWS], q[VS_DISC_COUNT][3][3], part[3 * VS_DISC_COUNT][ROWS];
    for (int p = 0; p < count; p++)
        fill_rows(d, p, &pairs[p], q[p], A + 3 * p);
    memcpy(R, A, sizeof(double) * (size_t)(3 * count) * ROWS);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            R[3 * count + i][j] = i == j;
    sort_rows(3 * count + rows, rows, R);
    factor_rows(3 * count + rows, rows, R, order);

    for (int i = 0; i < 3 * count; i++)
        divide_row(rows, R, order, A[i], part[i]);
    for (int i = 0; i < rows; i++) {
        double unit[ROWS] = {0};
        unit[i] = 1.0;
        divide_row(rows, R, order, unit, block->T + i * rows);
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3 * count; k++)
                sum += part[k][i] * part[k][j];
            for (int k = 0; k < rows; k++)
                sum += E[k] * block->T[k * rows + i] * block->T[k * rows + j];
            block->M[i * rows + j] = sum;
        }
    // A T in coordinates: along the eigenvectors it is `part`
    for (int p = 0; p < count; p++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < rows; j++)
                block->scaled[(3 * p + i) * rows + j] =
                    q[p][0][i] * part[3 * p][j] + q[p][1][i] * part[3 * p + 1][j] + q[p][2][i] * part[3 * p + 2][j];
}

// By Cholesky, with one step of refinement: M may be as ill-conditioned as the cones are close to their boundary.
void vs_lifted_invert(vs_lifted_block *block, double delta) {
    int rows = block->rows;
    double A[VS_DISCS_ROWS * VS_DISCS_ROWS] = {0}, L[VS_DISCS_ROWS * VS_DISCS_ROWS] = {0};
    for (int i = 0; i < rows * rows; i++)
        A[i] = block->M[i] + (i % (rows + 1) == 0 ? delta : 0.0);
    for (int j = 0; j < rows; j++)
        for (int i = j; i < rows; i++) {
            double sum = A[i * rows + j];
            for (int k = 0; k < j; k++)
                sum -= L[i * rows + k] * L[j * rows + k];
            L[i * rows + j] = i == j ? sqrt(fmax(sum, delta)) : sum / L[j * rows + j];
        }
    for (int j = 0; j < rows; j++) {
        double x[VS_DISCS_ROWS] = {0}, residual[VS_DISCS_ROWS] = {0};
        residual[j] = 1.0;
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < rows; i++) {
                for (int k = 0; k < i; k++)
                    residual[i] -= L[i * rows + k] * residual[k];
                residual[i] /= L[i * rows + i];
            }
            for (int i = rows - 1; i >= 0; i--) {
                for (int k = i + 1; k < rows; k++)
                    residual[i] -= L[k * rows + i] * residual[k];
                residual[i] /= L[i * rows + i];
                x[i] += residual[i];
            }
            vs_lifted_multiply(rows, A, x, residual);
            for (int i = 0; i < rows; i++)
                residual[i] = (i == j) - residual[i];
        }
        for (int i = 0; i < rows; i++)
            block->inverse[i * rows + j] = x[i];
    }
}

void vs_lifted_weight(const vs_lifted_block *block, double *weight) {
    int rows = block->rows;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= i; j++) {
            double product[VS_DISCS_ROWS], sum = 0.0;
            vs_lifted_multiply(rows, block->inverse, block->T + j * rows, product);
            for (int k = 0; k < rows; k++)
                sum += block->T[i * rows + k] * product[k];
            weight[i * rows + j] = weight[j * rows + i] = sum;
        }
}
