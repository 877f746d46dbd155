// Collision detection of one engine on the bodies of a world of voussoir: what collide_peers times.
#ifndef PEERS_COLLIDE_SIDE_H
#define PEERS_COLLIDE_SIDE_H

#include <stdbool.h>

#include "voussoir/voussoir.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum side_shape {
    SIDE_SPHERE,
    SIDE_BOX,
    SIDE_CAPSULE,
    SIDE_CYLINDER,
    SIDE_HULL,
    SIDE_PLANE,
    SIDE_MESH
} side_shape;

// One body with one shape; body 0 … moving, planes fixed.
typedef struct side_body {
    side_shape shape;
    double radius, half_length; // m
    vs_vec3 half;               // m, box
    const vs_vec3 *point;       // hull, mesh: vertices
    int points, faces;
    const vs_vec3 *normal;  // hull: of its faces, with their offsets
    const double *offset;   //
    const int *face_start;  // (faces + 1) into face_vertex
    const int *face_vertex; //
    const int *triangle;    // (3 triangles) mesh
    int triangles;
    double size; // m
} side_body;

typedef struct side_pair {
    int a, b; // a < b
    int contacts;
    double deepest; // m, least gap
} side_pair;

typedef struct collide_side {
    const char *name;
    void *(*create)(const side_body *body, int bodies, const vs_pose *pose);
    void (*place)(void *state, const vs_pose *pose);    // not timed
    void (*find)(void *state);                          // timed: broad and narrow phase
    int (*get)(void *state, side_pair *pair, int most); // pairs with contacts; their number
    void (*destroy)(void *state);
} collide_side;

const collide_side *collide_bullet_get(void);
const collide_side *collide_ode_get(void);
const collide_side *collide_fcl_get(void); // meshes only

#ifdef __cplusplus
}
#endif

#endif
