// The world: bodies, their shapes, materials, joints and loads. Plain state; simulation.h advances it in time.
//
// Objects are ids: an index and a generation. The zero id is the world itself (the fixed frame) as a body and "none"
// elsewhere. An id of a removed object is an error (VS_ERROR_ARGUMENT), never a crash.
#ifndef VOUSSOIR_WORLD_H
#define VOUSSOIR_WORLD_H

#include <stdint.h>

#include "voussoir/shape.h"
#include "voussoir/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_world vs_world;

typedef struct vs_body_id {
    uint32_t index, generation;
} vs_body_id;
typedef struct vs_collider_id {
    uint32_t index, generation;
} vs_collider_id;
typedef struct vs_joint_id {
    uint32_t index, generation;
} vs_joint_id;
typedef struct vs_flexible_id {
    uint32_t index, generation;
} vs_flexible_id; // flexible.h

typedef struct vs_world_def {
    vs_vec3 gravity; // m/s^2; default (0, 0, -9.81)
} vs_world_def;

VS_API vs_world_def vs_world_def_default(void);
// Creates an empty world; destroy it with vs_world_destroy(). Null `def`: the defaults.
VS_API vs_error vs_world_create(vs_context *context, const vs_world_def *def, vs_world **world);
VS_API void vs_world_destroy(vs_world *world); // null is allowed
VS_API vs_error vs_world_set_gravity(vs_world *world, vs_vec3 gravity);
VS_API vs_vec3 vs_world_get_gravity(const vs_world *world); // of the last step, if it changes
// Gravity as a function of time, m/s^2; each step uses its mean. Null: it stays as it is now.
VS_API vs_error vs_world_set_gravity_signal(vs_world *world, const vs_signal gravity[3]);
// Space repeats itself after these lengths (m, along x, y, z; 0, the default: it does not), and bodies meet each other's
// images. Positions are not brought back into a cell, but trajectories show the images from minus half to half a period.
// Colliders must be shorter than half a period, planes parallel to it. Steps refuse what has no images: triangle meshes, joints,
// flexible bodies, sensors, factories and sinks, mortar, bonds, other schemes than Moreau's, controlled accuracy, several ranks.
VS_API vs_error vs_world_set_period(vs_world *world, vs_vec3 period);
VS_API vs_vec3 vs_world_get_period(const vs_world *world);

// ---- bodies ----------------------------------------------------------------------------------------

typedef enum vs_motion { VS_MOTION_DYNAMIC, VS_MOTION_KINEMATIC, VS_MOTION_STATIC } vs_motion;

typedef struct vs_body_def {
    vs_motion motion; // default dynamic. Kinematic bodies have a prescribed velocity that forces do not change
    vs_pose pose;     // of the centre of mass and the body's axes; default identity
    vs_vec3 velocity; // m/s, of the centre of mass, world axes
    vs_vec3 spin;     // rad/s, angular velocity, world axes
    double mass;      // kg, > 0 for dynamic bodies; default 1
    // kg m^2, about the centre of mass, body axes; symmetric positive definite, and no principal moment larger than the
    // sum of the other two (1 % of the trace is tolerated); default identity
    vs_mat3 inertia;
    const char *name; // unique or null; copied
} vs_body_def;

VS_API vs_body_def vs_body_def_default(void);
VS_API vs_error vs_world_add_body(vs_world *world, const vs_body_def *def, vs_body_id *id);
// Removes a body with its colliders and joints.
VS_API vs_error vs_world_remove_body(vs_world *world, vs_body_id id);
// Number of existing bodies.
VS_API int vs_world_get_body_count(const vs_world *world);
// The existing bodies in the order of their indices: k = 0 … count - 1.
VS_API vs_body_id vs_world_get_body_at(const vs_world *world, int k);
VS_API vs_body_id vs_world_find_body(const vs_world *world, const char *name);   // zero id if there is none
VS_API const char *vs_world_get_body_name(const vs_world *world, vs_body_id id); // "" if it has none

