// Named scenes with joints: linkages in the x-z plane, a gripper, a chain, a hanging bridge.
#include "base/elementary.h"
#include "scene/named/named.h"

#include <math.h>

static const vs_body_id WORLD = {0, 0};

// A joint frame at a point of the x-z plane that turns about y.
static vs_pose hinge_at(vs_vec3 p) {
    return (vs_pose){p, vs_quat_from_z_to((vs_vec3){0, 1, 0})};
}

// A bar without contacts between two points of the x-z plane.
static vs_body_id put_bar(vs_builder *b, vs_vec3 from, vs_vec3 to, double thick) {
    vs_vec3 along = vs_subtract(to, from), middle = vs_scale(.5, vs_add(from, to));
    vs_shape *shape = vs_make_box(b, .5 * vs_length(along), thick, thick);
    // rotated about y: x turns to -z for a positive angle
    vs_vec3 turn = {0, vs_atan2(-along.z, along.x), 0};
    b->mask = 0;
    vs_body_id id = vs_put_body(b, shape, 7800, vs_at_turned(middle.x, middle.y, middle.z, turn));
    b->mask = UINT32_MAX;
    return id;
}

static vs_joint_def motor(double speed, double limit) {
    vs_joint_def def = vs_joint_def_default();
    def.motor = VS_MOTOR_SPEED;
    def.target = (vs_signal){.kind = VS_SIGNAL_CONSTANT, .value = speed};
    def.motor_limit = limit;
    return def;
}

// Crank, coupler and rocker; the crank is driven.
static const vs_scene_parameter four_parameters[] = {
    {"crank", .2}, {"coupler", .5}, {"rocker", .4}, {"ground", .5}, {"speed", 6}};
static void build_four(vs_builder *b) {
    double crank = vs_take_positive(b, "crank"), coupler = vs_take_positive(b, "coupler");
    double rocker = vs_take_positive(b, "rocker"), ground = vs_take_positive(b, "ground");
    vs_vec3 A = VS_ZERO3, B = {0, 0, crank}, D = {ground, 0, 0}, BD = vs_subtract(D, B);
    // C: the upper point with |C - B| = coupler, |C - D| = rocker
    double d = vs_length(BD), along = (d * d + coupler * coupler - rocker * rocker) / (2 * d);
    double across = coupler * coupler - along * along;
    if (!(across > 0))
        vs_put_fail(b, VS_ERROR_ARGUMENT, "the four lengths do not form a closed linkage");
    if (b->error)
        return;
    vs_vec3 unit = vs_scale(1 / d, BD), normal = {-unit.z, 0, unit.x};
    vs_vec3 C = vs_add_scaled(vs_add_scaled(B, along, unit), sqrt(across), normal);
    double thick = .02 * ground;
    vs_body_id bar[3] = {put_bar(b, A, B, thick), put_bar(b, B, C, thick), put_bar(b, D, C, thick)};
    vs_joint_def drive = motor(vs_take(b, "speed"), 0);
    vs_put_joint(b, VS_JOINT_REVOLUTE, WORLD, bar[0], hinge_at(A), &drive);
    vs_put_joint(b, VS_JOINT_REVOLUTE, bar[0], bar[1], hinge_at(B), NULL);
    vs_put_joint(b, VS_JOINT_REVOLUTE, bar[1], bar[2], hinge_at(C), NULL);
    vs_put_joint(b, VS_JOINT_REVOLUTE, WORLD, bar[2], hinge_at(D), NULL);
}

// A driven crank, a rod and a slider along x.
static const vs_scene_parameter slider_parameters[] = {{"crank", .1}, {"rod", .3}, {"speed", 6}};
static void build_slider(vs_builder *b) {
    double crank = vs_take_positive(b, "crank"), rod = vs_take_positive(b, "rod"), thick = .04 * rod;
    if (!(rod > crank))
        vs_put_fail(b, VS_ERROR_ARGUMENT, "the rod (%g m) must be longer than the crank (%g m)", rod, crank);
    if (b->error)
        return;
    vs_vec3 A = VS_ZERO3, B = {0, 0, crank}, C = {sqrt(rod * rod - crank * crank), 0, 0};
    vs_body_id wheel = put_bar(b, A, B, thick), link = put_bar(b, B, C, thick);
    b->mask = 0;
    vs_body_id slider =
        vs_put_body(b, vs_make_box(b, 2 * thick, 2 * thick, 2 * thick), 7800, (vs_pose){C, {1, 0, 0, 0}});
    vs_joint_def drive = motor(vs_take(b, "speed"), 0);
    vs_put_joint(b, VS_JOINT_REVOLUTE, WORLD, wheel, hinge_at(A), &drive);
    vs_put_joint(b, VS_JOINT_REVOLUTE, wheel, link, hinge_at(B), NULL);
    vs_put_joint(b, VS_JOINT_REVOLUTE, link, slider, hinge_at(C), NULL);
    vs_put_joint(b, VS_JOINT_PRISMATIC, WORLD, slider, (vs_pose){C, vs_quat_from_z_to((vs_vec3){1, 0, 0})}, NULL);
}

