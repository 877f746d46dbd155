// MJCF: nested bodies.
//
//     pose of a body = pose of the body around it * its own
//
// A body without joints is merged into its parent, with its mass. Masses come from <inertial>, or from the shapes and
// their density. Absent attributes of an element come from the <default> of its class, of the enclosing childclass, or
// the outermost one. For two shapes the larger friction applies.
// A body without joints in which a force is measured is fixed to its parent by a joint.
// Not supported: soft contacts, plug-ins; they are listed.
#include "scene/import/mjcf_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"
static const double PI = 3.14159265358979323846;
static const double TIMESTEP = .002; // s, default

static vs_element plain(const xmlNode *node) {
    return (vs_element){node, NULL};
}

// ---- defaults --------------------------------------------------------------------------------------

static void check_defaults(vs_mjcf *m, const xmlNode *parent) {
    for (const xmlNode *d = vs_first_child(parent, "default"); d; d = vs_next_sibling(d, "default")) {
        vs_import_known(m->im, d, "class default joint geom mesh motor position velocity intvelocity general",
                        "site camera light material tendon equality pair");
        for (const xmlNode *n = vs_first_child(d, NULL); n; n = vs_next_sibling(n, NULL)) {
            if (vs_is_element(n, "joint"))
                vs_import_known(m->im, n, VS_MJCF_JOINT);
            else if (vs_is_element(n, "geom"))
                vs_import_known(m->im, n, VS_MJCF_GEOM);
        }
        check_defaults(m, d);
    }
}

// ---- bodies ----------------------------------------------------------------------------------------

// <inertial>: the tensor is in the axes of its pose.
static void read_inertial(vs_mjcf *m, const xmlNode *node, vs_import_link *link, vs_pose pose) {
    vs_import *im = m->im;
    const vs_element e = plain(node);
    double I[6] = {0};
    vs_import_known(im, node, "mass diaginertia fullinertia " VS_MJCF_POSE, "");
    const double mass = vs_import_number(im, e, "mass", 0);
    if (!vs_import_numbers(im, e, "diaginertia", I, 3, 3) && !vs_import_numbers(im, e, "fullinertia", I, 6, 6))
        vs_import_fail(im, node, VS_ERROR_DATA, "needs diaginertia or fullinertia");
    if (!(mass > 0))
        vs_import_fail(im, node, VS_ERROR_DATA, "mass must be positive, is %g", mass);
    const vs_mass_properties p = {mass, VS_ZERO3, {{I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]}}};
    const vs_pose place = vs_pose_multiply(pose, vs_mjcf_pose(m, e));
    if (vs_import_good(im) && !link->world)
        vs_mjcf_add_mass(m, link, &p, place);
}

// An element whose children are placed.
typedef struct around {
    const xmlNode *node, *defaults;
    vs_import_link *link;
    vs_pose pose;
    bool weighs; // shapes contribute mass
    int depth;
} around;

static void read_children(vs_mjcf *m, const around *a);

static vs_mjcf_body *add_body(vs_mjcf *m, const xmlNode *node, const char *name) {
    vs_import *im = m->im;
    if (name && vs_import_good(im) && (vs_names_find(&m->body_names, name) >= 0 || strcmp(name, "world") == 0))
        vs_import_fail(im, node, VS_ERROR_DATA, "the name '%.60s' is already in use; names must be unique", name);
    if (name && vs_import_good(im))
        vs_import_check(im, node, vs_names_add(im->context, &m->body_names, name, m->bodies));
    return &m->body[m->bodies++];
}

static bool has_joint(const xmlNode *body) {
    bool has = vs_first_child(body, "joint") || vs_first_child(body, "freejoint");
    for (const xmlNode *n = vs_first_child(body, "frame"); n && !has; n = vs_next_sibling(n, "frame"))
        has = has_joint(n);
    return has;
}

// A body without joints, in which a force is measured, and the body around it, which moves.
static bool is_felt(vs_mjcf *m, const xmlNode *body, const vs_import_link *outside) {
    bool felt = false;
    for (const xmlNode *n = vs_first_child(body, "site"); n && !outside->world; n = vs_next_sibling(n, "site")) {
        const char *name = vs_import_text(m->im, plain(n), "name");
        felt = felt || (name && vs_names_find(&m->felt_sites, name) >= 0);
    }
    return felt && (vs_first_child(body, "inertial") || vs_first_child(body, "geom"));
}

