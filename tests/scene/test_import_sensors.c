// Sensors of MJCF against the values that MuJoCo 2.2.2 has for the same files and states.
#include "imported.h"

#include "voussoir/sensor.h"

// A free trunk with a hinge, a slide and a ball behind it, all in motion above a floor.
static const char moving[] =
    "<mujoco><compiler angle='radian'/><option timestep='0.00001'/><worldbody><geom type='plane' size='9 9 1'/>"
    "<body name='trunk' pos='0 0 2'><freejoint/><inertial pos='.1 0 0' mass='3' diaginertia='.2 .3 .4' "
    "quat='.8 .6 0 0'/><site name='imu' pos='.1 .2 .3' quat='.8 0 .6 0'/><body name='leg' pos='0 0 -.5'>"
    "<joint name='hip' axis='0 1 0' ref='.1' damping='1'/><inertial pos='0 0 -.1' mass='1' diaginertia='.1 .1 .1'/>"
    "<body name='foot' pos='.3 0 -.2' euler='.2 .3 0'><joint name='toe' type='slide' axis='1 0 0'/><inertial "
    "pos='0 0 0' mass='.5' diaginertia='.1 .1 .1'/><site name='s' pos='0 .1 0' euler='.4 0 .1'/><site name='down' "
    "pos='0 0 -.3' zaxis='.1 .2 -1'/><body name='tip' pos='0 0 .2'><joint name='b' type='ball'/><inertial "
    "pos='0 0 .1' mass='.2' diaginertia='.1 .1 .1'/></body></body></body></body></worldbody>"
    "<actuator><motor name='m' joint='hip' gear='3'/><motor name='t' site='imu' gear='0 0 1 0 0 .1'/></actuator>"
    "<sensor>%s</sensor><keyframe><key name='k' qpos='1 2 3 .8 0 0 .6 .4 .05 .6 0 .8 0' "
    "qvel='1 2 3 .4 .5 .6 -.7 .8 .1 .2 .3' ctrl='.5 .3'/></keyframe></mujoco>";

// An arm held by a servo, with a hand that is fixed to it, and a ball that lies on a floor.
static const char still[] =
    "<mujoco><compiler angle='radian'/><option timestep='0.001'/><worldbody><geom type='plane' size='9 9 1'/>"
    "<body name='arm' pos='0 0 1'><joint name='j' axis='0 1 0' damping='.1'/><geom type='capsule' size='.05' "
    "fromto='0 0 0 .6 0 0' density='1000' contype='0' conaffinity='0'/><site name='joint' euler='.1 .2 .3'/>"
    "<body name='hand' pos='.6 0 0' euler='0 0 .3'><geom type='box' size='.05 .1 .02' mass='.4' contype='0' "
    "conaffinity='0'/><site name='wrist' pos='.01 .02 .03' euler='0 .5 0'/></body></body>"
    "<body name='ball' pos='2 0 .1'><freejoint/><geom size='.1' mass='2'/><site name='pad' type='box' "
    "size='.05 .05 .03' pos='0 0 -.1'/><site name='side' size='.03' pos='.1 0 0'/></body></worldbody>"
    "<actuator><general name='p' joint='j' gainprm='2000' biastype='affine' biasprm='0 -2000 -100'/></actuator>"
    "<sensor>%s</sensor><keyframe><key name='k' qpos='.3 2 0 .1 1 0 0 0' ctrl='.3'/></keyframe></mujoco>";

typedef struct expected {
    const char *element;
    int count;
    double value[4];
} expected;

static vs_scene *open_robot(fixture *f, const char *model, const expected *e, int count) {
    char text[8000], sensors[4000] = "";
    for (int k = 0; k < count; k++) {
        const size_t used = strlen(sensors);
        (void)snprintf(sensors + used, sizeof sensors - used, "<%s/>", e[k].element);
    }
    (void)snprintf(text, sizeof text, model, sensors);
    vs_scene *scene = need(f, text);
    assert_int_equal(scene->ignored, 0);
    assert_int_equal(vs_world_get_sensor_count(scene->world), count);
    must(vs_scene_set_keyframe(scene, "k"), f->context);
    return scene;
}

