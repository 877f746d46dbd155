// Seams of colliders that lie flush make no contacts, and everything else near them still does.
#include "scene.h"

static const double h = .004;

static vs_body_id add_static_brick(scene *s, double x, double y, double z, vs_pose pose) {
    vs_body_id id = add_body(s, VS_MOTION_STATIC, pose, VS_ZERO3);
    (void)add_shape(s, id, brick(s, x, y, z), VS_IDENTITY_POSE, 1, UINT32_MAX);
    return id;
}

static vs_body_id add_brick(scene *s, double x, double y, double z, vs_pose pose, vs_vec3 velocity) {
    vs_body_id id = add_body(s, VS_MOTION_DYNAMIC, pose, velocity);
    (void)add_shape(s, id, brick(s, x, y, z), VS_IDENTITY_POSE, 1, UINT32_MAX);
    return id;
}

// Contacts of two bodies; the sum of their normals, turned to the higher one.
static int between(const scene *s, vs_body_id a, vs_body_id b, vs_vec3 *sum) {
    const int low = (int)(a.index < b.index ? a.index : b.index), high = (int)(a.index + b.index) - low;
    int count = 0;
    vs_vec3 normals = VS_ZERO3;
    for (int k = 0; k < s->contacts->count; k++) {
        const vs_contact *c = &s->contacts->contact[k];
        if (c->a != low || c->b != high)
            continue;
        normals = vs_add(normals, c->normal);
        count++;
    }
    if (sum)
        *sum = normals;
    return count;
}

// A floor of two tiles, the seam at x = 0, the second one higher by `step` and away by `gap`; a brick before it, sunk
// by a nanometre and `before` away.
static void two_tiles(scene *s, double step, double gap, double before, vs_body_id tile[2], vs_body_id *moving) {
    tile[0] = add_static_brick(s, .5, .5, .1, at(-.5, 0, -.1));
    tile[1] = add_static_brick(s, .5, .5, .1, at(.5 + gap, 0, step - .1));
    *moving = add_brick(s, .1, .1, .1, at(gap - .1 - before, 0, .1 - 1e-9), (vs_vec3){2, 0, 0});
}

static void test_seam_makes_no_contact(void **state) {
    (void)state;
    // apart, touching, and overlapping by less and by more than it has sunk
    static const double before[] = {5e-3, 1e-7, 0, -1e-10, -1e-8};
    for (int k = 0; k < 5; k++) {
        scene *s = open_scene();
        vs_body_id tile[2], moving;
        vs_vec3 sum;
        two_tiles(s, 0, 0, before[k], tile, &moving);
        find(s, h, 0);
        assert_int_equal(between(s, tile[0], moving, &sum), 4);
        assert_vec(sum, ((vs_vec3){0, 0, 4}), 1e-12);
        int count = between(s, tile[1], moving, &sum);
        assert_vec(sum, ((vs_vec3){0, 0, count}), 1e-12);
        close_scene(s);
    }
}

static void test_step_and_gap_are_hit(void **state) {
    (void)state;
    static const double steps[] = {1e-3, 1e-5, 0}, gaps[] = {0, 0, .01};
    for (int k = 0; k < 3; k++) {
        scene *s = open_scene();
        vs_body_id tile[2], moving;
        vs_vec3 sum;
        two_tiles(s, steps[k], gaps[k], 5e-3, tile, &moving);
        find(s, h, 0);
        assert_true(between(s, tile[1], moving, &sum) > 0 && sum.x < -.9);
        close_scene(s);
    }
}

static void test_wall_on_a_floor_keeps_its_contacts(void **state) {
    (void)state;
    scene *s = open_scene();
    (void)add_static_brick(s, 1, 1, .1, at(0, 0, -.1));
    vs_body_id wall = add_static_brick(s, .1, 1, .5, at(.3, 0, .5));
    vs_body_id moving = add_brick(s, .1, .1, .1, at(.099, 0, .1 - 1e-9), (vs_vec3){2, 0, 0});
    vs_vec3 sum;
    find(s, h, 0);
    assert_int_equal(between(s, wall, moving, &sum), 4);
    assert_vec(sum, ((vs_vec3){-4, 0, 0}), 1e-12);
    close_scene(s);
}

