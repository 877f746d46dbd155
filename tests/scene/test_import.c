// Robot descriptions: what is right becomes the world that one would make by hand, what is not understood is counted
// and listed with its line, what is wrong is refused with file and line, and nothing grows beyond the file.
#include "kit/folder.h"
#include "imported.h"

// Roundoff of a few products of numbers about 1.
static const double ROUND = 1e-14;
static const double PI = 3.14159265358979323846;

static void refuse(fixture *f, vs_error error, const char *text, const char *expected) {
    vs_scene *scene = NULL;
    const vs_error got = vs_scene_import_text(f->context, text, strlen(text), "r.xml", &scene);
    const char *said = vs_context_get_error_text(f->context);
    if (got != error || strncmp(said, expected, strlen(expected)) != 0)
        fail_msg("%s\n  said %d: %s\n  instead of %d: %s", text, got, said, error, expected);
    assert_null(scene);
}

static vs_body_id body(const vs_scene *scene, const char *name) {
    const vs_body_id id = vs_world_find_body(scene->world, name);
    if (id.index == 0)
        fail_msg("there is no body %s", name);
    return id;
}

static void check_place(const vs_scene *scene, const char *name, vs_vec3 position, vs_quat q) {
    vs_body_state state;
    assert_int_equal(vs_world_get_body_state(scene->world, body(scene, name), &state), VS_OK);
    const vs_quat p = state.pose.rotation;
    assert_close(vs_length(vs_subtract(state.pose.position, position)), 0, ROUND);
    // Both signs are the same rotation.
    assert_close(fabs(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z), 1, ROUND);
}

static void check_mass(const vs_scene *scene, const char *name, double mass, const double inertia[9]) {
    double m;
    vs_mat3 I;
    assert_int_equal(vs_world_get_body_mass(scene->world, body(scene, name), &m, &I), VS_OK);
    assert_close(m, mass, ROUND * fabs(mass));
    for (int k = 0; k < 9; k++)
        assert_close(I.a[k], inertia[k], ROUND * (fabs(inertia[0]) + fabs(inertia[4]) + fabs(inertia[8])));
}

static const vs_joint *joint(const vs_scene *scene, const char *name) {
    const vs_joint_id id = vs_world_find_joint(scene->world, name);
    if (id.generation == 0)
        fail_msg("there is no joint %s", name);
    return &scene->world->joint[id.index];
}

// z of frame A of a joint, in the world.
static vs_vec3 axis_of(const vs_scene *scene, const vs_joint *j) {
    const vs_pose a = vs_pose_multiply(scene->world->body[j->a].pose, j->def.frame_a);
    return vs_rotate(a.rotation, (vs_vec3){0, 0, 1});
}

static vs_vec3 origin_of(const vs_scene *scene, const vs_joint *j) {
    return vs_pose_multiply(scene->world->body[j->a].pose, j->def.frame_a).position;
}

static void check_vector(vs_vec3 v, double x, double y, double z) {
    assert_close(vs_length(vs_subtract(v, (vs_vec3){x, y, z})), 0, ROUND);
}

static const vs_collider *first_collider(const vs_scene *scene, const char *name) {
    const int index = name ? (int)body(scene, name).index : 0, at = scene->world->body[index].first_collider;
    assert_true(at >= 0);
    return &scene->world->collider[at];
}

// ---- URDF ------------------------------------------------------------------------------------------

#define LINK(name, x)                                                                                                  \
    "<link name='" name "'><inertial><origin xyz='" x "'/><mass value='2'/>"                                           \
    "<inertia ixx='1' iyy='2' izz='2.5' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
#define JOINT(name, type, parent, child, rest)                                                                         \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" rest "</joint>\n"

// An arm of two links, each half a metre of box along its x; the second one turned by 90 degrees about z.
static const char arm[] =
    "<robot name='arm'>\n"
    "<link name='base'/>\n"
    "<link name='upper'><inertial><origin xyz='0.25 0 0' rpy='0 0 1.5707963267948966'/><mass value='3'/>"
    "<inertia ixx='1' iyy='2' izz='2.5' ixy='0.1' ixz='0.2' iyz='0.3'/></inertial>\n"
    "<collision><origin xyz='0.25 0 0'/><geometry><box size='0.5 0.1 0.2'/></geometry></collision>"
    "<visual><geometry><sphere radius='1'/></geometry></visual></link>\n" LINK("lower", "0.25 0 0")
        JOINT("shoulder", "revolute", "base", "upper",
              "<origin xyz='0 0 1'/><axis xyz='0 0 2'/><limit lower='-1' upper='2' effort='3' velocity='4'/>"
              "<dynamics damping='0.5' friction='0.25'/>")
            JOINT("elbow", "continuous", "upper", "lower",
                  "<origin xyz='0.5 0 0' rpy='0 0 1.5707963267948966'/><axis xyz='0 1 0'/>") "</robot>";

