// Sweeps over contacts in packs of four and of eight, with and without rolling friction: each lane is one contact solved exactly, sweeps of both kinds end at a solution,
// also beside joints and bounds, and neither threads nor the place of a contact in its pack change a bit.
#include "solver/splitting/lane_tests.h"

#include "solver/splitting/accelerated_sweeps.h"
#include "solver/splitting/packed_sweep.h"
#include "solver/splitting/proximal_sweeps.h"
#include "solver/splitting/sweep_course.h"

// ---- sweeps ----------------------------------------------------------------------------------------------

// The proximal point method around them.
static void proximal_sweeps(vs_sweeper *sweeper, const vs_sweep_limits *limits, double *l, double *y,
                            double *const *work, vs_sweep_outcome *ended) {
    vs_proximal_sweeps proximal;
    vs_proximal_sweeps_pack(&proximal, sweeper, work);
    vs_proximal_sweeps_solve(&proximal, limits, l, y, work, ended);
}

// From rest, in single precision to loose tolerances; l and y are the arena's.
static vs_sweep_outcome sweep_island(vs_accelerated_sweeps *method, parts *p, vs_impulse_problem *island,
                                     vs_sweep_limits limits, double **l) {
    vs_packed *packed;
    vs_sweep_outcome ended;
    assert_true(vs_packed_suits(island));
    assert_int_equal(vs_packed_create(island, &p->arena, &packed), VS_OK);
    double *work[VS_SWEEP_WORK], *y = VS_NEW_ZERO(&p->arena, double, island->rows);
    *l = VS_NEW_ZERO(&p->arena, double, island->rows);
    vs_packed_load(packed, *l, limits.tolerance > VS_SWEEP_SMALL);
    for (int i = 0; i < VS_SWEEP_WORK; i++)
        work[i] = VS_NEW_ZERO(&p->arena, double, island->rows);
    vs_sweeper sweeper = {.problem = island, .packed = packed};
    method(&sweeper, &limits, *l, y, work, &ended);
    return ended;
}

// Sweeps the islands of a scene, with carried velocities, from rest; returns the number of sweeps of all of them.
static int sweep_scene_by(vs_accelerated_sweeps *method, vs_context *context, scene *s, double tolerance, int most) {
    parts *p = take_apart_in(must_build(context, s), VS_FORM_VELOCITY);
    int sweeps = 0;
    for (int k = 0; k < p->carried.count; k++) {
        vs_impulse_problem *island = &p->carried.island[k];
        double *l, *y = VS_NEW_ZERO(&p->arena, double, island->rows);
        vs_sweep_outcome ended =
            sweep_island(method, p, island,
                         (vs_sweep_limits){.both = true, .tolerance = tolerance, .sweeps = most, .most = most}, &l);
        vs_impulse_velocities(island, l, y);
        double error = vs_impulse_error(island, true, l, y);
        if (!(error <= tolerance))
            fail_msg("island %d of %d contacts: error %g after %d sweeps", k, island->contacts, error, ended.sweeps);
        sweeps += ended.sweeps;
    }
    put_away(p);
    return sweeps;
}

static int sweep_scene(vs_context *context, scene *s, double tolerance, int most) {
    return sweep_scene_by(vs_packed_sweeps, context, s, tolerance, most);
}

static void piles_are_solved_by_sweeps(void **state) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        scene s = make_pile(5, 5, 6, .4, seed);
        int sweeps = sweep_scene(context_of(state), &s, 1e-8, 20000);
        int rough = sweep_scene(context_of(state), &s, 2.1e-4, 20000);
        print_message("pile %d: %d contacts, %d sweeps, %d in single precision\n", (int)seed, s.links, sweeps, rough);
        free_scene(&s);
    }
}

// Contacts of three to six rows.
static scene make_rolling_pile(int nx, int ny, int nz, uint64_t seed) {
    scene s = make_pile(nx, ny, nz, .4, seed);
    for (int k = 0; k < s.links; k++)
        if (k % 4 > 0)
            add_rotation_rows(&s, &s.link[k], k & 2 ? .01 : 0, k & 1 ? .005 : 0);
    return s;
}

static void rolling_piles_are_solved_by_sweeps(void **state) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        scene s = make_rolling_pile(5, 5, 6, seed);
        int sweeps = sweep_scene(context_of(state), &s, 1e-8, 20000);
        int rough = sweep_scene(context_of(state), &s, 2.1e-4, 20000);
        print_message("pile %d: %d contacts, %d sweeps, %d in single precision\n", (int)seed, s.links, sweeps, rough);
        free_scene(&s);
    }
}

// Joints, bounds, contacts without friction, compliance: groups that are not packed, and rows that have E.
static void other_groups_are_swept_beside_the_packs(void **state) {
    for (uint64_t seed = 1; seed <= 8; seed++) {
        recipe r = {
            .seed = seed, .dofs = 6, .mu = .5, .bodies = 6, .friction = 8, .joints = 1, .bounds = 2, .smooth = 2};
        r.compliant = seed % 2;
        scene s = make_random(&r);
        (void)sweep_scene(context_of(state), &s, 1e-7, 50000);
        free_scene(&s);
    }
}

// Both with piles, all of whose contacts are packed, and with groups that are not.
static void the_proximal_point_method_ends_at_a_solution_too(void **state) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        recipe r = {
            .seed = seed, .dofs = 6, .mu = .5, .bodies = 6, .friction = 8, .joints = 1, .bounds = 2, .smooth = 2};
        r.compliant = seed % 2;
        scene pile = make_pile(5, 5, 6, .4, seed), mixed = make_random(&r);
        (void)sweep_scene_by(proximal_sweeps, context_of(state), &pile, 1e-4, 20000);
        (void)sweep_scene_by(proximal_sweeps, context_of(state), &pile, 1e-3, 20000);
        (void)sweep_scene_by(proximal_sweeps, context_of(state), &mixed, 1e-4, 20000);
        free_scene(&pile);
        free_scene(&mixed);
    }
}

