// What happens when something goes wrong or stops early: memory, wrong data, limits, the user's callback. And what must
// not change: the bits of a result over repetitions, thread counts and updates; the memory during a solve.
#include "solving.h"

// Something of everything: friction, one row, joints twice, box rows, compliance.
static scene make_sample(uint64_t seed) {
    recipe r = {.seed = seed, .bodies = 5, .dofs = 6, .friction = 6, .smooth = 2, .joints = 2, .bounds = 1, .mu = .6};
    r.compliant = seed % 2;
    scene s = make_random(&r);
    duplicate_links(&s, JOINT);
    return s;
}

static scene make_large(void) {
    return make_pile(8, 8, 6, .3, 7); // 384 spheres, about 1000 contacts
}

// ---- memory ------------------------------------------------------------------------------------------------

// Everything from the builder to the result; the first error.
static vs_error run_all(vs_context *context, const scene *s, const vs_solver_options *options) {
    vs_problem *problem = NULL;
    vs_solver *solver = NULL;
    vs_result result;
    vs_error error = build_scene(context, s, &problem);
    if (!error)
        error = vs_solver_create(problem, options, &solver);
    if (!error)
        error = vs_solver_solve(solver, &result);
    if (!error)
        error = vs_solver_update(solver, problem);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    return error;
}

static int refuse_each_call(const scene *s, const vs_solver_options *options, bool all_after) {
    memory m;
    vs_context *context = make_context(&m);
    const int before = m.alive;
    m.calls = 0;
    vs_error error = run_all(context, s, options);
    int calls = m.calls;
    if (error) {
        assert_int_equal(error, VS_ERROR_UNSUPPORTED);
        calls = 0;
    }
    for (int k = 0; k < calls; k++) {
        if (all_after)
            refuse_calls_from(&m, k);
        else
            refuse_call(&m, k);
        error = run_all(context, s, options);
        if (error != VS_ERROR_MEMORY || m.alive != before)
            fail_msg("call %d of %d refused (%s, form %d): %s, %d blocks left", k, calls, options->linear_solver,
                     (int)options->form, vs_error_name(error), m.alive - before);
        assert_true(vs_context_get_error_text(context)[0] != 0);
    }
    refuse_none(&m);
    end_context(context, &m);
    return calls;
}

static void every_refused_allocation_is_reported_and_nothing_leaks(void **state) {
    (void)state;
    scene s = make_sample(1);
    for (int k = 0; k < vs_backend_count(); k++)
        for (int form = VS_FORM_VELOCITY; form <= VS_FORM_IMPULSE; form++) {
            vs_solver_options options = make_options(1e-8);
            options.linear_solver = vs_backend_at(k).name, options.form = (vs_form)form;
            int calls = refuse_each_call(&s, &options, false);
            refuse_each_call(&s, &options, true);
            print_message("  %s, form %d: %d allocations\n", vs_backend_at(k).name, form, calls);
        }
    free_scene(&s);

    s = make_large();
    vs_solver_options options = make_options(1e-8);
    options.max_iterations = 1; // what follows allocates nothing
    print_message("  pile: %d allocations\n", refuse_each_call(&s, &options, false));
    free_scene(&s);
}

