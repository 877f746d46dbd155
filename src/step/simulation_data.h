// The inside of a simulation: what the parts of a step share.
#ifndef VS_STEP_SIMULATION_DATA_H
#define VS_STEP_SIMULATION_DATA_H

#include "body/joint_coordinate.h"
#include "body/joint_projection.h"
#include "body/joint_rows.h"
#include "collide/contact.h"
#include "collide/node_contact.h"
#include "problem/problem_data.h"
#include "step/division.h"
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
    int64_t values; // in the pool: J block by block (rows x 6), then b, E, lo, hi, given, booked, damping (rows
                    // each), then the directions (6 rows) of joint rows
    bool drives;    // box: a motor
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

// H where elements couple blocks (coupling.c). A tile: 3 x 3 numbers; tiles 2 b and 2 b + 1 are of the body with block
// b, then one a node.
typedef struct vs_coupling {
    bool needed;       // there are flexible bodies: H is not one block a body
    uint64_t topology; // of the world for which the pattern was made
    vs_list start;     // int (flexibles + 1) first node of each in block
    vs_list block;     // int (all nodes) block of each node of a solid, -1: its velocity is given
    vs_list p, i, x;   // int64_t (n + 1), int, double: H, both triangles, columns of whole tiles
    vs_list tile_p;    // int64_t (tiles + 1)
    vs_list tile_i;    // int
    vs_list pair;      // uint64_t, scratch: column, row of tiles
    vs_list map_start; // int64_t (flexibles + 1) into
    vs_list map;       // int64_t (2 a nonzero of an assembly) where it goes in x, and its mirror; -1: nowhere
    vs_list right, push, velocity, inertia; // vs_vec3 (most blocks of an assembly) scratch
} vs_coupling;

struct vs_simulation {
    vs_context *context;
    vs_world *world;
    vs_simulation_options options;
    vs_collision *collision;
    const vs_contacts *contacts; // of the present step
    vs_node_collision *node_collision;
    const vs_node_contacts *node_contacts; // of flexible solids; numbered behind the others

    // Null, or this is one rank's part; owned.
    const vs_division *division;
    vs_list gathered; // vs_contact_view: contacts of all ranks, where they were gathered

    // Blocks of the problem: those of bodies with 6 velocities each, then those of nodes with 3 each. Over ranks ghosts
    // that touch bodies here stand behind these.
    vs_list block_of; // int (bodies) block of each body slot, -1: none
    vs_list body_of;  // int (blocks of bodies)
    vs_list prepared; // int (blocks of bodies) body_of of the problem that is prepared; over ranks only
    int owned;        // of the blocks of bodies: not ghosts
    int nodes;        // blocks of nodes
    vs_list free;     // double (n) free velocities
    vs_list before;   // double (n) velocities before the step
    vs_list c;        // double (n)
    vs_coupling coupling;
    bool expanded;     // elements of solids were expanded about `around`, not about the positions of the beginning
    vs_list around;    // double (n) velocities; newton.c
    vs_list direction; // double (n) scratch of newton.c
    vs_list group;     // vs_group: contacts first, then limits and boxes, then joints
    vs_list pool;      // double
    vs_list shape;     // vs_group_shape of the problem that is prepared
    vs_list frame;     // vs_vec3 (3 contacts) normal and tangents
    vs_list offset;    // double (contacts) m/s, right-hand side of the normal row: stabilization or restitution

    vs_problem *problem;
    vs_solver *solver;
    uint64_t topology; // of the world for which both were made

    vs_list memory;                // vs_memory, ascending keys
    vs_list start_g, start_lambda; // double
    vs_result result;
    int iterations, factorizations; // of all problems of the step

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
    double *given;           // (rows) m/s, part of the row's velocity by what has no columns, in b already
    double *booked;          // (rows) m/s, the same for the sums of energy: mean of the last step and this one
    double *damping;         // (rows) N s/m, of rows with a spring and damper; < 0: others
    double *direction;       // (6 rows)
} vs_group_values;
vs_group_values vs_step_values(const vs_simulation *s, const vs_group *group);

