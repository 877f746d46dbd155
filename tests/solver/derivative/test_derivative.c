// Derivatives of solutions.
//
//   closed forms     a sliding block, a box that is pushed on four redundant contacts
//   differences      random problems of all kinds, solved again with moved data: v, y always, impulses where they are unique
//   transposition    weights'(tangent of a direction) = (adjoint of the weights)'direction
//   borders          an incline at its threshold, a contact that just touches
//   matrices         problems with a general H (as of finite elements), an unsymmetric H or N
//   large            a pile whose island is solved by a sparse factor
//
// Tolerance of the differences: problems are solved to 1e-13, so that differences over 1e-4 of the data have errors of about
// 1e-9, and extrapolation leaves errors of the fourth order in the step. The tolerance 1e-6 is that of the promise.
#include "solver/derivative/differences.h"

static const double PROMISE = 1e-6, TRANSPOSED = 1e-12;
// m/s, of free motions of 1 to 3 m/s: differences over 1e-5 of solutions good to 1e-13 have errors of 1e-8, which a slower
// derivative would be compared with.
static const double SLOW = .05;

// ---- closed forms --------------------------------------------------------------------------------------

// A point of 2 kg slides along x at 3 m/s: v' = v - mu g h, so that dv'/dmu = -g h and dv'/dv = 1.
static void sliding_block(void **state) {
    const double mass = 2, mu = .3, h = time_step;
    scene s = {0};
    scene_body *body = add_body(&s, 3);
    for (int k = 0; k < 3; k++)
        body->H[4 * k] = mass;
    body->c[0] = -mass * 3, body->c[2] = mass * gravity * h;
    add_contact_at(&s, FRICTION, -1, 0, (double[3]){0, 0, 1}, (double[3]){0}, (double[3]){0}, mu);
    vs_problem *problem = must_build(context_of(state), &s);
    outcome o;
    vs_derivative *d = differentiate(problem, VS_MODEL_EXACT, 1e-6, &o);
    const vs_derivative_report report = vs_derivative_get_report(d);
    assert_int_equal(report.borders, 0);
    assert_int_equal(report.row[0], VS_ROW_HELD);
    assert_int_equal(report.row[1], VS_ROW_LIMIT);
    double v[3], l[3], residual;
    must(vs_derivative_tangent(d, &(vs_problem_direction){.mu = (double[]){1}},
                               &(vs_solution_direction){.v = v, .lambda = l}, &residual),
         context_of(state));
    assert_near("dv/dmu", v[0], -gravity * h, 1e-13);
    assert_near("dv_z/dmu", v[2], 0, 1e-13);
    assert_near("dl_n/dmu", l[0], 0, 1e-13);
    // c = -m v: dv'/dv = -m dv'/dc
    double c[3], mu_gradient[1];
    must(vs_derivative_adjoint(d, &(vs_solution_direction){.v = (double[]){1, 0, 0}},
                               &(vs_problem_gradient){.c = c, .mu = mu_gradient}, &residual),
         context_of(state));
    assert_near("dv/dv", -mass * c[0], 1, 1e-13);
    assert_near("dv/dc_z", c[2], -mu / mass, 1e-13); // more weight, more friction
    assert_near("dv/dmu", mu_gradient[0], -gravity * h, 1e-13);
    vs_derivative_destroy(d);
    free_outcome(&o), vs_problem_destroy(problem), free_scene(&s);
}

