// How a simulation ends: conditions that stop it, and whether its bodies stand, move, or have left their places.
#ifndef VOUSSOIR_OUTCOME_H
#define VOUSSOIR_OUTCOME_H

#include "voussoir/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum vs_stop_when {
    VS_STOP_DISPLACEMENT, // the centre of mass of a body is farther than `limit` (m) from its place
    VS_STOP_ROTATION,     // a body is turned by more than `limit` (rad, up to pi) in its place
    VS_STOP_SPEED,        // a point of a body is faster than `limit` (m/s)
    VS_STOP_REST,         // for the time `hold` no point of a body was faster than `limit`
    VS_STOP_CONTACT,      // a body presses on another one
    VS_STOP_FALL          // a body has left its place: VS_OUTCOME_DISPLACED
} vs_stop_when;

// A condition that ends vs_simulation_run() after the step that meets it; start from vs_stop_condition_default().
typedef struct vs_stop_condition {
    vs_stop_when when;
    vs_body_id body;  // zero: any dynamic body; of REST: all. Default zero
    bool pair;        // CONTACT: only with
    vs_body_id other; //   this one; zero: the world
    double limit;     // as above; REST: 0 stands for the speed of vs_outcome.at_rest. Default 0
    double hold;      // s, of REST; default 0.1
} vs_stop_condition;

typedef enum vs_outcome_state {
    VS_OUTCOME_STANDS,   // at rest, and no body has left its place
    VS_OUTCOME_MOVING,   // no body has left its place, but some move
    VS_OUTCOME_DISPLACED // a body went farther from its place than its diameter about the centre of mass, or turned by
                         // more than 45 degrees
} vs_outcome_state;

// Dynamic bodies since the simulation was created; bodies that were added later since their first step. Speeds include
// the nodes of flexible solids.
//
// The place of a body is where it began or, if a kinematic body carries it, where that has taken it: displacements,
// rotations and speeds, here and in stop conditions, are relative to the support. A body is carried by the support that it
// rests on at its beginning, directly or through other bodies: the one from which it is lifted most; joints carry, too.
typedef struct vs_outcome {
    int condition;          // index of the condition that the last step met, -1: none
    vs_body_id met_by;      // the body that met it; zero: all, or none
    double met_value;       // of the quantity that it limits: m, rad, m/s
    vs_outcome_state state; // after the last step
    bool at_rest;           // since the first step or for 0.1 s no point was faster than 1e-3 g h, for tolerances above
                            // 3e-6 than 300 times the tolerance times g h (at most 0.1 g h): gravity is balanced
    double speed;           // m/s, of the fastest point now
    double displacement;    // m, largest so far, of
    vs_body_id farthest;    //   this body; zero: none moved
    double residual;        // m, displacement after the last step, the largest one, of
    vs_body_id residual_of; //   this body; zero: none
    double rotation;        // rad, largest so far, of
    vs_body_id most_turned; //   this body; zero: none turned
    vs_body_id displaced;   // the first body that left its place; zero: none
    vs_body_id farthest_on; // the kinematic body that carries `farthest`; zero: the ground
    vs_body_id residual_on; // and `residual_of`
} vs_outcome;

// How far a structure that stands is from moving, by its interfaces. An interface is all contacts of two rigid bodies with one
// normal. Its force is the resultant of theirs, N along the normal and T across it, at the centre of pressure. The margins
// are those of the interface with the least; 0 at one interface is no collapse yet, since others may carry more, and where
// equilibrium does not determine the forces they are those that were found. NaN: there is no such interface.
typedef struct vs_margin {
    double sliding;                // 1 - T/(mu N): 1 without friction forces, 0 slides
    vs_body_id sliding_between[2]; //
    double tipping; // distance of the centre of pressure to the edge of the support, over that of its middle: 1 … 0
    vs_body_id tipping_between[2]; //
} vs_margin;

VS_API vs_stop_condition vs_stop_condition_default(void);
// "displacement", "rotation", "speed", "rest", "contact", "falls"; "stands", "moving", "displaced"; "?" for other values.
VS_API const char *vs_stop_when_name(vs_stop_when when);
VS_API const char *vs_outcome_state_name(vs_outcome_state state);

#ifdef __cplusplus
}
#endif

#endif
