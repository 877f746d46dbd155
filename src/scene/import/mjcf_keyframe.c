// MJCF: keyframes.
//
// qpos has the coordinates of all joints in the order of the file (free: position and quaternion, ball: quaternion, hinge:
// rad, slide: m; hinges and slides count from their `ref`), qvel their rates (free: velocity in world axes and spin in body
// axes, ball: spin in axes of the body), ctrl the controls, act the activations of those that have one. A key without name is called by its number. Joints of files
// with positions in keyframes keep coordinates of their own (mjcf_joint.c).
#include "scene/import/mjcf_data.h"

#include <stdio.h>
#include <string.h>

static int positions_of(char kind) {
    return kind == 'f' ? 7 : kind == 'b' ? 4 : 1;
}

static int rates_of(char kind) {
    return kind == 'f' ? 6 : kind == 'b' ? 3 : 1;
}

// As many numbers as there must be, or none; false: there are none.
static bool read_numbers(vs_import *im, vs_element e, const char *name, int count, double **number) {
    *number = vs_import_make(im, e.node, count + 1, sizeof **number);
    return *number && count > 0 && vs_import_numbers(im, e, name, *number, count, count) == count;
}

// 0: not turned, as in MuJoCo.
static vs_quat read_turn(const double q[4]) {
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0
               ? vs_quat_normalize((vs_quat){q[0], q[1], q[2], q[3]})
               : (vs_quat){1, 0, 0, 0};
}

static void set_free(vs_import_setting *setting, const vs_import_link *link, const double *q, const double *v) {
    const vs_quat turn = read_turn(q + 3);
    setting->link = link;
    setting->state.pose = (vs_pose){{q[0], q[1], q[2]}, turn};
    setting->state.velocity = (vs_vec3){v[0], v[1], v[2]};
    setting->state.spin = vs_rotate(turn, (vs_vec3){v[3], v[4], v[5]});
}

static void add_settings(vs_mjcf *m, vs_import_key *key, const double *q, const double *v) {
    vs_import *im = m->im;
    for (int k = 0; k < m->dofs && vs_import_good(im); k++) {
        const vs_mjcf_dof *dof = &m->dof[k];
        vs_import_setting *setting = vs_import_add_setting(im, key);
        if (!setting)
            return;
        if (dof->link) {
            set_free(setting, dof->link, q, v);
        } else if (dof->kind == 'b') {
            setting->joint = dof->joint;
            setting->state.pose.rotation = read_turn(q);
            setting->state.spin = (vs_vec3){v[0], v[1], v[2]};
        } else {
            setting->joint = dof->joint;
            setting->coordinate = *q - dof->joint->reference;
            setting->rate = *v;
        }
        q += positions_of(dof->kind);
        v += rates_of(dof->kind);
    }
}

static const char *name_key(vs_mjcf *m, const xmlNode *node, int number) {
    enum { ROOM = 24 }; // of "key " and an int
    const char *name = vs_import_text(m->im, (vs_element){node, NULL}, "name");
    char *made = name ? NULL : vs_import_make(m->im, node, 1, ROOM);
    if (made)
        (void)snprintf(made, ROOM, "%d", number);
    return name ? name : made ? made : "";
}

// Of the controls with an activation, in their order.
static void read_activations(vs_mjcf *m, vs_element e, vs_import_key *key) {
    int count = 0;
    double *a;
    for (int k = 0; k < m->actuators; k++)
        count += m->actuator[k] && m->actuator[k]->def.activation != VS_ACTIVATION_NONE;
    if (!read_numbers(m->im, e, "act", count, &a))
        return;
    for (int k = 0; k < m->actuators; k++)
        if (m->actuator[k] && m->actuator[k]->def.activation != VS_ACTIVATION_NONE)
            key->activation[m->actuator[k]->index] = *a++;
}

static void read_key(vs_mjcf *m, const xmlNode *node, int number) {
    vs_import *im = m->im;
    const vs_element e = {node, NULL};
    int positions = 0, rates = 0;
    double *q, *v, *u;
    vs_import_known(im, node, "name qpos qvel ctrl act", "time");
    for (int k = 0; k < m->dofs; k++) {
        positions += positions_of(m->dof[k].kind);
        rates += rates_of(m->dof[k].kind);
    }
    const bool moves = read_numbers(im, e, "qpos", positions, &q);
    const bool turns = read_numbers(im, e, "qvel", rates, &v);
    (void)read_numbers(im, e, "ctrl", m->actuators, &u);
    vs_import_key *key = vs_import_good(im) ? vs_import_add_key(im, node) : NULL;
    if (!key || !q || !v || !u)
        return;
    key->name = name_key(m, node, number);
    for (int k = 0; k < m->actuators; k++)
        if (m->actuator[k])
            key->control[m->actuator[k]->index] = u[k];
    read_activations(m, e, key);
    if (turns && !moves)
        vs_import_ignore(im, node, "qvel: without qpos not supported, ignored");
    if (moves)
        add_settings(m, key, q, v);
}

void vs_mjcf_keyframes(vs_mjcf *m, const xmlNode *keyframe) {
    vs_import *im = m->im;
    int number = 0;
    vs_import_known(im, keyframe, "key", "");
    for (const xmlNode *n = vs_first_child(keyframe, "key"); n && vs_import_good(im); n = vs_next_sibling(n, "key"))
        read_key(m, n, number++);
}
