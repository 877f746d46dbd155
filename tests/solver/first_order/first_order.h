// What the tests of the first-order methods share: random members of families of scenes, a stack of bricks, promises
// that hold for every method.
#ifndef VS_TESTS_SOLVER_FIRST_ORDER_H
#define VS_TESTS_SOLVER_FIRST_ORDER_H

#include "solver/families.h"
#include "solver/parts.h"

// ---- scenes ----------------------------------------------------------------------------------------------

// The id-th random scene; its family is id % FAMILIES. Boxes are in the last two.
static inline scene make_member(int id) {
    return make_of_family(id, (uint64_t)id + 4711);
}

// Ten bricks one on the other, four contacts an interface.
static inline wall make_stack(int bricks, double mu) {
    wall w = {.rows = bricks};
    for (int k = 0; k < bricks; k++) {
        add_brick(&w, 0, brick_half[0]);
        join_bricks(&w, k - 1, k, mu);
    }
    return w;
}

// The floor bears the weight of all bricks, every brick that of those above.
static inline void check_stack_carries_its_weight(vs_context *context, const vs_solver_options *options) {
    enum { BRICKS = 10 };
    wall w = make_stack(BRICKS, .6);
    outcome o = solve_scene(context, &w.s, options);
    assert_converged("stack", &o);
    double weight = w.s.body[0].H[0] * gravity * time_step; // N s, of one brick and one step
    for (int level = 0; level < BRICKS; level++) {
        double sum = 0;
        for (int k = 0; k < 4; k++)
            sum += o.lambda[3 * (4 * level + k)];
        // velocities left: the tolerance times those of the free motion, times the ten bricks above each other
        assert_near("weight on a level", sum / weight, BRICKS - level, 100 * options->tolerance * BRICKS);
    }
    free_outcome(&o);
    free_scene(&w.s);
}

// ---- promises --------------------------------------------------------------------------------------------

static inline void assert_same(const outcome *a, const outcome *b) {
    assert_int_equal(a->iterations, b->iterations);
    assert_memory_equal(a->lambda, b->lambda, sizeof(double) * (size_t)a->m);
    assert_memory_equal(a->g, b->g, sizeof(double) * (size_t)a->m_e);
}

// Solving allocates nothing, gives the same bits again and with more threads, and after an update those of a new
// solver.
static inline void check_memory_and_bits(const vs_solver_options *options) {
    scene s = make_member(EVERYTHING), other = copy_scene(&s);
    for (int k = 0; k < other.bodies; k++)
        other.body[k].c[2] *= 1.25;
    outcome reference[2] = {{0}};
    for (int threads = 1; threads <= 3; threads += 2) {
        memory m;
        vs_context *context = make_threaded_context(&m, threads);
        vs_problem *problem[2] = {must_build(context, &s), must_build(context, &other)};
        vs_solver *solver = NULL;
        assert_int_equal(vs_solver_create(problem[0], options, &solver), VS_OK);
        for (int k = 0; k < 4; k++) {
            vs_result result;
            m.calls = 0;
            assert_int_equal(vs_solver_update(solver, problem[k / 2]), VS_OK);
            assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
            assert_int_equal(m.calls, 0);
            outcome o = keep_result(problem[k / 2], options, &result);
            if (threads == 1 && k % 2 == 0)
                reference[k / 2] = solve_problem(problem[k / 2], options);
            assert_same(&o, &reference[k / 2]);
            free_outcome(&o);
        }
        vs_solver_destroy(solver);
        vs_problem_destroy(problem[0]), vs_problem_destroy(problem[1]);
        end_context(context, &m);
    }
    free_outcome(&reference[0]), free_outcome(&reference[1]);
    free_scene(&s), free_scene(&other);
}

