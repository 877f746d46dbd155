// The rows of a joint for one step: what assembly hands to the contact problem.
#ifndef VS_BODY_JOINT_ROWS_H
#define VS_BODY_JOINT_ROWS_H

#include "body/world_data.h"

enum { VS_JOINT_BILATERAL_MOST = 7, VS_JOINT_EXTRA_MOST = 4 };

typedef enum vs_row_kind {
    VS_ROW_BILATERAL,  // C v + E g = b
    VS_ROW_UNILATERAL, // a limit: D v - b >= 0, impulse >= 0
    VS_ROW_BOX         // lo <= impulse <= hi: friction, motors with a limit
} vs_row_kind;

// One row of a joint: velocities of a and b as in the problem (3 linear in world axes, 3 angular in body axes).
// Bodies without mass have their J, too, and b knows nothing of their velocity: whoever drops their columns moves
// J times velocity to the right-hand side. A body may appear twice in a gear: its J add up.
typedef struct vs_joint_row {
    vs_row_kind kind;
    bool gear;   // couples four bodies: J_a, J_b of joint_a's bodies, J_c, J_d of joint_b's
    bool drives; // a motor: what it does is work, also if it brakes
    bool spring; // its force is the gradient of potential energy, but for the damping
    double J_a[6], J_b[6];
    double b;          // right-hand side: m/s or rad/s. Bilateral: -Psi/h - dPsi/dt
    double compliance; // 1/kg …, of theory's E: 1/(k h^2) …; springs and dampers treated implicitly are bilateral rows
    double lo, hi;     // box
    double damping;    // N s/m (N m s), of a spring
    double J_c[6], J_d[6];
    int body[4];         // whose J_a, J_b, J_c, J_d these are; the last two -1 unless a gear
    double direction[6]; // force (3) and torque (3) on B in frame A that a unit impulse of this row means (gear:
                         // joint_b's)
} vs_joint_row;

// Rows for a step of h from the present state. Returns how many (<= VS_JOINT_BILATERAL_MOST + VS_JOINT_EXTRA_MOST);
// bilateral ones first.
int vs_joint_rows(const vs_world *world, const vs_joint *joint, double h, vs_joint_row *row);
// Psi of the constrained directions (m, rad times a length of 1 m), for drift and projection; returns how many.
// row (VS_JOINT_BILATERAL_MOST, or null) has the derivative of Psi; its b is 0.
int vs_joint_violation(const vs_world *world, const vs_joint *joint, double *psi, vs_joint_row *row);
// Projects all positions on the joints in the mass metric, Newton steps until the largest violation is below
// `tolerance` or `steps` are done; returns it. Motors without a limit keep their coordinate if the joints can hold with
// it (else it is given up, with as many steps again). Joints with compliance are left out, here and in the drift: their
// Psi is their deflection. Remembers the angles.
vs_error vs_joints_project(vs_world *world, double tolerance, int steps, double *largest);
// The largest violation now.
double vs_joints_drift(const vs_world *world);
// Remembers the present angles, from which the next ones are counted: call it after every step (less than half a turn).
void vs_joints_remember(vs_world *world);
// Coordinate and rate of a joint; 0 for kinds that have none (fixed, spherical, universal, planar, gear).
void vs_joint_coordinate(const vs_world *world, const vs_joint *joint, double *coordinate, double *rate);
// Energy of the springs; J.
double vs_joints_spring_energy(const vs_world *world);

#endif
