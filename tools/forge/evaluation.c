// Velocities of the impulses, islands, and the sums over each island: see evaluation.h. With |.| by entries and K the cone,
//
//     v = H^-1 (C'g + D'l - c)     y = D v - b + E l (local form: N l + r)     r_e = C v - b_e + E_e g
//     energy error   sum of a/2 |l - P_K(l - ybar/a)|^2, box rows alike, r_e^2/(2a) of joints
//     work error     |sum of ybar'l + g'r_e|, of box rows (l - lo) y+ + (hi - l) y- or |l y|, the smaller; less its rounding
//     floor          energy of 10 eps (|D||v| + |b|) of the free velocities v = -H^-1 c (local form: 10 eps |r|), and of 10
//                    eps times the least impulses that boxes allow
//     noise          energy of 10 eps of all terms that are added up for y, with those of H v = p
//     reference      max(e0, min(given, 100 e0), 1e-4 y^2/a of the largest free velocity, floor)
//     velocity       V of an island: max(|y| of contacts, sqrt(2 e0 a) of joints, sqrt(2 reference a) of the heaviest of them;
//                    sqrt(y^2/a a) of boxes, with the a of the lightest of them)
//     own reference  1e4 V^2/(2a) of a contact or joint, where that is less than the reference of its island
#include "evaluation.h"

#include <math.h>
#include <string.h>

static const double ROUNDINGS = 10, LEAST_SHARE = 1e-4, MOST_REFERENCE = 100, OWN_SLACK = 1e4, LEAST_OWN = 1e-280;

// A contact or joint velocity and the sizes of what is added up for it, of which roundings are parts.
typedef struct velocity {
    quad value;
    quad terms;  // |D||v| + |b| + |E l|; local form: |r|
    quad masses; // |D||H^-1||H||v|: roundings of H
    quad noise;  // all of it, with the parts of each impulse
} velocity;

typedef struct forge_motion {
    quad v[MOST_N];
    velocity y[MOST_M], r_e[MOST_JOINT_ROWS];
} forge_motion;

typedef struct forge_derived {
    const specimen *s;
    vs_model model;
    bool general; // H is not block diagonal with small symmetric blocks
    quad inverse[MOST_N][MOST_N];
    quad a[MOST_M], a_e[MOST_JOINT_ROWS];                                      // 1/kg
    quad size_e[MOST_JOINT_ROWS];                                              // |C H^-1||C'| + E_e of each row
    int contact[MOST_CONTACTS], joint[MOST_JOINTS], velocity[MOST_N], islands; // island of each
} forge_derived;

double ratio_root(quad a, quad b) {
    return a == 0 ? 0 : b == 0 ? INFINITY : (double)quad_root(a / b);
}

// ---- islands ---------------------------------------------------------------------------------------------

// Union of sets: the least member stands for its set.
static int find(const int *set, int i) {
    while (set[i] != i)
        i = set[i];
    return i;
}

static void unite(int *set, int i, int j) {
    i = find(set, i);
    j = find(set, j);
    set[i > j ? i : j] = i > j ? j : i;
}

// Sets of what H or N couples: velocities, in the local form rows.
static void couple(const specimen *s, int *set) {
    bool local = s->form == FORM_LOCAL;
    int count = local ? s->m : s->n;
    for (int i = 0; i < count; i++)
        set[i] = i;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if ((local ? s->N[i][j] : s->H[i][j]) != 0)
                unite(set, i, j);
    for (int k = 0; k < s->blocks && s->form == FORM_BUILDER; k++)
        for (int j = s->block[k]; j < s->block[k + 1]; j++)
            unite(set, s->block[k], j);
}

// Unites all velocities that rows begin … end-1 of A touch; one of them, or -1.
static int touch(const double A[][MOST_N], int begin, int end, int n, int *set) {
    int first = -1;
    for (int row = begin; row < end; row++)
        for (int j = 0; j < n; j++)
            if (A[row][j] != 0 && first < 0)
                first = j;
            else if (A[row][j] != 0)
                unite(set, first, j);
    return first;
}

