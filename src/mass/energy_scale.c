// Inverse effective masses a_i of contacts, box rows and joints. They only scale, so they need not be exact: the
// diagonal of a general H stands in for it, and where a is not positive (an empty row, an indefinite N) a substitute is
// used.
#include "mass/energy_scale.h"

#include <math.h>

static bool create_sizes(vs_row_sizes *size, int groups, const int *row, vs_arena *arena) {
    size->first = VS_NEW(arena, int64_t, groups + 1);
    if (!size->first)
        return false;
    size->first[0] = 0;
    for (int g = 0; g < groups; g++) {
        int64_t rows = row[g + 1] - row[g];
        size->first[g + 1] = size->first[g] + rows * rows;
    }
    size->x = VS_NEW_ZERO(arena, double, size->first[groups]);
    return size->x != NULL;
}

static int64_t largest_width(const vs_rows *A) {
    int64_t most = 0;
    for (int g = 0; g < A->groups; g++)
        most = A->start[g + 1] - A->start[g] > most ? A->start[g + 1] - A->start[g] : most;
    return most;
}

vs_error vs_energy_scale_create(vs_energy_scale *scale, const vs_problem *problem, vs_arena *arena) {
    int64_t contact = problem->local ? 0 : largest_width(&problem->D), joint = largest_width(&problem->C);
    scale->contact = VS_NEW(arena, double, problem->contacts);
    scale->row = VS_NEW(arena, double, problem->m);
    scale->joint_row = VS_NEW(arena, double, problem->m_e);
    scale->work = VS_NEW(arena, double, 2 * (contact > joint ? contact : joint));
    bool complete = scale->contact && scale->row && scale->joint_row && scale->work &&
                    create_sizes(&scale->size, problem->contacts, problem->row, arena) &&
                    create_sizes(&scale->joint_size, problem->joints, problem->joint_row, arena);
    return complete ? VS_OK : VS_ERROR_MEMORY;
}

static bool usable(double a) {
    return a > 0.0 && isfinite(a);
}

// x'H^-1 x of one row, and its sizes |H^-1 x| (width). a: the diagonal of H, if it is diagonal here; else null
static double find_form(const vs_mass *mass, int width, const int *col, const double *a, const double *x,
                        double *size) {
    if (!a)
        return vs_mass_inverse_sizes(mass, width, col, x, size);
    double sum = 0.0;
    for (int j = 0; j < width; j++)
        size[j] = fabs(x[j] / a[j]);
    for (int j = 0; j < width; j++)
        sum += x[j] * x[j] / a[j];
    return sum;
}

// S (3) = size'|x| of the three rows x of a contact, beginning with what S has; the three sums side by side.
static void add_three_sizes(int width, const double *restrict size, const double *restrict x, double *restrict S) {
    double n = S[0], u = S[1], w = S[2];
    for (int j = 0; j < width; j++) {
        n += size[j] * fabs(x[j]);
        u += size[j] * fabs(x[width + j]);
        w += size[j] * fabs(x[2 * width + j]);
    }
    S[0] = n, S[1] = u, S[2] = w;
}

// The same of any number of rows, two at a time.
static void add_sizes(int rows, int width, const double *restrict size, const double *restrict x, double *restrict S) {
    int i = 0;
    for (; i + 2 <= rows; i += 2, x += 2 * (int64_t)width) {
        double a = S[i], b = S[i + 1];
        for (int j = 0; j < width; j++) {
            a += size[j] * fabs(x[j]);
            b += size[j] * fabs(x[width + j]);
        }
        S[i] = a, S[i + 1] = b;
    }
    for (int j = 0; j < width && i < rows; j++)
        S[i] += size[j] * fabs(x[j]);
}

// diagonal (A->rows) = diag(A H^-1 A') + E, and the sizes. work: see energy_scale.h
static void measure_rows(const vs_rows *A, const double *E, const vs_mass *mass, double *work, double *diagonal,
                         vs_row_sizes *size) {
    for (int g = 0; g < A->groups; g++) {
        int width = (int)(A->start[g + 1] - A->start[g]), rows = A->row[g + 1] - A->row[g];
        const int *col = A->col + A->start[g];
        const double *x = A->x + A->value[g], *a = work + width;
        if (!vs_mass_find_diagonal(mass, width, col, work + width))
            a = NULL;
        for (int k = 0; k < rows; k++) {
            double *S = size->x + size->first[g] + (int64_t)k * rows, own = E ? E[A->row[g] + k] : 0.0;
            diagonal[A->row[g] + k] = find_form(mass, width, col, a, x + (int64_t)k * width, work) + own;
            for (int i = 0; i < rows; i++)
                S[i] = i == k ? own : 0.0;
            if (rows == 3)
                add_three_sizes(width, work, x, S);
            else
                add_sizes(rows, width, work, x, S);
            for (int i = 0; i < rows; i++)
                S[i] = isfinite(S[i]) ? S[i] : 0.0;
        }
    }
}

