// The sparsified matrix as a preconditioner: the same Newton steps as with the whole velocity form in about as many steps
// of flexible GMRES, for contacts that stick, slide and open; rebuilt when a contact gains weight; and nothing of it
// left to the next solve.
#include "solver/parts.h"
#include "solver/kkt/newton.h"
#include "solver/kkt/sparsified.h"

typedef struct newton_case {
    memory memory;
    vs_context *context;
    vs_problem *problem;
    vs_arena arena;
    vs_method_run run;
    vs_newton newton;
    vs_cone_pair *pairs;
    double *dv, *dl, *Ddv;
} newton_case;

static const vs_linear_backend *engine(void) {
    const vs_linear_backend *single = vs_linear_backend_find("mumps-single");
    return single ? single : vs_linear_backend_find("ldl");
}

static void begin(newton_case *f, vs_model model) {
    *f = (newton_case){0};
    f->context = make_context(&f->memory);
    scene s = make_pile(5, 5, 5, .3, 7);
    f->problem = must_build(f->context, &s);
    free_scene(&s);
    vs_arena_init(&f->arena, f->context);
    vs_solver_options options = vs_solver_options_default();
    options.model = model;
    assert_int_equal(vs_method_run_create(&f->run, f->problem, &options, &f->arena), VS_OK);
    const vs_scaled *scaled = &f->run.scaled;
    f->pairs = VS_NEW_ZERO(&f->arena, vs_cone_pair, scaled->cones);
    f->dv = VS_NEW_ZERO(&f->arena, double, scaled->n);
    f->dl = VS_NEW_ZERO(&f->arena, double, scaled->m);
    f->Ddv = VS_NEW_ZERO(&f->arena, double, scaled->m);
    assert_int_equal(vs_newton_create(&f->newton, scaled, &vs_reduction_velocity, engine(), &f->arena), VS_OK);
    assert_int_equal(vs_newton_allow_sparsified(&f->newton, &f->arena), VS_OK);
}

static void end(newton_case *f) {
    vs_newton_release(&f->newton);
    vs_method_run_release(&f->run);
    vs_arena_release(&f->arena);
    vs_problem_destroy(f->problem);
    end_context(f->context, &f->memory);
}

// As if a factorization took hours: thinning out pays.
static void make_expensive(newton_case *f) {
    f->newton.sparsified->full.flops = 1e15;
}

// A third of the contacts each sticks, slides and opens; `gap` is lambda'y.
static void set_pairs(newton_case *f, double gap) {
    const vs_scaled *scaled = &f->run.scaled;
    uint64_t seed = 3;
    for (int k = 0; k < scaled->cones; k++) {
        double size = random_in(&seed, .5, 2), angle = random_in(&seed, 0, 6);
        double lambda[3] = {size, 0, 0}, y[3] = {gap / size, 0, 0};
        if (k % 3 == 1) { // both near their boundaries, on opposite sides
            const double near = 1 - gap;
            lambda[1] = near * size * cos(angle), lambda[2] = near * size * sin(angle);
            y[0] = size, y[1] = -near * size * cos(angle), y[2] = -near * size * sin(angle);
        } else if (k % 3 == 2) {
            lambda[0] = gap / size, y[0] = size;
        }
        vs_cone_of(scaled->kind[k])->set(f->pairs + k, lambda, y);
    }
}

// One Newton step for a right-hand side of ones and signs; returns the steps of flexible GMRES.
static int solve(newton_case *f) {
    const vs_scaled *scaled = &f->run.scaled;
    double *d = make_doubles(scaled->n), *e = make_doubles(1), *c = make_doubles(scaled->m);
    for (int k = 0; k < scaled->n; k++)
        d[k] = k % 2 ? 1 : -1;
    for (int k = 0; k < scaled->m; k++)
        c[k] = k % 3 ? .1 : 1;
    assert_int_equal(vs_newton_factor(&f->newton, f->pairs), VS_OK);
    vs_newton_step step = {f->dv, NULL, f->dl, f->Ddv, 0};
    assert_int_equal(vs_newton_solve(&f->newton, (vs_newton_rhs){d, e, c}, 1e-7, &step), VS_OK);
    assert_int_equal(vs_newton_check(&f->newton), VS_OK);
    assert_true(f->newton.solver->report.backward_error < 1e-5); // of single precision, with growth
    free(d), free(e), free(c);
    return step.refinements;
}

