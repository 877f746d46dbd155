// Checkpoints: the world and the simulation get back every bit; files of other scenes, damaged or cut ones change
// nothing; a write that fails leaves the old file.
#include "moved.h"

#include "base/checksum.h"
#include "step/state/simulation_state.h"
#include "voussoir/solver.h"
#include "voussoir/version.h"

#include <fcntl.h>
#include <sys/stat.h>

// ---- the simulation's part: bytes that it alone understands ---------------------------------------------

vs_error vs_simulation_save(const vs_simulation *s, vs_arena *arena, void **bytes, size_t *count) {
    *count = sizeof s->bytes;
    *bytes = VS_COPY(arena, unsigned char, s->bytes, sizeof s->bytes);
    return *bytes ? VS_OK : VS_ERROR_MEMORY;
}

vs_error vs_simulation_load(vs_simulation *s, const void *bytes, size_t count, vs_state_format format) {
    s->format = (int)format;
    if (count != sizeof s->bytes || *(const unsigned char *)bytes == 0xff) // 0xff: what this one does not like
        return VS_ERROR_DATA;
    memcpy(s->bytes, bytes, count);
    return VS_OK;
}

// Awkward numbers everywhere: spin in body axes, negative zero, a denormal, forces that wait for the next step.
static void disturb(fixture *f, int seed) {
    vs_step_report report;
    move(f, seed, &report);
    for (int k = 0; k < BODIES; k++) {
        vs_body *body = &f->world->body[f->body[k].index];
        body->pose.rotation = vs_quat_normalize((vs_quat){1, .1 * k, .2 + seed, -.3});
        body->spin = (vs_vec3){1 / 3.0 + seed, -0.0, 5e-324};
        body->force = (vs_vec3){1e300, k / 7.0, seed};
        body->torque = (vs_vec3){-1e-300, seed / 7.0, k};
    }
    f->world->joint[f->joint.index].angle = 7.5 + seed / 3.0;
    f->world->time = .1 * seed;
    f->world->gravity = (vs_vec3){0, seed / 9.0, -9.81};
    for (size_t k = 0; k < sizeof f->simulation.bytes; k++)
        f->simulation.bytes[k] = (unsigned char)(7 * k + (size_t)seed);
}

// All that a checkpoint is to keep.
typedef struct snapshot {
    double body[BODIES][19], joint[7], time, gravity[3];
    unsigned char bytes[40];
} snapshot;

static void take(const fixture *f, snapshot *s) {
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
    memcpy(s->bytes, f->simulation.bytes, sizeof s->bytes);
}

static void assert_is(const fixture *f, const snapshot *wanted) {
    snapshot now;
    take(f, &now);
    assert_memory_equal(&now, wanted, sizeof now);
}

static void every_bit_comes_back(void **state) {
    fixture *f = *state;
    snapshot before;
    disturb(f, 1);
    take(f, &before);
    const uint64_t hash = vs_world_get_hash(f->world);
    assert_ok(f, vs_checkpoint_write(f->path, f->world, &f->simulation));
    disturb(f, 2);
    assert_ok(f, vs_checkpoint_read(f->path, f->world, &f->simulation));
    assert_is(f, &before);
    assert_true(vs_world_get_hash(f->world) == hash);
    // also into a rebuilt world
    fixture *other = make_fixture();
    assert_ok(other, vs_checkpoint_read(f->path, other->world, &other->simulation));
    assert_is(other, &before);
    end_fixture(other);
}

static void equal_states_give_equal_bytes(void **state) {
    fixture *f = *state;
    char bytes[2][4096];
    size_t size[2];
    for (int k = 0; k < 2; k++) {
        fixture *other = make_fixture();
        disturb(other, 3);
        assert_ok(other, vs_checkpoint_write(f->path, other->world, &other->simulation));
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
        assert_ok(f, vs_simulation_set_note(&f->simulation, notes[k]));
        assert_ok(f, vs_checkpoint_write(f->path, f->world, &f->simulation));
        assert_ok(f, vs_simulation_set_note(&f->simulation, "another"));
        assert_ok(f, vs_checkpoint_read(f->path, f->world, &f->simulation));
        assert_string_equal(vs_simulation_get_note(&f->simulation), notes[k]);
        assert_ok(f, vs_checkpoint_read_info(f->context, f->path, &info));
        assert_null(strstr(info.software, "sum"));
    }
}

