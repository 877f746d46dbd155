// MJCF: sensors.
//
// The numbers are those of MuJoCo, with two differences: accelerations are means over the last step, and quaternions of frames
// are those of the file's axes for `xbody` and `site`; for `body` those of its <inertial>. Noise is not simulated, nor is it
// in MuJoCo unless asked for. Not supported: cameras and geoms as frames, limits, energies, contacts, users' sensors; listed.
#include <math.h>
#include <string.h>

#include "scene/import/mjcf_data.h"

#define COMMON "name cutoff "
#define SILENT "noise user nsample interp delay interval"

// What an element means.
typedef struct type {
    const char *name;
    char of; // 'j'oint, 't'endon, 'a'ctuator, 's'ite, 'f'rame, 'b'ody with those behind it; ' ': nothing
    vs_sensor_kind kind;
    int axis;
} type;

static const type types[] = {
    {"jointpos", 'j', VS_SENSOR_JOINT_POSITION, 0},
    {"jointvel", 'j', VS_SENSOR_JOINT_VELOCITY, 0},
    {"jointactuatorfrc", 'j', VS_SENSOR_JOINT_EFFORT, 0},
    {"tendonpos", 't', VS_SENSOR_JOINT_POSITION, 0},
    {"tendonvel", 't', VS_SENSOR_JOINT_VELOCITY, 0},
    {"ballquat", 'j', VS_SENSOR_BALL_ROTATION, 0},
    {"ballangvel", 'j', VS_SENSOR_BALL_SPIN, 0},
    {"actuatorpos", 'a', VS_SENSOR_JOINT_POSITION, 0},
    {"actuatorvel", 'a', VS_SENSOR_JOINT_VELOCITY, 0},
    {"actuatorfrc", 'a', VS_SENSOR_JOINT_EFFORT, 0},
    {"gyro", 's', VS_SENSOR_GYRO, 0},
    {"accelerometer", 's', VS_SENSOR_ACCELEROMETER, 0},
    {"velocimeter", 's', VS_SENSOR_VELOCIMETER, 0},
    {"magnetometer", 's', VS_SENSOR_VECTOR, 0},
    {"force", 's', VS_SENSOR_FORCE, 0},
    {"torque", 's', VS_SENSOR_TORQUE, 0},
    {"touch", 's', VS_SENSOR_TOUCH, 0},
    {"rangefinder", 's', VS_SENSOR_RANGE, 0},
    {"framepos", 'f', VS_SENSOR_POSITION, 0},
    {"framequat", 'f', VS_SENSOR_ROTATION, 0},
    {"framexaxis", 'f', VS_SENSOR_AXIS, 0},
    {"frameyaxis", 'f', VS_SENSOR_AXIS, 1},
    {"framezaxis", 'f', VS_SENSOR_AXIS, 2},
    {"framelinvel", 'f', VS_SENSOR_VELOCITY, 0},
    {"frameangvel", 'f', VS_SENSOR_SPIN, 0},
    {"framelinacc", 'f', VS_SENSOR_ACCELERATION, 0},
    {"frameangacc", 'f', VS_SENSOR_SPIN_RATE, 0},
    {"subtreecom", 'b', VS_SENSOR_CENTRE, 0},
    {"subtreelinvel", 'b', VS_SENSOR_CENTRE_VELOCITY, 0},
    {"subtreeangmom", 'b', VS_SENSOR_ANGULAR_MOMENTUM, 0},
    {"clock", ' ', VS_SENSOR_TIME, 0},
};

static const type *find_type(const xmlNode *node) {
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (vs_is_element(node, types[k].name))
            return &types[k];
    return NULL;
}

static vs_element plain(const xmlNode *node) {
    return (vs_element){node, NULL};
}

// ---- joints and actuators --------------------------------------------------------------------------

static bool set_joint(vs_mjcf *m, const xmlNode *node, vs_import_sensor *s) {
    vs_import *im = m->im;
    const bool ball = s->def.kind == VS_SENSOR_BALL_ROTATION || s->def.kind == VS_SENSOR_BALL_SPIN;
    const vs_import_joint *joint = vs_mjcf_find_joint(m, node, "joint");
    vs_import_known(im, node, COMMON "joint", SILENT);
    if (!joint)
        return false;
    const vs_joint_kind kind = joint->def.kind;
    const bool single = kind == VS_JOINT_REVOLUTE || kind == VS_JOINT_PRISMATIC || kind == VS_JOINT_CYLINDRICAL;
    if (ball ? kind != VS_JOINT_SPHERICAL : !single)
        return false;
    s->joint = joint;
    s->def.offset = joint->reference;
    return true;
}

