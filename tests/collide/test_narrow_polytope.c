// Boxes and hulls against each other: closed forms, manifolds of stacked bricks, the sampled gap, symmetry, continuity.
#include "oracle.h"
#include "collide/narrow/pairs.h"

#ifdef VS_HAVE_ODE
#include <ode/ode.h>
#endif

typedef struct shapes {
    vs_context *context;
    vs_shape *cube, *brick, *slab, *tetrahedron, *rock, *drum, *cube_hull;
} shapes;

enum { ROCK_POINTS = 24, DRUM_SIDES = 24 };

static int make(void **state) {
    static shapes s;
    vs_vec3 rock[ROCK_POINTS], drum[2 * DRUM_SIDES], corner[8];
    uint64_t seed = 5;
    for (int k = 0; k < ROCK_POINTS; k++) {
        rock[k] = vs_scale(.6, vs_normalize(random_vec(&seed, 1)));
        rock[k].x += .2; // the origin is not the centre
    }
    for (int k = 0; k < DRUM_SIDES; k++) {
        double turn = 2 * 3.14159265358979323846 * k / DRUM_SIDES;
        drum[2 * k] = (vs_vec3){.5 * cos(turn), .5 * sin(turn), .3};
        drum[2 * k + 1] = (vs_vec3){.5 * cos(turn), .5 * sin(turn), -.3};
    }
    for (int k = 0; k < 8; k++)
        corner[k] = (vs_vec3){k & 1 ? .5 : -.5, k & 2 ? .5 : -.5, k & 4 ? .5 : -.5};
    vs_vec3 tetrahedron[4] = {{.5, .5, .5}, {.5, -.5, -.5}, {-.5, .5, -.5}, {-.5, -.5, .5}};
    bool good = !vs_context_create(NULL, &s.context) && !vs_shape_box(s.context, (vs_vec3){.5, .5, .5}, &s.cube) &&
                !vs_shape_box(s.context, (vs_vec3){.5, .25, .125}, &s.brick) &&
                !vs_shape_box(s.context, (vs_vec3){5, 5, .5}, &s.slab) &&
                !vs_shape_hull(s.context, tetrahedron, 4, &s.tetrahedron) &&
                !vs_shape_hull(s.context, rock, ROCK_POINTS, &s.rock) &&
                !vs_shape_hull(s.context, drum, 2 * DRUM_SIDES, &s.drum) &&
                !vs_shape_hull(s.context, corner, 8, &s.cube_hull);
    *state = &s;
    return good ? 0 : -1;
}

static int unmake(void **state) {
    shapes *s = *state;
    vs_shape *all[] = {s->cube, s->brick, s->slab, s->tetrahedron, s->rock, s->drum, s->cube_hull};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        vs_shape_release(all[k]);
    vs_context_destroy(s->context);
    return 0;
}

static vs_manifold meet(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope) {
    vs_manifold m = {.count = 0};
    vs_narrow_polytope(a, pose_a, b, pose_b, envelope, &m);
    check_sound(&m, envelope);
    return m;
}

static bool has_point(const vs_manifold *m, vs_vec3 x, double tolerance) {
    for (int k = 0; k < m->count; k++)
        if (vs_length(vs_subtract(m->at[k].point, x)) <= tolerance)
            return true;
    return false;
}

// ---- closed forms ----------------------------------------------------------------------------------

static void test_equal_cubes_exactly_aligned_give_their_four_corners(void **state) {
    shapes *s = *state;
    const double gaps[] = {1e-3, 1e-6, 1e-9, 0, -1e-9, -1e-6, -1e-3, -.1};
    const vs_shape *twin[] = {s->cube, s->cube_hull};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++) {
                vs_manifold m = meet(twin[i], at(0, 0, 0), twin[j], at(0, 0, 1 + gaps[k]), .01);
                assert_int_equal(m.count, 4);
                for (int p = 0; p < 4; p++) {
                    assert_close(m.at[p].gap, gaps[k], 1e-15); // one rounding of the pose
                    assert_vec(m.at[p].normal, ((vs_vec3){0, 0, 1}), 1e-15);
                    vs_vec3 corner = {p & 1 ? .5 : -.5, p & 2 ? .5 : -.5, .5 + .5 * gaps[k]};
                    assert_true(has_point(&m, corner, 1e-15));
                }
            }
}

