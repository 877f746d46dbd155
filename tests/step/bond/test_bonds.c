// Bonds of mortar against closed forms: hanging blocks, an incline with cohesion, the energy that opening and sliding take, the
// time at which they break, checkpoints, and what is refused.
#include "step/worlds.h"

#include "kit/snapshot.h"
#include "voussoir/bond.h"

static const double L = .1, density = 2000; // m, half edges of a cube; kg/m^3

static double weight(void) {
    return 8 * L * L * L * density * standard_gravity;
}
static double area(void) {
    return 4 * L * L;
}

static void add_mortar(rig *s, double tension, double cohesion, double energy) {
    vs_mortar_def mortar = vs_mortar_def_default();
    mortar.tension = tension, mortar.cohesion = cohesion, mortar.fracture_energy = energy;
    must(vs_world_add_mortar(s->world, &mortar), s->context);
}

// A cube on the floor, or, with the floor upside down, below it.
static vs_body_id open_cube(rig *s, double mu, double angle, bool below) {
    open_rig(s, mu, angle, true);
    if (below)
        must(vs_world_set_gravity(s->world, (vs_vec3){0, 0, standard_gravity}), s->context);
    return add_box(s, (vs_vec3){L, L, L}, density, (vs_vec3){0, 0, L}, (vs_vec3){0, 0, 0});
}

// A cube hangs from mortar if and only if its tension carries the weight.
static void mortar_holds_up_to_its_tension(void **state) {
    (void)state;
    for (int cut_off = 0; cut_off < 2; cut_off++)
        for (int holds = 0; holds < 2; holds++) {
            rig s;
            vs_body_id cube = open_cube(&s, .5, 0, true);
            const double tension = (holds ? 1.01 : .99) * weight() / area();
            add_mortar(&s, tension, cut_off ? 3 * tension : -1, 0);
            start_rig(&s);
            int broken = 0;
            vs_step_report report = {0};
            for (int k = 0; k < 100; k++)
                report = take_step(&s), broken += report.broken;
            assert_int_equal(vs_simulation_get_bond_count(s.simulation), 4);
            assert_int_equal(broken, holds ? 0 : 4);
            assert_int_equal(report.bonds, holds ? 4 : 0);
            const double fallen = state_of(&s, cube).pose.position.z - L;
            if (holds)
                assert_near("hangs", fallen, 0, 1e-9);
            else
                assert_true(fallen > .25);
            close_rig(&s);
        }
}

// On an incline it slides where m g sin > mu m g cos + A cohesion, with the cut-off (c > mu p) and without (c = mu p).
static void cohesion_adds_to_friction_on_an_incline(void **state) {
    (void)state;
    const double mu = .4, angle = 40 * pi / 180;
    const double missing = weight() * (sin(angle) - mu * cos(angle)) / area(); // Pa
    for (int cut_off = 0; cut_off < 2; cut_off++)
        for (int holds = 0; holds < 2; holds++) {
            const double cohesion = (holds ? 1.001 : .999) * missing;
            rig s;
            vs_body_id cube = open_cube(&s, mu, angle, false);
            add_mortar(&s, (cut_off ? .5 : 1) * cohesion / mu, cohesion, 1e6); // does not weaken within the test
            start_rig(&s);
            for (int k = 0; k < 50; k++)
                take_step(&s);
            const double speed = state_of(&s, cube).velocity.x, time = 50 * s.options.step;
            const double expected = holds ? 0 : standard_gravity * (sin(angle) - mu * cos(angle)) * .001 * time;
            printf("  cut-off %d, %s: %.3e m/s of %.3e\n", cut_off, holds ? "holds" : "slides", speed, expected);
            assert_near("speed", speed, expected, 1e-8);
            close_rig(&s);
        }
}

