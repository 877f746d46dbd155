// What the tests of this folder share: a world with something of everything, moved by hand so that every number of a
// frame is known, a simulation that stands in for the real one, and files in a folder of their own.
#ifndef VS_TESTS_MOVED_H
#define VS_TESTS_MOVED_H

#include <sys/wait.h>

#include "kit/folder.h"
#include "kit/memory.h"
#include "everything.h"
#include "output/trajectory/trajectory_data.h"

// ---- a simulation that stands in ------------------------------------------------------------------------

enum { CONTACTS_MOST = 4 };

// Only what output asks of a simulation; the names below stand for those of the library in these tests.
struct vs_simulation {
    int count;
    vs_contact_view contact[CONTACTS_MOST];
    char note[64];
};

vs_error vs_simulation_set_note(vs_simulation *s, const char *text) {
    (void)snprintf(s->note, sizeof s->note, "%s", text ? text : "");
    return VS_OK;
}

const char *vs_simulation_get_note(const vs_simulation *s) {
    return s ? s->note : "";
}

int vs_simulation_get_contact_count(const vs_simulation *s) {
    return s->count;
}

vs_error vs_simulation_get_contact_at(const vs_simulation *s, int k, vs_contact_view *contact) {
    *contact = s->contact[k];
    return VS_OK;
}

// ---- a fixture ------------------------------------------------------------------------------------------

typedef struct fixture {
    memory m;
    vs_context *context;
    vs_world *world;
    vs_simulation simulation;
    vs_body_id body[BODIES];
    vs_joint_id joint;
    char folder[FOLDER_ROOM], path[PATH_ROOM];
} fixture;

static inline void assert_ok(const fixture *f, vs_error error) {
    must(error, f->context);
}

static inline fixture *make_fixture(void) {
    fixture *f = calloc(1, sizeof *f);
    f->context = make_context(&f->m);
    build_world(f->context, &f->world, f->body, &f->joint);
    return f;
}

static inline void end_fixture(fixture *f) {
    vs_world_destroy(f->world);
    end_context(f->context, &f->m);
    free(f);
}

static inline int set_up(void **state) {
    fixture *f = make_fixture();
    make_folder(f->folder);
    name_in(f->folder, "run.h5", f->path);
    *state = f;
    return 0;
}

// Fails if anything is left but what the test is about: temporary files must be gone, HDF5 objects closed.
static inline int tear_down(void **state) {
    fixture *f = *state;
    (void)unlink(f->path);
    remove_folder(f->folder);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    end_fixture(f);
    return 0;
}

// ---- frames of which every number is known --------------------------------------------------------------

static inline int contacts_of(int64_t frame) {
    return (int)(frame % (CONTACTS_MOST + 1));
}

// Some number that says where it belongs; exact in binary.
static inline double known(int64_t frame, int what, int k, int i) {
    return (double)frame + what / 16.0 + k / 256.0 + i / 4096.0;
}

static inline vs_vec3 known3(int64_t frame, int what, int k) {
    return (vs_vec3){known(frame, what, k, 0), known(frame, what, k, 1), known(frame, what, k, 2)};
}

