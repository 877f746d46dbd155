// Sensors of a world: their definitions, and the places of their numbers.
#include <math.h>

#include "base/array.h"
#include "body/check.h"
#include "body/sensor/sensor.h"

// ---- kinds -----------------------------------------------------------------------------------------

// What a kind needs of its definition.
typedef struct kind_needs {
    int count;    // numbers
    char of;      // 'j': a joint with a coordinate, 'b': a spherical one, 'r': any joint; 'c': a control; 'f': a frame
    bool uncut;   // cutoff does not apply
    bool follows; // measured in each step
} kind_needs;

static const kind_needs needs[] = {
    [VS_SENSOR_JOINT_POSITION] = {1, 'j', false, false},
    [VS_SENSOR_JOINT_VELOCITY] = {1, 'j', false, false},
    [VS_SENSOR_JOINT_EFFORT] = {1, 'j', false, false},
    [VS_SENSOR_BALL_ROTATION] = {4, 'b', true, false},
    [VS_SENSOR_BALL_SPIN] = {3, 'b', false, false},
    [VS_SENSOR_CONTROL] = {1, 'c', false, false},
    [VS_SENSOR_GYRO] = {3, 'f', false, false},
    [VS_SENSOR_ACCELEROMETER] = {3, 'f', false, true},
    [VS_SENSOR_VELOCIMETER] = {3, 'f', false, false},
    [VS_SENSOR_VECTOR] = {3, 'f', false, false},
    [VS_SENSOR_FORCE] = {3, 'r', false, false},
    [VS_SENSOR_TORQUE] = {3, 'r', false, false},
    [VS_SENSOR_TOUCH] = {1, 'f', false, true},
    [VS_SENSOR_RANGE] = {1, 'f', false, false},
    [VS_SENSOR_POSITION] = {3, 'f', false, false},
    [VS_SENSOR_ROTATION] = {4, 'f', true, false},
    [VS_SENSOR_AXIS] = {3, 'f', true, false},
    [VS_SENSOR_VELOCITY] = {3, 'f', false, false},
    [VS_SENSOR_SPIN] = {3, 'f', false, false},
    [VS_SENSOR_ACCELERATION] = {3, 'f', false, true},
    [VS_SENSOR_SPIN_RATE] = {3, 'f', false, true},
    [VS_SENSOR_CENTRE] = {3, 'f', false, false},
    [VS_SENSOR_CENTRE_VELOCITY] = {3, 'f', false, false},
    [VS_SENSOR_ANGULAR_MOMENTUM] = {3, 'f', false, false},
    [VS_SENSOR_TIME] = {1, ' ', false, false},
};
enum { KINDS = sizeof needs / sizeof *needs };

bool vs_sensor_follows_steps(const vs_sensor *sensor) {
    return needs[sensor->def.kind].follows;
}

void vs_sensor_cut(const vs_sensor *sensor, double *value) {
    const double most = sensor->def.cutoff;
    for (int k = 0; k < sensor->count && most > 0 && !needs[sensor->def.kind].uncut; k++)
        value[k] = fmax(-most, fmin(value[k], most));
}

// ---- definitions -----------------------------------------------------------------------------------

vs_sensor_def vs_sensor_def_default(void) {
    return (vs_sensor_def){
        .control = -1, .gear = 1, .pose = VS_IDENTITY_POSE, .at_reference = VS_IDENTITY_POSE, .reach = 1e6};
}

static vs_error check_joint(const vs_world *world, const vs_sensor_def *def, char of) {
    const int index = vs_world_joint_index(world, def->joint);
    if (index < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "sensor: its joint does not exist");
    const vs_joint_kind kind = world->joint[index].def.kind;
    if (of == 'j' && !vs_joint_kind_has_coordinate(kind))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "sensor: its joint has no single coordinate");
    if (of == 'b' && kind != VS_JOINT_SPHERICAL)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "sensor: its joint must be spherical");
    return VS_OK;
}

