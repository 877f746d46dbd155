// The modes of the smoothed laws. With B of a group in roots of energies (rows divided by the root of the inverse effective
// mass) and its singular value decomposition B = U S V',
//
//     T = V s,    R = U s,    epsilon = S s^2,    s = (1 + S)^-1/2
//
// turns R'B T into diag(epsilon), all between 0 and 1.
#include "solver/derivative/smooth_law.h"

#include <math.h>
#include <string.h>

static const double ORTHOGONAL = 1e-15;
enum { SWEEPS = 40 };

typedef struct small {
    int n;
    double A[VS_MODE_ROWS][VS_MODE_ROWS]; // by columns
    double V[VS_MODE_ROWS][VS_MODE_ROWS]; // by columns
    double S[VS_MODE_ROWS];
} small;

static double column_dot(const small *m, int i, int j) {
    double sum = 0;
    for (int k = 0; k < m->n; k++)
        sum += m->A[i][k] * m->A[j][k];
    return sum;
}

static void rotate(int n, double c, double s, double *x, double *y) {
    for (int k = 0; k < n; k++) {
        const double old = x[k];
        x[k] = c * old - s * y[k];
        y[k] = s * old + c * y[k];
    }
}

// One-sided Jacobi rotations (Hestenes 1958): columns of A become U S, those of V the right singular vectors.
static void decompose(small *m) {
    memset(m->V, 0, sizeof m->V);
    for (int i = 0; i < m->n; i++)
        m->V[i][i] = 1;
    bool turned = true;
    for (int sweep = 0; sweep < SWEEPS && turned; sweep++) {
        turned = false;
        for (int i = 0; i < m->n; i++)
            for (int j = i + 1; j < m->n; j++) {
                const double aa = column_dot(m, i, i), bb = column_dot(m, j, j), ab = column_dot(m, i, j);
                if (!(fabs(ab) > ORTHOGONAL * sqrt(aa) * sqrt(bb)))
                    continue;
                const double zeta = (bb - aa) / (2 * ab);
                const double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta)), c = 1 / sqrt(1 + t * t);
                rotate(m->n, c, c * t, m->A[i], m->A[j]);
                rotate(m->n, c, c * t, m->V[i], m->V[j]);
                turned = true;
            }
    }
    for (int j = 0; j < m->n; j++) {
        m->S[j] = sqrt(column_dot(m, j, j));
        for (int k = 0; k < m->n; k++)
            m->A[j][k] = m->S[j] > 0 ? m->A[j][k] / m->S[j] : k == j;
    }
}

// B and dU (rows x rows): du = -B dl + dU dm, m of the parameters of the rows.
typedef struct linearized {
    double B[VS_MODE_ROWS][VS_MODE_ROWS], dU[VS_MODE_ROWS][VS_MODE_ROWS];
} linearized;

static void add_pair(const vs_smooth_pair *pair, linearized *to) {
    for (int i = pair->normal ? 0 : 1; i < pair->size; i++)
        for (int j = 0; j < pair->size; j++) {
            const double share = pair->G[i] * pair->W2[i * VS_MODE_ROWS + j] * pair->G[j];
            to->B[pair->row[i]][pair->row[j]] += share;
            if (j == 0)
                continue;
            // a_j = l_j / m_j, and y_i = x_i / m_i
            const double l = pair->a[j] / pair->G[j], m = 1 / pair->G[j];
            to->dU[pair->row[i]][pair->row[j]] += share * l / m - (i == j ? pair->x[j] / (m * m) : 0);
        }
}

static linearized linearize(const vs_smooth_law *law, const vs_smooth_group *group) {
    linearized to = {0};
    for (int e = group->pair; e < group->pair + group->pairs; e++)
        add_pair(&law->pair[e], &to);
    if (group->box)
        to.dU[0][0] = to.B[0][0]; // as its bounds move, so does the impulse
    return to;
}

static void add_modes(const linearized *from, const vs_smooth_group *group, const double *a, vs_modes *modes) {
    small m = {0};
    int row[VS_MODE_ROWS] = {0};
    for (int i = 0; i < group->rows; i++)
        if (group->active[i])
            row[m.n++] = i;
    for (int i = 0; i < m.n; i++)
        for (int j = 0; j < m.n; j++)
            m.A[j][i] = from->B[row[i]][row[j]] / sqrt(a[row[i]] * a[row[j]]);
    decompose(&m);
    for (int k = 0; k < m.n; k++) {
        vs_mode *mode = vs_modes_add(modes, false, group->contact, group->first, group->rows);
        const double s = 1 / sqrt(1 + m.S[k]);
        for (int i = 0; i < m.n; i++) {
            mode->T[row[i]] = s * m.V[k][i] / sqrt(a[row[i]]);
            mode->R[row[i]] = s * m.A[k][i] / sqrt(a[row[i]]);
        }
        for (int j = 0; j < group->rows; j++)
            for (int i = 0; i < group->rows; i++)
                mode->Q[j] += mode->R[i] * from->dU[i][j];
        mode->epsilon = s * m.S[k] * s;
    }
}

// Of the bound of a box row between its bounds.
static double share_of_low(const vs_smooth_law *law, const vs_smooth_group *group, double B) {
    double low = 0;
    for (int e = group->pair; e < group->pair + group->pairs; e++)
        low += law->pair[e].G[0] > 0 ? law->pair[e].W2[0] : 0;
    return B > 0 ? low / B : 0;
}

vs_error vs_smooth_law_modes(const vs_smooth_law *law, vs_modes *modes, const vs_mass_model *mass, vs_arena *arena) {
    vs_error error = vs_modes_begin(modes, mass, arena);
    if (error)
        return error;
    for (int k = 0; k < law->groups; k++) {
        const vs_smooth_group *group = &law->group[k];
        const linearized linear = linearize(law, group);
        add_modes(&linear, group, mass->scale.row + group->first, modes);
        for (int i = 0; i < group->rows; i++)
            modes->status[group->first + i] = group->active[i] ? VS_ROW_SMOOTHED : VS_ROW_OPEN;
        if (!group->box)
            continue;
        modes->low[group->first] = group->active[0] ? share_of_low(law, group, linear.B[0][0]) : .5;
        modes->P[group->first] = group->active[0] ? 0 : 1;
        if (!group->active[0])
            modes->status[group->first] = VS_ROW_LIMIT;
    }
    return vs_modes_end(modes, mass, arena);
}
