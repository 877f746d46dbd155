// The rows beside the trees, with bounds: block principal pivoting (Júdice and Pires 1994) of
//
//     w = A x + q,    lo <= x <= hi,    w = 0 between them, w >= 0 at lo, w <= 0 at hi
//
// A set of rows between their bounds determines x; rows on the wrong side change their set, all at once while they become fewer,
// otherwise only the last of them, which cannot cycle if A is definite (Murty 1974).
//
// Redundant rows, such as the dry friction of coupled joints, make A singular. Therefore A x stands for A x + epsilon (x - c), c:
// the impulses of the pass before; epsilon is relative to the diagonal of the rows without their joints, as these may block a row.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "solver/forest/forest_bounds.h"

enum { PATIENCE = 4 };                   // exchanges of all rows without fewer on the wrong side
static const double PIVOT_LEAST = 1e-11; // of a matrix with the diagonal 1
static const double EPSILON = 1e-10;     //
static const double ROUNDING = 1e-13;    // of impulses and velocities, relative

// x of the present sets. False: A is not definite between them.
static bool find_point(vs_forest *s) {
    int count = 0;
    for (int k = 0; k < s->rows; k++) {
        const vs_forest_row *row = &s->row[k];
        s->x[k] = row->set < 0 ? row->lo : row->set > 0 ? row->hi : 0;
        if (row->set == 0)
            s->between[count++] = k;
    }
    for (int i = 0; i < count; i++) {
        const double *A = s->A + (int64_t)s->between[i] * s->rows;
        double *to = s->factor + (int64_t)i * s->rows, sum = s->q[s->between[i]];
        for (int k = 0; k < s->rows && count < s->rows; k++)
            sum += A[k] * s->x[k];
        for (int j = 0; j <= i; j++)
            to[j] = A[s->between[j]] * s->scale[s->between[i]] * s->scale[s->between[j]];
        to[i] += EPSILON;
        s->w[i] = EPSILON * s->row[s->between[i]].impulse / s->scale[s->between[i]] - sum * s->scale[s->between[i]];
    }
    if (!vs_dense_solve(count, s->rows, PIVOT_LEAST, s->factor, s->w))
        return false;
    for (int i = 0; i < count; i++)
        s->x[s->between[i]] = s->w[i] * s->scale[s->between[i]];
    return true;
}

// w of the rows at a bound.
static void find_velocities(vs_forest *s) {
    for (int k = 0; k < s->rows; k++) {
        const double *A = s->A + (int64_t)k * s->rows;
        s->w[k] = s->row[k].set == 0 ? 0 : s->q[k];
        for (int j = 0; j < s->rows && s->row[k].set != 0; j++)
            s->w[k] += A[j] * s->x[j];
    }
}

// The set to which row k must change, or its own.
static signed char find_set(const vs_forest *s, int k, double rounding) {
    const vs_forest_row *row = &s->row[k];
    const double x = s->x[k], w = s->w[k] * s->scale[k], most = rounding * s->scale[k];
    if (!(row->lo < row->hi))
        return row->set;
    if (row->set == 0)
        return x < row->lo - most ? -1 : x > row->hi + most ? 1 : 0;
    return row->set * w > rounding ? 0 : row->set;
}

// Largest impulse, in the units in which the diagonal of A is 1.
static double find_size(const vs_forest *s) {
    double size = 0;
    for (int k = 0; k < s->rows; k++)
        size = fmax(size, fabs(s->x[k] / s->scale[k]));
    return size;
}

// Of a row without joints, as the measures weigh it.
static double find_mobility(const vs_forest *s, const vs_forest_row *row) {
    const vs_energy_scale *scale = &s->run->mass.scale;
    return row->joint ? scale->joint_row[row->row] : scale->row[row->row];
}

int vs_forest_exchange(vs_forest *s) {
    int least = INT_MAX, patience = PATIENCE;
    for (int k = 0; k < s->rows; k++) {
        const double a = fmax(s->A[(int64_t)k * (s->rows + 1)], find_mobility(s, &s->row[k]));
        if (!(a > 0) || isinf(a))
            return -1;
        s->scale[k] = 1 / sqrt(a);
    }
    for (int exchange = 1; exchange <= VS_FOREST_EXCHANGES; exchange++) {
        if (!find_point(s))
            return -1;
        find_velocities(s);
        const double rounding = ROUNDING * find_size(s);
        int count = 0, last = 0;
        for (int k = 0; k < s->rows; k++)
            if (find_set(s, k, rounding) != s->row[k].set)
                count++, last = k;
        if (count == 0)
            return exchange;
        patience = count < least ? PATIENCE : patience - 1;
        least = count < least ? count : least;
        for (int k = patience >= 0 ? 0 : last; k <= last; k++)
            s->row[k].set = find_set(s, k, rounding);
    }
    return -1;
}