static void find_islands(forge_derived *t) {
    const specimen *s = t->s;
    enum { MOST = MOST_N > MOST_M ? MOST_N : MOST_M };
    int set[MOST], number[MOST], first_contact[MOST_CONTACTS], first_joint[MOST_JOINTS];
    couple(s, set);
    for (int i = 0; i < s->contacts; i++) {
        if (s->form != FORM_LOCAL) {
            first_contact[i] = touch(s->D, s->row[i], s->row[i + 1], s->n, set);
            continue;
        }
        first_contact[i] = s->row[i];
        for (int row = s->row[i]; row < s->row[i + 1]; row++)
            unite(set, s->row[i], row);
    }
    for (int j = 0; j < s->joints; j++)
        first_joint[j] = touch(s->C, s->joint_row[j], s->joint_row[j + 1], s->n, set);
    for (int k = 0; k < MOST; k++)
        number[k] = -1;
    t->islands = 0;
    for (int k = 0; k < s->contacts + s->joints; k++) {
        int first = k < s->contacts ? first_contact[k] : first_joint[k - s->contacts];
        int *known = first < 0 ? NULL : &number[find(set, first)];
        int island = known && *known >= 0 ? *known : t->islands++;
        if (known)
            *known = island;
        *(k < s->contacts ? &t->contact[k] : &t->joint[k - s->contacts]) = island;
    }
    for (int j = 0; j < s->n; j++)
        t->velocity[j] = number[find(set, j)];
}

// ---- masses ----------------------------------------------------------------------------------------------

// Inverse of the rows and columns `list` (k) of H, by Gauss-Jordan elimination with pivots.
static void invert(const specimen *s, const int *list, int k, quad inverse[][MOST_N]) {
    static quad A[MOST_N][2 * MOST_N];
    for (int i = 0; i < k; i++)
        for (int j = 0; j < 2 * k; j++)
            A[i][j] = j < k ? s->H[list[i]][list[j]] : j == k + i;
    for (int p = 0; p < k; p++) {
        int best = p;
        for (int i = p; i < k; i++)
            if (quad_absolute(A[i][p]) > quad_absolute(A[best][p]))
                best = i;
        for (int j = 0; j < 2 * k; j++) {
            quad swap = A[p][j];
            A[p][j] = A[best][j], A[best][j] = swap;
        }
        for (int i = 0; i < k; i++) {
            quad factor = A[i][p] / A[p][p];
            for (int j = p; j < 2 * k && i != p && factor != 0; j++)
                A[i][j] -= factor * A[p][j];
        }
    }
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            inverse[list[i]][list[j]] = A[i][k + j] / A[i][i];
}

static void invert_mass(forge_derived *t) {
    const specimen *s = t->s;
    int set[MOST_N], list[MOST_N];
    memset(t->inverse, 0, sizeof t->inverse);
    couple(s, set);
    for (int k = 0; k < s->n; k++) {
        int count = 0;
        for (int j = 0; j < s->n; j++)
            if (find(set, j) == k)
                list[count++] = j;
        if (count > 0)
            invert(s, list, count, t->inverse);
        if (count > 12)
            t->general = true;
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++)
                t->general = t->general || s->H[list[i]][list[j]] != s->H[list[j]][list[i]];
    }
}

// Entry of diag(A H^-1 A') + E. A general H is replaced by its diagonal (docs/theory.md).
static quad inverse_mass(const forge_derived *t, const double *A, double E) {
    const specimen *s = t->s;
    quad sum = E;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n && A[i] != 0; j++)
            if (t->general ? i == j : A[j] != 0)
                sum += (quad)A[i] * A[j] * (t->general ? 1 / (quad)s->H[i][i] : t->inverse[i][j]);
    return sum;
}

// The same of sizes: |A H^-1||A'| + E
static quad inverse_size(const forge_derived *t, const double *A, double E) {
    const specimen *s = t->s;
    quad sum = E;
    for (int j = 0; j < s->n; j++) {
        quad part = 0;
        for (int i = 0; i < s->n && A[j] != 0; i++)
            if (t->general ? i == j : A[i] != 0)
                part += A[i] * (t->general ? 1 / (quad)s->H[i][i] : t->inverse[i][j]);
        sum += quad_absolute(part * A[j]);
    }
    return sum;
}

// a of rows begin … end-1 that have none: the largest entry of these columns of N, or 1.
static quad substitute(const specimen *s, int begin, int end) {
    double largest = 0;
    for (int i = 0; i < s->m && s->form == FORM_LOCAL; i++)
        for (int j = begin; j < end; j++)
            largest = fmax(largest, fabs(s->N[i][j]));
    return largest > 0 ? largest : 1;
}

