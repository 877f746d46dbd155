// Predictor and correctors of the interior point, all with one factorization:
//
//     predictor   r_z = z o z                                     how far can the gap decrease?
//     corrector   r_z = z o z + dy~ o dl~ - sigma gap e           Mehrotra; sigma = (gap_aff/gap)^3 in [SIGMA, SIGMA_MOST]
//     Gondzio     spectral values of the trial complementarity pulled into [1/WIDE, WIDE] sigma gap, while the step
//                 gets longer; each corrector blended with the direction before it (Colombo and Gondzio 2008)
//     centring    once the step is (nearly) full: all spectral values pulled to sigma gap
//
// Centring gives the last digits. For a sliding contact the error of a pair off the central path is of the order
// sqrt(gap): lambda'y grows with the square of the angle between the two. On the path it is of the order of the gap.
// SIGMA bounds the decrease of the gap per iteration, so that the next iterate can be centred with the same factor.
//
// SIGMA_MOST: of hundreds of redundant contacts two or three, about to change between sticking, sliding and opening,
// stop the predictor halfway, and the cube would give up most of the decrease for all. The correctors free them:
// steps reach 0.9 to 1 all the same.
#include "solver/ipm/correctors.h"

#include <math.h>
#include <string.h>

#include "solver/ipm/direction.h"

static const double SIGMA = 0.02;        // least centring parameter
static const double SIGMA_MOST = 0.1;    // largest one
static const double FULL_STEP = 0.95;    // from here correctors centre instead of lengthening the step
static const double REACH = 0.3;         // increase of the step that Gondzio's correctors aim at
static const double WIDE = 3;            // spectral values outside [1/WIDE, WIDE] sigma gap are corrected
static const double LEAST_GAIN = 0.03;   // a corrector must lengthen the step by this …
static const double GAP_GAIN = 0.9;      // … or reduce the gap after the step below this fraction
static const double CENTRING_GAIN = 0.9; // a centring corrector must reduce the deviation below this fraction
static const double LEAST_SHARE = 0.3;   // least weight of a corrector in a blend

// ---- correctors ------------------------------------------------------------------------------------

// Complementarity of the pair after a step, in the scaled space: (z + a dl~) o (z + a dy~).
static void trial_product(const vs_ipm *ipm, int k, double a, double *out) {
    const vs_cone *cone = vs_cone_of(ipm->kind[k]);
    const double *z = ipm->pairs[k].z, *dlt = ipm->dlt + ipm->lift[k], *dyt = ipm->dyt + ipm->lift[k];
    double l[3], y[3];
    for (int i = 0; i < cone->size; i++) {
        l[i] = z[i] + a * dlt[i];
        y[i] = z[i] + a * dyt[i];
    }
    cone->product(l, y, out);
}

// lambda'y / degree after a step a.
static double trial_gap(const vs_ipm *ipm, double a) {
    double sum = 0;
    for (int k = 0; k < ipm->count; k++) {
        const double *z = ipm->pairs[k].z, *dlt = ipm->dlt + ipm->lift[k], *dyt = ipm->dyt + ipm->lift[k];
        for (int i = 0; i < ipm->lift[k + 1] - ipm->lift[k]; i++)
            sum += (z[i] + a * dlt[i]) * (z[i] + a * dyt[i]);
    }
    return vs_space_sum(ipm->space, sum) / ipm->degree;
}

// Largest deviation of the spectral values after a step from the target.
static double off_centre(const vs_ipm *ipm, double a, double target) {
    double worst = 0;
    for (int k = 0; k < ipm->count; k++) {
        double product[3];
        vs_spectrum spectrum;
        trial_product(ipm, k, a, product);
        vs_cone_decompose(ipm->kind[k], product, &spectrum);
        for (int i = 0; i < spectrum.count; i++)
            worst = fmax(worst, fabs(spectrum.value[i] - target));
    }
    return vs_space_max(ipm->space, worst);
}

// The a of d = -a z; NAN if d is not nearly parallel to z.
static double share_of(int size, const double *z, const double *d) {
    static const double PARALLEL = .05;
    double zz = 0, zd = 0, rest = 0;
    for (int i = 0; i < size; i++) {
        zz += z[i] * z[i];
        zd += z[i] * d[i];
    }
    double a = -zd / zz;
    for (int i = 0; i < size; i++)
        rest += (d[i] + a * z[i]) * (d[i] + a * z[i]);
    return rest <= PARALLEL * PARALLEL * a * a * zz ? a : NAN;
}

