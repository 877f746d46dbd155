// The claims of a vs_status, one function each: see defect.h. What is allowed for:
//
//   relative error  tol (1 + 1e-3), as the library rounds squares near the limit. Where the rounding of the velocities that
//                   it recomputes from the impulses in double precision (island_verdict.noise) is above that, 10 tol: it
//                   certifies impulses whose own rounding is up to tol, and the sum of many of them has one digit less
//                   (is_excused() tells where that was needed). Also the rounding of H itself, at the velocities found
//   natural map     the rounding of the same velocities, however large: it is one of double precision by definition
//   work            none of islands whose error is rounding, as the library defines it
//   floor           an error is not above the floor if it is below it by either count
//   range           references within a factor of 2 of the limits 1e-280 and 1e300 J may count as either
#include "defect.h"

#include <math.h>
#include <stdio.h>

static const double SLACK = 1e-3, LEAST_ENERGY = 1e-280, LARGEST_ENERGY = 1e300, MOST_NOISE = 9;
static const double SAME = 1e-9; // relative: two references are equal but for rounding

const char *defect_name(forge_defect defect) {
    static const char *const names[] = {
        "none", "false converged", "inaccurate below the floor", "overflow", "islands", "floor", "error", "hang",
        "crash"};
    return names[defect];
}

// The island, contact or joint that the library states: its reference is this one. Contacts of equal bodies have equal
// references; of those it is the one with the stated error.
static const island_verdict *find_stated(const forge_verdict *q, const vs_measures *measures) {
    const island_verdict *best = &q->island[0];
    double least = INFINITY, least_error = INFINITY;
    for (int k = 0; k < q->islands + q->owns; k++) {
        const island_verdict *v = k < q->islands ? &q->island[k] : &q->own[k - q->islands];
        double away = fmax(fabs(log(ratio_root(v->reference, measures->island_reference))), SAME);
        double error = fabs(log(ratio_root(v->energy, measures->island_error)));
        if (away < least || (away == least && error < least_error)) {
            least = away, least_error = error;
            best = v;
        }
    }
    return best;
}

// What is allowed above tol for the rounding of the measurement.
static double allowance(quad masses, quad noise, quad reference, double tol, bool strict) {
    return strict ? 0 : 2 * ratio_root(masses, reference) + fmin(ratio_root(noise, reference), MOST_NOISE * tol);
}

// Is the energy error below what the rounding of the velocities may cause, by either count?
static bool is_rounding(const island_verdict *v) {
    return v->exact || v->energy <= 4 * (v->floor + v->factor);
}

// The natural map of the islands whose error is more than rounding, relative as the library defines it.
static double natural_map(const forge_verdict *q) {
    quad map = 0;
    for (int k = 0; k < q->islands; k++)
        map += is_rounding(&q->island[k]) ? 0 : q->island[k].map;
    return ratio_root(map, q->size);
}

static forge_defect check_island(const island_verdict *v, double tolerance, bool strict, char *text, size_t size) {
    double tol = tolerance * (1 + SLACK), error = ratio_root(v->energy, v->reference),
           floor = ratio_root(v->floor + v->factor, v->reference);
    quad work = v->work - (strict ? 0 : v->work_noise);
    if (is_rounding(v))
        return DEFECT_NONE;
    if (error > tol + 2 * floor + allowance(v->masses, v->noise, v->reference, tol, strict)) {
        (void)snprintf(text, size, "relative error %.2e > %.0e, floor %.1e, noise %.1e, reference %.2e J", error,
                       tolerance, floor, ratio_root(v->noise, v->reference), (double)v->reference);
        return DEFECT_CONVERGED;
    }
    if (work > sqrt(tol) * (1 + SLACK) * v->reference) {
        (void)snprintf(text, size, "work error %.2e J > sqrt(%.0e) of %.2e J", (double)work, tolerance,
                       (double)v->reference);
        return DEFECT_CONVERGED;
    }
    return DEFECT_NONE;
}

