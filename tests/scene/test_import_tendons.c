// Tendons and activations of MJCF: lengths are those of MuJoCo 2.2.2, and the laws those of the file.
#include "imported.h"

#define MODEL                                                                                                          \
    "<mujoco><compiler autolimits='true'/><worldbody><site name='s0' pos='0 0 1'/>"                                    \
    "<geom name='ball' type='sphere' size='0.1' pos='0.3 0.02 0.95' contype='0' conaffinity='0'/>"                     \
    "<geom name='bar' type='cylinder' size='0.08 0.3' pos='-0.3 0 0.9' euler='80 20 0' contype='0' conaffinity='0'/>"  \
    "<site name='above' pos='-0.3 0 1.2'/><site name='inside' pos='0.2 0.3 0.91'/>"                                    \
    "<geom name='ring' type='cylinder' size='0.05 0.3' pos='0.2 0.3 0.9' euler='0 90 0' contype='0' conaffinity='0'/>" \
    "<body name='a' pos='0.6 0 0.9'><joint name='ax' type='slide' axis='1 0 0'/><joint name='ay' type='slide' "        \
    "axis='0 1 0'/><joint name='az' type='slide' axis='0 0 1'/><geom size='0.05' mass='1'/><site name='sa' "           \
    "pos='0 0.02 0'/></body><body name='b' pos='-0.6 0.05 0.9'><joint name='bx' type='slide' axis='1 0 0'/>"           \
    "<joint name='by' type='slide' axis='0 1 0'/><joint name='bz' type='slide' axis='0 0 1'/>"                         \
    "<geom size='0.05' mass='1'/><site name='sb' pos='0 0.02 0'/></body></worldbody>"                                  \
    "<default><tendon limited='true' range='-9 9'/></default>"                                                         \
    "<tendon><spatial name='plain'><site site='s0'/><site site='sa'/><site site='sb'/></spatial>"                      \
    "<spatial name='ball'><site site='s0'/><geom geom='ball'/><site site='sa'/></spatial>"                             \
    "<spatial name='ball side'><site site='s0'/><geom geom='ball' sidesite='above'/><site site='sa'/></spatial>"       \
    "<spatial name='bar'><site site='s0'/><geom geom='bar'/><site site='sb'/></spatial>"                               \
    "<spatial name='bar side'><site site='s0'/><geom geom='bar' sidesite='above'/><site site='sb'/></spatial>"         \
    "<spatial name='ring'><site site='sa'/><geom geom='ring' sidesite='inside'/><site site='sb'/></spatial>"           \
    "<fixed name='sum'><joint joint='ax' coef='2'/><joint joint='by' coef='-0.5'/></fixed></tendon>"                   \
    "<sensor><tendonpos name='length' tendon='bar'/></sensor></mujoco>"

enum { TENDONS = 7 };
static const char *const tendon[TENDONS] = {"plain", "ball", "ball side", "bar", "bar side", "ring", "sum"};

// ten_length of mj_forward() at these qpos, printed with %.15g.
static const struct {
    double q[6], length[TENDONS];
} stored[] = {
    {{0, 0, 0, 0, 0, 0},
     {1.80964617713455, 0.635516304465783, 0.648649314765332, 0.614665351753049, 0.614665351753049, 1.2681088281374,
      0}},
    {{0.1, 0.05, 0.1, -0.1, 0.1, 0.2},
     {2.11061602142549, 0.710537170907656, 0.710537170907656, 0.727255113423068, 0.727255113423068, 1.45455490389856,
      0.15}},
    {{-0.05, -0.2, -0.1, 0.1, -0.2, -0.3},
     {1.6823375085453, 0.612290780593665, 0.612290780593665, 0.653375848956785, 0.755475994843608, 1.39396647438497,
      0}},
    {{0.3, 0.6, -0.4, -0.2, 0.5, -0.1},
     {2.92882353892294, 1.20183193500589, 1.20183193500589, 1.00446750454862, 1.00446750454862, 1.84014670445534,
      0.35}},
    {{-0.1, -0.02, 0.02, 0.05, 0.3, 0.25},
     {1.6431532928347, 0.533212137575487, 0.533212137575487, 0.679632253501848, 0.679632253501848, 1.16438899798911,
      -0.35}},
    {{-0.35, 0.5, -0.1, 0.4, 0.35, 0.05},
     {1.09542337137251, 0.610655385630881, 0.610655385630881, 0.467867502611583, 0.467867502611583, 0.531693834361652,
      -0.875}},
    {{0.1, -0.5, 0.5, -0.3, -0.6, 0.6},
     {2.54219782169374, 0.938296328459192, 0.938296328459192, 1.1579723658188, 1.1579723658188, 2.44644304172614, 0.5}},
};

