// A problem is made of islands, each with its own scales of mass, speed and length; see draw.h. The extremes are drawn
// often, because certificates fail there: energies at the ends of the range of doubles, islands 40 decades apart, bodies of
// one island 18 decades of mass apart, mu from 0 to 1e9, redundant and opposing contacts, joints that contradict each other, boxes without width, singular,
// unsymmetric and indefinite N.
#include "draw.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- scales ----------------------------------------------------------------------------------------------

typedef struct forge_scales {
    double mass, speed, length; // kg, m/s, m
    double unlike;              // decades by which masses of an island differ
} forge_scales;

// log10 of kg and J; energies beyond the range that is certified are drawn, too.
static void draw_base(stream *random, double *mass, double *energy) {
    bool usual = draw_chance(random, .4);
    *mass = usual ? draw_uniform(random, -3, 3) : draw_uniform(random, -150, 150);
    *energy = usual                     ? draw_uniform(random, -6, 6)
              : draw_chance(random, .8) ? draw_uniform(random, -250, 270)
              : draw_chance(random, .5) ? draw_uniform(random, 290, 306)
                                        : draw_uniform(random, -310, -270);
}

static forge_scales draw_scales(stream *random, double mass, double energy, bool mixed) {
    forge_scales u;
    double m = mass + (mixed ? draw_uniform(random, -10, 10) : 0),
           e = energy + (mixed ? draw_uniform(random, -20, 20) : 0);
    u.mass = pow(10, m);
    u.speed = pow(10, (e - m) / 2);
    u.length = draw_chance(random, .3) ? draw_decades(random, -6, 6) : 1;
    u.unlike = draw_chance(random, .7) ? 1 : draw_uniform(random, 0, 12);
    return u;
}

static double draw_mu(stream *random) {
    static const double often[] = {0, 1e-9, 1e-4, .1, .3, .7, 1, 3, 100, 1e4, 1e6, 1e9};
    return often[draw_below(random, sizeof often / sizeof *often)];
}

// ---- bodies ----------------------------------------------------------------------------------------------

// A block with a diagonal H, or G G' + delta I in units of mass and length.
static void add_block(stream *random, specimen *s, const forge_scales *u) {
    static const int sizes[] = {1, 2, 3, 3, 6, 6};
    int dofs = sizes[draw_below(random, 6)], begin = s->n;
    double mass = u->mass * draw_decades(random, -u->unlike / 2, u->unlike / 2), unit[6], G[6][6];
    double delta = draw_decades(random, -8, 0);
    bool dense = draw_chance(random, .3), moves = draw_chance(random, .9);
    for (int i = 0; i < dofs; i++) {
        unit[i] = sqrt(mass) * (i >= 3 ? u->length : 1);
        for (int j = 0; j < dofs; j++)
            G[i][j] = draw_normal(random);
    }
    for (int i = 0; i < dofs; i++)
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? delta : 0;
            for (int k = 0; k < dofs; k++)
                sum += G[i][k] * G[j][k];
            double entry = dense ? sum : i == j ? 1 + fabs(G[i][i]) : 0;
            s->H[begin + i][begin + j] = s->H[begin + j][begin + i] = entry * (unit[i] * unit[j]);
        }
    for (int i = 0; i < dofs; i++) { // c = -H v
        double v = moves ? u->speed * draw_normal(random) : 0;
        for (int j = 0; j < dofs; j++)
            s->c[begin + j] -= s->H[begin + j][begin + i] * (i >= 3 ? v / u->length : v);
        s->reference[begin + i] = mass * u->speed * u->speed * draw_decades(random, -8, 4);
    }
    s->block[s->blocks++] = begin;
    s->block[s->blocks] = s->n = begin + dofs;
}

// Rows of a contact or joint at one block; orthonormal in its first three velocities, with a random lever arm.
static void add_jacobian(stream *random, const specimen *s, const forge_scales *u, int block, int rows,
                         double A[][MOST_N]) {
    int begin = s->block[block], dofs = s->block[block + 1] - begin, along = dofs < 3 ? dofs : 3;
    double frame[3][3], arm[3];
    bool aligned = draw_chance(random, .4);
    for (int k = 0; k < 3; k++) {
        arm[k] = u->length * draw_normal(random);
        for (int j = 0; j < 3; j++)
            frame[k][j] = aligned ? (k == j) : draw_normal(random);
        for (int i = 0; i < k; i++) { // Gram-Schmidt
            double dot = frame[k][0] * frame[i][0] + frame[k][1] * frame[i][1] + frame[k][2] * frame[i][2];
            for (int j = 0; j < 3; j++)
                frame[k][j] -= dot * frame[i][j];
        }
        double norm = sqrt(frame[k][0] * frame[k][0] + frame[k][1] * frame[k][1] + frame[k][2] * frame[k][2]);
        for (int j = 0; j < 3; j++)
            frame[k][j] /= norm;
    }
    double sign = draw_chance(random, .5) ? 1 : -1;
    for (int r = 0; r < rows; r++) {
        const double *t = frame[r % 3];
        for (int j = 0; j < along; j++)
            A[r][begin + j] = sign * t[j];
        for (int j = 3; j < dofs; j++) {
            int p = (j - 2) % 3, q = (j - 1) % 3;
            A[r][begin + j] = sign * (arm[p] * t[q] - arm[q] * t[p]);
        }
    }
}

