// LU of a matrix with symmetric pattern and unsymmetric values on dense fronts (fronts.h): our own, for the systems of
// contacts, whose blocks of 3 and 6 unknowns make fronts from the first pivot on.
//
//     R P A P' = L U      R: powers of two that bring the largest entry of each row near 1
//
// Rows are exchanged within a front only, which keeps the fronts from one factorization to the next. Where entries grow
// too much, or a front is singular, the same values are factored by KLU, or lu.c, with pivoting in the whole matrix. Both depend on
// the present values only, and no BLAS is called: the bits are the same on every processor.
#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/backend/backend.h"
#include "linalg/backend/front_kernel.h"
#include "linalg/backend/fronts.h"

static const double GROWTH = 1e-6;                 // least max|A| / max|U| of a column
static const double SINGULAR = 0.01 * DBL_EPSILON; // least ratio of pivots

typedef struct frontal_state {
    vs_arena arena;
    vs_fronts fronts;
    vs_linear_pattern pattern; // a copy, for `pivoted`
    int64_t *factor; // (fronts) where its factors begin in `x`: L and U_11 (rows x pivots), U_12 (pivots x border)
    double *x;
    int *exchanged;            // (n) by position, counted within the front
    double *F;                 // the front
    double *stack;             // borders that wait
    double *scale;             // (n) R, by position
    double *largest, *grown;   // (n) of the columns of A and U, by position
    double *w, *gathered;      // (n), (largest front)
    vs_linear_solver *pivoted; // KLU or LU, created when it is first needed
    bool in_fronts;            // the last factorization is in `x`, else in `pivoted`
} frontal_state;

static vs_error copy_pattern(frontal_state *s, const vs_linear_pattern *A) {
    s->pattern = *A;
    s->pattern.p = VS_COPY(&s->arena, int64_t, A->p, A->n + 1);
    s->pattern.i = VS_COPY(&s->arena, int, A->i, A->p[A->n]);
    s->pattern.group = A->groups > 0 ? VS_COPY(&s->arena, int, A->group, A->groups + 1) : NULL;
    s->pattern.order = NULL;
    return s->pattern.p && s->pattern.i && (s->pattern.group || A->groups == 0) ? VS_OK : VS_ERROR_MEMORY;
}

static vs_error allocate(frontal_state *s, int n) {
    const vs_fronts *f = &s->fronts;
    int64_t lead = vs_front_lead(f->largest), at = 0;
    s->factor = VS_NEW(&s->arena, int64_t, f->count);
    s->x = VS_NEW(&s->arena, double, f->numbers);
    s->exchanged = VS_NEW(&s->arena, int, n);
    s->F = VS_NEW(&s->arena, double, lead *lead);
    s->stack = VS_NEW(&s->arena, double, f->stack);
    s->scale = VS_NEW(&s->arena, double, n);
    s->largest = VS_NEW(&s->arena, double, n);
    s->grown = VS_NEW(&s->arena, double, n);
    s->w = VS_NEW(&s->arena, double, n);
    s->gathered = VS_NEW(&s->arena, double, f->largest);
    if (!s->factor || !s->x || !s->exchanged || !s->F || !s->stack || !s->scale || !s->largest || !s->grown || !s->w ||
        !s->gathered)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < f->count; k++) {
        int64_t pivots = vs_front_pivots(f, k), border = vs_front_border(f, k);
        s->factor[k] = at;
        at += (pivots + border) * pivots + pivots * border;
    }
    return VS_OK;
}

static vs_error create(vs_linear_solver *solver, const vs_linear_pattern *A) {
    frontal_state *s = vs_allocate(solver->context, sizeof *s);
    if (!s)
        return vs_fail_memory(solver->context);
    *s = (frontal_state){0};
    solver->state = s;
    vs_arena_init(&s->arena, solver->context);
    vs_error error = copy_pattern(s, A);
    if (!error)
        error = vs_fronts_create(&s->fronts, A, &s->arena);
    if (!error)
        error = allocate(s, A->n);
    solver->report.fill = s->fronts.numbers;
    solver->report.flops = s->fronts.flops;
    solver->report.bytes = s->fronts.numbers * (int64_t)sizeof(double);
    return error;
}

// Inlined, unlike fmax().
static double larger(double a, double b) {
    return a > b ? a : b;
}

// Of a few numbers: a loop costs less than a call.
static void copy(int64_t n, const double *from, double *restrict to) {
    for (int64_t k = 0; k < n; k++)
        to[k] = from[k];
}

// ---- factoring -----------------------------------------------------------------------------------------

static int position_of(const vs_fronts *f, int k, int row) {
    int pivots = vs_front_pivots(f, k);
    return row < pivots ? f->first[k] + row : f->border[f->rows[k] + row - pivots];
}

