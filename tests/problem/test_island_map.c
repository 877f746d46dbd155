// Contact islands are the connected parts of a problem, found from its pattern.
#include "problems.h"

#include "problem/island_map.h"

// Blocks of one velocity each and contacts between pairs of them; -1: the ground.
static vs_problem *make_graph(vs_context *context, int blocks, int contacts, int pair[][2], int joints,
                              int joint[][2]) {
    const double H = 1, c = 0, one = 1, minus = -1;
    vs_problem_builder *builder;
    vs_problem *problem;
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    for (int k = 0; k < blocks; k++)
        assert_int_equal(vs_problem_builder_add_block(builder, 1, &H, &c, NULL), VS_OK);
    const double *J[2] = {&one, &minus};
    for (int k = 0; k < contacts; k++) {
        vs_problem_contact_def def = vs_problem_contact_def_default();
        def.frictionless = true, def.blocks = pair[k][1] < 0 ? 1 : 2, def.block = pair[k], def.jacobian = J;
        assert_int_equal(vs_problem_builder_add_contact(builder, &def, NULL), VS_OK);
    }
    for (int k = 0; k < joints; k++) {
        vs_problem_joint_def def = vs_problem_joint_def_default();
        def.rows = 1, def.blocks = joint[k][1] < 0 ? 1 : 2, def.block = joint[k], def.jacobian = J;
        assert_int_equal(vs_problem_builder_add_joint(builder, &def, NULL), VS_OK);
    }
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    return problem;
}

static vs_island_map map_of(const vs_problem *problem, vs_arena *arena) {
    vs_island_map map;
    vs_arena_init(arena, problem->context);
    assert_int_equal(vs_island_map_create(&map, problem, arena), VS_OK);
    return map;
}

// The ground connects nothing; contacts and joints connect their bodies; a body that nothing touches has no island.
static void islands_are_the_connected_parts(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    int pair[][2] = {{0, -1}, {3, -1}, {3, 5}, {1, -1}}, joint[][2] = {{5, 1}, {2, -1}};
    vs_problem *problem = make_graph(context, 7, 4, pair, 2, joint);
    vs_arena arena;
    vs_island_map map = map_of(problem, &arena);
    // in the order of joints, then contacts: {1, 3, 5}, {2}, {0}
    assert_int_equal(map.count, 3);
    assert_int_equal(map.shared, 0);
    assert_true(map.total == 3);
    const int joints[] = {0, 1}, contacts[] = {2, 0, 0, 0}, entries[] = {2, 0, 1, 0, VS_NO_ISLAND, 0, VS_NO_ISLAND};
    assert_memory_equal(map.joint, joints, sizeof joints);
    assert_memory_equal(map.contact, contacts, sizeof contacts);
    assert_memory_equal(map.entry, entries, sizeof entries);
    vs_arena_release(&arena);
    vs_problem_destroy(problem);
    end_context(context, &m);
}

// A chain of thousands of bodies, in any order, is one island; without its middle contact it is two.
static void long_chains_are_one_island(void **state) {
    (void)state;
    enum { BODIES = 5000, STEP = 1999 }; // STEP and BODIES have no common factor
    memory m;
    vs_context *context = make_context(&m);
    int(*pair)[2] = malloc(sizeof(int[2]) * BODIES);
    assert_non_null(pair);
    for (int cut = 0; cut < 2; cut++) {
        int count = 0;
        for (int k = 0; k + 1 < BODIES; k++)
            if (!cut || k != BODIES / 2) {
                pair[count][0] = k * STEP % BODIES;
                pair[count++][1] = (k + 1) * STEP % BODIES;
            }
        vs_problem *problem = make_graph(context, BODIES, count, pair, 0, NULL);
        vs_arena arena;
        vs_island_map map = map_of(problem, &arena);
        assert_int_equal(map.count, 1 + cut);
        assert_int_equal(map.contact[0], 0);
        assert_int_equal(map.contact[count - 1], cut);
        vs_arena_release(&arena);
        vs_problem_destroy(problem);
    }
    free(pair);
    end_context(context, &m);
}

// The local form: contacts that N couples, in either triangle.
static void couplings_of_the_local_form_count(void **state) {
    (void)state;
    memory m;
    vs_context *context = make_context(&m);
    // three contacts of three rows; row 8 depends on row 1, nothing on row 4
    const int64_t p[10] = {0, 1, 3, 4, 5, 6, 7, 8, 9, 10};
    const int i[10] = {0, 1, 8, 2, 3, 4, 5, 6, 7, 8};
    const double x[10] = {1, 1, .1, 1, 1, 1, 1, 1, 1, 1}, r[9] = {0}, mu[3] = {.5, .5, .5};
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = (vs_matrix_view){9, 9, p, i, x};
    def.r = r, def.mu = mu, def.contacts = 3;
    vs_problem *problem;
    assert_int_equal(vs_problem_from_local(context, &def, &problem), VS_OK);
    vs_arena arena;
    vs_island_map map = map_of(problem, &arena);
    const int contacts[] = {0, 1, 0};
    assert_int_equal(map.count, 2);
    assert_memory_equal(map.contact, contacts, sizeof contacts);
    vs_arena_release(&arena);
    vs_problem_destroy(problem);
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_are_the_connected_parts),
        cmocka_unit_test(long_chains_are_one_island),
        cmocka_unit_test(couplings_of_the_local_form_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
