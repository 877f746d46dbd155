// Shared by the parts of the reader of scene files.
#ifndef VS_SCENE_READER_H
#define VS_SCENE_READER_H

#include "scene/read/node.h"
#include "voussoir/scene.h"

// Checked before anything is allocated for them: a few bytes of text may request any number.
enum { VS_SCENE_BODIES_MOST = 1000000, VS_SCENE_COLLIDERS_MOST = 4000000 };

// A body of the world and the user's frame on it.
typedef struct vs_placed_body {
    vs_body_id id;
    vs_pose pose;   // of the user's frame in the world
    vs_vec3 centre; // of mass, in the user's frame
} vs_placed_body;

// A shape and, if it is decomposed, the hulls that collide instead of it. Holds references.
typedef struct vs_read_shape {
    vs_shape *shape; // of which mass, centre and inertia are
    vs_shape **part; // (parts) in the reader's arena
    int parts;       // 0: not decomposed
} vs_read_shape;

typedef struct vs_reader {
    vs_document document;
    vs_arena arena;
    vs_world *world;
    vs_scene *scene;
    const char *folder;     // of the file, ends with '/'; null: other files are refused
    vs_placed_body *placed; // (places) 0 is the world
    int places;
    int64_t made_bodies;  // of factories, so far
    int64_t colliders;    // so far
    json_t *body_names;   // name -> index in placed
    json_t *joint_names;  // name -> index in `joint`
    vs_joint_id *joint;   // (joints)
    int joints;           //
    json_t *shape_names;  // name -> index in shape
    vs_read_shape *shape; // (shapes) named ones
    int shapes;           //
    vs_shape *made;       // the inline shape in use; a reference
} vs_reader;

// ---- names (read_name.c) ----------------------------------------------------------------------------

// The entry of a body by its name, "world" for the world itself; the world after an error.
const vs_placed_body *vs_find_placed(vs_reader *reader, const vs_node *name);
// A joint that was read before, by its name.
vs_joint_id vs_find_joint(vs_reader *reader, const vs_node *name);
// Adds name -> value to a table; an error if the name is already in use.
void vs_add_name(const vs_node *node, json_t *table, const char *name, int value);

// ---- files (read_path.c) -----------------------------------------------------------------------------

// The path of a file that the node names, in the arena; it is listed in the scene's files. Null after an error.
const char *vs_read_path(vs_reader *reader, const vs_node *node);

// ---- functions of time (read_signal.c) --------------------------------------------------------------

vs_signal vs_read_signal(vs_reader *reader, const vs_node *node);
// Three signals; zeros if absent.
void vs_read_signals(vs_reader *reader, const vs_node *object, const char *key, vs_signal signal[3]);
// Three velocities, given under the first of the keys as positions, the second as velocities, or the third as
// accelerations; a null key is none. Zeros if absent.
void vs_read_motion(vs_reader *reader, const vs_node *object, const char *const key[3], vs_signal signal[3]);

// ---- shapes (read_shape.c) -------------------------------------------------------------------------

#define VS_SHAPE_KEYS                                                                                                  \
    "kind radius half size half_length semi_axes points vertices triangles heights spacing path scale hull decompose"

void vs_read_shapes(vs_reader *reader, const vs_node *root);
// The shape of an object with "kind" …, or a named one; references for the caller. Null after an error.
vs_read_shape vs_shape_read(vs_reader *reader, const vs_node *node);
vs_read_shape vs_shape_find_named(vs_reader *reader, const vs_node *name);
void vs_shape_release_read(vs_read_shape *shape);

// ---- bodies (read_body.c) --------------------------------------------------------------------------

void vs_read_bodies(vs_reader *reader, const vs_node *root);

// ---- servos (read_servo.c) -------------------------------------------------------------------------

// The servo of a body, if it has one; after all bodies, since its names may refer to any.
void vs_read_servo(vs_reader *reader, const vs_node *body, vs_body_id id);

// ---- flexible bodies (read_flexible.c) -------------------------------------------------------------

void vs_read_flexible(vs_reader *reader, const vs_node *root);

// ---- cables (read_cable.c) --------------------------------------------------------------------------

// The path, the terms and the free length of a cable; in the arena.
void vs_read_cable(vs_reader *reader, const vs_node *node, vs_joint_def *def);

// ---- the rest (read_joint.c, read_world.c) ---------------------------------------------------------

void vs_read_joints(vs_reader *reader, const vs_node *root);
void vs_read_materials(vs_reader *reader, const vs_node *root); // and pairs
int vs_read_material(vs_reader *reader, const vs_node *name);   // index
void vs_read_gravity(vs_reader *reader, const vs_node *root);   // read_gravity.c
void vs_read_period(vs_reader *reader, const vs_node *root);
void vs_read_mortar(vs_reader *reader, const vs_node *root); // read_mortar.c
void vs_read_loads(vs_reader *reader, const vs_node *root);
void vs_read_gates(vs_reader *reader, const vs_node *root);   // read_gate.c
void vs_read_stops(vs_reader *reader, const vs_node *root);   // read_stop.c
void vs_read_options(vs_reader *reader, const vs_node *root); // step, solver, output

#endif