static void an_arm_of_two_links_stands_where_its_origins_say(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, arm);
    assert_string_equal(scene->name, "arm");
    assert_int_equal(vs_world_get_body_count(scene->world), 2); // the base is the world
    check_place(scene, "upper", (vs_vec3){.25, 0, 1}, (vs_quat){1, 0, 0, 0});
    check_place(scene, "lower", (vs_vec3){.5, .25, 1}, (vs_quat){sqrt(.5), 0, 0, sqrt(.5)});
    // R I R' with x -> y, y -> -x
    const double upper[9] = {2, -.1, -.3, -.1, 1, .2, -.3, .2, 2.5};
    check_mass(scene, "upper", 3, upper);

    const vs_joint *shoulder = joint(scene, "shoulder"), *elbow = joint(scene, "elbow");
    assert_int_equal(shoulder->def.kind, VS_JOINT_REVOLUTE);
    check_vector(axis_of(scene, shoulder), 0, 0, 1);
    check_vector(origin_of(scene, shoulder), 0, 0, 1);
    assert_true(shoulder->def.limited && shoulder->def.low == -1 && shoulder->def.high == 2);
    assert_true(shoulder->def.damping == .5 && shoulder->def.friction == .25 && shoulder->def.motor_limit == 3);
    check_vector(axis_of(scene, elbow), -1, 0, 0); // y of the turned frame
    check_vector(origin_of(scene, elbow), .5, 0, 1);
    assert_false(elbow->def.limited);

    const vs_collider *box = first_collider(scene, "upper");
    check_vector(box->pose.position, 0, 0, 0);
    assert_true(box->shape->kind == VS_SHAPE_BOX && box->shape->half.x == .25 && box->shape->half.z == .1);
    // effort and velocity are one line; pictures are none.
    assert_int_equal(scene->ignored, 1);
    assert_string_equal(f->log, "r.xml:6: <limit>: velocity: not supported, ignored\n");
    vs_scene_destroy(scene);
}

// The imported arm and the same one made by hand move alike.
static void an_arm_swings_like_one_made_by_hand(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, "<robot name='p'><link name='base'/>" LINK("bob", "0.5 0 0")
                                  JOINT("pin", "continuous", "base", "bob", "<axis xyz='0 1 0'/>") "</robot>");
    vs_world *world;
    assert_int_equal(vs_world_create(f->context, NULL, &world), VS_OK);
    vs_body_def def = vs_body_def_default();
    vs_joint_def pin = vs_joint_def_default();
    vs_body_id bob;
    def.pose.position.x = .5;
    def.mass = 2;
    def.inertia = (vs_mat3){{1, 0, 0, 0, 2, 0, 0, 0, 2.5}};
    assert_int_equal(vs_world_add_body(world, &def, &bob), VS_OK);
    pin.kind = VS_JOINT_REVOLUTE;
    pin.b = bob;
    pin.frame_a.rotation = pin.frame_b.rotation = (vs_quat){sqrt(.5), -sqrt(.5), 0, 0}; // z to y
    pin.frame_b.position.x = -.5;
    assert_int_equal(vs_world_add_joint(world, &pin, NULL), VS_OK);

    vs_world *const both[2] = {scene->world, world};
    for (int k = 0; k < 2; k++) {
        vs_simulation *simulation;
        assert_int_equal(vs_simulation_create(both[k], &scene->options, &simulation), VS_OK);
        assert_int_equal(vs_simulation_run(simulation, .25), VS_OK);
        vs_simulation_destroy(simulation);
    }
    vs_body_state x, y;
    assert_int_equal(vs_world_get_body_state(scene->world, body(scene, "bob"), &x), VS_OK);
    assert_int_equal(vs_world_get_body_state(world, bob, &y), VS_OK);
    // Frames differ by roundoff, and so do the steps: the tolerance of 60 solutions.
    assert_close(vs_length(vs_subtract(x.pose.position, y.pose.position)), 0, 1e-8);
    assert_true(x.pose.position.z < -.05);
    vs_world_destroy(world);
    vs_scene_destroy(scene);
}

static void sliders_floats_planes_and_fixed_links(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(
        f, "<robot name='r'>" LINK("world", "0 0 0") LINK("slide", "0 0 0") LINK("free", "0 0 0") LINK("flat", "0 0 0")
               LINK("stuck", "0 0 0") "<link name='mark'><collision><geometry><sphere radius='0.5'/></geometry>"
                                      "</collision></link>" JOINT("s", "prismatic", "world", "slide",
                                                                  "<axis xyz='1 0 0'/><limit lower='0' upper='3'/>")
                                          JOINT("f", "floating", "world", "free", "<origin xyz='0 0 5'/>")
                                              JOINT("p", "planar", "world", "flat", "<axis xyz='0 1 0'/>")
                                                  JOINT("x", "fixed", "slide", "stuck", "<origin xyz='1 2 3'/>")
                                                      JOINT("m", "fixed", "stuck", "mark",
                                                            "<origin xyz='0 0 1'/>") "</robot>");
    // A root called world does not move; a mark without mass is a part of its parent.
    assert_int_equal(vs_world_get_body_count(scene->world), 4);
    assert_int_equal(vs_world_get_joint_count(scene->world), 3);
    assert_int_equal(joint(scene, "s")->def.kind, VS_JOINT_PRISMATIC);
    check_vector(axis_of(scene, joint(scene, "s")), 1, 0, 0);
    assert_int_equal(joint(scene, "p")->def.kind, VS_JOINT_PLANAR);
    check_vector(axis_of(scene, joint(scene, "p")), 0, 1, 0);
    assert_int_equal(joint(scene, "x")->def.kind, VS_JOINT_FIXED);
    check_place(scene, "free", (vs_vec3){0, 0, 5}, (vs_quat){1, 0, 0, 0});
    check_vector(first_collider(scene, "stuck")->pose.position, 0, 0, 1);
    assert_int_equal(scene->ignored, 0);
    vs_scene_destroy(scene);
}

static void a_root_with_mass_is_free_and_friction_is_of_its_link(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, "<robot><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
                              "</inertial><collision><geometry><sphere radius='1'/></geometry></collision></link>"
                              "<gazebo reference='a'><mu1>0.75</mu1></gazebo></robot>");
    assert_int_equal(vs_world_get_body_count(scene->world), 1);
    assert_close(scene->world->material[first_collider(scene, "a")->material].mu, .75, 0);
    assert_string_equal(scene->name, "r");
    vs_scene_destroy(scene);
}

