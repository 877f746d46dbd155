// Ropes with friction on drums, against the capstan equation T1 = T2 exp(mu angle): both ways, at rest, slack and in impacts.
#include <string.h>

#include "body/cable/cable.h"
#include "body/joint_coordinate.h"
#include "base/vec.h"
#include "kit/random.h"
#include "ropes.h"

// ---- Atwood's machine ------------------------------------------------------------------------------

// Two masses on a rope over a fixed drum, for 40 steps. Returns the acceleration of the first one, upwards.
static double run_atwood(double m1, double m2, double mu, vs_scheme scheme, double T[2]) {
    rig s;
    open_rig(&s, .5, 0, false);
    s.options.scheme = scheme;
    const vs_body_id a = add_mass(&s, (vs_vec3){-.2, 0, -1}, m1, VS_ZERO3);
    const vs_body_id b = add_mass(&s, (vs_vec3){.2, 0, -1}, m2, VS_ZERO3);
    const vs_cable_point path[] = {point_at(a, VS_ZERO3), drum_at((vs_body_id){0, 0}, VS_ZERO3, .2, 1, mu),
                                   point_at(b, VS_ZERO3)};
    const vs_joint_id rope = add_rope(&s, path, 3, 0, 0);
    start_rig(&s);
    for (int k = 0; k < 40; k++)
        (void)take_step(&s);
    get_tensions(&s, rope, T);
    const double acceleration = state_of(&s, a).velocity.z / (40 * s.options.step);
    close_rig(&s);
    return acceleration;
}

// a = g (m2 - m1 E)/(m2 + m1 E) if the second one sinks, E = exp(mu pi), and 0 if m2 is between m1/E and m1 E. The schemes differ
// by their half steps; all are exact for a constant acceleration. Tolerance of the solver 1e-12.
static void atwoods_machine_with_a_rough_drum(void **state) {
    (void)state;
    double worst = 0;
    for (int k = 0; k < 24; k++) {
        const double mu = .05 * (k % 8), E = exp(mu * pi), m1 = 2, m2 = k < 8 ? 7 : k < 16 ? .3 : 2.5;
        double T[2], expected = 0;
        if (m2 > m1 * E)
            expected = standard_gravity * (m2 - m1 * E) / (m2 + m1 * E);
        else if (m1 > m2 * E)
            expected = -standard_gravity * (m1 - m2 * E) / (m1 + m2 * E);
        const double a = run_atwood(m1, m2, mu, k % 3 == 2 ? VS_SCHEME_SHAKE : VS_SCHEME_MOREAU, T);
        worst = fmax(worst, fabs(a - expected) / standard_gravity);
        assert_close(T[0], m1 * (standard_gravity + expected), 1e-8 * m1 * standard_gravity);
        if (mu > 0) // else it is the same one
            assert_close(T[1], m2 * (standard_gravity - expected), 1e-8 * m2 * standard_gravity);
    }
    printf("  24 machines: acceleration within %.1e g\n", worst);
    assert_true(worst < 1e-9);
}

// ---- a band brake ----------------------------------------------------------------------------------

// A band from the world over a turning drum of 0.3 kg m^2 to a hanging weight: the torque on the drum is r W (E - 1) if it turns
// against the weight's side and r W (1 - 1/E) with it; at rest it is none.
static void a_band_brake_has_the_torque_of_the_capstan(void **state) {
    (void)state;
    const double r = .2, W = 5 * standard_gravity, mu = .3, E = exp(mu * pi), inertia = .3;
    for (int sense = -1; sense <= 1; sense += 2) {
        rig s;
        open_rig(&s, .5, 0, false);
        vs_body_def def = vs_body_def_default();
        vs_body_id drum;
        def.spin = (vs_vec3){0, 20 * sense, 0}, def.inertia = (vs_mat3){{inertia, 0, 0, 0, inertia, 0, 0, 0, inertia}};
        must(vs_world_add_body(s.world, &def, &drum), s.context);
        vs_joint_def axle = vs_joint_def_default();
        axle.kind = VS_JOINT_REVOLUTE, axle.b = drum, axle.frame_a.rotation = axle.frame_b.rotation = along_y;
        must(vs_world_add_joint(s.world, &axle, NULL), s.context);
        const vs_body_id weight = add_mass(&s, (vs_vec3){r, 0, -1}, 5, VS_ZERO3);
        const vs_cable_point path[] = {point_at((vs_body_id){0, 0}, (vs_vec3){-r, 0, -1}),
                                       drum_at(drum, VS_ZERO3, r, 1, mu), point_at(weight, VS_ZERO3)};
        const vs_joint_id rope = add_rope(&s, path, 3, 0, 0);
        start_rig(&s);
        // about +y the top moves to +x, towards the weight: the anchor's side is the tight one
        const double torque = sense > 0 ? r * W * (E - 1) : r * W * (1 - 1 / E);
        double T[2];
        for (int k = 0; k < 50; k++)
            (void)take_step(&s);
        const double slowed = (20 - sense * state_of(&s, drum).spin.y) * inertia / (50 * s.options.step);
        get_tensions(&s, rope, T);
        printf("  band brake: torque %.12g N m, expected %.12g\n", slowed, torque);
        assert_relative(slowed, torque, 1e-9);
        assert_relative(T[0], sense > 0 ? W * E : W / E, 1e-9);
        assert_relative(T[1], W, 1e-9);
        for (int k = 0; k < 1500; k++)
            (void)take_step(&s);
        assert_close(state_of(&s, drum).spin.y, 0, 1e-9);
        close_rig(&s);
    }
}

