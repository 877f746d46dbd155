// URDF: links in a tree of joints.
//
//     pose of the child = pose of the parent * <origin> * (motion of the joint at rest)
//     R(rpy) = R_z(yaw) R_y(pitch) R_x(roll)
//
// The root is fixed to the world if it is called "world" or has no <inertial>; else it is free. A link without mass on
// a fixed joint is merged into its parent. A joint that mimics another, q = multiplier q' + offset, starts at its
// offset and counts from there, so that a gear with that ratio is equivalent. Neighbours do not collide.
// Not supported: <visual> and colours (no mechanics), transmissions, sensors, limits of speed; they are listed. The
// limit of the effort is that of the motor, once one is commanded.
#include "scene/import/import_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
typedef struct urdf_link {
    const xmlNode *node;
    const char *name;
    int parent;              // joint above it; -1: the root
    int first;               // joint below it
    double mu;               //
    vs_pose pose;            //
    vs_import_link *made;    // the part it belongs to
    bool massless;           //
    vs_mass_properties mass; // in its frame
} urdf_link;

typedef struct urdf_joint {
    const xmlNode *node;
    const char *name, *type;
    int parent, child, next; // links; the next joint of the same parent
    vs_import_joint *made;   // null: floating, or both links are one
} urdf_joint;

typedef struct reader {
    vs_import *im;
    urdf_link *link;
    urdf_joint *joint;
    int links, joints;
    vs_names link_names, joint_names;
} reader;

static vs_element plain(const xmlNode *node) {
    return (vs_element){node, NULL};
}

static vs_quat turn(double x, double y, double z) {
    return vs_quat_exp((vs_vec3){x, y, z});
}

// <origin xyz rpy> below the element; identity if absent.
static vs_pose read_origin(vs_import *im, const xmlNode *parent) {
    const xmlNode *node = vs_first_child(parent, "origin");
    if (!node)
        return VS_IDENTITY_POSE;
    vs_import_known(im, node, "xyz rpy", "");
    const vs_vec3 xyz = vs_import_vector(im, plain(node), "xyz", VS_ZERO3);
    const vs_vec3 rpy = vs_import_vector(im, plain(node), "rpy", VS_ZERO3);
    const vs_quat yaw_pitch = vs_quat_multiply(turn(0, 0, rpy.z), turn(0, rpy.y, 0));
    return (vs_pose){xyz, vs_quat_normalize(vs_quat_multiply(yaw_pitch, turn(rpy.x, 0, 0)))};
}

static double read_value(vs_import *im, const xmlNode *parent, const char *child, const char *name, double otherwise) {
    const xmlNode *node = vs_first_child(parent, child);
    return node ? vs_import_number(im, plain(node), name, otherwise) : otherwise;
}

// ---- links -----------------------------------------------------------------------------------------

static void read_inertial(vs_import *im, urdf_link *l) {
    const xmlNode *node = vs_first_child(l->node, "inertial"), *tensor = vs_first_child(node, "inertia");
    l->massless = !node;
    if (!node)
        return;
    vs_import_known(im, node, "origin mass inertia", "");
    const double mass = read_value(im, node, "mass", "value", 0);
    const char *const name[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    double I[6] = {0};
    for (int k = 0; k < 6 && tensor; k++)
        I[k] = vs_import_number(im, plain(tensor), name[k], 0);
    // Many tools write zeros for frames that are only markers.
    if (mass == 0 && I[0] == 0 && I[1] == 0 && I[2] == 0) {
        l->massless = true;
        return;
    }
    if (!(mass > 0) || !tensor)
        vs_import_fail(im, node, VS_ERROR_DATA, "needs <inertia> and a positive <mass value>; has the mass %g", mass);
    const vs_mass_properties given = {mass, VS_ZERO3, {{I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]}}};
    const vs_mass_properties nothing = {0};
    l->mass = vs_mass_properties_add(&nothing, &given, read_origin(im, node));
}

