// Flexible bodies against closed forms: a slider of any size, a cantilever bent far, a sphere on an elastic block.
#include "solids.h"

#include "element/elastica.h"

// A block slides down a plane: a = g (sin - mu cos), whatever its size. (Chrono's issue 462: 31 % off at 1/10.)
static void slider_accelerates_right_at_any_scale(void **state) {
    (void)state;
    const double mu = .2, angle = 30 * pi / 180, expected = standard_gravity * (sin(angle) - mu * cos(angle));
    for (int k = 0; k < 3; k++) {
        const double scale = pow(.1, k);
        rig s;
        open_rig(&s, mu, angle, true);
        s.options.step = .002;
        s.options.solver.tolerance = 1e-8;
        vs_flexible_def def = soft(1e7, (vs_vec3){0, 0, .05 * scale});
        def.elastic.beta = .005;
        vs_flexible_id id = add_block(&s, (vs_vec3){.2 * scale, .1 * scale, .05 * scale}, (int[]){4, 2, 1}, 4, def);
        start_rig(&s);
        for (int i = 0; i < 100; i++) // until the initial vibration has decayed
            take_step(&s);
        vs_flexible_view v = view_of(&s, id);
        vs_vec3 before = mean_of(&v, v.velocity);
        for (int i = 0; i < 50; i++)
            take_step(&s);
        double a = (mean_of(&v, v.velocity).x - before.x) / (50 * s.options.step);
        printf("  scale %g: %.6f m/s^2 instead of %.6f\n", scale, a, expected);
        assert_near("acceleration", a, expected, 1e-3 * expected);
        close_rig(&s);
    }
}

// Steps as long as these only find the equilibrium.
static void settle(rig *s, int steps) {
    for (int k = 0; k < steps; k++)
        take_step(s);
}

// A line of beams with a dead load at its end: elastica to large deflection.
static void beams_bend_like_the_elastica(void **state) {
    (void)state;
    enum { NODES = 21 };
    const double k = 2, L = 1, r = .01, E = 1e9, EI = E * pi * r * r * r * r / 4;
    rig s;
    open_rig(&s, .5, 0, false);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    s.options.step = .05;
    s.options.solver.tolerance = 1e-8;
    vs_vec3 point[NODES];
    for (int i = 0; i < NODES; i++)
        point[i] = (vs_vec3){L * i / (NODES - 1), 0, 0};
    vs_beam_def def = vs_beam_def_default();
    def.nodes = NODES, def.point = point, def.along_y = r;
    def.elastic = (vs_elastic_material){.density = 1000, .young = E, .poisson = .3, .alpha = 5};
    vs_flexible_id id;
    must(vs_world_add_beam(s.world, &def, &id), s.context);
    vs_flexible_view v = view_of(&s, id);
    vs_joint_def clamp = vs_joint_def_default();
    clamp.kind = VS_JOINT_FIXED, clamp.b = v.body[0];
    vs_body_state at = state_of(&s, v.body[0]);
    clamp.frame_a = at.pose;
    clamp.frame_b = VS_IDENTITY_POSE;
    must(vs_world_add_joint(s.world, &clamp, NULL), s.context);
    const vs_signal force[3] = {{0}, {0}, {.value = -k * EI / (L * L)}};
    must(vs_world_add_load(s.world, v.body[NODES - 1], force, NULL), s.context);
    start_rig(&s);
    settle(&s, 200);
    v = view_of(&s, id);
    double down = -v.position[NODES - 1].z / L, short_by = 1 - v.position[NODES - 1].x / L;
    const double w = MATTIASSON[1].w, u = MATTIASSON[1].u; // k = 2
    printf("  tip: down %.4f (%.4f), back %.4f (%.4f)\n", down, w, short_by, u);
    // 20 elements: order h^2, and 1e-4 of stretch and shear
    assert_near("down", down, w, 3e-3);
    assert_near("back", short_by, u, 3e-3);
    // at the clamp the internal force is the load, and the moment is load times arm
    double forces[6];
    must(vs_world_get_beam_forces(s.world, id, 0, forces), s.context);
    double load = k * EI / (L * L);
    assert_near("section force", sqrt(forces[0] * forces[0] + forces[1] * forces[1] + forces[2] * forces[2]), load,
                1e-3 * load);
    close_rig(&s);
}

