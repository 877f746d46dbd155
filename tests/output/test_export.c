// Export: XDMF and HDF5 fit together (Python reads the XML as ParaView does: every dataset is there with the sizes
// told), numbers are those of the trajectory, and the trajectory itself is never overwritten.
#include "moved.h"

#include <fcntl.h>
#include <sys/stat.h>

static void write_file(fixture *f, double step, int64_t frames) {
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    vs_trajectory_writer *writer = NULL;
    options.step = step;
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, &options, &writer));
    write_frames(f, writer, 0, frames);
    assert_ok(f, vs_trajectory_writer_close(writer));
}

typedef struct names {
    char xdmf[128], h5[128];
} names;

static names name(const fixture *f, const char *stem) {
    names n;
    (void)snprintf(n.xdmf, sizeof n.xdmf, "%s/%s.xdmf", f->folder, stem);
    (void)snprintf(n.h5, sizeof n.h5, "%s/%s.h5", f->folder, stem);
    return n;
}

static void remove_both(const names *n) {
    assert_int_equal(unlink(n->xdmf), 0);
    assert_int_equal(unlink(n->h5), 0);
}

// Every DataItem of the XML exists with its size; then `code`, which sees get(frame, grid, array) and times.
static bool description_holds(const names *n, const char *code) {
    char all[4096];
    (void)snprintf(all, sizeof all,
                   "import os, xml.etree.ElementTree as E\n"
                   "path = '%s'\n"
                   "sets = {g.get('Name'): g.findall('Grid') for g in E.parse(path).getroot().find('Domain')}\n"
                   "time = lambda g: float(g.find('Time').get('Value'))\n"
                   "times = [time(g) for g in sets['bodies']]\n"
                   "def item(i):\n"
                   "    file, where = i.text.split(':')\n"
                   "    assert os.path.join(os.path.dirname(path), file) == f.filename, file\n"
                   "    d = f[where]\n"
                   "    assert d.shape == tuple(map(int, i.get('Dimensions').split())), where\n"
                   "    assert d.dtype == ('f8' if i.get('NumberType') == 'Float' else 'i4')\n"
                   "    return d[()]\n"
                   "def get(frame, grid, array):\n"
                   "    g = [g for g in sets[grid] if time(g) == times[frame]]\n"
                   "    if not g: return []\n"
                   "    if array == 'position': return item(g[0].find('Geometry/DataItem'))\n"
                   "    return item(g[0].find('Attribute[@Name=\"' + array + '\"]/DataItem'))\n"
                   "for i in E.parse(path).iter('DataItem'): item(i)\n"
                   "for g in sum(sets.values(), []):\n"
                   "    n = int(g.find('Topology').get('NumberOfElements'))\n"
                   "    assert g.get('GridType') == 'Uniform' and len(item(g.find('Geometry/DataItem'))) == n > 0\n"
                   "%s",
                   n->xdmf, code);
    return python_agrees(n->h5, all);
}

static void numbers_are_those_of_the_trajectory(void **state) {
    fixture *f = *state;
    const names n = name(f, "view");
    write_file(f, .25, 7);
    assert_ok(f, vs_trajectory_export_xdmf(f->context, f->path, n.xdmf));
    assert_true(description_holds(
        &n, "assert times == [.25 * k for k in range(7)]\n"
            "known = lambda t, what, k, i: t + what / 16 + k / 256 + i / 4096\n"
            "for t in range(7):\n"
            "    assert get(t, 'bodies', 'position').tolist() == [[known(t, 1, k, i) for i in range(3)] for k in "
            "range(5)]\n"
            "    assert get(t, 'bodies', 'orientation').tolist() == [[1, 0, 0, 0]] * 5\n"
            "    assert get(t, 'bodies', 'velocity')[2, 1] == known(t, 2, 2, 1)\n"
            "    assert get(t, 'bodies', 'angular_velocity')[2, 1] == known(t, 3, 2, 1)\n"
            "    p = get(t, 'shapes', 'position')\n"
            "    assert p[0].tolist() == get(t, 'bodies', 'position')[0].tolist()\n"
            "    assert np.allclose(p[4] - get(t, 'bodies', 'position')[3], [0, 0, 1])\n"
            "    assert np.allclose(p[2] - get(t, 'bodies', 'position')[2], [.5, .5, .5])\n" // middle of its box
            "    assert len(get(t, 'contacts', 'position')) == t % 5\n"
            "    for k in range(t % 5):\n"
            "        assert get(t, 'contacts', 'impulse')[k, 2] == known(t, 9, k, 2)\n"
            "        assert get(t, 'contacts', 'force')[k, 2] == known(t, 9, k, 2) / .25\n"
            "        assert get(t, 'contacts', 'normal')[k, 0] == known(t, 7, k, 0)\n"
            "        assert get(t, 'contacts', 'velocity')[k, 0] == known(t, 10, k, 0)\n"
            "        assert get(t, 'contacts', 'gap')[k] == known(t, 8, k, 0)\n"
            "        assert (get(t, 'contacts', 'body_a')[k], get(t, 'contacts', 'body_b')[k]) == (k - 1, k)\n"
            "assert get(0, 'bodies', 'mass').tolist() == [1, 2, 3, 4, 0]\n"
            "assert get(0, 'shapes', 'kind').tolist() == [1, 0, 5, 2, 0, 7]\n" // the plane is left out
            "assert get(0, 'shapes', 'body').tolist() == [0, 1, 2, 3, 3, -1]\n"
            "assert get(0, 'shapes', 'size')[0].tolist() == [1, .5, .25]\n"));
    remove_both(&n);
}