static void read_link(reader *r, const xmlNode *node) {
    vs_import *im = r->im;
    urdf_link *l = &r->link[r->links];
    *l = (urdf_link){.node = node, .parent = -1, .first = -1, .mu = vs_material_default().mu};
    l->name = vs_import_need(im, plain(node), "name");
    vs_import_known(im, node, "name inertial collision contact", "visual type");
    const xmlNode *contact = vs_first_child(node, "contact");
    if (contact) {
        vs_import_known(im, contact, "lateral_friction", "");
        l->mu = read_value(im, contact, "lateral_friction", "value", l->mu);
    }
    read_inertial(im, l);
    if (vs_import_good(im) && vs_names_find(&r->link_names, l->name) >= 0)
        vs_import_fail(im, node, VS_ERROR_DATA, "the name '%.60s' is already in use; names must be unique", l->name);
    if (vs_import_good(im))
        vs_import_check(im, node, vs_names_add(im->context, &r->link_names, l->name, r->links));
    r->links++;
}

// <gazebo reference="link"><mu1>0.3</mu1></gazebo>
static void read_gazebo(reader *r, const xmlNode *node) {
    vs_import *im = r->im;
    const char *name = vs_import_text(im, plain(node), "reference");
    const int at = name ? vs_names_find(&r->link_names, name) : -1;
    vs_import_known(im, node, at >= 0 ? "reference mu1" : "reference", "material");
    const xmlNode *mu = at >= 0 ? vs_first_child(node, "mu1") : NULL;
    if (!mu || !vs_import_good(im))
        return;
    xmlChar *text = xmlNodeGetContent(mu);
    char *end = NULL;
    const double value = text ? strtod((const char *)text, &end) : 0;
    if (!text || end == (char *)text || !isfinite(value) || value < 0)
        vs_import_fail(im, mu, VS_ERROR_DATA, "must be a nonnegative number");
    else
        r->link[at].mu = value;
    xmlFree(text);
}

// ---- shapes ----------------------------------------------------------------------------------------

// The file of "package://robot/meshes/a.stl", "file:///a.stl" or "meshes/a.stl"; packages are searched in
// the folder of the description and the two above it.
static const char *find_file(vs_import *im, const char *name) {
    const bool package = strncmp(name, "package://", 10) == 0;
    const char *rest = package ? strchr(name + 10, '/') : strncmp(name, "file://", 7) == 0 ? name + 7 : name;
    const char *const up[] = {"", "../", "../../"};
    rest = rest ? rest + package : name;
    const char *folder = vs_path_is_absolute(rest) || !im->folder ? "" : im->folder;
    const size_t room = strlen(folder) + strlen(rest) + 8;
    char *path = vs_import_good(im) ? VS_NEW(&im->arena, char, (int64_t)room) : NULL;
    if (!path)
        return name;
    for (int k = 0; k < 3; k++) {
        (void)snprintf(path, room, "%s%s%s", folder, package ? up[k] : "", rest);
        if (!package || vs_path_is_open_to_us(path, false))
            return path;
    }
    (void)snprintf(path, room, "%s%s", folder, rest);
    return path;
}

static vs_shape *read_mesh(vs_import *im, const xmlNode *node) {
    vs_import_known(im, node, "filename scale", "");
    const vs_vec3 scale = vs_import_vector(im, plain(node), "scale", (vs_vec3){1, 1, 1});
    const char *name = vs_import_need(im, plain(node), "filename");
    return vs_import_good(im) ? vs_import_mesh(im, node, find_file(im, name), scale) : NULL;
}

