// MJCF: actuators as controls.
//
// With the length l = gear q of a joint's coordinate q or of a tendon the force is
//
//     motor      u
//     position   kp (u - l) - kv l'
//     velocity   kv (u - l')
//     intvelocity  that of position, of the integral of u
//     general    gain u + bias_0 + bias_1 l + bias_2 l'
//
// and the effort gear times that, with the control u limited to ctrlrange and the force to forcerange. All are a motor of
// effort (no bias), of position (bias_1 < 0: stiffness -bias_1 about (gain u + bias_0)/-bias_1, damping -bias_2) or of
// speed (damping -bias_2 about gain u/-bias_2); stiffness and damping are treated implicitly. dampratio is that of the
// inertia in the position of the file, as in MuJoCo, and not supported on tendons. With an activation (dyntype integrator,
// filter, filterexact; timeconst) u is the activation: filters are exact, also where MuJoCo takes Euler's method. An
// actuator without a name is called like its joint. Several actuators of a joint add up (body/control.c), and so do the limits of their forces. Motors on sites push
// with the six components of gear. Not supported: other actuators on sites, bodies; they are listed.
#include "scene/import/mjcf_data.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

#define COMMON                                                                                                         \
    "name class joint tendon site refsite gear ctrlrange ctrllimited forcerange forcelimited "                         \
    "actrange actlimited "
#define SILENT "group user"

// force = gain u + bias[0] + bias[1] l + bias[2] l'
typedef struct law {
    bool known;
    double gain, bias[3];
    double damp_ratio; // not 0: bias[2] follows from it
    vs_activation_kind activation;
    double time_constant; // s
} law;

// False: it is not supported. A filter without a time constant does nothing.
static bool read_activation(vs_import *im, vs_element e, law *l) {
    const char *dynamics = vs_import_text(im, e, "dyntype");
    double parameter[10] = {1};
    (void)vs_import_numbers(im, e, "dynprm", parameter, 1, 10);
    if (!dynamics || strcmp(dynamics, "none") == 0)
        return true;
    if (vs_in_list(dynamics, "filter filterexact") && parameter[0] > 0)
        l->activation = VS_ACTIVATION_FILTER, l->time_constant = parameter[0];
    else if (strcmp(dynamics, "integrator") == 0)
        l->activation = VS_ACTIVATION_INTEGRATOR;
    else
        return vs_in_list(dynamics, "filter filterexact");
    return true;
}

static law read_general(vs_mjcf *m, vs_element e) {
    vs_import *im = m->im;
    double gain[10] = {1}, bias[10] = {0};
    const char *bias_type = vs_import_text(im, e, "biastype");
    const char *gain_type = vs_import_text(im, e, "gaintype");
    (void)vs_import_numbers(im, e, "gainprm", gain, 1, 10);
    (void)vs_import_numbers(im, e, "biasprm", bias, 1, 10);
    const bool affine = bias_type && strcmp(bias_type, "affine") == 0;
    law l = {.gain = gain[0], .bias = {affine ? bias[0] : 0, affine ? bias[1] : 0, affine ? bias[2] : 0}};
    l.known = (!bias_type || affine || strcmp(bias_type, "none") == 0) &&
              (!gain_type || strcmp(gain_type, "fixed") == 0) && read_activation(im, e, &l);
    return l;
}

static law read_position(vs_mjcf *m, vs_element e) {
    vs_import *im = m->im;
    const double kp = vs_import_number(im, e, "kp", 1), kv = vs_import_number(im, e, "kv", 0);
    const double time = vs_import_number(im, e, "timeconst", 0);
    law l = {true, kp, {0, -kp, -kv}, vs_import_number(im, e, "dampratio", 0), VS_ACTIVATION_NONE, time};
    if (vs_import_good(im) && (kp < 0 || kv < 0))
        vs_import_fail(im, e.node, VS_ERROR_DATA, "gains must not be negative");
    l.activation = time > 0 ? VS_ACTIVATION_FILTER : VS_ACTIVATION_NONE;
    if (vs_is_element(e.node, "intvelocity"))
        l.activation = VS_ACTIVATION_INTEGRATOR;
    return l;
}

