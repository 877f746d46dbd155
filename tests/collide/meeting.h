// What the tests of the narrow phase share: shapes, random poses, and what every manifold must satisfy.
#ifndef TESTS_COLLIDE_MEETING_H
#define TESTS_COLLIDE_MEETING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "collide/contact.h"

#define NEAR(a, b, tolerance)                                                                                          \
    do {                                                                                                               \
        double near_a = (a), near_b = (b);                                                                             \
        if (!(fabs(near_a - near_b) <= (tolerance)))                                                                   \
            fail_msg("%s = %.17g, %s = %.17g, apart by %.3g", #a, near_a, #b, near_b, near_a - near_b);                \
    } while (0)

#define NEAR3(a, b, tolerance)                                                                                         \
    do {                                                                                                               \
        vs_vec3 near_p = (a), near_q = (b);                                                                            \
        NEAR(near_p.x, near_q.x, tolerance);                                                                           \
        NEAR(near_p.y, near_q.y, tolerance);                                                                           \
        NEAR(near_p.z, near_q.z, tolerance);                                                                           \
    } while (0)

// Numbers that are the same on every machine: a linear congruence of 64 bits.
static inline double draw(uint64_t *seed, double low, double high) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

static inline vs_vec3 draw_vector(uint64_t *seed, double reach) {
    double x = draw(seed, -reach, reach), y = draw(seed, -reach, reach);
    return (vs_vec3){x, y, draw(seed, -reach, reach)};
}

static inline vs_pose draw_pose(uint64_t *seed, double reach) {
    vs_quat q;
    double length;
    do {
        q.w = draw(seed, -1, 1), q.x = draw(seed, -1, 1), q.y = draw(seed, -1, 1), q.z = draw(seed, -1, 1);
        length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    } while (length < .1 || length > 1);
    return (vs_pose){draw_vector(seed, reach), vs_quat_normalize(q)};
}

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
        NEAR(vs_length(m->at[k].normal), 1, 1e-14); // a few roundings
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
        NEAR(m.at[k].gap, n.at[k].gap, 1e-12);
        assert_int_equal(m.at[k].feature, n.at[k].feature);
        NEAR3(vs_rotate(move.rotation, m.at[k].normal), n.at[k].normal, 1e-12);
        NEAR3(vs_pose_apply(move, m.at[k].point), n.at[k].point, 1e-12);
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
        NEAR(m.at[k].gap, n.at[k].gap, 1e-15);
        if (a->kind != b->kind)
            assert_int_equal(m.at[k].feature, n.at[k].feature);
        NEAR3(m.at[k].point, n.at[k].point, 1e-15);
        NEAR3(vs_scale(-1, m.at[k].normal), n.at[k].normal, 0);
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
