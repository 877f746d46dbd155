// Flexible bodies against closed forms: a slider of any size, a cantilever bent far, a sphere on an elastic block.
#include "solids.h"

#include "../element/elastica.h"

// A block slides down a plane: a = g (sin - mu cos), whatever its size. (Chrono's issue 462: 31 % off at 1/10.)
static void slider_accelerates_right_at_any_scale(void **state) {
    (void)state;
    const double mu = .2, angle = 30 * pi / 180, expected = standard_gravity * (sin(angle) - mu * cos(angle));
    for (int k = 0; k < 3; k++) {
        const double scale = pow(.1, k);
        stage s;
        open_stage(&s, mu, angle, true);
        s.options.step = .002;
        s.options.solver.tolerance = 1e-8;
        vs_flexible_def def = soft(1e7, (vs_vec3){0, 0, .05 * scale});
        def.elastic.beta = .005;
        vs_flexible_id id = add_block(&s, (vs_vec3){.2 * scale, .1 * scale, .05 * scale}, (int[]){4, 2, 1}, 4, def);
        start_stage(&s);
        for (int i = 0; i < 100; i++) // until what it is set down with has died away
            take_step(&s);
        vs_flexible_view v = view_of(&s, id);
        vs_vec3 before = mean_of(&v, v.velocity);
        for (int i = 0; i < 50; i++)
            take_step(&s);
        double a = (mean_of(&v, v.velocity).x - before.x) / (50 * s.options.step);
        printf("  scale %g: %.6f m/s^2 instead of %.6f\n", scale, a, expected);
        assert_near("acceleration", a, expected, 1e-3 * expected);
        close_stage(&s);
    }
}

// Steps as long as these only look for rest.
static void settle(stage *s, int steps) {
    for (int k = 0; k < steps; k++)
        take_step(s);
}

// A line of beams with a dead load at its end: elastica to large deflection.
static void beams_bend_like_the_elastica(void **state) {
    (void)state;
    enum { NODES = 21 };
    const double k = 2, L = 1, r = .01, E = 1e9, EI = E * pi * r * r * r * r / 4;
    stage s;
    open_stage(&s, .5, 0, false);
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
    vs_joint_def_world clamp = vs_joint_def_world_default();
    clamp.kind = VS_JOINT_FIXED, clamp.b = v.body[0];
    vs_body_state at = state_of(&s, v.body[0]);
    clamp.frame_a = at.pose;
    clamp.frame_b = VS_IDENTITY_POSE;
    must(vs_world_add_joint(s.world, &clamp, NULL), s.context);
    const vs_signal force[3] = {{0}, {0}, {.value = -k * EI / (L * L)}};
    must(vs_world_add_load(s.world, v.body[NODES - 1], force, NULL), s.context);
    start_stage(&s);
    settle(&s, 200);
    v = view_of(&s, id);
    double down = -v.position[NODES - 1].z / L, short_by = 1 - v.position[NODES - 1].x / L;
    const double w = MATTIASSON[1].w, u = MATTIASSON[1].u; // k = 2
    printf("  tip: down %.4f (%.4f), back %.4f (%.4f)\n", down, w, short_by, u);
    // 20 elements: order h^2, and 1e-4 of stretch and shear
    assert_near("down", down, w, 3e-3);
    assert_near("back", short_by, u, 3e-3);
    // at the clamp the load is what crosses the section, and the moment is load times arm
    double forces[6];
    must(vs_world_get_beam_forces(s.world, id, 0, forces), s.context);
    double load = k * EI / (L * L);
    assert_near("section force", sqrt(forces[0] * forces[0] + forces[1] * forces[1] + forces[2] * forces[2]), load,
                1e-3 * load);
    close_stage(&s);
}

// The same of 10-node tetrahedra. Slender enough that shear adds 1 % or so.
static void solid_bends_like_the_elastica(void **state) {
    (void)state;
    const double k = 2, L = 1, side = .06, E = 1e7, EI = E * side * side * side * side / 12;
    stage s;
    open_stage(&s, .5, 0, false);
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
    must(vs_world_hold_nodes(s.world, id, roots, root, NULL), s.context);
    const vs_signal force[3] = {{0}, {0}, {.value = -k * EI / (L * L)}};
    must(vs_world_load_nodes(s.world, id, tips, tip, force), s.context);
    start_stage(&s);
    settle(&s, 300);
    const double w = MATTIASSON[1].w; // k = 2
    double down = 0;
    for (int i = 0; i < tips; i++)
        down -= v.position[tip[i]].z / (tips * L);
    printf("  tip: down %.4f (%.4f)\n", down, w);
    assert_near("down", down, w, .02 * w);
    close_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slider_accelerates_right_at_any_scale),
        cmocka_unit_test(beams_bend_like_the_elastica),
        cmocka_unit_test(solid_bends_like_the_elastica),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
