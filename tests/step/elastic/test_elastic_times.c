// Time stepping of flexible bodies: energy, order, and numerical damping (step/elastic/elastic_times.h).
#include "solids.h"

#include "voussoir/scene.h"

static void open_weightless(rig *s, bool floor, double damping, vs_scheme scheme, double step) {
    open_rig(s, 0, 0, floor);
    must(vs_world_set_gravity(s->world, VS_ZERO3), s->context);
    s->options.step = step, s->options.numerical_damping = damping, s->options.scheme = scheme;
}

// An upright bar of 1 m, in which waves travel at 1 m/s, meets the floor at 0.1 m/s and leaves it after 2 s. Returns the part of
// its kinetic energy that it has kept after 2.6 s.
static double bounce(double damping, vs_scheme scheme, int steps) {
    rig s;
    open_weightless(&s, true, damping, scheme, 2.6 / steps);
    vs_flexible_def def = soft(1000, (vs_vec3){0, 0, .53});
    def.elastic.poisson = 0, def.velocity.z = -.1;
    add_block(&s, (vs_vec3){.02, .02, .5}, (const int[]){1, 1, 30}, 4, def);
    start_rig(&s);
    vs_energy e = vs_world_get_energy(s.world);
    double before = e.kinetic + e.potential;
    vs_step_report r = {0};
    for (int k = 0; k < steps; k++)
        r = take_step(&s);
    assert_int_equal(r.active, 0); // it has left
    assert_near("balance", before + r.total.discretization, r.energy.kinetic + r.energy.potential, 1e-12 * before);
    close_rig(&s);
    return (r.energy.kinetic + r.energy.potential) / before;
}

// In truth all of it. The last row of nodes, 1/60 of the mass, loses its own when it meets the floor; implicit Euler as much as
// damps the wave front.
static void a_bar_bounces_off_a_wall_with_its_energy(void **state) {
    (void)state;
    double euler = bounce(-1, VS_SCHEME_MOREAU, 180), none = bounce(0, VS_SCHEME_MOREAU, 180);
    double some = bounce(.5, VS_SCHEME_MOREAU, 180), shake = bounce(-1, VS_SCHEME_SHAKE, 180);
    printf("  kept of 1: implicit Euler %.3f, damping 0: %.3f, 0.5: %.3f; shake: %.3f\n", euler, none, some, shake);
    assert_true(euler < .83);
    assert_true(none > .97 && none < 1 - 1. / 120); // less than the mass of the row times 1/2 … 1
    assert_true(some > .96 && some < none);
    assert_near("shake has the same times", shake, some, .01);
}

enum { TIMES = 20 };

// Height of the tip of a clamped bar at equal intervals of 1 s, while a load at the tip bends it.
static void swing(vs_scheme scheme, int steps, double height[TIMES]) {
    rig s;
    open_weightless(&s, false, -1, scheme, 1. / steps);
    vs_flexible_def def = soft(1e5, VS_ZERO3);
    def.elastic.poisson = 0, def.collide = false;
    vs_flexible_id bar = add_block(&s, (vs_vec3){.5, .05, .05}, (const int[]){3, 1, 1}, 10, def);
    vs_flexible_view view = view_of(&s, bar);
    int tip[32], tips = 0;
    for (int k = 0; k < view.nodes; k++) {
        if (view.rest[k].x < -.499)
            must(vs_world_prescribe_nodes(s.world, bar, 1, &k, NULL), s.context);
        if (view.rest[k].x > .499)
            tip[tips++] = k;
    }
    const double time[2] = {0, 1}, force[2] = {0, -1}; // a ramp: steps would excite vibrations that are not resolved
    const vs_signal down[3] = {{0}, {0}, {.kind = VS_SIGNAL_TABLE, .time = time, .sample = force, .count = 2}};
    must(vs_world_load_nodes(s.world, bar, tips, tip, down), s.context);
    start_rig(&s);
    for (int k = 0; k < TIMES; k++) {
        for (int i = 0; i < steps / TIMES; i++)
            take_step(&s);
        height[k] = view.position[tip[0]].z;
    }
    close_rig(&s);
}

// Root of the mean square.
static double swing_error(vs_scheme scheme, int steps, const double truth[TIMES]) {
    double height[TIMES], sum = 0;
    swing(scheme, steps, height);
    for (int k = 0; k < TIMES; k++)
        sum += (height[k] - truth[k]) * (height[k] - truth[k]);
    return sqrt(sum / TIMES);
}