static void refused_allocations_of_matrix_problems_are_reported(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    const int64_t p[] = {0, 1, 2, 3};
    const int i[] = {0, 1, 2};
    const double x[] = {1, 2, 3}, zero[3] = {0}, r[] = {-1, .2, .3}, mu[] = {.5};
    vs_matrix_view diagonal = {3, 3, p, i, x};
    vs_problem_local_def local = vs_problem_local_def_default();
    local.N = diagonal, local.r = r, local.mu = mu, local.contacts = 1;
    vs_problem_global_def global = vs_problem_global_def_default();
    global.H = global.Dt = diagonal, global.c = zero, global.b = zero, global.mu = mu, global.contacts = 1;
    const int before = m.alive;
    for (int form = 0; form < 2; form++) {
        vs_error error = VS_ERROR_MEMORY;
        for (int k = 0; error; k++) {
            vs_problem *problem = NULL;
            vs_solver *solver = NULL;
            refuse_call(&m, k);
            error = form ? vs_problem_from_global(context, &global, &problem)
                         : vs_problem_from_local(context, &local, &problem);
            if (!error)
                error = vs_solver_create(problem, NULL, &solver);
            assert_int_equal(error, was_refused(&m) ? VS_ERROR_MEMORY : VS_OK);
            vs_solver_destroy(solver);
            vs_problem_destroy(problem);
            assert_int_equal(m.alive, before);
        }
    }
    end_context(context, &m);
}

static void solving_allocates_nothing(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_threaded_context(&m, 2);
    scene scenes[2] = {make_sample(3), make_large()};
    for (int k = 0; k < 2; k++)
        for (int form = VS_FORM_VELOCITY; form <= VS_FORM_IMPULSE; form++) {
            vs_problem *problem = must_build(context, &scenes[k]);
            vs_solver_options options = make_options(k ? 1e-3 : 1e-8);
            options.form = (vs_form)form;
            vs_solver *solver = NULL;
            vs_result result;
            assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
            m.calls = 0;
            assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
            assert_int_equal(m.calls, 0);
            vs_solver_destroy(solver);
            vs_problem_destroy(problem);
        }
    free_scene(&scenes[0]), free_scene(&scenes[1]);
    end_context(context, &m);
}

// ---- wrong input -------------------------------------------------------------------------------------------

typedef vs_error (*attempt)(vs_problem_builder *builder, double bad);

static const double unit_row[18] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static vs_error add_contact_with(vs_problem_builder *builder, double mu, double b, double x, double compliance,
                                 int block) {
    double J[9];
    memcpy(J, unit_row, sizeof J);
    J[4] = x;
    const double *jacobian[1] = {J};
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    contact.blocks = 1, contact.block = &block, contact.jacobian = jacobian;
    contact.mu = mu, contact.b[0] = b, contact.compliance = compliance;
    return vs_problem_builder_add_contact(builder, &contact, NULL);
}

static vs_error try_mu(vs_problem_builder *b, double bad) {
    return add_contact_with(b, bad, 0, 1, 0, 0);
}
static vs_error try_b(vs_problem_builder *b, double bad) {
    return add_contact_with(b, .5, bad, 1, 0, 0);
}
static vs_error try_jacobian(vs_problem_builder *b, double bad) {
    return add_contact_with(b, .5, 0, bad, 0, 0);
}
static vs_error try_compliance(vs_problem_builder *b, double bad) {
    return add_contact_with(b, .5, 0, 1, bad, 0);
}
static vs_error try_block_above(vs_problem_builder *b, double bad) {
    (void)bad;
    return add_contact_with(b, .5, 0, 1, 0, 1);
}
static vs_error try_block_below(vs_problem_builder *b, double bad) {
    (void)bad;
    return add_contact_with(b, .5, 0, 1, 0, -1);
}

static vs_error try_mass(vs_problem_builder *builder, double bad) {
    const double H[4] = {1, 0, 0, bad}, c[2] = {0};
    return vs_problem_builder_add_block(builder, 2, H, c, NULL);
}

static vs_error try_load(vs_problem_builder *builder, double bad) {
    const double H[4] = {1, 0, 0, 1}, c[2] = {0, bad};
    return vs_problem_builder_add_block(builder, 2, H, c, NULL);
}

static vs_error try_bounds(vs_problem_builder *builder, double bad) {
    const double *jacobian[1] = {unit_row}, lo[1] = {0}, hi[1] = {bad};
    const int block = 0;
    vs_problem_box_def bounds = vs_problem_box_def_default();
    bounds.rows = 1, bounds.blocks = 1, bounds.block = &block, bounds.jacobian = jacobian, bounds.lo = lo,
    bounds.hi = hi;
    return vs_problem_builder_add_box(builder, &bounds, NULL);
}