// First velocity of a block, and how many it has.
static inline int vs_block_column(const vs_simulation *s, int block) {
    int bodies = (int)s->body_of.count;
    return block < bodies ? 6 * block : 6 * bodies + 3 * (block - bodies);
}
static inline int vs_block_width(const vs_simulation *s, int block) {
    return block < (int)s->body_of.count ? 6 : 3;
}
static inline int vs_step_size(const vs_simulation *s) { // n
    return 6 * (int)s->body_of.count + 3 * s->nodes;
}
static inline int vs_step_contacts(const vs_simulation *s) {
    return s->contacts->count + s->node_contacts->count;
}

enum { VS_NO_BLOCK = -1 };

// divided.c, over ranks: numbers the ghosts that contacts here touch behind the bodies.
vs_error vs_step_number_ghosts(vs_simulation *s);
// Can the prepared problem be used again: here, and on all ranks?
bool vs_step_is_same_division(const vs_simulation *s, bool same);
vs_error vs_step_connect(vs_simulation *s);                              // the new problem to those of other ranks
bool vs_step_is_free(const vs_simulation *s);                            // no contact on any rank
void vs_step_sum_report(const vs_simulation *s, vs_step_report *report); // over the ranks

// assemble.c, for node_rows.c: block of a body, a new group with its values zero, the axes of a contact (n, u, w),
// (d, R'(r x d)) of a point of a body, its velocities, their product, and the right-hand side of a normal row.
int vs_step_block_of(const vs_simulation *s, int body);
vs_error vs_step_add_group(vs_simulation *s, vs_group group, vs_group **out);
void vs_step_frame(vs_vec3 n, vs_vec3 frame[3]);
void vs_step_point_row(const vs_body *body, vs_vec3 point, vs_vec3 d, double sign, double row[6]);
void vs_step_velocities(const vs_body *body, double v[6]);
double vs_step_row_times(const double row[6], const double v[6]);
double vs_step_normal_offset(const vs_simulation *s, double gap, double size, const vs_material *material, double u_old,
                             double u_free);
// node_rows.c: contact k of flexible solids; all nodes that are glued to bodies with mass.
vs_error vs_step_add_node_contact(vs_simulation *s, int k);
vs_error vs_step_add_glue(vs_simulation *s);

// energy.c: work of loads on bodies that get these velocities (n); what loads and given velocities did to flexible
// bodies, and what these lost. After the free velocities are set, before the given ones are and positions move.
double vs_step_work_of_loads(const vs_simulation *s, const double *velocity);
void vs_step_book_flexible(vs_simulation *s, vs_step_report *report);

// newton.c: from the solution of the problem to where elements are expanded next, or that this is not needed;
// velocities of a solid's nodes (given ones, too) for those of the problem; its nodes moved on by them, and back.
vs_error vs_newton_next(vs_simulation *s, bool *more);
void vs_newton_velocities(const vs_simulation *s, int flexible, const double *v, vs_vec3 *out);
void vs_newton_move(const vs_simulation *s, int flexible, const double *v, vs_vec3 *saved);
void vs_newton_move_back(const vs_simulation *s, int flexible, const vs_vec3 *saved);
// assemble.c: the same rows, H and c anew.
vs_error vs_step_assemble_again(vs_simulation *s);

// coupling.c: numbers the free nodes behind the bodies.
vs_error vs_coupling_number(vs_simulation *s);
int vs_coupling_block(const vs_simulation *s, int flexible, int node); // -1: given
// H and the nodes' and beams' part of c (added).
vs_error vs_coupling_fill(vs_simulation *s);
void vs_coupling_release(vs_context *context, vs_coupling *coupling);

// assemble.c: the contact problem of the step; reuses the prepared solver if the pattern is the same.
vs_error vs_step_assemble(vs_simulation *s);
// warm.c: hands the last step's impulses to the solver, and keeps this step's.
vs_error vs_step_warm_start(vs_simulation *s);
vs_error vs_step_remember(vs_simulation *s);
// apply.c: velocities to the bodies, reactions to the joints; sums of the report.
void vs_step_apply(vs_simulation *s, vs_step_report *report);
void vs_step_apply_free(vs_simulation *s, vs_step_report *report); // nothing touches: free velocities

// simulation.c: contact k of this process.
void vs_step_view_contact(const vs_simulation *s, int k, vs_contact_view *view);

// ---- checkpoints -----------------------------------------------------------------------------------

// What a bit-exact continuation needs beyond the world's state, as bytes.
vs_error vs_simulation_save(const vs_simulation *s, vs_arena *arena, void **bytes, size_t *count);
vs_error vs_simulation_load(vs_simulation *s, const void *bytes, size_t count);

#endif
