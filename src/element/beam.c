// Geometrically exact beams (Simo 1985) with the frame-invariant strains of Crisfield and Jelenić (1999).
// See beam.h for the energy.
//
// Rotations of the nodes: R_a exp([t_a]). With d = t_1 - t_0, s = t_0 + t_1, psi = log(R_0'R_1), phi = |psi|:
//
//     psi'   = d + 1/2 psi x s + c psi x (psi x d)      c = (1 - (phi/2) cot(phi/2)) / phi^2
//     w      = s/2 + 1/2 b psi x d                      b = tan(phi/4)/phi: rotation of R_m
//     gamma' = R_m'(x_1' - x_0')/L - w x g              g = R_m'(x_1 - x_0)/L
//
// Second derivatives along straight t_a: differentiate again with d, s constant. With n = C gamma, m = D kappa the
// second derivative of the energy is
//
//     L gamma'.C gamma' + psi'.D psi'/L + L n.g'' + m.psi''
//
//     L n.g''  = -2 L n.(w x v) + L ((n.w)(w.g) - (n.g)(w.w)) + L p.w',   v = R_m'(x_1' - x_0')/L,  p = n x g
//     p.w'     = 1/2 b2 (psi.psi')(p.(psi x d)) + 1/2 b p.(psi' x d)
//     m.psi''  = 1/2 m.(psi' x s) + c2 (psi.psi')(m.(psi x (psi x d)))
//                + c (m.(psi' x (psi x d)) + (m x psi).(psi' x d))
//
// with b2 = b'(phi)/phi and c2 = c'(phi)/phi. Every vector is a 3 x 12 matrix times the 12 velocities.
#include "element/beam.h"

#include <string.h>

#include "base/elementary.h"
#include "element/eigen.h"

enum { ROWS = 12 };

// ---- sections --------------------------------------------------------------------------------------

static const double PI = 3.14159265358979323846;

// Shear corrections: Cowper 1966.
vs_beam_section vs_beam_circular(double radius, double poisson) {
    double area = PI * radius * radius, I = .25 * area * radius * radius;
    double shear = area * 6 * (1 + poisson) / (7 + 6 * poisson);
    return (vs_beam_section){area, I, I, 2 * I, shear, shear};
}

vs_beam_section vs_beam_pipe(double outer, double inner, double poisson) {
    double m = inner / outer, q = (1 + m * m) * (1 + m * m);
    double area = PI * (outer * outer - inner * inner), I = .25 * area * (outer * outer + inner * inner);
    double correction = 6 * (1 + poisson) * q / ((7 + 6 * poisson) * q + (20 + 12 * poisson) * m * m);
    return (vs_beam_section){area, I, I, 2 * I, correction * area, correction * area};
}

vs_beam_section vs_beam_rectangular(double along_y, double along_z, double poisson) {
    double area = along_y * along_z, shear = area * 10 * (1 + poisson) / (12 + 11 * poisson);
    double a = fmax(along_y, along_z), b = fmin(along_y, along_z), sum = 0;
    // Saint-Venant's series; its terms decrease like k^-5
    for (int k = 1; k < 40; k += 2)
        sum += vs_tanh(.5 * k * PI * a / b) / ((double)k * k * k * k * k);
    double torsion = a * b * b * b * (1. / 3 - 64 * b / (a * vs_pow(PI, 5)) * sum);
    return (vs_beam_section){area, area * along_z * along_z / 12, area * along_y * along_y / 12, torsion, shear, shear};
}

vs_beam_stiffness vs_beam_stiffness_of(const vs_elastic_material *material, const vs_beam_section *section) {
    double E = material->young, G = vs_shear_modulus(material);
    return (vs_beam_stiffness){{E * section->area, G * section->shear_y, G * section->shear_z},
                               {G * section->torsion, E * section->Iy, E * section->Iz}};
}

vs_beam_mass vs_beam_mass_lumped(const vs_beam_rest *rest, const vs_beam_section *section, double density) {
    double half = .5 * density * rest->length;
    return (vs_beam_mass){half * section->area,
                          {half * (section->Iy + section->Iz), half * section->Iy, half * section->Iz}};
}

// ---- rotations -------------------------------------------------------------------------------------

// log(R_0'R_1) and R_m = R_0 exp(psi/2), halfway along the shorter rotation: the sum of both quaternions.
static vs_vec3 relative_turn(vs_quat q0, vs_quat q1, vs_mat3 *middle) {
    vs_quat q = vs_quat_multiply(vs_quat_conjugate(q0), q1);
    double sign = q.w < 0 ? -1 : 1;
    vs_quat sum = {q0.w + sign * q1.w, q0.x + sign * q1.x, q0.y + sign * q1.y, q0.z + sign * q1.z};
    *middle = vs_quat_matrix(vs_quat_normalize(sum));
    return vs_quat_log(q);
}

typedef struct turn_factors {
    double b, b2, c, c2;
} turn_factors;

static double series(const double *term, int count, double x) {
    double sum = 0;
    while (count-- > 0)
        sum = sum * x + term[count];
    return sum;
}

