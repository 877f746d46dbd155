// Internals of a world. Indices of bodies: 0 is the world itself (static, never removed), then as added; slots of
// removed bodies are reused with a higher generation.
#ifndef VS_BODY_WORLD_DATA_H
#define VS_BODY_WORLD_DATA_H

#include "shape/shape_data.h"
#include "signal/signal.h"
#include "voussoir/bond.h"
#include "voussoir/sensor.h"

typedef struct vs_load {
    struct vs_load *next; // of the same body
    vs_signal_copy force[3], torque[3];
    vs_vec3 point; // of the force, body axes, from the centre of mass
    bool follows;  // force and torque are in body axes
} vs_load;

// In a distributed world: stepped here, copied from the rank that steps it, or unknown here. Bodies without mass are
// known everywhere. Bodies that factories and sinks hold are nowhere.
typedef enum vs_place { VS_PLACE_HERE, VS_PLACE_GHOST, VS_PLACE_ABSENT } vs_place;

// How far a body is ahead of the middle of the last step, where the scheme shake keeps its velocities (step/scheme/shake.h).
typedef struct vs_lead {
    bool known;                      // false: no kick since the body was added or placed
    vs_vec3 velocity, spin;          // m/s, world axes; rad/s, body axes
    vs_vec3 reaction, reaction_spin; // the same: change by contacts and joints in the last kick
} vs_lead;

typedef struct vs_body {
    uint32_t generation; // 0 for the world
    bool alive;
    bool absent; // waits in a factory, or was taken by a sink (gate/gate.h): takes no part in anything
    vs_motion motion;
    vs_pose pose;
    vs_vec3 velocity;                 // m/s, world axes
    vs_vec3 spin;                     // rad/s, body axes
    vs_vec3 held;                     // rad/s, predicted part of spin: vs_body_advance(). Kept in checkpoints
    vs_vec3 free_spin;                // rad/s, last result of vs_body_free(), used by vs_body_advance()
    vs_lead lead;                     // scheme shake
    double mass;                      // kg; 0 unless dynamic
    vs_mat3 inertia, inverse_inertia; // body axes; 0 unless dynamic
    vs_vec3 force, torque;            // N, N m, world axes; during the next step only
    vs_load *loads;
    vs_vec3 old_velocity, old_spin; // kinematic: of the previous step, set by vs_world_drive()
    bool driven;                    // kinematic, by
    vs_signal_copy drive[6];        // velocity, spin; world axes
    struct vs_servo *servo;         // owned, or null (servo/servo.h)
    int first_collider;             // list, -1: none
    int joints;                     // number of joints
    int first_joint;                // list of their ends: 2 joint + (0: its a, 1: its b), -1: none
    int first_control;              // 1 + the first of the controls that push it, 0: none
    int cables;                     // number of cables that act on it
    char *name;                     // null or owned
} vs_body;

typedef struct vs_collider {
    uint32_t generation;
    bool alive;
    int body;
    int next, previous; // collider of the same body, -1: none
    vs_shape *shape;
    vs_pose pose; // in the body's axes
    int material;
    uint32_t group, mask;
    vs_vec3 surface_velocity;
    vs_vec3 grain; // unit, or 0
    bool sensor;   // it has no contacts
} vs_collider;

// A motor as its joint was added, where commands have replaced it.
typedef struct vs_defined_motor {
    bool commanded, tuned; // by another motor and target; by other gains
    vs_motor_kind motor;
    vs_signal_copy target;
    double stiffness, damping;
} vs_defined_motor;

typedef struct vs_joint {
    uint32_t generation;
    bool alive;
    vs_joint_def def; // target's table and name belong to the next two; def.a, def.b as passed
    int a, b;         // bodies
    vs_signal_copy target;
    vs_signal_copy curve;     // of a cam
    vs_defined_motor defined; // joint_command.c
    char *name;
    vs_vec3 force, torque;    // reaction on b, frame A, of the last step
    double effort;            // N or N m, of the motor in the last step, unless it is commanded
    double angle;             // rad, of the last step: revolute angles count turns
    int next[2], previous[2]; // ends of joints of body a and of body b, -1: none
    int gears;                // number of gears and cables that couple it
    struct vs_cable *cable;   // of a cable: points and terms of def belong to it (cable/cable.h)
} vs_joint;

typedef struct vs_control {
    vs_control_def def; // its name belongs to the next
    char *name;         // null or owned
    double value;       // within the limits
    double acts;        // the activation, or the value without one
    int next;           // 1 + the next one that pushes the same body; 0: none
} vs_control;

typedef struct vs_sensor {
    vs_sensor_def def;      // its name belongs to the next
    char *name;             // null or owned
    int offset, count;      // of its numbers
    vs_vec3 velocity, spin; // of its frame before the step, world axes
    // of the last step:
    vs_vec3 acceleration, spin_rate;
    double touch; // N
} vs_sensor;

typedef struct vs_material_pair {
    int a, b; // a <= b
    vs_material material;
} vs_material_pair;

typedef struct vs_mortar {
    vs_mortar_def def; // body is the next
    vs_body_id *body;  // (def.bodies) owned
} vs_mortar;