// Positive, and a double.
static bool usable(quad a) {
    return (double)a > 0 && isfinite((double)a);
}

static void find_masses(forge_derived *t) {
    const specimen *s = t->s;
    quad row[MOST_M];
    for (int k = 0; k < s->m; k++)
        row[k] = s->form == FORM_LOCAL ? s->N[k][k] : inverse_mass(t, s->D[k], s->E[k]);
    for (int i = 0; i < s->contacts; i++) {
        int begin = s->row[i], end = s->row[i + 1];
        bool friction = s->kind[i] == KIND_FRICTION && t->model != VS_MODEL_FRICTIONLESS;
        quad mean = friction ? (row[begin] + row[begin + 1] + row[begin + 2]) / 3 : row[begin];
        for (int k = begin; k < end; k++)
            if (s->kind[i] == KIND_BOX)
                t->a[k] = usable(row[k]) ? row[k] : substitute(s, k, k + 1);
            else
                t->a[k] = usable(mean) ? mean : substitute(s, begin, end);
    }
    for (int j = 0; j < s->joints; j++) {
        int begin = s->joint_row[j], end = s->joint_row[j + 1];
        quad mean = 0;
        for (int k = begin; k < end; k++)
            mean += inverse_mass(t, s->C[k], s->E_e[k]) / (end - begin);
        for (int k = begin; k < end; k++) {
            t->a_e[k] = usable(mean) ? mean : 1;
            t->size_e[k] = inverse_size(t, s->C[k], s->E_e[k]);
        }
    }
}

// ---- velocities ------------------------------------------------------------------------------------------

static void move_local(const specimen *s, const impulses *x, forge_motion *w) {
    for (int i = 0; i < s->m; i++) {
        velocity y = {.value = s->r[i], .terms = fabs(s->r[i]), .noise = fabs(s->r[i])};
        for (int j = 0; j < s->m; j++) {
            y.value += (quad)s->N[i][j] * x->lambda[j];
            y.noise += quad_absolute((quad)s->N[i][j] * x->lambda[j]);
        }
        w->y[i] = y;
    }
}

// |H^-1| x
static void multiply_inverse(const forge_derived *t, const quad *x, quad *y) {
    for (int i = 0; i < t->s->n; i++) {
        y[i] = 0;
        for (int j = 0; j < t->s->n; j++)
            y[i] += quad_absolute(t->inverse[i][j]) * x[j];
    }
}

// Sizes of the velocities of which roundings are parts.
typedef struct body_sizes {
    quad masses[MOST_N], impulses[MOST_N]; // |H^-1||H||v|, |H^-1|(|C'||g| + |D'||l| + |c|)
} body_sizes;

// p = C'g + D'l - c, v = H^-1 p
static void move_bodies(const forge_derived *t, const impulses *x, quad *v, body_sizes *sizes) {
    const specimen *s = t->s;
    quad p[MOST_N], size[MOST_N] = {0};
    for (int j = 0; j < s->n; j++) {
        p[j] = -(quad)s->c[j];
        size[j] = fabs(s->c[j]);
        for (int k = 0; k < s->m + s->m_e; k++) {
            quad part = k < s->m ? (quad)s->D[k][j] * x->lambda[k] : (quad)s->C[k - s->m][j] * x->g[k - s->m];
            p[j] += part;
            size[j] += quad_absolute(part);
        }
    }
    multiply_inverse(t, size, sizes->impulses);
    for (int i = 0; i < s->n; i++) {
        v[i] = 0;
        for (int j = 0; j < s->n; j++)
            v[i] += t->inverse[i][j] * p[j];
    }
    for (int i = 0; i < s->n; i++) {
        size[i] = 0;
        for (int j = 0; j < s->n; j++)
            size[i] += quad_absolute(s->H[i][j] * v[j]);
    }
    multiply_inverse(t, size, sizes->masses);
}

// A v - b + E x of one row.
static velocity move_row(int n, const double *A, const quad *v, const body_sizes *sizes, quad b, quad own) {
    velocity y = {.value = own - b, .terms = quad_absolute(b) + quad_absolute(own)};
    for (int j = 0; j < n; j++) {
        y.value += A[j] * v[j];
        y.terms += quad_absolute(A[j] * v[j]);
        y.masses += fabs(A[j]) * sizes->masses[j];
        y.noise += fabs(A[j]) * sizes->impulses[j];
    }
    y.noise += y.terms + y.masses;
    return y;
}

