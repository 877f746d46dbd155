// Time stepping of a world: collide, assemble, solve, integrate; the error of every step is measured.
#ifndef VOUSSOIR_SIMULATION_H
#define VOUSSOIR_SIMULATION_H

#include "voussoir/outcome.h"
#include "voussoir/solver.h"
#include "voussoir/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_simulation vs_simulation;

// Action when a step does not reach the tolerance: continue with the best iterate, use the relaxed model, or stop. Such
// steps are counted and reported in every case.
typedef enum vs_on_inaccurate { VS_INACCURATE_CONTINUE, VS_INACCURATE_RELAXED, VS_INACCURATE_STOP } vs_on_inaccurate;

// Time stepping. Moreau: of first order, one contact problem per step. Shake: of second order where the motion is smooth,
// several contact problems per step with joints (docs/time.md). Quasi-static: Moreau's, but each step begins at rest, for
// slow loading; the kinetic energy that it removes counts as that of dampers.
typedef enum vs_scheme { VS_SCHEME_MOREAU, VS_SCHEME_SHAKE, VS_SCHEME_QUASI_STATIC } vs_scheme;

typedef struct vs_step_report vs_step_report;

// Energy that entered or left a world, J. The change of its kinetic and potential energy is
//
//     loads + motors + prescribed - friction - impacts - dampers - fracture + discretization
//
// Constraints of joints do no work: energy that they add or remove is due to the time discretization.
typedef struct vs_energy_flow {
    double loads;      // work done by loads; not gravity, which has a potential
    double motors;     // work done by motors of joints; negative if they brake
    double prescribed; // work done by kinematic bodies, moving surfaces and prescribed nodes
    double friction;   // dissipated by friction of contacts and joints
    double impacts;    // dissipated by impacts of rigid bodies and at limits of joints, absorbed by compliant contacts
    double dampers;    // dissipated by dampers of joints and damped elements, removed by the scheme quasi-static
    double discretization; // created (> 0) or removed (< 0) by the time discretization: the rest of the balance
    double fracture;       // taken by bonds that open and slide (bond.h)
} vs_energy_flow;

// Options of a simulation; start from vs_simulation_options_default().
typedef struct vs_simulation_options {
    double step; // s, h > 0; default 1/240
    vs_solver_options
        solver; // of the contact problems; default vs_solver_options_default(), but tolerance 0 and exact.patience
                // 1000. warm_start: use of the impulses of the last step, matched by contact identity.
                // tolerance 0: 1e-6, and 1e-3 for large granular islands (measure.h); with accuracy > 0 one for all.
                // A tolerance > 0 is that of all islands
    vs_on_inaccurate on_inaccurate; // default continue
    vs_scheme scheme;               // default Moreau
    double accuracy;          // a, up to 0.1: a step of the simulation is as many steps of controlled accuracy as it
                              // takes for errors below a times a body's size (docs/time.md); 0: one fixed step.
                              // Not with flexible bodies, nor distributed. Default 0
    double envelope;          // m, contacts are detected within this gap; 0: by size, speed and step. Default 0
    double recovery_speed;    // m/s, v_rec, largest speed that removes penetration; 0: chosen. Default 0
    double restitution_speed; // m/s, v_min, impact speed below which restitution is 0; < 0: 2 g h. Default -1
    bool project;             // project joint positions after each step; default true
    int elastic_iterations;   // largest number of problems per step, each linearized about the last; 1: once. Default 1
    double
        numerical_damping; // of flexible bodies, 0: none (midpoint rule) … 1: that of implicit Euler; < 0: 1 with the
                           // scheme moreau, 0.5 with shake (docs/time.md). Default -1
    const vs_stop_condition *stop; // (stops) each ends vs_simulation_run(); copied. Default none
    int stops;
    // Called before and after each step; false stops vs_simulation_run(). May change the world, but not step it.
    bool (*before)(void *user, vs_world *world);
    bool (*after)(void *user, vs_world *world, const vs_step_report *report);
    void *user;
} vs_simulation_options;

