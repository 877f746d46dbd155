// The array of all sensors: ranges are rays, the rest follows from motions and forces (body/sensor/sensor_value.c).
#include "body/sensor/sensor.h"
#include "shape/ray.h"
#include "voussoir/sensor.h"

// Distance along z of the frame to the first shape of another body.
static double measure_range(const vs_world *world, const vs_sensor_def *def) {
    const vs_frame_motion m = vs_frame_motion_of(world, def->body, &def->pose);
    const vs_vec3 along = vs_rotate(m.pose.rotation, (vs_vec3){0, 0, 1});
    double least = def->reach;
    bool found = false;
    for (int k = 0; k < world->colliders; k++) {
        const vs_collider *c = &world->collider[k];
        if (!c->alive || world->body[c->body].absent || (c->body == (int)def->body.index && c->body > 0))
            continue;
        const vs_pose pose = vs_collider_pose(world, c);
        const vs_ray ray = {vs_pose_apply_back(pose, m.pose.position), vs_rotate_back(pose.rotation, along), least};
        vs_ray_hit hit;
        if ((vs_shape_is_bounded(c->shape) && !vs_ray_meets_box(&ray, &c->shape->bounds)) ||
            !vs_ray_meets(&ray, c->shape, &hit))
            continue;
        found = true;
        least = hit.distance;
    }
    return found ? least : -1;
}

vs_error vs_world_get_sensors(const vs_world *world, double *value) {
    if (!world || (!value && world->sensor_size > 0))
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "sensors: an argument is null");
    for (int k = 0; k < world->sensors && value; k++) {
        const vs_sensor *sensor = &world->sensor[k];
        double *at = value + sensor->offset;
        if (sensor->def.kind == VS_SENSOR_RANGE)
            *at = vs_world_body_index(world, sensor->def.body) < 0 ? 0 : measure_range(world, &sensor->def);
        else
            vs_sensor_measure(world, sensor, at);
        vs_sensor_cut(sensor, at);
    }
    return VS_OK;
}