static law read_law(vs_mjcf *m, vs_element e) {
    vs_import *im = m->im;
    if (vs_is_element(e.node, "motor")) {
        vs_import_known(im, e.node, COMMON, SILENT);
        return (law){.known = true, .gain = 1};
    }
    if (vs_is_element(e.node, "position")) {
        vs_import_known(im, e.node, COMMON "kp kv dampratio inheritrange timeconst", SILENT);
        return read_position(m, e);
    }
    if (vs_is_element(e.node, "intvelocity")) {
        vs_import_known(im, e.node, COMMON "kp kv dampratio inheritrange", SILENT);
        return read_position(m, e);
    }
    if (vs_is_element(e.node, "velocity")) {
        vs_import_known(im, e.node, COMMON "kv", SILENT);
        const double kv = vs_import_number(im, e, "kv", 1);
        if (vs_import_good(im) && kv < 0)
            vs_import_fail(im, e.node, VS_ERROR_DATA, "gains must not be negative");
        return (law){.known = true, .gain = kv, .bias = {0, 0, -kv}};
    }
    vs_import_known(im, e.node, COMMON "dyntype gaintype biastype gainprm biasprm dynprm", SILENT);
    return read_general(m, e);
}

// Can the motor of a joint exert it?
static bool is_motor(const law *l) {
    if (!l->known || l->gain == 0 || l->bias[1] > 0 || l->bias[2] > 0)
        return false;
    return l->bias[1] < 0 || l->bias[0] == 0;
}

// The joint of an actuator that is supported; none: it is ignored, or an error is set.
static vs_mjcf_drive find_drive(vs_mjcf *m, const vs_element e) {
    vs_import *im = m->im;
    const vs_mjcf_drive none = {NULL, 0, 0};
    const char *why = "only actuators of joints, tendons and sites are supported";
    vs_mjcf_drive drive = none;
    if (vs_import_text(im, e, "joint")) {
        drive.joint = vs_mjcf_find_joint(m, e.node, "joint");
        drive.gear = 1;
        drive.offset = drive.joint ? drive.joint->reference : 0;
    } else if (vs_import_text(im, e, "tendon")) {
        drive = vs_mjcf_tendon_drive(m, e.node, "tendon");
        why = "the tendon is not supported";
    }
    if (!vs_import_good(im))
        return none;
    const vs_joint_kind kind = drive.joint ? drive.joint->def.kind : VS_JOINT_FIXED;
    if (kind == VS_JOINT_REVOLUTE || kind == VS_JOINT_PRISMATIC || kind == VS_JOINT_CABLE)
        return drive;
    if (drive.joint)
        why = "only actuators of single hinges and slides are supported";
    vs_import_ignore(im, e.node, "%s, ignored", why);
    return none;
}

// The name of an actuator, or else of its joint, unless another actuator has that name.
static void name_control(vs_mjcf *m, vs_element e, vs_import_control *control) {
    vs_import *im = m->im;
    const char *own = vs_import_text(im, e, "name"), *joint = control->joint ? control->joint->def.name : NULL;
    control->def.name = own ? own : joint;
    for (vs_import_control *c = im->control; c && c != control; c = c->next) {
        if (!c->def.name || !control->def.name || strcmp(c->def.name, control->def.name) != 0)
            continue;
        if (!own)
            control->def.name = NULL;
        else if (c->joint && c->def.name == c->joint->def.name)
            c->def.name = NULL;
    }
}

