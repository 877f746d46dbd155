// Joints of a scene file: frames in the user's frames of the two bodies, or one frame in the world for both.
#include "base/vec.h"
#include "scene/data/scene_data.h"
#include "scene/read/reader.h"

#define JOINT_KEYS                                                                                                     \
    "name kind a b frame frame_a frame_b collide limits motor spring friction armature compliance length ratio "       \
    "joints path "                                                                                                     \
    "terms slack curve"

enum { JOINTS_MOST = 10000000 };

static vs_pose read_frame(const vs_node *node) {
    vs_node_keys(node, "position rotation axis");
    return vs_get_frame(node);
}

// A frame of the world, in the body's axes at its centre of mass.
static vs_pose localize(const vs_placed_body *body, vs_pose frame) {
    vs_pose local = vs_pose_relative(frame, body->pose);
    local.position = vs_subtract(local.position, body->centre);
    return local;
}

static vs_pose read_body_frame(const vs_node *joint, const char *key, const vs_placed_body *body) {
    vs_node node = vs_node_get(joint, key);
    vs_pose frame = node.value ? read_frame(&node) : VS_IDENTITY_POSE;
    frame.position = vs_subtract(frame.position, body->centre);
    return frame;
}

static void read_frames(vs_reader *reader, const vs_node *node, vs_joint_def *def) {
    vs_node a_node = vs_node_get(node, "a"), b_node = vs_node_need(node, "b");
    const vs_placed_body *a = vs_find_placed(reader, &a_node), *b = vs_find_placed(reader, &b_node);
    vs_node both = vs_node_get(node, "frame");
    if (both.value && (vs_node_get(node, "frame_a").value || vs_node_get(node, "frame_b").value))
        vs_node_fail(&both, VS_ERROR_DATA, "give \"frame\" (in the world) or \"frame_a\" and \"frame_b\"");
    if (!vs_node_good(node))
        return;
    def->a = a->id;
    def->b = b->id;
    if (both.value) {
        vs_pose frame = read_frame(&both);
        def->frame_a = localize(a, frame);
        def->frame_b = localize(b, frame);
    } else {
        def->frame_a = read_body_frame(node, "frame_a", a);
        def->frame_b = read_body_frame(node, "frame_b", b);
    }
}

static void refuse(const vs_node *node, const char *key, const char *kind) {
    vs_node member = vs_node_get(node, key);
    if (member.value)
        vs_node_fail(&member, VS_ERROR_DATA, "is for %s", kind);
}

static void read_limits(const vs_node *node, vs_joint_def *def) {
    vs_node limits = vs_node_get(node, "limits");
    if (!limits.value || vs_node_count(&limits, 2, 2) != 2)
        return;
    vs_node low = vs_node_item(&limits, 0), high = vs_node_item(&limits, 1);
    def->limited = true;
    def->low = vs_node_number(&low, VS_RANGE_ANY);
    def->high = vs_node_number(&high, VS_RANGE_ANY);
    if (vs_node_good(node) && !(def->low <= def->high))
        vs_node_fail(&limits, VS_ERROR_DATA, "the low limit %g is above the high one %g", def->low, def->high);
}

static void read_motor(vs_reader *reader, const vs_node *node, vs_joint_def *def) {
    static const char *const keys[] = {"speed", "position", "effort"};
    static const vs_motor_kind motors[] = {VS_MOTOR_SPEED, VS_MOTOR_POSITION, VS_MOTOR_EFFORT};
    vs_node motor = vs_node_get(node, "motor");
    if (!motor.value)
        return;
    vs_node_keys(&motor, "speed position effort limit stiffness damping pulls");
    def->pulls = vs_get_flag(&motor, "pulls", false);
    if (def->kind != VS_JOINT_CABLE)
        refuse(&motor, "pulls", "cables");
    int given = 0;
    for (int k = 0; k < 3 && vs_node_good(node); k++) {
        const vs_node target = vs_node_get(&motor, keys[k]);
        if (!target.value)
            continue;
        def->motor = motors[k];
        def->target = vs_read_signal(reader, &target);
        given++;
    }
    if (vs_node_good(node) && given != 1)
        vs_node_fail(&motor, VS_ERROR_DATA, "must have one of \"speed\", \"position\" and \"effort\"");
    def->motor_limit = vs_get_number(&motor, "limit", 0, VS_RANGE_NOT_NEGATIVE);
    def->motor_stiffness = vs_get_number(&motor, "stiffness", 0, VS_RANGE_NOT_NEGATIVE);
    def->motor_damping = vs_get_number(&motor, "damping", 0, VS_RANGE_NOT_NEGATIVE);
}

