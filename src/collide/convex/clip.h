// The contact points of two patches that meet.
#ifndef VS_COLLIDE_CLIP_H
#define VS_COLLIDE_CLIP_H

#include "collide/contact/manifold.h"
#include "collide/convex/patch.h"

// Contacts are computed in the working frame and returned in the world frame.
typedef struct vs_meeting {
    vs_pose pose;            // working frame in the world
    double envelope;         // m
    double tolerance;        // m: lengths below it make no difference
    double share;            // four points suffice if they cover this part of the common outline
    const vs_former *former; // contacts of the last step, which stay while they suffice; null: not known
} vs_meeting;

// Appends the contacts of two patches along n (unit), from the reference, a polygon or disc, to the other one. lowest:
// the gap of the shapes along n, the least possible. from_b: the reference belongs to the second shape.
// Returns the least gap found, infinite if there is no contact.
double vs_meeting_faces(const vs_meeting *meeting, const vs_patch *reference, const vs_patch *incident, vs_vec3 n,
                        double lowest, bool from_b, vs_manifold *m);
// Two contacts where a and b end in parallel segments along n (from a to b) that overlap; else false.
bool vs_meeting_segments(const vs_meeting *meeting, const vs_patch *a, const vs_patch *b, vs_vec3 n, vs_manifold *m);
void vs_meeting_point(const vs_meeting *meeting, vs_vec3 on_a, vs_vec3 on_b, vs_vec3 n, double gap, uint32_t feature,
                      vs_manifold *m);

// Names of features: edges and vertices that touch, by their vertices (-1: none), whatever their order.
uint32_t vs_feature_of_vertices(const int *vertex_a, const int *vertex_b, int count);
// The reference face of the contacts of the last step, modulo VS_FEATURE_FACES, and its side; -1: they had none.
enum { VS_FEATURE_FACES = 512 };
int vs_feature_reference(const vs_former *former, bool *from_b);

#endif