typedef struct vs_body_state {
    vs_pose pose;
    vs_vec3 velocity, spin; // world axes
} vs_body_state;
VS_API vs_error vs_world_get_body_state(const vs_world *world, vs_body_id id, vs_body_state *state);
VS_API vs_error vs_world_set_body_state(vs_world *world, vs_body_id id, const vs_body_state *state);
// Mass (kg) and inertia (kg m^2, body axes) of the definition; zero for static and kinematic bodies.
VS_API vs_error vs_world_get_body_mass(const vs_world *world, vs_body_id id, double *mass, vs_mat3 *inertia);

// Loads of the next step only: force (N) at a point in world axes (null: centre of mass), torque (N m), world axes.
VS_API vs_error vs_world_apply_force(vs_world *world, vs_body_id id, vs_vec3 force, const vs_vec3 *point);
VS_API vs_error vs_world_apply_torque(vs_world *world, vs_body_id id, vs_vec3 torque);
// Adds a permanent load: force (N) and torque (N m) as functions of time, world axes, at the centre of mass.
VS_API vs_error vs_world_add_load(vs_world *world, vs_body_id id, const vs_signal force[3], const vs_signal torque[3]);

typedef struct vs_load_def {
    vs_signal force[3], torque[3]; // N, N m
    vs_vec3 point;                 // where the force acts, body axes from the centre of mass; default 0
    bool follows;                  // force and torque turn with the body: body axes; default false: world axes
} vs_load_def;

VS_API vs_load_def vs_load_def_default(void);
// Adds a permanent load at a point of a body or in its axes; the pose is that at the beginning of each step.
VS_API vs_error vs_world_add_load_at(vs_world *world, vs_body_id id, const vs_load_def *def);
// Prescribes the motion of a kinematic body: velocity (m/s) and spin (rad/s) as functions of time, world axes. A position
// or an acceleration: signals with the use VS_SIGNAL_DIFFERENTIATED or VS_SIGNAL_INTEGRATED.
VS_API vs_error vs_world_set_drive(vs_world *world, vs_body_id id, const vs_signal velocity[3],
                                   const vs_signal spin[3]);

// ---- materials and colliders -----------------------------------------------------------------------

// Law of impact with the restitution e. Newton: u_n = -e u_n(before), friction by the velocity after the impact. Moreau: the
// contact laws hold for u + e u(before), in all directions: a contact that sticks throws the tangential velocity back, too.
typedef enum vs_impact_law { VS_IMPACT_NEWTON, VS_IMPACT_MOREAU } vs_impact_law;

// A property over a speed: linear between the points, constant beyond them.
enum { VS_TABLE_POINTS = 8 }; // of a material, at most; a pair of materials has up to twice as many
typedef struct vs_speed_table {
    int count;                         // 0: the property does not depend on the speed
    double speed[2 * VS_TABLE_POINTS]; // (count) m/s, >= 0, increasing
    double value[2 * VS_TABLE_POINTS]; // (count)
} vs_speed_table;

// Sliding, rolling and spinning friction have limits of their own (separate), or share one,
// (|l_T| / mu)^2 + (|m_R| / rolling)^2 + (m_S / spinning)^2 <= l_n^2: a contact that spins slides more easily (elliptic).
typedef enum vs_coupling { VS_COUPLING_SEPARATE, VS_COUPLING_ELLIPTIC } vs_coupling;

