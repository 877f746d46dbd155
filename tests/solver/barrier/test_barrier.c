// The log barrier on the impulses: its derivatives against differences, its linear systems against dense ones, its
// solutions against the interior point's.
#include "solver/parts.h"
#include "solver/impulse/operator.h"
#include "solver/barrier/barrier_system.h"

// ---- a problem as the method sees it ---------------------------------------------------------------------------

typedef struct barrier_parts {
    vs_problem *problem; // owned
    vs_arena arena;
    vs_method_run run;
    vs_impulse_run impulses;
    vs_barrier_limits limits;
    double *l, *c, *p; // a point strictly inside
} barrier_parts;

static barrier_parts *take_barrier_apart(vs_problem *problem, const vs_solver_options *options, uint64_t seed) {
    barrier_parts *b = calloc(1, sizeof *b);
    b->problem = problem;
    vs_arena_init(&b->arena, problem->context);
    assert_int_equal(vs_method_run_create(&b->run, problem, options, &b->arena), VS_OK);
    assert_int_equal(vs_impulse_run_create(&b->impulses, &b->run, &b->arena), VS_OK);
    assert_int_equal(vs_barrier_limits_create(&b->limits, b->impulses.problem, &b->arena), VS_OK);
    b->l = make_doubles(b->impulses.problem->rows);
    b->c = make_doubles(b->limits.count);
    b->p = make_doubles(b->limits.count);
    for (int k = 0; k < b->impulses.problem->rows; k++)
        b->l[k] = random_in(&seed, -1, 1);
    vs_barrier_push(&b->limits, .1, .9, b->l);
    assert_true(vs_barrier_values(&b->limits, b->l, b->c));
    for (int i = 0; i < b->limits.count; i++)
        b->p[i] = pow(10, random_in(&seed, -2, 2));
    return b;
}

static void put_barrier_away(barrier_parts *b) {
    free(b->l), free(b->c), free(b->p);
    vs_method_run_release(&b->run);
    vs_arena_release(&b->arena);
    vs_problem_destroy(b->problem);
    free(b);
}

// Something of everything; joints are not redundant, so that directions are unique.
static scene make_mixed(uint64_t seed) {
    recipe r = {.seed = seed, .bodies = 6, .dofs = 6, .friction = 7, .smooth = 3, .joints = 2, .bounds = 2, .mu = .7};
    r.compliant = seed % 2;
    return make_random(&r);
}

// ---- derivatives -----------------------------------------------------------------------------------------------

// c is quadratic: central differences are exact but for rounding, 1e-16 / step = 1e-13 of numbers of size one.
static const double difference_step = 1e-3, difference_error = 1e-11;

static void gradient_of_the_constraints_is_their_difference(void **state) {
    scene s = make_mixed(1);
    vs_solver_options options = make_options(1e-8);
    barrier_parts *b = take_barrier_apart(must_build(context_of(state), &s), &options, 5);
    int rows = b->impulses.problem->rows, count = b->limits.count;
    double *above = make_doubles(count), *below = make_doubles(count), *unit = make_doubles(rows),
           *slope = make_doubles(count), *column = make_doubles(rows);
    for (int k = 0; k < rows; k++) {
        double keep = b->l[k];
        unit[k] = 1;
        vs_barrier_slopes(&b->limits, b->l, unit, slope);
        b->l[k] = keep + difference_step;
        vs_barrier_values(&b->limits, b->l, above);
        b->l[k] = keep - difference_step;
        vs_barrier_values(&b->limits, b->l, below);
        b->l[k] = keep;
        unit[k] = 0;
        for (int i = 0; i < count; i++)
            assert_true(fabs((above[i] - below[i]) / (2 * difference_step) - slope[i]) < difference_error);
    }
    // B' is the transpose of B
    for (int i = 0; i < count; i++) {
        memset(slope, 0, sizeof *slope * (size_t)count), memset(column, 0, sizeof *column * (size_t)rows);
        slope[i] = 1;
        vs_barrier_gradient_add(&b->limits, b->l, slope, column);
        for (int k = 0; k < rows; k++) {
            unit[k] = 1;
            vs_barrier_slopes(&b->limits, b->l, unit, above);
            unit[k] = 0;
            assert_true(column[k] == above[i]);
        }
    }
    free(above), free(below), free(unit), free(slope), free(column);
    put_barrier_away(b);
    free_scene(&s);
}

