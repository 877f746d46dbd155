// The relative motion of a mechanism at its interfaces.
#ifndef VS_APP_STATICS_MOTION_H
#define VS_APP_STATICS_MOTION_H

#include "statics/assembly.h"

typedef struct app_joint_motion {
    vs_interface at;
    double opening[2]; // m/s, least and largest at the corners
    double slip;       // m/s, largest
} app_joint_motion;

// The interfaces that move most, largest first, at most `most` of them. Returns their number.
int app_joint_motions(const app_assembly *a, const vs_mechanism *mechanism, app_joint_motion *motion, int most);

#endif
