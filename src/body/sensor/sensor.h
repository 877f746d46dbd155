// Sensors within the library: their values, and what they remember of a step.
#ifndef VS_BODY_SENSOR_H
#define VS_BODY_SENSOR_H

#include "body/joint_command.h"
#include "body/world_data.h"

// Motion of a frame, world axes.
typedef struct vs_frame_motion {
    vs_pose pose;
    vs_vec3 velocity, spin;
} vs_frame_motion;

vs_frame_motion vs_frame_motion_of(const vs_world *world, vs_body_id body, const vs_pose *pose);
// Does it remember something of each step?
bool vs_sensor_follows_steps(const vs_sensor *sensor);
// Applies the cutoff.
void vs_sensor_cut(const vs_sensor *sensor, double *value);
// Writes the numbers of a sensor, before the cutoff; not of a range.
void vs_sensor_measure(const vs_world *world, const vs_sensor *sensor, double *value);
void vs_sensors_release(vs_world *world);

#endif
