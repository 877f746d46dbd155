// MJCF of several files: includes, merged defaults, and what their errors and warnings say.
#include "imported.h"
#include "kit/folder.h"

enum { FILES_MOST = 4 };

// A model in a folder of its own; the first file is imported.
typedef struct model {
    char folder[FOLDER_ROOM], path[FILES_MOST][PATH_ROOM];
    int files;
} model;

static void add_file(model *m, const char *name, const char *text) {
    char folder[FOLDER_ROOM], path[PATH_ROOM];
    if (m->files == 0)
        make_folder(m->folder);
    memcpy(folder, m->folder, sizeof folder);
    write_in(folder, name, text, strlen(text), path);
    memcpy(m->path[m->files++], path, sizeof path);
}

static void remove_model(model *m) {
    for (int k = 0; k < m->files; k++)
        assert_int_equal(unlink(m->path[k]), 0);
    remove_folder(m->folder);
}

static vs_scene *import(fixture *f, const model *m) {
    vs_scene *scene = NULL;
    f->log[0] = 0;
    if (vs_scene_import(f->context, m->path[0], &scene) != VS_OK)
        fail_msg("%s", vs_context_get_error_text(f->context));
    return scene;
}

// The error has these words.
static void refuse(fixture *f, const model *m, vs_error error, const char *expected) {
    vs_scene *scene = NULL;
    assert_int_equal(vs_scene_import(f->context, m->path[0], &scene), error);
    if (!strstr(vs_context_get_error_text(f->context), expected))
        fail_msg("%s\n  instead of %s", vs_context_get_error_text(f->context), expected);
    assert_null(scene);
}

static void an_included_file_takes_the_place_of_its_element(void **state) {
    fixture *f = *state;
    model m = {0};
    // The body of the second file is within that of the first; a class of one file is used in the other.
    add_file(&m, "scene.xml",
             "<mujoco><include file='robot.xml'/><default><default class='big'><geom size='2'/></default></default>"
             "<worldbody><body name='a' pos='1 0 0'><freejoint/><geom class='big'/><include file='arm.xml'/></body>"
             "</worldbody></mujoco>");
    add_file(&m, "robot.xml",
             "<mujoco model='r'><default><geom density='500'/></default><option timestep='.004'/></mujoco>");
    add_file(&m, "arm.xml",
             "<anything><body name='b' pos='0 2 0'><joint axis='0 0 1'/><geom class='big'/></body></anything>");
    vs_scene *scene = import(f, &m);
    assert_string_equal(f->log, "");
    assert_int_equal(vs_world_get_body_count(scene->world), 2);
    assert_close(scene->options.step, .004, 0);
    vs_body_state b;
    double mass;
    const vs_body_id id = vs_world_find_body(scene->world, "b");
    must(vs_world_get_body_state(scene->world, id, &b), f->context);
    must(vs_world_get_body_mass(scene->world, id, &mass, NULL), f->context);
    assert_true(b.pose.position.x == 1 && b.pose.position.y == 2);
    assert_close(mass, 500 * 4. / 3 * 3.14159265358979323846 * 8, 1e-9); // both defaults apply
    assert_int_equal(scene->files, 3);
    vs_scene_destroy(scene);
    remove_model(&m);
}

static void wrong_includes_are_refused_with_file_and_line(void **state) {
    fixture *f = *state;
    model absent = {0}, twice = {0}, itself = {0}, inner = {0};
    add_file(&absent, "a.xml", "<mujoco>\n<include file='b.xml'/></mujoco>");
    refuse(f, &absent, VS_ERROR_IO, "a.xml:2: <include>: there is no file '");
    add_file(&twice, "a.xml", "<mujoco><include file='b.xml'/>\n<include file='b.xml'/></mujoco>");
    add_file(&twice, "b.xml", "<mujoco/>");
    refuse(f, &twice, VS_ERROR_DATA, "a.xml:2: <include>: '");
    refuse(f, &twice, VS_ERROR_DATA, "b.xml' is included more than once, or includes itself");
    add_file(&itself, "a.xml", "<mujoco><include file='a.xml'/></mujoco>");
    refuse(f, &itself, VS_ERROR_DATA, "is included more than once, or includes itself");
    add_file(&inner, "a.xml", "<mujoco><include file='b.xml'/></mujoco>");
    add_file(&inner, "b.xml", "<mujoco><worldbody>\n\n<geom size='x'/></worldbody></mujoco>");
    refuse(f, &inner, VS_ERROR_DATA, "b.xml:3: <geom>: size: 'x' is not a finite number");
    remove_model(&absent);
    remove_model(&twice);
    remove_model(&itself);
    remove_model(&inner);
}