// Series where the closed forms would cancel; at phi = 0.5 both are good to 1e-12.
static turn_factors factors_of(double phi) {
    static const double B[] = {1. / 4, 1. / 12, 1. / 30, 17. / 1260, 31. / 5670, 691. / 311850, 5461. / 6081075};
    static const double C[] = {1. / 12,         1. / 720, 1. / 30240, 1. / 1209600, 1. / 47900160, 691. / 1307674368000,
                               1. / 74724249600};
    enum { TERMS = 7 };
    double phi2 = phi * phi;
    if (phi < .5) {
        double dB[TERMS - 1], dC[TERMS - 1];
        for (int k = 1; k < TERMS; k++) {
            dB[k - 1] = 2 * k * B[k] / 16; // x = phi^2/16
            dC[k - 1] = 2 * k * C[k];
        }
        return (turn_factors){series(B, TERMS, phi2 / 16), series(dB, TERMS - 1, phi2 / 16), series(C, TERMS, phi2),
                              series(dC, TERMS - 1, phi2)};
    }
    double t = vs_tan(.25 * phi), half = .5 * phi, cot = 1 / vs_tan(half), sine = vs_sin(half);
    double c = (1 - half * cot) / phi2;
    double dc = (-2 / phi2 + .5 * cot / phi + .25 / (sine * sine)) / phi;
    return (turn_factors){t / phi, (.25 * (1 + t * t) - t / phi) / phi2, c, dc / phi};
}

vs_quat vs_beam_frame(vs_vec3 along, vs_vec3 up) {
    vs_vec3 x = vs_normalize(along), y = vs_cross(up, x);
    if (!(vs_length(y) > 1e-8 * vs_length(up))) // up is along the beam: any other direction
        y = vs_cross(fabs(x.x) < .5 ? (vs_vec3){1, 0, 0} : (vs_vec3){0, 1, 0}, x);
    y = vs_normalize(y);
    vs_vec3 z = vs_cross(x, y);
    vs_mat3 columns = {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
    return vs_nearest_quaternion(&columns);
}

// ---- strains ---------------------------------------------------------------------------------------

typedef struct strain_state {
    double L;
    vs_mat3 middle;      // R_m
    vs_vec3 psi, g;      // turn; R_m'(x_1 - x_0)/L
    vs_vec3 gamma, bend; // gamma; psi - rest
    vs_vec3 n, m;        // section force and moment in the axes R_m
    turn_factors f;
} strain_state;

static vs_vec3 weigh(const double weight[3], vs_vec3 v) {
    return (vs_vec3){weight[0] * v.x, weight[1] * v.y, weight[2] * v.z};
}

static strain_state measure_strain(const vs_beam_rest *rest, const vs_beam_stiffness *k, const vs_pose pose[2]) {
    strain_state s = {.L = rest->length};
    s.psi = relative_turn(pose[0].rotation, pose[1].rotation, &s.middle);
    s.g = vs_scale(1 / s.L, vs_mat3_apply_t(&s.middle, vs_subtract(pose[1].position, pose[0].position)));
    s.gamma = vs_subtract(s.g, rest->along);
    s.bend = vs_subtract(s.psi, rest->turn);
    s.n = weigh(k->stretch, s.gamma);
    s.m = vs_scale(1 / s.L, weigh(k->bend, s.bend));
    s.f = factors_of(vs_length(s.psi));
    return s;
}

bool vs_beam_prepare(const vs_pose pose[2], vs_beam_rest *rest) {
    vs_mat3 middle;
    vs_vec3 between = vs_subtract(pose[1].position, pose[0].position);
    rest->length = vs_length(between);
    rest->turn = relative_turn(pose[0].rotation, pose[1].rotation, &middle);
    rest->along = vs_scale(1 / rest->length, vs_mat3_apply_t(&middle, between));
    return rest->length > 0 && isfinite(vs_dot(rest->along, rest->along)) && isfinite(vs_dot(rest->turn, rest->turn));
}

void vs_beam_section_forces(const vs_beam_rest *rest, const vs_beam_stiffness *stiffness, const vs_pose pose[2],
                            double force[6]) {
    strain_state s = measure_strain(rest, stiffness, pose);
    const double all[6] = {s.n.x, s.n.y, s.n.z, s.m.x, s.m.y, s.m.z};
    memcpy(force, all, sizeof all);
}

// ---- 3 x 12 maps -----------------------------------------------------------------------------------

typedef struct map {
    double a[3][ROWS];
} map;

static vs_mat3 cross_matrix(vs_vec3 w) {
    return (vs_mat3){{0, -w.z, w.y, w.z, 0, -w.x, -w.y, w.x, 0}};
}

// out += s M in the columns of one quarter (0: x_0, 1: t_0, 2: x_1, 3: t_1)
static void put(double s, const vs_mat3 *M, int quarter, map *out) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out->a[r][3 * quarter + c] += s * M->a[3 * r + c];
}

// v' map: a row of 12
static void pull(vs_vec3 v, const map *m, double row[ROWS]) {
    for (int k = 0; k < ROWS; k++)
        row[k] = v.x * m->a[0][k] + v.y * m->a[1][k] + v.z * m->a[2][k];
}