static void add_jacobians(stream *random, const specimen *s, const forge_scales *u, int first, int rows,
                          double A[][MOST_N]) {
    int count = s->blocks - first, one = first + draw_below(random, count), two = first + draw_below(random, count);
    add_jacobian(random, s, u, one, rows, A);
    if (two != one && draw_chance(random, .6))
        add_jacobian(random, s, u, two, rows, A);
}

// ---- contacts and joints ---------------------------------------------------------------------------------

// Rows of an earlier contact: the same, opposite, or nearly the same.
static void repeat_rows(stream *random, const specimen *s, int from, int to, int rows, double A[][MOST_N]) {
    double sign = draw_chance(random, .5) ? -1 : 1;
    double change = draw_chance(random, .5) ? 0 : draw_decades(random, -16, -4);
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < s->n; j++)
            A[to + r][j] = A[from + r][j] * sign * (1 + change * draw_normal(random));
}

static void draw_bounds(stream *random, double unit, double *lo, double *hi) {
    double x = unit * draw_decades(random, -6, 6), y = unit * draw_normal(random);
    switch (draw_below(random, 7)) {
    case 0:
        *lo = *hi = 0;
        break;
    case 1:
        *lo = *hi = y;
        break;
    case 2:
        *lo = 0, *hi = x;
        break;
    case 3:
        *lo = x, *hi = 2 * x;
        break;
    case 4:
        *lo = -DBL_MAX, *hi = DBL_MAX;
        break;
    case 5:
        *lo = -1e30 * unit, *hi = 1e30 * unit;
        break;
    default:
        *lo = -x, *hi = x;
    }
}

static double draw_offset(stream *random, double speed) {
    static const double sizes[] = {0, 0, 0, 1, 1, 1e-10, 1e3};
    return speed * sizes[draw_below(random, 7)] * draw_normal(random);
}

// An earlier contact of the island with as many rows, to be repeated; -1: none.
static int find_like(stream *random, const specimen *s, int first, forge_kind kind, int rows) {
    for (int i = s->contacts - 1; i >= first; i--)
        if (s->kind[i] == kind && s->row[i + 1] - s->row[i] == rows && draw_chance(random, .7))
            return i;
    return -1;
}

static void add_contact(stream *random, specimen *s, const forge_scales *u, int block, int first, double repeats) {
    int i = s->contacts, row = s->m;
    bool plain = s->form == FORM_GLOBAL || draw_chance(random, .65);
    forge_kind kind = plain ? KIND_FRICTION : draw_chance(random, .5) ? KIND_FRICTIONLESS : KIND_BOX;
    int rows = kind == KIND_FRICTION ? 3 : kind == KIND_FRICTIONLESS ? 1 : 1 + draw_below(random, 3);
    int like = draw_chance(random, repeats) ? find_like(random, s, first, kind, rows) : -1;
    bool compliant = draw_chance(random, .1);
    if (like >= 0)
        repeat_rows(random, s, s->row[like], row, rows, s->D);
    else
        add_jacobians(random, s, u, block, rows, s->D + row);
    s->kind[i] = kind;
    s->mu[i] = kind == KIND_FRICTION ? draw_mu(random) : 0;
    for (int k = row; k < row + rows; k++) {
        s->b[k] = draw_offset(random, u->speed);
        s->E[k] = compliant && (k == row || kind == KIND_BOX) ? draw_decades(random, -8, 2) / u->mass : 0;
        if (kind == KIND_BOX)
            draw_bounds(random, u->mass * u->speed, &s->lo[k], &s->hi[k]);
    }
    s->row[++s->contacts] = s->m = row + rows;
}

