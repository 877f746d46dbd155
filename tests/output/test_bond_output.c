// Bonds of mortar in a trajectory: as many as the simulation has, with its numbers, also in a file that is continued; a world without
// mortar has none.
#include <stdio.h>

#include "output/trajectory/trajectory_data.h"
#include "voussoir/bond.h"
#include "voussoir/trajectory.h"
#include "kit/memory.h"

enum { STEPS = 12, BONDS = 8 }; // four for each of two faces
static const double STEP = 1e-3, EDGE = .2;
static const char *const PATH = "bond-output.h5";

typedef struct run {
    memory m;
    vs_context *context;
    vs_world *world;
    vs_simulation *simulation;
    vs_body_id upper;
} run;

static vs_body_id add_box(run *r, double height, vs_vec3 velocity) {
    vs_shape *box;
    must(vs_shape_box(r->context, (vs_vec3){.5 * EDGE, .5 * EDGE, .5 * EDGE}, &box), r->context);
    vs_body_def body = vs_body_def_default();
    vs_collider_def collider = vs_collider_def_default();
    body.pose.position = (vs_vec3){0, 0, height};
    body.velocity = velocity;
    must(vs_world_add_body(r->world, &body, &collider.body), r->context);
    collider.shape = box;
    must(vs_world_add_collider(r->world, &collider, NULL), r->context);
    vs_shape_release(box);
    return collider.body;
}

// Two cubes on the floor; the upper one is thrown up, so that its bonds open and break.
static void begin(run *r, bool mortar) {
    r->context = make_context(&r->m);
    must(vs_world_create(r->context, NULL, &r->world), r->context);
    vs_shape *plane;
    must(vs_shape_plane(r->context, &plane), r->context);
    vs_collider_def collider = vs_collider_def_default();
    collider.shape = plane;
    must(vs_world_add_collider(r->world, &collider, NULL), r->context);
    vs_shape_release(plane);
    (void)add_box(r, .5 * EDGE, VS_ZERO3);
    r->upper = add_box(r, 1.5 * EDGE, (vs_vec3){0, 0, 2});
    vs_mortar_def def = vs_mortar_def_default();
    def.tension = 1e4, def.fracture_energy = 5;
    if (mortar)
        must(vs_world_add_mortar(r->world, &def), r->context);
    vs_simulation_options options = vs_simulation_options_default();
    options.step = STEP;
    must(vs_simulation_create(r->world, &options, &r->simulation), r->context);
}

static void end(run *r) {
    vs_simulation_destroy(r->simulation);
    vs_world_destroy(r->world);
    end_context(r->context, &r->m);
}

// Steps first … last - 1; strengths after each of them.
static void write_steps(run *r, vs_trajectory_writer *writer, int first, int last, double strength[STEPS][BONDS]) {
    for (int k = first; k < last; k++) {
        vs_step_report report;
        must(vs_simulation_step(r->simulation, &report), r->context);
        must(vs_trajectory_writer_write(writer, r->world, r->simulation, &report), r->context);
        assert_int_equal(vs_simulation_get_bond_count(r->simulation), BONDS);
        for (int i = 0; i < BONDS; i++) {
            vs_bond_view view;
            must(vs_simulation_get_bond_at(r->simulation, i, &view), r->context);
            strength[k][i] = view.strength;
        }
    }
}

static void assert_file(run *r, double strength[STEPS][BONDS]) {
    vs_trajectory_file file;
    int64_t frames = 0, offset[STEPS + 2];
    double read[STEPS][BONDS], area[BONDS], point[BONDS][3];
    int body[BONDS][2];
    must(vs_trajectory_file_open(r->context, PATH, false, &file), r->context);
    assert_true(file.bonds);
    must(vs_columns_complete(&file, &frames), r->context);
    assert_int_equal(frames, STEPS + 1);
    must(vs_dataset_rows_read(&file.column[VS_COLUMN_BOND_OFFSET], 0, STEPS + 2, offset), r->context);
    assert_int_equal(offset[1], 0); // mortar bonds in the first step
    for (int k = 0; k < STEPS; k++)
        assert_int_equal(offset[k + 2], (k + 1) * BONDS);
    must(vs_dataset_rows_read(&file.column[VS_COLUMN_BOND_STRENGTH], 0, STEPS * BONDS, read), r->context);
    assert_memory_equal(read, strength, sizeof read);
    must(vs_dataset_rows_read(&file.column[VS_COLUMN_BOND_AREA], 0, BONDS, area), r->context);
    must(vs_dataset_rows_read(&file.column[VS_COLUMN_BOND_BODY], 0, BONDS, body), r->context);
    must(vs_dataset_rows_read(&file.column[VS_COLUMN_BOND_POINT], 0, BONDS, point), r->context);
    int floor = 0;
    for (int k = 0; k < BONDS; k++) {
        const bool below = body[k][0] == VS_ROW_WORLD || body[k][1] == VS_ROW_WORLD;
        assert_true(fabs(area[k] - .25 * EDGE * EDGE) < 1e-12);           // an equal share of the face
        assert_true(fabs(point[k][2] - (below ? 0 : EDGE)) < 2.5 * STEP); // one step of the thrown cube
        assert_in_range(body[k][0] + 1, 0, 2);
        floor += below;
    }
    assert_int_equal(floor, 4);
    must(vs_trajectory_file_close(&file), r->context);
}

