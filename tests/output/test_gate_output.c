// Factories and sinks in a trajectory: bodies that are absent have no pose, histories tell what passed, and a run that continues from
// a checkpoint writes what an uninterrupted one does. A world without gates has none of it.
#include <stdio.h>

#include "output/trajectory/trajectory_data.h"
#include "voussoir/gate.h"
#include "voussoir/trajectory.h"
#include "kit/memory.h"

enum { BALLS = 12, STEPS = 60, HALF = 25 };
static const double STEP = .01;
static const char *const PATH = "gate-output.h5", *const CHECKPOINT = "gate-output.ckpt";

typedef struct run {
    memory m;
    vs_context *context;
    vs_world *world;
    vs_simulation *simulation;
    vs_trajectory_writer *writer;
} run;

static void add_gates(run *r) {
    vs_shape *ball;
    vs_body_id id[BALLS];
    must(vs_shape_sphere(r->context, .05, &ball), r->context);
    for (int k = 0; k < BALLS; k++) {
        vs_body_def body = vs_body_def_default();
        vs_collider_def collider = vs_collider_def_default();
        body.mass = 2;
        must(vs_world_add_body(r->world, &body, &collider.body), r->context);
        collider.shape = ball;
        must(vs_world_add_collider(r->world, &collider, NULL), r->context);
        id[k] = collider.body;
    }
    vs_shape_release(ball);
    vs_factory_def factory = vs_factory_def_default();
    factory.name = "in", factory.low = (vs_vec3){-.2, -.2, 1}, factory.high = (vs_vec3){.2, .2, 1.2};
    factory.body = id, factory.bodies = BALLS, factory.rate = 50, factory.velocity = (vs_vec3){0, 0, -2};
    factory.reuse = true;
    must(vs_world_add_factory(r->world, &factory, NULL), r->context);
    vs_sink_def sink = vs_sink_def_default();
    sink.name = "out", sink.high.z = .5;
    must(vs_world_add_sink(r->world, &sink, NULL), r->context);
}

static void begin(run *r, bool gates) {
    *r = (run){0};
    r->context = make_context(&r->m);
    must(vs_world_create(r->context, NULL, &r->world), r->context);
    if (gates)
        add_gates(r);
    vs_simulation_options options = vs_simulation_options_default();
    options.step = STEP;
    must(vs_simulation_create(r->world, &options, &r->simulation), r->context);
}

static void record(run *r, double from) {
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    options.step = STEP;
    must(from > 0 ? vs_trajectory_writer_resume(PATH, r->world, from, &options, &r->writer)
                  : vs_trajectory_writer_create(PATH, r->world, &options, &r->writer),
         r->context);
    must(vs_trajectory_writer_attach(r->writer, r->simulation), r->context);
}

static void take(run *r, int steps) {
    for (int k = 0; k < steps; k++)
        must(vs_simulation_step(r->simulation, NULL), r->context);
}

static void end(run *r) {
    vs_simulation_destroy(r->simulation);
    vs_world_destroy(r->world);
    end_context(r->context, &r->m);
}

static void read(run *r, const char *name, double value[STEPS + 1]) {
    vs_trajectory_reader *reader;
    must(vs_trajectory_reader_open(r->context, PATH, &reader), r->context);
    assert_int_equal(vs_trajectory_reader_get_info(reader)->frames, STEPS + 1);
    must(vs_trajectory_reader_read_history(reader, name, value), r->context);
    vs_trajectory_reader_close(reader);
}

static void histories_tell_what_passed(void **state) {
    (void)state;
    run r;
    begin(&r, true);
    record(&r, 0);
    take(&r, STEPS);
    must(vs_trajectory_writer_close(r.writer), r.context);
    double in[STEPS + 1], mass[STEPS + 1], rate[STEPS + 1], waiting[STEPS + 1], out[STEPS + 1];
    read(&r, "passed:in", in);
    read(&r, "passed-mass:in", mass);
    read(&r, "mass-rate:in", rate);
    read(&r, "waiting:in", waiting);
    read(&r, "passed:#1", out);
    vs_gate_view view;
    must(vs_world_get_gate_at(r.world, 0, &view), r.context);
    assert_true(in[0] == 0 && mass[0] == 0 && isnan(rate[0]) && in[STEPS] == (double)view.bodies);
    assert_true(mass[STEPS] == view.mass && view.bodies > BALLS && out[STEPS] > 0);
    for (int k = 1; k <= STEPS; k++)
        // 2 kg per body; times are sums of steps
        assert_true(mass[k] == 2 * in[k] && fabs(rate[k] - (mass[k] - mass[k - 1]) / STEP) < 1e-9);
    // One body per two steps, as long as there are some.
    assert_true(in[1] == 1 && in[10] == 5 && waiting[10] == 0);
    end(&r);
}

