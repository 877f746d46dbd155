// Newton's method on elastic forces: large steps end where many small ones end, and energy does not grow.
#include "solids.h"

static double energy_of(const rig *s) {
    vs_energy e = vs_world_get_energy(s->world);
    return e.kinetic + e.potential;
}

// Tip of a clamped bar with a load that bends it by most of its length, after some steps.
static vs_vec3 bend(vs_elastic_law law, double step, double beta, int iterations, int steps, int *problems) {
    rig s;
    open_rig(&s, 0, 0, false);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    s.options.step = step, s.options.elastic_iterations = iterations;
    vs_flexible_def def = soft(1e6, VS_ZERO3);
    def.law = law, def.elastic.beta = beta, def.collide = false;
    vs_flexible_id bar = add_block(&s, (vs_vec3){.5, .05, .05}, (const int[]){10, 2, 2}, 4, def);
    vs_flexible_view view = view_of(&s, bar);
    int tip[9], tips = 0;
    for (int k = 0; k < view.nodes; k++) {
        if (view.rest[k].x < -.499)
            must(vs_world_prescribe_nodes(s.world, bar, 1, &k, NULL), s.context);
        if (view.rest[k].x > .499)
            tip[tips++] = k;
    }
    const vs_signal down[3] = {{0}, {0}, {.kind = VS_SIGNAL_CONSTANT, .value = -60}};
    must(vs_world_load_nodes(s.world, bar, tips, tip, down), s.context);
    start_rig(&s);
    for (int k = 0; k < steps; k++)
        *problems = take_step(&s).elastic_iterations;
    vs_vec3 x = view.position[tip[4]];
    close_rig(&s);
    return x;
}

static void one_large_step_finds_the_equilibrium(void **state) {
    (void)state;
    for (vs_elastic_law law = VS_ELASTIC_COROTATIONAL; law <= VS_ELASTIC_NEO_HOOKEAN;
         law += VS_ELASTIC_NEO_HOOKEAN - VS_ELASTIC_COROTATIONAL) {
        int problems, once;
        vs_vec3 newton = bend(law, 10, 0, 100, 1, &problems), linear = bend(law, 10, 0, 1, 1, &once);
        // approaches it by beta K v = -f, at the rate 1/beta, for 30 of these times
        vs_vec3 many = bend(law, .05, .5, 1, 300, &once);
        double off = vs_length(vs_subtract(newton, many)), before = vs_length(vs_subtract(linear, many));
        printf("  %d problems: %.1e m off, one: %.2f m; the tip sinks by %.2f m\n", problems, off, before, -many.z);
        assert_int_equal(once, 1);
        assert_true(-many.z > .3 && before > .05);
        // it stops when the next expansion is within 1e-5; convergence is linear, by 0.8 per iteration
        assert_true(problems < 60 && off < 2e-4);
    }
}

// A bar that turns by 1 rad per step: linearised only once it is stretched by half, and gains energy from that.
static void turning_makes_no_energy(void **state) {
    (void)state;
    double most[2];
    for (int newton = 0; newton < 2; newton++) {
        rig s;
        open_rig(&s, 0, 0, false);
        must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
        s.options.step = .05, s.options.elastic_iterations = newton ? 30 : 1;
        vs_flexible_def def = soft(1e6, VS_ZERO3);
        def.spin = (vs_vec3){0, 0, 20};
        add_block(&s, (vs_vec3){.5, .05, .05}, (const int[]){10, 2, 2}, 4, def);
        start_rig(&s);
        double energy = energy_of(&s), start = energy;
        most[newton] = 0;
        for (int k = 0; k < 20; k++) {
            take_step(&s);
            double now = energy_of(&s);
            most[newton] = fmax(most[newton], now - energy);
            energy = now;
        }
        printf("  %s: from %.0f J, at most %.2g J more in a step\n", newton ? "Newton" : "once", start, most[newton]);
        close_rig(&s);
    }
    assert_true(most[0] > 100);
    assert_true(most[1] < 1e-3); // it stops at 1e-10 of the energy, some hundred joules
}

// A hard floor under it: the energy balance closes with the time-discretization loss of implicit Euler, never a gain.
static void contacts_and_moved_nodes_make_no_energy(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, true);
    s.options.step = .02, s.options.elastic_iterations = 30;
    vs_flexible_def def = soft(2e5, (vs_vec3){0, 0, .2});
    vs_flexible_id block = add_block(&s, (vs_vec3){.4, .05, .05}, (const int[]){8, 2, 2}, 4, def);
    vs_flexible_view view = view_of(&s, block);
    const vs_signal down[3] = {{0}, {0}, {.kind = VS_SIGNAL_CONSTANT, .value = -.5}};
    for (int k = 0; k < view.nodes; k++)
        if (view.rest[k].x < -.399)
            must(vs_world_prescribe_nodes(s.world, block, 1, &k, down), s.context);
    start_rig(&s);
    double energy = energy_of(&s), work = 0;
    int contacts = 0;
    for (int k = 0; k < 14; k++) {
        vs_step_report r = take_step(&s);
        double now = r.energy.kinetic + r.energy.potential;
        work += r.flow.prescribed;
        contacts += r.active;
        // the tolerances of the solver, 1e-12, and of the expansion, 1e-10 of some ten joules
        assert_true(now - energy - r.work + r.dissipation < 1e-6);
        energy = now;
    }
    printf("  %d forces of contacts, %.2f J by the hand\n", contacts, work);
    assert_true(contacts > 0 && fabs(work) > 1);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_large_step_finds_the_equilibrium),
        cmocka_unit_test(turning_makes_no_energy),
        cmocka_unit_test(contacts_and_moved_nodes_make_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
