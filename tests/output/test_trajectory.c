// Trajectories: what is written is read back bit for bit, by us and by Python, also while it is written; a killed or
// failing writer costs only the frames it had not flushed; files that do not fit are refused.
#include "moved.h"

#include <math.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"
#include "base/checksum.h"

static void sleep_for(double seconds) {
    const struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    (void)nanosleep(&t, NULL);
}

static vs_trajectory_writer_options often(int frames) {
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    options.flush_frames = frames;
    options.step = .25;
    options.title = "moved by hand";
    return options;
}

static void write_file(fixture *f, int64_t frames) {
    const vs_trajectory_writer_options options = often(7);
    vs_trajectory_writer *writer = NULL;
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, &options, &writer));
    write_frames(f, writer, 0, frames);
    assert_ok(f, vs_trajectory_writer_close(writer));
}

// ---- round trips ----------------------------------------------------------------------------------------

static void every_number_of_every_frame_is_read_back(void **state) {
    fixture *f = *state;
    write_file(f, 100); // not a multiple of 7: closing writes the rest
    assert_frames(f, 100);
}

static void python_sees_what_the_format_promises(void **state) {
    fixture *f = *state;
    write_file(f, 40);
    assert_true(python_agrees(
        f->path,
        "assert f['meta/format'][0] == 1 and f['meta/title'][()] == b'moved by hand' and f['meta/step'][0] == 0.25\n"
        "assert list(f['meta/gravity'][:]) == [0, 0, -9.81]\n"
        "assert list(f['bodies/name'][:]) == [b'box', b'ball', b'tetra', b'pin', b'']\n"
        "assert list(f['bodies/mass'][:]) == [1, 2, 3, 4, 0] and list(f['bodies/motion'][:]) == [0, 0, 0, 0, 1]\n"
        "assert f['bodies/inertia'].shape == (5, 9) and f['bodies/inertia'][1, 0] == 1\n"
        "c, s = f['bodies/collider'], f['bodies/shape']\n"
        "assert list(c['body'][:]) == [0, 1, 2, 3, 3, -1, -1]\n"
        "assert list(c['shape'][:]) == [0, 1, 2, 3, 1, 4, 5]\n" // the sphere is shared
        "assert list(c['pose'][4]) == [0, 0, 1, 1, 0, 0, 0]\n"  // w first
        "assert list(s['kind'][:]) == [1, 0, 5, 2, 6, 7]\n"
        "assert list(s['size'][0]) == [.5, .25, .125] and list(s['size'][3]) == [.125, .5, 0]\n"
        "assert np.allclose(s['bounds'][2], [0, 0, 0, 1, 1, 1], atol=1e-15)\n" // qhull may round the last bit
        "assert not s['bounds'][4].any()\n"
        "v, t = s['vertex_offset'][:], s['triangle_offset'][:]\n"
        "assert list(np.diff(v)) == [0, 0, 4, 0, 0, 4] and list(np.diff(t)) == [0, 0, 4, 0, 0, 2]\n"
        "p = s['vertex'][v[2]:v[3]][s['triangle'][t[2]:t[3]]]\n"
        // outward triangles enclose the volume of the tetrahedron, 1/6
        "assert abs(np.linalg.det(p).sum() - 1) < 1e-12\n"
        "assert list(f['joints/name'][:]) == [b'hinge'] and f['joints/body'][0].tolist() == [0, 1]\n"
        "T = len(f['time'])\n"
        "assert T == 40 and f['time'][3] == 0.75 and f['time'].attrs['unit'] == b's'\n"
        "assert f['state/pose'].shape == (T, 5, 7) and f['state/velocity'].shape == (T, 5, 6)\n"
        "assert f['joints/reaction'].shape == (T, 1, 6)\n"
        "assert all(len(f['solver'][k]) == T for k in f['solver'])\n"
        "assert f['state/pose'][9, 2, 1] == 9 + 1/16 + 2/256 + 1/4096 and f['state/pose'][9, 2, 3] == 1\n"
        "o = f['contacts/offset'][:]\n"
        "assert len(o) == T + 1 and o[0] == 0 and list(np.diff(o)) == [k % 5 for k in range(T)]\n"
        "assert all(len(f['contacts'][k]) == o[-1] for k in f['contacts'] if k != 'offset')\n"));
}