static void move(const forge_derived *t, const impulses *x, forge_motion *w) {
    const specimen *s = t->s;
    static body_sizes sizes;
    if (s->form == FORM_LOCAL) {
        move_local(s, x, w);
        return;
    }
    move_bodies(t, x, w->v, &sizes);
    for (int k = 0; k < s->m; k++)
        w->y[k] = move_row(s->n, s->D[k], w->v, &sizes, s->b[k], (quad)s->E[k] * x->lambda[k]);
    for (int k = 0; k < s->m_e; k++)
        w->r_e[k] = move_row(s->n, s->C[k], w->v, &sizes, s->b_e[k], (quad)s->E_e[k] * x->g[k]);
}

// ---- the contact law -------------------------------------------------------------------------------------

// On the boundary, for l outside.
static void project(quad mu, const quad *l, quad *p) {
    quad t = quad_root(l[1] * l[1] + l[2] * l[2]);
    quad s = quad_larger(0, (l[0] + mu * t) / (1 + mu * mu));
    p[0] = s;
    p[1] = t > 0 ? mu * s * l[1] / t : 0;
    p[2] = t > 0 ? mu * s * l[2] / t : 0;
}

static bool is_inside(quad mu, const quad *l) {
    return l[0] >= 0 && quad_root(l[1] * l[1] + l[2] * l[2]) <= mu * l[0];
}

// |l - P_K(l - y/a)|^2. Inside the cone that is y/a, also where it vanishes beside l.
static quad natural_friction(quad mu, const quad *l, const quad *y, quad a) {
    quad moved[3], p[3], sum = 0;
    for (int k = 0; k < 3; k++)
        moved[k] = l[k] - y[k] / a;
    if (is_inside(mu, moved))
        return (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) / (a * a);
    project(mu, moved, p);
    for (int k = 0; k < 3; k++)
        sum += (l[k] - p[k]) * (l[k] - p[k]);
    return sum;
}

// l minus the point of [lo, hi] next to l - y/a, likewise.
static quad natural_row(quad l, quad y, quad a, quad lo, quad hi) {
    quad d = quad_smaller(quad_larger(y / a, l - hi), l - lo);
    return d * d;
}

// Sums of an island: energy error, work, energy of the impulses, square of the natural map.
typedef struct forge_sums {
    quad energy, work, impulses, map;
} forge_sums;

static void add_contact(const forge_derived *t, int i, const impulses *x, const forge_motion *w, forge_sums *sum) {
    const specimen *s = t->s;
    int k = s->row[i];
    if (s->kind[i] == KIND_FRICTION) {
        quad mu = t->model == VS_MODEL_FRICTIONLESS ? 0 : s->mu[i], a = t->a[k];
        quad l[3] = {x->lambda[k], x->lambda[k + 1], x->lambda[k + 2]},
             y[3] = {w->y[k].value, w->y[k + 1].value, w->y[k + 2].value};
        if (t->model == VS_MODEL_EXACT)
            y[0] += mu * quad_root(y[1] * y[1] + y[2] * y[2]);
        sum->energy += a / 2 * natural_friction(mu, l, y, a);
        sum->map += natural_friction(mu, l, y, 1);
        for (int j = 0; j < 3; j++) {
            sum->work += l[j] * y[j];
            sum->impulses += a * l[j] * l[j];
        }
        return;
    }
    for (; k < s->row[i + 1]; k++) {
        bool box = s->kind[i] == KIND_BOX;
        quad lo = box ? s->lo[k] : 0, hi = box ? (quad)s->hi[k] : (quad)INFINITY, l = x->lambda[k], y = w->y[k].value;
        sum->energy += t->a[k] / 2 * natural_row(l, y, t->a[k], lo, hi);
        sum->map += natural_row(l, y, 1, lo, hi);
        sum->work += !box ? l * y : quad_smaller(y > 0 ? l - lo : hi - l, quad_absolute(l)) * quad_absolute(y);
        sum->impulses += t->a[k] * l * l;
    }
}