// The same of 10-node tetrahedra. Slender enough that shear adds 1 % or so.
static void solid_bends_like_the_elastica(void **state) {
    (void)state;
    const double k = 2, L = 1, side = .06, E = 1e7, EI = E * side * side * side * side / 12;
    rig s;
    open_rig(&s, .5, 0, false);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    s.options.step = .05;
    s.options.solver.tolerance = 1e-8;
    vs_flexible_def def = soft(E, (vs_vec3){.5 * L, 0, 0});
    def.elastic.poisson = 0, def.elastic.alpha = 5;
    vs_flexible_id id = add_block(&s, (vs_vec3){.5 * L, .5 * side, .5 * side}, (int[]){12, 1, 1}, 10, def);
    vs_flexible_view v = view_of(&s, id);
    int root[32], tip[32], roots = 0, tips = 0;
    for (int i = 0; i < v.nodes; i++) {
        if (v.rest[i].x < 1e-9)
            root[roots++] = i;
        if (v.rest[i].x > L - 1e-9)
            tip[tips++] = i;
    }
    must(vs_world_prescribe_nodes(s.world, id, roots, root, NULL), s.context);
    const vs_signal force[3] = {{0}, {0}, {.value = -k * EI / (L * L)}};
    must(vs_world_load_nodes(s.world, id, tips, tip, force), s.context);
    start_rig(&s);
    settle(&s, 300);
    const double w = MATTIASSON[1].w; // k = 2
    double down = 0;
    for (int i = 0; i < tips; i++)
        down -= v.position[tip[i]].z / (tips * L);
    printf("  tip: down %.4f (%.4f)\n", down, w);
    assert_near("down", down, w, .02 * w);
    close_rig(&s);
}

// ---- Hertz -----------------------------------------------------------------------------------------

// Distance of plane c of n: `fine` cells of size s, then each larger than the one before by the same factor, W in all.
static double graded(double c, int n, int fine, double s, double W) {
    double low = 1.0001, high = 10;
    if (c <= fine)
        return c * s;
    for (int k = 0; k < 80; k++) {
        double q = .5 * (low + high), sum = s * q * (pow(q, n - fine) - 1) / (q - 1);
        *(sum < W - fine * s ? &low : &high) = q;
    }
    return fine * s + s * low * (pow(low, c - fine) - 1) / (low - 1);
}

