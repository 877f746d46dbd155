// Derivatives at points of the central path (`gap`).
//
//   closed form      a point above a plane: l (v - b) = gap
//   the path         products of impulses and velocities are those that the documentation promises
//   differences      random problems of all kinds, found again with moved data
//   transposition    weights'(tangent of a direction) = (adjoint of the weights)'direction
//   limit            with the gap, the distance from the derivative of the solution vanishes where no contact is at a border
//
// Tolerance of the differences: points are centred to about 1e-12, so that differences over 1e-4 of the data have errors of 1e-8
// at most, and extrapolation leaves errors of the fourth order in the step. The tolerance 1e-6 is that of the promise. Where
// coefficients of doubled contacts part, impulses go over to one of the two within a change of the size of the gap: differences
// that two steps do not agree on say nothing.
//
// Tolerance of the transposition: rounding over the smallest entry of K, which is of the order of the relative gap.
#include "solver/derivative/differences.h"

static const double PROMISE = 1e-6, SPREAD = 1e-4, TRANSPOSED = 1e-14;
static const double SLOW = .05; // m/s, see test_derivative.c

static vs_derivative *smooth(const vs_problem *problem, vs_model model, double gap) {
    vs_derivative *derivative = NULL;
    const vs_derivative_options how = {.model = model, .border = 1e-6, .gap = gap};
    return vs_derivative_create(problem, &how, NULL, NULL, &derivative) == VS_OK ? derivative : NULL;
}

// ---- closed form ---------------------------------------------------------------------------------------

// 2 kg fall at v0 towards a plane at a distance of b: l = m (v - v0), l (v + b) = gap.
static void point_above_a_plane(void **state) {
    const double mass = 2, v0 = -.3, b = -.2, gap = .05;
    scene s = {0};
    scene_body *body = add_body(&s, 3);
    for (int k = 0; k < 3; k++)
        body->H[4 * k] = mass;
    body->c[2] = -mass * v0;
    add_contact_at(&s, SMOOTH, -1, 0, (double[3]){0, 0, 1}, (double[3]){0}, (double[3]){0}, 0);
    s.link[0].b[0] = b;
    vs_problem *problem = must_build(context_of(state), &s);
    vs_derivative *d = smooth(problem, VS_MODEL_EXACT, gap);
    assert_non_null(d);
    // m (v - v0) (v - b) = gap: v = mean + root, dv/db = (1 + (b - v0) / (2 root)) / 2
    const double half = (b - v0) / 2, root = sqrt(half * half + gap / mass);
    const vs_derivative_report report = vs_derivative_get_report(d);
    assert_near("v", report.v[2], (v0 + b) / 2 + root, 1e-12);
    assert_int_equal(report.row[0], VS_ROW_SMOOTHED);
    assert_int_equal(report.borders, 0);
    double v[3];
    must(vs_derivative_tangent(d, &(vs_problem_direction){.b = (double[]){1}}, &(vs_solution_direction){.v = v}, NULL),
         context_of(state));
    assert_near("dv/db", v[2], .5 + half / (2 * root), 1e-12);
    vs_derivative_destroy(d);
    vs_problem_destroy(problem), free_scene(&s);
}

// ---- random problems -----------------------------------------------------------------------------------

static int size_of(const vs_problem *p) {
    return p->n + 2 * p->m + p->m_e;
}

static bool find_point(const vs_problem *p, vs_model model, double gap, double *x) {
    vs_derivative *d = smooth(p, model, gap);
    if (!d)
        return false;
    const vs_derivative_report r = vs_derivative_get_report(d);
    memcpy(x, r.v, (size_t)p->n * sizeof *x);
    memcpy(x + p->n, r.y, (size_t)p->m * sizeof *x);
    memcpy(x + p->n + p->m, r.g, (size_t)p->m_e * sizeof *x);
    memcpy(x + p->n + p->m + p->m_e, r.lambda, (size_t)p->m * sizeof *x);
    vs_derivative_destroy(d);
    return true;
}

static bool find_difference(vs_context *context, const scene *s, const scene *d, vs_model model, double gap, double h,
                            int size, double *out) {
    double *x = make_doubles(size);
    bool good = true;
    memset(out, 0, (size_t)size * sizeof *out);
    for (int k = 0; k < 2; k++) {
        scene moved = move_scene(s, d, k ? -h : h);
        vs_problem *problem = must_build(context, &moved);
        good = good && find_point(problem, model, gap, x);
        for (int i = 0; i < size; i++)
            out[i] += (k ? -x[i] : x[i]) / (2 * h);
        vs_problem_destroy(problem), free_scene(&moved);
    }
    free(x);
    return good;
}

