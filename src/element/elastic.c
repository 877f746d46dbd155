// Isotropic elastic laws: energy, stress, tangent (see elastic.h for the formulas).
//
// The tangent is composed of nine directional derivatives dP(F)[dF]:
//
//     corotational   dP = 2 mu dF + (lambda tr(S - 1) - 2 mu) dR + lambda (R:dF) R
//                    dR = R [w],  (tr(S) 1 - S) w = axis of R'dF - dF'R
//                    semidefinite, w dropped: dP = 2 mu R sym(R'dF) + lambda (R:dF) R
//     St. Venant     dP = dF T + F (2 mu sym(F'dF) + lambda (F:dF) 1),   T = 2 mu E + lambda tr(E) 1
//     neo-Hookean    dP = mu dF + (lambda + mu)(cof F:dF) cof F + ((lambda + mu)(J - 1) - mu) d cof F
//
// Projection: with F = U diag(s) V' an isotropic law's tangent is block diagonal in the basis u_i v_j', one 3 x 3 block
// (i = j) and three 2 x 2 blocks (ij, ji), the same as the tangent at diag(s). Their negative eigenvalues are set to
// zero (Teran et al. 2005; Smith et al. 2019).
#include "element/elastic.h"

#include <string.h>

#include "base/vector.h"
#include "element/eigen.h"

// ---- 3 x 3 matrices --------------------------------------------------------------------------------

static vs_mat3 times(const vs_mat3 *a, const vs_mat3 *b) {
    return vs_mat3_multiply(a, b);
}
static vs_mat3 t_times(const vs_mat3 *a, const vs_mat3 *b) { // a'b
    vs_mat3 t = vs_mat3_transpose(a);
    return vs_mat3_multiply(&t, b);
}
static double trace(const vs_mat3 *a) {
    return a->a[0] + a->a[4] + a->a[8];
}
static vs_mat3 symmetric_part(const vs_mat3 *a) {
    vs_mat3 t = vs_mat3_transpose(a);
    for (int k = 0; k < 9; k++)
        t.a[k] = .5 * (t.a[k] + a->a[k]);
    return t;
}
static vs_vec3 row(const vs_mat3 *m, int k) {
    return (vs_vec3){m->a[3 * k], m->a[3 * k + 1], m->a[3 * k + 2]};
}
static void set_row(vs_mat3 *m, int k, vs_vec3 v) {
    m->a[3 * k] = v.x, m->a[3 * k + 1] = v.y, m->a[3 * k + 2] = v.z;
}
// sum_k s_k a_k
static vs_mat3 combine(double s0, const vs_mat3 *a0, double s1, const vs_mat3 *a1) {
    vs_mat3 out;
    for (int k = 0; k < 9; k++)
        out.a[k] = s0 * a0->a[k] + s1 * a1->a[k];
    return out;
}
static void add_to_diagonal(double s, vs_mat3 *a) {
    a->a[0] += s, a->a[4] += s, a->a[8] += s;
}
// Change of the cofactors; they are the gradient of the determinant: dJ = cof F : dF.
static vs_mat3 cofactors_change(const vs_mat3 *F, const vs_mat3 *dF) {
    vs_mat3 out;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        set_row(&out, k, vs_add(vs_cross(row(dF, i), row(F, j)), vs_cross(row(F, i), row(dF, j))));
    }
    return out;
}

// ---- energy and stress -----------------------------------------------------------------------------

static vs_mat3 green(const vs_mat3 *F) {
    vs_mat3 E = t_times(F, F);
    add_to_diagonal(-1, &E);
    for (int k = 0; k < 9; k++)
        E.a[k] *= .5;
    return E;
}

// S - 1 with F = R S; symmetric up to roundoff
static vs_mat3 biot(const vs_mat3 *F, const vs_mat3 *R) {
    vs_mat3 S = t_times(R, F);
    add_to_diagonal(-1, &S);
    return symmetric_part(&S);
}

