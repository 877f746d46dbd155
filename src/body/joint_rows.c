// Constraints of joints and their derivatives. What joints do within a step is in step/rows/joint_law.c.
//
// Psi of frame A (d, q as in joint_coordinate.c; m, and rad times 1 m), zero exactly where the joint is
// satisfied:
//
//     fixed        d = 0, q_xyz = 0           cylindrical  d_xy = 0, q_xy = 0
//     spherical    d = 0                      universal    d = 0, z_A . x_B = 0
//     revolute     d = 0, q_xy = 0            planar       d_z = 0, q_xy = 0
//     prismatic    d_xy = 0, q_xyz = 0        distance     |d| - length = 0
//     gear         x_b - ratio x_a = 0        cam          x_b - curve(x_a) = 0, the coordinates of two other joints
//     constant velocity    d = 0, q_z = 0: with the shafts turned by alpha and beta, q = R_z(-alpha) S R_z(beta), S about an axis
//                  across z, is such a rotation, too, exactly for beta = alpha
//
// Parts of q count twice (2 q is the rotation vector for small angles): 2 q' = (q_w w + w x q_xyz). q_xy vanishes only
// for parallel z of the same sense, and its derivative has full rank for every angle, unlike that of z_A x z_B.
#include <math.h>

#include "base/vec.h"
#include "body/joint_command.h"
#include "body/joint_coordinate.h"
#include "body/joint_rows.h"

// ---- constraints -----------------------------------------------------------------------------------

// Components of d and q that a kind constrains: bits 1, 2, 4 for x, y, z.
typedef struct constrained {
    unsigned d, q;
} constrained;

static constrained list_constrained(vs_joint_kind kind) {
    switch (kind) {
    case VS_JOINT_FIXED:
        return (constrained){7, 7};
    case VS_JOINT_SPHERICAL:
    case VS_JOINT_UNIVERSAL:
        return (constrained){7, 0};
    case VS_JOINT_REVOLUTE:
        return (constrained){7, 3};
    case VS_JOINT_PRISMATIC:
        return (constrained){3, 7};
    case VS_JOINT_CYLINDRICAL:
        return (constrained){3, 3};
    case VS_JOINT_PLANAR:
        return (constrained){4, 3};
    case VS_JOINT_CONSTANT_VELOCITY:
        return (constrained){7, 4};
    default:
        return (constrained){0, 0};
    }
}

static vs_vec3 unit(int k) {
    return (vs_vec3){k == 0, k == 1, k == 2};
}

// Psi of d and q with their rows, if wanted: q_xyz' twice is w . (q_w e + q_xyz x e) for its component along e.
static int constrain_frames(const vs_world *world, const vs_joint *joint, const vs_joint_frame *f, double *psi,
                            vs_joint_row *row) {
    constrained list = list_constrained(joint->def.kind);
    vs_vec3 q = {f->q.x, f->q.y, f->q.z};
    int count = 0;
    for (int k = 0; k < 3; k++) {
        if (!(list.d & 1u << k))
            continue;
        psi[count] = vs_component(f->d, k);
        if (row)
            vs_joint_row_set(world, joint, f, unit(k), VS_ZERO3, &row[count]);
        count++;
    }
    for (int k = 0; k < 3; k++) {
        if (!(list.q & 1u << k))
            continue;
        psi[count] = 2 * vs_component(q, k);
        if (row)
            vs_joint_row_set(world, joint, f, VS_ZERO3, vs_add_scaled(vs_cross(q, unit(k)), f->q.w, unit(k)),
                             &row[count]);
        count++;
    }
    return count;
}

// z of A and x of B stay perpendicular: (z_A . x_B)' = w . (x_B x z_A).
static void constrain_universal(const vs_world *world, const vs_joint *joint, const vs_joint_frame *f, double *psi,
                                vs_joint_row *row) {
    vs_vec3 x = vs_rotate(f->q, unit(0));
    *psi = x.z;
    if (row)
        vs_joint_row_set(world, joint, f, VS_ZERO3, vs_cross(x, unit(2)), row);
}

int vs_joint_bodies(const vs_world *world, const vs_joint *joint, int *body) {
    const vs_joint *of[2] = {joint, joint};
    const bool gear = vs_joint_kind_couples(joint->def.kind);
    if (gear) {
        of[0] = &world->joint[vs_world_joint_index(world, joint->def.joint_a)];
        of[1] = &world->joint[vs_world_joint_index(world, joint->def.joint_b)];
    }
    for (int k = 0; k < 1 + gear; k++)
        body[2 * k] = of[k]->a, body[2 * k + 1] = of[k]->b;
    return 2 + 2 * gear;
}

// Joint_b's coordinate follows joint_a's. The reaction is on joint_b's B.
static int constrain_gear(const vs_world *world, const vs_joint *gear, double *psi, vs_joint_row *row) {
    int first = vs_world_joint_index(world, gear->def.joint_a), second = vs_world_joint_index(world, gear->def.joint_b);
    if (first < 0 || second < 0)
        return 0;
    const vs_joint *a = &world->joint[first], *b = &world->joint[second];
    vs_joint_frame frame_a = vs_joint_frame_get(world, a), frame_b = vs_joint_frame_get(world, b);
    vs_joint_row row_a, row_b;
    double x_a, x_b;
    if (!vs_joint_coordinate_row(world, a, &frame_a, &x_a, &row_a) ||
        !vs_joint_coordinate_row(world, b, &frame_b, &x_b, &row_b))
        return 0;
    const bool cam = gear->def.kind == VS_JOINT_CAM;
    const double ratio = cam ? vs_signal_rate(&gear->curve, x_a) : gear->def.ratio;
    *psi = x_b - (cam ? vs_signal_at(&gear->curve, x_a) : ratio * x_a);
    if (!row)
        return 1;
    vs_joint_row_clear(row);
    row->bodies = 4;
    (void)vs_joint_bodies(world, gear, row->body);
    for (int k = 0; k < 6; k++) {
        row->J[0][k] = -ratio * row_a.J[0][k];
        row->J[1][k] = -ratio * row_a.J[1][k];
        row->J[2][k] = row_b.J[0][k];
        row->J[3][k] = row_b.J[1][k];
        row->direction[k] = row_b.direction[k];
    }
    return 1;
}

static int constrain(const vs_world *world, const vs_joint *joint, const vs_joint_frame *f, double *psi,
                     vs_joint_row *row) {
    const vs_joint_def *def = &joint->def;
    if (vs_joint_kind_couples(def->kind))
        return constrain_gear(world, joint, psi, row);
    if (def->kind == VS_JOINT_DISTANCE) {
        if (def->limited || def->motor != VS_MOTOR_NONE)
            return 0;
        vs_joint_coordinate_row(world, joint, f, psi, row);
        *psi -= def->length;
        return 1;
    }
    int count = constrain_frames(world, joint, f, psi, row);
    if (def->kind == VS_JOINT_UNIVERSAL) {
        constrain_universal(world, joint, f, &psi[count], row ? &row[count] : NULL);
        count++;
    }
    return count;
}

int vs_joint_violation(const vs_world *world, const vs_joint *joint, double *psi, vs_joint_row *row) {
    vs_joint_frame frame = vs_joint_frame_get(world, joint);
    return constrain(world, joint, &frame, psi, row);
}
