// What planes tell apart stays apart: all places of two meshes that move are compared, without planes and without bounds.
#include "collide/ccd/ccd.h"
#include "collide/ccd/triangles_apart.h"
#include "mesh_distance.h"

enum { PATHS = VS_SAMPLES(30), TIMES = 12 };

typedef struct fixture {
    vs_context *context;
    vs_shape *mesh[2];
} fixture;

static int make(void **state) {
    static fixture f;
    if (vs_context_create(NULL, &f.context))
        return -1;
    f.mesh[0] = torus_mesh(f.context, .4, .12, 9, 5);
    f.mesh[1] = angle_mesh(f.context, .6);
    *state = &f;
    return 0;
}

static int unmake(void **state) {
    fixture *f = *state;
    for (int k = 0; k < 2; k++)
        vs_shape_release(f->mesh[k]);
    vs_context_destroy(f->context);
    return 0;
}

static vs_path random_path(uint64_t *seed, double far, double turn) {
    return (vs_path){.begin = random_pose(seed, far),
                     .way = random_vec(seed, .3),
                     .turn = random_vec(seed, turn),
                     .stop = random_unit(seed) < .2 ? 0 : 1};
}

// A mesh on a long arm sweeps over another one at rest in the middle of its way: at the beginning and the end it is far.
static void sweep_over(uint64_t *seed, vs_path path[2], vs_pose pose[2]) {
    const double far = random_in(seed, 1, 1.8);
    path[0] = (vs_path){.begin = VS_IDENTITY_POSE, .turn = {0, 0, 2.4}, .stop = 1};
    path[1] = (vs_path){.begin = {{far * cos(1.2), far * sin(1.2), 0}, random_quat(seed)}, .stop = 0};
    pose[0] = (vs_pose){{1, 0, 0}, random_quat(seed)};
    pose[1] = VS_IDENTITY_POSE;
}

static double longest(const vs_vec3 v[3]) {
    double most = 0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, vs_length(vs_subtract(v[k], v[(k + 1) % 3])));
    return most;
}

// The least distance of two triangles at equal times of a part of the step, over the length that counts.
static double least_distance(const vs_swept_collider side[2], const int triangle[2], const double part[2]) {
    double least = INFINITY;
    for (int k = 0; k <= TIMES; k++) {
        vs_vec3 v[2][3];
        for (int i = 0; i < 2; i++) {
            const vs_pose body = vs_path_at(side[i].path, part[0] + (part[1] - part[0]) * k / TIMES);
            corners_of(side[i].shape, vs_pose_multiply(body, side[i].pose), triangle[i], v[i]);
        }
        least = fmin(least, triangle_distance(v[0], v[1]) - 1e-2 * fmin(longest(v[0]), longest(v[1])));
    }
    return least;
}

// Places, turns of up to 2.6 rad about centres outside of the meshes, resting sides, gaps from nothing to half of the size.
static void test_what_planes_tell_apart_stays_apart(void **state) {
    const fixture *f = *state;
    uint64_t seed = 3;
    int64_t apart = 0, far = 0;
    for (int k = 0; k < PATHS; k++) {
        const bool sweeps = k % 3 == 0;
        vs_path path[2] = {random_path(&seed, .2, 1.5), random_path(&seed, .2, 1.5)};
        vs_pose pose[2] = {random_pose(&seed, .5), random_pose(&seed, .5)};
        if (sweeps)
            sweep_over(&seed, path, pose);
        const vs_swept_collider side[2] = {{f->mesh[k % 2], pose[0], &path[0]},
                                           {f->mesh[k / 2 % 2], pose[1], &path[1]}};
        const double from = sweeps ? 0 : random_in(&seed, 0, .3);
        const double gap = random_unit(&seed) < .5 ? 0 : random_in(&seed, 0, .3);
        const double part[2] = {from, sweeps ? 1 : random_unit(&seed) < .2 ? from : random_in(&seed, from, 1)};
        vs_apart planes = vs_apart_between(side, part[0], part[1]);
        for (int i = 0; i < side[0].shape->triangles.triangles; i++)
            for (int j = i % 3; j < side[1].shape->triangles.triangles; j += 3) {
                const int triangle[2] = {i, j};
                const double least = least_distance(side, triangle, part);
                const bool stay = vs_apart_stay(&planes, triangle, gap, 1e-2);
                assert_true(!stay || least > gap);
                apart += stay;
                far += least > gap;
            }
    }
    assert_true(10 * apart > 7 * far); // planes would be of no use if they told few apart: 82 % with these paths
}

// Do meshes touch within the step? What distances of all triangles at some times show is not missed.
static void test_no_touch_is_missed(void **state) {
    const fixture *f = *state;
    uint64_t seed = 4;
    int touches = 0, apart = 0;
    for (int k = 0; k < PATHS; k++) {
        const vs_path path[2] = {random_path(&seed, .7, .3), random_path(&seed, .7, .3)};
        const vs_swept_collider side[2] = {{f->mesh[0], VS_IDENTITY_POSE, &path[0]},
                                           {f->mesh[k % 2], VS_IDENTITY_POSE, &path[1]}};
        double least = INFINITY;
        for (int i = 0; i <= TIMES && least > 0; i++) {
            const double s = (double)i / TIMES;
            least = fmin(least,
                         mesh_distance(side[0].shape, vs_path_at(&path[0], s), side[1].shape, vs_path_at(&path[1], s)));
        }
        const bool found = vs_ccd_touches(side);
        assert_true(found || least > 0);
        touches += least == 0;
        apart += !found;
    }
    assert_true(touches > PATHS / 10 && apart > PATHS / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_planes_tell_apart_stays_apart),
        cmocka_unit_test(test_no_touch_is_missed),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
