// Robots whose shapes overlap: links that do so in the position of the file get no contacts, and so does the ground where no
// position of the joints opens them; both are named, all others stay.
#include "imported.h"

static int count_overlaps(const vs_scene *scene) {
    vs_simulation *simulation;
    int count = -1;
    assert_int_equal(vs_simulation_create(scene->world, &scene->options, &simulation), VS_OK);
    assert_int_equal(vs_simulation_find_overlaps(simulation, 0, NULL, 0, &count), VS_OK);
    vs_simulation_destroy(simulation);
    return count;
}

// The base and the first link overlap by 3 cm, the neighbours of the short link by 1 cm; the arm falls on the floor.
static const char ARM[] =
    "<mujoco><compiler angle='radian'/><worldbody><geom type='plane' size='3 3 .1'/>"
    "<body name='base' pos='0 0 .05'><geom type='cylinder' size='.1 .05'/>"
    "<body name='turret' pos='0 0 .05'><joint axis='0 0 1' range='-3 3' damping='1'/>"
    "<geom type='capsule' fromto='0 0 .02 0 0 .2' size='.05'/>"
    "<body name='boom' pos='0 0 .25'><joint name='j' axis='0 1 0' range='-3 3' damping='.2'/>"
    "<geom type='capsule' fromto='0 0 0 .4 0 0' size='.04'/>"
    "<body name='wrist' pos='.4 0 0'><joint axis='1 0 0' range='-3 3' damping='.1'/>"
    "<geom type='capsule' fromto='0 0 0 .05 0 0' size='.03'/>"
    "<body name='hand' pos='.06 0 0'><joint axis='0 1 0' range='-2 2' damping='.1'/>"
    "<geom type='capsule' fromto='0 0 0 .05 0 0' size='.03'/></body></body></body></body></body></worldbody>"
    "<keyframe><key name='low' qpos='.3 .3 .2 .4'/></keyframe></mujoco>";

static void an_arm_that_overlaps_at_its_joints_meets_the_tolerance(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, ARM);
    assert_non_null(strstr(f->log, "r.xml: 'base' and 'turret' overlap by 0.03 m wherever their joints move: "));
    assert_non_null(strstr(f->log, "r.xml: 1 pair of bodies overlap in the position of the file and get no contacts: "
                                   "'boom' and 'hand' by 0.01 m\n"));
    assert_int_equal(count_overlaps(scene), 0);
    assert_int_equal(scene->ignored, 0);
    vs_simulation *simulation;
    assert_int_equal(vs_simulation_create(scene->world, &scene->options, &simulation), VS_OK);
    int most = 0;
    for (int k = 0; k < 400; k++) {
        vs_step_report report;
        assert_int_equal(vs_simulation_step(simulation, &report), VS_OK);
        most = report.contacts > most ? report.contacts : most;
    }
    assert_int_equal(vs_simulation_get_inaccurate_steps(simulation), 0);
    // The floor has stopped it.
    vs_body_state hand;
    assert_int_equal(vs_world_get_body_state(scene->world, vs_world_find_body(scene->world, "hand"), &hand), VS_OK);
    assert_true(most > 0 && hand.pose.position.z > .029 && hand.pose.position.z < .2);
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
}

// Three fingers on a palm that is fixed to the world, of which two cross, and a block that lies in the third one.
static const char *const HAND = "<mujoco><compiler angle='radian'/><worldbody><geom type='box' size='.1 .1 .01'/>"
                                "<body name='f' pos='-.05 0 .1'><joint axis='0 1 0' range='-1 1'/><geom type='capsule' "
                                "fromto='0 0 0 .1 0 .1' size='.01'/></body>"
                                "<body name='g' pos='.05 0 .1'><joint axis='0 1 0' range='-1 1'/><geom type='capsule' "
                                "fromto='0 0 0 -.1 0 .1' size='.01'/></body>"
                                "<body name='h' pos='.3 0 .1'><joint axis='0 1 0' range='-1 1'/><geom type='capsule' "
                                "fromto='0 0 0 0 0 .1' size='.01'/></body>"
                                "<body name='block' pos='.32 0 .15'><freejoint/><geom type='box' size='.015 .015 "
                                ".015'/></body></worldbody></mujoco>";

static void fingers_of_a_fixed_palm_that_overlap_do_not_collide(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, HAND);
    assert_string_equal(f->log, "r.xml: 1 pair of bodies overlap in the position of the file and get no contacts: "
                                "'f' and 'g' by 0.02 m\n");
    assert_int_equal(count_overlaps(scene), 1); // the block's
    vs_scene_destroy(scene);
}

// Folded, so that the last link lies in the first; the hinges open it.
#define FOLDED(more)                                                                                                   \
    "<mujoco><compiler angle='radian'/>" more "<worldbody><body name='a' pos='0 0 1'><freejoint/>"                     \
    "<geom type='capsule' fromto='0 0 0 .4 0 0' size='.04'/>"                                                          \
    "<body name='b' pos='.4 0 0'><joint axis='0 1 0' range='-3 3'/>"                                                   \
    "<geom type='capsule' fromto='0 0 0 0 0 .06' size='.03'/>"                                                         \
    "<body name='c' pos='0 0 .06'><joint axis='0 1 0' range='-3 3'/>"                                                  \
    "<geom type='capsule' fromto='-.1 0 0 -.3 0 0' size='.03'/></body></body></body>"                                  \
    "</worldbody></mujoco>"