static void a_mimic_is_a_gear_that_starts_at_its_offset(void **state) {
    fixture *f = *state;
    vs_scene *scene =
        need(f, "<robot><link name='base'/>" LINK("a", "0 0 0") LINK("b", "1 0 0")
                    JOINT("j", "revolute", "base", "a", "<axis xyz='0 0 1'/><limit lower='-1' upper='1'/>")
                        JOINT("k", "revolute", "base", "b",
                              "<axis xyz='0 0 1'/><limit lower='-1' upper='3'/>"
                              "<mimic joint='j' multiplier='-2' offset='0.5'/>") "</robot>");
    assert_int_equal(vs_world_get_joint_count(scene->world), 3);
    check_place(scene, "b", (vs_vec3){cos(.5), sin(.5), 0}, (vs_quat){cos(.25), 0, 0, sin(.25)});
    const vs_joint *k = joint(scene, "k"), *gear = &scene->world->joint[2];
    assert_true(k->def.low == -1.5 && k->def.high == 2.5);
    assert_int_equal(gear->def.kind, VS_JOINT_GEAR);
    assert_true(gear->def.ratio == -2);
    double angle;
    assert_int_equal(vs_world_get_joint_coordinate(scene->world, vs_world_find_joint(scene->world, "k"), &angle, NULL),
                     VS_OK);
    assert_close(angle, 0, ROUND);
    vs_scene_destroy(scene);
}

static void wrong_urdf_is_refused_with_its_line(void **state) {
    fixture *f = *state;
    refuse(f, VS_ERROR_DATA, "<robot>\n<link/></robot>", "r.xml:2: <link>: name is missing");
    refuse(f, VS_ERROR_DATA, "<robot/>", "r.xml:1: <robot>: every link has a parent");
    refuse(f, VS_ERROR_DATA,
           "<robot>\n<link name='disc'><inertial><mass value='1'/><inertia ixx='1' iyy='3' izz='1'/></inertial></link>"
           "</robot>",
           "r.xml:2: <link>: body \"disc\": the inertia (1, 3, 1, ...) is that of no body");
    refuse(f, VS_ERROR_DATA, "<robot><link name='a'/><link name='a'/></robot>",
           "r.xml:1: <link>: the name 'a' is already in use");
    refuse(f, VS_ERROR_DATA, "<robot><link name='a'/><link name='b'/></robot>", "r.xml:1: <link>: 'a' and 'b' both");
    refuse(f, VS_ERROR_DATA, "<robot><link name='a'/>\n" JOINT("j", "fixed", "a", "c", "") "</robot>",
           "r.xml:2: <child>: the child link 'c' does not exist");
    refuse(f, VS_ERROR_DATA,
           "<robot><link name='a'/><link name='b'/>\n" JOINT("j", "revolute", "a", "b", "") "</robot>",
           "r.xml:1: <link>: 'b' moves but has no mass");
    refuse(f, VS_ERROR_DATA,
           "<robot><link name='a'/>\n" LINK("b", "0 0 0") JOINT("j", "screw", "a", "b", "") "</robot>",
           "r.xml:3: <joint>: unknown type 'screw'");
    refuse(f, VS_ERROR_DATA, "<robot>" LINK("b", "0 0") "</robot>",
           "r.xml:1: <origin>: xyz: has 2 numbers, must have 3");
    refuse(f, VS_ERROR_DATA, "<robot>" LINK("b", "0 0 nan") "</robot>",
           "r.xml:1: <origin>: xyz: 'nan' is not a finite");
    refuse(f, VS_ERROR_DATA,
           "<robot><link name='r'/>\n" LINK("a", "0 0 0") LINK("b", "0 0 0") JOINT("j", "fixed", "a", "b", "")
               JOINT("k", "fixed", "b", "a", "") "</robot>",
           "r.xml:1: <link>: 2 links form a loop");
    refuse(f, VS_ERROR_UNSUPPORTED,
           "<robot><link name='a'><collision><geometry><mesh filename='a.stl'/></geometry></collision></link></robot>",
           "r.xml:1: <mesh>: 'a.stl': shape files need a description");
}

// ---- MJCF ------------------------------------------------------------------------------------------

#define M(text) "<mujoco>" text "</mujoco>"
#define W(text) M("<worldbody>" text "</worldbody>")

static void a_free_box_on_a_plane_comes_to_rest(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, M("<option timestep='0.01' gravity='0 0 -5'/><worldbody><geom type='plane' size='9 9 1' "
                                "friction='0.25'/>\n<body name='box' pos='0 0 0.5'><freejoint/><geom type='box' "
                                "size='0.5 1 0.5' density='100' friction='0.5 0.1 0.2'/></body></worldbody>"));
    const double inertia[9] = {200. / 12 * 5, 0, 0, 0, 200. / 12 * 2, 0, 0, 0, 200. / 12 * 5};
    check_mass(scene, "box", 200, inertia);
    check_place(scene, "box", (vs_vec3){0, 0, .5}, (vs_quat){1, 0, 0, 0});
    assert_true(scene->options.step == .01 && vs_world_get_gravity(scene->world).z == -5);
    // The larger friction holds.
    const int a = first_collider(scene, NULL)->material, b = first_collider(scene, "box")->material;
    assert_true(vs_world_get_material_pair(scene->world, a, b).mu == .5);
    vs_simulation *simulation;
    assert_int_equal(vs_simulation_create(scene->world, &scene->options, &simulation), VS_OK);
    assert_int_equal(vs_simulation_run(simulation, .1), VS_OK);
    vs_simulation_destroy(simulation);
    vs_body_state end;
    assert_int_equal(vs_world_get_body_state(scene->world, body(scene, "box"), &end), VS_OK);
    assert_close(end.pose.position.z, .5, 1e-6); // 25 mm of free fall otherwise
    assert_int_equal(scene->ignored, 0);
    vs_scene_destroy(scene);
}

