// The interior point's loop. One factorization per iteration:
//
//     predictor   r_z = z o z                                     how far can the gap decrease?
//     corrector   r_z = z o z + dy~ o dl~ - sigma gap e           Mehrotra; sigma = (gap_aff/gap)^3, not below SIGMA
//     Gondzio     spectral values of the trial complementarity pulled into [1/WIDE, WIDE] sigma gap, while the step
//                 gets longer; each corrector blended with the direction before it (Colombo and Gondzio 2008)
//     centring    once the step is (nearly) full: all spectral values pulled to sigma gap
//
// Centring gives the last digits. For a sliding contact the error of a pair off the central path is of the order
// sqrt(gap): lambda'y grows with the square of the angle between the two. On the path it is of the order of the gap.
// SIGMA bounds the decrease of the gap per iteration, so that the next iterate can be centred with the same factor.
#include "solver/ipm/ipm.h"

#include <math.h>
#include <string.h>

#include "solver/ipm/active_set.h"
#include "solver/ipm/active_set_correction.h"
#include "solver/ipm/direction.h"
#include "solver/ipm/starting_point.h"
#include "solver/kkt/newton_cg.h"
#include "solver/kkt/sparsified.h"

static const double SIGMA = 0.02;        // least centring parameter
static const double FULL_STEP = 0.95;    // from here correctors centre instead of lengthening the step
static const double REACH = 0.3;         // increase of the step that Gondzio's correctors aim at
static const double WIDE = 3;            // spectral values outside [1/WIDE, WIDE] sigma gap are corrected
static const double LEAST_GAIN = 0.03;   // a corrector must lengthen the step by this
static const double CENTRING_GAIN = 0.9; // a centring corrector must reduce the deviation below this fraction
static const double LEAST_SHARE = 0.3;   // least weight of a corrector in a blend
// Gap below which the active-set correction is tried, and factor for the next attempt.
static const double FINISH = 1e-5, FINISH_AGAIN = 1e-2;
static const int CORRECTORS = 4, MANY = 25;
// Fraction of the step to the boundary: while the gap is large, and at most. A single contact that is left much closer
// to it than the others makes the next steps short: on piles of thousands it costs two iterations in fifteen.
static const double FRACTION = 0.98, FRACTION_MOST = 0.99;
enum { HALVINGS = 30 }; // of a step, before it counts as none

// ---- creation --------------------------------------------------------------------------------------

// Conjugate gradients are for large piles: single precision suffices, and no linear solver was requested by name.
static bool may_use_cg(const vs_ipm *ipm, const vs_linear_backend *backend) {
    const vs_scaled *problem = ipm->problem;
    const char *asked = ipm->run->options.linear_solver;
    return problem->identity && problem->m_e == 0 && !ipm->ranks && backend->single &&
           ipm->newton.reduction == &vs_reduction_velocity && (!asked || strcmp(asked, "auto") == 0);
}