static void a_world_alone_has_a_checkpoint(void **state) {
    fixture *f = *state;
    snapshot before;
    disturb(f, 1);
    take(f, &before);
    assert_ok(f, vs_checkpoint_write(f->path, f->world, NULL));
    assert_int_equal(vs_checkpoint_read(f->path, f->world, &f->simulation), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "without a simulation"));
    assert_ok(f, vs_checkpoint_read(f->path, f->world, NULL));
    assert_is(f, &before);
}

static void other_scenes_are_refused_and_nothing_changes(void **state) {
    fixture *f = *state, *other = make_fixture();
    snapshot before;
    disturb(f, 1);
    assert_ok(f, vs_checkpoint_write(f->path, f->world, &f->simulation));
    disturb(other, 2);
    vs_body *body = &other->world->body[other->body[1].index];
    vs_joint *joint = &other->world->joint[other->joint.index];
    take(other, &before);
    body->mass = 8;
    assert_int_equal(vs_checkpoint_read(f->path, other->world, &other->simulation), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(other->context), "another scene: body 2 (ball) differs"));
    body->mass = 2;
    body->motion = VS_MOTION_STATIC;
    assert_int_equal(vs_checkpoint_read(f->path, other->world, &other->simulation), VS_ERROR_DATA);
    body->motion = VS_MOTION_DYNAMIC;
    joint->def.kind = VS_JOINT_FIXED;
    assert_int_equal(vs_checkpoint_read(f->path, other->world, &other->simulation), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(other->context), "joint 0 (hinge)"));
    joint->def.kind = VS_JOINT_SPHERICAL;
    assert_is(other, &before);
    const vs_body_def def = vs_body_def_default();
    vs_body_id id;
    assert_ok(other, vs_world_add_body(other->world, &def, &id));
    assert_int_equal(vs_checkpoint_read(f->path, other->world, &other->simulation), VS_ERROR_DATA);
    // what the simulation refuses changes the world as little
    f->simulation.bytes[0] = 0xff;
    assert_ok(f, vs_checkpoint_write(f->path, f->world, &f->simulation));
    assert_ok(other, vs_world_remove_body(other->world, id));
    end_fixture(other);
    disturb(f, 4);
    take(f, &before);
    assert_int_equal(vs_checkpoint_read(f->path, f->world, &f->simulation), VS_ERROR_DATA);
    assert_is(f, &before);
}

static void damaged_and_cut_files_change_nothing(void **state) {
    fixture *f = *state;
    snapshot before;
    struct stat status;
    disturb(f, 1);
    assert_ok(f, vs_checkpoint_write(f->path, f->world, &f->simulation));
    disturb(f, 2);
    take(f, &before);
    assert_int_equal(stat(f->path, &status), 0);
    const int descriptor = open(f->path, O_RDWR);
    for (off_t k = 0; k < status.st_size; k++) {
        unsigned char byte, wrong;
        assert_int_equal(pread(descriptor, &byte, 1, k), 1);
        wrong = byte ^ 0x20;
        assert_int_equal(pwrite(descriptor, &wrong, 1, k), 1);
        const vs_error error = vs_checkpoint_read(f->path, f->world, &f->simulation);
        assert_true(error == VS_ERROR_DATA || error == VS_ERROR_UNSUPPORTED);
        assert_int_equal(pwrite(descriptor, &byte, 1, k), 1);
    }
    assert_int_equal(close(descriptor), 0);
    for (off_t size = status.st_size - 1; size >= 0; size--) {
        assert_int_equal(truncate(f->path, size), 0);
        assert_int_equal(vs_checkpoint_read(f->path, f->world, &f->simulation), VS_ERROR_DATA);
    }
    assert_is(f, &before);
    assert_int_equal(unlink(f->path), 0);
    assert_int_equal(vs_checkpoint_read(f->path, f->world, &f->simulation), VS_ERROR_IO);
    assert_int_equal(vs_checkpoint_read(f->folder, f->world, &f->simulation), VS_ERROR_DATA);
    assert_int_equal(vs_checkpoint_read(NULL, f->world, &f->simulation), VS_ERROR_ARGUMENT);
}

