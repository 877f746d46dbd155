// Lemke's complementary pivoting for the MLCP of mlcp.h, dense.
//
// All box rows start at a bound, with an artificial variable z that makes every w feasible there:
//
//     w = A x + q + d z,      d = +1 where x = lo,  -1 where x = hi,  0 in free rows
//
// z decreases along a path of complementary points, pivot by pivot, until it is zero. A dictionary expresses the basic
// variables (free x, x between bounds, w of rows at a bound, z) by the others: basic = value + T (nonbasic).
// One variable is driven; the basic one that reaches the end of its range first leaves, and its complement is driven
// next:
//
//     w_i reaches 0              x_i is driven away from its bound
//     x_i reaches lo or hi       w_i is driven up or down. Of a driven x_i itself: without a pivot
//     z reaches 0                solved
//
// Free rows are made basic first. Ties are broken as if q were perturbed by d (t, t^2, t^3, …), which excludes cycling:
// the coefficients are in the columns of T that belong to the first basis (lexicographic rule; Cottle et al. 1992,
// sections 4.4 and 4.9).
//
// As in block_pivoting.c A has epsilon on its diagonal, which makes its principal minors positive: the path cannot end
// in a ray. The last dictionary determines which rows are at which bound; the impulses themselves come from
// block_pivoting.c, which refines them and corrects the few sets that are wrong by rounding.
#include <math.h>
#include <string.h>

#include "solver/impulse/operator.h"
#include "solver/pivoting/block_pivoting.h"

enum { ROWS_MOST = 500 };
static const double PIVOT_LEAST = 1e-11; // of the rates of a column, relative to the largest
static const double TIE = 1e-12;         // of step lengths, relative to size

// A variable is x_k (k), w_k (rows + k) or z (2 rows).
typedef struct lemke_state {
    vs_mlcp mlcp;
    int columns;   // rows + 1
    double *T;     // (rows x columns) d basic / d nonbasic
    double *value; // (rows) of the basic variables
    int *basic;    // (rows)
    int *nonbasic; // (columns)
    int *column;   // (rows) where w_k is nonbasic, else -1
    double *sign;  // (rows) of d: +1, -1; 0 in free and fixed rows
} lemke_state;

typedef struct step {
    int row;       // basic variable that leaves; -1: the driven one reaches its other bound, -2: none does
    double length; //
    bool upper;    // it leaves at the upper end of its range
} step;

// ---- dictionary --------------------------------------------------------------------------------------

static void find_range(const lemke_state *s, int variable, double *low, double *high) {
    int rows = s->mlcp.rows, k = variable - rows;
    if (variable < rows) {
        *low = s->mlcp.lo[variable], *high = s->mlcp.hi[variable];
    } else if (k == rows) {
        *low = 0, *high = INFINITY;
    } else { // w of a fixed row is arbitrary
        bool fixed = !(s->mlcp.lo[k] < s->mlcp.hi[k]);
        *low = !fixed && s->mlcp.set[k] == VS_AT_LOWER ? 0 : -INFINITY;
        *high = !fixed && s->mlcp.set[k] == VS_AT_UPPER ? 0 : INFINITY;
    }
}

static void exchange(lemke_state *s, int r, int c) {
    int rows = s->mlcp.rows, columns = s->columns;
    double *row = s->T + (int64_t)r * columns, inverse = 1 / row[c];
    for (int j = 0; j < columns; j++)
        row[j] *= -inverse;
    row[c] = inverse;
    for (int i = 0; i < rows; i++) {
        double *other = s->T + (int64_t)i * columns, factor = other[c];
        if (i == r || factor == 0)
            continue;
        other[c] = 0;
        for (int j = 0; j < columns; j++)
            other[j] += factor * row[j];
    }
    int leaving = s->basic[r], entering = s->nonbasic[c];
    s->basic[r] = entering, s->nonbasic[c] = leaving;
    if (entering >= rows && entering < 2 * rows)
        s->column[entering - rows] = -1;
    if (leaving >= rows && leaving < 2 * rows)
        s->column[leaving - rows] = c;
}

static int find_column(const lemke_state *s, int variable) {
    int c = 0;
    while (s->nonbasic[c] != variable)
        c++;
    return c;
}