static void fix(vs_mjcf *m, const xmlNode *node, vs_import_link *outside, vs_import_link *link) {
    vs_import_joint *joint = vs_import_add_joint(m->im, node, VS_JOINT_FIXED, outside, link, link->pose);
    link->parent = outside;
    if (joint)
        joint->def.collide = m->neighbours_collide;
}

static void read_body(vs_mjcf *m, const xmlNode *node, const around *outer) {
    vs_import *im = m->im;
    around a = *outer;
    vs_import_known(im, node, "name childclass gravcomp inertial joint freejoint geom body frame " VS_MJCF_POSE,
                    "site camera light user");
    const char *name = vs_import_text(im, plain(node), "name");
    a.node = node;
    a.defaults = vs_mjcf_class(m, node, "childclass", outer->defaults);
    a.pose = vs_pose_multiply(outer->pose, vs_mjcf_pose(m, plain(node)));
    a.pose.rotation = vs_quat_normalize(a.pose.rotation);
    const bool moves = has_joint(node);
    if (moves || is_felt(m, node, outer->link))
        a.link = vs_import_add_link(im, node, name, a.pose);
    if (!a.link || !vs_import_good(im))
        return;
    *add_body(m, node, name) = (vs_mjcf_body){a.link, a.pose, node};
    if (moves)
        vs_mjcf_joints(m, node, a.defaults, outer->link, a.link, a.pose);
    else if (a.link != outer->link)
        fix(m, node, outer->link, a.link);
    const xmlNode *inertial = vs_first_child(node, "inertial");
    const double outside = m->lifted;
    m->lifted = vs_import_number(im, plain(node), "gravcomp", 0);
    const int from_geoms = vs_mjcf_set(m, node)->mass_from_geoms;
    a.weighs = from_geoms == 1 || (from_geoms == -1 && !inertial);
    if (inertial && from_geoms != 1)
        read_inertial(m, inertial, a.link, a.pose);
    if (vs_import_good(im))
        read_children(m, &a);
    m->lifted = outside;
}

// A frame only transforms its contents.
static void read_frame(vs_mjcf *m, const xmlNode *node, const around *outer) {
    around a = *outer;
    vs_import_known(m->im, node, "name childclass geom joint freejoint body frame " VS_MJCF_POSE, "site camera light");
    a.node = node;
    a.defaults = vs_mjcf_class(m, node, "childclass", outer->defaults);
    a.pose = vs_pose_multiply(outer->pose, vs_mjcf_pose(m, plain(node)));
    if (vs_import_good(m->im))
        read_children(m, &a);
}

// Recursive through bodies and frames.
static void read_children(vs_mjcf *m, const around *a) {
    vs_import *im = m->im;
    around inside = *a;
    if (++inside.depth > VS_IMPORT_DEPTH_MOST) {
        vs_import_fail(im, a->node, VS_ERROR_DATA, "nests deeper than %d bodies", VS_IMPORT_DEPTH_MOST);
        return;
    }
    for (const xmlNode *n = vs_first_child(a->node, NULL); n && vs_import_good(im); n = vs_next_sibling(n, NULL)) {
        if (vs_is_element(n, "geom"))
            vs_mjcf_geom(m, vs_mjcf_element(m, n, a->defaults), a->link, a->pose, a->weighs);
        else if (vs_is_element(n, "site"))
            vs_mjcf_add_site(m, vs_mjcf_element(m, n, a->defaults), a->link, a->pose);
        else if (vs_is_element(n, "body"))
            read_body(m, n, &inside);
        else if (vs_is_element(n, "frame"))
            read_frame(m, n, &inside);
    }
}

// ---- head ------------------------------------------------------------------------------------------

static bool read_flag(vs_import *im, const xmlNode *node, const char *name, bool otherwise) {
    const char *text = vs_import_text(im, plain(node), name);
    return text ? strcmp(text, "true") == 0 : otherwise;
}

static void read_folder(vs_mjcf *m, const xmlNode *node, const char *text) {
    const size_t room = strlen(text) + 2;
    char *folder = VS_NEW(&m->im->arena, char, (int64_t)room);
    if (!folder) {
        vs_import_fail(m->im, m->root, VS_ERROR_MEMORY, "out of memory");
        return;
    }
    (void)snprintf(folder, room, "%s%s", text, *text && text[room - 3] != '/' ? "/" : "");
    vs_mjcf_set(m, node)->folder = folder;
}