// Writes a number into a checkpoint, with the checksum that belongs to it.
static void forge(const fixture *f, size_t offset, double value) {
    char bytes[4096];
    FILE *file = fopen(f->path, "r+b");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    assert_in_range(offset + sizeof value, 0, size - 4);
    memcpy(bytes + offset, &value, sizeof value);
    const uint32_t sum = vs_checksum(bytes, size - 4);
    memcpy(bytes + size - 4, &sum, sizeof sum);
    rewind(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// A checksum is no proof: the file may be forged, or written by a run whose numbers had become infinite.
static void wild_numbers_are_refused_with_the_name_of_the_field(void **state) {
    fixture *f = *state;
    enum { WORLD = 32, BODY = WORLD + 64, BODY_SIZE = 200, JOINT_SIZE = 72 };
    const size_t body = BODY + BODY_SIZE * (size_t)f->body[1].index,
                 joint = BODY + BODY_SIZE * (size_t)f->world->bodies + JOINT_SIZE * (size_t)f->joint.index;
    const struct {
        size_t offset;
        double value;
        const char *said;
    } wild[] = {
        {WORLD, NAN, "time"},
        {WORLD, 1e200, "time"},
        {WORLD + 16, INFINITY, "gravity"},
        {body + 24, NAN, "position"},
        {body + 40, -1e200, "position"},
        {body + 48, .9, "rotation"},
        {body + 56, NAN, "rotation"},
        {body + 80, INFINITY, "velocity"},
        {body + 88, 1e200, "velocity"},
        {body + 104, NAN, "spin"},
        {body + 128, INFINITY, "velocity"},
        {body + 152, NAN, "force"},
        {body + 192, -INFINITY, "torque"},
        {joint + 16, NAN, "force"},
        {joint + 40, NAN, "torque"},
        {joint + 64, INFINITY, "coordinate"},
    };
    snapshot before;
    for (size_t k = 0; k < sizeof wild / sizeof wild[0]; k++) {
        disturb(f, 1);
        assert_ok(f, vs_checkpoint_write(f->path, f->world, &f->simulation));
        disturb(f, 2);
        take(f, &before);
        forge(f, wild[k].offset, wild[k].value);
        const vs_error error = vs_checkpoint_read(f->path, f->world, &f->simulation);
        const char *said = vs_context_get_error_text(f->context);
        if (error != VS_ERROR_DATA || !strstr(said, wild[k].said))
            fail_msg("%g at %zu: %d, \"%s\" without %s", wild[k].value, wild[k].offset, error, said, wild[k].said);
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
    build_world(&other);
    assert_ok(&other, vs_checkpoint_read(f->path, other.world, &other.simulation));
    vs_world_destroy(other.world);
    vs_context_destroy(other.context);
    return h;
}

// The last bits depend on the libraries and on the kernel that OpenBLAS chose.
static void other_software_is_named_when_a_run_is_resumed(void **state) {
    fixture *f = *state;
    vs_checkpoint_info info;
    char bytes[4096], here[80];
    disturb(f, 1);
    assert_ok(f, vs_checkpoint_write(f->path, f->world, &f->simulation));
    assert_ok(f, vs_checkpoint_read_info(f->context, f->path, &info));
    assert_true(info.time == f->world->time && info.bodies == f->world->bodies - 1 && info.joints == f->world->joints);
    (void)snprintf(here, sizeof here, "voussoir %s\nblas %s\nhdf5 ", vs_version(), vs_solver_blas());
    assert_memory_equal(info.software, here, strlen(here));
    assert_int_equal(read_and_listen(f).warnings, 0);

    // another kernel: "blas" is followed by another letter
    FILE *file = fopen(f->path, "r+b");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file), length = strlen(info.software);
    char *blas = bytes + size - 4 - length + (strstr(info.software, "\nblas ") - info.software) + 6;
    *blas = '?';
    uint32_t sum = vs_checksum(bytes, size - 4);
    memcpy(bytes + size - 4, &sum, sizeof sum);
    rewind(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    const heard h = read_and_listen(f);
    assert_int_equal(h.warnings, 1);
    assert_true(strstr(h.last, f->path) && strstr(h.last, "written with blas ?") &&
                strstr(h.last, "continued with blas"));

    // version 2 had no such text, and unmarked impulses
    const uint32_t version = 2;
    memcpy(bytes + 8, &version, sizeof version);
    sum = vs_checksum(bytes, size - 4 - length);
    memcpy(bytes + size - 4 - length, &sum, sizeof sum);
    file = fopen(f->path, "wb");
    assert_int_equal(fwrite(bytes, 1, size - length, file), size - length);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(read_and_listen(f).warnings, 0);
    assert_ok(f, vs_checkpoint_read_info(f->context, f->path, &info));
    assert_string_equal(info.software, "");
    assert_ok(f, vs_checkpoint_read(f->path, f->world, &f->simulation));
    assert_int_equal(f->simulation.format, VS_STATE_FIRST);
    assert_ok(f, vs_checkpoint_write(f->path, f->world, &f->simulation));
    assert_ok(f, vs_checkpoint_read(f->path, f->world, &f->simulation));
    assert_int_equal(f->simulation.format, VS_STATE_PRESENT);
}

// The rebuilt world has no load on its first body; the one that wrote the file had.
static void other_signals_are_named_when_a_run_is_resumed(void **state) {
    fixture *f = *state;
    const vs_signal force[3] = {{.value = 1}, {0}, {0}};
    assert_ok(f, vs_world_add_load(f->world, vs_world_get_body_at(f->world, 0), force, NULL));
    assert_ok(f, vs_checkpoint_write(f->path, f->world, &f->simulation));
    const heard h = read_and_listen(f);
    assert_int_equal(h.warnings, 1);
    assert_true(strstr(h.last, f->path) && strstr(h.last, "loads, drives or motors were others"));
}

static void a_write_that_fails_leaves_the_old_file(void **state) {
    fixture *f = *state;
    snapshot before;
    disturb(f, 1);
    take(f, &before);
    assert_ok(f, vs_checkpoint_write(f->path, f->world, &f->simulation));
    disturb(f, 2);
    const int alive = f->m.alive;
    vs_error error = VS_ERROR_MEMORY;
    for (int k = 0;; k++) { // the image and the name; a later one only costs the sync of the folder
        refuse_call(&f->m, k);
        error = vs_checkpoint_write(f->path, f->world, &f->simulation);
        refuse_none(&f->m);
        assert_int_equal(f->m.alive, alive);
        if (!error)
            break;
        assert_int_equal(error, VS_ERROR_MEMORY);
        assert_ok(f, vs_checkpoint_read(f->path, f->world, &f->simulation));
        assert_is(f, &before);
        disturb(f, 2);
    }
    take(f, &before);
    disturb(f, 3);
    error = VS_ERROR_MEMORY;
    for (int k = 0; error; k++) {
        refuse_call(&f->m, k);
        error = vs_checkpoint_read(f->path, f->world, &f->simulation);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
    }
    refuse_none(&f->m);
    assert_is(f, &before);
    assert_int_equal(vs_checkpoint_write("/no/such/folder/x", f->world, &f->simulation), VS_ERROR_IO);
    assert_int_equal(vs_checkpoint_write(f->folder, f->world, &f->simulation), VS_ERROR_IO);
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
        TEST(a_write_that_fails_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
