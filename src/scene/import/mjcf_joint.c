// MJCF: the joints of a body, which in MJCF are degrees of freedom that add up.
//
// One hinge, slide or ball is the joint of that kind; a free joint is none. Several become the one joint that allows
// the same motions:
//
//     slide + hinge along one axis                       cylindrical
//     2 slides + hinge, all perpendicular                planar
//     2 hinges, perpendicular, at one point              universal
//     3 independent hinges at one point                  spherical
//     3 independent slides + ball or 3 such hinges       free
//
// as long as they have no limits, springs, dampers or friction that this joint does not support, and nothing uses their
// coordinates (actuators, equalities, tendons, keyframes). Other hinges and
// slides become a serial chain with auxiliary bodies in between, without shapes, each with a thousandth of the mass and
// inertia of the body, which keeps the rest. This is logged. The coordinate counts from the position of the file, where
// MJCF has `ref`.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "scene/import/mjcf_data.h"

enum { DEGREES_MOST = 6 };
static const double SAME = 1e-6; // rad between directions, m between points: precision of hand-written numbers

typedef struct degree {
    vs_element e;
    char kind;            // hinge, slide, ball, free: its first letter
    vs_vec3 axis, anchor; // in the world
} degree;

typedef struct degrees {
    degree one[DEGREES_MOST];
    int count, hinges, slides, balls, free;
} degrees;

// ---- reading ---------------------------------------------------------------------------------------

static void add_degree(vs_mjcf *m, degrees *d, vs_element e, vs_pose pose) {
    vs_import *im = m->im;
    const bool is_free = vs_is_element(e.node, "freejoint");
    const char *type = is_free ? "free" : vs_import_text(im, e, "type");
    degree one = {.e = e};
    type = type ? type : "hinge";
    if (is_free)
        vs_import_known(im, e.node, "name", "group align");
    else
        vs_import_known(im, e.node, VS_MJCF_JOINT);
    if (!vs_in_list(type, "hinge slide ball free"))
        vs_import_fail(im, e.node, VS_ERROR_DATA, "unknown type '%.40s'", type);
    else if (d->count == DEGREES_MOST)
        vs_import_fail(im, e.node, VS_ERROR_DATA, "a body has at most %d joints", DEGREES_MOST);
    const vs_vec3 axis = vs_import_vector(im, e, "axis", (vs_vec3){0, 0, 1});
    if (!(vs_length(axis) > 0) || !isfinite(vs_length(axis)))
        vs_import_fail(im, e.node, VS_ERROR_DATA, "the axis has no direction");
    one.kind = type[0];
    one.axis = vs_rotate(pose.rotation, vs_normalize(axis));
    one.anchor = vs_pose_apply(pose, vs_import_vector(im, e, "pos", VS_ZERO3));
    if (!vs_import_good(im))
        return;
    d->hinges += one.kind == 'h';
    d->slides += one.kind == 's';
    d->balls += one.kind == 'b';
    d->free += one.kind == 'f';
    d->one[d->count++] = one;
}

bool vs_mjcf_is_limited(vs_mjcf *m, vs_element e, const char *flag, const char *range) {
    const char *text = vs_import_text(m->im, e, flag);
    if (!text || strcmp(text, "auto") == 0)
        return vs_mjcf_set(m, e.node)->automatic_limits && vs_import_text(m->im, e, range);
    return strcmp(text, "true") == 0;
}

double vs_mjcf_effort_limit(vs_mjcf *m, vs_element e, const char *range, const char *flag) {
    double r[2] = {0, 0};
    if (!vs_mjcf_is_limited(m, e, flag, range) || !vs_import_numbers(m->im, e, range, r, 2, 2))
        return 0;
    if (r[0] != -r[1])
        vs_import_ignore(m->im, e.node, "%s: not symmetric, the smaller limit is used in both directions", range);
    return fmin(fabs(r[0]), fabs(r[1]));
}

static bool is_limited(vs_mjcf *m, vs_element e) {
    return vs_mjcf_is_limited(m, e, "limited", "range");
}

