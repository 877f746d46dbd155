// Pairs of bodies that were apart do not overlap after the step in which they meet, whatever they are and however they
// turn.
#include <stdio.h>

#include "body/world_data.h"
#include "collide/narrow/narrow.h"
#include "kit/random.h"
#include "kit/throws.h"
#include "step/worlds.h"

enum { KINDS = 6, DROPS = VS_SAMPLES(1008) };
static const char *const kind_name[KINDS] = {"sphere", "box", "capsule", "cylinder", "ellipsoid", "hull"};
static const double size = .05;

// Each fits into a ball of radius `size`.
static vs_shape *make_shape(rig *s, int kind) {
    const double r = size;
    const vs_vec3 corner[] = {{.9 * r, 0, 0}, {-.4 * r, .8 * r, 0}, {-.4 * r, -.8 * r, 0}, {0, 0, r}, {0, .2 * r, -r}};
    vs_shape *shape = NULL;
    switch (kind) {
    case 0:
        must(vs_shape_sphere(s->context, .8 * r, &shape), s->context);
        break;
    case 1:
        must(vs_shape_box(s->context, (vs_vec3){.6 * r, .5 * r, .55 * r}, &shape), s->context);
        break;
    case 2:
        must(vs_shape_capsule(s->context, .4 * r, .55 * r, &shape), s->context);
        break;
    case 3:
        must(vs_shape_cylinder(s->context, .6 * r, .6 * r, &shape), s->context);
        break;
    case 4:
        must(vs_shape_ellipsoid(s->context, (vs_vec3){.9 * r, .6 * r, .7 * r}, &shape), s->context);
        break;
    default:
        must(vs_shape_hull(s->context, corner, 5, &shape), s->context);
        break;
    }
    return shape;
}

// Two bodies, turned at random, that fly at each other with 3 m/s and spins up to 30 rad/s.
static void add_pair(rig *s, int kind[2], uint64_t *seed) {
    for (int k = 0; k < 2; k++) {
        vs_pose pose = random_pose(seed, .3 * size);
        pose.position.x += (k ? 1 : -1) * 1.3 * size;
        vs_body_id id = add_solid(s, make_shape(s, kind[k]), 1000, pose, (vs_vec3){k ? -1.5 : 1.5, 0, 0});
        vs_body_state state = state_of(s, id);
        state.spin = random_vec(seed, 30);
        must(vs_world_set_body_state(s->world, id, &state), s->context);
    }
}

// Depth of the overlap of the two bodies, 0: apart.
static double depth_of(const rig *s) {
    const vs_collider *a = &s->world->collider[0], *b = &s->world->collider[1];
    vs_manifold m;
    vs_narrow(a->shape, vs_collider_pose(s->world, a), b->shape, vs_collider_pose(s->world, b), 0, &m);
    double depth = 0;
    for (int k = 0; k < m.count; k++)
        depth = fmax(depth, -m.at[k].gap);
    return depth;
}

// Equal keys would share an impulse: all contacts of a step have different ones, those of every search for late ones.
static void check_keys(const rig *s) {
    enum { MOST = 128 };
    uint64_t key[MOST];
    int count = vs_simulation_get_contact_count(s->simulation);
    assert_in_range(count, 0, MOST);
    for (int k = 0; k < count; k++) {
        vs_contact_view view;
        must(vs_simulation_get_contact_at(s->simulation, k, &view), s->context);
        key[k] = view.key;
        for (int i = 0; i < k; i++)
            assert_true(key[i] != key[k]);
    }
}

// The deepest overlap of one drop after a step at whose beginning the bodies were apart.
static double drop(int kind[2], double mu, uint64_t *seed) {
    rig s;
    open_rig(&s, mu, 0, false);
    s.options.step = 1. / 240;
    s.options.solver.tolerance = 1e-8;
    add_pair(&s, kind, seed);
    start_rig(&s);
    double deepest = 0;
    bool apart = depth_of(&s) == 0;
    for (int k = 0; k < 20; k++) {
        must(vs_simulation_step(s.simulation, NULL), s.context);
        check_keys(&s);
        double depth = depth_of(&s);
        if (apart)
            deepest = fmax(deepest, depth);
        apart = depth < 1e-9 * size; // a gap that closes ends at zero, to rounding
    }
    close_rig(&s);
    return deepest;
}

static void test_bodies_that_were_apart_do_not_overlap(void **state) {
    (void)state;
    uint64_t seed = 17;
    double most = 0;
    for (int k = 0; k < DROPS; k++) {
        int pair = k % (KINDS * (KINDS + 1) / 2), kind[2] = {0, 0};
        for (; pair > kind[0]; kind[0]++) // of 21 pairs of kinds
            pair -= kind[0] + 1;
        kind[1] = pair;
        double depth = drop(kind, k % 2 ? .4 : 0, &seed);
        if (depth > 1e-3 * size)
            printf("  %s and %s overlap by %.2e m\n", kind_name[kind[0]], kind_name[kind[1]], depth);
        most = fmax(most, depth);
    }
    printf("  deepest of %d drops: %.1e of a body's size\n", DROPS, most / size);
    assert_true(most <= 1e-3 * size); // ten times what counts as late: eight rounds end some searches
}

