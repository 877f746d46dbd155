// Flexible solids in the stepper: momentum, weight, friction, glue, prescribed nodes.
#include "solids.h"

// No external force but gravity: the centre of mass falls like a point mass, for all material laws and elements.
static void free_flight_keeps_momentum(void **state) {
    (void)state;
    for (int run = 0; run < 6; run++) {
        rig s;
        open_rig(&s, .5, 0, false);
        vs_flexible_def def = soft(1e5, (vs_vec3){0, 0, 0});
        def.law = (vs_elastic_law)(run / 2);
        def.consistent_mass = run % 2;
        def.velocity = (vs_vec3){1, 2, 3}, def.spin = (vs_vec3){2, 0, 1};
        vs_flexible_id id = add_block(&s, (vs_vec3){.1, .05, .05}, (int[]){2, 1, 1}, run % 2 ? 10 : 4, def);
        start_rig(&s);
        vs_vec3 before = vs_world_get_energy(s.world).momentum;
        for (int k = 0; k < 40; k++)
            take_step(&s);
        vs_energy after = vs_world_get_energy(s.world);
        double t = 40 * s.options.step, mass = 1000 * .2 * .1 * .1;
        assert_near("momentum x", after.momentum.x, before.x, 1e-9 * vs_length(before));
        assert_near("momentum y", after.momentum.y, before.y, 1e-9 * vs_length(before));
        assert_near("momentum z", after.momentum.z, before.z - mass * standard_gravity * t, 1e-9 * vs_length(before));
        int inverted;
        double least;
        must(vs_world_get_flexible_inverted(s.world, id, &inverted, &least), s.context);
        assert_int_equal(inverted, 0);
        // it turns by 0.2 rad: a rotation is no strain
        assert_near("volume", least, 1, .02);
        close_rig(&s);
    }
}

static double floor_force(const rig *s) {
    double sum = 0;
    for (int k = 0; k < vs_simulation_get_contact_count(s->simulation); k++) {
        vs_contact_view c;
        must(vs_simulation_get_contact_at(s->simulation, k, &c), s->context);
        assert_int_equal(c.a.index, 0);
        assert_true(c.flexible_b.generation > 0);
        sum += c.impulse.z / s->options.step;
    }
    return sum;
}

static void cube_rests_on_its_weight(void **state) {
    (void)state;
    for (int nodes = 4; nodes <= 10; nodes += 6) {
        rig s;
        open_rig(&s, .5, 0, true);
        s.options.step = .01;
        vs_flexible_def def = soft(1e5, (vs_vec3){0, 0, .101});
        def.elastic.beta = .02, def.elastic.poisson = 0;
        vs_flexible_id id =
            add_block(&s, (vs_vec3){.1, .1, .1}, nodes == 4 ? (int[]){3, 3, 3} : (int[]){2, 2, 2}, nodes, def);
        start_rig(&s);
        for (int k = 0; k < 150; k++)
            take_step(&s);
        double weight = 1000 * .008 * standard_gravity;
        assert_near("reaction", floor_force(&s), weight, 1e-6 * weight);
        // compressed by its own weight: rho g H^2 / (2 E) at the top for small strains (here 1 %); the mean of the top,
        // because nodes of the corners carry less
        vs_flexible_view v = view_of(&s, id);
        double sag = 1000 * standard_gravity * .04 / (2 * 1e5), lowest = 1, top = 0, tops = 0;
        for (int k = 0; k < v.nodes; k++) {
            lowest = fmin(lowest, v.position[k].z);
            bool up = v.rest[k].z > .2;
            top += up ? v.position[k].z : 0;
            tops += up;
        }
        assert_near("floor", lowest, 0, 1e-6);
        assert_near("top", top / tops, .2 - sag, .06 * sag);
        double *pressure = test_malloc(sizeof *pressure * (size_t)v.nodes), most = 0, least = 1e9;
        must(vs_simulation_get_pressure(s.simulation, id, pressure), s.context);
        for (int k = 0; k < v.nodes && nodes == 4; k++)
            if (v.position[k].z < 1e-6) {
                most = fmax(most, pressure[k]);
                least = fmin(least, pressure[k]);
            }
        if (nodes == 4) // about weight over area everywhere
            assert_true(least > .3 * weight / .04 && most < 2 * weight / .04);
        test_free(pressure);
        close_rig(&s);
    }
}