static void read_spring(const vs_node *node, vs_joint_def *def) {
    vs_node spring = vs_node_get(node, "spring");
    if (!spring.value)
        return;
    vs_node_keys(&spring, "stiffness damping rest");
    def->stiffness = vs_get_number(&spring, "stiffness", 0, VS_RANGE_NOT_NEGATIVE);
    def->damping = vs_get_number(&spring, "damping", 0, VS_RANGE_NOT_NEGATIVE);
    def->rest = vs_get_number(&spring, "rest", 0, VS_RANGE_ANY);
}

static void read_gear(vs_reader *reader, const vs_node *node, vs_joint_def *def) {
    vs_node joints = vs_node_need(node, "joints");
    if (!joints.value || vs_node_count(&joints, 2, 2) != 2)
        return;
    vs_node a = vs_node_item(&joints, 0), b = vs_node_item(&joints, 1);
    def->joint_a = vs_find_joint(reader, &a);
    def->joint_b = vs_find_joint(reader, &b);
    if (def->kind == VS_JOINT_GEAR)
        def->ratio = vs_get_number(node, "ratio", 1, VS_RANGE_ANY);
    const vs_node curve = def->kind == VS_JOINT_CAM ? vs_node_need(node, "curve") : (vs_node){0};
    if (curve.value)
        def->curve = vs_read_signal(reader, &curve);
}

// Members of other kinds, which this one does not have.
static void refuse_others(const vs_node *node, vs_joint_kind kind) {
    static const char *const frames[] = {"a", "b", "frame", "frame_a", "frame_b"};
    static const char *const cables[] = {"path", "terms", "slack"};
    for (int k = 0; k < 5 && kind == VS_JOINT_CABLE; k++)
        refuse(node, frames[k], "joints between two bodies");
    for (int k = 0; k < 3 && kind != VS_JOINT_CABLE; k++)
        refuse(node, cables[k], "cables");
    if (kind != VS_JOINT_GEAR && kind != VS_JOINT_CAM)
        refuse(node, "joints", "gears and cams");
    if (kind != VS_JOINT_GEAR)
        refuse(node, "ratio", "gears");
    if (kind != VS_JOINT_CAM)
        refuse(node, "curve", "cams");
    if (kind != VS_JOINT_DISTANCE && kind != VS_JOINT_CABLE)
        refuse(node, "length", "distance joints and cables");
}

static void read_kind(vs_reader *reader, const vs_node *node, vs_joint_def *def) {
    refuse_others(node, def->kind);
    if (def->kind == VS_JOINT_CABLE)
        vs_read_cable(reader, node, def);
    else if (def->kind == VS_JOINT_GEAR || def->kind == VS_JOINT_CAM)
        read_gear(reader, node, def);
    else
        read_frames(reader, node, def);
    if (def->kind == VS_JOINT_DISTANCE) {
        vs_node length = vs_node_need(node, "length");
        def->length = length.value ? vs_node_number(&length, VS_RANGE_POSITIVE) : 0;
    }
}

static void read_joint(vs_reader *reader, const vs_node *node) {
    vs_node_keys(node, JOINT_KEYS);
    vs_node kind = vs_node_need(node, "kind");
    vs_joint_def def = vs_joint_def_default();
    def.kind = (vs_joint_kind)vs_get_choice(node, "kind", vs_joint_kind_names(), VS_JOINT_FIXED);
    def.name = vs_get_text(node, "name");
    def.collide = vs_get_flag(node, "collide", false);
    def.friction = vs_get_number(node, "friction", 0, VS_RANGE_NOT_NEGATIVE);
    def.armature = vs_get_number(node, "armature", 0, VS_RANGE_NOT_NEGATIVE);
    def.compliance = vs_get_number(node, "compliance", 0, VS_RANGE_NOT_NEGATIVE);
    if (!kind.value || !vs_node_good(node))
        return;
    read_limits(node, &def);
    read_motor(reader, node, &def);
    read_kind(reader, node, &def);
    read_spring(node, &def);
    if (!vs_node_good(node))
        return;
    if (def.name)
        vs_add_name(node, reader->joint_names, def.name, reader->joints);
    if (vs_node_good(node))
        vs_node_check(node, vs_world_add_joint(reader->world, &def, &reader->joint[reader->joints++]));
}

void vs_read_joints(vs_reader *reader, const vs_node *root) {
    vs_node list = vs_node_get(root, "joints");
    size_t count = vs_node_count(&list, 0, JOINTS_MOST);
    if (!vs_node_good(root) || count == 0)
        return;
    reader->joint = VS_NEW_ZERO(&reader->arena, vs_joint_id, (int64_t)count);
    if (!reader->joint)
        vs_node_fail(&list, VS_ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < count && vs_node_good(root); k++) {
        vs_node joint = vs_node_item(&list, k);
        read_joint(reader, &joint);
        vs_node_end_item(&joint);
    }
}