static bool set_tendon(vs_mjcf *m, const xmlNode *node, vs_import_sensor *s) {
    vs_import_known(m->im, node, COMMON "tendon", SILENT);
    const vs_mjcf_drive drive = vs_mjcf_tendon_drive(m, node, "tendon");
    s->joint = drive.joint;
    s->def.gear = drive.gear;
    s->def.offset = drive.offset;
    return drive.joint != NULL;
}

// The length of an actuator is its gear times the coordinate, its force the effort over it.
static bool set_actuator(vs_mjcf *m, const xmlNode *node, vs_import_sensor *s) {
    vs_import *im = m->im;
    const char *name = vs_import_need(im, plain(node), "actuator");
    const vs_import_control *control = im->control;
    vs_import_known(im, node, COMMON "actuator", SILENT);
    while (control && (!vs_import_text(im, plain(control->node), "name") ||
                       strcmp(vs_import_text(im, plain(control->node), "name"), name) != 0))
        control = control->next;
    if (!control || control->def.adds)
        return false;
    if (!control->joint) {
        s->control = control;
        s->def.kind = s->def.kind == VS_SENSOR_JOINT_EFFORT ? VS_SENSOR_CONTROL : s->def.kind;
        s->def.gear = control->gain;
        return s->def.kind == VS_SENSOR_CONTROL;
    }
    s->joint = control->joint;
    s->def.gear = s->def.kind == VS_SENSOR_JOINT_EFFORT ? 1 / control->gain : control->gain;
    s->def.offset = control->shift;
    return true;
}

// ---- frames ----------------------------------------------------------------------------------------

static bool set_site(vs_mjcf *m, const xmlNode *node, const char *attribute, vs_import_frame *frame) {
    const vs_mjcf_site *site = vs_mjcf_find_site(m, node, attribute);
    if (site)
        *frame = (vs_import_frame){site->link, site->pose};
    return site != NULL;
}

// A frame that two attributes name.
static bool set_frame(vs_mjcf *m, const xmlNode *node, const char *type_of, const char *name_of,
                      vs_import_frame *frame) {
    vs_import *im = m->im;
    const char *kind = vs_import_need(im, plain(node), type_of);
    if (strcmp(kind, "site") == 0)
        return set_site(m, node, name_of, frame);
    if (!vs_in_list(kind, "body xbody"))
        return false;
    const vs_mjcf_body *body = vs_mjcf_find_body(m, node, name_of);
    if (!vs_import_good(im))
        return false;
    *frame = (vs_import_frame){body->link, body->pose};
    const xmlNode *inertial = body->node && strcmp(kind, "body") == 0 ? vs_first_child(body->node, "inertial") : NULL;
    if (inertial)
        frame->pose = vs_pose_multiply(body->pose, vs_mjcf_pose(m, plain(inertial)));
    else if (body->node && strcmp(kind, "body") == 0)
        frame->pose.position = vs_pose_apply(body->link->pose, body->link->mass.centre);
    return true;
}

static bool set_object(vs_mjcf *m, const xmlNode *node, vs_import_sensor *s) {
    vs_import *im = m->im;
    vs_import_known(im, node, COMMON "objtype objname reftype refname", SILENT);
    if (!set_frame(m, node, "objtype", "objname", &s->frame))
        return false;
    return !vs_import_text(im, plain(node), "reftype") || set_frame(m, node, "reftype", "refname", &s->reference);
}

// The joint of a link to its parent.
static const vs_import_joint *find_parent_joint(const vs_import *im, const vs_import_link *link) {
    const vs_import_joint *joint = im->joint;
    while (joint && (joint->b != link || joint->loop))
        joint = joint->next;
    return joint;
}

