// Shared by the readers of robot descriptions (URDF, MJCF): XML elements with positions in errors, and the mechanism
// that they fill in, which becomes a world once it is complete.
//
// Errors are sticky: the first one is kept, later reads return zeros, and the error is checked before they are used.
#ifndef VS_SCENE_IMPORT_IMPORT_DATA_H
#define VS_SCENE_IMPORT_IMPORT_DATA_H

#include <libxml/tree.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/vec.h"
#include "body/world_data.h"
#include "voussoir/scene.h"
#include "voussoir/sensor.h"

// Deeper than the bodies of any mechanism; the readers recurse once per level.
enum { VS_IMPORT_DEPTH_MOST = 200, VS_IMPORT_PAIRS_MOST = 64 };

// A rigid part, or the world itself.
typedef struct vs_import_link {
    struct vs_import_link *next;
    const xmlNode *node;
    const char *name;              // null: none
    bool world;                    // fixed: its shapes and joints belong to the world
    vs_pose pose;                  // of its frame, in the world
    struct vs_import_link *parent; // that its joint is on; null: none
    vs_mass_properties lifted;     // mass whose weight is compensated, and its centre
    vs_mass_properties mass;       // in its frame; mass 0: none so far
    struct vs_import_link *of;     // not null: auxiliary part between two joints of that link
    int parts;                     // number of auxiliary parts of this one
    vs_body_id id;                 // once it is made
    vs_pose body;                  // of the centre of mass, in the world; the world's: identity
} vs_import_link;

// A shape on a link.
typedef struct vs_import_item {
    struct vs_import_item *next;
    const xmlNode *node;
    vs_import_link *link;
    vs_shape *shape;         // a reference
    vs_pose pose;            // in the world
    double mu;               //
    double rolling;          // m
    double spinning;         // m; it and rolling are coupled to sliding as in MuJoCo, by an ellipse
    int priority;            // of two the material of the higher one applies (MJCF)
    uint32_t type, affinity; // two may collide if type & affinity is not zero in either order
    const xmlNode *owner;    // body of the file that it is on; null: the world
    int mark;                // those with the same one have the same pairs and exclusions of parts; 0: none
    int group;               // bit of its group
    uint32_t mask;           // bits of the groups that it may collide with; 0: none
    int material;            // of the world
    vs_collider_id id;       // once it is made, if it may collide with anything
} vs_import_item;

// Two shapes that may collide whatever else is said of them.
typedef struct vs_import_pair {
    struct vs_import_pair *next;
    const xmlNode *node;
    const vs_import_item *a, *b;
    bool rubs; // it has friction of its own
    double mu, rolling, spinning;
} vs_import_pair;

// What a cable passes; poses are in the world.
typedef struct vs_import_station {
    const vs_import_link *link;
    vs_cable_point point;
} vs_import_station;

// The way of a cable, and the terms of its coordinate.
typedef struct vs_import_route {
    vs_import_station *station;     // (stations)
    struct vs_import_joint **joint; // (terms)
    double *factor;                 // (terms)
    int stations, terms;
    bool rests; // its spring rests in the position of the file
} vs_import_route;

typedef struct vs_import_joint {
    struct vs_import_joint *next;
    const xmlNode *node;
    vs_import_link *a, *b;
    vs_pose frame; // of both sides, in the world; of A, if they are apart
    vs_pose other; // of B, if they are apart
    bool apart;
    bool loop; // closes a loop or couples coordinates: made when keyframes are known
    vs_joint_def def;
    double reference;                        // the file's coordinate where that of the joint is 0
    struct vs_import_joint *gear_a, *gear_b; // gears
    const vs_import_route *route;            // cables
    vs_joint_id id;
} vs_import_joint;

// Two links without contacts.
typedef struct vs_import_exclude {
    struct vs_import_exclude *next;
    const xmlNode *node;
    const vs_import_link *a, *b;
    bool whole;                       // of the links; else of these bodies of the file only
    const xmlNode *owner_a, *owner_b; // null: the world
    bool partial;                     // these bodies are parts of a link that has others, too
} vs_import_exclude;

// An input that commands a joint or pushes a link.
typedef struct vs_import_control {
    struct vs_import_control *next;
    const xmlNode *node;
    vs_import_joint *joint;           // null: it pushes
    const vs_import_link *link;       // at
    vs_pose pose;                     // in the world, with the force and torque of the definition in its axes
    double stiffness, damping, limit; // of the effort of the joint, limit 0: none
    double gain, shift;               // of the joint: length = gain coordinate + shift; else force per value
    vs_control_def def;
    int index; // once it is made
} vs_import_control;

