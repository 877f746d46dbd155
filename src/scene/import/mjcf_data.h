// What the parts of the reader of MJCF share.
#ifndef VS_SCENE_IMPORT_MJCF_DATA_H
#define VS_SCENE_IMPORT_MJCF_DATA_H

#include "scene/import/import_data.h"

// Pose of a body of the file, and the part it belongs to.
typedef struct vs_mjcf_body {
    vs_import_link *link;
    vs_pose pose;        // in the world
    const xmlNode *node; // null: the world
} vs_mjcf_body;

// A joint of the file, in its order: what the entries of a keyframe mean.
typedef struct vs_mjcf_dof {
    char kind;                    // hinge, slide, ball, free: its first letter
    const vs_import_link *link;   // of a free joint, else null
    const vs_import_joint *joint; // whose coordinate it is, null: none
} vs_mjcf_dof;

// A tendon: its length is that of its route plus the offset.
typedef struct vs_mjcf_tendon {
    const char *name;       // "" if none
    vs_element element;     //
    vs_import_route route;  // neither stations nor terms: not supported
    double offset;          // of coordinates that are not 0 in the position of the file
    vs_import_joint *cable; // null: none is needed so far
} vs_mjcf_tendon;

// A geom that a tendon passes.
typedef struct vs_mjcf_drum {
    const vs_import_link *link; // null: it is neither a sphere nor a cylinder
    vs_pose pose;               // in the world
    vs_cable_station kind;
    double radius; // m
} vs_mjcf_drum;

// What an actuator moves: its length = gear (x of the joint) + offset.
typedef struct vs_mjcf_drive {
    vs_import_joint *joint; // null: not supported
    double gear, offset;
} vs_mjcf_drive;

// A point with axes on a body.
typedef struct vs_mjcf_site {
    const xmlNode *node;
    vs_import_link *link;
    vs_pose pose; // in the world
} vs_mjcf_site;

// <compiler>
typedef struct vs_mjcf_settings {
    double angle;          // rad in the file's unit of angles
    char sequence[4];      // of Euler angles: xyz about moving, XYZ about fixed axes
    bool automatic_limits; // a range alone limits a joint
    int mass_from_geoms;   // 1: always, 0: never, -1: if there is no <inertial>
    double mass_groups[2]; // groups of geoms that contribute mass
    bool strip_path;       // files are beside each other, whatever their path says
    bool fit_bounds;       // primitives are fitted to the bounding box of a mesh
    const char *folder;    // of meshes, with '/' at its end
} vs_mjcf_settings;

typedef struct vs_mjcf {
    vs_import *im;
    const xmlNode *root;
    vs_mjcf_settings *settings; // (models + 1) of the first model and those attached
    bool weightless;            // <flag gravity="disable"/>
    bool neighbours_collide;    // <flag filterparent="disable"/>
    vs_vec3 magnetic;           // <option>, T
    double lifted;              // part of gravity that is compensated, of the body that is read
    const xmlNode *main;        // the outermost <default>; null: none
    vs_import_link *world;      //
    vs_mjcf_body *body;         // (bodies) 0 is the world
    vs_import_joint **joint;    // (joints) those with a name
    int bodies, joints;
    vs_mjcf_dof *dof; // (dofs) all joints
    int dofs;
    vs_import_control **actuator; // (actuators) null: ignored
    int actuators;
    int sites;
    vs_mjcf_site *site; // (sites) those with a name
    vs_names body_names, joint_names, mesh_names, site_names;
    vs_names felt_sites;    // where a force is measured
    vs_names used_joints;   // that actuators, equalities or tendons name
    vs_names paired;        // geoms of <pair>
    bool has_keys;          // keyframes with positions
    vs_mjcf_tendon *tendon; // (tendons)
    int tendons;
    vs_mjcf_drum *drum; // (drums)
    int drums;
    vs_names drum_names;
    const xmlNode **mesh; // (meshes)
    int meshes;
} vs_mjcf;

#define VS_MJCF_POSE "pos quat axisangle euler xyaxes zaxis"
#define VS_MJCF_JOINT                                                                                                  \
    "name class type pos axis range limited ref springref stiffness damping frictionloss armature "                    \
    "actuatorfrcrange actuatorfrclimited",                                                                             \
        "group user"
#define VS_MJCF_GEOM                                                                                                   \
    "name class type size fromto mass density friction condim contype conaffinity mesh group priority "                \
    "fitscale " VS_MJCF_POSE,                                                                                          \
        "rgba material user"

