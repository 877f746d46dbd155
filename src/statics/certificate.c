// Checks of certificates, in double-double arithmetic with the matrices of the assembly.
//
// Forces: residual r = D'z + f, z in L. They hold if the residual is rounding.
//
// Mechanism: y = D x, power f'x > 0. If y is in L there is no equilibrium. With a violation e = max (|y_T| - y_n) > 0 any
// equilibrium z has  0 < f'x = -z'y <= e sum z_n:  its normal forces sum up to f'x/e at least. A motion that opens every
// contact (x0: D x0 - 1 in L) removes the violation: x + e x0. There is none in assemblies that can be under self-stress,
// jammed between supports; then a mechanism holds if the reach f'x/e is beyond any force that could arise.
#include "statics/certificate.h"

#include <math.h>
#include <string.h>

#include "base/double_double.h"
#include "base/vector.h"
#include "cone/cone.h"

static const double BALANCED = 1e-11; // largest residual of forces that hold, relative to the loads
static const double PUSHED = 1e-9; // least power of a mechanism that holds, relative to |f||x|; above BALANCED, so that
                                   // no assembly has both certificates

static const vs_cone *cone_of(const vs_statics *s, int g) {
    return s->G.row[g + 1] - s->G.row[g] == 1 ? &vs_cone_nonneg : &vs_cone_second_order;
}

// ---- forces ------------------------------------------------------------------------------------------

// |D'z + f| / |f|; sum (columns) is work space.
static double residual_of(const vs_statics *s, const double *load, const double *z, vs_double_double *sum) {
    const vs_rows *G = &s->G;
    const int n = s->columns - 1;
    for (int k = 0; k < n; k++)
        sum[k] = (vs_double_double){load[k], 0};
    for (int g = 0; g + 1 < G->groups; g++) {
        const int width = (int)(G->start[g + 1] - G->start[g]);
        for (int r = G->row[g], i = 0; r < G->row[g + 1]; r++, i++)
            for (int k = 0; k < width; k++) {
                vs_double_double *at = &sum[G->col[G->start[g] + k]];
                *at = vs_dd_add(*at, vs_dd_product(-G->x[G->value[g] + (int64_t)i * width + k], z[r]));
            }
    }
    double rest = 0;
    for (int k = 0; k < n; k++)
        rest += sum[k].hi * sum[k].hi;
    const double size = vs_vector_norm(n, load);
    return size > 0 ? sqrt(rest) / size : sqrt(rest);
}

// Least distance of a force from the surface of its cone, N.
static double margin_of(const vs_statics *s, const double *z) {
    double least = (double)INFINITY;
    for (int g = 0; g + 1 < s->G.groups; g++) {
        least = fmin(least, cone_of(s, g)->margin(z + s->G.row[g]));
    }
    return s->unit * least;
}

vs_error vs_certify_forces(vs_statics *s, const double *load, double *z, vs_force_certificate *certificate) {
    const int n = s->columns - 1;
    bool inside;
    vs_double_double *sum = vs_allocate(s->context, (size_t)s->columns * sizeof *sum);
    if (!sum)
        return vs_fail_memory(s->context);
    // G = -D, and the force of the idle column is 1.
    memcpy(s->target, load, (size_t)n * sizeof *load);
    s->target[n] = -1;
    z[s->G.rows - 1] = 1;
    vs_error error = vs_cone_program_balance(s->program, s->target, z, &inside);
    *certificate = (vs_force_certificate){.residual = residual_of(s, load, z, sum), .margin = margin_of(s, z)};
    certificate->holds = inside && certificate->margin >= 0 && certificate->residual <= BALANCED;
    vs_release(s->context, sum);
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

// Largest |y_T| - y_n of D x, 0 if all are in L. y is rounded once, so that a point on the surface of L counts as a
// violation; sums below the rounding of twice the precision are zero.
static double violation_of(const vs_statics *s, const double *x) {
    double worst = 0;
    for (int g = 0; g + 1 < s->G.groups; g++) {
        double y[3] = {0, 0, 0}, magnitude;
        speed_of(s, g, x, y, &magnitude);
        const double size = fabs(y[0]) + fabs(y[1]) + fabs(y[2]);
        if (size > 1e-29 * magnitude)
            worst = fmax(worst, 4e-16 * size - cone_of(s, g)->margin(y));
    }
    return worst;
}

double vs_certify_power(const vs_statics *s, const double *load, const double *x) {
    vs_double_double sum = {0, 0};
    for (int k = 0; k + 1 < s->columns; k++)
        sum = vs_dd_add(sum, vs_dd_product(load[k], x[k]));
    return sum.hi;
}

// The motion of least opening with D x - 1 in L; none if the assembly is jammed.
static vs_error find_loosening(vs_statics *s) {
    if (s->loosened || s->jammed)
        return VS_OK;
    memset(s->h, 0, (size_t)s->G.rows * sizeof *s->h);
    for (int g = 0; g + 1 < s->G.groups; g++)
        s->h[s->G.row[g]] = -1;
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
        if (!(cone_of(s, g)->margin(y) >= .5))
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
    scale_to_one(n, x);
    *violation = violation_of(s, x);
    const vs_error error = *violation > 0 ? find_loosening(s) : VS_OK;
    for (int round = 0; round < 4 && *violation > 0 && s->loosened && !error; round++) {
        for (int k = 0; k < n; k++)
            x[k] += 2.1 * *violation * s->loose[k];
        scale_to_one(n, x);
        *violation = violation_of(s, x);
    }
    return error;
}

vs_error vs_certify_mechanism(vs_statics *s, const double *load, double *x, vs_mechanism *certificate) {
    const int n = s->columns - 1;
    double violation, weight = 0;
    const vs_error error = vs_mend_mechanism(s, x, &violation);
    if (error)
        return error;
    const double power = vs_certify_power(s, load, x);
    for (int b = 0; b < s->blocks; b++)
        weight += vs_vector_norm(3, load + 6 * (int64_t)b);
    *certificate = (vs_mechanism){.exact = !(violation > 0), .power = s->unit * power, .violation = violation};
    certificate->reach = violation > 0 ? power / (violation * weight) : (double)INFINITY;
    certificate->holds =
        power > PUSHED * vs_vector_norm(n, load) * vs_vector_norm(n, x) && certificate->reach > VS_CERTIFICATE_REACH;
    return VS_OK;
}