// A few sweeps of packs that were pulled towards a centre and let go: the bits of packs that never were.
static void let_packs_go(vs_context *context, bool rolling, bool rough) {
    scene s = rolling ? make_rolling_pile(4, 4, 4, 2) : make_pile(4, 4, 4, .4, 2);
    parts *p = take_apart_in(must_build(context, &s), VS_FORM_VELOCITY);
    const vs_impulse_problem *island = &p->carried.island[0];
    double *rest = VS_NEW_ZERO(&p->arena, double, island->rows), *l[3];
    vs_packed *packed;
    assert_int_equal(vs_packed_create(island, &p->arena, &packed), VS_OK);
    for (int round = 0; round < 3; round++) {
        l[round] = VS_NEW_ZERO(&p->arena, double, island->rows);
        vs_packed_load(packed, rest, rough);
        if (round > 0)
            vs_packed_pull(packed, .1, l[0]);
        if (round == 2)
            vs_packed_pull(packed, 0, l[0]);
        vs_packed_begin(packed, rest);
        for (int k = 0; k < 10; k++)
            vs_packed_sweep(packed, .8, false);
        (void)vs_packed_read(packed, l[round]);
    }
    size_t bytes = sizeof(double) * (size_t)island->rows;
    assert_memory_not_equal(l[1], l[0], bytes);
    assert_memory_equal(l[2], l[0], bytes);
    put_away(p);
    free_scene(&s);
}

static void packs_that_are_let_go_are_as_before(void **state) {
    for (int k = 0; k < 4; k++)
        let_packs_go(context_of(state), k & 1, k & 2);
}

static bool is_late(void *user) {
    return --*(int *)user <= 0;
}

// A time budget may end after any sweep, not only where the error is evaluated.
static void sweeps_end_when_time_is_over(void **state) {
    scene s = make_pile(4, 4, 4, .4, 2);
    parts *p = take_apart_in(must_build(context_of(state), &s), VS_FORM_VELOCITY);
    for (int allowed = 1; allowed < 40; allowed += 6) {
        int left = allowed;
        double *l;
        vs_sweep_limits limits = {
            .both = true, .tolerance = 1e-14, .sweeps = 10000, .most = 10000, .late = is_late, .user = &left};
        assert_int_equal(sweep_island(vs_packed_sweeps, p, &p->carried.island[0], limits, &l).sweeps, allowed);
    }
    put_away(p);
    free_scene(&s);
}

// ---- in the cascade --------------------------------------------------------------------------------------

static const vs_stage *find_stage(const vs_result *result, const char *name) {
    for (int k = 0; k < result->stage_count; k++)
        if (strcmp(result->stages[k].name, name) == 0)
            return &result->stages[k];
    return NULL;
}

// A pile with several chunks of packs per colour.
static void solve_pile_on_threads(scene s, double tolerance) {
    double *first = NULL;
    for (int threads = 1; threads <= 3; threads += VS_SHORT ? 2 : 1) {
        memory m;
        vs_context *context = make_threaded_context(&m, threads);
        vs_problem *problem = must_build(context, &s);
        vs_solver_options options = exact_options(tolerance);
        vs_solver *solver;
        vs_result result;
        assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(result.status, VS_STATUS_CONVERGED);
        const vs_stage *stage = find_stage(&result, "packed-gauss-seidel");
        stage = stage && stage->solved == 0 ? find_stage(&result, "proximal-sweeps") : stage;
        assert_true(stage && stage->solved == 1 && result.factorizations == 0);
        size_t bytes = sizeof(double) * (size_t)(6 * s.bodies);
        first = first ? first : memcpy(malloc(bytes), result.v, bytes);
        assert_memory_equal(first, result.v, bytes);
        vs_solver_destroy(solver);
        vs_problem_destroy(problem);
        end_context(context, &m);
    }
    free(first);
    free_scene(&s);
}

// In double and in single precision.
static void a_large_pile_needs_no_factorization_and_has_the_same_bits_on_threads(void **state) {
    (void)state;
    const int layers = VS_SHORT ? 4 : 12;
    solve_pile_on_threads(make_pile(12, 12, layers, .4, 7), 1e-4);
    solve_pile_on_threads(make_pile(12, 12, layers, .4, 7), 1e-3);
    solve_pile_on_threads(make_rolling_pile(12, 12, layers, 7), 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lane_solves_its_contact),
        cmocka_unit_test(lanes_do_not_know_each_other),
        cmocka_unit_test(lanes_project_as_the_cone_does),
        cmocka_unit_test(rolling_lanes_come_to_their_solution),
        cmocka_unit_test(rolling_lanes_do_not_know_each_other),
        cmocka_unit_test(piles_are_solved_by_sweeps),
        cmocka_unit_test(rolling_piles_are_solved_by_sweeps),
        cmocka_unit_test(other_groups_are_swept_beside_the_packs),
        cmocka_unit_test(the_proximal_point_method_ends_at_a_solution_too),
        cmocka_unit_test(packs_that_are_let_go_are_as_before),
        cmocka_unit_test(sweeps_end_when_time_is_over),
        cmocka_unit_test(a_large_pile_needs_no_factorization_and_has_the_same_bits_on_threads),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