// A frame on a link.
typedef struct vs_import_frame {
    const vs_import_link *link; // null: none
    vs_pose pose;               // in the world
} vs_import_frame;

typedef struct vs_import_sensor {
    struct vs_import_sensor *next;
    const xmlNode *node;
    vs_sensor_def def; // its zone is a reference
    vs_import_frame frame, reference;
    const vs_import_link *last;       // of a sum of links from that of the frame on
    const vs_import_joint *joint;     // null: none
    const vs_import_control *control; // likewise
} vs_import_sensor;

// One part of a keyframe: the coordinate of a joint, or of a ball its rotation and spin, or the state of a free link's frame.
typedef struct vs_import_setting {
    struct vs_import_setting *next;
    const vs_import_joint *joint; // null: of the link
    const vs_import_link *link;
    double coordinate, rate;
    vs_body_state state; // of a ball: rotation of B in A, spin in axes of B
} vs_import_setting;

typedef struct vs_import_key {
    struct vs_import_key *next;
    const xmlNode *node;
    const char *name;
    vs_import_setting *setting, **end; // in the order in which they are made
    double *control, *activation;      // (controls)
} vs_import_key;

// Where elements of other files than the first come from.
typedef struct vs_import_source {
    const char *file;
    int model; // 0: a part of the first model
} vs_import_source;
enum { VS_IMPORT_MODELS_MOST = 100 };

// What is ignored for one reason; listed once with its first place.
typedef struct vs_import_note {
    struct vs_import_note *next;
    const char *file, *element, *text;
    long line;
    int count;
} vs_import_note;

typedef struct vs_import {
    vs_context *context;
    vs_arena arena;
    const char *name;   // of the file, for texts; elements of other files have theirs (vs_import_file())
    const char *folder; // of the file, ends with '/'; null: shape files are refused
    vs_scene *scene;
    vs_import_link *link, **link_end;
    vs_import_item *item, **item_end;
    vs_import_joint *joint, **joint_end;
    vs_import_exclude *exclude;
    vs_import_pair *pair;
    vs_import_control *control, **control_end;
    int controls;
    vs_import_sensor *sensor, **sensor_end;
    vs_import_key *key, **key_end;
    vs_import_note *note, **note_end;
    const char *model[VS_IMPORT_MODELS_MOST + 1]; // (models + 1) files of attached models, from 1 on
    int models;
    uint64_t soft;       // names of settings without a meaning for rigid contacts that occur (xml.c)
    int *priority;       // (materials) of the items with the material
    bool self_collision; // bodies that overlap at the start collide as well
    bool largest_mu;     // for two materials the larger mu applies (MJCF), not the geometric mean
    vs_error error;
} vs_import;

// ---- texts (xml.c) --------------------------------------------------------------------------

