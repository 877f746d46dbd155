// What searches of two meshes share does not change their answers: contacts, crossings and times of meeting are those of fresh
// searches, bit for bit, along random ways of large and small steps.
#include "collide/ccd/ccd.h"
#include "collide/mesh/mesh.h"
#include "collide/mesh/mesh_crossing.h"
#include "four_meshes.h"

enum { WAYS = VS_SAMPLES(240), STEPS = 25 };

typedef struct fixture {
    vs_context *context;
    vs_shape *mesh[MESHES];
    vs_kept_store store;
    vs_mesh_points points, expected;
    int contacts, crossings, meetings, lists;
} fixture;

static int make(void **state) {
    static fixture f;
    if (vs_context_create(NULL, &f.context))
        return -1;
    f.points = f.expected = (vs_mesh_points){.context = f.context};
    f.store = (vs_kept_store){.context = f.context};
    make_four_meshes(f.context, f.mesh);
    *state = &f;
    return 0;
}

static int unmake(void **state) {
    fixture *f = *state;
    for (int k = 0; k < MESHES; k++)
        vs_shape_release(f->mesh[k]);
    vs_kept_store_release(&f->store);
    vs_release(f->context, f->points.at);
    vs_release(f->context, f->expected.at);
    vs_context_destroy(f->context);
    return 0;
}

static void compare_contacts(fixture *f, int i, int j, const vs_pose pose[2], double envelope, vs_kept_pairs *kept) {
    assert_int_equal(vs_narrow_meshes_again(f->mesh[i], pose[0], f->mesh[j], pose[1], envelope, kept, &f->points),
                     VS_OK);
    assert_int_equal(vs_narrow_meshes(f->mesh[i], pose[0], f->mesh[j], pose[1], envelope, &f->expected), VS_OK);
    assert_int_equal(f->points.count, f->expected.count);
    for (int k = 0; k < f->points.count; k++) {
        const vs_mesh_point *p = &f->points.at[k], *q = &f->expected.at[k];
        assert_true(p->feature == q->feature);
        assert_true(p->gap == q->gap);
        assert_memory_equal(&p->point, &q->point, sizeof p->point);
        assert_memory_equal(&p->normal, &q->normal, sizeof p->normal);
    }
    f->contacts += f->points.count;
}

static void compare_crossing(fixture *f, int i, int j, const vs_pose pose[2], vs_kept_pairs *kept) {
    const vs_triangles *a = &f->mesh[i]->triangles, *b = &f->mesh[j]->triangles;
    const vs_pose relative = vs_pose_relative(pose[0], pose[1]);
    const bool cross = vs_meshes_cross(a, relative, b, 4e-4, NULL);
    assert_true(vs_meshes_cross(a, relative, b, 4e-4, kept) == cross);
    f->crossings += cross;
}

static void compare_meeting(fixture *f, int i, int j, const vs_pose from[2], const vs_pose to[2], vs_kept_pairs *kept) {
    vs_path path[2];
    for (int k = 0; k < 2; k++)
        path[k] = vs_path_between(from[k], to[k], VS_ZERO3);
    const vs_swept_collider side[2] = {{f->mesh[i], VS_IDENTITY_POSE, &path[0]},
                                       {f->mesh[j], VS_IDENTITY_POSE, &path[1]}};
    const double time = vs_ccd_meet(side, 0, false, NULL);
    assert_true(vs_ccd_meet(side, 0, false, kept) == time);
    f->meetings += time <= 1;
}

// Steps of 1e-6 to 1e-1, searches of three widths, two of them as wide as that of the step or less.
static void walk(fixture *f, int way, uint64_t *seed) {
    const int i = way % MESHES, j = way / MESHES % MESHES;
    const double envelope[] = {1e-3, .01, .05};
    vs_pose pose[2] = {random_pose(seed, .1), random_pose(seed, .9)}, next[2];
    const double size = pow(10, random_in(seed, -6, -1));
    vs_kept_pairs *kept = vs_kept_store_find(&f->store, (uint64_t)way);
    kept->envelope = envelope[way / 16 % 3];
    for (int step = 0; step < STEPS; step++) {
        for (int k = 0; k < 2; k++)
            next[k] = (vs_pose){vs_add(pose[k].position, random_vec(seed, size)),
                                vs_quat_multiply(pose[k].rotation, vs_quat_exp(random_vec(seed, size)))};
        for (int again = 0; again < 2; again++)
            compare_contacts(f, i, j, pose, kept->envelope, kept);
        compare_contacts(f, i, j, next, step % 5 ? 0 : 3 * kept->envelope, kept);
        compare_crossing(f, i, j, next, kept);
        if (step % 4 == 0)
            compare_meeting(f, i, j, pose, next, kept);
        pose[0] = next[0];
        pose[1] = next[1];
    }
    f->lists += (kept->facing.hits > 0) + (kept->crossing.hits > 0);
}

static void test_searches_along_a_way_have_the_answers_of_fresh_ones(void **state) {
    fixture *f = *state;
    uint64_t seed = 83;
    for (int way = 0; way < WAYS; way++) {
        vs_kept_store_begin(&f->store);
        walk(f, way, &seed);
    }
    printf("  %d contacts, %d crossings, %d meetings, lists in use at the end of %d of %d ways\n", f->contacts,
           f->crossings, f->meetings, f->lists, WAYS);
    assert_true(f->contacts > WAYS && f->crossings > WAYS && f->meetings > 0);
    assert_true(f->lists > WAYS / 2);
}

// What has not been asked for is forgotten, what has is still there.
static void test_pairs_that_nobody_asks_for_are_forgotten(void **state) {
    fixture *f = *state;
    const int64_t most = 4096;
    vs_kept_pairs *mine = vs_kept_store_find(&f->store, 7);
    mine->envelope = .125;
    for (uint64_t k = 0; k < 20000; k++) {
        vs_kept_store_begin(&f->store);
        assert_non_null(vs_kept_store_find(&f->store, 1000003 * (k + 1)));
        mine = vs_kept_store_find(&f->store, 7);
        assert_true(mine->envelope == .125);
    }
    assert_in_range(f->store.slots, 1, most);
    vs_kept_store_release(&f->store);
    assert_int_equal(f->store.pairs, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_searches_along_a_way_have_the_answers_of_fresh_ones),
        cmocka_unit_test(test_pairs_that_nobody_asks_for_are_forgotten),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
