// Internals of the glTF export: data read from a trajectory, and meshes of its shapes.
#ifndef VS_OUTPUT_GLTF_DATA_H
#define VS_OUTPUT_GLTF_DATA_H

#include "output/trajectory/recorded_shapes.h"
#include "output/trajectory/trajectory_data.h"

// A surface. Without normals it is flat: glTF readers compute them.
typedef struct vs_gltf_mesh {
    int64_t vertices, triangles;
    float *position, *normal; // (3 vertices) m; normal null: flat
    uint32_t *index;          // (3 triangles)
    bool both_sides;          // visible from behind
} vs_gltf_mesh;

// Transformation of a node.
typedef struct vs_gltf_place {
    double position[3], rotation[4], scale[3]; // rotation w x y z
} vs_gltf_place;

// A collider, drawn by a mesh.
typedef struct vs_gltf_part {
    int body;    // row, or VS_ROW_WORLD
    int surface; // index of the mesh's geometry
    int colour;
    vs_gltf_place place; // in the body's axes
} vs_gltf_part;

typedef struct vs_gltf_motion {
    bool moves, vanishes;
    float *translation, *rotation, *scale; // (3 frames), (4 frames) x y z w, (frames) 1 or 0
} vs_gltf_motion;

typedef struct vs_gltf_scene {
    vs_context *context;
    vs_arena *arena;
    int64_t bodies, surfaces, parts, frames;
    size_t room;            // bytes of a name
    char *name;             // (bodies * room), zero-padded
    vs_gltf_mesh *surface;  // (surfaces)
    vs_gltf_part *part;     // (parts)
    float *time;            // (frames) s, increasing
    vs_gltf_motion *motion; // (bodies)
    vs_gltf_place *first;   // (bodies) in the first frame
} vs_gltf_scene;

// ---- gltf_mesh.c ----------------------------------------------------------------------------------------

// Spheres, ellipsoids, boxes, cylinders and planes are one unit surface each, to be scaled: *scale. Others are made for
// their shape. A plane is a square of sides 2, which gltf_read.c scales to the extent of the motion.
vs_error vs_gltf_surface(vs_arena *arena, const vs_recorded_shape *shape, vs_gltf_mesh *mesh);
void vs_gltf_scale(const vs_recorded_shape *shape, double scale[3]);
bool vs_gltf_is_unit(int kind);
// Known by kind and size, without triangles in the file? Kinds of later versions are not.
bool vs_gltf_is_sized(int kind);

// ---- gltf_read.c ----------------------------------------------------------------------------------------

// Every `every`-th frame of an open trajectory, and the last one.
vs_error vs_gltf_read(const vs_trajectory_file *file, int64_t every, vs_arena *arena, vs_gltf_scene *scene);

#endif
