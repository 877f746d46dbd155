// An island without its joints, with a linear system of its own: what the stage that eliminates joints works on.
#ifndef VS_SOLVER_COULOMB_JOINTLESS_H
#define VS_SOLVER_COULOMB_JOINTLESS_H

#include "solver/coulomb/linear_system/linear_system.h"
#include "solver/impulse/joint_elimination.h"

typedef struct vs_jointless {
    vs_joint_elimination elimination;
    vs_linear_system system; // of the reduced problem
    double *lambda, *y;      // (reduced rows) its best iterate
    double *l, *v;           // (rows of the island) impulses and velocities with those of the joints
} vs_jointless;

vs_error vs_jointless_create(const vs_linear_system_shared *shared, const vs_impulse_problem *island, vs_arena *arena,
                             vs_jointless **out);
void vs_jointless_release(vs_jointless *jointless); // null is allowed

#endif