// A quarter turn about z: rotating a vector by it is exact but for signs of zero.
static inline void move(fixture *f, int64_t frame, vs_step_report *report) {
    for (int k = 0; k < BODIES; k++) {
        const vs_body_state state = {{known3(frame, 1, k), {1, 0, 0, 0}}, known3(frame, 2, k), known3(frame, 3, k)};
        assert_ok(f, vs_world_set_body_state(f->world, f->body[k], &state));
    }
    vs_joint *joint = &f->world->joint[f->joint.index];
    joint->force = known3(frame, 4, 0), joint->torque = known3(frame, 5, 0);
    f->simulation.count = contacts_of(frame);
    for (int k = 0; k < f->simulation.count; k++)
        f->simulation.contact[k] = (vs_contact_view){
            .a = k == 0 ? (vs_body_id){0, 0} : f->body[k - 1],
            .b = f->body[k],
            .point = known3(frame, 6, k),
            .normal = known3(frame, 7, k),
            .gap = known(frame, 8, k, 0),
            .impulse = known3(frame, 9, k),
            .velocity = known3(frame, 10, k),
        };
    *report = (vs_step_report){.step = frame,
                               .time = .25 * (double)frame,
                               .contacts = (int)(10 * frame),
                               .active = 2,
                               .islands = 3,
                               .status = VS_STATUS_INACCURATE,
                               .iterations = 4,
                               .factorizations = 5,
                               .energy_error = known(frame, 11, 0, 0),
                               .energy_scale = known(frame, 11, 1, 0),
                               .natural_map = known(frame, 11, 2, 0),
                               .dissipation = known(frame, 11, 3, 0),
                               .work = known(frame, 11, 4, 0),
                               .penetration = known(frame, 11, 5, 0),
                               .joint_drift = known(frame, 11, 6, 0),
                               .seconds_total = known(frame, 11, 7, 0),
                               .energy = {.kinetic = known(frame, 11, 8, 0),
                                          .potential = known(frame, 11, 9, 0),
                                          .elastic = known(frame, 11, 10, 0)},
                               .total = {.loads = known(frame, 11, 11, 0),
                                         .motors = known(frame, 11, 12, 0),
                                         .prescribed = known(frame, 11, 13, 0),
                                         .friction = known(frame, 11, 14, 0),
                                         .impacts = known(frame, 11, 15, 0),
                                         .dampers = known(frame, 11, 16, 0),
                                         .discretization = known(frame, 11, 17, 0),
                                         .fracture = known(frame, 11, 18, 0)},
                               .bonds = (int)frame % 7};
}

static inline void write_frames(fixture *f, vs_trajectory_writer *writer, int64_t first, int64_t end) {
    vs_step_report report;
    for (int64_t frame = first; frame < end; frame++) {
        move(f, frame, &report);
        assert_ok(f, vs_trajectory_writer_write(writer, f->world, &f->simulation, &report));
    }
}

// ---- reading them again ---------------------------------------------------------------------------------

static inline void assert_known3(const double *x, int64_t frame, int what, int k) {
    for (int i = 0; i < 3; i++)
        assert_true(x[i] == known(frame, what, k, i));
}

static inline void read_rows(const fixture *f, const vs_trajectory_file *file, int column, int64_t first, int64_t count,
                             void *data) {
    assert_ok(f, vs_dataset_rows_read(&file->column[column], first, count, data));
}

static inline void assert_contacts(const fixture *f, const vs_trajectory_file *file, int64_t frame) {
    int64_t range[2];
    assert_ok(f, vs_columns_contacts(file, frame, range));
    assert_int_equal(range[1] - range[0], contacts_of(frame));
    for (int k = 0; k < contacts_of(frame); k++) {
        const int64_t row = range[0] + k;
        int body[2];
        double x[3];
        read_rows(f, file, VS_COLUMN_CONTACT_BODY, row, 1, body);
        assert_int_equal(body[0], k - 1); // -1: the world
        assert_int_equal(body[1], k);
        read_rows(f, file, VS_COLUMN_CONTACT_POINT, row, 1, x);
        assert_known3(x, frame, 6, k);
        read_rows(f, file, VS_COLUMN_CONTACT_NORMAL, row, 1, x);
        assert_known3(x, frame, 7, k);
        read_rows(f, file, VS_COLUMN_CONTACT_GAP, row, 1, x);
        assert_true(x[0] == known(frame, 8, k, 0));
        read_rows(f, file, VS_COLUMN_CONTACT_IMPULSE, row, 1, x);
        assert_known3(x, frame, 9, k);
        read_rows(f, file, VS_COLUMN_CONTACT_VELOCITY, row, 1, x);
        assert_known3(x, frame, 10, k);
    }
}