static void spin_is_written_in_world_axes(void **state) {
    fixture *f = *state;
    vs_trajectory_writer *writer = NULL;
    const double half = sqrt(.5);
    // turned a quarter about z: the body's x axis is the world's y axis
    const vs_body_state body = {{{0, 0, 0}, {half, 0, 0, half}}, {1, 2, 3}, {4, 5, 6}};
    assert_ok(f, vs_world_set_body_state(f->world, f->body[0], &body));
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, NULL, &writer));
    assert_ok(f, vs_trajectory_writer_write(writer, f->world, NULL, NULL));
    assert_ok(f, vs_trajectory_writer_close(writer));
    vs_trajectory_file file;
    double velocity[6 * BODIES];
    assert_ok(f, vs_trajectory_file_open(f->context, f->path, false, &file));
    read_rows(f, &file, VS_COLUMN_VELOCITY, 0, 1, velocity);
    for (int k = 0; k < 6; k++)
        assert_true(fabs(velocity[k] - (1 + k)) < 1e-14); // two rotations, a few roundings of numbers below 8
    assert_ok(f, vs_trajectory_file_close(&file));
}

static void given_contacts_are_written_as_they_are(void **state) {
    fixture *f = *state;
    vs_trajectory_writer *writer = NULL;
    const vs_contact_view contact[] = {
        {.b = f->body[1], .point = {1, 2, 3}, .normal = {0, 0, 1}, .impulse = {4, 5, 6}, .mu = .5},
        {.a = f->body[0],
         .b = f->body[1],
         .point = {7, 8, 9},
         .normal = {1, 0, 0},
         .impulse = {-1, -2, -3},
         .gap = 10}};
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, NULL, &writer));
    assert_ok(f, vs_trajectory_writer_write_contacts(writer, f->world, 2, contact, NULL));
    assert_ok(f, vs_trajectory_writer_write_contacts(writer, f->world, 0, NULL, NULL));
    assert_int_equal(vs_trajectory_writer_write_contacts(writer, f->world, 1, NULL, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_trajectory_writer_write_contacts(writer, f->world, -1, contact, NULL), VS_ERROR_ARGUMENT);
    assert_ok(f, vs_trajectory_writer_close(writer));
    vs_trajectory_file file;
    double point[6], impulse[6], gap[2];
    int64_t offset[3];
    int body[4];
    assert_ok(f, vs_trajectory_file_open(f->context, f->path, false, &file));
    read_rows(f, &file, VS_COLUMN_CONTACT_OFFSET, 0, 3, offset);
    read_rows(f, &file, VS_COLUMN_CONTACT_BODY, 0, 2, body);
    read_rows(f, &file, VS_COLUMN_CONTACT_POINT, 0, 2, point);
    read_rows(f, &file, VS_COLUMN_CONTACT_IMPULSE, 0, 2, impulse);
    read_rows(f, &file, VS_COLUMN_CONTACT_GAP, 0, 2, gap);
    assert_true(offset[0] == 0 && offset[1] == 2 && offset[2] == 2);
    assert_true(body[0] == VS_ROW_WORLD && body[1] == 1 && body[2] == 0 && body[3] == 1);
    assert_true(point[0] == 1 && point[5] == 9 && impulse[0] == 4 && impulse[5] == -3 && gap[1] == 10);
    assert_ok(f, vs_trajectory_file_close(&file));
}

