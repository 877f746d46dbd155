// Named scenes with flexible bodies give the answers they are made for; scene files with flexible bodies.
#include "scenes.h"

#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "voussoir/flexible.h"

static const double gravity = 9.81;

typedef struct run {
    memory m;
    vs_context *context;
    vs_scene *scene;
    vs_simulation *simulation;
    vs_flexible_id flexible; // the first one
} run;

static void begin(run *r, const char *name, const vs_scene_parameter *parameter, int parameters, double step) {
    *r = (run){0};
    r->context = make_context(&r->m);
    if (vs_scene_make(r->context, name, parameter, parameters, &r->scene))
        fail_msg("%s: %s", name, vs_context_get_error_text(r->context));
    r->scene->options.solver.tolerance = 1e-8;
    if (step > 0)
        r->scene->options.step = step;
    assert_int_equal(vs_simulation_create(r->scene->world, &r->scene->options, &r->simulation), VS_OK);
    r->flexible = vs_world_get_flexible_at(r->scene->world, 0);
}

static void end(run *r) {
    vs_simulation_destroy(r->simulation);
    vs_scene_destroy(r->scene);
    end_context(r->context, &r->m);
}

static vs_step_report step(run *r) {
    vs_step_report report;
    if (vs_simulation_step(r->simulation, &report))
        fail_msg("%s", vs_context_get_error_text(r->context));
    if (report.status != VS_STATUS_CONVERGED)
        fail_msg("step %lld: %s", (long long)report.step, report.status_text);
    return report;
}

static vs_flexible_view view_of(const run *r, vs_flexible_id id) {
    vs_flexible_view view;
    assert_int_equal(vs_world_get_flexible_view(r->scene->world, id, &view), VS_OK);
    return view;
}

static vs_vec3 centre_of(const vs_flexible_view *view) {
    vs_vec3 sum = VS_ZERO3;
    double mass = 0;
    for (int k = 0; k < view->nodes; k++) {
        sum = vs_add_scaled(sum, view->mass[k], view->position[k]);
        mass += view->mass[k];
    }
    return vs_scale(1 / mass, sum);
}

static int inverted(const run *r) {
    int count;
    assert_int_equal(vs_world_get_flexible_inverted(r->scene->world, r->flexible, &count, NULL), VS_OK);
    return count;
}

// The whole second at large and small steps, on a coarser mesh (the full one: bench/bending.c). The beam slips between
// the supports in the end; it has then what the punch and gravity gave, not more.
static void bending_is_stable_at_large_and_small_steps(void **state) {
    (void)state;
    const double h[] = {.5, .06, .01}, duration[] = {1, 1, .7}; // it has slipped by 0.65 s
    for (int i = 0; i < 3; i++) {
        run r;
        begin(&r, "three-point-bending", (const vs_scene_parameter[]){{"cells", 20}}, 1, h[i]);
        vs_energy start = vs_world_get_energy(r.scene->world);
        double kinetic = 0, most = 0, work = 0;
        int iterations = 0, steps = (int)ceil(duration[i] / h[i] - 1e-9);
        for (int k = 0; k < steps; k++) {
            vs_step_report report = step(&r);
            work += report.work;
            kinetic = fmax(kinetic, report.energy.kinetic);
            double fallen = start.potential - report.energy.potential; // > 0 once strain is less than what it fell
            most = fmax(most, report.energy.kinetic - work - fmax(0, fallen));
            iterations = report.iterations > iterations ? report.iterations : iterations;
            assert_true(report.dissipation >= 0); // no friction, no damping: 0
            assert_int_equal(report.inverted, 0);
            assert_int_equal(inverted(&r), 0);
        }
        printf("  h = %g s: at most %d iterations, %.0f J of kinetic energy, %.0f J by the punch\n", h[i], iterations,
               kinetic, work);
        assert_true(iterations <= 20);
        assert_true(work > 4000); // it is bent indeed
        assert_true(most <= 0);
        end(&r);
    }
}

// While it is bent: what the punch does is stored, up to what implicit steps lose, of first order in h.
static void bending_stores_what_the_punch_does(void **state) {
    (void)state;
    double lost[2];
    for (int i = 0; i < 2; i++) {
        run r;
        begin(&r, "three-point-bending", (const vs_scene_parameter[]){{"cells", 20}}, 1, i ? .01 : .02);
        vs_energy e = vs_world_get_energy(r.scene->world);
        double begin = e.kinetic + e.potential, work = 0;
        for (int k = 0; k < (i ? 10 : 5); k++) {
            vs_step_report report = step(&r);
            assert_true(fabs(report.work - report.flow.prescribed) <= 1e-12 * fabs(report.work));
            work += report.work;
            e = report.energy;
        }
        lost[i] = begin + work - e.kinetic - e.potential;
        printf("  the punch does %.1f J, of which %.1f J are lost\n", work, lost[i]);
        assert_true(lost[i] > 0 && lost[i] < .4 * work);
        end(&r);
    }
    assert_true(lost[1] < .7 * lost[0]);
}

