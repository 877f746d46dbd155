// Trees of joints: random mechanisms with motors, dry friction, loops and open contacts are solved by one elimination, to the
// solution that interior points find for the same problem.
#include "solver/solving.h"

enum { BODIES = 12, WIDTH = 6 };

typedef struct mechanism {
    uint64_t seed;
    double limit;   // N s, of dry friction and motors; 0: none
    bool redundant; // the dry friction of each joint twice
    bool open;      // a contact with friction that separates
} mechanism;

static void fill(uint64_t *seed, int count, double *x) {
    for (int k = 0; k < count; k++)
        x[k] = random_in(seed, -1, 1);
}

// A body whose spin has a full matrix of inertia.
static void add_part(vs_problem_builder *builder, uint64_t *seed) {
    double H[WIDTH * WIDTH] = {0}, c[WIDTH], factor[9];
    const double mass = exp(random_in(seed, -2, 2));
    fill(seed, WIDTH, c);
    fill(seed, 9, factor);
    for (int i = 0; i < 3; i++) {
        H[(WIDTH + 1) * i] = mass;
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                H[WIDTH * (3 + i) + 3 + j] += mass * (factor[3 * i + k] * factor[3 * j + k] + .1 * (i == j && k == 0));
    }
    assert_int_equal(vs_problem_builder_add_block(builder, WIDTH, H, c, NULL), VS_OK);
}

// A hinge that ties body k to one before it, or to the ground, and a row that drives it.
static void add_hinge(vs_problem_builder *builder, uint64_t *seed, int k, double drive[2][WIDTH], int block[2]) {
    double J[2][5 * WIDTH], b[5] = {0};
    fill(seed, 5 * WIDTH, J[0]);
    fill(seed, 5 * WIDTH, J[1]);
    fill(seed, WIDTH, drive[0]);
    fill(seed, WIDTH, drive[1]);
    block[0] = k, block[1] = k == 0 ? -1 : random_pick(seed, k);
    vs_problem_joint_def joint = vs_problem_joint_def_default();
    const double *jacobian[2] = {J[0], J[1]};
    joint.rows = 5, joint.blocks = k == 0 ? 1 : 2, joint.block = block, joint.jacobian = jacobian, joint.b = b;
    assert_int_equal(vs_problem_builder_add_joint(builder, &joint, NULL), VS_OK);
}

static void add_box(vs_problem_builder *builder, double drive[2][WIDTH], const int block[2], double limit,
                    double compliance, double speed) {
    const double *jacobian[2] = {drive[0], drive[1]}, lo = -limit, hi = limit;
    vs_problem_box_def box = vs_problem_box_def_default();
    box.rows = 1, box.blocks = block[1] < 0 ? 1 : 2, box.block = block, box.jacobian = jacobian;
    box.b = &speed, box.compliance = &compliance, box.lo = &lo, box.hi = &hi;
    assert_int_equal(vs_problem_builder_add_box(builder, &box, NULL), VS_OK);
}

// A contact of the last body.
static void add_contact(vs_problem_builder *builder, double gap_speed) {
    double J[3 * WIDTH] = {0};
    const double *jacobian = J;
    const int block = BODIES - 1;
    for (int i = 0; i < 3; i++)
        J[WIDTH * i + (i + 2) % 3] = 1;
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    contact.blocks = 1, contact.block = &block, contact.jacobian = &jacobian, contact.mu = .5, contact.b[0] = gap_speed;
    assert_int_equal(vs_problem_builder_add_contact(builder, &contact, NULL), VS_OK);
}

static vs_problem *make(vs_context *context, const mechanism *of) {
    uint64_t seed = of->seed;
    vs_problem_builder *builder;
    vs_problem *problem;
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    for (int k = 0; k < BODIES; k++)
        add_part(builder, &seed);
    for (int k = 0; k < BODIES; k++) {
        double drive[2][WIDTH];
        int block[2];
        add_hinge(builder, &seed, k, drive, block);
        if (of->limit > 0)
            add_box(builder, drive, block, of->limit, .01, random_in(&seed, -1, 1));
        for (int i = 0; i < (of->redundant ? 2 : 1) && of->limit > 0; i++)
            add_box(builder, drive, block, .3 * of->limit, 0, 0);
    }
    if (of->open)
        add_contact(builder, -1e3);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    return problem;
}

// The velocities of the relaxed model by interior points: the same where no contact pushes.
static void compare(const vs_problem *problem, const outcome *o) {
    vs_solver_options options = vs_solver_options_default();
    options.model = VS_MODEL_RELAXED, options.method = VS_METHOD_IPM, options.tolerance = 1e-10;
    outcome other = solve_problem(problem, &options);
    double difference = 0, size = 0;
    for (int k = 0; k < BODIES * WIDTH; k++) {
        difference = fmax(difference, fabs(other.v[k] - o->v[k]));
        size = fmax(size, fabs(other.v[k]));
    }
    assert_true(other.measures.relative_error <= 1e-8);
    assert_true(difference <= 1e-5 * size);
    free_outcome(&other);
}

static void check(void **state, const mechanism *of) {
    vs_problem *problem = make(context_of(state), of);
    vs_solver_options options = vs_solver_options_default();
    vs_solver *solver;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    assert_int_equal(result.status, VS_STATUS_CONVERGED);
    assert_int_equal(result.stage_count, 1);
    assert_string_equal(result.stages[0].name, "trees");
    assert_true(result.measures.relative_error <= 1e-8);
    vs_solver_destroy(solver);
    outcome o = solve_problem(problem, &options);
    compare(problem, &o);
    free_outcome(&o);
    vs_problem_destroy(problem);
}

static void mechanisms_take_one_elimination(void **state) {
    for (uint64_t seed = 1; seed <= 20; seed++)
        check(state, &(mechanism){.seed = seed});
}

static void limits_of_motors_and_friction_are_kept(void **state) {
    for (uint64_t seed = 1; seed <= 60; seed++)
        check(state, &(mechanism){.seed = seed, .limit = exp(.1 * (double)seed - 4), .open = seed % 2});
}

static void redundant_friction_is_no_obstacle(void **state) {
    for (uint64_t seed = 1; seed <= 20; seed++)
        check(state, &(mechanism){.seed = seed, .limit = exp(.2 * (double)seed - 3), .redundant = true});
}

// A contact that pushes: another stage solves it.
static void contacts_that_push_are_for_others(void **state) {
    vs_problem *problem;
    vs_solver_options options = vs_solver_options_default();
    uint64_t seed = 7;
    vs_problem_builder *builder;
    assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
    for (int k = 0; k < BODIES; k++)
        add_part(builder, &seed);
    for (int k = 0; k < BODIES; k++) {
        double drive[2][WIDTH];
        int block[2];
        add_hinge(builder, &seed, k, drive, block);
    }
    add_contact(builder, 1);
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    outcome o = solve_problem(problem, &options);
    assert_int_equal(o.status, VS_STATUS_CONVERGED);
    assert_true(o.lambda[0] > 0);
    free_outcome(&o);
    vs_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mechanisms_take_one_elimination),
        cmocka_unit_test(limits_of_motors_and_friction_are_kept),
        cmocka_unit_test(redundant_friction_is_no_obstacle),
        cmocka_unit_test(contacts_that_push_are_for_others),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