// A box at rest on four corners: no velocity changes with its weight, and by least norm each corner takes a quarter.
static void redundant_box(void **state) {
    const double half[3] = {.5, .5, .25}, v_free[6] = {.02, 0, -.1};
    scene s = make_box(2, half, .4, v_free);
    vs_problem *problem = must_build(context_of(state), &s);
    outcome o;
    vs_derivative *d = differentiate(problem, VS_MODEL_EXACT, 1e-6, &o);
    const vs_derivative_report report = vs_derivative_get_report(d);
    assert_int_equal(report.unknowns, 12);
    assert_int_equal(report.rank, 6);
    assert_true(report.flags[0] & VS_DERIVATIVE_REDUNDANT);
    double v[6], l[12], residual;
    must(vs_derivative_tangent(d, &(vs_problem_direction){.c = (double[]){0, 0, 1, 0, 0, 0}},
                               &(vs_solution_direction){.v = v, .lambda = l}, &residual),
         context_of(state));
    assert_true(residual < 1e-12);
    for (int k = 0; k < 6; k++)
        assert_near("dv", v[k], 0, 1e-13);
    for (int k = 0; k < 4; k++)
        assert_near("dl_n", l[3 * k], .25, 1e-12);
    // Four corners cannot all stay on a floor that is bent: there is no derivative, and the residual says so.
    double b[12] = {[0] = 1, [9] = 1};
    must(vs_derivative_tangent(d, &(vs_problem_direction){.b = b}, &(vs_solution_direction){.v = v}, &residual),
         context_of(state));
    assert_true(residual > .1);
    vs_derivative_destroy(d);
    free_outcome(&o), vs_problem_destroy(problem), free_scene(&s);
}

// ---- problems from matrices ----------------------------------------------------------------------------

static void problems_from_matrices(void **state) {
    double worst = 0, transposed = 0;
    int flagged = 0;
    enum { KINDS = 3, EACH = 12 };
    for (int k = 0; k < KINDS * EACH; k++) {
        const uint64_t seed = 100 + (uint64_t)k;
        vs_problem *p = k % KINDS == 2 ? make_local(context_of(state), seed)
                                       : make_general(context_of(state), k % KINDS == 1, seed);
        const matrix_check found = check_vectors(p, seed);
        transposed = fmax(transposed, found.transposed);
        assert_true(found.solved);
        flagged += found.report.borders > 0;
        worst = fmax(worst, found.error);
        vs_problem_destroy(p);
    }
    print_message("  %d problems, %d flagged: worst %.2e; transposition %.2e\n", KINDS * EACH, flagged, worst,
                  transposed);
    assert_true(worst <= PROMISE && transposed <= TRANSPOSED);
    assert_true(flagged <= KINDS * EACH / 4);
}

// A pile of spheres, whose one island has more unknowns than are decomposed.
static void large_island(void **state) {
    scene s = make_pile(6, 6, 7, .4, 3);
    vs_problem *p = must_build(context_of(state), &s);
    const matrix_check found = check_vectors(p, 3);
    print_message("  %d unknowns, rank %d, %d borders: error %.2e, of velocities %.2e; transposition %.2e\n",
                  found.report.unknowns, found.report.rank, found.report.borders, found.error, found.velocity_error,
                  found.transposed);
    assert_true(found.report.unknowns > 600);
    assert_true(found.solved && found.report.borders == 0);
    assert_true(found.velocity_error <= PROMISE && found.transposed <= TRANSPOSED);
    vs_problem_destroy(p), free_scene(&s);
}

// ---- borders -------------------------------------------------------------------------------------------

static void check_border(void **state, const double v_free[3], double mu, bool border, vs_row_status normal,
                         vs_row_status across) {
    scene s = {0};
    scene_body *body = add_body(&s, 3);
    for (int k = 0; k < 3; k++)
        body->H[4 * k] = 1, body->c[k] = -v_free[k];
    add_contact_at(&s, FRICTION, -1, 0, (double[3]){0, 0, 1}, (double[3]){0}, (double[3]){0}, mu);
    vs_problem *problem = must_build(context_of(state), &s);
    outcome o;
    vs_derivative *d = differentiate(problem, VS_MODEL_EXACT, 1e-6, &o);
    const vs_derivative_report report = vs_derivative_get_report(d);
    assert_int_equal((report.flags[0] & VS_DERIVATIVE_BORDER) != 0, border);
    assert_int_equal(report.borders, border);
    assert_int_equal(report.row[0], normal);
    assert_int_equal(report.row[1], across);
    vs_derivative_destroy(d);
    free_outcome(&o), vs_problem_destroy(problem), free_scene(&s);
}