static void a_cantilever_vibrates_with_second_order(void **state) {
    (void)state;
    double truth[TIMES], error[2];
    swing(VS_SCHEME_SHAKE, 1600, truth);
    for (int k = 0; k < 2; k++)
        error[k] = swing_error(VS_SCHEME_SHAKE, 200 << k, truth);
    double moreau = swing_error(VS_SCHEME_MOREAU, 400, truth), order = log2(error[0] / error[1]);
    printf("  shake %.1e and %.1e m, order %.2f; moreau: %.1e m\n", error[0], error[1], order, moreau);
    assert_near("order", order, 2, .15);
    assert_true(moreau > 10 * error[1]);
}

// For small strains elements are linear, and the midpoint rule keeps their energy, with steps longer than most periods, too.
// Strains of 1e-4 make 3e-9, and 3e-7 where vibrations within a step add to positions at its end.
static void the_midpoint_rule_keeps_energy(void **state) {
    (void)state;
    for (int longer = 0; longer < 2; longer++) {
        rig s;
        open_weightless(&s, false, 0, VS_SCHEME_MOREAU, longer ? .05 : .005);
        vs_flexible_def def = soft(1e5, VS_ZERO3);
        def.elastic.poisson = 0, def.collide = false;
        vs_flexible_id bar = add_block(&s, (vs_vec3){.5, .05, .05}, (const int[]){10, 1, 1}, 4, def);
        vs_flexible_view view = view_of(&s, bar);
        vs_vec3 velocity[64];
        assert_true(view.nodes <= 64);
        for (int k = 0; k < view.nodes; k++)
            velocity[k] = (vs_vec3){1e-3 * sin(pi * view.rest[k].x), 0, 0};
        must(vs_world_set_nodes(s.world, bar, NULL, velocity), s.context);
        start_rig(&s);
        double start = 0, worst = 0;
        for (int k = 0; k < 200; k++) {
            vs_step_report r = take_step(&s);
            double now = r.energy.kinetic + r.energy.potential;
            start = k == 0 ? now : start; // velocities begin at the same time as positions, then half a step earlier
            worst = fmax(worst, fabs(now - start));
        }
        printf("  %.3g J of %.3g J\n", worst, start);
        assert_true(start > 1e-6 && worst < (longer ? 1e-6 : 1e-8) * start);
        close_rig(&s);
    }
}

// Three-point bending for 0.3 s: what the punch does is stored. Implicit Euler loses a part of it, by damping the vibrations
// that the punch and the nodes cause that leave and meet the cylinders.
static double lose_in_bending(double damping) {
    memory m = {0};
    vs_context *context = make_context(&m);
    vs_scene *scene;
    vs_simulation *simulation;
    vs_step_report r = {0};
    must(vs_scene_make(context, "three-point-bending", (const vs_scene_parameter[]){{"cells", 18}}, 1, &scene),
         context);
    scene->options.numerical_damping = damping;
    must(vs_simulation_create(scene->world, &scene->options, &simulation), context);
    for (int k = 0; k < 30; k++)
        must(vs_simulation_step(simulation, &r), context);
    double part = -r.total.discretization / r.total.prescribed;
    assert_int_equal(vs_simulation_get_inaccurate_steps(simulation), 0);
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    end_context(context, &m);
    return part;
}

static void bending_stores_what_implicit_euler_loses(void **state) {
    (void)state;
    double euler = lose_in_bending(1), some = lose_in_bending(.5);
    printf("  lost of the punch's work: implicit Euler %.2g, damping 0.5: %.2g\n", euler, some);
    assert_true(euler > .04 && some > 0);
    assert_true(some < .125 * euler); // with 26 cells 0.07
}

