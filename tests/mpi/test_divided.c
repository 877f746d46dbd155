// Simulations divided among ranks: the same motion as in one process. Started by mpirun -np 1, 2, 3, 4; rank 0 runs the
// scene alone as well, with the same code and no ranks, and compares.
#include "../solver/solving.h"

#include <math.h>
#include <string.h>

#include "mpi/regions.h"
#include "mpi/team_data.h"
#include "step/data/observer.h"
#include "voussoir/mpi/distributed.h"
#include "voussoir/mpi/simulation.h"
#include "voussoir/scene.h"

// Steps are solved to 1e-11 of the change of velocity in a step (about 1 m/s); errors of some dozens of steps
// accumulate, and sliding contacts propagate them.
static const double TOLERANCE = 1e-11, AGREE = 1e-8;

enum { FREE_STEPS = 3, LANDING_STEPS = 20 };

// A scheme and a friction model.
typedef struct manner {
    vs_scheme scheme;
    vs_model model;
} manner;

typedef struct play {
    vs_scene *scene;
    vs_simulation *simulation;
} play;

static play begin_by(manner how, vs_context *context, const char *name, const vs_scene_parameter *parameter, int count,
                     bool divide) {
    play p = {0};
    assert_int_equal(vs_scene_make(context, name, parameter, count, &p.scene), VS_OK);
    p.scene->options.solver.model = how.model;
    p.scene->options.solver.tolerance = TOLERANCE;
    p.scene->options.scheme = how.scheme;
    assert_int_equal(vs_simulation_create(p.scene->world, &p.scene->options, &p.simulation), VS_OK);
    if (divide)
        assert_int_equal(vs_simulation_divide(p.simulation), VS_OK);
    return p;
}

static void end(play *p) {
    vs_simulation_destroy(p->simulation);
    vs_scene_destroy(p->scene);
}

static double difference(vs_vec3 a, vs_vec3 b) {
    return vs_length(vs_subtract(a, b));
}

// States and contacts of rank 0's gathered world are those of one process.
static void compare(const play *all, const play *alone) {
    const vs_world *a = all->scene->world, *b = alone->scene->world;
    assert_int_equal(a->bodies, b->bodies);
    for (int k = 0; k < a->bodies; k++) {
        assert_true(difference(a->body[k].pose.position, b->body[k].pose.position) <= AGREE);
        assert_true(difference(a->body[k].velocity, b->body[k].velocity) <= AGREE);
        assert_true(difference(a->body[k].spin, b->body[k].spin) <= 100 * AGREE); // radii of some centimetres
    }
    for (int k = 0; k < a->joints; k++)
        assert_true(fabs(a->joint[k].angle - b->joint[k].angle) <= 100 * AGREE);
    const int contacts = vs_simulation_get_contact_count(alone->simulation);
    assert_int_equal(vs_simulation_get_contact_count(all->simulation), contacts);
    for (int k = 0; k < contacts; k++) {
        vs_contact_view x, y;
        assert_int_equal(vs_simulation_get_contact_at(all->simulation, k, &x), VS_OK);
        assert_int_equal(vs_simulation_get_contact_at(alone->simulation, k, &y), VS_OK);
        assert_true(x.key == y.key && x.a.index == y.a.index && x.b.index == y.b.index);
        assert_true(difference(x.point, y.point) <= AGREE && difference(x.velocity, y.velocity) <= AGREE);
    }
}

