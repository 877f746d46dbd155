// Functions of time in scenes: each way to write one gives the motion that follows from it by hand, and mistakes are
// refused with their place.
#include "kit/fixture.h"
#include "kit/folder.h"
#include "scenes.h"
#include "voussoir/flexible.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 256 }; // of 1/256 s: times are exact in binary
#define HEAD "{\"voussoir\": 1, \"parameters\": {\"a\": 2, \"tilt\": 30}, \"step\": 0.00390625, "
#define FREE HEAD "\"gravity\": [0, 0, 0], "
#define MASS "\"name\": \"m\", \"mass\": 2, \"inertia\": [1, 1, 1]"

static vs_scene *need(fixture *f, const char *folder, const char *text) {
    vs_scene *scene = NULL;
    char path[PATH_ROOM];
    write_in(folder, "s.json", text, strlen(text), path);
    if (vs_scene_read(f->context, path, NULL, 0, &scene) != VS_OK)
        fail_msg("%s\n%s", text, vs_context_get_error_text(f->context));
    (void)unlink(path);
    return scene;
}

static void run(fixture *f, vs_scene *scene, int steps) {
    vs_simulation *s = NULL;
    must(vs_simulation_create(scene->world, &scene->options, &s), f->context);
    for (int k = 0; k < steps; k++)
        must(vs_simulation_step(s, NULL), f->context);
    vs_simulation_destroy(s);
}

static vs_body_state state_of(const vs_scene *scene, const char *name) {
    vs_body_state state = {0};
    assert_int_equal(vs_world_get_body_state(scene->world, vs_world_find_body(scene->world, name), &state), VS_OK);
    return state;
}

// A force F(t) on 2 kg over one second: v = integral/2. Forces act with their value at the middle of a step, which is
// exact for what is linear within steps; otherwise (h^2/24) F'' T.
static void every_form_of_a_load_gives_its_impulse(void **state) {
    fixture *f = *state;
    char folder[FOLDER_ROOM], csv[PATH_ROOM], at2[PATH_ROOM];
    make_folder(folder);
    const char *table = "t;F\n0;0\n1;4\n", *record = "a\nb\nUNITS OF G\nNPTS= 3, DT= .25 SEC\n 1 1 1\n";
    write_in(folder, "f.csv", table, strlen(table), csv);
    write_in(folder, "f.AT2", record, strlen(record), at2);
    const struct {
        const char *force;
        double impulse;
    } form[] = {
        {"4", 4},
        {"\"$a\"", 2},
        {"\"$a*3 + 1\"", 7},
        {"\"4*t\"", 2},
        {"\"$a*t^2\"", 2. / 3},
        {"\"sin($tilt*pi/180)*8*step(t-0.5)\"", 2},
        {"{\"table\": {\"time\": [0, 1], \"value\": [0, \"$a*2\"]}}", 2},
        {"{\"steps\": {\"time\": [0, 0.25, 0.75], \"value\": [1, 8, 2]}}", .25 + 4 + .5},
        {"{\"ramp\": {\"to\": 8, \"begin\": 0.5, \"end\": 1}}", 2},
        {"{\"ramp\": {\"from\": 2, \"to\": 4, \"end\": 0.5}}", 3.5},
        {"{\"sine\": {\"amplitude\": 2, \"frequency\": 0.5}}", 4 / 3.141592653589793},
        {"{\"file\": \"f.csv\", \"skip\": 1, \"scale\": 2}", 4},
        {"{\"file\": \"f.AT2\"}", .5 * 9.80665},
    };
    for (size_t k = 0; k < sizeof form / sizeof *form; k++) {
        char text[1000];
        (void)snprintf(text, sizeof text,
                       FREE "\"bodies\": [{" MASS "}], \"loads\": [{\"body\": \"m\", \"force\": [%s, 0, 0]}]}",
                       form[k].force);
        vs_scene *scene = need(f, folder, text);
        run(f, scene, STEPS);
        assert_close(state_of(scene, "m").velocity.x, form[k].impulse / 2, 1e-5);
        assert_int_equal(scene->records, strstr(form[k].force, "file") != NULL);
        vs_scene_destroy(scene);
    }
    (void)unlink(csv), (void)unlink(at2);
    remove_folder(folder);
}