vs_error vs_ipm_create(vs_ipm *ipm, vs_run *run, const vs_reduction *reduction, const vs_linear_backend *backend,
                       vs_arena *arena) {
    memset(ipm, 0, sizeof *ipm);
    const vs_scaled *problem = &run->scaled;
    ipm->run = run;
    ipm->problem = problem;
    ipm->ranks = problem->problem->ranks;
    ipm->velocities = reduction->velocities;
    ipm->tolerance_factor = 1e-2;
    ipm->lift = VS_NEW(arena, int, problem->cones + 1);
    if (!ipm->lift)
        return VS_ERROR_MEMORY;
    int lifted = 0;
    for (int k = 0; k < problem->cones; k++) {
        ipm->lift[k] = lifted;
        lifted += vs_cone_of(problem->kind[k])->size;
        ipm->degree += vs_cone_of(problem->kind[k])->degree;
    }
    ipm->lift[problem->cones] = lifted;
    ipm->degree = (int)vs_ranks_total(ipm->ranks, ipm->degree);

    ipm->pairs = VS_NEW_ZERO(arena, vs_cone_pair, problem->cones);
    ipm->trial = VS_NEW_ZERO(arena, vs_cone_pair, problem->cones);
    int n = problem->n, m = problem->m, m_e = problem->m_e;
    const struct {
        double **array;
        int size;
    } parts[] = {{&ipm->v, n},        {&ipm->best_v, n},   {&ipm->dv, n},       {&ipm->r_d, n},
                 {&ipm->rhs_d, n},    {&ipm->g, m_e},      {&ipm->dg, m_e},     {&ipm->r_e, m_e},
                 {&ipm->rhs_e, m_e},  {&ipm->x, m},        {&ipm->dl, m},       {&ipm->Ddv, m},
                 {&ipm->r_c, m},      {&ipm->rhs_c, m},    {&ipm->r_z, lifted}, {&ipm->r_z_keep, lifted},
                 {&ipm->sum, lifted}, {&ipm->dlt, lifted}, {&ipm->dyt, lifted}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        *parts[k].array = VS_NEW_ZERO(arena, double, parts[k].size);
        if (!*parts[k].array)
            return VS_ERROR_MEMORY;
    }
    ipm->keep = VS_NEW_ZERO(arena, double, n + m_e + 2 * (int64_t)lifted);
    ipm->carries = VS_NEW(arena, bool, problem->cones);
    if (!ipm->pairs || !ipm->trial || !ipm->keep || !ipm->carries)
        return VS_ERROR_MEMORY;
    if (vs_ipm_can_finish(ipm)) {
        ipm->correction = VS_NEW(arena, vs_correction, 1);
        if (!ipm->correction || vs_correction_create(ipm->correction, problem->cones, arena))
            return VS_ERROR_MEMORY;
    }
    vs_error error = vs_newton_create(&ipm->newton, problem, reduction, backend, arena);
    if (error || !may_use_cg(ipm, backend))
        return error;
    error = vs_newton_allow_sparsified(&ipm->newton, arena);
    if (!error)
        error = vs_newton_allow_cg(&ipm->newton, arena);
    return error;
}

void vs_ipm_release(vs_ipm *ipm) {
    vs_newton_release(&ipm->newton);
}

void vs_ipm_update(vs_ipm *ipm) {
    vs_newton_update(&ipm->newton);
}

// ---- correctors ------------------------------------------------------------------------------------

// Complementarity of the pair after a step, in the scaled space: (z + a dl~) o (z + a dy~).
static void trial_product(const vs_ipm *ipm, int k, double a, double *out) {
    const vs_cone *cone = vs_cone_of(ipm->problem->kind[k]);
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
    for (int k = 0; k < ipm->problem->cones; k++) {
        const double *z = ipm->pairs[k].z, *dlt = ipm->dlt + ipm->lift[k], *dyt = ipm->dyt + ipm->lift[k];
        for (int i = 0; i < ipm->lift[k + 1] - ipm->lift[k]; i++)
            sum += (z[i] + a * dlt[i]) * (z[i] + a * dyt[i]);
    }
    return vs_ranks_total(ipm->ranks, sum) / ipm->degree;
}