// One step's record.
struct vs_step_report {
    int64_t step;     // 1, 2, …
    double time;      // s, at its end
    int contacts;     // detected (within the envelope)
    int active;       // with a positive impulse
    int islands;      //
    vs_status status; // of the contact problem
    const char *status_text;
    int iterations, factorizations;
    double relative_error; // of the worst island, measured on the unscaled problem (vs_measures)
    double energy_error;   // J, of that island; 0 if it is only rounding
    double energy_scale;   // J, the reference of that island: relative to it
    double work_error;     // J, energy that contacts and joints of an island created or destroyed against their laws
    double natural_map;    //
    vs_energy energy;      // after the step
    double work;           // J, during the step: loads + motors + prescribed
    double dissipation;    // J, during the step: friction + impacts + dampers + fracture
    vs_energy_flow flow;   // during the step
    vs_energy_flow total;  // since the first step of the simulation, also over checkpoints
    double restitution_factor; // least factor on restitution; < 1: impacts of an island would have created energy
    double penetration;        // m, largest after the step (extrapolated from the gaps of its contacts)
    double joint_drift;        // m, largest violation of a joint after the step
    int elastic_iterations;    // number of problems solved
    int problems;              // the same, with those of late contacts, impacts and rejected steps
    // With accuracy > 0; else 0:
    double time_error; // m, largest estimated error of a controlled step: of positions, rotations times a body's size
    double time_error_speed; // m/s, the same of velocities, except where contacts close
    double time_error_share; // the larger of both relative to the accuracy, at most 1
    int controlled;          // number of controlled steps
    int events;              // impacts, and steps in which contacts closed
    int rejected;            // trials of steps that were repeated
    int forced;              // fixed steps where controlled ones were too many
    const char *forced_text; // the reason, or null
    int inverted;            // inverted elements of flexible solids after the step; if any, the result is not reliable
    double seconds_collide, seconds_assemble, seconds_solve, seconds_total; // wall time
    int bonds;                                                              // that hold after the step (bond.h)
    int broken;                                                             // bonds that broke in it
    // Largest growth of d within the step, over d_c; above 0.05 the step is too long for fracture energies.
    double bond_step;
    // Contacts added because bodies would have passed through each other within the step, and bodies that stopped in it
    // because they still would have: those lost the rest of its motion.
    int swept, held;
    // Size of total.discretization relative to the energies exchanged since the simulation was created: the largest kinetic energy,
    // work and dissipation; 0 if it is only rounding. Above 0.01 the steps are too long for the motion (docs/time.md).
    double discretization_share;
    // 1: the time discretization created more than 0.01 of the energies of the step, its balance does not close; else 0.
    int unbalanced;
    // Where large granular islands had a tolerance of their own, else 0: that tolerance, the number of these islands and of their
    // contacts, and the relative error of the worst other island.
    double loose_tolerance;
    int loose_islands, loose_contacts;
    double strict_error;
};

// A contact of the last step: the gap before it, impulse and velocity after it.
typedef struct vs_contact_view {
    vs_body_id a, b;
    uint64_t key;          // identity across steps
    vs_vec3 point, normal; // world axes; normal from a to b
    double gap;            // m
    vs_vec3 impulse;       // N s, on b, world axes; with accuracy > 0 the force at the end of the step times its length
    vs_vec3 velocity;      // m/s, of b relative to a, after the step, world axes
    double mu;
    vs_flexible_id flexible_a, flexible_b; // instead of a, b where a flexible body touches; else zero
    vs_vec3 moment;                        // N m s, on b, world axes: of rolling and spinning friction
    double dissipation; // J, of friction with the velocities after the step; >= 0 up to the tolerance of the solver
} vs_contact_view;

