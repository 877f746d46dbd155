// Whole scenes in the engines of others: what voussoir-peer-scenes runs and measures.
//
// A scene is a world of voussoir made of spheres and boxes on planes, one material. Each engine gets the same bodies,
// masses, inertias, poses, velocities, friction, gravity and step, and gives back poses and velocities; everything
// that is reported is measured by voussoir on these.
#ifndef PEERS_SCENES_H
#define PEERS_SCENES_H

#include <stdbool.h>

#include "voussoir/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum engine_shape { ENGINE_SPHERE, ENGINE_BOX } engine_shape;

typedef struct engine_body {
    engine_shape shape;  //
    double radius;       // m, sphere
    vs_vec3 half;        // m, box: half sides
    double mass;         // kg
    vs_vec3 inertia;     // kg m^2, principal, in the body's axes
    vs_body_state state; // at the beginning
    bool guided;         // moves along z only
} engine_body;

// What an engine is made from.
typedef struct engine_scene {
    const engine_body *body;
    int bodies;
    const vs_pose *plane; // solid below z = 0 of its axes
    int planes;
    double mu;
    vs_vec3 gravity; // m/s^2
    double step;     // s
} engine_scene;

typedef struct engine {
    const char *name;
    const char *settings; // beyond the defaults of the engine
    const char *(*version)(void);
    void *(*create)(const engine_scene *scene, const char *name); // null after a message on standard error
    bool (*step)(void *state);
    void (*get)(void *state, int body, vs_body_state *out);
    void (*destroy)(void *state);
} engine;

// Those of this build: index 0, 1, …; null beyond the last.
const engine *engine_mujoco_get(int index);
const engine *engine_ode_get(int index);
const engine *engine_bullet_get(int index);

#ifdef __cplusplus
}
#endif

#endif