static void without_a_step_there_are_no_forces(void **state) {
    fixture *f = *state;
    const names n = name(f, "a & b"); // a name that XML must escape; without the ending
    char out[128];
    (void)snprintf(out, sizeof out, "%s/a & b", f->folder);
    write_file(f, 0, 4);
    assert_ok(f, vs_trajectory_export_xdmf(f->context, f->path, out));
    assert_true(description_holds(&n, "assert get(3, 'contacts', 'impulse').shape == (3, 3)\n"
                                      "assert 'force' not in open(path).read().replace('contacts/force', '')\n"));
    remove_both(&n);
}

static void a_removed_body_stays_where_it_was_last_seen(void **state) {
    fixture *f = *state;
    const names n = name(f, "view");
    const vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    vs_trajectory_writer *writer = NULL;
    vs_step_report report;
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, &options, &writer));
    write_frames(f, writer, 0, 3);
    move(f, 3, &report);
    assert_ok(f, vs_world_remove_body(f->world, f->body[2]));
    f->simulation.count = 0;
    assert_ok(f, vs_trajectory_writer_write(writer, f->world, &f->simulation, &report));
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_ok(f, vs_trajectory_export_xdmf(f->context, f->path, n.xdmf));
    assert_true(description_holds(
        &n, "assert get(2, 'bodies', 'present').tolist() == [1] * 5\n"
            "assert get(3, 'bodies', 'present').tolist() == [1, 1, 0, 1, 1]\n"
            "assert get(3, 'shapes', 'present').tolist() == [1, 1, 0, 1, 1, 1]\n"
            "assert get(3, 'bodies', 'position')[2].tolist() == get(2, 'bodies', 'position')[2].tolist()\n"
            "assert not get(3, 'bodies', 'velocity')[2].any()\n"));
    remove_both(&n);
}

static void a_file_that_is_being_written_can_be_exported(void **state) {
    fixture *f = *state;
    const names n = name(f, "view");
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    options.flush_frames = 2;
    vs_trajectory_writer *writer = NULL;
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, &options, &writer));
    write_frames(f, writer, 0, 9);
    assert_int_equal(wait_for(start_again(n.xdmf, f->path)), 0);
    write_frames(f, writer, 9, 12);
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_true(description_holds(&n, "assert len(times) == 8\n")); // what was flushed
    assert_frames(f, 12);
    remove_both(&n);
}

static void a_world_without_anything_is_exported(void **state) {
    fixture *f = *state;
    const names n = name(f, "view");
    vs_world *empty = NULL;
    vs_trajectory_writer *writer = NULL;
    assert_ok(f, vs_world_create(f->context, NULL, &empty));
    assert_ok(f, vs_trajectory_writer_create(f->path, empty, NULL, &writer));
    assert_ok(f, vs_trajectory_writer_write(writer, empty, NULL, NULL));
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_ok(f, vs_trajectory_export_xdmf(f->context, f->path, n.xdmf));
    vs_world_destroy(empty);
    remove_both(&n);
}

static void the_trajectory_is_not_overwritten(void **state) {
    fixture *f = *state;
    const names n = name(f, "run");
    write_file(f, .25, 3);
    assert_int_equal(vs_trajectory_export_xdmf(f->context, f->path, n.xdmf), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "run.h5: would be overwritten; use another name"));
    assert_int_equal(access(n.xdmf, F_OK), -1);
    assert_frames(f, 3);
}

static void failures_leave_no_files(void **state) {
    fixture *f = *state;
    const names n = name(f, "view");
    assert_int_equal(vs_trajectory_export_xdmf(f->context, f->path, n.xdmf), VS_ERROR_IO);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "run.h5: cannot be opened"));
    write_file(f, .25, 3);
    assert_int_equal(vs_trajectory_export_xdmf(f->context, f->path, "/no/such/folder/view.xdmf"), VS_ERROR_IO);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "/no/such/folder/view.h5: cannot be created"));
    assert_int_equal(vs_trajectory_export_xdmf(NULL, f->path, n.xdmf), VS_ERROR_ARGUMENT);
    const int before = f->m.alive;
    vs_error error = VS_ERROR_MEMORY;
    for (int k = 0; error; k++) {
        refuse_call(&f->m, k);
        error = vs_trajectory_export_xdmf(f->context, f->path, n.xdmf);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        assert_int_equal(f->m.alive, before);
        assert_int_equal(access(n.xdmf, F_OK) == 0, error == VS_OK);
    }
    refuse_none(&f->m);
    remove_both(&n);
    // a collider that sits on a body that is not there
    const int wrong = 77;
    const hsize_t first = 0;
    hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "bodies/collider/body", H5P_DEFAULT), space = H5Dget_space(dataset);
    hid_t one = H5Screate(H5S_SCALAR);
    assert_true(H5Sselect_elements(space, H5S_SELECT_SET, 1, &first) >= 0);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_INT, one, space, H5P_DEFAULT, &wrong) >= 0);
    assert_true(H5Sclose(one) >= 0 && H5Sclose(space) >= 0 && H5Dclose(dataset) >= 0 && H5Fclose(file) >= 0);
    assert_int_equal(vs_trajectory_export_xdmf(f->context, f->path, n.xdmf), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "run.h5: bodies/collider is invalid at 0"));
}

int main(int argc, char **argv) {
    if (argc == 3) { // another process: export argv[2] to argv[1]
        fixture *f = make_fixture();
        assert_ok(f, vs_trajectory_export_xdmf(f->context, argv[2], argv[1]));
        end_fixture(f);
        return 0;
    }
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(numbers_are_those_of_the_trajectory),
        TEST(without_a_step_there_are_no_forces),
        TEST(a_removed_body_stays_where_it_was_last_seen),
        TEST(a_file_that_is_being_written_can_be_exported),
        TEST(a_world_without_anything_is_exported),
        TEST(the_trajectory_is_not_overwritten),
        TEST(failures_leave_no_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