// The arm is in degrees and has defaults of its own, the scene is in radians; the arm is attached twice.
static void a_body_of_another_model_is_attached_under_a_prefix(void **state) {
    fixture *f = *state;
    model m = {0};
    add_file(&m, "scene.xml",
             "<mujoco><compiler angle='radian'/><default><geom size='9'/></default><asset><model name='arm' "
             "file='arm.xml'/></asset><worldbody><frame pos='0 0 1'><attach model='arm' body='link' prefix='l_'/>"
             "</frame><attach model='arm' body='link' prefix='r_'/><body name='own' pos='0 5 0'><joint name='own' "
             "range='-1 1'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody></mujoco>");
    add_file(&m, "arm.xml",
             "<mujoco><default><geom size='.5' density='6'/><default class='hinge'><joint range='-90 90'/></default>"
             "</default><worldbody><body name='link' pos='1 0 0' euler='0 0 90'><joint name='j' class='hinge'/>"
             "<geom/></body></worldbody><actuator><motor name='u' joint='j'/></actuator></mujoco>");
    vs_scene *scene = import(f, &m);
    assert_string_equal(f->log, "");
    vs_world *world = scene->world;
    vs_body_state link;
    double mass;
    must(vs_world_get_body_state(world, vs_world_find_body(world, "l_link"), &link), f->context);
    assert_true(link.pose.position.x == 1 && link.pose.position.z == 1);
    assert_close(link.pose.rotation.z, sqrt(.5), 1e-14);
    must(vs_world_get_body_mass(world, vs_world_find_body(world, "r_link"), &mass, NULL), f->context);
    assert_close(mass, 6 * 4. / 3 * 3.14159265358979323846 / 8, 1e-12);
    const vs_joint_id own = vs_world_find_joint(world, "own"), right = vs_world_find_joint(world, "r_j");
    assert_close(world->joint[own.index].def.high, 1, 0);
    assert_close(world->joint[right.index].def.high, 3.14159265358979323846 / 2, 1e-14);
    assert_true(vs_world_find_control(world, "l_u") >= 0 && vs_world_find_control(world, "r_u") >= 0);
    vs_scene_destroy(scene);
    remove_model(&m);
    model itself = {0}, absent = {0};
    add_file(
        &itself, "a.xml",
        "<mujoco><asset><model name='m' file='a.xml'/></asset><worldbody><attach model='m'/></worldbody></mujoco>");
    refuse(f, &itself, VS_ERROR_DATA, "models attach each other more than 8 deep");
    add_file(&absent, "a.xml", "<mujoco><worldbody><attach model='m'/></worldbody></mujoco>");
    refuse(f, &absent, VS_ERROR_DATA, "a.xml:1: <attach>: there is no <model> 'm' in <asset>");
    remove_model(&itself);
    remove_model(&absent);
}

static void a_flat_mesh_is_listed_and_has_no_contacts(void **state) {
    fixture *f = *state;
    model m = {0};
    add_file(&m, "a.xml",
             "<mujoco><asset><mesh file='flat.obj'/></asset><worldbody>\n<geom type='mesh' mesh='flat'/>"
             "</worldbody></mujoco>");
    add_file(&m, "flat.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n");
    vs_scene *scene = import(f, &m);
    assert_non_null(strstr(f->log, "a.xml:2: <geom>: the mesh is flat: without contacts and mass\n"));
    assert_int_equal(scene->world->colliders, 0);
    vs_scene_destroy(scene);
    remove_model(&m);
}

