// Named scenes of a few bodies with known answers: sliding, rolling, stacking, toppling, colliding.
#include "base/elementary.h"
#include "scene/named/named.h"

#include <math.h>

// A ball that slides and begins to roll: after t = 2 v0/(7 mu g) it rolls with 5/7 v0.
static const vs_scene_parameter ball_parameters[] = {{"mu", .2}, {"speed", 2}, {"radius", .1}, {"density", 1000}};
static void build_ball(vs_builder *b) {
    double radius = vs_take_positive(b, "radius");
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_put_moving(b, vs_make_sphere(b, radius), vs_take_positive(b, "density"), vs_at(0, 0, radius),
                  (vs_vec3){vs_take(b, "speed"), 0, 0}, VS_ZERO3);
}

// A box that slides to rest after v0^2/(2 mu g), without leaving the floor.
static const vs_scene_parameter box_parameters[] = {{"mu", .3}, {"speed", 2}, {"size", .2}, {"density", 1000}};
static void build_box(vs_builder *b) {
    double half = .5 * vs_take_positive(b, "size");
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    // Half as high as wide: it does not topple for mu < 2.
    vs_put_moving(b, vs_make_box(b, half, half, .5 * half), vs_take_positive(b, "density"), vs_at(0, 0, .5 * half),
                  (vs_vec3){vs_take(b, "speed"), 0, 0}, VS_ZERO3);
}

// A box on a slope: rests if mu >= tan(angle), else slides with g (sin - mu cos).
static const vs_scene_parameter incline_parameters[] = {{"angle", .3}, {"mu", .2}, {"size", .2}, {"density", 1000}};
static void build_incline(vs_builder *b) {
    double angle = vs_take_not_negative(b, "angle"), half = .5 * vs_take_positive(b, "size"), up = .5 * half;
    if (angle >= 1.5)
        vs_put_fail(b, VS_ERROR_ARGUMENT, "parameter angle must be below 1.5 rad, is %g", angle);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_wall(b, VS_ZERO3, (vs_vec3){vs_sin(angle), 0, vs_cos(angle)});
    vs_put_body(b, vs_make_box(b, half, half, up), vs_take_positive(b, "density"),
                vs_at_turned(up * vs_sin(angle), 0, up * vs_cos(angle), (vs_vec3){0, angle, 0}));
}

// Spheres on top of each other, guided vertically, each `ratio` times as heavy as the one below: the test of mass
// ratios.
static const vs_scene_parameter stacked_parameters[] = {{"count", 5}, {"ratio", 10}, {"radius", .1}, {"mu", .5}};
static void build_stacked(vs_builder *b) {
    int count = vs_take_count(b, "count", 1, 1000);
    double radius = vs_take_positive(b, "radius"), ratio = vs_take_positive(b, "ratio");
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_shape *sphere = vs_make_sphere(b, radius);
    if (fabs(vs_log10(ratio)) * count > 60)
        vs_put_fail(b, VS_ERROR_ARGUMENT, "%d spheres with ratio %g have masses beyond the range of double precision",
                    count, ratio);
    for (int k = 0; k < count && !b->error; k++) {
        vs_pose at = vs_at(0, 0, (2 * k + 1) * radius);
        vs_body_id body = vs_put_body(b, sphere, 1000 * vs_pow(ratio, k), at);
        vs_joint_def guide = vs_joint_def_default();
        guide.collide = true; // the floor belongs to the world as well
        vs_put_joint(b, VS_JOINT_PRISMATIC, (vs_body_id){0, 0}, body, at, &guide);
    }
}

// Dominoes in a row; the first turns about its far lower edge.
static const vs_scene_parameter domino_parameters[] = {{"count", 20}, {"spacing", .022}, {"spin", 5}, {"mu", .4}};
static void build_domino(vs_builder *b) {
    int count = vs_take_count(b, "count", 1, 100000);
    double x = .00375, y = .012, z = .024, spacing = vs_take_positive(b, "spacing"), spin = vs_take(b, "spin");
    if (!(spacing > 2 * x))
        vs_put_fail(b, VS_ERROR_ARGUMENT, "parameter spacing must be above the thickness %g, is %g", 2 * x, spacing);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_shape *stone = vs_make_box(b, x, y, z);
    for (int k = 0; k < count && !b->error; k++) {
        // velocity of the centre, (-x, 0, z) from the edge
        vs_vec3 turn = {0, k == 0 ? spin : 0, 0}, velocity = vs_cross(turn, (vs_vec3){-x, 0, z});
        vs_put_moving(b, stone, 1200, vs_at(k * spacing, 0, z), velocity, turn);
    }
    b->scene->duration = 2;
}

// Balls on two strings each; the first is lifted by an angle.
static const vs_scene_parameter cradle_parameters[] = {
    {"count", 5}, {"angle", .6}, {"radius", .02}, {"restitution", 1}};
static void build_cradle(vs_builder *b) {
    int count = vs_take_count(b, "count", 2, 1000);
    double radius = vs_take_positive(b, "radius"), angle = vs_take_not_negative(b, "angle");
    double drop = 8 * radius, aside = 4 * radius;
    if (angle > 1.5)
        vs_put_fail(b, VS_ERROR_ARGUMENT, "parameter angle must be at most 1.5 rad, is %g", angle);
    vs_put_material(b, 0, vs_take_not_negative(b, "restitution"));
    vs_shape *ball = vs_make_sphere(b, radius);
    vs_joint_def string = vs_joint_def_default();
    string.kind = VS_JOINT_DISTANCE;
    string.length = sqrt(drop * drop + aside * aside);
    for (int k = 0; k < count && !b->error; k++) {
        double x = 2 * radius * k, tilt = k == 0 ? angle : 0;
        string.b = vs_put_body(b, ball, 7800, vs_at(x - drop * vs_sin(tilt), 0, drop * (1 - vs_cos(tilt))));
        for (int side = -1; side <= 1 && !b->error; side += 2) {
            vs_joint_id id;
            string.frame_a = vs_at(x, side * aside, drop);
            b->error = vs_world_add_joint(b->world, &string, &id);
        }
    }
    b->scene->duration = 2;
    b->scene->options.step = 1e-3;
    b->scene->options.restitution_speed = 1e-3;
}

const vs_named vs_named_single[] = {
    VS_NAMED("ball", "a sliding ball that begins to roll", ball_parameters, build_ball),
    VS_NAMED("box", "a box that slides to rest", box_parameters, build_box),
    VS_NAMED("incline", "a box on a slope", incline_parameters, build_incline),
    VS_NAMED("stacked-spheres", "a guided vertical stack, heavier above", stacked_parameters, build_stacked),
    VS_NAMED("domino", "a row of dominoes, the first is pushed", domino_parameters, build_domino),
    VS_NAMED("newton-cradle", "balls on strings that transmit an impulse", cradle_parameters, build_cradle),
    {{0}, 0},
};