static void hessian_of_the_constraints_is_the_difference_of_gradients(void **state) {
    scene s = make_mixed(2);
    vs_solver_options options = make_options(1e-8);
    barrier_parts *b = take_barrier_apart(must_build(context_of(state), &s), &options, 6);
    int rows = b->impulses.problem->rows;
    double *above = make_doubles(rows), *below = make_doubles(rows);
    for (int k = 0; k < rows; k++) {
        double keep = b->l[k], M[3];
        int g = b->impulses.problem->group_of[k];
        memset(above, 0, sizeof *above * (size_t)rows), memset(below, 0, sizeof *below * (size_t)rows);
        b->l[k] = keep + difference_step;
        vs_barrier_gradient_add(&b->limits, b->l, b->p, above);
        b->l[k] = keep - difference_step;
        vs_barrier_gradient_add(&b->limits, b->l, b->p, below);
        b->l[k] = keep;
        vs_barrier_hessian(&b->limits, g, b->p, M);
        for (int j = 0; j < rows; j++) {
            double expected = j == k ? M[k - b->impulses.problem->row[g]] : 0; // multipliers up to 100
            assert_true(fabs((above[j] - below[j]) / (2 * difference_step) - expected) < 1e2 * difference_error);
        }
    }
    free(above), free(below);
    put_barrier_away(b);
    free_scene(&s);
}

// G from its spectrum against M - B'C^-1 B as written, and positive although M is not.
static void block_of_the_barrier_is_its_definition_and_positive(void **state) {
    int indefinite = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t random = seed;
        scene s = make_mixed(seed);
        vs_solver_options options = make_options(1e-8);
        barrier_parts *b = take_barrier_apart(must_build(context_of(state), &s), &options, seed);
        for (int g = 0; g < b->impulses.problem->groups; g++) {
            double G[9], M[3], B[6], written[9] = {0};
            int rows = b->impulses.problem->row[g + 1] - b->impulses.problem->row[g], first = b->limits.first[g];
            vs_barrier_block(&b->limits, g, b->l, b->c, b->p, G);
            vs_barrier_hessian(&b->limits, g, b->p, M);
            vs_barrier_jacobian(&b->limits, g, b->l, B);
            double size = 0, form = 0, x[3];
            for (int i = 0; i < rows; i++) {
                x[i] = random_in(&random, -1, 1);
                written[4 * i] = M[i];
                indefinite += M[i] < 0;
            }
            for (int c = first; c < b->limits.first[g + 1]; c++)
                for (int i = 0; i < rows; i++)
                    for (int j = 0; j < rows; j++)
                        written[3 * i + j] -= B[3 * (c - first) + i] * B[3 * (c - first) + j] * b->p[c] / b->c[c];
            for (int k = 0; k < 9; k++)
                size = fmax(size, fabs(written[k]));
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < rows; j++) {
                    // the definition cancels: rounding of its largest part
                    assert_true(fabs(G[3 * i + j] - written[3 * i + j]) <= 1e-13 * size);
                    form += x[i] * G[3 * i + j] * x[j];
                }
            assert_true(b->impulses.problem->law[g] == VS_LAW_FREE ? form == 0 : form > 0);
        }
        put_barrier_away(b);
        free_scene(&s);
    }
    assert_true(indefinite > 0);
}

static void step_ends_on_the_boundary(void **state) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        scene s = make_mixed(seed);
        vs_solver_options options = make_options(1e-8);
        barrier_parts *b = take_barrier_apart(must_build(context_of(state), &s), &options, seed);
        int rows = b->impulses.problem->rows;
        double *dl = make_doubles(rows), *l = make_doubles(rows), *c = make_doubles(b->limits.count);
        for (int round = 0; round < 20; round++) {
            uint64_t random = 100 * seed + (uint64_t)round;
            for (int k = 0; k < rows; k++)
                dl[k] = random_in(&random, -1, 1) * pow(10, round - 10);
            double step = vs_barrier_step(&b->limits, b->l, dl, b->c, 1);
            assert_true(step > 0 && step <= 1);
            // a millionth before it is inside; behind it is not, unless the cap ended it
            for (int side = 0; side < 2; side++) {
                for (int k = 0; k < rows; k++)
                    l[k] = b->l[k] + (1 + (side ? 1e-6 : -1e-6)) * step * dl[k];
                assert_true(vs_barrier_values(&b->limits, l, c) == !side || (side && step == 1));
            }
        }
        free(dl), free(l), free(c);
        put_barrier_away(b);
        free_scene(&s);
    }
}

