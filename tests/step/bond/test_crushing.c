// Joints with a compressive strength against closed forms: what they carry, how fast they crush, where that stops, the work it
// takes, eccentric loads, friction meanwhile, impacts, checkpoints.
#include "step/worlds.h"

#include "kit/snapshot.h"
#include "voussoir/bond.h"

static const double L = .1, density = 2000;         // m, half edges of a cube; kg/m^3
static const double mass = 8 * .1 * .1 * .1 * 2000; // kg
static const double cap = 1000;                     // N, of the whole face

static void add_mortar(rig *s, double tension) {
    vs_mortar_def mortar = vs_mortar_def_default();
    mortar.tension = tension, mortar.compression = cap / (4 * L * L);
    must(vs_world_add_mortar(s->world, &mortar), s->context);
}

// A cube on the floor, without gravity.
static vs_body_id open_cube(rig *s, double mu, double tension) {
    open_rig(s, mu, 0, true);
    must(vs_world_set_gravity(s->world, (vs_vec3){0, 0, 0}), s->context);
    vs_body_id cube = add_box(s, (vs_vec3){L, L, L}, density, (vs_vec3){0, 0, L}, (vs_vec3){0, 0, 0});
    add_mortar(s, tension);
    return cube;
}

// Steps under a force at a point; null: at the centre.
static vs_step_report push(rig *s, vs_body_id body, vs_vec3 force, const vs_vec3 *point, int steps) {
    vs_step_report report = {0};
    for (int k = 0; k < steps; k++) {
        must(vs_world_apply_force(s->world, body, force, point), s->context);
        report = take_step(s);
    }
    return report;
}

static vs_bond_view bond_of(const rig *s, int k) {
    vs_bond_view bond;
    must(vs_simulation_get_bond_at(s->simulation, k, &bond), s->context);
    return bond;
}

// Below the strength nothing moves; above it the cube accelerates by what is missing. With friction and without, with a bond that
// pulls and one that does not, with both schemes in time.
static void a_joint_carries_its_compressive_strength(void **state) {
    (void)state;
    enum { STEPS = 40 };
    for (int k = 0; k < 12; k++) {
        const double mu = k & 1 ? .5 : 0, tension = k & 2 ? 2e4 : 0, factor = k & 4 ? 1.01 : .99;
        const bool shake = k >= 8, crushes = factor > 1 || shake;
        const double load = shake ? 1.01 * cap : factor * cap;
        rig s;
        vs_body_id cube = open_cube(&s, mu, tension);
        s.options.scheme = shake ? VS_SCHEME_SHAKE : VS_SCHEME_MOREAU;
        start_rig(&s);
        const vs_step_report report = push(&s, cube, (vs_vec3){0, 0, -load}, NULL, STEPS);
        const vs_body_state end = state_of(&s, cube);
        const double h = s.options.step, a = crushes ? (load - cap) / mass : 0;
        const double speed = a * h * STEPS, depth = .5 * a * h * h * STEPS * (STEPS + 1);
        printf("  mu %.1f, tension %.0e, %.2f of the strength: %.15g m/s of %.15g, %d problems\n", mu, tension,
               load / cap, -end.velocity.z, speed, report.problems);
        assert_near("speed", -end.velocity.z, speed, shake ? a * h : 1e-9 * fmax(speed, 1e-3));
        assert_near("depth", L - end.pose.position.z, depth, shake ? speed * h : 1e-9 * fmax(depth, L));
        for (int i = 0; i < 4; i++)
            assert_near("crushed", bond_of(&s, i).crushed, crushes ? L - end.pose.position.z : 0, 1e-9 * L);
        for (int i = 0; i < 4 && crushes && !shake; i++) {
            vs_contact_view contact;
            must(vs_simulation_get_contact_at(s.simulation, i, &contact), s.context);
            assert_near("impulse", contact.impulse.z, h * (cap / 4 + tension * L * L), 1e-9 * h * cap);
            assert_near("velocity", contact.velocity.z, -speed, 1e-9 * speed);
        }
        assert_int_equal(report.broken, 0);
        assert_int_equal(report.problems, 1); // it begins with those of the last step
        assert_below(report.penetration, 1e-9 * L);
        close_rig(&s);
    }
}

