// The lognormal curve by maximum likelihood: with z = ln x a probit regression P = Phi(a + b z), whose likelihood is concave.
#include "sweep/lognormal.h"

#include <math.h>
#include <stdbool.h>

static const double NORMAL_95 = 1.959963984540054; // quantile 0.975 of the normal distribution
enum { ITERATIONS = 100, HALVINGS = 40 };

static double normal_density(double x) {
    return exp(-x * x / 2) / sqrt(2 * acos(-1));
}

static double normal_probability(double x) {
    return erfc(-x / sqrt(2)) / 2;
}

double app_lognormal_probability(const app_lognormal *c, double x) {
    if (c->dispersion > 0)
        return normal_probability(log(x / c->median) / c->dispersion);
    return x > c->median ? 1 : 0;
}

// P = Phi(a + b (ln x - centre))
typedef struct probit {
    double a, b, centre;
} probit;

// The derivative of the likelihood, and the expected information (symmetric: aa, ab, bb).
typedef struct slope {
    double a, b, aa, ab, bb;
} slope;

static double likelihood(const probit *p, const app_trial *trial, int count) {
    double sum = 0;
    for (int k = 0; k < count; k++) {
        const double eta = p->a + p->b * (log(trial[k].x) - p->centre);
        sum += log(normal_probability(trial[k].failed ? eta : -eta));
    }
    return sum;
}

static slope slope_of(const probit *p, const app_trial *trial, int count) {
    slope s = {0};
    for (int k = 0; k < count; k++) {
        const double z = log(trial[k].x) - p->centre, eta = p->a + p->b * z;
        const double yes = normal_probability(eta), no = normal_probability(-eta), density = normal_density(eta);
        if (yes <= 0 || no <= 0)
            continue; // certain to rounding: adds no information
        const double u = trial[k].failed ? density / yes : -density / no, w = density * density / (yes * no);
        s.a += u;
        s.b += u * z;
        s.aa += w;
        s.ab += w * z;
        s.bb += w * z * z;
    }
    return s;
}

// One step of Fisher's scoring, halved until the likelihood grows. false: it does not.
static bool improve(probit *p, const app_trial *trial, int count) {
    const slope s = slope_of(p, trial, count);
    const double determinant = s.aa * s.bb - s.ab * s.ab, now = likelihood(p, trial, count);
    double da = (s.bb * s.a - s.ab * s.b) / determinant, db = (s.aa * s.b - s.ab * s.a) / determinant;
    for (int k = 0; k < HALVINGS && isfinite(da) && isfinite(db); k++) {
        const probit next = {p->a + da, p->b + db, p->centre};
        if (likelihood(&next, trial, count) > now) {
            *p = next;
            return true;
        }
        da /= 2;
        db /= 2;
    }
    return false;
}

static app_lognormal curve_of(const probit *p, const slope *s) {
    app_lognormal c = {.median = exp(p->centre - p->a / p->b), .dispersion = 1 / p->b};
    // Delta method: ln median = centre - a/b, with the inverse of the information as covariance.
    const double determinant = s->aa * s->bb - s->ab * s->ab, ga = -1 / p->b, gb = p->a / (p->b * p->b);
    const double variance = (ga * ga * s->bb - 2 * ga * gb * s->ab + gb * gb * s->aa) / determinant;
    c.low = c.median * exp(-NORMAL_95 * sqrt(variance));
    c.high = c.median * exp(NORMAL_95 * sqrt(variance));
    return c;
}

// What needs no fit, or has none.
static bool is_trivial(const app_trial *trial, int count, app_lognormal *c) {
    int failed = 0, first_failed = -1, last_stood = -1;
    for (int k = 0; k < count; k++) {
        failed += trial[k].failed;
        if (trial[k].failed && first_failed < 0)
            first_failed = k;
        if (!trial[k].failed)
            last_stood = k;
    }
    if (failed == 0 || failed == count) {
        *c = (app_lognormal){.kind = failed == 0 ? APP_LOGNORMAL_NONE : APP_LOGNORMAL_ALL, .median = (double)NAN};
        return true;
    }
    if (trial[last_stood].x >= trial[first_failed].x)
        return false;
    *c = (app_lognormal){.kind = APP_LOGNORMAL_STEP,
                         .median = sqrt(trial[last_stood].x) * sqrt(trial[first_failed].x),
                         .low = trial[last_stood].x,
                         .high = trial[first_failed].x};
    return true;
}

app_lognormal app_lognormal_fit(const app_trial *trial, int count) {
    app_lognormal c;
    probit p = {0};
    if (is_trivial(trial, count, &c))
        return c;
    for (int k = 0; k < count; k++)
        p.centre += log(trial[k].x) / count;
    for (int k = 0; k < ITERATIONS && improve(&p, trial, count); k++) {
    }
    if (!(p.b > 0))
        return (app_lognormal){.kind = APP_LOGNORMAL_DESCENDING, .median = (double)NAN};
    const slope s = slope_of(&p, trial, count);
    return curve_of(&p, &s);
}

void app_wilson_interval(int failed, int count, double *low, double *high) {
    const double n = count, share = failed / n, q = NORMAL_95 * NORMAL_95;
    const double middle = (share + q / (2 * n)) / (1 + q / n);
    const double half = NORMAL_95 * sqrt(share * (1 - share) / n + q / (4 * n * n)) / (1 + q / n);
    *low = fmax(middle - half, 0);
    *high = fmin(middle + half, 1);
}
