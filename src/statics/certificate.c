// Checks of certificates, in double-double arithmetic with the matrices of the assembly.
//
// Forces: residual r = D'z + f, z in L. They hold if the residual r_b of every block is below BALANCED |f_b|, its own load: the
// forces then balance exactly an assembly in which each weight is changed, and moved, by that part of itself. A bound relative
// to all loads would let a light block hang on nothing beside a heavy one. Where forces pass through a block that are far
// above its load, that is less than their rounding: so z has twice the precision of doubles.
//
// Mechanism: y = D x, power f'x > 0. If y is in L there is no equilibrium. PUSHED bounds the power by the loads on the way of
// each block, so that no assembly has both certificates: f'x = r'x - z'y <= sum |r_b||x_b|. With a violation e = max (|y_T| - y_n) > 0 any
// equilibrium z has  0 < f'x = -z'y <= e sum z_n:  its normal forces sum up to f'x/e at least. A motion that opens every
// contact (x0: D x0 - 1 in L) removes the violation: x + e x0. There is none in assemblies that can be under self-stress,
// jammed between supports; then a mechanism holds if the reach f'x/e is beyond any force that could arise.
#include "statics/certificate.h"

#include <math.h>
#include <string.h>

#include "base/double_double.h"
#include "base/vector.h"
#include "cone/cone.h"

static const double BALANCED = VS_CERTIFICATE_RESIDUAL;
static const double PASSING = 1e-12;  // a load below this part of the forces on a block counts as that part
static const double PUSHED = 1e-9;    // least power of a mechanism that holds, relative to sum |f_b||x_b|
static const double ROUNDING = 4e-16; // of a margin, relative to the force
static const double DEPENDS = 1e-9;   // part of a row that is left if it depends on others
enum { MOST_CORRECTIONS = 6, MOST_FIXED = 600 };

static const vs_cone *cone_of(const vs_statics *s, int g) {
    return s->G.row[g + 1] - s->G.row[g] == 1 ? &vs_cone_nonneg : &vs_cone_second_order;
}

// ---- forces ------------------------------------------------------------------------------------------

// Forces with twice the precision, and what is left over.
typedef struct balance {
    const double *load;    // (columns)
    double *z, *low, *dz;  // (rows): z + low
    vs_double_double *sum; // (columns) D'z + f
    double *passing;       // (columns) sum of the absolute values of its parts
} balance;

static void sum_up(const vs_statics *s, balance *b) {
    const vs_rows *G = &s->G;
    for (int k = 0; k + 1 < s->columns; k++) {
        b->sum[k] = (vs_double_double){b->load[k], 0};
        b->passing[k] = 0;
    }
    for (int g = 0; g + 1 < G->groups; g++) {
        const int width = (int)(G->start[g + 1] - G->start[g]);
        for (int r = G->row[g], i = 0; r < G->row[g + 1]; r++, i++)
            for (int k = 0; k < width; k++) {
                const int column = G->col[G->start[g] + k];
                const double value = -G->x[G->value[g] + (int64_t)i * width + k];
                const vs_double_double part = vs_dd_add(vs_dd_product(value, b->z[r]), vs_dd_product(value, b->low[r]));
                b->sum[column] = vs_dd_add(b->sum[column], part);
                b->passing[column] += fabs(part.hi);
            }
    }
}

// Scaled strength of which the column k is a bound; 0 if the load is live alone.
static double strength_of(const vs_statics *s, const double *load, int k) {
    const int bound = k - 6 * s->blocks;
    return load[k] != 0 ? s->bound[bound].strength / s->cone_unit[s->interfaces.report.contacts + bound] : 0;
}

