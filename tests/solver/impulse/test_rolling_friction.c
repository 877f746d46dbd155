// Rolling and spinning friction in every solver that handles it: one contact by itself, random problems of contacts with 3
// to 6 rows, frictionless contacts, joints and boxes; each solver's velocities against the others'; methods that do not
// handle these contacts say so.
#include <time.h>

#include "solver/exact.h"
#include "solver/impulse/one_rolling.h"

enum {
    EXACT_PROBLEMS = VS_SHORT ? 40 : 500,
    AGREEMENT_PROBLEMS = VS_SHORT ? 20 : 200,
    ELLIPTIC_PROBLEMS = VS_SHORT ? 10 : 60
};

// ---- one contact ---------------------------------------------------------------------------------------

static void draw_contact(uint64_t *seed, int trial, vs_discs *d, double *A, double *q) {
    *d = trial % 5 == 0 ? vs_discs_make_elliptic(4 + trial % 3) : vs_discs_make(4 + trial % 3);
    for (int k = 0; k < VS_DISC_COUNT; k++) {
        int first;
        if (vs_discs_range(d, k, &first) > 0)
            d->mu[k] = pow(10, random_in(seed, -2, .5));
    }
    double G[36];
    for (int k = 0; k < 36; k++)
        G[k] = random_in(seed, -1, 1);
    for (int i = 0; i < 6; i++) {
        q[i] = random_in(seed, -1, 1);
        for (int j = 0; j < 6; j++) {
            A[6 * i + j] = i == j ? (trial % 2 ? .1 : 1e-3) : 0;
            for (int k = 0; k < 6; k++)
                A[6 * i + j] += G[6 * i + k] * G[6 * j + k] / 3;
        }
    }
}

static void one_contact_is_solved_to_roundoff(void **state) {
    (void)state;
    for (int trial = 0; trial < 8000; trial++) {
        uint64_t seed = 1 + (uint64_t)trial;
        vs_discs d;
        double A[36], q[6], l[6] = {0}, y[6] = {0}, F[6], size = 0, error = 0;
        bool exact = trial % 4 < 2;
        draw_contact(&seed, trial, &d, A, q);
        assert_true(vs_one_rolling_solve(&d, A, 6, q, exact, l));
        for (int i = 0; i < d.rows; i++) {
            y[i] = q[i];
            for (int j = 0; j < d.rows; j++)
                y[i] += A[6 * i + j] * l[j];
            size += l[i] * l[i] + q[i] * q[i];
        }
        vs_rolling_map(&d, exact, l, y, F, NULL, NULL, 6);
        for (int i = 0; i < d.rows; i++)
            error += F[i] * F[i];
        assert_true(error <= 1e-28 * size);
        // Every disc dissipates, up to the rounding of l and y.
        for (int k = 0; k < VS_DISC_COUNT; k++) {
            int first, rows = vs_discs_range(&d, k, &first);
            double work = 0;
            for (int i = first; i < first + rows; i++)
                work += l[i] * y[i];
            assert_true(work <= 1e-13 * size);
        }
    }
}

static double natural_error(const vs_discs *d, const double *A, const double *q, const double *l) {
    double y[6] = {0}, F[6], size = 0, error = 0;
    for (int i = 0; i < d->rows; i++) {
        y[i] = q[i];
        for (int j = 0; j < d->rows; j++)
            y[i] += A[6 * i + j] * l[j];
        size += l[i] * l[i] + q[i] * q[i];
    }
    vs_rolling_map(d, true, l, y, F, NULL, NULL, 6);
    for (int i = 0; i < d->rows; i++)
        error += F[i] * F[i];
    return sqrt(error / size);
}