static void check_steps(vs_model model) {
    for (double gap = 1e-1; gap > 1e-9; gap *= 1e-2) {
        newton_case whole, thin;
        begin(&whole, model);
        begin(&thin, model);
        make_expensive(&thin);
        set_pairs(&whole, gap);
        set_pairs(&thin, gap);
        int steps = solve(&whole), thin_steps = solve(&thin);
        int extra = thin.newton.solver->n - whole.newton.solver->n;
        double difference = largest_difference(whole.dv, thin.dv, whole.run.scaled.n);
        print_message("  gap %g: %d and %d steps, %d rows, velocities differ by %g\n", gap, steps, thin_steps, extra,
                      difference);
        assert_true(whole.newton.sparsified->full_now);
        if (gap < 1e-2) { // the opening contacts have lost their weight
            assert_false(thin.newton.sparsified->full_now);
            assert_true(extra > 0 && thin.newton.sparsified->share < .75);
        }
        // what is left out is at most .3 of a mass: each step leaves a tenth of the residual or less
        assert_true(thin_steps <= steps + 7);
        // residuals of 1e-7 in a system whose least eigenvalue is the mass, 1
        assert_true(difference <= 1e-6);
        end(&whole);
        end(&thin);
    }
}

static void finds_the_same_steps_with_friction(void **state) {
    (void)state;
    check_steps(VS_MODEL_RELAXED);
}

static void finds_the_same_steps_without_friction(void **state) {
    (void)state;
    check_steps(VS_MODEL_FRICTIONLESS);
}

static void stays_whole_where_thinning_does_not_pay(void **state) {
    (void)state;
    newton_case f;
    begin(&f, VS_MODEL_RELAXED);
    set_pairs(&f, 1e-6);
    solve(&f);
    assert_true(f.newton.sparsified->full_now); // 125 bodies: a new order costs more than the factor
    end(&f);
}

static void takes_a_contact_back_that_gains_weight(void **state) {
    (void)state;
    newton_case f;
    begin(&f, VS_MODEL_RELAXED);
    make_expensive(&f);
    set_pairs(&f, 1e-6);
    solve(&f);
    const vs_scaled *scaled = &f.run.scaled;
    int k = 2; // it was opening
    while (f.newton.sparsified->a[k] == f.newton.sparsified->b[k])
        k += 3;
    assert_int_equal(f.newton.sparsified->kept[k], 0);
    vs_cone_of(scaled->kind[k])->set(f.pairs + k, (double[]){1, 0, 0}, (double[]){1e-6, 0, 0});
    int steps = solve(&f);
    assert_int_equal(f.newton.sparsified->kept[k], 3);
    assert_true(steps <= 8);
    end(&f);
}

static void leaves_nothing_to_the_next_solve(void **state) {
    (void)state;
    newton_case f;
    begin(&f, VS_MODEL_RELAXED);
    make_expensive(&f);
    const int n = f.run.scaled.n;
    double *first = make_doubles(n);
    for (int again = 0; again < 2; again++) {
        vs_newton_begin(&f.newton);
        for (double gap = 1e-2; gap > 1e-7; gap *= 1e-2) {
            set_pairs(&f, gap);
            solve(&f);
        }
        if (again == 0)
            memcpy(first, f.dv, sizeof(double) * (size_t)n);
    }
    assert_memory_equal(first, f.dv, sizeof(double) * (size_t)n);
    free(first);
    end(&f);
}

// Each allocation of a new matrix refused in turn: an error, and the next try is as if it had never been.
static void refused_memory_costs_nothing_later(void **state) {
    (void)state;
    newton_case f;
    begin(&f, VS_MODEL_RELAXED);
    make_expensive(&f);
    set_pairs(&f, 1e-6);
    const int before = f.memory.calls;
    solve(&f);
    const int calls = f.memory.calls - before, n = f.run.scaled.n;
    assert_true(calls >= 3); // pattern, order, backend
    double *right = make_doubles(n);
    memcpy(right, f.dv, sizeof(double) * (size_t)n);
    for (int refused = 0; refused < calls; refused++) {
        set_pairs(&f, 1); // another matrix
        vs_newton_begin(&f.newton);
        solve(&f);
        set_pairs(&f, 1e-6);
        vs_newton_begin(&f.newton);
        refuse_call(&f.memory, refused);
        assert_int_equal(vs_newton_factor(&f.newton, f.pairs), VS_ERROR_MEMORY);
        vs_newton_begin(&f.newton);
        solve(&f);
        assert_memory_equal(f.dv, right, sizeof(double) * (size_t)n);
    }
    free(right);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_same_steps_with_friction),
        cmocka_unit_test(finds_the_same_steps_without_friction),
        cmocka_unit_test(stays_whole_where_thinning_does_not_pay),
        cmocka_unit_test(takes_a_contact_back_that_gains_weight),
        cmocka_unit_test(leaves_nothing_to_the_next_solve),
        cmocka_unit_test(refused_memory_costs_nothing_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
