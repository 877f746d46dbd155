// Simulation of a world: collide, assemble, solve, apply, integrate; every step is certified.
#ifndef VOUSSOIR_SIMULATION_H
#define VOUSSOIR_SIMULATION_H

#include "voussoir/solver.h"
#include "voussoir/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_simulation vs_simulation;

// Reaction to a step that does not reach the tolerance. It is counted and reported in every case.
typedef enum vs_on_inaccurate { VS_INACCURATE_CONTINUE, VS_INACCURATE_RELAXED, VS_INACCURATE_STOP } vs_on_inaccurate;

typedef struct vs_step_report vs_step_report;

typedef struct vs_simulation_options {
    double step;                 // s, h > 0; default 1/240
    vs_solver_options solver;    // of the contact problems; default vs_solver_options_default(). Its warm_start is that
                                 // of each step: impulses of the last one, matched by contact identity
    vs_on_inaccurate inaccurate; // default continue with the iterate of least error
    double envelope;             // m, contacts are found within this gap; 0: chosen by size, speed and step. Default 0
    double recovery_speed;       // m/s, v_rec, largest speed of removing penetration; 0: chosen. Default 0
    double restitution_speed;    // m/s, v_min, below which there is no restitution; < 0: 2 g h. Default -1
    bool project;                // project joint positions after each step; default true
    int elastic_iterations;      // most problems per step, each with flexible solids relinearized; 1: once. Default 1
    // Called before and after each step; false stops vs_simulation_run(). May change the world.
    bool (*before)(void *user, vs_world *world);
    bool (*after)(void *user, vs_world *world, const vs_step_report *report);
    void *user;
} vs_simulation_options;

// Report of one step.
struct vs_step_report {
    int64_t step;     // 1, 2, …
    double time;      // s, at its end
    int contacts;     // found (within the envelope)
    int active;       // with a positive impulse
    int islands;      //
    vs_status status; // of the contact problem
    const char *status_text;
    int iterations, factorizations;
    double energy_error;    // J, measured on the unscaled problem
    double energy_scale;    // J, e0
    double natural_map;     //
    vs_energy energy;       // after the step
    double dissipation;     // J lost in contacts, joint friction, dampers and damped elements during the step
    double work;            // J done by loads, motors and prescribed motion
    double work_prescribed; // J, the part of it by kinematic bodies, moving surfaces and prescribed nodes
    double penetration;     // m, largest after the step (gaps of its contacts, extrapolated)
    double joint_drift;     // m, largest constraint drift of a joint after the step
    int elastic_iterations; // problems that were solved
    int inverted;           // inverted elements of flexible solids after the step: if any, the result is unreliable
    double seconds_collide, seconds_assemble, seconds_solve, seconds_total; // wall time
};

// A contact of the last step; impulses are those of the step, the gap is before it.
typedef struct vs_contact_view {
    vs_body_id a, b;
    uint64_t key;          // identity across steps
    vs_vec3 point, normal; // world axes; normal from a to b
    double gap;            // m
    vs_vec3 impulse;       // N s, on b, world axes
    vs_vec3 velocity;      // m/s, of b relative to a, after the step, world axes
    double mu;
    vs_flexible_id flexible_a, flexible_b; // instead of a, b for flexible bodies; else zero
} vs_contact_view;

VS_API vs_simulation_options vs_simulation_options_default(void);
// The world must outlive the simulation.
VS_API vs_error vs_simulation_create(vs_world *world, const vs_simulation_options *options, vs_simulation **simulation);
VS_API void vs_simulation_destroy(vs_simulation *simulation);
// One step. report may be null. While the pattern of contacts stays the same nothing is allocated.
VS_API vs_error vs_simulation_step(vs_simulation *simulation, vs_step_report *report);
// Steps until `time` is reached, a callback stops it or, with VS_INACCURATE_STOP, a step is not solved.
VS_API vs_error vs_simulation_run(vs_simulation *simulation, double time);
VS_API int vs_simulation_get_contact_count(const vs_simulation *simulation);
VS_API vs_error vs_simulation_get_contact_at(const vs_simulation *simulation, int k, vs_contact_view *contact);
// The problem of the last step, for capture: valid until the next step. Null before the first.
VS_API const vs_problem *vs_simulation_get_problem(const vs_simulation *simulation);
VS_API int64_t vs_simulation_get_inaccurate_steps(const vs_simulation *simulation);

#ifdef __cplusplus
}
#endif

#endif
