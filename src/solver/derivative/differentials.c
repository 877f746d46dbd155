// Tangent and adjoint. See derivative.h for the quantities and modes.h for the equations.
//
//     tangent   dl0 = P dm,   dy0 = dy(dl0, data),   K z = Q'dm - R'dy0,   dl = dl0 + T z,   dv, dy = (dl, data)
//
// The adjoint is the same sequence transposed, step by step from the last to the first. Directions of matrices act like
// directions of vectors:
//
//     dc + dH v - dC'g - dD'l        db - dD v - dE l        db_e - dC v - dE_e g        dr + dN l
#include <math.h>
#include <string.h>

#include "solver/derivative/derivative_data.h"
#include "solver/derivative/mode_matrix.h"

// ---- parameters of the rows ------------------------------------------------------------------------

// The arrays of parameters that limit impulses: those of a problem's direction and of its gradient, in this order.
enum { MU, ROLLING, SPINNING, LO, HI, ARRAYS };

typedef struct row_parameter {
    int array, at;
    double share; // derivative of the row's limit by it
} row_parameter;

// The parameters that the impulse of a row follows: a coefficient of friction, or bounds. Returns their number.
static int find_parameters(const vs_derivative *d, int contact, int row, row_parameter found[2]) {
    const vs_problem *p = d->problem;
    const int first = p->row[contact], rows = p->row[contact + 1] - first;
    const double low = d->modes.low[row];
    if (d->modes.status[row] != VS_ROW_LIMIT && d->modes.status[row] != VS_ROW_SMOOTHED)
        return 0;
    if (p->kind[contact] == VS_CONE_BOX) {
        found[0] = (row_parameter){LO, row, low};
        found[1] = (row_parameter){HI, row, 1 - low};
        return 2;
    }
    if (row == first)
        return 0;
    found[0] = (row_parameter){MU + (int)vs_modes_coefficient(rows, row - first), contact, 1};
    return 1;
}

// dm (m)
static void spread_parameters(const vs_derivative *d, const vs_problem_direction *data, double *dm) {
    const vs_problem *p = d->problem;
    const double *const from[ARRAYS] = {data->mu, data->rolling, data->spinning, data->lo, data->hi};
    for (int i = 0; i < p->contacts; i++)
        for (int row = p->row[i]; row < p->row[i + 1]; row++) {
            row_parameter by[2];
            const int count = find_parameters(d, i, row, by);
            dm[row] = 0;
            for (int k = 0; k < count; k++)
                dm[row] += from[by[k].array] ? by[k].share * from[by[k].array][by[k].at] : 0;
        }
}

static void collect_parameters(const vs_derivative *d, const double *dm, const vs_problem_gradient *gradient) {
    const vs_problem *p = d->problem;
    double *const to[ARRAYS] = {gradient->mu, gradient->rolling, gradient->spinning, gradient->lo, gradient->hi};
    for (int array = MU; array < ARRAYS; array++)
        if (to[array])
            memset(to[array], 0, (size_t)(array >= LO ? p->m : p->contacts) * sizeof(double));
    for (int i = 0; i < p->contacts; i++)
        for (int row = p->row[i]; row < p->row[i + 1]; row++) {
            row_parameter by[2];
            const int count = find_parameters(d, i, row, by);
            for (int k = 0; k < count; k++)
                if (to[by[k].array])
                    to[by[k].array][by[k].at] += by[k].share * dm[row];
        }
}

// ---- shared parts of both --------------------------------------------------------------------------

typedef struct vectors {
    double *v, *g, *lambda, *y, *r_e; // (n), (m_e), (m), (m), (m_e)
    double *c, *b, *b_e;              // (n), (m), (m_e) directions of the data; local form: b is -r
    double *dm;                       // (m) of the parameters of the rows
    double *q, *z;                    // (modes)
} vectors;