// ---- a tackle --------------------------------------------------------------------------------------

enum { SHEAVES = 6 };

// Acceleration of the load upwards. The unknowns are the tension t of the first leg and a; along leg k the rope moves c_k a. The
// tension is T = p t + q a + w, by E over a sheave, and by a bead's weight and inertia along a leg.
static double lift_by_hand(double M, double haul, double bead, double E, double g) {
    double p = 1, q = 0, w = 0, lift_p = 0, lift_q = 0, lift_w = 0;
    for (int k = 0; k < SHEAVES; k++) { // sheaves 0, 2, 4 are of the load; each adds 2 to c
        const double c = 2 * ((k + 2) / 2);
        const bool moves = k % 2 == 0;
        if (moves)
            lift_p += p * (1 + E), lift_q += q * (1 + E), lift_w += w * (1 + E);
        p *= E, q *= E, w *= E;
        if (k < SHEAVES - 1) // behind a sheave of the load the rope goes up
            q += bead * c, w += bead * (moves ? g : -g);
    }
    // lift = M (g + a), T = haul (g - 6 a)
    const double a11 = lift_p, a12 = lift_q - M, b1 = M * g - lift_w;
    const double a21 = p, a22 = q + SHEAVES * haul, b2 = haul * g - w;
    return (a11 * b2 - a21 * b1) / (a11 * a22 - a21 * a12);
}

// Three sheaves in the world, three on the load; the ropes between two sheaves meet at beads of 1 g.
static void a_tackle_of_six_rough_sheaves(void **state) {
    (void)state;
    const double r = .1, M = 60, haul = 40, mu = .08, bead = 1e-3, E = exp(mu * pi);
    rig s;
    open_rig(&s, .5, 0, false);
    const vs_body_id load = add_guided(&s, (vs_vec3){0, 0, -4}, M);
    vs_cable_point end = point_at((vs_body_id){0, 0}, VS_ZERO3);
    vs_joint_id rope[SHEAVES];
    for (int k = 0; k < SHEAVES; k++) {
        const bool moves = k % 2 == 0;
        const double x = r * (2 * k + 1);
        const vs_vec3 next = {x + r, 0, -2};
        const vs_body_id knot = add_guided(&s, next, k < SHEAVES - 1 ? bead : haul);
        const vs_cable_point path[] = {
            end, drum_at(moves ? load : (vs_body_id){0, 0}, (vs_vec3){x, 0, 0}, r, moves ? -1 : 1, mu),
            point_at(knot, VS_ZERO3)};
        rope[k] = add_rope(&s, path, 3, 0, 0);
        end = path[2];
    }
    start_rig(&s);
    for (int k = 0; k < 40; k++)
        (void)take_step(&s);
    const double a = state_of(&s, load).velocity.z / (40 * s.options.step);
    const double expected = lift_by_hand(M, haul, bead, E, standard_gravity);
    double first[2], last[2];
    get_tensions(&s, rope[0], first);
    get_tensions(&s, rope[SHEAVES - 1], last);
    printf("  tackle: acceleration %.12g m/s^2, expected %.12g; tensions %.9g to %.9g N, E^6 = %.9g\n", a, expected,
           first[0], last[1], pow(E, SHEAVES));
    assert_true(expected > .1);
    assert_close(a, expected, 1e-8 * standard_gravity);
    // without the beads it is E^6; each of them changes the tension by its weight and inertia
    const double beads = (SHEAVES - 1) * bead * (standard_gravity + SHEAVES * a) / first[0];
    assert_close(last[1] / first[0], pow(E, SHEAVES), beads * pow(E, SHEAVES));
    close_rig(&s);
}