// Resolves <include> and several outermost <default> in the tree (mjcf_include.c); and then <attach>, at some depth of models
// (mjcf_attach.c).
void vs_mjcf_include(vs_import *im, xmlNode *root);
void vs_mjcf_expand(vs_import *im, xmlNode *root, int depth);
// The document of the file that an element names, and its path; null after an error. To be freed.
xmlDoc *vs_mjcf_load(vs_import *im, const xmlNode *node, const char **path);
// Says of an element and those below which file and model they are from; the same of a copy.
void vs_mjcf_mark(vs_import *im, xmlNode *node, const char *file, int model);
void vs_mjcf_copy_marks(const xmlNode *from, xmlNode *to);
int vs_mjcf_model(const xmlNode *node);
// Has an element limits: is its flag true, or automatic with a range given (mjcf_joint.c)?
bool vs_mjcf_is_limited(vs_mjcf *m, vs_element e, const char *flag, const char *range);
// The limit of an effort, N or N m; 0: none.
double vs_mjcf_effort_limit(vs_mjcf *m, vs_element e, const char *range, const char *flag);
// The sections <actuator> (mjcf_actuator.c) and <keyframe> (mjcf_keyframe.c).
void vs_mjcf_actuators(vs_mjcf *m, const xmlNode *actuator);
void vs_mjcf_keyframes(vs_mjcf *m, const xmlNode *keyframe);
// A site that is placed relative to `pose`; and the one that an attribute names, null: none, which is an error (mjcf_site.c).
void vs_mjcf_add_site(vs_mjcf *m, vs_element e, vs_import_link *link, vs_pose pose);
const vs_mjcf_site *vs_mjcf_find_site(vs_mjcf *m, const xmlNode *node, const char *attribute);
// The section <sensor> (mjcf_sensor.c).
void vs_mjcf_sensors(vs_mjcf *m, const xmlNode *section);
// The body that an attribute names, the world without; and the section <equality> (mjcf_equality.c).
const vs_mjcf_body *vs_mjcf_find_body(vs_mjcf *m, const xmlNode *node, const char *attribute);
void vs_mjcf_equalities(vs_mjcf *m, const xmlNode *equality);
// The settings that apply to an element.
static inline vs_mjcf_settings *vs_mjcf_set(const vs_mjcf *m, const xmlNode *node) {
    return &m->settings[vs_mjcf_model(node)];
}
// The section <contact>, and first the names of its geoms (mjcf_contact.c).
void vs_mjcf_find_pairs(vs_mjcf *m, const xmlNode *contact);
void vs_mjcf_contacts(vs_mjcf *m, const xmlNode *contact);
// The names of geoms that tendons pass, and these geoms (mjcf_drum.c).
void vs_mjcf_find_drums(vs_mjcf *m, const xmlNode *section);
void vs_mjcf_add_drum(vs_mjcf *m, const char *name, vs_import_link *link, const char *type, double radius,
                      vs_pose pose);
// The section <tendon>, and a tendon as a drive of a cable, or of one joint, to which the others are geared (mjcf_tendon.c).
void vs_mjcf_tendons(vs_mjcf *m, const xmlNode *section);
vs_mjcf_drive vs_mjcf_tendon_drive(vs_mjcf *m, const xmlNode *node, const char *attribute);
// The hinge or slide joint that an attribute names; null: none, which is an error (mjcf_joint.c).
vs_import_joint *vs_mjcf_find_joint(vs_mjcf *m, const xmlNode *node, const char *attribute);
// Position and rotation of an element (mjcf_geom.c).
vs_pose vs_mjcf_pose(vs_mjcf *m, vs_element e);
// Adds a mass at a pose in the world to a link.
void vs_mjcf_add_mass(vs_mjcf *m, vs_import_link *link, const vs_mass_properties *mass, vs_pose pose);
// A shape on a link; the body is at `pose`. `weighs`: its mass counts.
void vs_mjcf_geom(vs_mjcf *m, vs_element e, vs_import_link *link, vs_pose pose, bool weighs);
// Shapes from meshes (mjcf_mesh.c). The hull of a geom's mesh; null: listed, or an error.
vs_shape *vs_mjcf_mesh_hull(vs_mjcf *m, vs_element geom);
// Mass properties with density 1 of the mesh with this hull.
bool vs_mjcf_mesh_mass(vs_mjcf *m, vs_element geom, const vs_shape *hull, vs_mass_properties *mass);
// Sizes of a primitive fitted to a mesh, and its pose; false: listed, or an error.
bool vs_mjcf_mesh_fit(vs_mjcf *m, vs_element geom, const char *type, double size[3], vs_pose *pose);
// The joints of a body (mjcf_joint.c), which is at `pose`.
void vs_mjcf_joints(vs_mjcf *m, const xmlNode *body, const xmlNode *defaults, vs_import_link *parent,
                    vs_import_link *link, vs_pose pose);
// The <default> of the class that an attribute names; `otherwise` if there is no such attribute (mjcf_class.c).
const xmlNode *vs_mjcf_class(vs_mjcf *m, const xmlNode *node, const char *attribute, const xmlNode *otherwise);
// The element with the <default> of its class, or with the enclosing one.
vs_element vs_mjcf_element(vs_mjcf *m, const xmlNode *node, const xmlNode *defaults);

#endif
