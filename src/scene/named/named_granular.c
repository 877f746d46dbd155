// Named scenes of many bodies: boxes full of balls, piles, a hopper, a drum, a chute, a mix of all shapes.
#include "base/elementary.h"
#include "scene/named/named.h"

#include <math.h>

enum { BODIES_MOST = 1000000 };

static const vs_vec3 UP = {0, 0, 1};

// Four walls about a square of this half side; the floor at z = 0.
static void put_pit(vs_builder *b, double half) {
    vs_put_floor(b);
    for (int side = -1; side <= 1; side += 2) {
        vs_put_wall(b, (vs_vec3){side * half, 0, 0}, (vs_vec3){-side, 0, 0});
        vs_put_wall(b, (vs_vec3){0, side * half, 0}, (vs_vec3){0, -side, 0});
    }
}

// The k-th place of a grid of `columns` x `rows` cells per layer, with a little disorder so that nothing balances.
static vs_vec3 grid_place(vs_builder *b, int k, int columns, int rows, double cell, double disorder) {
    int x = k % columns, y = k / columns % rows, z = k / columns / rows;
    return (vs_vec3){(x - .5 * (columns - 1)) * cell + disorder * (vs_random(b) - .5),
                     (y - .5 * (rows - 1)) * cell + disorder * (vs_random(b) - .5), (z + .5) * cell};
}

// Number of cells that fit into a length, at least one.
static int cells(vs_builder *b, double length, double cell) {
    double count = floor(length / cell);
    if (!(count >= 1 && count <= BODIES_MOST)) {
        vs_put_fail(b, VS_ERROR_ARGUMENT, "a body of %g m does not fit into %g m", cell, length);
        return 1;
    }
    return (int)count;
}

static const vs_scene_parameter balls_parameters[] = {{"count", 64}, {"radius", .07},    {"side", 1},
                                                      {"mu", .3},    {"restitution", 0}, {"density", 1000}};
static void build_balls(vs_builder *b) {
    int count = vs_take_count(b, "count", 1, BODIES_MOST);
    double radius = vs_take_positive(b, "radius"), side = vs_take_positive(b, "side"), cell = 2.1 * radius;
    double density = vs_take_positive(b, "density");
    int columns = cells(b, side, cell);
    vs_put_material(b, vs_take_not_negative(b, "mu"), vs_take_not_negative(b, "restitution"));
    put_pit(b, .5 * side);
    vs_shape *ball = vs_make_sphere(b, radius);
    for (int k = 0; k < count && !b->error; k++)
        vs_put_body(b, ball, density, (vs_pose){grid_place(b, k, columns, columns, cell, .08 * radius), {1, 0, 0, 0}});
    b->scene->duration = 2;
}

// A square pyramid: level k from the top has (k + 1)^2 spheres, each on four below.
static const vs_scene_parameter pile_parameters[] = {{"levels", 4}, {"radius", .05}, {"mu", 1}, {"density", 1000}};
static void build_pile(vs_builder *b) {
    int levels = vs_take_count(b, "levels", 1, 100);
    double radius = vs_take_positive(b, "radius"), density = vs_take_positive(b, "density");
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_shape *ball = vs_make_sphere(b, radius);
    for (int level = 0; level < levels; level++) {
        int n = levels - level;
        double z = radius * (1 + level * sqrt(2));
        for (int k = 0; k < n * n && !b->error; k++) {
            int column = 2 * (k % n) - n + 1, row = 2 * (k / n) - n + 1;
            vs_put_body(b, ball, density, vs_at(radius * column, radius * row, z));
        }
    }
}

// Two plates that lean towards a slot, between two walls; balls above.
static const vs_scene_parameter hopper_parameters[] = {
    {"count", 100}, {"radius", .02}, {"opening", .12}, {"angle", .8}, {"mu", .3}};
