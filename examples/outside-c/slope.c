// A box on a slope, simulated for one second: it sticks if tan(slope) is less than mu; otherwise it slides with the
// acceleration g (sin - mu cos). The world is built through the API, without a scene file.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include <voussoir/voussoir.h>

static const double mu = 0.5, gravity = 9.81, half = 0.5; // 1, m/s^2, m

// A plane, and a box on it. The slope is in the direction of gravity: x points downhill.
static vs_error build(vs_context *context, double slope, vs_world **world, vs_body_id *box) {
    vs_shape *plane = NULL, *cube = NULL;
    vs_mass_properties mass;
    vs_error error = vs_world_create(context, NULL, world);
    if (error == VS_OK)
        error = vs_world_set_gravity(*world, (vs_vec3){gravity * sin(slope), 0, -gravity * cos(slope)});
    if (error == VS_OK)
        error = vs_shape_plane(context, &plane);
    if (error == VS_OK)
        error = vs_shape_box(context, (vs_vec3){half, half, half}, &cube);
    if (error == VS_OK)
        error = vs_shape_get_mass(cube, 1000, &mass);

    vs_material material = vs_material_default();
    material.mu = mu;
    if (error == VS_OK)
        error = vs_world_add_material(*world, &material, "stone", NULL);
    vs_collider_def ground = vs_collider_def_default(); // of the world, which does not move
    ground.shape = plane;
    if (error == VS_OK)
        error = vs_world_add_collider(*world, &ground, NULL);

    vs_body_def body = vs_body_def_default();
    body.pose.position.z = half;
    if (error == VS_OK) {
        body.mass = mass.mass;
        body.inertia = mass.inertia;
        error = vs_world_add_body(*world, &body, box);
    }
    vs_collider_def side = vs_collider_def_default();
    side.shape = cube;
    if (error == VS_OK) {
        side.body = *box;
        error = vs_world_add_collider(*world, &side, NULL);
    }
    vs_shape_release(plane); // the world has retained both
    vs_shape_release(cube);
    return error;
}

// True if the box moves by the expected distance in one second.
static bool try_slope(vs_context *context, double degrees) {
    const double slope = degrees * 3.14159265358979 / 180, a = gravity * (sin(slope) - mu * cos(slope));
    const double wanted = a > 0 ? a / 2 : 0;
    vs_world *world = NULL;
    vs_simulation *simulation = NULL;
    vs_body_id box;
    vs_body_state state = {0};
    vs_error error = build(context, slope, &world, &box);
    if (error == VS_OK)
        error = vs_simulation_create(world, NULL, &simulation);
    if (error == VS_OK)
        error = vs_simulation_run(simulation, 1.0);
    if (error == VS_OK)
        error = vs_world_get_body_state(world, box, &state);
    // A step moves by the velocity at its end: the distance is too long by h a / 2, a fraction h = 1/240 of it.
    const bool good = error == VS_OK && vs_simulation_get_inaccurate_steps(simulation) == 0 &&
                      fabs(state.pose.position.x - wanted) < 1e-6 + 1.1 / 240 * wanted;
    if (error == VS_OK)
        printf("slope %2.0f degrees: moved %.4f m, %.4f m by hand\n", degrees, state.pose.position.x, wanted);
    else
        (void)fprintf(stderr, "slope: %s\n", vs_context_get_error_text(context));
    vs_simulation_destroy(simulation);
    vs_world_destroy(world);
    return good;
}

int main(void) {
    vs_context *context = NULL;
    if (vs_context_create(NULL, &context) != VS_OK)
        return 2;
    const bool good = try_slope(context, 20) && try_slope(context, 35);
    vs_context_destroy(context);
    return good ? 0 : 1;
}
