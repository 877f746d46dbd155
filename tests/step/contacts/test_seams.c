// Sliding and rolling over a floor of tiles that lie flush: as over one plane.
//
// Tiles of all kinds (boxes, hulls, one compound body, meshes, height fields, all of them mixed) and
// sliders of all kinds, in random directions across seams and corners of tiles.
#include <stdio.h>

#include "kit/random.h"
#include "step/worlds.h"

enum { ACROSS = 10, DIRECTIONS = VS_SHORT ? 2 : 10, OTHERS = VS_SHORT ? 1 : 2 };
static const double side = .31, thick = .2; // m, of a tile

typedef enum ground { BOXES, HULLS, COMPOUND, MESHES, FIELDS, MIXED, GROUNDS } ground;
static const char *const ground_name[] = {"boxes", "hulls", "compound body", "meshes", "height fields", "mixed"};
typedef enum slider { BOX, HULL, PARTS, CYLINDER, BALL, CAPSULE, SLIDERS } slider;
static const char *const slider_name[] = {"box", "hull", "compound", "cylinder", "ball", "capsule"};
static const double half = .1; // m, of a slider: its centre's height

// ---- the floor -------------------------------------------------------------------------------------

// Corners of a tile about its centre; `cut`: 0 all of it, 1 and 2 the parts on both sides of its diagonal.
static int corners(int cut, vs_vec3 point[8]) {
    static const int part[3][4] = {{0, 1, 2, 3}, {0, 1, 2, -1}, {0, 2, 3, -1}};
    int count = 0;
    for (int k = 0; k < 4 && part[cut][k] >= 0; k++)
        for (int top = 0; top < 2; top++) {
            int corner = part[cut][k];
            double x = corner == 1 || corner == 2 ? .5 : -.5, y = corner >= 2 ? .5 : -.5;
            point[count++] = (vs_vec3){side * x, side * y, thick * (top ? .5 : -.5)};
        }
    return count;
}

static vs_shape *mesh_tile(rig *s) {
    static const int triangle[36] = {0, 6, 4, 0, 4, 2, 1, 3, 5, 1, 5, 7, 0, 2, 3, 0, 3, 1,
                                     2, 4, 5, 2, 5, 3, 4, 6, 7, 4, 7, 5, 6, 0, 1, 6, 1, 7};
    vs_vec3 point[8];
    vs_shape *shape;
    corners(0, point);
    must(vs_shape_mesh(s->context, point, 8, triangle, 12, &shape), s->context);
    return shape;
}

static void add_collider(rig *s, vs_body_id body, vs_shape *shape, vs_vec3 at) {
    vs_collider_def def = vs_collider_def_default();
    def.body = body, def.shape = shape, def.material = s->material, def.pose.position = at;
    must(vs_world_add_collider(s->world, &def, NULL), s->context);
    vs_shape_release(shape);
}

static vs_body_id add_static(rig *s) {
    vs_body_def def = vs_body_def_default();
    def.motion = VS_MOTION_STATIC;
    vs_body_id id;
    must(vs_world_add_body(s->world, &def, &id), s->context);
    return id;
}

static vs_shape *box_shape(rig *s, vs_vec3 h) {
    vs_shape *shape;
    must(vs_shape_box(s->context, h, &shape), s->context);
    return shape;
}

// One tile, its top at z = 0, centre at x, y.
static void add_tile(rig *s, ground kind, vs_body_id whole, double x, double y) {
    const vs_vec3 at = {x, y, -.5 * thick}, h = {.5 * side, .5 * side, .5 * thick};
    vs_shape *shape;
    if (kind == COMPOUND) {
        add_collider(s, whole, box_shape(s, h), at);
    } else if (kind == BOXES) {
        add_collider(s, add_static(s), box_shape(s, h), at);
    } else if (kind == MESHES) {
        add_collider(s, add_static(s), mesh_tile(s), at);
    } else if (kind == FIELDS) {
        const double height[9] = {0};
        must(vs_shape_height_field(s->context, 3, 3, .5 * side, .5 * side, height, &shape), s->context);
        add_collider(s, add_static(s), shape, (vs_vec3){x - .5 * side, y - .5 * side, 0});
    } else {
        for (int cut = 1; cut <= 2; cut++) {
            vs_vec3 point[8];
            must(vs_shape_hull(s->context, point, corners(cut, point), &shape), s->context);
            add_collider(s, add_static(s), shape, at);
        }
    }
}

static void add_floor(rig *s, ground kind) {
    vs_body_id whole = kind == COMPOUND ? add_static(s) : (vs_body_id){0, 0};
    for (int j = 0; j < ACROSS; j++)
        for (int i = 0; i < ACROSS; i++) {
            ground tile = kind == MIXED ? (ground)((i + 2 * j) % 5) : kind;
            vs_body_id of = kind == MIXED && tile == COMPOUND ? add_static(s) : whole;
            add_tile(s, tile, of, (i - .5 * (ACROSS - 1)) * side, (j - .5 * (ACROSS - 1)) * side);
        }
}

