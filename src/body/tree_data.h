// Internals of the tree of a world (observe.h): its nodes, and the motions that their joints allow.
#ifndef VS_BODY_TREE_DATA_H
#define VS_BODY_TREE_DATA_H

#include "body/world_data.h"
#include "voussoir/observe.h"

// A body that hangs on its parent.
typedef struct vs_node {
    int body, above; // index of the body and of its parent, 0: the world
    int parent;      // node, -1: the ground
    int joint;       // -1: free
    int row;         // of the body among all that exist
    bool reversed;   // the body is A of its joint
    int qpos, qvel;  // first number
    int positions, velocities;
} vs_node;

// Motion per unit of a velocity of the tree, world axes.
typedef struct vs_twist {
    vs_vec3 linear;  // of the child's material at the node's point, relative to the parent's
    vs_vec3 angular; //
} vs_twist;

// Motion of the frame of a body, world axes; and the force that acts on it.
typedef struct vs_node_motion {
    vs_vec3 velocity, spin;          // of the centre of mass
    vs_vec3 acceleration, spin_rate; //
    vs_vec3 force, torque;           // about the centre of mass
} vs_node_motion;

struct vs_tree {
    vs_context *context;
    vs_world *world;
    bool rigid;            // joints with compliance are none
    uint64_t topology;     // of the world when it was built
    uint64_t order, known; // hash of the order of all numbers: now, and when the user was told
    int nodes, nq, nv;
    int rows;      // bodies that exist
    vs_node *node; // (nodes)
    int *node_of;  // (world->bodies) -1: none
    int *closure;  // (closures) joints
    int closures;
    // At present, set by vs_tree_place():
    vs_twist *twist; // (nv)
    vs_vec3 *point;  // (nodes)
    // Work space:
    vs_node_motion *motion; // (nodes)
    double *rate;           // (nv)
    double *column;         // (12 nv)
    int *path;              // (nv)
};

// The tree of the rigid joints alone, for a world that need not be the same object in every call: tree->world.
vs_error vs_tree_create_rigid(vs_world *world, vs_tree **tree);
// Begins every function: VS_ERROR_ARGUMENT for a tree that is null, or whose numbers have another order than the user knows.
vs_error vs_tree_check(vs_tree *tree);
// Sets twists and points from the present poses.
void vs_tree_place(vs_tree *tree);
// Velocities of the tree at present, after vs_tree_place().
void vs_tree_read_rates(const vs_tree *tree, double *qvel);
// Numbers of a node's joint, or of a free body, at present.
void vs_tree_read_positions(const vs_tree *tree, const vs_node *node, double *q);
// The pose of the body of a node for these numbers and the present pose of its parent.
vs_pose vs_tree_body_pose(const vs_tree *tree, const vs_node *node, const double *q);
// Velocity and spin of the parent of a node: tree->motion, or that of the ground.
vs_node_motion vs_tree_parent_motion(const vs_tree *tree, const vs_node *node);
// Sets velocity and spin in tree->motion from velocities of the tree.
void vs_tree_propagate(vs_tree *tree, const double *qvel);

// Armature of the first velocity of a node, 0: none.
double vs_tree_armature(const vs_tree *tree, const vs_node *node);
// Velocity of `at` by a twist about `point`.
vs_vec3 vs_twist_at(const vs_twist *twist, vs_vec3 point, vs_vec3 at);

#endif
