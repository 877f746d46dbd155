// Parts of a state: the world with its bodies, joints and controls. What the scene defines (shapes, masses, materials, loads,
// drives) is no state: a few properties are compared, so that the state of another scene is refused.
#include <float.h>

#include "body/flexible_data.h"
#include "body/joint_command.h"
#include "step/state/parts.h"

// ---- world -----------------------------------------------------------------------------------------

void vs_visit_counts(vs_archive *a, vs_world_counts *counts) {
    const int64_t most = INT32_MAX;
    vs_archive_begin_item(a, "the world", -1, NULL);
    vs_archive_real(a, &counts->time, -VS_MOTION_MOST, VS_MOTION_MOST, "time");
    vs_archive_vector(a, &counts->gravity, VS_MOTION_MOST, "gravity");
    vs_archive_integer(a, &counts->bodies, 0, most, "number of bodies");
    vs_archive_integer(a, &counts->joints, 0, most, "number of joints");
    vs_archive_integer(a, &counts->flexibles, 0, most, "number of flexible bodies");
    vs_archive_integer(a, &counts->nodes, 0, INT64_MAX, "number of nodes");
    vs_archive_integer(a, &counts->controls, 0, most, "number of controls");
}

static vs_world_counts count_world(const vs_world *world) {
    vs_world_counts counts = {.time = world->time,
                              .gravity = world->gravity,
                              .bodies = world->bodies,
                              .joints = world->joints,
                              .flexibles = world->flexibles,
                              .controls = world->controls};
    for (int k = 0; k < world->flexibles; k++)
        counts.nodes += world->flexible[k].alive ? world->flexible[k].nodes : 0;
    return counts;
}

static vs_error compare_counts(vs_context *context, const vs_world_counts *there, const vs_world_counts *here) {
    if (there->bodies != here->bodies || there->joints != here->joints)
        return vs_fail(
            context, VS_ERROR_DATA, "is of another scene: it has %lld bodies and %lld joints, the world %lld and %lld",
            (long long)there->bodies, (long long)there->joints, (long long)here->bodies, (long long)here->joints);
    if (there->flexibles != here->flexibles || there->nodes != here->nodes)
        return vs_fail(context, VS_ERROR_DATA,
                       "is of another scene: it has %lld flexible bodies with %lld nodes, the world %lld and %lld",
                       (long long)there->flexibles, (long long)there->nodes, (long long)here->flexibles,
                       (long long)here->nodes);
    if (there->controls != here->controls)
        return vs_fail(context, VS_ERROR_DATA, "is of another scene: it has %lld controls, the world %lld",
                       (long long)there->controls, (long long)here->controls);
    return VS_OK;
}

void vs_visit_world(vs_archive *a, const vs_state *s) {
    const vs_world_counts here = count_world(s->world);
    vs_world_counts counts = here;
    vs_visit_counts(a, &counts);
    if (!vs_archive_saves(a) && !a->error)
        a->error = compare_counts(a->context, &counts, &here);
    if (vs_archive_loads(a))
        s->world->time = counts.time, s->world->gravity = counts.gravity;
}

// The scene defines loads and drives: those of another scene, or of a file that has changed, are allowed but not silent.
void vs_visit_signals(vs_archive *a, const vs_state *s) {
    const uint64_t here = a->mode == VS_ARCHIVE_CHECK ? 0 : vs_world_hash_signals(s->world);
    uint64_t hash = here;
    vs_archive_begin_item(a, "functions of time", -1, NULL);
    vs_archive_word(a, &hash);
    if (vs_archive_loads(a) && hash != here)
        vs_log(a->context, VS_LOG_WARNING,
               "%s: gravity, loads, drives or motors were others when it was written (a changed file of the scene?); "
               "continued with the present ones",
               s->name);
}

// ---- bodies ----------------------------------------------------------------------------------------

static void visit_body(vs_archive *a, vs_body *to) {
    vs_body body = *to;
    vs_archive_same(a, body.generation);
    vs_archive_same(a, body.alive);
    if (!body.alive)
        return;
    vs_archive_same(a, body.motion);
    vs_archive_same_number(a, body.mass);
    vs_archive_pose(a, &body.pose);
    vs_archive_vector(a, &body.velocity, VS_MOTION_MOST, "velocity");
    vs_archive_vector(a, &body.spin, VS_MOTION_MOST, "spin");
    vs_archive_vector(a, &body.held, VS_MOTION_MOST, "predicted spin");
    vs_archive_vector(a, &body.free_spin, VS_MOTION_MOST, "free spin");
    vs_archive_vector(a, &body.old_velocity, VS_MOTION_MOST, "velocity before");
    vs_archive_vector(a, &body.old_spin, VS_MOTION_MOST, "spin before");
    vs_archive_vector(a, &body.force, DBL_MAX, "force");
    vs_archive_vector(a, &body.torque, DBL_MAX, "torque");
    if (vs_archive_loads(a))
        *to = body;
}

void vs_visit_bodies(vs_archive *a, const vs_state *s) {
    for (int k = 0; k < s->world->bodies && !a->error; k++) {
        vs_archive_begin_item(a, "body", k, s->world->body[k].name);
        visit_body(a, &s->world->body[k]);
    }
}

// ---- joints ----------------------------------------------------------------------------------------

static void visit_joint(vs_archive *a, vs_joint *to) {
    vs_joint joint = *to;
    vs_archive_same(a, joint.generation);
    vs_archive_same(a, joint.alive);
    if (!joint.alive)
        return;
    vs_archive_same(a, joint.def.kind);
    vs_archive_vector(a, &joint.force, DBL_MAX, "force");
    vs_archive_vector(a, &joint.torque, DBL_MAX, "torque");
    vs_archive_real(a, &joint.angle, -VS_MOTION_MOST, VS_MOTION_MOST, "coordinate");
    vs_archive_real(a, &joint.effort, -DBL_MAX, DBL_MAX, "effort");
    if (vs_archive_loads(a))
        *to = joint;
}