// Inertia (kg m^2 or kg) that the coordinate of a joint moves, in the position of the file.
static double find_inertia(const vs_import *im, const vs_import_joint *joint) {
    const vs_vec3 axis = vs_rotate(joint->frame.rotation, (vs_vec3){0, 0, 1});
    double sum = joint->def.armature;
    for (const vs_import_link *link = im->link; link; link = link->next) {
        const vs_import_link *up = link;
        while (up && up != joint->b)
            up = up->parent;
        if (!up || !(link->mass.mass > 0))
            continue;
        const vs_vec3 n = vs_rotate_back(link->pose.rotation, axis);
        const vs_vec3 arm = vs_subtract(vs_pose_apply(link->pose, link->mass.centre), joint->frame.position);
        const double off = vs_length(vs_cross(axis, arm));
        sum += joint->def.kind == VS_JOINT_PRISMATIC
                   ? link->mass.mass
                   : vs_dot(n, vs_mat3_apply(&link->mass.inertia, n)) + link->mass.mass * off * off;
    }
    return sum;
}

// inheritrange: the range of the joint about its middle, times this.
static void set_range(vs_mjcf *m, vs_element e, const vs_mjcf_drive *drive, vs_control_def *def) {
    vs_import *im = m->im;
    const vs_joint_def *joint = drive->joint ? &drive->joint->def : NULL;
    const double inherit = vs_is_element(e.node, "position") ? vs_import_number(im, e, "inheritrange", 0) : 0;
    double range[2] = {0, 0};
    def->limited = vs_mjcf_is_limited(m, e, "ctrllimited", "ctrlrange");
    if (vs_import_numbers(im, e, "ctrlrange", range, 2, 2)) {
        def->low = range[0], def->high = range[1];
    } else if (inherit > 0 && joint && joint->limited) {
        const double low = joint->low + drive->joint->reference, high = joint->high + drive->joint->reference;
        def->limited = true;
        def->low = .5 * (low + high) - .5 * inherit * (high - low);
        def->high = .5 * (low + high) + .5 * inherit * (high - low);
    }
}

// Values of at most that amount.
static void bound_value(vs_control_def *def, double most) {
    def->low = def->limited ? fmax(def->low, -most) : -most;
    def->high = def->limited ? fmin(def->high, most) : most;
    def->limited = true;
}

static void set_activation(vs_mjcf *m, vs_element e, const law *l, vs_control_def *def) {
    double range[2] = {0, 0};
    def->activation = l->activation;
    def->time_constant = l->time_constant;
    def->bounded = l->activation != VS_ACTIVATION_NONE && vs_mjcf_is_limited(m, e, "actlimited", "actrange");
    if (vs_import_numbers(m->im, e, "actrange", range, 2, 2))
        def->least = range[0], def->most = range[1];
}

static void set_control(vs_mjcf *m, vs_element e, law l, vs_mjcf_drive drive, vs_import_control *control) {
    vs_import *im = m->im;
    vs_control_def *def = &control->def;
    double gear[6] = {1};
    (void)vs_import_numbers(im, e, "gear", gear, 1, 6);
    if (vs_import_good(im) && gear[0] == 0)
        vs_import_fail(im, e.node, VS_ERROR_DATA, "gear must not be 0");
    const double r = gear[0] * drive.gear, shift = gear[0] * drive.offset; // l = r x + shift
    const double limit = fabs(r) * vs_mjcf_effort_limit(m, e, "forcerange", "forcelimited");
    if (!vs_import_good(im))
        return;
    if (l.damp_ratio > 0 && drive.joint->def.kind == VS_JOINT_CABLE)
        vs_import_ignore(im, e.node, "dampratio: not supported on tendons, ignored");
    else if (l.damp_ratio > 0)
        l.bias[2] = -2 * l.damp_ratio * sqrt(-l.bias[1] * find_inertia(im, drive.joint)) / fabs(r);
    name_control(m, e, control);
    set_range(m, e, &drive, def);
    set_activation(m, e, &l, def);
    const double kp = -l.bias[1], kv = -l.bias[2];
    def->motor = kp > 0 ? VS_MOTOR_POSITION : kv > 0 ? VS_MOTOR_SPEED : VS_MOTOR_EFFORT;
    def->gear = kp > 0 ? r * kp / l.gain : kv > 0 ? r * kv / l.gain : r * l.gain;
    def->offset = kp > 0 ? (l.bias[0] / kp - shift) / r : 0;
    control->stiffness = r * r * kp;
    control->damping = r * r * kv;
    control->limit = limit;
    control->gain = r, control->shift = shift;
}