static void equal_runs_give_equal_bytes(void **state) {
    fixture *f = *state;
    char *bytes[2] = {NULL, NULL};
    size_t size[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        write_file(f, 50);
        FILE *file = fopen(f->path, "rb");
        assert_non_null(file);
        bytes[k] = calloc(1, 1 << 22);
        size[k] = fread(bytes[k], 1, 1 << 22, file);
        assert_int_equal(fclose(file), 0);
        if (k == 0)
            sleep_for(1.1); // HDF5 stores whole seconds where it stores times
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

static void a_world_without_anything_has_a_trajectory(void **state) {
    fixture *f = *state;
    vs_world *empty = NULL;
    vs_trajectory_writer *writer = NULL;
    vs_trajectory_file file;
    int64_t frames = 0;
    assert_ok(f, vs_world_create(f->context, NULL, &empty));
    assert_ok(f, vs_trajectory_writer_create(f->path, empty, NULL, &writer));
    for (int k = 0; k < 20; k++)
        assert_ok(f, vs_trajectory_writer_write(writer, empty, NULL, NULL));
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_ok(f, vs_trajectory_writer_resume(f->path, empty, 0, NULL, &writer));
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_ok(f, vs_trajectory_file_open(f->context, f->path, false, &file));
    assert_ok(f, vs_columns_complete(&file, &frames));
    assert_int_equal(frames, 20);
    assert_ok(f, vs_trajectory_file_close(&file));
    vs_world_destroy(empty);
}

static void bodies_that_go_are_nan_and_bodies_that_come_have_no_row(void **state) {
    fixture *f = *state;
    vs_trajectory_writer *writer = NULL;
    vs_trajectory_file file;
    vs_step_report report;
    const vs_body_def def = vs_body_def_default();
    vs_body_id late;
    const vs_trajectory_writer_options options = often(1);
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, &options, &writer));
    move(f, 3, &report);
    assert_ok(f, vs_world_remove_body(f->world, f->body[2]));
    assert_ok(f, vs_world_add_body(f->world, &def, &late)); // may take the same slot
    f->simulation.contact[1].b = late;
    assert_ok(f, vs_trajectory_writer_write(writer, f->world, &f->simulation, &report));
    assert_ok(f, vs_trajectory_writer_close(writer));
    double pose[7 * BODIES];
    int body[2 * 3];
    assert_ok(f, vs_trajectory_file_open(f->context, f->path, false, &file));
    read_rows(f, &file, VS_COLUMN_POSE, 0, 1, pose);
    read_rows(f, &file, VS_COLUMN_CONTACT_BODY, 0, 3, body);
    for (int k = 0; k < 7; k++)
        assert_true(isnan(pose[7 * 2 + k]) && !isnan(pose[7 * 3 + k]));
    assert_int_equal(body[2], 0);
    assert_int_equal(body[3], VS_ROW_UNKNOWN);
    assert_ok(f, vs_trajectory_file_close(&file));
}

static void contacts_are_left_out_on_request(void **state) {
    fixture *f = *state;
    vs_trajectory_writer_options options = often(4);
    options.contacts = false;
    vs_trajectory_writer *writer = NULL;
    vs_trajectory_file file;
    int64_t range[2];
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, &options, &writer));
    write_frames(f, writer, 0, 10);
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_ok(f, vs_trajectory_file_open(f->context, f->path, false, &file));
    assert_ok(f, vs_columns_contacts(&file, 9, range));
    assert_int_equal(range[1], 0);
    assert_ok(f, vs_trajectory_file_close(&file));
}

// ---- continuing -----------------------------------------------------------------------------------------

static void appending_continues_after_the_given_time(void **state) {
    fixture *f = *state;
    const vs_trajectory_writer_options options = often(3);
    vs_trajectory_writer *writer = NULL;
    write_file(f, 50);
    assert_ok(f, vs_trajectory_writer_resume(f->path, f->world, 20 * .25 + .1, &options, &writer));
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_frames(f, 21); // frame 20 is the last one not later
    assert_ok(f, vs_trajectory_writer_resume(f->path, f->world, 1e9, &options, &writer));
    write_frames(f, writer, 21, 60);
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_frames(f, 60);
    assert_ok(f,
              vs_trajectory_writer_resume(f->path, f->world, -1, &options, &writer)); // before the first: starts over
    write_frames(f, writer, 0, 5);
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_frames(f, 5);
}

