// A sphere against other shapes: closed forms, inside and outside, moved, swapped, through touching.
#include "meeting.h"

typedef struct shapes {
    vs_context *context;
    vs_shape *sphere, *small, *box, *capsule, *cylinder, *plane, *hull;
} shapes;

static int make(void **state) {
    static shapes s;
    vs_vec3 corner[8];
    for (int k = 0; k < 8; k++) // the box again
        corner[k] = (vs_vec3){k & 1 ? .5 : -.5, k & 2 ? .4 : -.4, k & 4 ? .3 : -.3};
    bool good = !vs_context_create(NULL, &s.context) && !vs_shape_sphere(s.context, .3, &s.sphere) &&
                !vs_shape_sphere(s.context, .05, &s.small) && !vs_shape_box(s.context, (vs_vec3){.5, .4, .3}, &s.box) &&
                !vs_shape_capsule(s.context, .2, .5, &s.capsule) &&
                !vs_shape_cylinder(s.context, .4, .5, &s.cylinder) && !vs_shape_plane(s.context, &s.plane) &&
                !vs_shape_hull(s.context, corner, 8, &s.hull);
    *state = &s;
    return good ? 0 : -1;
}

static int unmake(void **state) {
    shapes *s = *state;
    vs_shape *all[] = {s->sphere, s->small, s->box, s->capsule, s->cylinder, s->plane, s->hull};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        vs_shape_release(all[k]);
    vs_context_destroy(s->context);
    return 0;
}

// One contact of the sphere at (x, y, z) with b at the origin; normal from the sphere to b.
static void expect(const vs_shape *a, vs_vec3 c, const vs_shape *b, double gap, vs_vec3 normal) {
    vs_manifold m;
    vs_narrow(a, (vs_pose){c, {1, 0, 0, 0}}, b, VS_IDENTITY_POSE, 10, &m);
    assert_int_equal(m.count, 1);
    check_sound(&m, 10);
    assert_close(m.at[0].gap, gap, 1e-15); // lengths below 4 m: a few roundings
    assert_vec(m.at[0].normal, normal, 1e-15);
    assert_vec(m.at[0].point, vs_add_scaled(c, a->radius + .5 * gap, normal), 1e-15);
}

static void test_spheres_meet_on_the_line_of_centres(void **state) {
    shapes *s = *state;
    expect(s->sphere, (vs_vec3){0, 0, 1}, s->small, .65, (vs_vec3){0, 0, -1});
    expect(s->sphere, (vs_vec3){.6, 0, .8}, s->small, .65, (vs_vec3){-.6, 0, -.8});
    expect(s->sphere, (vs_vec3){.1, 0, 0}, s->small, -.25, (vs_vec3){-1, 0, 0});
    expect(s->sphere, (vs_vec3){0, 0, 0}, s->small, -.35, (vs_vec3){0, 0, -1}); // concentric: a normal is chosen
}

static void test_box_face_edge_and_corner_are_closest_from_outside(void **state) {
    shapes *s = *state;
    const vs_shape *twin[2] = {s->box, s->hull};
    for (int k = 0; k < 2; k++) {
        expect(s->sphere, (vs_vec3){.1, -.1, 1}, twin[k], .4, (vs_vec3){0, 0, -1});
        expect(s->sphere, (vs_vec3){.8, .1, .7}, twin[k], .2, (vs_vec3){-.6, 0, -.8});
        expect(s->sphere, (vs_vec3){.6, .6, .5}, twin[k], 0, (vs_vec3){-1. / 3, -2. / 3, -2. / 3});
    }
}

static void test_centre_inside_a_box_leaves_by_the_nearest_face(void **state) {
    shapes *s = *state;
    const vs_shape *twin[2] = {s->box, s->hull};
    for (int k = 0; k < 2; k++) {
        expect(s->small, (vs_vec3){.1, .1, -.25}, twin[k], -.1, (vs_vec3){0, 0, 1});
        expect(s->small, (vs_vec3){.45, .1, -.1}, twin[k], -.1, (vs_vec3){-1, 0, 0});
        expect(s->small, (vs_vec3){.1, -.38, .2}, twin[k], -.07, (vs_vec3){0, 1, 0});
    }
}

static void test_capsule_side_end_and_axis(void **state) {
    shapes *s = *state;
    expect(s->small, (vs_vec3){.6, .8, .2}, s->capsule, .75, (vs_vec3){-.6, -.8, 0});
    expect(s->small, (vs_vec3){0, .6, 1.3}, s->capsule, .75, (vs_vec3){0, -.6, -.8});
    expect(s->small, (vs_vec3){0, 0, .1}, s->capsule, -.25, (vs_vec3){-1, 0, 0});
}

