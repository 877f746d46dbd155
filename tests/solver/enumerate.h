// Frictionless problems by brute force: every set of active rows of a scene is tried, the one that violates no
// condition is the solution. Rows are joints (y = 0), frictionless contacts (l = 0 or y = 0) and boxes (l = lo, l = hi or y = 0):
//
//     y = N l + r,  N = J H^-1 J' + E,  r = -b - J H^-1 c;    v = H^-1 (J'l - c)
//
// Dense, with elimination that leaves dependent rows out: for about eight frictionless contacts.
#ifndef VS_TESTS_SOLVER_ENUMERATE_H
#define VS_TESTS_SOLVER_ENUMERATE_H

#include "parts.h"

enum { ROWS_MOST = 40, N_MOST = 48 };

typedef struct enumeration {
    int n, rows;
    scene_kind kind[ROWS_MOST];
    double J[ROWS_MOST][N_MOST], step[ROWS_MOST][N_MOST]; // step = H^-1 J'
    double N[ROWS_MOST][ROWS_MOST], r[ROWS_MOST], lo[ROWS_MOST], hi[ROWS_MOST];
    double v_free[N_MOST];
} enumeration;

// x <- H^-1 x; x (n)
static inline void solve_mass(const scene *s, double *x) {
    for (int k = 0, at = 0; k < s->bodies; at += s->body[k++].dofs) {
        double A[36];
        int pivot[6];
        memcpy(A, s->body[k].H, sizeof A);
        dense_factor(s->body[k].dofs, A, pivot);
        dense_solve(s->body[k].dofs, A, pivot, x + at);
    }
}

static inline void add_row(enumeration *e, const scene *s, const scene_link *link, int i, bool compliant) {
    int row = e->rows++;
    e->kind[row] = link->kind == FRICTION ? SMOOTH : link->kind;
    e->lo[row] = link->lo[i], e->hi[row] = link->hi[i];
    e->r[row] = -link->b[i];
    for (int a = 0; a < link->blocks; a++) {
        int at = 0, dofs = s->body[link->block[a]].dofs;
        for (int k = 0; k < link->block[a]; k++)
            at += s->body[k].dofs;
        for (int j = 0; j < dofs; j++)
            e->J[row][at + j] += link->J[a][i * dofs + j];
    }
    memcpy(e->step[row], e->J[row], sizeof e->step[row]);
    solve_mass(s, e->step[row]);
    e->N[row][row] = compliant ? link->compliance[i] : 0;
}

static inline void fill_enumeration(enumeration *e, const scene *s, bool compliant) {
    *e = (enumeration){0};
    for (int k = 0; k < s->bodies; k++)
        for (int j = 0; j < s->body[k].dofs; j++)
            e->v_free[e->n++] = -s->body[k].c[j];
    solve_mass(s, e->v_free);
    for (int k = 0; k < s->links; k++)
        for (int i = 0; i < (s->link[k].kind == FRICTION ? 1 : s->link[k].rows); i++)
            add_row(e, s, &s->link[k], i, compliant);
    for (int i = 0; i < e->rows; i++)
        for (int k = 0; k < e->n; k++) {
            e->r[i] += e->J[i][k] * e->v_free[k];
            for (int j = 0; j < e->rows; j++)
                e->N[i][j] += e->J[i][k] * e->step[j][k];
        }
}

// Gauss with full pivoting on the `count` rows listed in `set`: x += a solution of A x = f, 0 where rows depend.
static inline void solve_set(const enumeration *e, const int *set, int count, const double *f, double *x) {
    double A[ROWS_MOST][ROWS_MOST + 1], most = 0;
    int column[ROWS_MOST], rank = 0;
    for (int i = 0; i < count; i++) {
        column[i] = i;
        A[i][count] = f[set[i]];
        for (int j = 0; j < count; j++) {
            A[i][j] = e->N[set[i]][set[j]];
            most = fmax(most, fabs(A[i][j]));
        }
    }
    for (; rank < count; rank++) {
        int row = rank, col = rank;
        for (int i = rank; i < count; i++)
            for (int j = rank; j < count; j++)
                if (fabs(A[i][j]) > fabs(A[row][col]))
                    row = i, col = j;
        if (fabs(A[row][col]) <= 1e-11 * most)
            break;
        for (int j = 0; j <= count; j++) {
            double swap = A[rank][j];
            A[rank][j] = A[row][j], A[row][j] = swap;
        }
        for (int i = 0; i < count; i++) {
            double swap = A[i][rank];
            A[i][rank] = A[i][col], A[i][col] = swap;
        }
        int swap = column[rank];
        column[rank] = column[col], column[col] = swap;
        for (int i = 0; i < count; i++) {
            double factor = i == rank ? 0 : A[i][rank] / A[rank][rank];
            for (int j = rank; j <= count && factor != 0; j++)
                A[i][j] -= factor * A[rank][j];
        }
    }
    for (int i = 0; i < rank; i++)
        x[set[column[i]]] += A[i][count] / A[i][i];
}

// Largest violation of one choice, a digit a row: 0 y = 0, 1 l = 0 or lo, 2 l = hi. l (rows) is filled.
static inline double try_choice(const enumeration *e, const int *digit, double *l) {
    int set[ROWS_MOST] = {0}, count = 0;
    double f[ROWS_MOST] = {0}, worst = 0;
    for (int i = 0; i < e->rows; i++) {
        l[i] = digit[i] == 0 || e->kind[i] != BOUNDS ? 0 : digit[i] == 1 ? e->lo[i] : e->hi[i];
        if (digit[i] == 0)
            set[count++] = i;
    }
    for (int i = 0; i < e->rows; i++) {
        f[i] = -e->r[i];
        for (int j = 0; j < e->rows; j++)
            f[i] -= e->N[i][j] * l[j];
    }
    solve_set(e, set, count, f, l);
    for (int i = 0; i < e->rows; i++) {
        double y = e->r[i];
        for (int j = 0; j < e->rows; j++)
            y += e->N[i][j] * l[j];
        worst = fmax(worst, digit[i] == 0 ? fabs(y) : digit[i] == 1 ? -y : y);
        if (e->kind[i] == SMOOTH)
            worst = fmax(worst, -l[i]);
        if (e->kind[i] == BOUNDS)
            worst = fmax(worst, fmax(e->lo[i] - l[i], l[i] - e->hi[i]));
    }
    return worst;
}

// v (n) of the choice with the least violation, which is returned.
static inline double enumerate(const enumeration *e, double *v) {
    static const int choices[] = {[SMOOTH] = 2, [JOINT] = 1, [BOUNDS] = 3};
    int digit[ROWS_MOST] = {0};
    double l[ROWS_MOST], least = INFINITY;
    int row;
    do {
        double worst = try_choice(e, digit, l);
        if (worst < least) {
            least = worst;
            memcpy(v, e->v_free, sizeof(double) * (size_t)e->n);
            for (int i = 0; i < e->rows; i++)
                for (int k = 0; k < e->n; k++)
                    v[k] += e->step[i][k] * l[i];
        }
        for (row = 0; row < e->rows && ++digit[row] == choices[e->kind[row]]; row++)
            digit[row] = 0; // counts on
    } while (row < e->rows);
    return least;
}

#endif
