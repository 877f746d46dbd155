// Mechanisms: the problem without its joints against the island with them, and what a solve of arms with dry friction,
// limits and contacts costs. Results are evaluated by measure/.
#include "solver/parts.h"
#include "solver/impulse/evaluation.h"
#include "solver/impulse/joint_elimination.h"
#include "solver/impulse/operator.h"

enum { LINKS = 20, MANY_LINKS = 60 };

// ---- arms --------------------------------------------------------------------------------------------------

typedef struct arm {
    double friction; // N m s, of every hinge
    bool branched;   // a tree: joint k hangs on body k / 2
    bool closed;     // the last body is hinged to the world, too
    bool tip;        // a contact with friction at the last body
    int links;       // 0: LINKS
} arm;

// The five rows of a hinge about y between body a (-1: the world) and b, half a link above and below their centres.
static void add_hinge(scene *s, int a, int b, double half) {
    static const int free_axis = 4;
    scene_link *joint = add_link(s, JOINT, 5);
    for (int side = 0; side < 2; side++) {
        int body = side == 0 ? a : b;
        if (body < 0)
            continue;
        double *J = joint->J[joint->blocks], sign = side == 0 ? -1 : 1, arm_z = side == 0 ? -half : half;
        joint->block[joint->blocks++] = body;
        for (int row = 0, axis = 0; axis < 6; axis++) {
            if (axis == free_axis)
                continue;
            J[6 * row + axis] = sign;
            if (axis == 0) // v_x + omega_y z
                J[6 * row + 4] = sign * arm_z;
            if (axis == 1) // v_y - omega_x z
                J[6 * row + 3] = -sign * arm_z;
            row++;
        }
    }
}

static void add_dry_friction(scene *s, int a, int b, double most) {
    scene_link *box = add_link(s, BOUNDS, 1);
    for (int side = 0; side < 2; side++) {
        int body = side == 0 ? a : b;
        if (body < 0)
            continue;
        box->J[box->blocks][4] = side == 0 ? -1 : 1;
        box->block[box->blocks++] = body;
    }
    box->lo[0] = -most, box->hi[0] = most;
}

static scene make_arm(const arm *how) {
    const double half = .1, up[3] = {0, 0, 1}, none[3] = {0};
    const int links = how->links > 0 ? how->links : LINKS;
    scene s = {0};
    for (int k = 0; k < links; k++) {
        const double mass = 3. / (1 + k), inertia[3] = {.01 * mass, .01 * mass, .002 * mass};
        add_rigid(&s, mass, inertia, (double[6]){0, 0, -gravity * time_step, 0, .3 * (k % 3 - 1), 0});
    }
    for (int k = 0; k < links; k++)
        add_hinge(&s, how->branched ? (k + 1) / 2 - 1 : k - 1, k, half);
    if (how->closed)
        add_hinge(&s, -1, links - 1, -half);
    for (int k = 0; k < links && how->friction > 0; k++)
        add_dry_friction(&s, how->branched ? (k + 1) / 2 - 1 : k - 1, k, how->friction);
    if (how->tip)
        add_contact_at(&s, FRICTION, -1, links - 1, up, none, none, .5);
    return s;
}

// ---- the reduced problem -----------------------------------------------------------------------------------

