// One problem over several ranks: the solution is that of one process. Started by mpirun -np 1, 2, 3, 4; rank 0 solves
// the whole problem as well, with the same code and no ranks, and compares.
#include "pair.h"

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

// Full inertias, joints (an indefinite matrix), box constraints, contacts of one row; and all of it compliant.
static void test_every_kind_of_row(void **state) {
    for (int k = 0; k < 4; k++) {
        recipe how = {.seed = 7 + (uint64_t)k, .bodies = 10, .dofs = k % 2 ? 3 : 6, .friction = 8, .smooth = 4};
        how.joints = 4, how.bounds = 3, how.mu = .8, how.compliant = k >= 2;
        scene s = make_random(&how);
        solve_and_compare(state, &s, VS_METHOD_IPM, VS_MODEL_RELAXED, 1e-10);
        free_scene(&s);
    }
}

// ---- problems from matrices ----------------------------------------------------------------------------------------

// A chain of contacts, each coupled to those up to two places away: N = A A' + 1/2, made unsymmetric by `skew` of its
// largest entry. Every third contact has no friction, whose tangential rows are dropped, also as ghosts.
static vs_problem *make_chain(vs_context *context, double skew, uint64_t seed) {
    enum { CONTACTS = 18, M = 3 * CONTACTS, NEAR = 6 };
    static columns room;
    static double A[M][M], N[M * M], r[M], mu[CONTACTS];
    for (int k = 0; k < M; k++) {
        mu[k / 3] = k / 3 % 3 == 2 ? 0 : .4;
        r[k] = random_in(&seed, -1, 1) - (k % 3 == 0);
        for (int j = 0; j < M; j++)
            A[k][j] = j >= k && j < k + NEAR ? random_in(&seed, -1, 1) : 0;
    }
    for (int k = 0; k < M; k++)
        for (int j = 0; j < M; j++) {
            double sum = k == j ? .5 : 0;
            for (int h = 0; h < M; h++)
                sum += A[k][h] * A[j][h];
            N[k * M + j] = sum + (sum == 0 ? 0 : k < j ? skew : k > j ? -skew : 0);
        }
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = view_columns(&room, N, M, M);
    def.r = r, def.mu = mu, def.contacts = CONTACTS;
    vs_problem *problem = NULL;
    if (vs_problem_from_local(context, &def, &problem))
        fail_msg("%s", vs_context_get_error_text(context));
    return problem;
}

static void test_the_local_form(void **state) {
    vs_context *context = context_of(state);
    const bool first = vs_mpi_rank() == 0;
    for (int k = 0; k < 2; k++) {
        const double skew = k ? 1e-3 : 0;
        solve_whole(context, first ? make_chain(context, skew, 21) : NULL, VS_METHOD_IPM, VS_MODEL_RELAXED, 1e-10);
        solve_whole(context, first ? make_chain(context, skew, 22) : NULL, VS_METHOD_IPM, VS_MODEL_FRICTIONLESS, 1e-10);
        solve_whole(context, first ? make_chain(context, skew, 23) : NULL, VS_METHOD_APGD, VS_MODEL_RELAXED, 1e-9);
        solve_whole(context, first ? make_chain(context, skew, 24) : NULL, VS_METHOD_SPG, VS_MODEL_FRICTIONLESS, 1e-9);
    }
    // a pattern that is not that of its transpose, and contacts that are not coupled
    solve_whole(context, first ? make_local(context, 25) : NULL, VS_METHOD_AUTO, VS_MODEL_RELAXED, 1e-10);
}

// One body of 20 velocities, joints among its rows. An unsymmetric one has its contacts on rank 0.
static void test_general_masses(void **state) {
    vs_context *context = context_of(state);
    const bool first = vs_mpi_rank() == 0;
    for (uint64_t seed = 31; seed < 33; seed++) {
        solve_whole(context, first ? make_general(context, false, seed) : NULL, VS_METHOD_IPM, VS_MODEL_RELAXED, 1e-10);
        solve_whole(context, first ? make_general(context, true, seed) : NULL, VS_METHOD_IPM, VS_MODEL_RELAXED, 1e-10);
        solve_whole(context, first ? make_general(context, false, seed) : NULL, VS_METHOD_APGD, VS_MODEL_RELAXED, 1e-9);
        solve_whole(context, first ? make_general(context, false, seed) : NULL, VS_METHOD_SPG, VS_MODEL_FRICTIONLESS,
                    1e-9);
    }
}

// What every rank has of a problem from matrices: its rows or velocities, with ghosts that know the owner's values.
static void check_parts(vs_context *context, vs_problem *whole) {
    pair p = divide_problem(context, whole);
    const vs_problem *part = vs_distributed_get_part(p.distributed);
    const vs_space *space = part->space;
    const int total = part->local ? part->N.cols : part->n;
    const vs_sparse *A = part->local ? &part->N : &part->H;
    double sums[] = {part->contacts, space->owned, 0, 0};
    for (int64_t t = 0; t < A->p[A->cols]; t++)
        sums[2] += fabs(A->x[t]);
    for (int j = space->owned; j < total && !part->local; j++)
        assert_true(part->H.p[j + 1] == part->H.p[j]); // a ghost's column is its owner's
    vs_space_sums(space, 4, sums);
    if (whole) {
        const vs_sparse *all = whole->local ? &whole->N : &whole->H;
        for (int64_t t = 0; t < all->p[all->cols]; t++)
            sums[3] += fabs(all->x[t]);
        assert_true(sums[0] == whole->contacts && sums[1] == all->cols && fabs(sums[2] - sums[3]) <= 1e-12 * sums[3]);
    }
    vs_traffic traffic;
    assert_int_equal(vs_distributed_get_traffic(p.distributed, &traffic), VS_OK);
    assert_true((traffic.ghosts > 0) == (space->size > 1));
    end_pair(&p);
}

