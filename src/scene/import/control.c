// Controls and keyframes of a mechanism: inputs that command its joints, and named states.
//
// A keyframe is made by moving the world from its initial state: first the mechanisms whose root is free, then joint by
// joint, which moves everything behind it (vs_world_set_joint_coordinate()). A keyframe of a mechanism with closed loops is
// ignored, since its coordinates cannot be set one by one.
#include "scene/import/import_data.h"

#include "base/vec.h"
#include "scene/data/keyframe.h"
#include "scene/data/scene_data.h"

vs_import_control *vs_import_add_control(vs_import *im, const xmlNode *node, vs_import_joint *joint) {
    vs_import_control *control = vs_import_make(im, node, 1, sizeof *control);
    if (!control)
        return NULL;
    *control =
        (vs_import_control){.node = node, .joint = joint, .def = vs_control_def_default(), .index = im->controls++};
    *im->control_end = control;
    im->control_end = &control->next;
    return control;
}

vs_import_sensor *vs_import_add_sensor(vs_import *im, const xmlNode *node, const vs_sensor_def *def) {
    vs_import_sensor *sensor = vs_import_make(im, node, 1, sizeof *sensor);
    if (!sensor) {
        vs_shape_release(def->zone);
        return NULL;
    }
    *sensor = (vs_import_sensor){.node = node, .def = *def};
    *im->sensor_end = sensor;
    im->sensor_end = &sensor->next;
    return sensor;
}

vs_import_key *vs_import_add_key(vs_import *im, const xmlNode *node) {
    vs_import_key *key = vs_import_make(im, node, 1, sizeof *key);
    double *values = vs_import_make(im, node, im->controls + 1, sizeof *values);
    double *activation = vs_import_make(im, node, im->controls + 1, sizeof *activation);
    if (!key || !values || !activation)
        return NULL;
    *key = (vs_import_key){.node = node, .name = "", .end = &key->setting, .control = values, .activation = activation};
    *im->key_end = key;
    im->key_end = &key->next;
    return key;
}

vs_import_setting *vs_import_add_setting(vs_import *im, vs_import_key *key) {
    vs_import_setting *setting = vs_import_make(im, key->node, 1, sizeof *setting);
    if (!setting)
        return NULL;
    *key->end = setting;
    key->end = &setting->next;
    return setting;
}

// The first control of a joint does it for all of them.
void vs_import_share_joints(vs_import *im) {
    for (vs_import_control *c = im->control; c; c = c->next) {
        int sharing = 0;
        bool limited = true;
        double limit = 0;
        for (const vs_import_control *d = im->control; d && c->joint; d = d->next) {
            sharing += d->joint == c->joint;
            limited = limited && (d->joint != c->joint || d->limit > 0);
            limit += d->joint == c->joint ? d->limit : 0;
        }
        if (sharing == 0)
            continue;
        vs_joint_def *joint = &c->joint->def;
        if (limited && !(joint->motor_limit > 0 && joint->motor_limit < limit))
            joint->motor_limit = limit;
        if (sharing == 1)
            joint->motor_stiffness = c->stiffness, joint->motor_damping = c->damping;
        else
            c->def.adds = true, c->def.stiffness = c->stiffness, c->def.damping = c->damping;
    }
}

// Force and torque in the body's axes, at the site.
static void set_push(vs_import_control *c) {
    const vs_pose site = vs_pose_relative(c->pose, c->link->body);
    c->def.body = c->link->id;
    c->def.point = site.position;
    c->def.force = vs_rotate(site.rotation, c->def.force);
    c->def.torque = vs_rotate(site.rotation, c->def.torque);
}

void vs_import_build_controls(vs_import *im) {
    for (vs_import_control *c = im->control; c && vs_import_good(im); c = c->next) {
        if (c->joint)
            c->def.joint = c->joint->id;
        else
            set_push(c);
        vs_import_check(im, c->node, vs_world_add_control(im->scene->world, &c->def, NULL));
    }
}