static void cylinders_that_press_through_are_refused(void **state) {
    (void)state;
    memory m = {0};
    vs_context *context = make_context(&m);
    vs_scene *scene = NULL;
    const vs_scene_parameter coarse = {"cells", 13};
    assert_int_equal(vs_scene_make(context, "three-point-bending", &coarse, 1, &scene), VS_ERROR_ARGUMENT);
    assert_non_null(strstr(vs_context_get_error_text(context), "use 18 or more"));
    end_context(context, &m);
}

// The ball in its dents touches several faces of a pad at once; pushed out of one after the other it got 0.1 J.
static void pads_lift_the_ball(void **state) {
    (void)state;
    run r;
    begin(&r, "soft-gripper", NULL, 0, 0);
    vs_energy e = vs_world_get_energy(r.scene->world);
    double balance = e.kinetic + e.potential, work = 0;
    vs_body_id ball = vs_world_get_body_at(r.scene->world, 0), plate = vs_world_get_body_at(r.scene->world, 1);
    vs_body_state b, p;
    double held = 0;
    for (int k = 0; k < 200; k++) {
        vs_step_report report = step(&r);
        balance += report.work - report.dissipation;
        work += report.work;
        e = report.energy;
        vs_world_get_body_state(r.scene->world, ball, &b);
        vs_world_get_body_state(r.scene->world, plate, &p);
        if (k == 100) // 0.5 s: lifted off, what sags has sagged
            held = b.pose.position.z - p.pose.position.z;
    }
    printf("  lifted by %.4f m, slipped by %.1e m\n", b.pose.position.z - .03,
           b.pose.position.z - p.pose.position.z - held);
    assert_true(b.pose.position.z > .03 + .05);
    assert_true(fabs(b.pose.position.z - p.pose.position.z - held) < 1e-4);
    balance -= e.kinetic + e.potential;
    printf("  the plates do %.4f J, implicit steps lose %.4f J\n", work, balance);
    assert_true(balance > 0 && balance < .1 * work);
    end(&r);
}

static void ring_rolls_without_slip(void **state) {
    (void)state;
    run r;
    begin(&r, "rolling-ring", NULL, 0, 0);
    vs_flexible_view v = view_of(&r, r.flexible);
    double x0 = centre_of(&v).x, slip = 0;
    for (int k = 0; k < 250; k++) {
        step(&r);
        for (int c = 0; c < vs_simulation_get_contact_count(r.simulation); c++) {
            vs_contact_view contact;
            assert_int_equal(vs_simulation_get_contact_at(r.simulation, c, &contact), VS_OK);
            if (contact.impulse.z > 1e-3 * gravity * r.scene->options.step)
                slip = fmax(slip, hypot(contact.velocity.x, contact.velocity.y));
        }
    }
    vs_vec3 x = centre_of(&v);
    vs_energy energy = vs_world_get_energy(r.scene->world);
    printf("  rolled %.3f m in 0.5 s, contacts slipped at most %.2f m/s\n", x.x - x0, slip);
    // The cut into tetrahedra is not the same to the left and to the right: it runs a little sideways.
    // Implicit Euler takes about (h speed/radius)^2/2 of the kinetic energy a step, and the feet are set down with loss
    assert_true(x.x - x0 > .4 && x.x - x0 < .51);
    assert_true(fabs(x.y) < .02 && energy.momentum.x > 0);
    assert_int_equal(inverted(&r), 0);
    end(&r);
}

// Held up to exp(mu pi) = 2.566, not beyond.
static void rope_obeys_the_capstan_equation(void **state) {
    (void)state;
    const double ratio[2] = {2.45, 2.65};
    for (int k = 0; k < 2; k++) {
        run r;
        begin(&r, "rope-on-drum", (const vs_scene_parameter[]){{"light", 10}, {"heavy", 10 * ratio[k]}, {"nodes", 46}},
              3, 0);
        for (int i = 0; i < 100; i++)
            step(&r);
        vs_flexible_view v = view_of(&r, r.flexible);
        double speed = -v.velocity[v.nodes - 1].z;
        printf("  %.2f times the load: %.4f m/s after 0.2 s\n", ratio[k], speed);
        assert_true(k == 0 ? fabs(speed) < .005 : speed > .1);
        end(&r);
    }
}

