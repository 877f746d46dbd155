// Cables as coordinates: their rows are the derivatives of their lengths, their lengths are the shortest, and they are removed
// with what they act on.
#include "kit/random.h"
#include "worlds.h"

static const double PI = 3.14159265358979323846;

typedef struct fixture {
    memory m;
    vs_context *context;
    vs_world *world;
} fixture;

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    f->context = make_context(&f->m);
    f->world = make_world(f->context, (vs_vec3){0, 0, 0});
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    vs_world_destroy(f->world);
    end_context(f->context, &f->m);
    free(f);
    return 0;
}

static vs_vec3 draw(uint64_t *seed, double size) {
    return (vs_vec3){random_in(seed, -size, size), random_in(seed, -size, size), random_in(seed, -size, size)};
}

static vs_body_id add_body(fixture *f, vs_pose pose, vs_vec3 velocity, vs_vec3 spin) {
    vs_body_def def = vs_body_def_default();
    vs_body_id id;
    def.pose = pose, def.velocity = velocity, def.spin = spin;
    must(vs_world_add_body(f->world, &def, &id), f->context);
    return id;
}

static vs_joint_id add_cable(fixture *f, const vs_cable_point *point, int points) {
    vs_joint_def def = vs_joint_def_default();
    vs_joint_id id;
    def.kind = VS_JOINT_CABLE, def.point = point, def.points = points;
    must(vs_world_add_joint(f->world, &def, &id), f->context);
    return id;
}

static double length_of(fixture *f, vs_joint_id id, double *rate) {
    double x;
    must(vs_world_get_joint_coordinate(f->world, id, &x, rate), f->context);
    return x;
}

// Moves all bodies by their velocities for a time.
static void move(fixture *f, const vs_pose *from, double t) {
    for (int k = 1; k < f->world->bodies; k++) {
        vs_body *body = &f->world->body[k];
        body->pose.position = vs_add_scaled(from[k].position, t, body->velocity);
        body->pose.rotation = vs_quat_multiply(from[k].rotation, vs_quat_exp(vs_scale(t, body->spin)));
    }
}

// Random cables over four bodies: point, drum, drum or point, point. Central differences with 1e-5 s: truncation 1e-10 times
// third derivatives, at drums of 0.1 to 0.3 m at a distance of metres up to 1e3; rounding 1e-16/1e-5. Where a cable is about to
// touch a drum or to leave it, the length has a kink in its curvature only.
static void rates_are_derivatives_of_lengths(void **state) {
    fixture *f = *state;
    uint64_t seed = 20;
    vs_body_id id[4];
    for (int k = 0; k < 4; k++)
        id[k] = add_body(f, (vs_pose){{2. * k, 0, 0}, {1, 0, 0, 0}}, draw(&seed, 1), draw(&seed, 1));
    int touching = 0;
    for (int n = 0; n < 400; n++) {
        vs_pose from[5];
        vs_cable_point point[4];
        for (int k = 0; k < 4; k++) {
            const bool drum = k == 1 || (k == 2 && n % 2);
            point[k] = vs_cable_point_default();
            point[k].body = id[k];
            point[k].pose = (vs_pose){draw(&seed, .2), vs_quat_exp(draw(&seed, .4))};
            point[k].kind = !drum   ? VS_CABLE_POINT
                            : n % 2 ? (vs_cable_station)(VS_CABLE_CYLINDER + random_below(&seed, 2))
                                    : (vs_cable_station)(VS_CABLE_SPHERE + random_below(&seed, 3));
            point[k].radius = random_in(&seed, .1, .3);
            point[k].turns = random_below(&seed, 2) ? 1 + n % 3 : -1;
            point[k].sided = point[k].kind != VS_CABLE_PULLEY && random_below(&seed, 2);
            point[k].side = draw(&seed, .6);
            from[k + 1] = (vs_pose){vs_add((vs_vec3){2. * k, 0, 0}, draw(&seed, .3)), vs_quat_exp(draw(&seed, .4))};
        }
        const vs_joint_id cable = add_cable(f, point, 4);
        double rate;
        move(f, from, 0);
        const double straight = vs_length(vs_subtract(vs_pose_apply(from[1], point[0].pose.position),
                                                      vs_pose_apply(from[4], point[3].pose.position)));
        const double x = length_of(f, cable, &rate);
        touching += x > straight + .1;
        move(f, from, 1e-5);
        const double ahead = length_of(f, cable, NULL);
        move(f, from, -1e-5);
        assert_close((ahead - length_of(f, cable, NULL)) / 2e-5, rate, 2e-6);
        must(vs_world_remove_joint(f->world, cable), f->context);
    }
    assert_true(touching > 100);
}