static void test_running_bond_supports_each_half_by_four_points(void **state) {
    shapes *s = *state;
    vs_manifold m = meet(s->brick, at(0, 0, 0), s->brick, at(.5, 0, .25), .001);
    assert_int_equal(m.count, 4);
    for (int k = 0; k < 4; k++) {
        assert_close(m.at[k].gap, 0, 1e-15);
        assert_vec(m.at[k].normal, ((vs_vec3){0, 0, 1}), 0);
        assert_true(has_point(&m, (vs_vec3){k & 1 ? .5 : 0, k & 2 ? .25 : -.25, .125}, 1e-15));
    }
}

static void test_yawed_brick_keeps_the_whole_outline(void **state) {
    shapes *s = *state;
    // A cube turned by 45 degrees on a cube: a regular octagon. Four corners would lose 30 % of it.
    vs_manifold m = meet(s->cube, at(0, 0, 0), s->cube, turned(0, 0, 1, (vs_vec3){0, 0, 1}, .785398163397448), .01);
    assert_int_equal(m.count, 8);
    double r = .5 / cos(.392699081698724);
    for (int k = 0; k < 8; k++)
        assert_close(hypot(m.at[k].point.x, m.at[k].point.y), r, 1e-12);
    // Turned little, four corners hold nearly all.
    m = meet(s->cube, at(0, 0, 0), s->cube, turned(0, 0, 1, (vs_vec3){0, 0, 1}, .01), .01);
    assert_int_equal(m.count, 4);
}

static void test_small_on_large_gives_the_small_face(void **state) {
    shapes *s = *state;
    for (int order = 0; order < 2; order++) {
        vs_pose up = turned(1.3, -2.1, .5 + .125 + 1e-4, (vs_vec3){0, 0, 1}, .3);
        vs_manifold m =
            order == 0 ? meet(s->slab, at(0, 0, 0), s->brick, up, .01) : meet(s->brick, up, s->slab, at(0, 0, 0), .01);
        assert_int_equal(m.count, 4);
        for (int k = 0; k < 4; k++) {
            assert_close(m.at[k].gap, 1e-4, 1e-14);
            assert_vec(m.at[k].normal, ((vs_vec3){0, 0, order == 0 ? 1 : -1}), 1e-15);
            vs_vec3 corner = vs_pose_apply(up, (vs_vec3){k & 1 ? .5 : -.5, k & 2 ? .25 : -.25, -.125});
            corner.z -= 5e-5;
            assert_true(has_point(&m, corner, 1e-14));
        }
    }
}

static void test_side_by_side_bricks_with_coplanar_tops(void **state) {
    shapes *s = *state;
    vs_manifold m = meet(s->brick, at(0, 0, 0), s->brick, at(1 + 1e-6, 0, 0), .001);
    assert_int_equal(m.count, 4);
    for (int k = 0; k < 4; k++) {
        assert_close(m.at[k].gap, 1e-6, 1e-15);
        assert_vec(m.at[k].normal, ((vs_vec3){1, 0, 0}), 0);
    }
}

static void test_diagonal_neighbours_touch_along_an_edge(void **state) {
    shapes *s = *state;
    // Exactly, and off by rounding in either direction: the normal of a face, the two ends of the edge.
    const double off[] = {0, 1e-12, -1e-12};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            vs_manifold m = meet(s->brick, at(0, 0, 0), s->brick, at(1 + off[i], 0, .25 + off[j]), .001);
            assert_int_equal(m.count, 2);
            for (int k = 0; k < 2; k++) {
                assert_close(m.at[k].gap, 0, 2e-12);
                assert_close(fabs(m.at[k].normal.x) + fabs(m.at[k].normal.y) + fabs(m.at[k].normal.z), 1, 0);
                assert_true(has_point(&m, (vs_vec3){.5, k ? .25 : -.25, .125}, 1e-11));
            }
        }
}

