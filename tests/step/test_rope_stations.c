// Ropes with friction at several stations, against T_{k-1} = T_k exp(mu_k angle_k) along the rope: sliding, sticking and slack.
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "body/cable/path.h"
#include "kit/random.h"
#include "ropes.h"
#include "step/data/simulation_data.h"

enum { STATIONS_MOST = 6 };

// The tensions along a rope, N: before its first rough station, between each two of them, behind the last one; and the largest
// difference of the two parts that meet at a cut.
static int get_all_tensions(const rig *s, vs_joint_id rope, double T[STATIONS_MOST + 1], double *difference) {
    const vs_row_groups *groups = &s->simulation->groups;
    const double h = s->options.step;
    int count = 0;
    *difference = 0;
    for (int64_t k = 0; k < groups->group.count; k++) {
        const vs_row_group *group = &groups->group.data[k];
        if (group->kind != VS_GROUP_ROPE || group->source != (int)rope.index)
            continue;
        const double *x = vs_row_group_impulses(group, &s->simulation->problem.result);
        const double before = (x[0] - .5 * x[1]) / h, behind = (x[0] + .5 * x[1]) / h;
        *difference = fmax(*difference, count > 0 ? fabs(T[count] - before) : 0);
        T[count] = count > 0 ? .5 * (T[count] + before) : before;
        T[++count] = behind;
    }
    return count;
}

// ---- Atwood's machine over several drums -----------------------------------------------------------

// Two masses on a rope over fixed drums side by side, each turned by a quarter of a turn or more; for 40 steps. Returns the
// acceleration of the first one, upwards.
static double run_drums(int drums, const double *mu, double m1, double m2, vs_scheme scheme,
                        double T[STATIONS_MOST + 1]) {
    rig s;
    open_rig(&s, .5, 0, false);
    s.options.scheme = scheme;
    vs_cable_point path[POINTS_MOST];
    const double r = .1;
    const vs_body_id a = add_guided(&s, (vs_vec3){-r, 0, -1}, m1);
    const vs_body_id b = add_guided(&s, (vs_vec3){drums - 1 + r, 0, -1}, m2);
    path[0] = point_at(a, VS_ZERO3);
    for (int k = 0; k < drums; k++)
        path[k + 1] = drum_at((vs_body_id){0, 0}, (vs_vec3){k, 0, 0}, r, 1, mu[k]);
    path[drums + 1] = point_at(b, VS_ZERO3);
    const vs_joint_id rope = add_rope(&s, path, drums + 2, 0, 0);
    start_rig(&s);
    for (int k = 0; k < 40; k++)
        (void)take_step(&s);
    double difference, ends[2];
    assert_int_equal(get_all_tensions(&s, rope, T, &difference), drums);
    assert_true(difference <= 1e-11 * (T[0] + T[drums]));
    get_tensions(&s, rope, ends);
    assert_relative(ends[0], T[0], 1e-11);
    assert_relative(ends[1], T[drums], 1e-11);
    const double acceleration = state_of(&s, a).velocity.z / (40 * s.options.step);
    close_rig(&s);
    return acceleration;
}

// The outer drums turn the rope by a quarter of a turn, the inner ones by nothing: they lie below a tangent and touch it along a
// line. The product of all exp(mu angle) counts, in any order. The last third of the machines hold.
static void the_factors_of_several_drums_multiply(void **state) {
    (void)state;
    double worst = 0;
    for (int k = 0; k < 24; k++) {
        const double mu[2] = {.1 * (1 + k % 4), .35 - .1 * (k % 3)}, E = exp((mu[0] + mu[1]) * pi / 2);
        const double m1 = 2, m2 = k < 8 ? 14 : k < 16 ? .25 : 2.5;
        double T[STATIONS_MOST + 1], expected = 0;
        if (m2 > m1 * E)
            expected = standard_gravity * (m2 - m1 * E) / (m2 + m1 * E);
        else if (m1 > m2 * E)
            expected = -standard_gravity * (m1 - m2 * E) / (m1 + m2 * E);
        const double a = run_drums(2, mu, m1, m2, k % 3 == 2 ? VS_SCHEME_SHAKE : VS_SCHEME_MOREAU, T);
        worst = fmax(worst, fabs(a - expected) / standard_gravity);
        const double sense = expected > 0 ? 1 : -1;
        if (k < 16) // it slides over both
            assert_relative(T[1], T[0] * exp(sense * mu[0] * pi / 2), 1e-9);
        assert_close(T[0], m1 * (standard_gravity + expected), 1e-8 * m1 * standard_gravity);
        assert_close(T[2], m2 * (standard_gravity - expected), 1e-8 * m2 * standard_gravity);
    }
    printf("  24 machines with two drums: acceleration within %.1e g\n", worst);
    assert_true(worst < 1e-9);
}

