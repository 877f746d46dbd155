// What a contact of two convex shapes must satisfy, told by the shapes' support points alone.
//
// With f(n) = min over B of n.x - max over A of n.x, the signed gap is the largest f over all unit n: a contact along n
// claims f(n), which can never be too large, and no other direction may give more. The other directions are sampled
// densely and the best of them improved by a random search, which needs neither derivatives nor convexity.
#ifndef TESTS_COLLIDE_ORACLE_H
#define TESTS_COLLIDE_ORACLE_H

#include "meeting.h"

typedef struct pair {
    const vs_shape *a, *b;
    vs_pose pose_a, pose_b;
} pair;

static inline double gap_along(const pair *p, vs_vec3 n) {
    vs_vec3 high = vs_shape_support(p->a, vs_rotate_back(p->pose_a.rotation, n));
    vs_vec3 low = vs_shape_support(p->b, vs_rotate_back(p->pose_b.rotation, vs_scale(-1, n)));
    vs_vec3 way = vs_subtract(vs_pose_apply(p->pose_b, low), vs_pose_apply(p->pose_a, high));
    return vs_dot(n, way);
}

// The largest f found by a random walk that narrows down.
static inline double improve(const pair *p, vs_vec3 n, double best, uint64_t *seed) {
    for (double reach = .05; reach > 1e-8; reach *= .6)
        for (int k = 0; k < 12; k++) {
            vs_vec3 next = vs_normalize(vs_add(n, random_vec(seed, reach)));
            double gap = gap_along(p, next);
            if (gap > best) {
                best = gap;
                n = next;
            }
        }
    return best;
}

static inline double sampled_gap(const pair *p, uint64_t *seed) {
    enum { DIRECTIONS = 1500, BEST = 6 };
    vs_vec3 top[BEST];
    double gap[BEST];
    for (int k = 0; k < BEST; k++)
        gap[k] = -INFINITY;
    for (int k = 0; k < DIRECTIONS; k++) {
        double z = 1 - (2 * k + 1.) / DIRECTIONS, r = sqrt(1 - z * z), turn = 2.399963229728653 * k; // golden angle
        vs_vec3 n = {r * cos(turn), r * sin(turn), z};
        double g = gap_along(p, n);
        int place = BEST;
        while (place > 0 && g > gap[place - 1])
            place--;
        if (place == BEST)
            continue;
        for (int i = BEST - 1; i > place; i--) {
            gap[i] = gap[i - 1];
            top[i] = top[i - 1];
        }
        gap[place] = g;
        top[place] = n;
    }
    double best = -INFINITY;
    for (int k = 0; k < BEST; k++)
        best = fmax(best, improve(p, top[k], gap[k], seed));
    return best;
}

// All that holds for every manifold of two overlapping or close shapes of about unit size. slack: m.
static inline void check_gap(const pair *p, const vs_manifold *m, double envelope, double slack, uint64_t *seed) {
    check_sound(m, envelope);
    double sampled = sampled_gap(p, seed);
    if (m->count == 0) {
        assert_true(sampled > envelope - 1e-3); // the search finds nearly all of the gap
        return;
    }
    double along = gap_along(p, m->at[0].normal);
    if (!(along >= sampled - slack))
        fail_msg("gap along the normal %.12g, but %.12g was found", along, sampled);
    assert_close(least_gap(m), along, slack);
}

#endif
