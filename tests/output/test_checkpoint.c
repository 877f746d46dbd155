// Checkpoints: the world and the simulation get back every bit; files of other scenes, damaged or cut ones change
// nothing; a write that fails leaves the old file.
#include "everything.h"
#include "kit/folder.h"
#include "kit/snapshot.h"

#include "base/checksum.h"
#include "body/world_data.h"
#include "voussoir/solver.h"
#include "voussoir/trajectory.h"
#include "voussoir/version.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MOST = 1 << 14 };

typedef struct fixture {
    memory m;
    vs_context *context;
    vs_world *world;
    vs_simulation *simulation;
    vs_body_id body[BODIES];
    vs_joint_id joint;
    char folder[FOLDER_ROOM], path[PATH_ROOM];
} fixture;

static void assert_ok(const fixture *f, vs_error error) {
    must(error, f->context);
}

static void fill_fixture(fixture *f, vs_scheme scheme) {
    vs_simulation_options options = vs_simulation_options_default();
    options.scheme = scheme;
    build_world(f->context, &f->world, f->body, &f->joint);
    assert_ok(f, vs_simulation_create(f->world, &options, &f->simulation));
}

static fixture *make_fixture(vs_scheme scheme) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->context = make_context(&f->m);
    fill_fixture(f, scheme);
    return f;
}

static void end_fixture(fixture *f) {
    vs_simulation_destroy(f->simulation);
    vs_world_destroy(f->world);
    end_context(f->context, &f->m);
    free(f);
}

static int set_up(void **state) {
    fixture *f = make_fixture(VS_SCHEME_MOREAU);
    make_folder(f->folder);
    name_in(f->folder, "run.ck", f->path);
    *state = f;
    return 0;
}

// Temporary files must be gone.
static int tear_down(void **state) {
    fixture *f = *state;
    (void)unlink(f->path);
    remove_folder(f->folder);
    end_fixture(f);
    return 0;
}

// Awkward numbers everywhere: spin in body axes, negative zero, a denormal, forces that wait for the next step.
static void disturb(fixture *f, int seed) {
    char note[16];
    for (int k = 0; k < BODIES; k++) {
        vs_body *body = &f->world->body[f->body[k].index];
        body->pose.position = (vs_vec3){seed, k, -1. / 3};
        body->pose.rotation = vs_quat_normalize((vs_quat){1, .1 * k, .2 + seed, -.3});
        body->velocity = (vs_vec3){-0.0, seed / 3.0, k};
        body->spin = (vs_vec3){1 / 3.0 + seed, -0.0, 5e-324};
        body->force = (vs_vec3){1e300, k / 7.0, seed};
        body->torque = (vs_vec3){-1e-300, seed / 7.0, k};
    }
    vs_joint *joint = &f->world->joint[f->joint.index];
    joint->force = (vs_vec3){seed, 2, 3}, joint->torque = (vs_vec3){4, 5, seed};
    joint->angle = 7.5 + seed / 3.0;
    f->world->time = .1 * seed;
    f->world->gravity = (vs_vec3){0, seed / 9.0, -9.81};
    (void)snprintf(note, sizeof note, "disturbed %d", seed);
    assert_ok(f, vs_simulation_set_note(f->simulation, note));
}

// All that a checkpoint is to keep.
typedef struct everything {
    double body[BODIES][19], joint[7], time, gravity[3];
    char note[16];
} everything;

static void take(const fixture *f, everything *s) {
    memset(s, 0, sizeof *s);
    for (int k = 0; k < BODIES; k++) {
        const vs_body *b = &f->world->body[f->body[k].index];
        memcpy(s->body[k], &b->pose, 7 * sizeof(double));
        memcpy(s->body[k] + 7, &b->velocity, 3 * sizeof(double));
        memcpy(s->body[k] + 10, &b->spin, 3 * sizeof(double));
        memcpy(s->body[k] + 13, &b->force, 3 * sizeof(double));
        memcpy(s->body[k] + 16, &b->torque, 3 * sizeof(double));
    }
    const vs_joint *joint = &f->world->joint[f->joint.index];
    memcpy(s->joint, &joint->force, 3 * sizeof(double));
    memcpy(s->joint + 3, &joint->torque, 3 * sizeof(double));
    s->joint[6] = joint->angle;
    s->time = f->world->time;
    memcpy(s->gravity, &f->world->gravity, 3 * sizeof(double));
    (void)snprintf(s->note, sizeof s->note, "%s", vs_simulation_get_note(f->simulation));
}