// Around a cylinder across the way, the shortest of all ways that touch it: pi/3 of it and two tangents.
static void ways_around_drums_are_the_shortest(void **state) {
    fixture *f = *state;
    const double r = .5;
    vs_cable_point point[3] = {vs_cable_point_default(), vs_cable_point_default(), vs_cable_point_default()};
    point[0].body = add_body(f, (vs_pose){{-1, .1, 0}, {1, 0, 0, 0}}, VS_ZERO3, VS_ZERO3);
    point[1].kind = VS_CABLE_CYLINDER, point[1].radius = r;
    point[2].pose.position = (vs_vec3){1, .1, 0};
    double angle = PI - 2 * (acos(r / hypot(1, .1)) + atan2(.1, 1)), tangent = sqrt(1 + .01 - r * r);
    vs_joint_id cable = add_cable(f, point, 3);
    assert_close(length_of(f, cable, NULL), r * angle + 2 * tangent, 1e-14);
    // On the other side, prescribed; then within a ring, which the cable touches at its lowest point; then not in the way.
    point[1].sided = true, point[1].side = (vs_vec3){0, -2, 0};
    angle = PI - 2 * (acos(r / hypot(1, .1)) - atan2(.1, 1));
    cable = add_cable(f, point, 3);
    assert_close(length_of(f, cable, NULL), r * angle + 2 * tangent, 1e-14);
    point[0].pose.position.y = 1, point[2].pose.position.y = 1.1, point[1].side = VS_ZERO3;
    cable = add_cable(f, point, 3);
    assert_close(length_of(f, cable, NULL), 2 * hypot(1, .6), 1e-14);
    point[1].sided = false;
    cable = add_cable(f, point, 3);
    assert_close(length_of(f, cable, NULL), 2, 0);
    // A pulley is passed in any case, here by three quarters of a turn and two whole ones, along a helix.
    point[0].pose.position = (vs_vec3){0, -.1, 0}, point[2].pose.position = (vs_vec3){.5, 3, 4};
    point[1].kind = VS_CABLE_PULLEY, point[1].turns = 3;
    must(vs_world_set_body_state(f->world, point[0].body, &(vs_body_state){.pose = {{-3, -.4, 0}, {1, 0, 0, 0}}}),
         f->context);
    cable = add_cable(f, point, 3);
    const double flat = 3 + 3 + r * (PI / 2 + 4 * PI);
    assert_close(length_of(f, cable, NULL), hypot(flat, 4), 1e-12);
}

static void a_fixed_tendon_is_a_sum_of_coordinates(void **state) {
    fixture *f = *state;
    const vs_body_id a = add_body(f, VS_IDENTITY_POSE, VS_ZERO3, VS_ZERO3);
    const vs_body_id b = add_body(f, VS_IDENTITY_POSE, VS_ZERO3, VS_ZERO3);
    vs_joint_def hinge = vs_joint_def_default(), slide = hinge, sum = hinge;
    vs_joint_term term[2] = {{.factor = .25}, {.factor = -3}};
    vs_joint_id id;
    double rate;
    hinge.kind = VS_JOINT_REVOLUTE, hinge.b = a;
    slide.kind = VS_JOINT_PRISMATIC, slide.a = a, slide.b = b;
    must(vs_world_add_joint(f->world, &hinge, &term[0].joint), f->context);
    must(vs_world_add_joint(f->world, &slide, &term[1].joint), f->context);
    sum.kind = VS_JOINT_CABLE, sum.term = term, sum.terms = 2;
    must(vs_world_add_joint(f->world, &sum, &id), f->context);
    must(vs_world_set_joint_coordinate(f->world, term[0].joint, .8, 2), f->context);
    must(vs_world_set_joint_coordinate(f->world, term[1].joint, .5, -1), f->context);
    assert_close(length_of(f, id, &rate), .25 * .8 - 3 * .5, 1e-15);
    assert_close(rate, .25 * 2 + 3, 1e-14);
    // It is removed with one of its joints, which is removed with its body.
    must(vs_world_remove_body(f->world, b), f->context);
    assert_int_equal(vs_world_get_joint_count(f->world), 1);
    assert_int_equal(vs_world_get_joint_coordinate(f->world, id, NULL, NULL), VS_ERROR_ARGUMENT);
}