// A ball of 0.1 m rolls to and fro in a trough of 1600 flat strips, radius 1 m, at 120 steps per second: each step ends a little
// inside of the next strips, as it began. That is no late contact: removed at once, it took a third of the energy in 1.5 s.
static void a_ball_in_a_trough_of_strips_keeps_its_energy(void **state) {
    (void)state;
    enum { NX = 1601, STEPS = 180 };
    const double half = .8, spacing = 2 * half / (NX - 1), radius = .1, reach = 1 - radius;
    double heights[2 * NX];
    for (int k = 0; k < 2 * NX; k++) {
        const double x = spacing * (k % NX) - half;
        heights[k] = 1 - sqrt(1 - x * x);
    }
    rig s;
    open_rig(&s, .5, 0, false);
    vs_collider_def strips = vs_collider_def_default();
    vs_shape *shape;
    must(vs_shape_height_field(s.context, NX, 2, spacing, .02, heights, &shape), s.context);
    strips.shape = shape, strips.material = s.material, strips.pose.position = (vs_vec3){-half, -.007, 0};
    must(vs_world_add_collider(s.world, &strips, NULL), s.context);
    vs_shape_release(shape);
    (void)add_ball(&s, radius, 1000, (vs_vec3){reach * sin(.6), 0, 1 - reach * cos(.6)}, VS_ZERO3);
    s.options.step = 1. / 120, s.options.solver.tolerance = 1e-8;
    start_rig(&s);
    const vs_energy before = vs_world_get_energy(s.world);
    vs_step_report report = {0};
    for (int k = 0; k < STEPS; k++)
        report = take_step(&s);
    const double lost = before.kinetic + before.potential - report.energy.kinetic - report.energy.potential;
    const double swing = 4. / 3 * acos(-1) * radius * radius * radius * 1000 * standard_gravity * reach * (1 - cos(.6));
    printf("  lost %.3f J of %.2f J\n", lost, swing);
    assert_true(lost > 0 && lost < .03 * swing); // 1.9 % by the scheme of first order; 0.5 % with half the step
    close_rig(&s);
}

// Predictions of bodies that turn fast are wild: late contacts made of them moved these by 375, 129 and 77 times their size.
static void bodies_that_turn_fast_do_not_jump(void **state) {
    (void)state;
    static const int number[] = {406489, 402954, 402415, 403794, 3024829, 3021924, 3022399, 3023349, 3021219, 3022703};
    memory m = {0};
    vs_context *context = make_context(&m);
    for (int k = 0; k < (int)(sizeof number / sizeof *number); k++) {
        uint64_t seed;
        const throw_case t = throw_number(number[k], &seed);
        const throw_result r = throw_run(context, &t, seed);
        must(r.error, context);
        printf("  throw %d: %.2g of its size\n", number[k], r.jump);
        assert_true(r.jump <= 1);
    }
    end_context(context, &m);
}

// An ellipsoid that turns by 4 radians per step was found behind a wall of 1 mm at the end of the step, and a contact there
// contradicted that on this side: 1.3e8 times its energy.
static void contacts_behind_a_thin_wall_do_not_count(void **state) {
    (void)state;
    uint64_t seed;
    const throw_case t = throw_number(7028454, &seed);
    memory m = {0};
    vs_context *context = make_context(&m);
    const throw_result r = throw_run(context, &t, seed);
    must(r.error, context);
    assert_true(r.energy <= 1 + 1e-9 && r.inaccurate == 0);
    end_context(context, &m);
}

// Overlaps that a loose tolerance leaves are no late contacts: searched as such, they came again in each of eight rounds. Where a contact
// closes by more than what counts, a tighter solution follows, so that every step is certified.
static void loose_tolerances_do_not_repeat_steps(void **state) {
    (void)state;
    enum { BODIES = 48, STEPS = 120 };
    const double tolerance[] = {1e-1, 1e-2, 1e-3};
    for (int t = 0; t < 3; t++) {
        rig s;
        uint64_t seed = 23;
        open_rig(&s, .5, 0, true);
        for (int k = 0; k < BODIES; k++) {
            vs_pose pose = random_pose(&seed, .1 * size);
            pose.position = vs_add(
                pose.position, (vs_vec3){2.1 * size * (k % 2), 2.1 * size * (k / 2 % 2), 2.1 * size * (k / 4 + .6)});
            (void)add_solid(&s, make_shape(&s, k % 3 ? 0 : k % KINDS), 1000, pose, VS_ZERO3);
        }
        s.options.solver.tolerance = tolerance[t];
        start_rig(&s);
        int problems = 0, missed = 0;
        for (int k = 0; k < STEPS; k++) {
            const vs_step_report report = take_step(&s);
            problems += report.problems;
            missed += report.status != VS_STATUS_CONVERGED;
        }
        printf("  tolerance %g: %.2f problems per step, %d missed\n", tolerance[t], (double)problems / STEPS, missed);
        assert_int_equal(missed, 0);
        assert_true(problems < 2 * STEPS);
        close_rig(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_in_a_trough_of_strips_keeps_its_energy),
        cmocka_unit_test(bodies_that_turn_fast_do_not_jump),
        cmocka_unit_test(contacts_behind_a_thin_wall_do_not_count),
        cmocka_unit_test(loose_tolerances_do_not_repeat_steps),
        cmocka_unit_test(test_bodies_that_were_apart_do_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
