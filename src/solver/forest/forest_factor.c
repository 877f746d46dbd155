// Elimination of the trees, and sweeps through them: see forest.h.
//
// A node with the load f, the joint J above it and the right-hand side b there, all below it eliminated:
//
//     v = a + Y'g        g = s - K v_above        a = M^-1 f,  s = W (b - J a)
//     M_above += J_above' K        f_above += J_above' s
//
// Two right-hand sides f, f' have f'v = sum over the nodes of a'.f + t'.s, t = J a: what they share of their paths.
#include <math.h>
#include <string.h>

#include "solver/forest/forest_factor.h"

enum { WIDTH = VS_FOREST_WIDTH, JOINT = VS_FOREST_JOINT };
static const double PIVOT_LEAST = 1e-12; // of the diagonal

// ---- small matrices ----------------------------------------------------------------------------------

static double dot(const double *restrict x, const double *restrict y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3] + x[4] * y[4] + x[5] * y[5];
}

// y (6) = A x, A symmetric
static void apply(const double *restrict A, const double *restrict x, double *restrict y) {
    for (int j = 0; j < WIDTH; j++)
        y[j] = A[j] * x[0];
    for (int i = 1; i < WIDTH; i++)
        for (int j = 0; j < WIDTH; j++)
            y[j] += A[WIDTH * i + j] * x[i];
}

// y (6) += alpha x
static void add(double alpha, const double *restrict x, double *restrict y) {
    for (int j = 0; j < WIDTH; j++)
        y[j] += alpha * x[j];
}

// A (n x n, symmetric, in rows of `stride`, zero behind them) becomes its inverse by Gauss-Jordan steps. False: it is not definite.
static inline bool invert(int n, int stride, double *A) {
    double least[JOINT];
    for (int k = 0; k < n; k++)
        least[k] = PIVOT_LEAST * A[(stride + 1) * k];
    for (int k = 0; k < n; k++) {
        double *pivot = A + (int64_t)stride * k, row[JOINT];
        if (!(pivot[k] > least[k]) || isinf(pivot[k]))
            return false;
        const double d = 1 / pivot[k];
        for (int j = 0; j < stride; j++)
            row[j] = d * pivot[j];
        row[k] = d;
        for (int i = 0; i < n; i++) {
            double *at = A + (int64_t)stride * i;
            const double factor = at[k];
            if (i == k)
                continue;
            at[k] = 0;
            for (int j = 0; j < stride; j++)
                at[j] -= factor * row[j];
        }
        memcpy(pivot, row, sizeof *row * (size_t)stride);
    }
    return true;
}

// ---- factor ------------------------------------------------------------------------------------------

static void read_inertias(vs_forest *s) {
    const vs_sparse *H = &s->run->problem->H;
    for (int k = 0; k < s->nodes; k++)
        memset(s->node[k].inertia, 0, sizeof s->node[k].inertia);
    for (int k = 0; k < H->cols; k++)
        for (int64_t at = H->p[k]; at < H->p[k + 1]; at++)
            s->node[k / WIDTH].inertia[WIDTH * (H->i[at] % WIDTH) + k % WIDTH] = H->x[at];
}

// K, and what the joint transfers to the node above.
static void transfer(vs_forest_node *node, const double *J, int width, double *inertia) {
    for (int r = 0; r < node->rows; r++) {
        double *K = node->K + (int64_t)WIDTH * r;
        memset(K, 0, sizeof *K * WIDTH);
        for (int k = 0; k < node->rows; k++)
            add(node->W[JOINT * r + k], J + (int64_t)k * width + node->others, K);
    }
    for (int r = 0; r < node->rows; r++)
        for (int i = 0; i < WIDTH; i++)
            add(J[(int64_t)r * width + node->others + i], node->K + (int64_t)WIDTH * r, inertia + (int64_t)WIDTH * i);
}

