// One problem over several ranks: the solution is that of one process. Started by mpirun -np 1, 2, 3, 4; rank 0 solves
// the whole problem as well, with the same code and no ranks, and compares.
#include "../solver/solving.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "problem/problem_data.h"
#include "voussoir/mpi/distributed.h"

// Both solves leave an error of about tolerance times the velocities without impulses, some times that where contacts
// are redundant: 1e-8 is what is promised.
static const double AGREE = 1e-8;

typedef struct pair {
    vs_context *context;
    vs_problem *whole; // rank 0
    vs_distributed *distributed;
} pair;

static pair divide(vs_context *context, const scene *s) {
    pair p = {.context = context};
    if (vs_mpi_rank() == 0)
        p.whole = must_build(context, s);
    assert_int_equal(vs_distributed_create(context, p.whole, &p.distributed), VS_OK);
    return p;
}

static void end_pair(pair *p) {
    vs_distributed_destroy(p->distributed);
    vs_problem_destroy(p->whole);
}

// The whole problem in one process, on rank 0 alone.
static void compare(const pair *p, const vs_solver_options *options, const vs_result *found) {
    vs_solver *solver = NULL;
    vs_result alone;
    assert_int_equal(vs_solver_create(p->whole, options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &alone), VS_OK);
    assert_int_equal(alone.status, VS_STATUS_CONVERGED);
    double speed = 0;
    for (int j = 0; j < p->whole->n; j++)
        speed = fmax(speed, fabs(alone.v[j]));
    assert_true(largest_difference(alone.v, found->v, p->whole->n) <= AGREE * speed);
    assert_true(largest_difference(alone.y, found->y, p->whole->m) <= 10 * AGREE * speed);

    // What the ranks have measured together is what one process measures of the gathered impulses.
    vs_measurer *measurer = NULL;
    vs_measures again;
    assert_int_equal(vs_measurer_create(p->whole, options->model, &measurer), VS_OK);
    assert_int_equal(vs_measure(measurer, found->g, found->lambda, NULL, NULL, &again), VS_OK);
    assert_true(fabs(again.energy_scale - found->measures.energy_scale) <= 1e-12 * again.energy_scale);
    // of values near roundoff only the size
    assert_true(again.energy_error <= 2 * found->measures.energy_error + 1e-24 * again.energy_scale);
    assert_true(again.natural_map_relative <= 2 * found->measures.natural_map_relative + 1e-13);
    vs_measurer_destroy(measurer);
    vs_solver_destroy(solver);
}

