// Flexible bodies of a world: solids of tetrahedra, and lines of beams. vs_simulation_step() moves them together with
// everything else, in one solve: H = M + h^2 K + h R of the elements joins the masses of the rigid bodies.
//
// A solid has nodes of its own. It collides like a collider: the nodes of its surface touch rigid shapes and the faces
// of flexible bodies (its own as well, on request); the corners of rigid boxes and hulls and the centres of spheres
// touch its faces.
//
// A beam has rigid bodies as nodes (small, with their share of mass and inertia), to which joints, loads, drives and
// colliders are attached like to any other body.
#ifndef VOUSSOIR_FLEXIBLE_H
#define VOUSSOIR_FLEXIBLE_H

#include "voussoir/elastic.h"
#include "voussoir/mesh.h"
#include "voussoir/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- solids ----------------------------------------------------------------------------------------

typedef struct vs_flexible_def {
    const vs_mesh *mesh;         // 4 or 10 nodes an element; copied
    vs_pose pose;                // of the mesh's axes; default identity
    vs_vec3 velocity;            // m/s, of all nodes
    vs_vec3 spin;                // rad/s, about the pose's position, world axes
    vs_elastic_material elastic; // default "rubber" with nu = 0.45
    vs_elastic_law law;          // default corotational
    bool consistent_mass;        // default false: one mass per node
    int material;                // of its surface, for contacts; index as for colliders; default 0
    uint32_t group, mask;        // as for colliders; default 1, all
    bool collide;                // default true
    bool self_contact;           // its surface touches itself; default false
    const char *name;            // unique among flexible bodies or null; copied
} vs_flexible_def;

VS_API vs_flexible_def vs_flexible_def_default(void);
// VS_ERROR_DATA: an element is flat or inverted, or the material is out of range.
VS_API vs_error vs_world_add_flexible(vs_world *world, const vs_flexible_def *def, vs_flexible_id *id);
// The bodies of a beam are removed with it.
VS_API vs_error vs_world_remove_flexible(vs_world *world, vs_flexible_id id);
VS_API int vs_world_get_flexible_count(const vs_world *world); // alive, beams included
// Those alive in the order of their indices: k = 0 … count - 1.
VS_API vs_flexible_id vs_world_get_flexible_at(const vs_world *world, int k);
VS_API vs_flexible_id vs_world_find_flexible(const vs_world *world, const char *name);   // zero id: none
VS_API const char *vs_world_get_flexible_name(const vs_world *world, vs_flexible_id id); // "" if it has none

// Borrowed: valid until the body is removed; positions and velocities are updated. A beam has only nodes,
// elements and body.
typedef struct vs_flexible_view {
    bool beam;
    int nodes;
    const vs_vec3 *rest;     // (nodes) m, without strain, in the world as it was added
    const vs_vec3 *position; // (nodes) m
    const vs_vec3 *velocity; // (nodes) m/s
    const double *mass;      // (nodes) kg, lumped
    int elements;            //
    int element_nodes;       // 4, 10; beam: 2
    const int *element;      // (element_nodes elements) as in mesh.h; beam: node and node
    int faces;               // triangles of the surface; 10-node elements: 4 per face
    const int *face;         // (3 faces) nodes, counter-clockwise seen from outside
    const vs_body_id *body;  // (nodes) beam
} vs_flexible_view;
VS_API vs_error vs_world_get_flexible_view(const vs_world *world, vs_flexible_id id, vs_flexible_view *view);

// Replaces positions (nodes) and velocities (nodes) of a solid; null leaves them.
VS_API vs_error vs_world_set_nodes(vs_world *world, vs_flexible_id id, const vs_vec3 *position,
                                   const vs_vec3 *velocity);
// From now on these nodes of a solid move with this velocity (m/s, world axes), independent of forces; null: they are
// fixed. Replaces an earlier prescription or attachment of these nodes.
VS_API vs_error vs_world_prescribe_nodes(vs_world *world, vs_flexible_id id, int count, const int *node,
                                         const vs_signal velocity[3]);
// Attaches nodes of a solid to a body (zero: the world) at their present position.
VS_API vs_error vs_world_attach_nodes(vs_world *world, vs_flexible_id id, int count, const int *node, vs_body_id body);
// From now on these nodes of a solid do not move along some axes of the world: bits 1 (x), 2 (y), 4 (z); 0: along all.
// For planes of symmetry and guides.
VS_API vs_error vs_world_fix_nodes(vs_world *world, vs_flexible_id id, int count, const int *node, unsigned axes);
VS_API vs_error vs_world_free_nodes(vs_world *world, vs_flexible_id id, int count, const int *node);
// Acts during the next step only: force (N, world axes) on each of these nodes.
VS_API vs_error vs_world_push_nodes(vs_world *world, vs_flexible_id id, int count, const int *node, vs_vec3 force);
// A permanent load: its sum over the nodes as functions of time, N, world axes, in equal parts.
VS_API vs_error vs_world_load_nodes(vs_world *world, vs_flexible_id id, int count, const int *node,
                                    const vs_signal force[3]);

// Von Mises stress at the nodes of a solid (nodes), Pa: mean of the elements around, by volume.
VS_API vs_error vs_world_get_flexible_stress(const vs_world *world, vs_flexible_id id, double *von_mises);
// Number of inverted elements of a solid (at any quadrature point), and the least volume ratio det F of all.
VS_API vs_error vs_world_get_flexible_inverted(const vs_world *world, vs_flexible_id id, int *inverted, double *least);
// Normal pressure of the last step on the surface of a solid (nodes), Pa: forces over the area of the surface that
// belongs to a node.
VS_API vs_error vs_simulation_get_pressure(const vs_simulation *simulation, vs_flexible_id id, double *pressure);

// ---- beams -----------------------------------------------------------------------------------------

typedef enum vs_section { VS_SECTION_CIRCLE, VS_SECTION_PIPE, VS_SECTION_RECTANGLE } vs_section;

typedef struct vs_beam_def {
    int nodes;                   // >= 2
    const vs_vec3 *point;        // (nodes) m, the centre line at rest
    bool closed;                 // an element from the last node to the first; default false
    vs_vec3 up;                  // z of the section is as close to it as possible; default (0, 0, 1)
    vs_elastic_material elastic; // default "steel"
    vs_section section;          // default circle
    double along_y, along_z;     // m: circle: radius, -; pipe: outer and inner radius; rectangle: sides
    double bending;              // factor of the bending and torsional stiffness, 0 … 1; default 1. 0: a cable
    double contact_radius;       // m, of capsules along the line; 0: none. Default 0
    int material;                // of the capsules
    uint32_t group, mask;        // of the capsules; default 1, all
    const char *name;            // unique or null; the bodies are called name.0, name.1, …
} vs_beam_def;

VS_API vs_beam_def vs_beam_def_default(void);
VS_API vs_error vs_world_add_beam(vs_world *world, const vs_beam_def *def, vs_flexible_id *id);
// Of element k: N, Q_y, Q_z (N), torque, M_y, M_z (N m), in the section's axes.
VS_API vs_error vs_world_get_beam_forces(const vs_world *world, vs_flexible_id id, int element, double force[6]);

#ifdef __cplusplus
}
#endif

#endif
