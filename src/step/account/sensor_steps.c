// Accelerations of the frames of sensors, a = (v(t + h) - v(t))/h in world axes, and the normal forces of contacts whose line of
// action, from the point towards the sensor's body, meets the zone of a sensor of touch.
#include "step/account/sensor_steps.h"

#include "base/vec.h"
#include "body/sensor/sensor.h"
#include "shape/ray.h"

static bool is_there(const vs_world *world, const vs_sensor *sensor) {
    return vs_sensor_follows_steps(sensor) && vs_world_body_index(world, sensor->def.body) >= 0;
}

void vs_sensor_steps_begin(vs_simulation *s) {
    for (int k = 0; k < s->world->sensors; k++) {
        vs_sensor *sensor = &s->world->sensor[k];
        if (!is_there(s->world, sensor))
            continue;
        const vs_frame_motion m = vs_frame_motion_of(s->world, sensor->def.body, &sensor->def.pose);
        sensor->velocity = m.velocity, sensor->spin = m.spin;
    }
}

// Normal force of a contact of the sensor's body through the zone, 0: not through it.
static double touch_of(const vs_simulation *s, const vs_sensor *sensor, const vs_pose *frame,
                       const vs_contact_view *view) {
    const uint32_t body = sensor->def.body.index;
    if (view->a.index != body && view->b.index != body)
        return 0;
    const double bound = 2 * (vs_length(vs_subtract(view->point, frame->position)) + sensor->def.reach);
    const vs_vec3 inward = vs_scale(view->b.index == body ? 1 : -1, view->normal);
    const vs_ray ray = {vs_pose_apply_back(*frame, view->point), vs_rotate_back(frame->rotation, inward), bound};
    vs_ray_hit hit;
    return vs_ray_meets(&ray, sensor->def.zone, &hit) ? vs_dot(view->impulse, view->normal) / s->options.step : 0;
}

static vs_error feel(vs_simulation *s, vs_sensor *sensor, const vs_pose *frame) {
    const int count = vs_simulation_get_contact_count(s);
    vs_error error = VS_OK;
    sensor->touch = 0;
    for (int k = 0; k < count && !error; k++) {
        vs_contact_view view;
        error = vs_simulation_get_contact_at(s, k, &view);
        if (!error)
            sensor->touch += touch_of(s, sensor, frame, &view);
    }
    return error;
}

vs_error vs_sensor_steps_end(vs_simulation *s) {
    const double h = s->options.step;
    vs_error error = VS_OK;
    for (int k = 0; k < s->world->sensors && !error; k++) {
        vs_sensor *sensor = &s->world->sensor[k];
        if (!is_there(s->world, sensor))
            continue;
        const vs_frame_motion m = vs_frame_motion_of(s->world, sensor->def.body, &sensor->def.pose);
        sensor->acceleration = vs_scale(1 / h, vs_subtract(m.velocity, sensor->velocity));
        sensor->spin_rate = vs_scale(1 / h, vs_subtract(m.spin, sensor->spin));
        if (sensor->def.kind == VS_SENSOR_TOUCH && !s->division)
            error = feel(s, sensor, &m.pose);
    }
    return error;
}