static vs_division_info run_by(manner how, vs_context *context, const char *name, const vs_scene_parameter *parameter,
                               int count, int steps) {
    play all = begin_by(how, context, name, parameter, count, true);
    vs_step_report report, last = {0};
    for (int k = 0; k < steps; k++) {
        assert_int_equal(vs_simulation_step(all.simulation, &report), VS_OK);
        assert_int_equal(report.status, VS_STATUS_CONVERGED);
    }
    assert_int_equal(vs_simulation_gather(all.simulation), VS_OK);
    if (vs_mpi_rank() == 0) {
        play alone = begin_by(how, context, name, parameter, count, false);
        for (int k = 0; k < steps; k++)
            assert_int_equal(vs_simulation_step(alone.simulation, &last), VS_OK);
        compare(&all, &alone);
        assert_int_equal(report.contacts, last.contacts);
        const double size = fabs(last.energy.potential) + last.energy.kinetic;
        assert_true(fabs(report.energy.kinetic - last.energy.kinetic) <= AGREE * size);
        assert_true(fabs(report.energy.potential - last.energy.potential) <= AGREE * size);
        assert_true(fabs(report.total.friction - last.total.friction) <= AGREE * size);
        assert_true(fabs(report.total.impacts - last.total.impacts) <= AGREE * size);
        assert_true(fabs(report.total.discretization - last.total.discretization) <= AGREE * size);
        end(&alone);
    }
    vs_division_info info;
    assert_int_equal(vs_simulation_get_division(all.simulation, &info), VS_OK);
    assert_int_equal(info.ranks, vs_mpi_size());
    assert_true(info.bodies_least >= 1);
    end(&all);
    return info;
}

static vs_division_info run_and_compare(vs_context *context, const char *name, const vs_scene_parameter *parameter,
                                        int count, int steps) {
    return run_by((manner){VS_SCHEME_MOREAU, VS_MODEL_RELAXED}, context, name, parameter, count, steps);
}

static vs_division_info run_exact(vs_context *context, const char *name, const vs_scene_parameter *parameter, int count,
                                  int steps) {
    return run_by((manner){VS_SCHEME_MOREAU, VS_MODEL_EXACT}, context, name, parameter, count, steps);
}

// ---- motion --------------------------------------------------------------------------------------------------------

static void test_a_pile_at_rest(void **state) {
    const vs_scene_parameter levels = {"levels", 4};
    const vs_division_info info = run_and_compare(context_of(state), "sphere-pile", &levels, 1, 10);
    assert_true((info.ghosts > 0) == (info.ranks > 1));
}

// A kinematic body that turns; balls change their ranks.
static void test_balls_in_a_turning_drum(void **state) {
    const vs_scene_parameter set[] = {{"count", 24}, {"spin", 6}};
    const vs_division_info info = run_and_compare(context_of(state), "rotating-drum", set, 2, 30);
    assert_true(info.moved > 0 || info.ranks == 1);
}

// Planks that joints hold together are one thing on one rank; three balls fall on them. At first a rank has no
// contacts.
static void test_a_bridge_with_joints(void **state) {
    const vs_division_info info = run_and_compare(context_of(state), "bridge", NULL, 0, 50);
    assert_true(info.bodies_most >= 12 && info.contacts_most > 0);
}

// Leads travel with their bodies.
static void test_the_scheme_shake(void **state) {
    const vs_scene_parameter set[] = {{"count", 24}, {"spin", 6}};
    run_by((manner){VS_SCHEME_SHAKE, VS_MODEL_RELAXED}, context_of(state), "bridge", NULL, 0, 20);
    const vs_division_info info =
        run_by((manner){VS_SCHEME_SHAKE, VS_MODEL_RELAXED}, context_of(state), "rotating-drum", set, 2, 30);
    assert_true(info.moved > 0 || info.ranks == 1);
}

static void test_bricks(void **state) {
    run_and_compare(context_of(state), "brick-wall", NULL, 0, 5);
}

// Balls that fall and do not touch: nothing to solve on any rank. Then some land.
static void test_free_motion(void **state) {
    const vs_scene_parameter set[] = {{"count", 16}};
    vs_division_info info = run_and_compare(context_of(state), "balls-in-box", set, 1, FREE_STEPS);
    assert_int_equal(info.contacts_most, 0);
    info = run_and_compare(context_of(state), "balls-in-box", set, 1, LANDING_STEPS);
    assert_true(info.contacts_most > 0);
}