// Largest residual of a block, |r_b|/|f_b|.
static double residual_of(const vs_statics *s, const balance *b) {
    double worst = 0;
    for (int k = 0; k < 6 * s->blocks; k += 6) {
        double rest = 0;
        for (int i = k; i < k + 6; i++)
            rest += b->sum[i].hi * b->sum[i].hi;
        const double load = fmax(vs_statics_own_load(s, b->load, k / 6), PASSING * vs_vector_norm(6, b->passing + k));
        if (rest > 0)
            worst = fmax(worst, load > 0 ? sqrt(rest) / load : (double)INFINITY);
    }
    // Bounds of mortar, relative to their strength.
    for (int k = 6 * s->blocks; k + 1 < s->columns; k++) {
        const double rest = fabs(b->sum[k].hi);
        const double load = fmax(strength_of(s, b->load, k), PASSING * b->passing[k]);
        worst = rest > 0 ? fmax(worst, rest / load) : worst;
    }
    return worst;
}

// Least distance of a force from the surface of its cone, N; inside: all are in their cones in spite of rounding.
static double margin_of(const vs_statics *s, const balance *b, bool *inside) {
    double least = (double)INFINITY;
    for (int g = 0; g + 1 < s->G.groups; g++) {
        const int row = s->G.row[g], rows = s->G.row[g + 1] - row;
        const double margin = cone_of(s, g)->margin(b->z + row), low = vs_vector_norm(rows, b->low + row);
        if (g < s->interfaces.report.contacts + s->bounds)
            least = fmin(least, s->cone_unit[g] * margin);
        *inside = *inside && margin >= 2 * low && (rows == 1 || margin > ROUNDING * b->z[row] || b->z[row] == 0);
    }
    return least;
}

// Corrects z + low until the residual is small or does not decrease any more. Returns it.
static vs_error correct(vs_statics *s, balance *b, double *residual) {
    vs_error error = VS_OK;
    sum_up(s, b);
    *residual = residual_of(s, b);
    for (int k = 0; k < MOST_CORRECTIONS && !error && *residual > .01 * BALANCED; k++) {
        for (int i = 0; i + 1 < s->columns; i++)
            s->target[i] = b->sum[i].hi;
        s->target[s->columns - 1] = 0;
        // G = -D: the residual D'z + f is reduced by G'dz.
        error = vs_cone_program_correct(s->program, s->target, b->dz);
        for (int r = 0; r < s->G.rows && !error; r++) {
            const vs_double_double sum = vs_dd_add_double((vs_double_double){b->z[r], b->low[r]}, b->dz[r]);
            b->z[r] = sum.hi;
            b->low[r] = sum.lo;
        }
        sum_up(s, b);
        const double before = *residual;
        *residual = residual_of(s, b);
        if (!(*residual < .5 * before))
            break;
    }
    return error == VS_ERROR_NUMERICAL ? VS_OK : error;
}

vs_error vs_certify_forces(vs_statics *s, const double *load, double *z, vs_force_certificate *certificate) {
    const int n = s->columns - 1;
    vs_arena arena;
    vs_arena_init(&arena, s->context);
    balance b = {.load = load,
                 .z = z,
                 .low = VS_NEW_ZERO(&arena, double, s->G.rows),
                 .dz = VS_NEW_ZERO(&arena, double, s->G.rows),
                 .sum = VS_NEW_ZERO(&arena, vs_double_double, s->columns),
                 .passing = VS_NEW_ZERO(&arena, double, s->columns)};
    *certificate = (vs_force_certificate){.residual = (double)INFINITY};
    vs_error error = b.low && b.dz && b.sum && b.passing ? VS_OK : VS_ERROR_MEMORY;
    bool inside = false;
    if (!error) {
        // G = -D, and the force of the idle column is 1.
        memcpy(s->target, load, (size_t)n * sizeof *load);
        s->target[n] = -1;
        z[s->G.rows - 1] = 1;
        error = vs_cone_program_balance(s->program, s->target, z, &inside);
    }
    if (!error && inside)
        error = correct(s, &b, &certificate->residual);
    if (!error && !inside) {
        sum_up(s, &b);
        certificate->residual = residual_of(s, &b);
    }
    if (!error)
        certificate->margin = margin_of(s, &b, &inside);
    certificate->holds = !error && inside && certificate->residual <= BALANCED;
    vs_arena_release(&arena);
    return error;
}