static void read_compiler(vs_mjcf *m, const xmlNode *node) {
    vs_import *im = m->im;
    vs_mjcf_settings *set = vs_mjcf_set(m, node);
    vs_import_known(
        im, node,
        "angle eulerseq coordinate autolimits inertiafromgeom inertiagrouprange meshdir assetdir strippath fitaabb",
        "texturedir discardvisual fusestatic exactmeshinertia saveinertial usethread alignfree");
    (void)vs_import_numbers(im, plain(node), "inertiagrouprange", set->mass_groups, 2, 2);
    set->strip_path = read_flag(im, node, "strippath", set->strip_path);
    set->fit_bounds = read_flag(im, node, "fitaabb", set->fit_bounds);
    const char *angle = vs_import_text(im, plain(node), "angle"), *order = vs_import_text(im, plain(node), "eulerseq");
    const char *from = vs_import_text(im, plain(node), "inertiafromgeom");
    const char *place = vs_import_text(im, plain(node), "coordinate");
    const char *folder = vs_import_text(im, plain(node), "meshdir");
    folder = folder ? folder : vs_import_text(im, plain(node), "assetdir");
    if (angle && !vs_in_list(angle, "degree radian"))
        vs_import_fail(im, node, VS_ERROR_DATA, "angle must be degree or radian, is '%.40s'", angle);
    else if (angle)
        set->angle = strcmp(angle, "radian") == 0 ? 1 : PI / 180;
    if (order && (strlen(order) != 3 || strspn(order, "xyzXYZ") != 3))
        vs_import_fail(im, node, VS_ERROR_DATA, "eulerseq must be three of xyzXYZ, is '%.40s'", order);
    else if (order)
        (void)snprintf(set->sequence, sizeof set->sequence, "%s", order);
    if (place && strcmp(place, "local") != 0)
        vs_import_fail(im, node, VS_ERROR_UNSUPPORTED, "only local coordinates are supported");
    if (from)
        set->mass_from_geoms = strcmp(from, "true") == 0 ? 1 : strcmp(from, "false") == 0 ? 0 : -1;
    set->automatic_limits = read_flag(im, node, "autolimits", set->automatic_limits);
    if (folder)
        read_folder(m, node, folder);
}

// Parts of MuJoCo's computation that a file switches off. Those of its solver have no meaning here.
static void read_switches(vs_mjcf *m, const xmlNode *node) {
    vs_import *im = m->im;
    for (const xmlAttr *a = node->properties; a; a = a->next) {
        const char *name = (const char *)a->name, *value = vs_import_text(im, plain(node), name);
        const bool off = value && strcmp(value, "disable") == 0;
        if (off && strcmp(name, "gravity") == 0)
            m->weightless = true;
        else if (off && strcmp(name, "filterparent") == 0)
            m->neighbours_collide = true;
        else if (off &&
                 vs_in_list(name, "constraint equality frictionloss limit contact passive spring damper actuation"))
            vs_import_ignore(im, node, "%s=\"disable\": not supported, ignored", name);
    }
}

static void read_option(vs_mjcf *m, const xmlNode *node) {
    vs_import *im = m->im;
    vs_import_known(im, node, "timestep gravity magnetic flag", "");
    m->magnetic = vs_import_vector(im, plain(node), "magnetic", m->magnetic);
    for (const xmlNode *n = vs_first_child(node, "flag"); n; n = vs_next_sibling(n, "flag"))
        read_switches(m, n);
    const double step = vs_import_number(im, plain(node), "timestep", im->scene->options.step);
    const vs_vec3 gravity = vs_import_vector(im, plain(node), "gravity", vs_world_get_gravity(im->scene->world));
    if (!(step > 0))
        vs_import_fail(im, node, VS_ERROR_DATA, "timestep must be positive, is %g", step);
    im->scene->options.step = step;
    vs_import_check(im, node, vs_world_set_gravity(im->scene->world, m->weightless ? VS_ZERO3 : gravity));
}