static void add_joint(stream *random, specimen *s, const forge_scales *u, int block, int first, double repeats) {
    int row = s->m_e, rows = 1 + draw_below(random, 3), like = s->joints > first ? first : -1;
    if (like >= 0)
        rows = s->joint_row[like + 1] - s->joint_row[like];
    if (like >= 0 && draw_chance(random, repeats))
        repeat_rows(random, s, s->joint_row[like], row, rows, s->C);
    else
        add_jacobians(random, s, u, block, rows, s->C + row);
    bool compliant = draw_chance(random, .1);
    for (int k = row; k < row + rows; k++) {
        s->b_e[k] = draw_offset(random, u->speed); // a repeated row with another value is infeasible
        s->E_e[k] = compliant ? draw_decades(random, -8, 2) / u->mass : 0;
    }
    s->joint_row[++s->joints] = s->m_e = row + rows;
}

static void add_island(stream *random, specimen *s, const forge_scales *u) {
    int block = s->blocks, contact = s->contacts, joint = s->joints, bodies = 1 + draw_below(random, 3);
    double repeats = draw_chance(random, .5) ? 0 : .6;
    for (int k = 0; k < bodies && s->n + 6 <= MOST_N && s->blocks < MOST_BLOCKS; k++)
        add_block(random, s, u);
    if (s->blocks == block)
        return;
    int contacts = draw_chance(random, .1) ? 0 : 1 + draw_below(random, draw_chance(random, .8) ? 4 : 12);
    int joints = draw_chance(random, .7) ? 0 : 1 + draw_below(random, 2);
    for (int k = 0; k < contacts && s->contacts < MOST_CONTACTS && s->m + 3 <= MOST_M; k++)
        add_contact(random, s, u, block, contact, repeats);
    for (int k = 0; k < joints && s->joints < MOST_JOINTS && s->m_e + 3 <= MOST_JOINT_ROWS; k++)
        add_joint(random, s, u, block, joint, repeats);
}

// Bodies one upon the other, all falling onto the ground, with masses up to 18 decades apart: heavy ones on light ones and
// the other way round, which an island's energies do not show.
static void add_chain(stream *random, specimen *s, const forge_scales *u) {
    int bodies = 2 + draw_below(random, 5), first = s->blocks, dofs = draw_chance(random, .5) ? 3 : 6;
    double decades = draw_uniform(random, 4, 18), arm[6];
    bool up = draw_chance(random, .5), mixed = draw_chance(random, .5);
    for (int k = 0; k < bodies && s->n + dofs <= MOST_N && s->blocks < MOST_BLOCKS; k++) {
        double place = mixed ? draw_uniform(random, 0, 1) : (double)(up ? k : bodies - 1 - k) / (bodies - 1);
        double mass = u->mass * pow(10, decades * (place - .5));
        for (int i = 0; i < dofs; i++)
            s->H[s->n + i][s->n + i] = mass * (i >= 3 ? .4 * u->length * u->length : 1);
        for (int i = 0; i < 3; i++)
            s->c[s->n + i] = -mass * u->speed * (i == 0 ? -1 : mixed ? .3 * draw_normal(random) : 0);
        s->block[s->blocks++] = s->n;
        s->block[s->blocks] = s->n += dofs;
    }
    int contacts = 1 + draw_below(random, 3); // between two of them
    for (int k = 0; k < (s->blocks - first) * contacts && s->contacts < MOST_CONTACTS && s->m + 3 <= MOST_M; k++) {
        int body = first + k / contacts, i = s->contacts, rows = draw_chance(random, .7) ? 3 : 1;
        for (int j = 0; j < 6; j++)
            arm[j] = u->length * draw_normal(random);
        for (int side = 0; side < (body > first ? 2 : 1); side++) {
            int begin = s->block[body - side];
            for (int r = 0; r < rows; r++) {
                s->D[s->m + r][begin + r] = side ? -1 : 1;
                for (int j = 3; j < dofs; j++)
                    s->D[s->m + r][begin + j] = j - 3 == r ? 0 : (side ? -1 : 1) * arm[(j + r + side) % 6];
            }
        }
        s->kind[i] = rows == 3 ? KIND_FRICTION : KIND_FRICTIONLESS;
        s->mu[i] = rows == 3 ? draw_mu(random) : 0;
        s->row[++s->contacts] = s->m = s->m + rows;
    }
}

// Global form: springs between neighbouring velocities make H general, a little circulation unsymmetric.
static void couple_blocks(stream *random, specimen *s) {
    bool unsymmetric = draw_chance(random, .3);
    double strength = draw_decades(random, -2, 3);
    for (int j = 0; j + 1 < s->n; j++) {
        double least = fmin(s->H[j][j], s->H[j + 1][j + 1]), k = strength * least;
        if (draw_chance(random, .1))
            continue;
        s->H[j][j] += k;
        s->H[j + 1][j + 1] += k;
        s->H[j][j + 1] -= k;
        s->H[j + 1][j] -= unsymmetric ? k * (1 + .1 * draw_normal(random)) : k;
    }
}