// The brick's front edge touches the foot of a ramp.
static void test_foot_of_a_ramp_is_hit(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        double slope = k ? .02 : .5;
        scene *s = open_scene();
        (void)add_static_brick(s, 1, 1, .1, at(0, 0, -.1));
        // the upper face rises from the line x = 0 on the floor
        vs_body_id ramp =
            add_static_brick(s, .5, .5, .1, turned(.1 * sin(slope), 0, -.1 * cos(slope), (vs_vec3){0, 1, 0}, -slope));
        vs_body_id moving = add_brick(s, .1, .1, .1, at(-.1 - 1e-4, 0, .1), (vs_vec3){2, 0, 0});
        vs_vec3 sum;
        find(s, h, 0);
        int count = between(s, ramp, moving, &sum);
        assert_true(count > 0);
        assert_vec(vs_scale(1. / count, sum), ((vs_vec3){-sin(slope), 0, cos(slope)}), 1e-9);
        close_scene(s);
    }
}

// A wedge that rises from the edge of a tile: its slope is hit, not its edge, which the tile hides.
static void test_wedge_behind_a_seam_is_met_along_its_slope(void **state) {
    (void)state;
    static const int triangle[] = {0, 1, 3, 0, 3, 2, 0, 4, 5, 0, 5, 1, 1, 5, 3, 0, 2, 4, 2, 3, 5, 2, 5, 4};
    const double slope = .3, rise = tan(slope);
    const vs_vec3 point[] = {{0, -.5, -.2},  {0, .5, -.2},  {1, -.5, -.2}, {1, .5, -.2},
                             {1, -.5, rise}, {1, .5, rise}, {0, -.5, 0},   {0, .5, 0}};
    for (int mesh = 0; mesh < 2; mesh++) {
        scene *s = open_scene();
        vs_shape *wedge = NULL;
        // as a mesh it starts at the edge itself: the solid is behind the slope
        const vs_vec3 corner[] = {point[6], point[7], point[2], point[3], point[4], point[5]};
        if (mesh)
            assert_int_equal(vs_shape_mesh(s->context, corner, 6, triangle, 8, &wedge), VS_OK);
        else
            assert_int_equal(vs_shape_hull(s->context, point, 8, &wedge), VS_OK);
        (void)add_static_brick(s, .5, .5, .1, at(-.5, 0, -.1));
        vs_body_id id = add_body(s, VS_MOTION_STATIC, VS_IDENTITY_POSE, VS_ZERO3);
        (void)add_shape(s, id, wedge, VS_IDENTITY_POSE, 1, UINT32_MAX);
        vs_body_id moving = add_brick(s, .1, .1, .1, at(-.105, 0, .1 - 1e-9), (vs_vec3){2, 0, 0});
        find(s, h, 0);
        vs_vec3 sum;
        int count = between(s, id, moving, &sum);
        assert_int_equal(count, 2);
        assert_vec(vs_scale(.5, sum), ((vs_vec3){-sin(slope), 0, cos(slope)}), 1e-9);
        for (int k = 0; k < s->contacts->count; k++)
            if (s->contacts->contact[k].a == (int)id.index)
                assert_close(s->contacts->contact[k].gap, 5e-3 * sin(slope), 1e-8); // it has sunk by 1e-9
        close_scene(s);
    }
}

// Two bricks of a course, one leaning by a thousandth against the other, between the courses above and below: the
// contact is where the upper course hides the edge.
static void test_leaning_brick_of_a_wall_has_its_contact(void **state) {
    (void)state;
    scene *s = open_scene();
    const double lean = 1e-3;
    (void)add_static_brick(s, 1, .1, .1, at(0, 0, -.1));
    vs_body_id left = add_brick(s, .2, .1, .1, turned(-.2 - .1 * lean, 0, .1, (vs_vec3){0, 1, 0}, lean), VS_ZERO3);
    vs_body_id right = add_brick(s, .2, .1, .1, at(.2, 0, .1), VS_ZERO3);
    (void)add_brick(s, .2, .1, .1, at(0, 0, .3), VS_ZERO3);
    find(s, h, 1e-3);
    vs_vec3 sum;
    int count = between(s, left, right, &sum);
    assert_true(count >= 2);
    assert_vec(vs_scale(1. / count, sum), ((vs_vec3){1, 0, 0}), 2 * lean);
    close_scene(s);
}