// ---- a tackle --------------------------------------------------------------------------------------

enum { SHEAVES = 6 };

// One rope over six rough sheaves, three of them at the load: with the tension t at its fixed end it is t E^k behind sheave k, and the
// hauling weight moves by six times the way of the load. M (g + a) = t (1 + E + ... + E^5)(1 + E)/... is the sum over the moving
// sheaves of what pulls on both sides.
static double lift_by_hand(double M, double haul, double E, double g) {
    double lift = 0;
    for (int k = 0; k < SHEAVES; k += 2)
        lift += pow(E, k) * (1 + E);
    const double last = pow(E, SHEAVES);
    // M (g + a) = lift t, last t = haul (g - 6 a)
    return g * (haul * lift - M * last) / (M * last + SHEAVES * haul * lift);
}

static void a_tackle_of_six_sheaves_on_one_rope(void **state) {
    (void)state;
    const double r = .1, M = 60;
    for (int n = 0; n < 4; n++) {
        const double mu = .04 + .04 * n, E = exp(mu * pi), haul = n == 3 ? 12 : 50;
        rig s;
        open_rig(&s, .5, 0, false);
        const vs_body_id load = add_guided(&s, (vs_vec3){0, 0, -4}, M);
        const vs_body_id weight = add_guided(&s, (vs_vec3){2 * r * SHEAVES, 0, -2}, haul);
        vs_cable_point path[POINTS_MOST];
        path[0] = point_at((vs_body_id){0, 0}, VS_ZERO3);
        for (int k = 0; k < SHEAVES; k++) {
            const bool moves = k % 2 == 0;
            path[k + 1] =
                drum_at(moves ? load : (vs_body_id){0, 0}, (vs_vec3){r * (2 * k + 1), 0, 0}, r, moves ? -1 : 1, mu);
        }
        path[SHEAVES + 1] = point_at(weight, VS_ZERO3);
        const vs_joint_id rope = add_rope(&s, path, SHEAVES + 2, 0, 0);
        start_rig(&s);
        int problems = 0;
        for (int k = 0; k < 40; k++)
            problems = take_step(&s).problems;
        const double a = state_of(&s, load).velocity.z / (40 * s.options.step);
        const double expected = n == 3 ? 0 : lift_by_hand(M, haul, E, standard_gravity);
        double T[STATIONS_MOST + 1], difference;
        assert_int_equal(get_all_tensions(&s, rope, T, &difference), SHEAVES);
        printf("  tackle, mu = %.2f: acceleration %.12g m/s^2, expected %.12g; tensions %.9g to %.9g N; %d problems\n",
               mu, a, expected, T[0], T[SHEAVES], problems);
        assert_close(a, expected, 1e-9 * standard_gravity);
        for (int k = 0; k < SHEAVES && n < 3; k++)
            assert_relative(T[k + 1], T[k] * E, 1e-8);
        close_rig(&s);
    }
}

// ---- impacts ---------------------------------------------------------------------------------------

// One mass flies off at 3 m/s until the rope over two drums is taut and takes the other one with it: the impulses have the ratio E
// of both drums, m1 (v - v') = E m2 v', and the energy that is missing is that of the impact and of the friction.
static void a_rope_that_becomes_taut_loses_the_right_energy(void **state) {
    (void)state;
    const double m1 = 2, m2 = 3, v = 3;
    for (int k = 0; k < 4; k++) {
        const double mu[2] = {.2 * k + .1, .4 - .1 * k}, E = exp((mu[0] + mu[1]) * pi / 2),
                     after = m1 * v / (m1 + E * m2);
        rig s;
        open_rig(&s, .5, 0, false);
        must(vs_world_set_gravity(s.world, VS_ZERO3), s.context);
        const vs_body_id a = add_mass(&s, (vs_vec3){-.2, 0, -1}, m1, (vs_vec3){0, 0, -v});
        const vs_body_id b = add_mass(&s, (vs_vec3){1.2, 0, -1}, m2, VS_ZERO3);
        const vs_cable_point path[] = {point_at(a, VS_ZERO3), drum_at((vs_body_id){0, 0}, VS_ZERO3, .2, 1, mu[0]),
                                       drum_at((vs_body_id){0, 0}, (vs_vec3){1, 0, 0}, .2, 1, mu[1]),
                                       point_at(b, VS_ZERO3)};
        (void)add_rope(&s, path, 4, .1, 0);
        start_rig(&s);
        double lost = 0;
        for (int n = 0; n < 60; n++) {
            const vs_step_report report = take_step(&s);
            lost += report.flow.impacts + report.flow.friction;
        }
        const double expected = .5 * m1 * v * v - .5 * (m1 + m2) * after * after;
        printf("  taut over two drums: %.12g m/s, expected %.12g; lost %.12g J of %.12g\n", state_of(&s, b).velocity.z,
               after, lost, expected);
        assert_relative(state_of(&s, b).velocity.z, after, 1e-8);
        assert_relative(-state_of(&s, a).velocity.z, after, 1e-8);
        assert_relative(lost, expected, 1e-8);
        close_rig(&s);
    }
}