// 1e-12 of lengths of 1 m: both compute them in double precision, MuJoCo a ring by Newton's method to 1e-13.
static void lengths_are_those_of_mujoco(void **state) {
    static const char *const joint[6] = {"ax", "ay", "az", "bx", "by", "bz"};
    fixture *f = *state;
    vs_scene *scene = need(f, MODEL);
    assert_int_equal(scene->ignored, 2); // bodies between the slides
    for (size_t k = 0; k < sizeof stored / sizeof *stored; k++) {
        for (int i = 0; i < 6; i++)
            must(vs_world_set_joint_coordinate(scene->world, vs_world_find_joint(scene->world, joint[i]),
                                               stored[k].q[i], 0),
                 f->context);
        for (int i = 0; i < TENDONS; i++) {
            double x;
            must(vs_world_get_joint_coordinate(scene->world, vs_world_find_joint(scene->world, tendon[i]), &x, NULL),
                 f->context);
            assert_close(x, stored[k].length[i], 1e-12);
        }
        double measured;
        must(vs_world_get_sensors(scene->world, &measured), f->context);
        assert_close(measured, stored[k].length[3], 1e-12);
    }
    vs_scene_destroy(scene);
}

// A tendon that is a spring: L = 2 x, force 8 (0.3 - L) - 0.5 L', effort of x twice that: the equilibrium is x = 0.15.
static void springs_and_limits_of_tendons_act(void **state) {
    fixture *f = *state;
    vs_scene *scene =
        need(f, "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='x' type='slide' axis='1 0 0'/>"
                "<geom size='.1' mass='1'/></body></worldbody><tendon><fixed name='t' stiffness='8' "
                "damping='2' springlength='.3'><joint joint='x' coef='2'/></fixed>"
                "<fixed name='stop' limited='true' range='-1 .12'><joint joint='x'/></fixed></tendon></mujoco>");
    vs_simulation *simulation;
    double x;
    must(vs_simulation_create(scene->world, &scene->options, &simulation), f->context);
    for (int k = 0; k < 1000; k++)
        must(vs_simulation_step(simulation, NULL), f->context);
    must(vs_world_get_joint_coordinate(scene->world, vs_world_find_joint(scene->world, "x"), &x, NULL), f->context);
    assert_close(x, .12, 1e-9); // the stop
    vs_vec3 force;
    must(vs_world_get_joint_reaction(scene->world, vs_world_find_joint(scene->world, "stop"), &force, NULL),
         f->context);
    assert_close(force.x, 2 * 8 * (.3 - .24), 1e-6); // it pulls with what the spring pushes
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
}

// filter: a = u + (a0 - u) exp(-t/0.05). integrator: a = u t up to 0.03, as mj_step() of MuJoCo 2.2.2 has it.
static void activations_follow_their_controls(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(
        f, "<mujoco><option timestep='0.002' gravity='0 0 0'/><worldbody><body><joint name='j' type='slide'/>"
           "<geom size='0.1' mass='2'/></body></worldbody><actuator><general name='filter' joint='j' "
           "dyntype='filterexact' dynprm='0.05' gainprm='3'/><general name='sum' joint='j' dyntype='integrator' "
           "gainprm='0.5' actlimited='true' actrange='-1 0.03'/></actuator><keyframe><key name='k' act='0.5 0.01'/>"
           "</keyframe></mujoco>");
    vs_simulation *simulation;
    double a[2], effort;
    assert_int_equal(scene->ignored, 0);
    must(vs_simulation_create(scene->world, &scene->options, &simulation), f->context);
    must(vs_world_set_control(scene->world, 0, 1), f->context);
    must(vs_world_set_control(scene->world, 1, 2), f->context);
    for (int k = 1; k <= 20; k++) {
        must(vs_simulation_step(simulation, NULL), f->context);
        for (int i = 0; i < 2; i++)
            must(vs_world_get_activation(scene->world, i, &a[i]), f->context);
        assert_close(a[0], 1 - exp(-.002 * k / .05), 1e-14);
        assert_close(a[1], fmin(2 * .002 * k, .03), 1e-15);
        must(vs_world_get_joint_effort(scene->world, vs_world_find_joint(scene->world, "j"), &effort), f->context);
        assert_close(effort, 3 * a[0] + .5 * a[1], 1e-14);
    }
    must(vs_scene_set_keyframe(scene, "k"), f->context);
    must(vs_world_get_activation(scene->world, 0, &a[0]), f->context);
    must(vs_world_get_activation(scene->world, 1, &a[1]), f->context);
    assert_true(a[0] == .5 && a[1] == .01);
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        test(lengths_are_those_of_mujoco),
        test(springs_and_limits_of_tendons_act),
        test(activations_follow_their_controls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
