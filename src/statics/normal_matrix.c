// Assembly of S = G'B G by dense outer products of groups, and its Cholesky factorization. A column that no cone strongly
// resists makes S almost singular; delta keeps the factorization possible, and the caller refines its solutions.
#include "statics/normal_matrix.h"

#include <math.h>
#include <string.h>

enum { MOST_RAISES = 8 }; // of delta, by 100 each

static int width_of(const vs_rows *G, int group) {
    return (int)(G->start[group + 1] - G->start[group]);
}

static bool same_columns(const vs_rows *G, int a, int b) {
    const int width = width_of(G, a);
    return width == width_of(G, b) &&
           memcmp(G->col + G->start[a], G->col + G->start[b], (size_t)width * sizeof *G->col) == 0;
}

// Numbers the sets of columns; consecutive groups with the same columns share one. Returns their number.
static int number_sets(vs_normal_matrix *m, int *first) {
    int sets = 0;
    for (int g = 0; g < m->G->groups; g++) {
        if (g == 0 || !same_columns(m->G, g - 1, g)) {
            first[sets] = g;
            m->set_start[sets + 1] = m->set_start[sets] + (int64_t)width_of(m->G, g) * (width_of(m->G, g) + 1) / 2;
            sets++;
        }
        m->set[g] = sets - 1;
    }
    return sets;
}

// The pattern: pairs of columns of each set, and the diagonal.
static vs_error find_pattern(vs_normal_matrix *m, int sets, const int *first, vs_arena *arena) {
    const vs_rows *G = m->G;
    const int64_t count = m->set_start[sets] + G->cols;
    vs_arena work;
    vs_arena_init(&work, arena->context);
    int *row = VS_NEW(&work, int, count), *col = VS_NEW(&work, int, count);
    double *zero = VS_NEW_ZERO(&work, double, count);
    vs_error error = row && col && zero ? VS_OK : VS_ERROR_MEMORY;
    int64_t k = 0;
    for (int s = 0; s < sets && !error; s++) {
        const int *c = G->col + G->start[first[s]];
        for (int i = 0; i < width_of(G, first[s]); i++)
            for (int j = 0; j <= i; j++, k++) {
                row[k] = c[i];
                col[k] = c[j];
            }
    }
    for (int c = 0; c < G->cols && !error; c++, k++)
        row[k] = col[k] = c;
    if (!error)
        error = vs_sparse_from_triplets(G->cols, G->cols, count, row, col, zero, arena, &m->lower);
    vs_arena_release(&work);
    return error;
}

// Position of (row, col) in the lower triangle, which has it.
static int position(const vs_sparse *lower, int row, int col) {
    int64_t low = lower->p[col], high = lower->p[col + 1] - 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (lower->i[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return (int)low;
}

static void find_places(vs_normal_matrix *m, int sets, const int *first) {
    const vs_rows *G = m->G;
    for (int s = 0; s < sets; s++) {
        const int *c = G->col + G->start[first[s]];
        int *place = m->place + m->set_start[s];
        for (int i = 0, k = 0; i < width_of(G, first[s]); i++)
            for (int j = 0; j <= i; j++, k++)
                place[k] = position(&m->lower, c[i], c[j]);
    }
}

static vs_error create_solver(vs_normal_matrix *m, vs_context *context) {
    static const char *const names[] = {"cholmod", "mumps", "ldl", NULL};
    const vs_linear_pattern pattern = {
        .n = m->lower.cols, .p = m->lower.p, .i = m->lower.i, .symmetric = true, .definite = true};
    return vs_linear_solver_create(context, vs_linear_backend_first(names), &pattern, &m->solver);
}

vs_error vs_normal_matrix_init(vs_normal_matrix *m, const vs_rows *G, vs_arena *arena) {
    *m = (vs_normal_matrix){.G = G};
    vs_arena work;
    vs_arena_init(&work, arena->context);
    int *first = VS_NEW(&work, int, G->groups + 1);
    m->set = VS_NEW(arena, int, G->groups + 1);
    m->set_start = VS_NEW_ZERO(arena, int64_t, G->groups + 1);
    m->diagonal = VS_NEW(arena, double, G->cols);
    vs_error error = first && m->set && m->set_start && m->diagonal ? VS_OK : VS_ERROR_MEMORY;
    const int sets = error ? 0 : number_sets(m, first);
    if (!error)
        error = find_pattern(m, sets, first, arena);
    if (!error) {
        m->place = VS_NEW(arena, int, m->set_start[sets] + 1);
        error = m->place ? VS_OK : VS_ERROR_MEMORY;
    }
    if (!error) {
        find_places(m, sets, first);
        error = create_solver(m, arena->context);
    }
    vs_arena_release(&work);
    return error;
}

void vs_normal_matrix_release(vs_normal_matrix *m) {
    vs_linear_solver_destroy(m->solver);
    m->solver = NULL;
}

// Adds J'B J of one group.
static void add_group(vs_normal_matrix *m, int group, const double *B) {
    const vs_rows *G = m->G;
    const int width = width_of(G, group), rows = G->row[group + 1] - G->row[group];
    const double *J = G->x + G->value[group];
    const int *place = m->place + m->set_start[m->set[group]];
    for (int i = 0, k = 0; i < width; i++) {
        double BJ[3] = {0, 0, 0};
        for (int r = 0; r < rows; r++)
            for (int q = 0; q < rows; q++)
                BJ[r] += B[3 * r + q] * J[(int64_t)q * width + i];
        for (int j = 0; j <= i; j++, k++) {
            double sum = 0;
            for (int r = 0; r < rows; r++)
                sum += BJ[r] * J[(int64_t)r * width + j];
            m->lower.x[place[k]] += sum;
        }
    }
}

static void assemble(vs_normal_matrix *m, const double *blocks) {
    memset(m->lower.x, 0, (size_t)m->lower.p[m->lower.cols] * sizeof *m->lower.x);
    for (int g = 0; g < m->G->groups; g++)
        add_group(m, g, blocks + 9 * (int64_t)g);
    for (int j = 0; j < m->lower.cols; j++)
        m->diagonal[j] = m->lower.x[m->lower.p[j]];
}

vs_error vs_normal_matrix_factor(vs_normal_matrix *m, const double *blocks, double delta) {
    assemble(m, blocks);
    double largest = 0;
    for (int j = 0; j < m->lower.cols; j++)
        largest = fmax(largest, m->diagonal[j]);
    vs_error error = VS_ERROR_NUMERICAL;
    for (int raise = 0; raise < MOST_RAISES && error == VS_ERROR_NUMERICAL; raise++) {
        // A column without any cone has a zero diagonal: compared with the largest one.
        for (int j = 0; j < m->lower.cols; j++)
            m->lower.x[m->lower.p[j]] = m->diagonal[j] + delta * fmax(m->diagonal[j], 1e-6 * largest + 1e-300);
        error = vs_linear_solver_factor(m->solver, m->lower.x);
        m->factorizations++;
        delta *= 100;
    }
    return error;
}

vs_error vs_normal_matrix_solve(vs_normal_matrix *m, double *x) {
    return vs_linear_solver_solve(m->solver, x);
}