static vs_error check_numbers(const vs_world *world, const vs_sensor_def *def) {
    if (!isfinite(def->gear) || !isfinite(def->offset) || !(def->reach >= 0) || !isfinite(def->reach) ||
        !(def->cutoff >= 0) || !isfinite(vs_length(def->vector)) || !isfinite(vs_length(def->pose.position)) ||
        !isfinite(vs_length(def->at_reference.position)))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "sensor: numbers must be finite, reach and cutoff >= 0");
    if (def->axis < 0 || def->axis > 2)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "sensor: axis must be 0, 1 or 2 (is %d)", def->axis);
    if (def->kind == VS_SENSOR_TOUCH && !def->zone)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "sensor: touch needs a zone");
    return VS_OK;
}

static vs_error check_sensor(const vs_world *world, const vs_sensor_def *def) {
    if ((int)def->kind < 0 || (int)def->kind >= KINDS)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "sensor: there is no kind %d", (int)def->kind);
    const char of = needs[def->kind].of;
    if (of == 'c' && (def->control < 0 || def->control >= world->controls))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "sensor: there is no control %d", def->control);
    if (vs_world_body_index(world, def->body) < 0 || vs_world_body_index(world, def->reference) < 0 ||
        vs_world_body_index(world, def->last) < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "sensor: a body does not exist");
    if (vs_names_find(&world->sensor_names, def->name) >= 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "sensor: the name \"%s\" is already in use", def->name);
    const vs_error error = check_numbers(world, def);
    return error || !(of == 'j' || of == 'b' || of == 'r') ? error : check_joint(world, def, of);
}

vs_error vs_world_add_sensor(vs_world *world, const vs_sensor_def *def, int *index) {
    if (!world || !def)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "sensor: an argument is null");
    vs_context *context = world->context;
    vs_sensor made = {.def = *def, .offset = world->sensor_size};
    vs_error error = check_sensor(world, def);
    if (!error)
        error = vs_array_reserve(context, &world->sensor, &world->sensor_capacity, world->sensors + 1,
                                 sizeof *world->sensor);
    if (!error)
        error = vs_copy_text(context, def->name, &made.name);
    if (!error && made.name)
        error = vs_names_add(context, &world->sensor_names, made.name, world->sensors);
    if (error) {
        vs_release(context, made.name);
        return error;
    }
    made.def.name = made.name;
    made.def.pose.rotation = vs_quat_normalize(def->pose.rotation);
    made.def.at_reference.rotation = vs_quat_normalize(def->at_reference.rotation);
    made.count = needs[def->kind].count;
    vs_shape_retain(made.def.zone);
    if (index)
        *index = world->sensors;
    world->sensor[world->sensors++] = made;
    world->sensor_size += made.count;
    return VS_OK;
}

void vs_sensors_release(vs_world *world) {
    for (int k = 0; k < world->sensors; k++) {
        vs_release(world->context, world->sensor[k].name);
        vs_shape_release(world->sensor[k].def.zone);
    }
    vs_names_release(world->context, &world->sensor_names);
    vs_release(world->context, world->sensor);
}

// ---- places ----------------------------------------------------------------------------------------

int vs_world_get_sensor_count(const vs_world *world) {
    return world ? world->sensors : 0;
}

int vs_world_get_sensor_size(const vs_world *world) {
    return world ? world->sensor_size : 0;
}

int vs_world_find_sensor(const vs_world *world, const char *name) {
    return world ? vs_names_find(&world->sensor_names, name) : -1;
}

// Null: there is none, or no place for a result; the text is set.
static const vs_sensor *find(const vs_world *world, int index, const void *result) {
    if (world && result && index >= 0 && index < world->sensors)
        return &world->sensor[index];
    (void)vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "sensor: there is no sensor %d", index);
    return NULL;
}

vs_error vs_world_get_sensor_def(const vs_world *world, int index, vs_sensor_def *def) {
    const vs_sensor *sensor = find(world, index, def);
    if (sensor)
        *def = sensor->def;
    return sensor ? VS_OK : VS_ERROR_ARGUMENT;
}

vs_error vs_world_get_sensor_place(const vs_world *world, int index, int *offset, int *count) {
    const vs_sensor *sensor = find(world, index, offset ? count : NULL);
    if (sensor)
        *offset = sensor->offset, *count = sensor->count;
    return sensor ? VS_OK : VS_ERROR_ARGUMENT;
}