static void open_floor(rig *s, ground kind, double mu) {
    open_rig(s, mu, 0, false);
    s->options.step = .006;
    add_floor(s, kind);
}

// ---- sliders ---------------------------------------------------------------------------------------

static vs_shape *slider_shape(rig *s, slider kind) {
    vs_shape *shape = NULL;
    vs_vec3 point[12];
    switch (kind) {
    case HULL:
        for (int k = 0; k < 12; k++) // a prism with six sides
            point[k] = (vs_vec3){half * cos(pi * (k / 2) / 3), half * sin(pi * (k / 2) / 3), k % 2 ? half : -half};
        must(vs_shape_hull(s->context, point, 12, &shape), s->context);
        break;
    case CYLINDER:
        must(vs_shape_cylinder(s->context, half, half, &shape), s->context);
        break;
    case BALL:
        must(vs_shape_sphere(s->context, half, &shape), s->context);
        break;
    case CAPSULE:
        must(vs_shape_capsule(s->context, half, half, &shape), s->context);
        break;
    default:
        shape = box_shape(s, (vs_vec3){half, .7 * half, half});
        break;
    }
    return shape;
}

// Moves along `velocity`; a capsule lies.
static vs_body_id add_slider(rig *s, slider kind, vs_vec3 at, double turn, vs_vec3 velocity) {
    vs_pose pose = {at, vs_quat_exp((vs_vec3){0, 0, turn})};
    if (kind == CAPSULE)
        pose.rotation = vs_quat_multiply(pose.rotation, vs_quat_exp((vs_vec3){0, .5 * pi, 0}));
    if (kind != PARTS)
        return add_solid(s, slider_shape(s, kind), 1000, pose, velocity);
    // four boxes that lie flush
    vs_body_def def = vs_body_def_default();
    def.pose = pose, def.velocity = velocity, def.mass = 8;
    def.inertia = (vs_mat3){{.05, 0, 0, 0, .05, 0, 0, 0, .05}};
    vs_body_id id;
    must(vs_world_add_body(s->world, &def, &id), s->context);
    for (int k = 0; k < 4; k++) {
        vs_vec3 place = {k % 2 ? .5 * half : -.5 * half, k / 2 ? .5 * half : -.5 * half, 0};
        add_collider(s, id, box_shape(s, (vs_vec3){.5 * half, .5 * half, half}), place);
    }
    return id;
}

typedef struct start {
    vs_vec3 at, velocity;
    double turn;
} start;

static start random_start(uint64_t *seed, double speed) {
    double angle = random_in(seed, -pi, pi), x = random_in(seed, -.3, .3), y = random_in(seed, -.3, .3);
    return (start){{x, y, half}, {speed * cos(angle), speed * sin(angle), 0}, random_in(seed, -pi, pi)};
}

// ---- what must hold --------------------------------------------------------------------------------

// Relative change of the velocity after half a second at 2 m/s, three tiles; spin counts at the slider's surface.
static double lost(ground floor, slider kind, uint64_t *seed) {
    rig s;
    start from = random_start(seed, 2);
    open_floor(&s, floor, 0);
    vs_body_id id = add_slider(&s, kind, from.at, from.turn, from.velocity);
    start_rig(&s);
    for (int k = 0; k < 80; k++)
        (void)take_step(&s);
    vs_body_state end = state_of(&s, id);
    close_rig(&s);
    return (vs_length(vs_subtract(end.velocity, from.velocity)) + half * vs_length(end.spin)) / 2;
}

static void test_frictionless_sliders_keep_their_velocity(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int floor = 0; floor < GROUNDS; floor++)
        for (int kind = 0; kind < SLIDERS; kind++) {
            double most = 0;
            for (int k = 0; k < (kind == BOX ? DIRECTIONS : OTHERS); k++)
                most = fmax(most, lost((ground)floor, (slider)kind, &seed));
            printf("  %-8s on %-13s loses at most %.1e of its velocity\n", slider_name[kind], ground_name[floor], most);
            assert_true(most <= 1e-9); // what the solver's tolerance, 1e-12 in energy, leaves after 80 steps
        }
}

// The stopping distance of the scheme: v falls by mu g h per step, and a step moves by h v at its end.
static double distance_of_scheme(double speed, double mu, double h) {
    double distance = 0;
    for (double v = speed - mu * standard_gravity * h; v > 0; v -= mu * standard_gravity * h)
        distance += h * v;
    return distance;
}