static void find_local_sizes(const vs_problem *p, const double *diagonal, vs_row_sizes *size) {
    for (int i = 0; i < p->contacts; i++)
        for (int k = 0, rows = p->row[i + 1] - p->row[i]; k < rows; k++) {
            double a = diagonal[p->row[i] + k];
            size->x[size->first[i] + (int64_t)k * (rows + 1)] = usable(a) ? a : 0.0;
        }
}

static void find_local_diagonal(const vs_sparse *N, double *diagonal) {
    for (int j = 0; j < N->rows; j++) {
        diagonal[j] = 0.0;
        for (int64_t e = N->p[j]; e < N->p[j + 1]; e++)
            if (N->i[e] == j)
                diagonal[j] = N->x[e];
    }
}

// The largest entry of columns begin … end-1 of N; in a distributed problem, where columns are not complete, of these rows, as N is
// nearly symmetric. 1 if there is none.
static double substitute(const vs_problem *p, int begin, int end) {
    double largest = 0.0;
    if (p->local && p->space) {
        for (int64_t e = 0; e < p->N.p[p->N.cols]; e++)
            if (p->N.i[e] >= begin && p->N.i[e] < end)
                largest = fmax(largest, fabs(p->N.x[e]));
    } else if (p->local) {
        for (int64_t e = p->N.p[begin]; e < p->N.p[end]; e++)
            largest = fmax(largest, fabs(p->N.x[e]));
    }
    return largest > 0.0 ? largest : 1.0;
}

static double mean_of(const double *x, int begin, int end) {
    double sum = 0.0;
    for (int r = begin; r < end; r++)
        sum += x[r];
    return end > begin ? sum / (end - begin) : 0.0;
}

// Rows n, u, w and rotational rows, each with their mean; a body without rotation has the same for both.
static void scale_rolling(vs_energy_scale *scale, const vs_problem *p, vs_model model, int i) {
    int begin = p->row[i], turning = begin + 3, end = p->row[i + 1];
    double a = mean_of(scale->row, begin, model == VS_MODEL_FRICTIONLESS ? begin + 1 : turning);
    double a_r = mean_of(scale->row, turning, end);
    scale->contact[i] = usable(a) ? a : substitute(p, begin, end);
    for (int r = begin; r < end; r++)
        scale->row[r] = r < turning || !usable(a_r) ? scale->contact[i] : a_r;
    // One disc for all rows: lengths that make its coefficients equal.
    for (int r = turning; r < end && p->kind[i] == VS_CONE_ELLIPTIC; r++) {
        double ratio = p->mu[i] / (p->rolling[i] > 0.0 && r < turning + 2 ? p->rolling[i] : p->spinning[i]);
        scale->row[r] = scale->contact[i] * (ratio * ratio);
    }
}

static void scale_contact(vs_energy_scale *scale, const vs_problem *p, vs_model model, int i) {
    int begin = p->row[i], end = p->row[i + 1];
    if (vs_problem_rolls(p, i)) {
        scale_rolling(scale, p, model, i);
        return;
    }
    bool normal_only = model == VS_MODEL_FRICTIONLESS && p->kind[i] == VS_CONE_SECOND_ORDER;
    double a = mean_of(scale->row, begin, normal_only ? begin + 1 : end);
    scale->contact[i] = usable(a) ? a : substitute(p, begin, end);
    for (int r = begin; r < end; r++)
        if (p->kind[i] != VS_CONE_BOX)
            scale->row[r] = scale->contact[i];
        else if (!usable(scale->row[r]))
            scale->row[r] = substitute(p, r, r + 1);
}

void vs_energy_scale_compute(vs_energy_scale *scale, const vs_problem *problem, vs_model model, const vs_mass *mass) {
    if (problem->local) {
        find_local_diagonal(&problem->N, scale->row);
        find_local_sizes(problem, scale->row, &scale->size);
    } else if (problem->m > 0) {
        measure_rows(&problem->D, problem->E, mass, scale->work, scale->row, &scale->size);
    }
    for (int i = 0; i < problem->contacts; i++)
        scale_contact(scale, problem, model, i);

    if (problem->m_e > 0) {
        measure_rows(&problem->C, problem->E_e, mass, scale->work, scale->joint_row, &scale->joint_size);
    }
    for (int j = 0; j < problem->joints; j++) {
        int begin = problem->joint_row[j], end = problem->joint_row[j + 1];
        double a = mean_of(scale->joint_row, begin, end);
        for (int r = begin; r < end; r++)
            scale->joint_row[r] = usable(a) ? a : 1.0;
    }
}