static void borders_are_flagged(void **state) {
    check_border(state, (double[]){.25, 0, -1}, .5, false, VS_ROW_HELD, VS_ROW_HELD);
    check_border(state, (double[]){.75, 0, -1}, .5, false, VS_ROW_HELD, VS_ROW_LIMIT);
    check_border(state, (double[]){.5, 0, -1}, .5, true, VS_ROW_HELD, VS_ROW_HELD); // an incline at its threshold
    check_border(state, (double[]){.1, 0, 1}, .5, false, VS_ROW_OPEN, VS_ROW_OPEN);
    check_border(state, (double[]){.1, 0, 0}, .5, true, VS_ROW_OPEN, VS_ROW_OPEN); // it just touches
}

// ---- differences ---------------------------------------------------------------------------------------

typedef struct tally {
    int problems, unsolved, flagged, redundant, moved, compared;
    int vague; // of those compared
    double worst, transposed;
    double worst_vague; // of what the differences know
} tally;

typedef struct trial_case {
    const scene *s, *d;
    vs_model model;
    const vs_problem *problem;
    const outcome *o;
    const vs_row_status *row;
    int size; // of a point's x
} trial_case;

// (x(h) - x(-h)) / 2h. False: a status changes in between, or the solver did not get there.
static bool find_difference(const trial_case *t, double h, double *out) {
    point p[2];
    bool good = true;
    for (int k = 0; k < 2; k++) {
        scene moved = move_scene(t->s, t->d, k ? -h : h);
        vs_problem *problem = must_build(t->problem->context, &moved);
        p[k] = solve_point(problem, t->model, t->o);
        good = good && p[k].solved && memcmp(p[k].status, t->row, (size_t)problem->m * sizeof *t->row) == 0;
        vs_problem_destroy(problem);
        free_scene(&moved);
    }
    for (int i = 0; i < t->size; i++)
        out[i] = (p[0].x[i] - p[1].x[i]) / (2 * h);
    free_point(&p[0]), free_point(&p[1]);
    return good;
}

// The extrapolated difference at length h: errors of h^4, and those of the solutions over h.
static bool extrapolate_difference(const trial_case *t, double h, double *wide, double *half) {
    if (!find_difference(t, h, wide) || !find_difference(t, h / 2, half))
        return false;
    for (int i = 0; i < t->size; i++)
        half[i] = (4 * half[i] - wide[i]) / 3;
    return true;
}

// Of the lengths 1e-2, 3e-3, ..., 1e-6 the one whose extrapolated difference agrees best with that of the length before (Ridders
// 1982), and by how much it does: what the differences know, and a property of them alone. The first one that agrees to a
// thirtieth of the promise ends the search. NaN: there are no two of them.
static double find_best(const trial_case *t, int count, double *best) {
    double least = INFINITY, *wide = make_doubles(t->size), *now = make_doubles(t->size),
           *before = make_doubles(t->size);
    bool any = false;
    for (double h = 1e-2; h > 5e-7; h /= sqrt(10)) {
        if (!extrapolate_difference(t, h, wide, now))
            continue;
        const double change = any ? distance(now, before, count) : INFINITY;
        if (change < least)
            memcpy(best, now, (size_t)t->size * sizeof *best);
        least = fmin(least, change);
        memcpy(before, now, (size_t)t->size * sizeof *now);
        any = true;
        if (least <= PROMISE / 30 * distance(best, NULL, count))
            break;
    }
    free(wide), free(now), free(before);
    return isfinite(least) ? least : NAN;
}

// Differences that know less than a quarter of the promise are vague: solutions of a large condition, and statuses that change
// nearby. They are compared with what they know.
static void compare_with_differences(const trial_case *t, const double *x, bool redundant, int id, tally *sum) {
    const vs_problem *p = t->problem;
    const int count = redundant ? p->n + p->m : t->size;
    double *best = make_doubles(t->size);
    const double known = find_best(t, count, best);
    if (isfinite(known)) {
        const double size = fmax(distance(best, NULL, count), SLOW), error = distance(x, best, count) / size;
        const bool vague = known / size > PROMISE / 4;
        if (error > PROMISE)
            print_message("  problem %d: relative error %.2e of %.2e, differences known to %.2e\n", id, error, size,
                          known / size);
        sum->compared++;
        sum->vague += vague;
        *(vague ? &sum->worst_vague : &sum->worst) =
            fmax(vague ? sum->worst_vague : sum->worst, vague ? error / (known / size) : error);
    } else {
        sum->moved++;
    }
    free(best);
}