static vs_error try_joint_side(vs_problem_builder *builder, double bad) {
    const double *jacobian[1] = {unit_row}, b[1] = {bad};
    const int block = 0;
    vs_problem_joint_def joint = vs_problem_joint_def_default();
    joint.rows = 1, joint.blocks = 1, joint.block = &block, joint.jacobian = jacobian, joint.b = b;
    return vs_problem_builder_add_joint(builder, &joint, NULL);
}

static vs_error try_joint_rows(vs_problem_builder *builder, double bad) {
    const double *jacobian[1] = {unit_row};
    const int block = 0;
    vs_problem_joint_def joint = vs_problem_joint_def_default();
    joint.rows = (int)bad, joint.blocks = 1, joint.block = &block, joint.jacobian = jacobian;
    return vs_problem_builder_add_joint(builder, &joint, NULL);
}

// Each is refused with a text that names the field, when it is added or at the latest when the problem is finished.
static void wrong_data_is_refused_by_name(void **state) {
    const struct {
        attempt add;
        double bad;
        const char *field;
    } cases[] = {
        {try_mu, -.1, "mu"},
        {try_mu, NAN, "mu"},
        {try_mu, INFINITY, "mu"},
        {try_b, NAN, "b"},
        {try_b, -INFINITY, "b"},
        {try_jacobian, NAN, "jacobian"},
        {try_jacobian, INFINITY, "jacobian"},
        {try_compliance, -1, "compliance"},
        {try_compliance, NAN, "compliance"},
        {try_block_above, 0, "block"},
        {try_block_below, 0, "block"},
        {try_mass, 0, "H"},
        {try_mass, -1, "H"},
        {try_mass, NAN, "H"},
        {try_load, NAN, "c"},
        {try_load, INFINITY, "c"},
        {try_bounds, -1, "hi"},
        {try_bounds, NAN, "hi"},
        {try_bounds, INFINITY, "hi"},
        {try_joint_side, NAN, "b"},
        {try_joint_rows, 0, "rows"},
        {try_joint_rows, -3, "rows"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double H[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, c[3] = {0};
        vs_problem_builder *builder = NULL;
        vs_problem *problem = NULL;
        assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
        assert_int_equal(vs_problem_builder_add_block(builder, 3, H, c, NULL), VS_OK);
        vs_error error = cases[k].add(builder, cases[k].bad);
        vs_error finished = vs_problem_builder_finish(builder, &problem);
        const char *text = vs_context_get_error_text(context_of(state));
        error = error ? error : finished;
        if ((error != VS_ERROR_DATA && error != VS_ERROR_ARGUMENT) || !strstr(text, cases[k].field) || problem ||
            !finished)
            fail_msg("case %d (%s = %g): %s: %s", (int)k, cases[k].field, cases[k].bad, vs_error_name(error), text);
    }
}

static void wrong_options_are_refused_by_name(void **state) {
    scene s = make_sample(1);
    vs_problem *problem = must_build(context_of(state), &s);
    enum { WRONG = 16 };
    vs_solver_options wrong[WRONG];
    const char *const field[WRONG] = {"tolerance",      "tolerance",     "tolerance", "tolerance",
                                      "max_iterations", "max_time",      "max_time",  "correctors",
                                      "correctors",     "linear_solver", "model",     "method",
                                      "form",           "criterion",     "start",     "warm_start"};
    for (int k = 0; k < WRONG; k++)
        wrong[k] = vs_solver_options_default();
    wrong[0].tolerance = 0, wrong[1].tolerance = -1, wrong[2].tolerance = NAN, wrong[3].tolerance = INFINITY;
    wrong[4].max_iterations = -2, wrong[5].max_time = -1, wrong[6].max_time = NAN;
    wrong[7].ipm.correctors = 11, wrong[8].ipm.correctors = -2, wrong[9].linear_solver = "pardiso";
    wrong[10].model = (vs_model)77, wrong[11].method = (vs_method)99, wrong[12].form = (vs_form)9;
    wrong[13].criterion = (vs_criterion)9, wrong[14].ipm.start = (vs_start)9, wrong[15].warm_start = (vs_warm_start)9;
    for (int k = 0; k < WRONG; k++) {
        vs_solver *solver = NULL;
        vs_error error = vs_solver_create(problem, &wrong[k], &solver);
        const char *text = vs_context_get_error_text(context_of(state));
        if (!error || solver || !strstr(text, field[k]))
            fail_msg("option %d (%s): %s: %s", k, field[k], vs_error_name(error), text);
    }
    // null pointers
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(NULL, NULL, &solver), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_solver_create(problem, NULL, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_solver_solve(NULL, &result), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_solver_update(NULL, problem), VS_ERROR_ARGUMENT);
    vs_solver_destroy(NULL);
    vs_problem_destroy(problem);
    free_scene(&s);
}

// Very different masses: auto begins with the interior point. The second choice does not know this form, so there is none.
static void second_choice_that_the_options_exclude_is_left_out(void **state) {
    scene s = make_sample(3);
    for (int k = 0; k < 36; k++)
        s.body[0].H[k] *= 1e14, s.body[0].c[k % 6] *= k < 6 ? 1e14 : 1;
    vs_solver_options options = vs_solver_options_default();
    options.form = VS_FORM_AUGMENTED;
    options.max_iterations = 1;
    outcome o = solve_scene(context_of(state), &s, &options);
    assert_int_equal(o.error, VS_OK);
    assert_int_equal(o.status, VS_STATUS_ITERATION_LIMIT);
    free_outcome(&o);
    free_scene(&s);
}

static void wrong_warm_starts_are_refused_and_not_used(void **state) {
    scene s = make_sample(2);
    vs_problem *problem = must_build(context_of(state), &s);
    vs_problem_info info = vs_problem_get_info(problem);
    vs_solver *solver = NULL;
    vs_solver_options options = make_options(1e-8);
    vs_result result;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    double *x = calloc((size_t)(info.n + info.m + info.m_e), sizeof *x);
    x[0] = NAN;
    assert_int_equal(vs_solver_warm_start(solver, x, NULL, NULL), VS_ERROR_DATA);
    assert_int_equal(vs_solver_warm_start(solver, NULL, x, NULL), VS_ERROR_DATA);
    x[0] = INFINITY;
    assert_int_equal(vs_solver_warm_start(solver, NULL, NULL, x), VS_ERROR_DATA);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    outcome after = keep_result(problem, &options, &result), cold = solve_problem(problem, &options);
    assert_memory_equal(after.lambda, cold.lambda, (size_t)info.m * sizeof(double));
    free(x);
    free_outcome(&after), free_outcome(&cold);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    free_scene(&s);
}

// ---- the same bits -----------------------------------------------------------------------------------------

static void assert_same_bits(const outcome *a, const outcome *b) {
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->iterations, b->iterations);
    assert_memory_equal(a->v, b->v, (size_t)a->n * sizeof(double));
    assert_memory_equal(a->y, b->y, (size_t)a->m * sizeof(double));
    assert_memory_equal(a->lambda, b->lambda, (size_t)a->m * sizeof(double));
    assert_memory_equal(a->g, b->g, (size_t)a->m_e * sizeof(double));
}

// One prepared solver, `times` solves; the first outcome.
static outcome repeat(vs_context *context, const scene *s, const vs_solver_options *options, int times) {
    vs_problem *problem = must_build(context, s);
    vs_solver *solver = NULL;
    vs_result result;
    outcome first = {0};
    assert_int_equal(vs_solver_create(problem, options, &solver), VS_OK);
    for (int k = 0; k < times; k++) {
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        if (k > 0 && !memcmp(result.lambda, first.lambda, (size_t)first.m * sizeof(double)) && k % 10)
            continue; // the rest is computed from it
        outcome o = keep_result(problem, options, &result);
        if (k == 0) {
            first = o;
            continue;
        }
        assert_same_bits(&first, &o);
        free_outcome(&o);
    }
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    return first;
}

static void repeated_solves_give_the_same_bits_for_any_thread_count(void **state) {
    (void)state;
    scene small = make_sample(4), large = make_large();
    for (int form = VS_FORM_AUTO; form <= VS_FORM_IMPULSE; form++)
        for (int big = 0; big < 3; big++) {
            if (big && form != VS_FORM_AUTO)
                continue; // time
            // the pile: cut short for many, and a few to the end
            vs_solver_options options = make_options(big ? 1e-4 : 1e-8);
            options.form = (vs_form)form;
            options.max_iterations = big == 1 ? 1 : 200;
            outcome o[3];
            for (int threads = 1; threads <= 3; threads++) {
                memory m;
                vs_context *context = make_threaded_context(&m, threads);
                int times = big == 2 || threads == 3 ? 3 : VS_SAMPLES(100);
                o[threads - 1] = repeat(context, big ? &large : &small, &options, times);
                end_context(context, &m);
            }
            print_message("  %s, %s: %d iterations, %s\n", big ? "pile" : "sample", o[0].form, o[0].iterations,
                          o[0].backend);
            assert_int_equal(o[0].status, big == 1 ? VS_STATUS_ITERATION_LIMIT : VS_STATUS_CONVERGED);
            assert_same_bits(&o[0], &o[1]);
            assert_same_bits(&o[0], &o[2]);
            for (int k = 0; k < 3; k++)
                free_outcome(&o[k]);
        }
    free_scene(&small), free_scene(&large);
}

// ---- updates -----------------------------------------------------------------------------------------------

// Other values, same pattern.
static void change_values(scene *s, uint64_t seed) {
    for (int k = 0; k < s->bodies; k++)
        for (int j = 0; j < s->body[k].dofs; j++)
            s->body[k].c[j] *= random_in(&seed, .8, 1.2);
    for (int k = 0; k < s->links; k++) {
        for (int t = 0; t < s->link[k].rows * 6; t++)
            s->link[k].J[0][t] *= 1 + random_in(&seed, -1e-3, 1e-3);
        if (s->link[k].kind == FRICTION)
            s->link[k].mu *= random_in(&seed, .9, 1.1);
    }
}

static void updated_solver_equals_a_fresh_one(void **state) {
    recipe r = {.seed = 77, .bodies = 6, .dofs = 6, .friction = 9, .smooth = 2, .bounds = 1, .mu = .6};
    scene first = make_random(&r), second = copy_scene(&first);
    change_values(&second, 5);
    vs_problem *a = must_build(context_of(state), &first), *b = must_build(context_of(state), &second);
    for (int form = VS_FORM_AUTO; form <= VS_FORM_IMPULSE; form++) {
        vs_solver_options options = make_options(1e-8);
        options.form = (vs_form)form;
        vs_solver *solver = NULL;
        vs_result result;
        assert_int_equal(vs_solver_create(a, &options, &solver), VS_OK);
        for (int round = 0; round < 4; round++) { // a, b, a, b
            const vs_problem *now = round % 2 ? b : a;
            assert_int_equal(vs_solver_update(solver, now), VS_OK);
            assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
            outcome updated = keep_result(now, &options, &result), fresh = solve_problem(now, &options);
            assert_converged("updated", &updated);
            assert_same_bits(&updated, &fresh);
            free_outcome(&updated), free_outcome(&fresh);
        }
        vs_solver_destroy(solver);
    }
    vs_problem_destroy(a), vs_problem_destroy(b);
    free_scene(&first), free_scene(&second);
}

static void update_with_another_pattern_is_refused_and_harmless(void **state) {
    scene base = make_sample(6), others[5];
    for (int k = 0; k < 5; k++)
        others[k] = copy_scene(&base);
    duplicate_links(&others[0], SMOOTH);                               // more contacts
    others[1].link[0].block[0] = (others[1].link[0].block[0] + 1) % 5; // another body
    others[1].link[0].block[1] = (others[1].link[0].block[0] + 1) % 5;
    others[2].link[0].mu = 0;                                    // tangential rows fall away
    others[3].link[0].kind = SMOOTH, others[3].link[0].rows = 1; // fewer rows
    add_body(&others[4], 1)->H[0] = 1;                           // another body
    vs_problem *problem = must_build(context_of(state), &base);
    vs_solver_options options = make_options(1e-8);
    vs_solver *solver = NULL;
    vs_result result;
    outcome fresh = solve_problem(problem, &options);
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    for (int k = 0; k < 5; k++) {
        vs_problem *other = must_build(context_of(state), &others[k]);
        if (vs_solver_update(solver, other) != VS_ERROR_DATA)
            fail_msg("pattern %d was accepted", k);
        assert_non_null(strstr(vs_context_get_error_text(context_of(state)), "pattern"));
        vs_problem_destroy(other);
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK); // still the first problem
        outcome o = keep_result(problem, &options, &result);
        assert_same_bits(&o, &fresh);
        free_outcome(&o);
        free_scene(&others[k]);
    }
    free_outcome(&fresh);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    free_scene(&base);
}