static void assert_is(const fixture *f, const everything *wanted) {
    everything now;
    take(f, &now);
    assert_memory_equal(&now, wanted, sizeof now);
}

static void every_bit_comes_back(void **state) {
    fixture *f = *state;
    everything before;
    disturb(f, 1);
    take(f, &before);
    const uint64_t hash = vs_world_get_hash(f->world);
    assert_ok(f, vs_checkpoint_write(f->path, f->world, f->simulation));
    disturb(f, 2);
    assert_ok(f, vs_checkpoint_read(f->path, f->world, f->simulation));
    assert_is(f, &before);
    assert_true(vs_world_get_hash(f->world) == hash);
    // also into a rebuilt world
    fixture *other = make_fixture(VS_SCHEME_MOREAU);
    assert_ok(other, vs_checkpoint_read(f->path, other->world, other->simulation));
    assert_is(other, &before);
    end_fixture(other);
}

static void equal_states_give_equal_bytes(void **state) {
    fixture *f = *state;
    static char bytes[2][FILE_MOST];
    size_t size[2];
    for (int k = 0; k < 2; k++) {
        fixture *other = make_fixture(VS_SCHEME_MOREAU);
        disturb(other, 3);
        assert_ok(other, vs_checkpoint_write(f->path, other->world, other->simulation));
        end_fixture(other);
        FILE *file = fopen(f->path, "rb");
        assert_non_null(file);
        size[k] = fread(bytes[k], 1, sizeof bytes[k], file);
        assert_int_equal(fclose(file), 0);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
}

static void the_note_of_a_simulation_comes_back(void **state) {
    fixture *f = *state;
    static const char *const notes[] = {"{\"sum\":1}", "", "x"};
    vs_checkpoint_info info;
    for (int k = 0; k < 3; k++) {
        assert_ok(f, vs_simulation_set_note(f->simulation, notes[k]));
        assert_ok(f, vs_checkpoint_write(f->path, f->world, f->simulation));
        assert_ok(f, vs_simulation_set_note(f->simulation, "another"));
        assert_ok(f, vs_checkpoint_read(f->path, f->world, f->simulation));
        assert_string_equal(vs_simulation_get_note(f->simulation), notes[k]);
        assert_ok(f, vs_checkpoint_read_info(f->context, f->path, &info));
        assert_null(strstr(info.software, "sum"));
    }
}

static void a_world_alone_has_a_checkpoint(void **state) {
    fixture *f = *state;
    everything before;
    disturb(f, 1);
    take(f, &before);
    assert_ok(f, vs_checkpoint_write(f->path, f->world, NULL));
    assert_int_equal(vs_checkpoint_read(f->path, f->world, f->simulation), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "without a simulation"));
    assert_ok(f, vs_checkpoint_read(f->path, f->world, NULL));
    assert_is(f, &before);
}

static void other_scenes_are_refused_and_nothing_changes(void **state) {
    fixture *f = *state, *other = make_fixture(VS_SCHEME_MOREAU);
    everything before;
    disturb(f, 1);
    assert_ok(f, vs_checkpoint_write(f->path, f->world, f->simulation));
    disturb(other, 2);
    vs_body *body = &other->world->body[other->body[1].index];
    vs_joint *joint = &other->world->joint[other->joint.index];
    take(other, &before);
    body->mass = 8;
    assert_int_equal(vs_checkpoint_read(f->path, other->world, other->simulation), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(other->context), "another scene: body 2 (ball) differs"));
    body->mass = 2;
    body->motion = VS_MOTION_STATIC;
    assert_int_equal(vs_checkpoint_read(f->path, other->world, other->simulation), VS_ERROR_DATA);
    body->motion = VS_MOTION_DYNAMIC;
    joint->def.kind = VS_JOINT_FIXED;
    assert_int_equal(vs_checkpoint_read(f->path, other->world, other->simulation), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(other->context), "joint 0 (hinge)"));
    joint->def.kind = VS_JOINT_SPHERICAL;
    assert_is(other, &before);
    const vs_body_def def = vs_body_def_default();
    vs_body_id id;
    assert_ok(other, vs_world_add_body(other->world, &def, &id));
    assert_int_equal(vs_checkpoint_read(f->path, other->world, other->simulation), VS_ERROR_DATA);
    assert_ok(other, vs_world_remove_body(other->world, id));
    end_fixture(other);
    // what the simulation refuses changes the world as little
    other = make_fixture(VS_SCHEME_SHAKE);
    disturb(other, 4);
    take(other, &before);
    assert_int_equal(vs_checkpoint_read(f->path, other->world, other->simulation), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(other->context), "was written with the scheme moreau"));
    assert_is(other, &before);
    end_fixture(other);
}

