// Batches: simulations of equal worlds, stepped together on the threads of a context, with arrays in and out.
//
//     for (int k = 0; k < n; k++) {                     // a context for each world
//         vs_context_create(NULL, &own[k]);
//         vs_scene_make(own[k], "gripper", NULL, 0, &scene[k]);
//         vs_simulation_create(scene[k]->world, &scene[k]->options, &simulation[k]);
//     }
//     vs_batch_create(context, simulation, n, &batch);  // context: the threads
//     vs_batch_set_controls(batch, value);              // (n x controls)
//     vs_batch_step(batch, NULL, 4, report);            // (n)
//     vs_batch_get_bodies(batch, state);                // (n x bodies)
//
// World k has the bits that it has alone, for any number of threads. Between calls the worlds and simulations may be used as
// any others: read, changed, saved (vs_simulation_save()), stepped.
//
// A failing world does not stop the others. Every function does all worlds and then returns the error of the first one
// that failed, with "world 3: …" as the text of the batch's context.
#ifndef VOUSSOIR_BATCH_H
#define VOUSSOIR_BATCH_H

#include "voussoir/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_batch vs_batch;

// The steps of one world in a call of vs_batch_step().
typedef struct vs_batch_report {
    vs_error error;        // of the step that failed, which was its last; the text is in the world's context
    vs_run_end end;        // why its last step was the last one; VS_RUN_CONTINUES: it can take more
    vs_status status;      // of the last step that missed the tolerance; VS_STATUS_CONVERGED: none
    int steps, inaccurate; // steps taken; those of them that missed the tolerance
    int contacts;          // of the last step, detected
    double time;           // s, of the world
    double relative_error; // largest of its steps
    double penetration;    // m, likewise
} vs_batch_report;

// Creates a batch of `worlds` simulations, each with a context of its own, which is not the batch's; destroy it with
// vs_batch_destroy(). The simulations are borrowed, and their present states are those that vs_batch_reset() returns to.
// VS_ERROR_ARGUMENT if contexts are shared, or if worlds differ in their number of bodies, joints or controls; what these
// are may differ. Allocators and logs of the contexts are called by several threads: give contexts separate ones, or such
// that are made for it (the defaults are).
VS_API vs_error vs_batch_create(vs_context *context, vs_simulation *const *simulation, int worlds, vs_batch **batch);
VS_API void vs_batch_destroy(vs_batch *batch); // not the simulations; null is allowed

// which (worlds), here and below: the worlds concerned; null: all of them.
// Advances worlds by `steps` steps, fewer if one fails, a stop condition is met, a callback of its simulation returns
// false, or, with VS_INACCURATE_STOP, a step misses the tolerance. report (worlds) may be null; rows of other worlds are left
// as they are. Callbacks of simulations are called by several threads.
VS_API vs_error vs_batch_step(vs_batch *batch, const bool *which, int steps, vs_batch_report *report);

// Takes the present states as those that vs_batch_reset() returns to.
VS_API vs_error vs_batch_mark_start(vs_batch *batch, const bool *which);
// Returns to the start, as vs_simulation_restore() does: the next steps have the bits of the first ones.
VS_API vs_error vs_batch_reset(vs_batch *batch, const bool *which);
// Goes to the same bytes of vs_simulation_save() in all of these worlds, for instance to try several continuations.
VS_API vs_error vs_batch_restore(vs_batch *batch, const bool *which, const void *bytes, size_t count);

// Values of all controls (worlds x controls), as vs_world_set_control().
VS_API vs_error vs_batch_set_controls(vs_batch *batch, const double *value);
VS_API vs_error vs_batch_get_controls(const vs_batch *batch, double *value);
// Commands motors of joints (worlds x joints), as vs_world_set_joint_target(), _speed() or _effort() by the kind of `motor`.
// NaN leaves a joint as it is, hence joints without a coordinate too.
VS_API vs_error vs_batch_command_joints(vs_batch *batch, vs_motor_kind motor, const double *value);

// Poses and velocities of all bodies (worlds x bodies), in the order of vs_world_get_body_at().
VS_API vs_error vs_batch_get_bodies(const vs_batch *batch, vs_body_state *state);
// Coordinate and rate of all joints (worlds x joints x 2), in the order of vs_world_get_joint_at(), as
// vs_world_get_joint_coordinate().
VS_API vs_error vs_batch_get_joints(const vs_batch *batch, double *motion);
// Efforts of the motors in the last step (worlds x joints), as vs_world_get_joint_effort().
VS_API vs_error vs_batch_get_efforts(const vs_batch *batch, double *effort);
// Numbers of all sensors (worlds x vs_world_get_sensor_size()), as vs_world_get_sensors().
VS_API vs_error vs_batch_get_sensors(const vs_batch *batch, double *value);

#ifdef __cplusplus
}
#endif

#endif
