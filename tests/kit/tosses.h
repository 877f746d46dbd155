// Tosses of ordinary bodies at a wall, half of them without gravity: does an impact create energy? Bodies of 2 mm to 0.3 m at
// 0.3 to 10 m/s and up to 30 rad/s, steps of 1/240 s, with any friction and restitution.
#ifndef VS_TESTS_KIT_TOSSES_H
#define VS_TESTS_KIT_TOSSES_H

#include <math.h>

#include "kit/thrown.h"

enum { TOSS_BODIES = 7, TOSS_WALLS = 5, TOSS_STEPS = 30 };
static const char *const toss_body_name[TOSS_BODIES] = {"sphere",    "box",  "capsule", "cylinder",
                                                        "ellipsoid", "hull", "mesh"};
static const char *const toss_wall_name[TOSS_WALLS] = {"plane", "plate", "mesh", "dynamic box", "dynamic mesh"};

typedef struct toss_case {
    int body, wall;
    double size, speed, spin; // m, m/s, rad/s
    double mu, restitution;
    double gravity; // m/s2
    vs_scheme scheme;
} toss_case;

typedef struct toss_result {
    vs_error error;
    double gain;     // largest work of the contacts in a step, relative to the kinetic energy before it
    int step;        // in which
    int swept, held; // of that step
    double factor;   // of restitution in that step
    int contacts;    // largest number that pressed
    int inaccurate;  // steps
    double end;      // kinetic energy at the end, relative to the first
} toss_result;

// The case with this number, and the seed for the rest of it.
static inline toss_case toss_number(int64_t number, uint64_t *seed) {
    *seed = (uint64_t)number * 0x9e3779b97f4a7c15u + 777;
    for (int k = 0; k < 4; k++)
        (void)random_unit(seed);
    toss_case t = {.body = (int)(number % TOSS_BODIES), .wall = (int)(number / TOSS_BODIES % TOSS_WALLS)};
    t.size = .002 * pow(150, random_unit(seed));
    t.speed = .3 * pow(33, random_unit(seed));
    t.spin = random_unit(seed) < .4 ? 0 : random_in(seed, 0, 30);
    t.mu = random_unit(seed) < .4 ? 0 : random_in(seed, 0, 1);
    t.restitution = random_unit(seed) < .4 ? 0 : random_in(seed, 0, 1);
    t.scheme = random_unit(seed) < .25 ? VS_SCHEME_SHAKE : VS_SCHEME_MOREAU;
    // Impacts within a step of shake have another part of gravity before them than after.
    t.gravity = t.scheme == VS_SCHEME_SHAKE || random_unit(seed) < .5 ? 0 : 9.81;
    return t;
}

// ---- shapes ----------------------------------------------------------------------------------------