// The extrapolated difference of the step at which two steps agree best.
static bool find_best(vs_context *context, const scene *s, const scene *d, vs_model model, double gap, int count,
                      int size, double *best) {
    double least = INFINITY, *wide = make_doubles(size), *half = make_doubles(size);
    for (double h = 1e-3; h > 5e-6; h /= 10) {
        if (!find_difference(context, s, d, model, gap, h, size, wide) ||
            !find_difference(context, s, d, model, gap, h / 2, size, half))
            continue;
        const double spread = distance(wide, half, count);
        for (int i = 0; i < size && spread < least; i++)
            best[i] = (4 * half[i] - wide[i]) / 3;
        least = fmin(least, spread);
        if (spread <= PROMISE * distance(half, NULL, count))
            break;
    }
    const double speed = distance(half, NULL, count);
    free(wide), free(half);
    return least <= SPREAD * fmax(speed, SLOW);
}

typedef struct tally {
    int problems, lost, compared;
    double worst, transposed, iterations;
} tally;

// x: T d, the tangent.
static double check_transposition(const vs_derivative *derivative, const data_direction *d, const double *x,
                                  uint64_t seed) {
    const vs_derivative_report r = vs_derivative_get_report(derivative);
    outcome o = {.g = (double *)(uintptr_t)r.g, .lambda = (double *)(uintptr_t)r.lambda};
    return transposition_error(derivative, d, &o, x, seed);
}

// J; that of the free motion, unless there is nothing to stop
static double unit_of(const vs_problem *p, vs_model model) {
    const double energy = energy_of(p, model);
    return energy > 0 ? energy : 1;
}

static void check_scene(vs_context *context, const scene *s, const scene *d, vs_model model, double share, int id,
                        tally *sum) {
    vs_problem *problem = must_build(context, s);
    const int n = problem->n, m = problem->m, size = size_of(problem);
    const double gap = share * unit_of(problem, model);
    vs_derivative *derivative = smooth(problem, model, gap);
    sum->problems++;
    if (!derivative) {
        sum->lost++;
        print_message("  problem %d: %s\n", id, vs_context_get_error_text(context));
        vs_problem_destroy(problem);
        return;
    }
    const vs_derivative_report r = vs_derivative_get_report(derivative);
    sum->iterations += r.iterations;
    data_direction *data = express_direction(problem, d);
    double *x = make_doubles(size), *best = make_doubles(size), residual;
    const vs_solution_direction out = {.v = x, .y = x + n, .g = x + n + m, .lambda = x + n + m + problem->m_e};
    must(vs_derivative_tangent(derivative, &data->data, &out, &residual), context);
    sum->transposed = fmax(sum->transposed, check_transposition(derivative, data, x, (uint64_t)id));
    const int count = r.rank < r.unknowns ? n + m : size; // joints twice
    if (find_best(context, s, d, model, gap, count, size, best)) {
        const double error = distance(x, best, count) / fmax(distance(best, NULL, count), SLOW);
        if (error > PROMISE)
            print_message("  problem %d: error %.2e, residual %.2e\n", id, error, residual);
        sum->worst = fmax(sum->worst, error);
        sum->compared++;
    }
    free(x), free(best), free_direction(data);
    vs_derivative_destroy(derivative);
    vs_problem_destroy(problem);
}

enum { COUNT = VS_SHORT ? 24 : 72 };

static int problems(void) {
    const char *asked = getenv("DERIVATIVE_PROBLEMS");
    return asked ? atoi(asked) : COUNT;
}

static void check_family(void **state, vs_model model, int count, double share, uint64_t seed) {
    tally sum = {0};
    for (int id = 0; id < count; id++) {
        scene s = make_case(id, seed + (uint64_t)id);
        scene d = make_direction(&s, has_doubles(id), seed + (uint64_t)id);
        check_scene(context_of(state), &s, &d, model, share, id, &sum);
        free_scene(&s), free_scene(&d);
    }
    print_message(
        "  %s, gap %.0e: %d problems, %d lost, %d compared: worst %.2e; transposition %.2e; %.1f factorizations\n",
        vs_model_name(model), share, sum.problems, sum.lost, sum.compared, sum.worst, sum.transposed,
        sum.iterations / sum.problems);
    assert_true(sum.worst <= PROMISE);
    assert_true(sum.transposed <= TRANSPOSED / share);
    // Exact paths may have folds.
    assert_true(sum.lost <= (model == VS_MODEL_EXACT ? 1 + count / 100 : 0));
    assert_true(sum.compared >= count * 8 / 10);
}

