// Joints as objects of the world: validation, addition, removal, lookup. Their equations are in joint_rows.c.
//
// Every body has the list of the ends of its joints: end 2 j is a of joint j, end 2 j + 1 its b. A gear belongs to the
// bodies of the first joint that it couples, and is removed with either of the two joints.
#include "base/names.h"
#include "body/cable/cable.h"
#include "body/check.h"
#include "body/joint_command.h"
#include "body/joint_coordinate.h"
#include "body/joint_projection.h"
#include "body/joint_rows.h"

vs_joint_def vs_joint_def_default(void) {
    return (vs_joint_def){.frame_a = VS_IDENTITY_POSE, .frame_b = VS_IDENTITY_POSE, .ratio = 1};
}

// ---- checks ----------------------------------------------------------------------------------------

static vs_error check_not_negative(vs_context *context, const char *name, double value) {
    if (!(value >= 0) || !isfinite(value))
        return vs_fail(context, VS_ERROR_ARGUMENT, "joint: %s is out of range (%g)", name, value);
    return VS_OK;
}

static vs_error check_numbers(vs_context *context, const vs_joint_def *def) {
    const struct {
        const char *name;
        double value;
    } entry[] = {{"motor_limit", def->motor_limit},
                 {"stiffness", def->stiffness},
                 {"damping", def->damping},
                 {"friction", def->friction},
                 {"compliance", def->compliance},
                 {"length", def->length},
                 {"armature", def->armature},
                 {"motor_stiffness", def->motor_stiffness},
                 {"motor_damping", def->motor_damping}};
    for (size_t k = 0; k < sizeof entry / sizeof *entry; k++)
        if (check_not_negative(context, entry[k].name, entry[k].value))
            return VS_ERROR_ARGUMENT;
    if (def->pulls && def->kind != VS_JOINT_CABLE)
        return vs_fail(context, VS_ERROR_ARGUMENT, "joint: only the motor of a cable can be one that pulls");
    if (!isfinite(def->rest))
        return vs_fail(context, VS_ERROR_ARGUMENT, "joint: rest is not finite");
    if (def->limited && !(def->low <= def->high && isfinite(def->low) && isfinite(def->high)))
        return vs_fail(context, VS_ERROR_ARGUMENT, "joint: low must not exceed high (limits from %g to %g)", def->low,
                       def->high);
    if (def->motor != VS_MOTOR_NONE && def->motor != VS_MOTOR_SPEED && def->motor != VS_MOTOR_POSITION &&
        def->motor != VS_MOTOR_EFFORT)
        return vs_fail(context, VS_ERROR_ARGUMENT, "joint: unknown motor %d", (int)def->motor);
    if (def->kind == VS_JOINT_DISTANCE && !(def->length > 0))
        return vs_fail(context, VS_ERROR_ARGUMENT, "joint: a distance joint needs a length > 0");
    bool uses =
        def->limited || def->motor || def->stiffness > 0 || def->damping > 0 || def->friction > 0 || def->armature > 0;
    if (uses && !vs_joint_kind_has_coordinate(def->kind))
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "joint: limits, motor, stiffness, damping, armature and friction need a kind with a coordinate");
    return VS_OK;
}

static bool can_gear(const vs_world *world, int joint) {
    if (joint < 0)
        return false;
    vs_joint_kind kind = world->joint[joint].def.kind;
    return kind == VS_JOINT_REVOLUTE || kind == VS_JOINT_PRISMATIC;
}