// ---- stopping early ----------------------------------------------------------------------------------------

typedef struct watcher {
    int calls, stop_at;
    double least; // energy error seen
} watcher;

static bool watch(void *user, const vs_iteration *line) {
    watcher *w = user;
    w->least = w->calls ? fmin(w->least, line->energy_error) : line->energy_error;
    return w->calls++ != w->stop_at;
}

// Least of: what was seen, and rest (e0), which is where every cold solve begins.
static void check_stopped(const outcome *o, const watcher *w) {
    assert_true(o->measures.energy_error <= w->least * (1 + 1e-12));
    assert_true(o->measures.energy_error <= o->measures.energy_scale * (1 + 1e-12));
}

static void progress_callback_stops_at_the_best_iterate(void **state) {
    scene s = make_sample(8);
    for (int stop = 0; stop < 6; stop++) {
        watcher w = {.stop_at = stop};
        vs_solver_options options = make_options(1e-10);
        options.progress = watch, options.progress_user = &w;
        outcome o = solve_scene(context_of(state), &s, &options);
        assert_int_equal(o.error, VS_OK);
        assert_int_equal(o.status, VS_STATUS_STOPPED);
        assert_int_equal(w.calls, stop + 1);
        assert_int_equal(o.iterations, stop);
        check_stopped(&o, &w);
        free_outcome(&o);
    }
    free_scene(&s);
}