static void damaged_and_cut_files_change_nothing(void **state) {
    fixture *f = *state;
    everything before;
    struct stat status;
    disturb(f, 1);
    assert_ok(f, vs_checkpoint_write(f->path, f->world, f->simulation));
    disturb(f, 2);
    take(f, &before);
    assert_int_equal(stat(f->path, &status), 0);
    const int descriptor = open(f->path, O_RDWR);
    for (off_t k = 0; k < status.st_size; k++) {
        unsigned char byte, wrong;
        assert_int_equal(pread(descriptor, &byte, 1, k), 1);
        wrong = byte ^ 0x20;
        assert_int_equal(pwrite(descriptor, &wrong, 1, k), 1);
        const vs_error error = vs_checkpoint_read(f->path, f->world, f->simulation);
        assert_true(error == VS_ERROR_DATA || error == VS_ERROR_UNSUPPORTED);
        assert_int_equal(pwrite(descriptor, &byte, 1, k), 1);
    }
    assert_int_equal(close(descriptor), 0);
    for (off_t size = status.st_size - 1; size >= 0; size--) {
        assert_int_equal(truncate(f->path, size), 0);
        assert_int_equal(vs_checkpoint_read(f->path, f->world, f->simulation), VS_ERROR_DATA);
    }
    assert_is(f, &before);
    assert_int_equal(unlink(f->path), 0);
    assert_int_equal(vs_checkpoint_read(f->path, f->world, f->simulation), VS_ERROR_IO);
    assert_int_equal(vs_checkpoint_read(f->folder, f->world, f->simulation), VS_ERROR_DATA);
    assert_int_equal(vs_checkpoint_read(NULL, f->world, f->simulation), VS_ERROR_ARGUMENT);
}

static size_t read_file(const char *path, char bytes[FILE_MOST]) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, FILE_MOST, file);
    assert_int_equal(fclose(file), 0);
    assert_in_range(size, 1, FILE_MOST - 1);
    return size;
}