double vs_elastic_energy(const vs_elastic *elastic, const vs_mat3 *F) {
    double lambda = elastic->lambda, mu = elastic->mu;
    if (elastic->law == VS_ELASTIC_NEO_HOOKEAN) {
        double change = vs_mat3_determinant(F) - 1;
        return .5 * mu * (vs_vector_dot(9, F->a, F->a) - 3) - mu * change + .5 * (lambda + mu) * change * change;
    }
    vs_mat3 E;
    if (elastic->law == VS_ELASTIC_COROTATIONAL) {
        vs_mat3 R = vs_nearest_rotation(F);
        E = biot(F, &R);
    } else {
        E = green(F);
    }
    double sum = trace(&E);
    return mu * vs_vector_dot(9, E.a, E.a) + .5 * lambda * sum * sum;
}

// 2 mu E + lambda tr(E) 1
static vs_mat3 hooke(const vs_elastic *elastic, const vs_mat3 *E) {
    vs_mat3 stress = combine(2 * elastic->mu, E, 0, E);
    add_to_diagonal(elastic->lambda * trace(E), &stress);
    return stress;
}

vs_mat3 vs_elastic_stress(const vs_elastic *elastic, const vs_mat3 *F) {
    double lambda = elastic->lambda, mu = elastic->mu;
    if (elastic->law == VS_ELASTIC_NEO_HOOKEAN) {
        vs_mat3 cof = vs_mat3_cofactors(F);
        return combine(mu, F, (lambda + mu) * (vs_mat3_determinant(F) - 1) - mu, &cof);
    }
    if (elastic->law == VS_ELASTIC_ST_VENANT) {
        vs_mat3 E = green(F), T = hooke(elastic, &E);
        return times(F, &T);
    }
    vs_mat3 R = vs_nearest_rotation(F), E = biot(F, &R), T = hooke(elastic, &E);
    return times(&R, &T);
}

// ---- tangent ---------------------------------------------------------------------------------------

static vs_mat3 change_st_venant(const vs_elastic *elastic, const vs_mat3 *F, const vs_mat3 *dF) {
    vs_mat3 E = green(F), T = hooke(elastic, &E), FtdF = t_times(F, dF), dE = symmetric_part(&FtdF);
    vs_mat3 dT = hooke(elastic, &dE), a = times(dF, &T), b = times(F, &dT);
    return combine(1, &a, 1, &b);
}

static vs_mat3 change_neo_hookean(const vs_elastic *elastic, const vs_mat3 *F, const vs_mat3 *dF) {
    double mu = elastic->mu, kappa = elastic->lambda + mu;
    vs_mat3 cof = vs_mat3_cofactors(F), dcof = cofactors_change(F, dF);
    vs_mat3 out = combine(mu, dF, kappa * vs_vector_dot(9, cof.a, dF->a), &cof);
    return combine(1, &out, kappa * (vs_mat3_determinant(F) - 1) - mu, &dcof);
}

// [w] of the derivative dR = R [w] of the rotation; zero where the nearest rotation is not unique.
static vs_mat3 spin(const vs_mat3 *S, const vs_mat3 *RtdF) {
    vs_mat3 A = combine(-1, S, 0, S);
    add_to_diagonal(trace(S), &A);
    double det = vs_mat3_determinant(&A), size = trace(&A);
    if (!(fabs(det) > 1e-14 * fabs(size * size * size)))
        return (vs_mat3){{0}};
    const double *m = RtdF->a;
    vs_mat3 inverse = vs_mat3_inverse(&A);
    vs_vec3 w = vs_mat3_apply(&inverse, (vs_vec3){m[7] - m[5], m[2] - m[6], m[3] - m[1]});
    return (vs_mat3){{0, -w.z, w.y, w.z, 0, -w.x, -w.y, w.x, 0}};
}

static vs_mat3 change_corotational(const vs_elastic *elastic, const vs_mat3 *F, const vs_mat3 *R, const vs_mat3 *dF,
                                   vs_tangent_kind kind) {
    vs_mat3 M = t_times(R, dF), dE = symmetric_part(&M);
    if (kind == VS_TANGENT_SEMIDEFINITE) {
        vs_mat3 dT = hooke(elastic, &dE);
        return times(R, &dT);
    }
    vs_mat3 S = t_times(R, F), w = spin(&S, &M), dR = times(R, &w);
    vs_mat3 out = combine(2 * elastic->mu, dF, elastic->lambda * trace(&M), R);
    return combine(1, &out, elastic->lambda * (trace(&S) - 3) - 2 * elastic->mu, &dR);
}