// A quarter of a half space, 80 contact radii wide, of 10-node tetrahedra.
static vs_flexible_id add_quarter(rig *s, double young, double poisson, double W) {
    enum { CELLS = 11, FINE = 3 };
    const double size = .04;
    vs_mesh *grid, *linear, *mesh;
    must(vs_mesh_box(s->context, (vs_vec3){.5, .5, .5}, (int[]){CELLS, CELLS, CELLS}, 4, &grid), s->context);
    vs_mesh_view v = vs_mesh_get_view(grid);
    vs_vec3 *x = test_malloc(sizeof *x * (size_t)v.vertices);
    for (int k = 0; k < v.vertices; k++)
        x[k] = (vs_vec3){graded(CELLS * (.5 + v.vertex[k].x), CELLS, FINE, size, W),
                         graded(CELLS * (.5 + v.vertex[k].y), CELLS, FINE, size, W),
                         -graded(CELLS * (.5 - v.vertex[k].z), CELLS, FINE - 1, size, W)};
    vs_mesh_def def = vs_mesh_def_default();
    def.vertices = v.vertices, def.vertex = x, def.elements = v.elements, def.element = v.element;
    must(vs_mesh_create(s->context, &def, &linear), s->context);
    must(vs_mesh_make_quadratic(linear, &mesh), s->context);
    vs_flexible_def flexible = soft(young, VS_ZERO3);
    flexible.elastic.poisson = poisson, flexible.elastic.density = 1e-3; // nearly without mass: statics
    flexible.mesh = mesh, flexible.material = s->material;
    vs_flexible_id id;
    must(vs_world_add_flexible(s->world, &flexible, &id), s->context);
    vs_mesh_destroy(grid), vs_mesh_destroy(linear), vs_mesh_destroy(mesh);
    test_free(x);
    vs_flexible_view view = view_of(s, id);
    for (int k = 0; k < view.nodes; k++) {
        vs_vec3 p = view.rest[k];
        bool far = p.z < -.999 * W || p.x > .999 * W || p.y > .999 * W;
        unsigned axes = (p.x < 1e-9 ? 1U : 0U) | (p.y < 1e-9 ? 2U : 0U);
        if (far)
            must(vs_world_prescribe_nodes(s->world, id, 1, &k, NULL), s->context);
        else
            must(vs_world_fix_nodes(s->world, id, 1, &k, axes), s->context);
    }
    return id;
}

// A rigid sphere pressed into an elastic half space: F = 4/3 E* sqrt(R) d^1.5, p0 = 2 E*/pi sqrt(d/R).
static void sphere_is_pressed_in_as_hertz_says(void **state) {
    (void)state;
    const double R = 1, E = 1e6, nu = .3, modulus = E / (1 - nu * nu), depth = .01;
    rig s;
    open_rig(&s, 0, 0, false);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    s.options.step = 1;
    s.options.solver.tolerance = 1e-8;
    s.options.envelope = .006; // within reach of a step of depth/2
    vs_flexible_id id = add_quarter(&s, E, nu, 8);
    vs_shape *sphere;
    must(vs_shape_sphere(s.context, R, &sphere), s.context);
    vs_body_def body = vs_body_def_default();
    body.motion = VS_MOTION_KINEMATIC;
    body.pose.position = (vs_vec3){0, 0, R};
    body.velocity = (vs_vec3){0, 0, -.5 * depth};
    vs_body_id punch;
    must(vs_world_add_body(s.world, &body, &punch), s.context);
    vs_collider_def collider = vs_collider_def_default();
    collider.body = punch, collider.shape = sphere, collider.material = s.material;
    must(vs_world_add_collider(s.world, &collider, NULL), s.context);
    vs_shape_release(sphere);
    start_rig(&s);
    vs_flexible_view v = view_of(&s, id);
    double *pressure = test_malloc(sizeof *pressure * (size_t)v.nodes);
    for (int k = 1; k <= 2; k++) {
        take_step(&s);
        double d = .5 * k * depth, force = -4 * force_of_body(&s, punch.index).z, most = 0;
        double F = 4. / 3 * modulus * sqrt(R) * pow(d, 1.5), p0 = 2 * modulus / pi * sqrt(d / R);
        must(vs_simulation_get_pressure(s.simulation, id, pressure), s.context);
        for (int i = 0; i < v.nodes; i++)
            most = fmax(most, pressure[i]);
        printf("  depth %g m: force %.4f, peak pressure %.3f of Hertz's\n", d, force / F, most / p0);
        assert_near("force", force, F, .03 * F);
        assert_near("peak pressure", most, p0, .1 * p0);
    }
    test_free(pressure);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slider_accelerates_right_at_any_scale),
        cmocka_unit_test(beams_bend_like_the_elastica),
        cmocka_unit_test(solid_bends_like_the_elastica),
    };
    const struct CMUnitTest studies[] = {cmocka_unit_test(sphere_is_pressed_in_as_hertz_says)};
    return vs_run_tests_and_studies(tests, studies);
}