// The zone of a site; its reach, from its origin.
static void set_zone(vs_mjcf *m, const xmlNode *site, vs_sensor_def *def) {
    vs_import *im = m->im;
    const vs_element e = vs_mjcf_element(m, site, NULL);
    const char *kind = vs_import_text(im, e, "type");
    double s[3] = {.005, .005, .005}; // as in MuJoCo
    (void)vs_import_numbers(im, e, "size", s, 1, 3);
    kind = kind ? kind : "sphere";
    if (strcmp(kind, "box") == 0)
        vs_import_check(im, site, vs_shape_box(im->context, (vs_vec3){s[0], s[1], s[2]}, &def->zone));
    else if (strcmp(kind, "ellipsoid") == 0)
        vs_import_check(im, site, vs_shape_ellipsoid(im->context, (vs_vec3){s[0], s[1], s[2]}, &def->zone));
    else if (strcmp(kind, "capsule") == 0)
        vs_import_check(im, site, vs_shape_capsule(im->context, s[0], s[1], &def->zone));
    else if (strcmp(kind, "cylinder") == 0)
        vs_import_check(im, site, vs_shape_cylinder(im->context, s[0], s[1], &def->zone));
    else
        vs_import_check(im, site, vs_shape_sphere(im->context, s[0], &def->zone));
    def->reach = s[0] + s[1] + s[2];
}

static bool set_on_site(vs_mjcf *m, const xmlNode *node, vs_import_sensor *s) {
    vs_import_known(m->im, node, COMMON "site", SILENT);
    if (!set_site(m, node, "site", &s->frame))
        return false;
    if (s->def.kind == VS_SENSOR_VECTOR)
        s->def.vector = m->magnetic;
    if (s->def.kind == VS_SENSOR_TOUCH)
        set_zone(m, vs_mjcf_find_site(m, node, "site")->node, &s->def);
    if (s->def.kind != VS_SENSOR_FORCE && s->def.kind != VS_SENSOR_TORQUE)
        return true;
    s->joint = find_parent_joint(m->im, s->frame.link);
    return s->joint != NULL;
}

static bool set_subtree(vs_mjcf *m, const xmlNode *node, vs_import_sensor *s) {
    vs_import_known(m->im, node, COMMON "body", SILENT);
    const vs_mjcf_body *body = vs_mjcf_find_body(m, node, "body");
    if (!vs_import_good(m->im))
        return false;
    if (body->link->world)
        return body->node == NULL; // all; a body that is part of the world has no mass here
    if (body->node != body->link->node)
        return false; // a part of a link
    s->frame = (vs_import_frame){body->link, body->pose};
    // Links stand in the order of the file, those behind one after it.
    for (const vs_import_link *link = body->link; link; link = link->next) {
        const vs_import_link *up = link->of ? link->of : link;
        while (up && up != body->link)
            up = up->parent;
        s->last = up ? link : s->last;
    }
    return true;
}

// ---- the section -----------------------------------------------------------------------------------

static bool set_sensor(vs_mjcf *m, const xmlNode *node, char of, vs_import_sensor *s) {
    switch (of) {
    case 'j':
        return set_joint(m, node, s);
    case 't':
        return set_tendon(m, node, s);
    case 'a':
        return set_actuator(m, node, s);
    case 's':
        return set_on_site(m, node, s);
    case 'f':
        return set_object(m, node, s);
    case 'b':
        return set_subtree(m, node, s);
    default:
        return true;
    }
}

static void read_sensor(vs_mjcf *m, const xmlNode *node) {
    vs_import *im = m->im;
    const type *found = find_type(node);
    vs_import_sensor s = {.def = vs_sensor_def_default()};
    if (!found) {
        vs_import_ignore(im, node, "this sensor is not supported, ignored");
        return;
    }
    s.def.kind = found->kind, s.def.axis = found->axis;
    s.def.name = vs_import_text(im, plain(node), "name");
    s.def.cutoff = vs_import_number(im, plain(node), "cutoff", 0);
    if (!set_sensor(m, node, found->of, &s)) {
        vs_shape_release(s.def.zone);
        if (vs_import_good(im))
            vs_import_ignore(im, node, "what it measures has no such quantity here, ignored");
        return;
    }
    vs_import_sensor *made = vs_import_add_sensor(im, node, &s.def);
    if (made) {
        made->frame = s.frame, made->reference = s.reference, made->last = s.last;
        made->joint = s.joint, made->control = s.control;
    }
}

void vs_mjcf_sensors(vs_mjcf *m, const xmlNode *section) {
    for (const xmlNode *n = vs_first_child(section, NULL); n && vs_import_good(m->im); n = vs_next_sibling(n, NULL))
        read_sensor(m, n);
}
