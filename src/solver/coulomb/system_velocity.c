// The velocity form of the linear systems: see system.h.
//
//     P d + Q J w = rhs,  w = J'd      =>      (1 + J'M J) w = J'P^-1 rhs,   d = P^-1 rhs - M J w,   M = P^-1 Q
//
// P of a sticking contact is as small as the proximal term, so w is a penalty solution; what that loses is restored by
// refinement with the residual of P + Q N. Rows without a P (joints on the path) get a small one for the factor only.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/coulomb/system.h"

static const double LEAST_P = 1e-9; // of joint rows, in units of N's diagonal
static const double ENOUGH = 1e-14; // relative residual
enum { REFINEMENTS = 3 };

// ---- the Jacobian of a group -----------------------------------------------------------------------

static vs_jacobian group_jacobian(const vs_system *system, int g) {
    const vs_island *island = system->island;
    const vs_delassus *d = &system->islands->delassus;
    return vs_delassus_jacobian(d, d->group_of[island->source[island->N.row[g]]]);
}

// From the rows of scaled.h to the island's, of the rows of a group.
static const double *group_scale(const vs_system *system, int g) {
    return system->islands->row_scale + system->island->source[system->island->N.row[g]];
}

// ---- pattern ---------------------------------------------------------------------------------------

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// The island's velocities, ascending: list (all columns of all groups) in, distinct ones out.
static int list_velocities(const vs_system *system, int *list) {
    const vs_island *island = system->island;
    int64_t count = 0;
    for (int g = 0; g < island->groups; g++) {
        vs_jacobian J = group_jacobian(system, g);
        memcpy(list + count, J.col, sizeof(int) * (size_t)J.width);
        count += J.width;
    }
    qsort(list, (size_t)count, sizeof *list, compare);
    int distinct = 0;
    for (int64_t k = 0; k < count; k++)
        if (k == 0 || list[k] != list[k - 1])
            list[distinct++] = list[k];
    return distinct;
}

static int64_t count_columns(const vs_system *system) {
    int64_t count = 0;
    for (int g = 0; g < system->island->groups; g++)
        count += group_jacobian(system, g).width;
    return count;
}

int vs_system_velocities(vs_system *system) {
    vs_arena scratch;
    vs_arena_init(&scratch, system->arena.context);
    int *list = VS_NEW(&scratch, int, count_columns(system));
    int count = list ? list_velocities(system, list) : system->island->rows;
    vs_arena_release(&scratch);
    return count;
}