typedef struct maps {
    map psi, w, v, gamma; // psi', w, v = R_m'(x_1' - x_0')/L, gamma'
    map d, psi_d, sum;    // d, psi x d, s
} maps;

static maps make_maps(const strain_state *s) {
    static const vs_mat3 ONE = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    maps m = {.psi = {{{0}}}};
    vs_mat3 psi = cross_matrix(s->psi), twice = vs_mat3_multiply(&psi, &psi), back = vs_mat3_transpose(&s->middle);
    vs_mat3 g = cross_matrix(s->g);
    for (int end = 0; end < 2; end++) {
        double sign = end ? 1 : -1;
        int turn = 2 * end + 1;
        put(sign, &ONE, turn, &m.d);
        put(sign, &psi, turn, &m.psi_d);
        put(1, &ONE, turn, &m.sum);
        put(sign, &ONE, turn, &m.psi);
        put(.5, &psi, turn, &m.psi);
        put(sign * s->f.c, &twice, turn, &m.psi);
        put(.5, &ONE, turn, &m.w);
        put(.5 * sign * s->f.b, &psi, turn, &m.w);
        put(sign / s->L, &back, 2 * end, &m.v);
    }
    m.gamma = m.v;
    for (int r = 0; r < 3; r++) // - w x g = g x w
        for (int k = 0; k < ROWS; k++)
            for (int c = 0; c < 3; c++)
                m.gamma.a[r][k] += g.a[3 * r + c] * m.w.a[c][k];
    return m;
}

// ---- tangent ---------------------------------------------------------------------------------------

// K += sum_r weight_r row_r' row_r
static void add_squares(const double weight[3], double s, const map *m, double *K) {
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < ROWS; j++)
                K[i * ROWS + j] += s * weight[r] * m->a[r][i] * m->a[r][j];
}

// The symmetric matrix of the quadratic form s (a.z)(b.z)
static void add_rows(double s, const double a[ROWS], const double b[ROWS], double *K) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            K[i * ROWS + j] += .5 * s * (a[i] * b[j] + b[i] * a[j]);
}

// s a.(X z x Y z)
static void add_triple(double s, vs_vec3 a, const map *X, const map *Y, double *K) {
    const double v[3] = {a.x, a.y, a.z};
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        add_rows(s * v[k], X->a[i], Y->a[j], K);
        add_rows(-s * v[k], X->a[j], Y->a[i], K);
    }
}

static void add_geometric(const strain_state *s, const maps *m, double *K) {
    double L = s->L, a[ROWS], b[ROWS], psi_psi[ROWS];
    vs_vec3 p = vs_cross(s->n, s->g);
    // L n.g''
    add_triple(-2 * L, s->n, &m->w, &m->v, K);
    pull(s->n, &m->w, a);
    pull(s->g, &m->w, b);
    add_rows(L, a, b, K);
    const double spread[3] = {1, 1, 1};
    add_squares(spread, -L * vs_dot(s->n, s->g), &m->w, K);
    pull(s->psi, &m->psi, psi_psi);
    pull(p, &m->psi_d, b);
    add_rows(.5 * L * s->f.b2, psi_psi, b, K);
    add_triple(.5 * L * s->f.b, p, &m->psi, &m->d, K);
    // m.psi''
    add_triple(.5, s->m, &m->psi, &m->sum, K);
    pull(vs_cross(s->m, s->psi), &m->psi_d, b);
    add_rows(s->f.c2, psi_psi, b, K);
    add_triple(s->f.c, s->m, &m->psi, &m->psi_d, K);
    add_triple(s->f.c, vs_cross(s->m, s->psi), &m->psi, &m->d, K);
}

void vs_beam_evaluate(const vs_beam_rest *rest, const vs_beam_stiffness *stiffness, const vs_pose pose[2],
                      vs_tangent_kind kind, const vs_element_output *out) {
    strain_state s = measure_strain(rest, stiffness, pose);
    if (out->energy)
        *out->energy = .5 * (s.L * vs_dot(s.n, s.gamma) + vs_dot(s.m, s.bend));
    if (!out->force && !out->tangent)
        return;
    maps m = make_maps(&s);
    if (out->force) {
        double a[ROWS], b[ROWS];
        pull(s.n, &m.gamma, a);
        pull(s.m, &m.psi, b);
        for (int k = 0; k < ROWS; k++)
            out->force[k] = -(s.L * a[k] + b[k]);
    }
    if (!out->tangent)
        return;
    memset(out->tangent, 0, ROWS * ROWS * sizeof(double));
    add_squares(stiffness->stretch, s.L, &m.gamma, out->tangent);
    add_squares(stiffness->bend, 1 / s.L, &m.psi, out->tangent);
    add_geometric(&s, &m, out->tangent);
    if (kind == VS_TANGENT_SEMIDEFINITE) {
        const double L = s.L, scale[ROWS] = {1, 1, 1, L, L, L, 1, 1, 1, L, L, L};
        vs_semidefinite_part(ROWS, out->tangent, scale);
    }
}
