// The inside of a watch (outcome.h), which a state keeps (step/state/account_parts.c).
#ifndef VS_STEP_WATCH_H
#define VS_STEP_WATCH_H

#include "base/array.h"
#include "step/account/carrier.h"
#include "step/data/simulation_data.h"

// A body at the beginning.
typedef struct vs_watched_start {
    uint32_t generation; // 0: not seen yet
    vs_pose pose;
    double radius; // m, about the centre of mass
    double time;   // s
    bool carried;  // its support is known
} vs_watched_start;

// The largest value of a quantity, and its body.
typedef struct vs_extreme {
    double value;
    int body; // 0: none
} vs_extreme;
enum { VS_WATCHED = 3 }; // displacement, rotation, speed

typedef struct vs_watch {
    vs_context *context;
    vs_stop_condition *condition; // (conditions)
    double *calm;                 // (conditions) s, since when the bodies of a REST are slow; NaN: they are not
    int conditions;
    VS_ARRAY(vs_watched_start) start; // (bodies)
    vs_carriers carriers;             //
    bool uncarried;                   // the support of a body is not known yet
    uint64_t topology;                // for which the radii hold
    double begin;                     // s
    double rest_speed;                // m/s
    double rest_ratio;                // of rest_speed to that of bodies in islands with the tolerance of granular ones
    double unrest;                    // m/s, of the fastest body, those times the ratio
    double rest_since;                // s, NaN: moves
    vs_extreme present[VS_WATCHED];   // of the last step
    vs_outcome outcome;
} vs_watch;

// Memory for all bodies.
vs_error vs_watch_reserve(vs_watch *w, const vs_world *world);
void vs_watch_measure_radii(vs_watch *w, const vs_world *world);

#endif