// Everything of one frame has the bits it was written with.
static inline void assert_frame(const fixture *f, const vs_trajectory_file *file, int64_t frame) {
    static const struct {
        size_t field;
        int k;
    } reals[] = {{offsetof(vs_step_report, energy_error), 0},   {offsetof(vs_step_report, energy_scale), 1},
                 {offsetof(vs_step_report, natural_map), 2},    {offsetof(vs_step_report, dissipation), 3},
                 {offsetof(vs_step_report, work), 4},           {offsetof(vs_step_report, penetration), 5},
                 {offsetof(vs_step_report, joint_drift), 6},    {offsetof(vs_step_report, seconds_total), 7},
                 {offsetof(vs_step_report, energy.kinetic), 8}, {offsetof(vs_step_report, energy.potential), 9}};
    static const struct {
        size_t field;
        int value;
    } ints[] = {{offsetof(vs_step_report, active), 2},
                {offsetof(vs_step_report, islands), 3},
                {offsetof(vs_step_report, status), VS_STATUS_INACCURATE},
                {offsetof(vs_step_report, iterations), 4},
                {offsetof(vs_step_report, factorizations), 5}};
    double pose[7 * BODIES], velocity[6 * BODIES], reaction[6], x;
    int n;
    int64_t step;
    read_rows(f, file, VS_COLUMN_TIME, frame, 1, &x);
    assert_true(x == .25 * (double)frame);
    read_rows(f, file, VS_COLUMN_POSE, frame, 1, pose);
    read_rows(f, file, VS_COLUMN_VELOCITY, frame, 1, velocity);
    for (int k = 0; k < BODIES; k++) {
        assert_known3(pose + 7 * k, frame, 1, k);
        assert_true(pose[7 * k + 3] == 1 && pose[7 * k + 4] == 0 && pose[7 * k + 6] == 0);
        assert_known3(velocity + 6 * k, frame, 2, k);
        assert_known3(velocity + 6 * k + 3, frame, 3, k);
    }
    read_rows(f, file, VS_COLUMN_REACTION, frame, 1, reaction);
    assert_known3(reaction, frame, 4, 0);
    assert_known3(reaction + 3, frame, 5, 0);
    for (size_t k = 0; k < sizeof reals / sizeof reals[0]; k++) {
        read_rows(f, file, vs_column_of(reals[k].field), frame, 1, &x);
        assert_true(x == known(frame, 11, reals[k].k, 0));
    }
    for (size_t k = 0; k < sizeof ints / sizeof ints[0]; k++) {
        read_rows(f, file, vs_column_of(ints[k].field), frame, 1, &n);
        assert_int_equal(n, ints[k].value);
    }
    read_rows(f, file, vs_column_of(offsetof(vs_step_report, contacts)), frame, 1, &n);
    assert_int_equal(n, 10 * frame);
    read_rows(f, file, vs_column_of(offsetof(vs_step_report, step)), frame, 1, &step);
    assert_int_equal(step, frame);
    assert_contacts(f, file, frame);
}

// The file holds exactly these frames.
static inline void assert_frames(const fixture *f, int64_t frames) {
    vs_trajectory_file file;
    int64_t complete = 0;
    assert_ok(f, vs_trajectory_file_open(f->context, f->path, false, &file));
    assert_ok(f, vs_columns_complete(&file, &complete));
    assert_int_equal(complete, frames);
    for (int64_t k = 0; k < frames; k++)
        assert_frame(f, &file, k);
    assert_ok(f, vs_trajectory_file_close(&file));
}

// ---- other processes ------------------------------------------------------------------------------------

// Starts this program again: `role path`.
static inline pid_t start_again(const char *role, const char *path) {
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        (void)execl("/proc/self/exe", "again", role, path, (char *)NULL);
        _exit(99);
    }
    assert_true(child > 0);
    return child;
}

static inline int wait_for(pid_t child) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Python's view of a file; true without h5py. `code` sees the open file as f.
static inline bool python_agrees(const char *path, const char *code) {
    char command[8192];
    if (system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0)
        return true;
    (void)snprintf(command, sizeof command,
                   "/usr/bin/python3 - <<'END'\nimport h5py, numpy as np\nf = h5py.File('%s', 'r')\n%s\nEND\n", path,
                   code);
    return system(command) == 0;
}

// Reads a history while every allocation in turn fails: an error, nothing leaks, and with memory it works.
static inline void assert_survives_refused_calls(fixture *f, vs_trajectory_reader *reader, const char *name) {
    enum { NUMBERS_MOST = 64 };
    const int before = f->m.alive;
    double value[NUMBERS_MOST];
    vs_error error = VS_ERROR_MEMORY;
    for (int k = 0; error; k++) {
        refuse_call(&f->m, k);
        error = vs_trajectory_reader_read_history(reader, name, value);
        refuse_none(&f->m);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        assert_int_equal(f->m.alive, before);
        assert_true(k < 100);
    }
}

#endif