static void check_values(fixture *f, const vs_scene *scene, const expected *e, int count, double tolerance) {
    double value[200];
    int at = 0;
    assert_true(vs_world_get_sensor_size(scene->world) <= 200);
    must(vs_world_get_sensors(scene->world, value), f->context);
    for (int k = 0; k < count; k++) {
        int offset, numbers;
        must(vs_world_get_sensor_place(scene->world, k, &offset, &numbers), f->context);
        assert_true(offset == at && numbers == e[k].count);
        for (int i = 0; i < numbers; i++)
            if (fabs(value[at + i] - e[k].value[i]) > tolerance)
                fail_msg("%s, number %d: %.9g instead of %.9g", e[k].element, i, value[at + i], e[k].value[i]);
        at += numbers;
    }
    assert_int_equal(at, vs_world_get_sensor_size(scene->world));
}

#define ON_S "objtype='site' objname='s'"
#define TO_IMU " reftype='site' refname='imu'"

static const expected motions[] = {
    {"jointpos joint='hip'", 1, {.4}},
    {"jointvel joint='toe'", 1, {.8}},
    {"ballquat joint='b'", 4, {.6, 0, .8, 0}},
    {"ballangvel joint='b'", 3, {.1, .2, .3}},
    {"actuatorpos actuator='m'", 1, {1.2}},
    {"actuatorvel actuator='m'", 1, {-2.1}},
    {"actuatorfrc actuator='m'", 1, {.5}},
    {"actuatorfrc actuator='t'", 1, {.3}},
    {"gyro name='g' site='s'", 3, {.00736431689, .23687475, .709814145}},
    {"velocimeter site='s'", 3, {.892048449, 2.03084233, 2.98573793}},
    {"magnetometer site='s'", 3, {-.427798637, -.204793353, -.158265628}},
    {"rangefinder site='down'", 1, {2.42198343}},
    {"framepos " ON_S, 3, {.980017596, 2.29199675, 2.2113055}},
    {"framequat objtype='xbody' objname='tip'", 4, {.220162522, -.514206358, .785441895, .264955308}},
    {"framequat objtype='body' objname='trunk'", 4, {.64, .48, .36, .48}},
    {"framepos objtype='body' objname='trunk'", 3, {1.028, 2.096, 3}},
    {"framexaxis " ON_S, 3, {.102509067, .855597274, -.507390576}},
    {"frameyaxis " ON_S, 3, {-.733442655, .409586706, .542494795}},
    {"framezaxis " ON_S, 3, {.671977502, .316531255, .669517887}},
    {"framelinvel " ON_S, 3, {.608285383, 2.54011961, 2.64810936}},
    {"frameangvel " ON_S, 3, {.304, .328, .6}},
    {"framepos " ON_S TO_IMU, 3, {1.09406882, -.0990578021, -.137101523}},
    {"framequat " ON_S TO_IMU, 4, {.894945976, .248253509, -.329342242, .170222156}},
    {"framexaxis " ON_S " reftype='xbody' refname='leg'", 3, {.962052714, .141158532, -.233514119}},
    {"framelinvel " ON_S TO_IMU, 3, {.486559591, .0469686414, .75782356}},
    {"frameangvel " ON_S TO_IMU, 3, {0, -.7, 0}},
    {"subtreecom body='leg'", 3, {1.03380233, 2.10886248, 2.3271336}},
    {"subtreelinvel body='trunk'", 3, {.845286067, 2.06634722, 2.90883207}},
    {"subtreeangmom body='foot'", 3, {.0409763012, .0836621987, .0962927915}},
    {"clock", 1, {0}},
};

static void motions_are_those_of_mujoco(void **state) {
    fixture *f = *state;
    const int count = sizeof motions / sizeof *motions;
    vs_scene *scene = open_robot(f, moving, motions, count);
    check_values(f, scene, motions, count, 1e-8); // digits of the reference
    assert_int_equal(vs_world_find_sensor(scene->world, "g"), 8);
    vs_scene_destroy(scene);
}

// MuJoCo has the instant, here it is the mean over 10 us.
static const expected accelerations[] = {
    {"accelerometer site='s'", 3, {-.299952927, -.54836155, -1.80745844}},
    {"framelinacc " ON_S, 3, {-.843127475, -1.05335764, -1.35541581}},
    {"frameangacc " ON_S, 3, {-8.33297169, 2.4834853, -.791423527}},
    {"force site='s'", 3, {-.0426948818, -.425524706, -1.31745833}},
    {"torque site='s'", 3, {.307967326, .699334854, -.552631566}},
};