// A cube that is thrown off with the speed v, without gravity: bonds take the area times the fracture energy, to 1 % at
// h v = d_c/20; it leaves with the rest. Below that energy it stays.
static void opening_takes_the_fracture_energy(void **state) {
    (void)state;
    const double tension = 1e4, energy = 5, critical = 2 * energy / tension; // 1 mm
    const double mass = weight() / standard_gravity, least = sqrt(2 * energy * area() / mass);
    for (int k = 0; k < 3; k++) {
        const double v = k == 0 ? .9 * least : k == 1 ? 1.5 * least : 4 * least;
        rig s;
        vs_body_id cube = open_cube(&s, .5, 0, false);
        must(vs_world_set_gravity(s.world, (vs_vec3){0, 0, 0}), s.context);
        vs_body_state b = state_of(&s, cube);
        b.velocity.z = v;
        must(vs_world_set_body_state(s.world, cube, &b), s.context);
        add_mortar(&s, tension, -1, energy);
        s.options.step = critical / v / 20;
        start_rig(&s);
        vs_step_report report = {0};
        int broken = 0;
        for (int i = 0; i < (k == 0 ? 20 : 100); i++) {
            report = take_step(&s), broken += report.broken;
            assert_true(report.bond_step <= .05 + 1e-12);
        }
        const double taken = report.total.fracture, left = .5 * mass * pow(state_of(&s, cube).velocity.z, 2);
        printf("  v = %.2f of the least: %d broken, %.5f J taken of %.5f, discretization %.1e J\n", v / least, broken,
               taken, energy * area(), report.total.discretization);
        assert_int_equal(broken, k == 0 ? 0 : 4);
        if (k > 0) {
            assert_near("energy", taken, energy * area(), .01 * energy * area());
            assert_near("balance", left + taken, .5 * mass * v * v, 1e-9 * mass * v * v);
        }
        vs_bond_view bond;
        double work = 0;
        for (int i = 0; i < 4; i++) {
            must(vs_simulation_get_bond_at(s.simulation, i, &bond), s.context);
            work += bond.work;
            assert_near("area", bond.area, area() / 4, 1e-9);
            assert_true(k == 0 ? bond.strength > 0 && bond.broken < 0 : bond.strength == 0 && bond.broken > 0);
        }
        assert_near("work of the bonds", work, taken, 1e-12);
        close_rig(&s);
    }
}

// With exponential softening the speed of the cube at the opening d is that of the energy A G (1 - exp(-f d/G)) less, in every step, and a
// thousandth of the energy is left where the bonds break. Tolerance 1 % of A G at a step of d_c/20, as for the linear law.
static void exponential_softening_follows_its_curve(void **state) {
    (void)state;
    const double tension = 1e4, energy = 5, critical = 2 * energy / tension;
    const double mass = weight() / standard_gravity, whole = energy * area(), v = 2 * sqrt(2 * whole / mass);
    rig s;
    vs_body_id cube = open_cube(&s, .5, 0, false);
    must(vs_world_set_gravity(s.world, (vs_vec3){0, 0, 0}), s.context);
    vs_body_state b = state_of(&s, cube);
    b.velocity.z = v;
    must(vs_world_set_body_state(s.world, cube, &b), s.context);
    vs_mortar_def mortar = vs_mortar_def_default();
    mortar.tension = tension, mortar.fracture_energy = energy, mortar.softening = VS_SOFTENING_EXPONENTIAL;
    must(vs_world_add_mortar(s.world, &mortar), s.context);
    s.options.step = critical / v / 20;
    start_rig(&s);
    vs_step_report report = {0};
    int broken = 0;
    double worst = 0, linear = 0;
    for (int k = 0; k < 120; k++) {
        report = take_step(&s), broken += report.broken;
        b = state_of(&s, cube);
        const double d = b.pose.position.z - L, lost = .5 * mass * (v * v - b.velocity.z * b.velocity.z);
        if (report.bonds > 0) {
            worst = fmax(worst, fabs(lost - whole * (1 - exp(-tension * d / energy))));
            linear = fmax(linear, fabs(lost - whole * (1 - pow(fmax(1 - d / critical, 0), 2))));
        }
    }
    printf("  %d broken, %.5f J of %.5f; from the curve at most %.1e of it, from the linear one %.1e\n", broken,
           report.total.fracture, whole, worst / whole, linear / whole);
    assert_int_equal(broken, 4);
    assert_near("curve", worst, 0, .01 * whole);
    assert_true(linear > .05 * whole); // the test tells the two apart
    assert_near("energy", report.total.fracture, .999 * whole, .01 * whole);
    close_rig(&s);
}

// Sliding without friction and tension takes the shear fracture energy.
static void sliding_takes_the_shear_fracture_energy(void **state) {
    (void)state;
    const double cohesion = 1e4, energy = 8, v = 1.5;
    rig s;
    vs_body_id cube = open_cube(&s, 0, 0, false);
    vs_body_state b = state_of(&s, cube);
    b.velocity.x = v * cos(.5), b.velocity.y = v * sin(.5); // a direction between the axes: the limit is a disc
    must(vs_world_set_body_state(s.world, cube, &b), s.context);
    vs_mortar_def mortar = vs_mortar_def_default();
    mortar.cohesion = cohesion, mortar.shear_fracture_energy = energy;
    must(vs_world_add_mortar(s.world, &mortar), s.context);
    s.options.step = 2 * energy / cohesion / v / 20;
    start_rig(&s);
    vs_step_report report = {0};
    int broken = 0;
    for (int i = 0; i < 60; i++)
        report = take_step(&s), broken += report.broken;
    printf("  %d broken, %.5f J of %.5f, direction %.6f\n", broken, report.total.fracture, energy * area(),
           atan2(state_of(&s, cube).velocity.y, state_of(&s, cube).velocity.x));
    assert_int_equal(broken, 4);
    assert_near("energy", report.total.fracture, energy * area(), .01 * energy * area());
    assert_near("direction", atan2(state_of(&s, cube).velocity.y, state_of(&s, cube).velocity.x), .5, 1e-3);
    close_rig(&s);
}

