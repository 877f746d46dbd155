// Flexible bodies of a world: solids of tetrahedra, and beams. vs_simulation_step() advances them together with the
// rigid bodies, in one solve: H = M + h^2 K + h R of the elements beside the masses of the rigid bodies.
//
// A solid has nodes of its own. Contacts are detected between the nodes of its surface and rigid shapes or the faces of
// flexible bodies (also its own, with self_contact), and between the corners of rigid boxes and hulls or the centres of
// spheres and its faces.
//
// A beam has rigid bodies as nodes, each with its share of mass and inertia: joints, loads, drives and colliders act on
// them as on any other body.
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
    const vs_mesh *mesh;         // 4 or 10 nodes per element; copied
    vs_pose pose;                // of the mesh's axes; default identity
    vs_vec3 velocity;            // m/s, of all nodes
    vs_vec3 spin;                // rad/s, about the pose's position, world axes
    vs_elastic_material elastic; // default "rubber" with nu = 0.45
    vs_elastic_law law;          // default corotational
    bool consistent_mass;        // default false: lumped
    int material;                // contact material of the surface; index as for colliders; default 0
    uint32_t group, mask;        // as for colliders; default 1, all
    bool collide;                // default true
    bool self_contact;           // contacts of the surface with itself; default false
    const char *name;            // unique among flexible bodies or null; copied
} vs_flexible_def;

VS_API vs_flexible_def vs_flexible_def_default(void);
// Adds a solid. VS_ERROR_DATA: an element is flat or inverted, or the material is out of range.
VS_API vs_error vs_world_add_flexible(vs_world *world, const vs_flexible_def *def, vs_flexible_id *id);
// Removes a flexible body; of a beam also its rigid bodies.
VS_API vs_error vs_world_remove_flexible(vs_world *world, vs_flexible_id id);
// Number of existing flexible bodies, beams included.
VS_API int vs_world_get_flexible_count(const vs_world *world);
// The existing flexible bodies in the order of their indices: k = 0 … count - 1.
VS_API vs_flexible_id vs_world_get_flexible_at(const vs_world *world, int k);
VS_API vs_flexible_id vs_world_find_flexible(const vs_world *world, const char *name);   // zero id: none
VS_API const char *vs_world_get_flexible_name(const vs_world *world, vs_flexible_id id); // "" if it has none

// View of a flexible body: valid until it is removed; positions and velocities are the present ones. A beam has only
// nodes, elements and body.
typedef struct vs_flexible_view {
    bool beam;
    int nodes;
    const vs_vec3 *rest;     // (nodes) m, undeformed, in the world as it was added
    const vs_vec3 *position; // (nodes) m
    const vs_vec3 *velocity; // (nodes) m/s
    const double *mass;      // (nodes) kg, lumped
    int elements;            //
    int element_nodes;       // 4, 10; beam: 2
    const int *element;      // (element_nodes elements) as in mesh.h; beam: node and node
    int faces;               // triangles of the surface; 4 per face of a 10-node element
    const int *face;         // (3 faces) nodes, counter-clockwise seen from outside
    const vs_body_id *body;  // (nodes) beam
} vs_flexible_view;
VS_API vs_error vs_world_get_flexible_view(const vs_world *world, vs_flexible_id id, vs_flexible_view *view);

// Sets positions (nodes) and velocities (nodes) of a solid; null: unchanged.
VS_API vs_error vs_world_set_nodes(vs_world *world, vs_flexible_id id, const vs_vec3 *position,
                                   const vs_vec3 *velocity);
// Prescribes the velocity (m/s, world axes) of nodes of a solid as functions of time; null: zero. Replaces an earlier
// prescription or attachment.
VS_API vs_error vs_world_prescribe_nodes(vs_world *world, vs_flexible_id id, int count, const int *node,
                                         const vs_signal velocity[3]);
// Attaches nodes of a solid rigidly to a body (zero: the world) at their present places.
VS_API vs_error vs_world_attach_nodes(vs_world *world, vs_flexible_id id, int count, const int *node, vs_body_id body);
// Fixes nodes of a solid along axes of the world: bits 1 (x), 2 (y), 4 (z); 0: all. For planes of symmetry and guides.
VS_API vs_error vs_world_fix_nodes(vs_world *world, vs_flexible_id id, int count, const int *node, unsigned axes);
// Removes prescribed velocities, attachments and fixed axes of nodes.
VS_API vs_error vs_world_free_nodes(vs_world *world, vs_flexible_id id, int count, const int *node);
// Applies a force (N, world axes) to each of these nodes during the next step only.
VS_API vs_error vs_world_push_nodes(vs_world *world, vs_flexible_id id, int count, const int *node, vs_vec3 force);
// Adds a permanent load: the total force (N, world axes) as functions of time, distributed equally over the nodes.
VS_API vs_error vs_world_load_nodes(vs_world *world, vs_flexible_id id, int count, const int *node,
                                    const vs_signal force[3]);
// Adds a permanent pressure (Pa, a function of time) on the faces of the surface whose corners are all in the list. It acts
// against the normals of the faces as they are at the beginning of each step.
VS_API vs_error vs_world_press_nodes(vs_world *world, vs_flexible_id id, int count, const int *node,
                                     const vs_signal *pressure);

// Von Mises stress at the nodes of a solid (nodes), Pa: volume-weighted mean of the adjacent elements.
VS_API vs_error vs_world_get_flexible_stress(const vs_world *world, vs_flexible_id id, double *von_mises);
// Number of elements of a solid that are inverted at a quadrature point, and the least volume ratio det F of all.
VS_API vs_error vs_world_get_flexible_inverted(const vs_world *world, vs_flexible_id id, int *inverted, double *least);
// Normal contact pressure of the last step at the nodes of a solid (nodes), Pa: force per area of the surface that
// belongs to the node.
VS_API vs_error vs_simulation_get_pressure(const vs_simulation *simulation, vs_flexible_id id, double *pressure);

// ---- beams -----------------------------------------------------------------------------------------

typedef enum vs_section { VS_SECTION_CIRCLE, VS_SECTION_PIPE, VS_SECTION_RECTANGLE } vs_section;

typedef struct vs_beam_def {
    int nodes;                   // >= 2
    const vs_vec3 *point;        // (nodes) m, the centre line at rest
    bool closed;                 // connects the last node to the first; default false
    vs_vec3 up;                  // direction closest to z of the section; default (0, 0, 1)
    vs_elastic_material elastic; // default "steel"
    vs_section section;          // default circle
    double along_y, along_z;     // m: circle: radius, -; pipe: outer and inner radius; rectangle: sides
    double bending;              // factor of bending and torsional stiffness, 0 … 1; default 1. 0: a cable
    double contact_radius;       // m, of capsules along the line; 0: none. Default 0
    int material;                // of the capsules
    uint32_t group, mask;        // of the capsules; default 1, all
    const char *name;            // unique or null; the bodies are named name.0, name.1, …
} vs_beam_def;

VS_API vs_beam_def vs_beam_def_default(void);
// Adds a beam and the rigid bodies that are its nodes.
VS_API vs_error vs_world_add_beam(vs_world *world, const vs_beam_def *def, vs_flexible_id *id);
// Section forces of an element: N, Q_y, Q_z (N), torque, M_y, M_z (N m), in the axes of the section.
VS_API vs_error vs_world_get_beam_forces(const vs_world *world, vs_flexible_id id, int element, double force[6]);

#ifdef __cplusplus
}
#endif

#endif