// Turning by 1 rad per step, or far beyond what a linearization holds for: damping is raised, and energy does not grow.
static void damping_is_raised_where_elements_would_create_energy(void **state) {
    (void)state;
    rig s;
    open_weightless(&s, false, 0, VS_SCHEME_MOREAU, .01);
    vs_flexible_def def = soft(1e6, VS_ZERO3);
    def.collide = false;
    vs_flexible_id bar = add_block(&s, (vs_vec3){.5, .05, .05}, (const int[]){10, 2, 2}, 4, def);
    vs_flexible_view view = view_of(&s, bar);
    vs_vec3 x[128];
    assert_true(view.nodes <= 128);
    for (int k = 0; k < view.nodes; k++) { // bent by half a turn
        double angle = 3 * view.rest[k].x, r = 1. / 3 - view.rest[k].z;
        x[k] = (vs_vec3){r * sin(angle), view.rest[k].y, 1. / 3 - r * cos(angle)};
    }
    must(vs_world_set_nodes(s.world, bar, x, NULL), s.context);
    start_rig(&s);
    vs_energy e = vs_world_get_energy(s.world);
    double start = e.kinetic + e.potential, most = 0;
    for (int k = 0; k < 100; k++) {
        e = take_step(&s).energy;
        most = fmax(most, e.kinetic + e.potential);
    }
    printf("  %.1f J, at most %.1f J\n", start, most);
    assert_true(start > 10 && most < 1.02 * start);
    close_rig(&s);
}

// A steel rope hangs on one end and falls from level: its elements turn, and are longer by the square of what they turn.
// Returns the change of its energy; *most: at most; *unbalanced: steps that are reported so.
static double drop_rope(vs_scheme scheme, double bending, int rate, double *most, int *unbalanced) {
    enum { NODES = 13 };
    rig s;
    open_rig(&s, 0, 0, true);
    s.options.step = 1. / rate, s.options.scheme = scheme, s.options.solver.tolerance = 1e-6;
    vs_vec3 point[NODES];
    for (int k = 0; k < NODES; k++)
        point[k] = (vs_vec3){.1 * k, 0, 2};
    vs_beam_def def = vs_beam_def_default();
    def.nodes = NODES, def.point = point, def.along_y = .005, def.bending = bending, def.contact_radius = .005;
    def.elastic.young = 2e11, def.elastic.poisson = .3, def.elastic.density = 7800;
    def.material = s.material, def.name = "rope";
    must(vs_world_add_beam(s.world, &def, NULL), s.context);
    vs_joint_def hook = vs_joint_def_default();
    const vs_body_id end = vs_world_find_body(s.world, "rope.0");
    hook.kind = VS_JOINT_SPHERICAL, hook.b = end, hook.frame_a.position = point[0];
    hook.frame_b.position = vs_pose_apply_back(state_of(&s, end).pose, point[0]);
    must(vs_world_add_joint(s.world, &hook, NULL), s.context);
    start_rig(&s);
    vs_energy e = vs_world_get_energy(s.world);
    const double start = e.kinetic + e.potential;
    *most = 0, *unbalanced = 0;
    for (int k = 0; k < 2 * rate; k++) {
        const vs_step_report r = take_step(&s);
        e = r.energy;
        assert_true(r.problems <= 8);
        *unbalanced += r.unbalanced;
        *most = fmax(*most, e.kinetic + e.potential - start);
    }
    close_rig(&s);
    return e.kinetic + e.potential - start;
}

// Shake takes implicit Euler's steps where elements turn too far, instead of 1e18 J. Steps of 1/60 s are too long for either scheme:
// the rope is stretched at the end of each, and their reports tell it.
static void a_rope_that_falls_gains_no_energy(void **state) {
    (void)state;
    double most, moreau;
    int unbalanced, others;
    const double end = drop_rope(VS_SCHEME_SHAKE, 0, 240, &most, &unbalanced);
    printf("  240 steps per second: %.2e J at most, %.2f J at the end\n", most, end);
    assert_true(end < -3 && most < 1e-3 * -end && unbalanced == 0);
    const double rough = drop_rope(VS_SCHEME_SHAKE, .001, 60, &most, &unbalanced),
                 other = drop_rope(VS_SCHEME_MOREAU, .001, 60, &moreau, &others);
    printf("  60: %.0f J at most, %.2f J at the end; Moreau %.0f J, %.2f J\n", most, rough, moreau, other);
    assert_true(rough < -3 && other < -3 && most < 3 * moreau);
    assert_true(unbalanced > 0 && others > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_bounces_off_a_wall_with_its_energy),
        cmocka_unit_test(the_midpoint_rule_keeps_energy),
        cmocka_unit_test(damping_is_raised_where_elements_would_create_energy),
        cmocka_unit_test(a_rope_that_falls_gains_no_energy),
    };
    const struct CMUnitTest studies[] = {
        cmocka_unit_test(a_cantilever_vibrates_with_second_order),
        cmocka_unit_test(bending_stores_what_implicit_euler_loses),
    };
    return vs_run_tests_and_studies(tests, studies);
}