// Largest deviation of the spectral values after a step from the target.
static double off_centre(const vs_ipm *ipm, double a, double target) {
    double worst = 0;
    for (int k = 0; k < ipm->problem->cones; k++) {
        double product[3];
        vs_spectrum spectrum;
        trial_product(ipm, k, a, product);
        vs_cone_decompose(ipm->problem->kind[k], product, &spectrum);
        for (int i = 0; i < spectrum.count; i++)
            worst = fmax(worst, fabs(spectrum.value[i] - target));
    }
    return vs_ranks_most(ipm->ranks, worst);
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
    const vs_cone *cone = vs_cone_of(ipm->problem->kind[k]);
    const double *z = ipm->pairs[k].z;
    double a = share_of(cone->size, z, ipm->dlt + ipm->lift[k]), b = share_of(cone->size, z, ipm->dyt + ipm->lift[k]);
    double left = (1 - a) * (1 - b), product[3];
    cone->product(z, z, product);
    const double mean = product[0]; // of the spectral values
    if (ipm->problem->kind[k] == VS_CONE_BOX || !(a > LEAST && b > LEAST && a < 1 && b < 1) ||
        left * mean < FAR * target)
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
    for (int k = 0; k < ipm->problem->cones; k++) {
        vs_cone_kind kind = ipm->problem->kind[k];
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
    size_t lifted = (size_t)ipm->lift[ipm->problem->cones];
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
    size_t bytes = sizeof(double) * (size_t)ipm->lift[ipm->problem->cones];
    memcpy(back ? ipm->r_z : ipm->r_z_keep, back ? ipm->r_z_keep : ipm->r_z, bytes);
}

// Step length of saved + weight (current - saved) direction.
static double blended_step(const vs_ipm *ipm, double weight) {
    const vs_scaled *problem = ipm->problem;
    int lifted = ipm->lift[problem->cones];
    const double *keep_l = ipm->keep, *keep_y = keep_l + lifted;
    double step = 1;
    for (int k = 0; k < problem->cones; k++) {
        const vs_cone *cone = vs_cone_of(problem->kind[k]);
        double l[3], y[3];
        for (int i = 0, at = ipm->lift[k]; i < cone->size; i++, at++) {
            l[i] = keep_l[at] + weight * (ipm->dlt[at] - keep_l[at]);
            y[i] = keep_y[at] + weight * (ipm->dyt[at] - keep_y[at]);
        }
        step = cone->step(ipm->pairs + k, l, step);
        step = cone->step(ipm->pairs + k, y, step);
    }
    return vs_ranks_least(ipm->ranks, step);
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
    vs_run *run = ipm->run;
    if (run->max_time <= 0)
        return vs_ipm_direction(ipm, ipm->r_z, line);
    double begin = vs_run_elapsed(run), left = run->max_time - run->reserve - begin;
    int before = line->refinements;
    ipm->newton.steps_most = ipm->step_seconds > 0 ? (int)fmin(fmax(left / ipm->step_seconds, 1), 1e6) : 0;
    vs_error error = vs_ipm_direction(ipm, ipm->r_z, line);
    ipm->step_seconds = (vs_run_elapsed(run) - begin) / (line->refinements - before + 1);
    return error;
}

// Further right-hand sides for the same factor, as long as each is worthwhile. Returns the step length.
static vs_error run_correctors(vs_ipm *ipm, double target, vs_iteration *line, double *step) {
    int most = ipm->run->options.correctors >= 0 ? ipm->run->options.correctors : CORRECTORS;
    for (int corrector = 0; corrector < most; corrector++) {
        if (!vs_run_fits(ipm->run, 2 * ipm->step_seconds))
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
        bool pays = centre ? longer >= .99 * *step && off_centre(ipm, longer, target) < CENTRING_GAIN * before
                           : longer >= *step + LEAST_GAIN;
        if (!pays) {
            swap_direction(ipm, true);
            return VS_OK;
        }
        *step = longer;
    }
    return VS_OK;
}

// ---- an iteration ----------------------------------------------------------------------------------

// Predictor, corrector and further correctors; the direction and its step to the boundary.
static vs_error find_direction(vs_ipm *ipm, vs_iteration *line, double *step) {
    const vs_scaled *problem = ipm->problem;
    for (int k = 0; k < problem->cones; k++)
        vs_cone_of(problem->kind[k])->product(ipm->pairs[k].z, ipm->pairs[k].z, ipm->r_z + ipm->lift[k]);
    vs_error error = solve_direction(ipm, line);
    if (error)
        return error;
    double affine = vs_ipm_step(ipm), ratio = fmin(1, fmax(0, trial_gap(ipm, affine) / ipm->gap));
    double sigma = fmin(1, fmax(ratio * ratio * ratio, SIGMA)), target = sigma * ipm->gap;

    swap_direction(ipm, false);
    for (int k = 0; k < problem->cones; k++) {
        const vs_cone *cone = vs_cone_of(problem->kind[k]);
        double product[3], *r_z = ipm->r_z + ipm->lift[k];
        cone->product(ipm->dyt + ipm->lift[k], ipm->dlt + ipm->lift[k], product);
        for (int i = 0; i < cone->size; i++)
            r_z[i] += product[i];
        r_z[0] -= target;
        if (problem->kind[k] == VS_CONE_BOX)
            r_z[1] -= target;
    }
    error = solve_direction(ipm, line);
    if (error)
        return error;
    *step = blend_directions(ipm, fmax(LEAST_SHARE, affine));
    line->sigma = sigma;
    return run_correctors(ipm, target, line, step);
}

// Moves all pairs and g; shortens the step while a pair would leave its cone. False: no step possible.
static bool advance(vs_ipm *ipm, double *step) {
    const vs_scaled *problem = ipm->problem;
    for (int halving = 0; halving < HALVINGS; halving++) {
        bool inside = true;
        memcpy(ipm->trial, ipm->pairs, sizeof(vs_cone_pair) * (size_t)problem->cones);
        for (int k = 0; k < problem->cones && inside; k++)
            inside = vs_cone_of(problem->kind[k])
                         ->advance(ipm->trial + k, *step, ipm->dlt + ipm->lift[k], *step, ipm->dyt + ipm->lift[k]);
        if (vs_ranks_any(ipm->ranks, !inside)) {
            *step *= .5;
            continue;
        }
        for (int k = 0; k < problem->cones; k++)
            if (problem->kind[k] == VS_CONE_BOX)
                ipm->x[problem->row[k]] += *step * ipm->dlt[ipm->lift[k]] / ipm->pairs[k].eta;
        vs_cone_pair *swap = ipm->pairs;
        ipm->pairs = ipm->trial;
        ipm->trial = swap;
        for (int k = 0; k < problem->m_e; k++)
            ipm->g[k] += *step * ipm->dg[k];
        for (int k = 0; k < problem->n && ipm->velocities; k++)
            ipm->v[k] += *step * ipm->dv[k];
        return true;
    }
    return false;
}

static double square(const vs_ipm *ipm, int count, const double *x) {
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += x[k] * x[k];
    return vs_ranks_total(ipm->ranks, sum);
}

// s (n) = C'r
static void multiply_joints_t(const vs_ipm *ipm, const double *r, double *s) {
    memset(s, 0, sizeof(double) * (size_t)ipm->problem->n);
    vs_rows_multiply_t_add(&ipm->problem->C, 1, r, s);
    vs_ranks_share(ipm->ranks, s);
}

// Are the joints inconsistent? Least squares min |C v - b_e| by conjugate gradients: a residual r != 0 with C'r = 0
// proves it, because then r'b_e = r'r while r'C v = 0 for every v. Compliant joints never are.
static bool joints_contradict(vs_ipm *ipm) {
    const vs_scaled *problem = ipm->problem;
    double *r = ipm->r_e, *q = ipm->rhs_e, *s = ipm->r_d, *p = ipm->dv;
    const int owned = vs_ranks_owned(ipm->ranks, problem->n);
    bool compliant = false;
    for (int k = 0; k < problem->m_e; k++) {
        compliant |= problem->E_e[k] > 0;
        r[k] = problem->b_e[k];
    }
    if (vs_ranks_any(ipm->ranks, compliant))
        return false;
    multiply_joints_t(ipm, r, s);
    memcpy(p, s, sizeof(double) * (size_t)problem->n);
    const double rows = vs_ranks_total(ipm->ranks, problem->m_e), size = square(ipm, problem->m_e, r);
    double gamma = square(ipm, owned, s), left = size;
    for (int round = 0; round < 2 * rows + 20 && gamma > 1e-20 * left; round++) {
        vs_rows_multiply(&problem->C, 1, p, 0, q, ipm->run->context);
        double alpha = gamma / square(ipm, problem->m_e, q), before = gamma;
        for (int k = 0; k < problem->m_e; k++)
            r[k] -= alpha * q[k];
        multiply_joints_t(ipm, r, s);
        gamma = square(ipm, owned, s);
        left = square(ipm, problem->m_e, r);
        for (int k = 0; k < problem->n; k++)
            p[k] = s[k] + gamma / before * p[k];
    }
    return left > 1e-12 * size && gamma <= 1e-12 * left;
}

// True, with the status set, if the joints are inconsistent.
static bool blame_joints(vs_ipm *ipm) {
    vs_status status = ipm->run->status;
    bool open = status != VS_STATUS_CONVERGED && status != VS_STATUS_TIME_LIMIT;
    bool blamed = ipm->newton.joints && open && joints_contradict(ipm);
    if (blamed)
        vs_run_end(
            ipm->run, VS_STATUS_INFEASIBLE_JOINTS,
            "the joints are inconsistent: no velocity satisfies C v = b_e; returned is the best iterate (least energy "
            "error)");
    return blamed;
}

bool vs_ipm_velocities(const vs_ipm *ipm, double *v) {
    if (!ipm->velocities || !ipm->best_balanced)
        return false;
    vs_scaled_v_undo(ipm->problem, ipm->best_v, v);
    return true;
}

// No contacts: one linear system gives the joints' impulses (Mangoni, thesis, eq 4.27).
static vs_error solve_joints(vs_ipm *ipm) {
    vs_iteration line = {0};
    memset(ipm->g, 0, sizeof(double) * (size_t)ipm->problem->m_e);
    vs_error error = vs_ipm_settle(ipm);
    if (!error)
        error = vs_newton_factor(&ipm->newton, ipm->pairs);
    for (int round = 0; round < 5 && !error; round++) {
        error = vs_ipm_residuals(ipm);
        if (error || vs_run_check(ipm->run, &line))
            return error;
        error = vs_ipm_direction(ipm, ipm->r_z, &line);
        for (int k = 0; k < ipm->problem->m_e; k++)
            ipm->g[k] += ipm->dg[k];
        for (int k = 0; k < ipm->problem->n && ipm->velocities; k++)
            ipm->v[k] += ipm->dv[k];
        ipm->run->iterations++;
    }
    vs_run_end(ipm->run, VS_STATUS_INACCURATE, "the joints' linear system could not be solved to the tolerance");
    blame_joints(ipm);
    return error;
}

// Is there no time for another iteration?
static bool is_late(vs_ipm *ipm, bool first) {
    double guess = vs_linear_solver_guess(ipm->newton.solver, 2 * (2 + CORRECTORS));
    return vs_run_late(ipm->run, &ipm->pace, first, vs_ranks_most(ipm->ranks, guess));
}

// The whole iteration, from the starting point of the run.
static vs_error iterate(vs_ipm *ipm) {
    vs_run *run = ipm->run;
    int begun = run->iterations;
    if (is_late(ipm, true))
        return VS_OK;
    vs_newton_begin(&ipm->newton);
    vs_newton_try_cg(&ipm->newton, run->max_time <= 0, INFINITY); // with a time budget iterations must be predictable
    vs_error error = vs_ipm_start(ipm);
    if (!error)
        error = vs_ipm_settle(ipm);
    ipm->finish_below = ipm->correction ? FINISH : 0;
    vs_iteration line = {0};
    while (!error) {
        error = vs_ipm_residuals(ipm);
        line.gap = ipm->gap * ipm->degree;
        if (error || vs_run_check(run, &line))
            break;
        if (ipm->gap * ipm->degree < ipm->finish_below) {
            bool done;
            error = vs_ipm_finish(ipm, &done);
            if (error || done)
                break;
            ipm->finish_below *= FINISH_AGAIN;
            error = vs_ipm_residuals(ipm);
            if (error)
                break;
        }
        // So many iterations are rare; inconsistent joints are one reason.
        if (run->iterations == MANY && blame_joints(ipm))
            return VS_OK;
        if (is_late(ipm, run->iterations == begun))
            break;
        line = (vs_iteration){0};
        vs_newton_try_cg(&ipm->newton, ipm->newton.by_cg, ipm->gap * ipm->degree);
        error = vs_newton_factor(&ipm->newton, ipm->pairs);
        if (error)
            break;
        line.regularization = ipm->newton.delta;
        double step;
        error = find_direction(ipm, &line, &step);
        if (error)
            break;
        // Stay away from the boundary, less so as the gap closes; a direction that never reaches it is taken fully.
        double total = ipm->gap * ipm->degree, fraction = fmin(fmax(FRACTION, 1 - total), FRACTION_MOST);
        step = step < 1 ? fraction * step : 1;
        if (!advance(ipm, &step)) {
            vs_run_end(run, VS_STATUS_INACCURATE,
                       "the step length decreased to zero; returned is the best iterate (least energy error)");
            break;
        }
        line.step_primal = line.step_dual = step;
        run->iterations++;
    }
    if (error == VS_ERROR_NUMERICAL) {
        vs_run_end(run, VS_STATUS_BREAKDOWN,
                   "the Newton matrix could not be factored; returned is the best iterate (least energy error)");
        error = VS_OK;
    }
    return error;
}

// The tolerance was not met, and neither limits nor rounding are the reason.
static bool gave_up(const vs_run *run) {
    return run->status == VS_STATUS_BREAKDOWN || (run->status == VS_STATUS_INACCURATE && !run->rounded);
}

vs_error vs_ipm_solve(vs_ipm *ipm) {
    vs_run *run = ipm->run;
    ipm->best_balanced = false;
    if (ipm->degree == 0)
        return solve_joints(ipm);
    vs_error error = iterate(ipm);
    // A start near the boundary may have been the reason.
    if (!error && (run->warm_lambda || run->warm_v) && gave_up(run)) {
        run->warm_lambda = run->warm_g = run->warm_v = false;
        vs_run_again(run);
        error = iterate(ipm);
    }
    blame_joints(ipm);
    return error;
}