// Keeps the error (if it is the first) with file, line and element in front.
void vs_import_fail(vs_import *im, const xmlNode *node, vs_error error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The same for a call that has set the context's error text; VS_OK does nothing.
void vs_import_check(vs_import *im, const xmlNode *node, vs_error error);
// Notes that a part of the file is not supported. Counted; parts of one kind for one reason are one line of the log.
void vs_import_ignore(vs_import *im, const xmlNode *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Null after a failed allocation, which sets the error.
void *vs_import_make(vs_import *im, const xmlNode *node, int64_t count, size_t size); // zero-filled
// Logs everything noted.
void vs_import_list(vs_import *im);
static inline bool vs_import_good(const vs_import *im) {
    return im->error == VS_OK;
}

// ---- elements (xml.c) -----------------------------------------------------------------------

// An element and, for MJCF, the <default> with the values of absent attributes.
typedef struct vs_element {
    const xmlNode *node;
    const xmlNode *defaults; // null: none
} vs_element;

// The file that an element comes from: elements from other files than the first have a vs_import_source in `_private`.
const char *vs_import_file(const vs_import *im, const xmlNode *node);
bool vs_is_element(const xmlNode *node, const char *name);
bool vs_in_list(const char *word, const char *list); // words separated by blanks
// Elements of that name (null: any) below `parent`, one after the other; null after the last.
const xmlNode *vs_first_child(const xmlNode *parent, const char *name);
const xmlNode *vs_next_sibling(const xmlNode *node, const char *name);
// Notes attributes and elements below that are in neither list: `used` here, `silent` irrelevant to mechanics. Those that
// only say how soft MuJoCo's contacts are or how it solves them become one line per file.
void vs_import_known(vs_import *im, const xmlNode *node, const char *used, const char *silent);

// Texts live in the arena. Null: absent (or out of memory, which sets the error).
const char *vs_import_text(vs_import *im, vs_element e, const char *name);
const char *vs_import_need(vs_import *im, vs_element e, const char *name); // absent: an error and ""
// Reads `least` to `most` numbers, separated by blanks; returns their number, 0 if absent or after an error.
int vs_import_numbers(vs_import *im, vs_element e, const char *name, double *number, int least, int most);
double vs_import_number(vs_import *im, vs_element e, const char *name, double otherwise);
vs_vec3 vs_import_vector(vs_import *im, vs_element e, const char *name, vs_vec3 otherwise);

// ---- the mechanism (mechanism.c) ----------------------------------------------------------------

// Fraction of a link's mass for each auxiliary part between its joints.
static const double VS_IMPORT_SHARE = 1e-3;

vs_import_link *vs_import_add_link(vs_import *im, const xmlNode *node, const char *name, vs_pose pose);
// Takes the reference to the shape in every case; a null shape does nothing.
vs_import_item *vs_import_add_item(vs_import *im, const xmlNode *node, vs_import_link *link, vs_shape *shape,
                                   vs_pose pose);
vs_import_joint *vs_import_add_joint(vs_import *im, const xmlNode *node, vs_joint_kind kind, vs_import_link *a,
                                     vs_import_link *b, vs_pose frame);
// Of whole links, unless that is changed. Null: they are the same, or an error.
vs_import_exclude *vs_import_add_exclude(vs_import *im, const xmlNode *node, const vs_import_link *a,
                                         const vs_import_link *b);
// Adds a mass at `pose` in the world to the link's mass.
void vs_import_add_mass(vs_import_link *link, const vs_mass_properties *mass, vs_pose pose);
// The hull of a file of triangles, with a factor for each axis. Null after an error, or if the format is unknown
// (which is ignored).
vs_shape *vs_import_mesh(vs_import *im, const xmlNode *node, const char *path, vs_vec3 scale);
// Bodies, colliders and joints of the scene's world from everything added, without loops; then the loops and gears.
void vs_import_build(vs_import *im);
void vs_import_build_loops(vs_import *im);

// ---- collision filters (filter.c) ------------------------------------------------------------------

// The body or link of the file that an element belongs to; null: the world.
const xmlNode *vs_import_owner(const xmlNode *node);
bool vs_import_is_partial(const vs_import *im, const vs_import_exclude *exclude);
// Groups and masks of all shapes.
void vs_import_filter(vs_import *im);

// ---- controls and keyframes (import/control.c) ------------------------------------------------------

vs_import_control *vs_import_add_control(vs_import *im, const xmlNode *node, vs_import_joint *joint);
// Gives joints the gains and limits of their controls: several keep gains of their own, and their limits add up.
void vs_import_share_joints(vs_import *im);
// A keyframe with zeros for all controls, none of which may be added later.
vs_import_key *vs_import_add_key(vs_import *im, const xmlNode *node);
// Takes the reference to the zone of the definition in every case.
vs_import_sensor *vs_import_add_sensor(vs_import *im, const xmlNode *node, const vs_sensor_def *def);
vs_import_setting *vs_import_add_setting(vs_import *im, vs_import_key *key);
// Controls of the world and keyframes of the scene, once the bodies and joints are made. Coordinates of joints in loops
// cannot be set one by one: keyframes are made before the loops, and projected onto them afterwards.
void vs_import_build_controls(vs_import *im);
void vs_import_build_sensors(vs_import *im);
void vs_import_build_keys(vs_import *im);
void vs_import_close_keys(vs_import *im);

// ---- files (document.c) ----------------------------------------------------------------------------

// The document of a text; its name is for errors. Null after an error.
xmlDoc *vs_import_parse(vs_import *im, const char *name, const char *text, size_t length);

// ---- the formats -----------------------------------------------------------------------------------

void vs_import_urdf(vs_import *im, const xmlNode *robot);
void vs_import_mjcf(vs_import *im, xmlNode *mujoco); // includes files into the tree

#endif
