// Families of random problems.
#ifndef VS_TESTS_SOLVER_FAMILIES_H
#define VS_TESTS_SOLVER_FAMILIES_H

#include "generate.h"

enum {
    WITHOUT_FRICTION,
    WITH_FRICTION,
    WITH_JOINTS,
    COMPLIANT,
    CONTACTS_TWICE,
    JOINTS_TWICE,
    MIXED,
    EVERYTHING,
    FAMILIES
};

// A random scene of family id % FAMILIES; boxes are in the last two.
static inline scene make_of_family(int id, uint64_t seed) {
    int family = id % FAMILIES;
    recipe r = {.seed = seed, .dofs = id / FAMILIES % 2 ? 3 : 6, .mu = .8};
    r.bodies = 2 + random_pick(&seed, 6);
    r.friction = 1 + random_pick(&seed, 3 * r.bodies);
    if (family == WITHOUT_FRICTION)
        r.smooth = r.friction, r.friction = 0;
    if (family == MIXED || family == EVERYTHING)
        r.smooth = 1 + random_pick(&seed, r.bodies), r.bounds = 1 + random_pick(&seed, 3);
    if (family == WITH_JOINTS || family == JOINTS_TWICE || family == EVERYTHING)
        r.joints = 1 + random_pick(&seed, r.bodies);
    r.compliant = family == COMPLIANT || family == EVERYTHING;
    scene s = make_random(&r);
    if (family == CONTACTS_TWICE || family == EVERYTHING)
        duplicate_links(&s, FRICTION);
    if (family == JOINTS_TWICE || family == EVERYTHING)
        duplicate_links(&s, JOINT);
    return s;
}

#endif
