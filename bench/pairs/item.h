// Random bodies of every kind of shape, each with its reference; see pairs.c.
#ifndef PAIRS_ITEM_H
#define PAIRS_ITEM_H

#include "kit/random.h"
#include "part.h"
#include "voussoir/voussoir.h"

typedef enum item_kind {
    ITEM_SPHERE,
    ITEM_BOX,
    ITEM_CAPSULE,
    ITEM_CYLINDER,
    ITEM_ELLIPSOID,
    ITEM_HULL,
    ITEM_PLANE,
    ITEM_MESH,     // closed, convex: the surface of a hull
    ITEM_CONCAVE,  // closed: an L
    ITEM_SHELL,    // open, with one side
    ITEM_FIELD,    // a height field
    ITEM_COMPOUND, // two boxes that form an L
    ITEM_KINDS
} item_kind;

extern const char *const item_name[ITEM_KINDS];

enum { ITEM_PARTS = 18, ITEM_COLLIDERS = 2 };

typedef struct item {
    item_kind kind;
    int colliders, parts;
    vs_shape *shape[ITEM_COLLIDERS];
    vs_pose local[ITEM_COLLIDERS];
    part part[ITEM_PARTS]; // their union is the body, or the surface of a shell or field; a plane has none
    double size;           // m, from the origin, at most; infinite for a plane
} item;

// A random one of about `size` m. False: the library refused it.
bool item_make(vs_context *context, item_kind kind, double size, uint64_t *seed, item *out);
void item_release(item *i);

// Signed gap; for shells and fields, the distance to their triangles, 0 or less if one of them is cut.
// behind: the closest triangle is met from its back.
gap_bounds item_gap(const item *a, vs_pose pose_a, const item *b, vs_pose pose_b, bool *behind);
// Is the depth of their overlap defined? Of shells and concave meshes it is not.
bool item_has_depth(const item *a, const item *b);
bool item_is_mesh(const item *i);

#endif