static void relaxed_problems(void **state) {
    check_family(state, VS_MODEL_RELAXED, problems(), 1e-2, 300);
    check_family(state, VS_MODEL_RELAXED, problems(), 1e-4, 300);
}
static void exact_problems(void **state) {
    check_family(state, VS_MODEL_EXACT, problems(), 1e-2, 300);
    check_family(state, VS_MODEL_EXACT, problems(), 1e-4, 300);
}

// ---- limit ---------------------------------------------------------------------------------------------

// Distance of the tangent of v and y with the gap from x, relative.
static double distance_to(const vs_problem *p, vs_model model, double gap, const vs_problem_direction *data,
                          const double *x) {
    vs_derivative *d = smooth(p, model, gap);
    if (!d)
        return NAN;
    const int count = p->n + p->m;
    double *t = make_doubles(count);
    must(vs_derivative_tangent(d, data, &(vs_solution_direction){.v = t, .y = t + p->n}, NULL), p->context);
    const double error = distance(t, x, count) / fmax(distance(x, NULL, count), SLOW);
    free(t);
    vs_derivative_destroy(d);
    return error;
}

static void check_limit(void **state, vs_model model, int count, uint64_t seed) {
    static const double shares[] = {1e-4, 1e-6, 1e-8};
    int compared = 0, far = 0, lost = 0;
    double worst[3] = {0};
    for (int id = 0; id < count; id++) {
        scene s = make_case(id, seed + (uint64_t)id), d = make_direction(&s, has_doubles(id), seed + (uint64_t)id);
        vs_problem *p = must_build(context_of(state), &s);
        outcome o;
        vs_derivative *derivative = differentiate(p, model, 1e-2, &o);
        data_direction *data = express_direction(p, &d);
        double *x = make_doubles(p->n + p->m), residual;
        must(vs_derivative_tangent(derivative, &data->data, &(vs_solution_direction){.v = x, .y = x + p->n}, &residual),
             p->context);
        // No flags, and nothing near a border: impulses and velocities of contacts are above a hundredth of their island's.
        const vs_derivative_report r = vs_derivative_get_report(derivative);
        if (r.borders == 0 && r.rank == r.unknowns && residual < 1e-8) {
            double error[3];
            for (int k = 0; k < 3; k++) {
                error[k] = distance_to(p, model, shares[k] * unit_of(p, model), &data->data, x);
                lost += !isfinite(error[k]);
                error[k] = isfinite(error[k]) ? error[k] : 0;
            }
            compared++;
            const bool away = error[2] > 1e-3; // another solution of an exact problem
            far += away;
            if (away)
                print_message("  problem %d: %.2e %.2e %.2e\n", id, error[0], error[1], error[2]);
            for (int k = 0; k < 3 && !away; k++)
                worst[k] = fmax(worst[k], error[k]);
        }
        free(x), free_direction(data), vs_derivative_destroy(derivative);
        free_outcome(&o), vs_problem_destroy(p), free_scene(&s), free_scene(&d);
    }
    print_message("  %s: %d of %d problems away from borders, %d elsewhere, %d lost: %.2e, %.2e, %.2e\n",
                  vs_model_name(model), compared, count, far, lost, worst[0], worst[1], worst[2]);
    assert_true(compared >= count / 4);
    assert_true(far == 0 && lost <= (model == VS_MODEL_EXACT ? 3 * (1 + count / 100) : 0));
    // In proportion to the gap, 1e-4 of it; a hundred times that for what is not proportional yet at the largest.
    assert_true(worst[1] < worst[0] && worst[2] < 1e-2 * worst[0]);
}

static void relaxed_limit(void **state) {
    check_limit(state, VS_MODEL_RELAXED, problems(), 300);
}
static void exact_limit(void **state) {
    check_limit(state, VS_MODEL_EXACT, problems(), 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(point_above_a_plane, set_up, tear_down),
        cmocka_unit_test_setup_teardown(relaxed_problems, set_up, tear_down),
        cmocka_unit_test_setup_teardown(exact_problems, set_up, tear_down),
        cmocka_unit_test_setup_teardown(relaxed_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(exact_limit, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