// Bodies a, b of the joint.
static vs_error check_bodies(const vs_world *world, const vs_joint_def *def, int *a, int *b) {
    vs_context *context = world->context;
    if (vs_joint_kind_couples(def->kind)) {
        int first = vs_world_joint_index(world, def->joint_a), second = vs_world_joint_index(world, def->joint_b);
        if (!can_gear(world, first) || !can_gear(world, second) || first == second)
            return vs_fail(context, VS_ERROR_ARGUMENT, "joint: a gear or cam needs two revolute or prismatic joints");
        if (!isfinite(def->ratio) || def->ratio == 0)
            return vs_fail(context, VS_ERROR_ARGUMENT, "joint: the ratio of a gear must be finite and not 0 (is %g)",
                           def->ratio);
        *a = world->joint[first].a;
        *b = world->joint[first].b;
        return VS_OK;
    }
    if (def->kind == VS_JOINT_CABLE)
        return vs_cable_check(world, def, a, b);
    *a = vs_world_body_index(world, def->a);
    *b = vs_world_body_index(world, def->b);
    if (*a < 0 || *b < 0)
        return vs_fail(context, VS_ERROR_ARGUMENT,
                       "joint: body %s does not exist; it was removed, or the id is of another world",
                       *a < 0 ? "a" : "b");
    if (*a == *b)
        return vs_fail(context, VS_ERROR_ARGUMENT, "joint: a and b are the same body");
    if (world->body[*a].absent || world->body[*b].absent)
        return vs_fail(context, VS_ERROR_ARGUMENT, "joint: body %s waits in a factory or was taken by a sink",
                       world->body[*a].absent ? "a" : "b");
    if (world->body[*a].motion != VS_MOTION_DYNAMIC && world->body[*b].motion != VS_MOTION_DYNAMIC)
        return vs_fail(context, VS_ERROR_ARGUMENT, "joint: neither a nor b is a dynamic body");
    return VS_OK;
}

static vs_error check_joint(const vs_world *world, vs_joint_def *def, int *a, int *b) {
    vs_context *context = world->context;
    if (!vs_name_in(vs_joint_kind_names(), (int)def->kind, NULL))
        return vs_fail(context, VS_ERROR_ARGUMENT, "joint: unknown kind %d", (int)def->kind);
    if (vs_names_find(&world->joint_names, def->name) >= 0)
        return vs_fail(context, VS_ERROR_ARGUMENT, "joint: the name \"%s\" is already in use", def->name);
    vs_error error = check_bodies(world, def, a, b);
    if (!error)
        error = check_numbers(context, def);
    if (!error)
        error = vs_check_pose(context, "joint, frame a", &def->frame_a);
    return error ? error : vs_check_pose(context, "joint, frame b", &def->frame_b);
}

// ---- lists of ends ---------------------------------------------------------------------------------

static void link_end(vs_world *world, int end) {
    vs_joint *joint = &world->joint[end / 2];
    vs_body *body = &world->body[end % 2 ? joint->b : joint->a];
    joint->previous[end % 2] = -1;
    joint->next[end % 2] = body->first_joint;
    if (body->first_joint >= 0)
        world->joint[body->first_joint / 2].previous[body->first_joint % 2] = end;
    body->first_joint = end;
    body->joints++;
}

static void unlink_end(vs_world *world, int end) {
    const vs_joint *joint = &world->joint[end / 2];
    vs_body *body = &world->body[end % 2 ? joint->b : joint->a];
    int next = joint->next[end % 2], previous = joint->previous[end % 2];
    if (next >= 0)
        world->joint[next / 2].previous[next % 2] = previous;
    if (previous >= 0)
        world->joint[previous / 2].next[previous % 2] = next;
    else
        body->first_joint = next;
    body->joints--;
}

// Does it disable contacts between a and b?
static bool parts_bodies(const vs_joint *joint) {
    return !joint->def.collide && !vs_joint_kind_couples(joint->def.kind) && joint->def.kind != VS_JOINT_CABLE;
}

// ---- add and remove --------------------------------------------------------------------------------

static vs_error reserve_joint(vs_world *world, int *index) {
    return vs_slots_make_room(world->context, &world->joint_slots, &world->joint, &world->joint_capacity,
                              sizeof *world->joint, index);
}

void vs_joint_release(vs_context *context, vs_joint *joint) {
    vs_signal_copy_release(context, &joint->curve);
    vs_signal_copy_release(context, &joint->target);
    vs_signal_copy_release(context, &joint->defined.target);
    vs_release(context, joint->name);
    joint->name = NULL;
    vs_cable_release(context, joint->cable);
    joint->cable = NULL;
}