// A load above the strength, then one below it, then a pull: the cube crushes, stops, and stays. All the work of the load goes into
// the bonds, and it is the strength times the depth, to half a step of the last motion.
static void crushing_stops_and_stays(void **state) {
    (void)state;
    rig s;
    vs_body_id cube = open_cube(&s, .5, 2e4);
    start_rig(&s);
    push(&s, cube, (vs_vec3){0, 0, -1.5 * cap}, NULL, 20);
    const double h = s.options.step, speed = .5 * cap / mass * h * 20, before = .5 * cap / mass * h * h * 210;
    const double way = before + speed * speed / (2 * .8 * cap / mass);
    vs_step_report report = push(&s, cube, (vs_vec3){0, 0, -.2 * cap}, NULL, 30);
    const double depth = L - state_of(&s, cube).pose.position.z;
    printf("  depth %.9f m of %.9f; fracture %.12f J, loads %.12f J, strength times depth %.12f J\n", depth, way,
           report.total.fracture, report.total.loads, cap * depth);
    assert_near("depth", depth, way, h * speed);
    assert_near("stops", state_of(&s, cube).velocity.z, 0, 1e-10);
    assert_relative(report.total.fracture, report.total.loads, 1e-9);
    assert_near("work", report.total.fracture, cap * depth, .5 * h * h * .8 * cap / mass * cap);
    assert_near("balance", report.total.discretization, 0, 1e-9 * report.total.loads);
    double work = 0;
    for (int k = 0; k < 4; k++) {
        work += bond_of(&s, k).work;
        assert_near("opening", bond_of(&s, k).opening, 0, 1e-9 * L);
        assert_true(bond_of(&s, k).strength == 1);
    }
    assert_relative(work, report.total.fracture, 1e-9);
    push(&s, cube, (vs_vec3){0, 0, -1e-3 * cap}, NULL, 50);                   // no spring-back
    report = push(&s, cube, (vs_vec3){0, 0, .5 * 2e4 * 4 * L * L}, NULL, 50); // bonds still hold
    assert_near("stays", L - state_of(&s, cube).pose.position.z, depth, 1e-9 * L);
    assert_int_equal(report.bonds, 4);
    close_rig(&s);
}

// Restitution has no meaning where forces are limited. A cube that strikes comes to rest after the way m v^2/(2 strength), and its
// kinetic energy is the work.
static void an_impact_crushes_over_its_braking_distance(void **state) {
    (void)state;
    const double v = .6, energy = .5 * mass * v * v;
    double last = 0;
    for (int k = 0; k < 2; k++) {
        rig s;
        vs_body_id cube = open_cube(&s, .5, 0);
        vs_material bouncy = vs_material_default();
        bouncy.mu = .5, bouncy.restitution = .5;
        must(vs_world_set_material_pair(s.world, s.material, s.material, &bouncy), s.context);
        vs_body_state b = state_of(&s, cube);
        b.velocity.z = -v;
        must(vs_world_set_body_state(s.world, cube, &b), s.context);
        s.options.step = k ? 2e-4 : 4e-4;
        start_rig(&s);
        vs_step_report report = {0};
        for (int i = 0; i < 100; i++)
            report = take_step(&s);
        const double depth = L - state_of(&s, cube).pose.position.z, error = fabs(depth - energy / cap);
        printf("  step %.0e s: depth %.6f m of %.6f, fracture %.12f J of %.12f\n", s.options.step, depth, energy / cap,
               report.total.fracture, energy);
        assert_relative(report.total.fracture, energy, 1e-9);
        assert_near("rests", state_of(&s, cube).velocity.z, 0, 1e-9);
        assert_below(error, .6 * v * s.options.step);
        if (k) // of first order
            assert_below(error, .6 * last);
        last = error;
        close_rig(&s);
    }
}

// A load between the middle and the edge: the two corners on its side crush, and the cube turns about the other edge, with
// I = 8/3 m L^2 and the moment 1.5 L P - 2 L cap/2.
static void an_eccentric_load_crushes_two_corners(void **state) {
    (void)state;
    rig s;
    vs_body_id cube = open_cube(&s, .5, 0);
    s.options.solver.tolerance = 1e-11; // rounding leaves 1.4e-12
    start_rig(&s);
    const double P = .9 * cap, h = s.options.step, turn = (1.5 * L * P - L * cap) / (8. / 3 * mass * L * L);
    push(&s, cube, (vs_vec3){0, 0, -P}, &(vs_vec3){.5 * L, 0, 2 * L}, 1);
    assert_near("spin", state_of(&s, cube).spin.y, h * turn, 1e-9 * h * turn);
    int crushed = 0;
    for (int k = 0; k < 4; k++) {
        vs_contact_view contact;
        must(vs_simulation_get_contact_at(s.simulation, k, &contact), s.context);
        if (contact.point.x > 0) {
            assert_relative(contact.impulse.z, h * cap / 4, 1e-9);
            assert_relative(contact.velocity.z, -2 * L * h * turn, 1e-9);
            crushed++;
        } else {
            assert_true(contact.impulse.z > 0 && contact.impulse.z < h * cap / 4);
        }
    }
    assert_int_equal(crushed, 2);
    for (int k = 0; k < 10; k++)
        push(&s, cube, (vs_vec3){0, 0, -P}, &(vs_vec3){.5 * L, 0, 2 * L}, 1);
    const vs_quat q = state_of(&s, cube).pose.rotation;
    const double angle = 2 * atan2(q.y, q.w);
    for (int k = 0; k < 4; k++) {
        const vs_bond_view bond = bond_of(&s, k);
        printf("  corner at x = %+.3f m: crushed by %.3e m, turned by %.3e\n", bond.point.x, bond.crushed, angle);
        assert_near("depth", bond.crushed, bond.point.x > 0 ? 2 * L * sin(angle) : 0, .02 * L * angle);
    }
    close_rig(&s);
}