static void check_scene(vs_context *context, const scene *s, const scene *d, vs_model model, int id, tally *sum) {
    vs_problem *problem = must_build(context, s);
    outcome o;
    vs_derivative *derivative = differentiate(problem, model, 1e-5, &o);
    const vs_derivative_report r = vs_derivative_get_report(derivative);
    sum->problems++;
    if (r.measures.relative_error > 1e-12) {
        sum->unsolved++;
    } else {
        trial_case t = {s, d, model, problem, &o, r.row, problem->n + 2 * problem->m + problem->m_e};
        data_direction *data = express_direction(problem, d);
        double *x = make_doubles(t.size), residual;
        const int n = problem->n, m = problem->m;
        const vs_solution_direction out = {.v = x, .y = x + n, .g = x + n + m, .lambda = x + n + m + problem->m_e};
        must(vs_derivative_tangent(derivative, &data->data, &out, &residual), context);
        sum->transposed = fmax(sum->transposed, transposition_error(derivative, data, &o, x, (uint64_t)id));
        sum->redundant += r.rank < r.unknowns;
        if (r.borders > 0 || residual > 1e-8)
            sum->flagged++;
        else
            compare_with_differences(&t, x, r.rank < r.unknowns, id, sum);
        free(x), free_direction(data);
    }
    vs_derivative_destroy(derivative);
    free_outcome(&o), vs_problem_destroy(problem);
}

static void check_family(void **state, vs_model model, int count, uint64_t seed) {
    tally sum = {0};
    for (int id = 0; id < count; id++) {
        scene s = make_case(id, seed + (uint64_t)id);
        scene d = make_direction(&s, has_doubles(id), seed + (uint64_t)id);
        check_scene(context_of(state), &s, &d, model, id, &sum);
        free_scene(&s), free_scene(&d);
    }
    print_message(
        "  %s: %d problems, %d not solved to 1e-12, %d flagged, %d with redundant impulses, %d change within the least "
        "step, %d compared: worst %.2e, but for %d vague ones, worst %.1f of what their differences know; "
        "transposition %.2e\n",
        vs_model_name(model), sum.problems, sum.unsolved, sum.flagged, sum.redundant, sum.moved, sum.compared,
        sum.worst, sum.vague, sum.worst_vague, sum.transposed);
    assert_true(sum.worst <= PROMISE && sum.worst_vague <= 4 && sum.vague <= 1 + count / 200);
    assert_true(sum.transposed <= TRANSPOSED);
    assert_true(sum.compared >= count * 8 / 10);
}

enum { COUNT = VS_SHORT ? 48 : 480 };

static int problems(void) {
    const char *asked = getenv("DERIVATIVE_PROBLEMS");
    return asked ? atoi(asked) : COUNT;
}

// Other problems than those of every run.
static uint64_t first_seed(void) {
    const char *asked = getenv("DERIVATIVE_SEED");
    return asked ? strtoull(asked, NULL, 10) : 0;
}

static void exact_problems(void **state) {
    check_family(state, VS_MODEL_EXACT, problems(), first_seed() + 1000);
}
static void relaxed_problems(void **state) {
    check_family(state, VS_MODEL_RELAXED, problems() / 4, first_seed() + 5000000);
}
static void frictionless_problems(void **state) {
    check_family(state, VS_MODEL_FRICTIONLESS, problems() / 8, first_seed() + 9000000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sliding_block, set_up, tear_down),
        cmocka_unit_test_setup_teardown(redundant_box, set_up, tear_down),
        cmocka_unit_test_setup_teardown(borders_are_flagged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(problems_from_matrices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(large_island, set_up, tear_down),
        cmocka_unit_test_setup_teardown(exact_problems, set_up, tear_down),
        cmocka_unit_test_setup_teardown(relaxed_problems, set_up, tear_down),
        cmocka_unit_test_setup_teardown(frictionless_problems, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
