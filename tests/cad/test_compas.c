// Models and problems of COMPAS become blocks: placed by the tree of elements, static where the file or the boundary conditions
// say so, with the densities and friction that it states. What has no blocks is refused by its type.
#include <stdarg.h>
#include <stdio.h>

#include "kit/fixture.h"
#include "voussoir/voussoir.h"

// A tetrahedron with legs of 1 m: 1/6 m^3.
#define MESH                                                                                                           \
    "{\"dtype\": \"compas.datastructures/Mesh\", \"data\": {\"vertex\": {\"4\": {}, \"5\": {\"x\": 1}, \"6\": "        \
    "{\"y\": 1}, "                                                                                                     \
    "\"7\": {\"z\": 1}}, \"face\": {\"0\": [4, 6, 5], \"1\": [4, 5, 7], \"2\": [5, 6, 7], \"3\": [6, 4, 7]}}}"
#define MOVED(x, y, z)                                                                                                 \
    "{\"data\": {\"matrix\": [[1, 0, 0, " #x "], [0, 1, 0, " #y "], [0, 0, 1, " #z "], [0, 0, 0, 1]]}}"
#define TURNED "{\"data\": {\"matrix\": [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}}"
#define ELEMENT(guid, placed, more)                                                                                    \
    "\"" guid "\": {\"dtype\": \"compas_dem.elements/Block\", \"data\": {\"geometry\": " MESH                          \
    ", \"transformation\": " placed more "}}"

// Element b stands at (3, 0, 0) of the group, which is 2 m above, in a model turned by 90 degrees: at (0, 3, 2). a is not in the tree.
#define MODEL                                                                                                          \
    "{\"dtype\": \"compas_dem.models/BlockModel\", \"data\": {\"transformation\": " TURNED                             \
    ", \"elements\": {" ELEMENT("a", "null", ", \"is_support\": true") ", " ELEMENT(                                   \
        "b", MOVED(3, 0, 0),                                                                                           \
        ", \"material\": \"m\"") ", "                                                                                  \
                                 "\"g\": {\"dtype\": \"compas_model.elements/Group\", \"data\": "                      \
                                 "{\"transformation\": " MOVED(                                                        \
                                     0, 0, 2) "}}}, "                                                                  \
                                              "\"materials\": {\"m\": {\"data\": {\"name\": \"Stone\", \"density\": "  \
                                              "3000}}}, "                                                              \
                                              "\"tree\": {\"root\": {\"children\": [{\"element\": \"g\", "             \
                                              "\"children\": [{\"element\": \"b\"}]}]}}, "                             \
                                              "\"graph\": {\"node\": {\"0\": {\"element\": \"a\"}, \"1\": "            \
                                              "{\"element\": \"g\"}, \"2\": {\"element\": \"b\"}}}}}"

static vs_cad *parse(void **state, const char *text, const vs_cad_options *options) {
    vs_cad *cad = NULL;
    must(vs_cad_parse(context_of(state), text, strlen(text), "model.json", "json", options, &cad), context_of(state));
    return cad;
}

static bool has(const vs_cad *cad, const char *text) {
    return strstr(vs_cad_get_scene(cad, NULL), text) != NULL;
}

static void test_elements_are_placed_by_their_tree(void **state) {
    vs_cad *cad = parse(state, MODEL, NULL);
    const vs_cad_report r = vs_cad_get_report(cad);
    assert_int_equal(r.bodies, 2);
    assert_int_equal(r.fixed, 1);
    // a: x from -1 to 0 and y, z from 0 to 1; b: 3 m along y and 2 m up
    const double seen[] = {r.low.x, r.low.y, r.low.z, r.high.x, r.high.y, r.high.z}, right[] = {-1, 0, 0, 0, 4, 3};
    for (int k = 0; k < 6; k++)
        assert_true(fabs(seen[k] - right[k]) < 1e-15); // whole numbers but for the signs of zeros
    assert_true(has(cad, "\"block-0\"") && has(cad, "\"block-2\", \"material\": \"Stone\", \"density\": 3000"));
    assert_true(r.density_stated && r.density_least == 2200 && r.density_most == 3000 && !r.mu_stated);
    assert_true(fabs(r.mass - 500) < 1e-9); // 3000/6 kg
    vs_cad_destroy(cad);
}

static void test_options_come_before_the_file(void **state) {
    vs_cad_options o = vs_cad_options_default();
    o.density = 1000;
    o.mu = .25;
    vs_cad *cad = parse(state,
                        "{\"data\": {\"model\": " MODEL
                        ", \"contact_properties\": {\"data\": {\"contact_model\": {\"data\": {\"mu\": 0.5}}}}}}",
                        &o);
    const vs_cad_report r = vs_cad_get_report(cad);
    assert_true(!r.density_stated && r.density_most == 1000 && !r.mu_stated && has(cad, "\"mu\": 0.25"));
    vs_cad_destroy(cad);
}