static void iteration_limit_returns_the_iterate_of_least_error(void **state) {
    scene s = make_sample(8);
    for (int most = 0; most <= 5; most++) {
        watcher w = {.stop_at = -1};
        vs_solver_options options = make_options(1e-10);
        options.progress = watch, options.progress_user = &w, options.max_iterations = most;
        outcome o = solve_scene(context_of(state), &s, &options);
        assert_int_equal(o.error, VS_OK);
        assert_int_equal(o.status, VS_STATUS_ITERATION_LIMIT);
        assert_int_equal(o.iterations, most);
        check_stopped(&o, &w);
        free_outcome(&o);
    }
    free_scene(&s);
}

static void time_limit_returns_the_iterate_of_least_error(void **state) {
    scene s = make_large();
    watcher w = {.stop_at = -1};
    vs_solver_options options = make_options(1e-10);
    options.progress = watch, options.progress_user = &w, options.max_time = 1e-9;
    outcome o = solve_scene(context_of(state), &s, &options);
    assert_int_equal(o.status, VS_STATUS_TIME_LIMIT);
    assert_true(w.calls >= 1); // and sweeps at any budget
    check_stopped(&o, &w);
    free_outcome(&o);
    free_scene(&s);
}

static void history_is_what_the_callback_saw(void **state) {
    scene s = make_sample(8);
    watcher w = {.stop_at = -1};
    vs_problem *problem = must_build(context_of(state), &s);
    vs_solver_options options = make_options(1e-8);
    options.progress = watch, options.progress_user = &w;
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    assert_int_equal(result.history_count, w.calls);
    assert_int_equal(result.history_count, result.iterations + 1);
    for (int k = 0; k < result.history_count; k++)
        assert_int_equal(result.history[k].iteration, k);
    assert_true(result.factorizations > 0 && result.triangular_solves > 0 && result.fill > 0);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    free_scene(&s);
}

