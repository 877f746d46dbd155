// Who carries a body: the moving support that it rests on, directly or through other bodies. What an engineer means by the
// displacement of a stone on a shaken table is that on the table.
#ifndef VS_STEP_CARRIER_H
#define VS_STEP_CARRIER_H

#include "base/array.h"
#include "step/data/simulation_data.h"

enum { VS_CARRIER_UNKNOWN = -1 };

typedef struct vs_carriers {
    VS_ARRAY(int) of;       // (bodies) the kinematic body that carries it; 0: the ground; VS_CARRIER_UNKNOWN
    VS_ARRAY(double) lift;  // (bodies) work: N s, with which contacts lift it, sum of those that do
    VS_ARRAY(double) most;  // (bodies) work: the largest one from a body whose support is known
    VS_ARRAY(int) proposed; // (bodies) work: that support
} vs_carriers;

void vs_carriers_release(vs_carriers *c, vs_context *context);
vs_error vs_carriers_reserve(vs_carriers *c, const vs_world *world); // for all bodies; new ones are on the ground
// Looks for the supports that are not known yet, by the contacts of the last step and the joints. From the supports upwards,
// a body belongs to the one from which it is lifted most, then to what joints or any contacts connect it with.
void vs_carriers_find(vs_carriers *c, const vs_simulation *s);

#endif