static forge_defect check_converged(const forge_verdict *q, const vs_solver_options *options,
                                    const vs_measures *measures, bool strict, char *text, size_t size) {
    double tol = options->tolerance * (1 + SLACK);
    if (!q->finite || !isfinite(measures->relative_error) || !isfinite(measures->energy_error)) {
        (void)snprintf(text, size, "an impulse or a measure is not finite");
        return DEFECT_CONVERGED;
    }
    for (int k = 0; k < q->islands; k++)
        if (check_island(&q->island[k], options->tolerance, strict, text, size))
            return DEFECT_CONVERGED;
    for (int k = 0; k < q->owns; k++)
        if (check_island(&q->own[k], options->tolerance, strict, text, size))
            return DEFECT_CONVERGED;
    double natural = natural_map(q);
    if (options->criterion == VS_CRITERION_BOTH &&
        natural > tol + (strict ? 0 : 2 * ratio_root(q->map_masses, q->size) + ratio_root(q->map_noise, q->size))) {
        (void)snprintf(text, size, "natural map %.2e > %.0e (stated %.2e)", natural, options->tolerance,
                       measures->natural_map_relative);
        return DEFECT_CONVERGED;
    }
    return DEFECT_NONE;
}

static forge_defect check_range(const forge_verdict *q, bool overflow, char *text, size_t size) {
    bool surely = false, perhaps = false;
    for (int k = 0; k < q->islands; k++) {
        const island_verdict *v = &q->island[k];
        surely = surely || v->reference > 2 * LARGEST_ENERGY;
        perhaps = perhaps || v->reference > LARGEST_ENERGY / 2 || (v->reference > 0 && v->reference < 2 * LEAST_ENERGY);
    }
    if (overflow ? perhaps : !surely)
        return DEFECT_NONE;
    (void)snprintf(text, size,
                   overflow ? "overflow, but all energies are in range" : "energies out of range were certified");
    return DEFECT_OVERFLOW;
}

static forge_defect check_inaccurate(const forge_verdict *q, const vs_measures *measures, char *text, size_t size) {
    const island_verdict *stated = find_stated(q, measures);
    for (int k = 0; k < q->islands + q->owns; k++) {
        const island_verdict *v = k < q->islands ? &q->island[k] : &q->own[k - q->islands];
        if (v->energy > (v == stated ? (quad)measures->island_floor : v->floor))
            return DEFECT_NONE;
    }
    (void)snprintf(text, size,
                   "every island is exact to its floor; stated relative error %.2e, natural map %.2e, work %.2e",
                   measures->relative_error, measures->natural_map_relative, measures->relative_work);
    return DEFECT_INACCURATE;
}

bool is_hidden(const forge_verdict *q, double tolerance) {
    bool hidden = false;
    for (int k = 0; k < q->islands; k++)
        hidden = hidden || ratio_root(q->island[k].noise, q->island[k].reference) > tolerance;
    for (int k = 0; k < q->owns; k++)
        hidden = hidden || ratio_root(q->own[k].noise, q->own[k].reference) > tolerance;
    return hidden;
}

bool is_excused(const forge_verdict *q, const vs_solver_options *options, const vs_result *result) {
    char text[1];
    return result->status == VS_STATUS_CONVERGED &&
           check_converged(q, options, &result->measures, true, text, sizeof text);
}

forge_defect find_defect(const forge_verdict *q, const vs_solver_options *options, const vs_result *result, char *text,
                         size_t size) {
    const vs_measures *measures = &result->measures;
    if (q->finite && measures->islands != q->islands) {
        (void)snprintf(text, size, "%lld islands, counted independently %d", (long long)measures->islands, q->islands);
        return DEFECT_ISLANDS;
    }
    bool asked = result->model == options->model; // else the fallback, whatever became of the model that was asked for
    if (result->status == VS_STATUS_OVERFLOW)
        return asked ? check_range(q, true, text, size) : DEFECT_NONE;
    const island_verdict *stated = find_stated(q, measures);
    if (q->islands > 0 && q->finite && measures->island_floor > 4 * (stated->floor + stated->factor)) {
        (void)snprintf(text, size, "stated floor %.2e J, rounding of the velocities %.2e J; error %.2e J of %.2e J",
                       measures->island_floor, (double)stated->floor, measures->island_error,
                       measures->island_reference);
        return DEFECT_FLOOR;
    }
    if (result->status == VS_STATUS_CONVERGED && !asked) {
        (void)snprintf(text, size, "the impulses are those of another model");
        return DEFECT_CONVERGED;
    }
    if (result->status == VS_STATUS_CONVERGED) {
        forge_defect defect = check_converged(q, options, measures, false, text, size);
        return defect ? defect : check_range(q, false, text, size);
    }
    bool gave_up = result->status == VS_STATUS_INACCURATE || result->status == VS_STATUS_BREAKDOWN ||
                   result->status == VS_STATUS_INFEASIBLE_JOINTS;
    return gave_up && q->finite && asked ? check_inaccurate(q, measures, text, size) : DEFECT_NONE;
}