static bool factor_node(vs_forest *s, vs_forest_node *node) {
    const vs_problem *p = s->run->problem;
    memcpy(node->inverse, node->inertia, sizeof node->inverse);
    if (!invert(WIDTH, WIDTH, node->inverse))
        return false;
    if (node->group < 0)
        return true;
    const vs_rows *C = &p->C;
    const int width = (int)(C->start[node->group + 1] - C->start[node->group]);
    const double *J = C->x + C->value[node->group], *E = p->E_e + C->row[node->group];
    for (int r = 0; r < node->rows; r++)
        apply(node->inverse, J + (int64_t)r * width + node->own, node->Y + (int64_t)WIDTH * r);
    for (int r = 0; r < node->rows; r++) {
        for (int k = 0; k <= r; k++)
            node->W[JOINT * r + k] = node->W[JOINT * k + r] =
                dot(J + (int64_t)r * width + node->own, node->Y + (int64_t)WIDTH * k);
        node->W[(JOINT + 1) * r] += E[r];
    }
    if (!invert(node->rows, JOINT, node->W))
        return false;
    if (node->above >= 0)
        transfer(node, J, width, s->node[node->above].inertia);
    return true;
}

bool vs_forest_factor(vs_forest *s) {
    read_inertias(s);
    bool good = true;
    for (int k = 0; k < s->nodes && good; k++)
        good = factor_node(s, &s->node[s->order[k]]);
    return good;
}

// ---- sweeps ------------------------------------------------------------------------------------------

// a, t and s of a node from its f and the joint's b (null: 0); adds to the load above.
static void lift_node(const vs_forest *s, const vs_forest_node *node, const double *b, vs_forest_load *load,
                      vs_forest_load *above) {
    const vs_rows *C = &s->run->problem->C;
    apply(node->inverse, load->f, load->a);
    if (node->group < 0)
        return;
    const int width = (int)(C->start[node->group + 1] - C->start[node->group]);
    const double *J = C->x + C->value[node->group];
    double rest[JOINT] = {0};
    for (int r = 0; r < node->rows; r++) {
        load->t[r] = dot(J + (int64_t)r * width + node->own, load->a);
        rest[r] = (b ? b[C->row[node->group] + r] : 0) - load->t[r];
    }
    for (int r = 0; r < node->rows; r++) {
        double sum = 0;
        for (int k = 0; k < node->rows; k++)
            sum += node->W[JOINT * r + k] * rest[k];
        load->s[r] = sum;
        if (above)
            add(sum, J + (int64_t)r * width + node->others, above->f);
    }
}

static void lift_row(vs_forest *s, const vs_forest_row *row) {
    const vs_forest_view view = vs_forest_view_row(s, row);
    const int *slot = s->slot + (row - s->row) * (int64_t)s->nodes;
    for (int k = row->first; k < row->first + row->nodes; k++)
        memset(s->load[k].f, 0, sizeof s->load[k].f);
    for (int k = 0; k < view.width; k += WIDTH)
        memcpy(s->load[slot[view.col[k] / WIDTH]].f, view.x + k, sizeof s->load->f);
    for (int k = row->first; k < row->first + row->nodes; k++) {
        const vs_forest_node *node = &s->node[s->path[k]];
        lift_node(s, node, NULL, &s->load[k], node->above < 0 ? NULL : &s->load[slot[node->above]]);
    }
}

static double couple(const vs_forest_load *one, const vs_forest_load *other) {
    return dot(one->a, other->f) + dot(one->t, other->s) + one->t[6] * other->s[6] + one->t[7] * other->s[7];
}

// 1 or -1: the rows are the same but for this sign; 0: they are not.
static double compare(vs_forest_view a, vs_forest_view b) {
    bool same = true, opposite = true;
    for (int k = 0; k < a.width && (same || opposite); k++)
        same = same && a.x[k] == b.x[k], opposite = opposite && a.x[k] == -b.x[k];
    return same ? 1 : opposite ? -1 : 0;
}

