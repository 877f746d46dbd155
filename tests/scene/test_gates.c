// Factories and sinks: rates, room, sizes, and that bodies which are absent take no part in anything.
#include "kit/fixture.h"
#include "scenes.h"

#include "voussoir/gate.h"
#include "voussoir/query.h"
#include "voussoir/statics.h"

static const double STEP = .005;

// A chute without walls: bodies appear over nothing and fall.
#define SCENE(rest) "{\"voussoir\": 1, \"step\": 0.005, " rest "}"
#define BALL "\"shape\": {\"kind\": \"sphere\", \"radius\": 0.5}, \"density\": 2000, "
#define ABOVE "\"within\": [[-0.2, -0.2, 1], [0.2, 0.2, 1.2]]"
#define BELOW "\"sinks\": [{\"name\": \"out\", \"within\": [[-9, -9, -9], [9, 9, 0.5]]}]"
#define SMALL "\"sizes\": {\"kind\": \"list\", \"factors\": [0.02]}, "

typedef struct running {
    vs_context *context;
    vs_scene *scene;
    vs_world *world;
    vs_simulation *simulation;
} running;

static running begin(void **state, const char *text) {
    running r = {.context = context_of(state)};
    must(vs_scene_parse(r.context, text, strlen(text), "gates", NULL, 0, &r.scene), r.context);
    r.world = r.scene->world;
    must(vs_simulation_create(r.world, &r.scene->options, &r.simulation), r.context);
    return r;
}

static void end(running *r) {
    vs_simulation_destroy(r->simulation);
    vs_scene_destroy(r->scene);
}

static vs_gate_view gate(const running *r, int k) {
    vs_gate_view view;
    must(vs_world_get_gate_at(r->world, k, &view), r->context);
    return view;
}

static vs_step_report step(const running *r) {
    vs_step_report report;
    must(vs_simulation_step(r->simulation, &report), r->context);
    return report;
}

static int count_present(const running *r, double *mass) {
    int present = 0;
    *mass = 0;
    for (int k = 0; k < vs_world_get_body_count(r->world); k++) {
        const vs_body_id id = vs_world_get_body_at(r->world, k);
        double one;
        must(vs_world_get_body_mass(r->world, id, &one, NULL), r->context);
        if (one > 0 && vs_world_is_body_present(r->world, id))
            present++, *mass += one;
    }
    return present;
}

static double diameter_of(const running *r, int body) {
    double mass;
    must(vs_world_get_body_mass(r->world, vs_world_get_body_at(r->world, body), &mass, NULL), r->context);
    return cbrt(mass / (2000 * VS_PI / 6));
}

// ---- rates -----------------------------------------------------------------------------------------

// 80 bodies per second over steps of 1/200 s: 0.4 per step, the first one in the first step.
static void a_factory_keeps_its_rate(void **state) {
    running r = begin(state, SCENE("\"factories\": [{\"name\": \"in\", " BALL SMALL ABOVE ", \"count\": 60, \"rate\": "
                                   "80, \"begin\": 0.1}], " BELOW));
    for (int k = 1; k <= 100; k++) {
        (void)step(&r);
        const double due = fmin(60, fmax(0, ceil(80 * (k * STEP - .1) - 1e-9)));
        assert_true((double)gate(&r, 0).bodies == due);
        assert_int_equal(gate(&r, 0).waiting, 0);
    }
    assert_int_equal(gate(&r, 0).bodies, 32);
    end(&r);
}

// Of two sizes in turn, whose masses differ by a factor of 8.
static void a_factory_keeps_its_mass_rate(void **state) {
    running r =
        begin(state, SCENE("\"factories\": [{" BALL "\"sizes\": {\"kind\": \"list\", \"factors\": [0.01, 0.02]}, " ABOVE
                           ", \"count\": 400, \"mass_rate\": 0.5}], " BELOW));
    const double large = 2000 * VS_PI / 6 * 8e-6;
    for (int k = 1; k <= 60; k++) {
        (void)step(&r);
        const double due = .5 * k * STEP, mass = gate(&r, 0).mass;
        assert_true(mass >= due - 1e-6 * large && mass < due + large);
    }
    end(&r);
}