static void test_parallel_edges_apart_give_the_ends_of_the_shared_part(void **state) {
    shapes *s = *state;
    vs_manifold m = meet(s->brick, at(0, 0, 0), s->brick, at(1.3, .1, .65), 1);
    assert_int_equal(m.count, 2);
    for (int k = 0; k < 2; k++) {
        assert_close(m.at[k].gap, .5, 1e-14); // 3-4-5
        assert_vec(m.at[k].normal, ((vs_vec3){.6, 0, .8}), 1e-14);
        assert_true(has_point(&m, (vs_vec3){.65, k ? .25 : -.15, .325}, 1e-14));
    }
}

static void test_vertices_edges_and_faces_are_closest_apart(void **state) {
    shapes *s = *state;
    // Corner to corner: the difference of the corners is (2, 3, 6)/7 of 0.7.
    vs_manifold m = meet(s->cube, at(0, 0, 0), s->cube, at(1.2, 1.3, 1.6), 1);
    assert_int_equal(m.count, 1);
    assert_close(m.at[0].gap, .7, 1e-14);
    assert_vec(m.at[0].normal, ((vs_vec3){2. / 7, 3. / 7, 6. / 7}), 1e-14);
    assert_vec(m.at[0].point, ((vs_vec3){.6, .65, .8}), 1e-14);
    // Crossed edges: the upper cube stands on an edge along x, the lower one shows an edge along y.
    vs_pose lower = turned(0, 0, 0, (vs_vec3){0, 1, 0}, .785398163397448309);
    vs_pose upper = turned(.1, .2, 2 * sqrt(.5) + .01, (vs_vec3){1, 0, 0}, .785398163397448309);
    m = meet(s->cube, lower, s->cube, upper, 1);
    assert_int_equal(m.count, 1);
    assert_close(m.at[0].gap, .01, 1e-14);
    assert_vec(m.at[0].normal, ((vs_vec3){0, 0, 1}), 1e-13); // direction of a difference of 0.01
    assert_vec(m.at[0].point, ((vs_vec3){0, .2, sqrt(.5) + .005}), 1e-13);
    // The same overlapping.
    upper.position.z -= .03;
    m = meet(s->cube, lower, s->cube, upper, 1);
    assert_int_equal(m.count, 1);
    assert_close(m.at[0].gap, -.02, 1e-14);
    assert_vec(m.at[0].normal, ((vs_vec3){0, 0, 1}), 1e-14);
    assert_vec(m.at[0].point, ((vs_vec3){0, .2, sqrt(.5) - .01}), 1e-14);
    // A corner above a face, apart and sunk in: the space diagonal is upright.
    vs_vec3 axis = vs_normalize((vs_vec3){1, -1, 0});
    double half = .5 * sqrt(3.);
    for (int k = 0; k < 2; k++) {
        double gap = k == 0 ? .02 : -.02;
        vs_pose tip = turned(.3, .2, .5 + half + gap, axis, acos(1 / sqrt(3.)));
        m = meet(s->slab, at(0, 0, 0), s->cube, tip, .05);
        assert_int_equal(m.count, 1);
        assert_close(m.at[0].gap, gap, 1e-14);
        assert_vec(m.at[0].normal, ((vs_vec3){0, 0, 1}), 1e-15);
        assert_vec(m.at[0].point, ((vs_vec3){.3, .2, .5 + .5 * gap}), 1e-14);
    }
}

static void test_cube_on_its_edge_has_two_points(void **state) {
    shapes *s = *state;
    vs_pose edge = turned(0, 0, .5 + sqrt(.5) - 1e-4, (vs_vec3){0, 1, 0}, .785398163397448309);
    vs_manifold m = meet(s->slab, at(0, 0, 0), s->cube, edge, .01);
    assert_int_equal(m.count, 2);
    for (int k = 0; k < 2; k++) {
        assert_close(m.at[k].gap, -1e-4, 1e-14);
        assert_true(has_point(&m, (vs_vec3){0, k ? .5 : -.5, .5 - 5e-5}, 1e-13));
    }
}

// ---- the same names, step after step ---------------------------------------------------------------