static void find_like(vs_forest *s, int k) {
    vs_forest_row *row = &s->row[k];
    const vs_forest_view view = vs_forest_view_row(s, row);
    row->like = k, row->sign = 1;
    for (int j = row->before; j >= 0; j = s->row[j].before) {
        if (s->row[j].like != j)
            continue;
        row->sign = compare(vs_forest_view_row(s, &s->row[j]), view);
        row->like = row->sign != 0 ? j : k;
        if (row->like != k)
            return;
    }
    row->sign = 1;
}

// The entry of two rows that are like no row before them; the path of k has load.
static double couple_rows(const vs_forest *s, int j, int k) {
    const int *slot = s->slot + j * (int64_t)s->nodes;
    const vs_forest_row *row = &s->row[k];
    double sum = 0;
    for (int i = row->first; i < row->first + row->nodes; i++)
        if (slot[s->path[i]] >= 0)
            sum += couple(&s->load[slot[s->path[i]]], &s->load[i]);
    return sum;
}

void vs_forest_reduce(vs_forest *s) {
    for (int k = 0; k < s->rows; k++) {
        vs_forest_row *row = &s->row[k];
        find_like(s, k);
        if (row->like == k)
            lift_row(s, row);
        for (int j = 0; j <= k; j++) {
            const bool first = row->like == k && s->row[j].like == j;
            const int a = row->like > s->row[j].like ? row->like : s->row[j].like;
            const int b = row->like > s->row[j].like ? s->row[j].like : row->like;
            const double like = first ? couple_rows(s, j, k) : s->A[(int64_t)a * s->rows + b];
            s->A[(int64_t)k * s->rows + j] = row->sign * s->row[j].sign * like;
        }
    }
    for (int k = 0; k < s->rows; k++) {
        for (int j = 0; j < k; j++)
            s->A[(int64_t)j * s->rows + k] = s->A[(int64_t)k * s->rows + j];
        s->A[(int64_t)k * (s->rows + 1)] += s->row[k].compliance;
    }
}

static void lift_all(vs_forest *s, const double *b) {
    for (int k = 0; k < s->nodes; k++) {
        const int index = s->order[k];
        const vs_forest_node *node = &s->node[index];
        lift_node(s, node, b, &s->sweep[index], node->above < 0 ? NULL : &s->sweep[node->above]);
    }
}

void vs_forest_lift(vs_forest *s, const double *b) {
    for (int k = 0; k < s->nodes; k++)
        memset(s->sweep[k].f, 0, sizeof s->sweep[k].f);
    lift_all(s, b);
}

double vs_forest_row_velocity(const vs_forest *s, const vs_forest_row *of) {
    const vs_forest_row *row = &s->row[of->like];
    double sum = 0;
    for (int k = row->first; k < row->first + row->nodes; k++)
        sum += couple(&s->load[k], &s->sweep[s->path[k]]);
    return of->sign * sum;
}

void vs_forest_drop(vs_forest *s, const double *b, double *g) {
    const vs_rows *C = &s->run->problem->C;
    for (int k = 0; k < s->nodes; k++)
        memset(s->sweep[k].f, 0, sizeof s->sweep[k].f);
    for (int k = 0; k < s->rows; k++) {
        const vs_forest_view view = vs_forest_view_row(s, &s->row[k]);
        for (int j = 0; j < view.width && s->row[k].change != 0; j += WIDTH)
            add(s->row[k].change, view.x + j, s->sweep[view.col[j] / WIDTH].f);
    }
    lift_all(s, b);
    for (int k = s->nodes - 1; k >= 0; k--) {
        const int index = s->order[k];
        const vs_forest_node *node = &s->node[index];
        const double *above = node->above < 0 ? NULL : s->v + (int64_t)WIDTH * node->above;
        double *v = s->v + (int64_t)WIDTH * index;
        memcpy(v, s->sweep[index].a, sizeof *v * WIDTH);
        for (int r = 0; r < node->rows; r++) {
            const double impulse = s->sweep[index].s[r] - (above ? dot(node->K + (int64_t)WIDTH * r, above) : 0);
            g[C->row[node->group] + r] += impulse;
            add(impulse, node->Y + (int64_t)WIDTH * r, v);
        }
    }
}