static void a_file_of_another_world_is_not_continued(void **state) {
    fixture *f = *state;
    vs_trajectory_writer *writer = NULL;
    const vs_body_def def = vs_body_def_default();
    vs_body_id id;
    write_file(f, 5);
    f->world->body[f->body[0].index].mass = 7;
    assert_int_equal(vs_trajectory_writer_resume(f->path, f->world, 1, NULL, &writer), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "run.h5: body 0 has 1 kg in the file, 7 kg"));
    f->world->body[f->body[0].index].mass = 1;
    assert_ok(f, vs_world_add_body(f->world, &def, &id));
    assert_int_equal(vs_trajectory_writer_resume(f->path, f->world, 1, NULL, &writer), VS_ERROR_DATA);
    assert_null(writer);
    assert_ok(f, vs_world_remove_body(f->world, id));
    assert_frames(f, 5); // nothing was cut
}

static void one_file_has_one_writer(void **state) {
    fixture *f = *state;
    vs_trajectory_writer *writer = NULL, *other = NULL;
    int64_t frames = 0;
    const vs_trajectory_writer_options options = often(1);
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, &options, &writer));
    write_frames(f, writer, 0, 3);
    assert_int_equal(vs_trajectory_recover(f->context, f->path, &frames), VS_ERROR_IO);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "is being written"));
    assert_int_equal(vs_trajectory_writer_resume(f->path, f->world, 1, NULL, &other), VS_ERROR_IO);
    assert_int_equal(vs_trajectory_writer_create(f->path, f->world, NULL, &other), VS_ERROR_IO);
    write_frames(f, writer, 3, 6);
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_ok(f, vs_trajectory_recover(f->context, f->path, &frames)); // of a file that was closed: changes nothing
    assert_int_equal(frames, 6);
    assert_frames(f, 6);
}

static void flushing_brings_all_frames_to_the_file(void **state) {
    fixture *f = *state;
    const vs_trajectory_writer_options options = often(1000);
    vs_trajectory_writer *writer = NULL;
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, &options, &writer));
    write_frames(f, writer, 0, 11);
    assert_ok(f, vs_trajectory_writer_flush(writer));
    // another process sees them before the file is closed
    assert_int_equal(wait_for(start_again("count", f->path)), 11);
    assert_ok(f, vs_trajectory_writer_flush(writer)); // nothing left: nothing happens
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_frames(f, 11);
    assert_int_equal(vs_trajectory_writer_flush(NULL), VS_ERROR_ARGUMENT);
}

// ---- readers and kills: this program again, in another role ---------------------------------------------

enum { FOLLOWED = 400 };

// Follows a file until it has FOLLOWED frames; every frame it sees is whole.
static int follow(const char *path) {
    fixture *f = make_fixture();
    vs_trajectory_file file;
    (void)snprintf(f->path, sizeof f->path, "%s", path);
    int growths = 0;
    int64_t seen = 0;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    assert_ok(f, vs_trajectory_file_open(f->context, path, false, &file));
    vs_h5_silence_end(&silence);
    const double start = vs_clock();
    while (seen < FOLLOWED && vs_clock() - start < 30) {
        hsize_t size[3];
        // the time first, then what belongs to it
        for (int k = VS_COLUMNS - 1; k >= 0; k--) {
            if (!vs_column_exists(&file, k))
                continue;
            assert_true(H5Drefresh(file.column[k].dataset) >= 0);
            hid_t space = H5Dget_space(file.column[k].dataset);
            assert_true(H5Sget_simple_extent_dims(space, size, NULL) > 0);
            assert_true(H5Sclose(space) >= 0);
            file.column[k].rows = (int64_t)size[0];
        }
        const int64_t now = file.column[VS_COLUMN_TIME].rows;
        int64_t complete = 0;
        assert_ok(f, vs_columns_complete(&file, &complete));
        assert_int_equal(complete, now);
        growths += now > seen;
        for (; seen < now; seen++)
            assert_frame(f, &file, seen);
    }
    assert_ok(f, vs_trajectory_file_close(&file));
    end_fixture(f);
    return seen == FOLLOWED && growths > 5 ? 0 : 1;
}

static void a_reader_that_is_open_sees_rows_as_they_are_written(void **state) {
    fixture *f = *state;
    const vs_trajectory_writer_options options = often(4);
    vs_trajectory_writer *writer = NULL;
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, &options, &writer));
    const pid_t reader = start_again("follow", f->path);
    for (int64_t k = 0; k < FOLLOWED; k++) {
        write_frames(f, writer, k, k + 1);
        sleep_for(.002); // slower than the reader starts
    }
    // It ends while the file is still open: nothing waits for closing.
    assert_int_equal(wait_for(reader), 0);
    assert_ok(f, vs_trajectory_writer_close(writer));
}