// ---- random rigs -----------------------------------------------------------------------------------

typedef struct random_rig {
    rig s;
    int drums;
    vs_body_id end[2], drum[STATIONS_MOST]; // drums that turn; index 0: fixed
    vs_cable_point path[POINTS_MOST];
    double mass[2], inertia[STATIONS_MOST];
    vs_joint_id rope;
    double length, compliance;
} random_rig;

static void add_drum(random_rig *r, int k, uint64_t *seed) {
    const double mu = random_unit(seed), radius = random_in(seed, .05, .3);
    const vs_vec3 at = {1.5 * k, 0, 2 + random_in(seed, -.4, .4)};
    vs_body_id id = {0, 0};
    r->inertia[k] = 0;
    if (random_unit(seed) < .5) {
        vs_body_def def = vs_body_def_default();
        vs_joint_def axle = vs_joint_def_default();
        const double i = r->inertia[k] = exp(random_in(seed, -4, 1));
        def.spin.y = random_in(seed, -10, 10), def.pose.position = at,
        def.inertia = (vs_mat3){{i, 0, 0, 0, i, 0, 0, 0, i}};
        must(vs_world_add_body(r->s.world, &def, &id), r->s.context);
        axle.kind = VS_JOINT_REVOLUTE, axle.frame_a = (vs_pose){at, along_y}, axle.frame_b.rotation = along_y,
        axle.b = id;
        must(vs_world_add_joint(r->s.world, &axle, NULL), r->s.context);
    }
    r->drum[k] = id;
    r->path[k + 1] = drum_at(id, r->inertia[k] > 0 ? VS_ZERO3 : at, radius, random_unit(seed) < .7 ? 1 : -1, mu);
}

static void make_random(random_rig *r, int n, uint64_t *seed) {
    vs_joint_def made;
    open_rig(&r->s, .5, 0, false);
    r->s.options.solver.tolerance = 1e-10; // one rig in forty meets 1e-12 only up to the rounding of impulses
    r->drums = 2 + n % (STATIONS_MOST - 1);
    for (int k = 0; k < r->drums; k++)
        add_drum(r, k, seed);
    for (int k = 0; k < 2; k++) {
        const double x = k ? 1.5 * (r->drums - 1) + random_in(seed, .5, 2) : -random_in(seed, .5, 2);
        r->mass[k] = exp(random_in(seed, -3, 3));
        r->end[k] = add_mass(&r->s, (vs_vec3){x, 0, random_in(seed, -1, 1)}, r->mass[k], random_vec(seed, 3));
    }
    r->path[0] = point_at(r->end[0], VS_ZERO3), r->path[r->drums + 1] = point_at(r->end[1], VS_ZERO3);
    r->compliance = n % 4 ? 0 : 1e-4;
    r->rope = add_rope(&r->s, r->path, r->drums + 2, n % 3 ? 0 : .02, r->compliance);
    must(vs_world_get_joint_def(r->s.world, r->rope, &made), r->s.context);
    r->length = made.length;
    start_rig(&r->s);
}

// What a step is judged from: the path and the velocities before it.
typedef struct before_step {
    vs_cable_path path;
    vs_vec3 velocity[2];
    double spin[STATIONS_MOST];
} before_step;

static before_step look(const random_rig *r) {
    before_step b;
    vs_joint_def def;
    must(vs_world_get_joint_def(r->s.world, r->rope, &def), r->s.context);
    vs_cable_trace(r->s.world, &def, &b.path);
    for (int k = 0; k < 2; k++)
        b.velocity[k] = state_of(&r->s, r->end[k]).velocity;
    for (int k = 0; k < r->drums; k++)
        b.spin[k] = r->inertia[k] > 0 ? state_of(&r->s, r->drum[k]).spin.y : 0;
    return b;
}

