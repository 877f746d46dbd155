// The unknowns of a step: velocities in blocks, 6 per body with mass (3 linear in world axes, 3 angular in body axes),
// then 3 per free node of a flexible solid. Distributed, ghosts that touch bodies of this process stand behind its bodies.
// Bodies and nodes with prescribed motion have no block. Behind them stand the cuts of ropes with several rough stations
// (rope_cuts.h).
#ifndef VS_STEP_BLOCKS_H
#define VS_STEP_BLOCKS_H

#include "base/array.h"
#include "collide/contact/contact.h"
#include "step/rows/division.h"
#include "step/rows/kick.h"

enum { VS_NO_BLOCK = -1 };

typedef struct vs_blocks {
    VS_ARRAY(int) of_body;     // (body slots) block of each body, or VS_NO_BLOCK
    VS_ARRAY(int) body;        // (blocks of bodies) body of each block
    int owned;                 // blocks of bodies that are not ghosts
    bool flexible;             // there are flexible bodies: H is not one block per body
    VS_ARRAY(int) first_node;  // (flexibles + 1) first node of each solid in of_node
    VS_ARRAY(int) of_node;     // (nodes of all solids) block of each node, or VS_NO_BLOCK
    int nodes;                 // blocks of nodes
    VS_ARRAY(int) cut;         // (blocks of cuts) joint slot of the rope of each
    VS_ARRAY(double) cut_mass; // (blocks of cuts) kg
    VS_ARRAY(bool) struck;     // (blocks of bodies) by an impact in the last solution: struck.h
    VS_ARRAY(double) before;   // (n) velocities before the step
    VS_ARRAY(double) free;     // (n) velocities after it without contacts, joints and elements
    VS_ARRAY(double) moved;    // (n) J; kinetic energy of the difference: what gravity and loads move within the step
} vs_blocks;

// Numbers the blocks. division: null in one process; contacts: those of this step, which tell the ghosts needed.
vs_error vs_blocks_number(vs_blocks *blocks, const vs_world *world, const vs_division *division,
                          const vs_contacts *contacts);
// Sets the velocities before a kick and the free ones.
vs_error vs_blocks_read_velocities(vs_blocks *blocks, const vs_world *world, const vs_kick *kick);
// A body with its velocities of v (n), if it has a block, and moved by them to the end of a kick's step.
vs_body vs_blocks_move_body(const vs_blocks *blocks, const vs_world *world, int index, const double *v, double h,
                            bool centred);
// Velocities v (n) to the bodies and nodes.
void vs_blocks_write_velocities(const vs_blocks *blocks, vs_world *world, const double *v);
void vs_blocks_release(vs_context *context, vs_blocks *blocks);

static inline int vs_blocks_of_body(const vs_blocks *blocks, int body) {
    return blocks->of_body.data[body];
}
static inline int vs_blocks_of_node(const vs_blocks *blocks, int flexible, int node) {
    return blocks->of_node.data[blocks->first_node.data[flexible] + node];
}
// First velocity of a block, and how many it has.
static inline int vs_blocks_column(const vs_blocks *blocks, int block) {
    int bodies = (int)blocks->body.count;
    return block < bodies ? 6 * block : 6 * bodies + 3 * (block - bodies);
}
static inline int vs_blocks_width(const vs_blocks *blocks, int block) {
    return block < (int)blocks->body.count ? 6 : 3;
}
static inline int vs_blocks_count(const vs_blocks *blocks) {
    return (int)blocks->body.count + blocks->nodes + (int)blocks->cut.count;
}
static inline int vs_blocks_first_cut(const vs_blocks *blocks) {
    return (int)blocks->body.count + blocks->nodes;
}
static inline int vs_blocks_size(const vs_blocks *blocks) { // n
    return 6 * (int)blocks->body.count + 3 * (blocks->nodes + (int)blocks->cut.count);
}

#endif
