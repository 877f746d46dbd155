// Named scenes with flexible bodies: bending, gripping, rolling, a rope, a foundation, a fold.
#include "base/elementary.h"
#include "scene/named/named.h"

#include <math.h>

#include "base/arena.h"
#include "voussoir/flexible.h"

static const double PI = 3.14159265358979323846;

// A flexible solid from a mesh, which is released here. Everything has the same contact material.
static vs_flexible_id put_solid(vs_builder *b, vs_error error, vs_mesh *mesh, vs_flexible_def def) {
    vs_flexible_id id = {0, 0};
    def.mesh = mesh;
    if (!b->error)
        b->error = error ? error : vs_world_add_flexible(b->world, &def, &id);
    vs_mesh_destroy(mesh);
    return id;
}

static vs_flexible_id put_box(vs_builder *b, vs_vec3 half, const int *cells, vs_flexible_def def) {
    vs_mesh *mesh = NULL;
    vs_error error = b->error ? b->error : vs_mesh_box(b->context, half, cells, 4, &mesh);
    return put_solid(b, error, mesh, def);
}

static vs_flexible_def elastic(double young, double poisson, double density, double beta) {
    vs_flexible_def def = vs_flexible_def_default();
    def.elastic = (vs_elastic_material){.young = young, .poisson = poisson, .density = density, .beta = beta};
    return def;
}

// ---- three-point bending ---------------------------------------------------------------------------

// Three cylinders across a beam: two below, one that comes down at a constant speed.
static const vs_scene_parameter bending_parameters[] = {
    {"young", 1e7}, {"poisson", .3}, {"density", 1000}, {"length", 1.3}, {"width", .6}, {"height", .15},
    {"span", 1},    {"radius", .05}, {"speed", 1},      {"mu", 0},       {"cells", 26}};
static void build_bending(vs_builder *b) {
    double length = vs_take_positive(b, "length"), width = vs_take_positive(b, "width");
    double height = vs_take_positive(b, "height"), span = vs_take_positive(b, "span");
    double radius = vs_take_positive(b, "radius"), mu = vs_take_not_negative(b, "mu");
    int along = vs_take_count(b, "cells", 2, 1000), across = (int)ceil(12. / 26 * along),
        up = (int)ceil(3. / 26 * along);
    // Only nodes touch a cylinder: it falls through between two that are a diameter apart.
    if (!b->error && !(length / along <= 1.5 * radius))
        vs_put_fail(b, VS_ERROR_ARGUMENT,
                    "cells: cylinders of radius %g m fall between nodes %g m apart; use %g or more", radius,
                    length / along, ceil(length / (1.5 * radius)));
    vs_put_material(b, mu, 0);
    vs_shape *roll = vs_make_cylinder(b, radius, .6 * width);
    vs_vec3 turn = {.5 * PI, 0, 0};
    for (int side = -1; side <= 1; side += 2)
        vs_put_fixed(b, roll, vs_at_turned(.5 * side * span, 0, -radius - .5 * height, turn));
    vs_body_id punch = vs_put_kinematic(b, vs_at_turned(0, 0, radius + .5 * height, turn),
                                        (vs_vec3){0, 0, -vs_take(b, "speed")}, VS_ZERO3);
    vs_put_collider(b, punch, roll, VS_IDENTITY_POSE);
    vs_flexible_def def =
        elastic(vs_take_positive(b, "young"), vs_take(b, "poisson"), vs_take_positive(b, "density"), 0);
    def.name = "beam";
    put_box(b, (vs_vec3){.5 * length, .5 * width, .5 * height}, (const int[]){along, across, up}, def);
    b->scene->options.step = .01;
    // Without friction the problem is convex: few Newton steps instead of many sweeps.
    if (mu == 0)
        b->scene->options.solver.method = VS_METHOD_IPM;
    b->scene->duration = 1;
}

// ---- soft gripper ----------------------------------------------------------------------------------

// Two pads on plates close on a ball and lift it.
static const vs_scene_parameter gripper_parameters[] = {
    {"mu", .6}, {"young", 1e5}, {"squeeze", .004}, {"density", 1000}};