static void add_joint(const forge_derived *t, int j, const impulses *x, const forge_motion *w, forge_sums *sum) {
    for (int k = t->s->joint_row[j]; k < t->s->joint_row[j + 1]; k++) {
        sum->energy += w->r_e[k].value * w->r_e[k].value / (2 * t->a_e[k]);
        sum->map += w->r_e[k].value * w->r_e[k].value;
        sum->work += x->g[k] * w->r_e[k].value;
        sum->impulses += t->a_e[k] * x->g[k] * x->g[k];
    }
}

// Sums of the islands, and of each contact and, behind them, each joint.
typedef struct all_sums {
    forge_sums island[MOST_CONTACTS + MOST_JOINTS], own[MOST_CONTACTS + MOST_JOINTS];
} all_sums;

static void sum_up(const forge_derived *t, const impulses *x, const forge_motion *w, all_sums *sum) {
    memset(sum, 0, sizeof *sum);
    for (int i = 0; i < t->s->contacts; i++) {
        add_contact(t, i, x, w, &sum->island[t->contact[i]]);
        add_contact(t, i, x, w, &sum->own[i]);
    }
    for (int j = 0; j < t->s->joints; j++) {
        add_joint(t, j, x, w, &sum->island[t->joint[j]]);
        add_joint(t, j, x, w, &sum->own[t->s->contacts + j]);
    }
}

// ---- references and roundings ----------------------------------------------------------------------------

// Energy of ROUNDINGS eps times a velocity of this size.
static quad rounding(quad size, quad a) {
    quad d = ROUNDINGS * DBL_EPSILON * size;
    return d * d / (2 * a);
}

// Does the velocity of the row matter? Without friction only the normal one does.
static bool matters(const forge_derived *t, int contact, int row) {
    bool friction = t->model != VS_MODEL_FRICTIONLESS && t->s->mu[contact] > 0;
    return t->s->kind[contact] != KIND_FRICTION || friction || row == t->s->row[contact];
}

// Is the row part of the norms of the natural map? Those of the frictionless model have no tangential ones.
static bool counts(const forge_derived *t, int contact, int row) {
    return t->model != VS_MODEL_FRICTIONLESS || t->s->kind[contact] != KIND_FRICTION || row == t->s->row[contact];
}

static void find_references(const forge_derived *t, const forge_motion *free, forge_verdict *q) {
    const specimen *s = t->s;
    quad largest[MOST_CONTACTS + MOST_JOINTS] = {0}, given[MOST_CONTACTS + MOST_JOINTS] = {0};
    for (int i = 0; i < s->contacts; i++)
        for (int k = s->row[i]; k < s->row[i + 1]; k++) {
            int island = t->contact[i];
            if (!matters(t, i, k))
                continue;
            quad demand = s->kind[i] == KIND_BOX ? quad_larger(0, quad_larger(s->lo[k], -s->hi[k])) : 0;
            quad floor = rounding(free->y[k].terms + t->a[k] * demand, t->a[k]),
                 factor = t->general ? rounding(free->y[k].noise, t->a[k]) : 0;
            q->island[island].floor += floor;
            q->island[island].factor += factor;
            q->own[i].floor += floor;
            q->own[i].factor += factor;
            largest[island] = quad_larger(largest[island], free->y[k].value * free->y[k].value / t->a[k]);
        }
    for (int j = 0; j < s->joints; j++)
        for (int k = s->joint_row[j]; k < s->joint_row[j + 1]; k++) {
            int island = t->joint[j];
            quad floor = rounding(free->r_e[k].terms, t->a_e[k]),
                 factor = t->general ? rounding(free->r_e[k].noise, t->a_e[k]) : 0;
            q->island[island].floor += floor;
            q->island[island].factor += factor;
            q->own[s->contacts + j].floor += floor;
            q->own[s->contacts + j].factor += factor;
            largest[island] = quad_larger(largest[island], free->r_e[k].value * free->r_e[k].value / t->a_e[k]);
        }
    for (int j = 0; j < s->n && s->has_reference; j++)
        if (t->velocity[j] >= 0)
            given[t->velocity[j]] += s->reference[j];
    for (int k = 0; k < t->islands; k++) {
        island_verdict *v = &q->island[k];
        v->reference =
            quad_larger(quad_larger(v->rest, v->floor),
                        quad_larger(quad_smaller(given[k], MOST_REFERENCE * v->rest), LEAST_SHARE * largest[k]));
    }
}

