// The machines of examples/machines against closed forms and kinematic identities; every step is certified.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kit/compare.h"
#include "kit/memory.h"
#include "voussoir/scene.h"

static const double PI = 3.14159265358979323846, GRAVITY = 9.81;

typedef struct machine {
    memory memory;
    vs_context *context;
    vs_scene *scene;
    vs_simulation *simulation;
} machine;

static void open_machine(machine *m, const char *name, const vs_scene_parameter *parameter, int parameters) {
    char path[1024];
    *m = (machine){0};
    m->context = make_context(&m->memory);
    snprintf(path, sizeof path, "%s/%s.json", VS_MACHINES, name);
    must(vs_scene_read(m->context, path, parameter, parameters, &m->scene), m->context);
    must(vs_simulation_create(m->scene->world, &m->scene->options, &m->simulation), m->context);
}

static void close_machine(machine *m) {
    vs_simulation_destroy(m->simulation);
    vs_scene_destroy(m->scene);
    end_context(m->context, &m->memory);
}

static void step_machine(machine *m) {
    vs_step_report report;
    must(vs_simulation_step(m->simulation, &report), m->context);
    if (report.status != VS_STATUS_CONVERGED)
        fail_msg("step %lld: %s: %s", (long long)report.step, vs_status_name(report.status), report.status_text);
}

static double coordinate_of(const machine *m, const char *joint, double *rate) {
    const vs_joint_id id = vs_world_find_joint(m->scene->world, joint);
    double x;
    must(vs_world_get_joint_coordinate(m->scene->world, id, &x, rate), m->context);
    return x;
}

static double effort_of(const machine *m, const char *joint) {
    double effort;
    must(vs_world_get_joint_effort(m->scene->world, vs_world_find_joint(m->scene->world, joint), &effort), m->context);
    return effort;
}

static vs_vec3 position_of(const machine *m, const char *body) {
    vs_body_state state;
    must(vs_world_get_body_state(m->scene->world, vs_world_find_body(m->scene->world, body), &state), m->context);
    return state.pose.position;
}

// rad, between -pi and pi
static double wrap(double angle) {
    return angle - 2 * PI * round(angle / (2 * PI));
}

// Positions are projected onto the joints to 1e-9 m or better, of arms of 0.1 m.
static void a_universal_joint_turns_by_its_tangents(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double angle = .3 + .4 * k;
        machine m;
        double worst = 0, swing = 0;
        open_machine(&m, "universal-joint", &(vs_scene_parameter){"angle", angle}, 1);
        for (int n = 0; n < 400; n++) {
            step_machine(&m);
            const double in = coordinate_of(&m, "input", NULL), out = coordinate_of(&m, "output", NULL);
            worst = fmax(worst, fabs(wrap(out - atan2(cos(angle) * sin(in), cos(in)))));
            swing = fmax(swing, fabs(wrap(out - in)));
        }
        printf("  universal joint at %.1f rad: within %.1e rad, swing %.3f rad\n", angle, worst, swing);
        assert_true(worst < 1e-7);
        // the largest difference of the two angles is asin(tan^2(angle/2))
        assert_close(swing, asin(pow(tan(angle / 2), 2)), 2e-3);
        close_machine(&m);
    }
}

// Both shafts at the same angle; the joint's moment is along the line between the axes, so that its part along the shaft is the load.
static void a_joint_of_constant_velocity_turns_both_shafts_alike(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double angle = .3 + .4 * k;
        machine m;
        double worst = 0;
        open_machine(&m, "constant-velocity", &(vs_scene_parameter){"angle", angle}, 1);
        for (int n = 0; n < 400; n++) {
            step_machine(&m);
            worst = fmax(worst, fabs(coordinate_of(&m, "output", NULL) - coordinate_of(&m, "input", NULL)));
        }
        vs_vec3 force, torque;
        const vs_joint_id ball = vs_world_find_joint(m.scene->world, "ball");
        must(vs_world_get_joint_reaction(m.scene->world, ball, &force, &torque), m.context);
        const double moment = sqrt(torque.x * torque.x + torque.y * torque.y + torque.z * torque.z);
        printf("  constant velocity at %.1f rad: within %.1e rad after %.1f rad; drive %.9g N m, moment %.9g N m\n",
               angle, worst, coordinate_of(&m, "input", NULL), effort_of(&m, "input"), moment);
        assert_true(worst < 1e-9);
        assert_relative(effort_of(&m, "input"), 5, 1e-6);
        assert_relative(moment, 5 / cos(angle / 2), 1e-6);
        close_machine(&m);
    }
}