// A row of balls flies across all regions, without weight and without touching: they pass from rank to rank, the first
// rank runs empty, and regions are recomputed. Positions are known.
static void test_regions_follow_the_bodies(void **state) {
    enum { BALLS = 41, STEPS = 60 };
    vs_context *context = context_of(state);
    vs_world_def def = vs_world_def_default();
    def.gravity = VS_ZERO3;
    vs_world *world = NULL;
    vs_shape *ball = NULL;
    vs_simulation *simulation = NULL;
    vs_body_id id[BALLS];
    assert_int_equal(vs_world_create(context, &def, &world), VS_OK);
    assert_int_equal(vs_shape_sphere(context, .1, &ball), VS_OK);
    for (int k = 0; k < BALLS; k++) {
        vs_body_def body = vs_body_def_default();
        body.pose.position = (vs_vec3){k, 0, 0};
        body.velocity = (vs_vec3){240, 0, 0}; // 1 m per step
        assert_int_equal(vs_world_add_body(world, &body, &id[k]), VS_OK);
        vs_collider_def collider = vs_collider_def_default();
        collider.body = id[k], collider.shape = ball;
        assert_int_equal(vs_world_add_collider(world, &collider, NULL), VS_OK);
    }
    vs_shape_release(ball);
    vs_simulation_options options = vs_simulation_options_default();
    options.solver.model = VS_MODEL_RELAXED;
    assert_int_equal(vs_simulation_create(world, &options, &simulation), VS_OK);
    assert_int_equal(vs_simulation_divide(simulation), VS_OK);
    for (int k = 0; k < STEPS; k++)
        assert_int_equal(vs_simulation_step(simulation, NULL), VS_OK);
    vs_division_info info;
    assert_int_equal(vs_simulation_get_division(simulation, &info), VS_OK);
    assert_true(info.ranks == 1 || (info.balanced > 1 && info.moved > BALLS / 2));
    assert_true(info.bodies_least >= 1 && info.bodies_most <= 2 * BALLS / info.ranks + 1);
    assert_int_equal(vs_simulation_gather(simulation), VS_OK);
    for (int k = 0; k < BALLS && vs_mpi_rank() == 0; k++) {
        vs_body_state is;
        assert_int_equal(vs_world_get_body_state(world, id[k], &is), VS_OK);
        assert_true(fabs(is.pose.position.x - k - STEPS) < 1e-9 && is.velocity.x == 240);
    }
    vs_simulation_destroy(simulation);
    vs_world_destroy(world);
}

// ---- exact friction ------------------------------------------------------------------------------------------------

static void test_exact_friction_in_a_pile(void **state) {
    const vs_scene_parameter levels = {"levels", 3};
    (void)run_exact(context_of(state), "sphere-pile", &levels, 1, 10);
}

// Motion begins with the ground: balls that land in a box.
static void test_exact_friction_of_balls_in_a_box(void **state) {
    (void)run_exact(context_of(state), "balls-in-box", NULL, 0, 3 * LANDING_STEPS);
}

static void test_exact_friction_and_joints(void **state) {
    (void)run_exact(context_of(state), "bridge", NULL, 0, LANDING_STEPS);
}

// ---- regions -------------------------------------------------------------------------------------------------------

