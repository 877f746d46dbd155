// Degrees of freedom that joints leave, by the rank of their constraints in the present position.
#ifndef VS_APP_EXPLAIN_FREEDOM_H
#define VS_APP_EXPLAIN_FREEDOM_H

#include <stdbool.h>

#include "check/bodies.h"
#include "check/findings.h"

enum { APP_REDUNDANT = 16 };

typedef struct app_redundant {
    vs_joint_id joint;
    int rows, of; // constraints that the joints before already state, of all of this joint
} app_redundant;

typedef struct app_freedom {
    bool counted;   // false: too many joints
    int joints;     // in the world; cables, springs and unprescribed limits constrain nothing here
    int velocities; // 6 per dynamic body
    int rows, rank; // constraints of the joints, and those that are independent
    int prescribed; // independent motions that motors prescribe exactly
    int redundant;  // joints with redundant rows; the first ones are listed
    app_redundant list[APP_REDUNDANT];
} app_freedom;

// Names motors that the joints hold fast as findings. false: no memory.
bool app_freedom_count(const app_bodies *b, app_freedom *freedom, app_findings *f);

#endif