// The scales of rows; false: a row is zero.
static bool find_scales(frontal_state *s, int n, const double *x) {
    const vs_fronts *f = &s->fronts;
    double *most = s->gathered;
    memset(s->scale, 0, sizeof(double) * (size_t)n);
    for (int k = 0; k < f->count; k++) {
        int rows = vs_front_pivots(f, k) + vs_front_border(f, k);
        memset(most, 0, sizeof(double) * (size_t)rows);
        for (int64_t t = f->entry[k]; t < f->entry[k + 1]; t++)
            most[f->row[t]] = larger(most[f->row[t]], fabs(x[f->value[t]]));
        for (int i = 0; i < rows; i++) {
            double *scale = s->scale + position_of(f, k, i);
            *scale = larger(*scale, most[i]);
        }
    }
    for (int k = 0; k < n; k++) {
        if (!(s->scale[k] > 0))
            return false;
        s->scale[k] = ldexp(1, -ilogb(s->scale[k]));
    }
    return true;
}

// The entries of the matrix in front k, scaled, and the largest of their columns.
static void scatter(frontal_state *s, int k, int rows, const double *x) {
    const vs_fronts *f = &s->fronts;
    int64_t lead = vs_front_lead(rows);
    double *scale = s->gathered;
    for (int i = 0; i < rows; i++)
        scale[i] = s->scale[position_of(f, k, i)];
    for (int64_t t = f->entry[k]; t < f->entry[k + 1]; t++)
        s->F[f->row[t] * lead + f->col[t]] = x[f->value[t]] * scale[f->row[t]];
    for (int64_t t = f->entry[k]; t < f->entry[k + 1]; t++) {
        double *largest = s->largest + position_of(f, k, f->col[t]);
        *largest = larger(*largest, fabs(s->F[f->row[t] * lead + f->col[t]]));
    }
}

// The front k of the matrix, and the borders of its children, which are taken from the stack; returns its new height.
static int64_t assemble(frontal_state *s, int k, const double *x, int64_t height) {
    const vs_fronts *f = &s->fronts;
    int rows = vs_front_pivots(f, k) + vs_front_border(f, k);
    int64_t lead = vs_front_lead(rows);
    memset(s->F, 0, sizeof(double) * (size_t)(lead * lead));
    scatter(s, k, rows, x);
    for (int child = f->child[k]; child >= 0; child = f->sibling[child]) {
        int64_t border = vs_front_border(f, child);
        const int *place = f->place + f->rows[child];
        height -= border * border;
        for (int64_t i = 0; i < border; i++) {
            double *to = s->F + place[i] * lead;
            const double *from = s->stack + height + i * border;
            for (int64_t j = 0; j < border; j++)
                to[place[j]] += from[j];
        }
    }
    return height;
}

// Largest entries of the columns of U in the rows of front k.
static void note_growth(frontal_state *s, int k) {
    const vs_fronts *f = &s->fronts;
    int64_t pivots = vs_front_pivots(f, k), border = vs_front_border(f, k),
            lead = vs_front_lead((int)(pivots + border));
    const int *at = f->border + f->rows[k];
    double *most = s->gathered;
    memset(most, 0, sizeof(double) * (size_t)(pivots + border));
    for (int64_t p = 0; p < pivots; p++)
        for (int64_t j = p; j < pivots + border; j++)
            most[j] = larger(most[j], fabs(s->F[p * lead + j]));
    for (int64_t j = 0; j < pivots; j++)
        s->grown[f->first[k] + j] = larger(s->grown[f->first[k] + j], most[j]);
    for (int64_t j = 0; j < border; j++)
        s->grown[at[j]] = larger(s->grown[at[j]], most[pivots + j]);
}

// The factors of front k, and its border onto the stack; returns its new height.
static int64_t store(frontal_state *s, int k, int64_t height) {
    const vs_fronts *f = &s->fronts;
    int64_t pivots = vs_front_pivots(f, k), border = vs_front_border(f, k),
            lead = vs_front_lead((int)(pivots + border));
    double *L = s->x + s->factor[k], *U = L + (pivots + border) * pivots;
    for (int64_t i = 0; i < pivots + border; i++)
        copy(pivots, s->F + i * lead, L + i * pivots);
    for (int64_t p = 0; p < pivots; p++)
        copy(border, s->F + p * lead + pivots, U + p * border);
    for (int64_t i = 0; i < border; i++)
        copy(border, s->F + (pivots + i) * lead + pivots, s->stack + height + i * border);
    return height + border * border;
}

// Did entries grow too much, or are pivots so different that the matrix counts as singular? Also the determinant's sign.
static bool judge(vs_linear_solver *solver, frontal_state *s) {
    const vs_fronts *f = &s->fronts;
    double least = INFINITY, most = 0;
    bool positive = true;
    for (int k = 0; k < f->count; k++) {
        int pivots = vs_front_pivots(f, k);
        const double *L = s->x + s->factor[k];
        for (int p = 0; p < pivots; p++) {
            double pivot = L[(int64_t)p * pivots + p];
            least = fabs(pivot) < least ? fabs(pivot) : least;
            most = larger(most, fabs(pivot));
            positive = positive == ((pivot > 0) == (s->exchanged[f->first[k] + p] == p));
        }
    }
    solver->report.sign_det = positive ? 1 : -1;
    for (int k = 0; k < solver->n; k++)
        if (!(s->largest[k] >= GROWTH * s->grown[k]))
            return false;
    return isfinite(most) && least > SINGULAR * most;
}