typedef struct vs_material {
    double mu;                        // friction coefficient; default 0.5
    double restitution;               // 0 … 1; default 0
    double compliance;                // m/N of a contact, >= 0; default 0
    vs_impact_law impact;             // default Newton
    vs_speed_table restitution_table; // over the normal speed of approach, instead of restitution; default none
    vs_speed_table mu_table;          // over the sliding speed at the beginning of a step, instead of mu; default none
    double rolling;                   // m, coefficient of rolling friction: moment <= rolling * normal force; default 0
    double spinning;                  // m, of spinning about the normal; default 0
    double adhesion;                  // N per contact point, the pull that a closed contact holds; default 0
    // Friction at rest, of which mu is that of sliding (docs/friction-laws.md). Between rigid bodies
    double static_mu; // >= mu; 0, the default: mu
    double weakening; // m, slip over which static_mu falls to mu, as exp(-slip/weakening); default 0: at once
    double healing;   // s, time at rest over which it returns; default 0: at once
    double stribeck;  // m/s, instead of both: static_mu falls with the speed, as exp(-speed/stribeck). Default 0: not
    double across;    // friction coefficient across the grain of a collider, along which mu holds; default 0: mu
    // Soft contact (docs/soft-contact.md): normal force stiffness x + hertz x^(3/2) + damping x' for the penetration x
    double stiffness;     // N/m; default 0: rigid, if hertz is 0, too
    double hertz;         // N/m^(3/2); default 0
    double damping;       // N s/m; default 0
    vs_coupling coupling; // of sliding, rolling and spinning friction; default separate
} vs_material;

VS_API vs_material vs_material_default(void);
VS_API vs_error vs_world_add_material(vs_world *world, const vs_material *material, const char *name, int *index);
VS_API int vs_world_find_material(const vs_world *world, const char *name); // -1: none
// Overrides what follows from the two materials by the rule of each field (docs/laws.md has a table of them).
VS_API vs_error vs_world_set_material_pair(vs_world *world, int a, int b, const vs_material *material);
VS_API vs_material vs_world_get_material_pair(const vs_world *world, int a, int b);

// A field of vs_material, and what scenes, Python and the documentation know of it.
typedef struct vs_material_field {
    const char *name;           // of the member; key in scenes, argument in Python
    const char *unit;           // "1": none; "": a choice
    const char *text;           // what it is, one line
    const char *pair;           // rule for two materials: "geometric mean", …
    const char *const *choices; // names of the values of an enumeration, ends with null; null: a number
    const char *over;           // speed over which the field may be given as a vs_speed_table; null: none
    double normal;              // default
    double most;                // values are 0 … most
    size_t offset, table;       // of the member in vs_material, and of its vs_speed_table
} vs_material_field;

VS_API int vs_material_field_count(void);
// Field 0 to count - 1. An index out of range gives a field of zeros.
VS_API vs_material_field vs_material_field_at(int index);

typedef struct vs_collider_def {
    vs_body_id body;          // zero: the world
    vs_shape *shape;          // retained until the collider is removed
    vs_pose pose;             // of the shape in the body's axes; default identity
    int material;             // index; default 0, which is vs_material_default() unless another was added first
    uint32_t group;           // bits; default 1
    uint32_t mask;            // groups it collides with (tested both ways); default all
    vs_vec3 surface_velocity; // m/s, body axes, of a conveyor; default 0
    vs_vec3 grain; // body axes, any length: direction along which mu holds, across it `across`. Default 0: none
    bool sensor;   // reports what it touches (vs_simulation_get_event_at()) and pushes nothing; default false
} vs_collider_def;

VS_API vs_collider_def vs_collider_def_default(void);
VS_API vs_error vs_world_add_collider(vs_world *world, const vs_collider_def *def, vs_collider_id *id);
VS_API vs_error vs_world_remove_collider(vs_world *world, vs_collider_id id);
// Excludes contacts between two bodies.
VS_API vs_error vs_world_ignore_pair(vs_world *world, vs_body_id a, vs_body_id b);

// ---- joints ----------------------------------------------------------------------------------------

typedef enum vs_joint_kind {
    VS_JOINT_FIXED,
    VS_JOINT_SPHERICAL,
    VS_JOINT_REVOLUTE,    // turns about z
    VS_JOINT_PRISMATIC,   // slides along z
    VS_JOINT_CYLINDRICAL, // slides along z and turns about it
    VS_JOINT_UNIVERSAL,   // turns about z of A and x of B, which stay perpendicular
    VS_JOINT_PLANAR,      // B's origin stays in A's x-y plane, z parallel
    VS_JOINT_DISTANCE,    // keeps `length` between the origins; or limits (a rope) or a motor instead
    VS_JOINT_GEAR,   // coordinate of joint_b = ratio * coordinate of joint_a (revolute or prismatic: gear, rack, screw)
    VS_JOINT_SPRING, // no constraint: springs and dampers between the origins only
    VS_JOINT_CABLE, // a massless cable through points and around drums, or a weighted sum of coordinates: vs_cable_point
    VS_JOINT_CONSTANT_VELOCITY, // one point; B turns about its z as A about its own, at any angle between the two below pi
    VS_JOINT_CAM                // coordinate of joint_b = curve(coordinate of joint_a), of joints as a gear's
} vs_joint_kind;