// Global form: the library takes consecutive rows with the same columns as one joint, and joints have no compliance.
static void group_joint_rows(specimen *s) {
    memset(s->E_e, 0, sizeof s->E_e);
    s->joints = 0;
    for (int k = 0; k < s->m_e; k++) {
        bool same = k > 0;
        for (int j = 0; j < s->n && same; j++)
            same = (s->C[k][j] != 0) == (s->C[k - 1][j] != 0);
        if (!same)
            s->joint_row[s->joints++] = k;
    }
    s->joint_row[s->joints] = s->m_e;
}

// ---- local form ------------------------------------------------------------------------------------------

// An island of N = G G'/mass of some rank, then made unsymmetric, indefinite or empty.
static void add_local_island(stream *random, specimen *s, const forge_scales *u) {
    static double G[MOST_M][MOST_M];
    int contacts = 1 + draw_below(random, draw_chance(random, .8) ? 3 : 8), begin = s->m;
    for (int k = 0; k < contacts && s->contacts < MOST_CONTACTS && s->m + 3 <= MOST_M; k++) {
        s->kind[s->contacts] = KIND_FRICTION;
        s->mu[s->contacts] = draw_mu(random);
        s->m += 3;
        s->row[++s->contacts] = s->m;
    }
    int rows = s->m - begin, rank = draw_chance(random, .5) ? rows + 1 : 1 + draw_below(random, rows + 1);
    double skew = draw_chance(random, .6) ? 0 : draw_decades(random, -12, 0);
    double negative = draw_chance(random, .85) ? 0 : draw_decades(random, -8, 1);
    bool repeats = draw_chance(random, .3);
    for (int i = 0; i < rows; i++) {
        double unit = draw_decades(random, -u->unlike / 4, u->unlike / 4) / sqrt(u->mass);
        for (int k = 0; k < rank; k++)
            G[i][k] = repeats && i >= 3 ? (i % 2 ? -1 : 1) * G[i - 3][k] : unit * draw_normal(random);
        s->r[begin + i] = u->speed * draw_normal(random) * (draw_chance(random, .9) ? 1 : 0);
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            double sum = 0;
            for (int k = 0; k < rank; k++)
                sum += G[i][k] * G[j][k];
            sum *= 1 + (i == j ? -negative : i < j ? skew * draw_normal(random) : 0);
            s->N[begin + i][begin + j] = sum;
        }
    if (draw_chance(random, .03)) // a contact that nothing moves
        for (int j = 0; j < rows; j++)
            for (int k = 0; k < 3; k++)
                s->N[begin + k][begin + j] = s->N[begin + j][begin + k] = 0;
}

// ---- the whole -------------------------------------------------------------------------------------------

static bool all_finite(int count, const double *x) {
    bool finite = true;
    for (int k = 0; k < count; k++)
        finite = finite && isfinite(x[k]);
    return finite;
}

// Data of an infinite size are no problem, and refused by the library; another one is drawn.
static bool is_finite(const specimen *s) {
    return all_finite(MOST_N * MOST_N, s->H[0]) && all_finite(MOST_N, s->c) && all_finite(MOST_N, s->reference) &&
           all_finite(MOST_M * MOST_N, s->D[0]) && all_finite(MOST_M, s->b) && all_finite(MOST_M, s->E) &&
           all_finite(MOST_M, s->lo) && all_finite(MOST_M, s->hi) && all_finite(MOST_JOINT_ROWS * MOST_N, s->C[0]) &&
           all_finite(MOST_JOINT_ROWS, s->b_e) && all_finite(MOST_JOINT_ROWS, s->E_e) &&
           all_finite(MOST_M * MOST_M, s->N[0]) && all_finite(MOST_M, s->r);
}

void draw_specimen(stream *random, specimen *s) {
    do {
        double mass, energy, kind = draw_uniform(random, 0, 1);
        int islands = draw_chance(random, .5) ? 1 : 1 + draw_below(random, 6);
        bool mixed = draw_chance(random, .6);
        memset(s, 0, sizeof *s);
        s->form = kind < .6 ? FORM_BUILDER : kind < .75 ? FORM_GLOBAL : FORM_LOCAL;
        draw_base(random, &mass, &energy);
        for (int k = 0; k < islands; k++) {
            forge_scales u = draw_scales(random, mass, energy, mixed);
            if (s->form == FORM_LOCAL)
                add_local_island(random, s, &u);
            else if (s->form == FORM_BUILDER && draw_chance(random, .2))
                add_chain(random, s, &u);
            else
                add_island(random, s, &u);
        }
        if (s->form == FORM_GLOBAL && draw_chance(random, .6))
            couple_blocks(random, s);
        if (s->form == FORM_GLOBAL)
            group_joint_rows(s);
        s->has_reference = s->form == FORM_BUILDER && draw_chance(random, .2);
    } while (!is_finite(s));
}