// ---- linear systems --------------------------------------------------------------------------------------------

// The unreduced matrix, dense; columns of N by products.
static double *dense_system(const barrier_parts *b) {
    int rows = b->impulses.problem->rows, size = rows + b->limits.count;
    double *A = make_doubles((int64_t)size * size), *unit = make_doubles(rows), *column = make_doubles(rows);
    for (int j = 0; j < rows; j++) {
        unit[j] = 1;
        vs_impulse_multiply(b->impulses.problem, unit, column);
        unit[j] = 0;
        for (int i = 0; i < rows; i++)
            A[i * size + j] = column[i];
    }
    for (int g = 0; g < b->impulses.problem->groups; g++) {
        double M[3], B[6];
        vs_barrier_hessian(&b->limits, g, b->p, M);
        vs_barrier_jacobian(&b->limits, g, b->l, B);
        for (int k = b->impulses.problem->row[g]; k < b->impulses.problem->row[g + 1]; k++) {
            A[k * size + k] += M[k - b->impulses.problem->row[g]];
            for (int i = b->limits.first[g]; i < b->limits.first[g + 1]; i++)
                A[k * size + rows + i] = A[(rows + i) * size + k] =
                    B[3 * (i - b->limits.first[g]) + k - b->impulses.problem->row[g]];
        }
    }
    for (int i = 0; i < b->limits.count; i++)
        A[(rows + i) * (size + 1)] = b->c[i] / b->p[i];
    free(unit), free(column);
    return A;
}

typedef struct way {
    vs_form form;
    const char *solver;
} way;
static const way ways[] = {{VS_FORM_AUGMENTED, "auto"},    {VS_FORM_AUGMENTED, "ldl"},   {VS_FORM_AUGMENTED, "mumps"},
                           {VS_FORM_AUGMENTED, "klu"},     {VS_FORM_IMPULSE, "auto"},    {VS_FORM_IMPULSE, "ldl"},
                           {VS_FORM_IMPULSE, "mumps"},     {VS_FORM_IMPULSE, "cholmod"}, {VS_FORM_IMPULSE, "klu"},
                           {VS_FORM_AUTO, "pcg-diagonal"}, {VS_FORM_AUTO, "pcg-block"},  {VS_FORM_AUGMENTED, "lu"}};
enum { WAYS = sizeof ways / sizeof *ways };

static bool in_this_build(const char *solver) {
    return strcmp(solver, "auto") == 0 || strncmp(solver, "pcg", 3) == 0 || vs_linear_backend_find(solver);
}

// One way's direction against the dense one (size). The condition of these systems is below 1e7 and their residuals
// below 1e-13.
static void check_direction(vs_problem *owned, int w, uint64_t seed) {
    vs_solver_options options = make_options(1e-8);
    options.form = ways[w].form, options.linear_solver = ways[w].solver;
    barrier_parts *b = take_barrier_apart(owned, &options, seed);
    int rows = b->impulses.problem->rows, count = b->limits.count, size = rows + count;
    double *r = make_doubles(size), *dl = make_doubles(rows), *dp = make_doubles(count), *exact = make_doubles(size);
    int *pivot = calloc((size_t)size, sizeof *pivot);
    for (int k = 0; k < size; k++) {
        r[k] = random_in(&seed, -1, 1);
        exact[k] = -r[k];
    }
    double *A = dense_system(b);
    assert_true(dense_factor(size, A, pivot) != 0);
    dense_solve(size, A, pivot, exact);
    vs_barrier_system system;
    assert_int_equal(vs_barrier_system_create(&system, &b->impulses, &b->limits, &b->arena), VS_OK);
    system.tolerance = 1e-13;
    assert_int_equal(vs_barrier_system_factor(&system, b->l, b->c, b->p), VS_OK);
    assert_int_equal(vs_barrier_system_solve(&system, r, r + rows, dl, dp), VS_OK);
    double off_l = largest_difference(dl, exact, rows) / largest(exact, rows),
           off_p = largest_difference(dp, exact + rows, count) / largest(exact + rows, count);
    if (!(off_l < 1e-7 && off_p < 1e-7))
        fail_msg("%s, form %d: dl off by %.2g, dp by %.2g", ways[w].solver, (int)ways[w].form, off_l, off_p);
    assert_true(system.counts.factorizations > 0 && system.counts.solves > 0);
    vs_barrier_system_release(&system);
    free(r), free(dl), free(dp), free(exact), free(pivot), free(A);
    put_barrier_away(b);
}

