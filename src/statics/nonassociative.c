// Load factors of Coulomb's law without dilatancy. A solution is (lam, l, v) with
//
//     D'l + f_d + lam f_l = 0,  f_l'v = 1,  l in K,  y = D v + mu |y_T| e_n in K*,  l'y = 0
//
// There may be many, and the associated factor is above all of them (Radenkovic 1961). Two sequences of cone programs have
// such solutions as fixed points:
//
//     dilatancy   D v + s e_n in K* with given s             s <- s + w (mu |y_T| - s)        (de Saxce and Feng 1998)
//     strength    |l_T| <= g with given g, l_n >= 0          g <- g + w (mu l_n - g)          (Gilbert et al. 2006)
//
// Neither must converge. The iterate with the least error of the exact law is reported, with that error:
// sum of |l'y| + l_n max(0, -y_n), relative to the power lam of the live load.
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "statics/statics_data.h"

enum { MOST_ITERATIONS = 100 };
static const double TOLERANCE = 1e-9;      // of the programs
static const double SETTLED = 1e-7;        // relative change that ends a sequence
static const double WEIGHT = .3;           // w
static const double LEAST_STRENGTH = 1e-7; // of the mean load of a contact: a disc keeps an interior

// Contact forces and relative velocities of an iterate, both (3 contacts): n, u, w, with forces in units of F.
typedef struct iterate {
    double lam;
    double *l, *y;
} iterate;

static double mu_of(const vs_statics *s, int contact) {
    return s->interfaces.list.data[s->of_contact[contact]].mu;
}

// Error of the exact law.
static double measure(const vs_statics *s, const iterate *it) {
    double sum = 0;
    for (int c = 0; c < s->interfaces.report.contacts; c++) {
        const double *l = it->l + 3 * (int64_t)c, *y = it->y + 3 * (int64_t)c;
        const double slip = vs_hypot(y[1], y[2]), opening = y[0] + mu_of(s, c) * slip;
        sum += fabs(l[0] * opening + l[1] * y[1] + l[2] * y[2]) + fabs(l[0]) * fmax(0, -y[0]);
    }
    return sum / fmax(fabs(it->lam), 1e-300);
}

// Follows a sequence: `solve` makes an iterate of the present parameter (contacts), `aim` is its fixed point.
typedef struct sequence {
    vs_statics *s;
    double *parameter; // (contacts)
    iterate at;
    vs_error (*solve)(struct sequence *q, bool *solved);
    double (*aim)(const struct sequence *q, int contact);
    vs_cone_program *program;
    vs_rows G;
    double *c, *h, *a; // of the program
} sequence;

static vs_error follow(sequence *q, vs_nonassociative *result) {
    const int contacts = q->s->interfaces.report.contacts;
    bool solved = true;
    vs_error error = VS_OK;
    *result = (vs_nonassociative){.factor = (double)NAN, .error = (double)INFINITY};
    for (int k = 0; k < MOST_ITERATIONS && solved && !error; k++) {
        error = q->solve(q, &solved);
        if (error || !solved)
            break;
        result->iterations = k + 1;
        const double now = measure(q->s, &q->at);
        if (now < result->error) {
            result->error = now;
            result->factor = q->at.lam;
        }
        double change = 0, size = 0;
        for (int c = 0; c < contacts; c++) {
            const double next = q->aim(q, c), step = next - q->parameter[c];
            change = fmax(change, fabs(step));
            size = fmax(size, fabs(next));
            q->parameter[c] += (k == 0 ? 1 : WEIGHT) * step;
        }
        result->converged = change <= SETTLED * size;
        if (result->converged)
            break;
    }
    return error;
}

// ---- dilatancy ---------------------------------------------------------------------------------------

// Rows of the program carry mu: l_T = mu z_T and y_T = row / mu.
static void read_scaled(const vs_statics *s, const double *z, const double *speed, iterate *it) {
    for (int c = 0; c < s->interfaces.report.contacts; c++) {
        const int row = s->G.row[c], rows = s->G.row[c + 1] - row;
        double *l = it->l + 3 * (int64_t)c, *y = it->y + 3 * (int64_t)c;
        l[1] = l[2] = y[1] = y[2] = 0;
        for (int k = 0; k < rows; k++) {
            l[k] = (k == 0 ? 1 : mu_of(s, c)) * z[row + k];
            y[k] = speed[row + k] / (k == 0 ? 1 : mu_of(s, c));
        }
    }
}

