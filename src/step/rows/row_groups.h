// Rows of the step's problem in groups, before they become a problem: a contact, the bilateral rows of a joint, a limit
// or a box constraint. Contacts come first, then limits and boxes, bonds, joints.
#ifndef VS_STEP_ROW_GROUPS_H
#define VS_STEP_ROW_GROUPS_H

#include "body/joint_row.h"
#include "step/rows/blocks.h"
#include "voussoir/simulation.h"

enum { VS_GROUP_BLOCKS = VS_ROW_BODIES_MOST };

typedef enum vs_group_kind {
    VS_GROUP_FRICTION,     // contact with friction, 3 rows; 4 … 6 with rolling and spinning friction
    VS_GROUP_FRICTIONLESS, // contact without, 1 row
    VS_GROUP_LIMIT,        // 1 row
    VS_GROUP_BOX,          // 1 row
    VS_GROUP_BOND,         // friction of a bond, 3 rows: bond_rows.h
    VS_GROUP_ROPE,         // a rope with friction, 3 rows: a limit, its slip, and a row of zeros
    VS_GROUP_JOINT         // bilateral, any number of rows
} vs_group_kind;

typedef struct vs_row_group {
    vs_group_kind kind;
    int rows, blocks;
    int block[VS_GROUP_BLOCKS];
    int row;        // first row: of the problem's joints, or of its contacts
    int64_t values; // place in the pool
    double mu;
    double rolling, spinning; // m
    bool elliptic;            // one limit for sliding, rolling and spinning
    uint64_t key;
    int source; // contact, or joint slot; -1: neither
    int first;  // first row of the joint that it holds
} vs_row_group;

// Values of the rows of a group.
typedef struct vs_row_values {
    double *J;               // one block after the other, rows x 6 each
    double *b, *E, *lo, *hi; // (rows)
    double *prescribed;      // (rows) m/s, part of the row's velocity by prescribed motion; in b already
    double *prescribed_mean; // (rows) m/s, the same for sums of energy: mean of the last step and this one
    double *recovery;        // (rows) m/s, part of b that only removes a penetration or a violation of a limit
    double *damping;         // (rows) N s/m, of rows with a spring and damper; < 0: others
    double *drives;          // (rows) 1: of a motor, 0: others
    double *sense;           // (rows) of joints: vs_joint_row
    double *curvature;       // (rows) m/s, part of b: shake.h
    double *direction;       // (6 rows) force and torque of a unit impulse, of joint rows
} vs_row_values;

typedef struct vs_row_groups {
    VS_ARRAY(vs_row_group) group;
    VS_ARRAY(vs_row_group) last; // that come behind all others: vs_row_groups_append_last
    VS_ARRAY(double) pool;       // values of all groups
    int m, m_e;                  // rows of contacts, limits and boxes; rows of joints
} vs_row_groups;

void vs_row_groups_clear(vs_row_groups *groups);
void vs_row_groups_release(vs_context *context, vs_row_groups *groups);
// A new group, its values zero. `added` is valid until the next one is added.
vs_error vs_row_groups_add(vs_row_groups *groups, vs_context *context, vs_row_group group, vs_row_group **added);
// The same of a group that comes behind those that are added until the last ones are appended.
vs_error vs_row_groups_add_last(vs_row_groups *groups, vs_context *context, vs_row_group group, vs_row_group **added);
vs_error vs_row_groups_append_last(vs_row_groups *groups, vs_context *context);
// In the pool, for each group:
//
//     J             blocks one after the other, rows x 6 each
//     b, E, lo, hi, prescribed, prescribed_mean, recovery, damping, drives, sense, curvature      rows each
//     direction     6 rows
enum { VS_GROUP_VALUES = 11 + 6 }; // besides J

static inline vs_row_values vs_row_groups_values(const vs_row_groups *groups, const vs_row_group *group) {
    double *J = groups->pool.data + group->values, *b = J + 6 * (int64_t)group->rows * group->blocks;
    int rows = group->rows;
    return (vs_row_values){.J = J,
                           .b = b,
                           .E = b + rows,
                           .lo = b + 2 * rows,
                           .hi = b + 3 * rows,
                           .prescribed = b + 4 * rows,
                           .prescribed_mean = b + 5 * rows,
                           .recovery = b + 6 * rows,
                           .damping = b + 7 * rows,
                           .drives = b + 8 * rows,
                           .sense = b + 9 * rows,
                           .curvature = b + 10 * rows,
                           .direction = b + 11 * rows};
}

// D v of a row of a group, for velocities v (n).
static inline double vs_row_groups_velocity(const vs_row_groups *groups, const vs_blocks *blocks,
                                            const vs_row_group *group, int row, const double *v) {
    double sum = 0;
    for (int k = 0; k < group->blocks; k++) {
        int width = vs_blocks_width(blocks, group->block[k]), first = vs_blocks_column(blocks, group->block[k]);
        const double *J = vs_row_groups_values(groups, group).J + 6 * (int64_t)k * group->rows + (int64_t)width * row;
        for (int j = 0; j < width; j++)
            sum += J[j] * v[first + j];
    }
    return sum;
}

static inline bool vs_row_group_is_contact(const vs_row_group *group) {
    return group->kind == VS_GROUP_FRICTION || group->kind == VS_GROUP_FRICTIONLESS;
}
// Is its first row one of a joint that only pushes?
static inline bool vs_row_group_is_limit(const vs_row_group *group) {
    return group->kind == VS_GROUP_LIMIT || group->kind == VS_GROUP_ROPE;
}

// Impulses of a group's rows.
static inline const double *vs_row_group_impulses(const vs_row_group *group, const vs_result *result) {
    return (group->kind == VS_GROUP_JOINT ? result->g : result->lambda) + group->row;
}

// Islands of blocks that rows connect, as disjoint sets (base/disjoint_sets.h): sets parent (count, all blocks of rows).
void vs_row_groups_join(const vs_row_groups *groups, int *parent, int count);

#endif