// ---- mechanisms --------------------------------------------------------------------------------------

// D x of one contact; magnitude: sum of the absolute values of its products.
static void speed_of(const vs_statics *s, int g, const double *x, double y[3], double *magnitude) {
    const vs_rows *G = &s->G;
    const int width = (int)(G->start[g + 1] - G->start[g]);
    const double *value = G->x + G->value[g];
    *magnitude = 0;
    for (int r = 0; r < G->row[g + 1] - G->row[g]; r++) {
        vs_double_double sum = {0, 0};
        for (int k = 0; k < width; k++) {
            sum = vs_dd_add(sum, vs_dd_product(-value[(int64_t)r * width + k], x[G->col[G->start[g] + k]]));
            *magnitude += fabs(value[(int64_t)r * width + k] * x[G->col[G->start[g] + k]]);
        }
        y[r] = sum.hi;
    }
}

static bool is_fixed(const vs_statics *s, int g) {
    const int link = g - s->interfaces.report.contacts - s->bounds;
    return link >= 0 && link < s->links && s->link[link].both;
}

// Largest |y_T| - y_n of D x, 0 if all are in L, without joints that allow no motion; speed: the same of all, in m/s. y is rounded once, so that a point on the surface of
// L counts as a violation; sums below the rounding of twice the precision are zero.
static double violation_of(const vs_statics *s, const double *x, double *speed) {
    double worst = 0;
    *speed = 0;
    for (int g = 0; g + 1 < s->G.groups; g++) {
        double y[3] = {0, 0, 0}, magnitude;
        speed_of(s, g, x, y, &magnitude);
        const double size = fabs(y[0]) + fabs(y[1]) + fabs(y[2]);
        if (!(size > 1e-29 * magnitude))
            continue;
        const double violation = 4e-16 * size - cone_of(s, g)->margin(y);
        worst = is_fixed(s, g) ? worst : fmax(worst, violation);
        *speed = fmax(*speed, violation * (s->unit / s->cone_unit[g]));
    }
    return worst;
}

double vs_certify_power(const vs_statics *s, const double *load, const double *x) {
    vs_double_double sum = {0, 0};
    for (int k = 0; k + 1 < s->columns; k++)
        sum = vs_dd_add(sum, vs_dd_product(load[k], x[k]));
    return sum.hi;
}

// ---- joints that allow no motion ---------------------------------------------------------------------

static void remove_part(int n, const double *q, double *x) {
    const double part = vs_vector_dot(n, x, q);
    for (int i = 0; i < n; i++)
        x[i] -= part * q[i];
}

// An orthonormal basis Q (rank x n) of the motions that they forbid, by Gram-Schmidt, twice because of rounding. Rows that
// depend on others are left out. Returns the rank.
static int make_basis(const vs_statics *s, int n, double *Q) {
    const vs_rows *G = &s->G;
    const int first = s->interfaces.report.contacts + s->bounds;
    int rank = 0;
    for (int k = 0; k < s->links; k++) {
        if (!s->link[k].both)
            continue;
        double *q = Q + (int64_t)rank * n;
        memset(q, 0, (size_t)n * sizeof *q);
        for (int64_t i = G->start[first + k], v = G->value[first + k]; i < G->start[first + k + 1]; i++, v++)
            q[G->col[i]] = G->x[v];
        const double before = vs_vector_norm(n, q);
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < rank; j++)
                remove_part(n, Q + (int64_t)j * n, q);
        const double after = vs_vector_norm(n, q);
        k++; // its opposite
        if (!(after > DEPENDS * before))
            continue;
        for (int i = 0; i < n; i++)
            q[i] /= after;
        rank++;
    }
    return rank;
}