// Two bricks that overlap by 1 mm sideways, both sunk by 2 mm into a course below and one above: these hide the contact, but cannot
// carry sideways.
static void test_bricks_that_overlap_deeply_keep_their_contact(void **state) {
    (void)state;
    scene *s = open_scene();
    (void)add_static_brick(s, 1, .5, .1, at(0, 0, -.1));
    vs_body_id left = add_brick(s, .2, .1, .1, turned(-.204, 0, .098, (vs_vec3){0, 0, 1}, .05), VS_ZERO3);
    vs_body_id right = add_brick(s, .2, .1, .1, at(.2, 0, .098), VS_ZERO3);
    (void)add_brick(s, .5, .5, .1, at(0, 0, .294), VS_ZERO3);
    find(s, h, 1e-3);
    vs_vec3 sum;
    int count = between(s, left, right, &sum);
    assert_true(count >= 1);
    assert_vec(vs_scale(1. / count, sum), ((vs_vec3){1, 0, 0}), .06);
    close_scene(s);
}

// A thin wedge over the seam, deeper than it is wide there: sideways would be shorter, but leads into the other tile.
static void test_point_sunk_into_a_seam_is_lifted(void **state) {
    (void)state;
    scene *s = open_scene();
    vs_body_id tile[2] = {add_static_brick(s, .5, .5, .1, at(-.5, 0, -.1)),
                          add_static_brick(s, .5, .5, .1, at(.5, 0, -.1))};
    const vs_vec3 point[] = {{0, 0, -.5}, {.01, .01, .5}, {-.01, .01, .5}, {0, -.01, .5}};
    vs_shape *needle = NULL;
    assert_int_equal(vs_shape_hull(s->context, point, 4, &needle), VS_OK);
    vs_body_id id = add_body(s, VS_MOTION_DYNAMIC, at(1e-5, 0, .5 - 2e-3), VS_ZERO3);
    (void)add_shape(s, id, needle, VS_IDENTITY_POSE, 1, UINT32_MAX);
    find(s, h, 0);
    vs_vec3 sum, all = VS_ZERO3;
    int count = 0;
    for (int k = 0; k < 2; k++) {
        count += between(s, tile[k], id, &sum);
        all = vs_add(all, sum);
    }
    assert_true(count > 0);
    assert_vec(vs_scale(1. / count, all), ((vs_vec3){0, 0, 1}), 1e-9);
    close_scene(s);
}

// A plate let into a plane.
static void test_plate_flush_with_a_plane(void **state) {
    (void)state;
    scene *s = open_scene();
    (void)add_shape(s, WORLD, ground(s), VS_IDENTITY_POSE, 1, UINT32_MAX);
    vs_body_id plate = add_static_brick(s, .5, .5, .1, at(.5, 0, -.1));
    vs_body_id moving = add_brick(s, .1, .1, .1, at(-.105, 0, .1 - 1e-9), (vs_vec3){2, 0, 0});
    find(s, h, 0);
    assert_int_equal(between(s, plate, moving, NULL), 0);
    assert_int_equal(between(s, (vs_body_id){0, 0}, moving, NULL), 4);
    close_scene(s);
}

// 7 x 7 tiles and a brick over the corner of four, bodies added in two orders.
static void test_contacts_do_not_depend_on_the_order_of_bodies(void **state) {
    (void)state;
    int count[2];
    vs_vec3 moment[2] = {VS_ZERO3, VS_ZERO3}, normal[2] = {VS_ZERO3, VS_ZERO3};
    for (int reversed = 0; reversed < 2; reversed++) {
        scene *s = open_scene();
        const vs_pose pose = turned(.02, .01, .1 - 1e-9, (vs_vec3){0, 0, 1}, .3);
        if (reversed)
            (void)add_brick(s, .1, .1, .1, pose, (vs_vec3){2, 1, 0});
        for (int k = 0; k < 49; k++) {
            int tile = reversed ? 48 - k : k;
            (void)add_static_brick(s, .05, .05, .05, at(.1 * (tile % 7 - 3), .1 * (tile / 7 - 3), -.05));
        }
        if (!reversed)
            (void)add_brick(s, .1, .1, .1, pose, (vs_vec3){2, 1, 0});
        find(s, h, 0);
        count[reversed] = s->contacts->count;
        for (int k = 0; k < s->contacts->count; k++) {
            const vs_contact *c = &s->contacts->contact[k];
            vs_vec3 n = vs_scale(reversed ? -1 : 1, c->normal);
            normal[reversed] = vs_add(normal[reversed], n);
            moment[reversed] = vs_add(moment[reversed], vs_cross(c->point, n));
        }
        close_scene(s);
    }
    assert_true(count[0] > 8);
    assert_int_equal(count[0], count[1]);
    assert_vec(normal[0], normal[1], 1e-12);
    assert_vec(moment[0], moment[1], 1e-12);
    assert_vec(normal[0], ((vs_vec3){0, 0, count[0]}), 1e-12);
}

