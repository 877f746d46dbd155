// A Rigid IPC scene on its way from JSON to a scene of ours: what its bodies say, their geometry, the text.
//
// Its world has y up; ours has z up: (x, y, z) there is (x, -z, y) here.
#ifndef VS_CAD_IPC_DATA_H
#define VS_CAD_IPC_DATA_H

#include "base/vec.h"
#include "cad/cad_data.h"

typedef enum vs_ipc_motion { VS_IPC_DYNAMIC, VS_IPC_KINEMATIC, VS_IPC_STATIC } vs_ipc_motion;

// An entry of rigid_bodies, in its own world.
typedef struct vs_ipc_body {
    int number;                     // in rigid_bodies
    const char *mesh;               // path as in the file; "": the lists below
    const json_t *vertices, *faces; // may be null
    bool split;                     // connected parts are bodies of their own
    bool dimensions;                // scale holds extents
    vs_vec3 scale;                  //
    vs_pose pose;                   // of the axes of the mesh
    vs_ipc_motion motion;           //
    bool fixed[6];                  // translation along x, y, z; rotation about them
    double density;                 // kg/m^3
    vs_vec3 velocity, spin;         // m/s of the centre of mass, rad/s
    vs_vec3 force, torque;          // N at the centre of mass, N m
    int group;                      // bodies of one group do not collide; -1: none
    double until;                   // s, after which a kinematic body rests; may be infinite
    int places;                     // a kinematic body's centre at the end of the first steps
    const vs_vec3 *place;           // (places) m
} vs_ipc_body;

typedef struct vs_ipc_scene {
    vs_arena *arena;
    const char *file;
    vs_vec3 gravity;            // m/s^2
    double step, duration;      // s
    double mu, restitution;     //
    VS_ARRAY(vs_ipc_body) body; // those that are enabled
} vs_ipc_scene;

// What bodies are made of, about its centre of mass: hulls, or one mesh.
typedef struct vs_ipc_solid {
    int number;
    int blocks;
    vs_cad_block *block; // (blocks)
    vs_vec3 centre;      // m, in the axes of the scaled mesh
    double volume;       // m^3
    bool flat;           // was a face, and has the thickness of the options
    vs_vec3 normal;      // of a flat one
} vs_ipc_solid;

// A body of the scene.
typedef struct vs_ipc_item {
    const vs_ipc_body *body;
    const vs_ipc_solid *solid;
    const char *name;
    vs_vec3 centre; // m, of mass, in the world of the file
} vs_ipc_item;

typedef struct vs_ipc_model {
    vs_ipc_scene scene;
    const vs_cad_options *options;
    VS_ARRAY(vs_ipc_solid *) solid; // in the arena
    VS_ARRAY(vs_ipc_item) item;
    vs_name_table meshes; // by file, scale and use
    VS_ARRAY(int) first;  // (meshes + 1) into solid
    int64_t triangles;    // read so far
    int open;             // moving bodies of which the hull is used
} vs_ipc_model;

// Is the text of a JSON file a Rigid IPC scene?
bool vs_ipc_is_scene(const json_t *root);
// Reads and checks all bodies (ipc_read.c). Texts and lists belong to `root` or the arena.
vs_error vs_ipc_read(vs_ipc_scene *scene, const json_t *root);
vs_error vs_ipc_fail(const vs_ipc_scene *scene, const vs_ipc_body *body, const char *what);
// The mesh of a body as a drawing, scaled; an error if it has no faces (ipc_load.c).
vs_error vs_ipc_load(vs_ipc_model *m, const vs_ipc_body *b, vs_drawing *d);
vs_box3 vs_ipc_bounds(const vs_vec3 *vertex, int count); // count > 0
// Makes the solids and bodies (ipc_mesh.c).
vs_error vs_ipc_make(vs_ipc_model *m);
// Turns open surfaces towards the bodies that start near them (ipc_facing.c).
vs_error vs_ipc_face(vs_ipc_model *m);
// The text of the scene (ipc_text.c); adds joints and auxiliary bodies to the report.
vs_error vs_ipc_write(const vs_ipc_model *model, const char *name, vs_cad_report *report, vs_text *text);
// All of it (ipc.c).
vs_error vs_ipc_convert(vs_arena *arena, const char *file, const json_t *root, const char *name,
                        const vs_cad_options *options, vs_cad_report *report, vs_text *text);

static inline vs_vec3 vs_ipc_turn(vs_vec3 v) {
    return (vs_vec3){v.x, -v.z, v.y};
}

static inline bool vs_ipc_all_fixed(const vs_ipc_body *b) {
    return b->fixed[0] && b->fixed[1] && b->fixed[2] && b->fixed[3] && b->fixed[4] && b->fixed[5];
}

#endif