static void every_linear_algebra_gives_the_same_direction(void **state) {
    for (int w = 0; w < WAYS; w++) {
        if (!in_this_build(ways[w].solver))
            continue;
        for (uint64_t seed = 1; seed <= 8; seed++) {
            scene s = make_mixed(seed);
            check_direction(must_build(context_of(state), &s), w, seed);
            free_scene(&s);
        }
        check_direction(make_general(context_of(state), false, 3), w, 3); // N is formed by the dual
    }
}

// ---- solutions -------------------------------------------------------------------------------------------------

static vs_solver_options barrier_options(double tolerance, int w) {
    vs_solver_options options = make_options(tolerance);
    options.method = VS_METHOD_BARRIER;
    options.form = ways[w].form, options.linear_solver = ways[w].solver;
    return options;
}
static const int impulse_way = 4, pcg_way = 9;

// Random scenes of all kinds, redundant ones among them.
static scene make_any(uint64_t seed) {
    recipe r = {.seed = seed,
                .bodies = 3 + (int)seed % 5,
                .dofs = seed % 4 ? 6 : 3,
                .friction = 4 + (int)seed % 6,
                .smooth = (int)seed % 3,
                .joints = (int)seed % 4 == 1,
                .bounds = (int)seed % 5 == 2,
                .mu = .8,
                .compliant = seed % 3 == 0};
    scene s = make_random(&r);
    if (seed % 6 == 5)
        duplicate_links(&s, FRICTION);
    if (seed % 8 == 1)
        duplicate_links(&s, JOINT);
    return s;
}

// Velocities are unique. An energy error of (1e-8)^2 e0 bounds their error by 1e-8 of their scale times the condition
// of the active contacts, up to 1e3 here.
static void agrees_with_the_interior_point(void **state) {
    for (int w = 0; w < WAYS; w++) {
        if (!in_this_build(ways[w].solver))
            continue;
        int stages = 0, most = 0;
        double worst = 0;
        for (uint64_t seed = 1; seed <= VS_SAMPLES(40); seed++) {
            scene s = make_any(seed);
            vs_solver_options reference = make_options(1e-10), options = barrier_options(1e-8, w);
            reference.method = VS_METHOD_IPM;
            options.model = reference.model = seed % 7 == 6 ? VS_MODEL_FRICTIONLESS : VS_MODEL_RELAXED;
            outcome exact = solve_scene(context_of(state), &s, &reference),
                    o = solve_scene(context_of(state), &s, &options);
            assert_int_equal(o.error, VS_OK);
            double off = largest_difference(o.v, exact.v, o.n) / largest(exact.v, o.n);
            assert_converged(ways[w].solver, &o);
            worst = fmax(worst, off);
            stages += o.iterations;
            most = o.iterations > most ? o.iterations : most;
            free_outcome(&exact), free_outcome(&o);
            free_scene(&s);
        }
        print_message("  form %d, %s: %.1f stages, at most %d, |v - v_ref| %.1e\n", (int)ways[w].form, ways[w].solver,
                      stages / (double)VS_SAMPLES(40), most, worst);
        assert_true(worst < 1e-5);
    }
}

// Fang 2014: 65, 64 and 67 stages on piles of 512 to 2048 spheres. Room for the pile's chance, none for a method that crawls.
static void takes_as_many_stages_as_the_source(void **state) {
    scene s = make_pile(6, 6, 5, .3, 3); // 180 spheres, about 470 contacts
    const int tried[] = {0, impulse_way, pcg_way};
    for (int k = 0; k < 3; k++) {
        vs_solver_options options = barrier_options(1e-6, tried[k]);
        outcome o = solve_scene(context_of(state), &s, &options);
        assert_converged(ways[tried[k]].solver, &o);
        print_message("  %s, %s: %d stages\n", o.form, o.backend, o.iterations);
        assert_true(o.iterations <= 80);
        free_outcome(&o);
    }
    free_scene(&s);
}

