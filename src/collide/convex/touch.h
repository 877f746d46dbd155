// Two convex shapes that touch: from the closest points to a manifold.
#ifndef VS_COLLIDE_TOUCH_H
#define VS_COLLIDE_TOUCH_H

#include "collide/convex/clip.h"

// The contact of two shapes along n: faces if one of them lies across n, else parallel edges, else the closest
// points.
typedef struct vs_touch {
    vs_vec3 normal; // unit, from a to b
    double gap;     // m
    vs_vec3 on_a, on_b;
    uint32_t feature;   // of the single point
    int face_a, face_b; // faces whose normal is equivalent to `normal`; -1: none
} vs_touch;
// Finds face_a and face_b: faces along which the gap is `gap` to within tolerance. The reference of the last step stays
// (former may be null) while its gap is less by no more than a share of the size.
void vs_touch_find_faces(vs_touch *touch, const vs_convex *a, const vs_convex *b, double tolerance,
                         const vs_former *former);
// The normal of the contacts is that of the face, if there is one.
void vs_touch_contacts(const vs_touch *touch, const vs_convex *a, const vs_convex *b, const vs_meeting *meeting,
                       vs_manifold *m);

// Signed gap of two convex shapes of any kind, with its points (narrow_generic.c), without faces. front (null:
// none): normals with n . front > 0 are excluded while the shapes overlap. False: farther apart than `envelope`.
bool vs_touch_find(const vs_convex *a, const vs_convex *b, const vs_vec3 *front, double envelope, vs_touch *touch);
// The same for shapes whose cores meet; size: m, of the smaller one. thorough: from directions all around, too, whatever
// the depth; some ten times slower.
void vs_touch_find_overlap(const vs_convex *a, const vs_convex *b, const vs_vec3 *front, double size, bool thorough,
                           vs_touch *touch);
// Two polytopes that touch or overlap, by separating axes (narrow_polytope.c): edges count if their gap is larger than that of
// faces by more than `bias` (m).
void vs_touch_separate(const vs_convex *a, const vs_convex *b, double bias, vs_touch *touch);

#endif