static void accelerations_and_forces_are_those_of_mujoco(void **state) {
    fixture *f = *state;
    const int count = sizeof accelerations / sizeof *accelerations;
    vs_scene *scene = open_robot(f, moving, accelerations, count);
    vs_simulation *simulation;
    must(vs_simulation_create(scene->world, &scene->options, &simulation), f->context);
    for (int k = 0; k < 3; k++) // the first velocities come from the file, not from a step
        must(vs_simulation_step(simulation, NULL), f->context);
    check_values(f, scene, accelerations, count, 3e-3); // steps of 10 us times rates of some 100 per second
    // They are part of a saved state, and a new start has none.
    char bytes[20000];
    double before[15], after[15];
    size_t size;
    must(vs_world_get_sensors(scene->world, before), f->context);
    must(vs_simulation_save(simulation, bytes, sizeof bytes, &size), f->context);
    must(vs_simulation_step(simulation, NULL), f->context);
    must(vs_simulation_restore(simulation, bytes, size), f->context);
    must(vs_world_get_sensors(scene->world, after), f->context);
    assert_memory_equal(before, after, sizeof before);
    must(vs_simulation_reset(simulation, 0), f->context);
    must(vs_world_get_sensors(scene->world, after), f->context);
    assert_true(after[5] == 9.81 && after[6] == 0 && after[9] == 0);
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
}

static const expected forces[] = {
    {"force site='wrist'", 3, {-2.79124606, .352054405, 2.73546689}},
    {"torque site='wrist'", 3, {-.0437527949, .0715308124, -.0538509732}},
    {"force site='joint'", 3, {-24.1103083, 12.963239, 48.0367089}},
    {"torque site='joint'", 3, {-5.29753694, -15.9895432, 1.65604644}},
    {"touch site='pad'", 1, {19.62}},
    {"touch site='side'", 1, {0}},
    {"accelerometer site='wrist'", 3, {-6.97811516, .880136013, 6.83866723}},
    {"actuatorfrc actuator='p'", 1, {-16.9254802}},
    {"jointactuatorfrc joint='j' cutoff='5'", 1, {-5}},
    {"jointpos joint='j'", 1, {.30846274}},
};

// In equilibrium.
static void forces_at_rest_are_those_of_mujoco(void **state) {
    fixture *f = *state;
    const int count = sizeof forces / sizeof *forces;
    vs_scene *scene = open_robot(f, still, forces, count);
    vs_simulation *simulation;
    must(vs_simulation_create(scene->world, &scene->options, &simulation), f->context);
    must(vs_simulation_run(simulation, 1.5), f->context);
    check_values(f, scene, forces, count, 1e-4); // of forces up to 50 N, solved to tolerance
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
}

static void what_is_not_measured_is_listed(void **state) {
    fixture *f = *state;
    vs_scene *scene =
        need(f, "<mujoco><worldbody><body name='a'><freejoint/><geom size='1'/><site name='s'/></body></worldbody>"
                "<sensor>\n<force site='s'/><user dim='3'/><framepos objtype='camera' objname='c'/></sensor></mujoco>");
    assert_int_equal(vs_world_get_sensor_count(scene->world), 0);
    assert_int_equal(scene->ignored, 3);
    assert_non_null(strstr(f->log, "r.xml:2: <force>: what it measures has no such quantity here, ignored\n"));
    assert_non_null(strstr(f->log, "<user>: this sensor is not supported, ignored\n"));
    vs_sensor_def def = vs_sensor_def_default();
    assert_int_equal(vs_world_get_sensor_def(scene->world, 0, &def), VS_ERROR_ARGUMENT);
    def.kind = VS_SENSOR_TOUCH;
    assert_int_equal(vs_world_add_sensor(scene->world, &def, NULL), VS_ERROR_ARGUMENT);
    def.kind = VS_SENSOR_JOINT_POSITION;
    assert_int_equal(vs_world_add_sensor(scene->world, &def, NULL), VS_ERROR_ARGUMENT);
    vs_scene_destroy(scene);
}

#define test(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        test(motions_are_those_of_mujoco),
        test(accelerations_and_forces_are_those_of_mujoco),
        test(forces_at_rest_are_those_of_mujoco),
        test(what_is_not_measured_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