// Started at its own solution a method has nothing to do; started at that of a problem nearby, it has less to do.
static inline void check_warm_start(vs_context *context, const vs_solver_options *options) {
    scene s = make_pile(3, 3, 3, .3, 11);
    vs_problem *problem = must_build(context, &s);
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    outcome cold = keep_result(problem, options, &result);
    assert_converged("cold", &cold);
    assert_int_equal(vs_solver_warm_start(solver, cold.v, cold.g, cold.lambda), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    assert_int_equal(result.iterations, 0);
    assert_int_equal(result.status, VS_STATUS_CONVERGED);
    for (int k = 0; k < cold.m; k++)
        cold.lambda[k] *= 1.0001;
    assert_int_equal(vs_solver_warm_start(solver, cold.v, cold.g, cold.lambda), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    assert_int_equal(result.status, VS_STATUS_CONVERGED);
    assert_in_range(result.iterations, 1, cold.iterations - 1);
    free_outcome(&cold);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    free_scene(&s);
}

// Every allocation refused once: an error, nothing lost.
static inline void check_refused_allocations(const vs_solver_options *options) {
    scene s = make_member(EVERYTHING);
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = must_build(context, &s);
    const int before = m.alive;
    vs_error error = VS_ERROR_MEMORY;
    int refused = 0;
    for (; error && refused < 1000; refused++) {
        vs_solver *solver = NULL;
        refuse_call(&m, refused);
        error = vs_solver_create(problem, options, &solver);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        vs_solver_destroy(solver);
        assert_int_equal(m.alive, before);
    }
    assert_int_equal(error, VS_OK);
    assert_true(refused > 3);
    refuse_none(&m);
    vs_problem_destroy(problem);
    end_context(context, &m);
    free_scene(&s);
}

// No solution: it ends, says so, and returns nothing worse than rest.
static inline void check_unsolvable(vs_context *context, const vs_solver_options *options) {
    vs_problem *problem = make_unsolvable(context);
    outcome o = solve_problem(problem, options);
    assert_int_equal(o.error, VS_OK);
    assert_int_not_equal(o.status, VS_STATUS_CONVERGED);
    assert_true(o.measures.energy_error <= o.measures.energy_scale);
    free_outcome(&o);
    vs_problem_destroy(problem);
}

// A body that nothing touches.
static inline void check_nothing_to_do(vs_context *context, const vs_solver_options *options) {
    scene s = {0};
    add_rigid(&s, 2, (double[3]){1, 1, 1}, (double[6]){1, 2, 3});
    outcome o = solve_scene(context, &s, options);
    assert_converged("no contacts", &o);
    assert_int_equal(o.iterations, 0);
    assert_near("velocity", o.v[2], 3, 1e-15);
    free_outcome(&o);
    free_scene(&s);
}

// ---- problems from matrices ------------------------------------------------------------------------------

// Three contacts in impulses, N = A A' + 1/2 and a skew part of the given size; diagonal about 3.
static inline vs_problem *make_skew(vs_context *context, double skew, uint64_t seed) {
    enum { CONTACTS = 3, M = 3 * CONTACTS };
    double A[M][M], x[M * M], r[M];
    const double mu[CONTACTS] = {.3, .7, .5};
    int64_t p[M + 1];
    int i[M * M];
    for (int k = 0; k < M; k++)
        for (int j = 0; j < M; j++)
            A[k][j] = random_in(&seed, -1, 1);
    for (int j = 0; j < M; j++) {
        p[j] = (int64_t)j * M;
        r[j] = random_in(&seed, -1, 1) - (j % 3 == 0);
        for (int k = 0; k < M; k++) {
            double sum = k == j ? .5 : k < j ? skew : -skew;
            for (int h = 0; h < M; h++)
                sum += A[k][h] * A[j][h];
            i[j * M + k] = k;
            x[j * M + k] = sum;
        }
    }
    p[M] = (int64_t)M * M;
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = (vs_matrix_view){M, M, p, i, x};
    def.r = r, def.mu = mu, def.contacts = CONTACTS;
    vs_problem *problem = NULL;
    if (vs_problem_from_local(context, &def, &problem))
        fail_msg("%s", vs_context_get_error_text(context));
    return problem;
}

#endif