static void exact_tangent(const vs_elastic *elastic, const vs_mat3 *F, vs_tangent_kind kind, double C[81]) {
    vs_mat3 R = {{0}};
    if (elastic->law == VS_ELASTIC_COROTATIONAL)
        R = vs_nearest_rotation(F);
    for (int l = 0; l < 9; l++) {
        vs_mat3 dF = {{0}}, dP;
        dF.a[l] = 1;
        if (elastic->law == VS_ELASTIC_COROTATIONAL)
            dP = change_corotational(elastic, F, &R, &dF, kind);
        else
            dP = elastic->law == VS_ELASTIC_ST_VENANT ? change_st_venant(elastic, F, &dF)
                                                      : change_neo_hookean(elastic, F, &dF);
        for (int k = 0; k < 9; k++)
            C[9 * k + l] = dP.a[k];
    }
}

// Adds the block of `from` (the tangent at diag(s)) with the entries `index`, projected to its semidefinite part and
// rotated to the basis `dyad`.
static void add_block(const double from[81], int size, const int *index, const vs_mat3 dyad[9], double C[81]) {
    double block[9];
    for (int a = 0; a < size; a++)
        for (int b = 0; b < size; b++)
            block[a * size + b] = from[9 * index[a] + index[b]];
    vs_semidefinite_part(size, block, NULL);
    for (int a = 0; a < size; a++)
        for (int b = 0; b < size; b++)
            for (int k = 0; k < 9; k++)
                for (int l = 0; l < 9; l++)
                    C[9 * k + l] += block[a * size + b] * dyad[index[a]].a[k] * dyad[index[b]].a[l];
}

void vs_elastic_tangent(const vs_elastic *elastic, const vs_mat3 *F, vs_tangent_kind kind, double C[81]) {
    if (kind == VS_TANGENT_EXACT || elastic->law == VS_ELASTIC_COROTATIONAL) {
        exact_tangent(elastic, F, kind, C);
        return;
    }
    // F = R S = (R V) diag(s) V'
    vs_mat3 R = vs_nearest_rotation(F), S = t_times(&R, F), V, U, diagonal = {{0}}, dyad[9];
    double s[3], from[81];
    S = symmetric_part(&S);
    vs_symmetric_eigen(3, S.a, s, V.a);
    U = times(&R, &V);
    for (int k = 0; k < 3; k++)
        diagonal.a[4 * k] = s[k];
    exact_tangent(elastic, &diagonal, VS_TANGENT_EXACT, from);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 9; k++)
                dyad[3 * i + j].a[k] = U.a[3 * (k / 3) + i] * V.a[3 * (k % 3) + j];
    static const int stretch[3] = {0, 4, 8}, pair[3][2] = {{1, 3}, {2, 6}, {5, 7}};
    memset(C, 0, 81 * sizeof *C);
    add_block(from, 3, stretch, dyad, C);
    for (int k = 0; k < 3; k++)
        add_block(from, 2, pair[k], dyad, C);
}

// ---- stress and strain output ----------------------------------------------------------------------

static void store_symmetric(const vs_mat3 *m, double scale, double out[6]) {
    static const int place[6] = {0, 4, 8, 5, 2, 1};
    for (int k = 0; k < 6; k++)
        out[k] = scale * m->a[place[k]];
}

bool vs_elastic_cauchy(const vs_elastic *elastic, const vs_mat3 *F, double stress[6]) {
    double J = vs_mat3_determinant(F);
    memset(stress, 0, 6 * sizeof *stress);
    if (!(J > 0))
        return false;
    // Linear theory does not distinguish areas before and after: P R' = R sigma R'.
    vs_mat3 back = elastic->law == VS_ELASTIC_COROTATIONAL ? vs_nearest_rotation(F) : *F;
    vs_mat3 P = vs_elastic_stress(elastic, F), t = vs_mat3_transpose(&back), PFt = times(&P, &t);
    store_symmetric(&PFt, elastic->law == VS_ELASTIC_COROTATIONAL ? 1 : 1 / J, stress);
    return true;
}

void vs_green_strain(const vs_mat3 *F, double strain[6]) {
    vs_mat3 E = green(F);
    store_symmetric(&E, 1, strain);
}

double vs_von_mises(const double s[6]) {
    double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
    double shear = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
    return sqrt(.5 * (xy * xy + yz * yz + zx * zx) + 3 * shear);
}
