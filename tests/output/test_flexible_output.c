// Flexible solids in files: a run that continues from a checkpoint has the same bits, and a trajectory contains the nodes.
#include <limits.h>
#include <unistd.h>

#include <hdf5.h>

#include "voussoir/flexible.h"
#include "voussoir/trajectory.h"
#include "kit/memory.h"

typedef struct run {
    memory m;
    vs_context *context;
    vs_world *world;
    vs_simulation *simulation;
} run;

// A soft block that falls on the floor with a rigid box on top: both halves of the world.
static void begin_scheme(run *r, int threads, vs_scheme scheme) {
    r->context = make_threaded_context(&r->m, threads);
    must(vs_world_create(r->context, NULL, &r->world), r->context);
    vs_shape *plane, *box;
    must(vs_shape_plane(r->context, &plane), r->context);
    must(vs_shape_box(r->context, (vs_vec3){.05, .05, .05}, &box), r->context);
    vs_collider_def collider = vs_collider_def_default();
    collider.shape = plane;
    must(vs_world_add_collider(r->world, &collider, NULL), r->context);
    vs_body_def body = vs_body_def_default();
    body.pose.position = (vs_vec3){.02, .01, .26};
    must(vs_world_add_body(r->world, &body, &collider.body), r->context);
    collider.shape = box;
    must(vs_world_add_collider(r->world, &collider, NULL), r->context);
    vs_shape_release(plane), vs_shape_release(box);
    vs_mesh *mesh;
    must(vs_mesh_box(r->context, (vs_vec3){.1, .1, .1}, (int[]){3, 3, 3}, 4, &mesh), r->context);
    vs_flexible_def def = vs_flexible_def_default();
    def.mesh = mesh, def.pose.position = (vs_vec3){0, 0, .105}, def.name = "block";
    def.elastic.young = 1e5;
    must(vs_world_add_flexible(r->world, &def, NULL), r->context);
    vs_mesh_destroy(mesh);
    vs_simulation_options options = vs_simulation_options_default();
    options.step = .005, options.scheme = scheme;
    must(vs_simulation_create(r->world, &options, &r->simulation), r->context);
}

static void begin(run *r, int threads) {
    begin_scheme(r, threads, VS_SCHEME_MOREAU);
}

static void end(run *r) {
    vs_simulation_destroy(r->simulation);
    vs_world_destroy(r->world);
    end_context(r->context, &r->m);
}

static void take(run *r, int steps) {
    for (int k = 0; k < steps; k++)
        must(vs_simulation_step(r->simulation, NULL), r->context);
}

static void resume(vs_scheme scheme) {
    const char *path = "test_flexible.ck";
    run whole, first, second, threads;
    begin_scheme(&whole, 1, scheme), begin_scheme(&first, 1, scheme);
    begin_scheme(&second, 1, scheme), begin_scheme(&threads, 3, scheme);
    take(&whole, 40);
    take(&threads, 40);
    assert_true(vs_world_get_hash(whole.world) == vs_world_get_hash(threads.world));
    take(&first, 20);
    must(vs_checkpoint_write(path, first.world, first.simulation), first.context);
    must(vs_checkpoint_read(path, second.world, second.simulation), second.context);
    assert_true(vs_world_get_hash(first.world) == vs_world_get_hash(second.world));
    take(&second, 20);
    assert_true(vs_world_get_hash(whole.world) == vs_world_get_hash(second.world));
    // nodes are part of the hash
    vs_flexible_id id = vs_world_get_flexible_at(second.world, 0);
    vs_flexible_view view;
    must(vs_world_get_flexible_view(second.world, id, &view), second.context);
    vs_vec3 x[64];
    assert_int_equal(view.nodes, 64);
    memcpy(x, view.position, sizeof x);
    x[63].z = nextafter(x[63].z, 1);
    must(vs_world_set_nodes(second.world, id, x, NULL), second.context);
    assert_true(vs_world_get_hash(whole.world) != vs_world_get_hash(second.world));
    end(&whole), end(&first), end(&second), end(&threads);
    (void)unlink(path);
}

static void resumed_runs_and_threads_have_the_same_bits(void **state) {
    (void)state;
    resume(VS_SCHEME_MOREAU);
    resume(VS_SCHEME_SHAKE); // has the velocities before the last step, too
}