static void test_features_stay_while_a_stack_trembles(void **state) {
    shapes *s = *state;
    uint64_t seed = 3;
    vs_manifold first = meet(s->brick, at(0, 0, 0), s->brick, at(0, 0, .25), .001);
    assert_int_equal(first.count, 4);
    for (int k = 0; k < VS_SAMPLES(2000); k++) {
        // Ten times below the tolerance for corners that lie on an edge, 1e-6 of 0.57 m.
        vs_pose pose = {random_vec(&seed, 5e-8), vs_quat_exp(random_vec(&seed, 5e-8))};
        pose.position.z += .25;
        vs_manifold m = meet(s->brick, at(0, 0, 0), s->brick, pose, .001);
        assert_int_equal(m.count, 4);
        for (int i = 0; i < 4; i++) {
            bool known = false;
            for (int j = 0; j < 4; j++)
                known = known || (first.at[j].feature == m.at[i].feature &&
                                  vs_length(vs_subtract(first.at[j].point, m.at[i].point)) < 1e-6);
            assert_true(known);
        }
    }
}

// Tilted by some 1e-6 rad, either face may be the reference, and any corner the lowest one.
static void test_contacts_of_the_last_step_stay_where_faces_tie(void **state) {
    shapes *s = *state;
    const vs_shape *a[] = {s->brick, s->drum, s->cube_hull}, *b[] = {s->brick, s->drum, s->cube};
    const double height[] = {.25, .6, 1};
    uint64_t seed = 6;
    for (int i = 0; i < 3; i++) {
        lost_contacts lost = {0};
        for (int k = 0; k < 50; k++) {
            vs_vec3 place = random_vec(&seed, .2), turn = random_vec(&seed, 3e-6);
            place.z = height[i];
            turn.z = random_in(&seed, -.5, .5);
            tremble(a[i], b[i], (vs_pose){place, vs_quat_exp(turn)}, &seed, &lost);
        }
        assert_int_equal(lost.known, 0);
        assert_true(lost.unknown > 1000); // in 50 x 40 steps: the choice is not trivial
    }
}

static void test_tilted_and_shifted_bricks_always_have_four_points(void **state) {
    shapes *s = *state;
    uint64_t seed = 4;
    for (int k = 0; k < VS_SAMPLES(5000); k++) {
        vs_pose pose = {random_vec(&seed, .2), vs_quat_exp(random_vec(&seed, 2e-4))};
        pose.position.y *= .5;
        pose.position.z = .25 + random_in(&seed, -1e-4, 1e-4);
        vs_manifold m = meet(s->brick, at(0, 0, 0), s->brick, pose, .002);
        assert_true(m.count >= 4);
        for (int i = 0; i < m.count; i++)
            assert_true(m.at[i].normal.z > 1 - 1e-7); // 2e-4 rad of tilt, squared
    }
}

// ---- random pairs ----------------------------------------------------------------------------------

static void test_random_pairs_agree_with_the_sampled_gap(void **state) {
    shapes *s = *state;
    const vs_shape *all[] = {s->cube, s->brick, s->tetrahedron, s->rock, s->drum};
    uint64_t seed = 11, search = 12;
    int apart = 0, overlapping = 0;
    for (int k = 0; k < 400; k++) {
        pair p = {all[k % 5], all[k / 5 % 5], random_pose(&seed, 1), random_pose(&seed, 1)};
        p.pose_b.position = vs_add_scaled(p.pose_a.position, random_in(&seed, .2, 1), random_vec(&seed, 1.3));
        vs_manifold m = meet(p.a, p.pose_a, p.b, p.pose_b, 5);
        assert_true(m.count > 0);
        check_gap(&p, &m, 5, 1e-6, &search); // the promise: 1e-6 of the size
        apart += least_gap(&m) > 0;
        overlapping += least_gap(&m) < 0;
    }
    assert_true(apart > 80 && overlapping > 80);
}