// Accelerations are integrated exactly: the position does not depend on the step. Baseline: none, so that it moves on.
static void drives_follow_positions_velocities_and_accelerations(void **state) {
    fixture *f = *state;
    char folder[FOLDER_ROOM], csv[PATH_ROOM];
    make_folder(folder);
    const char *table = "0 0\n0.3 1.2\n0.55 -2\n0.8 0.4\n";
    write_in(folder, "a.csv", table, strlen(table), csv);
    // by hand: v = .18, .08, -.12 at the samples; after .8 s the last value holds
    const double x3 = .3 * .3 * 1.2 / 6, x55 = x3 + .25 * .18 + .25 * .25 * (2 * 1.2 - 2) / 6,
                 x8 = x55 + .25 * .08 + .25 * .25 * (-4 + .4) / 6, x1 = x8 - .2 * .12 + .2 * .2 * .4 / 2;
    const struct {
        const char *drive;
        double position, velocity; // at 1 s; of the velocity the mean over the last step
        double tolerance;          // m/s, of that: half a step of the acceleration
    } form[] = {
        {"\"position\": [\"3*t^2\", 0, 0]", 3, 6, .012},
        {"\"velocity\": [\"6*t\", 0, 0]", 3, 6, .012},
        {"\"velocity\": [{\"sine\": {\"amplitude\": 1, \"frequency\": 1}}, 0, 0]", 0, 0, .013},
        {"\"acceleration\": [6, 0, 0]", 3, 6, .012},
        {"\"acceleration\": [{\"sine\": {\"amplitude\": 1, \"frequency\": 1}}, 0, 0]", 1 / 6.283185307179586, 0, .013},
        {"\"acceleration\": [{\"file\": \"a.csv\", \"baseline\": \"none\"}, 0, 0]", x1, -.04, .001},
    };
    for (size_t k = 0; k < sizeof form / sizeof *form; k++) {
        char text[1000];
        (void)snprintf(text, sizeof text,
                       FREE "\"bodies\": [{\"name\": \"m\", \"motion\": \"kinematic\", \"drive\": {%s}}]}",
                       form[k].drive);
        for (int coarse = 1; coarse <= 64; coarse *= 64) {
            vs_scene *scene = need(f, folder, text);
            scene->options.step *= coarse;
            run(f, scene, STEPS / coarse);
            assert_close(state_of(scene, "m").pose.position.x, form[k].position, 1e-13);
            assert_close(state_of(scene, "m").velocity.x, form[k].velocity, coarse * form[k].tolerance);
            vs_scene_destroy(scene);
        }
    }
    (void)unlink(csv);
    remove_folder(folder);
}

// With the default correction a record ends still and where it began, and the scene tells what was removed.
static void a_record_of_accelerations_is_corrected_and_reported(void **state) {
    fixture *f = *state;
    char folder[FOLDER_ROOM], csv[PATH_ROOM];
    make_folder(folder);
    const char *table = "0 0\n0.25 1.2\n0.5 -2\n0.75 0.4\n";
    write_in(folder, "a.csv", table, strlen(table), csv);
    vs_scene *scene = need(f, folder,
                           FREE "\"bodies\": [{\"name\": \"m\", \"motion\": \"kinematic\", \"drive\": "
                                "{\"acceleration\": [{\"file\": \"a.csv\"}, 0, 0]}}]}");
    assert_int_equal(scene->records, 1);
    const vs_record *r = scene->record[0].record;
    assert_true(scene->record[0].integrated && r->removed[0] != 0 && r->removed[1] != 0);
    assert_string_equal(scene->record[0].path, csv);
    assert_int_equal(scene->files, 2);
    run(f, scene, 3 * STEPS / 4);
    assert_close(state_of(scene, "m").pose.position.x, 0, 1e-15);
    vs_scene_destroy(scene);
    (void)unlink(csv);
    remove_folder(folder);
}