// w = A x + q with x at the bounds nearest to its previous value.
static void fill(lemke_state *s) {
    vs_mlcp *p = &s->mlcp;
    int rows = p->rows;
    for (int k = 0; k < rows; k++) {
        bool free = isinf(p->lo[k]), fixed = !(p->lo[k] < p->hi[k]);
        bool upper = !fixed && isfinite(p->hi[k]) && p->x[k] - p->lo[k] > p->hi[k] - p->x[k];
        p->set[k] = free ? VS_BETWEEN : upper ? VS_AT_UPPER : VS_AT_LOWER;
        p->centre[k] = free ? p->x[k] : p->set[k] == VS_AT_LOWER ? p->lo[k] : p->hi[k];
        p->x[k] = free ? 0 : p->centre[k];
        s->sign[k] = free || fixed ? 0 : -p->set[k];
    }
    vs_impulse_velocities(p->impulses.problem, p->x, s->value);
    for (int k = 0; k < rows; k++) {
        double *row = s->T + (int64_t)k * s->columns;
        vs_reduced_row(&p->reduced, k, row);
        row[k] += p->reduced.epsilon;
        row[rows] = s->sign[k];
        s->value[k] -= isinf(p->lo[k]) ? p->reduced.epsilon * p->centre[k] : 0;
        s->basic[k] = rows + k;
        s->nonbasic[k] = k;
        s->column[k] = -1;
    }
    s->nonbasic[rows] = 2 * rows;
}

// Drives the variable of column c by `change`, its present value being `from`; row r (>= 0) takes it into the basis.
static void move(lemke_state *s, int c, double from, double change, int r) {
    for (int i = 0; i < s->mlcp.rows; i++)
        s->value[i] += s->T[(int64_t)i * s->columns + c] * change;
    if (r >= 0) {
        exchange(s, r, c);
        s->value[r] = from + change;
    }
}

// Makes the impulses of free rows basic, those of largest diagonal first. False: the rows are inconsistent.
static bool enter_free(lemke_state *s) {
    const vs_mlcp *p = &s->mlcp;
    for (;;) {
        int best = -1;
        double most = 0;
        for (int k = 0; k < p->rows; k++) {
            double pivot = fabs(s->T[(int64_t)k * s->columns + k]);
            if (isinf(p->lo[k]) && s->basic[k] >= p->rows && pivot > most)
                best = k, most = pivot;
        }
        if (best < 0)
            break;
        move(s, best, 0, -s->value[best] / s->T[(int64_t)best * s->columns + best], best);
    }
    for (int k = 0; k < p->rows; k++)
        if (isinf(p->lo[k]) && s->basic[k] >= p->rows)
            return false;
    return true;
}

// ---- ratio test --------------------------------------------------------------------------------------

// Coefficient of t^k in the perturbed value of row i.
static double perturbation(const lemke_state *s, int i, int k) {
    if (s->basic[i] == s->mlcp.rows + k)
        return s->sign[k];
    return s->column[k] >= 0 ? -s->sign[k] * s->T[(int64_t)i * s->columns + s->column[k]] : 0;
}

// Is the perturbed step of row i, at the rate a, shorter than that of row j at b? Unperturbed they are equal. j = -1: a
// bound of the driven variable itself, which is not perturbed.
static bool is_shorter(const lemke_state *s, int i, double a, int j, double b) {
    for (int k = 0; k < s->mlcp.rows; k++) {
        if (s->sign[k] == 0)
            continue;
        double mine = perturbation(s, i, k) / -a, other = j >= 0 ? perturbation(s, j, k) / -b : 0;
        if (fabs(mine - other) > TIE * (1 + fabs(mine) + fabs(other)))
            return mine < other;
    }
    return false;
}

// The first basic variable to reach the end of its range when column c is driven in `direction`, at most by `most`.
static step find_step(const lemke_state *s, int c, double direction, double most) {
    int rows = s->mlcp.rows;
    step best = {.row = isfinite(most) ? -1 : -2, .length = most};
    double largest = 0, best_rate = 1;
    for (int i = 0; i < rows; i++)
        largest = fmax(largest, fabs(s->T[(int64_t)i * s->columns + c]));
    for (int i = 0; i < rows; i++) {
        double rate = direction * s->T[(int64_t)i * s->columns + c], low, high;
        if (!(fabs(rate) > PIVOT_LEAST * largest))
            continue;
        find_range(s, s->basic[i], &low, &high);
        double room = rate < 0 ? s->value[i] - low : high - s->value[i];
        if (isinf(room))
            continue;
        double length = fmax(room, 0) / fabs(rate), tie = TIE * (1 + length);
        bool equal = fabs(length - best.length) <= tie;
        bool ends = s->basic[i] == 2 * rows || (best.row >= 0 && s->basic[best.row] == 2 * rows); // z: the goal
        if (best.row == -2 || (!equal && length < best.length) ||
            (equal && (ends ? s->basic[i] == 2 * rows : is_shorter(s, i, rate, best.row, best_rate)))) {
            best = (step){i, length, rate > 0};
            best_rate = rate;
        }
    }
    return best;
}

// ---- the path ----------------------------------------------------------------------------------------

// The impulses and index sets of the dictionary.
static void read_impulses(lemke_state *s) {
    vs_mlcp *p = &s->mlcp;
    for (int k = 0; k < p->rows; k++)
        if (p->set[k] != VS_BETWEEN)
            p->x[k] = p->set[k] == VS_AT_LOWER ? p->lo[k] : p->hi[k];
    for (int i = 0; i < p->rows; i++)
        if (s->basic[i] < p->rows)
            p->x[s->basic[i]] = s->value[i];
}