// Frames that a process sees which opens the file now.
static int count_frames(const char *path) {
    fixture *f = make_fixture();
    vs_trajectory_file file;
    int64_t frames = 0;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    assert_ok(f, vs_trajectory_file_open(f->context, path, false, &file));
    assert_ok(f, vs_columns_complete(&file, &frames));
    assert_ok(f, vs_trajectory_file_close(&file));
    vs_h5_silence_end(&silence);
    end_fixture(f);
    return (int)frames;
}

static void name_mark(const char *path, char mark[128]) {
    (void)snprintf(mark, 128, "%s.begun", path);
}

// Tells the process that waits to kill this one that there is a file. A kill while it is being made leaves none.
static void set_mark(const char *path) {
    char mark[128];
    name_mark(path, mark);
    FILE *file = fopen(mark, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

// Writes until it is killed.
static int write_on(const char *path) {
    fixture *f = make_fixture();
    const vs_trajectory_writer_options options = often(3);
    vs_trajectory_writer *writer = NULL;
    assert_ok(f, vs_trajectory_writer_create(path, f->world, &options, &writer));
    set_mark(path);
    write_frames(f, writer, 0, INT64_MAX / 2);
    return 1;
}

// Continues a file until it is killed.
static int write_further(const char *path) {
    fixture *f = make_fixture();
    const vs_trajectory_writer_options options = often(3);
    vs_trajectory_writer *writer = NULL;
    int64_t frames = 0;
    set_mark(path);
    assert_ok(f, vs_trajectory_recover(f->context, path, &frames));
    assert_ok(f, vs_trajectory_writer_resume(path, f->world, 1e9, &options, &writer));
    write_frames(f, writer, frames, INT64_MAX / 2);
    return 1;
}

static int64_t size_of(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (int64_t)status.st_size : 0;
}

// Kills a writer some time after it said that it begins.
static void kill_after(pid_t writer, const char *path, double seconds) {
    char mark[128];
    name_mark(path, mark);
    const double start = vs_clock();
    while (access(mark, F_OK) != 0 && vs_clock() - start < 60)
        sleep_for(.002);
    sleep_for(seconds);
    assert_int_equal(kill(writer, SIGKILL), 0);
    assert_int_equal(wait_for(writer), 128 + SIGKILL);
    assert_int_equal(unlink(mark), 0);
}

static void a_killed_writer_costs_only_what_was_not_flushed(void **state) {
    fixture *f = *state;
    int64_t most = 0; // a kill may come before the first flush
    for (int round = 0; round < 12; round++) {
        (void)unlink(f->path);
        kill_after(start_again("write", f->path), f->path, round < 11 ? .003 * round : .5);
        // HDF5 refuses to write a file that was left open, and reads it only as one that is being written.
        vs_h5_silence silence;
        vs_h5_silence_begin(&silence);
        assert_true(H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT) < 0);
        vs_h5_silence_end(&silence);
        int64_t frames = 0;
        assert_ok(f, vs_trajectory_recover(f->context, f->path, &frames));
        assert_true(frames >= 0 && frames % 3 == 0);
        assert_frames(f, frames);
        most = frames > most ? frames : most;
        // continued by a second writer that is killed, too; its file is recovered by the third that appends
        kill_after(start_again("further", f->path), f->path, .0037 * round);
        vs_trajectory_writer *writer = NULL;
        assert_ok(f, vs_trajectory_writer_resume(f->path, f->world, 1e9, NULL, &writer));
        assert_ok(f, vs_trajectory_writer_close(writer));
        assert_ok(f, vs_trajectory_recover(f->context, f->path, &frames));
        assert_frames(f, frames);
    }
    assert_true(most > 0);
    assert_true(python_agrees(f->path, "assert len(f['contacts/offset']) == len(f['time']) + 1\n"
                                       "assert all(len(f['solver'][k]) == len(f['time']) for k in f['solver'])\n"));
}

// Writes with room for 640 kilobytes only: the first chunks of all columns fit.
static int write_limited(const char *path) {
    fixture *f = make_fixture();
    const vs_trajectory_writer_options options = often(2);
    vs_trajectory_writer *writer = NULL;
    const struct rlimit limit = {5 << 17, 5 << 17};
    vs_step_report report;
    vs_error error = VS_OK;
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_ok(f, vs_trajectory_writer_create(path, f->world, &options, &writer));
    for (int64_t k = 0; !error && k < 100000; k++) {
        move(f, k, &report);
        error = vs_trajectory_writer_write(writer, f->world, &f->simulation, &report);
    }
    assert_int_equal(error, VS_ERROR_IO);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "could not be written"));
    assert_int_equal(vs_trajectory_writer_write(writer, f->world, &f->simulation, &report), VS_ERROR_IO);
    assert_int_equal(vs_trajectory_writer_close(writer), VS_ERROR_IO);
    end_fixture(f);
    return 0;
}

