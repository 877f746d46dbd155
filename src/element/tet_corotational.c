// Corotational tetrahedra: linear elasticity in axes that rotate with the element (see tet.h).
//
// R is the rotation nearest to the mean deformation gradient Fm. With N = R'F at a point, e = sym(N) - 1 and
// s = 2 mu e + lambda tr(e) 1:
//
//     W   = sum w (mu e:e + lambda/2 (tr e)^2)
//     dW  = sum w (R s):dF - t.m,   m = axis of M' - M,   M = sum w N s
//     t   = A^-1 axis(R'dFm - dFm'R),   A = tr(S) 1 - S,   S = R'Fm
//     f_i = -( sum w R s g_i - R [p] gm_i ),   p = A^-1 m
//
// where -t.m is the effect of a rotation t, dR = R [t], at fixed x.
//
// For 4 nodes s and N = S commute and m = 0. For 10 nodes m is of second order in the strains; without it the element
// would exert a moment on itself (element-independent corotational form: Felippa and Haugen 2005).
//
// Tangents: R K R' from gradients rotated by R,
//
//     K_ij = sum w (lambda g_i g_j' + mu g_j g_i' + mu (g_i.g_j) 1)
//
// or the exact one, column by column, from the directional derivatives of all of the above.
#include "element/tet_corotational.h"

#include <assert.h>
#include <string.h>

#include "element/eigen.h"

enum { POINTS_MOST = 4 };

typedef struct frame {
    int nodes, points;
    const double *rest;
    const vs_elastic *elastic;
    vs_mat3 R, S, A_inverse;
    vs_mat3 N[POINTS_MOST], s[POINTS_MOST]; // R'F, stress in the rotated axes
    vs_vec3 p;
} frame;

static vs_mat3 t_times(const vs_mat3 *a, const vs_mat3 *b) { // a'b
    vs_mat3 t = vs_mat3_transpose(a);
    return vs_mat3_multiply(&t, b);
}
static vs_mat3 cross_matrix(vs_vec3 w) {
    return (vs_mat3){{0, -w.z, w.y, w.z, 0, -w.x, -w.y, w.x, 0}};
}
static vs_vec3 axis(const vs_mat3 *m) { // of m - m'
    const double *a = m->a;
    return (vs_vec3){a[7] - a[5], a[2] - a[6], a[3] - a[1]};
}
static void add(double s, const vs_mat3 *m, vs_mat3 *sum) {
    for (int k = 0; k < 9; k++)
        sum->a[k] += s * m->a[k];
}

// 2 mu e + lambda tr(e) 1 with e = sym(N) - shift 1
static vs_mat3 stress(const vs_elastic *elastic, const vs_mat3 *N, double shift) {
    const double *n = N->a, mu = elastic->mu;
    double xx = n[0] - shift, yy = n[4] - shift, zz = n[8] - shift, mean = elastic->lambda * (xx + yy + zz);
    double xy = mu * (n[1] + n[3]), xz = mu * (n[2] + n[6]), yz = mu * (n[5] + n[7]);
    return (vs_mat3){{2 * mu * xx + mean, xy, xz, xy, 2 * mu * yy + mean, yz, xz, yz, 2 * mu * zz + mean}};
}

static vs_mat3 trace_minus(const vs_mat3 *S) { // tr(S) 1 - S
    const double *a = S->a;
    return (vs_mat3){{a[4] + a[8], -a[1], -a[2], -a[3], a[0] + a[8], -a[5], -a[6], -a[7], a[0] + a[4]}};
}

// Axes, strains and stresses at x.
static frame make_frame(int nodes, const double *rest, const double *x, const vs_elastic *elastic) {
    frame f = {.nodes = nodes, .points = VS_TET_POINTS(nodes), .rest = rest, .elastic = elastic};
    vs_mat3 Fm = vs_tet_deformation(nodes, vs_tet_mean(rest), x), M = {{0}};
    f.R = vs_nearest_rotation(&Fm);
    f.S = t_times(&f.R, &Fm);
    for (int q = 0; q < f.points; q++) {
        double weight;
        const double *g = vs_tet_point(nodes, rest, q, &weight);
        vs_mat3 F = vs_tet_deformation(nodes, g, x);
        f.N[q] = t_times(&f.R, &F);
        f.s[q] = stress(elastic, &f.N[q], 1);
        vs_mat3 Ns = vs_mat3_multiply(&f.N[q], &f.s[q]);
        add(weight, &Ns, &M);
    }
    // Where the nearest rotation is not unique its change is undefined and omitted.
    vs_mat3 A = trace_minus(&f.S);
    double size = .5 * (A.a[0] + A.a[4] + A.a[8]), det = vs_mat3_determinant(&A);
    if (fabs(det) > 1e-14 * fabs(size * size * size)) {
        f.A_inverse = vs_mat3_inverse(&A);
        if (f.points > 1)
            f.p = vs_mat3_apply(&f.A_inverse, vs_scale(-1, axis(&M)));
    }
    return f;
}

static double energy(const frame *f) {
    double sum = 0;
    for (int q = 0; q < f->points; q++) {
        double weight, part = 0;
        (void)vs_tet_point(f->nodes, f->rest, q, &weight);
        // 1/2 s:e; s is symmetric, so that s:N is s:sym(N)
        for (int k = 0; k < 9; k++)
            part += f->s[q].a[k] * (f->N[q].a[k] - (k % 4 == 0));
        sum += .5 * weight * part;
    }
    return sum;
}