static void test_swapped_order_turns_the_normal(void **state) {
    shapes *s = *state;
    const vs_shape *all[] = {s->cube, s->brick, s->tetrahedron, s->rock, s->drum};
    uint64_t seed = 21;
    for (int k = 0; k < VS_SAMPLES(2000); k++) {
        const vs_shape *a = all[k % 5], *b = all[k / 5 % 5];
        vs_pose pose_a = random_pose(&seed, 1), pose_b = random_pose(&seed, 1);
        vs_manifold m = meet(a, pose_a, b, pose_b, .05), n = meet(b, pose_b, a, pose_a, .05);
        assert_int_equal(m.count > 0, n.count > 0);
        if (m.count == 0)
            continue;
        assert_close(least_gap(&m), least_gap(&n), 1e-6); // faces win by up to 5e-7
        // Deep overlap may have two ways out that are equally short; a shallow one has one.
        if (least_gap(&m) > -.01)
            assert_true(vs_dot(m.at[0].normal, n.at[0].normal) < -.999);
    }
}

static void test_moving_both_changes_nothing(void **state) {
    shapes *s = *state;
    const vs_shape *all[] = {s->cube, s->brick, s->tetrahedron, s->rock, s->drum};
    uint64_t seed = 31;
    for (int k = 0; k < VS_SAMPLES(1000); k++) {
        const vs_shape *a = all[k % 5], *b = all[k / 5 % 5];
        vs_pose pose_a = random_pose(&seed, .5), pose_b = random_pose(&seed, .5), move = random_pose(&seed, 10);
        vs_manifold m = meet(a, pose_a, b, pose_b, .1);
        vs_manifold n = meet(a, vs_pose_multiply(move, pose_a), b, vs_pose_multiply(move, pose_b), .1);
        assert_int_equal(m.count, n.count);
        for (int i = 0; i < m.count; i++) {
            assert_close(m.at[i].gap, n.at[i].gap, 1e-9);
            assert_vec(vs_rotate(move.rotation, m.at[i].normal), n.at[i].normal, 1e-9);
            assert_vec(vs_pose_apply(move, m.at[i].point), n.at[i].point, 1e-9);
            assert_int_equal(m.at[i].feature, n.at[i].feature);
        }
    }
}

static void test_gap_is_continuous_from_apart_to_overlapping(void **state) {
    shapes *s = *state;
    const vs_shape *all[] = {s->cube, s->brick, s->tetrahedron, s->rock, s->drum};
    uint64_t seed = 41;
    for (int k = 0; k < 50; k++) {
        const vs_shape *a = all[k % 5], *b = all[k / 5 % 5];
        vs_pose pose_a = random_pose(&seed, .1), pose_b = random_pose(&seed, .1);
        vs_vec3 way = vs_normalize(random_vec(&seed, 1));
        double before = 0;
        enum { STEPS = 1000 };
        for (int step = 0; step <= STEPS; step++) {
            vs_pose moved = pose_b;
            moved.position = vs_add_scaled(pose_b.position, 2. * step / STEPS, way);
            vs_manifold m = meet(a, pose_a, b, moved, 5);
            assert_true(m.count > 0);
            // Slope at most one; 1e-6 for faces that win by a little.
            if (step > 0)
                assert_true(fabs(least_gap(&m) - before) <= 2. / STEPS + 1e-6);
            before = least_gap(&m);
        }
    }
}

static void test_many_random_boxes_are_sound(void **state) {
    shapes *s = *state;
    const vs_shape *all[] = {s->cube, s->brick, s->slab, s->cube_hull};
    uint64_t seed = 51;
    int contacts = 0;
    for (int k = 0; k < VS_SAMPLES(100000); k++) {
        vs_pose pose_a = random_pose(&seed, .7), pose_b = random_pose(&seed, .7);
        // A third has exactly parallel axes, where cross products of edges vanish.
        if (k % 3 == 0)
            pose_b.rotation = pose_a.rotation;
        vs_manifold m = meet(all[k % 4], pose_a, all[k / 4 % 4], pose_b, .1);
        for (int i = 0; i < m.count; i++) {
            vs_vec3 x = m.at[i].point;
            assert_true(isfinite(m.at[i].gap) && isfinite(x.x) && isfinite(x.y) && isfinite(x.z));
        }
        contacts += m.count;
    }
    assert_true(contacts > VS_SAMPLES(100000));
}

// ---- ODE -------------------------------------------------------------------------------------------