// Nothing is lost on the way from the factory to the sink, and no id changes.
static void what_enters_is_there_or_has_left(void **state) {
    running r = begin(state, SCENE("\"factories\": [{\"name\": \"in\", " BALL SMALL ABOVE ", \"count\": 50, \"rate\": "
                                   "200, \"velocity\": [0, 0, -2]}], " BELOW));
    const vs_body_id last = vs_world_get_body_at(r.world, 49);
    double mass;
    for (int k = 0; k < 120; k++) {
        (void)step(&r);
        const vs_gate_view in = gate(&r, 0), out = gate(&r, 1);
        assert_int_equal(count_present(&r, &mass), in.bodies - out.bodies);
        assert_true(fabs(mass - (in.mass - out.mass)) < 1e-12);
        assert_int_equal(vs_world_get_body_count(r.world), 50);
    }
    assert_int_equal(gate(&r, 0).bodies, 50); // all of them, and then no more
    assert_int_equal(gate(&r, 1).bodies, 50);
    assert_true(gate(&r, 1).sink && strcmp(gate(&r, 1).name, "out") == 0);
    // Nothing resists the fall: what they took is what they brought, but for m (g h)^2/2 per step that a fall loses.
    const double brought = gate(&r, 0).energy, left = brought + gate(&r, 1).energy;
    assert_true(left > 0 && left < brought * STEP);
    vs_body_state body;
    must(vs_world_get_body_state(r.world, last, &body), r.context);
    assert_true(vs_world_get_energy(r.world).kinetic == 0 && vs_world_get_energy(r.world).potential == 0);
    end(&r);
}

static void taken_bodies_come_again_if_asked(void **state) {
    running r = begin(state, SCENE("\"factories\": [{\"name\": \"in\", " BALL SMALL ABOVE ", \"count\": 30, \"rate\": "
                                   "100, \"reuse\": true, \"velocity\": [0, 0, -5]}], " BELOW));
    for (int k = 0; k < 200; k++)
        (void)step(&r);
    assert_int_equal(gate(&r, 0).bodies, 100);
    assert_true(gate(&r, 1).bodies > 60);
    end(&r);
}

// ---- room ------------------------------------------------------------------------------------------

static void find_overlaps(const running *r) {
    int overlaps;
    must(vs_simulation_find_overlaps(r->simulation, 1e-5, NULL, 0, &overlaps), r->context);
    assert_int_equal(overlaps, 0);
}

// A box with a block in its middle holds some of the cubes of 5 cm: the others wait; those that came overlap neither each other
// nor the block, and are wholly in the box.
static void what_finds_no_room_waits(void **state) {
    running r = begin(
        state, SCENE("\"gravity\": [0, 0, 0], \"bodies\": [{\"motion\": \"static\", \"shape\": {\"kind\": \"box\", "
                     "\"size\": [0.1, 0.1, 0.1]}}], \"factories\": [{\"shape\": {\"kind\": \"box\", \"size\": "
                     "[0.05, 0.05, 0.05]}, \"count\": 200, \"seed\": 4, \"within\": [[-0.15, -0.15, -0.15], [0.15, "
                     "0.15, 0.15]]}]"));
    for (int k = 0; k < 3; k++) {
        (void)step(&r);
        find_overlaps(&r);
    }
    const vs_gate_view in = gate(&r, 0);
    const double reach = sqrt(3) * .025, room = (.027 - .001) / 1.25e-4; // cubes that would fill it
    assert_true(in.bodies >= 10 && (double)in.bodies <= room);
    assert_int_equal(in.waiting, 200 - in.bodies);
    for (int k = 1; k < vs_world_get_body_count(r.world); k++) {
        const vs_body_id id = vs_world_get_body_at(r.world, k);
        vs_body_state body;
        must(vs_world_get_body_state(r.world, id, &body), r.context);
        const vs_vec3 x = body.pose.position;
        if (vs_world_is_body_present(r.world, id))
            assert_true(fmax(fabs(x.x), fmax(fabs(x.y), fabs(x.z))) <= .15 - reach);
    }
    end(&r);
}

