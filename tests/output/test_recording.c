// A trajectory that is attached to a simulation has every step that is due, whoever calls the steps.
#include <stdio.h>
#include <stdlib.h>

#include "voussoir/trajectory.h"
#include "kit/memory.h"

enum { STEPS = 48, FRAMES_MOST = STEPS + 1 };
static const double STEP = 1. / 240;

typedef struct fall {
    memory m;
    vs_context *context;
    vs_world *world;
    vs_simulation *simulation;
} fall;

// A ball that falls on the floor and bounces.
static void begin(fall *f) {
    f->context = make_context(&f->m);
    must(vs_world_create(f->context, NULL, &f->world), f->context);
    vs_shape *plane, *ball;
    must(vs_shape_plane(f->context, &plane), f->context);
    must(vs_shape_sphere(f->context, .1, &ball), f->context);
    vs_collider_def collider = vs_collider_def_default();
    collider.shape = plane;
    must(vs_world_add_collider(f->world, &collider, NULL), f->context);
    vs_body_def body = vs_body_def_default();
    body.pose.position = (vs_vec3){0, 0, .12};
    must(vs_world_add_body(f->world, &body, &collider.body), f->context);
    collider.shape = ball;
    must(vs_world_add_collider(f->world, &collider, NULL), f->context);
    vs_shape_release(plane), vs_shape_release(ball);
    vs_simulation_options options = vs_simulation_options_default();
    options.step = STEP;
    must(vs_simulation_create(f->world, &options, &f->simulation), f->context);
}

static void end(fall *f) {
    vs_simulation_destroy(f->simulation);
    vs_world_destroy(f->world);
    end_context(f->context, &f->m);
}

static vs_trajectory_writer *make_writer(fall *f, const char *path, double frame) {
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    vs_trajectory_writer *writer = NULL;
    options.step = STEP;
    options.frame = frame;
    must(vs_trajectory_writer_create(path, f->world, &options, &writer), f->context);
    return writer;
}

static vs_trajectory_writer *record(fall *f, const char *path, double frame) {
    vs_trajectory_writer *writer = make_writer(f, path, frame);
    must(vs_trajectory_writer_attach(writer, f->simulation), f->context);
    return writer;
}

static void step(fall *f, int count) {
    for (int k = 0; k < count; k++)
        must(vs_simulation_step(f->simulation, NULL), f->context);
}

// What a file says of the ball; wall times are left out, which no two runs share.
typedef struct contents {
    int frames;
    double time[FRAMES_MOST], number[FRAMES_MOST], kinetic[FRAMES_MOST], pose[FRAMES_MOST][7];
} contents;

static void read_file(fall *f, const char *path, contents *c) {
    vs_trajectory_reader *reader = NULL;
    must(vs_trajectory_reader_open(f->context, path, &reader), f->context);
    memset(c, 0, sizeof *c);
    c->frames = (int)vs_trajectory_reader_get_info(reader)->frames;
    assert_in_range(c->frames, 1, FRAMES_MOST);
    must(vs_trajectory_reader_read_series(reader, "time", c->time), f->context);
    must(vs_trajectory_reader_read_series(reader, "step", c->number), f->context);
    must(vs_trajectory_reader_read_series(reader, "kinetic", c->kinetic), f->context);
    for (int k = 0; k < c->frames; k++)
        must(vs_trajectory_reader_read_state(reader, k, c->pose[k], NULL), f->context);
    vs_trajectory_reader_close(reader);
    assert_int_equal(remove(path), 0);
}