// out_i += P g_i, nodes `stride` apart
static void add_product(int nodes, const vs_mat3 *P, double weight, const double *g, int stride, double *out) {
    for (int i = 0; i < nodes; i++)
        for (int r = 0; r < 3; r++)
            out[(3 * i + r) * stride] +=
                weight * (P->a[3 * r] * g[3 * i] + P->a[3 * r + 1] * g[3 * i + 1] + P->a[3 * r + 2] * g[3 * i + 2]);
}

static void set_force(const frame *f, double *force) {
    memset(force, 0, (size_t)(3 * f->nodes) * sizeof *force);
    for (int q = 0; q < f->points; q++) {
        double weight;
        const double *g = vs_tet_point(f->nodes, f->rest, q, &weight);
        vs_mat3 P = vs_mat3_multiply(&f->R, &f->s[q]);
        add_product(f->nodes, &P, -weight, g, 1, force);
    }
    vs_mat3 p = cross_matrix(f->p), Rp = vs_mat3_multiply(&f->R, &p);
    if (f->points > 1)
        add_product(f->nodes, &Rp, 1, vs_tet_mean(f->rest), 1, force);
}

// R K R'
static void rotated_tangent(const frame *f, double *K) {
    int nodes = f->nodes, n = 3 * nodes;
    double lambda = f->elastic->lambda, mu = f->elastic->mu;
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    for (int q = 0; q < f->points; q++) {
        double weight, turned[3 * VS_TET_NODES_MOST] = {0};
        const double *g = vs_tet_point(nodes, f->rest, q, &weight);
        add_product(nodes, &f->R, 1, g, 1, turned);
        for (int i = 0; i < nodes; i++)
            for (int j = 0; j <= i; j++) {
                const double *a = turned + 3 * i, *b = turned + 3 * j;
                double dot = weight * mu * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
                for (int r = 0; r < 3; r++) {
                    double *at = K + (3 * i + r) * n + 3 * j;
                    for (int c = 0; c < 3; c++)
                        at[c] += weight * (lambda * (a[r] * b[c]) + mu * (b[r] * a[c]));
                    at[r] += dot;
                }
            }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            K[j * n + i] = K[i * n + j];
}

// Column of the exact tangent: the change of -f when node `node` moves along axis `along`.
static void exact_column(const frame *f, int node, int along, double *K) {
    int nodes = f->nodes, n = 3 * nodes;
    double *column = K + 3 * node + along;
    const double *mean = vs_tet_mean(f->rest);
    const vs_vec3 back = {f->R.a[3 * along], f->R.a[3 * along + 1], f->R.a[3 * along + 2]}; // R'e
    const double e[3] = {back.x, back.y, back.z};
    vs_mat3 dS = {{0}}, dM = {{0}};
    for (int k = 0; k < 9; k++)
        dS.a[k] = e[k / 3] * mean[3 * node + k % 3];
    vs_mat3 turn = cross_matrix(vs_mat3_apply(&f->A_inverse, axis(&dS))), turn_S = vs_mat3_multiply(&turn, &f->S);
    add(-1, &turn_S, &dS);
    for (int q = 0; q < f->points; q++) {
        double weight;
        const double *g = vs_tet_point(nodes, f->rest, q, &weight);
        vs_mat3 dN, turn_N = vs_mat3_multiply(&turn, &f->N[q]);
        for (int k = 0; k < 9; k++)
            dN.a[k] = e[k / 3] * g[3 * node + k % 3] - turn_N.a[k];
        vs_mat3 ds = stress(f->elastic, &dN, 0);
        vs_mat3 a = vs_mat3_multiply(&dN, &f->s[q]), b = vs_mat3_multiply(&f->N[q], &ds);
        add(weight, &a, &dM);
        add(weight, &b, &dM);
        vs_mat3 change = vs_mat3_multiply(&turn, &f->s[q]);
        add(1, &ds, &change);
        vs_mat3 dP = vs_mat3_multiply(&f->R, &change);
        add_product(nodes, &dP, weight, g, n, column);
    }
    if (f->points == 1)
        return;
    // d(R [p]) = R ([t][p] + [dp]) with A dp = dm - dA p
    vs_mat3 dA = trace_minus(&dS), p = cross_matrix(f->p), change = vs_mat3_multiply(&turn, &p);
    vs_vec3 dm = vs_scale(-1, axis(&dM));
    vs_mat3 dp = cross_matrix(vs_mat3_apply(&f->A_inverse, vs_subtract(dm, vs_mat3_apply(&dA, f->p))));
    add(1, &dp, &change);
    vs_mat3 dP = vs_mat3_multiply(&f->R, &change);
    add_product(nodes, &dP, -1, mean, n, column);
}

static void exact_tangent(const frame *f, double *K) {
    int n = 3 * f->nodes;
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    for (int k = 0; k < n; k++)
        exact_column(f, k / 3, k % 3, K);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            K[i * n + j] = K[j * n + i] = .5 * (K[i * n + j] + K[j * n + i]);
}

void vs_tet_corotational(int nodes, const double *rest, const double *x, const vs_elastic *elastic,
                         vs_tangent_kind kind, const vs_element_output *out) {
    frame f = make_frame(nodes, rest, x, elastic);
    if (out->energy)
        *out->energy = energy(&f);
    if (out->force)
        set_force(&f, out->force);
    if (out->tangent && kind == VS_TANGENT_EXACT)
        exact_tangent(&f, out->tangent);
    else if (out->tangent)
        rotated_tangent(&f, out->tangent);
}