static void gravity_may_change_with_time(void **state) {
    fixture *f = *state;
    char folder[FOLDER_ROOM];
    make_folder(folder);
    vs_scene *scene = need(
        f, folder, HEAD "\"gravity\": [\"6*t\", 0, {\"ramp\": {\"to\": -10, \"end\": 1}}], \"bodies\": [{" MASS "}]}");
    run(f, scene, STEPS);
    vs_vec3 v = state_of(scene, "m").velocity;
    assert_close(v.x, 3, 1e-13); // each step takes the mean
    assert_close(v.z, -5, 1e-13);
    assert_close(vs_world_get_gravity(scene->world).x, 6 * (1 - .5 / STEPS), 1e-13); // of the last step
    vs_scene_destroy(scene);
    // Tilted by 30 degrees after half a second, from 10 m/s^2 downwards.
    scene =
        need(f, folder,
             HEAD "\"gravity\": {\"magnitude\": 10, \"tilt_degrees\": \"$tilt*step(t-0.5)\", \"toward\": [0, 2, 0]}, "
                  "\"bodies\": [{" MASS "}]}");
    assert_close(vs_world_get_gravity(scene->world).z, -10, 1e-15); // before the first step
    run(f, scene, STEPS);
    v = state_of(scene, "m").velocity;
    assert_close(v.x, 0, 1e-15);
    assert_close(v.y, 2.5, 1e-12);
    assert_close(v.z, -5 - 5 * cos(3.141592653589793 / 6), 1e-12);
    vs_scene_destroy(scene);
    remove_folder(folder);
}

// The body's frame is turned by 90 degrees about z, and its centre of mass is at (0, 0, 1) in it.
static void loads_act_at_points_and_in_the_frame_of_the_body(void **state) {
    fixture *f = *state;
    char folder[FOLDER_ROOM];
    make_folder(folder);
#define TURNED "\"rotation\": {\"axis\": [0, 0, 1], \"angle\": \"pi/2\"}, \"centre\": [0, 0, 1], "
    const struct {
        const char *load;
        vs_vec3 velocity, spin; // after a step of 1/256 s, times 256
    } form[] = {
        {"\"force\": [2, 0, 0]", {1, 0, 0}, {0, 0, 0}},
        {"\"force\": [2, 0, 0], \"frame\": \"body\"", {0, 1, 0}, {0, 0, 0}},
        {"\"torque\": [2, 0, 0], \"frame\": \"body\"", {0, 0, 0}, {0, 2, 0}},
        {"\"force\": [2, 0, 0], \"point\": [0, 0, 0]", {1, 0, 0}, {0, -2, 0}},
        {"\"force\": [2, 0, 0], \"point\": [0, 0, 1]", {1, 0, 0}, {0, 0, 0}},
        {"\"force\": [0, 2, 0], \"point\": [0, 3, 1]", {0, 1, 0}, {0, 0, -6}},
        {"\"force\": [2, 0, 0], \"point\": [0, 3, 1], \"frame\": \"body\"", {0, 1, 0}, {0, 0, -6}},
    };
    for (size_t k = 0; k < sizeof form / sizeof *form; k++) {
        char text[1000];
        (void)snprintf(text, sizeof text, FREE "\"bodies\": [{" TURNED MASS "}], \"loads\": [{\"body\": \"m\", %s}]}",
                       form[k].load);
        vs_scene *scene = need(f, folder, text);
        run(f, scene, 1);
        const vs_body_state s = state_of(scene, "m");
        assert_close(vs_length(vs_subtract(vs_scale(STEPS, s.velocity), form[k].velocity)), 0, 1e-13);
        assert_close(vs_length(vs_subtract(vs_scale(STEPS, s.spin), form[k].spin)), 0, 1e-13);
        vs_scene_destroy(scene);
    }
    remove_folder(folder);
}

// A free block of 0.5 x 0.4 x 0.3 m, 1000 kg/m^3, with 600 Pa on its top: 120 N downwards on 60 kg.
static void pressure_acts_against_the_faces(void **state) {
    fixture *f = *state;
    char folder[FOLDER_ROOM];
    make_folder(folder);
    vs_scene *scene =
        need(f, folder,
             FREE "\"flexible\": [{\"name\": \"b\", \"mesh\": {\"kind\": \"box\", \"size\": [0.5, 0.4, 0.3], "
                  "\"cells\": [2, 2, 2]}, \"elastic\": {\"material\": \"rubber\", \"density\": 1000}, \"load\": "
                  "[{\"set\": \"+z\", \"pressure\": \"300*$a\"}]}]}");
    run(f, scene, 1);
    assert_close(STEPS * vs_world_get_energy(scene->world).momentum.z, -120, 1e-9);
    assert_close(vs_world_get_energy(scene->world).momentum.x, 0, 1e-12);
    vs_scene_destroy(scene);
    remove_folder(folder);
}