static vs_error create_vectors(vectors *w, const vs_derivative *d, vs_arena *arena) {
    const vs_problem *p = d->problem;
    double **const each[] = {&w->v, &w->c, &w->g, &w->r_e, &w->b_e, &w->lambda, &w->y, &w->b, &w->dm, &w->q, &w->z};
    const int size[] = {p->n, p->n, p->m_e, p->m_e, p->m_e, p->m, p->m, p->m, p->m, d->modes.count, d->modes.count};
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
        *each[k] = VS_NEW_ZERO(arena, double, size[k]);
        if (!*each[k])
            return VS_ERROR_MEMORY;
    }
    return VS_OK;
}

// z of K z = q, or K'z = q, in every island.
static vs_error solve_islands(const vs_derivative *d, bool transposed, const vectors *w) {
    vs_error error = VS_OK;
    for (int k = 0; k < d->modes.islands && !error; k++)
        error =
            vs_pseudo_inverse_solve(&d->inverse[k], transposed, w->q + d->modes.island[k], w->z + d->modes.island[k]);
    return error;
}

static double relative(double residual, double size) {
    return size > 0 ? sqrt(residual / size) : 0;
}

static bool fits(const vs_matrix_view *A, int rows, int cols) {
    return !A->p || (A->rows == rows && A->cols == cols);
}

// ---- tangent ---------------------------------------------------------------------------------------

// y += factor A x, or A'x
static void add_product(const vs_matrix_view *A, bool transposed, double factor, const double *x, double *y) {
    for (int j = 0; A->p && j < A->cols; j++)
        for (int64_t e = A->p[j]; e < A->p[j + 1]; e++)
            if (transposed)
                y[j] += factor * A->x[e] * x[A->i[e]];
            else
                y[A->i[e]] += factor * A->x[e] * x[j];
}

static void add_vector(int n, double factor, const double *x, double *y) {
    for (int k = 0; x && k < n; k++)
        y[k] += factor * x[k];
}

static void gather_data(const vs_derivative *d, const vs_problem_direction *data, const vectors *w) {
    const vs_problem *p = d->problem;
    if (p->local) {
        add_vector(p->m, -1, data->r, w->b);
        add_product(&data->N, false, -1, d->lambda, w->b);
    } else {
        add_vector(p->n, 1, data->c, w->c);
        add_product(&data->H, false, 1, d->v, w->c);
        add_product(&data->Dt, false, -1, d->lambda, w->c);
        add_product(&data->Ct, false, -1, d->g, w->c);
        add_vector(p->m, 1, data->b, w->b);
        add_product(&data->Dt, true, -1, d->v, w->b);
        add_vector(p->m_e, 1, data->b_e, w->b_e);
        add_product(&data->Ct, true, -1, d->v, w->b_e);
        for (int k = 0; data->E && k < p->m; k++)
            w->b[k] -= data->E[k] * d->lambda[k];
        for (int k = 0; data->E_e && k < p->m_e; k++)
            w->b_e[k] -= data->E_e[k] * d->g[k];
    }
    spread_parameters(d, data, w->dm);
}

// v, y, r_e of the impulses' directions g, lambda and the data's: those of a problem with these data.
static vs_error move(const vs_derivative *d, const vectors *w) {
    vs_problem moved = *d->problem;
    moved.c = w->c;
    moved.b = w->b;
    moved.b_e = w->b_e;
    vs_velocities motion = {.v = w->v, .y = w->y, .r_e = w->r_e};
    if (!moved.local)
        return vs_velocities_compute(&motion, &moved, d->mass.factor, w->g, w->lambda);
    for (int k = 0; k < moved.m; k++)
        w->y[k] = -w->b[k];
    vs_sparse_multiply(&moved.N, 1.0, w->lambda, 1.0, w->y);
    return VS_OK;
}

// Q'dm - R'dy of a mode
static double right_side(const vs_mode *mode, const vectors *w) {
    double sum = 0;
    for (int i = 0; i < mode->rows && !mode->joint; i++)
        sum += mode->Q[i] * w->dm[mode->first + i];
    return sum - vs_mode_dot(mode, mode->R, w->y, w->r_e);
}