// What a cable passes: a point of a body; a sphere or a cylinder, which it winds around where that is in its way; or a pulley,
// which it always goes around. Cylinders and pulleys have the axis z of their frame; a sphere has points before and after it.
typedef enum vs_cable_station { VS_CABLE_POINT, VS_CABLE_SPHERE, VS_CABLE_CYLINDER, VS_CABLE_PULLEY } vs_cable_station;

typedef struct vs_cable_point {
    vs_cable_station kind;
    vs_body_id body; // zero: the world
    vs_pose pose;    // in the body's axes (world: world axes); default identity
    double radius;   // m; points have none
    double
        mu; // friction coefficient of a rope here, T1 <= T2 exp(mu angle), exact; at up to 16 points, not an end; default 0
    // sphere, cylinder: the cable passes on the side of this point (frame of the pose), or inside, if the point is inside
    bool sided;
    vs_vec3 side;
    // pulley: positive turns counter-clockwise about z, negative clockwise; the angle on it is that between the directions of the
    // cable, which winds on for turns - 1 (or -1 - turns) whole turns more. Not 0; default 1
    int turns;
} vs_cable_point;

// A coordinate of another joint (revolute, prismatic, distance, spring), times a factor.
typedef struct vs_joint_term {
    vs_joint_id joint;
    double factor; // m/rad, 1, …
} vs_joint_term;

typedef enum vs_motor_kind { VS_MOTOR_NONE, VS_MOTOR_SPEED, VS_MOTOR_POSITION, VS_MOTOR_EFFORT } vs_motor_kind;

typedef struct vs_joint_def {
    vs_joint_kind kind;       //
    vs_body_id a, b;          // zero: the world
    vs_pose frame_a, frame_b; // in the bodies' axes (world: world axes)
    const char *name;         // unique or null
    bool collide;             // contacts between a and b; default false
    // of the coordinate (revolute: angle about z, rad; prismatic, cylindrical: z of B in A, m; distance, cable: length, m)
    bool limited;        // default false
    double low, high;    // rad or m
    vs_motor_kind motor; // prescribes speed or position, exactly (rheonomic) or with a limited force; or an effort
    vs_signal target;    // rad/s, m/s; rad, m; or N m, N
    double motor_limit;  // N or N m, > 0; 0: unlimited
    // gains of a motor, N/m or N m/rad and N s/m or N m s/rad, treated implicitly: with one above 0 its effort is
    // stiffness (target - x) - damping x', or damping (target - x') for a speed. Default 0: exact
    double motor_stiffness, motor_damping;
    double stiffness, damping, rest; // N/m or N m/rad; N s/m or N m s/rad; m or rad; treated implicitly
    double armature;                 // kg or kg m^2, inertia that only the rate of the coordinate moves: a geared rotor
    double friction;                 // N or N m, friction force or torque; default 0
    double compliance;               // m/N or rad/(N m) of the constrained directions, of a cable in tension; default 0
    double length;                   // m, distance joint; cable: free length, 0: none
    double ratio;                    // gear
    vs_joint_id joint_a, joint_b;    // gear, cam
    // Cable. Its coordinate is the length of its path through the points, plus the terms; either may be absent. With a `length`
    // it is a rope: the coordinate is at most that, with the compliance, and the tension is not negative. A motor that
    // only pulls is a winch: its target is the free length. Both arrays are copied.
    const vs_cable_point *point; // (points) the first and the last are points
    int points;
    const vs_joint_term *term; // (terms)
    int terms;
    bool pulls;      // the motor of a cable only pulls; default false
    vs_signal curve; // cam: rad or m, over the coordinate of joint_a, which takes the place of time; copied
} vs_joint_def;