// The lift is the curve at every step, and at rest the torque is its slope times the weight.
static void a_cam_curve_is_followed_both_ways(void **state) {
    (void)state;
    const double stroke = .03;
    double worst = 0;
    machine m;
    open_machine(&m, "cam-curve", NULL, 0);
    for (int n = 0; n < 600; n++) {
        step_machine(&m);
        const double angle = coordinate_of(&m, "axle", NULL);
        worst = fmax(worst, fabs(coordinate_of(&m, "guide", NULL) - stroke * (1 - cos(3 * angle)) / 2));
    }
    printf("  cam curve: lift within %.1e m of a stroke of %.2f m\n", worst, stroke);
    assert_true(worst < 1e-10);
    close_machine(&m);
    for (int k = 0; k < 3; k++) {
        const double begin = .1 + .35 * k, slope = 1.5 * stroke * sin(3 * begin);
        const vs_scene_parameter at[] = {{"speed", 0}, {"begin", begin}};
        open_machine(&m, "cam-curve", at, 2);
        for (int n = 0; n < 20; n++)
            step_machine(&m);
        printf("  cam curve at rest: %.9g N m, expected %.9g\n", effort_of(&m, "axle"), slope * 4 * GRAVITY);
        assert_close(effort_of(&m, "axle"), slope * 4 * GRAVITY, 1e-5); // the tolerance is 1e-6 of a step's energy
        close_machine(&m);
    }
}

// With a load on one axle: its speed and the other one's add up to twice the case's, and the relative one grows by torque over
// both inertias. The drive carries the load.
static void a_differential_adds_speeds_and_shares_torque(void **state) {
    (void)state;
    machine m;
    open_machine(&m, "differential", NULL, 0);
    double left = 0, right, drive;
    for (int n = 0; n < 240; n++)
        step_machine(&m);
    (void)coordinate_of(&m, "left axle", &left);
    (void)coordinate_of(&m, "right axle", &right);
    (void)coordinate_of(&m, "drive", &drive);
    const double expected = -.5 / (2 * .01) * 240 * m.scene->options.step;
    printf("  differential: relative speed %.12g rad/s, expected %.12g; drive %.12g N m\n", left, expected,
           effort_of(&m, "drive"));
    assert_close(left + right, 0, 1e-8); // the scene's tolerance is 1e-6 of a step's energy
    assert_close(drive, 8, 1e-8);
    assert_relative(left, expected, 1e-9);
    assert_close(effort_of(&m, "drive"), .5, 1e-8);
    close_machine(&m);
}

// The platform's height over the width at the foot, and the force at rest by virtual work.
static void a_scissor_lift_has_the_height_and_force_of_its_stages(void **state) {
    (void)state;
    machine m;
    open_machine(&m, "scissor-lift", NULL, 0);
    double worst = 0;
    for (int n = 0; n < 480; n++) {
        step_machine(&m);
        const double width = position_of(&m, "foot").x;
        worst = fmax(worst, fabs(position_of(&m, "platform").z - .03 - 3 * sqrt(1 - width * width)));
    }
    printf("  scissor lift: height within %.1e m at %.3f m\n", worst, position_of(&m, "platform").z);
    assert_true(worst < 1e-7);
    close_machine(&m);
    for (int k = 0; k < 3; k++) {
        const double angle = .3 + .3 * k, carried = 3 * 100 + 9 * 3 + 3 * .5;
        open_machine(&m, "scissor-lift", (vs_scene_parameter[]){{"speed", 0}, {"angle", angle}}, 2);
        step_machine(&m);
        step_machine(&m);
        printf("  scissor lift at %.1f rad: %.9g N, expected %.9g\n", angle, effort_of(&m, "drive"),
               -carried * GRAVITY / tan(angle));
        assert_relative(effort_of(&m, "drive"), -carried * GRAVITY / tan(angle), 1e-6);
        close_machine(&m);
    }
}