static vs_error find_tangent(const vs_derivative *d, const vectors *w, double *residual) {
    const vs_modes *modes = &d->modes;
    for (int k = 0; k < d->problem->m; k++)
        w->lambda[k] = modes->P[k] * w->dm[k];
    vs_error error = move(d, w);
    double size = 0, rest = 0;
    for (int k = 0; k < modes->count && !error; k++) {
        w->q[k] = right_side(&modes->mode[k], w);
        size += w->q[k] * w->q[k];
    }
    if (!error)
        error = solve_islands(d, false, w);
    for (int k = 0; k < modes->count && !error; k++)
        vs_mode_add(&modes->mode[k], modes->mode[k].T, w->z[k], w->lambda, w->g);
    if (!error)
        error = move(d, w);
    for (int k = 0; k < modes->count && !error; k++) {
        const double left = right_side(&modes->mode[k], w) - modes->mode[k].epsilon * w->z[k];
        rest += left * left;
    }
    if (residual)
        *residual = relative(rest, size);
    return error;
}

static void copy_out(int n, const double *from, double *to) {
    if (to && n > 0)
        memcpy(to, from, (size_t)n * sizeof *to);
}

vs_error vs_derivative_tangent(const vs_derivative *d, const vs_problem_direction *data,
                               const vs_solution_direction *solution, double *residual) {
    if (!d || !data || !solution)
        return VS_ERROR_ARGUMENT;
    const vs_problem *p = d->problem;
    if (!fits(&data->H, p->n, p->n) || !fits(&data->Dt, p->n, p->m) || !fits(&data->Ct, p->n, p->m_e) ||
        !fits(&data->N, p->m, p->m))
        return vs_fail(p->context, VS_ERROR_ARGUMENT, "tangent: a matrix has other sizes than the problem's");
    vs_arena scratch;
    vs_arena_init(&scratch, p->context);
    vectors w;
    vs_error error = create_vectors(&w, d, &scratch);
    if (!error) {
        gather_data(d, data, &w);
        error = find_tangent(d, &w, residual);
    }
    if (!error) {
        copy_out(p->local ? 0 : p->n, w.v, solution->v);
        copy_out(p->m_e, w.g, solution->g);
        copy_out(p->m, w.lambda, solution->lambda);
        copy_out(p->m, w.y, solution->y);
    }
    vs_arena_release(&scratch);
    return error;
}

// ---- adjoint ---------------------------------------------------------------------------------------

// The transpose of move(): weights of v, y, r_e become weights of g, lambda, c, b, b_e, added to what these have.
static vs_error move_back(const vs_derivative *d, const vectors *w) {
    const vs_problem *p = d->problem;
    for (int k = 0; k < p->m; k++)
        w->b[k] -= w->y[k];
    for (int k = 0; k < p->m_e; k++)
        w->b_e[k] -= w->r_e[k];
    if (p->local) {
        vs_sparse_multiply_t(&p->N, 1.0, w->y, 1.0, w->lambda);
        return VS_OK;
    }
    for (int k = 0; k < p->m; k++)
        w->lambda[k] += p->E ? p->E[k] * w->y[k] : 0;
    for (int k = 0; k < p->m_e; k++)
        w->g[k] += p->E_e ? p->E_e[k] * w->r_e[k] : 0;
    if (p->m > 0)
        vs_rows_multiply_t_add(&p->D, 1.0, w->y, w->v);
    if (p->m_e > 0)
        vs_rows_multiply_t_add(&p->C, 1.0, w->r_e, w->v);
    const vs_error error = vs_mass_solve(d->adjoint_mass, w->v);
    if (error)
        return error;
    add_vector(p->n, -1, w->v, w->c);
    if (p->m > 0)
        vs_rows_multiply(&p->D, 1.0, w->v, 1.0, w->lambda, p->context);
    if (p->m_e > 0)
        vs_rows_multiply(&p->C, 1.0, w->v, 1.0, w->g, p->context);
    return VS_OK;
}