typedef long double real;

static real dot(vs_vec3 a, vs_vec3 b) {
    return (real)a.x * b.x + (real)a.y * b.y + (real)a.z * b.z;
}

// Speed of the end of a leg along it: of a mass, or of the rim of a drum about y.
static real end_speed(const random_rig *r, const vs_cable_leg *leg, int side, int k) {
    const bool mass = k < 0 || k == r->drums;
    if (mass)
        return dot(leg->along, state_of(&r->s, r->end[k < 0 ? 0 : 1]).velocity);
    if (!(r->inertia[k] > 0))
        return 0;
    const vs_body_state drum = state_of(&r->s, r->drum[k]);
    const vs_vec3 arm = vs_subtract(leg->end[side], drum.pose.position);
    return (real)drum.spin.y * ((real)arm.z * leg->along.x - (real)arm.x * leg->along.z);
}

// Energy that the momentum of bodies is off what one tension per leg gives them, J.
static real momentum_error(const random_rig *r, const before_step *b, const double *T) {
    const real h = r->s.options.step;
    real sum = 0;
    for (int k = 0; k < 2; k++) {
        const vs_cable_leg *leg = &b->path.leg[k ? r->drums : 0];
        const vs_vec3 v = state_of(&r->s, r->end[k]).velocity, old = b->velocity[k], u = leg->along;
        const real pull = (k ? -h : h) * T[k ? r->drums : 0], m = r->mass[k];
        const real off[3] = {m * ((real)v.x - old.x) - pull * u.x, m * ((real)v.y - old.y) - pull * u.y,
                             m * ((real)v.z - old.z + h * standard_gravity) - pull * u.z};
        sum += (off[0] * off[0] + off[1] * off[1] + off[2] * off[2]) / (2 * m);
    }
    for (int k = 0; k < r->drums; k++) {
        if (!(r->inertia[k] > 0))
            continue;
        const vs_body_state drum = state_of(&r->s, r->drum[k]);
        real torque = 0;
        for (int side = 0; side < 2; side++) { // the leg before pulls back, the one behind forward
            const vs_cable_leg *leg = &b->path.leg[k + side];
            const vs_vec3 arm = vs_subtract(leg->end[1 - side], drum.pose.position);
            torque += (side ? 1 : -1) * (real)T[k + side] * ((real)arm.z * leg->along.x - (real)arm.x * leg->along.z);
        }
        const real off = r->inertia[k] * ((real)drum.spin.y - b->spin[k]) - h * torque;
        sum += off * off / (2 * (real)r->inertia[k]);
    }
    return sum;
}

// a/2 |l - P(l - y/a)|^2 of one station, with the exact law's shift.
static real station_error(real a, real mu, const real l[2], real n, real t) {
    const real x[2] = {l[0] - (n + mu * fabsl(t)) / a, l[1] - t / a};
    real p[2] = {x[0], x[1]};
    if (mu * fabsl(x[1]) <= -x[0]) {
        p[0] = p[1] = 0;
    } else if (fabsl(x[1]) > mu * x[0]) {
        p[0] = (x[0] + mu * fabsl(x[1])) / (1 + mu * mu);
        p[1] = x[1] > 0 ? mu * p[0] : -mu * p[0];
    }
    return a / 2 * ((l[0] - p[0]) * (l[0] - p[0]) + (l[1] - p[1]) * (l[1] - p[1]));
}