// With the checksum that belongs to it.
static void write_file(const char *path, char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    put_number(bytes + size - 4, 4, vs_checksum(bytes, size - 4));
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// Writes a number into a part of a checkpoint.
static void forge(const fixture *f, const char *tag, size_t offset, double value) {
    static char bytes[FILE_MOST];
    const size_t size = read_file(f->path, bytes);
    char *part = find_part(&(snapshot){bytes, size - 4}, tag);
    assert_in_range(offset + sizeof value, 0, part_bytes(part) - PART_HEAD);
    memcpy(part + PART_HEAD + offset, &value, sizeof value);
    write_file(f->path, bytes, size);
}

// A checksum is no proof: the file may be forged, or written by a run whose numbers had become infinite.
static void wild_numbers_are_refused_with_the_name_of_the_field(void **state) {
    fixture *f = *state;
    enum { BODY_SIZE = 35 * 8, JOINT_SIZE = 11 * 8 };
    const size_t body = BODY_SIZE * (size_t)f->body[1].index, joint = JOINT_SIZE * (size_t)f->joint.index;
    const struct {
        const char *tag;
        size_t offset;
        double value;
        const char *said;
    } wild[] = {
        {"WRLD", 0, NAN, "time"},
        {"WRLD", 0, 1e200, "time"},
        {"WRLD", 16, INFINITY, "gravity"},
        {"BODY", body + 32, NAN, "body 2 (ball): position"},
        {"BODY", body + 48, -1e200, "position"},
        {"BODY", body + 56, .9, "rotation"},
        {"BODY", body + 64, NAN, "rotation"},
        {"BODY", body + 88, INFINITY, "velocity"},
        {"BODY", body + 96, 1e200, "velocity"},
        {"BODY", body + 112, NAN, "spin"},
        {"BODY", body + 136, INFINITY, "predicted spin"},
        {"BODY", body + 160, INFINITY, "free spin"},
        {"BODY", body + 184, INFINITY, "velocity before"},
        {"BODY", body + 208, INFINITY, "spin before"},
        {"BODY", body + 232, NAN, "force"},
        {"BODY", body + 256, -INFINITY, "torque"},
        {"JOIN", joint + 24, NAN, "joint 0 (hinge): force"},
        {"JOIN", joint + 48, NAN, "torque"},
        {"JOIN", joint + 72, INFINITY, "coordinate"},
        {"JOIN", joint + 80, INFINITY, "effort"},
    };
    everything before;
    for (size_t k = 0; k < sizeof wild / sizeof wild[0]; k++) {
        disturb(f, 1);
        assert_ok(f, vs_checkpoint_write(f->path, f->world, f->simulation));
        disturb(f, 2);
        take(f, &before);
        forge(f, wild[k].tag, wild[k].offset, wild[k].value);
        const vs_error error = vs_checkpoint_read(f->path, f->world, f->simulation);
        const char *said = vs_context_get_error_text(f->context);
        if (error != VS_ERROR_DATA || !strstr(said, wild[k].said))
            fail_msg("%g at %s %zu: %d, \"%s\" without %s", wild[k].value, wild[k].tag, wild[k].offset, error, said,
                     wild[k].said);
        assert_is(f, &before);
    }
}

typedef struct heard {
    int warnings;
    char last[512];
} heard;

static void listen(void *user, vs_log_level level, const char *text) {
    heard *h = user;
    h->warnings += level == VS_LOG_WARNING;
    (void)snprintf(h->last, sizeof h->last, "%s", text);
}

// Reads the checkpoint into a rebuilt world whose log is heard.
static heard read_and_listen(const fixture *f) {
    heard h = {0};
    fixture other = {0};
    vs_context_def def = vs_context_def_default();
    def.log = listen, def.log_user = &h;
    assert_int_equal(vs_context_create(&def, &other.context), VS_OK);
    fill_fixture(&other, VS_SCHEME_MOREAU);
    assert_ok(&other, vs_checkpoint_read(f->path, other.world, other.simulation));
    vs_simulation_destroy(other.simulation);
    vs_world_destroy(other.world);
    vs_context_destroy(other.context);
    return h;
}

// The last bits depend on the libraries and on the kernel that OpenBLAS chose.
static void other_software_is_named_when_a_run_is_resumed(void **state) {
    fixture *f = *state;
    vs_checkpoint_info info;
    static char bytes[FILE_MOST];
    char here[80];
    disturb(f, 1);
    assert_ok(f, vs_checkpoint_write(f->path, f->world, f->simulation));
    assert_ok(f, vs_checkpoint_read_info(f->context, f->path, &info));
    assert_true(info.time == f->world->time && info.bodies == f->world->bodies - 1 && info.joints == f->world->joints);
    (void)snprintf(here, sizeof here, "voussoir %s\nblas %s\nhdf5 ", vs_version(), vs_solver_blas());
    assert_memory_equal(info.software, here, strlen(here));
    assert_int_equal(read_and_listen(f).warnings, 0);

    // another kernel: "blas" is followed by another letter
    const size_t size = read_file(f->path, bytes);
    char *text = find_part(&(snapshot){bytes, size - 4}, "SOFT") + PART_HEAD + 8;
    text[strstr(info.software, "\nblas ") - info.software + 6] = '?';
    write_file(f->path, bytes, size);
    const heard h = read_and_listen(f);
    assert_int_equal(h.warnings, 1);
    assert_true(strstr(h.last, f->path) && strstr(h.last, "written with blas ?") &&
                strstr(h.last, "continued with blas"));
}

// tests/output/data has a file that voussoir 0.2.0 wrote; version 2 was that of 0.1.
static void checkpoints_of_older_releases_are_refused_by_name(void **state) {
    fixture *f = *state;
    static char bytes[FILE_MOST];
    vs_checkpoint_info info;
    everything before;
    const size_t size = read_file(VS_TEST_DATA "/checkpoint-0.2.0.ck", bytes);
    disturb(f, 1);
    take(f, &before);
    for (uint64_t format = 3; format >= 2; format--) {
        put_number(bytes + 8, 4, format);
        write_file(f->path, bytes, size);
        const char *said = format == 3 ? "is a checkpoint of voussoir 0.2 (format 3), which this version does not read"
                                       : "is a checkpoint of voussoir 0.1 (format 2), which this version does not read";
        assert_int_equal(vs_checkpoint_read(f->path, f->world, f->simulation), VS_ERROR_UNSUPPORTED);
        assert_non_null(strstr(vs_context_get_error_text(f->context), said));
        assert_int_equal(vs_checkpoint_read_info(f->context, f->path, &info), VS_ERROR_UNSUPPORTED);
        assert_non_null(strstr(vs_context_get_error_text(f->context), said));
        assert_is(f, &before);
    }
}

// The rebuilt world has no load on its first body; the one that wrote the file had.
static void other_signals_are_named_when_a_run_is_resumed(void **state) {
    fixture *f = *state;
    const vs_signal force[3] = {{.value = 1}, {0}, {0}};
    assert_ok(f, vs_world_add_load(f->world, vs_world_get_body_at(f->world, 0), force, NULL));
    assert_ok(f, vs_checkpoint_write(f->path, f->world, f->simulation));
    const heard h = read_and_listen(f);
    assert_int_equal(h.warnings, 1);
    assert_true(strstr(h.last, f->path) && strstr(h.last, "loads, drives or motors were others"));
}

static void a_write_that_fails_leaves_the_old_file(void **state) {
    fixture *f = *state;
    everything before;
    disturb(f, 1);
    take(f, &before);
    assert_ok(f, vs_checkpoint_write(f->path, f->world, f->simulation));
    assert_ok(f, vs_checkpoint_read(f->path, f->world, f->simulation)); // reserves memory, and keeps it
    disturb(f, 2);
    const int alive = f->m.alive;
    vs_error error = VS_ERROR_MEMORY;
    for (int k = 0;; k++) { // the image and the name; a later one only costs the sync of the folder
        refuse_call(&f->m, k);
        error = vs_checkpoint_write(f->path, f->world, f->simulation);
        refuse_none(&f->m);
        assert_int_equal(f->m.alive, alive);
        if (!error)
            break;
        assert_int_equal(error, VS_ERROR_MEMORY);
        assert_ok(f, vs_checkpoint_read(f->path, f->world, f->simulation));
        assert_is(f, &before);
        disturb(f, 2);
    }
    take(f, &before);
    disturb(f, 3);
    error = VS_ERROR_MEMORY;
    for (int k = 0; error; k++) {
        refuse_call(&f->m, k);
        error = vs_checkpoint_read(f->path, f->world, f->simulation);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
    }
    refuse_none(&f->m);
    assert_is(f, &before);
    assert_int_equal(vs_checkpoint_write("/no/such/folder/x", f->world, f->simulation), VS_ERROR_IO);
    assert_int_equal(vs_checkpoint_write(f->folder, f->world, f->simulation), VS_ERROR_IO);
    // the name beside the folder is gone, too: tear_down looks into the folder, this one lies next to it
    char name[80];
    (void)snprintf(name, sizeof name, "%s.voussoir-tmp0", f->folder);
    assert_int_not_equal(access(name, F_OK), 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(every_bit_comes_back),
        TEST(equal_states_give_equal_bytes),
        TEST(the_note_of_a_simulation_comes_back),
        TEST(a_world_alone_has_a_checkpoint),
        TEST(other_scenes_are_refused_and_nothing_changes),
        TEST(damaged_and_cut_files_change_nothing),
        TEST(wild_numbers_are_refused_with_the_name_of_the_field),
        TEST(other_signals_are_named_when_a_run_is_resumed),
        TEST(other_software_is_named_when_a_run_is_resumed),
        TEST(checkpoints_of_older_releases_are_refused_by_name),
        TEST(a_write_that_fails_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