static vs_error solve_dilatancy(sequence *q, bool *solved) {
    vs_statics *s = q->s;
    memset(s->h, 0, (size_t)s->G.rows * sizeof *s->h);
    for (int c = 0; c < s->interfaces.report.contacts; c++)
        s->h[s->G.row[c]] = q->parameter[c];
    vs_program_result r;
    const vs_program_data data = {.c = s->c, .h = s->h, .a = s->live, .b = 1};
    const vs_error error = vs_cone_program_solve(s->program, &data, TOLERANCE, &r);
    *solved = !error && r.status == VS_PROGRAM_OPTIMAL;
    if (!*solved)
        return error;
    q->at.lam = -r.y;
    vs_rows_multiply(&s->G, -1, r.x, 0, s->z, s->context);
    read_scaled(s, r.z, s->z, &q->at);
    return VS_OK;
}

static double aim_dilatancy(const sequence *q, int c) {
    const double *y = q->at.y + 3 * (int64_t)c;
    return mu_of(q->s, c) * vs_hypot(y[1], y[2]);
}

// ---- strength ----------------------------------------------------------------------------------------

// G of the program with discs: per contact the row n, and (t, u, w) with a column t of its own.
static bool make_discs(sequence *q, vs_arena *arena) {
    const vs_statics *s = q->s;
    const vs_rows *G = &s->G;
    const int contacts = s->interfaces.report.contacts;
    vs_rows *D = &q->G;
    D->cols = s->columns + contacts;
    D->row = VS_NEW_ZERO(arena, int, 2 * (int64_t)contacts + 2);
    D->start = VS_NEW_ZERO(arena, int64_t, 2 * (int64_t)contacts + 2);
    D->value = VS_NEW_ZERO(arena, int64_t, 2 * (int64_t)contacts + 2);
    D->col = VS_NEW_ZERO(arena, int, 25 * (int64_t)contacts + 1);
    D->x = VS_NEW_ZERO(arena, double, 51 * (int64_t)contacts + 1);
    if (!D->row || !D->start || !D->value || !D->col || !D->x)
        return false;
    for (int c = 0; c <= contacts; c++) {
        const int width = (int)(G->start[c + 1] - G->start[c]), rows = G->row[c + 1] - G->row[c];
        const double *x = G->x + G->value[c];
        for (int disc = 0; disc < (rows == 3 ? 2 : 1); disc++) {
            const int g = D->groups++, wide = width + disc, high = disc ? 3 : 1;
            D->row[g + 1] = D->row[g] + high;
            D->start[g + 1] = D->start[g] + wide;
            D->value[g + 1] = D->value[g] + (int64_t)high * wide;
            memcpy(D->col + D->start[g], G->col + G->start[c], (size_t)width * sizeof *D->col);
            double *to = D->x + D->value[g];
            if (!disc) {
                memcpy(to, x, (size_t)width * sizeof *to);
                continue;
            }
            D->col[D->start[g] + width] = s->columns + c;
            to[width] = -1;
            for (int r = 1; r < 3; r++)
                for (int k = 0; k < width; k++)
                    to[(int64_t)r * wide + k] = x[(int64_t)r * width + k] / mu_of(s, c);
        }
    }
    D->rows = D->row[D->groups];
    return true;
}