static void build_hopper(vs_builder *b) {
    int count = vs_take_count(b, "count", 1, BODIES_MOST);
    double radius = vs_take_positive(b, "radius"), opening = vs_take_positive(b, "opening");
    double angle = vs_take_positive(b, "angle"), length = 20 * radius, base = 10 * radius, depth = 6 * radius;
    if (angle > 1.5)
        vs_put_fail(b, VS_ERROR_ARGUMENT, "parameter angle must be at most 1.5 rad, is %g", angle);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_put_wall(b, (vs_vec3){0, depth, 0}, (vs_vec3){0, -1, 0});
    vs_put_wall(b, (vs_vec3){0, -depth, 0}, (vs_vec3){0, 1, 0});
    // A plate rises by `angle` from the lip of the slot; its upper face is the slope.
    double thick = radius;
    vs_shape *plate = vs_make_box(b, length, depth, thick);
    for (int side = -1; side <= 1; side += 2) {
        double x = .5 * opening + length * vs_cos(angle) + thick * vs_sin(angle);
        double z = base + length * vs_sin(angle) - thick * vs_cos(angle);
        vs_put_fixed(b, plate, vs_at_turned(side * x, 0, z, (vs_vec3){0, -side * angle, 0}));
    }
    vs_shape *ball = vs_make_sphere(b, radius);
    double cell = 2.1 * radius, above = base + 2 * length * vs_sin(angle) + radius;
    int columns = cells(b, opening + 2 * length * vs_cos(angle), cell), rows = cells(b, 2 * depth, cell);
    for (int k = 0; k < count && !b->error; k++) {
        vs_pose pose = {grid_place(b, k, columns, rows, cell, .08 * radius), {1, 0, 0, 0}};
        pose.position.z += above;
        vs_put_body(b, ball, 1000, pose);
    }
    b->scene->duration = 2;
}

// A drum of staves that turns about y, between two walls.
static const vs_scene_parameter drum_parameters[] = {
    {"count", 60}, {"radius", .3}, {"ball", .02}, {"spin", 2}, {"mu", .5}};
static void build_drum(vs_builder *b) {
    enum { STAVES = 24 };
    int count = vs_take_count(b, "count", 1, BODIES_MOST);
    double radius = vs_take_positive(b, "radius"), ball = vs_take_positive(b, "ball"), depth = 5 * ball;
    double step = 2 * vs_acos(-1.0) / STAVES, thick = .1 * radius;
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_body_id drum = vs_put_kinematic(b, VS_IDENTITY_POSE, VS_ZERO3, (vs_vec3){0, vs_take(b, "spin"), 0});
    vs_shape *stave = vs_make_box(b, (radius + 2 * thick) * vs_tan(.5 * step), depth, thick);
    for (int k = 0; k < STAVES; k++) {
        double angle = k * step, r = radius + thick;
        vs_put_collider(b, drum, stave, vs_at_turned(r * vs_sin(angle), 0, r * vs_cos(angle), (vs_vec3){0, angle, 0}));
    }
    vs_put_wall(b, (vs_vec3){0, depth, 0}, (vs_vec3){0, -1, 0});
    vs_put_wall(b, (vs_vec3){0, -depth, 0}, (vs_vec3){0, 1, 0});
    // Balls in the square inside the circle, from its floor up.
    double cell = 2.1 * ball, side = 1.35 * radius;
    int columns = cells(b, side, cell), rows = cells(b, 2 * depth, cell);
    if ((double)columns * columns * rows < count)
        vs_put_fail(b, VS_ERROR_ARGUMENT, "%d balls do not fit; at most %d do", count, columns * columns * rows);
    vs_shape *sphere = vs_make_sphere(b, ball);
    for (int k = 0; k < count && !b->error; k++) {
        vs_pose pose = {grid_place(b, k, columns, rows, cell, .08 * ball), {1, 0, 0, 0}};
        pose.position.z -= .5 * side;
        vs_put_body(b, sphere, 1000, pose);
    }
    b->scene->duration = 2;
}

