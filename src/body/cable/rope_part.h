// A rope with several rough stations as a chain of parts with one each: see rope_part.c.
#ifndef VS_BODY_CABLE_ROPE_PART_H
#define VS_BODY_CABLE_ROPE_PART_H

#include "body/cable/cable.h"

typedef struct vs_rope_part {
    vs_joint_row
        along; // minus the rate of its length; impulse: the mean of the tensions before its station and behind it
    vs_joint_row slip; // half the difference of the rates before the station and behind it
    double mu;         // of the slip row
    double share;      // of the rope's straight length; all shares add up to 1
} vs_rope_part;

// The parts, one for each rough station (cable.h), with the rope's ends at rest between two parts. Returns how many there are.
int vs_rope_parts(const vs_world *world, const vs_joint *joint, vs_rope_part part[VS_ROPE_PARTS_MOST]);

#endif
