// Joints with dilatancy against closed forms: a flat block on its mortar is a block on a slope, whose angle is the dilatancy, up to
// the slip at which the rise ends.
#include "step/worlds.h"

#include "voussoir/bond.h"

static const double L = .1, density = 2000;          // m, half edges of a slab, half as high; kg/m^3
static const double mass = 8 * .1 * .1 * .02 * 2000; // kg
static const double psi = 20, angle = 20 * 3.14159265358979323846 / 180;

static vs_body_id open_slab(rig *s, double mu, double speed, const vs_mortar_def *mortar) {
    open_rig(s, mu, 0, true);
    vs_body_id slab = add_box(s, (vs_vec3){L, L, .2 * L}, density, (vs_vec3){0, 0, .2 * L}, (vs_vec3){speed, 0, 0});
    must(vs_world_add_mortar(s->world, mortar), s->context);
    s->options.step = 1e-3, s->options.solver.tolerance = 1e-11; // rounding leaves 1.3e-12
    start_rig(s);
    return slab;
}

static vs_mortar_def dilatant(double slip) {
    vs_mortar_def mortar = vs_mortar_def_default();
    mortar.dilatancy = psi, mortar.dilatancy_slip = slip;
    return mortar;
}

static vs_bond_view bond_of(const rig *s) {
    vs_bond_view bond;
    must(vs_simulation_get_bond_at(s->simulation, 0, &bond), s->context);
    return bond;
}

// Thrown along the floor the slab rises by tan(psi) times its slip, with the deceleration g (sin psi + mu cos psi) along the slope,
// and slides back down with g (sin psi - mu cos psi).
static void a_slab_slides_up_and_down_a_slope(void **state) {
    (void)state;
    const double mu = .1, g = standard_gravity;
    const vs_mortar_def mortar = dilatant(.1);
    rig s;
    vs_body_id slab = open_slab(&s, mu, .6, &mortar);
    take_step(&s), take_step(&s), take_step(&s); // the first ones turn its velocity
    double speed = state_of(&s, slab).velocity.x / cos(angle), worst = 0, rise = 0;
    int up = 0, down = 0;
    for (int k = 0; k < 250; k++) {
        take_step(&s);
        const vs_body_state now = state_of(&s, slab);
        const vs_bond_view bond = bond_of(&s);
        const double next = now.velocity.x / cos(angle), change = (speed - next) / s.options.step;
        if (bond.slip < 1e-3)
            break;
        worst = fmax(worst, fabs(now.pose.position.z - .2 * L - tan(angle) * now.pose.position.x));
        rise = fmax(rise, bond.dilation);
        assert_near("dilation", bond.dilation, tan(angle) * bond.slip, 1e-6 * L);
        assert_near("opening", bond.opening, 0, 1e-6 * L);
        if (next > 0)
            assert_near("up", change, g * (sin(angle) + mu * cos(angle)), 1e-6), up++;
        else if (speed < 0)
            assert_near("down", change, g * (sin(angle) - mu * cos(angle)), 1e-6), down++;
        speed = next;
    }
    printf("  %d steps up by %.4f m, %d down; from the slope at most %.1e m\n", up, rise, down, worst);
    assert_true(up > 50 && down > 50 && rise > .01);
    assert_below(worst, 1e-6 * L);
    close_rig(&s);
}