// Pairs of bodies without contacts: those ignored by the user, and those connected by a joint. A hash set of (low,
// high). A pair is forgotten when one of its bodies is removed: the generations no longer fit.
typedef struct vs_pair {
    uint64_t key;             // 0: empty; (low << 32 | high) + 1
    uint32_t generation[2];   // of low and high
    uint32_t ignored, joints; // by the user: 0 or 1; number of joints
} vs_pair;
typedef struct vs_pair_set {
    vs_pair *slot;
    int capacity, count; // capacity 0 or a power of two; count: slots with a key
} vs_pair_set;

// Slots of an array in use: a tree of sums, so that the k-th one in use and the first free one are found in
// logarithmic time.
typedef struct vs_slots {
    int *tree; // (capacity + 1) Fenwick tree of 0 and 1
    int capacity, used;
} vs_slots;

// Names to indices, by hashing. The text belongs to the named object.
typedef struct vs_name {
    const char *text; // null: empty
    int index;        // -1: removed
} vs_name;
typedef struct vs_names {
    vs_name *slot;
    int capacity, count; // capacity 0 or a power of two; count: slots with a text, removed ones included
} vs_names;

struct vs_flexible; // flexible_data.h
struct vs_gate;     // gate/gate.h

struct vs_world {
    vs_context *context;
    vs_vec3 gravity;                  // m/s^2, of the last step if it changes
    vs_vec3 period;                   // m, after which space repeats itself (period.h); 0: it does not
    vs_signal_copy gravity_signal[3]; // by which it then changes: vs_world_update_gravity()
    double time;
    vs_body *body;
    int bodies;           // slots
    bool gravity_changes; // it is a signal
    int64_t body_capacity;
    vs_collider *collider;
    int colliders;
    int64_t collider_capacity;
    vs_joint *joint;
    int joints;
    int first_cable; // 1 + joint, 0: none
    int controls;
    int64_t joint_capacity;
    vs_control *control; // (controls)
    int64_t control_capacity;
    vs_sensor *sensor; // (sensors)
    int64_t sensor_capacity;
    int sensors, sensor_size; // how many, and how many numbers
    struct vs_flexible *flexible;
    int flexibles; // slots
    int64_t flexible_capacity;
    vs_material *material;
    char **material_name;
    int materials;
    int64_t material_capacity;
    vs_material_pair *pair; // (pairs) those that the user sets
    int pairs;
    int64_t pair_capacity;
    vs_material *kept; // what holds between two materials: vs_world_material_between()
    int64_t kept_capacity;
    vs_mortar *mortar;
    int mortars;
    int64_t mortar_capacity;
    struct vs_gate *gate; // (gates)
    int gates;
    int64_t gate_capacity;
    vs_pair_set ignored;
    vs_slots body_slots, collider_slots, joint_slots, flexible_slots;
    vs_names body_names, joint_names, control_names, sensor_names, material_names, flexible_names, gate_names;
    struct vs_tree_projection
        *tree_projection; // of positions by coordinates of the joints (tree_projection.h), between steps; may be null
    struct vs_projection_memory
        *projection;            // of positions onto the joints (projection_memory.h), between steps; may be null
    const unsigned char *place; // (bodies) a vs_place each, null: all are here. Not owned
    uint64_t topology;          // counts changes of bodies, colliders, joints and prescribed nodes, for caches
};

// Does it exist, and is it in the scene?
static inline bool vs_body_takes_part(const vs_body *body) {
    return body->alive && !body->absent;
}

// Does a kind couple the coordinates of two other joints?
static inline bool vs_joint_kind_couples(vs_joint_kind kind) {
    return kind == VS_JOINT_GEAR || kind == VS_JOINT_CAM;
}

static inline vs_place vs_world_place(const vs_world *world, int body) {
    if (world->body[body].absent)
        return VS_PLACE_ABSENT;
    return world->place ? (vs_place)world->place[body] : VS_PLACE_HERE;
}

// Are the bodies of a joint stepped here? They are always on the same rank.
static inline bool vs_world_joint_is_here(const vs_world *world, const vs_joint *joint) {
    if (!world->place)
        return true;
    if (vs_joint_kind_couples(joint->def.kind))
        return vs_world_joint_is_here(world, &world->joint[joint->def.joint_a.index]) &&
               vs_world_joint_is_here(world, &world->joint[joint->def.joint_b.index]);
    return world->place[joint->a] == VS_PLACE_HERE && world->place[joint->b] == VS_PLACE_HERE;
}

// Hash of all functions of time: gravity, drives, loads, motors, prescribed nodes.
uint64_t vs_world_hash_signals(const vs_world *world);

bool vs_world_ignores(const vs_world *world, int a, int b);
// May they have contacts: different bodies, not both without mass, filters, not ignored?
bool vs_world_may_collide(const vs_world *world, const vs_collider *a, const vs_collider *b);
vs_pose vs_collider_pose(const vs_world *world, const vs_collider *collider); // in the world