static void test_sliders_with_friction_stop_where_they_would_on_a_plane(void **state) {
    (void)state;
    const double mu = .3, speed = 1.6, theory = speed * speed / (2 * mu * standard_gravity);
    static const slider kinds[] = {BOX, HULL, PARTS, CYLINDER};
    uint64_t seed = 8;
    for (int floor = 0; floor < GROUNDS; floor++) {
        double most = 0;
        for (int k = 0; k < DIRECTIONS; k++) {
            rig s;
            start from = random_start(&seed, speed);
            open_floor(&s, (ground)floor, mu);
            vs_body_id id = add_slider(&s, kinds[k % 4], from.at, from.turn, from.velocity);
            start_rig(&s);
            for (int step = 0; step < 95; step++)
                (void)take_step(&s);
            vs_vec3 way = vs_subtract(state_of(&s, id).pose.position, from.at);
            double expected = distance_of_scheme(speed, mu, s.options.step);
            most = fmax(most, fabs(vs_length(way) / expected - 1));
            close_rig(&s);
        }
        printf("  on %-13s the stopping distance differs by at most %.1e from the scheme's\n", ground_name[floor],
               most);
        assert_true(most <= 1e-9); // roundoff of 95 steps
    }
    // and the scheme's from v^2 / (2 mu g), by half a step's way
    assert_close(distance_of_scheme(speed, mu, 1e-5), theory, 1e-3 * theory);
}

static void test_rolling_ball_keeps_its_velocity(void **state) {
    (void)state;
    uint64_t seed = 9;
    for (int floor = 0; floor < GROUNDS; floor++) {
        double most = 0;
        for (int k = 0; k < OTHERS + 1; k++) {
            rig s;
            start from = random_start(&seed, 2);
            open_floor(&s, (ground)floor, .3);
            vs_body_id id = add_slider(&s, BALL, from.at, from.turn, from.velocity);
            vs_body_state rolling = state_of(&s, id);
            rolling.spin = vs_scale(1 / half, vs_cross((vs_vec3){0, 0, 1}, from.velocity));
            must(vs_world_set_body_state(s.world, id, &rolling), s.context);
            start_rig(&s);
            for (int step = 0; step < 80; step++)
                (void)take_step(&s);
            most = fmax(most, vs_length(vs_subtract(state_of(&s, id).velocity, from.velocity)) / 2);
            close_rig(&s);
        }
        printf("  a rolling ball on %-13s loses at most %.1e of its velocity\n", ground_name[floor], most);
        assert_true(most <= 1e-9);
    }
}

// Heavy boxes on a plane, without a gap: neighbours with mass.
static void test_box_slides_over_loose_boxes(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, true);
    s.options.step = .006;
    for (int k = 0; k < 8; k++)
        (void)add_box(&s, (vs_vec3){.5 * side, .5 * side, .5 * thick}, 1e4,
                      (vs_vec3){(k % 4) * side, (k / 4) * side, .5 * thick}, VS_ZERO3);
    const vs_vec3 velocity = {2, .3, 0};
    vs_body_id id = add_slider(&s, BOX, (vs_vec3){0, .4 * side, thick + half}, .3, velocity);
    start_rig(&s);
    for (int k = 0; k < 65; k++)
        (void)take_step(&s);
    vs_body_state end = state_of(&s, id);
    printf("  over loose boxes it loses %.1e of its velocity\n",
           vs_length(vs_subtract(end.velocity, velocity)) / vs_length(velocity));
    assert_vec(end.velocity, velocity, 1e-9);

    close_rig(&s);
}

// A box at 2 m/s meets a tile that is higher by 1 mm.
static void test_step_of_a_millimetre_is_hit(void **state) {
    (void)state;
    rig s;
    open_rig(&s, 0, 0, false);
    for (int k = 0; k < 4; k++)
        add_collider(&s, add_static(&s), box_shape(&s, (vs_vec3){.25, .5, .1}),
                     (vs_vec3){.5 * k, 0, -.1 + (k == 2 ? 1e-3 : 0)});
    vs_body_id id = add_slider(&s, BOX, (vs_vec3){0, 0, half}, 0, (vs_vec3){2, 0, 0});
    start_rig(&s);
    for (int k = 0; k < 150; k++)
        assert_true(take_step(&s).penetration <= 1e-9); // the solver's tolerance
    vs_body_state end = state_of(&s, id);
    // an impact without restitution at the front's foot takes more than half of the speed
    assert_true(end.velocity.x < 1 && vs_length(end.spin) > 1);
    close_rig(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frictionless_sliders_keep_their_velocity),
        cmocka_unit_test(test_sliders_with_friction_stop_where_they_would_on_a_plane),
        cmocka_unit_test(test_rolling_ball_keeps_its_velocity),
        cmocka_unit_test(test_box_slides_over_loose_boxes),
        cmocka_unit_test(test_step_of_a_millimetre_is_hit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