// The contact is linear within a step: the face is off by at most e w^2 h^2 / 2 = 4e-7 m, and a step later.
static void a_cam_lifts_its_follower_by_its_eccentricity(void **state) {
    (void)state;
    machine m;
    open_machine(&m, "cam", NULL, 0);
    double worst = 0, least = 0;
    for (int n = 0; n < 1200; n++) {
        step_machine(&m);
        const double lift = coordinate_of(&m, "guide", NULL);
        worst = fmax(worst, fabs(lift - .02 * (cos(coordinate_of(&m, "shaft", NULL)) - 1)));
        least = fmin(least, lift);
    }
    printf("  cam: lift within %.1e m of a stroke of %.4f m\n", worst, -least);
    assert_true(worst < 1e-6);
    assert_close(-least, .04, 1e-5);
    close_machine(&m);
}

// rad, of the wheel at an angle of the crank from the line of the centres
static double turn_of_geneva_wheel(double crank) {
    const double turns = floor((crank + PI) / (2 * PI)), angle = wrap(crank), a = sqrt(.5);
    const double clipped = fmax(fmin(angle, PI / 4), -PI / 4);
    return turns * PI / 2 + atan2(a * sin(clipped), 1 - a * cos(clipped)) + PI / 4;
}

// The pin has a clearance of 1e-5 m to each side at 0.029 m or more from the axle: 3.4e-4 rad.
static void a_geneva_wheel_follows_its_pin_and_rests(void **state) {
    (void)state;
    machine m;
    open_machine(&m, "geneva-wheel", NULL, 0);
    double worst = 0;
    const int steps = (int)(2 * 2 * PI / 3 / m.scene->options.step);
    for (int n = 0; n < steps; n++) {
        step_machine(&m);
        const double expected = turn_of_geneva_wheel(coordinate_of(&m, "drive", NULL) - PI);
        worst = fmax(worst, fabs(coordinate_of(&m, "axle", NULL) - expected));
    }
    printf("  Geneva wheel: within %.1e rad over two turns of the crank, at %.6f quarters\n", worst,
           coordinate_of(&m, "axle", NULL) / (PI / 2));
    assert_true(worst < 5e-4);
    close_machine(&m);
}

// Pressed against the pawl it always rests at the same face.
static void a_ratchet_rests_at_its_teeth(void **state) {
    (void)state;
    machine m;
    open_machine(&m, "ratchet", NULL, 0);
    double before = 0, worst = 0;
    int teeth = 0;
    for (int cycle = 0; cycle < 4; cycle++) {
        for (int n = 0; n < 960; n++) {
            step_machine(&m);
            if (n != 430)
                continue;
            const double angle = coordinate_of(&m, "axle", NULL), moved = (before - angle) / (PI / 6);
            if (cycle > 0) {
                worst = fmax(worst, fabs(moved - round(moved)));
                teeth += (int)round(moved);
                assert_true(round(moved) >= 1);
            }
            before = angle;
        }
    }
    printf("  ratchet: %d teeth in three cycles, whole to %.1e\n", teeth, worst);
    assert_true(worst < 1e-4);
    close_machine(&m);
}

// Over a fixed drum: at rest up to light exp(pi mu), then with the acceleration of the closed form; tolerance 1e-6 of a step's energy.
static void a_capstan_holds_and_slips(void **state) {
    (void)state;
    const double E = exp(.3 * PI);
    for (int k = 0; k < 2; k++) {
        const double heavy = k ? 2.6 : 2.55, a = k ? GRAVITY * (heavy - E) / (heavy + E) : 0;
        machine m;
        open_machine(&m, "capstan", &(vs_scene_parameter){"heavy", heavy}, 1);
        for (int n = 0; n < 100; n++)
            step_machine(&m);
        vs_body_state body;
        must(vs_world_get_body_state(m.scene->world, vs_world_find_body(m.scene->world, "heavy"), &body), m.context);
        assert_close(-body.velocity.z / (100 * m.scene->options.step), a, 1e-9 * GRAVITY);
        close_machine(&m);
    }
}