// Limits, spring, damper, friction and armature of the coordinate.
static void read_coordinate(vs_mjcf *m, const degree *d, vs_import_joint *joint) {
    vs_import *im = m->im;
    vs_joint_def *def = &joint->def;
    const double unit = d->kind == 'h' ? vs_mjcf_set(m, d->e.node)->angle : 1,
                 ref = unit * vs_import_number(im, d->e, "ref", 0);
    double range[2] = {0, 0};
    def->limited = is_limited(m, d->e);
    if (vs_import_numbers(im, d->e, "range", range, 2, 2) && def->limited) {
        def->low = unit * range[0] - ref;
        def->high = unit * range[1] - ref;
    }
    def->stiffness = vs_import_number(im, d->e, "stiffness", 0);
    def->damping = vs_import_number(im, d->e, "damping", 0);
    def->friction = vs_import_number(im, d->e, "frictionloss", 0);
    def->rest = unit * vs_import_number(im, d->e, "springref", 0) - ref;
    def->armature = vs_import_number(im, d->e, "armature", 0);
    def->motor_limit = vs_mjcf_effort_limit(m, d->e, "actuatorfrcrange", "actuatorfrclimited");
    joint->reference = ref;
}

// Properties that a degree of freedom without a coordinate of its own does not support.
static bool has_forces(vs_mjcf *m, const degree *d) {
    vs_import *im = m->im;
    return is_limited(m, d->e) || vs_import_number(im, d->e, "stiffness", 0) > 0 ||
           vs_import_number(im, d->e, "damping", 0) > 0 || vs_import_number(im, d->e, "frictionloss", 0) > 0 ||
           vs_import_number(im, d->e, "armature", 0) > 0;
}

// Has it forces, or do actuators, equalities, tendons or keyframes use its coordinate?
static bool needs_coordinate(vs_mjcf *m, const degree *d) {
    const char *name = vs_import_text(m->im, d->e, "name");
    return has_forces(m, d) || m->has_keys || (name && vs_names_find(&m->used_joints, name) >= 0);
}

static void list_forces(vs_mjcf *m, const degree *d, const char *kind) {
    if (has_forces(m, d))
        vs_import_ignore(m->im, d->e.node,
                         "range, stiffness, damping, frictionloss, armature: not supported on %s joints, ignored",
                         kind);
}

// ---- sums ------------------------------------------------------------------------------------------

static bool is_across(vs_vec3 a, vs_vec3 b) {
    return fabs(vs_dot(a, b)) < SAME;
}

// The hinge or slide number k.
static const degree *get(const degrees *d, char kind, int k) {
    for (int i = 0; i < d->count; i++)
        if (d->one[i].kind == kind && k-- == 0)
            return &d->one[i];
    return NULL;
}

static bool are_independent(const degrees *d, char kind) {
    const vs_vec3 a = get(d, kind, 0)->axis, b = get(d, kind, 1)->axis, c = get(d, kind, 2)->axis;
    return fabs(vs_dot(a, vs_cross(b, c))) > SAME;
}

static bool hinges_meet(const degrees *d) {
    for (int k = 1; k < d->hinges; k++)
        if (vs_length(vs_subtract(get(d, 'h', k)->anchor, get(d, 'h', 0)->anchor)) > SAME)
            return false;
    return true;
}

static bool is_free(const degrees *d) {
    if (d->free == 1 && d->count == 1)
        return true;
    if (d->slides != 3 || !are_independent(d, 's'))
        return false;
    return (d->balls == 1 && d->count == 4) || (d->hinges == 3 && d->count == 6 && are_independent(d, 'h'));
}

