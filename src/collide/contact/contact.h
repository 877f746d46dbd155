// Contacts between colliders, found within an envelope before they touch.
#ifndef VS_COLLIDE_CONTACT_H
#define VS_COLLIDE_CONTACT_H

#include "body/world_data.h"

// a < b (indices of bodies); normal from a to b; gap > 0 apart. The point is midway between the two surfaces.
typedef struct vs_contact {
    int a, b; // bodies
    int collider_a, collider_b;
    vs_vec3 point;    // world
    vs_vec3 normal;   // world, unit
    double gap;       // m
    uint64_t pair;    // identity of the two colliders
    uint64_t feature; // vertex, edge, face, among those of the pair; VS_FEATURE_NONE: of a late contact
    uint64_t key;     // identity across steps: pair and feature; unique within a step
    bool late; // found at the end of the step (step/contacts/late_contacts.h): its gap is no overlap of the beginning
    int moved; // 0, or 1 + the place of the poses of its bodies when they meet (step/contacts/swept_contacts.h)
    int bond;  // 0, or 1 + the bond that gives its gap and normal (step/bond/bond_contacts.h)
} vs_contact;

// Two bodies as one number.
static inline uint64_t vs_bodies_key(int64_t a, int64_t b) {
    return (uint64_t)a << 32 | (uint64_t)b;
}

typedef struct vs_contacts {
    int count;
    int64_t capacity;
    vs_contact *contact; // sorted by (a, b, key)
} vs_contacts;

// One pair of shapes at poses. Appends to out at most VS_MANIFOLD_MOST points with gap <= envelope; the normal points
// from the first shape to the second; features in the low 32 bits of key, 0 … 2^32-1, stable while shapes move little.
enum { VS_MANIFOLD_MOST = 8 };
#define VS_FEATURE_NONE UINT64_MAX

// Features that the contacts of a pair had in the last step: ties are broken as they were then.
typedef struct vs_former {
    int count;
    uint32_t feature[VS_MANIFOLD_MOST];
} vs_former;

typedef struct vs_manifold {
    const vs_former *former; // input; null: not known
    int count;
    struct {
        vs_vec3 point, normal;
        double gap;
        uint32_t feature;
    } at[VS_MANIFOLD_MOST];
} vs_manifold;

// narrow.c: dispatches on the kinds; every pair of shapes of which at least one is convex.
// Meshes and height fields give one manifold per triangle: they are passed one triangle at a time.
void vs_narrow(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
               vs_manifold *manifold);
// The same with manifold->former.
void vs_narrow_again(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                     vs_manifold *manifold);

// Parts of the narrow phase, by pairs (a before b in the order of vs_shape_kind):
void vs_narrow_sphere(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                      vs_manifold *m); // sphere against sphere, box, capsule, cylinder, plane, hull (closest point)
void vs_narrow_plane(const vs_shape *a, vs_pose pose_a, const vs_shape *plane, vs_pose pose_b, double envelope,
                     vs_manifold *m); // any convex shape on a plane: box 4 points, cylinder standing 4, lying 2, …
void vs_narrow_capsule(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                       vs_manifold *m); // capsule against capsule, box, hull
void vs_narrow_polytope(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                        vs_manifold *m); // box and hull against box and hull: separating axes and clipping
void vs_narrow_generic(const vs_shape *a, vs_pose pose_a, const vs_shape *b, vs_pose pose_b, double envelope,
                       vs_manifold *m); // any two convex shapes: one point; more for flat faces and parallel lines
void vs_narrow_triangle(const vs_shape *convex, vs_pose pose, const vs_vec3 triangle[3], double envelope,
                        vs_manifold *m); // a convex shape against one triangle (world), normal from convex to triangle
// One-sided: counter-clockwise seen from outside; a shape entirely behind it has no contact. feature & 7 is the part of
// the triangle that is touched (edge k runs from vertex k to k + 1), so that a caller that knows the neighbours can
// drop inner edges.
// The shortest way of the shape out of the triangle, to any side: the point on the triangle, the normal, and the gap.
// False: they are apart, or the triangle has no area.
typedef struct vs_way_out {
    vs_vec3 point, normal; // world
    double gap;            // m
} vs_way_out;
bool vs_triangle_way_out(const vs_shape *convex, vs_pose pose, const vs_vec3 triangle[3], vs_way_out *way);
enum { VS_TRIANGLE_FACE = 0, VS_TRIANGLE_EDGE = 1, VS_TRIANGLE_VERTEX = 4 }; // + k

// A contact of the last step: what the search for the next ones needs of it.
typedef struct vs_former_contact {
    uint64_t pair, feature;
} vs_former_contact;
typedef struct vs_former_contacts {
    const vs_former_contact *contact; // ascending pairs
    int64_t count;
} vs_former_contacts;

// Broad and narrow phase: finds the contacts of a world for a step of h. envelope 0: chosen by size, speed and step
// (collision.c). former: contacts of the last step; null: not known. Pairs by sorting, O(n log n); deterministic.
// Memory is reused.
typedef struct vs_collision vs_collision;
vs_error vs_collision_create(vs_world *world, vs_collision **collision);
void vs_collision_destroy(vs_collision *c);
vs_error vs_collision_find(vs_collision *c, double h, double envelope, const vs_former_contacts *former,
                           const vs_contacts **contacts);
// Widens the envelopes of the next searches by `margin` (bodies, m) of both bodies; null: none. It must outlive them.
void vs_collision_widen(vs_collision *c, const double *margin);
// Contacts within the envelope of two colliders at other poses than those of the last search, with its neighbours for
// seams, and with m->former; of a mesh the deepest ones. Normals from the first to the second. VS_ERROR_MEMORY.
vs_error vs_collision_meet(vs_collision *c, int a, int b, const vs_pose pose[2], double envelope, vs_manifold *m);
// Identity of two colliders, that of the lower body first: vs_contact.pair.
uint64_t vs_collision_pair(const vs_collision *c, int a, int b);
// Region in which a body may have contacts: two bodies with disjoint boxes have none. False: it has no colliders.
bool vs_collision_bounds(const vs_world *world, int body, double h, double envelope, vs_box3 *box);

#endif