static vs_shape *read_geometry(vs_import *im, const xmlNode *node) {
    vs_shape *shape = NULL;
    const vs_element e = plain(node);
    const double radius = vs_import_number(im, e, "radius", 0), half = .5 * vs_import_number(im, e, "length", 0);
    const vs_vec3 size = vs_import_vector(im, e, "size", VS_ZERO3);
    if (!vs_import_good(im))
        return NULL;
    if (vs_is_element(node, "box"))
        vs_import_check(im, node, vs_shape_box(im->context, vs_scale(.5, size), &shape));
    else if (vs_is_element(node, "sphere"))
        vs_import_check(im, node, vs_shape_sphere(im->context, radius, &shape));
    else if (vs_is_element(node, "cylinder"))
        vs_import_check(im, node, vs_shape_cylinder(im->context, radius, half, &shape));
    else if (vs_is_element(node, "capsule"))
        vs_import_check(im, node, vs_shape_capsule(im->context, radius, half, &shape));
    else if (vs_is_element(node, "mesh"))
        return read_mesh(im, node);
    else
        vs_import_ignore(im, node, "not supported, ignored");
    return shape;
}

static void read_collisions(vs_import *im, const urdf_link *l) {
    const xmlNode *node = vs_first_child(l->node, "collision");
    for (; node && vs_import_good(im); node = vs_next_sibling(node, "collision")) {
        vs_import_known(im, node, "name origin geometry", "verbose");
        const xmlNode *shape = vs_first_child(vs_first_child(node, "geometry"), NULL);
        if (!shape) {
            vs_import_fail(im, node, VS_ERROR_DATA, "needs a <geometry> with a shape");
            return;
        }
        const vs_pose pose = vs_pose_multiply(l->pose, read_origin(im, node));
        vs_import_item *item = vs_import_add_item(im, node, l->made, read_geometry(im, shape), pose);
        if (item)
            item->mu = l->mu;
    }
}

// ---- joints ----------------------------------------------------------------------------------------

static int read_end(reader *r, const xmlNode *node, const char *which) {
    const xmlNode *end = vs_first_child(node, which);
    const char *name = end ? vs_import_need(r->im, plain(end), "link") : "";
    const int at = vs_names_find(&r->link_names, name);
    if (at < 0)
        vs_import_fail(r->im, end ? end : node, VS_ERROR_DATA, "the %s link '%.60s' does not exist", which, name);
    return at;
}

static void read_joint(reader *r, const xmlNode *node) {
    vs_import *im = r->im;
    urdf_joint *j = &r->joint[r->joints];
    *j = (urdf_joint){.node = node, .next = -1};
    j->name = vs_import_need(im, plain(node), "name");
    j->type = vs_import_need(im, plain(node), "type");
    vs_import_known(im, node, "name type origin parent child axis limit dynamics mimic", "");
    j->parent = read_end(r, node, "parent");
    j->child = vs_import_good(im) ? read_end(r, node, "child") : -1;
    if (vs_import_good(im) && !vs_in_list(j->type, "fixed revolute continuous prismatic floating planar"))
        vs_import_fail(im, node, VS_ERROR_DATA, "unknown type '%.40s'", j->type);
    if (vs_import_good(im) && r->link[j->child].parent >= 0)
        vs_import_fail(im, node, VS_ERROR_DATA, "the link '%.60s' already has a parent; links must form a tree",
                       r->link[j->child].name);
    if (vs_import_good(im) && vs_names_find(&r->joint_names, j->name) >= 0)
        vs_import_fail(im, node, VS_ERROR_DATA, "the name '%.60s' is already in use; names must be unique", j->name);
    if (vs_import_good(im))
        vs_import_check(im, node, vs_names_add(im->context, &r->joint_names, j->name, r->joints));
    if (!vs_import_good(im))
        return;
    r->link[j->child].parent = r->joints;
    j->next = r->link[j->parent].first;
    r->link[j->parent].first = r->joints++;
}

// Limits are relative to the offset.
static void read_coordinate(vs_import *im, const urdf_joint *j, double offset, vs_joint_def *def) {
    const xmlNode *limit = vs_first_child(j->node, "limit"), *dynamics = vs_first_child(j->node, "dynamics");
    if (limit)
        vs_import_known(im, limit, "lower upper effort", "");
    if (dynamics)
        vs_import_known(im, dynamics, "damping friction", "");
    def->damping = read_value(im, j->node, "dynamics", "damping", 0);
    def->friction = read_value(im, j->node, "dynamics", "friction", 0);
    def->motor_limit = fmax(read_value(im, j->node, "limit", "effort", 0), 0); // 0: unlimited
    def->limited = limit && strcmp(j->type, "continuous") != 0;
    def->low = read_value(im, j->node, "limit", "lower", 0) - offset;
    def->high = read_value(im, j->node, "limit", "upper", 0) - offset;
}

