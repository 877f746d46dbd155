// The planes of the faces that meet at the sharpest concave edges of a mesh, along which it may fall apart.
#ifndef VS_SHAPE_EDGE_PLANES_H
#define VS_SHAPE_EDGE_PLANES_H

#include "base/array.h"
#include "shape/build.h"
#include "shape/decompose/piece.h"

typedef struct vs_edge_planes {
    vs_context *context;
    const vs_triangles *mesh;
    double tolerance;          // m; planes closer than a thousand of it are one
    double work;               // done so far, in edges looked at
    VS_ARRAY(vs_plane3) plane; // the sharpest first
} vs_edge_planes;

// Adds planes up to `count`, of the heaviest edges in descending order, equal ones in the order of edges, while the work is
// less than `work`. VS_ERROR_MEMORY.
vs_error vs_edge_planes_find(vs_edge_planes *planes, int count, double work);

#endif
