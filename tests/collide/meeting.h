// What the tests of the narrow phase share: shapes, random poses, and what every manifold must satisfy.
#ifndef TESTS_COLLIDE_MEETING_H
#define TESTS_COLLIDE_MEETING_H

#include "collide/narrow/narrow.h"
#include "kit/compare.h"
#include "kit/memory.h"
#include "kit/random.h"

static inline vs_pose at(double x, double y, double z) {
    return (vs_pose){{x, y, z}, {1, 0, 0, 0}};
}

// Turned by `angle` about the axis of the given direction.
static inline vs_pose turned(double x, double y, double z, vs_vec3 axis, double angle) {
    return (vs_pose){{x, y, z}, vs_quat_exp(vs_scale(angle, vs_normalize(axis)))};
}

static inline double least_gap(const vs_manifold *m) {
    double least = INFINITY;
    for (int k = 0; k < m->count; k++)
        least = fmin(least, m->at[k].gap);
    return least;
}

// Gaps within the envelope, unit normals, features all different.
static inline void check_sound(const vs_manifold *m, double envelope) {
    assert_in_range(m->count, 0, VS_MANIFOLD_MOST);
    for (int k = 0; k < m->count; k++) {
        assert_true(m->at[k].gap <= envelope);
        assert_close(vs_length(m->at[k].normal), 1, 1e-14); // a few roundings
        for (int i = 0; i < k; i++)
            assert_true(m->at[i].feature != m->at[k].feature);
    }
}

// The same pair moved as a whole by `move`: the same gaps and features, points and normals moved along.
static inline void check_moved(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                               vs_pose move) {
    vs_manifold m, n;
    vs_narrow(a, pose_a, b, pose_b, envelope, &m);
    vs_narrow(a, vs_pose_multiply(move, pose_a), b, vs_pose_multiply(move, pose_b), envelope, &n);
    assert_int_equal(m.count, n.count);
    for (int k = 0; k < m.count; k++) {
        // sizes and distances are about 1 m: 1e-12 is some thousand roundings
        assert_close(m.at[k].gap, n.at[k].gap, 1e-12);
        assert_int_equal(m.at[k].feature, n.at[k].feature);
        assert_vec(vs_rotate(move.rotation, m.at[k].normal), n.at[k].normal, 1e-12);
        assert_vec(vs_pose_apply(move, m.at[k].point), n.at[k].point, 1e-12);
    }
}

// Swapped shapes: the same gaps and points, normals turned; shapes of one kind may round differently.
static inline void check_swapped(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b,
                                 double envelope) {
    vs_manifold m, n;
    vs_narrow(a, pose_a, b, pose_b, envelope, &m);
    vs_narrow(b, pose_b, a, pose_a, envelope, &n);
    assert_int_equal(m.count, n.count);
    for (int k = 0; k < m.count; k++) {
        assert_close(m.at[k].gap, n.at[k].gap, 1e-15);
        if (a->kind != b->kind)
            assert_int_equal(m.at[k].feature, n.at[k].feature);
        assert_vec(m.at[k].point, n.at[k].point, 1e-15);
        assert_vec(vs_scale(-1, m.at[k].normal), n.at[k].normal, 0);
    }
}

static inline bool has_feature(const vs_former *former, uint32_t feature) {
    for (int k = 0; k < former->count; k++)
        if (former->feature[k] == feature)
            return true;
    return false;
}

static inline vs_former features_of(const vs_manifold *m) {
    vs_former former = {.count = m->count};
    for (int k = 0; k < m->count; k++)
        former.feature[k] = m->at[k].feature;
    return former;
}

// How many features of `before` a manifold has no more.
static inline int count_lost(const vs_former *before, const vs_manifold *m) {
    const vs_former now = features_of(m);
    int lost = 0;
    for (int k = 0; k < before->count; k++)
        lost += !has_feature(&now, before->feature[k]);
    return lost;
}

// Shapes that lie on each other along z and tremble by 1e-6 of their size, about 1 m: how many contacts are lost from
// step to step, with the features of the last step known, and without.
typedef struct lost_contacts {
    int known, unknown;
} lost_contacts;

static inline void tremble(const vs_shape *a, const vs_shape *b, vs_pose pose_b, uint64_t *seed, lost_contacts *lost) {
    enum { STEPS = 40 };
    vs_former known = {0}, unknown = {0};
    for (int k = 0; k < STEPS; k++) {
        vs_pose pose = {vs_add(pose_b.position, random_vec(seed, 1e-6)),
                        vs_quat_multiply(vs_quat_exp(random_vec(seed, 2e-6)), pose_b.rotation)};
        vs_manifold m = {.former = &known}, n = {.former = NULL};
        vs_narrow_again(a, VS_IDENTITY_POSE, b, pose, .01, &m);
        vs_narrow_again(a, VS_IDENTITY_POSE, b, pose, .01, &n);
        check_sound(&m, .01);
        lost->known += count_lost(&known, &m);
        lost->unknown += count_lost(&unknown, &n);
        known = features_of(&m);
        unknown = features_of(&n);
    }
}

// The least gap while b moves along `way` by 0 … 1: changes by no more than the way itself, so that it has no jumps.
static inline void check_continuous(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, vs_vec3 way,
                                    double envelope) {
    enum { STEPS = 2000 };
    double before = 0;
    for (int k = 0; k <= STEPS; k++) {
        vs_pose moved = pose_b;
        moved.position = vs_add_scaled(pose_b.position, (double)k / STEPS, way);
        vs_manifold m;
        vs_narrow(a, pose_a, b, moved, envelope, &m);
        check_sound(&m, envelope);
        assert_true(m.count > 0);
        if (k > 0) // a signed distance has slope at most 1; roundoff beside
            assert_true(fabs(least_gap(&m) - before) <= vs_length(way) / STEPS * (1 + 1e-9) + 1e-12);
        before = least_gap(&m);
    }
}

#endif