static void runs_loops_and_frames_by_hand_give_the_same_file(void **state) {
    (void)state;
    contents run, loop, hand;
    fall f;
    for (int every = 1; every <= 5; every += 4) {
        const double frame = every == 1 ? 0 : every * STEP;
        begin(&f);
        vs_trajectory_writer *writer = record(&f, "recording-run.h5", frame);
        must(vs_simulation_run(f.simulation, STEPS * STEP), f.context);
        must(vs_trajectory_writer_close(writer), f.context);
        read_file(&f, "recording-run.h5", &run);
        end(&f);
        assert_int_equal(run.frames, 1 + STEPS / every);

        begin(&f);
        writer = record(&f, "recording-loop.h5", frame);
        step(&f, STEPS);
        must(vs_trajectory_writer_close(writer), f.context);
        read_file(&f, "recording-loop.h5", &loop);
        end(&f);
        assert_memory_equal(&run, &loop, sizeof run);

        begin(&f);
        writer = make_writer(&f, "recording-hand.h5", frame);
        must(vs_trajectory_writer_write(writer, f.world, NULL, NULL), f.context);
        for (int k = 0; k < STEPS; k++) {
            vs_step_report report;
            must(vs_simulation_step(f.simulation, &report), f.context);
            if (vs_trajectory_writer_is_due(writer, report.time))
                must(vs_trajectory_writer_write(writer, f.world, f.simulation, &report), f.context);
        }
        must(vs_trajectory_writer_close(writer), f.context);
        read_file(&f, "recording-hand.h5", &hand);
        end(&f);
        assert_memory_equal(&run, &hand, sizeof run);
    }
}

static void each_of_several_files_has_its_own_frames(void **state) {
    (void)state;
    contents all, some, late;
    fall f;
    begin(&f);
    vs_trajectory_writer *a = record(&f, "recording-all.h5", 0), *b = record(&f, "recording-some.h5", 4 * STEP);
    step(&f, 10);
    vs_trajectory_writer *c = record(&f, "recording-late.h5", 0);
    step(&f, 10);
    must(vs_trajectory_writer_close(b), f.context); // the one in the middle: the others go on
    step(&f, 10);
    must(vs_trajectory_writer_close(a), f.context);
    must(vs_trajectory_writer_close(c), f.context);
    step(&f, 1);
    read_file(&f, "recording-all.h5", &all);
    read_file(&f, "recording-some.h5", &some);
    read_file(&f, "recording-late.h5", &late);
    assert_int_equal(all.frames, 31);
    assert_int_equal(some.frames, 6);
    assert_int_equal(late.frames, 21);
    assert_memory_equal(all.pose[10], late.pose[0], sizeof all.pose[0]);
    assert_memory_equal(all.pose[30], late.pose[20], sizeof all.pose[0]);
    end(&f);
}

static void a_resumed_file_does_not_repeat_its_last_frame(void **state) {
    (void)state;
    const char *path = "recording-resumed.h5";
    contents c;
    fall f;
    begin(&f);
    vs_trajectory_writer *writer = record(&f, path, 3 * STEP);
    step(&f, 10); // frames at 0, 3, 6, 9
    must(vs_trajectory_writer_close(writer), f.context);
    vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
    options.frame = 3 * STEP;
    must(vs_trajectory_writer_resume(path, f.world, vs_world_get_time(f.world), &options, &writer), f.context);
    must(vs_trajectory_writer_attach(writer, f.simulation), f.context);
    step(&f, 5); // 12, 15
    must(vs_trajectory_writer_close(writer), f.context);
    read_file(&f, path, &c);
    assert_int_equal(c.frames, 6);
    for (int k = 1; k < 6; k++)
        assert_int_equal((int)c.number[k], 3 * k);
    end(&f);
}

static void a_file_outlives_its_simulation(void **state) {
    (void)state;
    contents c;
    fall f;
    begin(&f);
    vs_trajectory_writer *writer = record(&f, "recording-left.h5", 0);
    step(&f, 2);
    assert_int_equal(vs_trajectory_writer_attach(writer, f.simulation), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_trajectory_writer_attach(NULL, f.simulation), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_trajectory_writer_attach(writer, NULL), VS_ERROR_ARGUMENT);
    vs_simulation_destroy(f.simulation);
    f.simulation = NULL;
    must(vs_trajectory_writer_close(writer), f.context);
    read_file(&f, "recording-left.h5", &c);
    assert_int_equal(c.frames, 3);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_loops_and_frames_by_hand_give_the_same_file),
        cmocka_unit_test(each_of_several_files_has_its_own_frames),
        cmocka_unit_test(a_resumed_file_does_not_repeat_its_last_frame),
        cmocka_unit_test(a_file_outlives_its_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