static void bodies_that_overlap_in_the_file_do_not_collide(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, FOLDED(""));
    assert_string_equal(f->log, "r.xml: 1 pair of bodies overlap in the position of the file and get no contacts: "
                                "'a' and 'c' by 0.01 m\n");
    assert_int_equal(scene->ignored, 0);
    assert_int_equal(count_overlaps(scene), 0);
    vs_scene_destroy(scene);
    // unless the file asks for them
    scene = need(f, FOLDED("<custom><text name='self_collision' data='all'/></custom>"));
    assert_string_equal(f->log, "");
    assert_int_equal(count_overlaps(scene), 1);
    vs_scene_destroy(scene);
}

// Two boxes that lie flush, and a third one in both: as long as it collides with the first, that one hides the second
// (collide/seam.h), which shows only in another search.
#define FLUSH(more)                                                                                                    \
    "<mujoco><compiler angle='radian'/>" more "<worldbody><body name='p' pos='0 0 1'><freejoint/>"                     \
    "<geom type='box' size='.088 .026 .089' pos='.042 -.016 -.096' euler='-.63 .153 .195'/>"                           \
    "<body name='l'><joint axis='0 0 1' range='-1 1'/><geom type='sphere' size='.001' pos='0 0 -.6'/>"                 \
    "<body name='q'><joint axis='0 0 1' range='-3 3'/><geom type='box' size='.038 .049 .1' pos='-.038 0 .07'/>"        \
    "<body name='m'><joint axis='0 0 1' range='-1 1'/><geom type='sphere' size='.001' pos='0 0 -.7'/>"                 \
    "<body name='r'><joint axis='0 0 1' range='-3 3'/><geom type='box' size='.056 .043 .1' pos='.056 0 .07'/>"         \
    "</body></body></body></body></body></worldbody></mujoco>"

static void an_overlap_that_another_one_hides_is_found(void **state) {
    fixture *f = *state;
    // One search finds one of them.
    vs_scene *scene = need(f, FLUSH("<custom><text name='self_collision' data='all'/></custom>"));
    assert_int_equal(count_overlaps(scene), 1);
    vs_scene_destroy(scene);
    scene = need(f, FLUSH(""));
    assert_string_equal(f->log, "r.xml: 2 pairs of bodies overlap in the position of the file and get no contacts: "
                                "'p' and 'q' by 0.0402 m, 'p' and 'r' by 0.0332 m\n");
    assert_int_equal(count_overlaps(scene), 0);
    vs_scene_destroy(scene);
}

// Two free bodies, each with a turret, of which one lies within the other.
static void overlaps_of_separate_mechanisms_stay(void **state) {
    fixture *f = *state;
    vs_scene *scene =
        need(f, "<mujoco><worldbody><body name='one' pos='0 0 1'><freejoint/><geom type='sphere' size='.01'/>"
                "<body><joint axis='0 0 1'/><geom type='sphere' size='.1'/></body></body>"
                "<body name='two' pos='.17 0 1'><freejoint/><geom type='sphere' size='.01'/>"
                "<body><joint axis='0 0 1'/><geom type='sphere' size='.1'/></body></body></worldbody></mujoco>");
    assert_string_equal(f->log, "");
    assert_int_equal(count_overlaps(scene), 1);
    vs_scene_destroy(scene);
}

// The search moves the mechanism: afterwards it is where it was.
static void the_mechanism_is_left_in_its_place(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, ARM);
    double angle = 1;
    vs_body_state hand;
    assert_int_equal(scene->keyframes, 1);
    assert_int_equal(vs_world_get_joint_coordinate(scene->world, vs_world_find_joint(scene->world, "j"), &angle, NULL),
                     VS_OK);
    assert_int_equal(vs_world_get_body_state(scene->world, vs_world_find_body(scene->world, "hand"), &hand), VS_OK);
    assert_true(fabs(angle) < 1e-14);
    assert_true(fabs(hand.pose.position.x - .485) < 1e-14 && fabs(hand.pose.position.z - .35) < 1e-14);
    vs_scene_destroy(scene);
}

static void every_failed_allocation_is_an_error_without_a_leak(void **state) {
    fixture *f = *state;
    const int live = f->m.alive;
    vs_error error = VS_ERROR_MEMORY;
    int failures = 0;
    for (int at = 0; error != VS_OK; at++) {
        vs_scene *scene = NULL;
        refuse_calls_from(&f->m, at);
        error = vs_scene_import_text(f->context, ARM, strlen(ARM), "r.xml", &scene);
        refuse_none(&f->m);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        failures += error != VS_OK;
        vs_scene_destroy(scene);
        assert_int_equal(f->m.alive, live);
    }
    assert_true(failures > 10);
}

#define test(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        test(an_arm_that_overlaps_at_its_joints_meets_the_tolerance),
        test(bodies_that_overlap_in_the_file_do_not_collide),
        test(fingers_of_a_fixed_palm_that_overlap_do_not_collide),
        test(an_overlap_that_another_one_hides_is_found),
        test(overlaps_of_separate_mechanisms_stay),
        test(the_mechanism_is_left_in_its_place),
        test(every_failed_allocation_is_an_error_without_a_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