// A mesh without a name has the name of its file.
static const char *name_mesh(vs_mjcf *m, const xmlNode *node) {
    const char *name = vs_import_text(m->im, plain(node), "name");
    const char *file = name ? NULL : vs_import_text(m->im, plain(node), "file");
    if (!file)
        return name;
    const char *slash = vs_path_slash(file), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    const size_t length = dot ? (size_t)(dot - base) : strlen(base);
    char *copy = VS_NEW_ZERO(&m->im->arena, char, (int64_t)length + 1);
    if (copy)
        (void)snprintf(copy, length + 1, "%s", base);
    return copy;
}

static void read_asset(vs_mjcf *m, const xmlNode *asset) {
    vs_import *im = m->im;
    vs_import_known(im, asset, "mesh model", "texture material");
    for (const xmlNode *n = vs_first_child(asset, "mesh"); n && vs_import_good(im); n = vs_next_sibling(n, "mesh")) {
        vs_import_known(im, n, "name class file scale vertex refpos refquat",
                        "texcoord normal face content_type smoothnormal inertia");
        const char *inertia = vs_import_text(im, vs_mjcf_element(m, n, NULL), "inertia");
        if (inertia && strcmp(inertia, "shell") == 0)
            vs_import_ignore(im, n, "inertia=\"shell\": not supported, the mass is that of a solid");
        const char *name = name_mesh(m, n);
        if (!name)
            vs_import_fail(im, n, VS_ERROR_DATA, "needs a name or a file");
        else if (vs_names_find(&m->mesh_names, name) >= 0)
            vs_import_fail(im, n, VS_ERROR_DATA, "the name '%.60s' is already in use; names must be unique", name);
        else
            vs_import_check(im, n, vs_names_add(im->context, &m->mesh_names, name, m->meshes));
        m->mesh[m->meshes++] = n;
    }
}

// <text name="self_collision" data="all"/>: bodies that overlap in the position of the file collide.
static void read_custom(vs_mjcf *m, const xmlNode *custom) {
    for (const xmlNode *n = vs_first_child(custom, "text"); n && vs_import_good(m->im);
         n = vs_next_sibling(n, "text")) {
        const char *name = vs_import_text(m->im, plain(n), "name"), *data = vs_import_text(m->im, plain(n), "data");
        if (name && data && strcmp(name, "self_collision") == 0)
            m->im->self_collision = strcmp(data, "all") == 0;
    }
}

// ---- the file --------------------------------------------------------------------------------------

// Elements of that name anywhere below; the nesting is limited by the parser.
static int count_below(const xmlNode *parent, const char *name) {
    int count = 0;
    for (const xmlNode *n = vs_first_child(parent, NULL); n; n = vs_next_sibling(n, NULL))
        count += vs_is_element(n, name) + count_below(n, name);
    return count;
}

static void read_sections(vs_mjcf *m, const char *name, void (*read)(vs_mjcf *, const xmlNode *)) {
    for (const xmlNode *n = vs_first_child(m->root, name); n && vs_import_good(m->im); n = vs_next_sibling(n, name))
        read(m, n);
}

// Joints whose coordinates something below the element uses.
static void find_used(vs_mjcf *m, const xmlNode *parent) {
    static const char *const name[] = {"joint", "joint1", "joint2"};
    for (const xmlNode *n = vs_first_child(parent, NULL); n && vs_import_good(m->im); n = vs_next_sibling(n, NULL)) {
        for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
            const char *joint = vs_import_text(m->im, plain(n), name[k]);
            if (joint && *joint && vs_names_find(&m->used_joints, joint) < 0)
                vs_import_check(m->im, n, vs_names_add(m->im->context, &m->used_joints, joint, 0));
        }
        m->has_keys = m->has_keys || (vs_is_element(n, "key") && vs_import_text(m->im, plain(n), "qpos"));
        find_used(m, n);
    }
}

// Sites where a force is measured.
static void find_felt(vs_mjcf *m, const xmlNode *sensor) {
    for (const xmlNode *n = vs_first_child(sensor, NULL); n && vs_import_good(m->im); n = vs_next_sibling(n, NULL)) {
        const char *site = vs_import_text(m->im, plain(n), "site");
        if (vs_in_list((const char *)n->name, "force torque") && site && vs_names_find(&m->felt_sites, site) < 0)
            vs_import_check(m->im, n, vs_names_add(m->im->context, &m->felt_sites, site, 0));
    }
}