// One rope over six rough sheaves: a = g (W L - M E^6)/(M E^6 + 6 W L), or it holds.
static void a_tackle_lifts_by_its_closed_form(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double mu = .08, E = exp(mu * PI), M = 60, W = k == 0 ? 40 : k == 1 ? 20 : 12;
        const double sides = (1 + E) * (1 + E * E + E * E * E * E), all = pow(E, 6);
        const double lift = GRAVITY * (W * sides - M * all) / (M * all + 6 * W * sides), expected = lift > 0 ? lift : 0;
        machine m;
        open_machine(&m, "tackle", &(vs_scene_parameter){"haul", W}, 1);
        for (int n = 0; n < 40; n++)
            step_machine(&m);
        double rate;
        (void)coordinate_of(&m, "guide", &rate);
        const double a = rate / (40 * m.scene->options.step);
        printf("  tackle, %2.0f kg: %.9g m/s^2, expected %.9g\n", W, a, expected);
        assert_close(a, expected, 1e-7 * GRAVITY);
        assert_true((expected > 0) == (k == 0));
        close_machine(&m);
    }
}

static void a_band_brake_stops_its_drum(void **state) {
    (void)state;
    const double E = exp(.3 * PI), W = 5 * GRAVITY, r = .2;
    for (int sense = -1; sense <= 1; sense += 2) {
        const double torque = sense > 0 ? r * W * (E - 1) : r * W * (1 - 1 / E);
        machine m;
        open_machine(&m, "band-brake", &(vs_scene_parameter){"speed", 20. * sense}, 1);
        for (int n = 0; n < 100; n++)
            step_machine(&m);
        double rate;
        (void)coordinate_of(&m, "axle", &rate);
        const double slowed = .3 * (20 - sense * rate) / (100 * m.scene->options.step);
        printf("  band brake: %.9g N m, expected %.9g\n", slowed, torque);
        assert_relative(slowed, torque, 1e-8);
        close_machine(&m);
    }
}

// The disc turns back by a ninth of the crank's angle. Its play: clearance 5e-5 m, and facets of 0.9 mm on lobes of 5 mm that are up
// to 2e-5 m off, at the lever of the best of ten pins, lobes times the eccentricity times cos(pi/10), 0.017 m: 4.1e-3 rad, and a
// fifth of that for contacts that are linear within a step. A reduction by another lobe would be off by 0.07 rad.
static void a_cycloidal_gear_reduces_by_its_lobes(void **state) {
    (void)state;
    machine m;
    open_machine(&m, "cycloidal-gear", NULL, 0);
    double least = 0, most = 0;
    const int steps = (int)(2 * PI / 10 / m.scene->options.step);
    for (int n = 0; n < steps; n++) {
        step_machine(&m);
        const double shaft = coordinate_of(&m, "shaft", NULL), disc = shaft + coordinate_of(&m, "eccentric", NULL);
        least = fmin(least, disc + shaft / 9);
        most = fmax(most, disc + shaft / 9);
    }
    printf("  cycloidal gear: a turn of the crank with a play of %.1e rad\n", most - least);
    assert_true(most - least < 5e-3);
    close_machine(&m);
}