// ---- impacts ---------------------------------------------------------------------------------------

// Without gravity: one mass flies off at 3 m/s until the rope is taut and takes the other one with it. The impulses have the ratio
// E, too: m1 (v - v') = E m2 v', and the energy that is missing is that of the impact and of the friction.
static void a_slack_rope_that_becomes_taut_loses_the_right_energy(void **state) {
    (void)state;
    const double m1 = 2, m2 = 3, v = 3;
    for (int k = 0; k < 4; k++) {
        const double mu = .2 * k, E = exp(mu * pi), after = m1 * v / (m1 + E * m2);
        rig s;
        open_rig(&s, .5, 0, false);
        must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
        const vs_body_id a = add_mass(&s, (vs_vec3){-.2, 0, -1}, m1, (vs_vec3){0, 0, -v});
        const vs_body_id b = add_mass(&s, (vs_vec3){.2, 0, -1}, m2, VS_ZERO3);
        const vs_cable_point path[] = {point_at(a, VS_ZERO3), drum_at((vs_body_id){0, 0}, VS_ZERO3, .2, 1, mu),
                                       point_at(b, VS_ZERO3)};
        const vs_joint_id rope = add_rope(&s, path, 3, .1, 0);
        start_rig(&s);
        double lost = 0, T[2], taut = 0;
        for (int n = 0; n < 60; n++) {
            const vs_step_report report = take_step(&s);
            lost += report.flow.impacts + report.flow.friction;
            get_tensions(&s, rope, T);
            assert_true(T[0] >= 0 && T[1] >= 0);
            taut = fmax(taut, T[0]);
        }
        const double expected = .5 * m1 * v * v - .5 * (m1 + m2) * after * after;
        printf("  taut rope, mu = %.1f: %.12g m/s, expected %.12g; lost %.9g J of %.9g\n", mu,
               state_of(&s, b).velocity.z, after, lost, expected);
        assert_true(taut > 0);
        assert_relative(state_of(&s, b).velocity.z, after, 1e-8);
        assert_relative(lost, expected, 1e-8);
        assert_relative(-state_of(&s, a).velocity.z, state_of(&s, b).velocity.z, 1e-9);
        close_rig(&s);
    }
}

// ---- random rigs -----------------------------------------------------------------------------------

// A rope at the beginning of a step.
typedef struct rope_law {
    vs_joint_row along, slip;
    double mu, gap, compliance; // of the slip row; m; 1/kg as a row
} rope_law;

static rope_law law_before(const rig *s, vs_joint_id rope, double length, double compliance) {
    const vs_joint *joint = &s->world->joint[vs_world_joint_index(s->world, rope)];
    const double h = s->options.step;
    rope_law law;
    double x;
    (void)vs_joint_coordinate_row(s->world, joint, NULL, &x, &law.along);
    law.mu = vs_cable_friction(s->world, joint, &law.slip);
    law.gap = length - x;
    law.compliance = compliance / (h * h);
    return law;
}

static long double rate_of(const rig *s, const vs_joint_row *row, long double *size) {
    long double sum = 0;
    for (int k = 0; k < row->bodies; k++) {
        const vs_body *body = &s->world->body[row->body[k]];
        const double v[6] = {body->velocity.x, body->velocity.y, body->velocity.z,
                             body->spin.x,     body->spin.y,     body->spin.z};
        for (int i = 0; i < 6; i++)
            sum += (long double)row->J[k][i] * v[i];
        *size += body->mass > 0 ? 1 / (long double)body->mass : 0;
    }
    return sum;
}

// The error of the law at the end of the step in extended precision, a/2 |l - P(l - y/a)|^2 in J, evaluated without any code of
// the library: y from the velocities, l from the tensions, P the projection onto the cone with the shift mu |y_t|.
static double energy_error(const rig *s, const rope_law *law, const double T[2], long double *kinetic) {
    const long double h = s->options.step, mu = law->mu;
    long double a = 0;
    const long double l[2] = {h * ((long double)T[0] + T[1]) / 2, h * ((long double)T[1] - T[0])};
    const long double n = -rate_of(s, &law->along, &a) + (long double)law->gap / h + law->compliance * l[0];
    const long double t = rate_of(s, &law->slip, &a);
    const long double x[2] = {l[0] - (n + mu * fabsl(t)) / a, l[1] - t / a};
    long double p[2] = {x[0], x[1]};
    if (mu * fabsl(x[1]) <= -x[0]) {
        p[0] = p[1] = 0;
    } else if (fabsl(x[1]) > mu * x[0]) {
        p[0] = (x[0] + mu * fabsl(x[1])) / (1 + mu * mu);
        p[1] = x[1] > 0 ? mu * p[0] : -mu * p[0];
    }
    *kinetic = 0;
    for (int k = 1; k < s->world->bodies; k++) {
        const vs_body *body = &s->world->body[k];
        *kinetic += .5L * body->mass * vs_dot(body->velocity, body->velocity);
    }
    return (double)(a / 2 * ((l[0] - p[0]) * (l[0] - p[0]) + (l[1] - p[1]) * (l[1] - p[1])));
}