// Advances the activations of all controls by h and commands them (control.c).
void vs_controls_advance(vs_world *world, double h);
// Adds the pushes of a body's controls (control.c): N, N m, world axes, at its centre of mass.
void vs_control_push(const vs_world *world, int body, vs_vec3 *force, vs_vec3 *torque);

// ---- materials (materials.c) -----------------------------------------------------------------------

bool vs_world_has_material(const vs_world *world, int index);
// What holds between two materials: the one that is kept, or made in `room`. Valid until a material or pair is added.
const vs_material *vs_world_material_between(const vs_world *world, int a, int b, vs_material *room);
const vs_material *vs_world_material_of(const vs_world *world, int collider_a, int collider_b, vs_material *room);
// Is the contact of two colliders soft?
bool vs_world_meets_softly(const vs_world *world, int collider_a, int collider_b);
// Is there such a material or pair?
bool vs_world_remembers_friction(const vs_world *world);
bool vs_world_has_soft_contacts(const vs_world *world);

// ---- parts of a world (registry.c) -----------------------------------------------------------------

// Index of an id, -1 if it is stale. The zero id is body 0.
int vs_world_body_index(const vs_world *world, vs_body_id id);
int vs_world_joint_index(const vs_world *world, vs_joint_id id);

// A free slot, `index`, of an array with elements of `size` bytes, of which `slots` says which are in use; `data` is the
// address of the pointer to them. Slots and array grow if all are in use.
vs_error vs_slots_make_room(vs_context *context, vs_slots *slots, void *data, int64_t *capacity, size_t size,
                            int *index);
void vs_slots_set(vs_slots *slots, int index, bool used);
int vs_slots_first_free(const vs_slots *slots);  // capacity if all are in use
int vs_slots_find(const vs_slots *slots, int k); // index of the k-th (0, 1, …) in use
void vs_slots_release(vs_context *context, vs_slots *slots);

int vs_names_find(const vs_names *names, const char *text); // -1: none
vs_error vs_names_add(vs_context *context, vs_names *names, const char *text, int index);
void vs_names_remove(vs_names *names, const char *text);
void vs_names_release(vs_context *context, vs_names *names);

// The pair of two existing bodies; null if it is not in the set. vs_pair_add() adds it if needed, null without memory.
vs_pair *vs_pair_find(const vs_world *world, int a, int b);
vs_pair *vs_pair_add(vs_world *world, int a, int b);

// ---- removal of a part of a world ----------------------------------------------------------------

void vs_world_drop_collider(vs_world *world, int index);
void vs_world_drop_joint(vs_world *world, int index); // and the gears that couple it
void vs_joint_release(vs_context *context, vs_joint *joint);

// ---- motion over a step (motion.c) -----------------------------------------------------------------
//
// A step is a kick and a drift. Kick: forces, loads and the impulses of contacts and joints act at the pose of the
// beginning; H = diag(m, I) in its axes, and the contact problem gives velocity and spin. Drift: vs_body_advance()
// moves the pose by h. A freely rotating body changes its spin during the drift (the gyroscopic part), so that the
// drift conserves momentum in space and kinetic energy, both to roundoff: f has no gyroscopic term.

// Force (N) and torque (N m), world axes, that loads and the user exert at a time (s); without gravity.
void vs_body_loads(const vs_world *world, int body, double time, vs_vec3 *force, vs_vec3 *torque);
// The same with the efforts that are commanded to joints.
void vs_body_push(const vs_world *world, int body, double time, vs_vec3 *force, vs_vec3 *torque);
// Velocity and spin (body axes) of a dynamic body after a kick of h (s) with the loads of a time, without contacts and joints:
// v + h (f/m + gravity), spin + h I^-1 torque. Keeps the spin in body->free_spin.
void vs_body_free(const vs_world *world, int body, double h, double time, vs_vec3 *velocity, vs_vec3 *spin);
// Moves the pose by h with the present velocity and spin: x += h v, q <- q exp(h mean spin), where the mean is that of
// the torque-free Lie-midpoint step (Simo and Wong 1991) from the present spin, and sets the spin at the end.
// The change of spin by contacts and joints since vs_body_free() shows how far they oppose the gyroscopic change; as
// much is predicted for the next step: it is part of spin (kept in body->held, removed again by vs_body_free()) and of
// the mean spin. Otherwise a shaft in a bearing would wobble and lose energy.
void vs_body_advance(vs_body *body, double h);
// The same without a prediction.
void vs_body_drift(vs_body *body, double h);
// m/s, world axes, of a point that moves with a body.
vs_vec3 vs_body_point_velocity(const vs_body *body, vs_vec3 point);
// Sets gravity to its mean over h from a time on, or its value (h = 0), if it is a signal.
void vs_world_update_gravity(vs_world *world, double begin, double h);
// Sets velocities of driven kinematic bodies for the step from t to t + h: their mean; h = 0: those at t.
void vs_world_drive(vs_world *world, double h);
// After a step: clears the forces of the step, time += h.
void vs_world_finish_step(vs_world *world, double h);
// Forgets earlier steps, as if the world had been made in its present state at this time. Commands of joints and controls stay.
void vs_world_forget_steps(vs_world *world, double time);

#endif
