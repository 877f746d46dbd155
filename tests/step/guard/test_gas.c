// Elastic balls keep their energy: a ball that is struck within a step and meets a third one there has its impact in the next.
#include <stdio.h>

#include "kit/random.h"
#include "step/worlds.h"

static const double RADIUS = .1; // m
// Of the energy, in a step: rounding and the solver's tolerance.
static const double ROUNDING = 1e-6;

static void open_gas(rig *s, vs_scheme scheme) {
    open_rig(s, 0, 0, false);
    must(vs_world_set_gravity(s->world, VS_ZERO3), s->context);
    vs_material elastic = vs_material_default();
    elastic.mu = 0, elastic.restitution = 1;
    must(vs_world_add_material(s->world, &elastic, "elastic", &s->material), s->context);
    s->options.step = 1. / 240;
    s->options.scheme = scheme;
    s->options.solver.tolerance = 1e-8;
}

// Six planes, 2 `half` apart.
static void add_walls(rig *s, double half) {
    const double r = sqrt(.5);
    const vs_pose wall[6] = {{{0, 0, -half}, {1, 0, 0, 0}},  {{0, 0, half}, {0, 1, 0, 0}},
                             {{-half, 0, 0}, {r, 0, r, 0}},  {{half, 0, 0}, {r, 0, -r, 0}},
                             {{0, -half, 0}, {r, -r, 0, 0}}, {{0, half, 0}, {r, r, 0, 0}}};
    vs_shape *plane;
    must(vs_shape_plane(s->context, &plane), s->context);
    for (int k = 0; k < 6; k++) {
        vs_collider_def collider = vs_collider_def_default();
        collider.shape = plane, collider.material = s->material, collider.pose = wall[k];
        must(vs_world_add_collider(s->world, &collider, NULL), s->context);
    }
    vs_shape_release(plane);
}

typedef struct gas_case {
    vs_scheme scheme;
    uint64_t seed;
    double half; // m, of the box
    int steps;
} gas_case;

// 27 places of a grid of which the last three are empty; the energy at the end relative to the first.
static double run_gas(const gas_case *c) {
    rig s;
    open_gas(&s, c->scheme);
    add_walls(&s, c->half);
    uint64_t seed = c->seed;
    for (int k = 0; k < 24; k++) {
        const double d = .6 * c->half;
        const vs_vec3 place = {d * (k % 3 - 1), d * (k / 3 % 3 - 1), d * (k / 9 - 1)};
        (void)add_ball(&s, RADIUS, 1000, place,
                       (vs_vec3){random_in(&seed, -1, 1), random_in(&seed, -1, 1), random_in(&seed, -1, 1)});
    }
    start_rig(&s);
    const double first = vs_world_get_energy(s.world).kinetic;
    double last = first;
    for (int k = 0; k < c->steps; k++) {
        const vs_step_report report = take_step(&s);
        if (!(report.energy.kinetic <= last + ROUNDING * first))
            fail_msg("step %d: %g J, then %g J", k + 1, last, report.energy.kinetic);
        last = report.energy.kinetic;
    }
    printf("  %s, %d steps: %.9f of %g J\n", c->scheme == VS_SCHEME_SHAKE ? "shake" : "moreau", c->steps, last / first,
           first);
    close_rig(&s);
    return last / first;
}

static void an_elastic_gas_keeps_its_energy(void **state) {
    (void)state;
    static const vs_scheme scheme[2] = {VS_SCHEME_MOREAU, VS_SCHEME_SHAKE};
    for (int k = 0; k < 2; k++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            const double left = run_gas(&(gas_case){scheme[k], seed, .6, 1000});
            assert_near("energy", left, 1, 1e-5); // the solver's, of about 2000 impacts
        }
}

// A row of balls of which the first moves; the others are apart by a part of what it moves in a step. One after the other they
// pass its velocity on, and the last one leaves with all of it.
static void balls_in_a_row_pass_an_impact_on(void **state) {
    (void)state;
    static const double gap[3] = {.1, .5, .9};
    for (int k = 0; k < 6; k++) {
        rig s;
        open_gas(&s, k % 2 ? VS_SCHEME_SHAKE : VS_SCHEME_MOREAU);
        vs_body_id ball[4];
        for (int i = 0; i < 4; i++)
            ball[i] = add_ball(&s, RADIUS, 1000, (vs_vec3){(2 * RADIUS + gap[k / 2] / 240) * i, 0, 0},
                               (vs_vec3){i == 0 ? 1 : 0, 0, 0});
        start_rig(&s);
        for (int i = 0; i < 10; i++)
            (void)take_step(&s);
        for (int i = 0; i < 4; i++)
            assert_near("velocity", state_of(&s, ball[i]).velocity.x, i == 3 ? 1 : 0, 1e-6);
        close_rig(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_elastic_gas_keeps_its_energy),
        cmocka_unit_test(balls_in_a_row_pass_an_impact_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