static void test_cylinder_side_cap_rim_and_inside(void **state) {
    shapes *s = *state;
    expect(s->small, (vs_vec3){.6, .8, .2}, s->cylinder, .55, (vs_vec3){-.6, -.8, 0});
    expect(s->small, (vs_vec3){.1, .1, -.8}, s->cylinder, .25, (vs_vec3){0, 0, 1});
    expect(s->small, (vs_vec3){0, .7, .9}, s->cylinder, .45, (vs_vec3){0, -.6, -.8});
    expect(s->small, (vs_vec3){0, .3, .2}, s->cylinder, -.15, (vs_vec3){0, -1, 0});
    expect(s->small, (vs_vec3){0, 0, .3}, s->cylinder, -.25, (vs_vec3){0, 0, -1});
    expect(s->small, (vs_vec3){0, 0, 0}, s->cylinder, -.45, (vs_vec3){-1, 0, 0});
}

static void test_plane_is_a_half_space(void **state) {
    shapes *s = *state;
    expect(s->sphere, (vs_vec3){5, -3, 1}, s->plane, .7, (vs_vec3){0, 0, -1});
    expect(s->sphere, (vs_vec3){5, -3, -1}, s->plane, -1.3, (vs_vec3){0, 0, -1});
}

static void test_hull_of_a_boxs_corners_is_the_box(void **state) {
    shapes *s = *state;
    uint64_t seed = 1;
    for (int k = 0; k < 5000; k++) {
        vs_pose pose = random_pose(&seed, 1), other = random_pose(&seed, .2);
        vs_manifold m, n;
        vs_narrow(s->sphere, pose, s->box, other, 5, &m);
        vs_narrow(s->sphere, pose, s->hull, other, 5, &n);
        assert_int_equal(m.count, 1);
        assert_int_equal(n.count, 1);
        assert_close(m.at[0].gap, n.at[0].gap, 1e-14); // qhull's planes: a few more roundings
        if (m.at[0].gap > -.25)                        // deep inside two faces may be equally near
            assert_vec(m.at[0].normal, n.at[0].normal, 1e-12);
    }
}

static void test_motion_as_a_whole_and_order_change_nothing(void **state) {
    shapes *s = *state;
    const vs_shape *other[] = {s->small, s->box, s->capsule, s->cylinder, s->plane, s->hull};
    uint64_t seed = 2;
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        for (int i = 0; i < 1000; i++) {
            vs_pose a = random_pose(&seed, 1), b = random_pose(&seed, 1);
            check_moved(s->sphere, a, other[k], b, .3, random_pose(&seed, 10));
            check_swapped(s->sphere, a, other[k], b, .3);
        }
}

static void test_gap_is_continuous_through_touching_and_the_surface(void **state) {
    shapes *s = *state;
    const vs_shape *other[] = {s->small, s->box, s->capsule, s->cylinder, s->hull};
    uint64_t seed = 3;
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        for (int i = 0; i < 20; i++) {
            vs_vec3 way = random_vec(&seed, 1);
            vs_pose b = random_pose(&seed, .1);
            b.position = vs_add_scaled(b.position, -.5, way);
            check_continuous(s->sphere, VS_IDENTITY_POSE, other[k], b, way, 10);
        }
}

static void test_beyond_the_envelope_there_is_no_contact(void **state) {
    shapes *s = *state;
    const vs_shape *other[] = {s->small, s->box, s->capsule, s->cylinder, s->plane, s->hull};
    const double top[] = {.05, .3, .7, .5, 0, .3};
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        vs_manifold m;
        vs_narrow(s->sphere, at(0, 0, top[k] + .3 + .0101), other[k], VS_IDENTITY_POSE, .01, &m);
        assert_int_equal(m.count, 0);
        vs_narrow(s->sphere, at(0, 0, top[k] + .3 + .0099), other[k], VS_IDENTITY_POSE, .01, &m);
        assert_int_equal(m.count, 1);
    }
}

static void test_only_pairs_without_a_ball_ask_for_the_contacts_of_the_last_step(void **state) {
    const shapes *s = *state;
    const vs_shape *other[] = {s->small, s->box, s->capsule, s->cylinder, s->plane, s->hull};
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        assert_false(vs_narrow_remembers(s->sphere, other[k]));
        assert_false(vs_narrow_remembers(other[k], s->sphere));
    }
    assert_true(vs_narrow_remembers(s->box, s->hull) && vs_narrow_remembers(s->cylinder, s->plane));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres_meet_on_the_line_of_centres),
        cmocka_unit_test(test_box_face_edge_and_corner_are_closest_from_outside),
        cmocka_unit_test(test_centre_inside_a_box_leaves_by_the_nearest_face),
        cmocka_unit_test(test_capsule_side_end_and_axis),
        cmocka_unit_test(test_cylinder_side_cap_rim_and_inside),
        cmocka_unit_test(test_plane_is_a_half_space),
        cmocka_unit_test(test_hull_of_a_boxs_corners_is_the_box),
        cmocka_unit_test(test_motion_as_a_whole_and_order_change_nothing),
        cmocka_unit_test(test_gap_is_continuous_through_touching_and_the_surface),
        cmocka_unit_test(test_beyond_the_envelope_there_is_no_contact),
        cmocka_unit_test(test_only_pairs_without_a_ball_ask_for_the_contacts_of_the_last_step),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