void change_specimen(specimen *s, double factor) {
    for (int j = 0; j < s->n; j++)
        s->c[j] *= factor;
    for (int k = 0; k < s->m; k++) {
        s->b[k] *= factor;
        s->r[k] *= factor;
    }
}

void draw_order(stream *random, forge_order *order) {
    static const double tolerances[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-8, 1e-8, 1e-10, 1e-12};
    vs_solver_options *o = &order->options;
    *o = vs_solver_options_default();
    o->model = (vs_model)draw_below(random, 3);
    o->method = draw_chance(random, .4) ? VS_METHOD_AUTO : (vs_method)draw_below(random, vs_method_count());
    o->form = draw_chance(random, .8) ? VS_FORM_AUTO : (vs_form)draw_below(random, 4);
    o->tolerance = tolerances[draw_below(random, 8)];
    o->criterion = draw_chance(random, .7) ? VS_CRITERION_BOTH : VS_CRITERION_ENERGY;
    static const int limits[] = {0, 1, 3, 10, 100};
    o->max_iterations = draw_chance(random, .8) ? -1 : limits[draw_below(random, 5)];
    // Slow methods are not what is searched for.
    bool slow = o->method == VS_METHOD_JACOBI || o->method == VS_METHOD_GAUSS_SEIDEL || o->method == VS_METHOD_ADMM ||
                o->method == VS_METHOD_APGD || o->method == VS_METHOD_SPG;
    if (slow && o->max_iterations < 0 && draw_chance(random, .9))
        o->max_iterations = 5000;
    o->max_time = draw_chance(random, .95) ? 0 : draw_decades(random, -9, -3);
    o->warm_start = draw_chance(random, .8) ? VS_WARM_START_FULL : (vs_warm_start)draw_below(random, 3);
    o->check_every = draw_chance(random, .9) ? 0 : 1 + draw_below(random, 20);
    o->exact.fallback = (vs_fallback)draw_below(random, 3);
    o->exact.outer = (vs_outer)draw_below(random, 2);
    o->ipm.start = draw_chance(random, .8) ? VS_START_AUTO : (vs_start)draw_below(random, 4);
    o->gauss_seidel.sweep = (vs_sweep)draw_below(random, 3);
    if (draw_chance(random, .1))
        o->linear_solver = vs_backend_at(draw_below(random, vs_backend_count())).name;
    order->start = draw_chance(random, .5) ? START_COLD : (forge_start)draw_below(random, STARTS);
    order->size = draw_decades(random, order->start == START_HUGE ? 0 : -3, order->start == START_HUGE ? 300 : 3);
    order->changed = draw_chance(random, .2);
    order->factor = draw_chance(random, .2) ? 0 : draw_decades(random, -20, 20);
}

// Impulses that stop the motion, roughly: the largest of c, or of r over the diagonal of N.
static double size_of_impulses(const specimen *s) {
    double size = 0;
    for (int j = 0; j < s->n; j++)
        size = fmax(size, fabs(s->c[j]));
    for (int k = 0; k < s->m && s->form == FORM_LOCAL; k++)
        size = fmax(size, s->N[k][k] > 0 ? fabs(s->r[k]) / s->N[k][k] : 0);
    return size;
}

static double bounded(double x) {
    return fmin(fmax(x, -1e300), 1e300);
}

void draw_start(stream *random, const specimen *s, const forge_order *order, impulses *x, double *v) {
    double size = bounded(size_of_impulses(s) * order->size);
    for (int j = 0; j < s->n; j++)
        v[j] = bounded(size / s->H[j][j] * draw_normal(random));
    for (int k = 0; k < s->m_e; k++)
        x->g[k] = order->start == START_EQUAL ? 0 : bounded(size * draw_normal(random));
    for (int i = 0; i < s->contacts; i++)
        for (int k = s->row[i]; k < s->row[i + 1]; k++) {
            double equal = k == s->row[i] ? size : 0;
            x->lambda[k] = order->start == START_EQUAL ? equal : bounded(size * draw_normal(random));
        }
}

const char *start_name(forge_start start) {
    static const char *const names[] = {"cold",           "random",        "huge",
                                        "equal impulses", "scaled result", "result without one contact"};
    return names[start];
}
