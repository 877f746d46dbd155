// Flexible bodies as objects of a world: ids, names, what is refused, what goes with what, and failures of memory.
#include "worlds.h"

#include "body/flexible_data.h"

typedef struct fixture {
    memory m;
    vs_context *context;
    vs_world *world;
    vs_mesh *mesh;
} fixture;

static void open_fixture(fixture *f) {
    f->context = make_context(&f->m);
    f->world = make_world(f->context, (vs_vec3){0, 0, -9.81});
    assert_int_equal(vs_mesh_box(f->context, (vs_vec3){.5, .5, .5}, (int[]){1, 1, 1}, 4, &f->mesh), VS_OK);
}

static void close_fixture(fixture *f) {
    vs_mesh_destroy(f->mesh);
    vs_world_destroy(f->world);
    end_context(f->context, &f->m);
}

static vs_flexible_id add(fixture *f, const char *name) {
    vs_flexible_def def = vs_flexible_def_default();
    vs_flexible_id id;
    def.mesh = f->mesh, def.name = name;
    assert_int_equal(vs_world_add_flexible(f->world, &def, &id), VS_OK);
    return id;
}

static vs_flexible_id add_line(fixture *f, const char *name) {
    static const vs_vec3 point[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    vs_beam_def def = vs_beam_def_default();
    vs_flexible_id id;
    def.nodes = 3, def.point = point, def.along_y = .01, def.name = name, def.contact_radius = .01;
    assert_int_equal(vs_world_add_beam(f->world, &def, &id), VS_OK);
    return id;
}

static void ids_and_names_are_those_of_what_is_alive(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    vs_flexible_id a = add(&f, "a"), b = add(&f, NULL);
    assert_int_equal(vs_world_get_flexible_count(f.world), 2);
    assert_string_equal(vs_world_get_flexible_name(f.world, a), "a");
    assert_string_equal(vs_world_get_flexible_name(f.world, b), "");
    assert_int_equal(vs_world_find_flexible(f.world, "a").generation, a.generation);
    assert_int_equal(vs_world_remove_flexible(f.world, a), VS_OK);
    assert_int_equal(vs_world_remove_flexible(f.world, a), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_find_flexible(f.world, "a").generation, 0);
    vs_flexible_id c = add(&f, "a");
    assert_int_equal(c.index, a.index);
    assert_true(c.generation != a.generation);
    assert_int_equal(vs_world_get_flexible_at(f.world, 1).index, b.index);
    assert_int_equal(vs_world_get_flexible_at(f.world, 2).generation, 0);
    vs_flexible_view view;
    assert_int_equal(vs_world_get_flexible_view(f.world, a, &view), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_get_flexible_view(f.world, c, &view), VS_OK);
    double mass = 0;
    for (int k = 0; k < view.nodes; k++)
        mass += view.mass[k];
    assert_close(mass, 1100, 1e-9);
    assert_int_equal(view.faces, 12);
    close_fixture(&f);
}

static void a_beam_and_its_bodies_go_together(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    vs_flexible_id line = add_line(&f, "line");
    assert_int_equal(vs_world_get_body_count(f.world), 3);
    vs_body_id middle = vs_world_find_body(f.world, "line.1");
    assert_true(middle.generation > 0);
    // half of the mass of each element beside it: 7850 pi 1e-4
    double mass;
    assert_int_equal(vs_world_get_body_mass(f.world, middle, &mass, NULL), VS_OK);
    assert_close(mass, 7850 * 3.14159265358979 * 1e-4, 1e-9);
    assert_int_equal(vs_world_prescribe_nodes(f.world, line, 0, NULL, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_remove_body(f.world, middle), VS_OK);
    assert_int_equal(vs_world_get_flexible_count(f.world), 0);
    assert_int_equal(vs_world_get_body_count(f.world), 2);
    line = add_line(&f, "other");
    assert_int_equal(vs_world_remove_flexible(f.world, line), VS_OK);
    assert_int_equal(vs_world_get_body_count(f.world), 2);
    close_fixture(&f);
}

// Vertical rings and lines that pass the direction `up`: sections turn with the line, never about it. (The frame of each
// node by itself, with z towards `up`, would be turned by half a turn where the line passes the vertical.)
static void sections_are_not_twisted_where_a_line_is_vertical(void **state) {
    (void)state;
    enum { NODES = 24 };
    const double PI = 3.14159265358979323846;
    for (int kind = 0; kind < 8; kind++) {
        fixture f;
        open_fixture(&f);
        // In the plane of z and a horizontal direction; every second one begins with a vertical piece or at the vertical.
        vs_vec3 point[NODES], out = {cos(kind), sin(kind), 0};
        for (int k = 0; k < NODES; k++) {
            double a = 2 * PI * (k + .5 * (kind % 4 == 0)) / NODES;
            double x = kind < 4 ? -cos(a) : k < 4 ? -1 : -cos(PI * (k - 4) / (NODES - 5));
            double z = kind < 4 ? sin(a) : k < 4 ? .1 * (k - 4) : sin(PI * (k - 4) / (NODES - 5));
            point[k] = (vs_vec3){x * out.x, x * out.y, z};
        }
        vs_beam_def def = vs_beam_def_default();
        def.nodes = NODES, def.point = point, def.along_y = .01, def.name = "line", def.closed = kind < 4;
        assert_int_equal(vs_world_add_beam(f.world, &def, NULL), VS_OK);
        vs_body_state before, after;
        for (int k = 0; k < NODES - (kind >= 4); k++) {
            assert_int_equal(vs_world_get_body_state(f.world, vs_world_get_body_at(f.world, k), &before), VS_OK);
            assert_int_equal(vs_world_get_body_state(f.world, vs_world_get_body_at(f.world, (k + 1) % NODES), &after),
                             VS_OK);
            vs_quat turn = vs_quat_multiply(vs_quat_conjugate(before.pose.rotation), after.pose.rotation);
            vs_vec3 x = vs_rotate(turn, (vs_vec3){1, 0, 0});
            // the angle between two tangents, and nothing else
            assert_close(vs_length(vs_quat_log(turn)), acos(fmin(x.x, 1)), 1e-7);
            assert_true(vs_length(vs_quat_log(turn)) < .5);
            // z of the section stays in the plane
            vs_vec3 z = vs_rotate(after.pose.rotation, (vs_vec3){0, 0, 1});
            assert_close(z.x * -out.y + z.y * out.x, 0, 1e-7);
        }
        close_fixture(&f);
    }
}

static void glue_ends_with_its_body(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    vs_flexible_id id = add(&f, NULL);
    vs_body_def def = vs_body_def_default();
    vs_body_id body;
    assert_int_equal(vs_world_add_body(f.world, &def, &body), VS_OK);
    const int node[2] = {0, 1};
    assert_int_equal(vs_world_attach_nodes(f.world, id, 2, node, body), VS_OK);
    const vs_flexible *flexible = &f.world->flexible[id.index];
    assert_true(vs_node_is_free(f.world, flexible, 0));
    assert_int_equal(flexible->attached[0], (int)body.index);
    assert_int_equal(vs_world_remove_body(f.world, body), VS_OK);
    assert_int_equal(flexible->attached[0], -1);
    assert_int_equal(vs_world_attach_nodes(f.world, id, 1, node, (vs_body_id){0, 0}), VS_OK);
    assert_false(vs_node_is_free(f.world, flexible, 0));
    assert_int_equal(vs_world_free_nodes(f.world, id, 1, node), VS_OK);
    assert_true(vs_node_is_free(f.world, flexible, 0));
    close_fixture(&f);
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    vs_flexible_id id = add(&f, "a");
    vs_flexible_def def = vs_flexible_def_default();
    assert_int_equal(vs_world_add_flexible(f.world, &def, NULL), VS_ERROR_ARGUMENT); // no mesh
    def.mesh = f.mesh, def.name = "a";
    assert_int_equal(vs_world_add_flexible(f.world, &def, NULL), VS_ERROR_ARGUMENT);
    def.name = NULL, def.elastic.poisson = .5;
    assert_int_equal(vs_world_add_flexible(f.world, &def, NULL), VS_ERROR_DATA);
    def = vs_flexible_def_default(), def.mesh = f.mesh, def.material = 7;
    assert_int_equal(vs_world_add_flexible(f.world, &def, NULL), VS_ERROR_ARGUMENT);
    const int wrong[1] = {8};
    assert_int_equal(vs_world_prescribe_nodes(f.world, id, 1, wrong, NULL), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(f.context), "node 8 does not exist, there are 8"));
    assert_int_equal(vs_world_fix_nodes(f.world, id, 0, NULL, 8), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_load_nodes(f.world, id, 0, NULL, NULL), VS_ERROR_ARGUMENT);
    vs_beam_def beam = vs_beam_def_default();
    assert_int_equal(vs_world_add_beam(f.world, &beam, NULL), VS_ERROR_ARGUMENT);
    close_fixture(&f);
}

// Every allocation fails once: nothing leaks, the world stays as it was.
static void failed_allocations_leave_the_world_as_it_was(void **state) {
    (void)state;
    static const vs_vec3 point[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    for (int kind = 0; kind < 2; kind++) {
        vs_error error = VS_ERROR_MEMORY;
        for (int k = 0; error; k++) {
            fixture f;
            open_fixture(&f);
            vs_flexible_def def = vs_flexible_def_default();
            vs_beam_def beam = vs_beam_def_default();
            def.mesh = f.mesh, def.name = "x", def.consistent_mass = true;
            beam.nodes = 3, beam.point = point, beam.along_y = .01, beam.name = "x", beam.contact_radius = .01;
            refuse_call(&f.m, k);
            error = kind ? vs_world_add_beam(f.world, &beam, NULL) : vs_world_add_flexible(f.world, &def, NULL);
            assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
            assert_int_equal(vs_world_get_flexible_count(f.world), error ? 0 : 1);
            assert_int_equal(vs_world_get_body_count(f.world), error || !kind ? 0 : 3);
            refuse_none(&f.m);
            close_fixture(&f);
            assert_true(k < 1000);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_and_names_are_those_of_what_is_alive),
        cmocka_unit_test(a_beam_and_its_bodies_go_together),
        cmocka_unit_test(sections_are_not_twisted_where_a_line_is_vertical),
        cmocka_unit_test(glue_ends_with_its_body),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(failed_allocations_leave_the_world_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