// A contact that touches without impulse: lambda and y both go to zero, dl~ = -a z, dy~ = -b z. Newton's method halves
// them, and correctors that linearize about z gain little. But along this direction the product is known,
//
//     (1 - a s)(1 - b s) z o z = target,
//
// and r_z = s z o z leads there. False if pair k is not of this kind, or already near its target.
static bool correct_touching(vs_ipm *ipm, int k, double target) {
    static const double FAR = 10, LEAST = .2, GAIN = 1e-3; // times the target; of a and b; of the product, at most
    const vs_cone *cone = vs_cone_of(ipm->kind[k]);
    const double *z = ipm->pairs[k].z;
    double a = share_of(cone->size, z, ipm->dlt + ipm->lift[k]), b = share_of(cone->size, z, ipm->dyt + ipm->lift[k]);
    double left = (1 - a) * (1 - b), product[3];
    cone->product(z, z, product);
    const double mean = product[0]; // of the spectral values
    if (ipm->kind[k] == VS_CONE_BOX || !(a > LEAST && b > LEAST && a < 1 && b < 1) || left * mean < FAR * target)
        return false;
    // (1 - a s)(1 - b s) = aim, the smaller root
    double aim = fmax(target / mean, GAIN * left), half = .5 * (a + b);
    double s = (1 - aim) / (half + sqrt(fmax(half * half - a * b * (1 - aim), 0)));
    for (int i = 0; i < cone->size; i++)
        ipm->r_z[ipm->lift[k] + i] += (s - 1) * (a + b) * product[i];
    return true;
}

// r_z so that the spectral values after a step a fall into [low, high]; corrections downwards at most -high (Gondzio).
static void correct(vs_ipm *ipm, double a, double low, double high) {
    for (int k = 0; k < ipm->count; k++) {
        vs_cone_kind kind = ipm->kind[k];
        double product[3], *r_z = ipm->r_z + ipm->lift[k];
        vs_spectrum spectrum;
        if (low == high && correct_touching(ipm, k, low))
            continue;
        trial_product(ipm, k, a, product);
        vs_cone_decompose(kind, product, &spectrum);
        for (int i = 0; i < spectrum.count; i++) {
            double value = spectrum.value[i], t = 0;
            if (value < low)
                t = low - value;
            else if (value > high)
                t = fmax(high - value, -high);
            spectrum.value[i] = t;
        }
        vs_cone_compose(kind, &spectrum, product);
        for (int i = 0; i < ipm->lift[k + 1] - ipm->lift[k]; i++)
            r_z[i] -= product[i];
    }
}

// The parts of a direction that can be blended and saved.
typedef struct part {
    double *x;
    size_t size;
} part;

static void list_parts(const vs_ipm *ipm, part parts[4]) {
    size_t lifted = (size_t)ipm->lift[ipm->count];
    parts[0] = (part){ipm->dlt, lifted};
    parts[1] = (part){ipm->dyt, lifted};
    parts[2] = (part){ipm->dg, (size_t)ipm->problem->m_e};
    parts[3] = (part){ipm->dv, ipm->velocities ? (size_t)ipm->problem->n : 0};
}

// Saves the direction, or restores it.
static void swap_direction(vs_ipm *ipm, bool back) {
    part parts[4];
    list_parts(ipm, parts);
    double *keep = ipm->keep;
    for (int k = 0; k < 4; k++) {
        memcpy(back ? parts[k].x : keep, back ? keep : parts[k].x, sizeof(double) * parts[k].size);
        keep += parts[k].size;
    }
    size_t bytes = sizeof(double) * (size_t)ipm->lift[ipm->count];
    memcpy(back ? ipm->r_z : ipm->r_z_keep, back ? ipm->r_z_keep : ipm->r_z, bytes);
}

// Step length of saved + weight (current - saved) direction.
static double blended_step(const vs_ipm *ipm, double weight) {
    int lifted = ipm->lift[ipm->count];
    const double *keep_l = ipm->keep, *keep_y = keep_l + lifted;
    double step = 1;
    for (int k = 0; k < ipm->count; k++) {
        const vs_cone *cone = vs_cone_of(ipm->kind[k]);
        double l[3], y[3];
        for (int i = 0, at = ipm->lift[k]; i < cone->size; i++, at++) {
            l[i] = keep_l[at] + weight * (ipm->dlt[at] - keep_l[at]);
            y[i] = keep_y[at] + weight * (ipm->dyt[at] - keep_y[at]);
        }
        step = cone->step(ipm->pairs + k, l, step);
        step = cone->step(ipm->pairs + k, y, step);
    }
    return vs_space_min(ipm->space, step);
}

static void blend(double weight, size_t count, const double *keep, double *x) {
    for (size_t k = 0; k < count; k++)
        x[k] = keep[k] + weight * (x[k] - keep[k]);
}