// The law of the whole rope at the velocities after the step, with the speeds of the rope over its stations as its total length
// and the stretch of its parts give them.
static real law_error(const random_rig *r, const before_step *b, const double *T, real gap) {
    const real h = r->s.options.step, a = 1 / (real)r->mass[0] + 1 / (real)r->mass[1];
    const int parts = r->drums;
    real before[STATIONS_MOST], behind[STATIONS_MOST], stretch[STATIONS_MOST], straight[STATIONS_MOST + 1], total = 0,
                                                                                                            all = 0;
    for (int k = 0; k <= parts; k++)
        all += straight[k] = sqrtl(dot(vs_subtract(b->path.leg[k].end[1], b->path.leg[k].end[0]),
                                       vs_subtract(b->path.leg[k].end[1], b->path.leg[k].end[0])));
    real n = gap / h, sum = 0;
    for (int k = 0; k < parts; k++) { // cuts at rest
        const vs_cable_leg *in = &b->path.leg[k], *out = &b->path.leg[k + 1];
        before[k] = end_speed(r, in, 1, k) - (k == 0 ? end_speed(r, in, 0, -1) : 0);
        behind[k] = (k + 1 == parts ? end_speed(r, out, 1, parts) : 0) - end_speed(r, out, 0, k);
        const real share = (straight[k] * (k ? .5L : 1) + straight[k + 1] * (k + 1 < parts ? .5L : 1)) / all;
        stretch[k] = r->compliance / h / h * share * h * ((real)T[k] + T[k + 1]) / 2;
        total += before[k] + behind[k];
        n += stretch[k];
    }
    n -= total;
    real w = 0;
    for (int k = 0; k < parts; k++) {
        const real rate = gap / h / parts + stretch[k] - n / parts;
        before[k] -= w;
        w = rate - before[k] - behind[k];
        behind[k] += w;
        const real mu = 2 * tanhl(.5L * r->path[k + 1].mu * b->path.angle[k]);
        const real l[2] = {h * ((real)T[k] + T[k + 1]) / 2, h * ((real)T[k + 1] - T[k])};
        sum += station_error(a, mu, l, n / parts, (before[k] - behind[k]) / 2);
    }
    return sum;
}

static real kinetic_energy(const random_rig *r) {
    real sum = 0;
    for (int k = 0; k < 2; k++)
        sum += r->mass[k] / 2 * dot(state_of(&r->s, r->end[k]).velocity, state_of(&r->s, r->end[k]).velocity);
    for (int k = 0; k < r->drums; k++)
        if (r->inertia[k] > 0)
            sum += r->inertia[k] / 2 * state_of(&r->s, r->drum[k]).spin.y * state_of(&r->s, r->drum[k]).spin.y;
    return sum;
}

// In extended precision, from the positions and velocities and one tension per leg alone: momentum and law.
static void random_rigs_obey_the_law(void **state) {
    (void)state;
    enum { STEPS = 10 };
    const char *asked = getenv("ROPE_RIGS"); // 1000 take a minute
    const int rigs = asked ? atoi(asked) : VS_SHORT ? 40 : 150;
    uint64_t seed = 3905;
    double worst[2] = {0}, most = 0;
    int counts[4] = {0}, steps = 0; // stations: slack, sticking, slipping towards the first end and the last one
    for (int n = 0; n < rigs; n++) {
        random_rig r;
        make_random(&r, n, &seed);
        for (int k = 0; k < STEPS; k++) {
            const before_step b = look(&r);
            const vs_step_report report = take_step(&r.s);
            double T[STATIONS_MOST + 1] = {0}, difference;
            const int parts = get_all_tensions(&r.s, r.rope, T, &difference);
            if (parts != r.drums || r.length - b.path.length < -.01)
                break; // it is out of reach, or a mass has gone around a drum
            const real kinetic = kinetic_energy(&r);
            worst[0] = fmax(worst[0], (double)sqrtl(momentum_error(&r, &b, T) / kinetic));
            const real gap =
                (real)r.length - b.path.length; // one that is too short recovers, unless that creates energy
            const real law = fminl(law_error(&r, &b, T, gap), law_error(&r, &b, T, fmaxl(gap, 0)));
            worst[1] = fmax(worst[1], (double)sqrtl(law / kinetic));
            most = fmax(most, report.problems), steps++;
            for (int j = 0; j < parts; j++) {
                const double c = .999 * 2 * tanh(.5 * r.path[j + 1].mu * b.path.angle[j]) * .5 * (T[j] + T[j + 1]);
                counts[T[j] + T[j + 1] == 0 ? 0 : fabs(T[j + 1] - T[j]) < c ? 1 : T[j] > T[j + 1] ? 2 : 3]++;
            }
        }
        close_rig(&r.s);
    }
    printf("  %d rigs, %d steps: stations slack %d, stick %d, slip %d and %d; momentum within %.1e, law within %.1e of "
           "the root "
           "of the energy; at most %.0f problems per step\n",
           rigs, steps, counts[0], counts[1], counts[2], counts[3], worst[0], worst[1], most);
    assert_true(worst[0] < 1e-9 && worst[1] < 1e-9);
    for (int k = 0; k < 4; k++)
        assert_true(counts[k] > rigs / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_factors_of_several_drums_multiply),
        cmocka_unit_test(a_tackle_of_six_sheaves_on_one_rope),
        cmocka_unit_test(a_rope_that_becomes_taut_loses_the_right_energy),
        cmocka_unit_test(random_rigs_obey_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