// A sloping channel with balls that run down.
static const vs_scene_parameter chute_parameters[] = {{"count", 50}, {"radius", .02}, {"angle", .5}, {"mu", .3}};
static void build_chute(vs_builder *b) {
    int count = vs_take_count(b, "count", 1, BODIES_MOST);
    double radius = vs_take_positive(b, "radius"), angle = vs_take_not_negative(b, "angle"), half = 6 * radius;
    if (angle > 1.5)
        vs_put_fail(b, VS_ERROR_ARGUMENT, "parameter angle must be at most 1.5 rad, is %g", angle);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_pose slope = vs_at_turned(0, 0, 0, (vs_vec3){0, angle, 0});
    vs_put_wall(b, VS_ZERO3, vs_rotate(slope.rotation, UP));
    vs_put_wall(b, (vs_vec3){0, half, 0}, (vs_vec3){0, -1, 0});
    vs_put_wall(b, (vs_vec3){0, -half, 0}, (vs_vec3){0, 1, 0});
    vs_shape *ball = vs_make_sphere(b, radius);
    double cell = 2.1 * radius;
    int rows = cells(b, 2 * half, cell);
    for (int k = 0; k < count && !b->error; k++) {
        vs_vec3 place = grid_place(b, k, 4 * rows, rows, cell, .08 * radius);
        vs_put_body(b, ball, 1000, (vs_pose){vs_pose_apply(slope, place), {1, 0, 0, 0}});
    }
}

// All convex shapes in one pit, turned at random.
static const vs_scene_parameter soup_parameters[] = {{"count", 60}, {"size", .05}, {"side", .6}, {"mu", .4}};
static void build_soup(vs_builder *b) {
    enum { KINDS = 6 };
    int count = vs_take_count(b, "count", 1, BODIES_MOST);
    double r = vs_take_positive(b, "size"), side = vs_take_positive(b, "side"), cell = 2.6 * r;
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    put_pit(b, .5 * side);
    // Each fits into a sphere of radius r.
    const vs_vec3 corner[] = {{.9 * r, 0, 0}, {-.4 * r, .8 * r, 0}, {-.4 * r, -.8 * r, 0}, {0, 0, r}, {0, .2 * r, -r}};
    vs_shape *kind[KINDS] = {vs_make_sphere(b, .8 * r),
                             vs_make_box(b, .6 * r, .5 * r, .55 * r),
                             vs_make_capsule(b, .4 * r, .55 * r),
                             vs_make_cylinder(b, .6 * r, .6 * r),
                             vs_make_ellipsoid(b, .9 * r, .6 * r, .7 * r),
                             vs_make_hull(b, corner, 5)};
    int columns = cells(b, side, cell);
    for (int k = 0; k < count && !b->error; k++) {
        vs_pose pose = {.position = grid_place(b, k, columns, columns, cell, .1 * r)};
        vs_vec3 turn = {3 * vs_random(b), 3 * vs_random(b), 3 * vs_random(b)};
        pose.rotation = vs_quat_exp(turn);
        vs_put_body(b, kind[k % KINDS], 1000, pose);
    }
    b->scene->duration = 2;
}

const vs_named vs_named_granular[] = {
    VS_NAMED("balls-in-box", "balls dropped into a box", balls_parameters, build_balls),
    VS_NAMED("sphere-pile", "a square pyramid of spheres", pile_parameters, build_pile),
    VS_NAMED("hopper", "balls that flow through a slot", hopper_parameters, build_hopper),
    VS_NAMED("rotating-drum", "balls in a turning drum", drum_parameters, build_drum),
    VS_NAMED("chute", "balls that run down a channel", chute_parameters, build_chute),
    VS_NAMED("primitive-soup", "all convex shapes in a pit", soup_parameters, build_soup),
    {{0}, 0},
};
