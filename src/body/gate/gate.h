// Gates within the library: what they are, and bodies that come and go. What they do in a step is in step/gate/passage.c.
#ifndef VS_BODY_GATE_H
#define VS_BODY_GATE_H

#include "body/world_data.h"
#include "voussoir/gate.h"

typedef struct vs_gate {
    bool sink;
    char *name;             // null or owned
    vs_vec3 low, high;      // m
    vs_factory_def factory; // of a factory; its name and bodies are those here
    vs_body_id *body;       // (bodies) owned
    int bodies;
    double mean_mass; // kg, of them
    // The state, which checkpoints keep:
    int64_t passed;  // bodies so far
    double mass;     // kg, of these
    double energy;   // J, that these brought
    int64_t waiting; // in the last step
    int next;        // body of a factory from which the search for the next one begins
    uint64_t draws;  // random numbers so far
} vs_gate;

// m, of the body's shapes about its centre of mass.
double vs_gate_radius(const vs_world *world, int body);
// May a sink take this body?
bool vs_gate_may_take(const vs_world *world, int body);
// Takes part from now on, in a pose and with a velocity; or is absent. The other state is forgotten.
void vs_gate_let_in(vs_world *world, int body, vs_pose pose, vs_vec3 velocity);
void vs_gate_let_out(vs_world *world, int body);
// J, kinetic, and potential as vs_world_get_energy() has it.
double vs_gate_energy(const vs_world *world, int body);
// The next number of a factory, in [0, 1).
double vs_gate_draw(vs_gate *gate);
// Counts of all gates begin anew. Bodies stay where they are.
void vs_gates_forget(vs_world *world);
void vs_gates_release(vs_world *world);

#endif
