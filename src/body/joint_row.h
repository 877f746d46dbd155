// One row of a joint, as the contact problem takes it.
#ifndef VS_BODY_JOINT_ROW_H
#define VS_BODY_JOINT_ROW_H

#include <stddef.h>
#include <string.h>

#include "body/world_data.h"

enum {
    VS_JOINT_BILATERAL_MOST = 8,
    VS_JOINT_EXTRA_MOST = 4,
    VS_ROW_BODIES_MOST = 16 // that a row couples
};

typedef enum vs_row_kind {
    VS_ROW_BILATERAL,  // C v + E g = b
    VS_ROW_UNILATERAL, // a limit: D v - b >= 0, impulse >= 0
    VS_ROW_SLIP, // sliding of the unilateral row before it: |impulse| <= mu times that row's, exact Coulomb friction
    VS_ROW_BOX   // lo <= impulse <= hi: friction, motors with a limit
} vs_row_kind;

// One row of a joint: velocities of its bodies as in the problem (3 linear in world axes, 3 angular in body axes): a and b,
// of a gear those of joint_a and joint_b, of sums and cables each body once. Bodies without mass have their J as well, and b
// does not contain their velocity: code that drops their columns moves J times velocity to the right-hand side. A body may
// appear twice in a gear: its J add up.
typedef struct vs_joint_row {
    vs_row_kind kind;
    bool drives;         // a motor: its power counts as work, also when it brakes
    bool spring;         // stores energy, except for the damping: a spring, an armature
    double b;            // right-hand side: m/s or rad/s. Bilateral: -Psi/h - dPsi/dt
    double compliance;   // 1/kg …, E of the problem: 1/(k h^2) …; implicit springs and dampers are bilateral rows
    double lo, hi;       // box
    double mu;           // of a unilateral row with a slip row behind it; else 0
    double damping;      // N s/m (N m s), of a spring
    double sense;        // 1, -1: derivative of the coordinate, times this; 0: derivative of Psi
    double direction[6]; // force (3) and torque (3) on B in frame A that a unit impulse of this row means (gear:
                         // joint_b's; sum, cable: the tension as the first component)
    int parts;           // of a rope: rough stations that it touches; several make as many parts (cable/rope_part.h)
    int bodies;          // that it couples
    int body[VS_ROW_BODIES_MOST];    // (bodies)
    double J[VS_ROW_BODIES_MOST][6]; // (bodies)
} vs_joint_row;

// A row of no bodies, all else zero: J has most of the memory, of which few bodies are in use.
static inline void vs_joint_row_clear(vs_joint_row *row) {
    memset(row, 0, offsetof(vs_joint_row, body));
}

static inline void vs_joint_row_copy(const vs_joint_row *from, vs_joint_row *to) {
    memcpy(to, from, offsetof(vs_joint_row, body));
    memcpy(to->body, from->body, sizeof from->body[0] * (size_t)from->bodies);
    memcpy(to->J, from->J, sizeof from->J[0] * (size_t)from->bodies);
}

#endif