void vs_visit_joints(vs_archive *a, const vs_state *s) {
    for (int k = 0; k < s->world->joints && !a->error; k++) {
        vs_archive_begin_item(a, "joint", k, s->world->joint[k].name);
        visit_joint(a, &s->world->joint[k]);
    }
}

static void visit_command(vs_archive *a, vs_world *world, int k) {
    vs_joint_command command = vs_joint_get_command(&world->joint[k]);
    int motor = (int)command.motor;
    vs_archive_flag(a, &command.commanded, "whether it was commanded");
    vs_archive_int(a, &motor, VS_MOTOR_NONE, VS_MOTOR_EFFORT, "motor");
    vs_archive_real(a, &command.target, -DBL_MAX, DBL_MAX, "target");
    vs_archive_flag(a, &command.tuned, "whether its gains were set");
    vs_archive_real(a, &command.stiffness, 0, DBL_MAX, "stiffness");
    vs_archive_real(a, &command.damping, 0, DBL_MAX, "damping");
    command.motor = (vs_motor_kind)motor;
    if (vs_archive_checks(a) && command.commanded && !vs_joint_kind_has_coordinate(world->joint[k].def.kind))
        a->error = vs_fail(a->context, VS_ERROR_DATA, "is damaged: joint %d: its kind has no motor", k);
    if (vs_archive_loads(a))
        vs_joint_set_command(world, k, &command);
}

void vs_visit_commands(vs_archive *a, const vs_state *s) {
    for (int k = 0; k < s->world->joints && !a->error; k++) {
        vs_archive_begin_item(a, "joint", k, s->world->joint[k].name);
        if (s->world->joint[k].alive)
            visit_command(a, s->world, k);
    }
}

void vs_visit_controls(vs_archive *a, const vs_state *s) {
    for (int k = 0; k < s->world->controls && !a->error; k++) {
        vs_control control = s->world->control[k];
        vs_archive_begin_item(a, "control", k, control.name);
        vs_archive_real(a, &control.value, -DBL_MAX, DBL_MAX, "value");
        if (control.def.activation == VS_ACTIVATION_NONE)
            control.acts = control.value;
        if (vs_archive_loads(a))
            s->world->control[k] = control;
    }
}

void vs_visit_activations(vs_archive *a, const vs_state *s) {
    for (int k = 0; k < s->world->controls && !a->error; k++) {
        vs_control control = s->world->control[k];
        if (control.def.activation == VS_ACTIVATION_NONE)
            continue;
        vs_archive_begin_item(a, "control", k, control.name);
        vs_archive_real(a, &control.acts, -DBL_MAX, DBL_MAX, "activation");
        if (vs_archive_loads(a))
            s->world->control[k] = control;
    }
}

void vs_visit_sensors(vs_archive *a, const vs_state *s) {
    for (int k = 0; k < s->world->sensors && !a->error; k++) {
        vs_sensor sensor = s->world->sensor[k];
        vs_archive_begin_item(a, "sensor", k, sensor.name);
        vs_archive_vector(a, &sensor.acceleration, DBL_MAX, "acceleration");
        vs_archive_vector(a, &sensor.spin_rate, DBL_MAX, "rate of the spin");
        vs_archive_real(a, &sensor.touch, -DBL_MAX, DBL_MAX, "touch");
        if (vs_archive_loads(a))
            s->world->sensor[k] = sensor;
    }
}

// ---- flexible bodies -------------------------------------------------------------------------------

static void visit_vectors(vs_archive *a, vs_vec3 *array, int count, double most, const char *field) {
    for (int k = 0; k < count; k++) {
        vs_vec3 x = array[k];
        vs_archive_vector(a, &x, most, field);
        if (vs_archive_loads(a))
            array[k] = x;
    }
}

// The nodes of a beam are bodies, which are kept as such; its earlier velocities are linear and angular.
static void visit_flexible(vs_archive *a, vs_flexible *f, double lag_most) {
    bool stepped = f->stepped;
    double lag = f->lag;
    vs_archive_same(a, f->generation);
    vs_archive_same(a, f->alive);
    if (!f->alive)
        return;
    vs_archive_same(a, f->beam);
    vs_archive_same(a, f->nodes);
    vs_archive_flag(a, &stepped, "whether it was stepped");
    vs_archive_real(a, &lag, 0, lag_most, "lag");
    if (!f->beam) {
        visit_vectors(a, f->position, f->nodes, VS_MOTION_MOST, "position of a node");
        visit_vectors(a, f->velocity, f->nodes, VS_MOTION_MOST, "velocity of a node");
        visit_vectors(a, f->force, f->nodes, DBL_MAX, "force on a node");
    }
    visit_vectors(a, f->earlier, f->beam ? 2 * f->nodes : f->nodes, VS_MOTION_MOST, "earlier velocity of a node");
    if (vs_archive_loads(a))
        f->stepped = stepped, f->lag = lag;
}

void vs_visit_flexibles(vs_archive *a, const vs_state *s) {
    for (int k = 0; k < s->world->flexibles && !a->error; k++) {
        vs_flexible *f = &s->world->flexible[k];
        vs_archive_begin_item(a, "flexible body", k, f->name);
        visit_flexible(a, f, s->simulation ? s->simulation->options.step : VS_MOTION_MOST);
    }
}
