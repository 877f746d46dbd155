// The inside of a simulation: what the parts of a step share.
#ifndef VS_STEP_SIMULATION_DATA_H
#define VS_STEP_SIMULATION_DATA_H

#include "body/joint_rows.h"
#include "collide/contact.h"
#include "problem/problem_data.h"
#include "voussoir/simulation.h"

enum { VS_GROUP_BLOCKS = 4, VS_JOINT_ROWS_MOST = VS_JOINT_BILATERAL_MOST + VS_JOINT_EXTRA_MOST };

// A group of rows of the step's problem: a contact, the bilateral rows of a joint, one row with bounds or a limit.
typedef enum vs_group_kind {
    VS_GROUP_CONTACT,
    VS_GROUP_SMOOTH,
    VS_GROUP_LIMIT,
    VS_GROUP_BOX,
    VS_GROUP_JOINT
} vs_group_kind;
typedef struct vs_group {
    vs_group_kind kind; // contact with friction (3 rows), without (1 row), limit (1), box (1), joint (any)
    int rows, blocks;
    int block[VS_GROUP_BLOCKS]; // of the problem
    int64_t values;             // in the pool: J block by block (rows x 6), then b, E, lo, hi (rows each), then the
                                // directions (6 rows) of joint rows
    double mu;
    uint64_t key;
    int source; // contact, or joint slot
    int first;  // first row of the joint that it holds
} vs_group;

// What the last step left for a contact or a row of a joint, found again by its key.
typedef struct vs_memory {
    uint64_t key;
    vs_vec3 impulse; // contact: N s, world axes; row: x
} vs_memory;

typedef struct vs_list {
    void *data;
    int64_t count, capacity; // entries
} vs_list;

struct vs_simulation {
    vs_context *context;
    vs_world *world;
    vs_simulation_options options;
    vs_collision *collision;
    const vs_contacts *contacts; // of the present step

    vs_list block_of; // int (bodies) block of each body slot, -1: none
    vs_list body_of;  // int (blocks)
    vs_list free;     // double (6 blocks) free velocities
    vs_list before;   // double (6 blocks) velocities before the step
    vs_list group;    // vs_group: contacts first, then limits and boxes, then joints
    vs_list pool;     // double
    vs_list shape;    // vs_group_shape of the problem that is prepared
    vs_list frame;    // vs_vec3 (3 contacts) normal and tangents
    vs_list offset;   // double (contacts) m/s, right-hand side of the normal row: stabilization or restitution

    vs_problem *problem;
    vs_solver *solver;
    uint64_t topology; // of the world for which both were made

    vs_list memory;                // vs_memory, ascending keys
    vs_list start_g, start_lambda; // double
    vs_result result;

    int64_t steps, inaccurate;
    bool stop;
};

// Room for `count` entries, the old ones kept; zero-filled beyond them.
vs_error vs_list_reserve(vs_context *context, vs_list *list, int64_t count, size_t size);
void vs_list_release(vs_context *context, vs_list *list);

// ---- parts of a step -------------------------------------------------------------------------------

// The parts of a group's values.
typedef struct vs_group_values {
    double *J;               // blocks one after the other, rows x 6 each
    double *b, *E, *lo, *hi; // (rows)
    double *direction;       // (6 rows)
} vs_group_values;
vs_group_values vs_step_values(const vs_simulation *s, const vs_group *group);

// assemble.c: the contact problem of the step; reuses the prepared solver if the pattern is the same.
vs_error vs_step_assemble(vs_simulation *s);
// warm.c: hands the last step's impulses to the solver, and keeps this step's.
vs_error vs_step_warm_start(vs_simulation *s);
vs_error vs_step_remember(vs_simulation *s);
// apply.c: velocities to the bodies, reactions to the joints; sums of the report.
void vs_step_apply(vs_simulation *s, vs_step_report *report);

// ---- checkpoints -----------------------------------------------------------------------------------

// What a bit-exact continuation needs beyond the world's state, as bytes.
vs_error vs_simulation_save(const vs_simulation *s, vs_arena *arena, void **bytes, size_t *count);
vs_error vs_simulation_load(vs_simulation *s, const void *bytes, size_t count);

#endif