static void build_gripper(vs_builder *b) {
    const double radius = .03, thick = .01, wide = .02;
    double squeeze = vs_take_positive(b, "squeeze"), close = squeeze / .1;
    const double when[] = {0, .1, .1001, .3, .4}, in[] = {close, close, 0, 0, 0}, rise[] = {0, 0, 0, 0, .1};
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_put_body(b, vs_make_sphere(b, radius), vs_take_positive(b, "density"), vs_at(0, 0, radius));
    for (int side = -1; side <= 1; side += 2) {
        vs_pose at = vs_at(side * (radius + thick), 0, radius);
        double inward[5];
        for (int k = 0; k < 5; k++)
            inward[k] = -side * in[k];
        vs_flexible_def def = elastic(vs_take_positive(b, "young"), .4, 1000, .01);
        def.pose = at;
        vs_flexible_id pad = put_box(b, (vs_vec3){thick, wide, wide}, (const int[]){2, 4, 4}, def);
        at.position.x += side * thick;
        vs_body_id plate = vs_put_kinematic(b, at, VS_ZERO3, VS_ZERO3);
        const vs_signal velocity[3] = {{.kind = VS_SIGNAL_TABLE, .time = when, .sample = inward, .count = 5},
                                       {0},
                                       {.kind = VS_SIGNAL_TABLE, .time = when, .sample = rise, .count = 5}};
        vs_flexible_view view = {0};
        if (!b->error)
            b->error = vs_world_set_drive(b->world, plate, velocity, NULL);
        if (!b->error)
            b->error = vs_world_get_flexible_view(b->world, pad, &view);
        for (int k = 0; k < view.nodes && !b->error; k++)
            if (fabs(view.rest[k].x - at.position.x) < 1e-9)
                b->error = vs_world_attach_nodes(b->world, pad, 1, &k, plate);
    }
    b->scene->options.step = .005;
    b->scene->duration = 1;
}

// ---- rolling ring ----------------------------------------------------------------------------------

// A ring like a tyre that rolls without slip from the beginning.
static const vs_scene_parameter ring_parameters[] = {{"speed", 1},   {"mu", .8},     {"young", 1e6}, {"outer", .2},
                                                     {"inner", .15}, {"width", .08}, {"cells", 32}};
static void build_ring(vs_builder *b) {
    double outer = vs_take_positive(b, "outer"), inner = vs_take_positive(b, "inner"), speed = vs_take(b, "speed");
    const int cells[3] = {vs_take_count(b, "cells", 8, 1000), 1, 1};
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_flexible_def def = elastic(vs_take_positive(b, "young"), .3, 1000, .002);
    def.name = "ring";
    // the axis along y, a flat side between two vertices at the bottom
    def.pose = vs_at_turned(0, 0, outer, (vs_vec3){.5 * PI, 0, 0});
    def.velocity = (vs_vec3){speed, 0, 0};
    def.spin = (vs_vec3){0, speed / outer, 0};
    vs_mesh *mesh = NULL;
    vs_error error = b->error
                         ? b->error
                         : vs_mesh_ring(b->context, inner, outer, .5 * vs_take_positive(b, "width"), cells, 4, &mesh);
    put_solid(b, error, mesh, def);
    b->scene->options.step = .002;
    b->scene->duration = 1;
}

// ---- rope on a drum --------------------------------------------------------------------------------

// A rope over a fixed drum with a weight at each end. It slips if heavy/light > exp(mu pi).
static const vs_scene_parameter rope_parameters[] = {
    {"mu", .3}, {"light", 10}, {"heavy", 20}, {"radius", .1}, {"nodes", 60}};
static void build_rope(vs_builder *b) {
    enum { MOST = 1000 };
    static const double thick = .004, hang = .25;
    int nodes = vs_take_count(b, "nodes", 10, MOST);
    double radius = vs_take_positive(b, "radius"), around = radius + 1.05 * thick, half = .5 * PI * around + hang;
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_fixed(b, vs_make_cylinder(b, radius, .05), vs_at_turned(0, 0, 0, (vs_vec3){.5 * PI, 0, 0}));
    vs_vec3 point[MOST];
    for (int k = 0; k < nodes; k++) {
        double s = half * (2. * k / (nodes - 1) - 1), angle = fmax(-.5 * PI, fmin(.5 * PI, s / around));
        double straight = fabs(s - angle * around), x = around * vs_sin(angle), z = around * vs_cos(angle);
        point[k] = (vs_vec3){x, 0, z - straight};
    }
    vs_beam_def def = vs_beam_def_default();
    def.nodes = nodes, def.point = point, def.name = "rope";
    def.up = (vs_vec3){0, 1, 0};
    def.elastic = (vs_elastic_material){.density = 1000, .young = 2e7, .poisson = .3, .beta = .002};
    def.along_y = thick, def.contact_radius = thick;
    def.bending = .1; // without any, the rotations of nodes would be undetermined
    vs_flexible_id rope = {0, 0};
    vs_flexible_view view = {0};
    if (!b->error)
        b->error = vs_world_add_beam(b->world, &def, &rope);
    if (!b->error)
        b->error = vs_world_get_flexible_view(b->world, rope, &view);
    // Weights as forces, which do not swing; ramped up, so that the rope is not thrown off.
    const char *const name[2] = {"light", "heavy"};
    for (int k = 0; k < 2 && !b->error; k++) {
        const double time[2] = {0, .05}, weight[2] = {0, -vs_take_positive(b, name[k])};
        const vs_signal force[3] = {{0}, {0}, {.kind = VS_SIGNAL_TABLE, .time = time, .sample = weight, .count = 2}};
        b->error = vs_world_add_load(b->world, view.body[k ? nodes - 1 : 0], force, NULL);
    }
    b->scene->options.step = .002;
    b->scene->duration = .3;
}

