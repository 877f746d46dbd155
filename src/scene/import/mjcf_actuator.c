// MJCF: actuators on hinge and slide joints as controls.
//
//     motor      effort = gear u
//     position   effort = gear (kp (u - gear q) - kv gear q')
//     velocity   effort = gear kv (u - gear q')
//     general    gain u + bias_0 + bias_1 gear q + bias_2 gear q' instead, if it is one of these three
//
// with the control u, limited to ctrlrange, the force to forcerange. kp and kv are gains of the joint's motor, which are
// treated implicitly. An actuator without a name is called like its joint. Not supported: more than one actuator per joint, tendons, sites, bodies, dynamics of actuators.
#include "scene/import/mjcf_data.h"

#include <math.h>
#include <string.h>

#define COMMON "name class joint gear ctrlrange ctrllimited forcerange forcelimited "
#define SILENT "group user"

// What an actuator does with its control.
typedef struct law {
    vs_motor_kind motor; // none: not supported
    double factor;       // of the control: of an effort
    double kp, kv;
} law;

static law read_general(vs_mjcf *m, vs_element e) {
    vs_import *im = m->im;
    double gain[10] = {1}, bias[10] = {0};
    const char *bias_type = vs_import_text(im, e, "biastype"), *dynamics = vs_import_text(im, e, "dyntype");
    const char *gain_type = vs_import_text(im, e, "gaintype");
    (void)vs_import_numbers(im, e, "gainprm", gain, 1, 10);
    (void)vs_import_numbers(im, e, "biasprm", bias, 1, 10);
    const bool affine = bias_type && strcmp(bias_type, "affine") == 0;
    if ((bias_type && !affine && strcmp(bias_type, "none") != 0) || (dynamics && strcmp(dynamics, "none") != 0) ||
        (gain_type && strcmp(gain_type, "fixed") != 0) || (affine && bias[0] != 0))
        return (law){.motor = VS_MOTOR_NONE};
    if (!affine || (bias[1] == 0 && bias[2] == 0))
        return (law){VS_MOTOR_EFFORT, gain[0], 0, 0};
    if (bias[1] == -gain[0])
        return (law){VS_MOTOR_POSITION, 1, gain[0], -bias[2]};
    if (bias[1] == 0 && bias[2] == -gain[0])
        return (law){VS_MOTOR_SPEED, 1, 0, gain[0]};
    return (law){.motor = VS_MOTOR_NONE};
}

static law read_law(vs_mjcf *m, vs_element e) {
    vs_import *im = m->im;
    if (vs_is_element(e.node, "motor")) {
        vs_import_known(im, e.node, COMMON, SILENT);
        return (law){VS_MOTOR_EFFORT, 1, 0, 0};
    }
    if (vs_is_element(e.node, "position")) {
        vs_import_known(im, e.node, COMMON "kp kv", SILENT);
        return (law){VS_MOTOR_POSITION, 1, vs_import_number(im, e, "kp", 1), vs_import_number(im, e, "kv", 0)};
    }
    if (vs_is_element(e.node, "velocity")) {
        vs_import_known(im, e.node, COMMON "kv", SILENT);
        return (law){VS_MOTOR_SPEED, 1, 0, vs_import_number(im, e, "kv", 1)};
    }
    vs_import_known(im, e.node, COMMON "dyntype gaintype biastype gainprm biasprm", SILENT);
    return read_general(m, e);
}

static bool is_commanded(const vs_import *im, const vs_import_joint *joint) {
    for (const vs_import_control *c = im->control; c; c = c->next)
        if (c->joint == joint)
            return true;
    return false;
}

