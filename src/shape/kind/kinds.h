// The kinds of shapes: one row and one file each.
//
// A new kind: an enumerator at the end of vs_shape_kind (voussoir/shape.h), a file here with its functions, and a row
// below. Contacts follow: two convex kinds without a function of their own meet by collide/narrow/narrow_generic.c.
#ifndef VS_SHAPE_KINDS_H
#define VS_SHAPE_KINDS_H

#include "shape/shape_data.h"

// X(enumerator, class, number). Trajectories hold the numbers: they never change.
#define VS_SHAPE_LIST(X)                                                                                               \
    X(VS_SHAPE_SPHERE, vs_class_sphere, 0)                                                                             \
    X(VS_SHAPE_BOX, vs_class_box, 1)                                                                                   \
    X(VS_SHAPE_CAPSULE, vs_class_capsule, 2)                                                                           \
    X(VS_SHAPE_CYLINDER, vs_class_cylinder, 3)                                                                         \
    X(VS_SHAPE_ELLIPSOID, vs_class_ellipsoid, 4)                                                                       \
    X(VS_SHAPE_HULL, vs_class_hull, 5)                                                                                 \
    X(VS_SHAPE_PLANE, vs_class_plane, 6)                                                                               \
    X(VS_SHAPE_MESH, vs_class_mesh, 7)                                                                                 \
    X(VS_SHAPE_HEIGHT_FIELD, vs_class_height_field, 8)

#define VS_SHAPE_DECLARE(kind, row, number) extern const vs_shape_class row;
VS_SHAPE_LIST(VS_SHAPE_DECLARE)
#undef VS_SHAPE_DECLARE

#endif