// The mass of a geom is that of its mesh, not of the hull: an L of two cubes and one more, 3 of the 3.5 m^3 of the hull.
static void a_closed_mesh_has_its_own_mass(void **state) {
    fixture *f = *state;
    model m = {0};
    double mass;
    add_file(&m, "a.xml",
             "<mujoco><asset><mesh file='l.obj' scale='-1 1 1'/></asset><worldbody><body name='a'><freejoint/>"
             "<geom type='mesh' mesh='l' density='1'/></body></worldbody></mujoco>");
    add_file(&m, "l.obj",
             "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 "
             "2 1\nf 1 4 3\nf 1 3 2\nf 1 6 4\nf 6 5 4\nf 7 9 10\nf 7 8 9\nf 7 10 12\nf 12 10 11\nf 1 2 8\nf 1 8 7\nf 2 "
             "3 9\nf 2 9 8\nf 3 4 10\nf 3 10 9\nf 4 5 11\nf 4 11 10\nf 5 6 12\nf 5 12 11\nf 6 1 7\nf 6 7 12\n");
    vs_scene *scene = import(f, &m);
    must(vs_world_get_body_mass(scene->world, vs_world_find_body(scene->world, "a"), &mass, NULL), f->context);
    assert_close(mass, 3, 1e-12);
    vs_scene_destroy(scene);
    remove_model(&m);
}

// What has no meaning is one line; the same reason twice is one line with a count.
static void each_reason_is_said_once(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, "<mujoco><option cone='elliptic' impratio='10' integrator='implicitfast'/>"
                              "<worldbody><geom size='1' solref='.01 1' solimp='.9 .9 .01'/>"
                              "<geom size='1' pos='9 0 0' solref='.01 1'/></worldbody>\n<skin/><custom/>"
                              "\n<skin/></mujoco>");
    assert_string_equal(f->log,
                        "r.xml: solref, solimp, cone, impratio, integrator: without meaning, since contacts and "
                        "limits are rigid and solved to tolerance; ignored\n"
                        "r.xml:2: <skin>: not supported, ignored (and 1 more)\n");
    assert_int_equal(scene->ignored, 3);
    vs_scene_destroy(scene);
}

// A range of the defaults of one kind of actuator applies to all kinds, as MuJoCo has one entry for them.
static void actuators_share_their_defaults(void **state) {
    fixture *f = *state;
    vs_scene *scene =
        need(f, "<mujoco><default><general ctrlrange='-3 3' forcerange='-7 7'/></default><worldbody><body>"
                "<joint name='j'/><geom size='1'/></body></worldbody><actuator><position joint='j' kp='5'/></actuator>"
                "</mujoco>");
    vs_control_def def;
    must(vs_world_get_control_def(scene->world, 0, &def), f->context);
    assert_true(def.limited && def.low == -3 && def.high == 3);
    assert_true(scene->world->joint[0].def.motor_limit == 7);
    vs_scene_destroy(scene);
}

static void every_failed_allocation_is_an_error_without_a_leak(void **state) {
    fixture *f = *state;
    model m = {0};
    add_file(&m, "a.xml", "<mujoco><default/><include file='b.xml'/><skin/><option cone='elliptic'/></mujoco>");
    add_file(&m, "b.xml", "<mujoco><default><geom size='1'/></default><worldbody><geom/></worldbody></mujoco>");
    const int live = f->m.alive;
    vs_error error = VS_ERROR_MEMORY;
    int failures = 0;
    for (int at = 0; error != VS_OK; at++) {
        vs_scene *scene = NULL;
        refuse_calls_from(&f->m, at);
        error = vs_scene_import(f->context, m.path[0], &scene);
        refuse_none(&f->m);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        failures += error != VS_OK;
        vs_scene_destroy(scene);
        assert_int_equal(f->m.alive, live);
    }
    assert_true(failures > 5);
    remove_model(&m);
}

#define test(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        test(an_included_file_takes_the_place_of_its_element),
        test(wrong_includes_are_refused_with_file_and_line),
        test(a_body_of_another_model_is_attached_under_a_prefix),
        test(a_flat_mesh_is_listed_and_has_no_contacts),
        test(a_closed_mesh_has_its_own_mass),
        test(each_reason_is_said_once),
        test(actuators_share_their_defaults),
        test(every_failed_allocation_is_an_error_without_a_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