// The joint that allows the same motions; false: there is none.
static bool find_kind(const degrees *d, vs_joint_kind *kind) {
    const degree *h = get(d, 'h', 0), *s = get(d, 's', 0);
    if (d->free > 0)
        return false;
    if (d->count == 1)
        *kind = d->hinges ? VS_JOINT_REVOLUTE : d->slides ? VS_JOINT_PRISMATIC : VS_JOINT_SPHERICAL;
    else if (d->count == 2 && d->hinges == 1 && d->slides == 1 && vs_length(vs_cross(h->axis, s->axis)) < SAME)
        *kind = VS_JOINT_CYLINDRICAL;
    else if (d->count == 2 && d->hinges == 2 && is_across(h->axis, get(d, 'h', 1)->axis) && hinges_meet(d))
        *kind = VS_JOINT_UNIVERSAL;
    else if (d->count == 3 && d->hinges == 3 && are_independent(d, 'h') && hinges_meet(d))
        *kind = VS_JOINT_SPHERICAL;
    else if (d->count == 3 && d->hinges == 1 && d->slides == 2 && is_across(s->axis, get(d, 's', 1)->axis) &&
             is_across(h->axis, s->axis) && is_across(h->axis, get(d, 's', 1)->axis))
        *kind = VS_JOINT_PLANAR;
    else
        return false;
    return true;
}

// z along the axis of the (first) hinge, else of the slide; x of a universal joint along its second hinge.
static vs_pose find_frame(const degrees *d, vs_joint_kind kind, vs_pose pose) {
    const degree *first = d->hinges ? get(d, 'h', 0) : &d->one[0];
    vs_pose frame = {first->anchor, vs_quat_from_z_to(first->axis)};
    if (kind == VS_JOINT_SPHERICAL)
        frame.rotation = pose.rotation;
    if (kind == VS_JOINT_CYLINDRICAL)
        frame.rotation = vs_quat_from_z_to(get(d, 's', 0)->axis);
    if (kind == VS_JOINT_UNIVERSAL) {
        const vs_vec3 x = vs_rotate_back(frame.rotation, get(d, 'h', 1)->axis);
        frame.rotation = vs_quat_multiply(frame.rotation, vs_quat_exp((vs_vec3){0, 0, vs_atan2(x.y, x.x)}));
    }
    return frame;
}

static void remember(vs_mjcf *m, const degree *d, vs_import_joint *joint) {
    vs_import *im = m->im;
    const char *name = vs_import_text(im, d->e, "name");
    if (!name || !*name || !vs_import_good(im))
        return;
    if (vs_names_find(&m->joint_names, name) >= 0) {
        vs_import_fail(im, d->e.node, VS_ERROR_DATA, "the name '%.60s' is already in use; names must be unique", name);
        return;
    }
    joint->def.name = joint->def.name ? joint->def.name : name;
    vs_import_check(im, d->e.node, vs_names_add(im->context, &m->joint_names, name, m->joints));
    m->joint[m->joints++] = joint;
}

vs_import_joint *vs_mjcf_find_joint(vs_mjcf *m, const xmlNode *node, const char *attribute) {
    const char *name = vs_import_need(m->im, (vs_element){node, NULL}, attribute);
    const int at = vs_names_find(&m->joint_names, name);
    if (at < 0)
        vs_import_fail(m->im, node, VS_ERROR_DATA, "there is no hinge or slide joint '%.60s'", name);
    return at < 0 ? NULL : m->joint[at];
}

// The coordinate of a joint that has one is the slide's, else the hinge's.
static bool is_coordinate(vs_joint_kind kind, const degree *d) {
    return kind == VS_JOINT_REVOLUTE ? d->kind == 'h'
                                     : (kind == VS_JOINT_PRISMATIC || kind == VS_JOINT_CYLINDRICAL) && d->kind == 's';
}

static void add_dof(vs_mjcf *m, const degree *d, const vs_import_link *link, const vs_import_joint *joint) {
    m->dof[m->dofs++] = (vs_mjcf_dof){d->kind, link, joint};
}

