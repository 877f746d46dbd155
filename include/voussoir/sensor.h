// Sensors: what a robot measures of itself and its surroundings, as one array of numbers.
//
// All follow from the present state and the last step; they change nothing. Accelerations are changes of velocity in the last
// step over its length, so that impacts count; they, forces, efforts and touch are zero before the first step. A frame is that
// of a body (zero: the world) with a pose in its axes. Noise and delays are left to the user.
#ifndef VOUSSOIR_SENSOR_H
#define VOUSSOIR_SENSOR_H

#include "voussoir/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum vs_sensor_kind {
    // of a joint, or of a control's joint; times `gear`, plus `offset` for positions
    VS_SENSOR_JOINT_POSITION, // rad, m                                                         1
    VS_SENSOR_JOINT_VELOCITY, // rad/s, m/s                                                     1
    VS_SENSOR_JOINT_EFFORT,   // N m, N, of its motor in the last step                          1
    VS_SENSOR_BALL_ROTATION,  // quaternion of B in A of a spherical joint                      4
    VS_SENSOR_BALL_SPIN,      // rad/s, of B in A, axes of B                                    3
    VS_SENSOR_CONTROL,        // value of a control, times `gear`                               1
    // of a frame, in its axes
    VS_SENSOR_GYRO,          // rad/s, spin                                                     3
    VS_SENSOR_ACCELEROMETER, // m/s^2, acceleration less gravity                                3
    VS_SENSOR_VELOCIMETER,   // m/s                                                             3
    VS_SENSOR_VECTOR,        // `vector`, constant in world axes: a magnetometer                3
    VS_SENSOR_FORCE,         // N, of `joint` on the frame's body, which it joins, in the last step  3
    VS_SENSOR_TORQUE,        // N m, likewise, about the frame's origin                         3
    VS_SENSOR_TOUCH,         // N, normal forces of the contacts of its body whose lines of action meet `zone`  1
    VS_SENSOR_RANGE,         // m, along z to the first shape of another body; -1: none within `reach`   1
    // of a frame, in the axes of another one (`reference`) and relative to it
    VS_SENSOR_POSITION, // m                                                                   3
    VS_SENSOR_ROTATION, // quaternion                                                          4
    VS_SENSOR_AXIS,     // its axis number `axis`                                              3
    VS_SENSOR_VELOCITY, // m/s                                                                 3
    VS_SENSOR_SPIN,     // rad/s                                                               3
    // of a frame, in world axes
    VS_SENSOR_ACCELERATION, // m/s^2, less gravity                                              3
    VS_SENSOR_SPIN_RATE,    // rad/s^2                                                          3
    // of the dynamic bodies from `body` to `last` (order of vs_world_get_body_at()), world axes
    VS_SENSOR_CENTRE,           // m, centre of mass                                            3
    VS_SENSOR_CENTRE_VELOCITY,  // m/s                                                          3
    VS_SENSOR_ANGULAR_MOMENTUM, // N m s, about the centre of mass                              3
    VS_SENSOR_TIME              // s                                                            1
} vs_sensor_kind;

typedef struct vs_sensor_def {
    const char *name;     // unique or null; copied
    vs_sensor_kind kind;  //
    vs_joint_id joint;    //
    int control;          // default -1
    double gear, offset;  // default 1, 0
    vs_body_id body;      // of the frame
    vs_pose pose;         // of the frame in the body's axes, from its centre of mass; default identity
    vs_body_id reference; // zero: the world
    vs_pose at_reference; // the other frame in the axes of the reference; default identity
    vs_body_id last;      // zero: `body` alone; with a zero body too: all
    int axis;             // 0, 1, 2
    vs_vec3 vector;       //
    vs_shape *zone;       // in the frame; retained as long as the world exists
    double reach;         // m; default 1e6
    double cutoff;        // values are limited to -cutoff … cutoff; 0, the default: not. Not of quaternions and axes
} vs_sensor_def;

VS_API vs_sensor_def vs_sensor_def_default(void);
// Sensors are numbered from 0 in the order of their addition and exist as long as the world.
VS_API vs_error vs_world_add_sensor(vs_world *world, const vs_sensor_def *def, int *index);
VS_API int vs_world_get_sensor_count(const vs_world *world);
VS_API int vs_world_find_sensor(const vs_world *world, const char *name); // -1: none
VS_API vs_error vs_world_get_sensor_def(const vs_world *world, int index, vs_sensor_def *def);
// The place of a sensor's numbers in the array: the first one, and how many there are.
VS_API vs_error vs_world_get_sensor_place(const vs_world *world, int index, int *offset, int *count);
VS_API int vs_world_get_sensor_size(const vs_world *world); // of the array
// Measures all of them at once; `value` has vs_world_get_sensor_size() numbers. Those of removed bodies and joints are 0.
VS_API vs_error vs_world_get_sensors(const vs_world *world, double *value);

#ifdef __cplusplus
}
#endif

#endif