static vs_joint_kind kind_of(const char *type) {
    return strcmp(type, "fixed") == 0       ? VS_JOINT_FIXED
           : strcmp(type, "prismatic") == 0 ? VS_JOINT_PRISMATIC
           : strcmp(type, "planar") == 0    ? VS_JOINT_PLANAR
                                            : VS_JOINT_REVOLUTE;
}

// The child's pose, its part, and the joint.
static void place_child(reader *r, urdf_joint *j) {
    vs_import *im = r->im;
    urdf_link *parent = &r->link[j->parent], *child = &r->link[j->child];
    const vs_joint_kind kind = kind_of(j->type);
    const xmlNode *axis_node = vs_first_child(j->node, "axis");
    vs_vec3 axis = axis_node ? vs_import_vector(im, plain(axis_node), "xyz", (vs_vec3){1, 0, 0}) : (vs_vec3){1, 0, 0};
    if (!(vs_length(axis) > 0) || !isfinite(vs_length(axis)))
        vs_import_fail(im, axis_node, VS_ERROR_DATA, "the axis has no direction");
    axis = vs_normalize(axis);
    const double offset = read_value(im, j->node, "mimic", "offset", 0);
    vs_pose rest = VS_IDENTITY_POSE;
    if (kind == VS_JOINT_PRISMATIC)
        rest.position = vs_scale(offset, axis);
    else if (kind == VS_JOINT_REVOLUTE)
        rest.rotation = vs_quat_exp(vs_scale(offset, axis));
    child->pose = vs_pose_multiply(vs_pose_multiply(parent->pose, read_origin(im, j->node)), rest);
    child->pose.rotation = vs_quat_normalize(child->pose.rotation);
    if (kind == VS_JOINT_FIXED && child->massless) {
        child->made = parent->made;
        return;
    }
    child->made = vs_import_add_link(im, child->node, child->name, child->pose);
    if (!child->made)
        return;
    child->made->mass = child->mass;
    if (strcmp(j->type, "floating") == 0)
        return;
    vs_pose frame = {child->pose.position, vs_quat_multiply(child->pose.rotation, vs_quat_from_z_to(axis))};
    j->made = vs_import_add_joint(im, j->node, kind, parent->made, child->made, frame);
    if (!j->made)
        return;
    j->made->def.name = j->name;
    if (kind == VS_JOINT_REVOLUTE || kind == VS_JOINT_PRISMATIC)
        read_coordinate(im, j, offset, &j->made->def);
    else if (vs_first_child(j->node, "dynamics"))
        vs_import_ignore(im, vs_first_child(j->node, "dynamics"), "not supported on %s joints, ignored", j->type);
}

static void read_mimic(reader *r, const urdf_joint *j) {
    vs_import *im = r->im;
    const xmlNode *node = vs_first_child(j->node, "mimic");
    if (!node)
        return;
    vs_import_known(im, node, "joint multiplier offset", "");
    const char *name = vs_import_need(im, plain(node), "joint");
    const int at = vs_names_find(&r->joint_names, name);
    const double ratio = vs_import_number(im, plain(node), "multiplier", 1);
    if (at < 0)
        vs_import_fail(im, node, VS_ERROR_DATA, "there is no joint '%.60s'", name);
    else if (!j->made || !r->joint[at].made)
        vs_import_fail(im, node, VS_ERROR_DATA, "needs two revolute or prismatic joints");
    vs_import_joint *gear =
        vs_import_good(im) ? vs_import_add_joint(im, node, VS_JOINT_GEAR, NULL, NULL, VS_IDENTITY_POSE) : NULL;
    if (!gear)
        return;
    gear->gear_a = r->joint[at].made;
    gear->gear_b = j->made;
    gear->def.ratio = ratio;
}