// ---- warm start --------------------------------------------------------------------------------------------

static void warm_start_at_the_solution_needs_no_iteration(void **state) {
    for (uint64_t seed = 1; seed <= 10; seed++) {
        scene s = make_sample(seed);
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = make_options(1e-9);
        vs_solver *solver = NULL;
        vs_result result;
        outcome solved = solve_problem(problem, &options);
        assert_converged("cold", &solved);
        assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
        assert_int_equal(vs_solver_warm_start(solver, solved.v, solved.g, solved.lambda), VS_OK);
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(result.iterations, 0);
        outcome warm = keep_result(problem, &options, &result);
        assert_converged("warm", &warm);

        // used once: the next solve is cold again
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(result.iterations, solved.iterations);
        vs_solver_destroy(solver);
        free_outcome(&solved), free_outcome(&warm);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
}

// Into the cones: what a caller may give.
static void make_admissible(const scene *s, double *lambda) {
    for (int k = 0, row = 0; k < s->links; k++) {
        const scene_link *link = &s->link[k];
        if (link->kind == JOINT)
            continue;
        double *l = lambda + row;
        row += link->rows;
        if (link->kind == BOUNDS) {
            for (int i = 0; i < link->rows; i++)
                l[i] = fmin(fmax(l[i], link->lo[i]), link->hi[i]);
            continue;
        }
        l[0] = fmax(l[0], 0);
        double tangential = link->kind == FRICTION ? hypot(l[1], l[2]) : 0;
        if (tangential > link->mu * l[0])
            l[1] *= .999 * link->mu * l[0] / tangential, l[2] *= .999 * link->mu * l[0] / tangential;
    }
}

// From good and from bad points, cut short after 0 … 3 iterations, and solved to the end.
static void warm_start_never_returns_something_worse(void **state) {
    int solved_less = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        scene s = make_sample(seed);
        vs_problem *problem = must_build(context_of(state), &s);
        vs_measurer *measurer = NULL;
        assert_int_equal(vs_measurer_create(problem, VS_MODEL_RELAXED, &measurer), VS_OK);
        vs_solver_options options = make_options(1e-9);
        outcome exact = solve_problem(problem, &options);
        for (int kind = 0; kind < 12; kind++) {
            const double noise[] = {1e-7, 1e-3, .3}; // relative; the last mixes signs too
            uint64_t random = seed * 100 + (uint64_t)kind;
            double *lambda = copy_doubles(exact.lambda, exact.m), *g = copy_doubles(exact.g, exact.m_e);
            double amount = noise[kind % 3], size = largest(lambda, exact.m);
            for (int k = 0; k < exact.m; k++)
                lambda[k] += amount * size * random_in(&random, -1, 1);
            make_admissible(&s, lambda);
            vs_measures given;
            assert_int_equal(vs_measure(measurer, g, lambda, NULL, NULL, &given), VS_OK);

            options.max_iterations = kind / 3 < 3 ? kind / 3 : 200;
            options.warm_start = VS_WARM_START_FULL;
            vs_solver *solver = NULL;
            vs_result result;
            assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
            assert_int_equal(vs_solver_warm_start(solver, exact.v, g, lambda), VS_OK);
            assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
            if (result.measures.relative_error > given.relative_error * (1 + 1e-9))
                fail_msg("seed %d, kind %d: given %.3g, returned %.3g (%s)", (int)seed, kind, given.relative_error,
                         result.measures.relative_error, vs_status_name(result.status));
            if (options.max_iterations == 200) {
                assert_int_equal(result.status, VS_STATUS_CONVERGED);
                solved_less += result.iterations < exact.iterations;
            }
            vs_solver_destroy(solver);
            free(lambda), free(g);
        }
        free_outcome(&exact);
        vs_measurer_destroy(measurer);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
    print_message("  %d of 36 warm starts needed fewer iterations\n", solved_less);
}

// Partial: v only. It must converge to the same velocities.
static void partial_warm_start_converges(void **state) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        scene s = make_sample(seed);
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = make_options(1e-10);
        outcome cold = solve_problem(problem, &options);
        options.warm_start = VS_WARM_START_PARTIAL;
        vs_solver *solver = NULL;
        vs_result result;
        assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
        assert_int_equal(vs_solver_warm_start(solver, cold.v, NULL, NULL), VS_OK);
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        outcome o = keep_result(problem, &options, &result);
        assert_converged("partial", &o);
        // 1e-10 times a condition of 1e3
        assert_true(largest_difference(o.v, cold.v, o.n) <= 1e-7 * largest(cold.v, o.n));
        free_outcome(&o), free_outcome(&cold);
        vs_solver_destroy(solver);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
}