static void add_joint(vs_mjcf *m, const degrees *d, vs_joint_kind kind, vs_import_link *a, vs_import_link *b,
                      vs_pose pose) {
    vs_import_joint *joint = vs_import_add_joint(m->im, d->one[0].e.node, kind, a, b, find_frame(d, kind, pose));
    if (!joint)
        return;
    // Bodies connected to the world may collide with it; other neighbours do not collide.
    joint->def.collide = a->world || m->neighbours_collide;
    b->parent = a;
    for (int k = 0; k < d->count; k++) {
        remember(m, &d->one[k], joint);
        if (is_coordinate(kind, &d->one[k]))
            read_coordinate(m, &d->one[k], joint);
        else
            list_forces(m, &d->one[k], "spherical");
        add_dof(m, &d->one[k], NULL, is_coordinate(kind, &d->one[k]) || d->one[k].kind == 'b' ? joint : NULL);
    }
}

static void add_chain(vs_mjcf *m, const degrees *d, vs_import_link *parent, vs_import_link *link, vs_pose pose) {
    vs_import *im = m->im;
    vs_import_link *before = parent;
    vs_import_ignore(im, d->one[0].e.node,
                     "%d joints on one body: auxiliary bodies with %g of its mass are inserted between them", d->count,
                     VS_IMPORT_SHARE);
    for (int k = 0; k < d->count && vs_import_good(im); k++) {
        const degrees single = {.one = {d->one[k]},
                                .count = 1,
                                .hinges = d->one[k].kind == 'h',
                                .slides = d->one[k].kind == 's',
                                .balls = d->one[k].kind == 'b'};
        vs_joint_kind kind = VS_JOINT_FIXED;
        vs_import_link *after = link;
        if (k + 1 < d->count) {
            after = vs_import_add_link(im, link->node, NULL, link->pose);
            if (!after)
                return;
            after->of = link;
            link->parts++;
        }
        if (find_kind(&single, &kind))
            add_joint(m, &single, kind, before, after, pose);
        before = after;
    }
    // Neighbours in the file are no longer neighbours here.
    if (vs_import_good(im) && !parent->world && !m->neighbours_collide)
        vs_import_add_exclude(im, link->node, parent, link);
}

static void add_joints(vs_mjcf *m, const degrees *d, vs_import_link *parent, vs_import_link *link, vs_pose pose) {
    vs_joint_kind kind = VS_JOINT_FIXED;
    bool one = find_kind(d, &kind);
    for (int k = 0; k < d->count && d->count > 1; k++)
        one = one && (is_coordinate(kind, &d->one[k]) || !needs_coordinate(m, &d->one[k]));
    if (d->free > 0)
        vs_import_fail(m->im, d->one[0].e.node, VS_ERROR_DATA, "a free joint must be the only one of its body");
    else if (one)
        add_joint(m, d, kind, parent, link, pose);
    else
        add_chain(m, d, parent, link, pose);
}

// Of a body and of the frames in it.
static void find_degrees(vs_mjcf *m, degrees *d, const xmlNode *parent, const xmlNode *defaults, vs_pose pose) {
    for (const xmlNode *n = vs_first_child(parent, NULL); n && vs_import_good(m->im); n = vs_next_sibling(n, NULL)) {
        if (vs_is_element(n, "joint") || vs_is_element(n, "freejoint"))
            add_degree(m, d, vs_mjcf_element(m, n, defaults), pose);
        else if (vs_is_element(n, "frame"))
            find_degrees(m, d, n, vs_mjcf_class(m, n, "childclass", defaults),
                         vs_pose_multiply(pose, vs_mjcf_pose(m, (vs_element){n, NULL})));
    }
}

void vs_mjcf_joints(vs_mjcf *m, const xmlNode *body, const xmlNode *defaults, vs_import_link *parent,
                    vs_import_link *link, vs_pose pose) {
    degrees d = {0};
    find_degrees(m, &d, body, defaults, pose);
    if (!vs_import_good(m->im) || d.count == 0)
        return;
    bool one = is_free(&d);
    for (int k = 0; k < d.count && d.count > 1; k++)
        one = one && !needs_coordinate(m, &d.one[k]);
    if (!one) {
        add_joints(m, &d, parent, link, pose);
        return;
    }
    for (int k = 0; k < d.count; k++) {
        list_forces(m, &d.one[k], "free");
        add_dof(m, &d.one[k], d.one[k].kind == 'f' ? link : NULL, NULL);
    }
}