static void nested_bodies_add_up_and_those_without_joints_are_parts(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(
        f, W("<body name='a' pos='1 0 0' euler='0 0 90'><joint name='h' axis='1 0 0' pos='0 0 1' range='-90 180' "
             "ref='90' springref='45' stiffness='2' damping='3' frictionloss='4'/><geom size='0.1' mass='1'/>\n"
             "<body pos='1 0 0'><geom size='0.1' mass='1'/><body name='b' pos='1 0 0'><joint name='s' type='slide' "
             "axis='1 0 0' range='0 2'/><inertial pos='0 0 0.5' mass='2' diaginertia='1 2 2.5' quat='1 0 0 1'/>"
             "</body></body></body>"));
    assert_int_equal(vs_world_get_body_count(scene->world), 2);
    // Two balls of 1 kg at (1, 0, 0) and (1, 1, 0): the centre between, m/4 d^2 more across.
    const double I = 2 * .4 * .01, inertia[9] = {I, 0, 0, 0, I + .5, 0, 0, 0, I + .5};
    check_place(scene, "a", (vs_vec3){1, .5, 0}, (vs_quat){sqrt(.5), 0, 0, sqrt(.5)});
    check_mass(scene, "a", 2, inertia);
    check_place(scene, "b", (vs_vec3){1, 2, .5}, (vs_quat){sqrt(.5), 0, 0, sqrt(.5)});
    const double turned[9] = {2, 0, 0, 0, 1, 0, 0, 0, 2.5};
    check_mass(scene, "b", 2, turned);
    const vs_joint *h = joint(scene, "h"), *s = joint(scene, "s");
    check_vector(axis_of(scene, h), 0, 1, 0);
    check_vector(origin_of(scene, h), 1, 0, 1);
    assert_true(h->def.limited && h->def.collide && !s->def.collide);
    assert_close(h->def.low, -PI, ROUND);
    assert_close(h->def.high, PI / 2, ROUND);
    assert_close(h->def.rest, -PI / 4, ROUND);
    assert_true(h->def.stiffness == 2 && h->def.damping == 3 && h->def.friction == 4);
    assert_true(s->def.kind == VS_JOINT_PRISMATIC && s->def.low == 0 && s->def.high == 2);
    assert_int_equal(s->a, (int)body(scene, "a").index);
    vs_scene_destroy(scene);
}

static void defaults_reach_down_classes(void **state) {
    fixture *f = *state;
    vs_scene *scene =
        need(f, M("<compiler angle='radian'/><default><geom size='0.5' density='10'/><joint damping='1'/>"
                  "<default class='heavy'><geom density='100'/><joint range='-1 1'/></default></default>"
                  "<worldbody><body name='a'><joint name='ja'/><geom/></body>\n<body name='b' pos='5 0 0' "
                  "childclass='heavy'><joint name='jb'/><geom/><geom class='main' pos='0 0 0'/></body></worldbody>"));
    const double volume = 4. / 3 * PI * .125;
    double mass;
    assert_int_equal(vs_world_get_body_mass(scene->world, body(scene, "a"), &mass, NULL), VS_OK);
    assert_close(mass, 10 * volume, ROUND * mass);
    assert_int_equal(vs_world_get_body_mass(scene->world, body(scene, "b"), &mass, NULL), VS_OK);
    assert_close(mass, 110 * volume, 2 * ROUND * mass);
    assert_true(joint(scene, "ja")->def.damping == 1 && !joint(scene, "ja")->def.limited);
    assert_true(joint(scene, "jb")->def.damping == 1 && joint(scene, "jb")->def.low == -1);
    vs_scene_destroy(scene);
}

static void rotations_in_all_spellings_are_the_same(void **state) {
    fixture *f = *state;
    const char *const spelling[] = {"quat='2 0 0 2'", "axisangle='0 0 3 90'", "euler='0 0 90'",
                                    "xyaxes='0 1 0 -2 1 0'"};
    char text[400];
    for (size_t k = 0; k < sizeof spelling / sizeof *spelling; k++) {
        (void)snprintf(text, sizeof text, W("<body name='a' %s><freejoint/><geom size='1'/></body>"), spelling[k]);
        vs_scene *scene = need(f, text);
        check_place(scene, "a", VS_ZERO3, (vs_quat){sqrt(.5), 0, 0, sqrt(.5)});
        vs_scene_destroy(scene);
    }
    // x by 90, then y by 90: about the turned y, or about the fixed one.
    vs_scene *scene = need(f, W("<body name='a' euler='90 90 0'><freejoint/><geom size='1'/></body>"));
    check_place(scene, "a", VS_ZERO3, (vs_quat){.5, .5, .5, .5});
    vs_scene_destroy(scene);
    scene = need(f, M("<compiler eulerseq='XYZ'/><worldbody><body name='a' euler='90 90 0'><freejoint/>"
                      "<geom size='1'/></body></worldbody>"));
    check_place(scene, "a", VS_ZERO3, (vs_quat){.5, .5, .5, -.5});
    vs_scene_destroy(scene);
}

