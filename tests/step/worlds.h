// Small worlds for the tests of the stepper.
#ifndef VS_TESTS_STEP_WORLDS_H
#define VS_TESTS_STEP_WORLDS_H

#include "kit/compare.h"
#include "kit/memory.h"
#include "voussoir/simulation.h"

static const double standard_gravity = 9.81, pi = 3.14159265358979323846;

// A test rig: a world with the simulation that steps it.
typedef struct rig {
    memory memory;
    vs_context *context;
    vs_world *world;
    vs_simulation *simulation;
    vs_simulation_options options;
    int material;
} rig;

// A world with one material and a floor z = 0, tilted about y by `angle`: gravity turns instead of the floor.
static inline void open_rig(rig *s, double mu, double angle, bool floor) {
    *s = (rig){0};
    s->context = make_context(&s->memory);
    vs_world_def world = vs_world_def_default();
    world.gravity = (vs_vec3){standard_gravity * sin(angle), 0, -standard_gravity * cos(angle)};
    must(vs_world_create(s->context, &world, &s->world), s->context);
    vs_material material = vs_material_default();
    material.mu = mu;
    must(vs_world_add_material(s->world, &material, "test", &s->material), s->context);
    s->options = vs_simulation_options_default();
    s->options.step = .0025;
    s->options.solver.tolerance = 1e-12;
    if (!floor)
        return;
    vs_shape *plane;
    must(vs_shape_plane(s->context, &plane), s->context);
    vs_collider_def collider = vs_collider_def_default();
    collider.shape = plane, collider.material = s->material;
    must(vs_world_add_collider(s->world, &collider, NULL), s->context);
    vs_shape_release(plane);
}

static inline void start_rig(rig *s) {
    must(vs_simulation_create(s->world, &s->options, &s->simulation), s->context);
}

// Closes everything and proves that nothing is left.
static inline void close_rig(rig *s) {
    vs_simulation_destroy(s->simulation);
    vs_world_destroy(s->world);
    end_context(s->context, &s->memory);
}

// A body of one solid shape, released here.
static inline vs_body_id add_solid(rig *s, vs_shape *shape, double density, vs_pose pose, vs_vec3 velocity) {
    vs_mass_properties mass;
    must(vs_shape_get_mass(shape, density, &mass), s->context);
    vs_body_def body = vs_body_def_default();
    body.pose = pose, body.velocity = velocity, body.mass = mass.mass, body.inertia = mass.inertia;
    vs_body_id id;
    must(vs_world_add_body(s->world, &body, &id), s->context);
    vs_collider_def collider = vs_collider_def_default();
    collider.body = id, collider.shape = shape, collider.material = s->material;
    must(vs_world_add_collider(s->world, &collider, NULL), s->context);
    vs_shape_release(shape);
    return id;
}

static inline vs_body_id add_ball(rig *s, double radius, double density, vs_vec3 at, vs_vec3 velocity) {
    vs_shape *shape;
    must(vs_shape_sphere(s->context, radius, &shape), s->context);
    return add_solid(s, shape, density, (vs_pose){at, {1, 0, 0, 0}}, velocity);
}

static inline vs_body_id add_box(rig *s, vs_vec3 half, double density, vs_vec3 at, vs_vec3 velocity) {
    vs_shape *shape;
    must(vs_shape_box(s->context, half, &shape), s->context);
    return add_solid(s, shape, density, (vs_pose){at, {1, 0, 0, 0}}, velocity);
}

// A conveyor of 10 m along x, its top at z = 0, moving at 1 m/s.
static inline void add_belt(rig *s) {
    vs_shape *belt;
    must(vs_shape_box(s->context, (vs_vec3){5, 1, .1}, &belt), s->context);
    vs_collider_def collider = vs_collider_def_default();
    collider.shape = belt, collider.material = s->material, collider.pose.position.z = -.1;
    collider.surface_velocity = (vs_vec3){1, 0, 0};
    must(vs_world_add_collider(s->world, &collider, NULL), s->context);
    vs_shape_release(belt);
}

static inline vs_body_state state_of(const rig *s, vs_body_id id) {
    vs_body_state state;
    must(vs_world_get_body_state(s->world, id, &state), s->context);
    return state;
}

static inline vs_step_report take_step(rig *s) {
    vs_step_report report;
    must(vs_simulation_step(s->simulation, &report), s->context);
    if (report.status != VS_STATUS_CONVERGED)
        fail_msg("step %lld: %s: %s", (long long)report.step, vs_status_name(report.status), report.status_text);
    return report;
}

// A bar of 1 m that swings about its end from horizontal: 1/3 theta'' = 1/2 g cos theta, by the classical method of Runge and
// Kutta, with an error below 1e-9.
static inline double swing_angle(double time) {
    enum { STEPS = 4000 };
    double h = time / STEPS, x = 0, v = 0;
    const double a = 1.5 * standard_gravity;
    for (int k = 0; k < STEPS; k++) {
        double v1 = v, a1 = a * cos(x), v2 = v + .5 * h * a1, a2 = a * cos(x + .5 * h * v1);
        double v3 = v + .5 * h * a2, a3 = a * cos(x + .5 * h * v2), v4 = v + h * a3, a4 = a * cos(x + h * v3);
        x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return x;
}

#endif