// None: whatever is handed over, the solve is that of a cold start.
static void no_warm_start_is_used_when_there_shall_be_none(void **state) {
    scene s = make_sample(1);
    vs_problem *problem = must_build(context_of(state), &s);
    vs_solver_options options = make_options(1e-10);
    outcome cold = solve_problem(problem, &options);
    assert_true(cold.iterations > 0);
    options.warm_start = VS_WARM_START_NONE;
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_warm_start(solver, cold.v, cold.g, cold.lambda), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    assert_int_equal(result.iterations, cold.iterations);
    assert_memory_equal(result.lambda, cold.lambda, sizeof(double) * (size_t)cold.m);
    free_outcome(&cold);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_refused_allocation_is_reported_and_nothing_leaks),
        cmocka_unit_test(refused_allocations_of_matrix_problems_are_reported),
        cmocka_unit_test(solving_allocates_nothing),
        cmocka_unit_test(wrong_data_is_refused_by_name),
        cmocka_unit_test(wrong_options_are_refused_by_name),
        cmocka_unit_test(second_choice_that_the_options_exclude_is_left_out),
        cmocka_unit_test(wrong_warm_starts_are_refused_and_not_used),
        cmocka_unit_test(repeated_solves_give_the_same_bits_for_any_thread_count),
        cmocka_unit_test(updated_solver_equals_a_fresh_one),
        cmocka_unit_test(update_with_another_pattern_is_refused_and_harmless),
        cmocka_unit_test(progress_callback_stops_at_the_best_iterate),
        cmocka_unit_test(iteration_limit_returns_the_iterate_of_least_error),
        cmocka_unit_test(time_limit_returns_the_iterate_of_least_error),
        cmocka_unit_test(history_is_what_the_callback_saw),
        cmocka_unit_test(warm_start_at_the_solution_needs_no_iteration),
        cmocka_unit_test(warm_start_never_returns_something_worse),
        cmocka_unit_test(partial_warm_start_converges),
        cmocka_unit_test(no_warm_start_is_used_when_there_shall_be_none),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