static int find(const int *list, int count, int value) {
    int low = 0, high = count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (list[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The groups that touch each velocity: touch[begin[j]] … touch[begin[j+1]-1].
static bool list_groups(const vs_system *system, vs_arena *scratch, int64_t **begin_out, int **touch_out) {
    int n = system->velocities, groups = system->island->groups;
    int64_t *begin = VS_NEW_ZERO(scratch, int64_t, (int64_t)n + 2);
    int *touch = VS_NEW(scratch, int, system->start[groups]);
    if (!begin || !touch)
        return false;
    for (int64_t k = 0; k < system->start[groups]; k++)
        begin[system->col[k] + 2]++;
    for (int j = 0; j < n; j++)
        begin[j + 2] += begin[j + 1];
    for (int g = 0; g < groups; g++)
        for (int64_t k = system->start[g]; k < system->start[g + 1]; k++)
            touch[begin[system->col[k] + 1]++] = g;
    *begin_out = begin;
    *touch_out = touch;
    return true;
}

// Column j: all velocities of all groups that touch j. Writes to i if not null; mark (velocities) is work.
static int64_t gather_column(const vs_system *system, int j, const int64_t *begin, const int *touch, int *mark,
                             int *i) {
    int64_t count = 0;
    for (int64_t t = begin[j]; t < begin[j + 1]; t++)
        for (int64_t k = system->start[touch[t]]; k < system->start[touch[t] + 1]; k++) {
            int row = system->col[k];
            if (mark[row] == j)
                continue;
            mark[row] = j;
            if (i)
                i[count] = row;
            count++;
        }
    if (i)
        qsort(i, (size_t)count, sizeof *i, compare);
    return count;
}

// Consecutive columns with the same rows: a body, usually.
static int find_bodies(const int64_t *p, const int *i, int n, int *body) {
    int count = 0;
    for (int j = 0; j < n; j++) {
        int64_t size = p[j + 1] - p[j];
        bool same = j > 0 && size == p[j] - p[j - 1] && memcmp(i + p[j], i + p[j - 1], sizeof(int) * (size_t)size) == 0;
        if (!same)
            body[count++] = j;
    }
    body[count] = n;
    return count;
}

static vs_error create_columns(vs_system *system, vs_arena *scratch) {
    const vs_island *island = system->island;
    int64_t columns = count_columns(system), products = 0;
    int *list = VS_NEW(scratch, int, columns);
    system->start = VS_NEW(&system->arena, int64_t, island->groups + 1);
    system->product = VS_NEW(&system->arena, int64_t, island->groups + 1);
    system->col = VS_NEW(&system->arena, int, columns);
    if (!list || !system->start || !system->product || !system->col)
        return VS_ERROR_MEMORY;
    system->velocities = list_velocities(system, list);
    columns = 0;
    for (int g = 0; g < island->groups; g++) {
        vs_jacobian J = group_jacobian(system, g);
        system->start[g] = columns;
        system->product[g] = products;
        for (int k = 0; k < J.width; k++)
            system->col[columns++] = find(list, system->velocities, J.col[k]);
        products += (int64_t)J.width * J.width;
    }
    system->start[island->groups] = columns;
    system->product[island->groups] = products;
    return VS_OK;
}

static vs_error create_pattern(vs_system *system, vs_arena *scratch) {
    const vs_island *island = system->island;
    int n = system->velocities;
    int64_t *begin, *p = VS_NEW(&system->arena, int64_t, n + 1);
    int *touch, *mark = VS_NEW(scratch, int, n), *body = VS_NEW(&system->arena, int, n + 1);
    if (!p || !mark || !body || !list_groups(system, scratch, &begin, &touch))
        return VS_ERROR_MEMORY;
    for (int j = 0; j < n; j++)
        mark[j] = -1;
    p[0] = 0;
    for (int j = 0; j < n; j++)
        p[j + 1] = p[j] + gather_column(system, j, begin, touch, mark, NULL);
    int *i = VS_NEW(&system->arena, int, p[n]);
    system->x = VS_NEW(&system->arena, double, p[n]);
    system->at = VS_NEW(&system->arena, int64_t, system->product[island->groups]);
    if (!i || !system->x || !system->at)
        return VS_ERROR_MEMORY;
    for (int j = 0; j < n; j++)
        mark[j] = -1;
    for (int j = 0; j < n; j++)
        (void)gather_column(system, j, begin, touch, mark, i + p[j]);
    for (int g = 0; g < island->groups; g++) {
        int width = (int)(system->start[g + 1] - system->start[g]);
        const int *col = system->col + system->start[g];
        for (int a = 0; a < width; a++)
            for (int b = 0; b < width; b++)
                system->at[system->product[g] + (int64_t)a * width + b] =
                    p[col[b]] + find(i + p[col[b]], (int)(p[col[b] + 1] - p[col[b]]), col[a]);
    }
    system->pattern = (vs_linear_pattern){.n = n, .p = p, .i = i, .groups = find_bodies(p, i, n, body), .group = body};
    return VS_OK;
}

static vs_error create(vs_system *system) {
    const vs_island *island = system->island;
    vs_arena scratch;
    vs_arena_init(&scratch, system->arena.context);
    vs_error error = create_columns(system, &scratch);
    if (!error)
        error = create_pattern(system, &scratch);
    vs_arena_release(&scratch);
    system->P_inverse = VS_NEW(&system->arena, double, 9 * (int64_t)island->groups);
    system->M = VS_NEW(&system->arena, double, 9 * (int64_t)island->groups);
    system->w = VS_NEW(&system->arena, double, system->velocities);
    system->right = VS_NEW(&system->arena, double, island->rows);
    system->residual = VS_NEW(&system->arena, double, island->rows);
    bool complete = system->P_inverse && system->M && system->w && system->right && system->residual;
    return error ? error : complete ? VS_OK : VS_ERROR_MEMORY;
}

// ---- values ----------------------------------------------------------------------------------------

// A^-1 of a 3 x 3 matrix by elimination with pivoting; *sign is multiplied by the determinant's. False: singular.
static bool invert(const double *A, double *inverse, int *sign) {
    double M[3][6];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            M[i][j] = A[3 * i + j];
            M[i][3 + j] = i == j;
        }
    for (int k = 0; k < 3; k++) {
        int p = k;
        for (int i = k + 1; i < 3; i++)
            if (fabs(M[i][k]) > fabs(M[p][k]))
                p = i;
        if (!(fabs(M[p][k]) > 0))
            return false;
        for (int j = 0; j < 6 && p != k; j++) {
            double swap = M[k][j];
            M[k][j] = M[p][j];
            M[p][j] = swap;
        }
        *sign *= (p != k) != (M[k][k] < 0) ? -1 : 1;
        for (int j = 5; j >= k; j--)
            M[k][j] /= M[k][k];
        for (int i = 0; i < 3; i++)
            for (int j = 5; j >= k && i != k; j--)
                M[i][j] -= M[i][k] * M[k][j];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inverse[3 * i + j] = M[i][3 + j];
    return true;
}

// P_inverse and M of a group; compliance belongs to P here.
static bool invert_group(vs_system *system, int g, int *sign) {
    const vs_island *island = system->island;
    const vs_scaled *problem = system->islands->delassus.problem;
    const double *P = system->P, *Q = system->Q;
    double *inverse = system->P_inverse + 9 * (int64_t)g, *M = system->M + 9 * (int64_t)g;
    int first = island->source[island->N.row[g]], rows = island->N.row[g + 1] - island->N.row[g];
    double total[9] = {0};
    for (int j = 0; j < rows; j++) {
        double scale = system->islands->row_scale[first + j];
        double E = first < problem->m_e ? problem->E_e[first] : problem->E[first - problem->m_e + j] * scale * scale;
        for (int i = 0; i < rows; i++)
            total[3 * i + j] =
                vs_system_diagonal_entry(island, g, P, Q, i, j) + E * (Q ? Q[9 * (int64_t)g + 3 * i + j] : i == j);
    }
    if (rows == 1) {
        double p = total[0];
        if (island->law[g] == VS_LAW_FREE)
            p = fmax(p, LEAST_P);
        if (p == 0)
            return false;
        *sign *= p < 0 ? -1 : 1;
        inverse[0] = 1 / p;
        M[0] = (Q ? Q[9 * (int64_t)g] : 1) / p;
        return true;
    }
    if (!invert(total, inverse, sign))
        return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = Q ? 0 : inverse[3 * i + j];
            for (int k = 0; k < 3 && Q; k++)
                sum += inverse[3 * i + k] * Q[9 * (int64_t)g + 3 * k + j];
            M[3 * i + j] = sum;
        }
    return true;
}

// x += J'M J of a group
static void add_group(vs_system *system, int g) {
    enum { PART = 24 };
    vs_jacobian J = group_jacobian(system, g);
    const double *scale = group_scale(system, g);
    const double *M = system->M + 9 * (int64_t)g;
    const int64_t *at = system->at + system->product[g];
    double scaled[3][3]; // S M S
    for (int i = 0; i < J.rows; i++)
        for (int j = 0; j < J.rows; j++)
            scaled[i][j] = scale[i] * M[3 * i + j] * scale[j];
    for (int first = 0; first < J.width; first += PART) {
        double part[3][PART]; // S M S J, some columns
        int count = J.width - first < PART ? J.width - first : PART;
        for (int i = 0; i < J.rows; i++)
            for (int b = 0; b < count; b++) {
                double sum = 0;
                for (int j = 0; j < J.rows; j++)
                    sum += scaled[i][j] * J.x[j * J.width + first + b];
                part[i][b] = sum;
            }
        for (int a = 0; a < J.width; a++)
            for (int b = 0; b < count; b++) {
                double sum = 0;
                for (int i = 0; i < J.rows; i++)
                    sum += J.x[i * J.width + a] * part[i][b];
                system->x[at[(int64_t)a * J.width + first + b]] += sum;
            }
    }
}

static vs_error assemble(vs_system *system, const double *P, const double *Q, int *sign) {
    const vs_linear_pattern *pattern = &system->pattern;
    system->P = P;
    system->Q = Q;
    memset(system->x, 0, sizeof(double) * (size_t)pattern->p[pattern->n]);
    for (int j = 0; j < pattern->n; j++)
        system->x[pattern->p[j] + find(pattern->i + pattern->p[j], (int)(pattern->p[j + 1] - pattern->p[j]), j)] = 1;
    *sign = 1;
    for (int g = 0; g < system->island->groups; g++) {
        if (!invert_group(system, g, sign))
            return VS_ERROR_NUMERICAL;
        add_group(system, g);
    }
    return VS_OK;
}

// ---- solving ---------------------------------------------------------------------------------------

static void multiply_block(const double *A, int rows, const double *x, double *y) {
    double out[3] = {0};
    for (int i = 0; i < rows; i++) {
        out[i] = 0;
        for (int j = 0; j < rows; j++)
            out[i] += A[3 * i + j] * x[j];
    }
    memcpy(y, out, sizeof(double) * (size_t)rows);
}

// d += the factor's answer to b; b is lost.
static vs_error solve_once(vs_system *system, double *b, double *d) {
    const vs_island *island = system->island;
    double *w = system->w;
    memset(w, 0, sizeof(double) * (size_t)system->velocities);
    for (int g = 0; g < island->groups; g++) {
        vs_jacobian J = group_jacobian(system, g);
        const double *scale = group_scale(system, g);
        double *t = b + island->N.row[g];
        const int *col = system->col + system->start[g];
        multiply_block(system->P_inverse + 9 * (int64_t)g, J.rows, t, t);
        for (int i = 0; i < J.rows; i++)
            for (int k = 0; k < J.width; k++)
                w[col[k]] += scale[i] * t[i] * J.x[i * J.width + k];
    }
    vs_error error = vs_system_engine_solve(system, w);
    for (int g = 0; g < island->groups; g++) {
        vs_jacobian J = group_jacobian(system, g);
        const double *scale = group_scale(system, g);
        const int *col = system->col + system->start[g];
        int row = island->N.row[g];
        double y[3];
        for (int i = 0; i < J.rows; i++) {
            y[i] = 0;
            for (int k = 0; k < J.width; k++)
                y[i] += scale[i] * J.x[i * J.width + k] * w[col[k]];
        }
        multiply_block(system->M + 9 * (int64_t)g, J.rows, y, y);
        for (int i = 0; i < J.rows; i++)
            d[row + i] += b[row + i] - y[i];
    }
    return error;
}

// residual = right - (P + Q N) d; returns its norm
static double find_residual(vs_system *system, const double *d) {
    const vs_island *island = system->island;
    double *y = system->residual, sum = 0;
    vs_island_multiply(island, d, y);
    for (int g = 0; g < island->groups; g++) {
        int row = island->N.row[g], rows = island->N.row[g + 1] - row;
        double p[3];
        multiply_block(system->P + 9 * (int64_t)g, rows, d + row, p);
        if (system->Q)
            multiply_block(system->Q + 9 * (int64_t)g, rows, y + row, y + row);
        for (int i = 0; i < rows; i++) {
            y[row + i] = system->right[row + i] - p[i] - y[row + i];
            sum += y[row + i] * y[row + i];
        }
    }
    return sqrt(sum);
}

static vs_error solve(vs_system *system, double *x) {
    size_t rows = (size_t)system->island->rows;
    double size = 0, last = INFINITY;
    memcpy(system->right, x, sizeof(double) * rows);
    memcpy(system->residual, x, sizeof(double) * rows);
    for (size_t k = 0; k < rows; k++)
        size += x[k] * x[k];
    memset(x, 0, sizeof(double) * rows);
    vs_error error = solve_once(system, system->residual, x);
    for (int k = 0; k < REFINEMENTS && !error; k++) {
        double left = find_residual(system, x);
        if (!(left > ENOUGH * sqrt(size)) || !(left < .5 * last))
            break;
        last = left;
        error = solve_once(system, system->residual, x);
    }
    return error;
}

const vs_system_form vs_system_velocity = {.name = "velocity", .create = create, .assemble = assemble, .solve = solve};