// ---- elastic foundation ----------------------------------------------------------------------------

// Blocks on a soft ground, each 1 cm further than the one below: more than one load the ground unevenly.
static const vs_scene_parameter foundation_parameters[] = {
    {"blocks", 3}, {"young", 1e6}, {"density", 2000}, {"mu", .5}, {"cells", 6}};
static void build_foundation(vs_builder *b) {
    const double deep = .1, half = .1;
    int blocks = vs_take_count(b, "blocks", 1, 100), cells = vs_take_count(b, "cells", 1, 100);
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_flexible_def def = elastic(vs_take_positive(b, "young"), .3, 1000, .01);
    def.name = "ground";
    def.pose = vs_at(0, 0, deep);
    put_box(b, (vs_vec3){.3, .3, deep}, (const int[]){cells, cells, (cells + 2) / 3}, def);
    vs_shape *block = vs_make_box(b, half, half, half);
    double density = vs_take_positive(b, "density");
    for (int k = 0; k < blocks && !b->error; k++)
        vs_put_body(b, block, density, vs_at(.01 * k, 0, 2 * deep + (2 * k + 1) * half));
    b->scene->options.step = .005;
    b->scene->duration = 1;
}

// ---- folded strip ----------------------------------------------------------------------------------

// A strip bent into a half circle with straight arms, released on the floor: it folds onto itself.
static const vs_scene_parameter strip_parameters[] = {{"young", 2e4},  {"mu", .3},      {"length", .6}, {"width", .04},
                                                      {"height", .02}, {"radius", .06}, {"cells", 24}};
static void build_strip(vs_builder *b) {
    double length = vs_take_positive(b, "length"), width = vs_take_positive(b, "width");
    double height = vs_take_positive(b, "height"), r = vs_take_positive(b, "radius");
    const int cells[3] = {vs_take_count(b, "cells", 4, 1000), 1, 1};
    vs_put_material(b, vs_take_not_negative(b, "mu"), 0);
    vs_put_floor(b);
    vs_flexible_def def = elastic(vs_take_positive(b, "young"), 0, 1000, .02);
    def.name = "strip";
    def.self_contact = true;
    vs_flexible_id id = put_box(b, (vs_vec3){.5 * length, .5 * width, .5 * height}, cells, def);
    vs_flexible_view view = {0};
    if (!b->error)
        b->error = vs_world_get_flexible_view(b->world, id, &view);
    if (!b->error && !(r > .5 * height && PI * r < length))
        vs_put_fail(b, VS_ERROR_ARGUMENT, "a radius of %g m does not fit the strip", r);
    if (b->error)
        return;
    vs_arena arena;
    vs_arena_init(&arena, b->context);
    vs_vec3 *x = VS_NEW(&arena, vs_vec3, view.nodes);
    b->error = x ? VS_OK : VS_ERROR_MEMORY;
    for (int k = 0; k < view.nodes && x; k++) {
        double s = view.rest[k].x, angle = fmax(-.5 * PI, fmin(.5 * PI, s / r)), beyond = s - angle * r;
        double out = r - view.rest[k].z;
        x[k] = (vs_vec3){out * vs_cos(angle) - beyond * vs_sin(angle), view.rest[k].y,
                         out * vs_sin(angle) + beyond * vs_cos(angle) + r + .5 * height};
    }
    if (!b->error)
        b->error = vs_world_set_nodes(b->world, id, x, NULL);
    vs_arena_release(&arena);
    b->scene->options.step = .005;
    b->scene->duration = 2;
}

const vs_named vs_named_flexible[] = {
    VS_NAMED("three-point-bending", "a flexible beam on two cylinders, pressed by a third", bending_parameters,
             build_bending),
    VS_NAMED("soft-gripper", "two soft pads lift a ball", gripper_parameters, build_gripper),
    VS_NAMED("rolling-ring", "a flexible ring rolls on the floor", ring_parameters, build_ring),
    VS_NAMED("rope-on-drum", "a rope with weights over a fixed drum", rope_parameters, build_rope),
    VS_NAMED("elastic-foundation", "a leaning pile of rigid blocks on an elastic ground", foundation_parameters,
             build_foundation),
    VS_NAMED("folded-strip", "a strip that folds onto itself", strip_parameters, build_strip),
    {{0}, 0},
};