// The row with the largest violation of w; -1: none.
static int find_worst(const lemke_state *s) {
    int worst = -1;
    double most = 0;
    for (int k = 0; k < s->mlcp.rows; k++)
        if (-s->sign[k] * s->value[k] > most) {
            worst = k;
            most = -s->sign[k] * s->value[k];
        }
    return worst;
}

// An x with bounds becomes basic: it is then between its bounds.
static void note_entering(vs_mlcp *p, int variable) {
    if (variable < p->rows)
        p->set[variable] = VS_BETWEEN;
}

// Follows the path until z is 0; every pivot is an iteration.
static vs_error follow(lemke_state *s, int worst, bool *stop) {
    vs_mlcp *p = &s->mlcp;
    int rows = p->rows, driven = worst; // x of the row whose w is 0 now
    double direction = s->sign[worst];
    move(s, rows, 0, -s->value[worst] / s->sign[worst], worst);
    for (;;) {
        vs_error error;
        read_impulses(s);
        *stop = vs_mlcp_check(p, false, &error);
        if (error || *stop)
            return error;
        bool impulse = driven < rows;
        double from = impulse ? p->x[driven] : 0, most = impulse ? p->hi[driven] - p->lo[driven] : INFINITY;
        int c = find_column(s, driven);
        step next = find_step(s, c, direction, most);
        if (next.row == -2)
            return VS_OK; // rounding: block_pivoting.c continues from here
        int leaving = next.row >= 0 ? s->basic[next.row] : driven;
        move(s, c, from, direction * next.length, next.row);
        if (next.row >= 0)
            note_entering(p, driven);
        if (leaving == 2 * rows)
            return VS_OK;
        if (leaving < rows) {
            bool upper = next.row >= 0 ? next.upper : direction > 0;
            p->set[leaving] = upper ? VS_AT_UPPER : VS_AT_LOWER;
            driven = rows + leaving;
            direction = upper ? -1 : 1;
        } else {
            driven = leaving - rows;
            direction = p->set[driven] == VS_AT_LOWER ? 1 : -1;
        }
    }
}

static vs_error solve_bounds(void *state, vs_mlcp *p, bool *stop) {
    lemke_state *s = state;
    fill(s);
    if (!enter_free(s)) {
        p->failed = "the joint rows are singular even with regularization; returned is the best iterate (least error)";
        return VS_OK;
    }
    int worst = find_worst(s);
    vs_error error = worst >= 0 ? follow(s, worst, stop) : VS_OK;
    if (error || *stop)
        return error;
    read_impulses(s);
    return vs_block_solve(p, stop);
}

// ---- the method --------------------------------------------------------------------------------------

static vs_error create(void *state, vs_method_run *run, vs_arena *arena) {
    lemke_state *s = state;
    int64_t rows = run->scaled.m_e + run->scaled.m;
    if (rows > ROWS_MOST)
        return vs_fail(run->context, VS_ERROR_UNSUPPORTED,
                       "method: lemke supports at most %d rows (dense matrix), and this problem has %d; use pivoting "
                       "or ipm",
                       ROWS_MOST, (int)rows);
    vs_error error = vs_mlcp_create(&s->mlcp, run, arena);
    if (error)
        return error;
    s->columns = (int)rows + 1;
    s->T = VS_NEW(arena, double, rows *(rows + 1));
    s->value = VS_NEW(arena, double, rows);
    s->basic = VS_NEW(arena, int, rows);
    s->nonbasic = VS_NEW(arena, int, rows + 1);
    s->column = VS_NEW(arena, int, rows);
    s->sign = VS_NEW(arena, double, rows);
    return s->T && s->value && s->basic && s->nonbasic && s->column && s->sign ? VS_OK : VS_ERROR_MEMORY;
}

static void release(void *state) {
    vs_mlcp_release(&((lemke_state *)state)->mlcp);
}

static vs_error update(void *state) {
    return vs_mlcp_update(&((lemke_state *)state)->mlcp);
}

static void begin(void *state) {
    vs_mlcp_begin(&((lemke_state *)state)->mlcp);
}

static vs_error solve(void *state) {
    return vs_mlcp_solve(&((lemke_state *)state)->mlcp, solve_bounds, state);
}

static const vs_counts *counts(const void *state) {
    return &((const lemke_state *)state)->mlcp.reduced.counts;
}

static void report(const void *state, vs_result *result) {
    vs_mlcp_report(&((const lemke_state *)state)->mlcp, result);
}

const vs_method_class vs_lemke_class = {
    .name = "lemke",
    .purpose = "Lemke's complementary pivoting: as pivoting, dense, up to 500 rows",
    .models = VS_SOLVES_ALL,
    .boxes = true,
    .most = 20000,
    .size = sizeof(lemke_state),
    .create = create,
    .release = release,
    .update = update,
    .begin = begin,
    .solve = solve,
    .counts = counts,
    .report = report,
};