static void shapes_have_their_sizes(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, M("<asset><mesh name='m' scale='2 1 -1' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
                                "<worldbody><body name='a'><freejoint/><geom type='capsule' fromto='0 0 0 2 0 0' "
                                "size='0.1'/></body><body name='b'><freejoint/><geom type='ellipsoid' size='1 2 3'/>"
                                "</body><body name='c'><freejoint/><geom type='mesh' mesh='m'/></body>"
                                "<body name='d'><freejoint/><geom type='cylinder' size='1 2'/></body></worldbody>"));
    const vs_shape *capsule = first_collider(scene, "a")->shape, *ellipsoid = first_collider(scene, "b")->shape;
    assert_true(capsule->kind == VS_SHAPE_CAPSULE && capsule->radius == .1 && capsule->half_length == 1);
    check_place(scene, "a", (vs_vec3){1, 0, 0}, (vs_quat){1, 0, 0, 0});
    assert_true(ellipsoid->kind == VS_SHAPE_ELLIPSOID && ellipsoid->half.z == 3);
    // The tetrahedron's centre, scaled.
    check_place(scene, "c", (vs_vec3){.5, .25, -.25}, (vs_quat){1, 0, 0, 0});
    assert_true(first_collider(scene, "d")->shape->half_length == 2);
    vs_scene_destroy(scene);
}

static void several_joints_of_a_body_become_one(void **state) {
    fixture *f = *state;
    const struct {
        const char *joints;
        int count;
        vs_joint_kind kind;
    } sum[] = {
        {"<joint type='ball'/>", 1, VS_JOINT_SPHERICAL},
        {"<joint type='slide'/><joint axis='0 0 -1'/>", 1, VS_JOINT_CYLINDRICAL},
        {"<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/><joint axis='0 1 0'/>", 1,
         VS_JOINT_PLANAR},
        {"<joint axis='1 0 0'/><joint axis='0 1 0'/>", 1, VS_JOINT_UNIVERSAL},
        {"<joint axis='1 0 0'/><joint axis='0 1 0'/><joint axis='0 0 1'/>", 1, VS_JOINT_SPHERICAL},
        {"<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide'/>"
         "<joint type='ball'/>",
         0, VS_JOINT_FIXED},
        {"<joint type='free'/>", 0, VS_JOINT_FIXED},
    };
    char text[600];
    for (size_t k = 0; k < sizeof sum / sizeof *sum; k++) {
        (void)snprintf(text, sizeof text, W("<body>%s<geom size='1'/></body>"), sum[k].joints);
        vs_scene *scene = need(f, text);
        assert_int_equal(vs_world_get_joint_count(scene->world), sum[k].count);
        if (sum[k].count > 0)
            assert_int_equal(scene->world->joint[0].def.kind, sum[k].kind);
        vs_scene_destroy(scene);
    }
}

// Hinges at two points, one with a limit: a chain with a light body between them, and no mass lost.
static void joints_that_are_no_single_joint_become_a_chain(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, W("<body name='a'><joint name='p' axis='0 1 0'/><joint name='q' axis='1 0 1' pos='1 0 0' "
                                "range='0 90'/><geom size='1' mass='2'/></body>"));
    assert_int_equal(vs_world_get_body_count(scene->world), 2);
    assert_int_equal(vs_world_get_joint_count(scene->world), 2);
    const double I = .4 * 2 * .999, inertia[9] = {I, 0, 0, 0, I, 0, 0, 0, I};
    check_mass(scene, "a", 2 * .999, inertia);
    double light;
    const vs_joint *p = joint(scene, "p"), *q = joint(scene, "q");
    assert_int_equal(vs_world_get_body_mass(scene->world, vs_world_get_body_at(scene->world, 1), &light, NULL), VS_OK);
    assert_close(light, .002, ROUND);
    assert_true(p->a == 0 && p->b == q->a && q->b == (int)body(scene, "a").index);
    check_vector(axis_of(scene, q), sqrt(.5), 0, sqrt(.5));
    check_vector(origin_of(scene, q), 1, 0, 0);
    assert_true(q->def.limited && !p->def.limited);
    assert_close(q->def.high, PI / 2, ROUND);
    assert_int_equal(scene->ignored, 1);
    vs_scene_destroy(scene);
}

// contype & conaffinity one way is enough in MJCF.
static void who_touches_whom_is_kept(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, W("<geom name='floor' type='plane' contype='0' conaffinity='1'/>"
                                "<body name='a'><freejoint/><geom size='1' contype='1' conaffinity='0'/></body>"
                                "<body name='b'><freejoint/><geom size='1' contype='1' conaffinity='0'/></body>"
                                "<body name='c'><freejoint/><geom size='1' contype='0' conaffinity='0'/></body>"));
    const vs_collider *p = first_collider(scene, NULL), *a = first_collider(scene, "a"),
                      *b = first_collider(scene, "b");
    assert_true((p->group & a->mask) && (a->group & p->mask));
    assert_false((a->group & b->mask) && (b->group & a->mask));
    assert_int_equal(scene->world->body[body(scene, "c").index].first_collider, -1);
    vs_scene_destroy(scene);
}

static void loops_gears_and_excludes(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, M("<worldbody><body name='a'><joint name='p'/><geom size='1'/></body><body name='b' "
                                "pos='1 0 0'><joint name='q'/><geom size='1'/></body></worldbody>"
                                "<equality><connect body1='a' body2='b' anchor='1 0 0'/><joint joint1='p' joint2='q' "
                                "polycoef='0 1 0 0 0'/></equality><contact><exclude body1='a' body2='b'/></contact>"));
    assert_int_equal(vs_world_get_joint_count(scene->world), 4);
    const vs_joint *loop = &scene->world->joint[2], *gear = &scene->world->joint[3];
    assert_true(loop->def.kind == VS_JOINT_SPHERICAL && gear->def.kind == VS_JOINT_GEAR);
    check_vector(origin_of(scene, loop), 1, 0, 0);
    const vs_pair *pair = vs_pair_find(scene->world, (int)body(scene, "a").index, (int)body(scene, "b").index);
    assert_true(pair && pair->ignored);
    vs_scene_destroy(scene);
}