// Any impulses of the reduced problem, with the joint impulses that belong to them, have the velocities of the island: none
// in the joints, and those of the reduced problem elsewhere. Redundant joints are dropped.
static void velocities_are_those_of_the_island(void **state) {
    const arm kinds[] = {{.friction = .01},
                         {.friction = .01, .branched = true, .tip = true},
                         {.friction = .01, .closed = true, .tip = true}};
    for (int t = 0; t < 3; t++) {
        scene s = make_arm(&kinds[t]);
        parts *p = take_scene_apart(context_of(state), &s);
        const vs_impulse_problem *island = &p->islands.island[largest_island(p)];
        vs_joint_elimination e;
        assert_true(vs_joint_elimination_suits(island));
        assert_int_equal(vs_joint_elimination_create(&e, island, &p->arena), VS_OK);
        vs_joint_elimination_update(&e);
        const int joints = e.factor.rows, rows = e.reduced.rows;
        double *lambda = make_doubles(rows), *y = make_doubles(rows);
        double *l = make_doubles(island->rows), *v = make_doubles(island->rows);
        uint64_t seed = 7;
        for (int k = 0; k < rows; k++)
            lambda[k] = random_in(&seed, -1, 1);
        vs_impulse_velocities(&e.reduced, lambda, y);
        vs_joint_elimination_expand(&e, lambda, l);
        vs_impulse_velocities(island, l, v);
        print_message("  %d joint rows, %d entries of L, %d dropped\n", joints, (int)e.factor.p[joints],
                      e.factor.dropped);
        assert_int_equal(e.factor.dropped, t == 2 ? 4 : 0); // a straight loop: out of its plane, and along it
        for (int k = 0; k < joints; k++)
            assert_near("joint velocity", v[k], 0, 1e-9); // rounding times the condition of a chain of 20 links
        for (int k = 0; k < rows; k++)
            assert_near("velocity", v[joints + k], y[k], 1e-9);
        free(lambda), free(y), free(l), free(v);
        put_away(p);
        free_scene(&s);
    }
}

// Leaves first, a chain of hinges fills nothing: a row of L has at most the entries of the hinge and of the one before.
static void a_tree_leaves_no_fill(void **state) {
    scene s = make_arm(&(arm){.friction = .01});
    parts *p = take_scene_apart(context_of(state), &s);
    vs_joint_factor f;
    assert_int_equal(vs_joint_factor_create(&f, &p->islands.island[0], &p->arena), VS_OK);
    assert_true(f.p[f.rows] <= f.rows * 9);
    put_away(p);
    free_scene(&s);
}

// ---- cost --------------------------------------------------------------------------------------------------

// Without the elimination, sweeps over the joints take 100 to 400 iterations, mostly in vain.
static void mechanisms_take_few_iterations(void **state) {
    const arm kinds[] = {{.friction = 1e-3},
                         {.friction = 1e-5},
                         {.friction = 1e-3, .branched = true},
                         {.friction = 1e-4, .branched = true, .tip = true},
                         {.friction = 1e-4, .tip = true},
                         {.friction = 1e-4, .closed = true, .tip = true}};
    for (int t = 0; t < (int)(sizeof kinds / sizeof kinds[0]); t++) {
        scene s = make_arm(&kinds[t]);
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = strict_options(1e-8);
        vs_result counts;
        outcome o = solve_counted(problem, &options, &counts);
        print_message("  %d iterations, %d factorizations, error %.1e\n", counts.iterations, counts.factorizations,
                      o.measures.relative_error);
        assert_converged("arm", &o);
        assert_true(counts.iterations <= 12 && counts.factorizations <= 12);
        free_outcome(&o);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
}

// Nothing is left without the joints. (Newton's method with a proximal term takes 30 factorizations for redundant ones, and
// misses the tolerance where the loops have light links.)
static void joints_alone_take_one_factorization(void **state) {
    const arm kinds[] = {
        {.links = MANY_LINKS}, {.links = MANY_LINKS, .branched = true}, {.links = MANY_LINKS, .closed = true}};
    for (int t = 0; t < (int)(sizeof kinds / sizeof kinds[0]); t++) {
        scene s = make_arm(&kinds[t]);
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = strict_options(1e-8);
        options.method = VS_METHOD_CASCADE;
        vs_result counts;
        outcome o = solve_counted(problem, &options, &counts);
        print_message("  %d iterations, %d factorizations, error %.1e\n", counts.iterations, counts.factorizations,
                      o.measures.relative_error);
        assert_converged("joints alone", &o);
        assert_true(counts.factorizations <= 1);
        free_outcome(&o);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_those_of_the_island),
        cmocka_unit_test(a_tree_leaves_no_fill),
        cmocka_unit_test(mechanisms_take_few_iterations),
        cmocka_unit_test(joints_alone_take_one_factorization),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