static void read_worldbody(vs_mjcf *m, const xmlNode *node) {
    vs_import_known(m->im, node, "geom body frame childclass", "site camera light");
    const around a = {.node = node, .defaults = m->main, .link = m->world, .pose = VS_IDENTITY_POSE};
    read_children(m, &a);
}

static void begin(vs_mjcf *m) {
    vs_import *im = m->im;
    const xmlNode *root = m->root;
    const char *name = vs_import_text(im, plain(root), "model");
    if (name && *name)
        (void)snprintf(im->scene->name, sizeof im->scene->name, "%s", name);
    vs_import_known(im, root,
                    "model compiler option default asset worldbody contact equality tendon actuator keyframe "
                    "sensor custom",
                    "visual statistic size");
    m->body = VS_NEW_ZERO(&im->arena, vs_mjcf_body, count_below(root, "body") + 1);
    m->joint = VS_NEW_ZERO(&im->arena, vs_import_joint *, count_below(root, "joint") + 1);
    m->dof = VS_NEW_ZERO(&im->arena, vs_mjcf_dof, count_below(root, "joint") + count_below(root, "freejoint") + 1);
    m->mesh = VS_NEW_ZERO(&im->arena, const xmlNode *, count_below(root, "mesh") + 1);
    m->site = VS_NEW_ZERO(&im->arena, vs_mjcf_site, count_below(root, "site") + 1);
    m->world = vs_import_add_link(im, root, NULL, VS_IDENTITY_POSE);
    if (!m->body || !m->joint || !m->dof || !m->mesh || !m->site)
        vs_import_fail(im, root, VS_ERROR_MEMORY, "out of memory");
    if (!vs_import_good(im))
        return;
    m->world->world = true;
    m->body[m->bodies++] = (vs_mjcf_body){m->world, VS_IDENTITY_POSE, NULL};
    im->scene->options.step = TIMESTEP;
    im->largest_mu = true;
    check_defaults(m, root);
}

void vs_import_mjcf(vs_import *im, xmlNode *mujoco) {
    vs_mjcf_expand(im, mujoco, 0);
    vs_mjcf_settings *settings = vs_import_make(im, mujoco, im->models + 1, sizeof *settings);
    if (!settings)
        return;
    for (int k = 0; k <= im->models; k++)
        settings[k] = (vs_mjcf_settings){PI / 180, "xyz", true, -1, {0, 5}, false, false, ""};
    vs_mjcf m = {.im = im, .root = mujoco, .settings = settings, .magnetic = {0, -.5, 0}};
    m.main = vs_first_child(mujoco, "default");
    begin(&m);
    read_sections(&m, "compiler", read_compiler);
    read_sections(&m, "option", read_option);
    read_sections(&m, "custom", read_custom);
    read_sections(&m, "asset", read_asset);
    read_sections(&m, "contact", vs_mjcf_find_pairs);
    read_sections(&m, "tendon", vs_mjcf_find_drums);
    m.drum = vs_import_make(im, mujoco, m.drums + 1, sizeof *m.drum);
    read_sections(&m, "equality", find_used);
    read_sections(&m, "tendon", find_used);
    read_sections(&m, "actuator", find_used);
    read_sections(&m, "keyframe", find_used);
    read_sections(&m, "sensor", find_used);
    read_sections(&m, "sensor", find_felt);
    read_sections(&m, "worldbody", read_worldbody);
    read_sections(&m, "contact", vs_mjcf_contacts);
    read_sections(&m, "equality", vs_mjcf_equalities);
    read_sections(&m, "tendon", vs_mjcf_tendons);
    read_sections(&m, "actuator", vs_mjcf_actuators);
    vs_import_share_joints(im);
    read_sections(&m, "keyframe", vs_mjcf_keyframes);
    read_sections(&m, "sensor", vs_mjcf_sensors);
    vs_names_release(im->context, &m.body_names);
    vs_names_release(im->context, &m.joint_names);
    vs_names_release(im->context, &m.mesh_names);
    vs_names_release(im->context, &m.site_names);
    vs_names_release(im->context, &m.felt_sites);
    vs_names_release(im->context, &m.used_joints);
    vs_names_release(im->context, &m.paired);
    vs_names_release(im->context, &m.drum_names);
}