// A grid, which planes along the axes cannot halve evenly: every rank gets its share to a body, whatever it began with.
// A block of 512 balls that falls apart on a floor, 1408 contacts in one island, at the default tolerance.
static vs_step_report drop_balls(vs_context *context, bool divide) {
    enum { SIDE = 8 };
    const double r = .05, apart = 2.001 * r;
    vs_world_def def = vs_world_def_default();
    vs_world *world;
    vs_shape *ball, *plane;
    assert_int_equal(vs_world_create(context, &def, &world), VS_OK);
    assert_int_equal(vs_shape_sphere(context, r, &ball), VS_OK);
    assert_int_equal(vs_shape_plane(context, &plane), VS_OK);
    vs_collider_def collider = vs_collider_def_default();
    collider.shape = plane;
    assert_int_equal(vs_world_add_collider(world, &collider, NULL), VS_OK);
    collider.shape = ball;
    for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
        const int x = k % SIDE, y = k / SIDE % SIDE, z = k / (SIDE * SIDE);
        vs_body_def body = vs_body_def_default();
        body.pose.position = (vs_vec3){apart * x, apart * y, r + apart * z};
        body.velocity = (vs_vec3){.3 * sin(k), -.3 * sin(k), -.2 * z};
        body.mass = 1;
        body.inertia = (vs_mat3){{1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3}};
        assert_int_equal(vs_world_add_body(world, &body, &collider.body), VS_OK);
        assert_int_equal(vs_world_add_collider(world, &collider, NULL), VS_OK);
    }
    vs_shape_release(ball);
    vs_shape_release(plane);
    vs_simulation *simulation;
    vs_step_report report;
    assert_int_equal(vs_simulation_create(world, NULL, &simulation), VS_OK);
    if (divide)
        assert_int_equal(vs_simulation_divide(simulation), VS_OK);
    assert_int_equal(vs_simulation_step(simulation, &report), VS_OK);
    vs_simulation_destroy(simulation);
    vs_world_destroy(world);
    return report;
}

// An island that lies on several ranks counts as a whole: all of them know that it is large, and have its tolerance.
static void test_a_heap_over_ranks_has_the_tolerance_of_grains(void **state) {
    vs_context *context = context_of(state);
    const vs_step_report all = drop_balls(context, true), alone = drop_balls(context, false);
    assert_int_equal(all.status, VS_STATUS_CONVERGED);
    assert_true(all.loose_tolerance == 1e-3 && all.relative_error <= 1e-3);
    assert_int_equal(all.loose_islands, 1);
    assert_true(all.loose_contacts == alone.loose_contacts && alone.loose_contacts >= 1000);
    assert_true(all.strict_error <= 1e-6 && alone.strict_error <= 1e-6);
}