// Two fingers press a cube with a limited force; the hand rises after 0.2 s. Holds if 2 mu force > weight.
static const vs_scene_parameter gripper_parameters[] = {{"force", 20}, {"mu", .5}, {"mass", .5}, {"speed", .1}};
static void build_gripper(vs_builder *b) {
    const double half = .03, thick = .01, time[] = {.2, .5};
    double force = vs_take_positive(b, "force"), speed = vs_take(b, "speed"), ramp[] = {0, speed};
    double density = vs_take_positive(b, "mass") / (8 * half * half * half);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_put_body(b, vs_make_box(b, half, half, half), density, vs_at(0, 0, half));
    vs_body_id hand = vs_put_kinematic(b, vs_at(0, 0, .2), VS_ZERO3, VS_ZERO3);
    vs_signal velocity[3] = {{0}, {0}, {.kind = VS_SIGNAL_TABLE, .time = time, .sample = ramp, .count = 2}};
    vs_signal spin[3] = {{0}, {0}, {0}};
    if (!b->error)
        b->error = vs_world_set_drive(b->world, hand, velocity, spin);
    vs_shape *finger = vs_make_box(b, thick, half, half);
    vs_joint_def press = motor(.1, force);
    for (int side = -1; side <= 1; side += 2) {
        vs_pose at = vs_at(side * (half + thick), 0, 1.2 * half);
        vs_body_id id = vs_put_body(b, finger, 2700, at);
        at.rotation = vs_quat_from_z_to((vs_vec3){-side, 0, 0});
        vs_put_joint(b, VS_JOINT_PRISMATIC, hand, id, at, &press);
    }
    b->scene->duration = 2;
}

// Links that hang from one end, released when level.
static const vs_scene_parameter chain_parameters[] = {{"links", 20}, {"length", .1}, {"radius", .01}};
static void build_chain(vs_builder *b) {
    int links = vs_take_count(b, "links", 1, 100000);
    double length = vs_take_positive(b, "length"), radius = vs_take_positive(b, "radius");
    if (!(length > 2 * radius))
        vs_put_fail(b, VS_ERROR_ARGUMENT, "length must exceed twice the radius");
    vs_put_material(b, .3, 0);
    vs_shape *link = vs_make_capsule(b, radius, .5 * length - radius);
    vs_body_id before = WORLD;
    for (int k = 0; k < links && !b->error; k++) {
        vs_pose at = {{(k + .5) * length, 0, 0}, vs_quat_from_z_to((vs_vec3){1, 0, 0})};
        vs_body_id id = vs_put_body(b, link, 7800, at);
        vs_put_joint(b, VS_JOINT_SPHERICAL, before, id, vs_at(k * length, 0, 0), NULL);
        before = id;
    }
}

// Planks hinged to each other between two banks, on a circle that sags; balls roll on them.
static const vs_scene_parameter bridge_parameters[] = {
    {"planks", 12}, {"span", 3}, {"sag", .4}, {"balls", 3}, {"mu", .5}};
static void build_bridge(vs_builder *b) {
    int planks = vs_take_count(b, "planks", 2, 10000), balls = vs_take_count(b, "balls", 0, 1000);
    double span = vs_take_positive(b, "span"), sag = vs_take_positive(b, "sag"), half = .5 * span;
    double R = .5 * (half * half / sag + sag), whole = 2 * vs_asin(half / R), thick = .02;
    if (sag >= half)
        vs_put_fail(b, VS_ERROR_ARGUMENT, "sag (%g m) must be below half of the span", sag);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_vec3 before = {-half, 0, 0};
    double length = 2 * R * vs_sin(.5 * whole / planks);
    vs_shape *plank = vs_make_box(b, .49 * length, .3, thick);
    vs_body_id last = WORLD;
    for (int k = 0; k < planks && !b->error; k++) {
        double angle = ((k + 1.0) / planks - .5) * whole;
        vs_vec3 next = {R * vs_sin(angle), 0, R * (vs_cos(.5 * whole) - vs_cos(angle))};
        vs_vec3 middle = vs_scale(.5, vs_add(before, next)), along = vs_subtract(next, before);
        vs_vec3 turn = {0, vs_atan2(-along.z, along.x), 0};
        vs_body_id id = vs_put_body(b, plank, 600, vs_at_turned(middle.x, 0, middle.z, turn));
        vs_put_joint(b, VS_JOINT_REVOLUTE, last, id, hinge_at(before), NULL);
        last = id;
        before = next;
    }
    vs_put_joint(b, VS_JOINT_REVOLUTE, WORLD, last, hinge_at(before), NULL);
    vs_shape *ball = vs_make_sphere(b, .08);
    for (int k = 0; k < balls && !b->error; k++)
        vs_put_body(b, ball, 1000, vs_at((k - .5 * (balls - 1)) * .17, 0, .1));
    b->scene->duration = 3;
}

const vs_named vs_named_mechanism[] = {
    VS_NAMED("four-bar", "a driven four-bar linkage", four_parameters, build_four),
    VS_NAMED("slider-crank", "a driven crank with a slider", slider_parameters, build_slider),
    VS_NAMED("gripper", "two fingers lift a cube by friction", gripper_parameters, build_gripper),
    VS_NAMED("chain", "links that swing from one end", chain_parameters, build_chain),
    VS_NAMED("bridge", "hinged planks that carry balls", bridge_parameters, build_bridge),
    {{0}, 0},
};
