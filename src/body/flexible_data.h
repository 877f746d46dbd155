// Internals of flexible bodies: solids of tetrahedra with nodes of their own, beams with rigid bodies as nodes.
#ifndef VS_BODY_FLEXIBLE_DATA_H
#define VS_BODY_FLEXIBLE_DATA_H

#include "body/world_data.h"
#include "element/assembly.h"
#include "element/beam.h"
#include "element/tet.h"
#include "voussoir/flexible.h"

typedef struct vs_prescribed_motion {
    vs_signal_copy velocity[3];
} vs_prescribed_motion;

typedef struct vs_node_load {
    struct vs_node_load *next;
    vs_signal_copy force[3]; // N, of all together
    vs_signal_copy pressure; // Pa, on faces
    int count;               // of nodes
    int faces;               //
    int *node;               // (count + 3 faces) nodes of the force, corners of the faces
} vs_node_load;

// Blocks of the assembly: a node of a solid is one, of a beam two (linear, angular).
typedef struct vs_flexible {
    uint32_t generation;
    bool alive, beam;
    char *name;
    vs_arena arena;            // of the arrays below
    vs_elastic_material stuff; // nameless
    vs_elastic elastic;
    int material; // of contacts
    uint32_t group, mask;
    bool collide, self_contact;

    bool stepped; // since it was added or its nodes were set
    double lag;   // s, by which velocities are older than positions; 0 unless it was stepped
    int nodes;
    vs_vec3 *rest;     // (nodes) m
    vs_vec3 *position; // (nodes) m; of a beam: updated when it is queried
    vs_vec3 *velocity; // (nodes) m/s
    vs_vec3 *force;    // (nodes) N, during the next step only
    vs_vec3 *earlier;  // (blocks) velocities before the last step, if it was stepped; of beams also angular ones
    double *mass;      // (nodes) kg, lumped
    vs_vec3 *work;     // (blocks)
    int elements, element_nodes;
    int *element;      // (element_nodes elements)
    double *tet;       // (VS_TET_REST(element_nodes) elements) rest data
    double size, edge; // m: radius about the middle at rest; mean edge of the surface
    vs_assembly *assembly;
    int64_t nonzeros; // of its pattern
    double *K;        // (nonzeros) N/m, semidefinite tangent
    double *M;        // (nonzeros) kg, consistent mass; null: lumped
    double *f;        // (3 blocks) N, of the elements

    int faces, surface_nodes;
    int *face;         // (3 faces)
    int *surface_node; // (surface_nodes) ascending
    double *node_edge; // (nodes) m, mean edge of the surface at the node, at rest; 0 inside

    int *prescribed; // (nodes) prescribed motion of the node, index of motion, -1: none
    uint8_t *guided; // (nodes) axes along which the node does not move, as bits
    int *attached;   // (nodes) body it is attached to, -1: none
    vs_vec3 *place;  // (nodes) where, in the body's axes
    int *glued;      // (glued_count) bodies that nodes are or were attached to; -1: removed
    int glued_count;
    int64_t glued_capacity;
    vs_prescribed_motion *motion;
    int motion_count;
    int64_t motion_capacity;
    vs_node_load *loads;

    vs_body_id *body;        // (nodes) beam
    vs_beam_rest *beam_rest; // (elements)
    vs_beam_section section;
    vs_beam_stiffness stiffness;
} vs_flexible;

// Index of an id, -1 if it is stale or zero.
int vs_world_flexible_index(const vs_world *world, vs_flexible_id id);
// A slot for a new one: memory and name are reserved, nothing is changed yet. On success vs_flexible_commit() cannot
// fail.
vs_error vs_flexible_reserve(vs_world *world, const char *name, int *index);
vs_error vs_flexible_commit(vs_world *world, int index, vs_flexible *made, vs_flexible_id *id);
void vs_flexible_release(vs_context *context, vs_flexible *f);
void vs_flexible_drop(vs_world *world, int index); // its slot becomes free
// Pattern, K and f for elements of `size` blocks each, listed in `block` one element after the other.
vs_error vs_flexible_make_assembly(vs_flexible *f, int blocks, int size, const int *block);
// Before a body is removed: nodes attached to it become free, its beam is removed.
void vs_flexible_forget_body(vs_world *world, int body);

// ---- nodes (flexible_nodes.c) ----------------------------------------------------------------------

// Is the node of a solid an unknown of the step? Nodes attached to bodies without mass are not.
bool vs_node_is_free(const vs_world *world, const vs_flexible *f, int node);
static inline bool vs_node_is_guided(const vs_flexible *f, int node, int axis) {
    return !f->beam && (f->guided[node] >> axis & 1);
}
// A direction without its components along which the node does not move.
static inline vs_vec3 vs_node_along(const vs_flexible *f, int node, vs_vec3 d) {
    return (vs_vec3){vs_node_is_guided(f, node, 0) ? 0 : d.x, vs_node_is_guided(f, node, 1) ? 0 : d.y,
                     vs_node_is_guided(f, node, 2) ? 0 : d.z};
}
// Prescribed velocity, during the next step of h, of a node that is not free.
vs_vec3 vs_node_prescribed_velocity(const vs_world *world, const vs_flexible *f, int node, double h);
// Forces of the user and of loads at a time (nodes), N, without gravity.
void vs_flexible_push(const vs_flexible *f, double time, vs_vec3 *push);
// Positions += h velocities, which belong to the time `lag` (s) before.
void vs_flexible_advance(vs_flexible *f, double h, double lag);

// ---- elements (flexible_elements.c) ------------------------------------------------------------------

// K and f at the present positions.
void vs_flexible_evaluate(const vs_world *world, vs_flexible *f);
// Strain energy, J, where velocities (blocks; null: 0) lead from the present positions within `time`, s.
double vs_flexible_strain_energy(const vs_world *world, const vs_flexible *f, double time, const vs_vec3 *velocity);
// y = M x of a solid (nodes).
void vs_flexible_multiply_mass(const vs_flexible *f, const vs_vec3 *x, vs_vec3 *y);
// Elements of a solid that are inverted, and the least det F of all (or null).
int vs_flexible_inverted(const vs_flexible *f, double *least);
vs_pose vs_beam_node_pose(const vs_world *world, const vs_flexible *f, int node);

#endif