// Least a of the rows of a joint, which may be of lengths and of angles.
static quad joint_mass(const forge_derived *t, int j) {
    quad least = t->a_e[t->s->joint_row[j]];
    for (int k = t->s->joint_row[j]; k < t->s->joint_row[j + 1]; k++)
        if (usable(t->size_e[k]))
            least = quad_smaller(least, t->size_e[k]);
    return least;
}

// Squares of the velocities of islands, and the inverse masses of their heaviest and lightest contacts and joints.
typedef struct own_extremes {
    quad velocity, heaviest, lightest, box;
} own_extremes;

static void widen(own_extremes *e, quad a) {
    e->heaviest = e->heaviest == 0 ? a : quad_smaller(e->heaviest, a);
    e->lightest = quad_larger(e->lightest, a);
}

static void find_extremes(const forge_derived *t, const forge_motion *free, own_extremes *island) {
    const specimen *s = t->s;
    for (int i = 0; i < s->contacts; i++)
        for (int k = s->row[i]; k < s->row[i + 1]; k++) {
            own_extremes *e = &island[t->contact[i]];
            quad y = free->y[k].value, demand = quad_larger(0, quad_larger(s->lo[k], -s->hi[k]));
            if (s->kind[i] == KIND_BOX)
                e->box = quad_larger(e->box, quad_larger(y * y / t->a[k], demand * demand * t->a[k]));
            else
                widen(e, t->a[k]);
            if (s->kind[i] != KIND_BOX && matters(t, i, k))
                e->velocity = quad_larger(e->velocity, y * y);
        }
    for (int j = 0; j < s->joints; j++)
        for (int k = s->joint_row[j]; k < s->joint_row[j + 1]; k++) {
            own_extremes *e = &island[t->joint[j]];
            quad r = free->r_e[k].value, a = joint_mass(t, j);
            widen(e, a);
            e->velocity = quad_larger(e->velocity, r * r * a / t->a_e[k]);
        }
}

// The reference of a contact or joint with the inverse mass a; that of its island if that is less.
static quad own_reference(const own_extremes *e, quad reference, quad a) {
    quad square = quad_larger(quad_larger(e->velocity, e->box * e->lightest), 2 * reference * e->heaviest);
    return quad_smaller(reference, quad_larger(OWN_SLACK * square / (2 * a), OWN_SLACK * LEAST_OWN * reference));
}

static void find_own_references(const forge_derived *t, const forge_motion *free, forge_verdict *q) {
    const specimen *s = t->s;
    own_extremes extremes[MOST_CONTACTS + MOST_JOINTS];
    memset(extremes, 0, sizeof extremes);
    find_extremes(t, free, extremes);
    for (int i = 0; i < s->contacts; i++) {
        int k = t->contact[i];
        quad reference = q->island[k].reference;
        bool box = s->kind[i] == KIND_BOX;
        q->own[i].reference = box ? reference : own_reference(&extremes[k], reference, t->a[s->row[i]]);
    }
    for (int j = 0; j < s->joints; j++) {
        int k = t->joint[j];
        q->own[s->contacts + j].reference = own_reference(&extremes[k], q->island[k].reference, joint_mass(t, j));
    }
}

// Drops the contacts and joints whose islands have the stricter reference.
static void keep_stricter(const forge_derived *t, forge_verdict *q) {
    const specimen *s = t->s;
    q->owns = 0;
    for (int i = 0; i < s->contacts + s->joints; i++) {
        int island = i < s->contacts ? t->contact[i] : t->joint[i - s->contacts];
        if (q->own[i].reference < q->island[island].reference)
            q->own[q->owns++] = q->own[i];
    }
}

// Squares of norms, over the rows that count: of y and r_e, and of their roundings.
typedef struct norms {
    quad velocities, noise, masses;
} norms;

// The roundings of a velocity in its island and in the norms; `factor` of them counts. impulse: that it does work with.
static void add_noise(const velocity *y, quad factor, quad a, quad impulse, island_verdict *island, norms *sum) {
    island->noise += rounding(factor * y->noise, a);
    island->masses += rounding(factor * y->masses, a);
    island->work_noise += ROUNDINGS * DBL_EPSILON * y->noise * impulse;
    sum->noise += rounding(factor * y->noise, 0.5);
    sum->masses += rounding(factor * y->masses, 0.5);
}