static void test_regions_have_equal_loads(void **state) {
    enum { SIDE = 6, ALL = SIDE * SIDE * SIDE };
    const int rank = vs_mpi_rank(), size = vs_mpi_size();
    vs_arena arena;
    vs_arena_init(&arena, context_of(state));
    vs_regions regions;
    vs_vec3 place[ALL];
    double weight[ALL];
    int count = 0;
    for (int k = 0; k < ALL && rank == size - 1; k++, count++) { // all on the last rank
        place[k] = (vs_vec3){k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
        weight[k] = 1;
    }
    assert_int_equal(vs_regions_create(&regions, MPI_COMM_WORLD, &arena), VS_OK);
    assert_int_equal(vs_regions_balance(&regions, count, place, weight, &arena), VS_OK);
    int found[16] = {0};
    for (int k = 0; k < ALL; k++) { // all ranks have the same regions
        const vs_vec3 x = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
        const int owner = vs_regions_find(&regions, x, -1, 0);
        assert_in_range(owner, 0, size - 1);
        found[owner]++;
        // within the margin a body stays, whosever it is; beyond it does not
        for (int q = 0; q < size; q++) {
            assert_int_equal(vs_regions_find(&regions, x, q, 100), q);
            assert_int_equal(vs_regions_find(&regions, x, q, 0), owner);
        }
    }
    for (int q = 0; q < size; q++)
        assert_true(abs(found[q] - ALL / size) <= 2);
    vs_arena_release(&arena);
}

// ---- refusals ------------------------------------------------------------------------------------------------------

static void refuse(vs_context *context, const char *name, vs_model model, vs_method method, const char *text) {
    vs_scene *made = NULL;
    vs_simulation *simulation = NULL;
    assert_int_equal(vs_scene_make(context, name, NULL, 0, &made), VS_OK);
    made->options.solver.model = model;
    made->options.solver.method = method;
    assert_int_equal(vs_simulation_create(made->world, &made->options, &simulation), VS_OK);
    assert_int_equal(vs_simulation_divide(simulation), VS_ERROR_UNSUPPORTED);
    assert_non_null(strstr(vs_context_get_error_text(context), text));
    assert_int_equal(vs_simulation_step(simulation, NULL), VS_OK); // still good for one process
    vs_simulation_destroy(simulation);
    vs_scene_destroy(made);
}

static void test_what_cannot_be_is_an_error_on_every_rank(void **state) {
    vs_context *context = context_of(state);
    refuse(context, "rolling-ring", VS_MODEL_RELAXED, VS_METHOD_AUTO, "flexible bodies are not");
    refuse(context, "sphere-pile", VS_MODEL_EXACT, VS_METHOD_ADMM, "the methods cascade and gauss-seidel");
    if (vs_mpi_size() > 1)
        refuse(context, "chain", VS_MODEL_RELAXED, VS_METHOD_AUTO,
               "connected by joints count as one) cannot be divided");
}

static void test_conditions_and_attached_observers_need_a_serial_run(void **state) {
    vs_context *context = context_of(state);
    const vs_stop_condition condition = vs_stop_condition_default();
    vs_observer observer = {0};
    for (int k = 0; k < 2; k++) {
        vs_scene *made = NULL;
        vs_simulation *simulation = NULL;
        assert_int_equal(vs_scene_make(context, "sphere-pile", NULL, 0, &made), VS_OK);
        made->options.solver.model = VS_MODEL_RELAXED;
        made->options.stop = &condition;
        made->options.stops = k == 0;
        assert_int_equal(vs_simulation_create(made->world, &made->options, &simulation), VS_OK);
        if (k == 1)
            vs_observer_attach(&observer, &simulation->observers);
        assert_int_equal(vs_simulation_divide(simulation), VS_ERROR_UNSUPPORTED);
        assert_non_null(strstr(vs_context_get_error_text(context), k == 0 ? "stop conditions are not supported in "
                                                                            "distributed runs; use a serial run"
                                                                          : "use vs_simulation_gather()"));
        vs_simulation_destroy(simulation);
        vs_scene_destroy(made);
    }
}

static void test_a_divided_world_must_stay_as_it_is(void **state) {
    play all = begin_by((manner){VS_SCHEME_MOREAU, VS_MODEL_RELAXED}, context_of(state), "sphere-pile", NULL, 0, true);
    assert_int_equal(vs_simulation_step(all.simulation, NULL), VS_OK);
    assert_int_equal(vs_world_remove_body(all.scene->world, vs_world_get_body_at(all.scene->world, 1)), VS_OK);
    assert_int_equal(vs_simulation_step(all.simulation, NULL), VS_ERROR_UNSUPPORTED);
    assert_non_null(strstr(vs_context_get_error_text(context_of(state)), "must not change"));
    end(&all);
}

int main(int argc, char **argv) {
    if (vs_mpi_start(&argc, &argv))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regions_have_equal_loads),
        cmocka_unit_test(test_conditions_and_attached_observers_need_a_serial_run),
        cmocka_unit_test(test_a_pile_at_rest),
        cmocka_unit_test(test_balls_in_a_turning_drum),
        cmocka_unit_test(test_bricks),
        cmocka_unit_test(test_a_bridge_with_joints),
        cmocka_unit_test(test_the_scheme_shake),
        cmocka_unit_test(test_exact_friction_in_a_pile),
        cmocka_unit_test(test_exact_friction_of_balls_in_a_box),
        cmocka_unit_test(test_exact_friction_and_joints),
        cmocka_unit_test(test_a_heap_over_ranks_has_the_tolerance_of_grains),
        cmocka_unit_test(test_free_motion),
        cmocka_unit_test(test_regions_follow_the_bodies),
        cmocka_unit_test(test_what_cannot_be_is_an_error_on_every_rank),
        cmocka_unit_test(test_a_divided_world_must_stay_as_it_is),
    };
    const int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    if (failed > 0)
        vs_mpi_abort(1); // the others may wait for this rank
    vs_mpi_end();
    return 0;
}