// Everything that can fail; the name last, so that a failure changes nothing.
static vs_error acquire(vs_world *world, const vs_joint_def *def, int index, vs_joint *joint) {
    vs_context *context = world->context;
    vs_error error = VS_OK;
    if (def->kind == VS_JOINT_CABLE && !(joint->cable = vs_cable_copy(world, def)))
        return vs_fail_memory(context);
    if (def->motor != VS_MOTOR_NONE)
        error = vs_signal_copy_from(context, &def->target, &joint->target);
    if (!error && def->kind == VS_JOINT_CAM)
        error = vs_signal_copy_from(context, &def->curve, &joint->curve);
    if (!error && parts_bodies(joint) && !vs_pair_add(world, joint->a, joint->b))
        error = VS_ERROR_MEMORY;
    if (!error)
        error = vs_copy_text(context, def->name, &joint->name);
    if (!error && joint->name)
        error = vs_names_add(context, &world->joint_names, joint->name, index);
    if (error)
        vs_joint_release(context, joint);
    return error;
}

// The joints that a gear or a cable couples are one more or one less.
static void count_coupled(vs_world *world, const vs_joint *joint, int change) {
    if (vs_joint_kind_couples(joint->def.kind)) {
        world->joint[joint->def.joint_a.index].gears += change;
        world->joint[joint->def.joint_b.index].gears += change;
    }
    for (int k = 0; joint->cable && k < joint->def.terms; k++)
        world->joint[joint->def.term[k].joint.index].gears += change;
}

vs_error vs_world_add_joint(vs_world *world, const vs_joint_def *def, vs_joint_id *id) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    if (!def)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "joint: def is null");
    vs_joint made = {.alive = true, .def = *def};
    int index = 0;
    vs_error error = check_joint(world, &made.def, &made.a, &made.b);
    if (!error)
        error = reserve_joint(world, &index);
    if (!error)
        error = acquire(world, def, index, &made);
    if (error)
        return error;

    uint32_t generation = world->joint[index].generation + 1;
    made.generation = generation ? generation : 1;
    made.def.target = made.target.signal;
    made.def.curve = made.curve.signal;
    made.def.name = made.name;
    made.def.point = made.cable ? made.cable->point : NULL;
    made.def.term = made.cable ? made.cable->term : NULL;
    world->joint[index] = made;
    link_end(world, 2 * index);
    link_end(world, 2 * index + 1);
    if (made.cable)
        vs_cable_link(world, index);
    if (parts_bodies(&made))
        vs_pair_add(world, made.a, made.b)->joints++; // memory was reserved above
    count_coupled(world, &made, 1);
    vs_slots_set(&world->joint_slots, index, true);
    world->joints = index >= world->joints ? index + 1 : world->joints;
    world->topology++;
    if (id)
        *id = (vs_joint_id){(uint32_t)index, made.generation};
    return VS_OK;
}

static bool couples(const vs_joint *joint, int index) {
    const uint32_t wanted = (uint32_t)index;
    bool found = vs_joint_kind_couples(joint->def.kind) &&
                 (joint->def.joint_a.index == wanted || joint->def.joint_b.index == wanted);
    for (int k = 0; joint->cable && k < joint->def.terms; k++)
        found = found || joint->def.term[k].joint.index == wanted;
    return found;
}

// Removes the gears and cables that couple joint `index`. Few joints have some: those search all joints.
static void drop_gears(vs_world *world, int index) {
    for (int k = 0; k < world->joints && world->joint[index].gears > 0; k++)
        if (world->joint[k].alive && couples(&world->joint[k], index))
            vs_world_drop_joint(world, k);
}

void vs_world_drop_joint(vs_world *world, int index) {
    drop_gears(world, index);
    vs_joint *joint = &world->joint[index];
    count_coupled(world, joint, -1);
    if (joint->cable)
        vs_cable_unlink(world, index);
    vs_pair *pair = parts_bodies(joint) ? vs_pair_find(world, joint->a, joint->b) : NULL;
    if (pair)
        pair->joints--;
    unlink_end(world, 2 * index);
    unlink_end(world, 2 * index + 1);
    vs_names_remove(&world->joint_names, joint->name);
    vs_joint_release(world->context, joint);
    *joint = (vs_joint){.generation = joint->generation};
    vs_slots_set(&world->joint_slots, index, false);
    world->topology++;
}

vs_error vs_world_remove_joint(vs_world *world, vs_joint_id id) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    int index = vs_world_joint_index(world, id);
    if (index < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "joint: the id is stale or unknown");
    vs_world_drop_joint(world, index);
    return VS_OK;
}