// What moves away makes room: all enter at last.
static void waiting_bodies_enter_when_there_is_room(void **state) {
    running r =
        begin(state, SCENE("\"factories\": [{" BALL "\"sizes\": {\"kind\": \"list\", \"factors\": [0.15]}, " ABOVE
                           ", \"count\": 12}], " BELOW));
    int64_t waited = 0;
    for (int k = 0; k < 200; k++) {
        (void)step(&r);
        waited += gate(&r, 0).waiting;
    }
    assert_int_equal(gate(&r, 0).bodies, 12);
    assert_true(waited > 0 && gate(&r, 0).waiting == 0);
    end(&r);
}

static void absent_bodies_take_no_part(void **state) {
    running r =
        begin(state, SCENE("\"factories\": [{" BALL "\"sizes\": {\"kind\": \"list\", \"factors\": [0.15]}, " ABOVE
                           ", \"count\": 3, \"begin\": 100}]"));
    vs_shape *box;
    int count;
    for (int k = 0; k < 3; k++) {
        const vs_step_report report = step(&r);
        assert_true(report.contacts == 0 && report.energy.kinetic == 0 && report.energy.potential == 0);
    }
    must(vs_shape_box(r.context, (vs_vec3){9, 9, 9}, &box), r.context);
    must(vs_world_find_overlapping(r.world, box, VS_IDENTITY_POSE, UINT32_MAX, NULL, 0, &count), r.context);
    assert_int_equal(count, 0);
    vs_shape_release(box);
    vs_joint_def joint = vs_joint_def_default();
    joint.b = vs_world_get_body_at(r.world, 1);
    assert_int_equal(vs_world_add_joint(r.world, &joint, NULL), VS_ERROR_ARGUMENT);
    vs_outcome outcome;
    must(vs_simulation_get_outcome(r.simulation, &outcome), r.context);
    assert_true(outcome.displacement == 0);
    end(&r);
}

// Where a body began is where it entered, not where it waited.
static void a_body_begins_where_it_enters(void **state) {
    running r = begin(state, SCENE("\"gravity\": [0, 0, 0], \"factories\": [{" BALL SMALL ABOVE ", \"count\": 20, "
                                   "\"rate\": 100}]"));
    vs_outcome outcome;
    for (int k = 0; k < 60; k++)
        (void)step(&r);
    must(vs_simulation_get_outcome(r.simulation, &outcome), r.context);
    assert_true(outcome.displacement < 1e-12);
    end(&r);
}

static void gates_act_in_every_scheme(void **state) {
    static const char *const solver[] = {"\"scheme\": \"shake\"", "\"scheme\": \"quasi-static\"", "\"accuracy\": 1e-2"};
    for (size_t k = 0; k < sizeof solver / sizeof *solver; k++) {
        char text[1024];
        (void)snprintf(text, sizeof text,
                       SCENE("\"solver\": {%s}, \"bodies\": [{\"motion\": \"static\", \"shape\": {\"kind\": "
                             "\"plane\"}}], \"factories\": [{" BALL SMALL
                             "\"within\": [[-0.1, -0.1, 0], [0.1, 0.1, 0.1]], \"count\": 10, \"rate\": 100}], "
                             "\"sinks\": [{\"within\": [[0, -9, -9], [9, 9, 9]]}]"),
                       solver[k]);
        running r = begin(state, text);
        for (int i = 0; i < 40; i++)
            (void)step(&r);
        double mass;
        assert_int_equal(gate(&r, 0).bodies, 10);
        assert_int_equal(count_present(&r, &mass), 10 - gate(&r, 1).bodies);
        assert_true(gate(&r, 1).bodies > 0);
        end(&r);
    }
}

// ---- sizes -----------------------------------------------------------------------------------------