typedef struct random_rig {
    rig s;
    vs_joint_id rope;
    double length, compliance;
} random_rig;

// Two free masses and a turning drum of random size, mass, place and speed; ropes stiff or elastic, taut or slack.
static void make_random(random_rig *r, int n, uint64_t *seed) {
    open_rig(&r->s, .5, 0, false);
    const double mu = random_unit(seed), radius = random_in(seed, .05, .4);
    vs_body_def def = vs_body_def_default();
    vs_joint_def axle = vs_joint_def_default(), made;
    vs_body_id end[2];
    def.spin.y = random_in(seed, -10, 10), def.mass = random_in(seed, .1, 10), def.pose.position.z = 2;
    axle.kind = VS_JOINT_REVOLUTE, axle.frame_a = (vs_pose){{0, 0, 2}, along_y}, axle.frame_b.rotation = along_y;
    must(vs_world_add_body(r->s.world, &def, &axle.b), r->s.context);
    must(vs_world_add_joint(r->s.world, &axle, NULL), r->s.context);
    for (int k = 0; k < 2; k++) {
        const vs_vec3 at = {(k ? 1 : -1) * random_in(seed, .5, 2), random_in(seed, -.3, .3), random_in(seed, -1, 1)};
        end[k] = add_mass(&r->s, at, exp(random_in(seed, -3, 3)), random_vec(seed, 3));
    }
    const vs_cable_point path[] = {point_at(end[0], VS_ZERO3), drum_at(axle.b, VS_ZERO3, radius, 1, mu),
                                   point_at(end[1], VS_ZERO3)};
    r->compliance = n % 4 ? 0 : 1e-4;
    r->rope = add_rope(&r->s, path, 3, n % 3 ? 0 : .02, r->compliance);
    must(vs_world_get_joint_def(r->s.world, r->rope, &made), r->s.context);
    r->length = made.length;
    start_rig(&r->s);
}

// The solver's tolerance is 1e-12 of a root of an energy; that of the evaluation is relative to the kinetic energy.
static void random_rigs_are_certified(void **state) {
    (void)state;
    enum { RIGS = VS_SHORT ? 100 : 1000, STEPS = 10 };
    uint64_t seed = 39;
    double worst = 0;
    int counts[4] = {0}; // slack, sticking, slipping towards the first end and the last one
    for (int n = 0; n < RIGS; n++) {
        random_rig r;
        make_random(&r, n, &seed);
        for (int k = 0; k < STEPS; k++) {
            const rope_law law = law_before(&r.s, r.rope, r.length, r.compliance);
            double T[2];
            long double kinetic;
            (void)take_step(&r.s);
            get_tensions(&r.s, r.rope, T);
            const double error = energy_error(&r.s, &law, T, &kinetic);
            worst = fmax(worst, sqrt(error / (double)kinetic));
            const double sticks = .999 * law.mu * .5 * (T[0] + T[1]);
            counts[T[0] + T[1] == 0 ? 0 : fabs(T[1] - T[0]) < sticks ? 1 : T[0] > T[1] ? 2 : 3]++;
        }
        close_rig(&r.s);
    }
    printf("  %d rigs of %d steps: slack %d, stick %d, slip %d and %d; largest error %.1e of the root of the energy\n",
           RIGS, STEPS, counts[0], counts[1], counts[2], counts[3], worst);
    assert_true(worst < 1e-9);
    for (int k = 0; k < 4; k++)
        assert_true(counts[k] > RIGS / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atwoods_machine_with_a_rough_drum),
        cmocka_unit_test(a_band_brake_has_the_torque_of_the_capstan),
        cmocka_unit_test(a_tackle_of_six_rough_sheaves),
        cmocka_unit_test(a_slack_rope_that_becomes_taut_loses_the_right_energy),
        cmocka_unit_test(random_rigs_are_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