// Sliding, spinning, rolling by condim, coupled; of two shapes the larger ones, each.
static void friction_against_rolling_and_spinning(void **state) {
    fixture *f = *state;
    vs_scene *scene =
        need(f, M("<worldbody><body name='a'><freejoint/><geom size='1' condim='6' friction='.4 .02 .003'/>"
                  "</body><body name='b' pos='3 0 0'><freejoint/><geom size='1' condim='4' friction='.6 .01'/>"
                  "</body><body name='c' pos='6 0 0'><freejoint/><geom size='1' friction='.3 .1 .1'/></body>"
                  "</worldbody>"));
    assert_int_equal(scene->ignored, 0);
    assert_int_equal(scene->world->colliders, 3);
    const vs_collider *c = scene->world->collider;
    const vs_material ab = vs_world_get_material_pair(scene->world, c[0].material, c[1].material);
    const vs_material bc = vs_world_get_material_pair(scene->world, c[1].material, c[2].material);
    assert_true(ab.mu == .6 && ab.spinning == .02 && ab.rolling == .003);
    assert_true(bc.mu == .6 && bc.spinning == .01 && bc.rolling == 0);
    assert_true(ab.coupling == VS_COUPLING_ELLIPTIC && bc.coupling == VS_COUPLING_ELLIPTIC); // as MuJoCo has it
    vs_scene_destroy(scene);
}

static void what_is_not_supported_is_listed_with_its_line(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, M("\n<extension/>\n<visual/><worldbody><light/>"
                                "<body name='a'>\n<joint name='j' armature='1' type='ball' range='0 3'/>"
                                "<geom size='1' rgba='1 1 1 1' condim='6'/>\n<composite/></body></worldbody>"));
    assert_int_equal(scene->ignored, 3);
    assert_non_null(strstr(f->log, "r.xml:2: <extension>: not supported, ignored\n"));
    assert_non_null(strstr(f->log, "r.xml:4: <joint>: range, stiffness"));
    assert_non_null(strstr(f->log, "r.xml:5: <composite>: not supported, ignored\n"));
    vs_scene_destroy(scene);
}

static void a_position_beside_fromto_is_named_as_ignored(void **state) {
    fixture *f = *state;
    vs_scene *scene = need(f, M("<worldbody><body name='a'><freejoint/>\n"
                                "<geom type='capsule' size='.1' fromto='0 0 0 2 0 0' pos='5 0 0' euler='0 0 1'/>"
                                "</body></worldbody>"));
    assert_int_equal(scene->ignored, 2);
    assert_non_null(strstr(f->log, "r.xml:2: <geom>: pos is ignored: fromto gives the place of the geom\n"));
    assert_non_null(strstr(f->log, "r.xml:2: <geom>: euler is ignored"));
    vs_scene_destroy(scene);
}

// A trunk that is free, with a hinge and a slide below it.
#define LEG                                                                                                            \
    "<body name='trunk' pos='0 0 1'><freejoint/><geom size='1' pos='0 0 .5'/><body name='leg'><joint name='hip' "      \
    "axis='0 1 0' ref='10' range='-90 90' armature='.25' actuatorfrcrange='-9 9'/><geom size='1'/><body name='foot' "  \
    "pos='0 0 -1'><joint name='toe' type='slide'/><geom size='1'/></body></body></body>"

static void actuators_are_controls(void **state) {
    fixture *f = *state;
    vs_scene *scene =
        need(f, M("<default><position kp='40' ctrlrange='-2 2'/></default><worldbody>" LEG "</worldbody><actuator>"
                  "<position name='p' joint='hip' kv='3' gear='2'/>\n"
                  "<general name='g' joint='toe' gainprm='50' biastype='affine' biasprm='0 0 -50' forcerange='-4 4'/>"
                  "\n<motor body='leg'/></actuator>"));
    vs_world *world = scene->world;
    assert_int_equal(scene->ignored, 2); // the body is an unknown attribute as well
    assert_non_null(
        strstr(f->log, "r.xml:3: <motor>: only actuators of joints, tendons and sites are supported, ignored\n"));
    assert_int_equal(vs_world_get_control_count(world), 2);
    assert_int_equal(vs_world_find_control(world, "p"), 0);
    must(vs_world_set_control(world, vs_world_find_control(world, "p"), 5), f->context); // limited to 2
    must(vs_world_set_control(world, vs_world_find_control(world, "g"), .5), f->context);
    const vs_joint_def hip = joint(scene, "hip")->def, toe = joint(scene, "toe")->def;
    assert_true(hip.motor == VS_MOTOR_POSITION && hip.armature == .25 && hip.motor_limit == 9);
    assert_true(hip.motor_stiffness == 160 && hip.motor_damping == 12);
    assert_close(hip.target.value, 2. / 2 - 10 * PI / 180, ROUND);
    assert_true(toe.motor == VS_MOTOR_SPEED && toe.target.value == .5 && toe.motor_damping == 50);
    assert_true(toe.motor_limit == 4);
    vs_scene_destroy(scene);
}

static void actuators_without_a_name_are_called_like_their_joint(void **state) {
    fixture *f = *state;
    vs_control_def def;
    vs_scene *scene = need(f, M("<worldbody>" LEG "</worldbody><actuator><motor joint='hip'/><motor joint='toe'/>"
                                "</actuator>"));
    assert_true(vs_world_find_control(scene->world, "hip") == 0 && vs_world_find_control(scene->world, "toe") == 1);
    vs_scene_destroy(scene);
    // a name of the file goes first
    scene = need(f, M("<worldbody>" LEG "</worldbody><actuator><motor joint='hip'/><motor name='hip' joint='toe'/>"
                      "</actuator>"));
    assert_int_equal(vs_world_find_control(scene->world, "hip"), 1);
    must(vs_world_get_control_def(scene->world, 0, &def), f->context);
    assert_null(def.name);
    vs_scene_destroy(scene);
    refuse(f, VS_ERROR_DATA,
           M("<worldbody>" LEG "</worldbody><actuator><motor name='a' joint='hip'/>\n<motor name='a' joint='toe'/>"
             "</actuator>"),
           "r.xml:2: <motor>: control: the name");
}