static void solve_and_compare(void **state, const scene *s, vs_method method, vs_model model, double tolerance) {
    pair p = divide(context_of(state), s);
    vs_solver_options options = vs_solver_options_default();
    options.model = model;
    options.method = method;
    options.tolerance = tolerance;
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(vs_distributed_part(p.distributed), &options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    if (result.status != VS_STATUS_CONVERGED)
        fail_msg("%s, %s: %s after %d iterations, %g of %g J", result.method, vs_model_name(model), result.status_text,
                 result.iterations, result.measures.energy_error, result.measures.energy_scale);
    assert_int_equal(vs_distributed_gather(p.distributed, &result), VS_OK);
    if (vs_mpi_rank() == 0)
        compare(&p, &options, &result);
    vs_solver_destroy(solver);
    end_pair(&p);
}

// ---- solving -------------------------------------------------------------------------------------------------------

static void test_gradient_methods_find_the_serial_solution(void **state) {
    scene s = make_pile(3, 3, 3, .2, 5);
    solve_and_compare(state, &s, VS_METHOD_APGD, VS_MODEL_RELAXED, 1e-10);
    solve_and_compare(state, &s, VS_METHOD_SPG, VS_MODEL_RELAXED, 1e-9); // 3e-10 is its limit here
    solve_and_compare(state, &s, VS_METHOD_APGD, VS_MODEL_FRICTIONLESS, 1e-10);
    free_scene(&s);
}

static void test_interior_point_finds_the_serial_solution(void **state) {
    scene s = make_pile(4, 4, 3, .3, 12);
    solve_and_compare(state, &s, VS_METHOD_IPM, VS_MODEL_RELAXED, 1e-10);
    solve_and_compare(state, &s, VS_METHOD_AUTO, VS_MODEL_FRICTIONLESS, 1e-10);
    free_scene(&s);
}

// Full inertias, joints (an indefinite matrix), bounded rows, contacts of one row; and all of it compliant.
static void test_every_kind_of_row(void **state) {
    for (int k = 0; k < 4; k++) {
        recipe how = {.seed = 7 + (uint64_t)k, .bodies = 10, .dofs = k % 2 ? 3 : 6, .friction = 8, .smooth = 4};
        how.joints = 4, how.bounds = 3, how.mu = .8, how.compliant = k >= 2;
        scene s = make_random(&how);
        solve_and_compare(state, &s, VS_METHOD_IPM, VS_MODEL_RELAXED, 1e-10);
        free_scene(&s);
    }
}

// ---- dividing ------------------------------------------------------------------------------------------------------

static void test_parts_are_the_whole(void **state) {
    scene s = make_pile(4, 4, 4, .3, 13);
    pair p = divide(context_of(state), &s);
    const vs_problem *part = vs_distributed_part(p.distributed);
    const vs_ranks *ranks = part->ranks;
    double sums[] = {part->contacts, part->m, ranks->owned};
    vs_ranks_sum(ranks, 3, sums);
    assert_true(part->contacts < sums[0] || ranks->size == 1); // nobody has all
    if (p.whole) {
        assert_true(sums[0] == p.whole->contacts && sums[1] == p.whole->m && sums[2] == p.whole->n);
    }
    // Every velocity has one owner: of ones on owners alone all copies become 1.
    double *x = calloc((size_t)part->n, sizeof *x);
    for (int j = 0; j < part->n; j++)
        x[j] = 1;
    vs_ranks_begin(ranks, part->n, x);
    vs_ranks_share(ranks, x);
    for (int j = 0; j < part->n; j++)
        assert_true(x[j] == 1);
    // ... and of ones everywhere the number of copies, the same on all: their sum over owners is the sum of all.
    vs_ranks_share(ranks, x);
    double copies[] = {0, part->n};
    for (int j = 0; j < ranks->owned; j++)
        copies[0] += x[j];
    vs_ranks_sum(ranks, 2, copies);
    assert_true(copies[0] == copies[1]);
    vs_traffic traffic;
    assert_int_equal(vs_distributed_traffic(p.distributed, &traffic), VS_OK);
    assert_int_equal(traffic.ranks, ranks->size);
    assert_true(traffic.exchanges == 2 && traffic.bytes == 2 * 2 * 8 * traffic.ghosts);
    assert_true((traffic.contacts_cut > 0) == (ranks->size > 1));
    free(x);
    end_pair(&p);
    free_scene(&s);
}

static void test_what_cannot_be_is_an_error_on_every_rank(void **state) {
    scene s = make_pile(2, 2, 1, .3, 14);
    pair p = divide(context_of(state), &s);
    vs_solver_options options = vs_solver_options_default();
    vs_solver *solver = NULL;
    const vs_problem *part = vs_distributed_part(p.distributed);
    assert_int_equal(vs_solver_create(part, &options, &solver), VS_ERROR_UNSUPPORTED); // exact friction
    assert_non_null(strstr(vs_context_error_text(p.context), "several ranks"));
    options.model = VS_MODEL_RELAXED;
    options.method = VS_METHOD_GAUSS_SEIDEL;
    assert_int_equal(vs_solver_create(part, &options, &solver), VS_ERROR_UNSUPPORTED);
    options.method = VS_METHOD_IPM;
    options.linear_solver = "ldl";
    assert_int_equal(vs_solver_create(part, &options, &solver), VS_ERROR_UNSUPPORTED);
    end_pair(&p);
    free_scene(&s);

    // one body: there is none for a second rank
    scene one = make_pile(1, 1, 1, .3, 15);
    vs_problem *whole = vs_mpi_rank() == 0 ? must_build(p.context, &one) : NULL;
    vs_distributed *distributed = NULL;
    vs_error error = vs_distributed_create(p.context, whole, &distributed);
    if (vs_mpi_size() > 3) { // its six velocities may be as many as three bodies
        assert_int_equal(error, VS_ERROR_UNSUPPORTED);
        assert_non_null(strstr(vs_context_error_text(p.context), "use fewer"));
        assert_null(distributed);
    }
    vs_distributed_destroy(distributed);
    vs_problem_destroy(whole);
    free_scene(&one);
}

int main(int argc, char **argv) {
    if (vs_mpi_start(&argc, &argv))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_are_the_whole),
        cmocka_unit_test(test_gradient_methods_find_the_serial_solution),
        cmocka_unit_test(test_interior_point_finds_the_serial_solution),
        cmocka_unit_test(test_every_kind_of_row),
        cmocka_unit_test(test_what_cannot_be_is_an_error_on_every_rank),
    };
    const int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    if (failed > 0)
        vs_mpi_abort(1); // the others may wait for this rank
    vs_mpi_end();
    return 0;
}