// The joint of an actuator that is supported; null: it is ignored, or an error is set.
static vs_import_joint *find_joint(vs_mjcf *m, const vs_element e) {
    vs_import *im = m->im;
    if (!vs_import_text(im, e, "joint")) {
        vs_import_ignore(im, e.node, "only actuators of joints are supported, ignored");
        return NULL;
    }
    vs_import_joint *joint = vs_mjcf_find_joint(m, e.node, "joint");
    if (!joint)
        return NULL;
    const bool single = joint->def.kind == VS_JOINT_REVOLUTE || joint->def.kind == VS_JOINT_PRISMATIC;
    if (single && !is_commanded(im, joint))
        return joint;
    vs_import_ignore(im, e.node, "%s, ignored",
                     single ? "only one actuator per joint is supported"
                            : "only actuators of single hinges and slides are supported");
    return NULL;
}

// The name of an actuator, or else of its joint, unless another actuator has that name.
static void name_control(vs_mjcf *m, vs_element e, vs_import_control *control) {
    vs_import *im = m->im;
    const char *own = vs_import_text(im, e, "name");
    control->def.name = own ? own : control->joint->def.name;
    for (vs_import_control *c = im->control; c && c != control; c = c->next) {
        if (!c->def.name || !control->def.name || strcmp(c->def.name, control->def.name) != 0)
            continue;
        if (!own)
            control->def.name = NULL;
        else if (c->def.name == c->joint->def.name)
            c->def.name = NULL;
    }
}

static void set_control(vs_mjcf *m, vs_element e, law l, vs_import_joint *joint, vs_import_control *control) {
    vs_import *im = m->im;
    vs_control_def *def = &control->def;
    double gear[6] = {1}, range[2] = {0, 0};
    (void)vs_import_numbers(im, e, "gear", gear, 1, 6);
    if (vs_import_good(im) && (gear[0] == 0 || l.kp < 0 || l.kv < 0))
        vs_import_fail(im, e.node, VS_ERROR_DATA, "gear must not be 0 and gains not negative");
    const double limit = fabs(gear[0]) * vs_mjcf_effort_limit(m, e, "forcerange", "forcelimited");
    name_control(m, e, control);
    def->motor = l.motor;
    def->gear = l.motor == VS_MOTOR_EFFORT ? gear[0] * l.factor : gear[0];
    def->offset = -joint->reference;
    def->limited = vs_mjcf_is_limited(m, e, "ctrllimited", "ctrlrange");
    if (vs_import_numbers(im, e, "ctrlrange", range, 2, 2))
        def->low = range[0], def->high = range[1];
    joint->def.motor_stiffness = gear[0] * gear[0] * l.kp;
    joint->def.motor_damping = gear[0] * gear[0] * l.kv;
    if (limit > 0 && !(joint->def.motor_limit > 0 && joint->def.motor_limit < limit))
        joint->def.motor_limit = limit;
}

// Null: it is ignored, or an error is set.
static vs_import_control *read_actuator(vs_mjcf *m, vs_element e) {
    vs_import *im = m->im;
    if (!vs_in_list((const char *)e.node->name, "motor position velocity general"))
        return NULL;
    const law l = read_law(m, e);
    vs_import_joint *joint = vs_import_good(im) ? find_joint(m, e) : NULL;
    if (joint && (l.motor == VS_MOTOR_NONE || (l.motor == VS_MOTOR_EFFORT && l.factor == 0))) {
        vs_import_ignore(im, e.node, "only the laws of motor, position and velocity are supported, ignored");
        return NULL;
    }
    vs_import_control *control = joint ? vs_import_add_control(im, e.node, joint) : NULL;
    if (control)
        set_control(m, e, l, joint, control);
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
    vs_import_known(im, actuator, "motor position velocity general", "");
    if (!m->actuator)
        m->actuator = VS_NEW_ZERO(&im->arena, vs_import_control *, count_actuators(m) + 1);
    if (!m->actuator)
        vs_import_fail(im, actuator, VS_ERROR_MEMORY, "out of memory");
    for (const xmlNode *n = vs_first_child(actuator, NULL); n && vs_import_good(im); n = vs_next_sibling(n, NULL)) {
        vs_import_control *control = read_actuator(m, vs_mjcf_element(m, n, NULL));
        m->actuator[m->actuators++] = control;
    }
}
