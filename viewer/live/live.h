// A live simulation for the browser: plain functions, one handle, arrays of numbers. README.md lists them for callers in
// JavaScript; the same code compiles for any system, so that a page and a native program can be compared bit by bit.
//
// Arrays belong to the handle. Those of `live_refresh` calls (load, throw, remove) and of each step replace the old ones:
// fetch the pointers again after every call that changes the state.
#ifndef VOUSSOIR_LIVE_H
#define VOUSSOIR_LIVE_H

#include <stdint.h>

#include "voussoir/simulation.h"

typedef struct live live;

// ---- named scenes ---------------------------------------------------------------------------------------------

int live_scene_count(void);
const char *live_scene_name(int scene);
const char *live_scene_description(int scene);
int live_scene_parameter_count(int scene);
const char *live_scene_parameter_name(int scene, int k);
double live_scene_parameter_default(int scene, int k);

// ---- life of a simulation -------------------------------------------------------------------------------------

// A named scene, or the text of a scene file (JSON). parameters: "mu=0.5 stones=17", "" or null for the defaults; budget: s
// of computing per step, 0: unlimited. Null: failed, live_error() says why.
live *live_load(const char *name, const char *parameters, double budget);
live *live_load_text(const char *text, const char *parameters, double budget);
void live_destroy(live *l);      // null is allowed
const char *live_error(void);    // text of the last failure
const char *live_version(void);  // of the library
const char *live_title(live *l); // name of the scene

// Advances by one step; 0, or the number of a vs_error.
int live_step(live *l);
// Numbers of the last step, LIVE_NUMBERS of them in the order of the enumeration below.
const double *live_numbers(live *l);
// Hash of all poses, velocities, times and impulses since the beginning: 16 hexadecimal digits.
const char *live_hash(live *l);

enum {
    LIVE_STEP,           // number of the step: 0 before the first
    LIVE_TIME,           // s
    LIVE_STEP_SIZE,      // s
    LIVE_CONTACTS,       // detected
    LIVE_ACTIVE,         // with a positive impulse
    LIVE_ISLANDS,        //
    LIVE_STATUS,         // a vs_status: 0 converged
    LIVE_ITERATIONS,     //
    LIVE_RELATIVE_ERROR, // certificate: energy error of the worst island over its reference
    LIVE_ENERGY_ERROR,   // J
    LIVE_WORK_ERROR,     // J
    LIVE_NATURAL_MAP,    //
    LIVE_PENETRATION,    // m
    LIVE_JOINT_DRIFT,    // m
    LIVE_KINETIC,        // J
    LIVE_POTENTIAL,      // J
    LIVE_DISSIPATION,    // J, during the step
    LIVE_SECONDS,        // s, wall time of the step
    LIVE_INACCURATE,     // steps so far that missed the tolerance
    LIVE_DURATION,       // s, suggested by the scene
    LIVE_GRAVITY_X,      // m/s^2
    LIVE_GRAVITY_Y,
    LIVE_GRAVITY_Z,
    LIVE_FACTORIZATIONS,
    LIVE_ENERGY_SCALE, // J, the reference of the worst island
    LIVE_WORK,         // J, during the step
    LIVE_TERMS,        // J, the terms of the energy balance since the beginning, in the order of vs_energy_flow
    LIVE_NUMBERS = LIVE_TERMS + sizeof(vs_energy_flow) / sizeof(double)
};

// ---- state: rows are bodies, contacts, joints ------------------------------------------------------------------

int live_body_count(live *l);
const char *live_body_name(live *l, int body);
const int32_t *live_body_motion(live *l);     // (bodies) 0 dynamic, 1 kinematic, 2 static
const double *live_body_mass(live *l);        // (bodies) kg
const double *live_body_inertia(live *l);     // (9 bodies) kg m^2, body axes
const double *live_body_pose(live *l);        // (7 bodies) x y z, w x y z
const double *live_body_velocity(live *l);    // (6 bodies) m/s, rad/s, world axes
int live_contact_count(live *l);              //
const int32_t *live_contact_body(live *l);    // (2 contacts) -1: the world, -3 - k: flexible solid k
const double *live_contact_point(live *l);    // (3 contacts) m
const double *live_contact_normal(live *l);   // (3 contacts) from the first to the second
const double *live_contact_impulse(live *l);  // (3 contacts) N s on the second
const double *live_contact_velocity(live *l); // (3 contacts) m/s
const double *live_contact_gap(live *l);      // (contacts) m
const double *live_contact_friction(live *l); // (contacts) coefficient
int live_joint_count(live *l);
const char *live_joint_name(live *l, int joint);
const int32_t *live_joint_kind(live *l);    // (joints)
const int32_t *live_joint_body(live *l);    // (2 joints) -1: the world
const double *live_joint_frame(live *l);    // (14 joints) frame in the axes of either body
const double *live_joint_reaction(live *l); // (6 joints) N, N m on the second, in the frame of the first

// ---- geometry --------------------------------------------------------------------------------------------------

int live_collider_count(live *l);
const int32_t *live_collider_body(live *l);  // (colliders) -1: the world
const int32_t *live_collider_shape(live *l); // (colliders)
const double *live_collider_pose(live *l);   // (7 colliders) in the body's axes
int live_shape_count(live *l);
const int32_t *live_shape_kind(live *l);            // (shapes) a vs_shape_kind
const double *live_shape_size(live *l);             // (3 shapes) radius; half sides, semi axes; radius and half length
const double *live_shape_bounds(live *l);           // (6 shapes) low x y z, high x y z; 0 for planes
const int32_t *live_shape_vertex_offset(live *l);   // (shapes + 1) hulls, meshes, height fields have vertices
const double *live_shape_vertex(live *l);           // (3 vertices)
const int32_t *live_shape_triangle_offset(live *l); // (shapes + 1)
const int32_t *live_shape_triangle(live *l);        // (3 triangles) vertices of the shape itself
int live_solid_count(live *l);                      // flexible solids
const int32_t *live_solid_node_offset(live *l);     // (solids + 1)
const double *live_solid_rest(live *l);             // (3 nodes) m, without strain
const double *live_solid_position(live *l);         // (3 nodes) m
const double *live_solid_velocity(live *l);         // (3 nodes) m/s
const double *live_solid_stress(live *l);           // (nodes) Pa, von Mises
const double *live_solid_pressure(live *l);         // (nodes) Pa, of contacts
const int32_t *live_solid_triangle_offset(live *l); // (solids + 1)
const int32_t *live_solid_triangle(live *l);        // (3 triangles) nodes of the solid itself

// ---- interaction: 0, or the number of a vs_error ---------------------------------------------------------------

int live_set_gravity(live *l, double x, double y, double z);
int live_set_velocity(live *l, int body, double vx, double vy, double vz, double wx, double wy, double wz);
int live_set_pose(live *l, int body, double x, double y, double z, double qw, double qx, double qy, double qz);
// Pulls a point of a body (body axes, from the centre of mass) to a target (world) by a critically damped spring of the
// given frequency (Hz; 2 is a firm hand), in every step until live_release(). One body at a time.
int live_pull(live *l, int body, double px, double py, double pz, double tx, double ty, double tz, double frequency);
void live_release(live *l);
// A new ball: its row, or -1. It is the last body.
int live_throw(live *l, double radius, double density, double x, double y, double z, double vx, double vy, double vz);
int live_remove(live *l, int body); // rows behind it move up

#endif