static vs_error find_adjoint(const vs_derivative *d, const vectors *w, double *impulse, double *residual) {
    const vs_problem *p = d->problem;
    const vs_modes *modes = &d->modes;
    vs_error error = move_back(d, w);
    double size = 0, rest = 0;
    for (int k = 0; k < modes->count && !error; k++) {
        w->q[k] = vs_mode_dot(&modes->mode[k], modes->mode[k].T, w->lambda, w->g);
        size += w->q[k] * w->q[k];
    }
    if (!error)
        error = solve_islands(d, true, w);
    memcpy(impulse, w->lambda, (size_t)p->m * sizeof *impulse);
    memset(w->v, 0, (size_t)p->n * sizeof *w->v);
    memset(w->g, 0, (size_t)p->m_e * sizeof *w->g);
    memset(w->lambda, 0, (size_t)p->m * sizeof *w->lambda);
    memset(w->y, 0, (size_t)p->m * sizeof *w->y);
    memset(w->r_e, 0, (size_t)p->m_e * sizeof *w->r_e);
    for (int k = 0; k < modes->count && !error; k++) {
        const vs_mode *mode = &modes->mode[k];
        vs_mode_add(mode, mode->R, -w->z[k], w->y, w->r_e);
        for (int i = 0; i < mode->rows && !mode->joint; i++)
            w->dm[mode->first + i] += mode->Q[i] * w->z[k];
    }
    if (!error)
        error = move_back(d, w);
    for (int k = 0; k < modes->count && !error; k++) {
        const vs_mode *mode = &modes->mode[k];
        const double left = w->q[k] + vs_mode_dot(mode, mode->T, w->lambda, w->g) - mode->epsilon * w->z[k];
        rest += left * left;
    }
    for (int k = 0; k < p->m; k++)
        w->dm[k] += modes->P[k] * (impulse[k] + w->lambda[k]);
    if (residual)
        *residual = relative(rest, size);
    return error;
}

static void copy_gradient(const vs_derivative *d, const vectors *w, const vs_problem_gradient *gradient) {
    const vs_problem *p = d->problem;
    if (!p->local) {
        copy_out(p->n, w->c, gradient->c);
        copy_out(p->m, w->b, gradient->b);
        copy_out(p->m_e, w->b_e, gradient->b_e);
    }
    for (int k = 0; gradient->r && p->local && k < p->m; k++)
        gradient->r[k] = -w->b[k];
    for (int k = 0; gradient->E && k < p->m; k++)
        gradient->E[k] = -w->b[k] * d->lambda[k];
    for (int k = 0; gradient->E_e && k < p->m_e; k++)
        gradient->E_e[k] = -w->b_e[k] * d->g[k];
    collect_parameters(d, w->dm, gradient);
}

vs_error vs_derivative_adjoint(const vs_derivative *d, const vs_solution_direction *weights,
                               const vs_problem_gradient *gradient, double *residual) {
    if (!d || !weights || !gradient)
        return VS_ERROR_ARGUMENT;
    const vs_problem *p = d->problem;
    vs_arena scratch;
    vs_arena_init(&scratch, p->context);
    vectors w;
    vs_error error = create_vectors(&w, d, &scratch);
    double *impulse = VS_NEW_ZERO(&scratch, double, p->m);
    if (!error && !impulse)
        error = VS_ERROR_MEMORY;
    if (!error) {
        add_vector(p->local ? 0 : p->n, 1, weights->v, w.v);
        add_vector(p->m_e, 1, weights->g, w.g);
        add_vector(p->m, 1, weights->lambda, w.lambda);
        add_vector(p->m, 1, weights->y, w.y);
        error = find_adjoint(d, &w, impulse, residual);
    }
    if (!error)
        copy_gradient(d, &w, gradient);
    vs_arena_release(&scratch);
    return error;
}