static void absent_bodies_have_no_pose(void **state) {
    (void)state;
    run r;
    begin(&r, true);
    record(&r, 0);
    take(&r, STEPS);
    must(vs_trajectory_writer_close(r.writer), r.context);
    vs_trajectory_reader *reader;
    double in[STEPS + 1], out[STEPS + 1];
    read(&r, "passed:in", in);
    read(&r, "passed:out", out);
    must(vs_trajectory_reader_open(r.context, PATH, &reader), r.context);
    for (int k = 0; k <= STEPS; k++) {
        double pose[7 * BALLS], velocity[6 * BALLS];
        int present = 0;
        must(vs_trajectory_reader_read_state(reader, k, pose, velocity), r.context);
        for (int b = 0; b < BALLS; b++) {
            present += !isnan(pose[7 * b]);
            assert_true(isnan(pose[7 * b]) == isnan(velocity[6 * b]) && isnan(pose[7 * b]) == isnan(pose[7 * b + 6]));
        }
        assert_true(present == in[k] - out[k]);
    }
    vs_history_info info;
    assert_int_equal(vs_trajectory_reader_find_history(reader, "passed:inn", &info), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(r.context), "no factory or sink 'inn'; did you mean 'in'?"));
    vs_trajectory_reader_close(reader);
    end(&r);
}

// What recorded poses and counts there are, as one number.
static uint64_t hash_file(run *r) {
    vs_trajectory_reader *reader;
    double in[STEPS + 1], pose[7 * BALLS];
    uint64_t h = 1;
    read(r, "passed-mass:out", in);
    must(vs_trajectory_reader_open(r->context, PATH, &reader), r->context);
    for (int k = 0; k <= STEPS; k++) {
        must(vs_trajectory_reader_read_state(reader, k, pose, NULL), r->context);
        for (size_t i = 0; i < sizeof pose / sizeof *pose; i++)
            h = h * 31 + (isnan(pose[i]) ? 7 : (uint64_t)(int64_t)(1e12 * pose[i]));
        h = h * 31 + (uint64_t)in[k];
    }
    vs_trajectory_reader_close(reader);
    return h;
}

static void a_run_from_a_checkpoint_writes_the_same(void **state) {
    (void)state;
    run r;
    begin(&r, true);
    record(&r, 0);
    take(&r, STEPS);
    must(vs_trajectory_writer_close(r.writer), r.context);
    const uint64_t whole = hash_file(&r), world = vs_world_get_hash(r.world);
    end(&r);

    begin(&r, true);
    record(&r, 0);
    take(&r, HALF);
    must(vs_trajectory_writer_flush(r.writer), r.context);
    must(vs_checkpoint_write(CHECKPOINT, r.world, r.simulation), r.context);
    take(&r, 7); // lost
    must(vs_trajectory_writer_close(r.writer), r.context);
    end(&r);

    begin(&r, true);
    must(vs_checkpoint_read(CHECKPOINT, r.world, r.simulation), r.context);
    record(&r, vs_world_get_time(r.world));
    take(&r, STEPS - HALF);
    must(vs_trajectory_writer_close(r.writer), r.context);
    assert_true(vs_world_get_hash(r.world) == world);
    assert_true(hash_file(&r) == whole);
    end(&r);
}

static void a_world_without_gates_has_none(void **state) {
    (void)state;
    run r;
    begin(&r, false);
    record(&r, 0);
    take(&r, 2);
    must(vs_trajectory_writer_close(r.writer), r.context);
    vs_trajectory_file file;
    must(vs_trajectory_file_open(r.context, PATH, false, &file), r.context);
    assert_true(H5Lexists(file.root.id, "gates", H5P_DEFAULT) == 0);
    must(vs_trajectory_file_close(&file), r.context);
    vs_trajectory_reader *reader;
    vs_history_info info;
    must(vs_trajectory_reader_open(r.context, PATH, &reader), r.context);
    assert_int_equal(vs_trajectory_reader_find_history(reader, "passed:in", &info), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(r.context), "this file has none"));
    vs_trajectory_reader_close(reader);
    end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histories_tell_what_passed),
        cmocka_unit_test(absent_bodies_have_no_pose),
        cmocka_unit_test(a_run_from_a_checkpoint_writes_the_same),
        cmocka_unit_test(a_world_without_gates_has_none),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)remove(PATH);
    (void)remove(CHECKPOINT);
    return failed;
}