// An actuator of a site exerts gear times gain u, in the axes of the site. The limits of its force are those of its control.
static vs_import_control *push_site(vs_mjcf *m, vs_element e, law l) {
    vs_import *im = m->im;
    double gear[6] = {1, 0, 0, 0, 0, 0};
    const vs_mjcf_site *site = vs_mjcf_find_site(m, e.node, "site");
    (void)vs_import_numbers(im, e, "gear", gear, 1, 6);
    if (!vs_import_good(im))
        return NULL;
    if (!l.known || l.bias[0] != 0 || l.bias[1] != 0 || l.bias[2] != 0 || vs_import_text(im, e, "refsite")) {
        vs_import_ignore(im, e.node, "of actuators on sites only motors without refsite are supported, ignored");
        return NULL;
    }
    if (site->link->world)
        return NULL;
    vs_import_control *control = vs_import_add_control(im, e.node, NULL);
    if (!control)
        return NULL;
    control->link = site->link;
    control->pose = site->pose;
    control->gain = l.gain;
    control->def.force = vs_scale(l.gain, (vs_vec3){gear[0], gear[1], gear[2]});
    control->def.torque = vs_scale(l.gain, (vs_vec3){gear[3], gear[4], gear[5]});
    name_control(m, e, control);
    set_range(m, e, &(vs_mjcf_drive){NULL, 0, 0}, &control->def);
    set_activation(m, e, &l, &control->def);
    const double limit = vs_mjcf_effort_limit(m, e, "forcerange", "forcelimited");
    if (limit > 0)
        bound_value(&control->def, limit / fabs(l.gain));
    return control;
}

// Null: it is ignored, or an error is set.
static vs_import_control *read_actuator(vs_mjcf *m, vs_element e) {
    vs_import *im = m->im;
    if (!vs_in_list((const char *)e.node->name, "motor position velocity intvelocity general"))
        return NULL;
    const law l = read_law(m, e);
    if (vs_import_good(im) && vs_import_text(im, e, "site"))
        return push_site(m, e, l);
    const vs_mjcf_drive drive = vs_import_good(im) ? find_drive(m, e) : (vs_mjcf_drive){NULL, 0, 0};
    if (drive.joint && !is_motor(&l)) {
        vs_import_ignore(im, e.node, "only fixed gains and affine biases that brake are supported, ignored");
        return NULL;
    }
    vs_import_control *control = drive.joint ? vs_import_add_control(im, e.node, drive.joint) : NULL;
    if (control)
        set_control(m, e, l, drive, control);
    return control;
}

static int count_actuators(const vs_mjcf *m) {
    int count = 0;
    for (const xmlNode *s = vs_first_child(m->root, "actuator"); s; s = vs_next_sibling(s, "actuator"))
        for (const xmlNode *n = vs_first_child(s, NULL); n; n = vs_next_sibling(n, NULL))
            count++;
    return count;
}

void vs_mjcf_actuators(vs_mjcf *m, const xmlNode *actuator) {
    vs_import *im = m->im;
    vs_import_known(im, actuator, "motor position velocity intvelocity general", "");
    if (!m->actuator)
        m->actuator = VS_NEW_ZERO(&im->arena, vs_import_control *, count_actuators(m) + 1);
    if (!m->actuator)
        vs_import_fail(im, actuator, VS_ERROR_MEMORY, "out of memory");
    for (const xmlNode *n = vs_first_child(actuator, NULL); n && vs_import_good(im); n = vs_next_sibling(n, NULL)) {
        vs_import_control *control = read_actuator(m, vs_mjcf_element(m, n, NULL));
        m->actuator[m->actuators++] = control;
    }
}