static bool factor_fronts(vs_linear_solver *solver, frontal_state *s, const double *x) {
    const vs_fronts *f = &s->fronts;
    int64_t height = 0;
    if (!find_scales(s, solver->n, x))
        return false;
    memset(s->largest, 0, sizeof(double) * (size_t)solver->n);
    memset(s->grown, 0, sizeof(double) * (size_t)solver->n);
    for (int k = 0; k < f->count; k++) {
        int pivots = vs_front_pivots(f, k), rows = pivots + vs_front_border(f, k);
        height = assemble(s, k, x, height);
        if (!vs_front_eliminate(s->F, rows, pivots, s->exchanged + f->first[k]))
            return false;
        note_growth(s, k);
        height = store(s, k, height);
    }
    return judge(solver, s);
}

static vs_error factor_pivoted(vs_linear_solver *solver, frontal_state *s, const double *x) {
    static const char *const pivoting[] = {"klu", "lu", NULL};
    vs_error error = VS_OK;
    if (!s->pivoted)
        error = vs_linear_solver_create(solver->context, vs_linear_backend_first(pivoting), &s->pattern, &s->pivoted);
    if (!error)
        error = vs_linear_solver_factor(s->pivoted, x);
    solver->report.sign_det = error ? 0 : s->pivoted->report.sign_det;
    return error;
}

static vs_error factor(vs_linear_solver *solver, const double *x) {
    frontal_state *s = solver->state;
    s->in_fronts = factor_fronts(solver, s, x);
    return s->in_fronts ? VS_OK : factor_pivoted(solver, s, x);
}

// ---- solving -------------------------------------------------------------------------------------------

// In four sums, which do not wait for each other.
static double dot(int64_t n, const double *a, const double *b) {
    double sum[4] = {0};
    int64_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (int lane = 0; lane < 4; lane++)
            sum[lane] += a[k + lane] * b[k + lane];
    for (; k < n; k++)
        sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void solve_lower(const frontal_state *s, int k) {
    const vs_fronts *f = &s->fronts;
    int64_t pivots = vs_front_pivots(f, k), border = vs_front_border(f, k);
    const double *L = s->x + s->factor[k];
    const int *at = f->border + f->rows[k], *exchanged = s->exchanged + f->first[k];
    double *w = s->w + f->first[k];
    for (int64_t p = 0; p < pivots; p++) {
        double keep = w[p];
        w[p] = w[exchanged[p]];
        w[exchanged[p]] = keep;
    }
    for (int64_t p = 1; p < pivots; p++)
        w[p] -= dot(p, L + p * pivots, w);
    for (int64_t i = 0; i < border; i++)
        s->w[at[i]] -= dot(pivots, L + (pivots + i) * pivots, w);
}

static void solve_upper(const frontal_state *s, int k) {
    const vs_fronts *f = &s->fronts;
    int64_t pivots = vs_front_pivots(f, k), border = vs_front_border(f, k);
    const double *L = s->x + s->factor[k], *U = L + (pivots + border) * pivots;
    const int *at = f->border + f->rows[k];
    double *w = s->w + f->first[k];
    for (int64_t j = 0; j < border; j++)
        s->gathered[j] = s->w[at[j]];
    for (int64_t p = pivots - 1; p >= 0; p--) {
        w[p] -= dot(border, U + p * border, s->gathered) + dot(pivots - 1 - p, L + p * pivots + p + 1, w + p + 1);
        w[p] /= L[p * pivots + p];
    }
}

static vs_error solve(vs_linear_solver *solver, double *x) {
    const frontal_state *s = solver->state;
    const int *position = s->fronts.position;
    if (!s->in_fronts)
        return vs_linear_solver_solve(s->pivoted, x);
    for (int i = 0; i < solver->n; i++)
        s->w[position[i]] = x[i] * s->scale[position[i]];
    for (int k = 0; k < s->fronts.count; k++)
        solve_lower(s, k);
    for (int k = s->fronts.count - 1; k >= 0; k--)
        solve_upper(s, k);
    for (int i = 0; i < solver->n; i++)
        x[i] = s->w[position[i]];
    return VS_OK;
}

static void destroy(vs_linear_solver *solver) {
    frontal_state *s = solver->state;
    if (!s)
        return;
    vs_linear_solver_destroy(s->pivoted);
    vs_arena_release(&s->arena);
    vs_release(solver->context, s);
}

const vs_linear_backend vs_backend_frontal = {
    .name = "frontal",
    .version = "built in",
    .licence = "as voussoir",
    .purpose = "dense fronts: unsymmetric systems of contacts, no BLAS",
    .unsymmetric = true,
    .create = create,
    .factor = factor,
    .solve = solve,
    .destroy = destroy,
};