static void test_parts_of_matrices_are_the_whole(void **state) {
    vs_context *context = context_of(state);
    const bool first = vs_mpi_rank() == 0;
    check_parts(context, first ? make_chain(context, 1e-3, 41) : NULL);
    check_parts(context, first ? make_general(context, false, 42) : NULL);
    check_parts(context, first ? make_general(context, true, 43) : NULL);
}

// One body and one contact: ranks without any take part nevertheless.
static void test_more_ranks_than_bodies(void **state) {
    vs_context *context = context_of(state);
    scene s = make_pile(1, 1, 1, .3, 15);
    solve_and_compare(state, &s, VS_METHOD_IPM, VS_MODEL_RELAXED, 1e-10);
    solve_and_compare(state, &s, VS_METHOD_APGD, VS_MODEL_RELAXED, 1e-9);
    free_scene(&s);
    const double N[] = {2, .1, 0, .1, 1.5, .2, 0, .2, 1}, r[] = {-1, .3, .1}, mu[] = {.4};
    static columns room;
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = view_columns(&room, N, 3, 3);
    def.r = r, def.mu = mu, def.contacts = 1;
    for (int k = 0; k < 2; k++) {
        vs_problem *problem = NULL;
        if (vs_mpi_rank() == 0)
            assert_int_equal(vs_problem_from_local(context, &def, &problem), VS_OK);
        solve_whole(context, problem, k ? VS_METHOD_APGD : VS_METHOD_IPM, VS_MODEL_RELAXED, 1e-9);
    }
}

// ---- dividing ------------------------------------------------------------------------------------------------------

static void test_parts_are_the_whole(void **state) {
    scene s = make_pile(4, 4, 4, .3, 13);
    pair p = divide(context_of(state), &s);
    const vs_problem *part = vs_distributed_get_part(p.distributed);
    const vs_space *space = part->space;
    double sums[] = {part->contacts, part->m, space->owned};
    vs_space_sums(space, 3, sums);
    assert_true(part->contacts < sums[0] || space->size == 1); // nobody has all
    if (p.whole) {
        assert_true(sums[0] == p.whole->contacts && sums[1] == p.whole->m && sums[2] == p.whole->n);
    }
    // Every velocity has one owner: of ones on owners alone all copies become 1.
    double *x = calloc((size_t)part->n, sizeof *x);
    for (int j = 0; j < part->n; j++)
        x[j] = 1;
    vs_space_assemble_begin(space, part->n, x);
    vs_space_assemble_end(space, x);
    for (int j = 0; j < part->n; j++)
        assert_true(x[j] == 1);
    // ... and of ones everywhere the number of copies, the same on all: their sum over owners is the sum of all.
    vs_space_assemble_end(space, x);
    double copies[] = {0, part->n};
    for (int j = 0; j < space->owned; j++)
        copies[0] += x[j];
    vs_space_sums(space, 2, copies);
    assert_true(copies[0] == copies[1]);
    vs_traffic traffic;
    assert_int_equal(vs_distributed_get_traffic(p.distributed, &traffic), VS_OK);
    assert_int_equal(traffic.ranks, space->size);
    assert_true(traffic.exchanges == 2 && traffic.bytes == 2 * 2 * 8 * traffic.ghosts);
    assert_true((traffic.contacts_cut > 0) == (space->size > 1));
    free(x);
    end_pair(&p);
    free_scene(&s);
}

static void test_what_cannot_be_is_an_error_on_every_rank(void **state) {
    scene s = make_pile(2, 2, 1, .3, 14);
    pair p = divide(context_of(state), &s);
    vs_solver_options options = vs_solver_options_default();
    vs_solver *solver = NULL;
    const vs_problem *part = vs_distributed_get_part(p.distributed);
    options.method = VS_METHOD_IPM; // exact friction by a fixed point
    assert_int_equal(vs_solver_create(part, &options, &solver), VS_ERROR_UNSUPPORTED);
    assert_non_null(strstr(vs_context_get_error_text(p.context), "distributed problems"));
    options.model = VS_MODEL_RELAXED;
    options.method = VS_METHOD_JACOBI;
    assert_int_equal(vs_solver_create(part, &options, &solver), VS_ERROR_UNSUPPORTED);
    options.method = VS_METHOD_IPM;
    options.linear_solver = "ldl";
    assert_int_equal(vs_solver_create(part, &options, &solver), VS_ERROR_UNSUPPORTED);
    end_pair(&p);
    free_scene(&s);

    p = divide_problem(p.context, vs_mpi_rank() == 0 ? make_chain(p.context, 0, 16) : NULL);
    options.linear_solver = "auto";
    options.form = VS_FORM_VELOCITY; // the local form has none
    assert_int_equal(vs_solver_create(vs_distributed_get_part(p.distributed), &options, &solver), VS_ERROR_UNSUPPORTED);
    end_pair(&p);
}

int main(int argc, char **argv) {
    if (vs_mpi_start(&argc, &argv))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_are_the_whole),
        cmocka_unit_test(test_gradient_methods_find_the_serial_solution),
        cmocka_unit_test(test_interior_point_finds_the_serial_solution),
        cmocka_unit_test(test_every_kind_of_row),
        cmocka_unit_test(test_the_local_form),
        cmocka_unit_test(test_general_masses),
        cmocka_unit_test(test_more_ranks_than_bodies),
        cmocka_unit_test(test_parts_of_matrices_are_the_whole),
        cmocka_unit_test(test_what_cannot_be_is_an_error_on_every_rank),
    };
    const int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    if (failed > 0)
        vs_mpi_abort(1); // the others may wait for this rank
    vs_mpi_end();
    return 0;
}