static void keyframes_place_the_mechanism(void **state) {
    fixture *f = *state;
    vs_scene *scene =
        need(f, M("<worldbody>" LEG "</worldbody><actuator><motor name='m' joint='toe'/></actuator><keyframe>"
                  "<key name='home' qpos='1 2 3 0 0 0 2 .3 -.6' qvel='0 0 1 0 0 1 2 3' ctrl='7'/><key/></keyframe>"));
    vs_world *world = scene->world;
    double x, v;
    assert_int_equal(scene->keyframes, 2);
    assert_string_equal(scene->keyframe[1].name, "1");
    check_place(scene, "trunk", (vs_vec3){0, 0, 1.5}, (vs_quat){1, 0, 0, 0}); // the file's state first
    must(vs_scene_set_keyframe(scene, "home"), f->context);
    check_place(scene, "trunk", (vs_vec3){1, 2, 3.5}, (vs_quat){0, 0, 0, 1});
    must(vs_world_get_joint_coordinate(world, vs_world_find_joint(world, "hip"), &x, &v), f->context);
    assert_close(x, .3 - 10 * PI / 180, 4 * ROUND);
    assert_close(v, 2, 4 * ROUND);
    must(vs_world_get_joint_coordinate(world, vs_world_find_joint(world, "toe"), &x, &v), f->context);
    assert_close(x, -.6, 4 * ROUND);
    assert_close(v, 3, 4 * ROUND);
    must(vs_world_get_control(world, 0, &v), f->context);
    assert_true(v == 7);
    must(vs_scene_set_keyframe(scene, "1"), f->context);
    check_place(scene, "trunk", (vs_vec3){0, 0, 1.5}, (vs_quat){1, 0, 0, 0});
    assert_int_equal(vs_scene_set_keyframe(scene, "away"), VS_ERROR_ARGUMENT);
    assert_string_equal(vs_context_get_error_text(f->context),
                        "there is no keyframe 'away'; the scene has 'home', '1'");
    vs_scene_destroy(scene);
    refuse(f, VS_ERROR_DATA, M("<worldbody>" LEG "</worldbody><keyframe>\n<key qpos='1 2'/></keyframe>"),
           "r.xml:2: <key>: qpos: has 2 numbers, must have 9");
}

static void wrong_mjcf_is_refused_with_its_line(void **state) {
    fixture *f = *state;
    refuse(f, VS_ERROR_DATA, W("\n<body><joint/></body>"), "r.xml:2: <body>: '' moves but has no mass");
    refuse(f, VS_ERROR_DATA,
           W("\n<body name='disc'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='3 1 1'/></body>"),
           "r.xml:2: <body>: body \"disc\": the inertia (3, 1, 1, ...) is that of no body");
    refuse(f, VS_ERROR_DATA, W("\n<geom/>"), "r.xml:2: <geom>: ");
    refuse(f, VS_ERROR_DATA, W("<geom class='x'/>"), "r.xml:1: <geom>: there is no default class 'x'");
    refuse(f, VS_ERROR_DATA, W("<geom size='1 2 x'/>"), "r.xml:1: <geom>: size: 'x' is not a finite number");
    refuse(f, VS_ERROR_DATA, W("<geom size='1' quat='0 0 0 0'/>"), "r.xml:1: <geom>: the rotation has no direction");
    refuse(f, VS_ERROR_DATA, W("<geom type='mesh' mesh='m'/>"), "r.xml:1: <geom>: there is no mesh 'm'");
    refuse(f, VS_ERROR_DATA, W("<body name='a'/><body name='a'/>"), "r.xml:1: <body>: the name 'a' is already in use");
    refuse(f, VS_ERROR_DATA, W("<body><freejoint/><geom type='plane'/><geom size='1'/></body>"),
           "r.xml:1: <geom>: collider: planes");
    refuse(f, VS_ERROR_DATA, M("<option timestep='0'/>"), "r.xml:1: <option>: timestep must be positive");
    refuse(f, VS_ERROR_DATA, M("<contact><exclude body1='a' body2='b'/></contact>"),
           "r.xml:1: <exclude>: there is no body 'a'");
    refuse(f, VS_ERROR_UNSUPPORTED, M("<include file='/etc/passwd'/>"),
           "r.xml:1: <include>: '/etc/passwd': other files need");
}

// ---- the file itself -------------------------------------------------------------------------------

static void broken_files_are_refused_with_their_line(void **state) {
    fixture *f = *state;
    refuse(f, VS_ERROR_DATA, "", "r.xml:1: ");
    refuse(f, VS_ERROR_DATA, "<robot>\n<link></robot>\n\n", "r.xml:2: Opening and ending tag mismatch: link");
    refuse(f, VS_ERROR_DATA, "<sdf/>", "r.xml:1: <sdf>: the root must be <robot> (URDF) or <mujoco> (MJCF)");
    refuse(f, VS_ERROR_DATA, "<robot name='&x;'/>", "r.xml:1: ");
}

static void entities_are_refused_before_they_grow(void **state) {
    fixture *f = *state;
    refuse(f, VS_ERROR_UNSUPPORTED,
           "<!DOCTYPE robot [<!ENTITY a 'lol'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
           "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;'>"
           "<!ENTITY e '&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;'><!ENTITY f '&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;'>]>"
           "<robot name='&f;'>&f;</robot>",
           "r.xml:1: entities are not supported");
    refuse(f, VS_ERROR_UNSUPPORTED, "<!DOCTYPE robot [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><robot name='&x;'/>",
           "r.xml:1: entities are not supported");
}