static void cables_are_removed_with_any_of_their_bodies(void **state) {
    fixture *f = *state;
    vs_cable_point point[3] = {vs_cable_point_default(), vs_cable_point_default(), vs_cable_point_default()};
    for (int k = 0; k < 3; k++)
        point[k].body = add_body(f, (vs_pose){{k, 0, 0}, {1, 0, 0, 0}}, VS_ZERO3, VS_ZERO3);
    (void)add_cable(f, point, 3);
    const vs_joint_id other = add_cable(f, (vs_cable_point[]){point[0], point[2]}, 2);
    must(vs_world_remove_body(f->world, point[1].body), f->context);
    assert_int_equal(vs_world_get_joint_count(f->world), 1);
    assert_close(length_of(f, other, NULL), 2, 0);
}

static void definitions_are_checked(void **state) {
    fixture *f = *state;
    vs_cable_point point[3] = {vs_cable_point_default(), vs_cable_point_default(), vs_cable_point_default()};
    point[2].body = add_body(f, VS_IDENTITY_POSE, VS_ZERO3, VS_ZERO3);
    vs_joint_def good = vs_joint_def_default(), bad;
    good.kind = VS_JOINT_CABLE, good.point = point, good.points = 3;
    const vs_cable_point fine = point[1];
    const struct {
        vs_cable_point point;
        int points;
        const char *text;
    } wrong[] = {
        {{.kind = (vs_cable_station)7, .pose = VS_IDENTITY_POSE}, 3, "unknown kind"},
        {{.kind = VS_CABLE_SPHERE, .pose = VS_IDENTITY_POSE}, 3, "the radius must be positive"},
        {{.kind = VS_CABLE_PULLEY, .radius = 1, .pose = VS_IDENTITY_POSE}, 3, "turns must not be 0"},
        {{.kind = VS_CABLE_PULLEY, .radius = 1, .turns = 1, .pose = VS_IDENTITY_POSE}, 2, "begins and ends at points"},
        {{.mu = -1, .pose = VS_IDENTITY_POSE}, 3, "mu must not be negative"},
        {{.mu = 1, .pose = VS_IDENTITY_POSE}, 3, "give a free length"},
        {{.body = {77, 1}, .pose = VS_IDENTITY_POSE}, 3, "its body does not exist"},
        {fine, 1, "a path of 2 to"},
        {fine, 2, "no dynamic body"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        bad = good, bad.points = wrong[k].points;
        point[1] = wrong[k].point;
        assert_int_equal(vs_world_add_joint(f->world, &bad, NULL), VS_ERROR_ARGUMENT);
        if (!strstr(vs_context_get_error_text(f->context), wrong[k].text))
            fail_msg("'%s' instead of '%s'", vs_context_get_error_text(f->context), wrong[k].text);
    }
    point[1] = fine;
    bad = good, bad.kind = VS_JOINT_SPRING, bad.pulls = true;
    assert_int_equal(vs_world_add_joint(f->world, &bad, NULL), VS_ERROR_ARGUMENT);
    must(vs_world_add_joint(f->world, &good, NULL), f->context);
}

// A world with a body and a cable, made and destroyed.
static vs_error make_and_destroy(void *user) {
    const fixture *f = user;
    vs_cable_point point[2] = {vs_cable_point_default(), vs_cable_point_default()};
    vs_joint_def def = vs_joint_def_default();
    const vs_body_def body = vs_body_def_default();
    vs_world *world = NULL;
    vs_error error = vs_world_create(f->context, NULL, &world);
    if (!error)
        error = vs_world_add_body(world, &body, &point[1].body);
    def.kind = VS_JOINT_CABLE, def.point = point, def.points = 2, def.name = "rope";
    if (!error)
        error = vs_world_add_joint(world, &def, NULL);
    vs_world_destroy(world);
    return error;
}

static void lack_of_memory_is_reported_and_leaks_nothing(void **state) {
    fixture *f = *state;
    assert_true(refuse_each(&f->m, f->context, make_and_destroy, f) > 5);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        test(rates_are_derivatives_of_lengths),
        test(ways_around_drums_are_the_shortest),
        test(a_fixed_tendon_is_a_sum_of_coordinates),
        test(cables_are_removed_with_any_of_their_bodies),
        test(definitions_are_checked),
        test(lack_of_memory_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
