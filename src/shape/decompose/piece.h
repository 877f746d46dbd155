// Pieces of a solid between planes: what a decomposition cuts.
#ifndef VS_SHAPE_PIECE_H
#define VS_SHAPE_PIECE_H

#include "base/array.h"
#include "shape/shape_data.h"

// normal . x = offset
typedef struct vs_plane3 {
    vs_vec3 normal; // unit
    double offset;  // m
} vs_plane3;

typedef VS_ARRAY(vs_vec3) vs_points;

// The solid within a convex cell. Its boundary as a closed chain of triangles: those of the mesh, and a fan for each cut,
// of which some have negative orientation: integrals over the chain are those over the piece.
typedef struct vs_piece {
    const vs_triangles *solid;
    vs_points corner;         // of the mesh, three per triangle
    vs_points fan;            // three per triangle
    VS_ARRAY(vs_plane3) cell; // normal . x <= offset
    vs_points cell_corner;    // corners of the cell inside the solid
    vs_points skin; // triangles of the mesh in planes of the cell that bound the piece: not in the chain, for the hull
} vs_piece;

void vs_piece_release(vs_context *context, vs_piece *piece);
vs_error vs_piece_of_mesh(vs_context *context, const vs_triangles *triangles, vs_piece *piece);
double vs_piece_volume(const vs_piece *piece);  // m^3
vs_box3 vs_piece_bounds(const vs_piece *piece); // of the mesh's triangles
// The parts below (0) and above the plane; points closer to it than `tolerance` are on it. They must be empty. section
// (may be null): its area, m^2.
vs_error vs_piece_cut(vs_context *context, const vs_piece *piece, const vs_plane3 *plane, double tolerance,
                      vs_piece part[2], double *section);

// Both pieces as one, for its volume and hull. It must be empty.
vs_error vs_piece_join(vs_context *context, const vs_piece *a, const vs_piece *b, vs_piece *both);

enum { VS_PIECE_DIRECTIONS = 300 }; // of a coarse hull

// Hull of the piece; *hull is null if they lie in one plane. coarse: of its farthest points in some directions only.
vs_error vs_piece_hull(vs_context *context, const vs_piece *piece, bool coarse, vs_shape **hull);

#endif