static void block_slides_and_stops(void **state) {
    (void)state;
    const double mu = .3, v0 = 1;
    rig s;
    open_rig(&s, mu, 0, true);
    s.options.step = .005;
    vs_flexible_def def = soft(1e7, (vs_vec3){0, 0, .05});
    def.elastic.beta = .001;
    def.velocity = (vs_vec3){v0, 0, 0};
    vs_flexible_id id = add_block(&s, (vs_vec3){.2, .1, .05}, (int[]){4, 2, 1}, 4, def);
    start_rig(&s);
    for (int k = 0; k < 40; k++)
        take_step(&s);
    vs_flexible_view v = view_of(&s, id);
    double t = 40 * s.options.step;
    // friction is mu times the load on the floor, which is the weight apart from the remaining vertical motion
    assert_near("speed", mean_of(&v, v.velocity).x, v0 - mu * standard_gravity * t, .01 * v0);
    for (int k = 0; k < 60; k++)
        take_step(&s);
    v = view_of(&s, id);
    assert_near("at rest", mean_of(&v, v.velocity).x, 0, 1e-6);
    close_rig(&s);
}

// A block glued below a heavy box that rests on a table of two static boxes: the glue carries its weight.
static void glued_nodes_follow_their_body(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, false);
    s.options.step = .01;
    s.options.solver.tolerance = 1e-9; // joints on nodes of 1e-3 kg and a body of 2 kg: roundoff of H
    vs_body_id box = add_box(&s, (vs_vec3){.1, .1, .05}, 500, (vs_vec3){0, 0, .05}, (vs_vec3){.5, 0, 1});
    vs_flexible_def def = soft(1e6, (vs_vec3){0, 0, -.05});
    vs_flexible_id id = add_block(&s, (vs_vec3){.05, .05, .05}, (int[]){2, 2, 2}, 4, def);
    vs_flexible_view v = view_of(&s, id);
    int top[64], count = 0;
    for (int k = 0; k < v.nodes; k++)
        if (v.rest[k].z > -1e-9)
            top[count++] = k;
    assert_int_equal(count, 9);
    must(vs_world_attach_nodes(s.world, id, count, top, box), s.context);
    vs_vec3 p0 = vs_world_get_energy(s.world).momentum;
    start_rig(&s);
    for (int k = 0; k < 50; k++)
        take_step(&s);
    vs_body_state b = state_of(&s, box);
    for (int k = 0; k < count; k++) {
        vs_vec3 place = vs_pose_apply(b.pose, vs_subtract(v.rest[top[k]], (vs_vec3){0, 0, .05}));
        assert_near("glue", vs_length(vs_subtract(place, v.position[top[k]])), 0, 2e-4);
    }
    vs_vec3 p = vs_world_get_energy(s.world).momentum;
    double mass = 500 * .004 + 1000 * .001;
    assert_near("momentum", p.x, p0.x, 1e-9 * mass);
    assert_near("fall", p.z, p0.z - mass * standard_gravity * .5, 1e-8 * mass);
    close_rig(&s);
}

// One end fixed, the other moved at a constant speed: finally a bar in tension with the force E A strain.
static void held_nodes_stretch_a_bar(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, false);
    must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
    s.options.step = .01;
    vs_flexible_def def = soft(1e6, (vs_vec3){0, 0, 0});
    def.elastic.poisson = 0;
    def.elastic.beta = .01;
    vs_flexible_id id = add_block(&s, (vs_vec3){.5, .05, .05}, (int[]){8, 1, 1}, 4, def);
    vs_flexible_view v = view_of(&s, id);
    int low[16], high[16], lows = 0, highs = 0;
    for (int k = 0; k < v.nodes; k++) {
        if (v.rest[k].x < -.499)
            low[lows++] = k;
        if (v.rest[k].x > .499)
            high[highs++] = k;
    }
    must(vs_world_prescribe_nodes(s.world, id, lows, low, NULL), s.context);
    // 0.01 m within 1 s, then still
    double time[2] = {0, 1}, end[2] = {.02, 0};
    vs_signal pull[3] = {{.kind = VS_SIGNAL_TABLE, .time = time, .sample = end, .count = 2}};
    must(vs_world_prescribe_nodes(s.world, id, highs, high, pull), s.context);
    start_rig(&s);
    for (int k = 0; k < 300; k++)
        take_step(&s);
    v = view_of(&s, id);
    assert_near("moved", v.position[high[0]].x - .5, .01, 1e-12);
    assert_near("held", v.position[low[0]].x + .5, 0, 1e-15);
    vs_energy e = vs_world_get_energy(s.world);
    assert_near("strain energy", e.potential, .5 * 1e6 * .01 * 1e-4, 1e-6 * .5);
    double *stress = test_malloc(sizeof *stress * (size_t)v.nodes);
    must(vs_world_get_flexible_stress(s.world, id, stress), s.context);
    for (int k = 0; k < v.nodes; k++)
        assert_near("stress", stress[k], 1e6 * .01, 1e-3 * 1e4);
    test_free(stress);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_flight_keeps_momentum), cmocka_unit_test(cube_rests_on_its_weight),
        cmocka_unit_test(block_slides_and_stops),     cmocka_unit_test(glued_nodes_follow_their_body),
        cmocka_unit_test(held_nodes_stretch_a_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