#define SIZED(sizes, count)                                                                                            \
    SCENE("\"factories\": [{" BALL ABOVE ", \"sizes\": {" sizes "}, \"seed\": 7, \"count\": " count "}]")

static void uniform_sizes_fill_their_range(void **state) {
    enum { COUNT = 2000 };
    running r = begin(state, SIZED("\"kind\": \"uniform\", \"from\": 0.01, \"to\": 0.03", "2000"));
    double sum = 0, least = 1, most = 0;
    for (int k = 0; k < COUNT; k++) {
        const double d = diameter_of(&r, k);
        sum += d, least = fmin(least, d), most = fmax(most, d);
    }
    assert_true(least >= .01 && most <= .03);
    assert_true(fabs(sum / COUNT - .02) < 4 * .02 / sqrt(12. * COUNT)); // four deviations of the mean
    end(&r);
}

static void lognormal_sizes_have_their_median_and_deviation(void **state) {
    enum { COUNT = 2000 };
    running r = begin(state, SIZED("\"kind\": \"lognormal\", \"median\": 0.02, \"deviation\": 0.3", "2000"));
    double sum = 0, squares = 0;
    for (int k = 0; k < COUNT; k++) {
        const double x = log(diameter_of(&r, k) / .02) / .3;
        sum += x, squares += x * x;
    }
    assert_true(fabs(sum / COUNT) < 4 / sqrt(COUNT)); // four deviations of the mean, and of the variance
    assert_true(fabs(squares / COUNT - 1) < 4 * sqrt(2. / COUNT));
    end(&r);
    r = begin(state, SIZED("\"kind\": \"lognormal\", \"median\": 0.02, \"deviation\": 0.3, \"from\": 0.015, \"to\": "
                           "0.02",
                           "500"));
    for (int k = 0; k < 500; k++)
        assert_true(diameter_of(&r, k) >= .015 * (1 - 1e-12) && diameter_of(&r, k) <= .02 * (1 + 1e-12));
    end(&r);
}

// At any length of the list to within one body of each class.
static void mass_fractions_hold_for_any_number(void **state) {
    static const double size[] = {.01, .02, .05}, fraction[] = {.2, .3, .5};
    running r = begin(state, SIZED("\"kind\": \"mass-fractions\", \"factors\": [0.01, 0.02, 0.05], \"fractions\": [2, "
                                   "3, 5]",
                                   "1000"));
    double mass[3] = {0}, all = 0;
    for (int k = 0; k < 1000; k++) {
        const double d = diameter_of(&r, k), one = d * d * d;
        for (int i = 0; i < 3; i++)
            mass[i] += fabs(d - size[i]) < 1e-9 ? one : 0;
        all += one;
        for (int i = 0; i < 3; i++)
            assert_true(fabs(mass[i] - fraction[i] * all) <= 1.25e-4); // the largest body
    }
    assert_true(mass[0] > 0 && mass[1] > 0 && mass[2] > 0);
    end(&r);
}

// A clump of a ball and a box: twice as large it has 8 times the mass and 32 times the inertia.
static void bodies_of_several_shapes_grow_as_a_whole(void **state) {
    running r = begin(state, SCENE("\"factories\": [{\"shapes\": [{\"kind\": \"sphere\", \"radius\": 0.01, "
                                   "\"position\": [0.01, 0, 0]}, {\"kind\": \"box\", \"half\": [0.01, 0.02, 0.01]}, "
                                   "{\"kind\": \"hull\", \"points\": [[0, 0, 0], [0.01, 0, 0], [0, 0.01, 0], [0, 0, "
                                   "0.02]]}, {\"kind\": \"capsule\", \"radius\": 0.01, \"half_length\": 0.01}, "
                                   "{\"kind\": \"cylinder\", \"radius\": 0.01, \"half_length\": 0.01}, {\"kind\": "
                                   "\"ellipsoid\", \"semi_axes\": [0.01, 0.02, 0.03]}], " ABOVE
                                   ", \"count\": 2, \"sizes\": {\"kind\": \"list\", \"factors\": [1, 2]}}]"));
    double mass[2];
    vs_mat3 inertia[2];
    for (int k = 0; k < 2; k++)
        must(vs_world_get_body_mass(r.world, vs_world_get_body_at(r.world, k), &mass[k], &inertia[k]), r.context);
    assert_true(fabs(mass[1] / mass[0] - 8) < 1e-12);
    for (int k = 0; k < 9; k++)
        assert_true(fabs(inertia[1].a[k] - 32 * inertia[0].a[k]) < 1e-12 * inertia[1].a[0]);
    for (int k = 0; k < 3; k++)
        (void)step(&r);
    assert_int_equal(gate(&r, 0).bodies, 2);
    find_overlaps(&r);
    end(&r);
}

