// Cables as joints: what they own, and which of them act on a body.
#ifndef VS_BODY_CABLE_CABLE_H
#define VS_BODY_CABLE_CABLE_H

#include "body/joint_row.h"

enum { VS_ROPE_PARTS_MOST = 16 }; // rough points of a rope

// The length of a path and its row, at the poses of its bodies: it is needed several times per step, and for each body.
typedef struct vs_cable_memory {
    bool known;
    vs_pose pose[VS_ROW_BODIES_MOST];
    double length;
    vs_joint_row row, slip;
    double mu; // of the slip row
    int rough; // stations with friction that the path touches; with several, the slip row is of no use: rope_part.h
} vs_cable_memory;

// Copies of what a definition points to, and the last path.
struct vs_cable {
    vs_cable_point *point; // (points)
    vs_joint_term *term;   // (terms)
    bool rough;            // has one of its points friction?
    int bodies;            // that it acts on, without the world
    int body[VS_ROW_BODIES_MOST];
    int next; // 1 + the next cable of the world; 0: none
    vs_cable_memory memory;
};

// Checks the points and terms of a definition. a, b: its first and last body.
vs_error vs_cable_check(const vs_world *world, const vs_joint_def *def, int *a, int *b);
// Null after a failed allocation.
struct vs_cable *vs_cable_copy(const vs_world *world, const vs_joint_def *def);
void vs_cable_release(vs_context *context, struct vs_cable *cable);
// Adds an alive joint to the list of the world's cables, and removes it.
void vs_cable_link(vs_world *world, int joint);
void vs_cable_unlink(vs_world *world, int joint);
// Length (m) of the path at present, and the row of its derivative, or null. A definition without the cable: nothing is kept.
double vs_cable_length(const vs_world *world, const vs_joint_def *def, struct vs_cable *cable, vs_joint_row *row);
// The friction of a rope where it passes a rough station, as that of a contact: with the tensions T1 before the station and T2
// behind it,
//
//     T1 <= T2 exp(mu angle),  T2 <= T1 exp(mu angle)   <=>   |T2 - T1| <= coefficient (T1 + T2)/2
//
// Returns the coefficient 2 tanh(mu angle/2), 0 where the path touches no rough station or several (rope_part.h), and sets the row of the velocity
// (length1' - length2')/2 that belongs to T2 - T1: of a taut rope, that of the station along the rope. Without the terms.
double vs_cable_friction(const vs_world *world, const vs_joint *joint, vs_joint_row *slip);
// How many rough stations does the rope touch at present? 0: it is no rope with friction.
int vs_rope_stations(const vs_world *world, const vs_joint *joint);
// Has one of the world's ropes several rough points?
bool vs_world_has_rope_parts(const vs_world *world);
// The first cable that acts on the body, or the next one after another (after >= 0); -1: none.
int vs_cable_on_body(const vs_world *world, int body, int after);

#endif