// Period of a pendulum without escapement from rest at an angle: 4 K(sin(angle/2))/w by the arithmetic-geometric mean.
static double period_of_pendulum(double length, double inertia, double angle) {
    double a = 1, b = cos(angle / 2);
    while (fabs(a - b) > 1e-14) {
        const double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return 2 * PI * sqrt((inertia + .5 * length * length) / (.5 * GRAVITY * length)) / a;
}

// Airy (1826): impulses of the work W at the angle c beyond the lowest point make a period longer by W c/(pi k A^3) of itself, with
// k = m g L and the amplitude A. The wheel gives at most W = torque 3 mm/50 mm on its faces. They act from -0.95 mm/50 mm to
// 1.05 mm/50 mm, by the work about c = 0.0013 rad because teeth move on an arc; friction in the locks adds to it. Bound: c = 0.002.
static void an_escapement_counts_and_keeps_time(void **state) {
    (void)state;
    const double torques[] = {.002, .0025, .003};
    for (int k = 0; k < 3; k++) {
        machine m;
        open_machine(&m, "escapement", &(vs_scene_parameter){"torque", torques[k]}, 1);
        const double h = m.scene->options.step;
        double before = 0, most = 0, first = 0, last = 0;
        int swings = -1;
        for (int n = 1; swings < 4; n++) {
            step_machine(&m);
            const double angle = coordinate_of(&m, "pivot", NULL);
            if (swings >= 0)
                most = fmax(most, angle);
            if (before < 0 && angle >= 0) {
                last = h * (n - angle / (angle - before));
                first = swings < 0 ? last : first;
                swings++;
            }
            before = angle;
        }
        const double period = (last - first) / swings, unhindered = period_of_pendulum(.248, 1e-4, most);
        const double teeth = coordinate_of(&m, "arbor", NULL) / (2 * PI / 30);
        printf("  escapement with %.4f N m: %.6f s at %.4f rad, %+.1e beside a pendulum; %.3f teeth in 5 swings\n",
               torques[k], period, most, period / unhindered - 1, teeth);
        assert_true(fabs(period / unhindered - 1) <
                    .06 * torques[k] * .002 / (PI * .5 * GRAVITY * .248 * pow(most, 3)));
        assert_close(teeth, 5, .1); // it began within the impulse face, by a fifteenth of a tooth's way
        close_machine(&m);
    }
}

static bool turns_nut(double mu, double flank, double torque) {
    const vs_scene_parameter parameter[] = {{"mu", mu}, {"flank", flank}, {"torque", torque}};
    machine m;
    open_machine(&m, "nut", parameter, 3);
    for (int n = 0; n < 100; n++)
        step_machine(&m);
    vs_body_state nut;
    must(vs_world_get_body_state(m.scene->world, vs_world_find_body(m.scene->world, "nut"), &nut), m.context);
    close_machine(&m);
    return 2 * fabs(nut.pose.rotation.z) > 5e-5;
}

// M20 x 2.5 under a weight of 10 kg: it locks at tan(alpha) cos(30 degrees) = 0.0375, or 0.03751 with the lead in the normal, and a
// torque lifts it beyond W d/2 tan(alpha + phi), of which tan(alpha)/tan(alpha + phi) is work on the weight. The pieces of the flank are
// flat: after 5e-5 rad their slope has changed by 3e-5.
static void a_nut_locks_and_lifts(void **state) {
    (void)state;
    assert_true(turns_nut(.0370, PI / 6, 0));
    assert_true(turns_nut(.0374, PI / 6, 0));
    assert_false(turns_nut(.0376, PI / 6, 0));
    assert_false(turns_nut(.0380, PI / 6, 0));
    const double alpha = atan(.0025 / (PI * .018376)), mu[] = {.05, .1, .2};
    for (int k = 0; k < 3; k++) {
        const double torque = 10 * GRAVITY * .018376 / 2 * tan(alpha + atan(mu[k]));
        assert_true(turns_nut(mu[k], 0, torque * 1.002));
        assert_false(turns_nut(mu[k], 0, torque * .998));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_universal_joint_turns_by_its_tangents),
        cmocka_unit_test(a_joint_of_constant_velocity_turns_both_shafts_alike),
        cmocka_unit_test(a_cam_curve_is_followed_both_ways),
        cmocka_unit_test(a_differential_adds_speeds_and_shares_torque),
        cmocka_unit_test(a_scissor_lift_has_the_height_and_force_of_its_stages),
        cmocka_unit_test(a_cam_lifts_its_follower_by_its_eccentricity),
        cmocka_unit_test(a_geneva_wheel_follows_its_pin_and_rests),
        cmocka_unit_test(a_ratchet_rests_at_its_teeth),
        cmocka_unit_test(a_capstan_holds_and_slips),
        cmocka_unit_test(a_tackle_lifts_by_its_closed_form),
        cmocka_unit_test(a_band_brake_stops_its_drum),
        cmocka_unit_test(a_nut_locks_and_lifts),
        cmocka_unit_test(an_escapement_counts_and_keeps_time),
    };
    const struct CMUnitTest studies[] = {cmocka_unit_test(a_cycloidal_gear_reduces_by_its_lobes)};
    return vs_run_tests_and_studies(tests, studies);
}