static void mistakes_have_their_place(void **state) {
    fixture *f = *state;
    char folder[FOLDER_ROOM], path[PATH_ROOM], csv[PATH_ROOM];
    make_folder(folder);
    write_in(folder, "bad.csv", "0 1\n1 x\n", 8, csv);
#define LOAD(signal) FREE "\"bodies\": [{" MASS "}],\n\"loads\": [{\"body\": \"m\", \"force\": [" signal ", 0, 0]}]}"
#define DRIVE(what) FREE "\"bodies\": [\n{\"motion\": \"kinematic\", \"drive\": {" what "}}]}"
    const struct {
        const char *text, *message;
    } bad[] = {
        {LOAD("\"2*(t\""),
         "s.json:2: loads[0].force[0]: must be a number or an expression, is \"2*(t\": column 5: expected ')'"},
        {LOAD("\"$b*t\""),
         "s.json:2: loads[0].force[0]: must be a number or an expression, is \"$b*t\": column 1: there is no "
         "parameter 'b'"},
        {LOAD("{\"table\": {}, \"sine\": {}}"),
         "s.json:2: loads[0].force[0]: must be a number, an expression, or have one of"},
        {LOAD("{\"ramp\": {\"to\": 1}}"), "s.json:2: loads[0].force[0].ramp.end: is missing"},
        {LOAD("{\"ramp\": {\"to\": 1, \"begin\": 2, \"end\": 1}}"),
         "s.json:2: loads[0].force[0].ramp.end: must be after"},
        {LOAD("{\"file\": \"none.csv\"}"), "s.json:2: loads[0].force[0].file: "},
        {LOAD("{\"file\": \"bad.csv\"}"), "s.json:2: loads[0].force[0].file: "},
        {LOAD("{\"file\": \"bad.csv\", \"colum\": 2}"),
         "s.json:2: loads[0].force[0].colum: unknown key; did you mean 'column'? Known here are: file"},
        {LOAD("{\"file\": \"bad.csv\", \"column\": 0}"),
         "s.json:2: loads[0].force[0].column: must be an integer from 1"},
        {LOAD("{\"file\": \"bad.csv\", \"baseline\": \"velocity\"}"),
         "s.json:2: loads[0].force[0].baseline: is for acceleration"},
        {DRIVE("\"velocity\": [1, 0, 0], \"position\": [1, 0, 0]"),
         "s.json:2: bodies[0].drive.velocity: give only one of"},
        {DRIVE("\"acceleration\": [\"t\", 0, 0]"),
         "s.json:2: bodies[0].drive.acceleration[0]: an expression of t is not integ"},
        {HEAD "\"output\": {\"duration\": \"2*t\"}}", "s.json:1: output.duration: must not depend on the time t"},
        {HEAD "\"gravity\": {\"tilt_degrees\": {\"sine\": {}}}}",
         "s.json:1: gravity.tilt_degrees: must be a number or an expr"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        vs_scene *scene = NULL;
        write_in(folder, "s.json", bad[k].text, strlen(bad[k].text), path);
        assert_int_equal(vs_scene_read(f->context, path, NULL, 0, &scene), VS_ERROR_DATA);
        const char *said = vs_context_get_error_text(f->context) + strlen(folder) + 1;
        if (strncmp(said, bad[k].message, strlen(bad[k].message)) != 0)
            fail_msg("said:    %s\nnot:     %s", said, bad[k].message);
    }
    // The record's own place follows that of the scene.
    vs_scene *scene = NULL;
    write_in(folder, "s.json", bad[6].text, strlen(bad[6].text), path);
    assert_int_equal(vs_scene_read(f->context, path, NULL, 0, &scene), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "bad.csv:2: expected a number, found 'x'"));
    (void)unlink(path), (void)unlink(csv);
    remove_folder(folder);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_form_of_a_load_gives_its_impulse),
        TEST(drives_follow_positions_velocities_and_accelerations),
        TEST(a_record_of_accelerations_is_corrected_and_reported),
        TEST(gravity_may_change_with_time),
        TEST(loads_act_at_points_and_in_the_frame_of_the_body),
        TEST(pressure_acts_against_the_faces),
        TEST(mistakes_have_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