static void a_full_disk_is_an_error_and_costs_only_the_last_frames(void **state) {
    fixture *f = *state;
    int64_t frames = 0;
    assert_int_equal(wait_for(start_again("limited", f->path)), 0);
    assert_ok(f, vs_trajectory_recover(f->context, f->path, &frames));
    assert_true(frames > 100);
    assert_frames(f, frames);
}

// ---- failures -------------------------------------------------------------------------------------------

static void every_refused_allocation_is_an_error_without_leak(void **state) {
    fixture *f = *state;
    const vs_trajectory_writer_options options = often(2);
    vs_trajectory_writer *writer = NULL;
    vs_step_report report;
    int64_t frames = 0;
    const int before = f->m.alive;
    vs_error error = VS_ERROR_MEMORY;
    for (int k = 0; error; k++) {
        refuse_call(&f->m, k);
        error = vs_trajectory_writer_create(f->path, f->world, &options, &writer);
        for (int i = 0; !error && i < 5; i++) {
            move(f, i, &report);
            error = vs_trajectory_writer_write(writer, f->world, &f->simulation, &report);
        }
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        refuse_none(&f->m);
        assert_ok(f, vs_trajectory_writer_close(writer)); // what was complete is kept
        writer = NULL;
        assert_int_equal(f->m.alive, before);
    }
    assert_frames(f, 5);
    error = VS_ERROR_MEMORY;
    for (int k = 0; error; k++) {
        refuse_call(&f->m, k);
        error = vs_trajectory_writer_resume(f->path, f->world, 1e9, &options, &writer);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY || error == VS_ERROR_DATA);
        refuse_none(&f->m);
        assert_ok(f, vs_trajectory_writer_close(writer));
        assert_int_equal(f->m.alive, before);
    }
    error = VS_ERROR_MEMORY;
    for (int k = 0; error; k++) {
        refuse_call(&f->m, k);
        error = vs_trajectory_recover(f->context, f->path, &frames);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        assert_int_equal(f->m.alive, before);
    }
    refuse_none(&f->m);
    assert_frames(f, 5);
}

static void a_frame_without_memory_leaves_the_others_whole(void **state) {
    fixture *f = *state;
    const vs_trajectory_writer_options options = often(1000);
    vs_trajectory_writer *writer = NULL;
    vs_step_report report;
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, &options, &writer));
    for (int64_t k = 0; k < 100; k++) {
        move(f, k, &report);
        for (int refuse = 0;; refuse++) { // refuse each allocation of this frame once
            refuse_call(&f->m, refuse);
            const vs_error error = vs_trajectory_writer_write(writer, f->world, &f->simulation, &report);
            if (!error)
                break;
            assert_int_equal(error, VS_ERROR_MEMORY);
        }
        refuse_none(&f->m);
    }
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_frames(f, 100);
}

