// Gates: factories, through which bodies enter a simulation, and sinks, through which they leave it.
//
// The bodies of a factory exist from the start, but are absent until they enter: an absent body does not move, collides with
// nothing, has no energy, and trajectories hold no pose of it. What a sink takes becomes absent again. So the number of bodies,
// their ids and their rows in files never change.
//
// Gates act at the beginning of a step (vs_simulation_step()), in the order in which they were added, factories first.
#ifndef VOUSSOIR_GATE_H
#define VOUSSOIR_GATE_H

#include "voussoir/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vs_factory_def {
    const char *name;  // unique among gates, or null; copied
    vs_vec3 low, high; // m, corners of the upright box in which bodies appear, wholly
    const vs_body_id
        *body;        // (bodies) dynamic, without joints, each in one factory; in the order in which they enter. Copied
    int bodies;       //
    double rate;      // bodies/s; 0, the default: as many as find room
    double mass_rate; // kg/s; 0, the default: as much as finds room
    double begin, end; // s; default 0 and infinite
    vs_vec3 velocity;  // m/s, with which they enter; default 0
    bool turned;       // in random orientations; false: in those that they have. Default true
    bool reuse;        // bodies that a sink has taken enter again; default false
    uint64_t seed;     // of places and orientations
} vs_factory_def;

typedef struct vs_sink_def {
    const char *name;  // unique among gates, or null; copied
    vs_vec3 low, high; // m, corners of an upright box, may be infinite: takes bodies whose centre of mass is in it
} vs_sink_def;

VS_API vs_factory_def vs_factory_def_default(void);
// Adds a factory; its bodies are absent from now on. Each step it brings in the bodies that are due, one after the other, each at a
// random place where it touches nothing that it may collide with (flexible solids are not considered). The first one for which
// no such place is found waits, and all others behind it, for the next step.
// VS_ERROR_ARGUMENT also if a body is larger than the box. Gates exist as long as the world; index may be null.
VS_API vs_error vs_world_add_factory(vs_world *world, const vs_factory_def *def, int *index);
VS_API vs_sink_def vs_sink_def_default(void); // everywhere
// Adds a sink for all dynamic bodies without joints and without parts of flexible bodies.
VS_API vs_error vs_world_add_sink(vs_world *world, const vs_sink_def *def, int *index);

// A gate at present.
typedef struct vs_gate_view {
    const char *name; // "" if unnamed; owned by the world
    bool sink;        // else a factory
    int64_t bodies;   // that passed it so far
    double mass;      // kg, of these
    double energy;    // J, kinetic and potential, that these brought, or took: < 0 at a sink if it was positive
    int64_t waiting;  // bodies that were due at a factory in the last step and did not enter
} vs_gate_view;

VS_API int vs_world_get_gate_count(const vs_world *world);
// Gate k = 0 … count - 1, in the order of addition.
VS_API vs_error vs_world_get_gate_at(const vs_world *world, int k, vs_gate_view *view);
// Does a body take part? False: it waits in a factory, a sink has taken it, or it does not exist.
VS_API bool vs_world_is_body_present(const vs_world *world, vs_body_id id);

#ifdef __cplusplus
}
#endif

#endif