// Pushed at its base it slides if and only if the force exceeds W tan(phi + psi), and then with the acceleration of a slope. The
// force lifts the slab: what it does is friction, potential and kinetic energy.
static void slipping_takes_the_sum_of_both_angles(void **state) {
    (void)state;
    const double mu = .3, W = mass * standard_gravity, limit = W * tan(atan(mu) + angle);
    const vs_mortar_def mortar = dilatant(.1);
    for (int slides = 0; slides < 2; slides++) {
        const double H = (slides ? 1.05 : .95) * limit;
        rig s;
        vs_body_id slab = open_slab(&s, mu, 0, &mortar);
        vs_step_report report = {0};
        double early = 0, e0 = 0;
        enum { BEGIN = 100, END = 200 };
        for (int k = 0; k < END; k++) {
            const vs_vec3 base = state_of(&s, slab).pose.position;
            must(vs_world_apply_force(s.world, slab, (vs_vec3){H, 0, 0}, &(vs_vec3){base.x, 0, base.z - .2 * L}),
                 s.context);
            report = take_step(&s);
            if (k + 1 == BEGIN)
                early = state_of(&s, slab).velocity.x, e0 = report.total.discretization;
        }
        const vs_body_state end = state_of(&s, slab);
        const double along = H * cos(angle) - W * sin(angle) - mu * (W * cos(angle) + H * sin(angle));
        const double a = (end.velocity.x - early) / cos(angle) / (s.options.step * (END - BEGIN));
        printf("  %.2f of the limit: slip %.3e m, acceleration %.9f of %.9f m/s^2, discretization %.1e of %.4f J\n",
               H / limit, bond_of(&s).slip, a, slides ? along / mass : 0, report.total.discretization - e0,
               report.total.loads);
        assert_near("acceleration", a, slides ? along / mass : 0, 1e-6);
        assert_true(slides ? bond_of(&s).slip > 1e-3 : bond_of(&s).slip < 1e-4);
        if (slides)
            assert_below(fabs(report.total.discretization - e0), .02 * report.total.loads);
        close_rig(&s);
    }
}

// The rise ends at its slip, by default that at which the bonds break; there the slab stays, and rests on contacts that are found
// far beyond the usual envelope.
static void the_rise_ends_at_its_slip(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        vs_mortar_def mortar = dilatant(k == 0 ? .02 : 0);
        double slip = .02;
        if (k > 0) {
            mortar.tension = 2e3, mortar.fracture_energy = 2, mortar.shear_fracture_energy = 6;
            mortar.softening = k == 1 ? VS_SOFTENING_LINEAR : VS_SOFTENING_EXPONENTIAL;
            const double mu = .3, critical = 2 * mortar.fracture_energy / mortar.tension;
            slip =
                critical / (mu * mortar.fracture_energy / mortar.shear_fracture_energy) * (k == 1 ? 1 : log(1000) / 2);
        }
        rig s;
        vs_body_id slab = open_slab(&s, .3, k == 2 ? 6 : 3, &mortar);
        for (int i = 0; i < 2500; i++)
            take_step(&s);
        const vs_body_state end = state_of(&s, slab);
        printf("  rise %.9f m of %.9f, slip %.3f of %.3f m\n", end.pose.position.z - .2 * L, slip * tan(angle),
               end.pose.position.x, slip);
        assert_true(end.pose.position.x > slip);
        assert_near("rise", end.pose.position.z - .2 * L, slip * tan(angle), 1e-6 * L);
        assert_near("rest", end.velocity.x, 0, 1e-9);
        close_rig(&s);
    }
}

// Rising does not open a bond: it weakens as by slip alone.
static void rising_does_not_weaken_a_bond(void **state) {
    (void)state;
    vs_mortar_def mortar = dilatant(0);
    mortar.tension = 1e3, mortar.fracture_energy = 2; // d_c = 4 mm
    rig s;
    vs_body_id slab = open_slab(&s, .3, .3, &mortar);
    double slip = 0;
    for (int k = 0; k < 100; k++) {
        take_step(&s);
        slip = fmax(slip, bond_of(&s).slip);
        assert_near("strength", bond_of(&s).strength, 1 - slip / 4e-3, 1e-4);
    }
    const vs_bond_view bond = bond_of(&s);
    assert_true(slip > 1e-3 && bond.broken < 0);
    assert_near("rise", state_of(&s, slab).pose.position.z - .2 * L, bond.dilation, 1e-6 * L);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slab_slides_up_and_down_a_slope),
        cmocka_unit_test(slipping_takes_the_sum_of_both_angles),
        cmocka_unit_test(the_rise_ends_at_its_slip),
        cmocka_unit_test(rising_does_not_weaken_a_bond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