// Seconds of the processor for contacts of six rows, of which the last three, those of rolling, are `small` times as large as the
// others: with separate discs, or one for all.
static double solve_contacts(bool elliptic, double small) {
    enum { TRIALS = 400 };
    const double scale[6] = {1, 1, 3, .3 * small, .01 * small, small};
    const clock_t begin = clock();
    for (int trial = 0; trial < TRIALS; trial++) {
        uint64_t seed = 50000 + (uint64_t)trial;
        vs_discs d;
        double A[36], q[6], l[6] = {0};
        draw_contact(&seed, 0, &d, A, q);
        d = elliptic ? vs_discs_make_elliptic(6) : vs_discs_make(6);
        d.mu[0] = d.mu[1] = d.mu[2] = 1, q[0] = -fabs(q[0]);
        for (int i = 0; i < 6; i++) {
            q[i] *= scale[i];
            for (int j = 0; j < 6; j++)
                A[6 * i + j] *= scale[i] * scale[j];
        }
        assert_true(vs_one_rolling_solve(&d, A, 6, q, true, l));
        assert_true(natural_error(&d, A, q, l) <= 1e-13);
    }
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

// Wheels with a rolling friction of 0.1 mm have rows that are 1e-4 times as large as those of sliding. They are solved as well, and
// as fast as separate limits without such rows (a bisection within a bisection takes 20 times as long: 8 of the latter).
static void rows_of_very_different_sizes_are_solved(void **state) {
    (void)state;
    const double usual = solve_contacts(false, 1), wheels = solve_contacts(true, 1e-4);
    print_message("%.3g s, with small rows %.3g s\n", usual, wheels);
    assert_true(wheels <= 2 * usual);
}

// ---- problems ------------------------------------------------------------------------------------------

static scene make_mixed(int id) {
    recipe r = {.seed = 9000 + (uint64_t)id, .bodies = 2 + id % 9, .dofs = 6, .friction = 3 + id % 11, .mu = .8};
    r.rolling = id % 4 == 0 ? .05 : .5; // m, beside arms of 1 m
    r.smooth = id % 3, r.joints = id % 5 == 1 ? 2 : 0, r.bounds = id % 7 == 2 ? 2 : 0;
    r.compliant = id % 6 == 5;
    scene s = make_random(&r);
    if (id % 8 == 3)
        duplicate_links(&s, FRICTION); // redundant: impulses are not unique
    return s;
}

static void exact_friction_meets_the_natural_map(void **state) {
    int failed = 0;
    double worst = 0;
    for (int id = 0; id < EXACT_PROBLEMS; id++) {
        scene s = make_mixed(id);
        vs_solver_options options = strict_options(1e-10);
        outcome o = solve_scene(context_of(state), &s, &options);
        if (o.error || o.status != VS_STATUS_CONVERGED) {
            failed++;
            print_message("  problem %d: %s, error %.2e, natural map %.2e\n", id,
                          o.error ? vs_error_name(o.error) : vs_status_name(o.status), o.measures.relative_error,
                          o.measures.natural_map_relative);
        } else {
            worst = fmax(worst, o.measures.natural_map_relative);
        }
        free_outcome(&o);
        free_scene(&s);
    }
    print_message("%d problems, %d failed, largest natural map %.1e\n", EXACT_PROBLEMS, failed, worst);
    assert_int_equal(failed, 0);
}

// Sweeps cost a hundredth of a factorization there: the central path took half a minute for what they do in seconds.
static void a_large_pile_is_swept(void **state) {
    const int side = 5;
    scene s = make_pile(side, side, 20, .5, 11);
    for (int k = 0; k < s.links; k++)
        add_rotation_rows(&s, &s.link[k], .01, .01);
    vs_solver_options options = vs_solver_options_default();
    options.model = VS_MODEL_EXACT, options.tolerance = 1e-6, options.criterion = VS_CRITERION_ENERGY;
    outcome o = solve_scene(context_of(state), &s, &options);
    print_message("  %d contacts: %d iterations, %d factorizations\n", s.links, o.iterations, o.factorizations);
    assert_converged("rolling pile", &o);
    assert_true(s.links > 1000 && o.iterations > 100); // in packs; sweeps one by one would take thousands
    assert_int_equal(o.factorizations, 0);
    free_outcome(&o);
    free_scene(&s);
}

static const struct {
    vs_method method;
    vs_form form;
    const char *name;
} ways[] = {
    {VS_METHOD_IPM, VS_FORM_VELOCITY, "ipm, velocity"},
    {VS_METHOD_IPM, VS_FORM_AUGMENTED, "ipm, augmented"},
    {VS_METHOD_IPM, VS_FORM_IMPULSE, "ipm, impulse"},
    {VS_METHOD_ADMM, VS_FORM_AUTO, "admm"},
    {VS_METHOD_APGD, VS_FORM_AUTO, "apgd"},
    {VS_METHOD_SPG, VS_FORM_AUTO, "spg"},
    {VS_METHOD_GAUSS_SEIDEL, VS_FORM_AUTO, "gauss-seidel"},
    {VS_METHOD_JACOBI, VS_FORM_AUTO, "jacobi"},
};
enum { WAYS = sizeof ways / sizeof *ways, IPM_WAYS = 3 };

// The relaxed model has one v. Energy errors of 1e-11 leave 1e-9 of it, times the condition of the contacts.
static void convex_methods_find_the_same_velocities(void **state) {
    double worst = 0;
    int compared[WAYS] = {0}, short_of = 0;
    for (int id = 0; id < AGREEMENT_PROBLEMS; id++) {
        scene s = make_mixed(id);
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = make_options(1e-11);
        outcome ref = {0};
        for (int k = 0; k < WAYS; k++) {
            options.method = ways[k].method, options.form = ways[k].form;
            options.max_iterations = k < IPM_WAYS ? -1 : 20000;
            outcome o = solve_problem(problem, &options);
            assert_int_equal(o.error, VS_OK);
            bool done = o.status == VS_STATUS_CONVERGED;
            // With contacts given twice roundoff may end an interior point a digit or two short of the tolerance.
            if (!done && k < IPM_WAYS) {
                short_of++;
                done = o.measures.relative_error <= 1e-9;
                assert_true(done);
            }
            if (done && ref.v) {
                double difference = largest_difference(o.v, ref.v, o.n) / fmax(largest(ref.v, o.n), 1e-300);
                worst = fmax(worst, difference);
                compared[k]++;
            } else if (done) {
                ref = o;
                continue;
            }
            free_outcome(&o);
        }
        free_outcome(&ref);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
    print_message("largest difference %.1e; %d interior points short of the tolerance; compared:", worst, short_of);
    for (int k = 0; k < WAYS; k++)
        print_message(" %s %d", ways[k].name, compared[k]);
    print_message("\n");
    assert_true(worst <= 1e-8);
    assert_true(short_of <= AGREEMENT_PROBLEMS / 20);
    for (int k = 1; k < IPM_WAYS; k++)
        assert_int_equal(compared[k], AGREEMENT_PROBLEMS);
    int first_order = 0;
    for (int k = IPM_WAYS; k < WAYS; k++)
        first_order += compared[k];
    assert_true(first_order >= 2 * AGREEMENT_PROBLEMS);
}

// Further cones, but hardly more iterations than without their rows.
static void interior_points_need_few_more_iterations(void **state) {
    int with = 0, without = 0;
    for (int id = 0; id < 50; id++) {
        scene s = make_mixed(id), plain = copy_scene(&s);
        for (int k = 0; k < plain.links; k++)
            if (plain.link[k].kind == FRICTION)
                plain.link[k].rows = 3, plain.link[k].rolling = plain.link[k].spinning = 0;
        vs_solver_options options = make_options(1e-10);
        options.method = VS_METHOD_IPM;
        outcome a = solve_scene(context_of(state), &s, &options), b = solve_scene(context_of(state), &plain, &options);
        with += a.iterations, without += b.iterations;
        free_outcome(&a);
        free_outcome(&b);
        free_scene(&s);
        free_scene(&plain);
    }
    print_message("%d iterations, with three rows %d\n", with, without);
    assert_true(with <= 1.5 * without);
}

// Rolling or spinning friction without sliding friction: the cone has an interior in fewer rows.
static void contacts_may_roll_without_sliding_friction(void **state) {
    for (int id = 0; id < 30; id++) {
        scene s = make_mixed(id);
        for (int k = 0; k < s.links; k++)
            if (k % 2 || id % 2)
                s.link[k].mu = 0;
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = make_options(1e-10);
        options.method = VS_METHOD_IPM;
        outcome ref = solve_problem(problem, &options);
        assert_converged("ipm", &ref);
        for (int k = 1; k < WAYS; k++) {
            options.method = ways[k].method, options.form = ways[k].form;
            options.max_iterations = k < IPM_WAYS ? -1 : 5000;
            outcome o = solve_problem(problem, &options);
            assert_int_equal(o.error, VS_OK);
            if (o.status == VS_STATUS_CONVERGED)
                assert_true(largest_difference(o.v, ref.v, o.n) <= 1e-7 * fmax(largest(ref.v, o.n), 1e-300));
            free_outcome(&o);
        }
        free_outcome(&ref);
        vs_solver_options exact = strict_options(1e-8);
        outcome o = solve_problem(problem, &exact);
        assert_converged("exact", &o);
        free_outcome(&o);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
}

// One limit for sliding, rolling and spinning: exact to 1e-10, methods that project agree on the relaxed model, and those
// that do not handle it say so.
static void elliptic_friction_is_solved(void **state) {
    const vs_method methods[] = {VS_METHOD_ADMM, VS_METHOD_APGD, VS_METHOD_GAUSS_SEIDEL, VS_METHOD_JACOBI,
                                 VS_METHOD_AUTO};
    enum { METHODS = sizeof methods / sizeof *methods };
    int compared = 0;
    for (int id = 0; id < ELLIPTIC_PROBLEMS; id++) {
        scene s = make_mixed(id);
        for (int k = 0; k < s.links; k++)
            s.link[k].elliptic = k % 3 != 2;
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = strict_options(1e-10);
        outcome o = solve_problem(problem, &options), ref = {0};
        assert_converged("exact", &o);
        free_outcome(&o);
        options = make_options(1e-11);
        options.method = VS_METHOD_IPM;
        o = solve_problem(problem, &options);
        assert_int_equal(o.error, VS_ERROR_UNSUPPORTED);
        assert_non_null(strstr(vs_context_get_error_text(context_of(state)), "elliptic"));
        options.max_iterations = 5000;
        for (int k = 0; k < METHODS; k++) {
            options.method = methods[k];
            o = solve_problem(problem, &options);
            assert_int_equal(o.error, VS_OK);
            if (o.status == VS_STATUS_CONVERGED && !ref.v) {
                ref = o;
                continue;
            }
            if (o.status == VS_STATUS_CONVERGED) {
                assert_true(largest_difference(o.v, ref.v, o.n) <= 1e-8 * fmax(largest(ref.v, o.n), 1e-300));
                compared++;
            }
            free_outcome(&o);
        }
        free_outcome(&ref);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
    print_message("%d of %d comparisons\n", compared, (METHODS - 1) * ELLIPTIC_PROBLEMS);
    assert_true(compared >= 3 * ELLIPTIC_PROBLEMS);
}

static void other_methods_say_that_they_do_not_handle_it(void **state) {
    scene s = make_mixed(1);
    vs_problem *problem = must_build(context_of(state), &s);
    const vs_method none[] = {VS_METHOD_BARRIER, VS_METHOD_LEMKE};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        vs_solver_options options = make_options(1e-8);
        options.method = none[k];
        outcome o = solve_problem(problem, &options);
        assert_int_equal(o.error, VS_ERROR_UNSUPPORTED);
        if (k < 1)
            assert_non_null(strstr(vs_context_get_error_text(context_of(state)), "rolling"));
        options.model = VS_MODEL_FRICTIONLESS; // which has no such rows
        o = solve_problem(problem, &options);
        assert_int_equal(o.error, VS_OK);
        free_outcome(&o);
    }
    vs_problem_destroy(problem);
    free_scene(&s);
}

// Other units of mass and length: the same solution, the same iterations.
static void units_do_not_matter(void **state) {
    for (int id = 0; id < 10; id++) {
        scene s = make_mixed(id), other = copy_scene(&s);
        const double mass = 0x1p20, length = 0x1p-10; // exact in binary
        scale_units(&other, mass, length);
        vs_solver_options options = strict_options(1e-8);
        options.criterion = VS_CRITERION_ENERGY;
        outcome a = solve_scene(context_of(state), &s, &options), b = solve_scene(context_of(state), &other, &options);
        assert_converged("metres", &a);
        assert_converged("other units", &b);
        assert_int_equal(a.iterations, b.iterations);
        for (int j = 0; j < a.n; j++) {
            double unit = j % 6 < 3 ? length : 1;
            assert_true(fabs(a.v[j] * unit - b.v[j]) <= 1e-6 * unit * largest(a.v, a.n));
        }
        free_outcome(&a);
        free_outcome(&b);
        free_scene(&s);
        free_scene(&other);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_is_solved_to_roundoff),
        cmocka_unit_test(rows_of_very_different_sizes_are_solved),
        cmocka_unit_test(exact_friction_meets_the_natural_map),
        cmocka_unit_test(a_large_pile_is_swept),
        cmocka_unit_test(convex_methods_find_the_same_velocities),
        cmocka_unit_test(interior_points_need_few_more_iterations),
        cmocka_unit_test(contacts_may_roll_without_sliding_friction),
        cmocka_unit_test(elliptic_friction_is_solved),
        cmocka_unit_test(other_methods_say_that_they_do_not_handle_it),
        cmocka_unit_test(units_do_not_matter),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