// While it crushes, a joint without cohesion slides at mu times its strength.
static void friction_is_that_of_the_strength(void **state) {
    (void)state;
    const double mu = .4, H = .6 * cap, P = 1.2 * cap;
    rig s;
    vs_body_id cube = open_cube(&s, mu, 0);
    start_rig(&s);
    const double h = s.options.step;
    const vs_vec3 point = {0, 0, L * (1 - mu * cap / H)}; // the cube does not turn
    const vs_step_report report = push(&s, cube, (vs_vec3){H, 0, -P}, &point, 1);
    const vs_body_state end = state_of(&s, cube);
    assert_relative(end.velocity.x, h * (H - mu * cap) / mass, 1e-9);
    assert_relative(-end.velocity.z, h * (P - cap) / mass, 1e-9);
    assert_relative(report.flow.friction, .5 * h * mu * cap * end.velocity.x, 1e-9);
    assert_relative(report.flow.fracture, .5 * h * cap * -end.velocity.z, 1e-9);
    close_rig(&s);
}

// Of two cubes that stand on each other, mortar between them alone: the lower one stays.
static void a_joint_between_two_bodies_crushes(void **state) {
    (void)state;
    rig s;
    open_rig(&s, .5, 0, true);
    vs_body_id cube[2];
    for (int k = 0; k < 2; k++)
        cube[k] = add_box(&s, (vs_vec3){L, L, L}, density, (vs_vec3){0, 0, (1 + 2 * k) * L}, (vs_vec3){0, 0, 0});
    vs_mortar_def mortar = vs_mortar_def_default();
    mortar.body = cube, mortar.bodies = 2, mortar.tension = 1e4, mortar.compression = cap / (4 * L * L);
    must(vs_world_add_mortar(s.world, &mortar), s.context);
    start_rig(&s);
    const double load = 1.1 * cap, a = (load + mass * standard_gravity - cap) / mass, h = s.options.step;
    push(&s, cube[1], (vs_vec3){0, 0, -load}, NULL, 20);
    assert_near("upper", state_of(&s, cube[1]).velocity.z, -20 * h * a, 1e-9 * 20 * h * a);
    assert_near("lower", state_of(&s, cube[0]).pose.position.z, L, 1e-9 * L);
    close_rig(&s);
}

// A state that was saved while a joint crushes continues with the same bits.
static void crushing_continues_with_the_same_bits(void **state) {
    (void)state;
    rig s[2];
    vs_body_id cube[2];
    const vs_vec3 force = {0, 0, -1.2 * cap}, point = {0, 0, 2 * L};
    for (int k = 0; k < 2; k++) {
        cube[k] = open_cube(&s[k], .5, 1e4);
        start_rig(&s[k]);
    }
    push(&s[0], cube[0], force, &point, 5);
    snapshot saved = take_snapshot(s[0].simulation, s[0].context);
    use_snapshot(s[1].simulation, &saved, s[1].context);
    for (int k = 0; k < 5; k++) {
        const vs_step_report one = push(&s[0], cube[0], force, &point, 1),
                             other = push(&s[1], cube[1], force, &point, 1);
        assert_memory_equal(&one.total, &other.total, sizeof one.total);
    }
    assert_true(bond_of(&s[0], 0).crushed > 0 || bond_of(&s[0], 3).crushed > 0);
    const vs_body_state one = state_of(&s[0], cube[0]), other = state_of(&s[1], cube[1]);
    assert_memory_equal(&one, &other, sizeof one);
    free_snapshot(&saved);
    close_rig(&s[0]);
    close_rig(&s[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_joint_carries_its_compressive_strength),
        cmocka_unit_test(crushing_stops_and_stays),
        cmocka_unit_test(an_impact_crushes_over_its_braking_distance),
        cmocka_unit_test(an_eccentric_load_crushes_two_corners),
        cmocka_unit_test(friction_is_that_of_the_strength),
        cmocka_unit_test(a_joint_between_two_bodies_crushes),
        cmocka_unit_test(crushing_continues_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