static void test_a_problem_holds_blocks_and_states_friction(void **state) {
    static const char *const friction[] = {"\"mu\": 0.5", "\"mu\": null, \"phi\": 26.56505117707799"}; // tan: 0.5
    for (int k = 0; k < 2; k++) {
        char text[4096];
        (void)snprintf(text, sizeof text,
                       "{\"dtype\": \"compas_dem.problem/Problem\", \"data\": {\"model\": %s, \"boundary_conditions\": "
                       "{\"data\": {\"displacements\": [{\"block_index\": 2, \"translation\": [0, 0, 0], \"rotation\": "
                       "[0, 0, 0]}]}}, \"contact_properties\": {\"data\": {\"contact_model\": {\"data\": {%s}}}}}}",
                       MODEL, friction[k]);
        vs_cad *cad = parse(state, text, NULL);
        const vs_cad_report r = vs_cad_get_report(cad);
        assert_int_equal(r.fixed, 2);
        assert_true(r.mu_stated && fabs(r.mu - .5) < 1e-14);
        vs_cad_destroy(cad);
    }
}

static void test_lists_of_older_files_are_read(void **state) {
    vs_cad *cad = parse(state,
                        "{\"data\": {\"elements\": [{\"data\": {\"shape\": " MESH
                        ", \"is_support\": true}, \"guid\": \"p\"}], \"materials\": [{\"guid\": \"m\", \"data\": "
                        "{\"density\": 1500}}], \"element_material\": {\"p\": \"m\"}}}",
                        NULL);
    const vs_cad_report r = vs_cad_get_report(cad);
    assert_true(r.bodies == 1 && r.fixed == 1 && r.density_least == 1500 && has(cad, "\"block-p\""));
    vs_cad_destroy(cad);
}

static void test_the_lowest_bodies_are_held_on_request(void **state) {
    vs_cad_options o = vs_cad_options_default();
    vs_cad *cad = parse(state, "[" MESH ", [" MESH "]]", &o);
    vs_cad_report r = vs_cad_get_report(cad);
    assert_true(r.bodies == 2 && r.fixed == 0 && r.lowest == 2);
    vs_cad_destroy(cad);
    o.fix_lowest = true;
    cad = parse(state, MODEL, &o);
    r = vs_cad_get_report(cad);
    assert_true(r.fixed == 1 && r.lowest == 1); // the other one begins at 2 m
    vs_cad_destroy(cad);
}

static void test_what_is_wrong_is_named(void **state) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"{\"dtype\": \"compas_rv.datastructures/ThrustDiagram\", \"data\": {\"vertex\": {}, \"face\": {}}}",
         "is a compas_rv.datastructures/ThrustDiagram, which has no blocks"},
        {"{\"elements\": {" ELEMENT("a", "{\"data\": {\"matrix\": [[1, 0]]}}", "") "}}",
         "element a has a transformation that is not a 4 x 4 matrix"},
        {"{\"transformation\": 7, \"elements\": {}}", "the transformation of the model is not"},
        {"{\"elements\": {\"a\": {\"dtype\": \"x/Beam\", \"data\": {}}}}", "element a (x/Beam) has no mesh"},
        {"{\"elements\": [{}]}", "entry 0 of a list of the model has no \"guid\""},
        {"{\"elements\": {}, \"graph\": {\"node\": {\"0\": {\"element\": \"z\"}}}}",
         "element z of the graph does not exist"},
        {"{\"elements\": {" ELEMENT("a", "null", "") "}, \"graph\": {\"node\": {\"0\": {\"element\": \"a\"}, \"1\": "
                                                     "{\"element\": \"a\"}}}}",
         "element a is at two nodes"},
        {"{\"model\": {}, \"boundary_conditions\": {\"displacements\": [{}]}}", "displacement 0 of the boundary"},
        {"[7]", "block 0 is not a mesh"},
        {"{\"elements\": {}}", "no faces"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        vs_cad *cad = NULL;
        assert_int_equal(
            vs_cad_parse(context_of(state), cases[k].text, strlen(cases[k].text), "model.json", "json", NULL, &cad),
            VS_ERROR_DATA);
        if (!strstr(vs_context_get_error_text(context_of(state)), cases[k].says))
            fail_msg("'%s' does not say '%s'", vs_context_get_error_text(context_of(state)), cases[k].says);
    }
}

// A tree far deeper than any model is refused before the stack ends.
static void test_deep_trees_are_refused(void **state) {
    enum { DEEP = 500 };
    static char text[DEEP * 24];
    size_t used = (size_t)snprintf(text, sizeof text, "{\"elements\": {}, \"tree\": {\"root\": ");
    for (int k = 0; k < DEEP; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "{\"children\": [");
    for (int k = 0; k < DEEP; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "]}");
    (void)snprintf(text + used, sizeof text - used, "}}");
    vs_cad *cad = NULL;
    assert_int_equal(vs_cad_parse(context_of(state), text, strlen(text), "deep.json", "json", NULL, &cad),
                     VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(context_of(state)), "more than 64 levels"));
}

static vs_error attempt(void *user) {
    static const char text[] =
        "{\"data\": {\"model\": " MODEL ", \"boundary_conditions\": {\"displacements\": [{\"block_index\": 0}]}}}";
    vs_cad *cad = NULL;
    const vs_error error = vs_cad_parse(user, text, sizeof text - 1, "model.json", "json", NULL, &cad);
    vs_cad_destroy(cad);
    return error;
}

static void test_failed_allocations_leak_nothing(void **state) {
    fixture *f = *state;
    assert_true(refuse_each(&f->m, f->context, attempt, f->context) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_elements_are_placed_by_their_tree, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_options_come_before_the_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_problem_holds_blocks_and_states_friction, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lists_of_older_files_are_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_lowest_bodies_are_held_on_request, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_wrong_is_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_deep_trees_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failed_allocations_leak_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
