// Closed meshes are searched only where they face each other and lie in front of each other: the contacts are those of all pairs
// of triangles, bit for bit.
#include "collide/mesh/mesh.h"
#include "four_meshes.h"

enum { SAMPLES = VS_SAMPLES(2000), TOUCHES = VS_SAMPLES(300) };

typedef struct fixture {
    vs_context *context;
    vs_shape *mesh[MESHES];
    vs_shape all[MESHES]; // the same, for which all pairs of triangles are visited
    vs_mesh_points points, expected;
} fixture;

static int make(void **state) {
    static fixture f;
    if (vs_context_create(NULL, &f.context))
        return -1;
    f.points = f.expected = (vs_mesh_points){.context = f.context};
    make_four_meshes(f.context, f.mesh);
    for (int k = 0; k < MESHES; k++) {
        f.all[k] = *f.mesh[k];
        assert_true(f.mesh[k]->triangles.exposure != NULL);
        f.all[k].triangles.exposure = NULL;
    }
    *state = &f;
    return 0;
}

static int unmake(void **state) {
    fixture *f = *state;
    for (int k = 0; k < MESHES; k++)
        vs_shape_release(f->mesh[k]);
    vs_release(f->context, f->points.at);
    vs_release(f->context, f->expected.at);
    vs_context_destroy(f->context);
    return 0;
}

// Returns the number of contacts.
static int compare(fixture *f, int i, int j, const vs_pose pose[2], double envelope) {
    assert_int_equal(vs_narrow_meshes(f->mesh[i], pose[0], f->mesh[j], pose[1], envelope, &f->points), VS_OK);
    assert_int_equal(vs_narrow_meshes(&f->all[i], pose[0], &f->all[j], pose[1], envelope, &f->expected), VS_OK);
    assert_int_equal(f->points.count, f->expected.count);
    for (int k = 0; k < f->points.count; k++) {
        const vs_mesh_point *p = &f->points.at[k], *q = &f->expected.at[k];
        assert_true(p->feature == q->feature);
        assert_true(p->gap == q->gap);
        assert_memory_equal(&p->point, &q->point, sizeof p->point);
        assert_memory_equal(&p->normal, &q->normal, sizeof p->normal);
    }
    return f->points.count;
}

static void test_random_pairs_have_the_contacts_of_all_pairs_of_triangles(void **state) {
    fixture *f = *state;
    static const double envelope[] = {1e-3, .03, .3};
    uint64_t seed = 81;
    int pairs = 0, contacts = 0;
    for (int k = 0; k < SAMPLES; k++) {
        const vs_pose pose[2] = {random_pose(&seed, .2), random_pose(&seed, .9)};
        const int count = compare(f, k % MESHES, k / MESHES % MESHES, pose, envelope[k / (MESHES * MESHES) % 3]);
        pairs += count > 0;
        contacts += count;
    }
    assert_in_range(pairs, SAMPLES / 6, SAMPLES);
    assert_true(contacts > pairs);
}

// Faces that lie on each other, corners in valleys, a mesh in its own place: directions at the bounds of what counts.
static void test_meshes_in_touch_have_the_contacts_of_all_pairs_of_triangles(void **state) {
    fixture *f = *state;
    uint64_t seed = 82;
    int contacts = 0;
    for (int k = 0; k < TOUCHES; k++) {
        const double gap = k % 3 == 0 ? 0 : random_in(&seed, -2e-3, 2e-3);
        const vs_vec3 tilt = k % 2 ? random_vec(&seed, 1e-4) : VS_ZERO3;
        const vs_pose on_top[2] = {VS_IDENTITY_POSE, {{.1, .07, .6 + gap}, vs_quat_exp(tilt)}};
        const vs_pose valley[2] = {VS_IDENTITY_POSE, {{.5 + gap, .4 + gap, 0}, vs_quat_exp(tilt)}};
        const vs_pose same[2] = {VS_IDENTITY_POSE, {{0, gap, 0}, vs_quat_exp(tilt)}};
        contacts += compare(f, 0, 0, on_top, .01) + compare(f, 1, 0, valley, .01) + compare(f, 2, 2, same, .01) +
                    compare(f, 3, 3, same, .01);
    }
    assert_true(contacts > 10 * TOUCHES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_pairs_have_the_contacts_of_all_pairs_of_triangles),
        cmocka_unit_test(test_meshes_in_touch_have_the_contacts_of_all_pairs_of_triangles),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