// ---- look up ---------------------------------------------------------------------------------------

int vs_world_get_joint_count(const vs_world *world) {
    return world ? world->joint_slots.used : 0;
}

vs_joint_id vs_world_get_joint_at(const vs_world *world, int k) {
    if (k < 0 || k >= vs_world_get_joint_count(world))
        return (vs_joint_id){0, 0};
    int index = vs_slots_find(&world->joint_slots, k);
    return (vs_joint_id){(uint32_t)index, world->joint[index].generation};
}

vs_joint_id vs_world_find_joint(const vs_world *world, const char *name) {
    int index = world ? vs_names_find(&world->joint_names, name) : -1;
    return index < 0 ? (vs_joint_id){0, 0} : (vs_joint_id){(uint32_t)index, world->joint[index].generation};
}

const char *vs_world_get_joint_name(const vs_world *world, vs_joint_id id) {
    int index = world ? vs_world_joint_index(world, id) : -1;
    return index >= 0 && world->joint[index].name ? world->joint[index].name : "";
}

vs_error vs_world_get_joint_coordinates(const vs_world *world, vs_joint_id id,
                                        double coordinate[VS_JOINT_COORDINATES_MOST],
                                        double rate[VS_JOINT_COORDINATES_MOST], int *count) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    const int index = vs_world_joint_index(world, id);
    if (index < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "joint: the id is stale or unknown");
    double x[VS_JOINT_COORDINATES_MOST], x_rate[VS_JOINT_COORDINATES_MOST];
    const int found = vs_joint_coordinates(world, &world->joint[index], x, x_rate);
    for (int k = 0; k < found && coordinate; k++)
        coordinate[k] = x[k];
    for (int k = 0; k < found && rate; k++)
        rate[k] = x_rate[k];
    if (count)
        *count = found;
    return VS_OK;
}

vs_error vs_world_get_joint_coordinate(const vs_world *world, vs_joint_id id, double *coordinate, double *rate) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    int index = vs_world_joint_index(world, id);
    if (index < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "joint: the id is stale or unknown");
    double x, x_rate;
    vs_joint_coordinate(world, &world->joint[index], &x, &x_rate);
    if (coordinate)
        *coordinate = x;
    if (rate)
        *rate = x_rate;
    return VS_OK;
}

vs_error vs_world_get_joint_reaction(const vs_world *world, vs_joint_id id, vs_vec3 *force, vs_vec3 *torque) {
    if (!world)
        return VS_ERROR_ARGUMENT;
    int index = vs_world_joint_index(world, id);
    if (index < 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "joint: the id is stale or unknown");
    if (force)
        *force = world->joint[index].force;
    if (torque)
        *torque = world->joint[index].torque;
    return VS_OK;
}

// ---- assembly --------------------------------------------------------------------------------------

// The largest entry of Psi of one joint; m.
static double violation_of(const vs_world *world, const vs_joint *joint) {
    double psi[VS_JOINT_BILATERAL_MOST], largest = 0;
    int rows = vs_joint_violation(world, joint, psi, NULL);
    for (int k = 0; k < rows; k++)
        largest = fmax(largest, fabs(psi[k]));
    return largest;
}

vs_error vs_world_assemble(vs_world *world, double tolerance) {
    enum { STEPS = 50 };
    if (!world)
        return VS_ERROR_ARGUMENT;
    if (!(tolerance > 0))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "assemble: the tolerance must be positive (is %g)",
                       tolerance);
    double largest;
    vs_error error = vs_joints_project(world, tolerance, STEPS, &largest);
    if (error || largest <= tolerance)
        return error;
    int worst = -1;
    double most = -1;
    for (int k = 0; k < world->joints; k++) {
        double size = world->joint[k].alive ? violation_of(world, &world->joint[k]) : -1;
        if (size > most) {
            most = size;
            worst = k;
        }
    }
    const char *name = worst >= 0 && world->joint[worst].name ? world->joint[worst].name : "unnamed";
    return vs_fail(world->context, VS_ERROR_DATA, "assemble: joint %d (%s) cannot be satisfied: its error is %g m",
                   worst, name, largest);
}