// ---- bits ------------------------------------------------------------------------------------------

static uint64_t hash_run(void **state, const char *text) {
    running r = begin(state, text);
    for (int k = 0; k < 60; k++)
        (void)step(&r);
    const uint64_t hash = vs_world_get_hash(r.world);
    end(&r);
    return hash;
}

#define SEEDED(seed)                                                                                                   \
    SCENE(                                                                                                             \
        "\"bodies\": [{\"motion\": \"static\", \"shape\": {\"kind\": \"plane\"}}], \"factories\": [{" BALL             \
        "\"within\": [[-0.1, -0.1, 0], [0.1, 0.1, 0.2]], \"count\": 60, \"rate\": 200, \"seed\": " seed                \
        ", \"sizes\": {\"kind\": \"uniform\", \"from\": 0.02, \"to\": 0.03}}], \"sinks\": [{\"within\": [[0, 0, 0], "  \
        "[9, 9, 0.05]]}]")

static void the_seed_decides_all_bits(void **state) {
    const uint64_t once = hash_run(state, SEEDED("1"));
    assert_true(hash_run(state, SEEDED("1")) == once);
    assert_true(hash_run(state, SEEDED("2")) != once);
}

// A reset begins the counts and the random numbers again, with the bodies as they are.
static void a_reset_begins_again(void **state) {
    running r = begin(state, SCENE("\"factories\": [{" BALL SMALL ABOVE ", \"count\": 200, \"rate\": 100, \"reuse\": "
                                   "true}], " BELOW));
    for (int k = 0; k < 100; k++)
        (void)step(&r);
    must(vs_simulation_reset(r.simulation, 0), r.context);
    assert_true(gate(&r, 0).bodies == 0 && gate(&r, 0).mass == 0 && gate(&r, 1).bodies == 0);
    (void)step(&r);
    assert_int_equal(gate(&r, 0).bodies, 1);
    end(&r);
}

// ---- mistakes --------------------------------------------------------------------------------------

