// Two meshes: the least gap is the distance of their surfaces, contacts of flat faces are complete, solids have one side
// and shells two.
#include "collide/mesh/mesh.h"
#include "mesh_distance.h"

typedef struct fixture {
    vs_context *context;
    vs_shape *box, *angle, *torus, *solid_box, *shell;
    vs_mesh_points points;
} fixture;

static int make(void **state) {
    static fixture f;
    if (vs_context_create(NULL, &f.context))
        return -1;
    f.points = (vs_mesh_points){.context = f.context};
    f.box = box_mesh(f.context, .5, .4, .3);
    f.angle = angle_mesh(f.context, .6);
    f.torus = torus_mesh(f.context, .4, .12, 16, 8);
    const vs_vec3 corner[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    const int square[6] = {0, 1, 2, 0, 2, 3};
    *state = &f;
    return vs_shape_box(f.context, (vs_vec3){.5, .4, .3}, &f.solid_box) ||
           vs_shape_mesh(f.context, corner, 4, square, 2, &f.shell);
}

static int unmake(void **state) {
    fixture *f = *state;
    vs_shape *all[] = {f->box, f->angle, f->torus, f->solid_box, f->shell};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        vs_shape_release(all[k]);
    vs_release(f->context, f->points.at);
    vs_context_destroy(f->context);
    return 0;
}

static double least(const vs_mesh_points *p) {
    double gap = INFINITY;
    for (int k = 0; k < p->count; k++)
        gap = fmin(gap, p->at[k].gap);
    return gap;
}

static void find(fixture *f, const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope) {
    assert_int_equal(vs_narrow_meshes(a, pose_a, b, pose_b, envelope, &f->points), VS_OK);
    for (int k = 0; k < f->points.count; k++) {
        assert_close(vs_length(f->points.at[k].normal), 1, 1e-14);
        assert_true(f->points.at[k].gap <= envelope);
    }
}

static void test_least_gap_is_the_distance_of_the_surfaces(void **state) {
    fixture *f = *state;
    const vs_shape *mesh[] = {f->box, f->angle, f->torus};
    uint64_t seed = 71;
    int apart = 0;
    for (int k = 0; k < 180; k++) {
        const vs_shape *a = mesh[k % 3], *b = mesh[k / 3 % 3];
        const vs_pose pose_a = random_pose(&seed, .2), pose_b = random_pose(&seed, .9);
        const double distance = mesh_distance(a, pose_a, b, pose_b), envelope = 1;
        if (distance == 0)
            continue;
        apart++;
        find(f, a, pose_a, b, pose_b, envelope);
        assert_true(f->points.count > 0);
        assert_close(least(&f->points), distance, 1e-12); // sizes of 1 m, some thousand roundings
        find(f, b, pose_b, a, pose_a, envelope);
        assert_close(least(&f->points), distance, 1e-12);
        find(f, a, pose_a, b, pose_b, .999 * distance);
        assert_int_equal(f->points.count, 0);
    }
    assert_in_range(apart, 60, 180);
}

// A link held by another one: the torus' tube passes through the hole of the other without touching.
static void test_hole_of_a_torus_is_free(void **state) {
    fixture *f = *state;
    const vs_pose through = turned(.4, 0, 0, (vs_vec3){1, 0, 0}, 1.5707963267948966);
    find(f, f->torus, VS_IDENTITY_POSE, f->torus, through, .05);
    assert_int_equal(f->points.count, 0);
    find(f, f->torus, VS_IDENTITY_POSE, f->torus, through, .3);
    assert_close(least(&f->points), mesh_distance(f->torus, VS_IDENTITY_POSE, f->torus, through), 1e-12);
}

// Two links that hang in each other with saddle on saddle, vertex on vertex: edges that rise to these vertices hold them apart, also
// where they overlap already.
static void test_saddles_that_overlap_are_held(void **state) {
    fixture *f = *state;
    uint64_t seed = 75;
    for (int k = 0; k < 400; k++) {
        const double overlap = k < 20 ? 1e-9 : random_in(&seed, 1e-9, 4e-3), aside = k % 2 ? 1e-2 * overlap : 0;
        vs_pose hanging = turned(.56 + overlap, 0, 0, (vs_vec3){1, 0, 0}, 1.5707963267948966);
        hanging.position = vs_add(hanging.position, random_vec(&seed, aside));
        find(f, f->torus, VS_IDENTITY_POSE, f->torus, hanging, 0);
        assert_true(f->points.count > 0);
        assert_in_range(1e12 * -least(&f->points), 1e12 * .6 * overlap, 1e12 * 1.1 * overlap);
        vs_vec3 sum = VS_ZERO3;
        for (int i = 0; i < f->points.count; i++)
            sum = vs_add(sum, f->points.at[i].normal);
        assert_true(-vs_normalize(sum).x > .7);
    }
}

static void test_overlap_of_boxes_is_that_of_convex_boxes(void **state) {
    fixture *f = *state;
    enum { SAMPLES = VS_SAMPLES(12000) };
    uint64_t seed = 72;
    int overlaps = 0;
    for (int k = 0; k < SAMPLES; k++) {
        const vs_pose pose_a = random_pose(&seed, .1), pose_b = random_pose(&seed, .8);
        vs_manifold m;
        vs_narrow(f->solid_box, pose_a, f->solid_box, pose_b, .02, &m);
        // Deeper ones are not promised: 1 % of the size of 0.7 m.
        if (m.count == 0 || least_gap(&m) > 0 || least_gap(&m) < -4e-3)
            continue;
        overlaps++;
        find(f, f->box, pose_a, f->box, pose_b, .02);
        assert_true(f->points.count > 0);
        // A shallow overlap is that of one pair of features; faces are preferred to edges by 1e-6 of the size.
        bool found = false;
        for (int i = 0; i < f->points.count; i++)
            found = found || (fabs(f->points.at[i].gap - least_gap(&m)) < 1e-5 &&
                              vs_dot(f->points.at[i].normal, m.at[0].normal) > .99);
        assert_true(found);
    }
    assert_in_range(overlaps, SAMPLES / 300, SAMPLES);
}

// Two boxes on each other, turned: all corners of the common outline, or the eight outermost ones.
static void test_faces_meet_in_all_corners_of_their_common_outline(void **state) {
    fixture *f = *state;
    uint64_t seed = 73;
    for (int k = 0; k < 300; k++) {
        const double gap = random_in(&seed, -1e-3, 1e-3), tilt = random_in(&seed, -1e-4, 1e-4);
        const vs_quat turn = vs_quat_exp((vs_vec3){0, 0, random_in(&seed, -3, 3)});
        const vs_pose upper = {{random_in(&seed, -.2, .2), random_in(&seed, -.2, .2), .6 + gap},
                               vs_quat_multiply(vs_quat_exp((vs_vec3){tilt, 0, 0}), turn)};
        find(f, f->box, VS_IDENTITY_POSE, f->box, upper, .01);
        assert_in_range(f->points.count, 3, VS_MANIFOLD_MOST);
        vs_vec3 sum = VS_ZERO3;
        for (int i = 0; i < f->points.count; i++) {
            const vs_mesh_point *p = &f->points.at[i];
            assert_vec(p->normal, ((vs_vec3){0, 0, 1}), 2e-4);
            assert_close(p->gap, gap, 2e-4);
            sum = vs_add(sum, p->point);
        }
        // The outline contains the middle of the overlap: its centre of points is near.
        assert_true(vs_length((vs_vec3){sum.x / f->points.count, sum.y / f->points.count, 0}) < .4);
    }
}

// A corner of a box in the corner of an angle touches both of its walls.
static void test_valley_is_met_on_both_sides(void **state) {
    fixture *f = *state;
    // the box's corner at (-.5, -.4) is 1 mm from both walls of the angle, x = 0 and y = 0
    find(f, f->angle, VS_IDENTITY_POSE, f->box, at(.501, .401, 0), .01);
    bool wall[2] = {false, false};
    for (int k = 0; k < f->points.count; k++) {
        assert_close(f->points.at[k].gap, 1e-3, 1e-12);
        wall[0] = wall[0] || f->points.at[k].normal.x > .999;
        wall[1] = wall[1] || f->points.at[k].normal.y > .999;
    }
    assert_true(wall[0] && wall[1]);
}

static void test_shell_has_two_sides(void **state) {
    fixture *f = *state;
    for (int side = -1; side <= 1; side += 2)
        for (int k = 0; k < 20; k++) {
            const double gap = -1e-4 + 2e-5 * k;
            find(f, f->shell, VS_IDENTITY_POSE, f->box, at(.1, .2, side * (.3 + gap)), .01);
            assert_in_range(f->points.count, 4, VS_MANIFOLD_MOST);
            for (int i = 0; i < f->points.count; i++) {
                assert_close(f->points.at[i].gap, gap, 1e-12);
                assert_vec(f->points.at[i].normal, ((vs_vec3){0, 0, side}), 1e-12);
            }
        }
}

static void test_contacts_keep_their_features_while_bodies_tremble(void **state) {
    fixture *f = *state;
    uint64_t seed = 74, known[64];
    int count = 0, lost = 0, total = 0;
    for (int k = 0; k < 100; k++) {
        vs_pose pose = {vs_add((vs_vec3){.13, .07, .6}, random_vec(&seed, 1e-6)), vs_quat_exp(random_vec(&seed, 2e-6))};
        pose.rotation = vs_quat_multiply(pose.rotation, vs_quat_exp((vs_vec3){0, 0, .3}));
        find(f, f->box, VS_IDENTITY_POSE, f->box, pose, .01);
        for (int i = 0; i < count; i++) {
            bool found = false;
            for (int j = 0; j < f->points.count; j++)
                found = found || f->points.at[j].feature == known[i];
            lost += !found;
            total++;
        }
        count = f->points.count;
        for (int i = 0; i < count; i++)
            known[i] = f->points.at[i].feature;
    }
    assert_true(total > 300);
    assert_int_equal(lost, 0);
}

static void test_plane_carries_the_lowest_vertices(void **state) {
    fixture *f = *state;
    const vs_pose plane = turned(.3, -.2, .1, (vs_vec3){1, 2, 0}, .7);
    // the torus lies on the plane: 16 lowest vertices, of which the outermost eight stay
    const vs_pose lying = vs_pose_multiply(plane, at(.2, .1, .121));
    assert_int_equal(vs_narrow_mesh_plane(f->torus, lying, plane, .01, &f->points), VS_OK);
    assert_in_range(f->points.count, 4, VS_MANIFOLD_MOST);
    for (int k = 0; k < f->points.count; k++) {
        assert_close(f->points.at[k].gap, 1e-3, 1e-12);
        assert_vec(f->points.at[k].normal, vs_rotate(plane.rotation, (vs_vec3){0, 0, -1}), 1e-14);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_gap_is_the_distance_of_the_surfaces),
        cmocka_unit_test(test_hole_of_a_torus_is_free),
        cmocka_unit_test(test_saddles_that_overlap_are_held),
        cmocka_unit_test(test_overlap_of_boxes_is_that_of_convex_boxes),
        cmocka_unit_test(test_faces_meet_in_all_corners_of_their_common_outline),
        cmocka_unit_test(test_valley_is_met_on_both_sides),
        cmocka_unit_test(test_shell_has_two_sides),
        cmocka_unit_test(test_contacts_keep_their_features_while_bodies_tremble),
        cmocka_unit_test(test_plane_carries_the_lowest_vertices),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