// ---- the tree --------------------------------------------------------------------------------------

static int find_root(reader *r, const xmlNode *robot) {
    int root = -1;
    for (int k = 0; k < r->links && vs_import_good(r->im); k++) {
        if (r->link[k].parent >= 0)
            continue;
        if (root >= 0)
            vs_import_fail(r->im, r->link[k].node, VS_ERROR_DATA, "'%.60s' and '%.60s' both have no parent",
                           r->link[root].name, r->link[k].name);
        root = k;
    }
    if (root < 0)
        vs_import_fail(r->im, robot, VS_ERROR_DATA, "every link has a parent; one must be the root");
    return root;
}

// From the root: every link once, since each has one parent.
static void place_links(reader *r, int root, int *stack) {
    vs_import *im = r->im;
    urdf_link *l = &r->link[root];
    int depth = 0, placed = 0;
    l->pose = VS_IDENTITY_POSE;
    l->made = vs_import_add_link(im, l->node, l->name, l->pose);
    if (!l->made)
        return;
    l->made->mass = l->mass;
    l->made->world = l->massless || strcmp(l->name, "world") == 0;
    stack[depth++] = root;
    while (depth > 0 && vs_import_good(im)) {
        const urdf_link *at = &r->link[stack[--depth]];
        placed++;
        read_collisions(im, at);
        for (int k = at->first; k >= 0 && vs_import_good(im); k = r->joint[k].next) {
            place_child(r, &r->joint[k]);
            stack[depth++] = r->joint[k].child;
        }
    }
    if (vs_import_good(im) && placed < r->links)
        vs_import_fail(im, l->node, VS_ERROR_DATA, "%d links form a loop that is not connected to '%.60s'",
                       r->links - placed, l->name);
}

static int count_children(const xmlNode *parent, const char *name) {
    int count = 0;
    for (const xmlNode *n = vs_first_child(parent, name); n; n = vs_next_sibling(n, name))
        count++;
    return count;
}

static void read_robot(reader *r, const xmlNode *robot) {
    vs_import *im = r->im;
    const int links = count_children(robot, "link"), joints = count_children(robot, "joint");
    r->link = VS_NEW_ZERO(&im->arena, urdf_link, links);
    r->joint = VS_NEW_ZERO(&im->arena, urdf_joint, joints);
    int *stack = VS_NEW(&im->arena, int, links + 1);
    if (!r->link || !r->joint || !stack) {
        vs_import_fail(im, robot, VS_ERROR_MEMORY, "out of memory");
        return;
    }
    for (const xmlNode *n = vs_first_child(robot, "link"); n && vs_import_good(im); n = vs_next_sibling(n, "link"))
        read_link(r, n);
    for (const xmlNode *n = vs_first_child(robot, "gazebo"); n && vs_import_good(im); n = vs_next_sibling(n, "gazebo"))
        read_gazebo(r, n);
    for (const xmlNode *n = vs_first_child(robot, "joint"); n && vs_import_good(im); n = vs_next_sibling(n, "joint"))
        read_joint(r, n);
    const int root = vs_import_good(im) ? find_root(r, robot) : -1;
    if (vs_import_good(im))
        place_links(r, root, stack);
    for (int k = 0; k < r->joints && vs_import_good(im); k++)
        read_mimic(r, &r->joint[k]);
}

void vs_import_urdf(vs_import *im, const xmlNode *robot) {
    reader r = {.im = im};
    const char *name = vs_import_text(im, plain(robot), "name");
    if (name && *name)
        (void)snprintf(im->scene->name, sizeof im->scene->name, "%s", name);
    vs_import_known(im, robot, "name link joint gazebo", "material version");
    read_robot(&r, robot);
    vs_names_release(im->context, &r.link_names);
    vs_names_release(im->context, &r.joint_names);
}