VS_API vs_simulation_options vs_simulation_options_default(void);
// Creates a simulation; destroy it with vs_simulation_destroy(). Null options: the defaults. The world must outlive the
// simulation. VS_ERROR_ARGUMENT names an option that is out of range.
VS_API vs_error vs_simulation_create(vs_world *world, const vs_simulation_options *options, vs_simulation **simulation);
VS_API void vs_simulation_destroy(vs_simulation *simulation); // null is allowed
// Advances the world by one step. report may be null. Allocates nothing while the pattern of contacts stays the same.
VS_API vs_error vs_simulation_step(vs_simulation *simulation, vs_step_report *report);
// Forgets the steps so far and continues at `time` (s) from the present state of the world, with the bits of a new simulation
// in a new world in this state: exact episodes after vs_world_set_body_state() of all bodies. Forgotten are impulses that
// warm-start, friction and bonds (mortar bonds again what touches), counters, sums of energy, contacts, events, the length of
// controlled steps, stop conditions already met, reactions of joints, forces of the next step and turns of revolute joints.
// Kept are options, stop conditions, the note, controls and commands of joints; nodes of flexible solids stay where they are
// (vs_world_set_nodes()). Close trajectories before: their time does not go back. VS_ERROR_UNSUPPORTED if it is distributed.
VS_API vs_error vs_simulation_reset(vs_simulation *simulation, double time);
// The present state as bytes: all that decides the next steps beyond the scene, as a checkpoint has it (trajectory.h). A buffer that
// is null, or too small, which is VS_ERROR_ARGUMENT, only gives the number of bytes, `count`. VS_ERROR_UNSUPPORTED if it is
// distributed.
VS_API vs_error vs_simulation_save(const vs_simulation *simulation, void *buffer, size_t capacity, size_t *count);
// Goes back to bytes of vs_simulation_save(), of this simulation or of one of an equal world with equal options: steps from there have
// the same bits again, with the same counters, sums, events, outcome and note; commands of joints and controls are those of
// then. Contacts, problem and result are there after the next step. What defines the world (bodies, shapes, materials, loads, drives) is
// not in the bytes, and must not have changed: VS_ERROR_DATA if bodies or joints have, a warning in the log if loads or
// drives have. After an error nothing has changed. Close trajectories before: their time does not go back.
VS_API vs_error vs_simulation_restore(vs_simulation *simulation, const void *bytes, size_t count);
// Steps until `time` (s) is reached, a stop condition is met, a callback returns false, or, with VS_INACCURATE_STOP, a
// step misses the tolerance.
VS_API vs_error vs_simulation_run(vs_simulation *simulation, double time);
// How it stands after the last step. VS_ERROR_UNSUPPORTED for distributed simulations, which have no stop conditions.
VS_API vs_error vs_simulation_get_outcome(const vs_simulation *simulation, vs_outcome *outcome);
// How far it is from sliding and tipping after the last step. VS_ERROR_UNSUPPORTED for distributed simulations,
// VS_ERROR_ARGUMENT if the last step failed.
VS_API vs_error vs_simulation_get_margin(const vs_simulation *simulation, vs_margin *margin);
// Contacts of the last step: k = 0 … count - 1; VS_ERROR_ARGUMENT for another k. After a step that failed there are no
// contacts, no events, no problem and no result until a step succeeds; after a state was restored, or read from a checkpoint, only
// events.
VS_API int vs_simulation_get_contact_count(const vs_simulation *simulation);
VS_API vs_error vs_simulation_get_contact_at(const vs_simulation *simulation, int k, vs_contact_view *contact);
// Contact between two bodies in the last step: it began, persisted or ended.
typedef enum vs_event_kind { VS_EVENT_BEGIN, VS_EVENT_PERSIST, VS_EVENT_END } vs_event_kind;
typedef struct vs_contact_event {
    vs_event_kind kind;
    vs_body_id a, b; // a has the lower index; of END one may have been removed
    bool sensor;     // a sensor of one of them touches the other: nothing presses
    vs_vec3 impulse; // N s, on b, world axes, sum of their contacts in the step; 0 for END and sensors
    vs_vec3 point;   // m, world axes, where it acts, weighted by the normal impulses; 0 for END and sensors
} vs_contact_event;
// Events of the last step between rigid bodies, ascending by bodies: k = 0 … count - 1. None in distributed simulations.
// Checkpoints contain them.
VS_API int vs_simulation_get_event_count(const vs_simulation *simulation);
VS_API vs_error vs_simulation_get_event_at(const vs_simulation *simulation, int k, vs_contact_event *event);
// Two rigid bodies that overlap.
typedef struct vs_overlap {
    vs_body_id a, b;
    double depth;          // m, > 0
    vs_vec3 point, normal; // world axes, where they overlap most; normal from a to b
} vs_overlap;
// Overlaps in the present state that are deeper than `least` (m; 0: 1e-4 of the smaller shape's size), one per pair of
// bodies, the deepest first. Fills at most `capacity` of them; `count` is the number of all.
VS_API vs_error vs_simulation_find_overlaps(const vs_simulation *simulation, double least, vs_overlap *overlap,
                                            int capacity, int *count);
// Moves dynamic bodies apart that overlap, without turning them, lighter ones farther than heavier ones; joints are
// satisfied again, within their limits. Velocities stay. `left`: how many overlaps could not be removed.
VS_API vs_error vs_simulation_separate(vs_simulation *simulation, int *left);
// The contact problem of the last step; owned by the simulation, valid until the next step. Null before the first.
VS_API const vs_problem *vs_simulation_get_problem(const vs_simulation *simulation);
// Its solution, with the work of each stage of the solver; valid as long. Null before the first step.
VS_API const vs_result *vs_simulation_get_result(const vs_simulation *simulation);
// A text of yours that checkpoints of the simulation keep, such as sums over its steps; copied. Null: none.
VS_API vs_error vs_simulation_set_note(vs_simulation *simulation, const char *text);
// The text that was set last, also by reading a checkpoint; "" if there is none. Valid until it is set again.
VS_API const char *vs_simulation_get_note(const vs_simulation *simulation);
// Number of steps so far that missed the tolerance, also before a checkpoint that was read.
VS_API int64_t vs_simulation_get_inaccurate_steps(const vs_simulation *simulation);

#ifdef __cplusplus
}
#endif

#endif