static void foundation_carries_the_blocks(void **state) {
    (void)state;
    run r;
    begin(&r, "elastic-foundation", (const vs_scene_parameter[]){{"cells", 4}}, 1, .01);
    for (int k = 0; k < 100; k++)
        step(&r);
    double floor = 0, top = 0, blocks = 3 * 2000 * .008 * gravity, all = blocks + 1000 * .072 * gravity;
    for (int c = 0; c < vs_simulation_get_contact_count(r.simulation); c++) {
        vs_contact_view contact;
        assert_int_equal(vs_simulation_get_contact_at(r.simulation, c, &contact), VS_OK);
        double force = contact.impulse.z / r.scene->options.step;
        if (contact.a.index == 0 && contact.flexible_b.generation > 0 && contact.flexible_a.generation == 0)
            floor += force;
        else if (contact.flexible_a.generation > 0 || contact.flexible_b.generation > 0)
            top += contact.flexible_a.generation > 0 ? force : -force;
    }
    if (fabs(floor - all) > 1e-3 * all || fabs(top - blocks) > 1e-3 * blocks)
        fail_msg("the floor carries %g N of %g, the ground %g N of %g", floor, all, top, blocks);
    end(&r);
}

// One block in the middle: the problem is symmetric in x and y, and so is the answer, up to what the tolerance of 1e-8
// leaves. (8 cells: with 6 the block's corners stand on nodes, and roundoff decides which face they meet.)
static void symmetric_ground_stays_symmetric(void **state) {
    (void)state;
    run r;
    begin(&r, "elastic-foundation", (const vs_scene_parameter[]){{"blocks", 1}, {"cells", 8}}, 2, 0);
    for (int k = 0; k < 50; k++)
        step(&r);
    vs_flexible_view v = view_of(&r, r.flexible);
    double worst = 0, sunk = 0;
    for (int k = 0; k < v.nodes; k++) {
        sunk = fmax(sunk, v.rest[k].z - v.position[k].z);
        for (int j = 0; j < v.nodes; j++) { // mirror image in x
            if (fabs(v.rest[k].x + v.rest[j].x) > 1e-9 || fabs(v.rest[k].y - v.rest[j].y) > 1e-9 ||
                fabs(v.rest[k].z - v.rest[j].z) > 1e-9)
                continue;
            vs_vec3 a = v.position[k], b = v.position[j];
            worst = fmax(worst, vs_length((vs_vec3){a.x + b.x, a.y - b.y, a.z - b.z}));
        }
    }
    printf("  sinks by %.2e m, mirror images differ by %.1e m\n", sunk, worst);
    assert_true(sunk > 3e-4 && worst < 1e-6 * sunk);
    end(&r);
}

// The scene's shape is what tests/step/elastic/test_flexible_contact.c follows for 1000 steps.
static void strip_falls_on_itself(void **state) {
    (void)state;
    run r;
    begin(&r, "folded-strip", NULL, 0, 0);
    double worst = 0;
    for (int k = 0; k < 200; k++)
        worst = fmax(worst, step(&r).penetration);
    bool self = false;
    for (int c = 0; c < vs_simulation_get_contact_count(r.simulation); c++) {
        vs_contact_view contact;
        assert_int_equal(vs_simulation_get_contact_at(r.simulation, c, &contact), VS_OK);
        self = self || (contact.flexible_a.generation > 0 && contact.flexible_b.generation > 0);
    }
    assert_true(self && worst < 1e-7);
    end(&r);
}

// ---- scene files -----------------------------------------------------------------------------------

static const char FILE_TEXT[] =
    "{\"voussoir\": 1, \"gravity\": [0, 0, 0], \"step\": 0.01,\n"
    "\"bodies\": [{\"name\": \"hub\", \"motion\": \"static\"}],\n"
    "\"flexible\": [\n"
    "{\"name\": \"bar\", \"mesh\": {\"kind\": \"box\", \"size\": [1, 0.1, 0.1], \"cells\": [4, 1, 1]},\n"
    " \"elastic\": {\"material\": \"rubber\", \"poisson\": 0, \"beta\": 0.05}, \"law\": \"neo-hookean\",\n"
    " \"attach\": [{\"set\": \"-x\", \"body\": \"hub\"}],\n"
    " \"load\": [{\"set\": \"+x\", \"force\": [500, 0, 0]}]},\n"
    "{\"name\": \"wire\", \"points\": [[0, 1, 0], [0.5, 1, 0], [1, 1, 0]], \"elastic\": \"steel\",\n"
    " \"radius\": 0.001}],\n"
    "\"joints\": [{\"kind\": \"fixed\", \"a\": \"world\", \"b\": \"wire.0\",\n"
    "  \"frame\": {\"position\": [0, 1, 0]}}],\n"
    "\"loads\": [{\"body\": \"wire.2\", \"force\": [66, 0, 0]}]}";