static void wrong_calls_and_places_are_errors(void **state) {
    fixture *f = *state;
    vs_trajectory_writer *writer = NULL;
    vs_trajectory_writer_options options = often(0);
    int64_t frames = 0;
    assert_int_equal(vs_trajectory_writer_create(f->path, f->world, &options, &writer), VS_ERROR_ARGUMENT);
    options = often(1);
    options.step = -1;
    assert_int_equal(vs_trajectory_writer_create(f->path, f->world, &options, &writer), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_trajectory_writer_create(NULL, f->world, NULL, &writer), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_trajectory_writer_create("/no/such/folder/run.h5", f->world, NULL, &writer), VS_ERROR_IO);
    assert_int_equal(vs_trajectory_writer_create(f->folder, f->world, NULL, &writer), VS_ERROR_IO);
    assert_int_equal(vs_trajectory_writer_resume(f->path, f->world, 0, NULL, &writer), VS_ERROR_IO);
    assert_int_equal(vs_trajectory_recover(f->context, f->path, &frames), VS_ERROR_IO);
    assert_int_equal(vs_trajectory_writer_write(NULL, f->world, NULL, NULL), VS_ERROR_ARGUMENT);
    assert_ok(f, vs_trajectory_writer_close(NULL));
    assert_null(writer);
}

static void set_byte(const char *path, off_t at, int xor) {
    unsigned char byte = 0;
    const int descriptor = open(path, O_RDWR);
    assert_int_equal(pread(descriptor, &byte, 1, at), 1);
    byte = (unsigned char)(byte ^ xor);
    assert_int_equal(pwrite(descriptor, &byte, 1, at), 1);
    assert_int_equal(close(descriptor), 0);
}

// HDF5 finds most damage by its checksums; it cannot check numbers. In a process of its own: HDF5 does not clean up
// well behind files that it could not open.
static int damage(const char *path) {
    fixture *f = make_fixture();
    int64_t frames = 0;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    for (off_t k = 48; k < (off_t)size_of(path); k += k < 20000 ? 61 : 1511) {
        vs_trajectory_file file;
        set_byte(path, k, 0xff);
        if (vs_trajectory_file_open(f->context, path, false, &file) == VS_OK)
            (void)vs_columns_complete(&file, &frames);
        (void)vs_trajectory_file_close(&file);
        set_byte(path, k, 0xff);
    }
    vs_h5_silence_end(&silence);
    end_fixture(f);
    _exit(0);
}

static void damaged_and_cut_files_are_refused_or_read_but_never_crash(void **state) {
    fixture *f = *state;
    int64_t frames = 0;
    write_file(f, 30);
    // the superblock: every byte of it matters
    for (off_t k = 0; k < 48; k++) {
        set_byte(f->path, k, 0x10);
        assert_int_equal(vs_trajectory_recover(f->context, f->path, &frames), VS_ERROR_DATA);
        set_byte(f->path, k, 0x10);
    }
    assert_int_equal(wait_for(start_again("damage", f->path)), 0);
    assert_ok(f, vs_trajectory_recover(f->context, f->path, &frames));
    assert_frames(f, 30);
    // shorter and shorter
    for (off_t size = (off_t)size_of(f->path) - 1; size > 0; size -= size / 7 + 1) {
        assert_int_equal(truncate(f->path, size), 0);
        assert_int_equal(vs_trajectory_recover(f->context, f->path, &frames), VS_ERROR_DATA);
        assert_int_equal(frames, 0);
    }
}