// Only bodies of the list, and contacts of one point only with an area.
static void mortar_joins_what_it_names(void **state) {
    (void)state;
    for (int listed = 0; listed < 3; listed++) {
        rig s;
        vs_body_id cube[2] = {open_cube(&s, .5, 0, false)};
        cube[1] = add_box(&s, (vs_vec3){L, L, L}, density, (vs_vec3){0, 0, 3 * L}, (vs_vec3){0, 0, 0});
        add_ball(&s, L, density, (vs_vec3){0, 0, 5 * L}, (vs_vec3){0, 0, 0});
        vs_mortar_def mortar = vs_mortar_def_default();
        mortar.tension = 1e4, mortar.body = cube, mortar.bodies = listed == 1 ? 2 : 0;
        mortar.area = listed == 2 ? 1e-3 : 0;
        must(vs_world_add_mortar(s.world, &mortar), s.context);
        start_rig(&s);
        take_step(&s);
        assert_int_equal(vs_simulation_get_bond_count(s.simulation), listed == 0 ? 8 : listed == 1 ? 4 : 9);
        close_rig(&s);
    }
}

// A state that was saved while bonds open continues with the same bits.
static void bonds_continue_with_the_same_bits(void **state) {
    (void)state;
    rig s[2];
    vs_body_id cube[2];
    for (int k = 0; k < 2; k++) {
        cube[k] = open_cube(&s[k], .5, 0, true);
        add_mortar(&s[k], .9 * weight() / area(), 4 * weight() / area(), 20);
        start_rig(&s[k]);
    }
    for (int k = 0; k < 10; k++)
        take_step(&s[0]);
    snapshot saved = take_snapshot(s[0].simulation, s[0].context);
    use_snapshot(s[1].simulation, &saved, s[1].context);
    assert_int_equal(vs_simulation_restore(s[1].simulation, saved.bytes, saved.count - 8), VS_ERROR_DATA);
    for (int k = 0; k < 10; k++) {
        vs_step_report one = take_step(&s[0]), other = take_step(&s[1]);
        assert_memory_equal(&one.total, &other.total, sizeof one.total);
    }
    const vs_body_state one = state_of(&s[0], cube[0]), other = state_of(&s[1], cube[1]);
    assert_memory_equal(&one, &other, sizeof one);
    free_snapshot(&saved);
    close_rig(&s[0]);
    close_rig(&s[1]);
}

static void what_has_no_meaning_is_refused(void **state) {
    (void)state;
    rig s;
    open_cube(&s, .5, 0, false);
    vs_mortar_def mortar = vs_mortar_def_default();
    assert_int_equal(vs_world_add_mortar(s.world, &mortar), VS_ERROR_ARGUMENT);
    mortar.tension = -1;
    assert_int_equal(vs_world_add_mortar(s.world, &mortar), VS_ERROR_ARGUMENT);
    mortar.tension = 1, mortar.bodies = 1;
    assert_int_equal(vs_world_add_mortar(s.world, &mortar), VS_ERROR_ARGUMENT);
    mortar.bodies = 0, mortar.softening = (vs_softening)2;
    assert_int_equal(vs_world_add_mortar(s.world, &mortar), VS_ERROR_ARGUMENT);
    mortar.softening = VS_SOFTENING_LINEAR, mortar.compression = -1;
    assert_int_equal(vs_world_add_mortar(s.world, &mortar), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(s.context), "compression must not be negative (is -1)"));
    mortar.compression = 0, mortar.dilatancy = 90, mortar.dilatancy_slip = 1;
    assert_int_equal(vs_world_add_mortar(s.world, &mortar), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(s.context), "dilatancy must be less than 90 degrees (is 90)"));
    mortar.dilatancy = 10, mortar.dilatancy_slip = 0; // brittle
    assert_int_equal(vs_world_add_mortar(s.world, &mortar), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(s.context), "dilatancy needs dilatancy_slip"));
    mortar.dilatancy = 0;
    must(vs_world_add_mortar(s.world, &mortar), s.context);
    s.options.accuracy = 1e-3;
    start_rig(&s);
    assert_int_equal(vs_simulation_step(s.simulation, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_get_mortar_count(s.world), 1);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mortar_holds_up_to_its_tension),    cmocka_unit_test(cohesion_adds_to_friction_on_an_incline),
        cmocka_unit_test(opening_takes_the_fracture_energy), cmocka_unit_test(sliding_takes_the_shear_fracture_energy),
        cmocka_unit_test(mortar_joins_what_it_names),        cmocka_unit_test(bonds_continue_with_the_same_bits),
        cmocka_unit_test(what_has_no_meaning_is_refused),    cmocka_unit_test(exponential_softening_follows_its_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