static void deep_nesting_is_refused(void **state) {
    fixture *f = *state;
    enum { DEEP = 240 };
    char *text = malloc(DEEP * 20 + 100);
    strcpy(text, "<mujoco><worldbody>");
    for (int k = 0; k < DEEP; k++)
        strcat(text, "<body>");
    for (int k = 0; k < DEEP; k++)
        strcat(text, "</body>");
    strcat(text, "</worldbody></mujoco>");
    refuse(f, VS_ERROR_DATA, text, "r.xml:1: <body>: nests deeper than 200 bodies");
    for (int k = 0; k < 400; k++)
        memcpy(text + 8 + 3 * k, "<a>", 4);
    refuse(f, VS_ERROR_DATA, text, "r.xml:1: ");
    free(text);
}

static void meshes_are_found_beside_the_file_and_in_its_package(void **state) {
    fixture *f = *state;
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    static const char urdf[] =
        "<robot><link name='a'><collision><geometry><mesh filename='package://p/t.obj' scale='2 2 2'/>"
        "</geometry></collision>\n<collision><geometry><mesh filename='t.dae'/></geometry></collision></link>"
        "</robot>";
    char folder[FOLDER_ROOM], path[PATH_ROOM], shape[PATH_ROOM];
    make_folder(folder);
    write_in(folder, "t.obj", obj, strlen(obj), shape);
    write_in(folder, "r.urdf", urdf, strlen(urdf), path);
    vs_scene *scene = NULL;
    f->log[0] = 0;
    if (vs_scene_import(f->context, path, &scene) != VS_OK)
        fail_msg("%s", vs_context_get_error_text(f->context));
    const vs_shape *hull = first_collider(scene, NULL)->shape;
    assert_true(hull->kind == VS_SHAPE_HULL && hull->bounds.high.x == 2);
    // A format that nobody reads here is left out, and said.
    assert_int_equal(scene->ignored, 1);
    assert_non_null(strstr(f->log, "r.urdf:2: <mesh>: the shape is ignored"));
    vs_scene_destroy(scene);
    (void)unlink(path);
    (void)unlink(shape);
    remove_folder(folder);
    assert_int_equal(vs_scene_import(f->context, path, &scene), VS_ERROR_IO);
}

static void null_arguments_are_refused(void **state) {
    fixture *f = *state;
    vs_scene *scene = NULL;
    assert_int_equal(vs_scene_import(NULL, "a", &scene), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_scene_import(f->context, NULL, &scene), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_scene_import(f->context, "a", NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_scene_import_text(f->context, NULL, 0, "a", &scene), VS_ERROR_ARGUMENT);
}

static void every_failed_allocation_is_an_error_without_a_leak(void **state) {
    fixture *f = *state;
    const char *const text[2] = {
        arm, M("<default><default class='c'><geom size='1'/></default></default><asset><mesh name='m' vertex='0 0 0 1 "
               "0 0 0 1 0 0 0 1'/></asset><worldbody><body name='a'><joint name='p'/><geom class='c'/></body>"
               "<body name='b' pos='1 0 0'><joint name='q'/><geom type='mesh' mesh='m'/></body></worldbody>"
               "<equality><joint joint1='p' joint2='q'/></equality><contact><exclude body1='a' body2='b'/></contact>"
               "<actuator><position name='u' joint='p'/></actuator><keyframe><key qpos='1 1'/></keyframe>")};
    for (int k = 0; k < 2; k++) {
        vs_error error = VS_ERROR_MEMORY;
        const int live = f->m.alive;
        int failures = 0;
        for (int at = 0; error != VS_OK; at++) {
            vs_scene *scene = NULL;
            refuse_calls_from(&f->m, at);
            error = vs_scene_import_text(f->context, text[k], strlen(text[k]), "r.xml", &scene);
            refuse_none(&f->m);
            assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
            failures += error != VS_OK;
            vs_scene_destroy(scene);
            assert_int_equal(f->m.alive, live);
        }
        assert_true(failures > 10);
    }
}

#define test(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        test(an_arm_of_two_links_stands_where_its_origins_say),
        test(an_arm_swings_like_one_made_by_hand),
        test(sliders_floats_planes_and_fixed_links),
        test(a_root_with_mass_is_free_and_friction_is_of_its_link),
        test(a_mimic_is_a_gear_that_starts_at_its_offset),
        test(wrong_urdf_is_refused_with_its_line),
        test(a_free_box_on_a_plane_comes_to_rest),
        test(nested_bodies_add_up_and_those_without_joints_are_parts),
        test(defaults_reach_down_classes),
        test(rotations_in_all_spellings_are_the_same),
        test(shapes_have_their_sizes),
        test(several_joints_of_a_body_become_one),
        test(joints_that_are_no_single_joint_become_a_chain),
        test(who_touches_whom_is_kept),
        test(loops_gears_and_excludes),
        test(friction_against_rolling_and_spinning),
        test(what_is_not_supported_is_listed_with_its_line),
        test(a_position_beside_fromto_is_named_as_ignored),
        test(actuators_are_controls),
        test(actuators_without_a_name_are_called_like_their_joint),
        test(keyframes_place_the_mechanism),
        test(wrong_mjcf_is_refused_with_its_line),
        test(broken_files_are_refused_with_their_line),
        test(entities_are_refused_before_they_grow),
        test(deep_nesting_is_refused),
        test(meshes_are_found_beside_the_file_and_in_its_package),
        test(null_arguments_are_refused),
        test(every_failed_allocation_is_an_error_without_a_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
