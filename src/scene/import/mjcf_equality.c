// MJCF: equality constraints. They close loops (connect: a ball joint, weld: a fixed one) or couple coordinates (joint).
#include <math.h>
#include <string.h>

#include "scene/import/mjcf_data.h"

const vs_mjcf_body *vs_mjcf_find_body(vs_mjcf *m, const xmlNode *node, const char *attribute) {
    const char *name = vs_import_text(m->im, (vs_element){node, NULL}, attribute);
    const int at = name && strcmp(name, "world") != 0 ? vs_names_find(&m->body_names, name) : 0;
    if (at < 0)
        vs_import_fail(m->im, node, VS_ERROR_DATA, "there is no body '%.60s'", name);
    return &m->body[at < 0 ? 0 : at];
}

static void close_loop(vs_mjcf *m, const xmlNode *node, vs_joint_kind kind) {
    vs_import *im = m->im;
    const vs_mjcf_body *a = vs_mjcf_find_body(m, node, "body1"), *b = vs_mjcf_find_body(m, node, "body2");
    if (!vs_import_text(im, (vs_element){node, NULL}, "body1")) {
        vs_import_ignore(im, node, "only those between bodies are supported, ignored");
        return;
    }
    vs_import_known(im, node,
                    kind == VS_JOINT_SPHERICAL ? "name class active body1 body2 anchor"
                                               : "name class active body1 body2 relpose torquescale anchor",
                    "");
    const vs_vec3 anchor = vs_import_vector(im, (vs_element){node, NULL}, "anchor", VS_ZERO3);
    if (!vs_import_good(im) || a->link == b->link)
        return;
    const vs_pose frame = {vs_pose_apply(a->pose, anchor), a->pose.rotation};
    vs_import_joint *joint = vs_import_add_joint(im, node, kind, a->link, b->link, frame);
    if (!joint)
        return;
    joint->def.collide = true;
    joint->loop = true;
    double p[7] = {0};
    // Body 2 in the axes of body 1; without a rotation it is that of the file.
    if (kind == VS_JOINT_FIXED && vs_import_numbers(im, (vs_element){node, NULL}, "relpose", p, 7, 7) &&
        p[3] * p[3] + p[4] * p[4] + p[5] * p[5] + p[6] * p[6] > 0) {
        const vs_pose relative = {{p[0], p[1], p[2]}, vs_quat_normalize((vs_quat){p[3], p[4], p[5], p[6]})};
        joint->frame = vs_pose_multiply(a->pose, relative);
        joint->other = b->pose;
        joint->apart = true;
    }
}

// Moves the zero of a joint's coordinate by c; nothing is geared to it yet.
static void shift_zero(vs_import_joint *joint, double c) {
    const bool turns = joint->def.kind == VS_JOINT_REVOLUTE;
    const vs_pose back = {{0, 0, turns ? 0 : -c}, vs_quat_exp((vs_vec3){0, 0, turns ? -c : 0})};
    joint->other = vs_pose_multiply(joint->apart ? joint->other : joint->frame, back);
    joint->apart = true;
    joint->reference += c;
    joint->def.low -= c;
    joint->def.high -= c;
    joint->def.rest -= c;
}

static bool is_geared(const vs_import *im, const vs_import_joint *joint) {
    for (const vs_import_joint *g = im->joint; g; g = g->next)
        if (g->def.kind == VS_JOINT_GEAR && (g->gear_a == joint || g->gear_b == joint))
            return true;
    return false;
}

// A joint alone stays where the constant says.
static void lock(vs_mjcf *m, const xmlNode *node, double c) {
    vs_import_joint *joint = vs_mjcf_find_joint(m, node, "joint1");
    if (!joint)
        return;
    joint->def.limited = true;
    joint->def.low = joint->def.high = c;
}

// q_1 = c_0 + c_1 q_2, both relative to the position of the file
static void couple(vs_mjcf *m, const xmlNode *node) {
    vs_import *im = m->im;
    double c[5] = {0, 1, 0, 0, 0};
    vs_import_known(im, node, "name class active joint1 joint2 polycoef", "");
    (void)vs_import_numbers(im, (vs_element){node, NULL}, "polycoef", c, 1, 5);
    if (vs_import_good(im) && !vs_import_text(im, (vs_element){node, NULL}, "joint2")) {
        lock(m, node, c[0]);
        return;
    }
    vs_import_joint *b = vs_mjcf_find_joint(m, node, "joint1"), *a = vs_mjcf_find_joint(m, node, "joint2");
    if (!vs_import_good(im))
        return;
    if (c[1] == 0 || (c[0] != 0 && is_geared(im, b))) {
        vs_import_ignore(im, node, "only linear couplings are supported, ignored");
        return;
    }
    if (c[2] != 0 || c[3] != 0 || c[4] != 0)
        vs_import_ignore(im, node, "polycoef: only its constant and linear part are used");
    vs_import_joint *gear = vs_import_add_joint(im, node, VS_JOINT_GEAR, NULL, NULL, VS_IDENTITY_POSE);
    if (!gear)
        return;
    if (c[0] != 0)
        shift_zero(b, c[0]);
    gear->gear_a = a;
    gear->gear_b = b;
    gear->def.ratio = c[1];
    gear->loop = true;
}

void vs_mjcf_equalities(vs_mjcf *m, const xmlNode *equality) {
    vs_import_known(m->im, equality, "connect weld joint", "");
    for (const xmlNode *n = vs_first_child(equality, NULL); n && vs_import_good(m->im); n = vs_next_sibling(n, NULL)) {
        const char *active = vs_import_text(m->im, (vs_element){n, NULL}, "active");
        if (active && strcmp(active, "false") == 0)
            continue;
        if (vs_is_element(n, "connect"))
            close_loop(m, n, VS_JOINT_SPHERICAL);
        else if (vs_is_element(n, "weld"))
            close_loop(m, n, VS_JOINT_FIXED);
        else if (vs_is_element(n, "joint"))
            couple(m, n);
    }
}
