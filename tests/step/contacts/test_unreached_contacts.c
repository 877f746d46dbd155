// Contacts within the envelope act only on what the bodies reach: a blade that turns fast, and blocks just outside and just inside
// its circle.
#include "step/worlds.h"

enum { BLADES = 3, SPEEDS = 3, SCHEMES = 2 };
static const double LENGTH = .5, WIDTH = .05;        // m, half
static const double SPEED[SPEEDS] = {10, 100, 1000}; // rad/s
static const double BLOCK = .1;                      // m, half
static const vs_scheme SCHEME[SCHEMES] = {VS_SCHEME_MOREAU, VS_SCHEME_SHAKE};

static double reach(void) {
    return hypot(LENGTH, WIDTH);
}

// A bar about its middle as a box, a hull, a closed mesh.
static vs_shape *make_blade(vs_context *context, int kind) {
    static const int face[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    const vs_vec3 half = {LENGTH, WIDTH, .01};
    vs_vec3 corner[8];
    for (int k = 0; k < 8; k++)
        corner[k] = (vs_vec3){k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
    vs_shape *shape = NULL;
    must(kind == 0   ? vs_shape_box(context, half, &shape)
         : kind == 1 ? vs_shape_hull(context, corner, 8, &shape)
                     : vs_shape_mesh(context, corner, 8, &face[0][0], 12, &shape),
         context);
    return shape;
}

// Adds a blade at the origin that turns about z; driven: its motion is prescribed, else it is free.
static void add_blade(rig *s, int kind, double speed, bool driven) {
    vs_shape *shape = make_blade(s->context, kind);
    vs_body_def body = vs_body_def_default();
    vs_mass_properties mass;
    must(vs_shape_get_mass(shape, 7800, &mass), s->context);
    body.motion = driven ? VS_MOTION_KINEMATIC : VS_MOTION_DYNAMIC;
    body.mass = driven ? 0 : mass.mass, body.spin.z = speed;
    if (!driven)
        body.inertia = mass.inertia;
    vs_collider_def collider = vs_collider_def_default();
    must(vs_world_add_body(s->world, &body, &collider.body), s->context);
    collider.shape = shape, collider.material = s->material;
    must(vs_world_add_collider(s->world, &collider, NULL), s->context);
    vs_shape_release(shape);
}

// m, way of a block whose face is at a distance from the axis, over half a turn of the blade, or eight steps: both ends pass.
static double push(int kind, double speed, vs_scheme scheme, bool driven, double distance) {
    rig s;
    open_rig(&s, .3, 0, false);
    vs_world_set_gravity(s.world, VS_ZERO3);
    s.options.step = 1. / 240, s.options.solver.tolerance = 1e-6, s.options.scheme = scheme;
    add_blade(&s, kind, speed, driven);
    const vs_vec3 at = {distance + BLOCK, .03, 0};
    const vs_body_id block = add_box(&s, (vs_vec3){BLOCK, BLOCK, 1}, 1000, at, VS_ZERO3);
    start_rig(&s);
    const int steps = (int)fmax(8, 1.2 * pi / speed / s.options.step);
    for (int k = 0; k < steps; k++)
        (void)take_step(&s);
    const double way = vs_length(vs_subtract(state_of(&s, block).pose.position, at));
    close_rig(&s);
    return way;
}

static void test_blades_leave_what_is_beyond_their_reach(void **state) {
    (void)state;
    for (int kind = 0; kind < BLADES; kind++)
        for (int k = 0; k < SPEEDS * SCHEMES * 2; k++)
            for (int far = 0; far < 3; far++) {
                const double gap = (double[]){1e-3, .02, .1}[far], speed = SPEED[k % SPEEDS];
                const int scheme = k / SPEEDS % SCHEMES, driven = k / SPEEDS / SCHEMES;
                const double way = push(kind, speed, SCHEME[scheme], driven, reach() + gap);
                if (!(way <= 1e-12))
                    fail_msg("blade %d at %g rad/s, scheme %d, driven %d: a block %g m away moved by %g m", kind, speed,
                             scheme, driven, gap, way);
            }
}

static void test_blades_throw_what_is_within_their_reach(void **state) {
    (void)state;
    for (int kind = 0; kind < BLADES; kind++)
        for (int k = 0; k < SPEEDS * SCHEMES * 2; k++)
            for (int deep = 0; deep < 2; deep++) {
                const double depth = deep ? .1 : .005, speed = SPEED[k % SPEEDS];
                const int scheme = k / SPEEDS % SCHEMES, driven = k / SPEEDS / SCHEMES;
                const double way = push(kind, speed, SCHEME[scheme], driven, reach() - depth);
                if (!(way > .01))
                    fail_msg("blade %d at %g rad/s, scheme %d, driven %d: a block %g m within reach moved by %g m",
                             kind, speed, scheme, driven, depth, way);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blades_leave_what_is_beyond_their_reach),
        cmocka_unit_test(test_blades_throw_what_is_within_their_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
