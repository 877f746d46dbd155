// Large granular islands are told from structures by the pattern of their contacts.
#include "problems.h"

#include "problem/granular.h"

// Bodies in a row, each with `reach` successors, and so many contacts with the first `several` of them, one with the others.
static vs_problem *make_row(vs_context *context, int bodies, int reach, int several, int per_pair) {
    static const double mass[36] = {[0] = 1, [7] = 1, [14] = 1, [21] = 1, [28] = 1, [35] = 1}, c[6] = {0};
    static const double forth[18] = {[0] = 1, [7] = 1, [14] = 1}, back[18] = {[0] = -1, [7] = -1, [14] = -1};
    const double *const J[2] = {back, forth};
    vs_problem_builder *builder;
    vs_problem *problem;
    assert_int_equal(vs_problem_builder_create(context, &builder), VS_OK);
    for (int k = 0; k < bodies; k++)
        assert_int_equal(vs_problem_builder_add_block(builder, 6, mass, c, NULL), VS_OK);
    for (int k = 0; k < bodies; k++)
        for (int next = k + 1; next <= k + reach && next < bodies; next++)
            for (int i = 0; i < (next <= k + several ? per_pair : 1); i++) {
                const int pair[2] = {k, next};
                vs_problem_contact_def def = vs_problem_contact_def_default();
                def.mu = .5, def.blocks = 2, def.block = pair, def.jacobian = J;
                assert_int_equal(vs_problem_builder_add_contact(builder, &def, NULL), VS_OK);
            }
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    return problem;
}

// Number of contacts in granular islands.
static int count_mixed(int bodies, int reach, int several, int per_pair) {
    memory m;
    vs_context *context = make_context(&m);
    vs_problem *problem = make_row(context, bodies, reach, several, per_pair);
    vs_arena arena;
    vs_island_map map;
    vs_arena_init(&arena, context);
    assert_int_equal(vs_island_map_create(&map, problem, &arena), VS_OK);
    assert_int_equal(vs_granular_find(&map, problem, &arena), VS_OK);
    assert_int_equal(map.count, 1);
    assert_int_equal(map.granular[0], map.granular_islands > 0);
    const int contacts = (int)map.granular_contacts;
    vs_arena_release(&arena);
    vs_problem_destroy(problem);
    end_context(context, &m);
    return contacts;
}

static int count(int bodies, int reach, int per_pair) {
    return count_mixed(bodies, reach, reach, per_pair);
}

static void hundreds_of_contacts_of_grains_are_a_granular_island(void **state) {
    (void)state;
    assert_int_equal(count(1001, 1, 1), 1000);
    assert_int_equal(count(301, 1, 1), 300);
    assert_int_equal(count(300, 1, 1), 0); // 299
    assert_int_equal(count(602, 1, 2), 1202);
    assert_int_equal(count(300, 6, 1), 1779);  // as many closed ones as balls can have
    assert_int_equal(count(300, 13, 1), 3809); // and with those that are near, in a fast flow
}

static void small_pyramids_of_balls_are_none(void **state) {
    (void)state;
    assert_int_equal(count(200, 4, 1), 790); // 3.95 per body
    assert_int_equal(count(201, 5, 1), 0);   // 990, 4.9 per body
    assert_int_equal(count(205, 5, 1), 1010);
}

static void towers_and_arches_of_blocks_are_none(void **state) {
    (void)state;
    assert_int_equal(count(300, 1, 4), 0); // 1196, four in each joint
    assert_int_equal(count(600, 1, 3), 0); // feet of a tripod
}

static void bodies_with_many_contacts_are_none(void **state) {
    (void)state;
    assert_int_equal(count(300, 4, 2), 2380); // 7.9 per body
    assert_int_equal(count(300, 5, 2), 0);
}

// Faces of four contacts, and single points.
static void polyhedra_are_grains_until_their_faces_lock(void **state) {
    (void)state;
    assert_int_equal(count_mixed(300, 2, 1, 6), 2092); // 3.5 per pair
    assert_int_equal(count_mixed(300, 7, 1, 4), 2969); // 9.9 per body, one face
    assert_int_equal(count_mixed(300, 4, 2, 4), 0);    // 9.9 per body, two faces: a dome
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hundreds_of_contacts_of_grains_are_a_granular_island),
        cmocka_unit_test(small_pyramids_of_balls_are_none),
        cmocka_unit_test(towers_and_arches_of_blocks_are_none),
        cmocka_unit_test(polyhedra_are_grains_until_their_faces_lock),
        cmocka_unit_test(bodies_with_many_contacts_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