// Three courses of bricks, each displaced by up to 0.1 mm and turned by up to 1 mrad along each axis: surfaces overlap by at
// most 2 (0.1 + 0.15 * 1) sqrt(3) < 1 mm, and no contact says more.
static void test_bricks_that_overlap_a_little_have_small_overlaps(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int trial = 0; trial < 40; trial++) {
        scene *s = open_scene();
        for (int course = 0; course < 3; course++)
            for (int k = 0; k < 4; k++) {
                const vs_vec3 place = {.24 * k + .12 * (course % 2), 0, .07 * course};
                const vs_pose pose = {vs_add(place, random_vec(&seed, 1e-4)), vs_quat_exp(random_vec(&seed, 1e-3))};
                (void)add_brick(s, .12, .05, .035, pose, VS_ZERO3);
            }
        find(s, h, 1e-3);
        assert_true(s->contacts->count > 20);
        for (int k = 0; k < s->contacts->count; k++)
            if (!(s->contacts->contact[k].gap > -1e-3))
                fail_msg("trial %d: a gap of %g m", trial, s->contacts->contact[k].gap);
        close_scene(s);
    }
}

// The shin of a robot, a turned brick, ends within its foot, a flat one of the same body, and both have sunk into a plane. The
// plane has one normal, wherever the lowest corners of the shin lie within the foot.
static void test_shin_within_a_foot_meets_a_plane_along_its_normal(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 400; trial++) {
        scene *s = open_scene();
        (void)add_shape(s, WORLD, ground(s), VS_IDENTITY_POSE, 1, UINT32_MAX);
        vs_shape *part = brick(s, .02, .02, .1);
        vs_pose shin = {VS_ZERO3, vs_quat_exp(random_vec(&seed, .8))};
        const vs_vec3 down = vs_rotate_back(shin.rotation, (vs_vec3){0, 0, -1});
        const vs_vec3 lowest = vs_pose_apply(shin, vs_shape_support(part, down));
        shin.position = vs_subtract(
            (vs_vec3){random_in(&seed, -.02, .02), random_in(&seed, -.02, .02), -.0009 * random_in(&seed, 0, 1)},
            lowest);
        const vs_body_id leg = add_body(s, VS_MOTION_DYNAMIC, VS_IDENTITY_POSE, VS_ZERO3);
        (void)add_shape(s, leg, part, shin, 1, UINT32_MAX);
        (void)add_shape(s, leg, brick(s, .02, .02, .02), at(0, 0, .019), 1, UINT32_MAX);
        vs_vec3 sum;
        find(s, h, 1e-3);
        const int count = between(s, WORLD, leg, &sum);
        assert_true(count >= 4);
        assert_vec(sum, ((vs_vec3){0, 0, count}), 1e-12);
        close_scene(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seam_makes_no_contact),
        cmocka_unit_test(test_step_and_gap_are_hit),
        cmocka_unit_test(test_wall_on_a_floor_keeps_its_contacts),
        cmocka_unit_test(test_foot_of_a_ramp_is_hit),
        cmocka_unit_test(test_wedge_behind_a_seam_is_met_along_its_slope),
        cmocka_unit_test(test_leaning_brick_of_a_wall_has_its_contact),
        cmocka_unit_test(test_bricks_that_overlap_deeply_keep_their_contact),
        cmocka_unit_test(test_point_sunk_into_a_seam_is_lifted),
        cmocka_unit_test(test_plate_flush_with_a_plane),
        cmocka_unit_test(test_bricks_that_overlap_a_little_have_small_overlaps),
        cmocka_unit_test(test_shin_within_a_foot_meets_a_plane_along_its_normal),
        cmocka_unit_test(test_contacts_do_not_depend_on_the_order_of_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