// Removes the part of x that such joints forbid: x - Q'Q x.
static vs_error project(vs_statics *s, double *x) {
    const int n = 6 * s->blocks;
    int count = 0;
    for (int k = 0; k < s->links; k++)
        count += s->link[k].both;
    count /= 2;
    if (count == 0 || count > MOST_FIXED)
        return VS_OK;
    double *Q = vs_allocate(s->context, (size_t)count * (size_t)n * sizeof *Q);
    if (!Q)
        return vs_fail_memory(s->context);
    const int rank = make_basis(s, n, Q);
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < rank; j++)
            remove_part(n, Q + (int64_t)j * n, x);
    vs_release(s->context, Q);
    return VS_OK;
}

// The motion of least opening with D x - 1 in L; none if the assembly is jammed.
static vs_error find_loosening(vs_statics *s) {
    if (s->loosened || s->jammed)
        return VS_OK;
    memset(s->h, 0, (size_t)s->G.rows * sizeof *s->h);
    for (int g = 0; g + 1 < s->G.groups; g++)
        s->h[s->G.row[g]] = is_fixed(s, g) ? 0 : -1;
    memset(s->c, 0, (size_t)s->columns * sizeof *s->c);
    vs_rows_multiply_t_add(&s->G, 1, s->h, s->c);
    s->c[s->columns - 1] = 1;
    vs_program_result r;
    const vs_program_data data = {.c = s->c, .h = s->h};
    const vs_error error = vs_cone_program_solve(s->program, &data, 1e-6, &r);
    s->jammed = true;
    if (error || r.status != VS_PROGRAM_OPTIMAL)
        return error;
    for (int g = 0; g + 1 < s->G.groups; g++) {
        double y[3] = {0, 0, 0}, magnitude;
        speed_of(s, g, r.x, y, &magnitude);
        if (!is_fixed(s, g) && !(cone_of(s, g)->margin(y) >= .5))
            return VS_OK;
    }
    s->jammed = false;
    s->loosened = true;
    memcpy(s->loose, r.x, (size_t)s->columns * sizeof *s->loose);
    return VS_OK;
}

static void scale_to_one(int n, double *x) {
    double largest = 0;
    for (int k = 0; k < n; k++)
        largest = fmax(largest, fabs(x[k]));
    for (int k = 0; k < n && largest > 0; k++)
        x[k] /= largest;
}

vs_error vs_mend_mechanism(vs_statics *s, double *x, double *violation) {
    const int n = s->columns - 1;
    vs_error error = project(s, x);
    scale_to_one(n, x);
    double scaled = violation_of(s, x, violation);
    if (!error && scaled > 0)
        error = find_loosening(s);
    for (int round = 0; round < 4 && scaled > 0 && s->loosened && !error; round++) {
        for (int k = 0; k < n; k++)
            x[k] += 2.1 * scaled * s->loose[k];
        error = project(s, x);
        scale_to_one(n, x);
        scaled = violation_of(s, x, violation);
    }
    return error;
}

// sum |f_b||x_b|
static double effort_of(const vs_statics *s, const double *load, const double *x) {
    double sum = 0;
    for (int k = 0; k < 6 * s->blocks; k += 6)
        sum += vs_statics_own_load(s, load, k / 6) * vs_vector_norm(6, x + k);
    for (int k = 6 * s->blocks; k + 1 < s->columns; k++)
        sum += strength_of(s, load, k) * fabs(x[k]);
    return sum;
}

vs_error vs_certify_mechanism(vs_statics *s, const double *load, double *x, vs_mechanism *certificate) {
    double violation, weight = 0;
    const vs_error error = vs_mend_mechanism(s, x, &violation);
    if (error)
        return error;
    const double power = vs_certify_power(s, load, x), top = vs_statics_top_speed(s, x);
    for (int b = 0; b < s->blocks; b++)
        weight += vs_length(s->block[b].force) / s->unit;
    *certificate = (vs_mechanism){
        .exact = !(violation > 0), .power = s->unit * power / top, .violation = violation > 0 ? violation / top : 0};
    certificate->reach = violation > 0 ? power / (violation * weight) : (double)INFINITY;
    certificate->holds = power > PUSHED * effort_of(s, load, x) && certificate->reach > VS_CERTIFICATE_REACH;
    return VS_OK;
}