// Beyond what differences of impulses can tell (see barrier.c) it ends by itself, and says so.
static void says_when_it_can_get_no_further(void **state) {
    scene s = make_pile(4, 4, 3, .3, 3);
    vs_solver_options options = barrier_options(1e-15, impulse_way);
    outcome o = solve_scene(context_of(state), &s, &options);
    assert_int_equal(o.status, VS_STATUS_INACCURATE);
    print_message("  ended after %d stages with sqrt(energy error / e0) = %.1e\n", o.iterations,
                  relative_error(&o.measures));
    assert_true(relative_error(&o.measures) < 1e-8); // what it reaches on piles of this size is 1e-11
    free_outcome(&o);
    free_scene(&s);
}

// A point that is wrong by 1e-3 of the solution saves stages; whatever is given, nothing worse is returned.
static void warm_start_saves_stages(void **state) {
    int cold = 0, warm = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        scene s = make_mixed(seed);
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = barrier_options(1e-8, impulse_way);
        outcome exact = solve_problem(problem, &options);
        uint64_t random = seed;
        for (int k = 0; k < exact.m; k++)
            exact.lambda[k] *= 1 + random_in(&random, -1e-3, 1e-3);
        vs_solver *solver = NULL;
        vs_result result;
        assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
        assert_int_equal(vs_solver_warm_start(solver, NULL, exact.g, exact.lambda), VS_OK);
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(result.status, VS_STATUS_CONVERGED);
        cold += exact.iterations;
        warm += result.iterations;
        vs_solver_destroy(solver);
        free_outcome(&exact);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
    print_message("  cold %d stages, warm %d\n", cold, warm);
    assert_true(warm < cold);
}

// ---- promises --------------------------------------------------------------------------------------------------

static void no_contacts_or_no_rows_need_no_barrier(void **state) {
    recipe joints = {.seed = 3, .bodies = 3, .dofs = 6, .joints = 3}, none = {.seed = 3, .bodies = 2, .dofs = 6};
    for (int w = 0; w < WAYS; w++) {
        if (!in_this_build(ways[w].solver))
            continue;
        scene a = make_random(&joints), b = make_random(&none);
        vs_solver_options options = barrier_options(1e-8, w);
        outcome o = solve_scene(context_of(state), &a, &options), empty = solve_scene(context_of(state), &b, &options);
        assert_converged("joints only", &o);
        assert_true(o.iterations <= 3); // linear; conjugate gradients take a digit or three each time
        assert_converged("nothing", &empty);
        assert_int_equal(empty.iterations, 0);
        free_outcome(&o), free_outcome(&empty);
        free_scene(&a), free_scene(&b);
    }
}

static void refuse(vs_problem *problem, vs_form form, const char *solver_name, const char *text) {
    vs_solver_options options = barrier_options(1e-8, impulse_way);
    options.form = form, options.linear_solver = solver_name;
    vs_solver *solver = NULL;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_ERROR_UNSUPPORTED);
    assert_null(solver);
    if (!strstr(vs_context_get_error_text(problem->context), text))
        fail_msg("no \"%s\" in: %s", text, vs_context_get_error_text(problem->context));
}

static void what_it_cannot_do_is_refused_by_name(void **state) {
    vs_problem *local = make_local(context_of(state), 1), *general = make_general(context_of(state), true, 1),
               *symmetric = make_general(context_of(state), false, 1);
    refuse(local, VS_FORM_AUTO, "auto", "unsymmetric");
    refuse(general, VS_FORM_AUTO, "auto", "unsymmetric");
    refuse(symmetric, VS_FORM_VELOCITY, "auto", "form");
    refuse(symmetric, VS_FORM_AUGMENTED, "pcg-diagonal", "impulse form");
    refuse(symmetric, VS_FORM_AUTO, "abacus", "abacus");
    vs_problem_destroy(local), vs_problem_destroy(general), vs_problem_destroy(symmetric);
}

