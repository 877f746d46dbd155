// The Lorentz cone against brute force in quadruple precision. The reference knows nothing of the formulas tested: with
// the quadratic representation P(x) = 2 x x' - det(x) J and Jordan square roots,
//
//     W = P(s^1/2),  s = P(lambda^-1/2) (P(lambda^1/2) y)^1/2,  z = W lambda
//
// computed densely. It needs the square of the condition; 113 bits carry it to margins of 1e-14.
#include "advance.h"
#include "cone/cone.h"
#include "kit/random.h"
#include "kit/test.h"

#include <float.h>

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;
#else
typedef long double quad; // 113 bits where the compiler has no other quadruple type
#endif

static const vs_cone *const cone = &vs_cone_second_order;
static const double eps = DBL_EPSILON;

static quad root(quad x) {
    if (!(x > 0)) {
        return 0;
    }
    quad r = (quad)sqrt((double)x);
    for (int i = 0; i < 3; i++) {
        r = (r + x / r) / 2;
    }
    return r;
}

static quad magnitude(quad x) {
    return x < 0 ? -x : x;
}

static quad dot(const quad *a, const quad *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static quad norm(const quad *a) {
    return root(dot(a, a));
}

static quad length1(const quad *x) {
    return root(x[1] * x[1] + x[2] * x[2]);
}

static quad det(const quad *x) {
    return x[0] * x[0] - x[1] * x[1] - x[2] * x[2];
}

static void widen(const double *x, quad *out) {
    for (int i = 0; i < 3; i++) {
        out[i] = x[i];
    }
}

// P(x) v
static void represent(const quad *x, const quad *v, quad *out) {
    quad s = 2 * dot(x, v), delta = det(x),
         r[3] = {s * x[0] - delta * v[0], s * x[1] + delta * v[1], s * x[2] + delta * v[2]};
    for (int i = 0; i < 3; i++) {
        out[i] = r[i];
    }
}

// x^1/2 = (x + sqrt(det x) e)/sqrt(2 (x0 + sqrt(det x)))
static void jordan_root(const quad *x, quad *out) {
    quad s = root(det(x)), n = root(2 * (x[0] + s));
    out[0] = (x[0] + s) / n, out[1] = x[1] / n, out[2] = x[2] / n;
}

static void jordan_inverse(const quad *x, quad *out) {
    quad delta = det(x);
    out[0] = x[0] / delta, out[1] = -x[1] / delta, out[2] = -x[2] / delta;
}

typedef struct reference {
    quad p[3], p_inverse[3]; // W = P(p), W^-1 = P(p_inverse)
    quad eta, theta, d[2], z[3], det_lambda, det_y, gap;
} reference;

static void refer(const quad *lambda, const quad *y, reference *ref) {
    quad half[3], half_inverse[3], s[3];
    jordan_root(lambda, half);
    jordan_inverse(half, half_inverse);
    represent(half, y, s);
    jordan_root(s, s);
    represent(half_inverse, s, s);
    jordan_root(s, ref->p);
    jordan_inverse(ref->p, ref->p_inverse);
    represent(ref->p, lambda, ref->z);
    quad r = length1(ref->p);
    ref->eta = det(ref->p);
    ref->theta = (ref->p[0] + r) * (ref->p[0] + r) / ref->eta;
    ref->d[0] = ref->p[1] / r, ref->d[1] = ref->p[2] / r;
    ref->det_lambda = det(lambda), ref->det_y = det(y), ref->gap = dot(lambda, y);
}

static void refer_apply(const reference *ref, int power, const double *x, quad *out) {
    const quad *p = power > 0 ? ref->p : ref->p_inverse;
    widen(x, out);
    for (int i = 0; i < (power > 0 ? power : -power); i++) {
        represent(p, out, out);
    }
}

static double distance(const double *a, const quad *b) {
    quad e[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return (double)norm(e);
}

static double length(const double *a) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static double off(double value, quad expected) {
    return (double)(magnitude((quad)value - expected) / magnitude(expected));
}

// Largest relative deviation of the scaling's numbers. d matters by its effect on W, which is (theta - 1)/theta.
static double deviation(const vs_cone_pair *pair, const reference *ref) {
    double worst = fmax(off(pair->eta, ref->eta), off(pair->theta, ref->theta));
    worst = fmax(worst, fmax(off(pair->det_lambda, ref->det_lambda), off(pair->det_y, ref->det_y)));
    worst = fmax(worst, off(pair->gap, ref->gap));
    double d = (double)(magnitude(pair->d[0] - ref->d[0]) + magnitude(pair->d[1] - ref->d[1]));
    worst = fmax(worst, d * (pair->theta - 1.0) / pair->theta);
    return fmax(worst, distance(pair->z, ref->z) / length(pair->z));
}

static uint64_t seed;

static double draw(void) {
    return random_in(&seed, -1, 1);
}

static void draw_inside(double size, double thinness, double angle, double *x) {
    x[1] = size * cos(angle);
    x[2] = size * sin(angle);
    x[0] = hypot(x[1], x[2]) + size * thinness * (1.5 + draw());
}

typedef enum family { GENERAL, SLIDING, STICKING, OPEN, SAME_SIDE, FAMILIES } family;

// Sliding: opposite rays, apart by an angle of the size that keeps lambda'y of the size of the margins.
static void draw_pair(family kind, double thin, double *lambda, double *y) {
    double angle = 3.14159 * draw(), other = 3.14159 * draw();
    double sl = kind == OPEN ? thin : 1.0, sy = kind == STICKING ? thin : 1.0;
    double ml = 1.0, my = 1.0;
    if (kind == SLIDING) {
        ml = my = thin;
        other = angle + 3.14159265358979324 + 2.0 * sqrt(thin) * draw();
    } else if (kind == SAME_SIDE) {
        // Here z is thin as well, the square of each: not as far, or the reference would run out of digits.
        ml = my = sqrt(thin);
        other = angle + 2.0 * sqrt(ml) * draw();
    }
    draw_inside(sl, ml, angle, lambda);
    draw_inside(sy, my, other, y);
}

static void set_pair(family kind, double thin, vs_cone_pair *pair, reference *ref) {
    double lambda[3], y[3];
    quad lq[3], yq[3];
    draw_pair(kind, thin, lambda, y);
    assert_true(cone->set(pair, lambda, y));
    widen(lambda, lq), widen(y, yq);
    refer(lq, yq, ref);
}

static void scaling_equals_the_dense_one_at_any_margin(void **state) {
    (void)state;
    double worst = 0.0;
    seed = 1;
    for (int trial = 0; trial < 2000; trial++) {
        vs_cone_pair pair;
        reference ref;
        family kind = (family)(trial % FAMILIES);
        set_pair(kind, pow(10.0, -7.0 + 7.0 * draw()), &pair, &ref);
        // On the same side z is itself thin, but measured by |z|; no number here should lose more than some roundings.
        worst = fmax(worst, deviation(&pair, &ref));
    }
    print_message("             set: largest relative deviation %.1e\n", worst);
    // About ten roundings in the longest chain (theta, z).
    assert_true(worst <= 16.0 * eps);
}

static void powers_of_the_scaling_equal_the_dense_ones(void **state) {
    (void)state;
    const int powers[] = {-2, -1, 1, 2};
    seed = 2;
    for (int trial = 0; trial < 2000; trial++) {
        vs_cone_pair pair;
        reference ref;
        set_pair((family)(trial % FAMILIES), trial % 2 ? 1e-12 : 0.1, &pair, &ref);
        for (int k = 0; k < 4; k++) {
            double x[3] = {draw(), draw(), draw()};
            quad expected[3];
            refer_apply(&ref, powers[k], x, expected);
            double largest = pow(powers[k] > 0 ? pair.eta * pair.theta : pair.theta / pair.eta, abs(powers[k]));
            double bound = 32.0 * eps * largest * length(x); // eigenvalues squared: twice the deviation of `set`
            cone->apply(&pair, powers[k], x, x);
            assert_true(distance(x, expected) <= bound);
        }
    }
}

static void identities_hold_to_the_condition_of_the_scaling(void **state) {
    (void)state;
    seed = 3;
    for (int trial = 0; trial < 2000; trial++) {
        vs_cone_pair pair;
        reference ref;
        set_pair((family)(trial % FAMILIES), trial % 2 ? 1e-12 : 0.1, &pair, &ref);
        double x[3] = {draw(), draw(), draw()}, out[3], theta2 = pair.theta * pair.theta;
        double e[3];
        // cond(W) = theta^2; a vector given in coordinates is uncertain by eps in each.
        cone->apply(&pair, -1, x, out);
        cone->apply(&pair, 1, out, out);
        for (int i = 0; i < 3; i++) {
            e[i] = out[i] - x[i];
        }
        assert_true(length(e) <= 8.0 * eps * theta2 * length(x));
        cone->apply(&pair, 1, pair.lambda, out);
        for (int i = 0; i < 3; i++) {
            e[i] = out[i] - pair.z[i];
        }
        assert_true(length(e) <= 16.0 * eps * pair.eta * pair.theta * length(pair.lambda));
        cone->apply(&pair, -1, pair.y, out);
        for (int i = 0; i < 3; i++) {
            e[i] = out[i] - pair.z[i];
        }
        assert_true(length(e) <= 16.0 * eps * pair.theta / pair.eta * length(pair.y));
        cone->apply(&pair, 2, pair.lambda, out);
        for (int i = 0; i < 3; i++) {
            e[i] = out[i] - pair.y[i];
        }
        assert_true(length(e) <= 32.0 * eps * pair.eta * pair.eta * theta2 * length(pair.lambda));
        // From z nothing is lost: the coordinates come back to rounding.
        cone->apply(&pair, -1, pair.z, out);
        for (int i = 0; i < 3; i++) {
            e[i] = out[i] - pair.lambda[i];
        }
        assert_true(length(e) <= 32.0 * eps * length(pair.lambda));
    }
}

static void division_inverts_the_jordan_product(void **state) {
    (void)state;
    seed = 4;
    for (int trial = 0; trial < 2000; trial++) {
        vs_cone_pair pair;
        reference ref;
        set_pair((family)(trial % FAMILIES), trial % 2 ? 1e-12 : 0.1, &pair, &ref);
        double x[3] = {draw(), draw(), draw()}, r[3], e[3];
        cone->product(pair.z, x, r);
        assert_true(fabs(r[0] - (pair.z[0] * x[0] + pair.z[1] * x[1] + pair.z[2] * x[2])) <= 4.0 * eps * length(r));
        cone->divide(&pair, r, r);
        for (int i = 0; i < 3; i++) {
            e[i] = r[i] - x[i];
        }
        // cond of the arrow matrix: z'z/det z up to a factor 2; large only for pairs on the same side.
        double cond = pair.gap / sqrt(pair.det_lambda * pair.det_y);
        assert_true(length(e) <= 16.0 * eps * cond * length(x));
    }
}

static void step_lands_on_the_boundary_and_respects_the_cap(void **state) {
    (void)state;
    seed = 5;
    int landed = 0;
    for (int trial = 0; trial < 2000; trial++) {
        vs_cone_pair pair;
        reference ref;
        set_pair((family)(trial % FAMILIES), trial % 2 ? 1e-12 : 0.1, &pair, &ref);
        double size = length(pair.z), d[3] = {size * draw(), size * draw(), size * draw()};
        quad end[3];
        double alpha = cone->step(&pair, d, 100.0);
        assert_true(alpha > 0.0 && alpha <= 100.0);
        for (int i = 0; i < 3; i++) {
            end[i] = ref.z[i] + (quad)alpha * d[i];
        }
        double margin = (double)(end[0] - length1(end)), bound = 16.0 * eps * (size + alpha * length(d));
        assert_true(margin >= -bound);
        if (alpha < 100.0) {
            assert_true(margin <= bound);
            landed++;
        }
        assert_true(cone->step(&pair, d, 0.5 * alpha) == 0.5 * alpha);
    }
    assert_true(landed > 1000);
    vs_cone_pair pair;
    reference ref;
    set_pair(GENERAL, 1.0, &pair, &ref);
    const double inward[3] = {1.0, 0.6, 0.8}, still[3] = {0.0, 0.0, 0.0};
    assert_true(cone->step(&pair, inward, 1.0) == 1.0);
    assert_true(cone->step(&pair, still, 1.0) == 1.0);
}

// One step from exact coordinates: everything, the rotation of z included, against the dense scaling of the end point.
static void advance_equals_the_dense_scaling_of_the_new_point(void **state) {
    (void)state;
    double worst = 0.0;
    seed = 6;
    for (int trial = 0; trial < 4000; trial++) {
        vs_cone_pair pair;
        reference ref;
        set_pair((family)(trial % FAMILIES), pow(10.0, -6.0 + 6.0 * draw()), &pair, &ref);
        double scaled[2][3], dl[3], dy[3], al, ay;
        for (int i = 0; i < 3; i++) {
            scaled[0][i] = pair.z[0] * draw(), scaled[1][i] = pair.z[0] * draw();
        }
        // Small enough along the rays that the rounding of dl and dy stays below that of the margins.
        cone->apply(&pair, -1, scaled[0], dl);
        cone->apply(&pair, 1, scaled[1], dy);
        double small = 1.0 / (pair.theta * pair.theta);
        for (int i = 0; i < 3; i++) {
            dl[i] *= small, dy[i] *= small;
        }
        cone->apply(&pair, 1, dl, scaled[0]);
        cone->apply(&pair, -1, dy, scaled[1]);
        al = 0.9 * cone->step(&pair, scaled[0], 10.0), ay = 0.9 * cone->step(&pair, scaled[1], 10.0);
        quad lambda[3], y[3];
        for (int i = 0; i < 3; i++) {
            lambda[i] = pair.lambda[i] + (quad)al * dl[i];
            y[i] = pair.y[i] + (quad)ay * dy[i];
        }
        double before = pair.gap / sqrt(pair.det_lambda * pair.det_y), size = length(pair.lambda);
        assert_true(advance_by(cone, &pair, al, dl, ay, dy));
        refer(lambda, y, &ref);
        double after = pair.gap / sqrt(pair.det_lambda * pair.det_y);
        // det(z + a d) loses what z'z/det of the point in the scaled space has in digits.
        worst = fmax(worst, deviation(&pair, &ref) / (before * after));
        // The step may be ten times as long as the scaled point, so lambda ten times what is left of it.
        assert_true(distance(pair.lambda, lambda) <= 64.0 * eps * before * (size + length(pair.lambda)));
    }
    print_message("             advance: largest relative deviation %.1e\n", worst);
    // A step to 0.9 of the boundary leaves a tenth of the margin: some ten roundings, times ten.
    assert_true(worst <= 1e-13);
}

// dl and dy rounded to double along a thin direction: what W amplifies is taken from the sum instead.
static void direct_damps_the_rounding_of_the_directions(void **state) {
    (void)state;
    double plain = 0.0, damped = 0.0;
    seed = 12;
    for (int trial = 0; trial < 1000; trial++) {
        vs_cone_pair pair;
        reference ref;
        set_pair(SLIDING, 1e-12, &pair, &ref);
        double dlt[3], dyt[3], sum[3], dl[3], dy[3], out_l[3], out_y[3], applied[3];
        for (int i = 0; i < 3; i++) {
            dlt[i] = pair.z[0] * draw(), dyt[i] = pair.z[0] * draw();
            sum[i] = dlt[i] + dyt[i];
        }
        cone->apply(&pair, -1, dlt, dl);
        cone->apply(&pair, 1, dyt, dy);
        cone->direct(&pair, dl, dy, sum, out_l, out_y);
        cone->apply(&pair, 1, dl, applied);
        for (int i = 0; i < 3; i++) {
            damped = fmax(damped, fmax(fabs(out_l[i] - dlt[i]), fabs(out_y[i] - dyt[i])) / (pair.theta * pair.z[0]));
            plain = fmax(plain, fabs(applied[i] - dlt[i]) / (pair.theta * pair.z[0]));
        }
    }
    print_message("             directions at margin 1e-12: %.1e theta, plainly scaled %.1e theta\n", damped, plain);
    // dl is theta times as long as the scaled direction: a few of its roundings; plainly scaled they grow by theta
    // again.
    assert_true(damped <= 32.0 * eps);
    assert_true(plain > 1e3 * damped);
}

// A warm start or a restart: from a thin pair deep inside in one step, theta from 1e6 back to 1.
static void one_step_back_inside_restores_a_round_scaling(void **state) {
    (void)state;
    double worst = 0.0;
    seed = 10;
    for (int trial = 0; trial < 1000; trial++) {
        vs_cone_pair pair;
        reference ref;
        set_pair(SLIDING, pow(10.0, -6.0 + 6.0 * draw()), &pair, &ref);
        double dl[3] = {0.5 + draw() * 0.3, 0.1 * draw(), 0.1 * draw()}, dy[3] = {0.5, 0.1 * draw(), 0.1 * draw()};
        quad lambda[3], y[3];
        for (int i = 0; i < 3; i++) {
            lambda[i] = (quad)pair.lambda[i] + dl[i];
            y[i] = (quad)pair.y[i] + dy[i];
        }
        // In the scaled space that step is theta^2 times as long across the thin direction as along it, and rounded so.
        double stretch = pair.theta * pair.theta;
        assert_true(advance_by(cone, &pair, 1.0, dl, 1.0, dy));
        refer(lambda, y, &ref);
        worst = fmax(worst, deviation(&pair, &ref) / stretch);
    }
    print_message("             back inside: largest relative deviation %.1e theta^2\n", worst);
    // The new point is round: nothing but the ten or so roundings of the chain.
    assert_true(worst <= 16.0 * eps);
}

// The pair in quadruple precision that the stored scaling stands for: lambda = W^-1 z, y = W z.
static void unscale(const vs_cone_pair *pair, quad *lambda, quad *y) {
    quad n = root((quad)pair->d[0] * pair->d[0] + (quad)pair->d[1] * pair->d[1]);
    quad d1 = pair->d[0] / n, d2 = pair->d[1] / n, eta = pair->eta, theta = pair->theta;
    const double *z = pair->z;
    quad a = (z[0] + d1 * z[1] + d2 * z[2]) / 2, b = (z[0] - d1 * z[1] - d2 * z[2]) / 2, t = d1 * z[2] - d2 * z[1];
    for (int side = 0; side < 2; side++) {
        quad *x = side == 0 ? lambda : y, f = side == 0 ? 1 / theta : theta, g = side == 0 ? 1 / eta : eta;
        x[0] = g * (a * f + b / f);
        x[1] = g * ((a * f - b / f) * d1 - t * d2);
        x[2] = g * ((a * f - b / f) * d2 + t * d1);
    }
}

static double margin_of(double det_x, double x0) {
    return det_x / (2.0 * x0);
}

// Both points go to opposite rays, the margins decreasing to .3 per step. Calm: they move by no more than their margins, as
// in the end phase of an interior point. Wild: they turn by the root of that, far off the central path (c up to 1e12).
static void slide(const vs_cone_pair *pair, bool wild, double *dl, double *dy) {
    double d1 = pair->d[0], d2 = pair->d[1], small = 0.2 / (pair->theta * pair->theta);
    double noise = 0.2 * pair->z[0] / (wild ? 1.0 : pair->theta), damping = wild ? 0.4 : 0.8;
    const double *z = pair->z;
    double a = 0.5 * (z[0] + d1 * z[1] + d2 * z[2]), b = 0.5 * (z[0] - d1 * z[1] - d2 * z[2]);
    double t = d1 * z[2] - d2 * z[1], lt[3], yt[3];
    double la = -0.7 * a, lb = small * b * draw(), tl = noise * draw() - damping * t;
    double ya = small * a * draw(), yb = -0.7 * b, ty = noise * draw() - damping * t;
    lt[0] = la + lb, lt[1] = (la - lb) * d1 - tl * d2, lt[2] = (la - lb) * d2 + tl * d1;
    yt[0] = ya + yb, yt[1] = (ya - yb) * d1 - ty * d2, yt[2] = (ya - yb) * d2 + ty * d1;
    cone->apply(pair, -1, lt, dl);
    cone->apply(pair, 1, yt, dy);
}

typedef struct sequence_result {
    double invariants; // z'z = gap, det z^2 = det lambda det y
    double one_step;   // tracked determinants against an exact step from the pair before
    double absolute;   // tracked margins against exact coordinates summed from the start, relative to x0
    double drift;      // stored coordinates against the same, over sqrt(c), c = gap/det z the largest so far
    double final;      // relative margin at the end
} sequence_result;

static void run_sequence(int steps, bool wild, sequence_result *result) {
    vs_cone_pair pair;
    reference ref;
    quad total[2][3], lambda[3], y[3];
    double largest_c = 1.0;
    set_pair(SLIDING, 0.3, &pair, &ref);
    widen(pair.lambda, total[0]), widen(pair.y, total[1]);
    for (int k = 0; k < steps; k++) {
        double dl[3], dy[3], scaled[3], al, ay;
        slide(&pair, wild, dl, dy);
        unscale(&pair, lambda, y);
        cone->apply(&pair, 1, dl, scaled);
        al = 0.9 * cone->step(&pair, scaled, 1.0 / 0.9);
        cone->apply(&pair, -1, dy, scaled);
        ay = 0.9 * cone->step(&pair, scaled, 1.0 / 0.9);
        assert_true(advance_by(cone, &pair, al, dl, ay, dy));
        for (int i = 0; i < 3; i++) {
            total[0][i] += (quad)al * dl[i], total[1][i] += (quad)ay * dy[i];
            lambda[i] += (quad)al * dl[i], y[i] += (quad)ay * dy[i];
        }
        quad z[3];
        widen(pair.z, z);
        double c = pair.gap / sqrt(pair.det_lambda * pair.det_y);
        largest_c = fmax(largest_c, c);
        double invariant = off(pair.gap, dot(z, z)) + off(pair.det_lambda * pair.det_y, det(z) * det(z)) / c;
        result->invariants = fmax(result->invariants, invariant);
        result->one_step = fmax(result->one_step, off(pair.det_lambda, det(lambda)));
        result->one_step = fmax(result->one_step, off(pair.det_y, det(y)));
        double tracked[2] = {margin_of(pair.det_lambda, pair.lambda[0]), margin_of(pair.det_y, pair.y[0])};
        for (int side = 0; side < 2; side++) {
            const quad *x = total[side];
            double exact = (double)(det(x) / (2 * x[0])), x0 = (double)x[0];
            result->absolute = fmax(result->absolute, fabs(tracked[side] - exact) / x0);
            result->drift = fmax(result->drift, distance(side == 0 ? pair.lambda : pair.y, x) / x0 / sqrt(largest_c));
            result->final = tracked[side] / x0;
        }
    }
}

static void report(int steps, const sequence_result *r) {
    print_message("             %d steps, margin %.0e: invariants %.1e, margin against exact %.1e x0, drift %.1e\n",
                  steps, r->final, r->invariants, r->absolute, r->drift);
}

static void tracked_numbers_stay_true_along_a_way_to_the_boundary(void **state) {
    (void)state;
    seed = 7;
    sequence_result r = {0};
    for (int run = 0; run < 50; run++) {
        run_sequence(30, false, &r);
    }
    report(30, &r);
    print_message("             one step, relative to the margin: %.1e\n", r.one_step);
    assert_true(r.final > 0.0 && r.final < 2e-16);
    assert_true(r.invariants <= 1e-13);
    // A step of 0.7 of the way loses a digit to det(z + d), and nothing to the thin margin.
    assert_true(r.one_step <= 1e-13);
    // 30 roundings of the coordinates (eps x0 each) are all that tells the pair from exact sums.
    assert_true(r.absolute <= 1e-13);
    assert_true(r.drift <= 1e-13);
}

// Quadruple coordinates have no margin of 1e-32; the pair must still be one.
static void pairs_stay_consistent_beyond_what_coordinates_can_express(void **state) {
    (void)state;
    seed = 8;
    for (int wild = 0; wild < 2; wild++) {
        sequence_result r = {0};
        for (int run = 0; run < 50; run++) {
            run_sequence(60, wild == 1, &r);
        }
        report(60, &r);
        assert_true(r.final > 0.0 && r.final < 1e-20);
        // The single step cannot be compared: 113 bits of coordinates end at margins of 1e-18.
        assert_true(r.invariants <= 1e-13);
        assert_true(r.absolute <= 1e-13);
        assert_true(r.drift <= 1e-13);
    }
}

// An opening contact: lambda falls by twelve orders. Its coordinates keep full relative accuracy with the scaling.
static void coordinates_stay_those_of_the_scaling_when_the_impulse_vanishes(void **state) {
    (void)state;
    seed = 8;
    for (int run = 0; run < 50; run++) {
        vs_cone_pair pair;
        reference ref;
        set_pair(GENERAL, 1.0, &pair, &ref);
        while (pair.lambda[0] > 1e-12) {
            double dl[3], dy[3] = {0.1 * draw(), 0.1 * draw(), 0.1 * draw()};
            for (int i = 0; i < 3; i++) {
                dl[i] = -0.9 * pair.lambda[i] + 0.02 * pair.lambda[0] * draw();
            }
            double scaled[3];
            cone->apply(&pair, 1, dl, scaled);
            double al = 0.95 * cone->step(&pair, scaled, 1.0);
            cone->apply(&pair, -1, dy, scaled);
            double ay = 0.3 * cone->step(&pair, scaled, 1.0);
            assert_true(advance_by(cone, &pair, al, dl, ay, dy));
            quad lambda[3], y[3];
            widen(pair.lambda, lambda), widen(pair.y, y);
            refer(lambda, y, &ref);
            // The coordinates are W^-1 z to rounding; their det and the tracked one differ by the condition x0^2/det.
            double cond_l = pair.lambda[0] * pair.lambda[0] / pair.det_lambda,
                   cond_y = pair.y[0] * pair.y[0] / pair.det_y;
            assert_true(deviation(&pair, &ref) <= 64.0 * eps * (cond_l + cond_y));
        }
    }
}

static void outside_and_nan_are_refused_and_leave_the_pair(void **state) {
    (void)state;
    const double in[3] = {2.0, 1.0, 0.0}, zero[3] = {0.0, 0.0, 0.0};
    const double bad[][3] = {{1.0, 1.0, 0.0}, {-2.0, 1.0, 0.0}, {5.0, 3.0, 4.0}, {NAN, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    vs_cone_pair pair, copy;
    for (int k = 0; k < 5; k++) {
        assert_false(cone->set(&pair, bad[k], in));
        assert_false(cone->set(&pair, in, bad[k]));
    }
    assert_true(cone->set(&pair, in, in));
    copy = pair;
    for (int k = 0; k < 5; k++) {
        double d[3] = {bad[k][0] - in[0], bad[k][1] - in[1], bad[k][2] - in[2]};
        // A little beyond: the boundary itself is a matter of rounding.
        assert_false(advance_by(cone, &pair, 1.0 + 1e-12, d, 0.0, zero));
        assert_false(advance_by(cone, &pair, 0.0, zero, 1.0 + 1e-12, d));
        assert_memory_equal(pair.lambda, copy.lambda, sizeof pair.lambda);
        assert_memory_equal(pair.z, copy.z, sizeof pair.z);
        assert_true(pair.gap == copy.gap && pair.det_y == copy.det_y && pair.theta == copy.theta);
    }
}

static void the_axis_is_no_special_case(void **state) {
    (void)state;
    const double l[3] = {2.0, 0.0, 0.0}, y[3] = {8.0, 0.0, 0.0}, x[3] = {1.0, -2.0, 3.0}, zero[3] = {0.0, 0.0, 0.0};
    vs_cone_pair pair;
    double out[3];
    assert_true(cone->set(&pair, l, y));
    for (int k = 0; k < 2; k++) {
        assert_true(pair.theta == 1.0 && pair.eta == 2.0 && pair.z[0] == 4.0 && pair.z[1] == 0.0 && pair.z[2] == 0.0);
        cone->apply(&pair, 1, x, out);
        assert_true(out[0] == 2.0 && out[1] == -4.0 && out[2] == 6.0);
        assert_true(advance_by(cone, &pair, 1.0, zero, 1.0, zero));
    }
}

static void margin_keeps_its_digits_and_projection_is_nearest(void **state) {
    (void)state;
    seed = 9;
    for (int trial = 0; trial < 1000; trial++) {
        double x[3], p[3];
        quad xq[3];
        draw_inside(1.0, pow(10.0, -6.0 + 6.0 * draw()), 3.0 * draw(), x);
        widen(x, xq);
        assert_true(off(cone->margin(x), det(xq) / (xq[0] + length1(xq))) <= 4.0 * eps);
        cone->project(x, p);
        assert_memory_equal(p, x, sizeof p);

        // Moreau: x = p - q with p, q in the (self-dual) cone and p'q = 0 determines the projection.
        double any[3] = {draw(), draw(), draw()}, minus[3] = {-any[0], -any[1], -any[2]}, q[3];
        cone->project(any, p);
        cone->project(minus, q);
        double bound = 8.0 * eps * length(any);
        assert_true(cone->margin(p) >= -bound && cone->margin(q) >= -bound);
        assert_true(fabs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2]) <= bound * length(any));
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(any[i] - (p[i] - q[i])) <= bound);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scaling_equals_the_dense_one_at_any_margin),
        cmocka_unit_test(powers_of_the_scaling_equal_the_dense_ones),
        cmocka_unit_test(identities_hold_to_the_condition_of_the_scaling),
        cmocka_unit_test(division_inverts_the_jordan_product),
        cmocka_unit_test(step_lands_on_the_boundary_and_respects_the_cap),
        cmocka_unit_test(advance_equals_the_dense_scaling_of_the_new_point),
        cmocka_unit_test(direct_damps_the_rounding_of_the_directions),
        cmocka_unit_test(one_step_back_inside_restores_a_round_scaling),
        cmocka_unit_test(tracked_numbers_stay_true_along_a_way_to_the_boundary),
        cmocka_unit_test(pairs_stay_consistent_beyond_what_coordinates_can_express),
        cmocka_unit_test(coordinates_stay_those_of_the_scaling_when_the_impulse_vanishes),
        cmocka_unit_test(outside_and_nan_are_refused_and_leave_the_pair),
        cmocka_unit_test(the_axis_is_no_special_case),
        cmocka_unit_test(margin_keeps_its_digits_and_projection_is_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