void vs_import_build_sensors(vs_import *im) {
    for (const vs_import_sensor *s = im->sensor; s && vs_import_good(im); s = s->next) {
        vs_sensor_def def = s->def;
        if (s->joint)
            def.joint = s->joint->id;
        if (s->control)
            def.control = s->control->index;
        if (s->frame.link)
            def.body = s->frame.link->id, def.pose = vs_pose_relative(s->frame.pose, s->frame.link->body);
        if (s->reference.link)
            def.reference = s->reference.link->id,
            def.at_reference = vs_pose_relative(s->reference.pose, s->reference.link->body);
        if (s->last)
            def.last = s->last->id;
        vs_import_check(im, s->node, vs_world_add_sensor(im->scene->world, &def, NULL));
    }
}

// The state of a link's frame as that of its body.
static vs_error place_link(vs_world *world, const vs_import_link *link, const vs_body_state *frame) {
    const vs_pose body = vs_pose_relative(link->body, link->pose);
    const vs_vec3 arm = vs_rotate(frame->pose.rotation, body.position);
    vs_body_state state = {vs_pose_multiply(frame->pose, body), frame->velocity, frame->spin};
    state.velocity = vs_add(frame->velocity, vs_cross(frame->spin, arm));
    state.pose.rotation = vs_quat_normalize(state.pose.rotation);
    return vs_world_place_mechanism(world, link->id, &state);
}

static vs_error apply(vs_import *im, const vs_import_key *key) {
    vs_world *world = im->scene->world;
    vs_error error = VS_OK;
    for (const vs_import_setting *s = key->setting; s && !error; s = s->next) {
        if (!s->joint)
            error = place_link(world, s->link, &s->state);
        else if (s->joint->def.kind == VS_JOINT_SPHERICAL)
            error = vs_world_set_joint_rotation(world, s->joint->id, s->state.pose.rotation, s->state.spin);
        else
            error = vs_world_set_joint_coordinate(world, s->joint->id, s->coordinate, s->rate);
    }
    for (int k = 0; k < im->controls && !error; k++)
        error = vs_world_set_control(world, k, key->control[k]);
    for (int k = 0; k < im->controls && !error; k++)
        error = vs_world_set_activation(world, k, key->activation[k]);
    return error;
}

// The first keyframe is the initial state for the time of this call.
void vs_import_build_keys(vs_import *im) {
    vs_scene *scene = im->scene;
    if (!im->key || !vs_import_good(im))
        return;
    vs_import_check(im, im->key->node, vs_scene_add_keyframe(scene, ""));
    for (const vs_import_key *key = im->key; key && vs_import_good(im); key = key->next) {
        const vs_error error = apply(im, key);
        if (error == VS_ERROR_MEMORY)
            vs_import_check(im, key->node, error);
        else if (error)
            vs_import_ignore(im, key->node, "the keyframe is ignored: %s", vs_context_get_error_text(im->context));
        else
            vs_import_check(im, key->node, vs_scene_add_keyframe(scene, key->name));
        vs_scene_apply_keyframe(scene->world, &scene->keyframe[0]);
    }
    if (vs_import_good(im))
        vs_scene_drop_keyframe(scene, 0);
}

static bool has_loops(const vs_import *im) {
    const vs_import_joint *joint = im->joint;
    while (joint && !joint->loop)
        joint = joint->next;
    return joint != NULL;
}

void vs_import_close_keys(vs_import *im) {
    vs_scene *scene = im->scene;
    const int keys = scene->keyframes;
    if (!vs_import_good(im) || keys == 0 || !has_loops(im))
        return;
    vs_import_check(im, im->key->node, vs_scene_add_keyframe(scene, ""));
    for (int k = 0; k < keys && vs_import_good(im); k++) {
        // Each one is replaced by a new one at the end, which has all joints.
        vs_scene_apply_keyframe(scene->world, &scene->keyframe[0]);
        const vs_error error = vs_world_assemble(scene->world, VS_SCENE_ASSEMBLED);
        if (error == VS_OK)
            vs_import_check(im, im->key->node, vs_scene_add_keyframe(scene, scene->keyframe[0].name));
        else if (error == VS_ERROR_MEMORY)
            vs_import_check(im, im->key->node, error);
        else
            vs_import_ignore(im, im->key->node, "the keyframe '%.60s' is ignored: %s", scene->keyframe[0].name,
                             vs_context_get_error_text(im->context));
        vs_scene_drop_keyframe(scene, 0);
        vs_scene_apply_keyframe(scene->world, &scene->keyframe[keys - 1 - k]);
    }
    if (vs_import_good(im))
        vs_scene_drop_keyframe(scene, 0);
}