VS_API vs_cable_point vs_cable_point_default(void);

VS_API vs_joint_def vs_joint_def_default(void);
VS_API vs_error vs_world_add_joint(vs_world *world, const vs_joint_def *def, vs_joint_id *id);
VS_API vs_error vs_world_remove_joint(vs_world *world, vs_joint_id id);
VS_API int vs_world_get_joint_count(const vs_world *world);
VS_API vs_joint_id vs_world_get_joint_at(const vs_world *world, int k);
VS_API vs_joint_id vs_world_find_joint(const vs_world *world, const char *name);
VS_API const char *vs_world_get_joint_name(const vs_world *world, vs_joint_id id);
// Joint coordinate (rad or m) and its rate in the present state.
VS_API vs_error vs_world_get_joint_coordinate(const vs_world *world, vs_joint_id id, double *coordinate, double *rate);
// All coordinates of a joint (rad, m) and their rates, those of B in A's axes:
//
//     revolute      angle about z                                             1
//     prismatic     z                                                         1
//     cylindrical   z, angle about z                                          2
//     universal     angle about z of A, angle about x of B                    2
//     planar        x, y, angle about z                                       3
//     spherical     rotation vector; its rate is the angular velocity         3
//     distance, spring    distance of the origins                             1
//     cable         length and terms                                          1
//     fixed, gear, cam, constant velocity   none                              0
//
// Sets `count` and that many of both arrays; each may be null.
enum { VS_JOINT_COORDINATES_MOST = 3 };
VS_API vs_error vs_world_get_joint_coordinates(const vs_world *world, vs_joint_id id,
                                               double coordinate[VS_JOINT_COORDINATES_MOST],
                                               double rate[VS_JOINT_COORDINATES_MOST], int *count);
// Sets coordinate (rad or m) and rate of a revolute, prismatic or cylindrical joint: moves everything that is joined to B
// (to A, if B is joined to the world) without passing this joint, and joints that are geared to it. All other coordinates
// and rates are kept. VS_ERROR_ARGUMENT if the joint is part of a closed loop. Contacts are not considered.
VS_API vs_error vs_world_set_joint_coordinate(vs_world *world, vs_joint_id id, double coordinate, double rate);
// The same of a spherical joint: the rotation of B in A, any length, and the angular velocity of B in A (rad/s, axes of B).
VS_API vs_error vs_world_set_joint_rotation(vs_world *world, vs_joint_id id, vs_quat rotation, vs_vec3 spin);
// Places a dynamic body together with everything that is joined to it, so that the body has the state; coordinates and
// rates of the joints are kept. VS_ERROR_ARGUMENT if it is joined to the world or to a kinematic body.
VS_API vs_error vs_world_place_mechanism(vs_world *world, vs_body_id id, const vs_body_state *state);
// Reaction force (N) and torque (N m) on B in the last step, in frame A, at the origin of frame B. Zero before the
// first step. Of a cable: the tension (N) as the first component of the force, at its first point; of a rope with
// friction (mu) the second component is the tension at its last point.
VS_API vs_error vs_world_get_joint_reaction(const vs_world *world, vs_joint_id id, vs_vec3 *force, vs_vec3 *torque);
// Commands the motor of a joint from now on, for instance in the callback `before`: a position (rad or m), a speed or an
// effort (N m or N, within motor_limit). The kind of motor may change. Checkpoints do not contain commands.
VS_API vs_error vs_world_set_joint_target(vs_world *world, vs_joint_id id, double target);
VS_API vs_error vs_world_set_joint_speed(vs_world *world, vs_joint_id id, double speed);
VS_API vs_error vs_world_set_joint_effort(vs_world *world, vs_joint_id id, double effort);
VS_API vs_error vs_world_set_joint_gains(vs_world *world, vs_joint_id id, double stiffness, double damping);
// Effort (N m or N) that the motor of a joint exerted in the last step; 0 without a motor.
VS_API vs_error vs_world_get_joint_effort(const vs_world *world, vs_joint_id id, double *effort);
// The definition of a joint with the present motor; its pointers are valid until the joint is changed or removed.
VS_API vs_error vs_world_get_joint_def(const vs_world *world, vs_joint_id id, vs_joint_def *def);
// Projects the bodies onto the joint constraints (in the mass metric) to within `tolerance` m; VS_ERROR_DATA, naming
// the worst joint, if that is not possible.
VS_API vs_error vs_world_assemble(vs_world *world, double tolerance);

