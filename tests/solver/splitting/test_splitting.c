// Gauss-Seidel and Jacobi on the problem in impulses: closed forms, the interior point's and the cascade's solutions,
// descent, and what the methods promise about threads, memory and starts. Measured by vs_measure() (solving.h).
#include "solver/parts.h"

#include "solver/method.h"
#include "solver/impulse/impulse_run.h"
#include "solver/impulse/operator.h"
#include "solver/impulse/evaluation.h"
#include "solver/splitting/accelerated_sweeps.h"

// ---- what the tests share --------------------------------------------------------------------------------

typedef struct variant {
    vs_method method;
    vs_sweep sweep;
    double relaxation;
} variant;

// Every order and both sides of omega = 1. Relaxed Jacobi with an omega of its own may diverge: not here.
static const variant variants[] = {
    {VS_METHOD_GAUSS_SEIDEL, VS_SWEEP_FORWARD, 0},     {VS_METHOD_GAUSS_SEIDEL, VS_SWEEP_SYMMETRIC, 0},
    {VS_METHOD_GAUSS_SEIDEL, VS_SWEEP_COLOURED, 0},    {VS_METHOD_GAUSS_SEIDEL, VS_SWEEP_FORWARD, 1.3},
    {VS_METHOD_GAUSS_SEIDEL, VS_SWEEP_SYMMETRIC, 0.7}, {VS_METHOD_JACOBI, VS_SWEEP_FORWARD, 0},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static vs_solver_options choose(const variant *v, vs_model model, double tolerance) {
    vs_solver_options options = make_options(tolerance);
    options.model = model;
    options.method = v->method;
    options.gauss_seidel.sweep = v->sweep;
    options.gauss_seidel.relaxation = options.jacobi.relaxation = v->relaxation;
    return options;
}

static const char *name_of(const variant *v) {
    static char name[64];
    static const char *const sweeps[] = {"forward", "symmetric", "coloured"};
    snprintf(name, sizeof name, "%s %s %g", v->method == VS_METHOD_JACOBI ? "jacobi" : "gauss-seidel", sweeps[v->sweep],
             v->relaxation);
    return name;
}

// ---- closed forms ----------------------------------------------------------------------------------------

// A point of 2 kg that hits the floor (e_z) at 1 m/s, sliding along x at 3 m/s, mu = 0.5. Exact: l_n = 2, and friction
// takes 0.5 m/s; relaxed: l = t (1, -mu), t (1 + mu^2) / 2 = 1 + 1.5, opening at mu times the slip.
static void a_sliding_point_follows_the_closed_forms(void **state) {
    scene s = make_point(2, (double[3]){0, 0, 1}, .5, (double[3]){3, 0, -1});
    for (int k = 0; k < VARIANTS; k++) {
        vs_solver_options exact = choose(&variants[k], VS_MODEL_EXACT, 1e-12),
                          relaxed = choose(&variants[k], VS_MODEL_RELAXED, 1e-12);
        outcome e = solve_scene(context_of(state), &s, &exact), r = solve_scene(context_of(state), &s, &relaxed);
        assert_converged(name_of(&variants[k]), &e);
        assert_converged(name_of(&variants[k]), &r);
        // the tolerance times a scale of a few m/s
        assert_near("exact, along", e.v[0], 2.5, 1e-11);
        assert_near("exact, up", e.v[2], 0, 1e-11);
        assert_near("relaxed, along", r.v[0], 2, 1e-11);
        assert_near("relaxed, up", r.v[2], 1, 1e-11);
        free_outcome(&e), free_outcome(&r);
    }
    free_scene(&s);
}

// ---- agreement -------------------------------------------------------------------------------------------

enum { SIMPLE, WITH_JOINTS, COMPLIANT, WITH_BOXES, CONTACTS_TWICE, EVERYTHING, FAMILIES };

static scene make_member(int id, double mu) {
    int family = id % FAMILIES;
    uint64_t seed = (uint64_t)id + 1;
    recipe r = {.seed = seed, .dofs = id / FAMILIES % 2 ? 3 : 6, .mu = mu};
    r.bodies = 2 + random_pick(&seed, 5);
    r.friction = 1 + random_pick(&seed, 2 * r.bodies);
    r.joints = family == WITH_JOINTS || family == EVERYTHING ? 1 + random_pick(&seed, 2) : 0;
    r.bounds = family == WITH_BOXES || family == EVERYTHING ? 1 + random_pick(&seed, 3) : 0;
    r.smooth = family == WITH_BOXES ? 2 : 0;
    r.compliant = family == COMPLIANT || family == EVERYTHING;
    scene s = make_random(&r);
    // Impulses that move from a contact to its twin are seen by the compliance alone: 1e-4 takes 1e4 sweeps.
    for (int k = 0; k < s.links && family == EVERYTHING; k++)
        for (int i = 0; i < s.link[k].rows; i++)
            s.link[k].compliance[i] = s.link[k].compliance[i] > 0 ? fmax(s.link[k].compliance[i], .05) : 0;
    if (family == CONTACTS_TWICE || family == EVERYTHING)
        duplicate_links(&s, FRICTION);
    return s;
}

// An energy error of (1e-7)^2 e0 leaves in v about 1e-7 of its scale times the root of N's condition on the active
// rows, of which 1e2 are seen here; the slowest random problems are cut off by that condition before it reaches 1e3.
static const double tolerance = 1e-7, agreement = 1e-4;

static void compare_variants(vs_context *context, const scene *s, int id, vs_model model, int *iterations) {
    vs_problem *problem = must_build(context, s);
    vs_solver_options options = make_options(1e-11);
    options.model = model;
    outcome reference = solve_problem(problem, &options);
    assert_converged("reference", &reference);
    for (int k = 0; k < VARIANTS; k++) {
        options = choose(&variants[k], model, tolerance);
        outcome o = solve_problem(problem, &options);
        if (o.error || o.status != VS_STATUS_CONVERGED)
            fail_msg("problem %d, %s, %s: %s, error %.2g after %d", id, vs_model_name(model), name_of(&variants[k]),
                     vs_status_name(o.status), relative_error(&o.measures), o.iterations);
        double difference = largest_difference(o.v, reference.v, o.n), scale = largest(reference.v, o.n);
        if (!(difference <= agreement * scale))
            fail_msg("problem %d, %s, %s: |dv| %.2g of %.2g", id, vs_model_name(model), name_of(&variants[k]),
                     difference, scale);
        iterations[k] += o.iterations;
        free_outcome(&o);
    }
    free_outcome(&reference);
    vs_problem_destroy(problem);
}

static void all_find_the_velocities_of_the_default(void **state) {
    const vs_model models[] = {VS_MODEL_RELAXED, VS_MODEL_FRICTIONLESS, VS_MODEL_EXACT};
    for (int m = 0; m < 3; m++) {
        int iterations[VARIANTS] = {0};
        for (int id = 0; id < 36; id++) {
            // exact velocities are unique if friction is small
            scene s = make_member(id, models[m] == VS_MODEL_EXACT ? .2 : .8);
            compare_variants(context_of(state), &s, id, models[m], iterations);
            free_scene(&s);
        }
        print_message("  %s, iterations over 36 problems:\n", vs_model_name(models[m]));
        for (int k = 0; k < VARIANTS; k++)
            print_message("    %-28s %d\n", name_of(&variants[k]), iterations[k]);
    }
}

// N itself is used: general H, and the local form with unsymmetric values and pattern. Over-relaxation has no promise
// there.
static void matrices_are_solved_too(void **state) {
    for (int id = 0; id < 12; id++) {
        vs_problem *problem = id % 3 == 0 ? make_local(context_of(state), (uint64_t)id)
                                          : make_general(context_of(state), id % 3 == 1, (uint64_t)id);
        for (int k = 0; k < VARIANTS; k++)
            for (int m = 0; m < 2 && variants[k].relaxation <= 1; m++) {
                vs_solver_options options = choose(&variants[k], m ? VS_MODEL_EXACT : VS_MODEL_RELAXED, 1e-10);
                outcome o = solve_problem(problem, &options);
                assert_converged(name_of(&variants[k]), &o);
                free_outcome(&o);
            }
        vs_problem_destroy(problem);
    }
}

// ---- descent ---------------------------------------------------------------------------------------------

// A method on a run of its own; the objective 1/2 l'(N + E) l + r'l of every iterate that is evaluated.
typedef struct descent {
    vs_method_run run;
    vs_impulse_run impulses;
    double *l, *y, *work;
    double last; // objective
    int seen, rises;
} descent;

static bool watch(void *user, const vs_iteration *line) {
    descent *w = user;
    const vs_impulse_problem *d = w->impulses.problem;
    (void)line;
    vs_scaled_g(&w->run.scaled, w->run.g, w->work);
    vs_scaled_lambda(&w->run.scaled, w->run.lambda, w->work + d->joints);
    double sum = 0;
    for (int k = 0; k < d->rows; k++)
        w->l[k] = w->work[k] / d->row_scale[k];
    vs_impulse_velocities(d, w->l, w->y);
    for (int k = 0; k < d->rows; k++)
        sum += .5 * (w->y[k] + d->r[k]) * w->l[k];
    // roundoff of a sum of terms of this size
    w->rises += w->seen > 0 && sum > w->last + 1e-13 * fabs(w->last);
    w->last = sum;
    w->seen++;
    return true;
}

// Returns the number of iterations seen.
static int watch_descent(vs_problem *problem, const variant *v, vs_model model) {
    const vs_method_class *method = NULL;
    vs_arena arena;
    descent w = {.last = 0};
    vs_solver_options options = choose(v, model, 1e-12);
    options.check_every = 1;
    options.max_iterations = 200;
    options.progress = watch;
    options.progress_user = &w;
    vs_arena_init(&arena, problem->context);
    assert_int_equal(vs_method_find(&options, problem->context, &method), VS_OK);
    assert_int_equal(vs_method_run_create(&w.run, problem, &options, &arena), VS_OK);
    assert_int_equal(vs_impulse_run_create(&w.impulses, &w.run, &arena), VS_OK);
    w.l = VS_NEW_ZERO(&arena, double, w.impulses.problem->rows);
    w.y = VS_NEW_ZERO(&arena, double, w.impulses.problem->rows);
    w.work = VS_NEW_ZERO(&arena, double, w.impulses.problem->rows);
    void *method_state = vs_arena_allocate_zero(&arena, 1, method->size);
    assert_int_equal(method->create(method_state, &w.run, &arena), VS_OK);
    vs_method_run_begin(&w.run);
    assert_int_equal(method->solve(method_state), VS_OK);
    if (w.rises > 0 || !(w.last < 0))
        fail_msg("%s, %s: %d of %d iterations raise the objective, to %g", name_of(v), vs_model_name(model), w.rises,
                 w.seen, w.last);
    vs_method_run_release(&w.run);
    vs_arena_release(&arena);
    return w.seen;
}

static void the_objective_never_rises(void **state) {
    int seen = 0;
    for (int id = 0; id < 24; id++) {
        scene s = id < 18 ? make_member(id, .8) : make_pile(3, 3, id - 15, .5, (uint64_t)id);
        vs_problem *problem = must_build(context_of(state), &s);
        for (int k = 0; k < VARIANTS; k++)
            if (variants[k].relaxation <= 1) { // also under-relaxed: between two points of a convex function
                seen += watch_descent(problem, &variants[k], VS_MODEL_RELAXED);
                seen += watch_descent(problem, &variants[k], VS_MODEL_FRICTIONLESS);
            }
        vs_problem_destroy(problem);
        free_scene(&s);
    }
    for (int id = 0; id < 6; id++) { // N by blocks
        vs_problem *problem = make_general(context_of(state), false, (uint64_t)id);
        seen += watch_descent(problem, &variants[0], VS_MODEL_RELAXED);
        seen += watch_descent(problem, &variants[VARIANTS - 1], VS_MODEL_RELAXED);
        vs_problem_destroy(problem);
    }
    print_message("  %d iterations, none of which raises it\n", seen);
    assert_true(seen > 1000);
}

// ---- acceleration ----------------------------------------------------------------------------------------

// From rest to the tolerance, on the whole problem: N stored or velocities carried, in any order and relaxation.
static void sweep_to_the_end(const vs_impulse_problem *p, const variant *v, vs_accelerated_sweeps *method,
                             const char *name, vs_arena *arena) {
    vs_colouring colouring;
    double *work[VS_SWEEP_WORK], *l = VS_NEW_ZERO(arena, double, p->rows), *y = VS_NEW_ZERO(arena, double, p->rows);
    for (int k = 0; k < VS_SWEEP_WORK; k++)
        work[k] = VS_NEW_ZERO(arena, double, p->rows);
    assert_int_equal(vs_colouring_create(&colouring, p, arena), VS_OK);
    vs_sweeper sweeper = {.problem = p,
                          .order = v->sweep,
                          .colouring = &colouring,
                          .omega = v->relaxation > 0 ? v->relaxation : 1,
                          .v = VS_NEW_ZERO(arena, double, p->n)};
    vs_sweep_limits limits = {.both = true, .tolerance = tolerance, .sweeps = 20000, .most = 20000};
    vs_sweep_outcome end;
    method(&sweeper, &limits, l, y, work, &end);
    vs_impulse_velocities(p, l, y);
    assert_true(end.error == vs_impulse_error(p, true, l, y));
    if (!(end.error <= tolerance))
        fail_msg("%s, sweep %d, relaxation %g: error %.2g after %d", name, (int)v->sweep, v->relaxation, end.error,
                 end.sweeps);
}

// Acceleration knows nothing of the sweep that it accelerates, only that it is the same map every time: sweeps there
// and back in turn are not.
static void acceleration_serves_every_sweep(void **state) {
    static const variant sweeps[] = {
        {.sweep = VS_SWEEP_FORWARD}, {.sweep = VS_SWEEP_COLOURED}, {.sweep = VS_SWEEP_FORWARD, .relaxation = .8}};
    const vs_model models[] = {VS_MODEL_RELAXED, VS_MODEL_FRICTIONLESS, VS_MODEL_EXACT};
    for (int id = 0; id < 12; id++) {
        scene s = make_member(id, .2);
        vs_problem *problem =
            id % 4 == 3 ? make_local(context_of(state), (uint64_t)id) : must_build(context_of(state), &s);
        for (int m = 0; m < 3; m++) {
            vs_solver_options options = make_options(1e-9);
            vs_arena arena;
            vs_method_run run;
            vs_impulse_run impulses;
            options.model = models[m];
            vs_arena_init(&arena, problem->context);
            assert_int_equal(vs_method_run_create(&run, problem, &options, &arena), VS_OK);
            assert_int_equal(vs_impulse_run_create(&impulses, &run, &arena), VS_OK);
            for (int k = 0; k < 3; k++) {
                sweep_to_the_end(impulses.problem, &sweeps[k], vs_anderson_sweeps, "anderson", &arena);
                sweep_to_the_end(impulses.problem, &sweeps[k], vs_nesterov_sweeps, "nesterov", &arena);
            }
            vs_method_run_release(&run);
            vs_arena_release(&arena);
        }
        vs_problem_destroy(problem);
        free_scene(&s);
    }
}

// ---- colours ---------------------------------------------------------------------------------------------

typedef struct coloured {
    vs_arena arena;
    vs_method_run run;
    vs_impulse_run impulses;
    vs_colouring colouring;
} coloured;

static void begin_coloured(coloured *c, vs_problem *problem) {
    vs_solver_options options = exact_options(1e-8);
    vs_arena_init(&c->arena, problem->context);
    assert_int_equal(vs_method_run_create(&c->run, problem, &options, &c->arena), VS_OK);
    assert_int_equal(vs_impulse_run_create(&c->impulses, &c->run, &c->arena), VS_OK);
    assert_int_equal(vs_colouring_create(&c->colouring, c->impulses.problem, &c->arena), VS_OK);
}

static void end_coloured(coloured *c) {
    vs_method_run_release(&c->run);
    vs_arena_release(&c->arena);
}

static bool has_column(const vs_rows *M, int g, int first, int last) {
    for (int64_t k = M->start[g]; k < M->start[g + 1]; k++)
        if (M->col[k] >= first && M->col[k] < last)
            return true;
    return false;
}

// Does one act on the other?
static bool are_neighbours(const vs_impulse_problem *d, int g, int h) {
    if (d->n == 0)
        return has_column(&d->N, g, d->row[h], d->row[h + 1]) || has_column(&d->N, h, d->row[g], d->row[g + 1]);
    for (int64_t k = d->J.start[g]; k < d->J.start[g + 1]; k++)
        if (has_column(&d->J, h, d->J.col[k], d->J.col[k] + 1))
            return true;
    return false;
}

static void check_colouring(const coloured *c) {
    const vs_colouring *colours = &c->colouring;
    int *seen = calloc((size_t)c->impulses.problem->groups + 1, sizeof *seen);
    for (int k = 0; k < c->impulses.problem->groups; k++)
        seen[colours->group[k]]++;
    for (int g = 0; g < c->impulses.problem->groups; g++)
        assert_int_equal(seen[g], 1);
    for (int k = 0; k < colours->colours; k++) {
        assert_true(colours->start[k] < colours->start[k + 1]);
        for (int a = colours->start[k]; a < colours->start[k + 1]; a++)
            for (int b = colours->start[k]; b < a; b++)
                assert_false(are_neighbours(c->impulses.problem, colours->group[a], colours->group[b]));
    }
    for (int k = colours->colours; k < VS_COLOURS_MOST; k++)
        assert_int_equal(colours->start[k], colours->start[k + 1]);
    free(seen);
}

static void groups_of_one_colour_do_not_meet(void **state) {
    for (int id = 0; id < 30; id++) {
        scene s = id < 24 ? make_member(id, .5) : make_pile(4, 4, 4, .5, (uint64_t)id);
        vs_problem *problem = id % 6 == 4   ? make_local(context_of(state), (uint64_t)id)
                              : id % 6 == 5 ? make_general(context_of(state), false, (uint64_t)id)
                                            : must_build(context_of(state), &s);
        coloured c;
        begin_coloured(&c, problem);
        check_colouring(&c);
        end_coloured(&c);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
}

// A sphere of a pile has at most six contacts here, a contact ten neighbours: eleven colours do, of about equal size.
static void a_pile_has_few_colours_of_equal_size(void **state) {
    scene s = make_pile(6, 6, 6, .5, 1);
    vs_problem *problem = must_build(context_of(state), &s);
    coloured c;
    begin_coloured(&c, problem);
    int least = c.impulses.problem->groups, most = 0;
    for (int k = 0; k < c.colouring.colours; k++) {
        int size = c.colouring.start[k + 1] - c.colouring.start[k];
        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    print_message("  %d contacts, %d colours of %d to %d\n", c.impulses.problem->groups, c.colouring.colours, least,
                  most);
    assert_true(c.colouring.colours <= 11);
    assert_true(most <= 2 * least + 2);
    end_coloured(&c);
    vs_problem_destroy(problem);
    free_scene(&s);
}

// 100 points lie on one plate: all contacts meet there.
static void contacts_without_a_colour_are_left_over(void **state) {
    scene s = {0};
    const double still[6] = {0}, inertia[3] = {1, 1, 1}, up[3] = {0, 0, 1};
    add_rigid(&s, 10, inertia, still);
    for (int k = 0; k < 100; k++) {
        double r[3] = {.01 * k, .1 * (k % 7), 0};
        scene_body *body = add_body(&s, 3);
        for (int j = 0; j < 3; j++)
            body->H[4 * j] = 1;
        body->c[2] = 1;
        add_contact_at(&s, FRICTION, 0, k + 1, up, r, still, .5);
    }
    vs_problem *problem = must_build(context_of(state), &s);
    coloured c;
    begin_coloured(&c, problem);
    check_colouring(&c);
    assert_int_equal(c.colouring.colours, VS_COLOURS_MOST);
    assert_int_equal(c.impulses.problem->groups - c.colouring.start[VS_COLOURS_MOST], 100 - VS_COLOURS_MOST);
    end_coloured(&c);
    vs_solver_options options = choose(&variants[2], VS_MODEL_EXACT, 1e-8);
    outcome o = solve_problem(problem, &options);
    assert_converged("plate", &o);
    free_outcome(&o);
    vs_problem_destroy(problem);
    free_scene(&s);
}

// ---- promises --------------------------------------------------------------------------------------------

// 1 500 spheres: colours and loops have more than one chunk.
static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    const variant both[2] = {variants[2], variants[VARIANTS - 1]};
    scene s = make_pile(16, 16, 6, .5, 3);
    for (int k = 0; k < 4; k += VS_SHORT ? 3 : 1) {
        enum { RUNS = VS_SHORT ? 2 : 3 };
        outcome o[RUNS];
        vs_solver_options options = choose(&both[k % 2], k < 2 ? VS_MODEL_EXACT : VS_MODEL_RELAXED, 1e-12);
        options.max_iterations = 40;
        for (int run = 0; run < RUNS; run++) {
            memory m;
            vs_context *context = make_threaded_context(&m, run == RUNS - 1 ? 3 : run + 1);
            o[run] = solve_scene(context, &s, &options);
            assert_int_equal(o[run].error, VS_OK);
            end_context(context, &m);
        }
        for (int j = 1; j < RUNS; j++) {
            assert_memory_equal(o[0].lambda, o[j].lambda, sizeof(double) * (size_t)o[0].m);
            assert_memory_equal(o[0].v, o[j].v, sizeof(double) * (size_t)o[0].n);
            assert_int_equal(o[0].iterations, o[j].iterations);
        }
        for (int j = 0; j < RUNS; j++)
            free_outcome(&o[j]);
    }
    free_scene(&s);
}

static void solving_allocates_nothing_and_a_solution_costs_nothing(void **state) {
    (void)state;
    for (int k = 0; k < VARIANTS; k++) {
        memory m;
        vs_context *context = make_context(&m);
        scene s = make_member(EVERYTHING, .5);
        vs_problem *problem = must_build(context, &s);
        vs_solver_options options = choose(&variants[k], VS_MODEL_RELAXED, 1e-8);
        vs_solver *solver = NULL;
        vs_result result;
        assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
        int calls = m.calls;
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(vs_solver_update(solver, problem), VS_OK);
        assert_int_equal(m.calls, calls);
        outcome cold = keep_result(problem, &options, &result);
        assert_converged(name_of(&variants[k]), &cold);
        assert_true(cold.iterations > 0);

        assert_int_equal(vs_solver_warm_start(solver, NULL, cold.g, cold.lambda), VS_OK);
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(result.status, VS_STATUS_CONVERGED);
        assert_int_equal(result.iterations, 0);

        // a start next to it costs fewer than from rest
        for (int j = 0; j < cold.m; j++)
            cold.lambda[j] *= 1 + 1e-6;
        assert_int_equal(vs_solver_warm_start(solver, NULL, cold.g, cold.lambda), VS_OK);
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(result.status, VS_STATUS_CONVERGED);
        assert_true(result.iterations > 0 && result.iterations < cold.iterations);

        // and the same again without: the same bits as at first
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(result.iterations, cold.iterations);
        assert_memory_equal(result.v, cold.v, sizeof(double) * (size_t)cold.n);
        free_outcome(&cold);
        vs_solver_destroy(solver);
        vs_problem_destroy(problem);
        free_scene(&s);
        end_context(context, &m);
    }
}

static void every_refused_allocation_is_reported_and_nothing_leaks(void **state) {
    (void)state;
    scene s = make_member(EVERYTHING, .5);
    for (int k = 0; k < VARIANTS; k++) {
        vs_solver_options options = choose(&variants[k], VS_MODEL_EXACT, 1e-6);
        vs_error error = VS_ERROR_MEMORY;
        for (int refused = 0; error; refused++) {
            memory m;
            vs_context *context = make_context(&m);
            vs_problem *problem = must_build(context, &s);
            vs_solver *solver = NULL;
            refuse_call(&m, refused);
            error = vs_solver_create(problem, &options, &solver);
            assert_true(error ? error == VS_ERROR_MEMORY && !solver : solver != NULL);
            refuse_none(&m);
            vs_solver_destroy(solver);
            vs_problem_destroy(problem);
            end_context(context, &m);
        }
    }
    free_scene(&s);
}

// Other values of the same pattern: as if created again.
static void an_update_is_as_good_as_a_new_solver(void **state) {
    scene one = make_member(EVERYTHING, .5), two = copy_scene(&one);
    scale_units(&two, 3, 1);
    for (int k = 0; k < two.links; k++)
        two.link[k].mu *= .7;
    vs_problem *first = must_build(context_of(state), &one), *second = must_build(context_of(state), &two);
    for (int k = 0; k < VARIANTS; k++) {
        vs_solver_options options = choose(&variants[k], VS_MODEL_RELAXED, 1e-8);
        vs_solver *solver = NULL;
        vs_result result;
        outcome anew = solve_problem(second, &options);
        assert_int_equal(vs_solver_create(first, &options, &solver), VS_OK);
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(vs_solver_update(solver, second), VS_OK);
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(result.iterations, anew.iterations);
        assert_memory_equal(result.v, anew.v, sizeof(double) * (size_t)anew.n);
        vs_solver_destroy(solver);
        free_outcome(&anew);
    }
    vs_problem_destroy(first), vs_problem_destroy(second);
    free_scene(&one), free_scene(&two);
}

// What has no solution ends, with the best that was seen.
static void a_problem_without_solution_ends(void **state) {
    vs_problem *problem = make_unsolvable(context_of(state));
    for (int k = 0; k < VARIANTS; k++) {
        vs_solver_options options = choose(&variants[k], VS_MODEL_EXACT, 1e-8);
        outcome o = solve_problem(problem, &options);
        assert_int_equal(o.error, VS_OK);
        assert_int_not_equal(o.status, VS_STATUS_CONVERGED);
        assert_true(relative_error(&o.measures) <= 1 + 1e-12); // rest has 1
        free_outcome(&o);
    }
    vs_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sliding_point_follows_the_closed_forms),
        cmocka_unit_test(all_find_the_velocities_of_the_default),
        cmocka_unit_test(matrices_are_solved_too),
        cmocka_unit_test(the_objective_never_rises),
        cmocka_unit_test(acceleration_serves_every_sweep),
        cmocka_unit_test(groups_of_one_colour_do_not_meet),
        cmocka_unit_test(a_pile_has_few_colours_of_equal_size),
        cmocka_unit_test(contacts_without_a_colour_are_left_over),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(solving_allocates_nothing_and_a_solution_costs_nothing),
        cmocka_unit_test(every_refused_allocation_is_reported_and_nothing_leaks),
        cmocka_unit_test(an_update_is_as_good_as_a_new_solver),
        cmocka_unit_test(a_problem_without_solution_ends),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