#ifdef VS_HAVE_ODE
static void to_ode(vs_pose pose, dVector3 position, dMatrix3 rotation) {
    vs_mat3 r = vs_quat_matrix(pose.rotation);
    position[0] = pose.position.x, position[1] = pose.position.y, position[2] = pose.position.z, position[3] = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            rotation[4 * i + j] = r.a[3 * i + j];
        rotation[4 * i + 3] = 0;
    }
}

static void test_overlapping_boxes_agree_with_ode(void **state) {
    shapes *s = *state;
    uint64_t seed = 61;
    int compared = 0;
    dInitODE();
    for (int k = 0; k < VS_SAMPLES(20000); k++) {
        const vs_shape *a = k % 2 ? s->cube : s->brick, *b = k % 3 ? s->brick : s->cube;
        vs_pose pose_a = random_pose(&seed, .5), pose_b = random_pose(&seed, .5);
        dVector3 pa, pb, normal;
        dMatrix3 ra, rb;
        to_ode(pose_a, pa, ra);
        to_ode(pose_b, pb, rb);
        dVector3 sides_a = {2 * a->half.x, 2 * a->half.y, 2 * a->half.z, 0};
        dVector3 sides_b = {2 * b->half.x, 2 * b->half.y, 2 * b->half.z, 0};
        dContactGeom geom[8];
        dReal depth;
        int code, count = dBoxBox(pa, ra, sides_a, pb, rb, sides_b, normal, &depth, &code, 8, geom, sizeof *geom);
        vs_manifold m = meet(a, pose_a, b, pose_b, 0);
        if (count == 0) {
            assert_int_equal(m.count, 0);
            continue;
        }
        assert_true(m.count > 0);
        // ODE prefers faces by 5 %: its depth is at least ours, and equal where it took the same direction.
        assert_true(depth >= -least_gap(&m) - 2e-6);
        vs_vec3 theirs = {normal[0], normal[1], normal[2]};
        if (fabs(vs_dot(theirs, m.at[0].normal)) < 1 - 1e-9)
            continue;
        compared++;
        assert_close(-least_gap(&m), depth, 2e-6);
        // ODE reports points on the incident face, ours are midway; each of ours is one of theirs.
        for (int i = 0; i < m.count; i++) {
            bool known = code > 6;
            for (int j = 0; j < count && !known; j++) {
                vs_vec3 x = {geom[j].pos[0], geom[j].pos[1], geom[j].pos[2]};
                vs_vec3 away = vs_subtract(x, m.at[i].point);
                away = vs_add_scaled(away, -vs_dot(away, theirs), theirs);
                known = vs_length(away) < 1e-5; // corners within 1e-6 of an edge are not moved onto it
            }
            assert_true(known);
        }
    }
    dCloseODE();
    assert_true(compared > VS_SAMPLES(5000));
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_cubes_exactly_aligned_give_their_four_corners),
        cmocka_unit_test(test_running_bond_supports_each_half_by_four_points),
        cmocka_unit_test(test_yawed_brick_keeps_the_whole_outline),
        cmocka_unit_test(test_small_on_large_gives_the_small_face),
        cmocka_unit_test(test_side_by_side_bricks_with_coplanar_tops),
        cmocka_unit_test(test_diagonal_neighbours_touch_along_an_edge),
        cmocka_unit_test(test_parallel_edges_apart_give_the_ends_of_the_shared_part),
        cmocka_unit_test(test_vertices_edges_and_faces_are_closest_apart),
        cmocka_unit_test(test_cube_on_its_edge_has_two_points),
        cmocka_unit_test(test_features_stay_while_a_stack_trembles),
        cmocka_unit_test(test_contacts_of_the_last_step_stay_where_faces_tie),
        cmocka_unit_test(test_tilted_and_shifted_bricks_always_have_four_points),
        cmocka_unit_test(test_random_pairs_agree_with_the_sampled_gap),
        cmocka_unit_test(test_swapped_order_turns_the_normal),
        cmocka_unit_test(test_moving_both_changes_nothing),
        cmocka_unit_test(test_gap_is_continuous_from_apart_to_overlapping),
        cmocka_unit_test(test_many_random_boxes_are_sound),
#ifdef VS_HAVE_ODE
        cmocka_unit_test(test_overlapping_boxes_agree_with_ode),
#endif
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