static void a_file_makes_flexible_bodies(void **state) {
    (void)state;
    run r = {0};
    r.context = make_context(&r.m);
    if (vs_scene_parse(r.context, FILE_TEXT, sizeof FILE_TEXT - 1, "test", NULL, 0, &r.scene))
        fail_msg("%s", vs_context_get_error_text(r.context));
    assert_int_equal(vs_world_get_flexible_count(r.scene->world), 2);
    assert_int_equal(vs_simulation_create(r.scene->world, &r.scene->options, &r.simulation), VS_OK);
    for (int k = 0; k < 400; k++)
        step(&r);
    vs_flexible_view bar = view_of(&r, vs_world_find_flexible(r.scene->world, "bar"));
    vs_flexible_view wire = view_of(&r, vs_world_find_flexible(r.scene->world, "wire"));
    double far = 0;
    for (int k = 0; k < bar.nodes; k++)
        far = fmax(far, bar.position[k].x);
    // strain 500 / (5e6 0.01) = 0.01, the law's own stiffness within a strain of it; the load is not spread as stress
    // is
    assert_true(fabs(far - .5 - .01) < 5e-4);
    // E A = 6.6e5 N: 1e-4 m
    assert_true(fabs(wire.position[2].x - 1 - 66 / (210e9 * 3.14159265e-6)) < 1e-6);
    end(&r);
}

static void refuse(vs_context *context, const char *flexible, const char *expected) {
    char text[512];
    vs_scene *scene = NULL;
    int length = snprintf(text, sizeof text, "{\"voussoir\": 1, \"flexible\": [%s]}", flexible);
    assert_int_equal(vs_scene_parse(context, text, (size_t)length, "test", NULL, 0, &scene), VS_ERROR_DATA);
    if (!strstr(vs_context_get_error_text(context), expected))
        fail_msg("\"%s\" does not say \"%s\"", vs_context_get_error_text(context), expected);
}

static void wrong_files_are_refused(void **state) {
    (void)state;
    memory m = {0};
    vs_context *context = make_context(&m);
    refuse(context, "{}", "mesh");
    refuse(context, "{\"mesh\": {\"kind\": \"cube\"}}", "cube");
    refuse(context, "{\"mesh\": {\"kind\": \"sphere\", \"cells\": 2}}", "radius");
    refuse(context, "{\"mesh\": {\"kind\": \"box\", \"size\": [1, 1, 1], \"cells\": [9999, 9999, 9999]}}", "elements");
    refuse(context, "{\"mesh\": {\"kind\": \"sphere\", \"radius\": 1, \"cells\": 1}, \"elastic\": \"butter\"}",
           "butter");
    refuse(context, "{\"mesh\": {\"kind\": \"sphere\", \"radius\": 1, \"cells\": 1}, \"hold\": [{\"set\": \"top\"}]}",
           "top");
    refuse(context, "{\"mesh\": {\"kind\": \"sphere\", \"radius\": 1, \"cells\": 1}, \"elastic\": {\"poisson\": 0.5}}",
           "Poisson");
    refuse(context, "{\"points\": [[0, 0, 0], [0, 0, 0]], \"radius\": 0.1}", "coincide");
    end_context(context, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bending_stores_what_the_punch_does),
        cmocka_unit_test(cylinders_that_press_through_are_refused),
        cmocka_unit_test(ring_rolls_without_slip),
        cmocka_unit_test(rope_obeys_the_capstan_equation),
        cmocka_unit_test(foundation_carries_the_blocks),
        cmocka_unit_test(symmetric_ground_stays_symmetric),
        cmocka_unit_test(strip_falls_on_itself),
        cmocka_unit_test(a_file_makes_flexible_bodies),
        cmocka_unit_test(wrong_files_are_refused),
    };
    const struct CMUnitTest studies[] = {
        cmocka_unit_test(bending_is_stable_at_large_and_small_steps),
        cmocka_unit_test(pads_lift_the_ball),
    };
    return vs_run_tests_and_studies(tests, studies);
}