static norms add_noises(const forge_derived *t, const impulses *x, const forge_motion *w, forge_verdict *q) {
    const specimen *s = t->s;
    norms sum = {0};
    for (int i = 0; i < s->contacts; i++)
        for (int k = s->row[i]; k < s->row[i + 1]; k++) {
            // The shift mu |y_T| of the exact model multiplies roundings of y_T.
            quad factor = t->model == VS_MODEL_EXACT && s->kind[i] == KIND_FRICTION ? 1 + s->mu[i] : 1;
            // It also makes tangential velocities do work with the normal impulse.
            quad impulse = quad_absolute(x->lambda[k]) + (factor - 1) * quad_absolute(x->lambda[s->row[i]]);
            norms unused = {0};
            add_noise(&w->y[k], factor, t->a[k], impulse, &q->island[t->contact[i]], &sum);
            add_noise(&w->y[k], factor, t->a[k], impulse, &q->own[i], &unused);
            if (counts(t, i, k))
                sum.velocities += w->y[k].value * w->y[k].value;
        }
    for (int j = 0; j < s->joints; j++)
        for (int k = s->joint_row[j]; k < s->joint_row[j + 1]; k++) {
            norms unused = {0};
            add_noise(&w->r_e[k], 1, t->a_e[k], quad_absolute(x->g[k]), &q->island[t->joint[j]], &sum);
            add_noise(&w->r_e[k], 1, t->a_e[k], quad_absolute(x->g[k]), &q->own[s->contacts + j], &unused);
            sum.velocities += w->r_e[k].value * w->r_e[k].value;
        }
    return sum;
}

// Of the free velocities.
static quad free_norm(const forge_derived *t, const forge_motion *free) {
    static forge_verdict unused;
    static const impulses none = {0};
    return add_noises(t, &none, free, &unused).velocities;
}

static bool are_finite(const specimen *s, const impulses *x) {
    bool finite = true;
    for (int k = 0; k < s->m; k++)
        finite = finite && isfinite(x->lambda[k]);
    for (int k = 0; k < s->m_e; k++)
        finite = finite && isfinite(x->g[k]);
    return finite;
}

static quad norm_of_impulses(const forge_derived *t, const impulses *x) {
    quad sum = 0;
    for (int i = 0; i < t->s->contacts; i++)
        for (int k = t->s->row[i]; k < t->s->row[i + 1]; k++)
            if (counts(t, i, k))
                sum += (quad)x->lambda[k] * x->lambda[k];
    return sum;
}

void evaluate(const specimen *s, vs_model model, const impulses *x, forge_verdict *q) {
    static forge_derived derived;
    static forge_motion free, moved;
    static const impulses none = {0};
    static all_sums sum;
    derived = (forge_derived){.s = s, .model = model};
    find_islands(&derived);
    invert_mass(&derived);
    find_masses(&derived);
    *q = (forge_verdict){.finite = are_finite(s, x), .islands = derived.islands};
    if (!q->finite)
        return;
    move(&derived, &none, &free);
    sum_up(&derived, &none, &free, &sum);
    for (int k = 0; k < q->islands; k++)
        q->island[k].rest = sum.island[k].energy;
    find_references(&derived, &free, q);
    find_own_references(&derived, &free, q);

    move(&derived, x, &moved);
    sum_up(&derived, x, &moved, &sum);
    norms norm = add_noises(&derived, x, &moved, q);
    q->size = quad_larger(norm.velocities, quad_larger(free_norm(&derived, &free), norm_of_impulses(&derived, x)));
    q->map_noise = norm.noise, q->map_masses = norm.masses;
    for (int k = 0; k < q->islands; k++) {
        island_verdict *v = &q->island[k];
        v->energy = sum.island[k].energy;
        v->exact = v->energy <= quad_larger(v->floor, DBL_MIN);
        v->work = quad_larger(0, quad_absolute(sum.island[k].work) - ROUNDINGS * DBL_EPSILON * sum.island[k].impulses);
        v->map = sum.island[k].map;
        q->map += v->exact ? 0 : v->map;
    }
    for (int k = 0; k < s->contacts + s->joints; k++) {
        q->own[k].energy = sum.own[k].energy;
        q->own[k].exact = q->own[k].energy <= quad_larger(q->own[k].floor, DBL_MIN);
    }
    keep_stricter(&derived, q);
}