static void counts_are_reported_and_solving_allocates_nothing(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_threaded_context(&m, 2);
    scene s = make_pile(3, 3, 3, .4, 1);
    vs_problem *problem = must_build(context, &s);
    for (int w = 0; w < WAYS; w++) {
        if (!in_this_build(ways[w].solver))
            continue;
        vs_solver_options options = barrier_options(1e-6, w);
        vs_solver *solver = NULL;
        vs_result result;
        assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
        m.calls = 0;
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(vs_solver_update(solver, problem), VS_OK);
        assert_int_equal(m.calls, 0);
        assert_string_equal(result.method, "barrier");
        assert_string_equal(result.form, ways[w].form == VS_FORM_AUGMENTED ? "augmented" : "impulse");
        if (strcmp(ways[w].solver, "auto") != 0)
            assert_string_equal(result.linear_solver, ways[w].solver);
        assert_int_equal(result.history_count, result.iterations + 1);
        assert_true(result.factorizations >= result.iterations && result.triangular_solves >= result.iterations);
        assert_true(result.choice[0] && result.times.solve > 0 && result.history[1].step_primal > 0);
        assert_true(strncmp(ways[w].solver, "pcg", 3) == 0 || result.fill > 0);
        vs_solver_destroy(solver);
    }
    vs_problem_destroy(problem);
    free_scene(&s);
    end_context(context, &m);
}

static void refused_allocations_are_reported_and_nothing_leaks(void **state) {
    (void)state;
    scene s = make_mixed(1);
    for (int w = 0; w < WAYS; w++) {
        if (!in_this_build(ways[w].solver))
            continue;
        memory m;
        vs_context *context = make_context(&m);
        vs_problem *problem = must_build(context, &s);
        vs_solver_options options = barrier_options(1e-6, w);
        const int before = m.alive;
        vs_error error = VS_ERROR_MEMORY;
        for (int k = 0; error; k++) {
            vs_solver *solver = NULL;
            refuse_call(&m, k);
            error = vs_solver_create(problem, &options, &solver);
            assert_int_equal(error, was_refused(&m) ? VS_ERROR_MEMORY : VS_OK);
            vs_solver_destroy(solver);
            assert_int_equal(m.alive, before);
        }
        refuse_none(&m);
        vs_problem_destroy(problem);
        end_context(context, &m);
    }
    free_scene(&s);
}

static void updated_solver_on_any_threads_gives_the_same_bits(void **state) {
    (void)state;
    scene first = make_pile(8, 8, 5, .3, 1), second = copy_scene(&first);
    for (int k = 0; k < second.bodies; k++)
        second.body[k].c[2] *= 1.1;
    const int tried[] = {impulse_way, pcg_way};
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = barrier_options(1e-4, tried[k]);
        outcome o[3];
        for (int threads = 1; threads <= 3; threads++) {
            memory m;
            vs_context *context = make_threaded_context(&m, threads);
            vs_problem *a = must_build(context, &first), *b = must_build(context, &second);
            vs_solver *solver = NULL;
            vs_result result;
            assert_int_equal(vs_solver_create(threads == 2 ? a : b, &options, &solver), VS_OK);
            if (threads == 2)
                assert_int_equal(vs_solver_update(solver, b), VS_OK);
            assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
            o[threads - 1] = keep_result(b, &options, &result);
            vs_solver_destroy(solver);
            vs_problem_destroy(a), vs_problem_destroy(b);
            end_context(context, &m);
        }
        for (int other = 1; other < 3; other++) {
            assert_int_equal(o[0].iterations, o[other].iterations);
            assert_memory_equal(o[0].lambda, o[other].lambda, (size_t)o[0].m * sizeof(double));
        }
        for (int t = 0; t < 3; t++)
            free_outcome(&o[t]);
    }
    free_scene(&first), free_scene(&second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_of_the_constraints_is_their_difference),
        cmocka_unit_test(hessian_of_the_constraints_is_the_difference_of_gradients),
        cmocka_unit_test(block_of_the_barrier_is_its_definition_and_positive),
        cmocka_unit_test(step_ends_on_the_boundary),
        cmocka_unit_test(every_linear_algebra_gives_the_same_direction),
        cmocka_unit_test(agrees_with_the_interior_point),
        cmocka_unit_test(takes_as_many_stages_as_the_source),
        cmocka_unit_test(says_when_it_can_get_no_further),
        cmocka_unit_test(warm_start_saves_stages),
        cmocka_unit_test(no_contacts_or_no_rows_need_no_barrier),
        cmocka_unit_test(what_it_cannot_do_is_refused_by_name),
        cmocka_unit_test(counts_are_reported_and_solving_allocates_nothing),
        cmocka_unit_test(refused_allocations_are_reported_and_nothing_leaks),
        cmocka_unit_test(updated_solver_on_any_threads_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