static void bonds_are_written_as_the_simulation_has_them(void **state) {
    (void)state;
    run r;
    vs_trajectory_writer *writer = NULL;
    double strength[STEPS][BONDS];
    begin(&r, true);
    must(vs_trajectory_writer_create(PATH, r.world, NULL, &writer), r.context);
    must(vs_trajectory_writer_write(writer, r.world, NULL, NULL), r.context);
    write_steps(&r, writer, 0, STEPS, strength);
    must(vs_trajectory_writer_close(writer), r.context);
    int whole = 0, broken = 0;
    for (int i = 0; i < BONDS; i++)
        whole += strength[STEPS - 1][i] > .99, broken += strength[STEPS - 1][i] == 0;
    assert_int_equal(whole, 4);
    assert_int_equal(broken, 4);
    assert_file(&r, strength);
    assert_int_equal(remove(PATH), 0);
    end(&r);
}

static void a_file_that_is_continued_has_them_too(void **state) {
    (void)state;
    run r;
    vs_trajectory_writer *writer = NULL;
    double strength[STEPS][BONDS];
    const int half = STEPS / 2;
    begin(&r, true);
    must(vs_trajectory_writer_create(PATH, r.world, NULL, &writer), r.context);
    must(vs_trajectory_writer_write(writer, r.world, NULL, NULL), r.context);
    write_steps(&r, writer, 0, half, strength);
    const vs_step_report late = {.time = 1}; // a frame to be dropped
    must(vs_trajectory_writer_write(writer, r.world, r.simulation, &late), r.context);
    must(vs_trajectory_writer_close(writer), r.context);
    must(vs_trajectory_writer_resume(PATH, r.world, (half + .5) * STEP, NULL, &writer), r.context);
    write_steps(&r, writer, half, STEPS, strength);
    must(vs_trajectory_writer_close(writer), r.context);
    assert_file(&r, strength);
    assert_int_equal(remove(PATH), 0);
    end(&r);
}

static void bonds_of_a_removed_body_have_no_point(void **state) {
    (void)state;
    run r;
    vs_trajectory_writer *writer = NULL;
    vs_trajectory_file file;
    double strength[STEPS][BONDS], point[BONDS][3];
    begin(&r, true);
    must(vs_trajectory_writer_create(PATH, r.world, NULL, &writer), r.context);
    write_steps(&r, writer, 0, 1, strength);
    must(vs_world_remove_body(r.world, r.upper), r.context);
    must(vs_trajectory_writer_write(writer, r.world, r.simulation, NULL), r.context);
    must(vs_trajectory_writer_close(writer), r.context);
    must(vs_trajectory_file_open(r.context, PATH, false, &file), r.context);
    must(vs_dataset_rows_read(&file.column[VS_COLUMN_BOND_POINT], BONDS, BONDS, point), r.context);
    int gone = 0;
    for (int k = 0; k < BONDS; k++)
        gone += isnan(point[k][0]) ? 1 : 0;
    assert_int_equal(gone, 4);
    must(vs_trajectory_file_close(&file), r.context);
    assert_int_equal(remove(PATH), 0);
    end(&r);
}

static void files_without_mortar_or_without_contacts_have_none(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        run r;
        vs_trajectory_writer *writer = NULL;
        vs_trajectory_file file;
        vs_trajectory_writer_options options = vs_trajectory_writer_options_default();
        options.contacts = k == 0;
        begin(&r, k == 1);
        must(vs_trajectory_writer_create(PATH, r.world, &options, &writer), r.context);
        must(vs_trajectory_writer_write(writer, r.world, NULL, NULL), r.context);
        must(vs_trajectory_writer_close(writer), r.context);
        must(vs_trajectory_file_open(r.context, PATH, false, &file), r.context);
        assert_false(file.bonds);
        must(vs_trajectory_file_close(&file), r.context);
        assert_int_equal(remove(PATH), 0);
        end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bonds_are_written_as_the_simulation_has_them),
        cmocka_unit_test(a_file_that_is_continued_has_them_too),
        cmocka_unit_test(bonds_of_a_removed_body_have_no_point),
        cmocka_unit_test(files_without_mortar_or_without_contacts_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