// Blends this direction with the saved one for the longest step (Colombo and Gondzio 2008); returns the step.
static double blend_directions(vs_ipm *ipm, double least) {
    double best = vs_ipm_step(ipm), chosen = 1;
    static const double weights[] = {.65, .3};
    for (int k = 0; k < 2 && best < FULL_STEP && weights[k] >= least; k++) {
        double weight = weights[k], step = blended_step(ipm, weight);
        if (step > 1.02 * best) {
            best = step;
            chosen = weight;
        }
    }
    if (chosen < 1) {
        part parts[4];
        list_parts(ipm, parts);
        const double *keep = ipm->keep;
        for (int k = 0; k < 4; k++) {
            blend(chosen, parts[k].size, keep, parts[k].x);
            keep += parts[k].size;
        }
        blend(chosen, parts[0].size, ipm->r_z_keep, ipm->r_z);
    }
    return best;
}

// The direction for r_z; under a time budget with no more refinement than time permits.
static vs_error solve_direction(vs_ipm *ipm, vs_iteration *line) {
    vs_method_run *run = ipm->run;
    if (run->max_time <= 0)
        return vs_ipm_direction(ipm, ipm->r_z, line);
    double begin = vs_method_run_elapsed(run), left = run->max_time - run->reserve - begin;
    int before = line->refinements;
    ipm->newton.steps_most = ipm->step_seconds > 0 ? (int)fmin(fmax(left / ipm->step_seconds, 1), 1e6) : 0;
    vs_error error = vs_ipm_direction(ipm, ipm->r_z, line);
    ipm->step_seconds = (vs_method_run_elapsed(run) - begin) / (line->refinements - before + 1);
    return error;
}

// Is the direction, with its step `longer`, worth more than the one before it with `step`?
static bool pays(const vs_ipm *ipm, double target, bool centre, double before, double step, double longer) {
    double left = target / ipm->gap;
    if (1 - longer + left < GAP_GAIN * (1 - step + left))
        return true;
    return centre ? longer >= .99 * step && off_centre(ipm, longer, target) < CENTRING_GAIN * before
                  : longer >= step + LEAST_GAIN;
}

// Further right-hand sides for the same factor, as long as each is worthwhile. Returns the step length.
static vs_error run_correctors(vs_ipm *ipm, double target, vs_iteration *line, double *step) {
    int most = ipm->run->options.ipm.correctors >= 0 ? ipm->run->options.ipm.correctors : VS_IPM_CORRECTORS;
    for (int corrector = 0; corrector < most; corrector++) {
        if (!vs_method_run_fits(ipm->run, 2 * ipm->step_seconds))
            return VS_OK;
        bool centre = *step >= FULL_STEP;
        double aim = fmin(1, *step + REACH), before = centre ? off_centre(ipm, *step, target) : 0;
        if (centre && before < .05 * target)
            return VS_OK;
        swap_direction(ipm, false);
        if (centre)
            correct(ipm, aim, target, target);
        else
            correct(ipm, aim, target / WIDE, target * WIDE);
        vs_error error = solve_direction(ipm, line);
        if (error)
            return error;
        double longer = centre ? vs_ipm_step(ipm) : blend_directions(ipm, LEAST_SHARE);
        if (!pays(ipm, target, centre, before, *step, longer)) {
            swap_direction(ipm, true);
            return VS_OK;
        }
        *step = longer;
    }
    return VS_OK;
}

// ---- the direction ---------------------------------------------------------------------------------

vs_error vs_ipm_find_direction(vs_ipm *ipm, vs_iteration *line, double *step) {
    for (int k = 0; k < ipm->count; k++)
        vs_cone_of(ipm->kind[k])->product(ipm->pairs[k].z, ipm->pairs[k].z, ipm->r_z + ipm->lift[k]);
    vs_error error = solve_direction(ipm, line);
    if (error)
        return error;
    double affine = vs_ipm_step(ipm), ratio = fmin(1, fmax(0, trial_gap(ipm, affine) / ipm->gap));
    double most = ipm->newton.by_cg ? 1 : SIGMA_MOST; // conjugate gradients end with the gap, and iterations are cheap
    double sigma = fmin(most, fmax(ratio * ratio * ratio, SIGMA)), target = sigma * ipm->gap;

    swap_direction(ipm, false);
    for (int k = 0; k < ipm->count; k++) {
        const vs_cone *cone = vs_cone_of(ipm->kind[k]);
        double product[3], *r_z = ipm->r_z + ipm->lift[k];
        cone->product(ipm->dyt + ipm->lift[k], ipm->dlt + ipm->lift[k], product);
        for (int i = 0; i < cone->size; i++)
            r_z[i] += product[i];
        r_z[0] -= target;
        if (ipm->kind[k] == VS_CONE_BOX)
            r_z[1] -= target;
    }
    error = solve_direction(ipm, line);
    if (error)
        return error;
    *step = blend_directions(ipm, fmax(LEAST_SHARE, affine));
    line->sigma = sigma;
    return run_correctors(ipm, target, line, step);
}