static vs_error solve_strength(sequence *q, bool *solved) {
    vs_statics *s = q->s;
    const int contacts = s->interfaces.report.contacts;
    for (int c = 0; c < contacts; c++)
        q->c[s->columns + c] =
            s->G.row[c + 1] - s->G.row[c] == 3 ? fmax(q->parameter[c], LEAST_STRENGTH * s->mean[c]) : 0;
    vs_program_result r;
    const vs_program_data data = {.c = q->c, .a = q->a, .b = 1};
    const vs_error error = vs_cone_program_solve(q->program, &data, TOLERANCE, &r);
    *solved = !error && r.status == VS_PROGRAM_OPTIMAL;
    if (!*solved)
        return error;
    q->at.lam = -r.y;
    vs_rows_multiply(&q->G, -1, r.x, 0, q->h, s->context);
    for (int c = 0, row = 0; c < contacts; c++) {
        double *l = q->at.l + 3 * (int64_t)c, *y = q->at.y + 3 * (int64_t)c;
        l[0] = r.z[row];
        y[0] = q->h[row++];
        l[1] = l[2] = y[1] = y[2] = 0;
        if (s->G.row[c + 1] - s->G.row[c] < 3)
            continue;
        for (int k = 1; k < 3; k++) {
            l[k] = r.z[row + k];
            y[k] = q->h[row + k];
        }
        row += 3;
    }
    return VS_OK;
}

static double aim_strength(const sequence *q, int c) {
    return mu_of(q->s, c) * fmax(0, q->at.l[3 * (int64_t)c]);
}

// ---- both --------------------------------------------------------------------------------------------

static vs_error follow_dilatancy(sequence *q, vs_nonassociative *result) {
    vs_statics *s = q->s;
    for (int k = 0; k < s->columns; k++)
        s->c[k] = -s->load[k];
    s->c[s->columns - 1] = 1;
    q->solve = solve_dilatancy;
    q->aim = aim_dilatancy;
    return follow(q, result);
}

// Begins with the strength of the associated solution, which the first program of the other sequence finds.
static vs_error follow_strength(sequence *q, vs_arena *arena, vs_nonassociative *result) {
    vs_statics *s = q->s;
    const int contacts = s->interfaces.report.contacts;
    bool solved;
    for (int k = 0; k < s->columns; k++)
        s->c[k] = -s->load[k];
    s->c[s->columns - 1] = 1;
    memset(q->parameter, 0, (size_t)contacts * sizeof *q->parameter);
    vs_error error = solve_dilatancy(q, &solved);
    for (int c = 0; c < contacts && solved; c++)
        q->parameter[c] = aim_strength(q, c);
    q->c = VS_NEW_ZERO(arena, double, s->columns + contacts);
    q->a = VS_NEW_ZERO(arena, double, s->columns + contacts);
    q->h = VS_NEW_ZERO(arena, double, 4 * (int64_t)contacts + 1);
    if (!error && !(q->c && q->a && q->h && make_discs(q, arena)))
        error = VS_ERROR_MEMORY;
    if (error || !solved)
        return error;
    memcpy(q->c, s->c, (size_t)s->columns * sizeof *q->c);
    memcpy(q->a, s->live, (size_t)s->columns * sizeof *q->a);
    q->solve = solve_strength;
    q->aim = aim_strength;
    error = vs_cone_program_create(s->context, &q->G, &q->program);
    if (!error)
        error = follow(q, result);
    vs_cone_program_destroy(q->program);
    return error;
}

vs_error vs_statics_find_nonassociative(vs_statics *s, vs_nonassociative *high, vs_nonassociative *low) {
    if (!s || !high || !low)
        return VS_ERROR_ARGUMENT;
    const int contacts = s->interfaces.report.contacts;
    if (s->joints > 0 || s->bonded)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED,
                       "limit: factors without dilatancy are for dry contacts only, without joints and mortar");
    if (!(vs_vector_norm(s->columns, s->live) > 0))
        return vs_fail(s->context, VS_ERROR_DATA, "limit: there is no live load; add one before");
    *high = *low = (vs_nonassociative){.factor = (double)NAN, .error = (double)INFINITY};
    vs_arena arena;
    vs_arena_init(&arena, s->context);
    sequence q = {.s = s, .parameter = VS_NEW_ZERO(&arena, double, contacts + 1)};
    q.at.l = VS_NEW_ZERO(&arena, double, 3 * (int64_t)contacts + 1);
    q.at.y = VS_NEW_ZERO(&arena, double, 3 * (int64_t)contacts + 1);
    vs_error error = q.parameter && q.at.l && q.at.y ? VS_OK : VS_ERROR_MEMORY;
    if (!error)
        error = follow_dilatancy(&q, high);
    if (!error)
        error = follow_strength(&q, &arena, low);
    vs_arena_release(&arena);
    return error;
}