static void other_hdf5_files_are_refused(void **state) {
    fixture *f = *state;
    vs_trajectory_file file;
    int64_t frames = 0;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    hid_t id = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(id >= 0 && H5Fclose(id) >= 0);
    assert_int_equal(vs_trajectory_file_open(f->context, f->path, false, &file), VS_ERROR_DATA);
    (void)vs_trajectory_file_close(&file);
    assert_int_equal(vs_trajectory_recover(f->context, f->path, &frames), VS_ERROR_DATA);
    // a trajectory that lacks a column
    write_file(f, 5);
    id = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(id >= 0 && H5Ldelete(id, "solver/work", H5P_DEFAULT) >= 0 && H5Fclose(id) >= 0);
    assert_int_equal(vs_trajectory_recover(f->context, f->path, &frames), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "solver/work is missing"));
    // or has it somewhere else
    id = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(id >= 0 && H5Lcreate_external("other.h5", "/x", id, "solver/work", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    assert_true(H5Fclose(id) >= 0);
    assert_int_equal(vs_trajectory_recover(f->context, f->path, &frames), VS_ERROR_DATA);
    vs_h5_silence_end(&silence);
}

static void the_checksum_is_the_one_of_hdf5(void **state) {
    (void)state;
    // values that the author of the hash publishes with it
    assert_int_equal(vs_checksum("", 0), 0xdeadbeef);
    assert_int_equal(vs_checksum("Four score and seven years ago", 30), 0x17770551);
}

// ---- size -----------------------------------------------------------------------------------------------

static void a_hundred_thousand_bodies_take_seconds(void **state) {
    fixture *f = *state;
    enum { MANY = 100000 };
    vs_world *world = NULL;
    vs_shape *shape = NULL;
    vs_trajectory_writer *writer = NULL;
    vs_trajectory_file file;
    int64_t frames = 0;
    assert_ok(f, vs_world_create(f->context, NULL, &world));
    assert_ok(f, vs_shape_sphere(f->context, 1, &shape));
    for (int k = 0; k < MANY; k++) {
        vs_body_def def = vs_body_def_default();
        vs_collider_def collider = vs_collider_def_default();
        vs_collider_id id;
        def.pose.position.x = k;
        assert_ok(f, vs_world_add_body(world, &def, &collider.body));
        collider.shape = shape;
        assert_ok(f, vs_world_add_collider(world, &collider, &id));
    }
    vs_shape_release(shape);
    const clock_t start = clock();
    assert_ok(f, vs_trajectory_writer_create(f->path, world, NULL, &writer));
    for (int k = 0; k < 3; k++)
        assert_ok(f, vs_trajectory_writer_write(writer, world, NULL, NULL));
    assert_ok(f, vs_trajectory_writer_close(writer));
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC; // of the processor
    print_message("    %d bodies, 3 frames: %.2f s\n", MANY, seconds);
    assert_true(seconds < 10); // measured 0.1 s
    assert_ok(f, vs_trajectory_file_open(f->context, f->path, false, &file));
    assert_ok(f, vs_columns_complete(&file, &frames));
    assert_int_equal(frames, 3);
    assert_ok(f, vs_trajectory_file_close(&file));
    vs_world_destroy(world);
}

int main(int argc, char **argv) {
    if (argc == 3)
        return strcmp(argv[1], "follow") == 0    ? follow(argv[2])
               : strcmp(argv[1], "write") == 0   ? write_on(argv[2])
               : strcmp(argv[1], "count") == 0   ? count_frames(argv[2])
               : strcmp(argv[1], "further") == 0 ? write_further(argv[2])
               : strcmp(argv[1], "limited") == 0 ? write_limited(argv[2])
               : strcmp(argv[1], "damage") == 0  ? damage(argv[2])
                                                 : 98;
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(every_number_of_every_frame_is_read_back),
        TEST(python_sees_what_the_format_promises),
        TEST(spin_is_written_in_world_axes),
        TEST(given_contacts_are_written_as_they_are),
        TEST(equal_runs_give_equal_bytes),
        TEST(a_world_without_anything_has_a_trajectory),
        TEST(bodies_that_go_are_nan_and_bodies_that_come_have_no_row),
        TEST(contacts_are_left_out_on_request),
        TEST(appending_continues_after_the_given_time),
        TEST(a_file_of_another_world_is_not_continued),
        TEST(one_file_has_one_writer),
        TEST(flushing_brings_all_frames_to_the_file),
        TEST(a_reader_that_is_open_sees_rows_as_they_are_written),
        TEST(a_killed_writer_costs_only_what_was_not_flushed),
        TEST(a_full_disk_is_an_error_and_costs_only_the_last_frames),
        TEST(every_refused_allocation_is_an_error_without_leak),
        TEST(a_frame_without_memory_leaves_the_others_whole),
        TEST(wrong_calls_and_places_are_errors),
        TEST(damaged_and_cut_files_are_refused_or_read_but_never_crash),
        TEST(other_hdf5_files_are_refused),
        TEST(the_checksum_is_the_one_of_hdf5),
        TEST(a_hundred_thousand_bodies_take_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