static inline vs_error toss_make_cuboid_mesh(vs_context *context, vs_vec3 half, vs_shape **shape) {
    static const int index[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                  2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    vs_vec3 vertex[8];
    for (int k = 0; k < 8; k++)
        vertex[k] = (vs_vec3){k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
    return vs_shape_mesh(context, vertex, 8, index, 12, shape);
}

static inline vs_error toss_make_body(vs_context *context, int kind, double a, vs_shape **shape) {
    if (kind < THROWN_CONVEX)
        return thrown_make_convex(context, kind, a, (vs_vec3){.9, .45, .3}, shape);
    return toss_make_cuboid_mesh(context, (vs_vec3){.5 * a, .5 * a, .5 * a}, shape);
}

static inline vs_error toss_make_wall(vs_context *context, int kind, double a, vs_shape **shape) {
    switch (kind) {
    case 0:
        return vs_shape_plane(context, shape);
    case 1:
        return vs_shape_box(context, (vs_vec3){100 * a, 100 * a, .6 * a}, shape);
    case 2:
        return toss_make_cuboid_mesh(context, (vs_vec3){100 * a, 100 * a, .6 * a}, shape);
    case 3:
        return vs_shape_box(context, (vs_vec3){3 * a, 3 * a, .6 * a}, shape);
    default:
        return toss_make_cuboid_mesh(context, (vs_vec3){3 * a, 3 * a, .6 * a}, shape);
    }
}

// ---- the toss --------------------------------------------------------------------------------------

static inline vs_error toss_build(vs_world *world, vs_context *context, const toss_case *t, double h, uint64_t *seed) {
    int material;
    vs_material surface = vs_material_default();
    surface.mu = t->mu, surface.restitution = t->restitution;
    vs_shape *shape = NULL;
    vs_body_def wall = vs_body_def_default(), body = vs_body_def_default();
    vs_body_id id;
    const bool dynamic = t->wall >= 3;
    wall.motion = dynamic ? VS_MOTION_DYNAMIC : VS_MOTION_STATIC;
    wall.pose.position.z = t->wall == 0 ? 0 : -.6 * t->size;
    vs_error error = vs_world_add_material(world, &surface, "all", &material);
    if (!error)
        error = toss_make_wall(context, t->wall, t->size, &shape);
    if (!error)
        error = thrown_add(world, shape, dynamic ? 1000 : 0, &wall, material, &id);
    const double tilt = random_in(seed, 0, 1.2), turn = random_in(seed, 0, 6.2832);
    const vs_vec3 d = {sin(tilt) * cos(turn), sin(tilt) * sin(turn), -cos(tilt)};
    const vs_vec3 target = {random_in(seed, -2, 2) * t->size, random_in(seed, -2, 2) * t->size, 1.2 * t->size};
    body.pose.position = vs_add_scaled(target, -t->speed * h * random_in(seed, 0, 5), d);
    body.pose.rotation = random_quat(seed);
    body.velocity = vs_scale(t->speed, d);
    body.spin = vs_scale(t->spin, vs_normalize(random_vec(seed, 1)));
    if (!error)
        error = toss_make_body(context, t->body, t->size, &shape);
    return error ? error : thrown_add(world, shape, 1000, &body, material, &id);
}

// J, kinetic energy after gravity has acted for a time. Of the scheme shake with the velocities of the middle of the step,
// which move the bodies; those at its end are extrapolated.
static inline double toss_energy(const vs_world *world, double time) {
    double sum = 0;
    for (int k = 1; k < world->bodies; k++) {
        const vs_body *body = &world->body[k];
        if (body->motion != VS_MOTION_DYNAMIC)
            continue;
        const vs_vec3 velocity = vs_add_scaled(vs_subtract(body->velocity, body->lead.velocity), time, world->gravity);
        const vs_vec3 spin = vs_subtract(body->spin, body->lead.spin);
        sum += .5 * (body->mass * vs_dot(velocity, velocity) + vs_dot(spin, vs_mat3_apply(&body->inertia, spin)));
    }
    return sum;
}

static inline toss_result toss_run(vs_context *context, const toss_case *t, uint64_t seed) {
    toss_result result = {.gain = -1};
    vs_world_def def = vs_world_def_default();
    def.gravity = (vs_vec3){0, 0, -t->gravity};
    vs_world *world = NULL;
    vs_simulation *simulation = NULL;
    vs_simulation_options options = vs_simulation_options_default();
    options.scheme = t->scheme;
    result.error = vs_world_create(context, &def, &world);
    if (!result.error)
        result.error = toss_build(world, context, t, options.step, &seed);
    if (!result.error)
        result.error = vs_simulation_create(world, &options, &simulation);
    const double first = world ? vs_world_get_energy(world).kinetic : 1;
    double now = first;
    for (int k = 0; k < TOSS_STEPS && !result.error; k++) {
        vs_step_report report;
        const double free = toss_energy(world, options.step);
        result.error = vs_simulation_step(simulation, &report);
        if (result.error)
            break;
        now = toss_energy(world, 0);
        const double gain = (now - free) / fmax(free, first);
        result.contacts = report.active > result.contacts ? report.active : result.contacts;
        result.inaccurate += report.status != VS_STATUS_CONVERGED;
        if (gain > result.gain) {
            result.gain = gain, result.step = k + 1;
            result.swept = report.swept, result.held = report.held, result.factor = report.restitution_factor;
        }
    }
    result.end = now / first;
    vs_simulation_destroy(simulation);
    vs_world_destroy(world);
    return result;
}

#endif
