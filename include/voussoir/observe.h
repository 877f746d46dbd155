// What a controller reads of a world: generalized positions and velocities, mass matrix, bias forces, Jacobians, inverse
// dynamics, contact forces; all as arrays.
//
// Joints and dynamic bodies form a tree. Its nodes are the dynamic bodies, ascending, except that a parent comes before its
// children; that is the order of the bodies in URDF and MJCF files. A node hangs on its parent by one joint, or it is free:
//
//     joint of the node   qpos                                                 qvel
//     none (free)         position of the centre of mass, quaternion      7    its velocity (world axes), spin (body axes)   6
//     revolute            angle about z                                   1    its rate                                      1
//     prismatic           z                                               1    its rate                                      1
//     cylindrical         z, angle about z                                2    their rates                                   2
//     universal           angle about z of A, angle about x of B          2    their rates                                   2
//     planar              x, y, angle about z                             3    their rates                                   3
//     spherical           quaternion (w, x, y, z) of B in A               4    angular velocity of B in A, axes of B         3
//     fixed               none                                            0    none                                          0
//
// This is MuJoCo's convention, with two differences: free bodies are given by their centre of mass, and coordinates count
// from the pose in which the frames of a joint agree. nq and nv are the lengths of qpos and qvel.
//
// A joint that closes a loop with joints added before it, every gear and every distance joint is no part of the tree: it is
// a closure, a constraint between the coordinates (vs_tree_get_closures()). The world, static and kinematic bodies are the
// ground; kinematic ones are taken to move without acceleration. Joints are taken as rigid, whatever their compliance.
// Nodes of flexible solids are not contained.
//
// With the mass matrix M and the bias c (Coriolis, centrifugal and gyroscopic forces minus gravity) the tree obeys
//
//     M qacc + c = passive + tau + (closures, contacts, limits and dry friction of joints)
//
// Matrices are stored by rows. A tree refers to its world, which must outlive it; it reads the present state at each call.
#ifndef VOUSSOIR_OBSERVE_H
#define VOUSSOIR_OBSERVE_H

#include "voussoir/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_tree vs_tree;

// A body of the tree.
typedef struct vs_tree_node {
    vs_body_id body;
    vs_body_id parent; // zero: the world, also of free bodies
    vs_joint_id joint; // to the parent; zero: free
    int qpos, qvel;    // index of its first number in qpos and in qvel
    int positions;     // how many it has in qpos
    int velocities;    // and in qvel
} vs_tree_node;

// Creates the tree of a world; destroy it with vs_tree_destroy(). VS_ERROR_UNSUPPORTED if the world is distributed.
VS_API vs_error vs_tree_create(vs_world *world, vs_tree **tree);
VS_API void vs_tree_destroy(vs_tree *tree); // null is allowed
// Builds it again if bodies or joints were added or removed since: sizes and order may be others. All other functions return
// VS_ERROR_ARGUMENT until then.
VS_API vs_error vs_tree_update(vs_tree *tree);
VS_API int vs_tree_get_position_count(const vs_tree *tree); // nq
VS_API int vs_tree_get_velocity_count(const vs_tree *tree); // nv
VS_API int vs_tree_get_node_count(const vs_tree *tree);
VS_API vs_error vs_tree_get_node_at(vs_tree *tree, int k, vs_tree_node *node);

// Positions (nq) and velocities (nv) at present; each may be null.
VS_API vs_error vs_tree_get_state(vs_tree *tree, double *qpos, double *qvel);
// Places all bodies of the tree. Null `qpos` or `qvel`: stays as it is. Quaternions need not be of unit length. Closures are
// not considered: call vs_world_assemble() after it where there are any.
VS_API vs_error vs_tree_set_state(vs_tree *tree, const double *qpos, const double *qvel);

// Mass matrix M (nv x nv): the kinetic energy is qvel' M qvel/2. With the armature of the joints of the tree.
VS_API vs_error vs_tree_get_mass_matrix(vs_tree *tree, double *mass);
// Jacobians (3 x nv each, or null) of a point that moves with a body, now at `point` (world axes): its velocity is
// linear * qvel, the body's spin angular * qvel, both in world axes; without the motion of kinematic bodies.
VS_API vs_error vs_tree_get_jacobian(vs_tree *tree, vs_body_id body, vs_vec3 point, double *linear, double *angular);
// Mass (kg), centre of mass (m) and its Jacobian (3 x nv) of a body with everything behind it in the tree, or of all dynamic
// bodies (zero id); each may be null. Zero where there is no mass.
VS_API vs_error vs_tree_get_centre(vs_tree *tree, vs_body_id body, double *mass, vs_vec3 *centre, double *jacobian);
// Rows of the closures: the joint of each row, its violation (m, rad) and the derivative of that by qvel (row by row, nv
// numbers each); each may be null. Fills at most `capacity` rows; `count` is the number of all.
VS_API vs_error vs_tree_get_closures(vs_tree *tree, vs_joint_id *joint, double *violation, double *jacobian,
                                     int capacity, int *count);

// Bias c (nv) at the present state.
VS_API vs_error vs_tree_get_bias(vs_tree *tree, double *bias);
// Passive forces (nv): springs and dampers of joints, loads, and the forces of the next step. Without gravity, which is part of
// the bias, motors and dry friction.
VS_API vs_error vs_tree_get_passive(vs_tree *tree, double *passive);
// Generalized forces (nv) of a force (N) and a torque (N m, about the centre of mass) on each body, world axes:
// `wrench` has 6 numbers per body, in the order of vs_world_get_body_at().
VS_API vs_error vs_tree_project_forces(vs_tree *tree, const double *wrench, double *force);
// Inverse dynamics: the forces tau = M qacc + c - passive (nv) that motors have to exert for the acceleration qacc (nv; null: 0),
// less those of `wrench` (as above; null: none), for instance of the contacts. Closures are not considered.
VS_API vs_error vs_tree_get_inverse_dynamics(vs_tree *tree, const double *qacc, const double *wrench, double *tau);

// Force (N) and torque (N m, about the present centre of mass) of the contacts on each body in the last step, world axes: 6
// numbers per body, in the order of vs_world_get_body_at(). A force is the impulse over the length of the step: impacts
// count, too. VS_ERROR_UNSUPPORTED for distributed simulations.
VS_API vs_error vs_simulation_get_contact_forces(const vs_simulation *simulation, double *wrench);
// The same of the contacts between two bodies (zero: the world): on b, the torque about its centre of mass, or about the origin
// if b is the world. Zero if they did not touch.
VS_API vs_error vs_simulation_get_pair_force(const vs_simulation *simulation, vs_body_id a, vs_body_id b,
                                             vs_vec3 *force, vs_vec3 *torque);

#ifdef __cplusplus
}
#endif

#endif