// ---- controls --------------------------------------------------------------------------------------

// What an actuator makes of its value u before it acts: nothing; its integral a, a' = u; or a, which follows it as
// a' = (u - a)/time_constant. The value is constant over a step, and a at its end is exact for that.
typedef enum vs_activation_kind {
    VS_ACTIVATION_NONE,
    VS_ACTIVATION_INTEGRATOR,
    VS_ACTIVATION_FILTER
} vs_activation_kind;

// A named input of a mechanism: commands the motor of one joint, or pushes a body, like an actuator of MJCF.
typedef struct vs_control_def {
    const char *name;    // unique or null; copied
    vs_joint_id joint;   // its motor_limit and gains apply; zero: a body is pushed
    vs_motor_kind motor; // the quantity that the value prescribes; default effort
    // of the transmission, not 0, default 1: the joint's effort is gear * value, its position value / gear + offset, its
    // speed value / gear
    double gear, offset;
    bool limited;     // values are limited to low … high; default false
    double low, high; //
    // of several controls of a joint the last command counts, unless they add up: the motor then has the sum of these gains
    // (of a position: stiffness > 0, of a speed: damping > 0) and of the efforts. Default false
    bool adds;
    double stiffness, damping; //
    // without a joint: force (N) at a point and torque (N m) on a body per unit of the value, in the body's axes, from its
    // centre of mass. They turn with the body; its pose is that at the beginning of each step
    vs_body_id body;
    vs_vec3 force, torque, point;
    vs_activation_kind activation; // default none
    double time_constant;          // s, of a filter, > 0
    bool bounded;                  // the activation is limited to least … most; default false
    double least, most;            //
} vs_control_def;

VS_API vs_control_def vs_control_def_default(void);
// Adds a control with the value 0, or the nearest within its limits, which is commanded at once. Controls are numbered
// from 0 in the order of their addition and exist as long as the world; one whose joint or body was removed is an error.
VS_API vs_error vs_world_add_control(vs_world *world, const vs_control_def *def, int *index);
VS_API int vs_world_get_control_count(const vs_world *world);
VS_API int vs_world_find_control(const vs_world *world, const char *name); // -1: none
VS_API vs_error vs_world_get_control_def(const vs_world *world, int index, vs_control_def *def);
// Commands the joint of a control, or pushes its body, from now on; the value is limited to its range. With an activation,
// from the end of the next step on.
VS_API vs_error vs_world_set_control(vs_world *world, int index, double value);
VS_API vs_error vs_world_get_control(const vs_world *world, int index, double *value);
// The activation of a control, in the units of its value; without one the value. It begins with 0, or the nearest within
// its limits; setting it has an effect on controls with an activation only.
VS_API vs_error vs_world_get_activation(const vs_world *world, int index, double *activation);
VS_API vs_error vs_world_set_activation(vs_world *world, int index, double activation);

// ---- sums ------------------------------------------------------------------------------------------

typedef struct vs_energy {
    double kinetic, potential; // J; potential: gravity (zero height at z = 0) and the elastic energy
    double elastic;            // J, part of the potential energy: springs, compliant joints, strain of flexible bodies
    vs_vec3 momentum;          // N s
    vs_vec3 angular_momentum;  // N m s, about the origin
} vs_energy;
VS_API vs_energy vs_world_get_energy(const vs_world *world);
VS_API double vs_world_get_time(const vs_world *world); // s, simulated time
// Hash of the bits of poses, velocities and time.
VS_API uint64_t vs_world_get_hash(const vs_world *world);

#ifdef __cplusplus
}
#endif

#endif