static void mistakes_are_explained(void **state) {
    vs_context *context = context_of(state);
    static const struct {
        const char *text, *expected;
    } wrong[] = {
        {SCENE("\"factories\": [{" BALL ABOVE ", \"count\": 5}]"), "does not fit into its box of 0.4 x 0.4 x 0.2 m"},
        {SCENE("\"factories\": [{" BALL SMALL ABOVE "}]"), "count"},
        {SCENE("\"factories\": [{" BALL SMALL "\"count\": 5}]"), "within"},
        {SCENE("\"factories\": [{" SMALL ABOVE ", \"count\": 5}]"), "needs shapes"},
        {SCENE("\"factories\": [{" BALL SMALL ABOVE ", \"count\": 5, \"flow\": 5}]"), "flow: unknown key"},
        {SCENE("\"factories\": [{" BALL SMALL ABOVE ", \"count\": 5, \"begin\": 2, \"end\": 1}]"), "before it ends"},
        {SCENE("\"factories\": [{" BALL SMALL ABOVE ", \"count\": 2000000}]"), "count"},
        {SCENE("\"sinks\": [{\"within\": [[0, 0, 0], [1, 0, 1]]}]"), "along y is empty"},
        {SCENE("\"factories\": [{\"name\": \"a\", " BALL SMALL ABOVE ", \"count\": 5}], \"sinks\": [{\"name\": \"a\", "
               "\"within\": [[0, 0, 0], [1, 1, 1]]}]"),
         "already in use"},
        {SIZED("\"kind\": \"uniform\", \"from\": 0.03, \"to\": 0.02", "5"), "must not exceed"},
        {SIZED("\"kind\": \"uniform\", \"from\": 0.03", "5"), "needs \"from\" and \"to\""},
        {SIZED("\"kind\": \"mass-fractions\", \"factors\": [0.01, 0.02], \"fractions\": [1]", "5"),
         "2 factors and 1 fractions"},
        {SIZED("\"kind\": \"lognormal\", \"median\": 0.02, \"deviation\": 0.1, \"from\": 0.1", "5"), "almost none"},
        {SCENE("\"factories\": [{\"shape\": {\"kind\": \"plane\"}, " ABOVE ", \"count\": 5}]"), "plane"},
        {SCENE("\"mortar\": [{\"tension\": 1}], \"sinks\": [{\"within\": [[0, 0, 0], [1, 1, 1]]}]"), "mortar"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        vs_scene *scene = NULL;
        assert_true(vs_scene_parse(context, wrong[k].text, strlen(wrong[k].text), "wrong", NULL, 0, &scene) != VS_OK);
        if (!strstr(vs_context_get_error_text(context), wrong[k].expected))
            fail_msg("case %zu: %s", k, vs_context_get_error_text(context));
    }
}

// A body in two factories, or twice in one: nothing has changed after the error.
static void a_body_has_one_factory(void **state) {
    running r = begin(state, SCENE("\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01}}, {\"shape\": "
                                   "{\"kind\": \"sphere\", \"radius\": 0.01}, \"position\": [1, 0, 0]}]"));
    const vs_body_id body[] = {vs_world_get_body_at(r.world, 0), vs_world_get_body_at(r.world, 1)};
    const vs_body_id twice[] = {body[0], body[0]};
    vs_factory_def def = vs_factory_def_default();
    def.high = (vs_vec3){1, 1, 1}, def.body = twice, def.bodies = 2;
    assert_int_equal(vs_world_add_factory(r.world, &def, NULL), VS_ERROR_ARGUMENT);
    assert_true(vs_world_is_body_present(r.world, body[0]));
    def.body = body;
    must(vs_world_add_factory(r.world, &def, NULL), r.context);
    assert_false(vs_world_is_body_present(r.world, body[0]));
    assert_int_equal(vs_world_add_factory(r.world, &def, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_world_get_gate_count(r.world), 1);
    // A body that is removed while it waits never enters.
    must(vs_world_remove_body(r.world, body[0]), r.context);
    (void)step(&r);
    assert_int_equal(gate(&r, 0).bodies, 1);
    end(&r);
}

static void statics_refuses_gates(void **state) {
    running r = begin(state, SCENE("\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01}}], \"sinks\": "
                                   "[{\"within\": [[0, 0, 0], [1, 1, 1]]}]"));
    vs_statics *statics = NULL;
    assert_int_equal(vs_statics_create(r.world, NULL, &statics), VS_ERROR_UNSUPPORTED);
    end(&r);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_factory_keeps_its_rate),
        CASE(a_factory_keeps_its_mass_rate),
        CASE(what_enters_is_there_or_has_left),
        CASE(taken_bodies_come_again_if_asked),
        CASE(what_finds_no_room_waits),
        CASE(waiting_bodies_enter_when_there_is_room),
        CASE(absent_bodies_take_no_part),
        CASE(a_body_begins_where_it_enters),
        CASE(gates_act_in_every_scheme),
        CASE(uniform_sizes_fill_their_range),
        CASE(lognormal_sizes_have_their_median_and_deviation),
        CASE(mass_fractions_hold_for_any_number),
        CASE(bodies_of_several_shapes_grow_as_a_whole),
        CASE(the_seed_decides_all_bits),
        CASE(a_reset_begins_again),
        CASE(mistakes_are_explained),
        CASE(a_body_has_one_factory),
        CASE(statics_refuses_gates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