static void read_row(hid_t file, const char *name, hsize_t frame, hsize_t nodes, hsize_t width, double *to) {
    hid_t data = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(data);
    const hsize_t start[3] = {frame, 0, 0}, count[3] = {1, nodes, width};
    hid_t rows = H5Screate_simple(width > 1 ? 3 : 2, count, NULL);
    assert_true(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
    assert_true(H5Dread(data, H5T_NATIVE_DOUBLE, rows, space, H5P_DEFAULT, to) >= 0);
    H5Sclose(rows), H5Sclose(space), H5Dclose(data);
}

// Solids are there from the first time on, contacts are not: ParaView takes its times from the first grid.
static void solids_stand_before_contacts(const char *path) {
    static char text[1 << 20];
    FILE *from = fopen(path, "r");
    assert_non_null(from);
    text[fread(text, 1, sizeof text - 1, from)] = 0;
    (void)fclose(from);
    const char *solids = strstr(text, "Grid Name=\"flexible\""), *contacts = strstr(text, "Grid Name=\"contacts\"");
    assert_non_null(solids);
    assert_non_null(contacts);
    assert_true(solids < contacts);
}

static void trajectories_hold_nodes_stress_and_pressure(void **state) {
    (void)state;
    const char *path = "test_flexible.h5";
    run r;
    begin(&r, 1);
    vs_trajectory_writer *writer;
    vs_step_report report;
    must(vs_trajectory_writer_create(path, r.world, NULL, &writer), r.context);
    for (int k = 0; k < 30; k++) {
        must(vs_simulation_step(r.simulation, &report), r.context);
        must(vs_trajectory_writer_write(writer, r.world, r.simulation, &report), r.context);
    }
    must(vs_trajectory_writer_close(writer), r.context);
    vs_flexible_view view;
    must(vs_world_get_flexible_view(r.world, vs_world_get_flexible_at(r.world, 0), &view), r.context);
    double x[64 * 3], stress[64], pressure[64], expected[64];
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    read_row(file, "flexible/position", 29, 64, 3, x);
    read_row(file, "flexible/von_mises", 29, 64, 1, stress);
    read_row(file, "flexible/pressure", 29, 64, 1, pressure);
    H5Fclose(file);
    assert_memory_equal(x, view.position, sizeof x);
    must(vs_world_get_flexible_stress(r.world, vs_world_get_flexible_at(r.world, 0), expected), r.context);
    assert_memory_equal(stress, expected, sizeof stress);
    must(vs_simulation_get_pressure(r.simulation, vs_world_get_flexible_at(r.world, 0), expected), r.context);
    assert_memory_equal(pressure, expected, sizeof pressure);
    double most = 0;
    for (int k = 0; k < 64; k++)
        most = fmax(most, pressure[k]);
    assert_true(most > 0);
    must(vs_trajectory_export_xdmf(r.context, path, "test_flexible_view"), r.context);
    solids_stand_before_contacts("test_flexible_view.xdmf");
    end(&r);
    (void)unlink(path), (void)unlink("test_flexible_view.h5"), (void)unlink("test_flexible_view.xdmf");
}

// A file has the same solids from begin to end; what was written before one goes stays good.
static void a_removed_solid_ends_the_trajectory_with_a_reason(void **state) {
    (void)state;
    const char *path = "test_flexible_removed.h5";
    run r;
    begin(&r, 1);
    vs_trajectory_writer *writer;
    must(vs_trajectory_writer_create(path, r.world, NULL, &writer), r.context);
    for (int k = 0; k < 3; k++) {
        vs_step_report report;
        must(vs_simulation_step(r.simulation, &report), r.context);
        must(vs_trajectory_writer_write(writer, r.world, r.simulation, &report), r.context);
    }
    must(vs_world_remove_flexible(r.world, vs_world_get_flexible_at(r.world, 0)), r.context);
    take(&r, 1);
    assert_int_equal(vs_trajectory_writer_write(writer, r.world, r.simulation, NULL), VS_ERROR_UNSUPPORTED);
    const char *text = vs_context_get_error_text(r.context);
    if (!strstr(text, path) || !strstr(text, "(\"block\") was removed") || !strstr(text, "start another one"))
        fail_msg("\"%s\" does not say what happened, where, and what to do", text);
    must(vs_trajectory_writer_close(writer), r.context);
    vs_trajectory_reader *reader;
    must(vs_trajectory_reader_open(r.context, path, &reader), r.context);
    assert_int_equal(vs_trajectory_reader_get_info(reader)->frames, 3);
    vs_trajectory_reader_close(reader);
    end(&r);
    (void)unlink(path);
}

// Sums of node numbers must not leave the range of int, nor nodes those of their solid.
static void an_export_refuses_elements_of_nodes_that_do_not_exist(void **state) {
    (void)state;
    const char *path = "test_flexible_nodes.h5";
    run r;
    (void)unlink("test_flexible_nodes_view.h5");
    begin(&r, 1);
    vs_trajectory_writer *writer;
    must(vs_trajectory_writer_create(path, r.world, NULL, &writer), r.context);
    must(vs_trajectory_writer_write(writer, r.world, r.simulation, NULL), r.context);
    must(vs_trajectory_writer_close(writer), r.context);
    static const int wrong[] = {INT_MAX, INT_MIN, -1, 64};
    for (int k = 0; k < 4; k++) {
        int element[27 * 6 * 4];
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), data = H5Dopen2(file, "flexible/element", H5P_DEFAULT);
        hid_t space = H5Dget_space(data);
        const hssize_t count = H5Sget_simple_extent_npoints(space);
        assert_in_range(count, 1, sizeof element / sizeof element[0]);
        assert_true(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, element) >= 0);
        element[count - 1] = wrong[k];
        assert_true(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, element) >= 0);
        H5Sclose(space), H5Dclose(data), H5Fclose(file);
        assert_int_equal(vs_trajectory_export_xdmf(r.context, path, "test_flexible_nodes_view"), VS_ERROR_DATA);
        assert_non_null(strstr(vs_context_get_error_text(r.context), "flexible/element is invalid"));
        assert_int_not_equal(access("test_flexible_nodes_view.h5", F_OK), 0);
    }
    end(&r);
    (void)unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resumed_runs_and_threads_have_the_same_bits),
        cmocka_unit_test(trajectories_hold_nodes_stress_and_pressure),
        cmocka_unit_test(a_removed_solid_ends_the_trajectory_with_a_reason),
        cmocka_unit_test(an_export_refuses_elements_of_nodes_that_do_not_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
